/* SPDX-License-Identifier: Apache-2.0 */
/* event.h -- finding events and living through them.
 *
 *   locate.c    the first time at which one of several crossings has changed its sign
 *   crossing.c  sign changes over a step
 *   chatter.c   events that follow each other without end
 *
 * Crossings are functions z_i(t, x); an event happens where one changes sign. The sign of
 * zero is that of the negative numbers, because a relation is z > 0. */
#ifndef RUBATO_EVENT_H
#define RUBATO_EVENT_H

#include <math.h>

#include "ode/ode.h"

/* ---- locate.c ---- */

/* Values of some crossings at time t, into z by their numbers. */
typedef Status LookAt(void *owner, double t, const Selection *which, double *z);

typedef struct Bracket { /* arrays by number of the crossing                        */
    double  low, high;
    double  width;        /* to be reached                                            */
    double *left, *right; /* values at low and high                                  */
    double *trial, *old;  /* work                                                    */
    int    *changed; /* crossings with different signs at low and high, ascending    */
    int     changes;
} Bracket;

/* Narrows the bracket: at high at least one of the crossings has its new sign, at low none. changed
 * then holds those that have it at high. */
Status locate_first(Bracket *bracket, LookAt *look, void *owner);

/* ---- crossing.c ---- */

/* By how much a crossing that was of this size of late must be beyond zero to have changed sign; and
 * its size once it was z. See crossing.c. */
static inline double crossing_margin(double size) {
    return 2e-14 * fmax(size, 1.0);
}
static inline double crossing_size(double size, double z) {
    return fmax(fabs(z), 0.999 * size);
}

typedef struct Crossings {
    const Model *model;
    int          count; /* crossings that are looked at                            */
    int         *list;  /* their numbers, ascending; NULL: all                     */
    double      *left;  /* values at the beginning of the step                     */
    double      *right; /* values at its end, or at the event                      */
    double      *trial, *old; /* work                                                */
    double      *size;    /* largest magnitude of late                               */
    int         *changed; /* crossings that change sign in the step, ascending       */
    int          changes;
    double      *x; /* work: state inside the step                             */
    long         evaluations; /* calls of the model                                  */
    long         rows;        /* crossings evaluated, summed over the calls          */
    Fault        fault;
} Crossings;

/* False if there is no memory. */
bool crossings_new(Crossings *crossings, const Model *model);
void crossings_free(Crossings *crossings);
/* From now on leaves out the local ones, which somebody else looks at. */
bool crossings_without_local(Crossings *crossings);
/* Values at the beginning of the next step. */
Status crossings_begin(Crossings *crossings, double t, const double *x);
/* Which crossings have another sign at (t, x) than at the beginning? *found: any. */
Status crossings_check(Crossings *crossings, double t, const double *x, bool *found);
/* How many are at zero at the beginning, but for rounding; crossings_check_near then asks for those
 * alone. */
int    crossings_near(Crossings *crossings);
Status crossings_check_near(Crossings *crossings, double t, const double *x, bool *found);
/* The end becomes the beginning of the next step. */
void crossings_accept(Crossings *crossings);

/* State inside the last step, at time t. */
typedef Status StateAt(void *owner, double t, double *x);
/* After crossings_check found some between from and to: the first time at which one of
 * them has its new sign, to the resolution of time, and the state there. `changed` then
 * holds those that changed by then. Only changed crossings are evaluated. */
Status crossings_locate(Crossings *crossings, double from, double to, StateAt *state_at,
                        void *owner, double *when, double *x);

/* ---- chatter.c ---- */

enum { CHATTER_EVENTS = 200 };

typedef struct Chatter { /* the last state events, as a ring                          */
    double time[CHATTER_EVENTS];
    int    crossing[CHATTER_EVENTS];
    int    count, next;
} Chatter;

/* Notes a state event. True if CHATTER_EVENTS of them have now happened within a share of
 * 1e-9 of the simulated interval; *worst is then the crossing that changed most often. */
bool chatter_note(Chatter *chatter, double t, int crossing, double interval, int *worst);

#endif
