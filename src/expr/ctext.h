/* SPDX-License-Identifier: Apache-2.0 */
/* ctext.h -- private to expr: C text of one expression on its way. */
#ifndef RUBATO_CTEXT_H
#define RUBATO_CTEXT_H

#include "expr/expr.h"

typedef struct Region {
    int parent, depth;
    int first, last; /* nodes with statements, by place, ascending; -1 if none */
} Region;

typedef struct Emit {
    CText             *c;
    Shapes            *shapes;
    int                n;
    Term              *list;    /* nodes, ascending */
    Map                place;   /* node -> position */
    int               *uses;    /* by place */
    int               *region;  /* by place, -1: not met yet */
    int               *inner;   /* by place: first region of an IF or loop, -1 if none */
    int               *temp;    /* by place: number of the temporary, -1 if none */
    int               *next;    /* by place: next with statements in the same region */
    int               *mate;    /* by place: next result of the same call, -1 if none */
    bool              *follows; /* by place: another result stands for the call */
    bool              *loud;    /* by place: used outside noEvent */
    bool              *whole;   /* by place: an array that is needed as a whole */
    const struct Emit *outer; /* text around the loop whose body this is, NULL if none */
    int                outer_region; /* in which region of it the loop stands */
    Region            *tree;
    uint32_t           regions, tree_room;
} Emit;

/* ---- cplace.c ---- */
int  place_of(const Emit *e, Term x);
int  region_new(Emit *e, int parent);
void place_visit(Emit *e, int i);
void place_temporaries(Emit *e, bool call_root);
bool has_statements(const Emit *e, int i);
bool is_loop(TermOp op);                         /* SUM_OF and its like */
bool is_quiet(const Shapes *shapes, Term x);     /* causes no events inside */
bool is_chain(const Shapes *shapes, Term array); /* read by a chain of conditions */
/* What tells the size of an array in a dimension. */
Term size_source(const Shapes *shapes, Term *array, int *dimension);

/* ---- cvalue.c ---- */
void ctext_of(Emit *e, Term x, Text *out); /* its temporary if it has one */
void ctext_operation(Emit *e, Term x, Text *out);
void ctext_list(Emit *e, Term x, Text *out); /* arguments of a call */
bool is_held(const Shapes *shapes, Term x);  /* between events it keeps its value */

/* ---- carray.c ---- */
void ctext_array_statement(Emit *e, int i);
/* Sizes of nested constructors of scalars, -1 before; false if an item is another array. */
bool literal_sizes(const Shapes *shapes, Term x, int *size, int rank);
void ctext_call_statement(Emit *e, int i); /* all results of a call that are used */

/* ---- ctext.c ---- */
void ctext_line(Emit *e);
void ctext_declare(Emit *e, int temp, bool array);
void ctext_if(Emit *e, int i);
void ctext_loop_head(Emit *e, int iterator, const char *length);
void ctext_loop_end(Emit *e);
void ctext_write(CText *c, Term root, const Emit *outer, int region, bool loud,
                 bool call_root, Text *value);

#endif
