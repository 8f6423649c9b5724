/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h -- the command: options, printing, exit codes. It is no part of the library: whatever works
 * on a model goes through include/rubato.h. Only this folder prints, reads the environment and ends
 * the process.
 *
 *   main.c          picks the command, shows the messages, sets the exit status
 *   options.c       one table of options: parsing and help
 *   numbers.c       options that are numbers
 *   known_flags.c   flags that people know from OpenModelica
 *   translating.c   a model for the commands that need one: libraries, passes, timing
 *   files.c         walking library trees, writing files whole or not at all
 *   cmd_parse.c     rubato parse
 *   cmd_format.c    rubato format
 *   cmd_explain.c   rubato explain
 *   cmd_model.c     rubato check, flat, structure, build
 *   cmd_simulate.c  rubato simulate; its other files are in simulate.h
 *   commands.c      the table of commands
 *   cmd_methods.c   rubato methods
 *   cmd_plot.c      rubato plot;  cmd_variables.c: rubato variables;  cmd_convert.c: rubato convert
 *   cmd_advise.c    rubato advise: states that are worth being infinitely fast
 *   cmd_sweep.c     rubato sweep: many runs of one model
 *   cmd_point.c     rubato steady, rubato linearize
 *   cmd_fit.c       rubato fit: parameters out of measurements
 *   cmd_run.c       rubato run, script.c: its scripts
 *   cmd_completion.c  rubato completion
 *   cmd_lsp.c       rubato lsp: the language server (src/lsp);  cmd_lint.c: rubato lint
 *   cmd_compare.c   rubato compare */
#ifndef RUBATO_CLI_H
#define RUBATO_CLI_H

#include "rubato.h"
#include "syntax/syntax.h"

enum { /* exit status, as in the documentation */
       EXIT_DONE = 0,
       EXIT_MODEL = 1, /* the model or its input is wrong      */
       EXIT_USAGE = 2, /* the command line is wrong            */
       EXIT_RUN = 3,   /* the simulation failed                */
       EXIT_DEFECT = 4 /* our own defect                       */
};

typedef struct Words { /* values of an option that may be repeated, or arguments */
    const char **item;
    int          count, capacity;
} Words;

typedef struct SimulateOptions { /* texts as given, NULL if not */
    const char *start, *stop, *tolerance, *interval, *intervals;
    const char *max_steps;
    const char *variables; /* --variables: regular expression of names to keep  */
    const char *solver, *method, *tier;
    const char *rates;    /* --rates: auto or a number of levels                  */
    const char *trace;    /* --trace: file                                        */
    const char *threads;  /* --threads: a number, and another one after a comma   */
    const char *exchange; /* --exchange: shm:NAME or udp:PORT:PORT */
    const char *tasks;    /* --tasks: single, split or rates                   */
    const char *realtime; /* --realtime[=FACTOR]: "" is 1                      */
    const char *spin;     /* --spin US                                        */
    const char *events;   /* --events: auto or global                           */
    const char *stats;    /* --stats[=FILE]: "" is standard output             */
    const char *bounds;   /* --bounds: error, warning or off; NULL: the usual */
    const char *max_step, *fixed_step, *absolute, *max_output;
    const char *format; /* -outputFormat: mat, csv, empty; NULL: by the ending          */
    const char *report; /* --report: file of the HTML page             */
    const char *save_state, *from_state; /* files                                      */
    bool        no_progress;
    bool        derivatives;
    const char *parameters;  /* --parameters: all, once or no                       */
    const char *instances;   /* --instances: numbers from 1, separated by commas    */
    bool        check_parts; /* --check-parts                                        */
    bool        profile;     /* --profile                                            */
} SimulateOptions;

typedef struct StudyOptions { /* of sweep, fit, steady, linearize */
    Words       vary, normal, lognormal, uniform, loguniform; /* NAME=... */
    const char *table, *sample;
    Words       keep;
    const char *trajectories;
    bool        resume;
    bool        steady;                        /* linearize: at a steady state */
    Words       parameter;                     /* fit */
    const char *data, *confidence, *optimizer; /* fit */
    const char *at;                            /* steady, linearize: a time */
} StudyOptions;

typedef struct Options {
    const char     *command;
    Words           arguments;  /* what is no option                                   */
    Words           library;    /* --library                                           */
    const char     *model;      /* --model: class to take from a file, or NULL         */
    const char     *dump;       /* --dump: name of a pass, or NULL                     */
    const char     *stop_after; /* --stop-after: name of a pass, or NULL               */
    const char     *output;     /* --output: file, or - for standard output            */
    Words           set;        /* --set name=value                                    */
    const char     *override;   /* --override: file of such                            */
    SimulateOptions simulate;
    StudyOptions    study;
    const char     *signals; /* compare: file of names, NULL: all                   */
    const char     *compare_tolerance;
    const char     *components; /* --components[=auto|no]: "" insists, NULL as auto */
    bool            staggered;  /* --staggered */
    bool            dot;        /* --dot */
    const char     *theta;      /* --theta */
    const char     *rules;      /* lint --rules */
    bool            timing, stages, quiet;
    bool            json;  /* --diagnostics=json                                  */
    const char     *title; /* plot                                                */
    const char     *fmi, *kind, *form,
        *inputs;      /* fmu                                               */
    bool panels;      /* plot: one for each variable                         */
    bool in_place;    /* format --in-place                                   */
    bool check;       /* format --check                                      */
    bool markdown;    /* explain --markdown                                  */
    bool trust;       /* run code of libraries that are not installed         */
    bool no_cache;    /* translate anew                                      */
    bool experiments; /* parse: list the models that can be simulated      */
    bool help, version;
} Options;

enum { TIMED_PASSES = 64 }; /* more than there are */

typedef struct Timing { /* wall times of a command */
    const char *name[TIMED_PASSES];
    double      seconds[TIMED_PASSES];
    long        peak[TIMED_PASSES]; /* largest memory so far, kB */
    int         passes;
    double      begun, compiled, initialised, stepped, ended; /* moments of a run, or 0 */
} Timing;

typedef struct Job { /* one run of the command                              */
    Arena             arena;
    Options           options;
    Session           session; /* of parse and format */
    Library           library;
    const StoredFile *file;
    RbCompiler       *compiler;   /* of the other commands, NULL until it is needed */
    int               told;       /* messages of it that were shown */
    bool              cache_told; /* that there is no cache */
    Timing            timing;
} Job;

/* ---- options.c ---- */
/* Fills job->options; false after a message on standard error. */
bool options_parse(Job *job, int argc, char **argv);
void options_help(FILE *out, const char *command); /* NULL: all commands */

/* Sets an option as if it had been given; false if there is none of that name. */
bool option_set(Job *job, const char *name, const char *value);

/* ---- known_flags.c ---- */
/* A flag of OpenModelica's simulations; *used: words it took, 0 if it is none. False after a
 * message. */
bool known_flag(Job *job, const char *word, const char *next, int *used);
bool override_file(Job *job, const char *path); /* false after a message */

/* ---- numbers.c ---- */
/* The number in an option; false after a message. Absent: true, and *given false. */
bool option_number(const char *name, const char *text, double *value, bool *given);
/* A number from 1 to most; fallback if it is not there, 0 after a message. */
int option_count(const char *option, const char *text, int most, int fallback);

/* ---- translating.c ---- */
/* --dump and --stop-after name passes; false after a message. */
bool passes_check(const Job *job);
/* A program for the only argument; NULL: *status is the exit status, EXIT_DONE if --stop-after
 * ended it. wish: what to add to the request. */
RbProgram *job_translate(Job *job, RbRequest wish, int *status);
RbSettings job_settings(Job *job);
bool       job_is_program(const char *path); /* a file of rubato build */
/* --set NAME=VALUE, blanks around both ignored; NULL after a message. */
RbValue *job_values(Job *job);
void     job_messages(Job *job); /* new ones of the compiler, to standard error */
RbStyle  job_style(const Job *job);
void     show_timing(const Job *job);
void     pass_time(Job *job, const char *name, bool fine, double seconds);
/* Parses a file into job->file, with --dump=parse, --stages and --timing. */
bool   job_parse(Job *job, const char *path);
double wall_time_now(void);
void   show_text(const char *text); /* to standard output */

/* ---- files.c ---- */
/* Appends every .mo file of a tree, sorted, or the path itself if it is a file. */
bool        files_collect(Job *job, const char *path, Words *files);
bool        files_write(const char *path, const char *text,
                        size_t length); /* errno on failure */
const char *files_cache(Job *job);      /* folder for compiled code of this user */
void        words_add(Arena *arena, Words *words, const char *word);

/* ---- commands: exit status ---- */
typedef int Command(Job *job);
Command     command_parse, command_format, command_explain, command_check, command_flat,
    command_build, command_methods, command_simulate, command_structure, command_compare,
    command_run, command_report, command_plot, command_variables, command_convert,
    command_completion, command_help, command_advise, command_sweep, command_steady,
    command_linearize, command_fit, command_fmu, command_lsp, command_lint;

/* ---- commands.c ---- */
typedef struct CommandInfo {
    const char *name;
    Command    *run;
    const char *arguments; /* as the help calls them */
    const char *help;      /* in a line */
    const char *examples;  /* lines */
} CommandInfo;
const CommandInfo *command_info(int index);        /* NULL after the last one */
const CommandInfo *command_find(const char *name); /* NULL: there is none */
int                unknown_command(const char *name);
/* Name of an option of a command, "" if the command does not have it, NULL after the last one. */
/* The name of a class as that of a file: a quoted one may hold slashes. */
const char *file_stem(Job *job, const char *model);
const char *option_name(int index, const char *command); /* options.c */

/* ---- results: cmd_plot.c, cmd_variables.c ---- */
struct Result;
struct Figure;
bool result_load(struct Result *result, const char *path); /* false after a message */
bool is_result_file(const char *path);                     /* by its ending */
/* On the terminal, or into the file of --output. */
int figure_show(Job *job, const struct Figure *figure);
/* cmd_report.c: the page of a run that has ended. */
bool report_of_run(Job *job, const char *path, const char *result_path,
                   const RbProgram *program, RbSimulation *simulation, const char *trace);

bool job_open_libraries(Job *job); /* cmd_parse.c: false after a message */

#endif
