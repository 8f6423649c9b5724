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

/* *known: false if there is no memory to find out. */
static bool model_is_tied(const Model *m, bool *known) {
    int *up = malloc(sizeof(int) * 2 * ((size_t)m->nx + 1)), *place = up + m->nx + 1;
    *known = up != NULL;
    if (!up) return true;
    for (int i = 0; i < m->nx; i++) place[i] = -1;
    const bool tied = ties_most(m, NULL, m->nx, up, place);
    free(up);
    return tied;
}

static bool local_events(const Model *m, const RateOptions *o, bool *known) {
    bool local = m->nz > 0 && m->fn->crossings && m->fn->event && m->reads &&
                 m->changes && m->reads->start[m->nx] > 0 && partition_levels(m, o) > 1 &&
                 !o->no_cones;
    for (int j = 0; local && j < m->nx; j++) /* a crossing must change what it reads */
        for (int e = m->reads->start[j]; local && e < m->reads->start[j + 1]; e++) {
            const int k = m->reads->row[e], from = m->changes->start[k];
            local = group_find(m->changes->row + from, m->changes->start[k + 1] - from,
                               j) >= 0;
        }
    *known = true;
    return local && !model_is_tied(m, known);
}

bool rate_local_events(const Model *m, const RateOptions *o) {
    bool known;
    return local_events(m, o, &known);
}

bool event_choose(Rate *r) {
    const Model *m = r->model;
    bool         known;
    r->events = m->nz > 0 && m->fn->crossings && m->fn->event;
    r->cones = local_events(m, &r->options, &known);
    return known;
}

static bool make_work(const Rate *r, Worker *w) {
    const size_t nx = (size_t)r->n + 1, signs = (size_t)r->model->nz + 1;
    w->journal = model_journal(&w->model);
    w->event_x = calloc(nx, sizeof(double));
    w->signs = calloc(signs, sizeof(Sign));
    if (!w->signs || !w->event_x ||
        !crossing_work_new(&w->looking, r->model, r->options.check))
        return false;
    for (int k = 0; k < r->levels; k++) {
        Workspace *s = &w->space[k];
        s->saved = calloc(signs, sizeof(Sign));
        s->ahead = calloc(signs, sizeof(double));
        s->attempt = calloc(nx, sizeof(double));
        if (!s->saved || !s->ahead || !s->attempt) return false;
    }
    return true;
}

bool event_setup(Rate *r) {
    if (!r->events) return true;
    for (int k = 0; k < r->threads; k++)
        if (!make_work(r, &r->worker[k])) return false;
    r->signs = calloc((size_t)r->model->nz + 1, sizeof(Sign));
    return r->signs != NULL;
}

void event_free(Rate *r) {
    free(r->signs);
    for (int k = 0; k < r->threads; k++) {
        Worker *w = &r->worker[k];
        crossing_work_free(&w->looking);
        free(w->signs), free(w->event_x), free(w->fired);
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
    int  *list = g->worker->looking.changed;
    g->events.own = (Crossings){.model = &g->worker->model,
                                .sign = g->parent ? g->worker->signs : r->signs,
                                .whole = r->options.no_cones,
                                .work = &g->worker->looking,
                                .fault = fault_none()};
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
    g->events.crept_x = malloc(sizeof(double) * ((size_t)g->n + 1));
    if (!g->events.crossing || !g->events.crept_x) return false;
    memcpy(g->events.crossing, list, sizeof(int) * (size_t)g->events.crossings);
    g->events.recent = g->events.crossing + g->events.crossings;
    g->events.own.which =
        (Selection){SELECT_LIST, 0, g->events.crossings, g->events.crossing};
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

const double *event_state(RateGroup *g, double t, const double *y) {
    double *x = g->space->x;
    if (!g->parent) return y;
    group_boundary(g, t, x);
    for (int i = 0; i < g->n; i++) x[g->state[i]] = y[i];
    return x;
}

/* Some crossings at t, into now of the worker; y: the states of the group. */
static Status look(RateGroup *g, double t, const double *y, const Selection *which) {
    Crossings *c = &g->events.own;
    return crossings_look(c, t, event_state(g, t, y), which, c->work->now);
}

/* Crossings as they are now; what they did before is forgotten. */
static Status renew(RateGroup *g, Selection which) {
    const double t = ode_time(g->ode), *x = event_state(g, t, ode_state(g->ode));
    return crossings_begin(&g->events.own, t, x, &which);
}

Status event_refresh(RateGroup *g) {
    return renew(g, g->events.own.which);
}

/* A group takes over from a smaller one: the crossings of the states that joined have been looked
 * at at the beginning of the large step only. STATUS_RETRY: one has changed sign since, before its
 * states were followed. */
Status event_join(RateGroup *g, const RateGroup *before) {
    int *list = g->worker->looking.changed, n = 0;
    for (int k = 0; k < g->events.crossings; k++)
        if (group_find(before->events.crossing, before->events.crossings,
                       g->events.crossing[k]) < 0)
            list[n++] = g->events.crossing[k];
    const Selection which = {SELECT_LIST, 0, n, list};
    const double    now = ode_time(g->ode);
    event_look_up(g, list, n);
    if (n > 0 && look(g, now, ode_state(g->ode), &which) != STATUS_OK)
        return STATUS_RETRY;
    const double time = now - ode_time(g->parent->ode);
    for (int k = 0; k < n; k++) {
        Sign        *s = &g->events.own.sign[list[k]];
        const double then = s->z, z = g->worker->looking.now[list[k]];
        if (sign_differs(then, z)) return STATUS_RETRY;
        sign_note(s, now, z);
        s->slope = time > 0.0 ? (z - then) / time : NAN;
    }
    return STATUS_OK;
}

/* The crossings of a group that read none of the n states of list, into slow. Those that do belong
 * to the clusters that integrate these; uses the second half of the worker's list. */
static int slow_crossings(const RateGroup *g, const int *list, int n, int *slow) {
    const int       nz = g->rate->model->nz;
    int            *touched = g->worker->looking.list, slows = 0;
    const int       count = event_touched(g->rate, list, n, touched);
    const Selection all = g->events.own.which;
    for (int k = 0, watched = selection_count(&all, nz); k < watched; k++) {
        const int z = selection_row(&all, k);
        if (group_find(touched, count, z) < 0) slow[slows++] = z;
    }
    return slows;
}

/* Slow crossings of a group that can refine: those that change sign over the attempt, or may have
 * done so inside it. The states they concern are added to list, which holds n states, ascending not
 * needed. */
int event_ahead(RateGroup *g, double t, int *list, int n) {
    Rate        *r = g->rate;
    const Model *m = r->model;
    Workspace   *w = g->space;
    int         *slow = g->worker->looking.changed;
    const int    count = slow_crossings(g, list, n, slow);
    for (int i = 0; i < n; i++) w->place[list[i]] = -2;
    const Selection  which = {SELECT_LIST, 0, count, slow};
    const double    *y = ode_attempt(g->ode);
    const bool       known = count == 0 || look(g, t, y, &which) == STATUS_OK;
    double          *ahead = w->ahead;
    const SearchRule rule = search_rule(r->options.interval);
    int              changes = 0;
    memcpy(w->attempt, y, sizeof(double) * (size_t)g->n);
    for (int k = 0; k < count; k++) {
        const int z = slow[k];
        ahead[z] = known ? g->worker->looking.now[z] : NAN;
        Sign *sign = &g->events.own.sign[z];
        sign_limit(sign, &rule);
        if (!known ||
            sign_course(sign, (SignPoint){t, ahead[z]}, NULL, 0).verdict == COURSE_KEEPS)
            continue;
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
    double        *mark = g->worker->looking.trial;
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
    const Model    *m = g->rate->model;
    double         *ahead = g->space->ahead;
    int            *slow = g->worker->looking.changed, *touched = g->worker->looking.list;
    int            *place = g->space->place;
    const int       slows = slow_crossings(g, done, dones, slow), before = n;
    const Selection which = {SELECT_LIST, 0, corrected(g, slow, slows, touched), touched};
    if (which.count > 0 && look(g, t, ode_attempt(g->ode), &which) != STATUS_OK) return n;
    for (int k = 0; k < which.count; k++)
        ahead[touched[k]] = g->worker->looking.now[touched[k]];
    for (int i = 0; i < n; i++) place[list[i]] = -2;
    for (int k = 0; k < slows; k++) {
        const int z = slow[k];
        if (!sign_differs(g->events.own.sign[z].z, ahead[z])) continue;
        for (int e = m->changes->start[z]; e < m->changes->start[z + 1]; e++) {
            const int s = m->changes->row[e];
            if (place[s] == -2) continue;
            if (g->parent && group_find(g->state, g->n, s) < 0) continue;
            place[s] = -2;
            list[n++] = s;
        }
    }
    for (int i = 0; i < n; i++) place[list[i]] = -1;
    for (int k = 0; k < slows && n == before; k++) {
        Sign           *s = &g->events.own.sign[slow[k]];
        const SignPoint end = {t, ahead[slow[k]]};
        const Course    course = sign_course(s, end, NULL, 0);
        sign_pass(s, end, &course, HUGE_VAL);
    }
    return n;
}

/* ---- the event ------------------------------------------------------------------------------ */

/* Events of one group without end? */
static bool chatters(RateGroup *g) {
    const double t = ode_time(g->ode), span = g->parent ? g->span : ode_length(g->ode);
    if (!(t - g->events.burst_begin <= CHATTER_SHARE * span))
        g->events.burst_begin = t, g->events.burst = 0;
    return ++g->events.burst > CHATTER_EVENTS;
}

/* Was the crossing near its border all the way to this event? */
static bool stayed_near(const RateGroup *g, int crossing) {
    const Sign  *s = &g->events.own.sign[crossing];
    const double rtol = g->rate->options.ode.rtol;
    bool         near = creep_is_near(s->z, s->size, rtol);
    for (int k = 0; k < s->smooth && k < s->olds; k++)
        near = near && creep_is_near(s->old[k].z, s->size, rtol);
    return near;
}

/* Events follow each other, time creeps, and nothing else moves? See event/creep.c. */
static bool creeps(RateGroup *g, int crossing) {
    GroupEvents  *e = &g->events;
    const Rate   *r = g->rate;
    const double *y = ode_state(g->ode), t = ode_time(g->ode);
    const double  interval = r->options.interval;
    bool          moved = e->crept == 0 || !stayed_near(g, crossing);
    if (!e->crept_x || !(interval > 0)) return false;
    for (int i = 0; i < g->n && !moved; i++) {
        const double nominal = r->model->nominal ? r->model->nominal[g->state[i]] : 1.0;
        moved = creep_has_moved(y[i], e->crept_x[i], nominal, &r->options.ode);
    }
    if (moved) {
        memcpy(e->crept_x, y, sizeof(double) * (size_t)g->n);
        e->crept_begin = t;
        e->crept = 1;
        return false;
    }
    if (++e->crept < CREEP_EVENTS) return false;
    e->crept = 0;
    return t - e->crept_begin < CREEP_EVENTS * CREEP_SHARE * interval;
}

/* An event that cannot be handled ends the run: smaller steps would not help. Of clusters the
 * first one is found when all are through, see aside.c. */
static Status fail(RateGroup *g, Status status, const Fault *fault) {
    Status *why = g->parent ? &g->worker->why : &g->rate->why;
    if (*why != STATUS_OK) return status;
    *why = status;
    *(g->parent ? &g->worker->why_fault : &g->rate->fault) = *fault;
    return status;
}

static Status iterate(RateGroup *g, double t, double *x) {
    Worker         *w = g->worker;
    const Selection which = {SELECT_LIST, 0, w->looking.changes, w->looking.changed};
    EventRounds     rounds = {0};
    Fault           fault;
    const Status    status =
        event_rounds(&w->model, t, x, EVENT_STATE, &which, &rounds, &fault);
    w->stats.event_rounds += rounds.count;
    if (rounds.endless && fault.relation < 0) fault.relation = which.row[0];
    if (status == STATUS_FATAL || rounds.endless) fail(g, status, &fault);
    if (status != STATUS_OK) ode_blame(g->ode, &fault);
    return status;
}

/* Crossings that the event may have moved: those that read what it changes. */
static Selection concerned(const RateGroup *g) {
    const Rate    *r = g->rate;
    const Worker  *w = g->worker;
    const Pattern *p = r->model->changes;
    int            n = 0, count = 0, *list = w->looking.list;
    if (!r->cones) return (Selection){0};
    if (w->looking.changes > 1) return g->events.own.which;
    const int from = p->start[w->looking.changed[0]],
              to = p->start[w->looking.changed[0] + 1];
    for (int e = from; e < to; e++)
        n += r->model->reads->start[p->row[e] + 1] - r->model->reads->start[p->row[e]];
    if (n > r->model->nz) return g->events.own.which; /* with repetitions: may not fit */
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

/* Crossings as they are after the event. It settled the relations of its own part of the model; another
 * one may have come to its border at the same time, so that it is seen on its other side, by no more than
 * rounding, and would be taken to have been there. Those have an event of their own: looking.changed. */
static Status renew_moved(RateGroup *g, const Selection *moved) {
    Crossings    *c = &g->events.own;
    CrossingWork *w = c->work;
    const double  t = ode_time(g->ode);
    const int     handled = w->changes;
    int          *next = w->changed + handled, n = 0;
    const Status  status =
        crossings_evaluate(c, t, event_state(g, t, ode_state(g->ode)), moved, w->now);
    for (int k = 0; status == STATUS_OK && k < selection_count(moved, c->model->nz);
         k++) {
        const int    i = selection_row(moved, k);
        const double z = w->now[i];
        if (g->rate->cones && sign_differs(c->sign[i].z, z) &&
            fabs(z) <= crossing_margin(c->sign[i].size) &&
            group_find(w->changed, handled, i) < 0)
            next[n++] = i;
        sign_begin(&c->sign[i], t, z);
    }
    memmove(w->changed, next, sizeof(int) * (size_t)n);
    w->changes = n;
    return status;
}

/* The event of the crossings that changed, and of those at their border with them. *moved: crossings
 * that they may have moved. */
static Status settle_events(RateGroup *g, double t, Selection *moved) {
    double *x = state_for_event(g);
    bool    more = false;
    do {
        Status status = iterate(g, t, x);
        if (status != STATUS_OK) return status;
        go_on_from(g, x);
        *moved = more ? g->events.own.which : concerned(g);
        status = renew_moved(g, moved);
        if (status != STATUS_OK) return status;
        more = true;
    } while (g->worker->looking.changes > 0);
    return STATUS_OK;
}

Status event_fire(RateGroup *g, bool at_once) {
    Rate        *r = g->rate;
    const double t = ode_time(g->ode);
    Worker      *w = g->worker;
    const int    cause = w->looking.changed[0];
    if (chatters(g) || creeps(g, cause)) {
        Fault fault;
        chatter_fault(&fault, t, cause);
        return fail(g, STATUS_CHATTERING, &fault);
    }
    Selection    moved;
    const Status status = settle_events(g, t, &moved);
    if (status != STATUS_OK) return status;
    if (!store_room((void **)&w->fired, &w->fired_room, w->fires + 1, sizeof(Fired)))
        return STATUS_NO_MEMORY;
    w->deep_events += !at_once && g->level + 1 == r->levels;
    w->fired[w->fires++] = (Fired){t, cause, at_once};
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
