/* SPDX-License-Identifier: Apache-2.0 */
/* step_dirk.c -- one step of any diagonally implicit method.
 *
 * Stage i solves sigma (z - r) = f(t + c_i h, y + z) with sigma = 1 / (h gamma) and the
 * known part r = h sum_{j<i} a_ij k_j, by simplified Newton: (sigma I - J) d = residual.
 * One factorisation serves all stages, and neighbouring steps too: with factors of
 * another step size the correction is scaled by 2 / (1 + sigma / sigma_LU), the best
 * constant for eigenvalues between zero and minus infinity. The slope follows from z
 * without another evaluation, so a stage costs as many evaluations as iterations.
 *
 * Three start values compete for every stage: the last step's dense output continued, the
 * slopes of this step's earlier stages, and the previous stage. The smoothed size of the
 * first correction decides; now and then another is given a chance.
 * Literature: Hairer, Wanner II, IV.8; Kvaerno 2004; Kennedy, Carpenter 2016. */
#include <math.h>
#include <string.h>

#include "ode/core.h"

enum { FROM_DENSE, FROM_STAGES, FROM_PREVIOUS, MOST = 6, EXPLORE = 24 };

/* Weights w_j of slopes j < i so that sum w_j p(c_j) is the integral of p to c_i, for p
 * of as many powers as distinct recent nodes allow, three at most. */
static int quadrature(const Method *m, int i, double *w) {
    double node[3], value[3];
    int    which[3], count = 0;
    for (int j = i - 1; j >= 0 && count < 3; j--) {
        bool apart = true;
        for (int q = 0; q < count; q++) apart = apart && fabs(node[q] - m->c[j]) > 0.05;
        if (!apart) continue;
        which[count] = j;
        node[count++] = m->c[j];
    }
    for (int j = 0; j < i; j++) w[j] = 0.0;
    if (count == 0) return 0;
    lagrange_integrals(count, node, m->c[i], value);
    for (int q = 0; q < count; q++) w[which[q]] = value[q];
    return count;
}

static void predict(Ode *o, int i, double h, int how, double *z) {
    const Method *m = o->method;
    const int     n = o->n;
    double        w[METHOD_STAGES];
    if (how == FROM_DENSE) { /* polynomial of the last step, beyond its end */
        const Method *d = o->last.method;
        const double  theta = o->last.share + m->c[i] * h / o->last.h;
        for (int j = 0; j < d->dense_stages && j < d->stages; j++) {
            double at = 0.0, end = 0.0;
            for (int q = d->powers - 1; q >= 0; q--) {
                at = (at + d->dense[j * d->powers + q]) * theta;
                end = (end + d->dense[j * d->powers + q]) * o->last.share;
            }
            w[j] = at - end;
        }
        const double scale = d->kind == METHOD_ROSENBROCK ? 1.0 : o->last.h;
        core_combine(n, d->stages, w, scale, o->last.k, NULL, z);
    } else if (how == FROM_STAGES && quadrature(m, i, w) > 0) {
        core_combine(n, i, w, h, o->next.k, NULL, z);
    } else if (i > 0) {
        core_combine(n, i, m->a + (size_t)(i - 1) * m->stages, h, o->next.k, NULL, z);
    } else {
        memset(z, 0, sizeof(double) * (size_t)n);
    }
}

static int choose(Ode *o, int i) {
    const bool dense = o->last.continued && o->last.method == o->method &&
                       o->method->dense_stages <= o->method->stages;
    int       best = -1;
    const int step = o->choice.since_change;
    for (int p = dense ? 0 : 1; p < PREDICTORS; p++) {
        if (o->predictor.score[i][p] == 0.0) return p; /* not yet known */
        if (best < 0 || o->predictor.score[i][p] < o->predictor.score[i][best]) best = p;
    }
    if (step % EXPLORE == 0) {
        const int other = (step / EXPLORE + i) % PREDICTORS;
        if (dense || other != FROM_DENSE)
            if (o->predictor.score[i][other] < 4.0 * o->predictor.score[i][best])
                return other;
    }
    return best;
}

void dirk_accepted(Ode *o) {
    for (int i = 0; i < o->method->stages; i++) {
        if (o->method->a[i * o->method->stages + i] == 0.0) continue;
        double *s = &o->predictor.score[i][o->predictor.tried[i]];
        *s = *s == 0.0 ? fmax(o->predictor.first[i], 1e-12)
                       : 0.8 * *s + 0.2 * fmax(o->predictor.first[i], 1e-12);
    }
}

/* The last stage, at the end of the step, is confirmed if the residual before the last correction, in
 * o->next.err, was of any importance. */
static Status confirm(Ode *o, double time, double h, double delta,
                      NewtonVerdict *verdict) {
    const int    n = o->n;
    double      *at = o->next.y, *residual = o->work.tmp;
    const double sigma = 1.0 / (h * o->method->gamma);
    if (confirm_harmless(o, h, o->next.err)) return STATUS_OK;
    for (int v = 0; v < n; v++) at[v] = o->y[v] + o->work.z[v];
    const Status status = core_eval(o, time, at, o->next.f);
    if (status != STATUS_OK) return status;
    for (int v = 0; v < n; v++)
        residual[v] = o->next.f[v] - sigma * (o->work.z[v] - o->work.start[v]);
    *verdict = confirm_verdict(o, h, delta, o->next.err, residual);
    return STATUS_OK;
}

static Status solve_stage(Ode *o, int i, double h) {
    const Method *m = o->method;
    const int     n = o->n, s = m->stages;
    double       *z = o->work.z, *residual = o->work.tmp, *k = o->next.k + (size_t)i * n,
           *at = o->next.y;
    const double sigma = 1.0 / (h * m->gamma), time = o->t + m->c[i] * h;
    const double damp = 2.0 / (1.0 + o->lin.lu_h / h);
    const bool   exact = o->lin.constant && o->lin.lu_h == h;
    const bool   ends = i == s - 1 && m->stiffly_accurate && !exact;
    double       before = 0.0;
    core_combine(n, i, m->a + (size_t)i * s, h, o->next.k, NULL, o->work.start);
    o->predictor.tried[i] = choose(o, i);
    predict(o, i, h, o->predictor.tried[i], z);
    o->stats.stages_implicit++;
    for (int round = 0;; round++) {
        for (int v = 0; v < n; v++) at[v] = o->y[v] + z[v];
        const Status status = core_eval(o, time, at, residual);
        if (status != STATUS_OK) return status;
        for (int v = 0; v < n; v++) residual[v] -= sigma * (z[v] - o->work.start[v]);
        if (ends) memcpy(o->next.err, residual, sizeof(double) * (size_t)n);
        shift_solve(o->lin.shift, 0, residual);
        double sum = 0.0;
        for (int v = 0; v < n; v++) {
            const double d = residual[v] * damp, e = d * o->tol.weight[v];
            z[v] += d;
            sum += e * e;
        }
        const double delta = core_mean(o, sum);
        if (!isfinite(delta)) return core_not_finite(o, time, residual);
        if (round == 0) o->predictor.first[i] = delta;
        NewtonVerdict verdict =
            exact ? NEWTON_DONE : core_newton(o, round, MOST, delta, &before);
        o->stats.newton_iterations++;
        o->newton.iterations++;
        if (verdict == NEWTON_DONE && ends) {
            const Status confirmed = confirm(o, time, h, delta, &verdict);
            if (confirmed != STATUS_OK) return confirmed;
            if (verdict == NEWTON_GO_ON && round + 1 >= MOST) verdict = NEWTON_FAILED;
        }
        if (verdict == NEWTON_FAILED) {
            memcpy(o->next.err, residual, sizeof(double) * (size_t)n);
            return STATUS_DIVERGED;
        }
        if (verdict == NEWTON_DONE) break;
    }
    for (int v = 0; v < n; v++) k[v] = sigma * (z[v] - o->work.start[v]);
    return STATUS_OK;
}

Status step_dirk(Ode *o, double h) {
    const Method *m = o->method;
    const int     n = o->n, s = m->stages;
    Status        status = core_prepare(o, h, o->lin.constant ? 0.0 : 0.25);
    if (status != STATUS_OK) return status;
    o->newton.iterations = 0;
    o->newton.theta = 0.0;
    for (int i = 0; i < s; i++) {
        if (m->a[i * s + i] == 0.0) { /* explicit first stage */
            memcpy(o->next.k, o->f, sizeof(double) * (size_t)n);
            continue;
        }
        status = solve_stage(o, i, h);
        if (status != STATUS_OK) return status;
    }
    if (m->stiffly_accurate) {
        for (int v = 0; v < n; v++) o->next.y[v] = o->y[v] + o->work.z[v];
        memcpy(o->next.f, o->next.k + (size_t)(s - 1) * n, sizeof(double) * (size_t)n);
        o->next.f_valid = true;
    } else {
        core_combine(n, s, m->b, h, o->next.k, o->y, o->next.y);
        o->next.f_valid = false;
    }
    core_combine(n, s, m->e, h, o->next.k, NULL, o->next.err);
    if (o->options.estimate != ESTIMATE_EMBEDDED) {
        const double sigma = 1.0 / (o->lin.lu_h * m->gamma);
        for (int v = 0; v < n; v++) o->next.err[v] *= sigma;
        shift_solve(o->lin.shift, 0, o->next.err);
    }
    return STATUS_OK;
}
