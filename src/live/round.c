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

/* Left limits in the partitions of these phases take the present values: all, or those of continuous variables
 * alone. True if a discrete variable changed. */
static bool shift_limits(Instance *instance, const int *phase, bool continuous) {
    const Ticks *k = instance->ticks;
    bool         changed = false;
    for (int s = 0; k->iterates && s < instance->program->clocks.subs; s++)
        for (int i = k->keep_start[s]; phase[2 * s] && i < k->keep_start[s + 1]; i++) {
            const Keep *keep = &k->keep[i];
            if (!keep->iterated || (continuous && !keep->continuous)) continue;
            double now = keep->sign * instance->v[keep->at];
            changed |= instance->v[keep->before] != now && !keep->continuous;
            instance->v[keep->before] = now;
        }
    return changed;
}

static bool has_left_limits(const Instance *instance, const int *phase) {
    const Ticks *k = instance->ticks;
    for (int s = 0; k->leads && s < instance->program->clocks.subs; s++)
        for (int i = k->keep_start[s]; phase[2 * s] && i < k->keep_start[s + 1]; i++)
            if (k->keep[i].iterated && k->keep[i].continuous) return true;
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
