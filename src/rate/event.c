/* SPDX-License-Identifier: Apache-2.0 */
/* event.c -- crossings by cone: only what active states touch is looked at.
 *
 * A crossing belongs to the group that integrates the states it reads and the rows its event
 * changes; these are kept in one group. A level that can refine does not stop for events: a
 * crossing that would change sign over its step makes its states fast, and the group below
 * finds the time (find.c). The event is handled for the crossings that changed and only that
 * group starts anew; all other groups keep step and factors.
 *
 * What an event changes stands in the journal of the model until the large step is accepted.
 * Crossings that are not local are the caller's business. Without local ones, or when asked to,
 * events are global: the first level looks at all crossings and starts anew as a whole. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "rate/group.h"

static int root_of(int *up, int k) {
    while (up[k] != k) k = up[k] = up[up[k]];
    return k;
}

/* Do the events of crossings that read the states tie more than half of these together? up: n
 * entries; place: by state, -1 where free. */
static bool ties_most(const Model *m, const int *state, int n, int *up, int *place) {
    bool most = false;
    for (int i = 0; i < n; i++) place[state ? state[i] : i] = up[i] = i;
    for (int i = 0; i < n; i++) {
        const int s = state ? state[i] : i;
        for (int e = m->reads->start[s]; e < m->reads->start[s + 1]; e++) {
            const int z = m->reads->row[e];
            for (int q = m->changes->start[z]; q < m->changes->start[z + 1]; q++) {
                const int other = place[m->changes->row[q]];
                if (other >= 0) up[root_of(up, other)] = root_of(up, i);
            }
        }
    }
    for (int i = 0; i < n; i++) place[state ? state[i] : i] = 0;
    for (int i = 0; i < n; i++) {
        int *size = &place[state ? state[root_of(up, i)] : root_of(up, i)];
        most = most || 2 * ++*size > n;
    }
    for (int i = 0; i < n; i++) place[state ? state[i] : i] = -1;
    return most;
}

static bool model_is_tied(const Model *m) {
    int *up = malloc(sizeof(int) * 2 * ((size_t)m->nx + 1)), *place = up + m->nx + 1;
    if (!up) return true;
    for (int i = 0; i < m->nx; i++) place[i] = -1;
    const bool tied = ties_most(m, NULL, m->nx, up, place);
    free(up);
    return tied;
}

bool rate_local_events(const Model *m, const RateOptions *o) {
    bool local = m->nz > 0 && m->fn->crossings && m->fn->event && m->reads &&
                 m->changes && m->reads->start[m->nx] > 0 && o->rates != 1 &&
                 !o->no_cones;
    for (int j = 0; local && j < m->nx; j++) /* a crossing must change what it reads */
        for (int e = m->reads->start[j]; local && e < m->reads->start[j + 1]; e++) {
            const int k = m->reads->row[e], from = m->changes->start[k];
            local = group_find(m->changes->row + from, m->changes->start[k + 1] - from,
                               j) >= 0;
        }
    return local && !model_is_tied(m);
}

void event_choose(Rate *r) {
    const Model *m = r->model;
    r->events = m->nz > 0 && m->fn->crossings && m->fn->event;
    r->cones = rate_local_events(m, &r->options);
}

static bool make_work(Worker *w, size_t nz, size_t nx, int levels) {
    w->journal = model_journal(&w->model);
    w->z_new = calloc(6 * nz, sizeof(double));
    w->event_x = calloc(2 * nx, sizeof(double));
    w->changed = calloc(2 * nz, sizeof(int));
    w->signs = calloc(nz, sizeof(Sign));
    if (!w->signs || !w->z_new || !w->event_x || !w->changed) return false;
    double **each[] = {&w->left, &w->right, &w->trial, &w->old, &w->end};
    for (int k = 0; k < LENGTH(each); k++) *each[k] = w->z_new + (size_t)(k + 1) * nz;
    for (int k = 0; k < levels; k++) {
        Workspace *s = &w->space[k];
        s->saved = calloc(nz, sizeof(Sign));
        s->ahead = calloc(nz, sizeof(double));
        s->attempt = calloc(nx, sizeof(double));
        if (!s->saved || !s->ahead || !s->attempt) return false;
    }
    return true;
}

bool event_setup(Rate *r) {
    const size_t nz = (size_t)r->model->nz + 1;
    if (!r->events) return true;
    if (r->options.check) r->z_check = calloc(nz, sizeof(double));
    if (r->options.check && !r->z_check) return false;
    for (int k = 0; k < r->threads; k++)
        if (!make_work(&r->worker[k], nz, (size_t)r->n + 1, r->levels)) return false;
    r->signs = calloc(nz, sizeof(Sign));
    return r->signs != NULL;
}

void event_free(Rate *r) {
    free(r->signs), free(r->z_check);
    for (int k = 0; k < r->threads; k++) {
        Worker *w = &r->worker[k];
        free(w->signs), free(w->z_new), free(w->event_x), free(w->changed);
        free(w->fired);
        for (int level = 0; level < RATE_LEVELS; level++) {
            Workspace *s = &w->space[level];
            free(s->saved), free(s->ahead), free(s->attempt);
        }
    }
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

/* How many states the events of a list of crossings may change, and in the mean of one of them how
 * many it changes and how many rows read these. */
static void event_weigh(RateGroup *g, const int *list) {
    const Pattern *c = g->rate->model->changes, *p = g->rate->pattern;
    int           *place = g->space->place, sum = 0, readers = 0;
    g->events.switching = 0;
    for (int k = 0; k < g->events.crossings; k++)
        for (int e = c->start[list[k]]; e < c->start[list[k] + 1]; e++, sum++) {
            const int s = c->row[e];
            readers += p->start[s + 1] - p->start[s];
            g->events.switching += place[s] == -1;
            place[s] = -2;
        }
    for (int k = 0; k < g->events.crossings; k++)
        for (int e = c->start[list[k]]; e < c->start[list[k] + 1]; e++)
            place[c->row[e]] = -1;
    if (g->events.crossings == 0) return;
    g->events.changed = (double)sum / g->events.crossings;
    g->events.concerned = (double)readers / g->events.crossings;
}

bool event_list(RateGroup *g) {
    Rate *r = g->rate;
    int  *list = g->worker->changed;
    g->events.signs = g->parent ? g->worker->signs : r->signs;
    if (!r->cones) return true;
    if (g->parent) {
        g->events.crossings = event_touched(r, g->state, g->n, list);
        g->events.tied =
            ties_most(r->model, g->state, g->n, g->space->list, g->space->place);
    } else {
        for (int k = 0; k < r->model->nz; k++) {
            const int *start = r->model->changes->start;
            if (start[k + 1] > start[k]) list[g->events.crossings++] = k;
        }
    }
    event_weigh(g, list);
    g->events.crossing = malloc(sizeof(int) * 2 * ((size_t)g->events.crossings + 1));
    if (!g->events.crossing) return false;
    memcpy(g->events.crossing, list, sizeof(int) * (size_t)g->events.crossings);
    g->events.recent = g->events.crossing + g->events.crossings;
    return true;
}

void event_begin(RateGroup *g, bool fresh) {
    g->events.recents = fresh ? g->events.crossings : 0;
    memcpy(g->events.recent, g->events.crossing, sizeof(int) * (size_t)g->events.recents);
    g->events.patient = g->events.settled = false;
    g->events.burst = 0;
    g->events.burst_begin = ode_time(g->ode);
    event_look_up(g, g->events.crossing, g->events.crossings);
}

void event_take_over(RateGroup *g, const RateGroup *before) {
    g->events.recents = before->events.recents;
    memcpy(g->events.recent, before->events.recent,
           sizeof(int) * (size_t)g->events.recents);
    g->events.patient = before->events.patient;
    g->events.settled = before->events.settled;
    g->events.burst = before->events.burst;
    g->events.burst_begin = before->events.burst_begin;
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

/* Are the values those of an evaluation of everything, bit for bit? */
static void compare(RateGroup *g, double t, const double *x, const Selection *which) {
    const Rate     *r = g->rate;
    const Worker   *w = g->worker;
    const Model    *m = &w->model;
    const Selection all = {0};
    if (m->fn->crossings(m->instance, t, x, &all, r->z_check, &g->view.fault) !=
        STATUS_OK)
        return;
    for (int k = 0, n = selection_count(which, m->nz); k < n; k++) {
        const int z = selection_row(which, k);
        g->worker->stats.mismatches +=
            memcmp(&w->z_new[z], &r->z_check[z], sizeof(double)) != 0;
    }
}

/* Some crossings at t, as the model gives them. */
static Status measure(RateGroup *g, double t, const double *y, const Selection *which) {
    Worker       *w = g->worker;
    const Model  *m = &w->model;
    const double *x = y;
    if (g->parent) {
        double *full = g->space->x;
        group_boundary(g, t, full);
        for (int i = 0; i < g->n; i++) full[g->state[i]] = y[i];
        x = full;
    }
    w->stats.crossing_rows += selection_count(which, m->nz);
    const Status status =
        m->fn->crossings(m->instance, t, x, which, w->z_new, &g->view.fault);
    if (g->rate->z_check && status == STATUS_OK) compare(g, t, x, which);
    return status;
}

/* A crossing that rests at zero has the sign of its rounding errors: it must leave that by its margin,
 * see event/crossing.c. So all are seen from the side on which they were. */
Status event_evaluate(RateGroup *g, double t, const double *y, const Selection *which) {
    double      *z_new = g->worker->z_new;
    const Status status = measure(g, t, y, which);
    for (int k = 0, n = selection_count(which, g->rate->model->nz); k < n; k++) {
        const int    z = selection_row(which, k);
        const double margin = crossing_margin(g->events.signs[z].size);
        z_new[z] += g->events.signs[z].z > 0.0 ? margin : -margin;
    }
    return status;
}

void event_note(Sign *s, double z) {
    s->z = z;
    s->size = crossing_size(s->size, z);
}

/* All, or if they are found by cone those that the group can reach. */
Selection event_watched(const RateGroup *g) {
    if (!g->rate->cones) return (Selection){0};
    return (Selection){SELECT_LIST, 0, g->events.crossings, g->events.crossing};
}

/* Crossings as they are now; what they did before is forgotten. */
static Status renew(RateGroup *g, Selection which) {
    const Status status = measure(g, ode_time(g->ode), ode_state(g->ode), &which);
    for (int k = 0, n = selection_count(&which, g->rate->model->nz); k < n; k++) {
        Sign        *s = &g->events.signs[selection_row(&which, k)];
        const double z = g->worker->z_new[selection_row(&which, k)];
        event_note(s, z);
        s->z += z > 0.0 ? crossing_margin(s->size) : -crossing_margin(s->size);
        s->slope = NAN;
    }
    return status;
}

Status event_refresh(RateGroup *g) {
    return renew(g, event_watched(g));
}

/* A group takes over from a smaller one: the crossings of the states that joined have been looked
 * at at the beginning of the large step only. STATUS_RETRY: one has changed sign since, before its
 * states were followed. */
Status event_join(RateGroup *g, const RateGroup *before) {
    int *list = g->worker->changed, n = 0;
    for (int k = 0; k < g->events.crossings; k++)
        if (group_find(before->events.crossing, before->events.crossings,
                       g->events.crossing[k]) < 0)
            list[n++] = g->events.crossing[k];
    const Selection which = {SELECT_LIST, 0, n, list};
    const double    now = ode_time(g->ode);
    event_look_up(g, list, n);
    if (n > 0 && event_evaluate(g, now, ode_state(g->ode), &which) != STATUS_OK)
        return STATUS_RETRY;
    const double time = now - ode_time(g->parent->ode);
    for (int k = 0; k < n; k++) {
        Sign        *s = &g->events.signs[list[k]];
        const double then = s->z, z = g->worker->z_new[list[k]];
        if (event_differs(then, z)) return STATUS_RETRY;
        event_note(s, z);
        s->slope = time > 0.0 ? (z - then) / time : NAN;
    }
    return STATUS_OK;
}

/* The crossings of a group that read none of the n states of list, into slow. Those that do belong
 * to the clusters that integrate these; uses the second half of the worker's list. */
static int slow_crossings(const RateGroup *g, const int *list, int n, int *slow) {
    const int       nz = g->rate->model->nz;
    int            *touched = g->worker->changed + nz, slows = 0;
    const int       count = event_touched(g->rate, list, n, touched);
    const Selection all = event_watched(g);
    for (int k = 0, watched = selection_count(&all, nz); k < watched; k++) {
        const int z = selection_row(&all, k);
        if (group_find(touched, count, z) < 0) slow[slows++] = z;
    }
    return slows;
}

/* Slow crossings of a group that can refine: those that change sign over the attempt. The
 * states they concern are added to list, which holds n states, ascending not needed. */
int event_ahead(RateGroup *g, double t, int *list, int n) {
    Rate        *r = g->rate;
    const Model *m = r->model;
    Workspace   *w = g->space;
    int         *slow = g->worker->changed;
    const int    count = slow_crossings(g, list, n, slow);
    for (int i = 0; i < n; i++) w->place[list[i]] = -2;
    const Selection which = {SELECT_LIST, 0, count, slow};
    const double   *y = ode_attempt(g->ode);
    const bool      known = count == 0 || event_evaluate(g, t, y, &which) == STATUS_OK;
    double         *ahead = w->ahead;
    int             changes = 0;
    memcpy(w->attempt, y, sizeof(double) * (size_t)g->n);
    for (int k = 0; k < count; k++) {
        const int z = slow[k];
        ahead[z] = known ? g->worker->z_new[z] : NAN;
        if (!known || !event_differs(g->events.signs[z].z, ahead[z])) continue;
        changes++;
        for (int e = m->changes->start[z]; e < m->changes->start[z + 1]; e++) {
            const int s = m->changes->row[e];
            if (w->place[s] == -2) continue;
            if (g->parent && group_find(g->state, g->n, s) < 0) continue;
            w->place[s] = -2;
            list[n++] = s;
        }
    }
    if (!g->parent && r->event_rate == 0.0)
        r->event_rate = changes / (t - ode_time(g->ode)); /* a first idea */
    for (int i = 0; i < n; i++) w->place[list[i]] = -1;
    return n;
}

/* Slow crossings of a group that read a state which was corrected since event_ahead looked at
 * them, or that could not be evaluated then. */
static int corrected(const RateGroup *g, const int *slow, int slows, int *list) {
    const Rate    *r = g->rate;
    const Pattern *p = r->model->reads;
    const double  *y = ode_attempt(g->ode);
    double        *mark = g->worker->trial;
    int            count = 0;
    for (int k = 0; k < slows; k++) mark[slow[k]] = isnan(g->space->ahead[slow[k]]);
    for (int i = 0; i < g->n; i++)
        for (int e = p->start[g->state[i]];
             y[i] != g->space->attempt[i] && e < p->start[g->state[i] + 1]; e++)
            mark[p->row[e]] = 1.0;
    for (int k = 0; k < slows; k++)
        if (mark[slow[k]] != 0.0) list[count++] = slow[k];
    return count;
}

/* The slow crossings looked at by event_ahead get their values at the end of the step. Those
 * that changed sign only now, because their states were corrected, would be lost: the states
 * they concern are added to list, which holds n, and the new count is returned. */
int event_settle(RateGroup *g, double t, const int *done, int dones, int *list, int n) {
    const Model *m = g->rate->model;
    double      *ahead = g->space->ahead;
    int *slow = g->worker->changed, *touched = slow + m->nz, *place = g->space->place;
    const int       slows = slow_crossings(g, done, dones, slow), before = n;
    const Selection which = {SELECT_LIST, 0, corrected(g, slow, slows, touched), touched};
    if (which.count > 0 && event_evaluate(g, t, ode_attempt(g->ode), &which) != STATUS_OK)
        return n;
    for (int k = 0; k < which.count; k++)
        ahead[touched[k]] = g->worker->z_new[touched[k]];
    for (int i = 0; i < n; i++) place[list[i]] = -2;
    for (int k = 0; k < slows; k++) {
        const int z = slow[k];
        if (!event_differs(g->events.signs[z].z, ahead[z])) continue;
        for (int e = m->changes->start[z]; e < m->changes->start[z + 1]; e++) {
            const int s = m->changes->row[e];
            if (place[s] == -2) continue;
            if (g->parent && group_find(g->state, g->n, s) < 0) continue;
            place[s] = -2;
            list[n++] = s;
        }
    }
    for (int i = 0; i < n; i++) place[list[i]] = -1;
    for (int k = 0; k < slows && n == before; k++)
        event_note(&g->events.signs[slow[k]], ahead[slow[k]]);
    return n;
}

/* ---- the event ------------------------------------------------------------------------------ */

/* Events of one group without end? */
static bool chatters(RateGroup *g) {
    const double t = ode_time(g->ode), span = g->parent ? g->span : ode_length(g->ode);
    if (!(t - g->events.burst_begin <= 1e-9 * span))
        g->events.burst_begin = t, g->events.burst = 0;
    return ++g->events.burst > 200;
}

static int ascending(const void *a, const void *b) {
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

/* An event that cannot be lived through ends the run: smaller steps would not help. Of clusters the
 * first one is found when all are through, see aside.c. */
static Status fail(RateGroup *g, Status status, Fault fault) {
    Status *why = g->parent ? &g->worker->why : &g->rate->why;
    if (*why != STATUS_OK) return status;
    *why = status;
    *(g->parent ? &g->worker->why_fault : &g->rate->fault) = fault;
    return status;
}
static Status fail_at(RateGroup *g, Status status, int relation, const char *what) {
    Fault fault = fault_none();
    fault.time = ode_time(g->ode);
    fault.relation = relation;
    fault.what = what;
    return fail(g, status, fault);
}

static Status iterate(RateGroup *g, double t, double *x) {
    enum { ROUNDS = 100 };
    Worker         *w = g->worker;
    const Model    *m = &w->model;
    const Selection which = {SELECT_LIST, 0, w->changes, w->changed};
    bool            again = true;
    qsort(w->changed, (size_t)w->changes, sizeof(int), ascending);
    for (int round = 0; again; round++) {
        Fault fault = fault_none();
        if (round == ROUNDS)
            return fail_at(
                g, STATUS_DIVERGED, w->changed[0],
                "the event iteration does not settle: something changes in every round");
        fault.time = t;
        again = false;
        const Status status =
            m->fn->event(m->instance, t, x, EVENT_STATE, &which, &again, &fault);
        w->stats.event_rounds++;
        if (status == STATUS_FATAL) fail(g, status, fault);
        if (status == STATUS_OK) continue;
        ode_blame(g->ode, &fault);
        return status;
    }
    return STATUS_OK;
}

/* Crossings that the event may have moved: those that read what it changes. */
static Selection concerned(const RateGroup *g) {
    const Rate    *r = g->rate;
    const Worker  *w = g->worker;
    const Pattern *p = r->model->changes;
    int            n = 0, count = 0, *list = w->changed + r->model->nz;
    if (!r->cones) return (Selection){0};
    if (w->changes > 1) return event_watched(g);
    const int from = p->start[w->changed[0]], to = p->start[w->changed[0] + 1];
    for (int e = from; e < to; e++)
        n += r->model->reads->start[p->row[e] + 1] - r->model->reads->start[p->row[e]];
    if (n > r->model->nz) return event_watched(g); /* with repetitions: may not fit */
    count = event_touched(r, p->row + from, to - from, list);
    return (Selection){SELECT_LIST, 0, count, list};
}

/* The state of the group, full-length where it is part of one, to be changed by the event. */
static double *state_for_event(RateGroup *g) {
    const double *y = ode_state(g->ode);
    double       *x = g->parent ? g->space->x : g->worker->event_x;
    if (g->parent) group_boundary(g, ode_time(g->ode), x);
    for (int i = 0; i < g->n; i++) x[g->state[i]] = y[i];
    return x;
}

/* The integrator goes on with the state after the event, from x. */
static void go_on_from(RateGroup *g, const double *x) {
    Ode         *o = g->ode;
    double      *y = g->worker->event_x;
    const double h = ode_next_step(o);
    for (int i = 0; i < g->n; i++) y[i] = x[g->state[i]];
    /* after the long steps of all states half a step may be far too long: see event_fire */
    if (g->parent || !g->rate->cones) ode_jump(o, y, 0.5 * h);
    else if (memcmp(y, ode_state(o), sizeof(double) * (size_t)g->n) != 0)
        ode_correct(o, y);
}

Status event_fire(RateGroup *g, bool at_once) {
    Rate        *r = g->rate;
    const double t = ode_time(g->ode);
    Worker      *w = g->worker;
    const int    cause = w->changed[0];
    if (chatters(g))
        return fail_at(
            g, STATUS_CHATTERING, cause,
            "events follow each other without end; a relation switches back and forth");
    double *x = state_for_event(g);
    Status  status = iterate(g, t, x);
    if (status != STATUS_OK) return status;
    go_on_from(g, x);
    if (!store_room((void **)&w->fired, &w->fired_room, w->fires + 1, sizeof(Fired)))
        return STATUS_NO_MEMORY;
    w->deep_events += !at_once && g->level + 1 == r->levels;
    w->fired[w->fires++] = (Fired){t, cause, at_once};
    const Selection moved = concerned(g);
    status = renew(g, moved);
    if (status != STATUS_OK) return status;
    g->events.settled = false;
    g->events.recents = selection_count(&moved, r->model->nz);
    if (r->cones)
        memcpy(g->events.recent, moved.row, sizeof(int) * (size_t)g->events.recents);
    return !g->parent && r->cones ? ode_restart(g->ode, t, NULL) : STATUS_OK;
}

static int by_time(const void *a, const void *b) {
    const Fired *p = a, *q = b;
    if (p->t != q->t) return p->t < q->t ? -1 : 1;
    return (p->crossing > q->crossing) - (p->crossing < q->crossing);
}

/* Joins per event in the deepest level, of all clusters of the step. */
static void note_spread(Rate *r) {
    long joins = 0, events = 0;
    for (int k = 0; k < r->threads; k++) {
        Worker *w = &r->worker[k];
        joins += w->deep_joins, events += w->deep_events;
        w->deep_joins = w->deep_events = 0;
    }
    if (events > 0) r->spread = 0.7 * r->spread + 0.3 * (double)joins / (double)events;
}

void event_tell(Rate *r) {
    Worker      *w = &r->worker[0];
    const double h = ode_time(r->root->ode) - ode_time_last(r->root->ode);
    int          located = 0;
    for (size_t k = 0; k < w->fires; k++) located += !w->fired[k].at_once;
    if (r->cones && h > 0.0) {
        const double rate = located / h;
        r->event_rate = r->event_rate > 0.0 ? 0.7 * r->event_rate + 0.3 * rate : rate;
    }
    note_spread(r);
    if (r->cones && w->journal) journal_sort(w->journal);
    if (w->fires > 1) qsort(w->fired, w->fires, sizeof(Fired), by_time);
    for (size_t k = 0; k < w->fires && r->options.event; k++) {
        const Selection which = {SELECT_LIST, 0, 1, &w->fired[k].crossing};
        r->options.event(r->options.owner, w->fired[k].t, &which);
    }
    w->stats.events += (long)w->fires;
    w->fires = 0;
}
