/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.c -- calls of external functions while translating (Modelica 3.6, 12.9).
 *
 * Values are copied to the layout that C or FORTRAN 77 expects: double, int and char pointers,
 * arrays by rows for C and by columns for FORTRAN, where everything goes by address. The call itself is
 * made by whoever can run code (front->foreign). Records and external objects are not passed. */
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
           basic == BASIC_ENUM || basic == BASIC_STRING;
}

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
    for (int k = 0; k < v->count; k++) {
        int at = place(v, k, fortran);
        if (v->basic == BASIC_REAL) real[at] = v->real[k];
        else if (v->basic == BASIC_STRING) string[at] = v->string[k] ? v->string[k] : "";
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
        } else v->integer[k] = ((const int *)data)[at];
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
    if (!v || !passes(v->basic) || v->ndim > 16) return false;
    arg->basic = v->basic;
    arg->address = v->ndim > 0 || output || (fortran && v->basic != BASIC_STRING);
    arg->size = !fortran && tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_size;
    arg->data = to_callee(eval->arena, v, fortran, arg->size);
    return true;
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
    bool good = !result || take_argument(eval, result, fortran, &call.result);
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
        if (v && tx->inst->way != WAY_INPUT)
            from_callee(front, k < n ? call.arg[k].data : call.result.data, v, fortran);
    }
    return RUN_ON;
}
