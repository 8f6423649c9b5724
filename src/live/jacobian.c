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
    size_t    room;
    double   *x, *dx, *moved; /* states each: work */
};

static Jacobian *jacobian_of(Instance *instance) {
    if (!instance->jacobian) {
        instance->jacobian = calloc(1, sizeof *instance->jacobian);
        if (!instance->jacobian) abort();
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
        fits = entries / PATTERN_LIMIT <= n + 50; /* one full row does no harm */
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
static const Image *prepare(Instance *instance, Jacobian *j, int *width) {
    const Image *code = image_tangents(instance->image, width);
    if (!code) return NULL;
    size_t need = ((size_t)instance->plan->st->sys->vars + 1) * (size_t)*width;
    if (need > j->room) {
        free(j->d);
        j->d = calloc(need, sizeof(double));
        j->room = j->d ? need : 0;
    }
    return j->d ? code : NULL;
}

/* All columns; false if a block has no derivative here. */
static bool by_directions(Instance *instance, double *value) {
    Jacobian        *j = instance->jacobian;
    const Colouring *colours = &j->colouring;
    int              width;
    const Image     *code = prepare(instance, j, &width);
    Rb              *c = &instance->rb;
    bool             fine = code != NULL;
    instance->stamps.moments++;
    c->d = j->d;
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

Status jacobian_model(void *self, double t, const double *x, const Selection *columns,
                      double *value, Fault *fault) {
    Instance *instance = self;
    Jacobian *j = jacobian_of(instance);
    Selection all = {0};
    (void)columns; /* colours mix columns: all cost what some cost */
    if (!make_colours(instance, j)) return STATUS_NO_MEMORY;
    Status status = instance->model.fn->eval(instance, t, x, &all, j->dx, fault);
    if (status != STATUS_OK) return status;
    if (by_directions(instance, value)) return STATUS_OK;
    instance->differenced++;
    return by_differences(instance, t, x, value, fault);
}

void jacobian_free(Instance *instance) {
    Jacobian *j = instance->jacobian;
    if (!j) return;
    pattern_free(j->full);
    colouring_free(&j->colouring);
    free(j->d), free(j->x), free(j->dx), free(j->moved);
    free(j);
}
