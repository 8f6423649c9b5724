/* SPDX-License-Identifier: Apache-2.0 */
/* call.h -- private to src/inst: what calls of functions, constructors and operators share. */
#ifndef RUBATO_CALL_H
#define RUBATO_CALL_H

#include "inst/front.h"

typedef struct Args { /* arguments as written                     */
    Tx **tx;          /* positional, then named                   */
    Str *name;        /* 0 for positional                         */
    Pos *pos;
    int  n, positional;
    bool bad;
} Args;

/* ---- call.c ---- */
/* Arguments by input, NULL where left out; false: reported. */
bool args_match(Ctx *ctx, const Args *a, Inst **in, int nin, const char *what, Tx **arg);
/* Extra leading dimensions of an argument; -1: it does not fit. */
int call_extra_dims(Ctx *ctx, Tx *arg, Inst *in);
/* through: the function variable called, or NULL. */
Tx *call_of_args(Ctx *ctx, Pos pos, Func *func, const Args *a, Tx *through);

/* ---- construct.c ---- */
Tx *construct_record(Ctx *ctx, Pos pos, Cls *cls, const Args *a);

/* ---- overload.c ---- */
/* By a constructor that the record defines itself; NULL: none fits. */
Tx *construct_overloaded(Ctx *ctx, Pos pos, Cls *cls, const Args *a);

#endif
