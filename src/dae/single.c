/* SPDX-License-Identifier: Apache-2.0 */
/* single.c -- a call with several results as one equation for each result.
 *
 * A row (r1, ..., rn) = f(a1, ..., am) gives its results: what it reads must be known when it is
 * called, and the function is called once. Where the results are known from elsewhere the row has
 * to be solved for arguments instead, as in p = position(s, w) with a prescribed point p. Then the
 * row becomes n rows ri = f(a1, ..., am).ri, each of which may determine any unknown in it. This
 * calls the function once for each of them, so only rows that have too many equations otherwise
 * are treated like that. */
#include "dae/dae.h"

#include <assert.h>
#include <string.h>

/* Real results of a pure function. */
static bool is_solvable(const Structure *st, int row) {
    const System *sys = st->sys;
    const Shapes *shapes = sys->shapes;
    if (!structure_multiple(st, row)) return false;
    Term root = shapes->shape[st->shape[row]].root;
    if (shapes->node[root].flags & NODE_IMPURE) return false;
    if (expr_op(shapes, expr_arg(shapes, root, 1)) != TERM_CALL) return false;
    for (int part = 0; part < structure_results(st, row); part++) {
        int var = structure_result(st, row, part);
        if (var < 0 || sys->run[system_run_of(sys, var)].type != TYPE_REAL) return false;
    }
    return true;
}

/* The row of one result; its number. */
static int add_single(Structure *st, int row, int part, Arena *scratch) {
    Shapes *shapes = st->sys->shapes;
    int     slots = shapes->shape[st->shape[row]].slots, rank;
    Term    value, item = structure_part(st, row, part, &value);
    assert(item);
    Term       left = expr_slot(shapes, slots, TYPE_REAL);
    const int *order;
    int  shape = shape_of(shapes, expr_2(shapes, TERM_EQUATION, left, value), &order);
    int  n = shapes->shape[shape].slots;
    int *slot = NEW(scratch, int, n + 1);
    const int32_t **sizes = NEW(scratch, const int32_t *, n + 1);
    bool            wide = shapes->shape[shape].wide;
    for (int k = 0; k < n; k++) {
        int from = order ? order[k] : k;
        slot[k] = from == slots ? structure_result(st, row, part)
                                : st->slot[st->first[row] + from];
        if (!wide || from == slots) continue;
        const int32_t *own = structure_sizes(st, row, from, &rank);
        if (own) sizes[k] = arena_copy(scratch, own, 2 * (size_t)rank * sizeof *own);
    }
    int of = st->plain ? -1 : st->of[row];
    return structure_add_row(st, shape, slot, wide ? sizes : NULL, st->source[row], of);
}

/* Rows that no equation stands for any more are removed. */
static void remove_rows(Structure *st, const bool *gone, int rows, Arena *scratch) {
    int *moved = NEW(scratch, int, st->rows + 1), kept = 0, to = 0;
    for (int r = 0; r < st->rows; r++) {
        int from = st->first[r], end = st->first[r + 1];
        if (r < rows && gone[r]) continue;
        memmove(st->slot + to, st->slot + from, (size_t)(end - from) * sizeof *st->slot);
        st->shape[kept] = st->shape[r];
        st->source[kept] = st->source[r];
        if (!st->plain) st->of[kept] = st->of[r];
        st->first[kept] = to;
        to += end - from;
        moved[r] = kept++;
    }
    st->rows = kept;
    st->first[kept] = to;
    st->slots = (uint32_t)to;
    for (int e = 0; e < st->eqs; e++) st->eq_row[e] = moved[st->eq_row[e]];
}

bool structure_single(Structure *st, const int *eq, int eqs) {
    Arena scratch = {0};
    bool  found = false, *asked = NEW(&scratch, bool, st->rows + 1);
    bool *apart = NEW(&scratch, bool, st->rows + 1);
    int   rows = st->rows;
    for (int k = 0; k < eqs; k++) {
        int row = eq[k] < st->eqs ? st->eq_row[eq[k]] : -1;
        if (row < 0 || asked[row]) continue;
        asked[row] = true;
        found |= apart[row] = is_solvable(st, row);
    }
    for (int e = 0; found && e < st->eqs; e++) {
        int row = st->eq_row[e];
        if (!apart[row]) continue;
        st->eq_row[e] = add_single(st, row, st->eq_part[e], &scratch);
        st->eq_part[e] = 0;
    }
    if (found) remove_rows(st, apart, rows, &scratch);
    arena_free(&scratch);
    return found;
}
