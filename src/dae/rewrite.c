/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite.c -- rows with the kept variables of alias.c in their slots.
 *
 * Where a sign is negative, one variable now stands in two slots, or a variable is a number for good,
 * a variant of the shape is made once per pattern. */
#include "dae/rewrite.h"

#include <string.h>

static Variant make_variant(Rewrite *w, int number) {
    Shapes *shapes = w->st->sys->shapes;
    int     slots = shapes->shape[number].slots;
    Term   *from = mem_resize(NULL, 2 * (size_t)slots * sizeof *from), *to = from + slots;
    for (int k = 0; k < slots; k++) {
        from[k] = shape_leaf(shapes, number, k);
        to[k] = 0;
        if (expr_op(shapes, from[k]) != TERM_SLOT) continue;
        if (w->pattern[k] < 0) {
            to[k] = constancy_term(shapes, (Constancy)-w->pattern[k], from[k]);
            continue;
        }
        to[k] = shape_leaf(shapes, number, w->pattern[k] >> 1);
        if (w->pattern[k] & 1) to[k] = expr_1(shapes, TERM_NEG, to[k]);
    }
    Term       root = expr_replace(shapes, shapes->shape[number].root, from, to, slots);
    const int *order;
    int        shape = shape_of(shapes, expr_simplify(shapes, root), &order);
    int        n = shapes->shape[shape].slots;
    Variant    variant = {shape, (int)known_order(&w->known, order, n)};
    mem_free(from);
    return variant;
}

static const Variant *find_variant(Rewrite *w, int shape) {
    const int slots = w->st->sys->shapes->shape[shape].slots, before = w->known.count;
    const int number =
        known_shape(&w->known, shape, w->pattern, (size_t)slots * sizeof *w->pattern);
    GROW(w->variant, w->variant_room, before + 1);
    if (number == before) w->variant[number] = make_variant(w, shape);
    return &w->variant[number];
}

static bool is_number(const Structure *st, int v, int shape, int slot) {
    return st->constancy[v] >= IS_ZERO && constancy_fits(st->sys->shapes, shape, slot);
}

/* Puts kept variables into w->kept; true if signs, repetitions or numbers change the shape. spared:
 * the slot of a number that stays, -1 if none. */
static bool substitute(Rewrite *w, int shape, const int *slot, bool numbers, int spared) {
    Structure    *st = w->st;
    const Shapes *shapes = st->sys->shapes;
    bool          changed = false;
    w->stamp++;
    for (int k = 0; k < shapes->shape[shape].slots; k++) {
        w->pattern[k] = 2 * k;
        w->kept[k] = slot[k];
        if (expr_op(shapes, shape_leaf(shapes, shape, k)) != TERM_SLOT) continue;
        int old = slot[k], v = st->alias[old];
        w->kept[k] = v;
        if (numbers && k != spared && is_number(st, v, shape, k)) {
            w->pattern[k] =
                -(int)constancy_signed((Constancy)st->constancy[v], st->sign[old]);
            changed = true;
            continue;
        }
        if (w->mark[v] == w->stamp) {
            w->pattern[k] = 2 * w->at[v];
            changed = true;
        }
        w->mark[v] = w->stamp;
        w->at[v] = w->pattern[k] >> 1;
        if (st->sign[old] < 0) {
            w->pattern[k] |= 1;
            changed = true;
        }
    }
    return changed;
}

void rewrite_begin(Rewrite *w, Structure *st) {
    *w = (Rewrite){.st = st, .spared = SPARE_NONE};
    w->mark = mem_take(2 * ((size_t)st->vars + 1), sizeof *w->mark);
    w->at = w->mark + st->vars;
}

void rewrite_end(Rewrite *w) {
    MEM_FREE(w->mark, w->pattern, w->moved, w->kept, w->sizes, w->variant);
    known_shapes_free(&w->known);
}

/* Does anything unknown stand in the row besides numbers? */
static bool outlives_numbers(const Rewrite *w, int shape, const int *slot) {
    const Structure *st = w->st;
    const Shapes    *shapes = st->sys->shapes;
    bool             numbers = false, others = false;
    for (int k = 0; k < shapes->shape[shape].slots; k++) {
        TermOp op = expr_op(shapes, shape_leaf(shapes, shape, k));
        int    v = op == TERM_SLOT ? st->alias[slot[k]] : slot[k];
        if (op == TERM_NUMBER) continue;
        if (op == TERM_SLOT && is_number(st, v, shape, k)) numbers = true;
        else others |= st->role[v] != ROLE_KNOWN;
    }
    return numbers && others;
}

/* The shape without numbers. If nothing is left the row is one that makes one of its
 * variables zero, x = 0*y, and keeps that. NULL if it says nothing. */
static const Variant *without_numbers(Rewrite *w, int shape, const int *slot) {
    const Structure *st = w->st;
    const Shapes    *shapes = st->sys->shapes;
    substitute(w, shape, slot, true, w->spared);
    const Variant *variant = find_variant(w, shape);
    if (shapes->shape[variant->shape].slots) return variant;
    for (int k = 0; k < shapes->shape[shape].slots; k++) {
        if (expr_op(shapes, shape_leaf(shapes, shape, k)) != TERM_SLOT ||
            st->constancy[st->alias[slot[k]]] != IS_ZERO)
            continue;
        substitute(w, shape, slot, true, k);
        variant = find_variant(w, shape);
        if (shapes->shape[variant->shape].slots == 1) return variant;
    }
    return NULL;
}

static int add_variant(Rewrite *w, const Variant *variant, const int32_t *const *sizes,
                       int source, int of) {
    Structure *st = w->st;
    int        n = st->sys->shapes->shape[variant->shape].slots;
    GROW(w->moved, w->moved_room, n + 1);
    GROW(w->sizes, w->sizes_room, n + 1);
    for (int k = 0; k < n; k++) {
        int old = w->known.order[variant->first + k];
        w->moved[k] = w->kept[old];
        if (sizes) w->sizes[k] = sizes[old];
    }
    return structure_add_row(st, variant->shape, w->moved, sizes ? w->sizes : NULL,
                             source, of);
}

int rewrite_add(Rewrite *w, int shape, const int *slot, const int32_t *const *sizes,
                int source, int of) {
    Structure    *st = w->st;
    const Shapes *shapes = st->sys->shapes;
    GROW(w->pattern, w->pattern_room, shapes->shape[shape].slots + 1);
    GROW(w->kept, w->kept_room, shapes->shape[shape].slots + 1);
    bool numbers =
        w->spared >= 0 || (w->spared == SPARE_NONE && outlives_numbers(w, shape, slot));
    if (numbers) {
        const Variant *variant = without_numbers(w, shape, slot);
        if (variant) return add_variant(w, variant, sizes, source, of);
    }
    if (!substitute(w, shape, slot, false, -1))
        return structure_add_row(st, shape, w->kept, sizes, source, of);
    return add_variant(w, find_variant(w, shape), sizes, source, of);
}
