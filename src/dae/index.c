/* SPDX-License-Identifier: Apache-2.0 */
/* index.c -- which equations must be differentiated, and their derivatives.
 *
 * Pantelides (SIAM J. Sci. Stat. Comput. 9, 1988): equations are matched to the highest
 * derivatives; where that fails, all equations met on the failed search are differentiated,
 * their unknowns get one more derivative, and the search goes on with the derivative of the
 * equation it started from. It ends because structure_analyse has made sure before that a
 * matching exists when all derivatives of a variable count as one.
 *
 * The graph comes first: derivatives of rows are made once, after the last search, shape by
 * shape. If nothing is to be differentiated the cost is that of one matching. */
#include "dae/dae.h"
#include "dae/rewrite.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_ORDERS = 16
}; /* more derivatives of one equation are taken for our mistake */

typedef struct Index {
    Structure *st;
    int       *start, *count; /* by equation: unknowns it could give, in pool */
    int       *pool;
    uint32_t   start_room, count_room, pooled, pool_room;
    int       *order; /* by equation: how often differentiated */
    uint32_t   order_room;
    int       *seen_eq, *seen_var; /* stamps */
    uint32_t   seen_eq_room, seen_var_room;
    int        stamp;
    int       *at, *stack;
    int       *met, mets; /* equations of the last search */
    uint32_t   at_room, stack_room, met_room;
} Index;

static void grow_equations(Index *x) {
    Structure *st = x->st;
    uint32_t   old = x->seen_eq_room;
    GROW(x->start, x->start_room, st->eqs + 1);
    GROW(x->count, x->count_room, st->eqs + 1);
    GROW(x->order, x->order_room, st->eqs + 1);
    GROW(x->at, x->at_room, st->eqs + 1);
    GROW(x->stack, x->stack_room, st->eqs + 1);
    GROW(x->met, x->met_room, st->eqs + 1);
    GROW(x->seen_eq, x->seen_eq_room, st->eqs + 1);
    for (uint32_t i = old; i < x->seen_eq_room; i++) x->seen_eq[i] = 0;
}

static void grow_variables(Index *x) {
    uint32_t old = x->seen_var_room;
    structure_grow(x->st);
    GROW(x->seen_var, x->seen_var_room, x->st->vars + 1);
    for (uint32_t i = old; i < x->seen_var_room; i++) x->seen_var[i] = 0;
}

static void copy_graph(Index *x) {
    Structure   *st = x->st;
    const Graph *g = &st->graph;
    grow_equations(x);
    grow_variables(x);
    GROW(x->pool, x->pool_room, g->start[g->rows] + 1);
    for (int e = 0; e < g->rows; e++) {
        x->start[e] = (int)x->pooled;
        x->order[e] = 0;
        for (int k = g->start[e]; k < g->start[e + 1]; k++)
            if (g->kind[k] >= EDGE_IMPLICIT) x->pool[x->pooled++] = g->col[k];
        x->count[e] = (int)x->pooled - x->start[e];
    }
}

/* Augmenting path from an equation over highest derivatives. Marks what it meets. */
static bool search(Index *x, int from) {
    Structure *st = x->st;
    int        depth = 0;
    x->stamp++;
    x->mets = 0;
    x->met[x->mets++] = x->stack[0] = from;
    x->seen_eq[from] = x->stamp;
    x->at[from] = 0;
    while (depth >= 0) {
        int e = x->stack[depth];
        if (x->at[e] == x->count[e]) {
            depth--;
            continue;
        }
        int v = x->pool[x->start[e] + x->at[e]++];
        if (st->next[v] >= 0 || x->seen_var[v] == x->stamp) continue;
        x->seen_var[v] = x->stamp;
        int holder = st->eq_of[v];
        if (holder < 0) {
            match_path(x->stack, depth, v, st->var_of, st->eq_of);
            return true;
        }
        x->seen_eq[holder] = x->stamp;
        x->at[holder] = 0;
        x->met[x->mets++] = x->stack[++depth] = holder;
    }
    return false;
}

static void differentiate_variable(Structure *st, int v) {
    int der = system_motion(st->sys, v);
    structure_grow(st);
    assert(st->role[der] == ROLE_ABSENT);
    st->next[v] = der;
    st->next_sign[v] = 1;
    st->prev[der] = v;
    st->role[der] = ROLE_UNKNOWN;
    if (st->constancy[v] != VARIES) st->constancy[der] = IS_ZERO;
    st->select[der] = SELECT_NEVER; /* the text of the model does not speak of it */
    st->role[v] = ROLE_STATE;
}

static int differentiate_equation(Index *x, int e) {
    Structure *st = x->st;
    int        d = structure_add_equation(st, -1, 0);
    grow_equations(x);
    st->deq[e] = d;
    x->order[d] = x->order[e] + 1;
    x->start[d] = (int)x->pooled;
    GROW(x->pool, x->pool_room, x->pooled + 2 * (uint32_t)x->count[e] + 1);
    x->stamp++; /* no variable twice */
    for (int k = 0; k < x->count[e]; k++) {
        int v = x->pool[x->start[e] + k], pair[] = {v, st->next[v]};
        for (int i = 0; i < 2; i++) {
            if (pair[i] < 0 || x->seen_var[pair[i]] == x->stamp) continue;
            x->seen_var[pair[i]] = x->stamp;
            x->pool[x->pooled++] = pair[i];
        }
    }
    x->count[d] = (int)x->pooled - x->start[d];
    st->count.differentiated++;
    return d;
}

/* Differentiates what the failed search met. False if there is no end to it. */
static bool differentiate_met(Index *x, Arena *scratch) {
    Structure *st = x->st;
    int        n = x->mets;
    int       *met = arena_copy(scratch, x->met, (size_t)n * sizeof *met);
    int       *held = NEW(scratch, int, n + 1);
    for (int i = 0; i < n; i++) held[i] = st->var_of[met[i]];
    for (int i = 0; i < n; i++)
        if (held[i] >= 0) differentiate_variable(st, held[i]);
    grow_variables(x);
    for (int i = 0; i < n; i++)
        if (differentiate_equation(x, met[i]) && x->order[met[i]] >= MOST_ORDERS)
            return false;
    for (int i = 0; i < n; i++) { /* the matching moves up with the derivatives */
        if (held[i] < 0) continue;
        int d = st->deq[met[i]], v = st->next[held[i]];
        st->var_of[d] = v;
        st->eq_of[v] = d;
    }
    return true;
}

/* ---- the rows ------------------------------------------------------------------------------------- */

/* One result of a row with several, as a shape of its own. */
static int single_shape(const Structure *st, int row, int part, const int **order) {
    Shapes *shapes = st->sys->shapes;
    Term    value, item = structure_part(st, row, part, &value);
    if (!item) return -1;
    return shape_of(shapes, expr_2(shapes, TERM_EQUATION, item, value), order);
}

typedef struct Derive {
    Index          *x;
    Rewrite         rewrite;
    int            *old, *new; /* slots of the row and of its derivative */
    int8_t         *rate;
    const int32_t **old_sizes, **new_sizes;
    uint32_t        room;
} Derive;

static void make_room(Derive *d, int slots) {
    if ((uint32_t)slots < d->room) return;
    d->room = 2 * (uint32_t)slots + 16;
    RESIZE(d->old, d->room);
    RESIZE(d->new, 2 * d->room);
    RESIZE(d->rate, d->room);
    RESIZE(d->old_sizes, d->room);
    RESIZE(d->new_sizes, 2 * d->room);
}

static bool is_still(const Structure *st, int v) {
    return st->constancy[v] != VARIES || st->role[v] == ROLE_KNOWN;
}

/* Does the row say that a variable does not change? Its derivative gives the rate of that. */
static bool says_still(const Derive *d, int shape) {
    const Structure *st = d->x->st;
    const Shapes    *shapes = st->sys->shapes;
    for (int k = 0; k < shapes->shape[shape].slots; k++)
        if (expr_op(shapes, shape_leaf(shapes, shape, k)) == TERM_SLOT &&
            !is_still(st, d->old[k]))
            return false;
    return true;
}

/* The derivative of each slot: rate 0 where it is constant. NULL or a reason to give up. */
static const char *slot_rates(Derive *d, int shape) {
    Structure    *st = d->x->st;
    const Shapes *shapes = st->sys->shapes;
    for (int k = 0; k < shapes->shape[shape].slots; k++) {
        const Node *leaf = expr_node(shapes, shape_leaf(shapes, shape, k));
        d->rate[k] = 0;
        if (leaf->op == TERM_NUMBER || leaf->type != TYPE_REAL) continue;
        int v = d->old[k];
        if (st->sys->run[system_run_of(st->sys, v)].kind == VAR_INPUT)
            return "it contains an input, whose derivative is not known";
        if (st->next[v] < 0) continue;
        if (leaf->op == TERM_SLOT && d->rewrite.spared == SPARE_NONE && is_still(st, v))
            continue;
        d->rate[k] = st->next_sign[v];
        if (leaf->op != TERM_ARRAY_SLOT) continue;
        const int32_t *sizes = d->old_sizes[k];
        int            last = 0;
        for (int i = 0; i < leaf->rank; i++)
            last += (sizes[2 * i] - 1) * sizes[2 * i + 1];
        if (st->next[v + last] - st->next[v] != last)
            return "the derivatives of an array are not an array";
    }
    return NULL;
}

static const char *derive_row(Derive *d, int row, int part, int *result) {
    Structure  *st = d->x->st;
    Shapes     *shapes = st->sys->shapes;
    int         shape = st->shape[row], slots = shapes->shape[shape].slots, rank;
    const int  *order = NULL;
    const char *reason;
    bool        wide = shapes->shape[shape].wide;
    make_room(d, slots + 1);
    if (structure_multiple(st, row)) {
        shape = single_shape(st, row, part, &order);
        if (shape < 0) return "its result is an array";
        slots = shapes->shape[shape].slots;
    }
    for (int k = 0; k < slots; k++) {
        int from = order ? order[k] : k;
        d->old[k] = st->slot[st->first[row] + from];
        d->old_sizes[k] = wide ? structure_sizes(st, row, from, &rank) : NULL;
    }
    d->rewrite.spared = says_still(d, shape) ? SPARE_ALL : SPARE_NONE;
    if ((reason = slot_rates(d, shape))) return reason;
    int derived = shape_dtime(shapes, shape, d->rate, &order, &reason);
    if (derived < 0) return reason;
    int n = shapes->shape[derived].slots;
    make_room(d, n);
    for (int k = 0; k < n; k++) {
        int from = order ? order[k] : k;
        d->new[k] = from < slots ? d->old[from] : st->next[d->old[from - slots]];
        d->new_sizes[k] = d->old_sizes[from % slots];
    }
    /* sizes point into st->slot, which may move: keep them apart */
    Arena scratch = {0};
    for (int k = 0; wide && k < n; k++) {
        int dims = shapes->node[shape_leaf(shapes, derived, k)].rank;
        if (d->new_sizes[k])
            d->new_sizes[k] =
                arena_copy(&scratch, d->new_sizes[k], 2 * (size_t)dims * sizeof(int32_t));
    }
    *result = rewrite_add(&d->rewrite, derived, d->new, wide ? d->new_sizes : NULL,
                          st->source[row], row);
    arena_free(&scratch);
    return NULL;
}

/* Makes the rows of all derivatives, lowest order first: numbers of equations ascend. */
static bool derive_rows(Index *x) {
    Structure *st = x->st;
    Derive     d = {.x = x};
    bool       fine = true;
    rewrite_begin(&d.rewrite, st);
    for (int e = 0; e < st->eqs && fine; e++) {
        if (st->deq[e] < 0) continue;
        int         row = -1, origin = st->eq_row[e];
        const char *reason = derive_row(&d, origin, st->eq_part[e], &row);
        st->eq_row[st->deq[e]] = row;
        if (!reason) continue;
        Text text = {0};
        structure_print_row(st, origin, &text);
        if (st->diag)
            diag_report(st->diag, structure_pos(st, origin), CODE_D110,
                        "the equation '%s' must be differentiated, but %s",
                        text_get(&text), reason);
        text_free(&text);
        fine = false;
    }
    rewrite_end(&d.rewrite);
    MEM_FREE(d.old, d.new, d.rate, d.old_sizes, d.new_sizes);
    return fine;
}

/* A variable that is preferred as a state may be one although it is not differentiated. */
static bool is_wished(const Structure *st, int v, StateSelect wish) {
    if (st->role[v] != ROLE_UNKNOWN || st->next[v] >= 0 || st->select[v] < (int)wish ||
        st->constancy[v] != VARIES)
        return false;
    VarKind kind = system_kind(st->sys, v);
    return st->sys->run[system_run_of(st->sys, v)].type == TYPE_REAL &&
           (kind == VAR_CONTINUOUS || kind == VAR_DER);
}

bool index_wishes(const Structure *st, StateSelect wish) {
    for (int v = 0; v < st->vars; v++)
        if (is_wished(st, v, wish)) return true;
    return false;
}

bool index_reduce(Structure *st, StateSelect wish) {
    for (int v = 0, vars = st->vars; v < vars; v++)
        if (is_wished(st, v, wish)) differentiate_variable(st, v);
    bool *highest = mem_take((size_t)st->vars, 1);
    int   eqs = st->eqs, matched;
    bool  fine = true;
    for (int v = 0; v < st->vars; v++) {
        highest[v] = st->next[v] < 0;
        st->eq_of[v] = -1;
    }
    matched = match_largest(&st->graph, EDGE_IMPLICIT, highest, st->var_of, st->eq_of);
    mem_free(highest);
    if (matched == eqs) return true;
    Index x = {.st = st};
    Arena scratch = {0};
    copy_graph(&x);
    for (int e = 0; e < eqs && fine; e++) {
        if (st->var_of[e] >= 0) continue;
        for (int from = e; fine && !search(&x, from); from = st->deq[from])
            fine = differentiate_met(&x, &scratch);
    }
    if (!fine && st->diag)
        diag_report(st->diag, 0, CODE_D111,
                    "an equation would have to be differentiated more than %d times",
                    MOST_ORDERS);
    fine = fine && derive_rows(&x);
    arena_free(&scratch);
    MEM_FREE(x.start, x.count, x.pool, x.order, x.seen_eq, x.seen_var, x.at, x.stack,
             x.met);
    return fine;
}
