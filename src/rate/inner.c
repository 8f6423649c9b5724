/* SPDX-License-Identifier: Apache-2.0 */
/* inner.c -- one cluster of fast states through the interval of a large step.
 *
 * The cluster's group reads its neighbours from the polynomials of the large step and takes
 * steps of its own; it may refine again. Slow states that see too much of the refined values
 * join while it runs (watch.c): the group is then replaced by a larger one. A state that
 * belongs to another cluster cannot join: the run ends and the two must become one.
 *
 * Nothing of a run depends on what its group, taken from a cache, did before, nor on other
 * clusters of the same step: results are the same on any number of threads.
 * Cost: that of the small steps, and O(entries of the fast rows and columns). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "rate/group.h"

enum {
    NARROW = 1, /* readers of a state at a front that goes along a line */
    LINE = 6    /* states that a row of such a line reads at most */
};

/* The polynomials of everything the group reads, from its parent's attempt. */
static void take_curves(RateGroup *g, double h) {
    const RateGroup *p = g->parent;
    g->span = h;
    for (int b = 0; b < g->bound.count; b++) {
        const int s = g->bound.state[b];
        const int q = group_packed(p, s);
        double   *c = g->bound.coefficient + (size_t)b * COEFFICIENT;
        if (q >= 0) {
            g->bound.powers[b] = group_curve(p, q, h, c);
            g->bound.origin[b] = ode_time(p->ode);
            g->bound.inverse[b] = 1.0 / h;
            continue;
        }
        int at = group_find(p->bound.state, p->bound.near, s);
        if (at < 0) {
            at = group_find(p->bound.state + p->bound.near,
                            p->bound.count - p->bound.near, s);
            if (at >= 0) at += p->bound.near;
        }
        g->bound.powers[b] = at >= 0 ? p->bound.powers[at] : 0;
        g->bound.origin[b] = at >= 0 ? p->bound.origin[at] : 0.0;
        g->bound.inverse[b] = at >= 0 ? p->bound.inverse[at] : 0.0;
        if (at >= 0)
            memcpy(c, p->bound.coefficient + (size_t)at * COEFFICIENT,
                   sizeof(double) * COEFFICIENT);
    }
}

/* The group of the run with more states, at the end of its last small step or, when that
 * saw them too late, at its beginning. */
static RateGroup *enlarge(const ClusterRun *run, RateGroup *g, const int *join, int joins,
                          bool late) {
    const RateGroup *p = run->parent;
    const Ode       *o = g->ode;
    int             *list = g->space->merged;
    const double    *y = late ? ode_state_last(o) : ode_state(o);
    const double     begin = ode_time_last(o), end = ode_time(o), t = late ? begin : end;
    const double     step = late ? end - begin : ode_next_step(o);
    int              n = 0;
    for (int i = 0, k = 0; i < g->n || k < joins;)
        list[n++] =
            k == joins || (i < g->n && g->state[i] < join[k]) ? g->state[i++] : join[k++];
    RateGroup *next = group_get(g->worker, run->parent, g->level, list, n);
    if (!next) return NULL;
    next->busy = true;
    next->end = g->end;
    next->effort.counts = ode_statistics(next->ode);
    next->effort.below =
        g->effort.below + work_since(g, &g->effort.counts) + work_build(n);
    next->effort.steps = g->effort.steps;
    next->effort.steps_below = 0.0;
    double *x = ode_place(next->ode, t, step);
    if (g->rate->cones) event_take_over(next, g);
    next->events.flat = g->events.flat;
    next->part.join_rate = g->part.join_rate;
    next->part.join_span = g->part.join_span;
    next->part.join_rate_below = g->part.join_rate_below;
    take_curves(next, run->h);
    memset(next->part.fast, 0, (size_t)n);
    const float limit = (float)log2(step > 0.0 ? step : run->h / 64.0) + 1.0f;
    for (int i = 0; i < n; i++) {
        const int s = next->state[i], at = group_find(g->state, g->n, s);
        if (at >= 0) {
            x[i] = y[at];
            next->part.natural[i] = g->part.natural[at];
            next->part.stable[i] = g->part.stable[at];
            continue;
        }
        x[i] = watch_value(g, s, t, late);
        next->part.stable[i] = ANY;
        next->part.natural[i] =
            fminf(p->part.natural[group_packed(p, s)] + refine_stricter(p, s), limit);
    }
    watch_start(next, g, late);
    g->busy = false;
    return next;
}

static Status failed(RateGroup *g, Status status) {
    if (status != STATUS_OK) g->worker->fault = *ode_fault(g->ode);
    return status;
}

/* What the watched rows read jumps only if a state of the group does: their own events concern them,
 * and they would not be watched. */
static Status fire(RateGroup *g, bool at_once) {
    const size_t bytes = sizeof(double) * (size_t)g->n;
    memcpy(g->middle, ode_state(g->ode), bytes);
    const Status status = event_fire(g, at_once);
    if (status == STATUS_OK && memcmp(g->middle, ode_state(g->ode), bytes) != 0)
        watch_renew(g);
    return status;
}

/* One step of the group, and the event at its end. States that must join go to joins, *late: at its
 * beginning. After an event they are asked for before it. */
static Status step(RateGroup *g, int *joins, bool *late) {
    Rate        *r = g->rate;
    Ode         *o = g->ode;
    Store       *store = &g->worker->store;
    const Mark   mark = store_mark(store);
    const bool   here = r->cones && !partition_allowed(g); /* events are found here */
    const bool   fixed = ode_fixed_step(o) > 0.0;
    const double limit = here ? fmin(g->end, event_expected(g)) : g->end;
    int         *join = g->space->joined, event = 0;
    watch_aim(g, limit);
    Status     status = here ? event_here(g, &event) : STATUS_OK;
    const bool at_once = event > 0;
    if (r->cones && !at_once) event_save(g);
    if (status == STATUS_OK && here && !at_once && g->events.recents > 0 && !fixed) {
        *joins = watch_ahead(g, limit, join);
        if (*joins > 0) return STATUS_OK;
    }
    if (status == STATUS_OK && !at_once) status = ode_step(o, limit);
    if (status == STATUS_OK && here && !at_once && g->events.crossings > 0)
        status = event_find(g, &event);
    if (status != STATUS_OK) return failed(g, status);
    if (at_once) *joins = watch_rest(g) ? 0 : -1;
    else *joins = watch_step(g, ode_time(o) - ode_time_last(o), mark, join, late);
    if (*joins < 0) return STATUS_NO_MEMORY;
    if (fixed) *joins = 0, *late = false;
    if (*late) {
        store_rewind(store, mark);
        if (r->cones) event_restore(g);
        return STATUS_OK;
    }
    if (ode_time(o) >= g->end) *joins = 0;
    g->effort.steps += fmax(1.0, g->effort.steps_below);
    g->effort.steps_below = 0.0;
    g->worker->stats.steps[g->level]++;
    g->worker->stats.state_steps[g->level] += g->n;
    if (!store_step(store, g, event > 0)) return STATUS_NO_MEMORY;
    if (event == 0) return STATUS_OK;
    return failed(g, fire(g, at_once));
}

/* Is this a place inside the parent's attempt where it may end? */
static bool may_end(const ClusterRun *run, const RateGroup *g, bool late) {
    const Ode *o = g->ode;
    return group_may_end(run->parent, run->h, late ? ode_time_last(o) : ode_time(o));
}

/* Does a state of the cluster have more readers than that? */
static bool has_hub(const RateGroup *g, double readers) {
    const Pattern *p = g->rate->pattern;
    for (int i = 0; i < g->n; i++)
        if (p->start[g->state[i] + 1] - p->start[g->state[i]] > readers) return true;
    return false;
}

/* Where a cluster is a large part of all states, or would be with what joins, the larger step had better
 * end: its slow states do not follow its polynomials any longer. A smaller part is enough where several join at
 * once that may read the same state of it: what else reads that will follow. */
static bool is_crowd(const ClusterRun *run, const RateGroup *g, int joins) {
    const double all = run->parent->n;
    const bool   begins = joins > 1 && has_hub(g, fmax(8.0, 0.06 * all));
    const double few = begins ? 4.0 : 8.0, share = begins ? 0.06 : 0.22;
    return g->n + joins > fmax(few, share * all);
}

/* A crowd that cannot be avoided may cost as much as the larger step. */
static bool crowded_out(ClusterRun *run, const RateGroup *g) {
    if (is_crowd(run, g, 0)) run->crowded += g->n;
    return run->crowded > run->parent->n && ode_time(g->ode) < g->end &&
           group_may_end(run->parent, 0.0, ode_time(g->ode));
}

static void end_here(ClusterRun *run, RateGroup *g, bool late) {
    run->stopped = true;
    if (late) {
        ode_repeat(g->ode, ode_time(g->ode));
        watch_back(g);
    }
    g->end = ode_time(g->ode);
}

/* Slow states that are not in the way of anything and read a state that joins: n of them go to list. What reads
 * many states, as the supply of many rooms, is on no line. */
static int readers_of(const ClusterRun *run, const RateGroup *g, int state, int *list,
                      int n) {
    const Pattern *p = g->rate->pattern;
    int           *place = g->space->place, before = n;
    bool           line = true;
    for (int e = p->start[state]; e < p->start[state + 1]; e++) {
        const int s = p->row[e];
        if (place[s] != -1 || run->owner[s] >= 0 || group_packed(run->parent, s) < 0 ||
            group_find(g->state, g->n, s) >= 0)
            continue;
        place[s] = -2;
        list[n++] = s;
        line = line && n - before <= NARROW &&
               g->rate->row_start[s + 1] - g->rate->row_start[s] <= LINE;
        if (!line) break;
    }
    if (line) return n;
    while (n > before) place[list[--n]] = -1;
    return n;
}

/* A front takes in one state after the other, and each makes a group of its own, which costs as much as many
 * small steps of a state. Where states join every s small steps, at B for a group and c for a state in a step,
 * m of them at once cost   B / m + (m - 1) c s / 2   each, least at   m = sqrt(2 B / (c s)).
 * Those that come next read those that join now. */
static int take_ahead(const ClusterRun *run, const RateGroup *g, int *join, int joins) {
    const Rate   *r = g->rate;
    const Method *m = r->method[g->level];
    const double  left = g->end - ode_time(g->ode), h = ode_next_step(g->ode);
    if (r->cones || r->options.partition || !(h > 0.0)) return joins;
    const double spacing = fmax(run->since, 1.0);
    const double each = work_part(r, m, g->n + 1.0) - work_part(r, m, g->n);
    const double best = sqrt(2.0 * work_build(g->n) / (each * spacing));
    const double count = joins * fmin(best, 1.0 + left / (h * spacing));
    int          n = joins;
    for (int k = 0; k < joins; k++) g->space->place[join[k]] = -2;
    for (int k = 0; k < n && n < count && n + g->n < run->parent->n / 4; k++)
        n = readers_of(run, g, join[k], join, n);
    for (int k = 0; k < n; k++) g->space->place[join[k]] = -1;
    qsort(join, (size_t)n, sizeof(int), int_ascending);
    return n;
}

/* The states that must join do; run->conflict: one belongs to another cluster. */
static Status take_in(ClusterRun *run, RateGroup **group, int joins, bool late) {
    RateGroup *g = *group;
    Rate      *r = g->rate;
    Worker    *w = g->worker;
    int       *join = g->space->joined;
    if (is_crowd(run, g, joins) && may_end(run, g, late)) {
        end_here(run, g, late);
        return STATUS_OK;
    }
    const int tied = r->cones ? event_close(r, join, joins, g->space->place) : joins;
    for (int k = 0; k < tied && run->conflict < 0; k++)
        run->conflict = run->owner[join[k]] != run->own ? run->owner[join[k]] : -1;
    if (run->conflict >= 0) return STATUS_OK;
    for (int k = joins; k < tied; k++) /* more than neighbours: left to the larger step */
        if (group_find(g->state, g->n, join[k]) < 0) return STATUS_RETRY;
    w->stats.joined += joins;
    run->joined += joins;
    joins = take_ahead(run, g, join, joins);
    run->since = 0;
    if (r->cones && g->level + 1 == r->levels) w->deep_joins += joins;
    RateGroup *next = enlarge(run, g, join, joins, late);
    if (!next || !store_curves(&w->store, next)) return STATUS_NO_MEMORY;
    *group = next;
    return r->cones && event_join(next, g) != STATUS_OK ? STATUS_RETRY : STATUS_OK;
}

static Status advance(ClusterRun *run, RateGroup **group) {
    while (ode_time((*group)->ode) < (*group)->end) {
        RateGroup   *g = *group;
        const double begin = ode_time(g->ode);
        int          joins = 0;
        bool         late = false;
        Status       status = step(g, &joins, &late);
        if (status == STATUS_OK && joins > 0) status = take_in(run, group, joins, late);
        if (status != STATUS_OK || run->conflict >= 0 || run->stopped) return status;
        g = *group;
        if (joins == 0) run->since++;
        if (joins == 0 && crowded_out(run, g)) {
            end_here(run, g, false);
            return STATUS_OK;
        }
        const double now = ode_time(g->ode), remain = g->end - now;
        if (joins > 0 && partition_allowed(g)) partition_start(g, remain);
        else if (now > begin) partition_review(g, now - begin, remain);
    }
    return STATUS_OK;
}

Status inner_run(ClusterRun *run, Worker *w, const int *state, int n,
                 RateGroup **result) {
    RateGroup *p = run->parent;
    RateGroup *g = group_get(w, p, p->level + 1, state, n);
    int        bin = 0;
    *result = g;
    run->conflict = -1;
    run->crowded = 0.0;
    run->stopped = false;
    if (!g) return STATUS_NO_MEMORY;
    while (bin < 15 && n >> (bin + 1)) bin++;
    w->stats.active[bin]++;
    w->stats.clusters++;
    g->busy = true;
    g->effort.counts = ode_statistics(g->ode);
    g->effort.below = work_run();
    g->effort.steps = g->effort.steps_below = 0.0;
    g->end = run->end;
    if (p->parent && run->end >= p->end * (1.0 - 1e-15)) g->end = p->end;
    double *x = ode_place(g->ode, run->begin, 0.0);
    if (p->rate->cones) event_begin(g, p->rate->fresh);
    g->part.join_rate = p->part.join_rate_below;
    g->part.join_span = run->h;
    g->part.join_rate_below = 0.0;
    for (int i = 0; i < n; i++) {
        const int q = group_packed(p, state[i]);
        x[i] = ode_state(p->ode)[q];
        g->part.natural[i] = p->part.natural[q] + refine_stricter(p, state[i]);
        g->part.stable[i] = ANY;
    }
    take_curves(g, run->h);
    watch_start(g, NULL, false);
    if (!store_curves(&w->store, g)) return STATUS_NO_MEMORY;
    partition_start(g, run->end - run->begin);
    return advance(run, result);
}
