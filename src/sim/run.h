/* SPDX-License-Identifier: Apache-2.0 */
/* run.h -- the state of one simulation; private to this folder. */
#ifndef RUBATO_RUN_H
#define RUBATO_RUN_H

#include "sim/sim.h"

typedef struct Run {
    const Model      *model;
    const SimOptions *options;
    Model             plain; /* the model without crossings: those are looked at here */
    Rate             *rate;  /* NULL if the model has no state                     */
    Crossings         crossings;
    Chatter           chatter;
    double           *x;         /* state at t                                         */
    double           *inside;    /* work: state inside a step                          */
    double           *y;         /* work: recorded variables                           */
    double            t;         /* reached                                            */
    double            last;      /* beginning of the last step                         */
    double            next_time; /* next time event, HUGE_VAL if none                  */
    double            recorded;  /* time of the last point recorded                    */
    bool              fresh;     /* the next step is the first one behind an event     */
    long              output;    /* number of the next output point                    */
    SimOutcome        outcome;
} Run;

/* moment.c */
Status run_record(Run *run, double t, const double *x);
/* The model at an event: rounds until nothing changes, then points and a fresh start. */
Status run_event(Run *run, EventKind kind);
Status run_fault(Run *run, Status status, const Fault *fault);

#endif
