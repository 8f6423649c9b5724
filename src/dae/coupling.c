/* SPDX-License-Identifier: Apache-2.0 */
/* coupling.c -- which values lead from one clocked partition to another, as text.
 *
 * Every operator between partitions is a coupling from the partition of its argument to that of its row.
 * Equal ones are counted together. Linear in rows times different couplings. */
#include "dae/dae.h"

typedef struct Coupling {
    int     from, to; /* sub-clock partitions, -1: the continuous part */
    int     op;       /* TermOp */
    int64_t number;   /* factor or counter, 0 if none is given */
    int     values;
    int     shown; /* a variable with a name, -1 */
} Coupling;

typedef struct Couplings {
    Coupling *item;
    int       count;
    uint32_t  room;
} Couplings;

static bool is_coupling(TermOp op) {
    return op == TERM_SAMPLE_CLOCKED || op == TERM_HOLD ||
           (op >= TERM_SUB_SAMPLE && op <= TERM_NO_CLOCK);
}

static void add(Couplings *all, const System *sys, Coupling one, int var) {
    int named = sys->run[system_run_of(sys, var)].owner >= 0 ? var : -1;
    for (int k = 0; k < all->count; k++) {
        Coupling *c = &all->item[k];
        if (c->from != one.from || c->to != one.to || c->op != one.op ||
            c->number != one.number)
            continue;
        c->values++;
        if (c->shown < 0) c->shown = named;
        return;
    }
    GROW(all->item, all->room, all->count + 1);
    one.values = 1;
    one.shown = named;
    all->item[all->count++] = one;
}

/* The partition of a row: that of its first variable that stands outside of the operator. */
static int partition_of_row(const RowWalk *walk, int argument) {
    const Shapes *shapes = walk->sys->shapes;
    int           shape = walk->family.shape;
    for (int k = 0; k < shapes->shape[shape].slots; k++) {
        if (expr_op(shapes, shape_leaf(shapes, shape, k)) == TERM_NUMBER) continue;
        if (walk->slot[k] != argument) return system_sub(walk->sys, walk->slot[k]);
    }
    return -1;
}

static void look_at(Couplings *all, const RowWalk *walk) {
    Shapes *shapes = walk->sys->shapes;
    int     n = expr_walk(shapes, shapes->shape[walk->family.shape].root);
    for (int i = 0; i < n; i++) {
        Term        term = shapes->walk[i];
        const Node *node = expr_node(shapes, term);
        if (!is_coupling((TermOp)node->op) || node->type == TYPE_CLOCK) continue;
        Term arg = expr_arg(shapes, term, 0);
        if (expr_op(shapes, arg) != TERM_SLOT) continue;
        int      var = walk->slot[expr_node(shapes, arg)->index];
        double   number = 0;
        Coupling one = {.op = node->op};
        if (node->n > 1 && node->op != TERM_SAMPLE_CLOCKED)
            expr_literal(shapes, expr_arg(shapes, term, 1), &number);
        one.number = (int64_t)number;
        one.from = system_sub(walk->sys, var);
        one.to = node->op == TERM_HOLD ? -1 : partition_of_row(walk, var);
        add(all, walk->sys, one, var);
    }
}

static void print_place(const Clocks *c, int sub, Text *out) {
    if (sub < 0) text_add(out, "continuous");
    else
        text_printf(out, "%d.%d", c->sub[sub].base + 1,
                    sub - c->base[c->sub[sub].base].first + 1);
}

static void print_coupling(const System *sys, const Coupling *c, Text *out) {
    static const char *const name[] = {"subSample", "superSample", "shiftSample",
                                       "backSample", "noClock"};
    text_add(out, "  ");
    print_place(sys->clocks, c->from, out);
    text_add(out, " -> ");
    print_place(sys->clocks, c->to, out);
    text_printf(out, " by %s",
                c->op == TERM_HOLD             ? "hold"
                : c->op == TERM_SAMPLE_CLOCKED ? "sample"
                                               : name[c->op - TERM_SUB_SAMPLE]);
    if (c->number) text_printf(out, " %lld", (long long)c->number);
    text_printf(out, ", %d value%s", c->values, c->values == 1 ? "" : "s");
    if (c->shown >= 0) {
        text_add(out, ": ");
        system_name(sys, c->shown, out);
        if (c->values > 1) text_add(out, ", ...");
    }
    text_char(out, '\n');
}

void couplings_report(const System *sys, Text *out) {
    Couplings all = {0};
    RowWalk   walk = {.sys = sys, .set = ROWS_EQUATION};
    while (row_walk(&walk)) look_at(&all, &walk);
    if (all.count) text_add(out, "couplings of partitions\n");
    for (int k = 0; k < all.count; k++) print_coupling(sys, &all.item[k], out);
    mem_free(all.item);
}
