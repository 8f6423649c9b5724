/* SPDX-License-Identifier: Apache-2.0 */
/* held.c -- relations that keep their value between events: which a kernel has, and their text. */
#include "gen/emitter.h"

#include <string.h>

typedef struct Found {                          /* relations of a kernel on their way */
    Term node[MOST_EVENTS], guard[MOST_EVENTS]; /* as in Held */
    int  n, own;
} Found;

/* Can the value change between events? */
static bool is_continuous(Emitter *e, Term node) {
    const Structure *st = e->plan->st;
    int              n = expr_walk(e->shapes, node);
    for (int i = 0; i < n; i++) {
        const Node *x = expr_node(e->shapes, e->shapes->walk[i]);
        if (x->op == TERM_TIME || x->op == TERM_SAMPLE || x->op == TERM_ARRAY_SLOT)
            return true;
        if (x->op != TERM_SLOT) continue;
        int     var = st->slot[st->first[e->row] + x->index];
        VarKind kind = (VarKind)st->sys->run[system_run_of(st->sys, var)].kind;
        if (kind == VAR_CONTINUOUS || kind == VAR_DER || kind == VAR_INPUT) return true;
    }
    return false;
}

static Held *held_here(const Emitter *e) {
    return &e->held[e->plan->group[e->group].body + e->position];
}

static void hold(Emitter *e, const Found *found) {
    Held *held = held_here(e);
    *held = (Held){.group = e->group,
                   .position = e->position,
                   .access = e->access,
                   .nodes = found->n,
                   .own = found->own,
                   .base = e->relations};
    held->node = mem_take(2 * (size_t)found->n, sizeof *held->node);
    held->guard = held->node + found->n;
    memcpy(held->node, found->node, (size_t)found->n * sizeof *held->node);
    memcpy(held->guard, found->guard, (size_t)found->n * sizeof *held->guard);
    e->relations += found->n * e->count;
}

/* An event that is not looked for would be a wrong result. */
static int too_many_events(Emitter *e) {
    if (e->diag && !e->failed)
        diag_report(e->diag, structure_pos(e->plan->st, e->row), CODE_G101,
                    "more than %d relations that cause events in one equation",
                    MOST_EVENTS);
    e->failed = true;
    return MOST_EVENTS;
}

/* A relation between time and an element of an array argument, in a loop over the array: one
 * relation for each element. */
static void table_relations(Emitter *e, Term call, Term relation, Term element,
                            Found *found) {
    Shapes *shapes = e->shapes;
    Term    a = expr_arg(shapes, relation, 0), b = expr_arg(shapes, relation, 1);
    Node    array = shapes->node[expr_arg(shapes, element, 0)];
    int     rank;
    if (!(a == element && expr_op(shapes, b) == TERM_TIME) &&
        !(b == element && expr_op(shapes, a) == TERM_TIME))
        return;
    if (array.op != TERM_ARRAY_SLOT || array.rank != 1 ||
        (uint32_t)array.index >= shapes->node[call].n)
        return;
    Term argument = expr_arg(shapes, call, (uint32_t)array.index);
    if (expr_op(shapes, argument) != TERM_ARRAY_SLOT) return;
    const int32_t *sizes =
        structure_sizes(e->plan->st, e->row, shapes->node[argument].index, &rank);
    for (int k = 1; rank == 1 && k <= sizes[0] && found->n < MOST_EVENTS; k++) {
        Term one = expr_2(shapes, TERM_ELEMENT, argument, expr_integer(shapes, k));
        found->guard[found->n] = 0;
        found->node[found->n++] = expr_replace(shapes, relation, &element, &one, 1);
    }
}

/* ---- relations in functions --------------------------------------------------------------------- */

typedef struct Inside { /* a body seen from the row that calls it */
    Emitter        *e;
    const Function *f;
    Term            call;
    int             outer;     /* variables that can be seen: inputs, then results */
    Term           *from, *to; /* as slots of the body and of the row; to 0: not seen */
    Found          *found;
} Inside;

/* A term of the body over its first `outer` variables as a term of the row, else 0. *element: an
 * element that is in the way, if there is one. */
static Term seen(const Inside *in, Term x, int outer, Term *element) {
    Shapes *shapes = in->e->shapes;
    bool    can = true;
    int     n = expr_walk(shapes, x);
    *element = 0;
    for (int j = 0; j < n; j++) {
        const Node *node = expr_node(shapes, shapes->walk[j]);
        if (node->op == TERM_ELEMENT) *element = shapes->walk[j];
        can &= node->op != TERM_ARRAY_SLOT &&
               !(node->op == TERM_SLOT && (node->index >= outer || !in->to[node->index]));
    }
    return can ? expr_replace(shapes, x, in->from, in->to, in->outer) : 0;
}

/* path and condition (or its opposite); what cannot be seen is left out. Inputs do not change. */
static Term along(const Inside *in, Term path, Term condition, bool holds) {
    Term element, x = seen(in, condition, in->f->inputs, &element);
    if (!x) return path;
    if (!holds) x = expr_1(in->e->shapes, TERM_NOT, x);
    return path ? expr_2(in->e->shapes, TERM_AND, path, x) : x;
}

static void part_relations(Inside *in, Term part, Term path) {
    Shapes *shapes = in->e->shapes;
    Found  *found = in->found;
    Term    inner[MOST_EVENTS], guard[MOST_EVENTS], element;
    if (!part) return;
    int n = ctext_events(shapes, part, inner, MOST_EVENTS);
    if (n > MOST_EVENTS) n = MOST_EVENTS;
    ctext_guards(shapes, part, inner, guard, n);
    for (int i = 0; i < n && found->n < MOST_EVENTS; i++) {
        Term x = seen(in, inner[i], in->outer, &element);
        if (!x && element) table_relations(in->e, in->call, inner[i], element, found);
        if (!x) continue;
        bool matters = guard[i] || (path && expr_may_be_undefined(shapes, x));
        found->guard[found->n] =
            !guard[i] ? matters ? path : 0 : along(in, path, guard[i], true);
        found->node[found->n++] = x;
    }
}

static void list_relations(Inside *in, int first, Term path) {
    for (int k = first; k >= 0; k = in->f->stmt[k].next) {
        const Stmt *s = &in->f->stmt[k];
        bool        branch = s->kind == STMT_IF;
        part_relations(in, s->a, path);
        part_relations(in, s->b, path);
        list_relations(in, s->body, branch ? along(in, path, s->a, true) : path);
        list_relations(in, s->other, branch ? along(in, path, s->a, false) : path);
    }
}

/* Relations in the body of an algorithm section between its inputs, its results and time: seen
 * from the row they are relations between the arguments and the left sides, so their events can
 * be found from outside. Between events a discrete result is what it was. */
static void algorithm_relations(Emitter *e, Term left, Term call, Found *found) {
    Shapes         *shapes = e->shapes;
    Node            node = shapes->node[call];
    const Function *f =
        node.index < shapes->functions ? shapes->function[node.index] : NULL;
    if (!f || !(f->flags & (FUNCTION_ALGORITHM | FUNCTION_EVENTS))) return;
    int    outer = f->inputs + (f->flags & FUNCTION_ALGORITHM ? f->outputs : 0);
    Term  *from = mem_take(2 * (size_t)outer, sizeof *from), *to = from + outer;
    Inside in = {e, f, call, outer, from, to, found};
    for (int k = 0; k < outer; k++) {
        bool     result = k >= f->inputs;
        Term     side = result ? left : call;
        uint32_t i = (uint32_t)(result ? k - f->inputs : k);
        from[k] = expr_slot(shapes, k, (Type)f->var[k].type);
        to[k] =
            i < shapes->node[side].n && !f->var[k].rank ? expr_arg(shapes, side, i) : 0;
        if (result && to[k] && expr_op(shapes, to[k]) != TERM_SLOT) to[k] = 0;
    }
    list_relations(&in, f->first, 0);
    mem_free(from);
}

/* ---- relations of a kernel ---------------------------------------------------------------------- */

/* Gives those of the relations that can change between events their places in mode. */
static void hold_changing(Emitter *e, Found *found) {
    int kept = 0, own = 0;
    if (found->n >= MOST_EVENTS) found->n = too_many_events(e);
    for (int i = 0; i < found->n; i++) {
        if (!is_continuous(e, found->node[i])) continue;
        found->guard[kept] = found->guard[i];
        found->node[kept++] = found->node[i];
        if (i < found->own) own++;
    }
    found->n = kept;
    found->own = own;
    hold(e, found);
}

/* Of a formula: its own, and those inside functions that are to generate events. */
void emitter_hold_relations(Emitter *e, Term value) {
    Found found;
    Term  call[64];
    int   calls = 0, nodes;
    found.n = ctext_events(e->shapes, value, found.node, MOST_EVENTS);
    if (found.n > MOST_EVENTS) found.n = MOST_EVENTS;
    found.own = found.n;
    ctext_guards(e->shapes, value, found.node, found.guard, found.n);
    nodes = expr_walk(e->shapes, value);
    for (int i = 0; i < nodes && calls < LENGTH(call); i++)
        if (expr_op(e->shapes, e->shapes->walk[i]) == TERM_CALL)
            call[calls++] = e->shapes->walk[i];
    for (int i = 0; i < calls && found.n < MOST_EVENTS; i++)
        algorithm_relations(e, 0, call[i], &found);
    hold_changing(e, &found);
}

/* Relations of a call kernel: those of its arguments and of the body. */
void emitter_hold_call(Emitter *e, Term left, Term call) {
    Found found;
    found.n = found.own = 0;
    algorithm_relations(e, left, call, &found);
    hold_changing(e, &found);
}

void emitter_mode(const Emitter *e, const Held *held, int r, Text *out) {
    if (e->run) text_printf(out, "%d + %d*i", held->base + r, held->nodes);
    else text_printf(out, e->count == 1 ? "%d" : "%d + i", held->base + r * e->count);
}

bool emitter_event_index(const void *context, Term node, Text *index) {
    const Emitter *e = context;
    const Held    *held = held_here(e);
    for (int r = 0; r < held->own; r++)
        if (held->node[r] == node) {
            emitter_mode(e, held, r, index);
            return true;
        }
    return false;
}

/* Is it a delay by a time that is not fixed from the start on? */
static bool is_changing(Emitter *e, Term x) {
    const Structure *st = e->plan->st;
    if (expr_op(e->shapes, x) != TERM_DELAY || e->shapes->node[x].n < 3) return false;
    int n = expr_walk(e->shapes, expr_arg(e->shapes, x, 1));
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(e->shapes, e->shapes->walk[i]);
        if (node->op == TERM_TIME) return true;
        if (node->op != TERM_SLOT && node->op != TERM_ARRAY_SLOT) continue;
        int     var = st->slot[st->first[e->row] + node->index];
        VarKind kind = (VarKind)st->sys->run[system_run_of(st->sys, var)].kind;
        if (kind != VAR_PARAMETER && kind != VAR_CONSTANT) return true;
    }
    return false;
}

bool emitter_past_index(const void *context, Term node, Text *index) {
    const Emitter *e = context;
    for (int h = 0; h < e->pasts; h++) {
        const Held *past = &e->past[h];
        if (past->group != e->group || past->position != e->position) continue;
        for (int r = 0; r < past->own; r++)
            if (past->node[r] == node) {
                emitter_mode(e, past, r, index);
                return true;
            }
    }
    return false;
}

/* Delays of the kernel being written: what they ask for is remembered. */
void emitter_hold_past(Emitter *e, Term value) {
    if (!(e->shapes->node[value].flags & NODE_IMPURE)) return;
    int   n = expr_walk(e->shapes, value), found = 0, own = 0;
    Term *list = mem_take((size_t)n, sizeof *list);
    for (int i = 0; i < n; i++)
        if (expr_op(e->shapes, e->shapes->walk[i]) == TERM_DELAY ||
            expr_op(e->shapes, e->shapes->walk[i]) == TERM_SPATIAL)
            list[found++] = e->shapes->walk[i];
    Term *node = mem_take((size_t)found, sizeof *node);
    for (int i = 0; i < found; i++)
        if (is_changing(e, list[i])) node[own++] = list[i];
    for (int i = 0, rest = own; i < found; i++)
        if (!is_changing(e, list[i])) node[rest++] = list[i];
    mem_free(list);
    GROW(e->past, e->past_room, e->pasts + 1);
    e->past[e->pasts++] = (Held){.group = e->group,
                                 .position = e->position,
                                 .access = e->access,
                                 .node = node,
                                 .nodes = found,
                                 .own = own,
                                 .base = e->delays};
    e->delays += own * e->count;
}
