/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c -- is a result inside the tube around another?
 *
 * The rule is that of the Modelica Association's comparison of library results: the reference
 * as a polygon, widened by a rectangle, so that an event may be shifted a little in time. The
 * upper border at time t is the largest value of the reference within [t - width, t + width],
 * plus the height. Largest and smallest values of the moving window are kept in two queues
 * with monotone values (Lemire 2006), so the cost is linear in the points of both. */
#include "record/record.h"

#include <math.h>
#include <stdlib.h>

typedef struct Window { /* of the reference, over points [first, next)                 */
    const Result *reference;
    int           variable;
    int           first, next;
    int *high, *low; /* queues of points, values falling and rising             */
    int  high_head, high_tail, low_head, low_tail;
} Window;

static double at_point(const Window *w, int i) {
    return result_value(w->reference, w->variable, i);
}

/* The polygon at time t, where point j is the first one after t. */
static double between(const Window *w, double t, int j) {
    const double *time = w->reference->time;
    if (j <= 0) return at_point(w, 0);
    if (j >= w->reference->points) return at_point(w, w->reference->points - 1);
    double a = at_point(w, j - 1), b = at_point(w, j);
    return time[j] > time[j - 1]
               ? a + (b - a) * (t - time[j - 1]) / (time[j] - time[j - 1])
               : b;
}

static void move_window(Window *w, double from, double to) {
    const double *time = w->reference->time;
    for (; w->next < w->reference->points && time[w->next] <= to; w->next++) {
        double y = at_point(w, w->next);
        while (w->high_tail > w->high_head && at_point(w, w->high[w->high_tail - 1]) <= y)
            w->high_tail--;
        w->high[w->high_tail++] = w->next;
        while (w->low_tail > w->low_head && at_point(w, w->low[w->low_tail - 1]) >= y)
            w->low_tail--;
        w->low[w->low_tail++] = w->next;
    }
    while (w->first < w->reference->points && time[w->first] < from) w->first++;
    while (w->high_head < w->high_tail && w->high[w->high_head] < w->first)
        w->high_head++;
    while (w->low_head < w->low_tail && w->low[w->low_head] < w->first) w->low_head++;
}

static void borders(Window *w, double t, const Comparison *c, double *low, double *high) {
    move_window(w, t - c->width, t + c->width);
    double a = between(w, t - c->width, w->first), b = between(w, t + c->width, w->next);
    *high = fmax(a, b);
    *low = fmin(a, b);
    if (w->high_head < w->high_tail)
        *high = fmax(*high, at_point(w, w->high[w->high_head]));
    if (w->low_head < w->low_tail) *low = fmin(*low, at_point(w, w->low[w->low_head]));
    *high += c->height;
    *low -= c->height;
}

static void size_tube(Comparison *c, const Result *reference, int r, double tolerance) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    int    last = reference->points - 1;
    for (int i = 0; i <= last; i++) {
        double y = result_value(reference, r, i);
        if (y < least) least = y;
        if (y > most) most = y;
    }
    double range = reference->time[last] - reference->time[0];
    c->width = tolerance * fmax(range, fabs(reference->time[0]));
    c->height = tolerance * fmax(fmax(most - least, fabs(least)), 1e-3);
}

static bool covers(const Result *result, const Result *reference, double width) {
    return result->points > 0 && result->time[0] <= reference->time[0] + width &&
           result->time[result->points - 1] >=
               reference->time[reference->points - 1] - width;
}

Comparison compare_variable(const Result *result, int v, const Result *reference, int r,
                            double tolerance) {
    Comparison c = {.outcome = COMPARE_INSIDE};
    Window     w = {.reference = reference, .variable = r};
    double     worst = 0;
    if (!reference->points) return (Comparison){.outcome = COMPARE_SHORT};
    size_tube(&c, reference, r, tolerance);
    if (!covers(result, reference, c.width)) c.outcome = COMPARE_SHORT;
    w.high = malloc(sizeof(int) * (size_t)reference->points);
    w.low = malloc(sizeof(int) * (size_t)reference->points);
    double begin = reference->time[0]; /* nothing is known of what lies outside */
    double end = reference->time[reference->points - 1];
    for (int i = 0; w.high && w.low && i < result->points; i++) {
        double t = result->time[i], y = result_value(result, v, i), low, high;
        if (!isfinite(y)) {
            c.outcome = COMPARE_NOT_FINITE;
            c.time = t;
            c.value = y;
            break;
        }
        if (t < begin || t > end) continue;
        borders(&w, t, &c, &low, &high);
        double beyond = fmax(y - high, low - y);
        if (!(beyond > 0)) continue;
        c.bad++;
        if (c.outcome == COMPARE_INSIDE) c.outcome = COMPARE_OUTSIDE;
        if (beyond <= worst) continue;
        worst = beyond;
        c.time = t;
        c.value = y;
        c.low = low;
        c.high = high;
    }
    free(w.high);
    free(w.low);
    return c;
}
