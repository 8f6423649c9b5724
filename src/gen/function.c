/* SPDX-License-Identifier: Apache-2.0 */
/* function.c -- user functions as C text.
 *
 * F<k>(c, inputs, results): scalars are doubles, arrays a pointer and sizes, results addresses.
 * f<k>_<r> gives the scalar result r inside expressions. Arrays live on a stack in the Rb that
 * the calling kernel empties. Only functions that the plan reaches are written. A string is the
 * number of its text, so literals can be compared; external code has no text yet. Recursion
 * follows the nesting of statements in the text. */
#include "gen/gen.h"

#include <stdlib.h>
#include <string.h>

typedef struct Writer {
    Shapes         *shapes;
    Diag           *diag;
    Text           *out;
    const Function *f;
    int             temps;
    bool            failed;
} Writer;

/* ---- values ----------------------------------------------------------------------------------- */

static void local_text(const void *context, int slot, Text *out) {
    (void)context;
    text_printf(out, "a%d", slot);
}

static void element_text(const void *context, int slot, const Text *subscript, int rank,
                         Text *out) {
    (void)context;
    text_printf(out, "(*rb_at%d(c, &A%d", rank, slot);
    for (int d = 0; d < rank; d++)
        text_printf(out, ", (int)(%s)", text_get(&subscript[d]));
    text_add(out, "))");
}

static void size_text(const void *context, int slot, int dimension, Text *out) {
    (void)context;
    text_printf(out, "A%d.n[%d]", slot, dimension - 1);
}

static bool array_text(const void *context, int slot, Text *out) {
    (void)context;
    text_printf(out, "A%d", slot);
    return true;
}

static CText writer_text(Writer *w, int indent) {
    return (CText){.shapes = w->shapes,
                   .slot = local_text,
                   .element = element_text,
                   .size = size_text,
                   .array = array_text,
                   .context = w,
                   .out = w->out,
                   .indent = indent,
                   .temps = w->temps};
}

static void value(Writer *w, Term e, int indent, Text *result) {
    CText c = writer_text(w, indent);
    ctext_value(&c, e, result);
    w->temps = c.temps;
}

/* ---- statements --------------------------------------------------------------------------------- */

static void statements(Writer *w, int first, int indent);

/* The value in the C text `from` goes to a target: variable, element or whole array. */
static void store(Writer *w, Term target, const char *from, int indent) {
    Node node = w->shapes->node[target];
    if (node.op == TERM_SLOT) {
        text_printf(w->out, "%*sa%d = %s;\n", indent, "", node.index, from);
    } else if (node.op == TERM_ARRAY_SLOT) {
        text_printf(w->out, "%*sA%d = rb_copy(c, &%s, %d);\n", indent, "", node.index,
                    from, (int)node.rank);
    } else if (node.op == TERM_ELEMENT && !node.rank) {
        Text place = {0};
        value(w, target, indent, &place);
        text_printf(w->out, "%*s%s = %s;\n", indent, "", text_get(&place), from);
        text_free(&place);
    } else {
        w->failed = true;
    }
}

static void assign(Writer *w, const Stmt *s, int indent) {
    Text from = {0};
    Node target = w->shapes->node[s->a], right = w->shapes->node[s->b];
    if (target.op == TERM_TUPLE && right.op == TERM_CALL &&
        right.index < w->shapes->functions) {
        const Function *f = w->shapes->function[right.index];
        CText           c = writer_text(w, indent);
        for (int r = 0; r < f->outputs; r++) {
            bool array = f->var[f->inputs + r].rank;
            text_printf(w->out,
                        array ? "%*sRbArray o%d = {0};\n" : "%*sdouble o%d = 0;\n",
                        indent, "", r);
            text_printf(&from, ", &o%d", r);
        }
        ctext_call(&c, s->b, text_get(&from));
        w->temps = c.temps;
        for (int r = 0; r < f->outputs && r < (int)target.n; r++) {
            text_clear(&from);
            text_printf(&from, "o%d", r);
            store(w, expr_arg(w->shapes, s->a, (uint32_t)r), text_get(&from), indent);
        }
    } else if (target.rank) {
        CText c = writer_text(w, indent);
        ctext_array(&c, s->b, &from);
        w->temps = c.temps;
        store(w, s->a, text_get(&from), indent);
    } else {
        value(w, s->b, indent, &from);
        store(w, s->a, text_get(&from), indent);
    }
    text_free(&from);
}

static void resize(Writer *w, int slot, const Term *size, int rank, int indent) {
    text_printf(w->out, "%*sA%d.p = 0;\n", indent, "", slot);
    for (int d = 0; d < rank; d++) {
        Text n = {0};
        if (size[d]) value(w, size[d], indent, &n);
        else text_add(&n, "0");
        text_printf(w->out, "%*sA%d.n[%d] = (int)(%s);\n", indent, "", slot, d,
                    text_get(&n));
        text_free(&n);
    }
    text_printf(w->out, "%*srb_room(c, &A%d, %d);\n", indent, "", slot, rank);
}

static void statement(Writer *w, const Stmt *s, int indent) {
    Text a = {0}, b = {0}, c = {0};
    text_printf(w->out, "%*s{\n", indent, "");
    int n = indent + 4;
    switch (s->kind) {
    case STMT_ASSIGN: assign(w, s, n); break;
    case STMT_WHEN: /* conditions are rising edges already */
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
    case STMT_RESIZE: {
        Node sizes = w->shapes->node[s->b];
        resize(w, w->shapes->node[s->a].index, w->shapes->arg + sizes.arg, (int)sizes.n,
               n);
        break;
    }
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

/* ---- functions ------------------------------------------------------------------------------------ */

static void inputs(Writer *w) {
    for (int k = 0; k < w->f->inputs; k++)
        text_printf(w->out,
                    w->f->var[k].rank ? ", double *p%d, const int *n%d" : ", double a%d",
                    k, k);
}

static void head(Writer *w, int number) {
    const Function *f = w->f;
    text_printf(w->out, "static void F%d(Rb *c", number);
    inputs(w);
    for (int r = 0; r < f->outputs; r++)
        text_printf(w->out,
                    f->var[f->inputs + r].rank ? ", RbArray *o%d" : ", double *o%d", r);
    text_char(w->out, ')');
}

static void scalar_head(Writer *w, int number, int result) {
    text_printf(w->out, "static double f%d_%d(Rb *c", number, result);
    inputs(w);
    text_char(w->out, ')');
}

static void declare(Writer *w) {
    const Function *f = w->f;
    for (int k = 0; k < f->vars; k++) {
        const FunctionVar *var = &f->var[k];
        if (k < f->inputs && var->rank) {
            text_printf(w->out, "    RbArray A%d = {p%d, {0}};\n", k, k);
            for (int d = 0; d < var->rank; d++)
                text_printf(w->out, "    A%d.n[%d] = n%d[%d];\n", k, d, k, d);
        } else if (k >= f->inputs) {
            text_printf(
                w->out,
                var->rank ? "    RbArray A%d = {0};\n" : "    double a%d = 0.0;\n", k);
        }
    }
    for (int k = f->inputs; k < f->vars; k++) {
        const FunctionVar *var = &f->var[k];
        Text               from = {0};
        text_add(w->out, "    {\n");
        if (var->rank && var->size) resize(w, k, var->size, var->rank, 8);
        if (f->flags & FUNCTION_ALGORITHM && k < f->inputs + f->outputs) {
            int from_input = k - f->inputs; /* the value before the algorithm runs */
            if (var->rank)
                text_printf(w->out, "        A%d = rb_copy(c, &A%d, %d);\n", k,
                            from_input, (int)var->rank);
            else text_printf(w->out, "        a%d = a%d;\n", k, from_input);
        } else if (var->init && var->rank) {
            CText c = writer_text(w, 8);
            ctext_array(&c, var->init, &from);
            w->temps = c.temps;
            text_printf(w->out, "        A%d = rb_copy(c, &%s, %d);\n", k,
                        text_get(&from), (int)var->rank);
        } else if (var->init) {
            value(w, var->init, 8, &from);
            text_printf(w->out, "        a%d = %s;\n", k, text_get(&from));
        }
        text_add(w->out, "    }\n");
        text_free(&from);
    }
}

static void body(Writer *w, int number) {
    const Function *f = w->f;
    text_printf(w->out, "/* %s */\n", str_text(w->shapes->strings, f->name));
    head(w, number);
    text_add(w->out, " {\n    (void)c;\n");
    declare(w);
    statements(w, f->first, 4);
    text_add(w->out, "    goto done;\ndone:\n");
    for (int r = 0; r < f->outputs; r++)
        text_printf(w->out, "    *o%d = %c%d;\n", r,
                    f->var[f->inputs + r].rank ? 'A' : 'a', f->inputs + r);
    text_add(w->out, "    ;\n}\n\n");
}

static void scalar_body(Writer *w, int number, int result) {
    const Function *f = w->f;
    scalar_head(w, number, result);
    text_add(w->out, " {\n    const long mark = c->top;\n");
    for (int r = 0; r < f->outputs; r++)
        text_printf(
            w->out,
            f->var[f->inputs + r].rank ? "    RbArray o%d;\n" : "    double o%d;\n", r);
    text_printf(w->out, "    F%d(c", number);
    for (int k = 0; k < f->inputs; k++)
        text_printf(w->out, f->var[k].rank ? ", p%d, n%d" : ", a%d", k, k);
    for (int r = 0; r < f->outputs; r++) text_printf(w->out, ", &o%d", r);
    text_printf(w->out, ");\n    c->top = mark;\n    return o%d;\n}\n\n", result);
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
        new |= mark(shapes, f->stmt[s].c, needed) | mark(shapes, f->stmt[s].step, needed);
    }
    for (int k = 0; k < f->vars; k++) {
        new |= mark(shapes, f->var[k].init, needed);
        for (int d = 0; f->var[k].size && d < f->var[k].rank; d++)
            new |= mark(shapes, f->var[k].size[d], needed);
    }
    return new;
}

static void report(Writer *w, const char *what) {
    if (w->diag)
        diag_report(w->diag, w->f->pos, CODE_G101,
                    "the function '%s' has %s, for which there is "
                    "no code yet",
                    str_text(w->shapes->strings, w->f->name), what);
    w->failed = true;
}

static void write_function(Writer *w, int f, int pass) {
    const Function *function = w->f;
    if (!pass) {
        head(w, f);
        text_add(w->out, ";\n");
    } else if (function->external || function->first < 0) {
        report(w, "external code");
    } else {
        size_t before = w->out->length;
        bool   earlier = w->failed;
        w->failed = false;
        body(w, f);
        const char *found = strstr(text_get(w->out) + before, "rb_unsupported(");
        char        what[60] = "an assignment";
        if (found)
            snprintf(what, sizeof what, "%.*s", (int)strcspn(found, ";\n ") % 50, found);
        if (found || w->failed) report(w, what);
        w->failed |= earlier;
    }
    for (int r = 0; r < function->outputs; r++) {
        if (function->var[function->inputs + r].rank) continue;
        if (pass) {
            scalar_body(w, f, r);
        } else {
            scalar_head(w, f, r);
            text_add(w->out, ";\n");
        }
    }
}

bool gen_functions(Shapes *shapes, const Plan *plan, Diag *diag, Text *out) {
    Writer w = {.shapes = shapes, .diag = diag, .out = out};
    bool  *needed = calloc((size_t)shapes->functions + 1, sizeof *needed);
    if (!needed) abort();
    for (int k = 0; k < plan->kernels; k++)
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
            write_function(&w, f, pass);
        }
    free(needed);
    return !w.failed;
}
