/* SPDX-License-Identifier: Apache-2.0 */
/* exact.c -- an equation of Integers, Booleans or Strings solved for one slot.
 *
 * Nothing may be rounded. Of Integers both sides are sums of literal multiples,
 *     a*x + sum a_k*t_k = 0   gives   x = sum -(a_k/a)*t_k,
 * and this is an Integer whatever the t_k are if a divides every a_k. Booleans are solved through
 * `not`, all others if they stand alone. Of a choice each branch is solved:
 *     (if c then f else g) = e   gives   x = if c then (f = e for x) else (g = e for x),
 * and all choices with the condition c are made at once. */
#include "expr/expr.h"

enum { CHOICES = 8 }; /* nested in each other: there are 2^8 branches at most */

/* Does e contain the slot? Not for values of a walk that goes on. */
static bool contains(Shapes *shapes, Term e, int slot) {
    int n = expr_walk(shapes, e);
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(shapes, shapes->walk[i]);
        if ((node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT) && node->index == slot)
            return true;
    }
    return false;
}

static bool is_slot(const Shapes *shapes, Term e, int slot) {
    const Node *node = expr_node(shapes, e);
    return node->op == TERM_SLOT && node->index == slot;
}

/* ---- Integers ---- */

enum { LARGEST = 1 << 30 }; /* multiples stay exact */

typedef struct Multiple {
    Term    term; /* the literal 1 for what is constant */
    int64_t by;
} Multiple;

typedef struct Sum {
    int       slot;
    int64_t   of_slot; /* its multiple */
    Multiple *item;    /* of other terms, each once */
    int       n, room;
} Sum;

static void add_multiple(Sum *sum, Term term, int64_t by) {
    for (int k = 0; k < sum->n; k++)
        if (sum->item[k].term == term) {
            sum->item[k].by += by;
            return;
        }
    GROW(sum->item, sum->room, sum->n + 1);
    sum->item[sum->n++] = (Multiple){term, by};
}

/* Adds `by` times e; false: e is not linear in the slot, or numbers are too large. */
static bool add_to(Shapes *shapes, Sum *sum, Term e, int64_t by) {
    double value;
    Node   node = shapes->node[e];
    if (by > LARGEST || by < -LARGEST) return false;
    if (is_slot(shapes, e, sum->slot)) {
        sum->of_slot += by;
        return true;
    }
    if (expr_literal(shapes, e, &value)) {
        if (value > LARGEST || value < -LARGEST) return false;
        add_multiple(sum, expr_integer(shapes, 1), by * (int64_t)value);
        return true;
    }
    if (node.op == TERM_NEG) return add_to(shapes, sum, expr_arg(shapes, e, 0), -by);
    bool fine = true;
    for (uint32_t k = 0; k < node.n && node.op == TERM_ADD && fine; k++)
        fine = add_to(shapes, sum, expr_arg(shapes, e, k), by);
    if (node.op == TERM_ADD) return fine;
    if (node.op == TERM_MUL && node.n == 2)
        for (uint32_t k = 0; k < 2; k++)
            if (expr_literal(shapes, expr_arg(shapes, e, k), &value) &&
                value <= LARGEST && value >= -LARGEST)
                return add_to(shapes, sum, expr_arg(shapes, e, 1 - k),
                              by * (int64_t)value);
    if (contains(shapes, e, sum->slot)) return false;
    add_multiple(sum, e, by);
    return true;
}

static Term solve_sum(Shapes *shapes, Term left, Term right, int slot) {
    Sum  sum = {.slot = slot};
    bool fine =
        add_to(shapes, &sum, left, 1) && add_to(shapes, &sum, right, -1) && sum.of_slot;
    for (int k = 0; k < sum.n && fine; k++) fine = sum.item[k].by % sum.of_slot == 0;
    Term value = fine ? expr_integer(shapes, 0) : 0;
    for (int k = 0; k < sum.n && fine; k++) {
        int64_t by = -sum.item[k].by / sum.of_slot;
        Term    size = expr_integer(shapes, by < 0 ? -by : by);
        Term    term = expr_2(shapes, TERM_MUL, size, sum.item[k].term);
        value = by < 0 ? expr_sub(shapes, value, term)
                       : expr_2(shapes, TERM_ADD, value, term);
    }
    mem_free(sum.item);
    return value;
}

/* ---- v = e and its mirror ---- */

static Term solve_alone(Shapes *shapes, Term left, Term right, int slot) {
    for (int side = 0; side < 2; side++) {
        Term a = side ? right : left, b = side ? left : right;
        bool negated = false;
        for (; expr_op(shapes, a) == TERM_NOT; negated = !negated)
            a = expr_arg(shapes, a, 0);
        if (is_slot(shapes, a, slot) && !contains(shapes, b, slot))
            return negated ? expr_1(shapes, TERM_NOT, b) : b;
    }
    return 0;
}

/* ---- choices ---- */

/* The condition of a choice below e in whose branches the slot stands, 0: none. has: by place in the
 * walk, whether the slot stands in or below a node. */
static Term choice_with(const Shapes *shapes, Term e, const bool *has) {
    Node node = shapes->node[e];
    if (!has[shapes->place[e]]) return 0;
    if (node.op == TERM_IF)
        return has[shapes->place[expr_arg(shapes, e, 0)]] ? 0 : expr_arg(shapes, e, 0);
    bool through = node.op == TERM_ADD || node.op == TERM_MUL || node.op == TERM_NEG ||
                   node.op == TERM_NOT;
    Term found = 0;
    for (uint32_t k = 0; k < node.n && through && !found; k++)
        found = choice_with(shapes, expr_arg(shapes, e, k), has);
    return found;
}

/* As choice_with, for the whole of e, which is walked once; *type is that of the slot, if it is there. */
static Term choice_below(Shapes *shapes, Term e, int slot, Type *type) {
    int   n = expr_walk(shapes, e);
    bool *has = mem_take((size_t)n, sizeof *has);
    for (int i = 0; i < n; i++) { /* arguments before users */
        const Node *node = expr_node(shapes, shapes->walk[i]);
        has[i] =
            (node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT) && node->index == slot;
        if (has[i]) *type = (Type)node->type;
        for (uint32_t k = 0; k < node->n && !has[i]; k++)
            has[i] = has[shapes->place[shapes->arg[node->arg + k]]];
    }
    Term found = choice_with(shapes, e, has);
    mem_free(has);
    return found;
}

/* e with all choices of this condition made. */
static Term choose(Shapes *shapes, Term e, Term condition, bool yes) {
    int   n = expr_walk(shapes, e), count = 0;
    Term *from = mem_take(2 * (size_t)n + 2, sizeof *from), *to = from + n + 1;
    for (int i = 0; i < n; i++)
        if (expr_op(shapes, shapes->walk[i]) == TERM_IF &&
            expr_arg(shapes, shapes->walk[i], 0) == condition)
            from[count++] = shapes->walk[i];
    for (int i = 0; i < count; i++) {
        Node node = shapes->node[from[i]];
        Term rest[64];
        for (uint32_t k = 2; k < node.n && k < LENGTH(rest); k++)
            rest[k - 2] = expr_arg(shapes, from[i], k);
        to[i] = yes           ? expr_arg(shapes, from[i], 1)
                : node.n == 3 ? rest[0]
                : node.n - 2 > LENGTH(rest)
                    ? 0
                    : expr_make(shapes, TERM_IF, rest, (int)node.n - 2);
    }
    Term result = expr_replace(shapes, e, from, to, count);
    mem_free(from);
    return result;
}

static Term solve_sides(Shapes *shapes, Term left, Term right, int slot, int choices) {
    Term value = solve_alone(shapes, left, right, slot);
    if (value) return value;
    Type type = TYPE_NONE;
    Term condition = choice_below(shapes, left, slot, &type);
    if (!condition) condition = choice_below(shapes, right, slot, &type);
    if (condition && choices < CHOICES) {
        Term branch[2] = {0};
        for (int no = 0; no < 2; no++) {
            branch[no] =
                solve_sides(shapes, choose(shapes, left, condition, !no),
                            choose(shapes, right, condition, !no), slot, choices + 1);
            if (!branch[no]) return 0;
        }
        return expr_3(shapes, TERM_IF, condition, branch[0], branch[1]);
    }
    return type == TYPE_INTEGER && shapes->node[left].type == TYPE_INTEGER &&
                   shapes->node[right].type == TYPE_INTEGER
               ? solve_sum(shapes, left, right, slot)
               : 0;
}

Term expr_solve_exact(Shapes *shapes, Term equation, int slot) {
    return solve_sides(shapes, expr_arg(shapes, equation, 0),
                       expr_arg(shapes, equation, 1), slot, 0);
}
