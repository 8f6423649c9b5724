/* SPDX-License-Identifier: Apache-2.0 */
/* discrete.c -- what clocked partitions without a solver method cannot contain (Modelica 3.6, 16.8.1 and
 * 16.9): operators of events and of the past, which ask for continuous time between the ticks, and
 * initial equations, as clocked states begin with their start values.
 *
 * Needs: rows that belong to one base clock each. Linear in rows. */
#include "dae/dae.h"

/* The sub-clock partition of a row: that of its first clocked variable; -1: none. */
static int sub_of_row(const RowWalk *walk) {
    const Shapes *shapes = walk->sys->shapes;
    int           shape = walk->family.shape;
    for (int k = 0; k < shapes->shape[shape].slots; k++) {
        if (expr_op(shapes, shape_leaf(shapes, shape, k)) == TERM_NUMBER) continue;
        int sub = system_sub(walk->sys, walk->slot[k]);
        if (sub >= 0) return sub;
    }
    return -1;
}

static const char when_clause[] = "a when-clause whose condition is not a clock";

static const char *operator_name(const Node *node) {
    switch (node->op) {
    case TERM_DELAY: return "delay";
    case TERM_SPATIAL: return "spatialDistribution";
    case TERM_EDGE: return "edge";
    case TERM_CHANGE: return "change";
    case TERM_INITIAL: return "initial";
    case TERM_TERMINAL: return "terminal";
    case TERM_SAMPLE: return "sample(start, interval)";
    case TERM_WHEN: return when_clause;
    default: return NULL;
    }
}

/* Algorithms begin with the values of the tick before: a left limit is nothing that was written. */
static bool is_algorithm(const Shapes *shapes, Term root) {
    return expr_op(shapes, root) == TERM_EQUATION &&
           expr_op(shapes, expr_arg(shapes, root, 0)) == TERM_TUPLE;
}

/* What a row has that a discrete-time partition cannot; NULL: nothing. */
static const char *event_operator(const RowWalk *walk) {
    Shapes     *shapes = walk->sys->shapes;
    int         shape = walk->family.shape;
    Term        root = shapes->shape[shape].root;
    const char *found = NULL;
    for (int k = 0; k < shapes->shape[shape].slots && !is_algorithm(shapes, root); k++) {
        if (expr_op(shapes, shape_leaf(shapes, shape, k)) == TERM_NUMBER) continue;
        int run = system_run_of(walk->sys, walk->slot[k]);
        if (walk->sys->run[run].kind == VAR_PRE) found = "pre";
    }
    int n = expr_walk(shapes, root);
    for (int i = 0; i < n; i++) {
        const char *name = operator_name(expr_node(shapes, shapes->walk[i]));
        if (name) found = name;
    }
    return found;
}

/* Does a row have an operator of the past? */
static bool remembers(const RowWalk *walk) {
    Shapes *shapes = walk->sys->shapes;
    int     n = expr_walk(shapes, shapes->shape[walk->family.shape].root);
    for (int i = 0; i < n; i++) {
        TermOp op = expr_op(shapes, shapes->walk[i]);
        if (op == TERM_DELAY || op == TERM_SPATIAL) return true;
    }
    return false;
}

static bool refuse_operator(Diag *diag, Pos pos, const char *name) {
    diag_report(diag, pos, CODE_D146,
                "a clocked partition without a solver method cannot contain %s", name);
    return false;
}

bool clocks_need_method(const System *sys, int sub, Pos pos, Diag *diag) {
    SubClock *of = &sys->clocks->sub[sub];
    of->discretised = 1;
    if (!of->other) return true;
    if (diag)
        diag_report(diag, pos, CODE_D139,
                    "the solver method of this partition could be that of either of its "
                    "neighbours: %s or %s",
                    solver_method_name[of->method], solver_method_name[of->other]);
    return false;
}

static bool check_row(const RowWalk *walk, Diag *diag) {
    int sub = walk->family.partition ? sub_of_row(walk) : -1;
    if (sub < 0) return true;
    if (walk->sys->clocks->sub[sub].method != SOLVER_NONE) {
        walk->sys->clocks->remembers |= remembers(walk);
        return !event_operator(walk) ||
               clocks_need_method(walk->sys, sub, walk->family.pos, diag);
    }
    if (walk->set == ROWS_INITIAL) {
        diag_report(diag, walk->family.pos, CODE_D145,
                    "clocked variables have no initial equations: they begin with their "
                    "start values");
        return false;
    }
    const char *name = event_operator(walk);
    if (!name) return true;
    return refuse_operator(diag, walk->family.pos, name);
}

/* When-clauses of states are equations by now (inst/whens.c). */
static bool check_whens(const System *sys, Diag *diag) {
    for (int k = 0; k < sys->machines.whens; k++) {
        int var = sys->machines.when[k], sub = system_sub(sys, var);
        if (sub >= 0 && sys->clocks->sub[sub].method == SOLVER_NONE)
            return refuse_operator(diag, sys->run[system_run_of(sys, var)].pos,
                                   when_clause);
    }
    return true;
}

bool clocks_check(System *sys, Diag *diag) {
    const RowSet sets[] = {ROWS_EQUATION, ROWS_INITIAL};
    bool         fine = check_whens(sys, diag);
    if (!fine) return false;
    for (int s = 0; s < LENGTH(sets); s++) {
        RowWalk walk = {.sys = sys, .set = sets[s]};
        while (row_walk(&walk)) fine &= check_row(&walk, diag);
    }
    return fine;
}
