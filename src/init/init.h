/* SPDX-License-Identifier: Apache-2.0 */
/* init.h -- systems of equations r(u) = 0: initial values and algebraic loops.
 *
 *   solver.c  the ladder of methods and the report
 *   newton.c  Newton's method, damped Newton steps, homotopy, the regularised flow
 *   quasi.c   corrections with factors that are at hand
 *   beside.c  another solution near a known one
 *   curve.c   the curve r(u) = mu r(u0), also where mu turns back
 *   pseudo.c  a motion in pseudo time that ends at a solution
 *
 * The ladder goes from cheap to robust: Newton's method, damped Newton, homotopy if the
 * equations offer one, the curve of shrinking residuals, a regularised flow, and pseudo-transient
 * continuation. What failed is
 * explained by the report: where the iteration stood, which equations were worst, which
 * unknown moved most or has no influence. */
#ifndef RUBATO_INIT_H
#define RUBATO_INIT_H

#include "lin/lin.h"

typedef struct Equations { /* a square system                                          */
    int            n;
    const Pattern *pattern; /* of dr/du; NULL: dense                                    */
    const double  *nominal; /* n typical magnitudes of u; NULL: 1                       */
    bool           homotopy; /* the residual depends on lambda: 0 simple, 1 real        */
    /* STATUS_RETRY: cannot be evaluated here, a shorter step may help. */
    Status (*residual)(void *owner, const double *u, double lambda, double *r,
                       Fault *fault);
    /* Entries of the pattern, by columns. NULL, or STATUS_ABSENT: by differences. */
    Status (*jacobian)(void *owner, const double *u, double lambda, double *value,
                       Fault *fault);
    void *owner;
    /* Rows whose factors can be kept for their next solution. 0: every step has its own Jacobian. */
    int slots;
} Equations;

typedef enum {
    RUNG_NEWTON,
    RUNG_DAMPED,
    RUNG_HOMOTOPY,
    RUNG_CURVE,
    RUNG_FLOW,
    RUNG_PSEUDO,
    RUNG_COUNT
} Rung;

enum { REPORT_WORST = 3 };

typedef struct SolveReport {
    Rung   rung;       /* that succeeded, or the last one tried                         */
    int    iterations; /* Newton steps over all rungs                                   */
    long   residuals, jacobians, factorizations;
    double correction; /* size of the last correction, in units of the tolerance        */
    int    worst[REPORT_WORST]; /* equations with the largest scaled residuals, -1 none */
    double residual[REPORT_WORST]; /* their residuals, unscaled                         */
    int    moved;    /* unknown with the largest last correction, -1 if none          */
    int    singular; /* unknown that the equations do not determine there, -1 if none */
    bool   open;     /* at the solution they leave a direction open                   */
    double lambda;   /* reached by the homotopy                                       */
    Fault  fault;    /* of the last evaluation that failed                            */
} SolveReport;

typedef struct Solver Solver;

/* NULL: no memory. The equations are copied, what they point to must live on. */
Solver *solver_new(const Equations *equations);
void    solver_free(Solver *solver);
/* From u to a solution near it. Converged: the correction is below
 * tolerance (nominal + |u|) in every unknown. u is unchanged on failure. */
Status solver_solve(Solver *solver, double tolerance, double *u, SolveReport *report);
/* The same by damped Newton steps alone, `most` of them. */
Status solver_damped(Solver *solver, double tolerance, double *u, int most,
                     SolveReport *report);
/* Sign of det(-J) at the last solution, 0 if it is not known. */
int solver_side(const Solver *solver);
/* Is that the sign at points on both sides of the solution u, too? It may be on a kink. */
bool solver_agrees(Solver *solver, const double *u, int side, SolveReport *report);
/* From a solution u to another one near it at which the sign is `side`; u is unchanged if none is found. */
Status solver_beside(Solver *solver, double tolerance, int side, double *u,
                     SolveReport *report);
/* step = -J(u)^-1 r for any r. */
Status solver_direction(Solver *solver, const double *u, const double *r, double *step,
                        SolveReport *report);
/* Where the last solution or failure was found. */
const double *solver_point(const Solver *solver);
/* Nothing of the last solution, such as the order of pivots, is to show in the next. */
void solver_forget(Solver *solver);
/* What is solved from now on: equations number `row` of several that share this solver, with their
 * typical magnitudes. Factors of the row serve again if they were kept under the same stamp;
 * stamp 0: none is used, none is kept. */
void        solver_turn(Solver *solver, int row, long stamp, const double *nominal);
const char *rung_name(Rung rung);

#endif
