/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c -- components that are alike, and that nothing outside refers to, are translated once.
 *
 * `Crab crab[n]` is n equal systems, if no equation, connection or binding outside of crab refers to
 * what is in it, and what is in it refers to nothing that changes outside (closed.c). Then the sizes of the array
 * are set to 1: everything that follows sees one crab, and how many there are is a number of the
 * family. Arrays and single components of equal structure (alike.c) are members of one family, wherever they
 * are declared and whatever their classes are called: everything that follows sees the first one of them only. Values of
 * parameters and start values that differ from one to the next are kept by instance.
 *
 * Cost: linear in the equations of all declarations, independent of sizes but for values that differ. */
#include "inst/connect.h"

#include <string.h>

typedef struct Folding {
    FlatModel *model;
    Borders    borders;
    Alikes     alikes;
    Arena      arena;
    Inst     **found; /* closed components, in the order of declaration */
    int        founds, room;
    int        arrays; /* among all that were found */
} Folding;

/* ---- values that differ ---- */

static void keep_values(FlatModel *model, Fold *fold, Inst *inst, DifferKind kind,
                        double *value, int64_t each) {
    bool equal = true;
    for (int64_t k = 0; k < each * fold->count; k++) equal &= value[k] == value[k % each];
    if (equal) return;
    fold->differ = arena_grow(&model->front->arena, fold->differ, sizeof(Differ),
                              &fold->differ_room, fold->differs + 1);
    fold->differ[fold->differs++] = (Differ){inst, kind, (int)each, value};
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

static Tx *value_text(Front *front, Inst *inst, DifferKind kind, Inst **base) {
    *base = NULL;
    if (kind == DIFFER_START)
        return inst_attribute(front, inst, front->word[W_start], base);
    *base = inst->binding.base;
    return inst->binding.tx;
}

/* From outside of an array, with all its dimensions: one value for each instance. */
static bool is_listed(const Inst *inst, const Inst *array, const Tx *tx,
                      const Inst *base) {
    if (!tx || ty_bad(tx->type) || !array->ndim) return false;
    if (!base || inst_is_under(base, array) || base->is_package) return false;
    return inst_is_under(inst, base) && tx->type.ndim >= inst_depth_dims(inst, base);
}

/* Values of one member to `to`, which has room for `each` of each instance. */
static bool member_values(Folding *f, const FoldMember *m, Inst *inst, DifferKind kind,
                          double *to, int64_t each) {
    Inst  *base;
    Tx    *tx = value_text(f->model->front, inst, kind, &base);
    Value *v = tx && !ty_bad(tx->type) ? eval_now(f->model->front, tx) : NULL;
    bool   listed = is_listed(inst, m->inst, tx, base);
    if (!v || !is_number(v) || v->count != each * (listed ? m->count : 1)) return false;
    for (int64_t k = 0; k < each * m->count; k++)
        to[k] = value_number(v, (int)(k % v->count));
    return true;
}

/* inst[m]: the same variable in all members. */
static void look_at(Folding *f, Fold *fold, Inst *const *inst, DifferKind kind) {
    Front  *front = f->model->front;
    Inst   *base;
    bool    some = map_has(&f->alikes.differs, 2 * (uint64_t)inst[0]->id + kind);
    int64_t each = 1, at = 0;
    for (int m = 0; m < fold->members && !some; m++) {
        if (!fold->member[m].inst->ndim) continue;
        Tx *tx = value_text(front, inst[m], kind, &base);
        some = is_listed(inst[m], fold->member[m].inst, tx, base);
    }
    if (!some) return;
    for (const Inst *p = inst[0]; p != fold->inst; p = p->parent)
        for (int d = 0; d < p->ndim; d++) each *= p->dim[d];
    double *value = NEW(&front->arena, double, each * fold->count + 1);
    for (int m = 0; m < fold->members; m++) {
        if (!member_values(f, &fold->member[m], inst[m], kind, value + at, each)) {
            Tx *tx = value_text(front, inst[m], kind, &base);
            say_unknown(f->model, inst[m], tx ? tx->pos : inst[m]->pos);
            return;
        }
        at += each * fold->member[m].count;
    }
    keep_values(f->model, fold, inst[0], kind, value, each);
}

static bool are_equal(Front *front, Tx *tx) {
    const Value *v = eval_now(front, tx);
    bool         equal = v && is_number(v);
    for (int k = 1; equal && k < v->count; k++)
        equal = value_number(v, k) == value_number(v, 0);
    return equal;
}

/* Nothing is kept of an instance but parameters and start values: what a variable is declared to equal, and its other
 * attributes, hold for all of them. */
static void refuse_others(Folding *f, const Fold *fold, Inst *const *inst) {
    static const uint8_t others[] = {W_fixed, W_min, W_max, W_nominal, W_stateSelect};
    Front               *front = f->model->front;
    for (int m = 0; m < fold->members; m++) {
        const Inst *array = fold->member[m].inst;
        Inst       *base = inst[m]->binding.base;
        Tx         *tx = inst[m]->vary > VARY_PARAMETER ? inst[m]->binding.tx : NULL;
        bool        listed = is_listed(inst[m], array, tx, base);
        for (int k = 0; k < LENGTH(others) && !listed && inst[m]->md; k++) {
            if (!md_find(inst[m]->md, front->word[others[k]])) continue;
            tx = inst_attribute(front, inst[m], front->word[others[k]], &base);
            listed = is_listed(inst[m], array, tx, base);
        }
        if (listed && !are_equal(front, tx)) say_unknown(f->model, inst[m], tx->pos);
    }
}

/* inst[m]: the same component in all members. */
static void find_differing(Folding *f, Fold *fold, Inst *const *inst) {
    ArenaMark mark = arena_mark(&f->arena);
    Inst    **below = NEW(&f->arena, Inst *, fold->members);
    for (int k = 0; k < inst[0]->nchild; k++) {
        const Inst *child = inst[0]->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        for (int m = 0; m < fold->members; m++) below[m] = inst[m]->child[k];
        find_differing(f, fold, below);
        if (child->basic == BASIC_COMPONENT) continue;
        refuse_others(f, fold, below);
        if (child->vary <= VARY_PARAMETER) look_at(f, fold, below, DIFFER_VALUE);
        else if (child->md && md_find(child->md, f->model->front->word[W_start]))
            look_at(f, fold, below, DIFFER_START);
    }
    arena_back(&f->arena, mark);
}

/* ---- folding ---- */

static FoldMember member_of(FlatModel *model, Inst *inst) {
    FoldMember m = {.inst = inst, .count = 1, .dims = inst->ndim};
    m.size = NEW(&model->front->arena, int, inst->ndim + 1);
    for (int d = 0; d < inst->ndim; d++) {
        m.size[d] = inst->dim[d];
        m.count *= inst->dim[d];
    }
    return m;
}

static void fold_these(Folding *f, Inst *const *inst, int n, bool part) {
    FlatModel *model = f->model;
    model->fold = arena_grow(&model->front->arena, model->fold, sizeof(Fold),
                             &model->fold_room, model->folds + 1);
    Fold *fold = &model->fold[model->folds++];
    *fold = (Fold){.inst = inst[0], .members = n, .part = part};
    fold->member = NEW(&model->front->arena, FoldMember, n);
    for (int m = 0; m < n; m++) {
        fold->member[m] = member_of(model, inst[m]);
        fold->count += fold->member[m].count;
    }
    if (fold->count > 1 || inst[0]->ndim) find_differing(f, fold, inst);
    int *one = NEW(&model->front->arena, int, inst[0]->ndim + 1);
    for (int d = 0; d < inst[0]->ndim; d++) one[d] = 1;
    inst[0]->dim = one;
    for (int m = 1; m < n; m++) inst[m]->absent = true;
}

static void say_open(FlatModel *model, const Inst *inst, const Border *border) {
    Text array = {0}, other = {0};
    inst_name(&array, model->front, inst);
    inst_name(&other, model->front, border->seen);
    diag_report(model->front->diag, border->pos, CODE_C101,
                "'%s' is not a family of its own: '%s' crosses its border",
                text_get(&array), text_get(&other));
    text_free(&array);
    text_free(&other);
}

static void fold_parts(Folding *f) {
    Inst *root = f->model->root;
    for (int k = 0; k < root->nchild; k++) {
        Inst *child = root->child[k];
        if (!network_is_part(f->model, child)) continue;
        const Border *crossed = border_crossed(&f->borders, child);
        if (crossed) say_open(f->model, child, crossed);
        else fold_these(f, &child, 1, true);
    }
}

static bool is_array(const Inst *inst) {
    bool some = inst->ndim > 0;
    for (int d = 0; d < inst->ndim; d++) some &= inst->dim[d] > 0;
    return some;
}

static bool has_states(const Inst *inst) {
    if (!inst || inst->absent || inst->link) return false;
    bool found = inst->derived;
    for (int k = 0; k < inst->nchild && !found; k++) found = has_states(inst->child[k]);
    return found;
}

static void add(Folding *f, Inst *inst) {
    f->found = arena_grow(&f->arena, f->found, sizeof *f->found, &f->room, f->founds + 1);
    f->found[f->founds++] = inst;
}

/* Closed arrays; and closed components without such, of which others may be alike. The rest of a network is
 * computed with its events, so none is taken from it. */
static void find_closed(Folding *f, Inst *inst) {
    FlatModel *model = f->model;
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->basic != BASIC_COMPONENT || child->connector) continue;
        if (inst == model->root &&
            (network_is_part(model, child) || network_is_rest(model, child)))
            continue;
        const Border *crossed = border_crossed(&f->borders, child);
        int           founds = f->founds, arrays = f->arrays;
        if (is_array(child)) {
            f->arrays += !crossed;
            if (!crossed) add(f, child);
            else if (!model->rests) say_open(model, child, crossed);
            continue;
        }
        if (child->ndim) continue;
        find_closed(f, child);
        if (f->arrays > arrays || crossed || model->wires || !has_states(child)) continue;
        f->founds = founds;
        add(f, child);
    }
}

/* Groups of components that are alike, each in the order of declaration. One that nothing is alike is folded if
 * it is an array. */
static void fold_alike(Folding *f) {
    const int n = f->founds;
    int      *next = NEW(&f->arena, int, n + 1); /* with the same hash; -1: none */
    uint8_t  *taken = NEW(&f->arena, uint8_t, n + 1);
    Inst    **group = NEW(&f->arena, Inst *, n + 1);
    bool      some = n > 1 && !f->model->front->uses.stateful;
    Map       last = {0};
    for (int k = 0; k < n; k++) next[k] = -1;
    for (int k = 0; some && k < n; k++) {
        uint64_t hash = alike_hash(&f->alikes, f->found[k]);
        int64_t  before = map_get(&last, hash, -1);
        if (before >= 0) next[before] = k;
        map_put(&last, hash, k);
    }
    map_free(&last);
    for (int k = 0; k < n; k++) {
        int members = 0;
        if (taken[k]) continue;
        group[members++] = f->found[k];
        for (int j = next[k]; j >= 0; j = next[j])
            if (!taken[j] && alike(&f->alikes, f->found[k], f->found[j])) {
                taken[j] = 1;
                group[members++] = f->found[j];
            }
        if (members > 1 || f->found[k]->ndim) fold_these(f, group, members, false);
    }
}

static bool is_left_out(const Inst *inst) {
    while (inst && !inst->absent) inst = inst->parent;
    return inst != NULL;
}

/* Equations of members that another one stands for. */
static void leave_out(FlatModel *model) {
    int kept = 0;
    for (int k = 0; k < model->parts; k++)
        if (!is_left_out(model->part[k].inst)) model->part[kept++] = model->part[k];
    model->parts = kept;
}

/* Needs: typed equations and bindings. Gives: families; their arrays have one element, and all members but
 * the first are absent. */
bool flat_fold(FlatModel *model) {
    int     errors = model->front->diag->errors;
    Folding f = {.model = model};
    if (!network_find(model)) return false;
    f.borders = borders_find(model);
    alikes_begin(&f.alikes, model);
    fold_parts(&f);
    find_closed(&f, model->root);
    fold_alike(&f);
    leave_out(model);
    alikes_end(&f.alikes);
    borders_free(&f.borders);
    arena_free(&f.arena);
    return model->front->diag->errors == errors;
}

void flat_fold_name(Text *out, const FlatModel *model, const Fold *fold) {
    enum { MOST = 3 };
    for (int m = 0; m < fold->members && m < MOST; m++) {
        if (m) text_add(out, ", ");
        inst_name(out, model->front, fold->member[m].inst);
    }
    if (fold->members > MOST) text_printf(out, " and %d more", fold->members - MOST);
}

void flat_print_folds(Text *out, const FlatModel *model) {
    for (int k = 0; k < model->folds; k++) {
        flat_fold_name(out, model, &model->fold[k]);
        text_printf(out, ": %lld of them, %d values differ\n",
                    (long long)model->fold[k].count, model->fold[k].differs);
    }
}
