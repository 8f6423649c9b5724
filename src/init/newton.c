/* SPDX-License-Identifier: Apache-2.0 */
/* newton.c -- Newton's method, damped; homotopy; the regularised flow.
 *
 * Damping follows the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear
 * Problems, 2004, section 3.3): a step u + s d is good if the correction that the old
 * Jacobian computes at the new point is shorter than the old one,
 *     |J(u)^-1 r(u + s d)| <= (1 - s/4) |d|,
 * which does not depend on how the equations are scaled. The factor s of the next step is
 * predicted from how nonlinear this one turned out.
 *
 * The flow follows du/dt = -(J'J + mu I)^-1 J'r (Levenberg 1944, Marquardt 1963) with scaled
 * rows and unknowns. It moves where J is singular and ends in a least residual; it counts as
 * solved only if Newton's method then converges. */
#include "init/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_MOST = 400 }; /* unknowns of a system that may be singular */

void solver_correction(Solver *s, const double *r, double *d) {
    memcpy(d, r, sizeof(double) * (size_t)s->e.n);
    shift_solve(s->shift, s->slot, d); /* the factors are those of -J */
}

void solver_move(const Solver *s, const double *from, double factor, const double *d,
                 double *to) {
    for (int i = 0; i < s->e.n; i++) to[i] = from[i] + factor * d[i];
}

static bool flow_room(Solver *s) {
    size_t n = (size_t)s->e.n;
    if (!s->square) s->square = malloc(sizeof(double) * n * n + 8);
    if (!s->square_copy) s->square_copy = malloc(sizeof(double) * n * n + 8);
    if (!s->pivot) s->pivot = malloc(sizeof(int) * n + 8);
    if (!s->least) s->least = malloc(sizeof(double) * dense_least_room(s->e.n));
    return s->square && s->square_copy && s->pivot && s->least;
}

/* May the Jacobian leave a direction open? *threshold: what then counts as none. */
static bool is_open(const Solver *s, Status status, double *threshold) {
    *threshold = status == STATUS_SINGULAR ? 1e-11 : 1e-13;
    if (s->e.n > OPEN_MOST) return false;
    return status == STATUS_SINGULAR ||
           (status == STATUS_OK && s->shift->kind == SHIFT_DENSE &&
            dense_doubtful(s->e.n, s->shift->matrix[s->slot]));
}

/* The shortest of the corrections that solve the linearised equations, rows and unknowns scaled:
 * two brakes that hold one shaft leave open what each of them bears, and that stays as it was.
 * Result: what is left of the equations. */
static Status open_correction(Solver *s, double threshold, double *d, double *left) {
    const Pattern *p = s->pattern;
    int            n = s->e.n;
    if (!flow_room(s)) return STATUS_NO_MEMORY;
    memset(s->square, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int j = 0; j < n; j++)
        for (int q = p->start[j]; q < p->start[j + 1]; q++)
            s->square[j * n + p->row[q]] =
                s->value[q] * solver_unit(s, j) / s->row[p->row[q]];
    for (int i = 0; i < n; i++) d[i] = -s->r[i] / s->row[i];
    *left = dense_least_squares_in(n, s->square, d, threshold, s->least, s->pivot);
    for (int i = 0; i < n; i++) d[i] *= solver_unit(s, i);
    return STATUS_OK;
}

/* With the factors of the last solution, if they were kept. */
static Status from_kept(Solver *s, bool *done) {
    const Kept *k = &s->kept[s->slot];
    if (s->turn.stamp == 0 || k->stamp != s->turn.stamp || k->row != s->turn.row)
        return STATUS_OK;
    solver_correction(s, s->r, s->step);
    return newton_quasi(s, false, done);
}

/* One step with the Jacobian at s->u, and more with the same factors if they may be kept. *size: of the
 * correction, on entry that of the step before. */
static Status newton_step(Solver *s, double *size, bool *done) {
    double before = *size, threshold, left = 0;
    Status status = solver_linearise(s);
    bool   open = is_open(s, status, &threshold);
    if (status != STATUS_OK && !open) return status;
    if (open && open_correction(s, threshold, s->step, &left) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (!open) solver_correction(s, s->r, s->step);
    *size = s->report->correction = solver_size(s, s->step, s->u);
    s->report->iterations++;
    if (!isfinite(*size) || *size > 2 * before) return STATUS_DIVERGED;
    if (open && *size <= 1 && !(left <= 10 * s->tolerance)) return STATUS_SINGULAR;
    s->report->open = open;
    if (!open) s->kept[s->slot] = s->turn;
    if (!open && *size <= solver_rest) { /* rounding would move it back and forth */
        *done = true;
        return solver_residual(s, s->u,
                               s->r); /* the matrix may have been made beside it */
    }
    if (!open && *size > 1 && s->e.slots > 0) return newton_quasi(s, true, done);
    solver_move(s, s->u, 1, s->step, s->u);
    *done = *size <= 1;
    return solver_residual(s, s->u, s->r);
}

Status newton_plain(Solver *s, int most) {
    double size = HUGE_VAL;
    bool   done = false;
    Status status = solver_residual(s, s->u, s->r);
    if (status == STATUS_OK) status = from_kept(s, &done);
    for (int k = 0; k < most && status == STATUS_OK && !done; k++)
        status = newton_step(s, &size, &done);
    if (status == STATUS_OK && done) return STATUS_OK;
    s->kept[s->slot].stamp = 0;
    return status == STATUS_OK ? STATUS_DIVERGED : status;
}

/* One damped step from s->u; *factor is tried first and then adapted. *next: size of the correction at its
 * end with the old Jacobian, in s->next. */
static Status damped_step(Solver *s, double size, double *factor, double *next) {
    for (double f = *factor; f > 1e-8;) {
        solver_move(s, s->u, f, s->step, s->trial);
        Status status = solver_residual(s, s->trial, s->rt);
        if (status == STATUS_FATAL) return status;
        if (status == STATUS_OK) {
            solver_correction(s, s->rt, s->next);
            *next = solver_size(s, s->next, s->u);
            /* |next - (1 - f) step| measures the nonlinearity met on the way */
            for (int i = 0; i < s->e.n; i++)
                s->best[i] = s->next[i] - (1 - f) * s->step[i];
            double bent = solver_size(s, s->best, s->u);
            double proposal = bent > 0 ? fmin(1, f * f * size / (2 * bent)) : 1;
            if (*next <= (1 - f / 4) * size) {
                memcpy(s->u, s->trial, sizeof(double) * (size_t)s->e.n);
                /* in front of a kink nothing bends, but a long step would fail again */
                *factor = fmin(fmin(1, 10 * f), fmax(proposal, f));
                return STATUS_OK;
            }
            f = fmin(0.5 * f, isfinite(proposal) ? proposal : 0.5 * f);
        } else {
            f *= 0.5;
        }
    }
    return STATUS_DIVERGED;
}

Status newton_damped(Solver *s, int most) {
    double factor = 1;
    for (int k = 0; k < most; k++) {
        Status status = solver_residual(s, s->u, s->r);
        if (status == STATUS_OK) status = solver_linearise(s);
        if (status != STATUS_OK) return status;
        solver_correction(s, s->r, s->step);
        double size = s->report->correction = solver_size(s, s->step, s->u);
        s->report->iterations++;
        if (!isfinite(size)) return STATUS_DIVERGED;
        if (size <= 1) {
            solver_move(s, s->u, 1, s->step, s->u);
            return solver_residual(s, s->u, s->r);
        }
        double next = HUGE_VAL;
        status = damped_step(s, size, &factor, &next);
        if (status != STATUS_OK) return status;
        if (next <= fmin(1, 0.01 * size)) { /* it contracts: this one is the last */
            solver_move(s, s->u, 1, s->next, s->u);
            return solver_residual(s, s->u, s->r);
        }
    }
    return STATUS_DIVERGED;
}

/* Lambda from 0 to 1 in steps that grow with success; each point starts from the line
 * through the two solutions before it. */
Status newton_homotopy(Solver *s) {
    size_t  bytes = sizeof(double) * (size_t)s->e.n;
    double *now = malloc(bytes), *before = malloc(bytes);
    double  at = 0, last = 0, h = 0.1;
    s->lambda = s->report->lambda = 0;
    Status status = now && before ? newton_damped(s, 60) : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        memcpy(now, s->u, bytes);
        memcpy(before, s->u, bytes);
    }
    while (status == STATUS_OK && at < 1) {
        s->lambda = fmin(1, at + h);
        double ahead = at > last ? (s->lambda - at) / (at - last) : 0;
        for (int i = 0; i < s->e.n; i++) s->u[i] = now[i] + ahead * (now[i] - before[i]);
        Status tried = newton_damped(s, 20);
        if (tried == STATUS_OK) {
            memcpy(before, now, bytes);
            memcpy(now, s->u, bytes);
            last = at;
            at = s->report->lambda = s->lambda;
            h = fmin(0.5, 2 * h);
        } else if ((h *= 0.25) < 1e-6 || tried == STATUS_NO_MEMORY) {
            memcpy(s->u, now, bytes);
            status = tried;
        }
    }
    free(now);
    free(before);
    return status;
}

/* ---- the flow ---- */

static double least_squares(const Solver *s, const double *r) {
    double sum = 0;
    for (int i = 0; i < s->e.n; i++) sum += (r[i] / s->row[i]) * (r[i] / s->row[i]);
    return sum;
}

/* square = B'B and step = -B'r with the scaled Jacobian B. */
static void normal_equations(Solver *s) {
    const Pattern *p = s->pattern;
    int            n = s->e.n;
    memset(s->square, 0, sizeof(double) * (size_t)n * (size_t)n);
    memset(s->next, 0, sizeof(double) * (size_t)n);
    for (int j = 0; j < n; j++) {
        s->step[j] = 0;
        for (int q = p->start[j]; q < p->start[j + 1]; q++) {
            int i = p->row[q];
            s->next[i] = s->value[q] * solver_unit(s, j) / s->row[i]; /* column j of B */
            s->step[j] -= s->next[i] * s->r[i] / s->row[i];
        }
        for (int k = 0; k <= j; k++) {
            double sum = 0;
            for (int q = p->start[k]; q < p->start[k + 1]; q++)
                sum += s->next[p->row[q]] * s->value[q] * solver_unit(s, k) /
                       s->row[p->row[q]];
            s->square[j * n + k] = s->square[k * n + j] = sum;
        }
        for (int q = p->start[j]; q < p->start[j + 1]; q++) s->next[p->row[q]] = 0;
    }
}

/* One step with weight mu; true if the residual became smaller. */
static bool flow_step(Solver *s, double mu, double *now) {
    int n = s->e.n;
    memcpy(s->square_copy, s->square, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) s->square_copy[i * n + i] += mu;
    memcpy(s->next, s->step, sizeof(double) * (size_t)n);
    if (dense_factor(n, s->square_copy, s->pivot) != 0) return false;
    dense_solve(n, s->square_copy, s->pivot, s->next);
    for (int i = 0; i < n; i++) s->trial[i] = s->u[i] + solver_unit(s, i) * s->next[i];
    if (solver_residual(s, s->trial, s->rt) != STATUS_OK) return false;
    double then = least_squares(s, s->rt);
    if (!(then < *now)) return false;
    memcpy(s->u, s->trial, sizeof(double) * (size_t)n);
    memcpy(s->r, s->rt, sizeof(double) * (size_t)n);
    *now = then;
    return true;
}

/* Start values are often all equal or all zero, where residuals can be stationary in some
 * direction. A small irregular shift, the same in every run, leads away. */
static void leave_symmetry(Solver *s) {
    for (int i = 0; i < s->e.n; i++) {
        double irregular = fmod((i + 1) * 0.6180339887498949, 1.0); /* golden section */
        s->u[i] += 1e-2 * (0.5 + irregular) * solver_unit(s, i);
    }
}

/* Down to `enough`, or to where it no longer falls. *now: the residual reached. */
static Status flow_down(Solver *s, int most, double enough, double *mu, double *now) {
    for (int k = 0; k < most; k++) {
        Status status = solver_linearise(s);
        if (status != STATUS_OK && status != STATUS_SINGULAR) return status;
        double before = *now = least_squares(s, s->r);
        if (*now <= enough) break;
        normal_equations(s);
        s->report->iterations++;
        bool better = false;
        for (; !better && *mu < 1e12; *mu *= better ? 0.2 : 8)
            better = flow_step(s, *mu, now);
        if (!better || *now > 0.999 * before) break;
    }
    return STATUS_OK;
}

/* Where the Jacobian is singular at the solution itself, as for two brakes that hold one shaft, the
 * flow must do without Newton's method: it ends at the solution next to where it came from. */
Status newton_flow(Solver *s, int most) {
    double mu = 1e-2, now = HUGE_VAL, end = s->tolerance * s->tolerance;
    if (!flow_room(s)) return STATUS_NO_MEMORY;
    leave_symmetry(s);
    Status status = solver_residual(s, s->u, s->r);
    if (status == STATUS_OK) status = flow_down(s, most, 1e-6, &mu, &now);
    if (status != STATUS_OK) return status;
    double *reached = s->square_copy; /* free between steps of the flow */
    memcpy(reached, s->u, sizeof(double) * (size_t)s->e.n);
    status = newton_damped(s, 60);
    if (status == STATUS_OK || now > 1e-6) return status;
    memcpy(s->u, reached, sizeof(double) * (size_t)s->e.n);
    status = solver_residual(s, s->u, s->r);
    if (status == STATUS_OK) status = flow_down(s, most, end, &mu, &now);
    if (status != STATUS_OK) return status;
    if (now > end) return STATUS_SINGULAR;
    return solver_residual(s, s->u, s->r);
}
