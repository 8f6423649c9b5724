/* SPDX-License-Identifier: Apache-2.0 */
/* sums.c -- sums that another row says to be zero are taken out of rows.
 *
 * The currents of a star sum up to zero, and the zero-sequence current of the machine at it is
 * their mean. Both rows can be solved for something, so no structural analysis sees that the mean
 * is zero; the mean would become a state, and the equations for its derivative singular. Where a
 * row holds all terms of a sum c1 v1 + ... + cn vn = 0, each times the same number, the terms
 * are taken out of it. What is left has fewer variables and often says that one is zero, or two
 * are equal, so aliases are looked for again.
 *
 * Every sum is filed under its first variable; every row is compared with the sums filed under
 * the variables it has. Linear in slots; coefficients are found once per shape and slot. */
#include "dae/dae.h"

#include <math.h>
#include <string.h>

enum { LEAST = 3, MOST = 63 }; /* variables of a sum */

typedef struct Sums {
    Structure *st;
    int     *first; /* by variable: a row that is a sum and begins with it, -1 if none */
    int     *next;  /* by row: another such row, -1 if none */
    int     *at; /* by variable: its slot in the row looked at, -1 if it is not there */
    int8_t  *is_sum; /* by shape: -1 not known yet */
    Map      known;  /* (shape, slot) -> place in coefficient */
    double  *coefficient;
    int      coefficients;
    uint32_t room;
} Sums;

static bool is_unknown(const Structure *st, int v) {
    const VarRun *run = &st->sys->run[system_run_of(st->sys, v)];
    return st->role[v] != ROLE_KNOWN && run->type == TYPE_REAL &&
           (run->kind == VAR_CONTINUOUS || run->kind == VAR_DER);
}

/* The number a slot is multiplied with; NaN if it is none. */
static double coefficient(Sums *s, int shape, int slot) {
    uint64_t key = hash_mix((uint64_t)shape * 64 + (uint64_t)slot + 1);
    int64_t  known = map_get(&s->known, key, -1);
    if (known >= 0) return s->coefficient[known];
    Shapes     *shapes = s->st->sys->shapes;
    double      value = NAN;
    const char *reason;
    if (expr_op(shapes, shape_leaf(shapes, shape, slot)) == TERM_SLOT) {
        Term d = expr_partial(shapes, shapes->shape[shape].root, slot, &reason);
        if (!d || !expr_literal(shapes, d, &value)) value = NAN;
    }
    GROW(s->coefficient, s->room, s->coefficients + 1);
    s->coefficient[s->coefficients] = value;
    map_put(&s->known, key, s->coefficients++);
    return value;
}

/* What is left of a row without the marked slots. */
static Term rest_of(Shapes *shapes, int shape, const bool *without) {
    Term from[MOST], to[MOST];
    int  n = shapes->shape[shape].slots;
    for (int k = 0; k < n; k++) {
        from[k] = shape_leaf(shapes, shape, k);
        to[k] = without[k] ? shapes->zero : 0;
    }
    return expr_simplify(shapes,
                         expr_replace(shapes, shapes->shape[shape].root, from, to, n));
}

static bool can_be_looked_at(const Shapes *shapes, int shape) {
    const Shape *sh = &shapes->shape[shape];
    return !sh->wide && sh->lefts == 1 && sh->slots >= LEAST && sh->slots <= MOST &&
           expr_op(shapes, sh->root) == TERM_EQUATION &&
           shapes->node[expr_arg(shapes, sh->root, 0)].type == TYPE_REAL;
}

static bool is_sum_shape(Sums *s, int shape) {
    Shapes *shapes = s->st->sys->shapes;
    bool    all[MOST];
    if (s->is_sum[shape] >= 0) return s->is_sum[shape];
    s->is_sum[shape] = 0;
    if (!can_be_looked_at(shapes, shape)) return false;
    bool sum =
        expr_op(shapes, expr_arg(shapes, shapes->shape[shape].root, 1)) == TERM_REAL ||
        expr_op(shapes, expr_arg(shapes, shapes->shape[shape].root, 0)) == TERM_REAL;
    for (int k = 0; k < shapes->shape[shape].slots && sum; k++) {
        double c = coefficient(s, shape, k);
        sum = isfinite(c) && c != 0;
        all[k] = true;
    }
    if (!sum) return false;
    Term rest = rest_of(shapes, shape, all);
    if (expr_op(shapes, rest) == TERM_EQUATION) rest = expr_residual(shapes, rest);
    s->is_sum[shape] = expr_is_zero(shapes, expr_simplify(shapes, rest));
    return s->is_sum[shape] != 0;
}

static void file_sums(Sums *s) {
    const Structure *st = s->st;
    for (int r = 0; r < st->rows; r++) {
        s->next[r] = -1;
        if (st->source[r] < 0 || !is_sum_shape(s, st->shape[r])) continue;
        bool unknown = true;
        for (int k = st->first[r]; k < st->first[r + 1]; k++)
            unknown &= is_unknown(st, st->slot[k]);
        if (!unknown) continue;
        int v = st->slot[st->first[r]];
        s->next[r] = s->first[v];
        s->first[v] = r;
    }
}

/* Does row r hold the sum, times a number? Marks its slots. */
static bool holds(Sums *s, int r, int sum, bool *without) {
    const Structure *st = s->st;
    int              n = st->first[sum + 1] - st->first[sum];
    double           factor = 0;
    memset(without, 0, MOST * sizeof *without);
    for (int k = 0; k < n; k++) {
        int slot = s->at[st->slot[st->first[sum] + k]];
        if (slot < 0) return false;
        double own = coefficient(s, st->shape[r], slot);
        double c = coefficient(s, st->shape[sum], k);
        if (!isfinite(own) || own == 0) return false;
        if (k == 0) factor = own / c;
        if (fabs(own - factor * c) > 1e-14 * fabs(own)) return false;
        without[slot] = true;
    }
    return true;
}

/* The row without the sum takes the place of the row in the system. */
static bool replace(Sums *s, int r, const bool *without) {
    Structure *st = s->st;
    System    *sys = st->sys;
    Shapes    *shapes = sys->shapes;
    Family     family = *system_family(sys, ROWS_EQUATION, st->source[r]);
    const int *order;
    int        slot[MOST];
    Term       rest = rest_of(shapes, st->shape[r], without);
    if (expr_op(shapes, rest) != TERM_EQUATION || (family.flags & FAMILY_WHEN))
        return false;
    int shape = shape_of(shapes, rest, &order);
    if (shapes->shape[shape].slots == 0) return false; /* the same sum again */
    for (int k = 0; k < shapes->shape[shape].slots; k++)
        slot[k] = st->slot[st->first[r] + (order ? order[k] : k)];
    GROW(sys->replaced, sys->replaced_room, sys->replaceds + 1);
    sys->replaced[sys->replaceds++] = st->source[r];
    int made = system_table(sys, ROWS_EQUATION, shape, 1, slot, NULL,
                            family.flags & ~FAMILY_TABLE, family.owner, family.pos);
    sys->set[ROWS_EQUATION].family[made].partition = family.partition;
    return true;
}

static bool look_at_row(Sums *s, int r) {
    const Structure *st = s->st;
    bool             without[MOST], found = false;
    const int       *slot = st->slot + st->first[r];
    int              n = st->first[r + 1] - st->first[r];
    bool             filed = false;
    for (int k = 0; k < n && !filed; k++) filed = s->first[slot[k]] >= 0;
    if (!filed || !can_be_looked_at(st->sys->shapes, st->shape[r])) return false;
    for (int k = 0; k < n; k++) s->at[slot[k]] = k;
    for (int k = 0; k < n && !found; k++)
        for (int sum = s->first[slot[k]]; sum >= 0 && !found; sum = s->next[sum])
            found = sum != r && st->first[sum + 1] - st->first[sum] < n &&
                    holds(s, r, sum, without) && replace(s, r, without);
    for (int k = 0; k < n; k++) s->at[slot[k]] = -1;
    return found;
}

bool sums_take_out(Structure *st) {
    Arena scratch = {0};
    Sums  s = {.st = st};
    int   shapes = st->sys->shapes->count, rows = st->rows;
    bool  found = false;
    s.first = NEW(&scratch, int, st->vars + 1);
    s.at = NEW(&scratch, int, st->vars + 1);
    s.next = NEW(&scratch, int, st->rows + 1);
    s.is_sum = NEW(&scratch, int8_t, shapes + 1);
    memset(s.is_sum, -1, (size_t)shapes + 1);
    for (int v = 0; v < st->vars; v++) s.first[v] = s.at[v] = -1;
    file_sums(&s);
    for (int r = 0; r < rows; r++)
        if (st->source[r] >= 0) found |= look_at_row(&s, r);
    mem_free(s.coefficient);
    map_free(&s.known);
    arena_free(&scratch);
    return found;
}
