/* SPDX-License-Identifier: Apache-2.0 */
/* rubato.h -- Rubato as a library: translate Modelica models and simulate them.
 *
 *     RbCompiler *compiler = rb_compiler_new(NULL, &error);
 *     RbProgram  *program = rb_translate(compiler, &(RbRequest){.target = "Ball.mo"}, &error);
 *     RbSimulation *s = rb_simulation_new(program, NULL, &error);
 *     rb_set(s, "e", 0.7, &error);
 *     rb_run(s, &error);
 *     printf("%g\n", rb_get(s, "h"));
 *
 * Three kinds of objects:
 *   RbCompiler    loaded libraries and messages. One thread at a time.
 *   RbProgram     a translated model. It never changes: any number of simulations on any number of
 *                 threads share it. It lives until the last of them and rb_program_free.
 *   RbSimulation  values over a program. One thread at a time each.
 *
 * The library prints nothing, ends no process, reads no environment variable and keeps no state
 * outside these objects. A call that fails says so by its result and fills *error, which may be
 * NULL. Texts that are returned belong to the object they were asked of, until its next call. */
#ifndef RUBATO_H
#define RUBATO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RB_API __attribute__((visibility("default")))
#else
#define RB_API
#endif

typedef struct RbCompiler   RbCompiler;
typedef struct RbProgram    RbProgram;
typedef struct RbSimulation RbSimulation;

/* ---- errors -------------------------------------------------------------------------------- */

typedef enum RbStatus {
    RB_OK,
    RB_END,       /* the model ended the simulation with terminate() */
    RB_MODEL,     /* the model is wrong: the messages say where */
    RB_ARGUMENT,  /* the call makes no sense: a name, an option, the order of calls */
    RB_TRANSLATE, /* this value shapes the model: translate again with it */
    RB_FAILED,    /* the simulation failed: the messages say why */
    RB_FILE,      /* a file cannot be read or written, or is none of ours */
    RB_NO_MEMORY,
    RB_STOPPED, /* the caller asked to stop */
    RB_DEFECT   /* a mistake of this library */
} RbStatus;

typedef struct RbError {
    RbStatus status;
    char     text[400];
    char     file[256];    /* "" if it concerns no place in a text */
    int      line, column; /* from 1; 0 if unknown */
} RbError;

typedef enum RbSeverity { RB_ERROR, RB_WARNING, RB_NOTE } RbSeverity;

typedef struct RbMessage {
    RbSeverity  severity;
    const char *code; /* "P101", "" for notes, which belong to the message before them */
    const char *text;
    const char *file; /* NULL if it concerns no place */
    int         line, column;
} RbMessage;

/* All messages from number `first` on as text for people, in colour, or as JSON objects. */
typedef enum RbStyle { RB_PLAIN, RB_COLOUR, RB_JSON } RbStyle;

/* ---- compiler ------------------------------------------------------------------------------ */

typedef struct RbSettings {
    const char *cache; /* folder for compiled code and translated models; NULL: none */
    const char *c_compiler; /* of the machine; NULL: cc */
    /* Run C code also of libraries that are not installed, and let C code of all libraries start
     * programs, change files and use the environment; see docs/security.md */
    bool   trust;
    double cache_bytes; /* most that the cache holds, the oldest is removed; 0: 1e9 */
} RbSettings;

RB_API RbCompiler *rb_compiler_new(const RbSettings *settings, RbError *error);
RB_API void        rb_compiler_free(RbCompiler *compiler);
/* A package folder, a .mo file, or a folder that holds libraries; searched in this order. */
RB_API RbStatus rb_add_library(RbCompiler *compiler, const char *path, RbError *error);
/* The places of MODELICAPATH (colon-separated), then HOME/.openmodelica/libraries; either may be
 * NULL. Last come the libraries that lie beside the program or the shared object. */
RB_API RbStatus rb_add_default_libraries(RbCompiler *compiler, const char *modelicapath,
                                         const char *home, RbError *error);

typedef struct RbPass { /* of a translation that is watched */
    const char *name;
    bool        fine;
    double      seconds;
} RbPass;

typedef struct RbValue { /* name = value */
    const char *name, *value;
} RbValue;

typedef struct RbRequest {
    const char    *target; /* FILE.mo, or the full name of a class in the libraries */
    const char    *model;  /* class to take from the file; NULL: the last one */
    const RbValue *set; /* values; those that a simulation can take are left to rb_set */
    int            sets;
    bool           rates; /* the simulation shall use several rates */
    bool rates_if_worth;  /* only where they may pay: the others get code for one rate */
    bool components; /* arrays of components that nothing refers to are translated once */
    /* ... only in large models where nothing is lost by it; for simulations with one rate */
    bool components_if_worth;
    bool
        staggered; /* slow clocked partitions go a tick ahead of fast ones, which interpolate */
    bool
        sensitivities; /* derivatives with respect to parameters and inputs are part of it */
    bool        fresh; /* look for nothing in the cache */
    bool        check; /* look at all classes, also those that are not used */
    const char *until; /* pass after which to stop: the result is then NULL with RB_OK */
    const char *dump;  /* pass whose result rb_text gives */
    bool        summary; /* rb_text gives counts, structural parameters and states */
    void (*pass)(void *owner, const RbPass *pass); /* called after each pass; or NULL */
    void *owner;
    /* names, with commas between, of parameters to be multiplied by THETA, and of variables whose
     * derivatives are */
    const char        *theta;
    const char        *text; /* the Modelica text; target is then its name in messages */
    const char *const *beside; /* further files, whose classes are found by name */
    int                besides;
} RbRequest;

RB_API RbProgram *rb_translate(RbCompiler *compiler, const RbRequest *request,
                               RbError *error);
RB_API const char            *
rb_text(const RbCompiler *compiler); /* what the last request asked for */
RB_API int rb_message_count(const RbCompiler *compiler);
/* Without text if there is none of this number. */
RB_API RbMessage   rb_message(const RbCompiler *compiler, int number);
RB_API const char *rb_messages(RbCompiler *compiler, int first, RbStyle style);
/* The file that a URI modelica://Package/path names in the libraries; NULL: there is none. */
RB_API const char *rb_resource(RbCompiler *compiler, const char *uri);
RB_API bool        rb_is_pass(const char *name, char *names, size_t room);

/* ---- program ------------------------------------------------------------------------------- */

/* A program that rb_program_save wrote. Settings as for a compiler. */
RB_API RbProgram *rb_program_open(const char *file, const RbSettings *settings,
                                  RbError *error);
RB_API RbStatus   rb_program_save(const RbProgram *program, const char *file,
                                  RbError *error);
RB_API void       rb_program_free(RbProgram *program);
RB_API void rb_program_retain(RbProgram *program); /* one more rb_program_free is due */
/* The program as bytes, what rb_program_save writes, and a program out of such bytes. */
RB_API const void *rb_program_data(const RbProgram *program, size_t *bytes);
RB_API RbProgram  *rb_program_of(const void *data, size_t bytes,
                                 const RbSettings *settings, RbError *error);

typedef struct RbInfo {
    const char *model; /* full name of the class */
    int         equations, rows, shapes, parameters, states, variables;
    size_t      bytes;      /* of the program */
    bool        from_cache; /* it was translated before */
    bool        components; /* its families of equal components are translated once */
    /* experiment annotation; NAN where the model says nothing */
    double start, stop, interval, tolerance;
} RbInfo;
RB_API RbInfo rb_info(const RbProgram *program);

typedef enum RbKind {
    RB_CONTINUOUS,
    RB_DISCRETE,
    RB_PARAMETER,
    RB_CONSTANT,
    RB_INPUT,
    RB_DERIVATIVE,
    RB_HIDDEN /* made by the compiler, or a String: not part of a result */
} RbKind;

typedef struct RbVariable {
    const char *name; /* as in Modelica: a.b[2].c[1,3], der(x) */
    const char *unit, *description;
    RbKind      kind;
    bool        state;
    bool        settable; /* a simulation takes another value */
    bool differentiated;  /* der() of it is in an equation: RbRequest.theta takes it */
    int  equal; /* number of the variable that it is equal or opposite to, or its own */
} RbVariable;

/* Variable `number` of rb_info().variables; its name is written to buffer. Another number gives a hidden variable
 * without a name. */
RB_API RbVariable rb_variable(const RbProgram *program, int number, char *buffer,
                              size_t room);
RB_API int rb_find(const RbProgram *program, const char *name); /* -1: there is none */

/* ---- simulation ----------------------------------------------------------------------------- */

enum { RB_MOST_RATES = 4 }; /* levels of steps */

/* What happens if a value is outside of its min and max: by default a parameter ends the run and a
 * variable warns. Variables are looked at where results are recorded, and may be beyond by ten
 * tolerances. */
enum { RB_BOUNDS_USUAL, RB_BOUNDS_STOP, RB_BOUNDS_WARN, RB_BOUNDS_OFF };

/* Zeroed options are the defaults: those of the experiment annotation, else 0 to 1, 1e-6, 500
 * intervals. Numbers are set by the flags in `given`. */
/* All partitions of a tick at once; slow ones after fast ticks, piece by piece; on threads by rate. In the
 * last two the results of slow partitions are published at their next tick. */
enum { RB_TASKS_SINGLE, RB_TASKS_SPLIT, RB_TASKS_RATES };
/* Parameters in results: as every variable; CSV only in the first line; left out. */
enum { RB_PARAMETERS_ALL, RB_PARAMETERS_ONCE, RB_PARAMETERS_NONE };

typedef struct RbLink RbLink; /* see rb_study_share */

typedef struct RbOptions {
    bool   given_start, given_stop, given_tolerance;
    double start, stop, tolerance;
    double
        interval; /* between output points; 0: as said above; below 0: ends and events only */
    long        max_steps; /* 0: no limit */
    const char *solver;    /* rk (default), cvode, ida, arkode */
    const char *
        method; /* NAME[,NAME...]: of the first level, the second, ...; NULL: automatic */
    int rates; /* 0, 1: one; N: at most N levels; -1: automatic. N > 1 needs RbRequest.rates */
    int threads; /* for clusters of states and clocked partitions; results do not depend on it;
                    0: 1 */
    double grain;         /* work that is worth waking a thread; 0: default */
    bool   global_events; /* with several rates: events concern all states */
    bool   check_parts;   /* with several rates: parts are compared with the whole */
    int  tier; /* of code: 0 at once, 1 optimised first, -1 (default if 0 is not asked) */
    bool given_tier;
    double max_step; /* longest step; 0: no limit */
    double
        fixed_step; /* all steps have this length, without control of the error; 0: chosen */
    double
        absolute; /* tolerance for values near 0, times the nominal value; 0: tolerance */
    double max_output;     /* bytes of the result after which the run ends; 0: no limit */
    int    bounds;         /* RB_BOUNDS_ */
    const char *instances; /* families: "1,17" of those recorded; NULL: first and last */
    bool   profile;  /* statistics tell who limits the steps and, after a translation with
                     RbRequest.rates, which equations cost most */
    double realtime; /* simulated seconds a second of ticks; 0: as fast as possible */
    double spin;     /* seconds of each wait for a tick that are spent busily */
    int    tasks;    /* RB_TASKS_: how slow partitions run beside fast ones */
    const char
        *exchange;    /* of inputs and outputs at ticks: "shm:NAME" or "udp:PORT:PORT" */
    bool derivatives; /* der(x) of states is recorded as well */
    int  parameters;  /* RB_PARAMETERS_: which constant values are recorded */
    RbLink *
        link; /* families: their instances are shared out to these processes, all of which make the
                     same calls and have the same results; NULL: this one has all of them */
} RbOptions;

RB_API RbSimulation *rb_simulation_new(RbProgram *program, const RbOptions *options,
                                       RbError *error);
RB_API void          rb_simulation_free(RbSimulation *simulation);

/* Before the start: a parameter, or the start value of a variable. RB_TRANSLATE: it shapes the
 * model. An input at top level may also be set between steps: the next one begins with an event,
 * and the other variables follow then. */
RB_API RbStatus rb_set(RbSimulation *simulation, const char *name, double value,
                       RbError *error);
RB_API RbStatus rb_set_number(RbSimulation *simulation, int variable, double value,
                              RbError *error);

/* Families of components, after the first step: the values that rb_get sees become those of this
 * instance, counted from 1, of every family that has it. Names keep the subscript 1. */
RB_API RbStatus rb_show(RbSimulation *simulation, int64_t instance, RbError *error);

/* Called at every point of the result, in the order of time; events have two. Not RB_OK ends the
 * simulation with that status. */
typedef RbStatus RbPoint(void *owner, RbSimulation *simulation, double time);
/* Called after every step; false: end with RB_STOPPED. */
typedef bool RbProgress(void *owner, RbSimulation *simulation, double time);
/* Called for messages of the model, warnings among them. */
typedef void RbSay(void *owner, double time, bool warning, const char *text);

/* Called often inside steps, perhaps on several threads; true: end with RB_STOPPED at the beginning
 * of the step. */
typedef bool RbAsked(void *owner);

typedef struct RbListener {
    RbPoint    *point;
    RbProgress *progress;
    RbSay      *say;
    /* JSON lines: steps, levels and events as `rubato simulate --trace` writes them */
    void (*trace)(void *owner, const char *line);
    void    *owner;
    RbAsked *asked;
} RbListener;
RB_API void rb_listen(RbSimulation *simulation, const RbListener *listener);

/* Parameters and start values; done by the first rb_step or rb_run if it was not before. */
RB_API RbStatus rb_initialise(RbSimulation *simulation, RbError *error);
/* On to a time, or to the end. RB_END: the model ended it before. Not from a callback. */
RB_API RbStatus rb_step(RbSimulation *simulation, double time, RbError *error);
RB_API RbStatus rb_run(RbSimulation *simulation, RbError *error);

/* The present time: that of the last step, in a point callback that of the point. */
RB_API double rb_time(const RbSimulation *simulation);
/* The value of a variable at the present time; NAN if there is none of that name. */
RB_API double rb_get(const RbSimulation *simulation, const char *name);
RB_API double rb_get_number(const RbSimulation *simulation, int variable);
/* Before the start: derivatives with respect to these Real parameters and start values (NAME.start) are to be
 * integrated along with the states, through events. The program was translated with RbRequest.sensitivities. Not
 * RB_OK: they cannot be had, and why; the simulation runs without them. A run that meets something without a
 * derivative ends with RB_FAILED. */
RB_API RbStatus rb_sensitivities(RbSimulation *simulation, const char *const *names,
                                 int n, RbError *error);
/* d variable / d names[number] at the present time, along the equations; NAN: there is none. */
RB_API double rb_sensitivity(RbSimulation *simulation, int variable, int number);
/* The value of a String variable at the present time; NULL if there is none of that name. */
RB_API const char *rb_get_text(const RbSimulation *simulation, const char *name);
/* Values of n variables by number. */
RB_API void rb_get_numbers(const RbSimulation *simulation, const int *variable, int n,
                           double *value);

typedef struct RbFastPart { /* of a state in the fast motions near a point */
    int    variable;
    double share; /* of its motion that belongs to modes faster than a rate: 0 to 1 */
    double
         slowest; /* 1/s: the slowest of these that it has a part in; infinite if none */
    bool damped;  /* all of these die out */
} RbFastPart;
/* At the present time, for each of rb_info().states states, with respect to a rate in 1/s. */
RB_API RbStatus rb_fast_parts(RbSimulation *simulation, double rate, RbFastPart *state,
                              RbError *error);

/* A simulation with the values of this one, at its time, with its options; nobody listens to it. */
RB_API RbSimulation *rb_copy(const RbSimulation *simulation, RbError *error);
/* The state between steps as bytes: how many, and the bytes themselves. They fit simulations of
 * the same program, whatever their options, and bring back time and all values. External objects are
 * made anew from their parameters; the integrator starts as after an event. */
RB_API size_t   rb_state_bytes(const RbSimulation *simulation);
RB_API RbStatus rb_state_save(const RbSimulation *simulation, void *bytes, size_t room,
                              RbError *error);
RB_API RbStatus rb_state_restore(RbSimulation *simulation, const void *bytes,
                                 size_t count, RbError *error);

RB_API int         rb_simulation_message_count(const RbSimulation *simulation);
RB_API const char *rb_simulation_messages(RbSimulation *simulation, int first,
                                          RbStyle style);
/* Statistics as one JSON object, with the keys that the documentation lists. */
RB_API const char *rb_statistics(RbSimulation *simulation);
/* The blocks of the model in the order of computation, clocked partitions and infinitely fast states as
 * one JSON object; blocks of large models as a picture of cells. */
RB_API const char *rb_structure(RbSimulation *simulation);
/* With RbOptions.profile, after the end: who limits the steps and what equations cost, as lines for
 * people; "" else. The statistics hold the same. */
RB_API const char *rb_profile(RbSimulation *simulation);
/* A result file (.mat or .csv) of the variables whose names match a regular expression (NULL: all),
 * written while the simulation runs. Before the start. */
RB_API RbStatus rb_record(RbSimulation *simulation, const char *file,
                          const char *variables, RbError *error);
RB_API RbStatus rb_record_end(RbSimulation *simulation, RbError *error);
/* Points and bytes recorded so far. */
RB_API long   rb_recorded_points(const RbSimulation *simulation);
RB_API double rb_recorded_bytes(const RbSimulation *simulation);
RB_API size_t rb_simulation_bytes(const RbSimulation *simulation); /* of its own values */

/* ---- points of a model ---------------------------------------------------------------------- */

typedef struct RbSteady {
    const char *way;        /* how it was found */
    int         iterations; /* Newton steps */
    bool        integrated; /* the model had to run for a while ... */
    double      time;       /* ... up to here */
    double      motion;     /* largest derivative of a state over its size, 1/s ... */
    int         state;      /* ... and the variable it belongs to; -1: none moves */
} RbSteady;
/* Between steps: the states become those at which nothing moves, with time standing still; where they
 * are not found the model runs on, up to its stop time. report may be NULL. */
RB_API RbStatus rb_steady(RbSimulation *simulation, RbSteady *report, RbError *error);

typedef struct RbEntry {
    int    row, column; /* from 0 */
    double value;
} RbEntry;

typedef struct
    RbLinear { /* x' = f + A (x - x0) + B (u - u0), y = y0 + C (x - x0) + D (u - u0) */
    double time;
    int    states, inputs, outputs;
    int *state, *input, *output; /* variables: states, inputs and outputs at top level */
    double  *x, *f, *u, *y;      /* at the point */
    RbEntry *entry[4];           /* of A, B, C, D by columns, without zeros */
    int      entries[4];
    bool     exact; /* B, C and D are no differences */
} RbLinear;
/* Near the present point, between steps. A is exact, the others as well if the program was translated with
 * RbRequest.sensitivities; else they are differences. NULL: it fails. */
RB_API RbLinear *rb_linearize(RbSimulation *simulation, RbError *error);
RB_API void      rb_linear_free(RbLinear *linear);
/* FILE.mat: sparse matrices, the point, names; FILE.mo: a model of the same equations. */
RB_API RbStatus rb_linear_write(const RbLinear *linear, const RbProgram *program,
                                const char *file, RbError *error);

/* ---- studies: many runs of one program ------------------------------------------------------ */

typedef struct RbStudy RbStudy;

typedef struct RbStudyPlan { /* what varies, what is kept; see docs/studies.md */
    /* NAME=A:STEP:B, NAME=V,V,..., NAME=lin(A,B,N), NAME=log(A,B,N): all combinations.
     * NAME=uniform(A,B), loguniform(A,B), normal(MEAN,SD), lognormal(MEDIAN,FACTOR): samples. */
    const char *const *vary;
    int                varies;
    const char        *sample; /* mc:N[:SEED], lhs:N[:SEED], sobol:N[:SEED]; NULL: none */
    const char *table; /* CSV file: a column for each name, a line for each case; NULL */
    /* EXPR at the end, EXPR@T, min(EXPR), max(EXPR), first(RELATION), event(N), events(); none: states
     * at the end */
    const char *const *keep;
    int                keeps;
    const char        *trajectories; /* of variables whose names match; NULL: none */
    const RbValue     *set; /* of all cases; the program was translated with them */
    int                sets;
    const RbOptions   *options; /* of each simulation; NULL: defaults */
    /* A program with values that shape the model, for each combination of them; NULL: they are
     * refused. On the thread of rb_study_run. */
    RbProgram *(*translate)(void *owner, const RbValue *set, int sets, RbError *error);
    void *owner;
} RbStudyPlan;

typedef struct RbStudyProgress {
    long cases, done, failed; /* failed ones are done, too */
} RbStudyProgress;

typedef struct RbStudyListener {
    /* ten times a second, and at the end; false: the study ends, unfinished cases are lost */
    bool (*progress)(void *owner, const RbStudyProgress *progress);
    void *owner;
} RbStudyListener;

RB_API RbStudy *rb_study_new(RbProgram *program, const RbStudyPlan *plan, RbError *error);
RB_API void     rb_study_free(RbStudy *study);
/* Finished cases are kept in a file as they finish. resume: those that are in it already are not
 * computed again. Before the run. */
RB_API RbStatus rb_study_journal(RbStudy *study, const char *file, bool resume,
                                 RbError *error);
/* All cases that are not done. RB_OK also if cases failed: each has its own status. */
RB_API RbStatus rb_study_run(RbStudy *study, int threads, const RbStudyListener *listener,
                             RbError *error);

typedef struct RbSwap { /* values for and from another process, by its rank */
    int           peer;
    const double *out;
    double       *in;
    size_t        outs, ins;
} RbSwap;

struct RbLink { /* processes that work together; all calls from one thread */
    int rank, size;
    bool (*broadcast)(RbLink *link, int from, void *bytes, size_t count); /* to all */
    bool (*least)(RbLink *link, int64_t *value); /* of those of all ranks, on all */
    bool (*send)(RbLink *link, int to, const void *bytes, size_t count);
    /* A message that is there, until the next call: 1, 0 none, -1 failed. */
    int (*receive)(RbLink *link, int *from, const void **bytes, size_t *count);
    /* Begins to exchange values; `swapped` waits until all have come and gone. One exchange at a time. */
    bool (*swap)(RbLink *link, const RbSwap *with, int count);
    bool (*swapped)(RbLink *link);
    /* Sums over all ranks, in place, the same on each. */
    bool (*sum)(RbLink *link, double *value, int count);
    bool (*most)(RbLink *link, double *value,
                 int count); /* likewise the largest values */
    /* Shares out the nodes of a graph so that few edges are cut: part[node]. start: nodes + 1, the neighbours of each
     * in `to`. False: it cannot. */
    bool (*cut)(RbLink *link, int nodes, const int *start, const int *to, int *part);
    void (*end)(RbLink *link);
    double sent, received, broadcast_bytes; /* by this process, so far */
    double reduced_bytes;                   /* given to `least`, `sum` and `most` */
};
/* The same on several processes, each of which has made the same study: rank 0 gives out cases and
 * ends up with all results, the others with none. */
RB_API RbStatus rb_study_share(RbStudy *study, RbLink *link, int threads,
                               const RbStudyListener *listener, RbError *error);
RB_API long     rb_study_cases(const RbStudy *study);
RB_API int      rb_study_programs(const RbStudy *study); /* that it translates */
/* Columns are what varies, then what is kept; cases are counted from 0. NAN: there is no value. */
RB_API int         rb_study_columns(const RbStudy *study);
RB_API int         rb_study_varied(const RbStudy *study);
RB_API const char *rb_study_column(const RbStudy *study, int column);
RB_API double      rb_study_value(const RbStudy *study, long number, int column);
RB_API RbStatus    rb_study_status(const RbStudy *study,
                                   long           number); /* RB_STOPPED: not done */
RB_API const char *rb_study_reason(RbStudy *study, long number); /* "" if it went well */
/* Trajectories of a case: rows of time and variables; how many. */
RB_API int         rb_study_courses(const RbStudy *study);
RB_API const char *rb_study_course(const RbStudy *study, int course);
RB_API long        rb_study_points(RbStudy *study, long number, const double **points);
/* FILE.csv (trajectories beside it, FILE_trajectories.csv) or FILE.mat. */
RB_API RbStatus rb_study_write(RbStudy *study, const char *file, RbError *error);

/* ---- FMUs: see docs/fmi.md ------------------------------------------------------------------- */

typedef struct RbFmuOptions {
    int         version; /* of FMI: 2 or 3; 0: 3 */
    const char *kinds;   /* me, cs, with commas between, or se; NULL: me,cs */
    const char *forms;   /* instant, sources, with commas between; NULL: instant */
    const char *method;  /* of Co-Simulation; NULL: chosen while it runs */
    int         rates;   /* its levels, as in RbOptions */
} RbFmuOptions;
/* A program as a Functional Mock-up Unit. Instant: with our runtime, nothing is compiled. Sources: C text
 * of the model and of our runtime. */
RB_API RbStatus rb_fmu_write(const RbProgram *program, const char *file,
                             const RbFmuOptions *options, RbError *error);

/* A simulation of an FMU that anybody made. Its code may do everything: settings must trust it. */
typedef struct RbFmuRun {
    const char *
        kind; /* me: integrated by us, cs: steps itself, se: its partitions are activated;
                       * NULL: the first of these that it has */
    const RbValue *set; /* start values and parameters */
    int            sets;
    const char    *inputs;    /* CSV file: time, then inputs by name; NULL: they stay */
    const char    *result;    /* file, as for rb_record */
    const char    *variables; /* regular expression; NULL: all */
    const char    *temporary; /* folder to unpack it below; NULL: /tmp */
    bool (*progress)(void *owner, double time); /* after each step; false: end */
    void *owner;
} RbFmuRun;

typedef struct RbFmuOutcome {
    char   model[200];
    double start, time; /* begun, reached */
    int    states;
    long   steps, events, points;
} RbFmuOutcome;

/* Of the options: times, tolerance, interval, solver, method and lengths of steps. */
RB_API RbStatus rb_fmu_run(const char *file, const RbSettings *settings,
                           const RbOptions *options, const RbFmuRun *run,
                           RbFmuOutcome *outcome, RbError *error);

/* ---- parameters out of measurements ---------------------------------------------------------- */

typedef struct RbFitPlan {
    const char *const
        *parameter; /* NAME[=START[,LOW,HIGH]]; without START that of the model */
    int  parameters;
    const char
        *data; /* a result (.csv, .mat): time, and variables or expressions of them */
    const char      *columns; /* of it, by a regular expression; NULL: all */
    const RbValue   *set; /* of all simulations; the program was translated with them */
    int              sets;
    const RbOptions *options;    /* NULL: defaults, with a tolerance of at most 1e-8 */
    double           confidence; /* with which all intervals hold together; 0: 0.95 */
    int              threads;    /* for simulations with other values */
    bool kinsol; /* by KINSOL, without bounds; not in builds without SUNDIALS */
    /* after each step, with the weighted sum of squares; false: the fit ends. NULL: nobody asks */
    bool (*progress)(void *owner, int iteration, double sum);
    void *owner;
} RbFitPlan;

typedef struct RbFitted {
    const char *name;
    double      value, deviation; /* standard deviation; NAN at a bound */
    double      low, high;        /* interval */
    bool        at_bound;
} RbFitted;

typedef struct RbFit {
    int          parameters;
    RbFitted    *parameter;
    int          columns;
    const char **column;
    double      *noise;        /* by column: standard deviation of the measurements ... */
    long        *measurements; /* ... and how many there are */
    int          iterations;
    long         simulations;
    bool         converged; /* false: it was ended after 100 iterations */
    bool exact; /* by sensitivities of the model; else by differences of runs ... */
    const char *differenced; /* ... because of this */
} RbFit;
/* NULL: it fails. */
RB_API RbFit *rb_fit(RbProgram *program, const RbFitPlan *plan, RbError *error);
RB_API void   rb_fit_free(RbFit *fit);

RB_API const char *rb_version(void);

#ifdef __cplusplus
}
#endif

#endif
