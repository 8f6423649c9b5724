/* SPDX-License-Identifier: Apache-2.0 */
/* bench_sweep.c -- many simulations of one program on several threads.
 *
 *     bench_sweep [SIMULATIONS [FILE [MODEL [PARAMETER [LOW [HIGH]]]]]]
 *
 * Wall time on 1 and 2 threads, their ratio, the memory of one simulation more beside that of the
 * program, and whether results on 1, 2 and 8 threads are the same bit for bit: exit status 1 if not.
 * As a reference for what the machine gives, the same threads do plain arithmetic. */
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

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
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
        for (int i = 0; i < 30000; i++) x = x * 0.999 + 1 / (x + 1);
        w->value[(size_t)k * (size_t)w->variables] = x;
    }
    return NULL;
}

static double on_threads(Sweep *w, int threads, void *(*what)(void *)) {
    pthread_t thread[THREADS];
    double    begin = seconds();
    atomic_store(&w->next, 0);
    for (int k = 0; k < threads; k++) pthread_create(&thread[k], NULL, what, w);
    for (int k = 0; k < threads; k++) pthread_join(thread[k], NULL);
    return seconds() - begin;
}

static double best_of(Sweep *w, int threads, void *(*what)(void *)) {
    double best = HUGE_VAL;
    for (int k = 0; k < 3; k++) best = fmin(best, on_threads(w, threads, what));
    return best;
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
    double plain = on_threads(&w, 1, arithmetic) / on_threads(&w, 2, arithmetic);
    memset(w.value, 0, size);
    double single = best_of(&w, 1, work);
    memcpy(one, w.value, size);
    bool   same = true;
    double two = 0;
    for (int threads = 2; threads <= THREADS; threads *= 4) {
        memset(w.value, 0, size);
        double t = threads == 2 ? best_of(&w, 2, work) : on_threads(&w, threads, work);
        if (threads == 2) two = t;
        same &= memcmp(one, w.value, size) == 0;
    }
    printf("%s, %d simulations\n", info.model, w.count);
    printf("  1 thread      %8.3f s  %8.1f us each\n", single, 1e6 * single / w.count);
    printf("  2 threads     %8.3f s  %8.1f us each  %.2f times\n", two, 1e6 * two / w.count,
           single / two);
    printf("  arithmetic alone on 2 threads: %.2f times\n", plain);
    printf("  program %zu bytes, one simulation more %.0f bytes\n", info.bytes,
           bytes_more(&w));
    printf("  results on 1, 2 and 8 threads: %s\n", same ? "the same" : "DIFFERENT");
    rb_program_free(w.program);
    free(one);
    free(w.value);
    return same && !w.failed ? 0 : 1;
}
