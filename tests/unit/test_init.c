/* SPDX-License-Identifier: Apache-2.0 */
/* test_init.c -- systems of equations: which rung solves them, and what a failure says. */
#include "init/init.h"
#include "unit.h"

#include <math.h>

static Status linear(void *owner, const double *u, double lambda, double *r,
                     Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    r[0] = 2 * u[0] + u[1] - 3;
    r[1] = u[0] - u[1];
    return STATUS_OK;
}

/* atan has Newton diverge from far away. */
static Status flat(void *owner, const double *u, double lambda, double *r, Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    r[0] = atan(u[0] - 1);
    return STATUS_OK;
}

/* A diode with a resistor: exponential, only defined for moderate voltages. */
static Status diode(void *owner, const double *u, double lambda, double *r,
                    Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    if (u[0] > 20) return STATUS_RETRY;
    r[0] = 1e-12 * (exp(u[0] / 0.0259) - 1) - (5 - u[0]) / 1000;
    return STATUS_OK;
}

/* Two solutions; the simple problem leads to the one at 3, Newton from -1 to the other. */
static Status with_homotopy(void *owner, const double *u, double lambda, double *r,
                            Fault *fault) {
    (void)owner, (void)fault;
    if (lambda == 1 && u[0] < 0) return STATUS_RETRY;
    r[0] = lambda * (u[0] * u[0] - 9) + (1 - lambda) * (u[0] - 2);
    return STATUS_OK;
}

/* The Jacobian is singular wherever both unknowns are equal, as at the start. */
static Status flow_needed(void *owner, const double *u, double lambda, double *r,
                          Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    r[0] = u[0] + u[1] - 3;
    r[1] = u[0] * u[1] - 2;
    return STATUS_OK;
}

/* The slope is nearly 0 at the start: Newton's method jumps far away. */
static Status saturated(void *owner, const double *u, double lambda, double *r,
                        Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    r[0] = tanh(u[0] / 5) + 0.9999;
    return STATUS_OK;
}

static Status saturated_slope(void *owner, const double *u, double lambda, double *value,
                              Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    value[0] = 1 / (5 * cosh(u[0] / 5) * cosh(u[0] / 5));
    return STATUS_OK;
}

static Status impossible(void *owner, const double *u, double lambda, double *r,
                         Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    r[0] = u[0] - u[1];
    r[1] = 100 * (u[0] * u[0] + u[1] * u[1] + 1);
    return STATUS_OK;
}

static Status run(Status (*residual)(void *, const double *, double, double *, Fault *),
                  int n, bool homotopy, double *u, SolveReport *report) {
    Equations equations = {.n = n, .residual = residual, .homotopy = homotopy};
    Solver   *solver = solver_new(&equations);
    assert_non_null(solver);
    Status status = solver_solve(solver, 1e-10, u, report);
    solver_free(solver);
    return status;
}

static void linear_needs_two_steps(void **state) {
    (void)state;
    double      u[2] = {100, -50};
    SolveReport report;
    assert_int_equal(run(linear, 2, false, u, &report), STATUS_OK);
    assert_int_equal(report.rung, RUNG_NEWTON);
    assert_true(report.iterations <= 3);
    assert_true(fabs(u[0] - 1) < 1e-12 && fabs(u[1] - 1) < 1e-12);
}

static void damping_helps_where_newton_diverges(void **state) {
    (void)state;
    double      u[1] = {20};
    SolveReport report;
    assert_int_equal(run(flat, 1, false, u, &report), STATUS_OK);
    assert_int_equal(report.rung, RUNG_DAMPED);
    assert_true(fabs(u[0] - 1) < 1e-10);
}

static void evaluation_limits_shorten_steps(void **state) {
    (void)state;
    double      u[1] = {0};
    SolveReport report;
    assert_int_equal(run(diode, 1, false, u, &report), STATUS_OK);
    assert_true(fabs(1e-12 * (exp(u[0] / 0.0259) - 1) - (5 - u[0]) / 1000) < 1e-9);
}

static void homotopy_reaches_the_wanted_solution(void **state) {
    (void)state;
    double      u[1] = {-1};
    SolveReport report;
    assert_int_equal(run(with_homotopy, 1, true, u, &report), STATUS_OK);
    assert_int_equal(report.rung, RUNG_HOMOTOPY);
    assert_true(fabs(u[0] - 3) < 1e-9);
}

static void the_flow_leaves_a_singular_point(void **state) {
    (void)state;
    double      u[2] = {0, 0}, r[2];
    SolveReport report;
    assert_int_equal(run(flow_needed, 2, false, u, &report), STATUS_OK);
    assert_int_equal(report.rung, RUNG_FLOW);
    flow_needed(NULL, u, 1, r, NULL);
    assert_true(fabs(r[0]) < 1e-9 && fabs(r[1]) < 1e-9);
}

static void pseudo_time_leaves_a_plateau(void **state) {
    (void)state;
    Equations   equations = {.n = 1, .residual = saturated, .jacobian = saturated_slope};
    double      u[1] = {-93};
    SolveReport report;
    Solver     *solver = solver_new(&equations);
    assert_non_null(solver);
    assert_int_equal(solver_solve(solver, 1e-10, u, &report), STATUS_OK);
    solver_free(solver);
    assert_int_equal(report.rung, RUNG_PSEUDO);
    assert_true(fabs(u[0] - 5 * atanh(-0.9999)) < 1e-6);
}

static void a_failure_names_the_worst_equation(void **state) {
    (void)state;
    double      u[2] = {3, 2};
    SolveReport report;
    assert_int_not_equal(run(impossible, 2, false, u, &report), STATUS_OK);
    assert_int_equal(report.worst[0], 1);
    assert_true(report.residual[0] >= 100);
    assert_true(u[0] == 3 && u[1] == 2); /* left as they were */
}

/* A chain u_i^2 + u_i - u_{i-1} - 1 = 0 of 3000 unknowns: sparse. */
enum { CHAIN = 3000 };

static Status chain(void *owner, const double *u, double lambda, double *r,
                    Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    for (int i = 0; i < CHAIN; i++) r[i] = u[i] * u[i] + u[i] - (i ? u[i - 1] : 0) - 1;
    return STATUS_OK;
}

static void large_systems_are_sparse(void **state) {
    (void)state;
    static int    start[CHAIN + 1], row[2 * CHAIN];
    static double u[CHAIN];
    for (int j = 0; j < CHAIN; j++) {
        start[j + 1] = start[j];
        row[start[j + 1]++] = j;
        if (j + 1 < CHAIN) row[start[j + 1]++] = j + 1;
        u[j] = 1;
    }
    Pattern     pattern = {.rows = CHAIN, .columns = CHAIN, .start = start, .row = row};
    Equations   equations = {.n = CHAIN, .pattern = &pattern, .residual = chain};
    Solver     *solver = solver_new(&equations);
    SolveReport report;
    assert_int_equal(solver_solve(solver, 1e-10, u, &report), STATUS_OK);
    assert_true(report.residuals < 40); /* coloured differences, not one a column */
    assert_true(fabs(u[0] * u[0] + u[0] - 1) < 1e-9);
    assert_true(fabs(u[CHAIN - 1] - 1) < 1e-9);
    solver_free(solver);
}

/* Two cubic equations with the solution `moving`; two rows share a solver. */
static Status cubic(void *owner, const double *u, double lambda, double *r,
                    Fault *fault) {
    const double *moving = owner;
    (void)lambda, (void)fault;
    r[0] = u[0] + u[1] * u[1] * u[1] - moving[0] - pow(moving[1], 3);
    r[1] = u[1] + 2 * u[0] * u[0] * u[0] - moving[1] - 2 * pow(moving[0], 3);
    return STATUS_OK;
}

static long solve_moving(int rows, int slots, bool stamped, double *error) {
    enum { POINTS = 200 };
    double      moving[2], u[2][2] = {{1, 1}, {2, 2}};
    Equations   equations = {.n = 2, .residual = cubic, .owner = moving, .slots = slots};
    Solver     *solver = solver_new(&equations);
    SolveReport report;
    long        jacobians = 0;
    assert_non_null(solver);
    *error = 0;
    for (int k = 0; k < POINTS * rows; k++) {
        int    row = k % rows;
        double t = 0.01 * (k / rows);
        moving[0] = 1 + row + 0.3 * sin(t);
        moving[1] = 1 + row + 0.3 * cos(2 * t);
        solver_turn(solver, row, stamped, NULL);
        assert_int_equal(solver_solve(solver, 1e-10, u[row], &report), STATUS_OK);
        jacobians += report.jacobians;
        *error = fmax(*error, fabs(u[row][0] - moving[0]) + fabs(u[row][1] - moving[1]));
    }
    solver_free(solver);
    return jacobians;
}

static void factors_serve_many_solutions(void **state) {
    (void)state;
    double error[4];
    long   each = solve_moving(1, 0, true, &error[0]);
    long   kept = solve_moving(1, 1, true, &error[1]);
    long   two = solve_moving(2, 2, true, &error[2]);
    long   unstamped = solve_moving(2, 2, false, &error[3]);
    assert_true(each >= 400 && kept <= each / 8 && two <= each / 4);
    assert_int_equal(unstamped,
                     400); /* one for each solution, none from the one before */
    for (int k = 0; k < 4; k++) assert_true(error[k] < 1e-13);
}

/* A diode that is switched: the slope of the last solution is wrong by many orders. */
static Status switched(void *owner, const double *u, double lambda, double *r,
                       Fault *fault) {
    const double *source = owner;
    (void)lambda, (void)fault;
    if (u[0] > 18) return STATUS_RETRY;
    r[0] = 1e-12 * (exp(u[0] / 0.0259) - 1) - (*source - u[0]) / 1000;
    return STATUS_OK;
}

static void factors_that_mislead_are_not_used(void **state) {
    (void)state;
    static const double at[] = {5, 5.01, 5.02, -5, -5.0001, 5, 0.1, 0.1001, 5};
    double              source, u[1] = {0.5};
    Equations   equations = {.n = 1, .residual = switched, .owner = &source, .slots = 1};
    Solver     *solver = solver_new(&equations);
    SolveReport report;
    assert_non_null(solver);
    for (int k = 0; k < LENGTH(at); k++) {
        source = at[k];
        double      alone[1] = {0.5};
        Equations   plain = {.n = 1, .residual = switched, .owner = &source};
        Solver     *other = solver_new(&plain);
        SolveReport again;
        assert_non_null(other);
        solver_turn(solver, 0, 1, NULL);
        assert_int_equal(solver_solve(solver, 1e-10, u, &report), STATUS_OK);
        assert_int_equal(solver_solve(other, 1e-10, alone, &again), STATUS_OK);
        assert_true(fabs(u[0] - alone[0]) < 1e-12);
        solver_free(other);
    }
    solver_free(solver);
}

static Status roots(void *owner, const double *u, double lambda, double *r,
                    Fault *fault) {
    (void)lambda, (void)fault;
    r[0] = u[0] * u[0] - *(const double *)owner;
    return STATUS_OK;
}

static Status roots_slope(void *owner, const double *u, double lambda, double *value,
                          Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    value[0] = 2 * u[0];
    return STATUS_OK;
}

/* What follows from a solution, as the sign of a speed at a dead centre, is the same in each round of an event. */
static void a_solution_stays(void **state) {
    (void)state;
    for (int k = 2; k < 200; k++) {
        double    square = k, u = sqrt(k);
        Equations equations = {
            .n = 1, .residual = roots, .jacobian = roots_slope, .owner = &square};
        SolveReport report;
        Solver     *solver = solver_new(&equations);
        for (int round = 0; round < 3; round++) {
            const double before = u;
            assert_int_equal(solver_solve(solver, 1e-10, &u, &report), STATUS_OK);
            assert_memory_equal(&u, &before, sizeof u);
        }
        solver_free(solver);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_needs_two_steps),
        cmocka_unit_test(damping_helps_where_newton_diverges),
        cmocka_unit_test(evaluation_limits_shorten_steps),
        cmocka_unit_test(homotopy_reaches_the_wanted_solution),
        cmocka_unit_test(the_flow_leaves_a_singular_point),
        cmocka_unit_test(pseudo_time_leaves_a_plateau),
        cmocka_unit_test(a_solution_stays),
        cmocka_unit_test(factors_serve_many_solutions),
        cmocka_unit_test(factors_that_mislead_are_not_used),
        cmocka_unit_test(a_failure_names_the_worst_equation),
        cmocka_unit_test(large_systems_are_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
