/* SPDX-License-Identifier: Apache-2.0 */
/* group.h -- the parts of the multi-rate integrator, shared by the files of this folder. */
#ifndef RUBATO_RATE_GROUP_H
#define RUBATO_RATE_GROUP_H

#include "event/event.h"
#include "rate/rate.h"

enum {
    CACHE = 96, /* selections kept                                                 */
    DONE = 3, /* values of a refined state: its value, its natural and its stable step */
    FIX = 3,  /* values of a correction: its value, its size, what clusters share  */
    STILLS = 8,  /* times at which slopes that do not read the set are kept           */
    HEAVY = 128, /* a row that reads more is not watched in every small step at first */
    COEFFICIENT = METHOD_POWERS + 1
};

#define EVENT_STEPS 1.5   /* an event costs so many steps of those it concerns */
#define ANY         60.0f /* log2 of a step longer than any                               */
#define JOIN        0.25 /* share of the tolerance that makes a slow state fast, see watch.c */

typedef struct RateGroup RateGroup;
typedef struct Worker    Worker;
typedef struct Pool      Pool;

typedef enum PieceKind { /* in the order in which they are applied                  */
                         PIECE_CURVE, /* watched states on the large step, after its beginning  */
                         PIECE_DRIFT, /* how they deviate from that in a small step              */
                         PIECE_STEP, /* a small step                                            */
                         PIECE_KINDS
} PieceKind;

typedef struct Piece { /* polynomials of some states, for output                    */
    PieceKind kind;
    double    t, till;
    double    scale;  /* time per unit of the polynomial                             */
    int       level;  /* -1: integrated in vain                                      */
    bool      event;  /* at its end                                                  */
    int    n, powers; /* states; degree                                                 */
    size_t state;     /* first state in ids                                             */
    size_t coefficient; /* first of n (powers + 1) in values                    */
    int order, worst; /* of a STEP that is traced, see RateTrace                        */
} Piece;

typedef struct Store { /* the small steps of one large one                        */
    Piece  *piece;
    double *value;
    int    *id;
    size_t  pieces, values, ids;             /* used     */
    size_t  piece_room, value_room, id_room; /* allocated */
} Store;

typedef struct Mark { /* a place in a store */
    size_t pieces, values, ids;
} Mark;

typedef struct PieceMoment { /* a piece as part of a timeline */
    double       t, till;
    const Store *store;
    size_t       piece, rank; /* a higher rank overrides, or adds to, a lower one */
} PieceMoment;

typedef struct Timeline { /* the pieces of all clusters of a large step, see timeline.c */
    PieceMoment *moment,
        *open; /* by their beginning; those that hold now, by rank            */
    size_t moments, opens,
        next; /* next: first that has not begun                       */
    size_t room, open_room;
    double now;
} Timeline;

typedef struct Fired { /* an event of the step under way                           */
    double t;
    int    crossing;
    bool   at_once; /* it needed no step                                               */
} Fired;

typedef struct Outcomes { /* what clusters gave, until their large step takes it    */
    int    *id;
    double *value;
    Sign   *sign;
    Change *change;
    Fired  *fired;
    size_t  ids, values, signs, changes, fires;                     /* used      */
    size_t  id_room, value_room, sign_room, change_room, fire_room; /* allocated */
} Outcomes;

typedef struct EventMark { /* a place in what a worker's events did               */
    int    changes;
    size_t fires;
} EventMark;

typedef struct Cluster { /* fast states that are integrated together               */
    int    *state; /* n, ascending                                                 */
    int     n;
    int     first;  /* the smallest                                                 */
    Worker *worker; /* that ran it                                                  */
    bool    ready;  /* it was run: what follows is known                            */
    Status  status;
    int     conflict;           /* number of a cluster whose state it needs, -1     */
    size_t  pieces, pieces_end; /* its small steps                                  */
    size_t  id, value; /* in the outcomes: DONE times a value of all dones states;
                                   fixes states, each with FIX values */
    int     dones, fixes, joined;
    double end; /* where it ended: before the step if slow states could not follow      */
    double join_rate;
    double work, steps; /* that it took, see work.c                                  */
    /* events, in the outcomes: the crossings at the end, what changed, what to tell      */
    size_t crossing, sign, change, fired;
    int    signs, changes, fires;
    Status why; /* an event that cannot be lived through ends the run; STATUS_OK: none */
    Fault  fault;
} Cluster;

typedef struct
    SetReach { /* what a set of states touches, see reach.c; in one block      */
    int  count;
    int *state, *near, *read, *far;
} SetReach;

typedef struct Workspace { /* full-length vectors of one level                     */
    double *x, *dx; /* nx                                                           */
    const RateGroup
           *holder; /* whose boundary at holder_time is in x, NULL: nobody's        */
    double  holder_time;
    double *value; /* entries of the pattern                                       */
    int    *place; /* nx: scratch, -1 between uses                                 */
    int    *list;  /* 2 nx + 2: scratch                                            */
    int    *bound; /* nx: scratch                                                  */
    int    *near, *read, *far; /* nx: counts of reach.c, zero between uses              */
    unsigned char *listed;     /* nx: zero between uses                                 */
    int      *owner; /* nx: cluster of a state in the step under way, -1 if none     */
    int      *up, *part, *joined, *keep, *merged; /* nx: see refine.c, cluster.c     */
    double   *seed, *out; /* nx: tangents                                             */
    int      *done;       /* nx: states refined by the clusters that are through      */
    int      *fix;        /* nx: slow states to correct                               */
    int      *fix_by;     /* nx: the first cluster that wants it                      */
    double   *correction; /* nx: by how much                                          */
    Sign     *saved;      /* nz: see event_save */
    EventMark saved_mark;
    int       saved_recents;
    bool      saved_patient;
    double   *ahead;  /* nz: crossings of slow states at the end of the attempt        */
    double  *attempt; /* nx: the result of an attempt before it is refined, with events */
    double  *check;   /* nx, only with options.check                                  */
    Cluster *cluster, *cluster_before; /* of the step under way                     */
    int      clusters, cluster_room;
} Workspace;

struct Worker { /* what a thread has for itself                                       */
    Rate          *rate;
    Model          model; /* with an instance of its own                              */
    Workspace      space[RATE_LEVELS];
    Store          store;
    Outcomes       outcomes;
    RateGroup     *cache[CACHE];
    RateStatistics stats;
    Fault          fault;
    /* events */
    Journal     *journal; /* of its instance; NULL: they change states only            */
    Sign        *signs;   /* nz: of the clusters that it runs                          */
    CrossingWork looking; /* for them; changed: those of an event                      */
    double      *event_x; /* nx: states inside a step                                  */
    Fired       *fired;   /* of the step under way, told when it is accepted           */
    size_t       fires, fired_room;
    long         deep_joins, deep_events; /* in the step under way                     */
    Status       why; /* an event that cannot be handled; STATUS_OK: none              */
    Fault        why_fault;
};

typedef struct
    ClusterRun { /* one cluster on its way through a step                      */
    RateGroup *parent;
    double     begin, h, end; /* of the attempt, and where the run is to end            */
    const int *owner;    /* by state: cluster it belonged to at the beginning, -1 none */
    int        own;      /* number of the cluster                                      */
    int        conflict; /* cluster met, -1 none                                       */
    double crowded; /* state steps as a crowd, see inner.c                            */
    bool   stopped; /* before the end of the step, which had better end there       */
    int    joined;  /* states that had to join: those taken in ahead do not count     */
    int    since;   /* small steps since states joined last                         */
} ClusterRun;

/* Rows of a group that read a state of it, and those that do not: at each time one evaluation of
 * these is enough. */
typedef struct GroupRows {
    int    *live, *still;  /* states; lives + stills = n                               */
    int     lives, stills; /* stills = 0: both lists are NULL                          */
    double *value;         /* STILLS x stills: slopes at the last few times            */
    double  time[STILLS];
    int     count; /* times seen since group_moved                                     */
} GroupRows;

/* What the rows of a group read besides its states, as polynomials in (t - origin) inverse. */
typedef struct Boundary {
    int  count, near; /* near <= count: needed by the rows, the others by watched rows */
    int *state;       /* count, ascending within both parts                         */
    double *origin, *inverse; /* count                                                 */
    double *coefficient;      /* count x COEFFICIENT                                   */
    int    *powers;           /* count: degrees                                        */
} Boundary;

typedef struct GroupEvents { /* the local crossings that read states of a group         */
    Crossings own;      /* these crossings; signs of the worker or of the first level */
    int      *crossing; /* crossings, ascending                                         */
    int       crossings;
    int      *recent; /* those that an event has just moved, ascending                */
    int       recents;
    bool      settled; /* none of these is beyond the border by rounding               */
    bool      patient; /* the last step was to end after an event, and there was none  */
    int    switching;  /* states that its events may change                            */
    double changed;    /* states that one of them changes, on average                  */
    double concerned;  /* rows that read these, on average                             */
    bool   flat; /* the group finds its events itself, though a level could be below  */
    bool   tied; /* events tie more than half of its states together                  */
    double burst_begin; /* of events at nearly the same time, which are counted       */
    int    burst;       /* their number                                               */
    double
        *crept_x; /* n: states at the beginning of a row of events without progress ... */
    double
        crept_begin; /* ... its time ...                                              */
    int crept;       /* ... and how many they are                                  */
} GroupEvents;

typedef struct Watched { /* slow states of the parent that read the group, see watch.c  */
    int     count;
    int    *state;        /* count, ascending                                          */
    int    *bound;        /* count: their places in the boundary                       */
    double *defect;       /* slope minus the polynomial's, at the last small step      */
    double *drift;        /* its integral, damped: the deviation from the polynomial   */
    double *drift_before; /* at the beginning of the last small step                   */
    double *part_before;  /* at the beginning of its last smooth part                  */
    double *rise_before;  /* its slope there                                           */
    double *half, *now;   /* work: defects in the middle and at the end of a part      */
    double *seen,
        *seen_slope; /* the deviation as the group sees it, a line from aimed on */
    double  aimed;
    double *damping; /* of deviations                                                  */
    double *scale;   /* 1 / tolerance                                                  */
} Watched;

typedef struct Partition { /* of a group into slow and fast states, for the next level  */
    unsigned char *fast; /* n: 1 fast, 2 also rests in this level's steps              */
    float         *size; /* n: log2 of the weighted errors of the attempt              */
    float *natural;      /* n: log2 of the step a state would choose                   */
    float *stable; /* n: log2 of the step at which an explicit one would be unstable   */
    int    fasts;
    int   *rest;  /* states that rest, ascending                                    */
    int   *awake; /* the others                                                     */
    int    rests;
    bool   refining; /* the partition is in use                                        */
    int    mixed;    /* reviews without gain until it counts as single rate again      */
    double reviewed; /* step at the last review without gain, 0: none                  */
    int    until_review; /* steps until the partition is reconsidered                  */
    int    idle_reviews; /* that changed nothing                                       */
    int    refined;      /* large steps with a fast set, up to a few                   */
    double join_rate;    /* states that join per time ...                              */
    double join_span;    /* ... over this time                                         */
    double join_rate_below; /* largest of its last clusters                            */
    double noted_time; /* of the last review without gain, NAN: none                   */
    float  noted_step; /* log2 of the step which that considered                       */
    int    noted;      /* states below that step                                       */
} Partition;

typedef struct Effort { /* of a group in its parent's step, see work.c                  */
    OdeStatistics counts; /* when its run began                                        */
    double        below;  /* work of its clusters and of groups it replaced since      */
    double        steps;  /* that its run would have taken without levels below it     */
    double steps_below;   /* most that a cluster of its step under way has taken       */
} Effort;

/* A set of states made ready: evaluation list, boundary, sub-pattern, factorisation. */
struct RateGroup {
    Rate       *rate;
    Worker     *worker;
    RateGroup  *parent; /* whose step is refined, NULL at the first level              */
    int         level;
    int         n;
    int        *state; /* n, ascending                                                 */
    SetReach    reach;
    uint64_t    hash;
    long        stamp; /* last use                                                     */
    bool        busy;
    View        view;
    Model       model; /* the model with resting states: its instance is this group    */
    Ode        *ode;
    Workspace  *space;
    GroupRows   rows;
    Boundary    bound;
    GroupEvents events;
    Watched     watch;
    Partition   part;
    Effort      effort;
    double     *middle;  /* n: its states in the middle of a small step                */
    double      span;    /* length of the parent's attempt                             */
    double      end;     /* of the parent's step                                       */
    bool        between; /* the model is evaluated for output within the last step     */
};

typedef struct Ledger { /* counted work, see work.c                                  */
    OdeStatistics seen; /* counts of the first level after its last step               */
    long   events; /* until then                                                        */
    double single; /* work of a step of single rate, smoothed; 0 unknown               */
    double large;  /* of a large step without its clusters; 0 unknown                  */
    double spent;  /* so far                                                           */
    double saved;  /* against single rate, negative: lost                              */
    double lead; /* its steps are longer than small ones would be by this; 0 unknown   */
    int    candidate; /* its method when refinement began, see automatic.c ...          */
    double entry;     /* ... and its step                                               */
    double small,
        steps; /* per time: expected work of small steps, steps of single rate */
    double excess, pace; /* what they were over that, smoothed; 0 unknown               */
    double joins,
        refined; /* states that joined, in the time integrated with a fast set  */
} Ledger;

struct Rate {
    Ledger   ledger;
    Timeline timeline;
    bool events, cones; /* the model has crossings; they are treated by cone            */
    Sign  *signs; /* nz: at the time the first level has reached                      */
    double event_rate; /* events by cone per time, smoothed                            */
    double spread; /* states that join in the deepest level per event there, smoothed   */
    int    followed; /* changes of the journal that all instances have               */
    bool   fresh;    /* the next large step is the first one after a restart        */
    const Model *model;
    ModelFunctions
        functions; /* those of the model, with resting states                  */
    ModelFunctions
                part_functions; /* for some states: the Jacobian may be by differences */
    RateOptions options;
    int         n, levels;
    Pattern    *own_pattern; /* if the model has none                                  */
    const Pattern *pattern;
    int *row_start, *row_column, *row_entry; /* the pattern by rows            */
    int  light;  /* rows that read more states are corrected at the end of a large step */
    int  heavy;  /* their number                                                 */
    double vain; /* work of small steps in large steps whose corrections were too large */
    int   *diagonal; /* entry of (i, i), -1 if none                               */
    const Method *method[RATE_LEVELS];
    float        *weight; /* n: cost of a state-step                                    */
    RateGroup    *root;
    Worker       *worker; /* threads; the first is that of the caller                  */
    int           threads;
    Pool         *pool; /* NULL: one thread                                           */
    Status        status;
    Status why; /* an event that cannot be lived through; STATUS_OK: none             */
    Fault  fault;
};

/* ---- select.c */
/* The group of all states at the first level, which begins at (t, x); NULL: see Rate.status. */
RateGroup *group_first(Worker *worker, double t, const double *x);
/* The group for a set of states (ascending) of a parent, from the cache or built. */
RateGroup *group_get(Worker *worker, RateGroup *parent, int level, const int *state,
                     int n);
void       group_free(RateGroup *group);
void       group_forget(Rate *rate); /* all kept ones; none of them is in use */
void group_count(const RateGroup *group, RateStatistics *stats); /* adds its counts */
void group_add(OdeStatistics *total, const OdeStatistics *counts);
Status
group_rest(RateGroup *group); /* after fast changed: rebuilds rest, keeps f and J right */
/* Polynomial of packed state q of a group over its present attempt. */
int    group_curve(const RateGroup *group, int q, double h, double *coefficient);
double group_curve_at(const RateGroup *group, int q, double h, double theta,
                      double *slope);
int    group_find(const int *list, int n, int value); /* -1 if absent */
static inline int group_packed(const RateGroup *g, int state) {
    return g->parent ? group_find(g->state, g->n, state) : state;
}

/* 1 / tolerance of packed state q. The weights of a fully implicit method are looser: its results
 * are far better than its estimate, but its polynomials, which neighbours read, are not. */
static inline double group_weight(const RateGroup *g, int q) {
    const OdeTolerance tolerance = ode_tolerance(g->ode);
    return tolerance.weight[q] * tolerance.looser;
}

/* Of the Jacobian the group has, 0 if it has none. */
double group_diagonal(const RateGroup *group, int state);
/* Entry k of the row of a state, k as in the rows of the pattern. */
double group_jacobian(const RateGroup *group, int k, int state);
/* How much of the weighted error of packed state i the reader at entry e of its column takes over in
 * a step h; the Jacobian is valid. */
double group_share(const RateGroup *group, double h, int e, int i);
/* The states a group's rows read besides its own, at t; owner: the group. */
void group_boundary(void *owner, double t, double *x);
void group_functions(Rate *rate); /* the model with states at rest */
void group_moved(
    RateGroup *group); /* what does not depend on the set is to be found again */

/* ---- reach.c */
/* In how many states the set of a group and another one differ; counts to most + 1. */
int reach_apart(const RateGroup *base, const int *state, int n, int most);
/* The lists of a group from those of another one, NULL: anew. Its states have places in the
 * workspace. Sets watches, near, bounds and reach; the lists go to bound and watch. */
bool reach_find(RateGroup *group, const RateGroup *base, int *bound, int *watch);
/* Likewise the packed pattern; entry: places in the full one. The number of entries. */
int reach_pack(const RateGroup *group, const RateGroup *base, int *start, int *row,
               int *entry);

/* ---- work.c */
/* Work of a group since these counts, which are brought up to date. */
double work_since(const RateGroup *group, OdeStatistics *seen);
/* Of a step with n states below the first level. */
double work_part(const Rate *rate, const Method *method, double n);
double work_run(void);    /* starting a cluster */
double work_build(int n); /* a group of n states that replaces another */
/* After a step h of the first level: what it cost, and saved. */
void work_account(Rate *rate, double h, bool refined);

/* ---- partition.c */
/* How many levels there may be: 1 where others cannot pay, however few states are fast. */
int partition_levels(const Model *model, const RateOptions *options);
/* May the group have a fast set? Where events concern nearly all they are found at once. */
bool partition_allowed(const RateGroup *group);
/* log2 of the step up to which an explicit method is stable for a state of the group on its own; ANY: not known to end. */
float partition_stable(const RateGroup *group, int state);
/* Remembers the natural steps after a step h; slow to forget within a horizon. */
void partition_note(RateGroup *group, double h, double horizon);
/* First step and fast set of a group that starts; the step is at most `most`. */
void partition_start(RateGroup *group, double most);
/* Are these rows of the group enough for evaluating the others by a list? */
bool partition_many(const RateGroup *group, int rows);
void partition_forget(RateGroup *group);  /* back to a single rate for a few steps */
void partition_restart(RateGroup *group); /* the step after a restart in a single rate */
/* Events by cone: found by the first level itself while levels are too costly. */
Status partition_events(RateGroup *root);
/* After an accepted step h: the next step and the fast set, now and then. */
void partition_review(RateGroup *group, double h, double most);

/* ---- refine.c */
double refine_review(void *owner, Ode *ode, double h);
/* States for which Newton's iteration fails become fast ones at rest. */
bool refine_rescue(void *owner, Ode *ode, double h);
/* log2 by which natural steps by the group's own judgement are below those its clusters find. */
float refine_stricter(const RateGroup *group, int state);

/* ---- cluster.c */
/* Integrates the states of list (ascending) over the attempt h of the group and puts the
 * results into it. space->done: all states that were integrated, dones of them. *end: of the attempt,
 * or a time inside it from where on slow states cannot follow it: the results are those there. */
Status clusters_run(RateGroup *group, double h, double *end, const int *list, int n,
                    int *dones);
/* As if they had not been run; mark: of the group's store before, not used at the first level. */
void clusters_take_back(RateGroup *group, Mark mark);
/* Sets the marks of the states that timeline_values may change. */
void clusters_mark(const RateGroup *root, unsigned char *mark, unsigned char value);
void clusters_trace(RateGroup *root); /* tells the small steps of the last step */
/* The state that had most of the error of the last step, -1: it was not estimated. store.c */
int group_worst(const RateGroup *g);

/* ---- inner.c */
/* One cluster up to the end of the attempt, or to a conflict; *result: its last group. */
Status inner_run(ClusterRun *run, Worker *worker, const int *state, int n,
                 RateGroup **result);

/* ---- pool.c */
Pool *pool_new(int threads); /* NULL: no memory or no threads */
void  pool_free(Pool *pool);
/* Calls task(owner, number, thread) for number 0 .. tasks - 1, on all threads. */
void pool_run(Pool *pool, int tasks, void (*task)(void *owner, int number, int thread),
              void *owner);

/* ---- watch.c */
/* before: the group of the same run that it replaces, NULL if none; late: at the beginning
 * of its last step. */
void watch_start(RateGroup *group, const RateGroup *before, bool late);
/* After a small step of size h, mark: of the store before it. States that must join go to joins,
 * -1: no memory. *late: the step has already done too much without them. */
int watch_step(RateGroup *group, double h, Mark mark, int *joins, bool *late);
/* Before a step after an event, up to limit at most: states that would be late. */
int  watch_ahead(RateGroup *group, double limit, int *joins);
bool watch_rest(
    RateGroup *group); /* after a step of nearly no length; false: no memory */
void watch_renew(RateGroup *group); /* the group's states jumped */
/* Before a step, at most up to limit: how it will see deviations. */
void watch_aim(RateGroup *group, double limit);
/* Adds to the watched states in x, on their polynomials at t, how they deviate. */
void watch_feed(const RateGroup *group, double t, double *x);
/* Corrects slow rows that read very many states; the largest weighted correction. */
double watch_heavy(RateGroup *group, double h, double end, int *done, int dones);
/* After a large step that was refused for such a correction; work: of its small steps. Where that happens often
 * these rows are watched as the others are, which costs their length in every small step. */
void watch_refused(Rate *rate, double work);
/* The best value of a slow state of the parent at t, the end of the last small step or its beginning. */
double watch_value(const RateGroup *group, int state, double t, bool late);
/* Slow states to correct; value: FIX for each, the correction, its weighted size, and how much
 * of it every cluster finds. */
int watch_finish(RateGroup *group, int *fix, double *value);
/* The last small step is taken back: deviations are those at its beginning. */
void watch_back(RateGroup *group);

/* ---- event.c */
bool event_choose(Rate *rate); /* by cone or globally? false: no memory */
bool event_setup(Rate *rate);
void event_free(Rate *rate);
/* Adds to list what events of crossings that read it change; the new count. */
int  event_close(const Rate *rate, int *list, int n, int *place);
int  event_touched(const Rate *rate, const int *state, int n, int *list);
void event_begin(RateGroup *group, bool fresh); /* it starts; fresh: after an event */
void event_take_over(RateGroup *group, const RateGroup *before); /* it replaces another */
Status event_join(RateGroup       *group,
                  const RateGroup *before); /* its crossings when states join */
bool   event_list(
      RateGroup *group); /* makes the list of its crossings; false: no memory  */
Status
event_refresh(RateGroup *group); /* crossings at the present state                 */
/* Adds states of slow crossings that change over the attempt to list; the new count. */
int event_ahead(RateGroup *group, double t, int *list, int n);
int event_settle(RateGroup *group, double t, const int *done, int dones, int *list,
                 int n);
/* The full-length state of the model at t for states y of the group. */
const double *event_state(RateGroup *group, double t, const double *y);
Status        event_fire(RateGroup *group, bool at_once);
void          event_tell(Rate *rate); /* the step of the first level is accepted */

/* ---- aside.c */
void event_save(
    RateGroup *group); /* discrete values and crossings, to take a step back */
void event_restore(RateGroup *group);
/* A group below the first level looks at crossings that its parent has followed so far. */
void      event_look_up(RateGroup *group, const int *crossing, int count);
EventMark event_mark(const Worker *worker);
/* What the events of a cluster did since the mark is set aside, as if it had not been; group: the
 * last one of the cluster. False: no memory. */
bool event_set_aside(Cluster *cluster, const RateGroup *parent, const RateGroup *group,
                     EventMark mark);
/* What was set aside holds for the group whose cluster it is; false: no memory. */
bool event_commit(RateGroup *group, const Cluster *cluster);
/* Of the first level: which of its clusters' events ends the run, if one does. */
void event_blame(RateGroup *root);
void event_follow(Rate *rate); /* all instances have what happened to the first one */

/* ---- find.c */
/* After a step: *count > 0 if it now ends at an event, which event_fire handles. */
/* Is the polynomial of the last step good enough to end the step inside it? It has the order of the
 * error estimate. */
bool   event_dense_accurate(const RateGroup *group);
Status event_find(RateGroup *group, int *count);
double
event_expected(const RateGroup *group); /* time by which the next step should end */
/* Before a step after an event: *count > 0 if the next event is here, within rounding. */
Status event_here(RateGroup *group, int *count);

/* ---- timeline.c */
bool timeline_make(RateGroup *root); /* its clusters have run; false: no memory */
/* Replaces what the clusters of the last step know better at t. */
void timeline_values(const RateGroup *root, double t, double *x);
void timeline_clear(Timeline *line);
void timeline_free(Timeline *line);

/* ---- store.c */
/* Makes an array grow to hold `need`; false: no memory. */
bool store_room(void **data, size_t *have, size_t need, size_t size);
/* The last step of the group; event: at its end. */
bool store_step(Store *store, const RateGroup *group, bool event);
bool store_curves(Store           *store,
                  const RateGroup *group); /* what its watched states are on  */
/* How they left it in a part of that step. */
bool store_drift(Store *store, const RateGroup *group, double begin, double end);
/* The first event after begin in small steps from a mark to another; end if there is none. */
double store_event(const Store *store, Mark from, Mark to, double begin, double end);
/* Takes slope (t - begin) from the drift of a state in pieces of a level. */
void store_amend(Store *store, size_t from, size_t to, int level, int state, double begin,
                 double slope);
void store_rewind(Store *store, Mark mark);
void store_kill(Store *store, size_t from, size_t to); /* pieces that do not count */
/* Puts what a piece says of time t, if it does, into the packed states of a group. */
void store_value(const Store *store, size_t piece, const RateGroup *group, double t,
                 double *y);
static inline Mark store_mark(const Store *s) {
    return (Mark){s->pieces, s->values, s->ids};
}
void store_free(Store *store);

/* May an attempt h of a group end at t, inside it? It must be worth keeping. Events are searched for and
 * set aside with whole steps. */
static inline bool group_may_end(const RateGroup *g, double h, double t) {
    const double least = 0.1;
    return !g->rate->events && !g->rate->options.partition &&
           !(ode_fixed_step(g->ode) > 0.0) && t - ode_time(g->ode) >= least * h;
}

static inline double group_bound(const RateGroup *g, int b, double t) {
    const double *c = g->bound.coefficient + (size_t)b * COEFFICIENT;
    const double  theta = (t - g->bound.origin[b]) * g->bound.inverse[b];
    double        value = 0.0;
    for (int k = g->bound.powers[b]; k > 0; k--) value = (value + c[k]) * theta;
    return value + c[0];
}
static inline double group_bound_slope(const RateGroup *g, int b, double t) {
    const double *c = g->bound.coefficient + (size_t)b * COEFFICIENT;
    const double  theta = (t - g->bound.origin[b]) * g->bound.inverse[b];
    double        value = 0.0;
    for (int k = g->bound.powers[b]; k > 1; k--) value = (value + k * c[k]) * theta;
    return (value + c[1]) * g->bound.inverse[b];
}

#endif
