/* SPDX-License-Identifier: Apache-2.0 */
/* linear.c -- how an expression depends on some of its slots: not at all, linearly, or in
 * another way. One pass in ascending order; conservative: "linear" is a proof. */
#include "expr/expr.h"

static Degree most(Degree a, Degree b) {
    return a > b ? a : b;
}

static Degree degree_of(const Node *node, const Degree *d, const bool *set, int slots) {
    Degree all = DEGREE_NONE;
    for (uint32_t k = 0; k < node->n; k++) all = most(all, d[k]);
    switch (node->op) {
    case TERM_SLOT:
    case TERM_ARRAY_SLOT:
        return node->index < slots && set[node->index] ? DEGREE_LINEAR : DEGREE_NONE;
    case TERM_DELAY: return DEGREE_NONE; /* values of the past */
    case TERM_SAMPLE_CLOCKED:            /* ... and of other partitions */
    case TERM_HOLD:
    case TERM_SUB_SAMPLE:
    case TERM_SUPER_SAMPLE:
    case TERM_SHIFT_SAMPLE:
    case TERM_BACK_SAMPLE:
    case TERM_NO_CLOCK:
    case TERM_INTERVAL:
    case TERM_FIRST_TICK:
    case TERM_STEP: return DEGREE_NONE;
    }
    if (all == DEGREE_NONE || all == DEGREE_NONLINEAR) return all;
    switch (node->op) {
    case TERM_ADD:
    case TERM_NEG:
    case TERM_TO_REAL:
    case TERM_NO_EVENT:
    case TERM_ARRAY:
    case TERM_TUPLE:
    case TERM_EQUATION:
    case TERM_HOMOTOPY: return all;
    case TERM_SMOOTH: return d[1];
    case TERM_MUL: {
        int linear = 0;
        for (uint32_t k = 0; k < node->n; k++) linear += d[k] == DEGREE_LINEAR;
        return linear == 1 ? DEGREE_LINEAR : DEGREE_NONLINEAR;
    }
    case TERM_DIV: return d[1] == DEGREE_NONE ? d[0] : DEGREE_NONLINEAR;
    case TERM_IF:
    case TERM_WHEN:
        for (uint32_t k = 0; k + 1 < node->n; k += 2)
            if (d[k] != DEGREE_NONE) return DEGREE_NONLINEAR;
        return all;
    case TERM_SEMI_LINEAR: return d[0] == DEGREE_NONE ? all : DEGREE_NONLINEAR;
    case TERM_SUM_OF:
    case TERM_EACH: return d[0] == DEGREE_NONE ? d[1] : DEGREE_NONLINEAR;
    case TERM_ELEMENT:
        for (uint32_t k = 1; k < node->n; k++)
            if (d[k] != DEGREE_NONE) return DEGREE_NONLINEAR;
        return d[0];
    case TERM_SIZE: return DEGREE_NONE;
    default: return DEGREE_NONLINEAR;
    }
}

/* held: terms that count as constant. */
static Degree degree_without(Shapes *shapes, Term root, const bool *set, int slots,
                             const Term *held, int helds) {
    int     n = expr_walk(shapes, root);
    Degree *degree = mem_take((size_t)n, sizeof *degree), *d = NULL;
    size_t  room = 0;
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(shapes, shapes->walk[i]);
        if (node->n > room) {
            mem_free(d);
            d = mem_take(room = node->n + 8, sizeof *d);
        }
        for (uint32_t k = 0; k < node->n; k++)
            d[k] = degree[shapes->place[shapes->arg[node->arg + k]]];
        degree[i] = degree_of(node, d, set, slots);
        for (int k = 0; k < helds; k++)
            if (held[k] == shapes->walk[i]) degree[i] = DEGREE_NONE;
    }
    Degree result = degree[n - 1];
    MEM_FREE(d, degree);
    return result;
}

Degree expr_degree(Shapes *shapes, Term root, const bool *set, int slots) {
    return degree_without(shapes, root, set, slots, NULL, 0);
}

Degree expr_degree_held(Shapes *shapes, Term root, const bool *set, int slots) {
    Term held[64];
    int  n = ctext_events(shapes, root, held, LENGTH(held));
    if (n > LENGTH(held)) return DEGREE_NONLINEAR;
    return degree_without(shapes, root, set, slots, held, n);
}

Degree expr_degree_of_slot(Shapes *shapes, Term root, int slot) {
    bool *set = mem_take((size_t)slot, sizeof *set);
    set[slot] = true;
    Degree degree = expr_degree(shapes, root, set, slot + 1);
    mem_free(set);
    return degree;
}

static bool never_zero(const Shapes *shapes, Term e, int depth) {
    double value;
    Node   node = shapes->node[e];
    if (depth > 8) return false;
    if (expr_literal(shapes, e, &value)) return value != 0;
    switch (node.op) {
    case TERM_NEG:
    case TERM_NO_EVENT: return never_zero(shapes, expr_arg(shapes, e, 0), depth + 1);
    case TERM_EXP:
    case TERM_COSH: return true;
    case TERM_MUL:
        for (uint32_t k = 0; k < node.n; k++)
            if (!never_zero(shapes, expr_arg(shapes, e, k), depth + 1)) return false;
        return true;
    case TERM_IF:
        for (uint32_t k = 1; k < node.n; k += 2)
            if (!never_zero(shapes, expr_arg(shapes, e, k), depth + 1)) return false;
        return never_zero(shapes, expr_arg(shapes, e, node.n - 1), depth + 1);
    default: return false;
    }
}

bool expr_never_zero(const Shapes *shapes, Term expr) {
    return never_zero(shapes, expr, 0);
}
