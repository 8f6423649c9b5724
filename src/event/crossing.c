/* SPDX-License-Identifier: Apache-2.0 */
/* crossing.c -- crossings and the sides of zero on which they were seen.
 *
 * A crossing that rests at zero, as the current of a diode in a circuit that has come to rest,
 * has the sign of its rounding errors. Therefore a sign counts as changed only if the value is
 * beyond zero by more than 2e-14 times the size that the crossing had, at least 1: a crossing
 * that never was anything but zero has the rounding errors of what surrounds it. Values are looked
 * at with that distance added on the side of the beginning, which is kept that way from step to
 * step. Sizes fade over some thousand steps. */
#include "event/event.h"

#include <stdlib.h>
#include <string.h>

static const double NEAR = 1e-9;

bool crossing_work_new(CrossingWork *w, const Model *model, bool check) {
    const size_t n = (size_t)model->nz + 1;
    const size_t nx = model->bounded ? (size_t)model->nx + 1 : 0;
    *w = (CrossingWork){0};
    w->left = calloc((check ? 8 : 7) * n + 3 * nx, sizeof(double));
    w->changed = calloc(2 * n, sizeof(int));
    if (!w->left || !w->changed) {
        crossing_work_free(w);
        return false;
    }
    double **each[] = {&w->right, &w->trial, &w->old, &w->begin, &w->end, &w->now};
    for (int k = 0; k < LENGTH(each); k++) *each[k] = w->left + (size_t)(k + 1) * n;
    if (check) w->check = w->left + 7 * n;
    for (int k = 0; nx > 0 && k < 3; k++)
        w->state[k] = w->left + (check ? 8 : 7) * n + (size_t)k * nx;
    w->list = w->changed + n;
    return true;
}

void crossing_work_free(CrossingWork *w) {
    free(w->left), free(w->changed);
    *w = (CrossingWork){0};
}

int crossings_count(const Crossings *c) {
    return selection_count(&c->which, c->model->nz);
}

/* Are the values those of an evaluation of everything, bit for bit? */
static void compare(Crossings *c, double t, const double *x, const Selection *which,
                    const double *z) {
    const Model    *m = c->model;
    CrossingWork   *w = c->work;
    const Selection all = {0};
    Fault           fault = fault_none();
    if (m->fn->crossings(m->instance, t, x, &all, w->check, &fault) != STATUS_OK) return;
    for (int k = 0, n = selection_count(which, m->nz); k < n; k++) {
        const int i = selection_row(which, k);
        w->mismatches += memcmp(&z[i], &w->check[i], sizeof(double)) != 0;
    }
}

Status crossings_evaluate(Crossings *c, double t, const double *x, const Selection *which,
                          double *z) {
    const Model *m = c->model;
    const int    rows = selection_count(which, m->nz);
    c->fault = fault_none();
    c->fault.time = t;
    c->work->evaluations++;
    c->work->rows += rows;
    Status status = m->fn->crossings(m->instance, t, x, which, z, &c->fault);
    if (c->work->check && status == STATUS_OK) compare(c, t, x, which, z);
    for (int k = 0; status == STATUS_OK && k < rows; k++) {
        if (isfinite(z[selection_row(which, k)])) continue;
        c->fault.relation = selection_row(which, k);
        status = STATUS_NOT_FINITE;
    }
    return status;
}

Status crossings_look(Crossings *c, double t, const double *x, const Selection *which,
                      double *z) {
    const Selection all = {0}, *asked = c->whole ? &all : which;
    double         *to = c->whole ? c->work->now : z;
    const Status    status = crossings_evaluate(c, t, x, asked, to);
    for (int k = 0, n = selection_count(which, c->model->nz); k < n; k++) {
        const int    i = selection_row(which, k);
        const double margin = crossing_margin(c->sign[i].size);
        z[i] = to[i] + (c->sign[i].z > 0.0 ? margin : -margin);
    }
    return status;
}

typedef Status Look(Crossings *c, double t, const double *x, const Selection *which,
                    double *z);

/* Signs begin with what `look` sees. */
static Status begin_with(Look *look, Crossings *c, double t, const double *x,
                         const Selection *which) {
    double   *z = c->work->now;
    const int count = selection_count(which, c->model->nz);
    if (count == 0) return STATUS_OK;
    const Status status = look(c, t, x, which, z);
    for (int k = 0; k < count && status == STATUS_OK; k++) {
        const int i = selection_row(which, k);
        sign_begin(&c->sign[i], t, z[i]);
    }
    return status;
}

Status crossings_begin(Crossings *c, double t, const double *x, const Selection *which) {
    return begin_with(crossings_evaluate, c, t, x, which);
}

Status crossings_again(Crossings *c, double t, const double *x, const Selection *which) {
    return begin_with(crossings_look, c, t, x, which);
}

int crossings_near(const Crossings *c) {
    int n = 0;
    for (int k = 0, count = crossings_count(c); k < count; k++) {
        const int   i = selection_row(&c->which, k);
        const Sign *s = &c->sign[i];
        if (fabs(s->z) <= NEAR * s->size) c->work->list[n++] = i;
    }
    return n;
}
