/* SPDX-License-Identifier: Apache-2.0 */
/* readers.c -- who reads what at events: blocks and actions by variable, left limits, relations of
 * blocks. Needs: blocks. Gives: the tables of the block graph that effects are made of. */
#include "translate/freeze.h"

#include <assert.h>
#include <stdlib.h>

typedef struct Reading {
    Pairs *pairs;
    int    node;
} Reading;

static void read_by_row(void *context, int var, int slot) {
    Reading *r = context;
    (void)slot;
    pairs_add(r->pairs, r->node, var);
}

/* Variables of row i of a family of actions. */
static void read_by_action(const Structure *st, const Family *family, int i, Reading *r) {
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
        for (int e = 0; e < rank; e++) count *= sizes[2 * e];
        for (int n = 0; n < count; n++) {
            pairs_add(r->pairs, r->node, st->alias[var]);
            for (int e = rank - 1; e >= 0; e--) {
                var += sizes[2 * e + 1];
                if (++at[e] < sizes[2 * e]) break;
                var -= sizes[2 * e] * sizes[2 * e + 1];
                at[e] = 0;
            }
        }
    }
    mem_free(slot);
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
    mem_free(slot);
    return st->alias[var];
}

static void find_actions(Draft *d, Pairs *reads) {
    const Structure *st = &d->from->part[PART_RUN].structure;
    const Families  *actions = &st->sys->set[ROWS_ACTION];
    BlockGraph      *graph = &d->program.graph;
    int             *target = NEW(&d->arena, int, graph->actions + 1);
    int             *group = (int *)graph->group, *row = (int *)graph->row;
    int              n = graph->blocks;
    for (int f = 0; f < actions->count; f++) {
        const Family *family = &actions->family[f];
        bool          check = action_is_check(st->sys->shapes, family);
        for (int i = 0; i < family->count; i++, n++) {
            int     set = reinit_target(st, family, i);
            Reading r = {reads, n};
            group[n] = f;
            row[n] = i;
            target[n - graph->blocks] =
                set >= 0 ? program_state(&d->program, set) + 1 : 0;
            if (!check) read_by_action(st, family, i, &r); /* asked after every step */
        }
    }
    graph->target = target;
}

static void find_readers(Draft *d) {
    const Structure *st = &d->from->part[PART_RUN].structure;
    BlockGraph      *graph = &d->program.graph;
    Pairs            reads = {0}, acts = {0}, lefts = {0}, pres = {0};
    for (int b = 0; b < st->blocks; b++)
        for (int i = 0; i < st->block[b].count; i++) {
            Reading r = {&reads, b};
            structure_uses(st, st->eq_row[st->order[st->block[b].first + i]], read_by_row,
                           &r);
        }
    int from = reads.count;
    for (int k = 0; k < from; k++)
        if (program_left_of(&d->program, reads.pair[2 * k + 1], true))
            pairs_add(&lefts, reads.pair[2 * k], reads.pair[2 * k + 1]);
    find_actions(d, &reads);
    for (int k = from; k < reads.count; k++)
        pairs_add(&acts, reads.pair[2 * k] - graph->blocks, reads.pair[2 * k + 1]);
    graph->readers = pairs_table(&reads, d->sys->vars, 1, &d->arena);
    graph->reads = pairs_table(&acts, graph->actions, 0, &d->arena);
    graph->lefts = pairs_table(&lefts, graph->blocks, 0, &d->arena);
    for (int v = 0; v < st->vars; v++)
        if (graph->readers.start[v + 1] > graph->readers.start[v] &&
            program_left_of(&d->program, v, false))
            pairs_add(&pres, program_source(&d->program, v), v);
    graph->pres = pairs_table(&pres, d->sys->vars, 0, &d->arena);
    pairs_free(&reads), pairs_free(&acts), pairs_free(&lefts), pairs_free(&pres);
}

static void find_relations(Draft *d) {
    const Plan *plan = &d->from->part[PART_RUN].plan;
    BlockGraph *graph = &d->program.graph;
    Pairs       own = {0};
    Relations   r;
    relations_find(&r, plan, true);
    uint8_t *timed = NEW(&d->arena, uint8_t, r.count + 1);
    for (int k = 0; k < r.count; k++) {
        pairs_add(&own, plan->st->block_of[plan->item[r.item[k]]], k);
        timed[k] = r.timed[k];
    }
    graph->relations = pairs_table(&own, graph->blocks, 0, &d->arena);
    graph->timed = timed;
    graph->place = arena_copy(&d->arena, r.place, (size_t)r.count * sizeof(int));
    int entries = r.start[r.count];
    graph->crossing =
        (Lists){r.count, entries,
                arena_copy(&d->arena, r.start, ((size_t)r.count + 1) * sizeof(int)),
                arena_copy(&d->arena, r.var, (size_t)entries * sizeof(int))};
    relations_free(&r);
    pairs_free(&own);
}

/* Needs: patterns. Gives: readers, reads, pres, relations, rates, crossing, lefts of the graph; only
 * for selective code. */
void freeze_readers(Draft *d) {
    const States *s = &d->program.states;
    BlockGraph   *graph = &d->program.graph;
    Pairs         rates = {0};
    assert(graph->group && graph->readers.rows < 0);
    if (!d->from->selective) return;
    find_readers(d);
    find_relations(d);
    for (int i = 0; i < s->count; i++) pairs_add(&rates, s->rate[i], i);
    graph->rates = pairs_table(&rates, d->sys->vars, 0, &d->arena);
    pairs_free(&rates);
    assert(lists_fit(&graph->readers, graph->vars, graph->nodes));
    assert(lists_fit(&graph->reads, graph->actions, graph->vars));
    assert(lists_fit(&graph->relations, graph->blocks, graph->crossing.rows));
    assert(lists_fit(&graph->crossing, graph->crossing.rows, graph->vars));
}

void freeze_print_readers(const Draft *d, Text *out) {
    const BlockGraph *graph = &d->program.graph;
    if (graph->readers.rows < 0) {
        text_add(out, "all blocks are evaluated together\n");
        return;
    }
    text_printf(out, "%d blocks, %d actions, %d relations\n", graph->blocks,
                graph->actions, graph->crossing.rows);
    for (int v = 0; v < graph->readers.rows; v++) {
        int n = graph->readers.start[v + 1] - graph->readers.start[v];
        if (!n) continue;
        system_name(d->sys, v, out);
        text_add(out, ":");
        for (int k = graph->readers.start[v]; k < graph->readers.start[v + 1]; k++) {
            int  node = graph->readers.to[k];
            bool action = node >= graph->blocks;
            text_printf(out, " %s%d", action ? "action " : "",
                        (action ? node - graph->blocks : node) + 1);
        }
        text_char(out, '\n');
    }
}
