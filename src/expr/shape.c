/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c -- walks over expressions, and shapes: roots with slots in canonical order.
 *
 * A walk visits the nodes below a root with an explicit stack and sorts them by number, which
 * is evaluation order. Marks are stamps, so a walk costs O(m^1.3) for m nodes, however
 * large the pool is.
 *
 * Two equations that differ only in how their slots are numbered are the same shape: slots
 * are renumbered in the order of their first appearance from left to right. A root that was
 * met before costs one look-up. */
#include "expr/expr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void new_stamp(Shapes *shapes) {
    uint32_t old = shapes->mark_room;
    GROW(shapes->mark, shapes->mark_room, shapes->nodes);
    GROW(shapes->place, shapes->place_room, shapes->nodes);
    if (shapes->mark_room > old)
        memset(shapes->mark + old, 0, (shapes->mark_room - old) * sizeof *shapes->mark);
    shapes->stamp++;
}

/* Appends e to the walk if it is new. */
static uint32_t visit(Shapes *shapes, uint32_t n, Term e) {
    if (shapes->mark[e] == shapes->stamp) return n;
    shapes->mark[e] = shapes->stamp;
    GROW(shapes->walk, shapes->walk_room, n + 1);
    shapes->walk[n] = e;
    return n + 1;
}

/* Most walks are short: insertion with falling distances (Shell 1959) needs no memory and no call
 * for a comparison. */
static void sort_walk(Term *walk, uint32_t n) {
    uint32_t gap = 1;
    while (gap < n / 3) gap = 3 * gap + 1;
    for (; gap; gap /= 3)
        for (uint32_t i = gap; i < n; i++) {
            Term     own = walk[i];
            uint32_t k = i;
            for (; k >= gap && walk[k - gap] > own; k -= gap) walk[k] = walk[k - gap];
            walk[k] = own;
        }
}

enum { LONG_WALK = 100, SPREAD = 16 };

/* The nodes of a long walk often lie close together: then their marks tell the order. */
static bool order_by_marks(const Shapes *shapes, Term *walk, uint32_t n) {
    Term least = walk[0], most = walk[0];
    if (n < LONG_WALK) return false;
    for (uint32_t i = 1; i < n; i++) {
        if (walk[i] < least) least = walk[i];
        if (walk[i] > most) most = walk[i];
    }
    if ((uint64_t)most - least > (uint64_t)SPREAD * n) return false;
    for (Term e = least; e <= most; e++)
        if (shapes->mark[e] == shapes->stamp) *walk++ = e;
    return true;
}

int expr_walk(Shapes *shapes, Term root) {
    new_stamp(shapes);
    uint32_t n = visit(shapes, 0, root);
    for (uint32_t i = 0; i < n; i++) { /* breadth first: the list is its own queue */
        const Node *node = &shapes->node[shapes->walk[i]];
        for (uint32_t k = 0; k < node->n; k++)
            n = visit(shapes, n, shapes->arg[node->arg + k]);
    }
    if (!order_by_marks(shapes, shapes->walk, n)) sort_walk(shapes->walk, n);
    for (uint32_t i = 0; i < n; i++) shapes->place[shapes->walk[i]] = i;
    return (int)n;
}

Term expr_replace(Shapes *shapes, Term root, const Term *from, const Term *to, int n) {
    int   count = expr_walk(shapes, root);
    Term *result = mem_resize(NULL, 2 * (size_t)count * sizeof *result);
    Term *list = result + count;
    memset(result, 0, (size_t)count * sizeof *result);
    memcpy(list, shapes->walk, (size_t)count * sizeof *list);
    for (int k = 0; k < n; k++)
        if (to[k] && from[k] < shapes->mark_room &&
            shapes->mark[from[k]] == shapes->stamp)
            result[shapes->place[from[k]]] = to[k];
    Term     local[64], *args = local;
    uint32_t room = LENGTH(local);
    for (int i = 0; i < count; i++) {
        if (result[i]) continue;
        Node node = shapes->node[list[i]];
        if (node.n > room) {
            if (args != local) mem_free(args);
            args = mem_take(room = node.n, sizeof *args);
        }
        for (uint32_t k = 0; k < node.n; k++)
            args[k] = result[shapes->place[shapes->arg[node.arg + k]]];
        result[i] = expr_rebuild(shapes, list[i], args);
    }
    Term replaced = result[count - 1];
    if (args != local) mem_free(args);
    mem_free(result);
    return replaced;
}

static bool is_slot(TermOp op) {
    return op == TERM_SLOT || op == TERM_ARRAY_SLOT || op == TERM_NUMBER;
}

/* Slot leaves below root in the order of first appearance; returns their number. They are
 * left at the end of shapes->walk, from *first on. */
static int slots_in_order(Shapes *shapes, Term root, uint32_t *first, uint32_t *nodes) {
    new_stamp(shapes);
    Term    *stack = NULL, *found = NULL;
    uint32_t stack_room = 0, found_room = 0, depth = 0;
    int      n = 0;
    *nodes = 0;
    GROW(stack, stack_room, 64);
    stack[depth++] = root;
    while (depth) {
        Term e = stack[--depth];
        if (shapes->mark[e] == shapes->stamp) continue;
        shapes->mark[e] = shapes->stamp;
        ++*nodes;
        const Node *node = &shapes->node[e];
        if (is_slot((TermOp)node->op)) {
            GROW(found, found_room, n + 1);
            found[n++] = e;
        }
        GROW(stack, stack_room, depth + node->n);
        for (uint32_t k = node->n; k > 0; k--)
            stack[depth++] = shapes->arg[node->arg + k - 1];
    }
    GROW(shapes->leaf, shapes->leaf_room, shapes->leaves + (uint32_t)n);
    *first = shapes->leaves;
    if (n) memcpy(shapes->leaf + *first, found, (size_t)n * sizeof *found);
    MEM_FREE(stack, found);
    return n;
}

static Term renumber(Shapes *shapes, Term leaf, int slot) {
    const Node *node = &shapes->node[leaf];
    Type        type = (Type)node->type;
    if (node->op == TERM_SLOT) return expr_slot(shapes, slot, type);
    if (node->op == TERM_NUMBER) return expr_number(shapes, slot);
    return expr_array_slot(shapes, slot, type, node->rank);
}

/* Enters a root whose slots are numbered canonically; leaves are at `first`. */
static int enter(Shapes *shapes, Term root, uint32_t first, int slots, uint32_t nodes) {
    Shape shape = {.root = root,
                   .slots = slots,
                   .slot = first,
                   .lefts = 1,
                   .nodes = nodes,
                   .dtime = -1};
    for (int k = 0; k < slots; k++)
        shape.wide +=
            expr_op(shapes, shapes->leaf[first + (uint32_t)k]) == TERM_ARRAY_SLOT;
    if (expr_op(shapes, root) == TERM_EQUATION) {
        Term left = expr_arg(shapes, root, 0);
        if (expr_op(shapes, left) == TERM_TUPLE)
            shape.lefts = (uint16_t)shapes->node[left].n;
    }
    shapes->leaves = first + (uint32_t)slots;
    GROW(shapes->shape, shapes->shape_room, shapes->count + 1);
    shapes->shape[shapes->count] = shape;
    map_put(&shapes->of_root, root, shapes->count);
    return shapes->count++;
}

int shape_of(Shapes *shapes, Term root, const int **order) {
    int64_t known = map_get(&shapes->of_root, root, -1);
    if (known >= 0) {
        if (order) *order = known >> 32 ? shapes->order + (known >> 32) - 1 : NULL;
        return (int)(known & 0x7fffffff);
    }
    if (order) *order = NULL;
    uint32_t first, nodes;
    int      slots = slots_in_order(shapes, root, &first, &nodes);
    bool     canonical = true;
    for (int k = 0; k < slots; k++)
        canonical &= shapes->node[shapes->leaf[first + (uint32_t)k]].index == k;
    if (canonical) return enter(shapes, root, first, slots, nodes);

    GROW(shapes->order, shapes->order_room, shapes->orders + (uint32_t)slots);
    Term *from = mem_resize(NULL, 2 * (size_t)slots * sizeof *from), *to = from + slots;
    for (int k = 0; k < slots; k++) {
        from[k] = shapes->leaf[first + (uint32_t)k];
        to[k] = renumber(shapes, from[k], k);
        shapes->order[shapes->orders + (uint32_t)k] = shapes->node[from[k]].index;
    }
    Term better = expr_replace(shapes, root, from, to, slots);
    mem_free(from);
    int shape = shape_of(shapes, better, NULL);
    assert(shapes->shape[shape].slots == slots);
    map_put(&shapes->of_root, root, shape | (int64_t)(shapes->orders + 1) << 32);
    if (order) *order = shapes->order + shapes->orders;
    shapes->orders += (uint32_t)slots;
    return shape;
}

int shape_merge(Shapes *shapes, int shape, int from, int into, const int **order) {
    Term old = shape_leaf(shapes, shape, from), new = shape_leaf(shapes, shape, into);
    return shape_of(
        shapes, expr_replace(shapes, shapes->shape[shape].root, &old, &new, 1), order);
}
