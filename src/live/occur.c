/* SPDX-License-Identifier: Apache-2.0 */
/* occur.c -- one round of an event that concerns a part of the model. */
#include "live/local.h"

#include <stdlib.h>
#include <string.h>

/* The event of some relations: of their blocks together. */
static const Effect *event_of(Locals *l, const Instance *instance,
                              const Selection *which) {
    const Plan *plan = instance->plan;
    int         n = selection_count(which, l->relations.count), blocks = 0;
    int        *list = l->list;
    for (int k = 0; k < n; k++) {
        int b =
            plan->st->block_of[plan->item[l->relations.item[selection_row(which, k)]]];
        bool known = false;
        for (int i = 0; i < blocks && !known; i++) known = list[i] == b;
        if (!known) list[blocks++] = b;
    }
    if (blocks == 1) return l->effect[list[0]];
    size_t bytes = (size_t)blocks * sizeof(int);
    if (!l->joint || l->joint_blocks != blocks ||
        memcmp(list, l->joint_block, bytes) != 0) {
        effect_free(l->joint);
        l->joint_blocks = blocks;
        memcpy(l->joint_block, list, bytes);
        l->joint = effect_make(l, instance, l->joint_block, blocks);
    }
    return l->joint;
}

/* Runs the blocks; not 0: failed. */
static int run_blocks(Instance *instance, const Effect *e, bool discrete) {
    instance->part = true;
    for (int k = 0; k < e->runs; k++) {
        const Run *run = &e->run[k];
        if (instance->plan->group[run->group].discrete && !discrete) continue;
        if (instance->image->rows(run->group)(&instance->rb, e->item + run->first,
                                              run->count))
            return instance->part = false, 1;
    }
    instance->part = false;
    for (int k = 0; k < e->moves; k++) { /* actions read derivatives among the values */
        int i = e->moved[k];
        if (instance->plan->written[i])
            instance->rb.v[instance->rate[i]] = instance->dx[i];
    }
    instance->rows += e->rows;
    return instance->rb.failed;
}

static int run_actions(Instance *instance, const Effect *e) {
    int failed = 0;
    for (int k = 0; k < e->acts && !failed; k++) {
        const Run *run = &e->act[k];
        failed = instance->image->action(run->group)(&instance->rb, e->item + run->first,
                                                     run->count);
    }
    instance_reinit(instance, !failed);
    return failed;
}

static double present(const Instance *instance, int pre) {
    const System *sys = instance->plan->st->sys;
    const VarRun *run = &sys->run[system_run_of(sys, pre)];
    return instance_value(instance, sys->run[run->of].first + pre - run->first);
}

/* Left limits take the present values. Did a discrete one change? */
static bool shift(Instance *instance, const int *pre, int n, double t) {
    const System *sys = instance->plan->st->sys;
    bool          changed = false;
    for (int k = 0; k < n; k++) {
        double  now = present(instance, pre[k]), *at = &instance->rb.v[pre[k]];
        VarRun *of = &sys->run[sys->run[system_run_of(sys, pre[k])].of];
        if (!(*at < now || *at > now)) continue;
        changed |= of->kind == VAR_DISCRETE || of->type != TYPE_REAL;
        if (!journal_set(&instance->journal, at, now, t)) abort();
    }
    return changed;
}

/* What the code has written goes through the journal; undo: it never was. */
static bool settle(Instance *instance, double *at, double before, double t, bool undo) {
    double now = *at;
    if (!(now < before || now > before)) return false;
    *at = before;
    if (!undo && !journal_set(&instance->journal, at, now, t)) abort();
    return true;
}

Status locals_event(Instance *instance, double t, double *x, const Selection *which,
                    bool *again) {
    Locals       *l = instance->locals;
    Rb           *c = &instance->rb;
    const Effect *e = event_of(l, instance, which);
    double       *given = l->before, *mode = given + e->givens;
    bool          changed = false;
    cones_forget(instance->cones);
    instance->complete = false;
    for (int k = 0; k < e->inputs; k++)
        c->v[instance->state[e->input[k]]] = x[e->input[k]];
    c->x = x;
    c->dx = instance->dx;
    c->time = t;
    if (!l->again && e->lefts) {
        if (run_blocks(instance, e, false)) return STATUS_RETRY;
        shift(instance, e->left, e->lefts, t);
    }
    for (int k = 0; k < e->givens; k++) given[k] = c->v[e->given[k]];
    for (int k = 0; k < e->relations; k++) mode[k] = c->mode[e->relation[k]];
    c->live = 1;
    instance->settling = true;
    bool failed = run_blocks(instance, e, true) || run_actions(instance, e);
    instance->settling = false;
    c->live = 0;
    instance->stamps.events++;
    for (int k = 0; k < e->givens; k++)
        settle(instance, &c->v[e->given[k]], given[k], t, failed);
    for (int k = 0; k < e->relations; k++)
        changed |= settle(instance, &c->mode[e->relation[k]], mode[k], t, failed);
    l->again = false;
    if (failed) return STATUS_RETRY;
    for (int k = 0; k < e->jumps; k++) x[e->jump[k]] = c->v[instance->state[e->jump[k]]];
    changed |= shift(instance, e->shift, e->shifts, t);
    *again = l->again = changed;
    return STATUS_OK;
}
