/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c -- figure 6: cells that switch on 1, 2 and 4 threads.
 *
 * Threads are woken for every large step with two clusters, however small. Compared are the bits of
 * the final state, of the state inside the last step, of all events and of all steps, and the
 * work that was counted; caches are left out, of which every thread has its own. */
#define _POSIX_C_SOURCE 200809L
#include "rate/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rate/models.h"
#include "rate/rate.h"

typedef struct Told { /* what a run tells, as one number each */
    uint64_t       events, steps, values;
    RateStatistics stats;
    double         seconds;
    bool           ok;
} Told;

static void add(uint64_t *sum, const void *data, size_t bytes) {
    *sum = hash_mix(*sum ^ hash_bytes(data, bytes));
}
static void on_event(void *owner, double t, const Selection *which) {
    Told *told = owner;
    add(&told->events, &t, sizeof t);
    add(&told->events, which->row, sizeof(int));
}
static void on_step(void *owner, const RateTrace *step) {
    Told *told = owner;
    add(&told->steps, &step->t, sizeof step->t);
    add(&told->steps, &step->h, sizeof step->h);
    if (step->state) add(&told->steps, step->state, sizeof(int) * (size_t)step->count);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Told run(const char *name, int rates, int threads) {
    Told        told = {0};
    Case       *c = case_new(name, 0);
    Status      status;
    RateOptions o = {.rates = rates,
                     .threads = threads,
                     .grain = 1e-9,
                     .event = on_event,
                     .trace = on_step,
                     .owner = &told};
    if (!c) return told;
    o.ode.method = "rodas4";
    o.ode.rtol = o.ode.atol = 1e-6;
    const size_t bytes = sizeof(double) * (size_t)c->model.nx;
    const double begin = now();
    double      *x = malloc(bytes);
    Rate        *r = rate_new(&c->model, &o, 0.0, c->x0, &status);
    if (r && x && rate_advance(r, 30.0, true) == STATUS_OK) {
        told.seconds = now() - begin;
        add(&told.values, rate_state(r), bytes);
        rate_dense(r, 0.5 * (rate_time(r) + rate_time_last(r)), x);
        add(&told.values, x, bytes);
        told.stats = rate_statistics(r);
        told.ok = true;
    }
    rate_free(r);
    free(x);
    case_free(c);
    return told;
}

static bool same(const Told *a, const Told *b) {
    RateStatistics s = b->stats;
    s.selections = a->stats.selections, s.derived = a->stats.derived;
    s.visits = a->stats.visits, s.cache_hits = a->stats.cache_hits;
    return a->ok && b->ok && a->events == b->events && a->steps == b->steps &&
           a->values == b->values && memcmp(&a->stats, &s, sizeof s) == 0;
}

void figure_threads(void) {
    static const char *const names[] = {"cells", "scattered"};
    static const int         rates[] = {2, 3, 0};
    printf("\nFigure 6: cells with events on 1, 2 and 4 threads, 30 s\n");
    for (int m = 0; m < LENGTH(names); m++)
        for (int k = 0; k < LENGTH(rates); k++) {
            const Told one = run(names[m], rates[k], 1), two = run(names[m], rates[k], 2),
                       four = run(names[m], rates[k], 4);
            printf("  %-9s rates %d: %ld events, %ld clusters, %ld state_steps; bits %s; "
                   "%.2f, %.2f, %.2f s\n",
                   names[m], rates[k], one.stats.events, one.stats.clusters,
                   one.stats.total.state_steps,
                   same(&one, &two) && same(&one, &four) ? "identical" : "DIFFERENT",
                   one.seconds, two.seconds, four.seconds);
        }
}
