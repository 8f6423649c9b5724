/* SPDX-License-Identifier: Apache-2.0 */
/* figures.c -- see figures.h. */
#define _POSIX_C_SOURCE 200809L
#include "ode/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ode/convergence.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- x' = -x + sin t --------------------------------------------------------------- */

static Status relax(void *instance, double t, const double *x, const Selection *rows,
                    double *dx, Fault *fault) {
    (void)instance, (void)rows, (void)fault;
    dx[0] = -x[0] + sin(t);
    return STATUS_OK;
}
static Status relax_j(void *instance, double t, const double *x, const Selection *columns,
                      double *j, Fault *fault) {
    (void)instance, (void)t, (void)x, (void)columns, (void)fault;
    j[0] = -1.0;
    return STATUS_OK;
}

void figure_linear_stages(void) {
    static const ModelFunctions fn = {.eval = relax, .jacobian = relax_j};
    static const char *const    names[] = {"auto",      "esdirk3",   "esdirk4",
                                           "esdirk5",   "sdirk4",    "radauIIA3",
                                           "radauIIA5", "radauIIA7", "gauss4"};
    const Model                 linear = {.nx = 1, .fn = &fn, .flags = MODEL_LINEAR};
    const Model                 plain = {.nx = 1, .fn = &fn};
    const double                exact = 1.5 * exp(-10.0) + 0.5 * (sin(10.0) - cos(10.0));
    double                      ida_error[12], ida_calls[12];
    int                         points = 0;
    printf("\nx' = -x + sin t on [0, 10], tolerance 1e-6: evaluations\n");
    for (int e = 3; e <= 12 && sundials_present(); e++) {
        View             view;
        OdeStatistics    s;
        double           x = 1.0;
        const OdeOptions o = {.rtol = pow(10.0, -e)};
        view_init(&view, &linear, NULL);
        if (sundials_solve(PEER_IDA, &view, &o, 0, 0.0, 10.0, &x, &s) == STATUS_OK) {
            ida_error[points] = fabs(x - exact);
            ida_calls[points++] = (double)s.rhs_calls;
            if (e == 6)
                printf("  ida: error %.1e, %ld calls\n", fabs(x - exact), s.rhs_calls);
        }
        view_free(&view);
    }
    printf("  %-10s %9s %6s %7s %7s %11s %18s\n", "method", "error", "steps", "calls",
           "stages", "calls/stage", "IDA at that error");
    for (int told = 1; told >= 0; told--)
        for (int i = 0; i < LENGTH(names); i++) {
            View             view;
            Status           status;
            const double     x0 = 1.0;
            const OdeOptions o = {.method = names[i]};
            if (!told && i == 0) continue;
            view_init(&view, told ? &linear : &plain, NULL);
            Ode *ode = ode_new(&view, &o, 0.0, &x0, &status);
            ode_advance(ode, 10.0, true);
            const OdeStatistics s = ode_statistics(ode);
            const double        error = fabs(ode_state(ode)[0] - exact);
            double              rival = HUGE_VAL; /* fewest calls for such an error */
            for (int a = 0; a < points; a++)
                if (ida_error[a] <= error) rival = fmin(rival, ida_calls[a]);
            printf("  %-10s %9.1e %6ld %7ld %7ld %11.2f %18.0f%s\n", names[i], error,
                   s.steps_accepted, s.rhs_calls, s.stages_implicit,
                   (double)s.rhs_calls / (double)s.stages_implicit, rival,
                   told ? "" : "  (linearity not declared)");
            ode_free(ode);
            view_free(&view);
        }
}

/* ---- factorisation work ------------------------------------------------------------ */

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);

/* (A^-1 / h) x I - I x J of size core n, dense: what the transformation avoids. */
static double coupled_dense(const Method *m, int n, const double *j, double h) {
    const int size = m->core * n;
    double   *a = calloc((size_t)size * (size_t)size, sizeof(double));
    int      *p = malloc(sizeof(int) * (size_t)size), info;
    if (!a || !p) return NAN;
    for (int r = 0; r < m->core; r++)
        for (int c = 0; c < m->core; c++)
            for (int k = 0; k < n; k++) {
                double *column = a + (size_t)(c * n + k) * (size_t)size + r * n;
                column[k] += m->inverse[r * m->core + c] / h;
                if (r == c)
                    for (int i = 0; i < n; i++) column[i] -= j[k * n + i];
            }
    const double start = now();
    dgetrf_(&size, &size, a, &size, p, &info);
    const double spent = now() - start;
    free(a), free(p);
    return spent;
}

static double transformed(const Method *m, const Pattern *p, const double *j, double h,
                          ShiftKind kind, double *flops) {
    Shift *s = shift_new(p, m->reals, m->pairs, kind);
    double best = HUGE_VAL;
    for (int round = 0; round < 1; round++) {
        const double start = now();
        for (int r = 0; r < m->reals; r++) shift_factor(s, r, j, m->lambda[r] / h);
        for (int q = 0; q < m->pairs; q++)
            shift_factor_complex(s, q, j, m->lambda[m->reals + 2 * q] / h,
                                 m->lambda[m->reals + 2 * q + 1] / h);
        best = fmin(best, now() - start);
    }
    *flops = 0.0;
    for (int r = 0; r < m->reals && kind == SHIFT_SPARSE; r++)
        *flops += sparse_flops(s->sparse, r, false);
    for (int q = 0; q < m->pairs && kind == SHIFT_SPARSE; q++)
        *flops += sparse_flops(s->sparse, q, true);
    shift_free(s);
    return best;
}

static void dense_case(const char *name, int n) {
    Method  *m = method_new(name);
    Pattern *p = pattern_full(n);
    double  *j = malloc(sizeof(double) * (size_t)n * (size_t)n), none;
    unsigned seed = 1;
    for (int i = 0; i < n * n; i++) {
        seed = seed * 1664525u + 1013904223u;
        j[i] = (double)(seed >> 8) / (1 << 24) - 0.5;
    }
    const double fast = transformed(m, p, j, 0.1, SHIFT_DENSE, &none);
    const double slow = coupled_dense(m, n, j, 0.1);
    const double work = (m->reals + 4.0 * m->pairs) / pow(m->core, 3);
    printf("  %-10s dense  n = %5d: %9.4f s against %9.4f s coupled, time ratio %.3f, "
           "operation ratio %.3f\n",
           name, n, fast, slow, fast / slow, work);
    free(j);
    pattern_free(p);
    method_free(m);
}

/* Five-point pattern on a grid, and the coupled one with every block on the diagonal of
 * each stage pair. */
static Pattern *grid_pattern(int width, int height, int core, const double *inverse,
                             double h, double **value) {
    const int    n = width * height, size = core * n;
    const size_t room = (size_t)size * (size_t)(5 + core);
    Pattern     *p = malloc(sizeof *p);
    int         *start = malloc(sizeof(int) * (size_t)(size + 1));
    int         *row = malloc(sizeof(int) * room), q = 0;
    *value = malloc(sizeof(double) * room);
    for (int c = 0; c < core; c++)
        for (int k = 0; k < n; k++) {
            const int x = k % width, y = k / width;
            const int near[5] = {y > 0 ? k - width : -1, x > 0 ? k - 1 : -1, k,
                                 x < width - 1 ? k + 1 : -1,
                                 y < height - 1 ? k + width : -1};
            start[c * n + k] = q;
            for (int r = 0; r < core; r++) {
                if (r != c) {
                    row[q] = r * n + k;
                    (*value)[q++] = inverse[r * core + c] / h;
                    continue;
                }
                for (int e = 0; e < 5; e++) {
                    if (near[e] < 0) continue;
                    const double jac = near[e] == k ? -4.0 - 0.01 * (k % 7) : 1.0;
                    row[q] = r * n + near[e];
                    (*value)[q++] =
                        core == 1 ? jac
                                  : (e == 2 ? inverse[r * core + c] / h : 0.0) - jac;
                }
            }
        }
    start[size] = q;
    *p = (Pattern){size, size, start, row};
    return p;
}
static void grid_free(Pattern *p, double *value) {
    free((void *)p->start), free((void *)p->row), free(p), free(value);
}

static void sparse_case(const char *name, int width, int height) {
    Method      *m = method_new(name);
    double      *j, *big, fast_flops;
    const double h = 0.1;
    Pattern     *p = grid_pattern(width, height, 1, m->inverse, h, &j);
    const double fast = transformed(m, p, j, h, SHIFT_SPARSE, &fast_flops);
    Pattern     *c = grid_pattern(width, height, m->core, m->inverse, h, &big);
    Sparse      *s = sparse_new(c, 1, 0);
    bool         fresh;
    const double start = now();
    const Status status = sparse_factor(s, 0, big, &fresh);
    const double slow = now() - start, slow_flops = sparse_flops(s, 0, false);
    printf("  %-10s sparse n = %5d: %9.4f s against %9.4f s coupled, time ratio %.3f, "
           "operation ratio %.3f%s\n",
           name, width * height, fast, slow, fast / slow, fast_flops / slow_flops,
           status == STATUS_OK ? "" : " (failed)");
    sparse_free(s);
    grid_free(c, big);
    grid_free(p, j);
    method_free(m);
}

void figure_factorisation(void) {
    printf("\nFactorisation work: one real and complex systems of size n against the "
           "coupled "
           "system of size s n\n");
    dense_case("radauIIA3", 500);
    dense_case("radauIIA7", 500);
    sparse_case("radauIIA3", 200, 100);
    sparse_case("radauIIA7", 200, 100);
}

/* ---- observed orders --------------------------------------------------------------- */

void figure_orders(void) {
    int    count = 0, wrong = 0;
    double worst = 0.0;
    printf("\nObserved orders with constant steps (theory in brackets)\n");
    for (int i = 0; method_name(i); i++) {
        Method        *m = method_new(method_name(i));
        const Observed o = wave_observed_order(m->name, m->order, m->dense_order,
                                               m->kind == METHOD_EXPLICIT);
        const bool bad = fabs(o.order - m->order) > 0.2 || o.dense < m->dense_order - 0.2;
        printf("  %-13s %6.2f (%2d)  dense %6.2f (%2d)%s", m->name, o.order, m->order,
               o.dense, m->dense_order, bad ? " <<" : "");
        printf(++count % 2 ? "   " : "\n");
        worst = fmax(worst, fabs(o.order - m->order));
        wrong += bad;
        method_free(m);
    }
    printf("\n  %d methods, %d outside 0.2, largest deviation of the order %.2f\n", count,
           wrong, worst);
}
