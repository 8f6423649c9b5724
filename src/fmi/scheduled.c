/* SPDX-License-Identifier: Apache-2.0 */
/* scheduled.c -- a foreign unit of Scheduled Execution: its partitions are activated when their clocks tick.
 *
 * Time is simulated, so partitions run one after the other: in the order of time, at one time in that of
 * their priority. A clock of a constant interval ticks at start + shift + k interval; one whose interval
 * changes is asked after each of its ticks, a countdown after each tick of any clock. A clock that is
 * triggered from outside ticks at the rows of the given inputs in which its column is not zero. */
#include "fmi/guest.h"

#include <math.h>
#include <string.h>

typedef struct Alarm { /* an input clock */
    const GuestVariable *clock;
    double               next; /* HUGE_VAL: not known */
    double               interval;
    long                 ticks;  /* so far */
    int                  column; /* TICKS_TRIGGERED: of the given inputs, -1 none */
    int                  row;    /* ... the first one not yet looked at */
} Alarm;

typedef struct Schedule {
    Guest      *unit;
    Alarm      *alarm;
    int         alarms;
    double      start;
    SimOutcome *out;
} Schedule;

static Status refused(const Schedule *s, const char *what) {
    s->out->fault.what = s->unit->said.length ? text_get(&s->unit->said) : what;
    return STATUS_FATAL;
}

/* The next tick of a clock whose interval the unit may have told. */
static void ask(Schedule *s, Alarm *a, double t) {
    double interval;
    bool   told;
    if (guest_interval(s->unit, a->clock, &interval, &told) > FMI_WARNING || !told)
        return;
    a->interval = interval;
    a->next = t + interval;
}

/* The next row that triggers a clock. Rows of one time are one tick. */
static void find_trigger(Schedule *s, Alarm *a) {
    const Result *g = &s->unit->given;
    const double  last = a->ticks ? s->out->fault.time : -HUGE_VAL;
    for (; a->column >= 0 && a->row < g->points; a->row++) {
        const double t = g->time[a->row];
        if (t < s->start || t <= last || result_value(g, a->column, a->row) == 0)
            continue;
        a->next = t;
        return;
    }
}

static bool open_schedule(Schedule *s) {
    const GuestDescription *d = &s->unit->d;
    s->alarm = mem_take((size_t)d->variables, sizeof *s->alarm);
    for (int k = 0; s->alarm && k < d->variables; k++) {
        const GuestVariable *v = &d->variable[k];
        if (v->type != GUEST_CLOCK || v->causality != FMU_INPUT || v->alias) continue;
        Alarm *a = &s->alarm[s->alarms++];
        *a = (Alarm){.clock = v, .next = HUGE_VAL, .interval = v->interval};
        if (v->ticks == TICKS_REGULAR && isnan(v->interval)) {
            ask(s, a, 0);
            a->next = HUGE_VAL;
        }
        if (v->ticks == TICKS_REGULAR && a->interval > 0) a->next = s->start + v->shift;
        if (v->ticks == TICKS_CHANGING || v->ticks == TICKS_COUNTDOWN)
            ask(s, a, s->start);
        a->column = -1;
        if (v->ticks == TICKS_TRIGGERED && s->unit->has_given)
            a->column = result_find(&s->unit->given, v->name);
        find_trigger(s, a);
    }
    return s->alarm != NULL;
}

/* What ticks first, at the latest at a time; NULL: nothing. */
static Alarm *first_alarm(const Schedule *s, double until) {
    const double little = 1e-12 * fmax(1, fabs(until));
    Alarm       *best = NULL;
    for (int k = 0; k < s->alarms; k++) {
        Alarm *a = &s->alarm[k];
        if (a->next > until + little) continue;
        const bool same = best && fabs(a->next - best->next) <= little;
        if (!best ||
            (same ? a->clock->priority < best->clock->priority : a->next < best->next))
            best = a;
    }
    return best;
}

static Status tick(Schedule *s, Alarm *a) {
    const double t = a->next;
    s->out->fault.time = t;
    a->next = HUGE_VAL;
    a->ticks++;
    if (a->clock->ticks == TICKS_REGULAR)
        a->next = s->start + a->clock->shift + (double)a->ticks * a->interval;
    if (!guest_put_inputs(s->unit, t, true))
        return refused(s, "the unit refuses an input");
    if (guest_activate(s->unit, a->clock, t) > FMI_WARNING)
        return refused(s, "the unit cannot activate a partition");
    s->out->statistics.ode.steps_accepted++;
    if (a->clock->ticks == TICKS_CHANGING) ask(s, a, t);
    find_trigger(s, a);
    for (int k = 0; k < s->alarms; k++)
        if (s->alarm[k].clock->ticks == TICKS_COUNTDOWN) ask(s, &s->alarm[k], t);
    return STATUS_OK;
}

SimOutcome guest_run_scheduled(Guest *u, const SimOptions *o) {
    SimOutcome out = {.status = STATUS_OK, .fault = fault_none()};
    Schedule   s = {.unit = u, .start = o->start, .out = &out};
    double    *y = mem_take((size_t)selection_count(&o->output, u->columns), sizeof *y);
    double     t = o->start;
    if (!y || !open_schedule(&s)) out.status = STATUS_NO_MEMORY;
    for (long k = 0; out.status == STATUS_OK; k++) {
        t = o->start + (double)k * o->interval;
        if (t > o->stop - 1e-9 * o->interval) t = o->stop;
        for (Alarm *a; out.status == STATUS_OK && (a = first_alarm(&s, t));)
            out.status = tick(&s, a);
        if (out.status != STATUS_OK) break;
        out.status = guest_record(u, o, t, y, &out);
        if (out.status == STATUS_OK && o->progress &&
            !o->progress(o->owner, t, &out.statistics))
            out.status = STATUS_END;
        if (t >= o->stop) break;
    }
    out.time = t;
    mem_free(y);
    mem_free(s.alarm);
    return out;
}
