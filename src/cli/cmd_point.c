/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_point.c -- rubato steady and rubato linearize: points of a model. */
#include "cli/simulate.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static int fail(Show *show, const RbError *error) {
    const char *text = show->simulation ? rb_simulation_messages(show->simulation, 0,
                                                                 job_style(show->job))
                                        : "";
    if (*text) fputs(text, stderr);
    else fprintf(stderr, "rubato: %s\n", error->text);
    return error->status == RB_ARGUMENT ? EXIT_USAGE : EXIT_RUN;
}

static bool set_values(Show *show, RbError *error) {
    const RbValue *given = job_values(show->job);
    for (int i = 0; given && i < show->job->options.set.count; i++) {
        char  *end;
        double value = number_read(given[i].value, &end);
        bool   truth = strcmp(given[i].value, "true") == 0;
        if (truth || strcmp(given[i].value, "false") == 0) value = truth;
        else if (end == given[i].value || *end) continue; /* translated with it */
        RbStatus status = rb_set(show->simulation, given[i].name, value, error);
        if (status != RB_OK && status != RB_TRANSLATE) return false;
    }
    return given != NULL;
}

/* A simulation at the time that --at names; NULL: *status is the exit status. */
static RbSimulation *simulation_at(Show *show, bool sensitivities, int *status) {
    RbError error = {.status = RB_OK};
    double  at = 0;
    bool    given;
    *status = EXIT_USAGE;
    if (!simulate_options(show) ||
        !option_number("--at", show->job->options.study.at, &at, &given))
        return NULL;
    show->program =
        job_translate(show->job, (RbRequest){.sensitivities = sensitivities}, status);
    if (!show->program) return NULL;
    *status = EXIT_USAGE;
    if (!simulate_times(show)) return NULL;
    show->options.interval = -1;
    if (given && at > show->stop)
        show->options.given_stop = true, show->options.stop = at;
    show->simulation = rb_simulation_new(show->program, &show->options, &error);
    if (!show->simulation || !set_values(show, &error) ||
        rb_step(show->simulation, given ? at : show->start, &error) != RB_OK) {
        *status = fail(show, &error);
        return NULL;
    }
    return show->simulation;
}

static void close_show(Show *show) {
    rb_simulation_free(show->simulation);
    rb_program_free(show->program);
}

/* ---- steady ---- */

static void show_values(const Show *show, const regex_t *wanted) {
    const int n = rb_info(show->program).variables;
    for (int v = 0; v < n; v++) {
        char       name[1000];
        RbVariable info = rb_variable(show->program, v, name, sizeof name);
        if (info.kind == RB_HIDDEN || info.kind == RB_CONSTANT ||
            (wanted ? regexec(wanted, name, 0, NULL, 0) != 0 : !info.state))
            continue;
        printf("%-40s %.9g%s%s\n", name, rb_get_number(show->simulation, v),
               *info.unit ? " " : "", info.unit);
    }
}

static int steady(Show *show, const regex_t *wanted) {
    RbError  error;
    RbSteady found;
    char     name[1000] = "";
    if (rb_steady(show->simulation, &found, &error) != RB_OK) return fail(show, &error);
    if (found.state >= 0) rb_variable(show->program, found.state, name, sizeof name);
    if (!show->job->options.quiet) {
        printf("%s at time %.9g: steady by %s", rb_info(show->program).model, found.time,
               found.way);
        if (found.iterations) printf(", %d Newton steps", found.iterations);
        if (found.state >= 0)
            printf("; fastest: %s, %.1e of its size in 1 s", name, found.motion);
        printf("\n");
    }
    show_values(show, wanted);
    const char *file = show->job->options.simulate.save_state;
    return file && !state_store(show, file) ? EXIT_MODEL : EXIT_DONE;
}

int command_steady(Job *job) {
    Show    show = {.job = job};
    int     status;
    regex_t pattern;
    Words  *words = &job->options.arguments;
    bool    chosen = words->count > 1;
    if (chosen &&
        regcomp(&pattern, words->item[--words->count], REG_EXTENDED | REG_NOSUB)) {
        fprintf(stderr, "rubato: '%s' is no regular expression\n",
                words->item[words->count]);
        return EXIT_USAGE;
    }
    if (simulation_at(&show, false, &status))
        status = steady(&show, chosen ? &pattern : NULL);
    job_messages(job);
    if (chosen) regfree(&pattern);
    close_show(&show);
    return status;
}

/* ---- linearize ---- */

static int linearize(Show *show) {
    Job        *job = show->job;
    RbError     error;
    const char *path = job->options.output;
    if (job->options.study.steady && rb_steady(show->simulation, NULL, &error) != RB_OK)
        return fail(show, &error);
    RbLinear *l = rb_linearize(show->simulation, &error);
    if (!l) return fail(show, &error);
    if (!path)
        path = arena_printf(&job->arena, "%s_linear.mat",
                            file_stem(job, rb_info(show->program).model));
    RbStatus status = rb_linear_write(l, show->program, path, &error);
    if (status != RB_OK) fprintf(stderr, "rubato: %s\n", error.text);
    else if (!job->options.quiet)
        printf("%s at time %.9g: %d states, %d inputs, %d outputs; %d, %d, %d, %d "
               "entries in "
               "A, B, C, D -> %s\n",
               rb_info(show->program).model, l->time, l->states, l->inputs, l->outputs,
               l->entries[0], l->entries[1], l->entries[2], l->entries[3], path);
    if (status == RB_OK && !l->exact)
        fprintf(stderr,
                "rubato: B, C and D are differences: something of the model has no "
                "derivative with respect to inputs\n");
    rb_linear_free(l);
    return status == RB_OK ? EXIT_DONE : status == RB_ARGUMENT ? EXIT_USAGE : EXIT_MODEL;
}

int command_linearize(Job *job) {
    Show show = {.job = job};
    int  status;
    if (simulation_at(&show, true, &status)) status = linearize(&show);
    job_messages(job);
    close_show(&show);
    return status;
}
