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
    const Method *m = o->dense_method;
    double        w[METHOD_STAGES];
    for (int j = 0; j < m->dense_stages; j++) {
        w[j] = 0.0;
        for (int q = m->powers - 1; q >= 0; q--)
            w[j] = (w[j] + m->dense[j * m->powers + q]) * theta;
    }
    const double scale = m->kind == METHOD_ROSENBROCK ? 1.0 : o->h_last;
    core_combine(o->n, m->dense_stages, w, scale, o->k_last, o->y_last, x);
}

/* Of a step from t and y with the slopes k, behind which they go. */
static Status extra_stages(Ode *o, const Method *m, double t, double h, const double *y,
                           double *k) {
    const int n = o->n, s = m->stages;
    for (int i = s; i < m->dense_stages; i++) {
        const double *row = m->extra_a + (size_t)(i - s) * METHOD_STAGES;
        core_combine(n, i, row, h, k, y, o->start);
        const Status status =
            core_eval(o, t + m->extra_c[i - s] * h, o->start, k + (size_t)i * n);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

Status dense_attempt(Ode *o, double h) {
    const Method *m = o->method;
    if (m->dense_stages <= m->stages) return STATUS_OK;
    const Status status = extra_stages(o, m, o->t, h, o->y, o->k);
    if (status != STATUS_OK || o->fnew_valid || m->extra_c[0] != 1.0) return status;
    memcpy(o->fnew, o->k + (size_t)m->stages * o->n, sizeof(double) * (size_t)o->n);
    o->fnew_valid = o->fnew_exact = true;
    return STATUS_OK;
}

static int sweep_nodes(const Method *m, double *node) {
    const int count = m->order - 2;
    for (int i = 0; i < count; i++)
        node[i] = 0.5 - 0.5 * cos(acos(-1.0) * (2 * i + 1) / (2.0 * count));
    return count;
}

static void apply_filter(Ode *o, double *v) {
    const Method *m = o->dense_method;
    const int     n = o->n;
    if (m->reals > 0) {
        const double sigma = m->lambda[0] / o->lu_h;
        for (int i = 0; i < n; i++) v[i] *= sigma;
        shift_solve(o->shift, 0, v);
        return;
    }
    const double a = m->lambda[0] / o->lu_h, b = m->lambda[1] / o->lu_h;
    for (int i = 0; i < n; i++) o->tmp[2 * i] = a * v[i], o->tmp[2 * i + 1] = b * v[i];
    shift_solve_complex(o->shift, 0, o->tmp);
    for (int i = 0; i < n; i++) v[i] = o->tmp[2 * i];
}

/* Values at the nodes and at the end, without that at the start, go to o->sweep; slopes borrow the attempt's buffer k and z. */
static bool sweep(Ode *o) {
    const Method *m = o->dense_method;
    const int     n = o->n;
    double        node[NODES], weight[NODES], before = HUGE_VAL;
    const int     count = sweep_nodes(m, node);
    if (count > NODES || !o->lu_valid || o->lu_method != m) return false;
    for (int i = 0; i < count; i++)
        dense_polynomial(o, node[i], o->sweep + (size_t)i * n);
    /* slopes need count rows: k has stages rows, z, w2 and g follow one another */
    double *slope = o->z;
    for (int round = 0; round < m->sweeps; round++) {
        double sum = 0.0;
        for (int i = 0; i < count; i++)
            if (core_eval(o, o->t_last + node[i] * o->h_last, o->sweep + (size_t)i * n,
                          slope + (size_t)i * n) != STATUS_OK)
                return false;
        for (int i = 0; i < count; i++) {
            double *u = o->sweep + (size_t)i * n;
            lagrange_integrals(count, node, node[i], weight);
            core_combine(n, count, weight, o->h_last, slope, o->y_last, o->start);
            for (int v = 0; v < n; v++)
                o->start[v] = o->known && o->known[v] ? 0.0 : o->start[v] - u[v];
            apply_filter(o, o->start);
            const double size = core_norm(n, o->start, o->weight);
            sum += size * size;
            for (int v = 0; v < n; v++) u[v] += o->start[v];
        }
        if (!(sum <= 0.25 * before)) return false;
        before = sum;
    }
    /* The end belongs to them: an event may have moved o->y by the time it is asked for. */
    dense_polynomial(o, 1.0, o->sweep + (size_t)count * n);
    for (int i = 0; i <= count; i++) /* differences: a constant stays exactly that */
        for (int v = 0; v < n; v++) o->sweep[(size_t)i * n + v] -= o->y_last[v];
    return true;
}

Status dense_prepare(Ode *o) {
    const Method *m = o->dense_method;
    if (o->dense_ready) return STATUS_OK;
    o->dense_ready = true;
    if (m->dense_stages > m->stages) {
        const Status status =
            extra_stages(o, m, o->t_last, o->h_last, o->y_last, o->k_last);
        if (status != STATUS_OK) {
            o->dense_ready = false;
            return status;
        }
    }
    o->dense_swept = m->sweeps > 0 && sweep(o);
    return STATUS_OK;
}

/* Is t an end of the step, or not in it? *status is the answer then. */
static bool at_end(const Ode *o, double t, double *x, Status *status) {
    const bool    inside = o->h_last != 0.0 && o->dense_method;
    const double  theta = inside ? (t - o->t_last) / o->h_last : 2.0;
    const double *end = t == o->t ? o->y : inside && t == o->t_last ? o->y_last : NULL;
    *status = STATUS_OK;
    /* a step that was made to end at an event goes on a little beyond its polynomial */
    if (end) memcpy(x, end, sizeof(double) * (size_t)o->n);
    else if (theta < -1e-9 || (theta > 1.0 + 1e-9 && t > o->t)) *status = STATUS_ARGUMENT;
    return end || *status != STATUS_OK;
}

/* The cubic through both ends with the slopes there. */
static void cubic(const Ode *o, double theta, double *x) {
    const double *f0 = o->k_last, *f1 = o->f, h = o->h_last;
    const double  to = theta * theta * (3.0 - 2.0 * theta), rest = 1.0 - theta;
    for (int i = 0; i < o->n; i++)
        x[i] = o->y_last[i] + to * (o->y[i] - o->y_last[i]) +
               h * theta * rest * (rest * f0[i] - theta * f1[i]);
}

Status dense_glance(Ode *o, double t, double *x) {
    const Method *m = o->dense_method;
    Status        status;
    if (at_end(o, t, x, &status)) return status;
    if (o->dense_ready) return dense_value(o, t, x);
    const double theta = (t - o->t_last) / o->h_last;
    const bool   slopes = m->kind == METHOD_EXPLICIT && o->f_valid;
    if (m->dense_stages <= m->stages) dense_polynomial(o, theta, x);
    else if (slopes) cubic(o, theta, x);
    else return dense_value(o, t, x);
    return STATUS_OK;
}

Status dense_value(Ode *o, double t, double *x) {
    const Method *m = o->dense_method;
    const int     n = o->n;
    Status        ended;
    if (at_end(o, t, x, &ended)) return ended;
    const double theta = (t - o->t_last) / o->h_last;
    const Status status = dense_prepare(o);
    if (status != STATUS_OK) return status;
    if (!o->dense_swept) {
        dense_polynomial(o, theta, x);
        return STATUS_OK;
    }
    double    node[NODES + 2], value[NODES + 2];
    const int count = sweep_nodes(m, node + 1);
    node[0] = 0.0;
    node[count + 1] = 1.0;
    lagrange_values(count + 2, node, theta, value);
    core_combine(n, count + 1, value + 1, 1.0, o->sweep, o->y_last, x);
    return STATUS_OK;
}
