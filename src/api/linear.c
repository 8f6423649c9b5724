/* SPDX-License-Identifier: Apache-2.0 */
/* linear.c -- the model near its present point:  x' = f + A dx + B du,  y = y0 + C dx + D du.
 *
 * A comes from the generated derivatives and is exact, in the pattern that the program knows. B, C and D
 * come from those with respect to inputs and of all variables, if the program was translated with them (live/sense.c);
 * else they are central differences, whose error is about 1e-10 of the size of the values, and none but rounding
 * where the model is linear. Entries that are 0 are left out. Relations keep the values that they have at the
 * point. */
#include "api/api.h"

#include "live/sense.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Linear {
    RbLinear public;
    Arena arena;
    int   room[4];
} Linear;

typedef struct Linearising {
    RbSimulation *s;
    Linear       *l;
    double        t;
    double       *x;            /* states at the point that is moved */
    double       *dx[2], *y[2]; /* on both sides */
    double f_size, y_size; /* largest value at the point: what rounding is measured by */
} Linearising;

static bool add(Linear *l, int matrix, int row, int column, double value) {
    RbLinear *p = &l->public;
    if (value == 0) return true;
    RbEntry *entry = arena_grow(&l->arena, p->entry[matrix], sizeof *entry,
                                &l->room[matrix], p->entries[matrix] + 1);
    if (!entry) return false;
    p->entry[matrix] = entry;
    entry[p->entries[matrix]++] = (RbEntry){row, column, value};
    return true;
}

static bool is_end(const Program *p, int var, bool input) {
    const VarRun *run = &p->variables.run[variables_run(&p->variables, var)];
    if (run->type != TYPE_REAL) return false;
    return input ? run->kind == VAR_INPUT : (run->flags & VAR_OUTPUT) != 0;
}

static int *find_ends(Linear *l, const Program *p, bool input, int *count) {
    int *list = NULL, room = 0;
    *count = 0;
    for (int v = 0; v < p->variables.vars; v++) {
        if (!is_end(p, v, input)) continue;
        list = arena_grow(&l->arena, list, sizeof *list, &room, *count + 1);
        if (!list) return NULL;
        list[(*count)++] = v;
    }
    return list ? list : NEW(&l->arena, int, 1);
}

static bool evaluate(Linearising *w, int side, Fault *fault) {
    Instance       *instance = &w->s->instance;
    const Selection all = {0};
    const RbLinear *p = &w->l->public;
    if (instance->model.fn->eval(instance, w->t, w->x, &all, w->dx[side], fault) !=
        STATUS_OK)
        return false;
    if (p->outputs && instance_evaluate(instance, w->t, w->x) != 0) return false;
    for (int k = 0; k < p->outputs; k++)
        w->y[side][k] = instance_value(instance, p->output[k]);
    return true;
}

/* What lies below the rounding of the values is none. */
static double slope(double above, double below, double h, double size) {
    double d = above - below;
    return fabs(d) <= 64 * DBL_EPSILON * fmax(size, fmax(fabs(above), fabs(below)))
               ? 0
               : d / (2 * h);
}

/* Column k of B and D (input), or of C. */
static bool difference(Linearising *w, int k, bool input, Fault *fault) {
    Linear   *l = w->l;
    RbLinear *p = &l->public;
    Instance *instance = &w->s->instance;
    double    at = input ? p->u[k] : p->x[k];
    double    size = input ? fmax(fabs(at), 1) : fmax(fabs(at), w->s->common->nominal[k]);
    double h = ldexp(1, ilogb(cbrt(DBL_EPSILON) * size)); /* at + h is exact, or nearly */
    bool   fine = true;
    for (int side = 0; side < 2 && fine; side++) {
        double moved = side ? at + h : at - h;
        if (input) instance_put(instance, p->input[k], moved);
        else w->x[k] = moved;
        fine = evaluate(w, side, fault);
    }
    if (input) instance_put(instance, p->input[k], at);
    else w->x[k] = at;
    for (int i = 0; i < p->states && input && fine; i++)
        fine = add(l, 1, i, k, slope(w->dx[1][i], w->dx[0][i], h, w->f_size));
    for (int i = 0; i < p->outputs && fine; i++)
        fine = add(l, input ? 3 : 2, i, k, slope(w->y[1][i], w->y[0][i], h, w->y_size));
    return fine;
}

/* Columns of B and D (input), or of C, from the derivatives of the program. Status.ABSENT: one has none here. */
static Status columns(Linearising *w, bool input, double **d) {
    Linear   *l = w->l;
    RbLinear *p = &l->public;
    Instance *instance = &w->s->instance;
    const int n = input ? p->inputs : p->outputs ? p->states : 0;
    bool      fine = true;
    for (int k = 0; k < n && fine; k++) {
        const int *var = (input ? p->input : p->state) + k;
        const int  first = k % SENSE_WIDTH, left = n - k;
        if (first == 0 && !sense_at(instance, w->t, p->x, var, NULL,
                                    left < SENSE_WIDTH ? left : SENSE_WIDTH, d))
            return STATUS_ABSENT;
        for (int i = 0; i < p->states && input && fine; i++)
            fine = add(l, 1, i, k, sense_of_rate(instance, *d, i, first));
        for (int i = 0; i < p->outputs && fine; i++)
            fine =
                add(l, input ? 3 : 2, i, k, sense_of(instance, *d, p->output[i], first));
    }
    return fine ? STATUS_OK : STATUS_NO_MEMORY;
}

static Status fill_exact(Linearising *w) {
    RbLinear *p = &w->l->public;
    double   *d = NULL;
    Status    status =
        sense_possible(&w->s->instance) ? columns(w, true, &d) : STATUS_ABSENT;
    if (status == STATUS_OK) status = columns(w, false, &d);
    mem_free(d);
    p->exact = status == STATUS_OK;
    if (status == STATUS_ABSENT) p->entries[1] = p->entries[2] = p->entries[3] = 0;
    return status;
}

static Status fill_states(Linearising *w, Fault *fault) {
    Instance       *instance = &w->s->instance;
    const Pattern  *p = instance->model.pattern;
    const Selection all = {0};
    int             n = w->l->public.states;
    size_t          entries = p ? (size_t)pattern_entries(p) : (size_t)n * (size_t)n;
    double         *value = mem_take(entries, sizeof *value);
    if (!value) return STATUS_NO_MEMORY;
    Status status =
        instance->model.fn->jacobian(instance, w->t, w->x, &all, value, fault);
    for (int j = 0; j < n && status == STATUS_OK; j++) {
        int first = p ? p->start[j] : j * n, last = p ? p->start[j + 1] : first + n;
        for (int e = first; e < last && status == STATUS_OK; e++)
            if (!add(w->l, 0, p ? p->row[e] : e - first, j, value[e]))
                status = STATUS_NO_MEMORY;
    }
    mem_free(value);
    return status;
}

static bool open_linear(Linearising *w) {
    RbSimulation  *s = w->s;
    Linear        *l = w->l;
    RbLinear      *p = &l->public;
    const Program *program = s->program->program;
    p->states = s->instance.model.nx;
    p->state = NEW(&l->arena, int, p->states + 1);
    if (p->state && p->states)
        memcpy(p->state, program->states.var, sizeof(int) * (size_t)p->states);
    p->input = find_ends(l, program, true, &p->inputs);
    p->output = find_ends(l, program, false, &p->outputs);
    size_t n = (size_t)p->states, m = (size_t)p->outputs;
    p->x = NEW(&l->arena, double, n + 1);
    p->f = NEW(&l->arena, double, n + 1);
    p->u = NEW(&l->arena, double, p->inputs + 1);
    p->y = NEW(&l->arena, double, m + 1);
    w->x = NEW(&l->arena, double, n + 1);
    for (int k = 0; k < 2; k++) {
        w->dx[k] = NEW(&l->arena, double, n + 1);
        w->y[k] = NEW(&l->arena, double, m + 1);
    }
    return p->state && p->input && p->output && p->x && p->f && p->u && p->y && w->x &&
           w->dx[0] && w->y[0] && w->dx[1] && w->y[1];
}

static Status linearise(Linearising *w, Fault *fault) {
    RbLinear *p = &w->l->public;
    if (!open_linear(w)) return STATUS_NO_MEMORY;
    p->time = w->t = w->s->now;
    memcpy(p->x, w->s->x, sizeof(double) * (size_t)p->states);
    memcpy(w->x, w->s->x, sizeof(double) * (size_t)p->states);
    for (int k = 0; k < p->inputs; k++) p->u[k] = rb_get_number(w->s, p->input[k]);
    if (!evaluate(w, 0, fault)) return STATUS_FATAL;
    for (int i = 0; i < p->states; i++)
        w->f_size = fmax(w->f_size, fabs(p->f[i] = w->dx[0][i]));
    for (int i = 0; i < p->outputs; i++)
        w->y_size = fmax(w->y_size, fabs(p->y[i] = w->y[0][i]));
    Status status = fill_states(w, fault);
    if (status == STATUS_OK) status = fill_exact(w);
    if (status != STATUS_ABSENT) return status;
    status = STATUS_OK;
    for (int k = 0; k < p->inputs && status == STATUS_OK; k++)
        if (!difference(w, k, true, fault)) status = STATUS_FATAL;
    for (int k = 0; k < p->states && p->outputs && status == STATUS_OK; k++)
        if (!difference(w, k, false, fault)) status = STATUS_FATAL;
    return status;
}

RbLinear *rb_linearize(RbSimulation *s, RbError *error) {
    Fault fault = fault_none();
    error_none(error);
    if (!s->begun && !s->fleet) {
        if (rb_step(s, s->start, error) != RB_OK) return NULL;
    }
    if (s->inside || s->fleet || !s->instance.model.fn->jacobian) {
        error_set(error, RB_ARGUMENT, "models are linearised between steps");
        return NULL;
    }
    Linear     *l = mem_take(1, sizeof *l);
    Linearising w = {.s = s, .l = l};
    Status      status = l ? linearise(&w, &fault) : STATUS_NO_MEMORY;
    if (l) instance_evaluate(&s->instance, s->now, s->x);
    if (status == STATUS_OK) return &l->public;
    if (l) rb_linear_free(&l->public);
    error_set(error, status == STATUS_NO_MEMORY ? RB_NO_MEMORY : RB_FAILED,
              "the model cannot be linearised at time %.9g", s->now);
    return NULL;
}

void rb_linear_free(RbLinear *linear) {
    if (!linear) return;
    Linear *l = (Linear *)linear;
    arena_free(&l->arena);
    mem_free(l);
}
