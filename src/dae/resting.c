/* SPDX-License-Identifier: Apache-2.0 */
/* resting.c -- equations that are others at the start.
 *
 * A when-clause rests, v = pre(v), also inside an algorithm section; a delay has no past. Of an
 * algorithm section the variables that are assigned in resting when-clauses only are taken out: each
 * gets an equation v = pre(v) of its own, which can give either side, so that initial equations for
 * v or for pre(v) find their unknown. The section gives a hidden variable in its place. */
#include "dae/initial.h"

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
static bool copy_resting(const Initial *x, int row) {
    const Structure *st = x->st;
    Shapes          *shapes = x->sys->shapes;
    const int       *order;
    bool             wide = shapes->shape[st->shape[row]].wide;
    Term             old = shapes->shape[st->shape[row]].root;
    Term             present = without_past(shapes, old);
    Term             root = resting(shapes, present ? present : old);
    if (!root) root = present;
    if (st->base && term_has(shapes, root ? root : old, TERM_FIRST_TICK))
        root = first_tick_is(shapes, root ? root : old, true);
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

/* ---- algorithm sections ------------------------------------------------------------------------- */

typedef struct
    Section { /* a row of an algorithm section on its way into the initial system */
    const Initial  *x;
    int             row;
    Term            tuple, call;
    const Function *f;
    int             slots;
    int            *slot; /* by slot of the shape */
    const int32_t **sizes;
} Section;

static bool section_of(const Initial *x, int row, Section *s) {
    const Shapes *shapes = x->sys->shapes;
    Term          root = shapes->shape[x->st->shape[row]].root;
    if (expr_op(shapes, root) != TERM_EQUATION) return false;
    *s = (Section){.x = x,
                   .row = row,
                   .tuple = expr_arg(shapes, root, 0),
                   .call = expr_arg(shapes, root, 1)};
    if (expr_op(shapes, s->tuple) != TERM_TUPLE || expr_op(shapes, s->call) != TERM_CALL)
        return false;
    s->f = shapes->function[shapes->node[s->call].index];
    if (!s->f || !(s->f->flags & FUNCTION_ALGORITHM)) return false;
    for (int k = 0; k < s->f->outputs; k++)
        if (s->f->var[s->f->inputs + k].rests) return true;
    return false;
}

/* The slot of result k if it rests and the section reads it nowhere, else -1; *before: that of the
 * value it keeps. */
static int resting_slot(const Section *s, uint32_t k, int *before) {
    Shapes *shapes = s->x->sys->shapes;
    if (!s->f->var[s->f->inputs + (int)k].rests) return -1;
    Term left = expr_arg(shapes, s->tuple, k), kept = expr_arg(shapes, s->call, k);
    Node to = shapes->node[left], from = shapes->node[kept];
    if (to.op != from.op || (to.op != TERM_SLOT && to.op != TERM_ARRAY_SLOT)) return -1;
    int n = expr_walk(shapes, s->call);
    for (int i = 0; i < n; i++)
        if (shapes->walk[i] == left) return -1;
    *before = from.index;
    return to.index;
}

/* v = pre(v), of one scalar. */
static void add_same(const Section *s, int var, int before) {
    Shapes    *shapes = s->x->sys->shapes;
    Structure *in = s->x->in;
    Type       type = (Type)s->x->sys->run[system_run_of(s->x->sys, var)].type;
    int        number[2] = {var, before}, slot[2];
    Term       same = expr_2(shapes, TERM_EQUATION, expr_slot(shapes, 0, type),
                             expr_slot(shapes, 1, type));
    const int *order;
    int        shape = shape_of(shapes, same, &order);
    for (int k = 0; k < 2; k++) slot[k] = number[order ? order[k] : k];
    structure_add_row(in, shape, slot, NULL, s->x->st->source[s->row], -1);
}

/* Element i of an array slot with these sizes, from its first variable. */
static int element_of(int first, const int32_t *sizes, int rank, int i) {
    for (int d = rank - 1; d >= 0; d--) {
        first += i % sizes[2 * d] * sizes[2 * d + 1];
        i /= sizes[2 * d];
    }
    return first;
}

/* Hidden variables take the place of the slot; those that stood there keep what they were. */
static void take_out(Section *s, int slot, int before, Arena *scratch) {
    System          *sys = s->x->sys;
    const Structure *st = s->x->st;
    int          from = s->slot[slot], kept = s->slot[before], rank = 0, rank2, count = 1;
    const VarRun run = sys->run[system_run_of(sys, from)];
    const int32_t *sizes = NULL, *kept_sizes = NULL;
    if (s->sizes && s->sizes[slot]) {
        sizes = structure_sizes(st, s->row, slot, &rank);
        kept_sizes = structure_sizes(st, s->row, before, &rank2);
    }
    for (int d = 0; d < rank; d++) count *= sizes[2 * d];
    for (int i = 0; i < count; i++)
        add_same(s, element_of(from, sizes, rank, i),
                 element_of(kept, kept_sizes, rank, i));
    int made = system_run(sys, VAR_DISCRETE, (Type)run.type, count, -1, run.pos);
    sys->run[made].flags |= VAR_HIDDEN;
    s->slot[slot] = sys->run[made].first;
    if (!rank) return;
    int32_t *own = NEW(scratch, int32_t, 2 * rank);
    for (int d = rank - 1, step = 1; d >= 0; d--) {
        own[2 * d] = sizes[2 * d];
        own[2 * d + 1] = step;
        step *= sizes[2 * d];
    }
    s->sizes[slot] = own;
}

static bool copy_section(const Initial *x, int row) {
    const Structure *st = x->st;
    Shapes          *shapes = x->sys->shapes;
    Structure       *in = x->in;
    Section          s;
    Arena            scratch = {0};
    int              rank, before;
    if (!section_of(x, row, &s)) return false;
    const Shape shape = shapes->shape[st->shape[row]];
    s.slot = NEW(&scratch, int, shape.slots + 1);
    s.sizes = shape.wide ? NEW(&scratch, const int32_t *, shape.slots + 1) : NULL;
    for (int k = 0; k < shape.slots; k++) {
        s.slot[k] = st->slot[st->first[row] + k];
        if (s.sizes) s.sizes[k] = structure_sizes(st, row, k, &rank);
    }
    for (uint32_t k = 0; k < (uint32_t)s.f->outputs && k < shapes->node[s.tuple].n; k++) {
        int slot = resting_slot(&s, k, &before);
        if (slot >= 0) take_out(&s, slot, before, &scratch);
    }
    structure_add_row(in, st->shape[row], s.slot, s.sizes, st->source[row], st->of[row]);
    int known = in->vars;
    structure_grow(in);
    for (int v = known; v < in->vars; v++) in->role[v] = ROLE_UNKNOWN;
    arena_free(&scratch);
    return true;
}

bool resting_copy(const Initial *x, int row) {
    return copy_resting(x, row) || copy_section(x, row);
}
