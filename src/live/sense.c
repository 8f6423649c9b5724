/* SPDX-License-Identifier: Apache-2.0 */
/* sense.c -- derivatives with respect to parameters, start values and inputs.
 *
 * The text of gen_senses takes directions of everything that nothing computes to those of all variables. At a point
 * these are rows of B, C and D of a linear model. Along a run, with p one of the parameters and S = dx/dp,
 *     S' = df/dx S + df/dp
 * is one such direction, and x and all S are integrated together by the method of the run: the model below has
 * (1 + n) nx states. Its Jacobian consists of blocks df/dx; what S' has from x besides is left out, which Newton's
 * method makes good in one iteration more, because it acts one way only.
 * (Maly and Petzold, Applied Numerical Mathematics 20, 1996, call it the simultaneous corrector method.)
 *
 * Start: parameters computed from others and the initial system are parts of the program with a text of their own.
 *
 * Events: a crossing z(t, x, p) = 0 moves by  dt/dp = -(dz/dp) / (dz/dt)  along the solution. In front of the event
 * all directions at the moved time are those at the fixed time + their derivative by time * dt/dp. The rounds of the
 * event are equations like others, so their directions, of discrete variables and new values of states as well, follow
 * by the same text; behind it S = (direction of x) - f dt/dp at the new f. Directions of discrete variables stay
 * until the next event. (Galan, Feehery and Barton, Applied Numerical Mathematics 31, 1999.)
 *
 * Cost: a pass over all that derivatives need for each SENSE_WIDTH parameters and evaluation. */
#include "live/sense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { W = SENSE_WIDTH };

/* ---- at a point ---------------------------------------------------------------------------- */

bool sense_possible(Instance *instance) {
    return binary_senses(instance->run.binary) != NULL;
}

bool sense_pass(Running *r, double *d, const double *dt, double *dm, int columns,
                int scope) {
    const Image *code = binary_senses(r->binary);
    Rb          *c = &r->rb;
    if (!code) return false;
    const int live = c->live;
    double   *own = c->d;
    r->senses = code;
    c->d = d, c->dt = dt, c->dm = dm;
    c->columns = columns;
    c->scope = scope;
    c->live = 0;
    r->instance->stamps.moments++;
    bool fine = !code->tangent(c) && !c->failed;
    c->failed = c->depth = 0;
    c->fault_text = NULL;
    c->live = live;
    c->d = own;
    r->senses = NULL;
    return fine;
}

double sense_of(const Instance *instance, const double *d, int var, int k) {
    const Reduced *r = &instance->program->reduced;
    return r->sign[var] * d[(size_t)r->alias[var] * W + (size_t)k];
}

double sense_of_rate(const Instance *instance, const double *d, int state, int k) {
    const States *s = &instance->program->states;
    return s->rate_sign[state] * d[(size_t)s->rate[state] * W + (size_t)k];
}

/* Room for the directions of all variables, and for the crossings, which nobody asks for here. */
bool sense_at(Instance *instance, double t, const double *x, const int *var,
              const double *seed, int n, double **d) {
    static const double still[W];
    const Reduced      *r = &instance->program->reduced;
    const size_t        vars = (size_t)instance->program->variables.vars + 1;
    const size_t        all = vars + (size_t)instance->run.part->relations * 2;
    if (!*d) *d = mem_take(all * W, sizeof **d);
    if (!*d || instance_evaluate(instance, t, x) != 0) return false;
    memset(*d, 0, all * W * sizeof **d);
    for (int k = 0; k < n; k++)
        (*d)[(size_t)r->alias[var[k]] * W + (size_t)(seed ? 0 : k)] +=
            r->sign[var[k]] * (seed ? seed[k] : 1);
    return sense_pass(&instance->run, *d, still, *d + vars * W, seed ? 1 : n, 1);
}

/* ---- along a run --------------------------------------------------------------------------- */

struct Sense {
    Instance      *instance;
    SenseOf       *of;
    int            count; /* parameters; column `count` is the motion along the time */
    int            nx, blocks; /* of W columns */
    size_t         vars, relations;
    double        *d;      /* by block: directions of all variables ... */
    double        *dt;     /* ... of the time ... */
    double        *dm;     /* ... and of crossings, see rb.def */
    double        *shift;  /* by parameter: of the time of the event */
    double        *rate;   /* by state: in front of the event */
    double        *turned; /* by column and state: direction of a new value, NAN: none */
    int            block;  /* whose new values are told */
    double        *dx;     /* work: all states */
    bool           inside; /* of an event ... */
    bool           first;  /* ... before its first round ... */
    bool           moving; /* ... whose time may depend on parameters */
    bool           complete; /* d holds for all variables ... */
    double         moment;   /* ... at this time; NAN: at the start */
    const char    *why;      /* there are no sensitivities any more */
    Pattern        pattern;
    double        *nominal;
    Model          model;
    ModelFunctions functions;
};

/* Direction of a variable in column j. */
static double *at(const Sense *s, int var, int j) {
    return s->d + ((size_t)(j / W) * s->vars + (size_t)var) * W + j % W;
}

static double *clock_of(const Sense *s, int j) {
    return s->dt + j;
}

/* A crossing (column -1), or its direction. */
static double *crossing(const Sense *s, int relation, int j) {
    const size_t block = j < 0 ? 0 : (size_t)(j / W);
    const size_t place = j < 0 ? 0 : (size_t)(1 + j % W);
    return s->dm + (block * s->relations + (size_t)relation) * (W + 1) + place;
}

static const int *state_vars(const Sense *s) {
    return s->instance->program->states.var;
}

static bool lose(Sense *s, const char *why) {
    if (!s->why) s->why = why;
    return false;
}

/* All columns: directions of the values that the last evaluation gave. */
static bool run(Sense *s, Running *r, int scope) {
    for (int b = 0; b < s->blocks; b++) {
        const int left = s->count + 1 - b * W;
        if (!sense_pass(r, s->d + (size_t)b * s->vars * W, s->dt + (size_t)b * W,
                        s->dm + (size_t)b * s->relations * (W + 1), left < W ? left : W,
                        scope))
            return lose(s, "a block has no derivative with respect to parameters");
    }
    return true;
}

static void put_states(const Sense *s, const double *x) {
    const int *var = state_vars(s);
    for (int j = 0; j < s->count; j++)
        for (int i = 0; i < s->nx; i++)
            *at(s, var[i], j) = x[(size_t)(1 + j) * (size_t)s->nx + (size_t)i];
}

/* ---- start ---- */

void sense_copy(Sense *s, int to, int from, double sign) {
    for (int j = 0; j <= s->count; j++) *at(s, to, j) = sign * *at(s, from, j);
}

void sense_seed(Sense *s) {
    const Reduced *r = &s->instance->program->reduced;
    for (int j = 0; j < s->count; j++) {
        const int var = s->of[j].var;
        for (int k = 0; k <= s->count; k++) *at(s, r->alias[var], k) = 0;
    }
    for (int j = 0; j < s->count; j++)
        *at(s, r->alias[s->of[j].var], j) = r->sign[s->of[j].var] * s->of[j].size;
}

bool sense_part(Sense *s, Running *r) {
    s->complete = true;
    s->moment = NAN;
    return run(s, r, 2);
}

/* ---- events ---- */

void sense_shift(Sense *s, int count) {
    const LeftLimit *left = s->instance->common->left;
    for (int k = 0; k < count; k++) sense_copy(s, left[k].pre, left[k].at, left[k].sign);
}

/* The relation that made the event: of those that changed the one whose crossing is nearest in time. -1: none, the
 * event does not move; -2: it cannot be said how. */
static int trigger(const Sense *s) {
    const Instance *instance = s->instance;
    int             found = -1;
    double          least = HUGE_VAL;
    for (int i = 0; i < (int)s->relations; i++) {
        if (instance->event.before[i] == instance->run.rb.mode[i]) continue;
        const double far = fabs(*crossing(s, i, -1) / *crossing(s, i, s->count));
        if (found == -1) found = -2;
        if (far < least) found = i, least = far;
    }
    return found;
}

/* Directions at the time of the event, which moves. */
static bool move(Sense *s) {
    const Common *c = s->instance->common;
    const int     k = s->moving ? trigger(s) : -1, n = s->count;
    const int    *var = state_vars(s);
    if (k == -2) return lose(s, "an event has no derivative with respect to parameters");
    for (int j = 0; j < n; j++) {
        s->shift[j] = k < 0 ? 0 : -*crossing(s, k, j) / *crossing(s, k, n);
        *clock_of(s, j) = s->shift[j];
        for (int q = 0; q < c->lefts - c->clocked; q++) {
            const LeftLimit *left = &c->left[q];
            if (left->discrete) continue;
            *at(s, left->pre, j) =
                left->sign * (*at(s, left->at, j) + *at(s, left->at, n) * s->shift[j]);
        }
        for (int i = 0; i < s->nx; i++) *at(s, var[i], j) += s->rate[i] * s->shift[j];
    }
    for (int i = 0; i < s->nx; i++) *at(s, var[i], n) = 0;
    *clock_of(s, n) = 0;
    return true;
}

bool sense_round(Sense *s) {
    if (s->first && !move(s)) return false;
    s->first = false;
    return run(s, &s->instance->run, 2);
}

static void turn(Rb *c, int var, const double *d) {
    Sense    *s = instance_of(c)->event.sense;
    const int state = program_state(s->instance->program, var);
    for (int k = 0; k < W && s->block * W + k <= s->count && state >= 0; k++)
        s->turned[(size_t)(s->block * W + k) * (size_t)s->nx + (size_t)state] = d[k];
}

bool sense_turns(Sense *s) {
    Running     *r = &s->instance->run;
    const Image *code = binary_senses(r->binary);
    Rb          *c = &r->rb;
    const size_t n = (size_t)(s->count + 1) * (size_t)s->nx;
    const int    live = c->live;
    for (size_t k = 0; k < n; k++) s->turned[k] = NAN;
    c->turn = turn;
    c->live = 0;
    double *own = c->d;
    for (s->block = 0; s->block < s->blocks; s->block++) {
        c->d = s->d + (size_t)s->block * s->vars * W;
        c->dt = s->dt + (size_t)s->block * W;
        c->columns = W;
        code->turns(c);
    }
    c->d = own;
    c->live = live;
    for (int j = 0; j <= s->count; j++)
        for (int i = 0; i < s->nx; i++) {
            const double d = s->turned[(size_t)j * (size_t)s->nx + (size_t)i];
            if (!isnan(d)) *at(s, state_vars(s)[i], j) = d;
        }
    bool fine = !c->failed;
    c->failed = 0;
    return fine || lose(s, "a new value of a state has no derivative");
}

/* In front of an event: where crossings and left limits move, with the parameters and along the time. */
static bool begin_event(Sense *s, double t, const double *x, EventKind kind) {
    Instance    *instance = s->instance;
    const size_t m = (size_t)s->blocks * s->relations * (W + 1);
    const int   *var = state_vars(s);
    for (size_t k = 0; k < m; k++) s->dm[k] = NAN;
    memset(s->rate, 0, (size_t)s->nx * sizeof *s->rate);
    put_states(s, x);
    s->inside = s->first = true;
    s->moving = kind != EVENT_START;
    if (!s->moving) return true;
    if (instance_evaluate(instance, t, x) != 0)
        return lose(s, "the model has no values in front of an event");
    for (int i = 0; i < s->nx; i++)
        s->rate[i] = *at(s, var[i], s->count) = instance_rate(instance, i, x);
    *clock_of(s, s->count) = 1;
    return run(s, &instance->run, 2);
}

static bool end_event(Sense *s, double t, double *x) {
    const Instance *instance = s->instance;
    const Selection all = {0};
    Fault           fault = fault_none();
    s->inside = false;
    memset(s->dt, 0, (size_t)s->blocks * W * sizeof *s->dt);
    if (instance->functions.eval(s->instance, t, x, &all, s->dx, &fault) != STATUS_OK)
        return lose(s, "the model has no values behind an event");
    bool fine = true;
    for (int j = 0; j < s->count; j++)
        for (int i = 0; i < s->nx; i++) {
            double to = *at(s, state_vars(s)[i], j) - s->dx[i] * s->shift[j];
            x[(size_t)(1 + j) * (size_t)s->nx + (size_t)i] = to;
            fine &= isfinite(to);
        }
    s->complete = false;
    return fine || lose(s, "sensitivities are infinite behind an event");
}

/* ---- the waist ---- */

static Status lost(const Sense *s, double t, Fault *fault) {
    if (fault) *fault = fault_none();
    if (fault) fault->time = t, fault->what = s->why;
    return STATUS_FATAL;
}

static Status sense_event(void *self, double t, double *x, EventKind kind,
                          const Selection *which, bool *again, Fault *fault) {
    Sense *s = self;
    bool   more = false;
    (void)which;
    if (!s->inside && !begin_event(s, t, x, kind)) return lost(s, t, fault);
    Status status = s->instance->functions.event(s->instance, t, x, kind, &(Selection){0},
                                                 &more, fault);
    if (s->why) return lost(s, t, fault);
    if (again) *again = more;
    if (!more && status == STATUS_OK && !end_event(s, t, x)) return lost(s, t, fault);
    return status;
}

static Status sense_init(void *self, double t, double *x, Fault *fault) {
    Sense    *s = self;
    Instance *instance = s->instance;
    Status    status = instance->functions.init(instance, t, x, fault);
    s->model.nz = instance->model.nz;
    s->model.step_most = instance->model.step_most;
    if (status == STATUS_OK && instance->history)
        lose(s, "delays have no derivatives with respect to parameters");
    if (s->why) return lost(s, t, fault);
    for (int j = 0; j < s->count; j++)
        for (int i = 0; i < s->nx; i++)
            x[(size_t)(1 + j) * (size_t)s->nx + (size_t)i] = *at(s, state_vars(s)[i], j);
    return status;
}

static Status sense_eval(void *self, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    Sense          *s = self;
    const Selection all = {0};
    const bool      whole = rows->kind == SELECT_ALL;
    double         *to = whole ? dx : s->dx;
    Status status = s->instance->functions.eval(s->instance, t, x, &all, to, fault);
    if (status != STATUS_OK) return status;
    put_states(s, x);
    s->complete = false;
    if (!run(s, &s->instance->run, 0)) return lost(s, t, fault);
    for (int j = 0; j < s->count; j++)
        for (int i = 0; i < s->nx; i++)
            to[(size_t)(1 + j) * (size_t)s->nx + (size_t)i] = sense_of_rate(
                s->instance, s->d + (size_t)(j / W) * s->vars * W, i, j % W);
    for (int k = 0; !whole && k < rows->count; k++)
        dx[selection_row(rows, k)] = to[selection_row(rows, k)];
    return STATUS_OK;
}

static Status sense_jacobian(void *self, double t, const double *x,
                             const Selection *states, double *value, Fault *fault) {
    Sense          *s = self;
    const Selection all = {0};
    const size_t    n = (size_t)s->pattern.start[s->nx];
    (void)states;
    Status status =
        s->instance->functions.jacobian(s->instance, t, x, &all, value, fault);
    for (int j = 1; j <= s->count; j++)
        memcpy(value + (size_t)j * n, value, n * sizeof *value);
    return status;
}

/* The rest is that of the instance. */
static Status sense_crossings(void *self, double t, const double *x,
                              const Selection *which, double *z, Fault *fault) {
    Instance *instance = ((Sense *)self)->instance;
    return instance->functions.crossings(instance, t, x, which, z, fault);
}

static Status sense_ahead(void *self, double t, const double *x, const Selection *which,
                          double *z, Fault *fault) {
    Instance *instance = ((Sense *)self)->instance;
    return instance->functions.ahead(instance, t, x, which, z, fault);
}

static bool sense_bounds(void *self, int relation, Range time, const double *const x[3],
                         Band *z) {
    Instance *instance = ((Sense *)self)->instance;
    return instance->functions.bounds(instance, relation, time, x, z);
}

static bool sense_moves(void *self, Range piece, InputSearch *search, InputMove *out) {
    Instance *instance = ((Sense *)self)->instance;
    return instance->functions.moves(instance, piece, search, out);
}

static Status sense_next(void *self, double t, double *when, Fault *fault) {
    Instance *instance = ((Sense *)self)->instance;
    return instance->functions.next_event(instance, t, when, fault);
}

static Status sense_check(void *self, double t, const double *x, Fault *fault) {
    Instance *instance = ((Sense *)self)->instance;
    return instance->functions.check(instance, t, x, fault);
}

static Status sense_project(void *self, double t, double *x, double tolerance,
                            bool *moved, Fault *fault) {
    Instance *instance = ((Sense *)self)->instance;
    return instance->functions.project(instance, t, x, tolerance, moved, fault);
}

static Status sense_output(void *self, double t, const double *x, const Selection *which,
                           double *y, Fault *fault) {
    Instance *instance = ((Sense *)self)->instance;
    return instance->functions.output(instance, t, x, which, y, fault);
}

/* ---- making one ---- */

/* Blocks df/dx along the diagonal. */
static bool make_pattern(Sense *s) {
    const Common  *c = s->instance->common;
    const Pattern *p = c->full ? c->full : &c->pattern;
    const int      copies = s->count + 1, n = s->nx, entries = p->start[n];
    int           *start = mem_take((size_t)copies * (size_t)n + 1, sizeof *start);
    int           *row = mem_take((size_t)copies * (size_t)entries + 1, sizeof *row);
    s->pattern = (Pattern){copies * n, copies * n, start, row};
    if (!start || !row) return false;
    for (int j = 0; j < copies; j++) {
        for (int i = 0; i < n; i++) start[j * n + i] = j * entries + p->start[i];
        for (int e = 0; e < entries; e++) row[j * entries + e] = j * n + p->row[e];
    }
    start[copies * n] = copies * entries;
    return true;
}

static bool make_room(Sense *s) {
    const size_t columns = (size_t)s->blocks * W, nx = (size_t)s->nx;
    const size_t all = (size_t)(s->count + 1) * nx;
    s->d = mem_take(columns * s->vars, sizeof *s->d);
    s->dt = mem_take(columns, sizeof *s->dt);
    s->dm = mem_take((columns + (size_t)s->blocks) * s->relations + 1, sizeof *s->dm);
    s->shift = mem_take((size_t)s->count, sizeof *s->shift);
    s->rate = mem_take(nx + 1, sizeof *s->rate);
    s->turned = mem_take(all + 1, sizeof *s->turned);
    s->dx = mem_take(all + 1, sizeof *s->dx);
    s->nominal = mem_take(all + 1, sizeof *s->nominal);
    if (!s->d || !s->dt || !s->dm || !s->shift || !s->rate || !s->turned || !s->dx ||
        !s->nominal)
        return false;
    for (size_t k = 0; k < all; k++) s->nominal[k] = s->instance->common->nominal[k % nx];
    return make_pattern(s);
}

static void make_model(Sense *s) {
    const ModelFunctions *own = &s->instance->functions;
    s->functions = (ModelFunctions){.init = sense_init,
                                    .eval = sense_eval,
                                    .jacobian = sense_jacobian,
                                    .crossings = sense_crossings,
                                    .ahead = own->ahead ? sense_ahead : NULL,
                                    .bounds = own->bounds ? sense_bounds : NULL,
                                    .moves = own->moves ? sense_moves : NULL,
                                    .event = sense_event,
                                    .next_event = sense_next,
                                    .project = own->project ? sense_project : NULL,
                                    .check = sense_check,
                                    .output = sense_output};
    s->model = s->instance->model;
    s->model.nx = (s->count + 1) * s->nx;
    s->model.reads = s->model.changes = NULL;
    s->model.flags = (s->model.flags & ~(unsigned)(MODEL_KEEPS | MODEL_LINEAR)) |
                     MODEL_WHOLE | MODEL_PARTIAL;
    s->model.pattern = &s->pattern;
    s->model.nominal = s->nominal;
    s->model.fn = &s->functions;
    s->model.instance = s;
}

static const char *refusal(Instance *instance) {
    const Program *p = instance->program;
    if (p->batches.count) return "families of components have no sensitivities";
    if (instance->ticks) return "clocked partitions have no sensitivities";
    if (p->fast.count) return "infinitely fast states have no sensitivities";
    if (!sense_possible(instance))
        return p->part[PART_RUN].sense_bytes
                   ? "there is no memory"
                   : "the program was translated without them, or a part of it has none";
    return NULL;
}

Sense *sense_new(Instance *instance, const SenseOf *of, int n, const char **why) {
    *why = refusal(instance);
    Sense *s = *why ? NULL : mem_take(1, sizeof *s);
    if (!s) {
        if (!*why) *why = "there is no memory";
        return NULL;
    }
    *s = (Sense){.instance = instance,
                 .count = n,
                 .nx = instance->model.nx,
                 .blocks = n / W + 1,
                 .vars = (size_t)instance->program->variables.vars + 1,
                 .of = mem_take((size_t)n + 1, sizeof *of)};
    for (int k = 0; k < PARTS; k++) { /* crossings of the start are written, too */
        const size_t own = (size_t)instance->program->part[k].relations;
        if (own > s->relations) s->relations = own;
    }
    if (!s->of || !make_room(s)) {
        sense_free(s);
        *why = "there is no memory";
        return NULL;
    }
    memcpy(s->of, of, (size_t)n * sizeof *of);
    make_model(s);
    instance->event.sense = s;
    return s;
}

void sense_free(Sense *s) {
    if (!s) return;
    if (s->instance->event.sense == s) s->instance->event.sense = NULL;
    mem_free((void *)s->pattern.start);
    mem_free((void *)s->pattern.row);
    MEM_FREE(s->of, s->d, s->dt, s->dm, s->shift, s->rate, s->turned, s->dx, s->nominal);
    mem_free(s);
}

Model *sense_model(Sense *s) {
    return &s->model;
}

const char *sense_why(const Sense *s) {
    return s->why;
}

double sense_value(Sense *s, double t, const double *x, int var, int k) {
    if (s->why || k < 0 || k >= s->count) return NAN;
    if (!s->complete || !(isnan(s->moment) || s->moment == t)) {
        if (instance_evaluate(s->instance, t, x) != 0) return NAN;
        put_states(s, x);
        if (!run(s, &s->instance->run, 1)) return NAN;
        s->complete = true;
        s->moment = t;
    }
    return sense_of(s->instance, s->d + (size_t)(k / W) * s->vars * W, var, k % W) /
           s->of[k].size;
}
