/* SPDX-License-Identifier: Apache-2.0 */
/* cevent.c -- which nodes of an expression cause events, what crosses zero then, and under which
 * conditions a node is evaluated at all. */
#include "expr/ctext.h"

int ctext_events(Shapes *shapes, Term root, Term *list, int room) {
    int   n = expr_walk(shapes, root), found = 0;
    bool *loud = mem_take((size_t)n, sizeof *loud);
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
    mem_free(loud);
    return found;
}

/* ---- guards ----------------------------------------------------------------------------------- */

typedef struct Guards { /* by place in a walk: under which condition it is evaluated */
    Shapes *shapes;
    Term   *list;
    Map     place;
    Term   *guard; /* 0: always */
    bool   *met;
} Guards;

/* Conditions over iterators mean nothing outside their loops; they are left out. */
static Term both(Guards *g, Term path, Term condition, bool holds) {
    if (g->shapes->node[condition].flags & NODE_BOUND) return path;
    Term x = holds ? condition : expr_1(g->shapes, TERM_NOT, condition);
    return path ? expr_2(g->shapes, TERM_AND, path, x) : x;
}
static void reach(Guards *g, Term x, Term path) {
    int   p = (int)map_get(&g->place, x, -1);
    Term *guard = &g->guard[p];
    if (!g->met[p]) *guard = path;
    else if (*guard) *guard = path ? expr_2(g->shapes, TERM_OR, *guard, path) : 0;
    g->met[p] = true;
}
static void reach_arguments(Guards *g, Term x, Term path) {
    Node     node = g->shapes->node[x];
    bool     branches = node.op == TERM_IF || node.op == TERM_WHEN;
    bool     logic = node.op == TERM_AND || node.op == TERM_OR;
    uint32_t k = 0;
    for (; branches && k + 1 < node.n; k += 2) {
        Term condition = expr_arg(g->shapes, x, k);
        reach(g, condition, path);
        reach(g, expr_arg(g->shapes, x, k + 1), both(g, path, condition, true));
        path = both(g, path, condition, false);
    }
    for (; k < node.n; k++) {
        reach(g, expr_arg(g->shapes, x, k), path);
        if (logic) path = both(g, path, expr_arg(g->shapes, x, k), node.op == TERM_AND);
    }
}

void ctext_guards(Shapes *shapes, Term root, const Term *node, Term *guard, int n) {
    bool wanted = false;
    for (int i = 0; i < n; i++) {
        guard[i] = expr_may_be_undefined(shapes, node[i]);
        wanted |= guard[i] != 0;
    }
    if (!wanted) return;
    size_t count = (size_t)expr_walk(shapes, root);
    Guards g = {.shapes = shapes};
    g.list = mem_take(2 * count, sizeof *g.list);
    g.guard = g.list + count;
    g.met = mem_take(count, sizeof *g.met);
    for (size_t i = 0; i < count; i++) {
        g.list[i] = shapes->walk[i];
        map_put(&g.place, g.list[i], (int64_t)i);
    }
    for (size_t i = count; i-- > 0;) reach_arguments(&g, g.list[i], g.guard[i]);
    for (int i = 0; i < n; i++)
        if (guard[i]) guard[i] = g.guard[map_get(&g.place, node[i], 0)];
    map_free(&g.place);
    MEM_FREE(g.list, g.met);
}

/* ---- crossings -------------------------------------------------------------------------------- */

const char *ctext_inside(Shapes *shapes, Term node, Term *argument) {
    Term a = expr_arg(shapes, node, 0);
    *argument = a;
    switch (expr_op(shapes, node)) {
    case TERM_SIGN: return "rb_in_sign";
    case TERM_CEIL: return "rb_in_ceil";
    case TERM_FLOOR:
    case TERM_TO_INTEGER: return "rb_in_floor";
    case TERM_QUOTIENT:
    case TERM_MOD:
    case TERM_REM:
        *argument = expr_2(shapes, TERM_DIV, a, expr_arg(shapes, node, 1));
        return expr_op(shapes, node) == TERM_MOD ? "rb_in_floor" : "rb_in_trunc";
    default: return NULL;
    }
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
