/* SPDX-License-Identifier: Apache-2.0 */
/* live.h -- a translated model while it runs: generated code seen as a Model.
 *
 *   instance.c  one running model: values, parameters, the waist of model.h
 *   loop.c      solution of torn blocks
 *   project.c   states brought back to the invariants of the model
 *   history.c   the past of variables under delay
 *   support.c   what generated functions ask of their host: stack, texts, faults
 *   extern.c    external functions: libraries compiled and loaded, guarded calls
 *
 * This is the one folder that sees both the compiler's plan and the solvers. */
#ifndef RUBATO_LIVE_H
#define RUBATO_LIVE_H

#include "gen/gen.h"

typedef struct Instance Instance;

/* ---- extern.c ---- */
typedef void SetHost(void *host);
typedef struct Externals { /* external code of one instance */
    void    **entry;       /* by function, NULL until it is first called */
    SetHost **set_host;    /* by function: of its library */
    Str       folder[16];  /* C sources of libraries that are loaded ... */
    void     *handle[16];  /* ... and the shared objects, NULL if that failed */
    int       libraries;
} Externals;

void extern_open(Externals *externals, int functions);
void extern_close(Externals *externals);

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
/* Remembers the present values at rb.time; event: those behind an event at that time. */
void history_note(Instance *instance, bool event);
/* Longest step that does not reach beyond a delay; 0 any. */
double history_step(Instance *instance);
/* The first time after t at which a jump of the past arrives; HUGE_VAL if none. */
double history_next(const Instance *instance, double t);
double history_delay(Rb *c, long var, double time);
void   history_remember(Rb *c, long var, double time, double most);
double history_spatial(Rb *c, int number, int end, double in0, double in1, double x,
                       double right);
void history_transport(Rb *c, int number, double in0, double in1, double x, double right,
                       int n, const double *point, const double *value);

/* ---- instance.c ---- */
typedef struct Loops { /* torn blocks of one plan, made when they are first solved */
    struct Loop **loop;
    int           groups;
} Loops;

typedef struct Segment { /* consecutive states whose variables are consecutive */
    int    state, var, count;
    double sign;
} Segment;

struct Instance {
    const Plan    *plan;
    const Image   *image;
    Rb             rb;
    int            states;
    int           *state; /* by state: its variable */
    int           *rate;  /* by state: the variable of its derivative */
    double        *rate_sign;
    Segment       *in, *out; /* states to variables, variables to derivatives */
    int            ins, outs;
    Loops          blocks;            /* of the plan */
    long           loops, iterations; /* counts */
    int            relations;         /* entries of rb.mode */
    double         event_time;        /* of the last round of event iteration */
    double        *before;            /* rb.mode before a round of event iteration */
    int            terminated;        /* action that ended the simulation + 1 */
    int            violated;          /* action whose assertion failed + 1 ... */
    int            violated_row;      /* ... and its row */
    Fault         *fault;             /* of the running call */
    Pattern        pattern;           /* of df/dx; start NULL if dense */
    int           *pattern_start, *pattern_row;
    double        *nominal;
    Model          model;
    ModelFunctions functions;   /* of the model */
    Projection    *projection;  /* NULL without invariants */
    History       *history;     /* of delays */
    double         past_points; /* how many a step should have */
    double    right_time; /* of the last event: jumps that arrive then have arrived */
    Support  *support;    /* of functions */
    Externals externals;
};

/* Values of parameters and start values come from the attributes of the system; computed ones
 * wait for instance_bind. */
bool instance_open(Instance *instance, const Plan *plan, const Image *image);
void instance_free(Instance *instance);
/* Runs the code of structure_bindings: parameters computed from others; then start values. */
Status instance_bind(Instance *instance, const Plan *bindings, const Image *image,
                     Fault *fault);
/* Solves the initial system (plan and code of structure_initial) for the values at time t:
 * first as it is, then along the homotopy from the simplified model. */
Status instance_initialise(Instance *instance, const Plan *initial, const Image *image,
                           double t, Fault *fault);
void   instance_put_states(Instance *instance, const double *x);
/* Value of any variable, aliases included. */
double instance_value(const Instance *instance, int var);
void   instance_set(Instance *instance, int var, double value);

/* ---- loop.c ---- */
int  loop_solve(Rb *c, int group, int row);
void loops_free(Loops *loops);

#endif
