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

typedef struct
    MethodChoice { /* the methods that may run, and what speaks for another one  */
    const Method
        *candidate[CANDIDATES]; /* [0] only, unless automatic                        */
    int  candidates, current;   /* how many; which one runs                          */
    bool automatic;
    int  target, start_with; /* candidates, see automatic.c                          */
    int  since_change;       /* accepted steps since the method changed              */
    int  stiff, smooth, slow, kinks; /* signs counted                                */
    int  signs, sides; /* signs needed, changes of side so far                */
    int  refused; /* accepted steps for which attempts without values are remembered */
    bool kinked,
        left;        /* the Rosenbrock method took over beside kinks, was left for good */
    int    restarts; /* events since it took over                                   */
    double stiffness; /* h times an estimate of the largest eigenvalue                 */
} MethodChoice;

typedef struct
    LastStep { /* the last accepted step, as far as it is needed inside and after it */
    double        t, h;      /* its beginning; its length, 0 if there was none         */
    double       *y;         /* n: state at its beginning                              */
    double       *k;         /* stages x n: slopes                                     */
    int           stages;    /* rows valid in k                                        */
    double        share;     /* of h at which it ended: 1, unless it was cut           */
    bool          continued; /* the slopes may be extrapolated                         */
    const Method *method;    /* that made it                                           */
    bool          ready;     /* extra stages or sweeps of its dense output are done    */
    bool          swept;     /* sweeps succeeded                                       */
    const unsigned char *known; /* n: states that others give inside it; NULL: none     */
} LastStep;

typedef struct Attempt { /* the step under way                                         */
    double *y, *f, *err; /* n: result, slope there, estimated error                    */
    double *k;           /* stages x n: slopes                                         */
    bool    f_valid, f_exact; /* as in Ode                                              */
    bool    swept;            /* work.sweep has its dense output                        */
    bool    dense;            /* the extra stages of its dense output are in k          */
    bool    calm;             /* no input comes and goes in it: they were looked at     */
    double  end;              /* time inside it at which it is to end, NAN: at its own  */
} Attempt;

typedef struct Scratch {
    double *z, *w, *g; /* core x n: stage increments, transformed, slopes              */
    double *start;     /* n: known part of a stage                                     */
    double *tmp;       /* 2 n: complex solves and the like                             */
    double *sweep;     /* METHOD_STAGES x n / 2: see dense output                      */
} Scratch;

typedef struct Tolerances {
    double *weight; /* n: 1 / (atol + rtol |y|) at the beginning of the step           */
    double *atol;   /* n: absolute tolerances as asked for                             */
    double  rtol;   /* as asked for                                                    */
    double  rtol_now, looser; /* used: rtol for the running method, and rtol_now / rtol */
    double  kappa; /* share of the tolerance that Newton's iteration may leave        */
} Tolerances;

typedef struct Linear { /* Jacobian and factors, kept as long as they serve            */
    double *jac;        /* entries of the view's pattern, NULL: explicit methods only  */
    double *seam;       /* work: 2 values for each state that couples processes        */
    bool    jac_valid, jac_current; /* current: taken at (t, y)                         */
    int     jac_age;                /* accepted steps since it was taken                */
    bool    constant; /* the model promises a constant Jacobian                      */
    Shift  *shift;    /* NULL: explicit methods only                                 */
    bool    lu_valid;
    double  lu_h; /* step the factors belong to                                  */
    const Method *lu_method;
    double theta_keep; /* contraction up to which the Jacobian is kept                */
    double keep_zone;  /* growth up to which a fully implicit step is kept            */
} Linear;

typedef struct Predictors { /* start values of diagonally implicit stages               */
    double score[METHOD_STAGES][PREDICTORS]; /* smoothed first corrections, 0 unknown   */
    int    tried[METHOD_STAGES];             /* predictor of this step                  */
    double first[METHOD_STAGES];             /* its first correction                    */
} Predictors;

struct Ode {
    View      *view;
    OdeOptions options;
    int        n;
    int        all; /* states of all processes that share the model: n, if there is one */
    const Method
        *method; /* running                                                      */
    MethodChoice choice;
    double      *memory;         /* one block for all vectors                           */
    double       t, h;           /* now; proposal for the next step, 0: to be chosen    */
    double      *y, *f;          /* n: state, slope at (t, y)                           */
    bool       f_valid, f_exact; /* exact: evaluated, not recovered from a stage        */
    LastStep   last;
    Attempt    next;
    Scratch    work;
    Tolerances tol;
    Linear     lin;
    Newton     newton;
    Predictors predictor;
    Control    control;
    bool       first_step;
    bool       jumped;  /* restarted, and no step accepted since                       */
    double     h_after; /* what suits a first step after a restart, 0 unknown          */
    OdeStatistics stats;
    Fault         fault;
    OdeReview    *review; /* NULL: the norm of all errors                              */
    OdeRescue    *rescue; /* NULL: none                                                */
    void         *owner;
    Status        refused; /* by the review, STATUS_OK: not                             */
};

/* out = base + scale sum_j c_j k_j over m rows of k. base may be NULL (zero) or out. */
void core_combine(int n, int m, const double *c, double scale, const double *k,
                  const double *base, double *out);
/* Sums over all processes that share the model, if several do; the root of the mean of squares whose sum
 * here is given. */
void   core_total(const Ode *o, double *sum, int n);
double core_mean(const Ode *o, double sum);
double core_most(const Ode *o, double value); /* the largest of all processes */
/* The sum of the squares of v weighted, and the root of their mean over all states. */
double core_square(int n, const double *v, const double *weight);
double core_norm(const Ode *o, const double *v, const double *weight);
/* Weighted error of the attempt and the state that has the largest share. */
double core_judge(const Ode *o, int *worst);
Status core_eval(Ode *o, double t, const double *x, double *dx);
/* Makes J and the factors fit a step h; reuse: factors of a nearby step will do. */
Status core_prepare(Ode *o, double h, double reuse);
void   core_refresh(Ode *o); /* asks for a new Jacobian before the next attempt */
/* Names the entry that is not finite. */
Status core_not_finite(Ode *o, double t, const double *v);
/* One convergence test: delta = size of the correction number `round` (from 0). */
typedef enum { NEWTON_GO_ON, NEWTON_DONE, NEWTON_FAILED } NewtonVerdict;
NewtonVerdict core_newton(Ode *o, int round, int most, double delta, double *before);

/* Whatever the residual is, it cannot move the state by more than a share of the tolerance. */
bool confirm_harmless(const Ode *o, double h, const double *residual);
/* NEWTON_DONE: the residuals before and after the last correction, of size delta, say that the stage is
 * solved. */
NewtonVerdict confirm_verdict(const Ode *o, double h, double delta, const double *before,
                              const double *after);

void   core_select(Ode *o, int candidate);
void   core_weights(Ode *o);
Status core_start_step(Ode *o);

Status step_explicit(Ode *o, double h);
Status step_dirk(Ode *o, double h);
Status step_rosenbrock(Ode *o, double h);
Status step_firk(Ode *o, double h);
void   dirk_accepted(Ode *o); /* remembers how well the predictors did */

bool automatic_candidates(Ode *o, const char **names, int *count);
void automatic_review(Ode *o);    /* after an accepted step     */
void automatic_refused(Ode *o);   /* after an attempt without values */
void automatic_diverged(Ode *o);  /* the iteration failed with a new Jacobian */
void automatic_restarted(Ode *o); /* at an event */
void automatic_trouble(Ode *o);   /* after repeated failures    */

void   dense_polynomial(const Ode *o, double theta, double *x); /* of the last step */
Status dense_value(Ode *o, double t, double *x);
/* What the polynomial of the last step needs besides its stages; of the attempt under way. */
Status dense_prepare(Ode *o);
Status dense_attempt(Ode *o, double h);
/* Sweeps of the attempt, kept for the step if it is accepted; *left: the largest of the last
 * corrections, in tolerances. False: they do not shrink. */
bool dense_sweep_attempt(Ode *o, double h, double *left);

/* Errors inside the attempt join those at its end. A status: the model refuses; nothing is added. */
Status defect_add(Ode *o, double h);
/* The estimated error of the polynomial of the attempt at a share of it, n values. */
Status defect_at(Ode *o, double h, double theta, double *e);
void   defect_prepare(Method *m); /* the last thing that is done to one */

#endif
