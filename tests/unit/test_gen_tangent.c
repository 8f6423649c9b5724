/* SPDX-License-Identifier: Apache-2.0 */
/* test_gen_tangent.c -- generated derivatives against high-order differences of the right-hand
 * side, for every operator that has a derivative, arrays, functions and torn blocks. */
#include "running.h"

#include <math.h>

static void build(void) {
    make_plan(false);
    make_program(true);
    make_instance(0);
}

static void eval(double t, const double *x, double *dx) {
    Fault     fault = fault_none();
    Selection all = {0};
    assert_int_equal(instance.model.fn->eval(&instance, t, x, &all, dx, &fault),
                     STATUS_OK);
}

/* Central differences of order 6 by state `column`. */
static void differences(double t, const double *x, int column, double *slope) {
    static const double weight[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    int                 n = states();
    double *y = malloc((size_t)n * 3 * sizeof *y), *up = y + n, *down = up + n;
    double  h = 1e-3 * (1 + fabs(x[column]));
    memcpy(y, x, (size_t)n * sizeof *y);
    for (int i = 0; i < n; i++) slope[i] = 0;
    for (int k = 0; k < 3; k++) {
        y[column] = x[column] + (k + 1) * h;
        eval(t, y, up);
        y[column] = x[column] - (k + 1) * h;
        eval(t, y, down);
        for (int i = 0; i < n; i++) slope[i] += weight[k] * (up[i] - down[i]) / h;
    }
    free(y);
}

/* df/dx from generated code, and entries outside the pattern, against differences. */
static void check(double t, const double *x, double within) {
    int            n = states();
    const Pattern *p = instance.model.pattern;
    Fault          fault = fault_none();
    Selection      all = {0};
    if (!binary_tangents(instance.run.binary)) {
        Text  code = {0}, why = {0};
        Image image;
        gen_tangents(plan, 2, &m.diag, &code);
        image_tcc(&image, text_get(&code), NULL, &why);
        print_message("%s\n%s", text_get(&code), text_get(&why));
        must(false);
    }
    double *value = malloc(((size_t)p->start[n] + 1) * sizeof *value);
    double *slope = malloc(((size_t)n + 1) * sizeof *slope);
    assert_non_null(instance.model.pattern);
    assert_int_equal(instance.model.fn->jacobian(&instance, t, x, &all, value, &fault),
                     STATUS_OK);
    assert_int_equal(instance.counts.differenced, 0);
    for (int k = 0; k < n; k++) {
        differences(t, x, k, slope);
        for (int e = p->start[k]; e < p->start[k + 1]; e++) {
            int    i = p->row[e];
            double right = slope[i];
            slope[i] = 0;
            if (fabs(value[e] - right) <= within * (1 + fabs(right))) continue;
            print_message("d f[%d]/d x[%d] is %.15g, not %.15g\n", i, k, value[e], right);
            fail();
        }
        for (int i = 0; i < n; i++)
            if (fabs(slope[i]) > within) {
                print_message("d f[%d]/d x[%d] is not in the pattern\n", i, k);
                fail();
            }
    }
    free(value);
    free(slope);
}

/* ---- operators ------------------------------------------------------------------------------ */

static const char *const formulas[] = {
    "x + y + 3*x*y - 2*y*x*x",
    "(x + 2*y)/(3 + x*y) - y/x",
    "-(x*y)",
    "x^2 + y^3 + x^2.5 + x^y + 2^x",
    "if x > 1 then x*y else x - y",
    "if x > 5 then log(y) else if y > 0.2 then x*y*y else x",
    "if x > 1 and y > 0 or not x < 2 then sin(x)*y else 0",
    "abs(x - 3)*abs(y)",
    "sign(x)*x*y",
    "sqrt(x*y) + sqrt(x)",
    "sin(x*y) + cos(x - y) + tan(y)",
    "asin(y) + acos(y*0.5) + atan(x)",
    "atan2(x, y) + atan2(y, 3)",
    "sinh(x) + cosh(y) + tanh(x*y)",
    "exp(x*y) + log(x) + log10(x + y)",
    "min(x, y)*3 + max(x, 2*y) + min(x, 100)*x",
    "div(x, 2)*y",
    "mod(x, 0.4 + y)*y",
    "rem(x, 0.7)*x",
    "floor(x)*y + ceil(y)*x",
    "integer(x)*x*y",
    "noEvent(if x > 1 then x*x else y) + smooth(1, if x > 1 then y*y else x)",
    "semiLinear(x - 1, y, 2*y) + semiLinear(1 - x, y, x*y)",
    "homotopy(x*y, x)",
    "x*y*(x + y)*sin(x)*exp(y)/(1 + x^2)",
};

static void every_operator(void **state) {
    static const double point[][2] = {{1.3, 0.45}, {1.9, 0.31}, {2.35, 0.7}};
    for (int k = 0; k < LENGTH(formulas); k++) {
        char line[200];
        if (k) begin(state);
        flat_reals(&m, "x y");
        snprintf(line, sizeof line, "der(x) = %s", formulas[k]);
        flat_equation(&m, line);
        flat_equation(&m, "der(y) = x - y");
        build();
        for (int q = 0; q < LENGTH(point); q++) {
            double dx[2];
            bool   again = true;
            double x[2] = {point[q][0], point[q][1]};
            Fault  fault = fault_none();
            instance.model.fn->event(&instance, 0.1 * q, x, EVENT_STATE, &(Selection){0},
                                     &again, &fault);
            eval(0.1 * q, x, dx);
            check(0.1 * q, x, 1e-8);
        }
        end(state);
    }
    begin(state);
}

/* ---- chains, groups, torn blocks ------------------------------------------------------------- */

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
    Term rate = op(TERM_MUL, k, expr_1(&m.shapes, TERM_SIN, expr_sub(&m.shapes, a, b)));
    end_row(q, rate);
    char line[80];
    flat_equation(&m, "Q[1] = sin(time)*T[1]");
    snprintf(line, sizeof line, "Q[%d] = 0", n + 1);
    flat_equation(&m, line);
}

static void groups_of_constant_text(void **state) {
    size_t length[2];
    for (int round = 0; round < 2; round++) {
        int    n = round ? 300 : 20;
        double x[300];
        Text   code = {0};
        if (round) end(state), begin(state);
        heat(n);
        build();
        for (int i = 0; i < n; i++) x[i] = cos(i * 0.37);
        check(0.3, x, 1e-8);
        assert_true(gen_tangents(plan, 4, &m.diag, &code));
        length[round] = code.length;
        text_free(&code);
    }
    assert_in_range(length[1] - length[0] + 100, 0, 200); /* only numbers get longer */
}

static void a_linear_loop(void **state) {
    (void)state;
    flat_parameter(&m, "R", 2);
    flat_reals(&m, "x y a b i1 i2 i3 i4 i5");
    const char *const equation[] = {
        "x - a = R*i1", "10 - b = R*y*i2",   "a = R*i3",
        "b = 2*R*i4",   "a - b = R*x*i5",    "i1 = i3 + i5",
        "i2 + i5 = i4", "der(x) = a*b - i5", "der(y) = i1 - y*b"};
    for (int k = 0; k < LENGTH(equation); k++) flat_equation(&m, equation[k]);
    build();
    check(0, (double[]){1.5, 0.7}, 1e-8);
    check(0, (double[]){-0.8, 2}, 1e-7);
}

static void a_nonlinear_loop(void **state) {
    (void)state;
    flat_parameter(&m, "R", 3);
    flat_reals(&m, "x y u v i w");
    flat_equation(&m, "u = x*y + 1");
    flat_equation(&m, "u - v = R*i");
    flat_equation(&m, "i = 0.2*(exp(v/2) - 1) + w/9");
    flat_equation(&m, "w + w^3/5 = v + y");
    flat_equation(&m, "der(x) = -i*x + w");
    flat_equation(&m, "der(y) = v*w");
    build();
    check(0, (double[]){1.5, 0.7}, 1e-7);
    check(0, (double[]){-0.4, 1.1}, 1e-7);
}

/* Blocks of equal build are one group; each row has a matrix of its own. */
static void loops_side_by_side(void **state) {
    (void)state;
    enum { N = 5 };
    int s = flat_first(&m, "s", N), z = flat_first(&m, "z", N),
        q = flat_first(&m, "q", N);
    double x[N];
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    Term S = row_var(&m.row, s, one), Z = row_var(&m.row, z, one);
    Term Q = row_var(&m.row, q, one);
    end_row(op(TERM_ADD, Z, expr_1(&m.shapes, TERM_SIN, Q)), S); /* z + sin(q) = s */
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    Q = row_var(&m.row, q, one);
    Z = row_var(&m.row, z, one);
    S = row_var(&m.row, s, one);
    end_row(expr_sub(&m.shapes, Q, expr_1(&m.shapes, TERM_COS, op(TERM_MUL, Z, S))),
            expr_real(&m.shapes, 0)); /* q = cos(z*s) */
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    Term der = row_var(&m.row, system_der(&m.sys, s), one);
    end_row(der, op(TERM_MUL, row_var(&m.row, q, one), row_var(&m.row, z, one)));
    build();
    for (int i = 0; i < N; i++) x[i] = 0.3 + 0.1 * i;
    check(0, x, 1e-7);
}

static void the_matrix_of_a_loop(void **state) {
    (void)state;
    flat_reals(&m, "x y z w");
    flat_equation(&m, "x*x + y*z = 5 + time");
    flat_equation(&m, "sin(y) + x*w = 2");
    flat_equation(&m, "z + w*y = 1");
    flat_equation(&m, "w*w*z - x = 0.1");
    build();
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        if (group->kind != GROUP_LOOP) continue;
        int       n = group->torn;
        double    z[4] = {1.1, 0.6, -0.4, 0.9}, up[4], down[4], r[4], matrix[16];
        Residual *residual = instance.run.image->residual(g);
        residual(&instance.run.rb, 0, z, r);
        assert_true(matrix_fill(&instance.run, g, 0, NULL, matrix));
        assert_non_null(binary_tangents(instance.run.binary)->loop_entries(g));
        for (int k = 0; k < n; k++) {
            double old = z[k], h = 1e-5;
            z[k] = old + h;
            residual(&instance.run.rb, 0, z, up);
            z[k] = old - h;
            residual(&instance.run.rb, 0, z, down);
            z[k] = old;
            for (int i = 0; i < n; i++) {
                double slope = (up[i] - down[i]) / (2 * h);
                if (fabs(slope - matrix[k * n + i]) < 1e-8 * (1 + fabs(slope))) continue;
                print_message("dr[%d]/dz[%d] is %g, not %g\n", i, k, matrix[k * n + i],
                              slope);
                fail();
            }
        }
        return;
    }
    fail(); /* there was a loop */
}

/* A ladder of resistors between capacitors: a recurrence that formulas cannot follow, because
 * errors grow from either end to the other. Its input resistance is the golden ratio. */
static void ladder(int n) {
    char line[200];
    flat_parameter(&m, "R", 1);
    flat_reals(&m, "u w");
    flat_first(&m, "v", n);
    flat_first(&m, "i", n + 1);
    flat_first(&m, "j", n);
    for (int k = 1; k <= n; k++) {
        if (k == 1) snprintf(line, sizeof line, "u - v[1] = R*i[1]");
        else snprintf(line, sizeof line, "v[%d] - v[%d] = R*i[%d]", k - 1, k, k);
        flat_equation(&m, line);
        snprintf(line, sizeof line, "v[%d] = R*j[%d]", k, k);
        flat_equation(&m, line);
        snprintf(line, sizeof line, "i[%d] = i[%d] + j[%d]", k, k + 1, k);
        flat_equation(&m, line);
    }
    snprintf(line, sizeof line, "v[%d] - w = R*i[%d]", n, n + 1);
    flat_equation(&m, line);
    flat_equation(&m, "der(u) = -i[1]");
    flat_equation(&m, "der(w) = v[3]");
}

static void a_recurrence_is_solved_whole(void **state) {
    (void)state;
    double golden = (1 + sqrt(5)) / 2, x[2], dx[2];
    ladder(100);
    build();
    int loops = 0, u = program->states.var[0] == flat_var(&m, "u") ? 0 : 1;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        if (group->kind != GROUP_LOOP) continue;
        assert_true(group->sparse);
        assert_int_equal(group->matrix, MATRIX_PARAMETERS);
        assert_non_null(matrix_pattern(&instance.run, g)); /* for KLU */
        loops++;
    }
    assert_int_equal(loops, 1);
    for (int R = 1; R <= 2; R++) { /* the factors of R = 1 must not stay */
        instance_set(&instance, flat_var(&m, "R"), R);
        x[u] = 3;
        x[1 - u] = -5;
        eval(0, x, dx);
        assert_true(fabs(dx[u] + 3 / (R * golden)) < 1e-13);
        assert_true(fabs(dx[1 - u] - 3 * pow(golden, -6)) < 1e-13);
        check(0, x, 1e-9);
    }
}

/* Errors of x[i + 1] = 4 x[i] - x[i - 1] + 1 grow by 3.7 at each step. */
static void a_chain_does_not_blow_up(void **state) {
    (void)state;
    enum { N = 100 };
    double dx, beside;
    flat_first(&m, "x", N);
    flat_reals(&m, "s");
    flat_equation(&m, "der(s) = x[2]");
    flat_equation(&m, "x[1] = s");
    for (int i = 2; i < N; i++) {
        char line[100];
        snprintf(line, sizeof line, "x[%d] - 4*x[%d] + x[%d] = 1", i - 1, i, i + 1);
        flat_equation(&m, line);
    }
    flat_equation(&m, "x[100] = s");
    build();
    eval(0, &(double){1}, &dx);
    /* -1/2 + 3/2 q^k from either end, with q^2 - 4 q + 1 = 0 */
    beside = -0.5 + 1.5 * (2 - sqrt(3));
    assert_true(fabs(dx - beside) < 1e-13);
    assert_true(fabs(instance_value(&instance, flat_var(&m, "x[99]")) - beside) < 1e-13);
    assert_true(fabs(instance_value(&instance, flat_var(&m, "x[50]")) + 0.5) < 1e-13);
    check(0, (double[]){1}, 1e-9);
}

/* ---- arrays and functions ---------------------------------------------------------------- */

/* der(x[i]) = reduction over the array x, for each kind of reduction */
static void reductions(void **state) {
    static const TermOp kind[] = {TERM_SUM_OF, TERM_PRODUCT_OF, TERM_MIN_OF, TERM_MAX_OF};
    for (int k = 0; k < LENGTH(kind); k++) {
        if (k) begin(state);
        int  n = 4, step = 1, x = flat_first(&m, "x", n);
        Term t = expr_time(&m.shapes);
        row_begin(&m.row, &m.sys, 1, (int[]){n});
        Term der = row_var(&m.row, system_der(&m.sys, x), one);
        Term own = row_var(&m.row, x, one);
        Term array = row_array(&m.row, x, NULL, 1, &n, &step);
        Term size = op(TERM_SIZE, array, expr_integer(&m.shapes, 1));
        Term e = op(TERM_ELEMENT, array, expr_iterator(&m.shapes, 0));
        Term body = op(TERM_ADD, op(TERM_MUL, e, e), t);
        Term all = expr_indexed(&m.shapes, kind[k], 0, (Term[]){size, body}, 2);
        end_row(der, op(TERM_MUL, own, all));
        build();
        check(0.2, (double[]){0.9, -0.5, 1.3, 0.7}, 1e-8);
        end(state);
    }
    begin(state);
}

/* f(a, b) = (sum of a^i*b for i = 1..3, sin(a)*b) */
static int powers(bool external) {
    enum { A, B, Y, Z, T, I, VARS };
    Stmt        stmt[4];
    FunctionVar var[VARS] = {{.type = TYPE_REAL}, {.type = TYPE_REAL},
                             {.type = TYPE_REAL}, {.type = TYPE_REAL},
                             {.type = TYPE_REAL}, {.type = TYPE_INTEGER}};
    Term        s[VARS];
    for (int k = 0; k < VARS; k++) s[k] = expr_slot(&m.shapes, k, (Type)var[k].type);
    var[T].init = s[B];
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
    stmt[3] = (Stmt){STMT_ASSIGN,
                     .a = s[Z],
                     .b = op(TERM_MUL, expr_1(&m.shapes, TERM_SIN, s[A]), s[B]),
                     .body = -1,
                     .other = -1,
                     .next = -1};
    Function f = {.name = str_of(&m.strings, "powers"),
                  .flags = external ? FUNCTION_IMPURE : 0, /* has no derivative */
                  .inputs = 2,
                  .outputs = 2,
                  .vars = VARS,
                  .var = var,
                  .stmt = arena_copy(&m.shapes.arena, stmt, sizeof stmt),
                  .stmts = 4,
                  .first = 0};
    f.var = arena_copy(&m.shapes.arena, var, sizeof var);
    return function_add(&m.shapes, &f);
}

static void functions_of_model(bool external) {
    int id = powers(external);
    flat_reals(&m, "x y p q");
    row_begin(&m.row, &m.sys, 0, NULL);
    Term left[] = {row_var(&m.row, flat_var(&m, "p"), NULL),
                   row_var(&m.row, flat_var(&m, "q"), NULL)};
    Term arg[] = {row_var(&m.row, flat_var(&m, "x"), NULL),
                  row_var(&m.row, flat_var(&m, "y"), NULL)};
    end_row(expr_make(&m.shapes, TERM_TUPLE, left, 2),
            expr_call(&m.shapes, id, -1, TYPE_NONE, 0, arg, 2));
    row_begin(&m.row, &m.sys, 0, NULL);
    Term der = row_var(&m.row, system_der(&m.sys, flat_var(&m, "x")), NULL);
    Term p = row_var(&m.row, flat_var(&m, "p"), NULL);
    Term y = row_var(&m.row, flat_var(&m, "y"), NULL);
    Term both[] = {y, op(TERM_MUL, p, y)};
    end_row(der, expr_call(&m.shapes, id, 1, TYPE_REAL, 0, both, 2));
    flat_equation(&m, "der(y) = p*q - y");
    build();
}

static void functions_with_statements(void **state) {
    (void)state;
    functions_of_model(false);
    check(0, (double[]){0.6, 1.2}, 1e-9);
}

static void functions_without_derivative(void **state) {
    (void)state;
    functions_of_model(true);
    check(0, (double[]){0.6, 1.2}, 1e-8);
    check(0, (double[]){-3.1, 0.2}, 1e-7);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_operator),
        TEST(groups_of_constant_text),
        TEST(a_linear_loop),
        TEST(a_nonlinear_loop),
        TEST(loops_side_by_side),
        TEST(the_matrix_of_a_loop),
        TEST(a_recurrence_is_solved_whole),
        TEST(a_chain_does_not_blow_up),
        TEST(reductions),
        TEST(functions_with_statements),
        TEST(functions_without_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
