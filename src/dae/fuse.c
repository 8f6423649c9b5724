/* SPDX-License-Identifier: Apache-2.0 */
/* fuse.c -- values that one other row alone needs are computed there and not stored.
 *
 * Loops over many rows are bound by memory: a value that is written by one loop and read by
 * another costs three times as much as one that stays in a register. If all values of a group go
 * to one row each, the rows that take them get the kernel of the group in front of their own, and
 * the group itself is left to those who want to see its values (Group.shown). A group whose rows
 * take values from different groups is split into stretches of equal build; where that would be
 * more than a few, nothing is done, so that the text does not grow with the rows.
 *
 * No formula changes, so results do not. Only kernels without relations, calls and arrays take
 * part: relations have their numbers, and calls may fail. Linear in rows and slots. */
#include "dae/plan.h"

#include <assert.h>
#include <string.h>

enum { FEWEST_ROWS = 8, MOST_PARTS = 4, MOST_KERNELS = 8, MANY = -1 };

typedef struct Giver { /* what comes before the kernel of a row */
    int eq;
    int group;
    int taker; /* place of the kernel that takes the value, and its slot */
    int slot;
} Giver;

typedef struct Fuse {
    Plan *plan;
    int *group_of; /* by equation: its group, -1 if it is not evaluated for derivatives */
    int *taker;    /* by variable: the equation that takes it + 1; 0 none, MANY */
    uint8_t *simple; /* by group: its kernel may take values */
    uint8_t *gives;  /* by group: its values are computed where they are taken */
} Fuse;

/* ---- who takes a value --------------------------------------------------------------------- */

static bool is_simple(const Plan *plan, const Group *group) {
    Shapes       *shapes = plan->st->sys->shapes;
    const Kernel *kernel = &plan->kernel[plan->body[group->body]];
    int           shape = kernel->shape;
    if (group->kind != GROUP_ROWS || !group->parallel || group->discrete ||
        group->shown || kernel->kind != KERNEL_SOLVE || shapes->shape[shape].wide)
        return false;
    if (shapes->node[shapes->shape[shape].root].flags & (NODE_CALLS | NODE_IMPURE))
        return false;
    Term value = shape_solve(shapes, shape, kernel->slot).value, relation;
    return value && !ctext_events(shapes, value, &relation, 1);
}

/* What a delay asks for is found by its place. */
static void keep_past(Fuse *f, int row) {
    const Structure *st = f->plan->st;
    const Shapes    *shapes = st->sys->shapes;
    Shape            shape = shapes->shape[st->shape[row]];
    if (!(shapes->node[shape.root].flags & NODE_IMPURE)) return;
    for (int k = 0; k < shape.slots; k++)
        if (expr_op(shapes, shape_leaf(shapes, st->shape[row], k)) == TERM_SLOT)
            f->taker[st->slot[st->first[row] + k]] = MANY;
}

static void find_takers(Fuse *f) {
    const Plan      *plan = f->plan;
    const Structure *st = plan->st;
    const Graph     *graph = &st->graph;
    for (int e = 0; e < st->eqs; e++) f->group_of[e] = -1;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        f->simple[g] = is_simple(plan, group);
        for (int i = 0;
             !group->discrete && !group->shown && i < group->count * group->size; i++) {
            int e = plan->item[group->item + i];
            f->group_of[e] = g;
            keep_past(f, st->eq_row[e]);
            for (int k = graph->start[e]; k < graph->start[e + 1]; k++) {
                int *taker = &f->taker[graph->col[k]];
                if (graph->col[k] == st->var_of[e]) continue;
                *taker = *taker ? MANY : f->simple[g] ? e + 1 : MANY;
            }
        }
    }
    for (int v = 0; v < st->vars; v++) /* derivatives are stored */
        if (st->role[v] == ROLE_STATE && st->next[v] >= 0) f->taker[st->next[v]] = MANY;
}

/* All values of the group are taken by one simple row each. */
static bool can_give(const Fuse *f, int g) {
    const Plan      *plan = f->plan;
    const Structure *st = plan->st;
    const Group     *group = &plan->group[g];
    if (!f->simple[g] || group->count < FEWEST_ROWS) return false;
    for (int i = 0; i < group->count; i++)
        if (f->taker[st->var_of[plan->item[group->item + i]]] <= 0) return false;
    return true;
}

/* ---- what a row takes ----------------------------------------------------------------------- */

/* Givers of an equation, each after its own; returns how many, MANY if too many. */
static int collect(const Fuse *f, int eq, Giver *giver, int n) {
    const Structure *st = f->plan->st;
    const Shapes    *shapes = st->sys->shapes;
    int              row = st->eq_row[eq], slots = shapes->shape[st->shape[row]].slots;
    int              from[MOST_KERNELS], at[MOST_KERNELS], own = 0;
    for (int k = 0; k < slots; k++) {
        int var = st->slot[st->first[row] + k];
        if (expr_op(shapes, shape_leaf(shapes, st->shape[row], k)) != TERM_SLOT) continue;
        if (var == st->var_of[eq] || st->role[var] != ROLE_UNKNOWN) continue;
        int g = f->group_of[st->eq_of[var]];
        if (g < 0 || !f->gives[g]) continue;
        n = collect(f, st->eq_of[var], giver, n);
        if (n == MANY || n + 1 >= MOST_KERNELS || own == MOST_KERNELS) return MANY;
        giver[n] = (Giver){st->eq_of[var], g, -1, k};
        from[own] = k;
        at[own++] = n++;
    }
    for (int k = 0; k < own; k++) { /* the taker stands at n */
        giver[at[k]].taker = n;
        giver[at[k]].slot = from[k];
    }
    return n;
}

static bool same_build(const Giver *a, const Giver *b, int n) {
    for (int k = 0; k < n; k++)
        if (a[k].group != b[k].group || a[k].taker != b[k].taker ||
            a[k].slot != b[k].slot)
            return false;
    return true;
}

/* The end of the rows from `from` on that take from the same groups; *n: givers, MANY. */
static int stretch(const Fuse *f, const Group *group, int from, Giver *first, int *n) {
    const int *item = f->plan->item + group->item;
    int        end = from + 1;
    *n = collect(f, item[from], first, 0);
    for (; end < group->count && *n != MANY; end++) {
        Giver giver[MOST_KERNELS];
        int   own = collect(f, item[end], giver, 0);
        if (own != *n || !same_build(first, giver, own)) break;
    }
    return end;
}

/* Does the group fall into few parts? */
static bool is_regular(const Fuse *f, const Group *group) {
    Giver giver[MOST_KERNELS];
    int   parts = 0, n;
    for (int i = 0; i < group->count; parts++) {
        i = stretch(f, group, i, giver, &n);
        if (n == MANY || parts == MOST_PARTS) return false;
    }
    return true;
}

/* The groups that a group takes from keep their values. */
static bool refuse(Fuse *f, const Group *group) {
    const Structure *st = f->plan->st;
    const Graph     *graph = &st->graph;
    bool             changed = false;
    for (int i = 0; i < group->count; i++) {
        int e = f->plan->item[group->item + i];
        for (int k = graph->start[e]; k < graph->start[e + 1]; k++) {
            int var = graph->col[k];
            if (st->role[var] != ROLE_UNKNOWN || var == st->var_of[e]) continue;
            int g = f->group_of[st->eq_of[var]];
            if (g < 0 || !f->gives[g]) continue;
            f->gives[g] = false;
            changed = true;
        }
    }
    return changed;
}

/* ---- the new groups --------------------------------------------------------------------------- */

static void set_local(Plan *plan, const Group *group, const Giver *giver, int n) {
    const Shapes *shapes = plan->st->sys->shapes;
    Access       *of[MOST_KERNELS + 1], *access = plan->access + group->access;
    for (int j = 0; j <= n; j++) {
        of[j] = access;
        access += shapes->shape[plan->kernel[plan->body[group->body + j]].shape].slots;
    }
    for (int j = 0; j < n; j++) {
        Access *own = &of[j][plan->kernel[plan->body[group->body + j]].slot];
        Access *taken = &of[giver[j].taker][giver[j].slot];
        own->home = taken->home = HOME_LOCAL;
        own->at = taken->at = j;
    }
}

/* Rows from .. to of a group, after what they take. */
static Group part_of(const Fuse *f, const Group *group, int from, int to,
                     const Giver *giver, int n) {
    Plan *plan = f->plan;
    Group part = *group;
    int   kernels[MOST_KERNELS];
    Giver own[MOST_KERNELS];
    part.item = (int)plan->items;
    part.size = n + 1;
    part.count = to - from;
    for (int j = 0; j < n; j++) kernels[j] = plan->body[plan->group[giver[j].group].body];
    kernels[n] = plan->body[group->body];
    for (int i = from; i < to; i++) {
        int eq = plan->item[group->item + i];
        collect(f, eq, own, 0);
        for (int j = 0; j < n; j++) plan_push_item(plan, own[j].eq);
        plan_push_item(plan, eq);
    }
    plan_describe(plan, &part, kernels);
    set_local(plan, &part, giver, n);
    return part;
}

/* Items again in the order of the groups: an item's group is found by bisection. */
static void order_items(Plan *plan) {
    int *item = plan->item;
    plan->item = NULL;
    plan->items = plan->item_room = 0;
    for (int g = 0; g < plan->groups; g++) {
        Group    *group = &plan->group[g];
        const int from = group->item;
        group->item = (int)plan->items;
        for (int i = 0; i < group->count * group->size; i++)
            plan_push_item(plan, item[from + i]);
    }
    mem_free(item);
}

static void rebuild(Fuse *f) {
    Plan    *plan = f->plan;
    Group   *list = NULL;
    uint32_t room = 0;
    int      count = 0;
    for (int g = 0; g < plan->groups; g++) {
        Group group = plan->group[g];
        Giver giver[MOST_KERNELS];
        int   n = 0;
        group.shown |= f->gives[g];
        bool whole = !f->simple[g] || f->gives[g];
        for (int i = 0, end = group.count; i < group.count; i = end) {
            if (!whole) end = stretch(f, &plan->group[g], i, giver, &n);
            GROW(list, room, count + 1);
            bool same = n == 0 && end - i == group.count;
            list[count++] = whole || same ? group : part_of(f, &group, i, end, giver, n);
        }
    }
    mem_free(plan->group);
    plan->group = list;
    plan->groups = count;
    plan->group_room = room;
    order_items(plan);
}

void plan_fuse(Plan *plan) {
    const Structure *st = plan->st;
    assert(plan->written && !plan->selective && !plan->guarded && !plan->holds);
    ASSERT_SLOWLY(plan_has_homes(plan));
    Fuse f = {.plan = plan,
              .group_of = mem_take((size_t)st->eqs, sizeof(int)),
              .taker = mem_take((size_t)st->vars, sizeof(int)),
              .simple = mem_take((size_t)plan->groups, 1),
              .gives = mem_take((size_t)plan->groups, 1)};
    bool any = false, changed = true;
    find_takers(&f);
    for (int g = 0; g < plan->groups; g++) any |= f.gives[g] = can_give(&f, g);
    for (; any && changed;) {
        changed = false;
        for (int g = 0; g < plan->groups; g++)
            if (f.simple[g] && !is_regular(&f, &plan->group[g]))
                changed |= refuse(&f, &plan->group[g]);
    }
    if (any) rebuild(&f);
    MEM_FREE(f.group_of, f.taker, f.simple, f.gives);
    if (any) plan_homes(plan);
}
