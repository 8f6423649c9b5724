/* SPDX-License-Identifier: Apache-2.0 */
/* history.c -- the past of variables under delay.
 *
 * At points of the solution the values are kept, as far back as the longest delay asks. A point is
 * kept only if those before it foretell it well; the time loop otherwise asks for one nearer
 * (sim/past.c), because what is delayed may change faster than any state. Between two points the
 * polynomial through the six nearest is taken; none reaches across an event, where a time is kept
 * twice, with the values before and after it. Before the start everything was as at the start
 * (Modelica 3.6, 3.7.4.1). What lies between the last point and now, for delays shorter than a
 * step, is on the polynomial through the value now, the last point, and up to three before it about
 * as far from each other.
 *
 * Where the value jumped at an event, the jump arrives later by the delay and is a time event
 * then. Until that event has been handled the value before the jump is seen, from then on the
 * one after it. (Bellen and Zennaro, Numerical Methods for Delay Differential Equations, 2003,
 * chapter 2, on tracking of discontinuities.) A delay that changes shows the moment t - delay(t),
 * and a jump arrives when that moment passes it, in either direction: a crossing.
 *
 * A clocked partition knows its variables at its ticks. Between them they lie on a line, and nothing is an event. */
#include "live/tick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DELAYS = 8,
    POINTS = 6, /* of the polynomial between two of them */
    SPARE = POINTS,
    BENDS = 3,             /* that are events */
    DISTRIBUTION = 1 << 30 /* numbers of distributions stand after those of variables */
};

typedef struct Past {
    int    var;
    double keep;           /* longest delay                                            */
    double last, at;       /* delay asked for last, and when */
    double delay[DELAYS];  /* delays that do not change ...                            */
    int    delays;         /* ... as far as they are known                             */
    double scale;          /* largest value so far */
    double since;          /* the start */
    bool   smooth;         /* changes between events */
    double shift, pending; /* of a distribution, see there */
    double noted, begun;   /* shift at the last point, at the beginning of the step */
    bool   right;
    bool   line; /* of a clocked partition: on a line from tick to tick */
    double used; /* ... the value at a tick that was looked at while it went on, ... */
    const Instance *user; /* ... by this one; NULL: none was */
    int entered; /* at the last point: 1 at the left, -1 at the right, 0 nowhere yet */
    double *time, *value; /* points first ... count - 1, ascending                    */
    int     first, count, room;
    bool    lacking; /* there was no memory for a point */
} Past;

typedef struct Lag { /* a delay that changes */
    int    past;     /* whose, -1: not known yet */
    double moment;   /* that it shows */
    double low;      /* the moment is after this jump, -infinity if after none ... */
    double high;     /* ... and before this one */
} Lag;

struct History {
    Past  *past;
    int    pasts, room;
    Lag   *lag; /* by number */
    int    lags;
    Map    of_var; /* variable -> past                                              */
    double worst;  /* by how much a point was not what those before it foretold, ...   */
    int    order;  /* ... which were at least as many                                  */
    double step;   /* beginning of the step whose points are noted                     */
    bool   trial;  /* points are only judged                                           */
    bool   event;  /* points being noted lie after an event                        */
    bool   unfit;  /* a value to be noted is not finite                             */
};

/* ---- points ----------------------------------------------------------------------------- */

static Past *past_of(const History *h, long var) {
    int k = h ? (int)map_get(&h->of_var, (uint64_t)var, -1) : -1;
    return k < 0 ? NULL : &h->past[k];
}

static bool is_clocked(const Rb *c) {
    return c->ticks != NULL;
}

/* Clocked partitions have a history of their own. */
static History **place_of(Rb *c) {
    Instance *instance = instance_of(c);
    return is_clocked(c) ? &instance->ticks->history : &instance->history;
}

/* The past of a variable, made when first asked for; NULL: no memory. */
static Past *past_new(Instance *instance, History **place, long var) {
    if (!*place) *place = mem_take(1, sizeof(History));
    History *h = *place;
    instance->lacking |= !h;
    if (h && h->pasts == h->room) {
        int   room = 2 * h->room + 8;
        Past *more = mem_resize(h->past, (size_t)room * sizeof *more);
        instance->lacking |= !more;
        if (more) h->past = more, h->room = room;
    }
    if (instance->lacking || !map_put(&h->of_var, (uint64_t)var, h->pasts)) {
        instance->lacking = true;
        return NULL;
    }
    h->past[h->pasts] = (Past){.var = (int)var, .last = -1};
    return &h->past[h->pasts++];
}

/* ... of a clocked partition or not. */
static Past *past_for(Rb *c, long var) {
    History **place = place_of(c);
    Past     *p = past_of(*place, var);
    if (p) return p;
    p = past_new(instance_of(c), place, var);
    if (!p) return NULL;
    p->since = c->time;
    p->line = is_clocked(c);
    return p;
}

/* Polynomial through n points. */
static double through(const Past *p, const int *point, int n, double t) {
    const double base =
        p->value[point[0]]; /* differences: a constant stays exactly that */
    double x = base;
    for (int i = 1; i < n; i++) {
        double weight = 1;
        for (int j = 0; j < n; j++)
            if (j != i)
                weight *=
                    (t - p->time[point[j]]) / (p->time[point[i]] - p->time[point[j]]);
        x += weight * (p->value[point[i]] - base);
    }
    return x;
}

/* Points that no delay reaches any more make room. Output points inside the step, which began at
 * `begin`, are still to come. */
static void forget(Past *p, double begin) {
    while (p->first + SPARE < p->count && p->time[p->first + SPARE] < begin - p->keep)
        p->first++;
    if (p->first == 0 || p->first < p->room / 2) return;
    size_t n = (size_t)(p->count - p->first);
    memmove(p->time, p->time + p->first, n * sizeof *p->time);
    memmove(p->value, p->value + p->first, n * sizeof *p->value);
    p->first = 0;
    p->count = (int)n;
}

/* How many of the last points, or of the first, belong to one smooth course; at most POINTS. */
static int course_length(const Past *p, bool above) {
    const int n = p->count - p->first < POINTS ? p->count - p->first : POINTS;
    for (int k = 1; k < n; k++) {
        const int right = above ? p->count - k : p->first + k;
        if (!(p->time[right] > p->time[right - 1])) return k;
    }
    return n;
}

/* How far the polynomial through the last n points, or through the first n, is from the next one. */
static double missed(const Past *p, double t, double x, int n, bool above) {
    int point[POINTS];
    for (int i = 0; i < n; i++) point[i] = (above ? p->count - n : p->first) + i;
    return fabs(through(p, point, n, t) - x);
}

/* How well the points before foretell the next one. With two points more, rounding errors count four
 * times as much: the better of two degrees is taken. Where a high degree is hardly better than a line,
 * as in labels of a flow that is about to turn, the error between points is not much less than what
 * is missed, instead of a two-hundredth. Below NOISE that would be said of rounding errors. */
static void judge(History *h, Past *p, double t, double x, bool above) {
    static const double ROUGH = 0.3, HARDER = 20.0, NOISE = 1e-7;
    const int           n = course_length(p, above);
    p->scale = fmax(p->scale, fabs(x));
    if (n < h->order) h->order = n;
    if (n < 2 || (above ? t <= p->time[p->count - 1] : t >= p->time[p->first])) return;
    double error = missed(p, t, x, n, above);
    if (n == POINTS) error = fmin(error, missed(p, t, x, n - 2, above));
    if (n > 2 && error > NOISE * p->scale && error > ROUGH * missed(p, t, x, 2, above))
        error *= HARDER;
    if (error > h->worst * p->scale) h->worst = error / p->scale;
}

static void put(Past *p, double t, double x) {
    if (p->count == p->room) {
        size_t  room = 2 * (size_t)p->room + 64;
        double *time = mem_resize(p->time, room * sizeof *time);
        if (time) p->time = time;
        double *value = mem_resize(p->value, room * sizeof *value);
        if (value) p->value = value;
        p->lacking |= !time || !value;
        if (p->lacking) return;
        p->room = (int)room;
    }
    p->time[p->count] = t;
    p->value[p->count++] = x;
}

static const double CLOSE =
    1e-3; /* of the piece before: a point there takes the last one's place */

/* A point of the course that ends with the last one. Polynomials through points of very different
 * distances would magnify rounding errors. */
static void put_next(Past *p, double t, double x) {
    const int last = p->count - 1;
    if (course_length(p, true) > 2 && t > p->time[last] &&
        t - p->time[last] < CLOSE * (p->time[last] - p->time[last - 1]))
        p->count--;
    put(p, t, x);
}

static void note_delay(Past *p, double now, double time, double most, bool changes) {
    if (time > p->keep) p->keep = time;
    if (most > p->keep) p->keep = most;
    bool same = time >= p->last && time <= p->last; /* as at the point before */
    bool fixed = !changes && (time >= most || (same && now > p->at));
    p->last = time;
    p->at = now;
    for (int k = 0; k < p->delays; k++)
        if (p->delay[k] >= time && p->delay[k] <= time) return;
    if (fixed && time > 0 && p->delays < DELAYS) p->delay[p->delays++] = time;
}

static void note_lag(History *h, int number, Past *p, double moment) {
    while (h->lags <= number) {
        Lag *more = mem_resize(h->lag, ((size_t)h->lags + 1) * sizeof *h->lag);
        p->lacking |= !more;
        if (!more) return;
        h->lag = more;
        h->lag[h->lags++] = (Lag){-1, 0, -HUGE_VAL, HUGE_VAL};
    }
    h->lag[number].past = (int)(p - h->past);
    h->lag[number].moment = moment;
}

/* What the specification forbids; the run ends. */
static void refuse(Rb *c, Pos pos, const char *what) {
    if (c->failed) return;
    c->failed = 1;
    c->fault_pos = pos;
    c->fault_at = -1;
    c->fault_text = what;
}

/* Delay times are neither negative nor above their maximum, but for errors of the integrator. */
static void check_delay(Rb *c, long var, double time, double most) {
    const double     slack = 1e-6 * fabs(most);
    const Variables *all = &instance_of(c)->program->variables;
    const Pos        pos = all->run[variables_run(all, (int)var)].pos;
    if (time < -slack) refuse(c, pos, "a delay time is negative");
    if (time > most + slack)
        refuse(c, pos, "a delay time is above the maximum that is given for it");
}

/* The value at a tick; rounds of event iteration come here again. */
static void note_tick(Past *p, const Rb *c, double keep) {
    double t = c->time, x = c->v[p->var];
    int    last = p->count - 1;
    p->keep = fmax(p->keep, keep);
    if (last >= p->first && t <= p->time[last]) p->value[last] = x;
    else {
        forget(p, t);
        put(p, t, x);
    }
}

void history_remember(Rb *c, int number, long var, double time, double most) {
    Instance *instance = instance_of(c);
    Past     *p = past_for(c, var);
    check_delay(c, var, time, most);
    if (!p) return;
    if (p->line) {
        note_tick(p, c, fmax(time, most));
        return;
    }
    note_delay(p, c->time, time, most, number >= 0);
    if (number >= 0) note_lag(instance->history, number, p, c->time - time);
    double x = c->v[var], t = c->time;
    if (!isfinite(x)) {
        instance->history->unfit = true;
        return;
    }
    while (p->count > p->first && t < p->time[p->count - 1])
        p->count--; /* steps have been taken back */
    int n = p->count - p->first;
    if (n && t <= p->time[p->count - 1]) { /* a point of this time is there */
        bool twice = n > 1 && t <= p->time[p->count - 2];
        if (twice) p->value[p->count - 1] = x; /* a later round of the event */
        if (twice || !instance->history->event) return;
    }
    if (instance->history->trial) {
        judge(instance->history, p, t, x, true);
        return;
    }
    forget(p, instance->history->step);
    put_next(p, t, x);
}

static void   look_around(const History *h, Lag *lag);
static double inside(const Past *p, double s);
static double worst_looked(const History *h, const PastPoint *point);

/* Judges what the model would keep now. */
static void foretell(Instance *instance, PastPoint *point) {
    History *h = instance->history;
    point->error = 0;
    point->order = 0;
    if (!h) return;
    h->trial = true;
    h->order = POINTS;
    h->worst = 0;
    instance->run.image->remember(&instance->run.rb);
    h->trial = false;
    point->error = h->worst;
    point->order = h->order;
}

static void begin_step(History *h, double begin) {
    if (!(begin > h->step)) return;
    h->step = begin;
    for (int i = 0; i < h->pasts; i++) h->past[i].begun = h->past[i].noted;
}

bool history_note(Instance *instance, PastPoint *point) {
    History *h = instance->history;
    if (h) {
        h->event = !point;
        h->unfit = false;
    }
    if (h && point) begin_step(h, point->begin);
    if (point) foretell(instance, point);
    if (point && point->error > point->most) return !h || !h->unfit;
    instance->run.image->remember(&instance->run.rb);
    h = instance->history;
    for (int i = 0; h && i < h->pasts; i++) instance->lacking |= h->past[i].lacking;
    for (int k = 0; h && !point && k < h->lags; k++) look_around(h, &h->lag[k]);
    if (point) point->looked = worst_looked(h, point);
    return !h || !h->unfit;
}

/* ---- values ----------------------------------------------------------------------------------- */

static bool jumps(const Past *p, int k) { /* between points k and k + 1 */
    double a = p->value[k], b = p->value[k + 1];
    return p->time[k] >= p->time[k + 1] && fabs(a - b) > 1e-12 * (fabs(a) + fabs(b));
}

/* The last point not after t, at least the first. */
static int find(const Past *p, double t) {
    int low = p->first, high = p->count - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (p->time[middle] <= t) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* The next point below or above k that is not much nearer to it than `least`, -1: an event comes before it, or
 * there are too many on the way. */
static int neighbour(const Past *p, int k, int way, double least) {
    enum { FAR = 64 };
    for (int i = k + way, n = 0; i >= p->first && i < p->count && n < FAR;
         i += way, n++) {
        if (p->time[i] == p->time[i - way]) return -1;
        if (fabs(p->time[i] - p->time[k]) >= least) return i;
    }
    return -1;
}

/* Polynomial through the POINTS nearest points to [k, k + 1] that no event separates from it. Where points crowd
 * beside the gap, as after a kink, most are left out: they would magnify rounding errors in it. */
static double between(const Past *p, int k, double t) {
    static const double CROWDED = 0.02; /* of the gap */
    int                 point[2 * POINTS], from = POINTS, to = POINTS + 1;
    const double        least = CROWDED * (p->time[k + 1] - p->time[k]);
    int                 below = k, above = k + 1;
    point[from] = below;
    point[to] = above;
    if (p->line) return through(p, point + from, 2, t);
    below = neighbour(p, below, -1, least);
    above = neighbour(p, above, 1, least);
    while (to - from + 1 < POINTS && (below >= 0 || above >= 0)) {
        if (below >= 0 && (above < 0 || POINTS - from < to - POINTS)) {
            point[--from] = below;
            below = neighbour(p, below, -1, least);
        } else {
            point[++to] = above;
            above = neighbour(p, above, 1, least);
        }
    }
    return through(p, point + from, to - from + 1, t);
}

/* What is at t between the last point, or the first, and the value x at `now` beyond it. */
static double beyond(const Past *p, double now, double x, double t, bool above) {
    enum { BEFORE = 3 };
    double    time[BEFORE + 2] = {now}, value[BEFORE + 2] = {x};
    const int end = above ? p->count - 1 : p->first, way = above ? -1 : 1;
    const int most = p->line ? 2 : BEFORE + 2;
    int       n = 1;
    for (int k = end, from = end; n < most; k += way) {
        const bool inside = k >= p->first && k < p->count;
        const bool same = k == end || (inside && p->time[k] != p->time[k - way]);
        if (!inside || !same) break; /* an event */
        if (k != end && fabs(p->time[k] - p->time[from]) < fabs(now - p->time[end]))
            continue;
        time[n] = p->time[k];
        value[n++] = p->value[k];
        from = k;
    }
    double y = value[1]; /* differences: a constant stays exactly that */
    for (int i = 0; i < n; i++) {
        double weight = 1;
        for (int j = 0; j < n; j++)
            if (j != i) weight *= (t - time[j]) / (time[i] - time[j]);
        if (i != 1) y += weight * (value[i] - value[1]);
    }
    return y;
}

/* What was seen at time t of a step that began at `begin`, because the delay or the way through a
 * distribution is shorter than the step, was foretold from the points before it and the value that
 * entered at t. How far it is from what is known now; of a distribution labels are compared. */
static double looked(const Past *p, double begin, double t) {
    const bool spatial = p->var >= DISTRIBUTION, above = !spatial || p->entered >= 0;
    double     now = t, seen = t - p->last, old = begin;
    Past       before = *p;
    if (spatial) {
        now = above ? p->noted : p->noted - 1;
        seen = above ? p->noted - 1 : p->noted;
        old = above ? p->begun : p->begun - 1;
    } else if (!(p->last > 0)) return 0;
    if (above ? !(seen > old) : !(seen < old)) return 0;
    const int newest = above ? p->count - 1 : p->first;
    if (p->time[newest] < now || p->time[newest] > now) return 0;
    if (above)
        while (before.count > p->first && p->time[before.count - 1] > old) before.count--;
    else
        while (before.first < p->count && p->time[before.first] < old) before.first++;
    if (before.count <= before.first) return 0;
    const double known = inside(p, seen);
    return fabs(beyond(&before, now, p->value[newest], seen, above) - known);
}

static double worst_looked(const History *h, const PastPoint *point) {
    double worst = 0;
    for (int i = 0; h && i < h->pasts; i++) {
        const double error = looked(&h->past[i], point->begin, point->t);
        if (error > worst * h->past[i].scale) worst = error / h->past[i].scale;
    }
    return worst;
}

/* ---- delays that change ----------------------------------------------------------------------- */

/* The first jump after `low`. */
static void look_around(const History *h, Lag *lag) {
    const Past *p = lag->past < 0 ? NULL : &h->past[lag->past];
    lag->high = HUGE_VAL;
    for (int k = p ? p->first : 0; p && k + 1 < p->count; k++)
        if (p->time[k] > lag->low && jumps(p, k)) {
            lag->high = p->time[k];
            return;
        }
}

/* How far the moment is inside the jumps around it. To pass one backwards takes a little more, so
 * that one just passed does not come back at once. */
static double room_around(const History *h, const Lag *lag) {
    double more = 1e-12 * (fabs(lag->moment) + h->past[lag->past].keep);
    return fmin(lag->high - lag->moment, lag->moment - lag->low + more);
}

static bool has_passed(const History *h, const Lag *lag) {
    return lag->past >= 0 && !(room_around(h, lag) > 0);
}

static void pass(const History *h, Lag *lag) {
    const Past *p = &h->past[lag->past];
    lag->low = -HUGE_VAL;
    for (int k = p->first; k + 1 < p->count && p->time[k] <= lag->moment; k++)
        if (jumps(p, k)) lag->low = p->time[k];
    look_around(h, lag);
}

/* What is seen at time t between the jumps around; until the event of a jump it is what was before. */
static double seen_between(const Past *p, const Lag *lag, double t) {
    bool ahead = t >= lag->high;
    int  k = find(p, ahead ? lag->high : fmax(t, lag->low));
    while (ahead && k > p->first && p->time[k - 1] >= lag->high) k--;
    if (ahead) return p->value[k];
    if (t <= p->time[k] || (k + 1 < p->count && p->time[k + 1] <= p->time[k]))
        return p->value[k];
    return k + 1 < p->count ? between(p, k, t) : NAN;
}

/* ---- delays ------------------------------------------------------------------------------------- */

/* Of a clocked partition: on the line between ticks. What is later than the last one is on the line to the value
 * now, which may not be known yet: then another round follows. */
static double on_line(Rb *c, long var, double time) {
    const Instance *instance = instance_of(c);
    Past           *p = past_for(c, var);
    double          now = c->v[var], t = c->time - time;
    if (!p) return now;
    int last = p->count - 1;
    while (last >= p->first && p->time[last] >= c->time) last--; /* of a round before */
    bool known = last >= p->first;
    if (known && t <= p->time[p->first]) return p->value[p->first];
    if (known && t <= p->time[last]) {
        int k = find(p, t);
        return k < last ? between(p, k, t) : p->value[k];
    }
    if (c->v == instance->v && c->v != instance->inside->v) {
        p->used = now;
        p->user = instance;
    }
    if (!known) return now;
    double share = (t - p->time[last]) / (c->time - p->time[last]);
    return p->value[last] + share * (now - p->value[last]);
}

bool history_again(const Instance *instance) {
    const History *h = instance->ticks->history;
    bool           again = false;
    for (int i = 0; h && i < h->pasts; i++) {
        Past *p = &h->past[i];
        if (p->user != instance) continue;
        double now = instance->v[p->var];
        again |= fabs(now - p->used) > 1e-12 * (fabs(now) + fabs(p->used));
        p->user = NULL;
    }
    return again;
}

double history_delay(Rb *c, int number, long var, double time) {
    const Instance *instance = instance_of(c);
    if (is_clocked(c)) return on_line(c, var, time);
    bool twin = instance->original != NULL;
    if (twin) instance = instance->original; /* its twins look there too */
    const Past *p = past_of(instance->history, var);
    if (!p || !(time > 0) || p->count == p->first) return c->v[var];
    double t = c->time - time, near = 1e-13 * (fabs(c->time) + time);
    if (number >= 0 && number < instance->history->lags) {
        Lag *lag = &instance->history->lag[number];
        if (!twin) lag->moment = t;
        double value = seen_between(p, lag, t);
        if (!isnan(value)) return value;
        near = 0;
    }
    int k = find(p, t + near), last = p->count - 1;
    while (k > p->first && p->time[k] > t - near && p->time[k - 1] >= p->time[k] &&
           p->time[k] + time > instance->event.right_time + near)
        k--; /* on its way, not yet here */
    if (t <= p->time[k]) return p->value[k];
    if (k < last && p->time[k + 1] > p->time[k]) return between(p, k, t);
    if (k < last || c->time <= p->time[last]) return p->value[k];
    return beyond(p, c->time, c->v[var], t, true);
}

double history_next(const Instance *instance, double t) {
    const History *h = instance->history;
    double         when = HUGE_VAL;
    for (int i = 0; h && i < h->pasts; i++) {
        const Past *p = &h->past[i];
        for (int k = p->first; k + 1 < p->count; k++) {
            if (!jumps(p, k)) continue;
            for (int d = 0; d < p->delays; d++) {
                double arrives = p->time[k] + p->delay[d];
                if (arrives > t && arrives < when) when = arrives;
            }
        }
        /* at the start the past bends; that arrives as well, each time smoother */
        for (int d = 0; p->smooth && d < p->delays; d++)
            for (int bend = 1; bend <= BENDS; bend++) {
                double arrives = p->since + bend * p->delay[d];
                if (arrives > t && arrives < when) when = arrives;
            }
    }
    return when;
}

/* ---- distributions ------------------------------------------------------------------------------ */

/* What is at y in [0, 1] when the shift is x has entered, or was there at the start, with the label
 * s = x - y, which it keeps. A distribution is therefore a Past over s: the left end is s = x, the
 * right end s = x - 1. Moving to the right adds labels above, moving to the left below.
 *
 * A jump of what enters keeps its label as well, which is there twice, and arriving at the other
 * end it is an event (Modelica 3.6, 3.7.4.2). The label of the next one is `pending`, infinite if
 * there is none; until its event the outlet shows what is in front of it. */

/* There is room for a point before the first one afterwards, for a share of them. */
static void make_room_below(Past *p) {
    const int n = p->count - p->first, room = n + 64;
    if (p->first > 0) return;
    for (int k = 0; k < room; k++) put(p, 0, 0);
    if (p->lacking) return;
    memmove(p->time + room, p->time, (size_t)n * sizeof *p->time);
    memmove(p->value + room, p->value, (size_t)n * sizeof *p->value);
    p->first = room;
}

static void put_below(Past *p, double s, double value) {
    make_room_below(p);
    if (p->lacking) return;
    p->first--;
    p->time[p->first] = s;
    p->value[p->first] = value;
}

/* As put_next. */
static void put_before(Past *p, double s, double value) {
    const int first = p->first;
    if (course_length(p, false) > 2 && s < p->time[first] &&
        p->time[first] - s < CLOSE * (p->time[first + 1] - p->time[first]))
        p->first++;
    put_below(p, s, value);
}

/* Points of the start: from one end to the other (Modelica 3.6, 3.7.4.2). */
static bool are_points(int n, const double *point) {
    bool fine = n > 1 && fabs(point[0]) < 1e-9 && fabs(point[n - 1] - 1) < 1e-9;
    for (int k = 0; fine && k + 1 < n; k++) fine = point[k] <= point[k + 1];
    return fine;
}

static Past *distribution(Rb *c, int number, double x, int n, const double *point,
                          const double *value) {
    Past *p = past_of(*place_of(c), DISTRIBUTION + (long)number);
    if (p) return p;
    p = past_for(c, DISTRIBUTION + (long)number);
    if (!p) return NULL;
    p->pending = HUGE_VAL;
    if (!are_points(n, point))
        refuse(c, 0, "initialPoints of spatialDistribution do not ascend from 0 to 1");
    for (int k = n - 1; k >= 0; k--) { /* twice: straight lines between them */
        put(p, x - point[k], value[k]);
        put(p, x - point[k], value[k]);
    }
    return p;
}

/* The label that is at the outlet. */
static double outlet(const Past *p) {
    return p->right ? p->shift - 1 : p->shift;
}

/* How far the next jump is away from the outlet, in labels. */
static double distance(const Past *p) {
    return p->right ? p->pending - outlet(p) : outlet(p) - p->pending;
}

/* The next jump on its way to the outlet. Labels ascend: the nearest to the right outlet is the
 * first one above, the nearest to the left outlet the last one below. */
static void look_ahead(Past *p) {
    double s = outlet(p);
    p->pending = p->right ? HUGE_VAL : -HUGE_VAL;
    for (int k = p->first; k + 1 < p->count; k++) {
        if (!jumps(p, k) || (p->right ? p->time[k] <= s : p->time[k] >= s)) continue;
        p->pending = p->time[k];
        if (p->right) return;
    }
}

/* The values now, and where it moves. */
static void move_to(Past *p, double x, bool right) {
    p->shift = x;
    if (right == p->right) return;
    p->right = right;
    look_ahead(p);
}

static double inside(const Past *p, double s) {
    int  k = find(p, s);
    bool way = k + 1 < p->count && p->time[k + 1] > p->time[k];
    return way ? between(p, k, s) : p->value[k];
}

/* Value at the label s of the outlet. Where it is there twice, what has passed counts. */
static double arrived(const Past *p, double s) {
    if (p->right) return inside(p, s < p->pending ? s : nextafter(p->pending, -HUGE_VAL));
    return inside(p, s > p->pending ? nextafter(s, -HUGE_VAL) : p->pending);
}

/* Value at label s, if these values enter. */
static double label_value(const Past *p, double s, double in0, double in1) {
    int    last = p->count - 1;
    double low = p->time[p->first], high = p->time[last], x = p->shift;
    if (s >= high) /* entered at the left since the last point */
        return x > high ? beyond(p, x, in0, s, true) : p->value[last];
    if (s < low) /* entered at the right */
        return x - 1 < low ? beyond(p, x - 1, in1, s, false) : p->value[p->first];
    return arrived(p, s);
}

double history_spatial(Rb *c, int number, int end, double in0, double in1, double x,
                       double right) {
    Past *p = past_of(*place_of(c), DISTRIBUTION + (long)number);
    bool  enters = end == 0 ? right > 0 : !(right > 0);
    if (!p || p->count == p->first) return end == 0 ? in0 : in1;
    move_to(p, x, right > 0);
    if (enters) return end == 0 ? in0 : in1;
    return label_value(p, outlet(p), in0, in1);
}

/* What leaves is cut off at the outlet, which keeps its value as the last point. */
static void cut_above(Past *p, double x) {
    int last = p->count - 1;
    if (!(p->time[last] > x)) return;
    double value = inside(p, x);
    while (p->count > p->first + 1 && p->time[p->count - 1] > x) p->count--;
    if (p->time[p->count - 1] < x) put(p, x, value);
}

static void cut_below(Past *p, double s) {
    if (!(p->time[p->first] < s)) return;
    double value = inside(p, s);
    while (p->first + 1 < p->count && p->time[p->first] < s) p->first++;
    if (p->time[p->first] > s) put_below(p, s, value);
}

/* What enters at the left now. Between events, and if it moved to the right before, labels from x on
 * are of steps that were taken back; otherwise they left here. */
static void enter_left(Past *p, double x, double in, bool again) {
    while (again && p->count > p->first + 1 && p->time[p->count - 1] > x) p->count--;
    if (again && p->time[p->count - 1] >= x) p->value[p->count - 1] = in;
    cut_above(p, x);
    bool same = p->time[p->count - 1] >= x;
    bool jump = fabs(p->value[p->count - 1] - in) > 1e-12 * fabs(in);
    if (!same || jump) put_next(p, x, in);
    while (p->first + SPARE < p->count &&
           p->time[p->first + SPARE] < fmin(p->begun, x) - 1)
        p->first++;
}

static void enter_right(Past *p, double x, double in, bool again) {
    while (again && p->count > p->first + 1 && p->time[p->first] < x - 1) p->first++;
    if (again && p->time[p->first] <= x - 1) p->value[p->first] = in;
    cut_below(p, x - 1);
    bool same = p->time[p->first] <= x - 1;
    bool jump = fabs(p->value[p->first] - in) > 1e-12 * fabs(in);
    if (!same || jump) put_before(p, x - 1, in);
    while (p->count - 1 - SPARE > p->first &&
           p->time[p->count - 1 - SPARE] > fmax(p->begun, x))
        p->count--;
}

void history_transport(Rb *c, int number, double in0, double in1, double x, double right,
                       int n, const double *point, const double *value) {
    Past        *p = distribution(c, number, x, n, point, value);
    History     *h = *place_of(c);
    const bool   forth = right > 0;
    const double in = forth ? in0 : in1;
    if (!p || p->count == p->first) return; /* there is no memory */
    if (h->trial) {
        judge(h, p, forth ? x : x - 1, in, forth);
        return;
    }
    if (!isfinite(x) || !isfinite(in)) {
        h->unfit = true;
        return;
    }
    const bool again = !h->event && p->entered == (forth ? 1 : -1);
    move_to(p, x, forth);
    if (p->line) p->begun = p->noted;
    p->noted = x;
    p->entered = forth ? 1 : -1;
    if (forth) enter_left(p, x, in, again);
    else enter_right(p, x, in, again);
    if (h->event || p->line) look_ahead(p);
}

int history_arrivals(const Instance *instance) {
    const History *h = instance->history;
    int            n = 0;
    for (int i = 0; h && i < h->pasts; i++) n += h->past[i].var >= DISTRIBUTION;
    return h ? n + h->lags : 0;
}

void history_crossings(const Instance *instance, double *z) {
    const History *h = instance->history;
    for (int i = 0; h && i < h->pasts; i++)
        if (h->past[i].var >= DISTRIBUTION) {
            double way = distance(&h->past[i]);
            *z++ = isfinite(way) ? way : 1;
        }
    for (int k = 0; h && k < h->lags; k++) {
        double way = h->lag[k].past < 0 ? 1 : room_around(h, &h->lag[k]);
        *z++ = isfinite(way) ? way : 1;
    }
}

void history_arrive(Instance *instance) {
    History *h = instance->history;
    for (int i = 0; h && i < h->pasts; i++)
        if (h->past[i].var >= DISTRIBUTION && distance(&h->past[i]) <= 0)
            look_ahead(&h->past[i]);
    for (int k = 0; h && k < h->lags; k++)
        if (has_passed(h, &h->lag[k])) pass(h, &h->lag[k]);
}

bool history_settled(const Instance *instance) {
    const History *h = instance->history;
    for (int k = 0; h && k < h->lags; k++)
        if (has_passed(h, &h->lag[k])) return false;
    return true;
}

/* ---- the whole ---------------------------------------------------------------------------------- */

/* A step longer than a delay would have to look into itself. Variables that change at events
 * only do not mind. */
double history_step(Instance *instance) {
    const BlockGraph *g = &instance->program->graph;
    History          *h = instance->history;
    double            most = 0;
    for (int i = 0; h && i < h->pasts; i++) {
        Past *p = &h->past[i];
        if (p->var >= DISTRIBUTION) continue;
        int giver = g->giver[p->var];
        if (giver >= 0 && g->discrete[giver]) continue;
        p->smooth = true;
        double step = fmax(p->last, 0.01 * p->keep);
        if (step > 0 && (most <= 0 || step < most)) most = step;
    }
    return most;
}

/* ---- as bytes ------------------------------------------------------------------------------------ */

/* As they are in memory, without what is no longer asked for. */
void history_save(const History *h, Bytes *to) {
    int pasts = h ? h->pasts : 0, lags = h ? h->lags : 0;
    bytes_put(to, &pasts, sizeof pasts);
    bytes_put(to, &lags, sizeof lags);
    for (int i = 0; i < pasts; i++) {
        const Past *p = &h->past[i];
        size_t      n = (size_t)(p->count - p->first) * sizeof(double);
        Past        plain = *p;
        plain.time = plain.value = NULL;
        plain.user = NULL;
        bytes_put(to, &plain, sizeof plain);
        bytes_put(to, p->time + p->first, n);
        bytes_put(to, p->value + p->first, n);
    }
    bytes_put(to, lags ? h->lag : NULL, (size_t)lags * sizeof(Lag));
}

static void read_past(Instance *instance, History **place, Bytes *from) {
    Past read;
    bytes_get(from, &read, sizeof read);
    int n = read.count - read.first;
    if (from->failed || n < 0 || (size_t)n > from->room / sizeof(double)) {
        from->failed = true;
        return;
    }
    Past *p = past_new(instance, place, read.var);
    from->failed |= !p;
    if (!p) return;
    read.time = mem_take((size_t)n, sizeof *read.time);
    read.value = mem_take((size_t)n, sizeof *read.value);
    read.first = 0;
    read.count = read.room = n;
    read.lacking = false;
    *p = read;
    from->failed |= !p->time || !p->value;
    if (from->failed) return;
    bytes_get(from, p->time, (size_t)n * sizeof *p->time);
    bytes_get(from, p->value, (size_t)n * sizeof *p->value);
}

void history_restore(Instance *instance, History **place, Bytes *from) {
    int pasts, lags;
    history_close(place);
    bytes_get(from, &pasts, sizeof pasts);
    bytes_get(from, &lags, sizeof lags);
    for (int i = 0; i < pasts && !from->failed; i++) read_past(instance, place, from);
    if (from->failed || lags <= 0) return;
    History *h = *place;
    if (h && (size_t)lags <= from->room / sizeof(Lag))
        h->lag = mem_take((size_t)lags, sizeof *h->lag);
    from->failed |= !h || !h->lag;
    if (from->failed) return;
    h->lags = lags;
    bytes_get(from, h->lag, (size_t)lags * sizeof *h->lag);
}

void history_close(History **place) {
    History *h = *place;
    if (!h) return;
    for (int i = 0; i < h->pasts; i++) {
        mem_free(h->past[i].time);
        mem_free(h->past[i].value);
    }
    map_free(&h->of_var);
    mem_free(h->past);
    mem_free(h->lag);
    mem_free(h);
    *place = NULL;
}
