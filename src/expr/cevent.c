/* SPDX-License-Identifier: Apache-2.0 */
/* cevent.c -- which nodes of an expression cause events, and what crosses zero then. */
#include "expr/ctext.h"

#include <stdlib.h>

int ctext_events(Shapes *shapes, Term root, Term *list, int room) {
    int   n = expr_walk(shapes, root), found = 0;
    bool *loud = calloc((size_t)n, sizeof *loud);
    if (!loud) abort();
    loud[n - 1] = true;
    for (int i = n - 1; i >= 0; i--) {
        Term        x = shapes->walk[i];
        const Node *node = expr_node(shapes, x);
        if (!loud[i] || is_quiet(shapes, x)) continue;
        for (uint32_t k = 0; k < node->n; k++)
            loud[shapes->place[shapes->arg[node->arg + k]]] = true;
    }
    for (int i = 0; i < n; i++)
        if (loud[i] && is_held(shapes, shapes->walk[i])) {
            if (found < room) list[found] = shapes->walk[i];
            found++;
        }
    free(loud);
    return found;
}

Term ctext_crossing(Shapes *shapes, Term node) {
    Term a = expr_arg(shapes, node, 0), pi = expr_real(shapes, 3.14159265358979323846);
    switch (expr_op(shapes, node)) {
    case TERM_SIGN: return a;
    case TERM_FLOOR:
    case TERM_CEIL:
    case TERM_TO_INTEGER:
        return expr_1(shapes, TERM_SIN, expr_2(shapes, TERM_MUL, pi, a));
    case TERM_QUOTIENT:
    case TERM_MOD:
    case TERM_REM:
        a = expr_2(shapes, TERM_DIV, a, expr_arg(shapes, node, 1));
        return expr_1(shapes, TERM_SIN, expr_2(shapes, TERM_MUL, pi, a));
    case TERM_SAMPLE: return expr_real(shapes, -1); /* a time event */
    case TERM_LESS: /* a < b is z > 0, a >= b is its opposite */
    case TERM_GREATER_EQUAL: return expr_sub(shapes, expr_arg(shapes, node, 1), a);
    default: return expr_sub(shapes, a, expr_arg(shapes, node, 1));
    }
}

/* a - b = p*time + q with p and q free of time: the event is at -q/p. There a > b with p > 0 and
 * its like do not hold yet: they change right behind it. */
Term ctext_event_time(Shapes *shapes, Term node, bool *behind) {
    *behind = false;
    TermOp op = expr_op(shapes, node);
    if (op != TERM_LESS && op != TERM_LESS_EQUAL && op != TERM_GREATER &&
        op != TERM_GREATER_EQUAL)
        return 0;
    Term f = expr_sub(shapes, expr_arg(shapes, node, 0), expr_arg(shapes, node, 1));
    Term time = expr_time(shapes), slot = expr_slot(shapes, 1 << 12, TYPE_REAL);
    if (!(shapes->node[f].flags & NODE_TIME)) return 0;
    Term g = expr_replace(shapes, f, &time, &slot, 1); /* time as a slot of its own */
    Term zero = expr_2(shapes, TERM_EQUATION, g, shapes->zero);
    if (expr_degree_of_slot(shapes, g, 1 << 12) != DEGREE_LINEAR) return 0;
    const char *reason;
    Term        p = expr_partial(shapes, zero, 1 << 12, &reason);
    Term        q = expr_replace(shapes, g, &slot, &shapes->zero, 1);
    if (!p || expr_is_zero(shapes, p)) return 0;
    double slope;
    if (expr_literal(shapes, p, &slope))
        *behind = (op == TERM_GREATER || op == TERM_LESS_EQUAL) == (slope > 0);
    return expr_2(shapes, TERM_DIV, expr_1(shapes, TERM_NEG, q), p);
}
