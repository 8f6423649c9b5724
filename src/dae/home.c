/* SPDX-License-Identifier: Apache-2.0 */
/* home.c -- where code finds values: in the integrator's vectors or among all values.
 *
 * Copying states in and derivatives out costs as much as computing them if a model is large, so
 * code reads states from the vector it is handed and writes derivatives into the one it is to
 * fill. Both are in the order of the states, which are numbered in the order of variables. All
 * other variables have a place of their own in the array of values.
 *
 * A slot has one home in all rows of its group, and an array one home for all its elements.
 * Where states stand beside other variables the slot reads the array of values, and those states
 * are also copied there before the code runs (Plan.copied). A derivative has one home everywhere:
 * if a slot mixes it with others, or a loop starts from its last value, it lives among the values
 * and is copied out after the code (Plan.written is false). As one such derivative makes other
 * slots mixed, the slots are looked at until nothing changes. Linear in rows and slots, times
 * the rounds, of which there are one to three. */
#include "dae/dae.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct Homes {
    Plan *plan;
    int  *number; /* by variable: state + 1, of a derivative -1 - state; 0 of others */
    bool  changed;
    bool  lean; /* the group runs for derivatives alone too; else all states are copied */
    /* elements of the slot: one, or all of an array */
    int *offset, offsets, room; /* from the first element */
} Homes;

static Home home_of(const Homes *h, int var, int *state) {
    int number = h->number[var];
    *state = abs(number) - 1;
    if (number > 0) return HOME_STATES;
    return number < 0 && h->plan->written[*state] ? HOME_RATES : HOME_VALUES;
}

/* ---- slots -------------------------------------------------------------------------------- */

static void list_elements(Homes *h, int row, int slot) {
    int            rank, count = 1;
    const int32_t *sizes = structure_sizes(h->plan->st, row, slot, &rank);
    for (int d = 0; d < rank; d++) count *= sizes[2 * d];
    GROW(h->offset, h->room, count);
    h->offsets = count;
    for (int e = 0; e < count; e++) {
        h->offset[e] = 0;
        for (int d = rank - 1, rest = e; d >= 0; rest /= sizes[2 * d], d--)
            h->offset[e] += rest % sizes[2 * d] * sizes[2 * d + 1];
    }
}

/* The home of all elements in all rows; VALUES, and *mixed, if they have several. */
static Home common_home(const Homes *h, const Access *a, int count, bool *mixed) {
    Home common = HOME_VALUES;
    *mixed = false;
    for (int i = 0; i < count && !*mixed; i++) {
        int  var = plan_variable(h->plan, a, i), first, state;
        Home home = home_of(h, var, &first);
        for (int e = 1; e < h->offsets && !*mixed; e++)
            *mixed = home_of(h, var + h->offset[e], &state) != home ||
                     (home != HOME_VALUES && state != first + h->offset[e]);
        if (i == 0) common = home;
        *mixed |= home != common;
    }
    return *mixed ? HOME_VALUES : common;
}

/* The slot reads the array of values: what it needs must be there. */
static void keep_values(Homes *h, const Access *a, int count) {
    for (int i = 0; i < count; i++)
        for (int e = 0; e < h->offsets; e++) {
            int  state;
            Home home = home_of(h, plan_variable(h->plan, a, i) + h->offset[e], &state);
            if (home == HOME_STATES && h->lean) h->plan->copied[state] = true;
            if (home != HOME_RATES) continue;
            h->plan->written[state] = false;
            h->changed = true;
        }
}

/* at + step*i, or a list of states. */
static void place(const Homes *h, Access *a, int count) {
    Plan *plan = h->plan;
    int   state;
    home_of(h, plan_variable(plan, a, 0), &a->at);
    a->step = 0;
    if (count > 1) {
        home_of(h, plan_variable(plan, a, 1), &state);
        a->step = state - a->at;
    }
    bool affine = true;
    for (int i = 2; i < count && affine; i++) {
        home_of(h, plan_variable(plan, a, i), &state);
        affine = state == a->at + a->step * i;
    }
    if (affine || a->list >= 0) return; /* a list made before is still right */
    GROW(plan->table, plan->table_room, plan->tables + (uint32_t)count);
    a->list = (int)plan->tables;
    for (int i = 0; i < count; i++)
        home_of(h, plan_variable(plan, a, i), &plan->table[plan->tables++]);
}

/* Finds the home of one slot of a kernel. */
static void look(Homes *h, Access *a, int row, int slot, int count) {
    const Structure *st = h->plan->st;
    const Shapes    *shapes = st->sys->shapes;
    TermOp           op = expr_op(shapes, shape_leaf(shapes, st->shape[row], slot));
    bool past = shapes->node[shapes->shape[st->shape[row]].root].flags & NODE_IMPURE;
    bool mixed = false;
    if (a->home == HOME_LOCAL || (op != TERM_SLOT && op != TERM_ARRAY_SLOT)) return;
    if (a->table < 0 && a->stride == 0) count = 1; /* the same in all rows */
    if (op == TERM_ARRAY_SLOT) {
        list_elements(h, row, slot);
    } else {
        h->offsets = 1;
        h->offset[0] = 0;
    }
    if (!h->offsets) return;
    /* a variable with a past is known by its place among the values */
    Home home = past ? HOME_VALUES : common_home(h, a, count, &mixed);
    a->home = home;
    if (past || mixed) keep_values(h, a, count);
    else if (home != HOME_VALUES) place(h, a, count);
}

static void look_at_all(Homes *h) {
    const Plan   *plan = h->plan;
    const Shapes *shapes = plan->st->sys->shapes;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        int          access = group->access;
        h->lean = !group->shown && !group->discrete;
        for (int j = 0; j < group->size; j++) {
            int row = plan->st->eq_row[plan->item[group->item + j]];
            int slots = shapes->shape[plan->st->shape[row]].slots;
            for (int k = 0; k < slots; k++)
                look(h, &plan->access[access + k], row, k, group->count);
            access += slots;
        }
    }
}

/* ---- states and their derivatives ---------------------------------------------------------- */

/* A derivative that code computes has one state whose derivative it is: the first. */
static void number_states(Homes *h) {
    const Structure *st = h->plan->st;
    for (int v = 0, state = 0; v < st->vars; v++) {
        if (st->role[v] != ROLE_STATE) continue;
        int rate = st->next[v];
        h->number[v] = state + 1;
        if (rate >= 0 && st->role[rate] == ROLE_UNKNOWN && st->eq_of[rate] >= 0 &&
            st->next_sign[v] > 0 && !h->number[rate] &&
            !st->block[st->block_of[st->eq_of[rate]]].discrete) {
            h->number[rate] = -1 - state;
            h->plan->written[state] = true;
        }
        state++;
    }
    for (int g = 0; g < h->plan->groups; g++) { /* a loop starts from its last solution */
        const Group *group = &h->plan->group[g];
        for (int i = 0; group->kind == GROUP_LOOP && i < group->count * group->size;
             i++) {
            int number = h->number[st->var_of[h->plan->item[group->item + i]]];
            if (number < 0) h->plan->written[-1 - number] = false;
        }
    }
}

void plan_homes(Plan *plan) {
    const Structure *st = plan->st;
    assert(plan->uses.start);
    ASSERT_SLOWLY(plan_has_needs(plan));
    Homes h = {.plan = plan, .number = mem_take((size_t)st->vars, sizeof(int))};
    GROW(h.offset, h.room, 1);
    plan->written = NEW(&plan->arena, uint8_t, st->states + 1);
    plan->copied = NEW(&plan->arena, uint8_t, st->states + 1);
    number_states(&h);
    do {
        h.changed = false;
        if (st->states) look_at_all(&h);
    } while (h.changed);
    MEM_FREE(h.offset, h.number);
    assert(plan_has_homes(plan));
    ASSERT_SLOWLY(plan_homes_agree(plan));
}
