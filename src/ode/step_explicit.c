/* SPDX-License-Identifier: Apache-2.0 */
/* step_explicit.c -- one step of any explicit Runge-Kutta method.
 *
 * The slope at the beginning is at hand; where the last stage is the slope at the end it
 * is handed on, so a method costs its stages minus one evaluations per step. Two stages
 * at the end of the step measure stiffness for free: |k_s - k_{s-1}| / |Y_s - Y_{s-1}|
 * bounds the dominant eigenvalue from below (Hairer, Wanner II, IV.2). */
#include <math.h>
#include <string.h>

#include "ode/core.h"

/* after and before: the states of the last two stages. */
static void measure_stiffness(Ode *o, double h, const double *before,
                              const double *after) {
    const int     n = o->n, s = o->method->stages;
    const double *last = o->next.k + (size_t)(s - 1) * n, *prior = last - n;
    double        sum[2] = {0.0, 0.0}; /* of dk and dy */
    for (int i = 0; i < n; i++) {
        const double dk = (last[i] - prior[i]) * o->tol.weight[i];
        const double dy = (after[i] - before[i]) * o->tol.weight[i];
        sum[0] += dk * dk;
        sum[1] += dy * dy;
    }
    core_total(o, sum, 2);
    if (sum[1] > 0.0) o->choice.stiffness = fabs(h) * sqrt(sum[0] / sum[1]);
}

Status step_explicit(Ode *o, double h) {
    const Method *m = o->method;
    const int     n = o->n, s = m->stages;
    memcpy(o->next.k, o->f, sizeof(double) * (size_t)n);
    for (int i = 1; i < s; i++) {
        double *at = i == s - 2  ? o->work.z
                     : i < s - 1 ? o->work.start
                     : m->fsal   ? o->next.y
                                 : o->work.g;
        core_combine(n, i, m->a + (size_t)i * s, h, o->next.k, o->y, at);
        const Status status =
            core_eval(o, o->t + m->c[i] * h, at, o->next.k + (size_t)i * n);
        if (status != STATUS_OK) return status;
    }
    if (o->choice.automatic && s > 2 && fabs(m->c[s - 1] - m->c[s - 2]) < 1e-12)
        measure_stiffness(o, h, o->work.z, m->fsal ? o->next.y : o->work.g);
    if (m->fsal)
        memcpy(o->next.f, o->next.k + (size_t)(s - 1) * n, sizeof(double) * (size_t)n);
    else core_combine(n, s, m->b, h, o->next.k, o->y, o->next.y);
    o->next.f_valid = m->fsal;
    core_combine(n, s, m->e, h, o->next.k, NULL, o->next.err);
    return STATUS_OK;
}
