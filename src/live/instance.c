/* SPDX-License-Identifier: Apache-2.0 */
/* instance.c -- one running model: its values, and the waist of model.h over generated code.
 *
 * For derivatives the groups that they need run, on the vectors of the caller (dae/home.c). For
 * everything else all groups run, and states and derivatives are copied to the other values
 * (instance_evaluate). Events are in happen.c, Jacobians in jacobian.c, the start in start.c. */
#include "live/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts ------------------------------------------------------------------------------------ */

void running_at(Running *r, Moment m) {
    Rb *c = &r->rb;
    c->time = m.time;
    c->lambda = m.lambda;
    c->live = r->settling = m.live;
    c->initial = m.initial;
    c->terminal = m.terminal;
    c->tick = m.tick;
    c->before = m.before;
    r->piece = m.piece;
    r->instance->whole.valid = false;
    r->image = binary_image(r->binary);
}

/* The run has its relations beside the values, because local events change both. */
bool running_open(Running *r, Instance *instance, int part) {
    const Part *own = &instance->program->part[part];
    *r = (Running){.instance = instance,
                   .part = own,
                   .follow = {.site = -1},
                   .binary = instance->common->binary[part],
                   .image = binary_image(instance->common->binary[part]),
                   .sided = part == PART_RUN
                                ? mem_take((size_t)own->relations, sizeof(double))
                                : NULL};
    r->rb = (Rb){.v = instance->v,
                 .lambda = 1,
                 .table = own->table,
                 .loop = loop_solve,
                 .loop_tangent = matrix_directions,
                 .reinit = happen_reinit,
                 .report = happen_report,
                 .api = &support_api,
                 .external = instance->externals.entry,
                 .host = r};
    r->rb.mode = part == PART_RUN ? instance->v + instance->program->variables.vars + 1
                                  : mem_take((size_t)own->relations, sizeof(double));
    return r->rb.mode && (part != PART_RUN || r->sided);
}

void running_close(Running *r) {
    if (!r->instance) return;
    loops_free(&r->blocks);
    matrix_close(r);
    paths_free(r);
    mem_free(r->follow.cursor);
    mem_free(r->sided);
    mem_free(r->began);
    if (r->part != &r->instance->program->part[PART_RUN]) mem_free(r->rb.mode);
    support_stack_free(&r->rb);
    *r = (Running){0};
}

/* ---- values ----------------------------------------------------------------------------------- */

double instance_shown(const Instance *instance, int var) {
    const Variables *all = &instance->program->variables;
    double           value = instance_value(instance, var);
    return all->run[variables_run(all, var)].type == TYPE_REAL ? value : value + 0.0;
}

double instance_value(const Instance *instance, int var) {
    const Reduced *r = &instance->program->reduced;
    return r->sign[var] * instance->v[r->alias[var]];
}

void instance_stamp(Instance *instance) {
    instance->stamps.parameters++;
    instance->stamps.events++;
}

void instance_function_fault(Running *r, Fault *fault) {
    Rb *c = &r->rb;
    if (c->fault_text && fault) {
        fault->pos = c->fault_pos;
        fault->what = c->fault_text;
        fault->kind = FAULT_FUNCTION;
        if (c->fault_at >= 0 && c->fault_at < r->part->items) {
            fault->caller = r->part->pos[c->fault_at];
            fault->given = r->part->unknown[c->fault_at];
        }
    }
    c->failed = c->depth = 0;
    c->fault_text = NULL;
}

/* ---- states and derivatives ---------------------------------------------------------------- */

/* From a vector to variables. */
static void copy_in(const Segments *segments, const double *x, double *v) {
    for (int s = 0; s < segments->count; s++) {
        const Segment *g = &segments->list[s];
        memcpy(v + g->at, x + g->state, (size_t)g->count * sizeof *x);
    }
}

/* Derivatives that are not yet in the vector. Values that are not finite pass through: the
 * integrator sees them in its error norm, and looking at each here would cost as much as
 * computing it. */
static void copy_out(const Instance *instance, const double *x, double *dx) {
    const double *const base[] = {
        [HOME_VALUES] = instance->v, [HOME_STATES] = x, [HOME_RATES] = dx};
    const Segments *out = &instance->common->out;
    for (int s = 0; s < out->count; s++) {
        const Segment *g = &out->list[s];
        const double  *from = base[g->home] + g->at;
        if (g->sign == 1) memcpy(dx + g->state, from, (size_t)g->count * sizeof *dx);
        else
            for (int i = 0; i < g->count; i++) dx[g->state + i] = g->sign * from[i];
    }
}

double instance_rate(const Instance *instance, int i, const double *x) {
    const Common       *c = instance->common;
    const double *const base[] = {
        [HOME_VALUES] = instance->v, [HOME_STATES] = x, [HOME_RATES] = instance->dx};
    return instance->program->states.rate_sign[i] * base[c->rate_home[i]][c->rate_at[i]];
}

static bool is_in(const Segments *segments, const double *x, const double *v) {
    bool same = true;
    for (int s = 0; s < segments->count && same; s++) {
        const Segment *g = &segments->list[s];
        same = memcmp(v + g->at, x + g->state, (size_t)g->count * sizeof *x) == 0;
    }
    return same;
}

/* The look at crossings, the check of assertions and the record follow each other at the end of a step.
 * Where values come from elsewhere, too, they are not believed. */
bool instance_knows(const Instance *instance, double t, const double *x) {
    const Whole *whole = &instance->whole;
    return whole->valid && instance->complete && !instance->history && !instance->ticks &&
           !instance->local && instance->run.rb.time == t &&
           whole->parameters == instance->stamps.parameters &&
           whole->events == instance->stamps.events &&
           is_in(&instance->common->in, x, instance->v);
}

void instance_put_states(Instance *instance, const double *x) {
    instance->whole.valid = false;
    cones_forget(instance->cones);
    copy_in(&instance->common->in, x, instance->v);
    instance->run.rb.x = x;
    instance->run.rb.dx = instance->dx;
}

void instance_put_rates(Instance *instance) {
    copy_in(&instance->common->back, instance->dx, instance->v);
    instance->complete = true;
}

void instance_recall(Instance *instance) {
    const Rb *c = &instance->run.rb;
    if (c->x) copy_in(&instance->common->in, c->x, c->v);
    if (c->dx) copy_in(&instance->common->back, c->dx, c->v);
}

int instance_evaluate(Instance *instance, double t, const double *x) {
    Moment at = moment_at(t);
    if (instance_knows(instance, t, x)) {
        instance->run.rb.x = x;
        return 0;
    }
    at.terminal = instance->event.final && t == instance->event.time;
    instance_put_states(instance, x);
    running_at(&instance->run, at);
    int failed = instance->run.image->eval(&instance->run.rb);
    instance_put_rates(instance);
    instance->whole = (Whole){.valid = !failed && !instance->run.rb.failed,
                              .parameters = instance->stamps.parameters,
                              .events = instance->stamps.events};
    return failed;
}

/* Derivatives at x into dx; not 0: failed. */
static int evaluate_rates(Instance *instance, double t, const double *x, double *dx) {
    Rb *c = &instance->run.rb;
    cones_forget(instance->cones);
    instance->complete = false;
    instance->counts.rows += instance->common->all_rows;
    instance->counts.rates++;
    copy_in(&instance->common->copied, x, c->v);
    c->x = x;
    c->dx = dx;
    running_at(&instance->run, moment_at(t));
    if (instance->run.image->rates(c)) return 1;
    copy_out(instance, x, dx);
    return 0;
}

/* ---- the waist ----------------------------------------------------------------------------------- */

static Status model_accept(void *self, PastPoint *point, Fault *fault) {
    Instance *instance = self;
    instance->fault = fault;
    if (instance_evaluate(instance, point->t, point->x)) {
        instance_function_fault(&instance->run, fault);
        return STATUS_RETRY;
    }
    bool fine = history_note(instance, point);
    if (instance->run.rb.failed) {
        instance_function_fault(&instance->run, fault);
        return STATUS_FATAL;
    }
    return instance->lacking ? STATUS_NO_MEMORY : fine ? STATUS_OK : STATUS_NOT_FINITE;
}

bool instance_begin_loops(Instance *instance) {
    size_t n = (size_t)instance->program->variables.vars;
    if (!instance->cones) return true;
    if (!instance->run.began) instance->run.began = mem_take(n, sizeof(double));
    if (!instance->run.began) return false;
    memcpy(instance->run.began, instance->v, (n + 1) * sizeof(double));
    return true;
}

static Status model_init(void *self, double t, double *x, Fault *fault) {
    Instance     *instance = self;
    const States *s = &instance->program->states;
    for (int i = 0; i < s->count; i++) x[i] = instance->v[s->var[i]];
    running_at(&instance->run, moment_at(t));
    if (!instance_begin_loops(instance)) return STATUS_NO_MEMORY;
    history_note(instance, &(PastPoint){.begin = t, .t = t, .most = HUGE_VAL});
    if (instance->run.rb.failed) {
        instance_function_fault(&instance->run, fault);
        return STATUS_FATAL;
    }
    if (instance->lacking) return STATUS_NO_MEMORY;
    instance->model.step_most = history_step(instance);
    instance->functions.accept = instance->history ? model_accept : NULL;
    instance->model.nz = instance->run.part->relations + history_arrivals(instance);
    return STATUS_OK;
}

/* Discrete values may have been taken back. */
void instance_notice(Instance *instance) {
    if (instance->noticed == instance->journal.version) return;
    instance->noticed = instance->journal.version;
    instance->stamps.events++;
    cones_forget(instance->cones);
}

static Status model_eval(void *self, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    Instance *instance = self;
    bool      whole = rows->kind == SELECT_ALL;
    bool      piece = rows->kind == SELECT_LIST && instance->cones;
    if (instance->asked && instance->asked(instance->asked_owner)) {
        if (fault) fault->what = "it was asked to end";
        return STATUS_FATAL;
    }
    instance->fault = fault;
    instance_notice(instance);
    int failed = piece ? cones_eval(instance, t, x, rows->row, rows->count, dx)
                       : evaluate_rates(instance, t, x, whole ? dx : instance->dx);
    if (failed) {
        if (fault) fault->time = t;
        instance_function_fault(&instance->run, fault);
        return instance->lacking ? STATUS_NO_MEMORY : STATUS_RETRY;
    }
    for (int k = 0; !whole && !piece && k < rows->count; k++) {
        int i = selection_row(rows, k);
        dx[i] = instance_rate(instance, i, x);
    }
    return STATUS_OK;
}

static Status model_next_event(void *self, double t, double *when, Fault *fault) {
    Instance *instance = self;
    (void)fault;
    running_at(&instance->run, moment_at(t));
    double next =
        fmin(instance->run.image->next(&instance->run.rb), history_next(instance, t));
    next = fmin(next, ticks_next(instance, t));
    *when = next < 1e300 ? next : HUGE_VAL;
    return STATUS_OK;
}

/* What some variables need: states and what changes at events is there. */
static OutputEffort output_effort(const Common *c, const Selection *which, int n) {
    OutputEffort most = which->kind == SELECT_ALL ? EFFORT_ALL : EFFORT_NONE;
    for (int k = 0; k < n && most != EFFORT_ALL; k++) {
        OutputEffort own = (OutputEffort)c->effort[selection_row(which, k)];
        if (own > most) most = own;
    }
    return most;
}

int instance_evaluate_for(Instance *instance, OutputEffort effort, double t,
                          const double *x) {
    if (effort == EFFORT_ALL) return instance_evaluate(instance, t, x);
    int failed = 0;
    instance_put_states(instance, x);
    if (effort == EFFORT_RATES) {
        running_at(&instance->run, moment_at(t));
        failed = instance->run.image->rates(&instance->run.rb);
        instance_put_rates(instance);
    }
    instance->complete = false;
    return failed;
}

/* Columns of a result: the values themselves, without the signs of aliases. */
static Status model_output(void *self, double t, const double *x, const Selection *which,
                           double *y, Fault *fault) {
    Instance    *instance = self;
    int          n = selection_count(which, instance->model.ny);
    OutputEffort effort = output_effort(instance->common, which, n);
    instance->fault = fault;
    if (instance_evaluate_for(instance, effort, t, x)) {
        if (fault) fault->time = t;
        instance_function_fault(&instance->run, fault);
        return STATUS_RETRY;
    }
    loops_settle(&instance->run, t);
    for (int k = 0; k < n; k++) y[k] = instance->v[selection_row(which, k)];
    return STATUS_OK;
}

static Journal *model_journal_of(void *self) {
    Instance *instance = self;
    return &instance->journal;
}

/* clang-format off */
static const ModelFunctions functions = {
    .init = model_init, .eval = model_eval, .jacobian = jacobian_model,
    .ahead = happen_ahead, .bounds = seen_bounds, .moves = inputs_move, .kink = inputs_kink, .crossings = happen_crossings, .event = happen_event, .next_event = model_next_event,
    .check = happen_check, .output = model_output, .journal = model_journal_of,
    .twin = instance_twin, .twin_free = instance_twin_free,
    .block = &instance_blocks,
};
/* clang-format on */

/* ---- opening ---------------------------------------------------------------------------------- */

/* Values and relations in one array: local events change both. */
bool instance_values(Instance *instance) {
    const Program *p = instance->program;
    size_t         vars = (size_t)p->variables.vars + 1;
    instance->v = mem_take(vars + (size_t)p->part[PART_RUN].relations, sizeof(double));
    instance->journal = (Journal){.value = instance->v};
    return instance->v != NULL;
}

static Model model_of(Instance *instance) {
    const Common *c = instance->common;
    Model         m = {.nx = instance->program->states.count,
                       .ny = instance->program->variables.vars,
                       .nz = instance->run.part->relations,
                       .bounded = seen_bounded(c->seen),
                       .boundeds = instance->run.part->relations,
                       .pattern = c->full ? NULL : &c->pattern,
                       .flags = (instance->cones ? MODEL_KEEPS : MODEL_WHOLE) |
                                (instance->program->fast.count ? MODEL_FOLDS : 0),
                       .nominal = c->nominal,
                       .effort = instance->program->info.effort,
                       .fn = &instance->functions,
                       .instance = instance};
    if (c->reads.start) {
        m.reads = &c->reads;
        m.changes = &c->changes;
    }
    return m;
}

static bool open_all(Instance *instance) {
    const Program *p = instance->program;
    size_t         relations = (size_t)p->part[PART_RUN].relations;
    instance->externals.options = &instance->common->options;
    if (!instance_values(instance) || !extern_open(&instance->externals, p->functions) ||
        !running_open(&instance->run, instance, PART_RUN) || !support_open(instance))
        return false;
    instance->dx = mem_take((size_t)p->states.count, sizeof(double));
    instance->event.before = mem_take(relations, sizeof(double));
    if (!instance->dx || !instance->event.before) return false;
    start_known(instance);
    start_values(instance);
    if (instance->common->cones) {
        instance->local = local_new(instance);
        instance->cones = cones_new(instance);
        if (!instance->local || !instance->cones) return false;
    }
    return instance_begin_loops(instance) && project_open(instance) &&
           ticks_open(instance);
}

bool instance_open(Instance *instance, const Common *common) {
    *instance = (Instance){.program = common->program,
                           .common = common,
                           .functions = functions,
                           .event = {.time = NAN, .right_time = -HUGE_VAL}};
    if (!open_all(instance)) {
        instance_free(instance);
        return false;
    }
    if (instance->projection) instance->functions.project = project_states;
    instance->model = model_of(instance);
    return true;
}

void instance_free(Instance *instance) {
    extern_close(instance);
    support_close(instance);
    ticks_close(instance);
    history_close(&instance->history);
    project_close(instance);
    jacobian_free(instance);
    running_close(&instance->run);
    cause_free(instance->report);
    bounds_close(instance);
    MEM_FREE(instance->sight.known, instance->sight.degrees, instance->sight.bands);
    map_free(&instance->warned);
    cones_free(instance->cones);
    local_free(instance->local);
    journal_free(&instance->journal);
    texts_free(&instance->texts);
    mem_free(instance->event.reinit);
    mem_free(instance->event.before);
    mem_free(instance->given);
    mem_free(instance->is_given);
    mem_free(instance->v);
    mem_free(instance->dx);
    *instance = (Instance){0};
}
