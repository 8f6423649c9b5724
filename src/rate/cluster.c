/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.c -- the fast set of a step as clusters: split, run, meet, apply.
 *
 * Two fast states belong together when one reads the other, when a slow row with few entries
 * reads both, or when an event concerns both. The parts do not read one another and are run
 * one by one or on threads (inner.c). Afterwards it is known which slow states joined: two
 * clusters that took the same state, or one that the other reads, or that together moved a
 * slow state beyond its tolerance, are made one and integrated again; the others keep what
 * they have. The refined end values and the corrections of slow states then replace those of
 * the large step.
 *
 * Clusters are numbered by their smallest state and every decision is taken in that order
 * after all have run, so nothing depends on the number of threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/group.h"

enum {
    CLOSE = 8, /* a slow row with at most so many entries ties the fast states it reads */
    GRAIN =
        2000 /* state-steps of a large step that are worth waking threads             */
};

/* ---- splitting -------------------------------------------------------------------------- */

static int root_of(int *up, int k) {
    while (up[k] != k) k = up[k] = up[up[k]];
    return k;
}
static bool unite(int *up, int a, int b) {
    a = root_of(up, a), b = root_of(up, b);
    if (a < b) up[b] = a;
    else up[a] = b;
    return a != b;
}

/* Fast states read by row i, if it is short, belong together with fast state k. A state that
 * switches wakes those that read it: with events a row further away ties as well, otherwise
 * such clusters would meet and be run again. */
static void tie(const Rate *r, const int *at, int *up, int i, int k, int reach) {
    if (r->row_start[i + 1] - r->row_start[i] > CLOSE) return;
    for (int q = r->row_start[i]; q < r->row_start[i + 1]; q++) {
        const int j = r->row_column[q];
        if (at[j] >= 0) unite(up, at[j], k);
        else if (reach > 0 && j != i) tie(r, at, up, j, k, reach - 1);
    }
}

/* up: union-find over positions in list. */
static void connect(const Rate *r, const int *list, int n, int *at, int *up) {
    const Pattern *p = r->pattern;
    const Model   *m = r->model;
    for (int k = 0; k < n; k++) at[list[k]] = up[k] = k;
    for (int k = 0; k < n; k++) {
        const int s = list[k];
        for (int e = p->start[s]; e < p->start[s + 1]; e++) {
            const int i = p->row[e];
            if (at[i] >= 0) unite(up, at[i], k);
            else tie(r, at, up, i, k, r->cones ? 1 : 0);
        }
        for (int e = r->cones ? m->reads->start[s] : 0;
             r->cones && e < m->reads->start[s + 1]; e++) {
            const int z = m->reads->row[e];
            for (int q = m->changes->start[z]; q < m->changes->start[z + 1]; q++)
                if (at[m->changes->row[q]] >= 0) unite(up, at[m->changes->row[q]], k);
        }
    }
    for (int k = 0; k < n; k++) at[list[k]] = -1;
}

static bool make_room(Workspace *w, int clusters) {
    for (int k = 0; k < 2 && clusters > w->cluster_room; k++) {
        const size_t bytes = sizeof(Cluster) * (size_t)(2 * clusters);
        Cluster    **side = k ? &w->cluster_before : &w->cluster;
        Cluster     *p = realloc(*side, bytes);
        if (!p) return false;
        *side = p;
    }
    if (clusters > w->cluster_room) w->cluster_room = 2 * clusters;
    return true;
}

/* Clusters from the union-find, by smallest state. One whose states are those of a cluster
 * of before keeps its outcome. */
static bool split(Workspace *w, const int *list, int n) {
    int *number = w->merged, count = 0, before = 0;
    for (int k = 0; k < n; k++)
        if (root_of(w->up, k) == k) number[k] = count++;
    if (!make_room(w, count)) return false;
    Cluster *old = w->cluster, *new = w->cluster_before;
    for (int c = 0; c < count; c++) new[c] = (Cluster){.conflict = -1};
    for (int k = 0; k < n; k++) new[number[root_of(w->up, k)]].n++;
    for (int c = 0, at = 0; c < count; at += new[c].n, c++) new[c].state = w->part + at;
    for (int c = 0; c < count; c++) new[c].n = 0;
    for (int k = 0; k < n; k++) {
        Cluster *c = &new[number[root_of(w->up, k)]];
        c->state[c->n++] = list[k];
    }
    for (int c = 0; c < count; c++) { /* both lists ascend in their first state */
        while (before < w->clusters && old[before].first < new[c].state[0]) before++;
        if (before == w->clusters || old[before].first != new[c].state[0] ||
            old[before].n != new[c].n)
            continue;
        int *state = new[c].state;
        new[c] = old[before];
        new[c].state = state;
        old[before].ready = false; /* handed over */
    }
    for (int c = 0; c < count; c++) new[c].first = new[c].state[0];
    for (int c = 0; c < w->clusters; c++) /* what was in vain must not reach the output */
        if (old[c].ready)
            store_kill(&old[c].worker->store, old[c].pieces, old[c].pieces_end);
    w->cluster = new;
    w->cluster_before = old;
    w->clusters = count;
    return true;
}

/* ---- running ---------------------------------------------------------------------------- */

static bool keep_room(Outcomes *o, size_t ids, size_t values) {
    return store_room((void **)&o->id, &o->id_room, o->ids + ids, sizeof(int)) &&
           store_room((void **)&o->value, &o->value_room, o->values + values,
                      sizeof(double));
}

/* Refined values, what was learnt of natural steps, corrections of slow states. */
static bool keep(Cluster *c, RateGroup *g) {
    Outcomes *o = &c->worker->outcomes;
    if (!keep_room(o, (size_t)(g->n + g->watch.count),
                   (size_t)(DONE * g->n + FIX * g->watch.count)))
        return false;
    c->id = o->ids;
    c->value = o->values;
    c->dones = g->n;
    c->join_rate = g->part.join_rate;
    c->work = g->effort.below + work_since(g, &g->effort.counts);
    c->steps = g->effort.steps;
    for (int i = 0; i < g->n; i++) {
        o->id[o->ids + (size_t)i] = g->state[i];
        o->value[o->values + (size_t)i] = ode_state(g->ode)[i];
        o->value[o->values + (size_t)(g->n + i)] = (double)g->part.natural[i];
        o->value[o->values + (size_t)(2 * g->n + i)] =
            (double)partition_stable(g, g->state[i]);
    }
    o->ids += (size_t)g->n;
    o->values += DONE * (size_t)g->n;
    c->fixes = watch_finish(g, o->id + o->ids, o->value + o->values);
    o->ids += (size_t)c->fixes;
    o->values += FIX * (size_t)c->fixes;
    return true;
}

typedef struct Task {
    RateGroup *parent;
    double     h, end;
} Task;

static void run_one(void *owner, int number, int worker) {
    const Task *task = owner;
    RateGroup  *p = task->parent, *child = NULL;
    Cluster    *c = &p->space->cluster[number];
    ClusterRun  run = {.parent = p,
                       .begin = ode_time(p->ode),
                       .h = task->h,
                       .end = task->end,
                       .owner = p->space->owner,
                       .own = number,
                       .conflict = -1};
    if (c->ready) return;
    c->worker = p->parent ? p->worker : &p->rate->worker[worker];
    if (!p->parent) c->worker->why = STATUS_OK;
    const EventMark mark = event_mark(c->worker);
    c->pieces = c->worker->store.pieces;
    c->status = inner_run(&run, c->worker, c->state, c->n, &child);
    c->pieces_end = c->worker->store.pieces;
    c->conflict = run.conflict;
    c->end = run.stopped ? child->end : task->end;
    c->dones = c->fixes = 0;
    c->joined = run.joined;
    c->work = 0.0;
    c->ready = true;
    if (!child) return;
    child->busy = false;
    c->why = c->worker->why;
    c->fault = c->worker->why_fault;
    const bool kept = keep(c, child);
    const bool apart = !p->rate->cones || event_set_aside(c, p, child, mark);
    if (!kept || !apart) c->status = STATUS_NO_MEMORY;
}

/* Is there enough to do for threads? This decides on speed only. */
static bool worth_it(const RateGroup *g, double h) {
    double work = 0.0;
    if (g->parent || g->rate->threads < 2 || g->space->clusters < 2) return false;
    for (int c = 0; c < g->space->clusters; c++) {
        const Cluster *one = &g->space->cluster[c];
        float          least = HUGE_VALF;
        for (int i = 0; i < one->n; i++)
            least = fminf(least, g->part.natural[one->state[i]]);
        work += one->n * h * exp2(-least);
    }
    const double grain = g->rate->options.grain;
    return work > (grain > 0.0 ? grain : GRAIN);
}

static Status run_each(RateGroup *g, double h, double end) {
    Workspace *w = g->space;
    Task       task = {g, h, end};
    Status     status = STATUS_OK;
    double     join_rate = 0.0;
    for (int c = 0; c < w->clusters; c++)
        for (int i = 0; i < w->cluster[c].n; i++) w->owner[w->cluster[c].state[i]] = c;
    if (worth_it(g, h)) pool_run(g->rate->pool, w->clusters, run_one, &task);
    else
        for (int c = 0; c < w->clusters; c++) run_one(&task, c, 0);
    if (!g->parent) event_blame(g);
    for (int c = 0; c < w->clusters; c++) {
        Cluster        *one = &w->cluster[c];
        const Outcomes *o = &one->worker->outcomes;
        if (status == STATUS_OK && one->status != STATUS_OK) status = one->status;
        join_rate = fmax(join_rate, one->join_rate);
        g->effort.below += one->work;
        g->effort.steps_below = fmax(g->effort.steps_below, one->steps);
        one->work = 0.0;
        for (int i = 0; i < one->dones; i++) {
            const int     s = o->id[one->id + (size_t)i], q = group_packed(g, s);
            const double *of = o->value + one->value + i;
            g->part.natural[q] = (float)of[one->dones] - refine_stricter(g, s);
            g->part.stable[q] = (float)of[2 * one->dones];
        }
        for (int i = 0; i < one->n; i++) w->owner[one->state[i]] = -1;
    }
    g->part.join_rate_below = join_rate;
    return status;
}

/* All clusters up to the time at which the first of them had better end; those that went further run
 * again, so that nothing of what they did later remains. */
static Status run_together(RateGroup *g, double h, double *end) {
    Workspace *w = g->space;
    for (;;) {
        const Status status = run_each(g, h, *end);
        double       first = *end;
        for (int c = 0; c < w->clusters; c++) first = fmin(first, w->cluster[c].end);
        if (status != STATUS_OK || !(first < *end)) return status;
        *end = first;
        for (int c = 0; c < w->clusters; c++) {
            Cluster *one = &w->cluster[c];
            if (!(one->end > first)) continue;
            store_kill(&one->worker->store, one->pieces, one->pieces_end);
            one->ready = false;
        }
    }
}

/* ---- meeting ---------------------------------------------------------------------------- */

/* Makes clusters a and b one. True if they were two. */
static bool join(Workspace *w, const int *position, int a, int b) {
    return unite(w->up, position[a], position[b]);
}

/* A state belongs to one cluster, and no other may read it. */
static bool met_states(RateGroup *g, const int *position) {
    Workspace     *w = g->space;
    const Pattern *p = g->rate->pattern;
    bool           met = false;
    for (int c = 0; c < w->clusters; c++) {
        const Cluster *one = &w->cluster[c];
        const int     *id = one->worker->outcomes.id + one->id;
        for (int i = 0; i < one->dones; i++) {
            int *owner = &w->owner[id[i]];
            if (*owner >= 0) met |= join(w, position, *owner, c);
            else *owner = c;
        }
    }
    for (int c = 0; c < w->clusters; c++) {
        const Cluster *one = &w->cluster[c];
        const int     *id = one->worker->outcomes.id + one->id;
        for (int i = 0, k = 0; i < one->dones; i++) {
            if (k < one->n && one->state[k] == id[i]) {
                k++;
                continue; /* those that were there from the beginning are kept apart */
            }
            for (int e = p->start[id[i]]; e < p->start[id[i] + 1]; e++) {
                const int other = w->owner[p->row[e]];
                if (other >= 0 && other != c) met |= join(w, position, other, c);
            }
        }
    }
    for (int c = 0; c < w->clusters; c++) {
        const Cluster *one = &w->cluster[c];
        const int     *id = one->worker->outcomes.id + one->id;
        for (int i = 0; i < one->dones; i++) w->owner[id[i]] = -1;
    }
    return met;
}

/* Corrections of the same slow state by several clusters add up, and must stay below its
 * tolerance together. Fills fix and correction. */
static bool met_corrections(RateGroup *g, const int *position, int *fixes) {
    Workspace *w = g->space;
    double    *total = w->out;
    bool       met = false;
    int        count = 0;
    for (int c = 0; c < w->clusters; c++) {
        const Cluster  *one = &w->cluster[c];
        const Outcomes *o = &one->worker->outcomes;
        const int      *id = o->id + one->id + one->dones;
        const double   *value = o->value + one->value + DONE * one->dones;
        for (int i = 0; i < one->fixes; i++) {
            int *at = &w->place[id[i]];
            if (*at < 0) {
                *at = count;
                w->fix[count] = id[i];
                w->fix_by[count] = c;
                w->correction[count] = value[FIX * i];
                total[count++] = value[FIX * i + 1];
                continue;
            }
            w->correction[*at] += value[FIX * i] - value[FIX * i + 2];
            total[*at] += value[FIX * i + 1];
            if (total[*at] > 1.0) met |= join(w, position, w->fix_by[*at], c);
        }
    }
    for (int k = 0; k < count; k++) w->place[w->fix[k]] = -1;
    *fixes = count;
    return met;
}

static bool meetings(RateGroup *g, const int *list, int n, int *fixes) {
    Workspace *w = g->space;
    int       *position = w->merged; /* of the first state of a cluster, in list */
    bool       met = false;
    for (int c = 0, k = 0; c < w->clusters; c++) {
        while (k < n && list[k] != w->cluster[c].first) k++;
        position[c] = k;
    }
    for (int c = 0; c < w->clusters; c++)
        if (w->cluster[c].conflict >= 0)
            met |= join(w, position, w->cluster[c].conflict, c);
    /* a cluster that ended early says nothing more */
    if (met) return true;
    met = met_states(g, position);
    return met_corrections(g, position, fixes) || met;
}

/* ---- the whole -------------------------------------------------------------------------- */

/* What several clusters found of the large step's own error counts once between its ends, too:
 * all but the first give it up, as a line. */
static void share(const RateGroup *g, double length, int fixes) {
    const Workspace *w = g->space;
    for (int k = 0; k < fixes; k++) w->place[w->fix[k]] = w->fix_by[k];
    for (int c = 0; c < w->clusters; c++) {
        const Cluster  *one = &w->cluster[c];
        const Outcomes *o = &one->worker->outcomes;
        const int      *id = o->id + one->id + one->dones;
        const double   *value = o->value + one->value + DONE * one->dones;
        for (int i = 0; i < one->fixes; i++)
            if (w->place[id[i]] != c)
                store_amend(&one->worker->store, one->pieces, one->pieces_end,
                            g->level + 1, id[i], ode_time(g->ode),
                            value[FIX * i + 2] / length);
    }
    for (int k = 0; k < fixes; k++) w->place[w->fix[k]] = -1;
}

/* Puts refined values and corrections into the result of the group's attempt; the events of the
 * clusters have happened. */
static int apply(RateGroup *g, double h, double end, int fixes) {
    const Workspace *w = g->space;
    const double     begin = ode_time(g->ode), theta = (end - begin) / h;
    double          *result = ode_attempt(g->ode), slope;
    int              dones = 0;
    for (int i = 0; end < begin + h && i < g->n; i++)
        result[i] = group_curve_at(g, i, h, theta, &slope);
    share(g, end - begin, fixes);
    for (int k = 0; k < fixes; k++)
        result[group_packed(g, w->fix[k])] += w->correction[k];
    for (int c = 0; c < w->clusters; c++) {
        const Cluster  *one = &w->cluster[c];
        const Outcomes *o = &one->worker->outcomes;
        for (int i = 0; i < one->dones; i++) {
            const int s = o->id[one->id + (size_t)i], q = group_packed(g, s);
            w->done[dones++] = s;
            result[q] = o->value[one->value + (size_t)i];
        }
        if (g->rate->cones && !event_commit(g, one)) return -1;
    }
    return dones;
}

/* What a group integrated in vain is forgotten: of the first level everything, else what came
 * after the mark. */
void clusters_take_back(RateGroup *g, Mark mark) {
    Rate *r = g->rate;
    if (g->parent) store_rewind(&g->worker->store, mark);
    for (int k = 0; k < r->threads && !g->parent; k++)
        store_rewind(&r->worker[k].store, (Mark){0});
    g->space->clusters = 0;
    if (!g->parent) timeline_clear(&r->timeline);
    if (r->cones) event_restore(g);
}

/* Forgets what came after. */
static void rewind_to(Outcomes *o, const Outcomes *before) {
    o->ids = before->ids, o->values = before->values;
    o->signs = before->signs, o->changes = before->changes, o->fires = before->fires;
}

/* States that join per time, over the last few steps: a short one among long ones must not count as
 * much as they do. */
static void count_joins(RateGroup *g, double length) {
    const double     fade = 0.7;
    const Workspace *w = g->space;
    double           joins = 0.0;
    for (int c = 0; c < w->clusters; c++) joins += w->cluster[c].joined;
    const double before = fade * g->part.join_span * g->part.join_rate;
    g->part.join_span = fade * g->part.join_span + length;
    g->part.join_rate = (before + joins) / g->part.join_span;
    if (g->parent) return;
    g->rate->ledger.joins += joins;
    g->rate->ledger.refined += length;
}

Status clusters_run(RateGroup *g, double h, double *end, const int *list, int n,
                    int *dones) {
    Rate          *r = g->rate;
    Workspace     *w = g->space;
    const Mark     mark = store_mark(&g->worker->store);
    const Outcomes before = g->worker->outcomes, none = {0};
    Status         status = STATUS_OK;
    int            fixes = 0;
    *dones = 0;
    *end = ode_time(g->ode) + h;
    w->clusters = 0;
    connect(r, list, n, w->place, w->up);
    for (int tries = 0;; tries++) {
        status = split(w, list, n) ? run_together(g, h, end) : STATUS_NO_MEMORY;
        if (status != STATUS_OK || !meetings(g, list, n, &fixes)) break;
        g->worker->stats.redone++;
        if (tries > 20) {
            status = STATUS_RETRY;
            break;
        }
        for (int k = 1; k < n && tries >= 2; k++) unite(w->up, 0, k); /* end it */
    }
    count_joins(g, *end - ode_time(g->ode));
    if (status == STATUS_OK) *dones = apply(g, h, *end, fixes);
    if (*dones < 0 || (status == STATUS_OK && !g->parent && !timeline_make(g)))
        status = STATUS_NO_MEMORY, *dones = 0;
    if (status != STATUS_OK) clusters_take_back(g, mark);
    rewind_to(&g->worker->outcomes, &before);
    for (int k = 0; k < r->threads && !g->parent; k++)
        rewind_to(&r->worker[k].outcomes, &none);
    return status;
}

void clusters_mark(const RateGroup *root, unsigned char *mark, unsigned char value) {
    const Workspace *w = root->space;
    for (int c = 0; c < w->clusters; c++) {
        const Store *s = &w->cluster[c].worker->store;
        for (size_t q = w->cluster[c].pieces; q < w->cluster[c].pieces_end; q++)
            for (int i = 0; s->piece[q].level == 1 && i < s->piece[q].n; i++)
                mark[s->id[s->piece[q].state + (size_t)i]] = value;
    }
}

void clusters_trace(RateGroup *root) {
    const Workspace   *w = root->space;
    const RateOptions *o = &root->rate->options;
    for (int c = 0; c < w->clusters; c++) {
        const Store *s = &w->cluster[c].worker->store;
        for (size_t q = w->cluster[c].pieces; q < w->cluster[c].pieces_end; q++) {
            const Piece *p = &s->piece[q];
            if (p->level < 0 || p->kind != PIECE_STEP) continue;
            const RateTrace step = {p->level,         p->t,     p->till - p->t, p->n,
                                    s->id + p->state, p->order, p->worst};
            o->trace(o->owner, &step);
        }
    }
}
