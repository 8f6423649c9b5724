/* SPDX-License-Identifier: Apache-2.0 */
/* blocks.c -- how the blocks of the run depend on each other and on states.
 *
 * Needs: parts, states. Gives: the block graph as far as evaluation needs it, and the pattern of
 * df/dx: row i has an entry for every state that a block reads from which the derivative of state
 * i can be reached. A pattern that would be too full is none. */
#include "translate/freeze.h"

#include <stdlib.h>
#include <string.h>

#define REDUCE_LIMIT 1e8      /* blocks times uses up to which implied ones are removed */
enum { PATTERN_LIMIT = 200 }; /* entries a row, in the mean, beyond which it is dense */

/* ---- blocks ---- */

static void number_blocks(Draft *d, BlockGraph *graph) {
    const Plan      *plan = &d->from->part[PART_RUN].plan;
    const Structure *st = plan->st;
    int              nodes = graph->nodes, n = 0;
    int *group = NEW(&d->arena, int, nodes + 1), *row = NEW(&d->arena, int, nodes + 1);
    int *rank = NEW(&d->arena, int, st->blocks + 1);
    for (int g = 0; g < plan->groups; g++) {
        const Group *of = &plan->group[g];
        bool         loop = of->kind == GROUP_LOOP;
        int          count = of->count * (loop ? 1 : of->size);
        for (int k = 0; k < count; k++) {
            int b = st->block_of[plan->item[of->item + (loop ? k * of->size : k)]];
            group[b] = g;
            row[b] = k;
            rank[b] = n++;
        }
    }
    graph->group = group;
    graph->row = row;
    graph->rank = rank;
}

/* A section has a memory of its own, the way it took (live/path.c). */
static bool is_section(const Shapes *shapes, Term root) {
    if (expr_op(shapes, root) != TERM_EQUATION) return false;
    const Node *right = expr_node(shapes, expr_arg(shapes, root, 1));
    return right->op == TERM_CALL && shapes->function[right->index] &&
           (shapes->function[right->index]->flags & FUNCTION_ALGORITHM);
}

static bool is_impure(const Structure *st, const Block *b) {
    const Shapes *shapes = st->sys->shapes;
    for (int i = 0; i < b->count; i++) {
        Term root = shapes->shape[st->shape[st->eq_row[st->order[b->first + i]]]].root;
        if ((shapes->node[root].flags & NODE_IMPURE) || is_section(shapes, root))
            return true;
    }
    return false;
}

static void list_unknowns(Draft *d, BlockGraph *graph) {
    const Structure *st = &d->from->part[PART_RUN].structure;
    uint8_t         *discrete = NEW(&d->arena, uint8_t, st->blocks + 1);
    uint8_t         *impure = NEW(&d->arena, uint8_t, st->blocks + 1);
    int             *first = NEW(&d->arena, int, st->blocks + 2);
    int             *unknown = NEW(&d->arena, int, st->eqs + 1), n = 0;
    int             *giver = NEW(&d->arena, int, d->sys->vars + 1);
    for (int b = 0; b < st->blocks; b++) {
        const Block *block = &st->block[b];
        discrete[b] = block->discrete;
        impure[b] = is_impure(st, block);
        first[b] = n;
        for (int i = 0; i < block->count; i++)
            unknown[n++] = st->var_of[st->order[block->first + i]];
    }
    first[st->blocks] = n;
    for (int v = 0; v < d->sys->vars; v++) {
        bool given = v < st->vars && st->role[v] == ROLE_UNKNOWN && st->eq_of[v] >= 0;
        giver[v] = given ? st->block_of[st->eq_of[v]] : -1;
    }
    graph->discrete = discrete;
    graph->impure = impure;
    graph->first = first;
    graph->unknown = unknown;
    graph->unknowns = n;
    graph->giver = giver;
    graph->vars = d->sys->vars;
}

/* By block: the states it reads, each as often as its equations do. */
static Lists read_states(Draft *d, const int *number) {
    const Structure *st = &d->from->part[PART_RUN].structure;
    const Graph     *g = &st->graph;
    int             *start = NEW(&d->arena, int, st->blocks + 2), *to = NULL, n = 0;
    for (int pass = 0; pass < 2; pass++) {
        n = 0;
        for (int b = 0; b < st->blocks; b++) {
            const Block *block = &st->block[b];
            start[b] = n;
            for (int j = 0; j < block->count; j++) {
                int e = st->order[block->first + j];
                for (int k = g->start[e]; k < g->start[e + 1]; k++) {
                    if (!number[g->col[k]]) continue;
                    if (pass) to[n] = number[g->col[k]] - 1;
                    n++;
                }
            }
        }
        if (!pass) to = NEW(&d->arena, int, n + 1);
    }
    start[st->blocks] = n;
    return (Lists){st->blocks, n, start, to};
}

/* ---- df/dx ---- */

typedef struct PatternRows { /* of df/dx under construction */
    int     *start, *entry, entries;
    uint32_t room;
    int     *met, *seen, *stack; /* stamps by state and by block; blocks to look at */
} PatternRows;

static void add_entry(PatternRows *p, int state) {
    if ((uint32_t)p->entries == p->room) {
        p->room = 2 * p->room + 16;
        p->entry = mem_resize(p->entry, (size_t)p->room * sizeof *p->entry);
    }
    p->entry[p->entries++] = state;
}

/* The states on which the derivative of state i depends, through block `from`. */
static void follow(PatternRows *p, const BlockGraph *g, int i, int from) {
    int depth = 0;
    p->stack[depth++] = from;
    p->seen[from] = i + 1;
    while (depth) {
        int b = p->stack[--depth];
        for (int k = g->states.start[b]; k < g->states.start[b + 1]; k++) {
            int s = g->states.to[k];
            if (p->met[s] == i + 1) continue;
            p->met[s] = i + 1;
            add_entry(p, s);
        }
        for (int k = g->uses.start[b]; k < g->uses.start[b + 1]; k++)
            if (p->seen[g->uses.to[k]] != i + 1) {
                p->seen[g->uses.to[k]] = i + 1;
                p->stack[depth++] = g->uses.to[k];
            }
    }
}

static Lists state_pattern(Draft *d, const int *number) {
    const BlockGraph *g = &d->program.graph;
    const States     *s = &d->program.states;
    int               n = s->count;
    Arena             scratch = {0};
    PatternRows       p = {.start = NEW(&scratch, int, n + 2),
                           .met = NEW(&scratch, int, n + 1),
                           .seen = NEW(&scratch, int, g->blocks + 1),
                           .stack = NEW(&scratch, int, g->blocks + 1)};
    Lists             result = {.rows = -1};
    bool              fits = true;
    for (int i = 0; i < n && fits; i++) {
        int rate = s->rate[i];
        p.start[i] = p.entries;
        if (number[rate]) add_entry(&p, number[rate] - 1); /* itself a state */
        else if (g->giver[rate] >= 0) follow(&p, g, i, g->giver[rate]);
        fits = p.entries / PATTERN_LIMIT <= n + 50; /* one full row does no harm */
    }
    p.start[n] = p.entries;
    if (fits) { /* by columns: a transposition also sorts the rows */
        Graph rows = {.rows = n, .cols = n, .start = p.start, .col = p.entry};
        Graph columns = graph_transpose(&rows, &d->arena);
        result = (Lists){n, p.entries, columns.start, columns.col};
    }
    mem_free(p.entry);
    arena_free(&scratch);
    return result;
}

/* Between continuous blocks, which stand in the order of computation. */
static Lists block_needs(Draft *d) {
    const BlockGraph *g = &d->program.graph;
    LinkList          list = {0};
    for (int b = 0; b < g->blocks; b++)
        for (int k = g->uses.start[b]; k < g->uses.start[b + 1] && !g->discrete[b]; k++)
            if (!g->discrete[g->uses.to[k]]) links_add(&list, b, g->uses.to[k]);
    Links needs = links_of(&list, g->blocks, false, &d->arena);
    links_sort(&needs);
    links_reduce(&needs, REDUCE_LIMIT);
    links_drop(&list);
    return freeze_links(needs);
}

void freeze_blocks(Draft *d) {
    const Plan      *plan = &d->from->part[PART_RUN].plan;
    const Structure *st = plan->st;
    BlockGraph      *graph = &d->program.graph;
    int             *number = mem_take((size_t)d->sys->vars, sizeof *number);
    for (int i = 0; i < d->program.states.count; i++)
        number[d->program.states.var[i]] = i + 1;
    graph->blocks = st->blocks;
    graph->actions = d->sys->set[ROWS_ACTION].rows;
    graph->nodes = graph->blocks + graph->actions;
    number_blocks(d, graph);
    list_unknowns(d, graph);
    graph->uses = (Lists){st->blocks, plan->uses.start[st->blocks], plan->uses.start,
                          plan->uses.col};
    graph->states = read_states(d, number);
    Lists *later[] = {&graph->needs,
                      &graph->readers,
                      &graph->reads,
                      &graph->pres,
                      &graph->relations,
                      &graph->rates,
                      &graph->crossing,
                      &graph->lefts,
                      &graph->effect,
                      &graph->crossings_of_state,
                      &graph->states_of_crossing};
    for (int k = 0; k < LENGTH(later); k++) *later[k] = (Lists){.rows = -1};
    if (d->from->selective) graph->needs = block_needs(d);
    d->program.states.pattern = state_pattern(d, number);
    mem_free(number);
}
