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

/* What C is given: an array slot, a number, or for a record (Modelica 3.6, 12.9.1.3) its fields as a tuple, which
 * holds a tuple for each record within. */
static Term argument(Lower *l, Tx *tx) {
    if (tx->type.basic != BASIC_RECORD)
        return tx->type.ndim ? lower_array(l, tx) : lower_scalar(l, tx, NULL);
    const Inst *rec = tx->type.rec;
    if (tx->type.ndim || !rec) return lower_fail(l, tx->pos, "an array of records for C");
    Term *field = NEW(&l->shapes->arena, Term, rec->nchild + 1);
    int   n = 0;
    for (int k = 0; k < rec->nchild && !l->failed; k++) {
        if (!rec->child[k] || rec->child[k]->absent) continue;
        Tx *part = tx_field_of(l->front, tx, rec->child[k], tx->pos);
        if (part->type.ndim) return lower_fail(l, tx->pos, "a record with arrays for C");
        field[n++] = argument(l, part);
    }
    return expr_make(l->shapes, TERM_TUPLE, field, n);
}

/* A small struct that mixes double with others comes back in registers of two kinds, which libtcc does not know. */
static Term returned(Lower *l, Tx *tx) {
    Term whole = argument(l, tx);
    int  n = l->failed ? 0 : expr_walk(l->shapes, whole), leaves = 0, reals = 0;
    for (int k = 0; k < n; k++) {
        const Node *node = expr_node(l->shapes, l->shapes->walk[k]);
        leaves += node->op == TERM_SLOT;
        reals += node->op == TERM_SLOT && node->type == TYPE_REAL;
    }
    if (reals == 1 && leaves > 1 && leaves <= 3)
        return lower_fail(l, tx->pos,
                          "a small record of Reals and others that C returns");
    return whole;
}

/* The one result of a function whose external clause names none. */
static Tx *only_result(Lower *l, const Func *func) {
    return tx_ref(l->front, func->out[0]->pos, func->out[0], func->inst);
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
        if (!ty_bad(tx->type)) call->result = returned(l, tx);
    } else if (!ext->function && func->nout == 1 && func->out[0]->ndim == 0)
        call->result = returned(l, only_result(l, func));
    Term *arg = NEW(&l->shapes->arena, Term, LEAVES);
    int   n = 0;
    if (ext->function && ext->args) {
        for (uint32_t k = 0; k < ext->args->count && n < LEAVES; k++) {
            Tx *tx = type_expr(&ctx, ext->args->item[k]);
            if (ty_bad(tx->type)) continue;
            arg[n++] = argument(l, tx);
        }
    } else if (!ext->function) {
        for (int k = 0; k < func->nin; k++)
            arg[n++] =
                argument(l, tx_ref(l->front, func->in[k]->pos, func->in[k], func->inst));
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
