/* SPDX-License-Identifier: Apache-2.0 */
/* ahead.c -- crossings of time alone: their next event is found before the step is taken.
 *
 * Between events such a crossing is a function of time that costs no evaluation of the model. It is
 * searched for as crossings inside a step are (event/search.c), over a window that is always a few steps
 * ahead; steps do not leave the window. The first sign change is a time event, so that no step is
 * repeated for it. An event may change the discrete values in a crossing: the search then begins anew. */
#include <math.h>
#include <stdlib.h>

#include "sim/run.h"

static const double WINDOW = 3.0; /* steps as long as usual */
static const double FORGET =
    0.8; /* what is usual, in a step: after events they are short */
static const double LEAST = 1e-3; /* of the simulated interval: shortest window */

static bool is_still(const Model *m, int crossing) {
    return m->bounded && crossing < m->boundeds && m->bounded[crossing] == BOUND_STILL;
}

/* Which crossings the model gives: those that it writes. Steps look at the others, but for those whose
 * times are known and those that change at events only. */
static bool list_them(Simulation *run, Ahead *a) {
    const Model *m = run->model;
    double      *z = a->work.now;
    Selection    all = {0};
    Fault        fault = fault_none();
    for (int k = 0; k < m->nz; k++) z[k] = NAN;
    if (m->fn->ahead(m->instance, run->t, run->x, &all, z, &fault) != STATUS_OK)
        return false;
    int steps = 0;
    for (int k = 0; k < m->nz; k++)
        if (is_still(m, k)) continue;
        else if (isnan(z[k])) run->list[steps++] = k;
        else if (isfinite(z[k])) a->list[a->count++] = k;
    if (steps < m->nz)
        run->crossings.which = (Selection){SELECT_LIST, 0, steps, run->list};
    return true;
}

bool ahead_open(Simulation *run) {
    Ahead       *a = &run->ahead;
    const size_t nz = (size_t)run->model->nz + 1;
    if (!run->model->fn->ahead || run->model->nz == 0) return true;
    a->sign = calloc(nz, sizeof *a->sign);
    a->list = calloc(nz, sizeof *a->list);
    if (!a->sign || !a->list || !crossing_work_new(&a->work, run->model, false))
        return false;
    a->fn = (ModelFunctions){.crossings = run->model->fn->ahead,
                             .bounds = run->model->fn->bounds};
    a->model = *run->model;
    a->model.fn = &a->fn;
    list_them(run, a);
    a->crossings = (Crossings){.model = &a->model,
                               .which = {SELECT_LIST, 0, a->count, a->list},
                               .sign = a->sign,
                               .work = &a->work,
                               .fault = fault_none()};
    return true;
}

void ahead_close(Simulation *run) {
    crossing_work_free(&run->ahead.work);
    free(run->ahead.sign);
    free(run->ahead.list);
}

Status ahead_begin(Simulation *run) {
    Ahead *a = &run->ahead;
    a->until = a->smooth = run->t;
    a->kink.low = NAN;
    a->found = false;
    if (a->count == 0) return STATUS_OK;
    const Status status =
        crossings_begin(&a->crossings, run->t, run->x, &a->crossings.which);
    return status == STATUS_OK ? STATUS_OK : run_fault(run, status, &a->crossings.fault);
}

static Status state_now(void *owner, double t, const double **x) {
    const Simulation *run = owner;
    (void)t;
    *x = run->x;
    return STATUS_OK;
}

Status ahead_look(Simulation *run, double limit) {
    static const StepFunctions functions = {.inside = state_now};
    Ahead                     *a = &run->ahead;
    const double               interval = run->options->stop - run->options->start;
    const SearchRule           rule = search_rule(interval);
    double                     when;
    a->usual = fmax(FORGET * a->usual, run->t - run->last);
    const double window = fmax(WINDOW * a->usual, LEAST * interval);
    if (a->count == 0 || a->found || a->until >= fmin(limit, run->t + 0.5 * window))
        return STATUS_OK;
    const EventStep step = {&functions, run, a->until, fmin(limit, run->t + window)};
    const Status    status = event_search(&a->crossings, &step, &rule, &when);
    if (status != STATUS_OK) return run_fault(run, status, &a->crossings.fault);
    a->found = a->work.changes > 0;
    a->until = a->found ? when : step.end;
    if (a->found && when < run->next_time) run->next_time = when;
    return STATUS_OK;
}

double ahead_limit(const Simulation *run, double limit) {
    return run->ahead.count > 0 && run->ahead.until < limit ? run->ahead.until : limit;
}
