/* SPDX-License-Identifier: Apache-2.0 */
/* node.c -- nodes of the expression DAG: making, hash-consing.
 *
 * A node is found by the hash of its operator, data and arguments, so equal expressions
 * are one node (hash-consing, Ershov 1958; Goto 1974). Arguments exist before their user,
 * therefore the number of an argument is always smaller: ascending order is evaluation
 * order. What is folded while making is in fold.c. Expected O(arguments) per node. */
#include "expr/expr.h"
#include "expr/fold.h"

#include <assert.h>
#include <string.h>

void shapes_init(Shapes *shapes, Strings *strings) {
    *shapes = (Shapes){.strings = strings, .nodes = 1};
    GROW(shapes->node, shapes->node_room, 256);
    shapes->node[0] = (Node){.index = -1};
    uint32_t room = 0;
    GROW(shapes->table, room, 1024);
    memset(shapes->table, 0, 1024 * sizeof *shapes->table);
    shapes->mask = 1023;
    shapes->zero = expr_real(shapes, 0);
    shapes->one = expr_real(shapes, 1);
}

void shapes_free(Shapes *shapes) {
    MEM_FREE(shapes->node, shapes->arg, shapes->table, shapes->shape, shapes->leaf,
             shapes->order, shapes->mark, shapes->place, shapes->walk, shapes->solution,
             shapes->function);
    map_free(&shapes->of_root);
    map_free(&shapes->inlined);
    map_free(&shapes->literals.of);
    mem_free(shapes->literals.text);
    for (int i = 0; i < LENGTH(shapes->cache); i++) map_free(&shapes->cache[i]);
    arena_free(&shapes->arena);
    *shapes = (Shapes){0};
}

int shapes_literal(Shapes *shapes, Str text) {
    Literals *l = &shapes->literals;
    if (!l->count) {
        GROW(l->text, l->room, 1);
        l->text[l->count++] = 0;
    }
    int64_t found = text ? map_get(&l->of, text, -1) : 0;
    if (found >= 0) return (int)found;
    GROW(l->text, l->room, l->count + 1);
    l->text[l->count] = text;
    map_put(&l->of, text, l->count);
    return l->count++;
}

static uint64_t hash_node(const Node *node, const Term *args) {
    uint64_t bits;
    memcpy(&bits, &node->integer, sizeof bits);
    uint64_t h = (uint64_t)node->op << 56 | (uint64_t)node->type << 48 |
                 (uint64_t)node->rank << 40 | (uint32_t)node->index;
    h = hash_mix(h ^ bits * 0x9e3779b97f4a7c15u);
    for (uint32_t k = 0; k < node->n; k++)
        h = (h ^ args[k]) * 0x9e3779b97f4a7c15u + (h >> 29);
    return hash_mix(h);
}

static bool equal(const Shapes *shapes, Term expr, const Node *node, const Term *args) {
    const Node *other = &shapes->node[expr];
    return other->op == node->op && other->type == node->type &&
           other->rank == node->rank && other->n == node->n &&
           other->index == node->index && other->integer == node->integer &&
           (!node->n || !memcmp(shapes->arg + other->arg, args, node->n * sizeof *args));
}

static void rehash(Shapes *shapes) {
    uint32_t room = shapes->mask + 1, slots = 2 * room;
    GROW(shapes->table, room, slots);
    memset(shapes->table, 0, slots * sizeof *shapes->table);
    shapes->mask = slots - 1;
    for (Term e = 1; e < shapes->nodes; e++) {
        const Node *node = &shapes->node[e];
        uint32_t    i = (uint32_t)hash_node(node, shapes->arg + node->arg) & shapes->mask;
        while (shapes->table[i]) i = (i + 1) & shapes->mask;
        shapes->table[i] = e;
    }
}

static int node_flags(const Shapes *shapes, const Node *node, const Term *args) {
    int  flags = 0, traits = term_info[node->op].traits;
    bool real = false;
    for (uint32_t k = 0; k < node->n; k++) {
        flags |= shapes->node[args[k]].flags;
        real |= shapes->node[args[k]].type == TYPE_REAL;
    }
    switch (node->op) {
    case TERM_SLOT:
    case TERM_ARRAY_SLOT:
    case TERM_NUMBER: return NODE_SLOTS;
    case TERM_TIME: return NODE_TIME;
    case TERM_ITERATOR: return NODE_BOUND;
    case TERM_CALL: {
        const Function *f =
            node->index < shapes->functions ? shapes->function[node->index] : NULL;
        return flags | NODE_CALLS | (f && f->flags & FUNCTION_IMPURE ? NODE_IMPURE : 0);
    }
    case TERM_NO_EVENT: return flags & ~NODE_EVENTS;
    case TERM_SMOOTH: {
        double order = 0;
        expr_literal(shapes, args[0], &order);
        return order >= 1 ? flags & ~NODE_EVENTS : flags;
    }
    case TERM_SAMPLE: return flags | NODE_EVENTS;
    }
    if (node->op >= TERM_CLOCK && node->op <= TERM_CLOCK_OF) flags |= NODE_CLOCKED;
    if (traits & TRAIT_OPAQUE) flags |= NODE_IMPURE;
    if (traits & TRAIT_EVENT && real && flags & (NODE_SLOTS | NODE_TIME))
        flags |= NODE_EVENTS;
    return flags;
}

Term node_intern(Shapes *shapes, Node node, const Term *args) {
    uint32_t i = (uint32_t)hash_node(&node, args) & shapes->mask;
    for (; shapes->table[i]; i = (i + 1) & shapes->mask)
        if (equal(shapes, shapes->table[i], &node, args)) return shapes->table[i];
    node.flags = (uint8_t)node_flags(shapes, &node, args);
    GROW(shapes->node, shapes->node_room, shapes->nodes + 1);
    if (node.n) {
        GROW(shapes->arg, shapes->arg_room, shapes->args + node.n);
        node.arg = shapes->args;
        memcpy(shapes->arg + node.arg, args, node.n * sizeof *args);
        shapes->args += node.n;
    }
    Term e = shapes->nodes++;
    shapes->ders += node.op == TERM_DER;
    shapes->node[e] = node;
    shapes->table[i] = e;
    if (shapes->nodes > shapes->mask / 2) rehash(shapes);
    return e;
}

/* ---- leaves --------------------------------------------------------------------------- */

static Term leaf(Shapes *shapes, TermOp op, Type type, int rank, int index,
                 int64_t integer) {
    return node_intern(shapes,
                       (Node){.op = (uint8_t)op,
                              .type = (uint8_t)type,
                              .rank = (uint8_t)rank,
                              .index = index,
                              .integer = integer},
                       NULL);
}

Term expr_real(Shapes *shapes, double value) {
    if (value == 0) value = 0; /* no negative zero: one literal for 0 */
    Node node = {.op = TERM_REAL, .type = TYPE_REAL, .index = -1};
    node.real = value;
    return node_intern(shapes, node, NULL);
}

Term expr_integer(Shapes *shapes, int64_t value) {
    return leaf(shapes, TERM_INTEGER, TYPE_INTEGER, 0, -1, value);
}

Term expr_boolean(Shapes *shapes, bool value) {
    return leaf(shapes, TERM_BOOLEAN, TYPE_BOOLEAN, 0, -1, value);
}

Term expr_string(Shapes *shapes, Str value) {
    return leaf(shapes, TERM_STRING, TYPE_STRING, 0, -1, value);
}

Term expr_enum(Shapes *shapes, int enumeration, int ordinal) {
    return leaf(shapes, TERM_ENUM, TYPE_ENUM, 0, enumeration, ordinal);
}

Term expr_time(Shapes *shapes) {
    return leaf(shapes, TERM_TIME, TYPE_REAL, 0, -1, 0);
}

Term expr_slot(Shapes *shapes, int slot, Type type) {
    return leaf(shapes, TERM_SLOT, type, 0, slot, 0);
}

Term expr_array_slot(Shapes *shapes, int slot, Type type, int rank) {
    return leaf(shapes, TERM_ARRAY_SLOT, type, rank, slot, 0);
}

Term expr_number(Shapes *shapes, int slot) {
    return leaf(shapes, TERM_NUMBER, TYPE_INTEGER, 0, slot, 0);
}

Term expr_iterator(Shapes *shapes, int iterator) {
    return leaf(shapes, TERM_ITERATOR, TYPE_INTEGER, 0, iterator, 0);
}

/* ---- operators -------------------------------------------------------------------------- */

static Type common(Type a, Type b) {
    if (a == b || b == TYPE_NONE) return a;
    if (a == TYPE_NONE) return b;
    return a == TYPE_REAL || b == TYPE_REAL ? TYPE_REAL : a;
}

/* Type of the value by the rule of the operator's table entry. */
static Type type_of(const Shapes *shapes, TermOp op, const Term *args, int n) {
    Type type = TYPE_NONE;
    switch (term_info[op].type) {
    case 'R': return TYPE_REAL;
    case 'I': return TYPE_INTEGER;
    case 'B': return TYPE_BOOLEAN;
    case 'S': return TYPE_STRING;
    case 'C': return TYPE_CLOCK;
    case 'N':
        for (int k = 0; k < n; k++) type = common(type, shapes->node[args[k]].type);
        return type;
    case 'A':
        if (op == TERM_SUM_OF || op == TERM_PRODUCT_OF || op == TERM_MIN_OF ||
            op == TERM_MAX_OF || op == TERM_EACH)
            return shapes->node[args[n - 1]].type;
        if (op == TERM_ARRAY)
            for (int k = 1; k < n; k++) type = common(type, shapes->node[args[k]].type);
        return n ? common(shapes->node[args[0]].type, type) : TYPE_NONE;
    case 'L':
        for (int k = 1; k < n; k += 2) type = common(type, shapes->node[args[k]].type);
        return n % 2 ? common(type, shapes->node[args[n - 1]].type) : type;
    }
    return TYPE_NONE;
}

static int rank_of(const Shapes *shapes, TermOp op, const Term *args, int n) {
    switch (op) {
    case TERM_ARRAY: return shapes->node[args[0]].rank + 1;
    case TERM_EACH: return shapes->node[args[n - 1]].rank + 1;
    case TERM_ELEMENT: {
        int rank = shapes->node[args[0]].rank - (n - 1);
        return rank > 0 ? rank : 0;
    }
    case TERM_IF:
    case TERM_WHEN: return shapes->node[args[1]].rank;
    case TERM_NO_EVENT:
    case TERM_NEG:
    case TERM_HOLD:
    case TERM_SAMPLE_CLOCKED: return shapes->node[args[0]].rank;
    default: return 0;
    }
}

Term expr_indexed(Shapes *shapes, TermOp op, int index, const Term *args, int n) {
    assert(n >= term_info[op].least &&
           (term_info[op].most < 0 || n <= term_info[op].most));
    Node node = {.op = (uint8_t)op,
                 .type = (uint8_t)type_of(shapes, op, args, n),
                 .rank = (uint8_t)rank_of(shapes, op, args, n),
                 .n = (uint32_t)n,
                 .index = index};
    if (op == TERM_FROM_ORDINAL) node.type = TYPE_ENUM;
    return node_intern(shapes, node, args);
}

Term expr_make(Shapes *shapes, TermOp op, const Term *args, int n) {
    for (int k = 0; k < n; k++) assert(args[k] && args[k] < shapes->nodes);
    Term folded = node_fold(shapes, op, args, n, type_of(shapes, op, args, n));
    return folded ? folded : expr_indexed(shapes, op, -1, args, n);
}

Term expr_1(Shapes *shapes, TermOp op, Term a) {
    return expr_make(shapes, op, &a, 1);
}

Term expr_2(Shapes *shapes, TermOp op, Term a, Term b) {
    return expr_make(shapes, op, (Term[]){a, b}, 2);
}

Term expr_3(Shapes *shapes, TermOp op, Term a, Term b, Term c) {
    return expr_make(shapes, op, (Term[]){a, b, c}, 3);
}

Term expr_sub(Shapes *shapes, Term a, Term b) {
    return expr_2(shapes, TERM_ADD, a, expr_1(shapes, TERM_NEG, b));
}

Term expr_call(Shapes *shapes, int function, int result, Type type, int rank,
               const Term *args, int n) {
    return node_intern(shapes,
                       (Node){.op = TERM_CALL,
                              .type = (uint8_t)type,
                              .rank = (uint8_t)rank,
                              .n = (uint32_t)n,
                              .index = function,
                              .integer = result},
                       args);
}

Term expr_rebuild(Shapes *shapes, Term expr, const Term *args) {
    Node node = shapes->node[expr];
    if (!node.n || !memcmp(shapes->arg + node.arg, args, node.n * sizeof *args))
        return expr;
    if (node.op == TERM_CALL) return node_intern(shapes, node, args);
    if (node.index >= 0)
        return expr_indexed(shapes, (TermOp)node.op, node.index, args, (int)node.n);
    return expr_make(shapes, (TermOp)node.op, args, (int)node.n);
}

bool expr_is_literal(const Shapes *shapes, Term expr) {
    TermOp op = expr_op(shapes, expr);
    return op >= TERM_REAL && op <= TERM_ENUM;
}

bool expr_literal(const Shapes *shapes, Term expr, double *value) {
    return node_literal(&shapes->node[expr], value);
}

bool expr_is_zero(const Shapes *shapes, Term expr) {
    double value;
    return expr_literal(shapes, expr, &value) && value == 0;
}
