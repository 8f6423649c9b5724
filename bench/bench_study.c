/* SPDX-License-Identifier: Apache-2.0 */
/* bench_study.c -- ten thousand runs of a circuit with ten states.
 *
 *     bench_study RUBATO [CASES]
 *
 * Time of a run in a study on 1 and 2 threads, by turns; of a process `rubato simulate`, start included; of a
 * loop over CVODE in C with the equations by hand. Then with steps of equal length: cases one by one against a
 * family whose kernels run over all cases at once (--components), which is what batching could gain. */
#define _GNU_SOURCE
#include "rubato.h"
#include "study/cvode.h"

#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;
enum { TURNS = 3, PROCESSES = 20 };
static const char *const file = "bench/study/Ladder.mo";

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Cost {
    double wall, processor; /* seconds */
} Cost;

static Cost cost_now(void) {
    return (Cost){seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
}

static void least(Cost *best, Cost since) {
    Cost now = cost_now();
    best->wall = fmin(best->wall, now.wall - since.wall);
    best->processor = fmin(best->processor, now.processor - since.processor);
}

static RbProgram *translate(const char *model, bool components) {
    RbError     error;
    RbRequest   request = {.target = file, .model = model, .components = components};
    RbCompiler *compiler = rb_compiler_new(NULL, &error);
    RbProgram  *program = rb_translate(compiler, &request, &error);
    rb_compiler_free(compiler);
    if (!program) fprintf(stderr, "%s\n", error.text), exit(1);
    return program;
}

static RbStudy *study_run(RbProgram *program, long cases, const RbOptions *options,
                          int threads) {
    char        vary[60];
    const char *words[] = {vary}, *keep[] = {"v[10]"};
    RbError     error;
    RbStudyPlan plan = {
        .vary = words, .varies = 1, .keep = keep, .keeps = 1, .options = options};
    snprintf(vary, sizeof vary, "R=lin(%.17g,1.5,%ld)", 0.5 + 1.0 / (double)cases, cases);
    RbStudy *study = rb_study_new(program, &plan, &error);
    if (!study || rb_study_run(study, threads, NULL, &error) != RB_OK)
        fprintf(stderr, "%s\n", error.text), exit(1);
    return study;
}

static double process_time(const char *rubato) {
    char  *words[] = {(char *)rubato, "simulate",       (char *)file,
                      "--model",      "Ladders.Ladder", "--output",
                      "/dev/null",    "--quiet",        NULL};
    double best = HUGE_VAL;
    for (int k = 0; k < PROCESSES; k++) {
        double begun = seconds(CLOCK_MONOTONIC);
        pid_t  child;
        int    status;
        if (posix_spawn(&child, rubato, NULL, NULL, words, environ) != 0) return NAN;
        waitpid(child, &status, 0);
        if (status != 0) return NAN;
        best = fmin(best, seconds(CLOCK_MONOTONIC) - begun);
    }
    return best;
}

static void show(const char *what, Cost c, long cases) {
    printf("  %-34s %9.1f us a run, of processors %9.1f us\n", what,
           1e6 * c.wall / (double)cases, 1e6 * c.processor / (double)cases);
}

/* CVODE with the same values; the largest difference of v[10]. */
static double run_cvode(const RbStudy *study, long cases, bool *there) {
    double worst = 0, v[LADDER];
    for (long i = 0; i < cases; i++) {
        *there = cvode_ladder(rb_study_value(study, i, 0), 1e-6, v);
        if (!*there) return 0;
        worst = fmax(worst, fabs(v[LADDER - 1] - rb_study_value(study, i, 1)));
    }
    return worst;
}

static void adaptive(const char *rubato, long cases) {
    Cost       one = {HUGE_VAL, HUGE_VAL}, two = one, cvode = one;
    RbProgram *program = translate("Ladders.Ladder", false);
    RbOptions  options = {.given_tier = true, .tier = 1};
    double     worst = 0;
    bool       there = false;
    rb_study_free(study_run(program, 1, &options, 1)); /* the code is compiled */
    for (int turn = 0; turn < TURNS; turn++) {
        Cost     begun = cost_now();
        RbStudy *study = study_run(program, cases, &options, 1);
        least(&one, begun);
        begun = cost_now();
        rb_study_free(study_run(program, cases, &options, 2));
        least(&two, begun);
        begun = cost_now();
        worst = run_cvode(study, cases, &there);
        least(&cvode, begun);
        rb_study_free(study);
    }
    rb_program_free(program);
    double process = process_time(rubato);
    printf("%ld runs, ten states, tolerance 1e-6\n", cases);
    show("study, 1 thread", one, cases);
    show("study, 2 threads", two, cases);
    printf("  ratio of 1 thread to 2: %.2f\n", one.wall / two.wall);
    printf("  %-34s %9.1f us\n", "one process rubato simulate", 1e6 * process);
    printf("  a run of the study is %.4f of it\n", one.wall / (double)cases / process);
    if (!there) return;
    show("CVODE in C, 1 thread", cvode, cases);
    printf("  a run of the study is %.2f of it; v[10] differs by at most %.1e\n",
           one.wall / cvode.wall, worst);
}

static Cost family(RbProgram *program, const RbOptions *options, double *last) {
    RbError       error;
    Cost          cost = {HUGE_VAL, HUGE_VAL}, begun = cost_now();
    RbSimulation *s = rb_simulation_new(program, options, &error);
    if (!s || rb_run(s, &error) != RB_OK) fprintf(stderr, "%s\n", error.text), exit(1);
    least(&cost, begun);
    *last = rb_get(s, "part[1].v[10]");
    rb_simulation_free(s);
    return cost;
}

/* The same steps one by one and all at once. */
static void batched(long cases) {
    const RbOptions options = {.fixed_step = 1e-3,
                               .method = "rk4",
                               .interval = -1,
                               .given_tier = true,
                               .tier = 1};
    Cost            one = {HUGE_VAL, HUGE_VAL}, all = one;
    RbProgram      *single = translate("Ladders.Ladder", false),
              *many = translate("Ladders.Many", true);
    double last = 0, first = 0;
    rb_study_free(study_run(single, 1, &options, 1));
    family(many, &options, &last);
    for (int turn = 0; turn < 1; turn++) {
        Cost     begun = cost_now();
        RbStudy *study = study_run(single, cases, &options, 1);
        least(&one, begun);
        first = rb_study_value(study, 0, 1);
        rb_study_free(study);
        Cost c = family(many, &options, &last);
        all.wall = fmin(all.wall, c.wall),
        all.processor = fmin(all.processor, c.processor);
    }
    printf("1000 steps of RK4, all runs with the same steps, 1 thread\n");
    show("one by one", one, cases);
    show("all at once (--components)", all, cases);
    printf("  one by one takes %.2f times as long; first case %.12g and %.12g\n",
           one.wall / all.wall, first, last);
    rb_program_free(single);
    rb_program_free(many);
}

int main(int argc, char **argv) {
    long cases = argc > 2 ? atol(argv[2]) : 10000;
    if (argc < 2 || cases < 1) return fprintf(stderr, "bench_study RUBATO [CASES]\n"), 2;
    adaptive(argv[1], cases);
    if (cases == 10000) batched(cases); /* the family in the file has as many */
    return 0;
}
