/* SPDX-License-Identifier: Apache-2.0 */
/* binding.c -- parameters that are computed from other parameters.
 *
 * The rows of ROWS_BINDING with their left sides as unknowns are a system like any other: they
 * are put in order, loops included, and become code. Setting a parameter from outside means
 * running that code again. There are no aliases here: every parameter keeps its own value. */
#include "dae/dae.h"

/* The variable that result p of a row stands for, -1 if none. */
static int left_of(const Structure *st, int row, int p) {
    const Shapes *shapes = st->sys->shapes;
    if (structure_multiple(st, row)) return structure_result(st, row, p);
    Term left = expr_arg(shapes, shapes->shape[st->shape[row]].root, 0);
    if (expr_op(shapes, left) != TERM_SLOT) return -1;
    return st->slot[st->first[row] + shapes->node[left].index];
}

static bool is_given(const int *given, int givens, int var) {
    for (int i = 0; i < givens; i++)
        if (given[i] == var) return true;
    return false;
}

/* The equations of a row, unless its result is given. */
static void add_equations(Structure *st, int row, const int *given, int givens) {
    int parts = structure_results(st, row);
    if (parts == 1 && is_given(given, givens, left_of(st, row, 0))) return;
    for (int p = 0; p < parts; p++) {
        int var = left_of(st, row, p);
        if (var >= 0) st->role[var] = ROLE_UNKNOWN;
        structure_add_equation(st, row, p);
    }
}

bool structure_bindings(Structure *st, System *sys, const int *given, int givens,
                        Diag *diag) {
    *st = (Structure){.sys = sys, .diag = diag, .plain = true};
    structure_grow(st);
    for (int v = 0; v < st->vars; v++) st->role[v] = ROLE_KNOWN;
    RowWalk walk = {.sys = sys, .set = ROWS_BINDING};
    while (row_walk(&walk)) {
        int row = structure_add_row(st, walk.family.shape, walk.slot, walk.sizes,
                                    SOURCE_BINDING - walk.row, -1);
        add_equations(st, row, given, givens);
    }
    return structure_solve(st);
}
