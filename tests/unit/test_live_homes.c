/* SPDX-License-Identifier: Apache-2.0 */
/* test_live_homes.c -- code works on the integrator's vectors: what it reads and writes there,
 * what it keeps among the values, and what it does not store at all.
 *
 * Before derivatives are asked for, everything that code must not rely on is overwritten: states,
 * derivatives and values that are only shown. */
#include "running.h"

#include <math.h>

enum { N = 50 };
static const int one[] = {1}, two[] = {2};

static double x[4 * N], dx[4 * N];

static void build(void) {
    make_plan(false);
    make_program(true);
    make_instance(0);
    for (int i = 0; i < states(); i++) x[i] = cos(0.37 * i) + 0.01 * i;
}

static bool is_shown(int var) {
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        for (int i = 0; i < group->count * group->size && group->shown; i++)
            if (st->var_of[plan->item[group->item + i]] == var) return true;
    }
    return false;
}

static void spoil(void) {
    for (int i = 0; i < states(); i++) {
        instance.v[program->states.var[i]] = NAN;
        if (plan->written[i]) instance.v[program->states.rate[i]] = NAN;
        instance.dx[i] = dx[i] = NAN;
    }
    for (int v = 0; v < st->vars; v++)
        if (is_shown(v)) instance.v[v] = NAN;
}

static void rates(double t) {
    Fault     fault = fault_none();
    Selection all = {0};
    spoil();
    assert_int_equal(instance.model.fn->eval(&instance, t, x, &all, dx, &fault),
                     STATUS_OK);
}

static double value(const char *name) {
    return instance_value(&instance, flat_var(&m, name));
}

static int state_number(const char *name) {
    for (int i = 0; i < states(); i++)
        if (program->states.var[i] == flat_var(&m, name)) return i;
    fail();
    return -1;
}

static void assert_equal(double a, double b) {
    if (a >= b && a <= b) return;
    print_message("%.17g is not %.17g\n", a, b);
    fail();
}

static Term op(TermOp o, Term a, Term b) {
    return expr_2(&m.shapes, o, a, b);
}

static void end_row(Term left, Term right) {
    row_end(&m.row, ROWS_EQUATION, op(TERM_EQUATION, left, right), 0, 0, 0);
}

static int homes(Home home) {
    int count = 0;
    for (uint32_t k = 0; k < plan->accesses; k++)
        count += plan->access[k].home == (int)home;
    return count;
}

/* Conductors between capacities: the difference d[i] of temperatures goes to the flow q[i] only,
 * which goes to two capacities; p[i] goes nowhere. */
static void rod(void) {
    int T = flat_first(&m, "T", N), d = flat_first(&m, "d", N - 1);
    int q = flat_first(&m, "q", N - 1), p = flat_first(&m, "p", N - 1);
    row_begin(&m.row, &m.sys, 1, (int[]){N - 1});
    Term left = row_var(&m.row, d, one), a = row_var(&m.row, T, one);
    end_row(left, expr_sub(&m.shapes, a, row_var(&m.row, T + 1, one)));
    row_begin(&m.row, &m.sys, 1, (int[]){N - 1});
    left = row_var(&m.row, q, one);
    end_row(left, op(TERM_MUL, expr_real(&m.shapes, 3), row_var(&m.row, d, one)));
    row_begin(&m.row, &m.sys, 1, (int[]){N - 1});
    left = row_var(&m.row, p, one), a = row_var(&m.row, q, one);
    end_row(left, op(TERM_MUL, a, row_var(&m.row, d, one)));
    row_begin(&m.row, &m.sys, 1, (int[]){N - 2});
    left = row_var(&m.row, system_der(&m.sys, T + 1), one);
    a = row_var(&m.row, q, one);
    end_row(left, expr_sub(&m.shapes, a, row_var(&m.row, q + 1, one)));
    flat_equation(&m, "der(T[1]) = sin(time) - q[1]");
    flat_equation(&m, "der(T[50]) = q[49] + time");
}

static void check_rod(void) {
    for (int i = 0; i < N; i++) {
        double in = i ? 3 * (x[i - 1] - x[i]) : sin(0.3);
        double out = i < N - 1 ? 3 * (x[i] - x[i + 1]) : -0.3;
        assert_equal(dx[i], in - out);
    }
}

static void vectors_are_used_in_place(void **state) {
    (void)state;
    rod();
    build();
    rates(0.3);
    check_rod();
    for (int i = 0; i < N; i++) {
        assert_true(plan->written[i] && !plan->copied[i]);
        assert_true(isnan(instance.v[program->states.var[i]])); /* nobody copied */
        assert_true(isnan(instance.v[program->states.rate[i]]));
        assert_true(isnan(instance.dx[i]));
    }
    assert_int_equal(common->out.count, 0);
    assert_int_equal(common->copied.count, 0);
}

/* d is computed where it is used, p not at all; both are there when all values are wanted. */
static void values_used_once_are_not_stored(void **state) {
    (void)state;
    rod();
    build();
    rates(0.3);
    assert_int_equal(homes(HOME_LOCAL), 2); /* given, taken */
    assert_true(isnan(value("d[1]")) && isnan(value("p[7]")));
    assert_equal(value("q[7]"), 3 * (x[6] - x[7]));
    assert_int_equal(instance_evaluate(&instance, 0.3, x), 0);
    for (int i = 0; i + 1 < N; i++) {
        double d = x[i] - x[i + 1];
        assert_equal(instance.v[flat_var(&m, "d") + i], d);
        assert_equal(instance.v[flat_var(&m, "p") + i], 3 * d * d);
    }
    for (int i = 0; i < N; i++) {
        assert_equal(instance.v[program->states.var[i]], x[i]);
        assert_equal(instance.v[program->states.rate[i]], dx[i]);
    }
}

/* df/dx through values that are not stored. */
static void derivatives_of_fused_rows(void **state) {
    (void)state;
    Fault     fault = fault_none();
    Selection all = {0};
    rod();
    build();
    double *entry = calloc((size_t)program->states.pattern.start[N] + 1, sizeof *entry);
    spoil();
    assert_int_equal(instance.model.fn->jacobian(&instance, 0.3, x, &all, entry, &fault),
                     STATUS_OK);
    assert_int_equal(instance.counts.differenced, 0);
    for (int k = 0; k < N; k++)
        for (int e = program->states.pattern.start[k];
             e < program->states.pattern.start[k + 1]; e++) {
            int i = program->states.pattern.to[e];
            assert_equal(entry[e], i != k ? 3 : i == 0 || i == N - 1 ? -3 : -6);
        }
    free(entry);
}

/* Rows that nobody asked for stay as they are. */
static void other_rows_are_left_alone(void **state) {
    (void)state;
    Fault           fault = fault_none();
    const Selection some = {SELECT_RANGE, 3, 4, NULL};
    rod();
    build();
    for (int i = 0; i < N; i++) dx[i] = -77;
    assert_int_equal(instance.model.fn->eval(&instance, 0.3, x, &some, dx, &fault),
                     STATUS_OK);
    for (int i = 0; i < N; i++)
        if (i < 3 || i >= 7) assert_equal(dx[i], -77);
        else assert_equal(dx[i], 3 * (x[i - 1] - x[i]) - 3 * (x[i] - x[i + 1]));
}

/* In a[1], a[2], ... states and other variables take turns; one slot goes through all. */
static void states_among_others_are_copied(void **state) {
    (void)state;
    int a = flat_first(&m, "a", 2 * N), w = flat_first(&m, "w", 2 * N);
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    Term left = row_var(&m.row, system_der(&m.sys, a), two);
    end_row(left, row_var(&m.row, w, two));
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    left = row_var(&m.row, a + 1, two);
    end_row(left, op(TERM_MUL, expr_time(&m.shapes), row_number(&m.row, 1, one)));
    row_begin(&m.row, &m.sys, 1, (int[]){2 * N - 1});
    left = row_var(&m.row, w, one);
    Term p = row_var(&m.row, a, one), q = row_var(&m.row, a + 1, one);
    end_row(left, op(TERM_MUL, expr_1(&m.shapes, TERM_SIN, p), q));
    flat_equation(&m, "w[100] = 0");
    build();
    assert_int_equal(states(), N);
    rates(0.3);
    for (int i = 0; i < N; i++) {
        assert_true(plan->copied[i]);
        assert_equal(dx[i], sin(x[i]) * (0.3 * (i + 1)));
    }
}

/* Derivatives that are states, also with the other sign, one of two states, and one that is found
 * by iteration. */
static void derivatives_that_are_something_else(void **state) {
    (void)state;
    flat_reals(&m, "s v a b c f g h");
    flat_equation(&m, "der(s) = v");
    flat_equation(&m, "der(v) = -s");
    flat_equation(&m, "g = s*v");
    flat_equation(&m, "der(a) = g");
    flat_equation(&m, "der(b) = g");
    flat_equation(&m, "der(h) = -v");
    flat_equation(&m, "der(c) + der(c)^3 = s + f");
    flat_equation(&m, "f = der(c) + v");
    build();
    assert_int_equal(states(), 6);
    rates(0);
    int    s = state_number("s"), v = state_number("v"), c = state_number("c");
    int    a = state_number("a"), b = state_number("b"), h = state_number("h");
    double slope = dx[c];
    assert_equal(dx[s], x[v]);
    assert_equal(dx[v], -x[s]);
    assert_equal(dx[a], x[s] * x[v]);
    assert_equal(dx[b], dx[a]);
    assert_equal(dx[h], -x[v]);
    assert_true(fabs(slope * slope * slope - x[s] - x[v]) < 1e-9);
    assert_true(!plan->written[s] && plan->written[v] && !plan->written[c]);
    assert_true(!isnan(instance.v[program->states.rate[c]])); /* for the next start */
}

/* An array of states is read in the vector, one of states and others among the values. */
static void arrays_of_states(void **state) {
    (void)state;
    int  n = 4, five = 5, step = 1, y = flat_first(&m, "y", 5);
    Term left, array, size, e;
    flat_reals(&m, "s z");
    flat_equation(&m, "y[5] = time");
    for (int all = 0; all < 2; all++) { /* sums of 4 and of 5 */
        row_begin(&m.row, &m.sys, 0, NULL);
        left = row_var(&m.row, flat_var(&m, all ? "s" : "der(z)"), NULL);
        array = row_array(&m.row, y, NULL, 1, all ? &five : &n, &step);
        size = op(TERM_SIZE, array, expr_integer(&m.shapes, 1));
        e = op(TERM_ELEMENT, array, expr_iterator(&m.shapes, 0));
        end_row(left, expr_indexed(&m.shapes, TERM_SUM_OF, 0,
                                   (Term[]){size, op(TERM_MUL, e, e)}, 2));
    }
    row_begin(&m.row, &m.sys, 1, (int[]){4});
    left = row_var(&m.row, system_der(&m.sys, y), one);
    end_row(left, op(TERM_MUL, row_var(&m.row, y, one),
                     row_var(&m.row, flat_var(&m, "s"), NULL)));
    build();
    assert_int_equal(states(), 5);
    rates(2);
    double sum = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
    assert_equal(dx[state_number("z")], sum);
    for (int i = 0; i < 4; i++) {
        assert_true(plan->copied[i]);
        assert_equal(dx[i], x[i] * (sum + 4));
    }
    assert_true(!plan->copied[state_number("z")]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(vectors_are_used_in_place, begin, end),
        cmocka_unit_test_setup_teardown(values_used_once_are_not_stored, begin, end),
        cmocka_unit_test_setup_teardown(derivatives_of_fused_rows, begin, end),
        cmocka_unit_test_setup_teardown(other_rows_are_left_alone, begin, end),
        cmocka_unit_test_setup_teardown(states_among_others_are_copied, begin, end),
        cmocka_unit_test_setup_teardown(derivatives_that_are_something_else, begin, end),
        cmocka_unit_test_setup_teardown(arrays_of_states, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
