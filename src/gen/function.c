/* SPDX-License-Identifier: Apache-2.0 */
/* function.c -- user functions as C text: one C function per result, local variables as doubles.
 *
 * Only functions that the plan reaches are written. Arrays, strings and external functions have
 * no code yet; a model that needs them is told so. Recursion follows the nesting of statements
 * in the text. */
#include "gen/gen.h"

#include <stdlib.h>
#include <string.h>

typedef struct Writer {
    Shapes         *shapes;
    Diag           *diag;
    Text           *out;
    const Function *f;
    bool            failed;
} Writer;

static void local_text(const void *context, int slot, Text *out) {
    (void)context;
    text_printf(out, "a%d", slot);
}

static void value(Writer *w, Term e, int indent, Text *result) {
    CText  c = {.shapes = w->shapes,
                .slot = local_text,
                .context = w,
                .out = w->out,
                .indent = indent};
    size_t before = w->out->length;
    ctext_value(&c, e, result);
    if (strstr(text_get(result), "rb_unsupported") ||
        strstr(text_get(w->out) + before, "rb_unsupported"))
        w->failed = true;
}

static void statements(Writer *w, int first, int indent);

static void statement(Writer *w, const Stmt *s, int indent) {
    Text a = {0}, b = {0}, c = {0};
    text_printf(w->out, "%*s{\n", indent, "");
    int n = indent + 4;
    switch (s->kind) {
    case STMT_ASSIGN:
        if (expr_op(w->shapes, s->a) != TERM_SLOT) w->failed = true;
        value(w, s->b, n, &b);
        text_printf(w->out, "%*sa%d = %s;\n", n, "", w->shapes->node[s->a].index,
                    text_get(&b));
        break;
    case STMT_IF:
        value(w, s->a, n, &a);
        text_printf(w->out, "%*sif (%s) {\n", n, "", text_get(&a));
        statements(w, s->body, n + 4);
        text_printf(w->out, "%*s} else {\n", n, "");
        statements(w, s->other, n + 4);
        text_printf(w->out, "%*s}\n", n, "");
        break;
    case STMT_FOR:
        value(w, s->b, n, &b);
        value(w, s->c, n, &c);
        if (s->step) value(w, s->step, n, &a);
        else text_add(&a, "1.0");
        text_printf(
            w->out,
            "%*sconst double from = %s, to = %s, step = %s;\n"
            "%*sfor (int k = 0; k <= (int)floor((to - from)/step + 1e-9); k++) {\n"
            "%*sa%d = from + k*step;\n",
            n, "", text_get(&b), text_get(&c), text_get(&a), n, "", n + 4, "",
            w->shapes->node[s->a].index);
        statements(w, s->body, n + 4);
        text_printf(w->out, "%*s}\n", n, "");
        break;
    case STMT_WHILE:
        text_printf(w->out, "%*sfor (;;) {\n", n, "");
        value(w, s->a, n + 4, &a);
        text_printf(w->out, "%*sif (!(%s)) break;\n", n + 4, "", text_get(&a));
        statements(w, s->body, n + 4);
        text_printf(w->out, "%*s}\n", n, "");
        break;
    case STMT_RETURN: text_printf(w->out, "%*sgoto done;\n", n, ""); break;
    case STMT_BREAK: text_printf(w->out, "%*sbreak;\n", n, ""); break;
    case STMT_CALL: break; /* assertions inside functions are not checked yet */
    default: w->failed = true;
    }
    text_printf(w->out, "%*s}\n", indent, "");
    text_free(&a);
    text_free(&b);
    text_free(&c);
}

static void statements(Writer *w, int first, int indent) {
    for (int s = first; s >= 0; s = w->f->stmt[s].next)
        statement(w, &w->f->stmt[s], indent);
}

static void head(Writer *w, int number, int result) {
    text_printf(w->out, "static double f%d_%d(Rb *c", number, result);
    for (int k = 0; k < w->f->inputs; k++) text_printf(w->out, ", double a%d", k);
    text_char(w->out, ')');
}

static void body(Writer *w, int number, int result) {
    const Function *f = w->f;
    text_printf(w->out, "/* %s */\n", str_text(w->shapes->strings, f->name));
    head(w, number, result);
    text_add(w->out, " {\n    (void)c;\n");
    for (int k = f->inputs; k < f->vars; k++)
        text_printf(w->out, "    double a%d = 0.0;\n", k);
    for (int k = f->inputs; k < f->vars; k++) {
        Text init = {0};
        if (!f->var[k].init) continue;
        text_add(w->out, "    {\n");
        value(w, f->var[k].init, 8, &init);
        text_printf(w->out, "        a%d = %s;\n    }\n", k, text_get(&init));
        text_free(&init);
    }
    statements(w, f->first, 4);
    text_printf(w->out, "    goto done;\ndone:\n    return a%d;\n}\n\n",
                f->inputs + result);
}

/* Marks functions below an expression; true if some are new. */
static bool mark(Shapes *shapes, Term e, bool *needed) {
    bool new = false;
    if (!e || !(shapes->node[e].flags & NODE_CALLS)) return false;
    int n = expr_walk(shapes, e);
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(shapes, shapes->walk[i]);
        if (node->op != TERM_CALL || node->index >= shapes->functions) continue;
        new |= !needed[node->index];
        needed[node->index] = true;
    }
    return new;
}

static bool mark_body(Shapes *shapes, const Function *f, bool *needed) {
    bool new = false;
    for (int s = 0; s < f->stmts; s++) {
        new |= mark(shapes, f->stmt[s].a, needed) | mark(shapes, f->stmt[s].b, needed);
        new |= mark(shapes, f->stmt[s].c, needed);
    }
    for (int k = 0; k < f->vars; k++) new |= mark(shapes, f->var[k].init, needed);
    return new;
}

static bool is_simple(const Function *f) {
    if (f->external || f->first < 0) return false;
    for (int k = 0; k < f->vars; k++)
        if (f->var[k].rank || f->var[k].type == TYPE_STRING ||
            f->var[k].type == TYPE_OBJECT)
            return false;
    return true;
}

bool gen_functions(Shapes *shapes, const Plan *plan, Diag *diag, Text *out) {
    Writer w = {.shapes = shapes, .diag = diag, .out = out};
    bool  *needed = calloc((size_t)shapes->functions + 1, sizeof *needed);
    if (!needed) abort();
    for (int k = 0; k < plan->kernels; k++) /* solving may have made derivatives */
        if (plan->kernel[k].kind == KERNEL_SOLVE)
            mark(shapes,
                 shape_solve(shapes, plan->kernel[k].shape, plan->kernel[k].slot).value,
                 needed);
        else mark(shapes, shapes->shape[plan->kernel[k].shape].root, needed);
    for (bool more = true; more;) {
        more = false;
        for (int f = 0; f < shapes->functions; f++)
            if (needed[f]) more |= mark_body(shapes, shapes->function[f], needed);
    }
    for (int pass = 0; pass < 2; pass++)
        for (int f = 0; f < shapes->functions; f++) {
            if (!needed[f]) continue;
            w.f = shapes->function[f];
            if (!is_simple(w.f)) {
                if (diag && !pass)
                    diag_report(
                        diag, w.f->pos, CODE_G101,
                        "the function '%s' has arrays, strings or external code, for "
                        "which there is no code yet",
                        str_text(shapes->strings, w.f->name));
                w.failed = true;
                continue;
            }
            for (int r = 0; r < w.f->outputs; r++) {
                if (pass) {
                    body(&w, f, r);
                } else {
                    head(&w, f, r);
                    text_add(out, ";\n");
                }
            }
        }
    free(needed);
    return !w.failed;
}
