/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_simulate.c -- rubato simulate: translate, run, record, report. */
#define _POSIX_C_SOURCE 200809L
#include "cli/simulate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- while it runs ---- */

static bool on_progress(void *owner, RbSimulation *s, double t) {
    Show *show = owner;
    (void)s;
    progress_step(show, t);
    return !interrupted(show->interrupt);
}

/* A step of a large model may last: also inside it. */
static bool on_asked(void *owner) {
    const Show *show = owner;
    return interrupted(show->interrupt);
}

static void on_say(void *owner, double time, bool warning, const char *text) {
    (void)time;
    if (warning) return; /* it is among the messages */
    progress_end(owner);
    fputs(text, stderr);
}

enum { STEPS_MOST = 100000000 }; /* bytes of a trace that go into a report */

static void on_trace(void *owner, const char *line) {
    Show *show = owner;
    if (show->trace) fputs(line, show->trace);
    if (show->job->options.simulate.report && show->steps.length < STEPS_MOST)
        text_add(&show->steps, line);
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

static void show_simulation_messages(Show *show) {
    const char *text = rb_simulation_messages(show->simulation, 0, job_style(show->job));
    fwrite(text, 1, strlen(text), stderr);
}

/* After a failure: where to read on. */
static void hint_explain(const Show *show) {
    const char *text = rb_simulation_messages(show->simulation, 0, RB_PLAIN);
    const char *code = strstr(text, ": error ");
    if (code && !show->job->options.json && !show->job->options.quiet)
        fprintf(stderr, "rubato: 'rubato explain %.4s' says more\n", code + 8);
}

static int exit_of(RbStatus status) {
    switch (status) {
    case RB_OK:
    case RB_END: return EXIT_DONE;
    case RB_ARGUMENT: return EXIT_USAGE;
    case RB_STOPPED:
    case RB_FAILED: return EXIT_RUN;
    case RB_NO_MEMORY:
    case RB_DEFECT: return EXIT_DEFECT;
    default: return EXIT_MODEL;
    }
}

/* ---- the command ---- */

static int fail(Show *show, const RbError *error) {
    bool told = show->simulation && rb_simulation_message_count(show->simulation) > 0;
    if (show->options.link && show->options.link->rank) told = true; /* by rank 0 */
    if (!told && *error->text) fprintf(stderr, "rubato: %s\n", error->text);
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

/* Everything until the first step: values, result, start. */
static RbStatus begin(Show *show, RbError *error) {
    Job       *job = show->job;
    RbListener listener = {
        .progress = on_progress, .say = on_say, .asked = on_asked, .owner = show};
    const char *from = job->options.simulate.from_state;
    RbStatus    status =
        rb_record(show->simulation, show->path, job->options.simulate.variables, error);
    if (status != RB_OK) return status;
    rb_listen(show->simulation, &listener);
    if (from && !state_load(show, from)) return error->status = RB_FILE;
    status = rb_initialise(show->simulation, error);
    job->timing.initialised = wall_time_now();
    if (status != RB_OK) return status;
    if (!open_trace(show)) return error->status = RB_FILE;
    listener.trace = show->trace || job->options.simulate.report ? on_trace : NULL;
    rb_listen(show->simulation, &listener);
    show->start = from ? rb_time(show->simulation) : show->start;
    return RB_OK;
}

/* What there is to say after the last step; false if something could not be written. */
static bool end(Show *show, RbStatus status, const RbError *why) {
    Job    *job = show->job;
    RbError error;
    long    points = rb_recorded_points(show->simulation);
    bool    ran = job->timing.stepped > 0 || status == RB_OK || status == RB_END;
    bool    written = rb_record_end(show->simulation, &error) == RB_OK;
    if (!written) fprintf(stderr, "rubato: %s\n", error.text);
    if (!close_trace(show)) written = false;
    if (job->options.simulate.save_state && status != RB_FAILED && ran &&
        !state_store(show, job->options.simulate.save_state))
        written = false;
    if (status == RB_STOPPED) summary_interrupted(show, points);
    if (status == RB_END) fprintf(stderr, "rubato: %s\n", why->text);
    if (ran && status != RB_STOPPED) summary(show);
    if (ran) show_text(rb_profile(show->simulation));
    if (job->options.simulate.report && ran && written)
        written = report_of_run(job, job->options.simulate.report, show->path,
                                show->program, show->simulation, text_get(&show->steps));
    text_free(&show->steps);
    bool tried = ran || status == RB_FAILED; /* what a start took that failed */
    return written && (!tried || write_statistics(show));
}

/* Deadlines of frames that were missed, and why. */
static void tell_missed(const char *statistics) {
    long frames = count_of(statistics, "frames_missed");
    if (!frames) return;
    fprintf(
        stderr,
        "rubato: %ld frames missed their deadline at %ld ticks: %ld woken late by the "
        "system, %ld interrupted by it, %ld with too much work; see --stats\n",
        frames, count_of(statistics, "ticks_missed"), count_of(statistics, "woken_late"),
        count_of(statistics, "interrupted"), count_of(statistics, "too_long"));
}

const char *file_stem(Job *job, const char *model) {
    char *stem = arena_printf(&job->arena, "%s", model);
    for (char *c = stem; *c; c++)
        if (*c == '/') *c = '_';
    return stem;
}

static int run(Show *show) {
    Job    *job = show->job;
    RbError error = {.status = RB_OK};
    show->path = job->options.output;
    const char *format = job->options.simulate.format;
    if (!show->path && format && strcmp(format, "empty") == 0) show->path = "/dev/null";
    if (!show->path)
        show->path = arena_printf(&job->arena, "%s_res.%s",
                                  file_stem(job, rb_info(show->program).model),
                                  format ? format : "mat");
    if (!set_values(show, &error)) return EXIT_USAGE;
    interrupt_run(show->interrupt);
    RbStatus status = begin(show, &error);
    show->begun = show->progress.moment = wall_time_now();
    show->progress.time = show->start;
    if (status == RB_OK) status = rb_run(show->simulation, &error);
    job->timing.ended = wall_time_now();
    progress_end(show);
    int exit_status = exit_of(status);
    if (job->options.stages)
        fprintf(stderr, "stage: simulate %s\n", exit_status == EXIT_DONE ? "ok" : "fail");
    if (exit_status != EXIT_DONE && status != RB_FAILED && status != RB_STOPPED)
        fail(show, &error);
    bool written = end(show, status, &error);
    if (show->options.realtime > 0) tell_missed(rb_statistics(show->simulation));
    long mismatches = count_of(rb_statistics(show->simulation), "mismatches");
    if (mismatches) {
        fprintf(stderr, "rubato: %ld values of parts differ from those of the whole\n",
                mismatches);
        return EXIT_DEFECT;
    }
    return exit_status != EXIT_DONE ? exit_status : written ? EXIT_DONE : EXIT_MODEL;
}

/* Families of components may be chosen where they offer all that is asked for. */
static bool families_will_do(const Job *job) {
    const Options         *o = &job->options;
    const SimulateOptions *s = &o->simulate;
    const bool             looks = s->profile || s->trace || s->report || s->derivatives;
    const bool other = s->rates || s->solver || s->save_state || s->from_state ||
                       s->realtime || s->exchange || s->tasks || s->check_parts;
    return !looks && !other && !o->theta && !o->staggered && !o->dump && !o->stop_after;
}

/* The profile needs code for parts as well. */
static RbRequest simulate_request(const Job *job, bool shared) {
    const char *rates = job->options.simulate.rates;
    const bool  chosen = rates && strcmp(rates, "auto") == 0;
    return (RbRequest){.rates = shared || job->options.simulate.profile ||
                                (rates && !chosen && strcmp(rates, "1") != 0),
                       .rates_if_worth = chosen,
                       .components_if_worth = !shared && families_will_do(job)};
}

static RbProgram *find_program(Show *show, int *status) {
    Job        *job = show->job;
    RbError     error;
    const char *target =
        job->options.arguments.count == 1 ? job->options.arguments.item[0] : NULL;
    /* one model over several processes is evaluated part by part */
    const char *insists = job->options.components;
    const bool  shared = show->options.link && !(insists && !*insists);
    if (!target || !job_is_program(target))
        return job_translate(job, simulate_request(job, shared), status);
    RbSettings settings = job_settings(job);
    show->stored = true;
    RbProgram *program = rb_program_open(target, &settings, &error);
    *status = EXIT_MODEL;
    if (!program) fprintf(stderr, "rubato: %s\n", error.text);
    return program;
}

/* A program was found: a simulation of it. */
static int simulate_program(Show *show) {
    Job        *job = show->job;
    RbError     error;
    int         status;
    const char *until = job->options.stop_after;
    double      before = wall_time_now();
    if (!simulate_times(show)) return EXIT_USAGE;
    show->simulation = rb_simulation_new(show->program, &show->options, &error);
    pass_time(job, "compile", show->simulation != NULL, wall_time_now() - before);
    job->timing.compiled = wall_time_now();
    if (!show->simulation) status = fail(show, &error);
    else if (until && strcmp(until, "compile") == 0) status = EXIT_DONE;
    else status = run(show);
    job_messages(job);
    if (show->simulation) show_simulation_messages(show);
    if (show->simulation && status == EXIT_RUN) hint_explain(show);
    rb_simulation_free(show->simulation);
    return status;
}

/* One of several processes: rank 0 translates and speaks. */
static RbProgram *shared_program(Show *show, int *status) {
    RbLink    *link = show->options.link;
    RbError    error = {.status = RB_OK};
    RbProgram *program = link && link->rank ? NULL : find_program(show, status);
    if (!link) return program;
    if (link->rank) {
        show->job->options.quiet = true;
        show->job->options.output = "/dev/null";
        show->job->options.simulate.stats = NULL;
        *status = EXIT_MODEL;
    }
    return ranks_program(show->job, link, program, &error);
}

/* before: bytes that went to all before the simulation, which are the program. */
static void end_link(const Show *show, double before) {
    RbLink      *link = show->options.link;
    const double agreed = link->reduced_bytes;
    double       sent = link->sent;
    link->sum(link, &sent, 1);
    if (!link->rank && !show->job->options.quiet)
        printf("%d processes: program %.0f bytes to all, then values %.0f bytes to all, "
               "%.0f "
               "bytes from one to another, %.0f bytes from each to agree\n",
               link->size, before, link->broadcast_bytes - before, sent, agreed);
    link->end(link);
}

int command_simulate(Job *job) {
    Show show = {.job = job};
    int  status;
    show.progress.on = isatty(STDERR_FILENO) && !job->options.quiet &&
                       !job->options.simulate.no_progress;
    if (!simulate_options(&show)) return EXIT_USAGE;
    show.interrupt = interrupt_watch();
    const Words *words = &job->options.arguments;
    if (words->count == 1 && is_fmu(words->item[0])) {
        interrupt_run(show.interrupt);
        status = simulate_fmu(&show, words->item[0]);
        interrupt_end(show.interrupt);
        return status;
    }
    if (!ranks_link(job, &show.options.link)) return EXIT_MODEL;
    show.program = shared_program(&show, &status);
    const double before = show.options.link ? show.options.link->broadcast_bytes : 0;
    if (show.program) status = simulate_program(&show);
    rb_program_free(show.program);
    if (show.options.link) end_link(&show, before);
    interrupt_end(show.interrupt);
    return status;
}
