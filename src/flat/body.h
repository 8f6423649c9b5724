/* SPDX-License-Identifier: Apache-2.0 */
/* body.h -- private to src/flat: bodies of functions and algorithms. */
#ifndef RUBATO_BODY_H
#define RUBATO_BODY_H

#include "flat/lower.h"

enum { LEAVES = 400 }; /* scalars and arrays in one variable */

typedef struct StmtList { /* in the pool of the body */
    int first, last;
} StmtList;

/* ---- body.c ---- */
uint64_t body_key(const Inst *inst, int kind); /* of body->slot */
int      body_add_var(Lower *l, Str name, Type type, int rank, int enumeration);
Term     body_slot_term(Lower *l, int slot);
/* The variables without fields inside one; returns their number. */
int    body_leaves(Lower *l, Inst *inst, Inst **out, int n, int most);
Inst **body_leaves_of(Lower *l, Inst *inst, int *n);
Str    leaf_name(Lower *l, const Inst *leaf, const Inst *top);
void   body_declare(Lower *l, Inst *var, const Inst *top);
void   body_declare_sizes(Lower *l, Inst *var, const Inst *top);
int    body_dims(const Lower *l, const Inst *inst);

/* ---- statement.c ---- */
StmtList lower_stmts(Lower *l, const EquList *equs);
int      body_add_stmt(Lower *l, StmtList *list, StmtKind kind, Pos pos);
int      body_add_hidden(Lower *l, const char *name, Type type, int rank);
void     assign_tx(Lower *l, StmtList *list, const Tx *left, const Tx *right, Pos pos);
uint64_t when_key(const Equ *equ, int branch, int element, int kind);

/* ---- external.c, derivative.c: parts of a function ---- */
void take_external(Lower *l, Func *func, Function *to);
void take_derivatives(Lower *l, Func *func, Function *f);
void take_inverses(Lower *l, Func *func, Function *f);

#endif
