/* SPDX-License-Identifier: Apache-2.0 */
/* instance.c -- one running model: its values, and the waist of model.h over generated code.
 *
 * The states are copied into the array of all values, the groups run, the derivatives are copied
 * out. The pattern of df/dx follows from the dependencies of the blocks: for each derivative the
 * states that its cone reaches. If that would exceed a fixed multiple of the states (dense models)
 * no pattern is given. */
#include "gen/gen.h"

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

static bool is_parameter(const VarRun *run) {
    return run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT;
}

/* Values that the attributes give as numbers. known[] tells which parameters have one. */
static void known_values(Instance *instance, bool *known) {
    const System *sys = instance->plan->st->sys;
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        for (int i = 0; i < run->count; i++) {
            double value = 0;
            bool   given =
                is_parameter(run) && (system_known(sys, r, ATTR_BINDING, i, &value) ||
                                      system_known(sys, r, ATTR_START, i, &value));
            known[run->first + i] = given || !is_parameter(run);
            instance->rb.v[run->first + i] = given ? value : 0;
        }
    }
}

typedef struct BindingRow {
    const Instance *instance;
    const Family   *family;
    const int      *slot;
} BindingRow;

static double binding_slot(void *context, int slot) {
    const BindingRow *row = context;
    const Shapes     *shapes = row->instance->plan->st->sys->shapes;
    if (expr_op(shapes, shape_leaf(shapes, row->family->shape, slot)) == TERM_NUMBER)
        return row->slot[slot];
    return row->instance->rb.v[row->slot[slot]];
}

static double binding_element(void *context, int slot, const int *subscript, int rank) {
    const BindingRow *row = context;
    int               dims, var = row->slot[slot];
    const int32_t    *sizes =
        family_sizes(row->instance->plan->st->sys, row->family, slot, &dims);
    for (int d = 0; d < rank && d < dims; d++) {
        if (subscript[d] < 1 || subscript[d] > sizes[2 * d]) return NAN;
        var += (subscript[d] - 1) * sizes[2 * d + 1];
    }
    return row->instance->rb.v[var];
}

static int binding_size(void *context, int slot, int dimension) {
    const BindingRow *row = context;
    int               dims;
    const int32_t    *sizes =
        family_sizes(row->instance->plan->st->sys, row->family, slot, &dims);
    return dimension <= dims ? sizes[2 * (dimension - 1)] : 1;
}

/* Evaluates one binding row if all it needs is known. */
static bool bind(Instance *instance, const Family *family, const int *slot, bool *known) {
    System *sys = instance->plan->st->sys;
    Shapes *shapes = sys->shapes;
    Term    root = shapes->shape[family->shape].root, left = expr_arg(shapes, root, 0);
    if (expr_op(shapes, left) != TERM_SLOT) return false;
    int target = shapes->node[left].index;
    if (known[slot[target]]) return false;
    for (int k = 0; k < shapes->shape[family->shape].slots; k++)
        if (k != target &&
            expr_op(shapes, shape_leaf(shapes, family->shape, k)) == TERM_SLOT &&
            !known[slot[k]])
            return false;
    BindingRow row = {instance, family, slot};
    EvalEnv    env = {.context = &row,
                      .slot = binding_slot,
                      .element = binding_element,
                      .size = binding_size};
    double     value;
    if (!expr_eval(shapes, expr_arg(shapes, root, 1), &env, &value)) return false;
    instance->rb.v[slot[target]] = value;
    return known[slot[target]] = true;
}

/* Sweeps over the bindings until nothing changes: as many sweeps as the longest dependency
 * against the order of the declarations. */
static void bind_parameters(Instance *instance, bool *known) {
    System         *sys = instance->plan->st->sys;
    const Families *families = &sys->set[ROWS_BINDING];
    int            *slot = NULL;
    for (bool changed = true; changed;) {
        changed = false;
        for (int f = 0; f < families->count; f++) {
            const Family *family = &families->family[f];
            int          *larger =
                realloc(slot, ((size_t)sys->shapes->shape[family->shape].slots + 1) *
                                  sizeof *slot);
            if (!larger) abort();
            slot = larger;
            for (int i = 0; i < family->count; i++) {
                family_slots(sys, family, i, slot);
                changed |= bind(instance, family, slot, known);
            }
        }
    }
    free(slot);
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
    const Plan  *plan = instance->plan;
    const Image *code = instance->image;
    Rb          *c = &instance->rb;
    start_left_limits(instance);
    instance->plan = initial; /* loops are those of the initial system */
    instance->image = image;
    instance->fault = fault;
    c->table = initial->table;
    c->initial = 1;
    c->time = t;
    c->lambda = 1;
    int failed = image->events(c);
    if (failed) { /* from the simplified model to the actual one */
        failed = 0;
        start_values(instance);
        for (int k = 0; k <= STEPS && !failed; k++) {
            c->lambda = (double)k / STEPS;
            failed = image->events(c);
        }
        c->lambda = 1;
    }
    c->initial = 0;
    c->table = plan->table;
    instance->plan = plan;
    instance->image = code;
    return failed ? STATUS_FATAL : STATUS_OK;
}

/* ---- the waist ----------------------------------------------------------------------------------- */

static Status model_init(void *self, double t, double *x, Fault *fault) {
    Instance *instance = self;
    (void)t;
    (void)fault;
    for (int i = 0; i < instance->states; i++) x[i] = instance->rb.v[instance->state[i]];
    return STATUS_OK;
}

static Status model_eval(void *self, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    Instance *instance = self;
    double   *v = instance->rb.v;
    for (int i = 0; i < instance->states; i++) v[instance->state[i]] = x[i];
    instance->rb.time = t;
    instance->fault = fault;
    if (instance->image->eval(&instance->rb)) {
        if (fault) fault->time = t;
        return STATUS_RETRY;
    }
    int n = selection_count(rows, instance->states);
    for (int k = 0; k < n; k++) {
        int i = selection_row(rows, k);
        dx[i] = instance->rate_sign[i] * v[instance->rate[i]];
        if (!isfinite(dx[i])) {
            if (fault) *fault = (Fault){t, -1, -1, instance->rate[i], 0, "not a number"};
            return STATUS_RETRY;
        }
    }
    return STATUS_OK;
}

static const ModelFunctions functions = {.init = model_init, .eval = model_eval};

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
    bool *known = calloc((size_t)st->sys->vars + 1, sizeof *known);
    instance->rb = (Rb){.v = calloc((size_t)st->sys->vars + 1, sizeof(double)),
                        .lambda = 1,
                        .table = plan->table,
                        .loop = loop_solve,
                        .host = instance};
    if (!known || !instance->rb.v) abort();
    known_values(instance, known);
    bind_parameters(instance, known);
    start_values(instance);
    list_states(instance);
    bool sparse = make_pattern(instance);
    instance->model = (Model){.nx = instance->states,
                              .pattern = sparse ? &instance->pattern : NULL,
                              .nominal = instance->nominal,
                              .fn = &functions,
                              .instance = instance};
    bool complete = true;
    for (int v = 0; v < st->vars; v++) complete &= known[v];
    free(known);
    return complete;
}

void instance_free(Instance *instance) {
    free(instance->rb.v);
    free(instance->state);
    free(instance->rate);
    free(instance->rate_sign);
    free(instance->nominal);
    free(instance->work);
    free(instance->pattern_start);
    free(instance->pattern_row);
    *instance = (Instance){0};
}
