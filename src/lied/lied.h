/* SPDX-License-Identifier: Apache-2.0 */
/* lied.h -- families of equal systems while they run.
 *
 *   batch.c  states of all instances, derivatives, explicit steps of fixed length
 *
 * An instance is a number: it has no object, no name and no values but its states and the parameters
 * in which it differs. State k of instance i is x[(i/LANES*states + k)*LANES + i%LANES]. */
#ifndef RUBATO_LIED_H
#define RUBATO_LIED_H

#include "code/code.h"
#include "ode/ode.h"

/* Derivatives of n instances; not 0: angles are too wide for it. */
typedef int BatchCode(long n, double time, const double *v, const double *q,
                      const double *x, double *dx);

/* to = x + h sum a[j] k_j, of n vectors of LANES. */
typedef void CombineCode(int n, int stages, const double *a, double h, const double *k,
                         const double *x, double *to);

typedef struct Batch {
    int64_t       count, chunks;
    int           states, knowns;
    BatchCode    *fast, *exact;
    CombineCode  *combine;
    const double *v; /* values of one instance, by variable: parameters that are equal */
    double       *x; /* chunks * states * LANES */
    double       *q; /* chunks * knowns * LANES: parameters that differ */
} Batch;

typedef struct BatchFault { /* the first instance that has no value */
    int64_t instance;       /* -1: none */
    double  time;
} BatchFault;

/* False: no memory. */
bool batch_open(Batch *batch, const BatchInfo *info, const double *v);
void batch_close(Batch *batch);
/* All instances get these values: states then known parameters. */
void batch_fill(Batch *batch, const double *x, const double *q);
/* States and differing parameters of one instance. */
void batch_put(Batch *batch, int64_t instance, const double *x, const double *q);
void batch_get(const Batch *batch, int64_t instance, double *x, double *q);
/* dx in the layout of x. */
void batch_rates(const Batch *batch, double time, double *dx, int threads);
/* steps of length h from time on by an explicit method. Chunk by chunk all of them, so that states
 * are read and written once. STATUS_NO_MEMORY, STATUS_NOT_FINITE and the fault. */
Status batch_advance(Batch *batch, const Method *method, double time, double h,
                     long steps, int threads, BatchFault *fault);
/* Evaluations of a step. */
int    batch_stages(const Method *method);
size_t batch_bytes(const Batch *batch);

#endif
