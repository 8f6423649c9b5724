/* SPDX-License-Identifier: Apache-2.0 */
/* test_compare.c -- the tube: what is inside, what is not, and by how much. */
#include "record/record.h"
#include "unit.h"

#include <math.h>

enum { POINTS = 1001 };

static double time_[POINTS], bump[POINTS], other[POINTS];

static double bump_at(double t) { /* flat at both ends */
    return 2 * exp(-(t - 5) * (t - 5));
}

static Result wrap(double *t, double *y, int points) {
    static const char *const name[] = {"y"};
    static int               step[] = {1};
    static double            sign[] = {1};
    static const double     *data[8];
    static int               used;
    const double           **mine = &data[used++ % 8];
    *mine = y;
    return (Result){.variables = 1,
                    .name = (const char **)name,
                    .points = points,
                    .time = t,
                    .data = mine,
                    .step = step,
                    .sign = sign};
}

static void fill(double offset, double shift) {
    for (int i = 0; i < POINTS; i++) {
        time_[i] = i * 0.01;
        bump[i] = bump_at(time_[i]);
        other[i] = bump_at(time_[i] - shift) + offset;
    }
}

static Comparison compare(double offset, double shift) {
    fill(offset, shift);
    Result reference = wrap(time_, bump, POINTS), result = wrap(time_, other, POINTS);
    return compare_variable(&result, 0, &reference, 0, 0.002);
}

static void small_differences_are_inside(void **state) {
    (void)state;
    assert_int_equal(compare(0.0039, 0).outcome, COMPARE_INSIDE); /* height is 0.004 */
    assert_int_equal(compare(0, 0.0199).outcome, COMPARE_INSIDE); /* width is 0.02   */
}

static void larger_ones_are_not(void **state) {
    (void)state;
    Comparison c = compare(0.0041, 0);
    assert_int_equal(c.outcome, COMPARE_OUTSIDE);
    assert_true(c.bad > 0 && c.value > c.high);
    c = compare(0, 0.03);
    assert_int_equal(c.outcome, COMPARE_OUTSIDE);
    assert_true(fabs(c.height - 0.004) < 1e-5 && fabs(c.width - 0.02) < 1e-12);
}

static void a_shifted_jump_is_inside(void **state) {
    (void)state;
    double t[] = {0, 5, 5, 10}, y[] = {0, 0, 1, 1};
    double t2[] = {0, 5.019, 5.019, 10}, t3[] = {0, 5.03, 5.03, 10};
    Result reference = wrap(t, y, 4), near = wrap(t2, y, 4), far = wrap(t3, y, 4);
    assert_int_equal(compare_variable(&near, 0, &reference, 0, 0.002).outcome,
                     COMPARE_INSIDE);
    assert_int_equal(compare_variable(&far, 0, &reference, 0, 0.002).outcome,
                     COMPARE_OUTSIDE);
}

static void beyond_the_reference_nothing_is_known(void **state) {
    (void)state;
    double t[] = {1, 2, 3}, y[] = {0, 10, 20};
    double t2[] = {0.999, 1, 3, 3.001}, y2[] = {-7, 0, 20, 99};
    Result reference = wrap(t, y, 3), longer = wrap(t2, y2, 4);
    assert_int_equal(compare_variable(&longer, 0, &reference, 0, 0.002).outcome,
                     COMPARE_INSIDE);
}

static void broken_results_fail(void **state) {
    (void)state;
    fill(0, 0);
    Result reference = wrap(time_, bump, POINTS), cut = wrap(time_, other, 500);
    assert_int_equal(compare_variable(&cut, 0, &reference, 0, 0.002).outcome,
                     COMPARE_SHORT);
    other[300] = NAN;
    Result     bad = wrap(time_, other, POINTS);
    Comparison c = compare_variable(&bad, 0, &reference, 0, 0.002);
    assert_int_equal(c.outcome, COMPARE_NOT_FINITE);
    assert_true(c.time == time_[300]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_differences_are_inside),
        cmocka_unit_test(larger_ones_are_not),
        cmocka_unit_test(a_shifted_jump_is_inside),
        cmocka_unit_test(beyond_the_reference_nothing_is_known),
        cmocka_unit_test(broken_results_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
