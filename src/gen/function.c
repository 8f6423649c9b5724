/* SPDX-License-Identifier: Apache-2.0 */
/* function.c -- user functions as C text.
 *
 * A function is f<number>(c, inputs, results): scalars are doubles, arrays pointers to RbArray;
 * a result that nobody wants is a null pointer. f<number>_<k> is the same as an expression, for
 * scalar results. Local variables are a0, a1, ... Array variables of fixed size are made at the
 * start, others grow when they are assigned; temporary arrays of a statement are given back
 * after it. After a fault values do not matter, so while-loops and calls end at once. Only
 * functions that the plan reaches are written. Recursion follows the nesting of statements in
 * the text. */
#include "gen/gen.h"

#include <string.h>

typedef struct Writer {
    Shapes         *shapes;
    Diag           *diag;
    Text           *out;
    const Function *f;
    bool            failed;
    unsigned        pos;    /* of the statement being written */
    int             places; /* of relations of an algorithm section */
    bool           *late;   /* by variable: its size waits for another one */
    const bool     *costly; /* by function */
} Writer;

/* ---- variables -------------------------------------------------------------------------------- */

static void local_text(const void *context, int slot, Text *out) {
    (void)context;
    text_printf(out, "a%d", slot);
}

static void element_text(const void *context, int slot, const Text *subscript, int rank,
                         Text *out) {
    const Writer *w = context;
    char          name[20];
    snprintf(name, sizeof name, "a%d", slot);
    ctext_at(name, subscript, rank, w->pos, out);
}

static void size_text(const void *context, int slot, int dimension, Text *out) {
    (void)context;
    text_printf(out, "a%d->n[%d]", slot, dimension - 1);
}

static CText local_ctext(Writer *w, Text *out, int indent) {
    CText c = ctext_new(w->shapes, w, out, indent, w->pos);
    ctext_slots(&c, local_text, element_text, size_text);
    c.array = local_text;
    if (w->f->flags & FUNCTION_ALGORITHM) c.places = &w->places;
    return c;
}

static void missing(Writer *w, const char *what) {
    if (!w->failed && w->diag)
        diag_report(w->diag, w->pos ? w->pos : w->f->pos, CODE_G101,
                    "%s in the function '%s' has no code yet", what,
                    str_text(w->shapes->strings, w->f->name));
    w->failed = true;
}

static void name_comment(Writer *w, int k) {
    const char *t = str_text(w->shapes->strings, w->f->var[k].name);
    text_add(w->out, " /* ");
    for (; *t; t++)
        if (!(t[0] == '*' && t[1] == '/')) text_char(w->out, *t);
    text_add(w->out, " */\n");
}

/* ---- statements -------------------------------------------------------------------------------- */

static void statements(Writer *w, int first, int indent);

/* Text written to `body` follows; the stack is given back after it if it holds temporaries. */
static void finish(Writer *w, CText *c, Text *body, const char *keep, int indent) {
    if (c->missing) missing(w, "an operator");
    text_printf(w->out, "%*s{\n", indent, "");
    if (c->arrays) text_printf(w->out, "%*slong m = c->top;\n", indent + 4, "");
    if (c->arrays && keep) text_printf(w->out, "%*sint kept = 0;\n", indent + 4, "");
    text_bytes(w->out, body->data, body->length);
    if (c->arrays)
        text_printf(w->out, "%*s%sc->top = m;\n", indent + 4, "", keep ? keep : "");
    text_printf(w->out, "%*s}\n", indent, "");
    text_free(body);
}

/* The text of a target: a local variable or an element. */
static void target_text(CText *c, Term target, Text *out) {
    Node node = c->shapes->node[target];
    if (node.op == TERM_SLOT) text_printf(out, "a%d", node.index);
    else ctext_value(c, target, out);
}

static void assign_array(Writer *w, Text *body, int indent, Term target,
                         const char *value) {
    Node node = w->shapes->node[target];
    text_printf(body, "%*skept |= rb_assign(c, a%d, %s, %d, %uu);\n", indent, "",
                node.index, value, node.rank, w->pos);
}

/* (a, b) := f(...): results go to temporaries, then to the variables. */
static void assign_call(Writer *w, CText *c, Text *body, int indent, Term left,
                        Term call) {
    Node            node = w->shapes->node[left], right = w->shapes->node[call];
    const Function *f = w->shapes->function[right.index];
    Text            args = {0}, after = {0};
    ctext_arguments(c, call, &args);
    for (int k = 0; k < f->outputs; k++) {
        Term target = k < (int)node.n ? expr_arg(w->shapes, left, (uint32_t)k) : 0;
        bool array = f->var[f->inputs + k].rank > 0;
        if (!target) {
            text_add(&args, ", 0");
            continue;
        }
        text_printf(body, array ? "%*sRbArray r%d[1] = {{0}};\n" : "%*sdouble r%d = 0;\n",
                    indent, "", k);
        text_printf(&args, array ? ", r%d" : ", &r%d", k);
        if (array) {
            char name[20];
            snprintf(name, sizeof name, "r%d", k);
            c->arrays = true;
            assign_array(w, &after, indent, target, name);
        } else {
            Text place = {0};
            target_text(c, target, &place);
            text_printf(&after, "%*s%s = r%d;\n", indent, "", text_get(&place), k);
            text_free(&place);
        }
    }
    text_printf(body, "%*sf%d(c%s);\n", indent, "", right.index, text_get(&args));
    text_bytes(body, after.data, after.length);
    text_free(&args);
    text_free(&after);
}

static void assignment(Writer *w, const Stmt *s, int indent) {
    Text  body = {0}, value = {0}, place = {0};
    CText c = local_ctext(w, &body, indent + 4);
    Node  left = w->shapes->node[s->a];
    bool  keeps = false;
    if (left.op == TERM_TUPLE && expr_op(w->shapes, s->b) == TERM_CALL) {
        assign_call(w, &c, &body, indent + 4, s->a, s->b);
        keeps = true;
    } else if (left.op == TERM_ARRAY_SLOT) {
        if (!w->shapes->node[s->b].rank) missing(w, "a scalar assigned to an array");
        ctext_value(&c, s->b, &value);
        c.arrays = keeps = true;
        assign_array(w, &body, indent + 4, s->a, text_get(&value));
    } else if (left.op == TERM_SLOT || left.op == TERM_ELEMENT) {
        ctext_value(&c, s->b, &value);
        target_text(&c, s->a, &place);
        text_printf(&body, "%*s%s = %s;\n", indent + 4, "", text_get(&place),
                    text_get(&value));
    } else missing(w, "this assignment");
    finish(w, &c, &body, keeps ? "if (!kept) " : NULL, indent);
    text_free(&value);
    text_free(&place);
}

static void call_statement(Writer *w, const Stmt *s, int indent) {
    Text  body = {0}, value = {0};
    CText c = local_ctext(w, &body, indent + 4);
    Node  node = w->shapes->node[s->a];
    if (node.op == TERM_CALL) {
        int outputs = w->shapes->function[node.index]->outputs;
        ctext_arguments(&c, s->a, &value);
        for (int k = 0; k < outputs; k++) text_add(&value, ", 0");
        text_printf(&body, "%*sf%d(c%s);\n", indent + 4, "", node.index,
                    text_get(&value));
    } else if (node.op == TERM_ASSERT) {
        Text message = {0}, level = {0};
        ctext_value(&c, expr_arg(w->shapes, s->a, 0), &value);
        text_printf(&body, "%*sif (!(%s)) {\n", indent + 4, "", text_get(&value));
        c.indent += 4;
        ctext_value(&c, expr_arg(w->shapes, s->a, 1), &message);
        ctext_value(&c, expr_arg(w->shapes, s->a, 2), &level);
        text_printf(&body, "%*sc->api->check(c, %uu, %s, %s);\n%*s}\n", indent + 8, "",
                    w->pos, text_get(&level), text_get(&message), indent + 4, "");
        text_free(&message);
        text_free(&level);
    } else if (node.op == TERM_TERMINATE) {
        ctext_value(&c, expr_arg(w->shapes, s->a, 0), &value);
        text_printf(&body, "%*sc->report(c, 0, 0, %d, %s);\n", indent + 4, "",
                    REPORT_TERMINATE, text_get(&value));
    } else missing(w, "this statement");
    finish(w, &c, &body, NULL, indent);
    text_free(&value);
}

/* A scalar of a loop head or condition, as a variable of the block that is open. */
static void head_value(Writer *w, Term e, const char *name, int indent) {
    Text  body = {0}, value = {0};
    CText c = local_ctext(w, &body, indent + 4);
    text_printf(w->out, "%*sdouble %s;\n", indent, "", name);
    ctext_value(&c, e, &value);
    text_printf(&body, "%*s%s = %s;\n", indent + 4, "", name, text_get(&value));
    finish(w, &c, &body, NULL, indent);
    text_free(&value);
}

static void for_statement(Writer *w, const Stmt *s, int indent) {
    int n = indent + 4, slot = w->shapes->node[s->a].index;
    head_value(w, s->b, "from", n);
    head_value(w, s->c, "to", n);
    if (s->step) head_value(w, s->step, "step", n);
    else text_printf(w->out, "%*sdouble step = 1;\n", n, "");
    text_printf(w->out,
                "%*sdouble count = step == 0 ? -1 : floor((to - from)/step + 1e-9);\n"
                "%*sfor (double k = 0; k <= count && !c->failed; k++) {\n"
                "%*sa%d = from + k*step;\n",
                n, "", n, "", n + 4, "", slot);
    statements(w, s->body, n + 4);
    text_printf(w->out, "%*s}\n", n, "");
}

static void resize_statement(Writer *w, const Stmt *s, int indent) {
    Node  sizes = w->shapes->node[s->b];
    int   slot = w->shapes->node[s->a].index;
    Text  body = {0}, list = {0};
    CText c = local_ctext(w, &body, indent + 4);
    for (uint32_t k = 0; k < sizes.n; k++) {
        Text value = {0};
        ctext_value(&c, expr_arg(w->shapes, s->b, k), &value);
        text_printf(&list, "%s(int)(%s)", k ? ", " : "", text_get(&value));
        text_free(&value);
    }
    text_printf(&body, "%*srb_new(c, a%d, %u, (int[]){%s});\n", indent + 4, "", slot,
                sizes.n, text_get(&list));
    c.arrays = false;
    finish(w, &c, &body, NULL, indent);
    text_free(&list);
}

static void statement(Writer *w, const Stmt *s, int indent) {
    int n = indent + 4;
    w->pos = s->pos;
    switch (s->kind) {
    case STMT_ASSIGN: assignment(w, s, indent); return;
    case STMT_CALL: call_statement(w, s, indent); return;
    case STMT_RESIZE: resize_statement(w, s, indent); return;
    case STMT_RETURN: text_printf(w->out, "%*sgoto done;\n", indent, ""); return;
    case STMT_BREAK: text_printf(w->out, "%*sbreak;\n", indent, ""); return;
    default: break;
    }
    text_printf(w->out, "%*s{\n", indent, "");
    switch (s->kind) {
    case STMT_WHEN: /* conditions are rising edges already */
    case STMT_IF:
        head_value(w, s->a, "yes", n);
        text_printf(w->out, "%*sif (yes) {\n", n, "");
        statements(w, s->body, n + 4);
        if (s->other >= 0) {
            text_printf(w->out, "%*s} else {\n", n, "");
            statements(w, s->other, n + 4);
        }
        text_printf(w->out, "%*s}\n", n, "");
        break;
    case STMT_FOR: for_statement(w, s, indent); break;
    case STMT_WHILE:
        text_printf(w->out, "%*sfor (;;) {\n", n, "");
        head_value(w, s->a, "more", n + 4);
        text_printf(w->out, "%*sif (!more || c->failed) break;\n", n + 4, "");
        statements(w, s->body, n + 4);
        text_printf(w->out, "%*s}\n", n, "");
        break;
    default: missing(w, "this statement");
    }
    text_printf(w->out, "%*s}\n", indent, "");
}

static void prepare(Writer *w, int k);

/* Does a size of variable k use local variable s (-1: any)? */
static bool size_uses(Writer *w, int k, int s) {
    const FunctionVar *var = &w->f->var[k];
    for (int d = 0; d < var->rank && var->size; d++) {
        int n = var->size[d] ? expr_walk(w->shapes, var->size[d]) : 0;
        for (int i = 0; i < n; i++) {
            const Node *node = expr_node(w->shapes, w->shapes->walk[i]);
            bool        slot = node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT;
            if (slot && (s < 0 ? node->index >= w->f->inputs : node->index == s))
                return true;
        }
    }
    return false;
}

static void statements(Writer *w, int first, int indent) {
    for (int s = first; s >= 0; s = w->f->stmt[s].next) {
        const Stmt *stmt = &w->f->stmt[s];
        statement(w, stmt, indent);
        if (stmt->kind != STMT_ASSIGN || expr_op(w->shapes, stmt->a) != TERM_SLOT)
            continue;
        for (int k = w->f->inputs; k < w->f->vars && indent == 4; k++)
            if (w->late[k] && size_uses(w, k, w->shapes->node[stmt->a].index)) {
                prepare(w, k); /* its size is known now */
                w->late[k] = false;
            }
    }
}

/* ---- functions --------------------------------------------------------------------------------- */

static void parameters(Writer *w, bool results) {
    const Function *f = w->f;
    for (int k = 0; k < f->inputs; k++)
        text_printf(w->out, f->var[k].rank ? ", const RbArray *a%d" : ", double a%d", k);
    for (int k = 0; k < f->outputs && results; k++)
        text_printf(w->out,
                    f->var[f->inputs + k].rank ? ", RbArray *o%d" : ", double *o%d", k);
    text_char(w->out, ')');
}

static void head(Writer *w, int number) {
    text_printf(w->out, "static void f%d(Rb *c", number);
    parameters(w, true);
}

static void declare(Writer *w, int k) {
    const FunctionVar *var = &w->f->var[k];
    if (!var->rank) {
        text_printf(w->out, "    double a%d = 0.0;", k);
        name_comment(w, k);
        return;
    }
    text_printf(w->out, "    RbArray a%d[1] = {{0}};", k);
    name_comment(w, k);
}

/* Sizes and bindings may use variables before them, so they follow in order. */
static void prepare(Writer *w, int k) {
    const FunctionVar *var = &w->f->var[k];
    if (var->rank) {
        Text  body = {0}, list = {0};
        CText c = local_ctext(w, &body, 8);
        for (int d = 0; d < var->rank; d++) {
            Text value = {0};
            if (var->size && var->size[d]) ctext_value(&c, var->size[d], &value);
            else text_add(&value, "-1");
            text_printf(&list, "%s(int)(%s)", d ? ", " : "", text_get(&value));
            text_free(&value);
        }
        text_printf(&body, "        rb_declare(c, a%d, %d, (int[]){%s});\n", k, var->rank,
                    text_get(&list));
        c.arrays = false;
        finish(w, &c, &body, NULL, 4);
        text_free(&list);
    }
    if (w->f->flags & FUNCTION_ALGORITHM && k < w->f->inputs + w->f->outputs) {
        int before = k - w->f->inputs; /* the value before the algorithm runs */
        if (var->rank)
            text_printf(w->out, "    rb_assign(c, a%d, a%d, %d, %uu);\n", k, before,
                        var->rank, w->pos);
        else text_printf(w->out, "    a%d = a%d;\n", k, before);
    } else if (var->init) {
        Term slot = var->rank ? expr_array_slot(w->shapes, k, (Type)var->type, var->rank)
                              : expr_slot(w->shapes, k, (Type)var->type);
        Stmt s = {.kind = STMT_ASSIGN, .a = slot, .b = var->init, .pos = w->f->pos};
        w->pos = s.pos;
        assignment(w, &s, 4);
    }
}

static void deliver(Writer *w, bool stack) {
    const Function *f = w->f;
    Text            list = {0}, ranks = {0};
    int             arrays = 0;
    for (int k = 0; k < f->outputs; k++) {
        const FunctionVar *var = &f->var[f->inputs + k];
        if (!var->rank) continue;
        text_printf(&list, arrays ? ", a%d" : "a%d", f->inputs + k);
        text_printf(&ranks, arrays ? ", %d" : "%d", var->rank);
        arrays++;
    }
    if (arrays)
        text_printf(w->out,
                    "    rb_return(c, mark, %d, (RbArray *[]){%s}, (int[]){%s});\n",
                    arrays, text_get(&list), text_get(&ranks));
    else if (stack) text_add(w->out, "    c->top = mark;\n");
    for (int k = 0; k < f->outputs; k++)
        if (f->var[f->inputs + k].rank)
            text_printf(w->out,
                        "    if (o%d) {\n        *o%d = *a%d;\n        o%d->fixed = 0;\n"
                        "    }\n",
                        k, k, f->inputs + k, k);
        else text_printf(w->out, "    if (o%d) *o%d = a%d;\n", k, k, f->inputs + k);
    text_free(&list);
    text_free(&ranks);
}

/* Objects of external code that a function makes for itself end with the call. */
static bool ends_objects(const Function *f) {
    bool own = false;
    for (int k = f->inputs; k < f->vars; k++) {
        bool object = f->var[k].type == TYPE_OBJECT;
        if (object && k < f->inputs + f->outputs) return false;
        own |= object;
    }
    return own;
}

/* A call with inputs that are known gives the results that are known. */
static void look_up(Writer *w, int number) {
    const Function *f = w->f;
    text_add(w->out, "    const double in[] = {");
    for (int k = 0; k < f->inputs; k++) text_printf(w->out, k ? ", a%d" : "a%d", k);
    text_printf(w->out,
                "};\n    const double *known = c->api->known(c, %d, in, %d);\n"
                "    if (known) {\n",
                number, f->inputs);
    for (int k = 0; k < f->outputs; k++)
        text_printf(w->out, "        if (o%d) *o%d = known[%d];\n", k, k, k);
    text_add(w->out, "        return;\n    }\n");
}

static void keep(Writer *w, int number) {
    const Function *f = w->f;
    text_printf(w->out, "    if (!c->failed) c->api->know(c, %d, in, %d, (double[]){",
                number, f->inputs);
    for (int k = 0; k < f->outputs; k++)
        text_printf(w->out, k ? ", a%d" : "a%d", f->inputs + k);
    text_printf(w->out, "}, %d);\n", f->outputs);
}

static void body(Writer *w, int number) {
    const Function *f = w->f;
    bool            stack = f->external != NULL, ends = ends_objects(f);
    w->pos = f->pos;
    for (int k = f->inputs; k < f->vars; k++) stack |= f->var[k].rank > 0;
    text_printf(w->out, "/* %s */\n", str_text(w->shapes->strings, f->name));
    if (f->external && !extern_text(w->shapes, f, number, w->out))
        missing(w, "an operator");
    head(w, number);
    text_add(w->out, " {\n    (void)c;\n");
    if (w->costly[number]) look_up(w, number);
    for (int k = f->inputs; k < f->vars; k++) declare(w, k);
    if (stack) text_add(w->out, "    long mark = c->top;\n");
    if (ends) text_add(w->out, "    int objects = c->api->mark(c);\n");
    text_printf(
        w->out,
        "    if (c->failed) goto done;\n"
        "    if (c->depth++ > 1000) c->api->fault(c, %uu, \"the calls of functions "
        "are nested too deeply\");\n",
        (unsigned)f->pos);
    w->late = mem_take((size_t)f->vars, sizeof *w->late);
    for (int k = f->inputs; k < f->vars; k++)
        if (!(w->late[k] = size_uses(w, k, -1))) prepare(w, k);
    statements(w, f->first, 4);
    for (int k = f->inputs; k < f->vars && f->external; k++)
        if (w->late[k]) prepare(w, k);
    if (f->external) {
        text_add(w->out, "    void *p[] = {");
        for (int k = 0; k < f->vars; k++)
            text_printf(w->out, f->var[k].rank ? "%s(void *)a%d" : "%s&a%d",
                        k ? ", " : "", k);
        text_printf(w->out, "};\n    c->api->guard(c, %uu, %d, x%d, p);\n",
                    (unsigned)f->pos, number, number);
    }
    text_add(w->out, "    goto done;\ndone:\n    if (c->depth > 0) c->depth--;\n");
    if (ends) text_add(w->out, "    c->api->release(c, objects);\n");
    deliver(w, stack);
    if (w->costly[number]) keep(w, number);
    text_add(w->out, "}\n");
    if (f->flags & FUNCTION_ALGORITHM)
        text_printf(w->out, "enum { f%d_places = %d };\n", number, w->places);
    text_char(w->out, '\n');
    mem_free(w->late);
    w->late = NULL;
    w->places = 0;
}

/* The k-th result as an expression. */
static void wrapper(Writer *w, int number, int k) {
    const Function *f = w->f;
    text_printf(w->out, "static double f%d_%d(Rb *c", number, k);
    parameters(w, false);
    text_printf(w->out, " {\n    double r = 0;\n    f%d(c", number);
    for (int i = 0; i < f->inputs; i++) text_printf(w->out, ", a%d", i);
    for (int i = 0; i < f->outputs; i++) text_add(w->out, i == k ? ", &r" : ", 0");
    text_add(w->out, ");\n    return r;\n}\n");
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
        new |= mark(shapes, f->stmt[s].step, needed);
    }
    for (int k = 0; k < f->vars; k++) {
        new |= mark(shapes, f->var[k].init, needed);
        for (int d = 0; d < f->var[k].rank && f->var[k].size; d++)
            new |= mark(shapes, f->var[k].size[d], needed);
    }
    for (int k = 0; f->external && k < f->external->args; k++)
        new |= mark(shapes, f->external->arg[k], needed);
    return new;
}

static void mark_plan(Shapes *shapes, const Plan *plan, bool *needed) {
    const Families *actions = &plan->st->sys->set[ROWS_ACTION];
    for (int k = 0; k < plan->kernels; k++) /* solving may have made derivatives */
        if (plan->kernel[k].kind == KERNEL_SOLVE)
            mark(shapes,
                 shape_solve(shapes, plan->kernel[k].shape, plan->kernel[k].slot).value,
                 needed);
        else mark(shapes, shapes->shape[plan->kernel[k].shape].root, needed);
    for (int k = 0; k < plan->st->drift.rows; k++)
        mark(shapes, shapes->shape[plan->st->shape[plan->st->drift.row[k]]].root, needed);
    for (int f = 0; f < actions->count; f++)
        mark(shapes, shapes->shape[actions->family[f].shape].root, needed);
}

/* Functions marked as needed, and those that they call. */
static bool write_functions(Shapes *shapes, bool *needed, Diag *diag, Text *out) {
    bool  *costly = gen_costly(shapes);
    Writer w = {.shapes = shapes, .diag = diag, .out = out, .costly = costly};
    for (bool more = true; more;) {
        more = false;
        for (int f = 0; f < shapes->functions; f++)
            if (needed[f]) more |= mark_body(shapes, shapes->function[f], needed);
    }
    for (int pass = 0; pass < 2; pass++)
        for (int f = 0; f < shapes->functions; f++) {
            if (!needed[f]) continue;
            w.f = shapes->function[f];
            if (pass) {
                w.f = function_reuse(shapes, w.f);
                body(&w, f);
                continue;
            }
            head(&w, f);
            text_add(out, ";\n");
            for (int k = 0; k < w.f->outputs; k++)
                if (!w.f->var[w.f->inputs + k].rank) wrapper(&w, f, k);
        }
    mem_free(costly);
    return !w.failed;
}

bool gen_functions(Shapes *shapes, const Plan *plan, Diag *diag, Text *out) {
    bool *needed = mem_take((size_t)shapes->functions, sizeof *needed);
    mark_plan(shapes, plan, needed);
    bool fine = write_functions(shapes, needed, diag, out);
    mem_free(needed);
    return fine;
}

bool gen_functions_of(Shapes *shapes, const Term *root, int roots, Diag *diag,
                      Text *out) {
    bool *needed = mem_take((size_t)shapes->functions, sizeof *needed);
    for (int k = 0; k < roots; k++) mark(shapes, root[k], needed);
    bool fine = write_functions(shapes, needed, diag, out);
    mem_free(needed);
    return fine;
}
