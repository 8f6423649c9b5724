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
    int            *slot = NULL;
    const int32_t **sizes = NULL;
    for (int f = 0; f < sys->set[ROWS_BINDING].count; f++) {
        Family family = sys->set[ROWS_BINDING].family[f];
        size_t n = (size_t)sys->shapes->shape[family.shape].slots + 1;
        bool   wide = sys->shapes->shape[family.shape].wide;
        slot = mem_resize(slot, n * sizeof *slot);
        sizes = mem_resize(sizes, n * sizeof *sizes);
        for (int k = 0, rank; wide && k + 1 < (int)n; k++)
            sizes[k] = family_sizes(sys, &family, k, &rank);
        for (int i = 0; i < family.count; i++) {
            family_slots(sys, &family, i, slot);
            int row = structure_add_row(st, family.shape, slot, wide ? sizes : NULL,
                                        SOURCE_BINDING - (family.row + i), -1);
            add_equations(st, row, given, givens);
        }
    }
    mem_free(slot);
    mem_free(sizes);
    return structure_order(st);
}
