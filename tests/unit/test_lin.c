/* SPDX-License-Identifier: Apache-2.0 */
/* Factorisations by size and structure, guarded refactorisation, patterns, colours. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lin/lin.h"

static double noise(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

/* Random values on a pattern; residuals of sigma I - J against a dense product. */
static void check_shift(const Pattern *p, ShiftKind kind, ShiftKind expected) {
    const int n = p->columns;
    unsigned  seed = 7u + (unsigned)n;
    double   *j = malloc(sizeof(double) * (size_t)(pattern_entries(p) + 1));
    double   *b = calloc((size_t)(2 * n), sizeof(double));
    double   *x = calloc((size_t)(2 * n), sizeof(double));
    double   *r = calloc((size_t)(2 * n), sizeof(double));
    Shift    *s = shift_new(p, 1, 2, kind);
    assert_non_null(s);
    assert_int_equal(s->kind, expected);
    for (int round = 0; round < 3; round++) { /* later rounds refactor */
        for (int e = 0; e < pattern_entries(p); e++) j[e] = noise(&seed);
        const double re = 0.7 + round, im = 1.3;
        assert_int_equal(shift_factor(s, 0, j, re), STATUS_OK);
        assert_int_equal(shift_factor_complex(s, 1, j, re, im), STATUS_OK);
        for (int i = 0; i < 2 * n; i++) x[i] = b[i] = noise(&seed);
        shift_solve(s, 0, x);
        for (int i = 0; i < n; i++) r[i] = b[i] - re * x[i];
        for (int c = 0; c < n; c++)
            for (int e = p->start[c]; e < p->start[c + 1]; e++)
                r[p->row[e]] += j[e] * x[c];
        for (int i = 0; i < n; i++) assert_true(fabs(r[i]) < 1e-9);
        memcpy(x, b, sizeof(double) * (size_t)(2 * n));
        shift_solve_complex(s, 1, x);
        for (int i = 0; i < n; i++) {
            r[2 * i] = b[2 * i] - (re * x[2 * i] - im * x[2 * i + 1]);
            r[2 * i + 1] = b[2 * i + 1] - (re * x[2 * i + 1] + im * x[2 * i]);
        }
        for (int c = 0; c < n; c++)
            for (int e = p->start[c]; e < p->start[c + 1]; e++) {
                r[2 * p->row[e]] += j[e] * x[2 * c];
                r[2 * p->row[e] + 1] += j[e] * x[2 * c + 1];
            }
        for (int i = 0; i < 2 * n; i++) assert_true(fabs(r[i]) < 1e-9);
    }
    assert_int_equal(s->counts.solves, 6);
    assert_int_equal(s->counts.factorizations + s->counts.refactorizations, 6);
    shift_free(s);
    free(j), free(b), free(x), free(r);
}

static void dense_sizes(void **state) {
    (void)state;
    for (int n = 1; n <= 60; n += n < 12 ? 1 : 12) {
        Pattern *p = pattern_full(n);
        check_shift(p, SHIFT_DENSE, SHIFT_DENSE);
        pattern_free(p);
    }
}

/* Band with kl below and ku above; `holes` leaves out the diagonal. */
static Pattern *band_pattern(int n, int kl, int ku, bool holes, int **start, int **row) {
    Pattern *p = malloc(sizeof *p);
    *start = malloc(sizeof(int) * (size_t)(n + 1));
    *row = malloc(sizeof(int) * (size_t)(n * (kl + ku + 1)));
    int q = 0;
    for (int j = 0; j < n; j++) {
        (*start)[j] = q;
        for (int i = j - ku; i <= j + kl; i++)
            if (i >= 0 && i < n && !(holes && i == j)) (*row)[q++] = i;
    }
    (*start)[n] = q;
    *p = (Pattern){n, n, *start, *row};
    return p;
}

static void band_and_sparse(void **state) {
    (void)state;
    static const int shapes[][3] = {{40, 1, 1}, {90, 2, 2}, {90, 1, 4}, {200, 3, 1}};
    for (int k = 0; k < LENGTH(shapes); k++)
        for (int holes = 0; holes < 2; holes++) {
            int     *start, *row;
            Pattern *p = band_pattern(shapes[k][0], shapes[k][1], shapes[k][2], holes,
                                      &start, &row);
            int      below, above;
            pattern_bandwidth(p, &below, &above);
            assert_int_equal(below, shapes[k][1]);
            assert_int_equal(above, shapes[k][2]);
            check_shift(p, SHIFT_AUTO, SHIFT_BAND);
            check_shift(p, SHIFT_SPARSE, SHIFT_SPARSE);
            check_shift(p, SHIFT_DENSE, SHIFT_DENSE);
            free(start), free(row), free(p);
        }
}

static void singular_is_found(void **state) {
    (void)state;
    static const ShiftKind kinds[] = {SHIFT_DENSE, SHIFT_BAND, SHIFT_SPARSE};
    int                   *start, *row;
    Pattern               *p = band_pattern(30, 1, 1, false, &start, &row);
    double                *j = calloc((size_t)pattern_entries(p), sizeof(double));
    for (int k = 0; k < LENGTH(kinds); k++) {
        Shift *s = shift_new(p, 1, 1, kinds[k]);
        for (int c = 0; c < 30; c++)
            for (int e = p->start[c]; e < p->start[c + 1]; e++)
                j[e] = p->row[e] == c ? 2.0 : 0.0;
        assert_int_equal(shift_factor(s, 0, j, 1.0), STATUS_OK);
        assert_int_equal(shift_factor(s, 0, j, 2.0), STATUS_SINGULAR); /* sigma = entry */
        assert_true(s->singular >= 0);
        assert_int_equal(shift_factor_complex(s, 0, j, 2.0, 0.0), STATUS_SINGULAR);
        assert_int_equal(shift_factor(s, 0, j, 1.0), STATUS_OK); /* and is got over */
        shift_free(s);
    }
    free(start), free(row), free(p), free(j);
}

/* Pivots that were good become bad: a refactorisation with them must not be trusted. */
static void refactorisation_is_guarded(void **state) {
    (void)state;
    int           start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    const Pattern p = {2, 2, start, row};
    Sparse       *s = sparse_new(&p, 1, 1);
    bool          fresh;
    double        good[] = {4.0, 1.0, 1.0, 3.0}, bad[] = {1e-18, 1.0, 1.0, 1.0};
    double        b[] = {1.0, 2.0}, c[] = {1.0, 0.0, 2.0, 0.0};
    double zgood[] = {4, 0, 1, 0, 1, 0, 3, 0}, zbad[] = {1e-18, 0, 1, 0, 1, 0, 1, 0};
    assert_int_equal(sparse_factor(s, 0, good, &fresh), STATUS_OK);
    assert_true(fresh);
    assert_int_equal(sparse_factor(s, 0, good, &fresh), STATUS_OK);
    assert_false(fresh);
    assert_int_equal(sparse_factor(s, 0, bad, &fresh), STATUS_OK);
    assert_true(fresh);
    sparse_solve(s, 0, b);
    assert_true(fabs(b[0] - 1.0) < 1e-12 && fabs(b[1] - 1.0) < 1e-12);
    assert_int_equal(sparse_factor_complex(s, 0, zgood, &fresh), STATUS_OK);
    assert_int_equal(sparse_factor_complex(s, 0, zbad, &fresh), STATUS_OK);
    assert_true(fresh);
    sparse_solve_complex(s, 0, c);
    assert_true(fabs(c[0] - 1.0) < 1e-12 && fabs(c[2] - 1.0) < 1e-12);
    sparse_free(s);
}

/* One row has entries in all columns, the others only on the diagonal. */
static void a_full_row_needs_all_colours(void **state) {
    enum { N = 50 };
    int start[N + 1], row[2 * N], q = 0;
    (void)state;
    for (int j = 0; j < N; j++) {
        start[j] = q;
        if (j < 20) row[q++] = j;
        row[q++] = 20;
        if (j > 20) row[q++] = j;
    }
    start[N] = q;
    const Pattern p = {N, N, start, row};
    Colouring     c;
    bool          seen[N] = {false};
    assert_true(colour_columns(&p, &c));
    assert_int_equal(c.colours, N);
    for (int k = 0; k < N; k++) {
        assert_int_equal(c.start[k], k);
        assert_false(seen[c.column[k]]);
        seen[c.column[k]] = true;
    }
    assert_int_equal(c.start[N], N);
    colouring_free(&c);
}

static void colours_do_not_clash(void **state) {
    (void)state;
    unsigned seed = 3;
    enum { N = 120 };
    int start[N + 1], row[N * N], q = 0;
    for (int j = 0; j < N; j++) {
        start[j] = q;
        for (int i = 0; i < N; i++)
            if (i == j || noise(&seed) > 0.47) row[q++] = i;
    }
    start[N] = q;
    const Pattern p = {N, N, start, row};
    Colouring     c;
    assert_true(colour_columns(&p, &c));
    bool seen[N] = {false};
    for (int k = 0; k < c.colours; k++) {
        bool used[N] = {false};
        for (int e = c.start[k]; e < c.start[k + 1]; e++) {
            const int j = c.column[e];
            assert_false(seen[j]);
            seen[j] = true;
            for (int i = start[j]; i < start[j + 1]; i++) {
                assert_false(used[row[i]]);
                used[row[i]] = true;
            }
        }
    }
    for (int j = 0; j < N; j++) assert_true(seen[j]);
    assert_true(c.colours < 60);
    colouring_free(&c);
    int     *bs, *br;
    Pattern *band = band_pattern(500, 2, 2, false, &bs, &br);
    assert_true(colour_columns(band, &c));
    assert_int_equal(c.colours, 5); /* as few as possible */
    colouring_free(&c);
    free(bs), free(br), free(band);
}

static void principal_sub_pattern(void **state) {
    (void)state;
    int             *start, *row, *entry;
    Pattern         *p = band_pattern(10, 1, 1, false, &start, &row);
    static const int pick[] = {2, 3, 7};
    const Selection  s = {SELECT_LIST, 0, 3, pick};
    Pattern         *q = pattern_principal(p, &s, &entry);
    assert_int_equal(pattern_entries(q), 5); /* 2-2, 3-2, 2-3, 3-3, 7-7 */
    for (int j = 0; j < 3; j++)
        for (int e = q->start[j]; e < q->start[j + 1]; e++)
            assert_int_equal(pick[q->row[e]], p->row[entry[e]]);
    pattern_free(q);
    free(entry), free(start), free(row), free(p);
}

static double residual(int n, const double *a, double re, double im, const double *x,
                       const double *y) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        double r = -re * x[i] + im * y[i], s = -re * y[i] - im * x[i];
        for (int j = 0; j < n; j++) r += a[j * n + i] * x[j], s += a[j * n + i] * y[j];
        most = fmax(most, fabs(r) + fabs(s));
    }
    return most;
}

/* Eigenvalues without LAPACK: with their vectors, all of them, and those of LAPACK. */
static void plain_eigenvalues(void **state) {
    enum { N = 40 };
    unsigned seed = 3;
    (void)state;
    for (int n = 1; n <= N; n++) {
        double a[N * N], copy[N * N], wr[N], wi[N], v[N * N], zero[N] = {0}, trace = 0.0;
        double lr[N], li[N], work[4 * N];
        for (int k = 0; k < n * n; k++)
            a[k] = n % 3 || noise(&seed) > 0 ? noise(&seed) : 0;
        for (int k = 0; k < n; k++) a[k * n + k] += k % 4;
        memcpy(copy, a, sizeof a);
        assert_true(plain_eigen(n, copy, wr, wi, v));
        memcpy(copy, a, sizeof a);
        assert_true(dense_eigen(n, copy, lr, li, NULL, work));
        for (int k = 0; k < n; k++) {
            double near = HUGE_VAL, size = 0.0;
            trace += wr[k] - a[k * n + k];
            for (int i = 0; i < n; i++)
                near = fmin(near, hypot(wr[k] - lr[i], wi[k] - li[i]));
            assert_true(near < 1e-9);
            if (wi[k] < 0) {
                assert_true(wr[k] == wr[k - 1] && wi[k] == -wi[k - 1]);
                continue;
            }
            const double *x = v + k * n, *y = wi[k] > 0 ? x + n : zero;
            for (int i = 0; i < n; i++) size += x[i] * x[i] + y[i] * y[i];
            assert_true(fabs(size - 1) < 1e-12);
            assert_true(residual(n, a, wr[k], wi[k], x, y) < 1e-9);
        }
        assert_true(fabs(trace) < 1e-9);
    }
}

/* Least squares without LAPACK give the same vector for matrices of any rank. */
static void plain_least_norm(void **state) {
    enum { N = 12 };
    unsigned seed = 5;
    (void)state;
    for (int n = 1; n <= N; n++)
        for (int rank = 0; rank <= n; rank++) {
            double a[N * N] = {0}, copy[N * N], b[N], x[N], work[4 * N], left[N],
                         right[N];
            int order[N];
            for (int r = 0; r < rank; r++) { /* a sum of products */
                for (int i = 0; i < n; i++)
                    left[i] = noise(&seed), right[i] = noise(&seed);
                for (int k = 0; k < n * n; k++) a[k] += left[k % n] * right[k / n];
            }
            for (int i = 0; i < n; i++) b[i] = x[i] = noise(&seed);
            memcpy(copy, a, sizeof a);
            assert_true(plain_least_squares(n, copy, x, 1e-10, work, order));
            memcpy(copy, a, sizeof a);
            assert_true(isfinite(dense_least_squares(n, copy, b, 1e-10)));
            for (int i = 0; i < n; i++) assert_true(fabs(x[i] - b[i]) < 1e-6);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_sizes),
        cmocka_unit_test(band_and_sparse),
        cmocka_unit_test(singular_is_found),
        cmocka_unit_test(refactorisation_is_guarded),
        cmocka_unit_test(colours_do_not_clash),
        cmocka_unit_test(a_full_row_needs_all_colours),
        cmocka_unit_test(principal_sub_pattern),
        cmocka_unit_test(plain_eigenvalues),
        cmocka_unit_test(plain_least_norm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
