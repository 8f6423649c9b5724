/* SPDX-License-Identifier: Apache-2.0 */
/* moment.c -- one event: rounds until nothing changes, points before and after it, and the fresh
 * start of everything that follows the state. */
#include "sim/run.h"

#include <math.h>
#include <string.h>

Status run_fault(Simulation *run, Status status, const Fault *fault) {
    run->outcome.status = status;
    run->outcome.fault = *fault;
    return status;
}

static Status give_point(Simulation *run, SimPoint *point, double t, const double *x) {
    const Model *model = run->model;
    Fault        fault = fault_none();
    Status       status = STATUS_OK;
    if (!point) return STATUS_OK;
    fault.time = t;
    if (model->ny && model->fn->output)
        status = model->fn->output(model->instance, t, x, &run->options->output, run->y,
                                   &fault);
    if (status == STATUS_OK) status = point(run->options->owner, t, x, run->y, &fault);
    return status == STATUS_OK ? STATUS_OK : run_fault(run, status, &fault);
}

Status run_probe(Simulation *run, double t, const double *x) {
    return give_point(run, run->options->probe, t, x);
}

Status run_record(Simulation *run, double t, const double *x) {
    Status status = give_point(run, run->options->point, t, x);
    if (status != STATUS_OK || !run->options->point) return status;
    run->outcome.statistics.points++;
    run->recorded = t;
    memcpy(run->sure, x, sizeof(double) * (size_t)run->model->nx);
    return STATUS_OK;
}

/* *changed: some round changed something. */
static Status iterate(Simulation *run, EventKind kind, bool *changed) {
    EventRounds rounds = {.most = run->options->rounds, .changed = *changed};
    Selection   all = {0};
    Fault       fault;
    Status status = event_rounds(run->model, run->t, run->x, kind, &all, &rounds, &fault);
    *changed = rounds.changed;
    run->rounds += rounds.count;
    return status == STATUS_OK ? STATUS_OK : run_fault(run, status, &fault);
}

Status run_crossings(Simulation *run) {
    Crossings *c = &run->crossings;
    c->work->changes = 0;
    Status status = crossings_begin(c, run->t, run->x, &c->which);
    return status == STATUS_OK ? STATUS_OK : run_fault(run, status, &c->fault);
}

/* From now on local crossings, which the stepper looks at, are left out. */
static void leave_out_local(Simulation *run) {
    const int *start = run->model->changes->start;
    int        count = 0;
    for (int k = 0, n = selection_count(&run->crossings.which, run->model->nz); k < n;
         k++) {
        int i = selection_row(&run->crossings.which, k);
        if (start[i] == start[i + 1]) run->list[count++] = i;
    }
    run->crossings.which = (Selection){SELECT_LIST, 0, count, run->list};
}

static Status find_next_time(Simulation *run) {
    const Model *model = run->model;
    Fault        fault = fault_none();
    run->next_time = HUGE_VAL;
    if (!model->fn->next_event) return STATUS_OK;
    fault.time = run->t;
    Status status =
        model->fn->next_event(model->instance, run->t, &run->next_time, &fault);
    return status == STATUS_OK ? STATUS_OK : run_fault(run, status, &fault);
}

/* A fresh start after the event. The integrator is made after the first one: before it the
 * relations of the model have no values yet. */
static Status go_on(Simulation *run, EventKind kind) {
    run->fresh = true;
    run->piece = run->looks.reach = 0;
    Status status = find_next_time(run);
    if (status != STATUS_OK) return status;
    status = run_crossings(run);
    if (status == STATUS_OK) status = ahead_begin(run);
    if (status != STATUS_OK) return status;
    if (kind == EVENT_START)
        status = stepper_new(&run->stepper, run->model, run->options, run->t, run->x);
    if (status != STATUS_OK) return run_fault(run, status, &run->stepper.none);
    if (kind == EVENT_START && run->stepper.local) leave_out_local(run);
    status = stepper_restart(&run->stepper, run->t, run->x);
    return status == STATUS_OK ? STATUS_OK
                               : run_fault(run, status, stepper_fault(&run->stepper));
}

Status run_resume(Simulation *run) {
    Status status = run_record(run, run->t, run->x);
    return status == STATUS_OK ? go_on(run, EVENT_START) : status;
}

Status run_event(Simulation *run, EventKind kind) {
    Status status = STATUS_OK;
    bool   final = kind == EVENT_FINAL, changed = !final;
    if (final && run->recorded != run->t) status = run_record(run, run->t, run->x);
    if (status != STATUS_OK) return status;
    if (run->model->fn->event) status = iterate(run, kind, &changed);
    if (status != STATUS_OK && status != STATUS_END) return status;
    if (run->options->event) run->options->event(run->options->owner, run->t, kind);
    if (changed) {
        Status stored = run_record(run, run->t, run->x);
        if (stored != STATUS_OK) return stored;
    }
    return final || status == STATUS_END ? status : go_on(run, kind);
}
