/* SPDX-License-Identifier: Apache-2.0 */
/* occur.c -- one round of an event that concerns a part of the model (see program/effect.c). */
#include "live/live.h"

#include <stdlib.h>
#include <string.h>

struct Local {
    EffectWork work;
    Effect     joint;                     /* of several blocks: the last one */
    int       *joint_block, joint_blocks; /* 0: none */
    int       *block;                     /* work: by relation */
    bool       again;                     /* the last round asked for another one */
    double    *before;                    /* values at the beginning of a round */
};

Local *local_new(const Instance *instance) {
    const Program *p = instance->program;
    size_t         vars = (size_t)p->variables.vars;
    size_t         relations = (size_t)p->part[PART_RUN].relations;
    Local         *l = mem_take(1, sizeof *l);
    if (!l) return NULL;
    l->before = mem_take(vars + relations, sizeof(double));
    l->joint_block = mem_take(relations, sizeof(int));
    l->block = mem_take(relations, sizeof(int));
    if (effect_work_open(&l->work, p) && l->before && l->joint_block && l->block)
        return l;
    local_free(l);
    return NULL;
}

void local_free(Local *l) {
    if (!l) return;
    effect_work_close(&l->work);
    MEM_FREE(l->before, l->joint_block, l->block, l);
}

/* The event of some relations: of their blocks together. False: no memory. */
static bool event_of(Local *l, const Program *p, const Selection *which, Effect *out) {
    const Part *run = &p->part[PART_RUN];
    int         n = selection_count(which, run->relations), blocks = 0;
    int        *list = l->block;
    for (int k = 0; k < n; k++) {
        int  b = run->block[run->relation_item[selection_row(which, k)]];
        bool known = false;
        for (int i = 0; i < blocks && !known; i++) known = list[i] == b;
        if (!known) list[blocks++] = b;
    }
    if (blocks == 1) {
        *out = effect_read(p->graph.effect.to + p->graph.effect.start[list[0]]);
        return true;
    }
    size_t bytes = (size_t)blocks * sizeof(int);
    if (l->joint_blocks != blocks || memcmp(list, l->joint_block, bytes) != 0) {
        l->joint_blocks = 0;
        if (!effect_make(&l->work, p, list, blocks, &l->joint)) return false;
        l->joint_blocks = blocks;
        memcpy(l->joint_block, list, bytes);
    }
    *out = l->joint;
    return true;
}

/* Runs the blocks; not 0: failed. */
static int run_blocks(Instance *instance, const Effect *e, Moment at, bool discrete) {
    const Program *p = instance->program;
    Running       *r = &instance->run;
    at.piece = true;
    running_at(r, at);
    for (int k = 0; k < e->runs; k++) {
        const RowRun *run = &e->run[k];
        if (r->part->group[run->group].discrete && !discrete) continue;
        if (r->image->rows(run->group)(&r->rb, e->item + run->first, run->count))
            return 1;
    }
    for (int k = 0; k < e->moves; k++) { /* actions read derivatives among the values */
        int i = e->moved[k];
        if (p->states.written[i]) instance->v[p->states.rate[i]] = instance->dx[i];
    }
    instance->counts.rows += e->rows;
    return r->rb.failed;
}

static int run_actions(Instance *instance, const Effect *e) {
    Running *r = &instance->run;
    int      failed = 0;
    for (int k = 0; k < e->acts && !failed; k++) {
        const RowRun *run = &e->act[k];
        failed = r->image->action(run->group)(&r->rb, e->item + run->first, run->count);
    }
    instance_reinit(instance, !failed);
    return failed;
}

/* Through the journal; false: no memory. */
static bool change(Instance *instance, double *at, double value, double t) {
    if (journal_set(&instance->journal, at, value, t)) return true;
    instance->lacking = true;
    return false;
}

/* Left limits take the present values. Did a discrete one change? */
static bool shift(Instance *instance, const int *pre, int n, double t) {
    const Variables *all = &instance->program->variables;
    bool             changed = false;
    for (int k = 0; k < n; k++) {
        const VarRun *run = &all->run[variables_run(all, pre[k])];
        const VarRun *of = &all->run[run->of];
        double        now = instance_value(instance, of->first + pre[k] - run->first);
        double       *at = &instance->v[pre[k]];
        if (!(*at < now || *at > now)) continue;
        changed |= run_is_discrete(of);
        change(instance, at, now, t);
    }
    return changed;
}

/* What the code has written goes through the journal; undo: it never was. */
static bool settle(Instance *instance, double *at, double before, double t, bool undo) {
    double now = *at;
    if (!(now < before || now > before)) return false;
    *at = before;
    if (!undo) change(instance, at, now, t);
    return true;
}

Status local_event(Instance *instance, double t, double *x, const Selection *which,
                   bool *again) {
    Local     *l = instance->local;
    Rb        *c = &instance->run.rb;
    const int *var = instance->program->states.var;
    Effect     e;
    Moment     at = moment_at(t);
    bool       changed = false;
    if (!event_of(l, instance->program, which, &e)) return STATUS_NO_MEMORY;
    double *given = l->before, *mode = given + e.givens;
    cones_forget(instance->cones);
    instance->complete = false;
    for (int k = 0; k < e.inputs; k++) c->v[var[e.input[k]]] = x[e.input[k]];
    c->x = x;
    c->dx = instance->dx;
    if (!l->again && e.lefts) {
        if (run_blocks(instance, &e, at, false)) return STATUS_RETRY;
        shift(instance, e.left, e.lefts, t);
    }
    for (int k = 0; k < e.givens; k++) given[k] = c->v[e.given[k]];
    for (int k = 0; k < e.relations; k++) mode[k] = c->mode[e.relation[k]];
    at.live = true;
    event_round_begins(&instance->event, !l->again);
    bool failed = run_blocks(instance, &e, at, true) || run_actions(instance, &e);
    bool stepped = event_round_ends(&instance->event);
    instance->stamps.events++;
    for (int k = 0; k < e.givens; k++)
        settle(instance, &c->v[e.given[k]], given[k], t, failed);
    for (int k = 0; k < e.relations; k++)
        changed |= settle(instance, &c->mode[e.relation[k]], mode[k], t, failed);
    l->again = false;
    if (instance->lacking) return STATUS_NO_MEMORY;
    if (failed) return STATUS_RETRY;
    for (int k = 0; k < e.jumps; k++) x[e.jump[k]] = c->v[var[e.jump[k]]];
    bool moved = shift(instance, e.shift, e.shifts, t);
    if (stepped) instance->event.strict = !moved;
    *again = l->again = changed || moved || stepped;
    return STATUS_OK;
}
