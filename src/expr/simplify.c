/* SPDX-License-Identifier: Apache-2.0 */
/* simplify.c -- like terms of sums, like factors of products, signs and nested quotients.
 *
 * Only rules that keep the value wherever the original has one: x - x is 0 and x*x is x^2,
 * but x/x is left alone, since it hides a division by zero. One pass in ascending order;
 * making a node folds literals again. */
#include "expr/expr.h"

#include <math.h>
#include <string.h>

typedef struct Addend { /* coefficient * base in a sum, base ^ coefficient in a product */
    Term   base;
    double coefficient;
} Addend;

typedef struct Terms {
    Addend *term;
    int     n, room;
} Terms;

static void put(Terms *terms, Term base, double coefficient) {
    for (int k = 0; k < terms->n && k < 64; k++) /* long sums seldom repeat themselves */
        if (terms->term[k].base == base) {
            terms->term[k].coefficient += coefficient;
            return;
        }
    GROW(terms->term, terms->room, terms->n + 1);
    terms->term[terms->n++] = (Addend){base, coefficient};
}

/* Splits a literal factor off: 3*x*y is (3, x*y). */
static void put_term(Shapes *shapes, Terms *terms, Term e, double sign) {
    while (expr_op(shapes, e) == TERM_NEG) {
        sign = -sign;
        e = expr_arg(shapes, e, 0);
    }
    double value;
    Node   node = shapes->node[e];
    if (expr_literal(shapes, e, &value)) {
        put(terms, shapes->one, sign * value);
    } else if (node.op == TERM_ADD && node.type == TYPE_REAL) {
        for (uint32_t k = 0; k < node.n; k++)
            put_term(shapes, terms, shapes->arg[node.arg + k], sign);
    } else if (node.op == TERM_MUL && node.type == TYPE_REAL &&
               expr_literal(shapes, expr_arg(shapes, e, 0), &value)) {
        Term *rest = mem_take(node.n, sizeof *rest);
        memcpy(rest, shapes->arg + node.arg + 1, (node.n - 1) * sizeof *rest);
        Term base =
            node.n == 2 ? rest[0] : expr_make(shapes, TERM_MUL, rest, (int)node.n - 1);
        mem_free(rest);
        put(terms, base, sign * value);
    } else {
        put(terms, e, sign);
    }
}

static Term rebuild_sum(Shapes *shapes, const Terms *terms) {
    Term *arg = mem_take((size_t)terms->n, sizeof *arg), result;
    int   n = 0;
    for (int k = 0; k < terms->n; k++) {
        double c = terms->term[k].coefficient;
        if (c == 0) continue;
        Term base = terms->term[k].base;
        Term e = expr_2(shapes, TERM_MUL, expr_real(shapes, fabs(c)), base);
        arg[n++] = c < 0 ? expr_1(shapes, TERM_NEG, e) : e;
    }
    result = n == 0   ? shapes->zero
             : n == 1 ? arg[0]
                      : expr_make(shapes, TERM_ADD, arg, n);
    mem_free(arg);
    return result;
}

static Term simplify_sum(Shapes *shapes, Term e) {
    Terms terms = {0};
    put_term(shapes, &terms, e, 1);
    Term result = rebuild_sum(shapes, &terms);
    mem_free(terms.term);
    return result;
}

static Term simplify_product(Shapes *shapes, Term e) {
    Terms  terms = {0};
    double value, literal = 1;
    Node   node = shapes->node[e];
    bool   repeated = false;
    for (uint32_t k = 0; k < node.n; k++) {
        Term   a = expr_arg(shapes, e, k), base = a;
        double exponent = 1;
        if (expr_literal(shapes, a, &value)) {
            literal *= value;
            continue;
        }
        if (expr_op(shapes, a) == TERM_POW &&
            expr_literal(shapes, expr_arg(shapes, a, 1), &value) &&
            value == floor(value) && value > 0) {
            base = expr_arg(shapes, a, 0);
            exponent = value;
        }
        int before = terms.n;
        put(&terms, base, exponent);
        repeated |= terms.n == before;
    }
    Term result = e;
    if (repeated) {
        result = expr_real(shapes, literal);
        for (int k = 0; k < terms.n; k++)
            result = expr_2(shapes, TERM_MUL, result,
                            expr_2(shapes, TERM_POW, terms.term[k].base,
                                   expr_real(shapes, terms.term[k].coefficient)));
    }
    mem_free(terms.term);
    return result;
}

static Term simplify_quotient(Shapes *shapes, Term e) {
    Term a = expr_arg(shapes, e, 0), b = expr_arg(shapes, e, 1);
    if (expr_op(shapes, b) == TERM_DIV) { /* a/(p/q) = a*q/p; both need p, q nonzero */
        Term p = expr_arg(shapes, b, 0), q = expr_arg(shapes, b, 1);
        return expr_2(shapes, TERM_DIV, expr_2(shapes, TERM_MUL, a, q), p);
    }
    if (expr_op(shapes, a) == TERM_DIV) /* (p/q)/b = p/(q*b) */
        return expr_2(shapes, TERM_DIV, expr_arg(shapes, a, 0),
                      expr_2(shapes, TERM_MUL, expr_arg(shapes, a, 1), b));
    return e;
}

static Term simplify_node(Shapes *shapes, Term e) {
    Node node = shapes->node[e];
    if (node.type != TYPE_REAL || node.rank) return e;
    if (node.op == TERM_ADD) return simplify_sum(shapes, e);
    if (node.op == TERM_MUL) return simplify_product(shapes, e);
    if (node.op == TERM_DIV) return simplify_quotient(shapes, e);
    return e;
}

Term expr_simplify(Shapes *shapes, Term root) {
    int   n = expr_walk(shapes, root);
    Term *list = mem_take((size_t)n * 2, sizeof *list), *result = list + n;
    memcpy(list, shapes->walk, (size_t)n * sizeof *list);
    Term  *arg = NULL;
    size_t room = 0;
    for (int i = 0; i < n; i++) {
        Node node = shapes->node[list[i]];
        if (node.n > room) {
            mem_free(arg);
            arg = mem_take(room = node.n + 8, sizeof *arg);
        }
        for (uint32_t k = 0; k < node.n; k++)
            arg[k] = result[shapes->place[shapes->arg[node.arg + k]]];
        result[i] = simplify_node(shapes, expr_rebuild(shapes, list[i], arg));
    }
    Term simple = result[n - 1];
    MEM_FREE(arg, list);
    return simple;
}
