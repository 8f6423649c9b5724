/* SPDX-License-Identifier: Apache-2.0 */
/* solver.c -- the ladder of methods, and the report that explains a failure. */
#include "init/work.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *rung_name(Rung rung) {
    static const char *const name[] = {
        "Newton's method", "damped Newton",    "homotopy",
        "Newton's curve",  "regularised flow", "pseudo-transient continuation"};
    return name[rung];
}

static double *vector(int n) {
    return calloc((size_t)n + 1, sizeof(double));
}

Solver *solver_new(const Equations *equations) {
    Solver *s = calloc(1, sizeof *s);
    int     n = equations->n;
    if (!s) return NULL;
    s->e = *equations;
    s->own = equations->pattern ? NULL : pattern_full(n);
    s->pattern = equations->pattern ? equations->pattern : s->own;
    s->u = vector(n);
    s->trial = vector(n);
    s->best = vector(n);
    s->r = vector(n);
    s->rt = vector(n);
    s->step = vector(n);
    s->next = vector(n);
    s->row = vector(n);
    int slots = equations->slots > 0 ? equations->slots : 1;
    s->kept = calloc((size_t)slots, sizeof *s->kept);
    s->quasi = vector(equations->slots > 0 ? (QUASI_STEPS + 1) * n : 0);
    if (s->pattern) {
        s->value = vector(pattern_entries(s->pattern));
        s->shift = shift_new(s->pattern, slots, 0, SHIFT_AUTO);
    }
    if (s->kept && s->quasi && s->u && s->trial && s->best && s->r && s->rt && s->step &&
        s->next && s->row && s->value && s->shift &&
        colour_columns(s->pattern, &s->colouring))
        return s;
    solver_free(s);
    return NULL;
}

void solver_free(Solver *s) {
    if (!s) return;
    if (s->shift) shift_free(s->shift);
    if (s->colouring.start) colouring_free(&s->colouring);
    if (s->own) pattern_free(s->own);
    void *block[] = {s->u,     s->trial, s->best,  s->r,      s->rt,          s->step,
                     s->next,  s->row,   s->value, s->square, s->square_copy, s->pivot,
                     s->least, s->kept,  s->quasi, s};
    for (int k = 0; k < LENGTH(block); k++) free(block[k]);
}

static double nominal(const Solver *s, int i) {
    return s->e.nominal && s->e.nominal[i] > 0 ? s->e.nominal[i] : 1;
}

double solver_unit(const Solver *s, int i) {
    return nominal(s, i) + fabs(s->u[i]);
}

double solver_size(const Solver *s, const double *step, const double *u) {
    double largest = 0;
    for (int i = 0; i < s->e.n; i++) {
        double share = fabs(step[i]) / (s->tolerance * (nominal(s, i) + fabs(u[i])));
        if (!(share <= largest)) { /* also if it is not a number */
            largest = share;
            s->report->moved = i;
        }
    }
    return largest;
}

Status solver_residual(Solver *s, const double *u, double *r) {
    Fault  fault = fault_none();
    Status status = s->e.residual(s->e.owner, u, s->lambda, r, &fault);
    s->report->residuals++;
    for (int i = 0; status == STATUS_OK && i < s->e.n; i++) {
        if (isfinite(r[i])) continue;
        fault.row = i;
        status = STATUS_RETRY;
    }
    if (status != STATUS_OK) s->report->fault = fault;
    return status;
}

/* Columns of one colour are moved together; each row then belongs to one of them. */
static Status difference_jacobian(Solver *s) {
    const Pattern *p = s->pattern;
    for (int c = 0; c < s->colouring.colours; c++) {
        const int *column = s->colouring.column + s->colouring.start[c];
        int        columns = s->colouring.start[c + 1] - s->colouring.start[c];
        memcpy(s->trial, s->u, sizeof(double) * (size_t)s->e.n);
        for (int k = 0; k < columns; k++) {
            int    j = column[k];
            double h = sqrt(DBL_EPSILON) * fmax(fabs(s->u[j]), nominal(s, j));
            s->trial[j] = s->u[j] + h;
        }
        Status status = solver_residual(s, s->trial, s->rt);
        if (status == STATUS_RETRY) { /* perhaps the other side can be evaluated */
            for (int k = 0; k < columns; k++)
                s->trial[column[k]] = 2 * s->u[column[k]] - s->trial[column[k]];
            status = solver_residual(s, s->trial, s->rt);
        }
        if (status != STATUS_OK) return status;
        for (int k = 0; k < columns; k++) {
            int j = column[k];
            for (int q = p->start[j]; q < p->start[j + 1]; q++)
                s->value[q] =
                    (s->rt[p->row[q]] - s->r[p->row[q]]) / (s->trial[j] - s->u[j]);
        }
    }
    return STATUS_OK;
}

static void find_row_scales(Solver *s) {
    const Pattern *p = s->pattern;
    memset(s->row, 0, sizeof(double) * (size_t)s->e.n);
    for (int j = 0; j < s->e.n; j++)
        for (int q = p->start[j]; q < p->start[j + 1]; q++) {
            double share = fabs(s->value[q]) * (nominal(s, j) + fabs(s->u[j]));
            if (share > s->row[p->row[q]]) s->row[p->row[q]] = share;
        }
    for (int i = 0; i < s->e.n; i++)
        if (!(s->row[i] > 0)) s->row[i] = 1;
}

Status solver_linearise(Solver *s) {
    Fault  fault = fault_none();
    Status status = STATUS_ABSENT;
    s->kept[s->slot].stamp = 0;
    s->report->jacobians++;
    if (s->e.jacobian) {
        status = s->e.jacobian(s->e.owner, s->u, s->lambda, s->value, &fault);
        if (status != STATUS_OK) s->report->fault = fault;
    }
    if (status == STATUS_ABSENT) status = difference_jacobian(s);
    if (status != STATUS_OK) return status;
    find_row_scales(s);
    s->report->factorizations++;
    status = shift_factor(s->shift, s->slot, s->value, 0); /* -J */
    s->report->singular = status == STATUS_SINGULAR ? s->shift->singular : -1;
    return status;
}

static void explain(Solver *s) {
    SolveReport *report = s->report;
    for (int k = 0; k < REPORT_WORST; k++) report->worst[k] = -1;
    if (solver_residual(s, s->u, s->r) != STATUS_OK) return;
    for (int k = 0; k < REPORT_WORST && k < s->e.n; k++) {
        int worst = -1;
        for (int i = 0; i < s->e.n; i++) {
            bool taken = false;
            for (int l = 0; l < k; l++) taken |= report->worst[l] == i;
            if (taken || s->r[i] == 0) continue;
            if (worst < 0 ||
                fabs(s->r[i]) / s->row[i] > fabs(s->r[worst]) / s->row[worst])
                worst = i;
        }
        report->worst[k] = worst;
        report->residual[k] = worst < 0 ? 0 : s->r[worst];
    }
}

/* Steps of a rung that factorises a dense matrix in each: hundreds of large matrices would be a silent
 * wait. The budget is some seconds of dense factorisations. */
static int affordable(const Solver *s, int most) {
    const double budget = 2e10, n = s->e.n;
    return (int)fmin(most, fmax(10, budget / (n * n * n)));
}

Status solver_damped(Solver *s, double tolerance, double *u, int most,
                     SolveReport *report) {
    *report = (SolveReport){
        .rung = RUNG_DAMPED, .moved = -1, .singular = -1, .fault = fault_none()};
    s->report = report;
    s->tolerance = tolerance;
    s->lambda = 1;
    memcpy(s->u, u, sizeof(double) * (size_t)s->e.n);
    Status status = newton_damped(s, most);
    if (status == STATUS_OK) memcpy(u, s->u, sizeof(double) * (size_t)s->e.n);
    return status;
}

/* The last rung, from u. Where it ends means nothing if it fails: what is told is where the rung before
 * ended. */
static Status try_pseudo(Solver *s, const double *u) {
    size_t  bytes = sizeof(double) * (size_t)s->e.n;
    double *end = malloc(bytes);
    if (!end) return STATUS_NO_MEMORY;
    explain(s);
    Fault fault = s->report->fault;
    int   moved = s->report->moved, singular = s->report->singular;
    memcpy(end, s->u, bytes);
    memcpy(s->u, u, bytes);
    bool   dense = s->shift->kind == SHIFT_DENSE;
    Status status = newton_pseudo(s, dense ? affordable(s, 150) : 150);
    if (status != STATUS_OK) {
        memcpy(s->u, end, bytes);
        s->report->fault = fault;
        s->report->moved = moved;
        s->report->singular = singular;
    }
    free(end);
    return status;
}

Status solver_solve(Solver *s, double tolerance, double *u, SolveReport *report) {
    Status status = STATUS_DIVERGED;
    *report = (SolveReport){.moved = -1, .singular = -1, .fault = fault_none()};
    s->report = report;
    s->tolerance = tolerance;
    for (int rung = 0; rung < RUNG_COUNT && status != STATUS_OK; rung++) {
        if (rung == RUNG_HOMOTOPY && !s->e.homotopy) continue;
        if (rung != RUNG_PSEUDO) memcpy(s->u, u, sizeof(double) * (size_t)s->e.n);
        s->lambda = 1;
        report->rung = (Rung)rung;
        switch ((Rung)rung) {
        case RUNG_NEWTON: status = newton_plain(s, 10); break;
        case RUNG_DAMPED: status = newton_damped(s, 60); break;
        case RUNG_HOMOTOPY: status = newton_homotopy(s); break;
        case RUNG_CURVE: status = newton_curve(s, affordable(s, 300)); break;
        case RUNG_FLOW: status = newton_flow(s, affordable(s, 200)); break;
        case RUNG_PSEUDO: status = try_pseudo(s, u); break;
        case RUNG_COUNT: break;
        }
        if (status == STATUS_FATAL || status == STATUS_NO_MEMORY) break;
    }
    if (status == STATUS_OK) memcpy(u, s->u, sizeof(double) * (size_t)s->e.n);
    else if (report->rung != RUNG_PSEUDO) explain(s);
    return status;
}

Status solver_direction(Solver *s, const double *u, const double *r, double *step,
                        SolveReport *report) {
    *report = (SolveReport){.moved = -1, .singular = -1, .fault = fault_none()};
    s->report = report;
    s->lambda = 1;
    memcpy(s->u, u, sizeof(double) * (size_t)s->e.n);
    Status status = solver_residual(s, s->u, s->r);
    if (status == STATUS_OK) status = solver_linearise(s);
    if (status != STATUS_OK) return status;
    memcpy(step, r, sizeof(double) * (size_t)s->e.n);
    shift_solve(s->shift, s->slot, step);
    return STATUS_OK;
}

void solver_forget(Solver *s) {
    shift_forget(s->shift);
    for (int k = 0; k < s->shift->real_slots; k++) s->kept[k].stamp = 0;
}

void solver_turn(Solver *s, int row, long stamp, const double *nominal) {
    s->e.nominal = nominal;
    s->turn = (Kept){row, s->e.slots > 0 ? stamp : 0, 0};
    s->slot = row % s->shift->real_slots;
}

const double *solver_point(const Solver *s) {
    return s->u;
}
