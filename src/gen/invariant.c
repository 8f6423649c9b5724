/* SPDX-License-Identifier: Apache-2.0 */
/* invariant.c -- constraints that states keep up to drift, as C text.
 *
 * They are few and are looked at once a step, so each row has a statement of its own. */
#include "gen/gen.h"

#include <string.h>

typedef struct Invariant {
    const Structure *st;
    int              row;
} Invariant;

static void slot_text(const void *context, int slot, Text *out) {
    const Invariant *i = context;
    const Shapes    *shapes = i->st->sys->shapes;
    bool             number =
        expr_op(shapes, shape_leaf(shapes, i->st->shape[i->row], slot)) == TERM_NUMBER;
    text_printf(out, number ? "(%d)" : "v[%d]", i->st->slot[i->st->first[i->row] + slot]);
}

static void element_text(const void *context, int slot, const Text *subscript, int rank,
                         Text *out) {
    const Invariant *i = context;
    int              dims;
    const int32_t   *sizes = structure_sizes(i->st, i->row, slot, &dims);
    text_printf(out, "v[%d", i->st->slot[i->st->first[i->row] + slot]);
    for (int d = 0; d < rank && d < dims; d++)
        text_printf(out, " + %d*(rb_sub(c, %s, %d, %d, %uu) - 1)", sizes[2 * d + 1],
                    text_get(&subscript[d]), sizes[2 * d], d + 1,
                    structure_pos(i->st, i->row));
    text_char(out, ']');
}

static void size_text(const void *context, int slot, int dimension, Text *out) {
    const Invariant *i = context;
    int              dims;
    const int32_t   *sizes = structure_sizes(i->st, i->row, slot, &dims);
    text_printf(out, "%d", dimension <= dims ? sizes[2 * (dimension - 1)] : 1);
}

static void gather_text(const void *context, int slot, int temp, Text *out) {
    const Invariant *i = context;
    int              dims;
    const int32_t   *sizes = structure_sizes(i->st, i->row, slot, &dims);
    text_printf(out, "rb_gather(c, t%d, v + %d, %d, (int[]){", temp,
                i->st->slot[i->st->first[i->row] + slot], dims);
    for (int d = 0; d < dims; d++) text_printf(out, d ? ", %d" : "%d", sizes[2 * d]);
    text_add(out, "}, (int[]){");
    for (int d = 0; d < dims; d++) text_printf(out, d ? ", %d" : "%d", sizes[2 * d + 1]);
    text_add(out, "})");
}

bool gen_invariants(const Plan *plan, Diag *diag, Text *out) {
    const Structure *st = plan->st;
    bool             fine = true;
    text_add(out, "void rb_invariants(Rb *c, double *r) {\n"
                  "    double *const v = c->v;\n    (void)v; (void)r;\n");
    for (int k = 0; k < st->drift.rows; k++) {
        Invariant i = {st, st->drift.row[k]};
        Text      value = {0};
        CText     c = {.shapes = st->sys->shapes,
                       .slot = slot_text,
                       .element = element_text,
                       .size = size_text,
                       .gather = gather_text,
                       .context = &i,
                       .out = out,
                       .indent = 8,
                       .pos = structure_pos(st, i.row)};
        size_t    before = out->length;
        text_add(out, "    {\n        c->top = 0;\n");
        ctext_value(&c, st->sys->shapes->shape[st->shape[i.row]].root, &value);
        text_printf(out, "        r[%d] = %s;\n    }\n", k, text_get(&value));
        if (strstr(text_get(out) + before, "rb_unsupported")) {
            diag_report(diag, c.pos, CODE_G101, "no code for a constraint");
            fine = false;
        }
        text_free(&value);
    }
    text_add(out, "}\n\n");
    return fine;
}
