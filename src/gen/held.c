/* SPDX-License-Identifier: Apache-2.0 */
/* held.c -- relations that keep their value between events: which a kernel has, and their text. */
#include "gen/emitter.h"

#include <assert.h>

typedef struct Found {                          /* relations of a kernel on their way */
    Term node[MOST_EVENTS], guard[MOST_EVENTS]; /* as in Held */
    int  n, own;
    bool open; /* some of an algorithm section may change at times that are not known */
} Found;

typedef struct Holding { /* the search in all kernels */
    Emitter e;
    Holds  *holds;
    Arena  *arena; /* of what is found */
} Holding;

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
        VarKind kind = system_kind(st->sys, var);
        if (kind == VAR_CONTINUOUS || kind == VAR_DER || kind == VAR_INPUT) return true;
    }
    return false;
}

Held *emitter_held(const Emitter *e) {
    return &e->holds->held[e->plan->group[e->group].body + e->position];
}

static void hold(Holding *x, const Found *found) {
    const Emitter *e = &x->e;
    size_t         n = (size_t)found->n;
    Held          *held = emitter_held(e);
    *held = (Held){.group = e->group,
                   .position = e->position,
                   .access = e->access,
                   .nodes = found->n,
                   .own = found->own,
                   .settled = !found->open,
                   .base = x->holds->relations};
    x->holds->relations += found->n * e->count;
    if (!n) return;
    held->node = arena_copy(x->arena, found->node, n * sizeof *held->node);
    held->guard = arena_copy(x->arena, found->guard, n * sizeof *held->guard);
}

/* A relation between time and an element of an array argument, in a loop over the array: one
 * relation for each element. False: it is another one. */
static bool table_relations(Emitter *e, Term call, Term relation, Term element,
                            Found *found) {
    Shapes *shapes = e->shapes;
    Term    a = expr_arg(shapes, relation, 0), b = expr_arg(shapes, relation, 1);
    Node    array = shapes->node[expr_arg(shapes, element, 0)];
    int     rank;
    if (!(a == element && expr_op(shapes, b) == TERM_TIME) &&
        !(b == element && expr_op(shapes, a) == TERM_TIME))
        return false;
    if (array.op != TERM_ARRAY_SLOT || array.rank != 1 ||
        (uint32_t)array.index >= shapes->node[call].n)
        return false;
    Term argument = expr_arg(shapes, call, (uint32_t)array.index);
    if (expr_op(shapes, argument) != TERM_ARRAY_SLOT) return false;
    const int32_t *sizes =
        structure_sizes(e->plan->st, e->row, shapes->node[argument].index, &rank);
    int k = 1;
    for (; rank == 1 && k <= sizes[0] && found->n < MOST_EVENTS; k++) {
        Term one = expr_2(shapes, TERM_ELEMENT, argument, expr_integer(shapes, k));
        found->guard[found->n] = 0;
        found->node[found->n++] = expr_replace(shapes, relation, &element, &one, 1);
    }
    return rank == 1 && k > sizes[0];
}

/* ---- relations in functions --------------------------------------------------------------------- */

typedef struct Inside { /* a body seen from the row that calls it */
    Emitter        *e;
    const Function *f;
    Term            call;
    int             outer;     /* variables that can be seen: inputs, then results */
    Term           *from, *to; /* as slots of the body and of the row; to 0: not seen */
    bool           *moving;    /* by variable: it may change between events */
    Found          *found;
} Inside;

static bool moves(const Inside *in, Term x) {
    Shapes *shapes = in->e->shapes;
    int     n = x ? expr_walk(shapes, x) : 0;
    for (int j = 0; j < n; j++) {
        const Node *node = expr_node(shapes, shapes->walk[j]);
        if (node->op == TERM_TIME || node->flags & NODE_IMPURE) return true;
        if (emitter_is_slot(node) && in->moving[node->index]) return true;
    }
    return false;
}

static bool move_target(const Inside *in, Term target) {
    Shapes *shapes = in->e->shapes;
    bool new = false;
    for (int j = 0, n = expr_walk(shapes, target); j < n; j++) {
        const Node *node = expr_node(shapes, shapes->walk[j]);
        if (!emitter_is_slot(node)) continue;
        new |= !in->moving[node->index];
        in->moving[node->index] = true;
    }
    return new;
}

/* Variables that get values of time, of an input that moves, or of each other. Branches are taken at events. */
static void find_moving(const Inside *in) {
    Shapes *shapes = in->e->shapes;
    for (int k = 0; k < in->f->inputs; k++) {
        Term argument = expr_arg(shapes, in->call, (uint32_t)k);
        in->moving[k] = shapes->node[argument].flags & NODE_TIME ||
                        !emitter_parametric(in->e, argument);
    }
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < in->f->stmts; k++) {
            const Stmt *s = &in->f->stmt[k];
            bool        sets =
                s->kind == STMT_ASSIGN || s->kind == STMT_FOR || s->kind == STMT_RESIZE;
            if (sets && (moves(in, s->b) || moves(in, s->c) || moves(in, s->step)))
                more |= move_target(in, s->a);
        }
    }
}

/* Are the times known at which a relation, as it is seen from the row, changes? */
static bool has_times(Emitter *e, Term x) {
    EventTimes times;
    return expr_op(e->shapes, x) == TERM_SAMPLE || emitter_event_times(e, x, &times);
}

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
    if (n > MOST_EVENTS) n = MOST_EVENTS, found->open = true;
    ctext_guards(shapes, part, inner, guard, n);
    for (int i = 0; i < n && found->n < MOST_EVENTS; i++) {
        Term x = seen(in, inner[i], in->outer, &element);
        int  before = found->n;
        bool known = x && has_times(in->e, x);
        if (!x && element)
            known = table_relations(in->e, in->call, inner[i], element, found);
        for (int k = before; k < found->n; k++) known &= has_times(in->e, found->node[k]);
        if (!known && moves(in, inner[i])) found->open = true;
        if (!x) continue;
        bool matters = guard[i] || (path && expr_may_be_undefined(shapes, x));
        found->guard[found->n] =
            !guard[i] ? matters ? path : 0 : along(in, path, guard[i], true);
        found->node[found->n++] = x;
    }
}

static bool part_switches(Shapes *shapes, Term part) {
    return part && ctext_events(shapes, part, NULL, 0) > 0;
}

static void list_relations(Inside *in, int first, Term path) {
    for (int k = first; k >= 0; k = in->f->stmt[k].next) {
        const Stmt *s = &in->f->stmt[k];
        bool        branch = s->kind == STMT_IF;
        part_relations(in, s->a, path);
        part_relations(in, s->b, path);
        in->found->open |=
            part_switches(in->e->shapes, s->c) || part_switches(in->e->shapes, s->step);
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
    bool  *moving = mem_take((size_t)f->vars, sizeof *moving);
    Inside in = {e, f, call, outer, from, to, moving, found};
    find_moving(&in);
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
    mem_free(moving);
}

/* Does an algorithm section hold relations? Then it is run along a path (live/path.c), and the call
 * itself is the relation that changes with it. */
static bool has_path(Shapes *shapes, Term call) {
    const Function *f = shapes->function[shapes->node[call].index];
    bool            found = false;
    if (!f || !(f->flags & FUNCTION_ALGORITHM)) return false;
    for (int k = 0; k < f->stmts && !found; k++) {
        const Stmt *s = &f->stmt[k];
        found = part_switches(shapes, s->a) || part_switches(shapes, s->b) ||
                part_switches(shapes, s->c) || part_switches(shapes, s->step);
    }
    return found;
}

bool emitter_path(const Emitter *e, const Held *held, Term call, Text *site) {
    int r = 0;
    while (r < held->nodes && held->node[r] != call) r++;
    if (r == held->nodes) return false;
    emitter_mode(e, held, r, site);
    return true;
}

/* ---- relations of a kernel ---------------------------------------------------------------------- */

/* An algorithm section that reads the time. */
static bool is_timed(const Emitter *e, Term call) {
    const Shapes *shapes = e->shapes;
    if (expr_op(shapes, call) != TERM_CALL) return false;
    const Function *f = shapes->function[shapes->node[call].index];
    bool            time = false;
    for (int k = 0; k < f->stmts; k++) {
        const Term part[] = {f->stmt[k].a, f->stmt[k].b, f->stmt[k].c, f->stmt[k].step};
        for (int i = 0; i < LENGTH(part); i++)
            time |= part[i] && (shapes->node[part[i]].flags & NODE_TIME);
    }
    return time;
}

/* Relations of an algorithm section whose times are known in advance; the path of the section has
 * the others. */
static void keep_timed(Emitter *e, Found *found) {
    int kept = 0;
    for (int i = 0; i < found->n; i++) {
        Term node = found->node[i];
        if (!has_times(e, node)) continue;
        found->guard[kept] = found->guard[i];
        found->node[kept++] = node;
    }
    found->n = kept;
}

/* Gives those of the relations that can change between events their places in mode. */
static void hold_changing(Holding *x, Found *found) {
    Emitter *e = &x->e;
    int      kept = 0, own = 0;
    if (found->n >= MOST_EVENTS) {
        found->n = MOST_EVENTS;
        if (x->holds->crowded < 0) x->holds->crowded = e->row;
    }
    for (int i = 0; i < found->n; i++) {
        if (!is_continuous(e, found->node[i]) && !is_timed(e, found->node[i])) continue;
        found->guard[kept] = found->guard[i];
        found->node[kept++] = found->node[i];
        if (i < found->own) own++;
    }
    found->n = kept;
    found->own = own;
    hold(x, found);
}

/* Of a formula: its own, and those inside functions that are to generate events. */
static void hold_relations(Holding *x, Term value) {
    Emitter *e = &x->e;
    Found    found;
    Term     call[64];
    int      calls = 0, nodes;
    found.n = ctext_events(e->shapes, value, found.node, MOST_EVENTS);
    if (found.n > MOST_EVENTS) found.n = MOST_EVENTS;
    found.own = found.n;
    found.open = false;
    ctext_guards(e->shapes, value, found.node, found.guard, found.n);
    nodes = expr_walk(e->shapes, value);
    for (int i = 0; i < nodes && calls < LENGTH(call); i++)
        if (expr_op(e->shapes, e->shapes->walk[i]) == TERM_CALL)
            call[calls++] = e->shapes->walk[i];
    for (int i = 0; i < calls && found.n < MOST_EVENTS; i++)
        algorithm_relations(e, 0, call[i], &found);
    hold_changing(x, &found);
}

/* Relations of a call kernel: those of its arguments and of the body. */
static void hold_call(Holding *x, Term left, Term call) {
    Found found;
    found.n = found.own = 0;
    found.open = false;
    algorithm_relations(&x->e, left, call, &found);
    if (has_path(x->e.shapes, call) && found.n < MOST_EVENTS) {
        keep_timed(&x->e, &found);
        found.guard[found.n] = 0;
        found.node[found.n++] = call;
    }
    hold_changing(x, &found);
}

void emitter_mode(const Emitter *e, const Held *held, int r, Text *out) {
    if (e->run) text_printf(out, "%d + %d*i", held->base + r, held->nodes);
    else text_printf(out, e->count == 1 ? "%d" : "%d + i", held->base + r * e->count);
}

/* Writes the place of a node, if it is among those held. */
static bool index_among(const Emitter *e, const Held *held, Term node, Text *index) {
    int r = 0;
    while (r < held->own && held->node[r] != node) r++;
    if (r == held->own) return false;
    emitter_mode(e, held, r, index);
    return true;
}

bool emitter_event_index(const void *context, Term node, Text *index) {
    return index_among(context, emitter_held(context), node, index);
}

/* Is it a delay by a time that is not fixed from the start on? */
static bool is_changing(Emitter *e, Term x) {
    if (expr_op(e->shapes, x) != TERM_DELAY || e->shapes->node[x].n < 3) return false;
    int n = expr_walk(e->shapes, expr_arg(e->shapes, x, 1));
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(e->shapes, e->shapes->walk[i]);
        if (node->op == TERM_TIME) return true;
        if (emitter_is_slot(node) && emitter_kind(e, node) != VAR_PARAMETER &&
            emitter_kind(e, node) != VAR_CONSTANT)
            return true;
    }
    return false;
}

bool emitter_past_index(const void *context, Term node, Text *index) {
    const Emitter *e = context;
    for (int h = 0; h < e->holds->pasts; h++) {
        const Held *past = &e->holds->past[h];
        bool        here = past->group == e->group && past->position == e->position;
        if (here && index_among(e, past, node, index)) return true;
    }
    return false;
}

/* Delays of the kernel being looked at: what they ask for is remembered. */
static void hold_past(Holding *x, Term value) {
    Emitter *e = &x->e;
    Holds   *to = x->holds;
    if (!(e->shapes->node[value].flags & NODE_IMPURE)) return;
    int   n = expr_walk(e->shapes, value), found = 0, own = 0;
    Term *list = mem_take((size_t)n, sizeof *list);
    for (int i = 0; i < n; i++)
        if (expr_op(e->shapes, e->shapes->walk[i]) == TERM_DELAY ||
            expr_op(e->shapes, e->shapes->walk[i]) == TERM_SPATIAL)
            list[found++] = e->shapes->walk[i];
    Term *node = NEW(x->arena, Term, found + 1);
    for (int i = 0; i < found; i++)
        if (is_changing(e, list[i])) node[own++] = list[i];
    for (int i = 0, rest = own; i < found; i++)
        if (!is_changing(e, list[i])) node[rest++] = list[i];
    mem_free(list);
    to->past =
        arena_grow(x->arena, to->past, sizeof(Held), &to->past_room, to->pasts + 1);
    to->past[to->pasts++] = (Held){.group = e->group,
                                   .position = e->position,
                                   .access = e->access,
                                   .node = node,
                                   .nodes = found,
                                   .own = own,
                                   .base = to->delays};
    to->delays += own * e->count;
}

/* ---- all kernels --------------------------------------------------------------------------------- */

static void hold_kernel(Holding *x, const Kernel *kernel) {
    Emitter *e = &x->e;
    Term     item, root = e->shapes->shape[kernel->shape].root;
    if (kernel->kind == KERNEL_CALL) {
        Term left = expr_arg(e->shapes, root, 0), right = expr_arg(e->shapes, root, 1);
        if (expr_op(e->shapes, left) == TERM_TUPLE &&
            expr_op(e->shapes, right) == TERM_CALL)
            hold_call(x, left, right);
        return;
    }
    Term value = emitter_value(e, kernel, &item);
    if (value) hold_relations(x, value);
    if (value) hold_past(x, value);
}

Holds *holds_make(const Plan *plan, Arena *arena) {
    Text    none = {0};
    Holding x = {.holds = NEW(arena, Holds, 1), .arena = arena};
    x.holds->held = NEW(arena, Held, plan->bodies + 1);
    x.holds->crowded = -1;
    emitter_begin(&x.e, plan, NULL, &none);
    x.e.holds = x.holds;
    for (int g = 0; g < plan->groups; g++) {
        const Group  *group = &plan->group[g];
        const Access *access = plan->access + group->access;
        for (int j = 0; j < group->size; j++) {
            int number = plan->body[group->body + j];
            emitter_enter(&x.e, group, j, access);
            access += emitter_slots(&x.e, number);
            hold_kernel(&x, &plan->kernel[number]);
        }
    }
    emitter_close(&x.e);
    return x.holds;
}

/* ---- the pass ------------------------------------------------------------------------------------ */

/* Every relation has a number of its own, in the order of groups. */
static inline bool is_numbered(const Plan *plan) {
    const Holds *holds = plan->holds;
    int          at = 0;
    for (int g = 0; g < plan->groups; g++)
        for (int j = 0; j < plan->group[g].size; j++) {
            const Held *held = &holds->held[plan->group[g].body + j];
            if (!held->nodes) continue;
            if (held->base != at || held->own > held->nodes) return false;
            at += held->nodes * plan->group[g].count;
        }
    return at == holds->relations;
}

/* Needs: homes. Gives: numbers of the relations and delays of all kernels. */
void gen_relations(Plan *plan) {
    assert(plan->written && !plan->holds);
    ASSERT_SLOWLY(plan_has_homes(plan));
    plan->holds = holds_make(plan, &plan->arena);
    assert(is_numbered(plan));
}

void gen_print_relations(const Plan *plan, Text *out) {
    const Structure *st = plan->st;
    const Holds     *holds = plan->holds;
    text_printf(out, "%d relations, %d delays that change\n", holds->relations,
                holds->delays);
    for (uint32_t h = 0; h < plan->bodies; h++) {
        const Held *held = &holds->held[h];
        for (int r = 0; r < held->nodes; r++) {
            const Group *group = &plan->group[held->group];
            int          row = st->eq_row[plan->item[group->item + held->position]];
            text_printf(out, "%d: ", held->base + r * group->count + 1);
            structure_print_term(st, row, held->node[r], out);
            if (group->count > 1) text_printf(out, "   (first of %d)", group->count);
            text_char(out, '\n');
        }
    }
}
