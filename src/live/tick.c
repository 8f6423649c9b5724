/* SPDX-License-Identifier: Apache-2.0 */
/* tick.c -- clocked partitions while they run: when they tick, and what happens then.
 *
 * A base-clock partition is a part of the program over the same values as all others. At a tick
 * its groups run in order, those of a sub-clock partition only if that ticks, too. Values of
 * continuous variables are then those before the event; what a partition gives is held until
 * its next tick, so hold and the operators between sub-clock partitions are plain reads. After a
 * tick the values that previous() will ask for are kept.
 *
 * Ticks are numbers, and the time of a tick is computed from its number. Base clocks driven by a
 * condition tick in the round of event iteration after the one in which it became true.
 *
 * Steps of discretised partitions are in step.c. */
#include "live/tick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening --------------------------------------------------------------------------------- */

static bool take(Ticks *k, const ClockTable *c) {
    size_t bases = (size_t)c->bases, subs = (size_t)c->subs;
    k->memory = memory_new();
    k->part = mem_take(2 * bases, sizeof *k->part);
    k->number = mem_take(bases, sizeof *k->number);
    k->when = mem_take(bases, sizeof *k->when);
    k->counted = mem_take(bases, sizeof *k->counted);
    k->held = mem_take(bases, sizeof *k->held);
    k->fired = mem_take(bases, 1);
    k->phase = mem_take(2 * subs, sizeof *k->phase);
    k->interval = mem_take(2 * subs, sizeof *k->interval);
    k->last = mem_take(subs, sizeof *k->last);
    k->stage = mem_take(subs, sizeof *k->stage);
    k->begun = mem_take(subs, 1);
    k->asked = mem_take(subs, 1);
    k->waiting = mem_take(2 * subs, sizeof *k->waiting);
    k->input = mem_take((size_t)c->inputs, sizeof *k->input);
    k->advanced = mem_take((size_t)c->states, sizeof *k->advanced);
    k->own_start = mem_take(subs + 1, sizeof *k->own_start);
    k->external = mem_take(subs, sizeof *k->external);
    return k->external && k->part && k->number && k->when && k->counted && k->held &&
           k->fired && k->phase && k->interval && k->last && k->stage && k->begun &&
           k->input && k->advanced && k->own_start && k->waiting && k->asked;
}

typedef struct Uses { /* variables of the second phase of one sub-clock partition */
    int *var, count, room;
} Uses;

static void use(void *context, int var) {
    Uses *u = context;
    GROW(u->var, u->room, u->count + 1);
    if (u->var) u->var[u->count++] = var;
}

/* What steps of sub-clock partition s need of the values: all that its equations use. */
static void list_uses(const Instance *instance, Uses *u, int s) {
    const ClockTable *c = &instance->program->clocks;
    const BaseClock  *base = &c->base[c->sub[s].base];
    const Part       *part = &instance->program->part[base->part];
    for (int g = 0; g < part->groups; g++) {
        const Group *group = &part->group[g];
        if (group->phase != 2 * (s - base->first) + 1) continue;
        for (int i = group->item; i < group->item + group->count * group->size; i++) {
            Equation e = program_equation(instance->program, part, i);
            equation_uses(&e, use, u);
            use(u, part->unknown[i]);
        }
    }
    for (int i = 0; i < c->states; i++) {
        if (c->state[i].sub != s) continue;
        use(u, c->state[i].before);
        use(u, c->state[i].rate_before);
        if (c->state[i].active >= 0) use(u, c->state[i].active);
    }
}

/* As stretches of variables that follow each other. */
static void find_uses(const Instance *instance, Ticks *k) {
    const ClockTable *c = &instance->program->clocks;
    Uses              u = {0};
    int               count = 0, room = 0;
    for (int s = 0; s < c->subs; s++) {
        u.count = 0;
        if (clock_stages(&c->sub[s])) list_uses(instance, &u, s);
        if (u.count) qsort(u.var, (size_t)u.count, sizeof *u.var, int_ascending);
        for (int i = 0; i < u.count; i++) {
            Stretch *last = i ? &k->own[count - 1] : NULL;
            int      behind = last ? u.var[i] - last->first - last->count : 1;
            if (last && behind <= 0) last->count += !behind;
            if (last && behind <= 0) continue;
            GROW(k->own, room, count + 1);
            k->own[count++] = (Stretch){u.var[i], 1};
        }
        k->own_start[s + 1] = count;
    }
    mem_free(u.var);
}

/* What the clock table says of shifts, with aliases resolved. */
static void find_keeps(const Instance *instance, Ticks *k) {
    const Program    *p = instance->program;
    const ClockTable *c = &p->clocks;
    k->keep = mem_take((size_t)c->shifts, sizeof *k->keep);
    k->keep_start = mem_take((size_t)c->subs + 1, sizeof *k->keep_start);
    for (int i = 0; i < c->shifts; i++) {
        const ClockShift *shift = &c->shift[i];
        const VarRun *run = &p->variables.run[variables_run(&p->variables, shift->now)];
        k->keep[i] = (Keep){.before = shift->before,
                            .at = p->reduced.alias[shift->now],
                            .sign = p->reduced.sign[shift->now],
                            .iterated = shift->left && c->sub[shift->sub].discretised,
                            .continuous = run->kind != VAR_DISCRETE};
        k->iterates |= k->keep[i].iterated;
        k->leads |= k->keep[i].iterated && k->keep[i].continuous;
        k->keep_start[shift->sub + 1]++;
    }
    for (int s = 0; s < c->subs; s++) k->keep_start[s + 1] += k->keep_start[s];
}

/* The states and inputs of each sub-clock partition in the clock table. */
static void find_owners(const Instance *instance, Ticks *k) {
    const ClockTable *c = &instance->program->clocks;
    LinkList          states = {0}, inputs = {0};
    for (int i = 0; i < c->states; i++) links_add(&states, c->state[i].sub, i);
    for (int i = 0; i < c->inputs; i++) links_add(&inputs, c->input[i].sub, i);
    k->states_of = links_of(&states, c->subs, false, NULL);
    k->inputs_of = links_of(&inputs, c->subs, false, NULL);
    links_drop(&states);
    links_drop(&inputs);
}

/* Whose equations the relations of a base-clock partition stand in. */
static void find_relations(const Instance *instance, Ticks *k) {
    const ClockTable *c = &instance->program->clocks;
    k->relation_sub = mem_take((size_t)c->bases, sizeof *k->relation_sub);
    for (int b = 0; b < c->bases; b++) {
        const Part *part = &instance->program->part[c->base[b].part];
        int        *sub = mem_take((size_t)part->items, sizeof *sub);
        for (int g = 0; g < part->groups; g++)
            for (int i = 0; i < part->group[g].count * part->group[g].size; i++)
                sub[part->group[g].item + i] =
                    c->base[b].first + part->group[g].phase / 2;
        k->relation_sub[b] = mem_take((size_t)part->relations, sizeof(int));
        for (int i = 0; i < part->relations; i++)
            k->relation_sub[b][i] =
                part->relation_item[i] < 0 ? -1 : sub[part->relation_item[i]];
        mem_free(sub);
    }
}

/* In a memory_call. */
static void prepare(void *context) {
    Instance *instance = context;
    find_uses(instance, instance->ticks);
    find_keeps(instance, instance->ticks);
    find_relations(instance, instance->ticks);
    find_owners(instance, instance->ticks);
}

bool ticks_relation_is_near(const Running *r, const Group *group, int i) {
    const ClockTable *c = &r->instance->program->clocks;
    if (group->phase < 0) return true;
    for (int b = 0; b < c->bases; b++)
        if (r->part == &r->instance->program->part[c->base[b].part])
            return r->instance->ticks->relation_sub[b][i] ==
                   c->base[b].first + group->phase / 2;
    return true; /* first ticks run on one thread */
}

bool ticks_execute(Instance *instance, int threads, TickPace pace, TickTasks tasks) {
    Ticks *k = instance->ticks;
    if (instance->program->clocks.staggered) tasks = TASKS_STAGGERED;
    if (!k || k->crew || (threads < 2 && !(pace.factor > 0) && tasks == TASKS_SINGLE))
        return true;
    for (int b = 0; b < instance->program->clocks.bases; b++)
        if (!k->part[2 * b].image->piece) return true; /* code of another build */
    k->frames = frames_new(instance->program->clocks.subs, pace);
    if (k->frames) k->crew = crew_new(instance, threads);
    if (k->crew && tasks != TASKS_SINGLE) k->late = late_new(instance, tasks);
    if (tasks != TASKS_SINGLE && !k->late) return false;
    return k->crew != NULL;
}

bool ticks_have_tasks(const Instance *instance) {
    return instance->ticks && instance->ticks->late;
}

double ticks_longest(const Instance *instance) {
    return instance->ticks->frames->longest;
}

bool ticks_priorities(const Instance *instance) {
    return instance->ticks->frames->priorities;
}

MissedTicks ticks_missed(const Instance *instance) {
    return instance->ticks->frames->missed;
}

int ticks_lines(const Instance *instance, int *all) {
    return crew_lines(instance->ticks->crew, all);
}

bool ticks_locked(const Instance *instance) {
    return instance->ticks->frames->locked;
}

bool ticks_repeatable(const Instance *instance) {
    return crew_may_share(instance->program) && !instance->history;
}

void ticks_rehearse(Instance *instance, bool on) {
    instance->ticks->frames->rehearsal = on;
    if (!on && instance->ticks->late) late_forget(instance->ticks->late);
}

void ticks_forget(Instance *instance) {
    Ticks  *k = instance->ticks;
    Frames *f = k->frames;
    steps_close(k,
                instance->program->clocks.subs); /* their next step size is forgotten */
    f->longest = 0;
    f->waits = 0;
    f->missed = (MissedTicks){0};
    for (int s = 0; s < instance->program->clocks.subs; s++)
        f->frame[s] = (Frame){.thread = f->frame[s].thread};
}

const Frame *ticks_frame(const Instance *instance, int sub) {
    const Ticks *k = instance->ticks;
    return k && k->frames ? &k->frames->frame[sub] : NULL;
}

bool ticks_open(Instance *instance) {
    const ClockTable *c = &instance->program->clocks;
    if (!c->bases) return true;
    Ticks *k = instance->ticks = mem_take(1, sizeof *k);
    if (k) pthread_mutex_init(&k->speak, NULL);
    if (!k || !take(k, c) || !k->memory || !memory_call(k->memory, prepare, instance))
        return false;
    instance->inside = inside_new(instance);
    if (!instance->inside) return false;
    for (int b = 0; b < c->bases; b++) {
        const BaseClock *base = &c->base[b];
        for (int first = 0; first <= base->starts; first++) {
            Running *r = &k->part[2 * b + first];
            if (!running_open(r, instance, base->part + first)) return false;
            r->rb.ticks = k->phase + 2 * base->first;
            r->rb.intervals = k->interval + 2 * base->first;
            r->rb.step = step_state;
        }
    }
    return true;
}

void ticks_close(Instance *instance) {
    Ticks *k = instance->ticks;
    if (!k) return;
    late_free(k->late);
    crew_free(k->crew);
    frames_free(k->frames);
    exchange_free(k->exchange);
    inside_free(instance->inside);
    instance->inside = NULL;
    for (int b = 0; k->part && b < 2 * instance->program->clocks.bases; b++)
        running_close(&k->part[b]);
    steps_close(k, instance->program->clocks.subs);
    history_close(&k->history);
    pthread_mutex_destroy(&k->speak);
    MEM_FREE(k->part, k->number, k->when, k->counted, k->held, k->fired, k->phase,
             k->interval, k->last, k->stage, k->begun, k->input, k->advanced,
             k->own_start, k->external, k->waiting, k->asked);
    memory_free(k->memory);
    mem_free(k);
    instance->ticks = NULL;
}

/* ---- times ------------------------------------------------------------------------------------- */

double ticks_interval(const Instance *instance, int sub) {
    const ClockTable *c = &instance->program->clocks;
    const BaseClock  *base = &c->base[c->sub[sub].base];
    return clock_is_periodic(base) ? clock_seconds(base, c->sub[sub].every) : 0;
}

static bool is_due(const SubClock *sub, int64_t number) {
    return number >= sub->offset &&
           (sub->every == 1 || (number - sub->offset) % sub->every == 0);
}

/* The next number at which some sub-clock partition ticks, from `number` on. */
static int64_t next_due(const ClockTable *c, const BaseClock *base, int64_t number) {
    int64_t least = INT64_MAX;
    for (int s = base->first; s < base->first + base->subs; s++) {
        const SubClock *sub = &c->sub[s];
        int64_t         behind = number - sub->offset, at = sub->offset;
        if (behind > 0 && sub->every == 1) at = number; /* without a division */
        else if (behind > 0) at += (behind + sub->every - 1) / sub->every * sub->every;
        if (at < least) least = at;
    }
    return least;
}

double ticks_time(const Instance *instance, int b, int64_t number) {
    return instance->ticks->begin +
           clock_seconds(&instance->program->clocks.base[b], number);
}

static void plan_next(const Instance *instance, int b, int64_t from) {
    const ClockTable *c = &instance->program->clocks;
    Ticks            *k = instance->ticks;
    k->number[b] = next_due(c, &c->base[b], from);
    k->when[b] = k->driven ? HUGE_VAL : ticks_time(instance, b, k->number[b]);
}

void ticks_drive(Instance *instance) {
    if (instance->ticks) instance->ticks->driven = true;
}

void ticks_ask(Instance *instance, int sub) {
    instance->ticks->asked[sub] = 1;
    instance->ticks->fired[instance->program->clocks.sub[sub].base] = 1;
}

double ticks_last(const Instance *instance, int sub) {
    return instance->ticks->begun[sub] ? instance->ticks->last[sub] : -HUGE_VAL;
}

void ticks_begin(Instance *instance, double t) {
    const ClockTable *c = &instance->program->clocks;
    Ticks            *k = instance->ticks;
    if (!k) return;
    k->begin = t;
    for (int b = 0; b < c->bases; b++) {
        const BaseClock *base = &c->base[b];
        k->when[b] = base->kind == BASE_EVENT ? HUGE_VAL : t;
        if (clock_is_periodic(base)) plan_next(instance, b, 0);
        k->counted[b] = 0;
        k->held[b] = 0; /* a condition that holds at the start has become true then */
    }
    for (int s = 0; s < c->subs; s++) k->stage[s] = NAN;
}

double ticks_next(const Instance *instance, double t) {
    const Ticks *k = instance->ticks;
    double       least = HUGE_VAL;
    for (int b = 0; k && b < instance->program->clocks.bases; b++)
        if (k->when[b] > t && k->when[b] < least) least = k->when[b];
    return least;
}

/* ---- one tick of a base-clock partition ---------------------------------------------------------- */

/* The interval of the first tick of a clock that varies: the start value of what says it. */
static double first_interval(const Instance *instance, const BaseClock *base) {
    return instance_value(instance, base->variable) / (double)base->resolution;
}

/* Which sub-clock partitions tick at tick `number`; first: of those that do so for the first time,
 * else of all others. Returns how many. */
static int choose(Instance *instance, int b, bool first, double t) {
    const ClockTable *c = &instance->program->clocks;
    const BaseClock  *base = &c->base[b];
    Ticks            *k = instance->ticks;
    int               count = 0;
    for (int s = base->first; s < base->first + base->subs; s++) {
        double length = clock_seconds(base, c->sub[s].every);
        if (base->kind == BASE_EVENT)
            length = k->begun[s] ? t - k->last[s] : base->period;
        if (base->kind == BASE_VARIES)
            length = k->begun[s] ? t - k->last[s] : first_interval(instance, base);
        bool due = k->driven ? k->asked[s] : is_due(&c->sub[s], k->number[b]);
        bool mine = due && (!base->starts || first == !k->begun[s]);
        k->phase[2 * s] = k->phase[2 * s + 1] = mine ? (k->begun[s] ? 1 : 2) : 0;
        if (k->interval[2 * s] != length) /* tasks may read it now */
            k->interval[2 * s] = k->interval[2 * s + 1] = length;
        count += mine;
    }
    return count;
}

/* The equations of those that were chosen; crew: of the ticks of base-clock partition b, NULL: on
 * this thread. Not 0: failed. */
static int run_equations(Instance *instance, Running *r, Crew *crew, int b, double t) {
    Rounds rounds = rounds_begin(instance, instance->ticks->phase, t);
    instance->stamps.events++;
    do {
        running_at(r, rounds.at);
        for (int g = 0; g < r->part->groups; g++)
            if (r->rb.ticks[r->part->group[g].phase])
                instance->counts.rows += r->part->group[g].count * r->part->group[g].size;
        if (crew ? crew_run(crew, b, r, rounds.at) : r->image->events(&r->rb)) return 1;
    } while (rounds_go_on(&rounds, instance, r));
    return r->rb.failed;
}

/* What the next tick will ask for. */
static void keep_values(Instance *instance, double t) {
    const ClockTable *c = &instance->program->clocks;
    Ticks            *k = instance->ticks;
    for (int s = 0; s < c->subs; s++)
        for (int i = k->keep_start[s]; k->phase[2 * s] && i < k->keep_start[s + 1]; i++)
            instance->v[k->keep[i].before] = k->keep[i].sign * instance->v[k->keep[i].at];
    rounds_end(instance, k->phase);
    for (int i = 0; i < c->inputs; i++)
        if (k->phase[2 * c->input[i].sub]) k->input[i] = instance->v[c->input[i].var];
    for (int s = 0; s < c->subs; s++) {
        if (!k->phase[2 * s]) continue;
        k->begun[s] = 1;
        k->asked[s] = 0;
        k->last[s] = t;
        k->phase[2 * s] = k->phase[2 * s + 1] = 0;
    }
}

/* What delays will ask for: also of first ticks, at which they have their present values. */
static void remember(Instance *instance, int b, double t) {
    Running *r = &instance->ticks->part[2 * b];
    if (!instance->program->clocks.remembers) return;
    running_at(r, moment_at(t));
    r->image->remember(&r->rb);
}

int ticks_settle(Instance *instance, int b, Running *r, double t) {
    Moment at = moment_at(t);
    at.live = true;
    running_at(r, at);
    r->image->checks(&r->rb);
    running_at(r, moment_at(t));
    r->image->actions(&r->rb);
    remember(instance, b, t);
    if (!r->rb.failed) keep_values(instance, t);
    return r->rb.failed;
}

/* Steps of those that were chosen are made again: with other inputs. */
static void forget_steps(Ticks *k, const ClockTable *c) {
    for (int s = 0; s < c->subs; s++)
        if (k->phase[2 * s]) k->stage[s] = NAN;
}

/* First ticks of some partitions beside ticks of others, which are those chosen now: both are evaluated in turn until
 * nothing changes, as they may use values of each other. What follows evaluates them once more, with events. Tasks
 * of their own go on meanwhile: nothing of theirs is touched. With staggered coupling they may form a loop that
 * this does not solve: all is as it was then, and each takes what others gave before. False: no memory. */
static bool agree_first(Instance *instance, int b, double t) {
    const ClockTable *c = &instance->program->clocks;
    Ticks            *k = instance->ticks;
    size_t  values = (size_t)instance->program->variables.vars * sizeof *instance->v;
    size_t  phases = 2 * (size_t)c->subs * sizeof *k->phase;
    double *seen = mem_take(values, 1);
    int    *others = mem_take(phases, 1);
    double *was = mem_take(values, 1);
    bool    fine = seen && was && others, same = !fine;
    if (fine) memcpy(others, k->phase, phases);
    if (fine) memcpy(was, instance->v, values);
    for (int round = 0; round <= 2 * c->base[b].subs && !same; round++) {
        memcpy(seen, instance->v, values);
        for (int first = 0; first <= 1; first++) {
            Running *r = &k->part[2 * b + first];
            Moment   at = moment_at(t);
            at.live = true;
            memcpy(k->phase, others, phases);
            if (first) choose(instance, b, true, t);
            forget_steps(k, c);
            running_at(r, at);
            if (r->image->events(&r->rb)) instance_function_fault(r, NULL); /* not yet */
            forget_steps(k, c);
        }
        same = memcmp(seen, instance->v, values) == 0;
    }
    instance->stamps.events++;
    if (fine) memcpy(k->phase, others, phases);
    if (!same && c->staggered) memcpy(instance->v, was, values);
    MEM_FREE(seen, was, others);
    return fine;
}

/* Without those that are tasks of their own; first: of first ticks; beside: others have first ticks now. Not 0:
 * failed. */
static int run_ticks(Instance *instance, int b, bool first, bool beside, double t) {
    const BaseClock *base = &instance->program->clocks.base[b];
    Ticks           *k = instance->ticks;
    Running         *r = &k->part[2 * b + first];
    if (k->late && !first && late_begin(k->late, b, r)) return 1;
    if (beside && !agree_first(instance, b, t)) return instance->lacking = true;
    if (run_equations(instance, r, first ? NULL : k->crew, b, t)) return 1;
    for (int s = base->first; k->frames && !first && s < base->first + base->subs; s++)
        if (k->phase[2 * s])
            frames_fold(k->frames, s, k->interval[2 * s], k->frames->due);
    if (ticks_settle(instance, b, r, t)) return 1;
    if (k->late && !first) late_end(k->late, b, t);
    return 0;
}

static Status tick_base(Instance *instance, int b, double t, Fault *fault) {
    const BaseClock *base = &instance->program->clocks.base[b];
    Ticks           *k = instance->ticks;
    if (!clock_is_periodic(base))
        instance->stamps.parameters++; /* the interval changes */
    bool starting = base->starts && choose(instance, b, true, t) > 0;
    for (int first = 0; first <= base->starts; first++) {
        if (!choose(instance, b, first, t)) continue;
        if (run_ticks(instance, b, first, starting && !first, t)) {
            instance_function_fault(&k->part[2 * b + first], fault);
            if (fault) fault->time = t;
            return instance->lacking ? STATUS_NO_MEMORY : STATUS_RETRY;
        }
    }
    if (k->late) late_ahead(k->late, b);
    k->number[b]++;
    if (clock_is_periodic(base)) plan_next(instance, b, k->number[b]);
    if (base->kind != BASE_VARIES) return STATUS_OK;
    /* counted, as those of clocks that do not vary: equal fractions are equal times */
    k->counted[b] += instance_value(instance, base->variable);
    k->when[b] = k->begin + k->counted[b] / (double)base->resolution;
    if (k->when[b] > t) return STATUS_OK;
    if (fault) {
        *fault = fault_none();
        fault->time = t;
        fault->pos = program_declared(instance->program, base->variable);
        fault->what = "the interval of a clock must be larger than zero";
        fault->kind = FAULT_FUNCTION;
    }
    return STATUS_FATAL;
}

void ticks_await(Instance *instance, double t) {
    Ticks *k = instance->ticks;
    bool   due = false;
    for (int b = 0; k && b < instance->program->clocks.bases; b++) due |= k->when[b] <= t;
    if (!due) return;
    k->ticking = true;
    if (k->frames) frames_wait(k->frames, t - k->begin);
    if (k->exchange && !(k->frames && k->frames->rehearsal)) exchange_take(k->exchange);
}

void ticks_over(Instance *instance, double t) {
    Ticks *k = instance->ticks;
    if (!k || !k->ticking) return;
    k->ticking = false;
    if (k->exchange && !(k->frames && k->frames->rehearsal))
        exchange_give(k->exchange, t);
}

bool ticks_exchange(Instance *instance, const char *where, Text *why) {
    if (!instance->ticks) {
        text_add(why, "the model has no clock at whose ticks values could be exchanged");
        return false;
    }
    instance->ticks->exchange = exchange_new(instance, where, why);
    return instance->ticks->exchange != NULL;
}

bool ticks_exchanged(const Instance *instance, ExchangeCounts *counts) {
    if (!instance->ticks || !instance->ticks->exchange) return false;
    *counts = exchange_counts(instance->ticks->exchange);
    return true;
}

Status ticks_run(Instance *instance, double t, bool first_round, Fault *fault) {
    Ticks *k = instance->ticks;
    Status status = STATUS_OK;
    for (int b = 0; k && b < instance->program->clocks.bases && status == STATUS_OK;
         b++) {
        bool due = k->fired[b] || (first_round && k->when[b] <= t);
        k->fired[b] = 0;
        if (due) status = tick_base(instance, b, t, fault);
        if (due && k->frames) frames_end(k->frames);
    }
    return status;
}

bool ticks_look(Instance *instance) {
    Ticks *k = instance->ticks;
    bool   any = false;
    for (int b = 0; k && b < instance->program->clocks.bases; b++) {
        const BaseClock *base = &instance->program->clocks.base[b];
        if (base->kind != BASE_EVENT) continue;
        double now = instance_value(instance, base->variable);
        if (now != 0 && k->held[b] == 0) {
            any = true;
            k->fired[b] = 1;
        }
        k->held[b] = now;
    }
    return any;
}

/* ---- state of a simulation ------------------------------------------------------------------- */

static void each_array(Instance *instance, Bytes *bytes,
                       void (*go)(Bytes *bytes, void *data, size_t n)) {
    const ClockTable *c = &instance->program->clocks;
    Ticks            *k = instance->ticks;
    size_t            bases = (size_t)c->bases, subs = (size_t)c->subs;
    if (!k) return;
    go(bytes, &k->begin, sizeof k->begin);
    go(bytes, k->number, bases * sizeof *k->number);
    go(bytes, k->when, bases * sizeof *k->when);
    go(bytes, k->counted, bases * sizeof *k->counted);
    go(bytes, k->held, bases * sizeof *k->held);
    go(bytes, k->fired, bases);
    go(bytes, k->last, subs * sizeof *k->last);
    go(bytes, k->stage, subs * sizeof *k->stage);
    go(bytes, k->begun, subs);
    go(bytes, k->input, (size_t)c->inputs * sizeof *k->input);
    for (int b = 0; b < 2 * c->bases; b++)
        if (k->part[b].part)
            go(bytes, k->part[b].rb.mode,
               (size_t)k->part[b].part->relations * sizeof *k->part[b].rb.mode);
}

static void put(Bytes *bytes, void *data, size_t n) {
    bytes_put(bytes, data, n);
}

void ticks_save(const Instance *instance, Bytes *to) {
    each_array((Instance *)instance, to, put);
    if (instance->ticks) history_save(instance->ticks->history, to);
}

void ticks_restore(Instance *instance, Bytes *from) {
    each_array(instance, from, bytes_get);
    if (instance->ticks) history_restore(instance, &instance->ticks->history, from);
}
