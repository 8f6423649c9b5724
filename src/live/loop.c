/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c -- solution of a torn block: z with r(z) = 0.
 *
 * A linear block is r(z) = A z + b: the columns of A are r(e_k) - r(0), which is exact up to
 * rounding, and one step of iterative refinement follows. A nonlinear block takes damped Newton
 * steps with a difference Jacobian, starting from the last solution: the step is halved while
 * the residual, weighted by the rows of the first Jacobian, does not fall (Deuflhard, Newton
 * Methods for Nonlinear Problems, 2004, chapter 3). Dense LU with partial pivoting: torn
 * blocks are small. */
#include "live/live.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 60, MOST_HALVINGS = 40 };

typedef struct Loop {
    Instance    *instance;
    Rb          *c;
    const Group *group;
    Residual    *residual;
    int          n, row;
    double      *z, *r, *trial, *step, *weight, *matrix; /* n each, n*n */
    int         *pivot;
} Loop;

/* LU of the n x n row-major matrix in place. False if singular. */
static bool factor(double *a, int *pivot, int n) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        pivot[k] = best;
        if (!(fabs(a[best * n + k]) > 0) || !isfinite(a[best * n + k])) return false;
        if (best != k)
            for (int j = 0; j < n; j++) {
                double swap = a[k * n + j];
                a[k * n + j] = a[best * n + j];
                a[best * n + j] = swap;
            }
        for (int i = k + 1; i < n; i++) {
            double l = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; l != 0 && j < n; j++) a[i * n + j] -= l * a[k * n + j];
        }
    }
    return true;
}

static void solve(const double *a, const int *pivot, int n, double *b) {
    for (int k = 0; k < n; k++) {
        double swap = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = swap;
        for (int i = k + 1; i < n; i++) b[i] -= a[i * n + k] * b[k];
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
}

static bool evaluate(Loop *l, const double *z, double *r) {
    l->residual(l->c, l->row, z, r);
    if (l->c->failed) { /* a function has no value here; another point may do */
        l->c->failed = 0;
        return false;
    }
    for (int i = 0; i < l->n; i++)
        if (!isfinite(r[i])) return false;
    return true;
}

static double nominal(const Loop *l, int k) {
    (void)l;
    (void)k;
    return 1;
}

/* Columns of the Jacobian at z, where the residual is r. */
static bool jacobian(Loop *l, bool linear) {
    for (int k = 0; k < l->n; k++) {
        double old = l->z[k];
        double h = linear ? 1 : sqrt(DBL_EPSILON) * fmax(fabs(old), nominal(l, k));
        l->z[k] = old + h;
        h = l->z[k] - old;
        bool fine = evaluate(l, l->z, l->trial);
        if (!fine) { /* perhaps the other side has a value */
            h = -h;
            l->z[k] = old + h;
            fine = evaluate(l, l->z, l->trial);
        }
        l->z[k] = old;
        if (!fine) return false;
        for (int i = 0; i < l->n; i++)
            l->matrix[i * l->n + k] = (l->trial[i] - l->r[i]) / h;
    }
    return true;
}

/* A singular system that has solutions, such as enthalpies at zero flow: elimination with full
 * pivoting finds the correction of the old values; what the equations leave open stays as it
 * was. False if they contradict each other. */
static bool least_change(Loop *l, const double *old) {
    int     n = l->n;
    double *a = l->matrix, *b = l->r, most = 0;
    int    *column = l->pivot;
    memcpy(l->z, old, (size_t)n * sizeof *l->z);
    if (!evaluate(l, l->z, l->r) || !jacobian(l, true)) return false;
    for (int k = 0; k < n; k++) column[k] = k;
    for (int k = 0; k < n; k++) { /* rows are scaled, so that one threshold serves all */
        double size = 0;
        for (int j = 0; j < n; j++) size = fmax(size, fabs(a[k * n + j]));
        if (size == 0) size = 1;
        for (int j = 0; j < n; j++) a[k * n + j] /= size;
        b[k] /= size;
        most = fmax(most, fabs(b[k]));
    }
    int rank = 0;
    for (; rank < n; rank++) {
        int p = rank, q = rank;
        for (int i = rank; i < n; i++)
            for (int j = rank; j < n; j++)
                if (fabs(a[i * n + j]) > fabs(a[p * n + q])) {
                    p = i;
                    q = j;
                }
        if (fabs(a[p * n + q]) < 1e-11) break;
        for (int j = 0; j < n; j++) {
            double swap = a[rank * n + j];
            a[rank * n + j] = a[p * n + j];
            a[p * n + j] = swap;
        }
        double swap = b[rank];
        b[rank] = b[p];
        b[p] = swap;
        for (int i = 0; i < n; i++) {
            double other = a[i * n + rank];
            a[i * n + rank] = a[i * n + q];
            a[i * n + q] = other;
        }
        int name = column[rank];
        column[rank] = column[q];
        column[q] = name;
        for (int i = rank + 1; i < n; i++) {
            double f = a[i * n + rank] / a[rank * n + rank];
            for (int j = rank; j < n; j++) a[i * n + j] -= f * a[rank * n + j];
            b[i] -= f * b[rank];
        }
    }
    for (int i = rank; i < n; i++)
        if (fabs(b[i]) > 1e-9 * (1 + most)) return false;
    for (int k = rank - 1; k >= 0; k--) {
        for (int j = k + 1; j < rank; j++) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
        l->z[column[k]] -= b[k];
    }
    return evaluate(l, l->z, l->r);
}

static int solve_linear(Loop *l, const double *old) {
    memset(l->z, 0, (size_t)l->n * sizeof *l->z);
    if (!evaluate(l, l->z, l->r) || !jacobian(l, true)) return 1;
    if (!factor(l->matrix, l->pivot, l->n)) return !least_change(l, old);
    for (int round = 0; round < 2; round++) { /* solution, refinement */
        solve(l->matrix, l->pivot, l->n, l->r);
        for (int i = 0; i < l->n; i++) l->z[i] -= l->r[i];
        if (!evaluate(l, l->z, l->r)) return 1;
    }
    return 0;
}

static double weighted(const Loop *l, const double *r) {
    double sum = 0;
    for (int i = 0; i < l->n; i++) sum += (r[i] * l->weight[i]) * (r[i] * l->weight[i]);
    return sqrt(sum);
}

/* One damped step; false if no reduction is found. *small: the step is below rounding. */
static bool newton_step(Loop *l, bool *small) {
    int n = l->n;
    if (!jacobian(l, false)) return false;
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int k = 0; k < n; k++) most = fmax(most, fabs(l->matrix[i * n + k]));
        l->weight[i] = most > 0 ? 1 / most : 1;
    }
    double before = weighted(l, l->r);
    if (!factor(l->matrix, l->pivot, n)) return false;
    memcpy(l->step, l->r, (size_t)n * sizeof *l->step);
    solve(l->matrix, l->pivot, n, l->step);
    *small = true;
    for (int i = 0; i < n; i++)
        if (fabs(l->step[i]) > 1e-11 * (fabs(l->z[i]) + nominal(l, i))) *small = false;
    double scale = 1;
    for (int halvings = 0; halvings <= MOST_HALVINGS; halvings++, scale /= 2) {
        for (int i = 0; i < n; i++) l->trial[i] = l->z[i] - scale * l->step[i];
        if (evaluate(l, l->trial, l->r) &&
            (weighted(l, l->r) <= (1 - scale / 4) * before || *small)) {
            memcpy(l->z, l->trial, (size_t)n * sizeof *l->z);
            return true;
        }
    }
    return false;
}

/* Full steps without a test of descent: piecewise linear systems (ideal switches, limiters)
 * often need to go through worse points. Steps that leave the domain are halved. */
static bool plain_step(Loop *l, double regular, bool *small) {
    int n = l->n;
    if (!jacobian(l, false)) return false;
    if (regular > 0) /* keeps a singular matrix away from zero */
        for (int i = 0; i < n; i++) {
            double most = 0;
            for (int k = 0; k < n; k++) most = fmax(most, fabs(l->matrix[i * n + k]));
            l->matrix[i * n + i] +=
                (l->matrix[i * n + i] < 0 ? -1 : 1) * regular * (most + 1e-9);
        }
    if (!factor(l->matrix, l->pivot, n)) return false;
    memcpy(l->step, l->r, (size_t)n * sizeof *l->step);
    solve(l->matrix, l->pivot, n, l->step);
    *small = regular == 0;
    for (int i = 0; i < n; i++)
        if (fabs(l->step[i]) > 1e-11 * (fabs(l->z[i]) + nominal(l, i))) *small = false;
    double scale = 1;
    for (int halvings = 0; halvings <= MOST_HALVINGS; halvings++, scale /= 2) {
        for (int i = 0; i < n; i++) l->trial[i] = l->z[i] - scale * l->step[i];
        if (evaluate(l, l->trial, l->r)) {
            memcpy(l->z, l->trial, (size_t)n * sizeof *l->z);
            return true;
        }
    }
    return false;
}

/* From the start values again: first plain, then with a matrix made regular for some steps. */
static int solve_stubborn(Loop *l, const double *start) {
    static const double regular[] = {0, 1e-6, 1e-3, 0.1};
    for (int rung = 0; rung < LENGTH(regular); rung++) {
        memcpy(l->z, start, (size_t)l->n * sizeof *l->z);
        if (!evaluate(l, l->z, l->r)) return 1;
        for (int step = 0; step < MOST_STEPS; step++) {
            bool small = false;
            l->instance->iterations++;
            if (!plain_step(l, step < MOST_STEPS / 3 ? regular[rung] : 0, &small)) break;
            if (small) return 0;
        }
    }
    return 1;
}

static int solve_newton(Loop *l, const double *start) {
    if (!evaluate(l, l->z, l->r)) return 1;
    for (int step = 0; step < MOST_STEPS; step++) {
        bool small = false;
        l->instance->iterations++;
        if (!newton_step(l, &small)) break;
        if (small) return 0;
    }
    return solve_stubborn(l, start);
}

/* At an event, relations between unknowns of the loop must agree with its solution. They are
 * held while the equations are solved, then evaluated at the solution, until they stay (the
 * usual iteration over modes). If they go round in circles they are left to Newton's method,
 * which then sees the jumps. */
static int solve_switching(Loop *l, double *start) {
    enum { ROUNDS = 40 };
    Rb     *c = l->c;
    size_t  relations = (size_t)l->instance->image->relations();
    size_t  bytes = relations * sizeof(double), n = (size_t)l->n * sizeof *start;
    double *mode = malloc(bytes + sizeof(double));
    if (!mode) return 1;
    int  failed = 0;
    bool settled = false;
    evaluate(l, l->z, l->r); /* the relations as they are at the start */
    for (int round = 0; round < ROUNDS && !settled && !failed; round++) {
        memcpy(mode, c->mode, bytes);
        c->live = 0;
        failed = solve_newton(l, start);
        c->live = 1;
        if (failed) break;
        evaluate(l, l->z, l->r);
        settled = memcmp(mode, c->mode, bytes) == 0;
        if (settled) continue;
        memcpy(start, l->z, n); /* with the new modes this is a better start */
    }
    free(mode);
    if (settled) return 0;
    memcpy(l->z, start, n);
    return solve_newton(l, start);
}

int loop_solve(Rb *c, int group, int row) {
    Instance    *instance = c->host;
    const Plan  *plan = instance->plan;
    const Group *g = &plan->group[group];
    size_t       n = (size_t)g->torn, need = n * n + 7 * n;
    if (need > instance->work_room) {
        double *larger = realloc(instance->work, need * sizeof *larger);
        if (!larger) return 1;
        instance->work = larger;
        instance->work_room = need;
    }
    double *w = instance->work;
    Loop    l = {.instance = instance,
                 .c = c,
                 .group = g,
                 .n = g->torn,
                 .row = row,
                 .residual = instance->image->residual(group),
                 .z = w,
                 .r = w + n,
                 .trial = w + 2 * n,
                 .step = w + 3 * n,
                 .weight = w + 4 * n,
                 .matrix = w + 7 * n,
                 .pivot = (int *)(void *)(w + 5 * n)};
    for (int k = 0; k < g->torn; k++) l.z[k] = c->v[plan_iteration(plan, g, row, k)];
    double *start = w + 6 * n;
    memcpy(start, l.z, n * sizeof *start);
    instance->loops++;
    int failed = g->block == BLOCK_LINEAR ? solve_linear(&l, start)
                 : c->live                ? solve_switching(&l, start)
                                          : solve_newton(&l, start);
    if (failed) cause_loop(instance, group, row, start, l.z);
    if (failed && instance->fault) {
        int eq = plan->item[g->item + row * g->size];
        instance->fault->block = plan->st->block_of[eq];
        instance->fault->row = plan->st->eq_row[eq];
        instance->fault->variable = plan->st->var_of[eq];
        instance->fault->pos = structure_pos(plan->st, plan->st->eq_row[eq]);
        instance->fault->what = g->block == BLOCK_LINEAR
                                    ? "a linear system is singular"
                                    : "Newton's method does not converge";
    }
    return failed;
}
