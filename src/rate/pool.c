/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c -- threads that wait for tasks.
 *
 * The caller works too: with N threads N - 1 are started. Tasks are handed out by a counter;
 * which thread runs which is left to chance, so tasks must not depend on it. */
#include <pthread.h>
#include <stdlib.h>

#include "rate/group.h"

typedef struct Thread {
    Pool     *pool;
    int       number;
    pthread_t handle;
} Thread;

struct Pool {
    pthread_mutex_t lock;
    pthread_cond_t  wake, done;
    void (*task)(void *owner, int number, int thread);
    void   *owner;
    int     tasks, next; /* next: first not handed out                                  */
    int     working;     /* threads not yet through with this round                     */
    long    round;
    bool    end;
    Thread *thread;
    int     threads; /* started                                                     */
};

static void work(Pool *p, int thread) {
    for (;;) {
        pthread_mutex_lock(&p->lock);
        const int number = p->next < p->tasks ? p->next++ : -1;
        pthread_mutex_unlock(&p->lock);
        if (number < 0) return;
        p->task(p->owner, number, thread);
    }
}

static void *live(void *argument) {
    Thread *t = argument;
    Pool   *p = t->pool;
    long    seen = 0;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        while (p->round == seen && !p->end) pthread_cond_wait(&p->wake, &p->lock);
        seen = p->round;
        const bool end = p->end;
        pthread_mutex_unlock(&p->lock);
        if (end) return NULL;
        work(p, t->number);
        pthread_mutex_lock(&p->lock);
        if (--p->working == 0) pthread_cond_signal(&p->done);
        pthread_mutex_unlock(&p->lock);
    }
}

Pool *pool_new(int threads) {
    Pool *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->thread = calloc((size_t)threads, sizeof(Thread));
    if (!p->thread) {
        free(p);
        return NULL;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->done, NULL);
    for (int k = 0; k < threads - 1; k++) {
        p->thread[k] = (Thread){.pool = p, .number = k + 1};
        if (pthread_create(&p->thread[k].handle, NULL, live, &p->thread[k]) != 0) break;
        p->threads++;
    }
    return p;
}

void pool_free(Pool *p) {
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->end = true;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    for (int k = 0; k < p->threads; k++) pthread_join(p->thread[k].handle, NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->wake);
    pthread_cond_destroy(&p->done);
    free(p->thread);
    free(p);
}

void pool_run(Pool *p, int tasks, void (*task)(void *owner, int number, int thread),
              void *owner) {
    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->owner = owner;
    p->tasks = tasks;
    p->next = 0;
    p->working = p->threads;
    p->round++;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    work(p, 0);
    pthread_mutex_lock(&p->lock);
    while (p->working > 0) pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
