/* SPDX-License-Identifier: Apache-2.0 */
/* expr.h -- shapes: the text of equations, stored once however many rows use it.
 *
 * An expression is a node of a hash-consed DAG: equal expressions have equal numbers, and
 * the arguments of a node have smaller numbers than the node, so that every pass is a loop
 * over ascending numbers and nothing recurses with the size of the model. Leaves are
 * literals, `time` and numbered slots. A shape is a root expression whose slots are
 * numbered 0, 1, ... in the order in which they first appear from left to right; the
 * variables that stand in the slots belong to the rows (dae.h).
 *
 *   node.c      nodes: making, folding of literals, hash-consing
 *   shape.c     shapes: canonical slot order, table, slots of a shape
 *   function.c  user functions and algorithm sections as statements over local slots
 *   inline.c    calls replaced by what the body computes
 *   constant.c  local variables of a function that are numbers
 *   unroll.c    loops of a function over tables of numbers
 *   split.c     local arrays of a function taken apart
 *   reuse.c     what statements of a function have in common, computed once
 *   simplify.c  algebraic simplification that keeps the value
 *   continuous.c signs that another factor makes continuous
 *   linear.c    constant, linear or nonlinear in a set of slots; coefficient and rest
 *   solve.c     an equation solved for one slot
 *   diff.c      derivatives with respect to slots and to time
 *   fault.c     which operations may fail
 *   view.c      shapes as the pool that program/term.h evaluates and prints
 *   ctext.c     C text of an expression; cplace.c, cvalue.c, carray.c, cevent.c: parts of it
 *
 * Values that come from parameters are slots. Only numbers written in the equation itself
 * are literals, so R = 100 and R = 220 are two rows of one shape. */
#ifndef RUBATO_EXPR_H
#define RUBATO_EXPR_H

#include "program/term.h"

typedef struct Shape {
    Term     root;  /* TERM_EQUATION, or another root of ops.def */
    int      slots; /* number of slots */
    uint32_t slot;  /* shapes->leaf[slot + k] is the leaf of slot k */
    uint16_t wide;  /* how many of them are ARRAY_SLOT */
    uint16_t lefts; /* results: 1, or the length of the TUPLE at left */
    uint32_t nodes; /* size of the DAG */
    int32_t  dtime; /* shape of its time derivative, -1 not yet made */
} Shape;

/* ---- functions -------------------------------------------------------------------- */

typedef enum {
    STMT_ASSIGN, /* a := b; a is SLOT, ELEMENT(ARRAY_SLOT, ...), ARRAY_SLOT or TUPLE */
    STMT_CALL,   /* a is a CALL without used result, or ASSERT, TERMINATE */
    STMT_IF,     /* if a then [body] else [other] */
    STMT_FOR,    /* for slot a in b : c : step loop [body]; step 0: 1 */
    STMT_WHILE,  /* while a loop [body] */
    STMT_WHEN,   /* when a (Boolean, rising) then [body] elsewhen... in [other] */
    STMT_RETURN,
    STMT_BREAK,
    STMT_RESIZE /* array slot a gets the sizes in TUPLE b; contents undefined */
} StmtKind;

typedef struct Stmt {
    StmtKind kind;
    Term     a, b, c, step; /* see StmtKind; 0 if unused */
    int32_t  body;          /* first statement of the body, -1 if none */
    int32_t  other;         /* first statement of the else part, -1 if none */
    int32_t  next;          /* next statement of the same list, -1 at the end */
    Pos      pos;
} Stmt;

typedef struct FunctionVar { /* slot k of the body is variable k */
    Str     name;
    uint8_t type;        /* Type */
    uint8_t rank;        /* array dimensions */
    int32_t enumeration; /* TYPE_ENUM: which, else -1 */
    Term   *size; /* rank expressions over input slots; 0 where ":" leaves it open */
    Term    init; /* binding, over the slots; 0 if none */
    bool
        rests; /* a result of an algorithm section that when-clauses alone assign, none of
                      them at the start: it is what it was before then */
} FunctionVar;

/* by input of a derivative */
enum { DERIVATIVE_WANTED, DERIVATIVE_NOT, DERIVATIVE_ZERO };

typedef struct Derivative { /* annotation(derivative(order, ...) = f) */
    int            function;
    int            order;
    const uint8_t *input; /* WANTED, NOT (noDerivative), ZERO (zeroDerivative: must be
                             constant); NULL: all Real inputs are wanted */
} Derivative;

enum { INVERSE_RESULT = -1 };

typedef struct
    Inverse { /* annotation(inverse(x = g(y, ...))), of a function with one result */
    int        input;    /* of this function: what g gives */
    int        function; /* g */
    int        args;     /* inputs of g */
    const int *arg; /* by input of g: input of this function, INVERSE_RESULT its result */
} Inverse;

/* Function.inlines: whether calls are replaced by the body */
enum {
    INLINE_NEVER,
    INLINE_LATE, /* not before the index is reduced: its derivative is given, not that of the body */
    INLINE_KNOWN, /* too long, unless most arguments are numbers, which decide its branches */
    INLINE_SMALL, /* nobody asked, but it is short */
    INLINE_ASKED
};

/* Function.faults: whether a call may fail */
enum { FAULTS_UNKNOWN, FAULTS_NEVER, FAULTS_MAYBE };

typedef struct ExternalCall { /* external "C" f(...) */
    Str  language;            /* "C", "FORTRAN 77", "builtin" */
    Str  symbol;
    Term result; /* SLOT that takes the C result, TUPLE of them for a record, 0 if void */
    const Term
        *arg; /* SLOT, ARRAY_SLOT (a pointer), TUPLE (a record), SIZE(...), literals */
    int  args;
    const Str *directory; /* of C sources of its library, 0-terminated as all below */
    const Str *include, *include_in; /* annotations Include, IncludeDirectory */
    const Str *library, *library_in; /* annotations Library, LibraryDirectory */
    int destructor; /* function that ends the object which this one makes; -1: none */
} ExternalCall;

typedef struct Function {
    Str                 name; /* full path */
    Pos                 pos;
    int                 flags;           /* FUNCTION_ */
    int                 inputs, outputs; /* var[0 .. inputs) then outputs, then locals */
    int                 vars; /* all of them; records are flattened to fields */
    FunctionVar        *var;
    Stmt               *stmt; /* pool of the body */
    int                 stmts;
    int                 first;   /* first statement, -1 if none */
    int                 smooth;  /* smoothOrder, 0 if not given */
    uint8_t             inlines; /* INLINE_; NEVER while the body is being made */
    uint8_t             faults;  /* FAULTS_; fault.c finds out */
    Derivative         *derivative;
    int                 derivatives;
    int                 generated;   /* derivative made from the body; -1: not tried, -2:
                                  none; function_add sets it */
    int                 differenced; /* function_difference of it, -1 if not made */
    bool               *wanted;      /* by input: scratch of function_derivative */
    Inverse            *inverse;
    int                 inverses;
    const ExternalCall *external; /* NULL if written in Modelica */
} Function;

/* ---- results of symbolic operations -------------------------------------------------- */

typedef enum { DEGREE_NONE, DEGREE_LINEAR, DEGREE_NONLINEAR } Degree;

typedef enum {
    SOLVE_NONE,   /* not solved as a formula */
    SOLVE_FACTOR, /* slot = value, if `factor` is not zero */
    SOLVE_ALWAYS  /* slot = value */
} SolveKind;

typedef struct Solution { /* an equation solved for one slot */
    SolveKind kind;
    Degree    degree;   /* of the equation in the slot */
    Term      value;    /* over the other slots; 0 if kind is NONE */
    Term      factor;   /* what was divided by; 0 if nothing */
    uint64_t  slots;    /* bit k: slot k stands in factor; bit 63: time or a later slot */
    bool      inverted; /* a nonlinear function was inverted: exp, log */
} Solution;

enum { CACHE_SOLVE, CACHE_PARTIAL, CACHE_PARTIAL_HELD };

/* ---- the pool --------------------------------------------------------------------- */

typedef struct Literals { /* texts that generated code may name */
    Str     *text;        /* by number; [0] is the empty one */
    int      count;
    uint32_t room;
    Map      of; /* Str -> number */
} Literals;

typedef struct Shapes {
    Arena      arena;
    Strings   *strings; /* texts of string literals and names */
    Node      *node;    /* by Term; [0] unused */
    Term      *arg;     /* arguments of all nodes */
    uint32_t   nodes, node_room, args, arg_room;
    uint32_t  *table; /* open addressing: Term, 0 if free */
    uint32_t   mask;  /* slots of table - 1 */
    Shape     *shape; /* by shape number */
    int        count; /* shapes */
    uint32_t   shape_room;
    Term      *leaf;  /* leaves of all shapes */
    int       *order; /* slot orders of roots that are not canonical themselves */
    uint32_t   leaves, leaf_room, orders, order_room;
    Map        of_root; /* root -> shape + (position in order + 1) << 32 */
    uint32_t  *mark;    /* by Term: stamp of the last walk that met it */
    uint32_t  *place;   /* by Term: its position in that walk */
    bool       clocked; /* there are clocks: values without derivatives */
    Term      *walk;    /* nodes of the last walk, ascending */
    uint32_t   mark_room, place_room, walk_room, stamp;
    Function **function; /* by function number */
    int        functions;
    uint32_t   function_room;
    Solution  *solution; /* by the values of cache[CACHE_SOLVE] */
    int        solutions;
    uint32_t   solution_room;
    Map        cache[8]; /* results of per-(shape, slot) operations, by CACHE_ */
    Map        inlined;  /* call with all results -> what they are, 0: stays a call */
    Literals   literals;
    int        ders; /* nodes with TERM_DER: rows are searched for it if there are any */
    Term       zero, one; /* Real literals, made once */
} Shapes;

void shapes_init(Shapes *shapes, Strings *strings);
void shapes_free(Shapes *shapes);
/* The number of a text among the literals of the model; equal texts have equal numbers. */
int shapes_literal(Shapes *shapes, Str text);

/* ---- node.c ------------------------------------------------------------------------ */

Term expr_real(Shapes *shapes, double value);
Term expr_integer(Shapes *shapes, int64_t value);
Term expr_boolean(Shapes *shapes, bool value);
Term expr_string(Shapes *shapes, Str value);
Term expr_enum(Shapes *shapes, int enumeration, int ordinal);
Term expr_time(Shapes *shapes);
Term expr_slot(Shapes *shapes, int slot, Type type);
Term expr_array_slot(Shapes *shapes, int slot, Type type, int rank);
Term expr_number(Shapes *shapes, int slot);
Term expr_iterator(Shapes *shapes, int iterator);
/* Any operator without index data. Folds literals, flattens nested sums and products,
 * removes neutral elements. Type and rank follow from the arguments. */
Term expr_make(Shapes *shapes, TermOp op, const Term *args, int n);
Term expr_1(Shapes *shapes, TermOp op, Term a);
Term expr_2(Shapes *shapes, TermOp op, Term a, Term b);
Term expr_3(Shapes *shapes, TermOp op, Term a, Term b, Term c);
Term expr_sub(Shapes *shapes, Term a, Term b); /* a - b */
/* SUM_OF ... EACH with its iterator; CLOCK with its kind; FROM_ORDINAL; SPATIAL. */
Term expr_indexed(Shapes *shapes, TermOp op, int index, const Term *args, int n);
/* result -1: all results, as the right side of (a, b) = f(...) or for a call statement. */
Term expr_call(Shapes *shapes, int function, int result, Type type, int rank,
               const Term *args, int n);
/* The node with other arguments of the same number; made through the same folding. */
Term expr_rebuild(Shapes *shapes, Term expr, const Term *args);

static inline const Node *expr_node(const Shapes *shapes, Term expr) {
    return &shapes->node[expr];
}
static inline TermOp expr_op(const Shapes *shapes, Term expr) {
    return (TermOp)shapes->node[expr].op;
}
static inline Term expr_arg(const Shapes *shapes, Term expr, uint32_t k) {
    return shapes->arg[shapes->node[expr].arg + k];
}
/* Is the operator a function of the C library that takes many times as long as a product? (Powers may be products.) */
static inline bool term_is_of_library(TermOp op) {
    switch (op) {
    case TERM_SIN:
    case TERM_COS:
    case TERM_TAN:
    case TERM_ASIN:
    case TERM_ACOS:
    case TERM_ATAN:
    case TERM_ATAN2:
    case TERM_SINH:
    case TERM_COSH:
    case TERM_TANH:
    case TERM_EXP:
    case TERM_LOG:
    case TERM_LOG10: return true;
    default: return false;
    }
}
/* Does the operator lead a value from one clock to another, or to none? */
static inline bool term_changes_clock(TermOp op) {
    switch (op) {
    case TERM_SAMPLE_CLOCKED:
    case TERM_HOLD:
    case TERM_SUB_SAMPLE:
    case TERM_SUPER_SAMPLE:
    case TERM_SHIFT_SAMPLE:
    case TERM_BACK_SAMPLE:
    case TERM_NO_CLOCK: return true;
    default: return false;
    }
}
bool expr_is_literal(const Shapes *shapes, Term expr);
bool expr_is_zero(const Shapes *shapes, Term expr);
/* Value of a literal as a number (Boolean 0/1, enumeration ordinal); false if none. */
bool expr_literal(const Shapes *shapes, Term expr, double *value);

/* ---- shape.c ----------------------------------------------------------------------- */

/* Nodes reachable from root, ascending: arguments before users. shapes->walk holds them and
 * shapes->place their positions until the next walk. Returns their number. */
int expr_walk(Shapes *shapes, Term root);
/* root with every from[k] replaced by to[k] (0: kept). */
Term expr_replace(Shapes *shapes, Term root, const Term *from, const Term *to, int n);
/* The shape of root, whose slots may be numbered in any way. *order is NULL if the shape
 * numbers them the same, else (*order)[k] is the number in root of slot k of the shape; it
 * is valid until the next call. */
int                shape_of(Shapes *shapes, Term root, const int **order);
static inline Term shape_leaf(const Shapes *shapes, int shape, int slot) {
    return shapes->leaf[shapes->shape[shape].slot + (uint32_t)slot];
}
/* The shape in which slot `from` reads what stands in slot `into`; order as above. */
int shape_merge(Shapes *shapes, int shape, int from, int into, const int **order);

/* ---- function.c -------------------------------------------------------------------- */

int function_add(Shapes *shapes, const Function *function); /* copies the struct */

/* The derivative function of f: its inputs are those of f, then one per input k with
 * (*wanted)[k]; its results are the derivatives of the Real results of f. zero[k] tells that
 * input k is constant; time: the derivative is that along the time, not in any direction.
 * -1 if there is none. */
int function_derivative(Shapes *shapes, int f, bool time, const bool *zero,
                        const bool **wanted);
/* A function of the same form that takes central differences; -1 if f is unknown. */
int function_difference(Shapes *shapes, int f, const bool **wanted);
int function_derivative_output(const Shapes *shapes, int f, int output);
/* Generates the derivative by differentiating the body, if that is possible and needed. */
void function_prepare_derivative(Shapes *shapes, int f, bool time);

/* ---- inline.c ---------------------------------------------------------------------- */

/* Root with calls carried out where their bodies allow it. */
Term expr_inline(Shapes *shapes, Term root);
Term expr_inline_late(Shapes *shapes,
                      Term    root); /* also where derivatives were needed before */
/* What Function.inlines may be for a finished function. */
int function_inlines(Shapes *shapes, const Function *f, bool asked);

/* ---- constant.c ---------------------------------------------------------------------- */

/* Numbers in place of local variables that only a declaration sets, rounds in place of loops over
 * tables of them, variables in place of elements; before the body is used. */
void function_constants(Shapes *shapes, Function *f);

/* ---- reuse.c ------------------------------------------------------------------------- */

/* A function of the same values that computes once what statements have in common; f itself if they have nothing. */
const Function *function_reuse(Shapes *shapes, const Function *f);

/* ---- simplify.c ---------------------------------------------------------------------- */

Term expr_simplify(Shapes *shapes, Term root);
/* ---- continuous.c ---- */
/* root with signs that another factor makes continuous in noEvent. */
Term expr_continuous(Shapes *shapes, Term root);

/* ---- linear.c ------------------------------------------------------------------------ */

/* Of the slots marked in set[0 .. slots). A WHEN or IF is linear if its conditions do not
 * depend on them; the past values of delay count as constant. */
Degree expr_degree(Shapes *shapes, Term root, const bool *set, int slots);
/* The same between events, when relations and step functions keep their values. */
Degree expr_degree_held(Shapes *shapes, Term root, const bool *set, int slots);
Degree expr_degree_of_slot(Shapes *shapes, Term root, int slot);
bool   expr_never_zero(const Shapes *shapes, Term expr); /* proven, whatever the slots */

/* ---- diff.c -------------------------------------------------------------------------- */

/* Directional derivative: seed[k] is the derivative of slot k, 0 if it is constant. An
 * equation gives an equation. 0 if there is none; *reason then says why in a few words. */
Term expr_tangent(Shapes *shapes, Term root, const Term *seed, int seeds, bool time,
                  const char **reason);
/* The same for numbers at one point: a call whose function has no derivative is differenced. clock: the
 * derivative of the time, 0: it stands. */
Term expr_direction(Shapes *shapes, Term root, const Term *seed, int seeds, Term clock,
                    const char **reason);
/* Partial derivative by a scalar slot; an equation counts as left - right. */
Term expr_partial(Shapes *shapes, Term root, int slot, const char **reason);
Term expr_residual(Shapes *shapes, Term equation); /* left - right */
Term expr_zeros_like(Shapes *shapes, Term array);  /* with the sizes of an array */
/* The time derivative of a shape. Its slots are those of the shape (number k) and their
 * derivatives (number slots + k), in the order (*order) as in shape_of. rate[k] is 0 if slot k
 * does not change with time, else the sign of the derivative slot. -1 if there is none. */
int shape_dtime(Shapes *shapes, int shape, const int8_t *rate, const int **order,
                const char **reason);

/* ---- solve.c ------------------------------------------------------------------------- */

/* now[k]: slot k is used with its present value, not only inside delay or the like. */
void expr_present(Shapes *shapes, Term root, bool *now, int slots);
/* Slots whose derivatives that of the expression asks for: what enters calls only as noDerivative is
 * left out. */
void     expr_asked(Shapes *shapes, Term root, bool *slot, int slots);
Solution shape_solve(Shapes *shapes, int shape, int slot);
/* What d(left - right)/d(slot) is made of: bits as in Solution.slots; all bits set if there is
 * no such derivative. held: relations that cause events keep their values, what they compare does
 * not count. */
uint64_t shape_partial_slots(Shapes *shapes, int shape, int slot, bool held);

/* ---- exact.c ------------------------------------------------------------------------- */

/* An equation of Integers, Booleans or Strings solved for a slot, without rounding; 0: it cannot be. */
Term expr_solve_exact(Shapes *shapes, Term equation, int slot);

/* ---- view.c -------------------------------------------------------------------------- */

/* Value of a scalar expression (Boolean 0/1, enumeration ordinal). False if some operator has
 * no value outside a simulation, or the value is not a number. */
bool     expr_eval(Shapes *shapes, Term expr, const EvalEnv *env, double *value);
TermPool shapes_pool(const Shapes *shapes);

/* ---- fault.c ----------------------------------------------------------------------- */

/* Whether the operation itself, not its arguments, may fail other than by a value that is not
 * finite. Walks. */
bool expr_may_fault(Shapes *shapes, Term expr);
/* Whether an expression may fail or have no finite value. Walks. */
bool expr_may_be_undefined(Shapes *shapes, Term root);

/* Modelica text. name NULL: slots print as $0, $1, ... */
void expr_print(const Shapes *shapes, Term expr, NameSlot *name, const void *context,
                Text *out);

/* ---- ctext.c --------------------------------------------------------------------------- */

/* C text of expressions. Everything is double except iterators and sizes, which are int. The
 * text is plain C11 over <math.h> and the functions rb_* of the generated prologue. */
typedef struct CText {
    Shapes   *shapes;
    NameSlot *slot; /* C text of the value in a scalar slot */
    /* C text of an element of an array slot; subscript texts count from 1. */
    void (*element)(const void *context, int slot, const Text *subscript, int rank,
                    Text *out);
    void (*size)(const void *context, int slot, int dimension, Text *out);
    /* Is this relation or step function held between events? Then the index of its value in
     * c->mode is written. NULL: none is. */
    bool (*event)(const void *context, Term node, Text *index);
    /* Relations of an algorithm section so far: each is a place of its path, see live/path.c. NULL: it
     * is none. */
    int *places;
    /* Is this a delay that changes? Then its number is written. NULL: none is. */
    bool (*past)(const void *context, Term node, Text *number);
    /* C text of an array slot as a whole: a pointer to an RbArray. NULL: see gather. */
    NameSlot *array;
    /* The statement that makes t<temp> the array in a slot; NULL if `array` names it. */
    void (*gather)(const void *context, int slot, int temp, Text *out);
    const void *context;
    Text       *out;    /* statements go here */
    int         indent; /* columns */
    int         temps;  /* temporaries so far: t0, t1, ... */
    unsigned    pos;    /* source position, for faults */
    bool        arrays; /* out: there are temporary arrays on the stack */
    /* out: name of the first operator that has no code, "" if it has no name; NULL: there is none.
     * What was written is then of no use. */
    const char *missing;
} CText;

static inline CText ctext_new(Shapes *shapes, const void *context, Text *out, int indent,
                              unsigned pos) {
    return (CText){
        .shapes = shapes, .context = context, .out = out, .indent = indent, .pos = pos};
}
/* What stands in slots: a value, an element, a size. */
static inline void
ctext_slots(CText *c, NameSlot *slot,
            void (*element)(const void *context, int slot, const Text *subscript,
                            int rank, Text *out),
            void (*size)(const void *context, int slot, int dimension, Text *out)) {
    c->slot = slot;
    c->element = element;
    c->size = size;
}
/* Appends the statements that prepare the value, then writes the text of the value. */
void ctext_value(CText *c, Term root, Text *value);
void ctext_number(Text *out, double value); /* a C literal */
/* The same for the arguments of a call: ", a, b". */
void ctext_arguments(CText *c, Term call, Text *arguments);
/* An element with checked subscripts, also as a target. */
void ctext_at(const char *array, const Text *subscript, int rank, unsigned pos,
              Text *out);
/* Relations and step functions below root that cause events, ascending; at most `room` are
 * written. Returns their number. */
int ctext_events(Shapes *shapes, Term root, Term *list, int room);
/* By node of that list: the condition under which root evaluates it, 0 if always or if it is never
 * undefined. */
void ctext_guards(Shapes *shapes, Term root, const Term *node, Term *guard, int n);
/* The function whose change of sign is the event of such a node; a relation is z > 0 or its
 * opposite. */
Term ctext_crossing(Shapes *shapes, Term node);
/* Of an operator with whole results, as floor and div: the function (of builtin.h) of its argument
 * and of the value held that is above 0 as long as that value is right, on a border that belongs
 * to it, too; NULL of other operators. */
const char *ctext_inside(Shapes *shapes, Term node, Term *argument);
typedef struct
    EventTimes { /* when a relation or step function may change, without time */
    Term first[2];
    int  n;       /* rows of times first + k*spacing */
    Term spacing; /* of any sign, 0: there is only the first */
    Term
        size; /* a time: rounding errors of the formula move its border by a share of this; it may
                     contain time; 0 if it is too long a formula */
} EventTimes;
/* Of linear functions of time, and of sines, cosines and remainders of them. False: of others. */
bool ctext_event_times(Shapes *shapes, Term node, EventTimes *out);

#endif
