/* SPDX-License-Identifier: Apache-2.0 */
/* dense.c -- the state anywhere inside the last step.
 *
 * Explicit methods may need extra stages; they are evaluated in the first step-interior
 * request and kept. High-order fully implicit methods have a collocation polynomial of
 * order s + 1 only; `sweeps` corrections u <- u + (I - h J / lambda)^-1 (y + h int f(u)
 * - u) at Chebyshev nodes lift it by one order each. If the corrections do not shrink,
 * or the model refuses, the collocation polynomial is used as it is. Literature: Enright
 * et al. 1986; Dutt, Greengard, Rokhlin 2000 (deferred correction). */
#include <math.h>
#include <string.h>

#include "ode/core.h"

enum { NODES = 14 }; /* largest number of sweep nodes */

void dense_polynomial(const Ode *o, double theta, double *x) {
    const Method *m = o->last.method;
    double        w[METHOD_STAGES];
    /* Coefficients of high orders cancel by five digits; what is searched for inside steps must not
     * see noise of that size. */
    for (int j = 0; j < m->dense_stages; j++) {
        long double sum = 0;
        for (int q = m->powers - 1; q >= 0; q--)
            sum = (sum + m->dense[j * m->powers + q]) * theta;
        w[j] = (double)sum;
    }
    const double scale = m->kind == METHOD_ROSENBROCK ? 1.0 : o->last.h;
    core_combine(o->n, m->dense_stages, w, scale, o->last.k, o->last.y, x);
}

/* Of a step from t and y with the slopes k, behind which they go. */
static Status extra_stages(Ode *o, const Method *m, double t, double h, const double *y,
                           double *k) {
    const int n = o->n, s = m->stages;
    for (int i = s; i < m->dense_stages; i++) {
        const double *row = m->extra_a + (size_t)(i - s) * METHOD_STAGES;
        core_combine(n, i, row, h, k, y, o->work.start);
        const Status status =
            core_eval(o, t + m->extra_c[i - s] * h, o->work.start, k + (size_t)i * n);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

Status dense_attempt(Ode *o, double h) {
    const Method *m = o->method;
    if (m->dense_stages <= m->stages) return STATUS_OK;
    const Status status = extra_stages(o, m, o->t, h, o->y, o->next.k);
    if (status != STATUS_OK || o->next.f_valid || m->extra_c[0] != 1.0) return status;
    memcpy(o->next.f, o->next.k + (size_t)m->stages * o->n,
           sizeof(double) * (size_t)o->n);
    o->next.f_valid = o->next.f_exact = true;
    return STATUS_OK;
}

static int sweep_nodes(const Method *m, double *node) {
    const int count = m->order - 2;
    for (int i = 0; i < count; i++)
        node[i] = 0.5 - 0.5 * cos(acos(-1.0) * (2 * i + 1) / (2.0 * count));
    return count;
}

static void apply_filter(Ode *o, double *v) {
    const Method *m = o->last.method;
    const int     n = o->n;
    if (m->reals > 0) {
        const double sigma = m->lambda[0] / o->lin.lu_h;
        for (int i = 0; i < n; i++) v[i] *= sigma;
        shift_solve(o->lin.shift, 0, v);
        return;
    }
    const double a = m->lambda[0] / o->lin.lu_h, b = m->lambda[1] / o->lin.lu_h;
    for (int i = 0; i < n; i++)
        o->work.tmp[2 * i] = a * v[i], o->work.tmp[2 * i + 1] = b * v[i];
    shift_solve_complex(o->lin.shift, 0, o->work.tmp);
    for (int i = 0; i < n; i++) v[i] = o->work.tmp[2 * i];
}

/* Values at the nodes and at the end, without that at the start, go to o->work.sweep; slopes borrow the attempt's buffer k and z. */
static bool sweep(Ode *o) {
    const Method *m = o->last.method;
    const int     n = o->n;
    double        node[NODES], weight[NODES], before = HUGE_VAL;
    const int     count = sweep_nodes(m, node);
    if (count > NODES || !o->lin.lu_valid || o->lin.lu_method != m) return false;
    for (int i = 0; i < count; i++)
        dense_polynomial(o, node[i], o->work.sweep + (size_t)i * n);
    /* slopes need count rows: k has stages rows, z, w2 and g follow one another */
    double *slope = o->work.z;
    for (int round = 0; round < m->sweeps; round++) {
        double sum = 0.0;
        for (int i = 0; i < count; i++)
            if (core_eval(o, o->last.t + node[i] * o->last.h,
                          o->work.sweep + (size_t)i * n,
                          slope + (size_t)i * n) != STATUS_OK)
                return false;
        for (int i = 0; i < count; i++) {
            double *u = o->work.sweep + (size_t)i * n;
            lagrange_integrals(count, node, node[i], weight);
            core_combine(n, count, weight, o->last.h, slope, o->last.y, o->work.start);
            for (int v = 0; v < n; v++)
                o->work.start[v] =
                    o->last.known && o->last.known[v] ? 0.0 : o->work.start[v] - u[v];
            apply_filter(o, o->work.start);
            const double size = core_norm(n, o->work.start, o->tol.weight);
            sum += size * size;
            for (int v = 0; v < n; v++) u[v] += o->work.start[v];
        }
        if (!(sum <= 0.25 * before)) return false;
        before = sum;
    }
    /* The end belongs to them: an event may have moved o->y by the time it is asked for. */
    dense_polynomial(o, 1.0, o->work.sweep + (size_t)count * n);
    for (int i = 0; i <= count; i++) /* differences: a constant stays exactly that */
        for (int v = 0; v < n; v++) o->work.sweep[(size_t)i * n + v] -= o->last.y[v];
    return true;
}

Status dense_prepare(Ode *o) {
    const Method *m = o->last.method;
    if (o->last.ready) return STATUS_OK;
    o->last.ready = true;
    if (m->dense_stages > m->stages) {
        const Status status =
            extra_stages(o, m, o->last.t, o->last.h, o->last.y, o->last.k);
        if (status != STATUS_OK) {
            o->last.ready = false;
            return status;
        }
    }
    o->last.swept = m->sweeps > 0 && sweep(o);
    return STATUS_OK;
}

/* Is t an end of the step, or not in it? *status is the answer then. */
static bool at_end(const Ode *o, double t, double *x, Status *status) {
    const bool    inside = o->last.h != 0.0 && o->last.method;
    const double  theta = inside ? (t - o->last.t) / o->last.h : 2.0;
    const double *end = t == o->t ? o->y : inside && t == o->last.t ? o->last.y : NULL;
    *status = STATUS_OK;
    /* a step that was made to end at an event goes on a little beyond its polynomial */
    if (end) memcpy(x, end, sizeof(double) * (size_t)o->n);
    else if (theta < -1e-9 || (theta > 1.0 + 1e-9 && t > o->t)) *status = STATUS_ARGUMENT;
    return end || *status != STATUS_OK;
}

Status dense_value(Ode *o, double t, double *x) {
    const Method *m = o->last.method;
    const int     n = o->n;
    Status        ended;
    if (at_end(o, t, x, &ended)) return ended;
    const double theta = (t - o->last.t) / o->last.h;
    const Status status = dense_prepare(o);
    if (status != STATUS_OK) return status;
    if (!o->last.swept) {
        dense_polynomial(o, theta, x);
        return STATUS_OK;
    }
    double    node[NODES + 2], value[NODES + 2];
    const int count = sweep_nodes(m, node + 1);
    node[0] = 0.0;
    node[count + 1] = 1.0;
    lagrange_values(count + 2, node, theta, value);
    core_combine(n, count + 1, value + 1, 1.0, o->work.sweep, o->last.y, x);
    return STATUS_OK;
}
