/* SPDX-License-Identifier: Apache-2.0 */
/* select.c -- a set of states made ready to integrate, kept in a bounded cache.
 *
 * A selection holds all that follows from the set alone: which rows to evaluate, which
 * other states these rows read (the boundary), which slow rows read the set (the watches),
 * the packed sub-pattern, and an integrator with its factorisation. Building one costs
 * O(entries of its rows and columns), never O(model), and looks at the pattern only where it
 * differs from a kept one (reach.c); it is the only place of the time loop that allocates.
 * Selections are found by a hash of their states; the least recently used one makes room when
 * the cache is full.
 *
 * The model seen by the integrator is the given one with states at rest: their slopes and
 * rows of the Jacobian are zero. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/group.h"

/* ---- the model with states at rest --------------------------------------------------- */

static void compare(RateGroup *g, double t, const double *x, const Selection *rows,
                    const double *dx, Fault *fault) {
    const Model    *m = &g->worker->model;
    const Selection all = {0};
    double         *y = g->space->check;
    if (m->fn->eval(m->instance, t, x, &all, y, fault) != STATUS_OK) return;
    for (int k = 0, n = selection_count(rows, m->nx); k < n; k++) {
        const int i = selection_row(rows, k);
        if (memcmp(&y[i], &dx[i], sizeof(double)) != 0) g->worker->stats.mismatches++;
    }
}

void group_moved(RateGroup *g) {
    g->rows.count = 0;
    g->space->holder = NULL;
}

/* All rows of a group below the first level. Those that do not read its states are functions
 * of time there: iterations, which return to the times of the stages, and differences do not
 * evaluate them again. */
static Status eval_set(RateGroup *g, double t, const double *x, const Selection *rows,
                       double *dx, Fault *fault) {
    const Model    *m = &g->worker->model;
    const Selection live = {SELECT_LIST, 0, g->rows.lives, g->rows.live};
    const int       kept = g->rows.count < STILLS ? g->rows.count : STILLS;
    int             at = 0;
    while (at < kept && g->rows.time[at] != t) at++;
    if (at < kept) {
        const double *value = g->rows.value + (size_t)at * (size_t)g->rows.stills;
        for (int k = 0; k < g->rows.stills; k++) dx[g->rows.still[k]] = value[k];
        g->view.rhs_rows -= g->rows.stills;
        return m->fn->eval(m->instance, t, x, &live, dx, fault);
    }
    const Status status = m->fn->eval(m->instance, t, x, rows, dx, fault);
    if (status != STATUS_OK) return status;
    at = g->rows.count++ % STILLS;
    g->rows.time[at] = t;
    for (int k = 0; k < g->rows.stills; k++)
        g->rows.value[(size_t)at * (size_t)g->rows.stills + (size_t)k] =
            dx[g->rows.still[k]];
    return STATUS_OK;
}

static Status rest_eval(void *instance, double t, const double *x, const Selection *rows,
                        double *dx, Fault *fault) {
    RateGroup   *g = instance;
    const Model *m = &g->worker->model;
    const bool   set = g->rows.stills > 0 && rows == &g->view.rows;
    if (g->between) { /* the first level, all rows */
        memmove(g->space->x, x, sizeof(double) * (size_t)m->nx);
        timeline_values(g, t, g->space->x);
        return m->fn->eval(m->instance, t, g->space->x, rows, dx, fault);
    }
    const Selection awake = {SELECT_LIST, 0, g->n - g->part.rests, g->part.awake};
    if (rows->kind == SELECT_ALL && partition_many(g, g->part.rests)) {
        rows = &awake;
        g->view.rhs_rows -= g->part.rests;
    }
    const Status status = set ? eval_set(g, t, x, rows, dx, fault)
                              : m->fn->eval(m->instance, t, x, rows, dx, fault);
    if (g->space->check && rows->kind != SELECT_ALL && status == STATUS_OK)
        compare(g, t, x, rows, dx, fault);
    for (int k = 0; k < g->part.rests; k++) dx[g->part.rest[k]] = 0.0;
    return status;
}

/* Small steps lie inside an attempt. If no input comes and goes in that, none does in them. */
static bool rest_moves(void *instance, Range piece, InputSearch *search, InputMove *out) {
    const RateGroup *g = instance;
    const Model     *m = &g->worker->model;
    if (g->parent && ode_attempt_calm(g->parent->ode)) return false;
    return m->fn->moves(m->instance, piece, search, out);
}

static void rest_total(void *instance, TotalKind kind, double *value, int n) {
    const RateGroup *g = instance;
    const Model     *m = &g->worker->model;
    m->fn->total(m->instance, kind, value, n);
}

static Status rest_tangent(void *instance, double t, const double *x,
                           const Selection *rows, int seeds, const double *seed,
                           double *out, Fault *fault) {
    RateGroup   *g = instance;
    const Model *m = &g->worker->model;
    const Status status =
        m->fn->tangent(m->instance, t, x, rows, seeds, seed, out, fault);
    for (int s = 0; s < seeds; s++)
        for (int k = 0; k < g->part.rests; k++)
            out[(size_t)s * m->nx + g->part.rest[k]] = 0.0;
    return status;
}

static Status rest_jacobian(void *instance, double t, const double *x,
                            const Selection *columns, double *value, Fault *fault) {
    RateGroup   *g = instance;
    const Rate  *r = g->rate;
    const Model *m = &g->worker->model;
    const Status status = m->fn->jacobian(m->instance, t, x, columns, value, fault);
    for (int k = 0; k < g->part.rests; k++)
        for (int e = r->row_start[g->part.rest[k]]; e < r->row_start[g->part.rest[k] + 1];
             e++)
            value[r->row_entry[e]] = 0.0;
    return status;
}

static Status rest_time(void *instance, double t, const double *x, const Selection *rows,
                        double *dt, Fault *fault) {
    RateGroup   *g = instance;
    const Model *m = &g->worker->model;
    const Status status = m->fn->time_derivative(m->instance, t, x, rows, dt, fault);
    for (int k = 0; k < g->part.rests; k++) dt[g->part.rest[k]] = 0.0;
    return status;
}

Status group_rest(RateGroup *g) {
    int  count = 0, others = 0;
    bool changed = false;
    for (int i = 0; i < g->n; i++) {
        if (g->part.fast[i] != 2) {
            g->part.awake[others++] = g->state[i];
            continue;
        }
        changed = changed || count >= g->part.rests || g->part.rest[count] != g->state[i];
        g->part.rest[count++] = g->state[i];
    }
    changed = changed || count != g->part.rests;
    g->part.rests = count;
    if (changed) {
        ode_renew(g->ode);
    }
    return STATUS_OK;
}

/* ---- boundary -------------------------------------------------------------------------- */

void group_boundary(void *owner, double t, double *x) {
    const RateGroup *g = owner;
    Workspace       *w = g->space;
    if (w->holder == g && w->holder_time == t) return; /* once per stage */
    for (int b = 0; b < g->bound.near; b++) x[g->bound.state[b]] = group_bound(g, b, t);
    watch_feed(g, t, x);
    w->holder = g;
    w->holder_time = t;
}

int group_find(const int *list, int n, int value) {
    int low = 0, high = n - 1;
    while (low <= high) {
        const int middle = (low + high) / 2;
        if (list[middle] == value) return middle;
        if (list[middle] < value) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}

int group_curve(const RateGroup *g, int q, double h, double *c) {
    return ode_attempt_curve(g->ode, q, h, c);
}

/* Its value and slope at a share theta of the attempt. */
double group_curve_at(const RateGroup *g, int q, double h, double theta, double *slope) {
    double    c[COEFFICIENT], value = 0.0, rise = 0.0;
    const int powers = group_curve(g, q, h, c);
    for (int k = powers; k > 0; k--) {
        value = (value + c[k]) * theta;
        rise = rise * theta + k * c[k];
    }
    *slope = rise / h;
    return value + c[0];
}

/* Of the Jacobian of a group below the first level, by states; 0 if it has no such entry. */
static double packed_entry(const RateGroup *g, const double *jacobian, int row,
                           int column) {
    const Pattern *p = g->view.pattern;
    const int      i = group_find(g->state, g->n, row);
    const int      j = group_find(g->state, g->n, column);
    if (i < 0 || j < 0) return 0.0;
    for (int e = p->start[j]; e < p->start[j + 1]; e++)
        if (p->row[e] == i) return jacobian[e];
    return 0.0;
}

double group_diagonal(const RateGroup *g, int state) {
    const double *jacobian = ode_jacobian(g->ode);
    const int     entry = g->rate->diagonal[state];
    if (!jacobian || entry < 0) return 0.0;
    return g->parent ? packed_entry(g, jacobian, state, state) : jacobian[entry];
}

double group_jacobian(const RateGroup *g, int k, int state) {
    const Rate   *r = g->rate;
    const double *jacobian = ode_jacobian(g->ode);
    if (!jacobian) return 0.0;
    return g->parent ? packed_entry(g, jacobian, state, r->row_column[k])
                     : jacobian[r->row_entry[k]];
}

double group_share(const RateGroup *g, double h, int e, int i) {
    const double *weight = ode_tolerance(g->ode).weight;
    const int     j = g->view.pattern->row[e];
    const double  a = fmax(0.0, -group_diagonal(g, g->state[j]));
    return h * fabs(ode_jacobian(g->ode)[e]) / (1.0 + h * a) * weight[j] / weight[i];
}

/* ---- building -------------------------------------------------------------------------- */

static bool pack_pattern(RateGroup *g, const RateGroup *base) {
    const Pattern *p = g->rate->pattern;
    int            most = 0;
    for (int j = 0; j < g->n; j++)
        most += p->start[g->state[j] + 1] - p->start[g->state[j]];
    int *start = malloc(sizeof(int) * (size_t)(g->n + 1));
    int *row = malloc(sizeof(int) * (size_t)(most + 1)),
        *entry = malloc(sizeof(int) * (size_t)(most + 1));
    g->view.entry = entry;
    g->view.pattern = malloc(sizeof(Pattern));
    if (!start || !row || !entry || !g->view.pattern) {
        free(start), free(row), free(g->view.pattern);
        g->view.pattern = NULL;
        return false;
    }
    reach_pack(g, base, start, row, entry);
    *g->view.pattern = (Pattern){g->n, g->n, start, row};
    return true;
}

/* Some models keep what did not change themselves. */
static bool split_rows(RateGroup *g) {
    const Pattern *p = g->view.pattern;
    int           *reads = g->space->read;
    if (g->rate->model->flags & (MODEL_WHOLE | MODEL_KEEPS)) return true;
    for (int e = 0; e < p->start[g->n]; e++) reads[p->row[e]]++;
    for (int i = 0; i < g->n; i++) g->rows.stills += reads[i] == 0;
    g->rows.lives = g->n - g->rows.stills;
    if (g->rows.stills > 0) {
        g->rows.live = malloc(sizeof(int) * (size_t)g->n);
        g->rows.value = malloc(sizeof(double) * (size_t)g->rows.stills * STILLS);
    }
    const bool ok = g->rows.stills == 0 || (g->rows.live && g->rows.value);
    g->rows.still = g->rows.live ? g->rows.live + g->rows.lives : NULL;
    for (int i = 0, live = 0, still = 0; i < g->n; i++) {
        if (ok && g->rows.stills > 0 && reads[i] > 0) g->rows.live[live++] = g->state[i];
        else if (ok && g->rows.stills > 0) g->rows.still[still++] = g->state[i];
        reads[i] = 0;
    }
    return ok;
}

static bool make_view(RateGroup *g, const RateGroup *base) {
    const size_t          n = (size_t)g->n + 1;
    View                 *v = &g->view;
    const ModelFunctions *fn = g->model.fn;
    *v = (View){.model = &g->model, .n = g->n, .fault = fault_none()};
    v->rows = (Selection){SELECT_LIST, 0, g->n, g->state};
    v->boundary = group_boundary;
    v->owner = g;
    v->base = calloc(3 * n, sizeof(double));
    v->moved = v->base + n;
    v->step = v->moved + n;
    if (!v->base || !pack_pattern(g, base) || !split_rows(g)) return false;
    if (!fn->jacobian && !colour_columns(v->pattern, &v->colouring)) return false;
    return true;
}

static bool make_arrays(RateGroup *g, const int *list, const int *watch) {
    const size_t b = (size_t)g->bound.count + 1, w = (size_t)g->watch.count + 1;
    g->bound.state = malloc(sizeof(int) * (2 * b + 2 * w));
    g->bound.origin =
        malloc(sizeof(double) * (b * (2 + COEFFICIENT) + 11 * w + (size_t)g->n));
    if (!g->bound.state || !g->bound.origin) return false;
    g->bound.powers = g->bound.state + b;
    g->watch.state = g->bound.powers + b;
    g->watch.bound = g->watch.state + w;
    g->bound.inverse = g->bound.origin + b;
    g->bound.coefficient = g->bound.inverse + b;
    g->watch.defect = g->bound.coefficient + b * COEFFICIENT;
    g->watch.drift = g->watch.defect + w;
    g->watch.damping = g->watch.drift + w;
    g->watch.scale = g->watch.damping + w;
    g->watch.drift_before = g->watch.scale + w;
    g->watch.part_before = g->watch.drift_before + w;
    g->watch.rise_before = g->watch.part_before + w;
    g->watch.half = g->watch.rise_before + w;
    g->watch.now = g->watch.half + w;
    g->watch.seen = g->watch.now + w;
    g->watch.seen_slope = g->watch.seen + w;
    g->middle = g->watch.seen_slope + w;
    memcpy(g->bound.state, list, sizeof(int) * (size_t)g->bound.count);
    memcpy(g->watch.state, watch, sizeof(int) * (size_t)g->watch.count);
    for (int k = 0; k < g->watch.count; k++) {
        int at = group_find(g->bound.state, g->bound.near, watch[k]);
        if (at < 0)
            at = g->bound.near + group_find(g->bound.state + g->bound.near,
                                            g->bound.count - g->bound.near, watch[k]);
        g->watch.bound[k] = at;
    }
    return true;
}

/* t, x: of the first level, where it begins; others are placed for every run. */
static Ode *make_ode(RateGroup *g, double t, const double *x) {
    const Rate *r = g->rate;
    OdeOptions  options = r->options.ode;
    double     *packed = NULL;
    Status      status;
    options.shared = r->method[g->level];
    if (g->parent) options.h_first = 0.0;
    for (int k = 0; k < g->level; k++) options.h_fixed /= RATE_FIXED;
    if (options.atols) {
        packed = malloc(sizeof(double) * (size_t)(g->n + 1));
        if (!packed) return NULL;
        for (int i = 0; i < g->n; i++) packed[i] = options.atols[g->state[i]];
        options.atols = packed;
    }
    Ode *o = ode_new(&g->view, &options, t, x, &status);
    free(packed);
    if (!o) {
        if (!g->parent) g->rate->status = status;
        return NULL;
    }
    if (r->levels > 1) ode_review(o, refine_review, g);
    if (r->levels > 1) ode_rescue(o, refine_rescue);
    return o;
}

/* Boundary, watched rows and pattern of a set, from those of base. */
static bool fill(RateGroup *g, const RateGroup *base) {
    const Rate *r = g->rate;
    Workspace  *w = g->space;
    int        *list = w->bound, *watch = w->list + r->n + 1;
    for (int i = 0; i < g->n; i++) w->place[g->state[i]] = i;
    const bool ok = reach_find(g, base, list, watch) && make_view(g, base) &&
                    make_arrays(g, list, watch);
    for (int i = 0; i < g->n; i++) w->place[g->state[i]] = -1;
    g->view.x = w->x;
    g->view.dx = w->dx;
    g->view.value = w->value;
    g->view.seed = w->seed;
    g->view.out = w->out;
    return ok;
}

/* Without its integrator. */
static RateGroup *build(Worker *w, RateGroup *parent, int level, const int *state, int n,
                        const RateGroup *base) {
    Rate      *r = w->rate;
    RateGroup *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->rate = r;
    g->worker = w;
    g->parent = parent;
    g->level = level;
    g->n = n;
    g->space = &w->space[level];
    g->model = w->model;
    g->model.fn = parent ? &r->part_functions : &r->functions;
    g->model.pattern = r->pattern;
    g->model.instance = g;
    g->state = malloc(sizeof(int) * (size_t)(3 * n + 3));
    g->part.fast = calloc((size_t)n + 1, 1);
    g->part.size = calloc((size_t)n + 1, sizeof(float));
    g->part.natural = calloc(2 * (size_t)n + 2, sizeof(float));
    g->part.stable = g->part.natural + n + 1;
    bool ok = g->state && g->part.fast && g->part.size && g->part.natural;
    if (ok) {
        memcpy(g->state, state, sizeof(int) * (size_t)n);
        g->part.rest = g->state + n + 1;
        g->part.awake = g->part.rest + n + 1;
        ok = parent ? fill(g, base) : view_init(&g->view, &g->model, NULL) == STATUS_OK;
    }
    if (ok && event_list(g)) return g;
    group_free(g);
    return NULL;
}

static RateGroup *with_ode(RateGroup *g, double t, const double *x) {
    if (g) g->ode = make_ode(g, t, x);
    if (!g || g->ode) return g;
    group_free(g);
    return NULL;
}

RateGroup *group_first(Worker *w, double t, const double *x) {
    int *all = w->space[0].keep;
    for (int i = 0; i < w->rate->n; i++) all[i] = i;
    w->stats.selections++;
    return with_ode(build(w, NULL, 0, all, w->rate->n, NULL), t, x);
}

void group_free(RateGroup *g) {
    if (!g) return;
    ode_free(g->ode);
    if (g->parent) {
        View *v = &g->view;
        if (v->pattern) free((void *)v->pattern->start), free((void *)v->pattern->row);
        free(v->pattern), free(v->entry), free(v->base);
        colouring_free(&v->colouring);
    } else {
        view_free(&g->view);
    }
    if (g->space->holder == g) g->space->holder = NULL;
    free(g->rows.live), free(g->rows.value), free(g->reach.state);
    free(g->events.crossing), free(g->events.crept_x), free(g->state), free(g->part.fast),
        free(g->part.size), free(g->bound.state), free(g->bound.origin),
        free(g->part.natural);
    free(g);
}

void group_add(OdeStatistics *t, const OdeStatistics *s) {
    t->steps_rejected += s->steps_rejected;
    t->rhs_calls += s->rhs_calls;
    t->rhs_rows += s->rhs_rows;
    t->jacobians += s->jacobians;
    t->factorizations += s->factorizations;
    t->refactorizations += s->refactorizations;
    t->solves += s->solves;
    if (s->fill > t->fill) t->fill = s->fill;
    t->newton_iterations += s->newton_iterations;
    t->newton_failures += s->newton_failures;
    t->stages_implicit += s->stages_implicit;
    t->method_changes += s->method_changes;
}

void group_count(const RateGroup *g, RateStatistics *stats) {
    const OdeStatistics s = ode_statistics(g->ode);
    group_add(&stats->total, &s);
    stats->rhs_rows[g->level] += s.rhs_rows;
}

/* The kept selection that differs least from a set, if by less than half of it. */
static const RateGroup *nearest(const Worker *w, const int *state, int n) {
    const RateGroup *best = NULL;
    int              least = n / 2;
    for (int k = 0; k < CACHE && w->cache[k] && least > 0; k++) {
        if (abs(w->cache[k]->n - n) >= least) continue;
        const int apart = reach_apart(w->cache[k], state, n, least);
        if (apart < least) least = apart, best = w->cache[k];
    }
    return best;
}

RateGroup *group_get(Worker *w, RateGroup *parent, int level, const int *state, int n) {
    RateStatistics *stats = &w->stats;
    const uint64_t  hash =
        hash_mix(hash_bytes(state, sizeof(int) * (size_t)n) + (uint64_t)level) ^
        (level > 1 ? parent->hash : 0); /* what is watched depends on the parent's set */
    int victim = -1;
    for (int k = 0; k < CACHE; k++) {
        RateGroup *g = w->cache[k];
        if (!g) {
            victim = k;
            break;
        }
        if (!g->busy && g->hash == hash && g->level == level && g->n == n &&
            memcmp(g->state, state, sizeof(int) * (size_t)n) == 0) {
            g->parent = parent;
            g->stamp = ++stats->cache_hits + stats->selections;
            return g;
        }
        if (!g->busy && (victim < 0 || g->stamp < w->cache[victim]->stamp)) victim = k;
    }
    const RateGroup *base = w->rate->options.anew ? NULL : nearest(w, state, n);
    RateGroup       *g = build(w, parent, level, state, n, base);
    g = with_ode(g, 0.0, w->space[level].x);
    if (!g) return NULL;
    g->hash = hash;
    g->stamp = ++stats->selections + stats->cache_hits;
    stats->derived += base != NULL;
    if (victim < 0) { /* everything is in use: deeper than the cache is wide */
        group_free(g);
        return NULL;
    }
    if (w->cache[victim]) {
        group_count(w->cache[victim], stats);
        group_free(w->cache[victim]);
    }
    w->cache[victim] = g;
    return g;
}

void group_forget(Rate *r) {
    for (int k = 0; k < r->threads; k++) {
        Worker *w = &r->worker[k];
        for (int q = 0; q < CACHE && w->cache[q]; q++) {
            group_count(w->cache[q], &w->stats);
            group_free(w->cache[q]);
            w->cache[q] = NULL;
        }
    }
}

void group_functions(Rate *r) {
    const ModelFunctions *fn = r->model->fn;
    r->functions = (ModelFunctions){.eval = rest_eval};
    if (fn->moves) r->functions.moves = rest_moves;
    if (fn->total) r->functions.total = rest_total;
    if (fn->tangent) r->functions.tangent = rest_tangent;
    if (fn->jacobian) r->functions.jacobian = rest_jacobian;
    if (fn->time_derivative) r->functions.time_derivative = rest_time;
    r->part_functions = r->functions;
    if (r->model->flags & MODEL_WHOLE) r->part_functions.jacobian = NULL;
}
