/* SPDX-License-Identifier: Apache-2.0 */
/* stability.c -- the stability function and what it says.
 *
 * R(z) = 1 + z b^T (I - z A)^-1 1, with A + Gamma for Rosenbrock methods. A-stability is
 * checked on the imaginary axis (the poles of all our methods lie in the right half
 * plane) over seven decades, the angle of the sector on rays, L-stability by |R| at
 * 1e12. These are numerical statements, not proofs. */
#include <math.h>

#include "ode/ode.h"

void stability_value(const Method *m, double re, double im, double *out) {
    const int s = m->stages;
    double    a[2 * METHOD_STAGES * METHOD_STAGES], x[2 * METHOD_STAGES];
    int       pivot[METHOD_STAGES];
    for (int j = 0; j < s; j++)
        for (int i = 0; i < s; i++) {
            const double v = m->single[i * s + j];
            a[2 * (j * s + i)] = (i == j) - re * v;
            a[2 * (j * s + i) + 1] = -im * v;
        }
    for (int i = 0; i < s; i++) x[2 * i] = 1.0, x[2 * i + 1] = 0.0;
    out[0] = out[1] = HUGE_VAL;
    if (dense_factor_complex(s, a, pivot)) return;
    dense_solve_complex(s, a, pivot, x);
    double r = 0.0, i = 0.0;
    for (int k = 0; k < s; k++) r += m->b[k] * x[2 * k], i += m->b[k] * x[2 * k + 1];
    out[0] = 1.0 + re * r - im * i;
    out[1] = re * i + im * r;
}

static double size_at(const Method *m, double re, double im) {
    double r[2];
    stability_value(m, re, im, r);
    return hypot(r[0], r[1]);
}

/* |R| <= 1 along the ray at this angle (degrees) from the negative real axis. */
static bool stable_on_ray(const Method *m, double degrees) {
    const double angle = degrees * acos(-1.0) / 180.0, c = cos(angle), s = sin(angle);
    for (double e = -2.0; e <= 5.0; e += 0.02) {
        const double radius = pow(10.0, e);
        if (size_at(m, -radius * c, radius * s) > 1.0 + 1e-9) return false;
    }
    return true;
}

Stability stability_of(const Method *m) {
    Stability st = {0};
    if (m->kind == METHOD_EXPLICIT) {
        double x = 0.0;
        while (x < 1e4 && size_at(m, -(x + 0.005), 0.0) <= 1.0 + 1e-9) x += 0.005;
        st.interval = x;
        st.infinity = HUGE_VAL;
        return st;
    }
    st.infinity = size_at(m, -1e12, 0.0);
    st.a_stable = stable_on_ray(m, 90.0);
    st.l_stable = st.a_stable && st.infinity < 1e-3;
    if (st.a_stable) {
        st.angle = 90.0;
    } else {
        double low = 0.0, high = 90.0;
        while (high - low > 0.05) {
            const double mid = 0.5 * (low + high);
            if (stable_on_ray(m, mid)) low = mid;
            else high = mid;
        }
        st.angle = low;
    }
    return st;
}
