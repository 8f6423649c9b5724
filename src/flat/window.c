/* SPDX-License-Identifier: Apache-2.0 */
/* window.c -- parts of loops in which subscripts are affine and conditions do not change.
 *
 * Boundaries and neighbour lists are often written into one loop: `if i > 1 then u[i - 1] else 0`,
 * `u[max(i - 1, 1)]`, `u[left[i]]`. Such a loop is cut where the subscript stops being an arithmetic
 * progression, leaves its array, or where the condition changes, so that every part is a family of
 * rows that names its variables. Without this a row would depend on the whole array, and the
 * Jacobian would be dense. */
#include "flat/lower.h"

/* Values looked at in one attempt: a table that is regular for long is cut needlessly, but one that
 * is not does not cost the square of its length. */
enum { LOOK_AHEAD = 1024 };

/* The only loop along which an affine form changes: its dimension of the row, -1 none, -2 several. */
static int only_dim(const Lower *l, const Idx *idx) {
    int dim = -1;
    for (int d = 0; d < l->row.dims; d++)
        if (idx->step[d]) dim = dim == -1 ? d : -2;
    return dim;
}

Term lower_cut(Lower *l, int dim, int at) {
    if (!l->unroll && at > 0 && at < l->row.extent[dim]) {
        l->cut_dim = dim;
        l->cut_at = at;
    }
    return lower_again(l);
}

/* ---- subscripts ------------------------------------------------------------------------------- */

/* The iterator of the row that an expression depends on, -1 none, -2 several or unknown. */
static int only_iterator(const Lower *l, const Tx *tx) {
    int found = -1;
    if (tx->kind == TX_REDUCE) return -2;
    if (tx->kind == TX_ITER)
        for (int k = l->iters - 1; k >= 0; k--)
            if (l->iter[k].var == tx->iter)
                return l->iter[k].value.term                ? -2
                       : idx_fixed(&l->iter[k].value)       ? -1
                       : only_dim(l, &l->iter[k].value) < 0 ? -2
                                                            : k;
    for (int k = 0; k < tx->n; k++) {
        int one = tx->arg[k] ? only_iterator(l, tx->arg[k]) : -1;
        if (one == -1 || one == found) continue;
        if (one == -2 || found >= 0) return -2;
        found = one;
    }
    return found;
}

/* Value of an Integer expression where iterator `it` of the row has its value number j. */
static bool value_at(Lower *l, const Tx *tx, int it, int dim, int j, int *out) {
    const Idx *idx = &l->iter[it].value;
    if (l->eval.binds >= LENGTH(l->eval.bind)) return false;
    ArenaMark mark = arena_mark(&l->scratch);
    l->eval.bind[l->eval.binds++] = (struct IterBind){
        l->iter[it].var, value_integer(&l->scratch, idx->base + j * idx->step[dim])};
    Value *v = value_for_good(l, tx);
    l->eval.binds--;
    bool good = v && !v->ndim && v->basic == BASIC_INTEGER;
    if (good) *out = (int)v->integer[0];
    arena_back(&l->scratch, mark);
    return good;
}

bool idx_progression(Lower *l, const Tx *tx, Idx *out) {
    if (l->body || tx->vary > VARY_PARAMETER || tx->type.basic != BASIC_INTEGER)
        return false;
    int it = only_iterator(l, tx);
    if (it < 0 || l->iter[it].var->type.basic != BASIC_INTEGER) return false;
    int dim = only_dim(l, &l->iter[it].value), n = l->row.extent[dim], before, now;
    if (!value_at(l, tx, it, dim, 0, &before)) return false;
    *out = idx_of(before);
    for (int j = 1; j < n; j++, before = now) {
        if (!value_at(l, tx, it, dim, j, &now)) return l->unroll;
        if (j == 1) out->step[dim] = now - before;
        if (now - before != out->step[dim] || j >= LOOK_AHEAD) {
            lower_cut(l, dim, j);
            return true;
        }
    }
    return true;
}

/* ---- bounds ----------------------------------------------------------------------------------- */

static bool inside(const Idx *at, int dim, int j, int size) {
    int value = at->base + j * at->step[dim];
    return value >= 1 && value <= size;
}

void idx_cut_at_bounds(Lower *l, const Idx *at, int size) {
    int dim = only_dim(l, at), n = dim < 0 ? 0 : l->row.extent[dim], j = 1;
    while (j < n && inside(at, dim, j, size) == inside(at, dim, 0, size)) j++;
    if (j < n) lower_cut(l, dim, j);
    else lower_again(l);
}

/* ---- conditions ------------------------------------------------------------------------------- */

static bool compare(TxKind op, int64_t difference) {
    switch (op) {
    case TX_LT: return difference < 0;
    case TX_LE: return difference <= 0;
    case TX_GT: return difference > 0;
    case TX_GE: return difference >= 0;
    case TX_EQ: return difference == 0;
    default: return difference != 0;
    }
}

/* A relation of affine forms changes after the first row or at the zero of their difference. */
static Known compare_known(Lower *l, TxKind op, Idx a, const Idx *b) {
    for (int d = 0; d < ROW_DIMS; d++) a.step[d] -= b->step[d];
    a.base -= b->base;
    int  dim = only_dim(l, &a);
    bool first = compare(op, a.base);
    if (dim == -1) return first ? KNOWN_TRUE : KNOWN_FALSE;
    if (dim == -2) return KNOWN_NOT;
    int zero = -a.base / a.step[dim], turn[4] = {1, zero - 1, zero, zero + 1};
    int cut = l->row.extent[dim];
    for (int k = 0; k < 4; k++)
        if (turn[k] > 0 && turn[k] < cut &&
            compare(op, a.base + (int64_t)turn[k] * a.step[dim]) != first)
            cut = turn[k];
    if (cut == l->row.extent[dim]) return first ? KNOWN_TRUE : KNOWN_FALSE;
    lower_cut(l, dim, cut);
    return KNOWN_NOT;
}

static Known relation_known(Lower *l, const Tx *tx) {
    Idx a, b;
    if (tx->arg[0]->type.basic != BASIC_INTEGER ||
        tx->arg[1]->type.basic != BASIC_INTEGER || !idx_affine(l, tx->arg[0], &a) ||
        !idx_affine(l, tx->arg[1], &b) || l->unroll)
        return KNOWN_NOT;
    return compare_known(l, (TxKind)tx->kind, a, &b);
}

bool idx_extreme(Lower *l, const Tx *tx, Idx *out) {
    Idx a, b;
    int id = tx->builtin->id;
    if (l->body || (id != BUILTIN_max && id != BUILTIN_min) || tx->n != 2 ||
        tx->type.ndim || tx->type.basic != BASIC_INTEGER ||
        !idx_affine(l, tx->arg[0], &a) || !idx_affine(l, tx->arg[1], &b))
        return false;
    Known above = compare_known(l, TX_GE, a, &b);
    if (above == KNOWN_NOT && !l->unroll) return false;
    *out = (above == KNOWN_TRUE) == (id == BUILTIN_max) ? a : b;
    return true;
}

Known condition_known(Lower *l, const Tx *tx) {
    Known a, b;
    switch (tx->kind) {
    case TX_NOT:
        a = condition_known(l, tx->arg[0]);
        return a == KNOWN_NOT ? a : a == KNOWN_TRUE ? KNOWN_FALSE : KNOWN_TRUE;
    case TX_AND:
    case TX_OR:
        a = condition_known(l, tx->arg[0]);
        if (a == (tx->kind == TX_AND ? KNOWN_FALSE : KNOWN_TRUE)) return a;
        b = condition_known(l, tx->arg[1]);
        return a == KNOWN_NOT ? a : b;
    case TX_LT:
    case TX_LE:
    case TX_GT:
    case TX_GE:
    case TX_EQ:
    case TX_NE: return relation_known(l, tx);
    default: return KNOWN_NOT;
    }
}
