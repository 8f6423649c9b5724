/* SPDX-License-Identifier: Apache-2.0 */
/* initial.h -- private to dae: what the files of the initial system share. */
#ifndef RUBATO_INITIAL_H
#define RUBATO_INITIAL_H

#include "dae/dae.h"

typedef struct Initial {
    Structure       *in;       /* being built */
    const Structure *st;       /* the simulation */
    const Structure *bindings; /* parameters computed from others, NULL if none are */
    System          *sys;
    const bool *fast; /* by kept variable: of an infinitely fast process; NULL: none is */
    int        *start_var; /* candidates for x = start, most wanted first */
    int         starts;
    int        *prefix; /* candidates up to the end of each rank, ascending ... */
    int         ranks;  /* ... and how many ranks there are */
    int         rows, equations; /* of the simulation: come before those of the start */
    int         fixed;           /* candidates with fixed = true */
} Initial;

typedef struct InitialMatch { /* conditions and what each of them gives */
    Graph graph;           /* equations of the start, then one row for each candidate */
    int  *col_of, *row_of; /* -1: none */
    bool *wanted;          /* by variable: it is unknown */
} InitialMatch;

/* Is the variable an element with fixed = true? */
bool initial_fixed(const System *sys, int var);

/* ---- resting.c ---- */
/* Adds a row of the simulation that is another one at the start; false if it is not. */
bool resting_copy(const Initial *x, int row);

/* ---- surplus.c ---- */
/* Leaves out initial equations without unknown; false if something else has none. */
bool surplus_leave_out(Initial *x, const int *col_of);
/* The error that initial equations compete. */
void surplus_too_many(const Initial *x, const InitialMatch *m, int count, Arena *scratch);
/* Fixed start values that found no unknown, or are not the one that holds for a class of aliases:
 * each becomes a question at the start and a warning. False: two of them contradict each other. */
bool surplus_starts(Initial *x, const InitialMatch *m, Arena *scratch);

#endif
