/* SPDX-License-Identifier: Apache-2.0 */
/* slave.c -- a program under control of another tool: values, initialisation, events. */
#define _GNU_SOURCE
#include "fmi/slave.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages ---- */

enum { SAY_WARNING = 1, SAY_ERROR = 3 };

void slave_complain(Slave *s, int status, const char *format, ...) {
    Text    text = {0};
    va_list args;
    if (!s->say) return;
    va_start(args, format);
    text_vprintf(&text, format, args);
    va_end(args);
    s->say(s->owner, status,
           status == SAY_WARNING ? "logStatusWarning" : "logStatusError",
           text_get(&text));
    text_free(&text);
}

bool slave_failed(Slave *s, Status status, const Fault *fault) {
    const Program *p = s->program;
    Text           text = {0};
    Sources        sources = {0};
    const Source  *source = NULL;
    bool           state = fault->row < 0;
    int            var = fault->variable;
    if (state && var >= 0 && var < p->states.count) var = p->states.var[var];
    if (fault->block >= 0 && s->instance.report) {
        cause_loop_study(&s->instance);
        cause_loop_headline(s->instance.report, &text);
    } else text_add(&text, fault->what ? fault->what : status_text(status));
    if (var >= 0 && var < p->variables.vars) {
        text_add(&text, ", in '");
        program_name(p, var, &text);
        text_char(&text, '\'');
    }
    int line = fault->pos && program_sources(p, &sources)
                   ? source_line(&sources, fault->pos, &source)
                   : 0;
    if (line && source) text_printf(&text, " (%s:%d)", source->path, line);
    slave_complain(s, SAY_ERROR, "at time %.9g: %s", s->t, text_get(&text));
    if (source || sources.count) sources_free(&sources);
    text_free(&text);
    s->phase = PHASE_FAILED;
    return false;
}

static void on_say(void *owner, Pos pos, double time, bool warning, const char *text) {
    Slave *s = owner;
    (void)pos, (void)time;
    if (s->say)
        s->say(s->owner, warning ? SAY_WARNING : 0,
               warning ? "logStatusWarning" : "logEvents", text);
}

static bool no_memory_left(Slave *s) {
    slave_complain(s, SAY_ERROR, "there is no memory");
    s->phase = PHASE_FAILED;
    return false;
}

/* ---- opening ---- */

static void *read_file(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    char *block = NULL;
    long  n = -1;
    if (file && fseek(file, 0, SEEK_END) == 0) n = ftell(file);
    if (n > 0 && fseek(file, 0, SEEK_SET) == 0) block = mem_take((size_t)n, 1);
    if (block && fread(block, 1, (size_t)n, file) != (size_t)n) {
        mem_free(block);
        block = NULL;
    }
    if (file) fclose(file);
    *bytes = block ? (size_t)n : 0;
    return block;
}

static Program *read_program(Slave *s, const char *path) {
    size_t      bytes;
    const char *why = "";
    void       *block = read_file(path, &bytes);
    if (!block) {
        slave_complain(s, SAY_ERROR, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    Program *program = program_adopt(block, bytes, &why);
    if (program) return program;
    slave_complain(s, SAY_ERROR, "'%s' is not usable: %s", path, why);
    mem_free(block);
    return NULL;
}

/* resources/settings, see export.c. */
static void read_settings(Slave *s, CodeOptions *code) {
    char  word[40], value[200];
    Text  path = {0};
    FILE *file;
    text_printf(&path, "%s/settings", text_get(&s->resources));
    file = fopen(text_get(&path), "r");
    while (file && fscanf(file, "%39s %199s", word, value) == 2) {
        if (strcmp(word, "method") == 0) text_add(&s->method, value);
        if (strcmp(word, "rates") == 0) s->rates = atoi(value);
        if (strcmp(word, "trust") == 0) code->trust = true;
    }
    if (file) fclose(file);
    text_free(&path);
}

static bool is_token(Slave *s, const char *token) {
    char own[40];
    fmu_token(s->program, own);
    if (token && strcmp(token, own) == 0) return true;
    slave_complain(s, SAY_ERROR, "this is the model %s, but %.60s was asked for", own,
                   token ? token : "none");
    return false;
}

static bool make_room(Slave *s) {
    const size_t nx = (size_t)s->program->states.count,
                 vars = (size_t)s->program->variables.vars;
    s->given = mem_take(vars, sizeof *s->given);
    s->is_given = mem_take(vars, sizeof *s->is_given);
    s->words = mem_take(vars, sizeof *s->words);
    s->x = mem_take(nx, sizeof *s->x);
    s->before = mem_take(nx, sizeof *s->before);
    s->extent = mem_take((size_t)s->program->variables.runs, sizeof *s->extent);
    return s->given && s->is_given && s->words && s->x && s->before && s->extent;
}

static bool open_program(Slave *s, const SlaveSource *from) {
    Text        path = {0}, why = {0};
    CodeOptions code = {.tier = 0, .built = from->built};
    text_printf(&path, "%s/model.rbp", text_get(&s->resources));
    s->program = path.failed ? NULL : read_program(s, text_get(&path));
    text_free(&path);
    if (!s->program || !is_token(s, from->token)) return false;
    read_settings(s, &code);
    text_printf(&s->objects, "%s/code", text_get(&s->resources));
    if (s->objects.failed) return no_memory_left(s);
    code.objects = text_get(&s->objects);
    s->common = common_new(s->program, &code, &why);
    if (!s->common) slave_complain(s, SAY_ERROR, "%s", text_get(&why));
    text_free(&why);
    if (!s->common) return false;
    if (!make_room(s)) return no_memory_left(s);
    const Variables *all = &s->program->variables;
    for (int r = 0; r < all->runs; r++)
        s->extent[r] = from->version == 3 && all->run[r].count > 0
                           ? fmu_extent(s->program, (uint32_t)all->run[r].first)
                           : 1;
    return true;
}

static void close_instance(Slave *s) {
    slave_end_steps(s);
    if (s->open) instance_free(&s->instance);
    indicators_close(s);
    s->open = s->started = s->begun = s->fresh = s->disturbed = false;
}

bool slave_open_instance(Slave *s) {
    close_instance(s);
    if (!instance_open(&s->instance, s->common)) return no_memory_left(s);
    s->open = true;
    if (s->scheduled) ticks_drive(&s->instance);
    s->instance.say = on_say;
    s->instance.say_owner = s;
    for (int v = 0; v < s->program->variables.vars; v++) {
        if (!s->is_given[v]) continue;
        if (s->words[v]) s->given[v] = texts_keep(&s->instance, s->words[v]);
        if ((s->words[v] && s->given[v] < 0) ||
            !instance_set(&s->instance, v, s->given[v]))
            return no_memory_left(s);
    }
    return true;
}

void slave_forget_given(Slave *s) {
    for (int v = 0; v < s->program->variables.vars; v++) {
        s->is_given[v] = 0;
        mem_free(s->words[v]);
        s->words[v] = NULL;
    }
}

static void plain(Slave *s) {
    const ProgramInfo *i = &s->program->info;
    slave_forget_given(s);
    s->phase = PHASE_INSTANTIATED;
    s->start = s->t = i->annotated[0] ? i->experiment[0] : 0;
    s->stop = i->annotated[1] ? i->experiment[1] : s->start + 1;
    s->tolerance = i->annotated[3] ? i->experiment[3] : 1e-6;
    s->has_stop = s->has_tolerance = false;
}

bool slave_reset(Slave *s) {
    plain(s);
    return slave_open_instance(s);
}

Slave *slave_new(const SlaveSource *from, SlaveSay *say, void *owner) {
    Slave *s = mem_take(1, sizeof *s);
    if (!s) return NULL;
    s->say = say;
    s->owner = owner;
    s->steps = from->steps;
    s->scheduled = from->scheduled;
    text_add(&s->resources, from->resources);
    while (s->resources.length > 1 && s->resources.data[s->resources.length - 1] == '/')
        s->resources.data[--s->resources.length] = 0;
    if (!s->resources.failed && open_program(s, from) && slave_reset(s)) return s;
    slave_free(s);
    return NULL;
}

void slave_free(Slave *s) {
    if (!s) return;
    close_instance(s);
    if (s->words) slave_forget_given(s);
    common_free((Common *)(uintptr_t)s->common);
    program_free(s->program);
    MEM_FREE(s->given, s->is_given, s->words, s->x, s->before, s->extent);
    TEXT_FREE(&s->method, &s->resources, &s->objects);
    mem_free(s);
}

/* ---- initialisation ---- */

void slave_setup(Slave *s, bool has_tolerance, double tolerance, double start,
                 bool has_stop, double stop) {
    const double span = s->stop - s->start;
    s->start = s->t = start;
    s->has_stop = has_stop && stop > start;
    s->stop = s->has_stop ? stop : start + span;
    s->has_tolerance = has_tolerance && tolerance > 0;
    if (s->has_tolerance) s->tolerance = tolerance;
}

static OdeOptions ode_options(const Slave *s) {
    return (OdeOptions){.rtol = s->tolerance,
                        .method = s->method.length ? text_get(&s->method) : NULL};
}

bool slave_start(Slave *s) {
    Fault fault = fault_none();
    if (!slave_open_instance(s)) return false;
    s->t = s->start;
    s->sim = (SimOptions){.ode = ode_options(s)};
    Status status = instance_bind(&s->instance, &fault);
    if (status == STATUS_OK)
        status =
            bounds_open(&s->instance, BOUNDS_USUAL, 10 * s->tolerance, s->start, &fault);
    if (status == STATUS_OK) status = instance_initialise(&s->instance, s->start, &fault);
    if (status != STATUS_OK) return slave_failed(s, status, &fault);
    ticks_integrate(&s->instance, &s->sim.ode);
    if (!ticks_execute(&s->instance, 1, (TickPace){0}, TASKS_SINGLE))
        return no_memory_left(s);
    const States *states = &s->program->states;
    for (int i = 0; i < states->count; i++) s->x[i] = s->instance.v[states->var[i]];
    return s->started = s->fresh = true;
}

bool slave_ready(Slave *s) {
    if (s->phase == PHASE_FAILED) return false;
    return s->phase == PHASE_INSTANTIATED || s->started || slave_start(s);
}

bool slave_initialise(Slave *s) {
    Fault fault = fault_none();
    if (!slave_ready(s)) return false;
    s->phase = PHASE_RUNNING;
    if (s->steps) return slave_begin_steps(s);
    Model *model = &s->instance.model;
    Status status = model->fn->init(model->instance, s->t, s->x, &fault);
    if (status != STATUS_OK) return slave_failed(s, status, &fault);
    s->last = s->t;
    SlaveEvent start; /* which others ask for in Model Exchange */
    return !s->scheduled || slave_update(s, &start);
}

/* ---- values ---- */

int slave_extent(const Slave *s, uint32_t reference) {
    const Program *p = s->program;
    const int      vars = p->variables.vars;
    int            var = (int)reference;
    if (reference == fmu_indicator_reference(p)) return p->part[PART_RUN].relations;
    if (reference == fmu_time_reference(p) || fmu_clock_behind(p, reference) >= 0)
        return 1;
    if (reference > fmu_indicator_reference(p)) return 0;
    if (var > vars) var = p->states.var[var - vars - 1];
    const int run = variables_run(&p->variables, var);
    return var == p->variables.run[run].first ? s->extent[run] : 1;
}

bool slave_refresh(Slave *s) {
    Fault fault = fault_none();
    if (s->fresh || !s->begun) return true;
    s->instance.fault = &fault;
    if (instance_evaluate(&s->instance, s->t, s->x)) {
        instance_function_fault(&s->instance.run, &fault);
        Status status = s->instance.lacking ? STATUS_NO_MEMORY : STATUS_RETRY;
        slave_failed(s, status, &fault);
        if (!s->instance.lacking) s->phase = PHASE_RUNNING; /* another point may do */
        return false;
    }
    return s->fresh = true;
}

static int run_kind(const Slave *s, int var) {
    const Variables *all = &s->program->variables;
    return all->run[variables_run(all, var)].kind;
}

static bool is_parameter(const VarRun *run) {
    return run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT;
}

/* Before the start: noted. What cannot be set may be set to what it is. */
static bool note(Slave *s, int var, double value) {
    const Program *p = s->program;
    const int      set = p->reduced.set[var];
    const VarRun  *run = &p->variables.run[variables_run(&p->variables, var)];
    bool           input = run->kind == VAR_INPUT;
    const char    *why = input ? NULL : set_refusal((SetKind)set, !is_parameter(run));
    if (!why && run->type == TYPE_STRING) why = "this is a text";
    if (!why && !input && set == SET_TRANSLATE) why = "this shapes the model";
    if (!why) why = run_refuses(run, value);
    if (why && !input && instance_value(&s->instance, var) == value) return true;
    if (why) {
        Text name = {0};
        program_name(p, var, &name);
        slave_complain(s, SAY_ERROR, "'%s' cannot be set: %s", text_get(&name), why);
        text_free(&name);
        return false;
    }
    if (s->is_given[var] && s->given[var] == value) return true;
    s->is_given[var] = 1;
    s->given[var] = value;
    s->started = s->fresh = false;
    if (s->open && s->phase == PHASE_INSTANTIATED) instance_put(&s->instance, var, value);
    return true;
}

bool slave_set(Slave *s, uint32_t reference, int element, double value) {
    const int var = (int)reference + element;
    if (s->phase == PHASE_FAILED) return false;
    if (reference >= fmu_time_reference(s->program)) {
        slave_complain(s, SAY_ERROR, "the value reference %u cannot be set",
                       (unsigned)reference);
        return false;
    }
    if (s->phase == PHASE_INSTANTIATED || s->phase == PHASE_STARTING)
        return note(s, var, value);
    if (run_kind(s, var) != VAR_INPUT) {
        slave_complain(s, SAY_ERROR, "only inputs are set while the model runs");
        return false;
    }
    if (instance_value(&s->instance, var) == value) return true;
    instance_put(&s->instance, var, value);
    s->fresh = false;
    s->disturbed = true;
    return true;
}

bool slave_get(Slave *s, uint32_t reference, int element, double *value) {
    const Program *p = s->program;
    const int      vars = p->variables.vars;
    bool           ticked;
    if (!slave_ready(s) || !slave_refresh(s)) return false;
    if (slave_ticked(s, reference, &ticked)) {
        *value = ticked;
        return true;
    }
    if (reference < (uint32_t)vars)
        *value = instance_shown(&s->instance, (int)reference + element);
    else if (reference == fmu_time_reference(p)) *value = s->t;
    else if (reference < fmu_indicator_reference(p)) {
        const int state = (int)reference - vars - 1 + element;
        *value = p->states.rate_sign[state] *
                 instance_value(&s->instance, p->states.rate[state]);
    } else {
        return slave_indicator(s, element, value);
    }
    return true;
}

bool slave_set_text(Slave *s, uint32_t reference, int element, const char *text) {
    const int var = (int)reference + element;
    if (s->phase != PHASE_INSTANTIATED && s->phase != PHASE_STARTING) {
        slave_complain(s, SAY_ERROR, "texts are set before the start");
        return false;
    }
    if (reference >= fmu_time_reference(s->program) ||
        !fmu_text_settable(s->program, var)) {
        slave_complain(s, SAY_ERROR, "the value reference %u is no text that can be set",
                       (unsigned)reference);
        return false;
    }
    char *copy = mem_string(text);
    if (!copy) return no_memory_left(s);
    mem_free(s->words[var]);
    s->words[var] = copy;
    s->is_given[var] = 1;
    s->started = s->fresh = false;
    if (!s->open || s->phase != PHASE_INSTANTIATED) return true;
    const double number = texts_keep(&s->instance, text);
    if (number < 0) return no_memory_left(s);
    instance_put(&s->instance, var, number);
    return true;
}

const char *slave_text(Slave *s, uint32_t reference, int element) {
    const Variables *all = &s->program->variables;
    if (reference >= (uint32_t)all->vars || !slave_ready(s) || !slave_refresh(s))
        return NULL;
    const int var = (int)reference + element;
    if (all->run[variables_run(all, var)].type != TYPE_STRING) return NULL;
    return texts_get(&s->instance, instance_value(&s->instance, var));
}

/* ---- Model Exchange ---- */

void slave_set_time(Slave *s, double t) {
    s->fresh = s->fresh && t == s->t;
    s->t = t;
}

void slave_set_states(Slave *s, const double *x) {
    const size_t bytes = (size_t)s->program->states.count * sizeof *x;
    if (bytes) s->fresh = s->fresh && memcmp(s->x, x, bytes) == 0;
    if (bytes) memcpy(s->x, x, bytes);
}

/* The point cannot be evaluated, but others may: the caller tries a shorter step. */
bool slave_refused(Slave *s, Status status, const Fault *fault) {
    slave_failed(s, status, fault);
    if (status == STATUS_RETRY) s->phase = PHASE_RUNNING;
    return false;
}

bool slave_rates(Slave *s, double *dx) {
    Fault        fault = fault_none();
    Selection    all = {0};
    const Model *model = &s->instance.model;
    if (!slave_ready(s)) return false;
    if (!s->begun) { /* values of the initial system */
        for (int i = 0; i < s->program->states.count; i++)
            slave_get(s, fmu_rate_reference(s->program, i), 0, &dx[i]);
        return true;
    }
    Status status = model->fn->eval(model->instance, s->t, s->x, &all, dx, &fault);
    return status == STATUS_OK ? true : slave_refused(s, status, &fault);
}

/* Other tools count time in their own way and may come to a time event a rounding before it. It is meant, so
 * the model is put to it: else it would ask for the same event once more, at a distance that no integrator
 * can go. */
static void meet_time_event(Slave *s) {
    const double size = fmax(fabs(s->t), fabs(s->stop - s->start));
    Fault        fault = fault_none();
    double       when;
    if (s->begun &&
        s->instance.model.fn->next_event(&s->instance, s->t, &when, &fault) ==
            STATUS_OK &&
        when > s->t && when - s->t <= 8 * DBL_EPSILON * size)
        s->t = when;
}

bool slave_update(Slave *s, SlaveEvent *event) {
    Model       *model = &s->instance.model;
    const size_t bytes = (size_t)s->program->states.count * sizeof *s->x;
    Fault        fault = fault_none();
    Selection    all = {0};
    EventRounds  rounds = {0};
    *event = (SlaveEvent){0};
    if (s->phase != PHASE_RUNNING) return false;
    if (bytes) memcpy(s->before, s->x, bytes);
    meet_time_event(s);
    Status status = event_rounds(model, s->t, s->x, s->begun ? EVENT_TIME : EVENT_START,
                                 &all, &rounds, &fault);
    s->begun = true;
    s->fresh = false;
    if (status != STATUS_OK && status != STATUS_END)
        return slave_failed(s, status, &fault);
    event->terminate = status == STATUS_END;
    /* integrators of others start afresh only if states changed: derivatives may have jumped, too */
    event->states_changed =
        bytes && (rounds.changed || memcmp(s->before, s->x, bytes) != 0);
    status = model->fn->next_event(model->instance, s->t, &event->next, &fault);
    if (status != STATUS_OK) return slave_failed(s, status, &fault);
    event->has_next = event->next < HUGE_VAL;
    return indicators_settle(s);
}

/* ---- clocks ---- */

bool slave_ticked(Slave *s, uint32_t clock, bool *ticked) {
    const int sub = fmu_clock_behind(s->program, clock);
    *ticked = sub >= 0 && s->begun && ticks_last(&s->instance, sub) == s->t;
    return sub >= 0;
}

/* Inputs may have changed: first the rest of the model takes them in. */
bool slave_activate(Slave *s, uint32_t clock, double t) {
    const int  sub = fmu_clock_behind(s->program, clock);
    SlaveEvent event;
    if (!s->scheduled || s->phase != PHASE_RUNNING || sub < 0) {
        slave_complain(s, SAY_ERROR,
                       "the reference %u is no clock that can be activated now",
                       (unsigned)clock);
        return false;
    }
    slave_set_time(s, t);
    if (!slave_update(s, &event)) return false;
    ticks_ask(&s->instance, sub);
    if (!event.terminate && !slave_update(s, &event)) return false;
    if (event.terminate) s->phase = PHASE_ENDED;
    return true;
}

bool slave_completed(Slave *s, bool *terminate) {
    const Model *model = &s->instance.model;
    Fault        fault = fault_none();
    *terminate = false;
    if (s->phase != PHASE_RUNNING) return false;
    Status status = STATUS_OK;
    if (model->fn->accept) {
        PastPoint point = {.begin = s->last, .t = s->t, .x = s->x, .most = HUGE_VAL};
        status = model->fn->accept(model->instance, &point, &fault);
        s->fresh = false;
    }
    if (status == STATUS_OK && model->fn->check)
        status = model->fn->check(model->instance, s->t, s->x, &fault);
    s->last = s->t;
    indicators_grow(s);
    *terminate = status == STATUS_END;
    return status == STATUS_OK || *terminate ? true : slave_failed(s, status, &fault);
}
