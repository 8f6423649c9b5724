/* SPDX-License-Identifier: Apache-2.0 */
/* beside.c -- another solution near a known one.
 *
 * The known solution k is taken out by deflation: Newton's method on
 *     p(u) r(u) = 0,   p = (L/d)^2 + 1,   d = |u - k| in units of the unknowns,
 * is pushed away from k, and where it converges r(u) = 0 has another solution. Its correction is that of r times one number,
 *     c = 1/(1 - grad p . v / p),   v = -J^-1 r
 * (Farrell, Birkisson, Funke, SIAM J. Sci. Comput. 37, 2015, A2026). Where d is far below L it is pushed on even by another
 * solution, far above L it is drawn back to k by nothing; L is tried from the size of the unknowns downwards. It begins beside k, on both sides in the
 * direction that J feels least, found by inverse iteration: where two branches of solutions are about to cross, that is
 * the way from one to the other.
 *
 * Cost: a Jacobian and its factors for each of some ten steps. */
#include "init/work.h"

#include <math.h>
#include <string.h>

static const double first_distance = 1e-4, longest = 0.25, near = 1e-3;
/* From a solution to points on both sides of a kink that it may be on. */
static const double aside = 2e-9;
/* L, in turn. */
static const double lengths[] = {1, 0.03, 1e-3};
/* Distance of solutions that are not the same, in units of the tolerance. */
static const double apart = 1e3;

enum { STEPS = 25, FINISH = 6, INVERSE = 3 };

int solver_side(const Solver *s) {
    const Shift *shift = s->shift;
    if (s->report->open || s->report->singular >= 0 || shift->kind != SHIFT_DENSE)
        return 0;
    return dense_sign(s->e.n, shift->matrix[s->slot], shift->pivot[s->slot]);
}

/* Between 0 and 1, the same in every run. */
static double irregular(int i) {
    return fmod((i + 1) * 0.6180339887498949, 1.0);
}

/* A little of another direction: a product of two factors may be zero all along the first one, and Newton's method
 * would stay there. */
static double askew(int i) {
    return 0.1 * (irregular(i) - 0.4);
}

bool solver_agrees(Solver *s, const double *u, int side, SolveReport *report) {
    *report = (SolveReport){.moved = -1, .singular = -1, .fault = fault_none()};
    s->report = report;
    s->lambda = 1;
    for (int sense = 1; sense >= -1; sense -= 2) {
        memcpy(s->u, u, sizeof(double) * (size_t)s->e.n);
        for (int i = 0; i < s->e.n; i++)
            s->u[i] += sense * aside * solver_unit(s, i) * (0.5 + irregular(i));
        if (solver_residual(s, s->u, s->r) != STATUS_OK) continue;
        if (solver_linearise(s) == STATUS_OK && solver_side(s) == -side) return false;
    }
    return true;
}

/* The direction that J at s->u feels least, of length 1 in units, into s->step. */
static Status weakest(Solver *s) {
    const int n = s->e.n;
    Status    status = solver_residual(s, s->u, s->r);
    if (status == STATUS_OK) status = solver_linearise(s);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < n; i++) s->step[i] = solver_unit(s, i) * (irregular(i) - 0.4);
    for (int k = 0; k < INVERSE; k++) {
        double size = 0;
        for (int i = 0; i < n; i++) s->r[i] = s->row[i] * s->step[i] / solver_unit(s, i);
        solver_correction(s, s->r, s->step);
        for (int i = 0; i < n; i++)
            size = fmax(size, fabs(s->step[i]) / solver_unit(s, i));
        if (!(size > 0) || !isfinite(size)) return STATUS_SINGULAR;
        for (int i = 0; i < n; i++) s->step[i] /= size;
    }
    return STATUS_OK;
}

/* What v is to be multiplied by, and no more than leads `longest` away. *distance: of s->u from `known`. */
static double stretch(const Solver *s, const double *known, double length,
                      const double *v, double *distance) {
    double square = 0, along = 0, size = 0;
    for (int i = 0; i < s->e.n; i++) {
        double unit = solver_unit(s, i), d = (s->u[i] - known[i]) / unit;
        square += d * d;
        along += d * v[i] / unit;
        size = fmax(size, fabs(v[i]) / unit);
    }
    double p = length * length / square + 1;
    double divisor = 1 + 2 * length * length * along / (square * square * p);
    double c = 1 / divisor;
    *distance = sqrt(square);
    if (!(fabs(c) * size <= longest)) c = copysign(longest / size, divisor);
    return c;
}

/* One deflated step from s->u; *done: Newton's method alone will do from here. */
static Status deflated_step(Solver *s, const double *known, double length, bool *done) {
    double distance;
    Status status = solver_residual(s, s->u, s->r);
    if (status == STATUS_OK) status = solver_linearise(s);
    if (status != STATUS_OK) return status;
    solver_correction(s, s->r, s->step);
    double c = stretch(s, known, length, s->step, &distance);
    if (!isfinite(c)) return STATUS_DIVERGED;
    *done = solver_size(s, s->step, s->u) * s->tolerance <= near * distance;
    solver_move(s, s->u, *done ? 1 : c, s->step, s->u);
    s->report->iterations++;
    return STATUS_OK;
}

static bool is_another(const Solver *s, const double *known) {
    for (int i = 0; i < s->e.n; i++)
        if (fabs(s->u[i] - known[i]) > apart * s->tolerance * solver_unit(s, i))
            return true;
    return false;
}

/* From s->u beside `known`. */
static Status away(Solver *s, const double *known, double length) {
    Status status = STATUS_OK;
    bool   done = false;
    for (int k = 0; k < STEPS && status == STATUS_OK && !done; k++)
        status = deflated_step(s, known, length, &done);
    if (status == STATUS_OK && !done) status = STATUS_DIVERGED;
    if (status == STATUS_OK) status = newton_damped(s, FINISH);
    return status == STATUS_OK && !is_another(s, known) ? STATUS_DIVERGED : status;
}

Status solver_beside(Solver *s, double tolerance, int side, double *u,
                     SolveReport *report) {
    const size_t bytes = sizeof(double) * (size_t)s->e.n;
    double      *known = u, *way = s->quasi; /* no factors are kept meanwhile */
    *report = (SolveReport){.moved = -1, .singular = -1, .fault = fault_none()};
    s->report = report;
    s->tolerance = tolerance;
    s->lambda = 1;
    if (s->e.slots == 0) return STATUS_ABSENT;
    memcpy(s->u, known, bytes);
    Status status = weakest(s);
    if (status != STATUS_OK) return status;
    memcpy(way, s->step, bytes);
    for (int k = 0; k < 2 * LENGTH(lengths); k++) {
        const int sense = k % 2 ? -1 : 1;
        memcpy(s->u, known, bytes);
        for (int i = 0; i < s->e.n; i++)
            s->u[i] += sense * first_distance * (way[i] + askew(i) * solver_unit(s, i));
        status = away(s, known, lengths[k / 2]);
        if (status == STATUS_NO_MEMORY || status == STATUS_FATAL) return status;
        if (status == STATUS_OK && solver_side(s) == side) {
            memcpy(u, s->u, bytes);
            return STATUS_OK;
        }
    }
    return STATUS_DIVERGED;
}
