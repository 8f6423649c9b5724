/* SPDX-License-Identifier: Apache-2.0 */
/* jacobian.c -- derivatives of a running model, from generated code.
 *
 * Columns without a common row share a colour, and the code of the
 * derivatives (gen/tangent.c) takes W colours at a time: a Jacobian costs colours/W passes, each a
 * small multiple of an evaluation, and is exact.
 *
 * A torn block r(z, p) = 0 gives dz from dp by the implicit function theorem,
 *     dr/dz dz = -dr/dp dp     (matrix.c).
 *
 * For some of the states (multi-rate, parts on several processes) only their derivatives with respect to some states
 * are wanted, mostly themselves. The code of the derivatives is then run for the rows of the model that lie between
 * them, which cone.c knows.
 *
 * If a model has no such code, or a matrix of a block is singular though it has solutions, df/dx
 * is differenced. */
#include "live/live.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Jacobian {
    bool    ready; /* the work below is there */
    double *d;     /* directions, by variable and column; zero where nothing writes */
    double *part;  /* the same for parts: zero between uses */
    int    *place; /* by state: its place among the wanted ones + 1, zero between uses */
    double *x, *dx, *moved;   /* states each: work */
    const Colouring *colours; /* of all columns, NULL until they are wanted */
};

/* NULL: no memory. */
static Jacobian *jacobian_of(Instance *instance) {
    size_t    n = (size_t)instance->program->states.count;
    Jacobian *j = instance->jacobian;
    if (!j) j = instance->jacobian = mem_take(1, sizeof *j);
    if (!j || j->ready) return j;
    if (!j->x) j->x = mem_take(n, sizeof(double));
    if (!j->dx) j->dx = mem_take(n, sizeof(double));
    if (!j->moved) j->moved = mem_take(n, sizeof(double));
    if (!j->place) j->place = mem_take(n, sizeof *j->place);
    j->ready = j->x && j->dx && j->moved && j->place;
    return j->ready ? j : NULL;
}

static const Pattern *pattern_of(const Instance *instance) {
    return instance->common->full ? instance->common->full : &instance->common->pattern;
}

/* ---- df/dx --------------------------------------------------------------------------------- */

/* Columns first .. first + many of the colours with the directions they got. */
static void scatter(const Instance *instance, int width, int first, int many,
                    double *value) {
    const Jacobian  *j = instance->jacobian;
    const States    *s = &instance->program->states;
    const Pattern   *p = pattern_of(instance);
    const Colouring *c = j->colours;
    for (int k = 0; k < many; k++)
        for (int q = c->start[first + k]; q < c->start[first + k + 1]; q++) {
            int column = c->column[q];
            for (int e = p->start[column]; e < p->start[column + 1]; e++) {
                int i = p->row[e];
                value[e] = s->rate_sign[i] *
                           j->d[(size_t)s->rate[i] * (size_t)width + (size_t)k];
            }
        }
}

/* The code of the derivatives, and room for its directions. */
static const Image *prepare(Instance *instance, double **d) {
    const Image *code = binary_tangents(instance->run.binary);
    if (!code) {
        instance->lacking |= binary_lacking(instance->run.binary);
        return NULL;
    }
    size_t vars = (size_t)instance->program->variables.vars + 1;
    if (!*d) *d = mem_take(vars * (size_t)instance->run.part->width, sizeof(double));
    instance->run.rb.d = *d;
    instance->lacking |= !*d;
    return *d ? code : NULL;
}

/* All columns; false if a block has no derivative here. */
static bool by_directions(Instance *instance, double *value) {
    Jacobian        *j = instance->jacobian;
    const Colouring *colours = j->colours;
    const int       *state = instance->program->states.var;
    int              width = instance->run.part->width;
    const Image     *code = prepare(instance, &j->d);
    Rb              *c = &instance->run.rb;
    bool             fine = code != NULL;
    instance->stamps.moments++;
    for (int first = 0; first < colours->colours && fine; first += width) {
        int many = colours->colours - first < width ? colours->colours - first : width;
        for (int on = 1; on >= 0; on--) {
            for (int k = 0; k < many; k++)
                for (int q = colours->start[first + k]; q < colours->start[first + k + 1];
                     q++)
                    j->d[(size_t)state[colours->column[q]] * (size_t)width + (size_t)k] =
                        on;
            if (!on) continue;
            c->columns = many;
            fine = !code->tangent(c) && !c->failed;
            c->failed = 0;
            if (fine) scatter(instance, width, first, many, value);
        }
    }
    return fine;
}

/* One-sided differences, all columns of a colour together. */
static Status by_differences(Instance *instance, double t, const double *x, double *value,
                             Fault *fault) {
    Jacobian        *j = instance->jacobian;
    const Colouring *c = j->colours;
    const Pattern   *p = pattern_of(instance);
    Selection        all = {0};
    Status           status = STATUS_OK;
    memcpy(j->x, x, (size_t)instance->program->states.count * sizeof *x);
    for (int k = 0; k < c->colours && status == STATUS_OK; k++) {
        for (int q = c->start[k]; q < c->start[k + 1]; q++) {
            int    i = c->column[q];
            double size = fmax(fabs(x[i]), 1e-3 * instance->common->nominal[i]);
            j->x[i] += sqrt(DBL_EPSILON) * (j->dx[i] < 0 ? -size : size);
        }
        status = instance->model.fn->eval(instance, t, j->x, &all, j->moved, fault);
        for (int q = c->start[k]; q < c->start[k + 1]; q++) {
            int    i = c->column[q];
            double h = j->x[i] - x[i];
            for (int e = p->start[i]; e < p->start[i + 1]; e++)
                value[e] = (j->moved[p->row[e]] - j->dx[p->row[e]]) / h;
            j->x[i] = x[i];
        }
    }
    return status;
}

static Status whole(Instance *instance, double t, const double *x, double *value,
                    Fault *fault) {
    Jacobian *j = jacobian_of(instance);
    Selection all = {0};
    if (j && !j->colours) j->colours = common_colouring(instance->common);
    if (!j || !j->colours) return STATUS_NO_MEMORY;
    Status status = instance->model.fn->eval(instance, t, x, &all, j->dx, fault);
    if (status != STATUS_OK) return status;
    if (by_directions(instance, value)) return STATUS_OK;
    instance->counts.differenced++;
    return by_differences(instance, t, x, value, fault);
}

/* ---- df/dx between some states -------------------------------------------------------------- */

typedef struct Minor { /* rows and columns of some states */
    Instance        *instance;
    const Pattern   *pattern; /* of all states */
    const Selection *rows;
    const int       *state; /* of the columns */
    int              n;
    bool             same;      /* rows and columns are the same states */
    Colouring       *colouring; /* of their places; kept with the cone of the rows */
} Minor;

/* Their own pattern; memory of the result is one block at start. */
static bool part_pattern(const Minor *part, const int *place, Pattern *own) {
    const Pattern *p = part->pattern;
    size_t         most = (size_t)part->n + 1;
    for (int k = 0; k < part->n; k++)
        most += (size_t)(p->start[part->state[k] + 1] - p->start[part->state[k]]);
    int *start = malloc((most + (size_t)part->n + 1) * sizeof *start);
    int *row = start + part->n + 1, entries = 0;
    if (!start) return false;
    for (int k = 0; k < part->n; k++) {
        start[k] = entries;
        for (int e = p->start[part->state[k]]; e < p->start[part->state[k] + 1]; e++)
            if (place[p->row[e]]) row[entries++] = place[p->row[e]] - 1;
    }
    start[part->n] = entries;
    *own = (Pattern){part->rows->count, part->n, start, row};
    return true;
}

/* Columns that share no row may have one direction; if all have room beside each other there is
 * nothing to be found. */
static bool part_colours(const Minor *part, const int *place, int width) {
    Pattern    own = {0};
    Colouring *c = part->colouring;
    if (c->colours > 0) return true;
    if (part->n > width) {
        bool fine = part_pattern(part, place, &own);
        fine = fine && colour_columns(&own, c);
        free((void *)own.start);
        return fine;
    }
    c->colours = part->n;
    c->start = malloc(((size_t)part->n + 1) * sizeof(int));
    c->column = malloc(((size_t)part->n + 1) * sizeof(int));
    for (int k = 0; c->start && c->column && k <= part->n; k++)
        c->start[k] = c->column[k] = k;
    return c->start && c->column;
}

/* Entries of one column between the states. */
static void part_column(const Minor *part, int k, const int *place, const double *column,
                        int width, double *value) {
    const States  *s = &part->instance->program->states;
    const Pattern *p = part->pattern;
    const int      j = part->state[k];
    for (int e = p->start[j]; e < p->start[j + 1]; e++) {
        const int i = p->row[e];
        if (place[i])
            value[e] = s->rate_sign[i] * column[(size_t)s->rate[i] * (size_t)width];
    }
}

static void part_seed(const Minor *part, int first, int many, int width, double on) {
    const int       *state = part->instance->program->states.var;
    double          *d = part->instance->run.rb.d;
    const Colouring *c = part->colouring;
    for (int k = 0; k < many; k++)
        for (int q = c->start[first + k]; q < c->start[first + k + 1]; q++)
            d[(size_t)state[part->state[c->column[q]]] * (size_t)width + (size_t)k] = on;
}

static bool part_directions(Minor *part, const Image *code, int width, double *value) {
    Instance        *instance = part->instance;
    const Jacobian  *j = instance->jacobian;
    const Colouring *c = part->colouring;
    bool             fine = true;
    instance->stamps.moments++;
    for (int first = 0; first < c->colours && fine; first += width) {
        int many = c->colours - first < width ? c->colours - first : width;
        part_seed(part, first, many, width, 1);
        instance->run.rb.columns = many;
        fine = !cones_directions(instance, code, part->same);
        instance->run.rb.failed = 0;
        for (int k = 0; k < many && fine; k++)
            for (int q = c->start[first + k]; q < c->start[first + k + 1]; q++)
                part_column(part, c->column[q], j->place, instance->run.rb.d + k, width,
                            value);
        part_seed(part, first, many, width, 0);
        cones_rest(instance, width, part->same);
    }
    return fine;
}

/* One-sided differences; dx: at x. */
static Status part_differences(Minor *part, double t, const double *x, double *value,
                               Fault *fault) {
    Instance        *instance = part->instance;
    const Jacobian  *j = instance->jacobian;
    const Pattern   *p = part->pattern;
    const Colouring *c = part->colouring;
    Status           status = STATUS_OK;
    memcpy(j->x, x, (size_t)instance->program->states.count * sizeof *x);
    for (int k = 0; k < c->colours && status == STATUS_OK; k++) {
        for (int q = c->start[k]; q < c->start[k + 1]; q++) {
            int    i = part->state[c->column[q]];
            double size = fmax(fabs(x[i]), 1e-3 * instance->common->nominal[i]);
            j->x[i] += sqrt(DBL_EPSILON) * (j->dx[i] < 0 ? -size : size);
        }
        status = instance->model.fn->eval(instance, t, j->x, part->rows, j->moved, fault);
        for (int q = c->start[k]; q < c->start[k + 1]; q++) {
            int    i = part->state[c->column[q]];
            double h = j->x[i] - x[i];
            for (int e = p->start[i]; e < p->start[i + 1]; e++)
                if (j->place[p->row[e]])
                    value[e] = (j->moved[p->row[e]] - j->dx[p->row[e]]) / h;
            j->x[i] = x[i];
        }
    }
    return status;
}

Status jacobian_part(Instance *instance, double t, const double *x, const Selection *rows,
                     const Selection *columns, double *value, Fault *fault) {
    Jacobian *j = jacobian_of(instance);
    int       width = instance->run.part->width;
    if (!j) return STATUS_NO_MEMORY;
    Minor  part = {.instance = instance,
                   .pattern = pattern_of(instance),
                   .rows = rows,
                   .state = columns->row,
                   .n = columns->count,
                   .same = rows->row == columns->row};
    Status status = instance->model.fn->eval(instance, t, x, rows, j->dx, fault);
    if (status != STATUS_OK) return status;
    part.colouring = cones_colouring(instance);
    const Image *code = prepare(instance, &j->part);
    for (int k = 0; k < rows->count; k++) j->place[rows->row[k]] = k + 1;
    if (!part_colours(&part, j->place, code ? width : 1)) status = STATUS_NO_MEMORY;
    if (status == STATUS_OK && !(code && part_directions(&part, code, width, value))) {
        instance->counts.differenced++;
        status = part_differences(&part, t, x, value, fault);
    }
    for (int k = 0; k < rows->count; k++) j->place[rows->row[k]] = 0;
    return status;
}

Status jacobian_model(void *self, double t, const double *x, const Selection *states,
                      double *value, Fault *fault) {
    Instance *instance = self;
    bool      part = states->kind == SELECT_LIST && instance->cones;
    return part ? jacobian_part(instance, t, x, states, states, value, fault)
                : whole(instance, t, x, value, fault);
}

void jacobian_free(Instance *instance) {
    Jacobian *j = instance->jacobian;
    if (!j) return;
    mem_free(j->d), mem_free(j->x), mem_free(j->dx), mem_free(j->moved);
    mem_free(j->part), mem_free(j->place);
    mem_free(j);
    instance->jacobian = NULL;
}
