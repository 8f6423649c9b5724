/* SPDX-License-Identifier: Apache-2.0 */
/* fast.c -- blocks with infinitely fast states: the equilibrium that they reach.
 *
 * The residual of the block is r(z, w) = 0, with z all that is iterated on and w the rates of the
 * fast states among it (dae/theta.c). What is wanted is the limit of r(z, dz/ds) = 0 for the
 * pseudo time s to infinity from where the states are, while all else stays: r(z, 0) = 0, but only
 * the solution that this motion reaches, and only if it is stable.
 *
 * Between events the equilibrium moves little: damped Newton steps along the tangent of the last one,
 * which are taken only as long as every linearisation on the way is stable. At events, at the start and
 * where that fails the motion itself is followed by implicit Euler steps
 *     r(z, (z - z0)/tau) = 0
 * whose length grows as the states come to rest (switched evolution relaxation: Mulder and van Leer
 * 1985; Kelley and Keyes, SIAM J. Numer. Anal. 35, 1998); nothing is stored and no accuracy is asked
 * for. Where a direction grows, with rate g, steps stay below 0.3/g: longer ones would be drawn to the
 * unstable point. When little moves, Newton's method on r(z, 0) gives the last digits.
 *
 * What grows is found by growth.c. A process that is linear between events has one equilibrium, which
 * is found like the solution of any linear block; it is stable as long as its matrices stay as they
 * are.
 *
 * Between events a motion that passes an unstable point means that the branch has ended: the
 * evaluation is refused, so that steps end there, and an event follows (sim/border.c).
 *
 * Levels: while states of level k move, those of higher levels rest in their equilibria, as unknowns of
 * the same system, and those of lower levels stay; their rates are unknown in their place. The
 * highest level comes first. */
#include "live/growth.h"
#include "live/loop.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    STEPS = 200,   /* in pseudo time */
    FAILURES = 12, /* steps in turn that could not be solved */
    ITERATIONS = 100,
    TRIAL = 30 /* Newton steps from the last equilibrium */
};
static const double tolerance = 1e-10;     /* of the equilibrium */
static const double step_tolerance = 1e-4; /* of a step in pseudo time */
/* ways, in magnitudes of the states, that need no look between: to the next equilibrium, of Newton's
 * method on the way to it, and from a tangent to where it still serves */
static const double longest = 0.25, shortest = 0.05, near = 0.02;

enum { INPUTS = 8 }; /* of others, up to which an equilibrium is expected */

typedef struct Expected { /* the last equilibrium of a row and its tangent */
    bool    known;
    int     inputs;
    Input   input[INPUTS];
    double  at[INPUTS];
    double *room;      /* memory of: */
    double *z, *slope; /* n; inputs x n: dz/d(input) */
    double *rates; /* of a linear process, NULL of others: dr/dw where it was stable */
} Expected;

struct Fast {
    /* by row of the group */
    int    *start; /* n + 1 each: rates of iteration variable k in ... */
    int    *rate;  /* ... these */
    double *sign;
    int    *level; /* n each: of an iteration variable, 0 if it is not fast */
    int     top;   /* the highest */
    /* of the step that is being solved */
    int         at;    /* level that moves, 0: all rates are 0 */
    double      tau;   /* length of the step, HUGE_VAL: at rest */
    double     *from;  /* n: where it begins */
    double     *place; /* n: the point without what is held */
    double     *unit;  /* n: time by which a rate that is unknown is measured */
    double     *slope; /* by rate of the row */
    bool       *still; /* n */
    Slopes      slopes;
    bool        watch;   /* unstable points may not be passed */
    bool        strayed; /* one was */
    Growth     *growth;
    double     *way;      /* n: a point between two others */
    Expected   *expected; /* by row */
    FastFailure why;
};

/* ---- the block ---- */

/* First of the rates of a state, -1 if it has none. */
static int find_rates(const FastStates *fast, int state) {
    int low = 0, high = fast->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (fast->state[middle] < state) low = middle + 1;
        else high = middle;
    }
    return low < fast->count && fast->state[low] == state ? low : -1;
}

/* Rates of all rows; with fill they are stored, too. Only those of the lowest power count:
 * beside them the others are infinitely small. */
static int collect(Loop *l, bool fill) {
    const FastStates *all = &l->running->instance->program->fast;
    Fast             *f = l->fast;
    int               rates = 0;
    for (int row = 0; row < l->group->count; row++)
        for (int k = 0; k <= l->n; k++) {
            if (fill) f->start[row * (l->n + 1) + k] = rates;
            if (k == l->n) continue;
            int var = part_iteration(l->running->part, l->group, row, k), level = 0;
            int first = find_rates(all, var);
            for (int q = first; q >= 0 && q < all->count && all->state[q] == var; q++)
                if (!level || all->level[q] < level) level = all->level[q];
            for (int q = first; q >= 0 && q < all->count && all->state[q] == var; q++) {
                if (all->level[q] != level) continue;
                if (fill) {
                    f->rate[rates] = all->rate[q];
                    f->sign[rates] = all->sign[q];
                }
                rates++;
            }
            if (fill) f->level[row * l->n + k] = level;
            if (level > f->top) f->top = level;
        }
    return rates;
}

void fast_close(Loop *l) {
    Fast *f = l->fast;
    if (!f) return;
    mem_free(f->start), mem_free(f->rate), mem_free(f->sign), mem_free(f->level);
    mem_free(f->from), mem_free(f->slope), mem_free(f->still), growth_free(f->growth);
    for (int row = 0; f->expected && row < l->group->count; row++) {
        mem_free(f->expected[row].room);
        mem_free(f->expected[row].rates);
    }
    mem_free(f->expected);
    mem_free(f);
    l->fast = NULL;
}

static bool open_expected(Loop *l);

bool fast_open(Loop *l) {
    size_t n = (size_t)l->n, count = (size_t)l->group->count;
    Fast  *f = l->fast = mem_take(1, sizeof *f);
    if (!f) return false;
    size_t rates = (size_t)collect(l, false) + 1;
    f->start = mem_take(count * (n + 1), sizeof(int));
    f->rate = mem_take(rates, sizeof(int));
    f->sign = mem_take(rates, sizeof(double));
    f->level = mem_take(count * n, sizeof(int));
    f->from = mem_take(4 * n, sizeof(double));
    f->slope = mem_take(rates, sizeof(double));
    f->still = mem_take(n, sizeof(bool));
    if (!f->start || !f->rate || !f->sign || !f->level || !f->from || !f->slope ||
        !f->still)
        return false;
    f->place = f->from + n;
    f->unit = f->place + n;
    f->way = f->unit + n;
    f->tau = HUGE_VAL;
    collect(l, true);
    f->growth = growth_new(l->n, matrix_pattern(l->running, l->number));
    return f->growth && open_expected(l);
}

static int level_of(const Loop *l, int k) {
    return l->fast->level[l->row * l->n + k];
}

static bool moves(const Loop *l, int k) {
    return l->fast->at && level_of(l, k) == l->fast->at;
}

/* States of lower levels wait; their rates are unknown. */
static bool waits(const Loop *l, int k) {
    return level_of(l, k) && level_of(l, k) < l->fast->at;
}

/* Typical magnitude of an unknown at z. */
static double scale(const Loop *l, const double *z, int k) {
    return fmax(l->nominal[l->row * l->n + k], fabs(z[k]));
}

/* Another kind of step: level 0 has no rates. */
static void set_step(Loop *l, int level, double tau) {
    l->fast->at = level;
    l->fast->tau = tau;
    l->placed = false;
}

const double *fast_place(Loop *l, const double *z) {
    Fast *f = l->fast;
    for (int k = 0; k < l->n; k++) {
        double     w = moves(l, k)   ? (z[k] - f->from[k]) / f->tau
                       : waits(l, k) ? (z[k] - f->from[k]) / f->unit[k]
                                     : 0;
        const int *start = f->start + l->row * (l->n + 1);
        f->place[k] = waits(l, k) ? f->from[k] : z[k];
        for (int q = start[k]; q < start[k + 1]; q++)
            l->c->v[f->rate[q]] = f->sign[q] * w;
    }
    return f->place;
}

/* of rates alone: how the residual depends on those of the marked unknowns. */
static const Slopes *slopes(Loop *l, bool rates_alone) {
    Fast *f = l->fast;
    int   first = f->start[l->row * (l->n + 1)];
    for (int k = 0; k < l->n; k++) {
        const int *start = f->start + l->row * (l->n + 1);
        double     by = rates_alone   ? 1
                        : moves(l, k) ? 1 / f->tau
                        : waits(l, k) ? 1 / f->unit[k]
                                      : 0;
        f->still[k] = rates_alone || waits(l, k);
        for (int q = start[k]; q < start[k + 1]; q++)
            f->slope[q - first] = f->sign[q] * by;
    }
    /* starts are counted over all rows */
    f->slopes =
        (Slopes){f->start + l->row * (l->n + 1), f->rate, f->slope - first, f->still};
    return &f->slopes;
}

const Slopes *fast_slopes(Loop *l) {
    return slopes(l, false);
}

/* ---- growth ---- */

/* R: how the residual depends on rates, at its last point. */
static bool find_rate_matrix(Loop *l) {
    const Slopes *only = slopes(l, true);
    return matrix_fill(l->running, l->number, l->row, only, l->fast->growth->r);
}

/* Growth of what moves at a level, and its rates, at the point of the last residual, which is l->r. */
static bool find_growth(Loop *l, int level) {
    return growth_find(l->fast->growth, l->fast->level + l->row * l->n, level, l->r);
}

typedef enum { GROWS, RESTS, UNKNOWN } Stability;

static Stability judge(const Fast *f) {
    return f->growth->growth < -1e-9 * f->growth->size ? RESTS : GROWS;
}

/* At z, with the states of lower levels held. */
static Stability stability(Loop *l, const double *z, int level) {
    Growth *g = l->fast->growth;
    g->growth = g->size = 0;
    if (!loop_residual(l, z, l->r) ||
        !matrix_fill(l->running, l->number, l->row, NULL, g->j) || !find_rate_matrix(l) ||
        !find_growth(l, level))
        return UNKNOWN;
    return judge(l->fast);
}

bool fast_passes(Loop *l, const double *value) {
    Fast *f = l->fast;
    if (!f->watch) return true;
    memcpy(f->growth->j, value, growth_entries(f->growth) * sizeof *value);
    if (!find_rate_matrix(l)) return true;
    for (int level = 1; level <= f->top; level++)
        if (!find_growth(l, level) || judge(f) != RESTS) return false;
    return true;
}

/* ---- Newton's method from the last equilibrium ---- */

static Status newton(Loop *l, double within, int most) {
    solver_turn(l->solver, l->row, 0, l->nominal + l->row * l->n);
    Status status = solver_damped(l->solver, within, l->z, most, &l->report);
    l->running->instance->counts.iterations += l->report.iterations;
    l->running->instance->counts.fast.newton += l->report.factorizations;
    return status;
}

static double distance(const Loop *l, const double *a, const double *b) {
    double most = 0;
    for (int k = 0; k < l->n; k++)
        if (level_of(l, k)) most = fmax(most, fabs(a[k] - b[k]) / scale(l, b, k));
    return most;
}

/* On a long way from a to l->z something may grow that neither end shows. */
static bool grows_between(Loop *l, const double *a, int level) {
    enum { PARTS_OF_WAY = 4 };
    Fast *f = l->fast;
    if (distance(l, l->z, a) <= longest) return false;
    for (int i = 1; i < PARTS_OF_WAY; i++) {
        double share = (double)i / PARTS_OF_WAY;
        for (int k = 0; k < l->n; k++) f->way[k] = a[k] + share * (l->z[k] - a[k]);
        if (stability(l, f->way, level) == GROWS) return true;
    }
    return false;
}

/* far: how far the states may go. On a long way every point is looked at. */
static Status from_the_last(Loop *l, double far) {
    Fast  *f = l->fast;
    size_t bytes = (size_t)l->n * sizeof *l->z;
    set_step(l, 0, HUGE_VAL);
    memcpy(f->from, l->z, bytes);
    Status status = newton(l, tolerance, TRIAL);
    if (status != STATUS_OK || distance(l, l->z, f->from) > shortest) {
        memcpy(l->z, f->from, bytes);
        f->watch = true;
        status = newton(l, tolerance, TRIAL);
        f->watch = false;
    }
    if (status == STATUS_OK && !(distance(l, l->z, l->start) <= far))
        status = STATUS_DIVERGED;
    if (status == STATUS_OK)
        for (int level = 1; level <= f->top; level++)
            if (stability(l, l->z, level) == GROWS || grows_between(l, l->start, level))
                status = STATUS_DIVERGED;
    return status;
}

/* ---- the motion ---- */

/* A first step that is short for what moves. Rates that are unknown are measured in it. */
static double first_step(Loop *l, int level) {
    Fast  *f = l->fast;
    double tau = HUGE_VAL;
    set_step(l, 0, HUGE_VAL);
    if (stability(l, l->z, level) == UNKNOWN) return 1e-12;
    for (int k = 0; k < l->n; k++) {
        if (level_of(l, k) != level) continue;
        double speed = fabs(f->growth->speed[k]) / scale(l, l->z, k);
        if (speed > 0) tau = fmin(tau, 0.1 / speed);
    }
    if (f->growth->size > 0) tau = fmin(tau, 1 / f->growth->size);
    return isfinite(tau) && tau > 0 ? tau : 1e-12;
}

/* One step of length tau from f->from; at the first one anything may help. Steps shorter than the first
 * one move less, and what is left of their equations must be small beside that. */
static Status step(Loop *l, int level, double tau, bool first) {
    Fast *f = l->fast;
    memcpy(l->z, f->from, (size_t)l->n * sizeof *l->z);
    set_step(l, level, tau);
    l->running->instance->counts.fast.steps++;
    double within = step_tolerance * fmin(1, fmax(tau / f->unit[0], 1e-8));
    Status status = newton(l, within, ITERATIONS);
    if (status == STATUS_OK || !first) return status;
    return solver_solve(l->solver, within, l->z, &l->report);
}

static bool has_left(const Loop *l) {
    for (int k = 0; k < l->n; k++)
        if (!isfinite(l->z[k]) ||
            (moves(l, k) && fabs(l->z[k]) > 1e8 * l->nominal[l->row * l->n + k]))
            return true;
    return false;
}

/* At rest? Newton's method for the last digits must stay near and end at a stable point. */
static bool polish(Loop *l, int level) {
    Fast  *f = l->fast;
    size_t bytes = (size_t)l->n * sizeof *l->z;
    memcpy(f->from, l->z, bytes);
    set_step(l, level, HUGE_VAL);
    if (newton(l, tolerance, TRIAL) == STATUS_OK && distance(l, l->z, f->from) < 0.2 &&
        stability(l, l->z, level) != GROWS)
        return true;
    memcpy(l->z, f->from, bytes);
    return false;
}

static Status give_up(Loop *l, FastFailure why) {
    l->fast->why = why;
    return STATUS_DIVERGED;
}

static Status follow(Loop *l, int level);

/* After a step: states of higher levels may have lost their equilibrium. */
static Status settle_inside(Loop *l, int level) {
    Fast *f = l->fast;
    for (int inner = f->top; inner > level; inner--) {
        if (stability(l, l->z, inner) != GROWS) continue;
        f->strayed = true;
        Status status = follow(l, inner);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* States of a level move until they rest, from l->z. */
static Status follow(Loop *l, int level) {
    Fast  *f = l->fast;
    size_t bytes = (size_t)l->n * sizeof *l->z;
    double tau = first_step(l, level), before = 0;
    int    failures = 0;
    for (int k = 0; k < l->n; k++) f->unit[k] = tau;
    for (int count = 0; count < STEPS; count++) {
        Stability now = stability(l, l->z, level);
        double    growth = f->growth->growth;
        if (now == GROWS) f->strayed |= growth > 0;
        if (now == GROWS && growth > 0) tau = fmin(tau, 0.3 / growth);
        memcpy(f->from, l->z, bytes);
        if (step(l, level, tau, count == 0) != STATUS_OK) {
            memcpy(l->z, f->from, bytes);
            tau *= 0.1;
            if (f->growth->size > 0) tau = fmin(tau, 0.5 / f->growth->size);
            bool still =
                tau < 1e-7 * fmin(f->unit[0],
                                  f->growth->size > 0 ? 1 / f->growth->size : HUGE_VAL);
            if (++failures > FAILURES || still) return give_up(l, FAST_STUCK);
            continue;
        }
        failures = 0;
        if (has_left(l)) return give_up(l, FAST_DIVERGES);
        if (now == RESTS && grows_between(l, f->from, level)) {
            memcpy(l->z, f->from, bytes);
            tau *= 0.25;
            continue;
        }
        double moved = distance(l, l->z, f->from), speed = moved / tau;
        if (moved < 1e-13 && now == GROWS)
            return give_up(l, distance(l, l->z, l->start) < 1e-9 ? FAST_UNSTABLE
                                                                 : FAST_NO_REST);
        double faster = speed > 0 ? before / speed : 10;
        tau *= fmin(10, fmax(faster, moved < 0.2 ? 2 : 0.5));
        before = speed;
        Status status = f->top > level ? settle_inside(l, level) : STATUS_OK;
        if (status != STATUS_OK) return status;
        if (moved < 0.03 && now != GROWS && polish(l, level)) return STATUS_OK;
    }
    return give_up(l, FAST_NO_REST);
}

/* ---- where the equilibrium is expected ---- */

/* From the last equilibrium along its tangent: a step of an explicit method may double a voltage, and
 * without that the exponential function of a diode would cost Newton's method dozens of
 * iterations. */
static bool expect(Loop *l) {
    Expected *e = &l->fast->expected[l->row];
    if (!e->known || l->running->began || l->c->live) return false;
    memcpy(l->z, e->z, (size_t)l->n * sizeof *l->z);
    for (int i = 0; i < e->inputs; i++) {
        double by = loop_input(l, &e->input[i]) - e->at[i];
        for (int k = 0; k < l->n; k++) l->z[k] += by * e->slope[i * l->n + k];
    }
    return true;
}

/* The tangent at the equilibrium just found, unless the last one led there well. */
static void remember(Loop *l) {
    Expected *e = &l->fast->expected[l->row];
    if (e->known && !l->c->live && l->report.iterations <= 2 &&
        distance(l, l->z, e->z) < near)
        return;
    e->known = false;
    if (!e->room || l->running->began || l->c->live) return;
    l->running->instance->counts.fast.newton++;
    for (int i = 0; i < e->inputs; i++) {
        e->at[i] = loop_input(l, &e->input[i]);
        if (!matrix_sensitivity(l->running, l->number, l->row, e->input[i].var, i == 0,
                                e->slope + i * l->n))
            return;
    }
    memcpy(e->z, l->z, (size_t)l->n * sizeof *e->z);
    e->known = true;
}

static bool open_expected(Loop *l) {
    Fast  *f = l->fast;
    size_t n = (size_t)l->n;
    f->expected = mem_take((size_t)l->group->count, sizeof *f->expected);
    if (!f->expected) return false;
    for (int row = 0; row < l->group->count; row++) {
        Expected *e = &f->expected[row];
        if (l->group->piecewise) {
            e->rates = mem_take(growth_entries(f->growth), sizeof(double));
            if (!e->rates) return false;
        }
        e->inputs = loop_inputs(l, row, e->input, INPUTS);
        if (e->inputs > INPUTS) continue;
        e->room = mem_take((n + 1) * ((size_t)e->inputs + 1), sizeof(double));
        if (!e->room) return false;
        e->slope = e->room + n;
        e->z = e->room;
    }
    return true;
}

/* A linear process between events. */
static Status rest_linear(Loop *l) {
    Expected     *e = &l->fast->expected[l->row];
    const Growth *g = l->fast->growth;
    bool          held = matrix_holds(l->running, l->number, l->row);
    set_step(l, 0, HUGE_VAL);
    Status status = loop_held(l);
    if (status != STATUS_OK || !find_rate_matrix(l)) return status;
    size_t bytes = growth_entries(g) * sizeof *g->r;
    if (held && e->known && memcmp(e->rates, g->r, bytes) == 0) return STATUS_OK;
    e->known = false;
    for (int level = 1; level <= l->fast->top; level++)
        if (stability(l, l->z, level) == GROWS) return STATUS_DIVERGED;
    memcpy(e->rates, g->r, bytes);
    e->known = true;
    return STATUS_OK;
}

/* No point of the motion fits the start values, as the mass 0 of a volume whose pressure has a start
 * value: then the equations at rest are solved from there, and what is found must be stable. */
static Status rest_somewhere(Loop *l) {
    memcpy(l->z, l->start, (size_t)l->n * sizeof *l->z);
    set_step(l, 0, HUGE_VAL);
    Status status = solver_solve(l->solver, tolerance, l->z, &l->report);
    for (int level = l->fast->top; level >= 1 && status == STATUS_OK; level--)
        if (stability(l, l->z, level) == GROWS) status = STATUS_DIVERGED;
    return status;
}

Status fast_solve(Loop *l) {
    Fast   *f = l->fast;
    Counts *counts = &l->running->instance->counts;
    size_t  bytes = (size_t)l->n * sizeof *l->z;
    bool    live = l->c->live;
    f->strayed = false;
    f->why = FAST_FINE;
    counts->fast.solves++;
    bool   linear = l->group->piecewise && !live;
    Status status = linear      ? rest_linear(l)
                    : expect(l) ? from_the_last(l, HUGE_VAL)
                                : STATUS_DIVERGED;
    if (status != STATUS_OK && !linear) {
        memcpy(l->z, l->start, bytes);
        status = from_the_last(l, live ? 1e-3 : HUGE_VAL);
    }
    if (status != STATUS_OK) {
        memcpy(l->z, l->start, bytes);
        f->strayed = false;
        counts->fast.followed++;
        status = STATUS_OK;
        for (int level = f->top; level >= 1 && status == STATUS_OK; level--)
            status = follow(l, level);
        if (status != STATUS_OK && f->why == FAST_STUCK && live)
            status = rest_somewhere(l);
        if (status == STATUS_OK && f->strayed) {
            counts->fast.jumps += live;
            if (!live) status = give_up(l, FAST_FOLD);
        }
    }
    set_step(l, 0, HUGE_VAL);
    if (status == STATUS_OK && !loop_residual(l, l->z, l->r)) status = STATUS_RETRY;
    fast_place(l, l->z); /* rates are 0 for all others */
    if (status == STATUS_OK && !linear) remember(l);
    return status;
}

FastFailure fast_why(const Loop *l) {
    return l->fast ? l->fast->why : FAST_FINE;
}
