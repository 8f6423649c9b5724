/* SPDX-License-Identifier: Apache-2.0 */
/* tick.h -- private to live: clocked partitions while they run (tick.c, step.c). */
#ifndef RUBATO_TICK_H
#define RUBATO_TICK_H

#include "live/live.h"
#include "ode/ode.h"

#include <pthread.h>

typedef struct Stretch { /* consecutive variables */
    int first, count;
} Stretch;

typedef struct Keep { /* a value that the next tick will ask for; see ClockShift */
    int before;
    int at; /* it becomes sign times the value of this variable */
    int sign;
    bool
        iterated; /* left limit in a discretised partition: event iteration shifts it, too */
    bool continuous; /* so is the variable */
} Keep;

struct Ticks {
    Memory  *memory; /* of what is only made when it is opened: stretches, keeps */
    Running *part;   /* by base: its ticks, then first ticks if it has such */
    double   begin;  /* start of the simulation */
    /* by base: */
    int64_t *number; /* of the next tick */
    double  *when;   /* its time; of clocks driven by events unused */
    double      *
        counted; /* of clocks that vary: its time in parts of a second, whole where counters say it */
    double  *held;  /* value of the condition so far */
    uint8_t *fired; /* it became true: the base ticks in the next round */
    /* by sub-clock partition: */
    int     *phase;    /* see Rb.ticks: two for each */
    double  *interval; /* two for each */
    double  *last;     /* time of its last tick */
    double  *stage;    /* time of the tick it was advanced to */
    uint8_t *begun;    /* it has ticked */
    /* of discretised partitions: */
    double    *input;    /* by input: value at the tick before */
    double    *advanced; /* by state: at the end of the step */
    int       *own_start;
    Stretch   *own; /* by sub-clock partition: variables that its second phase uses */
    OdeOptions ode; /* of partitions with the method External ... */
    struct External           *
        *external; /* ... by sub-clock partition: its integrator, NULL: none */
    struct Crew   *crew;     /* threads for the pieces of a tick, NULL: one */
    struct Frames *frames;   /* what they cost, NULL: not measured */
    struct Late   *late;     /* slow partitions beside fast ones, NULL: none */
    struct Exchange *exchange; /* inputs and outputs at ticks, NULL: none */
    bool             driven;   /* ticks come from outside only */
    uint8_t         *asked;    /* by sub-clock partition: one came; see ticks_ask */
    History         *history;  /* of delays in clocked partitions, NULL: none yet */
    bool             ticking;  /* a tick of periodic clocks is not over */
    int             *waiting;  /* a copy of phase, see late.c */
    pthread_mutex_t  speak;    /* the model says something, perhaps on several threads */
    Keep            *keep;     /* by shift of the clock table */
    int             *keep_start; /* by sub-clock partition */
    bool  iterates, leads;       /* some are iterated; some of continuous variables */
    Links states_of, inputs_of;  /* by sub-clock partition: in the clock table */
    int **relation_sub; /* by base, by relation: its sub-clock partition, -1: none */
};

/* Where a thread evaluates partitions inside a step. */
struct Inside {
    double *v;     /* values, as those of the instance */
    int    *phase; /* see Rb.ticks: two for each sub-clock partition */
    double *work;  /* by state four derivatives at stages; then inputs at the end */
};
Inside *inside_new(const Instance *instance); /* NULL: no memory */
void    inside_free(Inside *inside);
void    steps_close(Ticks *ticks, int subs);

/* ---- frame.c ---- */
typedef enum { MISSED_WAKE, MISSED_INTERRUPTED, MISSED_WORK } MissCause;

typedef struct Frames {
    double  factor;     /* simulated seconds a second, 0: as fast as possible */
    int64_t origin;     /* of simulated time, in nanoseconds; 0: not yet known */
    int64_t due, began; /* of the tick that runs */
    int64_t spin;       /* nanoseconds of a wait that are spent busily */
    int64_t own;        /* processor time of the thread when the tick began */
    int64_t
        allowed; /* shortest interval of a frame of the tick that was missed, 0: none was */
    bool        waited; /* the tick did not begin late because of the one before */
    MissCause   cause;  /* of the last tick that missed */
    MissedTicks missed;
    int         waits;     /* so far */
    int64_t     ticks;     /* of all partitions */
    bool        timed;     /* times of partitions are taken at this one */
    bool        rehearsal; /* ticks do not wait */
    double      longest;   /* tick of all partitions, in seconds */
    bool priorities; /* the system has granted those of real time to all threads ... */
    bool locked;     /* memory */
    bool raised;     /* ... or at least to that of the simulation, which was before: */
    pthread_t          thread;
    int                policy;
    struct sched_param before;
    Frame             *frame; /* by sub-clock partition */
} Frames;
Frames *frames_new(int subs, TickPace pace); /* NULL: no memory */
void    frames_free(Frames *frames);
int64_t frames_now(void); /* nanoseconds */
/* A priority of real time, the lower the higher the rank; false: it was refused. */
bool frames_priority(pthread_t thread, int rank);
/* Until the tick is due, so long after the start of the simulation. */
void frames_wait(Frames *frames, double elapsed);
void frames_end(Frames *frames); /* the tick of all partitions is over */
void frames_note(Frames *frames, int sub, int64_t from, int64_t to);
/* The tick that was due then is over. */
void frames_fold(Frames *frames, int sub, double interval, int64_t due);

/* ---- roster.c ---- */
typedef struct Duty {
    int  piece, phase; /* see Rb.ticks */
    bool waits;        /* for pieces of other threads */
    bool tells;        /* others wait until it is done */
} Duty;
typedef struct Turn { /* what one thread does at a tick, in this order */
    int   duties;
    Duty *duty;
    int  *before; /* by duty and thread: so many duties of that one come before it */
} Turn;
typedef struct Roster { /* of one base-clock partition */
    int   threads;
    Turn *turn;   /* by thread */
    int  *thread; /* by sub-clock partition of the base clock */
    int   lines,
        shared; /* of the cache: with values of a tick, and of them with those of two threads */
} Roster;
/* In a memory_call. */
void roster_make(Roster *roster, const Program *program, const BaseClock *base,
                 const Image *image, int threads);

/* ---- crew.c ---- */
typedef struct Crew Crew;
/* NULL: no memory. */
Crew *crew_new(Instance *instance, int threads);
void  crew_free(Crew *crew);
/* The equations of base-clock partition b at its tick; not 0: failed. */
int  crew_run(Crew *crew, int b, Running *running, Moment at);
int  crew_lines(const Crew *crew, int *all); /* see ticks_lines */
bool crew_may_share(const Program *program); /* its code may run on several threads */
/* An instance over the values and ticks of another one, and a base-clock partition of it. False: no
 * memory. */
bool sibling_open(Instance *own, Instance *original);
bool sibling_running(Running *running, Instance *own, int b);

void sibling_close(Instance *own);

/* ---- late.c ---- */
typedef struct Late Late;
Late               *late_new(Instance *instance, TickTasks kind); /* NULL: no memory */
void                late_free(Late *late);
/* Before a tick of base-clock partition b: results of slow partitions whose tick it is are published,
 * and they are left out of it. Not 0: one of them failed. */
int late_begin(Late *late, int b, Running *running);
/* After it: they go on with their next tick. */
void late_end(Late *late, int b, double time);
/* After all of it, staggered: slow partitions whose tick it was take their next step. */
void late_ahead(Late *late, int b);
bool late_is_partition(const Late *late, int sub);
void late_forget(Late *late); /* work that was not published */

/* ---- exchange.c ---- */
typedef struct Exchange Exchange;
Exchange               *exchange_new(Instance *instance, const char *where,
                                     Text *why); /* NULL and why */
void                    exchange_free(Exchange *exchange);
void                    exchange_take(Exchange *exchange);           /* before a tick */
void                    exchange_give(Exchange *exchange, double t); /* after it */
ExchangeCounts          exchange_counts(const Exchange *exchange);

/* ---- round.c ---- */
typedef struct Rounds { /* of event iteration at one tick */
    Moment     at;      /* of the pass that comes next */
    const int *phase;   /* of what ticks, by sub-clock partition of the program */
    bool       leads;   /* that pass tells left limits */
    bool       first;   /* of some partition it is the first tick */
    int        count;
} Rounds;
Rounds rounds_begin(const Instance *instance, const int *phase, double t);
/* After a pass over the equations: is there another one? It may fail, see Rb.failed. */
bool rounds_go_on(Rounds *rounds, Instance *instance, Running *running);
void rounds_end(Instance *instance, const int *phase);

/* ---- tick.c ---- */
double ticks_time(const Instance *instance, int b, int64_t number); /* of that tick */
/* The equations of what ticks now were solved: assertions, and what the next tick will ask for. Not
 * 0: failed. */
int ticks_settle(Instance *instance, int b, Running *running, double t);

#endif
