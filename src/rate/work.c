/* SPDX-License-Identifier: Apache-2.0 */
/* work.c -- what a run has cost so far and what a step would cost, counted.
 *
 * The choice between one rate and several compares steps of different kinds: an explicit step of
 * all states may cost less than an implicit one of a few of them. Work is therefore expressed in one unit, by
 * counts (calls, rows, factorisations, solves, steps) times constants. A clock is never read: a
 * run repeats itself exactly. The constants are nanoseconds of one machine; what matters is their ratios,
 * which are much the same on others. Measured on compiled models with 20 to 1000 states, native
 * code: explicit steps cost 15 to 25 per state, Rosenbrock steps 150 with a band and 700 with a sparse
 * matrix, steps of a few states 3000 besides.
 *
 * The ledger of a run holds the work of single-rate steps, and what several rates have saved or
 * lost against it. See partition.c for what is decided from that. */
#include <math.h>

#include "rate/group.h"

#define ROW     1.0  /* a simple equation, in a sweep over all of them ...       */
#define LISTED  2.5  /* ... and in a list                                        */
#define CALL    50.0 /* of the model; and of a part of it, its boundary included */
#define PART    100.0
#define CONE    250.0  /* of a part of a model that keeps its cones itself */
#define STEP    1000.0 /* control and judgement; for a part also watching, storing */
#define INNER   1300.0
#define VECTOR  0.1     /* per state and pair of stages                              */
#define RUN     2000.0  /* starting a cluster                                        */
#define BUILD   12000.0 /* a selection, and per state of it                         */
#define MEMBER  300.0
#define COMPLEX 2.3 /* a mean factorisation or solve of fully implicit methods   */
#define COLOURS 8   /* directions of a generated Jacobian beside each other      */

typedef struct Algebra { /* work of ...                  */
    double factor, solve;
} Algebra;

static Algebra dense_algebra(double n) {
    return (Algebra){0.1 * n * n * n + n * n + 50.0, 0.35 * n * n + 2.0 * n + 20.0};
}

static Algebra algebra_of(const Ode *o, int n) {
    const Shift *s = ode_shift(o);
    if (!s) return (Algebra){0};
    Algebra a = dense_algebra(n);
    if (s->kind == SHIFT_BAND)
        a = (Algebra){n * (10.0 + 4.0 * s->below * (s->below + s->above)),
                      n * (4.0 + 1.5 * (2.0 * s->below + s->above))};
    else if (s->kind == SHIFT_SPARSE) {
        const double entries = fmax(sparse_fill(s->sparse), pattern_entries(s->jacobian));
        a = (Algebra){500.0 + 20.0 * n + 8.0 * entries, 100.0 + 3.0 * n + 1.2 * entries};
    }
    if (ode_running(o)->kind == METHOD_FIRK) a.factor *= COMPLEX, a.solve *= COMPLEX;
    return a;
}

/* A row of a part of n states: what several derivatives need is computed once. */
static double row_of(const Rate *r, bool part, double n) {
    const Efforts e = model_effort(&r->model->effort);
    return part ? LISTED * fmin(e.alone, e.each * r->n / fmax(n, 1.0)) : ROW * e.each;
}

static double part_call(const Rate *r) {
    return r->model->flags & MODEL_KEEPS ? CONE : PART;
}

double work_since(const RateGroup *g, OdeStatistics *seen) {
    const OdeStatistics s = ode_statistics(g->ode), b = *seen;
    const Method       *m = ode_running(g->ode);
    const Algebra       a = algebra_of(g->ode, g->n);
    const bool          part = g->parent != NULL;
    const double        row = row_of(g->rate, part, g->n);
    const double steps = (double)(s.steps_accepted - b.steps_accepted + s.steps_rejected -
                                  b.steps_rejected);
    const double sweeps = part ? 3.0 : 1.0 + (double)g->view.colouring.colours / COLOURS;
    *seen = s;
    return steps * ((part ? INNER : STEP) + VECTOR * g->n * m->stages * m->stages) +
           (double)(s.rhs_calls - b.rhs_calls) * (part ? part_call(g->rate) : CALL) +
           (double)(s.rhs_rows - b.rhs_rows) * row +
           (double)(s.jacobians - b.jacobians) *
               (part_call(g->rate) + 2.0 * sweeps * row * g->n) +
           (double)(s.factorizations - b.factorizations) * a.factor +
           (double)(s.refactorizations - b.refactorizations) * 0.6 * a.factor +
           (double)(s.solves - b.solves) * a.solve;
}

double work_part(const Rate *r, const Method *m, double n) {
    const double row = row_of(r, true, n), call = part_call(r), s = m->stages;
    const double calls = m->kind == METHOD_EXPLICIT     ? s
                         : m->kind == METHOD_ROSENBROCK ? s + 1.0
                         : m->kind == METHOD_DIRK       ? 1.6 * s
                                                        : 4.0 * s;
    double       w = INNER + (calls + 2.0) * (call + n * row) + VECTOR * n * s * s;
    if (m->kind == METHOD_EXPLICIT) return w;
    const bool fully = m->kind == METHOD_FIRK;
    Algebra    a = dense_algebra(n);
    if (n > 24.0) a = (Algebra){fmin(a.factor, 150.0 * n), fmin(a.solve, 25.0 * n)};
    const double factors = fully ? 0.5 * (s + 1.0) * COMPLEX : 1.0;
    const double solves = fully ? 2.0 * (s + 1.0) * COMPLEX : calls;
    return w + call + 4.0 * row * n + factors * a.factor + solves * a.solve;
}

double work_run(void) {
    return RUN;
}

double work_build(int n) {
    return BUILD + MEMBER * n;
}

/* ---- the ledger -------------------------------------------------------------------------- */

static double smooth(double old, double now) {
    return old > 0.0 ? 0.9 * old + 0.1 * now : now;
}

/* Means of ratios are geometric. */
static double learn(double old, double now) {
    now = fmin(fmax(now, 0.05), 50.0);
    return old > 0.0 ? pow(old, 0.8) * pow(now, 0.2) : now;
}

/* Steps of a method are in proportion to rtol^(1 / (q + 1)) for an estimate of order q, and as long as
 * its constant allows, which is smaller for high orders: hence the exponent. Measured at 1e-6: steps of
 * verner7 over those of tsit5 1.6 to 1.8 (here 1.9), radauIIA5 over rodas4 3.4 to 4.8 (4.2). */
static double reach(const Method *m, double rtol) {
    if (m->kind == METHOD_FIRK && m->estimate < m->order)
        rtol = fmax(rtol, 0.1 * pow(rtol, (m->estimate + 1.0) / (m->order + 1.0)));
    return pow(rtol, 0.85 / (m->estimate + 1.0));
}

void work_account(Rate *r, double h, bool refined) {
    Ledger      *l = &r->ledger;
    RateGroup   *g = r->root;
    const double own = work_since(g, &l->seen), below = g->effort.below,
                 steps = g->effort.steps_below;
    g->effort.below = g->effort.steps_below = 0.0;
    const long events = r->worker[0].stats.events - l->events;
    l->events += events;
    l->spent += own + below;
    if (!refined && below <= 0.0) {
        if (g->part.mixed == 0) l->single = smooth(l->single, own);
        const double rtol = ode_tolerance(g->ode).relative;
        l->lead = reach(ode_running(g->ode), rtol) / reach(r->method[1], rtol);
        return;
    }
    /* had all states taken the steps of the fastest cluster, as long as those of single rate are */
    const double quiet = fmax(1.0, l->lead > 0.0 ? steps / l->lead : steps);
    /* ... which would stop at each event by cone */
    const double alone = r->cones ? quiet + EVENT_STEPS * (double)events : quiet;
    l->large = smooth(l->large, own);
    l->saved += (l->single > 0.0 ? l->single : own) * alone - own - below;
    if (!(l->steps > 0.0) || !(steps > 0.0) || r->cones) return;
    l->excess = learn(l->excess, below / (l->small * h));
    l->pace = learn(l->pace, alone / (l->steps * h));
}
