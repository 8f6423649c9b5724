/* SPDX-License-Identifier: Apache-2.0 */
/* action.c -- assertions, reinit, terminate and calls without results as C text.
 *
 * Actions read variables only, so they run after the equations. Assertions outside when-clauses
 * are a function of their own, because they hold between events, too. In clocked partitions those of when-clauses
 * happen in the rounds of event iteration, others once, after these (live/round.c). Rows of a family become one loop
 * where the kept variables are affine in the row, else one statement per row. */
#include "gen/access.h"

typedef struct Action {
    const Structure *st;
    Shapes          *shapes;
    const Family    *family;
    int              number;        /* of the family among the actions */
    int             *base, *stride; /* by slot: variable of row i */
    int8_t          *sign;          /* by slot */
    bool             loop;
    bool             rows; /* one row i is wanted, not all */
    Text            *out;
    bool             failed;
    KeepTerm *keep; /* directions are written, and their terms told; NULL: values */
    void     *keeper;
} Action;

/* Slots beyond those of the shape are directions, the last one that of the time, as in emitter.h. */
static void direction_text(const Action *a, int slot, Text *out) {
    if (slot == a->shapes->shape[a->family->shape].slots) {
        text_add(out, "c->dt[k]");
        return;
    }
    text_printf(out, "(%sc->d[(%d", a->sign[slot] < 0 ? "-" : "", a->base[slot]);
    if (a->loop && a->stride[slot]) text_printf(out, " + %d*i", a->stride[slot]);
    text_add(out, ")*W + k])");
}

static void slot_text(const void *context, int slot, Text *out) {
    const Action *a = context;
    const int     slots = a->shapes->shape[a->family->shape].slots;
    if (slot >= slots) {
        direction_text(a, slot - slots, out);
        return;
    }
    bool number =
        expr_op(a->shapes, shape_leaf(a->shapes, a->family->shape, slot)) == TERM_NUMBER;
    text_add(out, number ? "(" : a->sign[slot] < 0 ? "(-v[" : "v[");
    text_printf(out, a->loop && a->stride[slot] ? "%d + %d*i" : "%d", a->base[slot],
                a->stride[slot]);
    text_add(out, number ? ")" : a->sign[slot] < 0 ? "])" : "]");
}

/* Variables that are read as an array are kept, so theirs are the numbers of the row. */
static void array_text(const Action *a, int slot, Text *out) {
    text_printf(out, a->loop && a->stride[slot] ? "%d + %d*i" : "%d", a->base[slot],
                a->stride[slot]);
}

static Sizes sizes_of(const Action *a, int slot) {
    Sizes sizes = {.pos = a->family->pos};
    sizes.size = family_sizes(a->st->sys, a->family, slot, &sizes.rank);
    return sizes;
}

static void element_text(const void *context, int slot, const Text *subscript, int rank,
                         Text *out) {
    Sizes sizes = sizes_of(context, slot);
    text_add(out, "v[");
    array_text(context, slot, out);
    access_subscripts(&sizes, subscript, rank, out);
    text_char(out, ']');
}

static void size_text(const void *context, int slot, int dimension, Text *out) {
    Sizes sizes = sizes_of(context, slot);
    access_size(&sizes, dimension, out);
}

static void gather_text(const void *context, int slot, int temp, Text *out) {
    Sizes sizes = sizes_of(context, slot);
    Text  array = {0};
    text_add(&array, "v + ");
    array_text(context, slot, &array);
    access_extent(&sizes, "", &array);
    access_gather(temp, &array, out);
}

static CText context_of(Action *a, int indent) {
    CText c = ctext_new(a->shapes, a, a->out, indent, a->family->pos);
    ctext_slots(&c, slot_text, element_text, size_text);
    c.gather = gather_text;
    return c;
}

static void value(Action *a, Term e, int indent, Text *result) {
    CText c = context_of(a, indent);
    ctext_value(&c, e, result);
    a->failed |= c.missing != NULL;
}

/* A call for its effect: results are not wanted. */
static void call(Action *a, Term root, int indent) {
    CText           c = context_of(a, indent);
    Text            arguments = {0};
    int             number = a->shapes->node[root].index;
    const Function *f = a->shapes->function[number];
    text_printf(a->out, "%*sc->top = 0;\n", indent, "");
    ctext_arguments(&c, root, &arguments);
    a->failed |= c.missing != NULL;
    for (int k = 0; k < f->outputs; k++) text_add(&arguments, ", 0");
    text_printf(a->out, "%*sf%d(c%s);\n", indent, "", number, text_get(&arguments));
    text_free(&arguments);
}

/* Tells the host, with the text that the model gives. */
static void report(Action *a, Term message, const char *row, const char *what,
                   int indent) {
    Text text = {0};
    text_printf(a->out, "%*sc->top = 0;\n", indent, "");
    value(a, message, indent, &text);
    text_printf(a->out, "%*sc->report(c, %d, %s, %s, %s);\n", indent, "", a->number, row,
                what, text_get(&text));
    text_free(&text);
}

/* c->turn(c, var, directions of the new value of a state). */
static void turn(Action *a, int slot, Term to, int indent) {
    Shapes     *shapes = a->shapes;
    const int   slots = shapes->shape[a->family->shape].slots;
    Term       *seed = mem_take((size_t)slots, sizeof *seed);
    const char *reason = NULL;
    Text        x = {0};
    for (int k = 0; k < slots; k++) {
        const Node *leaf = expr_node(shapes, shape_leaf(shapes, a->family->shape, k));
        if (leaf->op == TERM_SLOT && leaf->type == TYPE_REAL)
            seed[k] = expr_slot(shapes, slots + k, TYPE_REAL);
        else if (leaf->op == TERM_ARRAY_SLOT && leaf->type == TYPE_REAL) a->failed = true;
    }
    Term d = expr_direction(shapes, to, seed, slots,
                            expr_slot(shapes, 2 * slots, TYPE_REAL), &reason);
    mem_free(seed);
    a->failed |= !d;
    if (!d) return;
    a->keep(a->keeper, d);
    text_printf(a->out, "%*sdouble t[W];\n%*sfor (int k = 0; k < W; k++) {\n", indent, "",
                indent, "");
    text_printf(a->out, "%*sc->top = 0;\n", indent + 4, "");
    value(a, d, indent + 4, &x);
    text_printf(a->out, "%*st[k] = %s(%s);\n%*s}\n%*sc->turn(c, ", indent + 4, "",
                a->sign[slot] < 0 ? "-" : "", text_get(&x), indent, "", indent, "");
    text_printf(a->out, a->loop && a->stride[slot] ? "%d + %d*i" : "%d", a->base[slot],
                a->stride[slot]);
    text_add(a->out, ", t);\n");
    text_free(&x);
}

static void action(Action *a, Term root, int row, int indent) {
    Text x = {0}, where = {0};
    text_printf(&where, a->loop ? "i" : "%d", row);
    switch (expr_op(a->shapes, root)) {
    case TERM_WHEN:
        value(a, expr_arg(a->shapes, root, 0), indent, &x);
        text_printf(a->out, "%*sif (%s) {\n", indent, "", text_get(&x));
        action(a, expr_arg(a->shapes, root, 1), row, indent + 4);
        text_printf(a->out, "%*s}\n", indent, "");
        break;
    case TERM_ASSERT: {
        Text level = {0}, what = {0};
        value(a, expr_arg(a->shapes, root, 0), indent, &x);
        text_printf(a->out, "%*sif (!(%s)) {\n", indent, "", text_get(&x));
        value(a, expr_arg(a->shapes, root, 2), indent + 4, &level);
        text_printf(&what, "%s == 1 ? %d : %d", text_get(&level), REPORT_WARNING,
                    REPORT_ERROR);
        report(a, expr_arg(a->shapes, root, 1), text_get(&where), text_get(&what),
               indent + 4);
        text_printf(a->out, "%*s}\n", indent, "");
        text_free(&level);
        text_free(&what);
        break;
    }
    case TERM_TERMINATE:
        text_printf(&x, "%d", REPORT_TERMINATE);
        report(a, expr_arg(a->shapes, root, 0), text_get(&where), text_get(&x), indent);
        break;
    case TERM_REINIT: {
        int slot = a->shapes->node[expr_arg(a->shapes, root, 0)].index;
        if (a->keep) {
            turn(a, slot, expr_arg(a->shapes, root, 1), indent);
            break;
        }
        value(a, expr_arg(a->shapes, root, 1), indent, &x);
        text_printf(a->out, "%*sc->reinit(c, ", indent, "");
        text_printf(a->out, a->loop && a->stride[slot] ? "%d + %d*i" : "%d",
                    a->base[slot], a->stride[slot]);
        text_printf(a->out, ", %s(%s));\n", a->sign[slot] < 0 ? "-" : "", text_get(&x));
        break;
    }
    case TERM_CALL: call(a, root, indent); break;
    default: a->failed = true;
    }
    text_free(&x);
    text_free(&where);
}

/* Kept variables of row i; false if the row does not continue the pattern. */
static bool fits(Action *a, int i, int *slot) {
    const Structure *st = a->st;
    int              slots = a->shapes->shape[a->family->shape].slots;
    family_slots(st->sys, a->family, i, slot);
    for (int k = 0; k < slots; k++) {
        bool variable =
            expr_op(a->shapes, shape_leaf(a->shapes, a->family->shape, k)) != TERM_NUMBER;
        int    kept = variable ? st->alias[slot[k]] : slot[k];
        int8_t sign = variable ? st->sign[slot[k]] : 1;
        if (i == 0) {
            a->base[k] = kept;
            a->sign[k] = sign;
            a->stride[k] = 0;
        } else if (i == 1) {
            a->stride[k] = kept - a->base[k];
        }
        if (kept != a->base[k] + a->stride[k] * i || sign != a->sign[k]) return false;
    }
    return true;
}

static void family_text(Action *a) {
    Shape shape = a->shapes->shape[a->family->shape];
    int  *slot = mem_take((size_t)shape.slots * 3 + 1, sizeof *slot);
    a->base = slot + shape.slots;
    a->stride = slot + 2 * shape.slots;
    a->sign = mem_take((size_t)shape.slots, 1);
    bool affine = true;
    for (int i = 0; i < a->family->count && affine; i++) affine = fits(a, i, slot);
    a->loop = affine && a->family->count > 1;
    if (a->loop) {
        if (a->rows) text_add(a->out, "    {\n");
        else
            text_printf(a->out, "    for (int i = 0; i < %d; i++) {\n", a->family->count);
        action(a, shape.root, 0, 8);
        text_add(a->out, "    }\n");
    }
    for (int i = 0; i < a->family->count && !a->loop; i++) {
        Family one = *a->family;
        family_slots(a->st->sys, &one, i, slot);
        for (int k = 0; k < shape.slots; k++) {
            bool variable =
                expr_op(a->shapes, shape_leaf(a->shapes, one.shape, k)) != TERM_NUMBER;
            a->base[k] = variable ? a->st->alias[slot[k]] : slot[k];
            a->sign[k] = variable ? a->st->sign[slot[k]] : 1;
        }
        if (a->rows) text_printf(a->out, "    if (i == %d) {\n", i);
        else text_add(a->out, "    {\n");
        action(a, shape.root, i, 8);
        text_add(a->out, "    }\n");
    }
    MEM_FREE(a->sign, slot);
}

bool action_is_check(const Shapes *shapes, const Family *family) {
    return expr_op(shapes, shapes->shape[family->shape].root) == TERM_ASSERT;
}

/* Of a clocked partition: the phase at whose ticks the family happens; else -1. */
static int phase_of(const Action *a) {
    const System *sys = a->st->sys;
    int           slots = a->shapes->shape[a->family->shape].slots, phase = -1;
    int          *slot = mem_take((size_t)slots, sizeof *slot);
    family_slots(sys, a->family, 0, slot);
    for (int k = 0; a->st->base && k < slots && phase < 0; k++) {
        if (expr_op(a->shapes, shape_leaf(a->shapes, a->family->shape, k)) == TERM_NUMBER)
            continue;
        int sub = system_sub(sys, slot[k]);
        if (sub >= 0) phase = 2 * (sub - sys->clocks->base[a->st->base - 1].first) + 1;
    }
    mem_free(slot);
    return phase;
}

/* Does it happen when something becomes true? */
static bool is_occasion(Shapes *shapes, const Family *family) {
    Term root = shapes->shape[family->shape].root;
    if (expr_op(shapes, root) != TERM_WHEN) return false;
    int n = expr_walk(shapes, expr_arg(shapes, root, 0));
    for (int i = 0; i < n; i++) {
        TermOp op = expr_op(shapes, shapes->walk[i]);
        if (op == TERM_EDGE || op == TERM_INITIAL) return true;
    }
    return false;
}

/* One function of the families that are, or are not, assertions outside when-clauses. */
static bool function_text(const Plan *plan, Diag *diag, bool checks, Text *out) {
    const Families *families = &plan->st->sys->set[ROWS_ACTION];
    bool            fine = true;
    text_printf(out, "void %s(Rb *c) {\n    double *const v = c->v;\n    (void)v;\n",
                checks ? "rb_checks" : "rb_actions");
    for (int f = 0; f < families->count; f++) {
        Action a = {.st = plan->st,
                    .shapes = plan->st->sys->shapes,
                    .family = &families->family[f],
                    .number = f,
                    .out = out};
        if (action_is_check(a.shapes, a.family) != checks ||
            a.family->partition != plan->st->base)
            continue;
        int phase = phase_of(&a);
        if (phase >= 0)
            text_printf(out, "    if (c->ticks[%d] && %s) {\n", phase,
                        checks                            ? "1"
                        : is_occasion(a.shapes, a.family) ? "c->live"
                                                          : "!c->live");
        family_text(&a);
        if (phase >= 0) text_add(out, "    }\n");
        if (!a.failed) continue;
        if (diag)
            diag_report(diag, a.family->pos, CODE_G101, "%s",
                        "the statement uses an operator that has no code yet");
        fine = false;
    }
    text_add(out, "}\n\n");
    return fine;
}

static bool is_reinit(const Shapes *shapes, const Family *family) {
    Term root = shapes->shape[family->shape].root;
    if (expr_op(shapes, root) == TERM_WHEN) root = expr_arg(shapes, root, 1);
    return expr_op(shapes, root) == TERM_REINIT;
}

/* rb_action: single rows of the families that only set states. */
static void single_text(const Plan *plan, Text *out) {
    const Families *families = &plan->st->sys->set[ROWS_ACTION];
    const Shapes   *shapes = plan->st->sys->shapes;
    const int       n = plan->selective ? families->count : 0;
    for (int f = 0; f < n; f++) {
        const Family *family = &families->family[f];
        Action        a = {.st = plan->st,
                           .shapes = plan->st->sys->shapes,
                           .family = family,
                           .number = f,
                           .rows = true,
                           .out = out};
        if (!is_reinit(shapes, family)) continue;
        text_printf(out,
                    "static int a%d(Rb *c, const int *item, int n) {\n"
                    "    double *const v = c->v;\n    (void)v;\n"
                    "    for (int q = 0; q < n; q++) {\n"
                    "    const int i = item[q];\n    (void)i;\n",
                    f);
        family_text(&a);
        text_add(out, "    }\n    return c->failed;\n}\n\n");
    }
    text_add(out, "ListCode *rb_action(int family) {\n    switch (family) {\n");
    for (int f = 0; f < n; f++)
        if (is_reinit(shapes, &families->family[f]))
            text_printf(out, "    case %d: return a%d;\n", f, f);
    text_add(out, "    default: return 0;\n    }\n}\n\n");
}

bool gen_turns(const Plan *plan, KeepTerm *keep, void *owner, Text *out) {
    const Families *families = &plan->st->sys->set[ROWS_ACTION];
    const Shapes   *shapes = plan->st->sys->shapes;
    bool            fine = true;
    text_add(out, "void rb_turns(Rb *c) {\n    double *const v = c->v;\n    (void)v;\n");
    for (int f = 0; f < families->count && plan->st->base == 0; f++) {
        Action a = {.st = plan->st,
                    .shapes = plan->st->sys->shapes,
                    .family = &families->family[f],
                    .number = f,
                    .out = out,
                    .keep = keep,
                    .keeper = owner};
        if (!is_reinit(shapes, a.family) || a.family->partition) continue;
        family_text(&a);
        fine = fine && !a.failed;
    }
    text_add(out, "}\n\n");
    return fine;
}

bool gen_actions(const Plan *plan, Diag *diag, Text *out) {
    bool checks = function_text(plan, diag, true, out);
    single_text(plan, out);
    return function_text(plan, diag, false, out) && checks;
}
