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

bool event_setup(Rate *r) {
    const Model *m = r->model;
    if (!r->events) return true;
    r->z = calloc((size_t)(2 * m->nz + 1), sizeof(double));
    r->z_new = r->z ? r->z + m->nz : NULL;
    r->event_x = calloc((size_t)(2 * (r->n + m->nz) + 1), sizeof(double));
    r->slope = calloc((size_t)m->nz + 1, sizeof(double));
    r->hit = calloc((size_t)m->nz + 1, sizeof(Hit));
    if (r->options.check) r->z_check = calloc((size_t)m->nz + 1, sizeof(double));
    if (r->options.check && !r->z_check) return false;
    r->changed = calloc((size_t)(2 * m->nz + 1), sizeof(int));
    for (int k = 0; k < r->levels; k++) {
        Workspace *w = &r->worker[0].space[k];
        w->saved = calloc((size_t)(m->nz + 1), sizeof(double));
        w->attempt = calloc((size_t)r->n + 1, sizeof(double));
        if (!w->saved || !w->attempt) return false;
    }
    return r->z && r->event_x && r->changed && r->slope && r->hit;
}

void event_free(Rate *r) {
    free(r->z), free(r->event_x), free(r->changed), free(r->fired);
    free(r->slope), free(r->hit), free(r->z_check);
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
    g->crossing = malloc(sizeof(int) * 2 * ((size_t)g->crossings + 1));
    if (!g->crossing) return false;
    memcpy(g->crossing, list, sizeof(int) * (size_t)g->crossings);
    g->recent = g->crossing + g->crossings;
    return true;
}

void event_begin(Group *g, bool fresh) {
    g->recents = fresh ? g->crossings : 0;
    memcpy(g->recent, g->crossing, sizeof(int) * (size_t)g->recents);
    g->burst = 0;
    g->burst_begin = g->ode->t;
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
    for (int k = 0; k < n; k++) {
        if (differs(r->z[list[k]], r->z_new[list[k]])) return STATUS_RETRY;
        r->z[list[k]] = r->z_new[list[k]];
        r->slope[list[k]] = NAN;
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

/* Crossings on the polynomial of the last step. */
static Status on_polynomial(Group *g, double t, const Selection *which) {
    Rate        *r = g->rate;
    const Status status =
        g->parent ? ode_dense(g->ode, t, r->event_x) : rate_dense(r, t, r->event_x);
    return status == STATUS_OK ? evaluate(g, t, r->event_x, which) : status;
}

/* Value of crossing z there; no_cones: everything is evaluated, as if the model could not be
 * asked for less. */
static double one_value(Group *g, int z, double t) {
    Rate            *r = g->rate;
    const Selection  one = {SELECT_RANGE, z, 1, NULL}, all = {0};
    const Selection *which = r->options.no_cones ? &all : &one;
    return on_polynomial(g, t, which) == STATUS_OK ? r->z_new[z] : NAN;
}

/* Zero of crossing z between a and b, where it is fa and fb. */
static double locate(Group *g, int z, double a, double fa, double b, double fb) {
    const double size = fabs(fb - fa);
    for (int k = 0; k < 60 && b - a > 4.0 * DBL_EPSILON * fabs(b); k++) {
        double t = fa == fb ? 0.5 * (a + b) : b - fb * (b - a) / (fb - fa);
        if (!(t > a && t < b)) t = 0.5 * (a + b);
        const double f = one_value(g, z, t);
        if (!isfinite(f)) break;
        const double gap = b - a;
        if (differs(f, fb) || f == 0.0) {
            a = t, fa = f;
            if (f == 0.0) return t;
            if (k % 2) fb *= 0.5;
        } else {
            b = t, fb = f;
            if (k % 2) fa *= 0.5;
        }
        if (fabs(f) < 1e-14 * size) return t;
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

/* Those that may cross again at once. */
static Selection recent(const Group *g) {
    if (!g->rate->cones) return (Selection){0};
    return (Selection){SELECT_LIST, 0, g->recents, g->recent};
}

/* May a crossing have changed sign and come back in between? Its slope at both ends, from the mean
 * slopes of this step and the one before, says whether it went towards zero and turned. */
static bool may_turn(double before, double mean, double z) {
    const double begin = 0.5 * (before + mean), end = 1.5 * mean - 0.5 * before;
    const double sign = z > 0.0 ? 1.0 : -1.0;
    return !(sign * begin > 0.0) && !(sign * end < 0.0);
}

/* Notes crossing z, whose sign differs between a, where it is r->z, and b, where it is fb. */
static void hit(Group *g, int z, double a, double b, double fb) {
    Rate        *r = g->rate;
    const double fa = r->z[z];
    const bool   once = fabs(fa) <= 1e-9 * fabs(fb); /* it was there by rounding only */
    const double mean = (fb - fa) / (b - a);
    const double t = once ? a - fa / mean : locate(g, z, a, fa, b, fb);
    const double slope = b - t > t - a ? fb / (b - t) : -fa / (t - a);
    r->hit[r->hits++] = (Hit){z, r->z[z] <= 0.0, t, slope};
}

static void first_hit(Rate *r) {
    for (int k = 1; k < r->hits; k++)
        if (r->hit[k].t < r->hit[0].t) {
            const Hit h = r->hit[k];
            r->hit[k] = r->hit[0];
            r->hit[0] = h;
        }
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

/* Behind an event: looks at points ever nearer to it. *from: how far they have come. */
static Status look_early(Group *g, double *from) {
    static const double share[] = {1.0 / 64, 1.0 / 16, 0.25};
    Rate               *r = g->rate;
    const Selection     which = recent(g);
    const int           n = selection_count(&which, r->model->nz);
    const double        begin = g->ode->t_last, h = g->ode->t - begin;
    double             *value = r->event_x + 2 * r->n;
    for (int i = 0; i < LENGTH(share) && g->recents > 0 && r->hits == 0; i++) {
        const double to = begin + share[i] * h;
        if (!(to > *from)) continue;
        const Status status = at(g, to, which);
        if (status != STATUS_OK) return status;
        for (int k = 0; k < n; k++) value[k] = r->z_new[selection_row(&which, k)];
        for (int k = 0; k < n; k++) {
            const int z = selection_row(&which, k);
            if (differs(r->z[z], value[k])) hit(g, z, *from, to, value[k]);
        }
        for (int k = 0; k < n && r->hits == 0; k++)
            r->z[selection_row(&which, k)] = value[k];
        if (r->hits == 0) *from = to;
    }
    return STATUS_OK;
}

/* The crossings at the end of the step, and those that may have turned at its middle: one that
 * crosses and comes back within a step is seen if it has done so there. */
static Status look(Group *g, double from) {
    Rate           *r = g->rate;
    const Selection which = watched(g);
    const int       n = selection_count(&which, r->model->nz);
    const double    begin = g->ode->t_last, end = g->ode->t, middle = 0.5 * (begin + end);
    double         *value = r->event_x + 2 * r->n;
    int            *turn = r->changed, turns = 0;
    Status          status = at(g, end, which);
    if (status != STATUS_OK) return status;
    for (int k = 0; k < n; k++) value[k] = r->z_new[selection_row(&which, k)];
    for (int k = 0; k < n; k++) {
        const int  z = selection_row(&which, k);
        const bool near =
            g->recents > 0 && (!r->cones || group_find(g->recent, g->recents, z) >= 0);
        const double a = near ? from : begin, mean = (value[k] - r->z[z]) / (end - a);
        if (differs(r->z[z], value[k])) hit(g, z, a, end, value[k]);
        else if (may_turn(r->slope[z], mean, value[k])) turn[turns++] = z;
        r->slope[z] = mean;
    }
    if (turns > 0 && middle > from) {
        status = at(g, middle, (Selection){SELECT_LIST, 0, turns, turn});
        if (status != STATUS_OK) return status;
        double *half = r->event_x + 2 * r->n + r->model->nz;
        for (int k = 0; k < turns; k++) half[k] = r->z_new[turn[k]];
        for (int k = 0; k < turns; k++)
            if (differs(r->z[turn[k]], half[k])) hit(g, turn[k], from, middle, half[k]);
    }
    for (int k = 0; k < n && r->hits == 0; k++) r->z[selection_row(&which, k)] = value[k];
    return STATUS_OK;
}

/* On by a time so short that a straight line is exact: the polynomial of the step is good that
 * far beyond its end. */
static Status nudge(Group *g, double by) {
    Ode         *o = g->ode;
    const Status status = core_eval(o, o->t, o->y, o->f);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < g->n; i++) o->y[i] += by * o->f[i];
    o->t += by;
    return STATUS_OK;
}

/* The same from the beginning of the step, which then has no polynomial. */
static Status nudge_from(Group *g, double begin, const double *y, double t) {
    Ode *o = g->ode;
    o->t = o->t_last = begin;
    memcpy(o->y, y, sizeof(double) * (size_t)g->n);
    memcpy(o->y_last, y, sizeof(double) * (size_t)g->n);
    memset(o->k_last, 0, sizeof(double) * (size_t)g->n * (size_t)o->method->stages);
    return nudge(g, t - begin);
}

/* The step ends where the crossing found has its new sign, by no more than rounding: secants from
 * the time on the polynomial on, then away from the border. */
static Status step_to(Group *g, double begin, const double *y, double end,
                      const Hit *found) {
    Rate           *r = g->rate;
    const Ode      *o = g->ode;
    const Selection one = {SELECT_RANGE, found->crossing, 1, NULL};
    double          t = fmax(found->t, nextafter(begin, HUGE_VAL)), push = 0.0;
    double          slope = found->slope, z_before = NAN, t_before = NAN;
    const bool      once = g->parent && t - begin <= 1e-9 * (end - begin);
    Status          status = once ? nudge_from(g, begin, y, t) : repeat(g, begin, y, t);
    for (int k = 0; k < 60 && status == STATUS_OK; k++) {
        if (evaluate(g, o->t, o->y, &one) != STATUS_OK) return STATUS_RETRY;
        const double z = r->z_new[found->crossing], apart = o->t - t_before;
        if (fabs(apart) > 1e-9 * (end - begin)) slope = (z - z_before) / apart;
        z_before = z, t_before = o->t;
        const double step = slope != 0.0 ? -z / slope : 0.0;
        const double fine = 8.0 * DBL_EPSILON * fabs(o->t) + 1e-13 * (end - begin);
        if (!once && k < 10 && fabs(step) > fine) {
            const bool line = fabs(step) <= sqrt(o->rtol) * (t - begin);
            if (!(o->t + step > begin && o->t + step < end + (end - begin)))
                return STATUS_RETRY;
            if (!line) t = o->t + step;
            status = line ? nudge(g, step) : repeat(g, begin, y, t);
            continue;
        }
        if (!once && fabs(step) > 1e-6 * (end - begin)) return STATUS_RETRY;
        if ((z > 0.0) == found->positive) break;
        push = fmax(4.0 * push, 2.0 * DBL_EPSILON * fabs(o->t) + fmax(step, 0.0));
        status = nudge(g, push);
    }
    return status;
}

/* Others that have changed sign where the step now ends. */
static Status find_others(Group *g, double near) {
    Rate *r = g->rate;
    int  *list = r->changed, count = 1;
    list[0] = r->hit[0].crossing;
    for (int k = 1; k < r->hits; k++)
        if (r->hit[k].t <= near) list[count++] = r->hit[k].crossing;
    r->changes = 1;
    if (count == 1) return STATUS_OK;
    const Selection which = {SELECT_LIST, 0, count - 1, list + 1};
    if (evaluate(g, g->ode->t, g->ode->y, &which) != STATUS_OK) return STATUS_RETRY;
    for (int k = 1; k < count; k++)
        if (differs(r->z[list[k]], r->z_new[list[k]])) list[r->changes++] = list[k];
    return STATUS_OK;
}

Status event_find(Group *g, int *count) {
    Rate        *r = g->rate;
    Ode         *o = g->ode;
    const double begin = o->t_last, end = o->t;
    double      *y = r->event_x + r->n, from = begin;
    *count = r->hits = 0;
    Status status = look_early(g, &from);
    if (status == STATUS_OK && r->hits == 0) status = look(g, from);
    g->recents = 0;
    if (status != STATUS_OK || r->hits == 0) return status;
    first_hit(r);
    memcpy(y, o->y_last, sizeof(double) * (size_t)g->n);
    status = step_to(g, begin, y, end, &r->hit[0]);
    if (status == STATUS_OK) status = find_others(g, o->t + 1e-3 * (end - begin));
    if (status != STATUS_OK) return status;
    o->t_last = begin;
    o->h = fmax(o->h, end - begin);
    *count = r->changes;
    return STATUS_OK;
}

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

Status event_fire(Group *g) {
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
    g->recents = r->changes;
    if (r->cones) memcpy(g->recent, r->changed, sizeof(int) * (size_t)r->changes);
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
    status = renew(g, concerned(g));
    if (status != STATUS_OK) return status;
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
    if (r->cones && o->t > o->t_last)
        r->event_rate = 0.7 * r->event_rate + 0.3 * r->fires / (o->t - o->t_last);
    if (r->cones && r->model->journal) journal_sort(r->model->journal);
    if (r->fires > 1) qsort(r->fired, (size_t)r->fires, sizeof(Fired), by_time);
    for (int k = 0; k < r->fires && r->options.event; k++) {
        const Selection which = {SELECT_LIST, 0, 1, &r->fired[k].crossing};
        r->options.event(r->options.owner, r->fired[k].t, &which);
    }
    r->worker[0].stats.events += r->fires;
    r->fires = 0;
}
