/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h -- private to dae: what partition.c found out about clocks, for clock.c. */
#ifndef RUBATO_DAE_CLOCK_H
#define RUBATO_DAE_CLOCK_H

#include "dae/dae.h"

typedef struct ClockSaid { /* a clock that is given */
    int     sub;           /* a variable at first, then its sub-clock partition */
    uint8_t kind;          /* ClockKind */
    int64_t count, resolution;
    double  period;   /* PERIOD, or the first interval of a CONDITION */
    int     variable; /* CONDITION; RATIONAL, PERIOD: one that changes; else -1 */
    Pos     pos;
} ClockSaid;

typedef struct ClockStep { /* from one sub-clock partition to another of the same base */
    int     from, to;      /* variables at first, then sub-clock partitions */
    uint8_t op;            /* SUB_SAMPLE ... NO_CLOCK; CLOCK: the same with a solver */
    uint8_t numbers;       /* that are given */
    int64_t number[2];     /* factor; or counter and resolution */
    Str     method;        /* of CLOCK */
    Pos     pos;
} ClockStep;

typedef struct ClockFacts {
    System    *sys;
    Diag      *diag;
    ClockSaid *said;
    ClockStep *step;
    int        saids, steps;
    uint32_t   said_room, step_room;
    const int *sub_of; /* by variable */
    SubClock  *sub;    /* to be completed */
    BaseClock *base;
    int        subs, bases;
} ClockFacts;

/* Intervals and first ticks of all sub-clock partitions, and their solvers. False: reported. */
bool clocks_infer(ClockFacts *f);

#endif
