/* SPDX-License-Identifier: Apache-2.0 */
/* test_rate_order.c -- convergence of two and three levels on problems with exact solutions. */
#include <stdio.h>

#include "rate_models.h"
#include "unit.h"

/* Level 0 keeps state 0, level 1 state 1, level 2 the rest. */
static void nested(void *owner, int level, double t, int n, const int *state,
                   unsigned char *fast) {
    (void)owner, (void)t;
    for (int i = 0; i < n; i++) fast[i] = state[i] > level;
}

static double error_with(int rates, const char *method, double h, double tolerance,
                         RateStatistics *s) {
    Kpr    p;
    Status status;
    double x[3];
    kpr_make(&p, rates);
    kpr_exact(&p, 0.0, x);
    RateOptions o = {.rates = rates, .partition = h > 0.0 ? nested : NULL};
    o.ode.method = method;
    o.ode.h_fixed = h;
    o.ode.rtol = o.ode.atol = tolerance;
    Rate *r = rate_new(&p.model, &o, 0.0, x, &status);
    assert_non_null(r);
    assert_int_equal(rate_advance(r, 2.0, true), STATUS_OK);
    const double e = kpr_error(&p, rate_time(r), rate_state(r));
    if (s) *s = rate_statistics(r);
    rate_free(r);
    return e;
}

static void expect_order(int rates, const char *method, double least) {
    RateStatistics s;
    const double   h = rates > 2 ? 0.00625 : 0.025; /* Newton must converge */
    const double   a = error_with(rates, method, h, 1e-13, NULL);
    const double   b = error_with(rates, method, h / 2.0, 1e-13, &s);
    const double   order = log2(a / b);
    if (order < least)
        print_message("%s, %d levels: %g, %g: order %.2f\n", method, rates, a, b, order);
    assert_true(order >= least);
    for (int k = 0; k < rates; k++) assert_true(s.steps[k] > 0);
    assert_true(s.steps[1] >= 8 * s.steps[0]);
}

static void orders_of_two_levels(void **state) {
    (void)state;
    expect_order(2, "esdirk3", 2.7);
    expect_order(2, "rodas4", 3.6);
    expect_order(2, "radauIIA2", 2.7);
    expect_order(2, "esdirk4", 3.6);
    expect_order(2, "tsit5", 4.0);
}

static void orders_of_three_levels(void **state) {
    (void)state;
    expect_order(3, "esdirk3", 2.7);
    expect_order(3, "rodas4", 3.7);
    expect_order(3, "esdirk4", 3.7);
    expect_order(3, "radauIIA3", 3.7);
}

/* The error follows the tolerance, and multi-rate is as accurate as single rate. */
static void errors_of_tolerances(void **state) {
    (void)state;
    for (int rates = 2; rates <= 3; rates++)
        for (double tolerance = 1e-4; tolerance > 1e-9; tolerance *= 0.1) {
            Kpr    p;
            Status status;
            double x[3], e[2];
            kpr_make(&p, rates);
            kpr_exact(&p, 0.0, x);
            for (int k = 0; k < 2; k++) {
                RateOptions o = {.rates = k ? rates : 1};
                o.ode.method = "rodas4";
                o.ode.rtol = o.ode.atol = tolerance;
                Rate *r = rate_new(&p.model, &o, 0.0, x, &status);
                assert_non_null(r);
                assert_int_equal(rate_advance(r, 2.0, true), STATUS_OK);
                e[k] = kpr_error(&p, 2.0, rate_state(r));
                rate_free(r);
            }
            if (e[1] > 2.0 * e[0] + tolerance)
                print_message("%d levels at %g: %g, single %g\n", rates, tolerance, e[1],
                              e[0]);
            assert_true(e[1] <= 2.0 * e[0] + tolerance);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_two_levels),
        cmocka_unit_test(orders_of_three_levels),
        cmocka_unit_test(errors_of_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
