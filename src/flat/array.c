/* SPDX-License-Identifier: Apache-2.0 */
/* array.c -- arrays: constructors, ranges, comprehensions, their sizes, and arrays as wholes. */
#include "base/builtin.h"
#include "flat/lower.h"

#include <string.h>

Term lower_constructor(Lower *l, const Tx *tx, const Idx *idx) {
    if (idx_fixed(&idx[0])) {
        int k = idx[0].base;
        if (k < 1 || k > tx->n) return lower_fail(l, tx->pos, "a subscript out of range");
        return lower_real(l, lower_scalar(l, tx->arg[k - 1], idx + 1), tx->arg[k - 1],
                          tx->type.basic);
    }
    if (!idx[0].term && !l->body) return lower_again(l);
    if (tx->n == 0) return lower_fail(l, tx->pos, "an empty array in an expression");
    Term *item = NEW(&l->scratch, Term, tx->n), args[2];
    for (int k = 0; k < tx->n; k++)
        item[k] = lower_real(l, lower_scalar(l, tx->arg[k], idx + 1), tx->arg[k],
                             tx->type.basic);
    args[0] = expr_make(l->shapes, TERM_ARRAY, item, tx->n);
    args[1] = idx_term(l, &idx[0]);
    return expr_make(l->shapes, TERM_ELEMENT, args, 2);
}

Term lower_range(Lower *l, const Tx *tx, const Idx *idx) {
    Term start = lower_scalar(l, tx->arg[0], NULL);
    Term back = expr_sub(l->shapes, idx_term(l, idx), expr_integer(l->shapes, 1));
    if (tx->n == 3)
        back = expr_2(l->shapes, TERM_MUL, back, lower_scalar(l, tx->arg[1], NULL));
    return expr_2(l->shapes, TERM_ADD, start, back);
}

/* Iterators take the values at the indices; false: there are too many. */
static bool bind_iterators(Lower *l, const Tx *tx, const Idx *idx) {
    int n = tx->n - 1;
    for (int k = 0; k < n; k++) {
        const Idx *at = &idx[n - 1 - k];
        if (l->iters >= LENGTH(l->iter) || l->eval.binds >= LENGTH(l->eval.bind)) {
            lower_fail(l, tx->pos, "so many iterators");
            return false;
        }
        int slot = l->iters++;
        l->iter[slot].var = tx->iters[k];
        if (tx->iters[k]->type.basic == BASIC_REAL)
            l->iter[slot].value = (Idx){.term = lower_scalar(l, tx->arg[k + 1], at)};
        else l->iter[slot].value = index_at(l, tx->arg[k + 1], at);
        if (idx_fixed(&l->iter[slot].value) &&
            tx->iters[k]->type.basic == BASIC_INTEGER) {
            l->eval.bind[l->eval.binds].var = tx->iters[k];
            l->eval.bind[l->eval.binds++].value =
                value_integer(&l->scratch, l->iter[slot].value.base);
        }
    }
    return true;
}

/* Element of {e for i in r, j in s}. */
Term lower_comprehension(Lower *l, const Tx *tx, const Idx *idx) {
    int  before = l->iters, binds = l->eval.binds;
    Term result = l->shapes->zero;
    if (bind_iterators(l, tx, idx)) result = lower_scalar(l, tx->arg[0], idx + tx->n - 1);
    l->iters = before;
    l->eval.binds = binds;
    return result;
}

/* Size of the body of a comprehension or reduction: that of its first value. */
static Term size_of_body(Lower *l, const Tx *tx, int dim) {
    int  before = l->iters, binds = l->eval.binds;
    Idx  first[NEST];
    Term size = 0;
    for (int k = 0; k < NEST; k++) first[k] = idx_of(1);
    if (bind_iterators(l, tx, first)) size = lower_size(l, tx->arg[0], dim);
    l->iters = before;
    l->eval.binds = binds;
    return size;
}

/* Sizes by kind of expression; 0 where that does not tell. */

/* The end of a range as a number. */
static Term ordinal_of(Lower *l, const Tx *tx) {
    Term value = lower_scalar(l, tx, NULL);
    if (tx->type.basic == BASIC_ENUM) return expr_1(l->shapes, TERM_ORDINAL, value);
    if (tx->type.basic != BASIC_BOOLEAN) return value;
    return lower_choose(l, value, expr_integer(l->shapes, 1), expr_integer(l->shapes, 0));
}

static Term size_of_range(Lower *l, const Tx *tx) {
    Shapes *shapes = l->shapes;
    bool    real = tx->type.basic == BASIC_REAL;
    Term    steps =
        expr_sub(shapes, ordinal_of(l, tx->arg[tx->n - 1]), ordinal_of(l, tx->arg[0]));
    if (tx->n == 3)
        steps = expr_2(shapes, TERM_DIV, steps, lower_scalar(l, tx->arg[1], NULL));
    if (real)
        steps =
            expr_2(shapes, TERM_ADD,
                   expr_2(shapes, TERM_MUL, steps, expr_real(shapes, 1 + RANGE_RELATIVE)),
                   expr_real(shapes, RANGE_ABSOLUTE));
    if (real || tx->n == 3) steps = expr_1(shapes, TERM_TO_INTEGER, steps);
    Term n = expr_2(shapes, TERM_ADD, steps, expr_integer(shapes, 1));
    return expr_1(shapes, TERM_NO_EVENT,
                  expr_2(shapes, TERM_MAX, n, expr_integer(shapes, 0)));
}

static Term size_of_builtin(Lower *l, const Tx *tx, int dim) {
    switch (tx->builtin->id) {
    case BUILTIN_zeros:
    case BUILTIN_ones: return lower_scalar(l, tx->arg[dim], NULL);
    case BUILTIN_fill:
        if (dim + 1 < tx->n) return lower_scalar(l, tx->arg[dim + 1], NULL);
        break;
    case BUILTIN_identity: return lower_scalar(l, tx->arg[0], NULL);
    case BUILTIN_linspace: return lower_scalar(l, tx->arg[2], NULL);
    case BUILTIN_transpose: return lower_size(l, tx->arg[0], dim < 2 ? 1 - dim : dim);
    case BUILTIN_diagonal: return lower_size(l, tx->arg[0], 0);
    case BUILTIN_outerProduct: return lower_size(l, tx->arg[dim], 0);
    case BUILTIN_cat: {
        int64_t along;
        if (!eval_integer(l->front, tx->arg[0], &along)) break;
        if (dim != along - 1) return lower_size(l, tx->arg[1], dim);
        Term sum = lower_size(l, tx->arg[1], dim);
        for (int k = 2; k < tx->n; k++)
            sum = expr_2(l->shapes, TERM_ADD, sum, lower_size(l, tx->arg[k], dim));
        return sum;
    }
    case BUILTIN_vector: {
        Term all = expr_integer(l->shapes, 1);
        for (int k = 0; k < tx->arg[0]->type.ndim; k++)
            all = expr_2(l->shapes, TERM_MUL, all, lower_size(l, tx->arg[0], k));
        return all;
    }
    case BUILTIN_matrix:
    case BUILTIN_promote:
        if (dim < tx->arg[0]->type.ndim) return lower_size(l, tx->arg[0], dim);
        return expr_integer(l->shapes, 1);
    default:
        for (int k = 0; k < tx->n; k++)
            if (tx->arg[k] && tx->arg[k]->type.ndim == tx->type.ndim)
                return lower_size(l, tx->arg[k], dim);
        break;
    }
    return 0;
}

static Term size_of_local(Lower *l, const Tx *tx, int dim) {
    int seen = 0;
    for (int k = 0; k < tx->n; k++) {
        const Tx *s = tx->arg[k];
        if (s && s->kind != TX_COLON && !s->type.ndim) continue;
        if (seen++ != dim) continue;
        if (s && s->kind != TX_COLON) return lower_size(l, s, 0);
        if (!l->body->func) break;
        Inst *leaf = tx->inst;
        while (leaf->basic == BASIC_RECORD && inst_member(l->front, leaf, 0))
            leaf = inst_member(l->front, leaf, 0);
        Term array =
            expr_array_slot(l->shapes, body_slot(l, leaf, READ_VALUE), lower_type(leaf),
                            inst_depth_dims(leaf, l->body->func->inst));
        return expr_2(l->shapes, TERM_SIZE, array, expr_integer(l->shapes, k + 1));
    }
    return 0;
}

/* Of a variable of the model: subscripts that are vectors have sizes of their own. */
static Term size_of_variable(Lower *l, const Tx *tx, int dim) {
    int seen = 0;
    for (int k = 0; k < tx->n; k++) {
        const Tx *s = tx->arg[k];
        bool      whole = !s || s->kind == TX_COLON;
        if (!whole && !s->type.ndim) continue;
        if (seen++ == dim) return whole ? 0 : lower_size(l, s, 0);
    }
    return 0;
}

static Term size_of_constant(Lower *l, const Tx *tx, int dim) {
    const Value *v = constant_value(l, tx);
    int          skip = v ? v->ndim - tx->type.ndim : -1;
    if (v && skip == 0 && dim < v->ndim) return expr_integer(l->shapes, v->dim[dim]);
    return 0;
}

static Term size_of_subscripted(Lower *l, const Tx *tx, int dim) {
    int seen = 0;
    for (int k = 0; k < tx->arg[0]->type.ndim; k++) {
        const Tx *s = k + 1 < tx->n ? tx->arg[k + 1] : NULL;
        bool      whole = !s || s->kind == TX_COLON;
        if (!whole && !s->type.ndim) continue;
        if (seen++ == dim)
            return whole ? lower_size(l, tx->arg[0], k) : lower_size(l, s, 0);
    }
    return 0;
}

static Term size_of_call(Lower *l, const Tx *tx, int dim) {
    Func *func = tx->func;
    Inst *out = func->out[tx->output < 0 ? 0 : tx->output];
    int   extra = tx->type.ndim - out->ndim;
    if (dim < extra)
        for (int k = 0; k < func->nin; k++)
            if (tx->arg[k] && tx->arg[k]->type.ndim > func->in[k]->ndim)
                return lower_size(l, tx->arg[k], dim);
    if (extra == 0)
        return expr_2(l->shapes, TERM_SIZE, lower_array(l, tx),
                      expr_integer(l->shapes, dim + 1));
    return 0;
}

Term lower_choose(Lower *l, Term cond, Term yes, Term no) {
    Term args[3] = {cond, yes, no};
    return expr_make(l->shapes, TERM_IF, args, 3);
}

/* In a function the branches may have sizes of their own, of which only that of the one taken counts. */
static Term size_of_if(Lower *l, const Tx *tx, int dim) {
    Term size = lower_size(l, tx->arg[tx->n - 1], dim);
    for (int k = tx->n - 3; k >= 0; k -= 2) {
        Term branch = lower_size(l, tx->arg[k + 1], dim);
        if (branch != size)
            size = l->body
                       ? lower_choose(l, lower_scalar(l, tx->arg[k], NULL), branch, size)
                       : branch;
    }
    return size;
}

static Term size_of(Lower *l, const Tx *tx, int dim) {
    switch (tx->kind) {
    case TX_RANGE: return size_of_range(l, tx);
    case TX_REDUCE: {
        int n = tx->n - 1;
        if (tx->reduce != REDUCE_ARRAY) n = 0; /* a sum of arrays */
        return dim < n ? lower_size(l, tx->arg[n - dim], 0)
                       : size_of_body(l, tx, dim - n);
    }
    case TX_NEG:
    case TX_NOT:
    case TX_ADD:
    case TX_SUB:
    case TX_ADD_EACH:
    case TX_SUB_EACH:
    case TX_MUL_EACH:
    case TX_DIV_EACH:
    case TX_POW_EACH:
    case TX_POW:
    case TX_DIV:
        return lower_size(l, tx->arg[0]->type.ndim ? tx->arg[0] : tx->arg[1], dim);
    case TX_MUL:
        if (!tx->arg[0]->type.ndim) return lower_size(l, tx->arg[1], dim);
        if (!tx->arg[1]->type.ndim) return lower_size(l, tx->arg[0], dim);
        if (dim == 0 && tx->arg[0]->type.ndim == 2) return lower_size(l, tx->arg[0], 0);
        return lower_size(l, tx->arg[1], 1);
    case TX_IF: return size_of_if(l, tx, dim);
    case TX_ARRAY:
        if (dim == 0) return expr_integer(l->shapes, tx->n);
        return lower_size(l, tx->arg[0], dim - 1);
    case TX_BUILTIN: return size_of_builtin(l, tx, dim);
    case TX_REF: {
        if (lower_in_body(l, tx->inst)) return size_of_local(l, tx, dim);
        Term size = size_of_variable(l, tx, dim);
        return size ? size : size_of_constant(l, tx, dim);
    }
    case TX_SUBSCRIPT: return size_of_subscripted(l, tx, dim);
    case TX_FIELD:
        return dim < tx->arg[0]->type.ndim ? lower_size(l, tx->arg[0], dim) : 0;
    case TX_CALL: return size_of_call(l, tx, dim);
    default: return 0;
    }
}

Term lower_size(Lower *l, const Tx *tx, int dim) {
    if (dim < tx->type.ndim && tx->type.dim[dim] >= 0)
        return expr_integer(l->shapes, tx->type.dim[dim]);
    Term size = size_of(l, tx, dim);
    return size ? size : lower_fail(l, tx->pos, "this size, known at run time only,");
}

int lower_size_now(Lower *l, const Tx *tx, int dim) {
    double size;
    if (tx->type.dim[dim] >= 0) return tx->type.dim[dim];
    Term term = lower_size(l, tx, dim);
    if (l->failed || l->unroll) return 0;
    if (expr_literal(l->shapes, term, &size)) return size > 0 ? (int)size : 0;
    if (l->body || !l->row.dims) return -1;
    lower_again(l);
    return 0;
}

int lower_count_now(Lower *l, const Tx *tx, int *dim) {
    int64_t count = 1;
    for (int k = 0; k < tx->type.ndim; k++) {
        dim[k] = lower_size_now(l, tx, k);
        if (dim[k] < 0) return -1;
        count *= dim[k];
        if (count > ARRAY_MOST) return -1;
    }
    return (int)count;
}

Term equal_index(Lower *l, const Idx *a, const Idx *b) {
    if (idx_fixed(a) && idx_fixed(b)) return expr_boolean(l->shapes, a->base == b->base);
    if (!l->body && !a->term && !b->term) lower_again(l);
    return expr_2(l->shapes, TERM_EQUAL, idx_term(l, a), idx_term(l, b));
}

Term lower_cat(Lower *l, const Tx *tx, const Idx *idx) {
    int64_t along;
    if (!eval_integer(l->front, tx->arg[0], &along))
        return lower_fail(l, tx->pos, "this cat");
    int k = (int)along - 1;
    if (idx_fixed(&idx[k])) {
        int at = idx[k].base;
        for (int a = 1; a < tx->n; a++) {
            int size = tx->arg[a]->type.dim[k];
            if (size < 0) break;
            if (at <= size) {
                Idx inner[NEST];
                memcpy(inner, idx, sizeof(Idx) * (size_t)tx->type.ndim);
                inner[k] = idx_of(at);
                return lower_real(l, lower_scalar(l, tx->arg[a], inner), tx->arg[a],
                                  tx->type.basic);
            }
            at -= size;
        }
    }
    if (!idx[k].term && !l->body) return lower_again(l);
    Term start = expr_integer(l->shapes, 0), result = 0, *cond, *value;
    cond = NEW(&l->scratch, Term, tx->n);
    value = NEW(&l->scratch, Term, tx->n);
    for (int a = 1; a < tx->n; a++) {
        Idx inner[NEST];
        memcpy(inner, idx, sizeof(Idx) * (size_t)tx->type.ndim);
        Term at = idx_term(l, &idx[k]);
        inner[k] = (Idx){.term = expr_sub(l->shapes, at, start)};
        value[a] =
            lower_real(l, lower_scalar(l, tx->arg[a], inner), tx->arg[a], tx->type.basic);
        start = expr_2(l->shapes, TERM_ADD, start, lower_size(l, tx->arg[a], k));
        cond[a] = expr_2(l->shapes, TERM_LESS_EQUAL, at, start);
    }
    result = value[tx->n - 1];
    for (int a = tx->n - 2; a >= 1; a--)
        result = lower_choose(l, cond[a], value[a], result);
    return result;
}

Term lower_cross(Lower *l, const Tx *tx, const Idx *idx) {
    if (!idx_fixed(idx)) {
        if (!idx->term && !l->body) return lower_again(l);
        Term item[3], args[2];
        for (int k = 0; k < 3; k++) {
            Idx at = idx_of(k + 1);
            item[k] = lower_cross(l, tx, &at);
        }
        args[0] = expr_make(l->shapes, TERM_ARRAY, item, 3);
        args[1] = idx_term(l, idx);
        return expr_make(l->shapes, TERM_ELEMENT, args, 2);
    }
    Idx       p = idx_of(idx->base % 3 + 1), q = idx_of((idx->base + 1) % 3 + 1);
    const Tx *x = tx->arg[0], *y = tx->arg[1];
    Term a = expr_2(l->shapes, TERM_MUL, lower_scalar(l, x, &p), lower_scalar(l, y, &q));
    Term b = expr_2(l->shapes, TERM_MUL, lower_scalar(l, x, &q), lower_scalar(l, y, &p));
    return expr_sub(l->shapes, a, b);
}

Term lower_skew(Lower *l, const Tx *tx, const Idx *idx) {
    if (!idx_fixed(&idx[0]) || !idx_fixed(&idx[1])) {
        if (!idx[0].term && !idx[1].term && !l->body) return lower_again(l);
        Term row[3], item[3], args[3];
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                Idx at[2] = {idx_of(r + 1), idx_of(c + 1)};
                item[c] = lower_skew(l, tx, at);
            }
            row[r] = expr_make(l->shapes, TERM_ARRAY, item, 3);
        }
        args[0] = expr_make(l->shapes, TERM_ARRAY, row, 3);
        args[1] = idx_term(l, &idx[0]);
        args[2] = idx_term(l, &idx[1]);
        return expr_make(l->shapes, TERM_ELEMENT, args, 3);
    }
    int i = idx[0].base, j = idx[1].base;
    if (i == j) return l->shapes->zero;
    Idx  k = idx_of(6 - i - j);
    Term x = lower_scalar(l, tx->arg[0], &k);
    return (j - i + 3) % 3 == 1 ? expr_1(l->shapes, TERM_NEG, x) : x;
}

/* Subscript k for element idx of an array with one dimension longer than 1, perhaps known at run
 * time only. */
Idx along_long_dimension(Lower *l, const Tx *a, int k, const Idx *idx) {
    if (a->type.dim[k] == 1) return idx_of(1);
    if (a->type.dim[k] > 1) return *idx;
    return (Idx){.term =
                     expr_2(l->shapes, TERM_MIN, idx_term(l, idx), lower_size(l, a, k))};
}

/* A reference to consecutive or evenly spaced variables. */
static Term array_of_run(Lower *l, const Tx *tx) {
    Idx at[NEST], open[NEST];
    int dim[NEST], next = 0, size[ROW_DIMS], step[ROW_DIMS], stride[ROW_DIMS] = {0};
    int rank = tx->type.ndim, base = 0;
    if (rank > ROW_DIMS || tx->inst->first < 0) return 0;
    for (int k = 0; k < rank; k++) open[k] = (Idx){.base = -1000 - k}; /* marks */
    for (int k = 0; k < tx->n; k++)
        if (tx->arg[k] && tx->arg[k]->kind != TX_COLON && tx->arg[k]->type.ndim) return 0;
    int n = full_index(l, tx, tx->inst, open, &next, at);
    lower_around(tx->inst, dim);
    for (int k = 0; k < n; k++) {
        int below = 1;
        for (int j = k + 1; j < n; j++) below *= dim[j];
        if (at[k].term) return 0;
        if (at[k].base <= -1000) {
            int r = -1000 - at[k].base;
            size[r] = dim[k];
            step[r] = below;
            continue;
        }
        base += (at[k].base - 1) * below;
        for (int d = 0; d < ROW_DIMS; d++) stride[d] += at[k].step[d] * below;
    }
    return row_array(&l->row, tx->inst->first + base, stride, rank, size, step);
}

static Term each_element(Lower *l, const Tx *tx, Idx *at, int k) {
    if (k == tx->type.ndim) return lower_scalar(l, tx, at);
    int it = l->bound++;
    at[k] = (Idx){.term = expr_iterator(l->shapes, it)};
    Term args[2] = {lower_size(l, tx, k), each_element(l, tx, at, k + 1)};
    return expr_indexed(l->shapes, TERM_EACH, it, args, 2);
}

static Term all_elements(Lower *l, const Tx *tx, const int *dim, Idx *at, int k) {
    if (k == tx->type.ndim) return lower_scalar(l, tx, at);
    int   n = dim[k];
    Term *item = NEW(&l->scratch, Term, n);
    for (int j = 0; j < n; j++) {
        at[k] = idx_of(j + 1);
        item[j] = all_elements(l, tx, dim, at, k + 1);
    }
    return expr_make(l->shapes, TERM_ARRAY, item, n);
}

static Term nothing(Lower *l, const Tx *tx, const int *dim) {
    Term e = l->shapes->zero;
    for (int d = tx->type.ndim - 1; d >= 0; d--) {
        Term args[2] = {expr_integer(l->shapes, dim[d]), e};
        e = expr_indexed(l->shapes, TERM_EACH, l->bound++, args, 2);
    }
    return e;
}

Term lower_nothing(Lower *l, const Tx *tx) {
    return nothing(l, tx, tx->type.dim);
}

Term lower_array(Lower *l, const Tx *tx) {
    Idx at[NEST];
    int dim[NEST];
    if (l->failed || l->unroll) return l->shapes->zero;
    if (tx->type.ndim == 0) return lower_scalar(l, tx, NULL);
    int count = ty_count(tx->type);
    if (tx->kind == TX_REF && !(l->split && count >= 0 && count <= SPLIT_MOST)) {
        Term t = lower_in_body(l, tx->inst) ? body_array(l, tx) : array_of_run(l, tx);
        if (t) return t;
    }
    if (tx->kind == TX_CALL &&
        tx->type.ndim == tx->func->out[tx->output < 0 ? 0 : tx->output]->ndim)
        return lower_call_at(
            l, tx, NULL, 0,
            flat_results(l, tx->func, tx->output < 0 ? 0 : (int)tx->output),
            type_of_basic(tx->type.basic), tx->type.ndim);
    if (tx->kind == TX_POW && count) return lower_power_array(l, tx);
    count = lower_count_now(l, tx, dim);
    if (l->failed || l->unroll) return l->shapes->zero;
    if (count == 0) return nothing(l, tx, dim);
    if (count > 0 && count <= 256) return all_elements(l, tx, dim, at, 0);
    return each_element(l, tx, at, 0);
}
