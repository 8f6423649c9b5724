/* SPDX-License-Identifier: Apache-2.0 */
/* lower.h -- private to src/flat. */
#ifndef RUBATO_LOWER_H
#define RUBATO_LOWER_H

#include "flat/flat.h"
#include "inst/front.h"

enum { NEST = 24 }; /* loops around one equation: arrays, for, its own dimensions */

typedef struct Idx { /* a subscript from 1: affine in the loop counters, or a term    */
    int  base;       /* value in the first row                                        */
    int  step[ROW_DIMS];
    Term term; /* 0: affine                                                     */
} Idx;

typedef struct Body Body;

typedef struct Lower {
    FlatModel *model;
    Front     *front;
    System    *sys;
    Shapes    *shapes;
    Row        row;
    Arena      scratch; /* emptied after every equation                              */
    Eval       eval;    /* known iterators                                           */
    Inst      *at;      /* instance whose equation is lowered; NULL: a package       */
    Idx        around[NEST]; /* indices of the arrays around `at`, outermost first    */
    struct {
        IterVar *var;
        Idx      value;
    } iter[32]; /* iterators in force                                        */
    int   iters;
    int   bound; /* iterators of SUM_OF and EACH made so far                  */
    Body *body;  /* function or algorithm being lowered; NULL                 */
    struct {
        int  var; /* hidden, in the first row                                          */
        Term value;
        Pos  pos;
    } pending[8]; /* equations of hidden variables that belong to the row             */
    int  pendings;
    bool calls;   /* calls stay calls: values of parameters                    */
    bool split;   /* arrays are constructors of their elements, for inlining   */
    bool unroll;  /* out: not affine, fix a loop and try again                 */
    bool failed;  /* out: reported                                             */
    Map  func;    /* Func -> function number                                   */
    Map  spatial; /* arguments of spatialDistribution -> its number */
    Map  enums;   /* Cls -> enumeration number                                 */
    bool good;
} Lower;

typedef struct FnArg { /* a function given as argument                                */
    Inst *input;       /* of the function that receives it                            */
    Func *target;
    int  *slot; /* by input of target: first slot of its bound value, -1 open  */
} FnArg;

struct Body {          /* a function under construction                              */
    Func        *func; /* NULL: an algorithm section                                 */
    Function    *to;
    Map          slot; /* Inst (leaf), with kind in the low bits -> slot             */
    Stmt        *stmt;
    int          stmts, stmt_room;
    FunctionVar *var;
    int          vars, var_room;
    Body        *outer;
    Inst        *at; /* algorithm: its instance                                    */
    FnArg       *fn; /* functions given as arguments                               */
    int          fns;
};

enum { READ_VALUE, READ_PRE, READ_DER, READ_START, READ_KINDS };

/* ---- term.c ---- */
Term lower_scalar(Lower *l, const Tx *tx,
                  const Idx *idx);                /* element idx of tx           */
Term lower_array(Lower *l, const Tx *tx);         /* the whole value             */
Term lower_nothing(Lower *l, const Tx *tx);       /* of an array without elements */
Idx  lower_index(Lower *l, const Tx *tx);         /* an Integer expression       */
Term lower_size(Lower *l, const Tx *tx, int dim); /* size of dimension dim       */
Idx  idx_of(int value);
Term idx_term(Lower *l, const Idx *idx);
int  lower_enum(Lower *l, Cls *cls);
Type lower_type(const Inst *inst);
Type type_of_basic(int basic);
Term lower_fail(Lower *l, Pos pos,
                const char *what); /* reports once an equation         */
/* Variable of a reference: number in the first row and strides; false: not affine. */
bool lower_variable(Lower *l, const Tx *ref, const Idx *idx, int *var, int *stride);
int  lower_args(Lower *l, const Tx *arg, Inst *in, Term *out, int n, int most);
Term lower_real(Lower *l, Term term, const Tx *tx,
                int wanted); /* Integer -> Real        */

/* Slot of a hidden variable that has one element for each row, `first` in the first. */
Term lower_hidden_slot(Lower *l, int first);

Term lower_mixture(Lower *l, int node,
                   int depth); /* what stream node receives          */
/* Conditions of a when: a vector counts as several. */
int       when_count(const Tx *cond);
const Tx *when_part(Lower *l, const Tx *cond, int k);

/* ---- function.c ---- */
int lower_function(Lower *l, Func *func);
/* Arguments of a call and the number of its function; *n is -1 after a failure. */
int lower_call_args(Lower *l, const Tx *call, Term *arg, int most, int *n);
/* A call may become a term here; call NULL: whatever its arguments are. */
bool lower_inlines(Lower *l, int function, const Tx *call);
bool lower_frozen(Lower *l, const Tx *tx); /* can no longer change after translation */
int flat_results(Lower *l, Func *func, int output); /* flattened results before output  */
void lower_algorithm(Lower *l, Inst *at, const EquList *list, RowSet set, Pos pos);
Term body_ref(Lower *l, const Tx *tx, const Idx *idx);
Term body_array(Lower *l, const Tx *tx);
int  body_slot(Lower *l, Inst *inst, int kind);

/* ---- equation.c ---- */
int lower_around(const Inst *inst, int *size); /* arrays around it, outermost first     */
/* The row under construction begins; it ends with the equations of its hidden variables. */
void lower_begin(Lower *l, int dims, const int *extent);
int  lower_end(Lower *l, RowSet set, Term root, int flags, int owner, Pos pos);
void lower_list(Lower *l, Inst *at, const EquList *list, RowSet set);
void lower_binding(Lower *l, Inst *inst, const Tx *tx, Inst *base, RowSet set);
void lower_connections(Lower *l);
void lower_binding_to(Lower *l, Inst *inst, int first, const Tx *tx, Inst *base,
                      RowSet set);
int  lower_hidden(Lower *l, VarKind kind, Type type, int count,
                  Pos pos); /* first variable */

#endif
