/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h -- private to gen: the kernel of one family of equal systems while it is written.
 *
 * A variable is x<k> if it is a state, p<v> if it is known and v<v> if the kernel computes it. Inside
 * a linear block b<v> is its value while the unknowns that tear the block are 0, and d<v>_<j> its
 * change with the one of number j. */
#ifndef RUBATO_GEN_BATCH_H
#define RUBATO_GEN_BATCH_H

#include "gen/gen.h"

typedef enum { /* how a slot is written */
               NAME_VALUE,
               NAME_BIAS /* unknowns of the block that is written: b<v> */
} BatchNames;

typedef struct BatchText {
    const Structure *st;
    Shapes          *shapes;
    Diag            *diag;
    Text            *out;    /* statements of the loop over instances */
    Text             refuse; /* why there is no kernel; empty: there is one */
    Pos              pos;    /* where that is */
    Arena            arena;
    int             *state;  /* by variable: number among the states of the family, -1 */
    uint8_t         *wanted; /* by variable: its value is needed */
    uint8_t         *known;  /* by variable: a known one is read */
    int             *place;  /* by variable: place in the block that is written + 1, 0 */
    /* the row that is written */
    int        row;
    BatchNames names;
    int        column; /* of directions */
    int        torn;   /* largest linear system so far */
} BatchText;

enum { MOST_TORN = 64 }; /* columns of a linear system */

/* Linear rows on their way. The unknowns that tear and the inputs are columns; every other unknown is
 * affine in them. Places 0 .. n - 1 are unknowns of the rows, the inputs follow. */
typedef struct Torn {
    BatchText *b;
    int        n;         /* equations */
    int       *row, *var; /* by place */
    int       *giver;     /* by place of a variable: place of the row that gives it, -1 */
    uint8_t   *used;      /* by row place: it gives a variable */
    int       *order;     /* places of rows in order */
    int        ordered;
    int        tear[MOST_TORN]; /* by column: place of its variable */
    int        tears, inputs;   /* columns of each kind */
    uint8_t   *tearing;         /* by place: it is a column */
    uint8_t   *moves;           /* by place*MOST_TORN + column: it depends on that */
} Torn;

static inline int batch_slots(const BatchText *b, int row) {
    return b->shapes->shape[b->st->shape[row]].slots;
}
static inline int batch_var(const BatchText *b, int row, int slot) {
    return b->st->slot[b->st->first[row] + slot];
}
/* value := text of a term over the slots of a row. */
void batch_value(BatchText *b, int row, Term term, BatchNames names, Text *value);
void batch_refuse(BatchText *b, int row, const char *why);
/* Is a row solved for the variable in a slot by a formula that never divides by what changes? */
bool batch_solvable(BatchText *b, int row, int slot);
/* The states of a family get numbers. */
void batch_states(BatchText *b, BatchFamily *f);
/* Marks what the rows of a block read; known values are noted. */
void batch_want(BatchText *b, const Block *block);
bool batch_is_wanted(const BatchText *b, const Block *block);
void batch_block(BatchText *b, const Block *block);
void batch_rate(BatchText *b, int var);
/* Declarations of what is known, outside of the loop and inside. */
void batch_knowns(const BatchText *b, const BatchFamily *f, bool inside, Text *out);

/* ---- batch_linear.c ---- */
/* Statements that solve a linear block. */
void batch_linear(BatchText *b, const Block *block);
/* Equations eq[0 .. n) with inputs; then what tears them, and statements: b<v>, d<v>_<column>, and
 * r<i>, m<i>_<column> of the equations left over. False: refused. */
void torn_open(Torn *t, BatchText *b, int n, const int *eq, int inputs, const int *input);
bool torn_reduce(Torn *t);
void torn_close(Torn *t);

/* ---- batch_split.c: parts of a network ---- */
typedef struct
    Value { /* a variable of a port after aliases: sign*var, or 0 if var is -1 */
    int var, sign;
} Value;

typedef struct PartText {
    BatchText    b;
    BatchFamily *f;
    Text        *out;
    uint8_t     *implicit; /* by variable: IMPLICIT_ */
    uint64_t    *reads;    /* by variable: input ports whose signals it depends on */
    uint8_t *asked;  /* by variable: the network asks for it, or what it asks for does */
    int     *law_of; /* by variable: 1 + port whose law it belongs to, 0 */
    int     *node;   /* union-find: ports, then variables: sections */
    int     *group;  /* union-find: ports that depend on each other explicitly */
    int     *result; /* by variable: place of a rate among results + 1, 0 */
    Arena   *keep;   /* of what the family keeps */
    int      kernels;
} PartText;

enum { IMPLICIT_NOT, IMPLICIT_FOLLOWS, IMPLICIT_EFFORT };

/* A variable; its derivative; what triplets pass on, ask for and answer. */
Value part_value(const Structure *st, int var);
Value part_rate(PartText *p, int var);
Value part_effort(PartText *p, const LawPort *port, int i);
Value part_answer(PartText *p, const LawPort *port, int i);
/* Efforts that come in may have no variable: nothing in the part reads them. */
Value part_effort_in(PartText *p, const LawPort *port, int i);
/* Signals of an output port, and what goes with them: entry i of `travels`. */
Value part_passed(const PartText *p, const LawPort *port, int i);
int   part_travels(const LawPort *port);
int   part_node(const PartText *p, int var); /* of a variable in PartText.node */
int   part_eq(const PartText *p, const Block *block, int i);
bool  part_implicit(const PartText *p, const Block *block);
bool  part_asked(const PartText *p, const Block *block);
/* ---- batch_affine.c ---- */
/* Refused if what the part answers is not affine in what the network finds. */
void affine_check(PartText *p);

/* ---- batch_split.c ---- */
/* The analysis of a part; then how it went, see BatchFamily. */
void part_open(PartText *p, const Structure *st, BatchFamily *f);
bool part_close(PartText *p);

#endif
