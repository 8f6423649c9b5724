/* SPDX-License-Identifier: Apache-2.0 */
/* sensitive.c -- derivatives of all variables with respect to some parameters and start values, integrated along
 * with the states (live/sense.c). */
#include "api/api.h"

#include "live/sense.h"

#include <math.h>

/* What jumps and what else is integrated is that of one rate and of one's own method. */
static const char *options_refuse(const RbSimulation *s) {
    if (s->options.rates > 1) return "with several rates there are no sensitivities";
    if (s->options.link && s->options.link->size > 1)
        return "a model over several processes has no sensitivities";
    Method *method = s->options.method ? method_new(s->method_names.data) : NULL;
    bool    rosenbrock = method && method->kind == METHOD_ROSENBROCK;
    method_free(method);
    return rosenbrock ? "Rosenbrock methods need second derivatives for sensitivities"
                      : NULL;
}

/* Sensitivities are integrated in units of what the parameter is: they have the size of the states then. */
static double size_of(const RbSimulation *s, int var) {
    const double value = fabs(instance_value(&s->instance, var));
    return value > 0 ? value : 1;
}

/* A parameter that others determine unless it is given. */
static bool follows(const RbSimulation *s, int var) {
    const Program   *p = s->program->program;
    const int        run = variables_run(&p->variables, var);
    const Attribute *bound = variables_attribute(&p->variables, run, ATTR_BINDING);
    const bool       given = s->instance.is_given && s->instance.is_given[var];
    return p->variables.run[run].kind == VAR_PARAMETER && !given &&
           (p->reduced.computed[run] || (bound && bound->kind == VALUE_VARIABLE));
}

static RbStatus find(const RbSimulation *s, const char *name, SenseOf *of,
                     RbError *error) {
    const Variables *all = &s->program->program->variables;
    int              var = rb_find(s->program, name);
    if (var < 0) var = simulation_start(s, name);
    if (var < 0)
        return error_set(error, RB_ARGUMENT, "the model has no variable '%s'", name);
    if (all->run[variables_run(all, var)].type != TYPE_REAL)
        return error_set(error, RB_ARGUMENT, "%s is no Real number", name);
    if (follows(s, var))
        return error_set(error, RB_ARGUMENT,
                         "%s is computed from other parameters: set it first", name);
    *of = (SenseOf){var, size_of(s, var)};
    return RB_OK;
}

RbStatus rb_sensitivities(RbSimulation *s, const char *const *names, int n,
                          RbError *error) {
    error_none(error);
    if (s->initialised || s->sense || n < 1)
        return error_set(error, RB_ARGUMENT,
                         "sensitivities are asked for once, before the start");
    const char *why = options_refuse(s);
    if (why) return error_set(error, RB_ARGUMENT, "%s", why);
    SenseOf *of = mem_take((size_t)n, sizeof *of);
    RbStatus status = of ? RB_OK : RB_NO_MEMORY;
    for (int k = 0; k < n && status == RB_OK; k++)
        status = find(s, names[k], &of[k], error);
    if (status == RB_OK) {
        size_t  all = (size_t)s->instance.model.nx * (size_t)(n + 1);
        double *x = mem_resize(s->x, (all + 1) * sizeof *x);
        if (x) s->x = x;
        s->sense = x ? sense_new(&s->instance, of, n, &why) : NULL;
        if (!s->sense)
            status = error_set(error, x ? RB_ARGUMENT : RB_NO_MEMORY, "%s",
                               x ? why : "there is no memory");
    } else if (!of) error_set(error, status, "there is no memory");
    mem_free(of);
    return status;
}

double rb_sensitivity(RbSimulation *s, int variable, int number) {
    const int vars = s->program->program->variables.vars;
    if (!s->sense || !s->initialised || variable < 0 || variable >= vars) return NAN;
    return sense_value(s->sense, s->now, s->x, variable, number);
}
