/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c -- solution of a torn block: z with r(z) = 0.
 *
 * A linear block is r(z) = A z + b. A comes from generated derivatives (matrix.c), and its factors
 * are kept as long as it stays the same; a step of iterative refinement follows the solution. It
 * starts from zero, not from the last solution: results must not depend on what was evaluated
 * before. Where its matrix lasts and r(0) is that of the last solution, bit by bit, so is the solution.
 * Without derivatives the columns of A are r(e_k) - r(0), exact up to rounding. A nonlinear
 * block starts from the last solution and takes the ladder of init.h. Where parts of the model are
 * evaluated, perhaps on several threads, that is the last solution of the whole: a part has no
 * memory of its own. */
#include "live/loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Corrections relative to the unknowns: near what differenced Jacobians can resolve. */
static const double newton_tolerance = 1e-10;
/* Between a solution and the last one that is known to be good, in units of the unknown. */
static const double far_away = 0.5;
/* Of an Integer that was found by numbers from a whole one: rounding. */
static const double whole = 1e-8;
/* Corrections of linear blocks that are rounding, and those of residuals that are noise. */
static const double linear_tolerance = 1e-13, linear_noise = 1e-3;
/* Directions that a scaled matrix is taken not to feel: of one that is singular, and of one that
 * only rounding may keep from it. */
static const double singular = 1e-11, doubtful = 1e-13;

/* ---- the blocks of a part ---------------------------------------------------------------------- */

static void find_nominals(Loop *l) {
    const Variables *all = &l->running->instance->program->variables;
    for (int row = 0; row < l->group->count; row++)
        for (int k = 0; k < l->n; k++)
            l->nominal[row * l->n + k] = variables_nominal(
                all, part_iteration(l->running->part, l->group, row, k));
}

static bool is_integer(const Loop *l, int row, int k) {
    const Variables *all = &l->running->instance->program->variables;
    int              var = part_iteration(l->running->part, l->group, row, k);
    return all->run[variables_run(all, var)].type == TYPE_INTEGER;
}

bool loop_residual(Loop *l, const double *z, double *r) {
    l->residual(l->c, l->row, l->fast ? fast_place(l, z) : z, r);
    memcpy(l->at, z, (size_t)l->n * sizeof *z);
    l->placed = true;
    if (l->c->failed) { /* a function has no value here; another point may do */
        l->c->failed = 0;
        return false;
    }
    for (int i = 0; i < l->n; i++)
        if (!isfinite(r[i])) return false;
    return true;
}

bool loop_derivatives(Loop *l, const double *z, double *value) {
    bool here = l->placed && memcmp(l->at, z, (size_t)l->n * sizeof *z) == 0;
    return (here || loop_residual(l, z, l->r)) &&
           matrix_fill(l->running, l->number, l->row, l->fast ? fast_slopes(l) : NULL,
                       value);
}

/* Room for a dense matrix: only blocks without derivatives and singular ones need it. */
static bool make_matrix(Loop *l) {
    size_t n = (size_t)l->n;
    if (!l->matrix && n < SIZE_MAX / sizeof(double) / n)
        l->matrix = mem_take(n * n, sizeof(double));
    return l->matrix != NULL;
}

/* Columns of a matrix of which the residual is a linear function, at z, where it is r. */
static bool columns(Loop *l, double *z, const double *r, double *matrix) {
    if (!matrix_pattern(l->running, l->number) && loop_derivatives(l, z, matrix))
        return true;
    for (int k = 0; k < l->n; k++) {
        double old = z[k];
        z[k] = old + 1;
        bool fine = loop_residual(l, z, l->trial);
        z[k] = old;
        if (!fine) return false;
        for (int i = 0; i < l->n; i++) matrix[k * l->n + i] = l->trial[i] - r[i];
    }
    return true;
}

static Status newton_jacobian(void *owner, const double *z, double lambda, double *value,
                              Fault *fault) {
    Loop *l = owner;
    (void)lambda;
    (void)fault;
    if (loop_derivatives(l, z, value))
        return !l->fast || fast_passes(l, value) ? STATUS_OK : STATUS_RETRY;
    if (!l->group->piecewise || matrix_pattern(l->running, l->number))
        return STATUS_ABSENT;
    memcpy(l->step, z, (size_t)l->n * sizeof *z);
    if (!loop_residual(l, z, l->r) || !columns(l, l->step, l->r, value))
        return STATUS_RETRY;
    return STATUS_OK;
}

static Status newton_residual(void *owner, const double *z, double lambda, double *r,
                              Fault *fault) {
    (void)lambda; /* belongs to the whole system, not to one of its blocks */
    (void)fault;
    const Loop *l = owner;
    if (loop_residual(owner, z, r)) return STATUS_OK;
    return l->running->instance->externals.lacking.length ? STATUS_FATAL : STATUS_RETRY;
}

static void loop_free(Loop *l) {
    if (!l) return;
    bool twin = l->running->instance->original != NULL;
    fast_close(l);
    approach_close(l);
    branch_close(l);
    solver_free(l->solver);
    if (!twin) MEM_FREE(l->anchor, l->open);
    MEM_FREE(l->z, l->matrix, l->pivot, l->given, l->openings, l);
}

/* What the equations leave open is the same for all twins: parts of a model only look at it. */
static bool loop_memory(Loop *l) {
    const Instance *original = l->running->instance->original;
    size_t          count = (size_t)l->group->count;
    if (original) {
        l->open = original->run.blocks.loop[l->number]->open;
        l->anchor = original->run.blocks.loop[l->number]->anchor;
    } else {
        l->open = mem_take(count, sizeof(bool));
        l->anchor = mem_take(count * (size_t)l->n, sizeof(double));
        for (size_t i = 0; l->anchor && i < count * (size_t)l->n; i++) l->anchor[i] = NAN;
    }
    return l->open && l->anchor;
}

static bool open_solved(Loop *l) {
    size_t numbers = (size_t)l->group->count * (size_t)l->n;
    if (l->group->block != BLOCK_LINEAR || l->group->matrix == MATRIX_VARIES) return true;
    if (!(l->given = mem_take(2 * numbers, sizeof(double)))) return false;
    l->solved = l->given + numbers;
    for (size_t i = 0; i < numbers; i++) l->given[i] = NAN;
    return true;
}

/* Rows of a group whose factors are kept for their next solution: all, or as many as some
 * megabytes hold. */
static int kept_factors(const Group *g) {
    enum { NUMBERS = 1 << 20 };
    long most = NUMBERS / ((long)g->torn * g->torn);
    return g->count < most ? g->count : most > 1 ? (int)most : 1;
}

static Loop *loop_new(Running *running, int group) {
    const Group *g = &running->part->group[group];
    size_t       n = (size_t)g->torn, count = (size_t)g->count;
    Loop        *l = mem_take(1, sizeof *l);
    if (!l) return NULL;
    *l = (Loop){.running = running,
                .c = &running->rb,
                .number = group,
                .group = g,
                .n = g->torn,
                .z = mem_take(6 * n + count * n + count, sizeof(double)),
                .pivot = mem_take(n, sizeof(int))};
    if (g->block != BLOCK_LINEAR) l->openings = mem_take(count, sizeof *l->openings);
    if (!loop_memory(l) || !l->z || !l->pivot || !open_solved(l) ||
        (g->block != BLOCK_LINEAR && !l->openings)) {
        loop_free(l);
        return NULL;
    }
    l->nominal = CUT(l->z + n, n, &l->start, &l->r, &l->trial, &l->step, &l->at);
    l->seen = l->nominal + count * n;
    find_nominals(l);
    for (int k = 0; k < l->n; k++) l->integers |= is_integer(l, 0, k);
    Equations e = {.n = l->n,
                   .residual = newton_residual,
                   .jacobian = newton_jacobian,
                   .pattern = matrix_pattern(running, group),
                   .owner = l,
                   .slots = g->block == BLOCK_FAST ? 0 : kept_factors(g)};
    if (g->block != BLOCK_LINEAR && !(l->solver = solver_new(&e))) {
        loop_free(l);
        return NULL;
    }
    bool nonlinear = g->block != BLOCK_FAST && g->block != BLOCK_LINEAR;
    if ((g->block == BLOCK_FAST && !fast_open(l)) ||
        (nonlinear && !(approach_open(l) && branch_open(l)))) {
        loop_free(l);
        return NULL;
    }
    return l;
}

void loops_free(Loops *loops) {
    for (int g = 0; loops->loop && g < loops->groups; g++) loop_free(loops->loop[g]);
    mem_free(loops->loop);
    modes_free(loops->modes);
    *loops = (Loops){0};
}

static Loop *find_loop(Running *running, int group) {
    Loops *loops = &running->blocks;
    if (!loops->loop) {
        loops->groups = running->part->groups;
        loops->loop = mem_take((size_t)loops->groups, sizeof *loops->loop);
        if (!loops->loop) return NULL;
    }
    if (!loops->loop[group]) loops->loop[group] = loop_new(running, group);
    return loops->loop[group];
}

Loop *loop_of(Running *running, int group, int row) {
    Loop *l = find_loop(running, group);
    if (!l) return NULL;
    l->row = row;
    l->residual = running->image->residual(group);
    l->placed = false;
    return l;
}

bool loops_make(Running *running) {
    for (int g = 0; g < running->part->groups; g++)
        if (running->part->group[g].kind == GROUP_LOOP && !find_loop(running, g))
            return false;
    return true;
}

/* ---- solution ---------------------------------------------------------------------------------- */

/* A singular system that has solutions, such as enthalpies at zero flow or the shares of two
 * frictions that hold the same shaft: the smallest correction of the old values, measured in
 * nominal ones; what the equations leave open stays as it was. Rows are scaled, so that one
 * threshold serves all. False if they contradict each other. */
static bool least_change(Loop *l, double threshold) {
    int           n = l->n;
    const double *nominal = l->nominal + l->row * n;
    double        most = 0;
    memcpy(l->z, l->start, (size_t)n * sizeof *l->z);
    if (!make_matrix(l) || !loop_residual(l, l->z, l->r) ||
        !columns(l, l->z, l->r, l->matrix))
        return false;
    for (int i = 0; i < n; i++) {
        double size = 0;
        for (int k = 0; k < n; k++)
            size = fmax(size, fabs(l->matrix[k * n + i] *= nominal[k]));
        if (size == 0) size = 1;
        for (int k = 0; k < n; k++) l->matrix[k * n + i] /= size;
        l->step[i] = l->r[i] / size;
        most = fmax(most, fabs(l->step[i]));
    }
    memcpy(l->trial, l->step, (size_t)n * sizeof *l->trial);
    double left = dense_least_squares(n, l->matrix, l->trial, threshold);
    if (!(left <= 1e-9 * (1 + most))) return false;
    for (int k = 0; k < n; k++) l->z[k] -= nominal[k] * l->trial[k];
    l->report.open = true;
    return loop_residual(l, l->z, l->r);
}

/* Without derivatives. */
static Status solve_columns(Loop *l) {
    memset(l->z, 0, (size_t)l->n * sizeof *l->z);
    if (!make_matrix(l)) return STATUS_NO_MEMORY;
    if (!loop_residual(l, l->z, l->r) || !columns(l, l->z, l->r, l->matrix))
        return STATUS_RETRY;
    if (dense_factor(l->n, l->matrix, l->pivot) != 0)
        return least_change(l, singular) ? STATUS_OK : STATUS_SINGULAR;
    for (int round = 0; round < 2; round++) { /* solution, refinement */
        dense_solve(l->n, l->matrix, l->pivot, l->r);
        for (int i = 0; i < l->n; i++) l->z[i] -= l->r[i];
        if (!loop_residual(l, l->z, l->r)) return STATUS_RETRY;
    }
    return STATUS_OK;
}

/* Are the corrections in r below a share of the unknowns? */
static bool is_small(const Loop *l, double share) {
    const double *nominal = l->nominal + l->row * l->n;
    for (int i = 0; i < l->n; i++)
        if (!(fabs(l->r[i]) <= share * (fabs(l->z[i]) + nominal[i]))) return false;
    return true;
}

/* Do the corrections in r leave all unknowns as they are, bit by bit? */
static bool is_nothing(const Loop *l) {
    for (int i = 0; i < l->n; i++)
        if (l->z[i] - l->r[i] < l->z[i] || l->z[i] - l->r[i] > l->z[i]) return false;
    return true;
}

/* With the factors at hand, from z = 0 and r = r(0): solution, then refinement. */
static Status refine(Loop *l) {
    enum { ROUNDS = 4 };
    for (int round = 0; round < ROUNDS; round++) {
        matrix_solve(l->running, l->number, l->row, l->r);
        bool enough = round > 0 && is_small(l, linear_tolerance);
        if (enough && (round > 1 || is_nothing(l))) return STATUS_OK;
        if (round == ROUNDS - 1 && !is_small(l, linear_noise)) return STATUS_SINGULAR;
        for (int i = 0; i < l->n; i++) l->z[i] -= l->r[i];
        if (!loop_residual(l, l->z, l->r)) return STATUS_RETRY;
        if (enough) return STATUS_OK;
    }
    return STATUS_OK;
}

/* The same, noted for the next time. */
static Status solve_and_note(Loop *l) {
    size_t bytes = (size_t)l->n * sizeof(double), at = (size_t)l->row * (size_t)l->n;
    if (!l->given || l->running->piece) return refine(l);
    memcpy(l->given + at, l->r, bytes);
    Status status = refine(l);
    memcpy(l->solved + at, l->z, bytes);
    if (status != STATUS_OK) l->given[at] = NAN;
    return status;
}

/* Is r = r(0) that of the noted solution? */
static bool is_given(const Loop *l) {
    size_t n = (size_t)l->n;
    return l->given &&
           memcmp(l->given + (size_t)l->row * n, l->r, n * sizeof(double)) == 0;
}

static Status solve_linear(Loop *l) {
    Running *running = l->running;
    Status   status = STATUS_OK;
    size_t   bytes = (size_t)l->n * sizeof *l->z;
    memset(l->z, 0, bytes);
    if (!loop_residual(l, l->z, l->r)) return STATUS_RETRY;
    bool holds = matrix_holds(running, l->number, l->row);
    if (holds && is_given(l)) {
        memcpy(l->z, l->solved + (size_t)l->row * (size_t)l->n, bytes);
        return loop_residual(l, l->z, l->r) ? STATUS_OK : STATUS_RETRY;
    }
    if (!holds) status = matrix_factor(running, l->number, l->row);
    if (status == STATUS_ABSENT || status == STATUS_RETRY) return solve_columns(l);
    if (status != STATUS_OK) return least_change(l, singular) ? STATUS_OK : status;
    if (matrix_doubtful(running, l->number, l->row)) {
        if (least_change(l, doubtful)) return STATUS_OK;
        memset(l->z, 0, bytes);
        if (!loop_residual(l, l->z, l->r)) return STATUS_RETRY;
    }
    return solve_and_note(l);
}

/* Factors of the last solution serve until the next event; a part of the model and the rounds of an event
 * leave none. */
static void take_turn(Loop *l) {
    const Running *r = l->running;
    bool           memory = !l->c->live && !r->began && !r->piece && !l->fast;
    solver_turn(l->solver, l->row, memory ? r->instance->stamps.events + 1 : 0,
                l->nominal + l->row * l->n);
}

Status loop_newton(Loop *l) {
    take_turn(l);
    Status status = solver_solve(l->solver, newton_tolerance, l->z, &l->report);
    l->running->instance->counts.iterations += l->report.iterations;
    if (status == STATUS_DIVERGED || status == STATUS_SINGULAR || status == STATUS_RETRY)
        if (approach(l) == STATUS_OK) status = STATUS_OK;
    if (status == STATUS_OK && !branch_keep(l, newton_tolerance)) status = STATUS_RETRY;
    if (status == STATUS_OK) approach_note(l);
    return status;
}

Status loop_held(Loop *l) {
    return l->group->piecewise ? solve_linear(l) : loop_newton(l);
}

static void explain(const Loop *l, Fault *fault) {
    const Part *part = l->running->part;
    int         item = l->group->item + l->row * l->group->size;
    fault->block = part->block[item];
    fault->row = item;
    fault->variable = part->unknown[item];
    fault->pos = part->pos[item];
    fault->what = l->fast ? "an infinitely fast process has no equilibrium"
                  : l->group->block == BLOCK_LINEAR ? "a linear system is singular"
                                                    : "Newton's method does not converge";
}

/* The values that are there come from a step that was too long and given up, and are far from the last
 * ones that are known to be good: they may be those of another branch. */
static bool is_astray(const Loop *l) {
    const double *anchor = l->anchor + l->row * l->n;
    const double *nominal = l->nominal + l->row * l->n;
    if (!l->solver || !(l->c->time < l->seen[l->row])) return false;
    for (int k = 0; k < l->n; k++)
        if (!(fabs(l->z[k] - anchor[k]) <= far_away * (fabs(anchor[k]) + nominal[k])))
            return true;
    return false;
}

/* Where to start: from the values that are there. What the equations leave open would wander with
 * every trial of the integrator; therefore such a block starts from the last event's solution,
 * and its own is that next to it. */
static void begin(Loop *l) {
    Running      *running = l->running;
    const double *from = running->began ? running->began : l->c->v;
    size_t        bytes = (size_t)l->n * sizeof *l->z;
    for (int k = 0; k < l->n; k++)
        l->z[k] = from[part_iteration(running->part, l->group, l->row, k)];
    if (running->began && l->solver) solver_forget(l->solver);
    bool known = !isnan(l->anchor[l->row * l->n]);
    if (!l->c->live && known && (l->open[l->row] || is_astray(l)))
        memcpy(l->z, l->anchor + l->row * l->n, bytes);
    memcpy(l->start, l->z, bytes);
    l->report.open = false;
}

/* After a solution. A part of the model leaves nothing behind for others. */
static void note(Loop *l) {
    Running *running = l->running;
    size_t   bytes = (size_t)l->n * sizeof *l->z;
    if (running->piece) return;
    l->seen[l->row] = l->c->time;
    l->open[l->row] = l->report.open;
    if (l->c->live) memcpy(l->anchor + l->row * l->n, l->z, bytes);
    for (int k = 0; k < l->n && running->began; k++) {
        int var = part_iteration(running->part, l->group, l->row, k);
        running->began[var] = l->c->v[var];
    }
}

/* A solution has no rounding errors in Integers, and what follows from them has none. False: it has fractions. */
static bool round_integers(Loop *l) {
    for (int k = 0; k < l->n; k++) {
        int var = part_iteration(l->running->part, l->group, l->row, k);
        l->z[k] = l->c->v[var];
        if (!is_integer(l, l->row, k)) continue;
        double nearest = round(l->z[k]);
        if (!(fabs(l->z[k] - nearest) <= whole * (1 + fabs(nearest)))) return false;
        l->z[k] = nearest;
    }
    if (!loop_residual(l, l->z, l->r)) return false;
    for (int k = 0; k < l->n; k++)
        l->c->v[part_iteration(l->running->part, l->group, l->row, k)] = l->z[k];
    return true;
}

void loops_settle(Running *running, double t) {
    const Loops *loops = &running->blocks;
    for (int g = 0; loops->loop && g < loops->groups; g++) {
        Loop *l = loops->loop[g];
        if (!l || !l->solver) continue;
        for (int row = 0; row < l->group->count; row++) {
            if (l->open[row] || l->seen[row] < t || l->seen[row] > t) continue;
            for (int k = 0; k < l->n; k++)
                l->anchor[row * l->n + k] =
                    running->instance->v[part_iteration(running->part, l->group, row, k)];
        }
    }
}

int loop_solve(Rb *c, int group, int row) {
    Running  *running = running_of(c);
    Instance *instance = running->instance;
    Loop     *l = loop_of(running, group, row);
    if (!l) {
        instance->lacking = true;
        return 1;
    }
    begin(l);
    instance->counts.loops++;
    l->inconsistent = false;
    bool   switching = c->live && l->group->block != BLOCK_LINEAR;
    Status status = l->fast ? fast_solve(l) : switching ? modes_solve(l) : loop_held(l);
    bool   fraction = status == STATUS_OK && l->integers && !round_integers(l);
    if (status == STATUS_OK && !fraction) {
        note(l);
        redundant_look(l);
        return 0;
    }
    if (status == STATUS_NO_MEMORY) instance->lacking = true;
    if (extern_lacks(c)) return 1; /* nothing else is to blame */
    cause_loop(running, group, row, fast_why(l), l->start,
               l->solver ? solver_point(l->solver) : l->z);
    for (int k = 0; k < l->n; k++) /* the next trial starts where this one did */
        c->v[part_iteration(running->part, l->group, row, k)] = l->start[k];
    if (instance->fault) explain(l, instance->fault);
    if (l->inconsistent) cause_inconsistent(instance);
    if (fraction) cause_fraction(instance);
    return 1;
}
