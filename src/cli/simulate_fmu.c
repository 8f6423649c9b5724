/* SPDX-License-Identifier: Apache-2.0 */
/* simulate_fmu.c -- rubato simulate X.fmu: an FMU that anybody made. */
#define _POSIX_C_SOURCE 200809L
#include "cli/simulate.h"

#include <stdlib.h>
#include <string.h>

bool is_fmu(const char *target) {
    size_t n = strlen(target);
    return n > 4 && strcmp(target + n - 4, ".fmu") == 0;
}

static bool on_progress(void *owner, double time) {
    const Show *show = owner;
    (void)time;
    return !interrupted(show->interrupt);
}

/* NAME_res.mat beside where we are, NAME that of the file. */
static const char *result_path(Show *show, const char *target) {
    Job        *job = show->job;
    const char *slash = strrchr(target, '/'), *base = slash ? slash + 1 : target;
    const char *format = job->options.simulate.format;
    if (job->options.output) return job->options.output;
    return arena_printf(&job->arena, "%.*s_res.%s", (int)(strlen(base) - 4), base,
                        format ? format : "mat");
}

static int exit_of(RbStatus status) {
    switch (status) {
    case RB_OK:
    case RB_END: return EXIT_DONE;
    case RB_ARGUMENT: return EXIT_USAGE;
    case RB_FAILED:
    case RB_STOPPED: return EXIT_RUN;
    case RB_NO_MEMORY:
    case RB_DEFECT: return EXIT_DEFECT;
    default: return EXIT_MODEL;
    }
}

static void say_done(const RbFmuOutcome *outcome, double seconds, const char *result) {
    const struct {
        long        n;
        const char *what;
    } part[] = {{outcome->states, "state"},
                {outcome->steps, "step"},
                {outcome->events, "event"},
                {outcome->points, "point"}};
    Text line = {0};
    for (int k = 0; k < LENGTH(part); k++) {
        text_add(&line, ", ");
        counted(&line, part[k].n, part[k].what);
    }
    printf("%s: %g s in %.3f s%s -> %s\n", outcome->model, outcome->time - outcome->start,
           seconds, text_get(&line), result);
    text_free(&line);
}

int simulate_fmu(Show *show, const char *target) {
    Job         *job = show->job;
    RbError      error = {.status = RB_OK};
    RbSettings   settings = job_settings(job);
    RbFmuOutcome outcome;
    RbFmuRun     run = {.kind = job->options.kind,
                        .set = job_values(job),
                        .sets = job->options.set.count,
                        .inputs = job->options.inputs,
                        .result = result_path(show, target),
                        .variables = job->options.simulate.variables,
                        .temporary = getenv("TMPDIR"),
                        .progress = on_progress,
                        .owner = show};
    if (!run.set) return EXIT_USAGE;
    double   before = wall_time_now();
    RbStatus status =
        rb_fmu_run(target, &settings, &show->options, &run, &outcome, &error);
    if (status != RB_OK) fprintf(stderr, "rubato: %s\n", error.text);
    if ((status == RB_OK || status == RB_END) && !job->options.quiet &&
        strcmp(run.result, "-") != 0)
        say_done(&outcome, wall_time_now() - before, run.result);
    return exit_of(status);
}
