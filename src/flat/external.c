/* SPDX-License-Identifier: Apache-2.0 */
/* external.c -- external functions: symbol, arguments, where their code is, destructors. */
#include "flat/body.h"

/* A folder below Resources of the library that holds the class, 0-terminated; NULL if none. */
static const Str *resource_folder(Lower *l, Pos pos, const char *name) {
    Str folder = foreign_folder(l->front, pos, name);
    if (!folder) return NULL;
    Str *list = NEW(&l->shapes->arena, Str, 2);
    list[0] = folder;
    return list;
}

/* Texts that an annotation of the external clause gives, one or a list, 0-terminated; NULL if there
 * are none or code of this file may not run. */
static const Str *annotated_texts(Lower *l, const External *ext, Pos pos,
                                  const char *name) {
    const Mod    *mod = annotation_find(ext->annotation, str_of(l->front->strings, name));
    const Source *source = source_at(&l->front->session->sources, pos);
    if (!mod || !source || !source->path ||
        !library_installed(l->front->library, source->path))
        return NULL;
    bool        many = mod->value.kind == EXPR_ARRAY;
    uint32_t    count = many ? mod->value.list->count : 1;
    const Expr *item = many ? mod->value.list->item : &mod->value;
    Str        *list = NEW(&l->shapes->arena, Str, count + 1);
    int         n = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (item[k].kind != EXPR_STRING) continue;
        Text text = {0}, file = {0};
        string_decode(&text, l->front->session, item[k]);
        bool found = library_resource(l->front->library, text_get(&text), &file);
        list[n++] = str_of(l->shapes->strings, text_get(found ? &file : &text));
        text_free(&text);
        text_free(&file);
    }
    return n ? list : NULL;
}

/* A destructor is called with the object alone. */
static bool plain_destructor(const Shapes *shapes, const Function *f) {
    const ExternalCall *call = f->external;
    return call && call->args == 1 && shapes->node[call->arg[0]].op == TERM_SLOT &&
           shapes->node[call->arg[0]].index == 0 && f->inputs == 1;
}

/* What ends the object that this constructor makes; -1 if func is none. */
static int destructor_of(Lower *l, const Func *func) {
    Front *front = l->front;
    if (func->cls->name != WORD(front, constructor) || func->nout != 1 ||
        func->out[0]->basic != BASIC_OBJECT)
        return -1;
    Elem *elem = cls_find(front, func->out[0]->cls, WORD(front, destructor));
    Cls  *cls = elem && elem->is_class ? elem_class(front, elem, NULL) : NULL;
    Func *ends = cls ? func_of(front, cls, func->cls->def->pos) : NULL;
    if (!ends || ends->bad) return -1;
    int number = lower_function(l, ends);
    if (number >= 0 && !plain_destructor(l->shapes, l->shapes->function[number])) {
        lower_fail(l, ends->cls->def->pos, "a destructor with other arguments");
        return -1;
    }
    return number;
}

void take_external(Lower *l, Func *func, Function *to) {
    const External *ext = func_external(l->front, func);
    if (!ext) return;
    ExternalCall *call = NEW(&l->shapes->arena, ExternalCall, 1);
    Ctx  ctx = {.front = l->front, .scope = {func->cls, func->inst}, .func = func};
    Text text = {0};
    if (ext->language.kind == EXPR_STRING)
        string_decode(&text, l->front->session, ext->language);
    else text_add(&text, "C");
    call->language = str_of(l->front->strings, text_get(&text));
    text_free(&text);
    call->symbol = ext->function ? ext->function : func->cls->name;
    if (ext->result.kind != EXPR_NONE) {
        Tx *tx = type_expr(&ctx, ext->result);
        if (!ty_bad(tx->type)) call->result = lower_scalar(l, tx, NULL);
    } else if (!ext->function && func->nout == 1 && func->out[0]->ndim == 0)
        call->result = expr_slot(l->shapes, body_slot(l, func->out[0], READ_VALUE),
                                 lower_type(func->out[0]));
    Term *arg = NEW(&l->shapes->arena, Term, LEAVES);
    int   n = 0;
    if (ext->function && ext->args) {
        for (uint32_t k = 0; k < ext->args->count && n < LEAVES; k++) {
            Tx *tx = type_expr(&ctx, ext->args->item[k]);
            if (ty_bad(tx->type)) continue;
            arg[n++] = tx->type.ndim ? lower_array(l, tx) : lower_scalar(l, tx, NULL);
        }
    } else if (!ext->function) {
        for (int k = 0; k < func->nin; k++) {
            int s = body_slot(l, func->in[k], READ_VALUE);
            arg[n++] = body_slot_term(l, s);
        }
    }
    call->arg = arg;
    call->args = n;
    Pos pos = func->cls->def->pos;
    call->directory = resource_folder(l, pos, "C-Sources");
    call->include = annotated_texts(l, ext, pos, "Include");
    call->include_in = annotated_texts(l, ext, pos, "IncludeDirectory");
    if (!call->include_in) call->include_in = resource_folder(l, pos, "Include");
    call->library = annotated_texts(l, ext, pos, "Library");
    call->library_in = annotated_texts(l, ext, pos, "LibraryDirectory");
    if (!call->library_in) call->library_in = resource_folder(l, pos, "Library");
    call->destructor = destructor_of(l, func);
    to->external = call;
}
