/* SPDX-License-Identifier: Apache-2.0 */
/* ctext.h -- private to expr: C text of one expression on its way. */
#ifndef RUBATO_CTEXT_H
#define RUBATO_CTEXT_H

#include "expr/expr.h"

typedef struct Region {
    int parent, depth;
    int twin;        /* the other way at the same condition, -1 if none */
    int first, last; /* stands of temporaries, nodes ascending; -1 if none */
} Region;

typedef struct Stand { /* a node in a region where it is computed */
    int  node;         /* by place */
    int  region;
    int  inner;   /* first region of an IF, AND or OR, -1 if none */
    int  another; /* next stand of the same node, -1 if none */
    int  mate;    /* next result of the same call in this region, -1 if none */
    bool follows; /* another result stands for the call */
    int  next;    /* next temporary of the same region, -1 if none */
} Stand;

typedef struct Emit {
    CText  *c;
    Shapes *shapes;
    int     n;
    Term   *list;   /* nodes, ascending */
    Map     place;  /* node -> position */
    int    *uses;   /* by place */
    int    *first;  /* by place: first of its stands, -1: not met yet */
    int    *temp;   /* by place: number of the temporary, -1 if none */
    int    *mate;   /* by place: next result of the same call, -1 if none */
    int    *levels; /* by place: of its text, down to the next temporaries */
    int    *lift;  /* by place: the region in which it is computed in any case, -1 none */
    bool   *loud;  /* by place: used outside noEvent */
    bool   *whole; /* by place: an array that is needed as a whole */
    bool   *faults; /* by place: evaluating it may fail */
    bool   *silent; /* by place: it may change without an event, as noEvent(x > 0) */
    const struct Emit *outer; /* text around the loop whose body this is, NULL if none */
    int                outer_region; /* in which region of it the loop stands */
    Region            *tree;
    uint32_t           regions, tree_room;
    Stand             *stand;
    uint32_t           stands, stand_room;
} Emit;

/* ---- cplace.c ---- */
int  place_of(const Emit *e, Term x);
int  region_new(Emit *e, int parent);
void place_stand(Emit *e, int p, int region); /* one more */
void place_visit(Emit *e, int i);
void place_temporaries(Emit *e, bool call_root);
bool has_statements(const Emit *e, const Stand *s);
bool is_loop(TermOp op);                         /* SUM_OF and its like */
bool is_quiet(const Shapes *shapes, Term x);     /* causes no events inside */
bool is_chain(const Shapes *shapes, Term array); /* read by a chain of conditions */
/* What tells the size of an array in a dimension. */
Term size_source(const Shapes *shapes, Term *array, int *dimension);

/* ---- cvalue.c ---- */
void ctext_missing(Emit *e, const char *name, Text *out); /* no code for an operator */
void ctext_of(Emit *e, Term x, Text *out); /* its temporary if it has one */
void ctext_operation(Emit *e, Term x, Text *out);
void ctext_list(Emit *e, Term x, Text *out); /* arguments of a call */
bool is_held(const Shapes *shapes, Term x);  /* between events it keeps its value */

/* ---- carray.c ---- */
void ctext_array_statement(Emit *e, Stand s);
/* Sizes of nested constructors of scalars, -1 before; false if an item is another array. */
bool literal_sizes(const Shapes *shapes, Term x, int *size, int rank);
void ctext_call_statement(Emit *e, Stand s); /* all results of a call that are used */

/* ---- ctext.c ---- */
void ctext_line(Emit *e);
void ctext_declare(Emit *e, int temp, bool array);
void ctext_if(Emit *e, Stand s);
void ctext_loop_head(Emit *e, int iterator, const char *length);
void ctext_loop_end(Emit *e);
void ctext_write(CText *c, Term root, const Emit *outer, int region, bool loud,
                 bool call_root, Text *value);

#endif
