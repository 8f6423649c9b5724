/* SPDX-License-Identifier: Apache-2.0 */
/* frame.c -- ticks in real time, and what they cost.
 *
 * Every tick has an absolute time on the clock of the machine: that of the start plus simulated time
 * over the factor. The simulation sleeps until then, so that no delay adds up. A frame is the work of
 * one sub-clock partition at one tick. It is missed if it ends after the next tick of the partition is
 * due. Overload is counted, and ticks that are late run at once: the results are those of the same
 * model without a clock on the wall. The first two ticks do not wait: there matrices are made.
 *
 * Why a tick missed is told apart by two clocks: the time that passed, and the time in which this thread had the
 * processor. A tick that began late after a wait was woken late. Of one that began in time but ended late the
 * processor did the work too slowly, or it did something else. A tick that began late because the one before
 * it ended late has the cause of that one.
 *
 * A thread that sleeps wakes tens of microseconds late, more on machines that share a processor; the last part of a
 * wait can be spent looking at the clock instead.
 *
 * Where the system allows it, threads get priorities of real time, and memory is locked before the
 * first tick that waits: by then all of it has been used, and no page is missing later. (Only memory
 * that is there is locked: a limit that locked memory of later requests would exceed made these fail.)
 * Timers of ordinary threads may be 50 us late by default, to save energy; here they are exact.
 *
 * Cost: a reading of the clock where another partition goes on, four for each tick. Without real time that is done at one
 * tick of SAMPLE. */
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
    SAMPLE = 16,    /* of so many ticks that do not wait one is timed */
    WARM = 2,       /* ticks at the start that do not wait: they make what others use */
    STACK = 1 << 17 /* bytes that calls may need */
};

int64_t frames_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Time in which this thread had the processor. */
static int64_t own_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_until(int64_t moment, int64_t spin) {
    struct timespec at = {.tv_sec = (time_t)((moment - spin) / 1000000000),
                          .tv_nsec = (long)((moment - spin) % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {}
    while (spin && frames_now() < moment) {}
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

Frames *frames_new(int subs, TickPace pace) {
    Frames *f = mem_take(1, sizeof *f);
    if (!f) return NULL;
    f->factor = pace.factor;
    f->spin = (int64_t)(pace.spin * second);
    f->frame = mem_take((size_t)subs, sizeof *f->frame);
    if (!f->frame) {
        mem_free(f);
        return NULL;
    }
    if (pace.factor > 0) raise_priority(f);
    return f;
}

void frames_free(Frames *f) {
    if (!f) return;
    if (f->raised) pthread_setschedparam(f->thread, f->policy, &f->before);
    if (f->locked) munlockall();
    MEM_FREE(f->frame, f);
}

void frames_wait(Frames *f, double elapsed) {
    f->timed = f->factor > 0 || f->ticks++ % SAMPLE == 0;
    f->waited = false;
    f->allowed = 0;
    if (!(f->factor > 0)) return;
    int64_t now = frames_now();
    f->own = own_time();
    if (f->rehearsal || f->waits++ < WARM) {
        f->due = f->began = now;
        return;
    }
    if (!f->origin) {
        hold_memory(f);
        now = frames_now();
        f->origin = now - (int64_t)(elapsed / f->factor * second);
    }
    f->due = f->origin + (int64_t)llround(elapsed / f->factor * second);
    if (f->due > now) {
        sleep_until(f->due, f->spin);
        f->waited = true;
        f->own = own_time();
    }
    f->began = frames_now();
}

/* See above. allowed: the shortest interval that was missed. */
static MissCause cause_of(const Frames *f, int64_t passed, int64_t own) {
    int64_t late = f->began - f->due;
    if (own > f->allowed) return MISSED_WORK;
    if (!f->waited && late > 0) return f->cause;
    return late > passed - own ? MISSED_WAKE : MISSED_INTERRUPTED;
}

void frames_end(Frames *f) {
    if (!(f->factor > 0)) return;
    int64_t passed = frames_now() - f->began;
    f->longest = fmax(f->longest, (double)passed / second);
    if (!f->allowed) return;
    f->cause = cause_of(f, passed, own_time() - f->own);
    f->missed.wake += f->cause == MISSED_WAKE;
    f->missed.interrupted += f->cause == MISSED_INTERRUPTED;
    f->missed.work += f->cause == MISSED_WORK;
    f->allowed = 0;
}

void frames_note(Frames *f, int sub, int64_t from, int64_t to) {
    f->frame[sub].now += (double)(to - from) / second;
    f->frame[sub].ended = to;
}

void frames_fold(Frames *f, int sub, double interval, int64_t due) {
    Frame *frame = &f->frame[sub];
    frame->ticks++;
    frame->timed += frame->now > 0;
    frame->total += frame->now;
    frame->worst = fmax(frame->worst, frame->now);
    frame->now = 0;
    if (!(f->factor > 0) || f->rehearsal) return;
    frame->jitter = fmax(frame->jitter, (double)(f->began - f->due) / second);
    int64_t length = (int64_t)(interval / f->factor * second);
    if (!(interval > 0) || frame->ended - due <= length)
        return; /* of a condition's first tick it is 0 */
    frame->misses++;
    if (!f->allowed || length < f->allowed) f->allowed = length > 0 ? length : 1;
}
