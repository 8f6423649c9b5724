/* SPDX-License-Identifier: Apache-2.0 */
/* spread.c -- one large model over several processes.
 *
 * Each process has the whole program and integrates some of the states. For an evaluation it sends its states that
 * others read (the halo), computes the derivatives that read its own states only while messages are on their
 * way, and the others when they have come. Norms of errors are sums over all processes, so all take the same
 * steps; sums in another order are the only difference to one process, and steps of fixed length are the same in all
 * bits. Points of the result are gathered by rank 0, which computes the other variables and writes.
 *
 * A derivative that has no value becomes one that is not finite: then the error of all is not finite, and
 * all repeat the step.
 *
 * Implicit methods factor their matrices part by part, see spread_seam.c and lin/schur.c. Their steps are
 * the same on all processes because every decision is made with a sum or a maximum over all.
 *
 * Cost: beside the evaluation of own rows, an exchange with the neighbours for each evaluation and a sum over
 * all processes for each step; what a process has of the others' states is not kept up to date but for the
 * halo. Memory: the program and two vectors of all states; those of the method only for own states. */
#define _POSIX_C_SOURCE 200809L
#include "api/spread.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

typedef struct Most { /* of all processes, known at the end */
    double rows, fill, memory;
} Most;

struct Spread {
    RbSimulation  *simulation;
    RbLink        *link;
    Shares         shares;
    int            own;      /* states here: shares.order[shares.first[rank] ...) */
    const int     *state;    /* their numbers */
    double        *x, *dx;   /* of all */
    double        *local;    /* own states, for the time loop */
    double        *nominal;  /* of own states */
    double        *out, *in; /* halo */
    double        *whole;    /* states in the order of the cut: what a gathering gives */
    RbSwap        *swap;     /* halo, one for each neighbour ... */
    int            swaps;
    RbSwap        *gather; /* ... and by process, in one direction each */
    SimPoint      *point;
    Coupling       coupling; /* implicit methods only */
    int           *places;   /* 0, 1, ...: a diagonal as pattern for explicit ones */
    Pattern        pattern;
    Most           most;
    Model          model;
    ModelFunctions functions;
};

static const Model *inner_of(const Spread *p) {
    return &p->simulation->instance.model;
}

/* ---- the part of this process as a model ---- */

static Status part_init(void *self, double t, double *x, Fault *fault) {
    Spread      *p = self;
    const Model *inner = inner_of(p);
    Status       status = inner->fn->init(inner->instance, t, p->x, fault);
    for (int k = 0; k < p->own; k++) x[k] = p->x[p->state[k]];
    return status;
}

/* At the start everybody still has all states. */
static Status part_event(void *self, double t, double *x, EventKind kind,
                         const Selection *which, bool *again, Fault *fault) {
    Spread      *p = self;
    const Model *inner = inner_of(p);
    *again = false;
    if (kind != EVENT_START) return STATUS_OK;
    Status status = inner->fn->event(inner->instance, t, p->x, kind, which, again, fault);
    for (int k = 0; k < p->own; k++) x[k] = p->x[p->state[k]];
    return status;
}

static Status eval_rows(Spread *p, double t, int *rows, int count, Fault *fault) {
    const Model    *inner = inner_of(p);
    const Selection selection = {SELECT_LIST, 0, count, rows};
    return count ? inner->fn->eval(inner->instance, t, p->x, &selection, p->dx, fault)
                 : STATUS_OK;
}

/* Own states go where others read them. */
static bool send_halo(Spread *p, const double *x) {
    const Shares *c = &p->shares;
    for (int k = 0; k < p->own; k++) p->x[p->state[k]] = x[k];
    for (int k = 0; k < c->out_first[c->parts]; k++) p->out[k] = p->x[c->out[k]];
    return p->link->swap(p->link, p->swap, p->swaps);
}

static bool take_halo(Spread *p) {
    const Shares *c = &p->shares;
    const bool    heard = p->link->swapped(p->link);
    for (int k = 0; k < c->in_first[c->parts]; k++) p->x[c->in[k]] = p->in[k];
    return heard;
}

static Status part_eval(void *self, double t, const double *x, const Selection *rows,
                        double *dx, Fault *fault) {
    Spread       *p = self;
    const Shares *c = &p->shares;
    (void)rows;
    bool   heard = send_halo(p, x);
    Status status = eval_rows(p, t, c->inside, c->insides, fault);
    heard = take_halo(p) && heard;
    if (status == STATUS_OK) status = eval_rows(p, t, c->border, c->borders, fault);
    const bool fine = heard && status == STATUS_OK;
    for (int k = 0; k < p->own; k++) dx[k] = fine ? p->dx[p->state[k]] : NAN;
    return STATUS_OK;
}

static Status part_jacobian(void *self, double t, const double *x,
                            const Selection *states, double *value, Fault *fault) {
    Spread    *p = self;
    const bool sent = send_halo(p, x), heard = take_halo(p);
    (void)states;
    const Status status =
        coupling_jacobian(&p->coupling, &p->shares, p->link, &p->simulation->instance, t,
                          p->x, value, fault);
    return sent && heard ? status : STATUS_FATAL;
}

static bool part_moves(void *self, Range piece, InputSearch *search, InputMove *out) {
    const Model *inner = inner_of(self);
    return inner->fn->moves(inner->instance, piece, search, out);
}

static void part_total(void *self, TotalKind kind, double *value, int n) {
    const Spread *p = self;
    if (kind == TOTAL_MOST ? p->link->most(p->link, value, n)
                           : p->link->sum(p->link, value, n))
        return;
    for (int k = 0; k < n; k++) value[k] = NAN; /* nobody goes on */
}

/* ---- points ---- */

/* All states at a point, on rank 0. */
static bool gather(Spread *p, const double *x) {
    RbLink       *link = p->link;
    const Shares *c = &p->shares;
    for (int k = 0; k < link->size; k++) {
        const bool here = k == link->rank;
        p->gather[k] = (RbSwap){.peer = k,
                                .out = x,
                                .outs = !here && k == 0 ? (size_t)p->own : 0,
                                .in = p->whole + c->first[k],
                                .ins = !here && link->rank == 0
                                           ? (size_t)(c->first[k + 1] - c->first[k])
                                           : 0};
    }
    if (!link->swap(link, p->gather, link->size) || !link->swapped(link)) return false;
    if (link->rank) return true;
    memcpy(p->whole + c->first[0], x, (size_t)p->own * sizeof *x);
    for (int k = 0; k < c->states; k++) p->dx[c->order[k]] = p->whole[k];
    return true;
}

static Status show(Spread *p, double t, const double *x, Fault *fault) {
    RbSimulation   *s = p->simulation;
    const Model    *inner = inner_of(p);
    double          none = 0, *y = s->results ? s->results->value : &none;
    const Selection which = {SELECT_LIST, 0, s->results ? s->results->columns : 0,
                             s->results ? s->results->column : NULL};
    Status          status = inner->fn->output(inner->instance, t, x, &which, y, fault);
    return status == STATUS_OK ? p->point(s, t, x, y, fault) : status;
}

/* Rank 0 writes, and all end if it cannot. */
static Status on_point(void *owner, double t, const double *x, const double *y,
                       Fault *fault) {
    RbSimulation *s = owner;
    Spread       *p = s->spread;
    Status        status = gather(p, x) ? STATUS_OK : STATUS_FATAL;
    (void)y;
    if (status == STATUS_OK && !p->link->rank) status = show(p, t, p->dx, fault);
    int64_t fine = status == STATUS_OK;
    if (!p->link->least(p->link, &fine)) return STATUS_FATAL;
    return status != STATUS_OK ? status : fine ? STATUS_OK : STATUS_END;
}

static void find_most(RbSimulation *s) {
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    double most[] = {(double)instance_counts(&s->instance).rows,
                     s->outcome.statistics.ode.fill, 1024.0 * (double)usage.ru_maxrss};
    s->spread->link->most(s->spread->link, most, LENGTH(most));
    s->spread->most = (Most){most[0], most[1], most[2]};
}

bool spread_finish(RbSimulation *s) {
    Spread *p = s->spread;
    find_most(s);
    if (!gather(p, p->local)) return false;
    if (!p->link->rank) memcpy(s->x, p->dx, (size_t)p->shares.states * sizeof *s->x);
    return p->link->broadcast(p->link, 0, s->x, (size_t)p->shares.states * sizeof *s->x);
}

/* ---- what can be spread ---- */

/* Why not; NULL: it can. */
static const char *refusal(const RbSimulation *s) {
    const Program   *p = s->program->program;
    const RbOptions *o = &s->options;
    if (!s->instance.cones) return "it was translated to be evaluated as a whole";
    if (p->part[PART_RUN].relations || p->info.terminal) return "it has events";
    if (p->info.clocks) return "it has clocks";
    if (p->info.checked) return "it has assertions that are looked at while it runs";
    if (s->instance.functions.accept || s->instance.history) return "it has delays";
    if (p->invariants.rows) return "its states are bound by constraints";
    if (p->fast.count) return "it has states that are infinitely fast";
    if (p->states.pattern.rows < 0) return "all of its states depend on each other";
    if (p->states.count < 2 * o->link->size) return "it has too few states";
    if (o->rates > 1 || o->rates < 0) return "it shall have several rates";
    if (s->sim.solver != SOLVER_RK) return "a library shall integrate it";
    if (o->profile || s->listener.trace) return "its steps shall be looked at";
    return NULL;
}

/* May an implicit method run? */
static bool is_implicit(const RbSimulation *s) {
    const char   *asked = s->options.method;
    const Method *m = asked ? methods_take(s->program->methods, asked) : NULL;
    const bool    implicit = !m || m->kind != METHOD_EXPLICIT;
    if (m) methods_give(s->program->methods, m);
    return implicit;
}

/* ---- making it ---- */

static bool make_swaps(Spread *p) {
    const Shares *c = &p->shares;
    p->swap = mem_take((size_t)c->parts, sizeof *p->swap);
    p->gather = mem_take((size_t)c->parts, sizeof *p->gather);
    p->out = mem_take((size_t)c->out_first[c->parts] + 1, sizeof *p->out);
    p->in = mem_take((size_t)c->in_first[c->parts] + 1, sizeof *p->in);
    if (!p->swap || !p->gather || !p->out || !p->in) return false;
    for (int k = 0; k < c->parts; k++) {
        const RbSwap with = {.peer = k,
                             .out = p->out + c->out_first[k],
                             .in = p->in + c->in_first[k],
                             .outs = (size_t)(c->out_first[k + 1] - c->out_first[k]),
                             .ins = (size_t)(c->in_first[k + 1] - c->in_first[k])};
        if (with.outs || with.ins) p->swap[p->swaps++] = with;
    }
    return true;
}

static bool make_model(Spread *p) {
    const Model *inner = inner_of(p);
    const int    rank = p->link->rank;
    const size_t all = (size_t)p->shares.states;
    p->state = p->shares.order + p->shares.first[rank];
    p->own = p->shares.first[rank + 1] - p->shares.first[rank];
    p->x = mem_take(all + 1, sizeof(double));
    p->dx = mem_take(all + 1, sizeof(double));
    p->whole = mem_take(rank ? 1 : all + 1, sizeof(double));
    p->local = mem_take((size_t)p->own + 1, sizeof(double));
    p->nominal = mem_take((size_t)p->own + 1, sizeof(double));
    p->places = mem_take((size_t)p->own + 1, sizeof *p->places);
    if (!p->x || !p->dx || !p->whole || !p->local || !p->nominal || !p->places)
        return false;
    for (int k = 0; k <= p->own; k++) p->places[k] = k;
    p->pattern = (Pattern){p->own, p->own, p->places, p->places};
    for (int k = 0; k < p->own; k++)
        p->nominal[k] = inner->nominal ? inner->nominal[p->state[k]] : 1.0;
    p->functions =
        (ModelFunctions){.init = part_init,
                         .eval = part_eval,
                         .jacobian = p->coupling.pattern ? part_jacobian : NULL,
                         .event = part_event,
                         .moves = inner->fn->moves ? part_moves : NULL,
                         .total = part_total};
    p->model = (Model){.nx = p->own,
                       .all = p->shares.states,
                       .flags = inner->flags & (MODEL_LINEAR | MODEL_AUTONOMOUS),
                       .pattern = p->coupling.pattern ? p->coupling.pattern : &p->pattern,
                       .seam = p->coupling.pattern ? &p->coupling.seam : NULL,
                       .nominal = p->nominal,
                       .effort = inner->effort,
                       .fn = &p->functions,
                       .instance = p};
    return true;
}

RbStatus spread_open(RbSimulation *s, RbError *error) {
    RbLink     *link = s->options.link;
    const char *why = refusal(s);
    if (why)
        return error_set(error, RB_ARGUMENT,
                         "this model cannot be shared out to processes: %s", why);
    Spread *p = s->spread = mem_take(1, sizeof *p);
    if (!p) return error_set(error, RB_NO_MEMORY, "there is no memory");
    p->simulation = s;
    p->link = link;
    bool           made = shares_make(&p->shares, s->program->program, link);
    const Pattern *whole = inner_of(p)->pattern;
    if (made && is_implicit(s)) made = coupling_make(&p->coupling, &p->shares, whole);
    if (p->coupling.wide)
        return error_set(
            error, RB_ARGUMENT,
            "the parts of this model are coupled by %d states, too many for an "
            "implicit method over several processes: name an explicit one",
            p->coupling.seam.count);
    int64_t fine = made && make_model(p) && make_swaps(p);
    if (!link->least(link, &fine) || !fine)
        return error_set(error, RB_NO_MEMORY, "there is no memory on some process");
    p->point = s->sim.point;
    if (p->point) s->sim.point = on_point;
    s->sim.probe = NULL;
    s->sim.output = (Selection){.kind = SELECT_LIST};
    return RB_OK;
}

Simulation *spread_simulation(RbSimulation *s) {
    return simulation_open(&s->spread->model, &s->sim, s->spread->local);
}

void spread_statistics(const RbSimulation *s, Text *out) {
    const Spread *p = s->spread;
    if (!p) return;
    int most = 0, least = p->shares.states;
    for (int k = 0; k < p->shares.parts; k++) {
        const int n = p->shares.first[k + 1] - p->shares.first[k];
        if (n > most) most = n;
        if (n < least) least = n;
    }
    text_printf(out,
                ",\"processes\":%d,\"states_least\":%d,\"states_most\":%d,"
                "\"halo_values\":%.0f,\"cut_by_graph\":%s",
                p->shares.parts, least, most, p->shares.volume,
                p->shares.by_graph ? "true" : "false");
    text_printf(out,
                ",\"coupling_states\":%d,\"coupling_entries\":%d,\"rows_most\":%.0f,"
                "\"factor_entries_most\":%.0f,\"memory_most_bytes\":%.0f",
                p->coupling.seam.count,
                p->coupling.pattern ? pattern_entries(&p->coupling.schur) : 0,
                p->most.rows, p->most.fill, p->most.memory);
}

void spread_close(RbSimulation *s) {
    Spread *p = s->spread;
    if (!p) return;
    shares_free(&p->shares);
    coupling_free(&p->coupling);
    MEM_FREE(p->x, p->dx, p->local, p->nominal, p->places, p->out, p->in, p->whole,
             p->swap, p->gather, p);
    s->spread = NULL;
}
