/* SPDX-License-Identifier: Apache-2.0 */
/* run.h -- the state of one simulation; private to this folder. */
#ifndef RUBATO_RUN_H
#define RUBATO_RUN_H

#include "sim/sim.h"

typedef struct LocalEvent { /* that an integrator has handled inside its step */
    double t;
    int    crossing;
} LocalEvent;

typedef struct
    Stepper {       /* what integrates, and what happens inside its steps           */
    Integrator use; /* fn is NULL if the model has no states                           */
    Rate *rate;  /* the same if it is our own, for what others do not have; else NULL */
    Model plain; /* of rate: the model, without crossings that it does not look at   */
    bool  local; /* local events are its business                                 */
    LocalEvent *event; /* of the last step, by time                                 */
    int         events, event_room;
    bool        lost; /* an event could not be kept: no memory                          */
    const SimOptions *options;
    View  view; /* of a library                                                        */
    Fault none;
} Stepper;

typedef struct Creep { /* a window of events without progress, see creep.c              */
    double *x;         /* nx: states at its beginning                                   */
    double  since;     /* its beginning                                                 */
    int     events;    /* in it                                                         */
    double  rapid_since; /* the same whatever the states do                             */
    int     rapid;
} Creep;

typedef struct Ahead { /* crossings of time alone, see ahead.c                          */
    Crossings    crossings;
    CrossingWork work;
    Sign        *sign;  /* nz                                                          */
    int         *list;  /* nz: these crossings                                        */
    int          count; /* of them                                                     */
    Model        model; /* that has only them                                          */
    ModelFunctions fn;
    double until;  /* they are known up to here ...                               */
    bool   found;  /* ... where one of them changes                               */
    double usual;  /* length of steps, forgotten slowly                           */
    double smooth; /* inputs are known to have no kink up to here ...             */
    Range  kink;   /* ... where one is that steps end at, NAN: none               */
} Ahead;

typedef struct
    Looks {         /* steps longer than a delay see a part of themselves, see past.c */
    double error;   /* of what the last step saw, relative                            */
    double reach;   /* longest step for which that is small, 0: unknown               */
    double refused; /* length of one for which it was not, 0: none                    */
} Looks;

struct Simulation {
    const Model      *model;
    const SimOptions *options;
    Stepper           stepper;
    Crossings         crossings; /* without local ones, if the stepper looks at these  */
    CrossingWork      looking;   /* of crossings                                       */
    Sign             *sign;      /* nz: of crossings                                   */
    int              *list;      /* nz: of crossings, if they are not all              */
    Ahead             ahead;
    Chatter           chatter;
    Creep             creep;
    double           *x;          /* state at t                                         */
    double           *inside;     /* work: state inside a step                          */
    double           *y;          /* work: recorded variables                           */
    double            t;          /* reached                                            */
    double            last;       /* beginning of the last step                         */
    double            next_time;  /* next time event, HUGE_VAL if none                  */
    double            recorded;   /* time of the last point recorded ...                */
    double           *sure;       /* ... and the state there                            */
    bool              unrecorded; /* the step failed at a point to be recorded         */
    bool              unused;     /* the step was taken, not yet looked at to its end  */
    bool              careful;    /* also ends of steps must be fit to be recorded      */
    int    retreats; /* in a row: how many, and where the first of them went back to */
    double retreat_from;
    bool   fresh;    /* the next step is the first one after an event      */
    int    switched; /* first crossing of the last event, -1 if none       */
    double piece;    /* next of a step for the past of the model, 0: unknown */
    double usual;    /* piece far from events, 0: unknown                  */
    double noise;    /* error that shorter pieces do not make smaller      */
    Looks  looks;
    double share;        /* of an unusable step that is tried next             */
    long   output;       /* number of the next output point                    */
    long   rounds;       /* of event iteration                                 */
    bool   moved;        /* the state was brought back to invariants           */
    long   projections;  /* how often                                         */
    double until;        /* where this advance ends                           */
    long   steps;        /* taken so far                                      */
    Status ended;        /* STATUS_OK: it can go on                           */
    bool   disturbed;    /* something was changed from outside               */
    bool   begun, final; /* the event of the start, of the end, is over      */
    SimOutcome outcome;
};

/* stepper.c: as the functions of Rate */
Status stepper_new(Stepper *stepper, const Model *model, const SimOptions *options,
                   double t, const double *x);
void   stepper_free(Stepper *stepper);
bool   stepper_exists(const Stepper *stepper);
Status stepper_step(Stepper *stepper, double limit);
/* State inside the last step; the discrete values of the model become those of that time. */
Status stepper_dense(Stepper *stepper, double t, double *x);
Status stepper_restart(Stepper *stepper, double t, const double *x);
/* After a restart: see rate_slope. */
const double *stepper_slope(Stepper *stepper, double *moment);
/* Of a local crossing: see rate_side. */
int stepper_side(const Stepper *stepper, int crossing);
/* How far from invariants the state may drift before it is corrected, in tolerances. */
double stepper_drift(const Stepper *stepper);
/* The state at the end of the last step, changed within its error. */
Status stepper_correct(Stepper *stepper, const double *x);
void   stepper_cut(Stepper *stepper, double t); /* nothing happened after t */
void   stepper_settle(Stepper *stepper);        /* discrete values of the end again */
Status stepper_retreat(Stepper *stepper, double t, const double *x, double h);
/* The end of a step at an event: see IntegratorFunctions. */
bool          stepper_accurate(const Stepper *stepper);
Status        stepper_repeat(Stepper *stepper, double t, double *end);
void          stepper_slide(Stepper *stepper, double t);
double        stepper_time(const Stepper *stepper);
const double *stepper_state(const Stepper *stepper);
const Fault  *stepper_fault(const Stepper *stepper);
void          stepper_statistics(const Stepper *stepper, SimStatistics *out);

/* moment.c */
Status run_record(Simulation *run, double t, const double *x);
/* Is the point fit to be recorded? */
Status run_probe(Simulation *run, double t, const double *x);
/* The model at an event: rounds until nothing changes, then points and a fresh start. */
Status run_event(Simulation *run, EventKind kind);
/* The beginning of a run that goes on: nothing happens to the model. */
Status run_resume(Simulation *run);
/* Crossings as they are now: the beginning of the next step. */
Status run_crossings(Simulation *run);
Status run_fault(Simulation *run, Status status, const Fault *fault);

/* creep.c: notes a state event; true if a window of them has made no progress, as far as states
 * and time tell. */
bool creep_note(Simulation *run);

/* ahead.c: false: no memory */
bool   ahead_open(Simulation *run);
void   ahead_close(Simulation *run);
Status ahead_begin(Simulation *run); /* after an event */
/* Before a step up to a limit: next_time is the next event if it is near. */
Status ahead_look(Simulation *run, double limit);
double ahead_limit(const Simulation *run, double limit); /* how far is known */
double kink_limit(Simulation *run,
                  double      limit);   /* the next kink of an input before it */
bool   kink_pass(Simulation *run); /* a step has ended at it: on to behind it */

/* past.c: the step is kept by a model that looks back */
Status run_past(Simulation *run);
double past_limit(const Simulation *run, double limit); /* of a step for such a model */

/* border.c: the model cannot go on from the point reached with this status. Is that because a
 * relation is about to change? Then its event, else the status. */
Status run_border(Simulation *run, Status status);

#endif
