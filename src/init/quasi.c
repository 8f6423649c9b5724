/* SPDX-License-Identifier: Apache-2.0 */
/* quasi.c -- corrections with factors that are at hand.
 *
 * A Jacobian and its factors cost several residuals, and from one solution to the next they hardly
 * change. Broyden's update (1965) makes of them, step by step, those of a matrix that fits what the
 * residuals did; the factors stay, the updates are applied to the correction v = -J^-1 r:
 *     v = v + (v, d_i)/(d_i, d_i) d_i+1   for i < k,   d_k+1 = v / (1 - (v, d_k)/(d_k, d_k))
 * where d_i are the corrections so far and the inner product is scaled by the units of the unknowns
 * (Deuflhard, Newton Methods for Nonlinear Problems, 2004, section 2.1.4, algorithm QNERR).
 *
 * Convergence is verified: every correction must be at most half of the one before, and the last one,
 * or what the slowest contraction that these factors have shown leaves of it, must be as small as
 * rounding. Otherwise Newton's method goes on
 * with a Jacobian of its own. So a solution is as accurate as one by Newton's method, whose last step is
 * quadratic. */
#include "init/work.h"

#include <math.h>
#include <string.h>

/* In units of the tolerance: a correction that changes nothing. */
static const double nothing = 1e-6;
/* Contraction of a step. */
static const double too_slow = 0.5;

/* Steps after which a Jacobian for the next solution costs less than more of them. */
enum { AGED = 4 };

static double product(const Solver *s, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < s->e.n; i++) sum += a[i] * b[i] / (s->best[i] * s->best[i]);
    return sum;
}

/* The updates by d_0 ... d_k applied to v = -J^-1 r, all but the last division; result: its divisor. */
static double update(const Solver *s, int k, const double *square, double *v) {
    int n = s->e.n;
    for (int j = 0; j < k; j++)
        solver_move(s, v, product(s, v, s->quasi + j * n) / square[j],
                    s->quasi + (j + 1) * n, v);
    return 1 - product(s, v, s->quasi + k * n) / square[k];
}

Status newton_quasi(Solver *s, bool fresh, bool *done) {
    Kept  *kept = &s->kept[s->slot];
    int    n = s->e.n;
    size_t bytes = (size_t)n * sizeof(double);
    double square[QUASI_STEPS], size = solver_size(s, s->step, s->u);
    if (size <= nothing) {
        *done = true;
        return STATUS_OK;
    }
    for (int i = 0; i < n; i++) s->best[i] = solver_unit(s, i);
    memcpy(s->quasi, s->step, bytes);
    for (int k = 0; k < QUASI_STEPS; k++) {
        double *d = s->quasi + k * n, *v = d + n;
        solver_move(s, s->u, 1, d, s->trial);
        Status status = solver_residual(s, s->trial, s->rt);
        if (status != STATUS_OK)
            return status == STATUS_RETRY && (k > 0 || !fresh) ? STATUS_OK : status;
        s->report->iterations += k > 0 || !fresh;
        solver_correction(s, s->rt, v);
        square[k] = product(s, d, d);
        double divisor = update(s, k, square, v);
        double next = solver_size(s, v, s->trial), contraction = next / size;
        bool   contracts = contraction <= too_slow && divisor > 0;
        if (contracts || (k == 0 && fresh)) {
            memcpy(s->u, s->trial, bytes);
            memcpy(s->r, s->rt, bytes);
        }
        if (!contracts) return STATUS_OK;
        kept->slowest = fmax(kept->slowest, contraction);
        s->report->correction = next;
        if (k >= AGED) kept->stamp = 0;
        if ((*done = next <= solver_rest)) return STATUS_OK;
        for (int i = 0; i < n; i++) v[i] /= divisor;
        size = next / divisor;
        if (kept->slowest * size > solver_rest) continue;
        *done = true;
        solver_move(s, s->u, 1, v, s->u);
        return solver_residual(s, s->u, s->r);
    }
    return STATUS_OK;
}
