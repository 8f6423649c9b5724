/* SPDX-License-Identifier: Apache-2.0 */
/* driver.c -- the way of a model as one table of passes.
 *
 * Adding a pass is adding a row: --dump, --stop-after, --timing and --stages follow. */
#define _POSIX_C_SOURCE 200809L
#include "cli/code.h"
#include "cli/setting.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef struct Pass {
    const char *name;
    bool (*run)(Job *job); /* false: messages were reported */
    void (*dump)(Job *job, Text *out);
} Pass;

static bool pass_parse(Job *job) {
    if (job->translate) {
        job->target = job_target(job);
        return job->target != NULL;
    }
    job->file = parse_file(&job->session, job->path);
    return job->file && job->file->good;
}

static void dump_parse(Job *job, Text *out) {
    dump_file(out, &job->session, job->file, true);
}

/* Is the number of equations all that is wrong? */
static bool is_unbalanced(const Job *job) {
    const Diag *diag = &job->session.diag;
    return diag->errors == 1 && job->flat->equations != job->flat->unknowns;
}

/* Which unknowns are left over follows from the structure. Messages of the way there are not
 * wanted: the model is known to be wrong. */
static void explain_balance(Job *job) {
    Diag *diag = &job->session.diag;
    Diag  before = *diag;
    Rows *rows = rows_of_model(job->flat);
    if (rows && rows->good && diag->count == before.count)
        structure_explain(&rows->sys, diag);
    else diag->count = before.count, diag->errors = before.errors;
    rows_free(rows);
}

static bool pass_flatten(Job *job) {
    job->front = front_new(&job->session, &job->library);
    if (!job->front) return false;
    job->front->given = job->given;
    job->library.trust = job->options.trust;
    if (!job->foreign) job->foreign = NEW(&job->arena, Foreign, 1);
    job->front->local_balance = job->check;
    job->front->external.call = foreign_call;
    job->front->external.context = job->foreign;
    job->flat = flat_model(job->front, job->target);
    if (job->flat && is_unbalanced(job)) explain_balance(job);
    return job->flat && job->flat->ok;
}

static void dump_flatten(Job *job, Text *out) {
    flat_print(out, job->flat);
}

static bool make_rows(Job *job) {
    job->rows = rows_of_model(job->flat);
    return job->rows && job->rows->good && settings_read(job);
}

/* Which settings shape the model is known only now. */
static bool pass_rows(Job *job) {
    if (!make_rows(job)) return false;
    if (!job->given) return true;
    rows_free(job->rows);
    job->rows = NULL;
    front_free(job->front);
    return pass_flatten(job) && make_rows(job);
}

static void dump_rows(Job *job, Text *out) {
    system_dump(&job->rows->sys, out, 10000);
}

static void dump_structure(Job *job, Text *out) {
    structure_report(&job->code->run.structure, out, 100000);
}

static void dump_compile(Job *job, Text *out) {
    text_bytes(out, text_get(&job->code->run.image.text),
               job->code->run.image.text.length);
}

static const Pass passes[] = {
    {"parse", pass_parse, dump_parse},             /* path -> file */
    {"flatten", pass_flatten, dump_flatten},       /* target -> flat */
    {"rows", pass_rows, dump_rows},                /* flat -> rows */
    {"structure", code_structure, dump_structure}, /* rows -> blocks in order */
    {"compile", code_compile, dump_compile},       /* blocks -> code in memory */
    {0},
};

double wall_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool known(const char *name) {
    for (const Pass *p = passes; p->name; p++)
        if (strcmp(p->name, name) == 0) return true;
    fprintf(stderr, "rubato: there is no pass '%s'; the passes are:", name);
    for (const Pass *p = passes; p->name; p++) fprintf(stderr, " %s", p->name);
    fprintf(stderr, "\n");
    return false;
}

bool driver_check_names(Job *job) {
    const Options *options = &job->options;
    return (!options->dump || known(options->dump)) &&
           (!options->stop_after || known(options->stop_after));
}

static bool run_pass(Job *job, int index) {
    const Pass   *p = &passes[index];
    struct rusage usage;
    double        before = wall_time();
    bool          good = p->run(job);
    job->seconds[index] += wall_time() - before;
    getrusage(RUSAGE_SELF, &usage);
    job->peak[index] = usage.ru_maxrss;
    if (job->options.stages)
        fprintf(stderr, "stage: %s %s\n", p->name, good ? "ok" : "fail");
    if (good && job->options.dump && strcmp(job->options.dump, p->name) == 0) {
        Text out = {0};
        p->dump(job, &out);
        fwrite(text_get(&out), 1, out.length, stdout);
        text_free(&out);
    }
    return good;
}

bool driver_run(Job *job, const char *last) {
    for (int i = 0; passes[i].name; i++) {
        if (!run_pass(job, i)) return false;
        job->stopped = job->options.stop_after &&
                       strcmp(passes[i].name, job->options.stop_after) == 0;
        if (job->stopped || strcmp(passes[i].name, last) == 0) break;
    }
    return true;
}

/* peak: kB, 0 if not known */
static void show_time(const char *what, double seconds, long peak) {
    fprintf(stderr, "%-10s %9.3f ms", what, 1e3 * seconds);
    if (peak) fprintf(stderr, " %9.1f MB at most so far", (double)peak / 1024);
    fprintf(stderr, "\n");
}

void driver_timing(Job *job) {
    double sum = 0;
    for (int i = 0; passes[i].name; i++)
        show_time(passes[i].name, job->seconds[i], job->peak[i]), sum += job->seconds[i];
    if (job->initialised > 0)
        show_time("initial", job->initialised - job->begun - sum, 0);
    if (job->stepped > 0) show_time("first step", job->stepped - job->initialised, 0);
    if (job->stepped > 0) show_time("to here", job->stepped - job->begun, 0);
    if (job->ended > 0) show_time("the rest", job->ended - job->stepped, 0);
}
