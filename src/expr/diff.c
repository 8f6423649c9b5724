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

#include <string.h>

typedef struct Diff {
    Shapes     *shapes;
    const Term *seed;  /* by slot: its derivative, 0 if constant */
    int         seeds; /* slots beyond have derivative 0 */
    Term        clock; /* derivative of the time, 0: it stands */
    bool        time;  /* with respect to time */
    bool        near;  /* calls without a derivative may be differenced */
    Term        root;
    Term       *d;      /* by place in the walk; shapes->zero if constant */
    const char *reason; /* why there is no derivative, NULL if there is */
} Diff;

static Term mul(Diff *f, Term a, Term b) {
    return expr_2(f->shapes, TERM_MUL, a, b);
}

static Term add(Diff *f, Term a, Term b) {
    return expr_2(f->shapes, TERM_ADD, a, b);
}

static Term divide(Diff *f, Term a, Term b) {
    return expr_2(f->shapes, TERM_DIV, a, b);
}

static Term fun(Diff *f, TermOp op, Term a) {
    return expr_1(f->shapes, op, a);
}

static Term number(Diff *f, double value) {
    return expr_real(f->shapes, value);
}

static Term square(Diff *f, Term a) {
    return expr_2(f->shapes, TERM_POW, a, number(f, 2));
}

/* noEvent(if a >= b then x else y): the choice never causes an event of its own. */
static Term choose(Diff *f, Term a, Term b, Term x, Term y) {
    Term c = expr_2(f->shapes, TERM_GREATER_EQUAL, a, b);
    return fun(f, TERM_NO_EVENT, expr_3(f->shapes, TERM_IF, c, x, y));
}

static Term product(Diff *f, const Term *a, const Term *d, uint32_t n) {
    Term  sum = f->shapes->zero;
    Term *factor = mem_take(n, sizeof *factor);
    for (uint32_t k = 0; k < n; k++) {
        if (d[k] == f->shapes->zero) continue;
        memcpy(factor, a, n * sizeof *factor);
        factor[k] = d[k];
        sum = add(f, sum, expr_make(f->shapes, TERM_MUL, factor, (int)n));
    }
    mem_free(factor);
    return sum;
}

/* Roots have no finite slope at 0. Matrices get that of a point nearby, so that sqrt(max(h, 0)) has
 * the slope 0 below 0 and not infinity times 0. Along the time nothing is made up. */
static Term at_least(Diff *f, Term x, double least) {
    if (f->time) return x;
    Term below = expr_2(f->shapes, TERM_LESS, x, number(f, least));
    return expr_3(f->shapes, TERM_IF, fun(f, TERM_NO_EVENT, below), number(f, least), x);
}

static Term power(Diff *f, Term e, Term a, Term b, Term da, Term db) {
    Term zero = f->shapes->zero, result = zero;
    if (da != zero) {
        Term   less = add(f, b, number(f, -1));
        double exponent;
        if (expr_literal(f->shapes, b, &exponent) && exponent > 0 && exponent < 1)
            a = at_least(f, a, 1e-20);
        result = mul(f, mul(f, b, expr_2(f->shapes, TERM_POW, a, less)), da);
    }
    if (db != zero) result = add(f, result, mul(f, mul(f, e, fun(f, TERM_LOG, a)), db));
    return result;
}

/* f'(a) of a function of one argument, 0 if op is none. */
static Term outer(Diff *f, TermOp op, Term e, Term a) {
    Term one = f->shapes->one;
    switch (op) {
    case TERM_SQRT: return divide(f, number(f, 0.5), at_least(f, e, 1e-10));
    case TERM_SIN: return fun(f, TERM_COS, a);
    case TERM_COS: return fun(f, TERM_NEG, fun(f, TERM_SIN, a));
    case TERM_TAN: return add(f, one, square(f, e));
    case TERM_ASIN:
        return divide(f, one,
                      fun(f, TERM_SQRT, add(f, one, fun(f, TERM_NEG, square(f, a)))));
    case TERM_ACOS:
        return fun(
            f, TERM_NEG,
            divide(f, one,
                   fun(f, TERM_SQRT, add(f, one, fun(f, TERM_NEG, square(f, a))))));
    case TERM_ATAN: return divide(f, one, add(f, one, square(f, a)));
    case TERM_SINH: return fun(f, TERM_COSH, a);
    case TERM_COSH: return fun(f, TERM_SINH, a);
    case TERM_TANH: return add(f, one, fun(f, TERM_NEG, square(f, e)));
    case TERM_EXP: return e;
    case TERM_LOG: return divide(f, one, a);
    case TERM_LOG10: return divide(f, one, mul(f, number(f, 2.302585092994045684), a));
    case TERM_ABS: return choose(f, a, number(f, 0), one, number(f, -1));
    default: return 0;
    }
}

Term expr_zeros_like(Shapes *shapes, Term a) {
    Term e = shapes->zero;
    for (int d = shapes->node[a].rank; d >= 1; d--) {
        Term size = expr_2(shapes, TERM_SIZE, a, expr_integer(shapes, d));
        e = expr_indexed(shapes, TERM_EACH, 15 - d, (Term[]){size, e}, 2);
    }
    return e;
}

static Term branches(Diff *f, TermOp op, const Term *a, const Term *d, uint32_t n) {
    Term *arg = mem_take(n, sizeof *arg);
    for (uint32_t k = 0; k < n; k++) {
        bool value = k % 2 || k == n - 1;
        arg[k] = !value                    ? a[k]
                 : d[k] == f->shapes->zero ? expr_zeros_like(f->shapes, a[k])
                                           : d[k];
    }
    Term result = expr_make(f->shapes, op, arg, (int)n);
    mem_free(arg);
    return result;
}

/* A call: the annotated or generated derivative function gets the arguments and, for each
 * Real input it wants, the derivative. */
static Term call(Diff *f, const Node *node, const Term *a, const Term *d) {
    Shapes *shapes = f->shapes;
    bool    constant = true;
    for (uint32_t k = 0; k < node->n; k++) constant &= d[k] == shapes->zero;
    if (constant) return shapes->zero;
    bool       *zero = mem_take(node->n, sizeof *zero);
    Term       *arg = mem_take(2 * node->n + 1, sizeof *arg);
    const bool *wanted;
    for (uint32_t k = 0; k < node->n; k++) zero[k] = d[k] == shapes->zero;
    int g = function_derivative(shapes, node->index, f->time, zero, &wanted);
    if (g < 0 && f->near) g = function_difference(shapes, node->index, &wanted);
    Term result = 0;
    int  n = 0;
    if (g < 0) {
        f->reason = "a function has no derivative";
    } else {
        for (uint32_t k = 0; k < node->n; k++) arg[n++] = a[k];
        for (uint32_t k = 0; k < node->n; k++) {
            if (!wanted[k]) continue;
            arg[n++] = d[k] == shapes->zero ? expr_zeros_like(f->shapes, a[k]) : d[k];
        }
        int which = (int)node->integer;
        if (which >= 0) which = function_derivative_output(shapes, node->index, which);
        result = expr_call(shapes, g, which, (Type)node->type, node->rank, arg, n);
    }
    MEM_FREE(arg, zero);
    return result ? result : shapes->zero;
}

static bool any(const Shapes *shapes, const Term *d, uint32_t n) {
    for (uint32_t k = 0; k < n; k++)
        if (d[k] != shapes->zero) return true;
    return false;
}

static Term elementwise(Diff *f, Term e, const Term *a, const Term *d, uint32_t n) {
    Term *arg = mem_take(n, sizeof *arg);
    for (uint32_t k = 0; k < n; k++)
        arg[k] = d[k] == f->shapes->zero ? expr_zeros_like(f->shapes, a[k]) : d[k];
    Term result = expr_rebuild(f->shapes, e, arg);
    mem_free(arg);
    return result;
}

/* d of min or max over an array: that of the element it is; the mean if there are several. */
static Term extreme(Diff *f, Term e, const Node *node, const Term *a, const Term *d) {
    Shapes *shapes = f->shapes;
    Term    is = fun(f, TERM_NO_EVENT, expr_2(shapes, TERM_EQUAL, a[1], e));
    Term    sum[2];
    for (int k = 0; k < 2; k++) {
        Term item = expr_3(shapes, TERM_IF, is, k ? shapes->one : d[1], shapes->zero);
        sum[k] = expr_indexed(shapes, TERM_SUM_OF, node->index, (Term[]){a[0], item}, 2);
    }
    return divide(f, sum[0], sum[1]);
}

/* d of a product over an array: the sum over i of the product in which factor i is replaced by
 * its derivative. No division: factors may be zero. */
static Term product_of(Diff *f, const Node *node, const Term *a, const Term *d) {
    enum { INNER = 64 }; /* iterators of the text have lower numbers */
    Shapes *shapes = f->shapes;
    Term    outer_i = expr_iterator(shapes, node->index);
    Term    inner_i = expr_iterator(shapes, node->index + INNER);
    Term    factor = expr_replace(shapes, a[1], &outer_i, &inner_i, 1);
    Term    rate = expr_replace(shapes, d[1], &outer_i, &inner_i, 1);
    expr_walk(shapes, f->root); /* replacing walked elsewhere */
    Term own = expr_2(shapes, TERM_EQUAL, inner_i, outer_i);
    Term one = expr_3(shapes, TERM_IF, own, rate, factor);
    Term all = expr_indexed(shapes, TERM_PRODUCT_OF, node->index + INNER,
                            (Term[]){a[0], one}, 2);
    return expr_indexed(shapes, TERM_SUM_OF, node->index, (Term[]){a[0], all}, 2);
}

/* Derivative of node e with arguments a and their derivatives d. */
static Term derive(Diff *f, Term e, const Node *node, const Term *a, const Term *d) {
    Shapes *shapes = f->shapes;
    Term    zero = shapes->zero, rule;
    switch (node->op) {
    case TERM_TIME: return f->time ? shapes->one : f->clock ? f->clock : zero;
    case TERM_SLOT:
    case TERM_ARRAY_SLOT:
        return node->index < f->seeds && f->seed[node->index] && node->type == TYPE_REAL
                   ? f->seed[node->index]
                   : zero;
    case TERM_EQUATION: return expr_2(shapes, TERM_EQUATION, d[0], d[1]);
    case TERM_TUPLE: return expr_make(shapes, TERM_TUPLE, d, (int)node->n);
    case TERM_SAMPLE_CLOCKED:
    case TERM_SUB_SAMPLE:
    case TERM_SUPER_SAMPLE:
    case TERM_SHIFT_SAMPLE:
    case TERM_BACK_SAMPLE:
    case TERM_NO_CLOCK:
        if (f->time) f->reason = "a value of another clock has no derivative";
        return zero;
    }
    if (!node->n || !any(shapes, d, node->n)) return zero;
    if ((rule = outer(f, (TermOp)node->op, e, a[0]))) return mul(f, rule, d[0]);
    switch (node->op) {
    case TERM_ADD: return expr_make(shapes, TERM_ADD, d, (int)node->n);
    case TERM_NEG:
    case TERM_NO_EVENT: return fun(f, (TermOp)node->op, d[0]);
    case TERM_MUL: return product(f, a, d, node->n);
    case TERM_DIV:
        return divide(f, add(f, d[0], fun(f, TERM_NEG, mul(f, e, d[1]))), a[1]);
    case TERM_POW: return power(f, e, a[0], a[1], d[0], d[1]);
    case TERM_IF: return branches(f, TERM_IF, a, d, node->n);
    case TERM_WHEN: /* at its event, for loops through it; along the time it rests */
        return f->time ? zero : branches(f, TERM_IF, a, d, node->n);
    case TERM_ATAN2:
        return divide(f, add(f, mul(f, a[1], d[0]), fun(f, TERM_NEG, mul(f, a[0], d[1]))),
                      add(f, square(f, a[0]), square(f, a[1])));
    case TERM_MIN: return choose(f, a[1], a[0], d[0], d[1]);
    case TERM_MAX: return choose(f, a[0], a[1], d[0], d[1]);
    case TERM_MOD: /* x - floor(x/y)*y */
        rule = fun(f, TERM_NO_EVENT, fun(f, TERM_FLOOR, divide(f, a[0], a[1])));
        return add(f, d[0], fun(f, TERM_NEG, mul(f, rule, d[1])));
    case TERM_REM:
        rule = fun(f, TERM_NO_EVENT,
                   expr_2(shapes, TERM_QUOTIENT, divide(f, a[0], a[1]), shapes->one));
        return add(f, d[0], fun(f, TERM_NEG, mul(f, rule, d[1])));
    case TERM_SMOOTH: {
        double order = 0;
        expr_literal(shapes, a[0], &order);
        return order >= 1 ? expr_2(shapes, TERM_SMOOTH,
                                   expr_integer(shapes, (int64_t)order - 1), d[1])
                          : d[1];
    }
    case TERM_HOMOTOPY: return expr_2(shapes, TERM_HOMOTOPY, d[0], d[1]);
    case TERM_SEMI_LINEAR:
        return choose(f, a[0], number(f, 0),
                      add(f, mul(f, d[0], a[1]), mul(f, a[0], d[1])),
                      add(f, mul(f, d[0], a[2]), mul(f, a[0], d[2])));
    case TERM_DELAY: /* of the past: independent of present values */
        if (!f->time) return zero;
        if (d[1] != zero) f->reason = "the time of a delay changes";
        if (d[0] == zero) return zero;
        return expr_make(shapes, TERM_DELAY, (Term[]){d[0], a[1], a[node->n - 1]},
                         (int)node->n);
    case TERM_SUM_OF:
    case TERM_EACH:
        return expr_indexed(shapes, (TermOp)node->op, node->index, (Term[]){a[0], d[1]},
                            2);
    case TERM_ARRAY: return elementwise(f, e, a, d, node->n);
    case TERM_ELEMENT: {
        if (d[0] == zero) return zero;
        Term *arg = mem_take(node->n, sizeof *arg);
        memcpy(arg, a, node->n * sizeof *arg);
        arg[0] = d[0];
        rule = expr_make(shapes, TERM_ELEMENT, arg, (int)node->n);
        mem_free(arg);
        return rule;
    }
    case TERM_CALL: return call(f, node, a, d);
    case TERM_PRODUCT_OF: return product_of(f, node, a, d);
    case TERM_MIN_OF:
    case TERM_MAX_OF: return extreme(f, e, node, a, d);
    case TERM_SPATIAL: { /* what is inside has entered in the past */
        if (f->time) f->reason = "spatialDistribution has no derivative";
        Term enters = d[node->index];
        return node->index == 0 ? expr_3(shapes, TERM_IF, a[3], enters, zero)
                                : expr_3(shapes, TERM_IF, a[3], zero, enters);
    }
    default: return zero; /* piecewise constant: relations, floor, discrete values */
    }
}

/* Does no derivative of function f along the time ask for that of its input k? */
static bool not_asked(const Shapes *shapes, int f, uint32_t k) {
    if (f >= shapes->functions || shapes->function[f]->derivatives == 0) return false;
    for (int i = 0; i < shapes->function[f]->derivatives; i++) {
        const Derivative *d = &shapes->function[f]->derivative[i];
        if (!d->input || d->input[k] != DERIVATIVE_NOT) return false;
    }
    return true;
}

/* By place in the walk: is the derivative of this node asked for? What enters a call only as
 * noDerivative need not have one. */
static bool *asked_nodes(const Diff *f, int n) {
    const Shapes *shapes = f->shapes;
    bool         *asked = mem_take((size_t)n, sizeof *asked);
    asked[n - 1] = true;
    for (int i = n - 1; i >= 0; i--) {
        const Node *node = &shapes->node[shapes->walk[i]];
        for (uint32_t k = 0; asked[i] && k < node->n; k++)
            if (node->op != TERM_CALL || !f->time || !not_asked(shapes, node->index, k))
                asked[shapes->place[shapes->arg[node->arg + k]]] = true;
    }
    return asked;
}

void expr_asked(Shapes *shapes, Term root, bool *slot, int slots) {
    Diff  f = {.shapes = shapes, .time = true};
    int   n = expr_walk(shapes, root);
    bool *asked = asked_nodes(&f, n);
    memset(slot, 0, (size_t)slots * sizeof *slot);
    for (int i = 0; i < n; i++) {
        const Node *node = &shapes->node[shapes->walk[i]];
        if (asked[i] && (node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT))
            slot[node->index] = true;
    }
    mem_free(asked);
}

/* Making derivatives of functions walks too: it is done before. */
static void prepare_calls(const Diff *f, int n, const bool *asked) {
    Shapes *shapes = f->shapes;
    int    *function = mem_take((size_t)n, sizeof *function), calls = 0;
    for (int i = 0; i < n; i++)
        if (asked[i] && expr_op(shapes, shapes->walk[i]) == TERM_CALL)
            function[calls++] = shapes->node[shapes->walk[i]].index;
    for (int i = 0; i < calls; i++)
        function_prepare_derivative(shapes, function[i], f->time);
    mem_free(function);
}

static Term run(Diff f, Term root, const char **reason) {
    Shapes *shapes = f.shapes;
    int     n = expr_walk(shapes, root);
    bool   *asked = asked_nodes(&f, n);
    f.root = root;
    if (shapes->node[root].flags & NODE_CALLS) {
        prepare_calls(&f, n, asked);
        n = expr_walk(shapes, root);
    }
    Term *list = mem_take((size_t)n * 2, sizeof *list);
    memcpy(list, shapes->walk, (size_t)n * sizeof *list);
    f.d = list + n;
    Term  *arg = NULL;
    size_t room = 0;
    for (int i = 0; i < n && !f.reason; i++) {
        Node node = shapes->node[list[i]];
        f.d[i] = shapes->zero;
        if (!asked[i]) continue;
        if (node.n > room) {
            mem_free(arg);
            room = node.n + 8;
            arg = mem_take(2 * room, sizeof *arg);
        }
        Term *d = arg + room;
        for (uint32_t k = 0; k < node.n; k++) {
            arg[k] = shapes->arg[node.arg + k];
            d[k] = f.d[shapes->place[arg[k]]];
        }
        f.d[i] = derive(&f, list[i], &node, arg, d);
    }
    Term result = f.reason ? 0 : f.d[n - 1];
    if (reason) *reason = f.reason;
    MEM_FREE(arg, list, asked);
    return result;
}

Term expr_tangent(Shapes *shapes, Term root, const Term *seed, int seeds, bool time,
                  const char **reason) {
    Diff f = {.shapes = shapes, .seed = seed, .seeds = seeds, .time = time};
    return run(f, root, reason);
}

Term expr_direction(Shapes *shapes, Term root, const Term *seed, int seeds, Term clock,
                    const char **reason) {
    Diff f = {
        .shapes = shapes, .seed = seed, .seeds = seeds, .clock = clock, .near = true};
    return run(f, root, reason);
}

Term expr_partial(Shapes *shapes, Term root, int slot, const char **reason) {
    Term *seed = mem_take((size_t)slot, sizeof *seed);
    seed[slot] = shapes->one;
    if (expr_op(shapes, root) == TERM_EQUATION) root = expr_residual(shapes, root);
    Term result = expr_tangent(shapes, root, seed, slot + 1, false, reason);
    mem_free(seed);
    return result ? expr_simplify(shapes, result) : 0;
}

Term expr_residual(Shapes *shapes, Term equation) {
    return expr_sub(shapes, expr_arg(shapes, equation, 0), expr_arg(shapes, equation, 1));
}

int shape_dtime(Shapes *shapes, int shape, const int8_t *rate, const int **order,
                const char **reason) {
    int   slots = shapes->shape[shape].slots;
    Term *seed = mem_take((size_t)slots, sizeof *seed);
    for (int k = 0; k < slots; k++) {
        Node leaf = shapes->node[shape_leaf(shapes, shape, k)];
        if (!rate[k] || leaf.type != TYPE_REAL || leaf.op == TERM_NUMBER) continue;
        seed[k] = leaf.op == TERM_SLOT
                      ? expr_slot(shapes, slots + k, TYPE_REAL)
                      : expr_array_slot(shapes, slots + k, TYPE_REAL, leaf.rank);
        if (rate[k] < 0) seed[k] = expr_1(shapes, TERM_NEG, seed[k]);
    }
    Term root = shapes->shape[shape].root;
    Term d = expr_tangent(shapes, root, seed, slots, true, reason);
    mem_free(seed);
    if (!d) return -1;
    /* derivatives of functions are linear in rates: written out, they can be solved for them */
    return shape_of(shapes, expr_simplify(shapes, expr_inline(shapes, d)), order);
}
