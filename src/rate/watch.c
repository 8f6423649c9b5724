/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c -- slow states beside fast ones: their defect, and when they must join.
 *
 * In the large step a slow state saw fast neighbours only roughly. While the neighbours are
 * integrated again, the slow state's equation is evaluated with their refined values; the
 * difference to its value along the polynomials of the large step is its defect d. That value
 * is the slope of the polynomial plus a residue, small and smooth but of lower order than the
 * method: it is taken at four nodes and interpolated, otherwise the sum of the defects would
 * cost an order (on the problem of Kvaerno, Prothero and Robinson 3 instead of 4). The error
 * that d causes obeys e' = J_ii e + d and is followed with the damping of the diagonal alone.
 * The integral of the residue over the large step, a better quadrature than that of the method,
 * corrects the state too. As long as it
 * stays below a share of the tolerance the state remains slow and is corrected by e at
 * the end of the large step; otherwise it joins the fast set there and then. This is what
 * lets a front wake the next cell without any part of the step being repeated.
 * Cost per small step: one evaluation of the watched rows. Rows that read very many states
 * would make that dear: they are evaluated at three nodes of the large step when all
 * clusters are through, corrected likewise, and their error counts in the norm of the
 * step. */
#include <math.h>
#include <stdlib.h>

#include "rate/group.h"

#define JOIN 0.25 /* share of the tolerance that makes a slow state fast */

static int ascending(const void *a, const void *b) {
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

static double diagonal_of(const Group *parent, int state) {
    const Ode  *o = parent->ode;
    const Rate *r = parent->rate;
    if (!o->jac || !o->jac_valid) return 0.0;
    if (!parent->parent)
        return r->diagonal[state] >= 0 ? o->jac[r->diagonal[state]] : 0.0;
    const Pattern *p = parent->view.pattern;
    const int      q = group_find(parent->state, parent->n, state);
    for (int e = p->start[q]; e < p->start[q + 1]; e++)
        if (p->row[e] == q) return o->jac[e];
    return 0.0;
}

/* Watched rows at time t with the given values of the group's states. Slopes of the
 * polynomials are subtracted. */
static Status defects(Group *g, double t, const double *y, int stride, double *d) {
    const Model    *m = &g->worker->model;
    double         *x = g->space->x;
    const Selection rows = {SELECT_LIST, 0, g->watches, g->watch};
    for (int b = 0; b < g->bounds; b++) x[g->bound[b]] = group_bound(g, b, t);
    for (int i = 0; i < g->n; i++) x[g->state[i]] = y[i];
    g->view.rhs_rows += g->watches;
    const Status status =
        m->fn->eval(m->instance, t, x, &rows, g->space->dx, &g->view.fault);
    for (int k = 0; k < g->watches && status == STATUS_OK; k++)
        d[(size_t)k * stride] =
            g->space->dx[g->watch[k]] - group_bound_slope(g, g->watch_bound[k], t);
    return status;
}

/* Nodes of Lobatto: the cubic through them has the integral of their quadrature, order 6. */
static const double node[NODES] = {0.0, 0.27639320225002106, 0.7236067977499789, 1.0};

/* Residues at the nodes of the parent's attempt; zero where they cannot be had. */
static void take_residues(Group *g) {
    const Group *p = g->parent;
    double      *y = g->curve_value;
    double       c[COEFFICIENT];
    for (int i = 0; i < g->n; i++) {
        const int powers = group_curve(p, group_packed(p, g->state[i]), g->span, c);
        for (int q = 0; q < NODES; q++) {
            double value = 0.0;
            for (int k = powers; k > 0; k--) value = (value + c[k]) * node[q];
            y[q * g->n + i] = value + c[0];
        }
    }
    for (int q = 0; q < NODES; q++)
        if (defects(g, p->ode->t + node[q] * g->span, y + q * g->n, NODES,
                    g->residue + q) != STATUS_OK)
            for (int k = 0; k < g->watches; k++) g->residue[k * NODES + q] = 0.0;
}

static double residue(const Group *g, int k, double t) {
    const double  theta = (t - g->parent->ode->t) / g->span;
    const double *r = g->residue + (size_t)k * NODES;
    double        sum = 0.0;
    for (int q = 0; q < NODES; q++) {
        double l = r[q];
        for (int i = 0; i < NODES; i++)
            if (i != q) l *= (theta - node[i]) / (node[q] - node[i]);
        sum += l;
    }
    return sum;
}

/* What the refined values change in the watched rows, at the time the group has reached. */
static Status present_defects(Group *g, double *d) {
    const Status status = defects(g, g->ode->t, g->ode->y, 1, d);
    for (int k = 0; k < g->watches && status == STATUS_OK; k++)
        d[k] -= residue(g, k, g->ode->t);
    return status;
}

void watch_start(Group *g, const Group *before, bool late) {
    const Group *parent = g->parent;
    if (g->watches == 0) return;
    take_residues(g);
    const bool known = present_defects(g, g->defect) == STATUS_OK;
    for (int k = 0; k < g->watches; k++) {
        const int s = g->watch[k];
        const int q = parent->parent ? group_find(parent->state, parent->n, s) : s;
        const int old = before ? group_find(before->watch, before->watches, s) : -1;
        if (!known) g->defect[k] = 0.0;
        g->drift[k] = 0.0;
        if (old >= 0) g->drift[k] = late ? before->drift_before[old] : before->drift[old];
        g->defect_before[k] = g->defect[k];
        g->scale[k] = parent->ode->weight[q];
        g->damping[k] = fmax(0.0, -diagonal_of(parent, s));
    }
    g->before = 0.0;
}

/* The error after h more, given the integral of the defect: e' = -a e + d. */
static double follow(double e, double integral, double ah) {
    const double decay = exp(-ah);
    return e * decay + integral * (ah > 1e-6 ? (1.0 - decay) / ah : 1.0 - 0.5 * ah);
}

int watch_step(Group *g, double h, int *joins, bool *late) {
    if (g->watches == 0) return 0;
    const bool known = present_defects(g, g->defect_now) == STATUS_OK;
    int        count = 0;
    for (int k = 0; k < g->watches; k++) {
        const double d = known ? g->defect_now[k] : HUGE_VAL;
        double       integral = 0.5 * h * (g->defect[k] + d);
        if (g->before > 0.0) { /* parabola through three defects */
            const double older = (g->defect[k] - g->defect_before[k]) / g->before;
            integral -=
                ((d - g->defect[k]) / h - older) / (h + g->before) * h * h * h / 6.0;
        }
        g->drift_before[k] = g->drift[k];
        g->defect_before[k] = g->defect[k];
        g->drift[k] = follow(g->drift[k], integral, h * g->damping[k]);
        g->defect[k] = d;
        if (!(fabs(g->drift[k]) * g->scale[k] <= JOIN)) *late = true;
    }
    g->before = h;
    for (int k = 0; k < g->watches; k++) { /* when some are late, ask who else will be */
        const double ahead = follow(g->drift[k], h * g->defect[k], h * g->damping[k]);
        if (!(fmax(fabs(g->drift[k]), fabs(ahead)) * g->scale[k] <= JOIN))
            joins[count++] = g->watch[k];
    }
    return count;
}

/* The damped integral of the residue from the beginning of the large step to t: the cubic is
 * integrated exactly by two points. */
static double own_error(const Group *g, int k, double t) {
    const double begin = g->parent->ode->t, h = t - begin;
    const double sum = residue(g, k, begin + 0.21132486540518713 * h) +
                       residue(g, k, begin + 0.7886751345948129 * h);
    return follow(0.0, 0.5 * h * sum, h * g->damping[k]);
}

double watch_value(const Group *g, int state, double t, bool late) {
    const int k = group_find(g->watch, g->watches, state);
    return group_bound(g, g->watch_bound[k], t) + own_error(g, k, t) +
           (late ? g->drift_before[k] : g->drift[k]);
}

int watch_finish(const Group *g, int *fix, double *value) {
    int fixes = 0;
    for (int k = 0; k < g->watches; k++) {
        const double own = own_error(g, k, g->parent->ode->t + g->span);
        if (!isfinite(g->drift[k]) || !isfinite(own)) continue;
        value[FIX * fixes] = g->drift[k];
        value[FIX * fixes + 1] = fabs(g->drift[k]) * g->scale[k];
        value[FIX * fixes + 2] = own;
        fix[fixes++] = g->watch[k];
    }
    return fixes;
}

/* ---- heavy rows -------------------------------------------------------------------------- */

static int heavy_rows(const Group *g, const int *done, int dones, int *list) {
    const Rate    *r = g->rate;
    const Pattern *p = r->pattern;
    int           *seen = g->space->place;
    int            count = 0;
    for (int k = 0; k < dones; k++)
        for (int e = p->start[done[k]]; e < p->start[done[k] + 1]; e++) {
            const int i = p->row[e];
            if (r->row_start[i + 1] - r->row_start[i] <= HEAVY || seen[i] != -1) continue;
            if (g->fast[i]) continue;
            seen[i] = -2;
            list[count++] = i;
        }
    for (int k = 0; k < count; k++) seen[list[k]] = -1;
    qsort(list, (size_t)count, sizeof(int), ascending);
    return count;
}

/* All states of the first level at a share of the attempt, the refined ones refined. */
static void state_at(const Group *g, double h, double theta, double *x, double *slope) {
    double c[COEFFICIENT];
    for (int i = 0; i < g->n; i++) {
        const int powers = group_curve(g, i, h, c);
        double    value = 0.0, rise = 0.0;
        for (int k = powers; k > 0; k--) {
            value = (value + c[k]) * theta;
            rise = rise * theta + k * c[k];
        }
        x[i] = value + c[0];
        slope[i] = rise / h;
    }
    for (int k = 0; k < g->rate->threads; k++)
        store_values(&g->rate->worker[k].store, g->ode->t + theta * h, x);
}

double watch_heavy(Group *g, double h, const int *done, int dones) {
    static const double gauss[] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double part[] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const Rate         *r = g->rate;
    const Ode          *o = g->ode;
    Workspace          *w = g->space;
    int                *list = w->list;
    double             *drift = w->seed, worst = 0.0;
    if (r->heavy == 0 || g->parent) return 0.0;
    const int       count = heavy_rows(g, done, dones, list);
    const Selection rows = {SELECT_LIST, 0, count, list};
    for (int k = 0; k < count; k++) drift[list[k]] = 0.0;
    for (int q = 0; q < 3 && count > 0; q++) {
        state_at(g, h, gauss[q], w->x, w->out);
        if (r->model->fn->eval(r->model->instance, o->t + gauss[q] * h, w->x, &rows,
                               w->dx, &g->view.fault) != STATUS_OK)
            return HUGE_VAL;
        g->view.rhs_rows += count;
        for (int k = 0; k < count; k++)
            drift[list[k]] += part[q] * h * (w->dx[list[k]] - w->out[list[k]]);
    }
    for (int k = 0; k < count; k++) {
        const int    i = list[k];
        const double d = drift[i] / (1.0 + h * fmax(0.0, -diagonal_of(g, i)));
        drift[i] = 0.0;
        o->ynew[i] += d;
        worst = fmax(worst, fabs(d) * o->weight[i]);
    }
    return worst;
}
