/* SPDX-License-Identifier: Apache-2.0 */
/* search.c -- the first sign change inside a step, or at once on the slope after an event.
 *
 * A crossing is a function of the step, z(t, x(t)), and is resolved, not sampled: what crosses there
 * and back again between two points of the integrator is an event as well. All crossings are
 * evaluated at the end of the step. Those whose course over it follows from that and from
 * earlier values (course.c) are done; this is the usual case and costs one evaluation. The others
 * are looked at inside, the step being taken apart from left to right into pieces over which their
 * courses are clear. The first piece in which one changes its sign ends the search; the time is
 * then located in it (locate.c).
 *
 * Cost: an evaluation of the crossings at the end; of those that move, as many as their movement
 * needs; two to three more after an event, when nothing is known of their courses; four to six of
 * those that changed. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "event/event.h"

/* ---- functions of the step ------------------------------------------------------------- */

typedef struct Path { /* crossings along the step or along the line after it */
    Crossings *crossings;
    StateAt   *state;
    void      *owner;
    double from, to; /* the piece over which work->state holds the states, NAN: none */
} Path;

static Path path_of(Crossings *c, StateAt *state, void *owner) {
    return (Path){c, state, owner, NAN, NAN};
}

/* Crossings as functions of time on a path: everything that asks for them asks here. */
static Status on_path(void *owner, double t, const Selection *which, double *z) {
    const Path   *p = owner;
    const double *x;
    const Status  status = p->state(p->owner, t, &x);
    return status == STATUS_OK ? crossings_look(p->crossings, t, x, which, z) : status;
}

/* States at the ends of a piece and in its middle; false: the model has none there. */
static bool states_on(Path *p, double from, double to) {
    CrossingWork *w = p->crossings->work;
    const size_t  bytes = sizeof(double) * (size_t)p->crossings->model->nx;
    if (!w->state[0]) return false;
    if (p->from == from && p->to == to) return true;
    p->from = p->to = NAN;
    for (int k = 0; k < 3; k++) {
        const double *x;
        const double  t = k == 0 ? from : k == 1 ? 0.5 * (from + to) : to;
        if (p->state(p->owner, t, &x) != STATUS_OK) return false;
        memcpy(w->state[k], x, bytes);
    }
    p->from = from;
    p->to = to;
    return true;
}

static BoundKind bound_kind(const Crossings *c, int i) {
    enum { BLIND = 3 };
    const Model *m = c->model;
    const bool   any =
        m->bounded && m->fn->bounds && i < m->boundeds && m->bounded[i] != BOUND_STILL;
    return any && c->sign[i].blind < BLIND ? (BoundKind)m->bounded[i] : BOUND_NONE;
}

/* The course of a crossing from where it was seen last to `end`, as far as its formula tells. */
static CourseVerdict verdict_of_formula(Path *p, int i, SignPoint end) {
    const Crossings *c = p->crossings;
    const Sign      *s = &c->sign[i];
    const BoundKind  kind = bound_kind(c, i);
    Band             z;
    if (kind == BOUND_STATES && !states_on(p, s->t, end.t)) return COURSE_OPEN;
    const double *const x[3] = {c->work->state[0], c->work->state[1], c->work->state[2]};
    if (!c->model->fn->bounds(c->model->instance, i, (Range){s->t, end.t}, x, &z))
        return COURSE_OPEN;
    return bound_verdict(s, end, &z);
}

/* Its course by values and, but for BOUND_NONE, by its formula; after: points beyond the end, ascending
 * in time. *vain counts pieces that are open because of the formula. */
static Course course_on(Path *p, int i, BoundKind kind, SignPoint end,
                        const SignPoint *after, int afters, int *vain) {
    const Sign  *s = &p->crossings->sign[i];
    const Course by_values = sign_course(s, end, after, afters);
    Course       out = {.turn = NAN, .reach = HUGE_VAL, .third = NAN};
    if (kind == BOUND_NONE || (kind == BOUND_STATES && by_values.verdict == COURSE_OPEN))
        return by_values;
    out.verdict = verdict_of_formula(p, i, end);
    *vain += out.verdict == COURSE_OPEN;
    if (out.verdict == COURSE_OPEN || kind == BOUND_TIME) return out;
    return by_values;
}

/* The resolution of time within a piece. */
static double resolution(double low, double high) {
    return fmax(8.0 * DBL_EPSILON * fmax(fabs(low), fabs(high)), 1e-13 * (high - low));
}

/* The crossings of work->changed have their old signs, which are kept, at low and new ones at high,
 * in work->right. */
static Status locate(Path *path, double low, double high, double *when) {
    Crossings    *c = path->crossings;
    CrossingWork *w = c->work;
    for (int k = 0; k < w->changes; k++)
        w->left[w->changed[k]] = c->sign[w->changed[k]].z;
    SignBracket b = {.low = low, .high = high, .width = resolution(low, high)};
    b.left = w->left, b.right = w->right, b.trial = w->trial, b.old = w->old;
    b.changed = w->changed, b.changes = w->changes;
    const Status status = locate_first(&b, on_path, path);
    w->changes = b.changes;
    *when = b.high;
    return status;
}

/* ---- pieces ------------------------------------------------------------------------------ */

enum {
    TOGETHER =
        64,     /* crossings that are taken apart together                            */
    DEPTH = 40, /* pieces within pieces                                              */
    MOST_VAIN = 300, /* pieces that the formula of a crossing of states leaves open ... */
    MOST_VAIN_TIME =
        3000,       /* ... and one of time; after them values alone count in the step */
    PATIENCE = 1000 /* looks after which one level less is allowed: rounding errors never
                       become clear, however short a piece is                            */
};
/* Where a piece is cut if nothing else is known: no simple fraction, or a periodic function would
 * be seen in the same phase each time. */
static const double CUT = 0.4289;
static const double FINEST = 1e-3; /* of the shortest reach: shorter pieces are not cut */

typedef struct
    Apart { /* the part of a step that is taken apart: ends of pieces, inner ones last */
    Path  *path;
    double longest;                /* piece                                            */
    double finest;                 /* piece: not cut any more                          */
    double end[DEPTH];             /* of a piece ...                                    */
    double value[DEPTH][TOGETHER]; /* ... the crossings there, by their place in number */
    int    list[DEPTH + 1][TOGETHER]; /* places of those that are looked at in it       */
    int    number[TOGETHER]; /* the crossings                                     */
    int    vain[TOGETHER];   /* pieces that their formulas left open              */
    int    looks;            /* inside                                            */
    bool   found;            /* a sign change, at ...                             */
    double when;
} Apart;

static SignPoint end_of(const Apart *a, int depth, int place) {
    return (SignPoint){a->end[depth], a->value[depth][place]};
}

static int most_vain(BoundKind kind) {
    return kind == BOUND_TIME ? MOST_VAIN_TIME : MOST_VAIN;
}

/* An enclosure need not get narrower with the piece: it is given up after a while. */
static BoundKind kind_in(const Apart *a, int place) {
    const BoundKind kind = bound_kind(a->path->crossings, a->number[place]);
    return a->vain[place] < most_vain(kind) ? kind : BOUND_NONE;
}

static Course course_in(Apart *a, int depth, int place) {
    const int       i = a->number[place], before = a->vain[place];
    const BoundKind kind = kind_in(a, place);
    SignPoint       after[2];
    int             n = 0;
    for (int d = depth - 1; d >= 0 && n < 2; d--) after[n++] = end_of(a, d, place);
    const Course course =
        course_on(a->path, i, kind, end_of(a, depth, place), after, n, &a->vain[place]);
    if (a->vain[place] > before && a->vain[place] == most_vain(kind))
        a->path->crossings->sign[i].blind++;
    return course;
}

/* Crossings of the list of a piece at its end. */
static Status look_at_end(Apart *a, int depth, int count) {
    CrossingWork *w = a->path->crossings->work;
    a->looks++;
    for (int k = 0; k < count; k++) w->changed[k] = a->number[a->list[depth][k]];
    const Selection which = {SELECT_LIST, 0, count, w->changed};
    const Status    status = on_path(a->path, a->end[depth], &which, w->right);
    for (int k = 0; k < count; k++) {
        const int place = a->list[depth][k];
        a->value[depth][place] = w->right[a->number[place]];
    }
    return status;
}

typedef struct
    Cut {         /* where a piece is cut                                               */
    double turn;  /* where an open crossing turns, NAN: unknown                       */
    double reach; /* the shortest of the open ones                                    */
    int    changes; /* crossings that change their sign in it                           */
    int    opens;   /* crossings that must be looked at inside it                       */
} Cut;

static double cut_at(const Cut *cut, double begin, double end) {
    const double h = end - begin, share = (cut->turn - begin) / h;
    if (cut->reach < h) return begin + fmin(0.95 * cut->reach, 0.5 * h);
    return begin + h * (share > 0.02 && share < 0.98 ? share : CUT);
}

/* Judges the crossings of a piece; those that keep their signs are done with it, the others are the
 * list of the next piece inside. */
static Cut judge(Apart *a, int depth, int *count) {
    Crossings *c = a->path->crossings;
    Cut        cut = {.turn = NAN, .reach = HUGE_VAL};
    int        left = 0;
    for (int k = 0; k < *count; k++) {
        const int    place = a->list[depth][k];
        Sign        *s = &c->sign[a->number[place]];
        const Course course = course_in(a, depth, place);
        if (course.verdict == COURSE_KEEPS) {
            sign_pass(s, end_of(a, depth, place), &course, a->longest);
            continue;
        }
        a->list[depth][left] = a->list[depth + 1][left] = place;
        left++;
        cut.changes += course.verdict == COURSE_CHANGES;
        if (course.verdict != COURSE_OPEN) continue;
        cut.opens++;
        if (isnan(cut.turn)) cut.turn = course.turn;
        if (kind_in(a, place) != BOUND_TIME) cut.reach = fmin(cut.reach, s->reach);
    }
    *count = left;
    return cut;
}

/* The piece is not cut any more: signs at its ends decide. */
static Status decide(Apart *a, int depth, int count, double begin) {
    Crossings    *c = a->path->crossings;
    CrossingWork *w = c->work;
    const Course  unknown = {.reach = HUGE_VAL, .third = NAN};
    w->changes = 0;
    for (int k = 0; k < count; k++) {
        const int place = a->list[depth][k], i = a->number[place];
        w->right[i] = a->value[depth][place];
        if (sign_differs(c->sign[i].z, w->right[i])) w->changed[w->changes++] = i;
        else sign_pass(&c->sign[i], end_of(a, depth, place), &unknown, a->longest);
    }
    a->found = w->changes > 0;
    return a->found ? locate(a->path, begin, a->end[depth], &a->when) : STATUS_OK;
}

/* Few levels serve a crossing that moves fast: pieces as long as its reach follow each other. */
static int deepest(const Apart *a) {
    const int left = DEPTH - a->looks / PATIENCE;
    return left > 8 ? left : 8;
}

/* The piece from `begin`, where the crossings of its list were seen last, to its end. */
static Status take_apart(Apart *a, int depth, int count, double begin) {
    while (count > 0) {
        const double end = a->end[depth];
        const Cut    cut = judge(a, depth, &count);
        const double at = cut_at(&cut, begin, end);
        if (cut.opens == 0 || depth + 1 >= deepest(a) || end - begin <= a->finest ||
            !(at > begin && at < end))
            return decide(a, depth, count, begin);
        a->end[depth + 1] = at;
        Status status = look_at_end(a, depth + 1, count);
        if (status == STATUS_OK) status = take_apart(a, depth + 1, count, begin);
        if (status != STATUS_OK || a->found) return status;
        begin = at;
    }
    return STATUS_OK;
}

/* ---- the search ------------------------------------------------------------------------- */

/* From the values at the end of the step: those of unclear course, or that change, into work->list;
 * the others are done. Ascending. */
static int find_unclear(Path *path, const EventStep *step, const SearchRule *rule) {
    Crossings    *c = path->crossings;
    CrossingWork *w = c->work;
    int           count = 0, vain = 0;
    for (int k = 0, n = crossings_count(c); k < n; k++) {
        const int       i = selection_row(&c->which, k);
        Sign           *s = &c->sign[i];
        const SignPoint end = {step->end, w->end[i]};
        s->t = step->begin;
        sign_limit(s, rule);
        w->begin[i] = s->z;
        s->slope = (end.z - s->z) / (step->end - step->begin);
        const Course course = course_on(path, i, bound_kind(c, i), end, NULL, 0, &vain);
        if (course.verdict == COURSE_KEEPS) sign_pass(s, end, &course, rule->longest);
        else w->list[count++] = i;
    }
    return count;
}

/* Some of work->list up to *when; *when: an earlier sign change in it. */
static Status search_some(Path *path, const EventStep *step, const SearchRule *rule,
                          const int *list, int count, double *when, bool *found) {
    const CrossingWork *w = path->crossings->work;
    Apart               a; /* large, and little of it is used: it is not cleared */
    Status              status = STATUS_OK;
    a.path = path;
    a.longest = rule->longest;
    a.finest = fmax(resolution(step->begin, step->end), FINEST * rule->shortest);
    a.looks = 0;
    a.found = false;
    a.end[0] = *when;
    for (int k = 0; k < count; k++) {
        a.number[k] = list[k];
        a.vain[k] = 0;
        a.list[0][k] = k;
        a.value[0][k] = w->end[list[k]];
    }
    if (*when < step->end) status = look_at_end(&a, 0, count);
    if (status == STATUS_OK) status = take_apart(&a, 0, count, step->begin);
    *found = a.found;
    if (a.found) *when = a.when;
    return status;
}

/* Which of work->list have changed at an event that was found among some of them? */
static Status find_all(Path *path, int count, double when) {
    Crossings      *c = path->crossings;
    CrossingWork   *w = c->work;
    const Selection which = {SELECT_LIST, 0, count, w->list};
    const Status    status = on_path(path, when, &which, w->right);
    w->changes = 0;
    for (int k = 0; k < count; k++) {
        const int i = w->list[k];
        if (sign_differs(w->begin[i], w->right[i])) w->changed[w->changes++] = i;
    }
    return status;
}

Status event_search(Crossings *c, const EventStep *step, const SearchRule *rule,
                    double *when) {
    CrossingWork *w = c->work;
    Path          path = path_of(c, step->fn->inside, step->owner);
    bool          any = false;
    *when = step->end;
    w->changes = w->unclear = 0;
    if (crossings_count(c) == 0) return STATUS_OK;
    Status status = on_path(&path, step->end, &c->which, w->end);
    if (status != STATUS_OK) return status;
    const int count = w->unclear = find_unclear(&path, step, rule);
    for (int k = 0; k < count && status == STATUS_OK; k += TOGETHER) {
        const int n = count - k < TOGETHER ? count - k : TOGETHER;
        bool      found;
        status = search_some(&path, step, rule, w->list + k, n, when, &found);
        any |= found;
    }
    if (status == STATUS_OK && any && count > TOGETHER)
        status = find_all(&path, count, *when);
    if (!any) w->changes = 0;
    return status;
}

Status event_at_once(Crossings *c, const EventStep *step, double by,
                     const Selection *which, double *when) {
    CrossingWork *w = c->work;
    Path          path = path_of(c, step->fn->line, step->owner);
    const double  to = step->end + by;
    w->changes = 0;
    const Status status = on_path(&path, to, which, w->right);
    if (status != STATUS_OK) return status;
    for (int k = 0, n = selection_count(which, c->model->nz); k < n; k++) {
        const int i = selection_row(which, k);
        Sign     *s = &c->sign[i];
        s->slope = (w->right[i] - s->z) / by;
        if (sign_differs(s->z, w->right[i])) w->changed[w->changes++] = i;
    }
    return w->changes > 0 ? locate(&path, step->end, to, when) : STATUS_OK;
}
