/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite.h -- private to dae: rows with kept variables in their slots (alias.c). */
#ifndef RUBATO_REWRITE_H
#define RUBATO_REWRITE_H

#include "dae/alias.h"

typedef struct Variant { /* a shape after signs and repetitions were put in */
    int shape;
    int first; /* its slots are known.order[first ...) of the old ones */
} Variant;

enum { SPARE_NONE = -1, SPARE_ALL = -2 };

typedef struct Rewrite {
    Structure *st;
    int       *mark, *at; /* by variable: row that met it last, slot there */
    int        stamp;
    int             *
        pattern; /* by slot: 2 * first slot with the same variable + (opposite), or -Constancy of a number */
    int            *kept;    /* slots with kept variables */
    int            *moved;   /* the same in the order of the variant */
    const int32_t **sizes;   /* of array slots, in that order */
    int      spared; /* slot of the next row that stays although it is a number, SPARE_ */
    uint32_t pattern_room, kept_room, moved_room, sizes_room;
    KnownShapes known;   /* shapes with patterns ... */
    Variant    *variant; /* ... and what each of them became */
    uint32_t    variant_room;
} Rewrite;

/* Between begin and end sys->vars must not change. */
void rewrite_begin(Rewrite *w, Structure *st);
void rewrite_end(Rewrite *w);
/* Adds a row; slot[] holds any variables, the row the kept ones. sizes[k] are
 * the (size, step) pairs of array slot k; NULL if the shape has no array slots. */
int rewrite_add(Rewrite *w, int shape, const int *slot, const int32_t *const *sizes,
                int source, int of);

#endif
