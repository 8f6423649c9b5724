/* SPDX-License-Identifier: Apache-2.0 */
/* stepper.c -- what integrates: our own levels, or a library as second opinion.
 *
 * Both are Integrators (ode.h); the time loop does not know which one it has. A model without
 * states has none. Local events that levels have handled inside their steps are kept here. */
#include "sim/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOKS = 16
}; /* into a simulation without steps: a pulse of a sixteenth of it is seen */

/* The longest step that the options and the model allow. Delays that are tiny beside the whole
 * are taken as straight lines. */
static double longest_step(const Model *model, const SimOptions *options) {
    double own = options->ode.h_max, most = model->step_most;
    double whole = options->stop - options->start;
    if (!(own > 0) || own > whole) own = whole;
    if (!(most > 1e-4 * whole)) return own;
    return own > 0 && own < most ? own : most;
}

static Status new_library(Stepper *s, const Model *model, const SimOptions *options,
                          double t, const double *x) {
    static const SundialsKind kind[] = {[SOLVER_CVODE] = PEER_CVODE,
                                        [SOLVER_IDA] = PEER_IDA,
                                        [SOLVER_ARKODE] = PEER_ARKODE};
    Selection                 all = {0};
    Status                    status = view_init(&s->view, model, &all);
    OdeOptions                ode = options->ode;
    ode.h_max = longest_step(model, options);
    if (status != STATUS_OK) return status;
    /* At rest these libraries make their steps ten times larger each time, and step over what
     * an input does later. */
    if (!(options->ode.h_max > 0))
        ode.h_max = fmin(ode.h_max, (options->stop - options->start) / 50);
    return sundials_new(&s->use, kind[options->solver], &s->view, &ode, 0, t, x);
}

static void on_event(void *owner, double t, const Selection *which) {
    Stepper *s = owner;
    if (s->events == s->event_room) {
        const int   more = 2 * s->event_room + 64;
        LocalEvent *p = realloc(s->event, sizeof *p * (size_t)more);
        if (!p) {
            s->lost = true;
            return;
        }
        s->event = p;
        s->event_room = more;
    }
    s->event[s->events++] = (LocalEvent){t, selection_row(which, 0)};
}

static void on_step(void *owner, const RateTrace *step) {
    const Stepper *s = owner;
    s->options->trace(s->options->owner, step);
}

Status stepper_new(Stepper *s, const Model *model, const SimOptions *options, double t,
                   const double *x) {
    Status status = STATUS_OK;
    *s = (Stepper){.none = fault_none(), .options = options};
    if (!model->nx) return STATUS_OK;
    if (options->solver != SOLVER_RK) return new_library(s, model, options, t, x);
    int         rates = options->rates == SIM_RATES_AUTO ? 0
                        : options->rates > 1             ? options->rates
                                                         : 1;
    RateOptions o = {.ode = options->ode,
                     .rates = rates,
                     .threads = options->threads,
                     .grain = options->grain,
                     .no_cones = options->global_events,
                     .check = options->check,
                     .interval = options->stop - options->start,
                     .trace = options->trace ? on_step : NULL,
                     .event = on_event,
                     .owner = s};
    memcpy(o.below, options->below, sizeof o.below);
    o.ode.h_max = longest_step(model, options);
    o.ode.h_look = (options->stop - options->start) / LOOKS;
    if (model->fn->accept) o.rates = 1; /* one time for all states */
    s->plain = *model;
    s->local = rate_local_events(model, &o);
    if (!s->local) s->plain.nz = 0; /* crossings are looked at by the time loop */
    s->rate = rate_new(&s->plain, &o, t, x, &status);
    if (s->rate) s->use = rate_integrator(s->rate);
    return status;
}

void stepper_free(Stepper *s) {
    if (s->use.fn) s->use.fn->free(s->use.self);
    if (s->view.model) view_free(&s->view);
    free(s->event);
    *s = (Stepper){0};
}

bool stepper_exists(const Stepper *s) {
    return s->use.fn != NULL;
}

Status stepper_step(Stepper *s, double limit) {
    s->events = 0;
    const Status status = s->use.fn->step(s->use.self, limit);
    return status == STATUS_OK && s->lost ? STATUS_NO_MEMORY : status;
}

/* Of local events; NULL: they are not the stepper's business, or change states only. */
static Journal *journal_of(const Stepper *s) {
    return s->local ? model_journal(&s->plain) : NULL;
}

void stepper_cut(Stepper *s, double t) {
    if (journal_of(s)) journal_cut(journal_of(s), t);
    while (s->events > 0 && s->event[s->events - 1].t > t) s->events--;
}

void stepper_settle(Stepper *s) {
    if (journal_of(s)) journal_to(journal_of(s), HUGE_VAL);
}

Status stepper_dense(Stepper *s, double t, double *x) {
    if (!stepper_exists(s)) return STATUS_OK;
    if (journal_of(s)) journal_to(journal_of(s), t);
    return s->use.fn->dense(s->use.self, t, x);
}

Status stepper_restart(Stepper *s, double t, const double *x) {
    return stepper_exists(s) ? s->use.fn->restart(s->use.self, t, x) : STATUS_OK;
}

int stepper_side(const Stepper *s, int crossing) { /* our own levels have local events */
    return s->rate ? rate_side(s->rate, crossing) : 0;
}

const double *stepper_slope(Stepper *s, double *moment) {
    return stepper_exists(s) ? s->use.fn->slope(s->use.self, moment) : NULL;
}

double stepper_drift(const Stepper *s) {
    return stepper_exists(s) ? s->use.fn->drift(s->use.self) : 0;
}

Status stepper_correct(Stepper *s, const double *x) {
    return stepper_exists(s) ? s->use.fn->correct(s->use.self, x) : STATUS_OK;
}

Status stepper_retreat(Stepper *s, double t, const double *x, double h) {
    stepper_cut(s, t);
    return s->use.fn->retreat(s->use.self, t, x, h);
}

bool stepper_accurate(const Stepper *s) {
    return !stepper_exists(s) || !s->use.fn->accurate || s->use.fn->accurate(s->use.self);
}

Status stepper_repeat(Stepper *s, double t, double *end) {
    s->events = 0;
    return s->use.fn->repeat(s->use.self, t, end);
}

void stepper_slide(Stepper *s, double t) {
    s->use.fn->slide(s->use.self, t);
}

double stepper_time(const Stepper *s) {
    return s->use.fn->time(s->use.self);
}

const double *stepper_state(const Stepper *s) {
    return s->use.fn->state(s->use.self);
}

const Fault *stepper_fault(const Stepper *s) {
    return stepper_exists(s) ? s->use.fn->fault(s->use.self) : &s->none;
}

void stepper_statistics(const Stepper *s, SimStatistics *out) {
    if (s->rate) { /* by level besides */
        out->rate = rate_statistics(s->rate);
        out->ode = out->rate.total;
        out->levels = rate_levels(s->rate);
    } else if (stepper_exists(s)) {
        out->ode = s->use.fn->statistics(s->use.self);
    }
    out->projections = out->ode.projections;
}
