/* SPDX-License-Identifier: Apache-2.0 */
/* band.c -- band LU with partial pivoting.
 *
 * Column j of the matrix lies in column j of the storage, which has 2 kl + ku + 1 rows:
 * element (i, j) is at a[j * leading + kl + ku + i - j]. The first kl rows of the storage
 * take the fill-in that row exchanges create. Cost about 2 n kl (kl + ku) operations. For
 * the narrow bands of discretised one-dimensional models the plain loops below beat a
 * call of a general library, whose overhead per column exceeds the arithmetic.
 * Literature: Golub, Van Loan, Matrix Computations, section 4.3. */
#include <math.h>

#include "lin/lin.h"

int band_leading(int below, int above) {
    return 2 * below + above + 1;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

int band_factor(int n, int below, int above, double *a, int *pivot) {
    const int ld = band_leading(below, above), top = below + above;
    int       reach = 0; /* last column the exchanges so far have touched */
    for (int k = 0; k < n; k++) {
        double   *ck = a + (size_t)k * ld + top; /* ck[i - k] is (i, k) */
        const int rows = least(below, n - 1 - k);
        int       p = 0;
        double    best = fabs(ck[0]);
        for (int i = 1; i <= rows; i++)
            if (fabs(ck[i]) > best) best = fabs(ck[i]), p = i;
        pivot[k] = p;
        if (!(best > 0.0) || best > 1e300) return k + 1;
        if (reach < least(k + above + p, n - 1)) reach = least(k + above + p, n - 1);
        if (p != 0)
            for (int j = k; j <= reach; j++) {
                double      *cj = a + (size_t)j * ld + top - (j - k);
                const double v = cj[0];
                cj[0] = cj[p];
                cj[p] = v;
            }
        const double r = 1.0 / ck[0];
        ck[0] = r;
        for (int i = 1; i <= rows; i++) ck[i] *= r;
        for (int j = k + 1; j <= reach; j++) {
            double      *cj = a + (size_t)j * ld + top - (j - k);
            const double u = cj[0];
            if (u != 0.0)
                for (int i = 1; i <= rows; i++) cj[i] -= ck[i] * u;
        }
    }
    return 0;
}

void band_solve(int n, int below, int above, const double *a, const int *pivot,
                double *b) {
    const int ld = band_leading(below, above), top = below + above;
    for (int k = 0; k < n; k++) {
        const double *ck = a + (size_t)k * ld + top;
        const int     rows = least(below, n - 1 - k), p = k + pivot[k];
        const double  v = b[p];
        b[p] = b[k];
        b[k] = v;
        for (int i = 1; i <= rows; i++) b[k + i] -= ck[i] * v;
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *ck = a + (size_t)k * ld + top;
        const double  v = b[k] * ck[0];
        const int     up = least(top, k);
        b[k] = v;
        for (int i = 1; i <= up; i++) b[k - i] -= ck[-i] * v;
    }
}

int band_factor_complex(int n, int below, int above, double *a, int *pivot) {
    const int ld = 2 * band_leading(below, above), top = 2 * (below + above);
    int       reach = 0;
    for (int k = 0; k < n; k++) {
        double   *ck = a + (size_t)k * ld + top;
        const int rows = least(below, n - 1 - k);
        int       p = 0;
        double    best = fabs(ck[0]) + fabs(ck[1]);
        for (int i = 1; i <= rows; i++) {
            const double v = fabs(ck[2 * i]) + fabs(ck[2 * i + 1]);
            if (v > best) best = v, p = i;
        }
        pivot[k] = p;
        if (!(best > 0.0) || best > 1e300) return k + 1;
        if (reach < least(k + above + p, n - 1)) reach = least(k + above + p, n - 1);
        if (p != 0)
            for (int j = k; j <= reach; j++) {
                double *cj = a + (size_t)j * ld + top - 2 * (j - k), *cp = cj + 2 * p;
                const double re = cj[0], im = cj[1];
                cj[0] = cp[0], cj[1] = cp[1];
                cp[0] = re, cp[1] = im;
            }
        const double d = 1.0 / (ck[0] * ck[0] + ck[1] * ck[1]);
        const double rr = ck[0] * d, ri = -ck[1] * d;
        ck[0] = rr, ck[1] = ri;
        for (int i = 1; i <= rows; i++) {
            const double x = ck[2 * i], y = ck[2 * i + 1];
            ck[2 * i] = x * rr - y * ri;
            ck[2 * i + 1] = x * ri + y * rr;
        }
        for (int j = k + 1; j <= reach; j++) {
            double      *cj = a + (size_t)j * ld + top - 2 * (j - k);
            const double ur = cj[0], ui = cj[1];
            if (ur != 0.0 || ui != 0.0)
                for (int i = 1; i <= rows; i++) {
                    const double x = ck[2 * i], y = ck[2 * i + 1];
                    cj[2 * i] -= x * ur - y * ui;
                    cj[2 * i + 1] -= x * ui + y * ur;
                }
        }
    }
    return 0;
}

void band_solve_complex(int n, int below, int above, const double *a, const int *pivot,
                        double *b) {
    const int ld = 2 * band_leading(below, above), top = below + above;
    for (int k = 0; k < n; k++) {
        const double *ck = a + (size_t)k * ld + 2 * top;
        const int     rows = least(below, n - 1 - k), p = k + pivot[k];
        const double  vr = b[2 * p], vi = b[2 * p + 1];
        b[2 * p] = b[2 * k], b[2 * p + 1] = b[2 * k + 1];
        b[2 * k] = vr, b[2 * k + 1] = vi;
        for (int i = 1; i <= rows; i++) {
            b[2 * (k + i)] -= ck[2 * i] * vr - ck[2 * i + 1] * vi;
            b[2 * (k + i) + 1] -= ck[2 * i] * vi + ck[2 * i + 1] * vr;
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *ck = a + (size_t)k * ld + 2 * top;
        const double  vr = b[2 * k] * ck[0] - b[2 * k + 1] * ck[1];
        const double  vi = b[2 * k] * ck[1] + b[2 * k + 1] * ck[0];
        const int     up = least(top, k);
        b[2 * k] = vr, b[2 * k + 1] = vi;
        for (int i = 1; i <= up; i++) {
            b[2 * (k - i)] -= ck[-2 * i] * vr - ck[-2 * i + 1] * vi;
            b[2 * (k - i) + 1] -= ck[-2 * i] * vi + ck[-2 * i + 1] * vr;
        }
    }
}
