/* SPDX-License-Identifier: Apache-2.0 */
/* ctext.c -- C text of an expression: common parts once, and nothing computed that is not needed.
 *
 * A node used more than once becomes a temporary. It stands in the innermost branch or loop that
 * contains all its uses: regions form a tree, the region of a node is the lowest common ancestor
 * of the regions of its uses, found in one pass from the users to the arguments. A node that may
 * fail (expr_may_fault) must not be evaluated in a branch that does not use it, because the
 * condition may be what keeps it from failing: it stands in every region of a use, and above them
 * only where it is certain that one of them is evaluated ("very busy expressions"; Aho, Lam,
 * Sethi and Ullman, Compilers, 2006, section 9.5). An if whose branches need no statements is a conditional expression,
 * which compilers turn into vector code. `and` and `or` are treated alike: what stands after
 * them is not evaluated when the front decides.
 *
 * The body of a loop is a text of its own, because two loops may share nodes that mean another
 * thing in each: it is written by a second round that may use the temporaries of the first.
 *
 * Results of one call that are needed in the same region are computed by one call.
 *
 * A whole array (an argument of a call, a constructor, an array result) is a temporary of type
 * RbArray on the stack of the generated code; its name is a pointer. Linear in nodes, times the
 * depth of nested branches and loops. Recursion follows the nesting of the text of one
 * equation. */
#include "expr/ctext.h"

#include <string.h>

/* ---- statements --------------------------------------------------------------------------------- */

static void region_text(Emit *e, int region);

void ctext_line(Emit *e) {
    text_printf(e->c->out, "%*s", e->c->indent, "");
}
static void assign(Emit *e, int temp, const char *op, Term x) {
    Text value = {0};
    ctext_of(e, x, &value);
    ctext_line(e);
    text_printf(e->c->out, "t%d %s %s;\n", temp, op, text_get(&value));
    text_free(&value);
}

void ctext_declare(Emit *e, int temp, bool array) {
    ctext_line(e);
    if (array) e->c->arrays = true;
    text_printf(e->c->out, array ? "RbArray t%d[1] = {{0}};\n" : "double t%d;\n", temp);
}

/* temp = x, of either kind */
static void take(Emit *e, int temp, Term x) {
    Text value = {0};
    if (!e->shapes->node[x].rank) {
        assign(e, temp, "=", x);
        return;
    }
    ctext_of(e, x, &value);
    ctext_line(e);
    text_printf(e->c->out, "t%d[0] = %s[0];\n", temp, text_get(&value));
    text_free(&value);
}

void ctext_if(Emit *e, Stand s) {
    Term     x = e->list[s.node];
    uint32_t n = e->shapes->node[x].n, k = 0;
    int      depth = 0, region = s.inner, temp = e->temp[s.node];
    ctext_declare(e, temp, e->shapes->node[x].rank);
    for (; k + 1 < n; k += 2, region += 2) {
        Text condition = {0};
        ctext_of(e, expr_arg(e->shapes, x, k), &condition);
        ctext_line(e);
        text_printf(e->c->out, "if (%s) {\n", text_get(&condition));
        text_free(&condition);
        e->c->indent += 4;
        region_text(e, region);
        take(e, temp, expr_arg(e->shapes, x, k + 1));
        e->c->indent -= 4;
        ctext_line(e);
        text_add(e->c->out, "} else {\n");
        e->c->indent += 4;
        depth++;
        region_text(e, region + 1);
    }
    if (k < n) take(e, temp, expr_arg(e->shapes, x, k));
    while (depth--) {
        e->c->indent -= 4;
        ctext_line(e);
        text_add(e->c->out, "}\n");
    }
}
static void logic_statement(Emit *e, Stand s) {
    Term     x = e->list[s.node];
    uint32_t n = e->shapes->node[x].n;
    bool     all = expr_op(e->shapes, x) == TERM_AND;
    int      temp = e->temp[s.node];
    ctext_declare(e, temp, false);
    assign(e, temp, "=", expr_arg(e->shapes, x, 0));
    for (uint32_t k = 1; k < n; k++) {
        ctext_line(e);
        text_printf(e->c->out, "if (%st%d) {\n", all ? "" : "!", temp);
        e->c->indent += 4;
        region_text(e, s.inner + (int)k - 1);
        assign(e, temp, "=", expr_arg(e->shapes, x, k));
    }
    for (uint32_t k = 1; k < n; k++) {
        e->c->indent -= 4;
        ctext_line(e);
        text_add(e->c->out, "}\n");
    }
}

void ctext_loop_head(Emit *e, int iterator, const char *length) {
    ctext_line(e);
    text_printf(e->c->out, "for (int i%d = 1; i%d <= %s; i%d++) {\n", iterator, iterator,
                length, iterator);
    e->c->indent += 4;
}

void ctext_loop_end(Emit *e) {
    e->c->indent -= 4;
    ctext_line(e);
    text_add(e->c->out, "}\n");
}
static void loop_statement(Emit *e, Stand s) {
    Term x = e->list[s.node];
    Node node = e->shapes->node[x];
    Text length = {0}, value = {0};
    int  t = e->temp[s.node];
    ctext_of(e, expr_arg(e->shapes, x, 0), &length);
    ctext_line(e);
    text_printf(e->c->out, "double t%d = %.17g;\n", t,
                reduction_empty((TermOp)node.op, (Type)node.type));
    ctext_loop_head(e, node.index, text_get(&length));
    ctext_write(e->c, expr_arg(e->shapes, x, 1), e, s.region, e->loud[s.node], false,
                &value);
    ctext_line(e);
    if (node.op == TERM_SUM_OF || node.op == TERM_PRODUCT_OF)
        text_printf(e->c->out, "t%d %s %s;\n", t,
                    node.op == TERM_SUM_OF ? "+=" : "*=", text_get(&value));
    else
        text_printf(e->c->out, "t%d = rb_%s(t%d, %s);\n", t,
                    node.op == TERM_MIN_OF ? "min" : "max", t, text_get(&value));
    ctext_loop_end(e);
    text_free(&length);
    text_free(&value);
}
static void region_text(Emit *e, int region) {
    for (int k = e->tree[region].first; k >= 0; k = e->stand[k].next) {
        Stand       s = e->stand[k];
        Term        x = e->list[s.node];
        const Node *node = expr_node(e->shapes, x);
        if (s.mate >= 0) {
            ctext_call_statement(e, s);
        } else if (node->rank) {
            ctext_array_statement(e, s);
        } else if (is_loop((TermOp)node->op)) {
            loop_statement(e, s);
        } else if (has_statements(e, &s)) {
            if (node->op == TERM_AND || node->op == TERM_OR) logic_statement(e, s);
            else ctext_if(e, s);
        } else {
            Text value = {0};
            ctext_operation(e, x, &value);
            ctext_line(e);
            text_printf(e->c->out, "const double t%d = %s;\n", e->temp[s.node],
                        text_get(&value));
            text_free(&value);
        }
    }
}

static void mark_faults(Emit *e) {
    for (int i = 0; i < e->n; i++) {
        Term x = e->list[i];
        e->faults[i] = expr_may_fault(e->shapes, x);
        for (uint32_t k = 0; k < e->shapes->node[x].n && !e->faults[i]; k++)
            e->faults[i] = e->faults[place_of(e, expr_arg(e->shapes, x, k))];
    }
}

/* Between events a condition has the values of those relations that keep theirs. */
static void mark_silent(Emit *e) {
    for (int i = 0; i < e->n; i++) {
        Term x = e->list[i];
        e->silent[i] = is_quiet(e->shapes, x);
        for (uint32_t k = 0; k < e->shapes->node[x].n && !is_held(e->shapes, x); k++)
            e->silent[i] |= e->silent[place_of(e, expr_arg(e->shapes, x, k))];
    }
}

/* The text of root; of a call only its arguments if call_root. */
void ctext_write(CText *c, Term root, const Emit *outer, int region, bool loud,
                 bool call_root, Text *value) {
    Emit e = {.c = c, .shapes = c->shapes, .outer = outer, .outer_region = region};
    e.n = expr_walk(c->shapes, root);
    size_t n = (size_t)e.n;
    int   *memory = mem_take(6 * n, sizeof *memory);
    bool  *marks = mem_take(4 * n, sizeof *marks);
    e.list = mem_take(n, sizeof *e.list);
    memcpy(e.list, c->shapes->walk, n * sizeof *e.list);
    e.uses = memory;
    e.first = memory + n;
    e.temp = memory + 2 * n;
    e.mate = memory + 3 * n;
    e.levels = memory + 4 * n;
    e.lift = memory + 5 * n;
    e.loud = marks;
    e.whole = marks + n;
    e.faults = marks + 2 * n;
    e.silent = marks + 3 * n;
    e.loud[n - 1] = loud;
    e.whole[n - 1] = c->shapes->node[root].rank > 0;
    for (int i = 0; i < e.n; i++) {
        map_put(&e.place, e.list[i], i);
        e.first[i] = e.temp[i] = e.mate[i] = e.lift[i] = -1;
    }
    mark_faults(&e);
    mark_silent(&e);
    place_stand(&e, e.n - 1, region_new(&e, -1));
    e.uses[e.n - 1] = 1;
    for (int i = e.n - 1; i >= 0; i--) place_visit(&e, i);
    place_temporaries(&e, call_root);
    region_text(&e, 0);
    if (call_root) ctext_list(&e, root, value);
    else ctext_of(&e, root, value);
    map_free(&e.place);
    MEM_FREE(memory, marks, e.list, e.tree, e.stand);
}

void ctext_value(CText *c, Term root, Text *value) {
    ctext_write(c, root, NULL, -1, true, false, value);
}

void ctext_arguments(CText *c, Term call, Text *arguments_text) {
    ctext_write(c, call, NULL, -1, true, true, arguments_text);
}
