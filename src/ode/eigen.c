/* SPDX-License-Identifier: Apache-2.0 */
/* eigen.c -- the block-diagonal transformation of a fully implicit method.
 *
 * With A^-1 = T Lambda T^-1 and Lambda made of real numbers and 2 x 2 blocks
 * [[alpha, -beta], [beta, alpha]], the stage equations of size s n separate into one real
 * system per real eigenvalue and one complex system of size n per conjugate pair: 5 n^3
 * instead of 27 n^3 for three stages. Each eigenpair is
 * then polished by Newton's method on (A^-1 - lambda) v = 0, v_p = 1 in extended
 * precision, so that T does not limit the accuracy of the stages. Literature: Butcher
 * 1976; Bickart 1977; Hairer, Wanner II, IV.8. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "lin/lin.h"
#include "ode/ode.h"

typedef long double complex Wide;

enum { N = METHOD_CORE + 1 };

/* Solves m x = r, n unknowns, rows of length N; false if singular. */
static bool solve(int n, Wide m[N][N], Wide *r) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (cabsl(m[i][k]) > cabsl(m[p][k])) p = i;
        if (cabsl(m[p][k]) < 1e-18L) return false;
        for (int j = 0; j < n; j++) {
            const Wide v = m[k][j];
            m[k][j] = m[p][j];
            m[p][j] = v;
        }
        const Wide v = r[k];
        r[k] = r[p];
        r[p] = v;
        for (int i = k + 1; i < n; i++) {
            const Wide q = m[i][k] / m[k][k];
            for (int j = k; j < n; j++) m[i][j] -= q * m[k][j];
            r[i] -= q * r[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) r[k] -= m[k][j] * r[j];
        r[k] /= m[k][k];
    }
    return true;
}

/* inverse of the real n x n matrix a, both by rows. */
static bool invert(int n, const long double *a, long double *inverse) {
    for (int c = 0; c < n; c++) {
        Wide m[N][N], r[N];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) m[i][j] = a[i * n + j];
            r[i] = i == c;
        }
        if (!solve(n, m, r)) return false;
        for (int i = 0; i < n; i++) inverse[i * n + c] = creall(r[i]);
    }
    return true;
}

static bool polish(int n, const long double *a, Wide *lambda, Wide *v) {
    int p = 0;
    for (int i = 1; i < n; i++)
        if (cabsl(v[i]) > cabsl(v[p])) p = i;
    const Wide scale = v[p];
    for (int i = 0; i < n; i++) v[i] /= scale;
    for (int round = 0; round < 4; round++) {
        Wide m[N][N], r[N];
        for (int i = 0; i < n; i++) {
            r[i] = *lambda * v[i];
            for (int j = 0; j < n; j++) {
                m[i][j] = a[i * n + j] - (i == j ? *lambda : 0.0L);
                r[i] -= a[i * n + j] * v[j];
            }
            m[i][n] = -v[i];
            m[n][i] = i == p;
        }
        m[n][n] = 0.0L;
        r[n] = 0.0L;
        if (!solve(n + 1, m, r)) return false;
        for (int i = 0; i < n; i++) v[i] += r[i];
        *lambda += r[n];
    }
    return true;
}

/* A real eigenvalue gives one column of t, a pair alpha +- i beta two: Re v, -Im v. */
static void place(int n, Wide lambda, const Wide *v, int column, int values,
                  long double *t, double *out) {
    const bool pair = cimagl(lambda) != 0.0L;
    for (int i = 0; i < n; i++) {
        t[i * n + column] = creall(v[i]);
        if (pair) t[i * n + column + 1] = -cimagl(v[i]);
    }
    out[values] = (double)creall(lambda);
    if (pair) out[values + 1] = (double)cimagl(lambda);
}

bool block_diagonalise(int n, const long double *a, double *inverse, double *t,
                       double *t_inverse, double *lambda, int *reals, int *pairs) {
    long double wide[METHOD_CORE * METHOD_CORE],
        tw[METHOD_CORE * METHOD_CORE] = {0}, ti[METHOD_CORE * METHOD_CORE];
    double copy[METHOD_CORE * METHOD_CORE], vectors[METHOD_CORE * METHOD_CORE];
    double re[METHOD_CORE], im[METHOD_CORE], work[4 * METHOD_CORE];
    if (!invert(n, a, wide)) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            inverse[i * n + j] = (double)wide[i * n + j];
            copy[j * n + i] = inverse[i * n + j];
        }
    if (!dense_eigen(n, copy, re, im, vectors, work)) return false;
    *reals = *pairs = 0;
    for (int k = 0; k < n; k++)
        if (im[k] == 0.0) ++*reals;
        else if (im[k] > 0.0) ++*pairs;
    int real = 0, pair = 0;
    for (int k = 0; k < n; k++) {
        if (im[k] < 0.0) continue;
        Wide v[N], value = re[k] + im[k] * I;
        for (int i = 0; i < n; i++)
            v[i] = vectors[k * n + i] + (im[k] > 0 ? vectors[(k + 1) * n + i] * I : 0.0L);
        if (!polish(n, wide, &value, v)) return false;
        const int at = im[k] == 0.0 ? real++ : *reals + 2 * pair++;
        place(n, im[k] == 0.0 ? creall(value) : value, v, at, at, tw, lambda);
    }
    if (!invert(n, tw, ti)) return false;
    for (int i = 0; i < n * n; i++) {
        t[i] = (double)tw[i];
        t_inverse[i] = (double)ti[i];
    }
    return true;
}
