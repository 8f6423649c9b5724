/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.c -- matrices dr/dz of torn blocks, and their factors.
 *
 * The entries come from generated derivatives (gen/tangent.c) for unit directions: columns without
 * a common row share a direction, W directions go at a time. Which residual depends on which
 * iteration variable follows from the formulas between them; blocks with many iteration variables
 * that touch few residuals each are factored by KLU, the others by dense LU.
 *
 * Factors are kept as long as the plan says that the matrix stays (MatrixKind): until the next
 * event or until parameters change. Others are kept for one Jacobian of the model. */
#include "live/live.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DENSE_MOST = 40 }; /* iteration variables that are always factored densely */

typedef struct Matrix { /* of one loop group */
    int       n;        /* iteration variables */
    Tangent  *tangent;
    int       width;
    Pattern  *pattern; /* of dr/dz; all entries if dense */
    Colouring colouring;
    Sparse   *sparse; /* NULL: dense; a slot for each row of the group */
    double   *value;  /* entries of the pattern, or n*n factors for each row */
    int      *pivot;  /* dense: n for each row */
    long     *stamp;  /* by row: when it was factored; 0 never */
    double   *work;   /* 2 n width */
} Matrix;

struct Matrices {
    const Plan *plan;   /* whose groups they are of */
    Matrix    **matrix; /* by group, NULL if not made */
    int         groups;
    double     *zero; /* directions by variable and column: all zero between calls */
    size_t      zeros;
};

static void matrix_free(Matrix *m) {
    if (!m) return;
    sparse_free(m->sparse);
    pattern_free(m->pattern);
    colouring_free(&m->colouring);
    free(m->value), free(m->pivot), free(m->stamp), free(m->work);
    free(m);
}

static void forget(Matrices *all) {
    for (int g = 0; g < all->groups; g++) matrix_free(all->matrix[g]);
    free(all->matrix);
    all->matrix = NULL;
    all->groups = 0;
    all->plan = NULL;
}

void matrix_close(Instance *instance) {
    Matrices *all = instance->matrices;
    if (!all) return;
    forget(all);
    free(all->zero);
    free(all);
    instance->matrices = NULL;
}

/* ---- sparsity ------------------------------------------------------------------------------ */

/* For each equation of a block the iteration variables it depends on, as bits. */
static uint64_t *dependencies(const Plan *plan, const Group *g, size_t words,
                              Arena *scratch) {
    const Structure *st = plan->st;
    const int       *item = plan->item + g->item;
    uint64_t        *set = NEW(scratch, uint64_t, (size_t)g->size * words + 1);
    int             *place = NEW(scratch, int, st->vars + 1);
    int explicit = g->size - g->torn;
    for (int i = 0; i < g->size; i++) place[st->var_of[item[i]]] = i + 1;
    for (int i = 0; i < g->size; i++) {
        uint64_t *own = set + (size_t)i * words;
        for (int k = st->graph.start[item[i]]; k < st->graph.start[item[i] + 1]; k++) {
            int from = place[st->graph.col[k]] - 1;
            if (from < 0 || (from == i && i < explicit)) continue;
            if (from >= explicit) {
                own[(from - explicit) / 64] |= 1ull << (from - explicit) % 64;
                continue;
            }
            const uint64_t *other = set + (size_t)from * words;
            for (size_t w = 0; w < words; w++) own[w] |= other[w];
        }
    }
    return set + (size_t) explicit * words;
}

static Pattern *new_pattern(size_t n, size_t entries, int **start, int **row) {
    Pattern *p = malloc(sizeof *p + (n + 1 + entries) * sizeof(int));
    if (!p) return NULL;
    *start = (int *)(void *)(p + 1);
    *row = *start + n + 1;
    *p = (Pattern){(int)n, (int)n, *start, *row};
    return p;
}

/* Of a block with formulas. NULL if it would be full, or there is no memory. */
static Pattern *pattern_through_formulas(const Plan *plan, const Group *g) {
    Arena     scratch = {0};
    size_t    n = (size_t)g->torn, words = (n + 63) / 64, entries = 0;
    uint64_t *set = dependencies(plan, g, words, &scratch);
    int      *start, *row, at = 0;
    for (size_t k = 0; k < n * words; k++)
        for (uint64_t w = set[k]; w; w &= w - 1) entries++;
    Pattern *p = entries < n * n / 4 ? new_pattern(n, entries, &start, &row) : NULL;
    for (size_t k = 0; p && k < n; k++) {
        start[k] = at;
        for (size_t i = 0; i < n; i++)
            if (set[i * words + k / 64] >> k % 64 & 1) row[at++] = (int)i;
    }
    if (p) start[n] = at;
    arena_free(&scratch);
    return p;
}

/* Of a block in which everything is iterated: what stands in the equations. */
static Pattern *pattern_of_equations(const Plan *plan, const Group *g) {
    const Structure *st = plan->st;
    const Graph     *graph = &st->graph;
    const int       *item = plan->item + g->item;
    Arena            scratch = {0};
    size_t           n = (size_t)g->torn, entries = 0;
    int             *place = NEW(&scratch, int, st->vars + 1);
    int             *count = NEW(&scratch, int, n + 2), *start, *row;
    for (int i = 0; i < g->torn; i++) place[st->var_of[item[i]]] = i + 1;
    for (int i = 0; i < g->torn; i++)
        for (int k = graph->start[item[i]]; k < graph->start[item[i] + 1]; k++)
            if (place[graph->col[k]]) count[place[graph->col[k]]]++, entries++;
    Pattern *p = new_pattern(n, entries, &start, &row);
    if (p) {
        start[0] = 0;
        for (size_t k = 0; k < n; k++) start[k + 1] = start[k] + count[k + 1];
        for (size_t k = 0; k < n; k++) count[k + 1] = start[k];
        for (int i = 0; i < g->torn; i++)
            for (int k = graph->start[item[i]]; k < graph->start[item[i] + 1]; k++)
                if (place[graph->col[k]]) row[count[place[graph->col[k]]]++] = i;
    }
    arena_free(&scratch);
    return p;
}

static Pattern *find_pattern(const Plan *plan, const Group *g) {
    return g->torn == g->size ? pattern_of_equations(plan, g)
                              : pattern_through_formulas(plan, g);
}

/* ---- making -------------------------------------------------------------------------------- */

static bool make_room(Matrix *m, const Group *g) {
    size_t n = (size_t)m->n, count = (size_t)g->count;
    size_t entries = (size_t)pattern_entries(m->pattern);
    m->value = calloc((m->sparse ? entries : n * n * count) + 1, sizeof *m->value);
    m->pivot = calloc(m->sparse ? 1 : n * count + 1, sizeof *m->pivot);
    m->stamp = calloc(count + 1, sizeof *m->stamp);
    m->work = calloc(2 * n * (size_t)m->width + n + 1, sizeof *m->work);
    return m->value && m->pivot && m->stamp && m->work &&
           colour_columns(m->pattern, &m->colouring);
}

static Matrix *matrix_new(const Plan *plan, int group, Tangent *tangent, int width) {
    const Group *g = &plan->group[group];
    Matrix      *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    *m = (Matrix){.n = g->torn, .tangent = tangent, .width = width};
    if (g->torn > DENSE_MOST && (m->pattern = find_pattern(plan, g)))
        m->sparse = sparse_new(m->pattern, g->count, 0);
    if (!m->sparse) { /* also if it is structurally singular */
        pattern_free(m->pattern);
        m->pattern = pattern_full(m->n);
    }
    if (!m->pattern || !make_room(m, g)) {
        matrix_free(m);
        return NULL;
    }
    return m;
}

/* NULL if the block has no derivatives. */
static Matrix *matrix_of(Instance *instance, int group) {
    const Plan *plan = instance->plan;
    Matrices   *all = instance->matrices;
    int         width;
    if (!all && !(all = instance->matrices = calloc(1, sizeof *all))) return NULL;
    if (all->plan != plan) {
        forget(all);
        all->matrix = calloc((size_t)plan->groups + 1, sizeof(Matrix *));
        if (!all->matrix) return NULL;
        all->groups = plan->groups;
        all->plan = plan;
    }
    const Image *code = image_tangents(instance->image, &width);
    Tangent     *tangent = code ? code->loop_tangent(group) : NULL;
    if (!tangent) return NULL;
    size_t need = ((size_t)plan->st->sys->vars + 1) * (size_t)width;
    if (need > all->zeros) {
        free(all->zero);
        all->zero = calloc(need, sizeof(double));
        all->zeros = all->zero ? need : 0;
    }
    if (!all->zero) return NULL;
    if (!all->matrix[group]) all->matrix[group] = matrix_new(plan, group, tangent, width);
    if (all->matrix[group]) all->matrix[group]->tangent = tangent; /* of better code */
    return all->matrix[group];
}

const Pattern *matrix_pattern(Instance *instance, int group) {
    Matrix *m = matrix_of(instance, group);
    return m && m->sparse ? m->pattern : NULL;
}

/* ---- entries ------------------------------------------------------------------------------- */

/* Directions of the unknowns of the block are zero again. */
static void clear(Instance *instance, const Group *g, int row, int width) {
    const Structure *st = instance->plan->st;
    const int       *item = instance->plan->item + g->item + row * g->size;
    for (int i = 0; i < g->size; i++)
        memset(instance->rb.d + (size_t)st->var_of[item[i]] * (size_t)width, 0,
               (size_t)width * sizeof(double));
}

static bool fill(Instance *instance, Matrix *m, int group, int row, double *value) {
    Rb              *c = &instance->rb;
    const Colouring *k = &m->colouring;
    const Pattern   *p = m->pattern;
    double          *dz = m->work, *dr = m->work + m->n * m->width, *own = c->d;
    double           size = 0;
    c->d = instance->matrices->zero;
    memset(dz, 0, (size_t)(m->n * m->width) * sizeof *dz);
    for (int first = 0; first < k->colours; first += m->width) {
        int many = k->colours - first < m->width ? k->colours - first : m->width;
        for (int j = 0; j < many; j++)
            for (int q = k->start[first + j]; q < k->start[first + j + 1]; q++)
                dz[k->column[q] * m->width + j] = 1;
        m->tangent(c, row, dz, dr);
        for (int j = 0; j < many; j++)
            for (int q = k->start[first + j]; q < k->start[first + j + 1]; q++) {
                int column = k->column[q];
                dz[column * m->width + j] = 0;
                for (int e = p->start[column]; e < p->start[column + 1]; e++) {
                    value[e] = dr[p->row[e] * m->width + j];
                    size += fabs(value[e]);
                }
            }
    }
    clear(instance, &instance->plan->group[group], row, m->width);
    c->d = own;
    bool fine = !c->failed && isfinite(size);
    c->failed = 0; /* functions may have no value here; another point may do */
    return fine;
}

bool matrix_fill(Instance *instance, int group, int row, double *value) {
    Matrix *m = matrix_of(instance, group);
    return m && fill(instance, m, group, row, value);
}

/* ---- factors ------------------------------------------------------------------------------- */

/* The count that must be unchanged for factors to hold. */
static long stamp_of(const Instance *instance, const Group *g) {
    return g->matrix == MATRIX_PARAMETERS ? instance->stamps.parameters
           : g->matrix == MATRIX_EVENTS   ? instance->stamps.events
                                          : instance->stamps.moments;
}

/* Were the factors of a row made since the count moved? */
static bool is_fresh(const Instance *instance, int group, int row) {
    const Matrix *m = instance->matrices->matrix[group];
    return m->stamp[row] == stamp_of(instance, &instance->plan->group[group]) + 1;
}

bool matrix_holds(Instance *instance, int group, int row) {
    int kind = instance->plan->group[group].matrix;
    if (kind == MATRIX_VARIES || (kind == MATRIX_EVENTS && instance->settling))
        return false;
    return matrix_of(instance, group) && is_fresh(instance, group, row);
}

Status matrix_factor(Instance *instance, int group, int row) {
    const Group *g = &instance->plan->group[group];
    Matrix      *m = matrix_of(instance, group);
    bool         fresh;
    if (!m) return STATUS_ABSENT;
    m->stamp[row] = 0;
    Status status = STATUS_OK;
    if (m->sparse) {
        if (!fill(instance, m, group, row, m->value)) return STATUS_RETRY;
        status = sparse_factor(m->sparse, row, m->value, &fresh);
    } else {
        size_t  n = (size_t)m->n;
        double *lu = m->value + (size_t)row * n * n;
        if (!fill(instance, m, group, row, lu)) return STATUS_RETRY;
        if (dense_factor(m->n, lu, m->pivot + (size_t)row * n) != 0)
            status = STATUS_SINGULAR;
    }
    if (status == STATUS_OK) m->stamp[row] = stamp_of(instance, g) + 1;
    return status;
}

bool matrix_doubtful(const Instance *instance, int group, int row) {
    const Matrix *m = instance->matrices->matrix[group];
    size_t        n = (size_t)m->n;
    return !m->sparse && dense_doubtful(m->n, m->value + (size_t)row * n * n);
}

void matrix_solve(Instance *instance, int group, int row, double *b) {
    const Matrix *m = instance->matrices->matrix[group];
    size_t        n = (size_t)m->n;
    if (m->sparse) sparse_solve(m->sparse, row, b);
    else dense_solve(m->n, m->value + (size_t)row * n * n, m->pivot + (size_t)row * n, b);
}

int matrix_directions(Rb *c, int group, int row) {
    Instance *instance = c->host;
    if (!matrix_of(instance, group)) return 1;
    if (!is_fresh(instance, group, row) &&
        matrix_factor(instance, group, row) != STATUS_OK)
        return 1;
    Matrix *m = instance->matrices->matrix[group];
    int     n = m->n, width = m->width;
    double *dz = m->work, *dr = dz + n * width, *b = dr + n * width;
    memset(dz, 0, (size_t)(n * width) * sizeof *dz);
    m->tangent(c, row, dz, dr);
    for (int k = 0; k < width; k++) {
        for (int i = 0; i < n; i++) b[i] = -dr[i * width + k];
        matrix_solve(instance, group, row, b);
        for (int i = 0; i < n; i++) {
            if (!isfinite(b[i])) return 1;
            dz[i * width + k] = b[i];
        }
    }
    m->tangent(c, row, dz, dr);
    return c->failed;
}
