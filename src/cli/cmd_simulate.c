/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_simulate.c -- rubato simulate: translate, run, record, report. */
#define _POSIX_C_SOURCE 200809L
#include "cli/experiment.h"
#include "cli/code.h"
#include "cli/failure.h"
#include "cli/results.h"
#include "cli/setting.h"
#include "cli/trace.h"
#include "sim/sim.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct Run {
    Job        *job;
    Instance    instance;
    Experiment  experiment;
    Results     results;
    Recorder   *recorder;
    double     *x;        /* state                                               */
    double      shown;    /* wall time of the last progress line                 */
    double      looked;   /* wall time of the last look for better code          */
    double      begun;    /* wall time of the beginning                          */
    bool        progress; /* there is a terminal to show it on                   */
    Trace       trace;
    SimSolver   solver;
    int         rates, threads;      /* see SimOptions                             */
    double      grain;               /* likewise                                      */
    const char *method[RATE_LEVELS]; /* of the levels, NULL: not said                   */
    Tier       *tier; /* NULL if the code stays what it is                   */
    SimOutcome  outcome;
} Run;

/* ---- options ---- */

static const char *const solvers[] = {[SOLVER_RK] = "rk",
                                      [SOLVER_CVODE] = "cvode",
                                      [SOLVER_IDA] = "ida",
                                      [SOLVER_ARKODE] = "arkode"};

/* --solver NAME */
static bool read_solver(Run *run) {
    const char *name = run->job->options.solver;
    for (int k = 0; name && k < LENGTH(solvers); k++) {
        if (strcmp(name, solvers[k]) != 0) continue;
        run->solver = (SimSolver)k;
        name = NULL;
    }
    if (name)
        fprintf(stderr, "rubato: --solver is rk, cvode, ida or arkode, not '%s'\n", name);
    else if (run->solver != SOLVER_RK && !sundials_present()) {
        fprintf(stderr, "rubato: this build has no SUNDIALS, so --solver is rk\n");
        return false;
    }
    return !name;
}

static bool known_method(const char *name, bool first) {
    Suggest suggest = suggest_start(name);
    if (first && strcmp(name, "auto") == 0) return true;
    for (int i = 0; method_name(i); i++) {
        if (strcmp(name, method_name(i)) == 0) return true;
        suggest_candidate(&suggest, method_name(i));
    }
    fprintf(stderr, "rubato: there is no method '%s'", name);
    if (suggest.best) fprintf(stderr, "; did you mean '%s'?", suggest.best);
    fprintf(stderr, " ('rubato methods' names all)\n");
    return false;
}

/* --method NAME[,NAME...]: of the first level, the second, ... */
static bool read_methods(Run *run) {
    const char *text = run->job->options.method;
    for (int k = 0; text; k++) {
        const size_t length = strcspn(text, ",");
        if (k == RATE_LEVELS) {
            fprintf(stderr, "rubato: --method names at most %d levels\n", RATE_LEVELS);
            return false;
        }
        run->method[k] = arena_printf(&run->job->arena, "%.*s", (int)length, text);
        if (!known_method(run->method[k], k == 0)) return false;
        text = text[length] ? text + length + 1 : NULL;
    }
    return true;
}

/* A number from 1 to most behind an option; fallback if it is not there, 0 after a message. */
static int read_number(const char *option, const char *text, int most, int fallback) {
    char *end;
    if (!text) return fallback;
    long n = strtol(text, &end, 10);
    if (end != text && !*end && n >= 1 && n <= most) return (int)n;
    fprintf(stderr, "rubato: %s is a number from 1 to %d, not '%s'\n", option, most,
            text);
    return 0;
}

/* --threads N[,WORK] */
static bool read_threads(Run *run) {
    const char *text = run->job->options.threads,
               *comma = text ? strchr(text, ',') : NULL;
    Text first = {0};
    if (text) text_printf(&first, "%.*s", comma ? (int)(comma - text) : 300, text);
    run->threads = read_number("--threads", text ? text_get(&first) : NULL, 256, 1);
    text_free(&first);
    if (comma)
        run->grain = read_number("--threads N,WORK: WORK", comma + 1, 1000000000, 0);
    return run->threads != 0 && (!comma || run->grain > 0);
}

static bool read_rates(Run *run) {
    const Options *o = &run->job->options;
    bool           chosen = o->rates && strcmp(o->rates, "auto") == 0;
    run->rates =
        chosen ? SIM_RATES_AUTO : read_number("--rates", o->rates, RATE_LEVELS, 1);
    if (o->events && strcmp(o->events, "auto") && strcmp(o->events, "global")) {
        fprintf(stderr, "rubato: --events is auto or global, not '%s'\n", o->events);
        return false;
    }
    return run->rates != 0 && read_threads(run);
}

/* ---- recording and progress ---- */

/* A value that is not finite never goes to disk. */
static Status probe(void *owner, double t, const double *x, const double *y,
                    Fault *fault) {
    Run     *run = owner;
    Results *results = &run->results;
    (void)t, (void)x, (void)y,
        (void)fault; /* the instance has all values of this point */
    for (int i = 0; i < results->columns; i++) {
        results->value[i] = run->instance.rb.v[results->column[i]];
        if (!isfinite(results->value[i])) return STATUS_NOT_FINITE;
    }
    return STATUS_OK;
}

static Status record(void *owner, double t, const double *x, const double *y,
                     Fault *fault) {
    Run   *run = owner;
    Status status = probe(owner, t, x, y, fault);
    if (status != STATUS_OK) return status;
    if (record_point(run->recorder, t, run->results.value)) return STATUS_OK;
    fault->what = "the result cannot be written";
    return STATUS_FATAL;
}

/* After each step. The compiler of the machine is worth starting once a run lasts as long as it
 * takes. */
static bool show_progress(void *owner, double t, const SimStatistics *s) {
    static const double patience = 1;
    Run                *run = owner;
    double              now = wall_time();
    if (!run->job->stepped) run->job->stepped = now;
    if (run->tier && now - run->begun > patience && now - run->looked > 0.01) {
        run->looked = now;
        tier_step(run->tier);
    }
    if (now - run->shown < 0.2) return true;
    run->shown = now;
    record_flush(run->recorder); /* what is done survives a kill */
    if (!run->progress) return true;
    double span = run->experiment.stop - run->experiment.start;
    double share = span > 0 ? (t - run->experiment.start) / span : 1;
    double left = share > 0 ? (now - run->begun) * (1 - share) / share : 0;
    fprintf(stderr, "\r%3.0f %%  t = %-12g  %ld steps  %.0f s left   ", 100 * share, t,
            s->ode.steps_accepted, left);
    return true;
}

static void on_step(void *owner, const RateTrace *step) {
    trace_step(&((Run *)owner)->trace, step);
}

static void on_event(void *owner, double t, EventKind kind) {
    trace_event(&((Run *)owner)->trace, t, kind);
}

static bool open_result(Run *run) {
    Job        *job = run->job;
    Results    *results = &run->results;
    const char *path = job->options.output;
    double     *constant = NEW(&job->arena, double, results->constants + 1);
    if (!path) path = arena_printf(&job->arena, "%s_res.mat", job->target);
    for (int i = 0; i < results->constants; i++)
        constant[i] = run->instance.rb.v[results->constant[i]];
    RecordLayout layout = {.variable = results->variable,
                           .variables = results->variables,
                           .columns = results->columns,
                           .constants = results->constants,
                           .constant = constant,
                           .start = run->experiment.start,
                           .stop = run->experiment.stop};
    run->recorder = record_open(path, record_format(path), &layout);
    if (!run->recorder)
        fprintf(stderr, "rubato: cannot write '%s': %s\n", path, strerror(errno));
    return run->recorder != NULL;
}

/* ---- reports ---- */

static void explain_failure(Run *run) {
    Failure failure = {.status = run->outcome.status,
                       .time = run->outcome.time,
                       .fault = run->outcome.fault,
                       .x = run->x};
    failure_explain(&run->job->session.diag, &run->instance, &failure);
}

static void statistics(const Run *run, Text *out) {
    const Job           *job = run->job;
    const SimStatistics *s = &run->outcome.statistics;
    struct rusage        usage;
    getrusage(RUSAGE_SELF, &usage);
    text_add(out, "{\"model\":");
    text_json(out, job->target, strlen(job->target));
    text_printf(out, ",\"equations\":%d,\"rows\":%d,\"shapes\":%d,\"states\":%d",
                job->rows->sys.set[ROWS_EQUATION].rows, job->code->run.structure.rows,
                job->rows->shapes.count, run->instance.model.nx);
    text_printf(out, ",\"parameters\":%d,\"tier\":%d,\"solver\":\"%s\",\"method\":\"%s\"",
                run->results.constants, job->code->run.image.tier, solvers[run->solver],
                job->options.method ? job->options.method : "auto");
    text_printf(
        out, ",\"tolerance\":%.17g,\"time_simulate\":%.6f,\"memory_peak_bytes\":%ld",
        run->experiment.tolerance, wall_time() - run->begun, usage.ru_maxrss * 1024L);
    text_printf(out, ",\"steps_accepted\":%ld,\"steps_rejected\":%ld,\"rhs_calls\":%ld",
                s->ode.steps_accepted, s->ode.steps_rejected, s->ode.rhs_calls);
    text_printf(out, ",\"rhs_rows\":%ld,\"jacobians\":%ld,\"factorizations\":%ld",
                run->instance.rows, s->ode.jacobians, s->ode.factorizations);
    text_printf(out, ",\"refactorizations\":%ld,\"solves\":%ld,\"newton_iterations\":%ld",
                s->ode.refactorizations, s->ode.solves, s->ode.newton_iterations);
    text_printf(out, ",\"newton_failures\":%ld,\"events_time\":%ld,\"events_state\":%ld",
                s->ode.newton_failures, s->events_time, s->events_state);
    text_printf(out, ",\"crossing_rows\":%ld,\"state_steps\":%ld",
                run->instance.crossing_rows, s->ode.state_steps);
    if (job->options.check_parts)
        text_printf(out, ",\"mismatches\":%ld", s->rate.mismatches);
    text_printf(out, ",\"selection_changes\":%ld,\"selection_cache_hits\":%ld",
                s->rate.selections, s->rate.cache_hits);
    text_printf(out, ",\"invariants\":%d,\"projections\":%ld",
                job->code->run.structure.drift.rows, s->projections);
    for (int k = 0; k < s->levels; k++) {
        const RateStatistics *r = &s->rate;
        double mean = r->steps[k] ? (double)r->state_steps[k] / (double)r->steps[k] : 0;
        text_printf(out, "%s{\"states_mean\":%.6g,\"steps\":%ld,\"state_steps\":%ld",
                    k ? "," : ",\"levels\":[", mean, r->steps[k], r->state_steps[k]);
        text_printf(out, ",\"rhs_rows\":%ld}", r->rhs_rows[k]);
    }
    text_add(out, s->levels ? "]}\n" : "}\n");
}

static bool write_statistics(const Run *run) {
    const char *path = run->job->options.stats;
    Text        out = {0};
    bool        good = true;
    if (!path) return true;
    statistics(run, &out);
    if (*path) good = files_write(path, text_get(&out), out.length);
    else fwrite(text_get(&out), 1, out.length, stdout);
    if (!good) fprintf(stderr, "rubato: cannot write '%s': %s\n", path, strerror(errno));
    text_free(&out);
    return good;
}

static void summary(const Run *run) {
    const SimStatistics *s = &run->outcome.statistics;
    const Job           *job = run->job;
    const char          *path = job->options.output;
    if (job->options.quiet || (path && strcmp(path, "-") == 0)) return;
    printf("%s: %g s in %.3f s, %ld steps, %ld events, %ld points -> %s%s\n", job->target,
           run->outcome.time - run->experiment.start, wall_time() - run->begun,
           s->ode.steps_accepted, s->events_time + s->events_state, s->points,
           path ? path : job->target, path ? "" : "_res.mat");
}

/* ---- the command ---- */

static SimOutcome run_model(Run *run) {
    Job         *job = run->job;
    const Model *model = &run->instance.model;
    SimOptions   options = {.start = run->experiment.start,
                            .stop = run->experiment.stop,
                            .interval = run->experiment.interval,
                            .most = run->experiment.most,
                            .point = record,
                            .probe = probe,
                            .progress = show_progress,
                            .owner = run};
    run->x = NEW(&job->arena, double, model->nx + 1);
    options.solver = run->solver;
    options.rates = run->rates;
    options.threads = run->threads;
    options.grain = run->grain;
    options.global_events = job->options.events && job->options.events[0] == 'g';
    options.check = job->options.check_parts;
    if (run->trace.file) {
        options.trace = on_step;
        options.event = on_event;
    }
    options.ode.rtol = run->experiment.tolerance;
    options.ode.method = run->method[0];
    memcpy(options.below, run->method + 1, sizeof options.below);
    run->begun = run->shown = run->looked = wall_time();
    if (!job->options.tier || strcmp(job->options.tier, "auto") == 0)
        run->tier = tier_new(&job->code->run.image, files_cache(job));
    SimOutcome outcome = simulate(model, &options, run->x);
    tier_free(run->tier);
    return outcome;
}

static int simulate_job(Run *run) {
    Job *job = run->job;
    if (!results_choose(&run->results, &job->code->run.structure, &job->session.strings,
                        job->options.variables))
        return EXIT_USAGE;
    if (!open_result(run)) return EXIT_MODEL;
    if (job->options.trace &&
        !trace_open(&run->trace, job->options.trace, &run->instance)) {
        record_close(run->recorder);
        return EXIT_MODEL;
    }
    run->outcome = run_model(run);
    job->ended = wall_time();
    if (run->progress) fprintf(stderr, "\r%60s\r", "");
    bool written = record_close(run->recorder);
    if (!trace_close(&run->trace)) written = false;
    bool done = run->outcome.status == STATUS_OK || run->outcome.status == STATUS_END;
    if (job->options.stages)
        fprintf(stderr, "stage: simulate %s\n", done ? "ok" : "fail");
    if (!done) explain_failure(run);
    if (!written) fprintf(stderr, "rubato: the result could not be written completely\n");
    summary(run);
    if (!write_statistics(run)) return EXIT_MODEL;
    const long mismatches = run->outcome.statistics.rate.mismatches;
    if (mismatches) {
        fprintf(stderr, "rubato: %ld values of parts differ from those of the whole\n",
                mismatches);
        return EXIT_DEFECT;
    }
    return !done ? EXIT_RUN : written ? EXIT_DONE : EXIT_MODEL;
}

/* Parameters, then values at the start; false after an explanation. */
static bool initialise(Run *run) {
    Build *build = run->job->code;
    Fault  fault = fault_none();
    Status status = instance_bind(&run->instance, &build->bindings.plan,
                                  &build->bindings.image, &fault);
    if (status == STATUS_OK)
        status = instance_initialise(&run->instance, &build->start.plan,
                                     &build->start.image, run->experiment.start, &fault);
    run->job->initialised = wall_time();
    if (status == STATUS_OK) return true;
    run->outcome =
        (SimOutcome){.status = status, .time = run->experiment.start, .fault = fault};
    if (run->job->options.stages) fprintf(stderr, "stage: simulate fail\n");
    explain_failure(run);
    return false;
}

int command_simulate(Job *job) {
    Run run = {.job = job, .progress = isatty(STDERR_FILENO) && !job->options.quiet};
    const char *tier = job->options.tier;
    if (tier && strcmp(tier, "0") && strcmp(tier, "1") && strcmp(tier, "auto")) {
        fprintf(stderr, "rubato: --tier is 0, 1 or auto, not '%s'\n", tier);
        return EXIT_USAGE;
    }
    job->translate = true;
    if (!read_solver(&run) || !read_methods(&run) || !read_rates(&run)) return EXIT_USAGE;
    if (!driver_run(job, "compile"))
        return job->session.diag.errors ? EXIT_MODEL : EXIT_USAGE;
    if (job->stopped) return EXIT_DONE;
    int status = experiment_read(job, &run.experiment);
    if (status != EXIT_DONE) return status;
    instance_open(&run.instance, &job->code->run.plan, &job->code->run.image);
    run.instance.diag = &job->session.diag;
    for (int i = 0; i < job->settings; i++)
        if (job->setting[i].var >= 0)
            instance_set(&run.instance, job->setting[i].var, job->setting[i].value);
    status = initialise(&run) ? simulate_job(&run) : EXIT_RUN;
    results_free(&run.results);
    instance_free(&run.instance);
    return status;
}
