/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c -- methods made once for many integrators, on any number of threads.
 *
 * To make a table ready takes longer than many a short run, most of it for the dense output and the
 * transformation of fully implicit ones. A method never changes, so runs of one program share it. */
#include "ode/ode.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Methods {
    pthread_mutex_t lock;
    Method        **method; /* made so far */
    int             count, room;
};

Methods *methods_new(void) {
    Methods *pool = calloc(1, sizeof *pool);
    if (pool) pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

void methods_free(Methods *pool) {
    if (!pool) return;
    for (int k = 0; k < pool->count; k++) method_free(pool->method[k]);
    pthread_mutex_destroy(&pool->lock);
    free(pool->method);
    free(pool);
}

/* The lock is held. */
static Method *find(Methods *pool, const char *name) {
    for (int k = 0; k < pool->count; k++)
        if (strcmp(pool->method[k]->name, name) == 0) return pool->method[k];
    if (pool->count == pool->room) {
        int      room = 2 * pool->room + 8;
        Method **more = realloc(pool->method, sizeof *more * (size_t)room);
        if (!more) return NULL;
        pool->method = more;
        pool->room = room;
    }
    Method *made = method_new(name);
    if (made) pool->method[pool->count++] = made;
    return made;
}

const Method *methods_take(Methods *pool, const char *name) {
    if (!pool) return method_new(name);
    pthread_mutex_lock(&pool->lock);
    const Method *found = find(pool, name);
    pthread_mutex_unlock(&pool->lock);
    return found;
}

void methods_give(Methods *pool, const Method *method) {
    if (!pool) method_free((Method *)(uintptr_t)method);
}
