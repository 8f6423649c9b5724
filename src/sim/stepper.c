/* SPDX-License-Identifier: Apache-2.0 */
/* stepper.c -- what integrates: our own levels, or a library as second opinion.
 *
 * Both take one step at a time, give the state anywhere inside it and start afresh behind an
 * event; the time loop does not know which one it has. A model without states has none. */
#include "sim/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The longest step that the options and the model allow. Delays that are tiny beside the whole
 * are taken as straight lines. */
static double longest_step(const Model *model, const SimOptions *options) {
    double own = options->ode.h_max, most = model->step_most;
    double whole = options->stop - options->start;
    if (!(own > 0) || own > whole) own = whole;
    if (!(most > 1e-4 * whole)) return own;
    return own > 0 && own < most ? own : most;
}

static Status new_peer(Stepper *s, const Model *model, const SimOptions *options,
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
    s->peer = peer_new(kind[options->solver], &s->view, &ode, 0, t, x, &status);
    return status;
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
    if (options->solver != SOLVER_RK) return new_peer(s, model, options, t, x);
    int         rates = options->rates == SIM_RATES_AUTO ? 0
                        : options->rates > 1             ? options->rates
                                                         : 1;
    RateOptions o = {.ode = options->ode,
                     .rates = rates,
                     .threads = options->threads,
                     .grain = options->grain,
                     .no_cones = options->global_events,
                     .check = options->check,
                     .trace = options->trace ? on_step : NULL,
                     .event = on_event,
                     .owner = s};
    memcpy(o.below, options->below, sizeof o.below);
    o.ode.h_max = longest_step(model, options);
    if (model->fn->accept) o.rates = 1; /* one time for all states */
    s->plain = *model;
    s->local = rate_local_events(model, &o);
    if (!s->local) s->plain.nz = 0; /* crossings are looked at by the time loop */
    s->rate = rate_new(&s->plain, &o, t, x, &status);
    return status;
}

void stepper_free(Stepper *s) {
    if (s->rate) rate_free(s->rate);
    peer_free(s->peer);
    if (s->view.model) view_free(&s->view);
    free(s->event);
    *s = (Stepper){0};
}

bool stepper_exists(const Stepper *s) {
    return s->rate || s->peer;
}

Status stepper_step(Stepper *s, double limit) {
    if (s->peer) return peer_step(s->peer, limit);
    s->events = 0;
    const Status status = rate_step(s->rate, limit);
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
    return s->peer ? peer_dense(s->peer, t, x) : rate_dense(s->rate, t, x);
}

Status stepper_glance(Stepper *s, double t, double *x) {
    if (!stepper_exists(s)) return STATUS_OK;
    if (journal_of(s)) journal_to(journal_of(s), t);
    return s->peer ? peer_dense(s->peer, t, x) : rate_glance(s->rate, t, x);
}

Status stepper_restart(Stepper *s, double t, const double *x) {
    if (!stepper_exists(s)) return STATUS_OK;
    return s->peer ? peer_restart(s->peer, t, x) : rate_restart(s->rate, t, x);
}

bool stepper_above(const Stepper *s, int crossing) {
    return rate_above(s->rate, crossing);
}

const double *stepper_slope(Stepper *s, double *moment) {
    return s->rate ? rate_slope(s->rate, moment) : NULL;
}

/* A one-step method hardly notices a correction. One of several steps starts afresh with it: IDA
 * takes 20 times the steps if that happens at a tenth of the tolerance instead of ten times it.
 * CVODE corrects by itself. */
double stepper_drift(const Stepper *s) {
    return s->peer && peer_remembers(s->peer) ? 10 : 0.01;
}

Status stepper_correct(Stepper *s, const double *x) {
    if (s->peer) return peer_correct(s->peer, x);
    if (s->rate) rate_correct(s->rate, x);
    return STATUS_OK;
}

Status stepper_retreat(Stepper *s, double t, const double *x, double h) {
    stepper_cut(s, t);
    return s->peer ? peer_retreat(s->peer, t, x, h) : rate_retreat(s->rate, t, x, h);
}

double stepper_time(const Stepper *s) {
    return s->peer ? peer_time(s->peer) : rate_time(s->rate);
}

const double *stepper_state(const Stepper *s) {
    return s->peer ? peer_state(s->peer) : rate_state(s->rate);
}

const Fault *stepper_fault(const Stepper *s) {
    return s->peer ? peer_fault(s->peer) : s->rate ? rate_fault(s->rate) : &s->none;
}

void stepper_statistics(const Stepper *s, SimStatistics *out) {
    out->projections = s->peer ? peer_projections(s->peer) : 0;
    if (s->peer) {
        out->ode = peer_statistics(s->peer);
    } else if (s->rate) {
        out->rate = rate_statistics(s->rate);
        out->ode = out->rate.total;
        out->levels = rate_levels(s->rate);
    }
}
