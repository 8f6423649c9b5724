/* SPDX-License-Identifier: Apache-2.0 */
/* simulation.c -- RbSimulation: values over a program, and the time loop that moves them. */
#define _POSIX_C_SOURCE 200809L
#include "api/api.h"

#include "live/sense.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INTERVALS = 500 };
#define MOST_POINTS 1e9 /* on the grid of the output: 8 GB for one variable */
_Static_assert((int)RB_MOST_RATES == (int)RATE_LEVELS,
               "rubato.h tells how many levels there are");

double wall_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- options ---- */

static const char *const solvers[] = {[SOLVER_RK] = "rk",
                                      [SOLVER_CVODE] = "cvode",
                                      [SOLVER_IDA] = "ida",
                                      [SOLVER_ARKODE] = "arkode"};

RbStatus solver_find(const char *name, SimSolver *solver, RbError *error) {
    int found = name ? -1 : SOLVER_RK;
    for (int k = 0; name && k < LENGTH(solvers); k++)
        if (strcmp(name, solvers[k]) == 0) found = k;
    if (found < 0)
        return error_set(error, RB_ARGUMENT,
                         "--solver is rk, cvode, ida or arkode, not '%s'", name);
    *solver = (SimSolver)found;
    if (found != SOLVER_RK && !sundials_present())
        return error_set(error, RB_ARGUMENT,
                         "this build has no SUNDIALS, so --solver is rk");
    return RB_OK;
}

RbStatus method_find(const char *name, bool first, RbError *error) {
    Suggest suggest = suggest_start(name);
    if (first && strcmp(name, "auto") == 0) return RB_OK;
    for (int i = 0; method_name(i); i++) {
        if (strcmp(name, method_name(i)) == 0) return RB_OK;
        suggest_candidate(&suggest, method_name(i));
    }
    return error_set(error, RB_ARGUMENT,
                     "there is no method '%s'%s%s%s ('rubato methods' names all)", name,
                     suggest.best ? "; did you mean '" : "",
                     suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
}

/* NAME[,NAME...]: of the first level, the second, ... */
static RbStatus read_methods(RbSimulation *s, RbError *error) {
    char *text = s->options.method ? s->method_names.data : NULL;
    for (int k = 0; text; k++) {
        char *comma = strchr(text, ',');
        if (k == RATE_LEVELS)
            return error_set(error, RB_ARGUMENT, "--method names at most %d levels",
                             RATE_LEVELS);
        if (comma) *comma = 0;
        RbStatus status = method_find(text, true, error);
        if (status != RB_OK) return status;
        if (k == 0) s->sim.ode.method = text;
        else s->sim.below[k - 1] = text;
        text = comma ? comma + 1 : NULL;
    }
    return RB_OK;
}

/* What the options say, else what the model says, else the defaults. */
static RbStatus read_times(RbSimulation *s, RbError *error) {
    const RbOptions   *o = &s->options;
    const ProgramInfo *i = &s->program->program->info;
    const double      *e = i->experiment;
    s->start = o->given_start ? o->start : i->annotated[0] ? e[0] : 0;
    s->stop = o->given_stop ? o->stop : i->annotated[1] ? e[1] : s->start + 1;
    s->interval = o->interval != 0 ? o->interval : i->annotated[2] ? e[2] : 0;
    s->tolerance = o->given_tolerance ? o->tolerance : i->annotated[3] ? e[3] : 1e-6;
    if (!isfinite(s->start) || !isfinite(s->stop) || !isfinite(s->interval))
        return error_set(error, RB_ARGUMENT, "a time is not finite");
    const char *wrong = NULL;
    char        absurd[120];
    bool        own = false;
    double      points = s->interval > 0 ? (s->stop - s->start) / s->interval : 0;
    if (s->stop < s->start) {
        wrong = "the stop time lies before the start time";
        own = o->given_start || o->given_stop;
    } else if (!(s->tolerance > 0)) {
        wrong = "the tolerance must be positive";
        own = o->given_tolerance;
    } else if (points > MOST_POINTS) {
        snprintf(absurd, sizeof absurd,
                 "an interval of %.3g makes %.3g output points; at most %.0g are written",
                 s->interval, points, MOST_POINTS);
        wrong = absurd;
        own = o->interval != 0;
    }
    if (wrong && (own || !i->experiment_pos))
        return error_set(error, RB_ARGUMENT, "%s", wrong);
    if (wrong) diag_report(&s->diag, i->experiment_pos, CODE_R106, "%s", wrong);
    if (s->interval == 0) s->interval = (s->stop - s->start) / INTERVALS;
    if (s->interval < 0) s->interval = 0;
    return RB_OK;
}

/* Steps and errors for those who want to see for themselves. */
static RbStatus read_steps(RbSimulation *s, RbError *error) {
    const RbOptions *o = &s->options;
    if (!(o->max_step >= 0) || !(o->fixed_step >= 0) || !(o->absolute >= 0) ||
        !(o->max_output >= 0))
        return error_set(error, RB_ARGUMENT, "steps, tolerances and sizes are positive");
    if (o->fixed_step > 0 && s->sim.solver != SOLVER_RK)
        return error_set(error, RB_ARGUMENT,
                         "--solver %s chooses its own steps: a fixed step needs rk",
                         o->solver);
    if (o->fixed_step > 0 && o->max_step > 0)
        return error_set(error, RB_ARGUMENT, "a fixed step has no longest step");
    if (o->fixed_step > 0 && (s->stop - s->start) / o->fixed_step > 1e15)
        return error_set(error, RB_ARGUMENT, "a step of %.3g cannot be seen beside %.3g",
                         o->fixed_step, s->stop - s->start);
    s->sim.ode.h_max = o->max_step;
    s->sim.ode.h_fixed = o->fixed_step;
    s->sim.ode.atol = o->absolute;
    return RB_OK;
}

static RbStatus read_options(RbSimulation *s, RbError *error) {
    RbOptions *o = &s->options;
    if (o->solver) text_add(&s->solver, o->solver);
    if (o->method) text_add(&s->method, o->method), text_add(&s->method_names, o->method);
    if (s->solver.failed || s->method.failed || s->method_names.failed)
        return error_set(error, RB_NO_MEMORY, "there is no memory");
    o->solver = o->solver ? text_get(&s->solver) : NULL;
    o->method = o->method ? text_get(&s->method) : NULL;
    if (o->rates < -1 || o->rates > RATE_LEVELS)
        return error_set(error, RB_ARGUMENT, "there are 1 to %d rates", RATE_LEVELS);
    if (o->rates > 1 && !s->program->program->part[PART_RUN].selective)
        return error_set(error, RB_ARGUMENT,
                         "this program was translated for one rate, not for %d",
                         o->rates);
    if ((unsigned)o->bounds > RB_BOUNDS_OFF)
        return error_set(error, RB_ARGUMENT, "there is no level %d of bounds", o->bounds);
    RbStatus status = solver_find(o->solver, &s->sim.solver, error);
    if (status == RB_OK) status = read_methods(s, error);
    if (status == RB_OK) status = read_times(s, error);
    return status == RB_OK ? read_steps(s, error) : status;
}

/* ---- making one ---- */

/* A place warns some times in different words: functions say what they are called for. */
static bool is_told(const Diag *diag, Pos pos, const char *text) {
    enum { MOST = 10 };
    int told = 0;
    for (int k = 0; k < diag->count; k++) {
        const Message *m = &diag->message[k];
        if (m->code != CODE_R105 || m->pos != pos) continue;
        const char *words = strstr(m->text, ": ");
        if (++told == MOST || (words && strcmp(words + 2, text) == 0)) return true;
    }
    return false;
}

static void on_say(void *owner, Pos pos, double time, bool warning, const char *text) {
    RbSimulation *s = owner;
    if (warning && !is_told(&s->diag, pos, text))
        diag_add(&s->diag, pos, CODE_R105, "at time %.9g: %s", time, text);
    if (s->listener.say) s->listener.say(s->listener.owner, time, warning, text);
}

static RbStatus open_instance(RbSimulation *s, RbError *error) {
    /* in real time nobody may compile beside the run */
    int tier = s->options.given_tier ? s->options.tier : s->options.realtime > 0 ? 0 : -1;
    s->common = program_common(s->program, tier, error);
    if (!s->common) return error ? error->status : RB_DEFECT;
    if (!instance_open(&s->instance, s->common))
        return error_set(error, RB_NO_MEMORY, "there is no memory");
    s->instance.say = on_say;
    s->instance.say_owner = s;
    s->x = mem_take((size_t)s->instance.model.nx, sizeof *s->x);
    return s->x ? RB_OK : error_set(error, RB_NO_MEMORY, "there is no memory");
}

RbStatus simulation_reset(RbSimulation *s, RbError *error) {
    fleet_close(s);
    simulation_close(s->run);
    spread_close(s);
    s->run = NULL;
    sense_free(s->sense);
    s->sense = NULL;
    if (s->instance.program) instance_free(&s->instance);
    mem_free(s->x);
    s->x = NULL;
    s->initialised = s->begun = s->ended = s->completed = false;
    s->now = s->start;
    s->stopped = RB_OK;
    s->outcome = (SimOutcome){.fault = fault_none()};
    return open_instance(s, error);
}

RbSimulation *rb_simulation_new(RbProgram *program, const RbOptions *options,
                                RbError *error) {
    RbSimulation *s = program ? mem_take(sizeof *s, 1) : NULL;
    error_none(error);
    if (!s) {
        error_set(error, program ? RB_NO_MEMORY : RB_ARGUMENT,
                  program ? "there is no memory" : "there is no program");
        return NULL;
    }
    s->program = program;
    rb_program_retain(program);
    if (options) s->options = *options;
    if (s->options.exchange) text_add(&s->exchange, s->options.exchange);
    s->options.exchange = NULL; /* the copy counts */
    diag_init(&s->diag, &s->sources);
    if (!program_sources(program->program, &s->sources) ||
        read_options(s, error) != RB_OK || simulation_reset(s, error) != RB_OK) {
        if (error && error->status == RB_OK)
            error_set(error, RB_NO_MEMORY, "there is no memory");
        rb_simulation_free(s);
        return NULL;
    }
    return s;
}

void rb_simulation_free(RbSimulation *s) {
    if (!s) return;
    fleet_close(s);
    simulation_close(s->run);
    spread_close(s);
    results_close(s->results);
    sense_free(s->sense);
    if (s->instance.program) instance_free(&s->instance);
    diag_free(&s->diag);
    sources_free(&s->sources);
    TEXT_FREE(&s->solver, &s->method, &s->method_names, &s->words, &s->statistics,
              &s->profile, &s->profile_words, &s->exchange);
    mem_free(s->x);
    mem_free(s->limits);
    rb_program_free(s->program);
    mem_free(s);
}

void rb_listen(RbSimulation *s, const RbListener *listener) {
    s->listener = listener ? *listener : (RbListener){0};
}

/* ---- values ---- */

static bool is_input(const Program *p, int var) {
    return p->variables.run[variables_run(&p->variables, var)].kind == VAR_INPUT;
}

/* Between two steps: the next one begins with an event. */
static RbStatus set_input(RbSimulation *s, int var, double value, RbError *error) {
    if (s->inside || s->ended)
        return error_set(error, RB_ARGUMENT,
                         s->ended ? "the simulation has ended"
                                  : "inputs are set between steps");
    instance_put(&s->instance, var, value);
    if (s->run) simulation_disturb(s->run);
    return RB_OK;
}

static const char of_family[] =
    "this belongs to a family of components: translate the model with the value";

/* Is it of a component that another one of its family stands for? */
static bool is_shown_elsewhere(const Program *p, const char *name) {
    Text shown = {0};
    bool found = program_shown_name(p, name, &shown);
    text_free(&shown);
    return found;
}

/* start: of the start value of a variable that is computed. */
static RbStatus set_value(RbSimulation *s, int var, double value, bool start,
                          RbError *error) {
    const Program *p = s->program->program;
    error_none(error);
    if (var < 0 || var >= p->variables.vars)
        return error_set(error, RB_ARGUMENT, "the model has no such variable");
    if (!s->instance.program)
        return error_set(error, RB_NO_MEMORY, "this simulation ran out of memory");
    const VarRun *run = &p->variables.run[variables_run(&p->variables, var)];
    SetKind       kind = (SetKind)p->reduced.set[var];
    const char   *why = set_refusal(kind, start);
    if (!why) why = run_refuses(run, value);
    if (!why && start && (run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT))
        why = "this is a parameter, which has no start value";
    if (why) return error_set(error, RB_ARGUMENT, "%s", why);
    if (program_in_many(p, variables_run(&p->variables, var)))
        return error_set(error, RB_TRANSLATE, "%s", of_family);
    if (s->initialised && is_input(p, var)) return set_input(s, var, value, error);
    if (s->initialised)
        return error_set(
            error, RB_ARGUMENT,
            "values are set before the simulation is initialised, but for inputs");
    if (kind == SET_TRANSLATE)
        return error_set(error, RB_TRANSLATE,
                         "this shapes the model: translate it with the value");
    if (!instance_set(&s->instance, var, value))
        return error_set(error, RB_NO_MEMORY, "there is no memory");
    return RB_OK;
}

RbStatus rb_set_number(RbSimulation *s, int var, double value, RbError *error) {
    return set_value(s, var, value, false, error);
}

int simulation_start(const RbSimulation *s, const char *name) {
    size_t n = strlen(name);
    if (n < 7 || strcmp(name + n - 6, ".start") != 0) return -1;
    Text text = {0};
    text_bytes(&text, name, n - 6);
    int var = text.failed ? -1 : rb_find(s->program, text_get(&text));
    text_free(&text);
    return var;
}

/* x.nominal of a variable x? */
static bool is_nominal(const RbProgram *program, const char *name) {
    size_t n = strlen(name);
    Text   base = {0};
    if (n < 9 || strcmp(name + n - 8, ".nominal") != 0) return false;
    text_bytes(&base, name, n - 8);
    bool known = rb_find(program, text_get(&base)) >= 0;
    text_free(&base);
    return known;
}

RbStatus rb_set(RbSimulation *s, const char *name, double value, RbError *error) {
    if (!name) return error_set(error, RB_ARGUMENT, "no variable is named");
    int  var = rb_find(s->program, name);
    bool start = var < 0;
    if (start) var = simulation_start(s, name);
    if (var < 0 && is_shown_elsewhere(s->program->program, name))
        return error_set(error, RB_TRANSLATE, "%s", of_family);
    if (var < 0 && is_nominal(s->program, name))
        return error_set(error, RB_TRANSLATE,
                         "attributes belong to the model: translate it with the value");
    if (var < 0)
        return error_set(error, RB_ARGUMENT, "the model has no variable '%s'", name);
    return set_value(s, var, value, start, error);
}

double rb_time(const RbSimulation *s) {
    return s->now;
}

double rb_get_number(const RbSimulation *s, int var) {
    if (var < 0 || var >= s->program->program->variables.vars || !s->instance.program)
        return NAN;
    return instance_shown(&s->instance, var);
}

double rb_get(const RbSimulation *s, const char *name) {
    return rb_get_number(s, rb_find(s->program, name));
}

const char *rb_get_text(const RbSimulation *s, const char *name) {
    const Variables *all = &s->program->program->variables;
    const int        var = rb_find(s->program, name);
    if (var < 0 || all->run[variables_run(all, var)].type != TYPE_STRING) return NULL;
    return texts_get(&s->instance, rb_get_number(s, var));
}

void rb_get_numbers(const RbSimulation *s, const int *var, int n, double *value) {
    for (int k = 0; k < n; k++) value[k] = rb_get_number(s, var[k]);
}

/* ---- points, progress ---- */

/* A value that is not finite never goes to disk. */
static Status on_probe(void *owner, double t, const double *x, const double *y,
                       Fault *fault) {
    const RbSimulation *s = owner;
    (void)t, (void)x, (void)fault;
    for (int i = 0; s->results && i < s->results->columns; i++)
        if (!isfinite(y[i])) return STATUS_NOT_FINITE;
    return STATUS_OK;
}

Status simulation_pointed(RbSimulation *s, double t, Fault *fault) {
    if (s->options.max_output > 0 && rb_recorded_bytes(s) > s->options.max_output) {
        fault->what = "the result has reached its largest size (--max-output)";
        fault->kind = FAULT_OUTPUT;
        return STATUS_FATAL;
    }
    if (!s->listener.point) return STATUS_OK;
    s->now = t;
    RbStatus said = s->listener.point(s->listener.owner, s, t);
    if (said == RB_OK) return STATUS_OK;
    s->stopped = said;
    return STATUS_END;
}

static Status on_point(void *owner, double t, const double *x, const double *y,
                       Fault *fault) {
    RbSimulation *s = owner;
    Status        status = on_probe(owner, t, x, y, fault);
    if (status != STATUS_OK) return status;
    status = bounds_check(&s->instance, NULL, t, x, fault);
    if (status != STATUS_OK) return status;
    if (s->results && !record_point(s->results->recorder, t, y)) {
        fault->what = record_error(s->results->recorder) == ENOSPC
                          ? "the result cannot be written: the disk is full"
                          : "the result cannot be written";
        fault->kind = FAULT_OUTPUT;
        return STATUS_FATAL;
    }
    if (s->listener.point && !s->instance.complete) instance_evaluate(&s->instance, t, x);
    return simulation_pointed(s, t, fault);
}

/* The compiler of the machine is worth starting once a run lasts as long as it takes. */
static bool on_progress(void *owner, double t, const SimStatistics *statistics) {
    RbSimulation *s = owner;
    double        now = wall_time();
    s->outcome.statistics = *statistics;
    if (now - s->looked > 0.01) {
        s->looked = now;
        binary_improve(s->common->binary[PART_RUN], now - s->wall_begun);
    }
    if (now - s->flushed > 0.2) { /* what is done survives a kill */
        s->flushed = now;
        if (s->results && !(s->options.realtime > 0)) record_flush(s->results->recorder);
    }
    if (!s->listener.progress || s->listener.progress(s->listener.owner, s, t))
        return true;
    s->stopped = RB_STOPPED;
    return false;
}

/* ---- steps ---- */

/* The time loop is not needed any more; what its threads counted belongs to the instance now. */
static void finish(RbSimulation *s) {
    s->wall_ended = wall_time();
    s->ended = true;
    simulation_close(s->run);
    s->run = NULL;
}

static RbStatus ended(RbSimulation *s, RbError *error) {
    int first = s->diag.count;
    simulation_explain(s);
    finish(s);
    return error_from(error,
                      s->outcome.status == STATUS_NO_MEMORY ? RB_NO_MEMORY : RB_FAILED,
                      &s->diag, first);
}

static RbStatus failed_at(RbSimulation *s, Status status, double t, const Fault *fault,
                          RbError *error) {
    s->outcome.status = status;
    s->outcome.time = t;
    s->outcome.fault = *fault;
    return ended(s, error);
}

Status simulation_values(const RbSimulation *s, Instance *instance, Fault *fault) {
    static const BoundLevel level[] = {[RB_BOUNDS_USUAL] = BOUNDS_USUAL,
                                       [RB_BOUNDS_STOP] = BOUNDS_STOP,
                                       [RB_BOUNDS_WARN] = BOUNDS_WARN,
                                       [RB_BOUNDS_OFF] = BOUNDS_OFF};
    Status                  status = instance_bind(instance, fault);
    if (status != STATUS_OK) return status;
    return bounds_open(instance, level[s->options.bounds], 10 * s->tolerance, s->start,
                       fault);
}

RbStatus simulation_bind(RbSimulation *s, RbError *error) {
    Fault fault = fault_none();
    s->initialised = true;
    Status status = simulation_values(s, &s->instance, &fault);
    return status == STATUS_OK ? RB_OK : failed_at(s, status, s->start, &fault, error);
}

RbStatus simulation_initialise(RbSimulation *s, double t, RbError *error) {
    Fault  fault = fault_none();
    Status status = instance_initialise(&s->instance, t, &fault);
    return status == STATUS_OK ? RB_OK : failed_at(s, status, t, &fault, error);
}

RbStatus rb_initialise(RbSimulation *s, RbError *error) {
    error_none(error);
    if (!s->instance.program)
        return error_set(error, RB_NO_MEMORY, "this simulation ran out of memory");
    if (s->initialised)
        return s->ended && !s->completed
                   ? error_set(error, RB_ARGUMENT, "the simulation has failed before")
                   : RB_OK;
    if (s->diag.errors) return error_from(error, RB_MODEL, &s->diag, 0); /* R106 */
    RbStatus bound = simulation_bind(s, error);
    return bound == RB_OK ? simulation_initialise(s, s->start, error) : bound;
}

SimOptions simulation_options(RbSimulation *s) {
    const RbOptions *o = &s->options;
    SimOptions       sim = s->sim;
    bool             points = s->results || s->listener.point;
    sim.start = s->start;
    sim.stop = s->stop;
    sim.interval = s->interval;
    sim.ode.rtol = s->tolerance;
    sim.ode.pool = s->program->methods;
    const bool several = s->program->program->part[PART_RUN].selective;
    sim.rates = s->sense                  ? 1
                : o->rates > 0            ? o->rates
                : o->rates < 0 && several ? SIM_RATES_AUTO
                                          : 1;
    sim.threads = o->threads > 0 ? o->threads : 1;
    sim.grain = o->grain;
    sim.global_events = o->global_events;
    sim.check = o->check_parts;
    sim.most = o->max_steps;
    sim.point = points ? on_point : NULL;
    sim.probe = s->results ? on_probe : NULL;
    sim.progress = on_progress;
    sim.owner = s;
    sim.output = (Selection){.kind = SELECT_LIST};
    if (s->results)
        sim.output = (Selection){SELECT_LIST, 0, s->results->columns, s->results->column};
    if (s->listener.trace || s->options.profile) sim.trace = profile_step;
    if (s->listener.trace) sim.event = trace_event;
    return sim;
}

/* Threads, real time, inputs and outputs of clocked partitions. */
static RbStatus begin_ticks(RbSimulation *s, RbError *error) {
    Text why = {0};
    if (s->program->program->clocks.staggered && s->options.tasks != RB_TASKS_SINGLE) {
        s->ended = true;
        return error_set(
            error, RB_ARGUMENT,
            "with staggered coupling slow partitions are no tasks of their own");
    }
    ticks_integrate(&s->instance, &s->sim.ode);
    bool fine = ticks_execute(&s->instance, s->sim.threads,
                              (TickPace){s->options.realtime, s->options.spin},
                              (TickTasks)s->options.tasks) &&
                simulation_rehearse(s);
    if (!fine) return error_set(error, RB_NO_MEMORY, "there is no memory");
    if (s->options.realtime > 0 && !s->instance.ticks) {
        s->ended = true;
        return error_set(error, RB_ARGUMENT,
                         "in real time ticks of clocks wait, and the model has no clock");
    }
    fine =
        !s->exchange.length || ticks_exchange(&s->instance, text_get(&s->exchange), &why);
    if (!fine) error_set(error, RB_ARGUMENT, "%s", text_get(&why));
    text_free(&why);
    s->ended |= !fine;
    return fine ? RB_OK : RB_ARGUMENT;
}

static bool is_shared(const RbSimulation *s) {
    return s->options.link && s->options.link->size > 1;
}

static RbStatus begin(RbSimulation *s, RbError *error) {
    RbStatus status = rb_initialise(s, error);
    if (status != RB_OK || s->run || s->ended) return status;
    if (s->results && !results_begin(s, error)) {
        s->ended = true;
        return error ? error->status : RB_FILE;
    }
    if (s->listener.trace) trace_begin(s);
    if (s->options.profile && !profile_begin(s))
        return error_set(error, RB_NO_MEMORY, "there is no memory");
    s->wall_begun = s->looked = s->flushed = wall_time();
    s->sim = simulation_options(s);
    s->instance.asked = s->listener.asked;
    s->instance.asked_owner = s->listener.owner;
    status = begin_ticks(s, error);
    if (status == RB_ARGUMENT) return status;
    if (status == RB_OK && is_shared(s)) status = spread_open(s, error);
    if (status == RB_ARGUMENT) return status;
    if (status == RB_OK)
        s->run = s->spread ? spread_simulation(s)
                           : simulation_open(s->sense ? sense_model(s->sense)
                                                      : &s->instance.model,
                                             &s->sim, s->x);
    s->begun = true;
    if (s->run) return RB_OK;
    s->outcome = (SimOutcome){.status = STATUS_NO_MEMORY, .fault = fault_none()};
    return ended(s, error);
}

/* All values at the time reached: the last ones asked for may be those of a point inside the step,
 * or only those that derivatives need. */
static RbStatus complete(RbSimulation *s, RbError *error) {
    Fault fault = fault_none();
    s->now = s->outcome.time;
    if (s->spread && !spread_finish(s))
        return error_set(error, RB_FAILED, "the other processes are gone");
    if (instance_evaluate(&s->instance, s->now, s->x) == 0) return RB_OK;
    instance_function_fault(&s->instance.run, &fault);
    return failed_at(s, STATUS_FATAL, s->now, &fault, error);
}

static bool is_asked(const RbSimulation *s) {
    return s->listener.asked && s->listener.asked(s->listener.owner);
}

RbStatus rb_step(RbSimulation *s, double time, RbError *error) {
    if (s->inside) return error_set(error, RB_ARGUMENT, "a step of this simulation runs");
    if (isnan(time)) return error_set(error, RB_ARGUMENT, "the time is not a number");
    if (s->program->program->batches.count) return fleet_step(s, time, error);
    RbStatus status = begin(s, error);
    if (status != RB_OK) return status;
    if (s->ended) return error_set(error, RB_ARGUMENT, "the simulation has ended");
    s->inside = true;
    Status reached = simulation_advance(s->run, time);
    s->inside = false;
    bool asked = reached == STATUS_FATAL && is_asked(s);
    if (asked) simulation_withdraw(s->run);
    s->outcome = *simulation_outcome(s->run);
    s->now = s->outcome.time;
    if (s->instance.lacking) s->outcome.status = reached = STATUS_NO_MEMORY;
    if (asked) {
        s->stopped = RB_STOPPED;
        s->outcome.status = reached = STATUS_END;
    }
    if (reached != STATUS_OK && reached != STATUS_END) return ended(s, error);
    if (reached == STATUS_END || s->now >= s->stop) finish(s);
    status = complete(s, error);
    if (status != RB_OK) return status;
    s->completed = s->ended && !s->stopped;
    if (reached != STATUS_END) return RB_OK;
    const char *words = s->stopped ? "" : instance_last_words(&s->instance);
    return error_set(error, s->stopped ? s->stopped : RB_END,
                     "%s ended the simulation at time %.9g%s%.300s",
                     s->stopped ? "the caller" : "the model", s->now, *words ? ": " : "",
                     words);
}

RbStatus rb_run(RbSimulation *s, RbError *error) {
    return rb_step(s, s->stop, error);
}

/* ---- fast states ---- */

RbStatus rb_fast_parts(RbSimulation *s, double rate, RbFastPart *state, RbError *error) {
    Fault     fault = fault_none();
    int       n = s->instance.model.nx;
    FastPart *part = mem_take((size_t)n + 1, sizeof *part);
    error_none(error);
    if (!part) return error_set(error, RB_NO_MEMORY, "there is no memory");
    if (!s->begun || s->inside || s->fleet) {
        mem_free(part);
        return error_set(error, RB_ARGUMENT, "motions are looked at between steps");
    }
    Status status = motion_find(&s->instance, s->now, s->x, rate, part, &fault);
    for (int k = 0; k < n && status == STATUS_OK; k++)
        state[k] = (RbFastPart){s->program->program->states.var[k], part[k].share,
                                part[k].slowest, part[k].damped};
    mem_free(part);
    if (status == STATUS_ABSENT)
        return error_set(error, RB_ARGUMENT, "the model has more than %d states",
                         MOTION_STATES);
    return status == STATUS_OK
               ? RB_OK
               : error_set(error, RB_FAILED,
                           "the model cannot be linearised at time %.9g", s->now);
}

/* ---- reports ---- */

RbStatus rb_record(RbSimulation *s, const char *file, const char *variables,
                   RbError *error) {
    error_none(error);
    if (s->begun || s->results)
        return error_set(error, RB_ARGUMENT, "results are opened once, before the start");
    if (!file) return error_set(error, RB_ARGUMENT, "no file is named");
    return results_open(s, file, variables, error);
}

RbStatus rb_record_end(RbSimulation *s, RbError *error) {
    Results *results = s->results;
    error_none(error);
    if (!results || !results->recorder) return RB_OK;
    record_flush(results->recorder);
    const int     why = record_error(results->recorder);
    const int64_t points = record_points(results->recorder);
    const bool    written = record_close(results->recorder);
    results->recorder = NULL;
    if (written) return RB_OK;
    return error_set(
        error, RB_FILE, "'%s' could not be written completely: %s; %lld point%s kept",
        text_get(&results->path), why ? strerror(why) : "it cannot be closed",
        (long long)points, points == 1 ? " is" : "s are");
}

long rb_recorded_points(const RbSimulation *s) {
    bool open = s->results && s->results->recorder;
    return open ? (long)record_points(s->results->recorder) : 0;
}

double rb_recorded_bytes(const RbSimulation *s) {
    bool open = s->results && s->results->recorder;
    return open ? (double)record_bytes(s->results->recorder) : 0;
}

int rb_simulation_message_count(const RbSimulation *s) {
    return s->diag.count;
}

const char *rb_simulation_messages(RbSimulation *s, int first, RbStyle style) {
    messages_print(&s->words, &s->diag, first, style);
    return text_get(&s->words);
}

size_t rb_simulation_bytes(const RbSimulation *s) {
    const Program *p = s->program->program;
    return sizeof *s + sizeof(double) * ((size_t)p->variables.vars +
                                         2 * (size_t)p->part[PART_RUN].relations +
                                         2 * (size_t)p->states.count);
}
