/* SPDX-License-Identifier: Apache-2.0 */
/* fault.c -- which operations may fail, so that they are evaluated only where they are needed.
 *
 * A subscript may be outside its array; a function may violate an assertion, fail outside
 * Modelica, print or not come to an end. Everything else gives a value, if only NaN, which does
 * no harm where it is not used. */
#include "expr/expr.h"

static bool subscript_may_fault(const Shapes *shapes, Term x) {
    const Node *node = expr_node(shapes, x);
    for (uint32_t k = 1; k < node->n; k++)
        if (!expr_is_literal(shapes, expr_arg(shapes, x, k))) return true;
    return false;
}

typedef bool Test(Shapes *shapes, Term x);

/* Does a node below root pass the test? */
static bool any(Shapes *shapes, Term root, Test *test) {
    if (!root) return false;
    int   n = expr_walk(shapes, root);
    Term *list = mem_take((size_t)n, sizeof *list);
    bool  found = false;
    for (int i = 0; i < n; i++) list[i] = shapes->walk[i];
    for (int i = 0; i < n && !found; i++) found = test(shapes, list[i]);
    mem_free(list);
    return found;
}

static bool any_may_fault(Shapes *shapes, Term root) {
    return any(shapes, root, expr_may_fault);
}

/* While the body is looked at, the function counts as one that may fail: recursion may. */
static bool function_may_fault(Shapes *shapes, Function *f) {
    if (f->faults != FAULTS_UNKNOWN) return f->faults == FAULTS_MAYBE;
    f->faults = FAULTS_MAYBE;
    if (f->external || f->flags & (FUNCTION_IMPURE | FUNCTION_ALGORITHM)) return true;
    for (int k = 0; k < f->vars; k++)
        if (f->var[k].rank || any_may_fault(shapes, f->var[k].init)) return true;
    for (int k = 0; k < f->stmts; k++) {
        const Stmt *s = &f->stmt[k];
        if (s->kind == STMT_WHILE || s->kind == STMT_CALL || s->kind == STMT_WHEN)
            return true;
        if (any_may_fault(shapes, s->a) || any_may_fault(shapes, s->b) ||
            any_may_fault(shapes, s->c) || any_may_fault(shapes, s->step))
            return true;
    }
    f->faults = FAULTS_NEVER;
    return false;
}

bool expr_may_fault(Shapes *shapes, Term x) {
    const Node *node = expr_node(shapes, x);
    if (node->op == TERM_ELEMENT) return subscript_may_fault(shapes, x);
    if (node->op != TERM_CALL) return false;
    if (node->index < 0 || node->index >= shapes->functions) return true;
    return function_may_fault(shapes, shapes->function[node->index]);
}

static bool may_be_undefined(Shapes *shapes, Term x) {
    switch (expr_op(shapes, x)) {
    case TERM_DIV:
    case TERM_QUOTIENT:
    case TERM_MOD:
    case TERM_REM: return !expr_is_literal(shapes, expr_arg(shapes, x, 1));
    case TERM_POW:
    case TERM_SQRT:
    case TERM_LOG:
    case TERM_LOG10:
    case TERM_ASIN:
    case TERM_ACOS:
    case TERM_TAN:
    case TERM_EXP:
    case TERM_SINH:
    case TERM_COSH: return true;
    default: return expr_may_fault(shapes, x);
    }
}

bool expr_may_be_undefined(Shapes *shapes, Term root) {
    return any(shapes, root, may_be_undefined);
}
