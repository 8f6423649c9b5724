/* SPDX-License-Identifier: Apache-2.0 */
/* sim.h -- from the start of a simulation to its end: steps, events, results.
 *
 *   sim.c     the time loop
 *   stepper.c what integrates: our own methods or a library
 *   moment.c  one event: iteration to a fixed point, points before and after
 *   border.c  the model cannot go on: is a relation about to change?
 *   creep.c   events that follow each other without progress
 *
 * The loop knows a model only through the waist. Output points never shorten a step: they
 * are read from the dense output. */
#ifndef RUBATO_SIM_H
#define RUBATO_SIM_H

#include "event/event.h"
#include "rate/rate.h"

enum { SIM_RATES_AUTO = -1 };

typedef struct SimStatistics {
    OdeStatistics  ode;  /* over all levels                                           */
    RateStatistics rate; /* by level                                                  */
    int            levels;
    long events_time, events_state; /* events lived through                    */
    long event_rounds;              /* rounds of event iteration               */
    long crossing_rows;             /* crossings evaluated                     */
    long points;                    /* recorded                                */
    long projections;               /* of states to the model's invariants     */
} SimStatistics;

/* A point of the result. y holds the values of SimOptions.output. Not STATUS_OK ends the run; what is
 * known of the reason is put into *fault. */
typedef Status SimPoint(void *owner, double t, const double *x, const double *y,
                        Fault *fault);
/* Called after each step. False: end here. */
typedef bool SimProgress(void *owner, double t, const SimStatistics *statistics);

/* Called after each event. */
typedef void SimEvent(void *owner, double t, EventKind kind);

typedef enum { SOLVER_RK, SOLVER_CVODE, SOLVER_IDA, SOLVER_ARKODE } SimSolver;

typedef struct SimOptions {
    double     start, stop;
    bool       resumed; /* the model is in the midst of a run, at time `from`: no event of
                            the start                                                */
    double     from;
    double     interval; /* between output points; 0: only the ends and events      */
    SimSolver  solver;
    OdeOptions ode;
    int        rates; /* levels: 0, 1 single rate, N at most N, or SIM_RATES_AUTO   */
    const char *below[RATE_LEVELS - 1]; /* methods of the other levels, see rate.h    */
    int         threads; /* for clusters of states; results do not depend on it      */
    double      grain;   /* work that is worth waking them, see rate.h               */
    bool        global_events; /* with levels: events concern all states             */
    bool        check; /* with levels: parts are compared with the whole, see rate.h */
    void (*trace)(void *owner, const RateTrace *step); /* NULL: none                  */
    SimEvent    *event;    /* NULL: none                                              */
    Selection    output;   /* variables of the model that points want; zeroed: all  */
    SimPoint    *point;    /* NULL: nothing is recorded                               */
    SimPoint    *probe;    /* could this be recorded? NULL: everything can            */
    SimProgress *progress; /* NULL: none                                              */
    void        *owner;    /* passed to all                                           */
    long         most;     /* steps before giving up; 0: no limit                     */
    int          rounds;   /* of event iteration before giving up; 0: see event_rounds */
} SimOptions;

typedef struct SimOutcome {
    Status        status; /* STATUS_OK, STATUS_END, or what went wrong               */
    double        time;   /* reached                                                 */
    Fault         fault;  /* of a failure                                            */
    SimStatistics statistics;
} SimOutcome;

/* A simulation that goes on from call to call. x: room for model->nx states; holds the state
 * reached. Model, options and x must outlive it. */
typedef struct Simulation Simulation;
Simulation               *simulation_open(const Model *model, const SimOptions *options,
                                          double *x); /* NULL: no memory */
/* On to a time: the last step ends there. Not STATUS_OK: it has ended, for the reason that the
 * outcome tells. */
Status            simulation_advance(Simulation *simulation, double until);
const SimOutcome *simulation_outcome(const Simulation *simulation);
/* After a step whose points could not all be delivered: back to the last one that was, so that the state
 * is that of the end of the result. */
void simulation_withdraw(Simulation *simulation);
/* Values of the model were changed from outside: the next advance begins with an event. */
void simulation_disturb(Simulation *simulation);
void simulation_close(Simulation *simulation);

/* All of it at once. */
SimOutcome simulate(const Model *model, const SimOptions *options, double *x);

#endif
