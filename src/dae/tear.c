/* SPDX-License-Identifier: Apache-2.0 */
/* tear.c -- few unknowns that break the loops of a block.
 *
 * If the iteration variables were known, the other unknowns would follow one after the other by
 * formulas, and as many equations would be left over as residuals. Finding the smallest set is
 * NP-hard; the rule here is that of Cellier (Cellier and Kofman, Continuous System Simulation,
 * 2006, section 7.6; compared by Taeuber et al., Modelica 2014):
 *   1. an equation with one unknown left, by a formula that cannot fail, gives it;
 *   2. if there is none, the unknown in most of the equations left is torn; where the block is linear, at
 *      least between events, and not very large, that from which most others follow, one after the other.
 * Formulas that divide by variables or invert functions are not used inside a loop: an iterate
 * may be anything. Ties go at the start to unknowns with a guess of their own, then to those that are
 * harder to get by formula, then to the order of the model, so results do not depend on chance.
 *
 * Unknowns are kept in lists by how many equations they stand in; degrees only fall, so a block
 * costs time proportional to its edges. */
#include "dae/dae.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPARSE_FROM = 48,   /* more iteration variables: the whole block as a sparse system */
    LONGEST_CHAIN = 16, /* formulas of a shape in turn */
    MOST_LOOKS =
        30000000 /* edges of a block looked at for what would follow; some tenths of a second */
};

typedef struct Tear {
    Structure *st;
    int       *eq; /* equations of the block */
    int        n;
    int       *var;         /* unknowns of the block, by local number */
    int       *local;       /* by variable: local number + 1; 0 outside the block */
    Graph      graph;       /* local equations x local unknowns, with kinds */
    Graph      back;        /* unknown -> equations */
    int       *left;        /* by equation: unknowns not yet known */
    int       *degree;      /* by unknown: equations not yet used that contain it */
    int       *head;        /* by degree: first unknown of the list, -1 if none */
    int       *next, *prev; /* lists */
    bool      *known;       /* by unknown */
    bool *
        stepwise; /* by unknown: moves in steps, so Newton's method cannot find it (find_steps) */
    bool *used;  /* by equation */
    int  *ready; /* equations with one unknown left */
    int   readies;
    int  *sorted, sorts; /* equations in the order of evaluation */
    int  *torn, torns;   /* unknowns */
    /* what would follow from an unknown */
    int *
        trial_left; /* by equation: unknowns that would be left; of this trial if stamped */
    int *trial_eq, *trial_var; /* by equation, by unknown: stamps */
    int *trial;                /* equations to be looked at */
    int  stamp;
    long looks; /* edges that may still be looked at */
} Tear;

static void local_graph(Tear *t, Arena *scratch) {
    t->graph =
        graph_part(&t->st->graph, t->eq, t->n, t->local, t->n, (EdgeKind)0, scratch);
    t->back = graph_transpose(&t->graph, scratch);
}

/* ---- what moves in steps ------------------------------------------------------------------------ */

typedef struct Uses {
    Tear *t;
    bool *slot;         /* slots that hold unknowns of the block */
    int   room, except; /* a variable that does not count */
} Uses;

static void mark_slot(void *context, int var, int slot) {
    Uses *uses = context;
    if (uses->t->local[var]) uses->slot[slot] = true;
}

static void mark_continuous_slot(void *context, int var, int slot) {
    Uses     *uses = context;
    const int c = uses->t->local[var] - 1;
    if (c >= 0 && !uses->t->stepwise[c]) uses->slot[slot] = true;
}

static void mark_slots(Uses *uses, int row,
                       void (*mark)(void *context, int var, int slot)) {
    Structure *st = uses->t->st;
    int        slots = st->sys->shapes->shape[st->shape[row]].slots;
    GROW(uses->slot, uses->room, slots);
    if (slots) memset(uses->slot, 0, (size_t)slots);
    structure_uses(st, row, mark, uses);
}

static Degree row_degree(const Uses *uses, int row,
                         Degree (*degree)(Shapes *, Term, const bool *, int)) {
    const Structure *st = uses->t->st;
    Shapes          *shapes = st->sys->shapes;
    const Shape     *shape = &shapes->shape[st->shape[row]];
    return degree(shapes, shape->root, uses->slot, shape->slots);
}

static void mark_others(void *context, int var, int slot) {
    Uses *uses = context;
    if (var != uses->except) mark_continuous_slot(context, var, slot);
}

/* Does a row give its unknown by a formula from what moves in steps, and from relations that keep their values
 * between events? */
static bool gives_steps(Uses *uses, int r) {
    const Tear *t = uses->t;
    int         k = t->graph.start[r];
    while (k < t->graph.start[r + 1] && t->graph.col[k] != r) k++;
    if (k == t->graph.start[r + 1] || t->graph.kind[k] < EDGE_PARAMETER) return false;
    uses->except = t->var[r];
    mark_slots(uses, t->st->eq_row[t->eq[r]], mark_others);
    return row_degree(uses, t->st->eq_row[t->eq[r]], expr_degree_held) == DEGREE_NONE;
}

/* Unknowns that are no numbers move in steps, and what these alone decide: the sign of a friction force, 1 or -1.
 * Needs: unknown number c of the block is matched with its equation number c. */
static void find_steps(Tear *t) {
    Uses uses = {.t = t};
    bool more = false;
    for (int c = 0; c < t->n; c++) {
        t->stepwise[c] = steady_is_stepwise(t->st, t->var[c]);
        more |= t->stepwise[c];
    }
    while (more) {
        more = false;
        for (int c = 0; c < t->n; c++) {
            if (t->stepwise[c] || !gives_steps(&uses, c)) continue;
            t->stepwise[c] = more = true;
        }
    }
    mem_free(uses.slot);
}

/* ---- unknowns by their degree --------------------------------------------------------------------- */

static void list_remove(Tear *t, int c) {
    if (t->stepwise[c]) return;
    if (t->prev[c] >= 0) t->next[t->prev[c]] = t->next[c];
    else t->head[t->degree[c]] = t->next[c];
    if (t->next[c] >= 0) t->prev[t->next[c]] = t->prev[c];
}

static void list_insert(Tear *t, int c) {
    if (t->stepwise[c]) return;
    int d = t->degree[c];
    t->prev[c] = -1;
    t->next[c] = t->head[d];
    if (t->head[d] >= 0) t->prev[t->head[d]] = c;
    t->head[d] = c;
}

static void start(Tear *t, Arena *scratch) {
    int most = 0;
    t->left = NEW(scratch, int, t->n + 1);
    t->degree = NEW(scratch, int, t->n + 1);
    t->next = NEW(scratch, int, t->n + 1);
    t->prev = NEW(scratch, int, t->n + 1);
    t->known = NEW(scratch, bool, t->n + 1);
    t->stepwise = NEW(scratch, bool, t->n + 1);
    t->used = NEW(scratch, bool, t->n + 1);
    t->ready = NEW(scratch, int, t->n + 1);
    t->sorted = NEW(scratch, int, t->n + 1);
    t->trial_left = NEW(scratch, int, t->n + 1);
    t->trial_eq = NEW(scratch, int, t->n + 1);
    t->trial_var = NEW(scratch, int, t->n + 1);
    t->trial = NEW(scratch, int, t->n + 1);
    t->torn = NEW(scratch, int, t->n + 1);
    for (int c = 0; c < t->n; c++) {
        t->degree[c] = t->back.start[c + 1] - t->back.start[c];
        if (t->degree[c] > most) most = t->degree[c];
    }
    find_steps(t);
    t->head = NEW(scratch, int, most + 2);
    for (int d = 0; d <= most; d++) t->head[d] = -1;
    for (int c = t->n - 1; c >= 0; c--) list_insert(t, c);
    for (int r = 0; r < t->n; r++) {
        t->left[r] = t->graph.start[r + 1] - t->graph.start[r];
        if (t->left[r] == 1) t->ready[t->readies++] = r;
    }
}

/* The unknown c is known from now on. */
static void settle(Tear *t, int c) {
    t->known[c] = true;
    list_remove(t, c);
    for (int k = t->back.start[c]; k < t->back.start[c + 1]; k++) {
        int r = t->back.col[k];
        if (--t->left[r] == 1 && !t->used[r]) t->ready[t->readies++] = r;
    }
}

/* Equation r is used up: its unknowns stand in one equation less. */
static void use(Tear *t, int r) {
    t->used[r] = true;
    for (int k = t->graph.start[r]; k < t->graph.start[r + 1]; k++) {
        int c = t->graph.col[k];
        if (t->known[c]) continue;
        list_remove(t, c);
        t->degree[c]--;
        list_insert(t, c);
    }
}

static void follow(Tear *t) {
    for (int i = 0; i < t->readies; i++) {
        int r = t->ready[i];
        if (t->used[r] || t->left[r] != 1) continue;
        int k = t->graph.start[r];
        while (t->known[t->graph.col[k]]) k++;
        if (t->graph.kind[k] < EDGE_PARAMETER) continue; /* becomes a residual */
        int c = t->graph.col[k];
        use(t, r);
        t->sorted[t->sorts++] = r;
        t->st->var_of[t->eq[r]] = t->var[c];
        t->st->eq_of[t->var[c]] = t->eq[r];
        settle(t, c);
    }
    t->readies = 0;
}

/* How many equations could give the unknown by a formula. */
static int formulas(const Tear *t, int c) {
    int n = 0;
    for (int k = t->back.start[c]; k < t->back.start[c + 1]; k++) {
        int r = t->back.col[k];
        if (t->used[r]) continue;
        for (int j = t->graph.start[r]; j < t->graph.start[r + 1]; j++)
            n += t->graph.col[j] == c && t->graph.kind[j] >= EDGE_PARAMETER;
    }
    return n;
}

/* Does the model say where the unknown starts, by more than the number of its type? A first solution is
 * looked for from there: enthalpies have a guess of their own, densities that of all densities. */
static bool is_guessed(const Tear *t, int c) {
    int              run = system_run_of(t->st->sys, t->var[c]);
    const Attribute *a = system_attribute(t->st->sys, run, ATTR_START);
    return t->st->plain && a && a->kind == VALUE_VARIABLE;
}

/* What speaks against tearing the unknown. */
static int objections(const Tear *t, int c) {
    return formulas(t, c) + (is_guessed(t, c) ? 0 : t->n);
}

/* Unknowns that are numbers and were found to move in steps count as others again: what decides them is decided
 * by them, x > 0 by x and x by what is chosen then. */
static void doubt_steps(Tear *t, int *top) {
    for (int c = 0; c < t->n; c++) {
        if (t->known[c] || !t->stepwise[c] || steady_is_stepwise(t->st, t->var[c]))
            continue;
        t->stepwise[c] = false;
        list_insert(t, c);
        if (t->degree[c] > *top) *top = t->degree[c];
    }
}

/* Unknowns that move in steps are in no list: they are torn if nothing else is left. */
static int choose(Tear *t, int *top) {
    while (*top > 0 && t->head[*top] < 0) --*top;
    if (t->head[*top] < 0) doubt_steps(t, top);
    if (t->head[*top] < 0) {
        int c = 0;
        while (t->known[c]) c++;
        return c;
    }
    int best = t->head[*top], fewest = objections(t, best), looked = 0;
    for (int c = t->next[best]; c >= 0 && looked < 16; c = t->next[c], looked++) {
        int n = objections(t, c);
        if (n < fewest || (n == fewest && t->var[c] < t->var[best])) {
            best = c;
            fewest = n;
        }
    }
    return best;
}

/* ---- what would follow from an unknown ---- */

/* The unknown is known in this trial: equations with one unknown left are listed. */
static int try_known(Tear *t, int c, int n) {
    t->trial_var[c] = t->stamp;
    for (int k = t->back.start[c]; k < t->back.start[c + 1]; k++) {
        int r = t->back.col[k];
        if (t->used[r]) continue;
        if (t->trial_eq[r] != t->stamp) {
            t->trial_eq[r] = t->stamp;
            t->trial_left[r] = t->left[r];
        }
        if (--t->trial_left[r] == 1) t->trial[n++] = r;
    }
    t->looks -= t->back.start[c + 1] - t->back.start[c];
    return n;
}

/* How many unknowns would follow if c were known. */
static int followers(Tear *t, int c) {
    int found = 0;
    t->stamp++;
    for (int i = 0, n = try_known(t, c, 0); i < n; i++) {
        int r = t->trial[i], k = t->graph.start[r];
        if (t->trial_left[r] != 1) continue;
        while (t->known[t->graph.col[k]] || t->trial_var[t->graph.col[k]] == t->stamp)
            k++;
        t->looks -= k - t->graph.start[r] + 1;
        if (t->graph.kind[k] < EDGE_PARAMETER) continue;
        found++;
        n = try_known(t, t->graph.col[k], n);
    }
    return found;
}

/* The unknown from which most others follow, -1: none of them is asked. Of equal ones that which is harder
 * to get by a formula. */
static int choose_leader(Tear *t) {
    int best = -1, most = 0, fewest = 0;
    for (int c = 0; c < t->n && t->looks > 0; c++) {
        if (t->known[c] || t->stepwise[c]) continue;
        int  found = followers(t, c), n = found >= most ? formulas(t, c) : 0;
        bool better = best < 0 || found > most || (found == most && n < fewest) ||
                      (found == most && n == fewest && t->var[c] < t->var[best]);
        if (!better) continue;
        best = c;
        most = found;
        fewest = n;
    }
    return t->looks > 0 ? best : -1;
}

static int highest(const Tear *t) {
    int top = 0;
    for (int c = 0; c < t->n; c++)
        if (t->degree[c] > top) top = t->degree[c];
    return top;
}

/* ---- what kind of block ---------------------------------------------------------------------- */

static void classify(Tear *t, Block *block) {
    Structure *st = t->st;
    Uses       uses = {.t = t};
    block->kind = BLOCK_LINEAR;
    for (int i = 0; i < t->n; i++) {
        int row = st->eq_row[t->eq[i]];
        if (steady_is_stepwise(st, t->var[i])) block->kind = BLOCK_MIXED;
        if (block->kind != BLOCK_LINEAR) continue;
        mark_slots(&uses, row, mark_slot);
        if (row_degree(&uses, row, expr_degree) != DEGREE_LINEAR)
            block->kind = BLOCK_NONLINEAR;
    }
    mem_free(uses.slot);
}

/* Between events relations keep their values, and with them what they alone decide: is the rest
 * linear in what does not move in steps? */
static bool is_linear_between_events(Tear *t, const Block *block) {
    Structure *st = t->st;
    Uses       uses = {.t = t};
    bool       linear = block->kind != BLOCK_NONLINEAR;
    for (int i = 0; i < t->n && linear && block->kind == BLOCK_MIXED; i++) {
        int row = st->eq_row[t->eq[i]];
        mark_slots(&uses, row, mark_continuous_slot);
        linear = row_degree(&uses, row, expr_degree_held) != DEGREE_NONLINEAR;
    }
    mem_free(uses.slot);
    return linear;
}

/* Between events relations keep their values, and with them what they alone decide: is the rest
 * linear? Unknowns that move in steps must come from formulas. Needs: the order of the block. */
static bool is_piecewise(Tear *t, const Block *block) {
    Structure *st = t->st;
    Uses       uses = {.t = t};
    bool       linear = true;
    for (int i = 0; i < t->torns; i++) linear &= !t->stepwise[t->torn[i]];
    for (int i = 0; i < block->count && linear; i++) {
        int row = st->eq_row[st->order[block->first + i]];
        mark_slots(&uses, row, mark_continuous_slot);
        Degree degree = row_degree(&uses, row, expr_degree_held);
        linear = t->stepwise[t->local[st->var_of[st->order[block->first + i]]] - 1]
                     ? degree == DEGREE_NONE
                     : degree != DEGREE_NONLINEAR;
    }
    mem_free(uses.slot);
    return linear;
}

/* How long the coefficients of the marked slots stay, if they are made of these slots. */
static MatrixKind mask_lasts(const Structure *st, int row, uint64_t mask) {
    const Shapes *shapes = st->sys->shapes;
    MatrixKind    least = mask >> 63 ? MATRIX_VARIES : MATRIX_PARAMETERS;
    for (int j = 0; j < 63 && mask >> j && least; j++) {
        TermOp op = expr_op(shapes, shape_leaf(shapes, st->shape[row], j));
        if (!(mask >> j & 1) || op == TERM_NUMBER) continue;
        MatrixKind kind = op == TERM_SLOT ? steady_lasts(st, st->slot[st->first[row] + j])
                                          : MATRIX_VARIES;
        if (kind < least) least = kind;
    }
    return least;
}

/* Needs: the block is linear at least between events. */
static MatrixKind matrix_kind(Tear *t, const Block *block) {
    Structure *st = t->st;
    Shapes    *shapes = st->sys->shapes;
    Uses       uses = {.t = t};
    MatrixKind least = MATRIX_PARAMETERS;
    for (int i = 0; i < block->count && least; i++) {
        int row = st->eq_row[st->order[block->first + i]], shape = st->shape[row];
        mark_slots(&uses, row, mark_continuous_slot);
        if (structure_multiple(st, row)) least = MATRIX_VARIES;
        for (int k = 0; k < shapes->shape[shape].slots && least; k++) {
            if (!uses.slot[k]) continue;
            if (expr_op(shapes, shape_leaf(shapes, shape, k)) != TERM_SLOT) {
                least = MATRIX_VARIES;
                break;
            }
            MatrixKind kind =
                mask_lasts(st, row, shape_partial_slots(shapes, shape, k, false));
            if (kind == MATRIX_VARIES &&
                mask_lasts(st, row, shape_partial_slots(shapes, shape, k, true)))
                kind = MATRIX_EVENTS;
            if (kind < least) least = kind;
        }
    }
    mem_free(uses.slot);
    return least;
}

/* Do the formulas follow each other in long chains of the same few shapes? Then they are a
 * recurrence, as of a ladder of resistors or of a discretised wall: each step multiplies errors,
 * and after some dozens nothing else is left. Counted are formulas that add up unknowns. */
static bool is_recurrence(const Tear *t, Arena *scratch) {
    const Structure *st = t->st;
    Map              shapes = {0};
    int             *depth = NEW(scratch, int, t->n + 1), longest = 0; /* by unknown */
    for (int i = 0; i < t->sorts; i++) {
        int r = t->sorted[i], deepest = 0, own = t->local[st->var_of[t->eq[r]]] - 1;
        for (int k = t->graph.start[r]; k < t->graph.start[r + 1]; k++)
            if (depth[t->graph.col[k]] > deepest) deepest = depth[t->graph.col[k]];
        bool adds = t->graph.start[r + 1] - t->graph.start[r] > 2;
        depth[own] = deepest + adds;
        if (depth[own] > longest) longest = depth[own];
        if (adds) map_put(&shapes, (uint64_t)st->shape[st->eq_row[t->eq[r]]], 1);
    }
    bool found = longest > LONGEST_CHAIN * (int)shapes.count;
    map_free(&shapes);
    return found;
}

/* Equations by shape, then as in the model, and so the unknowns: what is regular in the model stays
 * regular, and its code is loops. All are residuals, so which is given to which does not matter. */
static void arrange(Tear *t, const Block *block) {
    Structure *st = t->st;
    int       *order = st->order + block->first;
    Ranked    *sort = mem_resize(NULL, (size_t)t->n * sizeof *sort);
    for (int i = 0; i < t->n; i++)
        sort[i] = (Ranked){st->shape[st->eq_row[order[i]]], order[i]};
    qsort(sort, (size_t)t->n, sizeof *sort, ranked_ascending);
    for (int i = 0; i < t->n; i++) order[i] = sort[i].number;
    for (int i = 0; i < t->n; i++) sort[i] = (Ranked){0, t->var[i]};
    qsort(sort, (size_t)t->n, sizeof *sort, ranked_ascending);
    for (int i = 0; i < t->n; i++) {
        st->var_of[order[i]] = sort[i].number;
        st->eq_of[sort[i].number] = order[i];
    }
    mem_free(sort);
}

/* A block with many iteration variables, or with a recurrence, is better left whole to a sparse
 * solver. */
static void make_sparse(Tear *t, Block *block, Arena *scratch) {
    bool many = t->torns >= SPARSE_FROM && t->n <= 8 * t->torns;
    if (block->kind == BLOCK_MIXED || (!many && !is_recurrence(t, scratch))) return;
    block->torn = t->n;
    block->sparse = true;
    arrange(t, block);
}

typedef struct FastMarks {
    const Tear *t;
    bool *fast; /* by unknown of the block: it moves at a rate that stands in the block */
    bool  any;
} FastMarks;

static void mark_fast(void *context, int var, int slot) {
    FastMarks *marks = context;
    int        state = structure_fast_state(marks->t->st, var);
    (void)slot;
    if (state < 0 || !marks->t->local[state]) return;
    marks->fast[marks->t->local[state] - 1] = marks->any = true;
}

/* Infinitely fast states are iterated on, whatever else is: their solver moves them. */
static void tear_fast(Tear *t, Block *block, Arena *scratch) {
    FastMarks marks = {t, NULL, false};
    if (!t->st->sys->theta.count) return;
    marks.fast = NEW(scratch, bool, t->n + 1);
    for (int i = 0; i < t->n; i++)
        structure_uses(t->st, t->st->eq_row[t->eq[i]], mark_fast, &marks);
    if (!marks.any) return;
    block->kind = BLOCK_FAST;
    for (int c = 0; c < t->n; c++) {
        if (!marks.fast[c] || t->known[c]) continue;
        t->torn[t->torns++] = c;
        settle(t, c);
    }
}

/* Unknowns that no equation gives by a formula are iterated on in any case: others then follow from them,
 * as rotations from angles. */
static void tear_implicit(Tear *t) {
    for (int c = 0; c < t->n; c++) {
        if (t->known[c] || t->stepwise[c] || formulas(t, c)) continue;
        t->torn[t->torns++] = c;
        settle(t, c);
    }
    follow(t);
}

/* needs: order, block->first and count; local: by variable, zeros, which it leaves.
 * gives: kind, torn, order inside the block. */
static void tear_block(Structure *st, int b, int *local, Arena *scratch) {
    Block *block = &st->block[b];
    Tear   t = {.st = st, .n = block->count, .local = local};
    int    top;
    t.eq = arena_copy(scratch, st->order + block->first, (size_t)t.n * sizeof *t.eq);
    t.var = NEW(scratch, int, t.n);
    for (int i = 0; i < t.n; i++) {
        t.var[i] = st->var_of[t.eq[i]];
        t.local[t.var[i]] = i + 1;
    }
    local_graph(&t, scratch);
    start(&t, scratch);
    top = highest(&t);
    classify(&t, block);
    tear_fast(&t, block, scratch);
    follow(&t);
    if (block->kind == BLOCK_NONLINEAR) tear_implicit(&t);
    t.looks = !st->plain && is_linear_between_events(&t, block) ? MOST_LOOKS : 0;
    while (t.sorts + t.torns < t.n) {
        int c = t.looks > 0 ? choose_leader(&t) : -1;
        if (c < 0) c = choose(&t, &top);
        t.torn[t.torns++] = c;
        settle(&t, c);
        follow(&t);
    }
    block->torn = t.torns;
    int *order = st->order + block->first, at = 0;
    for (int i = 0; i < t.sorts; i++) order[at++] = t.eq[t.sorted[i]];
    for (int r = 0, i = 0; r < t.n; r++) { /* residuals take the torn unknowns in turn */
        if (t.used[r]) continue;
        st->var_of[t.eq[r]] = t.var[t.torn[i]];
        st->eq_of[t.var[t.torn[i++]]] = t.eq[r];
        order[at++] = t.eq[r];
    }
    block->piecewise = block->kind == BLOCK_LINEAR || is_piecewise(&t, block);
    block->matrix = (uint8_t)(block->piecewise ? matrix_kind(&t, block) : MATRIX_VARIES);
    make_sparse(&t, block, scratch);
    for (int i = 0; i < t.n; i++) t.local[t.var[i]] = 0;
}

/* ---- all blocks ------------------------------------------------------------------------------------- */

static EdgeKind given_by(const Structure *st, int eq) {
    const Graph *g = &st->graph;
    for (int k = g->start[eq]; k < g->start[eq + 1]; k++)
        if (g->col[k] == st->var_of[eq]) return (EdgeKind)g->kind[k];
    return EDGE_NEVER;
}

/* All equations are results of one row and nothing else. */
static bool is_call(const Structure *st, const int *eq, int n) {
    int row = st->eq_row[eq[0]];
    if (!structure_multiple(st, row) || structure_results(st, row) != n) return false;
    for (int i = 0; i < n; i++)
        if (st->eq_row[eq[i]] != row || given_by(st, eq[i]) != EDGE_ALWAYS) return false;
    return true;
}

void tear_blocks(Structure *st) {
    Arena scratch = {0};
    int  *local = NEW(&scratch, int, st->vars + 1);
    st->lasts = NEW(&st->arena, uint8_t, st->vars + 1);
    for (int b = 0; b < st->blocks; b++) {
        Block     *block = &st->block[b];
        const int *eq = st->order + block->first;
        if (is_call(st, eq, block->count)) block->kind = BLOCK_CALL;
        else if (block->count == 1 && given_by(st, eq[0]) >= EDGE_VARIABLE)
            block->kind = BLOCK_EXPLICIT;
        else tear_block(st, b, local, &scratch);
        steady_block(st, b);
    }
    arena_free(&scratch);
}
