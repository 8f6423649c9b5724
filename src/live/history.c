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
 * A clocked partition knows its variables at its ticks. Between them they lie on a line, and nothing is an event.
 * Distributions keep their past in the same way (spatial.c). */
#include "live/past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- points ----------------------------------------------------------------------------- */

Past *past_find(const History *h, long var) {
    int k = h ? (int)map_get(&h->of_var, (uint64_t)var, -1) : -1;
    return k < 0 ? NULL : &h->past[k];
}

static bool is_clocked(const Rb *c) {
    return c->ticks != NULL;
}

/* Clocked partitions have a history of their own. */
History **past_place(Rb *c) {
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
Past *past_take(Rb *c, long var) {
    History **place = past_place(c);
    Past     *p = past_find(*place, var);
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
int past_course(const Past *p, bool above) {
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
void past_judge(History *h, Past *p, double t, double x, bool above) {
    static const double ROUGH = 0.3, HARDER = 20.0, NOISE = 1e-7;
    const int           n = past_course(p, above);
    p->scale = fmax(p->scale, fabs(x));
    if (n < h->order) h->order = n;
    if (n < 2 || (above ? t <= p->time[p->count - 1] : t >= p->time[p->first])) return;
    double error = missed(p, t, x, n, above);
    if (n == POINTS) error = fmin(error, missed(p, t, x, n - 2, above));
    if (n > 2 && error > NOISE * p->scale && error > ROUGH * missed(p, t, x, 2, above))
        error *= HARDER;
    if (error > h->worst * p->scale) h->worst = error / p->scale;
}

void past_put(Past *p, double t, double x) {
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

/* A point of the course that ends with the last one. Polynomials through points of very different
 * distances would magnify rounding errors. */
void past_put_next(Past *p, double t, double x) {
    const int last = p->count - 1;
    if (past_course(p, true) > 2 && t > p->time[last] &&
        t - p->time[last] < PAST_CLOSE * (p->time[last] - p->time[last - 1]))
        p->count--;
    past_put(p, t, x);
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
void past_refuse(Rb *c, Pos pos, const char *what) {
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
    if (time < -slack) past_refuse(c, pos, "a delay time is negative");
    if (time > most + slack)
        past_refuse(c, pos, "a delay time is above the maximum that is given for it");
}

/* The value at a tick; rounds of event iteration come here again. */
static void note_tick(Past *p, const Rb *c, double keep) {
    double t = c->time, x = c->v[p->var];
    int    last = p->count - 1;
    p->keep = fmax(p->keep, keep);
    if (last >= p->first && t <= p->time[last]) p->value[last] = x;
    else {
        forget(p, t);
        past_put(p, t, x);
    }
}

void history_remember(Rb *c, int number, long var, double time, double most) {
    Instance *instance = instance_of(c);
    Past     *p = past_take(c, var);
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
        past_judge(instance->history, p, t, x, true);
        return;
    }
    forget(p, instance->history->step);
    past_put_next(p, t, x);
}

static void   look_around(const History *h, Lag *lag);
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

bool past_jumps(const Past *p, int k) { /* between points k and k + 1 */
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

double past_inside(const Past *p, double s) {
    int  k = find(p, s);
    bool way = k + 1 < p->count && p->time[k + 1] > p->time[k];
    return way ? between(p, k, s) : p->value[k];
}

/* What is at t between the last point, or the first, and the value x at `now` beyond it. */
double past_beyond(const Past *p, double now, double x, double t, bool above) {
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

/* The first point from t on, or after it; p->count: none. */
static int first_from(const Past *p, double t, bool after) {
    int low = p->first, high = p->count;
    while (low < high) {
        const int  middle = low + (high - low) / 2;
        const bool is = after ? p->time[middle] > t : p->time[middle] >= t;
        if (is) high = middle;
        else low = middle + 1;
    }
    return low;
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
    if (above) before.count = first_from(p, old, true);
    else before.first = first_from(p, old, false);
    if (before.count <= before.first) return 0;
    const double known = past_inside(p, seen);
    return fabs(past_beyond(&before, now, p->value[newest], seen, above) - known);
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
        if (p->time[k] > lag->low && past_jumps(p, k)) {
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
        if (past_jumps(p, k)) lag->low = p->time[k];
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
    Past           *p = past_take(c, var);
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
    const Past *p = past_find(instance->history, var);
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
    return past_beyond(p, c->time, c->v[var], t, true);
}

double history_next(const Instance *instance, double t) {
    const History *h = instance->history;
    double         when = HUGE_VAL;
    for (int i = 0; h && i < h->pasts; i++) {
        const Past *p = &h->past[i];
        for (int k = p->first; k + 1 < p->count; k++) {
            if (!past_jumps(p, k)) continue;
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

/* ---- arrivals, of delays that change and of distributions --------------------------------------- */

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
            double way = spatial_distance(&h->past[i]);
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
        if (h->past[i].var >= DISTRIBUTION && spatial_distance(&h->past[i]) <= 0)
            spatial_look_ahead(&h->past[i]);
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
