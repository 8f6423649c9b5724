/* SPDX-License-Identifier: Apache-2.0 */
/* part.h -- equations in the order of computation: groups of rows over kernels.
 *
 * A part is a set of equations that is computed together: the run, the start, the parameters that
 * depend on others. Its rows stand in groups; a group runs one piece of generated code over many
 * rows. A block is what must be computed at once: one row, a torn system or a call with several
 * results. Everything here is numbers, so that it can be stored and shared. */
#ifndef RUBATO_PART_H
#define RUBATO_PART_H

#include "model/model.h"
#include "program/term.h"

typedef enum {
    BLOCK_EXPLICIT,  /* one equation, a formula for its unknown */
    BLOCK_LINEAR,    /* linear in its unknowns */
    BLOCK_NONLINEAR, /* by Newton's method */
    BLOCK_MIXED,     /* with discrete unknowns in the loop */
    BLOCK_CALL,      /* one row with several results */
    BLOCK_FAST       /* with states that are infinitely fast, which are iterated on */
} BlockKind;

typedef enum { /* how long the matrix of a torn block stays what it is */
               MATRIX_VARIES,
               MATRIX_EVENTS,    /* until the next event */
               MATRIX_PARAMETERS /* until parameters change */
} MatrixKind;

typedef enum {
    GROUP_ROWS, /* rows of one kernel, after kernels whose values stay in the row */
    GROUP_CHAIN, /* a sequence of kernels, repeated: row i of each before row i + 1 of any */
    GROUP_LOOP /* torn blocks of equal build; the last `torn` kernels are residuals */
} GroupKind;

typedef enum {              /* where code finds the value of a variable */
               HOME_VALUES, /* among all values, by variable */
               HOME_STATES, /* in the integrator's vector of states */
               HOME_RATES,  /* in the integrator's vector of their derivatives */
               HOME_LOCAL   /* given by a kernel before in the same row, not stored */
} Home;

typedef struct Access { /* the variable in a slot, for row i of a group */
    int base;           /* base + stride*i, or table[i] */
    int stride;
    int table; /* first in the table of the part, -1 if affine */
    int home;  /* Home; no byte of a stored struct is left open */
    int at;    /* STATES, RATES: state at + step*i, or table[list + i]; LOCAL: place of
                      the giver in the body */
    int step;
    int list; /* first in the table of the part, -1 if affine */
} Access;

typedef struct Group {
    uint8_t kind;      /* GroupKind */
    uint8_t block;     /* BlockKind of a LOOP */
    uint8_t matrix;    /* LOOP: MatrixKind */
    uint8_t piecewise; /* LOOP: linear between events */
    uint8_t sparse;    /* LOOP: to be solved whole */
    uint8_t discrete;  /* evaluated at events only */
    uint8_t parallel;  /* no row uses what another row of the group gives */
    uint8_t shown;     /* no derivative of a state needs it: for results and events */
    int     phase;     /* of a clocked partition, -1 outside; see clock.h */
    int     body;      /* kernels part->body[body .. body + size) */
    int     size;
    int     torn;  /* LOOP: residuals, the last of the body */
    int     count; /* rows */
    int access; /* part->access[access ...): for each kernel of the body its slots in order;
                       for a LOOP then the `torn` iteration variables ... */
    int iteration; /* ... which begin at part->access[iteration] */
    int item;      /* equations item .. item + count*size, row by row */
} Group;

/* What a kernel computes, for messages. */
typedef struct Formula {
    Term row;   /* the equation */
    Term value; /* of its unknown, or its residual; 0 if it has several results */
    int  slots; /* of the equation */
    int  leaf;  /* the leaf of slot k is program->expressions.leaf[leaf + k] */
} Formula;

enum { SENSE_WIDTH = 8 };

/* Compressed rows: what belongs to i is to[start[i] .. start[i + 1]). rows is -1 if there is
 * nothing of the kind. */
typedef struct Lists {
    int        rows, entries;
    const int *start; /* rows + 1 */
    const int *to;
} Lists;

typedef struct Part {
    int            groups, kernels, bodies, accesses, tables, items, sizes, patterns;
    const Group   *group;   /* in the order of computation */
    const Formula *formula; /* by kernel */
    const int     *body;    /* kernels of groups */
    const Access  *access;
    const int     *table;   /* of accesses; generated code reads it */
    const int     *unknown; /* by item: the variable it gives */
    const int     *block;   /* by item: the block it belongs to */
    const Pos     *pos;     /* by item: where the equation stands, 0 if nowhere */
    const int     *size_at; /* by place in body: of its array slots, first in size */
    const int     *size;    /* (size, step) by dimension of each array slot, in order */
    const int *pattern_at; /* by group: of dr/dz of a large loop, -1: none, it is dense */
    const int *pattern;    /* torn + 1 starts, then rows by column */
    /* relations, which keep their values between events */
    int         relations;
    const int  *relation_item;  /* by relation: of its equation, -1 if none */
    const Term *relation_term;  /* in the words of its equation; 0: a call */
    const Term *relation_guard; /* it is evaluated where this holds; 0: everywhere */
    /* generated code */
    int         text_bytes, tangent_bytes, sense_bytes; /* with the final 0; 0: no text */
    const char *text;                                   /* C text of the part */
    const char *tangent; /* of its derivatives, `width` columns at a time */
    const char *sense;   /* of those with respect to everything, SENSE_WIDTH at a time */
    int         width;
    bool        selective; /* code for single rows of groups is there */
} Part;

static inline int part_variable(const Part *part, const Access *access, int i) {
    return access->table >= 0 ? part->table[access->table + i]
                              : access->base + access->stride * i;
}

/* Iteration variable k of block `row` of a loop group. */
static inline int part_iteration(const Part *part, const Group *group, int row, int k) {
    return part_variable(part, part->access + group->iteration + k, row);
}

/* The item that gives a variable, -1 if none does. Looks at all: for messages. */
static inline int part_item_of(const Part *part, int var) {
    for (int k = 0; k < part->items; k++)
        if (part->unknown[k] == var) return k;
    return -1;
}

#endif
