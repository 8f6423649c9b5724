/* SPDX-License-Identifier: Apache-2.0 */
/* instance.c -- one running model: its values, and the waist of model.h over generated code.
 *
 * For derivatives the groups that they need run, on the vectors of the caller (dae/home.c). For
 * everything else all groups run, and states and derivatives are copied to the other values
 * (instance_evaluate). Jacobians are in jacobian.c. */
#include "live/live.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ----------------------------------------------------------------------------------- */

double instance_value(const Instance *instance, int var) {
    const Structure *st = instance->plan->st;
    return st->sign[var] * instance->rb.v[st->alias[var]];
}

/* Anything may have changed: what was kept no longer holds. */
static void stamp(Instance *instance) {
    instance->stamps.parameters++;
    instance->stamps.events++;
}

static void put(Instance *instance, int var, double value) {
    const Structure *st = instance->plan->st;
    instance->rb.v[st->alias[var]] = st->sign[var] * value;
    stamp(instance);
}

void instance_set(Instance *instance, int var, double value) {
    size_t n = (size_t)instance->givens + 1;
    Given *more = realloc(instance->given, n * sizeof *more);
    if (!more) instance_lack(instance, n * sizeof *more);
    instance->given = more;
    instance->given[instance->givens++] = (Given){var, value};
    put(instance, var, value);
}

/* Values that the attributes give as numbers. */
static void known_values(Instance *instance) {
    const System *sys = instance->plan->st->sys;
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        bool          parameter = run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT;
        for (int i = 0; i < run->count; i++) {
            double value = 0;
            if (parameter && !system_known(sys, r, ATTR_BINDING, i, &value))
                system_known(sys, r, ATTR_START, i, &value);
            if (parameter &&
                run->type == TYPE_STRING) /* known as the number of its text */
                value = support_text(str_text(sys->shapes->strings, (Str)value));
            instance->rb.v[run->first + i] = value;
        }
    }
}

/* By run: a row gives its value. */
static bool *computed_runs(const System *sys) {
    const Families *rows = &sys->set[ROWS_BINDING];
    bool           *computed = calloc((size_t)sys->runs + 1, sizeof *computed);
    int            *slot = NULL;
    if (!computed) arena_lack(&sys->shapes->arena, (size_t)sys->runs);
    for (int f = 0; f < rows->count; f++) {
        const Family *family = &rows->family[f];
        int           slots = sys->shapes->shape[family->shape].slots;
        slot = mem_resize(slot, ((size_t)slots + 1) * sizeof *slot);
        for (int i = 0; i < family->count && slots; i++) {
            family_slots(sys, family, i, slot); /* the first one is the left side */
            computed[system_run_of(sys, slot[0])] = true;
        }
    }
    free(slot);
    return computed;
}

/* Parameters bound to another parameter, whose value may have been computed, or without a
 * binding those whose start value is that of another. */
static void copy_bound(Instance *instance) {
    const System *sys = instance->plan->st->sys;
    bool         *computed = computed_runs(sys);
    for (int r = 0; r < sys->runs; r++) {
        const Attribute *a = system_attribute(sys, r, ATTR_BINDING);
        if (!a && sys->run[r].kind == VAR_PARAMETER && !computed[r])
            a = system_attribute(sys, r, ATTR_START);
        if (!a || a->kind != VALUE_VARIABLE) continue;
        for (int i = 0; i < sys->run[r].count; i++)
            instance->rb.v[sys->run[r].first + i] =
                instance->rb.v[a->index + a->stride * i];
    }
    free(computed);
}

static void start_values(Instance *instance) {
    const Structure *st = instance->plan->st;
    const System    *sys = st->sys;
    for (int v = 0; v < st->vars; v++) {
        if (st->role[v] != ROLE_UNKNOWN && st->role[v] != ROLE_STATE) continue;
        int              from = st->start_from[v], run = system_run_of(sys, from);
        int              element = from - sys->run[run].first;
        const Attribute *a = system_attribute(sys, run, ATTR_START);
        double           value = 0;
        if (a && a->kind == VALUE_VARIABLE)
            value = instance->rb.v[a->index + a->stride * element];
        else if (a) system_known(sys, run, ATTR_START, element, &value);
        instance->rb.v[v] = st->sign[from] * value;
    }
    for (int i = 0; i < instance->givens; i++) /* from outside: they come last */
        put(instance, instance->given[i].var, instance->given[i].value);
}

static int shift_left_limits(Instance *instance);

/* What a function complained about, if one did. */
static void function_fault(Instance *instance, Fault *fault) {
    Rb *c = &instance->rb;
    if (c->fault_text && fault) {
        fault->pos = c->fault_pos;
        fault->what = c->fault_text;
    }
    c->failed = c->depth = 0;
    c->fault_text = NULL;
}

/* Code of another system over the same values: its loops are found through the plan. */
static int run_other(Instance *instance, const Plan *plan, const Image *image) {
    const Plan  *own = instance->plan;
    const Image *code = instance->image;
    Rb          *c = &instance->rb;
    double      *mode = c->mode; /* its relations have numbers of their own */
    c->mode = calloc((size_t)image->relations() + 1, sizeof(double));
    if (!c->mode) instance_lack(instance, (size_t)image->relations() * sizeof(double));
    Loops   blocks = instance->blocks;
    double *sided = instance->sided, *began = instance->began;
    instance->blocks = (Loops){0};
    instance->sided = instance->began = NULL;
    instance->plan = plan;
    instance->image = image;
    c->table = plan->table;
    c->x = c->dx = NULL; /* states are unknowns like others */
    c->live = 1;
    instance->settling = true;
    instance->complete = true;
    int failed = image->events(c);
    if (failed) function_fault(instance, instance->fault);
    c->live = 0;
    instance->settling = false;
    stamp(instance);
    c->table = own->table;
    loops_free(&instance->blocks);
    instance->blocks = blocks;
    instance->sided = sided;
    instance->began = began;
    instance->plan = own;
    instance->image = code;
    free(c->mode);
    c->mode = mode;
    return failed;
}

Status instance_bind(Instance *instance, const Plan *bindings, const Image *image,
                     Fault *fault) {
    instance->fault = fault;
    if (run_other(instance, bindings, image)) return STATUS_FATAL;
    copy_bound(instance);
    start_values(instance);
    return STATUS_OK;
}

/* ---- initialisation ----------------------------------------------------------------------- */

/* Left limits of discrete variables start with the start values. */
static void start_left_limits(Instance *instance) {
    const System *sys = instance->plan->st->sys;
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        if (run->kind != VAR_PRE && run->kind != VAR_PREVIOUS) continue;
        for (int i = 0; i < run->count; i++)
            instance->rb.v[run->first + i] =
                instance_value(instance, sys->run[run->of].first + i);
    }
}

static bool uses_homotopy(const Shapes *shapes) {
    for (uint32_t i = 0; i < shapes->nodes; i++)
        if (shapes->node[i].op == TERM_HOMOTOPY) return true;
    return false;
}

/* From the simplified model (lambda 0) to the actual one (1), with steps that halve where there is
 * no solution and double where there is one. Not 0: the path ends before. */
static int follow_homotopy(Instance *instance, const Plan *initial, const Image *image) {
    Rb     *c = &instance->rb;
    size_t  bytes = (size_t)instance->plan->st->sys->vars * sizeof(double);
    double *good = malloc(bytes + 1), at = 0, step = 0.25;
    if (!good) instance_lack(instance, bytes);
    c->lambda = 0;
    int failed = run_other(instance, initial, image);
    while (!failed && at < 1) {
        memcpy(good, c->v, bytes);
        c->lambda = fmin(1, at + step);
        while ((failed = run_other(instance, initial, image)) && step > 1e-3) {
            memcpy(c->v, good, bytes);
            step /= 2;
            c->lambda = fmin(1, at + step);
        }
        at = c->lambda;
        step *= 2;
    }
    c->lambda = 1;
    free(good);
    return failed;
}

Status instance_initialise(Instance *instance, const Plan *initial, const Image *image,
                           double t, Fault *fault) {
    Rb *c = &instance->rb;
    start_left_limits(instance);
    instance->fault = fault;
    c->initial = 1;
    c->time = t;
    /* who writes a simplified model means the solution that it leads to */
    int failed = !uses_homotopy(initial->st->sys->shapes) ||
                 follow_homotopy(instance, initial, image);
    if (failed) {
        start_values(instance);
        start_left_limits(instance);
        failed = run_other(instance, initial, image);
    }
    c->initial = 0;
    if (failed) return STATUS_FATAL;
    shift_left_limits(instance);
    return STATUS_OK;
}

/* ---- states and derivatives ---------------------------------------------------------------- */

static void add_segment(Segments *s, Segment one) {
    Segment *last = s->count ? &s->list[s->count - 1] : NULL;
    if (last && one.state == last->state + last->count &&
        one.at == last->at + last->count && one.home == last->home &&
        one.sign == last->sign) {
        last->count++;
        return;
    }
    if ((s->count & (s->count - 1)) == 0)
        s->list = mem_resize(s->list, 2 * ((size_t)s->count + 1) * sizeof *s->list);
    s->list[s->count++] = one;
}

/* Runs of consecutive variables: copying them costs no more than the memory they fill. */
static void make_segments(Instance *instance) {
    const Plan *plan = instance->plan;
    for (int i = 0; i < instance->states; i++) {
        Segment own = {i, instance->state[i], 1, HOME_VALUES, 1};
        Segment rate = {i, instance->rate_at[i], 1, instance->rate_home[i],
                        instance->rate_sign[i]};
        add_segment(&instance->in, own);
        if (plan->copied[i]) add_segment(&instance->copied, own);
        if (!plan->written[i]) add_segment(&instance->out, rate);
        own.at = instance->rate[i];
        if (plan->written[i]) add_segment(&instance->back, own);
    }
}

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
        [HOME_VALUES] = instance->rb.v, [HOME_STATES] = x, [HOME_RATES] = dx};
    for (int s = 0; s < instance->out.count; s++) {
        const Segment *g = &instance->out.list[s];
        const double  *from = base[g->home] + g->at;
        if (g->sign == 1) memcpy(dx + g->state, from, (size_t)g->count * sizeof *dx);
        else
            for (int i = 0; i < g->count; i++) dx[g->state + i] = g->sign * from[i];
    }
}

double instance_rate(const Instance *instance, int i, const double *x) {
    const double *const base[] = {
        [HOME_VALUES] = instance->rb.v, [HOME_STATES] = x, [HOME_RATES] = instance->dx};
    return instance->rate_sign[i] * base[instance->rate_home[i]][instance->rate_at[i]];
}

/* Code that runs now reads the states x. */
static void put_states(Instance *instance, const double *x) {
    cones_forget(instance->cones);
    copy_in(&instance->in, x, instance->rb.v);
    instance->rb.x = x;
    instance->rb.dx = instance->dx;
}

static void put_rates(Instance *instance) {
    copy_in(&instance->back, instance->dx, instance->rb.v);
    instance->complete = true;
}

void instance_recall(Instance *instance) {
    const Rb *c = &instance->rb;
    if (c->x) copy_in(&instance->in, c->x, c->v);
    if (c->dx) copy_in(&instance->back, c->dx, c->v);
}

int instance_evaluate(Instance *instance, double t, const double *x) {
    put_states(instance, x);
    instance->rb.time = t;
    int failed = instance->image->eval(&instance->rb);
    put_rates(instance);
    return failed;
}

/* Derivatives at x into dx; not 0: failed. */
static int evaluate_rates(Instance *instance, double t, const double *x, double *dx) {
    Rb *c = &instance->rb;
    cones_forget(instance->cones);
    instance->complete = false;
    instance->rows += instance->all_rows;
    copy_in(&instance->copied, x, c->v);
    c->x = x;
    c->dx = dx;
    c->time = t;
    if (instance->image->rates(c)) return 1;
    copy_out(instance, x, dx);
    return 0;
}

/* ---- the waist ----------------------------------------------------------------------------------- */

static Status model_accept(void *self, double t, const double *x, Fault *fault) {
    Instance *instance = self;
    instance->fault = fault;
    if (instance_evaluate(instance, t, x)) {
        function_fault(instance, fault);
        return STATUS_RETRY;
    }
    return history_note(instance, false) ? STATUS_OK : STATUS_NOT_FINITE;
}

/* From now on loops start from the present values. */
static void begin_loops(Instance *instance) {
    size_t bytes = ((size_t)instance->plan->st->sys->vars + 1) * sizeof(double);
    if (!instance->cones) return;
    instance->began = mem_resize(instance->began, bytes);
    memcpy(instance->began, instance->rb.v, bytes);
}

static Status model_init(void *self, double t, double *x, Fault *fault) {
    Instance *instance = self;
    (void)fault;
    for (int i = 0; i < instance->states; i++) x[i] = instance->rb.v[instance->state[i]];
    instance->rb.time = t;
    begin_loops(instance);
    history_note(instance, false);
    instance->model.step_most = history_step(instance);
    instance->functions.accept = instance->history ? model_accept : NULL;
    instance->model.nz = instance->relations + history_arrivals(instance);
    return STATUS_OK;
}

/* Discrete values may have been taken back. */
static void notice(Instance *instance) {
    if (instance->noticed == instance->journal.version) return;
    instance->noticed = instance->journal.version;
    instance->stamps.events++;
    cones_forget(instance->cones);
}

static Status model_eval(void *self, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    Instance *instance = self;
    bool      whole = rows->kind == SELECT_ALL;
    bool      part = rows->kind == SELECT_LIST && instance->cones;
    instance->fault = fault;
    notice(instance);
    int failed = part ? cones_eval(instance, t, x, rows->row, rows->count, dx)
                      : evaluate_rates(instance, t, x, whole ? dx : instance->dx);
    if (failed) {
        if (fault) fault->time = t;
        function_fault(instance, fault);
        return STATUS_RETRY;
    }
    for (int k = 0; !whole && !part && k < rows->count; k++) {
        int i = selection_row(rows, k);
        dx[i] = instance_rate(instance, i, x);
    }
    return STATUS_OK;
}

/* ---- events --------------------------------------------------------------------------------- */

/* Values come first, all of them from before any state is set (Modelica 3.6, 8.3.6). */
static void reinit_state(Rb *c, int var, double value) {
    Instance *instance = c->host;
    if (instance->reinits == instance->reinit_room) {
        instance->reinit_room = 2 * instance->reinit_room + 8;
        instance->reinit = mem_resize(instance->reinit, (size_t)instance->reinit_room *
                                                            sizeof *instance->reinit);
    }
    instance->reinit[instance->reinits++] = (Given){var, value};
}

void instance_reinit(Instance *instance, bool fine) {
    for (int k = 0; fine && k < instance->reinits; k++)
        instance->rb.v[instance->reinit[k].var] = instance->reinit[k].value;
    instance->reinits = 0;
}

static void report_action(Rb *c, int action, int row, int what, double text) {
    Instance *instance = c->host;
    if (what == REPORT_WARNING) {
        cause_warning(instance, action, row, text);
    } else if (what == REPORT_TERMINATE && !instance->terminated) {
        instance->terminated = action + 1;
    } else if (what == REPORT_ERROR && !instance->violated) {
        instance->violated = action + 1;
        instance->violated_row = row;
        instance->said = text != 0 ? (const char *)(uintptr_t)(uint64_t)text : NULL;
    }
}

static bool is_discrete(const VarRun *run) {
    return run->kind == VAR_DISCRETE || run->type != TYPE_REAL;
}

/* Left limits take the present values. The first discrete variable that changed, -1: none. */
static int shift_left_limits(Instance *instance) {
    const System *sys = instance->plan->st->sys;
    int           changed = -1;
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        if (run->kind != VAR_PRE) continue;
        for (int i = 0; i < run->count; i++) {
            double  now = instance_value(instance, sys->run[run->of].first + i);
            double *pre = &instance->rb.v[run->first + i];
            if (changed < 0 && is_discrete(&sys->run[run->of]) &&
                (*pre < now || *pre > now))
                changed = sys->run[run->of].first + i;
            *pre = now;
        }
    }
    return changed;
}

/* At the beginning of an event the left limits of continuous variables are their values. Where the
 * relations before the event do not allow an evaluation any more, they are those of the last point
 * that was recorded. */
static void take_left_limits(Instance *instance) {
    const System *sys = instance->plan->st->sys;
    instance->rows += instance->value_rows;
    if (instance_evaluate(instance, instance->rb.time, instance->rb.x))
        function_fault(instance, NULL);
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        if (run->kind != VAR_PRE || is_discrete(&sys->run[run->of])) continue;
        for (int i = 0; i < run->count; i++)
            instance->rb.v[run->first + i] =
                instance_value(instance, sys->run[run->of].first + i);
    }
}

/* The first relation that changed in this round, -1: none. Values that are no numbers do not
 * count: they would differ in every round. */
static int changed_mode(const Instance *instance) {
    for (int i = 0; i < instance->relations; i++) {
        double a = instance->before[i], b = instance->rb.mode[i];
        if (a < b || a > b) return i;
    }
    return -1;
}

/* For the case that the rounds do not end. */
static void name_change(const Instance *instance, int variable, int relation,
                        Fault *fault) {
    const Structure *st = instance->plan->st;
    if (!fault) return;
    fault->relation = relation;
    fault->variable = variable;
    int eq = variable >= 0 ? st->eq_of[st->alias[variable]] : -1;
    if (eq < 0) return;
    fault->row = st->eq_row[eq];
    fault->pos = structure_pos(st, fault->row);
}

/* At an event, relations on their border stay on the side that was chosen. */
static void keep_sides(const Instance *instance, const Selection *which, double *z) {
    for (int k = 0, n = selection_count(which, instance->relations); k < n; k++) {
        int i = selection_row(which, k);
        if (i >= instance->relations) continue; /* of the past */
        if (instance->sided[i] != 0 && (z[i] > 0) != (instance->sided[i] > 0))
            z[i] = instance->sided[i] > 0 ? DBL_MIN : 0;
    }
}

static Status model_crossings(void *self, double t, const double *x,
                              const Selection *which, double *z, Fault *fault) {
    Instance *instance = self;
    bool      part = which->kind != SELECT_ALL && instance->cones && instance->locals &&
                !instance->history;
    int failed;
    instance->fault = fault;
    notice(instance);
    if (part) {
        failed = cones_crossings(instance, t, x, which, z);
        instance->crossing_rows += which->count;
    } else { /* all are computed: each costs one subtraction */
        failed = instance_evaluate(instance, t, x);
        instance->rows += instance->value_rows;
        if (!failed) instance->image->crossings(&instance->rb, z);
        if (!failed) history_crossings(instance, z + instance->relations);
        instance->crossing_rows += instance->model.nz;
    }
    if (failed) {
        function_fault(instance, fault);
        return STATUS_RETRY;
    }
    if (t == instance->event_time) keep_sides(instance, which, z);
    return STATUS_OK;
}

static Status assertion_fault(const Instance *instance, double t, Fault *fault) {
    const Families *actions = &instance->plan->st->sys->set[ROWS_ACTION];
    if (!fault) return STATUS_FATAL;
    *fault = fault_none();
    fault->time = t;
    fault->pos = actions->family[instance->violated - 1].pos;
    fault->what = instance->said ? instance->said : "an assertion is violated";
    return STATUS_FATAL;
}

/* A violation inside a step may lie behind an event that ends the step before. */
static Status model_check(void *self, double t, const double *x, Fault *fault) {
    Instance *instance = self;
    if (!instance->checked) return STATUS_OK;
    instance->fault = fault;
    if (instance_evaluate(instance, t, x)) {
        function_fault(instance, fault);
        return STATUS_RETRY;
    }
    instance->image->checks(&instance->rb);
    bool fine = !instance->violated;
    if (!fine) assertion_fault(instance, t, fault);
    instance->violated = 0;
    return fine ? STATUS_OK : STATUS_RETRY;
}

/* One round: evaluate with live relations, act, shift left limits. sample() is true in the first
 * round at a time only. */
static Status model_event(void *self, double t, double *x, EventKind kind,
                          const Selection *which, bool *again, Fault *fault) {
    Instance *instance = self;
    Rb       *c = &instance->rb;
    size_t    bytes = (size_t)instance->relations * sizeof(double);
    notice(instance);
    if (which->kind != SELECT_ALL && instance->locals) {
        instance->fault = fault;
        Status status = locals_event(instance, t, x, which, again);
        if (status != STATUS_OK) function_fault(instance, fault);
        return status;
    }
    put_states(instance, x);
    c->time = t;
    c->terminal = kind == EVENT_FINAL;
    c->tick = t != instance->event_time;
    if (c->tick) c->before = instance->event_time;
    instance->event_time = t;
    instance->fault = fault;
    if (c->tick && kind != EVENT_START) take_left_limits(instance);
    memcpy(instance->before, c->mode, bytes);
    memset(instance->sided, 0, bytes);
    instance->right_time = t;
    history_arrive(instance);
    c->live = 1;
    instance->settling = true;
    int failed = instance->image->events(c);
    instance->rows += instance->event_rows;
    put_rates(instance);
    if (failed) function_fault(instance, fault);
    c->initial = kind == EVENT_START && c->tick; /* actions of the start, once */
    if (!failed) {
        instance->image->checks(c);
        instance->image->actions(c);
        instance_reinit(instance, !c->failed);
    }
    instance->settling = false;
    instance->stamps.events++;
    c->initial = 0;
    if (c->failed) { /* of a called function */
        function_fault(instance, fault);
        failed = 1;
    }
    bool ticked = c->tick && instance->relations; /* a tick must fall back */
    c->live = c->tick = c->terminal = 0;
    if (failed) return STATUS_RETRY;
    if (instance->violated) return assertion_fault(instance, t, fault);
    for (int i = 0; i < instance->states; i++) x[i] = c->v[instance->state[i]];
    int  moved = shift_left_limits(instance), mode = changed_mode(instance);
    bool more = moved >= 0 || ticked || mode >= 0 || !history_settled(instance);
    if (!more && instance->history) history_note(instance, true);
    if (again) *again = more;
    if (moved >= 0 || mode >= 0) name_change(instance, moved, mode, fault);
    return instance->terminated ? STATUS_END : STATUS_OK;
}

static Status model_next_event(void *self, double t, double *when, Fault *fault) {
    Instance *instance = self;
    (void)fault;
    instance->rb.time = t;
    double next = fmin(instance->image->next(&instance->rb), history_next(instance, t));
    *when = next < 1e300 ? next : HUGE_VAL;
    return STATUS_OK;
}

static Status model_output(void *self, double t, const double *x, const Selection *which,
                           double *y, Fault *fault) {
    Instance *instance = self;
    int       n = selection_count(which, instance->model.ny);
    instance->fault = fault;
    if (instance_evaluate(instance, t, x)) {
        if (fault) fault->time = t;
        function_fault(instance, fault);
        return STATUS_RETRY;
    }
    for (int k = 0; k < n; k++) y[k] = instance_value(instance, selection_row(which, k));
    return STATUS_OK;
}

static Journal *model_journal_of(void *self) {
    Instance *instance = self;
    return &instance->journal;
}

static const ModelFunctions functions = {.init = model_init,
                                         .eval = model_eval,
                                         .jacobian = jacobian_model,
                                         .crossings = model_crossings,
                                         .event = model_event,
                                         .next_event = model_next_event,
                                         .check = model_check,
                                         .output = model_output,
                                         .journal = model_journal_of,
                                         .twin = instance_twin,
                                         .twin_free = instance_twin_free};

/* Where derivatives are when the code has run: written for one state each, as the value of
 * another state, or among the values. */
static void place_rates(Instance *instance) {
    const Plan *plan = instance->plan;
    int        *number = calloc((size_t)plan->st->vars + 1, sizeof *number);
    if (!number) instance_lack(instance, (size_t)plan->st->vars * sizeof *number);
    for (int i = 0; i < instance->states; i++) number[instance->state[i]] = i + 1;
    for (int i = 0; i < instance->states; i++)
        if (plan->written[i]) number[instance->rate[i]] = -1 - i;
    for (int i = 0; i < instance->states; i++) {
        int n = number[instance->rate[i]];
        instance->rate_home[i] = n > 0 ? HOME_STATES : n < 0 ? HOME_RATES : HOME_VALUES;
        instance->rate_at[i] = n ? abs(n) - 1 : instance->rate[i];
    }
    free(number);
}

static void list_states(Instance *instance) {
    const Structure *st = instance->plan->st;
    size_t           n = (size_t)st->states + 1;
    instance->state = malloc(n * sizeof *instance->state);
    instance->rate = malloc(n * sizeof *instance->rate);
    instance->rate_sign = malloc(n * sizeof *instance->rate_sign);
    instance->nominal = malloc(n * sizeof *instance->nominal);
    instance->rate_home = malloc(n);
    instance->rate_at = malloc(n * sizeof *instance->rate_at);
    instance->dx = calloc(n, sizeof *instance->dx);
    if (!instance->state || !instance->rate || !instance->rate_sign ||
        !instance->nominal || !instance->rate_home || !instance->rate_at || !instance->dx)
        instance_lack(instance, n * sizeof(double));
    for (int v = 0; v < st->vars; v++) {
        if (st->role[v] != ROLE_STATE) continue;
        int i = instance->states++;
        instance->state[i] = v;
        instance->rate[i] = st->next[v];
        instance->rate_sign[i] = st->next_sign[v];
        instance->nominal[i] = system_nominal(st->sys, v);
    }
    place_rates(instance);
}

/* Values and relations in one array: local events change both. */
bool instance_values(Instance *instance) {
    size_t vars = (size_t)instance->plan->st->sys->vars + 1;
    instance->rb.v =
        calloc(vars + (size_t)instance->relations + 1, sizeof *instance->rb.v);
    instance->rb.mode = instance->rb.v ? instance->rb.v + vars : NULL;
    instance->journal = (Journal){.value = instance->rb.v};
    return instance->rb.v != NULL;
}

bool instance_open(Instance *instance, const Plan *plan, const Image *image) {
    const Structure *st = plan->st;
    *instance = (Instance){.plan = plan, .image = image, .relations = image->relations()};
    if (!instance_values(instance))
        instance_lack(instance, (size_t)st->sys->vars * sizeof(double));
    instance->rb = (Rb){.v = instance->rb.v,
                        .mode = instance->rb.mode,
                        .lambda = 1,
                        .table = plan->table,
                        .loop = loop_solve,
                        .loop_tangent = matrix_directions,
                        .host = instance};
    support_open(instance);
    instance->before = calloc((size_t)instance->relations + 1, sizeof(double));
    instance->sided = calloc((size_t)instance->relations + 1, sizeof(double));
    instance->event_time = NAN;
    instance->rb.reinit = reinit_state;
    instance->rb.report = report_action;
    const Families *actions = &st->sys->set[ROWS_ACTION];
    for (int f = 0; f < actions->count; f++)
        instance->checked |= action_is_check(st->sys->shapes, &actions->family[f]);
    if (!instance->before || !instance->sided)
        instance_lack(instance, (size_t)instance->relations * sizeof(double));
    known_values(instance);
    start_values(instance);
    list_states(instance);
    make_segments(instance);
    bool sparse = jacobian_pattern(instance);
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        int          rows = group->count * group->size;
        instance->event_rows += rows;
        if (!group->discrete) instance->value_rows += rows;
        if (!group->discrete && !group->shown) instance->all_rows += rows;
    }
    instance->locals = locals_new(instance);
    instance->cones = cones_new(instance);
    begin_loops(instance);
    instance->functions = functions;
    project_open(instance);
    if (instance->projection) instance->functions.project = project_states;
    instance->right_time = -HUGE_VAL;
    instance->past_points = 16;
    instance->model = (Model){.nx = instance->states,
                              .ny = st->vars,
                              .nz = instance->relations,
                              .pattern = sparse ? &instance->pattern : NULL,
                              .flags = instance->cones ? MODEL_KEEPS : MODEL_WHOLE,
                              .nominal = instance->nominal,
                              .effort = effort_of(plan, instance->states),
                              .fn = &instance->functions,
                              .instance = instance};
    Model *m = &instance->model;
    if (instance->locals && !locals_patterns(instance->locals, &m->reads, &m->changes))
        m->reads = m->changes = NULL;
    return true;
}

void instance_free(Instance *instance) {
    support_close(instance);
    history_close(instance);
    free(instance->reinit);
    project_close(instance);
    cause_free(instance->report);
    map_free(&instance->warned);
    cones_free(instance->cones);
    locals_free(instance->locals);
    free(instance->began);
    journal_free(&instance->journal);
    free(instance->given);
    free(instance->rb.v);
    free(instance->before);
    free(instance->sided);
    free(instance->state);
    free(instance->rate);
    free(instance->rate_sign);
    free(instance->rate_home);
    free(instance->rate_at);
    free(instance->dx);
    free(instance->in.list);
    free(instance->copied.list);
    free(instance->out.list);
    free(instance->back.list);
    free(instance->nominal);
    loops_free(&instance->blocks);
    free(instance->pattern_start);
    free(instance->pattern_row);
    jacobian_free(instance);
    matrix_close(instance);
    *instance = (Instance){0};
}
