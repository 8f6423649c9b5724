/* SPDX-License-Identifier: Apache-2.0 */
/* cevent.c -- which nodes of an expression cause events, what crosses zero then, and under which
 * conditions a node is evaluated at all. */
#include "expr/ctext.h"

#include <string.h>

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

/* In the branches of a when-clause relations are evaluated at its events only: that of `when sample(0, 1) then
 * f = time < 0.5` is no event at 0.5, and its value would stay as it is. */
void ctext_guards(Shapes *shapes, Term root, const Term *node, Term *guard, int n) {
    const bool clause = expr_op(shapes, root) == TERM_WHEN;
    bool       wanted = false;
    for (int i = 0; i < n; i++) {
        guard[i] = clause || expr_may_be_undefined(shapes, node[i]);
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

/* ---- events whose times are known ------------------------------------------------------------------ */

enum { SLOT = 1 << 12 }; /* stands for a part of an expression */

/* f = p*part + q with p and q free of it and of time. */
static bool linear_in(Shapes *shapes, Term f, Term part, Term *p, Term *q) {
    const char *reason;
    Term        slot = expr_slot(shapes, SLOT, TYPE_REAL);
    Term        g = expr_replace(shapes, f, &part, &slot, 1);
    if (shapes->node[g].flags & NODE_TIME) return false;
    if (expr_degree_of_slot(shapes, g, SLOT) != DEGREE_LINEAR) return false;
    *p = expr_partial(shapes, expr_2(shapes, TERM_EQUATION, g, shapes->zero), SLOT,
                      &reason);
    *q = expr_replace(shapes, g, &slot, &shapes->zero, 1);
    return *p && !expr_is_zero(shapes, *p);
}

/* The time at which p*time + q = value. */
static Term time_of(Shapes *shapes, Term value, Term p, Term q) {
    return expr_2(shapes, TERM_DIV, expr_sub(shapes, value, q), p);
}

/* What rounding errors of a relation or argument are shares of, in units of time where its slope is p: the
 * sum of the magnitudes of all that it is computed from, as it is written. 1e6 - time < 1e6 is still false
 * at 1e-11. 0: it is long. */
static Term size_of(Shapes *shapes, Term node, Term p) {
    enum { MOST = 60 };
    Term part[MOST], sum = shapes->zero;
    int  n = expr_walk(shapes, node);
    if (n > MOST) return 0;
    memcpy(part, shapes->walk, (size_t)n * sizeof *part);
    for (int i = 0; i < n; i++) {
        const Node *x = expr_node(shapes, part[i]);
        if (x->rank || (x->type != TYPE_REAL && x->type != TYPE_INTEGER)) continue;
        sum = expr_2(shapes, TERM_ADD, sum, expr_1(shapes, TERM_ABS, part[i]));
    }
    return expr_1(shapes, TERM_ABS, expr_2(shapes, TERM_DIV, sum, p));
}

/* A periodic function of p*time + q, which is `part` in a relation, passes this level. */
static bool periodic_times(Shapes *shapes, Term node, Term part, Term level,
                           EventTimes *out) {
    const double pi = 3.14159265358979323846;
    const TermOp op = expr_op(shapes, part);
    Term p, q, time = expr_time(shapes), angle, period = expr_real(shapes, 2 * pi);
    if (!linear_in(shapes, expr_arg(shapes, part, 0), time, &p, &q)) return false;
    if (op == TERM_MOD || op == TERM_REM) {
        period = expr_arg(shapes, part, 1);
        if (shapes->node[period].flags & NODE_TIME) return false;
        out->first[0] = time_of(shapes, level, p, q);
        out->n = 1;
    } else {
        angle = expr_1(shapes, op == TERM_SIN ? TERM_ASIN : TERM_ACOS, level);
        out->first[0] = time_of(shapes, angle, p, q);
        angle = op == TERM_SIN ? expr_sub(shapes, expr_real(shapes, pi), angle)
                               : expr_1(shapes, TERM_NEG, angle);
        out->first[1] = time_of(shapes, angle, p, q);
        out->n = 2;
    }
    out->spacing = expr_2(shapes, TERM_DIV, period, p);
    out->size = size_of(shapes, node, p);
    return true;
}

/* f is zero where a sine, cosine or remainder in it, linear in time, passes a level. */
static bool times_of_part(Shapes *shapes, Term node, Term f, EventTimes *out) {
    enum { MOST = 8 };
    Term part[MOST], p, q;
    int  n = expr_walk(shapes, f), parts = 0;
    for (int i = 0; i < n && parts < MOST; i++) {
        const Term   x = shapes->walk[i];
        const TermOp op = expr_op(shapes, x);
        if (op != TERM_SIN && op != TERM_COS && op != TERM_MOD && op != TERM_REM)
            continue;
        if (shapes->node[x].flags & NODE_TIME) part[parts++] = x;
    }
    for (int i = 0; i < parts; i++)
        if (linear_in(shapes, f, part[i], &p, &q) &&
            periodic_times(shapes, node, part[i], time_of(shapes, shapes->zero, p, q),
                           out))
            return true;
    return false;
}

static bool times_of_relation(Shapes *shapes, Term node, EventTimes *out) {
    Term f = expr_sub(shapes, expr_arg(shapes, node, 0), expr_arg(shapes, node, 1)), p, q;
    if (!(shapes->node[f].flags & NODE_TIME)) return false;
    if (!linear_in(shapes, f, expr_time(shapes), &p, &q))
        return times_of_part(shapes, node, f, out);
    *out = (EventTimes){
        {time_of(shapes, shapes->zero, p, q)}, 1, 0, size_of(shapes, node, p)};
    return true;
}

/* Of the whole numbers that a linear function of time passes. */
static bool times_of_steps(Shapes *shapes, Term node, EventTimes *out) {
    Term argument, p, q;
    if (!ctext_inside(shapes, node, &argument) ||
        !linear_in(shapes, argument, expr_time(shapes), &p, &q))
        return false;
    *out = (EventTimes){
        {time_of(shapes, shapes->zero, p, q)}, 1, 0, size_of(shapes, argument, p)};
    if (expr_op(shapes, node) != TERM_SIGN)
        out->spacing = expr_2(shapes, TERM_DIV, shapes->one, p);
    return true;
}

bool ctext_event_times(Shapes *shapes, Term node, EventTimes *out) {
    *out = (EventTimes){0};
    switch (expr_op(shapes, node)) {
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL: return times_of_relation(shapes, node, out);
    default: return times_of_steps(shapes, node, out);
    }
}
