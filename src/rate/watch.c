/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c -- slow states beside fast ones: their defect, and when they must join.
 *
 * In the large step a slow state saw fast neighbours only roughly. While the neighbours are
 * integrated again, the slow state's equation is evaluated with their refined values; its
 * difference d to the slope of the large step's polynomial is the defect. The deviation e of the
 * state from that polynomial obeys e' = -a e + d, where a is what is certain of its damping. It
 * is followed from small step to small step with d at both ends and in the middle: the rule
 * is exact for cubics, so that the large step's own error, which d contains too and which is
 * as large as the dense output is inaccurate, does not cost an order.
 *
 * The cluster reads the state with e added (watch_feed). A slow neighbour may be wrong by its
 * own tolerance, but a fast state can be far more sensitive to it than that tolerance tells.
 *
 * As long as e stays below a share of the tolerance the state remains slow and is corrected
 * by e at the end of the large step; otherwise it joins the fast set there and then. This is
 * what lets a front wake the next cell without any part of the step being repeated.
 * Cost per small step: two evaluations of the watched rows. Rows that read very many states
 * would make that costly: they are evaluated at three nodes of the large step, or of its parts
 * between events, when all clusters are through, corrected likewise, and their error counts in the
 * norm of the step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "rate/group.h"

enum { PARTS = 16 }; /* of a large step with events in which heavy rows are evaluated */

/* Watched rows at time t with the given values of the group's states. Slopes of the
 * polynomials are subtracted. */
static Status defects(RateGroup *g, double t, const double *y, double *d) {
    const Model    *m = &g->worker->model;
    double         *x = g->space->x;
    const Selection rows = {SELECT_LIST, 0, g->watch.count, g->watch.state};
    g->space->holder = NULL;
    for (int b = 0; b < g->bound.count; b++) x[g->bound.state[b]] = group_bound(g, b, t);
    for (int i = 0; i < g->n; i++) x[g->state[i]] = y[i];
    g->view.rhs_rows += g->watch.count;
    const Status status =
        m->fn->eval(m->instance, t, x, &rows, g->space->dx, &g->view.fault);
    for (int k = 0; k < g->watch.count && status == STATUS_OK; k++)
        d[k] =
            g->space->dx[g->watch.state[k]] - group_bound_slope(g, g->watch.bound[k], t);
    return status;
}

/* The refined values at t inside the last small step; what it refined itself is in the store after
 * mark. Where that jumps, they are those after the jump. */
static Status inside(RateGroup *g, Mark mark, double t, double *y) {
    const Status status = ode_plain_dense(g->ode, t, y);
    if (status != STATUS_OK) return status;
    const Store *s = &g->worker->store;
    for (int level = g->level + 1; level < g->rate->levels; level++)
        for (size_t q = mark.pieces; q < s->pieces; q++)
            if (s->piece[q].kind == PIECE_STEP && s->piece[q].level == level)
                store_value(s, q, g, t, y);
    return STATUS_OK;
}

/* Slow states that read a watched one do not see its deviation. One of them may be moved by more of
 * its own tolerance than that is of this state's. How much more, for packed state q of the parent;
 * at least 1. */
static double loudness(const RateGroup *g, int q) {
    const RateGroup *parent = g->parent;
    const Pattern   *p = parent->view.pattern;
    double           most = 1.0;
    if (!ode_jacobian(parent->ode)) return most;
    for (int e = p->start[q]; e < p->start[q + 1]; e++) {
        const int j = p->row[e];
        if (j == q || group_find(g->state, g->n, parent->state[j]) >= 0) continue;
        most = fmax(most, group_share(parent, g->span, e, q));
    }
    return most;
}

/* Of the deviation of a slow state of a group, some of whose states are fast. What its diagonal takes
 * away may go to other slow states, which do not see it and would move along: only what is left when
 * all of them deviate alike, each in its tolerances, is certain. (Of two slow states tied to each other
 * by 1e5 one got pulses; damped by the diagonal, 457 tolerances were lost.) */
static double damping(const RateGroup *g, int state, const int *fast, int fasts) {
    const Rate *r = g->rate;
    double      a = -group_diagonal(g, state);
    for (int k = r->row_start[state]; k < r->row_start[state + 1] && a > 0.0; k++) {
        const int s = r->row_column[k], j = s == state ? -1 : group_packed(g, s);
        if (j < 0 || group_find(fast, fasts, s) >= 0) continue;
        a -= fabs(group_jacobian(g, k, state)) * group_weight(g, group_packed(g, state)) /
             group_weight(g, j);
    }
    return fmax(0.0, a);
}

void watch_start(RateGroup *g, const RateGroup *before, bool late) {
    const RateGroup *parent = g->parent;
    if (g->watch.count == 0) return;
    const bool known =
        defects(g, ode_time(g->ode), ode_state(g->ode), g->watch.defect) == STATUS_OK;
    for (int k = 0; k < g->watch.count; k++) {
        const int s = g->watch.state[k];
        const int q = parent->parent ? group_find(parent->state, parent->n, s) : s;
        const int old =
            before ? group_find(before->watch.state, before->watch.count, s) : -1;
        if (!known) g->watch.defect[k] = 0.0;
        g->watch.drift[k] = 0.0;
        if (old >= 0)
            g->watch.drift[k] =
                late ? before->watch.drift_before[old] : before->watch.drift[old];
        g->watch.scale[k] = group_weight(parent, q) * loudness(g, q);
        g->watch.damping[k] = damping(parent, s, g->state, g->n);
    }
}

void watch_renew(RateGroup *g) {
    const Ode *o = g->ode;
    if (g->watch.count > 0 &&
        defects(g, ode_time(o), ode_state(o), g->watch.now) == STATUS_OK)
        memcpy(g->watch.defect, g->watch.now, sizeof(double) * (size_t)g->watch.count);
}

/* Where a part of a step begins: deviations and their slopes. */
static void leave(RateGroup *g) {
    for (int k = 0; k < g->watch.count; k++) {
        g->watch.part_before[k] = g->watch.drift[k];
        g->watch.rise_before[k] =
            g->watch.defect[k] - g->watch.damping[k] * g->watch.drift[k];
    }
}

bool watch_rest(RateGroup *g) {
    memcpy(g->watch.drift_before, g->watch.drift,
           sizeof(double) * (size_t)g->watch.count);
    leave(g);
    return store_drift(&g->worker->store, g, ode_time_last(g->ode), ode_time(g->ode));
}

/* The deviation after a step h: e' = -a e + d, exactly for the parabola through the defects at
 * the beginning, in the middle and at the end. */
static double follow(double e, double a, double h, double first, double half,
                     double last) {
    const double z = a * h, decay = exp(-z);
    if (z < 0.5) {
        const double root = exp(-0.5 * z);
        return e * decay + h / 6.0 * (decay * first + 4.0 * root * half + last);
    }
    const double i0 = (1.0 - decay) / z, i1 = (1.0 - i0) / z, i2 = (1.0 - 2.0 * i1) / z;
    return e * decay + h * (first * i0 + (4.0 * half - 3.0 * first - last) * i1 +
                            2.0 * (first - 2.0 * half + last) * i2);
}

/* The defects at t inside the last small step. */
static bool defects_inside(RateGroup *g, Mark mark, double t, double *d) {
    return inside(g, mark, t, g->middle) == STATUS_OK &&
           defects(g, t, g->middle, d) == STATUS_OK;
}

/* Follows the deviations from a to b, between which the defects are smooth; an event is at b, or the
 * end of the small step. Those at a are known, those after the event are found. */
static bool follow_part(RateGroup *g, Mark mark, double a, double b) {
    const Ode *o = g->ode;
    const bool last = b == ode_time(o);
    const bool known = defects_inside(g, mark, 0.5 * (a + b), g->watch.half) &&
                       (last ? defects(g, b, ode_state(o), g->watch.now) == STATUS_OK
                             : defects_inside(g, mark, nextafter(b, a), g->watch.now));
    leave(g);
    for (int k = 0; k < g->watch.count; k++) {
        const double d = known ? g->watch.now[k] : HUGE_VAL;
        g->watch.drift[k] = follow(g->watch.drift[k], g->watch.damping[k], b - a,
                                   g->watch.defect[k], g->watch.half[k], d);
        g->watch.defect[k] = d;
    }
    const bool stored = store_drift(&g->worker->store, g, a, b);
    if (!last && known && !defects_inside(g, mark, b, g->watch.defect))
        for (int k = 0; k < g->watch.count; k++) g->watch.defect[k] = HUGE_VAL;
    return stored;
}

/* Events inside a step that was refined bend the defects: no rule may reach across them. */
static bool follow_step(RateGroup *g, Mark mark) {
    const Ode *o = g->ode;
    const Mark end = store_mark(&g->worker->store);
    double     a = ode_time_last(o), till = ode_time(o);
    bool       ok = true;
    memcpy(g->watch.drift_before, g->watch.drift,
           sizeof(double) * (size_t)g->watch.count);
    while (ok && a < till) {
        const double b = store_event(&g->worker->store, mark, end, a, till);
        ok = follow_part(g, mark, a, b);
        a = b;
    }
    return ok;
}

int watch_step(RateGroup *g, double h, Mark mark, int *joins, bool *late) {
    int count = 0;
    if (g->watch.count == 0) return 0;
    if (!follow_step(g, mark)) return -1;
    for (int k = 0; k < g->watch.count; k++)
        if (!(fabs(g->watch.drift[k]) * g->watch.scale[k] <= JOIN)) *late = true;
    for (int k = 0; k < g->watch.count;
         k++) { /* when some are late, ask who else will be */
        const double d = g->watch.defect[k];
        const double ahead = follow(g->watch.drift[k], g->watch.damping[k], h, d, d, d);
        if (!(fmax(fabs(g->watch.drift[k]), fabs(ahead)) * g->watch.scale[k] <= JOIN))
            joins[count++] = g->watch.state[k];
    }
    return count;
}

void watch_back(RateGroup *g) {
    memcpy(g->watch.drift, g->watch.drift_before,
           sizeof(double) * (size_t)g->watch.count);
}

/* After an event the defects rise anew: how fast tells a point a little further on the slope. */
int watch_ahead(RateGroup *g, double limit, int *joins) {
    const Ode    *o = g->ode;
    const double  t = ode_time(o), h = fmin(ode_next_step(o), limit - t), by = 0.01 * h;
    const double *y = ode_state(o), *slope = ode_slope(o);
    int           count = 0;
    if (g->watch.count == 0 || !ode_slope_known(o) || !(by > 0.0)) return 0;
    for (int i = 0; i < g->n; i++) g->middle[i] = y[i] + by * slope[i];
    if (defects(g, t + by, g->middle, g->watch.half) != STATUS_OK) return 0;
    for (int k = 0; k < g->watch.count; k++) {
        const double d = g->watch.defect[k], rise = 0.5 * h * (g->watch.half[k] - d) / by;
        const double ahead = follow(g->watch.drift[k], g->watch.damping[k], h, d,
                                    d + rise, d + 2.0 * rise);
        if (!(fabs(ahead) * g->watch.scale[k] <= JOIN))
            joins[count++] = g->watch.state[k];
    }
    return count;
}

/* What the cluster sees of a deviation is a line over its next step, towards the value expected
 * at its end. It is continuous, because the slope at the end of the last step is used again. */
void watch_aim(RateGroup *g, double limit) {
    const Ode   *o = g->ode;
    const double t = ode_time(o), h = fmin(ode_next_step(o), limit - t);
    const bool   goes_on = ode_slope_known(o);
    group_moved(g);
    for (int k = 0; k < g->watch.count; k++) {
        const double e = g->watch.drift[k], a = g->watch.damping[k];
        g->watch.seen[k] =
            goes_on ? g->watch.seen[k] + (t - g->watch.aimed) * g->watch.seen_slope[k]
                    : e;
        g->watch.seen_slope[k] =
            h > 0.0
                ? ((e + h * g->watch.defect[k]) / (1.0 + a * h) - g->watch.seen[k]) / h
                : g->watch.defect[k] - a * e;
    }
    g->watch.aimed = t;
}

void watch_feed(const RateGroup *g, double t, double *x) {
    for (int k = 0; k < g->watch.count; k++)
        if (g->watch.bound[k] < g->bound.near)
            x[g->watch.state[k]] +=
                g->watch.seen[k] + (t - g->watch.aimed) * g->watch.seen_slope[k];
}

double watch_value(const RateGroup *g, int state, double t, bool late) {
    const int        k = group_find(g->watch.state, g->watch.count, state);
    const RateGroup *p = g->parent;
    double           slope;
    if (k < 0)
        return group_curve_at(p, group_packed(p, state), g->span,
                              (t - ode_time(p->ode)) / g->span, &slope);
    return group_bound(g, g->watch.bound[k], t) +
           (late ? g->watch.drift_before[k] : g->watch.drift[k]);
}

/* What the clusters of a step have in common: the deviation along the polynomials of the large
 * step, from four nodes of Lobatto. Corrections by several clusters would count it as often. */
static bool common(RateGroup *g, double *own) {
    static const double node[] = {0.0, 0.27639320225002106, 0.7236067977499789, 1.0};
    static const double part[] = {1.0 / 12.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0};
    const RateGroup    *p = g->parent;
    const double        span = g->end - ode_time(p->ode);
    double             *y = g->middle, slope;
    memset(own, 0, sizeof(double) * (size_t)g->watch.count);
    for (int q = 0; q < LENGTH(node); q++) {
        for (int i = 0; i < g->n; i++)
            y[i] = group_curve_at(p, group_packed(p, g->state[i]), g->span,
                                  node[q] * span / g->span, &slope);
        if (defects(g, ode_time(p->ode) + node[q] * span, y, g->watch.half) != STATUS_OK)
            return false;
        for (int k = 0; k < g->watch.count; k++)
            own[k] += part[q] * span * g->watch.half[k] *
                      exp(-g->watch.damping[k] * span * (1.0 - node[q]));
    }
    return true;
}

int watch_finish(RateGroup *g, int *fix, double *value) {
    const bool several = g->parent->space->clusters > 1;
    int        fixes = 0;
    if (several && !common(g, g->watch.now)) return 0;
    for (int k = 0; k < g->watch.count; k++) {
        if (!isfinite(g->watch.drift[k])) continue;
        value[FIX * fixes] = g->watch.drift[k];
        value[FIX * fixes + 1] = fabs(g->watch.drift[k]) * g->watch.scale[k];
        value[FIX * fixes + 2] = several ? g->watch.now[k] : 0.0;
        fix[fixes++] = g->watch.state[k];
    }
    return fixes;
}

void watch_refused(Rate *r, double work) {
    const double often = 0.2;
    r->vain += work;
    if (r->vain < often * r->ledger.spent) return;
    r->light = r->n;
    r->heavy = 0;
    group_forget(r);
}

/* ---- heavy rows -------------------------------------------------------------------------- */

static int heavy_rows(const RateGroup *g, const int *done, int dones, int *list) {
    const Rate    *r = g->rate;
    const Pattern *p = r->pattern;
    int           *seen = g->space->place;
    int            count = 0;
    for (int k = 0; k < dones; k++) seen[done[k]] = -2; /* integrated themselves */
    for (int k = 0; k < dones; k++)
        for (int e = p->start[done[k]]; e < p->start[done[k] + 1]; e++) {
            const int i = p->row[e];
            if (r->row_start[i + 1] - r->row_start[i] <= r->light || seen[i] != -1)
                continue;
            seen[i] = -2;
            list[count++] = i;
        }
    for (int k = 0; k < count; k++) seen[list[k]] = -1;
    for (int k = 0; k < dones; k++) seen[done[k]] = -1;
    qsort(list, (size_t)count, sizeof(int), int_ascending);
    return count;
}

/* All states of the first level at a time of the attempt, the refined ones refined. */
static void state_at(const RateGroup *g, double h, double t, double *x, double *slope) {
    const double theta = (t - ode_time(g->ode)) / h;
    for (int i = 0; i < g->n; i++) x[i] = group_curve_at(g, i, h, theta, &slope[i]);
    timeline_values(g, t, x);
}

/* The end of the part of a large step that begins at t and is smooth. Where events are many, parts of
 * some length average them. */
static double smooth_until(const RateGroup *g, double end, double t) {
    const Workspace *w = g->space;
    const double     least = t + (end - ode_time(g->ode)) / PARTS;
    double           next = end;
    if (!g->rate->cones || least >= end) return end;
    for (int c = 0; c < w->clusters; c++) {
        const Cluster *one = &w->cluster[c];
        const Mark     from = {.pieces = one->pieces}, to = {.pieces = one->pieces_end};
        next = fmin(next, store_event(&one->worker->store, from, to, least, end));
    }
    return next;
}

/* Adds what the heavy rows of list deviate by from a to b: three nodes of Gauss. */
static bool heavy_part(RateGroup *g, double h, double a, double b, int *list, int count) {
    static const double gauss[] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double part[] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const Model        *m = g->rate->model;
    Workspace          *w = g->space;
    const Selection     rows = {SELECT_LIST, 0, count, list};
    for (int q = 0; q < 3; q++) {
        const double t = a + gauss[q] * (b - a);
        state_at(g, h, t, w->x, w->out);
        g->view.rhs_rows += count;
        if (m->fn->eval(m->instance, t, w->x, &rows, w->dx, &g->view.fault) != STATUS_OK)
            return false;
        for (int k = 0; k < count; k++)
            w->seed[list[k]] += part[q] * (b - a) * (w->dx[list[k]] - w->out[list[k]]);
    }
    return true;
}

double watch_heavy(RateGroup *g, double h, double end, int *done, int dones) {
    const Rate  *r = g->rate;
    const double begin = ode_time(g->ode);
    Workspace   *w = g->space;
    int         *list = w->list;
    double      *drift = w->seed, worst = 0.0;
    bool         known = true;
    if (r->heavy == 0 || g->parent) return 0.0;
    qsort(done, (size_t)dones, sizeof(int), int_ascending);
    const int count = heavy_rows(g, done, dones, list);
    for (int k = 0; k < count; k++) drift[list[k]] = 0.0;
    for (double a = begin, b; known && count > 0 && a < end; a = b) {
        b = smooth_until(g, end, a);
        known = heavy_part(g, h, a, b, list, count);
    }
    for (int k = 0; k < count; k++) {
        const int    i = list[k];
        const double d = drift[i] / (1.0 + (end - begin) * damping(g, i, done, dones));
        drift[i] = 0.0;
        if (known) ode_attempt(g->ode)[i] += d;
        worst = fmax(worst, fabs(d) * group_weight(g, i));
    }
    return known ? worst : HUGE_VAL;
}
