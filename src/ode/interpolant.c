/* SPDX-License-Identifier: Apache-2.0 */
/* interpolant.c -- dense output derived from the order conditions.
 *
 * y(theta) = y + h sum_i b_i(theta) k_i with b_i(theta) = sum_k d_ik theta^k is accurate
 * to order q inside the step when sum_i b_i(theta) phi_i(t) = theta^|t| / density(t) for
 * all trees of at most q nodes. These conditions are linear in d, so no published
 * interpolant is needed: the least-norm solution that also meets the end of the step
 * (and, where the end slopes are among the stages, their directions) is computed. When
 * the stages are too few for order p - 1, stages are added at interior nodes, each taken
 * from the best interpolant found so far (Enright, Jackson, Norsett, Thomsen 1986); they
 * are evaluated only in steps where an output point lies. Fully implicit methods
 * integrate the Lagrange polynomials of their slopes. Start-up cost: a least-squares
 * problem of some hundred rows at most. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/ode.h"

void dgelsy_(const int *m, const int *n, const int *nrhs, double *a, const int *lda,
             double *b, const int *ldb, int *jpvt, const double *rcond, int *rank,
             double *work, const int *lwork, int *info);

typedef struct Fit { /* the linear problem for d                         */
    int     stages;  /* including extra ones and the slope at the end    */
    int     powers;  /* degree in theta                                  */
    int     rows, columns, capacity;
    double *matrix; /* by columns, capacity rows                        */
    double *right;  /* capacity                                         */
} Fit;

static void row_begin(Fit *fit, double right) {
    fit->right[fit->rows++] = right;
}
static double *row_at(Fit *fit, int stage, int power) {
    return &fit->matrix[(size_t)(stage * fit->powers + power - 1) * fit->capacity +
                        fit->rows - 1];
}

/* Least-norm solution into d (stages x powers); false if the conditions contradict. */
static bool solve(const Fit *fit, double *d) {
    const int    m = fit->rows, n = fit->columns, big = m > n ? m : n, one = 1;
    const int    ld = fit->capacity;
    const int    lwork = 64 * (big + 64) + n * 40;
    const double rcond = 1e-11;
    double      *a = malloc(sizeof(double) * (size_t)ld * (size_t)n);
    double      *b = calloc((size_t)(big > ld ? big : ld), sizeof(double));
    double      *work = malloc(sizeof(double) * (size_t)lwork);
    int         *pivot = calloc((size_t)n + 1, sizeof(int));
    bool         ok = a && b && work && pivot;
    if (ok) {
        int rank, info;
        memcpy(a, fit->matrix, sizeof(double) * (size_t)ld * (size_t)n);
        memcpy(b, fit->right, sizeof(double) * (size_t)m);
        dgelsy_(&m, &n, &one, a, &ld, b, big > ld ? &big : &ld, pivot, &rcond, &rank,
                work, &lwork, &info);
        ok = info == 0;
        for (int r = 0; ok && r < m; r++) { /* residual against the untouched matrix */
            double sum = -fit->right[r], scale = 1.0;
            for (int c = 0; c < n; c++) {
                const double term = fit->matrix[(size_t)c * ld + r] * b[c];
                sum += term;
                scale = fmax(scale, fabs(term));
            }
            if (fabs(sum) > 1e-10 * scale) ok = false;
        }
        if (ok) memcpy(d, b, sizeof(double) * (size_t)n);
    }
    free(a), free(b), free(work), free(pivot);
    return ok;
}

typedef struct Stages { /* the table extended by stages for dense output */
    int     count;
    double *a, *single; /* count^2 each                                 */
    double *b;          /* count: weights of the result                 */
    int     start, end; /* stages that are f at the two ends, -1 if none */
} Stages;

/* The conditions of order q in a basis of at most `stages` combinations of them: rows of
 * phi are many but span few dimensions. phi = basis * triangle; right_k = basis^T of the
 * right-hand sides of power k. False if those are not in the span. */
typedef struct Conditions {
    int     rank;
    double *basis;    /* conditions x rank, by columns */
    double *triangle; /* rank x stages                 */
    double *right;    /* powers x rank                 */
} Conditions;

static double dot(int n, const double *a, const double *b) {
    long double sum = 0.0L;
    for (int i = 0; i < n; i++) sum += (long double)a[i] * b[i];
    return (double)sum;
}

static bool condense(const Trees *trees, const double *phi, int s, int q, int powers,
                     Conditions *c) {
    const int n = trees->first[q + 1];
    double   *v = malloc(sizeof(double) * (size_t)n);
    c->rank = 0;
    c->basis = malloc(sizeof(double) * (size_t)(n * s));
    c->triangle = calloc((size_t)(s * s), sizeof(double));
    c->right = calloc((size_t)(powers * s), sizeof(double));
    bool ok = v && c->basis && c->triangle && c->right;
    for (int j = 0; ok && j < s; j++) { /* Gram-Schmidt, twice is enough */
        for (int i = 0; i < n; i++) v[i] = phi[(size_t)i * s + j];
        const double before = sqrt(dot(n, v, v));
        for (int round = 0; round < 2; round++)
            for (int r = 0; r < c->rank; r++) {
                const double *u = c->basis + (size_t)r * n, along = dot(n, u, v);
                c->triangle[r * s + j] += along;
                for (int i = 0; i < n; i++) v[i] -= along * u[i];
            }
        const double after = sqrt(dot(n, v, v));
        if (after <= 1e-10 * before || after == 0.0) continue;
        for (int i = 0; i < n; i++) c->basis[(size_t)c->rank * n + i] = v[i] / after;
        c->triangle[c->rank++ * s + j] = after;
    }
    for (int k = 1; ok && k <= powers; k++) {
        for (int i = 0; i < n; i++)
            v[i] = trees->size[i] == k ? 1.0 / trees->density[i] : 0.0;
        for (int r = 0; r < c->rank; r++) {
            const double *u = c->basis + (size_t)r * n, along = dot(n, u, v);
            c->right[(k - 1) * s + r] = along;
            for (int i = 0; i < n; i++) v[i] -= along * u[i];
        }
        ok = sqrt(dot(n, v, v)) < 1e-9;
    }
    free(v);
    return ok;
}

/* Interpolant of order q and degree `powers`; smooth: also the end slopes. */
static bool attempt(const Stages *st, const Conditions *c, int powers, bool smooth,
                    double *d) {
    const int s = st->count;
    Fit       fit = {.stages = s, .powers = powers, .columns = s * powers};
    fit.capacity = c->rank * powers + 3 * s;
    fit.matrix = calloc((size_t)fit.capacity * (size_t)fit.columns, sizeof(double));
    fit.right = calloc((size_t)fit.capacity, sizeof(double));
    bool ok = fit.matrix && fit.right;
    for (int r = 0; ok && r < c->rank; r++)
        for (int k = 1; k <= powers; k++) {
            row_begin(&fit, c->right[(k - 1) * s + r]);
            for (int i = 0; i < s; i++) *row_at(&fit, i, k) = c->triangle[r * s + i];
        }
    for (int i = 0; ok && i < s; i++) {
        row_begin(&fit, st->b[i]);
        for (int k = 1; k <= powers; k++) *row_at(&fit, i, k) = 1.0;
    }
    for (int i = 0; ok && smooth && i < s; i++) {
        row_begin(&fit, i == st->start);
        *row_at(&fit, i, 1) = 1.0;
        row_begin(&fit, i == st->end);
        for (int k = 1; k <= powers; k++) *row_at(&fit, i, k) = k;
    }
    ok = ok && solve(&fit, d);
    free(fit.matrix), free(fit.right);
    return ok;
}

/* Best interpolant of order at most `most`; result its order, 0 if none. */
static int best(const Stages *st, const Trees *trees, int most, int *powers, double *d) {
    const int s = st->count;
    double   *phi = malloc(sizeof(double) * (size_t)trees->count * (size_t)s);
    int       q = most;
    bool      ok = false;
    if (!phi) return 0;
    trees_weights(trees, s, st->a, st->single, phi);
    for (; q >= 1 && !ok; q--) {
        for (int more = 0; more <= 1 && !ok; more++) {
            Conditions c;
            *powers = q + more;
            const bool spans = condense(trees, phi, s, q, *powers, &c);
            for (int smooth = st->start >= 0 && st->end >= 0; spans && smooth >= 0 && !ok;
                 smooth--)
                ok = attempt(st, &c, *powers, smooth, d);
            free(c.basis), free(c.triangle), free(c.right);
        }
        if (ok) break;
    }
    free(phi);
    return ok ? q : 0;
}

static double weight(const double *d, int powers, int stage, double theta) {
    double sum = 0.0;
    for (int k = powers - 1; k >= 0; k--) sum = (sum + d[stage * powers + k]) * theta;
    return sum;
}

static void enlarge(Stages *st, const double *row) {
    const int n = st->count, m = n + 1;
    double   *both[2] = {st->a, st->single};
    for (int w = 0; w < 2; w++) {
        double *a = both[w];
        for (int i = n - 1; i >= 0; i--) {
            for (int j = n - 1; j >= 0; j--) a[i * m + j] = a[i * n + j];
            a[i * m + n] = 0.0;
        }
        for (int j = 0; j < m; j++) a[n * m + j] = j < n ? row[j] : 0.0;
    }
    st->b[n] = 0.0;
    st->count = m;
}

/* Copies the method's stages; appends f at the end of the step if no stage has it. */
static void set_up(Stages *st, const Method *m) {
    const int s = m->stages;
    memcpy(st->a, m->a, sizeof(double) * (size_t)(s * s));
    memcpy(st->single, m->single, sizeof(double) * (size_t)(s * s));
    memcpy(st->b, m->b, sizeof(double) * (size_t)s);
    st->count = s;
    st->start = m->first_explicit ? 0 : -1;
    st->end = m->fsal ? s - 1 : -1;
}

static void store(Method *m, const Stages *st, int order, int powers, const double *d) {
    const int s = m->stages, n = st->count;
    m->dense_order = order;
    m->dense_stages = n;
    m->powers = powers;
    m->dense = arena_copy(&m->arena, d, sizeof(double) * (size_t)(n * powers));
    m->extra_a = NEW(&m->arena, double, (n - s) * METHOD_STAGES + 1);
    m->extra_c = NEW(&m->arena, double, n - s + 1);
    for (int i = s; i < n; i++)
        for (int j = 0; j < n; j++) {
            m->extra_a[(i - s) * METHOD_STAGES + j] = st->a[i * n + j];
            m->extra_c[i - s] += st->a[i * n + j];
        }
}

/* Polynomials in theta that integrate the Lagrange polynomials of the slopes. */
static bool build_firk(Method *m, int base) {
    const int s = m->stages;
    m->powers = m->dense_stages = s;
    m->dense = NEW(&m->arena, double, s *s);
    if (!m->dense) return false;
    for (int j = 0; j < s; j++) {
        double c[METHOD_STAGES] = {1.0};
        for (int i = 0, degree = 0; i < s; i++) {
            if (i == j) continue;
            degree++;
            for (int k = degree; k >= 0; k--)
                c[k] = ((k ? c[k - 1] : 0.0) - m->c[i] * c[k]) / (m->c[j] - m->c[i]);
        }
        for (int k = 0; k < s; k++) m->dense[j * s + k] = c[k] / (k + 1);
    }
    m->sweeps = m->order - 1 > base ? m->order - 1 - base : 0;
    m->dense_order = base + m->sweeps < m->order ? base + m->sweeps : m->order;
    return true;
}

bool interpolant_build(Method *m) {
    static const double nodes[] = {0.5,   0.25,   0.75,   0.125,  0.875,  0.375,
                                   0.625, 0.0625, 0.9375, 0.1875, 0.8125, 0.3125};
    const bool          is_b = m->last_explicit && m->kind == METHOD_FIRK;
    if (m->kind == METHOD_FIRK) return build_firk(m, m->stages + (is_b ? 0 : 1));
    enum { BIG = METHOD_STAGES };
    Trees  trees;
    double a[BIG * BIG], single[BIG * BIG], b[BIG], d[BIG * METHOD_POWERS];
    Stages st = {.a = a, .single = single, .b = b};
    if (!trees_new(&trees, m->order)) return false;
    set_up(&st, m);
    int powers, order = best(&st, &trees, m->order, &powers, d);
    if (order < m->order - 1 && st.end < 0 && m->kind == METHOD_EXPLICIT) {
        enlarge(&st, m->b);
        st.end = st.count - 1;
        order = best(&st, &trees, m->order - 1, &powers, d);
    }
    for (int extra = 0; order < m->order - 1 && extra < LENGTH(nodes) && order > 0 &&
                        m->kind == METHOD_EXPLICIT;
         extra++) {
        double row[BIG];
        for (int i = 0; i < st.count; i++) row[i] = weight(d, powers, i, nodes[extra]);
        enlarge(&st, row);
        /* one more stage lifts the order by one at most */
        order = best(&st, &trees, order + 1 < m->order ? order + 1 : order, &powers, d);
    }
    store(m, &st, order, powers, d);
    trees_free(&trees);
    return m->dense && m->extra_a && m->extra_c;
}
