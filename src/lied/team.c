/* SPDX-License-Identifier: Apache-2.0 */
/* team.c -- threads that wait for shares of the same work.
 *
 * A network is evaluated in many short pieces, so its threads are started once. The caller takes the first
 * share of each piece and goes on when all are done. Cost of a piece: two times the lock for each
 * thread and the wakening, some microseconds. */
#include "lied/lied.h"

#include <pthread.h>

enum { MOST_THREADS = 256 };

struct Team {
    pthread_mutex_t lock;
    pthread_cond_t  begin, done;
    pthread_t       thread[MOST_THREADS];
    int             threads; /* besides the caller */
    long            piece;   /* number of the last one */
    int             left;    /* threads that have not finished it */
    int             said;    /* sum of what the shares gave */
    bool            end;
    TeamWork       *work;
    void           *context;
};

typedef struct Seat { /* what a thread is told at its start */
    Team *team;
    int   share;
} Seat;

static void *wait_and_work(void *context) {
    Seat  seat = *(Seat *)context;
    Team *c = seat.team;
    long  seen = 0;
    mem_free(context);
    pthread_mutex_lock(&c->lock);
    for (;;) {
        while (c->piece == seen && !c->end) pthread_cond_wait(&c->begin, &c->lock);
        if (c->end) break;
        seen = c->piece;
        int shares = c->threads + 1;
        pthread_mutex_unlock(&c->lock);
        int said = c->work(c->context, seat.share, shares);
        pthread_mutex_lock(&c->lock);
        c->said += said;
        if (--c->left == 0) pthread_cond_signal(&c->done);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

Team *team_open(int threads) {
    Team *c = threads > 1 ? mem_take(1, sizeof *c) : NULL;
    if (!c) return NULL;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->begin, NULL);
    pthread_cond_init(&c->done, NULL);
    while (c->threads + 1 < threads && c->threads < MOST_THREADS) {
        Seat *seat = mem_take(1, sizeof *seat);
        if (!seat) break;
        *seat = (Seat){c, c->threads + 1};
        if (pthread_create(&c->thread[c->threads], NULL, wait_and_work, seat)) {
            mem_free(seat);
            break;
        }
        c->threads++;
    }
    return c;
}

int team_run(Team *c, TeamWork *work, void *context) {
    pthread_mutex_lock(&c->lock);
    c->work = work;
    c->context = context;
    c->left = c->threads;
    c->said = 0;
    c->piece++;
    pthread_cond_broadcast(&c->begin);
    pthread_mutex_unlock(&c->lock);
    int said = work(context, 0, c->threads + 1);
    pthread_mutex_lock(&c->lock);
    while (c->left) pthread_cond_wait(&c->done, &c->lock);
    said += c->said;
    pthread_mutex_unlock(&c->lock);
    return said;
}

void team_close(Team *c) {
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    c->end = true;
    pthread_cond_broadcast(&c->begin);
    pthread_mutex_unlock(&c->lock);
    for (int k = 0; k < c->threads; k++) pthread_join(c->thread[k], NULL);
    pthread_cond_destroy(&c->begin);
    pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
    mem_free(c);
}
