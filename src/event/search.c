/* SPDX-License-Identifier: Apache-2.0 */
/* search.c -- the first sign change inside a step, or at once on the slope after an event.
 *
 * A step is looked at at its end and at points inside it, because what crosses there and back
 * again is an event as well: at the ends of equal parts, and after an event at points ever nearer
 * to it, such as a ball needs that leaves the floor and falls back within one step. The first
 * point at which a crossing has another sign than at the point before ends the search; the time
 * is then located between the two (locate.c).
 *
 * A search by slopes looks at the end first and inside only at crossings that may have turned.
 * Cost: an evaluation of the crossings for each point, and four to six of those that changed. */
#include <float.h>
#include <math.h>

#include "event/event.h"

/* ---- functions of the step ------------------------------------------------------------- */

typedef struct Path { /* crossings along the step or along the line after it */
    Crossings *crossings;
    StateAt   *state;
    void      *owner;
} Path;

/* Crossings as functions of time on a path: everything that asks for them asks here. */
static Status on_path(void *owner, double t, const Selection *which, double *z) {
    const Path   *p = owner;
    const double *x;
    const Status  status = p->state(p->owner, t, &x);
    return status == STATUS_OK ? crossings_look(p->crossings, t, x, which, z) : status;
}

/* Those of some crossings whose values are on the other side, into work->changed. */
static int find_changes(Crossings *c, const Selection *which, const double *z) {
    CrossingWork *w = c->work;
    w->changes = 0;
    for (int k = 0, n = selection_count(which, c->model->nz); k < n; k++) {
        const int i = selection_row(which, k);
        if (sign_differs(c->sign[i].z, z[i])) w->changed[w->changes++] = i;
    }
    return w->changes;
}

/* The changed crossings have their old signs, which are kept, at low and new ones at high, in
 * work->right. */
static Status locate(Path *path, double low, double high, double *when) {
    Crossings    *c = path->crossings;
    CrossingWork *w = c->work;
    for (int k = 0; k < w->changes; k++)
        w->left[w->changed[k]] = c->sign[w->changed[k]].z;
    SignBracket  b = {.low = low,
                      .high = high,
                      .width = fmax(8.0 * DBL_EPSILON * fmax(fabs(low), fabs(high)),
                                    1e-13 * (high - low)),
                      .left = w->left,
                      .right = w->right,
                      .trial = w->trial,
                      .old = w->old,
                      .changed = w->changed,
                      .changes = w->changes};
    const Status status = locate_first(&b, on_path, path);
    w->changes = b.changes;
    *when = b.high;
    return status;
}

/* ---- which crossings may have turned ------------------------------------------------------ */

/* May a crossing have changed sign and come back in between? It has if it went towards zero at the
 * beginning and away from it at the end; slope NAN: unknown. */
static bool may_turn(double slope, double mean, double z) {
    const double end = 2.0 * mean - slope, sign = z > 0.0 ? 1.0 : -1.0;
    return !(sign * slope > 0.0) && !(sign * end < 0.0);
}

static bool contains(const Selection *list, int nz, int i) {
    int low = 0, high = list ? selection_count(list, nz) - 1 : -1;
    while (low <= high) {
        const int middle = (low + high) / 2, at = selection_row(list, middle);
        if (at == i) return true;
        if (at < i) low = middle + 1;
        else high = middle - 1;
    }
    return false;
}

/* From the values at the end: mean slopes, and in work->list those that changed or may have
 * turned. *turns: how many may have; *early: one of them is recent. */
static int by_slopes(Crossings *c, const EventStep *step, const Selection *recent,
                     int *turns, bool *early) {
    CrossingWork *w = c->work;
    const int     nz = c->model->nz;
    int           count = 0;
    *turns = 0;
    *early = false;
    for (int k = 0, n = crossings_count(c); k < n; k++) {
        const int    i = selection_row(&c->which, k);
        Sign        *s = &c->sign[i];
        const double mean = (w->end[i] - s->z) / (step->end - step->begin);
        const bool   fresh = contains(recent, nz, i),
                   changed = sign_differs(s->z, w->end[i]);
        const double slope = fresh ? s->slope : 0.5 * (s->slope + mean);
        const bool   turn = !changed && may_turn(slope, mean, w->end[i]);
        w->begin[i] = s->z;
        s->slope = mean;
        if (changed || turn) w->list[count++] = i;
        *turns += turn;
        *early = *early || (turn && fresh);
    }
    return count;
}

/* ---- the search ------------------------------------------------------------------------- */

/* Point number i of a step; those below 0 lie ever nearer to its beginning. */
static const double NEARER[] = {1.0 / 32, 1.0 / 8, 0.5};

static double point(const EventStep *step, int parts, int i) {
    const double share = (i < 0 ? NEARER[i + LENGTH(NEARER)] : i + 1.0) / parts;
    return i + 1 == parts ? step->end : step->begin + share * (step->end - step->begin);
}

/* Is there nothing to see at a time inside the step, at a glance? The answer costs no evaluations
 * for the state; what it does not like is looked at again, accurately. */
static bool is_quiet(Crossings *c, const EventStep *step, double t,
                     const Selection *which) {
    Path path = {c, step->fn->glance, step->owner};
    return path.state && on_path(&path, t, which, c->work->right) == STATUS_OK &&
           find_changes(c, which, c->work->right) == 0;
}

Status event_search(Crossings *c, const EventStep *step, const SearchRule *rule,
                    double *when) {
    CrossingWork *w = c->work;
    Path          path = {c, step->fn->inside, step->owner};
    Selection     which = c->which;
    bool          fresh = rule->fresh;
    double        from = step->begin;
    int           turns = 1;
    *when = step->end;
    w->changes = 0;
    if (crossings_count(c) == 0) return STATUS_OK;
    if (rule->by_slopes) {
        const Status status = on_path(&path, step->end, &which, w->end);
        if (status != STATUS_OK) return status;
        const int count = by_slopes(c, step, rule->recent, &turns, &fresh);
        which = (Selection){SELECT_LIST, 0, count, w->list};
    }
    const int first = turns == 0 ? rule->parts - 1 : fresh ? -LENGTH(NEARER) : 0;
    for (int i = first; i < rule->parts; i++) {
        const bool   last = i + 1 == rule->parts, known = last && rule->by_slopes;
        const double to = point(step, rule->parts, i);
        if (!(to > from) || (to >= step->end && !last)) continue;
        if (last || !is_quiet(c, step, to, &which)) {
            if (known)
                for (int k = 0; k < which.count; k++)
                    w->right[which.row[k]] = w->end[which.row[k]];
            const Status status =
                known ? STATUS_OK : on_path(&path, to, &which, w->right);
            if (status != STATUS_OK) return status;
            if (find_changes(c, &which, w->right) > 0)
                return locate(&path, from, to, when);
        }
        crossings_accept(c, known ? &c->which : &which, known ? w->end : w->right);
        from = to;
    }
    return STATUS_OK;
}

Status event_at_once(Crossings *c, const EventStep *step, double by,
                     const Selection *which, double *when) {
    CrossingWork *w = c->work;
    Path          path = {c, step->fn->line, step->owner};
    const double  to = step->end + by;
    w->changes = 0;
    const Status status = on_path(&path, to, which, w->right);
    if (status != STATUS_OK) return status;
    for (int k = 0, n = selection_count(which, c->model->nz); k < n; k++) {
        Sign *s = &c->sign[selection_row(which, k)];
        s->slope = (w->right[selection_row(which, k)] - s->z) / by;
    }
    if (find_changes(c, which, w->right) == 0) return STATUS_OK;
    return locate(&path, step->end, to, when);
}
