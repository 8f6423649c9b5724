/* SPDX-License-Identifier: Apache-2.0 */
/* happen.c -- events of the whole model: crossings, one round of event iteration, assertions. */
#include "live/live.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- actions -------------------------------------------------------------------------------- */

/* Values come first, all of them from before any state is set (Modelica 3.6, 8.3.6). */
void happen_reinit(Rb *c, int var, double value) {
    EventState *e = &instance_of(c)->event;
    if (e->reinits == e->reinit_room) {
        int    room = 2 * e->reinit_room + 8;
        Given *more = mem_resize(e->reinit, (size_t)room * sizeof *more);
        if (!more) {
            instance_of(c)->lacking = true;
            c->failed = 1;
            return;
        }
        e->reinit = more;
        e->reinit_room = room;
    }
    e->reinit[e->reinits++] = (Given){var, value};
}

void instance_reinit(Instance *instance, bool fine) {
    EventState *e = &instance->event;
    for (int k = 0; fine && k < e->reinits; k++)
        instance->v[e->reinit[k].var] = e->reinit[k].value;
    e->reinits = 0;
}

void happen_report(Rb *c, int action, int row, int what, double text) {
    Instance *instance = instance_of(c);
    Incident *i = &instance->incident;
    if (i->member && instance->program->batches.of_action[action] != i->member->family)
        return;
    if (what == REPORT_WARNING) {
        cause_warning(instance, action, row, text);
    } else if (what == REPORT_TERMINATE && !i->terminated) {
        i->terminated = action + 1;
        snprintf(i->last_words, sizeof i->last_words, "%s", texts_get(instance, text));
    } else if (what == REPORT_ERROR && !i->violated) {
        i->violated = action + 1;
        i->row = row;
        Text words = {0};
        cause_words(instance, text, &words);
        snprintf(i->said, sizeof i->said, "%s", text_get(&words));
        text_free(&words);
    }
}

const char *instance_last_words(const Instance *instance) {
    return instance->incident.last_words;
}

static Status assertion_fault(const Instance *instance, double t, Fault *fault) {
    const Incident *i = &instance->incident;
    if (!fault) return STATUS_FATAL;
    *fault = fault_none();
    fault->time = t;
    fault->pos = instance->program->action_pos[i->violated - 1];
    fault->what = *i->said ? i->said : "an assertion is violated";
    fault->kind = FAULT_CONDITION;
    return STATUS_FATAL;
}

/* A violation inside a step may come after an event that ends the step earlier. */
Status happen_check(void *self, double t, const double *x, Fault *fault) {
    Instance *instance = self;
    if (!instance->program->info.checked) return STATUS_OK;
    instance->fault = fault;
    if (!instance_knows(instance, t, x))
        instance->counts.rows += instance->common->value_rows;
    if (instance_evaluate(instance, t, x)) {
        instance_function_fault(&instance->run, fault);
        return STATUS_RETRY;
    }
    instance->run.image->checks(&instance->run.rb);
    bool fine = !instance->incident.violated;
    if (!fine) assertion_fault(instance, t, fault);
    instance->incident.violated = 0;
    return fine ? STATUS_OK : STATUS_RETRY;
}

Status happen_check_member(Instance *instance, const Member *member, double t, bool first,
                           Fault *fault) {
    Running *r = &instance->run;
    Moment   at = moment_at(t);
    at.live = at.initial = first;
    instance->fault = fault;
    instance->incident.member = member;
    running_at(r, at);
    r->image->checks(&r->rb);
    if (first) r->image->actions(&r->rb);
    instance_reinit(instance, false);
    bool fine = !instance->incident.violated && !r->rb.failed;
    if (instance->incident.violated) assertion_fault(instance, t, fault);
    else if (r->rb.failed) instance_function_fault(r, fault);
    instance->incident.violated = 0;
    instance->incident.member = NULL;
    return fine ? STATUS_OK : STATUS_FATAL;
}

/* ---- left limits ------------------------------------------------------------------------------ */

/* Left limits take the present values. The first discrete variable that changed, -1: none. */
static int shift(Instance *instance, int count) {
    const LeftLimit *left = instance->common->left;
    int              changed = -1;
    for (int k = 0; k < count; k++) {
        double  now = left[k].sign * instance->v[left[k].at];
        double *pre = &instance->v[left[k].pre];
        if (changed < 0 && left[k].discrete && (*pre < now || *pre > now))
            changed = left[k].of;
        *pre = now;
    }
    if (instance->event.sense) sense_shift(instance->event.sense, count);
    return changed;
}

int shift_left_limits(Instance *instance) {
    return shift(instance, instance->common->lefts - instance->common->clocked);
}

void shift_all_left_limits(Instance *instance) {
    shift(instance, instance->common->lefts);
}

/* At the beginning of an event the left limits of continuous variables are their values. Where the
 * relations before the event do not allow an evaluation any more, they are those of the last point
 * that was recorded. */
static void take_left_limits(Instance *instance, const double *x, Moment at) {
    const Common *c = instance->common;
    instance->counts.rows += instance->common->value_rows;
    instance->counts.values++;
    instance_put_states(instance, x);
    running_at(&instance->run, at);
    int failed = instance->run.image->eval(&instance->run.rb);
    instance_put_rates(instance);
    if (failed) instance_function_fault(&instance->run, NULL);
    for (int k = 0; k < c->lefts - c->clocked; k++)
        if (!c->left[k].discrete)
            instance->v[c->left[k].pre] = c->left[k].sign * instance->v[c->left[k].at];
}

/* ---- crossings ------------------------------------------------------------------------------- */

/* At an event, relations on their border stay on the side that was chosen. */
static void keep_sides(const Instance *instance, const Selection *which, double *z) {
    int           relations = instance->run.part->relations;
    const double *sided = instance->run.sided;
    for (int k = 0, n = selection_count(which, relations); k < n; k++) {
        int i = selection_row(which, k);
        if (i >= relations) continue; /* of the past */
        if (sided[i] != 0 && (z[i] > 0) != (sided[i] > 0))
            z[i] = sided[i] > 0 ? DBL_MIN : 0;
    }
}

Status happen_crossings(void *self, double t, const double *x, const Selection *which,
                        double *z, Fault *fault) {
    Instance *instance = self;
    bool      piece = which->kind != SELECT_ALL && instance->cones && !instance->history;
    int       failed;
    instance->fault = fault;
    instance_notice(instance);
    if (piece) {
        failed = cones_crossings(instance, t, x, which, z);
        instance->counts.crossing_rows += which->count;
    } else { /* all are computed: each costs one subtraction */
        instance->counts.rows += instance->common->value_rows;
        failed = instance_evaluate(instance, t, x);
        instance->counts.values++;
        if (!failed) instance->run.image->crossings(&instance->run.rb, z);
        if (!failed) history_crossings(instance, z + instance->run.part->relations);
        instance->counts.crossing_rows += instance->model.nz;
    }
    if (failed) {
        instance_function_fault(&instance->run, fault);
        return instance->lacking ? STATUS_NO_MEMORY : STATUS_RETRY;
    }
    if (t == instance->event.time) keep_sides(instance, which, z);
    return STATUS_OK;
}

Status happen_ahead(void *self, double t, const double *x, const Selection *which,
                    double *z, Fault *fault) {
    Instance *instance = self;
    (void)x, (void)fault;
    running_at(&instance->run, moment_at(t));
    instance->run.image->ahead(&instance->run.rb, z);
    instance->counts.crossing_rows += selection_count(which, instance->model.nz);
    if (t == instance->event.time) keep_sides(instance, which, z);
    return STATUS_OK;
}

/* ---- one round of an event -------------------------------------------------------------------- */

/* The first relation that changed in this round, -1: none. Values that are no numbers do not
 * count: they would differ in every round. */
static int changed_mode(const Instance *instance) {
    for (int i = 0; i < instance->run.part->relations; i++) {
        double a = instance->event.before[i], b = instance->run.rb.mode[i];
        if (a < b || a > b) return i;
    }
    return -1;
}

/* For the case that the rounds do not end. */
static void name_change(const Instance *instance, int variable, int relation,
                        Fault *fault) {
    const Program *p = instance->program;
    if (!fault) return;
    fault->relation = relation;
    fault->variable = variable;
    int item =
        variable >= 0 ? part_item_of(&p->part[PART_RUN], p->reduced.alias[variable]) : -1;
    if (item < 0) return;
    fault->row = item;
    fault->pos = p->part[PART_RUN].pos[item];
}

/* Equations with live relations, then actions; not 0: failed. */
static int settle(Instance *instance, Moment at, bool first_ever, Fault *fault) {
    Running *r = &instance->run;
    at.live = true;
    running_at(r, at);
    int failed = r->image->events(&r->rb);
    instance->counts.rows += instance->common->event_rows;
    instance->counts.rounds++;
    instance_put_rates(instance);
    if (failed) {
        instance_function_fault(r, fault);
    } else {
        if (instance->event.sense) sense_round(instance->event.sense);
        at.initial = first_ever; /* actions of the start, once */
        running_at(r, at);
        r->image->checks(&r->rb);
        r->image->actions(&r->rb);
        if (instance->event.sense) sense_turns(instance->event.sense);
        instance_reinit(instance, !r->rb.failed);
    }
    instance->stamps.events++;
    if (r->rb.failed) { /* of a called function */
        instance_function_fault(r, fault);
        failed = 1;
    }
    return failed;
}

/* Do the relations agree with the values that they were settled with? Relations that were kept on
 * one side of their border do. For builds that check everything: it evaluates all once more. */
static inline bool is_consistent(Instance *instance, double t) {
    Running *r = &instance->run;
    Moment   at = moment_at(t);
    size_t   bytes = (size_t)r->part->relations * sizeof(double);
    bool     fine = true;
    at.terminal = instance->event.final;
    memcpy(instance->event.before, r->rb.mode, bytes);
    at.live = true;
    running_at(r, at);
    if (r->image->events(&r->rb)) return true;
    for (int i = 0; i < r->part->relations; i++)
        fine &= r->sided[i] != 0 || instance->event.before[i] == r->rb.mode[i];
    memcpy(r->rb.mode, instance->event.before, bytes);
    return fine;
}

void event_round_begins(EventState *e, bool first) {
    if (first) e->strict = false;
    e->stepped = false;
    e->stepping = !e->strict;
}

bool event_round_ends(EventState *e) {
    e->stepping = false;
    return e->stepped;
}

static Status whole_event(Instance *instance, double t, double *x, EventKind kind,
                          bool *again, Fault *fault) {
    size_t bytes = (size_t)instance->run.part->relations * sizeof(double);
    Moment at = moment_at(t);
    bool   ends = kind == EVENT_FINAL && !instance->event.final;
    at.tick = t != instance->event.time; /* sample() is true in the first round only */
    at.before = instance->event.time;
    instance->event.time = t;
    instance->fault = fault;
    if (at.tick && kind == EVENT_START) ticks_begin(instance, t);
    if (at.tick) ticks_await(instance, t);
    instance_put_states(instance, x);
    if (at.tick && kind != EVENT_START) take_left_limits(instance, x, at);
    at.terminal = instance->event.final = kind == EVENT_FINAL;
    memcpy(instance->event.before, instance->run.rb.mode, bytes);
    if (at.tick) memset(instance->run.sided, 0, bytes);
    instance->event.right_time = t;
    Status ticked_well = ticks_run(instance, t, at.tick, fault);
    if (ticked_well != STATUS_OK) return ticked_well;
    running_at(&instance->run, at);
    history_arrive(instance);
    event_round_begins(&instance->event, at.tick);
    int  failed = settle(instance, at, kind == EVENT_START && at.tick, fault);
    bool stepped = event_round_ends(&instance->event);
    if (instance->lacking) return STATUS_NO_MEMORY;
    if (failed) return STATUS_RETRY;
    if (instance->incident.violated) return assertion_fault(instance, t, fault);
    const States *s = &instance->program->states;
    for (int i = 0; i < s->count; i++) x[i] = instance->v[s->var[i]];
    bool ticked = at.tick && instance->run.part->relations; /* a tick must fall back */
    int  moved = shift_left_limits(instance), mode = changed_mode(instance);
    bool more = moved >= 0 || ticked || mode >= 0 || !history_settled(instance) ||
                (ends && instance->program->info.terminal);
    more |= ticks_look(instance) || stepped;
    if (stepped) instance->event.strict = moved < 0;
    if (!more && instance->history) {
        running_at(&instance->run, moment_at(t));
        history_note(instance, NULL);
        if (instance->run.rb.failed) {
            instance_function_fault(&instance->run, fault);
            return STATUS_FATAL;
        }
    }
    if (!more) ticks_over(instance, t);
    if (!more) texts_sweep(instance);
    /* cppcheck-suppress assertWithSideEffect; it puts back what it changes */
    ASSERT_SLOWLY(more || is_consistent(instance, t));
    if (again) *again = more;
    if (moved >= 0 || mode >= 0) name_change(instance, moved, mode, fault);
    return instance->incident.terminated ? STATUS_END : STATUS_OK;
}

Status happen_event(void *self, double t, double *x, EventKind kind,
                    const Selection *which, bool *again, Fault *fault) {
    Instance *instance = self;
    instance_notice(instance);
    if (which->kind == SELECT_ALL || !instance->local)
        return whole_event(instance, t, x, kind, again, fault);
    instance->fault = fault;
    Status status = local_event(instance, t, x, which, again);
    if (status != STATUS_OK) instance_function_fault(&instance->run, fault);
    return status;
}
