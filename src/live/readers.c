/* SPDX-License-Identifier: Apache-2.0 */
/* readers.c -- who reads what: blocks and actions by variable, left limits, relations of blocks. */
#include "live/local.h"

#include <stdlib.h>

void links_add(Pairs *p, int row, int entry) {
    if ((uint32_t)(2 * p->count) + 2 > p->room) {
        p->room = 2 * p->room + 256;
        p->pair = mem_resize(p->pair, (size_t)p->room * sizeof(int));
    }
    p->pair[2 * p->count] = row;
    p->pair[2 * p->count++ + 1] = entry;
}

/* Ends the list; `by` 1: entries become rows. */
Links links_make(Pairs *p, int rows, int by) {
    Links l = {mem_take((size_t)rows + 1, sizeof(int)),
               mem_take((size_t)p->count, sizeof(int))};
    for (int k = 0; k < p->count; k++) l.start[p->pair[2 * k + by] + 1]++;
    for (int i = 0; i < rows; i++) l.start[i + 1] += l.start[i];
    for (int k = 0; k < p->count; k++)
        l.to[l.start[p->pair[2 * k + by]]++] = p->pair[2 * k + 1 - by];
    for (int i = rows; i > 0; i--) l.start[i] = l.start[i - 1];
    l.start[0] = 0;
    return l;
}

void links_free(Links *l) {
    free(l->start), free(l->to);
}

static void read_by_row(void *context, int var, int slot) {
    Pairs *p = context;
    (void)slot;
    links_add(p, p->row, var);
}

/* Variables of row i of a family of actions. */
static void read_by_action(const Structure *st, const Family *family, int i, Pairs *p) {
    const System *sys = st->sys;
    const Shapes *shapes = sys->shapes;
    int           slots = shapes->shape[family->shape].slots;
    int          *slot = mem_take((size_t)slots, sizeof(int));
    family_slots(sys, family, i, slot);
    for (int k = 0; k < slots; k++) {
        int rank = 0, count = 1, at[ROW_DIMS] = {0}, var = slot[k];
        if (expr_op(shapes, shape_leaf(shapes, family->shape, k)) == TERM_NUMBER)
            continue;
        const int32_t *sizes = family_sizes(sys, family, k, &rank);
        if (!sizes) rank = 0;
        for (int d = 0; d < rank; d++) count *= sizes[2 * d];
        for (int n = 0; n < count; n++) {
            links_add(p, p->row, st->alias[var]);
            for (int d = rank - 1; d >= 0; d--) {
                var += sizes[2 * d + 1];
                if (++at[d] < sizes[2 * d]) break;
                var -= sizes[2 * d] * sizes[2 * d + 1];
                at[d] = 0;
            }
        }
    }
    free(slot);
}

/* The state that an action sets, -1 if it does something else. */
static int reinit_target(const Structure *st, const Family *family, int i) {
    const Shapes *shapes = st->sys->shapes;
    Term          root = shapes->shape[family->shape].root;
    int          *slot, var;
    if (expr_op(shapes, root) == TERM_WHEN) root = expr_arg(shapes, root, 1);
    if (expr_op(shapes, root) != TERM_REINIT) return -1;
    slot = mem_take((size_t)shapes->shape[family->shape].slots, sizeof(int));
    family_slots(st->sys, family, i, slot);
    var = slot[shapes->node[expr_arg(shapes, root, 0)].index];
    free(slot);
    return st->alias[var];
}

static void find_actions(Locals *l, const Structure *st, Pairs *reads) {
    const Families *actions = &st->sys->set[ROWS_ACTION];
    int             n = l->blocks;
    for (int f = 0; f < actions->count; f++) {
        const Family *family = &actions->family[f];
        bool          check = action_is_check(st->sys->shapes, family);
        for (int i = 0; i < family->count; i++, n++) {
            int target = reinit_target(st, family, i);
            l->family[n - l->blocks] = f;
            l->item[n] = i;
            l->target[n - l->blocks] = target >= 0 ? l->number[target] : 0;
            reads->row = n;
            if (!check) read_by_action(st, family, i, reads); /* asked after every step */
        }
    }
}

void readers_of_blocks(Locals *l, const Plan *plan) {
    const Structure *st = plan->st;
    int              n = 0;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        bool         loop = group->kind == GROUP_LOOP;
        int          count = group->count * (loop ? 1 : group->size);
        for (int k = 0; k < count; k++) {
            int b = st->block_of[plan->item[group->item + (loop ? k * group->size : k)]];
            l->group[b] = g;
            l->item[b] = k;
            l->order[b] = n++;
        }
    }
}

bool is_left_limit(const System *sys, int var) {
    return sys->run[system_run_of(sys, var)].kind == VAR_PRE;
}

/* The variable that a left limit is of. */
int source_of(const Structure *st, int pre) {
    const System *sys = st->sys;
    const VarRun *run = &sys->run[system_run_of(sys, pre)];
    return st->alias[sys->run[run->of].first + pre - run->first];
}

void readers_find(Locals *l, const Plan *plan) {
    const Structure *st = plan->st;
    Pairs            reads = {0}, pres = {0}, acts = {0}, own = {0};
    for (int b = 0; b < st->blocks; b++)
        for (int i = 0; i < st->block[b].count; i++) {
            reads.row = b;
            structure_uses(st, st->eq_row[st->order[st->block[b].first + i]], read_by_row,
                           &reads);
        }
    int from = reads.count;
    find_actions(l, st, &reads);
    for (int k = from; k < reads.count; k++)
        links_add(&acts, reads.pair[2 * k] - l->blocks, reads.pair[2 * k + 1]);
    l->readers = links_make(&reads, st->vars, 1);
    l->reads = links_make(&acts, l->actions, 0);
    for (int v = 0; v < st->vars; v++)
        if (l->readers.start[v + 1] > l->readers.start[v] && is_left_limit(st->sys, v))
            links_add(&pres, source_of(st, v), v);
    l->pres = links_make(&pres, st->vars, 0);
    for (int k = 0; k < l->relations.count; k++)
        links_add(&own, st->block_of[plan->item[l->relations.item[k]]], k);
    l->of_block = links_make(&own, st->blocks, 0);
    free(reads.pair), free(pres.pair), free(acts.pair), free(own.pair);
}
