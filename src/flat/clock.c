/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c -- clocks, the operators between clocked variables, and clocked when-clauses
 * (Modelica 3.6, chapter 16).
 *
 * What sets a clock becomes a row between clock variables: c = Clock(...), c = subSample(d, 2).
 * Operators that lead from one partition to another become rows of their own, w = sample(u),
 * with a variable on either side: the side of u belongs to one partition, w to the other.
 * Numbers of clocks and factors are evaluated here, since they shape the model.
 *
 * Equations of a clocked when-clause are ordinary equations. After each of them a row
 * c = clock(v) says that one of its variables ticks with the clock of the clause. */
#include "flat/job.h"

#include <string.h>

/* ---- hidden variables ------------------------------------------------------------------- */

static VarKind hidden_kind(Type type) {
    return type == TYPE_CLOCK  ? VAR_CLOCK
           : type == TYPE_REAL ? VAR_CONTINUOUS
                               : VAR_DISCRETE;
}

Term lower_as_variable(Lower *l, Term value, bool always, Pos pos) {
    int rows = 1;
    if (l->failed || l->unroll) return value;
    if (!always &&
        (expr_op(l->shapes, value) == TERM_SLOT || expr_is_literal(l->shapes, value)))
        return value;
    if (l->pendings == LENGTH(l->pending))
        return lower_fail(l, pos, "so many delays and clocked operators in an equation");
    for (int d = 0; d < l->row.dims; d++) rows *= l->row.extent[d];
    Node node = *expr_node(l->shapes, value);
    int  var = lower_hidden(l, hidden_kind((Type)node.type), (Type)node.type, rows, pos);
    l->pending[l->pendings].var = var;
    l->pending[l->pendings].value = value;
    l->pending[l->pendings++].pos = pos;
    return lower_hidden_slot(l, var);
}

void lower_forget_pending(Lower *l) {
    for (int k = 0; k < l->pendings; k++)
        l->sys->run[system_run_of(l->sys, l->pending[k].var)].kind = VAR_PARAMETER;
    l->pendings = 0;
}

/* ---- clocks and factors ------------------------------------------------------------------ */

/* A number that shapes the model, as a literal; 0: it is not known while translating. */
static Term known_number(Lower *l, const Tx *tx) {
    if (tx->vary > VARY_PARAMETER) return 0;
    Value *v = value_for_good(l, tx);
    return v ? element_literal(l, v, 0, tx->pos) : 0;
}

/* A number that shapes the clocks is none that changes while the model runs. */
static Term not_known(Lower *l, Pos pos, const char *what) {
    if (!l->failed)
        diag_report(l->front->diag, pos, CODE_D148, "%s must be known when translating",
                    what);
    l->failed = true;
    l->good = false;
    return l->shapes->zero;
}

static ClockKind clock_kind(const Tx *tx) {
    if (tx->n == 0) return CLOCK_INFERRED;
    int basic = tx->arg[0]->type.basic;
    return basic == BASIC_BOOLEAN   ? CLOCK_CONDITION
           : basic == BASIC_CLOCK   ? CLOCK_SOLVER
           : basic == BASIC_INTEGER ? CLOCK_RATIONAL
                                    : CLOCK_PERIOD;
}

/* What was lowered since there were so many slots stands under an operator that leads to another clock. */
static void set_apart(Lower *l, int slots) {
    for (int k = slots; k < l->row.slots; k++) l->row.slot[k].apart = true;
}

Term lower_clock(Lower *l, const Tx *tx) {
    int       slots = l->row.slots;
    Term      args[2];
    int       n = tx->n > 2 ? 2 : tx->n;
    ClockKind kind = clock_kind(tx);
    if (l->body) return lower_fail(l, tx->pos, "Clock in an algorithm");
    for (int k = 0; k < n; k++) {
        bool part = k == 0 && (kind == CLOCK_CONDITION || kind == CLOCK_SOLVER);
        args[k] = part ? 0 : known_number(l, tx->arg[k]);
        if (l->unroll || l->failed) return l->shapes->zero;
        if (!args[k] && k == 0)
            args[k] = lower_as_variable(l, lower_scalar(l, tx->arg[k], NULL), false,
                                        tx->arg[k]->pos);
        if (!args[k])
            return not_known(l, tx->arg[k]->pos,
                             kind == CLOCK_SOLVER      ? "the solver method of a clock"
                             : kind == CLOCK_CONDITION ? "the start interval of a clock"
                                                       : "the resolution of a clock");
    }
    set_apart(l, slots);
    return expr_indexed(l->shapes, TERM_CLOCK, kind, args, n);
}

Term lower_clock_choice(Lower *l, const Tx *tx) {
    for (int k = 0; k < tx->n; k += 2) {
        bool   last = k + 1 == tx->n;
        Value *c = last || tx->arg[k]->vary > VARY_PARAMETER
                       ? NULL
                       : value_for_good(l, tx->arg[k]);
        if (l->unroll || l->failed) return l->shapes->zero;
        if (last) return lower_scalar(l, tx->arg[k], NULL);
        if (!c)
            return not_known(l, tx->arg[k]->pos, "the condition of a choice of clocks");
        if (c->integer[0]) return lower_scalar(l, tx->arg[k + 1], NULL);
    }
    return l->shapes->zero;
}

/* ---- operators between partitions --------------------------------------------------------- */

/* Clock arguments of operators are variables. */
static Term clock_argument(Lower *l, const Tx *tx) {
    return lower_as_variable(l, lower_scalar(l, tx, NULL), false, tx->pos);
}

static const char *number_name(TermOp op, int k) {
    bool shift = op == TERM_SHIFT_SAMPLE || op == TERM_BACK_SAMPLE;
    return !shift ? "the factor" : k == 1 ? "the counter" : "the resolution";
}

/* Factors and counters are not negative, and a resolution is at least 1. */
static bool numbers_fit(Lower *l, const Tx *tx, const Term *args, int n, TermOp op) {
    for (int k = 1; k < n; k++) {
        double value = 0;
        if (tx->arg[k]->type.basic == BASIC_CLOCK) continue;
        expr_literal(l->shapes, args[k], &value);
        if (value >= (k == 2)) continue;
        diag_report(l->front->diag, tx->arg[k]->pos, CODE_D144,
                    "%s of '%s' is at least %d, this is %.15g", number_name(op, k),
                    tx->builtin->name, k == 2, value);
        l->failed = true;
        l->good = false;
        return false;
    }
    return true;
}

Term lower_converted(Lower *l, const Tx *tx, const Idx *idx, TermOp op) {
    Term args[3];
    int  n = tx->n > 3 ? 3 : tx->n, slots = l->row.slots;
    if (l->body) return lower_fail(l, tx->pos, "a clocked operator in an algorithm");
    args[0] = lower_spread(l, tx->arg[0], tx, idx);
    args[0] = lower_as_variable(l, args[0], false, tx->pos);
    for (int k = 1; k < n && !l->failed && !l->unroll; k++) {
        args[k] = tx->arg[k]->type.basic == BASIC_CLOCK ? clock_argument(l, tx->arg[k])
                                                        : known_number(l, tx->arg[k]);
        if (!args[k] && !l->unroll)
            return not_known(l, tx->arg[k]->pos, number_name(op, k));
    }
    if (l->failed || l->unroll) return l->shapes->zero;
    if (!numbers_fit(l, tx, args, n, op)) return l->shapes->zero;
    set_apart(l, slots);
    Term value = expr_make(l->shapes, op, args, n);
    if (op == TERM_HOLD || tx->type.basic == BASIC_CLOCK) return value;
    return lower_as_variable(l, value, true, tx->pos);
}

/* ---- what ticks with a row ----------------------------------------------------------------- */

/* Of slots of the row: those that the term uses. */
static void mark_used(Lower *l, Term term, bool *used) {
    int n = expr_walk(l->shapes, term);
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(l->shapes, l->shapes->walk[i]);
        if (node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT)
            used[node->index] = true;
    }
}

/* A variable that ticks, or does not, as the model says. */
static bool may_tick(const Lower *l, const RowSlot *slot) {
    if (slot->kind == TERM_NUMBER) return false;
    VarKind kind = (VarKind)l->sys->run[system_run_of(l->sys, slot->base)].kind;
    return kind != VAR_PARAMETER && kind != VAR_CONSTANT && kind != VAR_CLOCK;
}

/* Does the row belong to a clock for sure? */
static bool is_clocked(const Lower *l) {
    bool clocked = l->clock.var >= 0;
    for (int k = 0; k < l->pendings && !clocked; k++) {
        TermOp op = expr_op(l->shapes, l->pending[k].value);
        clocked = term_changes_clock(op) && op != TERM_HOLD;
    }
    return clocked;
}

int lower_tied(Lower *l, Term root, RowSlot **tied) {
    int n = 0, slots = l->row.slots;
    if (!is_clocked(l)) return 0;
    bool *used = NEW(&l->scratch, bool, (size_t)slots + 1);
    *tied = NEW(&l->scratch, RowSlot, (size_t)slots + 1);
    mark_used(l, expr_inline(l->shapes, root), used);
    for (int k = 0; k < slots && !n; k++)
        if (used[k] && may_tick(l, &l->row.slot[k])) (*tied)[n++] = l->row.slot[k];
    if (!n) return 0;
    for (int k = l->pendings - 1; k >= 0; k--) mark_used(l, l->pending[k].value, used);
    for (int k = 0; k < slots; k++)
        if (!used[k] && !l->row.slot[k].apart && may_tick(l, &l->row.slot[k]))
            (*tied)[n++] = l->row.slot[k];
    return n;
}

void lower_link_clock(Lower *l, const RowSlot *tied, int n, int owner, Pos pos) {
    int dims = l->row.dims, extent[ROW_DIMS], rows = 1;
    int clock = l->clock.var, stride[ROW_DIMS];
    if (!n || (clock < 0 && n == 1)) return;
    memcpy(extent, l->row.extent, sizeof extent);
    memcpy(stride, l->clock.stride, sizeof stride);
    for (int d = dims - 1; d >= 0 && clock < 0; d--) {
        stride[d] = rows;
        rows *= extent[d];
    }
    if (clock < 0) clock = lower_hidden(l, VAR_CLOCK, TYPE_CLOCK, rows, pos);
    for (int k = 0; k < n; k++) {
        row_begin(&l->row, l->sys, dims, extent);
        Term c = row_var(&l->row, clock, stride),
             v = row_var(&l->row, tied[k].base, tied[k].stride);
        row_end(&l->row, ROWS_EQUATION,
                expr_2(l->shapes, TERM_EQUATION, c, expr_1(l->shapes, TERM_CLOCK_OF, v)),
                0, owner, pos);
    }
}
