/* SPDX-License-Identifier: Apache-2.0 */
/* need.c -- which groups the derivatives of the states need.
 *
 * Integrators ask for derivatives many times a step, for all other values once a point of the
 * result or an event. What is only shown is left out of the former. Loops and calls are not left
 * out: a loop starts from its last solution, and a function may refuse a point, which the
 * integrator should know while it can still take a smaller step. One pass over groups, from the
 * last to the first, and the dependencies between their blocks. */
#include "dae/dae.h"

#include <assert.h>

static void want_variable(const Structure *st, uint8_t *wanted, int var) {
    if (st->role[var] == ROLE_UNKNOWN && st->eq_of[var] >= 0)
        wanted[st->block_of[st->eq_of[var]]] = true;
}

/* What a delay asks for is needed too, though it is no dependency: a step may look into itself. */
static void want_past(const Structure *st, uint8_t *wanted, int row) {
    const Shapes *shapes = st->sys->shapes;
    for (int k = 0; k < shapes->shape[st->shape[row]].slots; k++)
        if (expr_op(shapes, shape_leaf(shapes, st->shape[row], k)) == TERM_SLOT)
            want_variable(st, wanted, st->slot[st->first[row] + k]);
}

static void want_block(const Structure *st, uint8_t *wanted, int b) {
    const Block  *block = &st->block[b];
    const Shapes *shapes = st->sys->shapes;
    if (block->torn) wanted[b] = true;
    for (int i = 0; i < block->count && !block->discrete; i++) {
        int row = st->eq_row[st->order[block->first + i]];
        int flags = shapes->node[shapes->shape[st->shape[row]].root].flags;
        if (flags & (NODE_CALLS | NODE_IMPURE)) wanted[b] = true;
        if (flags & NODE_IMPURE) want_past(st, wanted, row);
    }
}

/* All rows of a group run, so all they use is needed. */
static void want_inputs(const Plan *plan, const Group *group, uint8_t *wanted) {
    const Structure *st = plan->st;
    for (int i = 0; i < group->count * group->size; i++) {
        int b = st->block_of[plan->item[group->item + i]];
        for (int k = plan->uses.start[b]; k < plan->uses.start[b + 1]; k++)
            wanted[plan->uses.col[k]] = true;
    }
}

void plan_needs(Plan *plan) {
    const Structure *st = plan->st;
    uint8_t         *wanted = mem_take((size_t)st->blocks, 1);
    assert(plan->uses.start && !plan->written);
    ASSERT_SLOWLY(plan_is_complete(plan));
    for (int v = 0; v < st->vars; v++)
        if (st->role[v] == ROLE_STATE && st->next[v] >= 0)
            want_variable(st, wanted, st->next[v]);
    for (int b = 0; b < st->blocks; b++) want_block(st, wanted, b);
    for (int g = plan->groups - 1; g >= 0; g--) {
        Group *group = &plan->group[g];
        bool   needed = false;
        for (int i = 0; i < group->count * group->size && !needed; i++)
            needed = wanted[st->block_of[plan->item[group->item + i]]];
        group->shown = !needed && !group->discrete;
        if (needed && !group->discrete) want_inputs(plan, group, wanted);
    }
    mem_free(wanted);
    assert(plan_has_needs(plan));
}
