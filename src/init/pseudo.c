/* SPDX-License-Identifier: Apache-2.0 */
/* pseudo.c -- pseudo-transient continuation: the last rung of the ladder.
 *
 * The equations become a process in pseudo time, M du/ds = -r(u), which is followed to its rest by
 * linearly implicit Euler steps
 *     (M/tau + J) d = -r(u)
 * whose length tau grows as it comes to rest (switched evolution relaxation: Mulder and van Leer 1985;
 * Kelley and Keyes, SIAM J. Numer. Anal. 35, 1998). Nothing is said about how residuals fall on the
 * way, so it passes places where a descent ends. It is the same way of thinking as for infinitely fast
 * processes (live/fast.c), but there the model says how its states move; here a motion is made up: M
 * has one entry in each row and column, chosen where the scaled Jacobian at the start is largest, with
 * its sign, so that each unknown is drawn towards the solution of its own equation. Signs stay: the
 * process cannot rest where one of these slopes has turned round.
 *
 * Steps are accepted as in live/fast.c by what the same matrix corrects at their end. One sparse
 * factorisation for each step. */
#include "init/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shortest = 1e-9; /* tau with which nothing moves any more */

typedef struct Pseudo {
    Solver *s;
    int     n;
    int    *row,
        *entry; /* by unknown: where M is not zero, and its place in the pattern; -1 none */
    double *mass;  /* by unknown */
    double *scale; /* by equation, at the start: on a plateau slopes alone say nothing */
    double *kept;  /* n: a point */
} Pseudo;

typedef struct Slope {
    int    row, column, entry;
    double size; /* of the scaled entry */
} Slope;

static int steepest_first(const void *a, const void *b) {
    const Slope *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* s->value and s->row are those of the start. False: no memory. */
static bool choose_masses(Pseudo *p) {
    Solver        *s = p->s;
    const Pattern *j = s->pattern;
    int            count = pattern_entries(j);
    Slope         *slope = malloc(sizeof *slope * ((size_t)count + 1));
    bool          *used = calloc((size_t)p->n + 1, sizeof *used);
    if (!slope || !used) {
        free(slope);
        free(used);
        return false;
    }
    for (int c = 0; c < p->n; c++) {
        p->row[c] = -1;
        for (int e = j->start[c]; e < j->start[c + 1]; e++)
            slope[e] = (Slope){j->row[e], c, e,
                               fabs(s->value[e]) * solver_unit(s, c) / s->row[j->row[e]]};
    }
    qsort(slope, (size_t)count, sizeof *slope, steepest_first);
    for (int k = 0; k < count && slope[k].size > 0; k++) {
        const Slope *one = &slope[k];
        if (used[one->row] || p->row[one->column] >= 0) continue;
        used[one->row] = true;
        p->row[one->column] = one->row;
        p->entry[one->column] = one->entry;
        p->mass[one->column] = copysign(p->scale[one->row] / solver_unit(s, one->column),
                                        s->value[one->entry]);
    }
    free(slope);
    free(used);
    return true;
}

static double residual_size(const Pseudo *p, const double *r) {
    double most = 0;
    for (int i = 0; i < p->n; i++) most = fmax(most, fabs(r[i]) / p->scale[i]);
    return most;
}

/* One step of length tau from s->u, where the residual is s->r: taken, or s->u stays. *moved: how far, in
 * magnitudes of the unknowns. */
static bool step(Pseudo *p, double tau, double *moved) {
    Solver *s = p->s;
    Status  status = solver_linearise(s);
    if (status != STATUS_OK && status != STATUS_SINGULAR) return false;
    for (int c = 0; c < p->n; c++)
        if (p->row[c] >= 0) s->value[p->entry[c]] += p->mass[c] / tau;
    s->report->factorizations++;
    s->kept[s->slot].stamp = 0;
    if (shift_factor(s->shift, s->slot, s->value, 0) != STATUS_OK) return false;
    memcpy(s->step, s->r, sizeof(double) * (size_t)p->n);
    shift_solve(s->shift, s->slot, s->step);
    for (int i = 0; i < p->n; i++) s->trial[i] = s->u[i] + s->step[i];
    if (solver_residual(s, s->trial, s->rt) != STATUS_OK) return false;
    memcpy(s->next, s->rt, sizeof(double) * (size_t)p->n);
    for (int c = 0; c < p->n; c++)
        if (p->row[c] >= 0) s->next[p->row[c]] += p->mass[c] / tau * s->step[c];
    shift_solve(s->shift, s->slot, s->next);
    s->report->iterations++;
    double size = solver_size(s, s->step, s->u), left = solver_size(s, s->next, s->u);
    if (!(left <= 0.5 * size) && size > 1) return false;
    memcpy(s->u, s->trial, sizeof(double) * (size_t)p->n);
    memcpy(s->r, s->rt, sizeof(double) * (size_t)p->n);
    *moved = size * s->tolerance;
    return true;
}

/* Newton's method for the last digits; else the point is the old one. */
static Status polish(Pseudo *p) {
    Solver *s = p->s;
    size_t  bytes = sizeof(double) * (size_t)p->n;
    memcpy(p->kept, s->u, bytes);
    Status status = newton_damped(s, 20);
    if (status == STATUS_OK) return status;
    memcpy(s->u, p->kept, bytes);
    return solver_residual(s, s->u, s->r) == STATUS_OK ? STATUS_DIVERGED : STATUS_RETRY;
}

static Status follow(Pseudo *p, int most) {
    Solver *s = p->s;
    Status  status = solver_residual(s, s->u, s->r);
    if (status == STATUS_OK) status = solver_linearise(s);
    if (status != STATUS_OK && status != STATUS_SINGULAR) return status;
    for (int i = 0; i < p->n; i++) p->scale[i] = fmax(s->row[i], fabs(s->r[i]));
    if (!choose_masses(p)) return STATUS_NO_MEMORY;
    double size = residual_size(p, s->r), tau = fmin(1, 0.1 / fmax(size, 1e-3));
    for (int k = 0; k < most; k++) {
        double moved, before = size;
        if (!step(p, tau, &moved)) {
            if ((tau *= 0.1) < shortest) return STATUS_DIVERGED;
            continue;
        }
        size = residual_size(p, s->r);
        double faster = size > 0 ? before / size : 10;
        tau *= fmin(10, fmax(faster, moved < 0.2 ? 2 : 0.5));
        if (moved > 0.03) continue;
        status = polish(p);
        if (status != STATUS_DIVERGED) return status;
    }
    return STATUS_DIVERGED;
}

Status newton_pseudo(Solver *s, int most) {
    size_t n = (size_t)s->e.n;
    Pseudo p = {.s = s,
                .n = s->e.n,
                .row = malloc(sizeof(int) * (2 * n + 1)),
                .mass = malloc(sizeof(double) * (3 * n + 1))};
    p.entry = p.row ? p.row + n : NULL;
    p.kept = p.mass ? p.mass + n : NULL;
    p.scale = p.mass ? p.kept + n : NULL;
    Status status = p.row && p.mass ? follow(&p, most) : STATUS_NO_MEMORY;
    free(p.row);
    free(p.mass);
    return status;
}
