/* SPDX-License-Identifier: Apache-2.0 */
/* after.c -- points are written by another thread, while the simulation goes on.
 *
 * In real time nothing in the loop may wait for a disk. A point is copied into a ring of memory that was
 * touched before; a thread of ordinary priority takes points out of it in their order, writes them and
 * from time to time flushes the file. There is one producer and one consumer, so two counters are enough.
 * The writer looks for work every millisecond: the producer wakes nobody. Only if the ring is full, the
 * producer waits. */
#define _POSIX_C_SOURCE 200809L
#include "record/writer.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST_POINTS = 64, RING_BYTES = 1 << 24, FLUSH_AFTER = 200 /* looks */ };

struct Behind {
    Recorder    *recorder;
    pthread_t    thread;
    double      *ring; /* slots of columns + 1: time first */
    long         slots, width;
    atomic_long  put, taken; /* points so far */
    atomic_bool  end, broken;
    atomic_llong bytes;
};

static void rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* All points that are there; false: the file failed. */
static bool drain(struct Behind *b) {
    long put = atomic_load_explicit(&b->put, memory_order_acquire);
    long at = atomic_load_explicit(&b->taken, memory_order_relaxed);
    for (; at < put; at++) {
        const double *row = b->ring + (size_t)(at % b->slots) * (size_t)b->width;
        bool          fine = atomic_load(&b->broken)
                                 ? false
                                 : recorder_write(b->recorder, row[0], row + 1);
        if (!fine) atomic_store(&b->broken, true);
        atomic_store(&b->bytes, b->recorder->bytes);
        atomic_store_explicit(&b->taken, at + 1, memory_order_release);
    }
    return !atomic_load(&b->broken);
}

static void *write_points(void *owner) {
    struct Behind *b = owner;
    for (int looks = 0; !atomic_load(&b->end); looks++) {
        if (drain(b) && looks % FLUSH_AFTER == FLUSH_AFTER - 1 &&
            !recorder_flush(b->recorder))
            atomic_store(&b->broken, true);
        rest();
    }
    drain(b);
    return NULL;
}

/* Threads inherit priorities of real time; this one has none. */
static bool start(struct Behind *b) {
    pthread_attr_t     own;
    struct sched_param usual = {0};
    if (pthread_attr_init(&own) != 0) return false;
    pthread_attr_setinheritsched(&own, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&own, SCHED_OTHER);
    pthread_attr_setschedparam(&own, &usual);
    bool fine = pthread_create(&b->thread, &own, write_points, b) == 0;
    pthread_attr_destroy(&own);
    return fine;
}

bool record_behind(Recorder *recorder) {
    struct Behind *b = calloc(1, sizeof *b);
    if (!b) return false;
    b->recorder = recorder;
    b->width = recorder->columns + 1;
    b->slots = RING_BYTES / (long)(sizeof(double) * (size_t)b->width);
    if (b->slots < LEAST_POINTS) b->slots = LEAST_POINTS;
    size_t bytes = sizeof(double) * (size_t)b->slots * (size_t)b->width;
    b->ring = malloc(bytes);
    if (b->ring) memset(b->ring, 1, bytes); /* touched: its pages are there */
    if (!b->ring || !start(b)) {
        free(b->ring);
        free(b);
        return false;
    }
    recorder->behind = b;
    return true;
}

bool behind_point(struct Behind *b, double time, const double *value) {
    long put = atomic_load_explicit(&b->put, memory_order_relaxed);
    while (put - atomic_load_explicit(&b->taken, memory_order_acquire) >= b->slots)
        rest();
    double *row = b->ring + (size_t)(put % b->slots) * (size_t)b->width;
    row[0] = time;
    memcpy(row + 1, value, sizeof(double) * (size_t)(b->width - 1));
    atomic_store_explicit(&b->put, put + 1, memory_order_release);
    return !atomic_load(&b->broken);
}

int64_t behind_points(const struct Behind *b) {
    return atomic_load(&((struct Behind *)b)->put);
}

int64_t behind_bytes(const struct Behind *b) {
    return atomic_load(&((struct Behind *)b)->bytes);
}

void behind_end(Recorder *recorder) {
    struct Behind *b = recorder->behind;
    if (!b) return;
    atomic_store(&b->end, true);
    pthread_join(b->thread, NULL);
    recorder->behind = NULL;
    free(b->ring);
    free(b);
}
