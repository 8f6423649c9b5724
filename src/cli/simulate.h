/* SPDX-License-Identifier: Apache-2.0 */
/* simulate.h -- private to cli: the files of rubato simulate.
 *
 *   cmd_simulate.c      translate, run, record, report
 *   simulate_options.c  the command line as options of a simulation
 *   progress.c          what is shown while it runs and at its end
 *   interrupt.c         Ctrl-C ends a run between two steps or inside one
 *   study_report.c      a study as an HTML page
 *   ranks.c             several processes that work together
 *   keep_state.c        states saved and continued
 *   simulate_fmu.c      FMUs */
#ifndef RUBATO_CLI_SIMULATE_H
#define RUBATO_CLI_SIMULATE_H

#include "cli/cli.h"

typedef struct Progress {      /* of a run, as a line on a terminal */
    bool   on;                 /* there is a terminal to show it on */
    bool   shown;              /* there is something to erase */
    double moment;             /* wall time of the last line */
    double time;               /* simulated then ... */
    long   steps, state_steps; /* ... and counts then */
    double words;              /* bytes of the result at which to say a word */
} Progress;

typedef struct Interrupt Interrupt;

typedef struct Show { /* a simulation as the user sees it */
    Job          *job;
    RbProgram    *program;
    RbSimulation *simulation;
    RbOptions     options;
    const char   *path;   /* of the result */
    bool          stored; /* the program is a file: it cannot be translated again */
    FILE         *trace;  /* NULL: none */
    Text          steps;  /* the same for a report, empty without one */
    Progress      progress;
    Interrupt    *interrupt; /* NULL: none */
    double        begun;     /* wall time */
    double        start, stop;
} Show;

/* ---- simulate_options.c: false after a message ---- */
bool simulate_options(Show *show);
/* Start and stop, then --intervals N, which needs both. */
bool simulate_times(Show *show);

/* ---- progress.c ---- */
/* A count among the statistics, which are flat JSON up to the levels. */
long count_of(const char *statistics, const char *key);
/* "12 s", "3 min" */
void duration(Text *out, double seconds);
void counted(Text *out, long n, const char *what); /* "1 step", "2 steps" */
/* After a step at time t: the line, and a word about a result that grows large. */
void progress_step(Show *show, double t);
void progress_end(Show *show); /* the line is erased */
void summary(const Show *show);
/* The run was interrupted: what was kept. points: in the result. */
void summary_interrupted(const Show *show, long points);

/* ---- interrupt.c ---- */
/* Before threads begin. NULL: signals end the process as ever. */
Interrupt *interrupt_watch(void);
/* From now on a first Ctrl-C (or SIGTERM) is only noted, a second one ends the process. */
void interrupt_run(Interrupt *interrupt);
bool interrupted(const Interrupt *interrupt);
void interrupt_end(Interrupt *interrupt);

/* ---- simulate_fmu.c ---- */
bool is_fmu(const char *target);
int  simulate_fmu(Show *show, const char *target);

/* ---- study_report.c ---- */
bool study_report(Show *show, RbStudy *study,
                  const char *path); /* false after a message */

/* ---- ranks.c ---- */
/* The link to the other processes; NULL: this is the only one. False after a message. */
bool ranks_link(Job *job, RbLink **link);
/* The program of rank 0, on all ranks; NULL: it has none. */
RbProgram *ranks_program(Job *job, RbLink *link, RbProgram *program, RbError *error);

/* ---- keep_state.c ---- */
bool state_load(Show *show, const char *path); /* false after a message */
bool state_store(Show *show, const char *path);

#endif
