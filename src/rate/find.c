/* SPDX-License-Identifier: Apache-2.0 */
/* find.c -- the events of a group in its last step: what the search of src/event needs to know of it.
 *
 * After a step the crossings of the group are looked at at its end, and inside it those that may
 * have turned (event/search.c). The step then ends at the first event (event/ending.c): on its
 * polynomial where that is accurate enough, otherwise it is repeated up to there.
 * Cost of an event: five to six evaluations of the crossing, and seldom a step. */
#include <math.h>

#include "rate/group.h"

/* Share of the tolerance up to which the error of a step allows it to end on its polynomial. */
#define DENSE 0.1

/* ---- the step ------------------------------------------------------------------------------ */

static Status step_inside(void *owner, double t, const double **x) {
    RateGroup   *g = owner;
    double      *y = g->worker->event_x;
    const bool   end = t == ode_time(g->ode);
    const Status status = end         ? STATUS_OK
                          : g->parent ? ode_dense(g->ode, t, y)
                                      : rate_dense(g->rate, t, y);
    if (status == STATUS_OK) *x = event_state(g, t, end ? ode_state(g->ode) : y);
    return status;
}

static Status step_line(void *owner, double t, const double **x) {
    RateGroup *g = owner;
    ode_on_line(g->ode, t, g->worker->event_x);
    *x = event_state(g, t, g->worker->event_x);
    return STATUS_OK;
}

bool event_dense_accurate(const RateGroup *g) {
    const OdeTolerance asked = ode_tolerance(g->ode);
    const double      *y = ode_state(g->ode), *error = ode_error(g->ode);
    for (int i = 0; i < g->n; i++) {
        const bool   refined = g->part.fast[i] && g->space->clusters > 0;
        const double wanted = asked.absolute[i] + asked.relative * fabs(y[i]);
        if (!refined && !(fabs(error[i]) <= DENSE * wanted)) return false;
    }
    return true;
}

static bool step_accurate(void *owner) {
    return event_dense_accurate(owner);
}

static Status step_cut(void *owner, double t) {
    RateGroup   *g = owner;
    double      *y = g->worker->event_x;
    const Status status = g->parent ? ode_dense(g->ode, t, y) : rate_dense(g->rate, t, y);
    if (status == STATUS_OK) ode_cut(g->ode, t, y);
    return status;
}

static Status step_repeat(void *owner, double t, double *end) {
    RateGroup *g = owner;
    if (!g->parent) clusters_take_back(g, (Mark){0});
    ode_repeat(g->ode, t);
    Status status = ode_step(g->ode, t);
    *end = ode_time(g->ode);
    if (status == STATUS_OK && !(*end < t)) status = ode_find_slope(g->ode);
    return status;
}

static void step_slide(void *owner, double t) {
    const RateGroup *g = owner;
    ode_slide(g->ode, t);
}

static EventStep step_of(RateGroup *g) {
    static const StepFunctions functions = {step_inside, step_line,   step_accurate,
                                            step_cut,    step_repeat, step_slide};
    return (EventStep){&functions, g, ode_time_last(g->ode), ode_time(g->ode)};
}

/* Those that an event has just moved. */
static Selection recent(const RateGroup *g) {
    if (!g->rate->cones) return (Selection){0};
    return (Selection){SELECT_LIST, 0, g->events.recents, g->events.recent};
}

/* ---- its events ------------------------------------------------------------------------------ */

/* A step longer than the time to the next event is cut there, and the less accurate inside it the
 * longer it is. So it should end a little after the place where the crossings are expected to
 * change, if they go on as they did. One step too short is enough: the next one is free. */
double event_expected(const RateGroup *g) {
    const double least = g->events.patient ? HUGE_VAL : crossings_ahead(&g->events.own);
    return ode_time(g->ode) + fmax(1.25 * least, 0.1 * ode_next_step(g->ode));
}

/* A point that cannot be evaluated is no reason to end the run: a smaller step may do without. */
static Status to_retry(Status status) {
    const bool final =
        status == STATUS_OK || status == STATUS_FATAL || status == STATUS_NO_MEMORY;
    return final ? status : STATUS_RETRY;
}

static Status find_first(RateGroup *g, int *count, bool *shorter) {
    Crossings       *c = &g->events.own;
    EventStep        step = step_of(g);
    const SearchRule rule = search_rule(g->rate->options.interval);
    const double     end = step.end;
    double           when;
    *count = 0;
    *shorter = false;
    Status status = event_search(c, &step, &rule, &when);
    g->events.recents = 0;
    g->events.patient = c->work->changes == 0;
    if (status != STATUS_OK || c->work->changes == 0) return status;
    status = event_end(c, &step, when, ode_tolerance(g->ode).relative, shorter);
    if (status != STATUS_OK || *shorter) return status;
    status = crossings_carry(c, &step, end);
    if (status != STATUS_OK) return status;
    ode_propose(g->ode, fmax(ode_next_step(g->ode), end - step.begin));
    *count = c->work->changes;
    return STATUS_OK;
}

Status event_find(RateGroup *g, int *count) {
    for (int tries = 0; tries < 8; tries++) {
        bool         shorter;
        const Status status = find_first(g, count, &shorter);
        if (status != STATUS_OK || !shorter) return to_retry(status);
        event_restore(
            g); /* crossings as at the beginning: the shorter step is looked at */
    }
    return STATUS_RETRY;
}

Status event_here(RateGroup *g, int *count) {
    Crossings      *c = &g->events.own;
    const Selection which = recent(g);
    double          when;
    *count = 0;
    if (g->events.recents == 0 || g->events.settled) return STATUS_OK;
    g->events.settled = true;
    if (ode_find_slope(g->ode) != STATUS_OK) return STATUS_OK;
    const double    by = ode_moment(g->ode);
    const EventStep step = step_of(g);
    if (!(by > 0.0) || event_at_once(c, &step, by, &which, &when) != STATUS_OK ||
        c->work->changes == 0)
        return STATUS_OK; /* the step will tell */
    ode_creep(g->ode, when);
    g->events.recents = 0;
    *count = c->work->changes;
    return STATUS_OK;
}
