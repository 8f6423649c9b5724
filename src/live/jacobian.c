/* SPDX-License-Identifier: Apache-2.0 */
/* jacobian.c -- derivatives of a running model, from generated code.
 *
 * The pattern of df/dx follows from the dependencies of the blocks: for each derivative the states
 * that its cone reaches. Columns without a common row share a colour, and the code of the
 * derivatives (gen/tangent.c) takes W colours at a time: a Jacobian costs colours/W passes, each a
 * small multiple of an evaluation, and is exact.
 *
 * A torn block r(z, p) = 0 gives dz from dp by the implicit function theorem,
 *     dr/dz dz = -dr/dp dp,
 * with dr/dz from the same code for unit directions; its factors serve all passes of a Jacobian.
 *
 * If a model has no such code, or a block is singular where only its solution is not, df/dx is
 * differenced. */
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
    double   *zero;  /* the same, for unit directions of a torn block alone */
    size_t    room;  /* of each */
    double   *x, *dx, *moved; /* states each: work */
    double   *work;           /* of torn blocks */
    size_t    work_room;
    double   *factor; /* LU of the torn blocks of the running model ... */
    int      *pivot;
    size_t   *at; /* ... by group, row after row: torn*torn and torn entries */
    size_t   *pivot_at;
    uint8_t  *known; /* by group and row (through row_at): factored in this Jacobian */
    size_t   *row_at;
    size_t    knowns;
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

/* ---- directions --------------------------------------------------------------------------- */

/* The code of the derivatives, and room for its directions. */
static const Image *prepare(Instance *instance, int *width) {
    const Image *code = image_tangents(instance->image, width);
    Jacobian    *j = jacobian_of(instance);
    if (!code) return NULL;
    size_t need = ((size_t)instance->plan->st->sys->vars + 1) * (size_t)*width;
    if (need > j->room) {
        free(j->d);
        free(j->zero);
        j->d = calloc(need, sizeof(double));
        j->zero = calloc(need, sizeof(double));
        if (!j->d || !j->zero) abort();
        j->room = need;
    }
    return code;
}

static double *work(Instance *instance, size_t need) {
    Jacobian *j = jacobian_of(instance);
    if (need > j->work_room) {
        j->work = mem_resize(j->work, need * sizeof(double));
        j->work_room = need;
    }
    return j->work;
}

/* Functions may fail where they have no value; another point may do. */
static bool went_well(Rb *c) {
    bool fine = !c->failed;
    c->failed = 0;
    return fine;
}

/* dr/dz, column by column. w: room for 2*torn*width. */
static bool fill(Instance *instance, Tangent *tangent, int width, int group, int row,
                 double *w, double *matrix) {
    Rb              *c = &instance->rb;
    const Structure *st = instance->plan->st;
    const Group     *g = &instance->plan->group[group];
    const int       *item = instance->plan->item + g->item + row * g->size;
    int              n = g->torn;
    double          *dz = w, *dr = w + n * width, *own = c->d, size = 0;
    c->d = instance->jacobian->zero;
    memset(dz, 0, (size_t)(n * width) * sizeof *dz);
    for (int first = 0; first < n; first += width) {
        int many = n - first < width ? n - first : width;
        for (int k = 0; k < many; k++) dz[(first + k) * width + k] = 1;
        tangent(c, row, dz, dr);
        for (int k = 0; k < many; k++) {
            dz[(first + k) * width + k] = 0;
            for (int i = 0; i < n; i++) {
                double entry = dr[i * width + k];
                matrix[(first + k) * n + i] = entry;
                size += fabs(entry);
            }
        }
    }
    for (int i = 0; i < g->size; i++)
        memset(c->d + (size_t)st->var_of[item[i]] * (size_t)width, 0,
               (size_t)width * sizeof(double));
    c->d = own;
    return went_well(c) && isfinite(size);
}

bool jacobian_loop(Instance *instance, int group, int row, double *matrix) {
    int          width, n = instance->plan->group[group].torn;
    const Image *code = prepare(instance, &width);
    Tangent     *tangent = code ? code->loop_tangent(group) : NULL;
    if (!tangent) return false;
    return fill(instance, tangent, width, group, row,
                work(instance, 2 * (size_t)n * (size_t)width), matrix);
}

/* ---- torn blocks of the running model ------------------------------------------------------ */

/* Room for the factors of all torn blocks. */
static void make_factors(Instance *instance, Jacobian *j) {
    const Plan *plan = instance->plan;
    size_t      groups = (size_t)plan->groups + 1, entries = 0, pivots = 0, rows = 0;
    j->at = calloc(groups, sizeof *j->at);
    j->pivot_at = calloc(groups, sizeof *j->pivot_at);
    j->row_at = calloc(groups, sizeof *j->row_at);
    if (!j->at || !j->pivot_at || !j->row_at) abort();
    for (int g = 0; g < plan->groups; g++) {
        size_t n = (size_t)plan->group[g].torn, count = (size_t)plan->group[g].count;
        j->at[g] = entries;
        j->pivot_at[g] = pivots;
        j->row_at[g] = rows;
        if (plan->group[g].kind != GROUP_LOOP) continue;
        entries += n * n * count;
        pivots += n * count;
        rows += count;
    }
    j->factor = malloc((entries + 1) * sizeof *j->factor);
    j->pivot = malloc((pivots + 1) * sizeof *j->pivot);
    j->known = calloc(rows + 1, 1);
    if (!j->factor || !j->pivot || !j->known) abort();
    j->knowns = rows;
}

int jacobian_directions(Rb *c, int group, int row) {
    Instance    *instance = c->host;
    int          width, n = instance->plan->group[group].torn;
    const Image *code = prepare(instance, &width);
    Tangent     *tangent = code ? code->loop_tangent(group) : NULL;
    Jacobian    *j = jacobian_of(instance);
    if (!tangent) return 1;
    double  *w = work(instance, 2 * (size_t)n * (size_t)width + (size_t)n);
    double  *dz = w, *dr = w + n * width, *b = dr + n * width;
    double  *lu = j->factor + j->at[group] + (size_t)row * (size_t)n * (size_t)n;
    int     *pivot = j->pivot + j->pivot_at[group] + (size_t)row * (size_t)n;
    uint8_t *known = j->known + j->row_at[group] + row;
    if (!*known) {
        if (!fill(instance, tangent, width, group, row, w, lu)) return 1;
        if (dense_factor(n, lu, pivot) || dense_quality(n, lu, false) < DBL_EPSILON)
            return 1;
        *known = true;
    }
    memset(dz, 0, (size_t)(n * width) * sizeof *dz);
    tangent(c, row, dz, dr);
    for (int k = 0; k < width; k++) {
        for (int i = 0; i < n; i++) b[i] = -dr[i * width + k];
        dense_solve(n, lu, pivot, b);
        for (int i = 0; i < n; i++) dz[i * width + k] = b[i];
    }
    tangent(c, row, dz, dr);
    return c->failed;
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
    make_factors(instance, j);
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

/* All columns; false if a block has no derivative here. */
static bool by_directions(Instance *instance, double *value) {
    Jacobian        *j = instance->jacobian;
    const Colouring *colours = &j->colouring;
    int              width;
    const Image     *code = prepare(instance, &width);
    Rb              *c = &instance->rb;
    bool             fine = code != NULL;
    memset(j->known, 0, j->knowns);
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
            fine = !code->tangent(c) && went_well(c);
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
    free(instance->pattern_start);
    free(instance->pattern_row);
    if (!j) return;
    pattern_free(j->full);
    colouring_free(&j->colouring);
    free(j->d), free(j->zero), free(j->x), free(j->dx), free(j->moved), free(j->work);
    free(j->factor), free(j->pivot), free(j->at), free(j->pivot_at), free(j->known);
    free(j->row_at);
    free(j);
}
