/* SPDX-License-Identifier: Apache-2.0 */
/* func.c -- functions: signature when first called, body when first needed. */
#include "inst/front.h"

#include <string.h>

bool class_flag(Front *front, Cls *cls, Str name) {
    if (cls->def && annotation_true(cls->def->annotation, name)) return true;
    if (cls->def && cls->def->comment &&
        annotation_true(cls->def->comment->annotation, name))
        return true;
    cls_bases(front, cls);
    for (int k = 0; k < cls->bases; k++)
        if (class_flag(front, cls->base[k], name)) return true;
    return false;
}

static const External *find_external(Front *front, Cls *cls) {
    const Class *def = cls->def;
    if (def && (def->form == FORM_LONG || def->form == FORM_EXTENDS))
        for (uint32_t s = 0; s < def->count; s++)
            if (def->section[s].kind == SECTION_EXTERNAL) return def->section[s].external;
    for (int k = 0; k < cls->bases; k++) {
        const External *found = find_external(front, cls->base[k]);
        if (found) return found;
    }
    return NULL;
}

const External *func_external(Front *front, Func *func) {
    return find_external(front, func->cls);
}

static bool is_impure(Cls *cls) {
    if (cls->def && cls->def->impure) return true;
    for (int k = 0; k < cls->bases; k++)
        if (is_impure(cls->base[k])) return true;
    return false;
}

static void take_external(Front *front, Func *func) {
    const External *ext = find_external(front, func->cls);
    if (!ext) return;
    func->external = true;
    if (ext->language.kind != EXPR_STRING) return;
    Text text = {0};
    string_decode(&text, front->session, ext->language);
    if (strcmp(text_get(&text), "builtin") != 0 && strcmp(text_get(&text), "C") != 0 &&
        strcmp(text_get(&text), "FORTRAN 77") != 0) {
        diag_report(front->diag, ext->language.pos, CODE_F119,
                    "external functions are written in C or FORTRAN 77, not in %s",
                    text_get(&text));
        func->bad = true;
    }
    if (strcmp(text_get(&text), "builtin") == 0) {
        Str name = ext->function ? ext->function : func->cls->name;
        func->builtin = builtin_find(front, name);
    }
    text_free(&text);
}

static void take_note(Front *front, Func *func) {
    const Mod *smooth =
        annotation_find(func->cls->def->annotation, WORD(front, smoothOrder));
    if (smooth && smooth->value.kind == EXPR_INTEGER)
        func->note.smooth = (int)smooth->value.integer;
    func->note.inline_ = class_flag(front, func->cls, WORD(front, Inline));
    const Mod *inlines = annotation_find(func->cls->def->annotation, WORD(front, Inline));
    func->note.no_inline = inlines && inlines->value.kind == EXPR_FALSE;
    func->note.late_inline = class_flag(front, func->cls, WORD(front, LateInline));
    func->note.generate_events =
        class_flag(front, func->cls, WORD(front, GenerateEvents));
}

static Func *func_new(Front *front, Cls *cls) {
    Func *func = NEW(&front->arena, Func, 1);
    func->cls = cls;
    func->id = front->functions.count++;
    func->name = str_of(front->strings, cls_text(front, cls));
    if (func->id == front->functions.room)
        front->functions.func =
            arena_grow(&front->arena, front->functions.func, sizeof(Func *),
                       &front->functions.room, func->id + 1);
    front->functions.func[func->id] = func;
    map_put(&front->functions.of, (uintptr_t)cls, (int64_t)(intptr_t)func);
    return func;
}

/* function g = der(f, x, y): the signature of f; the body is made where f is lowered. */
static Func *partial_function(Front *front, Cls *cls, Pos pos) {
    const Class *def = cls->def;
    Cls         *base =
        lookup_class(front, (Scope){cls->scope, cls->scope_inst}, def->base, false);
    Func *of = base ? func_of(front, base, pos) : NULL;
    if (!of || of->bad) return NULL;
    Func *func = func_new(front, cls);
    int   id = func->id;
    Str   name = func->name;
    *func = *of;
    func->cls = cls;
    func->id = id;
    func->name = name;
    func->body_state = STEP_DONE;
    func->body = (EquList){0};
    func->external = false;
    func->note = (Annotate){0};
    func->partial_of = of;
    func->partials = (int)def->count;
    func->partial_by = NEW(&front->arena, Inst *, def->count + 1);
    of->called = true;
    for (uint32_t k = 0; k < def->count; k++) {
        for (int i = 0; i < of->nin; i++)
            if (of->in[i]->name == def->variable[k].name) func->partial_by[k] = of->in[i];
        const Inst *by = func->partial_by[k];
        if (by && by->basic == BASIC_REAL && by->ndim == 0) continue;
        diag_report(front->diag, def->variable[k].pos, CODE_F903,
                    "'%s' is no scalar Real input of '%s'",
                    text_of(front, def->variable[k].name), text_of(front, of->name));
        func->bad = true;
    }
    for (int k = 0; k < of->nout; k++)
        if (of->out[k]->basic != BASIC_REAL) {
            diag_report(front->diag, pos ? pos : def->pos, CODE_F903,
                        "result '%s' of '%s' is not Real and has no partial derivative",
                        text_of(front, of->out[k]->name), text_of(front, of->name));
            func->bad = true;
        }
    return func->bad ? NULL : func;
}

Func *func_of(Front *front, Cls *cls, Pos pos) {
    Func *func = (Func *)(intptr_t)map_get(&front->functions.of, (uintptr_t)cls, 0);
    if (func) return func;
    if (!cls_bases(front, cls) || cls->basic != BASIC_FUNCTION) return NULL;
    if (cls->def->form == FORM_DERIVATIVE) return partial_function(front, cls, pos);
    func = func_new(front, cls);
    Inst *inst = func->inst = inst_prototype(front, cls);
    int   n = inst->nchild;
    func->in = NEW(&front->arena, Inst *, n + 1);
    func->out = NEW(&front->arena, Inst *, n + 1);
    func->local = NEW(&front->arena, Inst *, n + 1);
    for (int k = 0; k < n; k++) {
        Inst *child = inst_member(front, inst, k);
        if (!child || child->state == INST_BAD) {
            func->bad = true;
            continue;
        }
        child->slot = func->slots++;
        if (child->way == WAY_INPUT) func->in[func->nin++] = child;
        else if (child->way == WAY_OUTPUT) func->out[func->nout++] = child;
        else func->local[func->nlocal++] = child;
    }
    take_external(front, func);
    take_note(front, func);
    func->impure = is_impure(cls);
    return func;
}

static void take_algorithms(Front *front, Func *func, Cls *cls) {
    for (int k = 0; k < cls->bases; k++) take_algorithms(front, func, cls->base[k]);
    const Class *def = cls->def;
    if (!def || (def->form != FORM_LONG && def->form != FORM_EXTENDS)) return;
    for (uint32_t s = 0; s < def->count; s++) {
        const Section *section = &def->section[s];
        if (section->kind == SECTION_EQUATION && section->count)
            diag_report(front->diag, section->pos, CODE_F113,
                        "a function cannot contain equations");
        if (section->kind != SECTION_ALGORITHM) continue;
        Ctx ctx = {.front = front, .func = func, .algorithm = true};
        ctx.scope = (Scope){cls, func->inst};
        type_clauses(&ctx, &func->body, section->clause, (int)section->count, true);
    }
}

/* Names in the external call are those of the function. */
static void type_external(Front *front, Func *func) {
    const External *ext = find_external(front, func->cls);
    Ctx ctx = {.front = front, .func = func, .scope = {func->cls, func->inst}};
    if (!ext || func->builtin) return;
    bool named = ext->function != 0; /* else: inputs in order, one result */
    int  n = !named ? func->nin : ext->args ? (int)ext->args->count : 0;
    func->foreign = NEW(&front->arena, Tx *, n + 1);
    func->foreigns = n;
    for (int k = 0; k < n; k++)
        func->foreign[k] =
            named ? type_expr(&ctx, ext->args->item[k])
                  : tx_ref(front, ctx.scope.inst->pos, func->in[k], func->inst);
    if (ext->result.kind != EXPR_NONE) func->foreign[n] = type_expr(&ctx, ext->result);
    else if (!named && func->nout == 1 && func->out[0]->ndim == 0)
        func->foreign[n] = tx_ref(front, ctx.scope.inst->pos, func->out[0], func->inst);
}

bool func_has_body(const Cls *cls) {
    const Class *def = cls->def;
    if (def && (def->form == FORM_LONG || def->form == FORM_EXTENDS))
        for (uint32_t s = 0; s < def->count; s++)
            if (def->section[s].kind == SECTION_ALGORITHM ||
                def->section[s].kind == SECTION_EXTERNAL ||
                def->section[s].kind == SECTION_EQUATION)
                return true;
    for (int k = 0; k < cls->bases; k++)
        if (func_has_body(cls->base[k])) return true;
    return false;
}

/* Whether a list of statements assigns a variable or parts of it. */
static bool assigns(const EquList *list, const Inst *inst) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        bool       tuple = equ->kind == EQU_SAME && equ->left->kind == TX_TUPLE;
        int        n = equ->kind == EQU_SAME ? (tuple ? equ->left->n : 1) : 0;
        for (int j = 0; j < n; j++) {
            const Tx *left = tuple ? equ->left->arg[j] : equ->left;
            if (left && left->kind == TX_REF && left->inst == inst) return true;
        }
        if (assigns(&equ->body, inst)) return true;
        for (int j = 0; j < equ->count; j++)
            if (assigns(&equ->branch[j], inst)) return true;
    }
    return false;
}

/* A result without value would be 0. Records have values for their fields, arrays may be empty. */
static void check_results(Front *front, const Func *func) {
    for (int k = 0; k < func->nout; k++) {
        const Inst *out = func->out[k];
        bool        empty = out->basic >= BASIC_RECORD || out->binding.text;
        for (int d = 0; d < out->ndim; d++) empty |= out->dim[d] == 0;
        if (!empty && !assigns(&func->body, out))
            diag_report(front->diag, out->pos, CODE_T177,
                        "function '%s' gives its result '%s' no value",
                        text_of(front, func->name), text_of(front, out->name));
    }
}

void func_body(Front *front, Func *func) {
    if (func->body_state != STEP_NEW) return;
    int errors = front->diag->errors;
    func->body_state = STEP_BUSY;
    if (!front_enter(front, func->cls->def->pos)) return;
    for (int k = 0; k < func->nout; k++) inst_bind(front, func->out[k]);
    for (int k = 0; k < func->nlocal; k++) inst_bind(front, func->local[k]);
    if (func->external) type_external(front, func);
    else take_algorithms(front, func, func->cls);
    front_leave(front);
    if (front->diag->errors > errors) func->bad = true;
    else if (!func->external && func_has_body(func->cls)) check_results(front, func);
    func->body_state = STEP_DONE;
}
