/* SPDX-License-Identifier: Apache-2.0 */
/* closed.c -- which components nothing crosses the border of.
 *
 * A component is closed if no equation, connection or binding outside of it refers to what is in it, and
 * what is in it refers to nothing that changes outside. A reference crosses the borders of all
 * components around its target, up to the first that also holds the place where it stands; and if
 * the target changes, of all around that place, up to the first that also holds the target.
 *
 * Cost: one pass over all references of the model, times the depth of components, for all of them. */
#include "inst/connect.h"

#include <string.h>

static void cross(Borders *b, const Inst *of, const Inst *but, const Tx *tx) {
    for (; of && !inst_is_under(but, of); of = of->parent)
        if (!b->of[of->id].seen) b->of[of->id] = (Border){tx->inst, tx->pos};
}

/* at: the instance whose equation or binding it is. */
static void cross_tx(Borders *b, const Tx *tx, const Inst *at) {
    if (!tx) return;
    if (tx->kind == TX_REF) {
        cross(b, tx->inst, at, tx);
        if (tx->inst->vary > VARY_PARAMETER || tx->inst->basic == BASIC_COMPONENT)
            cross(b, at, tx->inst, tx);
    }
    for (int k = 0; k < tx->n; k++) cross_tx(b, tx->arg[k], at);
}

static void cross_list(Borders *b, const EquList *list, const Inst *at) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        cross_tx(b, equ->left, at);
        cross_tx(b, equ->right, at);
        cross_list(b, &equ->body, at);
        for (int j = 0; j < equ->count; j++) {
            if (equ->cond) cross_tx(b, equ->cond[j], at);
            cross_list(b, &equ->branch[j], at);
        }
    }
}

static void cross_bindings(Borders *b, const Inst *inst) {
    for (int k = 0; k < inst->nchild; k++) {
        const Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        cross_tx(b, child->binding.tx, child);
        cross_bindings(b, child);
    }
}

Borders borders_find(const FlatModel *model) {
    Borders b = {0};
    b.of = NEW(&b.arena, Border, model->front->insts + 1);
    for (int k = 0; k < model->parts; k++) {
        const InstEqus *part = &model->part[k];
        cross_list(&b, &part->equation, part->inst);
        cross_list(&b, &part->made, part->inst);
        cross_list(&b, &part->initial, part->inst);
        for (int a = 0; a < part->algorithms; a++)
            cross_list(&b, &part->algorithm[a], part->inst);
        for (int a = 0; a < part->initial_algorithms; a++)
            cross_list(&b, &part->initial_algorithm[a], part->inst);
    }
    cross_bindings(&b, model->root);
    return b;
}

const Border *border_crossed(const Borders *b, const Inst *inst) {
    return b->of[inst->id].seen ? &b->of[inst->id] : NULL;
}

void borders_free(Borders *b) {
    arena_free(&b->arena);
}
