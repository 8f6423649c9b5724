/* SPDX-License-Identifier: Apache-2.0 */
/* tangent.h -- what the files that write derivatives share; private to gen.
 *
 *   tangent.c  directions of all variables, W at a time
 *   matrix.c   matrices of torn blocks, entry by entry */
#ifndef RUBATO_GEN_TANGENT_H
#define RUBATO_GEN_TANGENT_H

#include "gen/emitter.h"

typedef struct Writer {
    Emitter  e;
    uint8_t *moves;  /* by variable: depends on a state */
    uint8_t *wanted; /* by block: a derivative of a state depends on it */
    Term    *root;   /* terms written, for the functions they call */
    int      roots;
    uint32_t root_room;
    /* the kernel being written */
    Term *seed;  /* by slot: its direction, 0 if it has none */
    int   seeds; /* slots */
    int   room;  /* of seed */
    int   block; /* of the structure, if inside a torn block; else -1 */
    int   few;   /* more directions than this and calls: one column after the other */
    bool  all;   /* directions of everything, not of states alone */
    Term  clock; /* all: direction of the time; else 0 */
} Writer;

/* ---- tangent.c ---- */
bool writer_is_real(const Structure *st, int var);
/* Room for the seeds of a kernel, all 0. */
void writer_seeds(Writer *w, int slots);
/* Derivative of the value of the kernel along the seeds; without one the program is refused. */
Term writer_direction(Writer *w, Term value, const Term *seed);
/* The statement `const double g[] = {...}`. */
void writer_factors(Writer *w, const Term *part, int parts, int indent);

/* ---- matrix.c ---- */
/* m<g>(c, i, a): a[k n + r] = dr_r/dz_k. False: the block keeps to directions, nothing is written. */
bool matrix_text(Writer *w, int group);

#endif
