/* SPDX-License-Identifier: Apache-2.0 */
/* local.c -- events of parts of a model: which relations can be looked at, and their events lived
 * through, without the rest.
 *
 * Forward cone. A relation that changes makes its block change, then whatever reads the unknowns
 * of that block or their left limits, actions included; a reinit makes change what reads the state.
 * Nothing else can change in the event.
 * Evaluated are those blocks of the forward cone that hold discrete values or relations, and what
 * they and the actions need of continuous blocks. All states that this concerns, together with
 * those whose derivatives lie in the forward cone, must be integrated together; boundary values
 * are known for what their derivatives read.
 *
 * A relation is local unless its forward cone holds a time event, an impure function, an action
 * other than reinit, a relation that is not local, or needs a nonlinear block; unless it follows no
 * state (large steps, which see states only, would pass over a function of time that turns quickly); and unless it ties more than half of the states together. What is not local is treated
 * for the model as a whole.
 *
 * Setting up costs the sum of the cones, and stops with WORK_LIMIT: later relations are not local. */
#include "live/local.h"

#include <stdlib.h>
#include <string.h>

static int root_of(int *up, int k) {
    while (up[k] != k) k = up[k] = up[up[k]];
    return k;
}

/* Relations that tie more than half of the states together are not local. Those that tie most are
 * left out first: one that reads everything says nothing about the others. False: there were none. */
static bool leave_large(Locals *l, const Instance *instance) {
    const Structure *st = instance->plan->st;
    int              n = instance->states, most = 0;
    int *up = mem_take((size_t)n, sizeof(int)), *size = mem_take((size_t)n, sizeof(int));
    for (int i = 0; i < n; i++) up[i] = i;
    for (int b = 0; b < st->blocks; b++) {
        const Effect *e = l->effect[b];
        for (int k = 1; e && e->fine && k < e->ties; k++)
            up[root_of(up, e->tied[k])] = root_of(up, e->tied[0]);
    }
    for (int i = 0; i < n; i++) size[root_of(up, i)]++;
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0; b < st->blocks; b++) {
            Effect *e = l->effect[b];
            if (!e || !e->fine || 2 * size[root_of(up, e->tied[0])] <= n) continue;
            if (e->ties > most) most = e->ties;
            if (pass && e->ties == most) e->fine = false;
        }
    free(up);
    free(size);
    return most > 0;
}

/* What can make a relation change that is not local is not local either. */
static bool leave_dependent(Locals *l, const Instance *instance) {
    bool left = false;
    for (int b = 0; b < instance->plan->st->blocks; b++) {
        Effect *e = l->effect[b];
        for (int k = 0; e && e->fine && k < e->relations; k++) {
            int other =
                instance->plan->st
                    ->block_of[instance->plan->item[l->relations.item[e->relation[k]]]];
            if (l->effect[other] && l->effect[other]->fine) continue;
            e->fine = false;
            left = true;
        }
    }
    return left;
}

static void choose(Locals *l, const Instance *instance) {
    const Structure *st = instance->plan->st;
    for (int b = 0; b < st->blocks && l->work < WORK_LIMIT; b++) {
        if (l->of_block.start[b + 1] == l->of_block.start[b]) continue;
        l->effect[b] = effect_make(l, instance, &b, 1);
        for (int k = l->of_block.start[b]; k < l->of_block.start[b + 1]; k++)
            if (!relation_follows_states(l, instance->plan, l->of_block.to[k]))
                l->effect[b]->fine = false;
    }
    while (leave_large(l, instance)) continue;
    while (leave_dependent(l, instance)) continue;
    for (int b = 0; b < st->blocks; b++)
        for (int k = l->of_block.start[b]; k < l->of_block.start[b + 1]; k++)
            l->local[l->of_block.to[k]] = l->effect[b] && l->effect[b]->fine;
}

static int ascending(const void *a, const void *b) {
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

/* A crossing reads and changes all that its event ties together. */
static bool make_patterns(Locals *l, const Instance *instance) {
    const Structure *st = instance->plan->st;
    const Plan      *plan = instance->plan;
    Pairs            pairs = {0};
    for (int k = 0; k < l->relations.count; k++) {
        const Effect *e = l->effect[st->block_of[plan->item[l->relations.item[k]]]];
        for (int i = 0; l->local[k] && i < e->ties; i++) links_add(&pairs, k, e->tied[i]);
    }
    Links by_state = links_make(&pairs, instance->states, 1);
    Links by_crossing = links_make(&pairs, l->relations.count, 0);
    for (int k = 0; k < l->relations.count; k++)
        qsort(by_crossing.to + by_crossing.start[k],
              (size_t)(by_crossing.start[k + 1] - by_crossing.start[k]), sizeof(int),
              ascending);
    l->reads_pattern =
        (Pattern){l->relations.count, instance->states, by_state.start, by_state.to};
    l->changes_pattern = (Pattern){instance->states, l->relations.count,
                                   by_crossing.start, by_crossing.to};
    free(pairs.pair);
    return by_state.start[instance->states] > 0;
}

static bool has_clocks(const System *sys) {
    for (int r = 0; r < sys->runs; r++)
        if (sys->run[r].kind == VAR_CLOCK || sys->run[r].kind == VAR_PREVIOUS)
            return true;
    return false;
}

/* What an event needs while it is lived through; the rest does not change. */
static void take_work(Locals *l) {
    size_t nodes = (size_t)(l->blocks + l->actions), vars = (size_t)l->vars;
    size_t relations = (size_t)l->relations.count;
    l->stamp = 0;
    l->mark = mem_take(nodes, sizeof(int));
    l->need = mem_take(nodes, sizeof(int));
    l->base = mem_take(nodes, sizeof(int));
    l->queue = mem_take(nodes, sizeof(int));
    l->list = mem_take(nodes, sizeof(int));
    l->state_mark = mem_take((size_t)l->states, sizeof(int));
    l->var_mark = mem_take(vars, sizeof(int));
    l->before = mem_take(vars + vars + relations, sizeof(double));
    l->joint_block = mem_take(relations, sizeof(int));
}

static void free_work(Locals *l) {
    effect_free(l->joint);
    free(l->mark), free(l->need), free(l->base), free(l->queue), free(l->list);
    free(l->state_mark), free(l->var_mark), free(l->before), free(l->joint_block);
}

Locals *locals_new(const Instance *instance) {
    const Plan      *plan = instance->plan;
    const Structure *st = plan->st;
    size_t           vars = (size_t)st->vars, states = (size_t)instance->states;
    if (!plan->selective || !instance->image->rows) return NULL;
    Locals *l = mem_take(1, sizeof *l);
    relations_find(&l->relations, plan);
    l->blocks = st->blocks;
    l->actions = st->sys->set[ROWS_ACTION].rows;
    size_t nodes = (size_t)(l->blocks + l->actions);
    l->local = mem_take((size_t)l->relations.count, sizeof(bool));
    l->group = mem_take(nodes, sizeof(int));
    l->item = mem_take(nodes, sizeof(int));
    l->order = mem_take(nodes, sizeof(int));
    l->family = mem_take((size_t)l->actions, sizeof(int));
    l->target = mem_take((size_t)l->actions, sizeof(int));
    l->number = mem_take(vars, sizeof(int));
    l->derivative = mem_take(states, sizeof(int));
    l->states = instance->states;
    l->vars = st->vars;
    take_work(l);
    l->effect = mem_take((size_t)l->blocks, sizeof *l->effect);
    Pairs rates = {0};
    for (int i = 0; i < instance->states; i++) {
        l->number[instance->state[i]] = i + 1;
        l->derivative[i] = continuous_giver(st, instance->rate[i]);
        links_add(&rates, instance->rate[i], i);
    }
    l->rates = links_make(&rates, st->vars, 0);
    free(rates.pair);
    readers_of_blocks(l, plan);
    readers_find(l, plan);
    if (l->relations.count && !has_clocks(st->sys)) choose(l, instance);
    l->any = make_patterns(l, instance);
    return l;
}

Locals *locals_twin(const Locals *original) {
    if (!original) return NULL;
    Locals *l = mem_take(1, sizeof *l);
    *l = *original;
    l->joint = NULL;
    l->again = false;
    take_work(l);
    return l;
}

void locals_twin_free(Locals *l) {
    if (!l) return;
    free_work(l);
    free(l);
}

void locals_free(Locals *l) {
    if (!l) return;
    free_work(l);
    for (int b = 0; b < l->blocks; b++) effect_free(l->effect[b]);
    relations_free(&l->relations);
    links_free(&l->readers), links_free(&l->reads), links_free(&l->pres);
    links_free(&l->of_block), links_free(&l->rates);
    free((void *)l->reads_pattern.start), free((void *)l->reads_pattern.row);
    free((void *)l->changes_pattern.start), free((void *)l->changes_pattern.row);
    free(l->local), free(l->group), free(l->item), free(l->order), free(l->family);
    free(l->target), free(l->number), free(l->derivative), free(l->effect);
    free(l);
}

const Relations *locals_relations(const Locals *l) {
    return &l->relations;
}

bool locals_patterns(const Locals *l, const Pattern **reads, const Pattern **changes) {
    *reads = &l->reads_pattern;
    *changes = &l->changes_pattern;
    return l->any;
}
