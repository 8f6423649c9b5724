/* SPDX-License-Identifier: Apache-2.0 */
/* structure.c -- the structural analysis from end to end, its tables and its report.
 *
 * alias -> graph -> is it regular? -> index -> states -> match -> order -> tear. Everything is
 * linear in rows and edges, except matching, whose worst case is never seen in practice. */
#include "dae/dae.h"

#include <assert.h>
#include <string.h>

/* ---- tables ------------------------------------------------------------------------------------ */

void structure_grow(Structure *st) {
    int n = st->sys->vars;
    if (n > st->var_room) {
        int room = n + n / 8 + 16;
        RESIZE(st->alias, room);
        RESIZE(st->sign, room);
        RESIZE(st->zero, room);
        RESIZE(st->role, room);
        RESIZE(st->start_from, room);
        RESIZE(st->eq_of, room);
        if (!st->plain) {
            RESIZE(st->select, room);
            RESIZE(st->next, room);
            RESIZE(st->next_sign, room);
            RESIZE(st->prev, room);
        }
        st->var_room = room;
    }
    for (int v = st->vars; v < n; v++) {
        st->alias[v] = st->start_from[v] = v;
        st->sign[v] = 1;
        st->zero[v] = false;
        st->role[v] = ROLE_ABSENT;
        st->eq_of[v] = -1;
        if (st->plain) continue;
        st->next_sign[v] = 1;
        st->select[v] = SELECT_DEFAULT;
        st->next[v] = st->prev[v] = -1;
    }
    st->vars = n;
}

int structure_add_row(Structure *st, int shape, const int *slot,
                      const int32_t *const *sizes, int source, int of) {
    const Shapes *shapes = st->sys->shapes;
    int           slots = shapes->shape[shape].slots, words = slots;
    for (int k = 0; sizes && k < slots; k++)
        words += 2 * (sizes[k] ? shapes->node[shape_leaf(shapes, shape, k)].rank : 0);
    GROW(st->slot, st->slot_room, st->slots + (uint32_t)words + 1);
    if (st->rows + 2 > st->row_room) {
        st->row_room = st->rows + st->rows / 2 + 16;
        RESIZE(st->shape, st->row_room);
        RESIZE(st->first, st->row_room);
        RESIZE(st->source, st->row_room);
        if (!st->plain) RESIZE(st->of, st->row_room);
    }
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
    if (st->eqs >= st->eq_room) {
        st->eq_room = st->eqs + st->eqs / 2 + 16;
        RESIZE(st->eq_row, st->eq_room);
        RESIZE(st->eq_part, st->eq_room);
        RESIZE(st->var_of, st->eq_room);
        if (!st->plain) RESIZE(st->deq, st->eq_room);
    }
    st->eq_row[st->eqs] = row;
    st->eq_part[st->eqs] = part;
    st->var_of[st->eqs] = -1;
    if (!st->plain) st->deq[st->eqs] = -1;
    return st->eqs++;
}

void structure_free(Structure *st) {
    MEM_FREE(st->alias, st->sign, st->role, st->select, st->start_from, st->next,
             st->next_sign, st->prev, st->eq_of, st->shape, st->first, st->source, st->of,
             st->slot, st->eq_row, st->eq_part, st->var_of, st->deq, st->graph.start,
             st->graph.col, st->graph.kind, st->sets.set, st->sets.row, st->sets.var,
             st->block, st->order, st->block_of, st->zero, st->drift.row, st->drift.state,
             st->drift.row_part, st->drift.state_part);
    arena_free(&st->arena);
    *st = (Structure){0};
}

/* ---- the passes ---------------------------------------------------------------------------------- */

/* Largest matching when a variable and its derivatives count as one. Complete exactly if the
 * differentiated system can be solved for some choice of orders. */
static bool is_regular(Structure *st, bool headline) {
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
        singular_report(st, &parts, headline);
    }
    arena_free(&scratch);
    return regular;
}

/* Equations for the unknowns: with formulas where possible. */
static bool match_all(Structure *st) {
    structure_graph(st);
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
    return complete;
}

/* Rows without aliases, and which unknowns they use. */
static void prepare(Structure *st, System *sys, Diag *diag) {
    for (bool again = true; again;) {
        *st = (Structure){.sys = sys, .diag = diag};
        structure_grow(st);
        alias_reduce(st);
        again = sums_take_out(st);
        if (again) structure_free(st);
    }
    for (int r = 0; r < st->rows; r++) {
        int parts = structure_results(st, r);
        for (int p = 0; p < parts; p++) structure_add_equation(st, r, p);
    }
    structure_graph(st);
}

void structure_explain(System *sys, Diag *diag) {
    Structure st;
    prepare(&st, sys, diag);
    is_regular(&st, false);
    structure_free(&st);
}

/* A preferred variable that is not differentiated becomes a state if its equations have derivatives;
 * it is no error if they have none. */
static bool reduce_index(Structure *st, System *sys, Diag *diag) {
    if (!index_wishes(st, SELECT_PREFER)) return index_reduce(st, SELECT_ALWAYS);
    st->diag = NULL;
    bool fine = index_reduce(st, SELECT_PREFER);
    st->diag = diag;
    if (fine) return true;
    structure_free(st);
    prepare(st, sys, diag);
    return index_reduce(st, SELECT_ALWAYS);
}

bool structure_analyse(Structure *st, System *sys, Diag *diag) {
    prepare(st, sys, diag);
    if (!is_regular(st, true)) return false;
    if (!reduce_index(st, sys, diag)) return false;
    states_select(st);
    return structure_order(st);
}

bool structure_order(Structure *st) {
    if (!match_all(st)) return false;
    order_blocks(st);
    return true;
}

/* ---- reports ------------------------------------------------------------------------------------- */

const Family *structure_family(const Structure *st, int row) {
    int source = st->source[row];
    if (source >= 0) return system_family(st->sys, ROWS_EQUATION, source);
    if (source == SOURCE_START) return NULL;
    if (source <= SOURCE_BINDING)
        return system_family(st->sys, ROWS_BINDING, SOURCE_BINDING - source);
    return system_family(st->sys, ROWS_INITIAL, SOURCE_INITIAL - source);
}

Pos structure_pos(const Structure *st, int row) {
    const Family *family = structure_family(st, row);
    return family ? family->pos : 0;
}

typedef struct Names {
    const Structure *st;
    int              row;
} Names;

static void name_slot(const void *context, int slot, Text *out) {
    const Names     *names = context;
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
    Names names = {st, row};
    expr_print(st->sys->shapes, term, name_slot, &names, out);
}

void structure_print_row(const Structure *st, int row, Text *out) {
    structure_print_term(st, row, st->sys->shapes->shape[st->shape[row]].root, out);
}

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

void structure_report(const Structure *st, Text *out, int most) {
    static const char *const kind[] = {"", "linear", "nonlinear", "mixed", "call"};
    static const char *const matrix[] = {"", "piecewise constant ", "constant "};
    int                      unknowns = 0, loops = 0;
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
    for (int i = 0; i < st->drift.rows; i++) {
        text_add(out, "invariant ");
        structure_print_row(st, st->drift.row[i], out);
        text_char(out, '\n');
    }
    for (int b = 0; b < st->blocks && b < most; b++) {
        const Block *block = &st->block[b];
        if (block->kind != BLOCK_EXPLICIT)
            text_printf(out, "%s%s block of %d, %d iteration variables\n",
                        matrix[block->matrix], kind[block->kind], block->count,
                        block->torn);
        for (int i = 0; i < block->count; i++) {
            int e = st->order[block->first + i];
            text_add(out, block->kind == BLOCK_EXPLICIT ? "" : "  ");
            system_name(st->sys, st->var_of[e], out);
            text_add(out, i < block->count - block->torn ? " := " : " ?= ");
            structure_print_row(st, st->eq_row[e], out);
            text_char(out, '\n');
        }
    }
}
