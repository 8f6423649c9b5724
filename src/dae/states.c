/* SPDX-License-Identifier: Apache-2.0 */
/* states.c -- which variables are states, after equations were differentiated.
 *
 * Dummy derivatives (Mattsson and Soderlind, SIAM J. Sci. Comput. 14, 1993). Each
 * differentiated constraint takes one derivative away: going from the highest derivatives
 * down, the constraints are matched to derivatives which then are ordinary unknowns, and what
 * they are the derivative of is no state. Variables enter the matching class by class, least
 * wanted first (StateSelect, then whether a start value is fixed or given). Because a matched
 * column stays matched, the greedy order takes away the least wanted set that is possible
 * (the greedy rule for transversal matroids; Edmonds 1971).
 *
 * Where no choice is good for ever and stateSelect decides nothing (choice.c: quaternions,
 * Cartesian coordinates of a pendulum, closed chains of joints), all candidates stay states, the
 * highest derivative of the constraint holds as an equation, and the constraint itself becomes an
 * invariant to which the states are brought back while the model runs (src/live/project.c). */
#include "dae/states.h"

#include <math.h>
#include <string.h>

/* Is it differentiated by index reduction only, not in the text of the model? */
static bool is_made(const Structure *st, int v) {
    int der = st->next[v];
    return der >= 0 && st->select[der] == SELECT_NEVER;
}

/* How much a variable is wanted as a state, 0 least. What does not appear differentiated is a
 * state only if it asks for it or nothing else is left (Modelica 3.6, 4.9.7.1). */
int states_wanted(const Structure *st, int v) {
    const System *sys = st->sys;
    int           from = st->start_from[v], run = system_run_of(sys, from);
    double        fixed;
    switch (st->select[v]) {
    case SELECT_NEVER: return 0;
    case SELECT_AVOID: return is_made(st, v) ? 1 : 2;
    case SELECT_PREFER: return 7;
    case SELECT_ALWAYS: return 8;
    }
    if (is_made(st, v)) return 1;
    if (sys->run[run].kind == VAR_DER) return 3;
    if (system_known(sys, run, ATTR_FIXED, from - sys->run[run].first, &fixed) &&
        fixed != 0)
        return 6;
    return system_attribute(sys, run, ATTR_START) ? 5 : 4;
}

/* Edges from the graph of all equations: only candidates count. */
static void level_graph(IndexLevel *l, Arena *scratch) {
    l->graph = graph_part(&l->st->graph, l->eq, l->rows, l->col_at, l->cols,
                          EDGE_IMPLICIT, scratch);
    l->col_of = NEW(scratch, int, l->rows + 1);
    l->row_of = NEW(scratch, int, l->cols + 1);
    for (int r = 0; r < l->rows; r++) l->col_of[r] = -1;
    for (int c = 0; c < l->cols; c++) l->row_of[c] = -1;
}

static void level_match(IndexLevel *l, Arena *scratch) {
    Structure *st = l->st;
    bool      *allow = NEW(scratch, bool, l->cols + 1);
    int *class = NEW(scratch, int, l->cols + 1);
    for (int c = 0; c < l->cols; c++) class[c] = states_wanted(st, st->prev[l->var[c]]);
    /* where nobody asked for anything, a coefficient that cannot vanish counts more */
    const struct {
        int      first, last;
        EdgeKind least;
    } sweep[] = {{0, 0, EDGE_PARAMETER},
                 {0, 0, EDGE_IMPLICIT},
                 {1, STATE_CLASSES - 3, EDGE_PARAMETER},
                 {1, STATE_CLASSES - 3, EDGE_IMPLICIT},
                 {STATE_CLASSES - 2, STATE_CLASSES - 1, EDGE_IMPLICIT}};
    for (int i = 0, matched = 0; i < LENGTH(sweep) && matched < l->rows; i++)
        for (int k = sweep[i].first; k <= sweep[i].last && matched < l->rows; k++) {
            for (int c = 0; c < l->cols; c++) allow[c] = class[c] <= k;
            if (sweep[i].first > 1)
                match_largest(&l->graph, EDGE_PARAMETER, allow, l->col_of, l->row_of);
            matched =
                match_largest(&l->graph, sweep[i].least, allow, l->col_of, l->row_of);
        }
}

/* ---- choices that numbers forbid --------------------------------------------------------------- */

/* A matching may take away derivatives whose coefficients are linearly dependent: fluxes of windings
 * whose currents add up to zero. In a connected part the coefficients are looked at as numbers,
 * where parameters give them, and as independent otherwise (a random number stands for each). If
 * what was taken away is singular, columns are chosen again, least wanted first, each if it is
 * independent of those before it (Gaussian elimination, column by column). */
typedef struct Piece {
    int    *row, rows; /* of the level */
    int    *col, cols;
    double *a;      /* rows x cols by columns */
    int    *pivot;  /* by accepted column: its row */
    int    *chosen; /* accepted columns */
    bool   *used;   /* by row */
} Piece;

enum { PART_ROWS = 200, PART_COLS = 800 };

static double coefficient(const IndexLevel *l, int r, int c) {
    const Structure *st = l->st;
    double           value;
    int              row = st->eq_row[l->eq[r]], var = l->var[c];
    if (structure_coefficient(st, row, var, &value)) return value;
    uint64_t h = hash_mix((uint64_t)(uint32_t)row << 32 | (uint32_t)var);
    return 0.5 + (double)(h >> 11) / 9007199254740992.0;
}

static void fill_part(const IndexLevel *l, Piece *p, const int *col_place) {
    const Graph *g = &l->graph;
    memset(p->a, 0, sizeof(double) * (size_t)p->rows * (size_t)p->cols);
    for (int i = 0; i < p->rows; i++) {
        double most = 0;
        int    r = p->row[i];
        for (int k = g->start[r]; k < g->start[r + 1]; k++) {
            double *a = &p->a[col_place[g->col[k]] * p->rows + i];
            *a = coefficient(l, r, g->col[k]);
            most = fmax(most, fabs(*a));
        }
        for (int j = 0; j < p->cols && most > 0; j++) p->a[j * p->rows + i] /= most;
    }
}

/* Takes column j if it is independent of those taken; all columns are reduced in place. */
static bool take_column(Piece *p, int j, int taken) {
    double *a = p->a + (size_t)j * (size_t)p->rows, most = 0;
    int     best = -1;
    for (int k = 0; k < taken; k++) { /* b is zero in the pivot rows before its own */
        const double *b = p->a + (size_t)p->chosen[k] * (size_t)p->rows;
        double        f = a[p->pivot[k]] / b[p->pivot[k]];
        if (f == 0) continue;
        for (int i = 0; i < p->rows; i++) a[i] -= f * b[i];
        a[p->pivot[k]] = 0;
    }
    for (int i = 0; i < p->rows; i++)
        if (!p->used[i] && fabs(a[i]) > most) {
            most = fabs(a[i]);
            best = i;
        }
    if (most < 1e-9) return false;
    p->used[best] = true;
    p->pivot[taken] = best;
    p->chosen[taken] = j;
    return true;
}

static int take_all(Piece *p, const int *order, int n) {
    int taken = 0;
    memset(p->used, 0, (size_t)p->rows);
    for (int k = 0; k < n && taken < p->rows; k++)
        taken += take_column(p, order[k], taken);
    return taken;
}

static void repair_part(IndexLevel *l, Piece *p, const int *col_place, Arena *scratch) {
    const Structure *st = l->st;
    int             *order = NEW(scratch, int, p->cols + 1), n = 0;
    p->a = NEW(scratch, double, (size_t)p->rows *(size_t)p->cols + 1);
    p->pivot = NEW(scratch, int, p->rows + 1);
    p->chosen = NEW(scratch, int, p->rows + 1);
    p->used = NEW(scratch, bool, p->rows + 1);
    for (int j = 0; j < p->cols; j++)
        if (l->row_of[p->col[j]] >= 0) order[n++] = j;
    fill_part(l, p, col_place);
    if (n < p->rows || take_all(p, order, n) == p->rows) return;
    n = 0;
    for (int class = 0; class < STATE_CLASSES; class ++)
        for (int j = 0; j < p->cols; j++)
            if (states_wanted(st, st->prev[l->var[p->col[j]]]) == class) order[n++] = j;
    fill_part(l, p, col_place);
    if (take_all(p, order, n) < p->rows) return; /* dependent whatever is chosen */
    for (int j = 0; j < p->cols; j++) l->row_of[p->col[j]] = -1;
    for (int k = 0; k < p->rows; k++) {
        int r = p->row[p->pivot[k]], c = p->col[p->chosen[k]];
        l->col_of[r] = c;
        l->row_of[c] = r;
    }
}

static void level_repair(IndexLevel *l, Arena *scratch) {
    Graph back = graph_transpose(&l->graph, scratch);
    bool *seen = NEW(scratch, bool, l->rows + 1);
    int  *place = NEW(scratch, int, l->cols + 1), *row = NEW(scratch, int, l->rows + 1);
    int  *col = NEW(scratch, int, l->cols + 1);
    for (int c = 0; c < l->cols; c++) place[c] = -1;
    for (int first = 0; first < l->rows; first++) {
        if (seen[first]) continue;
        Piece p = {.row = row, .col = col};
        seen[first] = true;
        p.row[p.rows++] = first;
        for (int head = 0; head < p.rows; head++)
            for (int k = l->graph.start[p.row[head]]; k < l->graph.start[p.row[head] + 1];
                 k++) {
                int c = l->graph.col[k];
                if (place[c] >= 0) continue;
                place[c] = p.cols;
                p.col[p.cols++] = c;
                for (int i = back.start[c]; i < back.start[c + 1]; i++) {
                    if (seen[back.col[i]]) continue;
                    seen[back.col[i]] = true;
                    p.row[p.rows++] = back.col[i];
                }
            }
        if (p.rows > 1 && p.rows <= PART_ROWS && p.cols <= PART_COLS) {
            Arena own = {0};
            repair_part(l, &p, place, &own);
            arena_free(&own);
        }
    }
}

/* Numbers the parts of a forest in the order of their states. */
static void number_parts(Structure *st, int *share, int *part) {
    for (int v = 0; v < st->vars; v++) {
        part[v] = -1;
        st->drift.states += share[v] >= 0 && st->role[v] == ROLE_STATE;
    }
    for (int v = 0; v < st->vars; v++)
        if (share[v] >= 0 && st->role[v] == ROLE_STATE) {
            int root = set_find(share, v);
            if (part[root] < 0) part[root] = st->drift.parts++;
        }
}

/* Sorts what belongs to parts: item i of n has part of[i], -1 none. */
static void sort_parts(int parts, const int *item, const int *of, int n, int *sorted,
                       int *sorted_part, Arena *scratch) {
    int *start = NEW(scratch, int, parts + 2);
    for (int i = 0; i < n; i++)
        if (of[i] >= 0) start[of[i] + 1]++;
    for (int p = 0; p < parts; p++) start[p + 1] += start[p];
    for (int i = 0; i < n; i++)
        if (of[i] >= 0) {
            sorted_part[start[of[i]]] = of[i];
            sorted[start[of[i]]++] = item[i];
        }
}

/* Invariants are no equations any more. */
static void drop_invariants(Structure *st, const int *invariant, int *share,
                            Arena *scratch) {
    int  kept = 0, n = 0, most = st->vars > st->eqs ? st->vars : st->eqs;
    int *part = NEW(scratch, int, st->vars + 1);
    int *item = NEW(scratch, int, most + 1), *of = NEW(scratch, int, most + 1);
    number_parts(st, share, part);
    for (int e = 0; e < st->eqs; e++) {
        if (invariant[e] >= 0) {
            item[n] = st->eq_row[e];
            of[n++] = part[set_find(share, invariant[e])];
            continue;
        }
        st->eq_row[kept] = st->eq_row[e];
        st->eq_part[kept] = st->eq_part[e];
        st->deq[kept++] = -1; /* numbers changed */
    }
    st->eqs = kept;
    st->graph.current = false;
    st->drift.rows = n;
    st->drift.row = mem_take((size_t)n, sizeof(int));
    st->drift.row_part = mem_take((size_t)n, sizeof(int));
    sort_parts(st->drift.parts, item, of, n, st->drift.row, st->drift.row_part, scratch);
    st->drift.state = mem_take((size_t)st->drift.states, sizeof(int));
    st->drift.state_part = mem_take((size_t)st->drift.states, sizeof(int));
    for (int v = 0; v < st->vars; v++) {
        bool is_loose = share[v] >= 0 && st->role[v] == ROLE_STATE;
        item[v] = v;
        of[v] = is_loose ? part[set_find(share, v)] : -1;
    }
    sort_parts(st->drift.parts, item, of, st->vars, st->drift.state, st->drift.state_part,
               scratch);
}

/* Connected parts of a level become state sets. */
static void record_sets(const IndexLevel *l, Arena *scratch) {
    Structure *st = l->st;
    Graph      back = graph_transpose(&l->graph, scratch);
    bool      *seen_row = NEW(scratch, bool, l->rows + 1);
    bool      *seen_col = NEW(scratch, bool, l->cols + 1);
    int       *queue = NEW(scratch, int, l->rows + 1), rows = 0, vars = 0;
    st->sets.set = mem_take((size_t)l->rows, sizeof *st->sets.set);
    st->sets.row = mem_take((size_t)l->rows, sizeof *st->sets.row);
    st->sets.var = mem_take((size_t)l->cols, sizeof *st->sets.var);
    for (int first = 0; first < l->rows; first++) {
        if (seen_row[first]) continue;
        StateSet set = {.first = rows, .begin = vars};
        int      head = 0, tail = 0;
        queue[tail++] = first;
        seen_row[first] = true;
        while (head < tail) {
            int r = queue[head++];
            st->sets.row[rows++] = st->eq_row[l->before[l->eq[r]]];
            set.open += l->open[r];
            if (l->risk[r] > set.choice) set.choice = l->risk[r];
            for (int k = l->graph.start[r]; k < l->graph.start[r + 1]; k++) {
                int c = l->graph.col[k];
                if (seen_col[c]) continue;
                seen_col[c] = true;
                st->sets.var[vars++] = st->prev[l->var[c]];
                for (int j = back.start[c]; j < back.start[c + 1]; j++)
                    if (!seen_row[back.col[j]]) {
                        seen_row[back.col[j]] = true;
                        queue[tail++] = back.col[j];
                    }
            }
        }
        set.rows = rows - set.first;
        set.vars = vars - set.begin;
        set.states = set.vars - set.rows + set.open;
        int *var = st->sets.var + set.begin, states = 0; /* states first */
        for (int i = 0; i < set.vars; i++) {
            int r = l->row_of[l->col_at[st->next[var[i]]] - 1];
            if (r >= 0 && !l->open[r]) continue;
            int swap = var[states];
            var[states++] = var[i];
            var[i] = swap;
        }
        st->sets.set[st->sets.count++] = set;
    }
}

static void warn_against(const Structure *st, int v, Code code, const char *what) {
    Text text = {0};
    if (!st->diag) return;
    system_name(st->sys, v, &text);
    diag_report(st->diag, st->sys->run[system_run_of(st->sys, v)].pos, code, "'%s' %s",
                text_get(&text), what);
    text_free(&text);
}

static void finish_roles(Structure *st, const bool *dummy) {
    for (int v = 0; v < st->vars; v++) {
        if (st->role[v] != ROLE_STATE) {
            if (st->role[v] == ROLE_UNKNOWN && st->select[v] == SELECT_ALWAYS)
                warn_against(st, v, CODE_D112,
                             "cannot be a state: its derivative is not used");
            continue;
        }
        if (dummy[st->next[v]]) {
            st->role[v] = ROLE_UNKNOWN;
            if (st->select[v] == SELECT_ALWAYS)
                warn_against(st, v, CODE_D112,
                             "cannot be a state: other states determine it");
        } else {
            st->states++;
            if (st->select[v] == SELECT_NEVER &&
                st->sys->run[system_run_of(st->sys, v)].kind != VAR_DER)
                warn_against(st, v, CODE_D113,
                             "must be a state: nothing else determines it");
        }
    }
}

static IndexLevel highest_level(Structure *st, Arena *scratch) {
    IndexLevel l = {.st = st, .col_at = NEW(scratch, int, st->vars + 1)};
    int       *before = NEW(scratch, int, st->eqs + 1);
    for (int e = 0; e < st->eqs; e++) before[e] = -1;
    for (int e = 0; e < st->eqs; e++)
        if (st->deq[e] >= 0) before[st->deq[e]] = e;
    l.before = before;
    l.eq = NEW(scratch, int, st->eqs + 1);
    l.var = NEW(scratch, int, st->vars + 1);
    for (int e = 0; e < st->eqs; e++)
        if (st->deq[e] < 0 && before[e] >= 0) l.eq[l.rows++] = e;
    for (int v = 0; v < st->vars; v++)
        if (st->role[v] == ROLE_UNKNOWN && st->next[v] < 0 && st->prev[v] >= 0) {
            l.var[l.cols++] = v;
            l.col_at[v] = l.cols;
        }
    return l;
}

/* What was taken away one order lower, and the rows that took it. */
static void next_level(IndexLevel *l, Arena *scratch) {
    const Structure *st = l->st;
    int              rows = 0, cols = 0, *var = NEW(scratch, int, l->cols + 1);
    for (int c = 0; c < l->cols; c++) {
        l->col_at[l->var[c]] = 0;
        int below = st->prev[l->var[c]];
        if (l->row_of[c] >= 0 && !l->open[l->row_of[c]] && st->prev[below] >= 0)
            var[cols++] = below;
    }
    for (int r = 0; r < l->rows; r++) {
        int e = l->before[l->eq[r]];
        if (l->before[e] >= 0 && !l->open[r]) l->eq[rows++] = e;
    }
    for (int c = 0; c < cols; c++) l->col_at[var[c]] = c + 1;
    l->var = var;
    l->rows = rows;
    l->cols = cols;
}

void states_select(Structure *st) {
    Arena scratch = {0};
    bool *dummy = NEW(&scratch, bool, st->vars + 1);
    int  *invariant = NEW(&scratch, int, st->eqs + 1);
    int  *share = NEW(&scratch, int, st->vars + 1);
    bool  some = false;
    for (int e = 0; e < st->eqs; e++) invariant[e] = -1;
    for (int v = 0; v < st->vars; v++) share[v] = -1;
    if (st->count.differentiated) {
        structure_graph(st);
        IndexLevel l = highest_level(st, &scratch);
        for (bool first = true; l.rows; first = false) {
            level_graph(&l, &scratch);
            level_match(&l, &scratch);
            level_repair(&l, &scratch);
            choice_weigh(&l, &scratch);
            if (first) record_sets(&l, &scratch);
            choice_share(&l, invariant, share, &scratch);
            for (int r = 0; r < l.rows; r++) some |= l.open[r];
            for (int c = 0; c < l.cols; c++)
                if (l.row_of[c] >= 0 && !l.open[l.row_of[c]]) dummy[l.var[c]] = true;
            next_level(&l, &scratch);
        }
    }
    finish_roles(st, dummy);
    if (some) drop_invariants(st, invariant, share, &scratch);
    arena_free(&scratch);
}
