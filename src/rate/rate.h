/* SPDX-License-Identifier: Apache-2.0 */
/* rate.h -- every state at its own tempo.
 *
 *   select.c     a set of states made ready to integrate, kept in a bounded cache
 *   reach.c      what a set of states touches, changed state by state
 *   work.c       what steps cost, counted; the ledger of what several rates saved
 *   partition.c  natural steps per state, the choice of the large step and the fast set
 *   refine.c     the judgement of an attempt, and the fast set that follows from it
 *   cluster.c    the fast set as clusters: split, run on threads, meet, apply
 *   inner.c      one cluster in small steps
 *   pool.c       threads that wait for tasks
 *   store.c      the small steps of the last large one, for output between steps
 *   timeline.c   what they say of a time
 *   watch.c      slow states beside fast ones: their defect, and when they must join
 *   event.c      crossings by cone: only what active states touch is looked at
 *   find.c       the events of a group in its last step, and their times
 *   aside.c      what events did in a step that may be taken back, and in each cluster
 *   rate.c       the integrator: steps, output, statistics
 *
 * A large step is taken with all states; those whose natural step is much smaller rest in
 * it. The fast ones are then integrated again over the same interval with small steps,
 * reading slow neighbours from the large step's polynomial; this is applied to the fast set
 * again, up to the number of levels. Single rate is the case of one level. The algorithm
 * and its limits are explained in docs/multirate.md. */
#ifndef RUBATO_RATE_H
#define RUBATO_RATE_H

#include "ode/ode.h"

enum {
    RATE_LEVELS = 4,
    RATE_FIXED = 8 /* with constant steps: ratio between the steps of two levels */
};

/* ---- rate.c ------------------------------------------------------------------------ */

typedef struct
    RateTrace {       /* one accepted step, told while running                        */
    int        level; /* 0: the largest steps                                         */
    double     t, h;
    int        count; /* states that took it                                          */
    const int *state; /* their numbers, NULL: all                                     */
    int        order; /* of the method                                                */
    int        worst; /* state with the largest share of the error, -1: not estimated */
} RateTrace;

typedef struct
    RateOptions {   /* a zeroed RateOptions means the defaults                    */
    OdeOptions ode; /* tolerances of all levels, method of the first              */
    const char
          *below[RATE_LEVELS - 1]; /* methods of the other levels, NULL: as above it */
    int    rates;    /* levels: 0 chosen while running, 1 single rate, N at most N */
    int    threads;  /* for clusters, if the model has twins; the results do not
                            depend on it */
    double grain;    /* state-steps of a large step worth waking threads; 0: 2000 */
    bool   check;    /* every inner evaluation is compared with one of all rows     */
    bool   anew;     /* for tests: selections are never derived from others       */
    bool   no_cones; /* events: look at all crossings and restart everything      */
    /* For tests: the fast set of a step that starts at t, instead of the chosen one; state:
     * the n states of the level, ascending. It may be asked on any thread. */
    void (*partition)(void *owner, int level, double t, int n, const int *state,
                      unsigned char *fast);
    double interval; /* simulated as a whole, 0: not known */
    void (*trace)(void *owner, const RateTrace *step);
    /* Told after every event with its time and the crossings that caused it. */
    void (*event)(void *owner, double t, const Selection *which);
    void *owner;
} RateOptions;

typedef struct RateStatistics {
    OdeStatistics total;              /* over all levels                              */
    long          steps[RATE_LEVELS]; /* accepted, by level                           */
    long          state_steps[RATE_LEVELS];
    long          rhs_rows[RATE_LEVELS]; /* rows of derivatives evaluated, by level  */
    long          clusters;   /* fast sets integrated on their own                    */
    long          coupled;    /* slow states taken along because of their coupling     */
    long          joined;     /* slow states that became fast within a step           */
    long          redone;     /* steps repeated because a slow state saw too much     */
    long          selections; /* built                                                */
    long          derived;    /* of these, from a kept selection that differs a little  */
    long          visits;     /* entries of the pattern looked at to build selections  */
    long          cache_hits; /* found in the cache                                   */
    long active[16]; /* refinements by number of rows: bin k holds 2^k .. 2^(k+1) - 1 */
    long events;
    long event_rounds;  /* rounds of event iteration, also of steps taken back */
    long crossing_rows; /* crossings evaluated                               */
    long mismatches;    /* check: values that differed                       */
} RateStatistics;

typedef struct Rate Rate;

/* Are local events found and handled by the integrator, by cone? The others then are the caller's
 * business. */
bool rate_local_events(const Model *model, const RateOptions *options);

/* Starts at (t, x). The model must outlive the result. */
Rate *rate_new(const Model *model, const RateOptions *options, double t, const double *x,
               Status *status);
void  rate_free(Rate *rate);
/* One step of the first level, of at most up to limit. */
Status rate_step(Rate *rate, double limit);
/* The state jumped or its equations changed; x may be NULL: unchanged. */
Status rate_restart(Rate *rate, double t, const double *x);
/* A correction of the state within its error: the integration goes on from there. */
void rate_correct(Rate *rate, const double *x);
/* Takes back what lies after (t, x); the next step is at most h long. */
Status rate_retreat(Rate *rate, double t, const double *x, double h);
/* Steps until t >= to; with stop, the last ends at to exactly. */
Status rate_advance(Rate *rate, double to, bool stop);
/* The state anywhere inside the last step of the first level, every state as accurate as
 * the level that integrated it. */
Status rate_dense(Rate *rate, double t, double *x);
/* To end the last step at an event inside it, see IntegratorFunctions. */
bool   rate_accurate(const Rate *rate);
Status rate_repeat(Rate *rate, double t, double *end);
void   rate_slide(Rate *rate, double t);
/* Slope at rate_time, and a time so short that the state is on the line along it, see ode_moment;
 * NULL: not known. */
const double *rate_slope(Rate *rate, double *moment);
/* The side of zero on which a local crossing was seen last, 1 or -1; 0: none are looked at here. */
int rate_side(const Rate *rate, int crossing);
/* The same behind the interface of all integrators; it takes over the levels. */
Integrator     rate_integrator(Rate *rate);
int            rate_levels(const Rate *rate); /* at most */
double         rate_time(const Rate *rate);
double         rate_time_last(const Rate *rate);
const double  *rate_state(const Rate *rate);
const Fault   *rate_fault(const Rate *rate);
const char    *rate_method(const Rate *rate); /* of the first level, running now */
RateStatistics rate_statistics(const Rate *rate);

#endif
