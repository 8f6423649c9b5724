/* SPDX-License-Identifier: Apache-2.0 */
/* test_dae_initial.c -- which start values and equations hold at the start. */
#include "flat.h"

static Flat      m;
static Structure st, start;

static int begin(void **state) {
    (void)state;
    flat_begin(&m);
    return 0;
}

static int end(void **state) {
    (void)state;
    structure_free(&start);
    structure_free(&st);
    flat_end(&m);
    return 0;
}

static void analyse(void) {
    assert_true(structure_analyse(&st, &m.sys, NULL));
    assert_true(structure_initial(&start, &st, &m.diag));
    assert_int_equal(start.blocks > 0, start.eqs > 0);
}

static Role role(const char *name) {
    return (Role)start.role[start.alias[flat_var(&m, name)]];
}

static void set_start(const char *name, double value, bool fixed) {
    int run = flat_run(&m, name, strlen(name));
    system_value(&m.sys, run, ATTR_START, value);
    system_value(&m.sys, run, ATTR_FIXED, fixed);
}

static int reported(Code code) {
    int n = 0;
    for (int i = 0; i < m.diag.count; i++) n += m.diag.message[i].code == code;
    return n;
}

static void fixed_states_take_their_start_values(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    flat_equation(&m, "der(x) = -x");
    flat_equation(&m, "y = 2*x");
    set_start("x", 1, true);
    analyse();
    assert_int_equal(role("x"), ROLE_KNOWN);
    assert_int_equal(role("y"), ROLE_UNKNOWN);
    assert_int_equal(start.eqs, 2);
    assert_int_equal(m.diag.count, 0);
}

static void an_initial_equation_determines_a_state(void **state) {
    (void)state;
    flat_reals(&m, "x");
    flat_equation(&m, "der(x) = 3 - x");
    flat_row(&m, ROWS_INITIAL, 0, "der(x) = 0");
    analyse(); /* steady state: x is computed */
    assert_int_equal(role("x"), ROLE_UNKNOWN);
    assert_int_equal(role("der(x)"), ROLE_UNKNOWN);
    assert_int_equal(start.eqs, 2);
    assert_int_equal(m.diag.count, 0);
}

static void open_states_are_chosen_and_reported(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    flat_equation(&m, "der(x) = y - x");
    flat_equation(&m, "der(y) = -y");
    flat_row(&m, ROWS_INITIAL, 0, "x + y = 2");
    set_start("y", 1, false);
    analyse(); /* y has a start value, so the initial equation gives x */
    assert_int_equal(role("x"), ROLE_UNKNOWN);
    assert_int_equal(role("y"), ROLE_KNOWN);
    assert_int_equal(reported(CODE_D120), 1);
    assert_non_null(strstr(m.diag.message[0].text, "'y' starts at its start value"));
}

static void superfluous_initial_equations_are_left_out(void **state) {
    (void)state;
    flat_reals(&m, "x");
    flat_equation(&m, "der(x) = -x");
    flat_row(&m, ROWS_INITIAL, 0, "x = 1");
    flat_row(&m, ROWS_INITIAL, 0, "der(x) = 2");
    analyse();
    assert_int_equal(reported(CODE_D122), 1);
    assert_int_equal(start.eqs, 2);
    assert_int_equal(role("x"), ROLE_UNKNOWN);
}

static void superfluous_fixed_values_are_told(void **state) {
    (void)state;
    flat_reals(&m, "x");
    flat_equation(&m, "der(x) = -x");
    flat_row(&m, ROWS_INITIAL, 0, "x = 1");
    set_start("x", 1, true);
    analyse();
    assert_int_equal(reported(CODE_D121), 1);
    assert_int_equal(role("x"), ROLE_UNKNOWN);
}

static void free_parameters_are_computed(void **state) {
    (void)state;
    int p = flat_array(&m, VAR_PARAMETER, TYPE_REAL, "p", 1);
    system_value(&m.sys, p, ATTR_FIXED, 0);
    flat_parameter(&m, "k", 3);
    flat_array(&m, VAR_PARAMETER, TYPE_REAL, "q", 1);
    flat_row(&m, ROWS_BINDING, 0, "q = 2*p");
    flat_reals(&m, "x");
    flat_equation(&m, "der(x) = q - k*x");
    flat_row(&m, ROWS_INITIAL, 0, "der(x) = 0");
    set_start("x", 2, true);
    analyse(); /* p and with it q follow from the steady state at x = 2 */
    assert_int_equal(role("p"), ROLE_UNKNOWN);
    assert_int_equal(role("q"), ROLE_UNKNOWN);
    assert_int_equal(role("k"), ROLE_KNOWN);
    assert_int_equal(role("x"), ROLE_KNOWN);
    assert_int_equal(start.eqs, 3);
    assert_int_equal(m.diag.count, 0);
}

static void constraints_hold_at_the_start(void **state) {
    (void)state;
    /* planar pendulum: two states of four are free at the start */
    flat_reals(&m, "x y vx vy f");
    flat_equation(&m, "der(x) = vx");
    flat_equation(&m, "der(y) = vy");
    flat_equation(&m, "der(vx) = f*x");
    flat_equation(&m, "der(vy) = f*y - 9.81");
    flat_equation(&m, "x^2 + y^2 = 1");
    set_start("x", 0.5, true);
    set_start("vx", 0, true);
    analyse();
    assert_int_equal(role("x"), ROLE_KNOWN);
    assert_int_equal(role("vx"), ROLE_KNOWN);
    assert_int_equal(role("y"), ROLE_UNKNOWN);
    assert_int_equal(role("vy"), ROLE_UNKNOWN);
    assert_int_equal(m.diag.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fixed_states_take_their_start_values, begin, end),
        cmocka_unit_test_setup_teardown(an_initial_equation_determines_a_state, begin,
                                        end),
        cmocka_unit_test_setup_teardown(open_states_are_chosen_and_reported, begin, end),
        cmocka_unit_test_setup_teardown(superfluous_initial_equations_are_left_out, begin,
                                        end),
        cmocka_unit_test_setup_teardown(superfluous_fixed_values_are_told, begin, end),
        cmocka_unit_test_setup_teardown(free_parameters_are_computed, begin, end),
        cmocka_unit_test_setup_teardown(constraints_hold_at_the_start, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
