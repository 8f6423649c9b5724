/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h -- clocked partitions: which clocks there are, and when they tick.
 *
 * A base clock partition is a part of the program that ticks by one clock; its sub-clock
 * partitions tick at every `every`-th of its ticks, the first time at tick `offset`. Ticks are
 * counted, and the time of a tick is computed from its number, so that no tick is ever lost or
 * doubled by rounding: time = begin + number * count / resolution.
 *
 * Equations of a sub-clock partition run in two phases. The first takes in what comes from
 * other partitions and advances the states of a discretised one by a step, the second is all
 * the rest; a solver that looks at points inside a step repeats the second alone. */
#ifndef RUBATO_CLOCK_H
#define RUBATO_CLOCK_H

#include "base/base.h"

typedef enum {
    BASE_RATIONAL, /* every count/resolution seconds */
    BASE_REAL,     /* every `period * count/resolution` seconds */
    BASE_VARIES, /* after counter/resolution seconds, as the partition says at its ticks */
    BASE_EVENT   /* when a condition becomes true */
} BaseKind;

typedef enum { /* how a discretised partition advances its states */
               SOLVER_NONE,
               SOLVER_EXPLICIT_EULER,
               SOLVER_EXPLICIT_MIDPOINT,
               SOLVER_RUNGE_KUTTA4,
               SOLVER_IMPLICIT_EULER,
               SOLVER_IMPLICIT_TRAPEZOID,
               SOLVER_SEMI_IMPLICIT_EULER,
               SOLVER_EXTERNAL,
               SOLVER_METHODS
} SolverMethod;

extern const char *const solver_method_name[SOLVER_METHODS];

typedef struct BaseClock {
    int     kind;              /* BaseKind */
    int     first, subs;       /* sub-clock partitions first ... first + subs - 1 */
    int     variable;          /* EVENT: the condition; VARIES: the counter; else -1 */
    int     starts;            /* it has a part for the first tick */
    int     part;              /* of the program; the one after it is for first ticks */
    int64_t count, resolution; /* of the interval between two ticks */
    double  period; /* REAL: the unit of the interval; EVENT: the first interval */
} BaseClock;

typedef struct SubClock {
    int base;
    int method; /* SolverMethod */
    int other;  /* while translating: one that fits as well, SOLVER_NONE: there is none */
    int discretised;       /* it has derivatives */
    int pos;               /* where its clock is said, 0 if nowhere */
    int64_t every, offset; /* in ticks of the base clock */
} SubClock;

typedef struct ClockState { /* a continuous variable of a discretised partition */
    int var, rate;          /* variables: itself and its derivative */
    int sign;               /* its derivative is sign times that variable */
    int sub;
    int before, rate_before; /* variables: the same at the tick before */
    int active; /* variable: in a state of a state machine it moves only if that is true; else -1 */
    int is_given,
        given; /* variables, if a reinit names it: whether it has got a value at this tick, and which;
                            else -1 */
} ClockState;

typedef struct ClockInput { /* what a discretised partition gets from others */
    int var;
    int sub;
    int averaged; /* inside a step: the mean of the values before and after it */
    int stepped;  /* derivatives may depend on it, so a step waits for it */
} ClockInput;

typedef struct ClockShift { /* what a value was at the tick before */
    int before,
        now; /* variables: after a tick the former becomes the value of the latter */
    int sub;
    int left; /* pre(): it is iterated in a discretised partition */
} ClockShift;

typedef struct ClockTable {
    int               bases, subs, states, inputs, shifts;
    int               staggered; /* slow partitions go ahead of fast ones (live/late.c) */
    int               remembers; /* delay or spatialDistribution stands in one */
    const BaseClock  *base;
    const SubClock   *sub;
    const ClockState *state; /* sub by sub */
    const ClockInput *input; /* sub by sub */
    const ClockShift *shift; /* sub by sub */
} ClockTable;

/* How often a step evaluates the second phase at points inside it; of EXTERNAL a guess. */
static inline int clock_stages(const SubClock *sub) {
    return !sub->discretised                         ? 0
           : sub->method == SOLVER_EXTERNAL          ? 4
           : sub->method == SOLVER_RUNGE_KUTTA4      ? 3
           : sub->method == SOLVER_EXPLICIT_MIDPOINT ? 1
                                                     : 0;
}

/* So many ticks of a periodic clock take. */
static inline double clock_seconds(const BaseClock *base, int64_t ticks) {
    double exact = (double)ticks * (double)base->count;
    if (exact < 9e15) exact = (double)(ticks * base->count);
    double t = exact / (double)base->resolution;
    return base->kind == BASE_REAL ? t * base->period : t;
}

static inline bool clock_is_periodic(const BaseClock *base) {
    return base->kind == BASE_RATIONAL || base->kind == BASE_REAL;
}

/* Is there a partition of the same base clock that ticks more often? */
static inline bool clock_is_slow(const BaseClock *base, const SubClock *all, int sub) {
    for (int s = base->first; s < base->first + base->subs; s++)
        if (all[s].every < all[sub].every) return clock_is_periodic(base);
    return false;
}

#endif
