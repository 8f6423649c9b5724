/* SPDX-License-Identifier: Apache-2.0 */
/* border.c -- events at the border of where the model can be evaluated.
 *
 * A condition may be what keeps a model from being evaluated where it has no value, as in
 * `if h > 0 then sqrt(h) else 0`. Held until its event it does not: steps across the border fail,
 * and those towards it become ever shorter. Where that would be the end, the crossings are looked at
 * along the tangent of the last point reached. If one of them changes within the resolution of time
 * ahead, its event is taken there, beyond the border, where the new branch counts.
 *
 * The branch of an infinitely fast process may end as well (MODEL_FOLDS): no crossing tells of it,
 * but the model cannot be evaluated a moment ahead. An event there finds the new branch.
 *
 * A tank runs empty: der(h) = -k*sqrt(h) ends in h = 0, which no step meets, and beyond which there is no value. A
 * state that is zero to within its tolerance, and rests there, is made zero. */
#include "sim/run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of the simulated interval: how far ahead a border is looked for, and over which distance after
 * the slope of crossings is taken; how far beyond the end of a branch the next one is looked for */
static const double NEAR = 1e-8, BACK = 1e-6, BEYOND = 1e-10;

typedef struct Border {
    double *dx, *x;     /* tangent and a point on it */
    double *slope;      /* derivatives there */
    double *here, *ago; /* crossings at the point reached and after it */
} Border;

static bool border_open(Border *b, const Model *model) {
    size_t nx = (size_t)model->nx + 1, nz = (size_t)model->nz + 1;
    b->dx = calloc(3 * nx + 2 * nz, sizeof(double));
    if (!b->dx) return false;
    b->x = b->dx + nx;
    b->slope = b->x + nx;
    b->here = b->slope + nx;
    b->ago = b->here + nz;
    return true;
}

static void along(const Simulation *run, Border *b, double by) {
    for (int i = 0; i < run->model->nx; i++) b->x[i] = run->x[i] + by * b->dx[i];
}

static bool crossings_along(const Simulation *run, Border *b, double by, double *z) {
    const Model *model = run->model;
    Selection    all = {0};
    Fault        fault = fault_none();
    along(run, b, by);
    return model->fn->crossings(model->instance, run->t + by, b->x, &all, z, &fault) ==
           STATUS_OK;
}

/* The point reached may already be beyond the border by what counts as no change: the crossing
 * that is, -1 if none. */
static int just_passed(const Simulation *run, const Border *b) {
    const Crossings *c = &run->crossings;
    for (int k = 0, i = 0; k < run->model->nz; k++) {
        bool own = i < crossings_count(c) && selection_row(&c->which, i) == k;
        int  side = !own ? stepper_side(&run->stepper, k) : c->sign[k].z > 0 ? 1 : -1;
        i += own; /* side 0: nobody looks at it, its time is known */
        if (side && (side > 0) != (b->here[k] > 0)) return k;
    }
    return -1;
}

static void tangent(const Simulation *run, Border *b) {
    const Model *model = run->model;
    Selection    all = {0};
    Fault        fault = fault_none();
    bool fine = model->fn->eval(model->instance, run->t, run->x, &all, b->dx, &fault) ==
                STATUS_OK;
    for (int i = 0; i < model->nx; i++)
        if (!fine || !isfinite(b->dx[i])) b->dx[i] = 0;
}

/* The crossing that changes first, in *ahead; -1 if none is near. */
static int first_ahead(const Simulation *run, const Border *b, double back,
                       double *ahead) {
    int first = just_passed(run, b);
    if (first >= 0) *ahead = 0;
    for (int k = 0; k < run->model->nz; k++) {
        double slope = (b->here[k] - b->ago[k]) / back;
        bool   towards = b->here[k] > 0 ? slope < 0 : slope > 0;
        double h = towards ? fabs(b->here[k] / slope) : HUGE_VAL;
        if (!(h < *ahead)) continue;
        *ahead = h;
        first = k;
    }
    return first;
}

static Status cross(Simulation *run, Border *b, int crossing, double ahead) {
    const SimOptions *o = run->options;
    Fault             fault;
    double            scale = fmax(fabs(run->t), DBL_EPSILON * (o->stop - o->start));
    double            by = 1.001 * ahead + 4 * DBL_EPSILON * scale;
    Status            status = STATUS_OK;
    if (run->recorded < run->t && run_probe(run, run->t, run->x) == STATUS_OK)
        status = run_record(run, run->t, run->x); /* the left limit */
    if (status != STATUS_OK) return status;
    along(run, b, by);
    memcpy(run->x, b->x, sizeof(double) * (size_t)run->model->nx);
    run->t += by;
    run->switched = crossing;
    run->outcome.statistics.events_state++;
    if (chatter_note(&run->chatter, run->t, crossing, o->stop - o->start, &fault))
        return STATUS_CHATTERING;
    return run_event(run, EVENT_STATE);
}

/* How far ahead the model can no longer be evaluated; at the very end of a branch rounding would
 * decide whether anything moves, so the event is a little behind it. 0 if that is not near. */
static double fold_ahead(const Simulation *run, Border *b, double most) {
    const Model *model = run->model;
    double       span = run->options->stop - run->options->start;
    double       by = 4 * DBL_EPSILON * fmax(fabs(run->t), span);
    for (; by < most; by *= 2) {
        Selection all = {0};
        Fault     fault = fault_none();
        along(run, b, by);
        if (model->fn->eval(model->instance, run->t + by, b->x, &all, b->slope, &fault) !=
            STATUS_OK)
            return fmax(by, BEYOND * span);
    }
    return 0;
}

/* Derivatives at run->x with another value of a state into b->slope. */
static bool has_values(const Simulation *run, Border *b, int state, double value) {
    const Model *model = run->model;
    Selection    all = {0};
    Fault        fault = fault_none();
    bool         fine;
    along(run, b, 0.0);
    b->x[state] = value;
    fine = model->fn->eval(model->instance, run->t, b->x, &all, b->slope, &fault) ==
           STATUS_OK;
    for (int i = 0; i < model->nx && fine; i++) fine = isfinite(b->slope[i]);
    return fine;
}

/* Does a state end at zero? It is there to within its tolerance, beyond it the model has no values, and nothing
 * takes it beyond. */
static bool ends_at_zero(const Simulation *run, Border *b, int state) {
    const Model *model = run->model;
    const double nominal = model->nominal ? fabs(model->nominal[state]) : 1.0;
    const double x = run->x[state], rtol = run->options->ode.rtol;
    const double most = nominal * (rtol > 0.0 ? rtol : 1e-6);
    double       side = x > 0.0 ? 1.0 : -1.0;
    if (x == 0.0 || !(fabs(x) <= most)) return false;
    if (!has_values(run, b, state, x)) side = -side;
    else if (!(b->slope[state] * side < 0.0) || has_values(run, b, state, -x))
        return false;
    return has_values(run, b, state, 0.0) && b->slope[state] * side >= 0.0;
}

/* True: a state was made zero, and the run goes on. */
static bool run_empty(Simulation *run) {
    Border b;
    bool   any = false;
    if (!border_open(&b, run->model)) return false;
    for (int k = 0; k < run->model->nx; k++) {
        if (!ends_at_zero(run, &b, k)) continue;
        run->x[k] = 0.0;
        any = true;
    }
    free(b.dx);
    if (!any) return false;
    run->fresh = true;
    return stepper_restart(&run->stepper, run->t, run->x) == STATUS_OK;
}

/* The first crossing ahead, or the end of a branch; `status` if there is none. */
static Status cross_near(Simulation *run, Status status) {
    const Model *model = run->model;
    const double span = run->options->stop - run->options->start;
    const double back = BACK * span;
    const bool   folds = model->flags & MODEL_FOLDS;
    double       ahead = NEAR * span;
    Border       b;
    if ((!model->nz && !folds) || !model->fn->crossings || !model->fn->event)
        return status;
    if (!border_open(&b, model)) return status;
    tangent(run, &b);
    bool fine =
        crossings_along(run, &b, -back, b.ago) && crossings_along(run, &b, 0, b.here);
    int first = fine ? first_ahead(run, &b, back, &ahead) : -1;
    if (first < 0 && folds) ahead = fold_ahead(run, &b, NEAR * span);
    Status crossed =
        first < 0 && (!folds || ahead == 0) ? status : cross(run, &b, first, ahead);
    free(b.dx);
    return crossed;
}

Status run_border(Simulation *run, Status status) {
    Fault      why = run->outcome.fault;
    const bool may = status == STATUS_RETRY || status == STATUS_NOT_FINITE ||
                     status == STATUS_DIVERGED || status == STATUS_SINGULAR ||
                     status == STATUS_STEP_SMALL;
    if (!may) return status;
    const Status crossed = cross_near(run, status);
    if (crossed == STATUS_OK || crossed == STATUS_END) return crossed;
    return run_empty(run) ? STATUS_OK : run_fault(run, status, &why);
}
