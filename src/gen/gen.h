/* SPDX-License-Identifier: Apache-2.0 */
/* gen.h -- C text from a plan, and the text turned into code. src/live runs it.
 *
 *   emit.c      groups and kernels as C text
 *   held.c      relations that keep their value between events
 *   program.c   the functions around the groups
 *   tangent.c   derivatives of groups and torn blocks as C text
 *   action.c    assertions, reinit, terminate and calls without results as C text
 *   relation.c  what the relations of a plan read
 *   invariant.c constraints that states keep up to drift, as C text
 *   function.c  user functions as C text;  costly.c: which results are worth keeping
 *   extern.c    calls of external functions as C text
 *   support.c   C text that every program begins with
 *   image.c     code in memory: its entry points, derivatives when they are asked for
 *   tcc.c       tier 0: libtcc, in memory, at once
 *   native.c    tier 1: the C compiler of the machine, kept in a cache by content
 *   tier.c      from tier 0 to tier 1 while the model runs
 *
 * Generated code has no state: all it reads and writes is in the Rb that it is handed. Values
 * of all variables, also Boolean and Integer ones, are doubles in one array by variable
 * number; but states are read from the integrator's vector, and derivatives written into it. */
#ifndef RUBATO_GEN_H
#define RUBATO_GEN_H

#include "dae/dae.h"
#include "model/model.h"

/* What generated code works on. The text declares the same struct: change both. */
typedef struct Rb    Rb;
typedef struct RbApi RbApi;
struct Rb {
    double       *v;  /* by variable */
    const double *x;  /* by state: of the evaluation that runs; see dae/home.c */
    double       *dx; /* by state: their derivatives, as far as plan->written */
    double        time;
    double        lambda;   /* homotopy: 0 simplified ... 1 actual */
    int           initial;  /* value of initial() */
    int           terminal; /* value of terminal() */
    int           tick;     /* an event is being handled: sample() may be true */
    double        before;   /* time of the event before, NaN at the first */
    int           live;  /* relations are evaluated and kept; else the kept values hold */
    double       *mode;  /* kept values of relations and step functions */
    const int    *table; /* plan->table */
    int (*loop)(Rb *c, int group, int row); /* solves a torn block; not 0: failed */
    double *d; /* by variable and column: directions, see tangent.c */
    int (*loop_tangent)(Rb *c, int group, int row); /* directions of a torn block */
    void (*reinit)(Rb *c, int var, double value);   /* a state gets a new value */
    /* what: REPORT_; text: what the model says, an address as a number */
    void (*report)(Rb *c, int action, int row, int what, double text);
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
    int (*mark)(Rb *c);               /* how many objects of external code there are */
    void (*release)(Rb *c, int mark); /* ends those made since */
    double (*keep)(Rb *c, const char *text); /* a copy that stays */
    /* The value that a variable had `time` ago. */
    double (*delay)(Rb *c, int number, long var, double time);
    /* Its value now, to be kept for `time` or, where that changes, for at most `most`. Delays that
     * change have a number, the others -1. */
    void (*remember)(Rb *c, int number, long var, double time, double most);
    /* An end (0, 1) of distribution `number` with these values entering and this shift. */
    double (*spatial)(Rb *c, int number, int end, double in0, double in1, double x,
                      double right);
    /* The distribution moves to x; at first it is made of n points and values. */
    void (*transport)(Rb *c, int number, double in0, double in1, double x, double right,
                      int n, const double *point, const double *value);
    /* Results of a costly function for these inputs, NULL if not known; and to be known. */
    const double *(*known)(Rb *c, int function, const double *in, int n);
    void (*know)(Rb *c, int function, const double *in, int n, const double *out,
                 int results);
};

typedef enum { REPORT_ERROR, REPORT_WARNING, REPORT_TERMINATE } ReportKind;

/* r = residuals of block `row` of a loop group with iteration variables z; also computes the
 * other unknowns of the block. */
typedef void Residual(Rb *c, int row, const double *z, double *r);
/* Some rows of a group, ascending: row i, of a chain i*size + position. Not 0: failed. */
typedef int ListCode(Rb *c, const int *item, int n);
/* z[k] of one relation of a kernel. */
typedef void CrossingCode(Rb *c, int k, double *z);

/* dr = directions of the residuals for dz = directions of the iteration variables, at the values
 * of the last evaluation of the residual and with the directions c->d of all that the block
 * depends on; also fills in those of its other unknowns. Column k of item i at [i*width + k]. */
typedef void Tangent(Rb *c, int row, const double *dz, double *dr);

typedef struct Tangents
    Tangents; /* derivatives of a plan as code, made when first asked for */

typedef struct Image { /* code in memory */
    int   tier;
    void *handle;                        /* TCCState or dlopen handle */
    int (*rates)(Rb *c);                 /* all that derivatives of states need */
    int (*eval)(Rb *c);                  /* all but what changes at events only */
    int (*events)(Rb *c);                /* everything */
    void (*crossings)(Rb *c, double *z); /* z changes sign where an event is due */
    double (*next)(Rb *c);   /* first time event after c->time; 1e300 if none */
    void (*checks)(Rb *c);   /* assertions that always hold */
    void (*actions)(Rb *c);  /* reinit, terminate, assertions of when-clauses */
    void (*remember)(Rb *c); /* the present of what delay asks for */
    void (*invariants)(Rb *c, double *r); /* by how much each is missed */
    int (*relations)(void);               /* entries of mode and z */
    int (*where)(int);          /* of a relation: place in plan->item, -1 if none */
    Residual *(*residual)(int); /* of a loop group, NULL for others */
    /* the next three give NULL unless plan->selective: */
    ListCode *(*rows)(int);         /* of a group */
    CrossingCode *(*crossing)(int); /* by place in plan->body; NULL: no relations there */
    ListCode *(*action)(int);       /* of a family of actions; NULL if it is no reinit */
    ListCode *(*tangent_rows)(int); /* of a group, if plan->selective; NULL: all zero */
    int (*tangent)(Rb *c); /* directions c->d of all variables from those of states */
    Tangent *(*loop_tangent)(int); /* of a loop group; NULL if it has discrete unknowns */
    Tangents     *tangents;        /* NULL: none; freed with the image */
    Text          text;            /* what it was made of, if it is to get better */
    struct Image *before;          /* code it replaced, which stays loaded; or NULL */
} Image;

/* ---- costly.c ---- */
/* By function; to be released by free. */
bool *gen_costly(Shapes *shapes);

/* ---- emit.c, function.c ---- */
/* The whole program. False if something cannot be expressed; diag says what. */
bool gen_text(const Plan *plan, Diag *diag, Text *out);
/* The program of derivatives, `width` columns at a time. */
bool gen_tangents(const Plan *plan, int width, Diag *diag, Text *out); /* tangent.c */
bool gen_actions(const Plan *plan, Diag *diag, Text *out);             /* action.c */
bool action_is_check(const Shapes *shapes, const Family *family);
bool gen_invariants(const Plan *plan, Diag *diag, Text *out); /* invariant.c */

/* ---- relation.c ---- */
typedef struct Relations { /* entries of mode and z */
    int   count;
    int  *place;       /* of its kernel in plan->body */
    int  *item;        /* of its equation in plan->item */
    int  *start, *var; /* variables that its crossing reads: var[start[k] ...) */
    bool *timed;       /* time events, known in advance: there is no crossing */
} Relations;

void relations_find(Relations *relations, const Plan *plan);
void relations_free(Relations *relations);

bool gen_functions(Shapes *shapes, const Plan *plan, Diag *diag, Text *out);
/* Only the functions that these terms call. */
bool gen_functions_of(Shapes *shapes, const Term *root, int roots, Diag *diag, Text *out);

/* x<number>(c, frame): calls the external function on variables at frame[k]. */
void extern_text(Shapes *shapes, const Function *f, int number, Text *out); /* extern.c */

/* Compiles a text in memory; the address of `name`, or NULL and why. *state holds the code until
 * tcc_release. */
void *tcc_function(const char *text, const char *name, void **state, Text *why);
void  tcc_release(void *state);

extern const char gen_support_text[]; /* support.c: declarations, before Rb */
extern const char gen_support_code[]; /* functions, after Rb */

/* ---- tcc.c, native.c ---- */
/* False if the compiler is absent or rejects the text; why receives its words. */
bool image_tcc(Image *image, const char *text, Text *why);
/* cache: a folder for compiled files, made if needed; its parent exists. */
bool image_native(Image *image, const char *text, const char *cache, Text *why);

typedef enum { NATIVE_FAILED, NATIVE_RUNNING, NATIVE_READY } NativeState;
typedef struct Native { /* a text on its way through the compiler; zeroed or ended */
    NativeState state;
    long        child; /* process, 0 if none */
    Text        object, source, partial;
} Native;

bool native_cached(Native *native, const char *text, const char *cache);
/* True if it is in the cache or the compiler was started. */
bool        native_begin(Native *native, const char *text, const char *cache, Text *why);
NativeState native_poll(Native *native, bool wait);
bool        native_load(const Native *native, Image *image, Text *why);
void        native_end(Native *native); /* also stops the compiler */

/* ---- tier.c ---- */
typedef struct Tier Tier;
/* The image must have its text. Code that is in the cache replaces its own at once. */
Tier *tier_new(Image *image, const char *cache);
/* Between two steps: starts the compiler, or takes what it made. True if code changed. */
bool tier_step(Tier *tier);
void tier_free(Tier *tier);

/* ---- image.c ---- */
/* Entry points by name; false if it is neither a model nor its derivatives. */
bool image_find(Image *image, void *(*find)(void *handle, const char *name),
                void  *handle);
void image_free(Image *image);
/* Gives an image the means to make the derivatives of its plan; plan and cache must outlive it.
 * cache: make them in tier 1; NULL: in tier 0. */
void image_with_tangents(Image *image, const Plan *plan, const char *cache);
/* The code of the derivatives and how many columns it takes at a time; made at the first call,
 * which must not happen on several threads at once. NULL if there is none. */
const Image *image_tangents(const Image *image, int *width);
Image       *image_made_tangents(Image *image); /* NULL if not made so far */

#endif
