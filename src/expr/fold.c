/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c -- what making a node folds at once, so that equal text gives equal shapes.
 *
 * Literals are computed where the result is exact or an ordinary finite number; nested sums
 * and products become one n-ary node with at most one literal (first in a product, last in
 * a sum); neutral elements vanish; signs move out of products and quotients. Nothing is
 * reordered otherwise: the text of the model stays recognisable. */
#include "expr/fold.h"
#include "base/builtin.h"

#include <math.h>
#include <string.h>

enum {
    STACK_ARGS = 32,
    SPLICE =
        16 /* longer inner sums stay nodes: a chain of n additions must not copy n^2 */
};

typedef struct Terms { /* arguments being collected */
    Term  local[STACK_ARGS];
    Term *item; /* local, or a block of its own */
    int   n, room;
} Terms;

static void push(Terms *terms, Term e) {
    if (terms->n == terms->room) {
        terms->room *= 2;
        Term *larger = mem_take((size_t)terms->room, sizeof *larger);
        memcpy(larger, terms->item, (size_t)terms->n * sizeof *larger);
        if (terms->item != terms->local) mem_free(terms->item);
        terms->item = larger;
    }
    terms->item[terms->n++] = e;
}

static void release(Terms *terms) {
    if (terms->item != terms->local) mem_free(terms->item);
}

static Term number(Shapes *shapes, Type type, double value) {
    return type == TYPE_INTEGER ? expr_integer(shapes, (int64_t)value)
                                : expr_real(shapes, value);
}

static Term typed(Shapes *shapes, Term e, Type type) {
    return type == TYPE_REAL && shapes->node[e].type == TYPE_INTEGER
               ? expr_1(shapes, TERM_TO_REAL, e)
               : e;
}

static Term plain(Shapes *shapes, TermOp op, Type type, const Term *args, int n) {
    return node_intern(
        shapes,
        (Node){.op = (uint8_t)op, .type = (uint8_t)type, .n = (uint32_t)n, .index = -1},
        args);
}

/* Sum or product: arguments of inner sums are spliced in, literals gathered. */
static Term fold_nary(Shapes *shapes, TermOp op, const Term *args, int n, Type type) {
    Terms  terms = {.item = terms.local, .room = STACK_ARGS};
    double literal = op == TERM_ADD ? 0 : 1;
    bool   negative = false;
    for (int k = 0; k < n; k++) {
        Term e = args[k];
        if (op == TERM_MUL && expr_op(shapes, e) == TERM_NEG) {
            negative = !negative;
            e = expr_arg(shapes, e, 0);
        }
        bool     splice = expr_op(shapes, e) == op && shapes->node[e].n <= SPLICE;
        uint32_t inner = splice ? shapes->node[e].n : 1;
        for (uint32_t j = 0; j < inner; j++) {
            Term   f = splice ? expr_arg(shapes, e, j) : e;
            double value;
            if (!expr_literal(shapes, f, &value)) push(&terms, f);
            else if (op == TERM_ADD) literal += value;
            else literal *= value;
        }
    }
    if (negative) literal = -literal;
    Term result;
    if (type == TYPE_INTEGER && fabs(literal) > 9e15) { /* not exact as a double */
        result = plain(shapes, op, type, args, n);
    } else if (op == TERM_MUL && literal == 0) {
        result = number(shapes, type, 0);
    } else if (!terms.n) {
        result = number(shapes, type, literal);
    } else {
        bool minus = op == TERM_MUL && literal < 0;
        if (minus) literal = -literal;
        if (literal != (op == TERM_ADD ? 0 : 1)) {
            push(&terms, number(shapes, type, literal));
            if (op == TERM_MUL) { /* the literal goes first */
                Term last = terms.item[terms.n - 1];
                memmove(terms.item + 1, terms.item, (size_t)(terms.n - 1) * sizeof last);
                terms.item[0] = last;
            }
        }
        result = terms.n == 1 ? typed(shapes, terms.item[0], type)
                              : plain(shapes, op, type, terms.item, terms.n);
        if (minus) result = expr_1(shapes, TERM_NEG, result);
    }
    release(&terms);
    return result;
}

static Term fold_logic(Shapes *shapes, TermOp op, const Term *args, int n) {
    Terms terms = {.item = terms.local, .room = STACK_ARGS};
    bool  decided = false;
    for (int k = 0; k < n && !decided; k++) {
        bool splice = expr_op(shapes, args[k]) == op && shapes->node[args[k]].n <= SPLICE;
        uint32_t inner = splice ? shapes->node[args[k]].n : 1;
        for (uint32_t j = 0; j < inner; j++) {
            Term   f = splice ? expr_arg(shapes, args[k], j) : args[k];
            double value;
            if (!expr_literal(shapes, f, &value)) push(&terms, f);
            else decided |= (value != 0) == (op == TERM_OR);
        }
    }
    Term result = decided        ? expr_boolean(shapes, op == TERM_OR)
                  : !terms.n     ? expr_boolean(shapes, op == TERM_AND)
                  : terms.n == 1 ? terms.item[0]
                                 : plain(shapes, op, TYPE_BOOLEAN, terms.item, terms.n);
    release(&terms);
    return result;
}

/* Branches that cannot be taken vanish; equal branches need no condition. */
static Term fold_if(Shapes *shapes, const Term *args, int n, Type type) {
    Terms  terms = {.item = terms.local, .room = STACK_ARGS};
    double value;
    Term   last = args[n - 1];
    for (int k = 0; k + 1 < n; k += 2) {
        if (!expr_literal(shapes, args[k], &value)) {
            push(&terms, args[k]);
            push(&terms, args[k + 1]);
        } else if (value != 0) {
            last = args[k + 1];
            break;
        }
    }
    bool same = true;
    for (int k = 1; k < terms.n; k += 2) same &= terms.item[k] == last;
    push(&terms, last);
    Term result = same           ? typed(shapes, last, type)
                  : terms.n == n ? 0
                                 : expr_make(shapes, TERM_IF, terms.item, terms.n);
    release(&terms);
    return result;
}

static Term fold_divide(Shapes *shapes, Term a, Term b) {
    double y;
    if (expr_op(shapes, a) == TERM_NEG && shapes->node[b].type)
        return expr_1(shapes, TERM_NEG,
                      expr_2(shapes, TERM_DIV, expr_arg(shapes, a, 0), b));
    if (expr_op(shapes, b) == TERM_NEG)
        return expr_1(shapes, TERM_NEG,
                      expr_2(shapes, TERM_DIV, a, expr_arg(shapes, b, 0)));
    if (expr_literal(shapes, b, &y) && y == 1) return typed(shapes, a, TYPE_REAL);
    if (expr_is_zero(shapes, a) && !(expr_literal(shapes, b, &y) && y == 0))
        return shapes->zero;
    return 0;
}

static Term fold_power(Shapes *shapes, Term a, Term b) {
    double y;
    if (!expr_literal(shapes, b, &y)) return 0;
    if (y == 1) return typed(shapes, a, TYPE_REAL);
    return y == 0 ? shapes->one : 0;
}

static Term fold_negation(Shapes *shapes, Term a) {
    double      value;
    const Node *node = &shapes->node[a];
    if (node->op == TERM_NEG) return expr_arg(shapes, a, 0);
    if (node->op == TERM_INTEGER && node->integer != INT64_MIN)
        return expr_integer(shapes, -node->integer);
    if (node->op == TERM_REAL && expr_literal(shapes, a, &value))
        return expr_real(shapes, -value);
    return 0;
}

static Term fold_literals(Shapes *shapes, TermOp op, const Term *args, int n, Type type) {
    double x[3], value;
    if (n < 1 || n > 3 || op == TERM_TO_STRING) return 0;
    for (int k = 0; k < n; k++)
        if (!expr_literal(shapes, args[k], &x[k])) return 0;
    if (!term_value(op, x, n, &value)) return 0;
    if (type == TYPE_BOOLEAN) return expr_boolean(shapes, value != 0);
    if (type == TYPE_INTEGER)
        return fabs(value) < 9e15 ? expr_integer(shapes, (int64_t)value) : 0;
    return type == TYPE_REAL ? expr_real(shapes, value) : 0;
}

/* {a, b, c}[2] */
static Term fold_element(Shapes *shapes, const Term *args, int n) {
    Term array = args[0];
    int  k = 1;
    for (; k < n && expr_op(shapes, array) == TERM_ARRAY; k++) {
        double at;
        if (!expr_literal(shapes, args[k], &at)) return 0;
        if (at < 1 || at > shapes->node[array].n) return 0;
        array = expr_arg(shapes, array, (uint32_t)at - 1);
    }
    if (k == 1) return 0;
    if (k == n) return array;
    Term rest[8] = {array};
    if (n - k + 1 > LENGTH(rest)) return 0;
    memcpy(rest + 1, args + k, (size_t)(n - k) * sizeof *rest);
    return expr_make(shapes, TERM_ELEMENT, rest, n - k + 1);
}

/* The past of a constant, and of the opposite of a variable. */
static Term fold_delay(Shapes *shapes, const Term *args, int n) {
    Term inner[3] = {args[0], args[1], n > 2 ? args[2] : 0};
    if (expr_is_literal(shapes, args[0])) return typed(shapes, args[0], TYPE_REAL);
    if (expr_op(shapes, args[0]) != TERM_NEG) return 0;
    inner[0] = expr_arg(shapes, args[0], 0);
    return expr_1(shapes, TERM_NEG, expr_make(shapes, TERM_DELAY, inner, n));
}

static Term fold_size(Shapes *shapes, Term array, Term dimension) {
    double d;
    if (!expr_literal(shapes, dimension, &d)) return 0;
    while (d > 1 && expr_op(shapes, array) == TERM_ARRAY) {
        array = expr_arg(shapes, array, 0);
        d--;
    }
    if (d != 1 || expr_op(shapes, array) != TERM_ARRAY) return 0;
    return expr_integer(shapes, shapes->node[array].n);
}

Term node_fold(Shapes *shapes, TermOp op, const Term *args, int n, Type type) {
    Term folded = 0;
    switch (op) {
    case TERM_ADD:
    case TERM_MUL: return fold_nary(shapes, op, args, n, type);
    case TERM_AND:
    case TERM_OR: return fold_logic(shapes, op, args, n);
    case TERM_IF: return fold_if(shapes, args, n, type);
    case TERM_DIV: folded = fold_divide(shapes, args[0], args[1]); break;
    case TERM_POW: folded = fold_power(shapes, args[0], args[1]); break;
    case TERM_NEG: folded = fold_negation(shapes, args[0]); break;
    case TERM_ELEMENT: return fold_element(shapes, args, n);
    case TERM_DELAY: return fold_delay(shapes, args, n);
    case TERM_SIZE: return fold_size(shapes, args[0], args[1]);
    case TERM_NOT:
        if (expr_op(shapes, args[0]) == TERM_NOT) return expr_arg(shapes, args[0], 0);
        break;
    case TERM_TO_REAL:
        if (shapes->node[args[0]].type == TYPE_REAL) return args[0];
        break;
    case TERM_NO_EVENT:
        if (!(shapes->node[args[0]].flags & NODE_EVENTS) &&
            expr_op(shapes, args[0]) != TERM_IF)
            return args[0];
        break;
    default: break;
    }
    return folded ? folded : fold_literals(shapes, op, args, n, type);
}
