/* SPDX-License-Identifier: Apache-2.0 */
/* gen.h -- C text from a plan, the text turned into code, and the code seen as a Model.
 *
 *   emit.c      groups and kernels as C text
 *   action.c    assertions, reinit and terminate as C text
 *   function.c  user functions as C text
 *   extern.c    external functions: calls as C text, libraries compiled and loaded
 *   support.c   arrays, texts and faults of functions while they run
 *   tcc.c       tier 0: libtcc, in memory, at once
 *   native.c    tier 1: the C compiler of the machine, kept in a cache by content
 *   loop.c      solution of torn blocks
 *   instance.c  one running model: values, parameters, the waist of model.h
 *
 * Generated code has no state: all it reads and writes is in the Rb that it is handed. Values
 * of all variables, also Boolean and Integer ones, are doubles in one array by variable
 * number. */
#ifndef RUBATO_GEN_H
#define RUBATO_GEN_H

#include "dae/dae.h"
#include "model/model.h"

/* What generated code works on. The text declares the same struct: change both. */
typedef struct Rb    Rb;
typedef struct RbApi RbApi;
struct Rb {
    double    *v; /* by variable */
    double     time;
    double     lambda;   /* homotopy: 0 simplified ... 1 actual */
    int        initial;  /* value of initial() */
    int        terminal; /* value of terminal() */
    int        tick;     /* an event is being handled: sample() may be true */
    int        live;     /* relations are evaluated and kept; else the kept values hold */
    double    *mode;     /* kept values of relations and step functions */
    const int *table;    /* plan->table */
    int (*loop)(Rb *c, int group, int row);       /* solves a torn block; not 0: failed */
    void (*reinit)(Rb *c, int var, double value); /* a state gets a new value */
    void (*report)(Rb *c, int action, int row, int what); /* REPORT_ */
    char        *stack;     /* arrays of functions; NULL until the first is made */
    long         top, room; /* bytes */
    int          failed;    /* a fault was met: values do not matter from there on */
    int          depth;     /* of nested calls */
    unsigned     fault_pos;
    const char  *fault_text;
    double       waste; /* what a subscript outside an array refers to */
    const RbApi *api;
    void *const *external; /* by function: the entry point of external code */
    void        *host;
};

/* What generated code asks of its host. Texts are addresses as numbers. */
struct RbApi {
    int (*more)(Rb *c, double bytes); /* stack; not 0: there is none */
    void (*fault)(Rb *c, unsigned pos, const char *text);
    void (*outside)(Rb *c, unsigned pos, double subscript, int dimension, int size);
    void (*sizes)(Rb *c, unsigned pos, int a, int b);
    void (*check)(Rb *c, unsigned pos, int level, double text);
    double (*join)(Rb *c, int n, const double *text);
    int (*compare)(double a, double b);
    double (*string_real)(Rb *c, double x, double digits, double width, double left);
    double (*string_integer)(Rb *c, double x, double width, double left);
    double (*string_boolean)(Rb *c, double x, double width, double left);
    double (*string_format)(Rb *c, double x, double format);
    /* Calls external code; not 0 and a fault if it reports an error. */
    int (*guard)(Rb *c, unsigned pos, int function, void (*call)(Rb *c, void *frame),
                 void *frame);
    double (*keep)(Rb *c, const char *text); /* a copy that stays */
};

enum { REPORT_ERROR, REPORT_WARNING, REPORT_TERMINATE };

/* r = residuals of block `row` of a loop group with iteration variables z; also computes the
 * other unknowns of the block. */
typedef void Residual(Rb *c, int row, const double *z, double *r);

typedef struct Image { /* code in memory */
    int   tier;
    void *handle;                        /* TCCState or dlopen handle */
    int (*eval)(Rb *c);                  /* all but what changes at events only */
    int (*events)(Rb *c);                /* everything */
    void (*crossings)(Rb *c, double *z); /* z changes sign where an event is due */
    double (*next)(Rb *c);      /* first time event after c->time; 1e300 if none */
    void (*actions)(Rb *c);     /* assertions, reinit, terminate */
    int (*relations)(void);     /* entries of mode and z */
    Residual *(*residual)(int); /* of a loop group, NULL for others */
    char *path;                 /* tier 1: the file, else NULL */
} Image;

/* ---- emit.c, function.c ---- */
/* The whole program. False if something cannot be expressed; diag says what. */
bool gen_text(const Plan *plan, Diag *diag, Text *out);
bool gen_actions(const Plan *plan, Diag *diag, Text *out); /* action.c */
bool gen_functions(Shapes *shapes, const Plan *plan, Diag *diag, Text *out);

/* ---- extern.c ---- */
typedef void SetHost(void *host);
typedef struct Externals { /* external code of one instance */
    void    **entry;       /* by function, NULL until it is first called */
    SetHost **set_host;    /* by function: of its library */
    Str       folder[16];  /* C sources of libraries that are loaded ... */
    void     *handle[16];  /* ... and the shared objects, NULL if that failed */
    int       libraries;
} Externals;

/* x<number>(c, frame): calls the external function on variables at frame[k]. */
void extern_text(Shapes *shapes, const Function *f, int number, Text *out);
void extern_open(Externals *externals, int functions);
void extern_close(Externals *externals);

/* ---- support.c ---- */
typedef struct Support  Support; /* texts and messages of one instance */
typedef struct Instance Instance;
extern const char       gen_support_text[]; /* declarations, before Rb */
extern const char       gen_support_code[]; /* functions, after Rb */
void                    support_open(Instance *instance);
void                    support_close(Instance *instance);
double                  support_text(const char *text); /* a String as a value */
int extern_guard(Rb *c, unsigned pos, int function, void (*call)(Rb *c, void *frame),
                 void *frame);

/* ---- tcc.c, native.c ---- */
/* False if the compiler is absent or rejects the text; why receives its words. */
bool image_tcc(Image *image, const char *text, Text *why);
/* cache: a folder for compiled files, made if needed. */
bool image_native(Image *image, const char *text, const char *cache, Text *why);
void image_free(Image *image);

/* ---- instance.c ---- */
typedef struct Segment { /* consecutive states whose variables are consecutive */
    int    state, var, count;
    double sign;
} Segment;

struct Instance {
    const Plan  *plan;
    const Image *image;
    Rb           rb;
    int          states;
    int         *state; /* by state: its variable */
    int         *rate;  /* by state: the variable of its derivative */
    double      *rate_sign;
    Segment     *in, *out; /* states to variables, variables to derivatives */
    int          ins, outs;
    double      *work; /* for loops */
    size_t       work_room;
    long         loops, iterations; /* counts */
    int          relations;         /* entries of rb.mode */
    double       event_time;        /* of the last round of event iteration */
    double      *before;            /* rb.mode before a round of event iteration */
    int          terminated;        /* action that ended the simulation + 1 */
    int          violated;          /* action whose assertion failed + 1 ... */
    int          violated_row;      /* ... and its row */
    Fault       *fault;             /* of the running call */
    Pattern      pattern;           /* of df/dx; start NULL if dense */
    int         *pattern_start, *pattern_row;
    double      *nominal;
    Model        model;
    Support     *support; /* of functions */
    Externals    externals;
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
/* Value of any variable, aliases included. */
double instance_value(const Instance *instance, int var);
void   instance_set(Instance *instance, int var, double value);

/* ---- loop.c ---- */
int loop_solve(Rb *c, int group, int row);

#endif
