/* SPDX-License-Identifier: Apache-2.0 */
/* share.c -- cases of a study on several processes.
 *
 * Rank 0 gives out cases and keeps the journal; its own threads work as well. The others ask for cases,
 * a few at a time, and send each record as soon as it is there, so that a process that dies takes with it
 * only what it was computing: the rest is in the journal, and a later run goes on with it. Since records
 * are those that a thread would have written, and the result is written in the order of cases, it has the
 * same bytes as that of one process.
 *
 * Messages begin with a letter. To rank 0: w (wants cases), r (a record), q (has ended). From it: c
 * (numbers of cases), e (the end). All of them are sent and received on the thread that calls. */
#define _POSIX_C_SOURCE 200809L
#include "study/study.h"

#include <string.h>
#include <time.h>

enum { CHUNK = 64 };

typedef struct Share {
    RbStudy               *study;
    RbLink                *link;
    const RbStudyListener *listener;
    int                    ended; /* ranks that said goodbye */
    bool                   broken, over, asked;
    double                 looked; /* when the listener was asked last */
} Share;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pause_short(void) {
    nanosleep(&(struct timespec){0, 100000}, NULL);
}

/* ---- rank 0 ---- */

static void give(Share *w, int to) {
    char     message[1 + CHUNK * sizeof(int64_t)] = "c";
    long     number[CHUNK];
    RbStudy *study = w->study;
    pthread_mutex_lock(&study->lock);
    const long left = cases_count(&study->plan) - study->next;
    long       most = left / (4L * w->link->size);
    most = most < 1 ? 1 : most > CHUNK ? CHUNK : most;
    int n = atomic_load(&study->stop_asked) ? 0 : study_take(study, number, (int)most);
    pthread_mutex_unlock(&study->lock);
    for (int k = 0; k < n; k++) {
        int64_t own = number[k];
        memcpy(message + 1 + (size_t)k * sizeof own, &own, sizeof own);
    }
    if (!w->link->send(w->link, to, message, 1 + (size_t)n * sizeof(int64_t)))
        w->broken = true;
}

static void take_record(Share *w, const char *bytes, size_t count) {
    Text copy = {0}; /* aligned */
    text_bytes(&copy, bytes, count);
    pthread_mutex_lock(&w->study->lock);
    if (copy.failed || !journal_add(w->study, copy.data, copy.length)) w->broken = true;
    pthread_mutex_unlock(&w->study->lock);
    text_free(&copy);
}

/* All messages that are there. */
static void answer(Share *w) {
    const void *bytes;
    size_t      count;
    int         from, got;
    while ((got = w->link->receive(w->link, &from, &bytes, &count)) > 0 && count) {
        const char *message = bytes;
        if (*message == 'w') give(w, from);
        if (*message == 'r') take_record(w, message + 1, count - 1);
        if (*message == 'q') w->ended++;
    }
    if (got < 0) w->broken = true;
}

static bool serve(void *context) {
    Share *w = context;
    answer(w);
    if (now() - w->looked < 0.1) return !w->broken;
    w->looked = now();
    pthread_mutex_lock(&w->study->lock);
    RbStudyProgress p = {rb_study_cases(w->study), w->study->done, w->study->failed};
    pthread_mutex_unlock(&w->study->lock);
    return !w->broken && (!w->listener || !w->listener->progress ||
                          w->listener->progress(w->listener->owner, &p));
}

static RbStatus coordinate(Share *w, int threads, RbError *error) {
    RbStudy *study = w->study;
    study->next = 0;
    study->pause = 100000;
    atomic_store(&study->stop_asked, false);
    study_translate(study, serve, w);
    if (!study_work(study, threads, serve, w)) w->broken = true;
    while (study->done < cases_count(&study->plan) && !atomic_load(&study->stop_asked) &&
           !w->broken) {
        if (!serve(w)) atomic_store(&study->stop_asked, true);
        pause_short();
    }
    for (int k = 1; k < w->link->size; k++) w->link->send(w->link, k, "e", 1);
    for (double begun = now(); w->ended < w->link->size - 1 && now() - begun < 60;) {
        answer(w);
        pause_short();
    }
    w->looked = 0;
    serve(w);
    if (w->broken || study->broken)
        return study->broken ? study_broken(study, error)
                             : error_set(error, RB_FILE, "a message is lost");
    if (study->done < cases_count(&study->plan))
        return error_set(error, RB_STOPPED, "the caller ended the study");
    return RB_OK;
}

/* ---- the others ---- */

/* Cases come into the queue of the study; its threads wait for them. */
static void accept_cases(Share *w, const char *numbers, size_t bytes) {
    RbStudy *study = w->study;
    size_t   n = bytes / sizeof(int64_t);
    for (size_t k = 0; k < n; k++) {
        int64_t own;
        memcpy(&own, numbers + k * sizeof own, sizeof own);
        if (own < 0 || own >= cases_count(&study->plan)) continue;
        study_prepare(study, (long)own);
        pthread_mutex_lock(&study->lock);
        study->queue[study->queued++ % QUEUE] = (long)own;
        pthread_cond_broadcast(&study->news);
        pthread_mutex_unlock(&study->lock);
    }
    w->asked = false;
    if (!n) w->over = true; /* nothing is left: only the end may come */
}

/* Records that are there go to rank 0. */
static void send_records(Share *w) {
    RbStudy *study = w->study;
    Text     all = {0};
    pthread_mutex_lock(&study->lock);
    Text swap = study->outbox;
    study->outbox = all;
    all = swap;
    pthread_mutex_unlock(&study->lock);
    for (size_t at = 0; at < all.length;) { /* each with its length in front */
        size_t n;
        memcpy(&n, all.data + at, sizeof n);
        at += sizeof n;
        if (!w->link->send(w->link, 0, all.data + at, n)) w->broken = true;
        at += n;
    }
    text_free(&all);
}

static bool obey(void *context) {
    Share      *w = context;
    RbStudy    *study = w->study;
    const void *bytes;
    size_t      count;
    int         from, got;
    send_records(w);
    pthread_mutex_lock(&study->lock);
    const long waiting = study->queued - study->taken;
    pthread_mutex_unlock(&study->lock);
    if (waiting < 2 && !w->asked && !w->over) {
        w->asked = true;
        if (!w->link->send(w->link, 0, "w", 1)) w->broken = true;
    }
    while ((got = w->link->receive(w->link, &from, &bytes, &count)) > 0 && count) {
        if (*(const char *)bytes == 'c')
            accept_cases(w, (const char *)bytes + 1, count - 1);
        if (*(const char *)bytes == 'e') return false;
    }
    if (w->listener && w->listener->progress && now() - w->looked > 0.1) {
        RbStudyProgress p = {0, 0, 0};
        w->looked = now();
        if (!w->listener->progress(w->listener->owner, &p))
            atomic_store(&study->stop_asked, true);
    }
    return got >= 0 && !w->broken;
}

static RbStatus follow(Share *w, int threads, RbError *error) {
    RbStudy *study = w->study;
    study->pause = 100000;
    study->follows = true;
    bool fine = study_work(study, threads, obey, w);
    send_records(w);
    w->link->send(w->link, 0, "q", 1);
    return fine && !w->broken ? RB_OK : error_set(error, RB_FILE, "rank 0 is not there");
}

RbStatus rb_study_share(RbStudy *study, RbLink *link, int threads,
                        const RbStudyListener *listener, RbError *error) {
    Share    w = {.study = study, .link = link, .listener = listener};
    uint64_t key = study->key;
    if (error) *error = (RbError){.status = RB_OK};
    if (!link->broadcast(link, 0, &key, sizeof key) || key != study->key)
        return error_set(error, RB_ARGUMENT, "the ranks were given different studies");
    return link->rank ? follow(&w, threads, error) : coordinate(&w, threads, error);
}
