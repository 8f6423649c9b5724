/* SPDX-License-Identifier: Apache-2.0 */
/* fleet_loop.c -- families and networks of parts as one model at the waist.
 *
 * Methods with error control, implicit ones and those of SUNDIALS see the states of all instances as one
 * vector: parts of a network first, then the families that are closed, in the layouts of lied.h. The
 * Jacobian of a closed family has one block for each instance; that of a network one for each mechanism. Differences by
 * colours then cost as many evaluations as the largest of them has states, however many there are. */
#define _POSIX_C_SOURCE 200809L
#include "api/api.h"

#include <math.h>
#include <string.h>

/* ---- parts ---- */

static void *find_code(const void *owner, const char *name) {
    return kernels_find(owner, name);
}

/* The name of a variable of a port, as that of an instance. */
static void port_name(const Program *p, int port, long instance, Text *out) {
    program_instance_name(p, p->batches.network.port[port].var, instance, out);
}

static RbStatus say_circle(RbSimulation *s, int family, RbError *error) {
    const Program *p = s->program->program;
    const Network *net = &p->batches.network;
    Text           name = {0};
    int            port = 0;
    while (port < net->ports - 1 && net->port[port].family != family) port++;
    port_name(p, port, 0, &name);
    diag_report(&s->diag, program_declared(p, net->port[port].var), CODE_C113,
                "cyclic stream through the connector of '%s' without a volume",
                text_get(&name));
    text_free(&name);
    return error_from(error, RB_MODEL, &s->diag, s->diag.count - 1);
}

static RbStatus check_flows(RbSimulation *s, RbError *error) {
    const Program *p = s->program->program;
    FlowMismatch   m;
    Text           one = {0}, two = {0};
    if (!fleet_settle(s))
        return error_set(error, RB_FAILED, "the variables have no values at the start");
    if (net_flows_agree(&s->fleet->net, &m)) return RB_OK;
    int named = m.in >= 0 ? m.in : m.out;
    port_name(p, m.out, m.out_at, &two);
    if (m.in >= 0) port_name(p, m.in, m.in_at, &one);
    else text_add(&one, "what is connected to it");
    diag_report(&s->diag, program_declared(p, p->batches.network.port[named].var),
                CODE_C115, "'%s' starts with %.9g, but %.9g leave '%s'", text_get(&one),
                m.taken, m.given, text_get(&two));
    TEXT_FREE(&one, &two);
    return error_from(error, RB_MODEL, &s->diag, s->diag.count - 1);
}

RbStatus fleet_parts(RbSimulation *s, RbError *error) {
    const Program *p = s->program->program;
    Fleet         *f = s->fleet;
    int            circle;
    if (!p->batches.network.ports) return RB_OK;
    NetStatus status = net_open(&f->net, &p->batches, s->instance.v, s->options.threads,
                                find_code, &f->kernels, &circle);
    if (status == NET_CIRCLE) return say_circle(s, circle, error);
    f->shown = HUGE_VAL;
    f->net.evaluate = fleet_evaluate;
    f->net.owner = s;
    if (status == NET_OK) f->all = mem_take((size_t)f->net.states + 1, sizeof(double));
    return f->all ? RB_OK : error_set(error, RB_NO_MEMORY, "there is no memory");
}

bool fleet_settle(RbSimulation *s) {
    Fleet *f = s->fleet;
    if (!f->net.part || f->shown == s->now || !f->rate) return true;
    f->shown = s->now;
    return net_rates(&f->net, s->now, f->all, f->rate);
}

/* ---- one vector ---- */

static Status eval(void *instance, double t, const double *x, const Selection *rows,
                   double *dx, Fault *fault) {
    RbSimulation *s = instance;
    Fleet        *f = s->fleet;
    (void)rows;
    f->shown = HUGE_VAL;
    s->instance.fault = fault;
    if (f->net.part && !net_rates(&f->net, t, x, dx)) {
        if (fault && !fault->what)
            fault->what = "the linear system of a loop of components is singular";
        return STATUS_RETRY;
    }
    for (int k = 0; k < f->batches; k++)
        if (f->batch[k].states)
            batch_rates(&f->batch[k], t, x + f->first[k], dx + f->first[k],
                        s->options.threads);
    return STATUS_OK;
}

static Status start(void *instance, double t, double *x, Fault *fault) {
    const RbSimulation *s = instance;
    (void)t;
    (void)fault;
    if (x != s->fleet->all) memcpy(x, s->fleet->all, s->fleet->states * sizeof *x);
    return STATUS_OK;
}

static const ModelFunctions functions = {.init = start, .eval = eval};

/* Mass flows that neighbours have in common are made equal; where they follow from each other at junctions in
 * as many rounds. */
static Status project(void *instance, double t, double *x, double tolerance, bool *moved,
                      Fault *fault) {
    enum { ROUNDS = 100 };
    RbSimulation *s = instance;
    bool          more = true;
    *moved = false;
    s->fleet->shown = HUGE_VAL;
    s->instance.fault = fault;
    for (int k = 0; k < ROUNDS && more; k++) {
        if (!net_rates(&s->fleet->net, t, x, s->fleet->rate))
            break; /* eval will say it */
        if (!fleet_keep_flows(s, x, tolerance, &more)) return STATUS_NO_MEMORY;
        *moved |= more;
    }
    return STATUS_OK;
}

static bool has_flows(const Network *net) {
    for (int k = 0; k < net->ports; k++)
        if (net->port[k].flow >= 0) return true;
    return false;
}

/* Column j of instance i of a chunk has the rows of that instance. */
static void batch_columns(const Batch *b, size_t first, int *start_of, int *row, int *n) {
    for (int64_t c = 0; c < b->chunks; c++)
        for (int k = 0; k < b->states; k++)
            for (int i = 0; i < BATCH_LANES; i++) {
                size_t base = first + (size_t)c * (size_t)b->states * BATCH_LANES;
                start_of[base + (size_t)(k * BATCH_LANES + i)] = *n;
                for (int j = 0; j < b->states; j++)
                    row[(*n)++] = (int)base + j * BATCH_LANES + i;
            }
}

/* Rows of a column: the states of its mechanism. */
static void network_columns(const Mechanisms *m, int states, int *start_of, int *row,
                            int *n) {
    for (int j = 0; j < states; j++) {
        start_of[j] = *n;
        for (int i = m->first[j]; i >= 0; i = m->next[i]) row[(*n)++] = i;
    }
}

static size_t count_entries(const Fleet *f, const Mechanisms *m) {
    size_t entries = 0;
    for (int j = 0; m->first && j < f->net.states; j++)
        entries += (size_t)m->size[m->first[j]];
    for (int k = 0; k < f->batches; k++)
        entries += batch_size(&f->batch[k]) * (size_t)f->batch[k].states;
    return entries;
}

static RbStatus fill_pattern(Fleet *f, const Mechanisms *m, size_t entries, bool asked,
                             RbError *error) {
    int *start_of = mem_take(f->states + 1, sizeof(int));
    int *row = mem_take(entries + 1, sizeof(int)), n = 0;
    f->pattern = mem_take(1, sizeof *f->pattern);
    if (!start_of || !row || !f->pattern) {
        MEM_FREE(start_of, row, f->pattern);
        f->pattern = NULL;
        return error_set(error, RB_NO_MEMORY, "there is no memory");
    }
    for (size_t j = 0; !asked && j < f->states; j++) start_of[j] = row[n++] = (int)j;
    if (asked && m->first) network_columns(m, (int)f->net.states, start_of, row, &n);
    for (int k = 0; asked && k < f->batches; k++)
        batch_columns(&f->batch[k], f->first[k], start_of, row, &n);
    start_of[f->states] = n;
    *f->pattern = (Pattern){(int)f->states, (int)f->states, start_of, row};
    return RB_OK;
}

/* Explicit methods never ask for the matrix: a diagonal will do. */
static RbStatus make_pattern(RbSimulation *s, bool asked, RbError *error) {
    Fleet     *f = s->fleet;
    Mechanisms m = {0};
    RbStatus   status;
    if (asked && f->net.part && !net_mechanisms(&f->net, &m)) {
        mechanisms_free(&m);
        return error_set(error, RB_NO_MEMORY, "there is no memory");
    }
    size_t entries = asked ? count_entries(f, &m) : f->states;
    if (entries > (size_t)1 << 30)
        status = error_set(error, RB_ARGUMENT,
                           "the Jacobian of %zu states has %zu entries, too many for the "
                           "method '%s': choose an explicit one",
                           f->states, entries, f->method->name);
    else status = fill_pattern(f, &m, entries, asked, error);
    mechanisms_free(&m);
    return status;
}

static bool needs_jacobian(const RbSimulation *s) {
    return s->sim.solver != SOLVER_RK || s->fleet->automatic ||
           s->fleet->method->kind != METHOD_EXPLICIT;
}

/* Typical magnitudes of all states, if they are not all 1. False: no memory. */
static bool gather_nominal(RbSimulation *s) {
    Fleet         *f = s->fleet;
    const Program *p = s->program->program;
    bool           some = false;
    for (int k = 0; k < p->states.count; k++) some |= s->common->nominal[k] != 1;
    if (!some) return true;
    f->nominal = mem_take(f->states + 1, sizeof(double));
    for (int k = 0; f->nominal && k < f->batches; k++) {
        const BatchInfo *info = &p->batches.batch[k];
        const NetPart   *part = f->net.part ? &f->net.part[k] : NULL;
        const bool       joined = part && part->count > 0;
        const size_t     each = joined ? (size_t)part->count : BATCH_LANES;
        const size_t     all =
            joined ? each * (size_t)info->states : batch_size(&f->batch[k]);
        double *to = f->nominal + (joined ? (size_t)part->x0 : f->first[k]);
        for (size_t i = 0; i < all; i++)
            to[i] = s->common->nominal[p->batches.state[(size_t)info->state +
                                                        i / each % (size_t)info->states]];
    }
    return f->nominal != NULL;
}

RbStatus fleet_gather(RbSimulation *s, RbError *error) {
    Fleet *f = s->fleet;
    size_t at = (size_t)f->net.states;
    f->first = mem_take((size_t)f->batches + 1, sizeof *f->first);
    for (int k = 0; f->first && k < f->batches; k++) {
        f->first[k] = at;
        at += batch_size(&f->batch[k]);
    }
    double *all = mem_take(at + 1, sizeof(double));
    f->rate = mem_take(at + 1, sizeof(double));
    if (!f->first || !all || !f->rate || at > INT32_MAX) {
        mem_free(all);
        return error_set(error, RB_NO_MEMORY, "there is no memory for %zu states", at);
    }
    if (f->net.part) memcpy(all, f->all, (size_t)f->net.states * sizeof *all);
    for (int k = 0; k < f->batches; k++)
        if (f->batch[k].x) batch_lend(&f->batch[k], all + f->first[k]);
    mem_free(f->all);
    f->all = all;
    f->states = at;
    RbStatus status = make_pattern(s, needs_jacobian(s), error);
    s->now = s->start;
    if (status == RB_OK && f->net.part) status = fleet_start(s, error);
    if (status == RB_OK && f->net.part) status = check_flows(s, error);
    if (status == RB_OK && !gather_nominal(s))
        status = error_set(error, RB_NO_MEMORY, "there is no memory");
    f->model = (Model){.nx = (int)at,
                       .pattern = f->pattern,
                       .nominal = f->nominal,
                       .fn = &f->functions,
                       .instance = s};
    f->functions = functions;
    if (has_flows(&s->program->program->batches.network)) f->functions.project = project;
    if (status == RB_OK && f->eventful) fleet_events(s);
    return status;
}

RbStatus fleet_apart(RbSimulation *s, RbError *error) {
    Fleet *f = s->fleet;
    if (!f->net.part) return RB_OK;
    f->rate = mem_take(net_room(&f->net, f->method), sizeof(double));
    if (!f->rate) return error_set(error, RB_NO_MEMORY, "there is no memory");
    s->now = s->start;
    RbStatus status = fleet_start(s, error);
    return status == RB_OK ? check_flows(s, error) : status;
}

void fleet_loop_close(Fleet *f) {
    net_close(&f->net);
    if (f->pattern) {
        mem_free((void *)f->pattern->start);
        mem_free((void *)f->pattern->row);
    }
    MEM_FREE(f->pattern, f->first, f->all, f->rate, f->nominal);
}

/* ---- steps ---- */

/* A point may lie inside of a step: its states are shown, then those of the step hold again. */
static Status on_point(void *owner, double t, const double *x, const double *y,
                       Fault *fault) {
    RbSimulation *s = owner;
    Fleet        *f = s->fleet;
    double       *all = f->all;
    (void)y;
    s->now = t;
    f->all = (double *)x;
    f->shown = HUGE_VAL;
    for (int k = 0; k < f->batches; k++)
        if (f->batch[k].x) f->batch[k].x = f->all + f->first[k];
    Status status = fleet_point(s, fault);
    f->all = all;
    f->shown = HUGE_VAL;
    for (int k = 0; k < f->batches; k++)
        if (f->batch[k].x) f->batch[k].x = all + f->first[k];
    return status;
}

static RbStatus open_loop(RbSimulation *s, RbError *error) {
    s->sim = simulation_options(s);
    s->sim.output = (Selection){.kind = SELECT_LIST};
    s->sim.point = on_point; /* all instances are looked at there, whatever is recorded */
    s->sim.probe = NULL;
    s->sim.ode.method = s->fleet->automatic ? NULL : s->fleet->method->name;
    s->run = simulation_open(&s->fleet->model, &s->sim, s->fleet->all);
    return s->run ? RB_OK : error_set(error, RB_NO_MEMORY, "there is no memory");
}

RbStatus fleet_run(RbSimulation *s, double time, RbError *error) {
    RbStatus status = s->run ? RB_OK : open_loop(s, error);
    if (status != RB_OK) return status;
    Status reached = simulation_advance(s->run, time);
    s->outcome = *simulation_outcome(s->run);
    s->now = s->outcome.time;
    s->fleet->shown = HUGE_VAL;
    bool stopped = reached == STATUS_END || s->now >= s->stop;
    if (reached != STATUS_OK || stopped) {
        s->wall_ended = wall_time();
        s->ended = true;
        simulation_close(s->run);
        s->run = NULL;
    }
    s->completed = s->now >= s->stop;
    if (reached == STATUS_END)
        return error_set(error, s->stopped ? s->stopped : RB_END,
                         "the caller ended the simulation at time %.9g", s->now);
    if (reached != STATUS_OK && s->outcome.fault.pos) {
        const int first = s->diag.count;
        if (s->outcome.fault.kind == FAULT_CONDITION) /* at a point inside the step */
            s->outcome.time = s->outcome.fault.time;
        simulation_explain(s);
        return error_from(error, RB_FAILED, &s->diag, first);
    }
    if (reached != STATUS_OK) {
        diag_report(&s->diag, 0, CODE_R101, "the simulation failed at time %.9g: %s%s%s",
                    s->now, status_text(reached), s->outcome.fault.what ? ": " : "",
                    s->outcome.fault.what ? s->outcome.fault.what : "");
        return error_from(error, RB_FAILED, &s->diag, 0);
    }
    return fleet_show(s, -1, 0)
               ? RB_OK
               : error_set(error, RB_FAILED, "the variables have no values");
}
