/* SPDX-License-Identifier: Apache-2.0 */
/* match.c -- a largest matching of equations and unknowns.
 *
 * Augmenting paths by depth-first search with look-ahead, in passes that visit every row at
 * most once (Pothen and Fan, ACM TOMS 16, 1990; Duff, Kaya and Ucar, ACM TOMS 38, 2011). The
 * worst case is rows * edges, in practice the time is nearly linear. The search keeps its own
 * stack. A matched row or column stays matched when the matching is enlarged, so calling
 * again with weaker kinds of edges prefers the stronger ones. */
#include "dae/dae.h"

typedef struct Search {
    const Graph *graph;
    EdgeKind     kind;
    const bool  *allow;
    int         *col_of, *row_of;
    int         *look;  /* by row: next edge to look ahead; never goes back */
    int         *at;    /* by row: next edge to descend along */
    int         *seen;  /* by row: pass that visited it last */
    int         *stack; /* rows of the path */
    int          pass;
} Search;

static bool usable(const Search *s, int edge) {
    const Graph *g = s->graph;
    return (!g->kind || g->kind[edge] >= s->kind) &&
           (!s->allow || s->allow[g->col[edge]]);
}

/* A free column of the row, -1 if there is none any more. */
static int free_column(Search *s, int row) {
    const Graph *g = s->graph;
    while (s->look[row] < g->start[row + 1]) {
        int edge = s->look[row]++;
        if (usable(s, edge) && s->row_of[g->col[edge]] < 0) return g->col[edge];
    }
    return -1;
}

/* Another row not visited in this pass that holds a column of this one, -1 if none. */
static int next_row(Search *s, int row) {
    const Graph *g = s->graph;
    while (s->at[row] < g->start[row + 1]) {
        int edge = s->at[row]++;
        if (!usable(s, edge)) continue;
        int holder = s->row_of[g->col[edge]];
        if (holder >= 0 && s->seen[holder] != s->pass) return holder;
    }
    return -1;
}

void match_path(const int *path, int last, int column, int *col_of, int *row_of) {
    for (; last >= 0; last--) {
        int held = col_of[path[last]];
        col_of[path[last]] = column;
        row_of[column] = path[last];
        column = held;
    }
}

static bool augment(Search *s, int start) {
    int depth = 0;
    s->stack[0] = start;
    s->seen[start] = s->pass;
    s->at[start] = s->graph->start[start];
    while (depth >= 0) {
        int row = s->stack[depth], column = free_column(s, row);
        if (column >= 0) { /* every row on the path takes the column of the one below */
            match_path(s->stack, depth, column, s->col_of, s->row_of);
            return true;
        }
        int down = next_row(s, row);
        if (down < 0) {
            depth--;
            continue;
        }
        s->seen[down] = s->pass;
        s->at[down] = s->graph->start[down];
        s->stack[++depth] = down;
    }
    return false;
}

int match_largest(const Graph *graph, EdgeKind kind, const bool *allow, int *col_of,
                  int *row_of) {
    size_t n = (size_t)graph->rows + 1;
    int    matched = 0, *memory = mem_resize(NULL, 3 * n * sizeof *memory);
    Search s = {.graph = graph,
                .kind = kind,
                .allow = allow,
                .col_of = col_of,
                .row_of = row_of,
                .look = memory,
                .at = memory + n,
                .stack = memory + 2 * n,
                .seen = mem_take(n, sizeof(int))};
    for (int r = 0; r < graph->rows; r++) s.look[r] = graph->start[r];
    for (int r = 0; r < graph->rows; r++) { /* cheap start */
        if (col_of[r] >= 0) continue;
        int column = free_column(&s, r);
        if (column < 0) continue;
        col_of[r] = column;
        row_of[column] = r;
    }
    for (bool found = true; found;) {
        found = false;
        s.pass++;
        for (int r = 0; r < graph->rows; r++)
            if (col_of[r] < 0 && graph->start[r] < graph->start[r + 1])
                found |= augment(&s, r);
    }
    for (int r = 0; r < graph->rows; r++) matched += col_of[r] >= 0;
    MEM_FREE(memory, s.seen);
    return matched;
}
