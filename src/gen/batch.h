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
/* batch_linear.c: statements that solve a linear block. */
void batch_linear(BatchText *b, const Block *block);

#endif
