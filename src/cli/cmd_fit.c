/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_fit.c -- rubato fit: parameters out of measurements. */
#define _POSIX_C_SOURCE 200809L
#include "cli/simulate.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static bool on_progress(void *owner, int iteration, double sum) {
    Show *show = owner;
    if (show->progress.on) {
        fprintf(stderr, "\rstep %d: weighted sum of squares %.9g   ", iteration, sum);
        show->progress.shown = true;
    }
    return !interrupted(show->interrupt);
}

static void show_fit(const Show *show, const RbFit *fit, double confidence) {
    printf("%s: %d steps, %ld simulations%s\n", rb_info(show->program).model,
           fit->iterations, fit->simulations, fit->converged ? "" : ", NOT converged");
    if (!fit->exact)
        fprintf(stderr, "rubato: derivatives are differences of simulations: %s\n",
                fit->differenced);
    for (int c = 0; c < fit->columns; c++)
        printf("  %s: %ld measurements, noise %.4g\n", fit->column[c],
               fit->measurements[c], fit->noise[c]);
    printf("%-24s %16s %12s   together %g %% lie in\n", "parameter", "value", "deviation",
           100 * confidence);
    for (int k = 0; k < fit->parameters; k++) {
        const RbFitted *p = &fit->parameter[k];
        printf("%-24s %16.9g ", p->name, p->value);
        if (p->at_bound) printf("at its bound\n");
        else if (!isfinite(p->deviation)) printf("not determined by the measurements\n");
        else printf("%12.3g   [%.9g, %.9g]\n", p->deviation, p->low, p->high);
    }
}

static int fit(Show *show) {
    Job                *job = show->job;
    const StudyOptions *o = &job->options.study;
    RbError             error;
    double              confidence = 0.95;
    bool                given;
    RbValue            *set = job_values(job);
    if (!set || !option_number("--confidence", o->confidence, &confidence, &given))
        return EXIT_USAGE;
    if (!(confidence > 0 && confidence < 1)) {
        fprintf(stderr, "rubato: --confidence is a probability between 0 and 1\n");
        return EXIT_USAGE;
    }
    const char *by = o->optimizer ? o->optimizer : "marquardt";
    const bool  kinsol = strcmp(by, "kinsol") == 0;
    if (!kinsol && strcmp(by, "marquardt") != 0) {
        fprintf(stderr, "rubato: --optimizer is marquardt or kinsol, not '%s'\n", by);
        return EXIT_USAGE;
    }
    RbFitPlan plan = {.parameter = o->parameter.item,
                      .parameters = o->parameter.count,
                      .data = o->data,
                      .columns = job->options.simulate.variables,
                      .set = set,
                      .sets = job->options.set.count,
                      .options = &show->options,
                      .confidence = confidence,
                      .threads = show->options.threads,
                      .kinsol = kinsol,
                      .progress = on_progress,
                      .owner = show};
    interrupt_run(show->interrupt);
    RbFit *found = rb_fit(show->program, &plan, &error);
    progress_end(show);
    if (!found) {
        fprintf(stderr, "rubato: %s\n", error.text);
        return error.status == RB_ARGUMENT ? EXIT_USAGE
               : error.status == RB_FILE   ? EXIT_MODEL
                                           : EXIT_RUN;
    }
    show_fit(show, found, confidence);
    int status = found->converged ? EXIT_DONE : EXIT_RUN;
    rb_fit_free(found);
    return status;
}

int command_fit(Job *job) {
    Show show = {.job = job};
    int  status = EXIT_USAGE;
    show.progress.on = isatty(STDERR_FILENO) && !job->options.quiet &&
                       !job->options.simulate.no_progress;
    if (!job->options.study.data) {
        fprintf(stderr, "rubato: fit needs measurements: --data FILE\n");
        return EXIT_USAGE;
    }
    if (!simulate_options(&show)) return EXIT_USAGE;
    show.interrupt = interrupt_watch();
    show.program = job_translate(job, (RbRequest){.sensitivities = true}, &status);
    if (show.program) status = simulate_times(&show) ? fit(&show) : EXIT_USAGE;
    job_messages(job);
    rb_program_free(show.program);
    interrupt_end(show.interrupt);
    return status;
}
