/* SPDX-License-Identifier: Apache-2.0 */
/* seen.h -- rows that lead from some expressions to time and states; private to this folder.
 *
 *   seen.c    crossings
 *   inputs.c  what continuous rows read that depends on time alone */
#ifndef RUBATO_LIVE_SEEN_H
#define RUBATO_LIVE_SEEN_H

#include "live/live.h"
#include "program/band.h"

enum {
    MOST_SLOTS = 64,   /* of a row */
    MOST_ROWS = 100,   /* that a relation sees */
    MOST_DEPTH = 100,  /* of rows that read rows */
    MOST_ALL = 100000, /* rows of all relations */
};

typedef enum { SEEN_GIVEN, SEEN_NUMBER, SEEN_STATE, SEEN_ROW } SeenKind;

typedef struct SeenSlot {
    SeenKind kind;
    int      at; /* variable, number, state, row of the same view */
} SeenSlot;

typedef struct SeenRow {
    int code, slot; /* slot k of the equation is Seen.slot[slot + k] */
} SeenRow;

typedef struct SeenView { /* of a relation */
    int row,
        rows; /* the last row is the relation itself, of which the root is not evaluated */
    int guard; /* the row, from the first one, that says where it is evaluated; -1: everywhere */
} SeenView;

typedef struct SeenInput { /* rows as of a relation, but that the last one is the input */
    int row, rows;
} SeenInput;

struct Seen {
    TermPool   pool;
    BandCode  *code;
    Map        code_of; /* term -> number + 1, -1: it has none */
    SeenRow   *row;
    SeenSlot  *slot;
    SeenView  *view;    /* by relation */
    uint8_t   *bounded; /* by relation: BoundKind */
    SeenInput *input;   /* of continuous rows, that depend on time alone */
    int        codes, rows, slots, longest, inputs, input_room;
    int        code_room, row_room, slot_room;
};

typedef struct Builder {
    const Program *program;
    const Part    *part;
    Seen          *seen;
    int           *item_of; /* by variable, -1 if no continuous row gives it */
    Map            row_of;  /* variable -> row of this view + 1 */
    int            first;   /* row of this view */
    int            degree[MOST_ROWS + 1], *work;
    bool           states, lacking;
} Builder;

/* Room for more items; false: no memory. */
bool seen_room(Builder *b, void **block, size_t size, int *room, int needed);
/* The term of an equation as a row of the view, after the rows that it reads; -1: it cannot be seen. */
int seen_row(Builder *b, int item, Term term, bool root, int depth);
/* Intervals of rows [first, first + count) of a view; root: of the last root, too. value: where those of
 * its operators are; degree: of rows on this piece (band_degree), then work by operator, or NULL; switches: they may
 * have a kink or a jump there, or NULL. False: they are not known. */
bool seen_run(Instance *instance, int first, int count, Range time,
              const double *const x[3], bool root, Band **value, int *degree,
              bool *switches);

/* ---- inputs.c ---- */
void inputs_find(Builder *builder);

#endif
