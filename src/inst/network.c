/* SPDX-License-Identifier: Apache-2.0 */
/* network.c -- components of a model that triplets join, each translated once.
 *
 * `Link link[n]` with a connect of each link to the next is n equal components, not n equal systems: what
 * joins them are triplets (rules.c), so every class can be analysed alone, with the rest of the network
 * imagined at its connectors. Here connects between triplets of components of the model itself leave the
 * equations and become wires: pairs of numbers with constant steps. What is left of a component then
 * is as closed as an array that nothing refers to, and fold.c makes one of it.
 *
 * Cost: linear in the elements that are connected, as for any connect. */
#include "inst/connect.h"

#include <string.h>

/* ---- parts ---- */

static bool has_triplet(const Inst *inst) {
    for (int k = 0; k < inst->nchild; k++) {
        const Inst *child = inst->child[k];
        if (child && !child->absent && !child->link && child->connector &&
            !child->prefix.protected_ && rules_is_triplet(child))
            return true;
    }
    return false;
}

static bool could_be_part(const Inst *inst) {
    return inst && !inst->absent && !inst->link && inst->state == INST_DONE &&
           inst->basic == BASIC_COMPONENT && !inst->connector && has_triplet(inst);
}

bool network_is_part(const FlatModel *model, const Inst *inst) {
    return model->wires && could_be_part(inst);
}

/* ---- connects ---- */

static bool is_port(const FlatModel *model, const Tx *tx) {
    return tx && tx->kind == TX_REF && tx->inst->connector && tx->inst->parent &&
           tx->inst->parent->parent == model->root && could_be_part(tx->inst->parent) &&
           rules_is_triplet(tx->inst);
}

static bool is_wire(const FlatModel *model, const Equ *equ) {
    return equ->kind == EQU_CONNECT && is_port(model, equ->left) &&
           is_port(model, equ->right);
}

static void add(FlatModel *model, EquList *list, Equ *equ) {
    list->item = arena_grow(&model->front->arena, list->item, sizeof *list->item,
                            &list->room, list->count + 1);
    list->item[list->count++] = equ;
}

static Equ *copy(FlatModel *model, const Equ *equ) {
    Equ *to = arena_copy(&model->front->arena, equ, sizeof *equ);
    if (equ->count) to->branch = NEW(&model->front->arena, EquList, equ->count);
    to->body = (EquList){0};
    return to;
}

/* Wires and the rest, both with the loops and conditions around them. */
static void split(FlatModel *model, const EquList *from, EquList *wires, EquList *rest) {
    for (int k = 0; k < from->count; k++) {
        Equ *equ = from->item[k];
        if (equ->kind != EQU_FOR && equ->kind != EQU_IF) {
            add(model, is_wire(model, equ) ? wires : rest, equ);
            continue;
        }
        Equ *w = copy(model, equ), *r = copy(model, equ);
        int  some_w = 0, some_r = 0;
        split(model, &equ->body, &w->body, &r->body);
        some_w += w->body.count;
        some_r += r->body.count;
        for (int j = 0; j < equ->count; j++) {
            split(model, &equ->branch[j], &w->branch[j], &r->branch[j]);
            some_w += w->branch[j].count;
            some_r += r->branch[j].count;
        }
        if (some_w) add(model, wires, w);
        if (some_r) add(model, rest, r);
    }
}

static void keep_wires(FlatModel *model, const Joints *joints) {
    model->wire = NEW(&model->front->arena, Wire, joints->count + 1);
    for (int k = 0; k < joints->count; k++) {
        const Joint *j = &joints->item[k];
        model->wire[model->wires++] =
            (Wire){j->a, j->b, j->ia, j->ib, j->sa, j->sb, j->count, j->pos};
    }
}

bool network_find(FlatModel *model) {
    EquList   wires = {0}, rest = {0};
    InstEqus *own = NULL;
    for (int k = 0; k < model->parts; k++)
        if (model->part[k].inst == model->root) own = &model->part[k];
    if (!own) return true;
    split(model, &own->equation, &wires, &rest);
    if (!wires.count) return true;
    Joints joints = {.front = model->front};
    joints_collect(&joints, model->root, &wires);
    joints_number(&joints);
    if (!model->front->diag->errors) rules_check(model, &joints, true);
    keep_wires(model, &joints);
    joints_free(&joints);
    own->equation = rest;
    return model->front->diag->errors == 0;
}
