/* SPDX-License-Identifier: Apache-2.0 */
/* confirm.c -- is a stage solved whose last correction was small?
 *
 * The correction of a simplified Newton iteration is M^-1 r, with the residual r of the stage and M =
 * sigma I - J. Where J is far stiffer than the model, as beside a kink on whose other side it was
 * taken, every correction is small, the estimates of the error, filtered by the same factors, are small
 * as well, and the stage may be anywhere. Therefore f is evaluated at the result, and the residual
 * there, unfiltered, is compared with that before the correction. A right J takes most of it away; a
 * wrong one leaves it as it was. Then the iteration goes on, and its contraction, now measured, ends
 * it: with a Jacobian of this point if there was an older one, with a shorter step otherwise. A tiny
 * correction whose residual points elsewhere each time is the noise of the evaluation.
 *
 * Cost: an evaluation, which is the first of the next step if the stage is the end of the step
 * of a fully implicit method, and is saved if the residual before was harmless already. */
#include <math.h>

#include "ode/core.h"

static const double HARMLESS =
    0.1;                           /* tolerances that a residual is worth over the step */
static const double REDUCED = 0.3; /* of the residual before: the correction was right */
static const double ALIKE = 0.5;   /* cosine between residuals that are not noise */
static const double TINY = 1e-3;   /* tolerances: a correction that may be noise */

/* Of a residual by the sum of its weighted squares. */
static bool harmless(const Ode *o, double h, double squares) {
    return h * h * squares <= HARMLESS * HARMLESS * o->all;
}

bool confirm_harmless(const Ode *o, double h, const double *residual) {
    double sum = core_square(o->n, residual, o->tol.weight);
    core_total(o, &sum, 1);
    return harmless(o, h, sum);
}

NewtonVerdict confirm_verdict(const Ode *o, double h, double delta, const double *before,
                              const double *after) {
    double sum[3] = {0.0, 0.0, 0.0}; /* of the squares after and before, of products */
    for (int v = 0; v < o->n; v++) {
        const double a = after[v] * o->tol.weight[v], b = before[v] * o->tol.weight[v];
        sum[0] += a * a;
        sum[1] += b * b;
        sum[2] += a * b;
    }
    core_total(o, sum, 3);
    const double ours = sum[0], theirs = sum[1], both = sum[2];
    if (harmless(o, h, ours) || ours <= REDUCED * REDUCED * theirs) return NEWTON_DONE;
    const bool noise = delta < TINY && both < ALIKE * sqrt(ours * theirs);
    return noise ? NEWTON_DONE : NEWTON_GO_ON;
}
