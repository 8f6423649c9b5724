/* SPDX-License-Identifier: Apache-2.0 */
/* derivative.c -- what annotations say of the derivatives and inverses of a function. */
#include "flat/body.h"

#include <string.h>

/* The inputs of a first derivative are those of the function and the derivatives of the Real ones that it asks
 * for (Modelica 3.6, 12.7.1). */
static bool derivative_inputs_fit(Lower *l, const Func *der, const Function *f,
                                  const uint8_t *input) {
    int wanted = f->inputs, given = 0;
    for (int k = 0; k < f->inputs; k++)
        wanted += f->var[k].type == TYPE_REAL && input[k] == DERIVATIVE_WANTED;
    for (int k = 0; k < der->nin; k++)
        if (der->in[k]->basic != BASIC_FUNCTION)
            given += body_leaves(l, der->in[k], NULL, 0, 0);
    return given == wanted && der->nout == 1;
}

/* annotation(derivative(order = n, noDerivative = x, zeroDerivative = y) = f) */
static void take_derivative(Lower *l, Func *func, const Mod *mod, Function *f) {
    if (mod->value.kind != EXPR_NAME || f->derivatives >= 8) return;
    Scope scope = {func->cls, func->inst};
    Cls  *cls = lookup_class(l->front, scope, mod->value.name, true);
    Func *der = cls ? func_of(l->front, cls, mod->pos) : NULL;
    if (!der || der->bad) return;
    Derivative *d = &f->derivative[f->derivatives++];
    uint8_t    *input = NEW(&l->shapes->arena, uint8_t, f->inputs + 1);
    d->order = 1;
    for (uint32_t k = 0; mod->args && k < mod->args->count; k++) {
        const Mod  *arg = &mod->args->item[k];
        const char *name = text_of(l->front, arg->name);
        if (strcmp(name, "order") == 0 && arg->value.kind == EXPR_INTEGER)
            d->order = (int)arg->value.integer;
        bool no = strcmp(name, "noDerivative") == 0,
             zero = strcmp(name, "zeroDerivative") == 0;
        if ((!no && !zero) || arg->value.kind != EXPR_NAME) continue;
        int slot = 0;
        for (int i = 0; i < func->nin; i++) {
            int n = body_leaves(l, func->in[i], NULL, 0, 0);
            if (func->in[i]->name == arg->value.name->part[0].name)
                for (int j = 0; j < n; j++)
                    input[slot + j] = no ? DERIVATIVE_NOT : DERIVATIVE_ZERO;
            slot += n;
        }
    }
    if (d->order == 1 && func->nout == 1 && !derivative_inputs_fit(l, der, f, input)) {
        diag_report(
            l->front->diag, mod->pos, CODE_T107,
            "the arguments of '%s' are not those of a derivative of '%s': it is not used",
            text_of(l->front, der->name), text_of(l->front, func->name));
        f->derivatives--;
        return;
    }
    d->input = input;
    d->function = lower_function(l, der);
}

/* First slot of an input; -1 if inst is none. */
static int input_slot(Lower *l, const Func *func, const Inst *inst) {
    int slot = 0;
    for (int i = 0; i < func->nin; i++) {
        if (func->in[i] == inst) return slot;
        if (func->in[i]->basic != BASIC_FUNCTION)
            slot += body_leaves(l, func->in[i], NULL, 0, 0);
    }
    return -1;
}

/* annotation(inverse(x = g(y, u))): arguments of g are inputs and the result of func. */
static void take_inverse(Lower *l, Func *func, const Mod *mod, Function *f) {
    Ctx   ctx = {.front = l->front, .scope = {func->cls, func->inst}, .func = func};
    Inst *input = NULL;
    int   args = 0;
    for (int i = 0; i < func->nin; i++)
        if (func->in[i]->name == mod->name) input = func->in[i];
    if (!input || input->basic != BASIC_REAL || input->ndim) return;
    const Tx *call = type_expr(&ctx, mod->value);
    if (call->kind != TX_CALL || call->n > LEAVES || call->func->bad || !call->n) return;
    int *arg = NEW(&l->shapes->arena, int, LEAVES);
    for (int k = 0; k < call->n; k++) {
        const Tx *tx = call->arg[k];
        int       n = body_leaves(l, call->func->in[k], NULL, 0, 0);
        if (!tx || tx->kind != TX_REF || args + n > LEAVES) return;
        int slot = input_slot(l, func, tx->inst);
        if (slot < 0 && tx->inst != func->out[0]) return;
        for (int j = 0; j < n; j++) arg[args++] = slot < 0 ? INVERSE_RESULT : slot + j;
    }
    f->inverse[f->inverses++] = (Inverse){.input = input_slot(l, func, input),
                                          .function = lower_function(l, call->func),
                                          .args = args,
                                          .arg = arg};
}

void take_inverses(Lower *l, Func *func, Function *f) {
    const Class *def = func->cls->def;
    Str          inverse = str_of(l->front->strings, "inverse");
    const Mods  *lists[] = {def->annotation,
                           def->comment ? def->comment->annotation : NULL};
    if (func->nout != 1 || f->outputs != 1) return;
    for (int k = 0; k < LENGTH(lists); k++) {
        const Mod *mod = annotation_find(lists[k], inverse);
        if (!mod || !mod->args || f->inverse) continue;
        f->inverse = NEW(&l->shapes->arena, Inverse, mod->args->count + 1);
        for (uint32_t i = 0; i < mod->args->count; i++)
            if (mod->args->item[i].kind == MOD_VALUE &&
                mod->args->item[i].value.kind == EXPR_CALL)
                take_inverse(l, func, &mod->args->item[i], f);
    }
}

static void derivative_mods(Lower *l, Func *func, const Mods *mods, Function *f) {
    Str derivative = str_of(l->front->strings, "derivative");
    for (uint32_t k = 0; mods && k < mods->count; k++)
        if (mods->item[k].kind == MOD_VALUE && mods->item[k].name == derivative)
            take_derivative(l, func, &mods->item[k], f);
}

void take_derivatives(Lower *l, Func *func, Function *f) {
    const Class *def = func->cls->def;
    f->derivative = NEW(&l->shapes->arena, Derivative, 8);
    derivative_mods(l, func, def->annotation, f);
    if (def->comment) derivative_mods(l, func, def->comment->annotation, f);
    const External *ext = func_external(l->front, func);
    if (ext && ext->annotation != def->annotation)
        derivative_mods(l, func, ext->annotation, f);
}
