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

/* Is there a variable of a connector: a flow, or a potential? */
static bool any_connector(const Structure *st, const int *var, int n, bool flow) {
    for (int i = 0; i < n; i++) {
        int flags = st->sys->run[system_run_of(st->sys, var[i])].flags;
        if (flags & VAR_CONNECTOR && !(flags & VAR_FLOW) == !flow) return true;
    }
    return false;
}

/* "'a', 'b' and 2 more": the components of some variables, each once; the declaration of the
 * first. */
static Pos list_components(const Structure *st, const int *var, int n, Text *out) {
    Text name = {0};
    Pos  first = 0, seen[SHOWN] = {0};
    int  count = 0;
    for (int i = 0; i < n && count < SHOWN; i++) {
        bool known = false;
        text_clear(&name);
        Pos pos = system_component(st->sys, var[i], &name);
        for (int k = 0; k < count; k++) known |= seen[k] == pos;
        if (!pos || known) continue;
        if (!first) first = pos;
        seen[count++] = pos;
        text_printf(out, "%s'%s'", count > 1 ? ", " : "", text_get(&name));
    }
    if (count == SHOWN) text_add(out, " and others");
    text_free(&name);
    return first;
}

/* Components whose variables or parameters stand in the equations. */
static Pos list_row_components(const Structure *st, const int *eq, int n, Text *out) {
    const Shapes *shapes = st->sys->shapes;
    int          *var = NULL, vars = 0;
    uint32_t      room = 0;
    Arena         arena = {0};
    for (int i = 0; i < n; i++) {
        int row = st->eq_row[eq[i]], slots = shapes->shape[st->shape[row]].slots;
        GROW(var, room, vars + slots + 1);
        for (int k = 0; k < slots; k++)
            if (expr_op(shapes, shape_leaf(shapes, st->shape[row], k)) == TERM_SLOT)
                var[vars++] = st->slot[st->first[row] + k];
    }
    Pos first = list_components(st, var, vars, out);
    mem_free(var);
    arena_free(&arena);
    return first;
}

/* An equation without an unknown that mentions this variable, or -1: n = n + 1 in a when-clause. */
static int row_about(const Structure *st, const Singular *parts, int var) {
    const Shapes *shapes = st->sys->shapes;
    for (int i = 0; i < parts->over_rows; i++) {
        int row = st->eq_row[parts->over_row[i]];
        for (int k = 0; k < shapes->shape[st->shape[row]].slots; k++)
            if (expr_op(shapes, shape_leaf(shapes, st->shape[row], k)) == TERM_SLOT &&
                st->slot[st->first[row] + k] == var)
                return row;
    }
    return -1;
}

/* Does the variable stand alone on a side of the row? */
static bool is_alone(const Structure *st, int row, int var) {
    const Shapes *shapes = st->sys->shapes;
    Term          root = shapes->shape[st->shape[row]].root;
    bool          alone = expr_op(shapes, root) != TERM_EQUATION;
    for (uint32_t side = 0; side < 2 && !alone; side++) {
        const Node *node = expr_node(shapes, expr_arg(shapes, root, side));
        alone = node->op == TERM_SLOT && st->slot[st->first[row] + node->index] == var;
    }
    return alone;
}

static void guess_discrete(const Structure *st, const Singular *parts) {
    int var = parts->under_col[0], row = row_about(st, parts, var);
    if (row < 0) return;
    Text name = {0};
    int  run = system_run_of(st->sys, var);
    system_name(st->sys, var, &name);
    bool itself = is_alone(st, row, var) || st->sys->run[run].type == TYPE_REAL;
    if (itself && !parts->over_cols)
        diag_note(st->diag, structure_pos(st, row),
                  "likely cause: '%s' is computed from itself; in a when-clause, pre(%s) "
                  "is its value before the event",
                  text_get(&name), text_get(&name));
    else if (!itself)
        diag_note(st->diag, structure_pos(st, row),
                  "likely cause: '%s' is no Real, and solving this equation for it might "
                  "leave a remainder; write %s = ...",
                  text_get(&name), text_get(&name));
    text_free(&name);
}

static void guess(const Structure *st, const Singular *parts) {
    Text where = {0};
    Pos  pos;
    if (any_connector(st, parts->under_col, parts->under_cols, false)) {
        pos = list_components(st, parts->under_col, parts->under_cols, &where);
        diag_note(st->diag, pos,
                  "likely cause: a reference is missing; only differences of the "
                  "potentials of %s are determined: connect a ground, a fixed flange or "
                  "a boundary to them",
                  where.length ? text_get(&where) : "these connectors");
    } else if (parts->over_rows &&
               (any_connector(st, parts->over_col, parts->over_cols, false) ||
                any_connector(st, parts->under_col, parts->under_cols, true))) {
        pos = list_row_components(st, parts->over_row, parts->over_rows, &where);
        diag_note(st->diag, pos,
                  "likely cause: %s prescribe the same potential twice, and nothing "
                  "determines how the flow divides: two ideal sources in parallel, or a "
                  "boundary that is over-specified; put a resistance between them or "
                  "remove one",
                  where.length ? text_get(&where) : "two components");
    } else if (parts->over_rows && parts->under_cols) {
        guess_discrete(st, parts);
    }
    text_free(&where);
}

static const char *plural(int n) {
    return n == 1 ? "" : "s";
}

static void headline_text(const Singular *parts, Text *out) {
    int over = parts->over_rows, under = parts->under_cols;
    if (over && !parts->over_cols)
        text_printf(out, "%d equation%s say%s nothing about any unknown", over,
                    plural(over), over == 1 ? "s" : "");
    else if (over)
        text_printf(out, "%d equation%s for %d unknown%s", over, plural(over),
                    parts->over_cols, plural(parts->over_cols));
    if (over && under) text_add(out, ", while ");
    if (under)
        text_printf(out, "%d unknown%s %s %d equation%s", under, plural(under),
                    !over        ? "with"
                    : under == 1 ? "has only"
                                 : "have only",
                    parts->under_rows, plural(parts->under_rows));
}

/* The component that a message is about, or the equation or variable itself. */
static Pos headline_pos(const Structure *st, const Singular *parts) {
    Text unused = {0};
    bool reference = any_connector(st, parts->under_col, parts->under_cols, false);
    Pos  pos = reference || !parts->over_cols
                   ? list_components(st, parts->under_col, parts->under_cols, &unused)
                   : list_components(st, parts->over_col, parts->over_cols, &unused);
    text_free(&unused);
    if (pos) return pos;
    if (parts->over_cols) return structure_pos(st, st->eq_row[parts->over_row[0]]);
    if (parts->under_cols)
        return st->sys->run[system_run_of(st->sys, parts->under_col[0])].pos;
    return parts->over_rows ? structure_pos(st, st->eq_row[parts->over_row[0]]) : 0;
}

void singular_report(const Structure *st, const Singular *parts, bool headline) {
    int  over = parts->over_rows, under = parts->under_cols;
    Code code = over && under ? CODE_D103 : over ? CODE_D101 : CODE_D102;
    Text text = {0};
    if (!st->diag) return;
    headline_text(parts, &text);
    if (headline)
        diag_report(st->diag, headline_pos(st, parts), code, "the model is singular: %s",
                    text_get(&text));
    guess(st, parts);
    if (over) {
        text_clear(&text);
        list_variables(st, parts->over_col, parts->over_cols, &text);
        if (parts->over_cols)
            diag_note(st->diag, 0, "determined too often: %s", text_get(&text));
        else diag_note(st->diag, 0, "without an unknown:");
        note_equations(st, parts->over_row, over);
    }
    if (under) {
        text_clear(&text);
        list_variables(st, parts->under_col, under, &text);
        diag_note(st->diag, 0, "not determined: %s", text_get(&text));
        note_equations(st, parts->under_row, parts->under_rows);
    }
    text_free(&text);
}
