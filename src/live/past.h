/* SPDX-License-Identifier: Apache-2.0 */
/* past.h -- what delays and distributions keep of the past. Private to this folder. */
#ifndef RUBATO_PAST_H
#define RUBATO_PAST_H

#include "live/tick.h"

enum {
    DELAYS = 8,
    POINTS = 6, /* of the polynomial between two of them */
    SPARE = POINTS,
    BENDS = 3,             /* that are events */
    DISTRIBUTION = 1 << 30 /* numbers of distributions stand after those of variables */
};

typedef struct Past {
    int    var;
    double keep;           /* longest delay                                            */
    double last, at;       /* delay asked for last, and when */
    double delay[DELAYS];  /* delays that do not change ...                            */
    int    delays;         /* ... as far as they are known                             */
    double scale;          /* largest value so far */
    double since;          /* the start */
    bool   smooth;         /* changes between events */
    double shift, pending; /* of a distribution, see there */
    double noted, begun;   /* shift at the last point, at the beginning of the step */
    bool   right;
    bool   line; /* of a clocked partition: on a line from tick to tick */
    double used; /* ... the value at a tick that was looked at while it went on, ... */
    const Instance *user; /* ... by this one; NULL: none was */
    int entered; /* at the last point: 1 at the left, -1 at the right, 0 nowhere yet */
    double *time, *value; /* points first ... count - 1, ascending                    */
    int     first, count, room;
    bool    lacking; /* there was no memory for a point */
} Past;

typedef struct Lag { /* a delay that changes */
    int    past;     /* whose, -1: not known yet */
    double moment;   /* that it shows */
    double low;      /* the moment is after this jump, -infinity if after none ... */
    double high;     /* ... and before this one */
} Lag;

struct History {
    Past  *past;
    int    pasts, room;
    Lag   *lag; /* by number */
    int    lags;
    Map    of_var; /* variable -> past                                              */
    double worst;  /* by how much a point was not what those before it foretold, ...   */
    int    order;  /* ... which were at least as many                                  */
    double step;   /* beginning of the step whose points are noted                     */
    bool   trial;  /* points are only judged                                           */
    bool   event;  /* points being noted lie after an event                        */
    bool   unfit;  /* a value to be noted is not finite                             */
};

static const double PAST_CLOSE =
    1e-3; /* of the piece before: a point there takes the last one's place */

/* ---- history.c ---- */
Past     *past_find(const History *h, long var);
History **past_place(Rb *c);
Past     *past_take(Rb *c, long var);
void      past_put(Past *p, double t, double x);
void      past_put_next(Past *p, double t, double x);
int       past_course(const Past *p, bool above);
void      past_judge(History *h, Past *p, double t, double x, bool above);
void      past_refuse(Rb *c, Pos pos, const char *what);
double    past_beyond(const Past *p, double now, double x, double t, bool above);
double    past_inside(const Past *p, double s);
bool      past_jumps(const Past *p, int k);

/* ---- spatial.c ---- */
double spatial_distance(const Past *p);
void   spatial_look_ahead(Past *p);

#endif
