/* SPDX-License-Identifier: Apache-2.0 */
/* event.c -- crossings by cone: only what active states touch is looked at.
 *
 * A crossing belongs to the group that integrates the states it reads and the rows its event
 * changes; these are kept in one group. A level that can refine does not stop for events: a
 * crossing that would change sign over its step makes its states fast, and the group below
 * finds the time. There, after a small step, only the crossings of the group are evaluated
 * and only those that changed sign are located: on the step's polynomial by the Illinois
 * method first, then by repeating the step up to the time found, so that the time is as
 * accurate as the method and not as its dense output. The event is handled for that
 * crossing alone and only the group starts anew; all other groups keep step and factors.
 *
 * Without the patterns or the means to take discrete values back, or when asked to, events
 * are global: the first level looks at all crossings and starts anew as a whole.
 * Literature: Dowell, Jarratt 1971 (Illinois). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/group.h"

void event_choose(Rate *r) {
    const Model *m = r->model;
    r->events = m->nz > 0 && m->fn->crossings && m->fn->event;
    r->cones = r->events && m->reads && m->changes && r->levels > 1 &&
               !r->options.no_cones && (m->nd == 0 || m->fn->discrete);
    for (int j = 0; r->cones && j < m->nx; j++) /* a crossing must change what it reads */
        for (int e = m->reads->start[j]; r->cones && e < m->reads->start[j + 1]; e++) {
            const int k = m->reads->row[e], from = m->changes->start[k];
            r->cones = group_find(m->changes->row + from, m->changes->start[k + 1] - from,
                                  j) >= 0;
        }
}

bool event_setup(Rate *r) {
    const Model *m = r->model;
    if (!r->events) return true;
    r->z = calloc((size_t)(2 * m->nz + 1), sizeof(double));
    r->z_new = r->z ? r->z + m->nz : NULL;
    r->event_x = calloc((size_t)(3 * r->n + 1), sizeof(double));
    r->changed = calloc((size_t)(2 * m->nz + 1), sizeof(int));
    for (int k = 0; k < r->levels; k++) {
        Workspace *w = &r->worker[0].space[k];
        w->saved = calloc((size_t)(m->nz + m->nd + 1), sizeof(double));
        w->attempt = calloc((size_t)r->n + 1, sizeof(double));
        if (!w->saved || !w->attempt) return false;
    }
    return r->z && r->event_x && r->changed;
}

void event_free(Rate *r) {
    free(r->z), free(r->event_x), free(r->changed), free(r->fired);
    for (int k = 0; k < RATE_LEVELS && r->worker; k++)
        free(r->worker[0].space[k].saved), free(r->worker[0].space[k].attempt);
}

/* Crossings read by a set of states. */
int event_touched(const Rate *r, const int *state, int n, int *list) {
    const Pattern *p = r->model->reads;
    int            count = 0;
    for (int i = 0; i < n; i++)
        for (int e = p->start[state[i]]; e < p->start[state[i] + 1]; e++) {
            int at = count; /* few: insertion keeps the list ascending */
            while (at > 0 && list[at - 1] > p->row[e]) at--;
            if (at > 0 && list[at - 1] == p->row[e]) continue;
            memmove(list + at + 1, list + at, sizeof(int) * (size_t)(count - at));
            list[at] = p->row[e];
            count++;
        }
    return count;
}

int event_close(const Rate *r, int *list, int n, int *place) {
    const Model *m = r->model;
    for (int i = 0; i < n; i++) place[list[i]] = -2;
    for (int i = 0; i < n; i++) /* grows while it runs */
        for (int e = m->reads->start[list[i]]; e < m->reads->start[list[i] + 1]; e++) {
            const int k = m->reads->row[e];
            for (int q = m->changes->start[k]; q < m->changes->start[k + 1]; q++) {
                const int s = m->changes->row[q];
                if (place[s] == -2) continue;
                place[s] = -2;
                list[n++] = s;
            }
        }
    for (int i = 0; i < n; i++) place[list[i]] = -1;
    return n;
}

static Status evaluate(Group *g, double t, const double *y, const Selection *which) {
    Rate         *r = g->rate;
    const Model  *m = r->model;
    const double *x = y;
    if (g->parent) {
        double *full = g->space->x;
        group_boundary(g, t, full);
        for (int i = 0; i < g->n; i++) full[g->state[i]] = y[i];
        x = full;
    }
    g->worker->stats.crossing_rows += selection_count(which, m->nz);
    return m->fn->crossings(m->instance, t, x, which, r->z_new, &g->view.fault);
}

static Selection watched(const Group *g) {
    if (!g->parent) return (Selection){0};
    return (Selection){SELECT_LIST, 0, g->crossings, g->crossing};
}

/* All crossings of the group as they are now. */
Status event_refresh(Group *g) {
    Rate           *r = g->rate;
    const Selection which = watched(g);
    const Status    status = evaluate(g, g->ode->t, g->ode->y, &which);
    for (int k = 0, n = selection_count(&which, r->model->nz); k < n; k++)
        r->z[selection_row(&which, k)] = r->z_new[selection_row(&which, k)];
    return status;
}

static bool differs(double a, double b) {
    return (a < 0.0) != (b < 0.0);
}

/* Slow crossings of a group that can refine: those that change sign over the attempt. The
 * states they concern are added to list, which holds n states, ascending not needed. */
int event_ahead(Group *g, double t, int *list, int n) {
    Rate           *r = g->rate;
    const Model    *m = r->model;
    Workspace      *w = g->space;
    int            *slow = r->changed, count = 0;
    const Selection all = watched(g);
    for (int i = 0; i < n; i++) w->place[list[i]] = -2;
    for (int k = 0, nz = selection_count(&all, m->nz); k < nz; k++) {
        const int z = selection_row(&all, k);
        bool      fast = false;
        for (int e = m->changes->start[z]; e < m->changes->start[z + 1]; e++)
            fast = fast || w->place[m->changes->row[e]] == -2;
        if (!fast) slow[count++] = z;
    }
    const Selection which = {SELECT_LIST, 0, count, slow};
    const double   *y = g->ode->ynew;
    if (count > 0 && evaluate(g, t, y, &which) == STATUS_OK)
        for (int k = 0; k < count; k++) {
            const int z = slow[k];
            if (!differs(r->z[z], r->z_new[z])) continue;
            for (int e = m->changes->start[z]; e < m->changes->start[z + 1]; e++) {
                const int s = m->changes->row[e];
                if (w->place[s] == -2) continue;
                if (g->parent && group_find(g->state, g->n, s) < 0) continue;
                w->place[s] = -2;
                list[n++] = s;
            }
        }
    for (int i = 0; i < n; i++) w->place[list[i]] = -1;
    return n;
}

/* The slow crossings looked at by event_ahead get their values at the end of the step. Those
 * that changed sign only now, because their states were corrected, would be lost: the states
 * they concern are added to list, which holds n, and the new count is returned. */
int event_settle(Group *g, double t, const int *done, int dones, int *list, int n) {
    Rate        *r = g->rate;
    const Model *m = r->model;
    int *touched = r->changed + m->nz, count = event_touched(r, done, dones, touched);
    const Selection all = watched(g);
    int            *slow = r->changed, slows = 0, before = n, *place = g->space->place;
    for (int k = 0, nz = selection_count(&all, m->nz); k < nz; k++) {
        const int z = selection_row(&all, k);
        if (group_find(touched, count, z) < 0) slow[slows++] = z;
    }
    const Selection which = {SELECT_LIST, 0, slows, slow};
    if (slows == 0 || evaluate(g, t, g->ode->ynew, &which) != STATUS_OK) return n;
    for (int i = 0; i < n; i++) place[list[i]] = -2;
    for (int k = 0; k < slows; k++) {
        const int z = slow[k];
        if (!differs(r->z[z], r->z_new[z])) continue;
        for (int e = m->changes->start[z]; e < m->changes->start[z + 1]; e++) {
            const int s = m->changes->row[e];
            if (place[s] == -2) continue;
            if (g->parent && group_find(g->state, g->n, s) < 0) continue;
            place[s] = -2;
            list[n++] = s;
        }
    }
    for (int i = 0; i < n; i++) place[list[i]] = -1;
    for (int k = 0; k < slows && n == before; k++) r->z[slow[k]] = r->z_new[slow[k]];
    return n;
}

void event_save(Group *g) {
    Rate        *r = g->rate;
    const Model *m = r->model;
    g->space->saved_fired = r->fires;
    memcpy(g->space->saved, r->z, sizeof(double) * (size_t)m->nz);
    if (m->nd > 0) m->fn->discrete(m->instance, false, g->space->saved + m->nz);
}
void event_restore(Group *g) {
    Rate        *r = g->rate;
    const Model *m = r->model;
    r->fires = g->space->saved_fired;
    memcpy(r->z, g->space->saved, sizeof(double) * (size_t)m->nz);
    if (m->nd > 0) m->fn->discrete(m->instance, true, g->space->saved + m->nz);
}

/* Value of crossing z on the polynomial of the last step; no_cones: everything, as if the
 * model could not be asked for less. */
static double on_polynomial(Group *g, int z, double t) {
    Rate            *r = g->rate;
    const Selection  one = {SELECT_RANGE, z, 1, NULL}, all = {0};
    const Selection *which = r->options.no_cones ? &all : &one;
    const Status     status =
        g->parent ? ode_dense(g->ode, t, r->event_x) : rate_dense(r, t, r->event_x);
    if (status != STATUS_OK || evaluate(g, t, r->event_x, which) != STATUS_OK) return NAN;
    return r->z_new[z];
}

static double locate(Group *g, int z, double end_value, double *slope) {
    Rate  *r = g->rate;
    double a = g->ode->t_last, b = g->ode->t, fa = r->z[z], fb = end_value;
    for (int k = 0; k < 60 && b - a > 4.0 * DBL_EPSILON * fabs(b); k++) {
        double t = fa == fb ? 0.5 * (a + b) : b - fb * (b - a) / (fb - fa);
        if (!(t > a && t < b)) t = 0.5 * (a + b);
        const double f = on_polynomial(g, z, t);
        if (!isfinite(f)) break;
        const double gap = b - a;
        if (differs(f, fb) || f == 0.0) {
            *slope = (fb - f) / (b - t);
            a = t, fa = f;
            if (f == 0.0) return t;
            if (k % 2) fb *= 0.5;
        } else {
            *slope = (f - fa) / (t - a);
            b = t, fb = f;
            if (k % 2) fa *= 0.5;
        }
        if (fabs(f) < 1e-14 * fabs(end_value - r->z[z])) return t;
        if (b - a > 0.7 * gap && k > 6) fa *= 0.5, fb *= 0.5;
    }
    return b;
}

/* The step again from its beginning, to end at t. */
static Status repeat(Group *g, double begin, const double *y, double t) {
    Ode *o = g->ode;
    o->t = o->t_last = begin;
    if (!g->parent) clusters_take_back(g, (Mark){0});
    memcpy(o->y, y, sizeof(double) * (size_t)g->n);
    o->f_valid = o->history = o->jac_current = false;
    o->h = t - begin;
    while (o->t < t) {
        const Status status = ode_step(o, t);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

Status event_find(Group *g, int *count) {
    Rate           *r = g->rate;
    const Selection which = watched(g);
    Ode            *o = g->ode;
    const double    begin = o->t_last;
    double         *y = r->event_x + r->n, first = HUGE_VAL, slope = 0.0;
    int             found = -1;
    *count = 0;
    if (evaluate(g, o->t, o->y, &which) != STATUS_OK) return STATUS_RETRY;
    const int nz = selection_count(&which, r->model->nz);
    int       changes = 0, *list = r->changed;
    for (int k = 0; k < nz; k++) {
        const int z = selection_row(&which, k);
        if (differs(r->z[z], r->z_new[z])) list[changes++] = z;
    }
    if (changes == 0) {
        for (int k = 0; k < nz; k++) {
            const int z = selection_row(&which, k);
            r->z[z] = r->z_new[z];
        }
        return STATUS_OK;
    }
    double *end = r->event_x + 2 * r->n; /* at most n values fit; more are found later */
    if (changes > r->n) changes = r->n;
    for (int k = 0; k < changes; k++) end[k] = r->z_new[list[k]];
    for (int k = 0; k < changes; k++) {
        double       s = 0.0;
        const double t = locate(g, list[k], end[k], &s);
        if (t < first) first = t, found = list[k], slope = s;
    }
    memcpy(y, o->y_last, sizeof(double) * (size_t)g->n);
    for (int k = 0; k < 5; k++) {
        const Selection one = {SELECT_RANGE, found, 1, NULL};
        if (k == 0 && first <= begin) first = nextafter(begin, HUGE_VAL);
        const Status status = repeat(g, begin, y, first);
        if (status != STATUS_OK) return status;
        if (slope == 0.0 || evaluate(g, o->t, o->y, &one) != STATUS_OK) break;
        const double better = first - r->z_new[found] / slope;
        if (!(fabs(better - first) >
              8.0 * DBL_EPSILON * fabs(first) + 1e-13 * (first - begin)))
            break;
        if (!(better > begin)) break;
        first = better;
    }
    o->t_last = begin;
    list[0] = found;
    *count = 1;
    return STATUS_OK;
}

Status event_fire(Group *g) {
    Rate        *r = g->rate;
    const Model *m = r->model;
    Ode         *o = g->ode;
    double      *x = g->parent ? g->space->x : o->y;
    Selection    which = {SELECT_LIST, 0, 1, r->changed};
    bool         again = true;
    const int    cause = r->changed[0];
    if (g->parent) {
        group_boundary(g, o->t, x);
        for (int i = 0; i < g->n; i++) x[g->state[i]] = o->y[i];
    }
    for (int round = 0; again && round < 20; round++) {
        again = false;
        const Status status = m->fn->event(m->instance, o->t, x, EVENT_STATE, &which,
                                           &again, &g->view.fault);
        if (status != STATUS_OK) return status;
    }
    if (g->parent)
        for (int i = 0; i < g->n; i++) o->y[i] = x[g->state[i]];
    if (r->fires == r->fired_room) {
        const int more = 2 * r->fired_room + 64;
        Fired    *p = realloc(r->fired, sizeof(Fired) * (size_t)more);
        if (!p) return STATUS_NO_MEMORY;
        r->fired = p;
        r->fired_room = more;
    }
    r->fired[r->fires++] = (Fired){o->t, cause};
    const Status status = event_refresh(g);
    if (status != STATUS_OK) return status;
    o->f_valid = o->history = o->jac_valid = o->jac_current = o->lu_valid = false;
    o->newton.eta = 1.0;
    o->first_step = true;
    o->h = 0.0;
    control_reset(&o->control);
    return STATUS_OK;
}

static int by_time(const void *a, const void *b) {
    const Fired *p = a, *q = b;
    if (p->t != q->t) return p->t < q->t ? -1 : 1;
    return (p->crossing > q->crossing) - (p->crossing < q->crossing);
}

void event_tell(Rate *r) {
    const Ode *o = r->root->ode;
    if (r->cones && o->t > o->t_last)
        r->event_rate = 0.7 * r->event_rate + 0.3 * r->fires / (o->t - o->t_last);
    if (r->fires > 1) qsort(r->fired, (size_t)r->fires, sizeof(Fired), by_time);
    for (int k = 0; k < r->fires && r->options.event; k++) {
        const Selection which = {SELECT_LIST, 0, 1, &r->fired[k].crossing};
        r->options.event(r->options.owner, r->fired[k].t, &which);
    }
    r->worker[0].stats.events += r->fires;
    r->fires = 0;
}
