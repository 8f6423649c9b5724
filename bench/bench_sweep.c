/* SPDX-License-Identifier: Apache-2.0 */
/* bench_sweep.c -- many simulations of one program on several threads.
 *
 *     bench_sweep [SIMULATIONS [FILE [MODEL [PARAMETER [LOW [HIGH]]]]]]
 *
 * Wall time on 1 and 2 threads, their ratio, the memory of one simulation more beside that of the
 * program, and whether results on 1, 2 and 8 threads are the same bit for bit: exit status 1 if not.
 * As a reference for what the machine gives, the same threads do plain arithmetic, and processor time
 * is told beside wall time: it grows with the number of threads if they wait for each other. */
#define _GNU_SOURCE
#include "rubato.h"

#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 8 };

typedef struct Sweep {
    RbProgram  *program;
    const char *parameter;
    double      low, high;
    int         count;     /* of simulations */
    int         variables; /* of each, compared at the end */
    double     *value;     /* [count][variables] */
    atomic_int  next, failed;
} Sweep;

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double case_of(const Sweep *w, int k) {
    return w->low + (w->high - w->low) * k / (w->count > 1 ? w->count - 1 : 1);
}

static bool simulate(Sweep *w, int k) {
    RbOptions     options = {.interval = -1};
    RbError       error;
    RbSimulation *s = rb_simulation_new(w->program, &options, &error);
    bool          fine = s && rb_set(s, w->parameter, case_of(w, k), &error) == RB_OK &&
                rb_run(s, &error) == RB_OK;
    if (!fine) fprintf(stderr, "%s = %g: %s\n", w->parameter, case_of(w, k), error.text);
    for (int i = 0; fine && i < w->variables; i++)
        w->value[(size_t)k * (size_t)w->variables + (size_t)i] = rb_get_number(s, i);
    rb_simulation_free(s);
    return fine;
}

static void *work(void *context) {
    Sweep *w = context;
    for (int k; (k = atomic_fetch_add(&w->next, 1)) < w->count;)
        if (!simulate(w, k)) atomic_fetch_add(&w->failed, 1);
    return NULL;
}

static void *arithmetic(void *context) {
    Sweep *w = context;
    for (int k; (k = atomic_fetch_add(&w->next, 1)) < w->count;) {
        double x = 1 + k;
        for (int i = 0; i < 8000; i++) x = x * 0.999 + 1 / (x + 1);
        w->value[(size_t)k * (size_t)w->variables] = x;
    }
    return NULL;
}

typedef struct Cost {
    double wall, processor; /* seconds */
} Cost;

static Cost on_threads(Sweep *w, int threads, void *(*what)(void *)) {
    pthread_t thread[THREADS];
    double    wall = seconds(CLOCK_MONOTONIC), own = seconds(CLOCK_PROCESS_CPUTIME_ID);
    atomic_store(&w->next, 0);
    for (int k = 0; k < threads; k++) pthread_create(&thread[k], NULL, what, w);
    for (int k = 0; k < threads; k++) pthread_join(thread[k], NULL);
    return (Cost){seconds(CLOCK_MONOTONIC) - wall,
                  seconds(CLOCK_PROCESS_CPUTIME_ID) - own};
}

/* The best of some times, by turns: what else the machine does changes. */
static void measure(Sweep *w, void *(*what)(void *), Cost *one, Cost *two) {
    enum { TURNS = 15 };
    *one = *two = (Cost){HUGE_VAL, HUGE_VAL};
    for (int k = 0; k < 2 * TURNS; k++) {
        Cost *best = k % 2 ? two : one, c = on_threads(w, 1 + k % 2, what);
        best->wall = fmin(best->wall, c.wall);
        best->processor = fmin(best->processor, c.processor);
    }
}

static void show(const char *what, const Sweep *w, Cost c) {
    printf("  %-12s %8.4f s  %8.1f us each, of processors %8.1f us\n", what, c.wall,
           1e6 * c.wall / w->count, 1e6 * c.processor / w->count);
}

/* Are results on so many threads those of one? */
static bool same(Sweep *w, const double *one, size_t size, int threads) {
    memset(w->value, 0, size);
    on_threads(w, threads, work);
    return memcmp(one, w->value, size) == 0;
}

/* Bytes of one simulation more, after its start. */
static double bytes_more(const Sweep *w) {
    enum { MANY = 50 };
    RbSimulation *s[MANY];
    RbError       error;
    size_t        before = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (int k = 0; k < MANY; k++) {
        s[k] = rb_simulation_new(w->program, NULL, &error);
        rb_step(s[k], rb_info(w->program).stop / 2, &error);
    }
    size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (int k = 0; k < MANY; k++) rb_simulation_free(s[k]);
    return ((double)after - (double)before) / MANY;
}

int main(int argc, char **argv) {
    RbError     error;
    Sweep       w = {.count = argc > 1 ? atoi(argv[1]) : 1000,
                     .parameter = argc > 4 ? argv[4] : "r1.R",
                     .low = argc > 5 ? atof(argv[5]) : 50,
                     .high = argc > 6 ? atof(argv[6]) : 500};
    RbRequest   request = {.target = argc > 2 ? argv[2] : "examples/Circuit.mo",
                           .model = argc > 3 ? argv[3] : "Circuit.Filter"};
    RbCompiler *compiler = rb_compiler_new(NULL, &error);
    w.program = rb_translate(compiler, &request, &error);
    rb_compiler_free(compiler);
    if (!w.program) return fprintf(stderr, "%s\n", error.text), 1;
    RbInfo info = rb_info(w.program);
    w.variables = info.variables;
    size_t  size = (size_t)w.count * (size_t)w.variables * sizeof(double);
    double *one = malloc(size);
    w.value = calloc(size, 1);
    if (!one || !w.value) return 1;
    Cost single, two, alone, beside;
    measure(&w, arithmetic, &alone, &beside);
    memset(w.value, 0, size);
    on_threads(&w, 1, work);
    memcpy(one, w.value, size);
    bool fine = same(&w, one, size, 2) && same(&w, one, size, THREADS);
    measure(&w, work, &single, &two);
    printf("%s, %d simulations\n", info.model, w.count);
    show("1 thread", &w, single);
    show("2 threads", &w, two);
    printf("  ratio %.2f; of arithmetic alone %.2f\n", single.wall / two.wall,
           alone.wall / beside.wall);
    printf("  program %zu bytes, one simulation more %.0f bytes\n", info.bytes,
           bytes_more(&w));
    printf("  results on 1, 2 and 8 threads: %s\n", fine ? "the same" : "DIFFERENT");
    rb_program_free(w.program);
    free(one);
    free(w.value);
    return fine && !w.failed ? 0 : 1;
}
