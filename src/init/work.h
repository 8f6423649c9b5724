/* SPDX-License-Identifier: Apache-2.0 */
/* work.h -- the state of a solver; private to this folder. */
#ifndef RUBATO_INIT_WORK_H
#define RUBATO_INIT_WORK_H

#include "init/init.h"

/* What is left of a correction at a solution, in units of the tolerance. */
static const double solver_rest = 1e-4;

typedef struct Kept { /* whose factors are in a slot                                  */
    int    row;
    long   stamp;   /* 0: nobody's                                                      */
    double slowest; /* contraction that they have shown                                 */
} Kept;

struct Solver {
    Equations      e;
    const Pattern *pattern; /* of the Jacobian                                         */
    Pattern       *own;     /* if the equations gave none                              */
    Colouring      colouring;
    Shift         *shift; /* factors of -J                                           */
    int            slot;  /* where the factors of the present row are                */
    Kept           turn, *kept; /* the present row; by slot                             */
    double        *quasi; /* QUASI_STEPS + 1 corrections, if factors are kept        */
    double        *value; /* entries of J                                            */
    double        *u, *trial, *best; /* points                                          */
    double        *r, *rt; /* residuals there                                         */
    double        *step, *next; /* corrections                                          */
    double        *row; /* scale of each equation                                  */
    double        *square, *square_copy; /* n x n, only for the flow                    */
    int           *pivot;
    double        *least; /* work of least squares, only with them                      */
    double         tolerance;
    double         lambda;
    SolveReport   *report;
};

Status solver_residual(Solver *s, const double *u, double *r);
/* J at s->u, its factors, and the scales of the rows; s->r holds r(u). */
Status solver_linearise(Solver *s);
/* Size of a correction at u: largest share of what the tolerance allows. */
double solver_size(const Solver *s, const double *step, const double *u);

/* Typical magnitude of unknown i near s->u. */
double solver_unit(const Solver *s, int i);

/* d = -J^-1 r with the factors at hand. */
void solver_correction(Solver *s, const double *r, double *d);
/* to = from + factor d. */
void solver_move(const Solver *s, const double *from, double factor, const double *d,
                 double *to);

/* quasi.c: from s->u with s->r = r(u) and the correction s->step there, by factors of the Jacobian at u
 * (`fresh`) or of one near by. Not *done: s->u is where it no longer contracted, with s->r; fresh factors have
 * then led at least one step further. */
enum { QUASI_STEPS = 8 };
Status newton_quasi(Solver *s, bool fresh, bool *done);

/* newton.c: from s->u; STATUS_OK leaves the solution there */
Status newton_plain(Solver *s, int most);
Status newton_damped(Solver *s, int most);
Status newton_homotopy(Solver *s);
Status newton_curve(Solver *s, int most); /* curve.c */
Status newton_flow(Solver *s, int most);
Status newton_pseudo(Solver *s, int most); /* pseudo.c */

#endif
