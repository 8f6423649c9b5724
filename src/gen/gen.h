/* SPDX-License-Identifier: Apache-2.0 */
/* gen.h -- C text from a plan, and the text turned into code. src/live runs it.
 *
 *   emit.c      groups and kernels as C text
 *   action.c    assertions, reinit, terminate and calls without results as C text
 *   invariant.c constraints that states keep up to drift, as C text
 *   function.c  user functions as C text
 *   extern.c    calls of external functions as C text
 *   support.c   C text that every program begins with
 *   tcc.c       tier 0: libtcc, in memory, at once
 *   native.c    tier 1: the C compiler of the machine, kept in a cache by content
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
    double     before;   /* time of the event before, NaN at the first */
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
    /* The value that a variable had `time` ago. */
    double (*delay)(Rb *c, long var, double time);
    /* Its value now, to be kept for `time` or, where that changes, for at most `most`. */
    void (*remember)(Rb *c, long var, double time, double most);
    /* An end (0, 1) of distribution `number` with these values entering and this shift. */
    double (*spatial)(Rb *c, int number, int end, double in0, double in1, double x,
                      double right);
    /* The distribution moves to x; at first it is made of n points and values. */
    void (*transport)(Rb *c, int number, double in0, double in1, double x, double right,
                      int n, const double *point, const double *value);
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
    double (*next)(Rb *c);   /* first time event after c->time; 1e300 if none */
    void (*actions)(Rb *c);  /* assertions, reinit, terminate */
    void (*remember)(Rb *c); /* the present of what delay asks for */
    void (*invariants)(Rb *c, double *r); /* by how much each is missed */
    int (*relations)(void);               /* entries of mode and z */
    Residual *(*residual)(int);           /* of a loop group, NULL for others */
    char *path;                           /* tier 1: the file, else NULL */
} Image;

/* ---- emit.c, function.c ---- */
/* The whole program. False if something cannot be expressed; diag says what. */
bool gen_text(const Plan *plan, Diag *diag, Text *out);
bool gen_actions(const Plan *plan, Diag *diag, Text *out);    /* action.c */
bool gen_invariants(const Plan *plan, Diag *diag, Text *out); /* invariant.c */
bool gen_functions(Shapes *shapes, const Plan *plan, Diag *diag, Text *out);

/* x<number>(c, frame): calls the external function on variables at frame[k]. */
void extern_text(Shapes *shapes, const Function *f, int number, Text *out); /* extern.c */

extern const char gen_support_text[]; /* support.c: declarations, before Rb */
extern const char gen_support_code[]; /* functions, after Rb */

/* ---- tcc.c, native.c ---- */
/* False if the compiler is absent or rejects the text; why receives its words. */
bool image_tcc(Image *image, const char *text, Text *why);
/* cache: a folder for compiled files, made if needed. */
bool image_native(Image *image, const char *text, const char *cache, Text *why);
void image_free(Image *image);

#endif
