/* SPDX-License-Identifier: Apache-2.0 */
/* network.c -- components of a model that triplets join, each translated once.
 *
 * `Link link[n]` with a connect of each link to the next is n equal components, not n equal systems: what
 * joins them are triplets (rules.c), so every class can be analysed alone, with the rest of the network
 * imagined at its connectors. Here connects between triplets of components of the model itself leave the
 * equations and become wires: pairs of numbers with constant steps. What is left of a component then
 * is as closed as an array that nothing refers to, and fold.c makes one of it.
 *
 * A component that the model refers to otherwise, by signals, heat ports or shafts, belongs to the rest
 * of the model: all of that is one part more, translated as any model is. Connects inside of the rest
 * stay equations.
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

bool network_is_rest(const FlatModel *model, const Inst *inst) {
    for (int k = 0; k < model->rests; k++)
        if (model->rest[k] == inst) return true;
    return false;
}

bool network_is_part(const FlatModel *model, const Inst *inst) {
    return model->wires && could_be_part(inst) && !network_is_rest(model, inst);
}

/* ---- connects ---- */

static bool is_port(const FlatModel *model, const Tx *tx) {
    return tx && tx->kind == TX_REF && tx->inst->connector && tx->inst->parent &&
           tx->inst->parent->parent == model->root && could_be_part(tx->inst->parent) &&
           rules_is_triplet(tx->inst);
}

/* A connect of triplets that are not both inside of the rest. */
static bool is_wire(const FlatModel *model, const Equ *equ) {
    if (equ->kind != EQU_CONNECT || !is_port(model, equ->left) ||
        !is_port(model, equ->right))
        return false;
    return !map_get(&model->inner, (uint64_t)equ->left->inst->id, 0) ||
           !map_get(&model->inner, (uint64_t)equ->right->inst->id, 0);
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

/* ---- the rest ---- */

static void find_rest(FlatModel *model) {
    Inst   *root = model->root;
    Borders borders = borders_find(model);
    model->rest = NEW(&model->front->arena, const Inst *, root->nchild + 1);
    for (int k = 0; k < root->nchild; k++)
        if (could_be_part(root->child[k]) && !root->child[k]->ndim &&
            border_crossed(&borders, root->child[k]))
            model->rest[model->rests++] = root->child[k];
    borders_free(&borders);
}

/* Connectors of the rest that only such are connected to, in sets with such only: others are removed
 * until nothing changes. */
static void find_inner(FlatModel *model, const Joints *joints) {
    for (int k = 0; k < 2 * joints->count; k++) {
        const Joint *j = &joints->item[k / 2];
        const Inst  *inst = k % 2 ? j->b : j->a;
        if (network_is_rest(model, inst->parent))
            map_put(&model->inner, (uint64_t)inst->id, 1);
    }
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < joints->count; k++) {
            uint64_t a = (uint64_t)joints->item[k].a->id,
                     b = (uint64_t)joints->item[k].b->id;
            bool in_a = map_get(&model->inner, a, 0) != 0;
            bool in_b = map_get(&model->inner, b, 0) != 0;
            if (in_a == in_b) continue;
            map_put(&model->inner, in_a ? a : b, 0);
            more = true;
        }
    }
}

bool network_find(FlatModel *model) {
    EquList   wires = {0}, rest = {0}, all;
    InstEqus *own = NULL;
    for (int k = 0; k < model->parts; k++)
        if (model->part[k].inst == model->root) own = &model->part[k];
    if (!own) return true;
    all = own->equation;
    split(model, &all, &wires, &rest);
    if (!wires.count) return true;
    Joints joints = {.front = model->front};
    joints_collect(&joints, model->root, &wires);
    joints_number(&joints);
    if (!model->front->diag->errors) rules_check(model, &joints, true);
    own->equation = rest;
    find_rest(model);
    if (model->rests) {
        find_inner(model, &joints);
        joints_free(&joints);
        joints = (Joints){.front = model->front};
        wires = rest = (EquList){0};
        split(model, &all, &wires, &rest);
        joints_collect(&joints, model->root, &wires);
        joints_number(&joints);
        own->equation = rest;
    }
    keep_wires(model, &joints);
    joints_free(&joints);
    map_free(&model->inner);
    return model->front->diag->errors == 0;
}
