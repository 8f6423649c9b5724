/* SPDX-License-Identifier: Apache-2.0 */
/* bench_wake.c -- how late a machine wakes those who sleep: bench_wake [SECONDS [SPIN_US]].
 *
 * Sleeps until every 800 us for SECONDS (20), with the priority and the locked memory of a run in real time where the system grants
 * them, and does nothing else; the last SPIN_US (0) microseconds it looks at the clock. Prints how often it was later than 50 us, than 573
 * us, which is what the robot of examples/robot leaves of 800 us, and than 800 us, and the latest. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int count, char **word) {
    const int64_t      interval = 800000;
    double             seconds = count > 1 ? atof(word[1]) : 20;
    int64_t            spin = count > 2 ? atoll(word[2]) * 1000 : 0, worst = 0;
    struct sched_param high = {.sched_priority = sched_get_priority_max(SCHED_FIFO) - 1};
    long               ticks = (long)(seconds * 1e9 / (double)interval), late[3] = {0};
    const int64_t      limit[3] = {50000, 573000, interval};
    sched_setscheduler(0, SCHED_FIFO, &high);
    prctl(PR_SET_TIMERSLACK, 1UL);
    mlockall(MCL_CURRENT);
    int64_t origin = now();
    for (long k = 1; k <= ticks; k++) {
        int64_t         due = origin + k * interval, from = due - spin;
        struct timespec at = {from / 1000000000, from % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {}
        while (spin && now() < due) {}
        int64_t by = now() - due;
        if (by > worst) worst = by;
        for (int i = 0; i < 3; i++) late[i] += by > limit[i];
    }
    printf("%ld %ld %ld %ld %.0f\n", ticks, late[0], late[1], late[2],
           (double)worst / 1e3);
    return 0;
}
