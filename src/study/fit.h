/* SPDX-License-Identifier: Apache-2.0 */
/* fit.h -- private to study: parameters out of measurements.
 *
 *   fit.c        least squares, intervals
 *   fit_kinsol.c the same by KINSOL
 *   fit_runs.c   the measurements, simulations with other values on threads */
#ifndef RUBATO_STUDY_FIT_H
#define RUBATO_STUDY_FIT_H

#include "study/study.h"

typedef struct FitParameter {
    const char *name;
    double      start, low, high; /* infinite: no bound */
} FitParameter;

typedef struct FitRun {     /* a simulation with some values */
    double  *value;         /* parameters */
    double  *y;             /* [columns][points] */
    int      sense, senses; /* sensitivities with respect to these parameters go along */
    RbStatus status;
    RbError  error;
} FitRun;

typedef struct Fit {
    RbFit public;
    Memory          *memory;
    Arena            arena;
    Session          session;
    const RbFitPlan *plan;
    RbProgram       *program;
    RbOptions        options;
    int              parameters, columns, points;
    FitParameter    *parameter;
    const char     **name;            /* by parameter */
    char             why[200];        /* there are no sensitivities; empty: there are */
    double          *time, *measured; /* points; [columns][points], NaN: nothing */
    const char     **column;
    Formula        **formula; /* by column */
    size_t           size;    /* columns * points */
    long            *counted; /* by column: measurements */
    double          *noise;   /* by column */
    double          *value, *step, *gradient, *normal, *work;
    double          *residual, *other, *slope; /* size; slope: [parameters][size] */
    bool            *held;
    FitRun          *run; /* 1 + parameters */
    bool        exact; /* derivatives are integrated along, else runs are differenced */
    RbFitted   *fitted;
    int         iterations;
    bool        converged;
    atomic_long simulations;
} Fit;

/* Simulations of runs first .. first + count. */
void fit_simulate(Fit *fit, int first, int count);
/* slope[k][...] = dy/dp at the present values, whose run is the first, by sensitivities. Not RB_OK: they cannot be
 * had, and run[0].error tells why. */
RbStatus fit_sense(Fit *fit);
RbStatus fit_run(Fit *fit, RbError *error);
/* Residuals, J'r and J'J at the present values. */
RbStatus fit_look(Fit *fit, RbError *error);
/* From the present values to the nearest minimum. */
RbStatus fit_kinsol(Fit *fit, RbError *error);

#endif
