/* SPDX-License-Identifier: Apache-2.0 */
/* constant.c -- local variables of a function that are numbers and stay what they are.
 *
 * Property functions keep their coefficients and exponents in local variables that nothing but their
 * declaration sets. Where such a variable, one of its elements or one of its sizes is used, the number
 * itself is put, so that the body folds it and a power with a known exponent needs no library function.
 * What is then not used at all is not assigned, and an array without use is declared as a number, which
 * costs nothing in a call. Two passes over the statements. */
#include "expr/body.h"

#include <string.h>

typedef struct Constants {
    Shapes   *shapes;
    Function *f;
    int      *writes; /* by variable: statements that may change it */
    int      *reads;  /* by variable, after the numbers were put */
    Term     *value;  /* by variable: what it always is, else 0 */
} Constants;

static bool is_target(const Stmt *s) {
    return s->kind == STMT_ASSIGN || s->kind == STMT_FOR || s->kind == STMT_RESIZE;
}

static void count(const Constants *c, Term e, int *counts) {
    if (!e) return;
    int n = expr_walk(c->shapes, e);
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(c->shapes, c->shapes->walk[i]);
        if (node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT) counts[node->index]++;
    }
}

/* A number, or a constructor of numbers. */
static bool is_known(const Shapes *shapes, Term e) {
    if (expr_is_literal(shapes, e)) return expr_op(shapes, e) != TERM_STRING;
    if (expr_op(shapes, e) != TERM_ARRAY) return false;
    for (uint32_t k = 0; k < shapes->node[e].n; k++)
        if (!is_known(shapes, expr_arg(shapes, e, k))) return false;
    return true;
}

/* The variable that a declaration sets to something known, else -1. */
static int known_variable(const Constants *c, const Stmt *s) {
    const Node *target = expr_node(c->shapes, s->a), *value = expr_node(c->shapes, s->b);
    if (target->op != TERM_SLOT && target->op != TERM_ARRAY_SLOT) return -1;
    int  k = target->index;
    Type type = (Type)c->f->var[k].type;
    bool local = k >= c->f->inputs + c->f->outputs;
    bool fits =
        target->rank == value->rank &&
        (type == value->type || (type == TYPE_REAL && value->type == TYPE_INTEGER));
    return local && fits && c->writes[k] == 1 && is_known(c->shapes, s->b) ? k : -1;
}

/* Declarations stand ahead of all other statements. */
static bool find_values(Constants *c) {
    bool any = false;
    for (int i = 0; i < c->f->stmts; i++)
        if (is_target(&c->f->stmt[i])) count(c, c->f->stmt[i].a, c->writes);
    for (int i = c->f->first; i >= 0 && c->f->stmt[i].kind == STMT_ASSIGN;
         i = c->f->stmt[i].next) {
        int k = known_variable(c, &c->f->stmt[i]);
        if (k < 0) continue;
        c->value[k] = c->f->stmt[i].b;
        any = true;
    }
    return any;
}

/* What the node is if its first argument is a known variable, or itself one; else 0. */
static Term known(void *context, Term e) {
    const Constants *c = context;
    Shapes          *shapes = c->shapes;
    Node             node = shapes->node[e];
    Term             args[8], value = 0;
    if (node.op == TERM_SLOT) value = c->value[node.index];
    if ((node.op == TERM_ELEMENT || node.op == TERM_SIZE) && node.n <= LENGTH(args)) {
        for (uint32_t k = 0; k < node.n; k++) args[k] = expr_arg(shapes, e, k);
        if (expr_op(shapes, args[0]) != TERM_ARRAY_SLOT) return 0;
        args[0] = c->value[shapes->node[args[0]].index];
        value = args[0] ? expr_rebuild(shapes, e, args) : 0;
    }
    if (!value || !expr_is_literal(shapes, value)) return 0;
    return node.type == TYPE_REAL ? expr_1(shapes, TERM_TO_REAL, value) : value;
}

static void count_all(Constants *c) {
    const Function *f = c->f;
    for (int i = 0; i < f->stmts; i++) {
        const Stmt *s = &f->stmt[i];
        count(c, s->a, c->reads), count(c, s->b, c->reads);
        count(c, s->c, c->reads), count(c, s->step, c->reads);
    }
    for (int k = 0; k < f->vars; k++)
        for (int d = 0; d < f->var[k].rank && f->var[k].size; d++)
            count(c, f->var[k].size[d], c->reads);
}

/* The only use of a variable is now its assignment. */
static void drop_unused(const Constants *c) {
    Function *f = c->f;
    int32_t  *link = &f->first;
    while (*link >= 0 && f->stmt[*link].kind == STMT_ASSIGN) {
        Stmt *s = &f->stmt[*link];
        int   k = known_variable(c, s);
        if (k < 0 || c->reads[k] != 1) {
            link = &s->next;
            continue;
        }
        f->var[k].rank = 0;
        f->var[k].size = NULL;
        *link = s->next;
    }
}

static void constants(Shapes *shapes, Function *f) {
    size_t    vars = (size_t)f->vars + 1;
    Constants c = {.shapes = shapes,
                   .f = f,
                   .writes = NEW(&shapes->arena, int, vars),
                   .reads = NEW(&shapes->arena, int, vars),
                   .value = NEW(&shapes->arena, Term, vars)};
    if (!find_values(&c)) return;
    function_unroll(shapes, f, c.value);
    function_put(shapes, f, known, &c, false);
    count_all(&c);
    drop_unused(&c);
}

/* ---- a body with other terms --------------------------------------------------------------- */

typedef struct Putting {
    Shapes  *shapes;
    PutTerm *put;
    void    *context;
    Term    *from, *to;
    size_t   room; /* of both */
} Putting;

static Term put_term(Putting *p, Term e) {
    Shapes *shapes = p->shapes;
    if (!e) return 0;
    int n = expr_walk(shapes, e), found = 0;
    if ((size_t)n > p->room) {
        p->room = 2 * (size_t)n;
        p->from = NEW(&shapes->arena, Term, p->room);
        p->to = NEW(&shapes->arena, Term, p->room);
    }
    memcpy(p->from, shapes->walk, (size_t)n * sizeof *p->from);
    for (int i = 0; i < n; i++) {
        Term value = p->put(p->context, p->from[i]);
        if (!value) continue;
        p->from[found] = p->from[i];
        p->to[found++] = value;
    }
    return found ? expr_replace(shapes, e, p->from, p->to, found) : e;
}

void function_put(Shapes *shapes, Function *f, PutTerm *put, void *context,
                  bool targets) {
    Putting p = {.shapes = shapes, .put = put, .context = context};
    for (int i = 0; i < f->stmts; i++) {
        Stmt *s = &f->stmt[i];
        if (targets || !is_target(s)) s->a = put_term(&p, s->a);
        s->b = put_term(&p, s->b);
        s->c = put_term(&p, s->c);
        s->step = put_term(&p, s->step);
    }
    for (int k = 0; k < f->vars; k++)
        for (int d = 0; d < f->var[k].rank && f->var[k].size; d++)
            f->var[k].size[d] = put_term(&p, f->var[k].size[d]);
}

void function_constants(Shapes *shapes, Function *f) {
    if (f->external) return;
    constants(shapes, f);
    function_split(shapes, f);
}
