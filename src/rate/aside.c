/* SPDX-License-Identifier: Apache-2.0 */
/* aside.c -- what events did in a step that may be taken back, and in clusters that must not see each
 * other.
 *
 * Every cluster begins with the discrete values and crossings of the beginning of its parent's step,
 * whichever clusters ran before it and on which thread. When it is through, what its events changed
 * (journal, crossings, events to tell) is set aside and undone in the instance that ran it. Once it is
 * clear that the step stands, all of it is committed in the order of the clusters: to the instance of
 * the parent, and before the next large step to all others. Marks in the journal take a committed step
 * back. Cost: the changes, and the crossings of the groups concerned. */
#include <math.h>
#include <string.h>

#include "rate/group.h"

/* ---- a step that may be taken back --------------------------------------------------------- */

EventMark event_mark(const Worker *w) {
    return (EventMark){w->journal ? w->journal->count : 0, w->fires};
}

static void rewind_to(Worker *w, EventMark mark) {
    if (w->journal) journal_undo(w->journal, mark.changes);
    w->fires = mark.fires;
}

void event_save(RateGroup *g) {
    Workspace      *s = g->space;
    const Selection which = g->events.own.which;
    s->saved_mark = event_mark(g->worker);
    s->saved_recents = g->events.recents;
    s->saved_patient = g->events.patient;
    for (int k = 0, n = selection_count(&which, g->rate->model->nz); k < n; k++) {
        s->saved[k] = g->events.own.sign[selection_row(&which, k)];
    }
}

void event_restore(RateGroup *g) {
    const Workspace *s = g->space;
    const Selection  which = g->events.own.which;
    rewind_to(g->worker, s->saved_mark);
    g->events.recents = s->saved_recents;
    g->events.patient = s->saved_patient;
    for (int k = 0, n = selection_count(&which, g->rate->model->nz); k < n; k++) {
        g->events.own.sign[selection_row(&which, k)] = s->saved[k];
    }
}

/* ---- clusters --------------------------------------------------------------------------------- */

void event_look_up(RateGroup *g, const int *crossing, int count) {
    const Sign *from = g->parent->events.own.sign;
    for (int k = 0; k < count && from != g->events.own.sign; k++)
        g->events.own.sign[crossing[k]] = from[crossing[k]];
}

/* Clusters of a group below the first level share the worker's crossings with it: they are again as
 * the group left them. */
static void look_back(const RateGroup *parent, const RateGroup *g) {
    for (int k = 0;
         k < g->events.crossings && parent->events.own.sign == g->events.own.sign; k++) {
        const int at = group_find(parent->events.crossing, parent->events.crossings,
                                  g->events.crossing[k]);
        if (at >= 0) g->events.own.sign[g->events.crossing[k]] = parent->space->saved[at];
    }
}

static bool make_room(Outcomes *o, const Cluster *c) {
    const size_t signs = (size_t)c->signs;
    return store_room((void **)&o->id, &o->id_room, o->ids + signs, sizeof(int)) &&
           store_room((void **)&o->sign, &o->sign_room, o->signs + signs, sizeof(Sign)) &&
           store_room((void **)&o->change, &o->change_room,
                      o->changes + (size_t)c->changes, sizeof(Change)) &&
           store_room((void **)&o->fired, &o->fire_room, o->fires + (size_t)c->fires,
                      sizeof(Fired));
}

static void put_aside(Outcomes *o, Cluster *c, const RateGroup *g, EventMark mark) {
    const Worker *w = c->worker;
    c->crossing = o->ids, c->sign = o->signs;
    c->change = o->changes, c->fired = o->fires;
    for (int k = 0; k < c->signs; k++) {
        o->id[o->ids++] = g->events.crossing[k];
        o->sign[o->signs++] = g->events.own.sign[g->events.crossing[k]];
    }
    for (int k = 0; k < c->changes; k++)
        o->change[o->changes++] = w->journal->change[mark.changes + k];
    for (int k = 0; k < c->fires; k++)
        o->fired[o->fires++] = w->fired[mark.fires + (size_t)k];
}

bool event_set_aside(Cluster *c, const RateGroup *parent, const RateGroup *g,
                     EventMark mark) {
    Worker         *w = c->worker;
    const EventMark now = event_mark(w);
    c->signs = g->events.crossings;
    c->changes = now.changes - mark.changes;
    c->fires = (int)(now.fires - mark.fires);
    const bool ok = make_room(&w->outcomes, c);
    if (ok) put_aside(&w->outcomes, c, g, mark);
    else c->signs = c->changes = c->fires = 0;
    rewind_to(w, mark);
    look_back(parent, g);
    return ok;
}

bool event_commit(RateGroup *g, const Cluster *c) {
    const Outcomes *o = &c->worker->outcomes;
    Worker         *w = g->worker;
    if (!store_room((void **)&w->fired, &w->fired_room, w->fires + (size_t)c->fires,
                    sizeof(Fired)))
        return false;
    for (int k = 0; k < c->fires; k++)
        w->fired[w->fires++] = o->fired[c->fired + (size_t)k];
    for (int k = 0; k < c->signs; k++) {
        g->events.own.sign[o->id[c->crossing + (size_t)k]] = o->sign[c->sign + (size_t)k];
    }
    return !w->journal || journal_adopt(w->journal, o->change + c->change, c->changes);
}

/* The first in time; at the same time that of the first cluster. */
void event_blame(RateGroup *g) {
    Rate            *r = g->rate;
    const Workspace *w = g->space;
    const Cluster   *first = NULL;
    for (int c = 0; c < w->clusters; c++) {
        const Cluster *one = &w->cluster[c];
        if (one->why == STATUS_OK) continue;
        if (!first || one->fault.time < first->fault.time) first = one;
    }
    if (!first || r->why != STATUS_OK) return;
    r->why = first->why;
    r->fault = first->fault;
}

/* ---- instances -------------------------------------------------------------------------------- */

void event_follow(Rate *r) {
    Journal *j = r->worker[0].journal;
    if (!j) return;
    journal_to(j, HUGE_VAL);
    for (int k = 1; k < r->threads; k++)
        journal_follow(r->worker[k].journal, j->change + r->followed,
                       j->count - r->followed);
    journal_end(j);
    r->followed = 0;
}
