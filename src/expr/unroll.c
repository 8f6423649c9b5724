/* SPDX-License-Identifier: Apache-2.0 */
/* unroll.c -- loops of a function over tables of numbers, round by round.
 *
 * An equation of state is a sum over a table of coefficients and exponents. Where the bounds of the loop
 * are numbers and its body consists of assignments that read such a table, every round is written
 * for itself: the coefficients are numbers in it, and most exponents are whole. Bodies do not grow
 * beyond a limit. */
#include "expr/body.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 64, GROWTH = 1000 };

typedef struct Unroll {
    Shapes     *shapes;
    Function   *f;
    const Term *value; /* by variable: what it always is, else 0 */
} Unroll;

/* Does a table of numbers stand in the term? */
static bool reads_table(const Unroll *u, Term e) {
    int n = e ? expr_walk(u->shapes, e) : 0;
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(u->shapes, u->shapes->walk[i]);
        if (node->op == TERM_ARRAY_SLOT && u->value[node->index]) return true;
    }
    return false;
}

/* Statements of a body that may be repeated, 0 if it may not. */
static int assignments(const Unroll *u, int first) {
    bool table = false;
    int  n = 0;
    for (int k = first; k >= 0; k = u->f->stmt[k].next, n++) {
        const Stmt *s = &u->f->stmt[k];
        if (s->kind != STMT_ASSIGN) return 0;
        table |= reads_table(u, s->b);
    }
    return table ? n : 0;
}

/* The rounds of a loop with known bounds, 0 if they are not known, too many or one. */
static int rounds_of(const Unroll *u, const Stmt *s, double *from, double *step) {
    double to;
    *step = 1;
    if (!expr_literal(u->shapes, s->b, from) || !expr_literal(u->shapes, s->c, &to) ||
        (s->step && !expr_literal(u->shapes, s->step, step)) || *step == 0)
        return 0;
    double rounds = floor((to - *from) / *step + 1e-9) + 1;
    return rounds >= 2 && rounds <= ROUNDS ? (int)rounds : 0;
}

/* Statement i of the body for one round, at `place`. */
static void put_round(Unroll *u, int i, int place, Term counter, Term number) {
    Stmt s = u->f->stmt[i];
    s.a = expr_replace(u->shapes, s.a, &counter, &number, 1);
    s.b = expr_replace(u->shapes, s.b, &counter, &number, 1);
    u->f->stmt[place] = s;
}

/* The loop k becomes the statements of its rounds; the body itself is the last one. */
static void unroll(Unroll *u, int k, int rounds, double from, double step) {
    Function *f = u->f;
    Stmt      loop = f->stmt[k];
    int       last = -1;
    Type      type = (Type)u->shapes->node[loop.a].type;
    for (int round = 0; round < rounds; round++) {
        double at = from + round * step;
        Term   number = type == TYPE_INTEGER ? expr_integer(u->shapes, (int64_t)at)
                                             : expr_real(u->shapes, at);
        for (int i = loop.body, next; i >= 0; i = next) {
            int place = round == rounds - 1 ? i : last < 0 ? k : f->stmts++;
            next = f->stmt[i].next;
            put_round(u, i, place, loop.a, number);
            if (last >= 0) f->stmt[last].next = place;
            last = place;
        }
    }
    f->stmt[last].next = loop.next;
}

void function_unroll(Shapes *shapes, Function *f, const Term *value) {
    Unroll u = {.shapes = shapes, .f = f, .value = value};
    int    many = f->stmts, more = 0;
    Stmt  *stmt = NEW(&shapes->arena, Stmt, many + GROWTH);
    memcpy(stmt, f->stmt, (size_t)many * sizeof *stmt);
    f->stmt = stmt;
    for (int k = 0; k < many; k++) {
        double from = 0, step = 1;
        if (stmt[k].kind != STMT_FOR) continue;
        int body = assignments(&u, stmt[k].body);
        int rounds = body ? rounds_of(&u, &stmt[k], &from, &step) : 0;
        if (!rounds || more + body * (rounds - 1) > GROWTH) continue;
        more += body * (rounds - 1);
        unroll(&u, k, rounds, from, step);
    }
}
