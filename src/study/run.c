/* SPDX-License-Identifier: Apache-2.0 */
/* run.c -- cases on threads.
 *
 * Threads take numbers of cases from one counter, and what they found goes into the journal at once. A
 * case does not know on which thread it runs or what ran before it, and the result is written in the
 * order of cases: it does not depend on the number of threads. */
#define _POSIX_C_SOURCE 200809L
#include "study/study.h"

#include <string.h>
#include <time.h>

enum { THREADS_MOST = 1024 };

int study_take(RbStudy *study, long *number, int most) {
    const long cases = cases_count(&study->plan);
    int        n = 0;
    for (; n < most && study->next < cases; study->next++)
        if (study->outcome[study->next].status == OPEN) number[n++] = study->next;
    return n;
}

/* From the queue, once something is in it. With the lock held; false: nothing will come any more. */
static bool take_queued(RbStudy *study, long *number) {
    while (study->taken == study->queued && !atomic_load(&study->stop_asked))
        pthread_cond_wait(&study->news, &study->lock);
    if (atomic_load(&study->stop_asked)) return false;
    *number = study->queue[study->taken++ % QUEUE];
    return true;
}

static bool take_one(RbStudy *study, long *number) {
    pthread_mutex_lock(&study->lock);
    bool fine =
        !study->broken && !atomic_load(&study->stop_asked) &&
        (study->follows ? take_queued(study, number) : study_take(study, number, 1) == 1);
    pthread_mutex_unlock(&study->lock);
    return fine;
}

typedef struct Crew {
    RbStudy *study;
    int      working; /* threads that have not ended */
} Crew;

static void *work(void *context) {
    Crew    *crew = context;
    RbStudy *study = crew->study;
    Text     record = {0};
    long     number;
    while (take_one(study, &number)) {
        text_clear(&record);
        bool fine = case_run(study, number, &record);
        pthread_mutex_lock(&study->lock);
        if (fine) journal_add(study, record.data, record.length);
        else if (!atomic_load(&study->stop_asked)) study->broken = true;
        pthread_mutex_unlock(&study->lock);
    }
    text_free(&record);
    pthread_mutex_lock(&study->lock);
    crew->working--;
    pthread_cond_broadcast(&study->news);
    pthread_mutex_unlock(&study->lock);
    return NULL;
}

/* Until a thread has ended, but no longer than the pause of the study, else a tenth of a second. */
static bool wait_for(Crew *crew) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += crew->study->pause ? crew->study->pause : 100000000;
    if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
    pthread_mutex_lock(&crew->study->lock);
    if (crew->working)
        pthread_cond_timedwait(&crew->study->news, &crew->study->lock, &until);
    bool working = crew->working > 0;
    pthread_mutex_unlock(&crew->study->lock);
    return working;
}

bool study_work(RbStudy *study, int threads, bool (*serve)(void *context),
                void *context) {
    pthread_t thread[THREADS_MOST];
    Crew      crew = {.study = study};
    int       begun = 0;
    threads = threads < 1 ? 1 : threads > THREADS_MOST ? THREADS_MOST : threads;
    pthread_mutex_lock(&study->lock);
    for (; begun < threads; begun++) {
        if (pthread_create(&thread[begun], NULL, work, &crew) != 0) break;
        crew.working++;
    }
    pthread_mutex_unlock(&study->lock);
    while (wait_for(&crew)) {
        if (serve(context)) continue;
        atomic_store(&study->stop_asked, true);
        pthread_mutex_lock(&study->lock);
        pthread_cond_broadcast(&study->news);
        pthread_mutex_unlock(&study->lock);
    }
    for (int k = 0; k < begun; k++) pthread_join(thread[k], NULL);
    return begun > 0;
}

typedef struct Watch {
    RbStudy               *study;
    const RbStudyListener *listener;
} Watch;

static bool look_on(void *context) {
    const Watch *w = context;
    pthread_mutex_lock(&w->study->lock);
    RbStudyProgress now = {rb_study_cases(w->study), w->study->done, w->study->failed};
    pthread_mutex_unlock(&w->study->lock);
    return !w->listener || !w->listener->progress ||
           w->listener->progress(w->listener->owner, &now);
}

RbStatus rb_study_run(RbStudy *study, int threads, const RbStudyListener *listener,
                      RbError *error) {
    Watch watch = {study, listener};
    study->next = 0;
    atomic_store(&study->stop_asked, false);
    if (error) *error = (RbError){.status = RB_OK};
    study_translate(study, look_on, &watch);
    if (!study_work(study, threads, look_on, &watch))
        return error_set(error, RB_NO_MEMORY, "no thread can be started");
    if (study->broken) return study_broken(study, error);
    look_on(&watch);
    if (study->done < cases_count(&study->plan))
        return error_set(error, RB_STOPPED, "the caller ended the study");
    return RB_OK;
}
