/* SPDX-License-Identifier: Apache-2.0 */
/* fleet.c -- simulation of a program that is made of families of equal systems.
 *
 * The instance of the simulation is one member of each family: it finds parameters and start values,
 * and shows all variables of any member on demand, from the states of that member. The states of all
 * members are in batches, which take the steps. Nothing is kept for a member beyond its states and the
 * parameters in which it differs. */
#define _POSIX_C_SOURCE 200809L
#include "api/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- processes ---- */

/* All of them fail if one does. */
static RbStatus together(const RbSimulation *s, RbStatus status, RbError *error) {
    RbLink *link = s->options.link;
    int64_t fine = status == RB_OK;
    if (!link) return status;
    const bool heard = link->least(link, &fine);
    if (status != RB_OK) return status;
    if (!heard) return error_set(error, RB_FAILED, "the other processes are gone");
    return fine ? RB_OK : error_set(error, RB_STOPPED, "another process has ended it");
}

/* ---- members ---- */

static bool is_part(const Fleet *f, int number) {
    return f->net.part && f->net.part[number].count > 0;
}

static void member_put(Fleet *f, int number, int64_t at, const double *x,
                       const double *q) {
    if (is_part(f, number)) net_put(&f->net, number, (long)at, f->all, x, q);
    else batch_put(&f->batch[number], at, x, q);
}

/* Of an instance that another process has, too: that one tells it to all. False: it is lost. */
static bool member_get(const RbSimulation *s, int number, int64_t at) {
    Fleet       *f = s->fleet;
    RbLink      *link = s->options.link;
    const Batch *b = &f->batch[number];
    if (is_part(f, number)) net_get(&f->net, number, (long)at, f->all, f->x, f->q);
    else if (!link || batch_has(b, at)) batch_get(b, at, f->x, f->q);
    if (!link) return true;
    const int from = batch_owner(b, at, link->size);
    return link->broadcast(link, from, f->x, (size_t)b->states * sizeof(double)) &&
           link->broadcast(link, from, f->q, (size_t)b->knowns * sizeof(double));
}

static void member_fill(Fleet *f, int number, const double *x, const double *q) {
    if (!is_part(f, number)) batch_fill(&f->batch[number], x, q);
    else
        for (long i = 0; i < f->net.part[number].count; i++)
            net_put(&f->net, number, i, f->all, x, q);
}

/* ---- making it ---- */

static void find_code(Fleet *f, int number) {
    char  name[40];
    void *at = kernels_find(&f->kernels, "batch_combine");
    memcpy(&f->batch[number].combine, &at, sizeof at);
    snprintf(name, sizeof name, "batch_fast_%d", number);
    at = kernels_find(&f->kernels, name);
    memcpy(&f->batch[number].fast, &at, sizeof at);
    snprintf(name, sizeof name, "batch_exact_%d", number);
    at = kernels_find(&f->kernels, name);
    memcpy(&f->batch[number].exact, &at, sizeof at);
}

/* Values of the member that the instance is now. */
static void read_member(const RbSimulation *s, int number, double *x, double *q) {
    const Program   *p = s->program->program;
    const BatchInfo *info = &p->batches.batch[number];
    for (int k = 0; k < info->states; k++)
        x[k] = s->instance.v[p->states.var[p->batches.state[info->state + k]]];
    for (int k = 0; k < info->knowns; k++)
        q[k] = s->instance.v[p->batches.known[info->known + k]];
}

static bool parameters_differ(const Program *p, const BatchInfo *info) {
    for (int k = 0; k < info->differs; k++)
        if (!p->batches.differ[info->differ + k].start) return true;
    return false;
}

/* Parameters of member `at`, then all that follows from them, as for a simulation of its own. */
static RbStatus start_member(RbSimulation *s, const Member *who, RbError *error) {
    const int64_t    at = who->at;
    const BatchInfo *info = &s->program->program->batches.batch[who->family];
    const Batches   *all = &s->program->program->batches;
    Instance         member = {0};
    Fault            fault = fault_none();
    RbStatus         status = RB_OK;
    if (!instance_open(&member, s->common))
        return error_set(error, RB_NO_MEMORY, "there is no memory");
    member.incident.member = who;
    for (int k = 0; k < info->differs; k++) {
        const BatchDiffer *d = &all->differ[info->differ + k];
        if (!instance_set(&member, d->var, all->value[d->value + at]))
            status = error_set(error, RB_NO_MEMORY, "there is no memory");
    }
    if (status == RB_OK && (simulation_values(s, &member, &fault) != STATUS_OK ||
                            instance_initialise(&member, s->start, &fault) != STATUS_OK))
        status = error_set(error, RB_FAILED, "instance %lld has no start values%s%s",
                           (long long)at + 1, fault.what ? ": " : "",
                           fault.what ? fault.what : "");
    for (int v = 0; status == RB_OK && v < s->program->program->variables.vars; v++)
        s->instance.v[v] = member.v[v];
    instance_free(&member);
    return status;
}

static RbStatus start_family(RbSimulation *s, int number, RbError *error) {
    const Program   *p = s->program->program;
    const Batches   *all = &p->batches;
    const BatchInfo *info = &all->batch[number];
    Fleet           *f = s->fleet;
    read_member(s, number, f->x, f->q);
    member_fill(f, number, f->x, f->q);
    bool different = parameters_differ(p, info);
    for (int64_t i = 0; info->differs && i < info->count; i++) {
        const bool here = is_part(f, number) || batch_has(&f->batch[number], i);
        if (!here && i + 1 < info->count)
            continue; /* the last one stays in the instance */
        RbStatus status =
            different ? start_member(s, &(Member){number, i}, error) : RB_OK;
        if (status != RB_OK) return status;
        if (different) read_member(s, number, f->x, f->q);
        for (int k = 0; !different && k < info->differs; k++) {
            const BatchDiffer *d = &all->differ[info->differ + k];
            for (int j = 0; j < info->states; j++)
                if (p->states.var[all->state[info->state + j]] ==
                    p->reduced.alias[d->var])
                    f->x[j] = p->reduced.sign[d->var] * all->value[d->value + i];
        }
        if (here) member_put(f, number, i, f->x, f->q);
    }
    return RB_OK;
}

/* Parts of a network that the ordinary code computes may have events, and so may variables that no
 * derivative needs. */
static bool has_events(const Program *p) {
    bool found = p->batches.network.hosts > 0;
    for (int r = 0; p->batches.network.ports && r < p->variables.runs; r++) {
        const VarRun *run = &p->variables.run[r];
        int           family = p->batches.of_run[r];
        found |= run->kind == VAR_DISCRETE && !(run->flags & VAR_HIDDEN) && family >= 0 &&
                 p->batches.batch[family].count == 1;
    }
    return found;
}

/* Fixed steps by an explicit method are taken chunk by chunk; all else is the usual time loop. */
static RbStatus choose_method(RbSimulation *s, RbError *error) {
    const RbOptions *o = &s->options;
    const Batches   *families = &s->program->program->batches;
    bool             part = families->network.ports > 0;
    bool             none = !o->method || strcmp(o->method, "auto") == 0;
    const char      *name = none ? part ? "dopri5" : "rk4" : o->method;
    Fleet           *f = s->fleet;
    f->eventful = has_events(s->program->program);
    f->automatic = none && (families->network.hosts > 0 || !part);
    f->method = methods_take(s->program->methods, name);
    if (!f->method) return error_set(error, RB_ARGUMENT, "there is no method '%s'", name);
    if (o->rates < 0 || o->rates > 1)
        return error_set(error, RB_ARGUMENT,
                         "families of components have one rate, not --rates");
    f->looped = o->fixed_step <= 0 || f->method->kind != METHOD_EXPLICIT ||
                s->sim.solver != SOLVER_RK || f->eventful || families->chosen;
    if (o->link && (part || f->looped))
        return error_set(error, RB_ARGUMENT,
                         "only families with steps of fixed length by an explicit method "
                         "are shared out to processes");
    return RB_OK;
}

static RbStatus fleet_open(RbSimulation *s, RbError *error) {
    const Program *p = s->program->program;
    Text           why = {0};
    fleet_close(s); /* of an attempt that failed */
    Fleet      *f = s->fleet = mem_take(1, sizeof *f);
    CodeOptions options = s->common->options;
    if (s->options.given_tier) options.tier = s->options.tier;
    if (f) {
        f->batch = mem_take((size_t)p->batches.count, sizeof *f->batch);
        f->x = mem_take((size_t)p->states.count + 1, sizeof(double));
        f->q = mem_take((size_t)p->batches.knowns + 1, sizeof(double));
        f->at = mem_take((size_t)p->batches.count, sizeof *f->at);
        f->rows = mem_take((size_t)p->states.count + 1, sizeof *f->rows);
    }
    if (!f || !f->batch || !f->x || !f->q || !f->at || !f->rows)
        return error_set(error, RB_NO_MEMORY, "there is no memory");
    RbStatus status = choose_method(s, error);
    if (status == RB_OK && !kernels_open(&f->kernels, p->batches.text, &options, &why))
        status = error_set(error, RB_DEFECT, "no code for families: %s", text_get(&why));
    text_free(&why);
    if (status == RB_OK) status = fleet_parts(s, error);
    for (int k = 0; status == RB_OK && k < p->batches.count; k++) {
        if (is_part(f, k)) f->batch[k] = (Batch){0};
        else if (!batch_open(&f->batch[k], &p->batches.batch[k], s->instance.v,
                             s->options.link ? s->options.link->rank : 0,
                             s->options.link ? s->options.link->size : 1))
            status =
                error_set(error, RB_NO_MEMORY, "there is no memory for %lld instances",
                          (long long)p->batches.batch[k].count);
        else find_code(f, k);
        f->batches = k + 1;
        if (status == RB_OK) status = start_family(s, k, error);
    }
    if (status == RB_OK)
        status = f->looped ? fleet_gather(s, error) : fleet_apart(s, error);
    return status;
}

void fleet_close(RbSimulation *s) {
    Fleet *f = s->fleet;
    if (!f) return;
    for (int k = 0; k < f->batches; k++) batch_close(&f->batch[k]);
    fleet_loop_close(f);
    if (f->method) methods_give(s->program->methods, f->method);
    kernels_close(&f->kernels);
    MEM_FREE(f->batch, f->x, f->q, f->at, f->rows, f);
    s->fleet = NULL;
}

/* ---- values of a member ---- */

/* What keeps its value between events of one instance may differ between instances: it is computed as
 * well, and relations are found anew, unless the ordinary code has events of its own. */
static int all_values(RbSimulation *s) {
    Instance *instance = &s->instance;
    instance_stamp(instance);
    instance_put_states(instance, s->x);
    Moment at = moment_at(s->now);
    at.live = !s->fleet->eventful;
    running_at(&instance->run, at);
    int failed = instance->run.image->events(&instance->run.rb);
    instance_put_rates(instance);
    return failed;
}

bool fleet_show(RbSimulation *s, int family, int64_t at) {
    const Program *p = s->program->program;
    Fleet         *f = s->fleet;
    if (!fleet_settle(s)) return false;
    for (int k = 0; k < p->batches.count; k++) {
        const BatchInfo *info = &p->batches.batch[k];
        if (!member_get(s, k, k == family ? at : f->at[k])) return false;
        for (int j = 0; j < info->states; j++)
            s->x[p->batches.state[info->state + j]] = f->x[j];
        for (int j = 0; j < info->knowns; j++)
            s->instance.v[p->batches.known[info->known + j]] = f->q[j];
    }
    return all_values(s) == 0;
}

RbStatus rb_show(RbSimulation *s, int64_t instance, RbError *error) {
    const Batches *all = &s->program->program->batches;
    int64_t        most = 0;
    error_none(error);
    for (int k = 0; k < all->count; k++)
        if (all->batch[k].count > most) most = all->batch[k].count;
    if (!s->fleet || instance < 1 || instance > most)
        return error_set(error, RB_ARGUMENT,
                         s->fleet ? "there is no such instance"
                                  : "there are no families of components, or not yet");
    for (int k = 0; k < all->count; k++)
        s->fleet->at[k] = instance <= all->batch[k].count ? instance - 1 : 0;
    if (fleet_show(s, -1, 0)) return RB_OK;
    return error_set(error, RB_FAILED, "the variables have no values");
}

/* ---- points and steps ---- */

/* Of all instances, not only of those that are recorded: bounds, and assertions, at the start all of them. */
static Status look_at_all(RbSimulation *s, Fault *fault) {
    const Program *p = s->program->program;
    const bool     first = s->now <= s->start && !s->sim.resumed;
    const bool     checks = p->actions > 0 && (first || p->info.checked);
    if (!checks && !bounds_any(&s->instance)) return STATUS_OK;
    for (int k = 0; k < p->batches.count; k++)
        for (int64_t i = 0; i < p->batches.batch[k].count; i++) {
            const Member who = {k, i};
            Status       status = STATUS_OK;
            fault->what = "the variables have no values";
            if (!fleet_show(s, k, i)) return STATUS_FATAL;
            *fault = fault_none();
            if (checks && !(s->fleet->eventful && p->batches.batch[k].count == 1))
                status = happen_check_member(&s->instance, &who, s->now, first, fault);
            if (status == STATUS_OK)
                status = bounds_check(&s->instance, &who, s->now, s->x, fault);
            if (status != STATUS_OK) return status;
        }
    return STATUS_OK;
}

Status fleet_point(RbSimulation *s, Fault *fault) {
    Results *r = s->results;
    Status   status = look_at_all(s, fault);
    if (status != STATUS_OK) return status;
    for (int k = 0, i = 0; r && k < r->views; k++) {
        const Shown *v = &r->view[k];
        if (i == v->columns) continue;
        fault->what = "the variables have no values";
        if (!fleet_show(s, v->family, v->at)) return STATUS_FATAL;
        *fault = fault_none();
        for (; i < r->columns && i < v->columns; i++)
            r->value[i] = s->instance.v[r->column[i]];
    }
    if (r && !record_point(r->recorder, s->now, r->value)) {
        fault->what = "the result cannot be written";
        fault->kind = FAULT_OUTPUT;
        return STATUS_FATAL;
    }
    if (s->listener.point && !fleet_show(s, -1, 0)) return STATUS_FATAL;
    return simulation_pointed(s, s->now, fault);
}

/* The model's own words, where it says them. */
static RbStatus failed_there(RbSimulation *s, const Fault *fault, RbError *error) {
    const int first = s->diag.count;
    s->ended = true;
    s->outcome.status = STATUS_FATAL;
    s->outcome.time = s->now;
    s->outcome.fault = *fault;
    simulation_explain(s);
    return error_from(error, RB_FAILED, &s->diag, first);
}

static RbStatus record(RbSimulation *s, RbError *error) {
    Fault fault = fault_none();
    if (s->results || s->listener.point) s->outcome.statistics.points++;
    switch (fleet_point(s, &fault)) {
    case STATUS_OK: return RB_OK;
    case STATUS_END:
        return error_set(error, s->stopped,
                         "the caller ended the simulation at time %.9g", s->now);
    default:
        if (fault.pos) return failed_there(s, &fault, error);
        return error_set(error, fault.kind == FAULT_OUTPUT ? RB_FILE : RB_FAILED,
                         "%s at time %.9g", fault.what ? fault.what : "no values",
                         s->now);
    }
}

static RbStatus fail(RbSimulation *s, int family, const BatchFault *fault,
                     RbError *error) {
    const Program *p = s->program->program;
    Text           name = {0};
    int            state = p->batches.state[p->batches.batch[family].state];
    program_instance_name(p, p->states.var[state], fault->instance, &name);
    Pos pos = program_declared(p, p->states.var[state]);
    diag_report(
        &s->diag, pos, CODE_R101,
        "the simulation failed before time %.9g: the instance of '%s' has states that "
        "are not finite; its linear system may be singular (a joint that moves no "
        "inertia), or the step is too long",
        fault->time, text_get(&name));
    text_free(&name);
    s->ended = true;
    s->outcome.status = STATUS_NOT_FINITE;
    return error_from(error, RB_FAILED, &s->diag, 0);
}

static RbStatus fail_net(RbSimulation *s, Status status, double until, RbError *error) {
    diag_report(&s->diag, 0, CODE_R101, "the simulation failed before time %.9g: %s",
                until, status_text(status));
    s->ended = true;
    s->outcome.status = status;
    return error_from(error, RB_FAILED, &s->diag, s->diag.count - 1);
}

/* The first instance of all processes that has no value; false: there is one. */
static bool first_fault(const RbSimulation *s, BatchFault *fault) {
    RbLink *link = s->options.link;
    int64_t first = fault->instance < 0 ? INT64_MAX : fault->instance;
    if (link) link->least(link, &first);
    fault->instance = first == INT64_MAX ? -1 : first;
    return fault->instance < 0;
}

/* All families to the next point. */
static RbStatus advance(RbSimulation *s, double until, RbError *error) {
    Fleet *f = s->fleet;
    double span = until - s->now;
    long   steps = (long)ceil(span / f->h - 1e-6);
    if (steps < 1) steps = 1;
    for (int k = 0; k < f->batches; k++) {
        BatchFault fault;
        Batch     *b = &f->batch[k];
        if (!b->states) continue; /* or a part */
        Status   status = batch_advance(b, f->method, s->now, span / (double)steps, steps,
                                        s->options.threads, &fault);
        RbStatus all = RB_OK;
        if (status == STATUS_NO_MEMORY)
            all = error_set(error, RB_NO_MEMORY, "there is no memory");
        if (!first_fault(s, &fault)) all = RB_FAILED;
        all = together(s, all, error);
        if (all == RB_FAILED && fault.instance >= 0) return fail(s, k, &fault, error);
        if (all != RB_OK) return all;
        s->outcome.statistics.ode.state_steps += steps * (long)b->count * b->states;
    }
    if (f->net.part) {
        Status status = net_advance(&f->net, f->method, s->now, span / (double)steps,
                                    steps, f->all, f->rate);
        f->shown = HUGE_VAL;
        if (status != STATUS_OK) return fail_net(s, status, until, error);
        s->outcome.statistics.ode.state_steps += steps * f->net.states;
    }
    s->outcome.statistics.ode.steps_accepted += steps;
    s->outcome.statistics.ode.rhs_calls += steps * batch_stages(f->method);
    s->now = until;
    return RB_OK;
}

RbStatus fleet_ready(RbSimulation *s, RbError *error) {
    RbStatus status = rb_initialise(s, error);
    if (status != RB_OK || s->fleet) return status;
    status = together(s, fleet_open(s, error), error);
    if (status != RB_OK) return status;
    s->fleet->h = s->options.fixed_step;
    return RB_OK;
}

static RbStatus begin(RbSimulation *s, RbError *error) {
    if (s->begun) return RB_OK;
    RbStatus status = fleet_ready(s, error);
    if (status != RB_OK) return status;
    s->begun = true;
    s->wall_begun = wall_time();
    if (s->results && !results_begin(s, error)) status = error ? error->status : RB_FILE;
    status = together(s, status, error);
    if (status != RB_OK) return status;
    return s->fleet->looped && !s->ended ? RB_OK : record(s, error);
}

static RbStatus to_time(RbSimulation *s, double time, RbError *error) {
    RbStatus status = begin(s, error);
    if (status != RB_OK) return status;
    if (s->completed) /* nothing is left of it, such as after a state at its end */
        return fleet_show(s, -1, 0)
                   ? RB_OK
                   : error_set(error, RB_FAILED, "the variables have no values");
    if (s->ended) return error_set(error, RB_ARGUMENT, "the simulation has ended");
    if (time > s->stop) time = s->stop;
    if (s->fleet->looped) return fleet_run(s, time, error);
    while (status == RB_OK && s->now < time) {
        double next = s->start + s->interval * (double)(s->fleet->point + 1);
        bool   whole = s->interval > 0 && next <= time + 1e-9 * s->interval;
        status = advance(s, whole && next < s->stop ? next : time, error);
        if (status == RB_OK && (whole || s->now >= s->stop)) {
            s->fleet->point++;
            status = record(s, error);
        }
        if (status == RB_OK && s->listener.progress &&
            !s->listener.progress(s->listener.owner, s, s->now))
            status = RB_STOPPED;
        status = together(s, status, error);
    }
    if (status == RB_OK && !fleet_show(s, -1, 0))
        status = error_set(error, RB_FAILED, "the variables have no values");
    if (s->now >= s->stop) s->ended = s->completed = true;
    if (s->ended || status != RB_OK) s->wall_ended = wall_time();
    s->outcome.time = s->now;
    return status;
}

/* What failed without a message gets one. */
RbStatus fleet_step(RbSimulation *s, double time, RbError *error) {
    RbError  own = {.status = RB_OK};
    RbStatus status = to_time(s, time, error ? error : &own);
    if (status == RB_FAILED && !s->diag.errors) {
        diag_report(&s->diag, 0, CODE_R101, "the simulation failed at time %.9g: %s",
                    s->now, error ? error->text : own.text);
        return error_from(error, RB_FAILED, &s->diag, s->diag.count - 1);
    }
    return status;
}

/* ---- as bytes ---- */

typedef void Pass(Bytes *bytes, double *value, size_t n);

/* The states of all members, and the parameters in which they differ. */
static void pass(const Fleet *f, Pass *one, Bytes *bytes) {
    if (f->net.part) one(bytes, f->all, (size_t)f->net.states);
    for (int k = 0; k < f->batches; k++) {
        const Batch *b = &f->batch[k];
        const size_t lanes = (size_t)b->chunks * BATCH_LANES;
        if (is_part(f, k)) {
            const NetPart *p = &f->net.part[k];
            one(bytes, p->q, (size_t)p->count * (size_t)p->knowns);
        } else {
            one(bytes, b->x, batch_size(b));
            one(bytes, b->q, lanes * (size_t)b->knowns);
        }
    }
}

static void put(Bytes *to, double *value, size_t n) {
    bytes_put(to, value, n * sizeof *value);
}

static void get(Bytes *from, double *value, size_t n) {
    bytes_get(from, value, n * sizeof *value);
}

void fleet_save(const RbSimulation *s, Bytes *to) {
    if (s->fleet) pass(s->fleet, put, to);
}

void fleet_restore(RbSimulation *s, double time, Bytes *from) {
    Fleet *f = s->fleet;
    pass(f, get, from);
    f->shown = HUGE_VAL;
    f->point = s->interval > 0 ? (long)((time - s->start) / s->interval + 1e-9) : 0;
}

size_t fleet_bytes(const RbSimulation *s) {
    size_t bytes = s->fleet && s->fleet->net.part ? net_bytes(&s->fleet->net) : 0;
    for (int k = 0; s->fleet && k < s->fleet->batches; k++)
        bytes += batch_bytes(&s->fleet->batch[k]);
    return bytes;
}
