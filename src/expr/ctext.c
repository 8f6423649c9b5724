/* SPDX-License-Identifier: Apache-2.0 */
/* ctext.c -- C text of an expression: common parts once, and nothing computed that is not needed.
 *
 * A node used more than once becomes a temporary. Branches of an if must not be evaluated when
 * they are not taken (a logarithm may be guarded by its condition), so a temporary stands in
 * the innermost branch or loop that contains all its uses: regions form a tree, the region of
 * a node is the lowest common ancestor of the regions of its uses, found in one pass from the
 * users to the arguments. An if whose branches need no statements is a conditional expression,
 * which compilers turn into vector code. `and` and `or` are treated alike: what stands behind
 * them is not evaluated when the front decides.
 *
 * The body of a loop is a text of its own, because two loops may share nodes that mean another
 * thing in each: it is written by a second round that may use the temporaries of the first.
 *
 * A whole array (an argument of a call, a constructor, an array result) is a temporary of type
 * RbArray on the stack of the generated code; its name is a pointer. Linear in nodes, times the
 * depth of nested branches and loops. Recursion follows the nesting of the text of one
 * equation. */
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
    CText             *c;
    Shapes            *shapes;
    int                n;
    Term              *list;   /* nodes, ascending */
    Map                place;  /* node -> position */
    int               *uses;   /* by place */
    int               *region; /* by place, -1: not met yet */
    int               *inner;  /* by place: first region of an IF or loop, -1 if none */
    int               *temp;   /* by place: number of the temporary, -1 if none */
    int               *next;   /* by place: next with statements in the same region */
    bool              *loud;   /* by place: used outside noEvent */
    bool              *whole;  /* by place: an array that is needed as a whole */
    const struct Emit *outer;  /* text around the loop whose body this is, NULL if none */
    int                outer_region; /* in which region of it the loop stands */
    Region            *tree;
    uint32_t           regions, tree_room;
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

static void use_whole(Emit *e, Term arg, int region) {
    use(e, arg, region);
    if (e->shapes->node[arg].rank) e->whole[place_of(e, arg)] = true;
}

/* The temporary of an enclosing text that holds x, -1 if none. */
static int outer_temp(const Emit *e, Term x) {
    if (e->shapes->node[x].flags & NODE_BOUND) return -1;
    for (; e->outer; e = e->outer) {
        const Emit *o = e->outer;
        int         p = place_of(o, x);
        if (p < 0 || o->temp[p] < 0) continue;
        for (int r = e->outer_region; r >= 0; r = o->tree[r].parent)
            if (r == o->region[p]) return o->temp[p];
    }
    return -1;
}

/* Short constructors are read by a chain of conditions, longer ones become arrays. */
static bool is_chain(const Shapes *shapes, Term array) {
    const Node *node = expr_node(shapes, array);
    return node->op == TERM_ARRAY && node->rank == 1 && node->n <= 8;
}

/* Where the size of a dimension is found: a length (*array 0, *dimension -1), a number
 * (*array 0, the result 0) or the dimension of an array that is a slot or a temporary. */
static Term size_source(const Shapes *shapes, Term *array, int *dimension) {
    for (;;) {
        const Node *node = expr_node(shapes, *array);
        switch (node->op) {
        case TERM_EACH: {
            Term length = expr_arg(shapes, *array, 0);
            if (*dimension == 1) {
                *array = 0;
                return length;
            }
            *array = expr_arg(shapes, *array, 1);
            --*dimension;
            break;
        }
        case TERM_ARRAY:
            if (*dimension == 1) {
                *dimension = (int)node->n;
                *array = 0;
                return 0;
            }
            *array = expr_arg(shapes, *array, 0);
            --*dimension;
            break;
        case TERM_NEG:
        case TERM_NO_EVENT: *array = expr_arg(shapes, *array, 0); break;
        case TERM_IF: *array = expr_arg(shapes, *array, 1); break;
        default: return 0;
        }
    }
}

static void visit_size(Emit *e, Term x, int here) {
    Term   array = expr_arg(e->shapes, x, 0);
    double d = 1;
    expr_literal(e->shapes, expr_arg(e->shapes, x, 1), &d);
    int  dimension = (int)d;
    Term length = size_source(e->shapes, &array, &dimension);
    if (length) use(e, length, here);
    else if (array && expr_op(e->shapes, array) != TERM_ARRAY_SLOT)
        use_whole(e, array, here);
}

/* Regions of the arguments of node i. An IF with branches 1..m makes for each branch a region
 * for its value and one for all that follows; AND and OR one for each argument but the first. */
static void visit(Emit *e, int i) {
    Term x = e->list[i];
    Node node = e->shapes->node[x];
    int  here = e->region[i];
    if (here < 0) return; /* only in the body of a loop */
    if (node.n && (e->temp[i] = outer_temp(e, x)) >= 0) return;
    for (uint32_t k = 0; k < node.n && e->loud[i] && !is_quiet(e->shapes, x); k++)
        e->loud[place_of(e, expr_arg(e->shapes, x, k))] = true;
    if (node.op == TERM_IF || node.op == TERM_WHEN) {
        e->inner[i] = (int)e->regions;
        int      rest = here;
        uint32_t k = 0;
        for (; k + 1 < node.n; k += 2) {
            use(e, expr_arg(e->shapes, x, k), rest);
            use_whole(e, expr_arg(e->shapes, x, k + 1), new_region(e, rest));
            rest = new_region(e, rest);
        }
        if (k < node.n) use_whole(e, expr_arg(e->shapes, x, k), rest);
        return;
    }
    if (node.op == TERM_AND || node.op == TERM_OR) {
        e->inner[i] = (int)e->regions;
        use(e, expr_arg(e->shapes, x, 0), here);
        for (uint32_t k = 1; k < node.n; k++) {
            here = new_region(e, here);
            use(e, expr_arg(e->shapes, x, k), here);
        }
        return;
    }
    if (is_loop((TermOp)node.op)) {
        use(e, expr_arg(e->shapes, x, 0), here);
        return;
    }
    if (node.op == TERM_EACH) {
        for (; expr_op(e->shapes, x) == TERM_EACH; x = expr_arg(e->shapes, x, 1))
            use(e, expr_arg(e->shapes, x, 0), here);
        return;
    }
    if (node.op == TERM_SIZE) {
        visit_size(e, x, here);
        return;
    }
    uint32_t k = 0;
    if (node.op == TERM_ELEMENT) {
        Term array = expr_arg(e->shapes, x, k++);
        if (is_chain(e->shapes, array)) use(e, array, here);
        else if (expr_op(e->shapes, array) != TERM_ARRAY_SLOT) use_whole(e, array, here);
    }
    for (; k < node.n; k++) use_whole(e, expr_arg(e->shapes, x, k), here);
}

static bool has_statements(const Emit *e, int i) {
    Node node = e->shapes->node[e->list[i]];
    int  regions;
    if (node.op == TERM_IF || node.op == TERM_WHEN) regions = (int)(node.n / 2) * 2;
    else if (node.op == TERM_AND || node.op == TERM_OR) regions = (int)node.n - 1;
    else return false;
    for (int r = 0; r < regions; r++)
        if (e->tree[e->inner[i] + r].first >= 0) return true;
    return false;
}

/* Which nodes become temporaries; they join the list of their region. */
static void choose_temporaries(Emit *e, bool call_root) {
    for (int i = 0; i < e->n; i++) {
        Node node = e->shapes->node[e->list[i]];
        if (e->region[i] < 0 || e->temp[i] >= 0 || (call_root && i == e->n - 1)) continue;
        bool cheap = !node.n || node.op == TERM_NEG || node.op == TERM_ELEMENT ||
                     node.op == TERM_SIZE || node.rank;
        bool array =
            node.rank && e->whole[i] && (node.op != TERM_ARRAY_SLOT || e->c->gather);
        bool wanted = array || is_loop((TermOp)node.op) || (e->uses[i] > 1 && !cheap) ||
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
    Term  array = expr_arg(e->shapes, x, 0);
    Node  node = e->shapes->node[x], of = e->shapes->node[array];
    int   rank = (int)node.n - 1;
    Text *subscript = calloc((size_t)rank + 1, sizeof *subscript);
    if (!subscript) abort();
    for (int d = 0; d < rank; d++)
        text(e, expr_arg(e->shapes, x, (uint32_t)d + 1), &subscript[d]);
    if (of.op == TERM_ARRAY_SLOT && e->c->element) {
        e->c->element(e->c->context, of.index, subscript, rank, out);
    } else if (is_chain(e->shapes, array) && rank == 1) { /* {a, b, c}[i] */
        text_char(out, '(');
        for (uint32_t k = 0; k + 1 < of.n; k++) {
            text_printf(out, "(%s) == %u ? ", text_get(&subscript[0]), k + 1);
            text(e, expr_arg(e->shapes, array, k), out);
            text_add(out, " : ");
        }
        text(e, expr_arg(e->shapes, array, of.n - 1), out);
        text_char(out, ')');
    } else if (of.rank == rank) {
        Text name = {0};
        text(e, array, &name);
        ctext_at(text_get(&name), subscript, rank, e->c->pos, out);
        text_free(&name);
    } else text_add(out, "rb_unsupported()");
    for (int d = 0; d < rank; d++) text_free(&subscript[d]);
    free(subscript);
}

void ctext_at(const char *array, const Text *subscript, int rank, unsigned pos,
              Text *out) {
    if (rank == 1) {
        text_printf(out, "(*rb_at1(c, %s, %s, %uu))", array, text_get(&subscript[0]),
                    pos);
    } else if (rank == 2) {
        text_printf(out, "(*rb_at2(c, %s, %s, %s, %uu))", array, text_get(&subscript[0]),
                    text_get(&subscript[1]), pos);
    } else {
        text_printf(out, "(*rb_atn(c, %s, %d, (double[]){", array, rank);
        for (int d = 0; d < rank; d++)
            text_printf(out, d ? ", %s" : "%s", text_get(&subscript[d]));
        text_printf(out, "}, %uu))", pos);
    }
}

static void arguments(Emit *e, Term x, Text *out) {
    uint32_t n = e->shapes->node[x].n;
    for (uint32_t k = 0; k < n; k++) {
        text_add(out, ", ");
        text(e, expr_arg(e->shapes, x, k), out);
    }
}

static void user_call(Emit *e, Term x, Text *out) {
    Node node = e->shapes->node[x];
    text_printf(out, "f%d_%d(c", node.index, node.integer < 0 ? 0 : (int)node.integer);
    arguments(e, x, out);
    text_char(out, ')');
}

void ctext_string(Text *out, const char *text) {
    text_add(out, "rb_text(\"");
    for (; *text; text++) {
        unsigned char ch = (unsigned char)*text;
        if (ch == '"' || ch == '\\') text_printf(out, "\\%c", ch);
        else if (ch < 32 || ch == '?' || ch > 126) text_printf(out, "\\%03o", ch);
        else text_char(out, (char)ch);
    }
    text_add(out, "\")");
}

/* String(x, ...): the format or digits, the least length, left justified. */
static void string_of(Emit *e, Term x, Text *out) {
    static const char *const name[] = {[TYPE_INTEGER] = "integer",
                                       [TYPE_BOOLEAN] = "boolean",
                                       [TYPE_REAL] = "real",
                                       [TYPE_ENUM] = "integer"};
    Node                     node = e->shapes->node[x];
    Type                     type = (Type)e->shapes->node[expr_arg(e->shapes, x, 0)].type;
    bool                     real = type == TYPE_REAL;
    if (type == TYPE_STRING) {
        text(e, expr_arg(e->shapes, x, 0), out);
        return;
    }
    if (type > TYPE_ENUM || !name[type]) {
        text_add(out, "rb_unsupported()");
        return;
    }
    bool format =
        node.n == 2 && e->shapes->node[expr_arg(e->shapes, x, 1)].type == TYPE_STRING;
    text_printf(out, "c->api->string_%s(c", format ? "format" : name[type]);
    for (uint32_t k = 0; k < (format ? 2u : real ? 4u : 3u); k++) {
        text_add(out, ", ");
        if (k < node.n) text(e, expr_arg(e->shapes, x, k), out);
        else text_add(out, real && k == 1 ? "6" : k == (real ? 3u : 2u) ? "1" : "0");
    }
    text_char(out, ')');
}

static bool compares_strings(const Emit *e, Term x) {
    TermOp op = expr_op(e->shapes, x);
    return op >= TERM_LESS && op <= TERM_NOT_EQUAL &&
           e->shapes->node[expr_arg(e->shapes, x, 0)].type == TYPE_STRING;
}

static void compare_strings(Emit *e, Term x, Text *out) {
    static const char *const sign[] = {
        [TERM_LESS] = "<",           [TERM_LESS_EQUAL] = "<=", [TERM_GREATER] = ">",
        [TERM_GREATER_EQUAL] = ">=", [TERM_EQUAL] = "==",      [TERM_NOT_EQUAL] = "!="};
    text_add(out, "(c->api->compare(");
    text(e, expr_arg(e->shapes, x, 0), out);
    text_add(out, ", ");
    text(e, expr_arg(e->shapes, x, 1), out);
    text_printf(out, ") %s 0)", sign[expr_op(e->shapes, x)]);
}

static void size_of(Emit *e, Term x, Text *out) {
    Term   array = expr_arg(e->shapes, x, 0);
    double d = 1;
    expr_literal(e->shapes, expr_arg(e->shapes, x, 1), &d);
    int  dimension = (int)d;
    Term length = size_source(e->shapes, &array, &dimension);
    if (length) {
        text(e, length, out);
    } else if (!array) {
        text_printf(out, "%d", dimension);
    } else if (expr_op(e->shapes, array) == TERM_ARRAY_SLOT && e->c->size) {
        e->c->size(e->c->context, e->shapes->node[array].index, dimension, out);
    } else {
        text(e, array, out);
        text_printf(out, "->n[%d]", dimension - 1);
    }
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
    if (compares_strings(e, x)) {
        compare_strings(e, x, out);
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
    case TERM_DELAY: /* the past of a variable is found by its number */
        if (expr_op(e->shapes, expr_arg(e->shapes, x, 0)) != TERM_SLOT) {
            text_add(out, "rb_unsupported(delay)");
            break;
        }
        text_add(out, "c->api->delay(c, &");
        text(e, expr_arg(e->shapes, x, 0), out);
        text_add(out, " - v, ");
        text(e, expr_arg(e->shapes, x, 1), out);
        text_char(out, ')');
        break;
    case TERM_SPATIAL: /* points and values count at the start only */
        text_printf(out, "c->api->spatial(c, %d, %d",
                    (int)e->shapes->node[expr_arg(e->shapes, x, 6)].integer, node.index);
        for (uint32_t k = 0; k < 4; k++) {
            text_add(out, ", ");
            text(e, expr_arg(e->shapes, x, k), out);
        }
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
    case TERM_SIZE: size_of(e, x, out); break;
    case TERM_STRING:
        ctext_string(out, str_text(e->shapes->strings, (Str)node.integer));
        break;
    case TERM_CONCAT:
        text_printf(out, "c->api->join(c, %u, (double[]){", node.n);
        for (uint32_t k = 0; k < node.n; k++) {
            if (k) text_add(out, ", ");
            text(e, expr_arg(e->shapes, x, k), out);
        }
        text_add(out, "})");
        break;
    case TERM_TO_STRING: string_of(e, x, out); break;
    case TERM_ARRAY_SLOT:
        if (e->c->array) e->c->array(e->c->context, node.index, out);
        else text_add(out, "rb_unsupported()");
        break;
    case TERM_CALL: user_call(e, x, out); break;
    case TERM_EQUATION:
        text_char(out, '(');
        text(e, expr_arg(e->shapes, x, 0), out);
        text_add(out, " - ");
        text(e, expr_arg(e->shapes, x, 1), out);
        text_char(out, ')');
        break;
    default: text_printf(out, "rb_unsupported(%s)", term_info[node.op].name);
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

static void declare(Emit *e, int temp, bool array) {
    line(e);
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
    text(e, x, &value);
    line(e);
    text_printf(e->c->out, "t%d[0] = %s[0];\n", temp, text_get(&value));
    text_free(&value);
}

static void if_statement(Emit *e, int i) {
    Term     x = e->list[i];
    uint32_t n = e->shapes->node[x].n, k = 0;
    int      depth = 0, region = e->inner[i];
    declare(e, e->temp[i], e->shapes->node[x].rank);
    for (; k + 1 < n; k += 2, region += 2) {
        Text condition = {0};
        text(e, expr_arg(e->shapes, x, k), &condition);
        line(e);
        text_printf(e->c->out, "if (%s) {\n", text_get(&condition));
        text_free(&condition);
        e->c->indent += 4;
        region_text(e, region);
        take(e, e->temp[i], expr_arg(e->shapes, x, k + 1));
        e->c->indent -= 4;
        line(e);
        text_add(e->c->out, "} else {\n");
        e->c->indent += 4;
        depth++;
        region_text(e, region + 1);
    }
    if (k < n) take(e, e->temp[i], expr_arg(e->shapes, x, k));
    while (depth--) {
        e->c->indent -= 4;
        line(e);
        text_add(e->c->out, "}\n");
    }
}

static void logic_statement(Emit *e, int i) {
    Term     x = e->list[i];
    uint32_t n = e->shapes->node[x].n;
    bool     all = expr_op(e->shapes, x) == TERM_AND;
    declare(e, e->temp[i], false);
    assign(e, e->temp[i], "=", expr_arg(e->shapes, x, 0));
    for (uint32_t k = 1; k < n; k++) {
        line(e);
        text_printf(e->c->out, "if (%st%d) {\n", all ? "" : "!", e->temp[i]);
        e->c->indent += 4;
        region_text(e, e->inner[i] + (int)k - 1);
        assign(e, e->temp[i], "=", expr_arg(e->shapes, x, k));
    }
    for (uint32_t k = 1; k < n; k++) {
        e->c->indent -= 4;
        line(e);
        text_add(e->c->out, "}\n");
    }
}

static void write(CText *c, Term root, const Emit *outer, int region, bool loud,
                  bool call_root, Text *value);

static void loop_head(Emit *e, int iterator, const char *length) {
    line(e);
    text_printf(e->c->out, "for (int i%d = 1; i%d <= %s; i%d++) {\n", iterator, iterator,
                length, iterator);
    e->c->indent += 4;
}

static void loop_end(Emit *e) {
    e->c->indent -= 4;
    line(e);
    text_add(e->c->out, "}\n");
}

static void loop_statement(Emit *e, int i) {
    Term x = e->list[i];
    Node node = e->shapes->node[x];
    Text length = {0}, value = {0};
    int  t = e->temp[i];
    text(e, expr_arg(e->shapes, x, 0), &length);
    line(e);
    text_printf(e->c->out, "double t%d = %.17g;\n", t,
                reduction_empty((TermOp)node.op, (Type)node.type));
    loop_head(e, node.index, text_get(&length));
    write(e->c, expr_arg(e->shapes, x, 1), e, e->region[i], e->loud[i], false, &value);
    line(e);
    if (node.op == TERM_SUM_OF || node.op == TERM_PRODUCT_OF)
        text_printf(e->c->out, "t%d %s %s;\n", t,
                    node.op == TERM_SUM_OF ? "+=" : "*=", text_get(&value));
    else
        text_printf(e->c->out, "t%d = rb_%s(t%d, %s);\n", t,
                    node.op == TERM_MIN_OF ? "min" : "max", t, text_get(&value));
    loop_end(e);
    text_free(&length);
    text_free(&value);
}

/* ---- arrays ------------------------------------------------------------------------------ */

/* {e for i in 1:n, j in 1:m}: one array, filled by nested loops. */
static void each_statement(Emit *e, int i) {
    Term body = e->list[i];
    int  t = e->temp[i], rank = 0;
    Text sizes = {0}, flat = {0}, value = {0};
    for (; expr_op(e->shapes, body) == TERM_EACH; body = expr_arg(e->shapes, body, 1)) {
        text_add(&sizes, rank ? ", (int)(" : "(int)(");
        text(e, expr_arg(e->shapes, body, 0), &sizes);
        text_char(&sizes, ')');
        rank++;
    }
    bool rows = e->shapes->node[body].rank > 0;
    declare(e, t, true);
    line(e);
    text_printf(e->c->out, "const int n%d[%d] = {%s};\n", t, rank, text_get(&sizes));
    if (!rows) {
        line(e);
        text_printf(e->c->out, "rb_new(c, t%d, %d, n%d);\n", t, rank, t);
    }
    Term level = e->list[i];
    for (int d = 0; d < rank; d++, level = expr_arg(e->shapes, level, 1)) {
        Text length = {0};
        text_printf(&length, rows ? "n%d[%d]" : "t%d->n[%d]", t, d);
        loop_head(e, e->shapes->node[level].index, text_get(&length));
        if (d) text_printf(&flat, ")*n%d[%d] + ", t, d);
        text_printf(&flat, "i%d - 1", e->shapes->node[level].index);
        text_free(&length);
    }
    write(e->c, body, e, e->region[i], e->loud[i], false, &value);
    line(e);
    if (rows) text_printf(e->c->out, "rb_put(c, t%d, %d, n%d, ", t, rank, t);
    else text_printf(e->c->out, "t%d->d[", t);
    for (int d = 1; d < rank; d++) text_char(e->c->out, '(');
    text_add(e->c->out, text_get(&flat));
    if (rows)
        text_printf(e->c->out, ", %s, %d);\n", text_get(&value),
                    e->shapes->node[body].rank);
    else text_printf(e->c->out, "] = %s;\n", text_get(&value));
    for (int d = 0; d < rank; d++) loop_end(e);
    text_free(&sizes);
    text_free(&flat);
    text_free(&value);
}

/* Sizes of nested constructors of scalars; false if an item is another kind of array. */
static bool literal_sizes(const Shapes *shapes, Term x, int *size, int rank) {
    const Node *node = expr_node(shapes, x);
    if (!rank) return node->rank == 0;
    if (node->op != TERM_ARRAY) return false;
    if (*size < 0) *size = (int)node->n;
    bool fine = *size == (int)node->n;
    for (uint32_t k = 0; k < node->n && fine; k++)
        fine = literal_sizes(shapes, expr_arg(shapes, x, k), size + 1, rank - 1);
    return fine;
}

static void literal_items(Emit *e, Term x, int rank, int t, int *next) {
    if (rank) {
        for (uint32_t k = 0; k < e->shapes->node[x].n; k++)
            literal_items(e, expr_arg(e->shapes, x, k), rank - 1, t, next);
        return;
    }
    Text value = {0};
    text(e, x, &value);
    line(e);
    text_printf(e->c->out, "t%d->d[%d] = %s;\n", t, (*next)++, text_get(&value));
    text_free(&value);
}

static void constructor_statement(Emit *e, int i) {
    enum { MOST = 32 };
    Term x = e->list[i];
    Node node = e->shapes->node[x];
    int  t = e->temp[i], size[MOST], next = 0;
    for (int d = 0; d < MOST; d++) size[d] = -1;
    declare(e, t, true);
    if (node.rank < MOST && literal_sizes(e->shapes, x, size, node.rank)) {
        line(e);
        text_printf(e->c->out, "rb_new(c, t%d, %d, (int[]){", t, node.rank);
        for (int d = 0; d < node.rank; d++)
            text_printf(e->c->out, d ? ", %d" : "%d", size[d]);
        text_add(e->c->out, "});\n");
        literal_items(e, x, node.rank, t, &next);
        return;
    }
    for (uint32_t k = 0; k < node.n; k++) {
        Text value = {0};
        text(e, expr_arg(e->shapes, x, k), &value);
        line(e);
        text_printf(e->c->out, "rb_put(c, t%d, 1, (int[]){%u}, %u, %s, %d);\n", t, node.n,
                    k, text_get(&value), node.rank - 1);
        text_free(&value);
    }
}

static void call_statement(Emit *e, int i) {
    Term x = e->list[i];
    Node node = e->shapes->node[x];
    Text args = {0};
    int  outputs =
        node.index < e->shapes->functions ? e->shapes->function[node.index]->outputs : 0;
    arguments(e, x, &args);
    declare(e, e->temp[i], true);
    line(e);
    text_printf(e->c->out, "f%d(c%s", node.index, text_get(&args));
    for (int k = 0; k < outputs; k++)
        if (k == (node.integer < 0 ? 0 : (int)node.integer))
            text_printf(e->c->out, ", t%d", e->temp[i]);
        else text_add(e->c->out, ", 0");
    text_add(e->c->out, ");\n");
    text_free(&args);
}

/* Sums, products by a scalar and the like: element by element. */
static void elementwise_statement(Emit *e, int i) {
    Term        x = e->list[i];
    Node        node = e->shapes->node[x];
    const char *op = node.op == TERM_ADD   ? " + "
                     : node.op == TERM_MUL ? "*"
                     : node.op == TERM_DIV ? "/"
                                           : "";
    int         t = e->temp[i];
    Text        item = {0};
    bool        sized = false;
    uint32_t    first = node.op == TERM_SMOOTH;
    bool        known = *op || node.op == TERM_NEG || node.op == TERM_NO_EVENT ||
                 node.op == TERM_SMOOTH || node.op == TERM_TO_REAL;
    declare(e, t, true);
    for (uint32_t k = first; k < node.n; k++) {
        Term arg = expr_arg(e->shapes, x, k);
        Text value = {0};
        text(e, arg, &value);
        text_printf(&item, "%s%s%s",
                    k > first             ? op
                    : node.op == TERM_NEG ? "-"
                                          : "",
                    text_get(&value), e->shapes->node[arg].rank ? "->d[k]" : "");
        if (e->shapes->node[arg].rank && !sized) {
            line(e);
            text_printf(e->c->out, "rb_new(c, t%d, %d, %s->n);\n", t, node.rank,
                        text_get(&value));
            sized = true;
        }
        text_free(&value);
    }
    line(e);
    text_printf(e->c->out,
                "for (int k = 0; k < rb_count(t%d, %d); k++) t%d->d[k] = %s;\n", t,
                node.rank, t, known ? text_get(&item) : "rb_unsupported()");
    text_free(&item);
}

static void array_statement(Emit *e, int i) {
    Node node = e->shapes->node[e->list[i]];
    switch (node.op) {
    case TERM_ARRAY_SLOT: {
        Text value = {0};
        e->c->gather(e->c->context, node.index, e->temp[i], &value);
        declare(e, e->temp[i], true);
        line(e);
        text_printf(e->c->out, "%s;\n", text_get(&value));
        text_free(&value);
        break;
    }
    case TERM_EACH: each_statement(e, i); break;
    case TERM_ARRAY: constructor_statement(e, i); break;
    case TERM_CALL: call_statement(e, i); break;
    case TERM_IF: if_statement(e, i); break;
    default: elementwise_statement(e, i);
    }
}

static void region_text(Emit *e, int region) {
    for (int i = e->tree[region].first; i >= 0; i = e->next[i]) {
        const Node *node = expr_node(e->shapes, e->list[i]);
        if (node->rank) {
            array_statement(e, i);
        } else if (is_loop((TermOp)node->op)) {
            loop_statement(e, i);
        } else if (has_statements(e, i)) {
            if (node->op == TERM_AND || node->op == TERM_OR) logic_statement(e, i);
            else if_statement(e, i);
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

/* The text of root; of a call only its arguments if call_root. */
static void write(CText *c, Term root, const Emit *outer, int region, bool loud,
                  bool call_root, Text *value) {
    Emit e = {.c = c, .shapes = c->shapes, .outer = outer, .outer_region = region};
    e.n = expr_walk(c->shapes, root);
    size_t n = (size_t)e.n;
    int   *memory = malloc(5 * n * sizeof *memory);
    bool  *marks = calloc(2 * n, sizeof *marks);
    e.list = malloc(n * sizeof *e.list);
    if (!memory || !e.list || !marks) abort();
    memcpy(e.list, c->shapes->walk, n * sizeof *e.list);
    e.uses = memory;
    e.region = memory + n;
    e.inner = memory + 2 * n;
    e.temp = memory + 3 * n;
    e.next = memory + 4 * n;
    e.loud = marks;
    e.whole = marks + n;
    e.loud[n - 1] = loud;
    e.whole[n - 1] = c->shapes->node[root].rank > 0;
    for (int i = 0; i < e.n; i++) {
        map_put(&e.place, e.list[i], i);
        e.uses[i] = 0;
        e.region[i] = e.inner[i] = e.temp[i] = e.next[i] = -1;
    }
    e.region[e.n - 1] = new_region(&e, -1);
    e.uses[e.n - 1] = 1;
    for (int i = e.n - 1; i >= 0; i--) visit(&e, i);
    choose_temporaries(&e, call_root);
    region_text(&e, 0);
    if (call_root) arguments(&e, root, value);
    else text(&e, root, value);
    map_free(&e.place);
    free(memory);
    free(marks);
    free(e.list);
    free(e.tree);
}

void ctext_value(CText *c, Term root, Text *value) {
    write(c, root, NULL, -1, true, false, value);
}

void ctext_arguments(CText *c, Term call, Text *arguments_text) {
    write(c, call, NULL, -1, true, true, arguments_text);
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

/* a - b = p*time + q with p and q free of time: the event is at -q/p. There a > b with p > 0 and
 * its like do not hold yet: they change right behind it. */
Term ctext_event_time(Shapes *shapes, Term node, bool *behind) {
    *behind = false;
    TermOp op = expr_op(shapes, node);
    if (op != TERM_LESS && op != TERM_LESS_EQUAL && op != TERM_GREATER &&
        op != TERM_GREATER_EQUAL)
        return 0;
    Term f = expr_sub(shapes, expr_arg(shapes, node, 0), expr_arg(shapes, node, 1));
    Term time = expr_time(shapes), slot = expr_slot(shapes, 1 << 12, TYPE_REAL);
    if (!(shapes->node[f].flags & NODE_TIME)) return 0;
    Term g = expr_replace(shapes, f, &time, &slot, 1); /* time as a slot of its own */
    Term zero = expr_2(shapes, TERM_EQUATION, g, shapes->zero);
    if (expr_degree_of_slot(shapes, g, 1 << 12) != DEGREE_LINEAR) return 0;
    const char *reason;
    Term        p = expr_partial(shapes, zero, 1 << 12, &reason);
    Term        q = expr_replace(shapes, g, &slot, &shapes->zero, 1);
    if (!p || expr_is_zero(shapes, p)) return 0;
    double slope;
    if (expr_literal(shapes, p, &slope))
        *behind = (op == TERM_GREATER || op == TERM_LESS_EQUAL) == (slope > 0);
    return expr_2(shapes, TERM_DIV, expr_1(shapes, TERM_NEG, q), p);
}
