/* SPDX-License-Identifier: Apache-2.0 */
/* lower.h -- private to src/flat. */
#ifndef RUBATO_LOWER_H
#define RUBATO_LOWER_H

#include "flat/flat.h"
#include "inst/typed.h"

enum { NEST = 24 }; /* loops around one equation: arrays, for, its own dimensions */

/* Sums up to EXPAND_MOST are written out, longer ones become SUM_OF; arrays longer than SPLIT_MOST
 * stay slots in calls that might be inlined. */
enum { EXPAND_MOST = 24, SPLIT_MOST = 64 };

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
    } pending[16]; /* equations of hidden variables that belong to the row             */
    int pendings;
    struct {
        int var,
            stride[ROW_DIMS]; /* of the clocked when-clause around the row, -1: none */
    } clock;
    bool calls;           /* calls stay calls: values of parameters                    */
    bool split;           /* arrays are constructors of their elements, for inlining   */
    bool subscript;       /* inside a subscript                                        */
    bool smooth;          /* inside smooth(): streams that turn around make no event   */
    bool unroll;          /* out: not affine, fix a loop and try again                 */
    int  cut_dim, cut_at; /* out: or cut this loop of the row there; at 0: none  */
    bool failed;          /* out: reported                                             */
    Map  func;            /* Func -> function number                                   */
    Map  spatial;         /* arguments of spatialDistribution -> its number */
    int  theta;           /* run of THETA in the system, -1 until it is first used     */
    Map  enums;           /* Cls -> enumeration number                                 */
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

enum { READ_VALUE, READ_PRE, READ_PREVIOUS, READ_DER, READ_START, READ_KINDS };

/* ---- term.c ---- */
/* Element idx of tx. */
Term lower_scalar(Lower *l, const Tx *tx, const Idx *idx);
Idx  idx_of(int value);
bool idx_fixed(const Idx *idx); /* the same in all rows */
Term idx_term(Lower *l, const Idx *idx);
int  lower_enum(Lower *l, Cls *cls);
Type lower_type(const Inst *inst);
Type type_of_basic(int basic);
/* Reports once an equation. */
Term lower_fail(Lower *l, Pos pos, const char *what);
Term lower_again(Lower *l); /* asks for this equation with one of its loops fixed */
Term element_literal(Lower *l, const Value *v, int k, Pos pos);
/* Element idx of a known value. */
Term pick_literal(Lower *l, const Value *v, const Idx *idx, Pos pos);
/* Integer -> Real where Real is wanted. */
Term lower_real(Lower *l, Term term, const Tx *tx, int wanted);
/* Element idx of an argument of `of`; a scalar stands for all elements. */
Term lower_spread(Lower *l, const Tx *arg, const Tx *of, const Idx *idx);
/* Conditions of a when: a vector counts as several. */
int       when_count(const Tx *cond);
const Tx *when_part(Lower *l, const Tx *cond, int k);
bool      when_is_initial(const Tx *part); /* of a condition: initial() */

/* ---- power.c ---- */
Term lower_power(Lower *l, const Tx *tx, const Idx *idx); /* of a matrix */
Term lower_power_array(Lower *l, const Tx *tx);

/* ---- reference.c ---- */
Idx  lower_index(Lower *l, const Tx *tx); /* an Integer expression */
Idx  index_at(Lower *l, const Tx *tx, const Idx *idx);
bool idx_affine(Lower *l, const Tx *tx, Idx *out);
Term lower_ref(Lower *l, const Tx *tx, const Idx *idx);
/* Variable of a reference: number in the first row and strides; false: not affine. */
bool lower_variable(Lower *l, const Tx *ref, const Idx *idx, int *var, int *stride);
/* Subscripts of all dimensions from the root of the model to an instance. */
int full_index(Lower *l, const Tx *ref, const Inst *inst, const Idx *idx, int *next,
               Idx *out);
/* Values that are known now; NULL if they are not. */
Value       *value_now(Lower *l, const Tx *tx);
Value       *value_for_good(Lower *l, const Tx *tx);
const Value *constant_value(Lower *l, const Tx *tx);
bool         lower_in_body(const Lower *l, const Inst *inst);
bool         lower_frozen(Lower *l, const Tx *tx); /* cannot change after translation */

/* ---- window.c ---- */
/* Asks for this equation with loop `dim` of its row cut before value number `at`. */
Term lower_cut(Lower *l, int dim, int at);
/* A subscript whose values are known and progress evenly, perhaps after a cut. */
bool idx_progression(Lower *l, const Tx *tx, Idx *out);
/* max and min of two affine subscripts, perhaps after a cut. */
bool idx_extreme(Lower *l, const Tx *tx, Idx *out);
/* Cuts the loop where an affine subscript enters or leaves 1..size. */
void idx_cut_at_bounds(Lower *l, const Idx *at, int size);
typedef enum { KNOWN_NOT, KNOWN_FALSE, KNOWN_TRUE } Known;
/* A condition on loop counters, the same in all rows, perhaps after a cut. */
Known condition_known(Lower *l, const Tx *tx);

/* ---- array.c ---- */
Term lower_array(Lower *l, const Tx *tx);   /* the whole value */
Term lower_nothing(Lower *l, const Tx *tx); /* of an array without elements */
/* Sizes as numbers, if the loops around tell: -1 known in the run only. Asks for a fixed loop if that
 * would tell. The second gives all of them, and their product. */
int  lower_size_now(Lower *l, const Tx *tx, int dim);
int  lower_count_now(Lower *l, const Tx *tx, int *dim);
Term lower_size(Lower *l, const Tx *tx, int dim); /* size of dimension dim */
Term lower_constructor(Lower *l, const Tx *tx, const Idx *idx);
Term lower_range(Lower *l, const Tx *tx, const Idx *idx);
Term lower_comprehension(Lower *l, const Tx *tx, const Idx *idx);
Term lower_cat(Lower *l, const Tx *tx, const Idx *idx);
Term lower_cross(Lower *l, const Tx *tx, const Idx *idx);
Term lower_skew(Lower *l, const Tx *tx, const Idx *idx);
Idx  along_long_dimension(Lower *l, const Tx *a, int k, const Idx *idx);
Term equal_index(Lower *l, const Idx *a, const Idx *b);
Term lower_choose(Lower *l, Term cond, Term yes, Term no);

/* ---- reduce.c ---- */
/* Over the first k iterators of tx. */
Term lower_reduction(Lower *l, const Tx *tx, int k, const Idx *idx);
Term lower_total(Lower *l, const Tx *tx, int reduce);

/* ---- call.c ---- */
Term lower_call(Lower *l, const Tx *tx, const Idx *idx);
/* Element of an array that a call gives. */
Term lower_call_element(Lower *l, Term call, const Idx *idx, int rank);
/* Result number `result` of a call; the first `extra` dimensions come from vectorisation. */
Term lower_call_at(Lower *l, const Tx *tx, const Idx *lead, int extra, int result,
                   Type type, int rank);
Term lower_field(Lower *l, const Tx *tx, const Idx *idx);
int  lower_args(Lower *l, const Tx *arg, Inst *in, Term *out, int n, int most);

/* ---- builtin.c ---- */
Term lower_builtin(Lower *l, const Tx *tx, const Idx *idx);

/* ---- stream.c ---- */
/* x*y, lowered to a and b; a stream that is multiplied by its flow makes no event. */
Term lower_product(Lower *l, const Tx *x, Term a, const Tx *y, Term b);
Term lower_stream(Lower *l, const Tx *tx, const Idx *idx);
Term lower_mixture(Lower *l, int node, int depth); /* what stream node receives */

/* ---- past.c ---- */
Term lower_delay(Lower *l, const Tx *tx, const Idx *idx);
Term lower_spatial(Lower *l, const Tx *tx);
/* Slot of a hidden variable that has one element for each row, `first` in the first. */
Term lower_hidden_slot(Lower *l, int first);

/* ---- clock.c ---- */
/* A variable that has the value of a term: the term itself if it is one or a number, unless
 * `always`, else a hidden one whose equation belongs to the row. */
Term lower_as_variable(Lower *l, Term value, bool always, Pos pos);
void lower_forget_pending(Lower *l); /* the row is tried again in another way */
Term lower_clock(Lower *l, const Tx *tx);
Term lower_clock_choice(Lower *l, const Tx *tx); /* if c then Clock(...) else ... */
Term lower_converted(Lower *l, const Tx *tx, const Idx *idx, TermOp op);
/* Variables that tick with a row before it ends, in *tied, as it is written: one that it uses, and those that were
 * simplified away, or that a function that gets them ignores. */
int lower_tied(Lower *l, Term root, RowSlot **tied);
/* Says, after the row, that they tick with the clause around it, and with each other. */
void lower_link_clock(Lower *l, const RowSlot *tied, int n, int owner, Pos pos);

/* ---- connector.c ---- */
void lower_connectors(Lower *l); /* after all variables have their runs */

/* ---- machine.c ---- */
void lower_machines(Lower *l);

/* ---- function.c ---- */
int lower_function(Lower *l, Func *func);
/* Arguments of a call and the number of its function; *n is -1 after a failure. */
int lower_call_args(Lower *l, const Tx *call, Term *arg, int most, int *n);
/* A call may become a term here; call NULL: whatever its arguments are. */
bool lower_inlines(Lower *l, int function, const Tx *call);
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
/* The same of an array by one call as one row. False: it is no such declaration. */
bool lower_whole_binding(Lower *l, Inst *inst, Tx *tx, Inst *base);
void lower_binding(Lower *l, Inst *inst, const Tx *tx, Inst *base, RowSet set);
void lower_connections(Lower *l);
void lower_binding_to(Lower *l, Inst *inst, int first, const Tx *tx, Inst *base,
                      RowSet set);
int  lower_hidden(Lower *l, VarKind kind, Type type, int count,
                  Pos pos); /* first variable */

#endif
