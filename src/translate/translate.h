/* SPDX-License-Identifier: Apache-2.0 */
/* translate.h -- from the name of a class to a program: the way of a model.
 *
 *   clocks.c      clocked partitions
 *   driver.c      one table of passes, each with what it needs, gives and prints
 *   target.c      what is to be translated: a class of a file or of a library
 *   experiment.c  the annotation that says how to simulate it
 *   setting.c     values from outside: which shape the model, which a simulation can take
 *   batches.c     families of equal systems
 *   lied.c        classes of linear implicit equilibrium dynamics
 *   foreign.c     external functions called while translating
 *   summary.c     what there is to say about a translated model
 *   freeze.h      the program out of the last passes */
#ifndef RUBATO_TRANSLATE_H
#define RUBATO_TRANSLATE_H

#include "code/code.h"
#include "flat/flat.h"
#include "gen/gen.h"
#include "syntax/syntax.h"

typedef struct PartBuild { /* equations on their way to a part of the program */
    Structure structure;
    Plan      plan;
    Text      text, tangent, sense;
    int       width;
    bool      planned; /* plan is to be freed */
} PartBuild;

/* ---- foreign.c ---- */
typedef struct ForeignLibrary {
    char *folder;
    void *handle;
} ForeignLibrary;

typedef struct ForeignObject { /* made by a constructor while translating */
    void *address;
    char *destructor, *folder; /* its symbol, and where its code is; NULL      */
} ForeignObject;

typedef struct Foreign {  /* external code that translating has used */
    Arena          arena; /* texts that it made, names of files it was given */
    CodeOptions    options;
    const Sources *sources; /* what has been loaded: its folders may be read */
    ForeignLibrary library[16];
    int            libraries;
    ForeignObject *object; /* of the translation that runs */
    int            objects, object_room;
    const char   **file; /* that it may have read */
    int            files, file_room;
    /* of `owner`: the class that stands for an FMU; NULL: there are none */
    bool (*unit)(const void *owner, const char *path, Text *text, Text *why);
    const void *owner;
} Foreign;

/* A ForeignFunction of the front end; context is a Foreign. */
bool foreign_call(void *context, struct ForeignCall *call);
void foreign_end_objects(Foreign *foreign);
/* A UnitFunction of the front end. */
bool foreign_unit(void *context, const char *path, Text *text, Text *why);
void foreign_close(Foreign *foreign);

/* ---- setting.c ---- */
typedef struct Setting { /* name=value from outside */
    const char *name, *value;
    int         var;      /* variable of that name, -1 if there is none ... */
    int         inside;   /* ... but this one begins with it, -1 if none does */
    double      number;   /* the value, if a simulation can take it */
    size_t      length;   /* of the name, without ".start" or ".nominal" */
    bool        start;    /* the start value of a variable is meant */
    bool        nominal;  /* its nominal value is meant, always a modifier */
    bool        modifier; /* it is a modifier of the model */
    const char *refused;  /* why it cannot be done; NULL: it can */
} Setting;

/* What variables there are, in a model under translation or in a program. */
typedef struct NamedVariables {
    Variables all;
    NameBase *name;
    /* see program_shown_name, program_in_many; these and name: with owner */
    bool (*shown)(const void *owner, const char *name, Text *out);
    bool (*in_many)(const void *owner, int run);
    const void    *owner;
    const uint8_t *set; /* by variable: SetKind; NULL: to be found out from its run */
} NamedVariables;

NamedVariables system_named(const System *sys);
NamedVariables program_named(const Program *program);
/* Finds out what to do with each; true if one of them became a modifier now. */
bool settings_sort(Setting *setting, int n, const NamedVariables *among);
/* "(a = 1, b(c = 2))" of the modifiers among them, empty if there are none. */
void settings_modifiers(const Setting *setting, int n, const NamedVariables *among,
                        Text *out);

/* ---- driver.c ---- */
typedef struct Draft Draft; /* freeze.h */

typedef struct BatchBuild { /* a family of equal systems, see batches.c */
    int64_t            count;
    int                states, torn, aside, knowns, results, code, uniform;
    int               *known;
    bool               part; /* of a network ... */
    const int         *host; /* ... without kernels: see BatchFamily; else NULL */
    const char        *why;  /* there are none */
    const struct Fold *fold; /* NULL: what belongs to none */
} BatchBuild;

typedef struct Watch {        /* who looks on */
    const char *dump, *until; /* names of passes, or NULL */
    void (*pass)(void *owner, const char *name, bool fine, double seconds);
    void *owner;
    bool (*stop)(void *owner); /* true: nobody wants the result any more; NULL */
} Watch;

typedef struct Translation {
    Session           *session;
    Library           *library;
    Foreign           *foreign;
    const char        *file;   /* a .mo file to read first, or NULL */
    const char        *text;   /* what is in this file, NULL: it is read from disk */
    const char *const *beside; /* further files, read before it */
    int                besides;
    const char        *class_;    /* full name, or its end; NULL: the last of the file */
    const char        *modifiers; /* "(a = 1)" from outside, or NULL */
    bool               selective; /* parts of the model will be evaluated on their own */
    bool               selective_if_worth; /* only if that can pay: schedule decides */
    bool               check;              /* every class is looked at, too */
    bool               components; /* arrays of components are translated once ... */
    bool               components_if_worth; /* ... only if that can pay: see choose.c */
    bool               trial; /* fold: nobody asked for families, which may be given up */
    Diag               before;    /* messages then */
    bool               staggered; /* slow clocked partitions go ahead of fast ones */
    bool               sensitive; /* with derivatives by parameters and inputs */
    const char *theta; /* what is to be multiplied by THETA: names with commas, or NULL */
    bool        keep;  /* rows and graphs stay after they are needed, to be looked at */
    Watch       watch;
    /* results of the passes */
    const char      *target; /* parse: full name of the class */
    Front           *front;  /* instantiate */
    FlatModel       *flat;   /* instantiate, connect, flatten */
    Rows            *rows;   /* rows */
    PartBuild       *part;   /* from clocks on; from aliases to emit */
    int              parts;
    BatchBuild      *batch; /* batch: families, NULL if they are not asked for */
    int              batches;
    int             *batch_of_run;
    struct NetBuild *net; /* recognise: of a network of parts; NULL: there is none */
    Text             batch_text;
    Draft           *draft;   /* from tables to locality */
    Program         *program; /* freeze */
    Text             dump;    /* of the pass that was asked for */
    bool             stopped; /* at the pass named by watch.until */
    Arena            arena;
} Translation;

/* Is there a pass of this name? names: all of them, if there is none. "structure" is another name
 * of "partitions", whose dump is then a report of the whole structure. */
bool translate_pass(const char *name, Text *names);
/* Runs the passes from `first` (NULL: the first) to `last`, both included. False: messages were
 * reported. */
bool translate_run(Translation *t, const char *first, const char *last);
/* After a pass failed: if the model was translated as families that nobody asked for, all of that is forgotten, and
 * it is to be instantiated again as a whole. */
bool translate_instead(Translation *t);
/* Frees all that passes gave, but for the program. */
void translate_close(Translation *t);
/* Forgets all but the target: the model is to be instantiated again with other modifiers. */
void translate_again(Translation *t, const char *modifiers);

/* ---- clocks.c ---- */
/* Parts for the continuous equations and for so many base-clock partitions. */
void translate_open_parts(Translation *t, int bases);
bool translate_partitions(
    Translation *t); /* structures of clocked parts; false: reported */

/* ---- target.c ---- */
const char *target_find(Translation *t); /* full name of the class; NULL: reported */

/* ---- experiment.c ---- */
bool experiment_find(const Translation *t, ProgramInfo *info); /* false: reported */

/* ---- summary.c ---- */
/* Counts, parameters that shaped the model, states: as far as the passes came. */
void translate_summary(const Translation *t, Text *out);

#endif
