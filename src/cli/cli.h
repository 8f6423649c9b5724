/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h -- the command: options, commands, passes. Only this folder prints, reads the
 * environment and ends the process.
 *
 *   main.c         picks the command, shows the messages, sets the exit status
 *   options.c      one table of options: parsing and help
 *   driver.c       one table of passes: --dump, --stop-after, --timing, --stages
 *   files.c        walking library trees, writing files whole or not at all
 *   cmd_parse.c    rubato parse
 *   cmd_format.c   rubato format
 *   cmd_explain.c  rubato explain
 *   cmd_flat.c     rubato check, rubato flat
 *   cmd_methods.c  rubato methods
 *   cmd_compare.c  rubato compare
 *   experiment.c   what to simulate
 *   setting.c      --set
 *   failure.c      a failed run in words
 *   version.c      the version of this build */
#ifndef RUBATO_CLI_H
#define RUBATO_CLI_H

#include "syntax/syntax.h"
#include "inst/inst.h"

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

typedef struct Options {
    const char *command;
    Words       arguments;  /* what is no option                                   */
    Words       library;    /* --library                                           */
    const char *model;      /* --model: class to take from a file, or NULL         */
    const char *dump;       /* --dump: name of a pass, or NULL                     */
    const char *stop_after; /* --stop-after: name of a pass, or NULL               */
    bool        timing, stages, quiet;
    bool        json;     /* --diagnostics=json                                  */
    bool        in_place; /* format --in-place                                   */
    bool        check;    /* format --check                                      */
    bool        markdown; /* explain --markdown                                  */
    /* simulate: texts as given, NULL if not */
    const char *start, *stop, *tolerance, *interval, *intervals;
    const char *max_steps;
    const char *output;    /* --output: file, or - for standard output          */
    const char *variables; /* --variables: regular expression of names to keep  */
    Words       set;       /* --set name=value                                  */
    const char *solver, *method, *tier;
    const char *rates;       /* --rates: auto or a number of levels                  */
    const char *trace;       /* --trace: file                                        */
    const char *threads;     /* --threads: a number, and another one behind a comma  */
    const char *events;      /* --events: auto or global                           */
    bool        check_parts; /* --check-parts                                        */
    const char *signals;     /* compare: file of names, NULL: all                  */
    const char *stats;       /* --stats[=FILE]: "" is standard output             */
    bool        trust;       /* run code of libraries that are not installed         */
    bool        experiments; /* parse: list the models that can be simulated      */
    bool        help, version;
} Options;

typedef struct Job { /* one run of the command                              */
    Arena             arena;
    Options           options;
    Session           session;
    Library           library;
    const StoredFile *file;      /* pass parse: the file just parsed                    */
    const char       *path;      /* pass parse: what to parse                           */
    bool              translate; /* the command works on one model                      */
    bool              check;     /* every class is looked at, too                       */
    const char       *target;    /* pass parse: full name of that model                 */
    Front            *front;     /* pass flatten                                        */
    struct Foreign   *foreign;   /* pass flatten: external code, see live/live.h        */
    FlatModel        *flat;      /* pass flatten                                        */
    struct Rows      *rows;      /* pass rows: see flat/flat.h                          */
    struct Setting   *setting;   /* pass rows: --set, see setting.h                     */
    int               settings;
    const Mods       *given;   /* those that shape the model, NULL if none */
    struct Build     *code;    /* passes structure, compile: see code.h               */
    bool              stopped; /* --stop-after ended the passes                       */
    double seconds[32];        /* by pass: time spent                                 */
    long   peak[32];           /* by pass: largest memory so far, kB                  */
    double begun;              /* wall time of the beginning                          */
    double initialised, stepped, ended; /* wall time of these moments of a run, or 0   */
} Job;

/* ---- options.c ---- */
/* Fills job->options; false after a message on standard error. */
bool options_parse(Job *job, int argc, char **argv);
void options_help(FILE *out, const char *command); /* NULL: all commands */

/* ---- driver.c ---- */
bool driver_check_names(Job *job); /* --dump and --stop-after name passes */
/* Runs the passes up to the one named; false after an error in one of them. With
 * --stop-after it may end before: job->stopped then tells, and there is nothing left to do. */
bool   driver_run(Job *job, const char *last);
void   driver_timing(Job *job);
double wall_time(void);

/* ---- files.c ---- */
/* Appends every .mo file of a tree, sorted, or the path itself if it is a file. */
bool        files_collect(Job *job, const char *path, Words *files);
bool        files_write(const char *path, const char *text,
                        size_t length); /* errno on failure */
const char *files_cache(Job *job);      /* folder for compiled code of this user */
void        words_add(Arena *arena, Words *words, const char *word);

/* ---- commands: exit status ---- */
int         command_parse(Job *job);
int         command_format(Job *job);
int         command_explain(Job *job);
int         command_check(Job *job);
int         command_flat(Job *job);
const char *job_target(Job *job);
bool        job_open_libraries(Job *job); /* false after a message */
int         command_methods(Job *job);
int         command_simulate(Job *job);
int         command_structure(Job *job);
int         command_compare(Job *job);

/* ---- version.c ---- */
const char *rubato_version(void);

#endif
