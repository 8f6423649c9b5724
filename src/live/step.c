/* SPDX-License-Identifier: Apache-2.0 */
/* step.c -- discretised partitions whose method looks at points inside a step.
 *
 * The second phase of the partition runs there again, with the states and inputs of these points, on
 * values of its own: others may read what the tick has computed so far. With X, F and U the states, derivatives and inputs at the tick
 * before, u those of this tick (Modelica 3.6, 16.8.1):
 *     midpoint       x = X + h f(X + h F/2, (U + u)/2)
 *     Runge-Kutta 4  the classical tableau with k1 = F, inputs (U + u)/2, (U + u)/2, u
 *     external       one of our integrators from tick to tick, inputs on the line from U to u
 * Inputs that are no continuous quantities keep U until the end of the step. */
#include "live/tick.h"

#include <math.h>
#include <string.h>

typedef struct Step { /* from the tick before to this one */
    Running  *r;
    Instance *instance;
    int sub, phase;   /* of the program; the second of the partition, of its base clock */
    const int *state; /* in the clock table: its own are state[first .. end) */
    int        first, end;
    double     t, h;
} Step;

typedef struct External { /* a partition as a model of its own */
    Step           step;
    Model          model;
    ModelFunctions functions;
    View           view;
    Ode           *ode;
    double        *x; /* states, in the order of the table */
} External;

/* ---- the partition inside a step --------------------------------------------------------------- */

/* Its equations at a share of the step, with the states that are among the values. */
static int evaluate(Step *s, double share) {
    const ClockTable *c = &s->instance->program->clocks;
    Ticks            *k = s->instance->ticks;
    const double     *end = s->instance->inside->work + 4 * c->states;
    for (int j = k->inputs_of.start[s->sub]; j < k->inputs_of.start[s->sub + 1]; j++) {
        const int         i = k->inputs_of.to[j];
        const ClockInput *in = &c->input[i];
        double            line = k->input[i] + share * (end[i] - k->input[i]);
        s->instance->v[in->var] = share == 1 ? end[i] : in->averaged ? line : k->input[i];
    }
    s->r->rb.time = s->t - (1 - share) * s->h;
    return s->r->image->inside(&s->r->rb, s->phase);
}

/* Derivatives at X + h*share*(derivatives in from). */
static int stage(Step *s, const double *from, double share, double *to) {
    const ClockTable *c = &s->instance->program->clocks;
    double           *v = s->instance->v;
    for (int j = s->first; j < s->end; j++) {
        const int i = s->state[j];
        v[c->state[i].var] = v[c->state[i].before] + s->h * share * from[i];
    }
    if (evaluate(s, share)) return 1;
    for (int j = s->first; j < s->end; j++) {
        const int i = s->state[j];
        to[i] = c->state[i].sign * v[c->state[i].rate];
    }
    return 0;
}

static int explicit_step(Step *s, bool runge_kutta) {
    const ClockTable *c = &s->instance->program->clocks;
    Ticks            *k = s->instance->ticks;
    const double     *v = s->instance->v;
    int               n = c->states;
    double *k1 = s->instance->inside->work, *k2 = k1 + n, *k3 = k2 + n, *k4 = k3 + n;
    for (int j = s->first; j < s->end; j++) {
        const int i = s->state[j];
        bool      rests = c->state[i].active >= 0 && v[c->state[i].active] == 0;
        k1[i] = rests ? 0 : c->state[i].sign * v[c->state[i].rate_before];
    }
    if (stage(s, k1, 0.5, k2)) return 1;
    if (runge_kutta && (stage(s, k2, 0.5, k3) || stage(s, k3, 1, k4))) return 1;
    for (int j = s->first; j < s->end; j++) {
        const int i = s->state[j];
        double slope = runge_kutta ? (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) / 6 : k2[i];
        k->advanced[i] = v[c->state[i].before] + s->h * slope;
    }
    return 0;
}

/* ---- one of our integrators ---------------------------------------------------------------------- */

static Status external_eval(void *self, double t, const double *x, const Selection *rows,
                            double *dx, Fault *fault) {
    External         *e = self;
    Step             *s = &e->step;
    const ClockTable *c = &s->instance->program->clocks;
    double           *v = s->instance->v;
    (void)rows, (void)fault;
    for (int j = s->first; j < s->end; j++) {
        const int i = s->state[j];
        v[c->state[i].var] = x[j - s->first];
    }
    double share = 1 - (s->t - t) / s->h;
    if (evaluate(s, fmin(1, fmax(0, share)))) return STATUS_RETRY;
    for (int j = s->first; j < s->end; j++) {
        const int i = s->state[j];
        dx[j - s->first] = c->state[i].sign * v[c->state[i].rate];
    }
    return STATUS_OK;
}

static void external_free(External *e) {
    if (!e) return;
    ode_free(e->ode);
    if (e->view.model) view_free(&e->view);
    mem_free(e->x);
    mem_free(e);
}

/* NULL: no memory. */
static External *external_new(const Step *s) {
    const ClockTable *c = &s->instance->program->clocks;
    External         *e = mem_take(1, sizeof *e);
    Status            status = STATUS_NO_MEMORY;
    Selection         all = {0};
    if (!e) return NULL;
    e->step = *s;
    e->functions.eval = external_eval;
    e->model = (Model){.fn = &e->functions, .instance = e};
    e->model.nx = s->end - s->first;
    e->x = mem_take((size_t)e->model.nx, sizeof *e->x);
    for (int j = s->first; e->x && j < s->end; j++) {
        const int i = s->state[j];
        e->x[j - s->first] = s->instance->v[c->state[i].before];
    }
    if (e->x) status = view_init(&e->view, &e->model, &all);
    if (status == STATUS_OK)
        e->ode = ode_new(&e->view, &s->instance->ticks->ode, s->t - s->h, e->x, &status);
    if (e->ode) return e;
    external_free(e);
    return NULL;
}

static int external_step(Step *s) {
    const ClockTable *c = &s->instance->program->clocks;
    Ticks            *k = s->instance->ticks;
    External         *e = k->external[s->sub];
    if (!e) e = k->external[s->sub] = external_new(s);
    if (!e) {
        s->instance->lacking = true;
        return 1;
    }
    e->step = *s;
    for (int j = s->first; j < s->end; j++) {
        const int i = s->state[j];
        e->x[j - s->first] = s->instance->v[c->state[i].before];
    }
    Status status = ode_restart(e->ode, s->t - s->h, e->x);
    if (status == STATUS_OK) status = ode_advance(e->ode, s->t, true);
    for (int j = s->first; j < s->end; j++) {
        const int i = s->state[j];
        k->advanced[i] = ode_state(e->ode)[j - s->first];
    }
    return status != STATUS_OK;
}

Inside *inside_new(const Instance *instance) {
    const Program    *p = instance->program;
    const ClockTable *c = &p->clocks;
    Inside           *in = mem_take(1, sizeof *in);
    if (!in) return NULL;
    in->v = mem_take((size_t)p->variables.vars + 1, sizeof *in->v);
    in->phase = mem_take(2 * (size_t)c->subs, sizeof *in->phase);
    in->work = mem_take(4 * (size_t)c->states + (size_t)c->inputs, sizeof *in->work);
    if (in->v && in->phase && in->work) return in;
    inside_free(in);
    return NULL;
}

void inside_free(Inside *in) {
    if (!in) return;
    MEM_FREE(in->v, in->phase, in->work, in);
}

void ticks_integrate(Instance *instance, const OdeOptions *options) {
    if (instance->ticks) instance->ticks->ode = *options;
}

void steps_close(Ticks *k, int subs) {
    for (int s = 0; k->external && s < subs; s++) {
        external_free(k->external[s]);
        k->external[s] = NULL;
    }
}

/* ---- one step ------------------------------------------------------------------------------------- */

static int take_step(Step *s, int method) {
    if (method == SOLVER_EXTERNAL) return external_step(s);
    return explicit_step(s, method == SOLVER_RUNGE_KUTTA4);
}

static int advance(Running *r, int sub) {
    Instance         *instance = r->instance;
    const ClockTable *c = &instance->program->clocks;
    const BaseClock  *base = &c->base[c->sub[sub].base];
    Ticks            *k = instance->ticks;
    Inside           *in = instance->inside;
    double           *outside = instance->v, *end = in->work + 4 * c->states;
    const int        *ticks = r->rb.ticks;
    Step              s = {.r = r,
                           .instance = instance,
                           .sub = sub,
                           .phase = 2 * (sub - base->first) + 1,
                           .state = k->states_of.to,
                           .first = k->states_of.start[sub],
                           .end = k->states_of.start[sub + 1],
                           .t = r->rb.time,
                           .h = k->interval[2 * sub]};
    for (int i = k->own_start[sub]; i < k->own_start[sub + 1]; i++)
        memcpy(in->v + k->own[i].first, outside + k->own[i].first,
               (size_t)k->own[i].count * sizeof *outside);
    for (int j = k->inputs_of.start[sub]; j < k->inputs_of.start[sub + 1]; j++) {
        const int i =
            k->inputs_of
                .to[j]; /* of what a step does not wait for, a value that is there */
        end[i] = c->input[i].stepped ? outside[c->input[i].var] : k->input[i];
    }
    in->phase[2 * sub + 1] = 1;
    r->rb.ticks = in->phase + 2 * base->first;
    instance->v = r->rb.v = in->v;
    int failed = take_step(&s, c->sub[sub].method);
    instance->v = r->rb.v = outside;
    r->rb.ticks = ticks;
    in->phase[2 * sub + 1] = 0;
    r->rb.time = s.t;
    return failed;
}

double step_state(Rb *c, int state) {
    Running          *r = running_of(c);
    const ClockTable *table = &r->instance->program->clocks;
    Ticks            *k = r->instance->ticks;
    int               sub = table->state[state].sub;
    if (k->stage[sub] != c->time) {
        k->stage[sub] = c->time;
        if (advance(r, sub)) c->failed = 1;
    }
    return k->advanced[state];
}
