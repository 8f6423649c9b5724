/* SPDX-License-Identifier: Apache-2.0 */
/* live.h -- a program while it runs: values and factors over constant data, seen as a Model.
 *
 *   common.c    what all instances of one program share
 *   instance.c  one running model: values, parameters, the waist of model.h
 *   start.c     parameters and start values: the bindings and the initial system
 *   happen.c    events of the whole model
 *   tick.c      clocked partitions; step.c: steps of discretised ones; crew.c: on threads;
 *               frame.c: in real time; late.c: slow ones beside fast ones; exchange.c: with inputs
 *               and outputs outside
 *   twin.c      the same model for another thread
 *   cone.c      parts of a model: the rows that some derivatives need
 *   occur.c     one round of an event that concerns a part of the model
 *   loop.c      solution of torn blocks; modes.c: blocks whose relations depend on their unknowns
 *   fast.c      blocks with infinitely fast states: the equilibrium that they reach
 *   branch.c    torn blocks on one of several branches
 *   approach.c  torn blocks whose inputs went far
 *   project.c   states brought back to the invariants of the model
 *   history.c   the past of variables under delay
 *   jacobian.c  df/dx from generated derivatives
 *   matrix.c    the same for torn blocks, and their factors
 *   sense.c     derivatives with respect to parameters, start values and inputs
 *   block.c     blocks at the waist: unknowns, residuals, tangents
 *   motion.c    which states move fast: modes of the linearised model
 *   cause.c     why a run failed, in terms of the model
 *   support.c   what generated functions ask of their host: stack, texts, faults
 *   texts.c     Strings of one instance
 *   path.c      relations inside algorithm sections
 *   bounds.c    min and max of parameters and variables
 *   keep.c      the values of an instance as bytes
 *   profile.c   what groups of equations cost
 *   recall.c    results of costly functions, by their arguments
 *   extern.c    external functions: where their code is, guarded calls, objects */
#ifndef RUBATO_LIVE_H
#define RUBATO_LIVE_H

#include "code/code.h"
#include "lin/lin.h"
#include "model/model.h"

typedef struct Instance   Instance;
typedef struct Bytes      Bytes;
typedef struct Jacobian   Jacobian;
typedef struct Matrices   Matrices;
typedef struct Local      Local;  /* occur.c */
typedef struct Ticks      Ticks;  /* tick.c */
typedef struct Inside     Inside; /* step.c: values inside a step */
typedef struct Path       Path;   /* path.c: of an algorithm section */
typedef struct Bounds     Bounds; /* bounds.c: min and max of variables */
typedef struct Seen       Seen;   /* seen.c: crossings as functions of time and states */
typedef struct LoopReport LoopReport; /* cause.c: a loop without solution */
typedef struct Sense      Sense; /* sense.h: derivatives with respect to parameters */

/* ---- common.c: constant data of a program, made once ---- */

typedef struct
    Segment { /* consecutive states, and consecutive values that belong to them */
    int     state, at, count;
    uint8_t home; /* Home of the values: at is a variable or a state */
    double  sign;
} Segment;

typedef struct Segments {
    Segment *list;
    int      count;
} Segments;

typedef struct ConeGraph { /* continuous blocks in the order of computation: nodes */
    int  nodes;
    int *node_of;             /* by block, -1 if it is evaluated at events only */
    int *group, *item, *rows; /* by node; rows: scalar equations */
    int *need_start, *need;   /* by node: nodes whose results it uses */
    int *read_start, *read;   /* by node: states it reads */
    int *rate;                /* by state: node of its derivative, -1 if it has none */
} ConeGraph;

typedef struct LeftLimit { /* pre() of a variable */
    int    pre, of;
    int    at; /* the value of `of` is sign times that of this one */
    int8_t sign;
    bool   discrete; /* `of` is: a change of it ends an event iteration no sooner */
} LeftLimit;

/* What has to be evaluated for the value of a variable. */
typedef enum { EFFORT_NONE, EFFORT_RATES, EFFORT_ALL } OutputEffort;

typedef struct Common {
    const Program  *program;
    CodeOptions     options; /* with texts of its own: */
    Text            cache, compiler;
    Binary        **binary;    /* by part: the code; NULL until it is compiled */
    uint8_t        *rate_home; /* by state: where code leaves the derivative ... */
    int            *rate_at;   /* ... and at which variable or state */
    Segments        in;        /* all states to their variables */
    Segments        copied;    /* states that code reads among the values */
    Segments        out;       /* derivatives that code does not leave in the vector */
    Segments        back;      /* derivatives in the vector to their variables */
    double         *nominal;   /* by state */
    uint8_t        *effort;    /* by variable: OutputEffort */
    uint8_t        *recalled; /* by variable: discrete, and its left limit is asked for */
    LeftLimit      *left;     /* those of clocked variables come last ... */
    int             lefts, clocked; /* ... and are so many */
    Pattern         pattern;        /* of df/dx; start NULL if dense */
    Pattern         reads, changes; /* of local crossings, see model.h */
    Pattern        *full;           /* if it is */
    long            all_rows;       /* of one evaluation of all derivatives ... */
    long            value_rows;     /* ... of all values ... */
    long            event_rows;     /* ... and of one round of an event */
    ConeGraph      *cones;          /* NULL: the model is evaluated as a whole */
    struct Colours *colours;        /* made when first asked for */
    Seen           *seen;           /* which crossings have intervals */
} Common;

/* Compiles the code, too. NULL and why if that fails. */
Common *common_new(const Program *program, const CodeOptions *options, Text *why);
void    common_free(Common *common);
/* Of df/dx, also if it is dense; made when first asked for, which may take long. NULL: no memory. */
const Colouring *common_colouring(const Common *common);

/* ---- seen.c, inputs.c ---- */
enum {
    WINDOWS = 16
}; /* of time that are remembered: steps come in many lengths, again and again */

typedef struct InputWindow { /* of time */
    double from, width;      /* width 0: none yet */
    bool   even;             /* the input is, in the window */
} InputWindow;

typedef struct InputKnown { /* of an input */
    InputWindow window[WINDOWS];
    long        events;   /* stamp */
    bool        parabola; /* until the next event */
    bool        any;      /* something is known */
} InputKnown;

typedef struct
    Sight { /* of one running model by its formulas, each NULL until it is needed */
    InputKnown *known;   /* by input, of inputs.c */
    int        *degrees; /* work of inputs.c */
    Band       *bands;   /* work of seen.c */
} Sight;
Seen          *seen_new(const Program *program); /* NULL: no memory */
void           seen_free(Seen *seen);
const uint8_t *seen_bounded(const Seen *seen); /* by relation: BoundKind */
/* As ModelFunctions.moves, and as ModelFunctions.bounds. */
bool inputs_move(void *self, Range piece, InputSearch *search, InputMove *out);
bool inputs_kink(void *self, Range window, Range *where); /* ModelFunctions.kink */
bool seen_bounds(void *self, int crossing, Range time, const double *const x[3], Band *z);

/* ---- extern.c ---- */
typedef struct Shared { /* a shared object */
    uint64_t key;       /* of its sources */
    void    *handle;    /* NULL: it could not be made */
    void    *file; /* as it was loaded, if `handle` may be a completed copy; else NULL */
} Shared;
typedef struct Object { /* of external code */
    void *at;
    int   destructor; /* a function */
} Object;
typedef struct Externals { /* external code of one instance */
    const CodeOptions *options;
    void             **entry;    /* by function, NULL until it is first called */
    SetHost          **set_host; /* by function: of its library */
    Shared            *library;
    int                libraries;
    Text               why;    /* the last library that could not be made */
    Object            *object; /* that live, in the order of construction */
    int                objects, room;
    Text lacking; /* what is to be said of a function that was called and is not there */
    unsigned lacking_pos; /* ... and where; length 0: all are there */
} Externals;

bool extern_open(Externals *externals, int functions); /* false: no memory */
/* The shared objects of all external code of a program, each by its key and path: a copy under KEY.so in
 * CodeOptions.objects serves as well. False and why: some of it cannot be had. */
typedef void FoundObject(void *owner, uint64_t key, const char *path);
bool         extern_objects(const Program *program, const CodeOptions *options,
                            FoundObject *found, void *owner, Text *why);
void         extern_close(Instance *instance); /* also ends all objects */
int   extern_guard(Rb *c, unsigned pos, int function, void (*call)(Rb *c, void *frame),
                   void *frame);
void *extern_object(Rb *c, double object);
/* Was a function called that is not there? Then the fault says so, whatever happened since. */
bool   extern_lacks(Rb *c);
double extern_own(Rb *c, int function, void *object);
int    extern_mark(Rb *c);
void   extern_release(Rb *c, int mark);

/* ---- recall.c ---- */
typedef struct RecallEntry RecallEntry;
typedef struct Recall {
    RecallEntry *entry; /* NULL until something is kept */
} Recall;
/* The results of this call, NULL if they are not known. */
const double *recall_find(const Recall *r, int function, const double *in, int n);
void recall_keep(Recall *r, int function, const double *in, int n, const double *out,
                 int results);
void recall_free(Recall *r);

/* ---- texts.c: see program/rb.h ---- */
typedef struct RunTexts { /* texts made while the model runs */
    char **text;          /* by number after those of the program; NULL: free */
    int    count, room;
    int   *slot; /* open addressing by content: number + 1, 0 if free */
    int    slots;
    size_t bytes;  /* of all of them */
    size_t enough; /* beyond this, those that no variable has are given up */
} RunTexts;

const char *texts_get(const Instance *instance, double text);
/* The number of a text; equal texts have equal numbers. -1: no memory. */
double texts_keep(Instance *instance, const char *text);
/* Between evaluations: gives up texts that no variable has, if there are many. */
void texts_sweep(Instance *instance);
void texts_free(RunTexts *texts);
void texts_save(const Instance *instance, Bytes *to);
void texts_restore(Instance *instance, Bytes *from);

/* ---- support.c ---- */
typedef struct Support Support;
bool                   support_open(Instance *instance); /* false: no memory */
void                   support_close(Instance *instance);
void                   support_stack_free(Rb *c);
extern const RbApi     support_api;

/* ---- project.c ---- */
typedef struct Projection Projection; /* workspace, if there are invariants */
bool                      project_open(Instance *instance); /* false: no memory */
void                      project_close(Instance *instance);
Status project_states(void *self, double t, double *x, double tolerance, bool *moved,
                      Fault *fault);

/* ---- history.c ---- */
typedef struct History History; /* the past of some variables of one instance */
void                   history_close(History **place);
/* Remembers the present values at rb.time if they are as foretold, see PastPoint; NULL: those after
 * an event at that time. False: one of them is not finite. */
bool history_note(Instance *instance, PastPoint *point);
/* Longest step that does not reach beyond a delay; 0 any. */
double history_step(Instance *instance);
/* The first time after t at which a jump of the past arrives; HUGE_VAL if none. */
double history_next(const Instance *instance, double t);
double history_delay(Rb *c, int number, long var, double time);
void   history_remember(Rb *c, int number, long var, double time, double most);
/* Crossings at which a jump arrives at an end of a distribution or through a delay that changes:
 * their number, known from the start on, and their values. At an event jumps that have reached it
 * are past it. */
int    history_arrivals(const Instance *instance);
void   history_crossings(const Instance *instance, double *z);
void   history_arrive(Instance *instance);
bool   history_settled(const Instance *instance); /* no more to arrive now */
double history_spatial(Rb *c, int number, int end, double in0, double in1, double x,
                       double right);
void   history_save(const History *history, Bytes *to);
/* In the place of what is there. */
void history_restore(Instance *instance, History **place, Bytes *from);
/* At a tick: was a value looked at that is another one now? */
bool history_again(const Instance *instance);
void history_transport(Rb *c, int number, double in0, double in1, double x, double right,
                       int n, const double *point, const double *value);

/* ---- cone.c ---- */
typedef struct Cones Cones;
/* The constant part; NULL: no memory. */
ConeGraph *cone_graph_new(const Program *program);
void       cone_graph_free(ConeGraph *graph);
Cones     *cones_new(const Instance *instance); /* NULL: no memory */
void       cones_free(Cones *cones);
void       cones_forget(Cones *cones); /* values were changed by something else */
/* dx of the listed states; not 0: failed. */
int cones_eval(Instance *instance, double t, const double *x, const int *rate, int rates,
               double *dx);
/* z of some crossings; not 0: failed. */
int cones_crossings(Instance *instance, double t, const double *x, const Selection *which,
                    double *z);
/* The values of some variables, in ascending order, become those of this point, whatever was changed
 * before among what is known; not 0: failed. */
int cones_values(Instance *instance, double t, const double *x, int *var, int n);
/* After cones_eval: a place for the colouring of its states, zeroed at first. */
Colouring *cones_colouring(const Instance *instance);
/* After cones_eval: directions of all that its states move, from theirs; own false: that any states move; not 0:
 * failed. */
int cones_directions(Instance *instance, const Image *code, bool own);
/* From now on rows evaluated as parts of the model are counted; false: no memory. */
bool cones_begin_tally(Cones *cones, const Part *part);
/* How often, by the first item of the group + the number of the row in ListCode; NULL: they are not
 * counted. */
double *cones_tally(Cones *cones);
/* Zero again, but for those of the states. */
void cones_rest(Instance *instance, int width, bool own);

/* ---- occur.c ---- */
Local *local_new(const Instance *instance); /* NULL: no memory */
void   local_free(Local *local);
/* One round of the event of some local relations. Changes go through the journal. */
Status local_event(Instance *instance, double t, double *x, const Selection *which,
                   bool *again);

/* ---- instance.c ---- */

typedef struct Loops { /* torn blocks of one part, made when they are first solved */
    struct Loop **loop;
    int           groups;
    struct Modes *modes; /* work for those with relations, NULL until then */
} Loops;

typedef struct Stamps { /* counts that grow when something changed */
    long parameters;    /* values of parameters */
    long events;        /* discrete values, relations */
    long moments;       /* anything */
} Stamps;

typedef struct Follow { /* an algorithm section on its way, see path.c */
    int    site;        /* its relation, -1 if none runs */
    int   *cursor;      /* by place in its text: where its next result is looked for */
    int    room;
    double margin; /* the least distance of a relation from its border so far */
} Follow;

/* A part of the program in an instance: the run, the start, the bindings. Each has its own
 * relations, loops and factors over the same values. */
typedef struct Running {
    Instance    *instance;
    const Part  *part;
    Binary      *binary;
    const Image *image; /* the code it runs now */
    Rb           rb;
    Loops        blocks;
    Matrices    *matrices; /* NULL until they are needed */
    double      *sided; /* by relation on its border: 1 held above it, -1 below, else 0 */
    const Image *senses; /* it computes directions of everything; NULL: nobody does */
    Path   *paths;  /* by relation that stands for an algorithm section; NULL: none yet */
    Follow  follow; /* of the section that runs */
    double *began;  /* by variable: where loops begin, if there are parts; else NULL */
    /* of the evaluation that runs, see Moment */
    bool piece, settling;
} Running;

typedef struct Moment { /* what an evaluation is for: handed to generated code */
    double time;
    double lambda;   /* homotopy: 1 the model itself */
    bool   live;     /* relations are evaluated and kept; else the kept values hold */
    bool   piece;    /* only some rows: they leave nothing for others to start from */
    bool   initial;  /* value of initial() */
    bool   terminal; /* value of terminal() */
    bool   tick;     /* an event is being handled: sample() may be true */
    double before;   /* time of the event before, NaN at the first */
} Moment;

static inline Moment moment_at(double time) {
    return (Moment){.time = time, .lambda = 1};
}
void running_at(Running *running, Moment moment);

typedef struct Given { /* a value from outside */
    int    var;
    double value;
} Given;

typedef struct FastCounts { /* of infinitely fast processes */
    long solves;            /* equilibria asked for */
    long newton;            /* Newton iterations, one factorisation each */
    long steps;             /* steps in pseudo time */
    long followed;          /* solutions that needed such steps */
    long jumps;             /* to another branch */
} FastCounts;

typedef struct Counts {
    long       loops, iterations;
    long       approached; /* loops that were solved on the way from the last solution */
    FastCounts fast;
    long       rows;                  /* scalar equations evaluated */
    long       rates, values, rounds; /* evaluations of all derivatives, of all values, at
                                         events: what `rows` is the sum of, besides parts */
    long       crossing_rows;         /* crossings evaluated */
    long       differenced;           /* Jacobians df/dx that had to be differenced */
} Counts;

typedef struct Member { /* of a family of equal components */
    int     family;
    int64_t at;
} Member;

typedef struct Incident {          /* what actions of the model reported */
    int           terminated;      /* action that ended the simulation + 1 */
    int           violated;        /* action whose assertion failed + 1 ... */
    int           row;             /* ... and its row */
    char          said[400];       /* its text, "" if it has none */
    char          last_words[400]; /* of the action that ended the simulation */
    const Member *member; /* actions of others are not listened to; NULL: all are */
} Incident;

/* What the model or its external code says while it runs. warning false: a message. */
typedef void Say(void *owner, Pos pos, double time, bool warning, const char *text);

typedef struct EventState {
    double  time;       /* of the last round of event iteration */
    double  right_time; /* of the last event: jumps that arrive then have arrived */
    double *before;     /* modes before a round of event iteration */
    Given  *reinit; /* states to be set when all actions of a round have been evaluated */
    int     reinits, reinit_room;
    bool    final; /* the end of the simulation is reached: terminal() is true */
    Sense  *sense; /* it is told of the start and of events; NULL: nobody asks */
    /* Where no branch of a block agrees with its solution as long as left limits keep their values: */
    bool
        stepping; /* the one that the relations ask for may be taken, another round follows ... */
    bool
        stepped; /* ... and was taken in this round                                            */
    bool
        strict; /* left limits stayed all the same: such a branch is an error now             */
} EventState;

typedef struct Whole { /* an evaluation of all values whose results are still there */
    bool valid;
    long parameters, events; /* stamps then */
} Whole;

struct Instance {
    const Program *program;
    const Common  *common;
    Running        run;
    double        *v;        /* values of all variables, then modes of relations */
    double        *dx;       /* derivatives, where nobody asks for them */
    bool           complete; /* v has the values of all variables at one point */
    Whole          whole;
    Cones         *cones;   /* NULL: the model is evaluated as a whole */
    Local         *local;   /* NULL: events concern the whole */
    Journal        journal; /* of local events ... */
    long           noticed; /* ... as far as that is known here */
    EventState     event;
    Incident       incident;
    Counts         counts;
    Stamps         stamps;
    Map            warned;     /* rows of actions that have warned */
    Fault         *fault;      /* of the running call */
    Jacobian      *jacobian;   /* work of jacobian.c, NULL until it is needed */
    Projection    *projection; /* NULL without invariants */
    History       *history;    /* of delays */
    Ticks         *ticks;      /* of clocked partitions, NULL if there are none ... */
    Inside        *inside;     /* ... and what steps of them need */
    Given         *given;      /* parameters and start values set from outside */
    int            givens;
    unsigned char *is_given; /* by variable; NULL: none */
    Instance      *original; /* of a twin, else NULL */
    Instance      *twins;    /* of the original: the first; of a twin: the next */
    Support       *support;  /* of functions */
    RunTexts       texts;
    Externals      externals;
    Bounds        *bounds; /* of variables, NULL: nobody asked for them */
    Sight          sight;
    LoopReport    *report; /* of the last loop that had no solution, NULL if none */
    Say           *say;    /* NULL: nobody listens */
    void          *say_owner;
    bool (*asked)(void *owner); /* to end inside a step; NULL: nobody asks */
    void          *asked_owner;
    bool           lacking; /* memory ran out in a call that cannot say so */
    Model          model;
    ModelFunctions functions; /* of the model */
};

/* Values of parameters and start values come from the attributes of the program; computed ones
 * wait for instance_bind. False: no memory. */
bool instance_open(Instance *instance, const Common *common);
/* Memory for its values and relations; false: there is none. */
bool instance_values(Instance *instance);
void instance_free(Instance *instance);
/* All variables at a point; not 0: failed. */
int instance_evaluate(Instance *instance, double t, const double *x);
/* Nothing that nobody asked for is computed; not 0: failed. */
int instance_evaluate_for(Instance *instance, OutputEffort effort, double t,
                          const double *x);
/* Are the values still those of an evaluation at this point? */
bool instance_knows(const Instance *instance, double t, const double *x);
/* The states and derivatives of the evaluation that runs, to where all other values are. */
void instance_recall(Instance *instance);
/* A derivative that rows of code have just computed into instance->dx, at states x. */
double instance_rate(const Instance *instance, int state, const double *x);
/* Code that runs now reads the states x; after it has run, its derivatives are values, too. */
void instance_put_states(Instance *instance, const double *x);
void instance_put_rates(Instance *instance);
/* Value of any variable, aliases included. */
double instance_value(const Instance *instance, int var);
/* The same for people: the 0 of an Integer and its like has no sign. */
double instance_shown(const Instance *instance, int var);
/* From now on loops start from the present values. False: no memory. */
bool instance_begin_loops(Instance *instance);
/* Discrete values may have been taken back. */
void instance_notice(Instance *instance);
/* Anything may have changed: what was kept no longer holds. */
void instance_stamp(Instance *instance);
/* What a function complained about, if one did. */
void instance_function_fault(Running *running, Fault *fault);
/* A part of the program over the values of an instance. False: no memory. */
bool running_open(Running *running, Instance *instance, int part);
void running_close(Running *running);

/* ---- start.c ---- */
/* A parameter, or the start value of another variable; before instance_bind. False: no memory. */
bool instance_set(Instance *instance, int var, double value);
/* The same now, as an input may be changed at any time. */
void instance_put(Instance *instance, int var, double value);
void start_known(Instance *instance);  /* values that the attributes give as numbers */
void start_values(Instance *instance); /* start values of unknowns and states */
/* Parameters computed from others; then start values. */
Status instance_bind(Instance *instance, Fault *fault);
/* Solves the initial system for the values at time t: along the homotopy from the simplified model
 * if there is one, else or if that fails as it is. */
Status instance_initialise(Instance *instance, double t, Fault *fault);

/* ---- sense.c: what it is told ---- */
void sense_copy(Sense *sense, int to, int from, double sign); /* a value was copied */
void sense_seed(Sense *sense);             /* parameters and start values have theirs */
bool sense_part(Sense *sense, Running *r); /* a part of the start was computed */
void sense_shift(Sense *sense, int count); /* left limits took the present values */
bool sense_round(Sense *sense); /* equations of a round of an event were computed */
bool sense_turns(Sense *sense); /* its actions have been evaluated */

/* ---- path.c: relations inside algorithm sections ---- */
/* Section `site` begins, with relations at `places` places of its text; and ends: its crossing. */
void   path_begin(Rb *c, int site, int places);
double path_end(Rb *c);
/* The value of a relation or step function (a TermOp) of a and b. */
double path_follow(Rb *c, int op, int place, double a, double b);
void   paths_free(Running *running);
void   paths_save(const Running *running, Bytes *to);
void   paths_restore(Running *running, Bytes *from);

/* ---- rounds of an event (happen.c) ---- */

void event_round_begins(EventState *e, bool first);
/* Was a branch taken that does not agree with its solution? Then another round must follow. */
bool event_round_ends(EventState *e);

/* ---- bounds.c ---- */
typedef enum {               /* what happens where one is violated */
               BOUNDS_USUAL, /* a parameter ends the run, a variable warns */
               BOUNDS_STOP,
               BOUNDS_WARN,
               BOUNDS_OFF
} BoundLevel;
/* Looks at the parameters that are known. share: by which variables may be beyond, in units of their
 * nominal value and of the bound. Not STATUS_OK: a parameter violates its own. */
Status bounds_open(Instance *instance, BoundLevel level, double share, double t,
                   Fault *fault);
/* At the end of the start: looks at the parameters that it found, and from now on at variables. */
Status bounds_started(Instance *instance, double t, Fault *fault);
void   bounds_close(Instance *instance);
bool   bounds_any(const Instance *instance); /* has a variable some? */

/* Assertions about the member of a family that the instance is now, whose values are known; first: at the start. */
Status happen_check_member(Instance *instance, const Member *member, double t, bool first,
                           Fault *fault);

/* All variables at a point, or those of one member. */
Status bounds_check(Instance *instance, const Member *member, double t, const double *x,
                    Fault *fault);

/* ---- keep.c: the values of an instance as bytes ---- */
struct Bytes {
    char  *data;
    size_t count, room; /* written or read so far; beyond the room nothing is written */
    bool   failed;      /* more was asked for than is there, or there was no memory */
};
void bytes_put(Bytes *to, const void *data, size_t n);
void bytes_get(Bytes *from, void *data, size_t n); /* zeros, if there is less */
void instance_save(const Instance *instance, Bytes *to);
/* Into an instance of the same program whose parameters are bound: all values but objects, which
 * are its own. */
void instance_restore(Instance *instance, Bytes *from);
bool instance_has_objects(const Instance *instance);

/* ---- happen.c: functions of the model at events ---- */
void happen_report(Rb *c, int action, int row, int what, double text);
void happen_reinit(Rb *c, int var, double value);
/* What the model said when it ended the simulation, "" if nothing. */
const char *instance_last_words(const Instance *instance);
int shift_left_limits(Instance *instance); /* those of clocked variables shift at ticks */
void   shift_all_left_limits(Instance *instance);
Status happen_check(void *self, double t, const double *x, Fault *fault);
Status happen_ahead(void *self, double t, const double *x, const Selection *which,
                    double *z, Fault *fault);
Status happen_crossings(void *self, double t, const double *x, const Selection *which,
                        double *z, Fault *fault);
Status happen_event(void *self, double t, double *x, EventKind kind,
                    const Selection *which, bool *again, Fault *fault);
/* The states that actions want to set are set; fine: the actions have succeeded. */
void instance_reinit(Instance *instance, bool fine);

/* ---- tick.c ---- */
bool ticks_open(Instance *instance); /* false: no memory */
void ticks_close(Instance *instance);
void ticks_begin(Instance *instance, double t); /* the simulation starts */
/* The first time after t at which a clock ticks; HUGE_VAL if none is known. */
double ticks_next(const Instance *instance, double t);
/* From outside: before the simulation starts, no tick happens by itself ... */
void ticks_drive(Instance *instance);
/* ... and a sub-clock partition ticks at the next event if it is asked for. */
void   ticks_ask(Instance *instance, int sub);
double ticks_last(const Instance *instance,
                  int             sub); /* time of its last tick, -inf: none */
/* Before anything of an event: if periodic clocks tick, until the time has come, with the inputs of
 * then. */
void ticks_await(Instance *instance, double t);
void ticks_over(Instance *instance, double t); /* after all of it */
/* Inputs and outputs at ticks, see exchange.c. False and why: it cannot be opened. */
bool ticks_exchange(Instance *instance, const char *where, Text *why);
typedef struct ExchangeCounts {
    long received, lost, held; /* blocks of inputs, those left out, ticks without one */
    long refused;              /* packets of another layout */
    long sent, unsent;
} ExchangeCounts;
/* False: nothing is exchanged. */
bool ticks_exchanged(const Instance *instance, ExchangeCounts *counts);
/* All partitions whose clock ticks now, before the continuous equations. */
Status ticks_run(Instance *instance, double t, bool first_round, Fault *fault);
bool   ticks_look(Instance *instance); /* has the condition of a clock become true? */
void   ticks_save(const Instance *instance, Bytes *to);
void   ticks_restore(Instance *instance, Bytes *from);
/* Before the simulation starts: partitions run on so many threads, where that is possible, and at
 * this pace. Results do not depend on it, but for
 * slow partitions that are tasks of their own. False: no memory. */
typedef enum {
    TASKS_SINGLE,
    TASKS_SPLIT,
    TASKS_RATES,
    TASKS_STAGGERED                              /* the program says so */
} TickTasks;                                     /* see late.c */
bool ticks_have_tasks(const Instance *instance); /* slow partitions work on other ticks */
/* May a block look at relation i of its part? At a tick other partitions may be computed now. */
bool ticks_relation_is_near(const Running *running, const Group *group, int i);
typedef struct TickPace {
    double factor; /* simulated seconds a second, 0: as fast as possible */
    double spin;   /* seconds of each wait that are spent busily */
} TickPace;
bool ticks_execute(Instance *instance, int threads, TickPace pace, TickTasks tasks);
typedef struct Frame { /* the work of a sub-clock partition at its ticks, in seconds */
    long    ticks;     /* without the first */
    long    timed;     /* of these: work is measured in real time, else at some ticks */
    double  total, worst; /* of those that were timed */
    double  jitter;       /* the latest beginning of a tick, after it was due */
    long    misses;       /* frames that ended after the next tick was due */
    double  now;          /* of the tick that runs ... */
    int64_t ended;        /* ... and when it ended */
    int     thread;
} Frame;
/* Of a sub-clock partition; NULL: nothing was measured. */
const Frame *ticks_frame(const Instance *instance, int sub);
double       ticks_interval(const Instance *instance, int sub); /* 0: it varies */
double       ticks_longest(const Instance *instance);    /* tick of all, in seconds */
bool         ticks_priorities(const Instance *instance); /* false: they were refused */
/* Ticks at which a frame was missed, by what made them late first. */
typedef struct MissedTicks {
    long wake;        /* the system ended the wait late */
    long interrupted; /* it took the processor away during the work */
    long work;        /* the work was longer than the interval */
} MissedTicks;
MissedTicks ticks_missed(const Instance *instance);
/* Lines of the cache with values that ticks give; returns how many hold values of two threads. */
int  ticks_lines(const Instance *instance, int *all);
bool ticks_locked(const Instance *instance); /* no page of memory can be missing */
/* What ticks do can be taken back: it depends on values alone. */
bool ticks_repeatable(const Instance *instance);
/* From now on ticks are measured but do not wait; afterwards work that was not published is lost. */
void ticks_rehearse(Instance *instance, bool on);
void ticks_forget(Instance *instance); /* what was measured */
/* ---- step.c ---- */
struct OdeOptions; /* ode/ode.h */
/* Partitions with the method External are integrated so. What the options refer to must stay. */
void   ticks_integrate(Instance *instance, const struct OdeOptions *options);
double step_state(Rb *c, int state); /* Rb.step */

/* ---- twin.c: as in ModelFunctions ---- */
void *instance_twin(void *instance, void *twin);
void  instance_twin_free(void *twin);
/* profile.c: from now on rows are counted; false: no memory. */
bool instance_begin_profile(Instance *instance);
/* By row, as cones_tally, how often it was evaluated in the run; by group the seconds that one row
 * takes, measured at (t, x) with this clock; -1 if it cannot be measured. False: code of single groups
 * is not there. */
bool instance_profile(Instance *instance, double t, const double *x, double (*now)(void),
                      double *times, double *seconds);
/* Counts of a twin go to the original. */
void   profile_join(Instance *original, Instance *twin);
Counts instance_counts(const Instance *instance); /* with those of its twins */

/* ---- jacobian.c ---- */
/* value = df/dx in the entries of the pattern, of all if it is dense; see model.h. */
Status jacobian_model(void *instance, double t, const double *x, const Selection *columns,
                      double *value, Fault *fault);
/* The entries in some rows and columns, lists of states; with a list of rows goes always the same of columns. */
Status jacobian_part(Instance *instance, double t, const double *x, const Selection *rows,
                     const Selection *columns, double *value, Fault *fault);
void   jacobian_free(Instance *instance);

/* ---- matrix.c: torn blocks of a part, row by row ---- */
/* The pattern of dr/dz; NULL: all entries, column by column. */
const Pattern *matrix_pattern(Running *running, int group);
/* What moves together with iteration variable k: further variables, each with a slope; and whether
 * the variable itself stays. */
typedef struct Slopes {
    const int    *start; /* n + 1: of iteration variable k in the next two */
    const int    *variable;
    const double *slope;
    const bool   *still; /* n */
} Slopes;
/* dr/dz at the values of the last residual; false if there is none or it is not finite. slopes:
 * with what else moves, NULL: nothing. */
bool matrix_fill(Running *running, int group, int row, const Slopes *slopes,
                 double *value);
/* The factors made last are still those of the matrix. */
bool matrix_holds(Running *running, int group, int row);
/* STATUS_ABSENT: the block has no derivatives. */
Status matrix_factor(Running *running, int group, int row);
/* Factors that only rounding may have kept from being singular. */
bool matrix_doubtful(const Running *running, int group, int row);
void matrix_solve(Running *running, int group, int row, double *b);
/* Directions of the unknowns of a torn block from those of all it depends on; not 0: its matrix
 * is singular, or the block has no derivatives. */
int  matrix_directions(Rb *c, int group, int row);
void matrix_close(Running *running);

/* dr = dr/dz dz + dr/dx dx at the values of the last residual; dx NULL: 0. STATUS_ABSENT: the
 * block has no derivatives. */
Status matrix_tangent(Running *running, int group, int row, const double *dz,
                      const double *dx, double *dr);

/* dz = dz/d(var) of the solution at the values of the last residual; again: of another variable at the
 * same point. False: its matrix is singular. */
bool matrix_sensitivity(Running *running, int group, int row, int var, bool anew,
                        double *dz);

/* ---- motion.c ---- */
enum { MOTION_STATES = 600 }; /* states */
typedef struct FastPart {
    double
        share; /* of the state's participation that is in modes faster than a rate: 0 to 1 */
    double slowest; /* 1/s: the slowest of them that it has a part in; infinite: none */
    bool   damped;  /* those that it has a part in die out */
} FastPart;
/* By state, of the model linearised at a point. STATUS_ABSENT: it has too many states. */
Status motion_find(Instance *instance, double t, const double *x, double rate,
                   FastPart *state, Fault *fault);

/* ---- block.c: as in BlockFunctions ---- */
extern const BlockFunctions instance_blocks;

/* ---- loop.c ---- */
int  loop_solve(Rb *c, int group, int row);
void loops_free(Loops *loops);
/* Makes all of them, before twins ask for what they remember. False: no memory. */
bool loops_make(Running *running);
/* What was solved at time t belongs to a point that was accepted. */
void loops_settle(Running *running, double t);

/* Why an infinitely fast process has no equilibrium. */
typedef enum {
    FAST_FINE,
    FAST_STUCK,    /* no step of its motion can be solved */
    FAST_NO_REST,  /* it does not come to rest */
    FAST_DIVERGES, /* it grows beyond all bounds */
    FAST_UNSTABLE, /* it begins at an equilibrium that is not stable */
    FAST_FOLD      /* between events: the branch it was on has ended */
} FastFailure;

/* ---- cause.c ---- */
typedef struct Cause { /* a value that is not finite, followed back */
    int    item, part; /* it gave the first such value, and its part; item -1: none */
    double time;       /* of the evaluation */
    Pos    pos;
    Text   headline; /* what happened; to be freed */
} Cause;

/* Looks at the values of the last evaluation, if it was of all variables; false if all are
 * finite. */
bool cause_not_finite(const Instance *instance, Cause *cause);
/* The same at a point from which an integrator could not go on, and just ahead of it on the
 * tangent. If all are finite there, the values are those of the point. */
bool cause_ahead(Instance *instance, double t, const double *x, Cause *cause);
void cause_notes(const Instance *instance, const Cause *cause, Diag *diag);
/* Notes about a state whose steps become too small (diag may be NULL); the position of its
 * equation, 0 if unknown. */
Pos cause_state(const Instance *instance, int state, Diag *diag);
/* A note about the row of a relation (diag may be NULL); its position, 0 if unknown. */
Pos cause_relation(const Instance *instance, int relation, Diag *diag);
/* Keeps what is known of a loop that failed: start, last iterate, values of its equations. */
void cause_loop(Running *running, int group, int row, FastFailure fast,
                const double *start, const double *last);
Code cause_loop_code(const LoopReport *report);
/* Equations of a system depend on each other, though they have solutions: told once. */
void cause_redundant(Running *running, int group, int row);
/* The loop in the report has no branch whose relations agree with its solution. */
void cause_inconsistent(Instance *instance);
/* The solution of the loop in the report gives an Integer a fraction. */
void cause_fraction(Instance *instance);
/* Finds out what instance->report means, before its words are asked for. False: no memory. */
bool cause_loop_study(Instance *instance);
void cause_loop_headline(const LoopReport *report, Text *out);
Pos  cause_loop_pos(const LoopReport *report);
void cause_loop_notes(const LoopReport *report, const Instance *instance, Diag *diag);
void cause_free(LoopReport *report);
/* An assertion of level warning is violated: told once for each row. */
/* The words of an assertion, with the name of the component if only one of a family is asked. */
void cause_words(const Instance *instance, double text, Text *out);
void cause_warning(Instance *instance, int action, int row, double text);

static inline Running *running_of(Rb *c) {
    return c->host;
}
static inline Instance *instance_of(Rb *c) {
    return ((Running *)c->host)->instance;
}

#endif
