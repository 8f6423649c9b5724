/* SPDX-License-Identifier: Apache-2.0 */
/* alike.c -- do two components have the same structure, whatever their classes are called?
 *
 * Two closed components are alike if their trees of variables, their equations and attributes are equal, where
 * what lies inside of one corresponds to what has the same place in the other. Their own names and sizes do
 * not count, nor do, in single components, the values of Real parameters and start values, if these are numbers known now and
 * no condition depends on them. A hash of the same tree (Merkle: A digital signature based on a conventional
 * encryption function, 1987) tells where it is worth while to compare.
 *
 * Cost: linear in variables and equations of a component. */
#include "inst/connect.h"

#include <string.h>

enum { ITERATORS = 32, ATTRIBUTES = 10 };

typedef struct Noted { /* a value that differs */
    Inst *inst;
    int   kind;
} Noted;

typedef struct Pair {
    Alikes  *all;
    Inst    *a, *b;
    Map      to;              /* Inst.id under a -> Inst.id under b */
    IterVar *iter[ITERATORS]; /* pairs of iterators in force */
    int      iters;
    Map      shapes; /* Inst.id of what conditions on parameters of a depend on */
    Noted   *noted;
    int      notes, room;
} Pair;

static bool is_there(const Inst *inst) {
    return inst && !inst->absent;
}

/* ---- typed expressions ---- */

static bool uses_own(const Tx *tx, const Inst *of) {
    if (!tx) return false;
    if (tx->kind == TX_REF && inst_is_under(tx->inst, of)) return true;
    for (int k = 0; k < tx->n; k++)
        if (uses_own(tx->arg[k], of)) return true;
    return false;
}

/* What a condition depends on, directly or by the values of parameters. */
static void note_shaping(Pair *p, const Tx *tx) {
    if (!tx) return;
    if (tx->kind == TX_REF && inst_is_under(tx->inst, p->a) &&
        !map_has(&p->shapes, (uint64_t)tx->inst->id)) {
        map_put(&p->shapes, (uint64_t)tx->inst->id, 1);
        note_shaping(p, tx->inst->binding.tx);
    }
    for (int k = 0; k < tx->n; k++) note_shaping(p, tx->arg[k]);
}

static bool shapes(const Pair *p, const Inst *inst) {
    for (; inst != p->a; inst = inst->parent)
        if (map_has(&p->shapes, (uint64_t)inst->id)) return true;
    return false;
}

static bool same_inst(const Pair *p, const Inst *a, const Inst *b) {
    if (!a || !b) return a == b;
    return map_get(&p->to, (uint64_t)a->id, a->id) == b->id;
}

static bool same_type(Ty a, Ty b) {
    if (a.basic != b.basic || a.ndim != b.ndim) return false;
    for (int d = 0; d < a.ndim; d++)
        if (a.dim[d] != b.dim[d]) return false;
    return a.cls == b.cls || (a.cls && b.cls && a.cls->def && a.cls->def == b.cls->def);
}

static bool push_iter(Pair *p, IterVar *a, IterVar *b) {
    if (p->iters + 2 > ITERATORS || !same_type(a->type, b->type)) return false;
    p->iter[p->iters++] = a;
    p->iter[p->iters++] = b;
    return true;
}

static bool same_iter(const Pair *p, const IterVar *a, const IterVar *b) {
    for (int k = p->iters - 2; k >= 0; k -= 2)
        if (p->iter[k] == a) return p->iter[k + 1] == b;
    return false;
}

static bool same_tx(Pair *p, const Tx *a, const Tx *b);

static bool same_args(Pair *p, const Tx *a, const Tx *b) {
    for (int k = 0; k < a->n; k++)
        if (!same_tx(p, a->arg[k], b->arg[k])) return false;
    return true;
}

static bool same_reduction(Pair *p, const Tx *a, const Tx *b) {
    int  before = p->iters;
    bool same = a->reduce == b->reduce;
    for (int k = 0; same && k + 1 < a->n; k++)
        same = push_iter(p, a->iters[k], b->iters[k]);
    same = same && same_args(p, a, b);
    p->iters = before;
    return same;
}

static bool same_tx(Pair *p, const Tx *a, const Tx *b) {
    if (!a || !b) return a == b;
    if (a->kind != b->kind || a->vary != b->vary || a->n != b->n ||
        !same_type(a->type, b->type))
        return false;
    if (a->kind == TX_REDUCE) return same_reduction(p, a, b);
    if (!same_args(p, a, b)) return false;
    switch ((TxKind)a->kind) {
    case TX_INTEGER:
    case TX_BOOLEAN:
    case TX_ENUM: return a->i == b->i;
    case TX_REAL: return a->r == b->r;
    case TX_STRING: return strcmp(a->s, b->s) == 0;
    case TX_REF: return same_inst(p, a->inst, b->inst) && same_inst(p, a->base, b->base);
    case TX_FIELD: return same_inst(p, a->inst, b->inst);
    case TX_ITER: return same_iter(p, a->iter, b->iter);
    case TX_BUILTIN: return a->builtin == b->builtin && a->extra == b->extra;
    case TX_CALL:
    case TX_PARTIAL: return a->func == b->func && a->output == b->output;
    case TX_IF:
        for (int k = 0; k + 1 < a->n; k += 2)
            if (a->arg[k]->vary <= VARY_PARAMETER) note_shaping(p, a->arg[k]);
        return true;
    default: return true;
    }
}

/* ---- equations ---- */

static bool same_list(Pair *p, const EquList *a, const EquList *b);

static bool same_branches(Pair *p, const Equ *a, const Equ *b) {
    if (a->count != b->count || !a->cond != !b->cond || !a->branch != !b->branch)
        return false;
    for (int k = 0; k < a->count; k++) {
        const Tx *cond = a->cond ? a->cond[k] : NULL;
        if (a->cond && !same_tx(p, cond, b->cond[k])) return false;
        if (a->branch && !same_list(p, &a->branch[k], &b->branch[k])) return false;
        if (cond && cond->vary <= VARY_PARAMETER) note_shaping(p, cond);
    }
    return true;
}

static bool same_equ(Pair *p, const Equ *a, const Equ *b) {
    int before = p->iters;
    if (a->kind != b->kind || !a->iter != !b->iter || !same_tx(p, a->left, b->left) ||
        !same_tx(p, a->right, b->right))
        return false;
    if (a->iter &&
        (!same_tx(p, a->iter->range, b->iter->range) || !push_iter(p, a->iter, b->iter)))
        return false;
    bool same = same_list(p, &a->body, &b->body) && same_branches(p, a, b);
    p->iters = before;
    return same;
}

static bool same_list(Pair *p, const EquList *a, const EquList *b) {
    if (a->count != b->count) return false;
    for (int k = 0; k < a->count; k++)
        if (!same_equ(p, a->item[k], b->item[k])) return false;
    return true;
}

static const InstEqus *part_of(const Alikes *all, const Inst *inst) {
    int64_t k = map_get(&all->part, (uint64_t)inst->id, 0);
    return k ? &all->model->part[k - 1] : NULL;
}

static bool same_part(Pair *p, const InstEqus *a, const InstEqus *b) {
    if (!a || !b) return a == b;
    bool same = a->algorithms == b->algorithms &&
                a->initial_algorithms == b->initial_algorithms &&
                same_list(p, &a->equation, &b->equation) &&
                same_list(p, &a->initial, &b->initial) &&
                same_list(p, &a->made, &b->made);
    for (int k = 0; same && k < a->algorithms; k++)
        same = same_list(p, &a->algorithm[k], &b->algorithm[k]);
    for (int k = 0; same && k < a->initial_algorithms; k++)
        same = same_list(p, &a->initial_algorithm[k], &b->initial_algorithm[k]);
    return same;
}

static bool same_equations(Pair *p, const Inst *a, const Inst *b) {
    bool same = same_part(p, part_of(p->all, a), part_of(p->all, b));
    for (int k = 0; same && k < a->nchild; k++)
        if (is_there(a->child[k]) && !a->child[k]->link)
            same = same_equations(p, a->child[k], b->child[k]);
    return same;
}

/* ---- variables ---- */

static bool same_sizes(const Inst *a, const Inst *b) {
    if (a->ndim != b->ndim) return false;
    for (int d = 0; d < a->ndim; d++)
        if (a->dim[d] != b->dim[d]) return false;
    return true;
}

static bool same_variable(const Inst *a, const Inst *b) {
    return a->basic == b->basic && a->state == b->state && a->vary == b->vary &&
           a->way == b->way && a->conn == b->conn && a->connector == b->connector &&
           !a->expandable && !b->expandable &&
           memcmp(&a->prefix, &b->prefix, sizeof a->prefix) == 0 &&
           a->structural == b->structural && a->evaluate == b->evaluate &&
           a->sampled == b->sampled && a->derived == b->derived &&
           a->connected == b->connected && !a->link == !b->link && a->nchild == b->nchild;
}

/* Notes what corresponds to what. */
static bool same_tree(Pair *p, const Inst *a, const Inst *b) {
    map_put(&p->to, (uint64_t)a->id, b->id);
    if (!same_variable(a, b)) return false;
    for (int k = 0; k < a->nchild; k++) {
        const Inst *x = a->child[k], *y = b->child[k];
        if (is_there(x) != is_there(y)) return false;
        if (is_there(x) &&
            (x->name != y->name || !same_sizes(x, y) || !same_tree(p, x, y)))
            return false;
    }
    return true;
}

/* ---- values ---- */

static bool is_number_now(const Pair *p, const Tx *tx, const Inst *of) {
    if (!tx || ty_bad(tx->type) || tx->vary > VARY_PARAMETER || uses_own(tx, of))
        return false;
    Value *v = eval_now(p->all->model->front, tx);
    return v && (v->basic == BASIC_REAL || v->basic == BASIC_INTEGER) && v->count;
}

/* Values that differ are kept, and start values found, for every instance of a family: large arrays without such
 * stay free of them. */
static bool may_differ(Pair *p, Inst *a, const Tx *x, const Tx *y, DifferKind kind) {
    if (p->a->ndim || p->b->ndim || a->basic != BASIC_REAL || a->structural ||
        a->evaluate || !is_number_now(p, x, p->a) || !is_number_now(p, y, p->b))
        return false;
    p->noted =
        arena_grow(&p->all->arena, p->noted, sizeof(Noted), &p->room, p->notes + 1);
    p->noted[p->notes++] = (Noted){a, kind};
    return true;
}

static bool same_attribute(Pair *p, Inst *a, Inst *b, Str name, bool start) {
    Front *front = p->all->model->front;
    Md    *x = md_find(a->md, name), *y = md_find(b->md, name);
    x = x && x->value ? x : NULL;
    y = y && y->value ? y : NULL;
    if (!x || !y) return x == y;
    if (x->value == y->value && x->scope.cls == y->scope.cls &&
        same_inst(p, x->scope.inst, y->scope.inst))
        return true;
    const Tx *tx = inst_attribute(front, a, name, NULL),
             *ty = inst_attribute(front, b, name, NULL);
    if (same_tx(p, tx, ty)) return true;
    return start && a->vary > VARY_PARAMETER && may_differ(p, a, tx, ty, DIFFER_START);
}

static bool same_values(Pair *p, Inst *a, Inst *b) {
    static const int word[ATTRIBUTES] = {
        W_start, W_fixed,       W_min,      W_max,         W_nominal,
        W_unit,  W_displayUnit, W_quantity, W_stateSelect, W_unbounded};
    if (a->link) return same_inst(p, a->link, b->link);
    if (!same_tx(p, a->binding.tx, b->binding.tx) &&
        !(a->vary == VARY_PARAMETER &&
          may_differ(p, a, a->binding.tx, b->binding.tx, DIFFER_VALUE)))
        return false;
    if (a->basic < BASIC_RECORD && a->md != b->md)
        for (int k = 0; k < ATTRIBUTES; k++)
            if (!same_attribute(p, a, b, p->all->model->front->word[word[k]], k == 0))
                return false;
    for (int k = 0; k < a->nchild; k++)
        if (is_there(a->child[k]) && !same_values(p, a->child[k], b->child[k]))
            return false;
    return true;
}

bool alike(Alikes *all, Inst *a, Inst *b) {
    Pair p = {.all = all, .a = a, .b = b};
    bool same = same_tree(&p, a, b) && same_equations(&p, a, b) && same_values(&p, a, b);
    for (int k = 0; same && k < p.notes; k++) same = !shapes(&p, p.noted[k].inst);
    for (int k = 0; same && k < p.notes; k++)
        map_put(&all->differs, 2 * (uint64_t)p.noted[k].inst->id + p.noted[k].kind, 1);
    map_free(&p.to);
    map_free(&p.shapes);
    return same;
}

/* ---- the hash of a tree ---- */

typedef struct Hashing {
    const Alikes *all;
    Map           place; /* Inst.id -> number in the tree */
    uint64_t      hash;
} Hashing;

static void mix(Hashing *h, uint64_t x) {
    h->hash = hash_mix(h->hash ^ x);
}

static void hash_tree(Hashing *h, const Inst *inst) {
    map_put(&h->place, (uint64_t)inst->id, (int64_t)h->place.count);
    mix(h, (uint64_t)inst->basic << 8 | inst->vary);
    for (int k = 0; k < inst->nchild; k++) {
        const Inst *child = inst->child[k];
        mix(h, is_there(child));
        if (!is_there(child)) continue;
        mix(h, child->name);
        for (int d = 0; d < child->ndim; d++) mix(h, (uint64_t)child->dim[d]);
        hash_tree(h, child);
    }
}

static void hash_tx(Hashing *h, const Tx *tx) {
    mix(h, tx ? tx->kind : 255u);
    if (!tx) return;
    if (tx->kind == TX_REF) {
        int64_t place = map_get(&h->place, (uint64_t)tx->inst->id, -1);
        mix(h, place < 0 ? (uint64_t)tx->inst->id << 32 : (uint64_t)place);
    } else if (tx->kind == TX_INTEGER) mix(h, (uint64_t)tx->i);
    for (int k = 0; k < tx->n; k++) hash_tx(h, tx->arg[k]);
}

static void hash_list(Hashing *h, const EquList *list) {
    mix(h, (uint64_t)list->count);
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        mix(h, equ->kind);
        hash_tx(h, equ->left);
        hash_tx(h, equ->right);
        hash_list(h, &equ->body);
        for (int j = 0; j < equ->count; j++) {
            if (equ->cond) hash_tx(h, equ->cond[j]);
            if (equ->branch) hash_list(h, &equ->branch[j]);
        }
    }
}

static void hash_equations(Hashing *h, const Inst *inst) {
    const InstEqus *part = part_of(h->all, inst);
    if (part) hash_list(h, &part->equation);
    for (int k = 0; k < inst->nchild; k++)
        if (is_there(inst->child[k]) && !inst->child[k]->link)
            hash_equations(h, inst->child[k]);
}

uint64_t alike_hash(Alikes *all, const Inst *inst) {
    Hashing h = {.all = all};
    hash_tree(&h, inst);
    hash_equations(&h, inst);
    map_free(&h.place);
    return h.hash;
}

void alikes_begin(Alikes *all, FlatModel *model) {
    *all = (Alikes){.model = model};
    for (int k = 0; k < model->parts; k++)
        map_put(&all->part, (uint64_t)model->part[k].inst->id, k + 1);
}

void alikes_end(Alikes *all) {
    map_free(&all->part);
    map_free(&all->differs);
    arena_free(&all->arena);
}
