/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.c -- calls of external functions while translating (Modelica 3.6, 12.9).
 *
 * Values are copied to the layout that C or FORTRAN 77 expects: double, int and char pointers,
 * arrays by rows for C and by columns for FORTRAN, where everything goes by address. The call itself is
 * made by whoever can run code (front->foreign). A record is a struct of its fields, given by address; an external
 * object is the pointer that its constructor gave, and lives until the translation ends. */
#include "inst/front.h"

#include <string.h>
#include <sys/stat.h>

Str foreign_folder(Front *front, Pos pos, const char *name) {
    const Source *source = source_at(&front->session->sources, pos);
    Text          folder = {0};
    Str           found = 0;
    if (!source || !source->path) return 0;
    for (size_t n = strlen(source->path); n > 0; n--) {
        struct stat info;
        if (source->path[n - 1] != '/') continue;
        text_clear(&folder);
        text_printf(&folder, "%.*sResources/%s", (int)n, source->path, name);
        if (stat(text_get(&folder), &info) != 0) continue;
        if (library_installed(front->library, text_get(&folder)))
            found = str_of(front->strings, text_get(&folder));
        break;
    }
    text_free(&folder);
    return found;
}

bool foreign_fortran(Front *front, Func *func) {
    const External *ext = func_external(front, func);
    if (!ext || ext->language.kind != EXPR_STRING) return false;
    Text text = {0};
    string_decode(&text, front->session, ext->language);
    bool fortran = strncmp(text_get(&text), "FORTRAN", 7) == 0;
    text_free(&text);
    return fortran;
}

static bool passes(int basic) {
    return basic == BASIC_REAL || basic == BASIC_INTEGER || basic == BASIC_BOOLEAN ||
           basic == BASIC_ENUM || basic == BASIC_STRING || basic == BASIC_OBJECT;
}

/* ---- records as structs of C ------------------------------------------------------------------ */

static size_t alignment(const Value *v) {
    size_t most = 1;
    if (v->basic != BASIC_RECORD)
        return v->basic == BASIC_REAL || v->basic == BASIC_STRING ? 8 : 4;
    for (int k = 0; k < v->nfield; k++)
        if (v->item[k] && alignment(v->item[k]) > most) most = alignment(v->item[k]);
    return most;
}

static size_t rounded(size_t at, size_t step) {
    return (at + step - 1) / step * step;
}

static size_t size_in_c(const Value *v) {
    size_t at = 0;
    if (v->basic != BASIC_RECORD) return alignment(v);
    for (int k = 0; k < v->nfield; k++)
        if (v->item[k]) at = rounded(at, alignment(v->item[k])) + size_in_c(v->item[k]);
    return rounded(at, alignment(v));
}

/* The struct as C text; false: a field is an array, an object or has no value. */
static bool struct_text(const Value *v, Text *out) {
    text_add(out, "struct { ");
    for (int k = 0; k < v->nfield; k++) {
        const Value *f = v->item[k];
        if (!f && (!v->rec->child[k] || v->rec->child[k]->absent)) continue;
        if (!f || f->ndim || f->basic == BASIC_OBJECT) return false;
        if (f->basic == BASIC_RECORD) {
            if (!struct_text(f, out)) return false;
        } else if (!passes(f->basic)) return false;
        else
            text_add(out, f->basic == BASIC_REAL     ? "double"
                          : f->basic == BASIC_STRING ? "const char *"
                                                     : "int");
        text_printf(out, " f%d; ", k);
    }
    text_add(out, "}");
    return true;
}

/* The fields into the bytes of a struct, or with back out of them. */
static void move_record(Front *front, Value *v, char *data, bool back) {
    size_t at = 0;
    for (int k = 0; k < v->nfield; k++) {
        Value *f = v->item[k];
        if (!f) continue;
        at = rounded(at, alignment(f));
        char *place = data + at;
        at += size_in_c(f);
        if (f->basic == BASIC_RECORD) move_record(front, f, place, back);
        else if (f->basic == BASIC_REAL && back) memcpy(f->real, place, sizeof(double));
        else if (f->basic == BASIC_REAL) memcpy(place, f->real, sizeof(double));
        else if (f->basic == BASIC_STRING) {
            const char *text = f->string[0] ? f->string[0] : "";
            if (back) memcpy(&text, place, sizeof text);
            else memcpy(place, &text, sizeof text);
            if (back)
                f->string[0] =
                    text ? arena_string(&front->arena, text, strlen(text)) : "";
        } else {
            int number = (int)f->integer[0];
            if (back) memcpy(&number, place, sizeof number);
            else memcpy(place, &number, sizeof number);
            if (back) f->integer[0] = number;
        }
    }
}

/* Numbers of fields that are Reals and that are not. */
static void count_fields(const Value *v, int *reals, int *others) {
    for (int k = 0; k < v->nfield; k++) {
        if (!v->item[k]) continue;
        if (v->item[k]->basic == BASIC_RECORD) count_fields(v->item[k], reals, others);
        else ++*(v->item[k]->basic == BASIC_REAL ? reals : others);
    }
}

static bool take_record(Eval *eval, Value *v, ForeignArg *arg) {
    Text text = {0};
    bool good = v->ndim == 0 && v->rec && struct_text(v, &text);
    if (good) {
        arg->layout = arena_string(eval->arena, text_get(&text), text.length);
        arg->data = arena_take(eval->arena, sizeof(double), size_in_c(v) / 8 + 2);
        arg->address = true;
        move_record(eval->front, v, arg->data, false);
    }
    text_free(&text);
    return good;
}

/* ---- the rest of the arguments ---------------------------------------------------------------- */

/* Place of element k of a value in the array of the callee. */
static int place(const Value *v, int k, bool fortran) {
    if (!fortran || v->ndim < 2) return k;
    int at = 0, step = 1, rest = k, index[16] = {0};
    for (int d = v->ndim - 1; d >= 0; d--) {
        index[d] = rest % v->dim[d];
        rest /= v->dim[d];
    }
    for (int d = 0; d < v->ndim; d++) {
        at += index[d] * step;
        step *= v->dim[d];
    }
    return at;
}

static void *to_callee(Arena *arena, const Value *v, bool fortran, bool size) {
    void        *data = arena_take(arena, sizeof(double), (size_t)v->count + 1);
    double      *real = data;
    int         *integer = data;
    size_t      *sizes = data;
    const char **string = data;
    void       **object = data;
    for (int k = 0; k < v->count; k++) {
        int at = place(v, k, fortran);
        if (v->basic == BASIC_REAL) real[at] = v->real[k];
        else if (v->basic == BASIC_STRING) string[at] = v->string[k] ? v->string[k] : "";
        else if (v->basic == BASIC_OBJECT) object[at] = (void *)(uintptr_t)v->integer[k];
        else if (size) sizes[at] = (size_t)v->integer[k];
        else integer[at] = (int)v->integer[k];
    }
    return data;
}

static void from_callee(Front *front, const void *data, Value *v, bool fortran) {
    for (int k = 0; k < v->count; k++) {
        int at = place(v, k, fortran);
        if (v->basic == BASIC_REAL) v->real[k] = ((const double *)data)[at];
        else if (v->basic == BASIC_STRING) {
            const char *text = ((const char *const *)data)[at];
            v->string[k] = arena_string(&front->arena, text, strlen(text));
        } else if (v->basic == BASIC_OBJECT)
            v->integer[k] = (int64_t)(uintptr_t)((void *const *)data)[at];
        else v->integer[k] = ((const int *)data)[at];
    }
}

/* The variable of the function that an argument names whole; NULL: an expression. */
static Value *variable(const Eval *eval, const Tx *tx) {
    bool whole = tx->kind == TX_REF && tx->inst->parent == eval->func->inst;
    for (int k = 0; whole && k < tx->n; k++)
        whole = !tx->arg[k] || tx->arg[k]->kind == TX_COLON;
    return whole ? eval->frame[tx->inst->slot] : NULL;
}

static bool take_argument(Eval *eval, const Tx *tx, bool fortran, ForeignArg *arg) {
    Value *v = variable(eval, tx);
    bool   output = v && tx->inst->way != WAY_INPUT;
    if (!v) v = eval_tx(eval, tx);
    if (v && v->basic == BASIC_RECORD) {
        arg->basic = BASIC_RECORD;
        return take_record(eval, v, arg);
    }
    if (!v || !passes(v->basic) || v->ndim > 16) return false;
    arg->basic = v->basic;
    arg->address = v->ndim > 0 || output || (fortran && v->basic != BASIC_STRING);
    arg->size = !fortran && tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_size;
    arg->data = to_callee(eval->arena, v, fortran, arg->size);
    return true;
}

/* The symbol of the destructor, if func is a constructor; NULL: it is none, or there is no such symbol. */
static const char *ends_with(Front *front, const Func *func) {
    if (func->cls->name != WORD(front, constructor) || func->nout != 1 ||
        func->out[0]->basic != BASIC_OBJECT)
        return NULL;
    Elem           *elem = cls_find(front, func->out[0]->cls, WORD(front, destructor));
    Cls            *cls = elem && elem->is_class ? elem_class(front, elem, NULL) : NULL;
    Func           *ends = cls ? func_of(front, cls, func->cls->def->pos) : NULL;
    const External *ext = ends && !ends->bad ? func_external(front, ends) : NULL;
    return ext ? text_of(front, ext->function ? ext->function : cls->name) : NULL;
}

Flow foreign_run(Eval *eval, Func *func, Pos pos) {
    Front          *front = eval->front;
    const External *ext = func_external(front, func);
    int             n = func->foreigns;
    bool            fortran = foreign_fortran(front, func);
    Str             folder = foreign_folder(front, func->cls->def->pos, "C-Sources");
    const Tx       *result = func->foreign ? func->foreign[n] : NULL;
    ForeignCall call = {.fortran = fortran, .args = n, .result = {.basic = BASIC_NONE}};
    if (!ext || !func->foreign) return RUN_FAIL;
    call.symbol = text_of(front, ext->function ? ext->function : func->cls->name);
    call.folder = folder ? text_of(front, folder) : NULL;
    call.arg = NEW(eval->arena, ForeignArg, n + 1);
    call.destructor = ends_with(front, func);
    bool good = !result || take_argument(eval, result, fortran, &call.result);
    if (good && call.result.layout) { /* as when it is lowered: see flat/external.c */
        int reals = 0, others = 0;
        count_fields(variable(eval, result), &reals, &others);
        good = reals != 1 || others < 1 || others > 2;
    }
    for (int k = 0; k < n && good; k++)
        good = take_argument(eval, func->foreign[k], fortran, &call.arg[k]);
    if (!good) {
        eval_fail(eval, pos,
                  "it passes something to an external function that has no value");
        return RUN_FAIL;
    }
    if (!front->external.call(front->external.context, &call)) {
        eval_fail(eval, pos, arena_printf(&front->arena, "%s", call.why));
        return RUN_FAIL;
    }
    for (int k = 0; k <= n; k++) {
        const Tx *tx = func->foreign[k];
        Value    *v = tx ? variable(eval, tx) : NULL;
        if (!v || tx->inst->way == WAY_INPUT) continue;
        void *data = k < n ? call.arg[k].data : call.result.data;
        if (v->basic == BASIC_RECORD) move_record(front, v, data, true);
        else from_callee(front, data, v, fortran);
    }
    return RUN_ON;
}
