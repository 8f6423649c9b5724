/* SPDX-License-Identifier: Apache-2.0 */
/* test_gen_code.c -- generated code against hand-written formulas, both tiers. */
#include "running.h"

#include <math.h>

static void build(int tier) {
    make_plan(false);
    make_program(true);
    make_instance(tier);
}

static void assert_near(double a, double b, double within) {
    if (!(fabs(a - b) <= within)) {
        print_message("%.17g is not %.17g\n", a, b);
        fail();
    }
}

/* Derivatives alone, then all variables: derivatives must be the same. */
static void eval(double t, const double *x, double *dx) {
    Fault     fault = {0};
    Selection all = {0};
    Status    status = instance.model.fn->eval(&instance, t, x, &all, dx, &fault);
    if (status != STATUS_OK) print_message("%s\n", fault.what ? fault.what : "");
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(instance_evaluate(&instance, t, x), 0);
    for (int i = 0; i < states(); i++) {
        double within = 1e-13 * (1 + fabs(dx[i])); /* loops start elsewhere */
        assert_near(instance_rate(&instance, i, x), dx[i], within);
        assert_near(program->states.rate_sign[i] * instance.v[program->states.rate[i]],
                    dx[i], within);
    }
}

/* Relations follow without events. */
static void eval_live(double t) {
    Running *r = &instance.run;
    Moment   at = moment_at(t);
    at.live = true;
    running_at(r, at);
    assert_int_equal(r->image->rates(&r->rb), 0);
    assert_int_equal(r->image->eval(&r->rb), 0);
}

static double value(const char *name) {
    return instance_value(&instance, flat_var(&m, name));
}

static int state_number(const char *name) {
    for (int i = 0; i < states(); i++)
        if (program->states.var[i] == st->alias[flat_var(&m, name)]) return i;
    print_message("%s is no state\n", name);
    fail();
    return -1;
}

/* classical Runge-Kutta, enough to check right-hand sides */
static void integrate(double *x, double t, double stop, int steps) {
    int     n = states();
    double *k = malloc((size_t)n * 5 * sizeof *k), h = (stop - t) / steps;
    for (int s = 0; s < steps; s++, t += h) {
        double *w = k + 4 * n;
        eval(t, x, k);
        for (int i = 0; i < n; i++) w[i] = x[i] + h / 2 * k[i];
        eval(t + h / 2, w, k + n);
        for (int i = 0; i < n; i++) w[i] = x[i] + h / 2 * k[n + i];
        eval(t + h / 2, w, k + 2 * n);
        for (int i = 0; i < n; i++) w[i] = x[i] + h * k[2 * n + i];
        eval(t + h, w, k + 3 * n);
        for (int i = 0; i < n; i++)
            x[i] += h / 6 * (k[i] + 2 * k[n + i] + 2 * k[2 * n + i] + k[3 * n + i]);
    }
    free(k);
}

static void circuit(void) {
    flat_parameter(&m, "R", 10);
    flat_parameter(&m, "L", 0.1);
    flat_parameter(&m, "C", 1e-3);
    flat_reals(&m, "u rv ri lv li cv ci");
    system_value(&m.sys, flat_run(&m, "cv", 2), ATTR_START, 2);
    flat_equation(&m, "u = 5*sin(100*time)");
    flat_equation(&m, "rv = R*ri");
    flat_equation(&m, "lv = L*der(li)");
    flat_equation(&m, "ci = C*der(cv)");
    flat_equation(&m, "u = rv + lv + cv");
    flat_equation(&m, "ri = li");
    flat_equation(&m, "ci = li");
}

static void check_circuit(void) {
    int    li = state_number("li"), cv = state_number("cv");
    double x[2], dx[2], t = 0.003;
    assert_int_equal(states(), 2);
    instance.model.fn->init(&instance, 0, x, NULL);
    assert_near(x[cv], 2, 0);
    assert_near(x[li], 0, 0);
    x[li] = 0.3;
    eval(t, x, dx);
    assert_near(dx[cv], 0.3 / 1e-3, 1e-9);
    assert_near(dx[li], (5 * sin(100 * t) - 10 * 0.3 - 2) / 0.1, 1e-9);
    assert_near(value("ri"), 0.3, 0); /* an alias */
    instance_set(&instance, flat_var(&m, "R"), 20);
    eval(t, x, dx);
    assert_near(dx[li], (5 * sin(100 * t) - 20 * 0.3 - 2) / 0.1, 1e-9);
    assert_int_equal(program->states.pattern.start[2],
                     3); /* d(cv)/dt depends on li only */
}

static void a_circuit_in_tier_0(void **state) {
    (void)state;
    circuit();
    build(0);
    check_circuit();
}

static void a_circuit_in_tier_1(void **state) {
    (void)state;
    circuit();
    build(1);
    check_circuit();
}

/* The pendulum with index reduction keeps its length and its energy. */
static void the_pendulum_swings(void **state) {
    (void)state;
    flat_parameter(&m, "L", 1);
    flat_parameter(&m, "g", 9.81);
    flat_reals(&m, "x y vx vy F");
    flat_equation(&m, "der(x) = vx");
    flat_equation(&m, "der(y) = vy");
    flat_equation(&m, "der(vx) = -x/L*F");
    flat_equation(&m, "der(vy) = -y/L*F - g");
    flat_equation(&m, "x^2 + y^2 = L^2");
    m.sys.run[flat_run(&m, "x", 1)].select = SELECT_PREFER;
    m.sys.run[flat_run(&m, "vx", 2)].select = SELECT_PREFER;
    system_value(&m.sys, flat_run(&m, "y", 1), ATTR_START, -1);
    build(0);
    assert_int_equal(states(), 2);
    double x[2], dx[2];
    x[state_number("x")] = 0.5;
    x[state_number("vx")] = 0;
    eval(0, x, dx);
    assert_near(value("y"), -sqrt(0.75), 1e-9);
    assert_near(value("F"), 9.81 * sqrt(0.75), 1e-7);
    double energy = 9.81 * value("y");
    integrate(x, 0, 1.3, 2000);
    eval(1.3, x, dx);
    assert_near(value("x") * value("x") + value("y") * value("y"), 1, 1e-9);
    double v2 = value("vx") * value("vx") + value("vy") * value("vy");
    assert_near(v2 / 2 + 9.81 * value("y"), energy, 1e-6);
}

static void linear_loops_are_solved(void **state) {
    (void)state;
    flat_parameter(&m, "R", 2);
    flat_reals(&m, "a b i1 i2 i3 i4 i5");
    const char *const equation[] = {"10 - a = R*i1", "10 - b = R*i2", "a = R*i3",
                                    "b = 2*R*i4",    "a - b = R*i5",  "i1 = i3 + i5",
                                    "i2 + i5 = i4"};
    for (int k = 0; k < LENGTH(equation); k++) flat_equation(&m, equation[k]);
    build(0);
    eval(0, NULL, NULL);
    assert_near(value("i1"), value("i3") + value("i5"), 1e-12);
    assert_near(value("i4"), value("i2") + value("i5"), 1e-12);
    assert_near(10 - value("a"), 2 * value("i1"), 1e-12);
    assert_near(value("b"), 4 * value("i4"), 1e-12);
    assert_near(value("a"), 70.0 / 13, 1e-12);
}

static void nonlinear_loops_are_solved(void **state) {
    (void)state;
    flat_parameter(&m, "R", 100);
    flat_reals(&m, "u v i");
    flat_equation(&m, "u = 5*sin(time)");
    flat_equation(&m, "u - v = R*i");
    flat_equation(&m, "i = 1e-9*(exp(v/0.026) - 1)");
    build(0);
    for (double t = 0; t < 7; t += 0.1) {
        eval(t, NULL, NULL);
        double i = 1e-9 * (exp(value("v") / 0.026) - 1);
        assert_near(5 * sin(t) - value("v"), 100 * i, 1e-8);
        assert_near(value("i"), i, 1e-10);
    }
}

static void conditions_guard_their_branches(void **state) {
    (void)state;
    flat_reals(&m, "x y z w");
    flat_equation(&m, "x = time - 1");
    flat_equation(&m, "y = if x > 0 then log(x) + sqrt(x)*log(x) else x");
    flat_equation(&m,
                  "z = if x > 0.5 then y*y + sin(y*y) else if x > 0 then 2*y else 3*y");
    flat_equation(
        &m,
        "w = min(x, 2) + max(x, 0) + abs(x) + x^3 + x^2 + mod(x + 9, 4) + atan2(x, 2)");
    build(0);
    for (double t = 0.05; t < 3; t += 0.1) {
        double x = t - 1, y = x > 0 ? log(x) + sqrt(x) * log(x) : x;
        double z = x > 0.5 ? y * y + sin(y * y) : x > 0 ? 2 * y : 3 * y;
        double q = x + 9 - floor((x + 9) / 4) * 4;
        double w =
            fmin(x, 2) + fmax(x, 0) + fabs(x) + x * x * x + x * x + q + atan2(x, 2);
        eval_live(t);
        assert_near(value("y"), y, 1e-12);
        assert_near(value("z"), z, 1e-12);
        assert_near(value("w"), w, 1e-12);
    }
}

static Term op(TermOp o, Term a, Term b) {
    return expr_2(&m.shapes, o, a, b);
}

static void end_row(Term left, Term right) {
    row_end(&m.row, ROWS_EQUATION, op(TERM_EQUATION, left, right), 0, 0, 0);
}

static const int one[] = {1};

static void heat(int n) {
    int T = flat_first(&m, "T", n), Q = flat_first(&m, "Q", n + 1);
    flat_parameter(&m, "k", 3);
    row_begin(&m.row, &m.sys, 1, (int[]){n});
    Term der = row_var(&m.row, system_der(&m.sys, T), one);
    Term in = row_var(&m.row, Q, one), out = row_var(&m.row, Q + 1, one);
    end_row(der, expr_sub(&m.shapes, in, out));
    row_begin(&m.row, &m.sys, 1, (int[]){n - 1});
    Term q = row_var(&m.row, Q + 1, one), k = row_var(&m.row, flat_var(&m, "k"), NULL);
    Term a = row_var(&m.row, T, one), b = row_var(&m.row, T + 1, one);
    end_row(q, op(TERM_MUL, k, expr_sub(&m.shapes, a, b)));
    char line[80];
    flat_equation(&m, "Q[1] = sin(time)");
    snprintf(line, sizeof line, "Q[%d] = 0", n + 1);
    flat_equation(&m, line);
}

static void arrays_are_loops_of_constant_text(void **state) {
    (void)state;
    size_t length[2];
    for (int round = 0; round < 2; round++) {
        int n = round ? 10000 : 100;
        if (round) {
            end(NULL);
            begin(NULL);
        }
        heat(n);
        build(round);
        length[round] = made.part[PART_RUN].text.length;
        double *x = malloc((size_t)n * 2 * sizeof *x), *dx = x + n;
        for (int i = 0; i < n; i++) x[i] = cos(i * 0.37);
        eval(0.3, x, dx);
        for (int i = 0; i < n; i++) {
            double in = i ? 3 * (x[i - 1] - x[i]) : sin(0.3);
            double out = i < n - 1 ? 3 * (x[i] - x[i + 1]) : 0;
            assert_near(dx[i], in - out, 1e-13);
        }
        assert_int_equal(program->states.pattern.start[n], 3 * n - 2);
        free(x);
    }
    assert_in_range(length[1] - length[0] + 100, 0, 200); /* only numbers get longer */
}

static void sums_over_arrays(void **state) {
    (void)state;
    int n = 7, step = 1, x = flat_first(&m, "x", n);
    flat_reals(&m, "s");
    row_begin(&m.row, &m.sys, 1, (int[]){n});
    Term a = row_var(&m.row, x, one), i = row_number(&m.row, 1, one);
    end_row(a, op(TERM_MUL, expr_time(&m.shapes), i));
    row_begin(&m.row, &m.sys, 0, NULL);
    Term left = row_var(&m.row, flat_var(&m, "s"), NULL);
    Term array = row_array(&m.row, x, NULL, 1, &n, &step);
    Term size = op(TERM_SIZE, array, expr_integer(&m.shapes, 1));
    Term e = op(TERM_ELEMENT, array, expr_iterator(&m.shapes, 0));
    end_row(left, expr_indexed(&m.shapes, TERM_SUM_OF, 0,
                               (Term[]){size, op(TERM_MUL, e, e)}, 2));
    build(0);
    eval(2, NULL, NULL);
    assert_near(value("s"), 4 * (1 + 4 + 9 + 16 + 25 + 36 + 49), 1e-12);
}

/* f(a) = sum of a^i for i = 1..3, and 2*a; called with one and with two results. */
static void functions_are_called(void **state) {
    (void)state;
    enum { A, Y, Z, T, I, VARS };
    Stmt        stmt[4];
    FunctionVar var[VARS] = {{.type = TYPE_REAL},
                             {.type = TYPE_REAL},
                             {.type = TYPE_REAL},
                             {.type = TYPE_REAL},
                             {.type = TYPE_INTEGER}};
    Term        s[VARS];
    for (int k = 0; k < VARS; k++) s[k] = expr_slot(&m.shapes, k, (Type)var[k].type);
    var[T].init = expr_real(&m.shapes, 1);
    stmt[0] = (Stmt){STMT_FOR,
                     .a = s[I],
                     .b = expr_integer(&m.shapes, 1),
                     .c = expr_integer(&m.shapes, 3),
                     .body = 1,
                     .other = -1,
                     .next = 3};
    stmt[1] = (Stmt){STMT_ASSIGN, .a = s[T],   .b = op(TERM_MUL, s[T], s[A]),
                     .body = -1,  .other = -1, .next = 2};
    stmt[2] = (Stmt){STMT_ASSIGN, .a = s[Y],   .b = op(TERM_ADD, s[Y], s[T]),
                     .body = -1,  .other = -1, .next = -1};
    stmt[3] =
        (Stmt){STMT_ASSIGN, .a = s[Z],   .b = op(TERM_MUL, expr_real(&m.shapes, 2), s[A]),
               .body = -1,  .other = -1, .next = -1};
    Function f = {.name = str_of(&m.strings, "powers"),
                  .inputs = 1,
                  .outputs = 2,
                  .vars = VARS,
                  .var = var,
                  .stmt = stmt,
                  .stmts = 4,
                  .first = 0};
    int      id = function_add(&m.shapes, &f);
    flat_reals(&m, "u p q r");
    flat_equation(&m, "u = time");
    row_begin(&m.row, &m.sys, 0, NULL);
    Term left[] = {row_var(&m.row, flat_var(&m, "p"), NULL),
                   row_var(&m.row, flat_var(&m, "q"), NULL)};
    Term u = row_var(&m.row, flat_var(&m, "u"), NULL);
    end_row(expr_make(&m.shapes, TERM_TUPLE, left, 2),
            expr_call(&m.shapes, id, -1, TYPE_NONE, 0, &u, 1));
    row_begin(&m.row, &m.sys, 0, NULL);
    Term r = row_var(&m.row, flat_var(&m, "r"), NULL);
    Term p = row_var(&m.row, flat_var(&m, "p"), NULL);
    end_row(r, expr_call(&m.shapes, id, 0, TYPE_REAL, 0, &p, 1));
    build(0);
    eval(2, NULL, NULL);
    assert_near(value("p"), 14, 0);
    assert_near(value("q"), 4, 0);
    assert_near(value("r"), 14 + 196 + 2744, 0);
}

static void parameters_depend_on_parameters(void **state) {
    (void)state;
    flat_array(&m, VAR_PARAMETER, TYPE_REAL, "c", 1);
    flat_array(&m, VAR_PARAMETER, TYPE_REAL, "b", 1);
    flat_parameter(&m, "a", 3);
    flat_reals(&m, "x");
    flat_row(&m, ROWS_BINDING, 0, "c = b + 1");
    flat_row(&m, ROWS_BINDING, 0, "b = 2*a");
    flat_equation(&m, "x = c");
    system_variable(&m.sys, flat_run(&m, "x", 1), ATTR_START, flat_var(&m, "c"), 0);
    build(0);
    Fault fault = {0};
    assert_int_equal(instance_bind(&instance, &fault), STATUS_OK);
    assert_near(value("x"), 7, 0);
    instance_set(&instance, flat_var(&m, "a"), 5); /* without translating again */
    assert_int_equal(instance_bind(&instance, &fault), STATUS_OK);
    assert_near(value("x"), 11, 0);
}

static void a_singular_system_is_a_fault(void **state) {
    (void)state;
    flat_reals(&m, "k x y");
    flat_equation(&m, "k = time");
    flat_equation(&m, "k*x + y = 1");
    flat_equation(&m, "x + y = k*x");
    build(0);
    Fault     fault = {0};
    Selection all = {0};
    instance.model.fn->eval(&instance, 0.5, NULL, &all, NULL, &fault);
    /* k*x + y = 1 and (1 - k)*x + y = 0: singular at k = 1/2 */
    assert_int_equal(instance.model.fn->eval(&instance, 0.5, NULL, &all, NULL, &fault),
                     STATUS_RETRY);
    assert_string_equal(fault.what, "a linear system is singular");
    assert_int_equal(instance.model.fn->eval(&instance, 0.7, NULL, &all, NULL, &fault),
                     STATUS_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_circuit_in_tier_0),
        TEST(a_circuit_in_tier_1),
        TEST(the_pendulum_swings),
        TEST(linear_loops_are_solved),
        TEST(nonlinear_loops_are_solved),
        TEST(conditions_guard_their_branches),
        TEST(arrays_are_loops_of_constant_text),
        TEST(sums_over_arrays),
        TEST(functions_are_called),
        TEST(parameters_depend_on_parameters),
        TEST(a_singular_system_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
