/* SPDX-License-Identifier: Apache-2.0 */
/* power.c -- A^n of a square matrix (Modelica 3.6, 10.6.7), with an exponent that may be known in
 * the run only.
 *
 * It is a call of a function that is made once for a model: y := identity, then n times y := y*A.
 * Being a function with statements it is evaluated, inlined and differentiated like any other.
 * Cost: n products of matrices. */
#include "flat/lower.h"

enum { VAR_A, VAR_N, VAR_Y, VAR_NEXT, VAR_COUNTER, POWER_VARS };

typedef struct Power {
    Shapes *shapes;
    Stmt    stmt[5];
    int     stmts;
    Pos     pos;
} Power;

static int add_stmt(Power *p, Stmt s) {
    s.pos = p->pos;
    p->stmt[p->stmts] = s;
    return p->stmts++;
}

static Term matrix_slot(Power *p, int var) {
    return expr_array_slot(p->shapes, var, TYPE_REAL, 2);
}

static Term element(Power *p, int var, Term i, Term j) {
    return expr_make(p->shapes, TERM_ELEMENT, (Term[]){matrix_slot(p, var), i, j}, 3);
}

static Term order_of(Power *p) {
    return expr_2(p->shapes, TERM_SIZE, matrix_slot(p, VAR_A),
                  expr_integer(p->shapes, 1));
}

/* var := {{body for j} for i}, where the body uses iterators 0 and 1. */
static Stmt fill_matrix(Power *p, int var, Term body) {
    for (int it = 1; it >= 0; it--)
        body = expr_indexed(p->shapes, TERM_EACH, it, (Term[]){order_of(p), body}, 2);
    return (Stmt){.kind = STMT_ASSIGN,
                  .a = matrix_slot(p, var),
                  .b = body,
                  .body = -1,
                  .other = -1,
                  .next = -1};
}

static void declare(Power *p, FunctionVar *var, const char *name, Type type, int rank,
                    bool sized) {
    *var = (FunctionVar){.name = str_of(p->shapes->strings, name),
                         .type = (uint8_t)type,
                         .rank = (uint8_t)rank,
                         .enumeration = -1};
    var->size = NEW(&p->shapes->arena, Term, rank + 1);
    for (int d = 0; d < rank && sized; d++) var->size[d] = order_of(p);
}

static int make_power(Lower *l, Pos pos) {
    Shapes      *shapes = l->shapes;
    Power        p = {.shapes = shapes, .pos = pos};
    FunctionVar *var = NEW(&shapes->arena, FunctionVar, POWER_VARS);
    declare(&p, &var[VAR_A], "A", TYPE_REAL, 2, false);
    declare(&p, &var[VAR_N], "n", TYPE_INTEGER, 0, false);
    declare(&p, &var[VAR_Y], "y", TYPE_REAL, 2, true);
    declare(&p, &var[VAR_NEXT], "next", TYPE_REAL, 2, true);
    declare(&p, &var[VAR_COUNTER], "k", TYPE_INTEGER, 0, false);
    Term i = expr_iterator(shapes, 0), j = expr_iterator(shapes, 1),
         m = expr_iterator(shapes, 2), n = expr_slot(shapes, VAR_N, TYPE_INTEGER);
    Term least = expr_2(shapes, TERM_GREATER_EQUAL, n, expr_integer(shapes, 0));
    Term text = expr_string(
        shapes, str_of(shapes->strings, "the exponent of a matrix is negative"));
    Term same =
        lower_choose(l, expr_2(shapes, TERM_EQUAL, i, j), shapes->one, shapes->zero);
    Term product =
        expr_2(shapes, TERM_MUL, element(&p, VAR_Y, i, m), element(&p, VAR_A, m, j));
    Term row = expr_indexed(shapes, TERM_SUM_OF, 2, (Term[]){order_of(&p), product}, 2);
    add_stmt(
        &p, (Stmt){.kind = STMT_CALL,
                   .a = expr_3(shapes, TERM_ASSERT, least, text, expr_integer(shapes, 2)),
                   .body = -1,
                   .other = -1,
                   .next = 1});
    int first = add_stmt(&p, fill_matrix(&p, VAR_Y, same));
    int loop = add_stmt(&p, (Stmt){.kind = STMT_FOR,
                                   .a = expr_slot(shapes, VAR_COUNTER, TYPE_INTEGER),
                                   .b = expr_integer(shapes, 1),
                                   .c = n,
                                   .body = 3,
                                   .other = -1,
                                   .next = -1});
    int next = add_stmt(&p, fill_matrix(&p, VAR_NEXT, row));
    int back = add_stmt(&p, (Stmt){.kind = STMT_ASSIGN,
                                   .a = matrix_slot(&p, VAR_Y),
                                   .b = matrix_slot(&p, VAR_NEXT),
                                   .body = -1,
                                   .other = -1,
                                   .next = -1});
    p.stmt[first].next = loop;
    p.stmt[next].next = back;
    Function f = {.name = str_of(shapes->strings, "'^' of a matrix"),
                  .pos = pos,
                  .inputs = 2,
                  .outputs = 1,
                  .vars = POWER_VARS,
                  .var = var,
                  .stmt = arena_copy(&shapes->arena, p.stmt, sizeof p.stmt),
                  .stmts = p.stmts,
                  .first = 0};
    f.inlines = (uint8_t)function_inlines(shapes, &f, false);
    return function_add(shapes, &f);
}

/* The whole matrix. */
Term lower_power_array(Lower *l, const Tx *tx) {
    static const char key;
    int64_t           number = map_get(&l->func, (uintptr_t)&key, -1);
    if (number < 0) {
        number = make_power(l, tx->pos);
        map_put(&l->func, (uintptr_t)&key, number);
    }
    bool split = l->split;
    l->split = lower_inlines(l, (int)number, NULL);
    Term args[2] = {lower_array(l, tx->arg[0]), lower_scalar(l, tx->arg[1], NULL)};
    l->split = split;
    if (l->failed || l->unroll) return l->shapes->zero;
    return expr_call(l->shapes, (int)number, 0, TYPE_REAL, 2, args, 2);
}

Term lower_power(Lower *l, const Tx *tx, const Idx *idx) {
    return lower_call_element(l, lower_power_array(l, tx), idx, 2);
}
