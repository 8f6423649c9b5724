/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt.c -- Ctrl-C ends a run, inside a step at its beginning, so that its result is whole.
 *
 * The signals are blocked and a thread of its own waits for them: no handler, no variable at file
 * scope. They are blocked before any other thread begins, because a thread that does not block
 * them would be ended by them. Until the run begins a signal ends the process. Then the first one
 * is noted, and whoever runs the model asks for it after each step and each evaluation inside it. If
 * an evaluation does not end, a second one ends the process; what was written until then can be
 * read. */
#define _POSIX_C_SOURCE 200809L
#include "cli/simulate.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct Interrupt {
    pthread_t  thread;
    sigset_t   signals, before;
    atomic_int patience; /* signals that are only noted: 0, or 1 during the run */
    atomic_int count;    /* signals so far */
};

static void *wait_for_signals(void *owner) {
    Interrupt *interrupt = owner;
    for (int signal; sigwait(&interrupt->signals, &signal) == 0;)
        if (atomic_fetch_add(&interrupt->count, 1) >= atomic_load(&interrupt->patience))
            _exit(128 + signal);
    return NULL;
}

Interrupt *interrupt_watch(void) {
    Interrupt *interrupt = calloc(1, sizeof *interrupt);
    if (!interrupt) return NULL;
    sigemptyset(&interrupt->signals);
    sigaddset(&interrupt->signals, SIGINT);
    sigaddset(&interrupt->signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &interrupt->signals, &interrupt->before);
    if (pthread_create(&interrupt->thread, NULL, wait_for_signals, interrupt) == 0)
        return interrupt;
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    free(interrupt);
    return NULL;
}

void interrupt_run(Interrupt *interrupt) {
    if (interrupt) atomic_store(&interrupt->patience, 1);
}

bool interrupted(const Interrupt *interrupt) {
    return interrupt && atomic_load(&interrupt->count) > 0;
}

void interrupt_end(Interrupt *interrupt) {
    if (!interrupt) return;
    pthread_cancel(interrupt->thread);
    pthread_join(interrupt->thread, NULL);
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    free(interrupt);
}
