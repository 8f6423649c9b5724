/* SPDX-License-Identifier: Apache-2.0 */
/* spatial.c -- spatialDistribution: what enters at one end arrives at the other.
 *
 * What is at y in [0, 1] when the shift is x has entered, or was there at the start, with the label
 * s = x - y, which it keeps. A distribution is therefore a Past over s: the left end is s = x, the
 * right end s = x - 1. Moving to the right adds labels above, moving to the left below.
 *
 * A jump of what enters keeps its label as well, which is there twice, and arriving at the other
 * end it is an event (Modelica 3.6, 3.7.4.2). The label of the next one is `pending`, infinite if
 * there is none; until its event the outlet shows what is in front of it. */
#include "live/past.h"

#include <math.h>
#include <string.h>

/* There is room for a point before the first one afterwards, for a share of them. */
static void make_room_below(Past *p) {
    const int n = p->count - p->first, room = n + 64;
    if (p->first > 0) return;
    for (int k = 0; k < room; k++) past_put(p, 0, 0);
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
    if (past_course(p, false) > 2 && s < p->time[first] &&
        p->time[first] - s < PAST_CLOSE * (p->time[first + 1] - p->time[first]))
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
    Past *p = past_find(*past_place(c), DISTRIBUTION + (long)number);
    if (p) return p;
    p = past_take(c, DISTRIBUTION + (long)number);
    if (!p) return NULL;
    p->pending = HUGE_VAL;
    if (!are_points(n, point))
        past_refuse(c, 0,
                    "initialPoints of spatialDistribution do not ascend from 0 to 1");
    for (int k = n - 1; k >= 0; k--) { /* twice: straight lines between them */
        past_put(p, x - point[k], value[k]);
        past_put(p, x - point[k], value[k]);
    }
    return p;
}

/* The label that is at the outlet. */
static double outlet(const Past *p) {
    return p->right ? p->shift - 1 : p->shift;
}

/* How far the next jump is away from the outlet, in labels. */
double spatial_distance(const Past *p) {
    return p->right ? p->pending - outlet(p) : outlet(p) - p->pending;
}

/* The next jump on its way to the outlet. Labels ascend: the nearest to the right outlet is the
 * first one above, the nearest to the left outlet the last one below. */
void spatial_look_ahead(Past *p) {
    double s = outlet(p);
    p->pending = p->right ? HUGE_VAL : -HUGE_VAL;
    for (int k = p->first; k + 1 < p->count; k++) {
        if (!past_jumps(p, k) || (p->right ? p->time[k] <= s : p->time[k] >= s)) continue;
        p->pending = p->time[k];
        if (p->right) return;
    }
}

/* The values now, and where it moves. */
static void move_to(Past *p, double x, bool right) {
    p->shift = x;
    if (right == p->right) return;
    p->right = right;
    spatial_look_ahead(p);
}

/* Value at the label s of the outlet. Where it is there twice, what has passed counts. */
static double arrived(const Past *p, double s) {
    if (p->right)
        return past_inside(p, s < p->pending ? s : nextafter(p->pending, -HUGE_VAL));
    return past_inside(p, s > p->pending ? nextafter(s, -HUGE_VAL) : p->pending);
}

/* Value at label s, if these values enter. */
static double label_value(const Past *p, double s, double in0, double in1) {
    int    last = p->count - 1;
    double low = p->time[p->first], high = p->time[last], x = p->shift;
    if (s >= high) /* entered at the left since the last point */
        return x > high ? past_beyond(p, x, in0, s, true) : p->value[last];
    if (s < low) /* entered at the right */
        return x - 1 < low ? past_beyond(p, x - 1, in1, s, false) : p->value[p->first];
    return arrived(p, s);
}

double history_spatial(Rb *c, int number, int end, double in0, double in1, double x,
                       double right) {
    Past *p = past_find(*past_place(c), DISTRIBUTION + (long)number);
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
    double value = past_inside(p, x);
    while (p->count > p->first + 1 && p->time[p->count - 1] > x) p->count--;
    if (p->time[p->count - 1] < x) past_put(p, x, value);
}

static void cut_below(Past *p, double s) {
    if (!(p->time[p->first] < s)) return;
    double value = past_inside(p, s);
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
    if (!same || jump) past_put_next(p, x, in);
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
    History     *h = *past_place(c);
    const bool   forth = right > 0;
    const double in = forth ? in0 : in1;
    if (!p || p->count == p->first) return; /* there is no memory */
    if (h->trial) {
        past_judge(h, p, forth ? x : x - 1, in, forth);
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
    if (h->event || p->line) spatial_look_ahead(p);
}
