/* SPDX-License-Identifier: Apache-2.0 */
/* relation.c -- the relations of a plan that cause events: where each stands, what its crossing
 * reads. Their numbers are those of the generated code. Linear in what is read. */
#include "gen/emitter.h"

typedef struct Reader {
    Relations  *to;
    const bool *slot; /* by slot: the relation uses it */
    uint32_t    room;
    int         count; /* variables so far */
} Reader;

static void read_variable(void *context, int var, int slot) {
    Reader *r = context;
    if (!r->slot[slot]) return;
    GROW(r->to->var, r->room, r->count + 1);
    r->to->var[r->count++] = var;
}

/* Marks the slots that a relation or its guard uses. */
static void mark_slots(Shapes *shapes, Term node, bool *slot, bool on) {
    int n = node ? expr_walk(shapes, node) : 0;
    for (int i = 0; i < n; i++) {
        const Node *x = expr_node(shapes, shapes->walk[i]);
        if (x->op == TERM_SLOT || x->op == TERM_ARRAY_SLOT) slot[x->index] = on;
    }
}

void relations_find(Relations *to, const Plan *plan, bool reads) {
    Emitter e;
    Text    none = {0};
    emitter_open(&e, plan, NULL, &none);
    size_t n = (size_t)e.holds->relations + 1;
    *to = (Relations){.count = e.holds->relations,
                      .place = mem_take(n, sizeof(int)),
                      .item = mem_take(n, sizeof(int)),
                      .start = mem_take(n, sizeof(int)),
                      .timed = mem_take(n, sizeof(bool)),
                      .term = mem_take(n, sizeof(Term)),
                      .guard = mem_take(n, sizeof(Term))};
    Reader reader = {.to = to};
    int    k = 0;
    for (int h = 0; h < (int)plan->bodies; h++) {
        const Held  *held = &e.holds->held[h];
        const Group *group = &plan->group[held->group];
        if (!held->nodes) continue;
        emitter_enter(&e, group, held->position, held->access);
        bool *slot = mem_take((size_t)e.shapes->shape[e.shape].slots, sizeof *slot);
        reader.slot = slot;
        for (int r = 0; r < held->nodes; r++) {
            EventTimes times;
            const bool timed = expr_op(e.shapes, held->node[r]) == TERM_SAMPLE ||
                               emitter_event_times(&e, held->node[r], &times) ||
                               emitter_ahead(&e, held, r);
            const bool plain =
                r < held->own && expr_op(e.shapes, held->node[r]) != TERM_CALL;
            mark_slots(e.shapes, held->node[r], slot, true);
            mark_slots(e.shapes, held->guard[r], slot, true);
            for (int i = 0; i < group->count; i++, k++) {
                to->place[k] = h;
                to->item[k] = group->item + i * group->size + held->position;
                to->start[k] = reader.count;
                to->timed[k] = timed;
                to->term[k] = plain ? held->node[r] : 0;
                to->guard[k] = plain ? held->guard[r] : 0;
                if (!reads) continue;
                structure_uses(plan->st, plan->st->eq_row[plan->item[to->item[k]]],
                               read_variable, &reader);
            }
            mark_slots(e.shapes, held->node[r], slot, false);
            mark_slots(e.shapes, held->guard[r], slot, false);
        }
        mem_free(slot);
    }
    to->start[k] = reader.count;
    emitter_close(&e);
    text_free(&none);
}

void relations_free(Relations *r) {
    mem_free(r->place), mem_free(r->item), mem_free(r->start), mem_free(r->var),
        mem_free(r->timed), mem_free(r->term), mem_free(r->guard);
    *r = (Relations){0};
}
