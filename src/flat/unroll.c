/* SPDX-License-Identifier: Apache-2.0 */
/* unroll.c -- copies of equations without their loops, records taken apart. */
#include "flat/job.h"

/* How often the loops of a chain run; -1: it cannot be told. */
int loop_count(Lower *l, const Chain *chain) {
    int n = 1;
    for (; chain && n >= 0; chain = chain->up) {
        l->eval.why = NULL;
        const Value *v = eval_tx(&l->eval, chain->var->range);
        n = v ? n * v->count : -1;
    }
    return n;
}

void split_record(Lower *l, EquList *out, const Equ *equ) {
    const Tx *left = equ->left, *right = equ->right;
    if (equ->kind != EQU_SAME || left->kind == TX_TUPLE ||
        left->type.basic != BASIC_RECORD || !right->type.rec) {
        equ_add(l->front, out, (Equ *)equ);
        return;
    }
    Inst *rec = left->type.rec;
    inst_all(l->front, rec);
    for (int k = 0; k < rec->nchild; k++) {
        Inst *field = rec->child[k];
        Inst *from = field && !field->absent && !is_parameter_field(left, field)
                         ? inst_child(l->front, right->type.rec, field->name)
                         : NULL;
        if (!from) continue;
        Equ one = *equ;
        one.left = tx_field_of(l->front, (Tx *)left, field, left->pos);
        one.right = tx_field_of(l->front, (Tx *)right, from, right->pos);
        split_record(l, out, arena_copy(&l->front->arena, &one, sizeof one));
    }
}

/* A copy of a list whose loops are unrolled and records taken apart. */
EquList unrolled(Lower *l, const EquList *list) {
    EquList out = {0};
    for (int k = 0; k < list->count && !l->failed; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_IF) equ = without_loops(l, equ);
        if (equ->kind != EQU_FOR) {
            split_record(l, &out, equ);
            continue;
        }
        l->eval.why = NULL;
        Value *v = eval_tx(&l->eval, equ->iter->range);
        if (!v) lower_fail(l, equ->pos, "this loop");
        for (int j = 0; v && j < v->count; j++) {
            EquList body = loop_round(l->front, equ, v, j);
            body = unrolled(l, &body);
            for (int i = 0; i < body.count; i++) equ_add(l->front, &out, body.item[i]);
        }
    }
    return out;
}

const Equ *without_loops(Lower *l, const Equ *equ) {
    Equ *copy = NEW(&l->front->arena, Equ, 1);
    *copy = *equ;
    copy->branch = NEW(&l->front->arena, EquList, equ->count + 1);
    for (int b = 0; b < equ->count; b++) copy->branch[b] = unrolled(l, &equ->branch[b]);
    return copy;
}
