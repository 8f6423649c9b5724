/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_sweep.c -- rubato sweep: many runs of one model; the study itself is the library's. */
#define _POSIX_C_SOURCE 200809L
#include "cli/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Sweep {
    Show     show;
    RbStudy *study;
    RbLink  *link;     /* to other processes; NULL: there are none */
    Text     base;     /* path of the result without its ending */
    bool     csv, mat; /* what is written */
    long     known;    /* cases that were in the journal at the beginning */
    double   begun, shown;
} Sweep;

/* ---- the plan ---- */

/* --normal NAME=A,B is NAME=normal(A,B) */
static bool add_law(Job *job, Words *to, const Words *from, const char *law) {
    for (int k = 0; k < from->count; k++) {
        const char *sign = strchr(from->item[k], '=');
        if (!sign) {
            fprintf(stderr, "rubato: --%s %s: this is not NAME=A,B\n", law,
                    from->item[k]);
            return false;
        }
        words_add(&job->arena, to,
                  arena_printf(&job->arena, "%.*s=%s(%s)", (int)(sign - from->item[k]),
                               from->item[k], law, sign + 1));
    }
    return true;
}

static bool all_varied(Job *job, Words *vary) {
    const StudyOptions *o = &job->options.study;
    for (int k = 0; k < o->vary.count; k++) words_add(&job->arena, vary, o->vary.item[k]);
    return add_law(job, vary, &o->normal, "normal") &&
           add_law(job, vary, &o->uniform, "uniform") &&
           add_law(job, vary, &o->lognormal, "lognormal") &&
           add_law(job, vary, &o->loguniform, "loguniform");
}

/* The same request with further values. Messages of it are among those of the compiler. */
static RbProgram *translate(void *owner, const RbValue *set, int sets, RbError *error) {
    Job  *job = owner;
    Words before = job->options.set;
    int   status, first = job->compiler ? rb_message_count(job->compiler) : 0;
    job->options.set = (Words){0};
    for (int k = 0; k < before.count; k++)
        words_add(&job->arena, &job->options.set, before.item[k]);
    for (int k = 0; k < sets; k++)
        words_add(&job->arena, &job->options.set,
                  arena_printf(&job->arena, "%s=%s", set[k].name, set[k].value));
    RbProgram *program = job_translate(job, (RbRequest){0}, &status);
    job->options.set = before;
    *error = (RbError){.status = program ? RB_OK : RB_MODEL};
    for (int k = first; !program && k < rb_message_count(job->compiler); k++)
        if (rb_message(job->compiler, k).severity == RB_ERROR && !*error->text)
            snprintf(error->text, sizeof error->text, "%s: %.350s",
                     rb_message(job->compiler, k).code,
                     rb_message(job->compiler, k).text);
    job->told = rb_message_count(job->compiler); /* they are reasons of cases */
    return program;
}

/* ---- while it runs ---- */

static void show_line(Sweep *w, const RbStudyProgress *p, double now) {
    Text line = {0};
    long fresh = p->done - w->known;
    text_printf(&line, "%3.0f %%  %ld of %ld cases",
                100.0 * (double)p->done / (double)p->cases, p->done, p->cases);
    if (p->failed) text_printf(&line, ", %ld failed", p->failed);
    if (fresh > 0 && p->done < p->cases) {
        text_add(&line, "  ");
        duration(&line, (now - w->begun) / (double)fresh * (double)(p->cases - p->done));
        text_add(&line, " left");
    }
    fprintf(stderr, "\r%-79.79s", text_get(&line));
    w->show.progress.shown = true;
    text_free(&line);
}

static bool on_progress(void *owner, const RbStudyProgress *p) {
    Sweep *w = owner;
    double now = wall_time_now();
    if (w->show.progress.on && (now - w->shown > 0.2 || p->done == p->cases)) {
        w->shown = now;
        show_line(w, p, now);
    }
    return !interrupted(w->show.interrupt);
}

/* ---- results ---- */

static const char *path_of(Sweep *w, const char *ending) {
    return arena_printf(&w->show.job->arena, "%s%s", text_get(&w->base), ending);
}

static bool ends_with(const char *path, const char *ending) {
    size_t n = strlen(path), own = strlen(ending);
    return n > own && strcmp(path + n - own, ending) == 0;
}

/* --output FILE.csv, FILE.mat, or FILE for both. */
static void find_paths(Sweep *w) {
    const char *output = w->show.job->options.output;
    w->csv = !output || !ends_with(output, ".mat");
    w->mat = !output || !ends_with(output, ".csv");
    if (!output)
        text_printf(&w->base, "%s_study",
                    file_stem(w->show.job, rb_info(w->show.program).model));
    else text_bytes(&w->base, output, strlen(output) - (w->csv && w->mat ? 0 : 4));
}

static bool write_results(Sweep *w) {
    RbError error;
    bool    good = true;
    for (int k = 0; k < 2 && good; k++) {
        if (!(k ? w->mat : w->csv)) continue;
        good = rb_study_write(w->study, path_of(w, k ? ".mat" : ".csv"), &error) == RB_OK;
        if (!good) fprintf(stderr, "rubato: %s\n", error.text);
    }
    return good;
}

static void count_cases(const RbStudy *study, long *done, long *failed) {
    *done = *failed = 0;
    for (long i = 0; i < rb_study_cases(study); i++) {
        RbStatus status = rb_study_status(study, i);
        *done += status != RB_STOPPED;
        *failed += status != RB_STOPPED && status > RB_END;
    }
}

static void say_end(Sweep *w, RbStatus status) {
    long        done, failed, cases = rb_study_cases(w->study);
    double      seconds = wall_time_now() - w->begun;
    const char *to = path_of(w, w->csv ? ".csv" : ".mat");
    count_cases(w->study, &done, &failed);
    if (status == RB_STOPPED)
        fprintf(
            stderr,
            "rubato: interrupted: %ld of %ld cases are kept in '%s'; --resume goes on\n",
            done, cases, to);
    if (status != RB_OK || w->show.job->options.quiet) return;
    printf("%s: %ld cases in %.3f s", rb_info(w->show.program).model, cases, seconds);
    if (w->known) printf(", %ld of them before", w->known);
    else printf(", %.0f us each", 1e6 * seconds / (double)cases);
    if (failed) printf(", %ld failed", failed);
    printf(" -> %s%s\n", to, w->csv && w->mat ? ", .mat" : "");
}

/* The first reason stands for all; the others are in the result. */
static void say_failures(Sweep *w) {
    for (long i = 0; i < rb_study_cases(w->study); i++) {
        RbStatus status = rb_study_status(w->study, i);
        if (status == RB_STOPPED || status <= RB_END) continue;
        fprintf(stderr, "rubato: case %ld failed: %s\n", i + 1,
                rb_study_reason(w->study, i));
        return;
    }
}

/* A process that only works. */
static int follow(Sweep *w) {
    RbError         error;
    RbStudyListener listener = {on_progress, w};
    interrupt_run(w->show.interrupt);
    w->show.progress.on = false;
    if (rb_study_share(w->study, w->link, w->show.options.threads, &listener, &error) ==
        RB_OK)
        return EXIT_DONE;
    fprintf(stderr, "rubato: rank %d: %s\n", w->link->rank, error.text);
    return EXIT_RUN;
}

static RbStatus compute(Sweep *w, RbError *error) {
    RbStudyListener listener = {on_progress, w};
    int             threads = w->show.options.threads;
    return w->link ? rb_study_share(w->study, w->link, threads, &listener, error)
                   : rb_study_run(w->study, threads, &listener, error);
}

static void say_traffic(const Sweep *w) {
    if (!w->link || w->show.job->options.quiet) return;
    printf("%d processes: %.0f bytes to all, %.0f bytes of cases given out, %.0f bytes "
           "of records "
           "got back\n",
           w->link->size, w->link->broadcast_bytes, w->link->sent, w->link->received);
}

static int run(Sweep *w) {
    Job        *job = w->show.job;
    RbError     error;
    const char *journal = path_of(w, ".journal");
    if (w->link && w->link->rank) return follow(w);
    if (rb_study_journal(w->study, journal, job->options.study.resume, &error) != RB_OK) {
        fprintf(stderr, "rubato: %s\n", error.text);
        return error.status == RB_ARGUMENT ? EXIT_USAGE : EXIT_MODEL;
    }
    long failed;
    count_cases(w->study, &w->known, &failed);
    if (rb_study_programs(w->study) > 1 && !job->options.quiet)
        fprintf(stderr,
                "rubato: %d combinations of values shape the model: each is "
                "translated on its own\n",
                rb_study_programs(w->study));
    interrupt_run(w->show.interrupt);
    w->begun = w->shown = wall_time_now();
    RbStatus status = compute(w, &error);
    progress_end(&w->show);
    if (status != RB_OK && status != RB_STOPPED)
        fprintf(stderr, "rubato: %s\n", error.text);
    bool        written = write_results(w);
    const char *report = job->options.simulate.report;
    if (report && status == RB_OK)
        written = study_report(&w->show, w->study, report) && written;
    say_failures(w);
    say_end(w, status);
    say_traffic(w);
    if (status == RB_OK && written) unlink(journal);
    if (status == RB_STOPPED) return EXIT_RUN;
    return status == RB_OK && written ? EXIT_DONE : EXIT_MODEL;
}

static RbProgram *find_program(Sweep *w, int *status) {
    Job         *job = w->show.job;
    RbError      error;
    const Words *words = &job->options.arguments;
    if (words->count != 1 || !job_is_program(words->item[0]))
        return job_translate(job, (RbRequest){0}, status);
    RbSettings settings = job_settings(job);
    w->show.stored = true;
    RbProgram *program = rb_program_open(words->item[0], &settings, &error);
    *status = EXIT_MODEL;
    if (!program) fprintf(stderr, "rubato: %s\n", error.text);
    return program;
}

/* Rank 0 translates, the others get what it made. */
static RbProgram *shared_program(Sweep *w, int *status) {
    RbError    error = {.status = RB_OK};
    RbProgram *program = w->link && w->link->rank ? NULL : find_program(w, status);
    if (!w->link) return program;
    *status = EXIT_MODEL;
    program = ranks_program(w->show.job, w->link, program, &error);
    if (*error.text) fprintf(stderr, "rubato: rank %d: %s\n", w->link->rank, error.text);
    const Words *words = &w->show.job->options.arguments;
    w->show.stored = words->count == 1 && job_is_program(words->item[0]);
    return program;
}

static int sweep_program(Sweep *w) {
    Job                *job = w->show.job;
    const StudyOptions *o = &job->options.study;
    Words               vary = {0};
    RbError             error;
    RbValue            *set = job_values(job);
    if (!set || !simulate_times(&w->show) || !all_varied(job, &vary)) return EXIT_USAGE;
    RbStudyPlan plan = {.vary = vary.item,
                        .varies = vary.count,
                        .sample = o->sample,
                        .table = o->table,
                        .keep = o->keep.item,
                        .keeps = o->keep.count,
                        .trajectories = o->trajectories,
                        .set = set,
                        .sets = job->options.set.count,
                        .options = &w->show.options,
                        .translate = w->show.stored ? NULL : translate,
                        .owner = job};
    find_paths(w);
    w->study = rb_study_new(w->show.program, &plan, &error);
    if (w->study) return run(w);
    if (!w->link || !w->link->rank) fprintf(stderr, "rubato: %s\n", error.text);
    return error.status == RB_ARGUMENT ? EXIT_USAGE : EXIT_MODEL;
}

int command_sweep(Job *job) {
    Sweep w = {.show = {.job = job}};
    int   status;
    w.show.progress.on = isatty(STDERR_FILENO) && !job->options.quiet &&
                         !job->options.simulate.no_progress;
    if (!simulate_options(&w.show)) return EXIT_USAGE;
    w.show.interrupt = interrupt_watch();
    if (!ranks_link(job, &w.link)) return EXIT_MODEL;
    w.show.program = shared_program(&w, &status);
    if (w.show.program) status = sweep_program(&w);
    job_messages(job);
    rb_study_free(w.study);
    rb_program_free(w.show.program);
    interrupt_end(w.show.interrupt);
    if (w.link) w.link->end(w.link);
    text_free(&w.base);
    return status;
}
