/* SPDX-License-Identifier: Apache-2.0 */
/* choice.c -- can a choice of states become singular, and if so, who decided it?
 *
 * The constraints that take derivatives away must stay independent in them: the square matrix of
 * their coefficients may never become singular. Its strong components are looked at one by one
 * (order.c). A single row that divides by a constant is safe, a component of constants is as well
 * (states.c has looked at the numbers). Any other component is torn: rows that give one of
 * its derivatives by a constant coefficient, in the order of computation, go on taking it away;
 * the most wanted derivatives are what remains, with as many rows. The component has a choice if
 * it uses, directly or through others, derivatives that are not taken away. Then
 * stateSelect decides: what is kept must be wanted more than what is taken away. Start values do
 * not decide, since they say nothing about what happens later.
 *
 * If nothing decides, the choice is open: the remaining derivatives stay, what they are the
 * derivatives of are states, and the remaining rows are invariants below their highest
 * derivative (Eich, SIAM J. Numer. Anal. 30, 1993). Linear in rows and edges. */
#include "dae/states.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Classes between which stateSelect and the text of the model make a difference. */
static int asked_for(const IndexLevel *l, int col) {
    int wanted = states_wanted(l->st, l->st->prev[l->var[col]]);
    return wanted <= 1 ? 0 : wanted == 2 ? 1 : wanted <= 6 ? 2 : wanted - 4;
}

static bool is_constant(const IndexLevel *l, int row, int k) {
    double value;
    if (l->graph.kind[k] >= EDGE_PARAMETER) return true;
    return structure_coefficient(l->st, l->st->eq_row[l->eq[row]],
                                 l->var[l->graph.col[k]], &value);
}

/* Can the row give the column for ever? */
static bool gives(const IndexLevel *l, int row, int k) {
    double value;
    if (structure_coefficient(l->st, l->st->eq_row[l->eq[row]], l->var[l->graph.col[k]],
                              &value))
        return fabs(value) > 1e-10;
    return l->graph.kind[k] >= EDGE_PARAMETER;
}

/* A row with several results cannot be an invariant. */
static bool can_be_open(const IndexLevel *l, int row) {
    const Structure *st = l->st;
    for (int e = l->eq[row]; e >= 0; e = l->before[e])
        if (structure_results(st, st->eq_row[e]) > 1 ||
            structure_multiple(st, st->eq_row[e]))
            return false;
    return true;
}

typedef struct Choosing {
    IndexLevel *l;
    Graph       back; /* columns -> rows */
    int        *part; /* by row: component */
    int *reach; /* by component: least class of what is kept and it uses, or INT_MAX */
    int *rival; /* by component: highest class of what it takes away, or what uses that */
    int *left;  /* by row: columns of its component that are neither given nor torn */
    int *giver; /* by column: row that gives it, -1 none yet */
    bool *torn; /* by column */
    bool *used; /* by row: gives a column */
    int  *queue;       /* rows with one column left */
    int  *rest, rests; /* torn columns of the component */
} Choosing;

static bool is_inside(const Choosing *x, int part, int col) {
    int row = x->l->row_of[col];
    return row >= 0 && x->part[row] == part;
}

/* Marks a column as known; rows that then have one left join the queue. */
static int settle(Choosing *x, int part, int col, int tail) {
    for (int k = x->back.start[col]; k < x->back.start[col + 1]; k++) {
        int row = x->back.col[k];
        if (x->part[row] == part && --x->left[row] == 1) x->queue[tail++] = row;
    }
    return tail;
}

/* The edge of a row to its last open column, if that has a constant coefficient; else -1. */
static int last_edge(const Choosing *x, int part, int row) {
    const Graph *g = &x->l->graph;
    for (int k = g->start[row]; k < g->start[row + 1]; k++) {
        int col = g->col[k];
        if (is_inside(x, part, col) && x->giver[col] < 0 && !x->torn[col])
            return gives(x->l, row, k) ? k : -1;
    }
    return -1;
}

/* How early a column is torn: what nothing gives by a constant coefficient first, since it is torn
 * anyway; then what is asked for as a state; then what occurs in many rows. */
static int64_t urgency(const Choosing *x, int part, int col) {
    const Graph *g = &x->l->graph;
    bool         given = false;
    int64_t      rows = 0;
    for (int i = x->back.start[col]; i < x->back.start[col + 1]; i++) {
        int row = x->back.col[i];
        if (x->part[row] != part) continue;
        rows++;
        for (int k = g->start[row]; k < g->start[row + 1] && !given; k++)
            given = g->col[k] == col && gives(x->l, row, k);
    }
    return ((int64_t)!given << 40) + ((int64_t)asked_for(x->l, col) << 32) + rows;
}

typedef struct Urgent {
    int64_t urgency;
    int     col;
} Urgent;

static int compare_urgent(const void *a, const void *b) {
    const Urgent *x = a, *y = b;
    if (x->urgency != y->urgency) return x->urgency < y->urgency ? 1 : -1;
    return x->col - y->col;
}

/* Columns of a component, most urgent first. */
static Urgent *sort_columns(const Choosing *x, int part, const int *row, int n,
                            Arena *scratch) {
    Urgent *sorted = NEW(scratch, Urgent, n + 1);
    for (int i = 0; i < n; i++) {
        int col = x->l->col_of[row[i]];
        sorted[i] = (Urgent){urgency(x, part, col), col};
    }
    qsort(sorted, (size_t)n, sizeof *sorted, compare_urgent);
    return sorted;
}

/* Gives what can be given by constant coefficients; the rest is torn. */
static void tear(Choosing *x, int part, const int *row, int n, Arena *scratch) {
    const Graph *g = &x->l->graph;
    Urgent      *sorted = sort_columns(x, part, row, n, scratch);
    int          head = 0, tail = 0;
    for (int i = 0; i < n; i++) {
        x->left[row[i]] = 0;
        for (int k = g->start[row[i]]; k < g->start[row[i] + 1]; k++)
            x->left[row[i]] += is_inside(x, part, g->col[k]);
        if (x->left[row[i]] == 1) x->queue[tail++] = row[i];
    }
    x->rests = 0;
    for (int next = 0;;) {
        for (; head < tail; head++) {
            int k =
                x->left[x->queue[head]] == 1 ? last_edge(x, part, x->queue[head]) : -1;
            if (k < 0) continue;
            x->giver[g->col[k]] = x->queue[head];
            x->used[x->queue[head]] = true;
            tail = settle(x, part, g->col[k], tail);
        }
        while (next < n && x->giver[sorted[next].col] >= 0) next++;
        if (next == n) return;
        int col = sorted[next++].col;
        x->torn[col] = true;
        x->rest[x->rests++] = col;
        tail = settle(x, part, col, tail);
    }
}

static bool all_constant(const Choosing *x, int part, const int *row, int n) {
    const Graph *g = &x->l->graph;
    for (int i = 0; i < n; i++)
        for (int k = g->start[row[i]]; k < g->start[row[i] + 1]; k++)
            if (is_inside(x, part, g->col[k]) && !is_constant(x->l, row[i], k))
                return false;
    return true;
}

/* The least wanted of what the component uses and what is not taken away. */
static int reach_of(const Choosing *x, int part, const int *row, int n) {
    const IndexLevel *l = x->l;
    int               least = INT_MAX;
    for (int i = 0; i < n; i++)
        for (int k = l->graph.start[row[i]]; k < l->graph.start[row[i] + 1]; k++) {
            int col = l->graph.col[k], giver = l->row_of[col];
            if (giver >= 0 && x->part[giver] == part) continue;
            bool kept = giver < 0 || l->open[giver];
            int  own = kept ? asked_for(l, col) : x->reach[x->part[giver]];
            if (own < least) least = own;
        }
    return least;
}

/* What a component takes away, and what others take away that use it, could change places with
 * what is kept. */
static void find_rivals(Choosing *x, const int *sorted, const int *start, int parts) {
    const IndexLevel *l = x->l;
    for (int p = parts - 1; p >= 0; p--) {
        for (int i = start[p]; i < start[p + 1]; i++) {
            int own = asked_for(l, l->col_of[sorted[i]]);
            if (own > x->rival[p]) x->rival[p] = own;
        }
        for (int i = start[p]; i < start[p + 1]; i++)
            for (int k = l->graph.start[sorted[i]]; k < l->graph.start[sorted[i] + 1];
                 k++) {
                int giver = l->row_of[l->graph.col[k]];
                if (giver >= 0 && x->rival[x->part[giver]] < x->rival[p])
                    x->rival[x->part[giver]] = x->rival[p];
            }
    }
}

static bool is_decided(const Choosing *x, int part, const int *row, int n) {
    for (int i = 0; i < n; i++)
        if (!x->used[row[i]] && !can_be_open(x->l, row[i])) return true;
    return x->rival[part] < x->reach[part];
}

/* The choice of a component as it was torn. */
static void rewrite(Choosing *x, const int *row, int n) {
    IndexLevel *l = x->l;
    for (int i = 0; i < n; i++) l->open[row[i]] = !x->used[row[i]];
    for (int i = 0; i < n; i++) {
        int col = l->col_of[row[i]];
        if (x->giver[col] >= 0) l->row_of[col] = x->giver[col];
    }
    for (int i = 0, k = 0; i < n; i++)
        if (!x->used[row[i]]) l->row_of[x->rest[k++]] = row[i];
}

static void weigh(Choosing *x, int part, const int *row, int n, Arena *scratch) {
    IndexLevel *l = x->l;
    x->reach[part] = reach_of(x, part, row, n);
    if (x->reach[part] == INT_MAX || all_constant(x, part, row, n)) return;
    tear(x, part, row, n, scratch);
    /* ticks keep constraints as equations: there is no integrator to bring states back */
    bool decided = l->st->base || is_decided(x, part, row, n);
    for (int i = 0; i < n; i++)
        if (decided || !x->used[row[i]])
            l->risk[row[i]] = decided ? CHOICE_ASKED : CHOICE_OPEN;
    if (!decided) rewrite(x, row, n);
}

void choice_weigh(IndexLevel *l, Arena *scratch) {
    int     *sorted = NEW(scratch, int, l->rows + 1);
    int     *start = NEW(scratch, int, l->rows + 2);
    Choosing x = {.l = l,
                  .back = graph_transpose(&l->graph, scratch),
                  .part = NEW(scratch, int, l->rows + 1),
                  .reach = NEW(scratch, int, l->rows + 1),
                  .rival = NEW(scratch, int, l->rows + 1),
                  .left = NEW(scratch, int, l->rows + 1),
                  .giver = NEW(scratch, int, l->cols + 1),
                  .torn = NEW(scratch, bool, l->cols + 1),
                  .used = NEW(scratch, bool, l->rows + 1),
                  .queue = NEW(scratch, int, 2 * l->rows + 1),
                  .rest = NEW(scratch, int, l->rows + 1)};
    l->risk = NEW(scratch, uint8_t, l->rows + 1);
    l->open = NEW(scratch, bool, l->rows + 1);
    for (int c = 0; c < l->cols; c++) x.giver[c] = -1;
    for (int r = 0; r < l->rows; r++)
        if (l->col_of[r] < 0) return; /* no complete choice: said elsewhere */
    int parts = order_components(&l->graph, l->row_of, sorted, start, scratch);
    for (int p = 0; p < parts; p++)
        for (int i = start[p]; i < start[p + 1]; i++) x.part[sorted[i]] = p;
    find_rivals(&x, sorted, start, parts);
    for (int p = 0; p < parts; p++)
        weigh(&x, p, sorted + start[p], start[p + 1] - start[p], scratch);
    for (int c = 0; c < l->cols; c++)
        if (l->row_of[c] >= 0) l->col_of[l->row_of[c]] = c;
}

/* ---- what open rows share ------------------------------------------------------------------- */

/* Joins a derivative's variable, and what that is a derivative of, to the variable `first`. */
static int join(const Structure *st, int *share, int first, int derivative) {
    for (int v = st->prev[derivative]; v >= 0; v = st->prev[v]) {
        if (share[v] < 0) share[v] = v;
        if (first < 0) first = v;
        share[set_find(share, v)] = set_find(share, first);
    }
    return first;
}

/* All that one row uses and that is kept, directly or through rows that take something away. */
static int join_row(const IndexLevel *l, int row, int *share, int *seen, int *stack) {
    const Graph *g = &l->graph;
    int          depth = 0, first = -1;
    seen[row] = row + 1;
    stack[depth++] = row;
    while (depth) {
        int r = stack[--depth];
        for (int k = g->start[r]; k < g->start[r + 1]; k++) {
            int giver = l->row_of[g->col[k]];
            if (giver < 0 || l->open[giver]) {
                first = join(l->st, share, first, l->var[g->col[k]]);
            } else if (seen[giver] != row + 1) {
                seen[giver] = row + 1;
                stack[depth++] = giver;
            }
        }
    }
    return first;
}

void choice_share(const IndexLevel *l, int *invariant, int *share, Arena *scratch) {
    int *seen = NEW(scratch, int, l->rows + 1), *stack = NEW(scratch, int, l->rows + 1);
    for (int r = 0; r < l->rows; r++) {
        if (!l->open[r]) continue;
        int first = join_row(l, r, share, seen, stack);
        for (int e = l->before[l->eq[r]]; e >= 0; e = l->before[e]) invariant[e] = first;
    }
}
