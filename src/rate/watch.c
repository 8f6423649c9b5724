/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c -- slow states beside fast ones: their defect, and when they must join.
 *
 * In the large step a slow state saw fast neighbours only roughly. While the neighbours are
 * integrated again, the slow state's equation is evaluated with their refined values; the
 * difference to the slope of its polynomial is its defect d. The error this causes obeys
 * e' = J_ii e + d and is followed with the damping of the diagonal alone. As long as it
 * stays below a share of the tolerance the state remains slow and is corrected by e at
 * the end of the large step; otherwise it joins the fast set there and then. This is what
 * lets a front wake the next cell without any part of the step being repeated.
 * Cost per small step: one evaluation of the watched rows. */
#include <math.h>

#include "rate/group.h"

#define JOIN 0.25 /* share of the tolerance that makes a slow state fast */

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

void watch_start(Group *g, const Group *before, bool late) {
    const Group *parent = g->parent;
    for (int k = 0; k < g->watches; k++) {
        const int s = g->watch[k];
        const int q = parent->parent ? group_find(parent->state, parent->n, s) : s;
        const int old = before ? group_find(before->watch, before->watches, s) : -1;
        g->defect[k] = g->drift[k] = 0.0;
        if (old >= 0) {
            g->defect[k] = late ? before->defect_before[old] : before->defect[old];
            g->drift[k] = late ? before->drift_before[old] : before->drift[old];
        }
        g->scale[k] = parent->ode->weight[q];
        g->damping[k] = fmax(0.0, -diagonal_of(parent, s));
    }
}

int watch_step(Group *g, double h, int *joins, bool *late) {
    if (g->watches == 0) return 0;
    const Ode   *o = g->ode;
    const double t = o->t;
    double      *x = g->space->x, *dx = g->space->dx;
    Selection    rows = {SELECT_LIST, 0, g->watches, g->watch};
    int          count = 0;
    for (int b = 0; b < g->bounds; b++) x[g->bound[b]] = group_bound(g, b, t);
    for (int i = 0; i < g->n; i++) x[g->state[i]] = o->y[i];
    const Status status = g->rate->model->fn->eval(g->rate->model->instance, t, x, &rows,
                                                   dx, &g->view.fault);
    g->view.rhs_rows += g->watches;
    for (int k = 0; k < g->watches; k++) {
        const double slope = group_bound_slope(g, g->watch_bound[k], t);
        const double d = status == STATUS_OK ? dx[g->watch[k]] - slope : HUGE_VAL;
        const double damp = 1.0 / (1.0 + h * g->damping[k]);
        g->drift_before[k] = g->drift[k];
        g->defect_before[k] = g->defect[k];
        g->drift[k] = (g->drift[k] + 0.5 * h * (g->defect[k] + d)) * damp;
        g->defect[k] = d;
        if (!(fabs(g->drift[k]) * g->scale[k] <= JOIN)) *late = true;
    }
    for (int k = 0; k < g->watches; k++) { /* when some are late, ask who else will be */
        const double ahead = (g->drift[k] + h * g->defect[k]) / (1.0 + h * g->damping[k]);
        if (!(fmax(fabs(g->drift[k]), fabs(ahead)) * g->scale[k] <= JOIN))
            joins[count++] = g->watch[k];
    }
    return count;
}

int watch_finish(const Group *g, int *fix, double *correction, int fixes) {
    for (int k = 0; k < g->watches && fixes < g->rate->n; k++) {
        if (!isfinite(g->drift[k]) || g->drift[k] == 0.0) continue;
        fix[fixes] = g->watch[k];
        correction[fixes++] = g->drift[k];
    }
    return fixes;
}
