/* SPDX-License-Identifier: Apache-2.0 */
/* jacobian.c -- derivatives of a running model, from generated code.
 *
 * The pattern of df/dx follows from the dependencies of the blocks: for each derivative the states
 * that its cone reaches. Columns without a common row share a colour, and the code of the
 * derivatives (gen/tangent.c) takes W colours at a time: a Jacobian costs colours/W passes, each a
 * small multiple of an evaluation, and is exact.
 *
 * A torn block r(z, p) = 0 gives dz from dp by the implicit function theorem,
 *     dr/dz dz = -dr/dp dp     (matrix.c).
 *
 * For some of the states (multi-rate) only their derivatives with respect to themselves are wanted.
 * The code of the derivatives is then run for the rows of the model that lie between them, which
 * cone.c knows.
 *
 * If a model has no such code, or a matrix of a block is singular though it has solutions, df/dx
 * is differenced. */
#include "live/live.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN_LIMIT = 200 }; /* entries per state on average */

struct Jacobian {
    Pattern  *full; /* if the model has no pattern */
    Colouring colouring;
    bool      ready; /* the above are made */
    double   *d;     /* directions, by variable and column; zero where nothing writes */
    double   *part;  /* the same for parts: zero between uses */
    size_t    room, part_room;
    int    *place; /* by state: its place among the wanted ones + 1, zero between uses */
    double *x, *dx, *moved; /* states each: work */
};

static Jacobian *jacobian_of(Instance *instance) {
    if (!instance->jacobian) {
        instance->jacobian = calloc(1, sizeof *instance->jacobian);
        if (!instance->jacobian) instance_lack(instance, sizeof *instance->jacobian);
    }
    return instance->jacobian;
}

/* ---- sparsity --------------------------------------------------------------------------------------- */

/* States below each derivative; rows of the transposed pattern. False if too many. */
bool jacobian_pattern(Instance *instance) {
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
                if (!entry) instance_lack(instance, (size_t)room * sizeof *entry);
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
                        if (!entry) instance_lack(instance, (size_t)room * sizeof *entry);
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
        fits = entries / PATTERN_LIMIT <= n + 50; /* one full row does no harm */
    }
    start[n] = entries;
    if (fits) { /* by columns: a transposition also sorts the rows */
        Graph rows = {.rows = n, .cols = n, .start = start, .col = entry};
        Graph columns = graph_transpose(&rows, &scratch);
        instance->pattern_start = malloc(((size_t)n + 1) * sizeof(int));
        instance->pattern_row = malloc(((size_t)entries + 1) * sizeof(int));
        if (!instance->pattern_start || !instance->pattern_row)
            instance_lack(instance, ((size_t)n + (size_t)entries) * sizeof(int));
        memcpy(instance->pattern_start, columns.start, ((size_t)n + 1) * sizeof(int));
        memcpy(instance->pattern_row, columns.col, (size_t)entries * sizeof(int));
        instance->pattern =
            (Pattern){n, n, instance->pattern_start, instance->pattern_row};
    }
    free(entry);
    arena_free(&scratch);
    return fits;
}

/* ---- df/dx --------------------------------------------------------------------------------- */

static bool make_colours(Instance *instance, Jacobian *j) {
    const Pattern *pattern = instance->model.pattern;
    size_t         n = (size_t)instance->states + 1;
    if (j->ready) return true;
    if (!pattern) pattern = j->full = pattern_full(instance->states);
    j->x = malloc(n * sizeof(double));
    j->dx = malloc(n * sizeof(double));
    j->moved = malloc(n * sizeof(double));
    if (!pattern || !j->x || !j->dx || !j->moved) return false;
    return j->ready = colour_columns(pattern, &j->colouring);
}

/* Columns first .. first + many of the colours with the directions they got. */
static void scatter(const Instance *instance, int width, int first, int many,
                    double *value) {
    const Jacobian  *j = instance->jacobian;
    const Pattern   *p = j->full ? j->full : &instance->pattern;
    const Colouring *c = &j->colouring;
    for (int k = 0; k < many; k++)
        for (int q = c->start[first + k]; q < c->start[first + k + 1]; q++) {
            int column = c->column[q];
            for (int e = p->start[column]; e < p->start[column + 1]; e++) {
                int i = p->row[e];
                value[e] = instance->rate_sign[i] *
                           j->d[(size_t)instance->rate[i] * (size_t)width + (size_t)k];
            }
        }
}

/* The code of the derivatives, and room for its directions. */
static const Image *prepare(Instance *instance, double **d, size_t *room, int *width) {
    const Image *code = image_tangents(instance->image, width);
    if (!code) return NULL;
    size_t need = ((size_t)instance->plan->st->sys->vars + 1) * (size_t)*width;
    if (need > *room) {
        free(*d);
        *d = calloc(need, sizeof(double));
        *room = *d ? need : 0;
    }
    instance->rb.d = *d;
    return *d ? code : NULL;
}

/* All columns; false if a block has no derivative here. */
static bool by_directions(Instance *instance, double *value) {
    Jacobian        *j = instance->jacobian;
    const Colouring *colours = &j->colouring;
    int              width;
    const Image     *code = prepare(instance, &j->d, &j->room, &width);
    Rb              *c = &instance->rb;
    bool             fine = code != NULL;
    instance->stamps.moments++;
    for (int first = 0; first < colours->colours && fine; first += width) {
        int many = colours->colours - first < width ? colours->colours - first : width;
        for (int on = 1; on >= 0; on--) {
            for (int k = 0; k < many; k++)
                for (int q = colours->start[first + k]; q < colours->start[first + k + 1];
                     q++)
                    j->d[(size_t)instance->state[colours->column[q]] * (size_t)width +
                         (size_t)k] = on;
            if (!on) continue;
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
    const Colouring *c = &j->colouring;
    const Pattern   *p = j->full ? j->full : &instance->pattern;
    Selection        all = {0};
    Status           status = STATUS_OK;
    memcpy(j->x, x, (size_t)instance->states * sizeof *x);
    for (int k = 0; k < c->colours && status == STATUS_OK; k++) {
        for (int q = c->start[k]; q < c->start[k + 1]; q++) {
            int    i = c->column[q];
            double size = fmax(fabs(x[i]), 1e-3 * instance->nominal[i]);
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
    if (!make_colours(instance, j)) return STATUS_NO_MEMORY;
    Status status = instance->model.fn->eval(instance, t, x, &all, j->dx, fault);
    if (status != STATUS_OK) return status;
    if (by_directions(instance, value)) return STATUS_OK;
    instance->differenced++;
    return by_differences(instance, t, x, value, fault);
}

/* ---- df/dx between some states -------------------------------------------------------------- */

typedef struct Part {
    Instance      *instance;
    const Pattern *pattern; /* of all states */
    const int     *state;
    int            n;
    Colouring     *colouring; /* of their places; kept with their cone */
} Part;

/* Their own pattern; memory of the result is one block at start. */
static bool part_pattern(const Part *part, const int *place, Pattern *own) {
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
    *own = (Pattern){part->n, part->n, start, row};
    return true;
}

/* Columns that share no row may have one direction; if all have room beside each other there is
 * nothing to be found. */
static bool part_colours(const Part *part, const int *place, int width) {
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
static void part_column(const Part *part, int k, const int *place, const double *column,
                        int width, double *value) {
    const Instance *instance = part->instance;
    const Pattern  *p = part->pattern;
    const int       j = part->state[k];
    for (int e = p->start[j]; e < p->start[j + 1]; e++) {
        const int i = p->row[e];
        if (place[i])
            value[e] = instance->rate_sign[i] *
                       column[(size_t)instance->rate[i] * (size_t)width];
    }
}

static void part_seed(const Part *part, int first, int many, int width, double on) {
    const Instance  *instance = part->instance;
    const Colouring *c = part->colouring;
    for (int k = 0; k < many; k++)
        for (int q = c->start[first + k]; q < c->start[first + k + 1]; q++)
            instance->rb
                .d[(size_t)instance->state[part->state[c->column[q]]] * (size_t)width +
                   (size_t)k] = on;
}

static bool part_directions(Part *part, const Image *code, int width, double *value) {
    Instance        *instance = part->instance;
    const Jacobian  *j = instance->jacobian;
    const Colouring *c = part->colouring;
    bool             fine = true;
    instance->stamps.moments++;
    for (int first = 0; first < c->colours && fine; first += width) {
        int many = c->colours - first < width ? c->colours - first : width;
        part_seed(part, first, many, width, 1);
        fine = !cones_directions(instance, code);
        instance->rb.failed = 0;
        for (int k = 0; k < many && fine; k++)
            for (int q = c->start[first + k]; q < c->start[first + k + 1]; q++)
                part_column(part, c->column[q], j->place, instance->rb.d + k, width,
                            value);
        part_seed(part, first, many, width, 0);
        cones_rest(instance, width);
    }
    return fine;
}

/* One-sided differences; dx: at x. */
static Status part_differences(Part *part, double t, const double *x, double *value,
                               Fault *fault) {
    Instance        *instance = part->instance;
    const Jacobian  *j = instance->jacobian;
    const Pattern   *p = part->pattern;
    const Colouring *c = part->colouring;
    Selection        rows = {SELECT_LIST, 0, part->n, part->state};
    Status           status = STATUS_OK;
    memcpy(j->x, x, (size_t)instance->states * sizeof *x);
    for (int k = 0; k < c->colours && status == STATUS_OK; k++) {
        for (int q = c->start[k]; q < c->start[k + 1]; q++) {
            int    i = part->state[c->column[q]];
            double size = fmax(fabs(x[i]), 1e-3 * instance->nominal[i]);
            j->x[i] += sqrt(DBL_EPSILON) * (j->dx[i] < 0 ? -size : size);
        }
        status = instance->model.fn->eval(instance, t, j->x, &rows, j->moved, fault);
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

static Status some(Instance *instance, double t, const double *x, const Selection *rows,
                   double *value, Fault *fault) {
    Jacobian *j = jacobian_of(instance);
    int       width = 1;
    if (!make_colours(instance, j)) return STATUS_NO_MEMORY;
    if (!j->place) j->place = calloc((size_t)instance->states + 1, sizeof *j->place);
    if (!j->place) return STATUS_NO_MEMORY;
    Part part = {instance, j->full ? j->full : &instance->pattern, rows->row, rows->count,
                 NULL};
    Status status = instance->model.fn->eval(instance, t, x, rows, j->dx, fault);
    if (status != STATUS_OK) return status;
    part.colouring = cones_colouring(instance);
    const Image *code = prepare(instance, &j->part, &j->part_room, &width);
    for (int k = 0; k < part.n; k++) j->place[part.state[k]] = k + 1;
    if (!part_colours(&part, j->place, code ? width : 1)) status = STATUS_NO_MEMORY;
    if (status == STATUS_OK && !(code && part_directions(&part, code, width, value))) {
        instance->differenced++;
        status = part_differences(&part, t, x, value, fault);
    }
    for (int k = 0; k < part.n; k++) j->place[part.state[k]] = 0;
    return status;
}

Status jacobian_model(void *self, double t, const double *x, const Selection *states,
                      double *value, Fault *fault) {
    Instance *instance = self;
    bool      part = states->kind == SELECT_LIST && instance->cones;
    return part ? some(instance, t, x, states, value, fault)
                : whole(instance, t, x, value, fault);
}

void jacobian_free(Instance *instance) {
    Jacobian *j = instance->jacobian;
    if (!j) return;
    pattern_free(j->full);
    colouring_free(&j->colouring);
    free(j->d), free(j->x), free(j->dx), free(j->moved), free(j->part), free(j->place);
    free(j);
}
