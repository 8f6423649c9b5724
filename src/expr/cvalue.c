/* SPDX-License-Identifier: Apache-2.0 */
/* cvalue.c -- a value as a C expression. */
#include "expr/ctext.h"
#include "base/builtin.h"

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
            ctext_of(e, expr_arg(e->shapes, arg, 0), out);
            continue;
        }
        if (k) text_add(out, op);
        ctext_of(e, arg, out);
    }
    text_char(out, ')');
}
static void arguments(Emit *e, Term x, uint32_t n, Text *out) {
    for (uint32_t k = 0; k < n; k++) {
        if (k) text_add(out, ", ");
        ctext_of(e, expr_arg(e->shapes, x, k), out);
    }
}
static void call(Emit *e, const char *name, Term x, Text *out) {
    text_printf(out, "%s(", name);
    arguments(e, x, e->shapes->node[x].n, out);
    text_char(out, ')');
}
/* Exponents that are whole or half of a whole number, and not large, are products and a root: a
 * tenth of the cost of pow, which costs more than a property of a fluid does otherwise. */
static bool is_short(double exponent) {
    enum { LARGEST = 32 };
    return exponent != 0 && fabs(exponent) <= LARGEST &&
           2 * exponent == floor(2 * exponent);
}

static void product_text(Emit *e, Term base, double exponent, Text *out) {
    bool plain = !e->shapes->node[base].n || e->temp[place_of(e, base)] >= 0;
    bool whole = exponent == floor(exponent);
    if (plain && (exponent == 2 || exponent == 3)) { /* of simple texts */
        text_char(out, '(');
        for (int k = 0; k < (int)exponent; k++) {
            if (k) text_char(out, '*');
            ctext_of(e, base, out);
        }
        text_char(out, ')');
        return;
    }
    if (exponent == 0.5) text_add(out, "sqrt(");
    else if (exponent == 2 || exponent == 3)
        text_add(out, exponent == 2 ? "rb_square(" : "rb_cube(");
    else text_add(out, whole ? "rb_power(" : "rb_root_power(");
    ctext_of(e, base, out);
    if (exponent != 0.5 && exponent != 2 && exponent != 3)
        text_printf(out, ", %d", (int)exponent);
    text_char(out, ')');
}

static void power(Emit *e, Term x, Text *out) {
    Term   base = expr_arg(e->shapes, x, 0), exponent = expr_arg(e->shapes, x, 1);
    double value;
    if (!expr_literal(e->shapes, exponent, &value) || !is_short(value)) {
        call(e, "pow", x, out);
        return;
    }
    if (value < 0) text_add(out, "(1/");
    product_text(e, base, fabs(value), out);
    if (value < 0) text_char(out, ')');
}

/* The text is no C, so that nobody who forgets to ask takes it for a value. */
void ctext_missing(Emit *e, const char *name, Text *out) {
    if (!e->c->missing) e->c->missing = name;
    text_add(out, "rb_missing");
}

static void conditional(Emit *e, Term x, Text *out) {
    uint32_t n = e->shapes->node[x].n, k = 0;
    text_char(out, '(');
    for (; k + 1 < n; k += 2) {
        ctext_of(e, expr_arg(e->shapes, x, k), out);
        text_add(out, " ? ");
        ctext_of(e, expr_arg(e->shapes, x, k + 1), out);
        text_add(out, " : ");
    }
    if (k < n) ctext_of(e, expr_arg(e->shapes, x, k), out);
    else text_add(out, "0.0");
    text_char(out, ')');
}
static void element(Emit *e, Term x, Text *out) {
    Term  array = expr_arg(e->shapes, x, 0);
    Node  node = e->shapes->node[x], of = e->shapes->node[array];
    int   rank = (int)node.n - 1;
    Text *subscript = mem_take((size_t)rank, sizeof *subscript);
    for (int d = 0; d < rank; d++)
        ctext_of(e, expr_arg(e->shapes, x, (uint32_t)d + 1), &subscript[d]);
    if (of.op == TERM_ARRAY_SLOT && e->c->element) {
        e->c->element(e->c->context, of.index, subscript, rank, out);
    } else if (is_chain(e->shapes, array) && rank == 1) { /* {a, b, c}[i] */
        text_char(out, '(');
        for (uint32_t k = 0; k + 1 < of.n; k++) {
            text_printf(out, "(%s) == %u ? ", text_get(&subscript[0]), k + 1);
            ctext_of(e, expr_arg(e->shapes, array, k), out);
            text_add(out, " : ");
        }
        ctext_of(e, expr_arg(e->shapes, array, of.n - 1), out);
        text_char(out, ')');
    } else if (of.rank == rank) {
        Text name = {0};
        ctext_of(e, array, &name);
        ctext_at(text_get(&name), subscript, rank, e->c->pos, out);
        text_free(&name);
    } else ctext_missing(e, "", out);
    for (int d = 0; d < rank; d++) text_free(&subscript[d]);
    mem_free(subscript);
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

void ctext_list(Emit *e, Term x, Text *out) {
    uint32_t n = e->shapes->node[x].n;
    for (uint32_t k = 0; k < n; k++) {
        text_add(out, ", ");
        ctext_of(e, expr_arg(e->shapes, x, k), out);
    }
}
static void user_call(Emit *e, Term x, Text *out) {
    Node node = e->shapes->node[x];
    text_printf(out, "f%d_%d(c", node.index, node.integer < 0 ? 0 : (int)node.integer);
    ctext_list(e, x, out);
    text_char(out, ')');
}

/* String(x, format), or String(x, digits, length, left justified), without digits for what is no
 * Real. */
static void string_of(Emit *e, Term x, Text *out) {
    static const char *const name[] = {[TYPE_INTEGER] = "integer",
                                       [TYPE_BOOLEAN] = "boolean",
                                       [TYPE_REAL] = "real",
                                       [TYPE_STRING] = "text"};
    Node                     node = e->shapes->node[x];
    Type                     type = (Type)e->shapes->node[expr_arg(e->shapes, x, 0)].type;
    if (type > TYPE_STRING || !name[type]) {
        ctext_missing(e, "", out);
        return;
    }
    text_printf(out, "c->api->string_%s(c", node.n == 2 ? "format" : name[type]);
    for (uint32_t k = 0; k < node.n; k++) {
        text_add(out, ", ");
        ctext_of(e, expr_arg(e->shapes, x, k), out);
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
    text_add(out, "(c->api->compare(c, ");
    ctext_of(e, expr_arg(e->shapes, x, 0), out);
    text_add(out, ", ");
    ctext_of(e, expr_arg(e->shapes, x, 1), out);
    text_printf(out, ") %s 0)", sign[expr_op(e->shapes, x)]);
}
static void size_of(Emit *e, Term x, Text *out) {
    Term   array = expr_arg(e->shapes, x, 0);
    double d = 1;
    expr_literal(e->shapes, expr_arg(e->shapes, x, 1), &d);
    int  dimension = (int)d;
    Term length = size_source(e->shapes, &array, &dimension);
    if (length) {
        ctext_of(e, length, out);
    } else if (!array) {
        text_printf(out, "%d", dimension);
    } else if (expr_op(e->shapes, array) == TERM_ARRAY_SLOT && e->c->size) {
        e->c->size(e->c->context, e->shapes->node[array].index, dimension, out);
    } else {
        ctext_of(e, array, out);
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
    case TERM_ATAN2: return "atan2";
#define CASE(id, of)                                                                     \
    case TERM_##id: return #of;
        BUILTIN_OF_C(CASE)
#undef CASE
    default: return NULL;
    }
}

/* Operators whose value is held between events. */
bool is_held(const Shapes *shapes, Term x) {
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

/* In an algorithm section: as it was on the way taken at the last event. */
static void follow(Emit *e, Term x, Text *out) {
    text_printf(out, "c->api->follow(c, %d, %d, ", (int)expr_op(e->shapes, x),
                (*e->c->places)++);
    ctext_of(e, expr_arg(e->shapes, x, 0), out);
    text_add(out, ", ");
    if (e->shapes->node[x].n > 1) ctext_of(e, expr_arg(e->shapes, x, 1), out);
    else text_char(out, '0');
    text_char(out, ')');
}

/* The value at events, the held one between them. Of mod and rem the quotient is held. */
/* Pieces of a text, those of texts inside included: a chain of `+` is one call, however long it is.
 * Returns their number. */
static int pieces(Emit *e, Term x, Text *out) {
    Node node = *expr_node(e->shapes, x);
    int  n = 0;
    for (uint32_t k = 0; k < node.n; k++) {
        Term arg = expr_arg(e->shapes, x, k);
        if (k) text_add(out, ", ");
        if (expr_op(e->shapes, arg) == TERM_CONCAT && e->temp[place_of(e, arg)] < 0)
            n += pieces(e, arg, out);
        else {
            ctext_of(e, arg, out);
            n++;
        }
    }
    return n;
}

static void concat(Emit *e, Term x, Text *out) {
    Text list = {0};
    int  n = pieces(e, x, &list);
    text_printf(out, "c->api->join(c, %d, (double[]){%s})", n, text_get(&list));
    text_free(&list);
}

void ctext_operation(Emit *e, Term x, Text *out) {
    Text   index = {0};
    TermOp op = expr_op(e->shapes, x);
    if (e->c->places && op != TERM_SAMPLE && e->loud[place_of(e, x)] &&
        is_held(e->shapes, x)) {
        follow(e, x, out);
        return;
    }
    if (!e->c->event || !e->loud[place_of(e, x)] || !is_held(e->shapes, x) ||
        !e->c->event(e->c->context, x, &index)) {
        plain(e, x, out);
    } else if (op == TERM_MOD || op == TERM_REM) {
        Text a = {0}, b = {0};
        ctext_of(e, expr_arg(e->shapes, x, 0), &a);
        ctext_of(e, expr_arg(e->shapes, x, 1), &b);
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

/* Operators between their arguments. */
static const char *const infixes[] = {
    [TERM_ADD] = " + ",         [TERM_MUL] = "*",          [TERM_LESS] = " < ",
    [TERM_LESS_EQUAL] = " <= ", [TERM_GREATER] = " > ",    [TERM_GREATER_EQUAL] = " >= ",
    [TERM_EQUAL] = " == ",      [TERM_NOT_EQUAL] = " != ", [TERM_AND] = " && ",
    [TERM_OR] = " || "};

/* Operators that are written in one way: $k stands for argument k. */
static const char *const forms[] = {
    [TERM_TIME] = "c->time",
    [TERM_INITIAL] = "c->initial",
    [TERM_TERMINAL] = "c->terminal",
    [TERM_DIV] = "((double)$0/$1)",
    [TERM_NEG] = "(-$0)",
    [TERM_NOT] = "(!$0)",
    [TERM_SAMPLE] = "rb_sample(c, $0, $1)",
    [TERM_EDGE] = "(!c->initial && $0 && !$1)", /* when-clauses rest at the start */
    [TERM_SAMPLE_CLOCKED] = "$0", /* values of other partitions stay until their tick */
    [TERM_HOLD] = "$0",
    [TERM_SUB_SAMPLE] = "$0",
    [TERM_SUPER_SAMPLE] = "$0",
    [TERM_SHIFT_SAMPLE] = "$0",
    [TERM_BACK_SAMPLE] = "$0",
    [TERM_NO_CLOCK] = "$0",
    [TERM_INTERVAL] = "c->interval",
    [TERM_FIRST_TICK] = "c->first_tick",
    [TERM_STEP] = "c->step(c, $0)",
    [TERM_TO_REAL] = "$0",
    [TERM_ORDINAL] = "$0",
    [TERM_FROM_ORDINAL] = "$0",
    [TERM_NO_EVENT] = "$0",
    [TERM_SMOOTH] = "$1",
    [TERM_HOMOTOPY] = "rb_homotopy(c->lambda, $0, $1)",
    [TERM_EQUATION] = "($0 - $1)"};

static void form(Emit *e, Term x, const char *pattern, Text *out) {
    for (; *pattern; pattern++) {
        if (*pattern != '$') text_char(out, *pattern);
        else ctext_of(e, expr_arg(e->shapes, x, (uint32_t)(*++pattern - '0')), out);
    }
}

/* The past of a variable is found by its number. */
static void delay(Emit *e, Term x, Text *out) {
    if (expr_op(e->shapes, expr_arg(e->shapes, x, 0)) != TERM_SLOT) {
        ctext_missing(e, "delay", out);
        return;
    }
    text_add(out, "c->api->delay(c, ");
    if (!e->c->past || !e->c->past(e->c->context, x, out)) text_add(out, "-1");
    form(e, x, ", &$0 - v, $1)", out);
}

/* Points and values count at the start only. */
static void spatial(Emit *e, Term x, Text *out) {
    text_printf(out, "c->api->spatial(c, %d, %d",
                (int)e->shapes->node[expr_arg(e->shapes, x, 6)].integer,
                e->shapes->node[x].index);
    form(e, x, ", $0, $1, $2, $3)", out);
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
    if (node.op < LENGTH(infixes) && infixes[node.op]) {
        infix(e, x, infixes[node.op], out);
        return;
    }
    if (node.op < LENGTH(forms) && forms[node.op]) {
        form(e, x, forms[node.op], out);
        return;
    }
    switch (node.op) {
    case TERM_REAL: ctext_number(out, node.real); break;
    case TERM_INTEGER:
    case TERM_BOOLEAN:
    case TERM_ENUM:
        text_printf(out, node.integer < 0 ? "(%lld)" : "%lld", (long long)node.integer);
        break;
    case TERM_SLOT:
    case TERM_NUMBER: e->c->slot(e->c->context, node.index, out); break;
    case TERM_ITERATOR: text_printf(out, "i%d", node.index); break;
    case TERM_POW: power(e, x, out); break;
    case TERM_DELAY: delay(e, x, out); break;
    case TERM_SPATIAL: spatial(e, x, out); break;
    case TERM_IF:
    case TERM_WHEN: conditional(e, x, out); break;
    case TERM_ELEMENT: element(e, x, out); break;
    case TERM_SIZE: size_of(e, x, out); break;
    case TERM_STRING:
        text_printf(out, "%d.0", shapes_literal(e->shapes, (Str)node.integer));
        break;
    case TERM_CONCAT: concat(e, x, out); break;
    case TERM_TO_STRING: string_of(e, x, out); break;
    case TERM_ARRAY_SLOT:
        if (e->c->array) e->c->array(e->c->context, node.index, out);
        else ctext_missing(e, "", out);
        break;
    case TERM_CALL: user_call(e, x, out); break;
    default: ctext_missing(e, term_info[node.op].name, out);
    }
}

void ctext_of(Emit *e, Term x, Text *out) {
    int p = place_of(e, x);
    if (e->temp[p] >= 0) text_printf(out, "t%d", e->temp[p]);
    else ctext_operation(e, x, out);
}
