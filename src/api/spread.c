/* SPDX-License-Identifier: Apache-2.0 */
/* spread.c -- one large model over several processes, by explicit methods.
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
 * Cost: beside the evaluation of own rows, an exchange with the neighbours for each evaluation and a sum over
 * all processes for each step; what a process has of the others' states is not kept up to date but for the
 * halo. Memory: the program and two vectors of all states; those of the method only for own states. */
#include "api/spread.h"

#include <math.h>
#include <string.h>

struct Spread {
    RbSimulation *simulation;
    RbLink       *link;
    Shares        shares;
    int           own;      /* states here: shares.order[shares.first[rank] ...) */
    const int    *state;    /* their numbers */
    double       *x, *dx;   /* of all */
    double       *local;    /* own states, for the time loop */
    double       *nominal;  /* of own states */
    double       *out, *in; /* halo */
    double       *whole;    /* states in the order of the cut: what a gathering gives */
    RbSwap       *swap;     /* halo, one for each neighbour ... */
    int           swaps;
    RbSwap       *gather; /* ... and by process, in one direction each */
    SimPoint     *point;
    int *places; /* 0, 1, ...: a diagonal as pattern, which explicit methods never use */
    Pattern        pattern;
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

static Status part_eval(void *self, double t, const double *x, const Selection *rows,
                        double *dx, Fault *fault) {
    Spread       *p = self;
    const Shares *c = &p->shares;
    (void)rows;
    for (int k = 0; k < p->own; k++) p->x[p->state[k]] = x[k];
    for (int k = 0; k < c->out_first[c->parts]; k++) p->out[k] = p->x[c->out[k]];
    bool   heard = p->link->swap(p->link, p->swap, p->swaps);
    Status status = eval_rows(p, t, c->inside, c->insides, fault);
    heard = p->link->swapped(p->link) && heard;
    for (int k = 0; k < c->in_first[c->parts]; k++) p->x[c->in[k]] = p->in[k];
    if (status == STATUS_OK) status = eval_rows(p, t, c->border, c->borders, fault);
    const bool fine = heard && status == STATUS_OK;
    for (int k = 0; k < p->own; k++) dx[k] = fine ? p->dx[p->state[k]] : NAN;
    return STATUS_OK;
}

static bool part_moves(void *self, Range piece, InputSearch *search, InputMove *out) {
    const Model *inner = inner_of(self);
    return inner->fn->moves(inner->instance, piece, search, out);
}

static void part_total(void *self, double *sum, int n) {
    const Spread *p = self;
    if (p->link->sum(p->link, sum, n)) return;
    for (int k = 0; k < n; k++) sum[k] = NAN; /* nobody goes on */
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

bool spread_finish(RbSimulation *s) {
    Spread *p = s->spread;
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

static RbStatus choose_method(RbSimulation *s, RbError *error) {
    const char   *asked = s->options.method;
    const bool    none = !asked || strcmp(asked, "auto") == 0;
    const Method *m = methods_take(s->program->methods, none ? "dopri5" : asked);
    const bool    fits = m && m->kind == METHOD_EXPLICIT;
    if (m) methods_give(s->program->methods, m);
    if (none) s->sim.ode.method = "dopri5";
    return fits ? RB_OK
                : error_set(
                      error, RB_ARGUMENT,
                      "one model over several processes is integrated by an explicit "
                      "method, not by '%s'",
                      asked);
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
    p->functions = (ModelFunctions){.init = part_init,
                                    .eval = part_eval,
                                    .event = part_event,
                                    .moves = inner->fn->moves ? part_moves : NULL,
                                    .total = part_total};
    p->model = (Model){.nx = p->own,
                       .all = p->shares.states,
                       .pattern = &p->pattern,
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
    RbStatus status = choose_method(s, error);
    if (status != RB_OK) return status;
    Spread *p = s->spread = mem_take(1, sizeof *p);
    if (!p) return error_set(error, RB_NO_MEMORY, "there is no memory");
    p->simulation = s;
    p->link = link;
    int64_t fine = shares_make(&p->shares, s->program->program, link) && make_model(p) &&
                   make_swaps(p);
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
}

void spread_close(RbSimulation *s) {
    Spread *p = s->spread;
    if (!p) return;
    shares_free(&p->shares);
    MEM_FREE(p->x, p->dx, p->local, p->nominal, p->places, p->out, p->in, p->whole,
             p->swap, p->gather, p);
    s->spread = NULL;
}
