/* SPDX-License-Identifier: Apache-2.0 */
/* fmu_run.c -- a simulation of an FMU that anybody made: values, steps, result. */
#define _POSIX_C_SOURCE 200809L
#include "api/api.h"

#include <errno.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { INTERVALS = 500 };

typedef struct Run {
    const RbFmuRun  *wish;
    const RbOptions *options;
    Guest           *unit;
    GuestInfo        info;
    GuestMode        mode;
    double           start, stop, interval, tolerance;
    Arena            arena; /* of the next */
    RecordVariable  *variable;
    int             *column; /* of the unit, by column of the result */
    double          *constant;
    int              variables, columns, constants;
    Recorder        *recorder;
    Text             why;
    bool             stopped;
} Run;

/* ---- what is wanted ---- */

static RbStatus choose_kind(Run *r, RbError *error) {
    const char              *kind = r->wish->kind;
    static const char *const name[] = {"me", "cs", "se"};
    r->mode = r->info.exchange ? GUEST_EXCHANGE
              : r->info.steps  ? GUEST_STEPS
                               : GUEST_SCHEDULED;
    for (int k = 0; k < LENGTH(name); k++) {
        if (!kind || strcmp(kind, name[k]) != 0) continue;
        r->mode = (GuestMode)k;
        kind = NULL;
    }
    return kind ? error_set(error, RB_ARGUMENT, "an FMU is run as me, cs or se, not '%s'",
                            kind)
                : RB_OK;
}

static RbStatus choose_times(Run *r, RbError *error) {
    const RbOptions *o = r->options;
    const GuestInfo *i = &r->info;
    r->start = o && o->given_start ? o->start : isnan(i->start) ? 0 : i->start;
    r->stop = o && o->given_stop ? o->stop : isnan(i->stop) ? r->start + 1 : i->stop;
    r->tolerance = o && o->given_tolerance ? o->tolerance
                   : isnan(i->tolerance)   ? 1e-6
                                           : i->tolerance;
    /* a unit that steps itself may mean the steps that it names */
    r->interval = o && o->interval > 0 ? o->interval
                  : r->mode != GUEST_EXCHANGE && !isnan(i->step)
                      ? i->step
                      : (r->stop - r->start) / INTERVALS;
    if (!(r->stop >= r->start) || !isfinite(r->start) || !isfinite(r->stop))
        return error_set(error, RB_ARGUMENT, "the stop time lies before the start time");
    if (!(r->tolerance > 0))
        return error_set(error, RB_ARGUMENT, "the tolerance must be positive");
    return RB_OK;
}

/* ---- the result ---- */

static RbStatus choose_variables(Run *r, RbError *error) {
    regex_t     wanted;
    const char *pattern = r->wish->variables;
    const int   n = guest_columns(r->unit);
    Text        name = {0};
    if (pattern && regcomp(&wanted, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return error_set(error, RB_ARGUMENT, "'%s' is no regular expression", pattern);
    r->variable = NEW(&r->arena, RecordVariable, n + 1);
    r->column = NEW(&r->arena, int, n + 1);
    bool lacking = !r->variable || !r->column;
    for (int k = 0; k < n && !lacking; k++) {
        text_clear(&name);
        GuestColumn c = guest_column(r->unit, k, &name);
        if (pattern && regexec(&wanted, text_get(&name), 0, NULL, 0) != 0) continue;
        char *copy = arena_string(&r->arena, text_get(&name), name.length);
        lacking = !copy || name.failed;
        r->variable[r->variables++] = (RecordVariable){.name = copy,
                                                       .description = c.comment,
                                                       .unit = c.unit,
                                                       .column = r->columns,
                                                       .whole = c.whole};
        r->column[r->columns++] = k;
    }
    if (pattern) regfree(&wanted);
    text_free(&name);
    return lacking ? error_set(error, RB_NO_MEMORY, "there is no memory") : RB_OK;
}

static RbStatus open_result(Run *r, RbError *error) {
    const char  *path = r->wish->result;
    RecordLayout layout = {.variable = r->variable,
                           .variables = r->variables,
                           .columns = r->columns,
                           .start = r->start,
                           .stop = r->stop};
    if (!path) return RB_OK;
    if (!record_known(path))
        return error_set(error, RB_ARGUMENT, "a result is a .mat or .csv file, not '%s'",
                         path);
    r->recorder = record_open(path, record_format(path), &layout);
    return r->recorder ? RB_OK
                       : error_set(error, RB_FILE, "cannot write '%s': %s", path,
                                   strerror(errno));
}

/* ---- the run ---- */

static Status on_point(void *owner, double t, const double *x, const double *y,
                       Fault *fault) {
    Run *r = owner;
    (void)x;
    for (int k = 0; k < r->columns; k++)
        if (!isfinite(y[k])) return STATUS_NOT_FINITE;
    if (!r->recorder || record_point(r->recorder, t, y)) return STATUS_OK;
    fault->what = "the result cannot be written";
    return STATUS_FATAL;
}

static bool on_progress(void *owner, double t, const SimStatistics *statistics) {
    Run *r = owner;
    (void)statistics;
    r->stopped = r->wish->progress && !r->wish->progress(r->wish->owner, t);
    return !r->stopped;
}

static RbStatus set_values(Run *r, RbError *error) {
    for (int k = 0; k < r->wish->sets; k++)
        if (!guest_give(r->unit, r->wish->set[k].name, r->wish->set[k].value, &r->why))
            return error_set(error, RB_ARGUMENT, "--set %s=%s: %s", r->wish->set[k].name,
                             r->wish->set[k].value, text_get(&r->why));
    return RB_OK;
}

static RbStatus simulate_unit(Run *r, SimOutcome *outcome, RbError *error) {
    const RbOptions *o = r->options;
    SimOptions       sim = {.start = r->start,
                            .stop = r->stop,
                            .interval = r->interval,
                            .ode = {.rtol = r->tolerance,
                                    .atol = o ? o->absolute : 0,
                                    .h_max = o ? o->max_step : 0,
                                    .h_fixed = o ? o->fixed_step : 0},
                            .rates = 1,
                            .threads = 1,
                            .output = {SELECT_LIST, 0, r->columns, r->column},
                            .point = on_point,
                            .progress = on_progress,
                            .owner = r,
                            .most = o ? o->max_steps : 0};
    RbStatus         status = solver_find(o ? o->solver : NULL, &sim.solver, error);
    if (status == RB_OK && o && o->method) status = method_find(o->method, true, error);
    if (status != RB_OK) return status;
    sim.ode.method = o ? o->method : NULL;
    if (r->mode != GUEST_EXCHANGE) {
        *outcome = r->mode == GUEST_STEPS ? guest_run(r->unit, &sim)
                                          : guest_run_scheduled(r->unit, &sim);
        return RB_OK;
    }
    const Model *model = guest_model(r->unit);
    double      *x = model ? mem_take((size_t)model->nx, sizeof *x) : NULL;
    if (!x) return error_set(error, RB_NO_MEMORY, "there is no memory");
    *outcome = simulate(model, &sim, x);
    mem_free(x);
    return RB_OK;
}

static RbStatus judge(const Run *r, const SimOutcome *outcome, RbError *error) {
    const Fault *fault = &outcome->fault;
    if (r->stopped) return error_set(error, RB_STOPPED, "it was stopped");
    if (outcome->status == STATUS_OK) return RB_OK;
    if (outcome->status == STATUS_END)
        return error_set(error, RB_END, "the FMU ended the simulation at time %.9g",
                         outcome->time);
    return error_set(error, RB_FAILED, "the simulation failed at time %.9g: %s",
                     outcome->time,
                     fault->what ? fault->what : status_text(outcome->status));
}

/* After the code of the unit is loaded. */
static RbStatus run_unit(Run *r, RbFmuOutcome *out, RbError *error) {
    SimOutcome outcome = {.fault = fault_none()};
    RbStatus   status = set_values(r, error);
    if (status == RB_OK && r->wish->inputs &&
        !guest_inputs(r->unit, r->wish->inputs, &r->why))
        status = error_set(error, RB_FILE, "%s", text_get(&r->why));
    if (status == RB_OK &&
        !guest_begin(r->unit, r->start, r->stop, r->tolerance, &r->why))
        status = error_set(error, RB_FAILED, "%s", text_get(&r->why));
    if (status == RB_OK) status = choose_variables(r, error);
    if (status == RB_OK) status = open_result(r, error);
    if (status == RB_OK) status = simulate_unit(r, &outcome, error);
    if (status == RB_OK) status = judge(r, &outcome, error);
    snprintf(out->model, sizeof out->model, "%s", r->info.model);
    out->start = r->start;
    out->time = outcome.time;
    out->states = r->info.states;
    out->steps = outcome.statistics.ode.steps_accepted;
    out->events = outcome.statistics.events_time + outcome.statistics.events_state;
    out->points = outcome.statistics.points;
    return status;
}

static RbStatus open_unit(Run *r, const char *file, RbError *error) {
    const char *temporary = r->wish->temporary ? r->wish->temporary : GUEST_TEMPORARY;
    r->unit = guest_open(file, temporary, &r->why);
    if (!r->unit) return error_set(error, RB_FILE, "%s", text_get(&r->why));
    r->info = guest_info(r->unit);
    RbStatus status = choose_kind(r, error);
    if (status == RB_OK) status = choose_times(r, error);
    if (status == RB_OK && !guest_load(r->unit, r->mode, &r->why))
        status =
            error_set(error, RB_FILE, "'%s' is not usable: %s", file, text_get(&r->why));
    return status;
}

RbStatus rb_fmu_run(const char *file, const RbSettings *settings,
                    const RbOptions *options, const RbFmuRun *wish, RbFmuOutcome *outcome,
                    RbError *error) {
    RbFmuRun none = {0};
    Run      r = {.wish = wish ? wish : &none, .options = options};
    error_none(error);
    *outcome = (RbFmuOutcome){0};
    if (!settings || !settings->trust)
        return error_set(
            error, RB_ARGUMENT,
            "an FMU is code of others that may do everything: --trust runs it");
    RbStatus status = open_unit(&r, file, error);
    if (status == RB_OK) status = run_unit(&r, outcome, error);
    if (r.recorder && !record_close(r.recorder) && status == RB_OK)
        status = error_set(error, RB_FILE, "'%s' could not be written completely",
                           r.wish->result);
    guest_close(r.unit);
    arena_free(&r.arena);
    text_free(&r.why);
    return status;
}
