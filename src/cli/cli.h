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
 *   version.c      the version of this build */
#ifndef RUBATO_CLI_H
#define RUBATO_CLI_H

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

typedef struct Options {
    const char *command;
    Words       arguments;  /* what is no option                                   */
    Words       library;    /* --library                                           */
    const char *dump;       /* --dump: name of a pass, or NULL                     */
    const char *stop_after; /* --stop-after: name of a pass, or NULL               */
    bool        timing, stages, quiet;
    bool        json;     /* --diagnostics=json                                  */
    bool        in_place; /* format --in-place                                   */
    bool        check;    /* format --check                                      */
    bool        markdown; /* explain --markdown                                  */
    bool        help, version;
} Options;

typedef struct Job { /* one run of the command                              */
    Arena             arena;
    Options           options;
    Session           session;
    Library           library;
    const StoredFile *file; /* pass parse: the file just parsed                    */
    const char       *path; /* pass parse: what to parse                           */
    double seconds[32];     /* by pass: time spent                                 */
} Job;

/* ---- options.c ---- */
/* Fills job->options; false after a message on standard error. */
bool options_parse(Job *job, int argc, char **argv);
void options_help(FILE *out, const char *command); /* NULL: all commands */

/* ---- driver.c ---- */
bool driver_check_names(Job *job); /* --dump and --stop-after name passes */
/* Runs the passes up to the one named; false after an error in one of them. */
bool   driver_run(Job *job, const char *last);
void   driver_timing(Job *job);
double wall_time(void);

/* ---- files.c ---- */
/* Appends every .mo file of a tree, sorted, or the path itself if it is a file. */
bool files_collect(Job *job, const char *path, Words *files);
bool files_write(const char *path, const char *text,
                 size_t length); /* errno on failure */
void words_add(Arena *arena, Words *words, const char *word);

/* ---- commands: exit status ---- */
int command_parse(Job *job);
int command_format(Job *job);
int command_explain(Job *job);

/* ---- version.c ---- */
const char *rubato_version(void);

#endif
