/* SPDX-License-Identifier: Apache-2.0 */
/* sense.c -- equations that are right and seldom what was meant: an if without else, Reals that are
 * compared for equality, relations that cause events where a function without events says the same. */
#include "lint/linter.h"

#include <string.h>

typedef struct Sense {
    const Linter        *l;
    const ClassScope    *in;
    Scope                scope;
    const IteratorScope *iterators; /* in force here; NULL */
    bool                 events;    /* relations cause events here: not in functions */
} Sense;

static void expression(Sense *s, Expr expr);

/* ---- types, as far as they are plain ---- */

static Meaning meaning_of(const Sense *s, const Name *name) {
    Front  *front = s->l->front;
    Meaning m = resolve_first(front, s->scope, s->iterators, name->part[0].name);
    for (int k = 1; k < name->count && m.kind; k++)
        m = resolve_next(front, &m, name->part[k].name);
    return m;
}

static bool varies(const Sense *s, Expr expr);

static bool some_varies(const Sense *s, const ExprList *items) {
    for (uint32_t i = 0; items && i < items->count; i++)
        if (varies(s, items->item[i])) return true;
    return false;
}

/* cardinality, Connections.isRoot and the like are known when translating. */
static bool is_of_connections(const Sense *s, const Call *c) {
    const char *name = c->function ? text_of(s->l->front, c->function->part[0].name) : "";
    return strcmp(name, "cardinality") == 0 || strcmp(name, "Connections") == 0 ||
           strcmp(name, "rooted") == 0;
}

/* May it change in a run? What is not known may not. */
static bool varies(const Sense *s, Expr expr) {
    switch (expr.kind) {
    case EXPR_NAME: {
        Meaning m = meaning_of(s, expr.name);
        if (m.kind != MEANS_COMPONENT) return m.kind == MEANS_TIME;
        return m.inst && m.inst->state == INST_DONE
                   ? m.inst->vary > VARY_PARAMETER
                   : m.elem->group && m.elem->group->varies < VARIES_PARAMETER;
    }
    case EXPR_CALL:
        return !is_of_connections(s, expr.call) && some_varies(s, expr.call->args);
    case EXPR_UNARY: return varies(s, expr.arg[0]);
    case EXPR_BINARY: return varies(s, expr.arg[0]) || varies(s, expr.arg[1]);
    case EXPR_RANGE:
    case EXPR_IF:
    case EXPR_ARRAY:
    case EXPR_MATRIX:
    case EXPR_TUPLE:
    case EXPR_SUBSCRIPT: return some_varies(s, expr.list);
    case EXPR_FIELD: return varies(s, expr.field->expr);
    default: return false;
    }
}

static bool is_real(const Sense *s, Expr expr) {
    switch (expr.kind) {
    case EXPR_REAL: return true;
    case EXPR_UNARY: return expr.op != OP_NOT && is_real(s, expr.arg[0]);
    case EXPR_BINARY:
        if (expr.op <= OP_NOT_EQUAL) return false;
        return expr.op == OP_DIV || expr.op == OP_POWER || is_real(s, expr.arg[0]) ||
               is_real(s, expr.arg[1]);
    case EXPR_NAME: {
        Meaning m = meaning_of(s, expr.name);
        return m.kind == MEANS_TIME ||
               (m.kind == MEANS_COMPONENT && m.cls && m.cls->basic == BASIC_REAL);
    }
    default: return false;
    }
}

static bool is_zero(Expr e) {
    return (e.kind == EXPR_INTEGER && e.integer == 0) ||
           (e.kind == EXPR_REAL && e.real == 0);
}

/* The same text, whatever its blanks. */
static bool same(const Sense *s, Expr a, Expr b) {
    Text x = {0}, y = {0};
    format_expr(&x, s->l->front->session, a);
    format_expr(&y, s->l->front->session, b);
    bool equal = strcmp(text_get(&x), text_get(&y)) == 0;
    TEXT_FREE(&x, &y);
    return equal;
}

static bool is_negative_of(const Sense *s, Expr a, Expr b) {
    return a.kind == EXPR_UNARY && a.op == OP_SUB && same(s, a.arg[0], b);
}

/* ---- events ---- */

/* if a > b then a else b, and its kin: max, min, abs have no event. */
static void look_at_if(const Sense *s, Expr expr) {
    if (!s->events || expr.list->count != 3) return;
    Expr c = expr.list->item[0], yes = expr.list->item[1], no = expr.list->item[2];
    if (c.kind != EXPR_BINARY || c.op < OP_LESS || c.op > OP_GREATER_EQUAL) return;
    bool        more = c.op == OP_GREATER || c.op == OP_GREATER_EQUAL;
    Expr        a = c.arg[0], b = c.arg[1];
    const char *better = NULL;
    if (same(s, a, yes) && same(s, b, no)) better = more ? "max" : "min";
    else if (same(s, a, no) && same(s, b, yes)) better = more ? "min" : "max";
    else if (is_zero(b) && same(s, a, more ? yes : no) &&
             is_negative_of(s, more ? no : yes, a))
        better = "abs";
    if (better && is_real(s, a) && varies(s, c))
        lint_say(s->l, LINT_EVENT, c.pos,
                 "this relation causes an event where nothing jumps: '%s' says the same "
                 "without",
                 better);
}

/* ---- comparisons ---- */

/* A zero that was put there or would be a divisor: nothing that a tolerance would mend. Where
 * relations cause events, zero is crossed and hardly ever met. */
static bool guards(const Sense *s, Expr expr) {
    return (is_zero(expr.arg[0]) || is_zero(expr.arg[1])) &&
           (!s->events || !varies(s, expr));
}

static void look_at_comparison(const Sense *s, Expr expr) {
    if (expr.op != OP_EQUAL && expr.op != OP_NOT_EQUAL) return;
    if (!lint_is_on(s->l, LINT_COMPARE) || guards(s, expr)) return;
    if (is_real(s, expr.arg[0]) || is_real(s, expr.arg[1]))
        lint_say(s->l, LINT_COMPARE, expr.pos,
                 "Reals are compared with '%s': rounding errors decide; compare with a "
                 "tolerance",
                 op_text((Op)expr.op));
}

/* ---- walk ---- */

static void list(Sense *s, const ExprList *items) {
    for (uint32_t i = 0; items && i < items->count; i++) expression(s, items->item[i]);
}

/* Runs over what iterators are in force for. */
static void under_iterators(Sense *s, const Iterators *iterators, uint32_t k,
                            void (*body)(Sense *s, const void *what), const void *what) {
    if (!iterators || k == iterators->count) {
        body(s, what);
        return;
    }
    expression(s, iterators->item[k].range);
    IteratorScope own = {s->iterators, &iterators->item[k]};
    /* cppcheck-suppress autoVariables; taken back below */
    s->iterators = &own;
    under_iterators(s, iterators, k + 1, body, what);
    s->iterators = own.outer;
}

static void arguments(Sense *s, const void *what) {
    const Call *c = what;
    list(s, c->args);
    for (uint32_t i = 0; i < c->named_count; i++) expression(s, c->named[i].value);
}

static void call(Sense *s, const Call *c) {
    bool        before = s->events;
    const char *name = c->function && c->function->count == 1
                           ? text_of(s->l->front, c->function->part[0].name)
                           : "";
    if (strcmp(name, "noEvent") == 0 || strcmp(name, "smooth") == 0) s->events = false;
    under_iterators(s, c->iterators, 0, arguments, c);
    s->events = before;
}

static void expression(Sense *s, Expr expr) {
    switch (expr.kind) {
    case EXPR_CALL:
    case EXPR_PARTIAL:
    case EXPR_ARRAY_FOR: call(s, expr.call); break;
    case EXPR_UNARY: expression(s, expr.arg[0]); break;
    case EXPR_BINARY:
        look_at_comparison(s, expr);
        expression(s, expr.arg[0]);
        expression(s, expr.arg[1]);
        break;
    case EXPR_IF: look_at_if(s, expr); /* fall through */
    default: list(s, expr_items(expr)); break;
    case EXPR_FIELD: expression(s, expr.field->expr); break;
    }
}

/* ---- equations ---- */

static bool gives_values(const ClauseList *body) {
    for (uint32_t i = 0; i < body->count; i++) {
        const Clause *c = body->item[i];
        if (c->kind == CLAUSE_EQUATION) return true;
        if (c->kind == CLAUSE_FOR && gives_values(c->loop->body)) return true;
        for (uint32_t b = 0; c->kind == CLAUSE_IF && b < c->branches->count; b++)
            if (gives_values(c->branches->item[b].body)) return true;
    }
    return false;
}

static void look_at_else(const Sense *s, const Clause *clause) {
    const Branches *b = clause->branches;
    if (b->item[b->count - 1].condition.kind == EXPR_NONE) return;
    bool changes = false, gives = false;
    for (uint32_t i = 0; i < b->count; i++) {
        changes |= varies(s, b->item[i].condition);
        gives |= gives_values(b->item[i].body);
    }
    if (changes && gives)
        lint_say(
            s->l, LINT_ELSE, clause->pos,
            "an if-equation without 'else' gives values only while its condition holds");
}

static void clauses(Sense *s, const ClauseList *body, bool equations);

static void equations_of(Sense *s, const void *what) {
    clauses(s, what, true);
}

static void statements_of(Sense *s, const void *what) {
    clauses(s, what, false);
}

static void one_clause(Sense *s, const Clause *c, bool equations) {
    switch (c->kind) {
    case CLAUSE_EQUATION:
    case CLAUSE_ASSIGN:
        expression(s, c->side[0]);
        expression(s, c->side[1]);
        break;
    case CLAUSE_CALL: expression(s, c->side[0]); break;
    case CLAUSE_FOR:
        under_iterators(s, c->loop->iterators, 0,
                        equations ? equations_of : statements_of, c->loop->body);
        break;
    case CLAUSE_IF:
        if (equations) look_at_else(s, c); /* fall through */
    case CLAUSE_WHEN:
    case CLAUSE_WHILE:
        for (uint32_t i = 0; i < c->branches->count; i++) {
            expression(s, c->branches->item[i].condition);
            clauses(s, c->branches->item[i].body, equations && c->kind == CLAUSE_IF);
        }
        break;
    default: break;
    }
}

static void clauses(Sense *s, const ClauseList *body, bool equations) {
    for (uint32_t i = 0; i < body->count; i++) one_clause(s, body->item[i], equations);
}

static void modifiers(Sense *s, const Mods *mods) {
    for (uint32_t i = 0; mods && i < mods->count; i++) {
        if (mods->item[i].kind != MOD_VALUE) continue;
        modifiers(s, mods->item[i].args);
        expression(s, mods->item[i].value);
    }
}

static void declarations(Sense *s, const Section *section) {
    for (uint32_t k = 0; k < section->count; k++) {
        const Element *e = section->element[k];
        for (uint32_t c = 0; e->kind == ELEMENT_COMPONENTS && c < e->components->count;
             c++) {
            bool events = s->events;
            if (e->components->varies >= VARIES_PARAMETER) s->events = false;
            modifiers(s, e->components->item[c].mods);
            expression(s, e->components->item[c].value);
            s->events = events;
        }
    }
}

void lint_sense(const Linter *l, const Class *class_, const ClassScope *in) {
    Sense s = {.l = l, .in = in, .events = class_->kind != CLASS_FUNCTION};
    s.scope = resolve_scope(l->front, l->file, in);
    for (uint32_t i = 0; i < class_->count; i++) {
        const Section *section = &class_->section[i];
        if (section->kind <= SECTION_PROTECTED) declarations(&s, section);
        else if (section->kind <= SECTION_INITIAL_ALGORITHM)
            for (uint32_t k = 0; k < section->count; k++)
                one_clause(&s, section->clause[k], section->kind == SECTION_EQUATION);
    }
}
