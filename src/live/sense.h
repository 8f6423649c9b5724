/* SPDX-License-Identifier: Apache-2.0 */
/* sense.h -- derivatives of a running model with respect to anything that is a Real number.
 *
 *   sense.c   directions at a point; sensitivities along a run */
#ifndef RUBATO_LIVE_SENSE_H
#define RUBATO_LIVE_SENSE_H

#include "live/live.h"

/* ---- at a point ---- */

/* Directions d[var*SENSE_WIDTH + k] of all variables, k < columns, from those of variables that nothing computes,
 * which are given there, at the values of the last evaluation. scope, dt, dm as in rb.def. False: a block has no
 * derivative here. */
bool sense_pass(Running *r, double *d, const double *dt, double *dm, int columns,
                int scope);
/* Can it be had? */
bool sense_possible(Instance *instance);
/* At (t, x): directions of all variables from those of n states or inputs, without seeds a column for each, SENSE_WIDTH
 * at most; else the sum of all times their seeds in column 0. In *d, which is made at first and is the caller's. False:
 * there are none. */
bool sense_at(Instance *instance, double t, const double *x, const int *var,
              const double *seed, int n, double **d);
/* Of a variable, aliases included, and of the derivative of a state. */
double sense_of(const Instance *instance, const double *d, int var, int k);
double sense_of_rate(const Instance *instance, const double *d, int state, int k);

/* ---- along a run ---- */

typedef struct SenseOf { /* a parameter, or the start value of a variable */
    int    var;
    double size; /* of its changes: sensitivities are integrated in units of it */
} SenseOf;

/* Before instance_bind; the instance tells it of its start and its events. NULL and why: there are none. */
Sense *sense_new(Instance *instance, const SenseOf *of, int n, const char **why);
void   sense_free(Sense *sense);
/* The model with (1 + n) nx states: those of the instance, then their sensitivities, parameter by parameter. */
Model *sense_model(Sense *sense);
/* d variable / d parameter k at a point of the run; NAN: there is none. Until the first step t and x do not matter. */
double      sense_value(Sense *sense, double t, const double *x, int var, int k);
const char *sense_why(const Sense *sense); /* it ended; NULL: it did not */

#endif
