/* SPDX-License-Identifier: Apache-2.0 */
/* dense.c -- dense LU with partial pivoting, chosen by size.
 *
 * Up to DENSE_TINY unknowns one body is instantiated with n as a constant, so that the
 * compiler unrolls it and keeps the matrix in registers or first-level cache; a library
 * call would cost more than the arithmetic. Up to DENSE_OWN the same body runs with n as
 * a variable (right-looking, updates along columns, vectorised); above, LAPACK's blocked
 * dgetrf and zgetrf where LAPACK is there. Cost 2/3 n^3 operations, four times that in complex arithmetic.
 * Literature: Golub, Van Loan, Matrix Computations, section 3.4. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lin/lin.h"

#define INLINE static inline __attribute__((always_inline))

#ifdef HAVE_LAPACK

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
             const int *lda, const int *ipiv, double *b, const int *ldb, int *info,
             size_t length);
void zgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void zgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
             const int *lda, const int *ipiv, double *b, const int *ldb, int *info,
             size_t length);
void dgelsy_(const int *m, const int *n, const int *nrhs, double *a, const int *lda,
             double *b, const int *ldb, int *jpvt, const double *rcond, int *rank,
             double *work, const int *lwork, int *info);
void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr,
            const int *ldvr, double *work, const int *lwork, int *info, size_t length_l,
            size_t length_r);

/* OpenBLAS starts one spinning thread per core for matrices of our size, which costs more
 * than it gains and disturbs the host program. The symbol is weak: with another BLAS it
 * is absent and nothing is done. */
extern void openblas_set_num_threads(int n) __attribute__((weak));

void blas_single_thread(void) {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
}

static bool by_library(int n) {
    return n > DENSE_OWN;
}

typedef void Factor(const int *m, const int *n, double *a, const int *lda, int *ipiv,
                    int *info);
typedef void Solve(const char *trans, const int *n, const int *nrhs, const double *a,
                   const int *lda, const int *ipiv, double *b, const int *ldb, int *info,
                   size_t length);

static int library_factor(int n, double *a, int *pivot, bool is_complex) {
    Factor *factor = is_complex ? zgetrf_ : dgetrf_;
    int     bad = 0;
    factor(&n, &n, a, &n, pivot, &bad);
    return bad;
}

static void library_solve(int n, const double *a, const int *pivot, double *b,
                          bool is_complex) {
    Solve *solve = is_complex ? zgetrs_ : dgetrs_;
    int    one = 1, info;
    solve("N", &n, &one, a, &n, pivot, b, &n, &info, 1);
}

static bool least_squares(int n, double *a, double *b, double threshold, double *work,
                          int room, int *order) {
    int one = 1, rank = 0, bad = 0;
    memset(order, 0, (size_t)n * sizeof *order);
    dgelsy_(&n, &n, &one, a, &n, b, &n, order, &threshold, &rank, work, &room, &bad);
    return bad == 0;
}

bool dense_eigen(int n, double *a, double *wr, double *wi, double *vectors,
                 double *work) {
    int room = 4 * n, info = 0, one = 1;
    dgeev_("N", vectors ? "V" : "N", &n, a, &n, wr, wi, NULL, &one, vectors,
           vectors ? &n : &one, work, &room, &info, 1, 1);
    return info == 0;
}

#else

void blas_single_thread(void) {
}

static bool by_library(int n) {
    (void)n;
    return false;
}

static int library_factor(int n, double *a, int *pivot, bool is_complex) {
    (void)a, (void)pivot, (void)is_complex;
    return n;
}

static void library_solve(int n, const double *a, const int *pivot, double *b,
                          bool is_complex) {
    (void)n, (void)a, (void)pivot, (void)b, (void)is_complex;
}

static bool least_squares(int n, double *a, double *b, double threshold, double *work,
                          int room, int *order) {
    (void)room;
    return plain_least_squares(n, a, b, threshold, work, order);
}

bool dense_eigen(int n, double *a, double *wr, double *wi, double *vectors,
                 double *work) {
    (void)work;
    return plain_eigen(n, a, wr, wi, vectors);
}

#endif

INLINE int factor(const int n, double *restrict a, int *restrict pivot) {
    for (int k = 0; k < n; k++) {
        double *ck = a + (size_t)k * n;
        int     p = k;
        double  best = fabs(ck[k]);
        for (int i = k + 1; i < n; i++) {
            const double v = fabs(ck[i]);
            if (v > best) best = v, p = i;
        }
        pivot[k] = p;
        if (!(best > 0.0) || best > 1e300) return k + 1;
        if (p != k)
            for (int j = 0; j < n; j++) {
                const double v = a[(size_t)j * n + k];
                a[(size_t)j * n + k] = a[(size_t)j * n + p];
                a[(size_t)j * n + p] = v;
            }
        const double r = 1.0 / ck[k];
        ck[k] = r; /* the solve multiplies */
        for (int i = k + 1; i < n; i++) ck[i] *= r;
        for (int j = k + 1; j < n; j++) {
            double      *cj = a + (size_t)j * n;
            const double u = cj[k];
            if (u != 0.0)
                for (int i = k + 1; i < n; i++) cj[i] -= ck[i] * u;
        }
    }
    return 0;
}

INLINE void solve(const int n, const double *restrict a, const int *restrict pivot,
                  double *restrict b) {
    for (int k = 0; k < n; k++) {
        const int    p = pivot[k];
        const double v = b[p];
        b[p] = b[k];
        b[k] = v;
    }
    for (int k = 0; k < n; k++) {
        const double *ck = a + (size_t)k * n, v = b[k];
        for (int i = k + 1; i < n; i++) b[i] -= ck[i] * v;
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *ck = a + (size_t)k * n, v = b[k] * ck[k];
        b[k] = v;
        for (int i = 0; i < k; i++) b[i] -= ck[i] * v;
    }
}

INLINE int factor_complex(const int n, double *restrict a, int *restrict pivot) {
    for (int k = 0; k < n; k++) {
        double *ck = a + (size_t)k * n * 2;
        int     p = k;
        double  best = fabs(ck[2 * k]) + fabs(ck[2 * k + 1]);
        for (int i = k + 1; i < n; i++) {
            const double v = fabs(ck[2 * i]) + fabs(ck[2 * i + 1]);
            if (v > best) best = v, p = i;
        }
        pivot[k] = p;
        if (!(best > 0.0) || best > 1e300) return k + 1;
        if (p != k)
            for (int j = 0; j < n; j++) {
                double *x = a + ((size_t)j * n + k) * 2, *y = a + ((size_t)j * n + p) * 2;
                const double re = x[0], im = x[1];
                x[0] = y[0], x[1] = y[1];
                y[0] = re, y[1] = im;
            }
        const double re = ck[2 * k], im = ck[2 * k + 1], d = 1.0 / (re * re + im * im);
        const double rr = re * d, ri = -im * d;
        ck[2 * k] = rr, ck[2 * k + 1] = ri;
        for (int i = k + 1; i < n; i++) {
            const double x = ck[2 * i], y = ck[2 * i + 1];
            ck[2 * i] = x * rr - y * ri;
            ck[2 * i + 1] = x * ri + y * rr;
        }
        for (int j = k + 1; j < n; j++) {
            double      *cj = a + (size_t)j * n * 2;
            const double ur = cj[2 * k], ui = cj[2 * k + 1];
            for (int i = k + 1; i < n; i++) {
                const double x = ck[2 * i], y = ck[2 * i + 1];
                cj[2 * i] -= x * ur - y * ui;
                cj[2 * i + 1] -= x * ui + y * ur;
            }
        }
    }
    return 0;
}

INLINE void solve_complex(const int n, const double *restrict a,
                          const int *restrict pivot, double *restrict b) {
    for (int k = 0; k < n; k++) {
        const int    p = pivot[k];
        const double re = b[2 * p], im = b[2 * p + 1];
        b[2 * p] = b[2 * k], b[2 * p + 1] = b[2 * k + 1];
        b[2 * k] = re, b[2 * k + 1] = im;
    }
    for (int k = 0; k < n; k++) {
        const double *ck = a + (size_t)k * n * 2, vr = b[2 * k], vi = b[2 * k + 1];
        for (int i = k + 1; i < n; i++) {
            b[2 * i] -= ck[2 * i] * vr - ck[2 * i + 1] * vi;
            b[2 * i + 1] -= ck[2 * i] * vi + ck[2 * i + 1] * vr;
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *ck = a + (size_t)k * n * 2;
        const double  vr = b[2 * k] * ck[2 * k] - b[2 * k + 1] * ck[2 * k + 1];
        const double  vi = b[2 * k] * ck[2 * k + 1] + b[2 * k + 1] * ck[2 * k];
        b[2 * k] = vr, b[2 * k + 1] = vi;
        for (int i = 0; i < k; i++) {
            b[2 * i] -= ck[2 * i] * vr - ck[2 * i + 1] * vi;
            b[2 * i + 1] -= ck[2 * i] * vi + ck[2 * i + 1] * vr;
        }
    }
}

/* One call per constant size, one for the variable size; its first argument is the size. */
#define BY_SIZE(call, ...)                                                               \
    switch (n) {                                                                         \
    case 1: call(1, __VA_ARGS__); break;                                                 \
    case 2: call(2, __VA_ARGS__); break;                                                 \
    case 3: call(3, __VA_ARGS__); break;                                                 \
    case 4: call(4, __VA_ARGS__); break;                                                 \
    case 5: call(5, __VA_ARGS__); break;                                                 \
    case 6: call(6, __VA_ARGS__); break;                                                 \
    case 7: call(7, __VA_ARGS__); break;                                                 \
    case 8: call(8, __VA_ARGS__); break;                                                 \
    default: call(n, __VA_ARGS__); break;                                                \
    }

#define DENSE(end, is_complex)                                                           \
    int dense_factor##end(int n, double *a, int *pivot) {                                \
        int bad = 0;                                                                     \
        if (by_library(n)) return library_factor(n, a, pivot, is_complex);               \
        BY_SIZE(bad = factor##end, a, pivot)                                             \
        return bad;                                                                      \
    }                                                                                    \
    void dense_solve##end(int n, const double *a, const int *pivot, double *b) {         \
        if (by_library(n)) library_solve(n, a, pivot, b, is_complex);                    \
        else BY_SIZE(solve##end, a, pivot, b)                                            \
    }
DENSE(, false)
DENSE(_complex, true)

double dense_quality(int n, const double *a, bool is_complex) {
    double low = HUGE_VAL, high = 0.0;
    for (int k = 0; k < n; k++) {
        const double *d = a + ((size_t)k * n + k) * (is_complex ? 2 : 1);
        const double  v = is_complex ? fabs(d[0]) + fabs(d[1]) : fabs(d[0]);
        low = fmin(low, v);
        high = fmax(high, v);
    }
    return high > 0.0 ? low / high : 0.0;
}

bool dense_doubtful(int n, const double *a) {
    for (int k = 1; k < n; k++) {
        const double *column = a + (size_t)k * (size_t)n;
        double        most = 0.0;
        for (int i = 0; i < k; i++)
            if (fabs(column[i]) > most) most = fabs(column[i]);
        if (fabs(column[k]) < 1e-13 * most) return true;
    }
    return false;
}

int dense_sign(int n, const double *a, const int *pivot) {
    int sign = 1, base = by_library(n) ? 1 : 0; /* LAPACK counts from 1 */
    for (int k = 0; k < n; k++) {
        if (pivot[k] - base != k) sign = -sign;
        if (a[(size_t)k * (size_t)n + (size_t)k] < 0) sign = -sign;
    }
    return sign;
}

static int least_room(int n) { /* for the factorisation alone */
    return 4 * n + 64;
}

size_t dense_least_room(int n) {
    const size_t m = (size_t)n;
    return m * m + m + (size_t)least_room(n);
}

/* By a complete orthogonal factorisation (LAPACK dgelsy, or plain.c). */
double dense_least_squares_in(int n, double *a, double *b, double threshold, double *work,
                              int *order) {
    const size_t m = (size_t)n;
    int          room = least_room(n);
    double      *copy = work + room, *right = copy + m * m, left = 0;
    memcpy(copy, a, m * m * sizeof *a);
    memcpy(right, b, m * sizeof *b);
    const bool fine = least_squares(n, a, b, threshold, work, room, order);
    for (int i = 0; i < n; i++) {
        double sum = -right[i];
        for (int j = 0; j < n; j++) sum += copy[(size_t)j * m + (size_t)i] * b[j];
        if (!(fabs(sum) <= left)) left = fabs(sum);
    }
    return fine ? left : INFINITY;
}

double dense_least_squares(int n, double *a, double *b, double threshold) {
    double *work = malloc(dense_least_room(n) * sizeof *work);
    int    *order = malloc(((size_t)n + 1) * sizeof *order);
    double  left = INFINITY;
    if (work && order) left = dense_least_squares_in(n, a, b, threshold, work, order);
    free(work);
    free(order);
    return left;
}
