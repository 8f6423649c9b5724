/* SPDX-License-Identifier: Apache-2.0 */
/* event.h -- finding events in a step and ending the step there.
 *
 *   crossing.c  crossings and the sides of zero on which they were seen
 *   course.c    what a few values tell about a crossing over a piece of time
 *   bound.c     what its formula tells, if the model encloses it
 *   search.c    the first sign change inside a step, or at once on the slope after an event
 *   locate.c    its time: the first at which one of several crossings has changed its sign
 *   ending.c    how a step ends at an event
 *   creep.c     events that follow each other while nothing else moves
 *   rounds.c    one event: rounds until nothing changes; events that follow each other without end
 *
 * Crossings are functions z_i(t, x); an event happens where one changes sign. The sign of
 * zero is that of the negative numbers, because a relation is z > 0.
 *
 * The time loop uses this for events of the whole model, clusters of states use it for their own.
 * Both offer their step as an EventStep: the state anywhere inside it. Crossings as functions of
 * the step are evaluated at one place, `on_path` in search.c. */
#ifndef RUBATO_EVENT_H
#define RUBATO_EVENT_H

#include <math.h>

#include "ode/ode.h"

/* ---- crossing.c ---- */

typedef struct SignPoint {
    double t, z;
} SignPoint;

typedef struct Sign { /* a crossing as far as it has been followed                      */
    double z; /* value when it was seen last; its side of zero is that of the crossing */
    double t; /* when that was                                                      */
    SignPoint old[2]; /* seen before that, the latest one first                         */
    int       olds;   /* number of these ...                                            */
    int       smooth; /* ... and of those since the last event that may concern it      */
    double third; /* divided difference over the last four points, NAN: not known     */
    double reach; /* longest piece of time over which it is judged, see course.c; 0 new */
    double slope; /* mean over the last step, after an event that of now; NAN unknown */
    double size; /* largest magnitude recently: its margin for rounding follows from it */
    int    blind; /* in how many steps its formula told nothing, see bound.c            */
} Sign;

typedef struct CrossingWork { /* of a thread; arrays by number of the crossing          */
    double *left, *right, *trial, *old; /* of locate_first; left, right: of a look      */
    double *begin, *end; /* at the beginning and at the end of a step                  */
    double *now;         /* evaluated last                                             */
    double *check;       /* everything, to compare parts with; NULL: not asked for     */
    double *state[3]; /* of the model, along a piece of time; NULL: nothing is enclosed */
    int    *changed;  /* crossings that changed sign, ascending                     */
    int     changes;  /* their number                                               */
    int    *list;     /* work; after a search those of unclear course, ascending    */
    int     unclear;  /* their number                                               */
    long    evaluations; /* calls of the model                                         */
    long    rows;        /* crossings evaluated, summed over the calls                 */
    long    mismatches;  /* values that differed from check                            */
} CrossingWork;

typedef struct Crossings { /* those that somebody follows                               */
    const Model *model;
    Selection    which; /* of all crossings of the model                              */
    Sign        *sign;  /* by number of the crossing                                  */
    bool whole; /* always evaluates all of them, as if it could not ask for fewer */
    CrossingWork *work;
    Fault         fault; /* of an evaluation that failed                               */
} Crossings;

static inline bool sign_differs(double a, double b) { /* the relation is z > 0 */
    return (a > 0.0) != (b > 0.0);
}
/* By how much a crossing that was of this size recently must be beyond zero to have changed sign;
 * and its size once it was z. See crossing.c. */
static inline double crossing_margin(double size) {
    return 2e-14 * fmax(size, 1.0);
}
static inline double crossing_size(double size, double z) {
    return fmax(fabs(z), 0.999 * size);
}
/* False if there is no memory. */
bool crossing_work_new(CrossingWork *work, const Model *model, bool check);
void crossing_work_free(CrossingWork *work);
int  crossings_count(const Crossings *crossings); /* that are followed */
/* Some crossings at (t, x), as the model gives them; values that are not finite are an error. */
Status crossings_evaluate(Crossings *crossings, double t, const double *x,
                          const Selection *which, double *z);
/* The same seen from the side on which they were: their margins are added on that side. */
Status crossings_look(Crossings *crossings, double t, const double *x,
                      const Selection *which, double *z);
/* Some crossings as an event has just settled them; what they did before is forgotten. */
Status crossings_begin(Crossings *crossings, double t, const double *x,
                       const Selection *which);
/* The same without an event: they stay on their sides. */
Status crossings_again(Crossings *crossings, double t, const double *x,
                       const Selection *which);
/* Those at zero but for rounding, into work->list: their number. */
int crossings_near(const Crossings *crossings);

/* ---- course.c ---- */

typedef enum {
    COURSE_OPEN,   /* a point inside the piece has to be looked at */
    COURSE_KEEPS,  /* it keeps its sign on the piece              */
    COURSE_CHANGES /* once                                       */
} CourseVerdict;

typedef struct
    Course { /* of a crossing over a piece of time                            */
    CourseVerdict verdict;
    double turn;  /* where it turns inside the piece, by what is known; NAN: nowhere */
    double reach; /* how long the piece could have been                          */
    double third; /* divided difference by which it was judged, NAN: none        */
} Course;

typedef struct
    SearchRule {     /* of lengths in time                                        */
    double shortest; /* over which a crossing can be judged at all                     */
    double first;    /* over which a new crossing is judged at first                   */
    double longest;  /* over which any crossing is judged                              */
} SearchRule;

/* The rule for a run over an interval; 0: not known. */
SearchRule search_rule(double interval);
void       sign_begin(Sign *sign, double t,
                      double z); /* it is z at t, perhaps after an event */
void       sign_note(Sign *sign, double t,
                     double z); /* it is z at t, and went there smoothly */
void       sign_limit(Sign *sign, const SearchRule *rule); /* its reach within the rule */
/* From where it was seen last to `end`; after: points beyond that, ascending in time. */
Course sign_course(const Sign *sign, SignPoint end, const SignPoint *after, int afters);
/* The piece up to `end` is over: the crossing is there. longest: as the rule says. */
void sign_pass(Sign *sign, SignPoint end, const Course *course, double longest);

/* ---- bound.c ---- */

/* Of the same piece, by an enclosure of the crossing on it. */
CourseVerdict bound_verdict(const Sign *sign, SignPoint end, const Band *z);

/* ---- locate.c ---- */

/* Values of some crossings at time t, into z by their numbers. */
typedef Status LookAt(void *owner, double t, const Selection *which, double *z);

typedef struct SignBracket { /* arrays by number of the crossing                        */
    double  low, high;
    double  width;        /* to be reached                                             */
    double *left, *right; /* values at low and high                                    */
    double *trial, *old;  /* work                                                      */
    int    *changed; /* crossings with different signs at low and high, ascending      */
    int     changes;
} SignBracket;

/* Narrows the bracket: at high at least one of the crossings has its new sign, at low none. changed
 * then holds those that have it at high. */
Status locate_first(SignBracket *bracket, LookAt *look, void *owner);

/* ---- search.c ---- */

/* The full-length state of the model at time t. */
typedef Status StateAt(void *owner, double t, const double **x);

typedef struct
    StepFunctions {  /* what a step offers; the owner is that of the EventStep  */
    StateAt *inside; /* anywhere from its beginning to its end                          */
    StateAt *line;   /* near its end, on the line along the slope there                 */
    /* ---- to end it at an event: see event_end */
    bool (*accurate)(void *owner); /* is `inside` as good as the end? NULL: yes         */
    Status (*cut)(void *owner, double t); /* it ends at t, inside it                    */
    Status (*repeat)(void *owner, double t, double *end); /* again, up to t or less     */
    void (*slide)(void *owner, double t); /* on along the line, to t                    */
} StepFunctions;

typedef struct
    EventStep { /* the last step, as the search for events sees it             */
    const StepFunctions *fn;
    void                *owner;
    double               begin, end;
} EventStep;

/* The first sign change in the step. work->changes is 0 if there is none; then the end of the step
 * is the beginning of the next one. Otherwise *when is where it is, to the resolution of time, and
 * work->changed holds the crossings that have changed by then. */
Status event_search(Crossings *crossings, const EventStep *step, const SearchRule *rule,
                    double *when);
/* After an event some crossings are beyond the border by rounding only, as that of a ball which
 * leaves the floor again. Do some of them change at once, within `by` after step->end on the line?
 * Result as for event_search; slopes of those that do not are known from then on. */
Status event_at_once(Crossings *crossings, const EventStep *step, double by,
                     const Selection *which, double *when);

/* ---- ending.c ---- */

/* The step ends at `when` on its own polynomial. */
Status event_cut(EventStep *step, double when);
/* The step ends at the event found at `when`; rtol: of its integrator. *shorter: it was repeated
 * and ends before, without that event; step->end is brought up to date. work->changed: those that
 * have changed where the step ends. */
Status event_end(Crossings *crossings, EventStep *step, double when, double rtol,
                 bool *shorter);
/* A step that was searched and was to end at `end` ends inside: what crossings are there that have
 * not changed. Those of clear course lie on their parabola, of which only the sign is certain; the others are
 * evaluated. */
Status crossings_carry(Crossings *crossings, const EventStep *step, double end);
/* In what time the next crossing reaches zero at its last slope; HUGE_VAL: none does. */
double crossings_ahead(const Crossings *crossings);

/* ---- rounds.c ---- */

enum { CHATTER_EVENTS = 200 };
#define CHATTER_SHARE                                                                    \
    1e-9 /* of the interval within which so many events are chattering */

typedef struct Chatter { /* the last state events, as a ring                          */
    double time[CHATTER_EVENTS];
    int    crossing[CHATTER_EVENTS];
    int    count, next;
} Chatter;

/* Notes a state event. True if CHATTER_EVENTS of them have now happened within CHATTER_SHARE
 * of the simulated interval; fault then says so and names the crossing that changed most often. */
bool chatter_note(Chatter *chatter, double t, int crossing, double interval,
                  Fault *fault);
/* Says of a fault that events follow each other without end. */
void chatter_fault(Fault *fault, double t, int crossing);

/* ---- creep.c ---- */

enum { CREEP_EVENTS = 2000 }; /* in a row without progress ... */
#define CREEP_SHARE 1e-6 /* ... and how far they are apart on average: of the interval */

/* Has a state moved from where it was by more than its error? */
bool creep_has_moved(double x, double was, double nominal, const OdeOptions *options);
/* Is a crossing of this size that was z between two events still at its border? */
bool creep_is_near(double z, double size, double rtol);

typedef struct EventRounds { /* of one event                                            */
    int  most;    /* before giving up, 0: 100 and the number of crossings              */
    long count;   /* that were needed                                                  */
    bool changed; /* a round changed something                                         */
    bool endless; /* there were too many                                               */
} EventRounds;

/* Calls the event of the model until nothing changes any more; x is changed. */
Status event_rounds(const Model *model, double t, double *x, EventKind kind,
                    const Selection *which, EventRounds *rounds, Fault *fault);

#endif
