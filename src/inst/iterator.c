/* SPDX-License-Identifier: Apache-2.0 */
/* iterator.c -- copies of expressions and equations with a value for an iterator. */
#include "inst/typed.h"

Tx *put_iterator(Front *front, Tx *tx, const IterVar *var, Tx *value) {
    if (!tx) return NULL;
    if (tx->kind == TX_ITER && tx->iter == var) return value;
    bool changed = false;
    Tx **arg = tx->n ? NEW(&front->arena, Tx *, tx->n) : NULL;
    for (int k = 0; k < tx->n; k++) {
        arg[k] = put_iterator(front, tx->arg[k], var, value);
        changed |= arg[k] != tx->arg[k];
    }
    if (!changed) return tx;
    Tx *copy = NEW(&front->arena, Tx, 1);
    *copy = *tx;
    copy->arg = arg;
    return copy;
}

Equ *put_iterator_equ(Front *front, const Equ *equ, const IterVar *var, Tx *value) {
    Equ *copy = NEW(&front->arena, Equ, 1);
    *copy = *equ;
    copy->left = put_iterator(front, equ->left, var, value);
    copy->right = put_iterator(front, equ->right, var, value);
    if (equ->kind == EQU_FOR) {
        copy->iter = NEW(&front->arena, IterVar, 1);
        *copy->iter = *equ->iter;
        copy->iter->range = put_iterator(front, equ->iter->range, var, value);
        copy->body = (EquList){0};
        for (int k = 0; k < equ->body.count; k++) {
            Equ *inner = put_iterator_equ(front, equ->body.item[k], var, value);
            Tx  *self =
                tx_new(front, TX_ITER, equ->pos, equ->iter->type, VARY_CONSTANT, 0);
            self->iter = copy->iter;
            equ_add(front, &copy->body, put_iterator_equ(front, inner, equ->iter, self));
        }
    }
    copy->cond = NEW(&front->arena, Tx *, equ->count + 1);
    copy->branch = NEW(&front->arena, EquList, equ->count + 1);
    for (int b = 0; b < equ->count; b++) {
        copy->cond[b] = put_iterator(front, equ->cond[b], var, value);
        for (int k = 0; k < equ->branch[b].count; k++)
            equ_add(front, &copy->branch[b],
                    put_iterator_equ(front, equ->branch[b].item[k], var, value));
    }
    return copy;
}

EquList loop_round(Front *front, const Equ *loop, const Value *range, int j) {
    Tx     *value = tx_of_value(front, loop->pos, value_element(&front->arena, range, j));
    EquList body = {0};
    for (int i = 0; i < loop->body.count; i++)
        equ_add(front, &body,
                put_iterator_equ(front, loop->body.item[i], loop->iter, value));
    return body;
}
