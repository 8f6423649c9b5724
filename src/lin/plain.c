/* SPDX-License-Identifier: Apache-2.0 */
/* plain.c -- what LAPACK does for us, for builds without it: least squares and eigenvalues of small
 * matrices. All matrices by columns.
 *
 * Least squares: A P = Q R by reflections with the longest remaining column first; what is below the
 * threshold on the diagonal counts as 0, and the rows that are left are reflected from the right to
 * [T 0], so that the solution has the least norm. 2 n^3 operations.
 * Eigenvalues: elimination to Hessenberg form, then Francis' double shifts; each eigenvector by two
 * steps of inverse iteration, 3 n^3 complex operations.
 * Literature: Golub, Van Loan, Matrix Computations, sections 5.4.2, 7.4, 7.5, 7.6.1. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lin/lin.h"

/* ---- least squares ---- */

/* Makes x, n values `step` apart, a multiple of e_1 by I - tau v v^T with v_1 = 1, whose other
 * components replace those of x. */
static double reflect(int n, double *x, size_t step) {
    double norm = 0.0;
    for (int i = 0; i < n; i++) norm = hypot(norm, x[(size_t)i * step]);
    if (!(norm > 0.0)) return 0.0;
    const double old = *x, now = old > 0.0 ? -norm : norm;
    for (int i = 1; i < n; i++) x[(size_t)i * step] /= old - now;
    *x = now;
    return (now - old) / now;
}

/* (I - tau v v^T) y; v: its components but the first, `step` apart; y: n values, the first alone and
 * the others `gap` apart. */
static void apply(int n, double tau, const double *v, size_t step, double *first,
                  double *y, size_t gap) {
    double sum = *first;
    for (int i = 0; i < n - 1; i++) sum += v[(size_t)i * step] * y[(size_t)i * gap];
    *first -= tau * sum;
    for (int i = 0; i < n - 1; i++) y[(size_t)i * gap] -= tau * sum * v[(size_t)i * step];
}

static int longest_column(int n, const double *a, int k) {
    int    best = k;
    double most = -1.0;
    for (int j = k; j < n; j++) {
        double sum = 0.0;
        for (int i = k; i < n; i++) sum = hypot(sum, a[(size_t)j * n + i]);
        if (sum > most) most = sum, best = j;
    }
    return best;
}

/* Q^T A P = R and b = Q^T b; the rank. */
static int triangular(int n, double *a, double *b, double threshold, int *order) {
    for (int j = 0; j < n; j++) order[j] = j;
    for (int k = 0; k < n; k++) {
        double   *ck = a + (size_t)k * n;
        const int p = longest_column(n, a, k);
        for (int i = 0; i < n && p != k; i++) {
            const double v = ck[i];
            ck[i] = a[(size_t)p * n + i];
            a[(size_t)p * n + i] = v;
        }
        const int old = order[k];
        order[k] = order[p], order[p] = old;
        const double tau = reflect(n - k, ck + k, 1);
        if (!(fabs(ck[k]) > threshold * fabs(a[0])) || ck[k] == 0.0) return k;
        for (int j = k + 1; j < n; j++) {
            double *cj = a + (size_t)j * n + k;
            apply(n - k, tau, ck + k + 1, 1, cj, cj + 1, 1);
        }
        apply(n - k, tau, ck + k + 1, 1, b + k, b + k + 1, 1);
    }
    return n;
}

bool plain_least_squares(int n, double *a, double *b, double threshold, double *work,
                         int *order) {
    const int rank = triangular(n, a, b, threshold, order), rest = n - rank + 1;
    double   *tail = a + (size_t)rank * n, *tau = work, *x = work + n;
    for (int k = rank - 1; k >= 0 && rank < n; k--) { /* rows become [T 0] */
        double row[1] = {a[(size_t)k * n + k]}, norm = *row;
        for (int j = 0; j < rest - 1; j++) norm = hypot(norm, tail[(size_t)j * n + k]);
        const double now = *row > 0.0 ? -norm : norm;
        tau[k] = (now - *row) / now;
        for (int j = 0; j < rest - 1; j++) tail[(size_t)j * n + k] /= *row - now;
        a[(size_t)k * n + k] = now;
        for (int i = 0; i < k; i++)
            apply(rest, tau[k], tail + k, (size_t)n, a + (size_t)k * n + i, tail + i,
                  (size_t)n);
    }
    memset(x, 0, (size_t)n * sizeof *x);
    for (int k = rank - 1; k >= 0; k--) {
        x[k] = b[k];
        for (int j = k + 1; j < rank; j++) x[k] -= a[(size_t)j * n + k] * x[j];
        x[k] /= a[(size_t)k * n + k];
    }
    for (int k = 0; k < rank && rank < n; k++)
        apply(rest, tau[k], tail + k, (size_t)n, x + k, x + rank, 1);
    bool fine = true;
    for (int k = 0; k < n; k++) {
        b[order[k]] = x[k];
        fine = fine && isfinite(x[k]);
    }
    return fine;
}

/* ---- eigenvalues ---- */

#define A(i, j) a[(size_t)(j)*n + (i)]

static void hessenberg(int n, double *a) {
    for (int m = 1; m < n - 1; m++) {
        int p = m;
        for (int i = m; i < n; i++)
            if (fabs(A(i, m - 1)) > fabs(A(p, m - 1))) p = i;
        for (int j = m - 1; j < n && p != m; j++) {
            const double v = A(p, j);
            A(p, j) = A(m, j), A(m, j) = v;
        }
        for (int i = 0; i < n && p != m; i++) {
            const double v = A(i, p);
            A(i, p) = A(i, m), A(i, m) = v;
        }
        for (int i = m + 1; i < n && A(m, m - 1) != 0.0; i++) {
            const double f = A(i, m - 1) / A(m, m - 1);
            A(i, m - 1) = 0.0;
            for (int j = m; j < n && f != 0.0; j++) A(i, j) -= f * A(m, j);
            for (int k = 0; k < n && f != 0.0; k++) A(k, m) += f * A(k, i);
        }
    }
}

/* The first row of the block that ends at `last` and does not separate any more. */
static int block_start(int n, double *a, int last, double size) {
    for (int l = last; l > 0; l--) {
        double s = fabs(A(l - 1, l - 1)) + fabs(A(l, l));
        if (s == 0.0) s = size;
        if (fabs(A(l, l - 1)) <= DBL_EPSILON * s) {
            A(l, l - 1) = 0.0;
            return l;
        }
    }
    return 0;
}

/* Eigenvalues of rows k and k + 1. */
static void pair_of(int n, const double *a, int k, double *wr, double *wi) {
    const double p = 0.5 * (A(k, k) - A(k + 1, k + 1));
    const double w = A(k + 1, k) * A(k, k + 1), q = p * p + w, z = sqrt(fabs(q));
    if (q < 0.0) {
        wr[k] = wr[k + 1] = A(k + 1, k + 1) + p;
        wi[k] = z, wi[k + 1] = -z;
        return;
    }
    const double far = p + (p < 0.0 ? -z : z), x = A(k + 1, k + 1);
    wr[k] = x + far;
    wr[k + 1] = far != 0.0 ? x - w / far : x + far;
    wi[k] = wi[k + 1] = 0.0;
}

/* Reflects rows and columns k ... k + m - 1 of the block first ... last so that u becomes a multiple
 * of e_1; that multiple. */
static double chase(int n, double *a, int first, int last, int k, int m, double *u,
                    int from) {
    const double tau = reflect(m, u, 1);
    const int    end = k + 3 < last ? k + 3 : last;
    for (int j = from; j <= last; j++) apply(m, tau, u + 1, 1, &A(k, j), &A(k + 1, j), 1);
    for (int i = first; i <= end; i++)
        apply(m, tau, u + 1, 1, &A(i, k), &A(i, k + 1), (size_t)n);
    return u[0];
}

/* One double step with the shifts whose sum and product are given. */
static void double_step(int n, double *a, int first, int last, double sum,
                        double product) {
    double u[3] = {A(first, first) * (A(first, first) - sum) + product +
                       A(first, first + 1) * A(first + 1, first),
                   A(first + 1, first) *
                       (A(first, first) + A(first + 1, first + 1) - sum),
                   A(first + 1, first) * A(first + 2, first + 1)};
    for (int k = first; k < last; k++) {
        const int m = last - k > 1 ? 3 : 2;
        if (k > first)
            for (int i = 0; i < m; i++) u[i] = A(k + i, k - 1);
        const double top = chase(n, a, first, last, k, m, u, k);
        if (k > first) A(k, k - 1) = top;
        for (int i = 1; i < m && k > first; i++) A(k + i, k - 1) = 0.0;
    }
}

static bool eigenvalues(int n, double *a, double *wr, double *wi) {
    enum { MOST = 60 };
    double size = 0.0;
    int    steps = 0;
    hessenberg(n, a);
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++) size += fabs(a[k]);
    if (!isfinite(size)) return false;
    for (int last = n - 1; last >= 0;) {
        const int first = block_start(n, a, last, size);
        if (first >= last - 1) {
            if (first == last) wr[last] = A(last, last), wi[last] = 0.0;
            else pair_of(n, a, first, wr, wi);
            last = first - 1;
            steps = 0;
            continue;
        }
        if (++steps > MOST) return false;
        const double x = A(last, last), y = A(last - 1, last - 1);
        double       sum = x + y, product = x * y - A(last, last - 1) * A(last - 1, last);
        if (steps % 10 == 0) { /* no convergence: other shifts */
            const double s = fabs(A(last, last - 1)) + fabs(A(last - 1, last - 2));
            sum = 1.5 * s + 2.0 * x;
            product = x * (x + 1.5 * s) + s * s;
        }
        double_step(n, a, first, last, sum, product);
    }
    return true;
}

#undef A

/* The eigenvector to re + i im: columns v and, if it is complex, v + n. */
static bool eigenvector(int n, const double *a, double re, double im, double size,
                        double *shifted, int *pivot, double *b, double *v) {
    double little = 4.0 * DBL_EPSILON * size + DBL_MIN; /* not quite singular */
    for (int bad = 1, tries = 0; bad; little *= 8.0) {
        if (++tries > 8) return false;
        for (size_t k = 0; k < (size_t)n * (size_t)n; k++)
            shifted[2 * k] = a[k], shifted[2 * k + 1] = 0.0;
        for (size_t k = 0; k < (size_t)n; k++) {
            shifted[2 * (k * (size_t)n + k)] -= re + little;
            shifted[2 * (k * (size_t)n + k) + 1] -= im;
        }
        bad = dense_factor_complex(n, shifted, pivot);
    }
    for (int i = 0; i < n; i++) /* irregular, and the same in every run */
        b[2 * i] = 0.5 + fmod((i + 1) * 0.6180339887498949, 1.0), b[2 * i + 1] = 0.0;
    for (int round = 0; round < 2; round++) {
        double norm = 0.0;
        dense_solve_complex(n, shifted, pivot, b);
        for (int i = 0; i < 2 * n; i++) norm = hypot(norm, b[i]);
        if (!isfinite(norm) || norm == 0.0) return false;
        for (int i = 0; i < 2 * n; i++) b[i] /= norm;
    }
    for (int i = 0; i < n; i++) {
        v[i] = b[2 * i];
        if (im != 0.0) v[n + i] = b[2 * i + 1];
    }
    return true;
}

bool plain_eigen(int n, double *a, double *wr, double *wi, double *vectors) {
    const size_t m = (size_t)n;
    double      *work = malloc((3 * m * m + 2 * m + 1) * sizeof *work), size = 0.0;
    int         *pivot = malloc((m + 1) * sizeof *pivot);
    bool         fine = work && pivot;
    if (fine) memcpy(work, a, m * m * sizeof *a);
    for (size_t k = 0; fine && k < m * m; k++) size = fmax(size, fabs(a[k]));
    fine = fine && eigenvalues(n, a, wr, wi);
    for (int k = 0; fine && vectors && k < n; k++) {
        fine = eigenvector(n, work, wr[k], wi[k], size, work + m * m, pivot,
                           work + 3 * m * m, vectors + (size_t)k * m);
        if (wi[k] != 0.0) k++;
    }
    free(work);
    free(pivot);
    return fine;
}
