/* SPDX-License-Identifier: Apache-2.0 */
/* frame.c -- ticks in real time, and what they cost.
 *
 * Every tick has an absolute time on the clock of the machine: that of the start plus simulated time
 * over the factor. The simulation sleeps until then, so that no delay adds up. A frame is the work of
 * one sub-clock partition at one tick. It is missed if it ends after the next tick of the partition is
 * due. Overload is counted, and ticks that are late run at once: the results are those of the same
 * model without a clock on the wall. Threads get priorities of real time where the system allows it. The first two ticks do not wait: there matrices are made.
 *
 * Cost: two readings of the clock for each piece of code. */
#define _POSIX_C_SOURCE 200809L
#include "live/tick.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <math.h>
#include <time.h>

static const double second = 1e9; /* nanoseconds */
enum { WARM = 2 }; /* ticks at the start that do not wait: they make what others use */

int64_t frames_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_until(int64_t moment) {
    struct timespec at = {.tv_sec = (time_t)(moment / 1000000000),
                          .tv_nsec = (long)(moment % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {}
}

bool frames_priority(pthread_t thread, int rank) {
    struct sched_param high = {.sched_priority =
                                   sched_get_priority_max(SCHED_FIFO) - 1 - rank};
    return pthread_setschedparam(thread, SCHED_FIFO, &high) == 0;
}

/* The thread of the simulation goes first; afterwards it is as before. */
static void raise_priority(Frames *f) {
    f->thread = pthread_self();
    f->priorities = pthread_getschedparam(f->thread, &f->policy, &f->before) == 0 &&
                    frames_priority(f->thread, 0);
    f->raised = f->priorities;
}

Frames *frames_new(int subs, double factor) {
    Frames *f = mem_take(1, sizeof *f);
    if (!f) return NULL;
    f->factor = factor;
    f->frame = mem_take((size_t)subs, sizeof *f->frame);
    if (!f->frame) {
        mem_free(f);
        return NULL;
    }
    if (factor > 0) raise_priority(f);
    return f;
}

void frames_free(Frames *f) {
    if (!f) return;
    if (f->raised) pthread_setschedparam(f->thread, f->policy, &f->before);
    MEM_FREE(f->frame, f);
}

void frames_wait(Frames *f, double elapsed) {
    int64_t now = frames_now();
    if (!(f->factor > 0) || f->rehearsal || f->waits++ < WARM) {
        f->due = f->began = now;
        return;
    }
    if (!f->origin) f->origin = now - (int64_t)(elapsed / f->factor * second);
    f->due = f->origin + (int64_t)llround(elapsed / f->factor * second);
    if (f->due > now) sleep_until(f->due);
    f->began = frames_now();
}

void frames_end(Frames *f) {
    f->longest = fmax(f->longest, (double)(frames_now() - f->began) / second);
}

void frames_note(Frames *f, int sub, int64_t from, int64_t to) {
    f->frame[sub].now += (double)(to - from) / second;
    f->frame[sub].ended = to;
}

void frames_fold(Frames *f, int sub, double interval, int64_t due) {
    Frame *frame = &f->frame[sub];
    frame->ticks++;
    frame->total += frame->now;
    frame->worst = fmax(frame->worst, frame->now);
    frame->now = 0;
    if (!(f->factor > 0) || f->rehearsal) return;
    frame->jitter = fmax(frame->jitter, (double)(f->began - f->due) / second);
    frame->misses += (double)(frame->ended - due) > interval / f->factor * second;
}
