/* SPDX-License-Identifier: Apache-2.0 */
/* batch_affine.c -- is what a part answers affine in what the network finds?
 *
 * The network finds efforts, and forces of ties (translate/tie.c), by linear systems. So answers, efforts that
 * go out, and what is missing in the equations of a tie must be affine in them: no row that any of these
 * needs may be nonlinear in variables that move with them. Kernels without a tie need no such proof: their
 * formulas are derivatives already (batch_linear.c).
 *
 * Cost: linear in the rows of one instance. */
#include "gen/batch.h"

/* Does a row read something that moves? Marks the slots. */
static bool row_moves(const PartText *p, const uint8_t *moves, int row, bool *set) {
    const BatchText *b = &p->b;
    bool             any = false;
    for (int k = 0; k < batch_slots(b, row); k++) {
        Term leaf = shape_leaf(b->shapes, b->st->shape[row], k);
        set[k] =
            expr_op(b->shapes, leaf) != TERM_NUMBER && moves[batch_var(b, row, k)] != 0;
        any |= set[k];
    }
    return any;
}

/* By variable: it changes with efforts, forces, or the answers of leaves without efforts. */
static uint8_t *find_moving(PartText *p, bool *set) {
    const Structure *st = p->b.st;
    uint8_t         *moves = NEW(&p->b.arena, uint8_t, st->vars + 1);
    const LawTie    *tie = p->f->tie;
    for (int v = 0; v < st->vars; v++) moves[v] = p->implicit[v] != IMPLICIT_NOT;
    if (!tie) return moves;
    for (int i = 0; i < tie->count; i++) moves[st->alias[tie->force[i]]] = 1;
    for (int k = 0; k < p->f->ports; k++)
        for (int i = 0; p->f->port[k].out && i < p->f->port[k].pairs; i++)
            moves[p->f->port[k].coefficient + i] = 1;
    for (int k = 0; k < st->blocks; k++) {
        const Block *block = &st->block[k];
        bool         any = false, given = false;
        for (int i = 0; i < block->count; i++) {
            int var = st->var_of[part_eq(p, block, i)];
            given |= var >= 0 && moves[var];
            any |= row_moves(p, moves, st->eq_row[part_eq(p, block, i)], set);
        }
        for (int i = 0; any && !given && i < block->count; i++)
            if (st->var_of[part_eq(p, block, i)] >= 0)
                moves[st->var_of[part_eq(p, block, i)]] = 1;
    }
    return moves;
}

/* Marks what a block reads that moves; a row that is not linear in it is refused. */
static void check_block(PartText *p, const Block *block, const uint8_t *moves,
                        bool *set) {
    BatchText *b = &p->b;
    for (int i = 0; i < block->count; i++) {
        int row = b->st->eq_row[part_eq(p, block, i)];
        int slots = batch_slots(b, row), shape = b->st->shape[row];
        if (!row_moves(p, moves, row, set)) continue;
        for (int k = 0; k < slots; k++)
            if (set[k]) b->wanted[batch_var(b, row, k)] = 1;
        if (block->kind == BLOCK_CALL || block->kind == BLOCK_MIXED ||
            expr_degree_held(b->shapes, b->shapes->shape[shape].root, set, slots) ==
                DEGREE_NONLINEAR)
            batch_refuse(b, row, "it is not linear in what is implicit");
    }
}

static bool block_moves(const PartText *p, const Block *block, const uint8_t *moves) {
    for (int i = 0; i < block->count; i++) {
        int var = p->b.st->var_of[part_eq(p, block, i)];
        if (var >= 0 && moves[var]) return true;
    }
    return false;
}

static void want_affine(PartText *p) {
    const LawTie *tie = p->f->tie;
    for (int k = 0; k < p->f->ports; k++) {
        const LawPort *port = &p->f->port[k];
        for (int i = 0; i < port->pairs; i++) {
            Value v = port->out ? part_effort(p, port, i) : part_answer(p, port, i);
            if (v.var >= 0) p->b.wanted[v.var] = 1;
        }
    }
    for (int i = 0; tie && i < tie->count; i++)
        p->b.wanted[p->b.st->alias[tie->missing[i]]] = 1;
}

/* Signals are there before anything is solved. */
static void check_signals(PartText *p, const uint8_t *moves) {
    for (int k = 0; k < p->f->ports; k++)
        for (int i = 0; p->f->port[k].out && i < part_travels(&p->f->port[k]); i++) {
            Value v = part_passed(p, &p->f->port[k], i);
            if (v.var >= 0 && moves[v.var])
                batch_refuse(&p->b, -1, "a signal depends on what is implicit");
        }
}

void affine_check(PartText *p) {
    const Structure *st = p->b.st;
    int              most = 0;
    for (int s = 0; s < st->sys->shapes->count; s++)
        if (st->sys->shapes->shape[s].slots > most)
            most = st->sys->shapes->shape[s].slots;
    bool          *set = NEW(&p->b.arena, bool, most + 1);
    const uint8_t *moves = find_moving(p, set);
    want_affine(p);
    for (int k = st->blocks - 1; k >= 0; k--)
        if (batch_is_wanted(&p->b, &st->block[k]) && block_moves(p, &st->block[k], moves))
            check_block(p, &st->block[k], moves, set);
    check_signals(p, moves);
}
