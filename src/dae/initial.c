/* SPDX-License-Identifier: Apache-2.0 */
/* initial.c -- the system that holds at the start.
 *
 * Its rows are those of the simulation (differentiated ones included, so hidden constraints are
 * met), the initial equations, and x = start for every variable with fixed = true. Unknown are
 * all unknowns and states of the simulation and parameters with fixed = false, or computed from
 * such ones. Left limits have
 * their start value, unless an initial equation speaks of them.
 *
 * Rows enter a growing matching in this order. x = start is never made a row: where it finds a
 * place, x is known, because the instance has given it its start value already. An initial
 * equation or a fixed start value that finds no unknown is left out with a warning, because the
 * others determine it already; surplus.c asks at the start whether it holds. If unknowns remain,
 * x = start is taken for states without fixed, most wanted first, then for whatever is left; the
 * message lists them (Modelica 8.6 leaves the choice to the tool). The choice is greedy, rank by
 * rank: what can be matched together is a matroid, so it is the best one. */
#include "dae/initial.h"
#include "dae/rewrite.h"

#include <math.h>
#include <string.h>

static bool known_true(const System *sys, int var, AttributeName name, bool otherwise) {
    int    run = system_run_of(sys, var);
    double value;
    if (!system_known(sys, run, name, var - sys->run[run].first, &value))
        return otherwise;
    return value != 0;
}

bool initial_fixed(const System *sys, int var) {
    return known_true(sys, var, ATTR_FIXED, false);
}

/* fixed of a class: that of the member whose start value holds. An infinitely fast state begins where its
 * equilibrium is, whatever other variables that are equal to it say. */
static bool is_fixed(const Initial *x, int v) {
    if (x->fast && x->fast[v]) return false;
    return initial_fixed(x->sys, x->st->start_from[v]);
}

/* ---- variables -------------------------------------------------------------------------------- */

static void copy_variables(Initial *x) {
    Structure       *in = x->in;
    const Structure *st = x->st;
    size_t           n = (size_t)st->vars;
    if (n == 0) return; /* there are no arrays then */
    memcpy(in->alias, st->alias, n * sizeof *in->alias);
    memcpy(in->sign, st->sign, n * sizeof *in->sign);
    memcpy(in->constancy, st->constancy, n * sizeof *in->constancy);
    memcpy(in->start_from, st->start_from, n * sizeof *in->start_from);
    for (int r = 0; r < x->sys->runs; r++) {
        const VarRun *run = &x->sys->run[r];
        for (int v = run->first; v < run->first + run->count && v < st->vars; v++) {
            in->role[v] = st->role[v] == ROLE_STATE ? ROLE_UNKNOWN : st->role[v];
            if (run->kind == VAR_PRE && st->role[v] == ROLE_KNOWN)
                in->role[v] = ROLE_UNKNOWN;
            if (run->kind == VAR_PARAMETER && st->role[v] == ROLE_KNOWN &&
                !known_true(x->sys, v, ATTR_FIXED, true))
                in->role[v] = ROLE_UNKNOWN;
        }
    }
}

/* ---- rows --------------------------------------------------------------------------------------- */

static void copy_row(Initial *x, const Structure *st, int r) {
    const Shapes   *shapes = x->sys->shapes;
    int             slots = shapes->shape[st->shape[r]].slots, rank;
    const int32_t **sizes = NULL;
    if (shapes->shape[st->shape[r]].wide) {
        sizes = mem_take((size_t)slots, sizeof *sizes);
        for (int k = 0; k < slots; k++) sizes[k] = structure_sizes(st, r, k, &rank);
    }
    structure_add_row(x->in, st->shape[r], st->slot + st->first[r], sizes, st->source[r],
                      st->plain ? -1 : st->of[r]);
    mem_free(sizes);
}

typedef struct Depends {
    const Structure *in;
    bool             unknown;
} Depends;

static void look_at_use(void *context, int var, int slot) {
    Depends *d = context;
    (void)slot;
    d->unknown |= d->in->role[var] == ROLE_UNKNOWN;
}

/* Does a block of bindings use what is unknown at the start? */
static bool is_open(const Initial *x, const Block *block) {
    const Structure *b = x->bindings;
    Depends          d = {x->in, false};
    for (int i = 0; i < block->count && !d.unknown; i++)
        structure_uses(b, b->eq_row[b->order[block->first + i]], look_at_use, &d);
    return d.unknown;
}

/* What is computed from parameters with fixed = false is unknown as well, and its bindings are
 * equations. */
static void add_bindings(Initial *x, Arena *scratch) {
    const Structure *b = x->bindings;
    if (!b) return;
    bool *taken = NEW(scratch, bool, b->rows + 1);
    for (int k = 0; k < b->blocks; k++) {
        if (!is_open(x, &b->block[k])) continue;
        for (int i = 0; i < b->block[k].count; i++) {
            int e = b->order[b->block[k].first + i];
            x->in->role[b->var_of[e]] = ROLE_UNKNOWN;
            taken[b->eq_row[e]] = true;
        }
    }
    for (int r = 0; r < b->rows; r++)
        if (taken[r]) copy_row(x, b, r);
}

static void copy_rows(Initial *x, Arena *scratch) {
    structure_reserve(x->in, x->st->rows, x->st->slots);
    for (int r = 0; r < x->st->rows; r++)
        if (!resting_copy(x, r)) copy_row(x, x->st, r);
    add_bindings(x, scratch);
    x->rows = x->in->rows;
}

/* Takes the last row back if it says what an earlier one says: variables that are connected are
 * often given the same value twice. */
static void drop_repeated(Structure *in, Map *seen) {
    int      row = in->rows - 1, first = in->first[row];
    size_t   words = in->slots - (uint32_t)first;
    uint64_t h = hash_mix((uint64_t)(uint32_t)in->shape[row] + 1);
    for (size_t k = 0; k < words; k++)
        h = hash_mix(h * 31 ^ (uint32_t)in->slot[(size_t)first + k]);
    int other = (int)map_get(seen, h, -1);
    if (other < 0) {
        map_put(seen, h, row);
        return;
    }
    size_t length = (size_t)(in->first[other + 1] - in->first[other]);
    if (in->shape[other] != in->shape[row] || length != words ||
        (words && memcmp(in->slot + in->first[other], in->slot + first,
                         words * sizeof *in->slot) != 0))
        return;
    in->rows = row;
    in->slots = (uint32_t)first;
}

/* By kept variable: does it belong to an infinitely fast process? */
static bool *fast_variables(const Initial *x, Arena *scratch) {
    const ThetaUse *use = &x->sys->theta;
    bool           *fast = use->count ? NEW(scratch, bool, x->st->vars + 1) : NULL;
    for (int k = 0; k < use->count; k++) {
        fast[x->st->alias[use->fast[k].state]] = true;
        fast[use->fast[k].rate] = true;
    }
    return fast;
}

/* Such an initial equation is a guess at most: the equilibrium determines all that it speaks of. */
static bool speaks_of_fast_alone(const Initial *x, const RowWalk *walk,
                                 const bool *fast) {
    const Shapes *shapes = x->sys->shapes;
    bool          any = false;
    for (int k = 0; fast && k < shapes->shape[walk->family.shape].slots; k++) {
        if (expr_op(shapes, shape_leaf(shapes, walk->family.shape, k)) != TERM_SLOT)
            return false;
        int kept = x->st->alias[walk->slot[k]];
        if (fast[kept]) any = true;
        else if (x->in->role[kept] == ROLE_UNKNOWN) return false;
    }
    return any;
}

static void add_initial_rows(Initial *x) {
    Map     seen = {0};
    Rewrite w;
    RowWalk walk = {.sys = x->sys, .set = ROWS_INITIAL};
    rewrite_begin(&w, x->in);
    while (row_walk(&walk)) {
        if (walk.family.partition != x->st->base ||
            speaks_of_fast_alone(x, &walk, x->fast))
            continue;
        rewrite_add(&w, walk.family.shape, walk.slot, walk.sizes,
                    SOURCE_INITIAL - walk.row, -1);
        drop_repeated(x->in, &seen);
    }
    map_free(&seen);
    rewrite_end(&w);
}

/* How much the start value of a variable is wanted as a condition, lowest first; -1 if it is
 * known. Fixed ones, left limits of discrete variables, states with a start value in the text, from
 * the most to the least wanted, states without; then other variables, first those whose start value
 * stands in the text. */
enum {
    RANK_FIXED,
    RANK_LEFT,
    RANK_STATE,
    RANK_DEFAULT = 7,
    RANK_GIVEN = 12,
    RANK_REST,
    RANKS
};

static bool start_is_given(const Initial *x, int v) {
    int run = system_run_of(x->sys, x->st->start_from[v]);
    return system_attribute(x->sys, run, ATTR_START) != NULL;
}

static int rank_of(const Initial *x, int v) {
    const Structure *st = x->st;
    const VarRun    *run = &x->sys->run[system_run_of(x->sys, v)];
    if (x->in->role[v] != ROLE_UNKNOWN) return -1;
    if (run->kind ==
        VAR_PRE) { /* fixed of a discrete variable speaks of its left limit */
        int of = st->alias[x->sys->run[run->of].first + (v - run->first)];
        return is_fixed(x, of) ? RANK_FIXED : RANK_LEFT;
    }
    bool discrete = run->kind == VAR_DISCRETE || run->type != TYPE_REAL;
    if (is_fixed(x, v) && run->kind != VAR_PARAMETER && !discrete) return RANK_FIXED;
    if (st->role[v] == ROLE_STATE)
        return (start_is_given(x, v) ? RANK_STATE : RANK_DEFAULT) + SELECT_ALWAYS -
               st->select[v];
    return start_is_given(x, v) ? RANK_GIVEN : RANK_REST;
}

typedef struct AtStart { /* values before anything is solved */
    const Initial *x;
    const int     *slot;
} AtStart;

static double value_at_start(void *context, int slot) {
    const AtStart *at = context;
    const System  *sys = at->x->sys;
    int            var = at->slot[slot], run = system_run_of(sys, var);
    int            element = var - sys->run[run].first;
    double         value = 0;
    if (system_known(sys, run, ATTR_BINDING, element, &value) ||
        system_known(sys, run, ATTR_EXPECTED, element, &value))
        return value;
    int from = at->x->st->start_from[var];
    run = system_run_of(sys, from);
    system_known(sys, run, ATTR_START, from - sys->run[run].first, &value);
    return at->x->st->sign[from] * value;
}

static int derivatives_below(const Structure *st, int v) {
    int n = 0;
    while ((v = st->prev[v]) >= 0) n++;
    return n;
}

/* The state that an invariant can give best at the start: of those differentiated most, the one
 * with the largest coefficient. -1 if none. */
static int best_given(const Initial *x, int row) {
    const Structure *st = x->st;
    Shapes          *shapes = x->sys->shapes;
    AtStart          at = {x, st->slot + st->first[row]};
    EvalEnv          env = {.context = &at, .slot = value_at_start};
    Term             root = shapes->shape[st->shape[row]].root;
    int              best = -1, order = -1;
    double           most = 1e-6, value;
    for (int k = 0; k < shapes->shape[st->shape[row]].slots; k++) {
        const char *reason;
        int         v = at.slot[k];
        if (expr_op(shapes, shape_leaf(shapes, st->shape[row], k)) != TERM_SLOT ||
            st->role[v] != ROLE_STATE)
            continue;
        Term d = expr_partial(shapes, root, k, &reason);
        if (!d || !expr_eval(shapes, d, &env, &value)) continue;
        int own = derivatives_below(st, v);
        if (own < order || (own == order && fabs(value) <= most) || fabs(value) <= 1e-6)
            continue;
        best = v;
        order = own;
        most = fabs(value);
    }
    return best;
}

static void list_starts(Initial *x, Arena *scratch) {
    const int vars = x->st->vars;
    int8_t   *rank =
        NEW(scratch, int8_t, vars + 1); /* 2 * rank, + 1: last of it; -1 none */
    int next[2 * RANKS + 1] = {0};      /* by such a number: its next place */
    for (int v = 0; v < vars; v++) rank[v] = (int8_t)(2 * rank_of(x, v));
    for (int i = 0; i < x->st->drift.rows; i++) {
        int v = best_given(x, x->st->drift.row[i]);
        if (v >= 0 && rank[v] >= 0) rank[v] |= 1; /* may be left out */
    }
    for (int v = 0; v < vars; v++)
        if (rank[v] >= 0) next[rank[v] + 1]++;
    x->prefix = NEW(scratch, int, 2 * RANKS);
    for (int k = 1; k <= 2 * RANKS; k++) {
        if (next[k]) x->prefix[x->ranks++] = next[k] + next[k - 1];
        next[k] += next[k - 1];
    }
    x->starts = next[2 * RANKS];
    x->fixed = next[2 * RANK_FIXED + 2];
    x->start_var = NEW(scratch, int, x->starts + 1);
    for (int v = 0; v < vars; v++)
        if (rank[v] >= 0) x->start_var[next[rank[v]]++] = v;
}

/* ---- choosing rows ---------------------------------------------------------------------------------- */

static void message_starts(const Initial *x, const int *var, int n, Code code,
                           const char *what) {
    Text names = {0};
    if (!n || !x->in->diag) return;
    for (int i = 0; i < n && i < 12; i++) {
        if (i) text_add(&names, ", ");
        system_name(x->sys, var[i], &names);
    }
    if (n > 12) text_printf(&names, " and %d more", n - 12);
    diag_report(x->in->diag, 0, code, what, text_get(&names));
    text_free(&names);
}

/* The graph of the equations with one more row for every candidate, which holds the candidate
 * alone: x = start. It lies in the memory of the other one, after that. */
static Graph with_candidates(const Initial *x) {
    Graph *g = &x->in->graph;
    int    n = g->start[g->rows];
    RESIZE(g->start, g->rows + x->starts + 1);
    RESIZE(g->col, n + x->starts + 1);
    RESIZE(g->kind, n + x->starts + 1);
    Graph all = *g;
    all.rows += x->starts;
    for (int k = 0; k < x->starts; k++) {
        all.col[n + k] = x->start_var[k];
        all.kind[n + k] = EDGE_ALWAYS;
        all.start[g->rows + k + 1] = n + k + 1;
    }
    return all;
}

/* The variable that gives the start value of v and is itself unknown at the start; -1: none. */
static int open_start(const Initial *x, int v) {
    int              from = x->st->start_from[v], run = system_run_of(x->sys, from);
    const Attribute *a = system_attribute(x->sys, run, ATTR_START);
    if (!a || a->kind != VALUE_VARIABLE) return -1;
    int start = a->index + a->stride * (from - x->sys->run[run].first);
    return x->in->role[x->st->alias[start]] == ROLE_UNKNOWN ? start : -1;
}

/* v = start as an equation, because the start value is found together with everything else. */
static void add_start_row(Initial *x, int v, int start) {
    Shapes    *shapes = x->sys->shapes;
    int        number[2] = {v, x->st->alias[start]}, slot[2];
    int        sign = x->st->sign[x->st->start_from[v]] * x->st->sign[start];
    Term       value = expr_slot(shapes, 1, TYPE_REAL);
    const int *order;
    if (sign < 0) value = expr_1(shapes, TERM_NEG, value);
    Term equation = expr_2(shapes, TERM_EQUATION, expr_slot(shapes, 0, TYPE_REAL), value);
    int  shape = shape_of(shapes, equation, &order);
    for (int k = 0; k < 2; k++) slot[k] = number[order ? order[k] : k];
    int row = structure_add_row(x->in, shape, slot, NULL, SOURCE_START, -1);
    structure_add_equation(x->in, row, 0);
}

/* Candidates that found a place keep their start value: they are known in what follows. */
static void take_starts(Initial *x, const int *col_of, Arena *scratch) {
    Structure *in = x->in;
    int       *taken = NEW(scratch, int, x->starts + 1), takes = 0;
    for (int k = 0; k < x->starts; k++) {
        int v = x->start_var[k];
        if (col_of[k] < 0) continue;
        int start = open_start(x, v);
        if (start < 0) in->role[v] = ROLE_KNOWN;
        else add_start_row(x, v, start);
        const VarRun *run = &x->sys->run[system_run_of(x->sys, v)];
        if (k >= x->fixed && run->kind != VAR_PRE && run->type == TYPE_REAL)
            taken[takes++] = v;
    }
    message_starts(x, taken, takes, CODE_D122,
                   takes == 1 ? "the start value of %s is taken as an initial condition"
                              : "the start values of %s are taken as initial conditions");
}

typedef enum { MATCH_DONE, MATCH_AGAIN, MATCH_FAILED } Matched;

/* The conditions of the start before any of them is chosen. */
static InitialMatch begin_match(const Initial *x, Arena *scratch) {
    const Structure *in = x->in;
    InitialMatch     m = {.graph = with_candidates(x)};
    m.col_of = NEW(scratch, int, m.graph.rows + 1);
    m.row_of = NEW(scratch, int, in->vars + 1);
    m.wanted = NEW(scratch, bool, in->vars + 1);
    for (int e = 0; e < m.graph.rows; e++) m.col_of[e] = -1;
    for (int v = 0; v < in->vars; v++) {
        m.row_of[v] = -1;
        m.wanted[v] = in->role[v] == ROLE_UNKNOWN;
    }
    return m;
}

/* Enlarges the matching to the first rows; how many have found a place. */
static int match_first(InitialMatch *m, int rows) {
    Graph part = m->graph;
    part.rows = rows;
    return match_largest(&part, EDGE_IMPLICIT, NULL, m->col_of, m->row_of);
}

/* Calls that give what other equations determine are solved for their arguments. */
static bool take_apart(const Initial *x, InitialMatch m, Arena *scratch) {
    m.graph.rows = x->in->eqs;
    Singular parts = singular_parts(&m.graph, m.wanted, m.col_of, m.row_of, scratch);
    return structure_single(x->in, parts.over_row, parts.over_rows);
}

/* Matches the rows kind by kind and rank by rank: what found a place keeps it, so that no start
 * value takes the place of one that is wanted more. */
static Matched match_rows(Initial *x, Arena *scratch) {
    Structure *in = x->in;
    int        unknowns = 0;
    structure_graph(in);
    InitialMatch m = begin_match(x, scratch);
    for (int v = 0; v < in->vars; v++) unknowns += m.wanted[v];
    match_first(&m, x->equations);
    int matched = match_first(&m, in->eqs);
    if (matched < in->eqs) {
        if (take_apart(x, m, scratch) || surplus_leave_out(x, m.col_of))
            return MATCH_AGAIN;
        m.graph.rows = in->eqs;
        surplus_too_many(x, &m, in->eqs - matched, scratch);
        return MATCH_FAILED;
    }
    for (int k = 0; k < x->ranks && matched < unknowns; k++)
        matched = match_first(&m, in->eqs + x->prefix[k]);
    if (!surplus_starts(x, &m, scratch)) return MATCH_FAILED;
    take_starts(x, m.col_of + in->eqs, scratch);
    return MATCH_DONE;
}

static bool choose_rows(Initial *x, Arena *scratch) {
    Matched          done = MATCH_AGAIN;
    const Structure *in = x->in;
    structure_add_equations(x->in);
    while (x->equations < in->eqs && in->eq_row[x->equations] < x->rows) x->equations++;
    while (done == MATCH_AGAIN) done = match_rows(x, scratch);
    if (done == MATCH_DONE && x->in->graph.current)
        structure_narrow(x->in); /* start values are known */
    return done == MATCH_DONE;
}

bool structure_initial(Structure *in, const Structure *st, const Structure *bindings,
                       Diag *diag) {
    Arena   scratch = {0};
    Initial x = {.in = in, .st = st, .bindings = bindings, .sys = st->sys};
    *in = (Structure){.sys = st->sys, .diag = diag, .plain = true, .base = st->base};
    structure_grow(in);
    x.fast = fast_variables(&x, &scratch);
    copy_variables(&x);
    copy_rows(&x, &scratch);
    add_initial_rows(&x);
    list_starts(&x, &scratch);
    bool fine = choose_rows(&x, &scratch);
    arena_free(&scratch);
    return fine && structure_solve(in);
}
