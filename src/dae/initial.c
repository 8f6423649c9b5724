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
 * others determine it already. Whether such an equation holds at what they determine is asked at
 * the start (see surplus). If unknowns remain, x = start is taken for states without fixed, most
 * wanted first, then for whatever is left; the message lists them (Modelica 8.6 leaves the
 * choice to the tool). */
#include "dae/dae.h"
#include "dae/rewrite.h"

#include <math.h>
#include <string.h>

typedef struct Initial {
    Structure       *in;       /* being built */
    const Structure *st;       /* the simulation */
    const Structure *bindings; /* parameters computed from others, NULL if none are */
    System          *sys;
    int             *start_var; /* candidates for x = start ... */
    int              starts;
    int equations, fixed; /* rows of equations; candidates with fixed = true */
} Initial;

static bool known_true(const System *sys, int var, AttributeName name, bool otherwise) {
    int    run = system_run_of(sys, var);
    double value;
    if (!system_known(sys, run, name, var - sys->run[run].first, &value))
        return otherwise;
    return value != 0;
}

/* fixed of a class: that of the member whose start value holds. */
static bool is_fixed(const Initial *x, int v) {
    return known_true(x->sys, x->st->start_from[v], ATTR_FIXED, false);
}

/* ---- variables -------------------------------------------------------------------------------- */

static void copy_variables(Initial *x) {
    Structure       *in = x->in;
    const Structure *st = x->st;
    size_t           n = (size_t)st->vars;
    if (n == 0) return; /* there are no arrays then */
    memcpy(in->alias, st->alias, n * sizeof *in->alias);
    memcpy(in->sign, st->sign, n * sizeof *in->sign);
    memcpy(in->zero, st->zero, n * sizeof *in->zero);
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

/* A when-clause rests during initialisation, v = pre(v), unless initial() is among its
 * conditions: then the branch holds. The new root, 0 if the row is no when-clause. */
static Term resting(Shapes *shapes, Term root) {
    if (expr_op(shapes, root) != TERM_EQUATION) return 0;
    Term left = expr_arg(shapes, root, 0), right = expr_arg(shapes, root, 1);
    Node when = shapes->node[right];
    if (when.op != TERM_WHEN || when.n % 2 == 0) return 0;
    Term value = expr_arg(shapes, right, when.n - 1);
    for (uint32_t k = 0; k + 1 < when.n; k += 2) {
        int n = expr_walk(shapes, expr_arg(shapes, right, k));
        for (int i = 0; i < n; i++)
            if (expr_op(shapes, shapes->walk[i]) == TERM_INITIAL)
                return expr_2(shapes, TERM_EQUATION, left,
                              expr_arg(shapes, right, k + 1));
    }
    return expr_2(shapes, TERM_EQUATION, left, value);
}

/* An end of a distribution at the start: what flows in there, or the first or last value. */
static Term end_at_start(Shapes *shapes, Term e) {
    Node node = shapes->node[e];
    Term values = expr_arg(shapes, e, 5), inside;
    bool last = node.index == 1;
    Term at = last ? expr_2(shapes, TERM_SIZE, values, expr_integer(shapes, 1))
                   : expr_integer(shapes, 1);
    inside = expr_2(shapes, TERM_ELEMENT, values, at);
    if (shapes->node[inside].type == TYPE_INTEGER)
        inside = expr_1(shapes, TERM_TO_REAL, inside);
    Term enters = expr_arg(shapes, e, last ? 1 : 0), right = expr_arg(shapes, e, 3);
    return last ? expr_3(shapes, TERM_IF, right, inside, enters)
                : expr_3(shapes, TERM_IF, right, enters, inside);
}

/* Before the start everything was as it is at the start: delay(x, T) is x. The new root, 0 if
 * there is no delay. */
static Term without_past(Shapes *shapes, Term root) {
    bool changed = false;
    for (bool found = shapes->node[root].flags & NODE_IMPURE; found;) {
        int  n = expr_walk(shapes, root);
        Term past = 0, now = 0;
        for (int i = 0; i < n && !past; i++) {
            TermOp op = expr_op(shapes, shapes->walk[i]);
            if (op == TERM_DELAY || op == TERM_SPATIAL) past = shapes->walk[i];
        }
        found = past != 0;
        if (!found) break;
        now = expr_op(shapes, past) == TERM_DELAY ? expr_arg(shapes, past, 0)
                                                  : end_at_start(shapes, past);
        root = expr_replace(shapes, root, &past, &now, 1);
        changed = true;
    }
    return changed ? root : 0;
}

/* Adds a when-clause or an equation with a delay as it is at the start. */
static bool copy_resting(Initial *x, int row) {
    const Structure *st = x->st;
    Shapes          *shapes = x->sys->shapes;
    const int       *order;
    bool             wide = shapes->shape[st->shape[row]].wide;
    Term             old = shapes->shape[st->shape[row]].root;
    Term             present = without_past(shapes, old);
    Term             root = resting(shapes, present ? present : old);
    if (!root) root = present;
    if (!root) return false;
    int  shape = shape_of(shapes, root, &order), slots = shapes->shape[shape].slots, rank;
    int *slot = mem_take((size_t)slots, sizeof *slot);
    const int32_t **sizes = mem_take((size_t)slots, sizeof *sizes);
    for (int k = 0; k < slots; k++) {
        int from = order ? order[k] : k;
        slot[k] = st->slot[st->first[row] + from];
        sizes[k] = wide ? structure_sizes(st, row, from, &rank) : NULL;
    }
    structure_add_row(x->in, shape, slot, wide ? sizes : NULL, st->source[row],
                      st->of[row]);
    MEM_FREE(slot, sizes);
    return true;
}

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
    for (int r = 0; r < x->st->rows; r++)
        if (!copy_resting(x, r)) copy_row(x, x->st, r);
    add_bindings(x, scratch);
    x->equations = x->in->rows;
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

static void add_initial_rows(Initial *x) {
    Map     seen = {0};
    Rewrite w;
    RowWalk walk = {.sys = x->sys, .set = ROWS_INITIAL};
    rewrite_begin(&w, x->in);
    while (row_walk(&walk)) {
        rewrite_add(&w, walk.family.shape, walk.slot, walk.sizes,
                    SOURCE_INITIAL - walk.row, -1);
        drop_repeated(x->in, &seen);
    }
    map_free(&seen);
    rewrite_end(&w);
}

/* Candidates: fixed ones first, then states from the most to the least wanted, then the rest
 * of the continuous unknowns. */
static int rank_of(const Initial *x, int v) {
    const Structure *st = x->st;
    const VarRun    *run = &x->sys->run[system_run_of(x->sys, v)];
    if (x->in->role[v] != ROLE_UNKNOWN) return -1;
    if (run->kind ==
        VAR_PRE) { /* fixed of a discrete variable speaks of its left limit */
        int of = st->alias[x->sys->run[run->of].first + (v - run->first)];
        return is_fixed(x, of) ? 0 : 1;
    }
    bool discrete = run->kind == VAR_DISCRETE || run->type != TYPE_REAL;
    if (is_fixed(x, v) && run->kind != VAR_PARAMETER && !discrete) return 0;
    if (st->role[v] == ROLE_STATE) {
        int  from = system_run_of(x->sys, st->start_from[v]);
        bool given = system_attribute(x->sys, from, ATTR_START);
        return 2 + SELECT_ALWAYS - st->select[v] + (given ? 0 : 5);
    }
    return 13;
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
    int8_t *rank = NEW(scratch, int8_t, x->st->vars + 1);
    bool   *last = NEW(scratch, bool, x->st->vars + 1); /* of its rank: may be left out */
    x->start_var = NEW(scratch, int, x->st->vars + 1);
    for (int v = 0; v < x->st->vars; v++) rank[v] = (int8_t)rank_of(x, v);
    for (int i = 0; i < x->st->drift.rows; i++) {
        int v = best_given(x, x->st->drift.row[i]);
        if (v >= 0) last[v] = true;
    }
    for (int want = 0; want <= 13; want++) {
        for (int late = 0; late < 2; late++)
            for (int v = 0; v < x->st->vars; v++)
                if (rank[v] == want && last[v] == late) x->start_var[x->starts++] = v;
        if (want == 0) x->fixed = x->starts;
    }
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
 * alone: x = start. */
static Graph with_candidates(const Initial *x, Arena *scratch) {
    const Graph *g = &x->in->graph;
    int          n = g->start[g->rows];
    Graph        all = {.rows = g->rows + x->starts, .cols = g->cols};
    all.start = NEW(scratch, int, all.rows + 1);
    all.col = NEW(scratch, int, n + x->starts + 1);
    all.kind = NEW(scratch, uint8_t, n + x->starts + 1);
    memcpy(all.start, g->start, ((size_t)g->rows + 1) * sizeof *all.start);
    memcpy(all.col, g->col, (size_t)n * sizeof *all.col);
    memcpy(all.kind, g->kind, (size_t)n);
    for (int k = 0; k < x->starts; k++) {
        all.col[n + k] = x->start_var[k];
        all.kind[n + k] = EDGE_ALWAYS;
        all.start[g->rows + k + 1] = n + k + 1;
    }
    return all;
}

/* ---- equations too many ------------------------------------------------------------------------------ */

/* How far the two sides of an equation may be apart: the accuracy of the solution, in units of the
 * values and of the nominal values of the variables. */
static Term allowance(const Initial *x, const Family *family, const int *slot, Term left,
                      Term right) {
    Shapes *shapes = x->sys->shapes;
    double  most = 0, value;
    for (int k = 0; k < shapes->shape[family->shape].slots; k++) {
        int run = system_run_of(x->sys, slot[k]);
        if (!system_known(x->sys, run, ATTR_NOMINAL, slot[k] - x->sys->run[run].first,
                          &value))
            value = 1;
        most = fmax(most, fabs(value));
    }
    Term sizes = expr_2(shapes, TERM_ADD, expr_1(shapes, TERM_ABS, left),
                        expr_1(shapes, TERM_ABS, right));
    return expr_2(shapes, TERM_ADD, expr_real(shapes, 1e-6 * most),
                  expr_2(shapes, TERM_MUL, expr_real(shapes, 1e-5), sizes));
}

/* A question to be asked when everything is known: does initial equation `row` hold? False if it
 * cannot be asked. */
static bool ask_at_start(Initial *x, int row) {
    System *sys = x->sys;
    Shapes *shapes = sys->shapes;
    Family  family = *system_family(sys, ROWS_INITIAL, row);
    Term    root = shapes->shape[family.shape].root, holds;
    if (expr_op(shapes, root) != TERM_EQUATION || shapes->shape[family.shape].wide)
        return false;
    Term left = expr_arg(shapes, root, 0), right = expr_arg(shapes, root, 1);
    if (expr_op(shapes, left) == TERM_TUPLE) return false;
    int  slots = shapes->shape[family.shape].slots;
    int *slot = mem_take(2 * (size_t)slots, sizeof *slot), *moved = slot + slots;
    family_slots(sys, &family, row - family.row, slot);
    if (shapes->node[left].type == TYPE_REAL)
        holds = expr_2(shapes, TERM_LESS_EQUAL,
                       expr_1(shapes, TERM_ABS, expr_sub(shapes, left, right)),
                       allowance(x, &family, slot, left, right));
    else holds = expr_2(shapes, TERM_EQUAL, left, right);
    const char *text =
        "this initial equation does not hold: the others determine other values";
    Term       part[] = {expr_1(shapes, TERM_NO_EVENT, holds),
                         expr_string(shapes, str_of(shapes->strings, text)),
                         expr_integer(shapes, 2)};
    Term       asks = expr_2(shapes, TERM_WHEN, expr_make(shapes, TERM_INITIAL, NULL, 0),
                             expr_make(shapes, TERM_ASSERT, part, 3));
    const int *order;
    int        shape = shape_of(shapes, asks, &order);
    for (int k = 0; k < shapes->shape[shape].slots; k++)
        moved[k] = slot[order ? order[k] : k];
    system_table(sys, ROWS_ACTION, shape, 1, moved, NULL, 0, family.owner, family.pos);
    mem_free(slot);
    return true;
}

/* An initial equation that found no unknown, and of which can be asked whether it holds. */
static bool is_surplus(const Initial *x, int e) {
    const Structure *in = x->in;
    int              row = in->eq_row[e];
    return row >= x->equations && structure_results(in, row) == 1 &&
           in->source[row] <= SOURCE_INITIAL && in->source[row] > SOURCE_BINDING;
}

/* Leaves out initial equations without unknown; false if something else has none. */
static bool leave_out(Initial *x, const int *col_of) {
    Structure *in = x->in;
    int        kept = 0;
    for (int e = 0; e < in->eqs; e++)
        if (col_of[e] < 0 && !is_surplus(x, e)) return false;
    for (int e = 0; e < in->eqs; e++) {
        int row = in->eq_row[e];
        if (col_of[e] < 0) {
            if (!ask_at_start(x, SOURCE_INITIAL - in->source[row])) return false;
            if (in->diag)
                diag_report(
                    in->diag, structure_pos(in, row), CODE_D123,
                    "this initial equation is left out: others determine all that "
                    "it speaks of");
            continue;
        }
        in->eq_row[kept] = row;
        in->eq_part[kept] = in->eq_part[e];
        in->var_of[kept++] = -1;
    }
    in->eqs = kept;
    return true;
}

static void too_many(Initial *x, const Graph *graph, const bool *wanted,
                     const int *col_of, const int *row_of, int count, Arena *scratch) {
    Structure *in = x->in;
    Singular   parts = singular_parts(graph, wanted, col_of, row_of, scratch);
    parts.under_rows = parts.under_cols = 0;
    if (!in->diag) return;
    diag_report(in->diag, structure_pos(in, in->eq_row[parts.over_row[0]]), CODE_D120,
                "%d initial equation%s too many", count, count == 1 ? " is" : "s are");
    singular_report(in, &parts, false);
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
    int       *dropped = NEW(scratch, int, x->starts + 1);
    int       *taken = NEW(scratch, int, x->starts + 1);
    int        drops = 0, takes = 0;
    for (int k = 0; k < x->starts; k++) {
        int v = x->start_var[k];
        if (col_of[k] < 0) {
            if (k < x->fixed) dropped[drops++] = v;
            continue;
        }
        int start = open_start(x, v);
        if (start < 0) in->role[v] = ROLE_KNOWN;
        else add_start_row(x, v, start);
        if (k >= x->fixed && x->st->role[v] == ROLE_STATE) taken[takes++] = v;
    }
    message_starts(
        x, dropped, drops, CODE_D121,
        "the fixed start values of %s are left out: other conditions determine them");
    message_starts(x, taken, takes, CODE_D122,
                   "the start values of %s are taken as initial conditions");
}

typedef enum { MATCH_DONE, MATCH_AGAIN, MATCH_FAILED } Matched;

/* Matches prefixes of the rows one kind after the other; keeps what finds a place. */
static Matched match_rows(Initial *x, Arena *scratch) {
    Structure *in = x->in;
    int        equations = 0, unknowns = 0, matched = 0;
    structure_graph(in);
    Graph part = with_candidates(x, scratch);
    int  *col_of = NEW(scratch, int, part.rows + 1);
    int  *row_of = NEW(scratch, int, in->vars + 1);
    bool *wanted = NEW(scratch, bool, in->vars + 1);
    for (int e = 0; e < part.rows; e++) col_of[e] = -1;
    for (int e = 0; e < in->eqs; e++) equations += in->eq_row[e] < x->equations;
    for (int v = 0; v < in->vars; v++) {
        row_of[v] = -1;
        wanted[v] = in->role[v] == ROLE_UNKNOWN;
        unknowns += wanted[v];
    }
    const int prefix[] = {equations, in->eqs, in->eqs + x->fixed, in->eqs + x->starts};
    for (int phase = 0; phase < LENGTH(prefix); phase++) {
        part.rows = prefix[phase];
        matched = match_largest(&part, EDGE_IMPLICIT, NULL, col_of, row_of);
        if (phase == 1 && matched < in->eqs) {
            if (leave_out(x, col_of)) return MATCH_AGAIN;
            too_many(x, &part, wanted, col_of, row_of, in->eqs - matched, scratch);
            return MATCH_FAILED;
        }
        if (matched == unknowns) break;
    }
    take_starts(x, col_of + in->eqs, scratch);
    return MATCH_DONE;
}

static bool choose_rows(Initial *x, Arena *scratch) {
    Matched done = MATCH_AGAIN;
    structure_add_equations(x->in);
    while (done == MATCH_AGAIN) done = match_rows(x, scratch);
    return done == MATCH_DONE;
}

bool structure_initial(Structure *in, const Structure *st, const Structure *bindings,
                       Diag *diag) {
    Arena   scratch = {0};
    Initial x = {.in = in, .st = st, .bindings = bindings, .sys = st->sys};
    *in = (Structure){.sys = st->sys, .diag = diag, .plain = true};
    structure_grow(in);
    copy_variables(&x);
    copy_rows(&x, &scratch);
    add_initial_rows(&x);
    list_starts(&x, &scratch);
    bool fine = choose_rows(&x, &scratch);
    arena_free(&scratch);
    return fine && structure_solve(in);
}
