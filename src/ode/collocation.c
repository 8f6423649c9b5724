/* SPDX-License-Identifier: Apache-2.0 */
/* collocation.c -- the fully implicit families, made from their nodes.
 *
 * Nodes on [0, 1] are the shifted zeros of P_s (Gauss), P_s + P_{s-1} (Radau left),
 * P_s - P_{s-1} (Radau right) and (1 - x^2) P'_{s-1} (Lobatto), P_n being the Legendre
 * polynomial. Gauss, Radau IIA and Lobatto IIIA integrate the Lagrange polynomials up to
 * each node (simplifying assumption C(s)); Radau IA and Lobatto IIIB satisfy D(s);
 * Lobatto IIIC has a_i1 = b_1 and C(s - 1). Everything is computed in extended precision
 * at start-up, a few thousand operations for seven stages.
 * Literature: Hairer, Wanner II, IV.5. */
#include <math.h>

#include "ode/ode.h"

typedef long double Wide;

enum { N = METHOD_CORE };

/* P_n(x) and P_{n-1}(x). */
static void legendre(int n, Wide x, Wide *p, Wide *before) {
    Wide p0 = 0.0L, p1 = 1.0L;
    for (int k = 1; k <= n; k++) {
        const Wide p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
    }
    *p = p1;
    *before = p0;
}

/* P'_n(x) by the recurrence of derivatives. */
static Wide legendre_slope(int n, Wide x) {
    Wide p0 = 0.0L, p1 = 1.0L, d0 = 0.0L, d1 = 0.0L;
    for (int k = 1; k <= n; k++) {
        const Wide p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        const Wide d2 = ((2 * k - 1) * (p1 + x * d1) - (k - 1) * d0) / k;
        p0 = p1, p1 = p2;
        d0 = d1, d1 = d2;
    }
    return d1;
}

/* The polynomial whose zeros are wanted. */
static Wide target(NodeFamily family, int s, Wide x) {
    Wide p, before;
    legendre(s, x, &p, &before);
    switch (family) {
    case FAMILY_GAUSS: return p;
    case FAMILY_RADAU_IA: return p + before;
    case FAMILY_RADAU_IIA: return p - before;
    default: return (1.0L - x * x) * legendre_slope(s - 1, x);
    }
}

/* All s zeros in [-1, 1]: bisection between sign changes on a fine grid, then secants
 * would do; zeros are simple, so bisection to the last bit is short and safe. */
static void zeros(NodeFamily family, int s, Wide *x) {
    const Wide PI = acosl(-1.0L);
    const int  grid = 64;
    int        found = 0;
    const bool left = family == FAMILY_RADAU_IA || family >= FAMILY_LOBATTO_IIIA;
    const bool right = family == FAMILY_RADAU_IIA || family >= FAMILY_LOBATTO_IIIA;
    if (left) x[found++] = -1.0L;
    const int inner = s - (right ? 1 : 0);
    for (int g = 1; g <= grid && found < inner; g++) {
        Wide lo = -cosl(PI * (g - 0.5L) / (grid + 0.7L));
        Wide hi = -cosl(PI * (g + 0.5L) / (grid + 0.7L));
        Wide at = target(family, s, lo);
        if ((at < 0) == (target(family, s, hi) < 0)) continue;
        for (int k = 0; k < 80; k++) {
            const Wide mid = 0.5L * (lo + hi), value = target(family, s, mid);
            if ((value < 0) == (at < 0)) lo = mid;
            else hi = mid;
        }
        x[found++] = 0.5L * (lo + hi);
    }
    if (right) x[found++] = 1.0L;
}

/* Solves M X = R with n x n matrices by rows, R overwritten; partial pivoting. */
static void solve(int n, Wide *m, Wide *r) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(m[i * n + k]) > fabsl(m[p * n + k])) p = i;
        for (int j = 0; j < n; j++) {
            const Wide u = m[k * n + j], v = r[k * n + j];
            m[k * n + j] = m[p * n + j], m[p * n + j] = u;
            r[k * n + j] = r[p * n + j], r[p * n + j] = v;
        }
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const Wide q = m[i * n + k] / m[k * n + k];
            for (int j = 0; j < n; j++) {
                m[i * n + j] -= q * m[k * n + j];
                r[i * n + j] -= q * r[k * n + j];
            }
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) r[i * n + j] /= m[i * n + i];
}

/* Coefficients (ascending powers) of Lagrange polynomial j over n nodes. */
static void lagrange(int n, const Wide *node, int j, Wide *coefficient) {
    for (int k = 0; k < n; k++) coefficient[k] = 0.0L;
    coefficient[0] = 1.0L;
    for (int i = 0, degree = 0; i < n; i++) {
        if (i == j) continue;
        const Wide scale = 1.0L / (node[j] - node[i]);
        degree++;
        for (int k = degree; k >= 0; k--)
            coefficient[k] =
                scale * ((k ? coefficient[k - 1] : 0.0L) - node[i] * coefficient[k]);
    }
}

static Wide integral(int n, const Wide *coefficient, Wide theta) {
    Wide sum = 0.0L;
    for (int k = n - 1; k >= 0; k--) sum = sum * theta + coefficient[k] / (k + 1);
    return sum * theta;
}

int family_order(NodeFamily family, int s) {
    return family == FAMILY_GAUSS       ? 2 * s
           : family <= FAMILY_RADAU_IIA ? 2 * s - 1
                                        : 2 * s - 2;
}

void family_table(NodeFamily family, int s, long double *a, long double *b,
                  long double *c) {
    Wide x[N], coefficient[N], m[N * N];
    zeros(family, s, x);
    for (int i = 0; i < s; i++) c[i] = 0.5L * (1.0L + x[i]);
    for (int j = 0; j < s; j++) {
        lagrange(s, c, j, coefficient);
        b[j] = integral(s, coefficient, 1.0L);
        for (int i = 0; i < s; i++) a[i * s + j] = integral(s, coefficient, c[i]);
    }
    if (family == FAMILY_RADAU_IA || family == FAMILY_LOBATTO_IIIB) {
        for (int k = 0; k < s;
             k++) /* sum_i b_i c_i^k a_ij = b_j (1 - c_j^(k+1)) / (k+1) */
            for (int j = 0; j < s; j++) {
                m[k * s + j] = b[j] * powl(c[j], k);
                a[k * s + j] = b[j] * (1.0L - powl(c[j], k + 1)) / (k + 1);
            }
        solve(s, m, a);
    }
    if (family == FAMILY_LOBATTO_IIIC) {
        for (int j = 0; j < s; j++) /* unknowns: row i of A as column i of the solution */
            for (int k = 0; k < s; k++) {
                m[k * s + j] = k < s - 1 ? powl(c[j], k) : (j == 0 ? 1.0L : 0.0L);
                a[k * s + j] = k < s - 1 ? powl(c[j], k + 1) / (k + 1) : b[0];
            }
        solve(s, m, a);
        for (int i = 0; i < s; i++)
            for (int j = 0; j < i; j++) {
                const Wide v = a[i * s + j];
                a[i * s + j] = a[j * s + i];
                a[j * s + i] = v;
            }
    }
    if (family == FAMILY_LOBATTO_IIIA)
        for (int j = 0; j < s; j++) a[j] = 0.0L;
    if (family == FAMILY_LOBATTO_IIIB)
        for (int i = 0; i < s; i++) a[i * s + s - 1] = 0.0L;
}

void lagrange_integrals(int n, const double *node, double theta, double *value) {
    Wide wide[2 * N], coefficient[2 * N];
    for (int i = 0; i < n; i++) wide[i] = node[i];
    for (int j = 0; j < n; j++) {
        lagrange(n, wide, j, coefficient);
        value[j] = (double)integral(n, coefficient, theta);
    }
}

void lagrange_values(int n, const double *node, double theta, double *value) {
    for (int j = 0; j < n; j++) {
        double product = 1.0;
        for (int i = 0; i < n; i++)
            if (i != j) product *= (theta - node[i]) / (node[j] - node[i]);
        value[j] = product;
    }
}
