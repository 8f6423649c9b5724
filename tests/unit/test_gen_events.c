/* SPDX-License-Identifier: Apache-2.0 */
/* test_gen_events.c -- hybrid models through crossings and events of the generated code, with a
 * simple integrator that bisects to the crossing. */
#include "running.h"

#include <math.h>

static int events;

enum { MOST = 8 };
static double x[MOST], z[64], now;

static void event(void) {
    Fault fault = {0};
    bool  again = true;
    for (int round = 0; again && round < 100; round++) {
        Status status = instance.model.fn->event(&instance, now, x, EVENT_STATE,
                                                 &(Selection){0}, &again, &fault);
        if (status) print_message("t = %g: %s\n", now, fault.what ? fault.what : "?");
        assert_int_equal(status, STATUS_OK);
    }
    assert_false(again);
    events++;
}

static void open_model(void) {
    make_plan(false);
    make_program(true);
    make_instance(0);
    Fault fault = {0};
    now = 0;
    assert_int_equal(instance_initialise(&instance, 0, &fault), STATUS_OK);
    instance.model.fn->init(&instance, 0, x, &fault);
    event(); /* sets the relations */
    events = 0;
}

static void rhs(double t, const double *y, double *dy) {
    Fault fault = {0};
    assert_int_equal(
        instance.model.fn->eval(&instance, t, y, &(Selection){0}, dy, &fault), STATUS_OK);
}

static void step(double t, double h, const double *from, double *to) {
    double k[4][MOST], w[MOST];
    int    n = states();
    rhs(t, from, k[0]);
    for (int s = 1; s < 4; s++) {
        double a = s < 3 ? h / 2 : h;
        for (int i = 0; i < n; i++) w[i] = from[i] + a * k[s - 1][i];
        rhs(t + a, w, k[s]);
    }
    for (int i = 0; i < n; i++)
        to[i] = from[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static void crossings(double t, const double *y, double *value) {
    Fault fault = {0};
    assert_int_equal(
        instance.model.fn->crossings(&instance, t, y, &(Selection){0}, value, &fault),
        STATUS_OK);
}

static bool differ(const double *a, const double *b) {
    for (int i = 0; i < instance.run.part->relations; i++)
        if ((a[i] > 0) != (b[i] > 0)) return true;
    return false;
}

static void simulate(double stop, double h) {
    double after[MOST], z1[64];
    while (now < stop - 1e-12) {
        double d = fmin(h, stop - now), when = 0;
        instance.model.fn->next_event(&instance, now, &when, NULL);
        bool due = when <= now + d;
        if (due) d = when - now;
        crossings(now, x, z);
        step(now, d, x, after);
        crossings(now + d, after, z1);
        bool hit = differ(z, z1);
        if (hit) { /* the far end of the bracket is just after the crossing */
            double low = 0, high = d;
            while (high - low > 1e-13 * (1 + now)) {
                double middle = (low + high) / 2;
                step(now, middle, x, after);
                crossings(now + middle, after, z1);
                if (differ(z, z1)) high = middle;
                else low = middle;
            }
            d = high;
            step(now, d, x, after);
        }
        memcpy(x, after, sizeof x);
        now = due && !hit ? when : now + d;
        if (hit || due) event();
    }
    double dy[MOST];
    rhs(now, x, dy);
}

static double value(const char *name) {
    return instance_value(&instance, flat_var(&m, name));
}

static void assert_near(double a, double b, double within) {
    if (!(fabs(a - b) <= within)) {
        print_message("%.17g is not %.17g\n", a, b);
        fail();
    }
}

static void start(const char *name, double number) {
    int r = flat_run(&m, name, strlen(name));
    system_value(&m.sys, r, ATTR_START, number);
    system_value(&m.sys, r, ATTR_FIXED, 1);
}

/* when c then reinit(var, text) */
static void flat_reinit(const char *condition, const char *var, const char *text) {
    row_begin(&m.row, &m.sys, 0, NULL);
    Term c = row_var(&m.row, flat_var(&m, condition), NULL);
    Term before = row_var(&m.row, system_pre(&m.sys, flat_var(&m, condition)), NULL);
    Term target = row_var(&m.row, flat_var(&m, var), NULL);
    m.at = text;
    Term e = flat_expr(&m);
    Term action = expr_2(&m.shapes, TERM_REINIT, target, e);
    row_end(&m.row, ROWS_ACTION,
            expr_2(&m.shapes, TERM_WHEN, expr_2(&m.shapes, TERM_EDGE, c, before), action),
            FAMILY_WHEN, 0, 0);
}

static void a_ball_bounces(void **state) {
    (void)state;
    flat_reals(&m, "h v");
    flat_array(&m, VAR_DISCRETE, TYPE_BOOLEAN, "hit", 1);
    start("h", 1);
    start("v", 0);
    flat_equation(&m, "der(h) = v");
    flat_equation(&m, "der(v) = -9.81");
    flat_equation(&m, "hit = h < 0");
    flat_reinit("hit", "v", "-0.7*v");
    open_model();
    double first = sqrt(2 / 9.81), speed = 9.81 * first;
    simulate(first + 0.1, 0.01);
    assert_near(value("v"), 0.7 * speed - 9.81 * 0.1, 1e-9);
    simulate(first + 2 * 0.7 * speed / 9.81 + 0.05, 0.01);
    assert_near(value("v"), 0.49 * speed - 9.81 * 0.05, 1e-8);
    assert_int_equal(instance.incident.terminated, 0);
}

static void a_counter_counts_samples(void **state) {
    (void)state;
    flat_reals(&m, "x");
    flat_array(&m, VAR_DISCRETE, TYPE_BOOLEAN, "tick", 1);
    flat_array(&m, VAR_DISCRETE, TYPE_REAL, "n", 1);
    start("x", 0);
    flat_equation(&m, "der(x) = n");
    flat_equation(&m, "tick = sample(0.5, 1)");
    flat_row(&m, ROWS_EQUATION, FAMILY_WHEN,
             "n = when edge(tick, pre(tick)) then pre(n) + 1 else pre(n)");
    open_model();
    simulate(4.2, 0.03);
    assert_near(value("n"), 4, 0); /* 0.5, 1.5, 2.5, 3.5 */
    assert_near(value("x"), 1 + 2 + 3 + 4 * 0.7, 1e-9);
}

static void relations_hold_between_events(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    start("x", 0);
    flat_equation(&m, "der(x) = y");
    flat_equation(&m, "y = if time < 1 then 2 else -1");
    open_model();
    simulate(1.5, 0.04);
    assert_near(value("x"), 2 - 0.5, 1e-11);
    assert_int_equal(events, 1);
}

/* A rectifier with an ideal diode: v = if off then s else 0, i = if off then 0 else s. */
static void an_ideal_diode_switches(void **state) {
    (void)state;
    flat_parameter(&m, "R", 100);
    flat_reals(&m, "u v i s q");
    flat_array(&m, VAR_DISCRETE, TYPE_BOOLEAN, "off", 1);
    start("q", 0);
    flat_equation(&m, "u = 5*sin(time)");
    flat_equation(&m, "u - v = R*i");
    flat_equation(&m, "off = s < 0");
    flat_equation(&m, "v = if off then s else 0");
    flat_equation(&m, "i = if off then 0 else s");
    flat_equation(&m, "der(q) = i");
    open_model();
    simulate(2.0, 0.02);
    assert_near(value("i"), 0.05 * sin(2), 1e-9);
    simulate(4.0, 0.02);
    assert_near(value("i"), 0, 1e-12);
    assert_near(value("v"), 5 * sin(4), 1e-9);
    simulate(7.0, 0.02);
    assert_near(value("i"), 0.05 * sin(7), 1e-9);
    /* charge: whole first half-wave and the beginning of the second */
    assert_near(value("q"), 0.05 * (2 + 1 - cos(7)), 1e-8);
    assert_in_range(events, 2, 3); /* one more if s = 0 at the start counts */
}

static void floor_makes_steps(void **state) {
    (void)state;
    flat_reals(&m, "x");
    start("x", 0);
    flat_equation(&m, "der(x) = floor(2*time) + mod(time, 1)");
    open_model();
    simulate(2.25, 0.07);
    /* floor(2t): 0, 1, 2, 3 for half seconds each, then 4 for 0.25 */
    assert_near(value("x"), 0.5 * (0 + 1 + 2 + 3) + 0.25 * 4 + 2 * 0.5 + 0.25 * 0.25 / 2,
                1e-8);
}

static void an_assertion_stops_and_names_its_row(void **state) {
    (void)state;
    flat_reals(&m, "x");
    start("x", 0);
    flat_equation(&m, "der(x) = 1");
    row_begin(&m.row, &m.sys, 0, NULL);
    Term v = row_var(&m.row, flat_var(&m, "x"), NULL);
    Term limit = expr_2(&m.shapes, TERM_LESS, v, expr_real(&m.shapes, 0.5));
    row_end(&m.row, ROWS_ACTION,
            expr_3(&m.shapes, TERM_ASSERT, limit,
                   expr_string(&m.shapes, str_of(&m.strings, "x is too large")),
                   expr_integer(&m.shapes, 2)),
            0, 0, 0);
    open_model();
    simulate(0.4, 0.1);
    event();
    now = 0.6;
    x[0] = 0.6;
    Fault  fault = {0};
    bool   again;
    Status status = instance.model.fn->event(&instance, now, x, EVENT_STATE,
                                             &(Selection){0}, &again, &fault);
    assert_int_equal(status, STATUS_FATAL);
    assert_string_equal(fault.what, "x is too large");
    assert_int_equal(instance.incident.violated, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_ball_bounces),
        TEST(a_counter_counts_samples),
        TEST(relations_hold_between_events),
        TEST(an_ideal_diode_switches),
        TEST(floor_makes_steps),
        TEST(an_assertion_stops_and_names_its_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
