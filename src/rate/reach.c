/* SPDX-License-Identifier: Apache-2.0 */
/* reach.c -- what a set of states touches: found by changing another set state by state.
 *
 * Three counts per state j, all zero outside a neighbourhood of the set:
 *   near   rows of the set that read j            -> the boundary, if j is outside
 *   read   states of the set that row j reads     -> watched, if j is outside
 *   far    watched rows that read j, or are j     -> what watching needs besides
 * A state that enters or leaves changes the counts of its row and its column and of the rows
 * that begin or cease to be watched: O(its entries), whatever the size of the set. A set is built
 * from the one of a kept selection that differs least, a superset or a subset for example, and
 * from the empty set if there is none: the same path, and the same result in every case. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "rate/group.h"

typedef struct
    SetChange { /* a set on its way to another one; counts are in the workspace */
    RateGroup *g;
    Workspace *w;
    int        count; /* states with counts, in w->list */
} SetChange;

static void touch(SetChange *c, int state) {
    if (c->w->listed[state]) return;
    c->w->listed[state] = 1;
    c->w->list[c->count++] = state;
}

/* State s enters (d = 1) or leaves (d = -1) the set. */
static void change_state(SetChange *c, int s, int d) {
    const Rate    *r = c->g->rate;
    const Pattern *p = r->pattern;
    for (int e = r->row_start[s]; e < r->row_start[s + 1]; e++) {
        touch(c, r->row_column[e]);
        c->w->near[r->row_column[e]] += d;
    }
    for (int e = p->start[s]; e < p->start[s + 1]; e++) {
        touch(c, p->row[e]);
        c->w->read[p->row[e]] += d;
    }
    c->g->worker->stats.visits +=
        r->row_start[s + 1] - r->row_start[s] + p->start[s + 1] - p->start[s];
}

static void change_watch(SetChange *c, int i, int d) {
    const Rate *r = c->g->rate;
    touch(c, i);
    c->w->far[i] += d;
    for (int e = r->row_start[i]; e < r->row_start[i + 1]; e++) {
        touch(c, r->row_column[e]);
        c->w->far[r->row_column[e]] += d;
    }
    c->g->worker->stats.visits += r->row_start[i + 1] - r->row_start[i];
}

/* A slow row of the parent that reads the set and is light enough to be followed. */
static bool watched(const SetChange *c, int i) {
    const RateGroup *g = c->g;
    const Rate      *r = g->rate;
    return c->w->place[i] < 0 && c->w->read[i] > 0 &&
           r->row_start[i + 1] - r->row_start[i] <= r->light &&
           (g->parent->level == 0 || group_find(g->parent->state, g->parent->n, i) >= 0);
}

static void load(SetChange *c, const RateGroup *base) {
    const SetReach *b = &base->reach;
    for (int k = 0; k < b->count; k++) {
        const int s = b->state[k];
        touch(c, s);
        c->w->near[s] = b->near[k];
        c->w->read[s] = b->read[k];
        c->w->far[s] = b->far[k];
    }
}

static bool save(SetChange *c) {
    SetReach *b = &c->g->reach;
    b->state = malloc(sizeof(int) * 4 * ((size_t)c->count + 1));
    b->near = b->state + c->count;
    b->read = b->near + c->count;
    b->far = b->read + c->count;
    for (int k = 0; k < c->count; k++) {
        const int s = c->w->list[k];
        if (b->state && (c->w->near[s] || c->w->read[s] || c->w->far[s])) {
            b->state[b->count] = s;
            b->near[b->count] = c->w->near[s];
            b->read[b->count] = c->w->read[s];
            b->far[b->count++] = c->w->far[s];
        }
        c->w->near[s] = c->w->read[s] = c->w->far[s] = c->w->listed[s] = 0;
    }
    return b->state != NULL;
}

/* Walks through the states in which two ascending lists differ. */
typedef struct Walk {
    const int *a, *b;
    int        na, nb, i, k;
} Walk;

static bool next_change(Walk *w, int *state, int *d) { /* from a to b */
    while (w->i < w->na && w->k < w->nb && w->a[w->i] == w->b[w->k]) w->i++, w->k++;
    if (w->i == w->na && w->k == w->nb) return false;
    *d = w->i == w->na || (w->k < w->nb && w->b[w->k] < w->a[w->i]) ? 1 : -1;
    *state = *d > 0 ? w->b[w->k++] : w->a[w->i++];
    return true;
}

static Walk walk(const RateGroup *base, const int *state, int n) {
    return (Walk){base ? base->state : NULL, state, base ? base->n : 0, n, 0, 0};
}

int reach_apart(const RateGroup *base, const int *state, int n, int most) {
    Walk w = walk(base, state, n);
    int  s, d, count = 0;
    while (count <= most && next_change(&w, &s, &d)) count++;
    return count;
}

bool reach_find(RateGroup *g, const RateGroup *base, int *bound, int *watch) {
    SetChange c = {g, g->space, 0};
    Walk      w = walk(base, g->state, g->n);
    int       s, d;
    if (base) load(&c, base);
    while (next_change(&w, &s, &d)) change_state(&c, s, d);
    for (int k = 0; base && k < base->watch.count; k++)
        if (!watched(&c, base->watch.state[k]))
            change_watch(&c, base->watch.state[k], -1);
    const int count = c.count;
    g->watch.count = g->bound.near = 0;
    for (int k = 0; k < count; k++) {
        const int i = c.w->list[k];
        if (!watched(&c, i)) continue;
        watch[g->watch.count++] = i;
        if (!base || group_find(base->watch.state, base->watch.count, i) < 0)
            change_watch(&c, i, 1);
    }
    for (int k = 0; k < c.count; k++)
        if (c.w->place[c.w->list[k]] < 0 && c.w->near[c.w->list[k]] > 0)
            bound[g->bound.near++] = c.w->list[k];
    g->bound.count = g->bound.near;
    for (int k = 0; k < c.count; k++) {
        const int j = c.w->list[k];
        if (c.w->place[j] < 0 && c.w->near[j] == 0 && c.w->far[j] > 0)
            bound[g->bound.count++] = j;
    }
    qsort(watch, (size_t)g->watch.count, sizeof(int), int_ascending);
    qsort(bound, (size_t)g->bound.near, sizeof(int), int_ascending);
    qsort(bound + g->bound.near, (size_t)(g->bound.count - g->bound.near), sizeof(int),
          int_ascending);
    return save(&c);
}

/* A packed column is that of the base, renumbered, unless a row entered it or left it. */
int reach_pack(const RateGroup *g, const RateGroup *base, int *start, int *row,
               int *entry) {
    const Rate    *r = g->rate;
    const Pattern *p = r->pattern, *old = base ? base->view.pattern : NULL;
    Workspace     *w = g->space;
    Walk           changes = walk(base, g->state, g->n);
    int            s, d, q = 0;
    while (base && next_change(&changes, &s, &d))
        for (int e = r->row_start[s]; e < r->row_start[s + 1]; e++)
            w->listed[r->row_column[e]] = 1;
    for (int j = 0, k = 0; j < g->n; j++) {
        s = g->state[j];
        start[j] = q;
        while (base && k < base->n && base->state[k] < s) k++;
        if (base && k < base->n && base->state[k] == s && !w->listed[s]) {
            for (int e = old->start[k]; e < old->start[k + 1]; e++) {
                entry[q] = base->view.entry[e];
                row[q++] = w->place[base->state[old->row[e]]];
            }
            continue;
        }
        g->worker->stats.visits += p->start[s + 1] - p->start[s];
        for (int e = p->start[s]; e < p->start[s + 1]; e++)
            if (w->place[p->row[e]] >= 0) {
                entry[q] = e;
                row[q++] = w->place[p->row[e]];
            }
    }
    start[g->n] = q;
    changes = walk(base, g->state, g->n);
    while (base && next_change(&changes, &s, &d))
        for (int e = r->row_start[s]; e < r->row_start[s + 1]; e++)
            w->listed[r->row_column[e]] = 0;
    return q;
}
