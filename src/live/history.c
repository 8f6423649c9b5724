/* SPDX-License-Identifier: Apache-2.0 */
/* history.c -- the past of variables under delay.
 *
 * At accepted points of the solution the values are kept, as far back as the longest delay asks.
 * How many points a step has follows from how well the next one could be foretold: what is delayed
 * may change faster than any state. Between them a polynomial through the four nearest points is taken; none reaches across an
 * event, where a time is kept twice, with the values before and after it. Before the start
 * everything was as at the start (Modelica 3.6, 3.7.4.1); what lies between the last point and
 * now, for delays shorter than a step, is a straight line.
 *
 * Where the value jumped at an event, the jump arrives later by the delay and is a time event
 * then. Until that event has been handled the value before the jump is seen, from then on the
 * one behind it. (Bellen and Zennaro, Numerical Methods for Delay Differential Equations, 2003,
 * chapter 2, on tracking of discontinuities.) A delay that changes shows the moment t - delay(t),
 * and a jump arrives when that moment passes it, in either direction: a crossing. */
#include "live/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DELAYS = 8,
    SPARE = 4,
    BENDS = 3,        /* that are events */
    POINTS_LEAST = 4, /* a step is noted at */
    POINTS_MOST = 128,
    STEP_POINTS = 2 * POINTS_MOST /* points that are not forgotten */
};

typedef struct Past {
    int     var;
    double  keep;           /* longest delay                                            */
    double  last, at;       /* delay asked for last, and when */
    double  delay[DELAYS];  /* delays that do not change ...                            */
    int     delays;         /* ... as far as they are known                             */
    double  scale;          /* largest value so far */
    double  since;          /* the start */
    bool    smooth;         /* changes between events */
    double  shift, pending; /* of a distribution, see there */
    bool    right;
    double *time, *value; /* points first ... count - 1, ascending                    */
    int     first, count, room;
    bool    lacking; /* there was no memory for a point */
} Past;

typedef struct Lag { /* a delay that changes */
    int    past;     /* whose, -1: not known yet */
    double moment;   /* that it shows */
    double low;      /* the moment is behind this jump, -infinity if behind none ... */
    double high;     /* ... and before this one */
} Lag;

struct History {
    Past  *past;
    int    pasts, room;
    Lag   *lag; /* by number */
    int    lags;
    Map    of_var; /* variable -> past                                              */
    double worst;  /* by how much a point was not what those before it foretold       */
    bool   event;  /* points being noted lie behind an event                        */
    bool   unfit;  /* a value to be noted is not finite                             */
};

/* ---- points ----------------------------------------------------------------------------- */

static Past *past_of(const Instance *instance, long var) {
    History *h = instance->history;
    int      k = h ? (int)map_get(&h->of_var, (uint64_t)var, -1) : -1;
    return k < 0 ? NULL : &h->past[k];
}

/* The past of a variable, made when first asked for; NULL: no memory. */
static Past *past_new(Instance *instance, long var) {
    if (!instance->history) instance->history = mem_take(1, sizeof(History));
    History *h = instance->history;
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

static double between(const Past *p, int k, double t);

/* Points that no delay reaches any more make room. Output points inside the last step, which is
 * a few points long, are still to come. */
static void forget(Past *p) {
    int    back = p->count - 1 - STEP_POINTS;
    double now = back > p->first ? p->time[back] : -HUGE_VAL;
    while (p->first + SPARE < p->count && p->time[p->first + SPARE] < now - p->keep)
        p->first++;
    if (p->first == 0 || p->first < p->room / 2) return;
    size_t n = (size_t)(p->count - p->first);
    memmove(p->time, p->time + p->first, n * sizeof *p->time);
    memmove(p->value, p->value + p->first, n * sizeof *p->value);
    p->first = 0;
    p->count = (int)n;
}

/* How well the cubic through the last four points foretells the next one. */
static void judge(History *h, Past *p, double t, double x) {
    int last = p->count - 1;
    p->scale = fmax(p->scale, fabs(x));
    if (p->count - p->first < 4 || !(t > p->time[last])) return;
    for (int k = last - 3; k < last; k++)
        if (!(p->time[k + 1] > p->time[k])) return;
    double error = fabs(between(p, last - 2, t) - x);
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

void history_remember(Rb *c, int number, long var, double time, double most) {
    Instance *instance = instance_of(c);
    Past     *p = past_of(instance, var);
    if (!p) {
        p = past_new(instance, var);
        if (!p) return;
        p->since = c->time;
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
    forget(p);
    if (!instance->history->event) judge(instance->history, p, t, x);
    put(p, t, x);
}

static void look_around(const History *h, Lag *lag);

bool history_note(Instance *instance, bool event) {
    History *h = instance->history;
    double  *points = &instance->past_points;
    if (h) {
        h->event = event;
        h->unfit = false;
        h->worst = 0;
    }
    instance->run.image->remember(&instance->run.rb);
    h = instance->history;
    for (int i = 0; h && i < h->pasts; i++) instance->lacking |= h->past[i].lacking;
    for (int k = 0; h && event && k < h->lags; k++) look_around(h, &h->lag[k]);
    if (h && h->worst > 1e-6) *points = fmin(2 * *points, POINTS_MOST);
    else if (h && h->worst < 1e-9) *points = fmax(0.95 * *points, POINTS_LEAST);
    instance->model.past_points = (int)*points;
    return !h || !h->unfit;
}

/* ---- values ----------------------------------------------------------------------------------- */

static bool jumps(const Past *p, int k) { /* between points k and k + 1 */
    double a = p->value[k], b = p->value[k + 1];
    return p->time[k] >= p->time[k + 1] && fabs(a - b) > 1e-12 * (fabs(a) + fabs(b));
}

/* The last point not behind t, at least the first. */
static int find(const Past *p, double t) {
    int low = p->first, high = p->count - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (p->time[middle] <= t) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* Polynomial through the points around [k, k + 1] that no event separates from it. */
static double between(const Past *p, int k, double t) {
    int from = k, to = k + 1;
    while (from > p->first && from > k - 1 && p->time[from - 1] < p->time[from]) from--;
    while (to + 1 < p->count && to < k + 2 && p->time[to + 1] > p->time[to]) to++;
    double x = p->value[k]; /* differences: a constant stays exactly that */
    for (int i = from; i <= to; i++) {
        double weight = 1;
        for (int j = from; j <= to; j++)
            if (j != i) weight *= (t - p->time[j]) / (p->time[i] - p->time[j]);
        x += weight * (p->value[i] - p->value[k]);
    }
    return x;
}

/* ---- delays that change ----------------------------------------------------------------------- */

/* The first jump behind `low`. */
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

double history_delay(Rb *c, int number, long var, double time) {
    const Instance *instance = instance_of(c);
    bool            twin = instance->original != NULL;
    if (twin) instance = instance->original; /* its twins look there too */
    const Past *p = past_of(instance, var);
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
    double part = (t - p->time[last]) / (c->time - p->time[last]);
    return p->value[last] + part * (c->v[var] - p->value[last]);
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

enum { DISTRIBUTION = 1 << 30 }; /* their numbers stand behind those of variables */

static void put_below(Past *p, double s, double value) {
    put(p, s, value);
    if (p->lacking) return;
    memmove(p->time + p->first + 1, p->time + p->first,
            (size_t)(p->count - 1 - p->first) * sizeof *p->time);
    memmove(p->value + p->first + 1, p->value + p->first,
            (size_t)(p->count - 1 - p->first) * sizeof *p->value);
    p->time[p->first] = s;
    p->value[p->first] = value;
}

static Past *distribution(Instance *instance, int number, double x, int n,
                          const double *point, const double *value) {
    Past *p = past_of(instance, DISTRIBUTION + (long)number);
    if (p) return p;
    p = past_new(instance, DISTRIBUTION + (long)number);
    if (!p) return NULL;
    p->pending = HUGE_VAL;
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
    if (s >= high) { /* entered at the left since the last point */
        double part = x > high ? (s - high) / (x - high) : 0;
        return p->value[last] + part * (in0 - p->value[last]);
    }
    if (s < low) { /* entered at the right */
        double part = x - 1 < low ? (low - s) / (low - (x - 1)) : 0;
        return p->value[p->first] + part * (in1 - p->value[p->first]);
    }
    return arrived(p, s);
}

double history_spatial(Rb *c, int number, int end, double in0, double in1, double x,
                       double right) {
    Past *p = past_of(instance_of(c), DISTRIBUTION + (long)number);
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

void history_transport(Rb *c, int number, double in0, double in1, double x, double right,
                       int n, const double *point, const double *value) {
    Past    *p = distribution(instance_of(c), number, x, n, point, value);
    History *h = instance_of(c)->history;
    if (!p || p->count == p->first) return; /* there is no memory */
    if (!isfinite(x) || !isfinite(right > 0 ? in0 : in1)) {
        h->unfit = true;
        return;
    }
    move_to(p, x, right > 0);
    if (right > 0) {
        cut_above(p, x);
        bool same = p->time[p->count - 1] >= x;
        bool jump = fabs(p->value[p->count - 1] - in0) > 1e-12 * fabs(in0);
        judge(h, p, x, in0);
        if (!same || jump) put(p, x, in0);
        int back = p->count - 1 - STEP_POINTS;
        while (back > p->first + SPARE && p->time[p->first + SPARE] < p->time[back] - 1)
            p->first++;
    } else {
        cut_below(p, x - 1);
        bool same = p->time[p->first] <= x - 1;
        bool jump = fabs(p->value[p->first] - in1) > 1e-12 * fabs(in1);
        if (!same || jump) put_below(p, x - 1, in1);
        int back = p->first + STEP_POINTS;
        while (back < p->count - 1 - SPARE &&
               p->time[p->count - 1 - SPARE] > p->time[back] + 1)
            p->count--;
    }
    if (h->event) look_ahead(p);
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
void history_save(const Instance *instance, Bytes *to) {
    const History *h = instance->history;
    int            pasts = h ? h->pasts : 0, lags = h ? h->lags : 0;
    bytes_put(to, &pasts, sizeof pasts);
    bytes_put(to, &lags, sizeof lags);
    for (int i = 0; i < pasts; i++) {
        const Past *p = &h->past[i];
        size_t      n = (size_t)(p->count - p->first) * sizeof(double);
        Past        plain = *p;
        plain.time = plain.value = NULL;
        bytes_put(to, &plain, sizeof plain);
        bytes_put(to, p->time + p->first, n);
        bytes_put(to, p->value + p->first, n);
    }
    bytes_put(to, lags ? h->lag : NULL, (size_t)lags * sizeof(Lag));
}

static void read_past(Instance *instance, Bytes *from) {
    Past read;
    bytes_get(from, &read, sizeof read);
    int n = read.count - read.first;
    if (from->failed || n < 0 || (size_t)n > from->room / sizeof(double)) {
        from->failed = true;
        return;
    }
    Past *p = past_new(instance, read.var);
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

void history_restore(Instance *instance, Bytes *from) {
    int pasts, lags;
    history_close(instance);
    bytes_get(from, &pasts, sizeof pasts);
    bytes_get(from, &lags, sizeof lags);
    for (int i = 0; i < pasts && !from->failed; i++) read_past(instance, from);
    if (from->failed || lags <= 0) return;
    History *h = instance->history;
    if (h && (size_t)lags <= from->room / sizeof(Lag))
        h->lag = mem_take((size_t)lags, sizeof *h->lag);
    from->failed |= !h || !h->lag;
    if (from->failed) return;
    h->lags = lags;
    bytes_get(from, h->lag, (size_t)lags * sizeof *h->lag);
}

void history_close(Instance *instance) {
    History *h = instance->history;
    if (!h) return;
    for (int i = 0; i < h->pasts; i++) {
        mem_free(h->past[i].time);
        mem_free(h->past[i].value);
    }
    map_free(&h->of_var);
    mem_free(h->past);
    mem_free(h->lag);
    mem_free(h);
    instance->history = NULL;
}
