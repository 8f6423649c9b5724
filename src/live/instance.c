/* SPDX-License-Identifier: Apache-2.0 */
/* instance.c -- one running model: its values, and the waist of model.h over generated code.
 *
 * The states are copied into the array of all values, the groups run, the derivatives are copied
 * out. The pattern of df/dx follows from the dependencies of the blocks: for each derivative the
 * states that its cone reaches. If that would exceed a fixed multiple of the states (dense models)
 * no pattern is given. */
#include "live/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN_LIMIT = 200 }; /* entries per state on average */

/* ---- values ----------------------------------------------------------------------------------- */

double instance_value(const Instance *instance, int var) {
    const Structure *st = instance->plan->st;
    return st->sign[var] * instance->rb.v[st->alias[var]];
}

void instance_set(Instance *instance, int var, double value) {
    const Structure *st = instance->plan->st;
    instance->rb.v[st->alias[var]] = st->sign[var] * value;
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

/* Parameters bound to another parameter, whose value may have been computed. */
static void copy_bound(Instance *instance) {
    const System *sys = instance->plan->st->sys;
    for (int r = 0; r < sys->runs; r++) {
        const Attribute *a = system_attribute(sys, r, ATTR_BINDING);
        if (!a || a->kind != VALUE_VARIABLE) continue;
        for (int i = 0; i < sys->run[r].count; i++)
            instance->rb.v[sys->run[r].first + i] =
                instance->rb.v[a->index + a->stride * i];
    }
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
}

static bool shift_left_limits(Instance *instance);

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
    if (!c->mode) abort();
    Loops blocks = instance->blocks;
    instance->blocks = (Loops){0};
    instance->plan = plan;
    instance->image = image;
    c->table = plan->table;
    c->live = 1;
    int failed = image->events(c);
    if (failed) function_fault(instance, instance->fault);
    c->live = 0;
    c->table = own->table;
    loops_free(&instance->blocks);
    instance->blocks = blocks;
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

Status instance_initialise(Instance *instance, const Plan *initial, const Image *image,
                           double t, Fault *fault) {
    enum { STEPS = 10 };
    Rb *c = &instance->rb;
    start_left_limits(instance);
    instance->fault = fault;
    c->initial = 1;
    c->time = t;
    int failed = run_other(instance, initial, image);
    if (failed) { /* from the simplified model to the actual one */
        failed = 0;
        start_values(instance);
        for (int k = 0; k <= STEPS && !failed; k++) {
            c->lambda = (double)k / STEPS;
            failed = run_other(instance, initial, image);
        }
        c->lambda = 1;
    }
    c->initial = 0;
    if (failed) return STATUS_FATAL;
    shift_left_limits(instance);
    return STATUS_OK;
}

/* Runs of consecutive variables: copying them costs no more than the memory they fill. */
static Segment *make_segments(const int *var, const double *sign, int n, int *count) {
    Segment *list = malloc(((size_t)n + 1) * sizeof *list);
    if (!list) abort();
    *count = 0;
    for (int i = 0; i < n; i++) {
        Segment *last = *count ? &list[*count - 1] : NULL;
        double   own = sign ? sign[i] : 1;
        if (last && var[i] == last->var + last->count && own == last->sign) last->count++;
        else list[(*count)++] = (Segment){i, var[i], 1, own};
    }
    Segment *fit = realloc(list, ((size_t)*count + 1) * sizeof *list);
    return fit ? fit : list;
}

void instance_put_states(Instance *instance, const double *x) {
    for (int s = 0; s < instance->ins; s++) {
        const Segment *g = &instance->in[s];
        memcpy(instance->rb.v + g->var, x + g->state, (size_t)g->count * sizeof *x);
    }
}

/* Derivatives of all states. Values that are not finite pass through: the integrator sees
 * them in its error norm, and looking at each here would cost as much as computing it. */
static void get_rates(const Instance *instance, double *dx) {
    for (int s = 0; s < instance->outs; s++) {
        const Segment *g = &instance->out[s];
        const double  *from = instance->rb.v + g->var;
        if (g->sign == 1) memcpy(dx + g->state, from, (size_t)g->count * sizeof *dx);
        else
            for (int i = 0; i < g->count; i++) dx[g->state + i] = g->sign * from[i];
    }
}

/* ---- the waist ----------------------------------------------------------------------------------- */

static Status model_accept(void *self, double t, const double *x, Fault *fault) {
    Instance *instance = self;
    instance_put_states(instance, x);
    instance->rb.time = t;
    instance->fault = fault;
    if (instance->image->eval(&instance->rb)) {
        function_fault(instance, fault);
        return STATUS_FATAL;
    }
    history_note(instance, false);
    return STATUS_OK;
}

static Status model_init(void *self, double t, double *x, Fault *fault) {
    Instance *instance = self;
    (void)fault;
    for (int i = 0; i < instance->states; i++) x[i] = instance->rb.v[instance->state[i]];
    instance->rb.time = t;
    history_note(instance, false);
    instance->model.step_most = history_step(instance);
    instance->functions.accept = instance->history ? model_accept : NULL;
    return STATUS_OK;
}

static Status model_eval(void *self, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    Instance *instance = self;
    double   *v = instance->rb.v;
    instance_put_states(instance, x);
    instance->rb.time = t;
    instance->fault = fault;
    if (instance->image->eval(&instance->rb)) {
        if (fault) fault->time = t;
        function_fault(instance, fault);
        return STATUS_RETRY;
    }
    if (rows->kind == SELECT_ALL) {
        get_rates(instance, dx);
    } else {
        for (int k = 0; k < rows->count; k++) {
            int i = selection_row(rows, k);
            dx[i] = instance->rate_sign[i] * v[instance->rate[i]];
        }
    }
    return STATUS_OK;
}

/* ---- events --------------------------------------------------------------------------------- */

static void reinit_state(Rb *c, int var, double value) {
    c->v[var] = value;
}

static void report_action(Rb *c, int action, int row, int what) {
    Instance *instance = c->host;
    if (what == REPORT_TERMINATE && !instance->terminated)
        instance->terminated = action + 1;
    if (what == REPORT_ERROR && !instance->violated) {
        instance->violated = action + 1;
        instance->violated_row = row;
    }
}

static bool is_discrete(const VarRun *run) {
    return run->kind == VAR_DISCRETE || run->type != TYPE_REAL;
}

/* Left limits take the present values. True if one changed. */
static bool shift_left_limits(Instance *instance) {
    const System *sys = instance->plan->st->sys;
    bool          changed = false;
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        if (run->kind != VAR_PRE) continue;
        for (int i = 0; i < run->count; i++) {
            double  now = instance_value(instance, sys->run[run->of].first + i);
            double *pre = &instance->rb.v[run->first + i];
            changed |= is_discrete(&sys->run[run->of]) && (*pre < now || *pre > now);
            *pre = now;
        }
    }
    return changed;
}

/* At the beginning of an event the left limits of continuous variables are their values. */
static bool take_left_limits(Instance *instance) {
    const System *sys = instance->plan->st->sys;
    if (instance->image->eval(&instance->rb)) {
        function_fault(instance, NULL);
        return false;
    }
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        if (run->kind != VAR_PRE || is_discrete(&sys->run[run->of])) continue;
        for (int i = 0; i < run->count; i++)
            instance->rb.v[run->first + i] =
                instance_value(instance, sys->run[run->of].first + i);
    }
    return true;
}

/* Values that are no numbers do not count: they would differ in every round. */
static bool modes_changed(const Instance *instance) {
    for (int i = 0; i < instance->relations; i++) {
        double a = instance->before[i], b = instance->rb.mode[i];
        if (a < b || a > b) return true;
    }
    return false;
}

static Status model_crossings(void *self, double t, const double *x,
                              const Selection *which, double *z, Fault *fault) {
    Instance *instance = self;
    (void)which; /* all are computed: each costs one subtraction */
    instance_put_states(instance, x);
    instance->rb.time = t;
    instance->fault = fault;
    if (instance->image->eval(&instance->rb)) {
        function_fault(instance, fault);
        return STATUS_RETRY;
    }
    instance->image->crossings(&instance->rb, z);
    return STATUS_OK;
}

/* One round: evaluate with live relations, act, shift left limits. sample() is true in the first
 * round at a time only. */
static Status model_event(void *self, double t, double *x, EventKind kind,
                          const Selection *which, bool *again, Fault *fault) {
    Instance *instance = self;
    Rb       *c = &instance->rb;
    size_t    bytes = (size_t)instance->relations * sizeof(double);
    (void)which; /* an event of one part may concern all others */
    instance_put_states(instance, x);
    c->time = t;
    c->terminal = kind == EVENT_FINAL;
    c->tick = t != instance->event_time;
    if (c->tick) c->before = instance->event_time;
    instance->event_time = t;
    instance->fault = fault;
    if (c->tick && kind != EVENT_START && !take_left_limits(instance))
        return STATUS_RETRY;
    memcpy(instance->before, c->mode, bytes);
    instance->right_time = t;
    c->live = 1;
    int failed = instance->image->events(c);
    if (failed) function_fault(instance, fault);
    c->initial = kind == EVENT_START && c->tick; /* actions of the start, once */
    if (!failed) instance->image->actions(c);
    c->initial = 0;
    if (c->failed) { /* of a called function */
        function_fault(instance, fault);
        failed = 1;
    }
    bool ticked = c->tick && instance->relations; /* a tick must fall back */
    c->live = c->tick = c->terminal = 0;
    if (failed) return STATUS_RETRY;
    if (instance->violated && fault) {
        const Family *f =
            &instance->plan->st->sys->set[ROWS_ACTION].family[instance->violated - 1];
        *fault = (Fault){t, -1, -1, -1, f->pos, "an assertion is violated"};
        return STATUS_FATAL;
    }
    for (int i = 0; i < instance->states; i++) x[i] = c->v[instance->state[i]];
    bool moved = shift_left_limits(instance);
    bool more = moved || ticked || modes_changed(instance);
    if (!more && instance->history) history_note(instance, true);
    if (again) *again = more;
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
    (void)t;
    (void)x; /* values of the last evaluation */
    (void)fault;
    for (int k = 0; k < n; k++) y[k] = instance_value(instance, selection_row(which, k));
    return STATUS_OK;
}

static const ModelFunctions functions = {.init = model_init,
                                         .eval = model_eval,
                                         .crossings = model_crossings,
                                         .event = model_event,
                                         .next_event = model_next_event,
                                         .output = model_output};

/* ---- sparsity --------------------------------------------------------------------------------------- */

/* States below each derivative; rows of the transposed pattern. False if too many. */
static bool make_pattern(Instance *instance) {
    const Structure *st = instance->plan->st;
    const Graph     *uses = &instance->plan->uses, *g = &st->graph;
    int              n = instance->states;
    Arena            scratch = {0};
    int *seen = NEW(&scratch, int, st->blocks + 1), *met = NEW(&scratch, int, n + 1);
    int *stack = NEW(&scratch, int, st->blocks + 1),
        *number = NEW(&scratch, int, st->vars + 1);
    int *start = NEW(&scratch, int, n + 2), *entry = NULL, room = 0, entries = 0;
    bool fits = true;
    for (int i = 0; i < n; i++) number[instance->state[i]] = i + 1;
    for (int i = 0; i < n && fits; i++) {
        int rate = instance->rate[i], depth = 0;
        start[i] = entries;
        if (number[rate]) { /* the derivative is itself a state */
            if (entries == room) {
                room = 2 * room + 16;
                entry = realloc(entry, (size_t)room * sizeof *entry);
                if (!entry) abort();
            }
            entry[entries++] = number[rate] - 1;
            continue;
        }
        if (st->eq_of[rate] < 0) continue;
        stack[depth++] = st->block_of[st->eq_of[rate]];
        seen[stack[0]] = i + 1;
        while (depth) {
            int          b = stack[--depth];
            const Block *block = &st->block[b];
            for (int j = 0; j < block->count; j++) {
                int e = st->order[block->first + j];
                for (int k = g->start[e]; k < g->start[e + 1]; k++) {
                    int s = number[g->col[k]] - 1;
                    if (s < 0 || met[s] == i + 1) continue;
                    met[s] = i + 1;
                    if (entries == room) {
                        room = 2 * room + 16;
                        entry = realloc(entry, (size_t)room * sizeof *entry);
                        if (!entry) abort();
                    }
                    entry[entries++] = s;
                }
            }
            for (int k = uses->start[b]; k < uses->start[b + 1]; k++)
                if (seen[uses->col[k]] != i + 1) {
                    seen[uses->col[k]] = i + 1;
                    stack[depth++] = uses->col[k];
                }
        }
        fits = entries <= PATTERN_LIMIT * (i + 50);
    }
    start[n] = entries;
    if (fits) { /* by columns: a transposition also sorts the rows */
        Graph rows = {.rows = n, .cols = n, .start = start, .col = entry};
        Graph columns = graph_transpose(&rows, &scratch);
        instance->pattern_start = malloc(((size_t)n + 1) * sizeof(int));
        instance->pattern_row = malloc(((size_t)entries + 1) * sizeof(int));
        if (!instance->pattern_start || !instance->pattern_row) abort();
        memcpy(instance->pattern_start, columns.start, ((size_t)n + 1) * sizeof(int));
        memcpy(instance->pattern_row, columns.col, (size_t)entries * sizeof(int));
        instance->pattern =
            (Pattern){n, n, instance->pattern_start, instance->pattern_row};
    }
    free(entry);
    arena_free(&scratch);
    return fits;
}

static void list_states(Instance *instance) {
    const Structure *st = instance->plan->st;
    const System    *sys = st->sys;
    size_t           n = (size_t)st->states + 1;
    instance->state = malloc(n * sizeof *instance->state);
    instance->rate = malloc(n * sizeof *instance->rate);
    instance->rate_sign = malloc(n * sizeof *instance->rate_sign);
    instance->nominal = malloc(n * sizeof *instance->nominal);
    if (!instance->state || !instance->rate || !instance->rate_sign || !instance->nominal)
        abort();
    for (int v = 0; v < st->vars; v++) {
        if (st->role[v] != ROLE_STATE) continue;
        int    i = instance->states++, run = system_run_of(sys, v);
        double nominal = 1;
        system_known(sys, run, ATTR_NOMINAL, v - sys->run[run].first, &nominal);
        instance->state[i] = v;
        instance->rate[i] = st->next[v];
        instance->rate_sign[i] = st->next_sign[v];
        instance->nominal[i] = nominal != 0 ? fabs(nominal) : 1;
    }
}

bool instance_open(Instance *instance, const Plan *plan, const Image *image) {
    const Structure *st = plan->st;
    *instance = (Instance){.plan = plan, .image = image};
    instance->rb = (Rb){.v = calloc((size_t)st->sys->vars + 1, sizeof(double)),
                        .lambda = 1,
                        .table = plan->table,
                        .loop = loop_solve,
                        .host = instance};
    if (!instance->rb.v) abort();
    support_open(instance);
    instance->relations = image->relations();
    instance->rb.mode = calloc((size_t)instance->relations + 1, sizeof(double));
    instance->before = calloc((size_t)instance->relations + 1, sizeof(double));
    instance->event_time = NAN;
    instance->rb.reinit = reinit_state;
    instance->rb.report = report_action;
    if (!instance->rb.mode || !instance->before) abort();
    known_values(instance);
    start_values(instance);
    list_states(instance);
    instance->in = make_segments(instance->state, NULL, instance->states, &instance->ins);
    instance->out = make_segments(instance->rate, instance->rate_sign, instance->states,
                                  &instance->outs);
    bool sparse = make_pattern(instance);
    instance->functions = functions;
    project_open(instance);
    if (instance->projection) instance->functions.project = project_states;
    instance->right_time = -HUGE_VAL;
    instance->past_points = 16;
    instance->model = (Model){.nx = instance->states,
                              .ny = st->vars,
                              .nz = instance->relations,
                              .pattern = sparse ? &instance->pattern : NULL,
                              .nominal = instance->nominal,
                              .fn = &instance->functions,
                              .instance = instance};
    return true;
}

void instance_free(Instance *instance) {
    support_close(instance);
    history_close(instance);
    project_close(instance);
    free(instance->rb.v);
    free(instance->rb.mode);
    free(instance->before);
    free(instance->state);
    free(instance->rate);
    free(instance->rate_sign);
    free(instance->in);
    free(instance->out);
    free(instance->nominal);
    loops_free(&instance->blocks);
    free(instance->pattern_start);
    free(instance->pattern_row);
    *instance = (Instance){0};
}
