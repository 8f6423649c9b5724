/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.c -- the matrix dr/dz of a torn block as C text, entry by entry.
 *
 * The formulas y of a block follow one after the other from its iteration variables z, and so do their derivatives
 *     dy/dz_j = sum over k of df/dx_k dx_k/dz_j,      x_k: earlier formulas and iteration variables
 * (forward mode). Which of these are zero for whatever values is known from the structure; the others are
 * variables y<formula>_<j> of the function. In a chain of bodies a formula feels few of the iteration
 * variables, and what stands outside of the block has no derivative at all: there is much less to do than with
 * W whole columns at a time (tangent.c), which serves where this would grow: blocks left whole, arrays,
 * derivatives of calls with many arguments.
 * (Griewank and Walther, Evaluating Derivatives, 2008, section 7: sparse forward mode.)
 *
 * Length: a statement for each entry of dy/dz and dr/dz that may not be zero, for all rows of the group. */
#include <string.h>

#include "gen/tangent.h"

enum {
    MOST_COLUMNS = 64,    /* bits of a mask */
    MOST_PRODUCTS = 20000 /* in a function */
};

typedef struct Entries { /* of one group */
    const Group *group;
    int          torn, formulas;
    uint64_t    *feels;    /* by formula: bit j: it depends on z_j */
    int         *source;   /* by slot of the kernel: see OUTSIDE */
    int          slots;    /* room of source */
    int          products; /* so far */
} Entries;

/* Of a slot: -1 what does not move, k < torn: z_k, torn + j: formula j. */
enum { OUTSIDE = -1 };

/* By variable + 1: where it stands in the block of a row. */
static void places_of(const Writer *w, const Entries *x, int row, Map *place) {
    const Plan      *plan = w->e.plan;
    const Structure *st = plan->st;
    const int       *item = plan->item + x->group->item + row * x->group->size;
    for (int k = 0; k < x->torn; k++)
        map_put(place, (uint64_t)plan_iteration(plan, x->group, row, k) + 1, k + 1);
    for (int j = 0; j < x->formulas; j++) {
        const int var = st->var_of[item[j]];
        if (writer_is_real(st, var)) map_put(place, (uint64_t)var + 1, x->torn + j + 1);
    }
}

typedef struct Look {
    const Map *place;
    Writer    *w;
    Entries   *x;
    bool       first, same;
} Look;

static void look_at_slot(void *context, int var, int slot) {
    Look       *look = context;
    const Node *leaf = expr_node(look->w->e.shapes,
                                 shape_leaf(look->w->e.shapes, look->w->e.shape, slot));
    const int   at = leaf->type == TYPE_REAL
                         ? (int)map_get(look->place, (uint64_t)var + 1, 0) - 1
                         : OUTSIDE;
    if (at >= 0 && leaf->op != TERM_SLOT) look->same = false;
    if (look->first) look->x->source[slot] = at;
    else look->same &= look->x->source[slot] == at;
}

/* Where the slots of the kernel entered come from. False: not the same in all rows, or arrays are among them. */
static bool find_sources(Writer *w, Entries *x, const Map *place) {
    const Plan *plan = w->e.plan;
    Look        look = {.w = w, .x = x, .same = true};
    GROW(x->source, x->slots, w->seeds);
    for (int k = 0; k < w->seeds; k++) x->source[k] = OUTSIDE;
    for (int i = 0; i < x->group->count && look.same; i++) {
        const int eq = plan->item[x->group->item + w->e.position + i * x->group->size];
        look.place = &place[i];
        look.first = i == 0;
        structure_uses(plan->st, plan->st->eq_row[eq], look_at_slot, &look);
    }
    return look.same;
}

static uint64_t felt(const Entries *x, int source) {
    if (source == OUTSIDE) return 0;
    return source < x->torn ? (uint64_t)1 << source : x->feels[source - x->torn];
}

/* One product: the factor of a slot times what that is derived by z_j. */
static void product_text(const Writer *w, const Entries *x, Term factor, int number,
                         int source, int j, Text *sum) {
    double      value;
    const bool  literal = expr_literal(w->e.shapes, factor, &value);
    const bool  minus = literal && value < 0, unit = source < x->torn;
    const bool  one = literal && (value == 1 || value == -1);
    const char *sign = minus ? (sum->length ? " - " : "-") : sum->length ? " + " : "";
    text_add(sum, sign);
    if (!literal) text_printf(sum, "g[%d]", number);
    else if (!one || unit) ctext_number(sum, minus ? -value : value);
    if (unit) return;
    text_printf(sum, one ? "y%d_%d" : "*y%d_%d", source - x->torn, j);
}

/* The statements of one kernel: a formula, or residual r >= 0. */
static bool entries_text(Writer *w, Entries *x, Term value, int formula, int r) {
    Shapes  *shapes = w->e.shapes;
    Term    *part = mem_take(2 * (size_t)w->seeds + 1, sizeof *part);
    Term    *factor = part + w->seeds; /* by slot, 0: it does not matter */
    int      parts = 0, moving = 0;
    uint64_t feels = 0;
    for (int k = 0; k < w->seeds; k++) moving += felt(x, x->source[k]) != 0;
    if (moving > w->few && shapes->node[value].flags & NODE_CALLS) {
        mem_free(part);
        return false;
    }
    for (int k = 0; k < w->seeds; k++) {
        if (!felt(x, x->source[k])) continue;
        w->seed[k] = shapes->one;
        const Term d = writer_direction(w, value, w->seed);
        w->seed[k] = 0;
        if (d == shapes->zero) continue;
        factor[k] = d;
        feels |= felt(x, x->source[k]);
        if (!expr_is_literal(shapes, d)) part[parts++] = d;
    }
    if (formula >= 0) x->feels[formula] = feels;
    for (int j = 0; j < x->torn && formula >= 0; j++)
        if (feels >> j & 1) text_printf(w->e.out, "    double y%d_%d;\n", formula, j);
    text_add(w->e.out, "    {\n");
    writer_factors(w, part, parts, 8);
    for (int j = 0; j < x->torn; j++) {
        Text sum = {0};
        if (!(feels >> j & 1)) continue;
        for (int k = 0, number = 0; k < w->seeds; k++) {
            if (!factor[k]) continue;
            if (felt(x, x->source[k]) >> j & 1) {
                product_text(w, x, factor[k], number, x->source[k], j, &sum);
                x->products++;
            }
            number += !expr_is_literal(shapes, factor[k]);
        }
        if (formula >= 0) text_printf(w->e.out, "        y%d_%d", formula, j);
        else text_printf(w->e.out, "        a[%d]", j * x->torn + r);
        text_printf(w->e.out, " = %s;\n", text_get(&sum));
        text_free(&sum);
    }
    text_add(w->e.out, "    }\n");
    mem_free(part);
    return x->products <= MOST_PRODUCTS;
}

static bool kernels_text(Writer *w, Entries *x, const Map *place) {
    const Plan   *plan = w->e.plan;
    const Access *access = plan->access + x->group->access;
    bool          fine = true;
    for (int j = 0; j < x->group->size && fine; j++) {
        const int     number = plan->body[x->group->body + j], r = j - x->formulas;
        const Kernel *kernel = &plan->kernel[number];
        const int     var = plan->st->var_of[plan->item[x->group->item + j]];
        Term          item = 0;
        emitter_enter(&w->e, x->group, j, access);
        access += emitter_slots(&w->e, number);
        if (r < 0 && !writer_is_real(plan->st, var)) continue; /* it moves in steps */
        if (kernel->kind != (r < 0 ? KERNEL_SOLVE : KERNEL_RESIDUAL)) return false;
        Term value = emitter_value(&w->e, kernel, &item);
        if (!value || (item && expr_op(w->e.shapes, item) != TERM_SLOT)) return false;
        if (expr_op(w->e.shapes, value) == TERM_EQUATION)
            value = expr_residual(w->e.shapes, value);
        writer_seeds(w, emitter_slots(&w->e, number));
        fine = find_sources(w, x, place) && entries_text(w, x, value, r < 0 ? j : -1, r);
    }
    return fine;
}

bool matrix_text(Writer *w, int group) {
    const Group *g = &w->e.plan->group[group];
    Text        *out = w->e.out, body = {0};
    Entries      x = {.group = g, .torn = g->torn, .formulas = g->size - g->torn};
    if (g->torn > MOST_COLUMNS || x.formulas == 0) return false;
    Map *place = mem_take((size_t)g->count, sizeof *place);
    for (int i = 0; i < g->count; i++) places_of(w, &x, i, &place[i]);
    x.feels = mem_take((size_t)x.formulas, sizeof *x.feels);
    w->few = g->torn;
    w->e.out = &body;
    text_printf(&body,
                "static void m%d(Rb *c, int i, double *a) {\n%s    (void)i;\n"
                "    for (int k = 0; k < %d; k++) a[k] = 0;\n",
                group, gen_head, g->torn * g->torn);
    const bool fine = kernels_text(w, &x, place);
    text_add(&body, "}\n\n");
    w->e.out = out;
    if (fine) text_bytes(out, body.data, body.length);
    text_free(&body);
    for (int i = 0; i < g->count; i++) map_free(&place[i]);
    MEM_FREE(place, x.feels, x.source);
    return fine;
}
