/* SPDX-License-Identifier: Apache-2.0 */
/* solve.c -- an equation solved for one slot, as an expression.
 *
 * While the slot stands in one place only, the operators above it are moved to the other side
 * one by one: terms, factors, quotients, exp, log and their like, functions with an annotated
 * inverse. Where it stands in several
 * places but linearly, f = a*x + b gives x = -b/a with a = df/dx and b = f(x = 0). All else
 * is left to Newton's method. The result is kept per (shape, slot). */
#include "expr/expr.h"

#include <string.h>

/* uses[place]: does the node at this place of the walk contain the slot? */
static bool *find_uses(Shapes *shapes, Term root, int slot) {
    int   n = expr_walk(shapes, root);
    bool *uses = mem_take((size_t)n, sizeof *uses);
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(shapes, shapes->walk[i]);
        if ((node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT) && node->index == slot)
            uses[i] = true;
        for (uint32_t k = 0; k < node->n && !uses[i]; k++)
            uses[i] = uses[shapes->place[shapes->arg[node->arg + k]]];
    }
    return uses;
}

typedef struct Peel {
    Term inner, other; /* inner = other is to be solved, inner contains the slot */
    Term factor;       /* product of what was divided by; 0 if nothing */
    bool inverted;     /* a nonlinear function was inverted */
} Peel;

static void divided_by(Shapes *shapes, Peel *peel, Term factor) {
    peel->factor = peel->factor ? expr_2(shapes, TERM_MUL, peel->factor, factor) : factor;
}

/* Moves the arguments of a sum or product, except the k-th, to the other side. */
static void move_rest(Shapes *shapes, Peel *peel, uint32_t k) {
    Term  e = peel->inner;
    Node  node = shapes->node[e];
    Term *rest = mem_take(node.n, sizeof *rest);
    int   n = 0;
    for (uint32_t j = 0; j < node.n; j++)
        if (j != k) rest[n++] = expr_arg(shapes, e, j);
    Term all = n == 1 ? rest[0] : expr_make(shapes, (TermOp)node.op, rest, n);
    if (node.op == TERM_ADD) {
        peel->other = expr_sub(shapes, peel->other, all);
    } else {
        peel->other = expr_2(shapes, TERM_DIV, peel->other, all);
        divided_by(shapes, peel, all);
    }
    peel->inner = expr_arg(shapes, e, k);
    mem_free(rest);
}

/* f(..., x, ...) = c with an inverse for x: x = g(c, ...). */
static bool peel_call(Shapes *shapes, Peel *peel, uint32_t k) {
    Node            node = shapes->node[peel->inner];
    const Function *f =
        node.index < shapes->functions ? shapes->function[node.index] : NULL;
    const Inverse *inverse = NULL;
    for (int i = 0; f && f->outputs == 1 && i < f->inverses; i++)
        if (f->inverse[i].input == (int)k) inverse = &f->inverse[i];
    if (!inverse) return false;
    Term *arg = mem_take((size_t)(inverse->args + 1), sizeof *arg);
    for (int i = 0; i < inverse->args; i++)
        arg[i] = inverse->arg[i] == INVERSE_RESULT
                     ? peel->other
                     : expr_arg(shapes, peel->inner, (uint32_t)inverse->arg[i]);
    Term inner = expr_arg(shapes, peel->inner, k);
    peel->other =
        expr_call(shapes, inverse->function, 0, TYPE_REAL, 0, arg, inverse->args);
    peel->inner = inner;
    peel->inverted = true;
    mem_free(arg);
    return true;
}

/* One operator less above the slot, which stands in argument k. */
static bool peel_one(Shapes *shapes, Peel *peel, uint32_t k) {
    Term e = peel->inner;
    Node node = shapes->node[e];
    if (node.type != TYPE_REAL || node.rank) return false;
    switch (node.op) {
    case TERM_ADD:
    case TERM_MUL: move_rest(shapes, peel, k); return true;
    case TERM_CALL: return peel_call(shapes, peel, k);
    case TERM_NEG: peel->other = expr_1(shapes, TERM_NEG, peel->other); break;
    case TERM_NO_EVENT: break;
    case TERM_SMOOTH:
        if (k != 1) return false;
        break;
    case TERM_DIV:
        if (k == 0) {
            peel->other = expr_2(shapes, TERM_MUL, peel->other, expr_arg(shapes, e, 1));
        } else { /* a/x = c gives x = a/c: c may vanish, so only Newton is safe */
            return false;
        }
        break;
    case TERM_EXP:
        peel->other = expr_1(shapes, TERM_LOG, peel->other);
        peel->inverted = true;
        break;
    case TERM_LOG:
        peel->other = expr_1(shapes, TERM_EXP, peel->other);
        peel->inverted = true;
        break;
    case TERM_LOG10:
        peel->other = expr_2(shapes, TERM_POW, expr_real(shapes, 10), peel->other);
        peel->inverted = true;
        break;
    default: return false;
    }
    peel->inner = expr_arg(shapes, e, k);
    return true;
}

/* Peels as long as exactly one argument contains the slot. */
static Peel peel_all(Shapes *shapes, Term root, int slot, bool *reached) {
    bool    *uses = find_uses(shapes, root, slot);
    Peel     peel = {0};
    uint32_t stamp = shapes->stamp;
    Term     left = expr_arg(shapes, root, 0), right = expr_arg(shapes, root, 1);
    bool     in_left = uses[shapes->place[left]], in_right = uses[shapes->place[right]];
    *reached = false;
    peel.inner = in_left ? left : right;
    peel.other = in_left ? right : left;
    bool go = in_left != in_right;
    while (go && expr_op(shapes, peel.inner) != TERM_SLOT) {
        Node     node = shapes->node[peel.inner];
        uint32_t where = 0, count = 0;
        for (uint32_t k = 0; k < node.n; k++)
            if (uses[shapes->place[shapes->arg[node.arg + k]]]) {
                where = k;
                count++;
            }
        go = count == 1 && peel_one(shapes, &peel, where);
    }
    *reached = go && shapes->stamp == stamp; /* nothing walked in between */
    mem_free(uses);
    return peel;
}

static bool slots_in(Shapes *shapes, Term e) {
    return shapes->node[e].flags & (NODE_SLOTS | NODE_TIME);
}

static SolveKind kind_of(Shapes *shapes, Term factor) {
    if (!factor || expr_never_zero(shapes, factor)) return SOLVE_ALWAYS;
    return slots_in(shapes, factor) ? SOLVE_FACTOR : SOLVE_NONE;
}

/* f(x = 0), but for what delay asks of the past of x. */
static Term at_zero(Shapes *shapes, Term f, int slot) {
    int   n = expr_walk(shapes, f), count = 0;
    Term *from = mem_take(2 * (size_t)n + 2, sizeof *from), *to = from + n + 1;
    for (int i = 0; i < n; i++)
        if (expr_op(shapes, shapes->walk[i]) == TERM_DELAY) {
            from[count] = shapes->walk[i];
            to[count++] = shapes->walk[i];
        }
    from[count] = expr_slot(shapes, slot, TYPE_REAL);
    to[count++] = shapes->zero;
    Term result = expr_simplify(shapes, expr_replace(shapes, f, from, to, count));
    mem_free(from);
    return result;
}

static Solution solve_real(Shapes *shapes, Term root, int slot) {
    Solution s = {.kind = SOLVE_NONE};
    s.degree = expr_degree_of_slot(shapes, root, slot);
    if (s.degree == DEGREE_NONE) return s;
    bool reached;
    Peel peel = peel_all(shapes, root, slot, &reached);
    if (reached) {
        s.value = peel.other;
        s.factor = peel.factor;
        s.inverted = peel.inverted;
        s.kind = kind_of(shapes, peel.factor);
        if (s.kind != SOLVE_NONE) return s;
    }
    if (s.degree != DEGREE_LINEAR)
        return (Solution){.kind = SOLVE_NONE, .degree = s.degree};
    const char *reason;
    Term f = expr_residual(shapes, root), a = expr_partial(shapes, f, slot, &reason);
    if (!a || expr_is_zero(shapes, a))
        return (Solution){.kind = SOLVE_NONE, .degree = s.degree};
    Term b = at_zero(shapes, f, slot);
    s.value = expr_2(shapes, TERM_DIV, expr_1(shapes, TERM_NEG, b), a);
    s.factor = a;
    s.kind = kind_of(shapes, a);
    return s;
}

/* Boolean, Integer, String. */
static Solution solve_discrete(Shapes *shapes, Term root, int slot) {
    Solution s = {.kind = SOLVE_NONE, .degree = DEGREE_NONLINEAR};
    s.value = expr_solve_exact(shapes, root, slot);
    if (s.value) s.kind = SOLVE_ALWAYS;
    return s;
}

static Solution solve(Shapes *shapes, int shape, int slot) {
    Term root = shapes->shape[shape].root;
    Node leaf = shapes->node[shape_leaf(shapes, shape, slot)];
    if (expr_op(shapes, root) != TERM_EQUATION ||
        expr_op(shapes, expr_arg(shapes, root, 0)) == TERM_TUPLE)
        return (Solution){.kind = SOLVE_NONE, .degree = DEGREE_NONLINEAR};
    if (leaf.op == TERM_ARRAY_SLOT)
        return (Solution){.kind = SOLVE_NONE,
                          .degree = expr_degree_of_slot(shapes, root, slot)};
    if (leaf.op != TERM_SLOT) return (Solution){.kind = SOLVE_NONE};
    return leaf.type == TYPE_REAL ? solve_real(shapes, root, slot)
                                  : solve_discrete(shapes, root, slot);
}

/* Slots below e; not those that stand below the terms in `without` only. */
static uint64_t slot_mask(Shapes *shapes, Term e, const Term *without, int withouts) {
    uint64_t mask = 0;
    int      n = e ? expr_walk(shapes, e) : 0;
    bool    *seen = mem_take((size_t)n, sizeof *seen);
    if (n) seen[n - 1] = true;
    for (int i = n - 1; i >= 0; i--) { /* users before arguments */
        const Node *node = expr_node(shapes, shapes->walk[i]);
        for (int k = 0; k < withouts; k++)
            if (without[k] == shapes->walk[i]) seen[i] = false;
        if (!seen[i]) continue;
        for (uint32_t k = 0; k < node->n; k++)
            seen[shapes->place[shapes->arg[node->arg + k]]] = true;
        if (node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT ||
            node->op == TERM_NUMBER)
            mask |= 1ull << (node->index < 63 ? node->index : 63);
        else if (node->op == TERM_TIME) mask |= 1ull << 63;
    }
    mem_free(seen);
    return mask;
}

void expr_present(Shapes *shapes, Term root, bool *now, int slots) {
    int   n = expr_walk(shapes, root);
    bool *seen = mem_take((size_t)n, sizeof *seen);
    seen[n - 1] = true;
    memset(now, 0, (size_t)slots * sizeof *now);
    for (int i = n - 1; i >= 0; i--) { /* users before arguments */
        const Node *node = expr_node(shapes, shapes->walk[i]);
        if (!seen[i]) continue;
        if ((node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT) && node->index < slots)
            now[node->index] = true;
        uint32_t from = 0;
        if (node->op == TERM_DELAY) from = 1; /* the first argument is the past */
        if (node->op == TERM_INTERVAL || node->op == TERM_FIRST_TICK) from = node->n;
        for (uint32_t k = from; k < node->n; k++)
            seen[shapes->place[shapes->arg[node->arg + k]]] = true;
    }
    mem_free(seen);
}

Solution shape_solve(Shapes *shapes, int shape, int slot) {
    uint64_t key = (uint64_t)(uint32_t)shape << 32 | (uint32_t)slot;
    int64_t  known = map_get(&shapes->cache[CACHE_SOLVE], key, -1);
    if (known >= 0) return shapes->solution[known];
    Solution s = solve(shapes, shape, slot);
    s.slots = slot_mask(shapes, s.factor, NULL, 0);
    GROW(shapes->solution, shapes->solution_room, shapes->solutions + 1);
    shapes->solution[shapes->solutions] = s;
    map_put(&shapes->cache[CACHE_SOLVE], key, shapes->solutions++);
    return s;
}

uint64_t shape_partial_slots(Shapes *shapes, int shape, int slot, bool held) {
    enum { MOST = 64 };
    uint64_t key = (uint64_t)(uint32_t)shape << 32 | (uint32_t)slot;
    Map     *cache = &shapes->cache[held ? CACHE_PARTIAL_HELD : CACHE_PARTIAL];
    Term     relation[MOST];
    if (map_has(cache, key)) return (uint64_t)map_get(cache, key, 0);
    const char *reason;
    Term        d = expr_partial(shapes, shapes->shape[shape].root, slot, &reason);
    int         n = d && held ? ctext_events(shapes, d, relation, MOST) : 0;
    if (n > MOST) n = 0; /* not all of them are held */
    uint64_t mask = d ? slot_mask(shapes, d, relation, n) : ~0ull;
    map_put(cache, key, (int64_t)mask);
    return mask;
}
