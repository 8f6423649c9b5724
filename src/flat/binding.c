/* SPDX-License-Identifier: Apache-2.0 */
/* binding.c -- declarations with values as rows. */
#include "flat/job.h"

struct Binding {
    Inst     *inst;
    const Tx *tx;
    Inst     *base;
    int       first; /* variable: inst->first or a hidden one */
};

/* Arrays around the declaration that are also around the scope of its value. */
static int common_arrays(const Binding *b) {
    int   size[NEST];
    Inst *common = b->base;
    if (!common || common->is_package) return 0;
    while (common && !inst_is_under(b->inst, common)) common = common->parent;
    return lower_around(common, size);
}

static void build_binding(LowerJob *job, const Idx *none) {
    Lower         *l = job->l;
    const Binding *b = job->binding;
    int            n = job->n, r = b->tx->type.ndim, above = common_arrays(b), var = 0;
    int            stride[ROW_DIMS] = {0}, index[NEST];
    Idx            idx[NEST];
    (void)none;
    for (int k = 0; k < n; k++) {
        idx[k] = l->around[k];
        index[k] = k < above && k < job->fixed ? job->at_value[k] : -1;
        var = var * job->extent[k] + idx[k].base - 1;
        for (int d = 0; d < ROW_DIMS; d++)
            stride[d] = stride[d] * job->extent[k] + idx[k].step[d];
    }
    for (int k = n; k < NEST; k++) index[k] = -1;
    l->at = l->eval.at = b->base;
    l->eval.index = index;
    Term left = row_var(&l->row, b->first + var, stride);
    Term right = lower_real(l, lower_scalar(l, b->tx, r ? idx + (n - r) : NULL), b->tx,
                            b->inst->basic);
    l->eval.index = NULL;
    if (l->failed || l->unroll) return;
    lower_end(l, job->set, expr_2(l->shapes, TERM_EQUATION, left, right), FAMILY_BINDING,
              b->inst->id, b->tx->pos);
}

void lower_binding_to(Lower *l, Inst *inst, int first, const Tx *tx, Inst *base,
                      RowSet set) {
    Binding  b = {inst, tx, base, first};
    Equ      place = {.pos = tx->pos};
    LowerJob job = {
        .l = l, .at = inst, .equ = &place, .set = set, .build = build_binding};
    job.binding = &b;
    l->failed = false;
    l->calls = set == ROWS_BINDING;
    job_run(&job);
    l->calls = false;
    arena_free(&l->scratch);
}

void lower_binding(Lower *l, Inst *inst, const Tx *tx, Inst *base, RowSet set) {
    lower_binding_to(l, inst, inst->first, tx, base, set);
}
