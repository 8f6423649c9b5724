/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c -- sum, product, min and max, over iterators and over the elements of an array. */
#include "flat/lower.h"

static const int reduce_op[] = {[REDUCE_SUM] = TERM_SUM_OF,
                                [REDUCE_PRODUCT] = TERM_PRODUCT_OF,
                                [REDUCE_MIN] = TERM_MIN_OF,
                                [REDUCE_MAX] = TERM_MAX_OF};

static Term empty_reduction(Lower *l, int reduce, Basic basic) {
    Type   type = type_of_basic(basic);
    double value = reduction_empty((TermOp)reduce_op[reduce], type);
    return type == TYPE_REAL ? expr_real(l->shapes, value)
                             : expr_integer(l->shapes, (int64_t)value);
}

/* Items joined two by two: the depth of the expression is the logarithm of their number. */
static Term join_items(Lower *l, int reduce, Term *item, int n) {
    if (reduce <= REDUCE_PRODUCT)
        return n == 1 ? item[0]
                      : expr_make(l->shapes, reduce == REDUCE_SUM ? TERM_ADD : TERM_MUL,
                                  item, n);
    for (; n > 1; n = (n + 1) / 2)
        for (int k = 0; k < n / 2; k++) {
            item[k] = expr_2(l->shapes, reduce == REDUCE_MIN ? TERM_MIN : TERM_MAX,
                             item[2 * k], item[2 * k + 1]);
            if (k == n / 2 - 1 && n % 2) item[k + 1] = item[n - 1];
        }
    return item[0];
}

/* Iterator k-1 and those before it, innermost first. */
Term lower_reduction(Lower *l, const Tx *tx, int k, const Idx *idx) {
    if (k == 0) return lower_scalar(l, tx->arg[0], idx);
    const Tx *range = tx->arg[k];
    int       n = range->type.dim[0];
    if (l->iters >= LENGTH(l->iter)) return lower_fail(l, tx->pos, "so many iterators");
    int slot = l->iters++;
    l->iter[slot].var = tx->iters[k - 1];
    Term   result;
    Value *values = NULL;
    if (range->vary <= VARY_PARAMETER) values = value_now(l, range);
    if (l->unroll) return l->shapes->zero;
    if (values) n = values->count;
    if (values && n <= EXPAND_MOST * 8 && l->eval.binds < LENGTH(l->eval.bind)) {
        Term *item = NEW(&l->scratch, Term, n + 1);
        int   b = l->eval.binds++;
        for (int j = 0; j < n; j++) {
            l->eval.bind[b].var = tx->iters[k - 1];
            l->eval.bind[b].value = value_element(&l->scratch, values, j);
            bool counts = values->basic != BASIC_REAL && values->basic != BASIC_STRING;
            l->iter[slot].value = idx_of(0);
            if (counts)
                l->iter[slot].value.base =
                    (int)values->integer[j] + (values->basic == BASIC_BOOLEAN);
            else l->iter[slot].value.term = element_literal(l, values, j, tx->pos);
            item[j] = lower_reduction(l, tx, k - 1, idx);
        }
        l->eval.binds = b;
        result = n ? join_items(l, tx->reduce, item, n)
                   : empty_reduction(l, tx->reduce, tx->type.basic);
    } else {
        int  it = l->bound++;
        Term iterator = expr_iterator(l->shapes, it);
        Idx  at = {.term = iterator};
        l->iter[slot].value = (Idx){.term = lower_scalar(l, range, &at)};
        Term args[2] = {lower_size(l, range, 0), lower_reduction(l, tx, k - 1, idx)};
        result = expr_indexed(l->shapes, (TermOp)reduce_op[tx->reduce], it, args, 2);
    }
    l->iters = slot;
    return result;
}

/* sum, product, min, max over all elements of an array */
Term lower_total(Lower *l, const Tx *tx, int reduce) {
    const Tx *a = tx->arg[0];
    int       dim[NEST], count = lower_count_now(l, a, dim), most = EXPAND_MOST;
    if (l->failed || l->unroll) return l->shapes->zero;
    if (reduce > REDUCE_PRODUCT) most *= 8;
    if (count == 0) return empty_reduction(l, reduce, a->type.basic);
    if (a->type.ndim == 0) return lower_scalar(l, a, NULL);
    if (count > 0 && count <= most) {
        Term *item = NEW(&l->scratch, Term, count);
        Idx   at[NEST];
        for (int e = 0; e < count; e++) {
            int rest = e;
            for (int k = a->type.ndim - 1; k >= 0; k--) {
                at[k] = idx_of(rest % dim[k] + 1);
                rest /= dim[k];
            }
            item[e] = lower_scalar(l, a, at);
        }
        return join_items(l, reduce, item, count);
    }
    Idx at[NEST];
    int it[NEST];
    for (int k = 0; k < a->type.ndim; k++) {
        it[k] = l->bound++;
        at[k] = (Idx){.term = expr_iterator(l->shapes, it[k])};
    }
    Term body = lower_scalar(l, a, at);
    for (int k = a->type.ndim - 1; k >= 0; k--) {
        Term args[2] = {lower_size(l, a, k), body};
        body = expr_indexed(l->shapes, (TermOp)reduce_op[reduce], it[k], args, 2);
    }
    return body;
}
