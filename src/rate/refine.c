/* SPDX-License-Identifier: Apache-2.0 */
/* refine.c -- the fast set of a step, cluster by cluster, in small steps.
 *
 * Called by the integrator of a group for every attempt. (1) States whose error is above
 * the tolerance are added to the fast set. (2) The slow ones must meet the tolerance
 * in the root mean square and each on its own; otherwise the step is repeated smaller.
 * (3) The fast set falls into clusters that do not read one another. Each is integrated
 * over the same interval by its own group, which may refine again. (4) Slow states that see
 * too much of the refined values join while it runs (watch.c). Two clusters that meet are
 * made one and integrated again. (5) The refined end values replace those of the step.
 *
 * All lists are ascending and clusters are numbered by their smallest state, so the result
 * does not depend on the order in which clusters are run.
 * Cost: that of the small steps, and O(entries of the fast rows and columns). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/group.h"

/* ---- errors ------------------------------------------------------------------------- */

static double plain(Group *g, const Ode *o, bool sizes) {
    double sum = 0.0;
    for (int i = 0; i < o->n; i++) {
        const double size = fmax(fabs(o->y[i]), fabs(o->ynew[i]));
        const double e = o->err[i] / (o->scale_now * o->atol[i] + o->rtol_now * size);
        sum += e * e;
        if (sizes) g->size[i] = (float)(e * e);
    }
    return o->n > 0 ? sqrt(sum / o->n) : 0.0;
}

typedef struct Mark {
    size_t pieces, values, ids;
} Mark;

static void rewind_store(Store *s, Mark mark) {
    s->pieces = mark.pieces, s->values = mark.values, s->ids = mark.ids;
}

/* ---- one cluster ---------------------------------------------------------------------- */

static void place(Group *g, double t, double h) {
    Ode *o = g->ode;
    o->t = t;
    o->t_last = t;
    o->h = h;
    o->h_last = 0.0;
    o->f_valid = o->history = false;
    o->jac_valid = o->jac_current = o->lu_valid = false;
    o->newton.eta = 1.0;
    o->first_step = false;
    control_reset(&o->control);
}

/* The polynomials of everything the group reads, from its parent's attempt. */
static void take_curves(Group *g, double h) {
    const Group *p = g->parent;
    for (int b = 0; b < g->bounds; b++) {
        const int s = g->bound[b];
        const int q = p->parent ? group_find(p->state, p->n, s) : s;
        double   *c = g->coefficient + (size_t)b * COEFFICIENT;
        if (q >= 0) {
            g->powers[b] = group_curve(p, q, h, c);
            g->origin[b] = p->ode->t;
            g->inverse[b] = 1.0 / h;
            continue;
        }
        int at = group_find(p->bound, p->near, s);
        if (at < 0) {
            at = group_find(p->bound + p->near, p->bounds - p->near, s);
            if (at >= 0) at += p->near;
        }
        g->powers[b] = at >= 0 ? p->powers[at] : 0;
        g->origin[b] = at >= 0 ? p->origin[at] : 0.0;
        g->inverse[b] = at >= 0 ? p->inverse[at] : 0.0;
        if (at >= 0)
            memcpy(c, p->coefficient + (size_t)at * COEFFICIENT,
                   sizeof(double) * COEFFICIENT);
    }
}

static void trace(Group *g) {
    Rate      *r = g->rate;
    const Ode *o = g->ode;
    r->stats.steps[g->level]++;
    r->stats.state_steps[g->level] += g->n;
    if (!r->options.trace) return;
    const RateTrace step = {g->level, o->t_last, o->t - o->t_last, g->n, g->state};
    r->options.trace(r->options.owner, &step);
}

typedef struct Run { /* one cluster on its way through a step                      */
    Group *parent;
    double begin, h;
    int    cluster; /* its number                                             */
    int   *owner;   /* by state: cluster, -1 none                              */
    int   *joined;  /* states that joined, all clusters of the step            */
    int    joins;
    int    conflict; /* cluster met, -1 none                                    */
    int    dones;    /* states refined */
} Run;

/* The group of the run with more states, at the end of its last small step or, when that
 * saw them too late, at its beginning. */
static Group *enlarge(Run *run, Group *g, const int *join, int joins, bool late) {
    Rate         *r = g->rate;
    Ode          *o = g->ode;
    int          *list = r->space[g->level].merged;
    const double *y = late ? o->y_last : o->y, t = late ? o->t_last : o->t;
    int           n = 0;
    for (int i = 0, k = 0; i < g->n || k < joins;)
        list[n++] =
            k == joins || (i < g->n && g->state[i] < join[k]) ? g->state[i++] : join[k++];
    Group *next = group_get(r, run->parent, g->level, list, n);
    if (!next) return NULL;
    next->busy = true;
    next->end = g->end;
    place(next, t, late ? o->t - o->t_last : o->h);
    take_curves(next, run->h);
    memset(next->fast, 0, (size_t)n);
    const double step = next->ode->h > 0.0 ? next->ode->h : run->h / 64.0;
    const float  limit = (float)log2(step) + 1.0f;
    for (int i = 0; i < n; i++) {
        const int s = next->state[i], at = group_find(g->state, g->n, s);
        if (at >= 0) {
            next->ode->y[i] = y[at];
            continue;
        }
        const int w = group_find(g->watch, g->watches, s);
        next->ode->y[i] = group_bound(g, g->watch_bound[w], t) +
                          (late ? g->drift_before[w] : g->drift[w]);
        r->natural[s] = fminf(r->natural[s], limit);
    }
    watch_start(next, g, late);
    g->busy = false;
    return next;
}

static Status advance(Run *run, Group **group) {
    Group *g = *group;
    Rate  *r = g->rate;
    while (g->ode->t < g->end) {
        const Mark mark = {r->store.pieces, r->store.values, r->store.ids};
        const bool here = r->cones && !partition_allowed(g); /* events are found here */
        int        event = 0;
        if (r->cones && !here) event_save(g);
        Status status = ode_step(g->ode, g->end);
        if (status == STATUS_OK && here && g->crossings > 0)
            status = event_find(g, &event);
        if (status != STATUS_OK) {
            r->fault = *ode_fault(g->ode);
            return status;
        }
        const double h = g->ode->t - g->ode->t_last;
        int         *join = run->joined + run->joins;
        bool         late = false;
        int          joins = watch_step(g, h, join, &late);
        if (g->ode->options.h_fixed > 0.0) joins = 0, late = false;
        if (g->ode->t >= g->end && !late) joins = 0;
        if (late) {
            rewind_store(&r->store, mark);
            if (r->cones && !here) event_restore(g);
        } else {
            trace(g);
            if (!store_piece(&r->store, g)) return STATUS_NO_MEMORY;
            if (event > 0 && (status = event_fire(g)) != STATUS_OK) return status;
        }
        if (joins > 0 && r->cones && event_close(r, join, joins, g->space->place) > joins)
            return STATUS_RETRY; /* more than neighbours: left to the larger step */
        for (int k = 0; k < joins; k++) {
            if (run->owner[join[k]] < 0) continue;
            run->conflict = run->owner[join[k]];
            return STATUS_RETRY;
        }
        if (joins > 0) {
            for (int k = 0; k < joins; k++) run->owner[join[k]] = run->cluster;
            run->joins += joins;
            r->stats.joined += joins;
            Group *next = enlarge(run, g, join, joins, late);
            if (!next) return STATUS_NO_MEMORY;
            *group = g = next;
        }
        if (joins > 0 && partition_allowed(g)) partition_start(g, g->end - g->ode->t);
        else partition_review(g, h, g->end - g->ode->t);
    }
    return STATUS_OK;
}

static Status run_cluster(Run *run, const int *state, int n, Group **result) {
    Group *p = run->parent;
    Rate  *r = p->rate;
    Group *g = group_get(r, p, p->level + 1, state, n);
    if (!g) return STATUS_NO_MEMORY;
    int bin = 0;
    while (bin < 15 && n >> (bin + 1)) bin++;
    r->stats.active[bin]++;
    r->stats.clusters++;
    g->busy = true;
    g->end = run->begin + run->h;
    if (p->parent && run->begin + run->h >= p->end * (1.0 - 1e-15)) g->end = p->end;
    place(g, run->begin, 0.0);
    for (int i = 0; i < n; i++) {
        const int q = p->parent ? group_find(p->state, p->n, state[i]) : state[i];
        g->ode->y[i] = p->ode->y[q];
    }
    take_curves(g, run->h);
    watch_start(g, NULL, false);
    partition_start(g, run->h);
    *result = g;
    return advance(run, result);
}

/* ---- clusters -------------------------------------------------------------------------- */

static int root_of(int *up, int k) {
    while (up[k] != k) k = up[k] = up[up[k]];
    return k;
}
static void unite(int *up, int a, int b) {
    a = root_of(up, a), b = root_of(up, b);
    if (a < b) up[b] = a;
    else up[a] = b;
}

/* up: union-find over positions in list. Two fast states belong together when one reads the
 * other, or when a light slow row reads both. */
static void connect(const Rate *r, const int *list, int n, int *at, int *up) {
    const Pattern *p = r->pattern;
    for (int k = 0; k < n; k++) at[list[k]] = up[k] = k;
    for (int k = 0; k < n; k++)
        for (int e = p->start[list[k]]; e < p->start[list[k] + 1]; e++) {
            const int i = p->row[e];
            if (at[i] >= 0) unite(up, at[i], k);
            else if (r->row_start[i + 1] - r->row_start[i] <= HEAVY)
                for (int q = r->row_start[i]; q < r->row_start[i + 1]; q++)
                    if (at[r->row_column[q]] >= 0) unite(up, at[r->row_column[q]], k);
        }
    for (int k = 0; k < n; k++) at[list[k]] = -1;
}

/* A joined state must not be read by another cluster, which saw it slow. */
static bool overlap(const Rate *r, const Run *run, int *a, int *b) {
    const Pattern *p = r->pattern;
    for (int k = 0; k < run->joins; k++) {
        const int j = run->joined[k];
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            const int other = run->owner[p->row[e]];
            if (other < 0 || other == run->owner[j]) continue;
            *a = run->owner[j], *b = other;
            return true;
        }
    }
    return false;
}

static int packed(const Group *g, int state) {
    return g->parent ? group_find(g->state, g->n, state) : state;
}

/* Puts refined values and corrections into the result of the group's attempt. */
static void apply(Group *g, int dones, int fixes) {
    const Workspace *w = g->space;
    for (int k = 0; k < fixes; k++)
        g->ode->ynew[packed(g, w->fix[k])] += w->correction[k];
    for (int k = 0; k < dones; k++) {
        const int q = packed(g, w->done[k]);
        g->ode->ynew[q] = w->result[k];
        if (!g->fast[q]) g->fast[q] = 1, g->fasts++;
    }
}

/* All clusters of list once. *a, *b: two that must be one, -1 if none. */
static Status run_each(Group *g, Run *run, const int *list, int n, int *a, int *b) {
    Workspace *w = g->space;
    int       *up = w->up, dones = 0, fixes = 0;
    Status     status = STATUS_OK;
    run->joins = 0;
    for (int k = 0; k < n; k++) w->owner[list[k]] = root_of(up, k);
    for (int k = 0; k < n && status == STATUS_OK && *a < 0; k++) {
        if (root_of(up, k) != k) continue;
        int    count = 0;
        Group *child = NULL;
        for (int i = k; i < n; i++)
            if (root_of(up, i) == k) w->part[count++] = list[i];
        run->cluster = k;
        run->conflict = -1;
        status = run_cluster(run, w->part, count, &child);
        if (status == STATUS_RETRY && run->conflict >= 0)
            *a = k, *b = run->conflict, status = STATUS_OK;
        if (!child) continue;
        child->busy = false;
        if (status != STATUS_OK || *a >= 0) continue;
        for (int i = 0; i < child->n; i++, dones++) {
            w->done[dones] = child->state[i];
            w->result[dones] = child->ode->y[i];
        }
        fixes = watch_finish(child, w->fix, w->correction, fixes);
    }
    if (status == STATUS_OK && *a < 0 && !overlap(g->rate, run, a, b))
        apply(g, dones, fixes);
    run->dones = dones;
    for (int k = 0; k < run->joins; k++) w->owner[w->joined[k]] = -1;
    return status;
}

static Status run_all(Group *g, double h, const int *list, int n, int *dones) {
    Rate      *r = g->rate;
    Workspace *w = g->space;
    const Mark mark = {r->store.pieces, r->store.values, r->store.ids};
    Run        run = {
               .parent = g, .begin = g->ode->t, .h = h, .owner = w->owner, .joined = w->joined};
    Status status = STATUS_OK;
    connect(r, list, n, w->place, w->up);
    for (int tries = 0;; tries++) {
        if (tries > 0 && r->cones) event_restore(g);
        int a = -1, b = -1;
        status = run_each(g, &run, list, n, &a, &b);
        if (a < 0 || status != STATUS_OK) break;
        rewind_store(&r->store, mark);
        r->stats.redone++;
        if (tries > 20) {
            status = STATUS_RETRY;
            break;
        }
        unite(w->up, a, b);
        for (int k = 1; k < n && tries >= 2; k++) unite(w->up, 0, k); /* end it */
    }
    *dones = run.dones;
    for (int k = 0; k < n; k++) w->owner[list[k]] = -1;
    g->join_rate = 0.7 * g->join_rate + 0.3 * run.joins / h;
    if (status != STATUS_OK) {
        rewind_store(&r->store, mark);
        if (r->cones) event_restore(g);
    }
    return status;
}

/* ---- the review of an attempt ------------------------------------------------------------ */

static void sizes_to_logarithms(Group *g) { /* from squares, see plain */
    for (int i = 0; i < g->n; i++) g->size[i] = 0.5f * log2f(fmaxf(g->size[i], 1e-24f));
}

/* Slopes at the end of the step, where refined values changed them. */
static bool renew_slopes(Group *g, double t, const int *done, int dones) {
    const Pattern *p = g->rate->pattern;
    int           *seen = g->space->place, *list = g->space->list, count = 0;
    if (g->parent) return false; /* small: evaluated as a whole when needed */
    for (int k = 0; k < dones; k++)
        for (int e = p->start[done[k]] - 1; e < p->start[done[k] + 1]; e++) {
            const int i = e < p->start[done[k]] ? done[k] : p->row[e];
            if (seen[i] != -1) continue;
            seen[i] = -2;
            list[count++] = i;
        }
    for (int k = 0; k < count; k++) seen[list[k]] = -1;
    const Selection rows = {SELECT_LIST, 0, count, list};
    g->view.rhs_rows += count;
    return g->model.fn->eval(g, t, g->ode->ynew, &rows, g->ode->fnew, &g->view.fault) ==
           STATUS_OK;
}

static int ascending(const void *a, const void *b) {
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

/* (1), (2): the norm of the slow states; the fast ones go to list. Above 1: repeat. */
static double survey(Group *g, const Ode *o, int *list, int *count) {
    double     sum = 0.0, outside = 0.0;
    int        n = 0, slow = 0, fresh = 0;
    const bool fixed = o->options.h_fixed > 0.0;
    for (int i = 0; i < g->n; i++) {
        if (g->fast[i]) {
            list[n++] = g->state[i];
            continue;
        }
        const double size = fmax(fabs(o->y[i]), fabs(o->ynew[i]));
        const double e = o->err[i] / (o->scale_now * o->atol[i] + o->rtol_now * size);
        g->size[i] = (float)fmin(e * e, 1e30);
        if (e * e <= 1.0 || fixed) {
            sum += e * e;
            slow++;
        } else {
            if (!isfinite(e)) return HUGE_VAL;
            outside += e * e;
            fresh++;
            list[n++] = g->state[i];
        }
    }
    *count = n;
    if (slow + fresh == 0) return HUGE_VAL;
    const double norm = slow > 0 && !fixed ? sqrt(sum / slow) : 0.0;
    const bool   free = !g->rate->options.partition; /* a test may ask for anything */
    if (slow == 0 || (free && n > g->n / 2 && g->n > 8) || fresh > 0.1 * g->n + 8)
        return fmax(norm, sqrt((sum + outside) / (slow + fresh)) + 1.0);
    return norm;
}

double refine_review(void *owner, Ode *o, double h) {
    Group        *g = owner;
    Rate         *r = g->rate;
    Workspace    *w = g->space;
    const Method *m = o->method;
    const double  horizon = g->parent ? g->end - g->parent->ode->t : 0.0;
    int          *list = w->keep, n = 0, dones = 0;
    bool          look = true;
    double        norm;
    if (g->refining) {
        norm = survey(g, o, list, &n);
    } else {
        look = g->level > 0 || (r->levels > 1 && g->until_review <= 0);
        norm = o->options.h_fixed > 0.0 ? 0.0 : plain(g, o, look);
    }
    if (!(norm <= 1.0)) return norm;
    if (look) {
        sizes_to_logarithms(g);
        partition_note(g, h, horizon);
    }
    if (r->cones && partition_allowed(g)) {
        const int before = n;
        n = event_ahead(g, o->t + h, list, n);
        n = event_close(r, list, n, w->place);
        qsort(list, (size_t)n, sizeof(int), ascending);
        if (n > before && n > g->n / 2 && g->n > 8) return exp2(m->estimate + 1);
    }
    if (n == 0) {
        if (r->cones && partition_allowed(g)) event_settle(g, o->t + h, list, 0);
        return norm;
    }
    /* (3) to (5) */
    if (m->dense_stages > m->stages && !o->fnew_valid) {
        if (core_eval(o, o->t + h, o->ynew, o->fnew) != STATUS_OK) return 16.0;
        o->fnew_valid = true;
    }
    const Mark   mark = {r->store.pieces, r->store.values, r->store.ids};
    const Status status = run_all(g, h, list, n, &dones);
    if (status != STATUS_OK) {
        r->stats.redone++;
        g->failed = status;
        return exp2(m->estimate + 1);
    }
    const double heavy = watch_heavy(g, h, w->done, dones);
    if (heavy > 1.0) {
        r->stats.redone++;
        rewind_store(&r->store, mark);
        if (r->cones) event_restore(g);
        return heavy;
    }
    for (int k = 0; k < dones; k++) {
        const int q = packed(g, w->done[k]);
        for (int j = 0; j < m->stages; j++) o->k[(size_t)j * g->n + q] = 0.0;
        if (!g->refining) g->fast[q] = 0, g->fasts = 0;
    }
    if (r->cones) event_settle(g, o->t + h, w->done, dones);
    if (o->fnew_valid) o->fnew_valid = renew_slopes(g, o->t + h, w->done, dones);
    return norm;
}
