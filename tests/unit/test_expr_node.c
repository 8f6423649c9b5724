/* SPDX-License-Identifier: Apache-2.0 */
/* test_expr_node.c -- hash-consing, folding, canonical slots, text, values. */
#include "expr/expr.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
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

static Term add(Term a, Term b) {
    return expr_2(&shapes, TERM_ADD, a, b);
}

static Term mul(Term a, Term b) {
    return expr_2(&shapes, TERM_MUL, a, b);
}

static void assert_text(Term e, const char *expected) {
    Text text = {0};
    expr_print(&shapes, e, NULL, NULL, &text);
    assert_string_equal(text_get(&text), expected);
    text_free(&text);
}

static void equal_text_is_one_node(void **state) {
    (void)state;
    Term a = mul(x(0), add(x(1), num(2))), b = mul(x(0), add(x(1), num(2)));
    assert_int_equal(a, b);
    assert_int_not_equal(a, mul(x(0), add(x(1), num(3))));
    uint32_t before = shapes.nodes;
    for (int i = 0; i < 1000; i++) mul(x(0), add(x(1), num(2)));
    assert_int_equal(shapes.nodes, before);
}

static void arguments_have_smaller_numbers(void **state) {
    (void)state;
    Term e = mul(add(x(3), x(1)), expr_1(&shapes, TERM_SIN, add(x(0), num(1))));
    int  n = expr_walk(&shapes, e);
    for (int i = 0; i < n; i++)
        for (uint32_t k = 0; k < shapes.node[shapes.walk[i]].n; k++)
            assert_true(expr_arg(&shapes, shapes.walk[i], k) < shapes.walk[i]);
    assert_int_equal(shapes.walk[n - 1], e);
}

static void literals_fold_and_signs_move_out(void **state) {
    (void)state;
    Term neg = expr_1(&shapes, TERM_NEG, x(0));
    assert_text(add(num(1), num(2)), "3.0");
    assert_text(add(add(x(0), num(1)), add(x(1), num(2))), "$0 + $1 + 3.0");
    assert_text(mul(x(0), mul(num(2), x(1))), "2.0*$0*$1");
    assert_text(mul(neg, x(1)), "-$0*$1");
    assert_text(mul(neg, num(-2)), "2.0*$0");
    assert_text(expr_2(&shapes, TERM_DIV, neg, x(1)), "-$0/$1");
    assert_int_equal(add(x(0), num(0)), x(0));
    assert_int_equal(mul(x(0), num(1)), x(0));
    assert_int_equal(expr_1(&shapes, TERM_NEG, neg), x(0));
    assert_text(mul(x(0), num(0)), "0.0");
    assert_text(expr_2(&shapes, TERM_POW, num(2), num(10)), "1024.0");
    assert_text(expr_2(&shapes, TERM_DIV, num(1), num(0)),
                "1.0/0.0"); /* not folded away */
    assert_text(expr_1(&shapes, TERM_LOG, num(-1)), "log(-1.0)");
}

static void integers_stay_integers(void **state) {
    (void)state;
    Term i = expr_number(&shapes, 0), two = expr_integer(&shapes, 2);
    assert_int_equal(shapes.node[add(i, two)].type, TYPE_INTEGER);
    assert_int_equal(shapes.node[mul(i, x(1))].type, TYPE_REAL);
    assert_int_equal(shapes.node[expr_2(&shapes, TERM_DIV, i, two)].type, TYPE_REAL);
    assert_text(add(two, expr_integer(&shapes, 3)), "5");
    /* adding Real 0 changes the type, so it is not simply dropped */
    assert_int_equal(shapes.node[add(i, num(0))].type, TYPE_REAL);
}

static void conditions_decide(void **state) {
    (void)state;
    Term yes = expr_boolean(&shapes, true), no = expr_boolean(&shapes, false);
    Term c = expr_2(&shapes, TERM_GREATER, x(0), num(0));
    assert_int_equal(expr_3(&shapes, TERM_IF, yes, x(1), x(2)), x(1));
    assert_int_equal(expr_3(&shapes, TERM_IF, c, x(1), x(1)), x(1));
    assert_int_equal(expr_make(&shapes, TERM_IF, (Term[]){no, x(1), c, x(2), x(3)}, 5),
                     expr_3(&shapes, TERM_IF, c, x(2), x(3)));
    assert_int_equal(expr_2(&shapes, TERM_AND, c, yes), c);
    assert_int_equal(expr_2(&shapes, TERM_OR, c, yes), yes);
    assert_text(expr_3(&shapes, TERM_IF, c, x(1), mul(x(2), add(x(1), x(0)))),
                "if $0 > 0.0 then $1 else $2*($1 + $0)");
}

static void events_are_known_and_noevent_hides_them(void **state) {
    (void)state;
    Term c = expr_2(&shapes, TERM_GREATER, x(0), num(0));
    Term e = expr_3(&shapes, TERM_IF, c, x(1), x(2));
    assert_true(shapes.node[e].flags & NODE_EVENTS);
    assert_false(shapes.node[expr_1(&shapes, TERM_NO_EVENT, e)].flags & NODE_EVENTS);
    Term i = expr_2(&shapes, TERM_GREATER, expr_slot(&shapes, 0, TYPE_INTEGER),
                    expr_integer(&shapes, 3));
    assert_false(shapes.node[i].flags & NODE_EVENTS); /* integers change at events only */
}

static void slots_are_numbered_by_first_appearance(void **state) {
    (void)state;
    /* R*i = v with slots given in two orders: one shape */
    Term       a = expr_2(&shapes, TERM_EQUATION, mul(x(0), x(1)), x(2));
    Term       b = expr_2(&shapes, TERM_EQUATION, mul(x(2), x(0)), x(7));
    const int *order;
    int        s = shape_of(&shapes, a, &order);
    assert_null(order);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(shape_of(&shapes, b, &order), s);
        assert_non_null(order);
        assert_int_equal(order[0], 2);
        assert_int_equal(order[1], 0);
        assert_int_equal(order[2], 7);
    }
    assert_int_equal(shapes.shape[s].slots, 3);
    assert_int_equal(shapes.count, 1);
    /* the second use of a slot is not a new slot */
    int t =
        shape_of(&shapes, expr_2(&shapes, TERM_EQUATION, mul(x(0), x(0)), x(1)), NULL);
    assert_int_equal(shapes.shape[t].slots, 2);
    assert_int_equal(shape_merge(&shapes, s, 1, 0, &order), t);
}

static double env_slot(void *context, int slot) {
    return ((double *)context)[slot];
}

static double env_element(void *context, int slot, const int *subscript, int rank) {
    (void)context;
    return slot * 100 + subscript[0] * 10 + (rank > 1 ? subscript[1] : 0);
}

static int env_size(void *context, int slot, int dimension) {
    (void)context;
    (void)slot;
    return dimension == 1 ? 4 : 3;
}

static void values(void **state) {
    (void)state;
    double  slot[] = {2, 3, 0.5};
    EvalEnv env = {.context = slot,
                   .slot = env_slot,
                   .element = env_element,
                   .size = env_size,
                   .time = 7};
    double  v;
    Term    e = add(mul(x(0), x(1)), expr_1(&shapes, TERM_SIN, x(2)));
    assert_true(expr_eval(&shapes, e, &env, &v));
    assert_true(fabs(v - (6 + sin(0.5))) < 1e-15);
    assert_true(expr_eval(&shapes, expr_time(&shapes), &env, &v));
    assert_true(v == 7);
    /* a branch that has no value does no harm when it is not taken */
    Term c = expr_2(&shapes, TERM_GREATER, x(0), num(0));
    e = expr_3(&shapes, TERM_IF, c, x(1), expr_1(&shapes, TERM_LOG, num(-1)));
    assert_true(expr_eval(&shapes, e, &env, &v));
    assert_true(v == 3);
    assert_false(expr_eval(&shapes, expr_1(&shapes, TERM_LOG, num(-1)), &env, &v));
    assert_true(expr_eval(&shapes, expr_2(&shapes, TERM_MOD, num(-1), x(1)), &env, &v));
    assert_true(v == 2);
}

static void a_sum_has_one_shape_for_every_length(void **state) {
    (void)state;
    Term    a = expr_array_slot(&shapes, 5, TYPE_REAL, 1), i = expr_iterator(&shapes, 0);
    Term    n = expr_2(&shapes, TERM_SIZE, a, expr_integer(&shapes, 1));
    Term    body = expr_2(&shapes, TERM_ELEMENT, a, i);
    Term    sum = expr_indexed(&shapes, TERM_SUM_OF, 0, (Term[]){n, body}, 2);
    double  v, slot[1] = {0};
    EvalEnv env = {
        .context = slot, .slot = env_slot, .element = env_element, .size = env_size};
    assert_true(expr_eval(&shapes, sum, &env, &v));
    assert_true(v == 4 * 500 + 100);
    assert_text(sum, "sum($5[i1] for i1 in 1:size($5, 1))");
    /* nested: a matrix */
    Term m = expr_array_slot(&shapes, 1, TYPE_REAL, 2), j = expr_iterator(&shapes, 1);
    Term inner =
        expr_indexed(&shapes, TERM_SUM_OF, 1,
                     (Term[]){expr_2(&shapes, TERM_SIZE, m, expr_integer(&shapes, 2)),
                              expr_3(&shapes, TERM_ELEMENT, m, i, j)},
                     2);
    Term outer = expr_indexed(
        &shapes, TERM_SUM_OF, 0,
        (Term[]){expr_2(&shapes, TERM_SIZE, m, expr_integer(&shapes, 1)), inner}, 2);
    assert_true(expr_eval(&shapes, outer, &env, &v));
    assert_true(v == 12 * 100 + 3 * 100 + 4 * 6);
}

static void numbers_read_back_equal(void **state) {
    (void)state;
    double list[] = {0.1, 1.0 / 3, 1e300, 5e-324, 123456789, -2.5, 1e15};
    for (int i = 0; i < LENGTH(list); i++) {
        Text text = {0};
        text_number(&text, list[i]);
        assert_true(strtod(text_get(&text), NULL) == list[i]);
        text_free(&text);
    }
    assert_text(num(0.1), "0.1");
    assert_text(num(3), "3.0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_text_is_one_node, begin, end),
        cmocka_unit_test_setup_teardown(arguments_have_smaller_numbers, begin, end),
        cmocka_unit_test_setup_teardown(literals_fold_and_signs_move_out, begin, end),
        cmocka_unit_test_setup_teardown(integers_stay_integers, begin, end),
        cmocka_unit_test_setup_teardown(conditions_decide, begin, end),
        cmocka_unit_test_setup_teardown(events_are_known_and_noevent_hides_them, begin,
                                        end),
        cmocka_unit_test_setup_teardown(slots_are_numbered_by_first_appearance, begin,
                                        end),
        cmocka_unit_test_setup_teardown(values, begin, end),
        cmocka_unit_test_setup_teardown(a_sum_has_one_shape_for_every_length, begin, end),
        cmocka_unit_test_setup_teardown(numbers_read_back_equal, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
