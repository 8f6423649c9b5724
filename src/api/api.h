/* SPDX-License-Identifier: Apache-2.0 */
/* api.h -- private to api: the objects behind include/rubato.h.
 *
 *   compiler.c    RbCompiler: libraries, messages, translation
 *   fmu.c         programs as FMUs;  fmu_run.c: FMUs of others
 *   cache.c       translated models kept on disk by what went into them
 *   program.c     RbProgram: shared, stored, looked at
 *   simulation.c  RbSimulation: values, steps
 *   sensitive.c   sensitivities along a simulation
 *   state.c       a simulation as bytes: copy, save, restore
 *   spread.c      one model over several processes; spread_cut.c: who has which states
 *   fleet.c       simulation of families of equal systems
 *   results.c     which variables go into a result, and where;  recording
 *   failure.c     a failed run in words
 *   statistics.c  counts as JSON;  trace.c: steps as JSON
 *   steady.c      the state at which nothing moves; linear.c: the model near a point; linear_write.c
 *   structure.c   blocks in the order of computation as JSON
 *   profile.c     who limits the steps, which equations cost most */
#ifndef RUBATO_API_PRIVATE_H
#define RUBATO_API_PRIVATE_H

#include "api/error.h"
#include "rubato.h"

#include "fmi/fmi.h"
#include "lied/lied.h"
#include "live/live.h"
#include "record/record.h"
#include "sim/sim.h"
#include "translate/translate.h"

#include <pthread.h>

/* ---- errors ---- */
/* From the first error among the messages. */
RbStatus error_from(RbError *error, RbStatus status, const Diag *diag, int first);
void     error_none(RbError *error);
/* Messages as text into *out. */
void messages_print(Text *out, const Diag *diag, int first, RbStyle style);

/* ---- compiler.c ---- */
typedef struct Inside { /* of a compiler: in its domain of memory */
    Session     session;
    Library     library;
    Foreign     foreign;
    Text        cache, c_compiler; /* settings */
    CodeOptions options;
    bool        trust;
    double      cache_bytes; /* most that the cache holds; 0: default */
    Text        text;        /* rb_text */
    Text        words;       /* rb_messages */
    Text        key;         /* of the libraries, for the cache */
} Inside;

/* ---- program.c ---- */
typedef struct Keep { /* how a program will be kept, see cache.c; zeroed: it is not */
    Text   path, head;
    double most; /* bytes of all */
} Keep;

struct RbProgram {
    Program        *program;
    Keep            keep; /* written when the program is freed: no run waits for it */
    CodeOptions     options;
    Text            cache, c_compiler;
    bool            from_cache;
    pthread_mutex_t lock;
    int             users;     /* the owner and simulations */
    Common         *common[3]; /* by tier + 1; made when first used */
    Methods        *methods;   /* of integration, shared by simulations */
};

/* Takes the program. NULL: no memory, it is freed then. */
RbProgram *program_wrap(Program *program, const CodeOptions *options);
/* NULL and *error if its code cannot be compiled. */
const Common *program_common(RbProgram *p, int tier, RbError *error);

/* ---- version.c ---- */
const char *build_key(void); /* of the sources that this library is made of */

/* ---- cache.c ---- */
typedef struct CacheKey {
    char text[40];
} CacheKey;

CacheKey cache_key(const Inside *c, const RbRequest *request, const char *modifiers);
/* The program kept under a key, if all that went into it is unchanged; NULL. */
Program *cache_load(const Inside *c, const CacheKey *key, Text *messages);
/* What is stored with a program: what went into it, the messages of its translation from the first
 * on. */
Keep cache_entry(const Inside *c, const CacheKey *key, int first);
/* Nothing without an entry; frees it. */
void cache_store(Keep *keep, const char *folder, const Program *program);
/* The messages that were stored with a program are reported again. */
void cache_messages(Inside *c, const Program *program, const Text *messages);
/* A whole file; NULL and errno if it cannot be read. To be released by mem_free. */
void *file_read(const char *path, size_t *bytes);

/* ---- results.c ---- */
typedef struct Shown { /* an instance whose variables are recorded, see fleet.c */
    int     family;
    int64_t at;
    int     columns, constants; /* of all up to this one */
} Shown;

typedef struct Results {
    Arena           arena;
    RecordVariable *variable;
    int             variables;
    int            *column; /* variable of each column */
    int             columns;
    int            *constant; /* variable of each constant */
    int             constants;
    double         *value; /* work: columns */
    Shown          *view;  /* families: instances, in the order of columns */
    int             views, view_room;
    Recorder       *recorder;
    Text            path;
} Results;

RbStatus results_open(RbSimulation *s, const char *path, const char *pattern,
                      RbError *error);
bool     results_begin(RbSimulation *s, RbError *error); /* opens the file */
bool     results_close(Results *results);                /* false: not all is written */

/* ---- spread.c: one model over several processes ---- */
typedef struct Spread Spread;
/* Needs: an initialised simulation, options of its time loop. Refuses what cannot be shared out. */
RbStatus    spread_open(RbSimulation *s, RbError *error);
Simulation *spread_simulation(RbSimulation *s); /* NULL: no memory */
bool        spread_finish(RbSimulation *s);     /* all states of now on all processes */
void spread_statistics(const RbSimulation *s, Text *out); /* members of a JSON object */
void spread_close(RbSimulation *s);

/* ---- fleet.c ---- */
typedef struct Fleet { /* of a program that is made of families */
    Kernels       kernels;
    Batch        *batch; /* by family */
    int           batches;
    const Method *method;
    bool          automatic; /* the time loop chooses another method when it runs */
    double        h;
    double       *x, *q; /* of one instance */
    long          point; /* of the result */
    int64_t      *at;    /* by family: the instance that rb_get sees, from 0 */
    /* fleet_loop.c: all states in one vector, if the time loop of ordinary models steps */
    bool           looped;
    bool           eventful; /* there may be events: the instance handles them */
    Net            net;      /* parts of a network; part NULL: there are none */
    double        *all;      /* states of all families */
    double        *nominal;  /* of them, NULL: all 1 */
    double        *rate;     /* room for derivatives, or for all stages */
    size_t         states;   /* numbers in it */
    size_t        *first;    /* by family: where its states begin */
    double         shown;    /* time of what neighbours gave */
    Model          model;
    ModelFunctions functions; /* of it */
    Pattern       *pattern;   /* NULL: dense */
    int           *rows;      /* of the program: room for states */
    bool           starting;  /* relations are not settled yet: evaluations find them */
} Fleet;

RbStatus fleet_step(RbSimulation *s, double time, RbError *error);
/* All members have their start values. */
RbStatus fleet_ready(RbSimulation *s, RbError *error);
/* All members as bytes: nothing before they are ready. Back: they must be ready. */
void fleet_save(const RbSimulation *s, Bytes *to);
void fleet_restore(RbSimulation *s, double time, Bytes *from);
/* All that is recorded, at the time now; then whoever looks on. */
Status fleet_point(RbSimulation *s, Fault *fault);
void   fleet_close(RbSimulation *s);
/* ---- fleet_loop.c ---- */
/* Needs: batches with start values, parts opened by fleet_parts. */
RbStatus fleet_parts(RbSimulation *s, RbError *error);
RbStatus fleet_gather(RbSimulation *s, RbError *error);
RbStatus fleet_apart(RbSimulation *s, RbError *error); /* steps of fixed length */
RbStatus fleet_run(RbSimulation *s, double time, RbError *error);
/* What neighbours give holds for the states of now. */
bool fleet_settle(RbSimulation *s);
void fleet_loop_close(Fleet *f);
/* ---- fleet_host.c: parts whose ordinary code is used ---- */
int      fleet_evaluate(void *simulation, double t, const double *x, int *var, int n,
                        double *dx);
void     fleet_events(RbSimulation *s); /* the model of the fleet has events */
RbStatus fleet_start(RbSimulation *s, RbError *error);
/* fleet_flows.c: mass flows of a stream start alike. *moved: one starts otherwise than before. Needs: start
 * values of all states; settled: the network was evaluated at those of before. False: no memory. */
bool fleet_flows(RbSimulation *s, bool settled, bool *moved);
/* The same among states x, after an evaluation there, for flows that differ by more than the tolerance. */
bool fleet_keep_flows(RbSimulation *s, double *x, double tolerance, bool *moved);
/* The values of the simulation become those of an instance of a family, of others those that rb_get
 * sees; false: it has none. */
bool   fleet_show(RbSimulation *s, int family, int64_t at);
size_t fleet_bytes(const RbSimulation *s); /* of states and differing parameters */

/* ---- simulation.c ---- */
typedef struct Schedule { /* do ticks in real time fit? see rehearse.c; seconds */
    bool   measured, fits;
    double need,
        interval;       /* of the tightest task: its work, and the time it has for it */
    double utilization; /* work of all partitions over time */
} Schedule;

struct RbSimulation {
    RbProgram    *program;
    const Common *common;
    Instance      instance;
    RbOptions     options;
    Text          solver, method, exchange; /* copies */
    Text          method_names;             /* of the levels, separated by zeros */
    double        start, stop, interval, tolerance;
    double        now;                      /* of the values that rb_get sees */
    bool initialised, begun, inside, ended; /* inside: a step runs, perhaps a callback */
    bool completed;                         /* it ended as it should */
    RbListener  listener;
    double     *x;      /* states */
    SimOptions  sim;    /* of the time loop */
    Fleet      *fleet;  /* families; NULL: there are none, or not yet */
    Spread     *spread; /* over several processes; NULL: it is not */
    Sense      *sense;  /* sensitivities go along; NULL: nobody asked for them */
    Simulation *run;    /* the time loop, NULL until it begins and when it has ended */
    SimOutcome  outcome;
    double      looked, flushed, wall_begun, wall_ended; /* seconds */
    RbStatus    stopped; /* by whoever looks on; RB_OK: not */
    Results    *results; /* NULL: nothing is recorded */
    Sources     sources; /* of positions, opened when a message needs them */
    Diag        diag;
    Text        words, statistics;
    long       *limits; /* by state: steps that it limits; NULL: nobody asked */
    Text        profile, profile_words; /* taken once, after the end */
    Schedule    schedule;
};

double wall_time(void);
/* The variable whose start value is meant by "NAME.start"; -1: none. */
int simulation_start(const RbSimulation *s, const char *name);
/* Of a name, NULL: the default. */
RbStatus solver_find(const char *name, SimSolver *solver, RbError *error);
/* Is there such a method? first: of the first level, which may be chosen automatically. */
RbStatus method_find(const char *name, bool first, RbError *error);
/* The values of a fresh simulation with the same options. */
RbStatus   simulation_reset(RbSimulation *s, RbError *error);
SimOptions simulation_options(RbSimulation *s); /* of the time loop */
/* Values of parameters, and their bounds. */
Status simulation_values(const RbSimulation *s, Instance *instance, Fault *fault);
/* After a point was recorded: is that enough? */
Status simulation_pointed(RbSimulation *s, double t, Fault *fault);
/* Parameters with the values given, then start values of the others; bounds. */
RbStatus simulation_bind(RbSimulation *s, RbError *error);
/* The initial system, at a time. */
RbStatus simulation_initialise(RbSimulation *s, double t, RbError *error);
void     simulation_explain(RbSimulation *s); /* failure.c: into s->diag */
/* Before a run in real time. False: no memory. */
bool simulation_rehearse(RbSimulation *s);
void trace_begin(RbSimulation *s); /* trace.c */
void trace_step(void *owner, const RateTrace *step);
void trace_event(void *owner, double t, EventKind kind);
bool profile_begin(RbSimulation *s); /* profile.c; false: no memory */
void profile_step(void *owner, const RateTrace *step);
void profile_take(RbSimulation *s); /* into s->profile, a member of a JSON object */

#endif
