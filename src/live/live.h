/* SPDX-License-Identifier: Apache-2.0 */
/* live.h -- a translated model while it runs: generated code seen as a Model.
 *
 *   instance.c  one running model: values, parameters, the waist of model.h
 *   twin.c      the same model for another thread
 *   cone.c      parts of a model: the rows that some derivatives need
 *   local.c     events of parts: relations that concern few states; readers.c, effect.c, occur.c:
 *               what they read, what they cause, one round of them
 *   loop.c      solution of torn blocks
 *   project.c   states brought back to the invariants of the model
 *   history.c   the past of variables under delay
 *   jacobian.c  df/dx from generated derivatives
 *   matrix.c    the same for torn blocks, and their factors
 *   cause.c     why a run failed, in terms of the model
 *   support.c   what generated functions ask of their host: stack, texts, faults
 *   effort.c    how much the derivatives cost
 *   recall.c    results of costly functions, by their arguments
 *   ccode.c     C code of libraries: compiled, kept, loaded
 *   extern.c    external functions: where their code is, guarded calls, objects
 *   foreign.c   external functions called while translating
 *
 * This is the one folder that sees both the compiler's plan and the solvers. */
#ifndef RUBATO_LIVE_H
#define RUBATO_LIVE_H

#include "gen/gen.h"
#include "lin/lin.h"

typedef struct Instance   Instance;
typedef struct Jacobian   Jacobian;
typedef struct Matrices   Matrices;
typedef struct Locals     Locals;
typedef struct LoopReport LoopReport; /* cause.c: a loop without solution */

typedef struct Stamps { /* counts that grow when something changed */
    long parameters;    /* values of parameters */
    long events;        /* discrete values, relations */
    long moments;       /* anything */
} Stamps;

/* ---- extern.c ---- */
typedef void SetHost(void *host);
typedef struct Shared { /* a shared object */
    Str   key;          /* of its sources */
    void *handle;       /* NULL: it could not be made */
} Shared;
typedef struct Object { /* of external code */
    double value;       /* its address */
    int    destructor;  /* a function */
} Object;
typedef struct Externals { /* external code of one instance */
    void    **entry;       /* by function, NULL until it is first called */
    SetHost **set_host;    /* by function: of its library */
    Shared   *library;
    int       libraries;
    Text      why;    /* the last library that could not be made */
    Object   *object; /* that live, in the order of construction */
    int       objects, room;
} Externals;

void extern_open(Externals *externals, int functions);
void extern_close(Rb *c); /* also ends all objects */
/* Ends the objects made since extern_mark, the last one first. */
int  extern_mark(Rb *c);
void extern_release(Rb *c, int mark);

/* The shared object of a folder of C sources; NULL and why if that fails. */
void *extern_library(const char *folder, Text *why);
/* A subroutine of LAPACK; NULL. */
void *extern_fortran(const char *symbol);
/* Runs call(frame); false and why (200 bytes) if the code of library reports an error. Texts that
 * it makes are taken from arena. */
bool extern_try(void *library, Arena *arena, void (*call)(void *frame), void *frame,
                char *why);

/* ---- foreign.c ---- */
typedef struct Foreign { /* libraries that translating has loaded */
    Arena arena;         /* texts that external code made         */
    struct {
        char *folder;
        void *handle;
    } library[16];
    int libraries;
} Foreign;

/* A ForeignFunction of the front end; context is a Foreign. */
struct ForeignCall;
bool foreign_call(void *context, struct ForeignCall *call);
void foreign_close(Foreign *foreign);

/* ---- effort.c ---- */
/* Simple equations that the derivatives of one state stand for, in the mean. */
double effort_of(const Plan *plan, int states);

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

/* ---- support.c ---- */
typedef struct Support Support; /* texts and messages of one instance */
void                   support_open(Instance *instance);
void                   support_close(Instance *instance);
double                 support_text(const char *text); /* a String as a value */
int extern_guard(Rb *c, unsigned pos, int function, void (*call)(Rb *c, void *frame),
                 void *frame);

/* ---- project.c ---- */
typedef struct Projection Projection; /* workspace, if there are invariants */
void                      project_open(Instance *instance);
void                      project_close(Instance *instance);
Status project_states(void *self, double t, double *x, double tolerance, bool *moved,
                      Fault *fault);

/* ---- history.c ---- */
typedef struct History History; /* the past of some variables of one instance */
void                   history_close(Instance *instance);
/* Remembers the present values at rb.time; event: those behind an event at that time. False:
 * one of them is not finite. */
bool history_note(Instance *instance, bool event);
/* Longest step that does not reach beyond a delay; 0 any. */
double history_step(Instance *instance);
/* The first time after t at which a jump of the past arrives; HUGE_VAL if none. */
double history_next(const Instance *instance, double t);
double history_delay(Rb *c, int number, long var, double time);
void   history_remember(Rb *c, int number, long var, double time, double most);
/* Crossings at which a jump arrives at an end of a distribution or through a delay that changes:
 * their number, known from the start on, and their values. At an event jumps that have reached it
 * are behind it. */
int    history_arrivals(const Instance *instance);
void   history_crossings(const Instance *instance, double *z);
void   history_arrive(Instance *instance);
bool   history_settled(const Instance *instance); /* no more to arrive now */
double history_spatial(Rb *c, int number, int end, double in0, double in1, double x,
                       double right);
void history_transport(Rb *c, int number, double in0, double in1, double x, double right,
                       int n, const double *point, const double *value);

/* ---- cone.c ---- */
typedef struct Cones Cones;
/* NULL if the code has no functions of single rows. */
Cones *cones_new(const Instance *instance);
void   cones_free(Cones *cones);
void   cones_forget(Cones *cones); /* values were changed by something else */
/* dx of the listed states; not 0: failed. */
int cones_eval(Instance *instance, double t, const double *x, const int *rate, int rates,
               double *dx);
/* z of some crossings; not 0: failed. */
int cones_crossings(Instance *instance, double t, const double *x, const Selection *which,
                    double *z);
/* After cones_eval: a place for the colouring of its states, zeroed at first. */
Colouring *cones_colouring(const Instance *instance);
/* After cones_eval: directions of all that its states move, from theirs; not 0: failed. */
int cones_directions(Instance *instance, const Image *code);
/* Zero again, but for those of the states. */
void cones_rest(Instance *instance, int width);

/* ---- local.c ---- */
/* NULL if the code has no functions of single rows. */
Locals *locals_new(const Instance *instance);
void    locals_free(Locals *locals);
/* For another thread: the same cones, work of its own. */
Locals          *locals_twin(const Locals *locals);
void             locals_twin_free(Locals *locals);
const Relations *locals_relations(const Locals *locals);
/* As in model.h; false: no relation is local. */
bool locals_patterns(const Locals *locals, const Pattern **reads,
                     const Pattern **changes);
/* One round of the event of some local relations. Changes go through the journal. */
Status locals_event(Instance *instance, double t, double *x, const Selection *which,
                    bool *again);

/* ---- instance.c ---- */
typedef struct Loops { /* torn blocks of one plan, made when they are first solved */
    struct Loop **loop;
    int           groups;
} Loops;

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

typedef struct Given { /* a value from outside */
    int    var;
    double value;
} Given;

struct Instance {
    const Plan  *plan;
    const Image *image;
    Rb           rb;
    int          states;
    int         *state; /* by state: its variable */
    int         *rate;  /* by state: the variable of its derivative */
    double      *rate_sign;
    uint8_t     *rate_home; /* by state: where code leaves the derivative ... */
    int         *rate_at;   /* ... and at which variable or state */
    Segments     in;        /* all states to their variables */
    Segments     copied;    /* states that code reads among the values */
    Segments     out;       /* derivatives that code does not leave in the vector */
    Segments     back;      /* derivatives in the vector to their variables */
    double      *dx;        /* derivatives, where nobody asks for them */
    bool         complete;  /* rb.v has the values of all variables at one point */
    Loops        blocks;    /* of the plan */
    long         loops, iterations; /* counts */
    Cones       *cones;             /* NULL: the model is evaluated as a whole */
    Locals      *locals;            /* NULL: events concern the whole */
    bool         part;              /* a part is being evaluated */
    double     *began; /* by variable: where loops begin, if there are parts; else NULL */
    Journal     journal;       /* of local events ... */
    long        noticed;       /* ... as far as that is known here */
    long        rows;          /* scalar equations evaluated */
    long        crossing_rows; /* crossings evaluated */
    long        all_rows;      /* of one evaluation of all derivatives ... */
    long        value_rows;    /* ... of all its values ... */
    long        event_rows;    /* ... and of one round of an event */
    int         relations;     /* entries of rb.mode */
    double      event_time;    /* of the last round of event iteration */
    double     *before;        /* rb.mode before a round of event iteration */
    double     *sided; /* by relation on its border: 1 held above it, -1 below, else 0 */
    int         terminated;   /* action that ended the simulation + 1 */
    bool        checked;      /* there are assertions that always hold */
    int         violated;     /* action whose assertion failed + 1 ... */
    int         violated_row; /* ... and its row */
    const char *said;         /* its text, NULL if it has none */
    Diag       *diag;         /* for warnings of the model; NULL: not wanted */
    Map         warned;       /* rows of actions that have warned */
    Fault      *fault;        /* of the running call */
    Pattern     pattern;      /* of df/dx; start NULL if dense */
    int        *pattern_start, *pattern_row;
    Jacobian   *jacobian; /* work of jacobian.c, NULL until it is needed */
    Matrices   *matrices; /* of torn blocks, NULL until they are needed */
    Stamps      stamps;
    bool        settling;    /* relations and discrete values are being found */
    long        differenced; /* Jacobians df/dx that had to be differenced */
    double     *nominal;
    Model       model;
    ModelFunctions functions;   /* of the model */
    Projection    *projection;  /* NULL without invariants */
    History       *history;     /* of delays */
    double         past_points; /* how many a step should have */
    double right_time; /* of the last event: jumps that arrive then have arrived */
    Given *given;      /* parameters and start values set from outside */
    int    givens;
    Given *reinit; /* states to be set when all actions of a round have been evaluated */
    int    reinits, reinit_room;
    Instance   *original; /* of a twin, else NULL */
    Support    *support;  /* of functions */
    LoopReport *report;   /* of the last loop that had no solution, NULL if none */
    Externals   externals;
};

/* Blocks of the running instance come from the system, not from the domain of a translation. */
#define mem_take   live_take
#define mem_resize live_resize
void *live_take(size_t n, size_t size);
void *live_resize(void *block, size_t bytes);

/* Values of parameters and start values come from the attributes of the system; computed ones
 * wait for instance_bind. */
bool instance_open(Instance *instance, const Plan *plan, const Image *image);
/* Memory for its values and relations; false: there is none. */
bool instance_values(Instance *instance);
void instance_free(Instance *instance);
/* Runs the code of structure_bindings: parameters computed from others; then start values. */
Status instance_bind(Instance *instance, const Plan *bindings, const Image *image,
                     Fault *fault);
/* Solves the initial system (plan and code of structure_initial) for the values at time t:
 * along the homotopy from the simplified model if there is one, else or if that fails as it is. */
Status instance_initialise(Instance *instance, const Plan *initial, const Image *image,
                           double t, Fault *fault);
/* There is no memory: tells the owner of the model. */
static inline void instance_lack(const Instance *instance, size_t bytes) {
    arena_lack(&instance->plan->st->sys->shapes->arena, bytes);
}
/* All variables at a point; not 0: failed. */
int instance_evaluate(Instance *instance, double t, const double *x);
/* The states and derivatives of the evaluation that runs, to where all other values are. */
void instance_recall(Instance *instance);
/* A derivative that rows of code have just computed into instance->dx, at states x. */
double instance_rate(const Instance *instance, int state, const double *x);
/* The states that actions want to set are set; fine: the actions have succeeded. */
void instance_reinit(Instance *instance, bool fine);
/* Value of any variable, aliases included. */
double instance_value(const Instance *instance, int var);
/* A parameter, or the start value of another variable; before instance_bind. */
void instance_set(Instance *instance, int var, double value);

/* ---- twin.c: as in ModelFunctions ---- */
void *instance_twin(void *instance, void *twin);
void  instance_twin_free(void *twin);

/* ---- jacobian.c ---- */
/* The pattern of df/dx; false if it is too full to be one. */
bool jacobian_pattern(Instance *instance);
/* value = df/dx in the entries of the pattern, of all if it is dense; see model.h. */
Status jacobian_model(void *instance, double t, const double *x, const Selection *columns,
                      double *value, Fault *fault);
void   jacobian_free(Instance *instance);

/* ---- matrix.c: torn blocks of the plan in use, row by row ---- */
/* The pattern of dr/dz; NULL: all entries, column by column. */
const Pattern *matrix_pattern(Instance *instance, int group);
/* dr/dz at the values of the last residual; false if there is none or it is not finite. */
bool matrix_fill(Instance *instance, int group, int row, double *value);
/* The factors made last are still those of the matrix. */
bool matrix_holds(Instance *instance, int group, int row);
/* STATUS_ABSENT: the block has no derivatives. */
Status matrix_factor(Instance *instance, int group, int row);
/* Factors that only rounding may have kept from being singular. */
bool matrix_doubtful(const Instance *instance, int group, int row);
void matrix_solve(Instance *instance, int group, int row, double *b);
/* Directions of the unknowns of a torn block from those of all it depends on; not 0: its matrix
 * is singular. */
int  matrix_directions(Rb *c, int group, int row);
void matrix_close(Instance *instance);

/* ---- loop.c ---- */
int  loop_solve(Rb *c, int group, int row);
void loops_free(Loops *loops);
/* Makes all of them, before twins ask for what they remember. */
void loops_make(Instance *instance);

/* ---- cause.c ---- */
typedef struct Cause { /* a value that is not finite, followed back */
    int    equation;   /* of the structure: it gave the first such value, -1: none */
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
void cause_loop(Instance *instance, int group, int row, const double *start,
                const double *last);
/* Finds out what instance->report means, before its words are asked for. */
void cause_loop_study(Instance *instance);
void cause_loop_headline(const LoopReport *report, Text *out);
Pos  cause_loop_pos(const LoopReport *report);
void cause_loop_notes(const LoopReport *report, const Instance *instance, Diag *diag);
void cause_free(LoopReport *report);
/* An assertion of level warning is violated: told once for each row. */
void cause_warning(Instance *instance, int action, int row, double text);

#endif
