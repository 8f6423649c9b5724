/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.c -- matrices dr/dz of torn blocks, and their factors.
 *
 * The entries come from generated code (gen/matrix.c) or, where that would be long, from directions
 * (gen/tangent.c): columns without a common row share one, W go at a time. Blocks for which the program has a
 * pattern are factored by KLU, the others by dense LU.
 *
 * Factors are kept as long as the program says that the matrix stays (MatrixKind): until the next
 * event or until parameters change. Others are kept for one Jacobian of the model. */
#include "live/live.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Matrix { /* of one loop group */
    int            n;   /* iteration variables */
    Tangent       *tangent;
    Entries       *entries; /* NULL: they come by directions */
    int            width;
    const Pattern *pattern; /* of dr/dz: own, or full if dense */
    Pattern        own, *full;
    Colouring      colouring;
    Sparse        *sparse; /* NULL: dense; a slot for each row of the group */
    double        *value;  /* entries of the pattern, or n*n factors for each row */
    int           *pivot;  /* dense: n for each row */
    long          *stamp;  /* by row: when it was factored; 0 never */
    double        *work;   /* 2 n times the larger of width and SENSE_WIDTH, and n */
} Matrix;

struct Matrices {
    Matrix **matrix; /* by group, NULL if not made */
    double  *zero;   /* directions by variable and column: all zero between calls */
};

static void matrix_free(Matrix *m) {
    if (!m) return;
    sparse_free(m->sparse);
    pattern_free(m->full);
    colouring_free(&m->colouring);
    mem_free(m->value), mem_free(m->pivot), mem_free(m->stamp), mem_free(m->work);
    mem_free(m);
}

void matrix_close(Running *running) {
    Matrices *all = running->matrices;
    if (!all) return;
    for (int g = 0; all->matrix && g < running->part->groups; g++)
        matrix_free(all->matrix[g]);
    mem_free(all->matrix);
    mem_free(all->zero);
    mem_free(all);
    running->matrices = NULL;
}

/* ---- making -------------------------------------------------------------------------------- */

static bool make_room(Matrix *m, const Group *g) {
    size_t n = (size_t)m->n, count = (size_t)g->count;
    size_t entries = (size_t)pattern_entries(m->pattern);
    m->value = mem_take((m->sparse ? entries : n * n * count) + 1, sizeof *m->value);
    m->pivot = mem_take(m->sparse ? 1 : n * count + 1, sizeof *m->pivot);
    m->stamp = mem_take(count + 1, sizeof *m->stamp);
    const size_t width = m->width < SENSE_WIDTH ? SENSE_WIDTH : (size_t)m->width;
    m->work = mem_take(2 * n * width + n + 1, sizeof *m->work);
    return m->value && m->pivot && m->stamp && m->work &&
           colour_columns(m->pattern, &m->colouring);
}

static Matrix *matrix_new(const Part *part, int group, Tangent *tangent) {
    const Group *g = &part->group[group];
    Matrix      *m = mem_take(1, sizeof *m);
    if (!m) return NULL;
    *m = (Matrix){.n = g->torn, .tangent = tangent, .width = part->width};
    int at = part->pattern_at[group];
    if (at >= 0) {
        const int *start = part->pattern + at;
        m->own = (Pattern){m->n, m->n, start, start + m->n + 1};
        m->sparse = sparse_new(m->pattern = &m->own, g->count, 0);
    }
    if (!m->sparse) { /* also if it is structurally singular */
        m->pattern = m->full = pattern_full(m->n);
    }
    if (!m->pattern || !make_room(m, g)) {
        matrix_free(m);
        return NULL;
    }
    return m;
}

static Matrix *lack(const Running *running) {
    running->instance->lacking = true;
    return NULL;
}

/* NULL if the block has no derivatives. */
static Matrix *matrix_of(Running *running, int group) {
    const Part  *part = running->part;
    Matrices    *all = running->matrices;
    const Image *code = binary_tangents(running->binary);
    Tangent     *tangent = code ? code->loop_tangent(group) : NULL;
    if (!code && binary_lacking(running->binary)) running->instance->lacking = true;
    if (!tangent) return NULL;
    if (!all) all = running->matrices = mem_take(1, sizeof *all);
    if (!all) return lack(running);
    if (!all->matrix) all->matrix = mem_take((size_t)part->groups + 1, sizeof(Matrix *));
    if (!all->zero) {
        size_t vars = (size_t)running->instance->program->variables.vars + 1;
        all->zero = mem_take(vars * (size_t)part->width, sizeof(double));
    }
    if (!all->matrix || !all->zero) return lack(running);
    if (!all->matrix[group]) all->matrix[group] = matrix_new(part, group, tangent);
    if (!all->matrix[group]) return lack(running);
    all->matrix[group]->tangent = tangent; /* of better code */
    all->matrix[group]->entries = code->loop_entries(group);
    return all->matrix[group];
}

const Pattern *matrix_pattern(Running *running, int group) {
    Matrix *m = matrix_of(running, group);
    return m && m->sparse ? m->pattern : NULL;
}

/* ---- entries ------------------------------------------------------------------------------- */

/* Directions of the unknowns of the block are zero again. */
static void clear(Running *running, const Group *g, int row, int width) {
    const int *unknown = running->part->unknown + g->item + row * g->size;
    for (int i = 0; i < g->size; i++)
        memset(running->rb.d + (size_t)unknown[i] * (size_t)width, 0,
               (size_t)width * sizeof(double));
}

/* Directions of one iteration variable: on, or zero again. */
static void seed(Rb *c, const Matrix *m, const Slopes *slopes, double *dz, int column,
                 int j, bool on) {
    dz[column * m->width + j] = on && !(slopes && slopes->still[column]) ? 1 : 0;
    if (!slopes) return;
    for (int q = slopes->start[column]; q < slopes->start[column + 1]; q++)
        c->d[(size_t)slopes->variable[q] * (size_t)m->width + (size_t)j] =
            on ? slopes->slope[q] : 0;
}

/* Functions may have no value here; another point may do. */
static bool succeeds(Rb *c, double size) {
    const bool fine = !c->failed && isfinite(size);
    c->failed = 0;
    return fine;
}

static bool fill_by_entries(Running *running, const Matrix *m, int row, double *value) {
    double size = 0;
    m->entries(&running->rb, row, value);
    for (int e = 0; e < m->n * m->n; e++) size += fabs(value[e]);
    return succeeds(&running->rb, size);
}

static bool fill(Running *running, Matrix *m, int group, int row, const Slopes *slopes,
                 double *value) {
    if (m->entries && !slopes && !m->sparse)
        return fill_by_entries(running, m, row, value);
    Rb              *c = &running->rb;
    const Colouring *k = &m->colouring;
    const Pattern   *p = m->pattern;
    double          *dz = m->work, *dr = m->work + m->n * m->width, *own = c->d;
    double           size = 0;
    int              columns = c->columns;
    c->d = running->matrices->zero;
    memset(dz, 0, (size_t)(m->n * m->width) * sizeof *dz);
    for (int first = 0; first < k->colours; first += m->width) {
        int many = k->colours - first < m->width ? k->colours - first : m->width;
        for (int j = 0; j < many; j++)
            for (int q = k->start[first + j]; q < k->start[first + j + 1]; q++)
                seed(c, m, slopes, dz, k->column[q], j, true);
        c->columns = many;
        m->tangent(c, row, dz, dr);
        for (int j = 0; j < many; j++)
            for (int q = k->start[first + j]; q < k->start[first + j + 1]; q++) {
                int column = k->column[q];
                seed(c, m, slopes, dz, column, j, false);
                for (int e = p->start[column]; e < p->start[column + 1]; e++) {
                    value[e] = dr[p->row[e] * m->width + j];
                    size += fabs(value[e]);
                }
            }
    }
    clear(running, &running->part->group[group], row, m->width);
    c->d = own;
    c->columns = columns;
    return succeeds(c, size);
}

bool matrix_fill(Running *running, int group, int row, const Slopes *slopes,
                 double *value) {
    Matrix *m = matrix_of(running, group);
    return m && fill(running, m, group, row, slopes, value);
}

static void seed_states(const Running *running, double *d, int width, const double *dx) {
    const States *s = &running->instance->program->states;
    for (int i = 0; i < s->count; i++)
        d[(size_t)s->var[i] * (size_t)width] = dx ? dx[i] : 0;
}

Status matrix_tangent(Running *running, int group, int row, const double *dz,
                      const double *dx, double *dr) {
    Rb     *c = &running->rb;
    Matrix *m = matrix_of(running, group);
    if (!m) return STATUS_ABSENT;
    double *own = c->d, *in = m->work, *out = in + m->n * m->width;
    c->d = running->matrices->zero;
    if (dx) seed_states(running, c->d, m->width, dx);
    memset(in, 0, (size_t)(m->n * m->width) * sizeof *in);
    for (int i = 0; i < m->n; i++) in[i * m->width] = dz[i];
    c->columns = 1;
    m->tangent(c, row, in, out);
    for (int i = 0; i < m->n; i++) dr[i] = out[i * m->width];
    if (dx) seed_states(running, c->d, m->width, NULL);
    clear(running, &running->part->group[group], row, m->width);
    c->d = own;
    bool fine = !c->failed;
    c->failed = 0;
    return fine ? STATUS_OK : STATUS_RETRY;
}

/* ---- factors ------------------------------------------------------------------------------- */

/* The count that must be unchanged for factors to hold. */
static long stamp_of(const Running *running, const Group *g) {
    const Stamps *s = &running->instance->stamps;
    return g->matrix == MATRIX_PARAMETERS ? s->parameters
           : g->matrix == MATRIX_EVENTS   ? s->events
                                          : s->moments;
}

/* Were the factors of a row made since the count moved? */
static bool is_fresh(const Running *running, int group, int row) {
    const Matrix *m = running->matrices->matrix[group];
    return m->stamp[row] == stamp_of(running, &running->part->group[group]) + 1;
}

bool matrix_holds(Running *running, int group, int row) {
    int kind = running->part->group[group].matrix;
    if (kind == MATRIX_VARIES || (kind == MATRIX_EVENTS && running->settling))
        return false;
    return matrix_of(running, group) && is_fresh(running, group, row);
}

Status matrix_factor(Running *running, int group, int row) {
    const Group *g = &running->part->group[group];
    Matrix      *m = matrix_of(running, group);
    bool         fresh;
    if (!m) return STATUS_ABSENT;
    m->stamp[row] = 0;
    Status status = STATUS_OK;
    if (m->sparse) {
        if (!fill(running, m, group, row, NULL, m->value)) return STATUS_RETRY;
        status = sparse_factor(m->sparse, row, m->value, &fresh);
    } else {
        size_t  n = (size_t)m->n;
        double *lu = m->value + (size_t)row * n * n;
        if (!fill(running, m, group, row, NULL, lu)) return STATUS_RETRY;
        if (dense_factor(m->n, lu, m->pivot + (size_t)row * n) != 0)
            status = STATUS_SINGULAR;
    }
    if (status == STATUS_OK) m->stamp[row] = stamp_of(running, g) + 1;
    return status;
}

bool matrix_doubtful(const Running *running, int group, int row) {
    const Matrix *m = running->matrices->matrix[group];
    size_t        n = (size_t)m->n;
    return !m->sparse && dense_doubtful(m->n, m->value + (size_t)row * n * n);
}

void matrix_solve(Running *running, int group, int row, double *b) {
    const Matrix *m = running->matrices->matrix[group];
    size_t        n = (size_t)m->n;
    if (m->sparse) sparse_solve(m->sparse, row, b);
    else dense_solve(m->n, m->value + (size_t)row * n * n, m->pivot + (size_t)row * n, b);
}

bool matrix_sensitivity(Running *running, int group, int row, int var, bool anew,
                        double *dz) {
    Rb     *c = &running->rb;
    Matrix *m = matrix_of(running, group);
    if (!m || (anew && matrix_factor(running, group, row) != STATUS_OK)) return false;
    double *own = c->d, *in = m->work, *out = in + m->n * m->width;
    double *seed = running->matrices->zero + (size_t)var * (size_t)m->width;
    c->d = running->matrices->zero;
    memset(in, 0, (size_t)(m->n * m->width) * sizeof *in);
    *seed = 1;
    c->columns = 1;
    m->tangent(c, row, in, out);
    *seed = 0;
    clear(running, &running->part->group[group], row, m->width);
    c->d = own;
    for (int i = 0; i < m->n; i++) dz[i] = -out[i * m->width];
    bool fine = !c->failed;
    c->failed = 0;
    matrix_solve(running, group, row, dz);
    for (int i = 0; i < m->n; i++) fine &= isfinite(dz[i]);
    return fine;
}

int matrix_directions(Rb *c, int group, int row) {
    Running *running = running_of(c);
    if (!matrix_of(running, group)) return 1;
    if (!is_fresh(running, group, row) && matrix_factor(running, group, row) != STATUS_OK)
        return 1;
    Matrix  *m = running->matrices->matrix[group];
    Tangent *tangent = m->tangent;
    int      n = m->n, width = m->width;
    if (running->senses) {
        tangent = running->senses->loop_tangent(group);
        width = SENSE_WIDTH;
    }
    if (!tangent) return 1;
    double *dz = m->work, *dr = dz + n * width, *b = dr + n * width;
    memset(dz, 0, (size_t)(n * width) * sizeof *dz);
    tangent(c, row, dz, dr);
    for (int k = 0; k < c->columns; k++) {
        for (int i = 0; i < n; i++) b[i] = -dr[i * width + k];
        matrix_solve(running, group, row, b);
        for (int i = 0; i < n; i++) {
            if (!isfinite(b[i])) return 1;
            dz[i * width + k] = b[i];
        }
    }
    tangent(c, row, dz, dr);
    return c->failed;
}
