/* SPDX-License-Identifier: Apache-2.0 */
/* core.h -- the integrator's state, shared by the steppers and the driver in this folder.
 *
 * A stepper attempts one step of size h from (t, y): it fills ynew, err and the slopes k
 * and says whether that worked. It never changes t, y or the history; the driver judges,
 * accepts or repeats. */
#ifndef RUBATO_ODE_CORE_H
#define RUBATO_ODE_CORE_H

#include "ode/ode.h"

enum { PREDICTORS = 3, CANDIDATES = 6 };

typedef struct Newton { /* what is known of the iteration's speed                     */
    double eta;         /* contraction / (1 - contraction) of the last success, or 1   */
    double theta;       /* largest contraction measured in this step, 0 if none        */
    double rate;        /* contraction of the round before                             */
    double shrink;      /* after a failure: factor for the step, in (0, 1)             */
    int    iterations;  /* of the last step, summed over stages                        */
    double smooth;      /* iterations per step, smoothed                               */
} Newton;

struct Ode {
    View      *view;
    OdeOptions options;
    int        n;
    Method    *method;             /* running                                        */
    Method *candidate[CANDIDATES]; /* all that may run; [0] only, unless automatic    */
    int     candidates, current;
    bool    automatic;
    double *memory; /* one block for all vectors                                      */
    /* state */
    double  t, h;             /* now, proposal for the next step                        */
    double *y, *f;            /* n: state, slope at (t, y)                              */
    bool    f_valid, f_exact; /* exact: evaluated, not recovered from a stage          */
    double *y_last;           /* n: state at the beginning of the last step             */
    double  t_last, h_last;   /* last step, h_last = 0 if none                          */
    double *k, *k_last;       /* stages x n: attempt, last accepted step                */
    int     k_stages;         /* rows valid in k_last                                   */
    bool    history;          /* k_last may be extrapolated                             */
    bool    dense_ready;      /* extra stages or sweeps of the last step are done       */
    bool    dense_swept;      /* sweeps succeeded                                       */
    Method *dense_method;     /* that made the last step                                */
    const unsigned char
        *known; /* n: states that others give between steps: no sweeps, NULL none      */
    /* attempt */
    double *ynew, *fnew,
        *err; /* n                                                      */
    bool    fnew_valid, fnew_exact;
    double *z, *w2, *g; /* core x n: stage increments, transformed, slopes        */
    double *start;      /* n: known part of a stage                               */
    double *tmp;        /* 2 n: complex solves and the like                       */
    double *sweep;      /* METHOD_STAGES x n / 2: see dense output                */
    /* tolerances */
    double *weight; /* n: 1 / (atol + rtol |y|) at the beginning of the step  */
    double *atol;   /* n: absolute tolerances as asked for                    */
    double  rtol;   /* as asked for                                           */
    double rtol_now, scale_now; /* used: transformed for the running method             */
    double kappa;
    /* linear algebra */
    double *jac;
    bool   jac_valid, jac_current; /* current: taken at (t, y)                          */
    int    jac_age;                /* accepted steps since it was taken                 */
    bool   linear;                 /* the model promises a constant Jacobian            */
    Shift *shift;
    bool   lu_valid;
    double lu_h; /* step the factors belong to                                      */
    Method *lu_method;
    Newton  newton;
    double  theta_keep; /* contraction up to which the Jacobian is kept           */
    double  keep_zone;  /* growth up to which a fully implicit step is kept      */
    /* predictors of diagonally implicit stages */
    double score[METHOD_STAGES][PREDICTORS]; /* smoothed first corrections, 0 unknown   */
    int    tried[METHOD_STAGES];             /* predictor of this step                  */
    double first[METHOD_STAGES];             /* its first correction                    */
    /* driver */
    Control control;
    bool    first_step;
    bool    jumped;             /* restarted, and no step accepted since */
    double  h_behind;           /* what suits a first step behind a restart, 0 unknown */
    int     since_change;       /* accepted steps since the method changed              */
    int     target, start_with; /* candidates, see automatic.c                     */
    int     stiff, smooth, slow; /* signs counted                                  */
    int     signs, sides;        /* signs needed, changes of side so far           */
    double  stiffness; /* h times an estimate of the largest eigenvalue        */
    OdeStatistics stats;
    Fault         fault;
    OdeReview    *review; /* NULL: the norm of all errors                              */
    void         *owner;
};

/* out = base + scale sum_j c_j k_j over m rows of k. base may be NULL (zero) or out. */
void core_combine(int n, int m, const double *c, double scale, const double *k,
                  const double *base, double *out);
/* Root mean square of v weighted. */
double core_norm(int n, const double *v, const double *weight);
Status core_eval(Ode *o, double t, const double *x, double *dx);
/* Makes J and the factors fit a step h; reuse: factors of a nearby step will do. */
Status core_prepare(Ode *o, double h, double reuse);
void   core_refresh(Ode *o); /* asks for a new Jacobian before the next attempt */
/* Names the entry that is not finite. */
Status core_not_finite(Ode *o, double t, const double *v);
/* One convergence test: delta = size of the correction number `round` (from 0). */
typedef enum { NEWTON_GO_ON, NEWTON_DONE, NEWTON_FAILED } NewtonVerdict;
NewtonVerdict core_newton(Ode *o, int round, int most, double delta, double *before);

void   core_select(Ode *o, int candidate);
void   core_weights(Ode *o);
Status core_start_step(Ode *o);

Status step_explicit(Ode *o, double h);
Status step_dirk(Ode *o, double h);
Status step_rosenbrock(Ode *o, double h);
Status step_firk(Ode *o, double h);
void   dirk_accepted(Ode *o); /* remembers how well the predictors did */

bool automatic_candidates(Ode *o, const char **names, int *count);
void automatic_review(Ode *o);  /* after an accepted step     */
void automatic_trouble(Ode *o); /* after repeated failures    */

void   dense_polynomial(const Ode *o, double theta, double *x); /* of the last step */
Status dense_value(Ode *o, double t, double *x);
Status dense_glance(Ode *o, double t, double *x);
/* What the polynomial of the last step needs besides its stages; of the attempt under way. */
Status dense_prepare(Ode *o);
Status dense_attempt(Ode *o, double h);

#endif
