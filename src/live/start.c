/* SPDX-License-Identifier: Apache-2.0 */
/* start.c -- the values of a model before its first step: numbers of its attributes, parameters
 * computed from others, and the solution of the initial system. */
#include "live/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes ------------------------------------------------------------------------------- */

/* What nothing in the model computes. Inputs keep their start values until somebody sets them. */
static bool is_known(const VarRun *run) {
    return run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT ||
           run->kind == VAR_INPUT;
}

void start_known(Instance *instance) {
    const Variables *all = &instance->program->variables;
    for (int r = 0; r < all->runs; r++) {
        const VarRun *run = &all->run[r];
        if (!is_known(run)) continue;
        for (int i = 0; i < run->count; i++) {
            double value = 0;
            if (!variables_known(all, r, ATTR_BINDING, i, &value))
                variables_known(all, r, ATTR_START, i, &value);
            instance->v[run->first + i] = value;
        }
    }
}

/* A value that is that of another variable. */
static void take(Instance *instance, int to, int from, double sign) {
    instance->v[to] = sign * instance->v[from];
    if (instance->event.sense) sense_copy(instance->event.sense, to, from, sign);
}

void instance_put(Instance *instance, int var, double value) {
    const Reduced *r = &instance->program->reduced;
    instance->v[r->alias[var]] = r->sign[var] * value;
    instance_stamp(instance);
}

bool instance_set(Instance *instance, int var, double value) {
    size_t n = (size_t)instance->givens + 1;
    Given *more = mem_resize(instance->given, n * sizeof *more);
    if (!more) return false;
    instance->given = more;
    if (!instance->is_given)
        instance->is_given = mem_take((size_t)instance->program->variables.vars, 1);
    if (!instance->is_given) return false;
    instance->given[instance->givens++] = (Given){var, value};
    instance->is_given[var] = 1;
    instance_put(instance, var, value);
    return true;
}

/* Parameters bound to another parameter, whose value may have been computed, or without a
 * binding those whose start value is that of another. */
static void copy_bound(Instance *instance) {
    const Program   *p = instance->program;
    const Variables *all = &p->variables;
    for (int r = 0; r < all->runs; r++) {
        const Attribute *a = variables_attribute(all, r, ATTR_BINDING);
        if (!a && is_known(&all->run[r]) && !p->reduced.computed[r])
            a = variables_attribute(all, r, ATTR_START);
        if (!a || a->kind != VALUE_VARIABLE) continue;
        for (int i = 0; i < all->run[r].count; i++)
            take(instance, all->run[r].first + i, a->index + a->stride * i, 1);
    }
}

void start_values(Instance *instance) {
    const Program   *p = instance->program;
    const Variables *all = &p->variables;
    for (int v = 0; v < all->vars; v++) {
        if (p->reduced.role[v] != ROLE_UNKNOWN && p->reduced.role[v] != ROLE_STATE)
            continue;
        int              from = p->reduced.start_from[v], run = variables_run(all, from);
        int              element = from - all->run[run].first;
        const Attribute *a = variables_attribute(all, run, ATTR_START);
        double           value = 0;
        if (a && a->kind == VALUE_VARIABLE) {
            take(instance, v, a->index + a->stride * element, p->reduced.sign[from]);
            continue;
        }
        if (a) variables_known(all, run, ATTR_START, element, &value);
        instance->v[v] = p->reduced.sign[from] * value;
    }
    for (int i = 0; i < instance->givens; i++) /* from outside: they come last */
        instance_put(instance, instance->given[i].var, instance->given[i].value);
    if (instance->event.sense) sense_seed(instance->event.sense);
}

/* ---- the other parts --------------------------------------------------------------------------- */

/* Everything of a part, once; not 0: failed. States are unknowns like others. */
static int run_part(Running *r, Moment at) {
    Instance *instance = r->instance;
    at.live = true;
    r->rb.x = r->rb.dx = NULL;
    running_at(r, at);
    instance->complete = true;
    int failed = r->image->events(&r->rb);
    if (failed) instance_function_fault(r, instance->fault);
    instance_stamp(instance);
    return failed;
}

/* Every Real constant and parameter is a finite number, whether anything reads it or not. */
static bool all_finite(const Instance *instance, Fault *fault) {
    const Variables *all = &instance->program->variables;
    for (int r = 0; r < all->runs; r++) {
        const VarRun *run = &all->run[r];
        if (run->type != TYPE_REAL ||
            (run->kind != VAR_PARAMETER && run->kind != VAR_CONSTANT))
            continue;
        for (int i = 0; i < run->count; i++) {
            double value = instance->v[run->first + i];
            if (isfinite(value)) continue;
            if (!fault) return false;
            *fault = fault_none();
            fault->pos = run->pos;
            fault->row = 0; /* the variable is one of the model */
            fault->variable = run->first + i;
            fault->what =
                isnan(value) ? "the value is not a number" : "the value is not finite";
            fault->kind = FAULT_VALUE;
            return false;
        }
    }
    return true;
}

/* What is computed from parameters with fixed = false is found by the start. Until then its value is a guess, and
 * where the formula has no value for the guesses of these, it is 0. */
static void guess_open(Instance *instance) {
    const Program   *p = instance->program;
    const Variables *all = &p->variables;
    for (int r = 0; r < all->runs; r++) {
        const VarRun *run = &all->run[r];
        if (run->kind != VAR_PARAMETER || run->type != TYPE_REAL) continue;
        for (int v = run->first; v < run->first + run->count; v++)
            if (!isfinite(instance->v[v]) && part_item_of(&p->part[PART_START], v) >= 0)
                instance->v[v] = 0;
    }
}

/* Parameters that are computed from others, if there are any. */
static Status run_bindings(Instance *instance) {
    Running r;
    Status  status = STATUS_NO_MEMORY;
    if (!instance->common->binary[PART_BINDINGS]) return STATUS_OK;
    if (running_open(&r, instance, PART_BINDINGS)) {
        r.rb.given = instance->is_given;
        status = run_part(&r, moment_at(0)) ? STATUS_FATAL : STATUS_OK;
        if (status == STATUS_OK && instance->event.sense)
            sense_part(instance->event.sense, &r);
    }
    running_close(&r);
    return status;
}

Status instance_bind(Instance *instance, Fault *fault) {
    instance->fault = fault;
    if (instance->event.sense) sense_seed(instance->event.sense);
    const Status status = run_bindings(instance);
    if (status != STATUS_OK) return status;
    copy_bound(instance);
    guess_open(instance);
    if (!all_finite(instance, fault)) return STATUS_FATAL;
    start_values(instance);
    return STATUS_OK;
}

/* ---- initialisation ----------------------------------------------------------------------- */

/* Left limits of discrete variables start with the start values. */
static void start_left_limits(Instance *instance) {
    const Variables *all = &instance->program->variables;
    const Reduced   *reduced = &instance->program->reduced;
    for (int r = 0; r < all->runs; r++) {
        const VarRun *run = &all->run[r];
        if (run->kind != VAR_PRE && run->kind != VAR_PREVIOUS) continue;
        for (int i = 0; i < run->count; i++) {
            const int of = all->run[run->of].first + i;
            take(instance, run->first + i, reduced->alias[of], reduced->sign[of]);
        }
    }
}

/* From the simplified model (lambda 0) to the actual one (1), with steps that halve where there is
 * no solution and double where there is one. Not 0: the path ends before. */
static int follow_homotopy(Running *r, Moment at) {
    double *v = r->instance->v, step = 0.25, reached = 0;
    size_t  bytes = (size_t)r->instance->program->variables.vars * sizeof(double);
    double *good = mem_take(bytes, 1);
    if (!good) return 1;
    at.lambda = 0;
    int failed = run_part(r, at);
    while (!failed && reached < 1) {
        memcpy(good, v, bytes);
        at.lambda = fmin(1, reached + step);
        while ((failed = run_part(r, at)) && step > 1e-3) {
            memcpy(v, good, bytes);
            step /= 2;
            at.lambda = fmin(1, reached + step);
        }
        reached = at.lambda;
        step *= 2;
    }
    mem_free(good);
    return failed;
}

static int solve_start(Running *r, double t) {
    Instance *instance = r->instance;
    Moment    at = moment_at(t);
    at.initial = true;
    /* who writes a simplified model means the solution that it leads to */
    if (instance->program->info.homotopy && follow_homotopy(r, at) == 0) return 0;
    start_values(instance);
    start_left_limits(instance);
    return run_part(r, at);
}

Status instance_initialise(Instance *instance, double t, Fault *fault) {
    Running r;
    Status  status = STATUS_NO_MEMORY;
    start_left_limits(instance);
    instance->fault = fault;
    if (running_open(&r, instance, PART_START)) {
        status = solve_start(&r, t) ? STATUS_FATAL : STATUS_OK;
        if (status == STATUS_OK && instance->event.sense)
            sense_part(instance->event.sense, &r);
        if (status != STATUS_OK && instance->report) cause_loop_study(instance);
    }
    running_close(&r);
    if (instance->lacking) status = STATUS_NO_MEMORY;
    if (status != STATUS_OK) return status;
    if (!all_finite(instance, fault)) return STATUS_FATAL;
    shift_all_left_limits(instance);
    return bounds_started(instance, t, fault);
}
