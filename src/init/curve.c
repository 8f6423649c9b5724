/* SPDX-License-Identifier: Apache-2.0 */
/* curve.c -- the curve r(u) = mu r(u0) down to mu = 0, followed by its arc length.
 *
 * Where Newton's method goes round in circles, as at a trigger whose old state has just ceased to
 * exist, the way to a solution may lead through larger residuals: mu turns back, and forth again.
 * With the unknowns w = (u, mu) the curve has a tangent where J alone is singular,
 *     [J  -r(u0)] t = 0,
 * and it is followed by a step along t and a return to the curve across it (Allgower and Georg,
 * Numerical Continuation Methods, 1990, chapters 2 and 6). Its direction is the one that keeps
 * the sign of det [J -r(u0); t'], also over kinks. Unknowns are measured in nominal values, rows
 * by the scales of the Jacobian; r(u0) is divided by its size, with which mu then begins, because
 * it may be tiny beside the residuals on the way. Dense, (n + 1)^3 for each point. */
#include "init/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 400, CORRECTIONS = 8, RUNAWAY = 100000 };

typedef struct Curve {
    Solver *s;
    int     n;     /* unknowns; w has one more */
    double *start; /* n: u0 */
    double *unit;  /* n: what a length of 1 means */
    double *first; /* n: r(u0) divided by its size */
    double *w;     /* n + 1: the point */
    double *t;     /* n + 1: direction */
    double *guess; /* n + 1 */
    double *right; /* n + 1 */
    double *a;     /* (n + 1) x (n + 1), by columns */
    int    *pivot;
    bool    falling; /* mu at the beginning */
    double  sense;   /* sign of the determinant to be kept, 0 at the beginning */
} Curve;

static bool curve_open(Curve *c, Solver *s) {
    size_t n = (size_t)s->e.n, m = n + 1;
    *c = (Curve){.s = s, .n = s->e.n};
    c->start = calloc(3 * n + 4 * m + m * m, sizeof(double));
    c->pivot = malloc(m * sizeof(int));
    if (!c->start || !c->pivot) return false;
    double *rest = CUT(c->start + n, n, &c->unit, &c->first);
    c->a = CUT(rest, m, &c->w, &c->t, &c->guess, &c->right);
    return true;
}

static void curve_close(Curve *c) {
    free(c->start);
    free(c->pivot);
}

/* J, its scales and r at w; s->r becomes the scaled distance from the curve. */
static Status linearise(Curve *c, const double *w) {
    Solver *s = c->s;
    for (int i = 0; i < c->n; i++) s->u[i] = w[i] * c->unit[i];
    Status status = solver_residual(s, s->u, s->r);
    if (status == STATUS_OK) status = solver_linearise(s);
    return status == STATUS_SINGULAR ? STATUS_OK : status;
}

/* Factors [J -r(u0); last']; the sign of the determinant, 0 if it is singular. */
static int factor_with(Curve *c, const double *last) {
    const Solver  *s = c->s;
    const Pattern *p = s->pattern;
    int            n = c->n, m = n + 1;
    memset(c->a, 0, sizeof(double) * (size_t)m * (size_t)m);
    for (int j = 0; j < n; j++)
        for (int q = p->start[j]; q < p->start[j + 1]; q++)
            c->a[j * m + p->row[q]] = s->value[q] * c->unit[j] / s->row[p->row[q]];
    for (int i = 0; i < n; i++) c->a[n * m + i] = -c->first[i] / s->row[i];
    for (int j = 0; j < m; j++) c->a[j * m + n] = last[j];
    if (dense_factor(m, c->a, c->pivot) != 0) return 0;
    return dense_sign(m, c->a, c->pivot);
}

/* c->t = direction of the curve at the point of the last linearisation. */
static bool find_direction(Curve *c) {
    int    n = c->n, sign = factor_with(c, c->t);
    double length = 0;
    if (sign == 0) return false;
    memset(c->right, 0, sizeof(double) * (size_t)n);
    c->right[n] = 1;
    dense_solve(n + 1, c->a, c->pivot, c->right);
    for (int j = 0; j <= n; j++) length += c->right[j] * c->right[j];
    length = sqrt(length);
    if (!isfinite(length)) return false;
    if (c->sense == 0) c->sense = (c->right[n] < 0) == c->falling ? sign : -sign;
    for (int j = 0; j <= n; j++) c->t[j] = c->sense * sign * c->right[j] / length;
    return true;
}

/* From c->guess to the curve, across the direction. *effort: corrections it took. */
static bool come_back(Curve *c, int *effort) {
    Solver *s = c->s;
    int     n = c->n;
    double  before = HUGE_VAL;
    for (int k = 0; k < CORRECTIONS; k++) {
        double size = 0;
        if (linearise(c, c->guess) != STATUS_OK || !factor_with(c, c->t)) return false;
        for (int i = 0; i < n; i++)
            c->right[i] = -(s->r[i] - c->guess[n] * c->first[i]) / s->row[i];
        c->right[n] = 0;
        dense_solve(n + 1, c->a, c->pivot, c->right);
        for (int j = 0; j <= n; j++) {
            c->guess[j] += c->right[j];
            size = fmax(size, fabs(c->right[j]) / (1 + fabs(c->guess[j])));
        }
        s->report->iterations++;
        *effort = k + 1;
        if (!isfinite(size) || (k > 2 && size > before)) return false;
        if (size < 1e-6) return true;
        before = size;
    }
    return false;
}

/* The curve has passed mu = 0 between w and guess: Newton's method from between them. */
static Status land(Curve *c) {
    Solver *s = c->s;
    double  share = c->w[c->n] / (c->w[c->n] - c->guess[c->n]);
    for (int i = 0; i < c->n; i++)
        s->u[i] = (c->w[i] + share * (c->guess[i] - c->w[i])) * c->unit[i];
    return newton_damped(s, 30);
}

static Status follow(Curve *c, int most) {
    int    n = c->n, effort = 0;
    double h = 0.1;
    for (int k = 0; k < most; k++) {
        if (linearise(c, c->w) != STATUS_OK || !find_direction(c)) return STATUS_DIVERGED;
        for (;; h *= 0.25) {
            if (h < 1e-9) return STATUS_DIVERGED;
            for (int j = 0; j <= n; j++) c->guess[j] = c->w[j] + h * c->t[j];
            if (come_back(c, &effort)) break;
        }
        if (c->guess[n] <= 0 && land(c) == STATUS_OK) return STATUS_OK;
        memcpy(c->w, c->guess, sizeof(double) * ((size_t)n + 1));
        h *= effort <= 3 ? 2 : effort <= 5 ? 1 : 0.5;
        if (h > RUNAWAY) return STATUS_DIVERGED; /* off to infinity */
    }
    return STATUS_DIVERGED;
}

/* The point at the beginning. */
static Status begin(Curve *c, const double *u) {
    Solver *s = c->s;
    double  size = 0;
    memcpy(s->u, u, sizeof(double) * (size_t)c->n);
    for (int i = 0; i < c->n; i++) {
        c->unit[i] = solver_unit(s, i);
        c->w[i] = u[i] / c->unit[i];
        c->t[i] = 0;
    }
    Status status = linearise(c, c->w);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < c->n; i++) size = fmax(size, fabs(s->r[i]) / s->row[i]);
    if (!(size > 0) || !isfinite(size)) return STATUS_DIVERGED;
    for (int i = 0; i < c->n; i++) c->first[i] = s->r[i] / size;
    c->w[c->n] = size;
    c->t[c->n] = 1;
    c->sense = 0;
    return STATUS_OK;
}

/* The curve has two ends; the one towards smaller residuals is tried first. */
Status newton_curve(Solver *s, int most) {
    Curve  c;
    size_t bytes = sizeof(double) * (size_t)s->e.n;
    Status status = STATUS_NO_MEMORY;
    if (s->e.n > LARGEST) return STATUS_DIVERGED;
    if (curve_open(&c, s)) {
        memcpy(c.start, s->u, bytes);
        for (int end = 0; end < 2 && status != STATUS_OK; end++) {
            c.falling = end == 0;
            status = begin(&c, c.start);
            if (status == STATUS_OK) status = follow(&c, most);
        }
    }
    curve_close(&c);
    return status;
}
