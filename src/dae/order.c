/* SPDX-License-Identifier: Apache-2.0 */
/* order.c -- blocks of equations in the order in which they can be computed.
 *
 * Strong components of "equation i uses the unknown that j gives" (Tarjan, SIAM J. Comput. 1,
 * 1972), with an explicit stack. A component is finished when all it uses is finished, so
 * components come out in the order of computation. Linear in equations and edges. */
#include "dae/dae.h"

#include <assert.h>

int order_components(const Graph *graph, const int *row_of, int *sorted, int *start,
                     Arena *scratch) {
    int  n = graph->rows, clock = 0, held = 0, components = 0, done = 0;
    int *number = NEW(scratch, int, n + 1); /* 0: not met; else 1 + order of discovery */
    int *low = NEW(scratch, int, n + 1);
    int *at = NEW(scratch, int, n + 1);
    int *path = NEW(scratch, int, n + 1);  /* rows being explored */
    int *stack = NEW(scratch, int, n + 1); /* rows whose component is open */
    for (int first = 0; first < n; first++) {
        if (number[first]) continue;
        int depth = 0;
        path[0] = first;
        number[first] = low[first] = ++clock;
        at[first] = graph->start[first];
        stack[held++] = first;
        while (depth >= 0) {
            int row = path[depth];
            if (at[row] < graph->start[row + 1]) {
                int giver = row_of[graph->col[at[row]++]];
                if (giver < 0 || giver == row) continue;
                if (!number[giver]) {
                    number[giver] = low[giver] = ++clock;
                    at[giver] = graph->start[giver];
                    stack[held++] = giver;
                    path[++depth] = giver;
                } else if (number[giver] <
                           low[row]) { /* finished ones have number n + 1 */
                    low[row] = number[giver];
                }
                continue;
            }
            if (low[row] == number[row]) {
                start[components++] = done;
                for (int member = -1; member != row;) {
                    member = stack[--held];
                    number[member] = n + 1;
                    sorted[done++] = member;
                }
            }
            if (--depth >= 0 && low[row] < low[path[depth]]) low[path[depth]] = low[row];
        }
    }
    start[components] = done;
    assert(done == n);
    return components;
}

/* ---- blocks ------------------------------------------------------------------------------------- */

static bool is_discrete(const Structure *st, int eq) {
    const VarRun *run = &st->sys->run[system_run_of(st->sys, st->var_of[eq])];
    return run->type != TYPE_REAL || run->kind == VAR_DISCRETE;
}

/* The graph without edges to what an equation need not wait for. */
static Graph waiting_graph(const Structure *st, Arena *scratch) {
    const Graph *all = &st->graph;
    Graph        g = {.rows = all->rows, .cols = all->cols};
    int          n = 0;
    g.start = NEW(scratch, int, all->rows + 1);
    g.col = NEW(scratch, int, all->start[all->rows] + 1);
    for (int e = 0; e < all->rows; e++) {
        g.start[e] = n;
        for (int k = all->start[e]; k < all->start[e + 1]; k++)
            if (structure_waits(st, e, all->col[k])) g.col[n++] = all->col[k];
    }
    g.start[all->rows] = n;
    return g;
}

void order_blocks(Structure *st) {
    Arena scratch = {0};
    int  *start = NEW(&scratch, int, st->eqs + 2);
    Graph graph = st->graph;
    if (st->base && st->sys->clocks->staggered) graph = waiting_graph(st, &scratch);
    st->order = mem_take((size_t)st->eqs, sizeof *st->order);
    st->block_of = mem_take((size_t)st->eqs, sizeof *st->block_of);
    int n = order_components(&graph, st->eq_of, st->order, start, &scratch);
    st->block = mem_take((size_t)n, sizeof *st->block);
    st->blocks = n;
    for (int b = 0; b < n; b++) {
        Block *block = &st->block[b];
        int   *eq = st->order + start[b];
        block->first = start[b];
        block->count = start[b + 1] - start[b];
        block->discrete = true;
        for (int i = 0; i < block->count; i++) {
            st->block_of[eq[i]] = b;
            block->discrete &= is_discrete(st, eq[i]);
        }
    }
    arena_free(&scratch);
}
