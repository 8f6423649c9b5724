/* SPDX-License-Identifier: Apache-2.0 */
/* ctext.c -- C text of an expression: common parts once, and nothing computed that is not needed.
 *
 * A node used more than once becomes a temporary. Branches of an if must not be evaluated when
 * they are not taken (a logarithm may be guarded by its condition), so a temporary stands in
 * the innermost branch or loop that contains all its uses: regions form a tree, the region of
 * a node is the lowest common ancestor of the regions of its uses, found in one pass from the
 * users to the arguments. An if whose branches need no statements is a conditional expression,
 * which compilers turn into vector code. Linear in nodes, times the depth of nested branches.
 * Recursion follows the nesting of the text of one equation. */
#include "expr/expr.h"
#include "expr/pool.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct Region {
    int parent, depth;
    int first, last; /* nodes with statements, by place, ascending; -1 if none */
} Region;

typedef struct Emit {
    CText   *c;
    Shapes  *shapes;
    int      n;
    Term    *list;   /* nodes, ascending */
    Map      place;  /* node -> position */
    int     *uses;   /* by place */
    int     *region; /* by place, -1: not met yet */
    int     *inner;  /* by place: first region of an IF or loop, -1 if none */
    int     *temp;   /* by place: number of the temporary, -1 if none */
    int     *next;   /* by place: next with statements in the same region */
    bool    *loud;   /* by place: used outside noEvent */
    Region  *tree;
    uint32_t regions, tree_room;
} Emit;

static void text(Emit *e, Term x, Text *out);

static int place_of(const Emit *e, Term x) {
    return (int)map_get(&e->place, x, -1);
}

static int new_region(Emit *e, int parent) {
    POOL_GROW(&e->shapes->arena, e->tree, e->tree_room, e->regions + 1);
    e->tree[e->regions] =
        (Region){parent, parent < 0 ? 0 : e->tree[parent].depth + 1, -1, -1};
    return (int)e->regions++;
}

static int common(const Emit *e, int a, int b) {
    if (a < 0) return b;
    while (a != b) {
        if (e->tree[a].depth >= e->tree[b].depth) a = e->tree[a].parent;
        else b = e->tree[b].parent;
    }
    return a;
}

static bool is_loop(TermOp op) {
    return op == TERM_SUM_OF || op == TERM_PRODUCT_OF || op == TERM_MIN_OF ||
           op == TERM_MAX_OF;
}

static bool is_quiet(const Shapes *shapes, Term x) {
    double order = 0;
    if (expr_op(shapes, x) == TERM_NO_EVENT) return true;
    return expr_op(shapes, x) == TERM_SMOOTH &&
           expr_literal(shapes, expr_arg(shapes, x, 0), &order) && order >= 1;
}

static void use(Emit *e, Term arg, int region) {
    int p = place_of(e, arg);
    e->uses[p]++;
    e->region[p] = common(e, e->region[p], region);
}

/* Regions of the arguments of node i. An IF with branches 1..m makes for each branch a region
 * for its value and one for all that follows. */
static void visit(Emit *e, int i) {
    Term x = e->list[i];
    Node node = e->shapes->node[x];
    int  here = e->region[i];
    for (uint32_t k = 0; k < node.n && e->loud[i] && !is_quiet(e->shapes, x); k++)
        e->loud[place_of(e, expr_arg(e->shapes, x, k))] = true;
    if (node.op == TERM_IF || node.op == TERM_WHEN) {
        e->inner[i] = (int)e->regions;
        int      rest = here;
        uint32_t k = 0;
        for (; k + 1 < node.n; k += 2) {
            use(e, expr_arg(e->shapes, x, k), rest);
            use(e, expr_arg(e->shapes, x, k + 1), new_region(e, rest));
            rest = new_region(e, rest);
        }
        if (k < node.n) use(e, expr_arg(e->shapes, x, k), rest);
        return;
    }
    if (is_loop((TermOp)node.op)) {
        e->inner[i] = new_region(e, here);
        use(e, expr_arg(e->shapes, x, 0), here);
        use(e, expr_arg(e->shapes, x, 1), e->inner[i]);
        return;
    }
    for (uint32_t k = 0; k < node.n; k++) use(e, expr_arg(e->shapes, x, k), here);
}

static bool has_statements(const Emit *e, int i) {
    Node node = e->shapes->node[e->list[i]];
    if (node.op != TERM_IF && node.op != TERM_WHEN) return false;
    int regions = (int)(node.n / 2) * 2;
    for (int r = 0; r < regions; r++)
        if (e->tree[e->inner[i] + r].first >= 0) return true;
    return false;
}

/* Which nodes become temporaries; they join the list of their region. */
static void choose_temporaries(Emit *e) {
    for (int i = 0; i < e->n; i++) {
        Node node = e->shapes->node[e->list[i]];
        bool cheap = !node.n || node.op == TERM_NEG || node.op == TERM_ELEMENT ||
                     node.op == TERM_SIZE || node.rank || node.type == TYPE_STRING ||
                     node.flags & NODE_BOUND; /* two loops may share it */
        bool wanted = is_loop((TermOp)node.op) || (e->uses[i] > 1 && !cheap) ||
                      has_statements(e, i);
        if (!wanted) continue;
        Region *region = &e->tree[e->region[i]];
        e->temp[i] = e->c->temps++;
        e->next[i] = -1;
        if (region->last >= 0) e->next[region->last] = i;
        else region->first = i;
        region->last = i;
    }
}

/* ---- text of values ------------------------------------------------------------------------- */

void ctext_number(Text *out, double value) {
    if (isnan(value)) text_add(out, "(0.0/0.0)");
    else if (isinf(value)) text_add(out, value > 0 ? "(1.0/0.0)" : "(-1.0/0.0)");
    else if (value < 0) {
        text_char(out, '(');
        text_number(out, value);
        text_char(out, ')');
    } else text_number(out, value);
}

static void infix(Emit *e, Term x, const char *op, Text *out) {
    uint32_t n = e->shapes->node[x].n;
    text_char(out, '(');
    for (uint32_t k = 0; k < n; k++) {
        Term arg = expr_arg(e->shapes, x, k);
        if (k && op[1] == '+' && expr_op(e->shapes, arg) == TERM_NEG &&
            e->temp[place_of(e, arg)] < 0) {
            text_add(out, " - ");
            text(e, expr_arg(e->shapes, arg, 0), out);
            continue;
        }
        if (k) text_add(out, op);
        text(e, arg, out);
    }
    text_char(out, ')');
}

static void call(Emit *e, const char *name, Term x, Text *out) {
    uint32_t n = e->shapes->node[x].n;
    text_printf(out, "%s(", name);
    for (uint32_t k = 0; k < n; k++) {
        if (k) text_add(out, ", ");
        text(e, expr_arg(e->shapes, x, k), out);
    }
    text_char(out, ')');
}

static void power(Emit *e, Term x, Text *out) {
    Term   base = expr_arg(e->shapes, x, 0), exponent = expr_arg(e->shapes, x, 1);
    double value;
    bool whole = expr_literal(e->shapes, exponent, &value) && (value == 2 || value == 3);
    bool plain = !e->shapes->node[base].n || e->temp[place_of(e, base)] >= 0;
    if (whole && plain) { /* a product of simple texts */
        text_char(out, '(');
        for (int k = 0; k < (int)value; k++) {
            if (k) text_char(out, '*');
            text(e, base, out);
        }
        text_char(out, ')');
    } else if (whole) {
        text_add(out, value == 2 ? "rb_square(" : "rb_cube(");
        text(e, base, out);
        text_char(out, ')');
    } else {
        call(e, "pow", x, out);
    }
}

static void conditional(Emit *e, Term x, Text *out) {
    uint32_t n = e->shapes->node[x].n, k = 0;
    text_char(out, '(');
    for (; k + 1 < n; k += 2) {
        text(e, expr_arg(e->shapes, x, k), out);
        text_add(out, " ? ");
        text(e, expr_arg(e->shapes, x, k + 1), out);
        text_add(out, " : ");
    }
    if (k < n) text(e, expr_arg(e->shapes, x, k), out);
    else text_add(out, "0.0");
    text_char(out, ')');
}

static void element(Emit *e, Term x, Text *out) {
    Node  node = e->shapes->node[x], array = e->shapes->node[expr_arg(e->shapes, x, 0)];
    int   rank = (int)node.n - 1;
    Text *subscript = calloc((size_t)rank + 1, sizeof *subscript);
    if (!subscript) abort();
    for (int d = 0; d < rank; d++)
        text(e, expr_arg(e->shapes, x, (uint32_t)d + 1), &subscript[d]);
    if (array.op == TERM_ARRAY_SLOT && e->c->element)
        e->c->element(e->c->context, array.index, subscript, rank, out);
    else if (array.op == TERM_ARRAY && rank == 1) { /* {a, b, c}[i] */
        text_char(out, '(');
        for (uint32_t k = 0; k + 1 < array.n; k++) {
            text_printf(out, "(%s) == %u ? ", text_get(&subscript[0]), k + 1);
            text(e, expr_arg(e->shapes, expr_arg(e->shapes, x, 0), k), out);
            text_add(out, " : ");
        }
        text(e, expr_arg(e->shapes, expr_arg(e->shapes, x, 0), array.n - 1), out);
        text_char(out, ')');
    } else text_add(out, "rb_unsupported()");
    for (int d = 0; d < rank; d++) text_free(&subscript[d]);
    free(subscript);
}

static void user_call(Emit *e, Term x, Text *out) {
    Node node = e->shapes->node[x];
    text_printf(out, "f%d_%d(c", node.index, node.integer < 0 ? 0 : (int)node.integer);
    for (uint32_t k = 0; k < node.n; k++) {
        text_add(out, ", ");
        text(e, expr_arg(e->shapes, x, k), out);
    }
    text_char(out, ')');
}

/* C name of an operator that is written as a call, NULL if it is written otherwise. */
static const char *call_name(TermOp op) {
    switch (op) {
    case TERM_ABS: return "fabs";
    case TERM_SIGN: return "rb_sign";
    case TERM_MIN: return "rb_min";
    case TERM_MAX: return "rb_max";
    case TERM_QUOTIENT: return "rb_div";
    case TERM_MOD: return "rb_mod";
    case TERM_REM: return "rb_rem";
    case TERM_TO_INTEGER: return "floor";
    case TERM_SEMI_LINEAR: return "rb_semi_linear";
    case TERM_CHANGE: return "rb_change";
    case TERM_DELAY: return "rb_delay";
    case TERM_SQRT:
    case TERM_SIN:
    case TERM_COS:
    case TERM_TAN:
    case TERM_ASIN:
    case TERM_ACOS:
    case TERM_ATAN:
    case TERM_ATAN2:
    case TERM_SINH:
    case TERM_COSH:
    case TERM_TANH:
    case TERM_EXP:
    case TERM_LOG:
    case TERM_LOG10:
    case TERM_FLOOR:
    case TERM_CEIL: return term_info[op].text;
    default: return NULL;
    }
}

/* Operators whose value is held between events. */
static bool is_held(const Shapes *shapes, Term x) {
    const Node *node = expr_node(shapes, x);
    switch (node->op) {
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL:
    case TERM_SIGN:
    case TERM_FLOOR:
    case TERM_CEIL:
    case TERM_TO_INTEGER:
    case TERM_QUOTIENT:
    case TERM_MOD:
    case TERM_REM: break;
    case TERM_SAMPLE: return true;
    default: return false;
    }
    if (node->flags & NODE_BOUND) return false;
    for (uint32_t k = 0; k < node->n; k++)
        if (shapes->node[expr_arg(shapes, x, k)].type == TYPE_REAL) return true;
    return false;
}

static void plain(Emit *e, Term x, Text *out);

/* The value at events, the held one between them. Of mod and rem the quotient is held. */
static void operation(Emit *e, Term x, Text *out) {
    Text   index = {0};
    TermOp op = expr_op(e->shapes, x);
    if (!e->c->event || !e->loud[place_of(e, x)] || !is_held(e->shapes, x) ||
        !e->c->event(e->c->context, x, &index)) {
        plain(e, x, out);
    } else if (op == TERM_MOD || op == TERM_REM) {
        Text a = {0}, b = {0};
        text(e, expr_arg(e->shapes, x, 0), &a);
        text(e, expr_arg(e->shapes, x, 1), &b);
        text_printf(
            out, "(%s - (c->live ? (c->mode[%s] = %s(%s/(double)%s)) : c->mode[%s])*%s)",
            text_get(&a), text_get(&index), op == TERM_MOD ? "floor" : "trunc",
            text_get(&a), text_get(&b), text_get(&index), text_get(&b));
        text_free(&a);
        text_free(&b);
    } else {
        text_printf(out, "(c->live ? (c->mode[%s] = ", text_get(&index));
        plain(e, x, out);
        text_printf(out, ") : c->mode[%s])", text_get(&index));
    }
    text_free(&index);
}

static void plain(Emit *e, Term x, Text *out) {
    Node        node = e->shapes->node[x];
    const char *name = call_name((TermOp)node.op);
    if (name) {
        call(e, name, x, out);
        return;
    }
    switch (node.op) {
    case TERM_REAL: ctext_number(out, node.real); break;
    case TERM_INTEGER:
    case TERM_BOOLEAN:
    case TERM_ENUM:
        text_printf(out, node.integer < 0 ? "(%lld)" : "%lld", (long long)node.integer);
        break;
    case TERM_TIME: text_add(out, "c->time"); break;
    case TERM_SLOT:
    case TERM_NUMBER: e->c->slot(e->c->context, node.index, out); break;
    case TERM_ITERATOR: text_printf(out, "i%d", node.index); break;
    case TERM_ADD: infix(e, x, " + ", out); break;
    case TERM_MUL: infix(e, x, "*", out); break;
    case TERM_DIV:
        text_add(out, "((double)");
        text(e, expr_arg(e->shapes, x, 0), out);
        text_char(out, '/');
        text(e, expr_arg(e->shapes, x, 1), out);
        text_char(out, ')');
        break;
    case TERM_NEG:
        text_add(out, "(-");
        text(e, expr_arg(e->shapes, x, 0), out);
        text_char(out, ')');
        break;
    case TERM_NOT:
        text_add(out, "(!");
        text(e, expr_arg(e->shapes, x, 0), out);
        text_char(out, ')');
        break;
    case TERM_POW: power(e, x, out); break;
    case TERM_SAMPLE:
        text_add(out, "rb_sample(c, ");
        text(e, expr_arg(e->shapes, x, 0), out);
        text_add(out, ", ");
        text(e, expr_arg(e->shapes, x, 1), out);
        text_char(out, ')');
        break;
    case TERM_EDGE: /* when-clauses rest during initialisation */
        text_add(out, "(!c->initial && ");
        text(e, expr_arg(e->shapes, x, 0), out);
        text_add(out, " && !");
        text(e, expr_arg(e->shapes, x, 1), out);
        text_char(out, ')');
        break;
    case TERM_LESS: infix(e, x, " < ", out); break;
    case TERM_LESS_EQUAL: infix(e, x, " <= ", out); break;
    case TERM_GREATER: infix(e, x, " > ", out); break;
    case TERM_GREATER_EQUAL: infix(e, x, " >= ", out); break;
    case TERM_EQUAL: infix(e, x, " == ", out); break;
    case TERM_NOT_EQUAL: infix(e, x, " != ", out); break;
    case TERM_AND: infix(e, x, " && ", out); break;
    case TERM_OR: infix(e, x, " || ", out); break;
    case TERM_IF:
    case TERM_WHEN: conditional(e, x, out); break;
    case TERM_TO_REAL:
    case TERM_ORDINAL:
    case TERM_FROM_ORDINAL:
    case TERM_NO_EVENT: text(e, expr_arg(e->shapes, x, 0), out); break;
    case TERM_HOMOTOPY:
        text_add(out, "rb_homotopy(c->lambda, ");
        text(e, expr_arg(e->shapes, x, 0), out);
        text_add(out, ", ");
        text(e, expr_arg(e->shapes, x, 1), out);
        text_char(out, ')');
        break;
    case TERM_SMOOTH: text(e, expr_arg(e->shapes, x, 1), out); break;
    case TERM_INITIAL: text_add(out, "c->initial"); break;
    case TERM_TERMINAL: text_add(out, "c->terminal"); break;
    case TERM_ELEMENT: element(e, x, out); break;
    case TERM_SIZE: {
        const Node *array = expr_node(e->shapes, expr_arg(e->shapes, x, 0));
        double      dimension = 1;
        expr_literal(e->shapes, expr_arg(e->shapes, x, 1), &dimension);
        if (array->op == TERM_ARRAY_SLOT && e->c->size)
            e->c->size(e->c->context, array->index, (int)dimension, out);
        else text_printf(out, "%u", array->n);
        break;
    }
    case TERM_CALL: user_call(e, x, out); break;
    case TERM_EQUATION:
        text_char(out, '(');
        text(e, expr_arg(e->shapes, x, 0), out);
        text_add(out, " - ");
        text(e, expr_arg(e->shapes, x, 1), out);
        text_char(out, ')');
        break;
    default: text_add(out, "rb_unsupported()");
    }
}

static void text(Emit *e, Term x, Text *out) {
    int p = place_of(e, x);
    if (e->temp[p] >= 0) text_printf(out, "t%d", e->temp[p]);
    else operation(e, x, out);
}

/* ---- statements --------------------------------------------------------------------------------- */

static void region_text(Emit *e, int region);

static void line(Emit *e) {
    text_printf(e->c->out, "%*s", e->c->indent, "");
}

static void assign(Emit *e, int temp, const char *op, Term x) {
    Text value = {0};
    text(e, x, &value);
    line(e);
    text_printf(e->c->out, "t%d %s %s;\n", temp, op, text_get(&value));
    text_free(&value);
}

static void if_statement(Emit *e, int i) {
    Term     x = e->list[i];
    uint32_t n = e->shapes->node[x].n, k = 0;
    int      depth = 0, region = e->inner[i];
    line(e);
    text_printf(e->c->out, "double t%d;\n", e->temp[i]);
    for (; k + 1 < n; k += 2, region += 2) {
        Text condition = {0};
        text(e, expr_arg(e->shapes, x, k), &condition);
        line(e);
        text_printf(e->c->out, "if (%s) {\n", text_get(&condition));
        text_free(&condition);
        e->c->indent += 4;
        region_text(e, region);
        assign(e, e->temp[i], "=", expr_arg(e->shapes, x, k + 1));
        e->c->indent -= 4;
        line(e);
        text_add(e->c->out, "} else {\n");
        e->c->indent += 4;
        depth++;
        region_text(e, region + 1);
    }
    if (k < n) assign(e, e->temp[i], "=", expr_arg(e->shapes, x, k));
    while (depth--) {
        e->c->indent -= 4;
        line(e);
        text_add(e->c->out, "}\n");
    }
}

static void loop_statement(Emit *e, int i) {
    Term x = e->list[i];
    Node node = e->shapes->node[x];
    Text length = {0};
    int  t = e->temp[i];
    text(e, expr_arg(e->shapes, x, 0), &length);
    line(e);
    text_printf(e->c->out, "double t%d = %s;\n", t,
                node.op == TERM_SUM_OF       ? "0.0"
                : node.op == TERM_PRODUCT_OF ? "1.0"
                : node.op == TERM_MIN_OF     ? "(1.0/0.0)"
                                             : "(-1.0/0.0)");
    line(e);
    text_printf(e->c->out, "for (int i%d = 1; i%d <= %s; i%d++) {\n", node.index,
                node.index, text_get(&length), node.index);
    e->c->indent += 4;
    region_text(e, e->inner[i]);
    if (node.op == TERM_SUM_OF || node.op == TERM_PRODUCT_OF) {
        assign(e, t, node.op == TERM_SUM_OF ? "+=" : "*=", expr_arg(e->shapes, x, 1));
    } else {
        Text value = {0};
        text(e, expr_arg(e->shapes, x, 1), &value);
        line(e);
        text_printf(e->c->out, "t%d = rb_%s(t%d, %s);\n", t,
                    node.op == TERM_MIN_OF ? "min" : "max", t, text_get(&value));
        text_free(&value);
    }
    e->c->indent -= 4;
    line(e);
    text_add(e->c->out, "}\n");
    text_free(&length);
}

static void region_text(Emit *e, int region) {
    for (int i = e->tree[region].first; i >= 0; i = e->next[i]) {
        if (is_loop((TermOp)e->shapes->node[e->list[i]].op)) {
            loop_statement(e, i);
        } else if (has_statements(e, i)) {
            if_statement(e, i);
        } else {
            Text value = {0};
            operation(e, e->list[i], &value);
            line(e);
            text_printf(e->c->out, "const double t%d = %s;\n", e->temp[i],
                        text_get(&value));
            text_free(&value);
        }
    }
}

void ctext_value(CText *c, Term root, Text *value) {
    Emit e = {.c = c, .shapes = c->shapes};
    e.n = expr_walk(c->shapes, root);
    size_t n = (size_t)e.n;
    int   *memory = malloc(5 * n * sizeof *memory);
    e.list = malloc(n * sizeof *e.list);
    if (!memory || !e.list) abort();
    memcpy(e.list, c->shapes->walk, n * sizeof *e.list);
    e.uses = memory;
    e.region = memory + n;
    e.inner = memory + 2 * n;
    e.temp = memory + 3 * n;
    e.next = memory + 4 * n;
    e.loud = calloc(n, sizeof *e.loud);
    if (!e.loud) abort();
    e.loud[n - 1] = true;
    for (int i = 0; i < e.n; i++) {
        map_put(&e.place, e.list[i], i);
        e.uses[i] = 0;
        e.region[i] = e.inner[i] = e.temp[i] = e.next[i] = -1;
    }
    e.region[e.n - 1] = new_region(&e, -1);
    for (int i = e.n - 1; i >= 0; i--) visit(&e, i);
    choose_temporaries(&e);
    region_text(&e, 0);
    text(&e, root, value);
    map_free(&e.place);
    free(memory);
    free(e.loud);
    free(e.list);
    free(e.tree);
}

int ctext_events(Shapes *shapes, Term root, Term *list, int room) {
    int   n = expr_walk(shapes, root), found = 0;
    bool *loud = calloc((size_t)n, sizeof *loud);
    if (!loud) abort();
    loud[n - 1] = true;
    for (int i = n - 1; i >= 0; i--) {
        Term        x = shapes->walk[i];
        const Node *node = expr_node(shapes, x);
        if (!loud[i] || is_quiet(shapes, x)) continue;
        for (uint32_t k = 0; k < node->n; k++)
            loud[shapes->place[shapes->arg[node->arg + k]]] = true;
    }
    for (int i = 0; i < n; i++)
        if (loud[i] && is_held(shapes, shapes->walk[i])) {
            if (found < room) list[found] = shapes->walk[i];
            found++;
        }
    free(loud);
    return found;
}

Term ctext_crossing(Shapes *shapes, Term node) {
    Term a = expr_arg(shapes, node, 0), pi = expr_real(shapes, 3.14159265358979323846);
    switch (expr_op(shapes, node)) {
    case TERM_SIGN: return a;
    case TERM_FLOOR:
    case TERM_CEIL:
    case TERM_TO_INTEGER:
        return expr_1(shapes, TERM_SIN, expr_2(shapes, TERM_MUL, pi, a));
    case TERM_QUOTIENT:
    case TERM_MOD:
    case TERM_REM:
        a = expr_2(shapes, TERM_DIV, a, expr_arg(shapes, node, 1));
        return expr_1(shapes, TERM_SIN, expr_2(shapes, TERM_MUL, pi, a));
    case TERM_SAMPLE: return expr_real(shapes, -1); /* a time event */
    case TERM_LESS: /* a < b is z > 0, a >= b is its opposite */
    case TERM_GREATER_EQUAL: return expr_sub(shapes, expr_arg(shapes, node, 1), a);
    default: return expr_sub(shapes, a, expr_arg(shapes, node, 1));
    }
}

/* a - b = p*time + q with p and q free of time: the event is at -q/p. */
Term ctext_event_time(Shapes *shapes, Term node) {
    TermOp op = expr_op(shapes, node);
    if (op != TERM_LESS && op != TERM_LESS_EQUAL && op != TERM_GREATER &&
        op != TERM_GREATER_EQUAL)
        return 0;
    Term f = expr_sub(shapes, expr_arg(shapes, node, 0), expr_arg(shapes, node, 1));
    Term time = expr_time(shapes), slot = expr_slot(shapes, 1 << 20, TYPE_REAL);
    if (!(shapes->node[f].flags & NODE_TIME)) return 0;
    Term g = expr_replace(shapes, f, &time, &slot, 1); /* time as a slot of its own */
    Term zero = expr_2(shapes, TERM_EQUATION, g, shapes->zero);
    if (expr_degree_of_slot(shapes, g, 1 << 20) != DEGREE_LINEAR) return 0;
    const char *reason;
    Term        p = expr_partial(shapes, zero, 1 << 20, &reason);
    Term        q = expr_replace(shapes, g, &slot, &shapes->zero, 1);
    if (!p || expr_is_zero(shapes, p)) return 0;
    return expr_2(shapes, TERM_DIV, expr_1(shapes, TERM_NEG, q), p);
}
