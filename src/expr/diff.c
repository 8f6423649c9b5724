/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c -- the derivative of an expression in a direction, as an expression.
 *
 * Forward mode: every slot is given its own derivative (0 where it is constant, a new slot for
 * der(x) or a seed, 1 for a partial derivative) and the chain rule runs once over the nodes
 * in ascending order. Time derivatives for index reduction, partial derivatives and tangent
 * kernels are the same routine with different seeds. The result shares the nodes of the
 * original, so its size is a small multiple of it (Griewank and Walther, Evaluating
 * Derivatives, 2008, chapter 3). */
#include "expr/expr.h"

#include <stdlib.h>
#include <string.h>

typedef struct Diff {
    Shapes     *shapes;
    const Expr *seed;   /* by slot: its derivative, 0 if constant */
    int         seeds;  /* slots beyond have derivative 0 */
    bool        time;   /* with respect to time */
    Expr       *d;      /* by place in the walk; shapes->zero if constant */
    const char *reason; /* why there is no derivative, NULL if there is */
} Diff;

static Expr mul(Diff *f, Expr a, Expr b) {
    return expr_2(f->shapes, OP_MUL, a, b);
}

static Expr add(Diff *f, Expr a, Expr b) {
    return expr_2(f->shapes, OP_ADD, a, b);
}

static Expr divide(Diff *f, Expr a, Expr b) {
    return expr_2(f->shapes, OP_DIV, a, b);
}

static Expr fun(Diff *f, Op op, Expr a) {
    return expr_1(f->shapes, op, a);
}

static Expr number(Diff *f, double value) {
    return expr_real(f->shapes, value);
}

static Expr square(Diff *f, Expr a) {
    return expr_2(f->shapes, OP_POW, a, number(f, 2));
}

/* noEvent(if a >= b then x else y): the choice never causes an event of its own. */
static Expr choose(Diff *f, Expr a, Expr b, Expr x, Expr y) {
    Expr c = expr_2(f->shapes, OP_GREATER_EQUAL, a, b);
    return fun(f, OP_NO_EVENT, expr_3(f->shapes, OP_IF, c, x, y));
}

static Expr product(Diff *f, const Expr *a, const Expr *d, uint32_t n) {
    Expr  sum = f->shapes->zero;
    Expr *factor = malloc(n * sizeof *factor);
    if (!factor) abort();
    for (uint32_t k = 0; k < n; k++) {
        if (d[k] == f->shapes->zero) continue;
        memcpy(factor, a, n * sizeof *factor);
        factor[k] = d[k];
        sum = add(f, sum, expr_make(f->shapes, OP_MUL, factor, (int)n));
    }
    free(factor);
    return sum;
}

static Expr power(Diff *f, Expr e, Expr a, Expr b, Expr da, Expr db) {
    Expr zero = f->shapes->zero, result = zero;
    if (da != zero) {
        Expr less = add(f, b, number(f, -1));
        result = mul(f, mul(f, b, expr_2(f->shapes, OP_POW, a, less)), da);
    }
    if (db != zero) result = add(f, result, mul(f, mul(f, e, fun(f, OP_LOG, a)), db));
    return result;
}

/* f'(a) of a function of one argument, 0 if op is none. */
static Expr outer(Diff *f, Op op, Expr e, Expr a) {
    Expr one = f->shapes->one;
    switch (op) {
    case OP_SQRT: return divide(f, number(f, 0.5), e);
    case OP_SIN: return fun(f, OP_COS, a);
    case OP_COS: return fun(f, OP_NEG, fun(f, OP_SIN, a));
    case OP_TAN: return add(f, one, square(f, e));
    case OP_ASIN:
        return divide(f, one, fun(f, OP_SQRT, add(f, one, fun(f, OP_NEG, square(f, a)))));
    case OP_ACOS:
        return fun(
            f, OP_NEG,
            divide(f, one, fun(f, OP_SQRT, add(f, one, fun(f, OP_NEG, square(f, a))))));
    case OP_ATAN: return divide(f, one, add(f, one, square(f, a)));
    case OP_SINH: return fun(f, OP_COSH, a);
    case OP_COSH: return fun(f, OP_SINH, a);
    case OP_TANH: return add(f, one, fun(f, OP_NEG, square(f, e)));
    case OP_EXP: return e;
    case OP_LOG: return divide(f, one, a);
    case OP_LOG10: return divide(f, one, mul(f, number(f, 2.302585092994045684), a));
    case OP_ABS: return choose(f, a, number(f, 0), one, number(f, -1));
    default: return 0;
    }
}

/* An array of zeros with the sizes of array a. */
static Expr zeros_like(Diff *f, Expr a) {
    Shapes *shapes = f->shapes;
    Expr    e = shapes->zero;
    for (int d = shapes->node[a].rank; d >= 1; d--) {
        Expr size = expr_2(shapes, OP_SIZE, a, expr_integer(shapes, d));
        e = expr_indexed(shapes, OP_EACH, 15 - d, (Expr[]){size, e}, 2);
    }
    return e;
}

static Expr branches(Diff *f, Op op, const Expr *a, const Expr *d, uint32_t n) {
    Expr *arg = malloc(n * sizeof *arg);
    if (!arg) abort();
    for (uint32_t k = 0; k < n; k++) arg[k] = k % 2 || k == n - 1 ? d[k] : a[k];
    Expr result = expr_make(f->shapes, op, arg, (int)n);
    free(arg);
    return result;
}

/* A call: the annotated or generated derivative function gets the arguments and, for each
 * Real input it wants, the derivative. */
static Expr call(Diff *f, const Node *node, const Expr *a, const Expr *d) {
    Shapes *shapes = f->shapes;
    bool    constant = true;
    for (uint32_t k = 0; k < node->n; k++) constant &= d[k] == shapes->zero;
    if (constant) return shapes->zero;
    bool       *zero = calloc(node->n + 1, sizeof *zero);
    Expr       *arg = malloc((2 * node->n + 1) * sizeof *arg);
    const bool *wanted;
    if (!zero || !arg) abort();
    for (uint32_t k = 0; k < node->n; k++) zero[k] = d[k] == shapes->zero;
    int  g = function_derivative(shapes, node->index, zero, &wanted);
    Expr result = 0;
    int  n = 0;
    if (g < 0) {
        f->reason = "a function has no derivative";
    } else {
        for (uint32_t k = 0; k < node->n; k++) arg[n++] = a[k];
        for (uint32_t k = 0; k < node->n; k++) {
            if (!wanted[k]) continue;
            arg[n++] = d[k] == shapes->zero ? zeros_like(f, a[k]) : d[k];
        }
        int which = (int)node->integer;
        if (which >= 0) which = function_derivative_output(shapes, node->index, which);
        result = expr_call(shapes, g, which, (Type)node->type, node->rank, arg, n);
    }
    free(arg);
    free(zero);
    return result ? result : shapes->zero;
}

static bool any(const Shapes *shapes, const Expr *d, uint32_t n) {
    for (uint32_t k = 0; k < n; k++)
        if (d[k] != shapes->zero) return true;
    return false;
}

static Expr elementwise(Diff *f, Expr e, const Expr *a, const Expr *d, uint32_t n) {
    Expr *arg = malloc(n * sizeof *arg);
    if (!arg) abort();
    for (uint32_t k = 0; k < n; k++)
        arg[k] = d[k] == f->shapes->zero ? zeros_like(f, a[k]) : d[k];
    Expr result = expr_rebuild(f->shapes, e, arg);
    free(arg);
    return result;
}

/* Derivative of node e with arguments a and their derivatives d. */
static Expr derive(Diff *f, Expr e, const Node *node, const Expr *a, const Expr *d) {
    Shapes *shapes = f->shapes;
    Expr    zero = shapes->zero, rule;
    switch (node->op) {
    case OP_TIME: return f->time ? shapes->one : zero;
    case OP_SLOT:
    case OP_ARRAY_SLOT:
        return node->index < f->seeds && f->seed[node->index] && node->type == TYPE_REAL
                   ? f->seed[node->index]
                   : zero;
    case OP_EQUATION: return expr_2(shapes, OP_EQUATION, d[0], d[1]);
    case OP_TUPLE: return expr_make(shapes, OP_TUPLE, d, (int)node->n);
    }
    if (!node->n || !any(shapes, d, node->n)) return zero;
    if ((rule = outer(f, (Op)node->op, e, a[0]))) return mul(f, rule, d[0]);
    switch (node->op) {
    case OP_ADD: return expr_make(shapes, OP_ADD, d, (int)node->n);
    case OP_NEG:
    case OP_NO_EVENT: return fun(f, (Op)node->op, d[0]);
    case OP_MUL: return product(f, a, d, node->n);
    case OP_DIV: return divide(f, add(f, d[0], fun(f, OP_NEG, mul(f, e, d[1]))), a[1]);
    case OP_POW: return power(f, e, a[0], a[1], d[0], d[1]);
    case OP_IF: return branches(f, OP_IF, a, d, node->n);
    case OP_ATAN2:
        return divide(f, add(f, mul(f, a[1], d[0]), fun(f, OP_NEG, mul(f, a[0], d[1]))),
                      add(f, square(f, a[0]), square(f, a[1])));
    case OP_MIN: return choose(f, a[1], a[0], d[0], d[1]);
    case OP_MAX: return choose(f, a[0], a[1], d[0], d[1]);
    case OP_MOD: /* x - floor(x/y)*y */
        rule = fun(f, OP_NO_EVENT, fun(f, OP_FLOOR, divide(f, a[0], a[1])));
        return add(f, d[0], fun(f, OP_NEG, mul(f, rule, d[1])));
    case OP_REM:
        rule = fun(f, OP_NO_EVENT,
                   expr_2(shapes, OP_QUOTIENT, divide(f, a[0], a[1]), shapes->one));
        return add(f, d[0], fun(f, OP_NEG, mul(f, rule, d[1])));
    case OP_SMOOTH: {
        double order = 0;
        expr_literal(shapes, a[0], &order);
        return order >= 1 ? expr_2(shapes, OP_SMOOTH,
                                   expr_integer(shapes, (int64_t)order - 1), d[1])
                          : d[1];
    }
    case OP_HOMOTOPY: return expr_2(shapes, OP_HOMOTOPY, d[0], d[1]);
    case OP_SEMI_LINEAR:
        return choose(f, a[0], number(f, 0),
                      add(f, mul(f, d[0], a[1]), mul(f, a[0], d[1])),
                      add(f, mul(f, d[0], a[2]), mul(f, a[0], d[2])));
    case OP_DELAY: /* of the past: independent of present values */
        if (!f->time) return zero;
        if (d[1] != zero) f->reason = "the time of a delay changes";
        return d[0] == zero ? zero : expr_2(shapes, OP_DELAY, d[0], a[1]);
    case OP_SUM_OF:
    case OP_EACH:
        return expr_indexed(shapes, (Op)node->op, node->index, (Expr[]){a[0], d[1]}, 2);
    case OP_ARRAY: return elementwise(f, e, a, d, node->n);
    case OP_ELEMENT: {
        if (d[0] == zero) return zero;
        Expr *arg = malloc(node->n * sizeof *arg);
        if (!arg) abort();
        memcpy(arg, a, node->n * sizeof *arg);
        arg[0] = d[0];
        rule = expr_make(shapes, OP_ELEMENT, arg, (int)node->n);
        free(arg);
        return rule;
    }
    case OP_CALL: return call(f, node, a, d);
    case OP_PRODUCT_OF:
    case OP_MIN_OF:
    case OP_MAX_OF:
        f->reason = "a product, minimum or maximum over an array has no derivative here";
        return zero;
    case OP_SPATIAL: f->reason = "spatialDistribution has no derivative"; return zero;
    default: return zero; /* piecewise constant: relations, floor, discrete values */
    }
}

Expr expr_tangent(Shapes *shapes, Expr root, const Expr *seed, int seeds, bool time,
                  const char **reason) {
    Diff f = {.shapes = shapes, .seed = seed, .seeds = seeds, .time = time};
    int  n = expr_walk(shapes, root);
    if (shapes->node[root].flags &
        NODE_CALLS) { /* making derivatives walks too: do it first */
        Expr *call_node = malloc((size_t)n * sizeof *call_node);
        int   calls = 0;
        if (!call_node) abort();
        for (int i = 0; i < n; i++)
            if (expr_op(shapes, shapes->walk[i]) == OP_CALL)
                call_node[calls++] = shapes->walk[i];
        for (int i = 0; i < calls; i++)
            function_prepare_derivative(shapes, shapes->node[call_node[i]].index);
        free(call_node);
        n = expr_walk(shapes, root);
    }
    Expr *list = malloc((size_t)n * 2 * sizeof *list);
    if (!list) abort();
    memcpy(list, shapes->walk, (size_t)n * sizeof *list);
    f.d = list + n;
    Expr  *arg = NULL;
    size_t room = 0;
    for (int i = 0; i < n && !f.reason; i++) {
        Node node = shapes->node[list[i]];
        if (node.n > room) {
            free(arg);
            room = node.n + 8;
            arg = malloc(2 * room * sizeof *arg);
            if (!arg) abort();
        }
        Expr *d = arg + room;
        for (uint32_t k = 0; k < node.n; k++) {
            arg[k] = shapes->arg[node.arg + k];
            d[k] = f.d[shapes->place[arg[k]]];
        }
        f.d[i] = derive(&f, list[i], &node, arg, d);
    }
    Expr result = f.reason ? 0 : f.d[n - 1];
    if (reason) *reason = f.reason;
    free(arg);
    free(list);
    return result;
}

Expr expr_partial(Shapes *shapes, Expr root, int slot, const char **reason) {
    Expr *seed = calloc((size_t)slot + 1, sizeof *seed);
    if (!seed) abort();
    seed[slot] = shapes->one;
    if (expr_op(shapes, root) == OP_EQUATION) root = expr_residual(shapes, root);
    Expr result = expr_tangent(shapes, root, seed, slot + 1, false, reason);
    free(seed);
    return result ? expr_simplify(shapes, result) : 0;
}

Expr expr_residual(Shapes *shapes, Expr equation) {
    return expr_sub(shapes, expr_arg(shapes, equation, 0), expr_arg(shapes, equation, 1));
}

int shape_dtime(Shapes *shapes, int shape, const int8_t *rate, const int **order,
                const char **reason) {
    int   slots = shapes->shape[shape].slots;
    Expr *seed = calloc((size_t)slots + 1, sizeof *seed);
    if (!seed) abort();
    for (int k = 0; k < slots; k++) {
        Node leaf = shapes->node[shape_leaf(shapes, shape, k)];
        if (!rate[k] || leaf.type != TYPE_REAL || leaf.op == OP_NUMBER) continue;
        seed[k] = leaf.op == OP_SLOT
                      ? expr_slot(shapes, slots + k, TYPE_REAL)
                      : expr_array_slot(shapes, slots + k, TYPE_REAL, leaf.rank);
        if (rate[k] < 0) seed[k] = expr_1(shapes, OP_NEG, seed[k]);
    }
    Expr root = shapes->shape[shape].root;
    Expr d = expr_tangent(shapes, root, seed, slots, true, reason);
    free(seed);
    if (!d) return -1;
    return shape_of(shapes, expr_simplify(shapes, d), order);
}
