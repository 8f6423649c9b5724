/* SPDX-License-Identifier: Apache-2.0 */
/* simplify.c -- like terms of sums, like factors of products, signs and nested quotients.
 *
 * Only rules that keep the value wherever the original has one: x - x is 0 and x*x is x^2,
 * but x/x is left alone, since it hides a division by zero. One pass in ascending order;
 * making a node folds literals again. */
#include "expr/expr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Term { /* coefficient * base in a sum, base ^ coefficient in a product */
    Expr   base;
    double coefficient;
} Term;

typedef struct Terms {
    Term *term;
    int   n, room;
} Terms;

static void put(Terms *terms, Expr base, double coefficient) {
    for (int k = 0; k < terms->n && k < 64; k++) /* long sums seldom repeat themselves */
        if (terms->term[k].base == base) {
            terms->term[k].coefficient += coefficient;
            return;
        }
    if (terms->n == terms->room) {
        terms->room = terms->room ? 2 * terms->room : 16;
        terms->term = realloc(terms->term, (size_t)terms->room * sizeof *terms->term);
        if (!terms->term) abort();
    }
    terms->term[terms->n++] = (Term){base, coefficient};
}

/* Splits a literal factor off: 3*x*y is (3, x*y). */
static void put_term(Shapes *shapes, Terms *terms, Expr e, double sign) {
    while (expr_op(shapes, e) == OP_NEG) {
        sign = -sign;
        e = expr_arg(shapes, e, 0);
    }
    double value;
    Node   node = shapes->node[e];
    if (expr_literal(shapes, e, &value)) {
        put(terms, shapes->one, sign * value);
    } else if (node.op == OP_ADD && node.type == TYPE_REAL) {
        for (uint32_t k = 0; k < node.n; k++)
            put_term(shapes, terms, shapes->arg[node.arg + k], sign);
    } else if (node.op == OP_MUL && node.type == TYPE_REAL &&
               expr_literal(shapes, expr_arg(shapes, e, 0), &value)) {
        Expr *rest = malloc(node.n * sizeof *rest);
        if (!rest) abort();
        memcpy(rest, shapes->arg + node.arg + 1, (node.n - 1) * sizeof *rest);
        Expr base =
            node.n == 2 ? rest[0] : expr_make(shapes, OP_MUL, rest, (int)node.n - 1);
        free(rest);
        put(terms, base, sign * value);
    } else {
        put(terms, e, sign);
    }
}

static Expr rebuild_sum(Shapes *shapes, const Terms *terms) {
    Expr *arg = malloc(((size_t)terms->n + 1) * sizeof *arg), result;
    int   n = 0;
    if (!arg) abort();
    for (int k = 0; k < terms->n; k++) {
        double c = terms->term[k].coefficient;
        if (c == 0) continue;
        Expr base = terms->term[k].base;
        Expr e = expr_2(shapes, OP_MUL, expr_real(shapes, fabs(c)), base);
        arg[n++] = c < 0 ? expr_1(shapes, OP_NEG, e) : e;
    }
    result = n == 0 ? shapes->zero : n == 1 ? arg[0] : expr_make(shapes, OP_ADD, arg, n);
    free(arg);
    return result;
}

static Expr simplify_sum(Shapes *shapes, Expr e) {
    Terms terms = {0};
    put_term(shapes, &terms, e, 1);
    Expr result = rebuild_sum(shapes, &terms);
    free(terms.term);
    return result;
}

static Expr simplify_product(Shapes *shapes, Expr e) {
    Terms  terms = {0};
    double value, literal = 1;
    Node   node = shapes->node[e];
    bool   repeated = false;
    for (uint32_t k = 0; k < node.n; k++) {
        Expr   a = expr_arg(shapes, e, k), base = a;
        double exponent = 1;
        if (expr_literal(shapes, a, &value)) {
            literal *= value;
            continue;
        }
        if (expr_op(shapes, a) == OP_POW &&
            expr_literal(shapes, expr_arg(shapes, a, 1), &value) &&
            value == floor(value) && value > 0) {
            base = expr_arg(shapes, a, 0);
            exponent = value;
        }
        int before = terms.n;
        put(&terms, base, exponent);
        repeated |= terms.n == before;
    }
    Expr result = e;
    if (repeated) {
        result = expr_real(shapes, literal);
        for (int k = 0; k < terms.n; k++)
            result = expr_2(shapes, OP_MUL, result,
                            expr_2(shapes, OP_POW, terms.term[k].base,
                                   expr_real(shapes, terms.term[k].coefficient)));
    }
    free(terms.term);
    return result;
}

static Expr simplify_quotient(Shapes *shapes, Expr e) {
    Expr a = expr_arg(shapes, e, 0), b = expr_arg(shapes, e, 1);
    if (expr_op(shapes, b) == OP_DIV) { /* a/(p/q) = a*q/p; both need p, q nonzero */
        Expr p = expr_arg(shapes, b, 0), q = expr_arg(shapes, b, 1);
        return expr_2(shapes, OP_DIV, expr_2(shapes, OP_MUL, a, q), p);
    }
    if (expr_op(shapes, a) == OP_DIV) /* (p/q)/b = p/(q*b) */
        return expr_2(shapes, OP_DIV, expr_arg(shapes, a, 0),
                      expr_2(shapes, OP_MUL, expr_arg(shapes, a, 1), b));
    return e;
}

static Expr simplify_node(Shapes *shapes, Expr e) {
    Node node = shapes->node[e];
    if (node.type != TYPE_REAL || node.rank) return e;
    if (node.op == OP_ADD) return simplify_sum(shapes, e);
    if (node.op == OP_MUL) return simplify_product(shapes, e);
    if (node.op == OP_DIV) return simplify_quotient(shapes, e);
    return e;
}

Expr expr_simplify(Shapes *shapes, Expr root) {
    int   n = expr_walk(shapes, root);
    Expr *list = malloc((size_t)n * 2 * sizeof *list), *result = list + n;
    if (!list) abort();
    memcpy(list, shapes->walk, (size_t)n * sizeof *list);
    Expr  *arg = NULL;
    size_t room = 0;
    for (int i = 0; i < n; i++) {
        Node node = shapes->node[list[i]];
        if (node.n > room) {
            free(arg);
            arg = malloc((room = node.n + 8) * sizeof *arg);
            if (!arg) abort();
        }
        for (uint32_t k = 0; k < node.n; k++)
            arg[k] = result[shapes->place[shapes->arg[node.arg + k]]];
        result[i] = simplify_node(shapes, expr_rebuild(shapes, list[i], arg));
    }
    Expr simple = result[n - 1];
    free(arg);
    free(list);
    return simple;
}
