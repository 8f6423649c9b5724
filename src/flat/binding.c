/* SPDX-License-Identifier: Apache-2.0 */
/* binding.c -- declarations with values as rows. */
#include "flat/job.h"

typedef struct Binding {
    Inst     *inst;
    const Tx *tx;
    Inst     *base;
    int       first; /* variable: inst->first or a hidden one */
} Binding;

static bool binding_row(Lower *l, const Binding *b, RowSet set, int fixed,
                        const int *at_value) {
    int extent[NEST], n = lower_around(b->inst, extent), row_dim = 0;
    Idx idx[NEST];
    if (n - fixed > ROW_DIMS) return false;
    l->unroll = false;
    l->iters = 0;
    int stride[ROW_DIMS] = {0}, var = 0;
    for (int k = 0; k < n; k++) {
        idx[k] = idx_of(k < fixed ? at_value[k] + 1 : 1);
        if (k >= fixed) idx[k].step[row_dim++] = 1;
        var = var * extent[k] + idx[k].base - 1;
        for (int d = 0; d < ROW_DIMS; d++)
            stride[d] = stride[d] * extent[k] + idx[k].step[d];
        if (extent[k] <= 0) return true;
    }
    int above = 0;
    if (b->base && inst_is_under(b->inst, b->base)) {
        int dummy[NEST];
        above = lower_around(b->base, dummy);
    } else if (b->base && !b->base->is_package) {
        int   dummy[NEST]; /* an instance beside it: common arrays around both */
        Inst *common = b->base;
        while (common && !inst_is_under(b->inst, common)) common = common->parent;
        above = lower_around(common, dummy);
    }
    int index[NEST];
    for (int k = 0; k < above; k++) {
        l->around[k] = idx[k];
        index[k] = k < fixed ? at_value[k] : -1;
    }
    l->at = b->base;
    l->eval.at = b->base;
    l->eval.index = index;
    int real_extent[ROW_DIMS];
    for (int k = fixed; k < n; k++) real_extent[k - fixed] = extent[k];
    lower_begin(l, row_dim, real_extent);
    int  r = b->tx->type.ndim;
    Term left = row_var(&l->row, b->first + var, stride);
    Term right = lower_real(l, lower_scalar(l, b->tx, r ? idx + (n - r) : NULL), b->tx,
                            b->inst->basic);
    l->eval.index = NULL;
    if (l->failed) return true;
    if (l->unroll) return false;
    lower_end(l, set, expr_2(l->shapes, TERM_EQUATION, left, right), FAMILY_BINDING,
              b->inst->id, b->tx->pos);
    return true;
}

static void binding_rows(Lower *l, const Binding *b, RowSet set, int fixed,
                         int *at_value) {
    int extent[NEST], n = lower_around(b->inst, extent);
    if (l->failed || binding_row(l, b, set, fixed, at_value)) return;
    if (fixed == n) {
        lower_fail(l, b->tx->pos, "this value");
        return;
    }
    for (int v = 0; v < extent[fixed]; v++) {
        at_value[fixed] = v;
        binding_rows(l, b, set, fixed + 1, at_value);
    }
}

void lower_binding_to(Lower *l, Inst *inst, int first, const Tx *tx, Inst *base,
                      RowSet set) {
    int     at_value[NEST] = {0};
    Binding b = {inst, tx, base, first};
    l->failed = false;
    l->calls = set == ROWS_BINDING;
    binding_rows(l, &b, set, 0, at_value);
    l->calls = false;
    arena_free(&l->scratch);
}

void lower_binding(Lower *l, Inst *inst, const Tx *tx, Inst *base, RowSet set) {
    lower_binding_to(l, inst, inst->first, tx, base, set);
}
