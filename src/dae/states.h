/* SPDX-License-Identifier: Apache-2.0 */
/* states.h -- constraints against the derivatives they take away; private to states.c and
 * choice.c. */
#ifndef RUBATO_STATES_H
#define RUBATO_STATES_H

#include "dae/dae.h"

enum { STATE_CLASSES = 9 };

/* How much a variable is wanted as a state, 0 least. */
int states_wanted(const Structure *st, int v);

typedef struct IndexLevel { /* constraints of one order of derivatives */
    Structure *st;
    int       *eq; /* rows of the graph: equations ... */
    int        rows;
    int       *var; /* ... and columns: derivatives they could take away */
    int        cols;
    int       *col_at; /* by variable: column + 1, 0 if none */
    Graph      graph;
    int       *col_of, *row_of; /* the choice: what each row takes away */
    const int *before;          /* by equation: what it is the derivative of, -1 none */
    /* gives of choice.c */
    uint8_t *risk; /* by row: Choice */
    bool    *open; /* by row: it takes nothing away, its column stays */
} IndexLevel;

/* Needs: a complete choice. Gives: risk and open; rows that are not open take away what they take
 * away by constant coefficients. */
void choice_weigh(IndexLevel *level, Arena *scratch);
/* Open rows are invariants in all lower derivatives: invariant[equation] becomes one of the
 * variables that they share, and these are joined in the forest `share` (-1: nothing shares the
 * variable). */
void choice_share(const IndexLevel *level, int *invariant, int *share, Arena *scratch);

#endif
