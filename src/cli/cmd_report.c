/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_report.c -- rubato report, and simulate --report: a result as an HTML page. */
#include "cli/cli.h"
#include "plot/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A whole file as text; empty if it cannot be read. */
static void read_text(const char *path, Text *out) {
    char   part[1 << 16];
    FILE  *file = path ? fopen(path, "rb") : NULL;
    size_t n;
    while (file && (n = fread(part, 1, sizeof part, file)) > 0) text_bytes(out, part, n);
    if (file) fclose(file);
}

/* "Ball_res.mat" -> "Ball" */
static const char *result_name(Job *job, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t      n = strlen(name);
    if (n > 4) n -= 4;
    if (n > 4 && strncmp(name + n - 4, "_res", 4) == 0) n -= 4;
    return arena_string(&job->arena, name, n);
}

static bool report_write(Job *job, const char *path, const ReportInput *in) {
    Text out = {0};
    report_html(&out, in);
    bool fine = !out.failed && files_write(path, text_get(&out), out.length);
    if (!fine) fprintf(stderr, "rubato: cannot write '%s': %s\n", path, strerror(errno));
    else if (!job->options.quiet) printf("report: %s\n", path);
    text_free(&out);
    return fine;
}

typedef struct Run { /* what the report asks a run for */
    Job                *job;
    const RbSimulation *simulation;
} Run;

static const char *text_of(void *owner, const char *variable) {
    const Run *run = owner;
    return rb_get_text(run->simulation, variable);
}

static bool file_of(void *owner, const char *uri, Text *path) {
    const Run  *run = owner;
    const char *file = run->job->compiler ? rb_resource(run->job->compiler, uri) : NULL;
    if (file) text_add(path, file);
    return file != NULL;
}

bool report_of_run(Job *job, const char *path, const char *result_path,
                   const RbProgram *program, RbSimulation *simulation,
                   const char *trace) {
    Result      result = {0};
    Text        source = {0}, messages = {0}, structure = {0};
    Run         run = {job, simulation};
    const char *target =
        job->options.arguments.count ? job->options.arguments.item[0] : "";
    size_t n = strlen(target);
    if (!result_load(&result, result_path)) return false;
    if (n > 3 && strcmp(target + n - 3, ".mo") == 0) read_text(target, &source);
    if (job->compiler) text_add(&messages, rb_messages(job->compiler, 0, RB_JSON));
    text_add(&messages, rb_simulation_messages(simulation, 0, RB_JSON));
    text_add(&structure, rb_structure(simulation));
    ReportInput in = {.name = rb_info(program).model,
                      .result = &result,
                      .trace = trace,
                      .statistics = rb_statistics(simulation),
                      .structure = text_get(&structure),
                      .messages = text_get(&messages),
                      .source = source.length ? text_get(&source) : NULL,
                      .path = target,
                      .text = text_of,
                      .file = file_of,
                      .owner = &run};
    bool        fine = report_write(job, path, &in);
    TEXT_FREE(&source, &messages, &structure);
    result_free(&result);
    return fine;
}

int command_report(Job *job) {
    const Words *words = &job->options.arguments;
    Result       result = {0}, other = {0};
    Text         trace = {0};
    if (words->count < 1 || words->count > 2) {
        fprintf(stderr,
                "rubato: report needs a result, and perhaps one to compare it with\n");
        return EXIT_USAGE;
    }
    bool fine = result_load(&result, words->item[0]) &&
                (words->count < 2 || result_load(&other, words->item[1]));
    if (fine) {
        const char *name = result_name(job, words->item[0]);
        const char *path = job->options.output;
        if (!path) path = arena_printf(&job->arena, "%s.html", name);
        read_text(job->options.simulate.trace, &trace);
        ReportInput in = {.name = name,
                          .result = &result,
                          .other = words->count == 2 ? &other : NULL,
                          .other_name = words->count == 2 ? words->item[1] : NULL,
                          .trace = text_get(&trace)};
        fine = report_write(job, path, &in);
    }
    text_free(&trace);
    result_free(&result);
    result_free(&other);
    return fine ? EXIT_DONE : EXIT_MODEL;
}
