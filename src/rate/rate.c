/* SPDX-License-Identifier: Apache-2.0 */
/* rate.c -- the multi-rate integrator: set-up, steps, output, statistics.
 *
 * The first level is a group of all states; its integrator takes the large steps and calls
 * refine.c for every attempt. With one level nothing is refined and this is single rate. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/group.h"

static bool by_rows(Rate *r) {
    const Pattern *p = r->pattern;
    const int      n = r->n, entries = pattern_entries(p);
    r->row_start = calloc((size_t)n + 2, sizeof(int));
    r->row_column = malloc(sizeof(int) * ((size_t)entries + 1));
    r->row_entry = malloc(sizeof(int) * ((size_t)entries + 1));
    r->diagonal = malloc(sizeof(int) * ((size_t)n + 1));
    r->weight = malloc(sizeof(float) * ((size_t)n + 1));
    if (!r->row_start || !r->row_column || !r->row_entry || !r->diagonal || !r->weight)
        return false;
    for (int e = 0; e < entries; e++) r->row_start[p->row[e] + 2]++;
    for (int i = 0; i < n; i++) r->row_start[i + 2] += r->row_start[i + 1];
    for (int j = 0; j < n; j++) {
        r->diagonal[j] = -1;
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            const int at = r->row_start[p->row[e] + 1]++;
            r->row_column[at] = j;
            r->row_entry[at] = e;
            if (p->row[e] == j) r->diagonal[j] = e;
        }
    }
    r->light = HEAVY;
    for (int i = 0; i < n; i++) r->heavy += r->row_start[i + 1] - r->row_start[i] > HEAVY;
    for (int i = 0; i < n; i++)
        r->weight[i] = 1.0f + 0.1f * (float)(r->row_start[i + 1] - r->row_start[i]);
    return true;
}

static bool make_space(Rate *r, Workspace *w) {
    const size_t n = (size_t)r->n + 1;
    w->x = calloc(5 * n, sizeof(double));
    w->value = malloc(sizeof(double) * ((size_t)pattern_entries(r->pattern) + 1));
    w->place = malloc(sizeof(int) * 15 * n);
    w->near = calloc(3 * n, sizeof(int));
    w->listed = calloc(n, 1);
    if (!w->x || !w->value || !w->place || !w->near || !w->listed) return false;
    w->read = w->near + n;
    w->far = w->read + n;
    CUT(w->x + n, n, &w->dx, &w->seed, &w->out, &w->correction);
    int  *p = w->place + n;
    int **each[] = {&w->owner,  &w->up,   &w->part, &w->joined, &w->keep,
                    &w->merged, &w->done, &w->fix,  &w->fix_by, &w->bound};
    for (int i = 0; i < LENGTH(each); i++) *each[i] = p, p += n;
    w->list = p; /* 2 n */
    for (size_t i = 0; i < n; i++) w->place[i] = w->owner[i] = -1;
    if (!r->options.check) return true;
    w->check = malloc(sizeof(double) * n);
    return w->check != NULL;
}

/* One worker is the caller; more need instances of their own. */
static bool make_workers(Rate *r) {
    const Model *m = r->model;
    const int    wanted =
        r->options.threads > 1 && m->fn->twin && r->levels > 1 && !r->options.check
               ? r->options.threads
               : 1;
    r->worker = calloc((size_t)wanted, sizeof(Worker));
    if (!r->worker) return false;
    for (int k = 0; k < wanted; k++) {
        Worker *w = &r->worker[k];
        w->rate = r;
        w->model = *m;
        w->fault = fault_none();
        if (k > 0) w->model.instance = m->fn->twin(m->instance, NULL);
        if (!w->model.instance && m->instance) break; /* the model has no more */
        r->threads = k + 1;
        for (int level = k > 0; level < r->levels; level++)
            if (!make_space(r, &w->space[level])) return false;
    }
    if (r->threads > 1) r->pool = pool_new(r->threads);
    return r->threads == 1 || r->pool;
}

/* Discrete values changed. */
static void refresh_workers(Rate *r) {
    const Model *m = r->model;
    Journal     *j = r->worker[0].journal;
    if (j) journal_to(j, HUGE_VAL);
    if (j) r->followed = j->count;
    for (int k = 1; k < r->threads; k++)
        m->fn->twin(m->instance, r->worker[k].model.instance);
}

static void free_workers(Rate *r) {
    pool_free(r->pool);
    for (int k = 0; k < r->threads; k++) {
        Worker *w = &r->worker[k];
        for (int q = 0; q < CACHE; q++) group_free(w->cache[q]);
        for (int level = 0; level < RATE_LEVELS; level++) {
            Workspace *s = &w->space[level];
            free(s->x), free(s->value), free(s->place), free(s->check);
            free(s->near), free(s->listed);
            free(s->cluster), free(s->cluster_before);
        }
        store_free(&w->store);
        free(w->outcomes.id), free(w->outcomes.value);
        free(w->outcomes.sign), free(w->outcomes.change), free(w->outcomes.fired);
        if (k > 0 && r->model->fn->twin_free) r->model->fn->twin_free(w->model.instance);
    }
    free(r->worker);
}

static bool is_auto(const char *name) {
    return !name || strcmp(name, "auto") == 0;
}

/* Of the small systems below the first level, which begin anew in every large step: there is no time to
 * try methods, so the tolerance decides. Steps of high order are as costly as those of few states can
 * be, and pay where many digits are asked for. */
static const char *method_below(double rtol) {
    return rtol > 0.0 && rtol < 1e-6 ? "radauIIA4" : "rodas4";
}

/* Chosen while running: the first level as in single rate, the small systems of the other
 * levels with a method that is good at few states. */
static bool make_methods(Rate *r, Status *status) {
    const char *own = r->options.ode.method;
    const bool  chosen = is_auto(own);
    for (int k = chosen ? 1 : 0; k < r->levels; k++) {
        if (k > 0 && r->options.below[k - 1]) own = r->options.below[k - 1];
        if (is_auto(own)) own = method_below(r->options.ode.rtol);
        for (int q = 0; q < k && !r->method[k]; q++)
            if (r->method[q] && strcmp(r->method[q]->name, own) == 0)
                r->method[k] = r->method[q];
        if (!r->method[k]) r->method[k] = methods_take(r->options.ode.pool, own);
        if (r->method[k]) continue;
        *status = method_known(own) ? STATUS_NO_MEMORY : STATUS_ARGUMENT;
        return false;
    }
    return true;
}

Rate *rate_new(const Model *model, const RateOptions *options, double t, const double *x,
               Status *status) {
    Rate *r = calloc(1, sizeof *r);
    *status = STATUS_NO_MEMORY;
    if (!r) return NULL;
    r->model = model;
    if (options) r->options = *options;
    r->n = model->nx;
    r->levels = partition_levels(model, &r->options);
    r->pattern = model->pattern;
    if (!r->pattern) r->pattern = r->own_pattern = pattern_full(r->n);
    bool ok = r->pattern && event_choose(r) && by_rows(r) && make_workers(r) &&
              event_setup(r) && make_methods(r, status);
    if (ok) {
        group_functions(r);
        r->root = group_first(&r->worker[0], t, x);
        if (!r->root) *status = r->status != STATUS_OK ? r->status : STATUS_NO_MEMORY;
        ok = r->root != NULL;
    }
    if (!ok) {
        rate_free(r);
        return NULL;
    }
    r->root->part.until_review = 4;
    r->root->part.noted_time = NAN;
    for (int i = 0; i < r->n; i++)
        r->root->part.natural[i] = r->root->part.stable[i] = ANY;
    if (r->events && (*status = event_refresh(r->root)) != STATUS_OK) {
        rate_free(r);
        return NULL;
    }
    if (r->options.partition) partition_review(r->root, 0.0, 1.0);
    *status = STATUS_OK;
    return r;
}

void rate_free(Rate *r) {
    if (!r) return;
    group_free(r->root);
    event_free(r);
    free_workers(r);
    timeline_free(&r->timeline);
    for (int k = 0; k < RATE_LEVELS; k++) {
        bool shared = false;
        for (int q = 0; q < k; q++) shared = shared || r->method[q] == r->method[k];
        if (!shared) methods_give(r->options.ode.pool, r->method[k]);
    }
    free(r->row_start), free(r->row_column), free(r->row_entry), free(r->diagonal);
    free(r->weight);
    pattern_free(r->own_pattern);
    free(r);
}

static void forget_steps(Rate *r) {
    r->root->space->clusters = 0;
    timeline_clear(&r->timeline);
    for (int k = 0; k < r->threads; k++) store_rewind(&r->worker[k].store, (Mark){0});
}

/* A step of the first level that finds its events itself, and *event: of an event at its end. Where an
 * event cannot be found, the step is taken back and repeated smaller. */
static Status step_to_event(RateGroup *g, double limit, int *event) {
    Ode         *o = g->ode;
    const double begin = ode_time(o), h = ode_next_step(o);
    double      *y = g->space->attempt;
    memcpy(y, ode_state(o), sizeof(double) * (size_t)g->n);
    for (int tries = 1;; tries++) {
        Status status = ode_step(o, fmin(limit, event_expected(g)));
        if (status == STATUS_OK) status = event_find(g, event);
        if (status != STATUS_RETRY || !g->rate->cones || tries > 8) return status;
        event_restore(g);
        status = ode_retreat(o, begin, y, ldexp(h, -2 * tries));
        if (status != STATUS_OK) return status;
    }
}

/* One rate judges its steps itself. Attempts are reviewed where states are fast, or may have been lately, and
 * where natural steps are wanted. */
static void watch_over(RateGroup *g) {
    const Rate *r = g->rate;
    const bool  idle = !g->part.refining && g->part.until_review > 0 &&
                      g->part.mixed == 0 && !r->cones && !r->options.partition;
    if (r->levels > 1) ode_review(g->ode, idle ? NULL : refine_review, g);
}

Status rate_step(Rate *r, double limit) {
    RateGroup *g = r->root;
    int        event = 0;
    watch_over(g);
    forget_steps(r);
    event_follow(r);
    if (r->events) event_save(g);
    r->why = STATUS_OK;
    const bool refined = g->part.refining;
    const bool here =
        r->events && (!r->cones || g->events.flat); /* events are found here */
    Status     status = here ? event_here(g, &event) : STATUS_OK;
    const bool at_once = event > 0;
    if (status == STATUS_OK && !at_once) {
        status = here ? step_to_event(g, limit, &event) : ode_step(g->ode, limit);
    }
    r->fresh = false;
    if (status == STATUS_OK && event > 0) {
        status = event_fire(g, at_once);
        refresh_workers(r);
    }
    if (r->why != STATUS_OK) return r->why;
    if (status != STATUS_OK) {
        r->fault = *ode_fault(g->ode);
        return status;
    }
    event_tell(r);
    const double begin = ode_time_last(g->ode), h = ode_time(g->ode) - begin;
    r->worker[0].stats.steps[0]++;
    r->worker[0].stats.state_steps[0] += r->n;
    if (r->options.trace) {
        clusters_trace(g);
        const RateTrace step = {
            0, begin, h, r->n, NULL, ode_running(g->ode)->order, group_worst(g)};
        r->options.trace(r->options.owner, &step);
    }
    if (r->levels > 1) work_account(r, h, refined);
    const double most = r->options.ode.h_max > 0.0 ? r->options.ode.h_max : 1e30;
    partition_review(g, h, most);
    return r->cones ? partition_events(g) : STATUS_OK;
}

bool rate_accurate(const Rate *r) {
    return event_dense_accurate(r->root);
}

Status rate_repeat(Rate *r, double t, double *end) {
    RateGroup *g = r->root;
    if (r->events) event_restore(g);
    ode_repeat(g->ode, t);
    Status status = rate_step(r, t);
    *end = rate_time(r);
    if (status == STATUS_OK && !(*end < t)) status = ode_find_slope(g->ode);
    if (status != STATUS_OK) r->fault = *ode_fault(g->ode);
    return status;
}

void rate_slide(Rate *r, double t) {
    ode_slide(r->root->ode, t);
}

Status rate_retreat(Rate *r, double t, const double *x, double h) {
    RateGroup *g = r->root;
    forget_steps(r);
    refresh_workers(r);
    partition_forget(g);
    r->fresh = true;
    Status status = ode_retreat(g->ode, t, x, h);
    partition_restart(g);
    if (status == STATUS_OK && r->cones) status = event_refresh(g);
    if (status != STATUS_OK) r->fault = *ode_fault(g->ode);
    return status;
}

Status rate_restart(Rate *r, double t, const double *x) {
    RateGroup *g = r->root;
    forget_steps(r);
    refresh_workers(r);
    partition_forget(g);
    r->fresh = true;
    Status status = ode_restart(g->ode, t, x);
    partition_restart(g);
    if (status == STATUS_OK && r->cones) status = event_refresh(g);
    if (status != STATUS_OK) r->fault = *ode_fault(g->ode);
    return status;
}

void rate_correct(Rate *r, const double *x) {
    forget_steps(r);
    refresh_workers(r);
    ode_correct(r->root->ode, x);
}

Status rate_advance(Rate *r, double to, bool stop) {
    const long most = r->options.ode.max_steps > 0 ? r->options.ode.max_steps : 10000000;
    const double far = stop ? to : HUGE_VAL;
    for (long i = 0; rate_time(r) < to; i++) {
        if (i >= most) return STATUS_TOO_MANY;
        const Status status = rate_step(r, far);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* What clusters know better replaces the values of the large step. Extra stages and sweeps of its
 * dense output are evaluated with that, too: the step's own fast values mean nothing. No state rests
 * then: those that would rest in the next step moved in this one. */
Status rate_dense(Rate *r, double t, double *x) {
    RateGroup *g = r->root;
    Ode       *o = g->ode;
    if (t == ode_time(o) || t == ode_time_last(o)) return ode_dense(o, t, x);
    const bool ready = ode_dense_known(o, g->space->listed);
    if (!ready) clusters_mark(g, g->space->listed, 1);
    g->between = true;
    const Status status = ode_dense(o, t, x);
    g->between = false;
    ode_dense_known(o, NULL);
    if (!ready) clusters_mark(g, g->space->listed, 0);
    if (status == STATUS_OK) timeline_values(g, t, x);
    return status;
}

const double *rate_slope(Rate *r, double *moment) {
    *moment = ode_moment(r->root->ode);
    return *moment > 0.0 ? ode_slope(r->root->ode) : NULL;
}

int rate_side(const Rate *r, int crossing) {
    if (!r->signs) return 0;
    return r->signs[crossing].z > 0.0 ? 1 : -1;
}

int rate_levels(const Rate *r) {
    return r->levels;
}
double rate_time(const Rate *r) {
    return ode_time(r->root->ode);
}
double rate_time_last(const Rate *r) {
    return ode_time_last(r->root->ode);
}
const double *rate_state(const Rate *r) {
    return ode_state(r->root->ode);
}
const char *rate_method(const Rate *r) {
    return ode_method(r->root->ode);
}
const Fault *rate_fault(const Rate *r) {
    return &r->fault;
}

static void add_counts(RateStatistics *to, const RateStatistics *s) {
    for (int k = 0; k < RATE_LEVELS; k++) {
        to->steps[k] += s->steps[k];
        to->state_steps[k] += s->state_steps[k];
        to->rhs_rows[k] += s->rhs_rows[k];
    }
    for (int k = 0; k < LENGTH(s->active); k++) to->active[k] += s->active[k];
    to->clusters += s->clusters;
    to->joined += s->joined;
    to->coupled += s->coupled;
    to->redone += s->redone;
    to->selections += s->selections;
    to->derived += s->derived;
    to->visits += s->visits;
    to->cache_hits += s->cache_hits;
    to->events += s->events;
    to->event_rounds += s->event_rounds;
    to->mismatches += s->mismatches;
}

RateStatistics rate_statistics(const Rate *r) {
    RateStatistics s = {.total = r->worker[0].stats.total};
    OdeStatistics *t = &s.total;
    group_count(r->root, &s);
    for (int w = 0; w < r->threads; w++) {
        add_counts(&s, &r->worker[w].stats);
        s.crossing_rows += r->worker[w].looking.rows;
        s.mismatches += r->worker[w].looking.mismatches;
        if (w > 0) group_add(t, &r->worker[w].stats.total);
        for (int k = 0; k < CACHE; k++)
            if (r->worker[w].cache[k]) group_count(r->worker[w].cache[k], &s);
    }
    for (int k = 0; k < RATE_LEVELS; k++) {
        t->steps_accepted += s.steps[k];
        t->state_steps += s.state_steps[k];
    }
    return s;
}

/* ---- as any integrator -------------------------------------------------------------------- */

static Status any_step(void *self, double limit) {
    return rate_step(self, limit);
}
static Status any_dense(void *self, double t, double *x) {
    return rate_dense(self, t, x);
}
static Status any_restart(void *self, double t, const double *x) {
    return rate_restart(self, t, x);
}
static Status any_correct(void *self, const double *x) {
    rate_correct(self, x);
    return STATUS_OK;
}
static Status any_retreat(void *self, double t, const double *x, double h) {
    return rate_retreat(self, t, x, h);
}
static bool any_accurate(const void *self) {
    return rate_accurate(self);
}
static Status any_repeat(void *self, double t, double *end) {
    return rate_repeat(self, t, end);
}
static void any_slide(void *self, double t) {
    rate_slide(self, t);
}
static double any_time(const void *self) {
    return rate_time(self);
}
static const double *any_state(const void *self) {
    return rate_state(self);
}
static const double *any_slope(void *self, double *moment) {
    return rate_slope(self, moment);
}
static double any_drift(const void *self) {
    (void)self;
    return 0.01; /* one-step methods hardly notice a correction */
}
static const Fault *any_fault(const void *self) {
    return rate_fault(self);
}
static OdeStatistics any_statistics(const void *self) {
    return rate_statistics(self).total;
}
static void any_free(void *self) {
    rate_free(self);
}

Integrator rate_integrator(Rate *rate) {
    /* clang-format off */
    static const IntegratorFunctions functions = {
        .step = any_step, .dense = any_dense, .restart = any_restart,
        .correct = any_correct, .retreat = any_retreat, .accurate = any_accurate, .repeat = any_repeat,
        .slide = any_slide, .time = any_time, .state = any_state,
        .slope = any_slope, .drift = any_drift, .fault = any_fault, .statistics = any_statistics,
        .free = any_free,
    };
    /* clang-format on */
    return (Integrator){&functions, rate};
}
