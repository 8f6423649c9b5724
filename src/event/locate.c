/* SPDX-License-Identifier: Apache-2.0 */
/* locate.c -- the first time at which one of several crossings has changed its sign.
 *
 * One bracket [low, high] is kept for all crossings that changed: none has its new sign at low, at
 * least one has it at high. Each of them proposes a zero: by inverse quadratic interpolation through
 * its values at both ends and at the end given up last, where these are monotone enough
 * (Chandrupatla 1997), else by the secant of the end that moved last, or if that leaves the bracket
 * by the line through both ends, with the weights of Dowell and Jarratt (1971, "Illinois") for an
 * end that stays. The value at low may be a guess of which only the sign is right. The earliest
 * proposal is tried, moved by a quarter of the wanted width away from the nearer end: once
 * proposals are that good this closes the bracket from the other side. Three trials in a row that do not halve their distance to the nearer end are followed by a
 * bisection, so the cost is bounded by a multiple of that of bisection. Typically 4 to 6
 * evaluations; crossings that change later than high are not evaluated any more. */
#include <math.h>

#include "event/event.h"

enum { TRIALS = 200 }; /* far more than bisection needs for 64-bit numbers */

typedef struct RootSearch {
    double given_up;  /* the end that was replaced last ...                   */
    bool   known;     /* ... if any was                                       */
    int    same_side; /* trials in a row that moved the same end: > 0 low     */
    int    slow;      /* trials since the distance to the nearer end halved   */
    double halved;    /* that distance then                                   */
} RootSearch;

/* Zero of the inverse parabola through three values, as a share of the bracket; NAN if it is not
 * to be trusted. */
static double quadratic(const SignBracket *b, const RootSearch *s, int i) {
    double fa = b->left[i], fb = b->right[i], fc = b->old[i];
    double length = b->high - b->low, c = (s->given_up - b->low) / length;
    if (!s->known || !isfinite(fc)) return NAN;
    /* seen from the end between the other two */
    double xi = c < 0 ? 1 / (1 - c) : 1 / c;
    double phi = c < 0 ? (fb - fa) / (fb - fc) : (fa - fb) / (fa - fc);
    if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)) return NAN;
    return fa * fc / ((fb - fa) * (fb - fc)) + c * fa * fb / ((fc - fa) * (fc - fb));
}

/* The same of the line through the value at the end that moved last and the one before it there. */
static double secant(const SignBracket *b, const RootSearch *s, int i) {
    double c = (s->given_up - b->low) / (b->high - b->low), end = c < 0 ? 0 : 1;
    double f = c < 0 ? b->left[i] : b->right[i];
    if (!s->known || !isfinite(b->old[i]) || f == b->old[i]) return NAN;
    return end - f * (end - c) / (f - b->old[i]);
}

static bool is_inside(double share) {
    return share > 0 && share < 1;
}

static double line(const SignBracket *b, const RootSearch *s, int i) {
    double weight_low = s->same_side < -1 ? ldexp(1, s->same_side + 1) : 1;
    double weight_high = s->same_side > 1 ? ldexp(1, 1 - s->same_side) : 1;
    double fa = weight_low * b->left[i], fb = weight_high * b->right[i];
    return fa == fb ? 0.5 : fa / (fa - fb);
}

static double earliest(const SignBracket *b, const RootSearch *s) {
    double best = 1;
    for (int k = 0; k < b->changes; k++) {
        double share = quadratic(b, s, b->changed[k]);
        if (!is_inside(share)) share = secant(b, s, b->changed[k]);
        if (!is_inside(share)) share = line(b, s, b->changed[k]);
        if (share < best) best = share;
    }
    return b->low + best * (b->high - b->low);
}

static double next_trial(const SignBracket *b, const RootSearch *s) {
    double middle = b->low + 0.5 * (b->high - b->low);
    if (s->slow >= 3) return middle;
    double t = earliest(b, s);
    t += t < middle ? 0.25 * b->width : -0.25 * b->width;
    return t > b->low && t < b->high ? t : middle;
}

/* The trial becomes the new end on its side; crossings after a new high end are left out. */
static void take_trial(SignBracket *b, RootSearch *s, double t) {
    double nearer = fmin(t - b->low, b->high - t);
    int    n = 0;
    for (int k = 0; k < b->changes; k++)
        n += sign_differs(b->left[b->changed[k]], b->trial[b->changed[k]]);
    bool any = n > 0;
    n = 0;
    for (int k = 0; k < b->changes; k++) {
        int     i = b->changed[k];
        double *end = any ? &b->right[i] : &b->left[i];
        b->old[i] = *end;
        *end = b->trial[i];
        if (sign_differs(b->left[i], b->right[i])) b->changed[n++] = i;
    }
    b->changes = n;
    s->given_up = any ? b->high : b->low;
    s->known = true;
    if (any) b->high = t;
    else b->low = t;
    s->same_side = any ? (s->same_side < 0 ? s->same_side - 1 : -1)
                       : (s->same_side > 0 ? s->same_side + 1 : 1);
    s->slow++;
    if (nearer <= 0.5 * s->halved) {
        s->halved = nearer;
        s->slow = 0;
    }
}

Status locate_first(SignBracket *b, LookAt *look, void *owner) {
    RootSearch search = {.halved = 0.5 * (b->high - b->low)};
    for (int trial = 0; trial < TRIALS && b->high - b->low > b->width; trial++) {
        double    t = next_trial(b, &search);
        Selection which = {.kind = SELECT_LIST, .count = b->changes, .row = b->changed};
        if (!(t > b->low && t < b->high)) break; /* neighbouring numbers */
        Status status = look(owner, t, &which, b->trial);
        if (status != STATUS_OK) return status;
        take_trial(b, &search, t);
    }
    return STATUS_OK;
}
