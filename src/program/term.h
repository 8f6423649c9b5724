/* SPDX-License-Identifier: Apache-2.0 */
/* term.h -- expressions as numbered nodes: what translation and the running model share.
 *
 * The compiler makes nodes (expr/expr.h); a program carries those of its equations, so that a
 * failure can be explained in the words of the model after the compiler is gone.
 *
 *   eval.c   the number that an expression stands for
 *   print.c  Modelica text
 *   value.c  operators on numbers */
#ifndef RUBATO_TERM_H
#define RUBATO_TERM_H

#include "base/base.h"

typedef uint32_t Term; /* number of an expression; 0 is "none" */

typedef enum {
    TERM_NONE,
#define OP(id, text, least, most, type, traits) TERM_##id,
#include "program/ops.def"
#undef OP
    TERM_COUNT
} TermOp;

/* traits of operators, see ops.def */
enum { TRAIT_EVENT = 1, TRAIT_DISCRETE = 2, TRAIT_OPAQUE = 4, TRAIT_IMPURE = 8 };

/* of a value; arrays have the type of their elements */
typedef enum {
    TYPE_NONE,
    TYPE_REAL,
    TYPE_INTEGER,
    TYPE_BOOLEAN,
    TYPE_STRING,
    TYPE_ENUM,
    TYPE_CLOCK,
    TYPE_OBJECT /* external object */
} Type;

/* node.index of TERM_CLOCK */
typedef enum {
    CLOCK_INFERRED,  /* Clock() */
    CLOCK_PERIOD,    /* Clock(interval) in seconds */
    CLOCK_RATIONAL,  /* Clock(intervalCounter, resolution) */
    CLOCK_CONDITION, /* Clock(condition, startInterval) */
    CLOCK_SOLVER     /* Clock(clock, solverMethod) */
} ClockKind;

typedef struct TermInfo {
    const char *name;  /* "ADD" */
    const char *text;  /* Modelica spelling, "" if it has none */
    int         least; /* arguments */
    int         most;  /* -1: any number */
    char        type;  /* rule for the type of the value, see ops.def */
    int         traits;
} TermInfo;

extern const TermInfo term_info[TERM_COUNT];

typedef struct Node {
    uint8_t  op;    /* TermOp */
    uint8_t  type;  /* Type of the value */
    uint8_t  rank;  /* number of array dimensions of the value, 0 scalar */
    uint8_t  flags; /* NODE_ below, of the whole expression */
    uint32_t n;     /* arguments */
    uint32_t arg;   /* the first in the list of arguments, which have smaller numbers */
    int32_t  index; /* SLOT, ARRAY_SLOT, NUMBER: slot number; ITERATOR and array
                        operators: iterator; ENUM, FROM_ORDINAL: enumeration;
                        CALL: function; CLOCK: ClockKind; -1 if unused */
    union {
        double  real;    /* REAL */
        int64_t integer; /* INTEGER, BOOLEAN, ENUM (ordinal), STRING (a Str), CALL
                            (which result, -1: all of them), else 0 */
    };
} Node;

enum {
    NODE_SLOTS = 1,   /* contains a slot */
    NODE_TIME = 2,    /* contains time */
    NODE_EVENTS = 4,  /* may cause events (outside noEvent) */
    NODE_CALLS = 8,   /* contains a call of a user function */
    NODE_IMPURE = 16, /* contains an impure call, delay, ... */
    NODE_BOUND = 32,  /* contains an iterator */
    NODE_CLOCKED = 64 /* contains an operator on clocks */
};

/* flags of a user function */
enum {
    FUNCTION_IMPURE = 1,
    FUNCTION_EXTERNAL = 2,
    FUNCTION_ALGORITHM = 4, /* an algorithm section: outputs start as their pre or start
                               value, which the row passes as inputs of the same order */
    FUNCTION_INLINE = 8,
    FUNCTION_EVENTS = 16, /* GenerateEvents = true */
    FUNCTION_LATE = 32    /* LateInline = true */
};

/* A set of nodes to look at, whoever holds them. */
typedef struct TermPool {
    const Node *node; /* by Term */
    const Term *arg;  /* arguments of all nodes */
    const void *owner;
    const char *(*text)(const void *owner, int64_t number); /* of a String literal */
    const char *(*function)(const void *owner, int number); /* name; NULL if unknown */
} TermPool;

static inline Term term_arg(const TermPool *pool, Term term, uint32_t k) {
    return pool->arg[pool->node[term].arg + k];
}
/* Value of a literal as a number (Boolean 0/1, enumeration ordinal); false if none. */
bool node_literal(const Node *node, double *value);

/* ---- value.c ---- */
/* Value of an operator on numbers. False if it has none (not numeric, not finite, ...). */
bool term_value(TermOp op, const double *x, int n, double *value);
/* Value of sum, product, min, max over nothing: for the last two the limits of the type. */
double reduction_empty(TermOp op, Type type);

/* ---- eval.c ---- */
typedef struct TermWalk { /* nodes below a root, ascending */
    Term  *term;
    int    count;
    size_t room;
    Map    at; /* node -> place */
} TermWalk;

/* False: no memory; to be released all the same. */
bool term_walk(const TermPool *pool, Term root, TermWalk *walk);
void term_unwalk(TermWalk *walk);

typedef struct EvalEnv { /* where slots get their values */
    void *context;
    /* Value of the variable (or row number) in a scalar slot. */
    double (*slot)(void *context, int slot);
    /* Element of an array slot, subscripts from 1; NULL if there are no arrays. */
    double (*element)(void *context, int slot, const int *subscript, int rank);
    int (*size)(void *context, int slot, int dimension); /* dimension from 1 */
    /* Result of a user function on scalar arguments; NULL: calls have no value. */
    bool (*call)(void *context, int function, int result, const double *args, int n,
                 double *value);
    double time;
    bool   initial; /* value of initial() */
} EvalEnv;

/* Value of a scalar expression (Boolean 0/1, enumeration ordinal). False if some operator has
 * no value outside a simulation, the value is not a number, or there is no memory. */
bool term_eval(const TermPool *pool, Term term, const EvalEnv *env, double *value);

/* ---- print.c ---- */
typedef void NameSlot(const void *context, int slot, Text *out);

/* Modelica text. name NULL: slots print as $0, $1, ... */
void term_print(const TermPool *pool, Term term, NameSlot *name, const void *context,
                Text *out);
void text_number(Text *out, double value); /* shortest text that reads back equal */

#endif
