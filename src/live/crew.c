/* SPDX-License-Identifier: Apache-2.0 */
/* crew.c -- the sub-clock partitions of a tick on several threads.
 *
 * Each thread has its pieces of the code in an order of its own (roster.c), and before a piece it waits until other
 * threads have done those that the piece uses. So partitions that exchange values of the tick before run side by
 * side, and those that need present values overlap as far as the equations allow. Every value is computed by the
 * same operations whatever the number of threads is: results are identical. Pieces that rest are passed. A thread
 * that fails goes on with pieces that come earlier in the program, and passes the others: the failure that is told
 * is that of the first piece of the program.
 *
 * A tick has a number, and how far a thread is at it is one number that only grows: the tick and the duties that
 * are done. Nothing is set back between ticks, so that a line of the cache goes from one processor to another only
 * if there is something new in it.
 * * Threads share the values of the instance and have all else for themselves, also the kept values of relations: a
 * block tries several of them. Models with external or
 * impure functions, with texts that change or with delays in clocked partitions have no crew. Between ticks threads
 * look for work for some hundred microseconds before they sleep; who is awake takes no lock.
 *
 * Cost: a tick needs one atomic store for each piece that others wait for, and one load or more for each thread and
 * piece that was not known to be done. */
#define _POSIX_C_SOURCE 200809L
#include "live/tick.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { /* nanoseconds */
       SPIN =
           100000, /* to look at a counter, if every thread has a processor: waking takes as long as a tick */
       POLITE =
           100000, /* then others may have the processor for so long, and then it sleeps */
       NAP = 20000
};

enum { LOOKS = 64 /* at a counter, between two at the clock */ };

typedef struct Worker {
    Crew     *crew;
    int       number;
    pthread_t handle;
    bool      started;
    Instance  instance;  /* unused of the first, which is the thread of the simulation */
    Running  *part;      /* by base */
    int64_t  *known;     /* by thread: how far it was when this one looked last */
    int      *phase;     /* see Rb.ticks; a copy, as it seldom changes ... */
    int64_t   pattern;   /* ... since Crew.pattern was this */
    int64_t  *stamp;     /* by base: its relations are those of this Held.stamp */
    int       failed;    /* the first piece of the program that failed, INT_MAX if none */
    char      apart[64]; /* what others look at has a line of the cache of its own */
    _Atomic int64_t passed;   /* see passed_at */
    bool            switched; /* some of its relations have changed */
    char            beside[64];
} Worker;

typedef struct
    Held { /* kept values of the relations of a base-clock partition, when a tick begins */
    double *mode;
    int64_t stamp; /* how often they changed */
} Held;

struct Crew {
    Instance       *instance;
    int             threads;
    int64_t         spin;   /* SPIN, or 0: there are fewer processors than threads */
    Memory         *memory; /* of rosters and held relations */
    Roster         *roster; /* by base */
    Worker         *worker;
    Held           *held;    /* by base */
    int            *phase;   /* see Rb.ticks: of the last tick ... */
    int64_t         pattern; /* ... and how often it changed */
    pthread_mutex_t lock;    /* of sleepers */
    pthread_cond_t  wake;
    atomic_int      sleepers, end;
    char            apart[64];
    _Atomic int64_t round; /* number of the tick ... */
    int             base;
    Running        *running; /* ... and how the first thread runs it ... */
    Moment          at;      /* ... then */
    char            beside[64];
};

/* ---- how far a thread is -------------------------------------------------------------------------- */

/* It has done so many of its duties at a tick. */
static int64_t passed_at(int64_t round, int duties) {
    return round << 32 | duties;
}

/* Between two looks at a counter; false: it is time to sleep. */
static bool be_patient(const Crew *crew, int64_t since) {
    int64_t waited = frames_now() - since;
    if (waited > crew->spin) sched_yield();
    return waited <= crew->spin + POLITE;
}

static void nap(void) {
    nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
}

/* What is known is not looked at again: the line that holds it is in the cache of the other processor. */
static bool has_passed(Worker *w, int other, int64_t wanted) {
    if (w->known[other] < wanted)
        w->known[other] =
            atomic_load_explicit(&w->crew->worker[other].passed, memory_order_acquire);
    return w->known[other] >= wanted;
}

static void wait_until(Worker *w, int other, int64_t wanted) {
    for (int k = 0; k < LOOKS; k++)
        if (has_passed(w, other, wanted)) return;
    for (int64_t since = frames_now(); !has_passed(w, other, wanted);)
        if (!be_patient(w->crew, since)) nap();
}

static void tell(Worker *w, int64_t round, int duties) {
    atomic_store_explicit(&w->passed, passed_at(round, duties), memory_order_release);
}

/* ---- what it does ----------------------------------------------------------------------------------- */

/* The time that runs on the account of a partition. The clock is read where the partition changes or the thread
 * waits, not for every piece: a reading costs as much as several rows. */
typedef struct Account {
    Frames *frames; /* NULL: nobody wants to know */
    int     sub;    /* whose pieces run, -1: nobody's */
    int64_t from;
} Account;

static void account_of(Account *a, int sub) {
    if (!a->frames || sub == a->sub) return;
    int64_t now = frames_now();
    if (a->sub >= 0) frames_note(a->frames, a->sub, a->from, now);
    a->sub = sub;
    a->from = now;
}

/* Until the other threads have done what a duty needs. */
static void wait_for_others(Worker *w, const int *before, int64_t round,
                            Account *account) {
    for (int t = 0; t < w->crew->threads; t++) {
        int64_t wanted = passed_at(round, before[t]);
        if (!before[t] || has_passed(w, t, wanted)) continue;
        account_of(account, -1);
        wait_until(w, t, wanted);
    }
}

/* Pieces of the program before the first that failed go on. */
static void run_piece(Worker *w, Running *r, int piece) {
    if (!r->image->piece(&r->rb, piece)) return;
    w->failed = piece;
    r->rb.failed = r->rb.depth = 0;
}

/* The duties of one thread, in order. */
static void work(Worker *w, Running *r, int64_t round) {
    Crew       *crew = w->crew;
    const Turn *turn = &crew->roster[crew->base].turn[w->number];
    Frames     *frames = crew->instance->ticks->frames;
    int         first = crew->instance->program->clocks.base[crew->base].first;
    Account     account = {.frames = frames->timed ? frames : NULL, .sub = -1};
    w->failed = INT_MAX;
    for (int k = 0; k < turn->duties; k++) {
        const Duty *duty = &turn->duty[k];
        if (r->rb.ticks[duty->phase] && duty->piece < w->failed) {
            if (duty->waits)
                wait_for_others(w, turn->before + k * crew->threads, round, &account);
            account_of(&account, first + duty->phase / 2);
            run_piece(w, r, duty->piece);
        }
        if (duty->tells) tell(w, round, k + 1);
    }
    account_of(&account, -1);
}

/* ---- threads -------------------------------------------------------------------------------------- */

static void sleep_until_after(Crew *crew, int64_t seen) {
    pthread_mutex_lock(&crew->lock);
    atomic_fetch_add(&crew->sleepers, 1);
    while (atomic_load(&crew->round) == seen) pthread_cond_wait(&crew->wake, &crew->lock);
    atomic_fetch_sub(&crew->sleepers, 1);
    pthread_mutex_unlock(&crew->lock);
}

static void await_round(Crew *crew, int64_t seen) {
    for (int k = 0; k < LOOKS; k++)
        if (atomic_load_explicit(&crew->round, memory_order_acquire) != seen) return;
    int64_t since = frames_now();
    while (atomic_load(&crew->round) == seen && be_patient(crew, since)) {}
    if (atomic_load(&crew->round) == seen) sleep_until_after(crew, seen);
}

/* A block whose relations switch tries values of all relations: each thread has them for itself. */
static size_t bytes_of_relations(const Running *r) {
    return (size_t)r->part->relations * sizeof *r->rb.mode;
}

static void take_relations(Worker *w, Running *r) {
    const Held *held = &w->crew->held[w->crew->base];
    int64_t    *stamp = &w->stamp[w->crew->base];
    if (*stamp != held->stamp) memcpy(r->rb.mode, held->mode, bytes_of_relations(r));
    *stamp = held->stamp;
}

/* The round as the first thread has prepared it. */
static void take_part(Worker *w, int64_t round) {
    Crew    *crew = w->crew;
    Running *r = &w->part[crew->base];
    size_t   phases = 2 * (size_t)crew->instance->program->clocks.subs;
    if (w->pattern != crew->pattern)
        memcpy(w->phase, crew->phase, phases * sizeof *w->phase);
    w->pattern = crew->pattern;
    w->instance.stamps = crew->instance->stamps;
    running_at(r, crew->at);
    r->image = crew->running->image;
    take_relations(w, r);
    work(w, r, round);
    w->switched =
        memcmp(r->rb.mode, crew->held[crew->base].mode, bytes_of_relations(r)) != 0;
    tell(w, round, INT_MAX);
}

static void *live(void *argument) {
    Worker *w = argument;
    for (int64_t seen = 0;; seen++) {
        await_round(w->crew, seen);
        if (atomic_load_explicit(&w->crew->end, memory_order_relaxed)) return NULL;
        take_part(w, seen + 1);
    }
}

/* Who falls asleep looks at the round once more after he said so. */
static int64_t next_round(Crew *crew) {
    int64_t round = atomic_fetch_add(&crew->round, 1) + 1;
    if (atomic_load(&crew->sleepers)) {
        pthread_mutex_lock(&crew->lock);
        pthread_cond_broadcast(&crew->wake);
        pthread_mutex_unlock(&crew->lock);
    }
    return round;
}

/* ---- a tick ---------------------------------------------------------------------------------------- */

static void add_counts(Counts *to, Counts *from) {
    to->loops += from->loops;
    to->iterations += from->iterations;
    *from = (Counts){0};
}

/* The failure of the first piece becomes that of the thread of the simulation. */
static int tell_failure(Crew *crew, Running *r) {
    Worker *first = &crew->worker[0];
    for (int t = 1; t < crew->threads; t++) {
        crew->instance->lacking |= crew->worker[t].instance.lacking;
        if (crew->worker[t].failed < first->failed) first = &crew->worker[t];
    }
    if (first->failed == INT_MAX) return 0;
    r->rb.failed = 1;
    if (first->number) {
        Rb *c = &first->part[crew->base].rb;
        r->rb.fault_pos = c->fault_pos;
        r->rb.fault_text = c->fault_text;
        cause_free(crew->instance->report);
        crew->instance->report = first->instance.report;
        first->instance.report = NULL;
    }
    for (int t = 1; t < crew->threads; t++) {
        Rb *c = &crew->worker[t].part[crew->base].rb;
        c->failed = c->depth = 0;
    }
    return 1;
}

/* Who ticks at this one. */
static void look_at_phases(Crew *crew) {
    const Ticks *k = crew->instance->ticks;
    size_t bytes = 2 * (size_t)crew->instance->program->clocks.subs * sizeof *k->phase;
    if (memcmp(crew->phase, k->phase, bytes) == 0) return;
    memcpy(crew->phase, k->phase, bytes);
    crew->pattern++;
}

static void give_relations(Crew *crew, const Running *r) {
    Held *held = &crew->held[crew->base];
    if (memcmp(held->mode, r->rb.mode, bytes_of_relations(r)) == 0) return;
    memcpy(held->mode, r->rb.mode, bytes_of_relations(r));
    held->stamp++;
}

/* Those of the partitions of a thread. */
static void collect_relations(Crew *crew, const Worker *w, Running *r) {
    const int  b = crew->base, first = crew->instance->program->clocks.base[b].first;
    const int *sub = crew->instance->ticks->relation_sub[b];
    for (int i = 0; i < r->part->relations; i++)
        if (sub[i] >= 0 && crew->roster[b].thread[sub[i] - first] == w->number)
            r->rb.mode[i] = w->part[b].rb.mode[i];
}

int crew_run(Crew *crew, int b, Running *r, Moment at) {
    Worker *own = &crew->worker[0];
    crew->base = b;
    crew->running = r;
    crew->at = at;
    look_at_phases(crew);
    give_relations(crew, r);
    int64_t round = next_round(crew);
    work(own, r, round);
    for (int t = 1; t < crew->threads; t++) {
        wait_until(own, t, passed_at(round, INT_MAX));
        add_counts(&crew->instance->counts, &crew->worker[t].instance.counts);
        if (crew->worker[t].switched) collect_relations(crew, &crew->worker[t], r);
    }
    return tell_failure(crew, r);
}

/* ---- siblings: instances for other threads, over the same program and ticks ----------------------- */

static void say_in_turn(void *owner, Pos pos, double time, bool warning,
                        const char *text) {
    const Instance *original = owner;
    pthread_mutex_lock(&original->ticks->speak);
    if (original->say) original->say(original->say_owner, pos, time, warning, text);
    pthread_mutex_unlock(&original->ticks->speak);
}

bool sibling_open(Instance *own, Instance *original) {
    *own = (Instance){.program = original->program,
                      .common = original->common,
                      .v = original->v,
                      .ticks = original->ticks,
                      .say = say_in_turn,
                      .say_owner = original,
                      .event = {.time = original->event.time}};
    own->externals.options = &own->common->options;
    own->inside = inside_new(original);
    return own->inside && extern_open(&own->externals, own->program->functions) &&
           support_open(own);
}

bool sibling_running(Running *r, Instance *own, int b) {
    const Running *of = &own->ticks->part[2 * b];
    if (!running_open(r, own, own->program->clocks.base[b].part)) return false;
    r->rb.ticks = of->rb.ticks;
    r->rb.intervals = of->rb.intervals;
    r->rb.step = of->rb.step;
    return true;
}

void sibling_close(Instance *own) {
    if (!own->program) return;
    inside_free(own->inside);
    extern_close(own);
    support_close(own);
    cause_free(own->report);
    map_free(&own->warned);
    texts_free(&own->texts);
}

/* ---- opening and closing ------------------------------------------------------------------------- */

bool crew_may_share(const Program *p) {
    if (p->clocks.remembers) return false;
    for (int f = 0; f < p->functions; f++)
        if (p->function[f].flags & (FUNCTION_EXTERNAL | FUNCTION_IMPURE)) return false;
    for (int r = 0; r < p->variables.runs; r++) {
        const VarRun *run = &p->variables.run[r];
        if (run->type == TYPE_STRING && run->kind != VAR_PARAMETER &&
            run->kind != VAR_CONSTANT)
            return false;
    }
    return true;
}

/* Values are those of the original. */
static bool worker_open(Worker *w, Instance *original) {
    const ClockTable *c = &original->program->clocks;
    w->part = mem_take((size_t)c->bases, sizeof *w->part);
    w->phase = mem_take(2 * (size_t)c->subs, sizeof *w->phase);
    w->stamp = mem_take((size_t)c->bases, sizeof *w->stamp);
    if (!w->part || !w->phase || !w->stamp || !sibling_open(&w->instance, original))
        return false;
    for (int b = 0; b < c->bases; b++) {
        if (!sibling_running(&w->part[b], &w->instance, b)) return false;
        w->part[b].rb.ticks = w->phase + 2 * c->base[b].first;
    }
    w->started = pthread_create(&w->handle, NULL, live, w) == 0;
    Frames *f = original->ticks->frames;
    if (w->started && f->factor > 0 && !frames_priority(w->handle, 0))
        f->priorities = false;
    return w->started;
}

static void worker_close(Worker *w, int bases) {
    for (int b = 0; w->part && b < bases; b++) running_close(&w->part[b]);
    MEM_FREE(w->part, w->phase, w->stamp);
    sibling_close(&w->instance);
}

/* In a memory_call. */
static void make_rosters(void *context) {
    Crew             *crew = context;
    const Instance   *instance = crew->instance;
    const ClockTable *c = &instance->program->clocks;
    crew->roster = mem_take((size_t)c->bases, sizeof *crew->roster);
    crew->held = mem_take((size_t)c->bases, sizeof *crew->held);
    for (int b = 0; b < c->bases; b++) {
        const Part *part = &instance->program->part[c->base[b].part];
        crew->held[b].mode = mem_take((size_t)part->relations, sizeof(double));
        Roster *r = &crew->roster[b];
        roster_make(r, instance->program, &c->base[b], instance->ticks->part[2 * b].image,
                    crew->threads);
        for (int s = 0; s < c->base[b].subs; s++)
            instance->ticks->frames->frame[c->base[b].first + s].thread = r->thread[s];
    }
}

static bool crew_open(Crew *crew) {
    Instance         *instance = crew->instance;
    const ClockTable *c = &instance->program->clocks;
    crew->memory = memory_new();
    crew->worker = mem_take((size_t)crew->threads, sizeof *crew->worker);
    crew->phase = mem_take(2 * (size_t)c->subs, sizeof *crew->phase);
    if (!crew->memory || !crew->worker || !crew->phase ||
        !memory_call(crew->memory, make_rosters, crew))
        return false;
    for (int b = 0; b < c->bases; b++) /* made before threads ask for them */
        binary_tangents(instance->ticks->part[2 * b].binary);
    for (int t = 0; t < crew->threads; t++) {
        Worker *w = &crew->worker[t];
        w->crew = crew;
        w->number = t;
        w->known = mem_take((size_t)crew->threads, sizeof *w->known);
        if (!w->known || (t && !worker_open(w, instance))) return false;
    }
    return true;
}

Crew *crew_new(Instance *instance, int threads) {
    const Program *program = instance->program;
    Crew          *crew = mem_take(1, sizeof *crew);
    if (!crew) return NULL;
    if (threads > program->clocks.subs) threads = program->clocks.subs;
    if (threads < 1 || !crew_may_share(program)) threads = 1;
    bool enough = sysconf(_SC_NPROCESSORS_ONLN) >= threads;
    *crew = (Crew){.instance = instance, .threads = threads, .spin = enough ? SPIN : 0};
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->wake, NULL);
    if (crew_open(crew)) return crew;
    crew_free(crew);
    return NULL;
}

int crew_lines(const Crew *crew, int *all) {
    int shared = 0;
    *all = 0;
    for (int b = 0; b < crew->instance->program->clocks.bases; b++) {
        *all += crew->roster[b].lines;
        shared += crew->roster[b].shared;
    }
    return shared;
}

void crew_free(Crew *crew) {
    if (!crew) return;
    int bases = crew->instance->program->clocks.bases;
    atomic_store(&crew->end, 1);
    next_round(crew);
    for (int t = 1; crew->worker && t < crew->threads; t++) {
        if (crew->worker[t].started) pthread_join(crew->worker[t].handle, NULL);
        worker_close(&crew->worker[t], bases);
    }
    for (int t = 0; crew->worker && t < crew->threads; t++)
        mem_free(crew->worker[t].known);
    memory_free(crew->memory);
    pthread_mutex_destroy(&crew->lock);
    pthread_cond_destroy(&crew->wake);
    MEM_FREE(crew->worker, crew->phase, crew);
}
