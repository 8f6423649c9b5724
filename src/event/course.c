/* SPDX-License-Identifier: Apache-2.0 */
/* course.c -- what a few values tell about a crossing over a piece of time.
 *
 * Through the ends a, b of the piece and one further point c goes the parabola
 *
 *     q(t) = z(a) + z[a,b] (t - a) + z[a,b,c] (t - a)(t - b)
 *
 * with divided differences z[..] (Newton's form; C. de Boor, A Practical Guide to Splines, ch. 1).
 * With a fourth point d its error is z[a,b,c,d] (t - a)(t - b)(t - c) up to the next order, on the
 * piece at most e = |z[a,b,c,d]| (b - a)^2 / 4 max(|c - a|, |c - b|). The crossing is judged by q
 * where e, with a factor of safety, is small enough for the question:
 *
 * By chance the difference may be small once, as where a third derivative passes through zero; its
 * change since the last piece is therefore added to it.
 *
 *   - it keeps its sign if q stays farther from zero than e, or is monotone by more than e;
 *   - it changes its sign once, if its signs at a and b differ and e is small beside its movement.
 *
 * What moves less than the noise of its evaluation, and extrema whose distance from zero is a tiny
 * share of the movement around them, are judged by the signs at a and b alone.
 *
 * With fewer than four points q is a line or constant, and stands for a crossing only if it is far from
 * zero. An event may have given the crossing a kink: then it is judged by the points after the event
 * and again with those before it, and must stand both.
 *
 * Values that are far apart for what a function does may agree with a parabola by chance, as those
 * of a sine once in a period. Therefore each crossing has a reach, the longest piece over which it
 * is judged: it grows by a factor of four at most from one piece to the next and shrinks with what
 * e promises, as the step of an integrator does. */
#include <math.h>

#include "event/event.h"

static const double NEAR = 0.02; /* of the time between two points: no point of its own */
static const double SAFETY = 4.0;
static const double SHARE =
    0.25; /* of the movement: e up to which one change is one change */
static const double FINE =
    1e-6; /* of the movement: extrema this near to zero are not resolved */
static const double NOISE = 1e-9; /* of the size: movements that are not resolved */
static const double GROWTH = 1.5; /* of the reach from one piece to the next */

SearchRule search_rule(double interval) {
    return interval > 0.0
               ? (SearchRule){1e-9 * interval, 1e-6 * interval, 0.01 * interval}
               : (SearchRule){0.0, HUGE_VAL, HUGE_VAL};
}

void sign_limit(Sign *s, const SearchRule *rule) {
    const double reach = s->reach > 0.0 ? s->reach : rule->first;
    s->reach = fmin(fmax(reach, rule->shortest), rule->longest);
}

/* A point very near to the one before tells nothing new of the course: it is dropped. */
void sign_note(Sign *s, double t, double z) {
    const bool near =
        s->olds == 2 && s->t - s->old[0].t < NEAR * (s->old[0].t - s->old[1].t);
    if (t > s->t && !near) {
        s->old[1] = s->old[0];
        s->old[0] = (SignPoint){s->t, s->z};
        s->olds += s->olds < LENGTH(s->old);
        s->smooth += s->smooth < LENGTH(s->old);
    }
    s->t = t;
    s->z = z;
    s->size = crossing_size(s->size, z);
}

/* Points at t and later are of steps that were taken back; a step that was repeated may have moved
 * values within their tolerance, which looks like a jump at points very near to t. */
void sign_begin(Sign *s, double t, double z) {
    const SignPoint at[3] = {{s->t, s->z}, s->old[0], s->old[1]};
    const int       known = s->reach > 0.0 ? s->olds + 1 : 0; /* reach 0: never seen */
    s->olds = s->smooth = 0;
    for (int k = 0; k < known && s->olds < LENGTH(s->old); k++) {
        const double before = k + 1 < known ? at[k].t - at[k + 1].t : 0.0;
        if (t - at[k].t > NEAR * before) s->old[s->olds++] = at[k];
    }
    s->t = t;
    s->z = z;
    s->size = crossing_size(s->size, z);
    s->slope = s->third = NAN;
}

/* The two further points nearest to the piece, out of the latest `olds` before and those after it. */
static int further_points(const Sign *s, int olds, const SignPoint *after, int afters,
                          SignPoint *out) {
    int n = 0;
    for (int i = 0, k = 0; n < 2 && (i < olds || k < afters);) {
        const bool later =
            i == olds || (k < afters && after[k].t - s->t < s->t - s->old[i].t);
        out[n++] = later ? after[k++] : s->old[i++];
    }
    return n;
}

/* Movement of the crossing as far as points are known. */
static double extent(const Sign *s, SignPoint end, const SignPoint *more, int count) {
    double low = fmin(s->z, end.z), high = fmax(s->z, end.z);
    for (int k = 0; k < count; k++) {
        low = fmin(low, more[k].z);
        high = fmax(high, more[k].z);
    }
    return high - low;
}

typedef struct
    Parabola {          /* q, by as many points as are known                           */
    double slope, bend; /* z[a,b], z[a,b,c]                                             */
    double third;       /* z[a,b,c,d], NAN: not known                                   */
    double error;       /* e, with its factor of safety                                */
} Parabola;

/* With fewer than two further points q is a line or constant, and e its error. */
static Parabola parabola(const Sign *s, SignPoint end, const SignPoint *more, int count) {
    const double    a = s->t, b = end.t, h = b - a, ab = (end.z - s->z) / h;
    const SignPoint c = more[0], d = more[1];
    if (count == 0) return (Parabola){0.0, 0.0, NAN, SAFETY * fabs(end.z - s->z)};
    const double bc = (c.z - end.z) / (c.t - b), abc = (bc - ab) / (c.t - a);
    if (count == 1) return (Parabola){ab, 0.0, NAN, SAFETY * fabs(abc) * 0.25 * h * h};
    const double cd = (d.z - c.z) / (d.t - c.t), bcd = (cd - bc) / (d.t - b);
    const double third = (bcd - abc) / (d.t - a);
    const double change = isnan(s->third) ? 0.0 : fabs(third - s->third);
    const double widest = fmax(fabs(c.t - a), fabs(c.t - b));
    return (Parabola){ab, abc, third,
                      SAFETY * (fabs(third) + change) * 0.25 * h * h * widest};
}

/* The distance of q from zero on the piece, negative if it is beyond; where it turns. */
static double distance(const Sign *s, SignPoint end, const Parabola *q, double *turn) {
    const double h = end.t - s->t, side = s->z > 0.0 ? 1.0 : -1.0;
    const double least = fmin(side * s->z, side * end.z);
    *turn = NAN;
    if (!(fabs(q->slope) < fabs(q->bend) * h)) return least; /* outside of the piece */
    const double t = 0.5 * (s->t + end.t) - 0.5 * q->slope / q->bend;
    *turn = t;
    return fmin(least, side * (s->z + (t - s->t) * (q->slope + q->bend * (t - end.t))));
}

/* By two further points at most. */
static Course course_by(const Sign *s, SignPoint end, const SignPoint *more, int count) {
    const double h = end.t - s->t;
    const bool   change = sign_differs(s->z, end.z), all = count == 2;
    Course out = {.verdict = COURSE_OPEN, .turn = NAN, .reach = HUGE_VAL, .third = NAN};
    const Parabola q = parabola(s, end, more, count);
    const double   range = extent(s, end, more, count);
    out.third = q.third;
    const double least = distance(s, end, &q, &out.turn);
    const double slope =
        fabs(q.slope) - fabs(q.bend) * h; /* the least of q, if above 0 */
    const double noise = fmax(NOISE * s->size, 4.0 * crossing_margin(s->size));
    if (!(range > noise)) { /* infinite on both sides, too */
        out.verdict = change ? COURSE_CHANGES : COURSE_KEEPS;
        return out;
    }
    if (!all) out.reach = s->reach;
    else if (q.error > noise)
        out.reach = 1.5 * h * cbrt(fmax(0.1 * fmax(least, range) / q.error, 0.125));
    if (change) {
        if (all && q.error <= SHARE * range) out.verdict = COURSE_CHANGES;
    } else if (q.error <= least || (all && q.error <= 0.5 * slope * h) ||
               (all && q.error <= FINE * range && least > 0.0)) {
        out.verdict = COURSE_KEEPS;
    }
    return out;
}

Course sign_course(const Sign *s, SignPoint end, const SignPoint *after, int afters) {
    SignPoint    more[2] = {{0}};
    const Course open = {
        .verdict = COURSE_OPEN, .turn = NAN, .reach = HUGE_VAL, .third = NAN};
    if (end.t - s->t > s->reach) return open;
    int          count = further_points(s, s->smooth, after, afters, more);
    const Course own = course_by(s, end, more, count);
    if (s->smooth == s->olds || own.verdict == COURSE_OPEN) return own;
    count = further_points(s, s->olds, after, afters, more);
    Course whole = course_by(s, end, more, count);
    if (whole.verdict != COURSE_OPEN) whole.verdict = own.verdict;
    whole.reach = fmin(whole.reach, own.reach);
    return whole;
}

void sign_pass(Sign *s, SignPoint end, const Course *course, double longest) {
    const double grown = fmax(s->reach, GROWTH * (end.t - s->t));
    s->reach = fmin(fmin(grown, course->reach), longest);
    s->third = course->third;
    sign_note(s, end.t, end.z);
}
