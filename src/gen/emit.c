/* SPDX-License-Identifier: Apache-2.0 */
/* emit.c -- the plan as C text.
 *
 * A group of rows is a loop over its rows, a chain is a loop over its sequence, a torn block is a
 * function that gives residuals. Slots are read where the plan says: base + stride*i, or through
 * a table. What is the same for all rows is read before the loop. In a group whose rows do not
 * use each other the target is a restrict pointer, so that compilers make vector code.
 * Single rows stand one after the other, some hundred to a function, because the time of C
 * compilers grows faster than the length of a function. The length of the text follows the
 * number of kernels and groups, not of rows. If the plan asks for it every group is also written
 * as a function of a list of its rows, for evaluation of parts of the model. */
#include "gen/emitter.h"
#include "base/builtin.h"

#include <string.h>

const char gen_prologue[] =
    "enum { RB_TIMES = 144 };\n" BUILTIN_TEXTS
    "/* times found by iteration are this uncertain */\n"
    "static inline double rb_blur(double t, double start, double interval) {\n"
    "    double a = fabs(t), b = fabs(start), blur = 1e-9*(a > b ? a : b);\n"
    "    return blur < 1e-3*interval ? blur : 1e-3*interval;\n"
    "}\n"
    "/* the last tick at or before t */\n"
    "static inline double rb_ticks(double t, double start, double interval) {\n"
    "    return floor((t - start + rb_blur(t, start, interval))/interval);\n"
    "}\n"
    "/* Is there a tick since the event before? At the first event: is it a tick? */\n"
    "static inline double rb_sample(Rb *c, double start, double interval) {\n"
    "    double k = rb_ticks(c->time, start, interval);\n"
    "    if (!c->tick || k < 0) return 0;\n"
    "    if (c->before == c->before) return k > rb_ticks(c->before, start, interval);\n"
    "    return fabs(c->time - start - k*interval) <= rb_blur(c->time, start, "
    "interval);\n"
    "}\n"
    "static inline double rb_tick(double t, double start, double interval) {\n"
    "    double k = rb_ticks(t, start, interval) + 1;\n"
    "    return start + (k > 0 ? k : 0)*interval;\n"
    "}\n"
    "/* Time k of RB_TIMES to be tried, k < 0: now. Of the times first + n*spacing the "
    "last one before\n"
    " * now and the next two, each with 23 times right after it: rounding errors of the "
    "time, then 24 for\n"
    " * those of the formula. */\n"
    "static inline double rb_time(double now, double first, double spacing, double "
    "size,\n"
    "                             int k) {\n"
    "    double w = first;\n"
    "    if (k < 0) return now;\n"
    "    if (spacing > 0) w += spacing*(floor((now - first)/spacing) + k/48);\n"
    "    else if (k >= 48) return now;\n"
    "    return w + ((k%48 < 24 ? fabs(w) : size)*2.2e-16 + 1e-300)*((1 << k%24) - 1);\n"
    "}\n"
    "/* Times that differ by rounding errors are one, the later one. */\n"
    "static inline double rb_later(double when) { return when + fabs(when)*1e-15; }\n"
    "static inline double rb_sooner(double when, double at) {\n"
    "    return rb_later(at) < when ? at : at > when && at <= rb_later(when) ? at : "
    "when;\n"
    "}\n"
    "static inline double rb_homotopy(double l, double actual, double simplified) {\n"
    "    return l >= 1 ? actual : l*actual + (1 - l)*simplified;\n"
    "}\n";

const char gen_head[] = "    double *const v = c->v, *const dx = c->dx;\n"
                        "    const double *const x = c->x;\n"
                        "    const int *const T = c->table;\n"
                        "    (void)v; (void)dx; (void)x; (void)T;\n";

/* ---- slots --------------------------------------------------------------------------------- */

static void index_text(const Emitter *e, int base, int stride, int table, Text *out) {
    if (table >= 0) text_printf(out, "T[%d + i]", table);
    else if (stride == 0 || e->count == 1) text_printf(out, "%d", base);
    else {
        if (base) text_printf(out, "%d + ", base);
        text_printf(out, stride == 1 ? "i" : "%d*i", stride);
    }
}

void emitter_index(const Emitter *e, const Access *a, Text *out) {
    index_text(e, a->base, a->stride, a->table, out);
}

void emitter_place(const Emitter *e, const Access *a, const char *open, Text *out) {
    static const char *const name[] = {
        [HOME_VALUES] = "v", [HOME_STATES] = "x", [HOME_RATES] = "dx"};
    text_printf(out, "%s%s", name[a->home], open);
    if (a->home == HOME_VALUES) emitter_index(e, a, out);
    else index_text(e, a->at, a->step, a->list, out);
}

void emitter_direction(const Emitter *e, const Access *a, Text *out) {
    if (a->home == HOME_LOCAL) {
        text_printf(out, "e%d[k]", a->at);
    } else {
        text_add(out, "d[(");
        emitter_index(e, a, out);
        text_add(out, ")*W + k]");
    }
}

static void value_text(const Emitter *e, const Access *a, Text *out) {
    if (a->home == HOME_LOCAL) {
        text_printf(out, "l%d", a->at);
    } else {
        emitter_place(e, a, "[", out);
        text_char(out, ']');
    }
}

static bool is_constant(const Emitter *e, const Access *a) {
    return a->home != HOME_LOCAL && a->table < 0 && (a->stride == 0 || e->count == 1);
}

/* Slot number beyond those of the shape: the direction of a slot. */
static bool is_direction(const Emitter *e, int *slot) {
    int slots = e->shapes->shape[e->shape].slots;
    if (*slot < slots) return false;
    *slot -= slots;
    return true;
}

void emitter_slot(const void *context, int slot, Text *out) {
    const Emitter *e = context;
    bool           seeded = is_direction(e, &slot);
    const Access  *a = &e->access[slot];
    if (seeded && slot == e->shapes->shape[e->shape].slots) {
        text_add(out, "c->dt[k]"); /* of the time */
    } else if (expr_op(e->shapes, shape_leaf(e->shapes, e->shape, slot)) == TERM_NUMBER) {
        text_char(out, '(');
        emitter_index(e, a, out);
        text_char(out, ')');
    } else if (seeded) {
        emitter_direction(e, a, out);
    } else if (e->hoisted && is_constant(e, a)) {
        text_printf(out, "s%d_%d", e->position, slot);
    } else {
        value_text(e, a, out);
    }
}

static Sizes sizes_of(const Emitter *e, int slot) {
    Sizes sizes = {.pos = structure_pos(e->plan->st, e->row)};
    sizes.size = structure_sizes(e->plan->st, e->row, slot, &sizes.rank);
    return sizes;
}

static void element_text(const void *context, int slot, const Text *subscript, int rank,
                         Text *out) {
    const Emitter *e = context;
    bool           seeded = is_direction(e, &slot);
    Sizes          sizes = sizes_of(e, slot);
    if (seeded) text_add(out, "d[(");
    if (seeded) emitter_index(e, &e->access[slot], out);
    else emitter_place(e, &e->access[slot], "[", out);
    access_subscripts(&sizes, subscript, rank, out);
    text_add(out, seeded ? ")*W + k]" : "]");
}

static void size_text(const void *context, int slot, int dimension, Text *out) {
    is_direction(context, &slot);
    Sizes sizes = sizes_of(context, slot);
    access_size(&sizes, dimension, out);
}

/* "place, rank, {sizes}, {steps}" of an array slot or of its direction */
static void array_place(const Emitter *e, int slot, bool seeded, Text *out) {
    Sizes sizes = sizes_of(e, slot);
    if (seeded) text_add(out, "d + k + W*(");
    if (seeded) emitter_index(e, &e->access[slot], out);
    else emitter_place(e, &e->access[slot], " + ", out);
    if (seeded) text_char(out, ')');
    access_extent(&sizes, seeded ? "W*" : "", out);
}

static void gather_text(const void *context, int slot, int temp, Text *out) {
    bool seeded = is_direction(context, &slot);
    Text place = {0};
    array_place(context, slot, seeded, &place);
    access_gather(temp, &place, out);
}

/* ---- kernels ------------------------------------------------------------------------------- */

static void report_row(Emitter *e, const char *what, const char *reason) {
    Text row = {0};
    if (!e->failed && e->diag) {
        structure_print_row(e->plan->st, e->row, &row);
        diag_report(e->diag, structure_pos(e->plan->st, e->row), CODE_G101,
                    "no code for %s'%.200s'%s%s", what, text_get(&row),
                    *reason ? ": " : "", reason);
    }
    e->failed = true;
    text_free(&row);
}

void emitter_refuse(Emitter *e, const char *reason) {
    report_row(e, "", reason);
}

void emitter_check(Emitter *e, const CText *c) {
    char what[80] = "this operator in ";
    if (!c->missing) return;
    if (*c->missing) snprintf(what, sizeof what, "%s in ", c->missing);
    report_row(e, what, "");
}

CText emitter_ctext(Emitter *e, int indent) {
    CText c = ctext_new(e->shapes, e, e->out, indent, structure_pos(e->plan->st, e->row));
    ctext_slots(&c, emitter_slot, element_text, size_text);
    c.gather = gather_text;
    c.past = emitter_past_index;
    return c;
}

void emitter_text(Emitter *e, Term value, int indent, bool roots, Text *result) {
    CText c = emitter_ctext(e, indent);
    c.event = emitter_event_index;
    if (roots) ctext_arguments(&c, value, result);
    else ctext_value(&c, value, result);
    emitter_check(e, &c);
}

void emitter_target(const Emitter *e, Term item, bool seeded, Text *out) {
    Node node = e->shapes->node[item];
    int  shift = seeded ? e->shapes->shape[e->shape].slots : 0;
    if (node.op != TERM_ELEMENT) {
        emitter_slot(e, node.index + shift, out);
        return;
    }
    Text subscript[ROW_DIMS] = {{0}};
    int  rank = (int)node.n - 1;
    for (int d = 0; d < rank; d++)
        text_printf(
            &subscript[d], "%d",
            (int)e->shapes->node[expr_arg(e->shapes, item, (uint32_t)d + 1)].integer);
    element_text(e, e->shapes->node[expr_arg(e->shapes, item, 0)].index + shift,
                 subscript, rank, out);
    for (int d = 0; d < rank; d++) text_free(&subscript[d]);
}

/* One variable or array of variables at the left of a row with many results. */
void emitter_result(Emitter *e, Term item, const char *value, bool seeded, int indent) {
    bool minus = false;
    for (; expr_op(e->shapes, item) == TERM_NEG; item = expr_arg(e->shapes, item, 0))
        minus = !minus;
    Node node = e->shapes->node[item];
    if (node.op == TERM_ARRAY_SLOT) {
        text_printf(e->out, "%*srb_scatter(c, %s, ", indent, "", value);
        array_place(e, node.index, seeded, e->out);
        text_printf(e->out, ", %d, %uu);\n", minus ? -1 : 1,
                    structure_pos(e->plan->st, e->row));
    } else if (node.op == TERM_SLOT) {
        Text place = {0};
        emitter_slot(e, node.index + (seeded ? e->shapes->shape[e->shape].slots : 0),
                     &place);
        text_printf(e->out, "%*s%s = %s%s;\n", indent, "", text_get(&place),
                    minus ? "-" : "", value);
        text_free(&place);
    } else {
        emitter_refuse(e, "an expression stands at the left of a function");
    }
}

/* (a, b) = f(...), or an array = any array. */
static void results_text(Emitter *e, Term root, int indent) {
    Term  left = expr_arg(e->shapes, root, 0), right = expr_arg(e->shapes, root, 1);
    Text  value = {0};
    bool  tuple = expr_op(e->shapes, left) == TERM_TUPLE;
    Node  call = e->shapes->node[right];
    CText c = emitter_ctext(e, indent);
    if (!tuple) {
        ctext_value(&c, right, &value);
        emitter_result(e, left, text_get(&value), false, indent);
    } else if (call.op != TERM_CALL) {
        emitter_refuse(e, "several results of something that is no function");
    } else {
        const Function *f = e->shapes->function[call.index];
        uint32_t        items = e->shapes->node[left].n;
        ctext_arguments(&c, right, &value);
        for (int k = 0; k < f->outputs; k++) {
            bool array = f->var[f->inputs + k].rank > 0;
            if (k >= (int)items) {
                text_add(&value, ", 0");
                continue;
            }
            text_printf(e->out,
                        array ? "%*sRbArray r%d[1] = {{0}};\n" : "%*sdouble r%d = 0;\n",
                        indent, "", k);
            text_printf(&value, array ? ", r%d" : ", &r%d", k);
        }
        Text site = {0};
        bool path = emitter_path(e, emitter_held(e), right, &site);
        if (path)
            text_printf(e->out, "%*sc->api->path(c, %s, f%d_places);\n", indent, "",
                        text_get(&site), call.index);
        text_printf(e->out, "%*sf%d(c%s);\n", indent, "", call.index, text_get(&value));
        if (path) text_printf(e->out, "%*sc->api->passed(c);\n", indent, "");
        text_free(&site);
        for (uint32_t k = 0; k < items; k++) {
            char name[20];
            snprintf(name, sizeof name, "r%u", k);
            emitter_result(e, expr_arg(e->shapes, left, k), name, false, indent);
        }
    }
    emitter_check(e, &c);
    text_free(&value);
}

Term emitter_value(const Emitter *e, const Kernel *kernel, Term *item) {
    Term value = 0;
    switch ((KernelKind)kernel->kind) {
    case KERNEL_SOLVE:
        *item = shape_leaf(e->shapes, kernel->shape, kernel->slot);
        return shape_solve(e->shapes, kernel->shape, kernel->slot).value;
    case KERNEL_RESIDUAL: *item = 0; return e->shapes->shape[kernel->shape].root;
    case KERNEL_PART:
        *item = structure_part(e->plan->st, e->row, kernel->slot, &value);
        return *item ? value : 0;
    case KERNEL_REST:
        *item = structure_part(e->plan->st, e->row, kernel->slot, &value);
        return *item ? expr_sub(e->shapes, *item, value) : 0;
    case KERNEL_CALL: *item = 0; break;
    }
    return 0;
}

/* c->at = the equation: errors inside functions are shown with the equation that called. */
static void place_text(Emitter *e, int indent) {
    const Group *group = &e->plan->group[e->group];
    text_printf(e->out, "%*sc->at = %d", indent, "", group->item + e->position);
    if (e->run) text_add(e->out, " + i");
    else if (group->count > 1) text_printf(e->out, " + %d*i", group->size);
    text_add(e->out, ";\n");
}

/* The statements of kernel j of a group's body; r >= 0: residual number. */
static void kernel_text(Emitter *e, const Kernel *kernel, int residual, int indent) {
    Text result = {0}, target = {0};
    Term item, value = emitter_value(e, kernel, &item);
    int  n = indent;
    bool calls = e->shapes->node[e->shapes->shape[kernel->shape].root].flags & NODE_CALLS;
    if (residual < 0 && kernel->kind == KERNEL_SOLVE && e->plan->guarded) {
        text_printf(e->out, "%*sif (!c->given || !c->given[", n, "");
        emitter_index(e, &e->access[kernel->slot], e->out);
        text_add(e->out, "]) {\n");
    } else {
        text_printf(e->out, "%*s{\n", n, "");
    }
    if (calls || e->shapes->shape[kernel->shape].wide)
        text_printf(e->out, "%*sc->top = 0;\n", n + 4, "");
    if (calls) place_text(e, n + 4);
    if (kernel->kind == KERNEL_CALL) {
        results_text(e, e->shapes->shape[kernel->shape].root, n + 4);
    } else if (!value) {
        emitter_refuse(e, "it cannot be solved for its unknown");
    } else {
        emitter_text(e, value, n + 4, false, &result);
        if (residual >= 0) text_printf(&target, e->run ? "r[%d + i]" : "r[%d]", residual);
        else if (e->target >= 0) text_add(&target, "y[i]");
        else emitter_target(e, item, false, &target);
        text_printf(e->out, "%*s%s = %s;\n", n + 4, "", text_get(&target),
                    text_get(&result));
    }
    text_printf(e->out, "%*s}\n", n, "");
    text_free(&result);
    text_free(&target);
}

void emitter_local(Emitter *e, const Kernel *kernel, int indent) {
    text_printf(e->out, "%*sdouble l%d;\n", indent, "", e->position);
    kernel_text(e, kernel, -1, indent);
}

int emitter_slots(const Emitter *e, int kernel) {
    return e->shapes->shape[e->plan->kernel[kernel].shape].slots;
}

void emitter_enter(Emitter *e, const Group *group, int j, const Access *access) {
    const Kernel *kernel = &e->plan->kernel[e->plan->body[group->body + j]];
    e->access = access;
    e->shape = kernel->shape;
    e->row = e->plan->st->eq_row[e->plan->item[group->item + j]];
    e->position = j;
    e->group = (int)(group - e->plan->group);
    e->count = group->count;
    e->run = false;
}

int emitter_regular(const Access *access, int n, int step, Access *all) {
    int count = 1;
    *all = access[0];
    if (n > 1) {
        all->stride = access[step].base - access[0].base;
        all->step = access[step].at - access[0].at;
    }
    for (; count < n; count++) {
        const Access *a = &access[(size_t)count * (size_t)step];
        if (a->home != all->home || a->base != all->base + all->stride * count ||
            a->at != all->at + all->step * count)
            break;
    }
    return count;
}

int emitter_unknowns(Emitter *e, const Group *group, const Access *z, int n,
                     Access *all) {
    enum { FEWEST = 3 };
    e->count = group->count;
    int many = group->count > 1 ? 1 : emitter_regular(z, n, 1, all);
    if (many >= FEWEST) return e->count = many;
    *all = z[0];
    return 1;
}

int emitter_run(Emitter *e, const Group *group, int j, const Access *access) {
    enum { FEWEST = 4 };
    const int *body = e->plan->body + group->body;
    int        slots = emitter_slots(e, body[j]), most = 1;
    emitter_enter(e, group, j, access);
    if (group->count > 1 || j < group->size - group->torn) return 1;
    while (j + most < group->size && body[j + most] == body[j]) most++;
    if (most < FEWEST) return 1;
    RESIZE(e->runs, slots + 1);
    for (int k = 0; k < slots; k++) {
        int n = emitter_regular(access + k, most, slots, &e->runs[k]);
        if (n < most) most = n;
    }
    if (most < FEWEST) return 1;
    e->access = e->runs;
    e->count = most;
    e->run = true;
    return most;
}

void emitter_comment(Emitter *e, int indent) {
    const Structure *st = e->plan->st;
    Text             text = {0};
    Pos              pos = structure_pos(st, e->row);
    structure_print_row(st, e->row, &text);
    const char *t = text_get(&text);
    text_printf(e->out, "%*s/* ", indent, "");
    const char *const end = t + (text.length < 300 ? text.length : 300);
    for (const char *p; (p = strstr(t, "*/")) && p < end; t = p + 1)
        text_bytes(e->out, t, (size_t)(p - t));
    if (t < end) text_bytes(e->out, t, (size_t)(end - t));
    if (e->count > 1) text_printf(e->out, "   (first of %d)", e->count);
    if (pos && st->diag && st->diag->sources) {
        const Source *source;
        int           line = source_line(st->diag->sources, pos, &source);
        const char   *path = source ? source->path : NULL;
        const char   *name = path ? strrchr(path, '/') : NULL;
        name = name ? name + 1 : path;
        if (name) text_printf(e->out, "   %s:%d", name, line);
    }
    text_add(e->out, " */\n");
    text_free(&text);
}

/* Slots that are the same in all rows are read before the loop, unless the loop writes them. */
static void hoist(Emitter *e, int number) {
    const Kernel *kernel = &e->plan->kernel[number];
    if (e->shapes->node[e->shapes->shape[e->shape].root].flags & NODE_IMPURE)
        return; /* delay asks for the place of a variable */
    e->hoisted = true;
    for (int k = 0; k < emitter_slots(e, number); k++) {
        if (k == kernel->slot || !is_constant(e, &e->access[k])) continue;
        if (expr_op(e->shapes, shape_leaf(e->shapes, e->shape, k)) != TERM_SLOT) continue;
        text_printf(e->out, "        const double s%d_%d = ", e->position, k);
        value_text(e, &e->access[k], e->out);
        text_add(e->out, ";\n");
    }
}

void emitter_loop_head(Emitter *e, const Group *group, int indent) {
    text_printf(e->out, "%*sfor (int i = 0; i < %d; i++) {\n", indent, "", group->count);
}

/* The target of the rows as a pointer of its own, if it moves by one. */
static void target_pointer(Emitter *e, const Kernel *kernel) {
    const Access *a = &e->access[kernel->slot];
    bool          own = a->home == HOME_VALUES;
    if ((own ? a->table : a->list) >= 0 || (own ? a->stride : a->step) != 1) return;
    text_printf(e->out, "        double *restrict y = %s + %d;\n", own ? "v" : "dx",
                own ? a->base : a->at);
    e->target = kernel->slot;
}

/* Calls each(e, kernel number, last) for the kernels of a row. */
static void each_kernel(Emitter *e, const Group *group, int indent,
                        void (*each)(Emitter *e, int number, bool last, int indent)) {
    const Access *access = e->plan->access + group->access;
    for (int j = 0; j < group->size; j++) {
        int number = e->plan->body[group->body + j];
        emitter_enter(e, group, j, access);
        each(e, number, j == group->size - 1, indent);
        access += emitter_slots(e, number);
    }
}

static void row_comment(Emitter *e, int number, bool last, int indent) {
    (void)number, (void)last;
    emitter_comment(e, indent);
}

static void before_loop(Emitter *e, int number, bool last, int indent) {
    (void)indent;
    hoist(e, number);
    if (last) target_pointer(e, &e->plan->kernel[number]);
}

static void row_text(Emitter *e, int number, bool last, int indent) {
    int target = e->target;
    if (!last) e->target = -1;
    if (last) kernel_text(e, &e->plan->kernel[number], -1, indent);
    else emitter_local(e, &e->plan->kernel[number], indent);
    e->target = target;
}

void emitter_rows(Emitter *e, const Group *group) {
    const Kernel *kernel = &e->plan->kernel[e->plan->body[group->body]];
    bool          loop = group->count > 1;
    e->hoisted = false;
    e->target = -1;
    each_kernel(e, group, 4, row_comment);
    if (!loop && group->size == 1) {
        each_kernel(e, group, 4, row_text);
        return;
    }
    text_add(e->out, "    {\n");
    if (loop && group->parallel && kernel->kind == KERNEL_SOLVE)
        each_kernel(e, group, 8, before_loop);
    if (loop) emitter_loop_head(e, group, 8);
    each_kernel(e, group, loop ? 12 : 8, row_text);
    text_add(e->out, loop ? "        }\n    }\n" : "    }\n");
    e->hoisted = false;
    e->target = -1;
}

void emitter_chain(Emitter *e, const Group *group) {
    const Access *access = e->plan->access + group->access;
    emitter_loop_head(e, group, 4);
    for (int j = 0; j < group->size; j++) {
        int number = e->plan->body[group->body + j];
        emitter_enter(e, group, j, access);
        emitter_comment(e, 8);
        kernel_text(e, &e->plan->kernel[number], -1, 8);
        access += emitter_slots(e, number);
    }
    text_add(e->out, "    }\n");
}

/* A function that sets the iteration variables, follows the formulas and gives residuals. */
void emitter_residual(Emitter *e, int g) {
    const Group  *group = &e->plan->group[g];
    const Access *access = e->plan->access + group->access;
    const Access *z = e->plan->access + group->iteration;
    Text         *out = e->out;
    int explicit = group->size - group->torn;
    text_printf(out,
                "static void r%d(Rb *c, int i, const double *z, double *r) {\n"
                "%s    (void)i;\n",
                g, gen_head);
    for (int k = 0, n; k < group->torn; k += n) {
        Access all;
        n = emitter_unknowns(e, group, z + k, group->torn - k, &all);
        text_printf(out, n > 1 ? "    for (int i = 0; i < %d; i++) v[" : "    v[", n);
        emitter_index(e, &all, out);
        text_printf(out, n > 1 ? "] = z[%d + i];\n" : "] = z[%d];\n", k);
    }
    for (int j = 0, n; j < group->size; j += n) {
        int number = e->plan->body[group->body + j];
        n = emitter_run(e, group, j, access);
        emitter_comment(e, 4);
        if (n > 1) text_printf(out, "    for (int i = 0; i < %d; i++)\n", n);
        kernel_text(e, &e->plan->kernel[number], j >= explicit ? j - explicit : -1, 4);
        access += n * emitter_slots(e, number);
    }
    text_add(out, "}\n\n");
}

void emitter_loops(Emitter *e, int g) {
    const Group *group = &e->plan->group[g];
    text_printf(
        e->out,
        "    for (int i = 0; i < %d; i++)\n        if (c->loop(c, %d, i)) return 1;\n",
        group->count, g);
}

/* ---- single rows ------------------------------------------------------------------------------- */

/* n<g>(c, item, n): items of a group in ascending order; of a chain item i*size + j is kernel j
 * of row i. */
static void list_text(Emitter *e, int g) {
    const Group  *group = &e->plan->group[g];
    const Access *access = e->plan->access + group->access;
    e->hoisted = false;
    e->target = -1;
    text_printf(e->out,
                "static int n%d(Rb *c, const int *item, int n) {\n"
                "%s    for (int q = 0; q < n; q++) {\n",
                g, gen_head);
    if (group->kind == GROUP_LOOP) {
        text_printf(e->out, "        if (c->loop(c, %d, item[q])) return 1;\n", g);
    } else if (group->kind == GROUP_ROWS) {
        text_add(e->out, "        const int i = item[q];\n        (void)i;\n");
        emitter_enter(e, group, 0, access);
        kernel_text(e, &e->plan->kernel[e->plan->body[group->body]], -1, 8);
    } else {
        text_printf(e->out,
                    "        const int i = item[q]/%d;\n        (void)i;\n"
                    "        switch (item[q] - %d*i) {\n",
                    group->size, group->size);
        for (int j = 0; j < group->size; j++) {
            int number = e->plan->body[group->body + j];
            text_printf(e->out, "        case %d:\n", j);
            emitter_enter(e, group, j, access);
            kernel_text(e, &e->plan->kernel[number], -1, 12);
            text_add(e->out, "            break;\n");
            access += emitter_slots(e, number);
        }
        text_add(e->out, "        }\n");
    }
    text_add(e->out, "    }\n    return c->failed;\n}\n\n");
}

/* rb_rows: the code of some rows of a group. */
void emitter_lists(Emitter *e) {
    const Plan *plan = e->plan;
    text_add(e->out, "typedef int ListCode(Rb *c, const int *item, int n);\n");
    for (int g = 0; g < plan->groups && plan->selective; g++) list_text(e, g);
    if (plan->selective) text_add(e->out, "static ListCode *const lists[] = {\n");
    for (int g = 0; g < plan->groups && plan->selective; g++)
        text_printf(e->out, "    n%d,\n", g);
    if (plan->selective) text_add(e->out, "    0};\n\n");
    text_printf(e->out, "ListCode *rb_rows(int group) {\n    return %s;\n}\n\n",
                plan->selective ? "lists[group]" : "0");
}
