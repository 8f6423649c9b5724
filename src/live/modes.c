/* SPDX-License-Identifier: Apache-2.0 */
/* modes.c -- blocks whose relations depend on their own unknowns: ideal diodes, limiters, stops.
 *
 * At an event the relations must agree with the solution. The usual iteration holds them, solves,
 * evaluates them at the solution and goes on until they stay. With several switches it can go
 * round in circles. Then the curve
 *     r(z) = mu r(z0),   mu from 1 to 0,
 * is followed through the regions in which no relation changes (Katzenelson, Bell System Technical
 * Journal 44, 1965; Chien and Kuh, IEEE Trans. CAS 24, 1977): along a straight line to the nearest
 * border, there one relation switches, and the line goes on into the new region, with mu growing
 * where the determinant has changed its sign, as in a trigger with positive feedback. For r
 * continuous and piecewise linear the curve ends at a solution unless it meets a corner; points
 * beside the first one avoid that. If it does, and the relations are few, all combinations of their
 * values are tried: if none of them is what its own solution says, the block has no consistent
 * branch, as x + 0.5*(if x > 0 then 1 else -1) = 0.3. What is left goes to Newton's method, which
 * then sees the jumps; where it ends must be consistent, too.
 *
 * A block with a memory, as y = not pre(y) and u > 1 or pre(y) and u >= 0 where u is smaller when y is true,
 * may have no consistent branch only because pre(y) is still the old one. Then it takes the branch that
 * its relations ask for, and the event goes on with a round in which pre(y) is that of this branch. */
#include "live/loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 12, BORDERS = 400, STARTS = 4, FEW = 6 };

static const double ROUNDING = 4e-15;

typedef struct Modes {
    Loop   *loop;
    int     count;        /* relations of the model */
    double *held;         /* their values during an iteration ... */
    double *before;       /* ... and before the first one */
    double *here, *there; /* crossings at two points */
    bool   *rising;       /* true where the crossing is above 0, else where it is not */
    double *first;        /* residual at the beginning of the curve */
    double *line;         /* its direction in this region */
} Modes;

void modes_free(Modes *m) {
    if (!m) return;
    mem_free(m->held);
    mem_free(m->rising);
    mem_free(m);
}

static Modes *modes_new(const Part *part) {
    size_t count = (size_t)part->relations + 1, n = 0;
    Modes *m = mem_take(1, sizeof *m);
    if (!m) return NULL;
    for (int g = 0; g < part->groups; g++)
        if ((size_t)part->group[g].torn > n) n = (size_t)part->group[g].torn;
    m->count = part->relations;
    m->held = mem_take(4 * count + 2 * n, sizeof(double));
    m->rising = mem_take(count, sizeof(bool));
    if (!m->held || !m->rising) {
        modes_free(m);
        return NULL;
    }
    m->first = CUT(m->held + count, count, &m->before, &m->here, &m->there);
    m->line = m->first + n;
    return m;
}

/* One for all blocks of a part, made when it is needed first: nothing is allocated in the time loop. */
static Modes *modes_of(Loop *loop) {
    Loops *all = &loop->running->blocks;
    if (!all->modes) all->modes = modes_new(loop->running->part);
    if (all->modes) all->modes->loop = loop;
    return all->modes;
}

static void evaluate_live(Loop *loop) {
    loop->c->live = 1;
    loop_residual(loop, loop->z, loop->r);
}

/* Do the relations at the solution agree with those that were held? */
static bool agree(Modes *m) {
    memcpy(m->held, m->loop->c->mode, (size_t)m->count * sizeof *m->held);
    evaluate_live(m->loop);
    return memcmp(m->held, m->loop->c->mode, (size_t)m->count * sizeof *m->held) == 0;
}

static Status solve_held(Modes *m) {
    Rb *c = m->loop->c;
    c->live = 0;
    Status status = loop_held(m->loop);
    c->live = 1;
    return status;
}

static bool crossings_at(Modes *m, const double *z, double *g) {
    Loop *l = m->loop;
    l->c->live = 0;
    if (!loop_residual(l, z, l->r)) return false;
    l->running->image->crossings(l->c, g);
    return true;
}

/* Is the solution that in line, up to a share of it? */
static bool is_near(const Modes *m, double share) {
    const Loop   *l = m->loop;
    const double *nominal = l->nominal + l->row * l->n;
    for (int i = 0; i < l->n; i++)
        if (!(fabs(l->z[i] - m->line[i]) <= share * (fabs(l->z[i]) + nominal[i])))
            return false;
    return true;
}

/* On a border the solution may be the same on both sides, and rounding decides what the relations
 * there seem to be. They stay as they were held, and their crossings begin on that side. */
static Status stay_on_border(Modes *m) {
    Loop   *l = m->loop;
    Rb     *c = l->c;
    double *sided = l->running->sided;
    if (!crossings_at(m, l->z, m->here)) return STATUS_RETRY;
    for (int i = 0; i < m->count; i++) {
        if (c->mode[i] == m->held[i]) continue;
        if (sided) sided[i] = m->here[i] > 0 ? -1 : 1;
        c->mode[i] = m->held[i];
    }
    bool fine = loop_residual(l, l->z, l->r);
    c->live = 1;
    return fine ? STATUS_OK : STATUS_RETRY;
}

/* The same in every run, of the size of the unknowns for the last ones. */
static void begin_beside(Loop *l, int attempt) {
    double size = attempt == 0 ? 0 : pow(10, 2.0 * attempt - 6);
    for (int i = 0; i < l->n; i++) {
        double irregular = fmod((i + 1) * (attempt + 1) * 0.6180339887498949, 1.0) - 0.4;
        l->z[i] = l->start[i] +
                  size * irregular * (fabs(l->start[i]) + l->nominal[l->row * l->n + i]);
    }
}

/* Does the block give a discrete variable whose left limit is asked for? */
static bool remembers(const Loop *l) {
    const uint8_t *recalled = l->running->instance->common->recalled;
    const int      first = l->group->item + l->row * l->group->size;
    for (int k = 0; k < l->group->size; k++)
        if (recalled[l->running->part->unknown[first + k]]) return true;
    return false;
}

static bool may_step(const Loop *l) {
    const Instance *instance = l->running->instance;
    return instance->event.stepping && l->running == &instance->run && remembers(l);
}

/* One step of the usual iteration, from where the block began. */
static Status step_on(Modes *m) {
    Loop *l = m->loop;
    begin_beside(l, 0);
    evaluate_live(l);
    Status status = solve_held(m);
    l->c->live = 0;
    bool fine = status == STATUS_OK && loop_residual(l, l->z, l->r);
    l->c->live = 1;
    l->running->instance->event.stepped |= fine;
    return status == STATUS_OK && !fine ? STATUS_RETRY : status;
}

/* The crossings at z with the relations as they were held, in m->here; those of now stay, in m->there. The distance
 * from zero that is rounding: that of the block's largest unknown. */
static bool look_at_borders(Modes *m, double *noise) {
    Loop  *l = m->loop;
    size_t bytes = (size_t)m->count * sizeof *m->there;
    double size = 1;
    for (int i = 0; i < l->n; i++) size = fmax(size, fabs(l->z[i]));
    *noise = ROUNDING * size;
    memcpy(m->there, l->c->mode, bytes);
    memcpy(l->c->mode, m->held, bytes);
    bool known = crossings_at(m, l->z, m->here);
    memcpy(l->c->mode, m->there, bytes);
    l->c->live = 1;
    return known;
}

/* Are the relations that the solution contradicts at zero but for rounding? As v >= high, where the branch that
 * it chooses says v = high. */
static bool rounding_decides(Modes *m) {
    double noise;
    bool   known = look_at_borders(m, &noise);
    for (int i = 0; known && i < m->count; i++)
        known = m->held[i] == m->there[i] || fabs(m->here[i]) <= noise;
    return known;
}

/* The solution is at the border of relations that have just switched. If the branch before them contradicts
 * itself they have left it, as a friction that begins to slide while another one still holds the shaft; if not,
 * nothing happened. The same holds in the later rounds of the event. */
static bool has_left(Modes *m) {
    Loop         *l = m->loop;
    const double *sided = l->running->sided;
    bool          left = rounding_decides(m), anew = false;
    for (int i = 0; left && i < m->count; i++) {
        if (m->held[i] == m->there[i]) continue;
        if (m->held[i] != m->before[i]) anew = true;
        else left = sided && sided[i] != 0;
    }
    if (!left || !anew) return left;
    size_t bytes = (size_t)m->count * sizeof *m->held,
           numbers = (size_t)l->n * sizeof *l->z;
    memcpy(m->line, l->z, numbers);
    memcpy(m->here, m->held, bytes);
    begin_beside(l, 0);
    memcpy(l->c->mode, m->before, bytes);
    left = solve_held(m) == STATUS_OK && !agree(m);
    for (int i = 0; left && i < m->count; i++)
        left = m->here[i] == m->there[i] || m->here[i] == m->before[i] ||
               l->c->mode[i] != m->before[i];
    memcpy(m->held, m->here, bytes);
    memcpy(l->c->mode, m->there, bytes);
    memcpy(l->z, m->line, numbers);
    return left;
}

/* Hold, solve, look, until nothing changes. Solutions on both sides of a border that differ by less than
 * a share of them are the same. */
static Status iterate(Modes *m, double share) {
    const Loop *l = m->loop;
    for (int round = 0; round < ROUNDS; round++) {
        Status status = solve_held(m);
        if (status != STATUS_OK) return status;
        if (agree(m)) return STATUS_OK;
        if (round > 0 ? rounding_decides(m) : has_left(m)) return stay_on_border(m);
        if (round > 0 && is_near(m, share))
            return may_step(l) ? step_on(m) : stay_on_border(m);
        memcpy(m->line, m->loop->z, (size_t)m->loop->n * sizeof *m->line);
    }
    return STATUS_DIVERGED;
}

/* Share of the way to `there` after which relation i no longer is what it is held at; above 1
 * if it stays. Only relations that are true or false and feel the way count. */
static double border(const Modes *m, int i) {
    if (!ticks_relation_is_near(m->loop->running, m->loop->group, i)) return 2;
    double a = m->here[i], b = m->there[i], mode = m->loop->c->mode[i];
    bool   above = (mode == 1) == m->rising[i];
    if ((mode != 0 && mode != 1) || !(fabs(a - b) > 0) || (b > 0) == above) return 2;
    return (a > 0) == above ? a / (a - b) : 0;
}

/* Which way along the line leads into the region that relation `flipped` now belongs to? */
static double orientation(Modes *m, int flipped, double reach) {
    Loop *l = m->loop;
    if (flipped < 0) return 1;
    for (int i = 0; i < l->n; i++) l->trial[i] = l->z[i] + reach * m->line[i];
    if (!crossings_at(m, l->trial, m->there)) return 1;
    bool up = m->there[flipped] > m->here[flipped];
    return up == ((l->c->mode[flipped] == 1) == m->rising[flipped]) ? 1 : -1;
}

/* One region: to its border or to the end of the curve. *mu is what is left of the first residual,
 * *flipped the relation that switched at the border, -1 at the end. */
static Status cross_region(Modes *m, double *mu, int *flipped) {
    Loop  *l = m->loop;
    Status status = solver_direction(l->solver, l->z, m->first, m->line, &l->report);
    if (status != STATUS_OK) return status;
    if (!crossings_at(m, l->z, m->here)) return STATUS_RETRY;
    double sense = orientation(m, *flipped, fmax(*mu, 1e-3));
    double reach = sense > 0 ? *mu : -10 * (1 + *mu), nearest = 1;
    int    entered = *flipped;
    for (int i = 0; i < l->n; i++) l->trial[i] = l->z[i] + reach * m->line[i];
    if (!crossings_at(m, l->trial, m->there)) return STATUS_RETRY;
    *flipped = -1;
    for (int i = 0; i < m->count; i++) {
        double share = i == entered ? 2 : border(m, i);
        if (share > nearest || (share == nearest && *flipped >= 0)) continue;
        nearest = share;
        *flipped = i;
    }
    if (*flipped < 0 && sense < 0) return STATUS_DIVERGED; /* the curve leaves for good */
    for (int i = 0; i < l->n; i++) l->z[i] += nearest * reach * m->line[i];
    *mu -= nearest * reach;
    if (*flipped >= 0) l->c->mode[*flipped] = l->c->mode[*flipped] == 0;
    return STATUS_OK;
}

static Status follow_curve(Modes *m) {
    Loop  *l = m->loop;
    double mu = 1;
    int    flipped = -1;
    l->c->live = 1;
    if (!loop_residual(l, l->z, l->r)) return STATUS_RETRY;
    if (!crossings_at(m, l->z, m->here)) return STATUS_RETRY;
    for (int i = 0; i < m->count; i++)
        m->rising[i] = (l->c->mode[i] == 1) == (m->here[i] > 0);
    memcpy(m->first, l->r, (size_t)l->n * sizeof *m->first);
    for (int k = 0; k < BORDERS; k++) {
        Status status = cross_region(m, &mu, &flipped);
        if (status != STATUS_OK) return status;
        if (flipped >= 0) continue;
        status = solve_held(m); /* curved equations are not yet solved exactly */
        return status != STATUS_OK || agree(m) ? status : STATUS_DIVERGED;
    }
    return STATUS_DIVERGED;
}

/* The relations in the equations of the block, at most FEW; their number. */
static int own_relations(const Loop *l, int *list) {
    const Part *part = l->running->part;
    int         first = l->group->item + l->row * l->group->size, n = 0;
    for (int i = 0; i < part->relations; i++) {
        int item = part->relation_item[i];
        if (item < first || item >= first + l->group->size) continue;
        if (n < FEW) list[n] = i;
        n++;
    }
    return n;
}

/* Every combination of relations that are true or false; those of other operators stay. Without a
 * consistent one loop->inconsistent is set, if at least one of them had a solution. */
static Status try_all(Modes *m) {
    Loop  *l = m->loop;
    Status status = STATUS_DIVERGED;
    int    relation[FEW], n = own_relations(l, relation), solved = 0;
    if (n == 0 || n > FEW) return STATUS_DIVERGED;
    for (int k = 0; k < n; k++)
        if (l->c->mode[relation[k]] != 0 && l->c->mode[relation[k]] != 1)
            return STATUS_DIVERGED;
    for (int choice = 0; choice < 1 << n; choice++) {
        begin_beside(l, 0);
        for (int k = 0; k < n; k++) l->c->mode[relation[k]] = choice >> k & 1;
        status = solve_held(m);
        if (status == STATUS_NO_MEMORY) return status;
        solved += status == STATUS_OK;
        if (status == STATUS_OK && agree(m)) return STATUS_OK;
    }
    l->inconsistent = solved > 0;
    return STATUS_DIVERGED;
}

/* Newton's method with live relations may end where they jump. There the branch on which it ended
 * has its solution elsewhere, and that contradicts it. */
static Status leave_jump(Modes *m) {
    Loop *l = m->loop;
    memcpy(m->line, l->z, (size_t)l->n * sizeof *l->z);
    evaluate_live(l);
    if (solve_held(m) == STATUS_OK) return agree(m) ? STATUS_OK : iterate(m, 1e-6);
    memcpy(l->z, m->line, (size_t)l->n * sizeof *l->z);
    evaluate_live(l);
    return STATUS_OK;
}

/* The relations as they are at the start. What an earlier round of the event left on a side of its border
 * stays there as long as it is at the border. */
static void begin_live(Modes *m) {
    Loop  *l = m->loop;
    size_t bytes = (size_t)m->count * sizeof *m->before;
    memcpy(m->before, l->c->mode, bytes);
    memcpy(m->held, l->c->mode, bytes);
    evaluate_live(l);
    double *sided = l->running->sided, noise;
    if (!sided || !look_at_borders(m, &noise)) return;
    for (int i = 0; i < m->count; i++) {
        if (sided[i] == 0 || l->c->mode[i] == m->before[i]) continue;
        if (fabs(m->here[i]) <= noise) l->c->mode[i] = m->before[i];
        else sided[i] = 0;
    }
}

Status modes_solve(Loop *loop) {
    loop->inconsistent = false;
    if (loop->running->part->relations == 0) return loop_held(loop);
    Modes *m = modes_of(loop);
    if (!m) return STATUS_NO_MEMORY;
    begin_live(m);
    Status status = iterate(m, 1e-9);
    for (int attempt = 0; attempt < STARTS && status != STATUS_OK; attempt++) {
        begin_beside(loop, attempt);
        status = follow_curve(m);
        if (status == STATUS_DIVERGED) status = iterate(m, 1e-9);
    }
    if (status != STATUS_OK && status != STATUS_NO_MEMORY) status = try_all(m);
    loop->c->live = 1;
    if (status == STATUS_DIVERGED && may_step(loop)) status = step_on(m);
    if (status != STATUS_OK && status != STATUS_NO_MEMORY) {
        begin_beside(loop, 0);
        status = loop_newton(loop);
        if (status == STATUS_OK) status = leave_jump(m);
    }
    loop->inconsistent &= status != STATUS_OK;
    return status;
}
