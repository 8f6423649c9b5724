/* SPDX-License-Identifier: Apache-2.0 */
/* round.c -- event iteration at a tick of clocked partitions.
 *
 * A discretised partition may contain what else happens at events (Modelica 3.6, 16.8.1). As there, a
 * tick takes rounds: equations, then the actions of when-clauses, then pre(x) = x, until no discrete variable
 * changes. If pre() of continuous variables is asked for, one pass before them, with relations as they were,
 * tells their left limits.
 *
 * reinit(x, e) takes the place of the step of x: the next round has x = e instead of x = X + h f, so that
 * all else at this tick follows from the new value (dae/discretise.c has the row).
 *
 * Cost: partitions without pre() and without when-clauses take one round. */
#include "live/tick.h"

enum { ROUNDS = 100 };

static bool is_continuous(const Instance *instance, const ClockShift *shift) {
    const Variables *all = &instance->program->variables;
    return all->run[variables_run(all, shift->now)].kind != VAR_DISCRETE;
}

/* Left limits in the partitions of these phases take the present values; which: all, or those of continuous
 * variables alone. True if a discrete one changed. */
static bool shift_limits(Instance *instance, const int *phase, bool continuous) {
    const ClockTable *c = &instance->program->clocks;
    bool              changed = false;
    for (int i = 0; i < c->shifts; i++) {
        const ClockShift *shift = &c->shift[i];
        if (!shift->left || !c->sub[shift->sub].discretised || !phase[2 * shift->sub])
            continue;
        if (continuous && !is_continuous(instance, shift)) continue;
        double now = instance_value(instance, shift->now);
        changed |= instance->v[shift->before] != now && !is_continuous(instance, shift);
        instance->v[shift->before] = now;
    }
    return changed;
}

static bool has_left_limits(const Instance *instance, const int *phase) {
    const ClockTable *c = &instance->program->clocks;
    for (int i = 0; i < c->shifts; i++)
        if (c->shift[i].left && c->sub[c->shift[i].sub].discretised &&
            phase[2 * c->shift[i].sub] && is_continuous(instance, &c->shift[i]))
            return true;
    return false;
}

/* States that actions have set. True if there are any. */
static bool take_given(Instance *instance) {
    const ClockTable *c = &instance->program->clocks;
    EventState       *e = &instance->event;
    bool              any = false;
    for (int k = 0; k < e->reinits; k++)
        for (int i = 0; i < c->states; i++) {
            const ClockState *s = &c->state[i];
            if (s->var != e->reinit[k].var || s->is_given < 0) continue;
            instance->v[s->given] = e->reinit[k].value;
            instance->v[s->is_given] = 1;
            any = true;
        }
    e->reinits = 0;
    return any;
}

Rounds rounds_begin(const Instance *instance, const int *phase, double t) {
    Rounds r = {.at = moment_at(t), .phase = phase};
    r.leads = has_left_limits(instance, phase);
    for (int s = 0; s < instance->program->clocks.subs; s++) r.first |= phase[2 * s] == 2;
    r.at.live = !r.leads;
    return r;
}

bool rounds_go_on(Rounds *rounds, Instance *instance, Running *r) {
    if (rounds->leads) {
        shift_limits(instance, rounds->phase, true);
        rounds->leads = false;
        rounds->at.live = true;
        return true;
    }
    r->image->actions(&r->rb);
    bool given = take_given(instance), looked = false;
    if (instance->program->clocks.remembers) {
        if (rounds->first) r->image->remember(&r->rb); /* the start of distributions */
        looked = history_again(instance) || (rounds->first && !rounds->count);
    }
    bool again = shift_limits(instance, rounds->phase, false) || given || looked;
    if (again && rounds->count++ == ROUNDS) {
        r->rb.fault_text = "the event iteration in a clocked partition does not settle";
        r->rb.failed = 1;
    }
    return again && !r->rb.failed;
}

void rounds_end(Instance *instance, const int *phase) {
    const ClockTable *c = &instance->program->clocks;
    for (int i = 0; i < c->states; i++)
        if (c->state[i].is_given >= 0 && phase[2 * c->state[i].sub])
            instance->v[c->state[i].is_given] = 0;
}
