/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c -- arrays of components that nothing outside refers to are translated once.
 *
 * `Crab crab[n]` is n equal systems, if no equation, connection or binding outside of crab refers to
 * what is in it, and what is in it refers to nothing that changes outside. Then the sizes of the array
 * are set to 1: everything that follows sees one crab, and how many there are is a number of the
 * family. Values of parameters and start values that differ from one to the next are kept by instance.
 *
 * Cost: linear in the equations of the classes, independent of n but for values that differ. */
#include "inst/connect.h"

#include <string.h>

typedef struct Folding {
    FlatModel  *model;
    Inst       *array; /* the component array that is looked at */
    const Inst *seen;  /* what crosses its border, NULL if nothing does */
    Pos         pos;   /* where */
} Folding;

/* ---- does something cross the border? ---- */

static void cross_tx(Folding *f, const Tx *tx, bool inside) {
    if (!tx || f->seen) return;
    if (tx->kind == TX_REF) {
        bool own = inst_is_under(tx->inst, f->array);
        bool value = !inside || tx->inst->vary > VARY_PARAMETER ||
                     tx->inst->basic == BASIC_COMPONENT;
        if (own != inside && value) {
            f->seen = tx->inst;
            f->pos = tx->pos;
        }
    }
    for (int k = 0; k < tx->n; k++) cross_tx(f, tx->arg[k], inside);
}

static void cross_list(Folding *f, const EquList *list, bool inside) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        cross_tx(f, equ->left, inside);
        cross_tx(f, equ->right, inside);
        cross_list(f, &equ->body, inside);
        for (int j = 0; j < equ->count; j++) {
            if (equ->cond) cross_tx(f, equ->cond[j], inside);
            cross_list(f, &equ->branch[j], inside);
        }
    }
}

static void cross_bindings(Folding *f, Inst *inst) {
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        cross_tx(f, child->binding.tx, inst_is_under(child, f->array));
        cross_bindings(f, child);
    }
}

static bool is_closed(Folding *f) {
    FlatModel *model = f->model;
    for (int k = 0; k < model->parts; k++) {
        const InstEqus *part = &model->part[k];
        bool            inside = inst_is_under(part->inst, f->array);
        cross_list(f, &part->equation, inside);
        cross_list(f, &part->made, inside);
        cross_list(f, &part->initial, inside);
        for (int a = 0; a < part->algorithms; a++)
            cross_list(f, &part->algorithm[a], inside);
        for (int a = 0; a < part->initial_algorithms; a++)
            cross_list(f, &part->initial_algorithm[a], inside);
    }
    cross_bindings(f, model->root);
    return !f->seen;
}

bool fold_is_closed(FlatModel *model, Inst *inst) {
    Folding f = {.model = model, .array = inst};
    return is_closed(&f);
}

/* ---- values that differ ---- */

static void keep_values(FlatModel *model, Fold *fold, Inst *inst, int what,
                        const Value *v) {
    double *value = NEW(&model->front->arena, double, v->count + 1);
    bool    equal = true;
    int     each = (int)(v->count / fold->count);
    for (int k = 0; k < v->count; k++) {
        value[k] = value_number(v, k);
        equal &= value[k] == value[k % each];
    }
    if (equal) return;
    fold->differ = arena_grow(&model->front->arena, fold->differ, sizeof(Differ),
                              &fold->differ_room, fold->differs + 1);
    fold->differ[fold->differs++] = (Differ){inst, what, each, value};
}

static bool is_number(const Value *v) {
    return v->basic == BASIC_REAL || v->basic == BASIC_INTEGER ||
           v->basic == BASIC_BOOLEAN || v->basic == BASIC_ENUM;
}

static void say_unknown(FlatModel *model, const Inst *inst, Pos pos) {
    Text name = {0};
    inst_name(&name, model->front, inst);
    diag_report(model->front->diag, pos, CODE_C105,
                "the values of '%s' for the instances of a family are not known when "
                "translating",
                text_get(&name));
    text_free(&name);
}

/* A value given from outside of the array with all its dimensions: one for each instance. */
static void look_at(FlatModel *model, Fold *fold, Inst *inst, int what, const Tx *tx,
                    const Inst *base) {
    if (!tx || ty_bad(tx->type) || (base && inst_is_under(base, fold->inst))) return;
    if (!base || base->is_package || !inst_is_under(inst, base)) return;
    if (tx->type.ndim < inst_depth_dims(inst, base)) return; /* each */
    Value *v = eval_now(model->front, tx);
    if (v && is_number(v) && v->count && v->count % fold->count == 0)
        keep_values(model, fold, inst, what, v);
    else say_unknown(model, inst, tx->pos);
}

static void find_differing(FlatModel *model, Fold *fold, Inst *inst) {
    Front *front = model->front;
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k], *base = NULL;
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        find_differing(model, fold, child);
        if (child->basic == BASIC_COMPONENT) continue;
        if (child->vary <= VARY_PARAMETER)
            look_at(model, fold, child, DIFFER_VALUE, child->binding.tx,
                    child->binding.base);
        else if (child->md && md_find(child->md, front->word[W_start])) {
            Tx *tx = inst_attribute(front, child, front->word[W_start], &base);
            look_at(model, fold, child, DIFFER_START, tx, base);
        }
    }
}

/* ---- folding ---- */

static void fold_one(FlatModel *model, Inst *inst, bool part) {
    model->fold = arena_grow(&model->front->arena, model->fold, sizeof(Fold),
                             &model->fold_room, model->folds + 1);
    Fold *fold = &model->fold[model->folds++];
    *fold = (Fold){.inst = inst, .count = 1, .dims = inst->ndim, .part = part};
    fold->size = NEW(&model->front->arena, int, inst->ndim + 1);
    for (int d = 0; d < inst->ndim; d++) {
        fold->size[d] = inst->dim[d];
        fold->count *= inst->dim[d];
    }
    if (inst->ndim) find_differing(model, fold, inst);
    int *one = NEW(&model->front->arena, int, inst->ndim + 1);
    for (int d = 0; d < inst->ndim; d++) one[d] = 1;
    inst->dim = one;
}

static void say_open(FlatModel *model, const Folding *f) {
    Text array = {0}, other = {0};
    inst_name(&array, model->front, f->array);
    inst_name(&other, model->front, f->seen);
    diag_report(model->front->diag, f->pos, CODE_C101,
                "'%s' is not a family of its own: '%s' crosses its border",
                text_get(&array), text_get(&other));
    text_free(&array);
    text_free(&other);
}

static void fold_parts(FlatModel *model) {
    Inst *root = model->root;
    for (int k = 0; k < root->nchild; k++) {
        Inst *child = root->child[k];
        if (!network_is_part(model, child)) continue;
        Folding f = {.model = model, .array = child};
        if (!is_closed(&f)) say_open(model, &f);
        else fold_one(model, child, true);
    }
}

static bool is_candidate(const Inst *inst) {
    bool some = inst->ndim > 0;
    for (int d = 0; d < inst->ndim; d++) some &= inst->dim[d] > 0;
    return some && inst->basic == BASIC_COMPONENT && !inst->connector;
}

static void fold_below(FlatModel *model, Inst *inst) {
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->basic != BASIC_COMPONENT || child->connector) continue;
        if (inst == model->root &&
            (network_is_part(model, child) || network_is_rest(model, child)))
            continue;
        Folding f = {.model = model, .array = child};
        if (!is_candidate(child)) {
            if (!child->ndim) fold_below(model, child);
        } else if (is_closed(&f)) fold_one(model, child, false);
        else if (!model->rests) say_open(model, &f);
    }
}

/* Needs: typed equations and bindings. Gives: families; their arrays have one element. */
bool flat_fold(FlatModel *model) {
    int errors = model->front->diag->errors;
    if (!network_find(model)) return false;
    fold_parts(model);
    fold_below(model, model->root);
    return model->front->diag->errors == errors;
}

void flat_print_folds(Text *out, const FlatModel *model) {
    for (int k = 0; k < model->folds; k++) {
        inst_name(out, model->front, model->fold[k].inst);
        text_printf(out, ": %lld of them, %d values differ\n",
                    (long long)model->fold[k].count, model->fold[k].differs);
    }
}
