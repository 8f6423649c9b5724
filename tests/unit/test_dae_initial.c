/* SPDX-License-Identifier: Apache-2.0 */
/* test_dae_initial.c -- the initial system: what is chosen, and its solution in code. */
#include "running.h"

#include <math.h>

static void run(void) {
    make_plan(false);
    make_program(true);
    make_instance(0);
    Fault  fault = {0};
    Status status = instance_initialise(&instance, 0, &fault);
    if (status) print_message("%s\n", fault.what ? fault.what : "?");
    assert_int_equal(status, STATUS_OK);
}

static double value(const char *name) {
    return instance_value(&instance, flat_var(&m, name));
}

static void assert_near(double a, double b) {
    if (!(fabs(a - b) <= 1e-8)) {
        print_message("%.17g is not %.17g\n", a, b);
        fail();
    }
}

static void start(const char *name, double number, bool fixed) {
    int r = flat_run(&m, name, strlen(name));
    system_value(&m.sys, r, ATTR_START, number);
    if (fixed) system_value(&m.sys, r, ATTR_FIXED, 1);
}

static void assert_message(const char *expected) {
    Text text = {0};
    diag_print(&text, &m.diag, 0, false);
    if (!strstr(text_get(&text), expected)) {
        print_message("expected '%s' in\n%s", expected, text_get(&text));
        fail();
    }
    text_free(&text);
}

static void start_values_of_states(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    start("x", 3, true);
    flat_equation(&m, "der(x) = -x + y");
    flat_equation(&m, "y = 2*x");
    run();
    assert_near(value("x"), 3);
    assert_near(value("y"), 6);
    assert_near(value("der(x)"), 3);
    assert_int_equal(m.diag.warnings, 0);
}

static void steady_state(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    flat_equation(&m, "der(x) = 4 - x^3 - y");
    flat_equation(&m, "der(y) = x - 2*y");
    flat_row(&m, ROWS_INITIAL, 0, "der(x) = 0");
    flat_row(&m, ROWS_INITIAL, 0, "der(y) = 0");
    start("x", 1, false);
    run();
    assert_near(value("x"), 2 * value("y"));
    assert_near(pow(value("x"), 3) + value("y"), 4);
    assert_int_equal(m.diag.warnings, 0);
}

static void a_start_value_of_another_variable(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    start("y", 10, true); /* y = 2*x is no state, but fixed */
    flat_equation(&m, "der(x) = -x");
    flat_equation(&m, "y = 2*x + 1");
    run();
    assert_near(value("x"), 4.5);
}

static void missing_conditions_are_completed_and_said(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    start("x", 1, true);
    start("y", 7, false);
    flat_equation(&m, "der(x) = -x");
    flat_equation(&m, "der(y) = x");
    run();
    assert_near(value("y"), 7);
    assert_message("D122");
    assert_message("the start value of y is taken as an initial condition");
}

static void a_superfluous_fixed_value_is_left_out(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    start("x", 1, true);
    start("y", 5, true);
    flat_equation(&m, "der(x) = -x");
    flat_equation(&m, "y = 3*x");
    run();
    assert_message("D121");
    assert_near(value("y"), 3 * value("x"));
}

static void too_many_initial_equations(void **state) {
    (void)state;
    flat_reals(&m, "x");
    flat_equation(&m, "der(x) = -x");
    flat_row(&m, ROWS_INITIAL, 0, "x = 1 + time");
    flat_row(&m, ROWS_INITIAL, 0, "x = 2 + time");
    assert_true(structure_analyse(st, &m.sys, &m.diag));
    int actions = m.sys.set[ROWS_ACTION].rows;
    assert_true(structure_initial(&made.part[PART_START].structure, st, NULL, &m.diag));
    assert_message("D123");
    assert_int_equal(m.sys.set[ROWS_ACTION].rows, actions + 1); /* does it hold? */
}

static void hidden_constraints_hold(void **state) {
    (void)state;
    flat_reals(&m, "x y vx vy F");
    flat_equation(&m, "der(x) = vx");
    flat_equation(&m, "der(y) = vy");
    flat_equation(&m, "der(vx) = -x*F");
    flat_equation(&m, "der(vy) = -y*F - 9.81");
    flat_equation(&m, "x^2 + y^2 = 1");
    start("x", 0.6, true);
    start("vx", 0.4, true);
    start("y", -1, false);
    run();
    assert_near(value("x"), 0.6);
    assert_near(value("y"), -0.8);
    assert_near(0.6 * 0.4 - 0.8 * value("vy"), 0); /* velocity constraint */
    assert_int_equal(m.diag.warnings, 0);
}

static void a_parameter_is_found(void **state) {
    (void)state;
    flat_reals(&m, "x");
    int k = flat_parameter(&m, "k", 1);
    system_value(&m.sys, k, ATTR_FIXED, 0);
    start("x", 2, true);
    flat_equation(&m, "der(x) = 6 - k*x");
    flat_row(&m, ROWS_INITIAL, 0, "der(x) = 0");
    run();
    assert_near(value("k"), 3);
}

static void homotopy_helps(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    /* Newton from 0 does not get over the flat part; from the simplified solution it does */
    flat_equation(&m, "y = homotopy(atan(5*(x - 40)), 0.1*(x - 40)) + 0.001*(x - 40)");
    flat_equation(&m, "y = 0.5");
    run();
    double d = value("x") - 40;
    assert_near(atan(5 * d) + 0.001 * d, 0.5);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(start_values_of_states),
        TEST(steady_state),
        TEST(a_start_value_of_another_variable),
        TEST(missing_conditions_are_completed_and_said),
        TEST(a_superfluous_fixed_value_is_left_out),
        TEST(too_many_initial_equations),
        TEST(hidden_constraints_hold),
        TEST(a_parameter_is_found),
        TEST(homotopy_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
