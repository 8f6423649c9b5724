/* SPDX-License-Identifier: Apache-2.0 */
/* dae.h -- the flat model as integers, and the structural algorithms on it.
 *
 * A variable is a small integer. Variables are made in runs: a run is a scalar or an array
 * whose elements are consecutive (last dimension fastest). An array of components makes
 * one run per variable of its class, with the component dimensions first: r[1:n].v is one
 * run of n elements, not n runs.
 *
 * A row is a shape and one variable per slot. Rows are stored as families: one shape over
 * a rectangular loop nest, where slot k of the row at loop indices i0, i1, ... (from 0) is
 *     base[k] + stride[k][0]*i0 + stride[k][1]*i1 + ...
 * or, where that is not affine, a table. A scalar equation is a family without dimensions.
 *
 * der(x), pre(x) and previous(x) are variables of their own, made for a whole run at once,
 * so that they are affine where x is.
 *
 *   system.c    variables, attributes, families: construction
 *   row.c       one equation under construction: slots, families
 *   name.c      names of variables, rows as Modelica text, dumps
 *
 * What follows works on graphs of integers; see docs/structure.md. */
#ifndef RUBATO_DAE_H
#define RUBATO_DAE_H

#include "expr/expr.h"

/* ---- variables ---------------------------------------------------------------------- */

/* what the declaration says; states are found later */
typedef enum {
    VAR_CONTINUOUS, /* Real without discrete prefix: state, derivative or algebraic */
    VAR_DISCRETE,   /* Boolean, Integer, String, enumeration, discrete Real */
    VAR_PARAMETER,
    VAR_CONSTANT, /* also evaluated parameters: VAR_EVALUATED is set */
    VAR_INPUT,    /* top-level input */
    VAR_CLOCK,    /* type clock */
    VAR_DER,      /* der(of) */
    VAR_PRE,      /* pre(of), the left limit */
    VAR_PREVIOUS  /* previous(of), clocked */
} VarKind;

/* run.flags */
enum {
    VAR_OUTPUT = 1,     /* top-level output */
    VAR_PROTECTED = 2,  /* or HideResult: not recorded by default */
    VAR_EVALUATED = 4,  /* a parameter whose value shaped the model */
    VAR_FINAL = 8,      /* cannot be set from outside */
    VAR_HIDDEN = 16,    /* made by the compiler, has no name of its own */
    VAR_FLOW = 32,      /* of a connector; for messages */
    VAR_CONNECTOR = 64, /* member of a connector; for messages */
    VAR_STREAM = 128
};

typedef enum {
    SELECT_NEVER,
    SELECT_AVOID,
    SELECT_DEFAULT,
    SELECT_PREFER,
    SELECT_ALWAYS
} StateSelect;

typedef struct Run {     /* a scalar, or an array of count scalars */
    int32_t first;       /* variable number of the first element */
    int32_t count;       /* number of elements; 0 for an empty array */
    uint8_t kind;        /* VarKind */
    uint8_t type;        /* Type */
    uint8_t select;      /* StateSelect */
    uint8_t flags;       /* VAR_ */
    int32_t owner;       /* the front end's number for its name, -1 if none */
    Pos     pos;         /* declaration */
    int32_t of;          /* DER, PRE, PREVIOUS: the run it belongs to, else -1 */
    int32_t der, pre;    /* runs made from this one, -1 if none; a clocked variable has
                           previous in `pre` */
    int32_t attribute;   /* first in sys->attribute, -1 if none */
    int32_t enumeration; /* TYPE_ENUM: number in sys->enumeration, else -1 */
} Run;

typedef enum {
    ATTR_START,
    ATTR_FIXED, /* 0 or 1 */
    ATTR_NOMINAL,
    ATTR_MIN,
    ATTR_MAX,
    ATTR_BINDING, /* value of a parameter or constant */
    ATTR_UNIT,    /* the next four are texts */
    ATTR_DISPLAY_UNIT,
    ATTR_QUANTITY,
    ATTR_COMMENT
} AttributeName;

typedef enum {
    VALUE_ONE,     /* `value` for every element; a text is its Str as a number */
    VALUE_LIST,    /* sys->value[index + element] */
    VALUE_VARIABLE /* variable index + stride*element, a parameter or constant */
} ValueKind;

typedef struct Attribute {
    uint8_t name;   /* AttributeName */
    uint8_t kind;   /* ValueKind */
    int32_t next;   /* of the same run, -1 if last */
    int32_t index;  /* see ValueKind */
    int32_t stride; /* VARIABLE */
    double  value;  /* ONE */
} Attribute;

typedef struct Enumeration {
    Str        name;    /* full path of the type */
    int        count;   /* literals */
    const Str *literal; /* count names, ordinal - 1 */
} Enumeration;

/* ---- rows ----------------------------------------------------------------------------- */

typedef enum {
    ROWS_EQUATION, /* hold always; with EQUATION(v, WHEN(...)) they change at events */
    ROWS_INITIAL,  /* hold at the start only */
    ROWS_ACTION,   /* assert, terminate, reinit and calls without results; inside a
                       when-clause the root is WHEN(condition, action) */
    ROWS_BINDING,  /* parameter = expression over parameters */
    ROWS_SETS
} RowSet;

enum { ROW_DIMS = 6 }; /* loop dimensions of a family; deeper nests are split */

typedef struct Family {
    int32_t  shape;
    int32_t  count;     /* rows */
    uint32_t data;      /* first in sys->data; layout below */
    int32_t  row;       /* number of its first row in its set */
    int32_t  owner;     /* the front end's number of the instance, for messages */
    Pos      pos;       /* of the equation */
    uint8_t  dims;      /* loop dimensions, 0 for a scalar row */
    uint8_t  flags;     /* FAMILY_ */
    uint16_t partition; /* clocked partition, 0 continuous; set by partition.c */
} Family;

/* Data of a family, in sys->data: extent of each dimension; for each array slot, per array
 * dimension, (size, step in variables); then per slot base and one stride per dimension.
 * With FAMILY_TABLE the last part is instead count times one number per slot. */
enum {
    FAMILY_TABLE = 1,   /* slots from a table */
    FAMILY_CONNECT = 2, /* from a connection; for messages */
    FAMILY_BINDING = 4, /* from a declaration equation */
    FAMILY_WHEN = 8     /* from a when-clause */
};

typedef struct Families {
    Family  *family; /* by ascending row */
    int      count;
    uint32_t room;
    int      rows; /* scalar rows */
} Families;

typedef struct System System;

/* Appends the name of element `element` of the run with this owner, e.g. "r[3].v". */
typedef void NameVar(const void *names, int owner, int element, Text *out);

struct System {
    Arena        arena;
    Shapes      *shapes;
    Run         *run; /* by ascending first */
    int          runs;
    uint32_t     run_room;
    int          vars; /* scalar variables */
    Attribute   *attribute;
    int          attributes;
    uint32_t     attribute_room;
    double      *value; /* lists of attributes */
    int          values;
    uint32_t     value_room;
    Families     set[ROWS_SETS];
    int32_t     *data; /* slots of all families */
    uint32_t     datas, data_room;
    Enumeration *enumeration;
    int          enumerations;
    uint32_t     enumeration_room;
    NameVar     *name_var; /* NULL: variables print as v17 */
    const void  *names;    /* passed to name_var */
};

/* ---- system.c ------------------------------------------------------------------------- */

void system_init(System *sys, Shapes *shapes, OutOfMemory *oom, void *owner);
void system_free(System *sys);
/* A new run; its number. Element 0 is variable sys->run[result].first; sys->run moves when it
 * grows, so take the result first. */
int system_run(System *sys, VarKind kind, Type type, int count, int owner, Pos pos);
/* der(v), pre(v), previous(v): the variable, made with its whole run when first asked. */
int system_der(System *sys, int var);
int system_pre(System *sys, int var);
int system_previous(System *sys, int var);
int system_run_of(const System *sys, int var); /* the run a variable belongs to */
int system_enumeration(System *sys, Str name, const Str *literal, int count);

void system_value(System *sys, int run, AttributeName name, double value);
void system_text(System *sys, int run, AttributeName name, Str text);
void system_list(System *sys, int run, AttributeName name, const double *value, int n);
void system_variable(System *sys, int run, AttributeName name, int var, int stride);
const Attribute *system_attribute(const System *sys, int run, AttributeName name);
/* Number known now for element of run: ONE, LIST, or a VARIABLE whose own binding is
 * known. False if there is none or it is computed. */
bool   system_known(const System *sys, int run, AttributeName name, int element,
                    double *value);
size_t system_bytes(const System *sys); /* memory of runs, attributes and families */

/* ---- row.c ----------------------------------------------------------------------------- */

typedef struct RowSlot {
    int32_t base;
    int32_t stride[ROW_DIMS];
    uint8_t kind; /* OP_SLOT, OP_NUMBER, OP_ARRAY_SLOT */
    uint8_t type, rank;
    int32_t size[ROW_DIMS], step[ROW_DIMS]; /* by array dimension */
} RowSlot;

typedef struct Row { /* one equation under construction; zeroed or row_begin */
    System  *sys;
    int      dims;
    int32_t  extent[ROW_DIMS];
    int      slots;
    uint32_t room;
    RowSlot *slot;  /* reused from row to row; row_free releases it */
    Map      found; /* slots by key, used when they are many */
} Row;

void row_begin(Row *row, System *sys, int dims, const int *extent);
void row_free(Row *row);
/* The slot of a variable: `var` in the first row, + stride[d] per step of loop d; stride
 * NULL means 0. The same variable asked for twice is the same slot. */
Expr row_var(Row *row, int var, const int *stride);
/* An integer of the row, e.g. the loop index: base + stride[d]*i. */
Expr row_number(Row *row, int base, const int *stride);
/* An array of variables: element (j0, j1, ...) from 0 is var + step[0]*j0 + ... Sizes are
 * data of the row, so the shape does not depend on them. */
Expr row_array(Row *row, int var, const int *stride, int rank, const int *size,
               const int *step);
/* Adds the family; its number in the set. flags are FAMILY_. An extent of 0 adds none: -1. */
int row_end(Row *row, RowSet set, Expr root, int flags, int owner, Pos pos);
/* A family with a table: count rows of shape, slot[r*slots + k] in the shape's slot order.
 * sizes: (size, step) per dimension of each array slot, NULL if the shape has none. */
int system_table(System *sys, RowSet set, int shape, int count, const int *slot,
                 const int *sizes, int flags, int owner, Pos pos);

/* Reading rows: family that holds a row; its variable in each slot. */
const Family *system_family(const System *sys, RowSet set, int row);
void          family_slots(const System *sys, const Family *family, int index, int *slot);
/* (size, step) pairs of array slot k, and its rank; NULL for a scalar slot. */
const int32_t *family_sizes(const System *sys, const Family *family, int slot, int *rank);

/* ---- name.c ----------------------------------------------------------------------------- */

void system_name(const System *sys, int var, Text *out);
void row_print(const System *sys, RowSet set, int row, Text *out); /* Modelica text */
void system_dump(const System *sys, Text *out, int most); /* at most `most` rows a set */

#endif
