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

enum { ROUNDS = 100 }; /* of event iteration inside a discretised partition */

/* ---- opening --------------------------------------------------------------------------------- */

static bool take(Ticks *k, const ClockTable *c) {
    size_t bases = (size_t)c->bases, subs = (size_t)c->subs;
    k->part = mem_take(2 * bases, sizeof *k->part);
    k->number = mem_take(bases, sizeof *k->number);
    k->when = mem_take(bases, sizeof *k->when);
    k->held = mem_take(bases, sizeof *k->held);
    k->fired = mem_take(bases, 1);
    k->phase = mem_take(4 * subs, sizeof *k->phase);
    k->interval = mem_take(2 * subs, sizeof *k->interval);
    k->last = mem_take(subs, sizeof *k->last);
    k->stage = mem_take(subs, sizeof *k->stage);
    k->begun = mem_take(subs, 1);
    k->input = mem_take((size_t)c->inputs, sizeof *k->input);
    k->advanced = mem_take((size_t)c->states, sizeof *k->advanced);
    k->work = mem_take(4 * (size_t)c->states + (size_t)c->inputs, sizeof *k->work);
    k->external = mem_take(subs, sizeof *k->external);
    return k->external && k->part && k->number && k->when && k->held && k->fired &&
           k->phase && k->interval && k->last && k->stage && k->begun && k->input &&
           k->advanced && k->work;
}

bool ticks_open(Instance *instance) {
    const ClockTable *c = &instance->program->clocks;
    if (!c->bases) return true;
    Ticks *k = instance->ticks = mem_take(1, sizeof *k);
    if (!k || !take(k, c)) return false;
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
    for (int b = 0; k->part && b < 2 * instance->program->clocks.bases; b++)
        running_close(&k->part[b]);
    steps_close(k, instance->program->clocks.subs);
    MEM_FREE(k->part, k->number, k->when, k->held, k->fired, k->phase, k->interval,
             k->last, k->stage, k->begun, k->input, k->advanced, k->work, k->external, k);
    instance->ticks = NULL;
}

/* ---- times ------------------------------------------------------------------------------------- */

static double seconds(const BaseClock *base, int64_t ticks) {
    double exact = (double)ticks * (double)base->count;
    if (exact < 9e15) exact = (double)(ticks * base->count);
    double t = exact / (double)base->resolution;
    return base->kind == BASE_REAL ? t * base->period : t;
}

static bool is_periodic(const BaseClock *base) {
    return base->kind == BASE_RATIONAL || base->kind == BASE_REAL;
}

static bool is_due(const SubClock *sub, int64_t number) {
    return number >= sub->offset && (number - sub->offset) % sub->every == 0;
}

/* The next number at which some sub-clock partition ticks, from `number` on. */
static int64_t next_due(const ClockTable *c, const BaseClock *base, int64_t number) {
    int64_t least = INT64_MAX;
    for (int s = base->first; s < base->first + base->subs; s++) {
        const SubClock *sub = &c->sub[s];
        int64_t         behind = number - sub->offset, at = sub->offset;
        if (behind > 0) at += (behind + sub->every - 1) / sub->every * sub->every;
        if (at < least) least = at;
    }
    return least;
}

static void plan_next(const Instance *instance, int b, int64_t from) {
    const ClockTable *c = &instance->program->clocks;
    Ticks            *k = instance->ticks;
    k->number[b] = next_due(c, &c->base[b], from);
    k->when[b] = k->begin + seconds(&c->base[b], k->number[b]);
}

void ticks_begin(Instance *instance, double t) {
    const ClockTable *c = &instance->program->clocks;
    Ticks            *k = instance->ticks;
    if (!k) return;
    k->begin = t;
    for (int b = 0; b < c->bases; b++) {
        const BaseClock *base = &c->base[b];
        k->when[b] = base->kind == BASE_EVENT ? HUGE_VAL : t;
        if (is_periodic(base)) plan_next(instance, b, 0);
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

/* Which sub-clock partitions tick at tick `number`; first: of those that do so for the first time,
 * else of all others. Returns how many. */
static int choose(Instance *instance, int b, bool first, double t) {
    const ClockTable *c = &instance->program->clocks;
    const BaseClock  *base = &c->base[b];
    Ticks            *k = instance->ticks;
    int               count = 0;
    for (int s = base->first; s < base->first + base->subs; s++) {
        double length = seconds(base, c->sub[s].every);
        if (base->kind == BASE_EVENT)
            length = k->begun[s] ? t - k->last[s] : base->period;
        if (base->kind == BASE_VARIES && k->begun[s]) length = t - k->last[s];
        bool due = is_due(&c->sub[s], k->number[b]);
        bool mine = due && (!base->starts || first == !k->begun[s]);
        k->phase[2 * s] = k->phase[2 * s + 1] = mine ? (k->begun[s] ? 1 : 2) : 0;
        k->interval[2 * s] = k->interval[2 * s + 1] = length;
        count += mine;
    }
    return count;
}

/* Left limits in discretised partitions take the present values; true if one changed. */
static bool shift_limits(Instance *instance) {
    const ClockTable *c = &instance->program->clocks;
    bool              changed = false;
    for (int i = 0; i < c->shifts; i++) {
        const ClockShift *shift = &c->shift[i];
        if (!shift->left || !c->sub[shift->sub].discretised ||
            !instance->ticks->phase[2 * shift->sub])
            continue;
        double now = instance_value(instance, shift->now);
        changed |= instance->v[shift->before] != now &&
                   instance->program->variables
                           .run[variables_run(&instance->program->variables, shift->now)]
                           .kind == VAR_DISCRETE;
        instance->v[shift->before] = now;
    }
    return changed;
}

/* The equations of those that were chosen; not 0: failed. */
static int run_equations(Instance *instance, Running *r, double t) {
    Moment at = moment_at(t);
    bool   again = true;
    at.live = true;
    instance->stamps.events++;
    for (int round = 0; again; round++) {
        running_at(r, at);
        for (int g = 0; g < r->part->groups; g++)
            if (r->rb.ticks[r->part->group[g].phase])
                instance->counts.rows += r->part->group[g].count * r->part->group[g].size;
        if (r->image->events(&r->rb)) return 1;
        again = shift_limits(instance);
        if (round == ROUNDS) {
            r->rb.fault_text =
                "the event iteration in a clocked partition does not settle";
            return 1;
        }
    }
    r->image->checks(&r->rb);
    r->image->actions(&r->rb);
    return r->rb.failed;
}

/* What the next tick will ask for. */
static void keep_values(Instance *instance, double t) {
    const ClockTable *c = &instance->program->clocks;
    Ticks            *k = instance->ticks;
    for (int i = 0; i < c->shifts; i++)
        if (k->phase[2 * c->shift[i].sub])
            instance->v[c->shift[i].before] = instance_value(instance, c->shift[i].now);
    for (int i = 0; i < c->inputs; i++)
        if (k->phase[2 * c->input[i].sub]) k->input[i] = instance->v[c->input[i].var];
    for (int s = 0; s < c->subs; s++) {
        if (!k->phase[2 * s]) continue;
        k->begun[s] = 1;
        k->last[s] = t;
        k->phase[2 * s] = k->phase[2 * s + 1] = 0;
    }
}

static Status tick_base(Instance *instance, int b, double t, Fault *fault) {
    const BaseClock *base = &instance->program->clocks.base[b];
    Ticks           *k = instance->ticks;
    if (!is_periodic(base)) instance->stamps.parameters++; /* the interval changes */
    for (int first = 0; first <= base->starts; first++) {
        Running *r = &k->part[2 * b + first];
        if (!choose(instance, b, first, t)) continue;
        if (run_equations(instance, r, t)) {
            instance_function_fault(r, fault);
            if (fault) fault->time = t;
            return instance->lacking ? STATUS_NO_MEMORY : STATUS_RETRY;
        }
        keep_values(instance, t);
    }
    k->number[b]++;
    if (is_periodic(base)) plan_next(instance, b, k->number[b]);
    if (base->kind != BASE_VARIES) return STATUS_OK;
    double count = instance_value(instance, base->variable);
    k->when[b] = t + count / (double)base->resolution;
    if (k->when[b] > t) return STATUS_OK;
    if (fault) {
        *fault = fault_none();
        fault->time = t;
        fault->pos = program_declared(instance->program, base->variable);
        fault->what = "the interval of a clock must be larger than zero";
    }
    return STATUS_FATAL;
}

Status ticks_run(Instance *instance, double t, bool first_round, Fault *fault) {
    Ticks *k = instance->ticks;
    Status status = STATUS_OK;
    for (int b = 0; k && b < instance->program->clocks.bases && status == STATUS_OK;
         b++) {
        bool due = k->fired[b] || (first_round && k->when[b] <= t);
        k->fired[b] = 0;
        if (due) status = tick_base(instance, b, t, fault);
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

/* ---- state of a simulation ----------------------------------------------------------------------------- */

static void each_array(Instance *instance, Bytes *bytes,
                       void (*go)(Bytes *bytes, void *data, size_t n)) {
    const ClockTable *c = &instance->program->clocks;
    Ticks            *k = instance->ticks;
    size_t            bases = (size_t)c->bases, subs = (size_t)c->subs;
    if (!k) return;
    go(bytes, &k->begin, sizeof k->begin);
    go(bytes, k->number, bases * sizeof *k->number);
    go(bytes, k->when, bases * sizeof *k->when);
    go(bytes, k->held, bases * sizeof *k->held);
    go(bytes, k->fired, bases);
    go(bytes, k->last, subs * sizeof *k->last);
    go(bytes, k->stage, subs * sizeof *k->stage);
    go(bytes, k->begun, subs);
    go(bytes, k->input, (size_t)c->inputs * sizeof *k->input);
}

static void put(Bytes *bytes, void *data, size_t n) {
    bytes_put(bytes, data, n);
}

void ticks_save(const Instance *instance, Bytes *to) {
    each_array((Instance *)instance, to, put);
}

void ticks_restore(Instance *instance, Bytes *from) {
    each_array(instance, from, bytes_get);
}
