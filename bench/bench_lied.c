/* SPDX-License-Identifier: Apache-2.0 */
/* bench_lied.c -- one size of the crane crab experiment, in a process of its own.
 *
 *   bench_lied N components|whole [THREADS]
 *
 * Translates N crane crabs from Modelica text, makes a simulation of them and evaluates the derivatives
 * of all states. Prints one JSON object: seconds of translation, of making the simulation (memory,
 * parameters, start values), of one evaluation (the best of several), the largest memory of the
 * process, and the bandwidth of memory that a triad a = b + s*c reaches in the same process.
 * bench_lied.py runs all sizes and draws the picture. */
#define _DEFAULT_SOURCE
#include "api/api.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct Measured {
    double translate, open, evaluate, triad;
    double rows; /* equations as written */
} Measured;

static double triad(void) {
    size_t  n = (size_t)1 << 23; /* three times 64 MB */
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b),
           *c = malloc(n * sizeof *c);
    double best = 1e300;
    for (size_t i = 0; i < n; i++) a[i] = 0, b[i] = (double)i, c[i] = 1;
    for (int k = 0; k < 7; k++) {
        double before = wall_time();
        for (size_t i = 0; i < n; i++) a[i] = b[i] + 0.5 * c[i];
        double t = wall_time() - before;
        if (t < best) best = t;
    }
    volatile double keep = a[n / 2];
    (void)keep;
    free(a), free(b), free(c);
    return 4.0 * 8 * (double)n / best; /* two read, one written, which is read first */
}

/* Seconds of one evaluation of all derivatives. */
static double evaluate(RbSimulation *s, int threads) {
    const Program *p = s->program->program;
    double         best = 1e300, spent = 0;
    Batch         *b = s->fleet ? &s->fleet->batch[0] : NULL;
    size_t         n =
        b ? (size_t)b->chunks * BATCH_LANES * (size_t)b->states : (size_t)p->states.count;
    double   *dx = calloc(n, sizeof *dx);
    Selection all = {.kind = SELECT_ALL};
    Fault     fault = fault_none();
    memset(dx, 0, n * sizeof *dx);
    for (int k = 0; k < 100000 && (k < 25 || spent < 0.5); k++) {
        double before = wall_time();
        if (b) batch_rates(b, 0.5, b->x, dx, threads);
        else s->instance.model.fn->eval(&s->instance, 0.5, s->x, &all, dx, &fault);
        double t = wall_time() - before;
        spent += t;
        if (t < best) best = t;
    }
    free(dx);
    return best;
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
    m.evaluate = evaluate(s, argc > 3 ? atoi(argv[3]) : 1);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    m.triad = triad();
    printf(
        "{\"crabs\": %s, \"path\": \"%s\", \"equations\": %.0f, \"translate\": %.6f, "
        "\"instantiate\": %.6f, \"evaluate\": %.9f, \"memory\": %ld, \"triad\": %.6g}\n",
        argv[1], argv[2], 91.0 * atof(argv[1]), m.translate, m.open, m.evaluate,
        usage.ru_maxrss * 1024L, m.triad);
    rb_simulation_free(s);
    rb_program_free(p);
    return 0;
}
