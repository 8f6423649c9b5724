/* SPDX-License-Identifier: Apache-2.0 */
/* tangent.c -- the derivative of the plan as C text: vector forward mode.
 *
 * Every variable has W directions at d[var*W ...]; those of the states are given, the text fills
 * in all others that a derivative of a state depends on; directions of values that stay in their
 * row stay there too, as e<j>[...]. A kernel y = f(x1, x2, ...) becomes
 *     g = {df/dx1, df/dx2, ...}                   once, at the present values
 *     dy[k] = g[0]*dx1[k] + g[1]*dx2[k] + ...     for W columns
 * with partial derivatives from diff.c that share what they have in common. Where arrays or many
 * arguments of functions are involved the directional derivative is written in the loop over
 * columns instead, and only those that are wanted are computed: a matrix of a small block has few.
 * (Griewank and Walther, Evaluating Derivatives, 2008, section 3.)
 *
 * The same text with respect to everything (gen_senses) takes parameters, inputs, start values, discrete Reals,
 * left limits and the time along: who asks for sensitivities gives their directions. It also tells how crossings
 * and new values of states move, from which follow jumps at events (live/sense.c).
 *
 * The residuals r(z, p) of a torn block give dr from dz and dp; the host solves for dz. Relations
 * have the values they had in the last evaluation. What does not depend on states, or is not
 * needed for their derivatives, has no text. Length follows kernels and groups, not rows. */
#include "gen/tangent.h"

#include <string.h>

enum {
    PIECE = 200, /* groups of straight-line code in a function */
    FEW = 4      /* partial derivatives of calls; beyond, directions cost less */
};

/* ---- what depends on states, what their derivatives depend on ---------------------------- */

bool writer_is_real(const Structure *st, int var) {
    return st->sys->run[system_run_of(st->sys, var)].type == TYPE_REAL;
}

/* Blocks come in the order of computation: one pass. */
static void find_moving(Writer *w) {
    const Structure *st = w->e.plan->st;
    const Graph     *g = &st->graph;
    for (int v = 0; v < st->vars; v++)
        w->moves[v] = st->role[v] == ROLE_STATE || (w->all && writer_is_real(st, v));
    for (int k = 0; k < st->sys->theta.count; k++) /* directions of their own solver */
        w->moves[st->sys->theta.fast[k].rate] = true;
    for (int b = 0; b < st->blocks && !w->all; b++) {
        const Block *block = &st->block[b];
        bool         moves = false;
        for (int i = 0; i < block->count && !moves && !block->discrete; i++) {
            int eq = st->order[block->first + i];
            for (int k = g->start[eq]; k < g->start[eq + 1] && !moves; k++)
                moves = w->moves[g->col[k]];
        }
        for (int i = 0; i < block->count && moves; i++) {
            int var = st->var_of[st->order[block->first + i]];
            w->moves[var] = writer_is_real(st, var);
        }
    }
}

static void find_wanted(Writer *w) {
    const Structure *st = w->e.plan->st;
    const Graph     *uses = &w->e.plan->uses;
    if (w->all) memset(w->wanted, true, (size_t)st->blocks);
    for (int v = 0; v < st->vars && !w->all; v++)
        if (st->role[v] == ROLE_STATE && st->next[v] >= 0 && st->eq_of[st->next[v]] >= 0)
            w->wanted[st->block_of[st->eq_of[st->next[v]]]] = true;
    for (int b = st->blocks - 1; b >= 0 && !w->all; b--)
        for (int k = uses->start[b]; w->wanted[b] && k < uses->start[b + 1]; k++)
            w->wanted[uses->col[k]] = true;
}

static bool is_needed(const Writer *w, const Group *group) {
    const Structure *st = w->e.plan->st;
    const int       *item = w->e.plan->item + group->item;
    for (int j = 0; j < group->size && w->all; j++)
        if (w->e.holds->held[group->body + j].nodes) return true;
    for (int i = 0; i < group->count * group->size && (w->all || !group->shown); i++) {
        const Block *block = &st->block[st->block_of[item[i]]];
        if (!w->wanted[st->block_of[item[i]]]) continue;
        for (int k = 0; k < block->count; k++)
            if (w->moves[st->var_of[st->order[block->first + k]]]) return true;
    }
    return false;
}

/* ---- directions of slots ------------------------------------------------------------------ */

static void seed_slot(void *context, int var, int slot) {
    Writer          *w = context;
    const Structure *st = w->e.plan->st;
    const Node *leaf = expr_node(w->e.shapes, shape_leaf(w->e.shapes, w->e.shape, slot));
    int         number = w->seeds + slot;
    bool inside = w->block >= 0 && st->role[var] == ROLE_UNKNOWN && st->eq_of[var] >= 0 &&
                  st->block_of[st->eq_of[var]] == w->block;
    if (w->seed[slot] || leaf->type != TYPE_REAL || !(w->moves[var] || inside)) return;
    w->seed[slot] = leaf->op == TERM_SLOT
                        ? expr_slot(w->e.shapes, number, TYPE_REAL)
                        : expr_array_slot(w->e.shapes, number, TYPE_REAL, leaf->rank);
}

void writer_seeds(Writer *w, int slots) {
    w->seeds = slots;
    if (w->all) w->clock = expr_slot(w->e.shapes, 2 * slots, TYPE_REAL);
    GROW(w->seed, w->room, slots);
    if (slots) memset(w->seed, 0, (size_t)slots * sizeof *w->seed);
}

/* Enters kernel j of a group, or a run of equal ones: which of its slots have directions in some
 * row? Returns how many kernels it is. */
static int enter(Writer *w, const Group *group, int j, const Access *access) {
    const Plan      *plan = w->e.plan;
    const Structure *st = plan->st;
    int              n = emitter_run(&w->e, group, j, access);
    w->few = group->kind == GROUP_LOOP && group->torn < FEW ? group->torn : FEW;
    writer_seeds(w, emitter_slots(&w->e, plan->body[group->body + j]));
    for (int i = 0; i < w->e.count; i++) {
        int eq = plan->item[group->item + j + (w->e.run ? i : i * group->size)];
        w->block = group->kind == GROUP_LOOP ? st->block_of[eq] : -1;
        structure_uses(st, st->eq_row[eq], seed_slot, w);
    }
    return n;
}

static Term keep(Writer *w, Term root) {
    GROW(w->root, w->root_room, w->roots + 1);
    return w->root[w->roots++] = root;
}

/* clock: the direction of the time, 0: it stands. */
static Term direction(Writer *w, Term value, const Term *seed, Term clock) {
    const char *reason = NULL;
    Term        d = expr_direction(w->e.shapes, value, seed, w->seeds, clock, &reason);
    if (!d) emitter_refuse(&w->e, reason ? reason : "it has no derivative");
    return d ? keep(w, d) : w->e.shapes->zero;
}

Term writer_direction(Writer *w, Term value, const Term *seed) {
    return direction(w, value, seed, 0);
}

/* ---- kernels ------------------------------------------------------------------------------ */

/* Is a loop over columns around the whole derivative shorter than partial derivatives? */
static bool is_wide(const Writer *w, Term value) {
    int seeded = 0;
    for (int k = 0; k < w->seeds; k++) {
        if (!w->seed[k]) continue;
        if (expr_op(w->e.shapes, w->seed[k]) != TERM_SLOT) return true;
        seeded++;
    }
    return seeded > w->few && w->e.shapes->node[value].flags & NODE_CALLS;
}

/* target[k] = the derivative, written inside the loop over columns. */
static void whole_text(Writer *w, Term value, const char *target, int n) {
    Text result = {0};
    Term d = direction(w, value, w->seed, w->clock);
    text_printf(w->e.out, "%*sfor (int k = 0; k < c->columns; k++) {\n", n, "");
    if (w->e.shapes->node[d].flags & NODE_CALLS || w->e.shapes->shape[w->e.shape].wide)
        text_printf(w->e.out, "%*sc->top = 0;\n", n + 4, "");
    emitter_text(&w->e, d, n + 4, false, &result);
    text_printf(w->e.out,
                "%*s%s = %s;\n%*s}\n%*sfor (int k = c->columns; k < W; k++) %s = 0;\n",
                n + 4, "", target, text_get(&result), n, "", n, "", target);
    text_free(&result);
}

void writer_factors(Writer *w, const Term *part, int parts, int n) {
    Shapes *shapes = w->e.shapes;
    Text    values = {0};
    if (!parts) return;
    Term all = expr_make(shapes, TERM_TUPLE, part, parts);
    if (shapes->node[all].flags & NODE_CALLS || shapes->shape[w->e.shape].wide)
        text_printf(w->e.out, "%*sc->top = 0;\n", n, "");
    emitter_text(&w->e, all, n, true, &values);
    const char *from = text_get(&values) + 2; /* without the first comma */
    text_printf(w->e.out, "%*sconst double g[] = {%s};\n", n, "", from);
    text_free(&values);
}

typedef struct
    Parts { /* partial derivatives of a value and their sum with the directions */
    Term *part;
    int   parts;
    Text  sum;
} Parts;

/* One more of them: the derivative d times a direction; NULL: that of the time. */
static void add_part(Writer *w, Parts *p, Term d, const Access *access) {
    Shapes *shapes = w->e.shapes;
    double  number;
    if (d == shapes->zero) return;
    bool literal = expr_literal(shapes, d, &number);
    bool minus = literal && number < 0;
    if (p->sum.length || minus)
        text_add(&p->sum, minus ? (p->sum.length ? " - " : "-") : " + ");
    if (!literal) text_printf(&p->sum, "g[%d]*", p->parts);
    else if (number != 1 && number != -1) {
        ctext_number(&p->sum, minus ? -number : number);
        text_char(&p->sum, '*');
    }
    if (access) emitter_direction(&w->e, access, &p->sum);
    else text_add(&p->sum, "c->dt[k]");
    if (!literal) p->part[p->parts++] = d;
}

/* Partial derivatives first, then their products with the directions. */
static void parts_text(Writer *w, Term value, const char *target, int n) {
    Term *only = mem_take((size_t)w->seeds, sizeof *only);
    Parts p = {.part = mem_take((size_t)w->seeds + 1, sizeof *p.part)};
    for (int k = 0; k < w->seeds; k++) {
        if (!w->seed[k]) continue;
        only[k] = w->e.shapes->one;
        add_part(w, &p, writer_direction(w, value, only), &w->e.access[k]);
        only[k] = 0;
    }
    if (w->clock && w->e.shapes->node[value].flags & NODE_TIME)
        add_part(w, &p, direction(w, value, only, w->e.shapes->one), NULL);
    writer_factors(w, p.part, p.parts, n);
    text_printf(w->e.out, "%*sfor (int k = 0; k < W; k++)\n%*s%s = %s;\n", n, "", n + 4,
                "", target, p.sum.length ? text_get(&p.sum) : "0");
    text_free(&p.sum);
    MEM_FREE(only, p.part);
}

/* Results of a call that has many: the derivative function, column by column. */
static void results_text(Writer *w, Term root, int n) {
    Shapes *shapes = w->e.shapes;
    Term    left = expr_arg(shapes, root, 0), right = expr_arg(shapes, root, 1);
    bool    tuple = expr_op(shapes, left) == TERM_TUPLE;
    Term    d = direction(w, right, w->seed, w->clock);
    Text    value = {0};
    CText   c = emitter_ctext(&w->e, n + 4);
    if (d == shapes->zero) return; /* directions are zero already */
    text_printf(w->e.out, "%*sfor (int k = 0; k < c->columns; k++) {\n%*sc->top = 0;\n",
                n, "", n + 4, "");
    if (!tuple) {
        ctext_value(&c, d, &value);
        emitter_result(&w->e, left, text_get(&value), true, n + 4);
    } else {
        const Function *f = shapes->function[shapes->node[right].index];
        int             items = (int)shapes->node[left].n, result = 0;
        ctext_arguments(&c, d, &value);
        for (int k = 0; k < f->outputs; k++) {
            const FunctionVar *var = &f->var[f->inputs + k];
            if (var->type != TYPE_REAL) continue;
            if (k < items)
                text_printf(w->e.out,
                            var->rank ? "%*sRbArray r%d[1] = {{0}};\n"
                                      : "%*sdouble r%d = 0;\n",
                            n + 4, "", k);
            if (k < items) text_printf(&value, var->rank ? ", r%d" : ", &r%d", k);
            else text_add(&value, ", 0");
            result++;
        }
        text_printf(w->e.out, "%*sf%d(c%s);\n", n + 4, "", shapes->node[d].index,
                    text_get(&value));
        for (int k = 0; k < f->outputs && k < items; k++) {
            char name[20];
            if (f->var[f->inputs + k].type != TYPE_REAL) continue;
            snprintf(name, sizeof name, "r%d", k);
            emitter_result(&w->e, expr_arg(shapes, left, (uint32_t)k), name, true, n + 4);
        }
    }
    text_printf(w->e.out, "%*s}\n", n, "");
    emitter_check(&w->e, &c);
    text_free(&value);
}

/* Statements of a kernel; r >= 0: residual number. */
static void kernel_text(Writer *w, const Kernel *kernel, int residual, int n) {
    Shapes *shapes = w->e.shapes;
    Text    target = {0};
    Term    item = 0, value = emitter_value(&w->e, kernel, &item);
    if (w->all && residual < 0 && kernel->kind == KERNEL_SOLVE && w->e.plan->guarded) {
        text_printf(w->e.out, "%*sif (!c->given || !c->given[", n, "");
        emitter_index(&w->e, &w->e.access[kernel->slot], w->e.out);
        text_add(w->e.out, "]) {\n");
    } else {
        text_printf(w->e.out, "%*s{\n", n, "");
    }
    if (kernel->kind == KERNEL_CALL) {
        results_text(w, shapes->shape[kernel->shape].root, n + 4);
    } else if (value) {
        if (expr_op(shapes, value) == TERM_EQUATION) value = expr_residual(shapes, value);
        if (residual >= 0)
            text_printf(&target, w->e.run ? "dr[(%d + i)*W + k]" : "dr[%d*W + k]",
                        residual);
        else emitter_target(&w->e, item, true, &target);
        if (is_wide(w, value)) whole_text(w, value, text_get(&target), n + 4);
        else parts_text(w, value, text_get(&target), n + 4);
    }
    text_printf(w->e.out, "%*s}\n", n, "");
    text_free(&target);
}

/* ---- crossings ---------------------------------------------------------------------------- */

/* What changes sign where relation r of the kernel changes; 0: it is not a formula. Of sample(from, every) the
 * time since the tick that is nearest. */
static Term crossing_of(Writer *w, const Held *held, int r) {
    Shapes *shapes = w->e.shapes;
    Term    node = held->node[r], argument;
    if (expr_op(shapes, node) == TERM_CALL) return 0;
    if (expr_op(shapes, node) != TERM_SAMPLE)
        return r < held->own && ctext_inside(shapes, node, &argument)
                   ? argument
                   : ctext_crossing(shapes, node);
    Term from = expr_arg(shapes, node, 0), every = expr_arg(shapes, node, 1);
    Term since = expr_sub(shapes, expr_time(shapes), from);
    Term ticks = expr_2(shapes, TERM_ADD, expr_2(shapes, TERM_DIV, since, every),
                        expr_real(shapes, 0.5));
    Term whole = expr_1(shapes, TERM_NO_EVENT, expr_1(shapes, TERM_FLOOR, ticks));
    return expr_sub(shapes, since, expr_2(shapes, TERM_MUL, whole, every));
}

/* Relations of the kernel: the value of each crossing and its directions. */
static void crossings_text(Writer *w, int n) {
    const Held *held = emitter_held(&w->e);
    for (int r = 0; w->all && !w->e.run && r < held->nodes; r++) {
        Text mode = {0}, guard = {0}, value = {0};
        Term z = crossing_of(w, held, r);
        if (!z) continue;
        emitter_mode(&w->e, held, r, &mode);
        text_printf(w->e.out,
                    "%*s{\n%*sdouble *const m = c->dm + (%s)*(W + 1);\n%*sc->top = 0;\n",
                    n, "", n + 4, "", text_get(&mode), n + 4, "");
        if (held->guard[r]) emitter_text(&w->e, held->guard[r], n + 4, false, &guard);
        text_printf(w->e.out, "%*sif (%s) {\n", n + 4, "",
                    held->guard[r] ? text_get(&guard) : "1");
        emitter_text(&w->e, z, n + 8, false, &value);
        text_printf(w->e.out, "%*sm[0] = %s;\n", n + 8, "", text_get(&value));
        whole_text(w, z, "m[1 + k]", n + 8);
        text_printf(w->e.out, "%*s}\n%*s}\n", n + 4, "", n, "");
        TEXT_FREE(&mode, &guard, &value);
    }
}

/* ---- groups ------------------------------------------------------------------------------- */

/* Groups that only some ask for. */
static void scope_text(const Writer *w, const Group *group) {
    const int scope = group->discrete ? 2 : group->shown ? 1 : 0;
    if (w->all && scope) text_printf(w->e.out, "    if (c->scope >= %d)\n", scope);
}

static void sequence_text(Writer *w, const Group *group) {
    const Access *access = w->e.plan->access + group->access;
    scope_text(w, group);
    text_printf(w->e.out, "    for (int i = 0; i < %d; i++) {\n", group->count);
    for (int j = 0; j < group->size; j++) {
        int number = w->e.plan->body[group->body + j];
        enter(w, group, j, access);
        emitter_comment(&w->e, 8);
        if (group->kind == GROUP_ROWS && j < group->size - 1) {
            emitter_local(&w->e, &w->e.plan->kernel[number], 8);
            text_printf(w->e.out, "        double e%d[W];\n", j);
        }
        kernel_text(w, &w->e.plan->kernel[number], -1, 8);
        crossings_text(w, 8);
        access += emitter_slots(&w->e, number);
    }
    text_add(w->e.out, "    }\n");
}

/* Can the matrix of a torn block be had this way? What it is solved for must be numbers that
 * move. */
static bool is_smooth(const Writer *w, const Group *group) {
    const Structure *st = w->e.plan->st;
    for (int k = 0; k < group->torn; k++)
        if (!writer_is_real(st, plan_iteration(w->e.plan, group, 0, k))) return false;
    return true;
}

/* dr from dz and the directions of what the block depends on. */
static void residual_text(Writer *w, int g) {
    const Structure *st = w->e.plan->st;
    const Group     *group = &w->e.plan->group[g];
    const Access    *access = w->e.plan->access + group->access;
    const Access    *z = w->e.plan->access + group->iteration;
    Text            *out = w->e.out;
    int explicit = group->size - group->torn;
    text_printf(out,
                "static void r%d(Rb *c, int i, const double *dz, double *dr) {\n"
                "%s    double *const d = c->d;\n    (void)i;\n"
                "    for (int k = 0; k < W; k++) {\n",
                g, gen_head);
    for (int k = 0, n; k < group->torn; k += n) {
        Access all;
        n = emitter_unknowns(&w->e, group, z + k, group->torn - k, &all);
        text_add(out, "        ");
        if (n > 1) text_printf(out, "for (int i = 0; i < %d; i++) ", n);
        emitter_direction(&w->e, &all, out);
        text_printf(out, n > 1 ? " = dz[(%d + i)*W + k];\n" : " = dz[%d*W + k];\n", k);
    }
    text_add(out, "    }\n");
    for (int j = 0, n; j < group->size; j += n) {
        int number = w->e.plan->body[group->body + j];
        int var = st->var_of[w->e.plan->item[group->item + j]];
        n = enter(w, group, j, access);
        access += n * emitter_slots(&w->e, number);
        if (j < explicit && !writer_is_real(st, var)) { /* it moves in steps */
            crossings_text(w, 4);
            continue;
        }
        emitter_comment(&w->e, 4);
        if (n > 1) text_printf(out, "    for (int i = 0; i < %d; i++)\n", n);
        kernel_text(w, &w->e.plan->kernel[number], j >= explicit ? j - explicit : -1, 4);
        crossings_text(w, 4);
    }
    text_add(out, "}\n\n");
}

/* n<g>(c, item, n): directions of some rows of a group, as list_text of emit.c. */
static void list_text(Writer *w, int g) {
    const Plan   *plan = w->e.plan;
    const Group  *group = &plan->group[g];
    const Access *access = plan->access + group->access;
    Text         *out = w->e.out;
    text_printf(out,
                "static int n%d(Rb *c, const int *item, int n) {\n"
                "%s    double *const d = c->d;\n    (void)d;\n"
                "    for (int q = 0; q < n; q++) {\n",
                g, gen_head);
    if (group->kind == GROUP_LOOP) {
        text_printf(out, "        if (c->loop_tangent(c, %d, item[q])) return 1;\n", g);
    } else {
        text_printf(out,
                    "        const int i = item[q]/%d;\n        (void)i;\n"
                    "        switch (item[q] - %d*i) {\n",
                    group->size, group->size);
        for (int j = 0; j < group->size; j++) {
            int number = plan->body[group->body + j];
            enter(w, group, j, access);
            text_printf(out, "        case %d:\n", j);
            kernel_text(w, &plan->kernel[number], -1, 12);
            text_add(out, "            break;\n");
            access += emitter_slots(&w->e, number);
        }
        text_add(out, "        }\n");
    }
    text_add(out, "    }\n    return c->failed;\n}\n\n");
}

/* rb_tangent_rows: the code of some rows of a group; 0: their directions are always zero. */
static void lists_text(Writer *w) {
    const Plan *plan = w->e.plan;
    const int   groups = plan->selective && !w->all ? plan->groups : 0;
    Text       *out = w->e.out;
    for (int g = 0; g < groups; g++)
        if (is_needed(w, &plan->group[g])) list_text(w, g);
    text_add(out, "typedef int ListCode(Rb *c, const int *item, int n);\n"
                  "static ListCode *const lists[] = {\n");
    for (int g = 0; g < groups; g++)
        if (is_needed(w, &plan->group[g])) text_printf(out, "    n%d,\n", g);
        else text_add(out, "    0,\n");
    text_printf(
        out, "    0};\n\nListCode *rb_tangent_rows(int group) {\n    return %s;\n}\n\n",
        groups ? "lists[group]" : "(void)group, lists[0]");
}

/* ---- the program -------------------------------------------------------------------------- */

static bool has_matrix(const Writer *w, int g) {
    const Group *group = &w->e.plan->group[g];
    return group->kind == GROUP_LOOP && is_smooth(w, group);
}

/* name(group): one of the functions above by group, NULL if there is none. */
static void table_text(const Writer *w, const char *type, const char *name, char letter,
                       const bool *has) {
    text_printf(w->e.out, "%s *%s(int group) {\n    switch (group) {\n", type, name);
    for (int g = 0; g < w->e.plan->groups; g++)
        if (has[g]) text_printf(w->e.out, "    case %d: return %c%d;\n", g, letter, g);
    text_add(w->e.out, "    default: return 0;\n    }\n}\n\n");
}

static void loops_text(Writer *w) {
    const int groups = w->e.plan->groups;
    bool     *residual = mem_take(2 * (size_t)groups + 1, sizeof *residual);
    bool     *matrix = residual + groups;
    for (int g = 0; g < groups; g++) {
        if (!has_matrix(w, g)) continue;
        residual_text(w, g);
        residual[g] = true;
        matrix[g] = !w->all && matrix_text(w, g);
    }
    text_add(w->e.out,
             "typedef void Tangent(Rb *c, int row, const double *dz, double *dr);\n"
             "typedef void Entries(Rb *c, int row, double *a);\n");
    table_text(w, "Tangent", "rb_loop_tangent", 'r', residual);
    table_text(w, "Entries", "rb_loop_entries", 'm', matrix);
    mem_free(residual);
}

static void groups_text(Writer *w) {
    const Plan *plan = w->e.plan;
    int         pieces = 0, n = PIECE;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        if (!is_needed(w, group)) continue;
        if (n++ == PIECE) {
            if (pieces) text_add(w->e.out, "    return 0;\n}\n\n");
            text_printf(w->e.out,
                        "static int p%d(Rb *c) {\n%s    double *const d = c->d;\n",
                        pieces++, gen_head);
            n = 1;
        }
        if (group->kind == GROUP_LOOP) scope_text(w, group);
        if (group->kind == GROUP_LOOP)
            text_printf(w->e.out,
                        "    for (int i = 0; i < %d; i++)\n"
                        "        if (c->loop_tangent(c, %d, i)) return 1;\n",
                        group->count, g);
        else sequence_text(w, group);
    }
    if (pieces) text_add(w->e.out, "    return 0;\n}\n\n");
    text_add(w->e.out, "int rb_tangent(Rb *c) {\n");
    for (int p = 0; p < pieces; p++)
        text_printf(w->e.out, "    if (p%d(c)) return 1;\n", p);
    text_add(w->e.out, "    return c->failed;\n}\n");
}

static void keep_term(void *writer, Term term) {
    keep(writer, term);
}

static bool write_text(const Plan *plan, bool all, int width, Diag *diag, Text *out) {
    Writer w = {.block = -1, .all = all};
    Text   body = {0};
    emitter_open(&w.e, plan, diag, &body);
    w.moves = mem_take((size_t)plan->st->vars, 1);
    w.wanted = mem_take((size_t)plan->st->blocks, 1);
    find_moving(&w);
    find_wanted(&w);
    loops_text(&w);
    lists_text(&w);
    groups_text(&w);
    if (all && !gen_turns(plan, keep_term, &w, &body)) w.e.failed = true;
    Text functions = {0};
    if (!gen_functions_of(w.e.shapes, w.root, w.roots, diag, &functions))
        w.e.failed = true;
    gen_begin(&functions, &body, out);
    text_printf(out, "enum { W = %d }; /* columns at a time */\n", width);
    text_bytes(out, functions.data, functions.length);
    text_bytes(out, body.data, body.length);
    bool fine = !w.e.failed;
    emitter_close(&w.e);
    TEXT_FREE(&body, &functions);
    MEM_FREE(w.moves, w.wanted, w.root, w.seed);
    return fine;
}

bool gen_tangents(const Plan *plan, int width, Diag *diag, Text *out) {
    return write_text(plan, false, width, diag, out);
}

bool gen_senses(const Plan *plan, Text *out) {
    return write_text(plan, true, SENSE_WIDTH, NULL, out);
}

int gen_width(const Plan *plan) {
    enum { MOST = 8, LARGE = 200000 };
    int columns = plan->st->states, width = 1;
    for (int g = 0; g < plan->groups; g++)
        if (plan->group[g].torn > columns) columns = plan->group[g].torn;
    while (width < columns && width < (plan->st->vars > LARGE ? MOST / 2 : MOST))
        width *= 2;
    return width;
}
