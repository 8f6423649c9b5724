/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_simulate.c -- rubato simulate: translate, run, record, report. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEVELS = RB_MOST_RATES };

typedef struct Show { /* a simulation as the user sees it */
    Job          *job;
    RbProgram    *program;
    RbSimulation *simulation;
    RbOptions     options;
    bool          stored;   /* the program is a file: it cannot be translated again */
    FILE         *trace;    /* NULL: none */
    bool          progress; /* there is a terminal to show it on */
    double        shown;    /* wall time of the last progress line */
    double        begun;
    double        start, stop;
} Show;

/* ---- options ---- */

/* --threads N[,WORK] */
static bool read_threads(Show *show) {
    const char *text = show->job->options.simulate.threads;
    const char *comma = text ? strchr(text, ',') : NULL;
    Text        first = {0};
    if (text) text_printf(&first, "%.*s", comma ? (int)(comma - text) : 300, text);
    show->options.threads =
        option_count("--threads", text ? text_get(&first) : NULL, 256, 1);
    text_free(&first);
    if (comma)
        show->options.grain =
            option_count("--threads N,WORK: WORK", comma + 1, 1000000000, 0);
    return show->options.threads != 0 && (!comma || show->options.grain > 0);
}

static bool read_rates(Show *show) {
    const SimulateOptions *o = &show->job->options.simulate;
    bool                   chosen = o->rates && strcmp(o->rates, "auto") == 0;
    show->options.rates = chosen ? -1 : option_count("--rates", o->rates, LEVELS, 1);
    if (o->events && strcmp(o->events, "auto") && strcmp(o->events, "global")) {
        fprintf(stderr, "rubato: --events is auto or global, not '%s'\n", o->events);
        return false;
    }
    show->options.global_events = o->events && o->events[0] == 'g';
    show->options.check_parts = o->check_parts;
    return show->options.rates != 0 && read_threads(show);
}

static bool read_tier(Show *show) {
    const char *tier = show->job->options.simulate.tier;
    if (!tier || strcmp(tier, "auto") == 0) return true;
    show->options.given_tier = true;
    show->options.tier = tier[0] - '0';
    if (strcmp(tier, "0") == 0 || strcmp(tier, "1") == 0) return true;
    fprintf(stderr, "rubato: --tier is 0, 1 or auto, not '%s'\n", tier);
    return false;
}

static bool reject(const char *text) {
    fprintf(stderr, "rubato: %s\n", text);
    return false;
}

static bool read_times(Show *show) {
    const SimulateOptions *o = &show->job->options.simulate;
    RbOptions             *to = &show->options;
    bool                   given;
    double                 most = 0;
    if (!option_number("--start", o->start, &to->start, &to->given_start) ||
        !option_number("--stop", o->stop, &to->stop, &to->given_stop) ||
        !option_number("--tolerance", o->tolerance, &to->tolerance,
                       &to->given_tolerance) ||
        !option_number("--interval", o->interval, &to->interval, &given))
        return false;
    if (given && !(to->interval >= 0)) return reject("the interval must be positive");
    if (!option_number("--max-steps", o->max_steps, &most, &given)) return false;
    if (given && !(most >= 1 && most < 1e15))
        return reject("--max-steps must be at least 1");
    to->max_steps = (long)most;
    return true;
}

/* --intervals N needs the times of the model. */
static bool read_intervals(Show *show) {
    double intervals = 0;
    bool   given;
    if (!option_number("--intervals", show->job->options.simulate.intervals, &intervals,
                       &given))
        return false;
    if (!given) return true;
    if (!(intervals >= 1)) return reject("--intervals must be at least 1");
    show->options.interval = (show->stop - show->start) / intervals;
    if (!(show->options.interval > 0)) show->options.interval = -1; /* no time passes */
    return true;
}

static void find_times(Show *show) {
    RbInfo           info = rb_info(show->program);
    const RbOptions *o = &show->options;
    show->start = o->given_start ? o->start : isnan(info.start) ? 0 : info.start;
    show->stop = o->given_stop ? o->stop : isnan(info.stop) ? show->start + 1 : info.stop;
}

/* ---- while it runs ---- */

static bool on_progress(void *owner, RbSimulation *s, double t) {
    Show  *show = owner;
    double now = wall_time_now();
    (void)s;
    if (!show->job->timing.stepped) show->job->timing.stepped = now;
    if (!show->progress || now - show->shown < 0.2) return true;
    show->shown = now;
    double span = show->stop - show->start;
    double share = span > 0 ? (t - show->start) / span : 1;
    double left = share > 0 ? (now - show->begun) * (1 - share) / share : 0;
    fprintf(stderr, "\r%3.0f %%  t = %-12g  %.0f s left   ", 100 * share, t, left);
    return true;
}

static void on_say(void *owner, double time, bool warning, const char *text) {
    (void)owner, (void)time;
    if (!warning) fputs(text, stderr); /* warnings are among the messages */
}

static void on_trace(void *owner, const char *line) {
    fputs(line, ((Show *)owner)->trace);
}

static bool open_trace(Show *show) {
    const char *path = show->job->options.simulate.trace;
    if (!path) return true;
    show->trace = fopen(path, "w");
    if (!show->trace)
        fprintf(stderr, "rubato: cannot write '%s': %s\n", path, strerror(errno));
    return show->trace != NULL;
}

static bool close_trace(Show *show) {
    if (!show->trace) return true;
    bool good = !ferror(show->trace);
    if (fclose(show->trace) != 0) good = false;
    if (!good)
        fprintf(stderr, "rubato: '%s' could not be written completely\n",
                show->job->options.simulate.trace);
    return good;
}

/* ---- reports ---- */

static bool write_statistics(const Show *show) {
    const char *path = show->job->options.simulate.stats;
    bool        good = true;
    if (!path) return true;
    const char *text = rb_statistics(show->simulation);
    if (*path && strcmp(path, "-") != 0) good = files_write(path, text, strlen(text));
    else show_text(text);
    if (!good) fprintf(stderr, "rubato: cannot write '%s': %s\n", path, strerror(errno));
    return good;
}

/* A count among the statistics, which are flat JSON up to the levels. */
static long count_of(const char *statistics, const char *key) {
    Text quoted = {0};
    text_printf(&quoted, "\"%s\":", key);
    const char *at = strstr(statistics, text_get(&quoted));
    long        n = at ? strtol(at + quoted.length, NULL, 10) : 0;
    text_free(&quoted);
    return n;
}

static void summary(const Show *show, const char *path) {
    if (show->job->options.quiet || strcmp(path, "-") == 0) return;
    const char *s = rb_statistics(show->simulation);
    printf("%s: %g s in %.3f s, %ld steps, %ld events, %ld points -> %s\n",
           rb_info(show->program).model, rb_time(show->simulation) - show->start,
           wall_time_now() - show->begun, count_of(s, "steps_accepted"),
           count_of(s, "events_time") + count_of(s, "events_state"),
           count_of(s, "points"), path);
}

static void show_simulation_messages(Show *show) {
    const char *text = rb_simulation_messages(show->simulation, 0, job_style(show->job));
    fwrite(text, 1, strlen(text), stderr);
}

static int exit_of(RbStatus status) {
    switch (status) {
    case RB_OK:
    case RB_END:
    case RB_STOPPED: return EXIT_DONE;
    case RB_ARGUMENT: return EXIT_USAGE;
    case RB_FAILED: return EXIT_RUN;
    case RB_NO_MEMORY:
    case RB_DEFECT: return EXIT_DEFECT;
    default: return EXIT_MODEL;
    }
}

/* ---- the command ---- */

static int fail(Show *show, const RbError *error) {
    bool told = show->simulation && rb_simulation_message_count(show->simulation) > 0;
    if (!told) fprintf(stderr, "rubato: %s\n", error->text);
    return exit_of(error->status);
}

static void stored_error(RbError *error) {
    error->status = RB_TRANSLATE;
    snprintf(error->text, sizeof error->text,
             "this is no number: translate the model with the value");
}

static bool set_values(Show *show, RbError *error) {
    const Words   *set = &show->job->options.set;
    const RbValue *given = job_values(show->job);
    for (int i = 0; given && i < set->count; i++) {
        const char *text = given[i].value;
        char       *end;
        double      value = number_read(text, &end);
        if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) value = *text == 't';
        else if (!*text || *end) value = NAN; /* the model was translated with it */
        RbStatus status = RB_TRANSLATE;
        if (!isnan(value)) status = rb_set(show->simulation, given[i].name, value, error);
        else if (show->stored) stored_error(error);
        if (status == RB_OK || (status == RB_TRANSLATE && !show->stored)) continue;
        fprintf(stderr, "rubato: --set %s: %s\n", set->item[i], error->text);
        return false;
    }
    return given != NULL;
}

static int run(Show *show) {
    Job        *job = show->job;
    RbError     error = {.status = RB_OK};
    const char *path = job->options.output;
    if (!path)
        path = arena_printf(&job->arena, "%s_res.mat", rb_info(show->program).model);
    if (!set_values(show, &error)) return EXIT_USAGE;
    if (rb_record(show->simulation, path, job->options.simulate.variables, &error) !=
        RB_OK)
        return fail(show, &error);
    RbListener listener = {.progress = on_progress, .say = on_say, .owner = show};
    rb_listen(show->simulation, &listener);
    RbStatus status = rb_initialise(show->simulation, &error);
    job->timing.initialised = wall_time_now();
    if (status == RB_OK && !open_trace(show)) return EXIT_MODEL;
    listener.trace = show->trace ? on_trace : NULL;
    rb_listen(show->simulation, &listener);
    show->begun = show->shown = wall_time_now();
    if (status == RB_OK) status = rb_run(show->simulation, &error);
    bool ran = job->timing.stepped > 0 || status == RB_OK || status == RB_END;
    job->timing.ended = wall_time_now();
    if (show->progress) fprintf(stderr, "\r%60s\r", "");
    int exit_status = exit_of(status);
    if (job->options.stages)
        fprintf(stderr, "stage: simulate %s\n", exit_status == EXIT_DONE ? "ok" : "fail");
    if (exit_status != EXIT_DONE && status != RB_FAILED) fail(show, &error);
    bool written = rb_record_end(show->simulation, &error) == RB_OK;
    if (!written) fprintf(stderr, "rubato: %s\n", error.text);
    if (!close_trace(show)) written = false;
    if (ran || status == RB_FAILED) {
        if (ran) summary(show, path);
        if (ran && !write_statistics(show)) return EXIT_MODEL;
    }
    long mismatches = count_of(rb_statistics(show->simulation), "mismatches");
    if (mismatches) {
        fprintf(stderr, "rubato: %ld values of parts differ from those of the whole\n",
                mismatches);
        return EXIT_DEFECT;
    }
    return exit_status != EXIT_DONE ? exit_status : written ? EXIT_DONE : EXIT_MODEL;
}

static RbProgram *find_program(Show *show, int *status) {
    Job        *job = show->job;
    RbError     error;
    const char *target =
        job->options.arguments.count == 1 ? job->options.arguments.item[0] : NULL;
    if (!target || !job_is_program(target))
        return job_translate(
            job,
            (RbRequest){.rates = job->options.simulate.rates &&
                                 strcmp(job->options.simulate.rates, "1") != 0},
            status);
    RbSettings settings = job_settings(job);
    show->stored = true;
    RbProgram *program = rb_program_open(target, &settings, &error);
    *status = EXIT_MODEL;
    if (!program) fprintf(stderr, "rubato: %s\n", error.text);
    return program;
}

int command_simulate(Job *job) {
    Show    show = {.job = job, .progress = isatty(STDERR_FILENO) && !job->options.quiet};
    RbError error;
    int     status;
    if (!read_tier(&show) || !read_rates(&show) || !read_times(&show)) return EXIT_USAGE;
    show.options.solver = job->options.simulate.solver;
    show.options.method = job->options.simulate.method;
    show.program = find_program(&show, &status);
    if (!show.program) return status;
    find_times(&show);
    double before = wall_time_now();
    if (!read_intervals(&show)) {
        rb_program_free(show.program);
        return EXIT_USAGE;
    }
    show.simulation = rb_simulation_new(show.program, &show.options, &error);
    pass_time(job, "compile", show.simulation != NULL, wall_time_now() - before);
    job->timing.compiled = wall_time_now();
    const char *until = job->options.stop_after;
    if (!show.simulation) status = fail(&show, &error);
    else if (until && strcmp(until, "compile") == 0) status = EXIT_DONE;
    else status = run(&show);
    job_messages(job);
    if (show.simulation) show_simulation_messages(&show);
    rb_simulation_free(show.simulation);
    rb_program_free(show.program);
    return status;
}
