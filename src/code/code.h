/* SPDX-License-Identifier: Apache-2.0 */
/* code.h -- C text turned into code in memory.
 *
 *   code.c    the code of a part: its entry points, its derivatives, better code while it runs
 *   tcc.c     tier 0: libtcc, in memory, at once
 *   native.c  tier 1: the C compiler of the machine, kept in a cache by content
 *   spawn.c   starts that compiler
 *   ccode.c   C code of Modelica libraries: compiled, kept, loaded
 *   built.c   code that was compiled together with the runtime
 *   kernels.c functions of a text that is no model
 *   host.c    calls of such code: what it reports becomes a value
 *   guard.c   what such code may do to the machine
 *   seal.c    kept code is verified before it is loaded
 *   beside.c  the Modelica libraries that come with the program
 *
 * Code is shared: many simulations on many threads run the same. An Image never changes after it
 * was published; better code is another Image, which a simulation takes between two steps. */
#ifndef RUBATO_CODE_H
#define RUBATO_CODE_H

#include "program/program.h"
#include "program/rb.h"

#include <sys/types.h>

/* ---- code.c ---- */

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
typedef void Entries(Rb *c, int row, double *a);

typedef struct Image {                   /* entry points of code in memory */
    int (*rates)(Rb *c);                 /* all that derivatives of states need */
    int (*eval)(Rb *c);                  /* all but what changes at events only */
    int (*events)(Rb *c);                /* everything */
    void (*crossings)(Rb *c, double *z); /* z changes sign where an event is due */
    void (*ahead)(Rb *c, double *z); /* those of time alone, which are not among these */
    double (*next)(Rb *c);           /* first time event after c->time; 1e300 if none */
    void (*checks)(Rb *c);           /* assertions that always hold */
    void (*actions)(Rb *c);          /* reinit, terminate, assertions of when-clauses */
    void (*remember)(Rb *c);         /* the present of what delay asks for */
    void (*invariants)(Rb *c, double *r); /* by how much each is missed */
    Residual *(*residual)(int);           /* of a loop group, NULL for others */
    /* the next three give NULL unless the part is selective: */
    ListCode *(*rows)(int);         /* of a group */
    CrossingCode *(*crossing)(int); /* by place in the body; NULL: no relations there */
    ListCode *(*action)(int);       /* of a family of actions; NULL if it is no reinit */
    ListCode *(*tangent_rows)(int); /* of a group, if selective; NULL: all zero */
    int (*tangent)(Rb *c); /* directions c->d of all variables from those of states */
    Tangent *(*loop_tangent)(int); /* of a loop group; NULL if it has discrete unknowns */
    void (*turns)(Rb *c); /* sense: directions of new values of states, to Rb.turn */
    Entries *(*loop_entries)(int); /* its matrix by columns; NULL: only by directions */
    long (*layout)(void);          /* see program/rb.h */
    /* of a clocked part: events() runs piece after piece, those of resting phases left out */
    int (*piece)(Rb *c, int piece);
    int (*piece_of)(int group);
    int (*inside)(
        Rb *c, int phase); /* the pieces of a phase that a solver repeats inside a step */
    int           tier;
    bool          shared; /* tier 0 out of a shared object */
    void         *handle; /* TCCState or dlopen handle */
    struct Image *before; /* made earlier for the same text; it stays loaded */
} Image;

typedef struct BuiltEntry { /* of a text that was compiled already */
    const char *name;       /* NULL after the last one */
    void (*at)(void);
} BuiltEntry;

typedef struct BuiltText {
    uint64_t          hash;  /* of the text */
    const BuiltEntry *entry; /* NULL after the last text */
} BuiltText;

typedef struct CodeOptions {
    int         tier;  /* 0, 1, or -1: 0 at first and 1 if the run lasts */
    const char *cache; /* folder of compiled files, NULL: none, so there is no tier 1 */
    const char *compiler; /* its name; NULL: cc */
    bool        trust;    /* external code may do everything, see guard.c */
    /* external functions of this program itself, by name, which run code of others; NULL: there are
     * none */
    void *(*own)(const char *symbol);
    /* folder with the objects of external code, see live/extern.c; it must stay. NULL: they are
     * compiled when they are needed */
    const char      *objects;
    const BuiltText *built; /* the code of all texts; NULL: it is compiled */
} CodeOptions;
/* A copy whose paths are kept in two texts. False: no memory for them; half a path would lead
 * elsewhere. */
bool code_options_copy(CodeOptions *to, const CodeOptions *from, Text *cache,
                       Text *compiler);

typedef struct Binary Binary; /* of one part; may be used on several threads at once */

/* Compiles the text of a part, which must outlive the code. NULL and why if that fails. */
Binary *binary_new(const Part *part, const CodeOptions *options, Text *why);
void    binary_free(Binary *b);
/* The best code there is now. */
const Image *binary_image(const Binary *b);
/* Code of the derivatives, made when first asked for; NULL if there is none. */
const Image *binary_tangents(Binary *b);
/* The same with respect to everything; NULL if the program has none. */
const Image      *binary_senses(Binary *b);
bool              binary_lacking(const Binary *b); /* there is none for want of memory */
static const char no_memory[] = "there is no memory"; /* what image_tcc says then */
/* Between two steps of a run that has lasted so many seconds: starts the compiler of the machine or
 * takes what it has made. */
void binary_improve(Binary *b, double seconds);

/* ---- spawn.c ---- */
/* Starts a compiler. Its messages go to the file `log`; `group`: it leads a process group of its own, so
 * that whatever it starts can be ended with it. 0, or what went wrong. */
int compiler_spawn(char *const argv[], const char *log, bool group, pid_t *child);

/* ---- tcc.c, native.c ---- */
/* False if the compiler is absent or rejects the text; why receives its words. */
/* cache: folder in which the code of long texts is kept, NULL: none. */
bool image_tcc(Image *image, const char *text, const char *cache, Text *why);
bool image_native(Image *image, const char *text, const CodeOptions *options, Text *why);
bool image_find(Image *image, void *(*find)(void *handle, const char *name),
                void  *handle);
/* Name of an entry point, counted from 0; NULL after the last one. */
const char *image_entry(int number);
bool        image_has(const Image *image, int number);
void        image_close(Image *image);

typedef enum { NATIVE_FAILED, NATIVE_RUNNING, NATIVE_READY } NativeState;
typedef struct Native { /* a text on its way through the compiler; zeroed or ended */
    NativeState state;
    long        child; /* process, 0 if none */
    Text        object, source, partial;
} Native;

bool native_cached(Native *native, const char *text, const CodeOptions *options);
/* True if it is in the cache or the compiler was started. */
bool        native_begin(Native *native, const char *text, const CodeOptions *options,
                         Text *why);
NativeState native_poll(Native *native, bool wait);
bool        native_load(const Native *native, Image *image, Text *why);
void        native_end(Native *native); /* also stops the compiler */

/* ---- built.c ---- */
bool image_built(Image *image, const char *text, const BuiltText *built, Text *why);

/* Compiles a text in memory; the address of `name`, or NULL and why. *state holds the code until
 * tcc_release. */
void *tcc_function(const char *text, const char *name, void **state, Text *why);
void *tcc_find(void *state, const char *name);
void  tcc_release(void *state);

/* ---- seal.c ---- */
bool seal_add(const char *path); /* false: it could not be written */
/* Is this a file of ours that nobody has changed? */
bool seal_holds(const char *path);

/* ---- guard.c ---- */
/* C text that goes with all external code, and options for its linker, ended by NULL. */
extern const char        guard_text[];
extern const char *const guard_flags[];
/* Does a file lie below the folder of a source file, or of the package that holds it? */
bool guard_below(const char *source, const char *path);

/* ---- kernels.c ---- */
typedef struct Kernels { /* functions of a text that is no model; zeroed or closed */
    void *handle;
    int   tier;
} Kernels;
/* By the compiler of the machine unless tier 0 is asked for or there is none. */
bool  kernels_open(Kernels *kernels, const char *text, const CodeOptions *options,
                   Text *why);
void *kernels_find(const Kernels *kernels, const char *name); /* NULL: there is none */
void  kernels_close(Kernels *kernels);

/* ---- host.c ---- */
typedef void SetHost(void *host);
typedef struct HostCall { /* a call of external code */
    SetHost *set;         /* tells the code who calls; NULL if it does not ask */
    void (*message)(void *owner, const char *text);
    bool trust;                                      /* the code may do everything */
    bool (*may_read)(void *owner, const char *path); /* else this; NULL: nothing */
    void  *owner;                                    /* passed to both */
    Arena *arena;                                    /* texts that the code makes */
    char   why[400];                                 /* what it reported */
} HostCall;

/* Runs call(frame); false if the code reports an error. */
bool              host_run(HostCall *host, void (*call)(void *frame), void *frame);
extern const char host_utilities[]; /* the text of ModelicaUtilities.h */
/* The C text of the functions of ModelicaUtilities and of the guards, to be compiled with the
 * code. */
void host_begin(Text *text);
/* A function of a shared object of external code; those it is linked with only with trust: NULL,
 * and why is filled. */
void    *host_symbol(void *library, const char *name, bool trust, Text *why);
SetHost *host_of(void *library); /* of a shared object; NULL */
/* A subroutine of LAPACK; NULL. */
void *host_fortran(const char *symbol);
/* The shared object of a folder of C sources; NULL and why if that fails. */
void *host_library(const char *folder, const CodeOptions *options, Text *why);

/* ---- lacking.c ---- */
extern const char lacking_text[]; /* C text that goes with all external code */
typedef struct HostFound {
    void *entry;   /* NULL: nobody defines it */
    void *library; /* the shared object that does */
} HostFound;
typedef HostFound HostFind(void *owner, const char *name);
/* A shared object of external code: its calls of functions that are not there report an error. NULL and
 * why if it cannot be loaded. */
void *host_open(const char *path, Text *why);
/* The object itself, or a copy of it in which functions that it lacks are those that `find` knows. NULL
 * and why if there can be none. */
void *host_complete(void *library, HostFind *find, void *owner, Text *why);

/* ---- beside.c ---- */
/* The folder of the libraries that come with the program; false: it is not there. */
bool libraries_beside(Text *out);
bool runtime_beside(Text *out); /* the shared object with the entry points of FMI */
bool sources_beside(Text *out); /* the folder of its sources, with a list of them */

#endif
