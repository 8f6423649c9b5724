/* SPDX-License-Identifier: Apache-2.0 */
/* spread.h -- private to api: one model over several processes. */
#ifndef RUBATO_SPREAD_H
#define RUBATO_SPREAD_H

#include "api/api.h"

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

#endif
