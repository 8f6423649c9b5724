/* SPDX-License-Identifier: Apache-2.0 */
/* study.h -- private to study: many runs of one model. It works through include/rubato.h; of the
 * folders behind it it uses what is no part of a model: errors, memory, texts, the syntax of
 * expressions.
 *
 *   cases.c    which values each case has: grids, tables, samples
 *   sample.c   numbers between 0 and 1: Monte Carlo, Latin hypercube, Sobol
 *   formula.c  expressions of variables, evaluated while a case runs
 *   keep.c     what is kept of a case
 *   case.c     one case: values, run, what is kept
 *   study.c    a study as a whole: programs, columns, what is known of cases
 *   journal.c  finished cases on disk, as they finish
 *   run.c      cases on threads
 *   share.c    cases on several processes
 *   write.c    the result as CSV and MAT */
#ifndef RUBATO_STUDY_PRIVATE_H
#define RUBATO_STUDY_PRIVATE_H

#include "rubato.h"

#include "api/error.h"
#include "base/base.h"
#include "syntax/syntax.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- sample.c ---- */
typedef enum { SAMPLE_RANDOM, SAMPLE_LATIN, SAMPLE_SOBOL } SampleKind;
enum { SOBOL_MOST = 21 }; /* dimensions */
/* value[i * dimensions + d] of sample i: strictly between 0 and 1. */
void   sample_fill(SampleKind kind, uint64_t seed, long samples, int dimensions,
                   double *value);
double normal_quantile(double p); /* of the standard normal distribution */

/* ---- cases.c ---- */
typedef enum { LAW_NONE, LAW_UNIFORM, LAW_LOGUNIFORM, LAW_NORMAL, LAW_LOGNORMAL } Law;

typedef struct Factor { /* a parameter that varies */
    const char *name;
    double     *level; /* of a grid; NULL: a column of samples */
    int         levels;
    Law         law; /* of samples; LAW_NONE: of a table */
    double      a, b;
    int         column; /* among samples */
    bool        truth;  /* its values are written true and false */
    bool        shapes; /* the model: it is translated for each value */
} Factor;

typedef struct Cases {
    Factor *factor;
    int     factors, room;
    long    samples, grid; /* cases are the product: samples run fastest */
    int     columns;       /* of samples */
    double *sample;        /* [samples][columns] */
} Cases;

enum { CASES_MOST = 1000000000 };

/* In a domain of memory. */
RbStatus cases_make(Cases *plan, Arena *arena, const RbStudyPlan *given, RbError *error);
double   cases_value(const Cases *plan, long number, int factor);
static inline long cases_count(const Cases *plan) {
    return plan->grid * plan->samples;
}

/* ---- formula.c ---- */
typedef struct Formula Formula;
/* In a domain. NULL and why: it is none, or has a name that the program does not know. */
Formula *formula_of(Arena *arena, Session *session, Expr expr, const RbProgram *program,
                    Text *why);
/* The same and its derivative, of each variable that of rb_sensitivity with this number. */
double formula_slope(const Formula *formula, RbSimulation *s, int number, double *slope);
double formula_value(const Formula *formula, const RbSimulation *s);

/* ---- keep.c ---- */
typedef enum {
    KEEP_END,   /* value of a formula at the end */
    KEEP_AT,    /* at a time */
    KEEP_LEAST, /* over all points */
    KEEP_MOST,
    KEEP_WHEN,  /* the time at which a formula first becomes positive */
    KEEP_EVENT, /* the time of an event, by number from 1 */
    KEEP_EVENTS /* how many there were */
} KeepKind;

typedef struct Keep {
    const char *name;
    KeepKind    kind;
    double      time; /* of KEEP_AT */
    long        number;
    Expr        expr; /* of those that have a formula */
} Keep;

typedef struct Keeps {
    Keep   *keep;
    int     keeps, room;
    double *time; /* of KEEP_AT, ascending, each once */
    int     times;
    bool    points; /* some look at every point ... */
    bool    events; /* ... or only at those of events */
} Keeps;

/* In a domain. Without words: the final values of states. */
RbStatus keeps_make(Keeps *keeps, Arena *arena, Session *session,
                    const RbStudyPlan *given, const RbProgram *program, RbError *error);

/* ---- study.c ---- */
typedef struct Variant { /* a program, and what of it is kept */
    RbProgram *program;  /* NULL: not yet, or there is none, and why */
    bool       tried;
    double    *shape;   /* values of factors that shape the model */
    Formula  **formula; /* by keep; NULL where there is none */
    int       *course;  /* variables whose trajectories are kept */
    char      *why;
} Variant;

typedef struct Outcome { /* of a case */
    int32_t status;      /* RbStatus, OPEN: it is not done */
    int64_t at;          /* of its record in the journal */
} Outcome;
enum { OPEN = -1, QUEUE = 256 };

typedef struct Names {
    const char **name;
    int          count, room;
} Names;

struct RbStudy {
    Memory   *memory; /* of all but what runs take */
    Arena     arena;
    Session   session; /* of formulas */
    Cases     plan;
    Keeps     keeps;
    Names     courses; /* variables whose trajectories are kept */
    RbValue  *set;     /* of all cases */
    int       sets;
    RbOptions options;
    double    start, stop;
    Variant  *variant;
    int       variants;
    int      *variant_of; /* by case; NULL: all have the first */
    RbProgram *(*translate)(void *owner, const RbValue *set, int sets, RbError *error);
    void    *owner;
    uint64_t key;     /* of all that results depend on */
    Outcome *outcome; /* by case */
    double  *value;   /* [case][keeps] */
    long     done, failed;
    Text     memory_journal; /* records, if there is no file */
    FILE    *journal;
    int64_t  end;  /* of what is in the journal */
    Text     path; /* of the journal */
    /* of a run */
    pthread_mutex_t lock;
    pthread_cond_t  news;
    atomic_bool     stop_asked;
    long            next;         /* case to give out */
    bool            broken;       /* the journal cannot be written ... */
    int             why;          /* ... with this errno; 0: there is no memory */
    Text            reason, room; /* of what is asked for */
    long            pause;        /* nanoseconds between two looks at what goes on */
    /* of a process that gets its cases from another one, see share.c */
    bool  follows;
    long *queue;         /* QUEUE cases, by number modulo that */
    long  queued, taken; /* so far */
    Text  outbox;        /* messages with records, each with its length in front */
};

/* The program of a case, translated if need be: on one thread at a time. */
Variant *study_variant(RbStudy *study, long number);
/* The program of one case. */
void study_prepare(RbStudy *study, long number);
/* All that open cases need; ended where look_on says so. */
void study_translate(RbStudy *study, bool (*look_on)(void *context), void *context);

/* ---- case.c ---- */
/* Values of all runs; those that are no numbers, or shape the model, it was translated with. */
RbStatus study_set(RbSimulation *s, const RbValue *set, int sets, RbError *error);
/* Runs a case and appends its record to *out; false: it was asked to stop, or there is no memory. */
bool case_run(RbStudy *study, long number, Text *out);

/* ---- journal.c: a record is a head, values, trajectories, words and a sum ---- */
typedef struct RecordHead {
    uint32_t mark, words; /* bytes of the reason */
    int64_t  number;      /* of the case */
    int32_t  status;
    uint32_t values;
    int64_t  points; /* of the trajectories, time first in each */
} RecordHead;
typedef struct CaseRecord { /* pointers into bytes */
    RecordHead    head;
    const double *value, *course;
    const char   *words;
} CaseRecord;
void   record_pack(Text *out, const RecordHead *head, const double *value,
                   const Text *courses, const char *words);
size_t record_size(const RbStudy *study, const RecordHead *head); /* of all of it */
/* Is this the whole record that its head announces? */
bool record_open_bytes(const RbStudy *study, const char *bytes, size_t count,
                       CaseRecord *record);
/* A finished case: into the journal and known from now on, or on its way to who asked for it. With the
 * lock held. */
bool journal_add(RbStudy *study, const char *bytes, size_t count);
/* The record of a case that is done; *room is memory for it. False: it cannot be read. */
bool journal_read(RbStudy *study, long number, Text *room, CaseRecord *record);
void journal_close(RbStudy *study);
/* The error of a study whose journal is broken. */
RbStatus study_broken(const RbStudy *study, RbError *error);

/* ---- run.c ---- */
/* The next cases that nobody has, at most `most`: their numbers; how many. With the lock held. */
int study_take(RbStudy *study, long *number, int most);
/* As many threads as said work on the study until it is done or stopped; `serve` is called all the
 * time on this one. False: it could not begin. */
bool study_work(RbStudy *study, int threads, bool (*serve)(void *context), void *context);

#endif
