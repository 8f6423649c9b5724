/* SPDX-License-Identifier: Apache-2.0 */
/* eval.c -- the number an expression stands for.
 *
 * One pass over the nodes in ascending order. Both branches of an if are computed and one is
 * taken, which is harmless in floating point: a value that does not exist is a NaN and only
 * matters if it reaches the root. Bodies of reductions are evaluated once per element, in a
 * frame of their own; the depth of recursion is the depth of nested reductions. */
#include "expr/expr.h"
#include "expr/fold.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATORS = 16, MOST_RANK = 8 };

typedef struct Frame {
    Shapes        *shapes;
    const EvalEnv *env;
    int            iterator[MOST_ITERATORS];
} Frame;

static double eval(Frame *frame, Term root);

static double size_of(Frame *f, Term e) {
    Shapes     *shapes = f->shapes;
    const Node *array = expr_node(shapes, expr_arg(shapes, e, 0));
    double      dimension = 1;
    expr_literal(shapes, expr_arg(shapes, e, 1), &dimension);
    if (array->op == TERM_ARRAY && dimension == 1) return array->n;
    if (array->op != TERM_ARRAY_SLOT || !f->env->size) return NAN;
    return f->env->size(f->env->context, array->index, (int)dimension);
}

static double element_of(Frame *f, Term e, const double *subscript) {
    Shapes *shapes = f->shapes;
    Term    array = expr_arg(shapes, e, 0);
    int     rank = (int)shapes->node[e].n - 1;
    while (expr_op(shapes, array) == TERM_ARRAY && rank > 0) { /* {a, b, c}[i] */
        int at = (int)*subscript;
        if (at < 1 || at > (int)shapes->node[array].n) return NAN;
        array = expr_arg(shapes, array, (uint32_t)at - 1);
        subscript++;
        rank--;
    }
    if (!rank) return eval(f, array);
    if (expr_op(shapes, array) != TERM_ARRAY_SLOT || !f->env->element || rank > MOST_RANK)
        return NAN;
    int at[MOST_RANK];
    for (int d = 0; d < rank; d++) {
        if (!(fabs(subscript[d]) < 2e9)) return NAN;
        at[d] = (int)subscript[d];
    }
    return f->env->element(f->env->context, shapes->node[array].index, at, rank);
}

static double reduce(Frame *f, TermOp op, double length, int iterator, Term body) {
    double value = reduction_empty(op, (Type)expr_node(f->shapes, body)->type);
    if (iterator < 0 || iterator >= MOST_ITERATORS || !(length < 1e9)) return NAN;
    int outer = f->iterator[iterator];
    for (int i = 1; i <= (int)length; i++) {
        f->iterator[iterator] = i;
        double v = eval(f, body);
        if (op == TERM_SUM_OF) value += v;
        else if (op == TERM_PRODUCT_OF) value *= v;
        else if (isnan(v) || (op == TERM_MIN_OF ? v < value : v > value)) value = v;
    }
    f->iterator[iterator] = outer;
    return value;
}

static double operate(Frame *f, Term e, const double *x) {
    Shapes     *shapes = f->shapes;
    const Node *node = expr_node(shapes, e);
    int         n = (int)node->n;
    double      value = NAN;
    switch (node->op) {
    case TERM_REAL: return node->real;
    case TERM_INTEGER:
    case TERM_BOOLEAN:
    case TERM_ENUM: return (double)node->integer;
    case TERM_TIME: return f->env->time;
    case TERM_SLOT:
    case TERM_NUMBER: return f->env->slot(f->env->context, node->index);
    case TERM_ITERATOR:
        return node->index < MOST_ITERATORS ? f->iterator[node->index] : NAN;
    case TERM_AND:
        for (int k = 0; k < n; k++)
            if (x[k] == 0) return 0;
        return 1;
    case TERM_OR:
        for (int k = 0; k < n; k++)
            if (x[k] != 0) return 1;
        return 0;
    case TERM_IF:
    case TERM_WHEN:
        for (int k = 0; k + 1 < n; k += 2)
            if (x[k] != 0) return x[k + 1];
        return n % 2 ? x[n - 1] : NAN;
    case TERM_INITIAL: return f->env->initial;
    case TERM_TERMINAL: return 0;
    case TERM_EQUATION: return x[0] - x[1];
    case TERM_SIZE: return size_of(f, e);
    case TERM_ELEMENT: return element_of(f, e, x + 1);
    case TERM_SUM_OF:
    case TERM_PRODUCT_OF:
    case TERM_MIN_OF:
    case TERM_MAX_OF:
        return reduce(f, (TermOp)node->op, x[0], node->index, expr_arg(shapes, e, 1));
    case TERM_CALL:
        if (f->env->call &&
            f->env->call(f->env->context, node->index, (int)node->integer, x, n, &value))
            return value;
        return NAN;
    default:
        return term_value((TermOp)node->op, x, n, &value) || isinf(value) ? value : NAN;
    }
}

static double eval(Frame *frame, Term root) {
    Shapes *shapes = frame->shapes;
    int     n = expr_walk(shapes, root);
    size_t  most = 1;
    double *value = mem_take((size_t)n, sizeof *value);
    Term   *list = mem_take((size_t)n * 2, sizeof *list);
    memcpy(list, shapes->walk, (size_t)n * sizeof *list);
    for (int i = 0; i < n; i++)
        if (shapes->node[list[i]].n > most) most = shapes->node[list[i]].n;
    double *x = mem_take(most, sizeof *x);
    /* positions are kept by us: inner frames walk too */
    Map at = {0};
    for (int i = 0; i < n; i++) map_put(&at, list[i], i);
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(shapes, list[i]);
        for (uint32_t k = 0; k < node->n; k++)
            x[k] = value[map_get(&at, shapes->arg[node->arg + k], 0)];
        value[i] = node->rank ? NAN : operate(frame, list[i], x);
    }
    double result = value[n - 1];
    map_free(&at);
    MEM_FREE(x, value, list);
    return result;
}

bool expr_eval(Shapes *shapes, Term expr, const EvalEnv *env, double *value) {
    Frame frame = {.shapes = shapes, .env = env};
    for (int k = 0; k < MOST_ITERATORS; k++) frame.iterator[k] = 1;
    *value = eval(&frame, expr);
    return !isnan(*value);
}
