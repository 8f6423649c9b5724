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

typedef struct Piece { /* of the solution: the last step, or the attempt under way */
    const Method        *method;
    double               t, h;
    const double        *y, *k;
    const unsigned char *known; /* as in LastStep */
} Piece;

static Piece last_piece(const Ode *o) {
    const LastStep *l = &o->last;
    return (Piece){l->method, l->t, l->h, l->y, l->k, l->known};
}

static void polynomial(const Piece *p, int n, double theta, double *x) {
    const Method *m = p->method;
    double        w[METHOD_STAGES];
    /* Coefficients of high orders cancel by five digits; what is searched for inside steps must not
     * see noise of that size. */
    for (int j = 0; j < m->dense_stages; j++) {
        long double sum = 0;
        for (int q = m->powers - 1; q >= 0; q--)
            sum = (sum + m->dense[j * m->powers + q]) * theta;
        w[j] = (double)sum;
    }
    const double scale = m->kind == METHOD_ROSENBROCK ? 1.0 : p->h;
    core_combine(n, m->dense_stages, w, scale, p->k, p->y, x);
}

void dense_polynomial(const Ode *o, double theta, double *x) {
    const Piece last = last_piece(o);
    polynomial(&last, o->n, theta, x);
}

/* Of a step from t and y with the slopes k, after which they go. */
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
    if (o->next.dense) return STATUS_OK;
    const Status status = extra_stages(o, m, o->t, h, o->y, o->next.k);
    o->next.dense = status == STATUS_OK;
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

static void apply_filter(Ode *o, const Method *m, double *v) {
    const int n = o->n;
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

/* One round of corrections at the nodes; their size by node into size. False: the model refuses. */
static bool sweep_round(Ode *o, const Piece *p, int count, const double *node,
                        double *size) {
    const int n = o->n;
    double   *slope = o->work.z; /* needs count rows: z, w and g follow one another */
    double    weight[NODES];
    for (int i = 0; i < count; i++)
        if (core_eval(o, p->t + node[i] * p->h, o->work.sweep + (size_t)i * n,
                      slope + (size_t)i * n) != STATUS_OK)
            return false;
    for (int i = 0; i < count; i++) {
        double *u = o->work.sweep + (size_t)i * n, *change = o->work.start;
        lagrange_integrals(count, node, node[i], weight);
        core_combine(n, count, weight, p->h, slope, p->y, change);
        for (int v = 0; v < n; v++)
            change[v] = p->known && p->known[v] ? 0.0 : change[v] - u[v];
        apply_filter(o, p->method, change);
        size[i] = core_norm(o, change, o->tol.weight);
        for (int v = 0; v < n; v++) u[v] += change[v];
    }
    return true;
}

/* Values at the nodes and at the end, without that at the start, go to o->work.sweep; *left: the
 * largest of the last corrections, in tolerances. */
static bool sweep(Ode *o, const Piece *p, double *left) {
    const Method *m = p->method;
    const int     n = o->n;
    double        node[NODES], size[NODES], before = HUGE_VAL;
    const int     count = sweep_nodes(m, node);
    if (count > NODES || !o->lin.lu_valid || o->lin.lu_method != m) return false;
    for (int i = 0; i < count; i++)
        polynomial(p, n, node[i], o->work.sweep + (size_t)i * n);
    for (int round = 0; round < m->sweeps; round++) {
        double sum = 0.0;
        if (!sweep_round(o, p, count, node, size)) return false;
        *left = 0.0;
        for (int i = 0; i < count; i++) {
            sum += size[i] * size[i];
            *left = fmax(*left, size[i]);
        }
        if (!(sum <= 0.25 * before)) return false;
        before = sum;
    }
    /* The end belongs to them: an event may have moved o->y by the time it is asked for. */
    polynomial(p, n, 1.0, o->work.sweep + (size_t)count * n);
    for (int i = 0; i <= count; i++) /* differences: a constant stays exactly that */
        for (int v = 0; v < n; v++) o->work.sweep[(size_t)i * n + v] -= p->y[v];
    return true;
}

bool dense_sweep_attempt(Ode *o, double h, double *left) {
    const Piece p = {o->method, o->t, h, o->y, o->next.k, NULL};
    return sweep(o, &p, left);
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
    const Piece last = last_piece(o);
    double      left;
    o->last.swept = m->sweeps > 0 && sweep(o, &last, &left);
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
