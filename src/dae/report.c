/* SPDX-License-Identifier: Apache-2.0 */
/* report.c -- rows, states and blocks as text: what each structural pass gave.
 *
 * Everything is printed in the order of variables, equations or blocks. */
#include "dae/dae.h"

/* ---- rows ---------------------------------------------------------------------------------------- */

static void name_slot(const void *context, int slot, Text *out) {
    const RowText   *names = context;
    const Structure *st = names->st;
    const Shapes    *shapes = st->sys->shapes;
    int              var = st->slot[st->first[names->row] + slot], rank;
    if (expr_op(shapes, shape_leaf(shapes, st->shape[names->row], slot)) == TERM_NUMBER) {
        text_printf(out, "%d", var);
        return;
    }
    const int32_t *sizes = structure_sizes(st, names->row, slot, &rank);
    system_name(st->sys, var, out);
    if (!rank) return;
    int last = var;
    for (int d = 0; d < rank; d++) last += (sizes[2 * d] - 1) * sizes[2 * d + 1];
    text_add(out, " ... ");
    system_name(st->sys, last, out);
}

void structure_print_term(const Structure *st, int row, Term term, Text *out) {
    RowText names = {st, row};
    expr_print(st->sys->shapes, term, name_slot, &names, out);
}

void structure_print_row(const Structure *st, int row, Text *out) {
    structure_print_term(st, row, st->sys->shapes->shape[st->shape[row]].root, out);
}

/* ---- states -------------------------------------------------------------------------------------- */

static void list_states(const Structure *st, Text *out) {
    enum { MOST = 60 };
    int shown = 0;
    for (int v = 0; v < st->vars && shown <= MOST; v++) {
        if (st->role[v] != ROLE_STATE) continue;
        text_add(out, shown == MOST ? ", ..." : shown ? ", " : "states: ");
        if (shown++ < MOST) system_name(st->sys, v, out);
    }
    if (shown) text_char(out, '\n');
}

static void list_set(const Structure *st, const StateSet *set, Text *out) {
    enum { MOST = 8 };
    for (int i = 0; i < set->states; i++) {
        text_add(out, i == MOST ? ", ..." : i ? ", " : ": ");
        if (i == MOST) break;
        system_name(st->sys, st->sets.var[set->begin + i], out);
    }
    text_char(out, '\n');
}

void structure_report_sets(const Structure *st, Choice least, Text *out) {
    for (int s = 0; s < st->sets.count; s++) {
        const StateSet *set = &st->sets.set[s];
        if (set->choice < least) continue;
        text_printf(out, "state set of %d candidates, %d states", set->vars, set->states);
        if (set->choice == CHOICE_ASKED)
            text_add(out, " by stateSelect, a choice that may become singular");
        if (set->choice == CHOICE_OPEN)
            text_printf(out, " (%d independent), because fewer may become singular",
                        set->states - set->open);
        list_set(st, set, out);
    }
}

static void list_invariants(const Structure *st, Text *out) {
    for (int i = 0; i < st->drift.rows; i++) {
        text_add(out, "invariant ");
        structure_print_row(st, st->drift.row[i], out);
        text_char(out, '\n');
    }
}

/* ---- the whole ----------------------------------------------------------------------------------- */

static const char *const block_kind[] = {"",      "linear", "nonlinear",
                                         "mixed", "call",   "infinitely fast"};
static const char *const matrix_kind[] = {"", "piecewise constant ", "constant "};

/* "x := equation" or, of a residual, "x ?= equation", for equation i of a block. */
static void print_step(const Structure *st, const Block *block, int i, Text *out) {
    int e = st->order[block->first + i];
    system_name(st->sys, st->var_of[e], out);
    text_add(out, i < block->count - block->torn ? " := " : " ?= ");
    structure_print_row(st, st->eq_row[e], out);
    text_char(out, '\n');
}

typedef struct Readings { /* what a block reads of others */
    const Structure *st;
    int              block;
    Map              met;
    Text             names;
} Readings;

static void note_reading(void *context, int var, int slot) {
    Readings        *r = context;
    const Structure *st = r->st;
    bool column = st->role[var] == ROLE_STATE || st->role[var] == ROLE_UNKNOWN;
    (void)slot;
    if (!column || map_has(&r->met, (uint64_t)var)) return;
    if (st->role[var] == ROLE_UNKNOWN && st->block_of[st->eq_of[var]] == r->block) return;
    map_put(&r->met, (uint64_t)var, 1);
    text_add(&r->names, r->names.length ? ", " : "; reads ");
    system_name(st->sys, var, &r->names);
}

/* States of an infinitely fast process with their levels, and what it reads. */
static void print_process(const Structure *st, int b, Text *out) {
    const ThetaUse *theta = &st->sys->theta;
    const Block    *block = &st->block[b];
    Readings        r = {.st = st, .block = b};
    const char     *before = "  process: ";
    for (int k = 0; k < theta->count; k++) {
        int kept = st->alias[theta->fast[k].state];
        if (st->role[kept] != ROLE_UNKNOWN || st->block_of[st->eq_of[kept]] != b)
            continue;
        text_add(out, before);
        system_name(st->sys, theta->fast[k].state, out);
        text_printf(out, " (level %d)", theta->fast[k].level);
        before = ", ";
    }
    for (int i = 0; i < block->count; i++)
        structure_uses(st, st->eq_row[st->order[block->first + i]], note_reading, &r);
    text_add(out, text_get(&r.names));
    text_char(out, '\n');
    text_free(&r.names);
    map_free(&r.met);
}

static void print_kind(const Structure *st, int b, Text *out) {
    const Block *block = &st->block[b];
    text_printf(out, "%s%s block of %d, %d iteration variables\n",
                matrix_kind[block->matrix], block_kind[block->kind], block->count,
                block->torn);
    if (block->kind == BLOCK_FAST) print_process(st, b, out);
}

void structure_report(const Structure *st, Text *out, int most) {
    int unknowns = 0, loops = 0;
    for (int v = 0; v < st->vars; v++) unknowns += st->role[v] == ROLE_UNKNOWN;
    for (int b = 0; b < st->blocks; b++) loops += st->block[b].torn > 0;
    text_printf(
        out,
        "%d equations, %d unknowns, %d states (%d independent), %d aliases, %d rows "
        "differentiated, %d blocks, %d of them loops\n",
        st->eqs, unknowns, st->states, st->states - st->drift.rows, st->count.aliases,
        st->count.differentiated, st->blocks, loops);
    list_states(st, out);
    structure_report_sets(st, CHOICE_SAFE, out);
    list_invariants(st, out);
    for (int b = 0; b < st->blocks && b < most; b++) {
        const Block *block = &st->block[b];
        if (block->kind != BLOCK_EXPLICIT) print_kind(st, b, out);
        for (int i = 0; i < block->count; i++) {
            text_add(out, block->kind == BLOCK_EXPLICIT ? "" : "  ");
            print_step(st, block, i, out);
        }
    }
}

/* ---- what single passes gave --------------------------------------------------------------------- */

void structure_print_aliases(const Structure *st, Text *out) {
    static const char *const number[] = {
        [IS_ZERO] = " = 0", [IS_ONE] = " = 1", [IS_MINUS_ONE] = " = -1"};
    text_printf(out, "%d aliases, %d rows without them\n", st->count.aliases, st->rows);
    for (int v = 0; v < st->vars; v++) {
        if (st->alias[v] == v && st->constancy[v] < IS_ZERO) continue;
        system_name(st->sys, v, out);
        if (st->constancy[v] >= IS_ZERO) {
            text_add(out, number[st->constancy[v]]);
        } else {
            text_add(out, st->sign[v] < 0 ? " = -" : " = ");
            system_name(st->sys, st->alias[v], out);
        }
        text_char(out, '\n');
    }
}

void structure_print_index(const Structure *st, Text *out) {
    text_printf(out, "%d rows differentiated\n", st->count.differentiated);
    for (int e = 0; e < st->eqs; e++) {
        if (st->deq[e] < 0) continue;
        structure_print_row(st, st->eq_row[e], out);
        text_add(out, " -> ");
        structure_print_row(st, st->eq_row[st->deq[e]], out);
        text_char(out, '\n');
    }
}

void structure_print_states(const Structure *st, Text *out) {
    text_printf(out, "%d states (%d independent)\n", st->states,
                st->states - st->drift.rows);
    list_states(st, out);
    structure_report_sets(st, CHOICE_SAFE, out);
    list_invariants(st, out);
}

void structure_print_match(const Structure *st, Text *out) {
    text_printf(out, "%d equations for as many unknowns\n", st->eqs);
    for (int e = 0; e < st->eqs; e++) {
        system_name(st->sys, st->var_of[e], out);
        text_add(out, " <- ");
        structure_print_row(st, st->eq_row[e], out);
        text_char(out, '\n');
    }
}

void structure_print_order(const Structure *st, Text *out) {
    text_printf(out, "%d blocks\n", st->blocks);
    for (int b = 0; b < st->blocks; b++) {
        const Block *block = &st->block[b];
        text_printf(out, "%d:", b + 1);
        for (int i = 0; i < block->count; i++) {
            text_add(out, i ? ", " : " ");
            system_name(st->sys, st->var_of[st->order[block->first + i]], out);
        }
        text_char(out, '\n');
    }
}

void structure_print_tear(const Structure *st, Text *out) {
    int loops = 0;
    for (int b = 0; b < st->blocks; b++) loops += st->block[b].torn > 0;
    text_printf(out, "%d blocks, %d of them loops\n", st->blocks, loops);
    for (int b = 0; b < st->blocks; b++) {
        const Block *block = &st->block[b];
        if (!block->torn) continue;
        text_printf(out, "%d: ", b + 1);
        print_kind(st, b, out);
        for (int i = block->count - block->torn; i < block->count; i++) {
            text_add(out, "  ");
            print_step(st, block, i, out);
        }
    }
}
