/* SPDX-License-Identifier: Apache-2.0 */
/* view.c -- a model, or some of its states, as the packed system the steppers integrate.
 *
 * With all states the packed vectors are the model's own and nothing is copied. With some
 * states, values are put into a full-length vector before an evaluation and the selected
 * slopes taken out of one after it: O(selected), whatever the size of the model. The
 * Jacobian comes from the model (values, or tangents with one seed per colour) or from
 * coloured one-sided differences. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/ode.h"

static bool take(double **p, int n) {
    *p = calloc((size_t)n + 1, sizeof(double));
    return *p != NULL;
}

Status view_init(View *v, const Model *model, const Selection *rows) {
    *v = (View){.model = model, .fault = fault_none()};
    v->rows = rows ? *rows : (Selection){0};
    v->n = selection_count(&v->rows, model->nx);
    if (!model->fn || !model->fn->eval || v->n < 0) return STATUS_ARGUMENT;
    bool       ok = take(&v->base, v->n) && take(&v->moved, v->n) && take(&v->step, v->n);
    const bool all = v->rows.kind == SELECT_ALL;
    if (ok && !all) ok = take(&v->x, model->nx) && take(&v->dx, model->nx);
    if (ok && model->fn->tangent && !model->fn->jacobian)
        ok = take(&v->seed, model->nx) && take(&v->out, model->nx);
    if (ok && !model->pattern) {
        v->pattern = pattern_full(v->n);
        v->own_pattern = true;
    } else if (ok && all) {
        v->pattern = (Pattern *)model->pattern;
    } else if (ok) {
        v->pattern = pattern_principal(model->pattern, &v->rows, &v->entry);
        v->own_pattern = true;
        ok = take(&v->value, pattern_entries(model->pattern));
    }
    /* Of a part over several processes only the number of colours counts: that of one process. */
    const Pattern *coloured = model->seam ? model->seam->whole : v->pattern;
    ok = ok && v->pattern && colour_columns(coloured, &v->colouring);
    if (!ok) {
        view_free(v);
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

void view_share(View *v, double *x, double *dx) {
    if (!v->shared) free(v->x), free(v->dx);
    v->x = x;
    v->dx = dx;
    v->shared = true;
}

void view_free(View *v) {
    if (v->shared) v->x = v->dx = NULL;
    free(v->base), free(v->moved), free(v->step), free(v->x), free(v->dx);
    free(v->seed), free(v->out), free(v->value), free(v->entry);
    if (v->own_pattern) pattern_free(v->pattern);
    colouring_free(&v->colouring);
    *v = (View){0};
}

static void pack_in(View *v, double t, const double *x) {
    if (v->boundary) v->boundary(v->owner, t, v->x);
    for (int i = 0; i < v->n; i++) v->x[selection_row(&v->rows, i)] = x[i];
}

Status view_eval(View *v, double t, const double *x, double *dx) {
    const Model *m = v->model;
    Status       status;
    v->rhs_calls++;
    v->rhs_rows += v->n;
    v->fault = fault_none();
    if (v->rows.kind == SELECT_ALL) {
        status = m->fn->eval(m->instance, t, x, &v->rows, dx, &v->fault);
    } else {
        pack_in(v, t, x);
        status = m->fn->eval(m->instance, t, v->x, &v->rows, v->dx, &v->fault);
        for (int i = 0; i < v->n; i++) dx[i] = v->dx[selection_row(&v->rows, i)];
    }
    if (status != STATUS_OK) v->fault.time = t;
    return status;
}

/* One tangent per colour; the seed vector is put back to zero entry by entry. */
static Status by_tangents(View *v, double t, const double *x, double *value) {
    const Model     *m = v->model;
    const Colouring *c = &v->colouring;
    const Pattern   *p = v->pattern;
    for (int k = 0; k < c->colours; k++) {
        for (int q = c->start[k]; q < c->start[k + 1]; q++)
            v->seed[selection_row(&v->rows, c->column[q])] = 1.0;
        const Status status =
            m->fn->tangent(m->instance, t, x, &v->rows, 1, v->seed, v->out, &v->fault);
        for (int q = c->start[k]; q < c->start[k + 1]; q++) {
            const int j = c->column[q];
            v->seed[selection_row(&v->rows, j)] = 0.0;
            for (int e = p->start[j]; e < p->start[j + 1]; e++)
                value[e] = v->out[selection_row(&v->rows, p->row[e])];
        }
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

static Status by_differences(View *v, double t, const double *x, const double *dx,
                             const double *weight, double *value) {
    const Colouring *c = &v->colouring;
    const Pattern   *p = v->pattern;
    memcpy(v->base, x, sizeof(double) * (size_t)v->n);
    for (int k = 0; k < c->colours; k++) {
        for (int q = c->start[k]; q < c->start[k + 1]; q++) {
            const int       j = c->column[q];
            const double    size = fmax(fabs(x[j]), weight ? 1.0 / weight[j] : 1e-6);
            volatile double to = x[j] + sqrt(DBL_EPSILON) * size * (dx[j] < 0 ? -1 : 1);
            v->base[j] = to;
            v->step[j] = 1.0 / (to - x[j]);
        }
        const Status status = view_eval(v, t, v->base, v->moved);
        for (int q = c->start[k]; q < c->start[k + 1]; q++) {
            const int j = c->column[q];
            v->base[j] = x[j];
            for (int e = p->start[j]; e < p->start[j + 1]; e++)
                value[e] = (v->moved[p->row[e]] - dx[p->row[e]]) * v->step[j];
        }
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

Status view_jacobian(View *v, double t, const double *x, const double *dx,
                     const double *weight, double *value) {
    const Model *m = v->model;
    const bool   all = v->rows.kind == SELECT_ALL;
    v->jacobians++;
    v->fault.time = t;
    if (!all) {
        pack_in(v, t, x);
        if (m->fn->jacobian && v->entry) {
            const Status status =
                m->fn->jacobian(m->instance, t, v->x, &v->rows, v->value, &v->fault);
            for (int e = 0; e < pattern_entries(v->pattern); e++)
                value[e] = v->value[v->entry[e]];
            return status;
        }
    } else if (m->fn->jacobian) {
        return m->fn->jacobian(m->instance, t, x, &v->rows, value, &v->fault);
    }
    if (m->fn->tangent && !m->fn->jacobian)
        return by_tangents(v, t, all ? x : v->x, value);
    return by_differences(v, t, x, dx, weight, value);
}

Status view_time_derivative(View *v, double t, const double *x, const double *dx,
                            double h, double *dt) {
    const Model *m = v->model;
    if (m->flags & MODEL_AUTONOMOUS && !v->boundary) {
        memset(dt, 0, sizeof(double) * (size_t)v->n);
        return STATUS_OK;
    }
    if (m->fn->time_derivative && v->rows.kind == SELECT_ALL)
        return m->fn->time_derivative(m->instance, t, x, &v->rows, dt, &v->fault);
    const double    size = sqrt(DBL_EPSILON) * fmax(fabs(t), fabs(h));
    volatile double later = t + copysign(size, h);
    const Status    status = view_eval(v, later, x, dt);
    if (status != STATUS_OK) return status;
    const double scale = 1.0 / (later - t);
    for (int i = 0; i < v->n; i++) dt[i] = (dt[i] - dx[i]) * scale;
    return STATUS_OK;
}
