/* SPDX-License-Identifier: Apache-2.0 */
/* structure.c -- the structural analysis from end to end, and its tables.
 *
 * aliases -> index -> states -> match -> order -> tear: each is a pass of its own, which states
 * and asserts what it needs, gives and breaks (contract.c). Everything is linear in rows and
 * edges, except matching, whose worst case is never seen in practice. */
#include "dae/dae.h"

#include <assert.h>
#include <string.h>

/* ---- tables ------------------------------------------------------------------------------------ */

void structure_grow(Structure *st) {
    int n = st->sys->vars;
    if (n > st->room.var) {
        int room = n + n / 8 + 16;
        RESIZE(st->alias, room);
        RESIZE(st->sign, room);
        RESIZE(st->constancy, room);
        RESIZE(st->role, room);
        RESIZE(st->start_from, room);
        RESIZE(st->eq_of, room);
        if (!st->plain) {
            RESIZE(st->select, room);
            RESIZE(st->next, room);
            RESIZE(st->next_sign, room);
            RESIZE(st->prev, room);
        }
        st->room.var = room;
    }
    for (int v = st->vars; v < n; v++) {
        st->alias[v] = st->start_from[v] = v;
        st->sign[v] = 1;
        st->constancy[v] = VARIES;
        st->role[v] = ROLE_ABSENT;
        st->eq_of[v] = -1;
        if (st->plain) continue;
        st->next_sign[v] = 1;
        st->select[v] = SELECT_DEFAULT;
        st->next[v] = st->prev[v] = -1;
    }
    st->graph.current &= st->vars == n;
    st->vars = n;
}

static int more_room(int used) {
    return used + used / 2 + 16;
}

static void row_room(Structure *st, int room) {
    st->room.row = room;
    RESIZE(st->shape, room), RESIZE(st->first, room), RESIZE(st->source, room);
    if (!st->plain) RESIZE(st->of, room);
}

static void equation_room(Structure *st, int room) {
    st->room.eq = room;
    RESIZE(st->eq_row, room), RESIZE(st->eq_part, room), RESIZE(st->var_of, room);
    if (!st->plain) RESIZE(st->deq, room);
}

void structure_reserve(Structure *st, int rows, uint32_t slots) {
    if (st->rows + rows + 2 > st->room.row) row_room(st, st->rows + rows + 2);
    if (st->slots + slots + 1 > st->room.slot) {
        st->room.slot = st->slots + slots + 1;
        RESIZE(st->slot, st->room.slot);
    }
}

int structure_add_row(Structure *st, int shape, const int *slot,
                      const int32_t *const *sizes, int source, int of) {
    const Shapes *shapes = st->sys->shapes;
    int           slots = shapes->shape[shape].slots, words = slots;
    for (int k = 0; sizes && k < slots; k++)
        words += 2 * (sizes[k] ? shapes->node[shape_leaf(shapes, shape, k)].rank : 0);
    GROW(st->slot, st->room.slot, st->slots + (uint32_t)words + 1);
    if (st->rows + 2 > st->room.row) row_room(st, more_room(st->rows));
    st->shape[st->rows] = shape;
    st->first[st->rows] = (int)st->slots;
    st->source[st->rows] = source;
    if (!st->plain) st->of[st->rows] = of;
    int *to = st->slot + st->slots;
    if (slots) memcpy(to, slot, (size_t)slots * sizeof *to);
    to += slots;
    for (int k = 0; sizes && k < slots; k++) {
        int rank = sizes[k] ? shapes->node[shape_leaf(shapes, shape, k)].rank : 0;
        if (rank) memcpy(to, sizes[k], 2 * (size_t)rank * sizeof *to);
        to += 2 * rank;
    }
    st->slots += (uint32_t)words;
    st->graph.current = false;
    st->first[st->rows + 1] = (int)st->slots;
    return st->rows++;
}

const int32_t *structure_sizes(const Structure *st, int row, int k, int *rank) {
    const Shapes *shapes = st->sys->shapes;
    int           shape = st->shape[row];
    const int    *data = st->slot + st->first[row] + shapes->shape[shape].slots;
    for (int j = 0;; j++) {
        const Node *leaf = expr_node(shapes, shape_leaf(shapes, shape, j));
        int         own = leaf->op == TERM_ARRAY_SLOT ? leaf->rank : 0;
        if (j == k) {
            *rank = own;
            return own ? data : NULL;
        }
        data += 2 * own;
    }
}

int structure_add_equation(Structure *st, int row, int part) {
    if (st->eqs >= st->room.eq) equation_room(st, more_room(st->eqs));
    st->graph.current = false;
    st->eq_row[st->eqs] = row;
    st->eq_part[st->eqs] = part;
    st->var_of[st->eqs] = -1;
    if (!st->plain) st->deq[st->eqs] = -1;
    return st->eqs++;
}

void structure_add_equations(Structure *st) {
    if (st->eqs + st->rows > st->room.eq) equation_room(st, st->eqs + st->rows);
    for (int r = 0; r < st->rows; r++) {
        int parts = structure_results(st, r);
        for (int p = 0; p < parts; p++) structure_add_equation(st, r, p);
    }
}

void structure_free(Structure *st) {
    MEM_FREE(st->alias, st->sign, st->role, st->select, st->start_from, st->next,
             st->next_sign, st->prev, st->eq_of, st->shape, st->first, st->source, st->of,
             st->slot, st->eq_row, st->eq_part, st->var_of, st->deq, st->graph.start,
             st->graph.col, st->graph.kind, st->sets.set, st->sets.row, st->sets.var,
             st->block, st->order, st->block_of, st->constancy, st->drift.row,
             st->drift.state, st->drift.row_part, st->drift.state_part);
    arena_free(&st->arena);
    *st = (Structure){0};
}

void structure_shed(Structure *st) {
    Structure left = {.arena = st->arena, .sys = st->sys, .diag = st->diag};
    left.states = st->states;
    left.count = st->count;
    left.sets = st->sets;
    left.drift = st->drift;
    st->arena = (Arena){0};
    st->sets = (StateSets){0};
    st->drift = (Drift){0};
    structure_free(st);
    *st = left;
}

/* ---- where a row came from ---------------------------------------------------------------------- */

const Family *structure_family(const Structure *st, int row) {
    int source = st->source[row];
    if (source >= 0) return system_family(st->sys, ROWS_EQUATION, source);
    if (source == SOURCE_START) return NULL; /* or of a solver */
    if (source <= SOURCE_BINDING)
        return system_family(st->sys, ROWS_BINDING, SOURCE_BINDING - source);
    return system_family(st->sys, ROWS_INITIAL, SOURCE_INITIAL - source);
}

Pos structure_pos(const Structure *st, int row) {
    const Family *family = structure_family(st, row);
    return family ? family->pos : 0;
}

/* ---- aliases ------------------------------------------------------------------------------------- */

/* Needs: rows of the system. Gives: alias, sign, constancy, roles, derivatives, rows without aliases,
 * equations, graph. Breaks: what st held before. Sums that are taken out may show more aliases. */
void structure_aliases(Structure *st, System *sys, int base, Diag *diag) {
    for (bool again = true; again;) {
        *st = (Structure){.sys = sys, .diag = diag, .base = base};
        structure_grow(st);
        alias_reduce(st);
        again = sums_take_out(st);
        if (again) structure_free(st);
    }
    structure_add_equations(st);
    structure_graph(st);
    st->done = DONE_ALIASES;
    ASSERT_CONTRACT(st->eqs, structure_is_reduced(st));
}

/* ---- index --------------------------------------------------------------------------------------- */

/* Largest matching when a variable and its derivatives count as one. Complete exactly if the
 * differentiated system can be solved for some choice of orders. */
static bool is_regular(Structure *st, bool headline, bool *again) {
    Graph g = st->graph;
    int   n = g.start[g.rows];
    Arena scratch = {0};
    int  *base = NEW(&scratch, int, st->vars + 1), *col = NEW(&scratch, int, n + 1);
    int  *col_of = NEW(&scratch, int, g.rows + 1),
        *row_of = NEW(&scratch, int, g.cols + 1);
    int unknowns = 0;
    for (int v = 0; v < st->vars; v++) {
        base[v] = row_of[v] = -1;
        bool unknown = st->role[v] == ROLE_UNKNOWN || st->role[v] == ROLE_STATE;
        bool lowest = st->prev[v] < 0 || st->role[st->prev[v]] == ROLE_KNOWN;
        if (unknown && lowest) unknowns++;
    }
    for (int v = 0; v < st->vars; v++) { /* the first of each chain of derivatives */
        int first = v;
        while (base[first] < 0 && st->prev[first] >= 0) first = st->prev[first];
        base[v] = base[first] < 0 ? first : base[first];
    }
    for (int e = 0; e < n; e++) col[e] = base[g.col[e]];
    for (int r = 0; r < g.rows; r++) col_of[r] = -1;
    g.col = col;
    int  matched = match_largest(&g, EDGE_IMPLICIT, NULL, col_of, row_of);
    bool regular = matched == g.rows && matched == unknowns;
    if (!regular) {
        bool *wanted = NEW(&scratch, bool, st->vars + 1);
        for (int v = 0; v < st->vars; v++)
            wanted[v] = base[v] == v &&
                        (st->role[v] == ROLE_UNKNOWN || st->role[v] == ROLE_STATE);
        Singular parts = singular_parts(&g, wanted, col_of, row_of, &scratch);
        *again = headline && structure_single(st, parts.over_row, parts.over_rows);
        if (*again) structure_graph(st);
        else singular_report(st, &parts, headline);
    }
    arena_free(&scratch);
    return regular;
}

/* The same, after calls were taken apart whose results are known. */
static bool is_solvable(Structure *st) {
    bool again = true, regular = false;
    while (again) {
        again = false;
        regular = is_regular(st, true, &again);
    }
    return regular;
}

void structure_explain(System *sys, Diag *diag) {
    Structure st;
    for (int base = 0; base <= (sys->clocks ? sys->clocks->bases : 0); base++) {
        structure_aliases(&st, sys, base, diag);
        bool again = false;
        is_regular(&st, false, &again);
        structure_free(&st);
    }
}

/* Needs: aliases. Gives: rows and equations of derivatives, for each equation without derivative
 * an unknown that has none. Breaks: the graph, which lacks the new equations. False: the system is
 * singular, or an equation has no derivative.
 *
 * A preferred variable that is not differentiated becomes a state if its equations have
 * derivatives; it is no error if they have none: then all begins anew without the wish. */
bool structure_index(Structure *st) {
    System *sys = st->sys;
    Diag   *diag = st->diag;
    bool    wishes = index_wishes(st, SELECT_PREFER), fine = false;
    assert(st->done == DONE_ALIASES);
    ASSERT_SLOWLY(structure_is_reduced(st));
    if (!is_solvable(st)) return false;
    if (wishes) {
        st->diag = NULL;
        fine = index_reduce(st, SELECT_PREFER);
        st->diag = diag;
        if (!fine) {
            int base = st->base;
            structure_free(st);
            structure_aliases(st, sys, base, diag);
        }
    }
    fine = fine || index_reduce(st, SELECT_ALWAYS);
    st->done = DONE_INDEX;
    ASSERT_CONTRACT(st->eqs, !fine || structure_is_differentiated(st));
    return fine;
}

/* ---- states -------------------------------------------------------------------------------------- */

/* Needs: index. Gives: roles for good, sets of states, invariants. Breaks: the matching of the
 * index, equations that became invariants. */
void structure_states(Structure *st) {
    assert(st->done == DONE_INDEX);
    ASSERT_SLOWLY(structure_is_differentiated(st));
    states_select(st);
    st->done = DONE_STATES;
    assert(structure_has_states(st));
}

/* ---- match, order, tear -------------------------------------------------------------------------- */

/* Needs: equations and roles, which are those after `states` or were made for it (plain). Gives: the
 * graph, an equation for every unknown, with a formula where possible. False: there is none. */
bool structure_match(Structure *st) {
    assert(st->done == (st->plain ? DONE_NOTHING : DONE_STATES));
    if (!st->graph.current) structure_graph(st);
    bool *allow = mem_take((size_t)st->vars, 1);
    int   unknowns = 0, matched = 0;
    for (int v = 0; v < st->vars; v++) {
        allow[v] = st->role[v] == ROLE_UNKNOWN;
        unknowns += allow[v];
        st->eq_of[v] = -1;
    }
    for (int e = 0; e < st->eqs; e++) st->var_of[e] = -1;
    for (EdgeKind kind = EDGE_ALWAYS; kind >= EDGE_IMPLICIT && matched < st->eqs; kind--)
        matched = match_largest(&st->graph, kind, allow, st->var_of, st->eq_of);
    bool complete = matched == st->eqs && matched == unknowns;
    if (!complete) {
        Arena    scratch = {0};
        Singular parts =
            singular_parts(&st->graph, allow, st->var_of, st->eq_of, &scratch);
        singular_report(st, &parts, true);
        arena_free(&scratch);
    }
    mem_free(allow);
    st->done = DONE_MATCH;
    ASSERT_CONTRACT(st->eqs, !complete || structure_is_matched(st));
    return complete;
}

/* Needs: match. Gives: order, blocks and their extent. */
void structure_order(Structure *st) {
    assert(st->done == DONE_MATCH && !st->blocks);
    ASSERT_SLOWLY(structure_is_matched(st));
    order_blocks(st);
    st->done = DONE_ORDER;
    ASSERT_CONTRACT(st->eqs, structure_is_ordered(st));
}

/* Needs: order. Gives: kinds of blocks, iteration variables, the order inside of blocks. Breaks:
 * the matching inside of blocks, which is another one afterwards. */
void structure_tear(Structure *st) {
    assert(st->done == DONE_ORDER);
    ASSERT_SLOWLY(structure_is_ordered(st));
    tear_blocks(st);
    st->done = DONE_TEAR;
    ASSERT_CONTRACT(st->eqs, structure_is_matched(st) && structure_is_torn(st));
}

bool structure_solve(Structure *st) {
    if (!structure_match(st)) return false;
    structure_order(st);
    structure_tear(st);
    return true;
}

bool structure_analyse(Structure *st, System *sys, Diag *diag) {
    structure_aliases(st, sys, 0, diag);
    if (!structure_index(st)) return false;
    structure_states(st);
    return structure_solve(st);
}
