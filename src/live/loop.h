/* SPDX-License-Identifier: Apache-2.0 */
/* loop.h -- torn blocks while they run; private to this folder.
 *
 *   loop.c   one block: its solver, linear blocks, the report of a failure
 *   modes.c  blocks whose relations depend on their own unknowns
 *   fast.c   blocks with infinitely fast states; growth.c: their eigenvalues
 *   redundant.c  equations that say the same twice
 *   branch.c  on which of several branches a block goes on
 *   approach.c  from the last solution of a block to one with far inputs */
#ifndef RUBATO_LIVE_LOOP_H
#define RUBATO_LIVE_LOOP_H

#include "init/init.h"
#include "live/live.h"

typedef struct Fast     Fast;
typedef struct Approach Approach;
typedef struct Branch   Branch;

typedef struct
    Input { /* what a block reads of others: a state, or an unknown of an earlier block */
    int var, state; /* state -1: none */
} Input;

typedef struct Openings { /* of a row */
    int    times;  /* that its solution left something open, -1: at one it did not */
    double last;   /* time of a solution ... */
    bool   solved; /* ... if there was one; something was open in one at that time */
    bool   open;
} Openings;

typedef struct Loop { /* one loop group of a plan; rows take turns */
    Running     *running;
    Rb          *c;
    int          number; /* of the group */
    const Group *group;
    Residual    *residual;
    Solver      *solver;
    int          n, row;
    double      *z, *start, *r, *trial, *step; /* n each */
    double      *at;      /* n: where the residual was evaluated last ... */
    bool         placed;  /* ... in this solution */
    double      *nominal; /* count x n */
    double      *matrix;  /* n x n by columns; NULL until it is needed */
    int         *pivot;
    double *
        anchor; /* count x n: the solution at the last event or recorded point, and by row ... */
    bool       *open;     /* ... whether the equations left a direction open since */
    Openings   *openings; /* by row, of a block that is not linear */
    double     *seen;     /* by row: time of the last solution */
    double     *given;    /* count x n, if the matrix of a linear block lasts: r(0) ... */
    double     *solved;   /* ... and the solution that belongs to it; r(0) NAN: none */
    SolveReport report;   /* of the last solution */
    bool        integers; /* an iteration variable is an Integer */
    bool  inconsistent; /* it failed: its relations contradict each of their solutions */
    Fast *fast;         /* of a block with infinitely fast states, else NULL */
    Approach *approach; /* of a nonlinear block, else NULL */
    Branch   *branch;   /* by row, of the same */
    bool      kinks;    /* its equations have branches, with or without events */
} Loop;

/* The loop of a group, for one of its rows and the code that runs now; NULL: no memory. */
Loop *loop_of(Running *running, int group, int row);
/* Residuals at z; other unknowns of the block follow. False if they have no value. */
bool loop_residual(Loop *loop, const double *z, double *r);
/* A solution with the relations that are held, near loop->z, which it replaces. */
Status loop_held(Loop *loop);
/* The same by Newton's method and what stands after it; relations may be live. */
Status loop_newton(Loop *loop);
/* dr/dz at z as Newton's method asks for it. */
bool loop_derivatives(Loop *loop, const double *z, double *value);

/* ---- fast.c ---- */
bool fast_open(Loop *loop); /* false: no memory */
void fast_close(Loop *loop);
/* The rates that belong to z, and z without what is held; what moves together with it. */
const double *fast_place(Loop *loop, const double *z);
const Slopes *fast_slopes(Loop *loop);
/* Is the point of the last derivatives one that Newton's method may pass? */
bool        fast_passes(Loop *loop, const double *value);
Status      fast_solve(Loop *loop);
FastFailure fast_why(const Loop *loop); /* it failed */

/* ---- approach.c ---- */
bool approach_open(Loop *loop); /* false: no memory */
void approach_close(Loop *loop);
/* The solution just found and the inputs that belong to it are the last ones. */
void approach_note(Loop *loop);
/* The last solution; NULL: there is none. */
const double *approach_last(const Loop *loop);
/* The solution in loop->z, which the ladder of methods did not find, between events. */
Status approach(Loop *loop);
/* What a row of a block of the run reads of others; more than `most`: it is not listed. */
int    loop_inputs(const Loop *loop, int row, Input *input, int most);
double loop_input(const Loop *loop, const Input *input);

/* ---- branch.c ---- */
bool branch_open(Loop *loop); /* false: no memory */
void branch_close(Loop *loop);
/* After a solution: on the branch of the one before, if they crossed in between. False: the residual at it has
 * no value. */
bool branch_keep(Loop *loop, double tolerance);

/* ---- redundant.c ---- */
/* After a solution: do equations say the same twice? */
void redundant_look(Loop *loop);

/* Relations that depend on the unknowns settle together with them. */
Status modes_solve(Loop *loop);
void   modes_free(struct Modes *modes);

#endif
