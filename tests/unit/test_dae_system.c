/* SPDX-License-Identifier: Apache-2.0 */
/* test_dae_system.c -- runs, attributes, families of rows and their memory. */
#include "dae/dae.h"
#include "unit.h"

#include <string.h>

static Strings strings;
static Shapes  shapes;
static System  sys;
static Row     row;

static const char *const owner_name[] = {"x", "y", "z"};

static int name_pattern(const void *names, int owner, Text *out, int *size) {
    (void)names;
    text_printf(out, "%s[%c]", owner_name[owner], NAME_SUBSCRIPT);
    *size = 1000000;
    return 1;
}

static int begin(void **state) {
    (void)state;
    strings_init(&strings);
    shapes_init(&shapes, &strings);
    system_init(&sys, &shapes);
    sys.name_pattern = name_pattern;
    row = (Row){0};
    return 0;
}

static int end(void **state) {
    (void)state;
    row_free(&row);
    system_free(&sys);
    shapes_free(&shapes);
    strings_free(&strings);
    return 0;
}

static void assert_row(RowSet set, int number, const char *expected) {
    Text text = {0};
    row_print(&sys, set, number, &text);
    assert_string_equal(text_get(&text), expected);
    text_free(&text);
}

static int real_array(int count, int owner) {
    int run = system_run(&sys, VAR_CONTINUOUS, TYPE_REAL, count, owner, 0);
    return sys.run[run].first;
}

static void derivatives_are_made_for_whole_runs(void **state) {
    (void)state;
    int  x = real_array(10, 0), y = real_array(1, 1);
    int  d3 = system_der(&sys, x + 3), d7 = system_der(&sys, x + 7);
    Text text = {0};
    assert_int_equal(d7 - d3, 4);
    assert_int_equal(sys.vars, 21);
    assert_int_equal(system_der(&sys, x), d3 - 3);
    assert_int_equal(system_run_of(&sys, y), 1);
    system_name(&sys, system_der(&sys, d3), &text);
    assert_string_equal(text_get(&text), "der(der(x[4]))");
    text_clear(&text);
    system_name(&sys, system_pre(&sys, y), &text);
    assert_string_equal(text_get(&text), "pre(y[1])");
    text_free(&text);
}

/* for i in 2:n loop der(x[i]) = (x[i-1] - x[i])*y[1]/i; end for */
static void chain(int n) {
    int x = real_array(n, 0), y = real_array(1, 1), one[] = {1};
    row_begin(&row, &sys, 1, (int[]){n - 1});
    Term der = row_var(&row, system_der(&sys, x + 1), one);
    Term left = row_var(&row, x, one), self = row_var(&row, x + 1, one);
    Term k = row_var(&row, y, NULL), i = row_number(&row, 2, one);
    Term e = expr_2(&shapes, TERM_MUL, expr_sub(&shapes, left, self), k);
    e = expr_2(&shapes, TERM_EQUATION, der, expr_2(&shapes, TERM_DIV, e, i));
    row_end(&row, ROWS_EQUATION, e, 0, 0, 0);
}

static void a_loop_is_one_family_of_any_length(void **state) {
    (void)state;
    chain(1000000);
    size_t bytes = system_bytes(&sys);
    assert_int_equal(sys.set[ROWS_EQUATION].rows, 999999);
    assert_int_equal(sys.set[ROWS_EQUATION].count, 1);
    assert_true(bytes < 400);
    assert_row(ROWS_EQUATION, 0, "der(x[2]) = (x[1] - x[2])*y[1]/2");
    assert_row(ROWS_EQUATION, 999998,
               "der(x[1000000]) = (x[999999] - x[1000000])*y[1]/1000000");
    chain(10);
    assert_int_equal(shapes.count, 1); /* the length is not in the shape */
}

static void nested_loops(void **state) {
    (void)state;
    /* for i in 1:3, j in 1:4: x[i,j] = y[j] */
    int x = real_array(12, 0), y = real_array(4, 1);
    row_begin(&row, &sys, 2, (int[]){3, 4});
    Term a = row_var(&row, x, (int[]){4, 1}), b = row_var(&row, y, (int[]){0, 1});
    row_end(&row, ROWS_EQUATION, expr_2(&shapes, TERM_EQUATION, a, b), 0, 0, 0);
    assert_int_equal(sys.set[ROWS_EQUATION].rows, 12);
    assert_row(ROWS_EQUATION, 0, "x[1] = y[1]");
    assert_row(ROWS_EQUATION, 6, "x[7] = y[3]");
    assert_row(ROWS_EQUATION, 11, "x[12] = y[4]");
}

static void tables_where_not_affine(void **state) {
    (void)state;
    int x = real_array(5, 0), y = real_array(5, 1);
    row_begin(&row, &sys, 0, NULL);
    Term eq =
        expr_2(&shapes, TERM_EQUATION, row_var(&row, x, NULL), row_var(&row, y, NULL));
    int shape = shape_of(&shapes, eq, NULL);
    int slots[] = {x, y + 4, x + 3, y + 1, x + 2, y};
    system_table(&sys, ROWS_EQUATION, shape, 3, slots, NULL, FAMILY_CONNECT, 0, 0);
    assert_row(ROWS_EQUATION, 1, "x[4] = y[2]");
    assert_row(ROWS_EQUATION, 2, "x[3] = y[1]");
    assert_int_equal(system_family(&sys, ROWS_EQUATION, 2)->flags,
                     FAMILY_TABLE | FAMILY_CONNECT);
}

static void array_slots_carry_their_size(void **state) {
    (void)state;
    for (int n = 1; n <= 1000; n *= 10) {
        int x = real_array(n, 0), y = real_array(1, 1), step = 1;
        row_begin(&row, &sys, 0, NULL);
        Term left = row_var(&row, y, NULL), a = row_array(&row, x, NULL, 1, &n, &step);
        Term size = expr_2(&shapes, TERM_SIZE, a, expr_integer(&shapes, 1));
        Term body = expr_2(&shapes, TERM_ELEMENT, a, expr_iterator(&shapes, 0));
        Term sum = expr_indexed(&shapes, TERM_SUM_OF, 0, (Term[]){size, body}, 2);
        row_end(&row, ROWS_EQUATION, expr_2(&shapes, TERM_EQUATION, left, sum), 0, 0, 0);
    }
    assert_int_equal(shapes.count, 1);
    int            rank;
    const Family  *family = system_family(&sys, ROWS_EQUATION, 2);
    const int32_t *sizes = family_sizes(&sys, family, 1, &rank);
    assert_int_equal(rank, 1);
    assert_int_equal(sizes[0], 100);
    assert_null(family_sizes(&sys, family, 0, &rank));
    assert_row(ROWS_EQUATION, 1,
               "y[1] = sum({x[1] ... x[10]}[i1] for i1 in 1:size({x[1] ... x[10]}, 1))");
}

static void attributes_are_values_lists_or_variables(void **state) {
    (void)state;
    int    x = system_run(&sys, VAR_CONTINUOUS, TYPE_REAL, 3, 0, 0);
    int    p = system_run(&sys, VAR_PARAMETER, TYPE_REAL, 3, 1, 0);
    double list[] = {4, 5, 6}, value;
    system_list(&sys, p, ATTR_BINDING, list, 3);
    system_variable(&sys, x, ATTR_START, sys.run[p].first, 1);
    system_value(&sys, x, ATTR_NOMINAL, 100);
    assert_true(system_known(&sys, x, ATTR_START, 2, &value));
    assert_true(value == 6);
    assert_true(system_known(&sys, x, ATTR_NOMINAL, 1, &value));
    assert_true(value == 100);
    assert_false(system_known(&sys, x, ATTR_MIN, 0, &value));
    system_value(&sys, x, ATTR_NOMINAL, 10);
    assert_true(system_known(&sys, x, ATTR_NOMINAL, 1, &value));
    assert_true(value == 10);
}

static void scalar_models_stay_small(void **state) {
    (void)state;
    enum { N = 100000 };
    int first = 0;
    for (int i = 0; i < N; i++) {
        int x = real_array(1, 0);
        if (!i) first = x;
        row_begin(&row, &sys, 0, NULL);
        Term a = row_var(&row, x, NULL), b = row_var(&row, i ? x - 1 : x, NULL);
        Term e = expr_2(&shapes, TERM_ADD, expr_2(&shapes, TERM_MUL, a, b), b);
        row_end(&row, ROWS_EQUATION, expr_2(&shapes, TERM_EQUATION, a, e), 0, 0, 0);
    }
    assert_true(system_bytes(&sys) <= 100 * (size_t)N);
    assert_int_equal(shapes.count, 2);
    assert_int_equal(first, 0);
}

static void one_slot_per_variable_also_in_long_rows(void **state) {
    (void)state;
    enum { N = 5000 };
    int   x = real_array(N, 0);
    Term *term = NEW(&shapes.arena, Term, 2 * N);
    row_begin(&row, &sys, 0, NULL);
    for (int i = 0; i < 2 * N; i++) term[i] = row_var(&row, x + i % N, NULL);
    assert_int_equal(row.slots, N);
    Term e = expr_2(&shapes, TERM_EQUATION, expr_make(&shapes, TERM_ADD, term, N),
                    expr_real(&shapes, 0));
    row_end(&row, ROWS_EQUATION, e, 0, 0, 0);
    assert_int_equal(shapes.shape[0].slots, N);
}

static void expressions_have_derivatives(void **state) {
    (void)state;
    int         x = real_array(3, 0), y = real_array(3, 1), one[] = {1};
    const char *reason;
    row_begin(&row, &sys, 1, (int[]){3});
    Term a = row_var(&row, x, one), b = row_var(&row, y, one);
    Term d = row_der(&row, expr_2(&shapes, TERM_MUL, a, expr_1(&shapes, TERM_SIN, b)),
                     &reason);
    row_end(&row, ROWS_EQUATION, expr_2(&shapes, TERM_EQUATION, d, expr_real(&shapes, 1)),
            0, 0, 0);
    assert_row(ROWS_EQUATION, 1, "der(x[2])*sin(y[2]) + x[2]*cos(y[2])*der(y[2]) = 1.0");
    row_begin(&row, &sys, 0, NULL);
    assert_int_equal(row_der(&row, row_var(&row, x, NULL), &reason),
                     row_var(&row, system_der(&sys, x), NULL));
}

static void an_empty_loop_adds_nothing(void **state) {
    (void)state;
    int x = real_array(1, 0);
    row_begin(&row, &sys, 1, (int[]){0});
    Term a = row_var(&row, x, NULL);
    assert_int_equal(
        row_end(&row, ROWS_EQUATION, expr_2(&shapes, TERM_EQUATION, a, a), 0, 0, 0), -1);
    assert_int_equal(sys.set[ROWS_EQUATION].rows, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(derivatives_are_made_for_whole_runs, begin, end),
        cmocka_unit_test_setup_teardown(a_loop_is_one_family_of_any_length, begin, end),
        cmocka_unit_test_setup_teardown(nested_loops, begin, end),
        cmocka_unit_test_setup_teardown(tables_where_not_affine, begin, end),
        cmocka_unit_test_setup_teardown(array_slots_carry_their_size, begin, end),
        cmocka_unit_test_setup_teardown(attributes_are_values_lists_or_variables, begin,
                                        end),
        cmocka_unit_test_setup_teardown(scalar_models_stay_small, begin, end),
        cmocka_unit_test_setup_teardown(one_slot_per_variable_also_in_long_rows, begin,
                                        end),
        cmocka_unit_test_setup_teardown(expressions_have_derivatives, begin, end),
        cmocka_unit_test_setup_teardown(an_empty_loop_adds_nothing, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
