/* SPDX-License-Identifier: Apache-2.0 */
/* locality.c -- which relations can be looked at, and their events handled, without the rest of
 * the model.
 *
 * Needs: readers. Gives: by relation whether it is local, by block the effect of its relations, and
 * which states and crossings belong together.
 *
 * A relation is local unless its forward cone (program/effect.c) holds a time event, an impure
 * function, an action other than reinit, a relation that is not local, or needs a nonlinear block;
 * unless it follows no state, because large steps, which see states only, would pass over a
 * function of time that turns quickly; and unless it ties more than half of the states together.
 * What is not local is treated for the model as a whole.
 *
 * Finding the effects costs the sum of the cones, and stops with WORK_LIMIT: later relations are
 * not local. */
#include "translate/freeze.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WORK_LIMIT 5e7 /* nodes of all cones together */

typedef struct Choosing {
    const Program *p;
    int          **effect; /* by block: its effect as numbers, NULL if there is none */
    bool          *fine;   /* by block: the effect is local */
} Choosing;

/* Relations that tie more than half of the states together are not local. Those that tie most are
 * left out first: one that reads everything says nothing about the others. False: there were none. */
static bool leave_large(Choosing *c) {
    int  n = c->p->states.count, blocks = c->p->graph.blocks, most = 0;
    int *up = mem_take((size_t)n, sizeof(int)), *size = mem_take((size_t)n, sizeof(int));
    set_start(up, n);
    for (int b = 0; b < blocks; b++) {
        if (!c->fine[b]) continue;
        Effect e = effect_read(c->effect[b]);
        for (int k = 1; k < e.ties; k++) set_join(up, e.tied[k], e.tied[0]);
    }
    for (int i = 0; i < n; i++) size[set_find(up, i)]++;
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0; b < blocks; b++) {
            if (!c->fine[b]) continue;
            Effect e = effect_read(c->effect[b]);
            if (2 * size[set_find(up, e.tied[0])] <= n) continue;
            if (e.ties > most) most = e.ties;
            if (pass && e.ties == most) c->fine[b] = false;
        }
    mem_free(up);
    mem_free(size);
    return most > 0;
}

static int block_of_relation(const Program *p, int relation) {
    const Part *run = &p->part[PART_RUN];
    return run->block[run->relation_item[relation]];
}

/* What can make a relation change that is not local is not local either. */
static bool leave_dependent(Choosing *c) {
    bool left = false;
    for (int b = 0; b < c->p->graph.blocks; b++) {
        if (!c->fine[b]) continue;
        Effect e = effect_read(c->effect[b]);
        for (int k = 0; k < e.relations && c->fine[b]; k++)
            if (!c->fine[block_of_relation(c->p, e.relation[k])]) {
                c->fine[b] = false;
                left = true;
            }
    }
    return left;
}

static void choose(Draft *d, Choosing *c) {
    const BlockGraph *g = &c->p->graph;
    EffectWork        w;
    effect_work_open(&w, c->p);
    for (int b = 0; b < g->blocks && w.spent < WORK_LIMIT; b++) {
        Effect e;
        if (g->relations.start[b + 1] == g->relations.start[b]) continue;
        effect_make(&w, c->p, &b, 1, &e);
        c->effect[b] = arena_copy(&d->arena, w.made, (size_t)w.count * sizeof(int));
        c->fine[b] = e.fine;
        for (int k = g->relations.start[b]; k < g->relations.start[b + 1]; k++)
            if (!relation_follows_states(&w, c->p, g->relations.to[k]))
                c->fine[b] = false;
    }
    effect_work_close(&w);
    while (leave_large(c)) continue;
    while (leave_dependent(c)) continue;
}

/* The effects that are local, block by block. */
static Lists effects(Draft *d, const Choosing *c) {
    int  blocks = c->p->graph.blocks, n = 0;
    int *start = NEW(&d->arena, int, blocks + 2);
    for (int b = 0; b < blocks; b++) {
        start[b] = n;
        if (c->fine[b]) n += effect_length(c->effect[b]);
    }
    start[blocks] = n;
    int *to = NEW(&d->arena, int, n + 1);
    for (int b = 0; b < blocks; b++)
        if (c->fine[b])
            memcpy(to + start[b], c->effect[b],
                   (size_t)(start[b + 1] - start[b]) * sizeof(int));
    return (Lists){blocks, n, start, to};
}

/* A crossing reads and changes all that its event ties together. */
static void make_patterns(Draft *d, const Choosing *c, const uint8_t *local) {
    BlockGraph *g = &d->program.graph;
    LinkList    pairs = {0};
    for (int k = 0; k < g->crossing.rows; k++) {
        if (!local[k]) continue;
        Effect e = effect_read(c->effect[block_of_relation(c->p, k)]);
        for (int i = 0; i < e.ties; i++) links_add(&pairs, k, e.tied[i]);
    }
    g->crossings_of_state =
        freeze_links(links_of(&pairs, d->program.states.count, true, &d->arena));
    g->states_of_crossing =
        freeze_links(links_of(&pairs, g->crossing.rows, false, &d->arena));
    Lists *t = &g->states_of_crossing;
    for (int k = 0; k < t->rows; k++)
        qsort((int *)t->to + t->start[k], (size_t)(t->start[k + 1] - t->start[k]),
              sizeof(int), int_ascending);
    links_drop(&pairs);
}

/* Needs: readers. Gives: local, effect, crossings_of_state, states_of_crossing of the graph; only
 * for selective code. */
void freeze_locality(Draft *d) {
    BlockGraph *g = &d->program.graph;
    assert(g->group && !g->local);
    if (!d->from->selective) return;
    assert(g->readers.rows >= 0);
    Choosing c = {.p = &d->program,
                  .effect = NEW(&d->arena, int *, g->blocks + 1),
                  .fine = NEW(&d->arena, bool, g->blocks + 1)};
    uint8_t *local = NEW(&d->arena, uint8_t, g->crossing.rows + 1);
    if (g->crossing.rows && !freeze_has_clocks(d->sys)) choose(d, &c);
    for (int k = 0; k < g->crossing.rows; k++)
        local[k] = c.fine[block_of_relation(c.p, k)];
    g->local = local;
    g->effect = effects(d, &c);
    make_patterns(d, &c, local);
    int states = d->program.states.count, relations = g->crossing.rows;
    assert(lists_fit(&g->crossings_of_state, states, relations));
    assert(lists_fit(&g->states_of_crossing, relations, states));
}

void freeze_print_locality(const Draft *d, Text *out) {
    const BlockGraph *g = &d->program.graph;
    const Lists      *tied = &g->states_of_crossing;
    if (!g->local) {
        text_add(out, "all events concern the whole model\n");
        return;
    }
    for (int k = 0; k < g->crossing.rows; k++) {
        int item = d->program.part[PART_RUN].relation_item[k];
        text_printf(out, "relation %d of ", k + 1);
        system_name(d->sys, d->program.part[PART_RUN].unknown[item], out);
        text_add(out, g->local[k] ? " is local and ties" : " concerns the whole model");
        for (int i = tied->start[k]; i < tied->start[k + 1]; i++) {
            text_add(out, i > tied->start[k] ? ", " : " ");
            system_name(d->sys, d->program.states.var[tied->to[i]], out);
        }
        text_char(out, '\n');
    }
}
