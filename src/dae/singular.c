/* SPDX-License-Identifier: Apache-2.0 */
/* singular.c -- why a system has no complete matching.
 *
 * The coarse decomposition of Dulmage and Mendelsohn (Canad. J. Math. 10, 1958; Pothen and
 * Fan, ACM TOMS 16, 1990): what can be reached by alternating paths from an equation without
 * unknown is overdetermined, what can be reached from an unknown without equation is
 * underdetermined. Both parts are independent of the matching found. Linear in edges.
 *
 * The report names equations and variables, not indices, and guesses a cause from what the
 * parts consist of: sums of flows, potentials, connections. */
#include "dae/dae.h"

#include <string.h>

typedef struct Reach {
    bool *row, *col;
    int  *queue;
} Reach;

/* Rows and columns reachable from rows without column: row -> its columns -> their rows. */
static void reach_over(const Graph *g, const int *col_of, const int *row_of,
                       Reach *reach) {
    int tail = 0;
    for (int r = 0; r < g->rows; r++)
        if (col_of[r] < 0) {
            reach->row[r] = true;
            reach->queue[tail++] = r;
        }
    for (int head = 0; head < tail; head++) {
        int r = reach->queue[head];
        for (int k = g->start[r]; k < g->start[r + 1]; k++) {
            int c = g->col[k];
            if (reach->col[c] || (g->kind && g->kind[k] < EDGE_IMPLICIT)) continue;
            reach->col[c] = true;
            if (row_of[c] >= 0 && !reach->row[row_of[c]]) {
                reach->row[row_of[c]] = true;
                reach->queue[tail++] = row_of[c];
            }
        }
    }
}

static void reach_under(const Graph *g, const bool *wanted, const int *col_of,
                        const int *row_of, Reach *reach, Arena *arena) {
    int   tail = 0;
    Graph back = graph_transpose(g, arena);
    /* kinds by transposed edge: an edge that gives nothing leads nowhere */
    uint8_t *kind = NULL;
    if (g->kind) {
        int *at = arena_copy(arena, back.start, ((size_t)back.rows + 1) * sizeof *at);
        kind = NEW(arena, uint8_t, g->start[g->rows] + 1);
        for (int r = 0; r < g->rows; r++)
            for (int k = g->start[r]; k < g->start[r + 1]; k++)
                kind[at[g->col[k]]++] = g->kind[k];
    }
    for (int c = 0; c < g->cols; c++)
        if (wanted[c] && row_of[c] < 0) {
            reach->col[c] = true;
            reach->queue[tail++] = c;
        }
    for (int head = 0; head < tail; head++) {
        int c = reach->queue[head];
        for (int k = back.start[c]; k < back.start[c + 1]; k++) {
            int r = back.col[k];
            if (reach->row[r] || (kind && kind[k] < EDGE_IMPLICIT)) continue;
            reach->row[r] = true;
            if (col_of[r] >= 0 && !reach->col[col_of[r]]) {
                reach->col[col_of[r]] = true;
                reach->queue[tail++] = col_of[r];
            }
        }
    }
}

static int *collect(const bool *in, int n, int *count, Arena *arena) {
    int *list = NEW(arena, int, n + 1);
    *count = 0;
    for (int i = 0; i < n; i++)
        if (in[i]) list[(*count)++] = i;
    return list;
}

Singular singular_parts(const Graph *graph, const bool *wanted, const int *col_of,
                        const int *row_of, Arena *arena) {
    Singular parts = {0};
    int      n = graph->rows > graph->cols ? graph->rows : graph->cols;
    Reach    over = {NEW(arena, bool, graph->rows + 1), NEW(arena, bool, graph->cols + 1),
                     NEW(arena, int, n + 1)};
    Reach under = {NEW(arena, bool, graph->rows + 1), NEW(arena, bool, graph->cols + 1),
                   NEW(arena, int, n + 1)};
    reach_over(graph, col_of, row_of, &over);
    reach_under(graph, wanted, col_of, row_of, &under, arena);
    parts.over_row = collect(over.row, graph->rows, &parts.over_rows, arena);
    parts.over_col = collect(over.col, graph->cols, &parts.over_cols, arena);
    parts.under_row = collect(under.row, graph->rows, &parts.under_rows, arena);
    parts.under_col = collect(under.col, graph->cols, &parts.under_cols, arena);
    return parts;
}

/* ---- in words --------------------------------------------------------------------------------- */

enum { SHOWN = 8 }; /* equations and variables listed in a message */

static void list_variables(const Structure *st, const int *var, int n, Text *out) {
    for (int i = 0; i < n && i < SHOWN; i++) {
        if (i) text_add(out, ", ");
        system_name(st->sys, var[i], out);
    }
    if (n > SHOWN) text_printf(out, " and %d more", n - SHOWN);
}

static void note_equations(const Structure *st, const int *eq, int n) {
    for (int i = 0, last = -1; i < n && i < SHOWN; i++) {
        int row = st->eq_row[eq[i]];
        if (row == last) continue;
        last = row;
        Text text = {0};
        structure_print_row(st, row, &text);
        const Family *family = structure_family(st, row);
        bool          connect = family && family->flags & FAMILY_CONNECT;
        diag_note(st->diag, structure_pos(st, row), "%s%s", text_get(&text),
                  connect ? "   (from a connection)" : "");
        text_free(&text);
    }
    if (n > SHOWN) diag_note(st->diag, 0, "and %d more equations", n - SHOWN);
}

static bool any_flag(const Structure *st, const int *var, int n, int flag, bool without) {
    for (int i = 0; i < n; i++) {
        int flags = st->sys->run[system_run_of(st->sys, var[i])].flags;
        if (flag & flags && !(without && flags & VAR_FLOW)) return true;
    }
    return false;
}

static void guess(const Structure *st, const Singular *parts) {
    bool potential =
        any_flag(st, parts->under_col, parts->under_cols, VAR_CONNECTOR, true);
    bool rivals = any_flag(st, parts->over_col, parts->over_cols, VAR_CONNECTOR, true);
    if (parts->under_cols && potential)
        diag_note(
            st->diag, 0,
            "the undetermined variables are potentials of connectors: a reference such "
            "as a ground or a fixed flange is probably missing");
    else if (parts->over_rows && rivals)
        diag_note(
            st->diag, 0,
            "the competing equations prescribe the potential of one connection set: two "
            "ideal sources are probably connected in parallel");
}

void singular_report(const Structure *st, const Singular *parts) {
    Text names = {0};
    if (!st->diag) return;
    int  over = parts->over_rows, under = parts->under_cols;
    Code code = over && under ? CODE_D103 : over ? CODE_D101 : CODE_D102;
    Pos  pos = 0;
    if (over) {
        pos = structure_pos(st, st->eq_row[parts->over_row[0]]);
    } else if (under) {
        pos = st->sys->run[system_run_of(st->sys, parts->under_col[0])].pos;
    }
    if (over && under)
        diag_report(st->diag, pos, code,
                    "the model is singular: %d equations for %d unknowns in one part, %d "
                    "unknowns with %d equations in another",
                    over, parts->over_cols, under, parts->under_rows);
    else if (over)
        diag_report(st->diag, pos, code, "%d equations for %d unknowns", over,
                    parts->over_cols);
    else
        diag_report(st->diag, pos, code, "%d equations for %d unknowns",
                    parts->under_rows, under);
    if (over) {
        list_variables(st, parts->over_col, parts->over_cols, &names);
        diag_note(st->diag, 0, "determined too often: %s",
                  parts->over_cols ? text_get(&names)
                                   : "nothing unknown is left in them");
        note_equations(st, parts->over_row, parts->over_rows);
        text_clear(&names);
    }
    if (under) {
        list_variables(st, parts->under_col, under, &names);
        diag_note(st->diag, 0, "not determined: %s", text_get(&names));
        note_equations(st, parts->under_row, parts->under_rows);
    }
    guess(st, parts);
    text_free(&names);
}
