/* SPDX-License-Identifier: Apache-2.0 */
/* print.c -- expressions as Modelica text, with no more parentheses than needed.
 *
 * Recursion follows the nesting of one equation's text, which the parser limits; sums,
 * products and elseif chains of any length are single nodes. What is shared is written wherever it
 * stands, so nested calls that were inlined could be longer than any memory: the text ends at
 * MOST characters. */
#include "program/term.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { /* binding strength, weakest first */
               STRENGTH_ANY,
               STRENGTH_OR,
               STRENGTH_AND,
               STRENGTH_NOT,
               STRENGTH_RELATION,
               STRENGTH_SUM,
               STRENGTH_PRODUCT,
               STRENGTH_POWER,
               STRENGTH_PRIMARY
} Strength;

typedef struct Printer {
    const TermPool *pool;
    NameSlot       *name;
    const void     *context;
    Text           *out;
    size_t          end; /* nothing more is written beyond this length */
} Printer;

enum { MOST = 1 << 18 };

static void print(const Printer *p, Term e, Strength outer);

void text_number(Text *out, double value) {
    char    buffer[40];
    Numbers plain = numbers_begin();
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, sizeof buffer, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    numbers_end(plain);
    text_add(out, buffer);
    if (isfinite(value) && !strpbrk(buffer, ".e")) text_add(out, ".0");
}

static Strength strength(const Node *node) {
    switch (node->op) {
    case TERM_OR: return STRENGTH_OR;
    case TERM_AND: return STRENGTH_AND;
    case TERM_NOT: return STRENGTH_NOT;
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL:
    case TERM_EQUAL:
    case TERM_NOT_EQUAL: return STRENGTH_RELATION;
    case TERM_ADD:
    case TERM_CONCAT:
    case TERM_NEG: return STRENGTH_SUM;
    case TERM_REAL: return node->real < 0 ? STRENGTH_SUM : STRENGTH_PRIMARY;
    case TERM_INTEGER: return node->integer < 0 ? STRENGTH_SUM : STRENGTH_PRIMARY;
    case TERM_MUL:
    case TERM_DIV: return STRENGTH_PRODUCT;
    case TERM_POW: return STRENGTH_POWER;
    case TERM_IF:
    case TERM_WHEN:
    case TERM_EQUATION: return STRENGTH_ANY;
    default: return STRENGTH_PRIMARY;
    }
}

static void list(const Printer *p, Term e, uint32_t from, const char *between,
                 Strength inner) {
    const Node *node = &p->pool->node[e];
    for (uint32_t k = from; k < node->n; k++) {
        if (k > from) text_add(p->out, between);
        print(p, term_arg(p->pool, e, k), inner);
    }
}

static void call(const Printer *p, const char *name, Term e, uint32_t args) {
    text_printf(p->out, "%s(", name);
    for (uint32_t k = 0; k < args; k++) {
        if (k) text_add(p->out, ", ");
        print(p, term_arg(p->pool, e, k), STRENGTH_ANY);
    }
    text_char(p->out, ')');
}

static void sum(const Printer *p, Term e) {
    const Node *node = &p->pool->node[e];
    for (uint32_t k = 0; k < node->n; k++) {
        Term        a = term_arg(p->pool, e, k);
        const Node *term = &p->pool->node[a];
        bool        minus = term->op == TERM_NEG;
        double      value;
        if (k && node_literal(&p->pool->node[a], &value) && value < 0) {
            text_add(p->out, " - ");
            if (term->op == TERM_INTEGER)
                text_printf(p->out, "%lld", -(long long)term->integer);
            else text_number(p->out, -value);
            continue;
        }
        if (k) text_add(p->out, minus ? " - " : " + ");
        if (k && minus) print(p, term_arg(p->pool, a, 0), STRENGTH_PRODUCT);
        else print(p, a, k ? STRENGTH_PRODUCT : STRENGTH_SUM);
    }
}

static void conditional(const Printer *p, Term e, const char *first, const char *next) {
    const Node *node = &p->pool->node[e];
    uint32_t    k = 0;
    for (; k + 1 < node->n; k += 2) {
        text_add(p->out, k ? next : first);
        print(p, term_arg(p->pool, e, k), STRENGTH_ANY);
        text_add(p->out, " then ");
        print(p, term_arg(p->pool, e, k + 1), STRENGTH_ANY);
    }
    if (k < node->n) {
        text_add(p->out, " else ");
        print(p, term_arg(p->pool, e, k), STRENGTH_ANY);
    }
}

static void slot(const Printer *p, const Node *node) {
    if (p->name) p->name(p->context, node->index, p->out);
    else text_printf(p->out, "$%d", node->index);
}

static void leaf(const Printer *p, const Node *node) {
    switch (node->op) {
    case TERM_REAL: text_number(p->out, node->real); break;
    case TERM_INTEGER: text_printf(p->out, "%lld", (long long)node->integer); break;
    case TERM_BOOLEAN: text_add(p->out, node->integer ? "true" : "false"); break;
    case TERM_STRING: {
        const char *text = p->pool->text(p->pool->owner, node->integer);
        text_json(p->out, text, strlen(text));
        break;
    }
    case TERM_ENUM: text_printf(p->out, "%lld", (long long)node->integer); break;
    case TERM_TIME: text_add(p->out, "time"); break;
    case TERM_ITERATOR: text_printf(p->out, "i%d", node->index + 1); break;
    default: slot(p, node);
    }
}

static void loop(const Printer *p, Term e, const Node *node) {
    text_printf(p->out, node->op == TERM_EACH ? "{" : "%s(", term_info[node->op].text);
    print(p, term_arg(p->pool, e, 1), STRENGTH_ANY);
    text_printf(p->out, " for i%d in 1:", node->index + 1);
    print(p, term_arg(p->pool, e, 0), STRENGTH_SUM);
    text_char(p->out, node->op == TERM_EACH ? '}' : ')');
}

static void operation(const Printer *p, Term e, const Node *node) {
    const char *text = term_info[node->op].text;
    if (strength(node) == STRENGTH_RELATION) {
        print(p, term_arg(p->pool, e, 0), STRENGTH_SUM);
        text_printf(p->out, " %s ", text);
        print(p, term_arg(p->pool, e, 1), STRENGTH_SUM);
        return;
    }
    switch (node->op) {
    case TERM_OR: list(p, e, 0, " or ", STRENGTH_AND); break;
    case TERM_AND: list(p, e, 0, " and ", STRENGTH_NOT); break;
    case TERM_NOT:
        text_add(p->out, "not ");
        list(p, e, 0, "", STRENGTH_RELATION);
        break;
    case TERM_ADD: sum(p, e); break;
    case TERM_CONCAT: list(p, e, 0, " + ", STRENGTH_PRODUCT); break;
    case TERM_NEG:
        text_char(p->out, '-');
        list(p, e, 0, "", STRENGTH_PRODUCT);
        break;
    case TERM_MUL: list(p, e, 0, "*", STRENGTH_PRODUCT); break;
    case TERM_DIV:
        print(p, term_arg(p->pool, e, 0), STRENGTH_PRODUCT);
        text_char(p->out, '/');
        print(p, term_arg(p->pool, e, 1), STRENGTH_POWER);
        break;
    case TERM_POW: list(p, e, 0, "^", STRENGTH_PRIMARY); break;
    case TERM_TO_REAL: list(p, e, 0, "", STRENGTH_PRIMARY); break;
    case TERM_IF: conditional(p, e, "if ", " elseif "); break;
    case TERM_WHEN: conditional(p, e, "when ", " elsewhen "); break;
    case TERM_EDGE:
    case TERM_CHANGE: call(p, text, e, 1); break;
    case TERM_EQUATION:
        print(p, term_arg(p->pool, e, 0), STRENGTH_ANY);
        text_add(p->out, " = ");
        print(p, term_arg(p->pool, e, 1), STRENGTH_ANY);
        break;
    case TERM_SUM_OF:
    case TERM_PRODUCT_OF:
    case TERM_MIN_OF:
    case TERM_MAX_OF:
    case TERM_EACH: loop(p, e, node); break;
    case TERM_ARRAY:
        text_char(p->out, '{');
        list(p, e, 0, ", ", STRENGTH_ANY);
        text_char(p->out, '}');
        break;
    case TERM_TUPLE:
        text_char(p->out, '(');
        list(p, e, 0, ", ", STRENGTH_ANY);
        text_char(p->out, ')');
        break;
    case TERM_ELEMENT:
        print(p, term_arg(p->pool, e, 0), STRENGTH_PRIMARY);
        text_char(p->out, '[');
        list(p, e, 1, ", ", STRENGTH_ANY);
        text_char(p->out, ']');
        break;
    case TERM_CALL: {
        const char *name = p->pool->function(p->pool->owner, node->index);
        call(p, name ? name : "f", e, node->n);
        if (node->integer > 0) text_printf(p->out, ".%lld", (long long)node->integer + 1);
        break;
    }
    default: call(p, text, e, node->n);
    }
}

static void print(const Printer *p, Term e, Strength outer) {
    const Node *node = &p->pool->node[e];
    bool        brackets = strength(node) < outer;
    if (p->out->length > p->end) return;
    if (brackets) text_char(p->out, '(');
    if (node->op <= TERM_ITERATOR) leaf(p, node);
    else operation(p, e, node);
    if (brackets) text_char(p->out, ')');
}

void term_print(const TermPool *pool, Term term, NameSlot *name, const void *context,
                Text *out) {
    Printer p = {pool, name, context, out, out->length + MOST};
    print(&p, term, STRENGTH_ANY);
    if (out->length > p.end) text_add(out, " ...");
}
