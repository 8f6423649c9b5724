/* SPDX-License-Identifier: Apache-2.0 */
/* problems.h -- the initial value problems of the integrator benchmarks and tests. */
#ifndef RUBATO_BENCH_ODE_PROBLEMS_H
#define RUBATO_BENCH_ODE_PROBLEMS_H

#include "ode/ode.h"

typedef enum { TRUTH_EXACT, TRUTH_PUBLISHED, TRUTH_COMPUTED } Truth;

typedef struct Problem {
    const char   *name;
    const char   *what;
    Model         model;
    double        t0, t1;
    double        pause; /* a jump of the right-hand side: all solvers restart; 0 none */
    const double *x0;    /* nx                                                      */
    const double *reference; /* nx values at t1; NULL for TRUTH_COMPUTED                */
    Truth         truth;
    double        floor; /* errors count relative to |reference| + floor            */
    double        atol;  /* absolute tolerance / rtol                               */
    double        atol_fixed; /* or the same for all tolerances, 0 if none              */
    bool          stiff;
} Problem;

/* All problems; *count of them. Freed by problems_free. NULL: no memory. */
Problem *problems_new(int *count);
void     problems_free(Problem *problems, int count);

#endif
