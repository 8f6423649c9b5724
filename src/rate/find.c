/* SPDX-License-Identifier: Apache-2.0 */
/* find.c -- the events of a group in its last step: looking for them, their time, the step's new end.
 *
 * After a step the crossings of the group are evaluated at its end, and inside it those that may have
 * turned. Those that changed sign are located on the step's polynomial (event/locate.c). Where that is
 * accurate enough the step ends on it; otherwise it is repeated up to the time found, so that time
 * and state are as accurate as the method and not as its dense output, and corrected by a line.
 * Cost of an event: five to six evaluations of the crossing, and seldom a step. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "event/event.h"
#include "rate/group.h"

/* Share of the tolerance up to which the error of a step allows it to end on its polynomial. */
#define DENSE 0.1

static Status give(const RateGroup *g, const Selection *which, double *z) {
    const Worker *w = g->worker;
    for (int k = 0, n = selection_count(which, w->model.nz); k < n; k++) {
        const int i = selection_row(which, k);
        if (!isfinite(w->z_new[i])) return STATUS_RETRY;
        z[i] = w->z_new[i];
    }
    return STATUS_OK;
}

/* Crossings on the polynomial of the last step. */
static Status on_polynomial(RateGroup *g, double t, const Selection *which) {
    const Worker *w = g->worker;
    const Status  status =
        g->parent ? ode_dense(g->ode, t, w->event_x) : rate_dense(g->rate, t, w->event_x);
    return status == STATUS_OK ? event_evaluate(g, t, w->event_x, which) : status;
}

/* The same for locate_first. no_cones: everything is evaluated, as if the model could not be asked
 * for less. */
static Status along_step(void *owner, double t, const Selection *which, double *z) {
    RateGroup      *g = owner;
    const Selection all = {0};
    const bool      whole = g->rate->options.no_cones;
    const Status    status = on_polynomial(g, t, whole ? &all : which);
    return status == STATUS_OK ? give(g, which, z) : status;
}

/* Likewise on the line from the present state along its slope. */
static Status along_line(void *owner, double t, const Selection *which, double *z) {
    RateGroup    *g = owner;
    const Worker *w = g->worker;
    ode_on_line(g->ode, t, w->event_x);
    const Status status = event_evaluate(g, t, w->event_x, which);
    return status == STATUS_OK ? give(g, which, z) : status;
}

/* The step again from its beginning, to end at t. It may become shorter. */
static Status repeat(RateGroup *g, double t) {
    if (!g->parent) clusters_take_back(g, (Mark){0});
    ode_repeat(g->ode, t);
    return ode_step(g->ode, t);
}

/* Those that an event has just moved. */
static Selection recent(const RateGroup *g) {
    if (!g->rate->cones) return (Selection){0};
    return (Selection){SELECT_LIST, 0, g->events.recents, g->events.recent};
}
static bool is_recent(const RateGroup *g, int z) {
    return g->events.recents > 0 &&
           (!g->rate->cones || group_find(g->events.recent, g->events.recents, z) >= 0);
}

/* A bracket without crossings. */
static Bracket bracket(const Worker *w, double low, double high) {
    return (Bracket){.low = low,
                     .high = high,
                     .width = fmax(8.0 * DBL_EPSILON * fmax(fabs(low), fabs(high)),
                                   1e-13 * (high - low)),
                     .left = w->left,
                     .right = w->right,
                     .trial = w->trial,
                     .old = w->old,
                     .changed = w->changed};
}

/* ---- looking ---------------------------------------------------------------------------- */

/* May a crossing have changed sign and come back in between? It has if it went towards zero at the
 * beginning and away from it at the end; slope NAN: unknown. */
static bool may_turn(double slope, double mean, double z) {
    const double end = 2.0 * mean - slope, sign = z > 0.0 ? 1.0 : -1.0;
    return !(sign * slope > 0.0) && !(sign * end < 0.0);
}

static Status at(RateGroup *g, double t, Selection which) {
    const Worker *w = g->worker;
    const Status  status = t < ode_time(g->ode)
                               ? on_polynomial(g, t, &which)
                               : event_evaluate(g, t, ode_state(g->ode), &which);
    if (status != STATUS_OK) return STATUS_RETRY;
    for (int k = 0, n = selection_count(&which, w->model.nz); k < n; k++)
        if (!isfinite(w->z_new[selection_row(&which, k)])) return STATUS_RETRY;
    return STATUS_OK;
}

/* The crossings of the list inside the step, at its middle and, if asked for, at points ever nearer
 * to its beginning: one that crosses and comes back is seen if it has done so at one of them. Those
 * that have changed by then make the bracket, otherwise it begins at the last point. */
static Status look_inside(RateGroup *g, Bracket *b, const int *list, int n, bool early) {
    static const double share[] = {1.0 / 64, 1.0 / 16, 0.25, 0.5};
    const Worker       *w = g->worker;
    const double        begin = b->low, h = b->high - begin;
    for (int i = early ? 0 : LENGTH(share) - 1; i < LENGTH(share); i++) {
        const double t = begin + share[i] * h;
        int          count = 0;
        if (!(t > b->low && t < ode_time(g->ode))) continue;
        const Status status = at(g, t, (Selection){SELECT_LIST, 0, n, list});
        if (status != STATUS_OK) return status;
        for (int k = 0; k < n; k++)
            count += event_differs(b->left[list[k]], w->z_new[list[k]]);
        if (count > 0) b->high = t, b->changes = 0;
        else b->low = t;
        for (int k = 0; k < n; k++) {
            const int z = list[k];
            if (count == 0) b->left[z] = w->z_new[z];
            else if (event_differs(b->left[z], w->z_new[z])) b->changed[b->changes++] = z;
            if (count > 0) b->right[z] = w->z_new[z];
        }
        if (count > 0) break;
    }
    return STATUS_OK;
}

/* The crossings at the end of the step, and inside it where one may have turned. */
static Status look(RateGroup *g, Bracket *b) {
    Worker         *w = g->worker;
    const Selection which = event_watched(g);
    const int       n = selection_count(&which, w->model.nz);
    int            *list = w->changed + w->model.nz, count = 0, turns = 0;
    bool            early = false;
    Status          status = at(g, b->high, which);
    if (status != STATUS_OK) return status;
    for (int k = 0; k < n; k++) {
        const int    z = selection_row(&which, k);
        const double before = g->events.signs[z].z, now = w->z_new[z];
        const double mean = (now - before) / (b->high - b->low);
        const bool   fresh = is_recent(g, z), changed = event_differs(before, now);
        const double slope =
            fresh ? g->events.signs[z].slope : 0.5 * (g->events.signs[z].slope + mean);
        const bool turn = !changed && may_turn(slope, mean, now);
        b->left[z] = before, b->right[z] = w->end[z] = now,
        g->events.signs[z].slope = mean;
        if (changed) b->changed[b->changes++] = z;
        if (changed || turn) list[count++] = z;
        turns += turn;
        early = early || (turn && fresh);
    }
    if (turns > 0) status = look_inside(g, b, list, count, early);
    for (int k = 0; k < n && b->changes == 0; k++) {
        const int z = selection_row(&which, k);
        event_note(&g->events.signs[z], w->end[z]);
    }
    return status;
}

/* ---- ending the step there ------------------------------------------------------------------ */

/* Is the polynomial of the last step good enough to end the step inside it? It has the order of the
 * error estimate. */
static bool is_accurate(const RateGroup *g) {
    const OdeTolerance asked = ode_tolerance(g->ode);
    const double      *y = ode_state(g->ode), *error = ode_error(g->ode);
    for (int i = 0; i < g->n; i++) {
        const bool   refined = g->part.fast[i] && g->space->clusters > 0;
        const double wanted = asked.absolute[i] + asked.relative * fabs(y[i]);
        if (!refined && !(fabs(error[i]) <= DENSE * wanted)) return false;
    }
    return true;
}

static Status cut(RateGroup *g, double t) {
    const Worker *w = g->worker;
    Ode          *o = g->ode;
    const Status  status =
        g->parent ? ode_dense(o, t, w->event_x) : rate_dense(g->rate, t, w->event_x);
    if (status == STATUS_OK) ode_cut(o, t, w->event_x);
    return status;
}

/* How far along the slope crossing z has its new sign, by no more than rounding: secants, then away
 * from the border. h: the length of the step. */
static Status line_to(RateGroup *g, int z, bool positive, double h, double *by) {
    const Worker   *w = g->worker;
    const double    t = ode_time(g->ode);
    const Selection one = {SELECT_RANGE, z, 1, NULL};
    const double    fine = 8.0 * DBL_EPSILON * fabs(t) + 1e-13 * h;
    double slope = g->events.signs[z].slope, before = NAN, last = NAN, push = 0.0;
    *by = 0.0;
    for (int k = 0; k < 60; k++) {
        if (along_line(g, t + *by, &one, w->trial) != STATUS_OK) return STATUS_RETRY;
        const double now = w->trial[z];
        if (fabs(*by - last) > 1e-9 * h) slope = (now - before) / (*by - last);
        before = now, last = *by;
        const double step = slope != 0.0 ? -now / slope : 0.0;
        if (!(fabs(*by + step) <= h)) return STATUS_RETRY;
        if (k < 10 && fabs(step) > fine) {
            *by += step;
            continue;
        }
        if (fabs(step) > 1e-6 * h) return STATUS_RETRY;
        if ((now > 0.0) == positive) return STATUS_OK;
        push = fmax(4.0 * push, 2.0 * DBL_EPSILON * fabs(t) + fmax(step, 0.0));
        *by += push;
    }
    return STATUS_RETRY;
}

/* The step again, to end at the time found, and on by a line that is as good as the step: the
 * polynomial is less accurate than the end of a step. *shorter: it ends before, and has no event yet. */
static Status step_to(RateGroup *g, Bracket *b, bool *shorter) {
    Ode         *o = g->ode;
    const double begin = ode_time_last(o), length = ode_time(o) - begin;
    const int    z = b->changed[0];
    const bool   positive = b->right[z] > 0.0;
    double       t = b->high, by = 0.0;
    for (int tries = 0; tries < 5; tries++, t += by) {
        if (!(t > begin && t < begin + 2.0 * length)) return STATUS_RETRY;
        Status status = repeat(g, t);
        *shorter = status == STATUS_OK && ode_time(o) < t;
        if (*shorter) return STATUS_OK;
        if (status == STATUS_OK) status = ode_find_slope(o);
        if (status == STATUS_OK) status = line_to(g, z, positive, length, &by);
        if (status != STATUS_OK) return status;
        if (fabs(by) > sqrt(ode_tolerance(o).relative) * (t - begin)) continue;
        ode_slide(o, ode_time(o) + by);
        return STATUS_OK;
    }
    return STATUS_RETRY;
}

/* Of those that changed with the first one, the ones that have where the step now ends. */
static Status find_others(RateGroup *g, Bracket *b) {
    const Worker   *w = g->worker;
    const Selection which = {SELECT_LIST, 0, b->changes - 1, b->changed + 1};
    int             n = 1;
    if (b->changes == 1) return STATUS_OK;
    if (event_evaluate(g, ode_time(g->ode), ode_state(g->ode), &which) != STATUS_OK)
        return STATUS_RETRY;
    for (int k = 1; k < b->changes; k++)
        if (event_differs(g->events.signs[b->changed[k]].z, w->z_new[b->changed[k]]))
            b->changed[n++] = b->changed[k];
    b->changes = n;
    return STATUS_OK;
}

/* The step ends at t inside: what crossings that have not changed by then are there, on a line from its
 * beginning to its end. Only their signs are certain. */
static void estimate(RateGroup *g, double begin, double end) {
    const Worker   *w = g->worker;
    const Selection which = event_watched(g);
    const double    share = (ode_time(g->ode) - begin) / (end - begin);
    for (int k = 0, n = selection_count(&which, w->model.nz); k < n; k++) {
        const int    z = selection_row(&which, k);
        double      *at = &g->events.signs[z].z;
        const double value = *at + share * (w->end[z] - *at);
        *at = event_differs(value, *at) ? 0.1 * *at : value;
    }
}

/* A step longer than the time to the next event is cut there, and the less accurate inside it the
 * longer it is. So it should end a little behind the place where the crossings are expected to
 * change, if they go on as they did. One step too short is enough: the next one is free. */
double event_expected(const RateGroup *g) {
    const Selection which = event_watched(g);
    double          least = HUGE_VAL;
    for (int k = 0, n = selection_count(&which, g->model.nz); k < n && !g->events.patient;
         k++) {
        const Sign  *s = &g->events.signs[selection_row(&which, k)];
        const double wait = -s->z / s->slope;
        if (wait > 0.0 && wait < least) least = wait;
    }
    return ode_time(g->ode) + fmax(1.25 * least, 0.1 * ode_next_step(g->ode));
}

static Status find_first(RateGroup *g, int *count, bool *shorter) {
    Ode         *o = g->ode;
    const double begin = ode_time_last(o), end = ode_time(o);
    Bracket      b = bracket(g->worker, begin, end);
    *count = 0;
    *shorter = false;
    Status status = look(g, &b);
    g->events.recents = 0;
    g->events.patient = b.changes == 0;
    if (status != STATUS_OK || b.changes == 0) return status;
    status = locate_first(&b, along_step, g);
    if (status == STATUS_OK && b.high < end) {
        const bool accurate = is_accurate(g);
        status = accurate ? cut(g, b.high) : step_to(g, &b, shorter);
        if (status == STATUS_OK && !accurate && !*shorter) status = find_others(g, &b);
    }
    if (status != STATUS_OK || *shorter) return status;
    estimate(g, begin, end);
    ode_propose(o, fmax(ode_next_step(o), end - begin));
    *count = g->worker->changes = b.changes;
    return STATUS_OK;
}

Status event_find(RateGroup *g, int *count) {
    for (int tries = 0; tries < 8; tries++) {
        bool         shorter;
        const Status status = find_first(g, count, &shorter);
        if (status != STATUS_OK || !shorter) return status;
        event_restore(
            g); /* crossings as at the beginning: the shorter step is looked at */
    }
    return STATUS_RETRY;
}

/* Behind an event some crossings are beyond the border by rounding only, as `T > high` right after
 * the heater went off. Those that come back do so on a line, which needs no step. The slopes of the
 * others are known from now on. */
Status event_at_once(RateGroup *g, int *count) {
    Ode            *o = g->ode;
    const Selection which = recent(g);
    *count = 0;
    if (g->events.recents == 0 || g->events.settled) return STATUS_OK;
    g->events.settled = true;
    if (ode_find_slope(o) != STATUS_OK) return STATUS_OK;
    const double t = ode_time(o), by = ode_moment(o);
    Bracket      b = bracket(g->worker, t, t + by);
    if (!(by > 0.0)) return STATUS_OK;
    b.width = fmax(b.width, 2e-3 * by); /* any moment will do */
    if (along_line(g, b.high, &which, b.right) != STATUS_OK) return STATUS_OK;
    for (int k = 0, n = selection_count(&which, g->rate->model->nz); k < n; k++) {
        const int z = selection_row(&which, k);
        b.left[z] = g->events.signs[z].z;
        g->events.signs[z].slope = (b.right[z] - b.left[z]) / by;
        if (event_differs(b.left[z], b.right[z])) b.changed[b.changes++] = z;
    }
    if (b.changes == 0 || locate_first(&b, along_line, g) != STATUS_OK) return STATUS_OK;
    ode_creep(o, b.high);
    g->events.recents = 0;
    *count = g->worker->changes = b.changes;
    return STATUS_OK;
}
