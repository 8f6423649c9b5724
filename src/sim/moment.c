/* SPDX-License-Identifier: Apache-2.0 */
/* moment.c -- one event: iteration to a fixed point, points before and after it.
 *
 * Modelica gives an event a duration of zero and any number of rounds: in each, relations and
 * when-clauses see the results of the one before. The rounds end when nothing changes; a
 * model in which something always changes is stopped with an explanation. */
#include "sim/run.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 100 };

Status run_fault(Simulation *run, Status status, const Fault *fault) {
    run->outcome.status = status;
    run->outcome.fault = *fault;
    return status;
}

static Status give_point(Simulation *run, SimPoint *point, double t, const double *x) {
    const Model *model = run->model;
    Selection    all = {0};
    Fault        fault = fault_none();
    Status       status = STATUS_OK;
    if (!point) return STATUS_OK;
    fault.time = t;
    if (model->ny && model->fn->output)
        status = model->fn->output(model->instance, t, x, &all, run->y, &fault);
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
    const Model *model = run->model;
    int          most = run->options->rounds ? run->options->rounds : ROUNDS;
    bool         again = true;
    Selection    all = {0};
    Fault        fault = fault_none();
    for (int round = 0; again; round++) {
        if (round == most) { /* fault names what changed last */
            fault.what =
                "the event iteration does not settle: something changes in every round";
            return run_fault(run, STATUS_DIVERGED, &fault);
        }
        fault = fault_none();
        fault.time = run->t;
        again = false;
        Status status =
            model->fn->event(model->instance, run->t, run->x, kind, &all, &again, &fault);
        *changed |= again;
        run->rounds++;
        if (status != STATUS_OK) return run_fault(run, status, &fault);
    }
    return STATUS_OK;
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

/* A fresh start behind the event. What integrates is made behind the first one: before it the
 * relations of the model have no values yet. */
static Status go_on(Simulation *run, EventKind kind) {
    run->fresh = true;
    Status status = find_next_time(run);
    if (status != STATUS_OK) return status;
    status = crossings_begin(&run->crossings, run->t, run->x);
    if (status != STATUS_OK) return run_fault(run, status, &run->crossings.fault);
    if (kind == EVENT_START)
        status = stepper_new(&run->stepper, run->model, run->options, run->t, run->x);
    if (status != STATUS_OK) return run_fault(run, status, &run->stepper.none);
    if (kind == EVENT_START && run->stepper.local &&
        !crossings_without_local(&run->crossings))
        return run_fault(run, STATUS_NO_MEMORY, &run->stepper.none);
    status = stepper_restart(&run->stepper, run->t, run->x);
    return status == STATUS_OK ? STATUS_OK
                               : run_fault(run, status, stepper_fault(&run->stepper));
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
