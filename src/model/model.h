/* SPDX-License-Identifier: Apache-2.0 */
/* model.h -- the waist: the narrow interface between a model and the runtime.
 *
 * A model is a set of sizes, its sparsity, and a constant table of functions over an
 * instance. The runtime does not depend on the language in which the model was written;
 * the model does not depend on step sizes. Every function that evaluates takes a Selection:
 * the requested rows. Vectors x and dx always have the full length of the model, but a
 * function reads only what the selected rows depend on and writes only those rows, so the
 * cost of a call depends on its selection only.
 *
 * A hand-written model sets nx and a ModelFunctions with eval; everything else may be left
 * zero. Without a pattern the Jacobian is assumed to be dense; without jacobian and tangent
 * it is approximated by coloured differences.
 *
 * No function may keep state outside the instance: one process may have many instances, on
 * several threads. */
#ifndef RUBATO_MODEL_H
#define RUBATO_MODEL_H

#include "base/base.h"

typedef enum Status {
    STATUS_OK,
    /* from a model: */
    STATUS_RETRY, /* cannot be evaluated here; another point may do            */
    STATUS_FATAL, /* cannot go on                                              */
    STATUS_END,   /* the model asks to end the simulation                      */
    /* from the runtime: */
    STATUS_SINGULAR,   /* a matrix that must be inverted is singular             */
    STATUS_DIVERGED,   /* an iteration does not converge                         */
    STATUS_NOT_FINITE, /* a value is infinite or not a number                    */
    STATUS_STEP_SMALL, /* the step fell below the resolution of time             */
    STATUS_TOO_MANY,   /* the limit on steps is reached                          */
    STATUS_CHATTERING, /* events follow each other without end                   */
    STATUS_TOLERANCE,  /* the tolerance is below what rounding allows            */
    STATUS_NO_MEMORY,
    STATUS_ARGUMENT, /* the call makes no sense                                */
    STATUS_ABSENT    /* not part of this build or this model                   */
} Status;

typedef enum FaultKind { /* what a message about a fault is about, if the status does not say it */
                         FAULT_OTHER,
                         FAULT_CONDITION, /* an assertion or an equation of the start does not hold */
                         FAULT_BOUNDS, /* a value is outside of its min and max */
                         FAULT_FUNCTION, /* a function or operation of the model has no result */
                         FAULT_VALUE, /* a constant or parameter is not a finite number */
                         FAULT_OUTPUT /* the result cannot be written */
} FaultKind;

typedef struct Fault { /* where a status came from                              */
    FaultKind   kind;
    double      time;     /* of the evaluation or step that failed                 */
    int         block;    /* block of the model, -1 if unknown                     */
    int         row;      /* row (scalar equation), -1 if unknown                  */
    int         variable; /* with a row: a variable of the model, else a state; -1 */
    int         relation; /* the crossing concerned, -1 if unknown                 */
    Pos         pos;      /* source position, 0 if none                            */
    Pos         caller;   /* of the equation that called the function at pos, or 0 ...  */
    int         given;    /* ... and the variable it gives                         */
    const char *what;     /* constant text, NULL if the status says it all         */
} Fault;

/* Compressed columns of a sparse matrix: column j has its rows in ascending order at
 * row[start[j] .. start[j + 1] - 1]. */
typedef struct Pattern {
    int        rows, columns;
    const int *start; /* columns + 1 entries   */
    const int *row;   /* start[columns] entries */
} Pattern;

typedef enum { SELECT_ALL, SELECT_RANGE, SELECT_LIST } SelectKind;

typedef struct Selection { /* a zeroed Selection means all rows             */
    SelectKind kind;
    int        first; /* SELECT_RANGE: first row                       */
    int        count; /* SELECT_RANGE, SELECT_LIST: number of rows     */
    const int *row;   /* SELECT_LIST: count rows in ascending order    */
} Selection;

typedef enum { EVENT_START, EVENT_TIME, EVENT_STATE, EVENT_FINAL } EventKind;

/* ---- journal.c: values that local events changed since the beginning of a step ---- */

typedef struct Change {
    long   at;            /* number of the value in the array of the journal    */
    double before, after; /* what it was and became ...                         */
    double t;             /* ... at this time                                   */
    int    number;        /* in the order of the changes                        */
} Change;

typedef struct Journal { /* zeroed but for values: empty                            */
    double *value;       /* what local events may change: one array per instance    */
    Change *change;
    int     count, room;
    int     applied; /* changes that are in force: the first so many             */
    long    version; /* counts whenever a value moved                            */
} Journal;

/* at: in the array. False: no memory. */
bool journal_set(Journal *journal, const double *at, double value, double t);
/* What happened to another instance, in that order, happens to this one. False: no memory. */
bool journal_adopt(Journal *journal, const Change *change, int count);
/* The values that changes of another instance left behind hold here as well. */
void journal_follow(Journal *journal, const Change *change, int count);
void journal_undo(Journal *journal, int mark); /* forgets all but the first `mark` */
void journal_sort(Journal *journal);           /* by time: marks no longer hold */
void journal_to(Journal *journal, double t);   /* values as they were at t; sorted */
void journal_cut(Journal *journal, double t);  /* forgets what came after t; sorted */
void journal_end(Journal *journal);            /* the present values hold: empty */
void journal_free(Journal *journal);

/* ---- blocks: what must be solved together, in the order of computation ---- */

typedef struct BlockInfo {
    int  n;      /* unknowns z of its residual r(z); 0: formulas give its variables */
    bool linear; /* r is linear in z                                              */
    int  gives;  /* variables that it gives, z among them ...                     */
    const int
        *variable;    /* ... by number                                                 */
    int  states;      /* states that it reads itself ...                               */
    const int *state; /* ... one of them may stand there twice                         */
    int        uses;  /* blocks whose results it reads ...                             */
    const int *block; /* ... all of them earlier ones                                  */
} BlockInfo;

/* Embedded solvers, implicit methods on index-1 systems and exported models see the equations of
 * a model here before they are solved. Functions of one block read what it depends on at the point
 * of the last call of `place`; they leave the results of all blocks as they are. */
typedef struct BlockFunctions {
    int (*count)(void *instance);
    Status (*info)(void *instance, int block, BlockInfo *info);
    /* The numbers of the variables that are its z. */
    Status (*unknowns)(void *instance, int block, int *variable);
    /* All blocks are solved at this point; x stays there while blocks are asked. */
    Status (*place)(void *instance, double t, const double *x, Fault *fault);
    Status (*solution)(void *instance, int block, double *z);
    Status (*residual)(void *instance, int block, const double *z, double *r,
                       Fault *fault);
    /* dr = dr/dz dz + dr/dx dx at z, where the results of other blocks stay; dx NULL: 0. */
    Status (*tangent)(void *instance, int block, const double *z, const double *dz,
                      const double *dx, double *dr, Fault *fault);
} BlockFunctions;

typedef struct PastPoint { /* for a model that keeps its past                           */
    double        begin;   /* of the step                                               */
    double        t;       /* of the point                                              */
    const double *x;       /* the state there                                           */
    double        most;    /* error with which it is kept, HUGE_VAL: any                */
    double        error;   /* result: how far what is kept is from what the points before
                            * foretell, relative to its size                            */
    int           order;   /* result: how many points foretell it, 0: nothing is kept   */
    double looked; /* result: how far what the model saw there of the step itself, because
                            * of a delay shorter than the step, is from what is kept, relative */
} PastPoint;

/* From what a crossing can be enclosed */
typedef enum {
    BOUND_NONE,
    BOUND_TIME,
    BOUND_STATES,
    BOUND_STILL /* it does not change between events: nobody need look */
} BoundKind;

typedef struct Range {
    double low, high;
} Range;

typedef struct
    Band { /* what a value and its derivative along the time are over a piece of time */
    Range value, slope;
} Band;

typedef struct
    InputMove { /* a place at which something that drives the states moves, unseen from afar */
    double at, length; /* of the piece of time in which it does */
} InputMove;

typedef struct InputSearch { /* of such places, begins with zeros */
    int       input, ring;
    InputMove steepest; /* place of the input, around which rings are looked at */
} InputSearch;

typedef enum { TOTAL_SUM, TOTAL_MOST } TotalKind;

/* Every function may be NULL except eval. All return STATUS_OK, STATUS_RETRY or
 * STATUS_FATAL and fill what they know of *fault when they fail. */
typedef struct ModelFunctions {
    /* Start values of the states at time t. The number of crossings may change here, once. */
    Status (*init)(void *instance, double t, double *x, Fault *fault);
    /* dx = f(t, x) in the selected rows. */
    Status (*eval)(void *instance, double t, const double *x, const Selection *rows,
                   double *dx, Fault *fault);
    /* out_k = df/dx seed_k in the selected rows, for k < seeds; vector k starts at
     * seed + k nx and out + k nx. */
    Status (*tangent)(void *instance, double t, const double *x, const Selection *rows,
                      int seeds, const double *seed, double *out, Fault *fault);
    /* value[p] = df/dx for the entries p of the pattern whose row and column are selected;
     * others of the same columns may be written, too. */
    Status (*jacobian)(void *instance, double t, const double *x, const Selection *states,
                       double *value, Fault *fault);
    /* dt = df/dt in the selected rows. */
    Status (*time_derivative)(void *instance, double t, const double *x,
                              const Selection *rows, double *dt, Fault *fault);
    /* z = values whose sign changes are events, for the selected crossings: the relation
     * belonging to crossing i is z_i > 0. Relations inside eval keep the value they had in
     * the last event round. */
    Status (*crossings)(void *instance, double t, const double *x, const Selection *which,
                        double *z, Fault *fault);
    /* The same for crossings that depend on time alone as long as no event happens: they are
     * searched for before a step is taken. crossings gives -1 for them, and this leaves alone
     * the z of the others, but for those whose times next_event tells: these are infinite, and
     * nobody looks at them. NULL: there are none. */
    Status (*ahead)(void *instance, double t, const double *x, const Selection *which,
                    double *z, Fault *fault);
    /* Encloses a crossing that Model.bounded names over a piece of time without events. x: the states at
     * its beginning, in its middle and at its end; not read for BOUND_TIME. False: it cannot. */
    bool (*bounds)(void *instance, int crossing, Range time, const double *const x[3],
                   Band *z);
    /* The next place at which an input of the states that depends on time alone comes and goes inside this piece
     * of time. False: there are no more. */
    bool (*moves)(void *instance, Range piece, InputSearch *search, InputMove *out);
    /* Around the first place in the window at which an input of the states that depends on time alone has a kink or
     * jumps, without an event. False: there is none up to where->low. */
    bool (*kink)(void *instance, Range window, Range *where);
    /* One round of event iteration at time t: relations and discrete variables are
     * brought up to date and x may jump. *again: something changed, another round is
     * needed. EVENT_FINAL marks the end of the simulation. which: the local crossings that
     * changed sign, if only they need to be looked at; all otherwise. What a local event
     * changes goes through the journal. */
    Status (*event)(void *instance, double t, double *x, EventKind kind,
                    const Selection *which, bool *again, Fault *fault);
    /* *when = first time after t at which the model wants an event, HUGE_VAL if none. */
    Status (*next_event)(void *instance, double t, double *when, Fault *fault);
    /* Brings x back to what the model knows to hold between its states, if that is missed by
     * more than the tolerance; *moved: it was. */
    Status (*project)(void *instance, double t, double *x, double tolerance, bool *moved,
                      Fault *fault);
    /* A point of the solution: called at points of a step in ascending order. A model that depends
     * on its past keeps it here. */
    Status (*accept)(void *instance, PastPoint *point, Fault *fault);
    /* The journal of an instance, see below; NULL: local events change x only. */
    Journal *(*journal)(void *instance);
    /* An instance for another thread, with the same parameters and discrete values: a new
     * one if twin is NULL, else twin brought up to date. NULL: there is none. What local events
     * change of a twin goes through a journal of its own. */
    void *(*twin)(void *instance, void *twin);
    void (*twin_free)(void *twin);
    /* Does the model accept this point? Asked after every step; STATUS_RETRY: an assertion is
     * violated. */
    Status (*check)(void *instance, double t, const double *x, Fault *fault);
    /* Values of the selected recorded variables. */
    Status (*output)(void *instance, double t, const double *x, const Selection *which,
                     double *y, Fault *fault);
    /* Of a model that is a part of one over several processes: sums over all of them or the largest values, in
     * place, the same on each. NULL: it is no such part. */
    void (*total)(void *instance, TotalKind kind, double *value, int n);
    /* The blocks that the model consists of; NULL: it does not tell. */
    const BlockFunctions *block;
} ModelFunctions;

enum {
    MODEL_LINEAR = 1,     /* f(t, x) = A x + g(t) with a constant A              */
    MODEL_AUTONOMOUS = 2, /* f does not depend on t                             */
    MODEL_WHOLE = 4, /* jacobian reads and costs everything, whatever is selected      */
    MODEL_KEEPS = 8, /* eval keeps what did not change since the last call of its kind */
    MODEL_PARTIAL =
        32, /* jacobian leaves entries out: Newton's method goes on with it, Rosenbrock's does not */
    MODEL_FOLDS =
        16 /* where it cannot be evaluated ahead, an event may find another branch */
};

/* ---- the model ---- */

typedef struct
    Efforts {     /* of derivatives, in simple equations; zeros: not known        */
    double each;  /* all of them together, by their number                        */
    double alone; /* one for itself, on average: more, if it needs what others need too */
} Efforts;

/* Of a part of a model over several processes, what implicit methods need: which states couple the parts, and how.
 * Without these coupling states, which have numbers of their own, no state of a part acts on one of another. */
typedef struct Seam {
    const Pattern *whole;  /* of df/dx of all processes */
    int            count;  /* coupling states of all processes ... */
    const int     *number; /* ... nx: which of them a state is, -1: none */
    int entries; /* of df/dx between states of this process and coupling states of others ... */
    const int *row,
        *column; /* ... -1 - number of a coupling state of others, else a state ... */
    const double  *value; /* ... as the last call of `jacobian` left them */
    const Pattern *schur; /* among the coupling states when all others are eliminated,
                                    with the diagonal */
} Seam;

typedef struct Model {
    int nx;  /* states                                  */
    int all; /* with `total`: states of all processes  */
    int ny;  /* recorded variables besides states       */
    int nz;  /* crossings                               */
    /* A crossing is local if its event can be handled for itself. It then has entries in: */
    const Pattern *reads;   /* nz x nx: crossings reading a state; NULL: none local */
    const Pattern *changes; /* nx x nz: rows its event changes and states it reads  */
    const uint8_t *bounded; /* by crossing below boundeds: BoundKind; NULL: none     */
    int            boundeds;
    unsigned       flags;     /* MODEL_*                                 */
    const Pattern *pattern;   /* of df/dx; NULL: dense                   */
    const Seam    *seam;      /* with `total`; NULL: explicit methods only */
    double         step_most; /* longest step the model allows, 0 any    */
    const double  *nominal;   /* nx typical magnitudes, NULL: all 1      */
    Efforts        effort;    /* what derivatives cost                   */
    const ModelFunctions *fn;
    void                 *instance;
} Model;

static inline Journal *model_journal(const Model *model) {
    return model->fn->journal ? model->fn->journal(model->instance) : NULL;
}

/* The same; of a model that tells nothing what is usual. */
Efforts model_effort(const Efforts *known);
/* May a part of its states be worth a step of its own? See divide.c. */
bool model_divides(const Efforts *effort, int states);

/* Text of a status for people. */
const char *status_text(Status status);

/* Number of rows of a selection of at most all rows; row i of it. */
static inline int selection_count(const Selection *s, int all) {
    return s->kind == SELECT_ALL ? all : s->count;
}
static inline int selection_row(const Selection *s, int i) {
    return s->kind == SELECT_ALL ? i : s->kind == SELECT_RANGE ? s->first + i : s->row[i];
}

static inline Fault fault_none(void) {
    return (Fault){.block = -1, .row = -1, .variable = -1, .relation = -1};
}

#endif
