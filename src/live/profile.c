/* SPDX-License-Identifier: Apache-2.0 */
/* profile.c -- what groups of equations cost.
 *
 * Counting is exact: how often all rows were evaluated, and how often each as a part of the model. The time of a row is measured after the run: the code of its group runs alone, at the
 * last point, until it has taken SPAN seconds; the least of ROUNDS measurements counts. So the run
 * itself is not slowed down. Torn blocks start from their solution then and need fewer iterations than
 * on their way; groups that call something that is no function are not run again.
 *
 * Cost: ROUNDS * SPAN seconds a group, and TOTAL seconds at most. */
#include "live/live.h"

#include <math.h>

enum { ROUNDS = 3 };
static const double SPAN = 50e-6, TOTAL = 1.0;

/* Marks the groups that must not run again. */
static void mark_impure(const BlockGraph *g, unsigned char *impure) {
    for (int b = 0; b < g->blocks; b++) impure[g->group[b]] |= g->impure[b];
}

/* Seconds for all listed rows; below 0: they failed. */
static double measure(Running *r, ListCode *rows, const int *item, int n, double span,
                      double (*now)(void)) {
    double best = HUGE_VAL;
    for (int round = 0; round < ROUNDS; round++) {
        long   count = 0, most = 1;
        double begin = now(), taken = 0;
        for (; taken < span && most < 1L << 24; most *= 2) {
            for (; count < most; count++)
                if (rows(&r->rb, item, n)) return -1;
            taken = now() - begin;
        }
        best = fmin(best, taken / (double)count);
    }
    return best;
}

bool instance_begin_profile(Instance *instance) {
    return !instance->cones || cones_begin_tally(instance->cones, instance->run.part);
}

static void add_tally(const Part *part, Cones *from, double *times) {
    const double *tally = cones_tally(from);
    for (int k = 0; tally && k < part->items; k++) times[k] += tally[k];
}

void profile_join(Instance *original, Instance *twin) {
    double *to = cones_tally(original->cones);
    if (to) add_tally(original->run.part, twin->cones, to);
}

static int items_of(const Group *group) {
    return group->kind == GROUP_CHAIN ? group->count * group->size : group->count;
}

static void count_rows(const Instance *instance, double *times) {
    const Part  *part = instance->run.part;
    const Counts all = instance_counts(instance);
    for (int g = 0; g < part->groups; g++) {
        const Group *group = &part->group[g];
        double       whole = (double)all.rounds;
        if (!group->discrete) whole += (double)all.values;
        if (!group->discrete && !group->shown) whole += (double)all.rates;
        for (int i = 0; i < items_of(group); i++) times[group->item + i] = whole;
    }
    add_tally(part, instance->cones, times);
    for (const Instance *twin = instance->twins; twin; twin = twin->twins)
        add_tally(part, twin->cones, times);
}

bool instance_profile(Instance *instance, double t, const double *x, double (*now)(void),
                      double *times, double *seconds) {
    Running    *r = &instance->run;
    const Part *part = r->part;
    double      span = part->groups ? TOTAL / ROUNDS / part->groups : SPAN;
    int         most = 0;
    if (!part->selective || instance_evaluate(instance, t, x)) return false;
    count_rows(instance, times);
    for (int g = 0; g < part->groups; g++)
        if (part->group[g].count * part->group[g].size > most)
            most = part->group[g].count * part->group[g].size;
    int           *item = mem_take((size_t)most + 1, sizeof *item);
    unsigned char *impure = mem_take((size_t)part->groups + 1, 1);
    if (!item || !impure) return mem_free(item), mem_free(impure), false;
    mark_impure(&instance->program->graph, impure);
    for (int i = 0; i < most; i++) item[i] = i;
    Moment at = moment_at(t);
    at.piece = true;
    running_at(r, at);
    r->rb.x = x;
    r->rb.dx = instance->dx;
    for (int g = 0; g < part->groups; g++) {
        const Group *group = &part->group[g];
        const int    n = items_of(group);
        ListCode    *code = group->discrete ? NULL : r->image->rows(g);
        seconds[g] = code && !impure[g]
                         ? measure(r, code, item, n, fmin(span, SPAN), now) / n
                         : -1;
    }
    mem_free(item);
    mem_free(impure);
    return instance_evaluate(instance, t, x) == 0;
}
