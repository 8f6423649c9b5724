/* SPDX-License-Identifier: Apache-2.0 */
/* ending.c -- how a step ends at an event.
 *
 * Where the dense output is as accurate as the end of a step, the step ends on it. Otherwise it is
 * repeated up to the time found, so that time and state are as accurate as the method and not as
 * its dense output, and moved along the slope at its end to where the crossing has its new sign: a
 * line that is as good as the step while it is short. An integrator that cannot repeat a step
 * always ends on its dense output. Cost: seldom more than an evaluation of the state. */
#include <float.h>
#include <math.h>

#include "event/event.h"

static const double INSTANT =
    64.0; /* roundings of time: a step that it hardly resolves */

static Status on_line(Crossings *c, const EventStep *step, double t,
                      const Selection *which, double *z) {
    const double *x;
    const Status  status = step->fn->line(step->owner, t, &x);
    return status == STATUS_OK ? crossings_look(c, t, x, which, z) : status;
}

/* How far along the slope crossing i has its new sign, by no more than rounding: secants, then away
 * from the border. h: the length of the step. */
static Status line_to(Crossings *c, const EventStep *step, int i, bool positive, double h,
                      double *by) {
    const double    t = step->end, fine = 8.0 * DBL_EPSILON * fabs(t) + 1e-13 * h;
    const Selection one = {SELECT_RANGE, i, 1, NULL};
    double          slope = c->sign[i].slope, before = NAN, last = NAN, push = 0.0;
    *by = 0.0;
    for (int k = 0; k < 60; k++) {
        if (on_line(c, step, t + *by, &one, c->work->trial) != STATUS_OK)
            return STATUS_RETRY;
        const double now = c->work->trial[i];
        if (fabs(*by - last) > 1e-9 * h) slope = (now - before) / (*by - last);
        before = now, last = *by;
        const double move = slope != 0.0 ? -now / slope : 0.0;
        if (!(fabs(*by + move) <= h)) return STATUS_RETRY;
        if (k < 10 && fabs(move) > fine) {
            *by += move;
            continue;
        }
        if (fabs(move) > 1e-6 * h) return STATUS_RETRY;
        if ((now > 0.0) == positive) return STATUS_OK;
        push = fmax(4.0 * push, 2.0 * DBL_EPSILON * fabs(t) + fmax(move, 0.0));
        *by += push;
    }
    return STATUS_RETRY;
}

static Status repeat_to(Crossings *c, EventStep *step, double when, double rtol,
                        bool *shorter) {
    const double begin = step->begin, length = step->end - begin;
    const int    i = c->work->changed[0];
    const bool   positive = c->work->right[i] > 0.0;
    double       t = when, by = 0.0;
    for (int tries = 0; tries < 5; tries++, t += by) {
        if (!(t > begin && t < begin + 2.0 * length)) return STATUS_RETRY;
        Status status = step->fn->repeat(step->owner, t, &step->end);
        *shorter = status == STATUS_OK && step->end < t;
        if (*shorter) return STATUS_OK;
        if (status == STATUS_OK) status = line_to(c, step, i, positive, length, &by);
        if (status != STATUS_OK) return status;
        if (fabs(by) > sqrt(rtol) * (t - begin)) continue;
        step->end += by;
        step->fn->slide(step->owner, step->end);
        return STATUS_OK;
    }
    return STATUS_RETRY;
}

/* Of those that changed with the first one, the ones that have where the step now ends. */
static Status find_others(Crossings *c, const EventStep *step) {
    CrossingWork   *w = c->work;
    const Selection which = {SELECT_LIST, 0, w->changes - 1, w->changed + 1};
    const double   *x;
    int             n = 1;
    if (w->changes == 1) return STATUS_OK;
    Status status = step->fn->inside(step->owner, step->end, &x);
    if (status == STATUS_OK) status = crossings_look(c, step->end, x, &which, w->trial);
    if (status != STATUS_OK) return STATUS_RETRY;
    for (int k = 1; k < w->changes; k++)
        if (sign_differs(c->sign[w->changed[k]].z, w->trial[w->changed[k]]))
            w->changed[n++] = w->changed[k];
    w->changes = n;
    return STATUS_OK;
}

Status event_cut(EventStep *step, double when) {
    if (!(when < step->end)) return STATUS_OK;
    const Status status = step->fn->cut(step->owner, when);
    if (status == STATUS_OK) step->end = when;
    return status;
}

Status event_end(Crossings *c, EventStep *step, double when, double rtol, bool *shorter) {
    const StepFunctions *fn = step->fn;
    *shorter = false;
    if (!(when < step->end)) return STATUS_OK;
    /* such a step would not come out better, if it comes out at all */
    const bool instant = when - step->begin <= INSTANT * DBL_EPSILON * fabs(when);
    if (fn->repeat && !instant && !fn->accurate(step->owner)) {
        const Status status = repeat_to(c, step, when, rtol, shorter);
        return status == STATUS_OK && !*shorter ? find_others(c, step) : status;
    }
    return event_cut(step, when);
}

/* A crossing that was z at begin and would be `after` at the end, at a time in between: on a parabola
 * through a point before, on a line if there is none. Then its history is that of the beginning. */
static void estimate(Sign *s, SignPoint begin, SignPoint end, double now) {
    const double share = (now - begin.t) / (end.t - begin.t);
    double       z = begin.z + share * (end.z - begin.z);
    int          k = 0;
    while (k < s->olds && s->old[k].t >= begin.t) k++;
    if (k < s->olds) {
        const SignPoint p = s->old[k];
        const double    mean = (end.z - begin.z) / (end.t - begin.t);
        const double    bend = (mean - (begin.z - p.z) / (begin.t - p.t)) / (end.t - p.t);
        z += bend * (now - begin.t) * (now - end.t);
        s->old[1] = p;
    }
    s->olds = k < s->olds ? 2 : 1;
    s->third = NAN;
    s->smooth = s->olds;
    s->old[0] = begin;
    s->t = now;
    s->z = sign_differs(z, begin.z) ? 0.1 * begin.z : z;
}

/* A crossing that was looked at inside the step: three points do not tell what it did meanwhile. */
static void know(Sign *s, double before, double t, double z) {
    const double slope = s->slope;
    sign_begin(s, t, sign_differs(z, before) ? 0.1 * before : z);
    s->smooth = s->olds;
    s->slope = slope;
}

Status crossings_carry(Crossings *c, const EventStep *step, double end) {
    CrossingWork   *w = c->work;
    const Selection unclear = {SELECT_LIST, 0, w->unclear, w->list};
    const double   *x;
    if (w->unclear > 0) {
        Status status = step->fn->inside(step->owner, step->end, &x);
        if (status == STATUS_OK)
            status = crossings_look(c, step->end, x, &unclear, w->trial);
        if (status != STATUS_OK) return status;
    }
    for (int k = 0, u = 0, n = crossings_count(c); k < n; k++) {
        const int i = selection_row(&c->which, k);
        if (u < w->unclear && w->list[u] == i) {
            know(&c->sign[i], w->begin[i], step->end, w->trial[i]);
            u++;
        } else {
            estimate(&c->sign[i], (SignPoint){step->begin, w->begin[i]},
                     (SignPoint){end, w->end[i]}, step->end);
        }
    }
    return STATUS_OK;
}

double crossings_ahead(const Crossings *c) {
    double least = HUGE_VAL;
    for (int k = 0, n = crossings_count(c); k < n; k++) {
        const Sign  *s = &c->sign[selection_row(&c->which, k)];
        const double wait = -s->z / s->slope;
        if (wait > 0.0 && wait < least) least = wait;
    }
    return least;
}
