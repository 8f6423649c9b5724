/* SPDX-License-Identifier: Apache-2.0 */
/* step_firk.c -- one step of any fully implicit method by the block-diagonal
 * transformation.
 *
 * The coupled stages have increments Z with A^-1 (Z - Z0) = h F(Z); Z0 = h a_1 k_1 if the
 * first stage is explicit (Lobatto IIIA), else 0. With A^-1 = T Lambda T^-1 and
 * W = T^-1 (Z - Z0) a simplified Newton step is, per real eigenvalue l,
 *   (l/h I - J) dW_i = (T^-1 F)_i - l/h W_i
 * and per pair a +- ib the same with (a + ib)/h on complex vectors of length n. A last
 * stage that no other stage uses (Lobatto IIIB) is evaluated afterwards. Start values
 * come from the polynomial through the last step's slopes, continued.
 *
 * The end of the iteration is confirmed at one of the stages (confirm.c), if possible at the
 * end of the step, where the evaluation is that of the next step.
 *
 * Error: the slope at the beginning minus its extrapolation from the stages, h/l times,
 * filtered by (l/h I - J)^-1 so that stiff components do not inflate it (Hairer, Wanner
 * II, IV.8); without a real eigenvalue the real part of the complex solve is used. The
 * two-step variant takes the slope at the beginning from the last step's stages instead
 * and needs neither evaluation nor solve. */
#include <math.h>
#include <string.h>

#include "ode/core.h"

/* out_i = sum_j m_ij in_j for core x core matrices and core x n vectors. */
static void transform(int core, int n, const double *m, const double *in, double *out) {
    if (n >= 8) {
        for (int i = 0; i < core; i++)
            core_combine(n, core, m + (size_t)i * core, 1.0, in, NULL,
                         out + (size_t)i * n);
        return;
    }
    for (int i = 0; i < core; i++)
        for (int v = 0; v < n; v++) {
            double sum = 0.0;
            for (int j = 0; j < core; j++) sum += m[i * core + j] * in[(size_t)j * n + v];
            out[(size_t)i * n + v] = sum;
        }
}

/* Start values of Z from the last step's polynomial; zero without history. */
static void predict(Ode *o, double h) {
    const Method *m = o->method, *d = o->last.method;
    const int     n = o->n, core = m->core;
    if (!o->last.continued || !d || d->dense_stages > d->stages) {
        memset(o->work.z, 0, sizeof(double) * (size_t)core * (size_t)n);
        return;
    }
    double end[METHOD_STAGES], w[METHOD_STAGES];
    for (int j = 0; j < d->stages; j++) {
        end[j] = 0.0;
        for (int q = d->powers - 1; q >= 0; q--)
            end[j] = (end[j] + d->dense[j * d->powers + q]) * o->last.share;
    }
    const double scale = d->kind == METHOD_ROSENBROCK ? 1.0 : o->last.h;
    for (int i = 0; i < core; i++) {
        const double theta = o->last.share + m->c[i + m->first] * h / o->last.h;
        for (int j = 0; j < d->stages; j++) {
            double at = 0.0;
            for (int q = d->powers - 1; q >= 0; q--)
                at = (at + d->dense[j * d->powers + q]) * theta;
            w[j] = at - end[j];
        }
        core_combine(n, d->stages, w, scale, o->last.k, NULL, o->work.z + (size_t)i * n);
    }
}

/* One correction of W; returns the weighted norm of the change. */
static double correct(Ode *o, double h) {
    const Method *m = o->method;
    const int     n = o->n;
    double        sum = 0.0;
    for (int r = 0; r < m->reals; r++) {
        const double l = m->lambda[r] / h;
        double      *g = o->work.g + (size_t)r * n, *w = o->work.w + (size_t)r * n;
        for (int v = 0; v < n; v++) g[v] -= l * w[v];
        shift_solve(o->lin.shift, r, g);
        for (int v = 0; v < n; v++) {
            const double e = g[v] * o->tol.weight[v];
            w[v] += g[v];
            sum += e * e;
        }
    }
    for (int p = 0; p < m->pairs; p++) {
        const int    at = m->reals + 2 * p;
        const double a = m->lambda[at] / h, b = m->lambda[at + 1] / h;
        double      *g = o->work.g + (size_t)at * n, *w = o->work.w + (size_t)at * n,
               *c = o->work.tmp;
        for (int v = 0; v < n; v++) {
            c[2 * v] = g[v] - (a * w[v] - b * w[n + v]);
            c[2 * v + 1] = g[n + v] - (b * w[v] + a * w[n + v]);
        }
        shift_solve_complex(o->lin.shift, p, c);
        for (int v = 0; v < n; v++) {
            const double re = c[2 * v], im = c[2 * v + 1], q = o->tol.weight[v];
            w[v] += re;
            w[n + v] += im;
            sum += (re * re + im * im) * q * q;
        }
    }
    core_total(o, &sum, 1);
    return sqrt(sum / ((double)o->all * m->core));
}

static bool solves_exactly(const Ode *o, double h) {
    return o->lin.constant && o->lin.lu_h == h;
}

/* The slope that the increments give a stage minus f there; in out. */
static void residual(const Ode *o, double h, int stage, const double *offset,
                     const double *f, double *out) {
    const Method *m = o->method;
    const int     n = o->n, core = m->core;
    const double *row = m->inverse + (size_t)stage * core;
    core_combine(n, core, row, 1.0 / h, o->work.z, NULL, out);
    if (offset) core_combine(n, core, row, -1.0 / h, offset, out, out);
    for (int v = 0; v < n; v++) out[v] -= f[v];
}

/* The stage by which a correction that was small will be confirmed; the residual that it had before is in
 * o->next.err. The last one, unless another has a residual four times as large: its evaluation serves twice. */
static int to_confirm(Ode *o, double h, const double *offset) {
    const Method *m = o->method;
    const int     n = o->n, last = m->core - 1;
    const double *f = o->next.k + (size_t)m->first * n;
    int           chosen = last;
    double        size[METHOD_CORE];
    for (int i = 0; i <= last; i++) {
        residual(o, h, i, offset, f + (size_t)i * n, o->next.err);
        size[i] = core_square(n, o->next.err, o->tol.weight);
    }
    core_total(o, size, m->core);
    double most = 16.0 * size[last];
    for (int i = last - 1; i >= 0; i--)
        if (size[i] > most) most = size[chosen = i];
    if (chosen < last)
        residual(o, h, chosen, offset, f + (size_t)chosen * n, o->next.err);
    return chosen;
}

/* An iteration that is content with its last correction: is the stage solved? f at the end comes to
 * o->next.f. */
static Status confirm(Ode *o, double h, double delta, int stage, const double *offset,
                      NewtonVerdict *verdict) {
    const Method *m = o->method;
    const int     n = o->n;
    const bool    ends = stage == m->core - 1 && m->stiffly_accurate && !m->last_explicit;
    const double *z = o->work.z + (size_t)stage * n;
    if (!ends && confirm_harmless(o, h, o->next.err)) return STATUS_OK;
    for (int v = 0; v < n; v++) o->work.start[v] = o->y[v] + z[v];
    const Status status =
        core_eval(o, o->t + m->c[stage + m->first] * h, o->work.start, o->next.f);
    if (status != STATUS_OK) return status;
    residual(o, h, stage, offset, o->next.f, o->work.start);
    *verdict = confirm_verdict(o, h, delta, o->next.err, o->work.start);
    o->next.f_valid = ends;
    return STATUS_OK;
}

static void filter(Ode *o);

static Status iterate(Ode *o, double h, const double *offset) {
    const Method *m = o->method;
    const int     n = o->n, core = m->core, most = 7 + 2 * (core > 3 ? core - 3 : 0);
    const bool    exact = solves_exactly(o, h);
    double        before = 0.0;
    transform(core, n, m->to_w, o->work.z, o->work.w);
    if (offset) { /* W belongs to Z - Z0 */
        for (int i = 0; i < core; i++)
            for (int j = 0; j < core; j++)
                for (int v = 0; v < n; v++)
                    o->work.w[(size_t)i * n + v] -=
                        m->to_w[i * core + j] * offset[(size_t)j * n + v];
    }
    for (int round = 0;; round++) {
        for (int i = 0; i < core; i++) {
            const double *z = o->work.z + (size_t)i * n;
            for (int v = 0; v < n; v++) o->work.start[v] = o->y[v] + z[v];
            /* the slopes go to k for now; it is rewritten at the end */
            const Status status =
                core_eval(o, o->t + m->c[i + m->first] * h, o->work.start,
                          o->next.k + (size_t)(i + m->first) * n);
            if (status != STATUS_OK) return status;
        }
        transform(core, n, m->to_w, o->next.k + (size_t)m->first * n, o->work.g);
        const double  delta = correct(o, h);
        NewtonVerdict verdict = !isfinite(delta) ? NEWTON_FAILED
                                : exact          ? NEWTON_DONE
                                        : core_newton(o, round, most, delta, &before);
        const int     checked =
            exact || verdict == NEWTON_GO_ON ? 0 : to_confirm(o, h, offset);
        transform(core, n, m->to_z, o->work.w, o->work.z);
        if (offset)
            for (int v = 0; v < core * n; v++) o->work.z[v] += offset[v];
        o->stats.newton_iterations++;
        o->newton.iterations++;
        if (!isfinite(delta)) return core_not_finite(o, o->t + h, o->work.z);
        if (verdict == NEWTON_DONE && !exact) {
            const Status status = confirm(o, h, delta, checked, offset, &verdict);
            if (status != STATUS_OK) return status;
            if (verdict == NEWTON_GO_ON && round + 1 >= most) verdict = NEWTON_FAILED;
        }
        if (verdict == NEWTON_FAILED) {
            filter(o); /* the residual of a stage: what it would be corrected by */
            return STATUS_DIVERGED;
        }
        if (verdict == NEWTON_DONE) return STATUS_OK;
    }
}

/* err = filter of raw slopes (per h already multiplied): sigma (sigma I - J)^-1 err. */
static void filter(Ode *o) {
    const Method *m = o->method;
    const int     n = o->n;
    if (m->reals > 0) {
        const double sigma = m->lambda[0] / o->lin.lu_h;
        for (int v = 0; v < n; v++) o->next.err[v] *= sigma;
        shift_solve(o->lin.shift, 0, o->next.err);
        return;
    }
    const double a = m->lambda[0] / o->lin.lu_h, b = m->lambda[1] / o->lin.lu_h;
    for (int v = 0; v < n; v++) {
        o->work.tmp[2 * v] = a * o->next.err[v];
        o->work.tmp[2 * v + 1] = b * o->next.err[v];
    }
    shift_solve_complex(o->lin.shift, 0, o->work.tmp);
    for (int v = 0; v < n; v++) o->next.err[v] = o->work.tmp[2 * v];
}

static double gamma_of(const Method *m) {
    return m->reals > 0 ? 1.0 / m->lambda[0] : 1.0 / hypot(m->lambda[0], m->lambda[1]);
}

/* Slope at the beginning from this step's and the last step's stages: needs both. */
static bool two_step(Ode *o, double h) {
    const Method *m = o->method;
    const int     n = o->n, s = m->stages, old = s < 2 ? s : 2;
    if (!o->last.continued || o->last.method != m) return false;
    double       node[METHOD_CORE + 2], value[METHOD_CORE + 2], w[METHOD_STAGES];
    const double ratio = o->last.h / h;
    int          count = 0;
    for (int i = 0; i < s; i++)
        if (m->c[i] > 1e-12) node[count++] = m->c[i];
    const int fresh = count;
    for (int i = 0; i < old; i++)
        node[count++] = (m->c[s - 1 - i] - o->last.share) * ratio;
    lagrange_values(count, node, 0.0, value);
    const double scale = h * gamma_of(m);
    for (int i = 0, q = 0; i < s; i++)
        w[i] = m->c[i] > 1e-12 ? value[q++] - m->slope0[i] : 0.0;
    core_combine(n, s, w, scale, o->next.k, NULL, o->next.err);
    for (int i = 0; i < old; i++)
        core_combine(n, 1, &value[fresh + i], scale, o->last.k + (size_t)(s - 1 - i) * n,
                     o->next.err, o->next.err);
    return true;
}

static Status estimate(Ode *o, double h) {
    const Method *m = o->method;
    const int     n = o->n;
    if (!m->adaptive) {
        memset(o->next.err, 0, sizeof(double) * (size_t)n);
        return STATUS_OK;
    }
    if (o->options.estimate == ESTIMATE_TWO_STEP && two_step(o, h)) return STATUS_OK;
    const double scale = h * gamma_of(m);
    core_combine(n, m->stages, m->slope0, -scale, o->next.k, NULL, o->next.err);
    const double later = core_norm(o, o->next.err, o->tol.weight);
    const double now = scale * core_norm(o, o->f, o->tol.weight);
    for (int v = 0; v < n; v++) o->next.err[v] += scale * o->f[v];
    if (o->options.estimate == ESTIMATE_EMBEDDED) return STATUS_OK;
    filter(o);
    const bool begins = (o->first_step || o->control.rejected) && now >= later;
    if (!begins || core_norm(o, o->next.err, o->tol.weight) < 1.0) return STATUS_OK;
    /* A transient at the beginning, where slopes are large: one more filtering with the slope at
     * y + err. What happens later in the step, such as a pulse that stiff states follow, must be seen. */
    for (int v = 0; v < n; v++) o->work.start[v] = o->y[v] + o->next.err[v];
    const Status status = core_eval(o, o->t, o->work.start, o->work.tmp + n);
    if (status != STATUS_OK) return status;
    memcpy(o->work.start, o->work.tmp + n, sizeof(double) * (size_t)n);
    core_combine(n, m->stages, m->slope0, -scale, o->next.k, NULL, o->next.err);
    for (int v = 0; v < n; v++) o->next.err[v] += scale * o->work.start[v];
    filter(o);
    return STATUS_OK;
}

Status step_firk(Ode *o, double h) {
    const Method *m = o->method;
    const int     n = o->n, s = m->stages, core = m->core;
    double       *offset = NULL;
    Status        status = core_prepare(o, h, 0.0);
    if (status != STATUS_OK) return status;
    const bool exact = solves_exactly(o, h);
    o->newton.iterations = 0;
    o->newton.theta = 0.0;
    o->next.f_valid = false;
    if (m->first_explicit) {
        offset = o->work.sweep; /* shared with the dense output of the last step */
        o->last.ready = o->last.swept = false;
        memcpy(o->next.k, o->f, sizeof(double) * (size_t)n);
        for (int i = 0; i < core; i++)
            core_combine(n, 1, &m->a[(i + 1) * s], h, o->f, NULL, offset + (size_t)i * n);
    }
    predict(o, h);
    o->stats.stages_implicit += core;
    status = iterate(o, h, offset);
    if (status != STATUS_OK) return status;
    if (offset)
        for (int v = 0; v < core * n; v++) o->work.z[v] -= offset[v];
    for (int i = 0; i < core; i++) /* slopes from increments: k = A^-1 (Z - Z0) / h */
        core_combine(n, core, m->inverse + (size_t)i * core, 1.0 / h, o->work.z, NULL,
                     o->next.k + (size_t)(i + m->first) * n);
    if (offset)
        for (int v = 0; v < core * n; v++) o->work.z[v] += offset[v];
    if (m->last_explicit) {
        core_combine(n, core, m->a + (size_t)(s - 1) * s, h, o->next.k, o->y,
                     o->work.start);
        status = core_eval(o, o->t + m->c[s - 1] * h, o->work.start,
                           o->next.k + (size_t)(s - 1) * n);
        if (status != STATUS_OK) return status;
    }
    if (m->stiffly_accurate) {
        const double *z = o->work.z + (size_t)(core - 1) * n;
        for (int v = 0; v < n; v++) o->next.y[v] = o->y[v] + z[v];
    } else {
        core_combine(n, s, m->b, h, o->next.k, o->y, o->next.y);
    }
    o->next.f_exact = o->next.f_valid;
    if (exact && m->stiffly_accurate) { /* solved exactly: k_s is f there */
        memcpy(o->next.f, o->next.k + (size_t)(s - 1) * n, sizeof(double) * (size_t)n);
        o->next.f_valid = true;
    }
    return estimate(o, h);
}
