/* SPDX-License-Identifier: Apache-2.0 */
/* fleet_host.c -- a network some of whose parts are computed by the ordinary code of the program.
 *
 * The instance of the simulation holds one member of every family. Where a part of one member has no
 * kernels, that instance is its code, its discrete values and its events (lied/host.c). Everything that
 * the time loop asks of a model is asked of the instance, after the neighbours have given what they
 * give at that point. In a round of an event relations may change, so that neighbours give something
 * else: the next round begins with that, and the rounds end when nothing changes any more.
 *
 * Start values are found in the same way: the initial system of the instance is solved with what
 * neighbours give, until the states stay. */
#include "api/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- states ---- */

/* State k of the first member of a family in the vector of all, which may hold parts of networks only. */
static double *place_of(const Fleet *f, const double *x, int family, int k) {
    const NetPart *p = &f->net.part[family];
    if (p->count) return (double *)x + p->x0 + k * p->count;
    if (!f->first) return f->batch[family].x + k * BATCH_LANES;
    return (double *)x + f->first[family] + (size_t)k * BATCH_LANES;
}

/* The states of the first members to the instance, or back from those that are alone. */
static void take_states(RbSimulation *s, const double *x) {
    const Batches *all = &s->program->program->batches;
    for (int f = 0; f < all->count; f++)
        for (int k = 0; k < all->batch[f].states; k++)
            s->x[all->state[all->batch[f].state + k]] = *place_of(s->fleet, x, f, k);
}

static void give_states(const RbSimulation *s, double *x) {
    const Batches *all = &s->program->program->batches;
    for (int f = 0; f < all->count; f++)
        for (int k = 0; all->batch[f].count == 1 && k < all->batch[f].states; k++)
            *place_of(s->fleet, x, f, k) = s->x[all->state[all->batch[f].state + k]];
}

/* ---- evaluation ---- */

/* All values; at the start with relations that are found, not kept. Not 0: failed. */
static int evaluate_all(RbSimulation *s, double t) {
    Instance *instance = &s->instance;
    Running  *r = &instance->run;
    Moment    at = moment_at(t);
    if (!s->fleet->starting) return instance_evaluate(instance, t, s->x);
    at.live = at.initial = true;
    instance_put_states(instance, s->x);
    running_at(r, at);
    int failed = r->image->events(&r->rb);
    instance_put_rates(instance);
    return failed;
}

/* The derivatives of parts without kernels alone; not 0: failed. */
static int rates_of_hosts(RbSimulation *s, double t, double *dx) {
    const Batches *all = &s->program->program->batches;
    Instance      *instance = &s->instance;
    int            n = 0, failed = 0;
    for (int f = 0; f < all->count; f++)
        for (int k = 0; all->batch[f].host >= 0 && k < all->batch[f].states; k++)
            s->fleet->rows[n++] = all->state[all->batch[f].state + k];
    if (n) qsort(s->fleet->rows, (size_t)n, sizeof(int), int_ascending);
    if (s->fleet->starting || !instance->cones) failed = evaluate_all(s, t);
    else {
        cones_forget(instance->cones);
        failed = cones_eval(instance, t, s->x, s->fleet->rows, n, instance->dx);
    }
    for (int f = 0; f < all->count; f++)
        for (int k = 0; all->batch[f].host >= 0 && k < all->batch[f].states; k++)
            *place_of(s->fleet, dx, f, k) =
                instance_rate(instance, all->state[all->batch[f].state + k], s->x);
    return failed;
}

int fleet_evaluate(void *simulation, double t, const double *x, int *var, int n,
                   double *dx) {
    RbSimulation *s = simulation;
    Instance     *instance = &s->instance;
    int           failed;
    take_states(s, x);
    instance->stamps.parameters++; /* what neighbours give has changed */
    if (dx) failed = rates_of_hosts(s, t, dx);
    else if (s->fleet->starting || !instance->cones) failed = evaluate_all(s, t);
    else failed = cones_values(instance, t, s->x, var, n);
    if (failed) instance_function_fault(&instance->run, instance->fault);
    return failed;
}

/* ---- the model ---- */

/* What neighbours give at a point is known to the instance. */
static bool settle(RbSimulation *s, double t, const double *x, Fault *fault) {
    Fleet *f = s->fleet;
    f->shown = HUGE_VAL;
    s->instance.fault = fault;
    if (!net_rates(&f->net, t, x, f->rate)) return false;
    net_known(&f->net);
    take_states(s, x);
    s->instance.stamps.parameters++;
    return true;
}

static Status crossings(void *self, double t, const double *x, const Selection *which,
                        double *z, Fault *fault) {
    RbSimulation *s = self;
    if (!settle(s, t, x, fault)) return STATUS_RETRY;
    return s->instance.functions.crossings(&s->instance, t, s->x, which, z, fault);
}

static Status ahead(void *self, double t, const double *x, const Selection *which,
                    double *z, Fault *fault) {
    RbSimulation *s = self;
    take_states(s, x);
    return s->instance.functions.ahead(&s->instance, t, s->x, which, z, fault);
}

static Status event(void *self, double t, double *x, EventKind kind,
                    const Selection *which, bool *again, Fault *fault) {
    RbSimulation *s = self;
    (void)which;
    if (!settle(s, t, x, fault)) return STATUS_RETRY;
    Selection all = {0};
    Status    status =
        s->instance.functions.event(&s->instance, t, s->x, kind, &all, again, fault);
    give_states(s, x);
    return status;
}

static Status next_event(void *self, double t, double *when, Fault *fault) {
    RbSimulation *s = self;
    return s->instance.functions.next_event(&s->instance, t, when, fault);
}

static Status check(void *self, double t, const double *x, Fault *fault) {
    RbSimulation *s = self;
    if (!s->program->program->info.checked) return STATUS_OK;
    if (!settle(s, t, x, fault)) return STATUS_RETRY;
    return s->instance.functions.check(&s->instance, t, s->x, fault);
}

static Status accept(void *self, PastPoint *point, Fault *fault) {
    RbSimulation *s = self;
    PastPoint     own = *point;
    if (!settle(s, point->t, point->x, fault)) return STATUS_RETRY;
    own.x = s->x;
    Status status = s->instance.functions.accept(&s->instance, &own, fault);
    own.x = point->x;
    *point = own;
    return status;
}

static Status begin(void *self, double t, double *x, Fault *fault) {
    RbSimulation *s = self;
    Instance     *instance = &s->instance;
    if (x != s->fleet->all) memcpy(x, s->fleet->all, s->fleet->states * sizeof *x);
    Status status = instance->functions.init(instance, t, s->x, fault);
    s->fleet->functions.accept = instance->functions.accept ? accept : NULL;
    s->fleet->model.nz = instance->model.nz;
    s->fleet->model.step_most = instance->model.step_most;
    return status;
}

void fleet_events(RbSimulation *s) {
    Fleet *f = s->fleet;
    f->functions.init = begin;
    f->functions.crossings = crossings;
    f->functions.ahead = ahead;
    f->functions.event = event;
    f->functions.next_event = next_event;
    f->functions.check = check;
    f->model.nz = s->instance.model.nz;
}

/* ---- the start ---- */

/* Its states of now; how far they are from those before, relative to their size. */
static double adopt(RbSimulation *s, double *x) {
    const Program *p = s->program->program;
    const Batches *all = &p->batches;
    double         most = 0;
    for (int f = 0; f < all->count; f++)
        for (int k = 0; all->batch[f].count == 1 && k < all->batch[f].states; k++) {
            double *at = place_of(s->fleet, x, f, k);
            double  now =
                s->instance.v[p->states.var[all->state[all->batch[f].state + k]]];
            double size = fmax(fabs(now), fabs(*at));
            if (size > 0) most = fmax(most, fabs(now - *at) / size);
            *at = now;
        }
    return most;
}

/* The initial system with what neighbours give, until the states stay. */
static Status find_start(RbSimulation *s, Fault *fault) {
    enum { MOST = 100 };
    Fleet *f = s->fleet;
    Status status = STATUS_OK;
    double moved = 1;
    if (!f->net.hosts && !s->program->program->batches.network.asks) return STATUS_OK;
    f->starting = true;
    for (int k = 0; k < MOST && moved > 1e-10 && status == STATUS_OK; k++) {
        if (!instance_begin_loops(&s->instance)) status = STATUS_NO_MEMORY;
        else if (!settle(s, s->start, f->all, fault)) status = STATUS_FATAL;
        else status = instance_initialise(&s->instance, s->start, fault);
        if (status == STATUS_OK) moved = adopt(s, f->all);
    }
    f->starting = false;
    if (status == STATUS_OK && moved > 1e-10) {
        status = STATUS_DIVERGED;
        fault->what = "start values of components and of their neighbours do not settle";
    }
    return status;
}

/* Flows that initial equations determine are known after the first time, those that follow from others after
 * an evaluation: a stream that passes several junctions takes as many rounds. */
RbStatus fleet_start(RbSimulation *s, RbError *error) {
    enum { ROUNDS = 1000 };
    Fault  fault = fault_none();
    Status status = STATUS_OK;
    bool   moved = true;
    for (int k = 0; k < ROUNDS && status == STATUS_OK && (moved || k < 2); k++) {
        if (!fleet_flows(s, k > 0, &moved)) status = STATUS_NO_MEMORY;
        if (status == STATUS_OK && (moved || !k)) status = find_start(s, &fault);
        s->fleet->shown = HUGE_VAL;
        if (status == STATUS_OK && (moved || !k) && !fleet_settle(s))
            status = STATUS_FATAL;
    }
    if (status == STATUS_OK) return RB_OK;
    diag_report(&s->diag, fault.pos, CODE_R101,
                "the simulation failed at time %.9g: %s%s%s", s->start,
                status_text(status), fault.what ? ": " : "",
                fault.what ? fault.what : "");
    s->ended = true;
    return error_from(error, RB_FAILED, &s->diag, s->diag.count - 1);
}
