/* SPDX-License-Identifier: Apache-2.0 */
/* effort.c -- how much the derivatives of a model cost, estimated from its equations.
 *
 * Nodes of the expressions are counted, functions of the library of mathematics several times, user functions by
 * their statements, loops by their iterations. Only ratios matter: the choice between one rate and
 * several compares the cost of equations with that of a step besides them (src/rate/work.c).
 * Linear in the size of shapes and functions, and for some derivatives in what they need. */
#include "translate/freeze.h"

#include <stdlib.h>

enum {
    SIMPLE = 30,     /* nodes of a simple equation                       */
    LIBRARY = 400,   /* nodes that a sine or a power stand for           */
    EXTERNAL = 1000, /* ... and a function whose text is not known      */
    REPEATED = 8,    /* rounds of a loop in a function                   */
    ROUNDS = 5,      /* iterations of a nonlinear system                 */
    LOOKS = 32,      /* derivatives of which is looked at what they need */
    MOST = 1000000
};

typedef struct Counting {
    Shapes *shapes;
    double *function; /* by function: nodes of a call; -1 not known yet, 0 under way */
    int     functions;
} Counting;

static double call_effort(Counting *e, int number);

static bool of_library(const Counting *e, const Node *node) {
    if (node->op == TERM_POW) /* small whole exponents are products */
        return expr_node(e->shapes, e->shapes->arg[node->arg + 1])->op != TERM_INTEGER;
    return term_is_of_library((TermOp)node->op);
}

static double term_effort(Counting *e, Term root) {
    if (!root) return 0.0;
    int    n = expr_walk(e->shapes, root), calls = 0;
    double sum = n;
    int   *call = NULL;
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(e->shapes, e->shapes->walk[i]);
        if (of_library(e, node)) sum += LIBRARY;
        if (node->op != TERM_CALL) continue;
        if (!call) call = mem_resize(NULL, (size_t)n * sizeof *call);
        call[calls++] = node->index; /* looked at after the walk, which has one list */
    }
    for (int i = 0; i < calls; i++) sum += call_effort(e, call[i]);
    mem_free(call);
    return sum;
}

static double call_effort(Counting *e, int number) {
    if (number < 0 || number >= e->functions) return EXTERNAL;
    if (e->function[number] >= 0.0) return e->function[number];
    const Function *f = e->shapes->function[number];
    double          sum = f->external ? EXTERNAL : 0.0, times = 1.0;
    e->function[number] = 0.0; /* a recursion is counted once */
    for (int k = 0; k < f->stmts; k++) {
        const Stmt *s = &f->stmt[k];
        if (s->kind == STMT_FOR || s->kind == STMT_WHILE) times = REPEATED;
        sum += term_effort(e, s->a) + term_effort(e, s->b) + term_effort(e, s->c) +
               term_effort(e, s->step);
    }
    sum *= times;
    return e->function[number] = sum < MOST ? sum : MOST;
}

/* Nodes of each block, which are given zeros; the sum. */
static double block_efforts(Counting *e, const Plan *plan, double *block) {
    double total = 0.0;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        double       row = 0.0;
        if (group->discrete || group->shown) continue;
        for (int k = 0; k < group->size; k++) {
            const Kernel *kernel = &plan->kernel[plan->body[group->body + k]];
            row += term_effort(e, e->shapes->shape[kernel->shape].root);
        }
        if (group->kind == GROUP_LOOP) row = ROUNDS * (row + group->torn * group->torn);
        for (int i = 0; i < group->count; i++) {
            const int equation = plan->item[group->item + i * group->size];
            block[plan->st->block_of[equation]] += row;
        }
        total += row * group->count;
    }
    return total;
}

/* Of a block and of all whose results it needs; seen: stamps. */
static double reach_effort(const Plan *plan, const double *block, int from, int *seen,
                           int stamp, int *stack) {
    double sum = 0.0;
    int    depth = 0;
    stack[depth++] = from;
    seen[from] = stamp;
    while (depth) {
        const int b = stack[--depth];
        sum += block[b];
        for (int k = plan->uses.start[b]; k < plan->uses.start[b + 1]; k++) {
            const int other = plan->uses.col[k];
            if (seen[other] == stamp) continue;
            seen[other] = stamp;
            stack[depth++] = other;
        }
    }
    return sum;
}

/* The mean over some derivatives, taken evenly. */
static double alone_effort(const Plan *plan, const double *block) {
    const Structure *st = plan->st;
    const int        every = 1 + st->states / LOOKS;
    int             *seen = mem_take((size_t)st->blocks + 1, sizeof *seen);
    int             *stack = mem_take((size_t)st->blocks + 1, sizeof *stack);
    double           sum = 0.0;
    int              states = 0, looks = 0;
    for (int v = 0; v < st->vars; v++) {
        if (st->role[v] != ROLE_STATE || states++ % every) continue;
        const int rate = st->next[v];
        const int equation = rate >= 0 ? st->eq_of[rate] : -1;
        looks++;
        if (equation >= 0)
            sum += reach_effort(plan, block, st->block_of[equation], seen, looks, stack);
    }
    MEM_FREE(seen, stack);
    return looks > 0 ? sum / looks : 0.0;
}

Efforts effort_of(const Plan *plan) {
    const int states = plan->st->states;
    Shapes   *shapes = plan->st->sys->shapes;
    Counting  e = {shapes, NULL, shapes->functions};
    double   *block = mem_take((size_t)plan->st->blocks + 1, sizeof *block);
    e.function = mem_take((size_t)e.functions + 1, sizeof *e.function);
    for (int k = 0; k < e.functions; k++) e.function[k] = -1.0;
    const double total = block_efforts(&e, plan, block);
    const double alone = alone_effort(plan, block);
    MEM_FREE(e.function, block);
    return (Efforts){total / SIMPLE / (states > 0 ? states : 1), alone / SIMPLE};
}
