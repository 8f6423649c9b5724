/* SPDX-License-Identifier: Apache-2.0 */
/* crew.c -- the sub-clock partitions of a tick on several threads.
 *
 * The code of a base-clock partition consists of pieces in an order that respects who uses whose
 * results; each piece belongs to one sub-clock partition. A partition stays on one thread, which runs
 * its pieces in that order, and before a piece it waits until other threads have passed those that
 * the piece uses. So partitions that exchange values of the tick before run side by side, and those
 * that need present values overlap as far as the equations allow. Every value is computed by the same
 * operations whatever the number of threads is: results are identical.
 *
 * Nobody waits for ever: the order is one for all, and a thread always passes its first piece that
 * is not done, also one that rests. A thread that fails goes on passing; the failure of the first piece is the one told.
 *
 * Threads share the values of the instance and have all else for themselves. Models with external or
 * impure functions, with texts that change or with delays in clocked partitions have no crew. Between ticks threads look for work for
 * some hundred microseconds before they sleep.
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

typedef struct Pieces { /* of one base-clock partition */
    int   count;
    int  *worker; /* by piece: the thread that runs it */
    int  *phase;  /* by piece: see Rb.ticks */
    bool *tells;  /* by piece: others wait until it is done */
    long *rows;   /* by piece: scalar equations */
    int *
        before; /* by piece and thread: it waits until that one has passed this piece, -1: not */
} Pieces;

typedef struct Worker {
    Crew     *crew;
    int       number;
    pthread_t handle;
    bool      started;
    Instance  instance;  /* unused of the first, which is the thread of the simulation */
    Running  *part;      /* by base */
    int      *known;     /* by thread: how far it was when this one looked last */
    int       failed;    /* the piece that failed, INT_MAX if none */
    char      apart[64]; /* what others look at has a line of the cache of its own */
    atomic_int
         passed; /* all of its pieces before this one that others wait for are done */
    char beside[64];
} Worker;

struct Crew {
    Instance       *instance;
    int             threads;
    int64_t         spin;   /* SPIN, or 0: there are fewer processors than threads */
    Pieces         *pieces; /* by base */
    Worker         *worker;
    pthread_mutex_t lock; /* of sleepers */
    pthread_cond_t  wake;
    atomic_int      round, done, end; /* done: threads that are through with the round */
    int             base;             /* of the round ... */
    Running        *running;          /* ... and how the first thread runs it */
};

/* ---- who waits for whom ------------------------------------------------------------------------- */

typedef struct Givers {
    const int *giver; /* by variable: the piece that gives it, -1 */
    Pieces    *pieces;
    int        threads, piece;
    bool       fits; /* no piece uses what a later one gives */
} Givers;

static void wait_for(void *context, int var) {
    Givers *g = context;
    int     from = g->giver[var], *before;
    if (from < 0 || from == g->piece) return;
    int other = g->pieces->worker[from];
    if (other == g->pieces->worker[g->piece]) return;
    if (from > g->piece) g->fits = false;
    g->pieces->tells[from] = true;
    before = &g->pieces->before[g->piece * g->threads + other];
    if (from > *before) *before = from;
}

/* Partitions to threads: the largest first, each to the thread with the least work. */
static bool share_out(Pieces *p, const BaseClock *base, int threads) {
    long *work = mem_take((size_t)threads, sizeof *work);
    long *size = mem_take((size_t)base->subs, sizeof *size);
    int  *of = mem_take((size_t)base->subs, sizeof *of);
    bool  fine = work && size && of;
    for (int k = 0; fine && k < p->count; k++) size[p->phase[k] / 2] += p->rows[k];
    for (int n = 0; fine && n < base->subs; n++) {
        int most = 0, least = 0;
        for (int s = 0; s < base->subs; s++)
            if (size[s] > size[most]) most = s;
        for (int t = 0; t < threads; t++)
            if (work[t] < work[least]) least = t;
        work[least] += size[most];
        of[most] = least;
        size[most] = -1;
    }
    for (int k = 0; fine && k < p->count; k++) p->worker[k] = of[p->phase[k] / 2];
    MEM_FREE(work, size, of);
    return fine;
}

/* A torn system costs more than its rows. */
static long effort(const Group *group) {
    long rows = (long)group->count * group->size;
    return group->kind == GROUP_LOOP ? 4 * rows + 2L * group->torn * group->torn : rows;
}

/* *fits: no piece waits for a later one. False: no memory. */
static bool find_waits(const Program *program, const BaseClock *base, const Image *image,
                       Pieces *p, int threads, bool *fits) {
    const ClockTable *c = &program->clocks;
    const Part       *part = &program->part[base->part];
    size_t            vars = (size_t)program->variables.vars;
    int              *giver = mem_take(vars, sizeof *giver);
    if (!giver) return false;
    memset(giver, -1, vars * sizeof *giver);
    memset(p->before, -1, (size_t)(p->count * threads) * sizeof *p->before);
    Givers give = {.giver = giver, .pieces = p, .threads = threads, .fits = true};
    for (int pass = 0; pass < 2; pass++)
        for (int g = 0; g < part->groups; g++) {
            const Group *group = &part->group[g];
            give.piece = image->piece_of(g);
            bool ahead = c->staggered &&
                         clock_is_slow(base, c->sub, base->first + group->phase / 2);
            if (ahead) continue; /* it never runs beside others */
            for (int i = group->item; i < group->item + group->count * group->size; i++) {
                Equation e = program_equation(program, part, i);
                if (pass) equation_uses(&e, wait_for, &give);
                else giver[part->unknown[i]] = give.piece;
            }
        }
    mem_free(giver);
    *fits = give.fits;
    return true;
}

/* False: no memory. */
static bool pieces_make(Pieces *p, const Program *program, const BaseClock *base,
                        const Image *image, int threads) {
    const Part *part = &program->part[base->part];
    bool        fits;
    for (int g = 0; g < part->groups; g++)
        if (image->piece_of(g) >= p->count) p->count = image->piece_of(g) + 1;
    size_t n = (size_t)p->count;
    p->worker = mem_take(n, sizeof *p->worker);
    p->phase = mem_take(n, sizeof *p->phase);
    p->tells = mem_take(n, sizeof *p->tells);
    p->rows = mem_take(n, sizeof *p->rows);
    p->before = mem_take(n * (size_t)threads, sizeof *p->before);
    if (!p->worker || !p->phase || !p->tells || !p->rows || !p->before) return false;
    for (int g = 0; g < part->groups; g++) {
        int piece = image->piece_of(g);
        p->phase[piece] = part->group[g].phase;
        p->rows[piece] += effort(&part->group[g]);
    }
    if (!share_out(p, base, threads) ||
        !find_waits(program, base, image, p, threads, &fits))
        return false;
    for (int k = 0; !fits && k < p->count; k++) p->worker[k] = 0;
    memset(p->before, -1, fits ? 0 : n * (size_t)threads * sizeof *p->before);
    return true;
}

/* ---- threads -------------------------------------------------------------------------------------- */

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
static bool has_passed(Worker *w, int other, int piece) {
    if (w->known[other] <= piece)
        w->known[other] =
            atomic_load_explicit(&w->crew->worker[other].passed, memory_order_acquire);
    return w->known[other] > piece;
}

static void wait_until(Worker *w, int other, int piece) {
    for (int64_t since = frames_now(); !has_passed(w, other, piece);)
        if (!be_patient(w->crew, since)) nap();
}

/* The time that runs on the account of a partition. The clock is read where the partition changes or the thread
 * waits, not for every piece: a reading costs as much as several rows. */
typedef struct Account {
    Frames *frames;
    int     sub; /* whose pieces run, -1: nobody's */
    int64_t from;
} Account;

static void account_of(Account *a, int sub) {
    if (sub == a->sub) return;
    int64_t now = frames_now();
    if (a->sub >= 0) frames_note(a->frames, a->sub, a->from, now);
    a->sub = sub;
    a->from = now;
}

/* Until the other threads have passed what piece k uses. */
static void wait_for_others(Worker *w, const Pieces *p, int k, Account *account) {
    const int *before = p->before + (size_t)k * (size_t)w->crew->threads;
    for (int t = 0; t < w->crew->threads; t++) {
        if (before[t] < 0 || has_passed(w, t, before[t])) continue;
        account_of(account, -1);
        wait_until(w, t, before[t]);
    }
}

/* The pieces of one thread, in order. */
static void work(Worker *w) {
    Crew         *crew = w->crew;
    const Pieces *p = &crew->pieces[crew->base];
    Running      *r = w->number ? &w->part[crew->base] : crew->running;
    int           first = crew->instance->program->clocks.base[crew->base].first;
    Account       account = {.frames = crew->instance->ticks->frames, .sub = -1};
    w->failed = INT_MAX;
    memset(w->known, 0, sizeof *w->known * (size_t)crew->threads);
    for (int k = 0; k < p->count; k++) {
        if (p->worker[k] != w->number) continue;
        if (r->rb.ticks[p->phase[k]] && w->failed == INT_MAX) {
            wait_for_others(w, p, k, &account);
            account_of(&account, first + p->phase[k] / 2);
            if (r->image->piece(&r->rb, k)) w->failed = k;
        }
        if (p->tells[k]) atomic_store_explicit(&w->passed, k + 1, memory_order_release);
    }
    atomic_store_explicit(&w->passed, INT_MAX, memory_order_release);
    account_of(&account, -1);
}

/* The first thread holds the lock while it begins a round: who is awake does without it. */
static void sleep_until_after(Crew *crew, int seen) {
    pthread_mutex_lock(&crew->lock);
    while (atomic_load(&crew->round) == seen) pthread_cond_wait(&crew->wake, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

static void *live(void *argument) {
    Worker *w = argument;
    Crew   *crew = w->crew;
    for (int seen = 0;; seen++) {
        int64_t since = frames_now();
        while (atomic_load(&crew->round) == seen && be_patient(crew, since)) {}
        if (atomic_load(&crew->round) == seen) sleep_until_after(crew, seen);
        if (atomic_load(&crew->end)) return NULL;
        work(w);
        atomic_fetch_add(&crew->done, 1);
    }
}

static void next_round(Crew *crew) {
    pthread_mutex_lock(&crew->lock);
    atomic_fetch_add(&crew->round, 1);
    pthread_cond_broadcast(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
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
    if (first->number) {
        Rb *c = &first->part[crew->base].rb;
        r->rb.failed = 1;
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

int crew_run(Crew *crew, int b, Running *r, Moment at) {
    crew->base = b;
    crew->running = r;
    for (int t = 0; t < crew->threads; t++) {
        Worker *w = &crew->worker[t];
        atomic_store(&w->passed, 0);
        if (!t) continue;
        w->instance.stamps = crew->instance->stamps;
        running_at(&w->part[b], at);
        w->part[b].image = r->image;
    }
    atomic_store(&crew->done, 0);
    next_round(crew);
    work(&crew->worker[0]);
    for (int64_t since = frames_now(); atomic_load(&crew->done) < crew->threads - 1;)
        if (!be_patient(crew, since)) nap();
    for (int t = 1; t < crew->threads; t++)
        add_counts(&crew->instance->counts, &crew->worker[t].instance.counts);
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
    mem_free(r->rb.mode);
    r->rb.mode = of->rb.mode;
    r->rb.ticks = of->rb.ticks;
    r->rb.intervals = of->rb.intervals;
    r->rb.step = of->rb.step;
    return true;
}

void sibling_stop(Running *r) {
    r->rb.mode = NULL;
    running_close(r);
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

/* Values, relations and ticks are those of the original. */
static bool worker_open(Worker *w, Instance *original) {
    const ClockTable *c = &original->program->clocks;
    w->part = mem_take((size_t)c->bases, sizeof *w->part);
    if (!w->part || !sibling_open(&w->instance, original)) return false;
    for (int b = 0; b < c->bases; b++)
        if (!sibling_running(&w->part[b], &w->instance, b)) return false;
    w->started = pthread_create(&w->handle, NULL, live, w) == 0;
    Frames *f = original->ticks->frames;
    if (w->started && f->factor > 0 && !frames_priority(w->handle, 0))
        f->priorities = false;
    return w->started;
}

static void worker_close(Worker *w, int bases) {
    for (int b = 0; w->part && b < bases; b++) sibling_stop(&w->part[b]);
    mem_free(w->part);
    sibling_close(&w->instance);
}

Crew *crew_new(Instance *instance, int threads) {
    const Program    *program = instance->program;
    const ClockTable *c = &program->clocks;
    Crew             *crew = mem_take(1, sizeof *crew);
    if (!crew) return NULL;
    if (threads > c->subs) threads = c->subs;
    if (threads < 1 || !crew_may_share(program)) threads = 1;
    bool enough = sysconf(_SC_NPROCESSORS_ONLN) >= threads;
    *crew = (Crew){.instance = instance, .threads = threads, .spin = enough ? SPIN : 0};
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->wake, NULL);
    crew->pieces = mem_take((size_t)c->bases, sizeof *crew->pieces);
    crew->worker = mem_take((size_t)threads, sizeof *crew->worker);
    bool fine = crew->pieces && crew->worker;
    for (int b = 0; fine && b < c->bases; b++) {
        Running *r = &instance->ticks->part[2 * b];
        binary_tangents(r->binary); /* made before threads ask for it */
        Pieces *p = &crew->pieces[b];
        fine = pieces_make(p, program, &c->base[b], r->image, threads);
        for (int k = 0; fine && k < p->count; k++)
            instance->ticks->frames->frame[c->base[b].first + p->phase[k] / 2].thread =
                p->worker[k];
    }
    for (int t = 0; fine && t < threads; t++) {
        crew->worker[t].crew = crew;
        crew->worker[t].number = t;
        crew->worker[t].known = mem_take((size_t)threads, sizeof(int));
        if (!crew->worker[t].known) fine = false;
        else if (t) fine = worker_open(&crew->worker[t], instance);
    }
    if (fine) return crew;
    crew_free(crew);
    return NULL;
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
    for (int b = 0; crew->pieces && b < bases; b++) {
        Pieces *p = &crew->pieces[b];
        MEM_FREE(p->worker, p->phase, p->tells, p->rows, p->before);
    }
    pthread_mutex_destroy(&crew->lock);
    pthread_cond_destroy(&crew->wake);
    MEM_FREE(crew->pieces, crew->worker, crew);
}
