/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_fmu.c -- rubato fmu: a model as a Functional Mock-up Unit. */
#include "cli/simulate.h"

#include <stdlib.h>
#include <string.h>

/* The last part of the name of the class. */
static const char *default_path(Job *job, const RbProgram *program) {
    const char *name = file_stem(job, rb_info(program).model), *dot = strrchr(name, '.');
    return arena_printf(&job->arena, "%s.fmu", dot ? dot + 1 : name);
}

static bool read_version(const char *text, int *version) {
    if (text && strcmp(text, "2") != 0 && strcmp(text, "3") != 0) {
        fprintf(stderr, "rubato: --fmi is 2 or 3, not '%s'\n", text);
        return false;
    }
    *version = text ? *text - '0' : 3;
    return true;
}

int command_fmu(Job *job) {
    RbError      error;
    int          status, version;
    const char  *rates = job->options.simulate.rates;
    RbFmuOptions wish = {.kinds = job->options.kind,
                         .forms = job->options.form,
                         .method = job->options.simulate.method};
    if (!read_version(job->options.fmi, &version)) return EXIT_USAGE;
    wish.version = version;
    if (rates) wish.rates = strcmp(rates, "auto") == 0 ? -1 : atoi(rates);
    RbProgram *program = job_translate(job,
                                       (RbRequest){.rates = wish.rates > 1,
                                                   .rates_if_worth = wish.rates < 0,
                                                   .sensitivities = true},
                                       &status);
    if (!program) return status;
    const char *path =
        job->options.output ? job->options.output : default_path(job, program);
    double   before = wall_time_now();
    RbStatus written = rb_fmu_write(program, path, &wish, &error);
    pass_time(job, "fmu", written == RB_OK, wall_time_now() - before);
    if (written != RB_OK) {
        fprintf(stderr, "rubato: %s\n", error.text);
        status = written == RB_ARGUMENT ? EXIT_USAGE : EXIT_MODEL;
    } else if (!job->options.quiet) {
        RbInfo info = rb_info(program);
        Text   line = {0};
        counted(&line, info.states, "state");
        text_add(&line, ", ");
        counted(&line, info.variables, "variable");
        printf("%s: %s, FMI %d.0 -> %s\n", info.model, text_get(&line), version, path);
        text_free(&line);
    }
    rb_program_free(program);
    return status;
}
