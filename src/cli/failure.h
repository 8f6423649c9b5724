/* SPDX-License-Identifier: Apache-2.0 */
/* failure.h -- a failed run in words. */
#ifndef RUBATO_FAILURE_H
#define RUBATO_FAILURE_H

#include "live/live.h"

typedef struct Failure {
    Status        status;
    double        time; /* reached                                                     */
    Fault         fault;
    const double *x; /* the last good state, NULL if the run did not begin           */
} Failure;

/* Reports it: one error and notes about where, why and what to try. */
void failure_explain(Diag *diag, Instance *instance, const Failure *failure);

#endif
