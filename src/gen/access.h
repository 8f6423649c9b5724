/* SPDX-License-Identifier: Apache-2.0 */
/* access.h -- private to gen: array slots as C text, once their first element has a place. */
#ifndef RUBATO_ACCESS_H
#define RUBATO_ACCESS_H

#include "gen/gen.h"

typedef struct Sizes {   /* of an array slot */
    const int32_t *size; /* (size, step) by dimension; NULL if rank is 0 */
    int            rank;
    Pos            pos; /* of the equation, for faults */
} Sizes;

/* What is to be added to the place of the first element; subscripts are checked. */
void access_subscripts(const Sizes *sizes, const Text *subscript, int rank, Text *out);
void access_size(const Sizes *sizes, int dimension, Text *out);
/* ", rank, {sizes}, {steps}", each step after a factor. */
void access_extent(const Sizes *sizes, const char *factor, Text *out);
/* t<temp> := the array at "place" with its extent, whose text is freed. */
void access_gather(int temp, Text *array, Text *out);

#endif
