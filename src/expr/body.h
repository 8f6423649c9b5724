/* SPDX-License-Identifier: Apache-2.0 */
/* body.h -- private to expr: bodies of functions that are made simpler. */
#ifndef RUBATO_EXPR_BODY_H
#define RUBATO_EXPR_BODY_H

#include "expr/expr.h"

/* What stands in place of a term, 0: itself. */
typedef Term PutTerm(void *context, Term e);

/* ---- constant.c ---- */
/* In all statements and sizes; in targets of assignments and in loop variables only if asked. */
void function_put(Shapes *shapes, Function *f, PutTerm *put, void *context, bool targets);

/* ---- unroll.c ---- */
/* value: by variable, what it always is, else 0 */
void function_unroll(Shapes *shapes, Function *f, const Term *value);

/* ---- split.c ---- */
void function_split(Shapes *shapes, Function *f);

#endif
