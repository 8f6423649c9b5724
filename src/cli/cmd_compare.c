/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_compare.c -- rubato compare: is a result inside the tube around a reference?
 *
 * The variables that are farthest outside are drawn, on a terminal or into the file of --output. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool show(const char *name, const Comparison *c, bool quiet) {
    bool good = c->outcome == COMPARE_INSIDE;
    if (quiet) return good;
    switch (c->outcome) {
    case COMPARE_INSIDE: printf("ok    %s\n", name); break;
    case COMPARE_OUTSIDE:
        printf("FAIL  %s: %d points outside; worst at t = %g: %g, not within %g ... %g\n",
               name, c->bad, c->time, c->value, c->low, c->high);
        break;
    case COMPARE_NOT_FINITE:
        printf("FAIL  %s: %g at t = %g\n", name, c->value, c->time);
        break;
    case COMPARE_SHORT:
        printf("FAIL  %s: the result does not cover the time\n", name);
        break;
    }
    return good;
}

/* All variables of the reference, or those that a file names, one a line. */
static bool is_listed(const Text *list, const char *name) {
    if (!list->length) return true;
    size_t n = strlen(name);
    for (const char *c = text_get(list); *c;) {
        size_t length = strcspn(c, "\r\n");
        if (length == n && strncmp(c, name, n) == 0) return true;
        c += length + strspn(c + length, "\r\n");
    }
    return false;
}

static bool read_list(Job *job, Text *list) {
    const Source *source;
    const char   *path = job->options.signals;
    if (!path) return true;
    if (source_load(&job->session.sources, path, &source) != SOURCE_OK) {
        fprintf(stderr, "rubato: cannot read '%s'\n", path);
        return false;
    }
    text_bytes(list, source->text, source->size);
    return true;
}

/* ---- a picture of the worst variables ---- */

enum { WORST = 4 };

typedef struct Worst { /* variables that are farthest outside, the worst first */
    int    v[WORST], r[WORST];
    double by[WORST]; /* heights of the tube */
    int    count;
} Worst;

static void note_worst(Worst *worst, int v, int r, const Comparison *c) {
    const double beyond = c->value > c->high ? c->value - c->high : c->low - c->value;
    const double by = c->outcome == COMPARE_NOT_FINITE ? HUGE_VAL : beyond / c->height;
    int          k = worst->count < WORST ? worst->count++ : WORST - 1;
    if (k == WORST - 1 && worst->count == WORST && worst->by[k] > by) return;
    for (; k > 0 && worst->by[k - 1] < by; k--) {
        worst->v[k] = worst->v[k - 1];
        worst->r[k] = worst->r[k - 1];
        worst->by[k] = worst->by[k - 1];
    }
    worst->v[k] = v;
    worst->r[k] = r;
    worst->by[k] = by;
}

static int draw_worst(Job *job, const Worst *worst, const Result *result,
                      const Result *reference) {
    Figure figure = {.title = "result, and reference (dashed)"};
    bool   fine = true;
    for (int k = 0; k < worst->count && fine; k++)
        fine = figure_add(&figure, result, worst->v[k], true) &&
               figure_overlay(&figure, reference, worst->r[k], "reference", true);
    figure_finish(&figure);
    int status = fine ? figure_show(job, &figure) : EXIT_DEFECT;
    figure_free(&figure);
    return status;
}

static int compare_all(Job *job, const Result *result, const Result *reference,
                       const Text *list) {
    double tolerance = job->options.simulate.tolerance
                           ? number_read(job->options.simulate.tolerance, NULL)
                           : 0.002;
    int    compared = 0, failed = 0;
    Worst  worst = {0};
    for (int r = 0; r < reference->variables; r++) {
        const char *name = reference->name[r];
        if (!is_listed(list, name)) continue;
        int v = result_find(result, name);
        compared++;
        if (v < 0) {
            if (!job->options.quiet) printf("FAIL  %s: not in the result\n", name);
            failed++;
            continue;
        }
        Comparison c = compare_variable(result, v, reference, r, tolerance);
        bool       good = show(name, &c, job->options.quiet);
        failed += !good;
        if (!good && c.outcome != COMPARE_SHORT) note_worst(&worst, v, r, &c);
    }
    bool seen = job->options.output || (isatty(STDOUT_FILENO) && !job->options.quiet);
    if (seen && worst.count && draw_worst(job, &worst, result, reference) != EXIT_DONE)
        return EXIT_DEFECT;
    printf("%d of %d variables inside the tube\n", compared - failed, compared);
    return failed || !compared ? EXIT_MODEL : EXIT_DONE;
}

int command_compare(Job *job) {
    const Words *arguments = &job->options.arguments;
    Result       result = {0}, reference = {0};
    Text         list = {0};
    int          status = EXIT_MODEL;
    if (arguments->count != 2) {
        fprintf(stderr, "rubato: compare needs a result and a reference\n");
        return EXIT_USAGE;
    }
    if (result_load(&result, arguments->item[0]) &&
        result_load(&reference, arguments->item[1]) && read_list(job, &list))
        status = compare_all(job, &result, &reference, &list);
    result_free(&result);
    result_free(&reference);
    text_free(&list);
    return status;
}
