/* SPDX-License-Identifier: Apache-2.0 */
/* bounds.c -- min and max of parameters and variables.
 *
 * The specification defines them by an assertion in every variable: min <= value <= max (Modelica
 * 4.9). Libraries have variables that leave their bounds by a little and mean no harm, therefore a
 * variable only warns unless more is asked for. Parameters are looked at once, when they are known: most
 * before the start, those that the start finds (fixed = false) after it. Variables are looked at at the points of the result, that is at events and at output points;
 * there those with bounds are computed even if they are not recorded, and nothing more. They have the
 * errors of the solution, so they may be beyond a bound by an allowance in units of their nominal value
 * and of the bound. One comparison for each variable that has a bound. */
#include "live/live.h"

#include <math.h>
#include <string.h>

typedef struct Bound {
    int    var, run;
    double low, high;
    double least, most; /* with the allowance */
    bool   told;        /* that it is violated */
} Bound;

struct Bounds {
    BoundLevel   level;
    double       share;
    int          count;
    Bound       *bound;  /* of variables */
    OutputEffort effort; /* what they need */
    char         said[300];
};

static double attribute(const Instance *instance, int run, AttributeName name,
                        int element, double otherwise) {
    const Variables *all = &instance->program->variables;
    const Attribute *a = variables_attribute(all, run, name);
    double           value = otherwise;
    if (!a) return otherwise;
    if (a->kind == VALUE_VARIABLE)
        return instance_value(instance, a->index + a->stride * element);
    variables_known(all, run, name, element, &value);
    return value;
}

/* share: of nominal values and bounds, the allowance. */
static Bound bound_of(const Instance *instance, int run, int element, double share) {
    int    var = instance->program->variables.run[run].first + element;
    double nominal = variables_nominal(&instance->program->variables, var);
    double low = attribute(instance, run, ATTR_MIN, element, -HUGE_VAL);
    double high = attribute(instance, run, ATTR_MAX, element, HUGE_VAL);
    return (Bound){.var = var,
                   .run = run,
                   .low = low,
                   .high = high,
                   .least = low - share * fmax(nominal, fabs(low)),
                   .most = high + share * fmax(nominal, fabs(high))};
}

static bool is_parameter(const VarRun *run) {
    return run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT;
}

static bool has_bounds(const Variables *all, int run) {
    return all->run[run].kind <= VAR_INPUT && (variables_attribute(all, run, ATTR_MIN) ||
                                               variables_attribute(all, run, ATTR_MAX));
}

static bool is_outside(const Instance *instance, const Bound *b) {
    double value = instance_value(instance, b->var);
    return value < b->least || value > b->most;
}

/* t: the time of a point inside the last step, NAN of a parameter. */
static void say(Bounds *bounds, const Instance *instance, const Bound *b,
                const Member *member, double t) {
    double value = instance_value(instance, b->var);
    bool   below = value < b->low;
    Text   name = {0};
    char   when[40] = "";
    if (!member) member = instance->incident.member; /* its parameters */
    if (!member) program_name(instance->program, b->var, &name);
    else program_instance_name(instance->program, b->var, member->at, &name);
    if (t == t) snprintf(when, sizeof when, " at time %.9g", t);
    snprintf(bounds->said, sizeof bounds->said, "'%s' is %.9g%s, %s its %s of %.9g",
             text_get(&name), value, when, below ? "below" : "above",
             below ? "min" : "max", below ? b->low : b->high);
    text_free(&name);
}

/* By the level: ends with an error, or warns once. */
static Status violated(Bounds *bounds, Instance *instance, Bound *b, const Member *member,
                       double t, Fault *fault) {
    Pos pos = program_declared(instance->program, b->var);
    if (b->told) return STATUS_OK;
    b->told = true;
    bool parameter =
        is_parameter(&instance->program->variables
                          .run[variables_run(&instance->program->variables, b->var)]);
    say(bounds, instance, b, member, parameter ? NAN : t);
    if (bounds->level == BOUNDS_WARN || (bounds->level == BOUNDS_USUAL && !parameter)) {
        if (instance->say) instance->say(instance->say_owner, pos, t, true, bounds->said);
        return STATUS_OK;
    }
    fault->time = t;
    fault->pos = pos;
    fault->what = bounds->said;
    fault->kind = FAULT_BOUNDS;
    return STATUS_FATAL;
}

/* By variable: does the start find it? What is not fixed, and what depends on that. NULL: no memory. */
static bool *found_at_start(const Program *program) {
    const Variables *all = &program->variables;
    const Part      *part = &program->part[PART_START];
    bool            *found = mem_take((size_t)all->vars + 1, sizeof *found);
    for (int k = 0; found && k < part->items; k++)
        if (part->unknown[k] >= 0) found[part->unknown[k]] = true;
    for (int r = 0; found && r < all->runs; r++)
        for (int i = 0; is_parameter(&all->run[r]) && i < all->run[r].count; i++) {
            double fixed = 1;
            variables_known(all, r, ATTR_FIXED, i, &fixed);
            if (fixed == 0) found[all->run[r].first + i] = true;
        }
    return found;
}

/* Those that are known before the start, or those that it found. */
static Status look_at_parameters(Bounds *bounds, Instance *instance, bool started,
                                 double t, Fault *fault) {
    const Variables *all = &instance->program->variables;
    bool            *found = found_at_start(instance->program);
    Status           status = found ? STATUS_OK : STATUS_NO_MEMORY;
    for (int r = 0; r < all->runs && status == STATUS_OK; r++) {
        if (!has_bounds(all, r) || !is_parameter(&all->run[r])) continue;
        for (int i = 0; i < all->run[r].count && status == STATUS_OK; i++) {
            Bound b = bound_of(instance, r, i, 1e-12);
            if (found[b.var] == started && is_outside(instance, &b))
                status = violated(bounds, instance, &b, NULL, t, fault);
        }
    }
    mem_free(found);
    return status;
}

static int bounded_variables(const Variables *all) {
    int n = 0;
    for (int r = 0; r < all->runs; r++)
        if (has_bounds(all, r) && !is_parameter(&all->run[r])) n += all->run[r].count;
    return n;
}

static void add(Bounds *bounds, const Instance *instance, int run, int element,
                double share) {
    const int var = instance->program->variables.run[run].first + element;
    if (instance->program->reduced.role[var] == ROLE_ABSENT) return;
    bounds->bound[bounds->count++] = bound_of(instance, run, element, share);
    const OutputEffort own = (OutputEffort)instance->common->effort[var];
    if (own > bounds->effort) bounds->effort = own;
}

Status bounds_open(Instance *instance, BoundLevel level, double share, double t,
                   Fault *fault) {
    Bounds *bounds = mem_take(1, sizeof *bounds);
    if (!bounds) return STATUS_NO_MEMORY;
    instance->bounds = bounds;
    *bounds = (Bounds){.level = level, .share = share};
    if (level == BOUNDS_OFF) return STATUS_OK;
    return look_at_parameters(bounds, instance, false, t, fault);
}

Status bounds_started(Instance *instance, double t, Fault *fault) {
    const Variables *all = &instance->program->variables;
    Bounds          *bounds = instance->bounds;
    int              n = bounded_variables(all);
    if (!bounds || bounds->level == BOUNDS_OFF) return STATUS_OK;
    Status status = look_at_parameters(bounds, instance, true, t, fault);
    if (status != STATUS_OK || n == 0) return status;
    bounds->count = 0;
    if (!bounds->bound) bounds->bound = mem_take((size_t)n, sizeof *bounds->bound);
    if (!bounds->bound) return STATUS_NO_MEMORY;
    for (int r = 0; r < all->runs; r++)
        for (int i = 0;
             has_bounds(all, r) && !is_parameter(&all->run[r]) && i < all->run[r].count;
             i++)
            add(bounds, instance, r, i, bounds->share);
    return STATUS_OK;
}

void bounds_close(Instance *instance) {
    if (instance->bounds) mem_free(instance->bounds->bound);
    mem_free(instance->bounds);
    instance->bounds = NULL;
}

bool bounds_any(const Instance *instance) {
    return instance->bounds && instance->bounds->count > 0;
}

static bool is_of(const Instance *instance, const Bound *b, const Member *member) {
    return !member || instance->program->batches.of_run[b->run] == member->family;
}

Status bounds_check(Instance *instance, const Member *member, double t, const double *x,
                    Fault *fault) {
    Bounds *bounds = instance->bounds;
    Status  status = STATUS_OK;
    if (!bounds || !bounds->count) return STATUS_OK;
    if (!instance->complete && instance_evaluate_for(instance, bounds->effort, t, x))
        return STATUS_OK;
    for (int k = 0; k < bounds->count && status == STATUS_OK; k++)
        if (is_of(instance, &bounds->bound[k], member) &&
            is_outside(instance, &bounds->bound[k]))
            status = violated(bounds, instance, &bounds->bound[k], member, t, fault);
    return status;
}
