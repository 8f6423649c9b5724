/* SPDX-License-Identifier: Apache-2.0 */
/* crossing.c -- sign changes over a step, and the time of the first one.
 *
 * Location keeps one bracket [low, high] for all crossings that changed: none has its new
 * sign at low, at least one has it at high. Each of them proposes the zero of the line
 * through its two values (regula falsi with the weights of Dowell and Jarratt, 1971, the
 * "Illinois" rule, of order 1.44); the earliest proposal is tried. A proposal nearer to an
 * end than the wanted width is moved just beyond, which closes the bracket from the other
 * side; three trials that do not halve the bracket are followed by a bisection, so the cost
 * is bounded by that of bisection. Typically 5 to 8 evaluations of the changed crossings.
 *
 * A crossing that rests at zero, as the current of a diode in a circuit that has come to rest,
 * has the sign of its rounding errors. Therefore a sign counts as changed only if the value is
 * beyond zero by more than RESOLUTION times the size that the crossing had, at least 1: a crossing
 * that never was anything but zero has the rounding errors of what surrounds it. Values are looked
 * at with that distance added on the side of the beginning, which is kept that way from step to
 * step. Sizes fade over some thousand steps. */
#include "event/event.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 200 }; /* far more than bisection needs for 64-bit numbers */

static const double RESOLUTION = 2e-14, FADING = 0.999;

bool crossings_new(Crossings *crossings, const Model *model) {
    size_t n = (size_t)model->nz + 1, nx = (size_t)model->nx + 1;
    *crossings = (Crossings){.model = model, .count = model->nz, .fault = fault_none()};
    crossings->left = calloc(n, sizeof(double));
    crossings->right = calloc(n, sizeof(double));
    crossings->trial = calloc(n, sizeof(double));
    crossings->size = calloc(n, sizeof(double));
    crossings->changed = calloc(n, sizeof(int));
    crossings->x = calloc(nx, sizeof(double));
    if (crossings->left && crossings->right && crossings->trial && crossings->size &&
        crossings->changed && crossings->x)
        return true;
    crossings_free(crossings);
    return false;
}

void crossings_free(Crossings *crossings) {
    free(crossings->left);
    free(crossings->right);
    free(crossings->trial);
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
        double distance = RESOLUTION * fmax(crossings->size[i], 1.0);
        z[i] += crossings->left[i] > 0 ? distance : -distance;
    }
    return status;
}

static void note_sizes(Crossings *crossings) {
    Selection all = looked_at(crossings);
    for (int k = 0; k < crossings->count; k++) {
        int i = selection_row(&all, k);
        crossings->size[i] = fmax(fabs(crossings->left[i]), FADING * crossings->size[i]);
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

Status crossings_check(Crossings *crossings, double t, const double *x, bool *found) {
    Selection all = looked_at(crossings);
    crossings->changes = 0;
    *found = false;
    if (!crossings->count) return STATUS_OK;
    Status status = look(crossings, t, x, &all, crossings->right);
    for (int k = 0; status == STATUS_OK && k < crossings->count; k++) {
        int i = selection_row(&all, k);
        if (differs(crossings->left[i], crossings->right[i]))
            crossings->changed[crossings->changes++] = i;
    }
    *found = crossings->changes > 0;
    return status;
}

void crossings_accept(Crossings *crossings) {
    double *swap = crossings->left;
    crossings->left = crossings->right;
    crossings->right = swap;
    note_sizes(crossings);
}

typedef struct Bracket {
    double low, high;
    double width;     /* to be reached                                        */
    int    same_side; /* trials in a row that moved the same end: > 0 low     */
    int    slow;      /* trials since the bracket last halved                 */
    double halved;    /* its width then                                       */
} Bracket;

/* The earliest zero of the lines through the values at both ends. */
static double proposal(const Crossings *crossings, const Bracket *bracket) {
    double best = bracket->high, length = bracket->high - bracket->low;
    /* the value at an end that stays is halved each time */
    double weight_low = bracket->same_side < -1 ? ldexp(1, bracket->same_side + 1) : 1;
    double weight_high = bracket->same_side > 1 ? ldexp(1, 1 - bracket->same_side) : 1;
    for (int k = 0; k < crossings->changes; k++) {
        double a = weight_low * crossings->left[crossings->changed[k]];
        double b = weight_high * crossings->right[crossings->changed[k]];
        if (!differs(a, b)) continue;
        double share = a == b ? 0.5 : a / (a - b);
        double t = bracket->low + share * length;
        if (t < best) best = t;
    }
    return best;
}

static double next_trial(const Crossings *crossings, const Bracket *bracket) {
    if (bracket->slow >= 3) return bracket->low + 0.5 * (bracket->high - bracket->low);
    double t = proposal(crossings, bracket);
    if (t < bracket->low + bracket->width) t = bracket->low + bracket->width;
    if (t > bracket->high - bracket->width) t = bracket->high - bracket->width;
    if (!(t > bracket->low && t < bracket->high))
        t = bracket->low + 0.5 * (bracket->high - bracket->low);
    return t;
}

/* The trial becomes the new end on its side. */
static void take_trial(Crossings *crossings, Bracket *bracket, double t) {
    bool any = false;
    for (int k = 0; k < crossings->changes; k++) {
        int i = crossings->changed[k];
        any |= differs(crossings->left[i], crossings->trial[i]);
    }
    double *end = any ? crossings->right : crossings->left;
    for (int k = 0; k < crossings->changes; k++)
        end[crossings->changed[k]] = crossings->trial[crossings->changed[k]];
    if (any) bracket->high = t;
    else bracket->low = t;
    bracket->same_side = any ? (bracket->same_side < 0 ? bracket->same_side - 1 : -1)
                             : (bracket->same_side > 0 ? bracket->same_side + 1 : 1);
    bracket->slow++;
    if (bracket->high - bracket->low <= 0.5 * bracket->halved) {
        bracket->halved = bracket->high - bracket->low;
        bracket->slow = 0;
    }
}

static void keep_changed(Crossings *crossings) {
    int n = 0;
    for (int k = 0; k < crossings->changes; k++) {
        int i = crossings->changed[k];
        if (differs(crossings->left[i], crossings->right[i])) crossings->changed[n++] = i;
    }
    crossings->changes = n;
}

Status crossings_locate(Crossings *crossings, double from, double to, StateAt *state_at,
                        void *owner, double *when, double *x) {
    double    scale = fmax(fabs(from), fabs(to));
    Bracket   bracket = {.low = from,
                         .high = to,
                         .halved = to - from,
                         .width = fmax(4 * DBL_EPSILON * scale, 1e-14 * (to - from))};
    Selection which = {
        .kind = SELECT_LIST, .count = crossings->changes, .row = crossings->changed};
    for (int trial = 0; trial < TRIALS && bracket.high - bracket.low > bracket.width;
         trial++) {
        double t = next_trial(crossings, &bracket);
        if (!(t > bracket.low && t < bracket.high)) break; /* neighbouring numbers */
        Status status = state_at(owner, t, crossings->x);
        if (status == STATUS_OK)
            status = look(crossings, t, crossings->x, &which, crossings->trial);
        if (status != STATUS_OK) return status;
        take_trial(crossings, &bracket, t);
    }
    keep_changed(crossings);
    *when = bracket.high;
    return state_at(owner, bracket.high, x);
}
