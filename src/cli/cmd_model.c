/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_model.c -- commands that translate a model and show it: check, flat, structure, build. */
#include "cli/cli.h"

#include <string.h>

/* Everything up to code: a model that passes can be simulated. */
static int compile(Job *job, RbProgram *program) {
    RbError       error;
    RbSimulation *s = rb_simulation_new(program, NULL, &error);
    if (!s) fprintf(stderr, "rubato: error: %s\n", error.text);
    if (job->options.stages) fprintf(stderr, "stage: compile %s\n", s ? "ok" : "fail");
    rb_simulation_free(s);
    return s ? EXIT_DONE : EXIT_MODEL;
}

int command_check(Job *job) {
    int        status;
    RbProgram *program =
        job_translate(job, (RbRequest){.check = true, .summary = true}, &status);
    if (job->compiler && !job->options.quiet && !job->options.dump)
        show_text(rb_text(job->compiler));
    if (program) status = compile(job, program);
    rb_program_free(program);
    return status;
}

/* The result of one pass as text. */
static int show_pass(Job *job, const char *pass) {
    int status;
    rb_program_free(
        job_translate(job,
                      (RbRequest){.dump = pass,
                                  .until = pass,
                                  .components_if_worth = strcmp(pass, "flatten") != 0},
                      &status));
    if (job->compiler) show_text(rb_text(job->compiler));
    return status;
}

int command_flat(Job *job) {
    return show_pass(job, "flatten");
}

int command_structure(Job *job) {
    return show_pass(job, job->options.dot ? "machines" : "structure");
}

int command_build(Job *job) {
    RbError     error;
    int         status;
    const char *path = job->options.output;
    if (!path) {
        fprintf(stderr, "rubato: build needs --output FILE\n");
        return EXIT_USAGE;
    }
    RbProgram *program =
        job_translate(job, (RbRequest){.rates = job->options.simulate.rates}, &status);
    if (program && rb_program_save(program, path, &error) != RB_OK) {
        fprintf(stderr, "rubato: %s\n", error.text);
        status = EXIT_MODEL;
    } else if (program && !job->options.quiet) {
        RbInfo info = rb_info(program);
        printf("%s: %d equations, %d states, %zu bytes -> %s\n", info.model,
               info.equations, info.states, info.bytes, path);
    }
    rb_program_free(program);
    return status;
}
