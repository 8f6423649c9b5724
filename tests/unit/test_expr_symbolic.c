/* SPDX-License-Identifier: Apache-2.0 */
/* test_expr_symbolic.c -- derivatives against differences, solutions against the equation,
 * simplification against the value, degrees. */
#include "expr/expr.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static Strings strings;
static Shapes  shapes;

static int begin(void **state) {
    (void)state;
    strings_init(&strings);
    shapes_init(&shapes, &strings);
    return 0;
}

static int end(void **state) {
    (void)state;
    shapes_free(&shapes);
    strings_free(&strings);
    return 0;
}

static Term x(int slot) {
    return expr_slot(&shapes, slot, TYPE_REAL);
}

static Term num(double value) {
    return expr_real(&shapes, value);
}

static Term op1(TermOp op, Term a) {
    return expr_1(&shapes, op, a);
}

static Term op2(TermOp op, Term a, Term b) {
    return expr_2(&shapes, op, a, b);
}

static Term add(Term a, Term b) {
    return op2(TERM_ADD, a, b);
}

static Term mul(Term a, Term b) {
    return op2(TERM_MUL, a, b);
}

static Term eq(Term a, Term b) {
    return op2(TERM_EQUATION, a, b);
}

static void assert_text(Term e, const char *expected) {
    Text text = {0};
    expr_print(&shapes, e, NULL, NULL, &text);
    assert_string_equal(text_get(&text), expected);
    text_free(&text);
}

static double env_slot(void *context, int slot) {
    return ((double *)context)[slot];
}

static bool env_call(void *context, int function, int result, const double *args, int n,
                     double *value);

static double value_at(Term e, double *slot, double time) {
    EvalEnv env = {.context = slot, .slot = env_slot, .call = env_call, .time = time};
    double  value = NAN;
    expr_eval(&shapes, e, &env, &value);
    return value;
}

/* ---- a small interpreter of function bodies, for the tests of derivatives ---------------- */

static bool run_list(const Function *f, int first, double *var) {
    for (int s = first; s >= 0; s = f->stmt[s].next) {
        const Stmt *stmt = &f->stmt[s];
        if (stmt->kind == STMT_ASSIGN)
            var[shapes.node[stmt->a].index] = value_at(stmt->b, var, 0);
        else if (stmt->kind == STMT_IF)
            run_list(f, value_at(stmt->a, var, 0) != 0 ? stmt->body : stmt->other, var);
        else if (stmt->kind == STMT_FOR)
            for (double i = value_at(stmt->b, var, 0), n = value_at(stmt->c, var, 0);
                 i <= n; i++) {
                var[shapes.node[stmt->a].index] = i;
                run_list(f, stmt->body, var);
            }
        else return false;
    }
    return true;
}

static bool env_call(void *context, int function, int result, const double *args, int n,
                     double *value) {
    (void)context;
    const Function *f = shapes.function[function];
    double          var[64] = {0};
    if (n != f->inputs || f->vars > 64) return false;
    for (int k = 0; k < n; k++) var[k] = args[k];
    if (!run_list(f, f->first, var)) return false;
    *value = var[f->inputs + result];
    return true;
}

/* ---- derivatives -------------------------------------------------------------------------- */

enum { SLOTS = 3 };

static void check_partials(Term e, const double *at) {
    for (int k = 0; k < SLOTS; k++) {
        const char *reason;
        double      slot[SLOTS], h = 1e-6;
        memcpy(slot, at, sizeof slot);
        Term d = expr_partial(&shapes, e, k, &reason);
        assert_int_not_equal(d, 0);
        double exact = value_at(d, slot, 0.3);
        slot[k] = at[k] + h;
        double up = value_at(e, slot, 0.3);
        slot[k] = at[k] - h;
        double down = value_at(e, slot, 0.3), difference = (up - down) / (2 * h);
        if (!(fabs(exact - difference) <= 1e-6 * (1 + fabs(exact)))) {
            Text text = {0};
            expr_print(&shapes, e, NULL, NULL, &text);
            print_message("d/d$%d %s: %g, differences %g\n", k, text_get(&text), exact,
                          difference);
            text_free(&text);
            fail();
        }
    }
}

static void partial_derivatives_match_differences(void **state) {
    (void)state;
    static const TermOp function[] = {TERM_SQRT,  TERM_SIN,  TERM_COS,  TERM_TAN,
                                      TERM_ASIN,  TERM_ACOS, TERM_ATAN, TERM_SINH,
                                      TERM_COSH,  TERM_TANH, TERM_EXP,  TERM_LOG,
                                      TERM_LOG10, TERM_ABS,  TERM_NEG,  TERM_NO_EVENT};
    double              at[SLOTS] = {0.4, 0.7, 1.3};
    Term                inner = add(mul(x(0), x(1)), mul(num(0.1), x(2)));
    for (int i = 0; i < LENGTH(function); i++)
        check_partials(op1(function[i], inner), at);
    static const TermOp two[] = {TERM_DIV, TERM_POW, TERM_ATAN2, TERM_MIN,
                                 TERM_MAX, TERM_MOD, TERM_REM};
    for (int i = 0; i < LENGTH(two); i++) {
        check_partials(op2(two[i], inner, x(2)), at);
        check_partials(op2(two[i], x(2), inner), at);
    }
    check_partials(op2(TERM_POW, inner, num(3)), at);
    check_partials(
        expr_make(&shapes, TERM_MUL, (Term[]){x(0), x(1), x(2), op1(TERM_SIN, x(0))}, 4),
        at);
    Term c = op2(TERM_GREATER, x(0), x(1));
    check_partials(expr_3(&shapes, TERM_IF, c, mul(x(0), x(1)), mul(x(2), x(2))), at);
    check_partials(expr_3(&shapes, TERM_SEMI_LINEAR, add(x(0), num(-1)), x(1), x(2)), at);
    check_partials(op2(TERM_SMOOTH, expr_integer(&shapes, 1), mul(x(0), x(0))), at);
    check_partials(op2(TERM_HOMOTOPY, mul(x(0), x(2)), x(1)), at);
    check_partials(op1(TERM_FLOOR, inner), at);
    /* an equation counts as left - right */
    check_partials(expr_residual(&shapes, eq(inner, op1(TERM_EXP, x(2)))), at);
}

static void the_time_derivative_has_slots_for_the_derivatives(void **state) {
    (void)state;
    /* x^2 + y^2 = L^2, L constant */
    Term two = num(2), e = eq(add(op2(TERM_POW, x(0), two), op2(TERM_POW, x(1), two)),
                              op2(TERM_POW, x(2), two));
    int  s = shape_of(&shapes, e, NULL);
    const int  *order;
    const char *reason;
    int         d = shape_dtime(&shapes, s, (int8_t[]){1, 1, 0}, &order, &reason);
    assert_int_equal(shapes.shape[d].slots, 4);
    assert_text(shapes.shape[d].root, "2.0*$0*$1 + 2.0*$2*$3 = 0.0");
    assert_int_equal(order[0], 0);
    assert_int_equal(order[1], 3);
    assert_int_equal(order[2], 1);
    assert_int_equal(order[3], 4);
    /* time itself */
    s = shape_of(&shapes, eq(x(0), op1(TERM_SIN, mul(x(1), expr_time(&shapes)))), NULL);
    d = shape_dtime(&shapes, s, (int8_t[]){1, 0}, &order, &reason);
    assert_text(shapes.shape[d].root, "$0 = cos($1*time)*$1");
    /* the delayed value differs from a present one */
    s = shape_of(&shapes, eq(x(0), op2(TERM_DELAY, x(1), x(2))), NULL);
    d = shape_dtime(&shapes, s, (int8_t[]){1, 1, 0}, &order, &reason);
    assert_text(shapes.shape[d].root, "$0 = delay($1, $2)");
    assert_int_equal(order[1], 4);
    assert_true(expr_is_zero(
        &shapes, expr_partial(&shapes, op2(TERM_DELAY, x(1), x(2)), 1, &reason)));
}

static void no_derivative_is_explained(void **state) {
    (void)state;
    Function    f = {.name = str_of(&strings, "f"),
                     .inputs = 1,
                     .outputs = 1,
                     .vars = 2,
                     .var = (FunctionVar[]){{.type = TYPE_REAL}, {.type = TYPE_REAL}},
                     .first = -1,
                     .flags = FUNCTION_EXTERNAL,
                     .external = &(ExternalCall){0}};
    int         id = function_add(&shapes, &f);
    const char *reason = NULL;
    Term        a = x(0), e = expr_call(&shapes, id, 0, TYPE_REAL, 0, &a, 1);
    assert_int_equal(expr_partial(&shapes, e, 0, &reason), 0);
    assert_string_equal(reason, "a function has no derivative");
    /* but with respect to what it does not see, it is constant */
    assert_true(expr_is_zero(&shapes, expr_partial(&shapes, e, 1, &reason)));
}

/* function f: input Real a, b; output Real y, z; local Real t; for i in 1:3: t := t*a + b;
 * if t > 1 then y := sin(t) else y := t*t; z := y + a */
static int add_function(void) {
    enum { A, B, Y, Z, T, I, VARS };
    static Stmt  stmt[8];
    FunctionVar *var = NEW(&shapes.arena, FunctionVar, VARS);
    for (int k = 0; k < VARS; k++) var[k].type = k == I ? TYPE_INTEGER : TYPE_REAL;
    Term i = expr_slot(&shapes, I, TYPE_INTEGER);
    Stmt none = {.body = -1, .other = -1, .next = -1};
    for (int k = 0; k < 8; k++) stmt[k] = none;
    stmt[0] =
        (Stmt){STMT_ASSIGN, .a = x(T), .b = x(A), .body = -1, .other = -1, .next = 1};
    stmt[1] = (Stmt){STMT_FOR,
                     .a = i,
                     .b = expr_integer(&shapes, 1),
                     .c = expr_integer(&shapes, 3),
                     .body = 2,
                     .other = -1,
                     .next = 3};
    stmt[2] = (Stmt){STMT_ASSIGN, .a = x(T),   .b = add(mul(x(T), x(A)), x(B)),
                     .body = -1,  .other = -1, .next = -1};
    stmt[3] = (Stmt){STMT_IF, .a = op2(TERM_GREATER, x(T), num(1)), .body = 4, .other = 5,
                     .next = 6};
    stmt[4] = (Stmt){STMT_ASSIGN, .a = x(Y),   .b = op1(TERM_SIN, x(T)),
                     .body = -1,  .other = -1, .next = -1};
    stmt[5] = (Stmt){STMT_ASSIGN, .a = x(Y),   .b = mul(x(T), x(T)),
                     .body = -1,  .other = -1, .next = -1};
    stmt[6] = (Stmt){STMT_ASSIGN, .a = x(Z),   .b = add(x(Y), x(A)),
                     .body = -1,  .other = -1, .next = -1};
    Function f = {.name = str_of(&strings, "f"),
                  .inputs = 2,
                  .outputs = 2,
                  .vars = VARS,
                  .var = var,
                  .stmt = stmt,
                  .stmts = 7,
                  .first = 0};
    return function_add(&shapes, &f);
}

static void function_bodies_are_differentiated(void **state) {
    (void)state;
    int    f = add_function();
    double at[][SLOTS] = {{0.4, 0.3, 1}, {1.2, 0.6, 2}};
    for (int result = 0; result < 2; result++) {
        Term args[] = {mul(x(0), x(2)), op1(TERM_EXP, x(1))};
        Term e = mul(x(2), expr_call(&shapes, f, result, TYPE_REAL, 0, args, 2));
        for (int k = 0; k < LENGTH(at); k++) check_partials(e, at[k]);
    }
    int made = shapes.functions;
    check_partials(expr_call(&shapes, f, 0, TYPE_REAL, 0, (Term[]){x(1), x(0)}, 2),
                   at[0]);
    assert_int_equal(shapes.functions, made); /* differentiated once */
}

/* ---- solving -------------------------------------------------------------------------------- */

/* Puts the solution into the equation: the residual must vanish. */
static void check_solution(Term equation, int slot, SolveKind kind) {
    int      shape = shape_of(&shapes, equation, NULL);
    Solution s = shape_solve(&shapes, shape, slot);
    double   at[4] = {1.7, 0.6, 2.3, 0.9};
    assert_int_equal(s.kind, kind);
    if (kind == SOLVE_NONE) return;
    at[slot] = value_at(s.value, at, 0);
    double residual = value_at(shapes.shape[shape].root, at, 0);
    assert_true(fabs(residual) < 1e-12);
    assert_int_equal(expr_degree_of_slot(&shapes, s.value, slot), DEGREE_NONE);
}

static void linear_equations_are_solved(void **state) {
    (void)state;
    Term ohm = eq(mul(x(0), x(1)), x(2));
    check_solution(ohm, 0, SOLVE_FACTOR);
    check_solution(ohm, 1, SOLVE_FACTOR);
    check_solution(ohm, 2, SOLVE_ALWAYS);
    assert_text(shape_solve(&shapes, shape_of(&shapes, ohm, NULL), 1).value, "$2/$0");
    Term sum = eq(num(0), add(add(x(0), op1(TERM_NEG, x(1))), mul(num(2), x(2))));
    for (int k = 0; k < 3; k++) check_solution(sum, k, SOLVE_ALWAYS);
    /* several places, linear all the same */
    Term twice = eq(mul(x(0), add(x(1), num(1))), add(mul(num(3), x(0)), x(2)));
    check_solution(twice, 0, SOLVE_FACTOR);
    check_solution(eq(x(0), op2(TERM_DIV, x(1), x(2))), 1, SOLVE_ALWAYS);
    check_solution(eq(x(0), op2(TERM_DIV, x(1), x(2))), 2, SOLVE_NONE);
    /* branches with the same coefficient */
    Term c = op2(TERM_GREATER, x(1), num(0));
    check_solution(
        eq(num(0), expr_3(&shapes, TERM_IF, c, add(x(0), x(1)), add(x(0), x(2)))), 0,
        SOLVE_NONE); /* slot 0 is the condition here */
    Term piecewise =
        eq(x(3), expr_3(&shapes, TERM_IF, c, add(x(0), x(1)), add(x(0), x(2))));
    int shape = shape_of(&shapes, piecewise, NULL);
    assert_int_equal(shape_solve(&shapes, shape, 2).kind, SOLVE_ALWAYS);
    /* a coefficient that is zero in one branch is no formula to rely on */
    Term ideal = eq(expr_3(&shapes, TERM_IF, c, x(0), num(0)), x(2));
    shape = shape_of(&shapes, ideal, NULL);
    assert_int_equal(shape_solve(&shapes, shape, 1).kind, SOLVE_FACTOR);
}

static void invertible_functions_are_inverted(void **state) {
    (void)state;
    check_solution(eq(x(0), op1(TERM_EXP, mul(x(1), num(2)))), 1, SOLVE_ALWAYS);
    check_solution(eq(x(0), op1(TERM_LOG, add(x(1), num(2)))), 1, SOLVE_ALWAYS);
    check_solution(eq(x(0), mul(x(2), op1(TERM_LOG10, x(1)))), 2, SOLVE_FACTOR);
    check_solution(eq(x(0), op1(TERM_SIN, x(1))), 1, SOLVE_NONE);
    check_solution(eq(x(0), mul(x(1), x(1))), 1, SOLVE_NONE);
    check_solution(eq(mul(x(0), x(0)), x(1)), 1, SOLVE_ALWAYS);
}

static void discrete_equations_are_solved_for_their_variable(void **state) {
    (void)state;
    Term b = expr_slot(&shapes, 0, TYPE_BOOLEAN), c = op2(TERM_GREATER, x(1), num(2));
    int  s = shape_of(&shapes, eq(b, c), NULL);
    assert_int_equal(shape_solve(&shapes, s, 0).kind, SOLVE_ALWAYS);
    assert_text(shape_solve(&shapes, s, 0).value, "$1 > 2.0");
    s = shape_of(&shapes, eq(op1(TERM_NOT, b), c), NULL);
    assert_text(shape_solve(&shapes, s, 0).value, "not $1 > 2.0");
    Term d = expr_slot(&shapes, 1, TYPE_BOOLEAN);
    s = shape_of(&shapes, eq(b, op2(TERM_AND, b, d)), NULL);
    assert_int_equal(shape_solve(&shapes, s, 0).kind, SOLVE_NONE);
}

static void degrees(void **state) {
    (void)state;
    bool set[] = {true, true, false};
    assert_int_equal(expr_degree(&shapes, mul(x(0), x(2)), set, 3), DEGREE_LINEAR);
    assert_int_equal(expr_degree(&shapes, mul(x(0), x(1)), set, 3), DEGREE_NONLINEAR);
    assert_int_equal(expr_degree(&shapes, op1(TERM_SIN, x(2)), set, 3), DEGREE_NONE);
    assert_int_equal(expr_degree(&shapes, op2(TERM_DIV, x(2), x(0)), set, 3),
                     DEGREE_NONLINEAR);
    Term c = op2(TERM_GREATER, x(0), num(0));
    assert_int_equal(
        expr_degree(&shapes, expr_3(&shapes, TERM_IF, c, x(0), x(1)), set, 3),
        DEGREE_NONLINEAR);
    Term free = op2(TERM_GREATER, x(2), num(0));
    assert_int_equal(
        expr_degree(&shapes, expr_3(&shapes, TERM_IF, free, x(0), x(1)), set, 3),
        DEGREE_LINEAR);
}

static void simplification_keeps_values(void **state) {
    (void)state;
    assert_text(expr_simplify(&shapes, expr_sub(&shapes, x(0), x(0))), "0.0");
    assert_text(expr_simplify(&shapes, add(x(0), add(x(0), mul(num(3), x(0))))),
                "5.0*$0");
    assert_text(expr_simplify(&shapes, mul(x(0), mul(x(1), x(0)))), "$0^2.0*$1");
    assert_text(expr_simplify(&shapes, expr_sub(&shapes, x(0), add(x(1), x(0)))), "-$1");
    assert_text(expr_simplify(&shapes, op2(TERM_DIV, x(0), op2(TERM_DIV, x(1), x(2)))),
                "$0*$2/$1");
    assert_text(expr_simplify(&shapes, op2(TERM_DIV, x(0), x(0))), "$0/$0");
    double at[] = {0.4, 0.7, 1.3};
    Term   e = expr_sub(&shapes, mul(add(x(0), x(1)), op2(TERM_POW, x(2), num(2))),
                        mul(x(2), mul(x(0), add(x(2), x(2)))));
    assert_true(fabs(value_at(e, at, 0) - value_at(expr_simplify(&shapes, e), at, 0)) <
                1e-14);
}

static void a_deep_expression_does_not_recurse(void **state) {
    (void)state;
    Term e = x(0);
    for (int i = 0; i < 200000; i++) e = op1(TERM_SIN, add(e, x(1)));
    bool set[] = {true, false};
    assert_int_equal(expr_degree(&shapes, e, set, 2), DEGREE_NONLINEAR);
    const char *reason;
    assert_int_not_equal(expr_partial(&shapes, e, 0, &reason), 0);
    double at[] = {0.1, 0.2};
    assert_true(isfinite(value_at(e, at, 0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(partial_derivatives_match_differences, begin,
                                        end),
        cmocka_unit_test_setup_teardown(the_time_derivative_has_slots_for_the_derivatives,
                                        begin, end),
        cmocka_unit_test_setup_teardown(no_derivative_is_explained, begin, end),
        cmocka_unit_test_setup_teardown(function_bodies_are_differentiated, begin, end),
        cmocka_unit_test_setup_teardown(linear_equations_are_solved, begin, end),
        cmocka_unit_test_setup_teardown(invertible_functions_are_inverted, begin, end),
        cmocka_unit_test_setup_teardown(discrete_equations_are_solved_for_their_variable,
                                        begin, end),
        cmocka_unit_test_setup_teardown(degrees, begin, end),
        cmocka_unit_test_setup_teardown(simplification_keeps_values, begin, end),
        cmocka_unit_test_setup_teardown(a_deep_expression_does_not_recurse, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
