/* SPDX-License-Identifier: Apache-2.0 */
/* growth.h -- whether what moves in an infinitely fast block grows; private to this folder. */
#ifndef RUBATO_LIVE_GROWTH_H
#define RUBATO_LIVE_GROWTH_H

#include "lin/lin.h"

typedef struct Krylov Krylov;

typedef struct Growth {
    int            n;       /* unknowns of the block */
    const Pattern *pattern; /* of the matrices; NULL: all entries, by columns */
    double        *j, *r;   /* dr/dz and dr/dw at a point, as the pattern has them */
    double        *speed;   /* n: rates of what moves there */
    double         growth;  /* largest real part of the eigenvalues of A, see growth.c */
    double         size;    /* of A */
    double        *k, *a, *eigen; /* of a small block: matrices and work ... */
    int           *pivot;
    Krylov        *krylov; /* ... of a large one */
    int           *moving;
} Growth;

Growth *growth_new(int n, const Pattern *pattern); /* NULL: no memory */
void    growth_free(Growth *growth);
size_t  growth_entries(const Growth *growth); /* of j and of r */
/* Growth, size and speed of the unknowns of a level, from j, r and the residual there. Those of
 * lower levels (but 0: not fast) wait. False: it is not known. */
bool growth_find(Growth *growth, const int *level, int at, const double *residual);

#endif
