/* SPDX-License-Identifier: Apache-2.0 */
/* late.c -- slow partitions that do not run at their ticks: split frames, tasks by rate, staggered coupling.
 *
 * In one task a tick at which slow partitions tick, too, is as long as all of them together. Here the
 * partitions of a base clock that tick less often than the fastest ones have the time until their own
 * next tick: at a tick their inputs are copied, they work on values of their own while fast ticks go
 * on, and at their next tick the results are published, before anything else happens. So every
 * value that leaves them is one interval of theirs later than in one task. It never depends
 * on when the work was done: split frames and tasks by rate give identical results.
 *
 *   split   the thread of the simulation works on them after each fast tick, on so many pieces of
 *           their code that they are done in time, by their number of equations
 *   rates   a thread for each rate, with a lower priority the slower it is, if the system allows it
 *
 * Staggered coupling (slowest first, Gear and Wells, BIT 24, 1984) is the opposite: a slow partition goes ahead.
 * After its tick at T it takes the step to T + H at once, on values of its own. What it gets from others at
 * T + H is continued from their values u at T and U at T - H, 2 u - U. Fast partitions then tick in between with its
 * results interpolated, y + s (y' - y) at T + s H, and at T + H it publishes them. Both are exact for lines: with
 * solver methods of order two the coupling has order two, where held values give one. Quantities that are not
 * continuous are not continued, and change at ticks. Before there is a U, u is held; a
 * start value is none.
 *
 * Partitions with equal interval and first tick are one task. Their first ticks are those of one task, and agree
 * with what others give at that time.
 *
 * Cost: what a task uses is copied at each of its ticks, what it gives is copied back. */
#define _POSIX_C_SOURCE 200809L
#include "live/tick.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

typedef struct Task {
    struct Late *late;
    int          base;
    int64_t      every, offset; /* see SubClock */
    Instance     instance;      /* with values of its own ... */
    double      *v;             /* ... which are these */
    Running      running;
    int         *phase; /* see Rb.ticks: of its own partitions */
    int         *piece; /* of the code of the base-clock partition, ascending ... */
    long        *cost;  /* ... and their equations */
    int          pieces, next;
    int         *use, uses;   /* variables that its equations read or give */
    int         *give, gives; /* variables that they give */
    /* staggered, continuous quantities only: */
    int *carry, carries; /* variables of others that it uses ... */
    double *
        last; /* ... and their values at its tick before, if there was one (NaN: not of a tick) */
    int *giver; /* ... and by which sub-clock partitions they are given, -1: none */
    bool met;
    int *show, shows; /* variables that it gives ... */
    double
        *held; /* ... and their values while others are shown those between its ticks: */
    bool between;
    double  time; /* of the tick that it works on ... */
    int64_t due;  /* ... and when that was due */
    Rounds  rounds;
    bool    busy; /* it works on a tick that was not published */
    bool    failed;
    /* by rate: */
    pthread_t       thread;
    bool            started, ready, end; /* ready: there is work; both under the lock */
    pthread_mutex_t lock;
    pthread_cond_t  wake;
} Task;

typedef struct Late {
    Instance *instance;
    TickTasks kind;
    Task     *task;
    int       tasks;
} Late;

/* ---- one task ------------------------------------------------------------------------------------- */

static bool is_of(const Task *t, const SubClock *sub) {
    return sub->base == t->base && sub->every == t->every && sub->offset == t->offset;
}

/* Works on at least so many equations; true: there is more to do. */
static bool work(Task *t, long cost) {
    const BaseClock *base = &t->instance.program->clocks.base[t->base];
    Ticks           *k = t->instance.ticks;
    Running         *r = &t->running;
    while (!t->failed) {
        if (t->next == t->pieces) {
            bool more = rounds_go_on(&t->rounds, &t->instance, r);
            t->failed = r->rb.failed;
            if (!more) return false;
            running_at(r, t->rounds.at);
            t->next = 0;
            continue;
        }
        if (cost <= 0) return true;
        int     p = t->piece[t->next], phase = r->part->group[p].phase;
        int64_t from = frames_now();
        cost -= t->cost[t->next++];
        t->failed = r->image->piece(&r->rb, r->image->piece_of(p)) != 0;
        frames_note(k->frames, base->first + phase / 2, from, frames_now());
    }
    return false;
}

static void *live(void *argument) {
    Task *t = argument;
    pthread_mutex_lock(&t->lock);
    while (!t->end) {
        if (t->ready) {
            pthread_mutex_unlock(&t->lock);
            work(t, INT64_MAX);
            pthread_mutex_lock(&t->lock);
            t->ready = false;
            pthread_cond_broadcast(&t->wake);
        } else {
            pthread_cond_wait(&t->wake, &t->lock);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static void finish(Task *t) {
    if (!t->started) {
        work(t, INT64_MAX);
        return;
    }
    pthread_mutex_lock(&t->lock);
    while (t->ready) pthread_cond_wait(&t->wake, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

static void start(Task *t, double time) {
    const Instance *of = t->late->instance;
    for (int i = 0; i < t->uses; i++) t->v[t->use[i]] = of->v[t->use[i]];
    t->instance.stamps = of->stamps;
    memcpy(t->running.rb.mode, of->ticks->part[2 * t->base].rb.mode,
           (size_t)t->running.part->relations * sizeof(double));
    t->rounds = rounds_begin(&t->instance, t->phase, time);
    running_at(&t->running, t->rounds.at);
    t->time = time;
    t->due = of->ticks->frames->due;
    t->next = 0;
    t->busy = true;
    if (!t->started) return;
    pthread_mutex_lock(&t->lock);
    t->ready = true;
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
}

/* ---- staggered ------------------------------------------------------------------------------------- */

/* The step to its next tick, after its tick with this number. */
static void go_ahead(Task *t, int64_t number) {
    const Instance *of = t->late->instance;
    start(t, ticks_time(of, t->base, number + t->every));
    for (int i = 0; i < t->carries; i++) {
        double now = of->v[t->carry[i]];
        bool   ticked = t->giver[i] < 0 || of->ticks->begun[t->giver[i]];
        if (t->met && !isnan(t->last[i])) t->v[t->carry[i]] = 2 * now - t->last[i];
        t->last[i] = ticked ? now : NAN;
    }
    t->met = true;
    work(t, INT64_MAX);
}

static void show_between(Task *t, int64_t number) {
    double *v = t->late->instance->v;
    double  share = (double)((number - t->offset) % t->every) / (double)t->every;
    for (int i = 0; i < t->shows; i++) {
        int var = t->show[i];
        t->held[i] = v[var];
        v[var] += share * (t->v[var] - v[var]);
    }
    t->between = true;
}

static void show_held(Task *t) {
    double *v = t->late->instance->v;
    for (int i = 0; t->between && i < t->shows; i++) v[t->show[i]] = t->held[i];
    t->between = false;
}

void late_ahead(Late *late, int b) {
    const Ticks *k = late->instance->ticks;
    for (int i = 0; i < late->tasks && late->kind == TASKS_STAGGERED; i++) {
        Task   *t = &late->task[i];
        int64_t since = k->number[b] - t->offset;
        if (t->base == b && since >= 0 && since % t->every == 0)
            go_ahead(t, k->number[b]);
    }
    for (int i = 0; i < late->tasks; i++) show_held(&late->task[i]);
}

/* ---- ticks -------------------------------------------------------------------------------------- */

static bool is_due(const Task *t, int b) {
    const ClockTable *c = &t->instance.program->clocks;
    const Ticks      *k = t->instance.ticks;
    for (int s = 0; b == t->base && s < c->subs; s++)
        if (is_of(t, &c->sub[s])) return k->phase[2 * s] == 1;
    return false;
}

static void set_phases(const Task *t, int *phase, int value) {
    const ClockTable *c = &t->instance.program->clocks;
    for (int s = 0; s < c->subs; s++)
        if (is_of(t, &c->sub[s])) phase[2 * s] = phase[2 * s + 1] = value;
}

/* Its results become those of all; not 0: it failed. */
static int publish(Task *t, Running *r) {
    Instance         *of = t->late->instance;
    const ClockTable *c = &of->program->clocks;
    Ticks            *k = of->ticks;
    Rb               *own = &t->running.rb;
    finish(t);
    t->busy = false;
    of->counts.loops += t->instance.counts.loops;
    of->counts.iterations += t->instance.counts.iterations;
    t->instance.counts = (Counts){0};
    if (t->instance.incident.violated || t->instance.incident.terminated)
        of->incident = t->instance.incident;
    t->instance.incident = (Incident){0};
    for (int s = 0; s < c->subs; s++)
        if (is_of(t, &c->sub[s])) frames_fold(k->frames, s, k->interval[2 * s], t->due);
    if (t->failed) {
        r->rb.fault_pos = own->fault_pos;
        r->rb.fault_text = own->fault_text;
        cause_free(of->report);
        of->report = t->instance.report;
        t->instance.report = NULL;
        of->lacking |= t->instance.lacking;
        return 1;
    }
    for (int i = 0; i < t->gives; i++) of->v[t->give[i]] = t->v[t->give[i]];
    for (int i = 0; i < r->part->relations; i++) {
        const int sub = k->relation_sub[t->base][i];
        if (sub >= 0 && is_of(t, &c->sub[sub])) r->rb.mode[i] = own->mode[i];
    }
    return 0;
}

int late_begin(Late *late, int b, Running *r) {
    Ticks *k = late->instance->ticks;
    int    subs = late->instance->program->clocks.subs, failed = 0;
    memcpy(k->waiting, k->phase, 2 * (size_t)subs * sizeof *k->phase);
    for (int i = 0; i < late->tasks && !failed; i++) {
        Task *t = &late->task[i];
        if (!t->busy) continue;
        if (late->kind == TASKS_STAGGERED && t->base == b && !is_due(t, b))
            show_between(t, k->number[b]);
        if (!is_due(t, b)) continue;
        memset(k->phase, 0, 2 * (size_t)subs * sizeof *k->phase);
        set_phases(t, k->phase, 1);
        failed = publish(t, r) || ticks_settle(late->instance, b, r, t->time);
        memcpy(k->phase, k->waiting, 2 * (size_t)subs * sizeof *k->phase);
    }
    for (int i = 0; i < late->tasks; i++)
        if (is_due(&late->task[i], b)) set_phases(&late->task[i], k->phase, 0);
    return failed;
}

void late_end(Late *late, int b, double time) {
    Ticks *k = late->instance->ticks;
    int    subs = late->instance->program->clocks.subs;
    if (late->kind == TASKS_STAGGERED) return; /* see late_ahead */
    memcpy(k->phase, k->waiting, 2 * (size_t)subs * sizeof *k->phase);
    for (int i = 0; i < late->tasks; i++) {
        Task   *t = &late->task[i];
        int64_t left = t->every - (k->number[b] - t->offset) % t->every;
        long    rest = 0;
        if (t->base != b) continue;
        if (is_due(t, b)) start(t, time);
        if (t->started || !t->busy) continue;
        for (int p = t->next; p < t->pieces; p++) rest += t->cost[p];
        work(t, (rest + left - 1) / left);
    }
    memset(k->phase, 0, 2 * (size_t)subs * sizeof *k->phase);
}

bool late_is_partition(const Late *late, int sub) {
    for (int i = 0; i < late->tasks; i++)
        if (is_of(&late->task[i], &late->instance->program->clocks.sub[sub])) return true;
    return false;
}

void late_forget(Late *late) {
    for (int i = 0; i < late->tasks; i++) {
        Task *t = &late->task[i];
        if (t->busy) finish(t);
        t->busy = t->failed = t->met = t->between = false;
        t->running.rb.failed = t->running.rb.depth = 0;
    }
}

/* ---- opening and closing -------------------------------------------------------------------------- */

typedef struct Listing { /* of the variables of a task */
    Task    *task;
    uint8_t *seen;
    bool     given;
} Listing;

static void list(void *context, int var) {
    Listing *l = context;
    Task    *t = l->task;
    if (l->given && !(l->seen[var] & 2)) t->give[t->gives++] = var;
    if (!l->seen[var]) t->use[t->uses++] = var;
    l->seen[var] |= l->given ? 3 : 1;
}

static bool is_smooth(const Variables *all, int var) {
    const VarRun *run = &all->run[variables_run(all, var)];
    int           kind = run->kind == VAR_PREVIOUS ? all->run[run->of].kind : run->kind;
    return run->type == TYPE_REAL &&
           (kind == VAR_CONTINUOUS || kind == VAR_DER || kind == VAR_INPUT);
}

/* Which sub-clock partitions of its base clock give what the task continues. False: no memory. */
static bool find_givers(Task *t, const Program *program) {
    const BaseClock *base = &program->clocks.base[t->base];
    const Part      *part = &program->part[base->part];
    int             *sub = mem_take((size_t)program->variables.vars + 1, sizeof *sub);
    for (int g = 0; sub && g < part->groups; g++) {
        const Group *group = &part->group[g];
        for (int i = group->item; i < group->item + group->count * group->size; i++)
            sub[part->unknown[i]] = base->first + group->phase / 2 + 1;
    }
    for (int i = 0; sub && i < t->carries; i++) t->giver[i] = sub[t->carry[i]] - 1;
    mem_free(sub);
    return sub != NULL;
}

/* What is continued and interpolated; seen: 2 given by the task, 4 its own of the tick before. */
static bool list_smooth(Task *t, const Program *program, const uint8_t *seen) {
    size_t uses = (size_t)t->uses + 1, gives = (size_t)t->gives + 1;
    t->carry = mem_take(uses, sizeof *t->carry);
    t->giver = mem_take(uses, sizeof *t->giver);
    t->last = mem_take(uses, sizeof *t->last);
    t->show = mem_take(gives, sizeof *t->show);
    t->held = mem_take(gives, sizeof *t->held);
    if (!t->carry || !t->giver || !t->last || !t->show || !t->held) return false;
    for (int i = 0; i < t->uses; i++)
        if (!(seen[t->use[i]] & 6) && is_smooth(&program->variables, t->use[i]))
            t->carry[t->carries++] = t->use[i];
    for (int i = 0; i < t->gives; i++)
        if (is_smooth(&program->variables, t->give[i])) t->show[t->shows++] = t->give[i];
    return find_givers(t, program);
}

/* Variables and pieces. False: no memory. */
static bool list_code(Task *t, const Program *program) {
    const ClockTable *c = &program->clocks;
    const BaseClock  *base = &c->base[t->base];
    const Part       *part = &program->part[base->part];
    const Image      *image = t->late->instance->ticks->part[2 * t->base].image;
    size_t            vars = (size_t)program->variables.vars + 1;
    Listing           l = {.task = t, .seen = mem_take(vars, 1)};
    t->use = mem_take(vars, sizeof *t->use);
    t->give = mem_take(vars, sizeof *t->give);
    t->piece = mem_take((size_t)part->groups, sizeof *t->piece);
    t->cost = mem_take((size_t)part->groups, sizeof *t->cost);
    bool fine = l.seen && t->use && t->give && t->piece && t->cost;
    for (int g = 0; fine && g < part->groups; g++) {
        const Group *group = &part->group[g];
        int          items = group->count * group->size;
        if (!is_of(t, &c->sub[base->first + group->phase / 2])) continue;
        int last = t->pieces ? image->piece_of(t->piece[t->pieces - 1]) : -1;
        if (image->piece_of(g) != last) t->piece[t->pieces++] = g;
        t->cost[t->pieces - 1] += items;
        for (int i = group->item; i < group->item + items; i++) {
            Equation e = program_equation(program, part, i);
            l.given = false;
            equation_uses(&e, list, &l);
            l.given = true;
            list(&l, part->unknown[i]);
        }
    }
    l.given = false;
    for (int i = 0; fine && i < c->states; i++)
        if (is_of(t, &c->sub[c->state[i].sub])) {
            list(&l, c->state[i].before);
            list(&l, c->state[i].rate_before);
        }
    for (int i = 0; fine && i < c->shifts; i++)
        if (is_of(t, &c->sub[c->shift[i].sub])) {
            l.given = c->shift[i].left;
            list(&l, c->shift[i].before);
            l.seen[c->shift[i].before] |= 4;
        }
    fine = fine && (t->late->kind != TASKS_STAGGERED || list_smooth(t, program, l.seen));
    mem_free(l.seen);
    return fine;
}

/* In real time its priority falls with the interval, below that of the simulation. */
static bool start_thread(Task *t, int rank) {
    Frames *f = t->late->instance->ticks->frames;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    t->started = pthread_create(&t->thread, NULL, live, t) == 0;
    if (t->started && f->factor > 0 && !frames_priority(t->thread, 1 + rank))
        f->priorities = false;
    return t->started;
}

static bool task_open(Task *t, int rank) {
    Instance *of = t->late->instance;
    size_t    vars = (size_t)of->program->variables.vars + 1;
    t->v = mem_take(vars, sizeof *t->v);
    t->phase = mem_take(2 * (size_t)of->program->clocks.subs, sizeof *t->phase);
    if (!t->v || !t->phase || !list_code(t, of->program) ||
        !sibling_open(&t->instance, of))
        return false;
    t->instance.v = t->v;
    if (!sibling_running(&t->running, &t->instance, t->base)) return false;
    t->running.rb.v = t->v;
    set_phases(t, t->phase, 1);
    t->running.rb.ticks = t->phase + 2 * of->program->clocks.base[t->base].first;
    bool alone = t->late->kind != TASKS_RATES || !crew_may_share(of->program);
    return alone || start_thread(t, rank);
}

static void task_close(Task *t) {
    if (t->started) {
        pthread_mutex_lock(&t->lock);
        t->end = true;
        pthread_cond_broadcast(&t->wake);
        pthread_mutex_unlock(&t->lock);
        pthread_join(t->thread, NULL);
        pthread_mutex_destroy(&t->lock);
        pthread_cond_destroy(&t->wake);
    }
    running_close(&t->running);
    sibling_close(&t->instance);
    MEM_FREE(t->v, t->phase, t->piece, t->cost, t->use, t->give, t->carry, t->giver,
             t->last, t->show, t->held);
}

Late *late_new(Instance *instance, TickTasks kind) {
    const ClockTable *c = &instance->program->clocks;
    Late             *late = mem_take(1, sizeof *late);
    if (!late) return NULL;
    *late = (Late){.instance = instance, .kind = kind};
    late->task = mem_take((size_t)c->subs, sizeof *late->task);
    bool fine = late->task != NULL;
    for (int s = 0; fine && s < c->subs; s++)
        if (clock_is_slow(&c->base[c->sub[s].base], c->sub, s) &&
            !late_is_partition(late, s))
            late->task[late->tasks++] = (Task){.late = late,
                                               .base = c->sub[s].base,
                                               .every = c->sub[s].every,
                                               .offset = c->sub[s].offset};
    for (int i = 0; fine && i < late->tasks; i++) {
        int rank = 0;
        for (int j = 0; j < late->tasks; j++)
            rank += late->task[j].every < late->task[i].every;
        fine = task_open(&late->task[i], rank);
    }
    if (fine) return late;
    late_free(late);
    return NULL;
}

void late_free(Late *late) {
    if (!late) return;
    for (int i = 0; late->task && i < late->tasks; i++) task_close(&late->task[i]);
    MEM_FREE(late->task, late);
}
