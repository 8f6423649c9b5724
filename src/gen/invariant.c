/* SPDX-License-Identifier: Apache-2.0 */
/* invariant.c -- constraints that states keep up to drift, as C text.
 *
 * They are few and are looked at once a step, so each row has a statement of its own. */
#include "gen/access.h"

static void slot_text(const void *context, int slot, Text *out) {
    const RowText *i = context;
    const Shapes  *shapes = i->st->sys->shapes;
    bool           number =
        expr_op(shapes, shape_leaf(shapes, i->st->shape[i->row], slot)) == TERM_NUMBER;
    text_printf(out, number ? "(%d)" : "v[%d]", i->st->slot[i->st->first[i->row] + slot]);
}

static int first_of(const RowText *i, int slot) {
    return i->st->slot[i->st->first[i->row] + slot];
}

static Sizes sizes_of(const RowText *i, int slot) {
    Sizes sizes = {.pos = structure_pos(i->st, i->row)};
    sizes.size = structure_sizes(i->st, i->row, slot, &sizes.rank);
    return sizes;
}

static void size_text(const void *context, int slot, int dimension, Text *out) {
    Sizes sizes = sizes_of(context, slot);
    access_size(&sizes, dimension, out);
}

static void element_text(const void *context, int slot, const Text *subscript, int rank,
                         Text *out) {
    Sizes sizes = sizes_of(context, slot);
    text_printf(out, "v[%d", first_of(context, slot));
    access_subscripts(&sizes, subscript, rank, out);
    text_char(out, ']');
}

static void gather_text(const void *context, int slot, int temp, Text *out) {
    Sizes sizes = sizes_of(context, slot);
    Text  array = {0};
    text_printf(&array, "v + %d", first_of(context, slot));
    access_extent(&sizes, "", &array);
    access_gather(temp, &array, out);
}

bool gen_invariants(const Plan *plan, Diag *diag, Text *out) {
    const Structure *st = plan->st;
    bool             fine = true;
    text_add(out, "void rb_invariants(Rb *c, double *r) {\n"
                  "    double *const v = c->v;\n    (void)v; (void)r;\n");
    for (int k = 0; k < st->drift.rows; k++) {
        RowText i = {st, st->drift.row[k]};
        Text    value = {0};
        CText   c = ctext_new(st->sys->shapes, &i, out, 8, structure_pos(st, i.row));
        ctext_slots(&c, slot_text, element_text, size_text);
        c.gather = gather_text;
        text_add(out, "    {\n        c->top = 0;\n");
        ctext_value(&c, st->sys->shapes->shape[st->shape[i.row]].root, &value);
        text_printf(out, "        r[%d] = %s;\n    }\n", k, text_get(&value));
        if (c.missing) {
            if (diag) diag_report(diag, c.pos, CODE_G101, "no code for a constraint");
            fine = false;
        }
        text_free(&value);
    }
    text_add(out, "}\n\n");
    return fine;
}
