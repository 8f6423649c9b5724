/* SPDX-License-Identifier: Apache-2.0 */
/* effect.c -- what happens when relations of some blocks change: the forward cone, what of it is
 * evaluated, what that needs, and which states this ties together.
 *
 * Forward cone. A relation that changes makes its block change, then whatever reads the unknowns
 * of that block or their left limits, actions included; a reinit makes change what reads the state.
 * Nothing else can change in the event.
 * Evaluated are those blocks of the forward cone that hold discrete values or relations, and what
 * they and the actions need of continuous blocks. All states that this concerns, together with
 * those whose derivatives lie in the forward cone, must be integrated together.
 *
 * The effects of single blocks are found while translating (translate/locality.c) and stored in
 * the program; those of several blocks that change together are found when that happens. An effect
 * is a list of numbers: the counts of the struct, then its lists in the order below. */
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

enum {
    COUNT_FINE,
    COUNT_ROWS,
    COUNT_MOVES,
    COUNT_LEFTS,
    COUNT_RUNS,
    COUNT_ACTS,
    COUNT_ITEMS,
    COUNT_TIES,
    COUNT_SHIFTS,
    COUNT_GIVENS,
    COUNT_RELATIONS,
    COUNT_JUMPS,
    COUNT_INPUTS,
    COUNTS
};

typedef struct Making {
    EffectWork       *w;
    const Program    *p;
    const BlockGraph *g;
    int               count[COUNTS];
    int               nodes; /* of the forward cone, in w->queue */
} Making;

/* ---- work ---- */

bool effect_work_open(EffectWork *w, const Program *p) {
    size_t nodes = (size_t)p->graph.nodes;
    *w = (EffectWork){.mark = mem_take(nodes, sizeof(int)),
                      .need = mem_take(nodes, sizeof(int)),
                      .base = mem_take(nodes, sizeof(int)),
                      .queue = mem_take(nodes, sizeof(int)),
                      .list = mem_take(3 * nodes, sizeof(int)),
                      .state_mark = mem_take((size_t)p->states.count, sizeof(int)),
                      .var_mark = mem_take((size_t)p->variables.vars, sizeof(int))};
    if (w->mark && w->need && w->base && w->queue && w->list && w->state_mark &&
        w->var_mark)
        return true;
    effect_work_close(w);
    return false;
}

void effect_work_close(EffectWork *w) {
    mem_free(w->mark), mem_free(w->need), mem_free(w->base), mem_free(w->queue);
    mem_free(w->list), mem_free(w->state_mark), mem_free(w->var_mark), mem_free(w->made);
    *w = (EffectWork){0};
}

static void push(Making *m, int value) {
    EffectWork *w = m->w;
    if ((size_t)w->count == w->room) {
        size_t room = 2 * w->room + 64;
        int   *more = w->lacking ? NULL : mem_resize(w->made, room * sizeof *more);
        if (!more) {
            w->lacking = true;
            return;
        }
        w->made = more;
        w->room = room;
    }
    w->made[w->count++] = value;
}

/* ---- the forward cone ---- */

static void reach(EffectWork *w, int node, int *count) {
    if (w->mark[node] == w->stamp) return;
    w->mark[node] = w->stamp;
    w->queue[(*count)++] = node;
}

/* All that reads a variable or its left limit. */
static void reach_readers(Making *m, int var, int *count) {
    const Lists *readers = &m->g->readers, *pres = &m->g->pres;
    for (int e = readers->start[var]; e < readers->start[var + 1]; e++)
        reach(m->w, readers->to[e], count);
    for (int k = pres->start[var]; k < pres->start[var + 1]; k++) {
        int pre = pres->to[k];
        for (int e = readers->start[pre]; e < readers->start[pre + 1]; e++)
            reach(m->w, readers->to[e], count);
    }
}

static void forward_cone(Making *m, const int *block, int blocks) {
    const BlockGraph *g = m->g;
    int               count = 0;
    for (int k = 0; k < blocks; k++) reach(m->w, block[k], &count);
    for (int q = 0; q < count; q++) { /* grows while it runs */
        int node = m->w->queue[q];
        if (node >= g->blocks) {
            int state = g->target[node - g->blocks];
            if (state) reach_readers(m, m->p->states.var[state - 1], &count);
            continue;
        }
        for (int i = g->first[node]; i < g->first[node + 1]; i++)
            reach_readers(m, g->unknown[i], &count);
    }
    m->nodes = count;
    m->w->spent += count;
}

static bool has_relations(const BlockGraph *g, int block) {
    return g->relations.start[block + 1] > g->relations.start[block];
}

/* Can a node of the forward cone belong to a local event? */
static bool may_change(const Making *m, int node) {
    const BlockGraph *g = m->g;
    if (node >= g->blocks) return g->target[node - g->blocks] != 0;
    const Group *group = &m->p->part[PART_RUN].group[g->group[node]];
    if (g->impure[node] || (group->kind == GROUP_LOOP && has_relations(g, node)))
        return false;
    for (int k = g->relations.start[node]; k < g->relations.start[node + 1]; k++)
        if (g->timed[g->relations.to[k]]) return false;
    return true;
}

static bool holds_discrete(const Making *m, int block) {
    return m->g->discrete[block] || has_relations(m->g, block);
}

/* ---- what it needs ---- */

/* The block whose unknown a variable is, -1 if it has none or changes at events only. */
static int continuous_giver(const BlockGraph *g, int var) {
    int b = g->giver[var];
    return b >= 0 && !g->discrete[b] ? b : -1;
}

/* Marks in `mark` the continuous blocks that those in w->list need; the new count. */
static int backward_cone(EffectWork *w, const BlockGraph *g, int *mark, int count) {
    for (int q = 0; q < count; q++) {
        int b = w->list[q];
        for (int k = g->uses.start[b]; k < g->uses.start[b + 1]; k++) {
            int giver = g->uses.to[k];
            if (mark[giver] == w->stamp || g->discrete[giver]) continue;
            mark[giver] = w->stamp;
            w->list[count++] = giver;
        }
    }
    w->spent += count;
    return count;
}

static int begin_at(EffectWork *w, int *mark, int block, int count) {
    if (block < 0 || mark[block] == w->stamp) return count;
    mark[block] = w->stamp;
    w->list[count] = block;
    return count + 1;
}

bool relation_follows_states(EffectWork *w, const Program *p, int relation) {
    const BlockGraph *g = &p->graph;
    int               count = 0;
    w->stamp++;
    for (int e = g->crossing.start[relation]; e < g->crossing.start[relation + 1]; e++) {
        int var = g->crossing.to[e];
        if (p->reduced.role[var] == ROLE_STATE) return true;
        count = begin_at(w, w->need, continuous_giver(g, var), count);
    }
    count = backward_cone(w, g, w->need, count);
    for (int k = 0; k < count; k++)
        if (g->states.start[w->list[k] + 1] > g->states.start[w->list[k]]) return true;
    return false;
}

static void tie(Making *m, int state) {
    EffectWork *w = m->w;
    if (w->state_mark[state] == w->stamp) return;
    w->state_mark[state] = w->stamp;
    push(m, state);
}

/* States that the block reads. */
static void tie_block(Making *m, int block) {
    const Lists *states = &m->g->states;
    for (int k = states->start[block]; k < states->start[block + 1]; k++)
        tie(m, states->to[k]);
}

static void push_rates(Making *m, int var) {
    const Lists *rates = &m->g->rates;
    for (int k = rates->start[var]; k < rates->start[var + 1]; k++) push(m, rates->to[k]);
}

/* Derivatives in the forward cone, states that are set. Continuous blocks that those derivatives
 * need are marked in w->base. */
static void find_moved(Making *m) {
    const BlockGraph *g = m->g;
    EffectWork       *w = m->w;
    int               count = 0;
    for (int q = 0; q < m->nodes; q++) {
        int node = w->queue[q];
        if (node >= g->blocks) {
            int state = g->target[node - g->blocks] - 1;
            push(m, state);
            push_rates(m, m->p->states.var[state]);
            continue;
        }
        for (int i = g->first[node]; i < g->first[node + 1]; i++)
            push_rates(m, g->unknown[i]);
    }
    m->count[COUNT_MOVES] = w->count - COUNTS;
    for (int k = COUNTS; k < w->count; k++) {
        int rate = m->p->states.rate[w->made[k]];
        count = begin_at(w, w->base, continuous_giver(g, rate), count);
    }
    backward_cone(w, g, w->base, count);
}

static void note_left(Making *m, int var) {
    EffectWork *w = m->w;
    if (w->var_mark[var] == w->stamp || !program_left_of(m->p, var, true)) return;
    w->var_mark[var] = w->stamp;
    push(m, var);
}

/* Left limits of continuous variables that the discrete blocks and actions read. */
static void find_lefts(Making *m) {
    const BlockGraph *g = m->g;
    int               from = m->w->count;
    for (int q = 0; q < m->nodes; q++) {
        int          node = m->w->queue[q], a = node - g->blocks;
        const Lists *t = a >= 0 ? &g->reads : &g->lefts;
        int          row = a >= 0 ? a : node;
        if (a < 0 && !holds_discrete(m, node)) continue;
        for (int e = t->start[row]; e < t->start[row + 1]; e++) note_left(m, t->to[e]);
    }
    m->count[COUNT_LEFTS] = m->w->count - from;
}

/* The blocks to be evaluated, into w->list by their place in the order of computation; how many. */
static int find_needed(Making *m) {
    const BlockGraph *g = m->g;
    EffectWork       *w = m->w;
    int               count = 0, *pair, left = COUNTS + m->count[COUNT_MOVES];
    for (int q = 0; q < m->nodes; q++) {
        int node = w->queue[q], a = node - g->blocks;
        if (a < 0) {
            if (holds_discrete(m, node)) count = begin_at(w, w->need, node, count);
            continue;
        }
        for (int e = g->reads.start[a]; e < g->reads.start[a + 1]; e++)
            count = begin_at(w, w->need, continuous_giver(g, g->reads.to[e]), count);
    }
    for (int k = 0; k < m->count[COUNT_LEFTS]; k++) {
        int source = program_source(m->p, w->made[left + k]);
        count = begin_at(w, w->need, continuous_giver(g, source), count);
    }
    count = backward_cone(w, g, w->need, count);
    pair = w->list + g->nodes + 1; /* there is room for both */
    for (int k = 0; k < count; k++)
        pair[2 * k] = g->rank[w->list[k]], pair[2 * k + 1] = w->list[k];
    qsort(pair, (size_t)count, sizeof(Ranked), ranked_ascending);
    for (int k = 0; k < count; k++) w->list[k] = pair[2 * k + 1];
    return count;
}

/* ---- the lists ---- */

/* Runs of consecutive rows of one group: of the blocks in w->list, or of the actions. */
static void push_runs(Making *m, const int *node, int nodes, int first, int *runs) {
    const BlockGraph *g = m->g;
    for (int k = 0; k < nodes; k++) {
        int *last = *runs ? &m->w->made[m->w->count - 3] : NULL;
        if (m->w->lacking) return;
        if (last && last[0] == g->group[node[k]]) {
            last[2]++;
            continue;
        }
        push(m, g->group[node[k]]);
        push(m, first + k);
        push(m, 1);
        ++*runs;
    }
}

/* Rows of the blocks in w->list and of the actions. */
static void make_runs(Making *m, int count) {
    const BlockGraph *g = m->g;
    EffectWork       *w = m->w;
    int              *act = w->list + g->nodes + 1, acts = 0;
    for (int node = g->blocks; node < g->nodes; node++)
        if (w->mark[node] == w->stamp) act[acts++] = node;
    push_runs(m, w->list, count, 0, &m->count[COUNT_RUNS]);
    push_runs(m, act, acts, count, &m->count[COUNT_ACTS]);
    for (int k = 0; k < count; k++) {
        int          b = w->list[k];
        const Group *group = &m->p->part[PART_RUN].group[g->group[b]];
        push(m, g->row[b]);
        m->count[COUNT_ROWS] += g->first[b + 1] - g->first[b];
        m->count[COUNT_FINE] &= group->kind != GROUP_LOOP || group->block == BLOCK_LINEAR;
    }
    for (int k = 0; k < acts; k++) push(m, g->row[act[k]]);
    m->count[COUNT_ITEMS] = count + acts;
}

/* States that are read while the event is handled, beyond what derivatives read. */
static void find_tied(Making *m, int count) {
    const BlockGraph *g = m->g;
    EffectWork       *w = m->w;
    int               left = COUNTS + m->count[COUNT_MOVES];
    for (int k = 0; k < count; k++)
        if (w->base[w->list[k]] != w->stamp) tie_block(m, w->list[k]);
    for (int q = 0; q < m->nodes; q++) {
        int a = w->queue[q] - g->blocks;
        for (int e = a >= 0 ? g->reads.start[a] : 0; a >= 0 && e < g->reads.start[a + 1];
             e++) {
            int state = program_state(m->p, g->reads.to[e]);
            if (state >= 0) tie(m, state);
        }
    }
    for (int k = 0; k < m->count[COUNT_LEFTS]; k++) {
        int state = program_state(m->p, program_source(m->p, w->made[left + k]));
        if (state >= 0) tie(m, state);
    }
}

/* States that the crossings of the event read. */
static void tie_relations(Making *m) {
    const BlockGraph *g = m->g;
    EffectWork       *w = m->w;
    int               count = 0, stamp = w->stamp;
    w->stamp++; /* need is used again */
    for (int q = 0; q < m->nodes; q++) {
        int b = w->queue[q];
        for (int k = b < g->blocks ? g->relations.start[b] : 0;
             b < g->blocks && k < g->relations.start[b + 1]; k++) {
            int r = g->relations.to[k];
            for (int e = g->crossing.start[r]; e < g->crossing.start[r + 1]; e++) {
                int var = g->crossing.to[e], state = program_state(m->p, var);
                count = begin_at(w, w->need, continuous_giver(g, var), count);
                if (state < 0 || w->state_mark[state] == stamp) continue;
                w->state_mark[state] = stamp;
                push(m, state);
            }
        }
    }
    count = backward_cone(w, g, w->need, count);
    w->stamp = stamp;
    for (int k = 0; k < count; k++) tie_block(m, w->list[k]);
    for (int k = 0; k < count; k++) w->need[w->list[k]] = 0;
}

static void push_pres(Making *m, int var) {
    const Lists *pres = &m->g->pres;
    for (int k = pres->start[var]; k < pres->start[var + 1]; k++) {
        int pre = pres->to[k];
        if (m->w->var_mark[pre] == m->w->stamp) continue;
        m->w->var_mark[pre] = m->w->stamp;
        push(m, pre);
    }
}

/* Left limits of what may have changed; discrete unknowns; relations; states that are set. */
static void find_changes(Making *m, int count, const int *blocks) {
    const BlockGraph *g = m->g;
    EffectWork       *w = m->w;
    int               from = w->count;
    w->stamp++; /* var_mark is used again */
    for (int k = 0; k < count; k++)
        for (int i = g->first[blocks[k]]; i < g->first[blocks[k] + 1]; i++)
            push_pres(m, g->unknown[i]);
    for (int q = 0; q < m->nodes; q++)
        if (w->queue[q] >= g->blocks)
            push_pres(m, m->p->states.var[g->target[w->queue[q] - g->blocks] - 1]);
    m->count[COUNT_SHIFTS] = w->count - from;
    from = w->count;
    for (int k = 0; k < count; k++)
        for (int i = g->first[blocks[k]];
             g->discrete[blocks[k]] && i < g->first[blocks[k] + 1]; i++)
            push(m, g->unknown[i]);
    m->count[COUNT_GIVENS] = w->count - from;
    from = w->count;
    for (int k = 0; k < count; k++)
        for (int i = g->relations.start[blocks[k]]; i < g->relations.start[blocks[k] + 1];
             i++)
            push(m, g->relations.to[i]);
    m->count[COUNT_RELATIONS] = w->count - from;
    from = w->count;
    for (int q = 0; q < m->nodes; q++)
        if (w->queue[q] >= g->blocks) push(m, g->target[w->queue[q] - g->blocks] - 1);
    m->count[COUNT_JUMPS] = w->count - from;
}

/* States that the evaluated blocks and all else that is tied read. */
static void find_inputs(Making *m, int count, const int *blocks, int tied) {
    int from = m->w->count;
    m->w->stamp++;
    for (int k = 0; k < count; k++) tie_block(m, blocks[k]);
    for (int k = 0; k < m->count[COUNT_TIES] && !m->w->lacking; k++)
        tie(m, m->w->made[tied + k]);
    m->count[COUNT_INPUTS] = m->w->count - from;
}

static void make_lists(Making *m) {
    EffectWork *w = m->w;
    find_moved(m);
    find_lefts(m);
    int count = find_needed(m);
    make_runs(m, count);
    int *evaluated = mem_take((size_t)count, sizeof(int)), tied = w->count;
    if (!evaluated) {
        w->lacking = true;
        return;
    }
    memcpy(evaluated, w->list, (size_t)count * sizeof(int));
    for (int k = 0; k < m->count[COUNT_MOVES] && !w->lacking; k++)
        tie(m, w->made[COUNTS + k]);
    find_tied(m, count);
    tie_relations(m);
    m->count[COUNT_TIES] = w->count - tied;
    find_changes(m, count, evaluated);
    find_inputs(m, count, evaluated, tied);
    mem_free(evaluated);
}

bool effect_make(EffectWork *w, const Program *p, const int *block, int blocks,
                 Effect *out) {
    Making m = {.w = w, .p = p, .g = &p->graph};
    w->stamp++;
    w->count = 0;
    w->lacking = false;
    for (int k = 0; k < COUNTS; k++) push(&m, 0);
    forward_cone(&m, block, blocks);
    m.count[COUNT_FINE] = 1;
    for (int q = 0; q < m.nodes && m.count[COUNT_FINE]; q++)
        m.count[COUNT_FINE] = may_change(&m, w->queue[q]);
    if (m.count[COUNT_FINE] && !w->lacking) make_lists(&m);
    if (w->lacking) return false;
    memcpy(w->made, m.count, sizeof m.count);
    *out = effect_read(w->made);
    return true;
}

Effect effect_read(const int *from) {
    const int *c = from;
    Effect     e = {.fine = c[COUNT_FINE],
                    .rows = c[COUNT_ROWS],
                    .runs = c[COUNT_RUNS],
                    .acts = c[COUNT_ACTS],
                    .items = c[COUNT_ITEMS],
                    .relations = c[COUNT_RELATIONS],
                    .inputs = c[COUNT_INPUTS],
                    .lefts = c[COUNT_LEFTS],
                    .shifts = c[COUNT_SHIFTS],
                    .givens = c[COUNT_GIVENS],
                    .jumps = c[COUNT_JUMPS],
                    .moves = c[COUNT_MOVES],
                    .ties = c[COUNT_TIES]};
    e.moved = c + COUNTS;
    e.left = e.moved + e.moves;
    e.run = (const RowRun *)(const void *)(e.left + e.lefts);
    e.act = e.run + e.runs;
    e.item = (const int *)(const void *)(e.act + e.acts);
    e.tied = e.item + e.items;
    e.shift = e.tied + e.ties;
    e.given = e.shift + e.shifts;
    e.relation = e.given + e.givens;
    e.jump = e.relation + e.relations;
    e.input = e.jump + e.jumps;
    return e;
}

int effect_length(const int *from) {
    Effect e = effect_read(from);
    return (int)(e.input + e.inputs - from);
}
