/* SPDX-License-Identifier: Apache-2.0 */
/* batch.c -- states of many equal systems, their derivatives, and steps of fixed length.
 *
 * LANES instances lie together, so that all arrays of a step of theirs fit into the first cache. The
 * systems do not act on each other, so a chunk takes all steps up to the next point before the next
 * chunk takes its first: states pass through memory once a point, not once a stage. Chunks are shared
 * out to threads in contiguous parts; results do not depend on their number.
 *
 * Memory: 8 bytes for a state and for each parameter that differs; stages + 2 vectors of a chunk a
 * thread. */
#include "lied/lied.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum {
    LANES = BATCH_LANES,
    MOST_THREADS = 256,
    LINE = 64 / sizeof(double) /* numbers in a line of the cache */
};

/* ---- memory ---- */

/* Chunks of all instances. */
static int64_t all_chunks(int64_t count) {
    return (count + LANES - 1) / LANES;
}

/* Where the first line of a block begins: vectors that cross lines cost two accesses each. */
static double *line_in(double *block) {
    uintptr_t at = (uintptr_t)block % (LINE * sizeof(double));
    return block + (at ? LINE - at / sizeof(double) : 0);
}

bool batch_open(Batch *b, const BatchInfo *info, const double *v, int part, int parts) {
    const int64_t all = all_chunks(info->count);
    const int64_t begin = all * part / parts, end = all * (part + 1) / parts;
    *b = (Batch){.count = info->count,
                 .first = begin * LANES,
                 .chunks = end - begin,
                 .states = info->states,
                 .knowns = info->knowns,
                 .v = v};
    size_t chunk = (size_t)(b->chunks ? b->chunks : 1) * LANES;
    b->block =
        mem_take(chunk * (size_t)(b->states ? b->states : 1) + LINE, sizeof(double));
    b->q = mem_take(b->knowns ? chunk * (size_t)b->knowns : 1, sizeof(double));
    b->x = b->block ? line_in(b->block) : NULL;
    if (b->x && b->q) return true;
    batch_close(b);
    return false;
}

bool batch_has(const Batch *b, int64_t instance) {
    return instance >= b->first && instance < b->first + b->chunks * LANES;
}

int batch_owner(const Batch *b, int64_t instance, int parts) {
    const int64_t all = all_chunks(b->count), chunk = instance / LANES;
    int           part = 0;
    while (part + 1 < parts && chunk >= all * (part + 1) / parts) part++;
    return part;
}

void batch_close(Batch *b) {
    mem_free(b->block);
    mem_free(b->q);
    b->block = b->x = b->q = NULL;
}

size_t batch_size(const Batch *b) {
    return (size_t)b->chunks * LANES * (size_t)b->states;
}

static long lanes_of(const Batch *b, int64_t chunk) {
    int64_t left = b->count - b->first - chunk * LANES;
    return left < LANES ? (long)left : LANES;
}

/* Lanes of a chunk that no instance has do as the last one that one has: whoever takes all for states of a model finds
 * errors there as elsewhere, and no other numbers. */
static void fill_up(const Batch *b, long lanes, double *value) {
    for (int k = 0; k < b->states; k++)
        for (long i = lanes; i < LANES; i++)
            value[k * LANES + i] = value[k * LANES + lanes - 1];
}

void batch_lend(Batch *b, double *x) {
    memcpy(x, b->x, batch_size(b) * sizeof *x);
    for (int64_t c = 0; c < b->chunks; c++)
        fill_up(b, lanes_of(b, c), x + c * LANES * b->states);
    mem_free(b->block);
    b->block = NULL;
    b->x = x;
}

size_t batch_bytes(const Batch *b) {
    return (size_t)b->chunks * LANES * sizeof(double) * (size_t)(b->states + b->knowns);
}

static void fill(double *to, int64_t chunks, int n, const double *value) {
    for (int64_t c = 0; c < chunks; c++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < LANES; i++) to[(c * n + k) * LANES + i] = value[k];
}

void batch_fill(Batch *b, const double *x, const double *q) {
    fill(b->x, b->chunks, b->states, x);
    fill(b->q, b->chunks, b->knowns, q);
}

/* instance: counted from the first one here */
static double *place(double *from, int n, int64_t instance) {
    return from + instance / LANES * n * LANES + instance % LANES;
}

void batch_put(Batch *b, int64_t instance, const double *x, const double *q) {
    double *to = place(b->x, b->states, instance - b->first),
           *more = place(b->q, b->knowns, instance - b->first);
    for (int k = 0; x && k < b->states; k++) to[k * LANES] = x[k];
    for (int k = 0; q && k < b->knowns; k++) more[k * LANES] = q[k];
}

void batch_get(const Batch *b, int64_t instance, double *x, double *q) {
    const double *from = place(b->x, b->states, instance - b->first);
    const double *more = place(b->q, b->knowns, instance - b->first);
    for (int k = 0; k < b->states; k++) x[k] = from[k * LANES];
    for (int k = 0; q && k < b->knowns; k++) q[k] = more[k * LANES];
}

/* ---- one chunk ---- */

static void rates(const Batch *b, int64_t chunk, double t, const double *x, double *dx) {
    const double *q = b->q + chunk * b->knowns * LANES;
    long          n = lanes_of(b, chunk);
    if (b->fast(n, t, b->v, q, x, dx)) b->exact(n, t, b->v, q, x, dx);
    fill_up(b, n, dx);
}

int batch_stages(const Method *m) {
    int n = m->stages; /* the last ones may serve an estimate only */
    while (n > 1 && m->b[n - 1] == 0) n--;
    return n;
}

static void step(const Batch *b, int64_t chunk, const Method *m, double t, double h,
                 double *work) {
    const int n = b->states, stages = batch_stages(m);
    double   *x = b->x + chunk * n * LANES, *k = work + n * LANES;
    rates(b, chunk, t, x, k);
    for (int i = 1; i < stages; i++) {
        b->combine(n, i, m->a + (size_t)i * (size_t)m->stages, h, k, x, work);
        rates(b, chunk, t + m->c[i] * h, work, k + (size_t)i * (size_t)n * LANES);
    }
    b->combine(n, stages, m->b, h, k, x, x);
}

/* x - x is 0 unless x is not finite. */
static int64_t not_finite(const Batch *b, int64_t chunk) {
    const double *x = b->x + chunk * b->states * LANES;
    double        sum[LANES] = {0};
    for (int k = 0; k < b->states; k++)
        for (int i = 0; i < LANES; i++) sum[i] += x[k * LANES + i] - x[k * LANES + i];
    for (long i = 0; i < lanes_of(b, chunk); i++)
        if (sum[i] != 0) return b->first + chunk * LANES + i;
    return -1;
}

/* The states of a chunk come from memory while the one before is computed. A chunk is a page, where the
 * means of processors to guess what is read next begin anew. */
static void fetch(const double *x, int states) {
#if defined(__GNUC__)
    for (int i = 0; i < states * LANES; i += LINE) __builtin_prefetch(x + i);
#else
    (void)x, (void)states;
#endif
}

/* ---- threads ---- */

typedef struct Share { /* of a thread: chunks first .. last - 1 */
    const Batch  *batch;
    const Method *method; /* NULL: derivatives are asked for */
    double        time, h;
    long          steps;
    int64_t       first, last;
    const double *x;    /* derivatives: where */
    double       *dx;   /* of all */
    double       *work; /* of this thread */
    int64_t       bad;
} Share;

static void *work_on(void *context) {
    Share       *s = context;
    const Batch *b = s->batch;
    for (int64_t c = s->first; c < s->last; c++) {
        int64_t       at = c * b->states * LANES;
        const double *x = s->method ? b->x : s->x;
        if (c + 1 < s->last) fetch(x + at + b->states * LANES, b->states);
        if (!s->method) {
            rates(b, c, s->time, x + at, s->dx + at);
            continue;
        }
        for (long k = 0; k < s->steps; k++)
            step(b, c, s->method, s->time + (double)k * s->h, s->h, s->work);
        if (s->bad < 0) s->bad = not_finite(b, c);
    }
    return NULL;
}

/* Every thread has at least one chunk; the last one is the caller. */
static void share_out(Share *share, int threads, const Batch *b) {
    pthread_t thread[MOST_THREADS];
    bool      runs[MOST_THREADS] = {false};
    for (int k = 0; k < threads; k++) {
        share[k].first = b->chunks * k / threads;
        share[k].last = b->chunks * (k + 1) / threads;
        if (k + 1 < threads)
            runs[k] = pthread_create(&thread[k], NULL, work_on, &share[k]) == 0;
        if (!runs[k]) work_on(&share[k]);
    }
    for (int k = 0; k + 1 < threads; k++)
        if (runs[k]) pthread_join(thread[k], NULL);
}

static int threads_for(const Batch *b, int threads) {
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if (threads > b->chunks) threads = (int)b->chunks;
    return threads < 1 ? 1 : threads;
}

void batch_rates(const Batch *b, double time, const double *x, double *dx, int threads) {
    Share share[MOST_THREADS];
    threads = threads_for(b, threads);
    for (int k = 0; k < threads; k++)
        share[k] = (Share){.batch = b, .time = time, .x = x, .dx = dx, .bad = -1};
    share_out(share, threads, b);
}

Status batch_advance(Batch *b, const Method *method, double time, double h, long steps,
                     int threads, BatchFault *fault) {
    Share  share[MOST_THREADS];
    size_t room = (size_t)(batch_stages(method) + 1) * (size_t)b->states * LANES;
    threads = threads_for(b, threads);
    double *work = mem_take((size_t)threads * room + 1, sizeof(double));
    *fault = (BatchFault){.instance = -1, .time = time + (double)steps * h};
    if (!work) return STATUS_NO_MEMORY;
    for (int k = 0; k < threads; k++)
        share[k] = (Share){.batch = b,
                           .method = method,
                           .time = time,
                           .h = h,
                           .steps = steps,
                           .work = work + (size_t)k * room,
                           .bad = -1};
    share_out(share, threads, b);
    for (int k = 0; k < threads && fault->instance < 0; k++)
        fault->instance = share[k].bad;
    mem_free(work);
    return fault->instance < 0 ? STATUS_OK : STATUS_NOT_FINITE;
}
