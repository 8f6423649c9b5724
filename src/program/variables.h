/* SPDX-License-Identifier: Apache-2.0 */
/* variables.h -- the table of variables: what translation and the running model share.
 *
 * A variable is a small integer. Variables are made in runs: a run is a scalar or an array whose
 * elements are consecutive, with the last dimension fastest. An array of components makes one run
 * for each variable of its class, with the dimensions of the components first: r[1:n].v is one run
 * of n elements. Attributes belong to runs.
 *
 *   variables.c  runs, attributes, names */
#ifndef RUBATO_VARIABLES_H
#define RUBATO_VARIABLES_H

#include "program/term.h"

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
    VAR_PREVIOUS, /* previous(of), clocked */
    VAR_RATE      /* der(of) of a process that is infinitely fast: 0 but for its solver */
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

typedef struct VarRun {         /* a scalar, or an array of count scalars */
    int32_t first;              /* variable number of the first element */
    int32_t count;              /* number of elements; 0 for an empty array */
    uint8_t kind;               /* VarKind */
    uint8_t type;               /* Type */
    uint8_t select;             /* StateSelect */
    uint8_t flags;              /* VAR_ */
    int32_t owner;              /* number of its name, -1 if none */
    Pos     pos;                /* declaration */
    int32_t of;                 /* DER, PRE, PREVIOUS: the run it belongs to, else -1 */
    int32_t der, pre, previous; /* runs made from this one, -1 if none */
    int32_t attribute;          /* first in the list of attributes, -1 if none */
    int32_t enumeration;        /* TYPE_ENUM: which one, else -1 */
} VarRun;

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
    ATTR_COMMENT,
    ATTR_EXPECTED /* what a computed parameter is with the values in the model's text */
} AttributeName;

typedef enum {
    VALUE_ONE,     /* `value` for every element; a text is its number */
    VALUE_LIST,    /* value[index + element] of the list of values */
    VALUE_VARIABLE /* variable index + stride*element, a parameter or constant */
} ValueKind;

typedef struct Attribute {
    uint16_t name;   /* AttributeName */
    uint16_t kind;   /* ValueKind */
    int32_t  next;   /* of the same run, -1 if last */
    int32_t  index;  /* see ValueKind */
    int32_t  stride; /* VARIABLE */
    double   value;  /* ONE */
} Attribute;

typedef struct Variables {
    int              vars; /* scalar variables */
    int              runs, attributes, values;
    const VarRun    *run; /* by ascending first */
    const Attribute *attribute;
    const double    *value; /* lists of attributes */
} Variables;

/* The run that a variable belongs to. */
int              variables_run(const Variables *all, int var);
const Attribute *variables_attribute(const Variables *all, int run, AttributeName name);
/* The number known now for an element of a run: ONE, LIST, or a VARIABLE whose own binding is
 * known. False if there is none or it is computed. */
bool variables_known(const Variables *all, int run, AttributeName name, int element,
                     double *value);
/* Typical magnitude of a variable, 1 if nothing is said. */
double variables_nominal(const Variables *all, int var);

static inline bool run_is_discrete(const VarRun *run) {
    return run->kind == VAR_DISCRETE || run->type != TYPE_REAL;
}

/* Why a variable of the run cannot have the value; NULL: it can. */
const char *run_refuses(const VarRun *run, double value);

/* A component of a connector class at the top level of the model, or inside of such a one. */
typedef struct Connector {
    int name, type, comment; /* texts: of the component, full name of its class, ... */
    int parent;              /* the connector around it, which comes before; -1 none */
    int dims, size;          /* of its own array: Connectors.size[size ...) */
    int member, members;     /* Connectors.member[member ...) */
    int open; /* 1: an expandable one, of which others may use some members */
} Connector;

typedef struct ConnectorMember {
    int run;
    int name; /* text: path from the connector, a pattern; empty: it is the connector */
    int dims, size; /* of that pattern */
    int several; /* 1: its run has elements of several connectors that have other members, too */
} ConnectorMember;

typedef struct Connectors { /* in the order of declarations */
    int                    count, members, sizes, runs;
    const Connector       *connector;
    const ConnectorMember *member;
    const int             *size;
    const int             *of_run; /* by run: its member, -1 */
} Connectors;

/* A name is a pattern in which NAME_SUBSCRIPT stands for the next subscript: "r[\1].v[\1,\1]" of
 * an array of components. It is written for one element on demand. */
enum { NAME_SUBSCRIPT = 1, NAME_DIMS = 64 };

/* Writes the name of an element of an array with these sizes. */
void name_write(const char *pattern, const int *size, int dims, int element, Text *out);
/* How much of a name is that of a component, with any subscripts; 0: it is not within it. */
size_t name_within(const char *pattern, const char *name);

/* Prints der( ... ( around what `base` writes for a variable that is none itself. */
typedef void NameBase(const void *owner, const VarRun *run, int element, Text *out);
void variables_name(const Variables *all, int var, NameBase *base, const void *owner,
                    Text *out);

#endif
