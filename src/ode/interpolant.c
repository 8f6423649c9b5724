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

typedef struct Stages { /* the table extended by stages for dense output */
    int     count;
    double *a, *single; /* count^2 each                                 */
    double *b;          /* count: weights of the result                 */
    int     start, end; /* stages that are f at the two ends, -1 if none */
} Stages;

/* The conditions of order q, condensed: rows of phi are many but span at most `stages`
 * dimensions. phi = basis * lower * rows with orthonormal columns of basis and orthonormal
 * rows; so every power k has d_k = rows^T lower^-1 basis^T right_k plus anything in the
 * null space of rows. */
typedef struct Conditions {
    int     rank, stages, powers;
    double *basis; /* conditions x rank, by columns  */
    double *rows;  /* rank x stages                  */
    double *lower; /* rank x stages, lower triangle   */
    double *d;     /* powers x stages: least norm    */
    bool    no_memory;
} Conditions;

static double dot(int n, const double *a, const double *b) {
    long double sum = 0.0L;
    for (int i = 0; i < n; i++) sum += (long double)a[i] * b[i];
    return (double)sum;
}

/* Takes the first `count` vectors of basis (n long) out of v, twice; sums go to along. */
static void project(int n, int count, const double *basis, double *v, double *along) {
    for (int round = 0; round < 2; round++)
        for (int r = 0; r < count; r++) {
            const double *u = basis + (size_t)r * n, part = dot(n, u, v);
            if (along) along[r] += part;
            for (int i = 0; i < n; i++) v[i] -= part * u[i];
        }
}

static double size_of(int n, const double *v) {
    return sqrt(dot(n, v, v));
}

/* phi = basis * triangle by Gram-Schmidt; dependent columns add no rank. */
static void orthogonalise(int n, int s, const double *phi, double *v, Conditions *c,
                          double *triangle) {
    for (int j = 0; j < s; j++) {
        double along[METHOD_STAGES] = {0};
        for (int i = 0; i < n; i++) v[i] = phi[(size_t)i * s + j];
        const double before = size_of(n, v);
        project(n, c->rank, c->basis, v, along);
        for (int r = 0; r < c->rank; r++) triangle[r * s + j] = along[r];
        const double after = size_of(n, v);
        if (after <= 1e-9 * before || after == 0.0) continue;
        for (int i = 0; i < n; i++) c->basis[(size_t)c->rank * n + i] = v[i] / after;
        triangle[c->rank++ * s + j] = after;
    }
}

/* Least-norm weights of every power; false if the conditions contradict one another. */
static bool condense(const Trees *trees, const double *phi, int q, Conditions *c) {
    const int n = trees->first[q + 1], s = c->stages;
    double   *v = malloc(sizeof(double) * (size_t)(n > s ? n : s));
    double    triangle[METHOD_STAGES * METHOD_STAGES] = {0};
    c->rank = 0;
    c->basis = malloc(sizeof(double) * (size_t)(n * s));
    c->rows = calloc((size_t)(s * s), sizeof(double));
    c->lower = calloc((size_t)(s * s), sizeof(double));
    c->d = calloc((size_t)((q + 1) * s), sizeof(double));
    bool ok = v && c->basis && c->rows && c->lower && c->d;
    c->no_memory = !ok;
    if (ok) orthogonalise(n, s, phi, v, c, triangle);
    for (int r = 0; ok && r < c->rank; r++) { /* triangle = lower * rows */
        memcpy(v, triangle + (size_t)r * s, sizeof(double) * (size_t)s);
        project(s, r, c->rows, v, c->lower + (size_t)r * s);
        const double length = size_of(s, v);
        ok = length > 1e-10;
        c->lower[r * s + r] = length;
        for (int i = 0; i < s; i++) c->rows[r * s + i] = v[i] / length;
    }
    for (int k = 1; ok && k <= q;
         k++) { /* a power above q has no conditions: weights 0 */
        double right[METHOD_STAGES] = {0};
        for (int i = 0; i < n; i++)
            v[i] = trees->size[i] == k ? 1.0 / trees->density[i] : 0.0;
        project(n, c->rank, c->basis, v, right);
        ok = size_of(n, v) < 1e-8;
        for (int r = 0; r < c->rank; r++) {
            for (int j = 0; j < r; j++) right[r] -= c->lower[r * s + j] * right[j];
            right[r] /= c->lower[r * s + r];
            for (int i = 0; i < s; i++)
                c->d[(k - 1) * s + i] += right[r] * c->rows[r * s + i];
        }
    }
    free(v);
    return ok;
}

/* Adds what it takes to meet the ends: sum_k d_k = b and, if smooth, also d_1 = the first
 * slope and sum_k k d_k = the last one; the conditions must not notice. The same few
 * equations in the powers for every stage: least norm by their own Gram matrix. */
static bool attempt(const Stages *st, const Conditions *c, bool smooth, double *d) {
    const int s = c->stages, p = c->powers, equations = smooth ? 3 : 1;
    double    row[3][METHOD_POWERS], gram[9], rest[3][METHOD_STAGES];
    int       pivot[3];
    if (p < equations) return false;
    for (int k = 0; k < p; k++) row[0][k] = 1.0, row[1][k] = k == 0, row[2][k] = k + 1;
    for (int a = 0; a < equations; a++)
        for (int b = 0; b < equations; b++)
            gram[a * equations + b] = dot(p, row[a], row[b]);
    if (dense_factor(equations, gram, pivot)) return false;
    for (int e = 0; e < equations; e++) {
        for (int i = 0; i < s; i++) {
            rest[e][i] = e == 0 ? st->b[i] : e == 1 ? i == st->start : i == st->end;
            for (int k = 0; k < p; k++) rest[e][i] -= row[e][k] * c->d[k * s + i];
        }
        for (int r = 0; r < c->rank; r++) { /* what that does to the conditions */
            double violation = 0.0;
            for (int q = 0; q <= r; q++)
                violation +=
                    c->lower[r * s + q] * dot(s, c->rows + (size_t)q * s, rest[e]);
            if (fabs(violation) > 1e-9) return false;
        }
    }
    for (int i = 0; i < s; i++) {
        double z[3] = {rest[0][i], smooth ? rest[1][i] : 0.0, smooth ? rest[2][i] : 0.0};
        dense_solve(equations, gram, pivot, z);
        for (int k = 0; k < p; k++) {
            d[i * p + k] = c->d[k * s + i];
            for (int e = 0; e < equations; e++) d[i * p + k] += row[e][k] * z[e];
        }
    }
    return true;
}

/* Best interpolant of order at most `most`; result its order, 0 if none, -1: no memory. */
static int best(const Stages *st, const Trees *trees, int most, int *powers, double *d) {
    const int s = st->count;
    double   *phi = malloc(sizeof(double) * (size_t)trees->count * (size_t)s);
    int       q = most;
    bool      ok = false;
    *powers = 1;
    if (!phi) return -1;
    trees_weights(trees, s, st->a, st->single, phi);
    for (; q >= 1; q--) {
        Conditions c = {.stages = s};
        const bool slopes = st->start >= 0 && st->end >= 0;
        const bool fine = condense(trees, phi, q, &c);
        for (int more = 0; fine && more <= 1 && !ok; more++) {
            *powers = c.powers = q + more;
            ok = (slopes && attempt(st, &c, true, d)) || attempt(st, &c, false, d);
        }
        free(c.basis), free(c.rows), free(c.lower), free(c.d);
        if (c.no_memory) {
            free(phi);
            return -1;
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

static bool store(Method *m, const Stages *st, int order, int powers, const double *d) {
    const int s = m->stages, n = st->count;
    m->dense_order = order;
    m->dense_stages = n;
    m->powers = powers;
    m->dense = arena_copy(&m->arena, d, sizeof(double) * (size_t)(n * powers));
    m->extra_a = NEW(&m->arena, double, (n - s) * METHOD_STAGES + 1);
    m->extra_c = NEW(&m->arena, double, n - s + 1);
    if (!m->dense || !m->extra_a || !m->extra_c) return false;
    for (int i = s; i < n; i++)
        for (int j = 0; j < n; j++) {
            m->extra_a[(i - s) * METHOD_STAGES + j] = st->a[i * n + j];
            m->extra_c[i - s] += st->a[i * n + j];
        }
    return true;
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
    /* no table of order six or more has an interpolant of its own order for nothing */
    const int most = m->order > 5 ? m->order - 1 : m->order;
    if (!trees_new(&trees, most)) return false;
    set_up(&st, m);
    int powers, order = best(&st, &trees, most, &powers, d);
    if (order >= 0 && order < m->order - 1 && st.end < 0 && m->kind == METHOD_EXPLICIT) {
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
    trees_free(&trees);
    return order >= 0 && store(m, &st, order, powers, d);
}
