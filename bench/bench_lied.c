/* SPDX-License-Identifier: Apache-2.0 */
/* bench_lied.c -- one size of the crane crab experiment, in a process of its own.
 *
 *   bench_lied N components|whole [THREADS]
 *
 * Translates N crane crabs from Modelica text, makes a simulation of them and evaluates the derivatives
 * of all states. Prints one JSON object: seconds of translation, of making the simulation (memory,
 * parameters, start values), of one evaluation, the largest memory of the process, and seconds that
 * copying as much as a crab has takes.
 *
 * What memory allows is measured by a loop that reads 32 bytes a crab and writes 32 to another place, as an
 * evaluation does, and computes nothing. Evaluations and copies take turns: both are timed in slices of
 * at most SLICE crabs, some tens of microseconds each, and of all slices the median counts. So neither other
 * programs nor a memory whose speed changes from second to second make one of both look better.
 * bench_lied.py runs all sizes and draws the picture. */
#define _DEFAULT_SOURCE
#include "api/api.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    SLICE = 1 << 15, /* crabs that are timed at once */
    ROUND = 32,      /* slices before copies have their turn */
    COPIES = 8,      /* slices of copies in a turn */
    COPIED =
        1 << 23,   /* numbers in an array that is copied: 64 MB, more than caches hold */
    NUMBERS = 4,   /* states of a crab */
    MOST = 1 << 16 /* times that are kept */
};

typedef struct Measured {
    double translate, open, evaluate;
    double copy;   /* seconds of a crab */
    long   memory; /* bytes */
} Measured;

typedef struct Times {
    double *of;
    int     count;
} Times;

static void keep(Times *t, double seconds) {
    if (t->count < MOST) t->of[t->count++] = seconds;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(Times *t) {
    qsort(t->of, (size_t)t->count, sizeof *t->of, by_size);
    return t->count ? t->of[t->count / 2] : 0;
}

typedef struct Copy { /* two arrays, and where the next slice begins */
    double *from, *to;
    size_t  at;
} Copy;

static void copy_slice(Copy *c, Times *times) {
    const size_t  n = (size_t)SLICE * NUMBERS;
    const double *from = c->from + c->at;
    double       *to = c->to + c->at;
    double        before = wall_time();
    for (size_t i = 0; i < n; i++) to[i] = -from[i];
    keep(times, (wall_time() - before) / SLICE);
    c->at = (c->at + n) % COPIED;
}

typedef struct Target { /* what is evaluated */
    RbSimulation *simulation;
    Batch        *batch; /* NULL: the model as a whole */
    double       *dx;
    int           threads;
} Target;

/* Derivatives of a slice; small models several times. Seconds of one of them. */
static double evaluate_slice(const Target *t, int64_t first, int64_t chunks, int repeat) {
    RbSimulation *s = t->simulation;
    Selection     all = {.kind = SELECT_ALL};
    Fault         fault = fault_none();
    Batch         part = t->batch ? *t->batch : (Batch){0};
    size_t        at = (size_t)first * BATCH_LANES * (size_t)part.states;
    double        before = wall_time();
    part.first += first * BATCH_LANES;
    part.chunks = chunks;
    for (int k = 0; k < repeat; k++)
        if (t->batch) batch_rates(&part, 0.5, part.x + at, t->dx + at, t->threads);
        else s->instance.model.fn->eval(&s->instance, 0.5, s->x, &all, t->dx, &fault);
    return (wall_time() - before) / repeat;
}

/* Evaluations and copies in turns. Seconds of one evaluation of all crabs, and of copying one of them. */
static void evaluate(RbSimulation *s, int threads, Measured *m) {
    Target  t = {.simulation = s,
                 .batch = s->fleet ? &s->fleet->batch[0] : NULL,
                 .threads = threads};
    int64_t chunks = t.batch ? t.batch->chunks : 1, slice = SLICE / BATCH_LANES;
    size_t  n = t.batch ? batch_size(t.batch) : (size_t)s->program->program->states.count;
    Times   one = {calloc(MOST, 8), 0}, copies = {calloc(MOST, 8), 0};
    Copy    c = {0};
    t.dx = aligned_alloc(64, (n + 8) / 8 * 64);
    memset(t.dx, 0, n * sizeof *t.dx);
    if (slice > chunks) slice = chunks;
    int    repeat = t.batch ? (int)(SLICE / BATCH_LANES / slice) : 1;
    double end = wall_time() + 2;
    for (int64_t k = 0; k < chunks; k += slice) evaluate_slice(&t, k, slice, 1);
    struct rusage usage; /* before there are arrays to copy */
    getrusage(RUSAGE_SELF, &usage);
    m->memory = usage.ru_maxrss * 1024L;
    c.from = calloc(COPIED, 8), c.to = calloc(COPIED, 8);
    for (size_t i = 0; i < COPIED; i++) c.from[i] = (double)i, c.to[i] = 0;
    for (int64_t k = 0; wall_time() < end || one.count < chunks / slice;) {
        for (int r = 0; r < ROUND; r++, k = (k + slice) % (chunks / slice * slice))
            keep(&one, evaluate_slice(&t, k, slice, repeat));
        for (int r = 0; r < COPIES; r++) copy_slice(&c, &copies);
    }
    m->evaluate = median(&one) * (double)chunks / (double)slice;
    m->copy = median(&copies);
    volatile double seen = c.to[COPIED / 2];
    (void)seen;
    free(c.from), free(c.to), free(one.of), free(copies.of), free(t.dx);
}

static RbProgram *translate(const char *n, bool components, RbError *error) {
    RbSettings  settings = {.cache = getenv("RUBATO_BENCH_CACHE")};
    RbCompiler *c = rb_compiler_new(&settings, error);
    RbValue     set = {"N", n};
    RbRequest   wish = {.target = "Rubato.Planar.Examples.CraneCrabs",
                        .set = &set,
                        .sets = 1,
                        .fresh = true,
                        .components = components};
    if (!c) return NULL;
    rb_add_default_libraries(c, NULL, NULL, error);
    RbProgram *p = rb_translate(c, &wish, error);
    rb_compiler_free(c);
    return p;
}

int main(int argc, char **argv) {
    RbError   error = {.status = RB_OK};
    Measured  m = {0};
    RbOptions options = {
        .tier = 1, .given_tier = true, .fixed_step = 1e-3, .method = "rk4"};
    if (argc < 3) {
        fprintf(stderr, "bench_lied N components|whole [THREADS]\n");
        return 2;
    }
    bool       components = argv[2][0] == 'c';
    double     t0 = wall_time();
    RbProgram *p = translate(argv[1], components, &error);
    m.translate = wall_time() - t0;
    RbSimulation *s = p ? rb_simulation_new(p, &options, &error) : NULL;
    if (s && components) { /* code is compiled once for all sizes: not counted */
        Kernels     k;
        Text        why = {0};
        CodeOptions code = s->common->options;
        code.tier = 1;
        if (kernels_open(&k, p->program->batches.text, &code, &why)) kernels_close(&k);
        text_free(&why);
    }
    double t1 = wall_time();
    if (s && rb_step(s, 0, &error) != RB_OK) s = NULL;
    if (!s) {
        fprintf(stderr, "bench_lied: %s\n", error.text);
        return 1;
    }
    m.open = wall_time() - t1;
    evaluate(s, argc > 3 ? atoi(argv[3]) : 1, &m);
    printf(
        "{\"crabs\": %s, \"path\": \"%s\", \"equations\": %.0f, \"translate\": %.6f, "
        "\"instantiate\": %.6f, \"evaluate\": %.9f, \"memory\": %ld, \"copy\": %.6g}\n",
        argv[1], argv[2], 91.0 * atof(argv[1]), m.translate, m.open, m.evaluate, m.memory,
        m.copy);
    rb_simulation_free(s);
    rb_program_free(p);
    return 0;
}
