/* SPDX-License-Identifier: Apache-2.0 */
/* frame.c -- ticks in real time, and what they cost.
 *
 * Every tick has an absolute time on the clock of the machine: that of the start plus simulated time
 * over the factor. The simulation sleeps until then, so that no delay adds up. A frame is the work of
 * one sub-clock partition at one tick. It is missed if it ends after the next tick of the partition is
 * due. Overload is counted, and ticks that are late run at once: the results are those of the same
 * model without a clock on the wall. The first two ticks do not wait: there matrices are made.
 *
 * Where the system allows it, threads get priorities of real time, and memory is locked before the
 * first tick that waits: by then all of it has been used, and no page is missing later. (Only memory
 * that is there is locked: a limit that locked memory of later requests would exceed made these fail.)
 * Timers of ordinary threads may be 50 us late by default, to save energy; here they are exact.
 *
 * Cost: two readings of the clock for each piece of code. */
#define _GNU_SOURCE /* mlockall beside POSIX */
#include "live/tick.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>

static const double second = 1e9; /* nanoseconds */
enum {
    WARM = 2,       /* ticks at the start that do not wait: they make what others use */
    STACK = 1 << 17 /* bytes that calls may need */
};

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

static void touch_stack(void) {
    volatile char part[STACK];
    for (size_t k = 0; k < sizeof part; k += 1024) part[k] = 1;
}

/* Nothing is to be fetched again, and nobody is to be late by habit, from now on. Address space that is
 * only set aside, as for arrays of functions, stays empty: to fill it would take seconds and gigabytes. */
static void hold_memory(Frames *f) {
#ifdef MCL_ONFAULT
    const int how = MCL_CURRENT | MCL_ONFAULT;
#else
    const int how = MCL_CURRENT;
#endif
    touch_stack();
    f->locked = mlockall(how) == 0;
#ifdef PR_SET_TIMERSLACK
    prctl(PR_SET_TIMERSLACK, 1UL);
#endif
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
    if (f->locked) munlockall();
    MEM_FREE(f->frame, f);
}

void frames_wait(Frames *f, double elapsed) {
    int64_t now = frames_now();
    if (!(f->factor > 0) || f->rehearsal || f->waits++ < WARM) {
        f->due = f->began = now;
        return;
    }
    if (!f->origin) {
        hold_memory(f);
        now = frames_now();
        f->origin = now - (int64_t)(elapsed / f->factor * second);
    }
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
