/* SPDX-License-Identifier: Apache-2.0 */
/* steady.c -- the state at which nothing moves any more, with time standing still.
 *
 * f(t, x) = 0 is solved by the ladder of src/init from the present state, discrete values as they are;
 * then relations are looked at, and if some of them changed it is solved again. Where the ladder fails,
 * or where the equations leave a direction open (a sum of charges that only the start knows), the model
 * is integrated for a while and the ladder begins at the state reached; a model that has come to rest
 * by then is steady without it. Constraints between states that the model was derived from are no part
 * of f(t, x) = 0: a model that has such is only integrated. At t the model is what it is at that time:
 * sources keep their values. */
#include "api/api.h"

#include "init/init.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 20, STRETCHES = 12 };

typedef struct Rest { /* a search */
    RbSimulation *s;
    double       *dx, *u; /* states each */
    Solver       *solver;
    Equations     equations;
    double        t;
} Rest;

static const Selection all; /* zeroed: of everything */

static Status residual(void *owner, const double *u, double lambda, double *r,
                       Fault *fault) {
    Rest        *w = owner;
    const Model *model = &w->s->instance.model;
    (void)lambda;
    return model->fn->eval(model->instance, w->t, u, &all, r, fault);
}

static Status slopes(void *owner, const double *u, double lambda, double *value,
                     Fault *fault) {
    Rest        *w = owner;
    const Model *model = &w->s->instance.model;
    (void)lambda;
    return model->fn->jacobian
               ? model->fn->jacobian(model->instance, w->t, u, &all, value, fault)
               : STATUS_ABSENT;
}

static bool open_search(Rest *w) {
    const Common *common = w->s->common;
    size_t        n = (size_t)w->s->instance.model.nx;
    w->equations = (Equations){.n = (int)n,
                               .pattern = w->s->instance.model.pattern,
                               .nominal = common->nominal,
                               .residual = residual,
                               .jacobian = slopes,
                               .owner = w};
    w->dx = mem_take(n, sizeof *w->dx);
    w->u = mem_take(n, sizeof *w->u);
    w->solver = n ? solver_new(&w->equations) : NULL;
    return w->dx && w->u && (w->solver || !n);
}

static void close_search(Rest *w) {
    solver_free(w->solver);
    MEM_FREE(w->dx, w->u);
}

/* The largest motion within a unit of time, over the size of the state; HUGE_VAL: it cannot be
 * evaluated. */
static double motion(Rest *w, int *worst) {
    const double *x = w->s->x, *nominal = w->s->common->nominal;
    Fault         fault = fault_none();
    double        most = 0;
    *worst = -1;
    if (residual(w, x, 1, w->dx, &fault) != STATUS_OK) return HUGE_VAL;
    for (int i = 0; i < w->equations.n; i++) {
        double own = fabs(w->dx[i]) / fmax(fabs(x[i]), nominal[i]);
        if (!(own <= most)) most = own, *worst = i;
    }
    return most;
}

/* Events at a state that was set: relations, discrete values. False: they fail, or do not end. */
static bool settle(Rest *w) {
    Instance *instance = &w->s->instance;
    Fault     fault = fault_none();
    bool      again = true;
    if (!instance->model.fn->event) return true;
    for (int k = 0; k < ROUNDS && again; k++)
        if (instance->model.fn->event(instance, w->t, w->s->x, EVENT_STATE, &all, &again,
                                      &fault) != STATUS_OK)
            return false;
    return !again;
}

/* Is the solution u the state that it began with? */
static bool is_there(const Rest *w) {
    const double *x = w->s->x, *nominal = w->s->common->nominal;
    for (int i = 0; i < w->equations.n; i++)
        if (!(fabs(w->u[i] - x[i]) <= 1e-7 * (nominal[i] + fabs(x[i])))) return false;
    return true;
}

/* From the present state, which is changed only if that succeeds: a solution whose events leave it one. */
static bool by_ladder(Rest *w, RbSteady *report) {
    RbSimulation *s = w->s;
    const size_t  bytes = (size_t)w->equations.n * sizeof(double);
    SolveReport   solved;
    double       *before = mem_take((size_t)w->equations.n, sizeof(double));
    bool          fine = false;
    if (before) memcpy(before, s->x, bytes);
    for (int k = 0; k < ROUNDS && before && !fine; k++) {
        memcpy(w->u, s->x, bytes);
        Status status = solver_solve(w->solver, fmin(s->tolerance, 1e-8), w->u, &solved);
        report->iterations += solved.iterations;
        if (status != STATUS_OK || solved.open) break;
        if (k == 0) report->way = rung_name(solved.rung);
        fine = k > 0 && is_there(w);
        memcpy(s->x, w->u, bytes);
        if (!settle(w)) {
            fine = false;
            break;
        }
    }
    if (before && !fine) {
        memcpy(s->x, before, bytes);
        settle(w);
    }
    mem_free(before);
    return fine;
}

static RbStatus place(RbSimulation *s, double t, RbError *error) {
    instance_stamp(&s->instance);
    s->now = t;
    if (s->run) simulation_disturb(s->run);
    if (instance_evaluate(&s->instance, t, s->x) == 0) return RB_OK;
    return error_set(error, RB_FAILED,
                     "the model cannot be evaluated at its steady state");
}

static RbStatus not_found(Rest *w, double most, int worst, RbError *error) {
    const Program *p = w->s->program->program;
    Text           name = {0};
    if (worst >= 0) program_name(p, p->states.var[worst], &name);
    RbStatus status = error_set(
        error, RB_FAILED,
        "no steady state is found up to time %.6g: the equations have no solution near "
        "the "
        "states on the way, and %s still moves by %.2g of its size in a second; a later "
        "stop time gives it longer",
        w->t, worst >= 0 ? text_get(&name) : "something", most);
    text_free(&name);
    return status;
}

static RbStatus search(Rest *w, RbSteady *report, RbError *error) {
    RbSimulation *s = w->s;
    double        stretch = (s->stop - s->now) / pow(2, STRETCHES), most = 0;
    int           worst = -1;
    RbStatus      status = RB_OK;
    for (;;) {
        w->t = s->now;
        report->time = w->t;
        most = motion(w, &worst);
        if (report->integrated && most <= s->tolerance) break;
        if (!w->solver || (!s->instance.projection && by_ladder(w, report)))
            return place(s, w->t, error);
        if (status != RB_OK || s->ended || !(s->now < s->stop))
            return not_found(w, most, worst, error);
        if (s->run) simulation_disturb(s->run);
        report->integrated = true;
        status = rb_step(s, fmin(s->stop, s->now + stretch), error);
        if (status != RB_OK && status != RB_END) return status;
        stretch *= 2;
    }
    report->way = "integration";
    return RB_OK;
}

RbStatus rb_steady(RbSimulation *s, RbSteady *report, RbError *error) {
    RbSteady own = {0};
    Rest     w = {.s = s};
    if (!report) report = &own;
    *report = (RbSteady){.way = "nothing moves"};
    if (s->program->program->batches.count)
        return error_set(error, RB_ARGUMENT,
                         "families of components have no steady state here");
    RbStatus status = s->begun ? RB_OK : rb_step(s, s->start, error);
    if (status != RB_OK) return status;
    error_none(error);
    if (open_search(&w)) status = search(&w, report, error);
    else status = error_set(error, RB_NO_MEMORY, "there is no memory");
    if (status == RB_OK) report->motion = motion(&w, &report->state);
    if (report->state >= 0 && report->state < s->instance.model.nx)
        report->state = s->program->program->states.var[report->state];
    close_search(&w);
    return status;
}
