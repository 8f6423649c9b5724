/* SPDX-License-Identifier: Apache-2.0 */
/* past.c -- operators that remember: delay and spatialDistribution. */
#include "flat/lower.h"

Term lower_hidden_slot(Lower *l, int first) {
    int stride[ROW_DIMS] = {0};
    for (int d = l->row.dims - 1, below = 1; d >= 0; d--) {
        stride[d] = below;
        below *= l->row.extent[d];
    }
    return row_var(&l->row, first, stride);
}

Term lower_delay(Lower *l, const Tx *tx, const Idx *idx) {
    Term args[3];
    if (l->body) return lower_fail(l, tx->pos, "delay in an algorithm");
    for (int k = 0; k < tx->n && k < 3; k++)
        args[k] =
            lower_real(l, lower_spread(l, tx->arg[k], tx, idx), tx->arg[k], BASIC_REAL);
    args[0] = lower_as_variable(l, args[0], false, tx->pos);
    if (tx->arg[1]->vary > VARY_PARAMETER) /* may contain relations */
        args[1] = lower_as_variable(l, args[1], false, tx->pos);
    return l->failed || l->unroll ? l->shapes->zero
                                  : expr_make(l->shapes, TERM_DELAY, args, tx->n);
}

/* The text of a call and the element that it stands for, in arrays of components and in loops: both
 * ends of one distribution give the same number. */
static uint64_t element_key(const Lower *l, const Tx *tx) {
    int      extent[NEST], dims = lower_around(l->at, extent);
    uint64_t key = (uint64_t)(uintptr_t)tx->arg;
    for (int k = 0; k < dims; k++) key = hash_mix(key + (uint64_t)l->around[k].base);
    for (int k = 0; k < l->iters; k++)
        key = hash_mix(key + (uint64_t)l->iter[k].value.base + 1);
    return key;
}

/* End tx->extra of a distribution that is moved by x (Modelica 3.6, 3.7.4.2). */
Term lower_spatial(Lower *l, const Tx *tx) {
    Term args[7];
    if (l->body) return lower_fail(l, tx->pos, "spatialDistribution in an algorithm");
    if (l->row.dims) return lower_again(l); /* each has a past of its own */
    for (int k = 0; k < 3; k++) {
        args[k] =
            lower_real(l, lower_scalar(l, tx->arg[k], NULL), tx->arg[k], BASIC_REAL);
        args[k] = lower_as_variable(l, args[k], false, tx->pos);
    }
    /* a variable: what is remembered must see the relation as it stood before an event */
    args[3] = lower_as_variable(l, lower_scalar(l, tx->arg[3], NULL), false, tx->pos);
    for (int k = 4; k < 6; k++) {
        bool given = k < tx->n && tx->arg[k];
        Term ends[2] = {l->shapes->zero, k == 4 ? l->shapes->one : l->shapes->zero};
        args[k] = given ? lower_array(l, tx->arg[k])
                        : expr_make(l->shapes, TERM_ARRAY, ends, 2);
    }
    if (l->failed || l->unroll) return l->shapes->zero;
    uint64_t key = element_key(l, tx);
    int64_t  number = map_get(&l->spatial, key, -1);
    if (number < 0) {
        number = (int64_t)l->spatial.count;
        map_put(&l->spatial, key, number);
    }
    args[6] = expr_integer(l->shapes, number);
    return expr_indexed(l->shapes, TERM_SPATIAL, (int)tx->extra, args, 7);
}
