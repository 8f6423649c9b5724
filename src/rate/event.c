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
 * What an event changes stands in the journal of the model until the large step is accepted.
 * Crossings that are not local are the caller's business. Without local ones, or when asked to,
 * events are global: the first level looks at all crossings and starts anew as a whole.
 * Literature: Dowell, Jarratt 1971 (Illinois). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "rate/group.h"

#define DENSE                                                                            \
    0.1 /* share of the tolerance up to which a step may end on its polynomial */

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

bool event_setup(Rate *r) {
    const Model *m = r->model;
    if (!r->events) return true;
    r->z = calloc((size_t)(2 * m->nz + 1), sizeof(double));
    r->z_new = r->z ? r->z + m->nz : NULL;
    r->event_x = calloc((size_t)(2 * r->n + 1), sizeof(double));
    r->slope = calloc((size_t)m->nz + 1, sizeof(double));
    r->left = calloc(5 * ((size_t)m->nz + 1), sizeof(double));
    if (r->options.check) r->z_check = calloc((size_t)m->nz + 1, sizeof(double));
    if (r->options.check && !r->z_check) return false;
    r->changed = calloc((size_t)(2 * m->nz + 1), sizeof(int));
    for (int k = 0; k < r->levels; k++) {
        Workspace *w = &r->worker[0].space[k];
        w->saved = calloc((size_t)(m->nz + 1), sizeof(double));
        w->attempt = calloc((size_t)r->n + 1, sizeof(double));
        if (!w->saved || !w->attempt) return false;
    }
    if (!r->z || !r->event_x || !r->changed || !r->slope || !r->left) return false;
    r->right = r->left + m->nz + 1;
    r->trial = r->right + m->nz + 1;
    r->old = r->trial + m->nz + 1;
    r->end = r->old + m->nz + 1;
    return true;
}

void event_free(Rate *r) {
    free(r->z), free(r->event_x), free(r->changed), free(r->fired);
    free(r->slope), free(r->left), free(r->z_check);
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

/* How many states the events of a list of crossings may change, and in the mean of one of them how
 * many it changes and how many rows read these. */
static void event_weigh(Group *g, const int *list) {
    const Pattern *c = g->rate->model->changes, *p = g->rate->pattern;
    int           *place = g->space->place, sum = 0, readers = 0;
    g->switching = 0;
    for (int k = 0; k < g->crossings; k++)
        for (int e = c->start[list[k]]; e < c->start[list[k] + 1]; e++, sum++) {
            const int s = c->row[e];
            readers += p->start[s + 1] - p->start[s];
            g->switching += place[s] == -1;
            place[s] = -2;
        }
    for (int k = 0; k < g->crossings; k++)
        for (int e = c->start[list[k]]; e < c->start[list[k] + 1]; e++)
            place[c->row[e]] = -1;
    if (g->crossings == 0) return;
    g->changed = (double)sum / g->crossings;
    g->concerned = (double)readers / g->crossings;
}

bool event_list(Group *g) {
    const Rate *r = g->rate;
    int        *list = r->changed;
    if (!r->cones) return true;
    if (g->parent) {
        g->crossings = event_touched(r, g->state, g->n, list);
        g->tied = ties_most(r->model, g->state, g->n, g->space->list, g->space->place);
    } else {
        for (int k = 0; k < r->model->nz; k++) {
            const int *start = r->model->changes->start;
            if (start[k + 1] > start[k]) list[g->crossings++] = k;
        }
    }
    event_weigh(g, list);
    g->crossing = malloc(sizeof(int) * 2 * ((size_t)g->crossings + 1));
    if (!g->crossing) return false;
    memcpy(g->crossing, list, sizeof(int) * (size_t)g->crossings);
    g->recent = g->crossing + g->crossings;
    return true;
}

void event_begin(Group *g, bool fresh) {
    g->recents = fresh ? g->crossings : 0;
    memcpy(g->recent, g->crossing, sizeof(int) * (size_t)g->recents);
    g->patient = g->settled = false;
    g->burst = 0;
    g->burst_begin = g->ode->t;
}

void event_take_over(Group *g, const Group *before) {
    g->recents = before->recents;
    memcpy(g->recent, before->recent, sizeof(int) * (size_t)g->recents);
    g->patient = before->patient;
    g->settled = before->settled;
    g->burst = before->burst;
    g->burst_begin = before->burst_begin;
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
static void compare(Group *g, double t, const double *x, const Selection *which) {
    Rate           *r = g->rate;
    const Model    *m = r->model;
    const Selection all = {0};
    if (m->fn->crossings(m->instance, t, x, &all, r->z_check, &g->view.fault) !=
        STATUS_OK)
        return;
    for (int k = 0, n = selection_count(which, m->nz); k < n; k++) {
        const int z = selection_row(which, k);
        g->worker->stats.mismatches +=
            memcmp(&r->z_new[z], &r->z_check[z], sizeof(double)) != 0;
    }
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
    const Status status =
        m->fn->crossings(m->instance, t, x, which, r->z_new, &g->view.fault);
    if (r->z_check && status == STATUS_OK) compare(g, t, x, which);
    return status;
}

/* All, or if they are found by cone those that the group can reach. */
static Selection watched(const Group *g) {
    if (!g->rate->cones) return (Selection){0};
    return (Selection){SELECT_LIST, 0, g->crossings, g->crossing};
}

/* Crossings as they are now; what they did before is forgotten. */
static Status renew(Group *g, Selection which) {
    Rate        *r = g->rate;
    const Status status = evaluate(g, g->ode->t, g->ode->y, &which);
    for (int k = 0, n = selection_count(&which, r->model->nz); k < n; k++) {
        const int z = selection_row(&which, k);
        r->z[z] = r->z_new[z];
        r->slope[z] = NAN;
    }
    return status;
}

Status event_refresh(Group *g) {
    return renew(g, watched(g));
}

static bool differs(double a, double b) { /* the relation is z > 0 */
    return (a > 0.0) != (b > 0.0);
}

/* A group takes over from a smaller one: the crossings of the states that joined have been looked
 * at at the beginning of the large step only. STATUS_RETRY: one has changed sign since, before its
 * states were followed. */
Status event_join(Group *g, const Group *before) {
    Rate *r = g->rate;
    int  *list = r->changed, n = 0;
    for (int k = 0; k < g->crossings; k++)
        if (group_find(before->crossing, before->crossings, g->crossing[k]) < 0)
            list[n++] = g->crossing[k];
    const Selection which = {SELECT_LIST, 0, n, list};
    if (n > 0 && evaluate(g, g->ode->t, g->ode->y, &which) != STATUS_OK)
        return STATUS_RETRY;
    const double time = g->ode->t - g->parent->ode->t;
    for (int k = 0; k < n; k++) {
        const int    z = list[k];
        const double then = r->z[z], now = r->z_new[z];
        if (differs(then, now)) return STATUS_RETRY;
        r->z[z] = now;
        r->slope[z] = time > 0.0 ? (now - then) / time : NAN;
    }
    return STATUS_OK;
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
    const bool      known = count == 0 || evaluate(g, t, y, &which) == STATUS_OK;
    int             changes = 0;
    memcpy(w->attempt, y, sizeof(double) * (size_t)g->n);
    for (int k = 0; k < count; k++) {
        const int z = slow[k];
        if (!known) r->z_new[z] = NAN;
        if (!known || !differs(r->z[z], r->z_new[z])) continue;
        changes++;
        for (int e = m->changes->start[z]; e < m->changes->start[z + 1]; e++) {
            const int s = m->changes->row[e];
            if (w->place[s] == -2) continue;
            if (g->parent && group_find(g->state, g->n, s) < 0) continue;
            w->place[s] = -2;
            list[n++] = s;
        }
    }
    if (r->event_rate == 0.0)
        r->event_rate = changes / (t - g->ode->t); /* a first idea */
    for (int i = 0; i < n; i++) w->place[list[i]] = -1;
    return n;
}

/* Slow crossings of a group that read a state which was corrected since event_ahead looked at
 * them, or that could not be evaluated then. */
static int corrected(const Group *g, const int *slow, int slows, int *list) {
    const Rate    *r = g->rate;
    const Pattern *p = r->model->reads;
    double        *mark = r->trial;
    int            count = 0;
    for (int k = 0; k < slows; k++) mark[slow[k]] = isnan(r->z_new[slow[k]]);
    for (int i = 0; i < g->n; i++)
        for (int e = p->start[g->state[i]];
             g->ode->ynew[i] != g->space->attempt[i] && e < p->start[g->state[i] + 1];
             e++)
            mark[p->row[e]] = 1.0;
    for (int k = 0; k < slows; k++)
        if (mark[slow[k]] != 0.0) list[count++] = slow[k];
    return count;
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
    const Selection which = {SELECT_LIST, 0, corrected(g, slow, slows, touched), touched};
    if (which.count > 0 && evaluate(g, t, g->ode->ynew, &which) != STATUS_OK) return n;
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
    const Rate     *r = g->rate;
    const Journal  *j = r->model->journal;
    const Selection which = watched(g);
    g->space->saved_fired = r->fires;
    g->space->saved_mark = j ? j->count : 0;
    for (int k = 0, n = selection_count(&which, r->model->nz); k < n; k++)
        g->space->saved[k] = r->z[selection_row(&which, k)];
}
void event_restore(Group *g) {
    Rate           *r = g->rate;
    const Selection which = watched(g);
    r->fires = g->space->saved_fired;
    if (r->model->journal) journal_undo(r->model->journal, g->space->saved_mark);
    for (int k = 0, n = selection_count(&which, r->model->nz); k < n; k++)
        r->z[selection_row(&which, k)] = g->space->saved[k];
}

static Status give(const Rate *r, const Selection *which, double *z) {
    for (int k = 0, n = selection_count(which, r->model->nz); k < n; k++) {
        const int i = selection_row(which, k);
        if (!isfinite(r->z_new[i])) return STATUS_RETRY;
        z[i] = r->z_new[i];
    }
    return STATUS_OK;
}

/* Crossings on the polynomial of the last step. */
static Status on_polynomial(Group *g, double t, const Selection *which) {
    Rate        *r = g->rate;
    const Status status =
        g->parent ? ode_dense(g->ode, t, r->event_x) : rate_dense(r, t, r->event_x);
    return status == STATUS_OK ? evaluate(g, t, r->event_x, which) : status;
}

/* The same for locate_first. no_cones: everything is evaluated, as if the model could not be asked
 * for less. */
static Status along_step(void *owner, double t, const Selection *which, double *z) {
    Group          *g = owner;
    const Rate     *r = g->rate;
    const Selection all = {0};
    const Status    status = on_polynomial(g, t, r->options.no_cones ? &all : which);
    return status == STATUS_OK ? give(r, which, z) : status;
}

/* Likewise on the line from the present state along its slope. */
static Status along_line(void *owner, double t, const Selection *which, double *z) {
    Group       *g = owner;
    const Rate  *r = g->rate;
    const Ode   *o = g->ode;
    const double by = t - o->t;
    for (int i = 0; i < g->n; i++) r->event_x[i] = o->y[i] + by * o->f[i];
    const Status status = evaluate(g, t, r->event_x, which);
    return status == STATUS_OK ? give(r, which, z) : status;
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

/* Those that an event has just moved. */
static Selection recent(const Group *g) {
    if (!g->rate->cones) return (Selection){0};
    return (Selection){SELECT_LIST, 0, g->recents, g->recent};
}
static bool is_recent(const Group *g, int z) {
    return g->recents > 0 &&
           (!g->rate->cones || group_find(g->recent, g->recents, z) >= 0);
}

/* A bracket without crossings. */
static Bracket bracket(const Rate *r, double low, double high) {
    return (Bracket){.low = low,
                     .high = high,
                     .width = fmax(8.0 * DBL_EPSILON * fmax(fabs(low), fabs(high)),
                                   1e-13 * (high - low)),
                     .left = r->left,
                     .right = r->right,
                     .trial = r->trial,
                     .old = r->old,
                     .changed = r->changed};
}

/* ---- looking ---------------------------------------------------------------------------- */

/* May a crossing have changed sign and come back in between? It has if it went towards zero at the
 * beginning and away from it at the end; slope NAN: unknown. */
static bool may_turn(double slope, double mean, double z) {
    const double end = 2.0 * mean - slope, sign = z > 0.0 ? 1.0 : -1.0;
    return !(sign * slope > 0.0) && !(sign * end < 0.0);
}

static Status at(Group *g, double t, Selection which) {
    const Rate  *r = g->rate;
    const Status status =
        t < g->ode->t ? on_polynomial(g, t, &which) : evaluate(g, t, g->ode->y, &which);
    if (status != STATUS_OK) return STATUS_RETRY;
    for (int k = 0, n = selection_count(&which, r->model->nz); k < n; k++)
        if (!isfinite(r->z_new[selection_row(&which, k)])) return STATUS_RETRY;
    return STATUS_OK;
}

/* The crossings of the list inside the step, at its middle and, if asked for, at points ever nearer
 * to its beginning: one that crosses and comes back is seen if it has done so at one of them. Those
 * that have changed by then make the bracket, otherwise it begins at the last point. */
static Status look_inside(Group *g, Bracket *b, const int *list, int n, bool early) {
    static const double share[] = {1.0 / 64, 1.0 / 16, 0.25, 0.5};
    const Rate         *r = g->rate;
    const double        begin = b->low, h = b->high - begin;
    for (int i = early ? 0 : LENGTH(share) - 1; i < LENGTH(share); i++) {
        const double t = begin + share[i] * h;
        int          count = 0;
        if (!(t > b->low && t < g->ode->t)) continue;
        const Status status = at(g, t, (Selection){SELECT_LIST, 0, n, list});
        if (status != STATUS_OK) return status;
        for (int k = 0; k < n; k++) count += differs(b->left[list[k]], r->z_new[list[k]]);
        if (count > 0) b->high = t, b->changes = 0;
        else b->low = t;
        for (int k = 0; k < n; k++) {
            const int z = list[k];
            if (count == 0) b->left[z] = r->z_new[z];
            else if (differs(b->left[z], r->z_new[z])) b->changed[b->changes++] = z;
            if (count > 0) b->right[z] = r->z_new[z];
        }
        if (count > 0) break;
    }
    return STATUS_OK;
}

/* The crossings at the end of the step, and inside it where one may have turned. */
static Status look(Group *g, Bracket *b) {
    Rate           *r = g->rate;
    const Selection which = watched(g);
    const int       n = selection_count(&which, r->model->nz);
    int            *list = r->changed + r->model->nz, count = 0, turns = 0;
    bool            early = false;
    Status          status = at(g, b->high, which);
    if (status != STATUS_OK) return status;
    for (int k = 0; k < n; k++) {
        const int    z = selection_row(&which, k);
        const double before = r->z[z], now = r->z_new[z];
        const double mean = (now - before) / (b->high - b->low);
        const bool   fresh = is_recent(g, z), changed = differs(before, now);
        const double slope = fresh ? r->slope[z] : 0.5 * (r->slope[z] + mean);
        const bool   turn = !changed && may_turn(slope, mean, now);
        b->left[z] = before, b->right[z] = r->end[z] = now, r->slope[z] = mean;
        if (changed) b->changed[b->changes++] = z;
        if (changed || turn) list[count++] = z;
        turns += turn;
        early = early || (turn && fresh);
    }
    if (turns > 0) status = look_inside(g, b, list, count, early);
    for (int k = 0; k < n && b->changes == 0; k++) {
        const int z = selection_row(&which, k);
        r->z[z] = r->end[z];
    }
    return status;
}

/* ---- ending the step there ------------------------------------------------------------------ */

/* Is the polynomial of the last step good enough to end the step inside it? It has the order of the
 * error estimate. */
static bool is_accurate(const Group *g) {
    const Ode *o = g->ode;
    for (int i = 0; i < g->n; i++) {
        const bool   refined = g->fast[i] && g->space->clusters > 0;
        const double wanted = o->atol[i] + o->rtol * fabs(o->y[i]);
        if (!refined && !(fabs(o->err[i]) <= DENSE * wanted)) return false;
    }
    return true;
}

static Status cut(Group *g, double t) {
    Rate        *r = g->rate;
    Ode         *o = g->ode;
    const Status status =
        g->parent ? ode_dense(o, t, r->event_x) : rate_dense(r, t, r->event_x);
    if (status != STATUS_OK) return status;
    memcpy(o->y, r->event_x, sizeof(double) * (size_t)g->n);
    o->t = t;
    o->f_valid = false;
    return STATUS_OK;
}

/* To a point of along_line, bit for bit. */
static void move_on_line(Group *g, double t) {
    Ode         *o = g->ode;
    const double by = t - o->t;
    for (int i = 0; i < g->n; i++) o->y[i] += by * o->f[i];
    o->t = t;
    o->f_valid = false;
}

/* How far along the slope crossing z has its new sign, by no more than rounding: secants, then away
 * from the border. h: the length of the step. */
static Status line_to(Group *g, int z, bool positive, double h, double *by) {
    const Rate     *r = g->rate;
    const Ode      *o = g->ode;
    const Selection one = {SELECT_RANGE, z, 1, NULL};
    const double    fine = 8.0 * DBL_EPSILON * fabs(o->t) + 1e-13 * h;
    double          slope = r->slope[z], before = NAN, last = NAN, push = 0.0;
    *by = 0.0;
    for (int k = 0; k < 60; k++) {
        if (along_line(g, o->t + *by, &one, r->trial) != STATUS_OK) return STATUS_RETRY;
        const double now = r->trial[z];
        if (fabs(*by - last) > 1e-9 * h) slope = (now - before) / (*by - last);
        before = now, last = *by;
        const double step = slope != 0.0 ? -now / slope : 0.0;
        if (!(fabs(*by + step) <= h)) return STATUS_RETRY;
        if (k < 10 && fabs(step) > fine) {
            *by += step;
            continue;
        }
        if (fabs(step) > 1e-6 * h) return STATUS_RETRY;
        if ((now > 0.0) == positive) return STATUS_OK;
        push = fmax(4.0 * push, 2.0 * DBL_EPSILON * fabs(o->t) + fmax(step, 0.0));
        *by += push;
    }
    return STATUS_RETRY;
}

/* The step again, to end at the time found, and on by a line that is as good as the step: the
 * polynomial is less accurate than the end of a step. */
static Status step_to(Group *g, Bracket *b) {
    Rate        *r = g->rate;
    Ode         *o = g->ode;
    const double begin = o->t_last, length = o->t - begin;
    const int    z = b->changed[0];
    const bool   positive = b->right[z] > 0.0;
    double      *y = r->event_x + r->n, t = b->high, by = 0.0;
    memcpy(y, o->y_last, sizeof(double) * (size_t)g->n);
    for (int tries = 0; tries < 5; tries++, t += by) {
        if (!(t > begin && t < begin + 2.0 * length)) return STATUS_RETRY;
        Status status = repeat(g, begin, y, t);
        if (status == STATUS_OK && !o->f_valid) status = core_eval(o, o->t, o->y, o->f);
        if (status == STATUS_OK) status = line_to(g, z, positive, length, &by);
        if (status != STATUS_OK) return status;
        if (fabs(by) > sqrt(o->rtol) * (t - begin)) continue;
        move_on_line(g, o->t + by);
        o->t_last = begin;
        return STATUS_OK;
    }
    return STATUS_RETRY;
}

/* Of those that changed with the first one, the ones that have where the step now ends. */
static Status find_others(Group *g, Bracket *b) {
    const Rate     *r = g->rate;
    const Selection which = {SELECT_LIST, 0, b->changes - 1, b->changed + 1};
    int             n = 1;
    if (b->changes == 1) return STATUS_OK;
    if (evaluate(g, g->ode->t, g->ode->y, &which) != STATUS_OK) return STATUS_RETRY;
    for (int k = 1; k < b->changes; k++)
        if (differs(r->z[b->changed[k]], r->z_new[b->changed[k]]))
            b->changed[n++] = b->changed[k];
    b->changes = n;
    return STATUS_OK;
}

/* The step ends at t inside: what crossings that have not changed by then are there, on a line from its
 * beginning to its end. Only their signs are certain. */
static void estimate(Group *g, double begin, double end) {
    Rate           *r = g->rate;
    const Selection which = watched(g);
    const double    share = (g->ode->t - begin) / (end - begin);
    for (int k = 0, n = selection_count(&which, r->model->nz); k < n; k++) {
        const int    z = selection_row(&which, k);
        const double value = r->z[z] + share * (r->end[z] - r->z[z]);
        r->z[z] = differs(value, r->z[z]) ? 0.1 * r->z[z] : value;
    }
}

/* A step longer than the time to the next event is cut there, and the less accurate inside it the
 * longer it is. So it should end a little behind the place where the crossings are expected to
 * change, if they go on as they did. One step too short is enough: the next one is free. */
double event_expected(const Group *g) {
    const Rate     *r = g->rate;
    const Selection which = watched(g);
    double          least = HUGE_VAL;
    for (int k = 0, n = selection_count(&which, r->model->nz); k < n && !g->patient;
         k++) {
        const int    z = selection_row(&which, k);
        const double wait = -r->z[z] / r->slope[z];
        if (wait > 0.0 && wait < least) least = wait;
    }
    return g->ode->t + fmax(1.25 * least, 0.1 * g->ode->h);
}

Status event_find(Group *g, int *count) {
    Rate        *r = g->rate;
    Ode         *o = g->ode;
    const double begin = o->t_last, end = o->t;
    Bracket      b = bracket(r, o->t_last, o->t);
    *count = 0;
    Status status = look(g, &b);
    g->recents = 0;
    g->patient = b.changes == 0;
    if (status != STATUS_OK || b.changes == 0) return status;
    status = locate_first(&b, along_step, g);
    if (status == STATUS_OK && b.high < o->t) {
        const bool accurate = is_accurate(g);
        status = accurate ? cut(g, b.high) : step_to(g, &b);
        if (status == STATUS_OK && !accurate) status = find_others(g, &b);
    }
    if (status != STATUS_OK) return status;
    estimate(g, begin, end);
    o->h = fmax(o->h, end - begin);
    *count = r->changes = b.changes;
    return STATUS_OK;
}

/* Behind an event some crossings are beyond the border by rounding only, as `T > high` right after
 * the heater went off. Those that come back do so on a line, which needs no step. The slopes of the
 * others are known from now on. */
Status event_at_once(Group *g, int *count) {
    Rate           *r = g->rate;
    Ode            *o = g->ode;
    const Selection which = recent(g);
    *count = 0;
    if (g->recents == 0 || g->settled) return STATUS_OK;
    g->settled = true;
    if (!o->f_valid && core_eval(o, o->t, o->y, o->f) != STATUS_OK) return STATUS_OK;
    o->f_valid = o->f_exact = true;
    const double by = ode_moment(o);
    Bracket      b = bracket(r, o->t, o->t + by);
    if (!(by > 0.0)) return STATUS_OK;
    b.width = fmax(b.width, 2e-3 * by); /* any moment will do */
    if (along_line(g, b.high, &which, b.right) != STATUS_OK) return STATUS_OK;
    for (int k = 0, n = selection_count(&which, r->model->nz); k < n; k++) {
        const int z = selection_row(&which, k);
        b.left[z] = r->z[z];
        r->slope[z] = (b.right[z] - b.left[z]) / by;
        if (differs(b.left[z], b.right[z])) b.changed[b.changes++] = z;
    }
    if (b.changes == 0 || locate_first(&b, along_line, g) != STATUS_OK) return STATUS_OK;
    memcpy(o->y_last, o->y, sizeof(double) * (size_t)g->n);
    memset(o->k_last, 0, sizeof(double) * (size_t)g->n * (size_t)o->method->stages);
    o->t_last = o->t;
    o->h_last = b.high - o->t;
    o->dense_method = o->method;
    o->dense_ready = true;
    o->dense_swept = false;
    move_on_line(g, b.high);
    g->recents = 0;
    *count = r->changes = b.changes;
    return STATUS_OK;
}

/* ---- the event ------------------------------------------------------------------------------ */

/* Events of one group without end? */
static bool chatters(Group *g) {
    const double t = g->ode->t, span = g->parent ? g->span : g->ode->h_last;
    if (!(t - g->burst_begin <= 1e-9 * span)) g->burst_begin = t, g->burst = 0;
    return ++g->burst > 200;
}

static int ascending(const void *a, const void *b) {
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

/* An event that cannot be lived through ends the run: smaller steps would not help. */
static Status fail(Group *g, Status status, int relation, const char *what) {
    Rate *r = g->rate;
    r->why = status;
    r->fault = fault_none();
    r->fault.time = g->ode->t;
    r->fault.relation = relation;
    r->fault.what = what;
    return status;
}

static Status iterate(Group *g, double t, double *x) {
    enum { ROUNDS = 100 };
    Rate           *r = g->rate;
    const Model    *m = r->model;
    const Selection which = {SELECT_LIST, 0, r->changes, r->changed};
    bool            again = true;
    qsort(r->changed, (size_t)r->changes, sizeof(int), ascending);
    for (int round = 0; again; round++) {
        Fault *fault = &g->ode->fault;
        if (round == ROUNDS)
            return fail(
                g, STATUS_DIVERGED, r->changed[0],
                "the event iteration does not settle: something changes in every round");
        *fault = fault_none();
        fault->time = t;
        again = false;
        const Status status =
            m->fn->event(m->instance, t, x, EVENT_STATE, &which, &again, fault);
        r->event_rounds++;
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* Crossings that the event may have moved: those that read what it changes. */
static Selection concerned(const Group *g) {
    Rate          *r = g->rate;
    const Pattern *p = r->model->changes;
    int            n = 0, count = 0, *list = r->changed + r->model->nz;
    if (!r->cones) return (Selection){0};
    if (r->changes > 1) return watched(g);
    for (int e = p->start[r->changed[0]]; e < p->start[r->changed[0] + 1]; e++)
        n += r->model->reads->start[p->row[e] + 1] - r->model->reads->start[p->row[e]];
    if (n > r->model->nz) return watched(g); /* with repetitions: may not fit */
    count = event_touched(r, p->row + p->start[r->changed[0]],
                          p->start[r->changed[0] + 1] - p->start[r->changed[0]], list);
    return (Selection){SELECT_LIST, 0, count, list};
}

Status event_fire(Group *g, bool at_once) {
    Rate     *r = g->rate;
    Ode      *o = g->ode;
    double   *x = g->parent ? g->space->x : o->y;
    const int cause = r->changed[0];
    if (chatters(g))
        return fail(
            g, STATUS_CHATTERING, cause,
            "events follow each other without end; a relation switches back and forth");
    if (g->parent) {
        group_boundary(g, o->t, x);
        for (int i = 0; i < g->n; i++) x[g->state[i]] = o->y[i];
    }
    Status status = iterate(g, o->t, x);
    if (status != STATUS_OK) return status;
    if (g->parent)
        for (int i = 0; i < g->n; i++) o->y[i] = x[g->state[i]];
    if (r->fires == r->fired_room) {
        const int more = 2 * r->fired_room + 64;
        Fired    *p = realloc(r->fired, sizeof(Fired) * (size_t)more);
        if (!p) return STATUS_NO_MEMORY;
        r->fired = p;
        r->fired_room = more;
    }
    r->deep_events += !at_once && g->level + 1 == r->levels;
    r->fired[r->fires++] = (Fired){o->t, cause, at_once};
    const Selection moved = concerned(g);
    status = renew(g, moved);
    if (status != STATUS_OK) return status;
    g->settled = false;
    g->recents = selection_count(&moved, r->model->nz);
    if (r->cones) memcpy(g->recent, moved.row, sizeof(int) * (size_t)g->recents);
    o->f_valid = o->history = o->jac_valid = o->jac_current = o->lu_valid = false;
    o->newton.eta = 1.0;
    o->first_step = true;
    o->h *= 0.5; /* what was smooth enough before is so behind it, more or less */
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
    int        located = 0;
    for (int k = 0; k < r->fires; k++) located += !r->fired[k].at_once;
    if (r->cones && o->t > o->t_last) {
        const double rate = located / (o->t - o->t_last);
        r->event_rate = r->event_rate > 0.0 ? 0.7 * r->event_rate + 0.3 * rate : rate;
    }
    if (r->deep_events > 0)
        r->spread =
            0.7 * r->spread + 0.3 * (double)r->deep_joins / (double)r->deep_events;
    r->deep_events = r->deep_joins = 0;
    if (r->cones && r->model->journal) journal_sort(r->model->journal);
    if (r->fires > 1) qsort(r->fired, (size_t)r->fires, sizeof(Fired), by_time);
    for (int k = 0; k < r->fires && r->options.event; k++) {
        const Selection which = {SELECT_LIST, 0, 1, &r->fired[k].crossing};
        r->options.event(r->options.owner, r->fired[k].t, &which);
    }
    r->worker[0].stats.events += r->fires;
    r->fires = 0;
}
