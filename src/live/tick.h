/* SPDX-License-Identifier: Apache-2.0 */
/* tick.h -- private to live: clocked partitions while they run (tick.c, step.c). */
#ifndef RUBATO_TICK_H
#define RUBATO_TICK_H

#include "live/live.h"

struct Ticks {
    Running *part;  /* by base: its ticks, then first ticks if it has such */
    double   begin; /* start of the simulation */
    /* by base: */
    int64_t *number; /* of the next tick */
    double  *when;   /* its time; of clocks driven by events unused */
    double  *held;   /* value of the condition so far */
    uint8_t *fired;  /* it became true: the base ticks in the next round */
    /* by sub-clock partition: */
    int     *phase;    /* see Rb.ticks: two for each; then a copy of all */
    double  *interval; /* two for each */
    double  *last;     /* time of its last tick */
    double  *stage;    /* time of the tick it was advanced to */
    uint8_t *begun;    /* it has ticked */
    /* of discretised partitions: */
    double *input;    /* by input: value at the tick before */
    double *advanced; /* by state: at the end of the step ... */
    double *work;     /* four for each: derivatives at stages; then inputs at the end */
    struct External **external; /* by sub-clock partition: its integrator, NULL: none */
};

void steps_close(Ticks *ticks, int subs);

#endif
