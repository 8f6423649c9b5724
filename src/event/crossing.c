/* SPDX-License-Identifier: Apache-2.0 */
/* crossing.c -- sign changes over a step, and the time of the first one (locate.c).
 *
 * A crossing that rests at zero, as the current of a diode in a circuit that has come to rest,
 * has the sign of its rounding errors. Therefore a sign counts as changed only if the value is
 * beyond zero by more than 2e-14 times the size that the crossing had, at least 1: a crossing
 * that never was anything but zero has the rounding errors of what surrounds it. Values are looked
 * at with that distance added on the side of the beginning, which is kept that way from step to
 * step. Sizes fade over some thousand steps. */
#include "event/event.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR = 1e-9;

bool crossings_new(Crossings *crossings, const Model *model) {
    size_t n = (size_t)model->nz + 1, nx = (size_t)model->nx + 1;
    *crossings = (Crossings){.model = model, .count = model->nz, .fault = fault_none()};
    crossings->left = calloc(n, sizeof(double));
    crossings->right = calloc(n, sizeof(double));
    crossings->trial = calloc(n, sizeof(double));
    crossings->old = calloc(n, sizeof(double));
    crossings->size = calloc(n, sizeof(double));
    crossings->changed = calloc(n, sizeof(int));
    crossings->x = calloc(nx, sizeof(double));
    if (crossings->left && crossings->right && crossings->trial && crossings->old &&
        crossings->size && crossings->changed && crossings->x)
        return true;
    crossings_free(crossings);
    return false;
}

void crossings_free(Crossings *crossings) {
    free(crossings->left);
    free(crossings->right);
    free(crossings->trial);
    free(crossings->old);
    free(crossings->size);
    free(crossings->changed);
    free(crossings->x);
    free(crossings->list);
    *crossings = (Crossings){0};
}

bool crossings_without_local(Crossings *crossings) {
    const int *start = crossings->model->changes->start;
    int        count = crossings->count;
    crossings->list = calloc((size_t)count + 1, sizeof(int));
    if (!crossings->list) return false;
    crossings->count = 0;
    for (int k = 0; k < count; k++)
        if (start[k] == start[k + 1]) crossings->list[crossings->count++] = k;
    return true;
}

static Selection looked_at(const Crossings *crossings) {
    if (!crossings->list) return (Selection){0};
    return (Selection){SELECT_LIST, 0, crossings->count, crossings->list};
}

static Status evaluate(Crossings *crossings, double t, const double *x,
                       const Selection *which, double *z) {
    const Model *model = crossings->model;
    int          rows = selection_count(which, crossings->count);
    crossings->fault = fault_none();
    crossings->fault.time = t;
    crossings->evaluations++;
    crossings->rows += rows;
    Status status =
        model->fn->crossings(model->instance, t, x, which, z, &crossings->fault);
    for (int i = 0; status == STATUS_OK && i < rows; i++) {
        if (isfinite(z[selection_row(which, i)])) continue;
        crossings->fault.relation = selection_row(which, i);
        status = STATUS_NOT_FINITE;
    }
    return status;
}

static bool differs(double a, double b) {
    return (a > 0) != (b > 0);
}

/* As evaluate, seen from the side where the crossings were at the beginning. */
static Status look(Crossings *crossings, double t, const double *x,
                   const Selection *which, double *z) {
    Status status = evaluate(crossings, t, x, which, z);
    for (int k = 0; k < selection_count(which, crossings->count); k++) {
        int    i = selection_row(which, k);
        double distance = crossing_margin(crossings->size[i]);
        z[i] += crossings->left[i] > 0 ? distance : -distance;
    }
    return status;
}

static void note_sizes(Crossings *crossings) {
    Selection all = looked_at(crossings);
    for (int k = 0; k < crossings->count; k++) {
        int i = selection_row(&all, k);
        crossings->size[i] = crossing_size(crossings->size[i], crossings->left[i]);
    }
}

Status crossings_begin(Crossings *crossings, double t, const double *x) {
    Selection all = looked_at(crossings);
    crossings->changes = 0;
    if (!crossings->count) return STATUS_OK;
    Status status = evaluate(crossings, t, x, &all, crossings->left);
    if (status == STATUS_OK) note_sizes(crossings);
    return status;
}

/* Of some crossings, those that have changed. The list of a selection may be that of the changed. */
static Status check(Crossings *crossings, double t, const double *x,
                    const Selection *which, bool *found) {
    int    count = selection_count(which, crossings->count), n = 0;
    Status status = look(crossings, t, x, which, crossings->right);
    for (int k = 0; status == STATUS_OK && k < count; k++) {
        int i = selection_row(which, k);
        if (differs(crossings->left[i], crossings->right[i])) crossings->changed[n++] = i;
    }
    crossings->changes = n;
    *found = n > 0;
    return status;
}

Status crossings_check(Crossings *crossings, double t, const double *x, bool *found) {
    Selection all = looked_at(crossings);
    crossings->changes = 0;
    *found = false;
    return crossings->count ? check(crossings, t, x, &all, found) : STATUS_OK;
}

int crossings_near(Crossings *crossings) {
    Selection all = looked_at(crossings);
    int       n = 0;
    for (int k = 0; k < crossings->count; k++) {
        int i = selection_row(&all, k);
        if (fabs(crossings->left[i]) <= NEAR * crossings->size[i])
            crossings->changed[n++] = i;
    }
    return crossings->changes = n;
}

Status crossings_check_near(Crossings *crossings, double t, const double *x,
                            bool *found) {
    Selection which = {
        .kind = SELECT_LIST, .count = crossings->changes, .row = crossings->changed};
    return check(crossings, t, x, &which, found);
}

void crossings_accept(Crossings *crossings) {
    double *swap = crossings->left;
    crossings->left = crossings->right;
    crossings->right = swap;
    note_sizes(crossings);
}

typedef struct Path { /* what locate_first asks for */
    Crossings *crossings;
    StateAt   *state_at;
    void      *owner;
} Path;

static Status on_path(void *owner, double t, const Selection *which, double *z) {
    const Path *path = owner;
    Crossings  *crossings = path->crossings;
    Status      status = path->state_at(path->owner, t, crossings->x);
    return status == STATUS_OK ? look(crossings, t, crossings->x, which, z) : status;
}

Status crossings_locate(Crossings *crossings, double from, double to, StateAt *state_at,
                        void *owner, double *when, double *x) {
    double  scale = fmax(fabs(from), fabs(to));
    Path    path = {crossings, state_at, owner};
    Bracket bracket = {.low = from,
                       .high = to,
                       .width = fmax(8 * DBL_EPSILON * scale, 1e-13 * (to - from)),
                       .left = crossings->left,
                       .right = crossings->right,
                       .trial = crossings->trial,
                       .old = crossings->old,
                       .changed = crossings->changed,
                       .changes = crossings->changes};
    Status  status = locate_first(&bracket, on_path, &path);
    crossings->changes = bracket.changes;
    *when = bracket.high;
    return status == STATUS_OK ? state_at(owner, bracket.high, x) : status;
}
