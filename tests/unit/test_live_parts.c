/* SPDX-License-Identifier: Apache-2.0 */
/* test_live_parts.c -- parts of generated code: the values of the whole, at the cost of the
 * part. */
#include "rate/rate.h"
#include "running.h"

#include <math.h>

enum { CELLS = 24 };

static bool tangents; /* code of derivatives is there */

static void build(void) {
    make_plan(true);
    make_program(tangents);
    make_instance(0);
}

static void variable(const char *kind, int i) {
    char name[20];
    snprintf(name, sizeof name, "%s%d", kind, i);
    flat_reals(&m, name);
}

static void equation(const char *format, int i, int j, int k) {
    char line[200];
    snprintf(line, sizeof line, format, i, j, k);
    flat_equation(&m, line);
}

/* A rod of cells: flows between neighbours, a slow drive, a linear system of two unknowns in
 * every cell, or a nonlinear one. */
static void cells(bool curved) {
    begin(NULL);
    flat_parameter(&m, "k", 3);
    flat_reals(&m, "drive");
    flat_equation(&m, "drive = sin(0.1*time)");
    for (int i = 0; i < CELLS; i++) {
        variable("x", i);
        variable("a", i);
        variable("b", i);
    }
    for (int i = 0; i <= CELLS; i++) variable("q", i);
    equation("q%d = drive - x%d", 0, 0, 0);
    for (int i = 1; i < CELLS; i++) equation("q%d = k*(x%d - x%d)", i, i - 1, i);
    equation("q%d = k*x%d", CELLS, CELLS - 1, 0);
    for (int i = 0; i < CELLS; i++) {
        equation("a%d + 2*b%d = x%d", i, i, i);
        equation(curved ? "3*a%d + 0.1*b%d^3 - sinh(x%d) = 0" : "3*a%d - b%d = x%d^2", i,
                 i, i);
    }
    for (int i = 0; i < CELLS; i++) {
        char line[200];
        snprintf(line, sizeof line, "der(x%d) = q%d - q%d - %s*(a%d - b%d)", i, i, i + 1,
                 i % 7 == 3 ? "200" : "1", i, i);
        flat_equation(&m, line);
    }
    build();
}

static void rod(void) {
    cells(false);
}

static void state_values(double *x) {
    for (int i = 0; i < CELLS; i++) x[i] = 0.5 + sin(1.3 * i);
}

static Status part(double t, const double *x, const int *row, int n, double *dx) {
    Fault           fault = {0};
    const Selection rows = {SELECT_LIST, 0, n, row};
    return instance.model.fn->eval(&instance, t, x, &rows, dx, &fault);
}

/* Any set of rows has the bits of the whole, whatever was evaluated before. */
static void parts_equal_the_whole(void **state) {
    (void)state;
    double    x[CELLS], all[CELLS], some[CELLS], t = 0.3;
    unsigned  seed = 7;
    Fault     fault = {0};
    Selection whole = {0};
    rod();
    assert_int_equal(states(), CELLS);
    state_values(x);
    for (int round = 0; round < 300; round++) {
        int row[CELLS], n = 0;
        for (int i = 0; i < CELLS; i++) {
            seed = seed * 1664525u + 1013904223u;
            if (seed >> 30 == 0 || (round < CELLS && i == round)) row[n++] = i;
        }
        if (n == 0) continue;
        if (round % 3 == 0) t += 0.01;
        if (round % 5) x[row[0]] += 0.1;
        else x[(round + 3) % CELLS] -= 0.05;
        for (int i = 0; i < CELLS; i++) some[i] = -77;
        assert_int_equal(part(t, x, row, n, some), STATUS_OK);
        Instance *twin = round % 4 ? NULL : instance_twin(&instance, NULL);
        if (twin) {
            double          there[CELLS];
            const Selection rows = {SELECT_LIST, 0, n, row};
            assert_int_equal(twin->model.fn->eval(twin, t, x, &rows, there, &fault),
                             STATUS_OK);
            for (int k = 0; k < n; k++) assert_true(there[row[k]] == some[row[k]]);
            instance_twin_free(twin);
        }
        assert_int_equal(instance.model.fn->eval(&instance, t, x, &whole, all, &fault),
                         STATUS_OK);
        for (int i = 0, k = 0; i < CELLS; i++) {
            bool wanted = k < n && row[k] == i;
            k += wanted;
            assert_true(some[i] == (wanted ? all[i] : -77));
        }
    }
}

/* A part costs its own rows; what does not move is not evaluated again. */
static void parts_cost_their_rows(void **state) {
    (void)state;
    double    x[CELLS], dx[CELLS];
    const int first[] = {0}, middle[] = {11, 12};
    rod();
    state_values(x);
    instance.counts.rows = 0;
    part(1.0, x, first, 1, dx);
    /* drive, q0, q1, two of the linear system, the derivative */
    assert_int_equal(instance.counts.rows, 6);
    instance.counts.rows = 0;
    x[0] += 0.1;
    part(1.0, x, first, 1, dx);
    assert_int_equal(instance.counts.rows, 5); /* the drive depends on time alone */
    instance.counts.rows = 0;
    x[1] += 0.1;
    part(1.0, x, first, 1, dx);
    assert_int_equal(instance.counts.rows, 6);
    instance.counts.rows = 0;
    part(1.1, x, first, 1, dx);
    assert_int_equal(instance.counts.rows, 6);
    instance.counts.rows = 0;
    part(1.0, x, middle, 2, dx);
    assert_int_equal(instance.counts.rows, 3 + 4 + 2);
    instance.counts.rows = 0;
    part(1.2, x, middle, 2, dx); /* nothing of it depends on the states of others only */
    assert_int_equal(instance.counts.rows, 3 + 4 + 2);
}

/* df/dx between some states is that of the whole, whatever came before; differences, where there is
 * no code of derivatives, are near it. */
static void jacobians_of_parts(void **state) {
    (void)state;
    double    x[CELLS], *all, *some;
    unsigned  seed = 3;
    Fault     fault = {0};
    Selection whole = {0};
    for (int with = 1; with >= 0; with--) {
        if (!with) end(NULL);
        tangents = with;
        rod();
        const Pattern *p = instance.model.pattern;
        const int      entries = p->start[CELLS];
        all = calloc((size_t)entries, sizeof *all);
        some = calloc((size_t)entries, sizeof *some);
        assert_true(all && some);
        state_values(x);
        for (int round = 0; round < 60; round++) {
            int  row[CELLS], n = 0;
            bool in[CELLS] = {false};
            for (int i = 0; i < CELLS; i++) {
                seed = seed * 1664525u + 1013904223u;
                if (round < CELLS ? i == round || i == (7 * round) % CELLS : seed >> 31)
                    in[i] = true;
            }
            for (int i = 0; i < CELLS; i++)
                if (in[i]) row[n++] = i;
            x[round % CELLS] += 0.01;
            const Selection columns = {SELECT_LIST, 0, n, row};
            for (int e = 0; e < entries; e++) some[e] = -77;
            assert_int_equal(
                instance.model.fn->jacobian(&instance, 0.3, x, &columns, some, &fault),
                STATUS_OK);
            if (round % 7 == 0 || !tangents)
                assert_int_equal(
                    instance.model.fn->jacobian(&instance, 0.3, x, &whole, all, &fault),
                    STATUS_OK);
            for (int j = 0; j < CELLS && (round % 7 == 0 || !tangents); j++)
                for (int e = p->start[j]; e < p->start[j + 1]; e++)
                    if (in[j] && in[p->row[e]])
                        assert_true(fabs(some[e] - all[e]) <=
                                    (tangents ? 1e-13 : 1e-5) * (1 + fabs(all[e])));
                    else assert_true(some[e] == -77);
        }
        assert_int_equal(instance.counts.differenced > 0, !tangents);
        free(all), free(some);
    }
}

/* Stiff cells on their own tempo, and the same bits on one and three threads. */
static void check_rates(bool curved) {
    double one[CELLS], x[CELLS], start[CELLS], reference[CELLS];
    Status status;
    cells(curved);
    for (int i = 0; i < CELLS; i++) start[i] = 1.0 + 0.05 * i;
    for (int run = 0; run < 4; run++) { /* reference, single rate, levels on threads */
        if (run > 0) {                  /* the same beginning for all */
            end(NULL);
            cells(curved);
        }
        RateOptions o = {.rates = run < 2 ? 1 : 3, .threads = run == 3 ? 3 : 1};
        o.ode.method = run == 0 ? "radauIIA5" : "rodas4";
        o.ode.rtol = o.ode.atol = run == 0 ? 1e-11 : 1e-6;
        o.grain = 1e-9;
        instance.counts.rows = 0;
        Rate *r = rate_new(&instance.model, &o, 0.0, start, &status);
        assert_non_null(r);
        assert_int_equal(rate_advance(r, 2.0, true), STATUS_OK);
        memcpy(run == 0 ? reference : run == 2 ? one : x, rate_state(r), sizeof x);
        if (run >= 2) assert_true(rate_statistics(r).steps[1] > 10);
        rate_free(r);
        for (int i = 0; i < CELLS && run > 0; i++)
            assert_true(fabs((run == 2 ? one : x)[i] - reference[i]) < 2e-6);
    }
    assert_memory_equal(one, x, sizeof x);
}

static void rates_of_generated_code(void **state) {
    (void)state;
    check_rates(false);
}

/* Nonlinear loops start from the last solution of the whole, on every thread. */
static void rates_with_nonlinear_loops(void **state) {
    (void)state;
    check_rates(true);
    assert_true(instance.counts.iterations > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_equal_the_whole, NULL, end),
        cmocka_unit_test_setup_teardown(parts_cost_their_rows, NULL, end),
        cmocka_unit_test_setup_teardown(jacobians_of_parts, NULL, end),
        cmocka_unit_test_setup_teardown(rates_of_generated_code, NULL, end),
        cmocka_unit_test_setup_teardown(rates_with_nonlinear_loops, NULL, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
