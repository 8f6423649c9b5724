/* SPDX-License-Identifier: Apache-2.0 */
/* spread.h -- private to api: one model over several processes. */
#ifndef RUBATO_SPREAD_H
#define RUBATO_SPREAD_H

#include "api/api.h"
#include "lin/lin.h"

/* Who has which state, and what of it others read. Lists of states are in ascending order. */
typedef struct Shares {
    int  states, parts, own; /* own: number of this process */
    int *owner;              /* by state */
    int *order, *first; /* states by owner; of each the first place in it, and one more */
    int *inside;
    int  insides; /* own states whose derivatives read own states only ... */
    int *border;
    int  borders; /* ... and the others */
    int *out,
        *in; /* halo: own states that others read, state of others that is read, ... */
    int   *out_first, *in_first; /* ... by process */
    double volume;               /* values that go over all borders for one evaluation */
    bool   by_graph; /* cut by the graph of the model, not by the places in arrays */
} Shares;

/* pattern: of df/dx. False: no memory, or the processes have lost each other. */
bool shares_make(Shares *c, const Program *p, RbLink *link);
void shares_free(Shares *c);

/* What couples the parts, see spread_seam.c. Zeroed: nothing, as for explicit methods. */
typedef struct Coupling {
    Seam     seam;
    Pattern *pattern; /* of own states ... */
    int     *entry;   /* ... and which entries of the pattern of all they are */
    int     *number;  /* parts of the seam ... */
    int     *row, *column;
    double  *value;
    Pattern  schur;
    int     *schur_start, *schur_row;
    int *
        from; /* by entry of the seam: that of the pattern of all, -1: another process has it */
    int    *out; /* entries of the pattern of all that others need ... */
    int    *in;  /* ... and of the seam that come from others, both by process */
    int     outs, ins;
    double *out_value, *in_value;
    RbSwap *swap;
    int     swaps;
    int    *read; /* states that rows at the border read */
    int     columns;
    double *all;  /* entries of the pattern of all: those of own rows are used */
    bool    wide; /* there are too many coupling states */
} Coupling;

/* False: no memory, or wide. */
bool coupling_make(Coupling *b, const Shares *c, const Pattern *whole);
void coupling_free(Coupling *b);
/* value: by entry of b->pattern. x: with the halo of the point. On all processes at once, with the same status. */
Status coupling_jacobian(Coupling *b, const Shares *c, RbLink *link, Instance *instance,
                         double t, const double *x, double *value, Fault *fault);

#endif
