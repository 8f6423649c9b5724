/* SPDX-License-Identifier: Apache-2.0 */
/* timely.c -- relations see through variables that depend on time, parameters and discrete values alone.
 *
 * `y = sin(w*time); when y > 0.5 then ...`: the relation compares a variable, but its next change is as
 * foreseeable as that of `sin(w*time) > 0.5`. Where each unknown of a relation is given by a formula that
 * leads, through formulas of others if need be, to time and to values that only events change, these
 * formulas take its place in the relation, and there alone; what generated code does with relations of
 * time is then done with it (gen/program.c). The order of computation stays: what the relation reads now,
 * the variable needed before.
 *
 * Cost: each formula is looked at once, each row that may cause events once. */
#include "dae/dae.h"

#include <assert.h>

enum {
    MOST_NODES = 200, /* of a formula, those in it included */
    MOST_DEPTH = 64,  /* of formulas in formulas */
    MOST_EVENTS = 64  /* relations of a row that is looked at */
};

typedef struct Timely {
    Structure *st;
    Shapes    *shapes;
    Map        formula; /* variable -> formula over variables, NONE */
} Timely;

enum { NONE = -1 };

/* Its value changes at events only, if at all. */
static bool is_given(const Structure *st, int var) {
    switch (system_kind(st->sys, var)) {
    case VAR_PARAMETER:
    case VAR_CONSTANT:
    case VAR_DISCRETE:
    case VAR_PRE: return true;
    default: return false;
    }
}

static bool is_plain(const Shapes *shapes, Term e) {
    return !(shapes->node[e].flags &
             (NODE_CALLS | NODE_IMPURE | NODE_BOUND | NODE_CLOCKED));
}

static Term formula_of(Timely *x, int var, int depth);

/* A term of a row, with formulas in the place of its unknowns; slots are numbers of variables. 0: there
 * are unknowns without one. */
static Term over_variables(Timely *x, Term e, const int *slot, int depth) {
    Shapes *shapes = x->shapes;
    enum { MOST = 64 };
    Term from[MOST], to[MOST];
    int  n = expr_walk(shapes, e), slots = 0;
    for (int i = 0; i < n; i++) {
        const TermOp op = expr_op(shapes, shapes->walk[i]);
        if (op == TERM_ARRAY_SLOT || op == TERM_NUMBER || slots == MOST) return 0;
        if (op == TERM_SLOT) from[slots++] = shapes->walk[i];
    }
    for (int k = 0; k < slots; k++) {
        const Node leaf = shapes->node[from[k]];
        const int  var = slot[leaf.index];
        to[k] = is_given(x->st, var) ? expr_slot(shapes, var, (Type)leaf.type)
                                     : formula_of(x, var, depth);
        if (!to[k]) return 0;
    }
    e = expr_replace(shapes, e, from, to, slots);
    return expr_walk(shapes, e) <= MOST_NODES ? e : 0;
}

static Term make_formula(Timely *x, int var, int depth) {
    const Structure *st = x->st;
    const int        eq = st->role[var] == ROLE_UNKNOWN ? st->eq_of[var] : -1;
    if (eq < 0 || depth > MOST_DEPTH) return 0;
    const Block *block = &st->block[st->block_of[eq]];
    const int    row = st->eq_row[eq], shape = st->shape[row];
    const int   *slot = st->slot + st->first[row];
    if (block->kind != BLOCK_EXPLICIT || block->count != 1 ||
        x->shapes->shape[shape].wide || structure_multiple(st, row))
        return 0;
    for (int k = 0; k < x->shapes->shape[shape].slots; k++) {
        if (slot[k] != var ||
            expr_op(x->shapes, shape_leaf(x->shapes, shape, k)) != TERM_SLOT)
            continue;
        const Term value = shape_solve(x->shapes, shape, k).value;
        return value && is_plain(x->shapes, value)
                   ? over_variables(x, value, slot, depth + 1)
                   : 0;
    }
    return 0;
}

/* 0: it has none. */
static Term formula_of(Timely *x, int var, int depth) {
    int64_t known = map_get(&x->formula, (uint64_t)var + 1, 0);
    if (!known) {
        const Term made = make_formula(x, var, depth);
        known = made ? (int64_t)made : NONE;
        map_put(&x->formula, (uint64_t)var + 1, known);
    }
    return known == NONE ? 0 : (Term)known;
}

/* Does it read an unknown, in a way that can be seen through? */
static Term seen_through(Timely *x, Term relation, const int *slot) {
    const int n = expr_walk(x->shapes, relation);
    bool      unknown = false;
    for (int i = 0; i < n && !unknown; i++) {
        const Node *node = expr_node(x->shapes, x->shapes->walk[i]);
        unknown = node->op == TERM_SLOT && !is_given(x->st, slot[node->index]);
    }
    if (!unknown || !is_plain(x->shapes, relation)) return 0;
    const Term made = over_variables(x, relation, slot, 0);
    return made && x->shapes->node[made].flags & NODE_TIME ? made : 0;
}

/* The row with slots that are numbers of variables, the relations replaced. What stands in slot k may be an
 * integer of the row itself: its slot comes after all variables. */
static Term rebuild(Timely *x, int row, const Term *relation, const Term *made, int n) {
    Shapes    *shapes = x->shapes;
    const int  shape = x->st->shape[row], slots = shapes->shape[shape].slots;
    const int *slot = x->st->slot + x->st->first[row];
    Term      *from = mem_take(2 * (size_t)(slots + n), sizeof *from);
    Term      *to = from + slots + n;
    for (int k = 0; k < n; k++) from[k] = relation[k], to[k] = made[k];
    for (int k = 0; k < slots; k++) {
        from[n + k] = shape_leaf(shapes, shape, k);
        to[n + k] =
            expr_op(shapes, from[n + k]) == TERM_NUMBER
                ? expr_number(shapes, x->st->vars + k)
                : expr_slot(shapes, slot[k], (Type)shapes->node[from[n + k]].type);
    }
    const Term root =
        expr_replace(shapes, shapes->shape[shape].root, from, to, slots + n);
    mem_free(from);
    return root;
}

static bool look_at(Timely *x, int eq) {
    Structure *st = x->st;
    const int  row = st->eq_row[eq], shape = st->shape[row];
    const Term root = x->shapes->shape[shape].root;
    Term       relation[MOST_EVENTS], made[MOST_EVENTS];
    int        found = 0;
    if (!(x->shapes->node[root].flags & NODE_EVENTS) || x->shapes->shape[shape].wide ||
        structure_multiple(st, row) || !is_plain(x->shapes, root))
        return false;
    const int n = ctext_events(x->shapes, root, relation, MOST_EVENTS);
    for (int k = 0; k < n && n <= MOST_EVENTS; k++) {
        made[found] = seen_through(x, relation[k], st->slot + st->first[row]);
        relation[found] = relation[k];
        found += made[found] != 0;
    }
    if (!found) return false;
    const int *var; /* by slot of the new shape, for its slots were variables */
    const int  other = shape_of(x->shapes, rebuild(x, row, relation, made, found), &var);
    const int  slots = x->shapes->shape[other].slots;
    int       *slot = mem_take((size_t)slots + 1, sizeof *slot);
    for (int k = 0; k < slots; k++) {
        const int at =
            var ? var[k] : k; /* beyond the variables: an integer of the old row */
        slot[k] = at < st->vars ? at : st->slot[st->first[row] + at - st->vars];
    }
    st->eq_row[eq] =
        structure_add_row(st, other, slot, NULL, st->source[row], st->of[row]);
    mem_free(slot);
    return true;
}

/* Needs: torn blocks. Gives: relations of time in the place of those of variables of time. Breaks: rows
 * that are no equation's any more. */
void structure_timely(Structure *st) {
    Timely x = {.st = st, .shapes = st->sys->shapes};
    bool   changed = false;
    assert(st->done == DONE_TEAR);
    for (int eq = 0; eq < st->eqs; eq++)
        if (st->var_of[eq] >= 0) changed |= look_at(&x, eq);
    map_free(&x.formula);
    if (changed) structure_graph(st);
    ASSERT_CONTRACT(st->eqs, structure_is_torn(st));
}
