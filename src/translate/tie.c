/* SPDX-License-Identifier: Apache-2.0 */
/* tie.c -- parts of a network that hold others together by forces without equations.
 *
 * The force of a pin between two mechanisms follows from neither: the pin has as many equations too many,
 * which ask that both move alike. Where such a part cannot join the rest of the model (merge.c), because it or a neighbour is an
 * array, its forces become unknowns of the network. With them given, the part is as any other; the
 * equations left over are replaced by
 *
 *     missing = left - right,
 *
 * and the network finds the forces for which nothing is missing (lied/cut.c). Mathematically these are the
 * Lagrange multipliers of the constraints.
 *
 * Which equations are left over is a matter of choice; those are taken that ask for efforts, because what
 * is missing in them depends on forces (merge.c matches them last).
 *
 * Cost: linear in the equations of one instance. */
#include "translate/network.h"

static void tie_row(const Closing *c, const Structure *st, int row, TieRow *to) {
    int slots = c->sys->shapes->shape[st->shape[row]].slots;
    *to = (TieRow){.source = st->source[row],
                   .shape = st->shape[row],
                   .slot = NEW(&c->t->arena, int, slots + 1)};
    for (int k = 0; k < slots; k++) to->slot[k] = st->slot[st->first[row] + k];
}

/* Can a row be changed: it is written in the model, and is no call, statement or array? */
static bool is_plain(const Closing *c, const Structure *st, int row) {
    Shapes *shapes = c->sys->shapes;
    int     shape = st->shape[row];
    if (st->source[row] < 0 ||
        expr_op(shapes, shapes->shape[shape].root) != TERM_EQUATION)
        return false;
    for (int k = 0; k < shapes->shape[shape].slots; k++)
        if (expr_op(shapes, shape_leaf(shapes, shape, k)) == TERM_ARRAY_SLOT)
            return false;
    const Family *family = system_family(c->sys, ROWS_EQUATION, st->source[row]);
    return !(family->flags & FAMILY_WHEN);
}

bool tie_part(Closing *c, const Structure *st, int part, int forces, const int *force,
              int rows, const int *row) {
    NetBuild *net = c->net;
    if (forces != rows) return false;
    for (int k = 0; k < rows; k++)
        if (!is_plain(c, st, row[k])) return false;
    net->tie = arena_grow(&c->t->arena, net->tie, sizeof *net->tie, &net->tie_room,
                          net->ties + 1);
    TieBuild *tie = &net->tie[net->ties++];
    *tie = (TieBuild){.fold = part,
                      .row = NEW(&c->t->arena, TieRow, rows + 1),
                      .law = {.count = forces,
                              .force = NEW(&c->t->arena, int, forces + 1),
                              .missing = NEW(&c->t->arena, int, forces + 1)}};
    for (int k = 0; k < forces; k++) {
        tie->law.force[k] = force[k];
        tie_row(c, st, row[k], &tie->row[k]);
    }
    return true;
}

/* missing = left - right, instead of the row. */
static void replace(Closing *c, const TieRow *row, int missing) {
    System       *sys = c->sys;
    Shapes       *shapes = sys->shapes;
    const Family *of = system_family(sys, ROWS_EQUATION, row->source);
    int           flags = of->flags & ~FAMILY_TABLE, owner = of->owner;
    Pos           pos = of->pos;
    int           partition = of->partition, slots = shapes->shape[row->shape].slots;
    Term          left = expr_slot(shapes, slots, TYPE_REAL);
    Term          right = expr_residual(shapes, shapes->shape[row->shape].root);
    const int    *order;
    int  shape = shape_of(shapes, expr_2(shapes, TERM_EQUATION, left, right), &order);
    int *slot = NEW(&c->t->arena, int, slots + 2);
    for (int k = 0; k < shapes->shape[shape].slots; k++) {
        int from = order ? order[k] : k;
        slot[k] = from == slots ? missing : row->slot[from];
    }
    GROW(sys->replaced, sys->replaced_room, sys->replaceds + 1);
    sys->replaced[sys->replaceds++] = row->source;
    int made = system_table(sys, ROWS_EQUATION, shape, 1, slot, NULL, flags, owner, pos);
    sys->set[ROWS_EQUATION].family[made].partition = partition;
}

void tie_close(Closing *c, TieBuild *tie) {
    LawTie *law = &tie->law;
    int     run = network_run(c, VAR_PARAMETER, law->count, tie->fold);
    system_value(c->sys, run, ATTR_BINDING, 0);
    law->given = c->sys->run[run].first;
    run = network_run(c, VAR_CONTINUOUS, law->count, tie->fold);
    for (int k = 0; k < law->count; k++) {
        law->missing[k] = c->sys->run[run].first + k;
        network_given(c, law->force[k], law->given + k, c->net->still);
        replace(c, &tie->row[k], law->missing[k]);
    }
}
