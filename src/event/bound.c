/* SPDX-License-Identifier: Apache-2.0 */
/* bound.c -- what the formula of a crossing tells about it over a piece of time.
 *
 * Some models enclose crossings and their slopes (Model.bounded). With a, b the ends of the piece, z(a) and z(b)
 * known and z' between s and S,
 *
 *     z(t) >= max(z(a) + s (t - a), z(b) - S (b - t)),
 *
 * which is least where both lines meet; in the same way from above (S. A. Piyavskii, USSR Comp. Math. 12, 1972).
 * What holds of the values themselves is known besides. A crossing that keeps its sign so does not change it,
 * one that only rises or only falls does so once, and any other is looked at inside.
 *
 * Of a crossing of time alone that is certain. One of states is enclosed by what the polynomial of the step is
 * at three points: such a course must be clear by its values, too (course.c). Where an
 * enclosure never gets clear, as where a formula is long and loses what its parts have in common, values alone
 * count from then on (search.c). */
#include "event/event.h"

static const double NOISE =
    1e-9; /* of the size: movements that are not resolved, as in course.c */

/* The least that z is between two points, by the extremes of its slope. */
static double least(SignPoint a, SignPoint b, Range slope) {
    const double h = b.t - a.t;
    if (slope.low >= 0.0) return a.z;
    if (slope.high <= 0.0) return b.z;
    if (!isfinite(slope.low) || !isfinite(slope.high)) return -HUGE_VAL;
    const double meet = slope.high * a.z - slope.low * b.z + slope.low * slope.high * h;
    return fmin(meet / (slope.high - slope.low), fmin(a.z, b.z));
}

CourseVerdict bound_verdict(const Sign *s, SignPoint end, const Band *z) {
    const SignPoint a = {s->t, s->z}, up = {s->t, -s->z}, down = {end.t, -end.z};
    const Range     other = {-z->slope.high, -z->slope.low};
    const double    low = fmax(z->value.low, least(a, end, z->slope));
    const double    high = fmin(z->value.high, -least(up, down, other));
    const bool      change = sign_differs(s->z, end.z);
    const bool      monotone = z->slope.low >= 0.0 || z->slope.high <= 0.0;
    if (monotone || high - low <= NOISE * s->size)
        return change ? COURSE_CHANGES : COURSE_KEEPS;
    return !change && (s->z > 0.0 ? low > 0.0 : high <= 0.0) ? COURSE_KEEPS : COURSE_OPEN;
}
