/* SPDX-License-Identifier: Apache-2.0 */
/* convergence.h -- observed orders with constant steps, for the unit tests and the bench.
 *
 * Two problems with known solutions: a nonlinear oscillator (cos t, sin t) whose
 * equations depend on time, and a linear forced one. Methods of high order reach
 * rounding before Newton's method converges on the first; the second lets them take
 * steps as long as their order deserves. A run with n steps gives an error at the end
 * and the largest error of the dense output at seven points inside every step. The
 * observed order is the slope of five successive step numbers, 10 to 20 % apart, above
 * the rounding level; of all such windows the one nearest to theory counts. */
#ifndef RUBATO_BENCH_ODE_CONVERGENCE_H
#define RUBATO_BENCH_ODE_CONVERGENCE_H

#include <math.h>

#include "ode/ode.h"

typedef struct Wave { /* one of the two problems */
    Model  model;
    double end;    /* integrate from 0 to here            */
    double first;  /* smallest number of steps            */
    double growth; /* from one number of steps to the next */
    double (*u)(double t);
    double (*v)(double t);
} Wave;

static double wave_cos(double t) {
    return cos(t);
}
static double wave_sin(double t) {
    return sin(t);
}
static double wave_u(double t) {
    return cos(t) + sin(0.7 * t);
}
static double wave_v(double t) {
    return sin(t) + cos(1.3 * t);
}

static Status wave_f(void *instance, double t, const double *x, const Selection *rows,
                     double *dx, Fault *fault) {
    const double r = x[0] * x[0] + x[1] * x[1];
    (void)instance, (void)rows, (void)fault;
    dx[0] = -x[1] * r + 0.5 * (sin(t) - x[1]);
    dx[1] = x[0] * r + 0.5 * (x[0] - cos(t));
    return STATUS_OK;
}
static Status wave_j(void *instance, double t, const double *x, const Selection *columns,
                     double *j, Fault *fault) {
    const double r = x[0] * x[0] + x[1] * x[1];
    (void)instance, (void)columns, (void)fault, (void)t;
    j[0] = -2.0 * x[0] * x[1], j[1] = r + 2.0 * x[0] * x[0] + 0.5;
    j[2] = -r - 2.0 * x[1] * x[1] - 0.5, j[3] = 2.0 * x[0] * x[1];
    return STATUS_OK;
}
static Status forced_f(void *instance, double t, const double *x, const Selection *rows,
                       double *dx, Fault *fault) {
    (void)instance, (void)rows, (void)fault;
    dx[0] = -x[1] - sin(t) + 0.7 * cos(0.7 * t) + wave_v(t);
    dx[1] = x[0] + cos(t) - 1.3 * sin(1.3 * t) - wave_u(t);
    return STATUS_OK;
}
static Status forced_j(void *instance, double t, const double *x,
                       const Selection *columns, double *j, Fault *fault) {
    (void)instance, (void)columns, (void)fault, (void)t, (void)x;
    j[0] = j[3] = 0.0;
    j[1] = 1.0, j[2] = -1.0;
    return STATUS_OK;
}

static Status wave_t(void *instance, double t, const double *x, const Selection *rows,
                     double *dt, Fault *fault) {
    (void)instance, (void)rows, (void)fault, (void)x;
    dt[0] = 0.5 * cos(t);
    dt[1] = 0.5 * sin(t);
    return STATUS_OK;
}

static const ModelFunctions wave_functions = {
    .eval = wave_f, .jacobian = wave_j, .time_derivative = wave_t};
static const ModelFunctions forced_functions = {.eval = forced_f, .jacobian = forced_j};

static inline Wave wave_nonlinear(void) {
    return (Wave){{.nx = 2, .fn = &wave_functions}, 4.0, 2.0, 1.19, wave_cos, wave_sin};
}
static inline Wave wave_forced(double end) {
    return (Wave){{.nx = 2, .fn = &forced_functions, .flags = MODEL_LINEAR},
                  end,
                  4.0,
                  1.1,
                  wave_u,
                  wave_v};
}

/* Errors at the end and inside; false if the run failed or Newton cut a step. */
static inline bool wave_run(const Wave *w, const char *method, int steps, double *at_end,
                            double *inside) {
    View       view;
    Status     status;
    OdeOptions o = {
        .method = method, .rtol = 1e-10, .h_fixed = w->end / steps, .kappa = 1e-12};
    const double x[2] = {w->u(0.0), w->v(0.0)};
    if (view_init(&view, &w->model, NULL) != STATUS_OK) return false;
    Ode *ode = ode_new(&view, &o, 0.0, x, &status);
    *inside = 0.0;
    bool ok = ode != NULL;
    for (int i = 0; ok && i < steps; i++) {
        ok = ode_step(ode, w->end) == STATUS_OK;
        const double t = ode_time(ode), from = ode_time_last(ode), h = t - from;
        ok = ok && h > 0.99 * o.h_fixed;
        for (int k = 1; ok && k < 8; k++) {
            double       z[2];
            const double s = from + 0.125 * k * h;
            ok = ode_dense(ode, s, z) == STATUS_OK;
            *inside = fmax(*inside, hypot(z[0] - w->u(s), z[1] - w->v(s)));
        }
    }
    if (ok)
        *at_end =
            hypot(ode_state(ode)[0] - w->u(w->end), ode_state(ode)[1] - w->v(w->end));
    ode_free(ode);
    view_free(&view);
    return ok;
}

typedef struct Observed {
    double order, dense; /* slopes nearest to theory; 0 if no window was found */
} Observed;

static inline void wave_slopes(int n, const double *h, const double *e, double theory,
                               double *best) {
    enum { WINDOW = 5 };
    for (int a = 0; a + WINDOW <= n; a++) {
        double sx = 0, sy = 0, sxx = 0, sxy = 0;
        bool   use = true;
        for (int i = a; i < a + WINDOW; i++) {
            const double x = log(h[i]), y = log(e[i]);
            use = use && e[i] > 1e-11 && e[i] < 3e-2;
            sx += x, sy += y, sxx += x * x, sxy += x * y;
        }
        const double slope = (WINDOW * sxy - sx * sy) / (WINDOW * sxx - sx * sx);
        if (use && fabs(slope - theory) < fabs(*best - theory)) *best = slope;
    }
}

static inline Observed wave_observe(const Wave *w, const char *method, int order,
                                    int dense) {
    enum { MOST = 80 };
    double   h[MOST], e[MOST], d[MOST];
    int      n = 0;
    Observed o = {0.0, 0.0};
    for (double steps = w->first; n < MOST && steps < 4000.0; steps *= w->growth) {
        const int count = (int)(steps + 0.5);
        if (!wave_run(w, method, count, &e[n], &d[n])) continue;
        h[n] = w->end / count;
        if (e[n++] < 1e-13) break;
    }
    wave_slopes(n, h, e, order, &o.order);
    wave_slopes(n, h, d, dense, &o.dense);
    return o;
}

/* The better of the problems that suit the order. */
static inline Observed wave_observed_order(const char *method, int order, int dense,
                                           bool explicit_method) {
    const Wave one = wave_nonlinear(), two = wave_forced(explicit_method ? 12.0 : 30.0);
    Observed   a = {0}, b = {0};
    if (order < 6 || explicit_method) a = wave_observe(&one, method, order, dense);
    if (order >= 6 || fabs(a.order - order) > 0.2)
        b = wave_observe(&two, method, order, dense);
    if (fabs(b.order - order) < fabs(a.order - order)) a.order = b.order;
    if (fabs(b.dense - dense) < fabs(a.dense - dense)) a.dense = b.dense;
    return a;
}

#endif
