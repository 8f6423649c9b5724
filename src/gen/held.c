/* SPDX-License-Identifier: Apache-2.0 */
/* held.c -- relations that keep their value between events: which a kernel has, and their text. */
#include "gen/emitter.h"
#include "expr/pool.h"

#include <stdlib.h>
#include <string.h>

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

static void hold(Emitter *e, const Term *list, int n) {
    Held *held = held_here(e);
    *held = (Held){e->group, e->position, e->access, NULL, n, e->relations};
    held->node = mem_resize(NULL, ((size_t)n + 1) * sizeof *held->node);
    memcpy(held->node, list, (size_t)n * sizeof *held->node);
    e->relations += n * e->count;
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
static int table_relations(Emitter *e, Term call, Term relation, Term element, Term *list,
                           int room) {
    Shapes *shapes = e->shapes;
    Term    a = expr_arg(shapes, relation, 0), b = expr_arg(shapes, relation, 1);
    Node    array = shapes->node[expr_arg(shapes, element, 0)];
    int     found = 0, rank;
    if (!(a == element && expr_op(shapes, b) == TERM_TIME) &&
        !(b == element && expr_op(shapes, a) == TERM_TIME))
        return 0;
    if (array.op != TERM_ARRAY_SLOT || array.rank != 1 ||
        (uint32_t)array.index >= shapes->node[call].n)
        return 0;
    Term argument = expr_arg(shapes, call, (uint32_t)array.index);
    if (expr_op(shapes, argument) != TERM_ARRAY_SLOT) return 0;
    const int32_t *sizes =
        structure_sizes(e->plan->st, e->row, shapes->node[argument].index, &rank);
    for (int k = 1; rank == 1 && k <= sizes[0] && found < room; k++) {
        Term one = expr_2(shapes, TERM_ELEMENT, argument, expr_integer(shapes, k));
        list[found++] = expr_replace(shapes, relation, &element, &one, 1);
    }
    return found;
}

/* Relations in the body of an algorithm section between its inputs, its results and time: seen
 * from the row they are relations between the arguments and the left sides, so their events can
 * be found from outside. Between events a discrete result is what it was. */
static int algorithm_relations(Emitter *e, Term left, Term call, Term *list, int room) {
    Shapes         *shapes = e->shapes;
    Node            node = shapes->node[call];
    const Function *f =
        node.index < shapes->functions ? shapes->function[node.index] : NULL;
    int found = 0;
    if (!f || !(f->flags & (FUNCTION_ALGORITHM | FUNCTION_EVENTS))) return 0;
    int   outer = f->inputs + (f->flags & FUNCTION_ALGORITHM ? f->outputs : 0);
    Term *from = mem_resize(NULL, 2 * ((size_t)outer + 1) * sizeof *from);
    Term *to = from + outer;
    for (int k = 0; k < outer; k++) {
        bool     result = k >= f->inputs;
        Term     side = result ? left : call;
        uint32_t i = (uint32_t)(result ? k - f->inputs : k);
        from[k] = expr_slot(shapes, k, (Type)f->var[k].type);
        to[k] =
            i < shapes->node[side].n && !f->var[k].rank ? expr_arg(shapes, side, i) : 0;
        if (result && to[k] && expr_op(shapes, to[k]) != TERM_SLOT) to[k] = 0;
    }
    for (int s = 0; s < f->stmts; s++) {
        Term part[] = {f->stmt[s].a, f->stmt[s].b};
        for (int p = 0; p < 2; p++) {
            Term inner[MOST_EVENTS];
            int  n = part[p] ? ctext_events(shapes, part[p], inner, MOST_EVENTS) : 0;
            for (int i = 0; i < n && i < MOST_EVENTS && found < room; i++) {
                bool outside = true;
                Term element = 0;
                int  m = expr_walk(shapes, inner[i]);
                for (int j = 0; j < m; j++) {
                    const Node *x = expr_node(shapes, shapes->walk[j]);
                    if (x->op == TERM_ELEMENT) element = shapes->walk[j];
                    outside &=
                        x->op != TERM_ARRAY_SLOT &&
                        !(x->op == TERM_SLOT && (x->index >= outer || !to[x->index]));
                }
                if (outside)
                    list[found++] = expr_replace(shapes, inner[i], from, to, outer);
                else if (element)
                    found += table_relations(e, call, inner[i], element, list + found,
                                             room - found);
            }
        }
    }
    free(from);
    return found;
}

/* Gives those of the relations that can change between events their places in mode. */
static void hold_changing(Emitter *e, Term *list, int n) {
    int kept = 0;
    if (n >= MOST_EVENTS) n = too_many_events(e);
    for (int i = 0; i < n; i++)
        if (is_continuous(e, list[i])) list[kept++] = list[i];
    hold(e, list, kept);
}

/* Of a formula: its own, and those inside functions that are to generate events. */
void emitter_hold_relations(Emitter *e, Term value) {
    Term list[MOST_EVENTS], call[64];
    int  n = ctext_events(e->shapes, value, list, MOST_EVENTS), calls = 0;
    int  nodes = expr_walk(e->shapes, value);
    for (int i = 0; i < nodes && calls < LENGTH(call); i++)
        if (expr_op(e->shapes, e->shapes->walk[i]) == TERM_CALL)
            call[calls++] = e->shapes->walk[i];
    for (int i = 0; i < calls && n < MOST_EVENTS; i++)
        n += algorithm_relations(e, 0, call[i], list + n, MOST_EVENTS - n);
    hold_changing(e, list, n);
}

/* Relations of a call kernel: those of its arguments and of the body. */
void emitter_hold_call(Emitter *e, Term left, Term call) {
    Term list[MOST_EVENTS];
    list[0] = 0; /* there may be none */
    hold_changing(e, list, algorithm_relations(e, left, call, list, MOST_EVENTS));
}

void emitter_mode(const Emitter *e, const Held *held, int r, Text *out) {
    if (e->run) text_printf(out, "%d + %d*i", held->base + r, held->nodes);
    else text_printf(out, e->count == 1 ? "%d" : "%d + i", held->base + r * e->count);
}

bool emitter_event_index(const void *context, Term node, Text *index) {
    const Emitter *e = context;
    const Held    *held = held_here(e);
    for (int r = 0; r < held->nodes; r++)
        if (held->node[r] == node) {
            emitter_mode(e, held, r, index);
            return true;
        }
    return false;
}

/* Delays of the kernel being written: what they ask for is remembered. */
void emitter_hold_past(Emitter *e, Term value) {
    if (!(e->shapes->node[value].flags & NODE_IMPURE)) return;
    int   n = expr_walk(e->shapes, value), found = 0;
    Term *node = mem_resize(NULL, ((size_t)n + 1) * sizeof *node);
    for (int i = 0; i < n; i++)
        if (expr_op(e->shapes, e->shapes->walk[i]) == TERM_DELAY ||
            expr_op(e->shapes, e->shapes->walk[i]) == TERM_SPATIAL)
            node[found++] = e->shapes->walk[i];
    POOL_GROW(&e->shapes->arena, e->past, e->past_room, e->pasts + 1);
    e->past[e->pasts++] = (Held){e->group, e->position, e->access, node, found, 0};
}
