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
    r->natural = malloc(sizeof(float) * ((size_t)n + 1));
    if (!r->row_start || !r->row_column || !r->row_entry || !r->diagonal || !r->weight ||
        !r->natural)
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
    for (int i = 0; i < n; i++) r->heavy += r->row_start[i + 1] - r->row_start[i] > HEAVY;
    for (int i = 0; i < n; i++) {
        r->weight[i] = 1.0f + 0.1f * (float)(r->row_start[i + 1] - r->row_start[i]);
        r->natural[i] = 60.0f;
    }
    return true;
}

static bool make_space(Rate *r, Workspace *w) {
    const size_t n = (size_t)r->n + 1;
    w->x = calloc(6 * n, sizeof(double));
    w->value = malloc(sizeof(double) * ((size_t)pattern_entries(r->pattern) + 1));
    w->place = malloc(sizeof(int) * 14 * n);
    if (!w->x || !w->value || !w->place) return false;
    w->dx = w->x + n;
    w->seed = w->dx + n;
    w->out = w->seed + n;
    w->result = w->out + n;
    w->correction = w->result + n;
    int  *p = w->place + n;
    int **each[] = {&w->owner, &w->up,     &w->part, &w->joined, &w->fast_list,
                    &w->keep,  &w->merged, &w->done, &w->fix};
    for (int i = 0; i < LENGTH(each); i++) *each[i] = p, p += n;
    w->list = p; /* 2 n */
    for (size_t i = 0; i < n; i++) w->place[i] = w->owner[i] = -1;
    if (!r->options.check) return true;
    w->check = malloc(sizeof(double) * n);
    return w->check != NULL;
}

/* Chosen while running: the first level as in single rate, the small systems of the other
 * levels with a method that is good at few states. */
static bool make_methods(Rate *r) {
    const char *name = r->options.ode.method;
    const bool  chosen = !name || strcmp(name, "auto") == 0;
    for (int k = chosen ? 1 : 0; k < r->levels; k++) {
        const char *own = k > 0 && r->options.inner ? r->options.inner
                          : chosen                  ? "rodas4"
                                                    : name;
        for (int q = 0; q < k && !r->method[k]; q++)
            if (r->method[q] && strcmp(r->method[q]->name, own) == 0)
                r->method[k] = r->method[q];
        if (!r->method[k]) r->method[k] = method_new(own);
        if (!r->method[k]) return false;
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
    r->levels = r->options.rates == 0 ? 3 : r->options.rates;
    if (r->levels > RATE_LEVELS) r->levels = RATE_LEVELS;
    r->pattern = model->pattern;
    if (!r->pattern) r->pattern = r->own_pattern = pattern_full(r->n);
    bool ok = r->pattern && by_rows(r);
    for (int k = 0; ok && k < r->levels; k++) ok = make_space(r, &r->space[k]);
    ok = ok && event_setup(r);
    if (ok && !make_methods(r)) {
        *status = STATUS_ARGUMENT;
        ok = false;
    }
    if (ok) {
        int *all = r->space[0].keep;
        for (int i = 0; i < r->n; i++) all[i] = i;
        group_functions(r);
        r->root = group_get(r, NULL, 0, all, r->n);
        if (!r->root) *status = r->status != STATUS_OK ? r->status : STATUS_NO_MEMORY;
        ok = r->root != NULL;
    }
    if (!ok) {
        rate_free(r);
        return NULL;
    }
    memcpy(r->root->ode->y, x, sizeof(double) * (size_t)r->n);
    r->root->ode->t = r->root->ode->t_last = t;
    r->root->ode->options.h_first = r->options.ode.h_first;
    r->root->until_review = 4;
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
    for (int k = 0; k < CACHE; k++) group_free(r->cache[k]);
    for (int k = 0; k < RATE_LEVELS; k++) {
        bool shared = false;
        for (int q = 0; q < k; q++) shared = shared || r->method[q] == r->method[k];
        if (!shared) method_free(r->method[k]);
        Workspace *w = &r->space[k];
        free(w->x), free(w->value), free(w->place), free(w->check);
    }
    store_free(&r->store);
    event_free(r);
    free(r->row_start), free(r->row_column), free(r->row_entry), free(r->diagonal);
    free(r->weight), free(r->natural);
    pattern_free(r->own_pattern);
    free(r);
}

Status rate_step(Rate *r, double limit) {
    Group *g = r->root;
    int    event = 0;
    r->store.pieces = r->store.values = r->store.ids = 0;
    if (r->cones) event_save(g);
    Status status = ode_step(g->ode, limit);
    if (status == STATUS_OK && r->events && !r->cones) status = event_find(g, &event);
    if (status == STATUS_OK && event > 0) status = event_fire(g);
    if (status != STATUS_OK) {
        r->fault = *ode_fault(g->ode);
        return status;
    }
    event_tell(r);
    r->stats.steps[0]++;
    r->stats.state_steps[0] += r->n;
    if (r->options.trace) {
        const RateTrace step = {0, g->ode->t_last, g->ode->t - g->ode->t_last, r->n,
                                NULL};
        r->options.trace(r->options.owner, &step);
    }
    const double most = r->options.ode.h_max > 0.0 ? r->options.ode.h_max : 1e30;
    partition_review(g, g->ode->t - g->ode->t_last, most);
    return STATUS_OK;
}

Status rate_restart(Rate *r, double t, const double *x) {
    Group *g = r->root;
    r->store.pieces = r->store.values = r->store.ids = 0;
    partition_forget(g);
    const Status status = ode_restart(g->ode, t, x);
    if (status != STATUS_OK) r->fault = *ode_fault(g->ode);
    return status;
}

Status rate_advance(Rate *r, double to, bool stop) {
    const long most = r->options.ode.max_steps > 0 ? r->options.ode.max_steps : 10000000;
    const double far = stop ? to : HUGE_VAL;
    for (long i = 0; r->root->ode->t < to; i++) {
        if (i >= most) return STATUS_TOO_MANY;
        const Status status = rate_step(r, far);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

Status rate_dense(Rate *r, double t, double *x) {
    const Status status = ode_dense(r->root->ode, t, x);
    if (status == STATUS_OK && t != r->root->ode->t && t != r->root->ode->t_last)
        store_values(&r->store, t, x);
    return status;
}

int rate_levels(const Rate *r) {
    return r->levels;
}
double rate_time(const Rate *r) {
    return r->root->ode->t;
}
double rate_time_last(const Rate *r) {
    return r->root->ode->t_last;
}
const double *rate_state(const Rate *r) {
    return r->root->ode->y;
}
const char *rate_method(const Rate *r) {
    return ode_method(r->root->ode);
}
const Fault *rate_fault(const Rate *r) {
    return &r->fault;
}

RateStatistics rate_statistics(const Rate *r) {
    RateStatistics s = r->stats;
    OdeStatistics *t = &s.total;
    for (int k = -1; k < CACHE; k++) {
        const Group *g = k < 0 ? r->root : r->cache[k];
        if (g) group_count(g, t);
    }
    for (int k = 0; k < RATE_LEVELS; k++) {
        t->steps_accepted += s.steps[k];
        t->state_steps += s.state_steps[k];
    }
    return s;
}
