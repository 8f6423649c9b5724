/* SPDX-License-Identifier: Apache-2.0 */
/* view.c -- shapes as the pool of nodes that program/term.h evaluates and prints. */
#include "expr/expr.h"

static const char *text_of(const void *owner, int64_t number) {
    return str_text(((const Shapes *)owner)->strings, (Str)number);
}

static const char *function_of(const void *owner, int number) {
    const Shapes *shapes = owner;
    return number < shapes->functions ? text_of(owner, shapes->function[number]->name)
                                      : NULL;
}

TermPool shapes_pool(const Shapes *shapes) {
    return (TermPool){.node = shapes->node,
                      .arg = shapes->arg,
                      .owner = shapes,
                      .text = text_of,
                      .function = function_of};
}

bool expr_eval(Shapes *shapes, Term expr, const EvalEnv *env, double *value) {
    TermPool pool = shapes_pool(shapes);
    return term_eval(&pool, expr, env, value);
}

void expr_print(const Shapes *shapes, Term expr, NameSlot *name, const void *context,
                Text *out) {
    TermPool pool = shapes_pool(shapes);
    term_print(&pool, expr, name, context, out);
}
