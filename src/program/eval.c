/* SPDX-License-Identifier: Apache-2.0 */
/* eval.c -- the number an expression stands for.
 *
 * One pass over the nodes in ascending order. Both branches of an if are computed and one is
 * taken, which is harmless in floating point: a value that does not exist is a NaN and only
 * matters if it reaches the root. Bodies of reductions are evaluated once per element, in a
 * frame of their own; the depth of recursion is the depth of nested reductions. */
#include "program/term.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATORS = 16, MOST_RANK = 8 };

typedef struct Frame {
    const TermPool *pool;
    const EvalEnv  *env;
    int             iterator[MOST_ITERATORS];
} Frame;

static double eval(Frame *frame, Term root);

static double size_of(Frame *f, Term e) {
    const TermPool *pool = f->pool;
    const Node     *array = &pool->node[term_arg(pool, e, 0)];
    double          dimension = 1;
    node_literal(&pool->node[term_arg(pool, e, 1)], &dimension);
    if (array->op == TERM_ARRAY && dimension == 1) return array->n;
    if (array->op != TERM_ARRAY_SLOT || !f->env->size) return NAN;
    return f->env->size(f->env->context, array->index, (int)dimension);
}

static double element_of(Frame *f, Term e, const double *subscript) {
    const TermPool *pool = f->pool;
    Term            array = term_arg(pool, e, 0);
    int             rank = (int)pool->node[e].n - 1;
    while (pool->node[array].op == TERM_ARRAY && rank > 0) { /* {a, b, c}[i] */
        int at = (int)*subscript;
        if (at < 1 || at > (int)pool->node[array].n) return NAN;
        array = term_arg(pool, array, (uint32_t)at - 1);
        subscript++;
        rank--;
    }
    if (!rank) return eval(f, array);
    if (pool->node[array].op != TERM_ARRAY_SLOT || !f->env->element || rank > MOST_RANK)
        return NAN;
    int at[MOST_RANK];
    for (int d = 0; d < rank; d++) {
        if (!(fabs(subscript[d]) < 2e9)) return NAN;
        at[d] = (int)subscript[d];
    }
    return f->env->element(f->env->context, pool->node[array].index, at, rank);
}

static double reduce(Frame *f, TermOp op, double length, int iterator, Term body) {
    double value = reduction_empty(op, (Type)f->pool->node[body].type);
    if (iterator < 0 || iterator >= MOST_ITERATORS || !(length < 1e9)) return NAN;
    int outer = f->iterator[iterator];
    for (int i = 1; i <= (int)length; i++) {
        f->iterator[iterator] = i;
        double v = eval(f, body);
        if (op == TERM_SUM_OF) value += v;
        else if (op == TERM_PRODUCT_OF) value *= v;
        else if (isnan(v) || (op == TERM_MIN_OF ? v < value : v > value)) value = v;
    }
    f->iterator[iterator] = outer;
    return value;
}

static double operate(Frame *f, Term e, const double *x) {
    const TermPool *pool = f->pool;
    const Node     *node = &pool->node[e];
    int             n = (int)node->n;
    double          value = NAN;
    switch (node->op) {
    case TERM_REAL: return node->real;
    case TERM_INTEGER:
    case TERM_BOOLEAN:
    case TERM_ENUM: return (double)node->integer;
    case TERM_TIME: return f->env->time;
    case TERM_SLOT:
    case TERM_NUMBER: return f->env->slot(f->env->context, node->index);
    case TERM_ITERATOR:
        return node->index < MOST_ITERATORS ? f->iterator[node->index] : NAN;
    case TERM_AND:
        for (int k = 0; k < n; k++)
            if (x[k] == 0) return 0;
        return 1;
    case TERM_OR:
        for (int k = 0; k < n; k++)
            if (x[k] != 0) return 1;
        return 0;
    case TERM_IF:
    case TERM_WHEN:
        for (int k = 0; k + 1 < n; k += 2)
            if (x[k] != 0) return x[k + 1];
        return n % 2 ? x[n - 1] : NAN;
    case TERM_INITIAL: return f->env->initial;
    case TERM_TERMINAL: return 0;
    case TERM_EQUATION: return x[0] - x[1];
    case TERM_SIZE: return size_of(f, e);
    case TERM_ELEMENT: return element_of(f, e, x + 1);
    case TERM_SUM_OF:
    case TERM_PRODUCT_OF:
    case TERM_MIN_OF:
    case TERM_MAX_OF:
        return reduce(f, (TermOp)node->op, x[0], node->index, term_arg(pool, e, 1));
    case TERM_CALL:
        if (f->env->call &&
            f->env->call(f->env->context, node->index, (int)node->integer, x, n, &value))
            return value;
        return NAN;
    default:
        return term_value((TermOp)node->op, x, n, &value) || isinf(value) ? value : NAN;
    }
}

static int by_number(const void *a, const void *b) {
    const Term p = *(const Term *)a, q = *(const Term *)b;
    return (p > q) - (p < q);
}

static bool meet(TermWalk *w, Term term) {
    if (map_has(&w->at, term)) return true;
    if ((size_t)w->count == w->room) {
        Term *more = mem_resize(w->term, (2 * w->room + 32) * sizeof *more);
        if (!more) return false;
        w->term = more;
        w->room = 2 * w->room + 32;
    }
    w->term[w->count++] = term;
    return map_put(&w->at, term, 0);
}

bool term_walk(const TermPool *pool, Term root, TermWalk *w) {
    bool fine = meet(w, root);
    for (int i = 0; i < w->count && fine; i++) { /* grows while it runs */
        const Node *node = &pool->node[w->term[i]];
        for (uint32_t k = 0; k < node->n && fine; k++)
            fine = meet(w, pool->arg[node->arg + k]);
    }
    if (!fine) return false;
    qsort(w->term, (size_t)w->count, sizeof *w->term, by_number);
    for (int i = 0; i < w->count && fine; i++) fine = map_put(&w->at, w->term[i], i);
    return fine;
}

void term_unwalk(TermWalk *w) {
    map_free(&w->at);
    mem_free(w->term);
}

static double eval(Frame *frame, Term root) {
    const TermPool *pool = frame->pool;
    TermWalk        w = {0};
    bool            fine = term_walk(pool, root, &w);
    size_t          most = 1;
    for (int i = 0; i < w.count; i++)
        if (pool->node[w.term[i]].n > most) most = pool->node[w.term[i]].n;
    double *value = fine ? mem_take((size_t)w.count + most, sizeof *value) : NULL;
    double  result = NAN;
    for (int i = 0; i < w.count && value; i++) {
        const Node *node = &pool->node[w.term[i]];
        double     *x = value + w.count;
        for (uint32_t k = 0; k < node->n; k++)
            x[k] = value[map_get(&w.at, pool->arg[node->arg + k], 0)];
        result = value[i] = node->rank ? NAN : operate(frame, w.term[i], x);
    }
    mem_free(value);
    term_unwalk(&w);
    return result;
}

bool term_eval(const TermPool *pool, Term term, const EvalEnv *env, double *value) {
    Frame frame = {.pool = pool, .env = env};
    for (int k = 0; k < MOST_ITERATORS; k++) frame.iterator[k] = 1;
    *value = eval(&frame, term);
    return !isnan(*value);
}
