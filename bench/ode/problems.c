/* SPDX-License-Identifier: Apache-2.0 */
/* problems.c -- classical initial value problems with known end values.
 *
 * End values marked "published" are those of the Test Set for Initial Value Problem
 * Solvers (Mazzia, Magherini; Bari and Amsterdam), to the digits given there; "exact"
 * ones follow from a formula; the others are computed by two methods when the benchmark
 * runs. Definitions: Hairer, Norsett, Wanner I, II; Hairer, Wanner II; the test set's
 * report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/problems.h"

#define EVAL(name)                                                                       \
    static Status name(void *instance, double t, const double *x, const Selection *rows, \
                       double *dx, Fault *fault)
#define JACOBIAN(name)                                                                   \
    static Status name(void *instance, double t, const double *x,                        \
                       const Selection *columns, double *j, Fault *fault)
#define UNUSED   (void)instance, (void)t, (void)x, (void)rows, (void)fault
#define UNUSED_J (void)instance, (void)t, (void)x, (void)columns, (void)fault

/* ---- small ones, dense by columns: entry (row, column) at j[column * n + row] ------ */

EVAL(vdp_f) { /* instance: mu; x'' = mu (1 - x^2) x' - x */
    UNUSED;
    const double mu = *(const double *)instance;
    dx[0] = x[1];
    dx[1] = mu * (1.0 - x[0] * x[0]) * x[1] - x[0];
    return STATUS_OK;
}
JACOBIAN(vdp_j) {
    UNUSED_J;
    const double mu = *(const double *)instance;
    j[0] = 0.0, j[1] = -2.0 * mu * x[0] * x[1] - 1.0;
    j[2] = 1.0, j[3] = mu * (1.0 - x[0] * x[0]);
    return STATUS_OK;
}

EVAL(vdp_scaled_f) { /* time scaled by mu = 1e6 */
    UNUSED;
    dx[0] = x[1];
    dx[1] = ((1.0 - x[0] * x[0]) * x[1] - x[0]) * 1e12;
    return STATUS_OK;
}
JACOBIAN(vdp_scaled_j) {
    UNUSED_J;
    j[0] = 0.0, j[1] = (-2.0 * x[0] * x[1] - 1.0) * 1e12;
    j[2] = 1.0, j[3] = (1.0 - x[0] * x[0]) * 1e12;
    return STATUS_OK;
}

EVAL(robertson_f) {
    UNUSED;
    const double a = 0.04 * x[0], b = 1e4 * x[1] * x[2], c = 3e7 * x[1] * x[1];
    dx[0] = b - a;
    dx[1] = a - b - c;
    dx[2] = c;
    return STATUS_OK;
}
JACOBIAN(robertson_j) {
    UNUSED_J;
    j[0] = -0.04, j[1] = 0.04, j[2] = 0.0;
    j[3] = 1e4 * x[2], j[4] = -1e4 * x[2] - 6e7 * x[1], j[5] = 6e7 * x[1];
    j[6] = 1e4 * x[1], j[7] = -1e4 * x[1], j[8] = 0.0;
    return STATUS_OK;
}

EVAL(orego_f) {
    UNUSED;
    dx[0] = 77.27 * (x[1] + x[0] * (1.0 - 8.375e-6 * x[0] - x[1]));
    dx[1] = (x[2] - (1.0 + x[0]) * x[1]) / 77.27;
    dx[2] = 0.161 * (x[0] - x[2]);
    return STATUS_OK;
}
JACOBIAN(orego_j) {
    UNUSED_J;
    j[0] = 77.27 * (1.0 - 2.0 * 8.375e-6 * x[0] - x[1]), j[1] = -x[1] / 77.27,
    j[2] = 0.161;
    j[3] = 77.27 * (1.0 - x[0]), j[4] = -(1.0 + x[0]) / 77.27, j[5] = 0.0;
    j[6] = 0.0, j[7] = 1.0 / 77.27, j[8] = -0.161;
    return STATUS_OK;
}

/* At the customary end 1e13 the difference of two equal concentrations of 1e-22 decides;
 * in double precision that leaves three digits to any solver. Hence the end at 1e5. */
EVAL(e5_f) {
    UNUSED;
    const double a = 7.89e-10 * x[0], b = 1.1e7 * x[0] * x[2];
    const double c = 1.13e9 * x[1] * x[2], d = 1.13e3 * x[3];
    dx[0] = -a - b;
    dx[1] = a - c;
    dx[3] = b - d;
    dx[2] = dx[1] - dx[3];
    return STATUS_OK;
}
JACOBIAN(e5_j) {
    UNUSED_J;
    const double a = 7.89e-10, b = 1.1e7, c = 1.13e9, d = 1.13e3;
    j[0] = -a - b * x[2], j[1] = a, j[2] = a - b * x[2], j[3] = b * x[2];
    j[4] = 0.0, j[5] = -c * x[2], j[6] = -c * x[2], j[7] = 0.0;
    j[8] = -b * x[0], j[9] = -c * x[1], j[10] = -b * x[0] - c * x[1], j[11] = b * x[0];
    j[12] = 0.0, j[13] = 0.0, j[14] = d, j[15] = -d;
    return STATUS_OK;
}

EVAL(hires_f) {
    UNUSED;
    const double r = 280.0 * x[5] * x[7];
    dx[0] = -1.71 * x[0] + 0.43 * x[1] + 8.32 * x[2] + 0.0007;
    dx[1] = 1.71 * x[0] - 8.75 * x[1];
    dx[2] = -10.03 * x[2] + 0.43 * x[3] + 0.035 * x[4];
    dx[3] = 8.32 * x[1] + 1.71 * x[2] - 1.12 * x[3];
    dx[4] = -1.745 * x[4] + 0.43 * (x[5] + x[6]);
    dx[5] = -r + 0.69 * x[3] + 1.71 * x[4] - 0.43 * x[5] + 0.69 * x[6];
    dx[6] = r - 1.81 * x[6];
    dx[7] = -dx[6];
    return STATUS_OK;
}
JACOBIAN(hires_j) {
    UNUSED_J;
    memset(j, 0, 64 * sizeof(double));
    const double p = 280.0 * x[7], q = 280.0 * x[5];
    j[0] = -1.71, j[1] = 1.71;
    j[8] = 0.43, j[9] = -8.75, j[11] = 8.32;
    j[16] = 8.32, j[18] = -10.03, j[19] = 1.71;
    j[26] = 0.43, j[27] = -1.12, j[29] = 0.69;
    j[34] = 0.035, j[36] = -1.745, j[37] = 1.71;
    j[44] = 0.43, j[45] = -p - 0.43, j[46] = p, j[47] = -p;
    j[52] = 0.43, j[53] = 0.69, j[54] = -1.81, j[55] = 1.81;
    j[61] = -q, j[62] = q, j[63] = -q;
    return STATUS_OK;
}

/* Reactions with one or two reactants, and what they consume and make. */
typedef struct Reaction {
    double k;
    int    a, b;   /* reactants, b = -1 if one        */
    int    out[4]; /* 1 + species, negative: consumed */
} Reaction;

static const Reaction pollution[25] = {
    {.35, 0, -1, {-1, 2, 3}},          {.266e2, 1, 3, {1, -2, -4}},
    {.123e5, 4, 1, {1, -2, -5, 6}},    {.86e-3, 6, -1, {5, 5, -7, 8}},
    {.82e-3, 6, -1, {-7, 8}},          {.15e5, 6, 5, {5, -6, -7, 8}},
    {.13e-3, 8, -1, {5, 8, -9, 10}},   {.24e5, 8, 5, {-6, -9, 11}},
    {.165e5, 10, 1, {1, -2, 10, -11}}, {.9e4, 10, 0, {-1, -11, 13}},
    {.22e-1, 12, -1, {1, 11, -13}},    {.12e5, 9, 1, {1, -2, -10, 14}},
    {.188e1, 13, -1, {5, 7, -14}},     {.163e5, 0, 5, {-1, -6, 15}},
    {.48e7, 2, -1, {-3, 4}},           {.35e-3, 3, -1, {-4, 16}},
    {.175e-1, 3, -1, {3, -4}},         {.1e9, 15, -1, {6, 6, -16}},
    {.444e12, 15, -1, {3, -16}},       {.124e4, 16, 5, {5, -6, -17, 18}},
    {.21e1, 18, -1, {2, -19}},         {.578e1, 18, -1, {1, 3, -19}},
    {.474e-1, 0, 3, {-1, -4, 19}},     {.178e4, 18, 0, {-1, -19, 20}},
    {.312e1, 19, -1, {1, 19, -20}},
};

EVAL(pollution_f) {
    UNUSED;
    memset(dx, 0, 20 * sizeof(double));
    for (int r = 0; r < 25; r++) {
        const Reaction *p = &pollution[r];
        const double    v = p->k * x[p->a] * (p->b < 0 ? 1.0 : x[p->b]);
        for (int i = 0; i < 4 && p->out[i]; i++)
            dx[abs(p->out[i]) - 1] += p->out[i] > 0 ? v : -v;
    }
    dx[11] += .165e5 * x[10] * x[1]; /* the ninth makes a fifth species */
    return STATUS_OK;
}
JACOBIAN(pollution_j) {
    UNUSED_J;
    memset(j, 0, 400 * sizeof(double));
    for (int r = 0; r < 25; r++) {
        const Reaction *p = &pollution[r];
        const double    va = p->k * (p->b < 0 ? 1.0 : x[p->b]), vb = p->k * x[p->a];
        for (int i = 0; i < 4 && p->out[i]; i++) {
            const int    row = abs(p->out[i]) - 1;
            const double sign = p->out[i] > 0 ? 1.0 : -1.0;
            j[p->a * 20 + row] += sign * va;
            if (p->b >= 0) j[p->b * 20 + row] += sign * vb;
        }
    }
    j[10 * 20 + 11] += .165e5 * x[1];
    j[1 * 20 + 11] += .165e5 * x[10];
    return STATUS_OK;
}

enum { RING = 15 };
static const double ring_c = 1.6e-8, ring_cs = 2e-12, ring_cp = 1e-8, ring_r = 25e3,
                    ring_rp = 50.0, ring_lh = 4.45, ring_ls1 = 2e-3, ring_ls2 = 5e-4,
                    ring_rg1 = 36.3, ring_rg2 = 17.3, ring_ri = 50.0, ring_rc = 600.0,
                    ring_gamma = 40.67286402e-9, ring_delta = 17.7493332;

EVAL(ring_f) {
    UNUSED;
    const double pi = 3.141592653589793238462643383;
    const double in1 = 0.5 * sin(2e3 * pi * t), in2 = 2.0 * sin(2e4 * pi * t);
    const double u[4] = {x[2] - x[4] - x[6] - in2, -x[3] + x[5] - x[6] - in2,
                         x[3] + x[4] + x[6] + in2, -x[2] - x[5] + x[6] + in2};
    double       q[4];
    for (int i = 0; i < 4; i++) {
        if (ring_delta * u[i] > 300.0) return STATUS_RETRY;
        q[i] = ring_gamma * (exp(ring_delta * u[i]) - 1.0);
    }
    dx[0] = (x[7] - 0.5 * x[9] + 0.5 * x[10] + x[13] - x[0] / ring_r) / ring_c;
    dx[1] = (x[8] - 0.5 * x[11] + 0.5 * x[12] + x[14] - x[1] / ring_r) / ring_c;
    dx[2] = (x[9] - q[0] + q[3]) / ring_cs;
    dx[3] = (-x[10] + q[1] - q[2]) / ring_cs;
    dx[4] = (x[11] + q[0] - q[2]) / ring_cs;
    dx[5] = (-x[12] - q[1] + q[3]) / ring_cs;
    dx[6] = (-x[6] / ring_rp + q[0] + q[1] - q[2] - q[3]) / ring_cp;
    dx[7] = -x[0] / ring_lh;
    dx[8] = -x[1] / ring_lh;
    dx[9] = (0.5 * x[0] - x[2] - ring_rg2 * x[9]) / ring_ls2;
    dx[10] = (-0.5 * x[0] + x[3] - ring_rg2 * x[10]) / ring_ls2;
    dx[11] = (0.5 * x[1] - x[4] - ring_rg2 * x[11]) / ring_ls2;
    dx[12] = (-0.5 * x[1] + x[5] - ring_rg2 * x[12]) / ring_ls2;
    dx[13] = (-x[0] + in1 - (ring_ri + ring_rg1) * x[13]) / ring_ls1;
    dx[14] = (-x[1] - (ring_rc + ring_rg1) * x[14]) / ring_ls1;
    return STATUS_OK;
}
JACOBIAN(ring_j) {
    UNUSED_J;
    static const int column[4][3] = {{2, 4, 6}, {3, 5, 6}, {3, 4, 6}, {2, 5, 6}};
    static const int sign[4][3] = {{1, -1, -1}, {-1, 1, -1}, {1, 1, 1}, {-1, -1, 1}};
    static const int row[4][3] = {{2, 4, 6}, {3, 5, 6}, {3, 4, 6}, {2, 5, 6}};
    static const int effect[4][3] = {{-1, 1, 1}, {1, -1, 1}, {-1, -1, -1}, {1, 1, -1}};
    const double     pi = 3.141592653589793238462643383, in2 = 2.0 * sin(2e4 * pi * t);
    const double     u[4] = {x[2] - x[4] - x[6] - in2, -x[3] + x[5] - x[6] - in2,
                             x[3] + x[4] + x[6] + in2, -x[2] - x[5] + x[6] + in2};
    memset(j, 0, RING * RING * sizeof(double));
#define J(r, c) j[(c)*RING + (r)]
    for (int i = 0; i < 4; i++) {
        if (ring_delta * u[i] > 300.0) return STATUS_RETRY;
        const double d = ring_gamma * ring_delta * exp(ring_delta * u[i]);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                J(row[i][r], column[i][c]) +=
                    effect[i][r] * sign[i][c] * d / (r == 2 ? ring_cp : ring_cs);
    }
    J(0, 7) = 1 / ring_c, J(0, 9) = -0.5 / ring_c, J(0, 10) = 0.5 / ring_c;
    J(0, 13) = 1 / ring_c, J(0, 0) = -1 / ring_r / ring_c;
    J(1, 8) = 1 / ring_c, J(1, 11) = -0.5 / ring_c, J(1, 12) = 0.5 / ring_c;
    J(1, 14) = 1 / ring_c, J(1, 1) = -1 / ring_r / ring_c;
    J(2, 9) += 1 / ring_cs, J(3, 10) -= 1 / ring_cs;
    J(4, 11) += 1 / ring_cs, J(5, 12) -= 1 / ring_cs;
    J(6, 6) -= 1 / ring_rp / ring_cp;
    J(7, 0) = -1 / ring_lh, J(8, 1) = -1 / ring_lh;
    J(9, 0) = 0.5 / ring_ls2, J(9, 2) = -1 / ring_ls2, J(9, 9) = -ring_rg2 / ring_ls2;
    J(10, 0) = -0.5 / ring_ls2, J(10, 3) = 1 / ring_ls2, J(10, 10) = -ring_rg2 / ring_ls2;
    J(11, 1) = 0.5 / ring_ls2, J(11, 4) = -1 / ring_ls2, J(11, 11) = -ring_rg2 / ring_ls2;
    J(12, 1) = -0.5 / ring_ls2, J(12, 5) = 1 / ring_ls2, J(12, 12) = -ring_rg2 / ring_ls2;
    J(13, 0) = -1 / ring_ls1, J(13, 13) = -(ring_ri + ring_rg1) / ring_ls1;
    J(14, 1) = -1 / ring_ls1, J(14, 14) = -(ring_rc + ring_rg1) / ring_ls1;
#undef J
    return STATUS_OK;
}

EVAL(pleiades_f) {
    UNUSED;
    for (int i = 0; i < 7; i++) {
        double ax = 0.0, ay = 0.0;
        for (int k = 0; k < 7; k++) {
            if (k == i) continue;
            const double px = x[k] - x[i], py = x[k + 7] - x[i + 7];
            const double r = px * px + py * py, c = (k + 1) / (r * sqrt(r));
            ax += c * px;
            ay += c * py;
        }
        dx[i] = x[i + 14];
        dx[i + 7] = x[i + 21];
        dx[i + 14] = ax;
        dx[i + 21] = ay;
    }
    return STATUS_OK;
}

EVAL(beam_f) { /* 40 angles, 40 velocities; two tridiagonal sweeps instead of inverses */
    UNUSED;
    enum { N = 40 };
    const double *v = x + N, pi = 3.141592653589793238;
    const double  n2 = N * N, n4 = n2 * n2, push = t > pi ? 0.0 : 1.5 * sin(t) * sin(t);
    double        s[N], c[N], g[N], w[N], alpha[N], beta[N];
    for (int i = 1; i < N; i++) s[i] = sin(x[i] - x[i - 1]), c[i] = cos(x[i] - x[i - 1]);
    for (int i = 0; i < N; i++) {
        const double bend = i == 0       ? -3.0 * x[0] + x[1]
                            : i == N - 1 ? x[N - 2] - x[N - 1]
                                         : x[i - 1] - 2.0 * x[i] + x[i + 1];
        g[i] = n4 * bend;
        if (t <= pi) g[i] += n2 * push * (cos(x[i]) + sin(x[i]));
    }
    for (int i = 0; i < N; i++) {
        w[i] = v[i] * v[i];
        if (i > 0) w[i] -= s[i] * g[i - 1];
        if (i < N - 1) w[i] += s[i + 1] * g[i + 1];
        alpha[i] = i == 0 ? 1.0 : i == N - 1 ? 3.0 : 2.0;
        if (i > 0) beta[i - 1] = -c[i];
    }
    for (int i = N - 2; i >= 0; i--) {
        const double q = beta[i] / alpha[i + 1];
        w[i] -= w[i + 1] * q;
        alpha[i] -= beta[i] * q;
    }
    w[0] /= alpha[0];
    for (int i = 1; i < N; i++) w[i] = (w[i] - beta[i - 1] * w[i - 1]) / alpha[i];
    for (int i = 0; i < N; i++) {
        double u = (i == 0 ? 1.0 : i == N - 1 ? 3.0 : 2.0) * g[i];
        if (i > 0) u -= c[i] * g[i - 1] + s[i] * w[i - 1];
        if (i < N - 1) u += -c[i + 1] * g[i + 1] + s[i + 1] * w[i + 1];
        dx[i] = v[i];
        dx[N + i] = u;
    }
    return STATUS_OK;
}

EVAL(prothero_f) {
    UNUSED;
    dx[0] = -1e6 * (x[0] - sin(t + 0.25)) + cos(t + 0.25);
    return STATUS_OK;
}
JACOBIAN(prothero_j) {
    UNUSED_J;
    j[0] = -1e6;
    return STATUS_OK;
}
EVAL(linear_f) {
    UNUSED;
    dx[0] = -x[0] + sin(t);
    return STATUS_OK;
}
JACOBIAN(linear_j) {
    UNUSED_J;
    j[0] = -1.0;
    return STATUS_OK;
}

/* ---- discretised ones: entries go to a pattern of fixed structure ------------------ */

typedef struct Grid { /* instance of the partial differential equations */
    int      n;       /* points (per side)                              */
    Pattern *pattern;
} Grid;

/* Adds v to entry (r, c); rows of a column are few. */
static void put(const Pattern *p, double *value, int r, int c, double v) {
    for (int e = p->start[c]; e < p->start[c + 1]; e++)
        if (p->row[e] == r) {
            value[e] += v;
            return;
        }
}

EVAL(medakzo_f) {
    UNUSED;
    const int    n = 200;
    const double c = 4.0, k = 100.0, d = 1.0 / n, phi = t <= 5.0 ? 2.0 : 0.0;
    for (int i = 0; i < n; i++) {
        const double z = (i + 1) * d - 1.0, alpha = 2.0 * z * z * z / (c * c),
                     beta = z * z * z * z / (c * c), u = x[2 * i], v = x[2 * i + 1];
        const double left = i > 0 ? x[2 * i - 2] : phi,
                     right = i < n - 1 ? x[2 * i + 2] : u;
        dx[2 * i] = alpha * (right - left) / (2.0 * d) +
                    beta * (left - 2.0 * u + right) / (d * d) - k * u * v;
        dx[2 * i + 1] = -k * u * v;
    }
    return STATUS_OK;
}
JACOBIAN(medakzo_j) {
    UNUSED_J;
    const Grid    *g = instance;
    const Pattern *p = g->pattern;
    const int      n = 200;
    const double   c = 4.0, k = 100.0, d = 1.0 / n;
    memset(j, 0, sizeof(double) * (size_t)pattern_entries(p));
    for (int i = 0; i < n; i++) {
        const double z = (i + 1) * d - 1.0, alpha = 2.0 * z * z * z / (c * c) / (2.0 * d),
                     beta = z * z * z * z / (c * c) / (d * d), u = x[2 * i],
                     v = x[2 * i + 1];
        put(p, j, 2 * i, 2 * i, -2.0 * beta - k * v + (i == n - 1 ? alpha + beta : 0.0));
        put(p, j, 2 * i, 2 * i + 1, -k * u);
        if (i > 0) put(p, j, 2 * i, 2 * i - 2, beta - alpha);
        if (i < n - 1) put(p, j, 2 * i, 2 * i + 2, beta + alpha);
        put(p, j, 2 * i + 1, 2 * i, -k * v);
        put(p, j, 2 * i + 1, 2 * i + 1, -k * u);
    }
    return STATUS_OK;
}

EVAL(bruss1_f) { /* u_t = 1 + u^2 v - 4 u + u_xx / 50, v_t = 3 u - u^2 v + v_xx / 50 */
    UNUSED;
    const int    n = ((const Grid *)instance)->n;
    const double d = (n + 1.0) * (n + 1.0) / 50.0;
    for (int i = 0; i < n; i++) {
        const double u = x[2 * i], v = x[2 * i + 1];
        const double ul = i > 0 ? x[2 * i - 2] : 1.0, ur = i < n - 1 ? x[2 * i + 2] : 1.0;
        const double vl = i > 0 ? x[2 * i - 1] : 3.0, vr = i < n - 1 ? x[2 * i + 3] : 3.0;
        dx[2 * i] = 1.0 + u * u * v - 4.0 * u + d * (ul - 2.0 * u + ur);
        dx[2 * i + 1] = 3.0 * u - u * u * v + d * (vl - 2.0 * v + vr);
    }
    return STATUS_OK;
}
JACOBIAN(bruss1_j) {
    UNUSED_J;
    const Grid    *g = instance;
    const Pattern *p = g->pattern;
    const double   d = (g->n + 1.0) * (g->n + 1.0) / 50.0;
    memset(j, 0, sizeof(double) * (size_t)pattern_entries(p));
    for (int i = 0; i < g->n; i++) {
        const double u = x[2 * i], v = x[2 * i + 1];
        put(p, j, 2 * i, 2 * i, 2.0 * u * v - 4.0 - 2.0 * d);
        put(p, j, 2 * i, 2 * i + 1, u * u);
        put(p, j, 2 * i + 1, 2 * i, 3.0 - 2.0 * u * v);
        put(p, j, 2 * i + 1, 2 * i + 1, -u * u - 2.0 * d);
        for (int f = 0; f < 2; f++) {
            if (i > 0) put(p, j, 2 * i + f, 2 * i - 2 + f, d);
            if (i < g->n - 1) put(p, j, 2 * i + f, 2 * i + 2 + f, d);
        }
    }
    return STATUS_OK;
}

/* The same reaction with 4.4 and 3.4 on a square with insulated sides, diffusion 0.02. */
static int beside(int i, int n, int step) {
    const int k = i + step;
    return k < 0 ? 1 : k >= n ? n - 2 : k;
}
EVAL(bruss2_f) {
    UNUSED;
    const int    n = ((const Grid *)instance)->n;
    const double d = 0.02 * (n - 1.0) * (n - 1.0);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            const int    i = a * n + b;
            const int    l = a * n + beside(b, n, -1), r = a * n + beside(b, n, 1);
            const int    o = beside(a, n, -1) * n + b, q = beside(a, n, 1) * n + b;
            const double u = x[2 * i], v = x[2 * i + 1];
            dx[2 * i] = 1.0 + u * u * v - 4.4 * u +
                        d * (x[2 * l] + x[2 * r] + x[2 * o] + x[2 * q] - 4.0 * u);
            dx[2 * i + 1] =
                3.4 * u - u * u * v +
                d * (x[2 * l + 1] + x[2 * r + 1] + x[2 * o + 1] + x[2 * q + 1] - 4.0 * v);
        }
    return STATUS_OK;
}
JACOBIAN(bruss2_j) {
    UNUSED_J;
    const Grid    *g = instance;
    const Pattern *p = g->pattern;
    const int      n = g->n;
    const double   d = 0.02 * (n - 1.0) * (n - 1.0);
    memset(j, 0, sizeof(double) * (size_t)pattern_entries(p));
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            const int    i = a * n + b;
            const int    near[4] = {a * n + beside(b, n, -1), a * n + beside(b, n, 1),
                                    beside(a, n, -1) * n + b, beside(a, n, 1) * n + b};
            const double u = x[2 * i], v = x[2 * i + 1];
            put(p, j, 2 * i, 2 * i, 2.0 * u * v - 4.4 - 4.0 * d);
            put(p, j, 2 * i, 2 * i + 1, u * u);
            put(p, j, 2 * i + 1, 2 * i, 3.4 - 2.0 * u * v);
            put(p, j, 2 * i + 1, 2 * i + 1, -u * u - 4.0 * d);
            for (int k = 0; k < 4; k++)
                for (int f = 0; f < 2; f++) put(p, j, 2 * i + f, 2 * near[k] + f, d);
        }
    return STATUS_OK;
}

/* Pattern of entries where test(i, k) holds, by asking for all pairs near each other. */
static Pattern *make_pattern(int n, int reach, bool (*test)(int i, int k, int side),
                             int side) {
    Pattern *p = malloc(sizeof *p);
    int     *start = malloc(sizeof(int) * (size_t)(n + 1));
    int     *row = malloc(sizeof(int) * (size_t)n * 16);
    int      q = 0;
    if (!p || !start || !row) {
        free(p), free(start), free(row);
        return NULL;
    }
    for (int k = 0; k < n; k++) {
        start[k] = q;
        for (int i = k > reach ? k - reach : 0; i < n && i <= k + reach; i++)
            if (test(i, k, side)) row[q++] = i;
    }
    start[n] = q;
    *p = (Pattern){n, n, start, row};
    return p;
}
static bool chain(int i, int k, int side) {
    (void)side;
    return i / 2 == k / 2 || (i - k == 2 || k - i == 2);
}
static bool akzo_chain(int i, int k, int side) {
    (void)side;
    return i / 2 == k / 2 || ((i - k == 2 || k - i == 2) && i % 2 == 0);
}
static bool square(int i, int k, int side) {
    const int a = i / 2 / side, b = i / 2 % side, c = k / 2 / side, d = k / 2 % side;
    if (a == c && b == d) return true;
    return i % 2 == k % 2 && abs(a - c) + abs(b - d) == 1;
}
static bool pull(int i, int k, int side) { /* seven stars */
    (void)side;
    return i < 14 ? k == i + 14 : k < 14;
}
/* ---- end values -------------------------------------------------------------------- */

/* clang-format off */
static const double pleiades_end[] = {
    0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.659709145577531,
    0.3425581707156584, 1.562172101400631, -0.7003092922212495, -3.943437585517392,
    -3.27138097397255, 5.225081843456543, -2.59061243497747, 1.198213693392275,
    -0.2429682344935824, 1.09144924042898, 3.417003806314313, 1.354584501625501,
    -2.590065597810775, 2.025053734714242, -1.155815100160448, -0.8072988170223021,
    0.595239635420871, -3.74124496123401, 0.377345968575063, 0.9386858869551074,
    0.3667922227200571, -0.347404635380849, 2.344915448180937, -1.947020434263292};
static const double pollution_end[] = {
    0.05646255480022769, 0.1342484130422339, 4.139734331099427e-09,
    0.005523140207484359, 2.018977262302196e-07, 1.464541863493966e-07,
    0.07784249118997964, 0.3245075353396018, 0.007494013383880406,
    1.622293157301561e-08, 1.135863833257075e-08, 0.002230505975721359,
    0.000208716288279863, 1.396921016840158e-05, 0.008964884856898295,
    4.352846369330103e-18, 0.006899219696263405, 0.0001007803037365946,
    1.772146513969984e-06, 5.682943292316392e-05};
static const double ring_end[] = {
    -0.02339057358486745, -0.007367485485540825, 0.2582956709291169, -0.406446572128345,
    -0.4039455665149794, 0.2607966765422943, 0.1106761861269975, 2.939904342435596e-07,
    -2.840029933642329e-08, 0.0007267198267264553, 0.000792948719696084,
    -0.0007255283495698965, -0.0007941401968526521, 7.088495416976114e-05,
    2.39005907523657e-05};
static const double beam_end[] = {
    -0.005792366591285007, -0.01695298550721735, -0.02769103312973094,
    -0.03800815655879158, -0.04790616859743763, -0.05738710435274594,
    -0.06645327313454617, -0.07510730581979037, -0.08335219765414992,
    -0.09119134654647947, -0.0986285870013209, -0.1056682200378002, -0.1123150395409595,
    -0.1185743552727245, -0.1244520128755561, -0.1299544113264161, -0.1350885180610398,
    -0.1398618819194422, -0.1442826441015242, -0.1483595472463012, -0.1521019429001447,
    -0.1555197978061129, -0.1586236993420229, -0.1614248603702127, -0.1639351238193223,
    -0.1661669673440852, -0.1681335081778558, -0.1698485080602243, -0.1713263782440888,
    -0.1725821847462537, -0.1736316537975654, -0.1744911773840049, -0.1751778187863392,
    -0.1757093178712902, -0.1761040960228576, -0.1763812607175549, -0.1765606097564671,
    -0.1766626352260565, -0.176708527080746, -0.1767201761075488, 0.03747362681329794,
    0.1099117880217593, 0.1798360474312799, 0.2472427305442391, 0.3121293820596567,
    0.37449473770195, 0.4343386073492798, 0.4916620354601748, 0.5464677854586807,
    0.598760970262427, 0.648549361111074, 0.6958435169132503, 0.7406572668520808,
    0.7830081747813241, 0.8229176659201515, 0.860411030519056, 0.8955175502377805,
    0.9282708263127953, 0.9587089334522034, 0.9868747821728363, 1.012816579961883,
    1.036587736679858, 1.058246826481355, 1.077857811433353, 1.095490222005369,
    1.111219164294898, 1.125125269286501, 1.137294526609229, 1.147818025153607,
    1.156792132004482, 1.164318845130183, 1.170505992596124, 1.17546742429955,
    1.179323003228859, 1.182198586299667, 1.184226111223146, 1.185543909805575,
    1.186297084203716, 1.186637618908127, 1.186724615113034};
/* clang-format on */

static const double vdp_end[] = {1.706167732170469, -8.928097010248125e-4};
static const double robertson_end[] = {0.2083340149701255e-7, 0.8333360770334713e-13,
                                       0.9999999791665050};
static const double orego_end[] = {1.000814870318523, 1228.178521549917,
                                   132.0554942846706};
static const double hires_end[] = {0.7371312573325668e-3, 0.1442485726316185e-3,
                                   0.5888729740967575e-4, 0.1175651343283149e-2,
                                   0.2386356198831331e-2, 0.6238968252742796e-2,
                                   0.2849998395185769e-2, 0.2850001604814231e-2};

static const double zeros[80];
static const double vdp_start[] = {2.0, 0.0};
static const double robertson_start[] = {1.0, 0.0, 0.0};
static const double orego_start[] = {1.0, 2.0, 3.0};
static const double e5_start[] = {1.76e-3, 0.0, 0.0, 0.0};
static const double hires_start[] = {1.0, 0, 0, 0, 0, 0, 0, 0.0057};
static const double pollution_start[] = {0, 0.2, 0, 0.04, 0, 0, 0.1,   0.3, 0.01, 0,
                                         0, 0,   0, 0,    0, 0, 0.007, 0,   0,    0};
static const double pleiades_start[] = {3,    3, -1, -3, 2,     -2, 2, 3, -3, 2,
                                        0,    0, -4, 4,  0,     0,  0, 0, 0,  1.75,
                                        -1.5, 0, 0,  0,  -1.25, 1,  0, 0};

static const double mu1 = 1.0, mu3 = 1e3;

static Model model(int n, const ModelFunctions *fn, unsigned flags, const void *instance,
                   const Pattern *pattern) {
    return (Model){.nx = n,
                   .flags = flags,
                   .fn = fn,
                   .instance = (void *)instance,
                   .pattern = pattern};
}

enum { COUNT = 16 };

static Grid *make_grid(int n, Pattern *pattern) {
    Grid *g = malloc(sizeof *g);
    if (g) *g = (Grid){n, pattern};
    return g;
}

Problem *problems_new(int *count) {
    static const ModelFunctions vdp = {.eval = vdp_f, .jacobian = vdp_j},
                                scaled = {.eval = vdp_scaled_f, .jacobian = vdp_scaled_j},
                                robertson = {.eval = robertson_f,
                                             .jacobian = robertson_j},
                                orego = {.eval = orego_f, .jacobian = orego_j},
                                e5 = {.eval = e5_f, .jacobian = e5_j},
                                hires = {.eval = hires_f, .jacobian = hires_j},
                                pollu = {.eval = pollution_f, .jacobian = pollution_j},
                                ring = {.eval = ring_f, .jacobian = ring_j},
                                pleiades = {.eval = pleiades_f}, beam = {.eval = beam_f},
                                prothero = {.eval = prothero_f, .jacobian = prothero_j},
                                linear = {.eval = linear_f, .jacobian = linear_j},
                                akzo = {.eval = medakzo_f, .jacobian = medakzo_j},
                                bruss1 = {.eval = bruss1_f, .jacobian = bruss1_j},
                                bruss2 = {.eval = bruss2_f, .jacobian = bruss2_j};
    enum { B1 = 500, B2 = 24 };
    Problem *all = calloc(COUNT, sizeof *all);
    Pattern *pa = make_pattern(400, 2, akzo_chain, 0),
            *p1 = make_pattern(2 * B1, 2, chain, 0),
            *p2 = make_pattern(2 * B2 * B2, 2 * B2, square, B2),
            *pp = make_pattern(28, 28, pull, 0);
    Pattern *pb = pattern_full(80);
    Grid    *ga = make_grid(200, pa), *g1 = make_grid(B1, p1), *g2 = make_grid(B2, p2);
    double  *s1 = calloc(2 * B1, sizeof(double)),
           *s2 = calloc(2 * B2 * B2, sizeof(double)), *sa = calloc(400, sizeof(double)),
           *ends = calloc(2, sizeof(double));
    if (!all || !pa || !p1 || !p2 || !pp || !pb || !ga || !g1 || !g2 || !s1 || !s2 ||
        !sa || !ends)
        return NULL;
    const double pi = acos(-1.0);
    for (int i = 0; i < B1; i++) {
        s1[2 * i] = 1.0 + sin(2.0 * pi * (i + 1) / (B1 + 1));
        s1[2 * i + 1] = 3.0;
    }
    for (int i = 0; i < B2 * B2; i++) {
        const double a = (double)(i / B2) / (B2 - 1), b = (double)(i % B2) / (B2 - 1);
        s2[2 * i] = 22.0 * a * pow(1.0 - a, 1.5);
        s2[2 * i + 1] = 27.0 * b * pow(1.0 - b, 1.5);
    }
    for (int i = 0; i < 200; i++) sa[2 * i + 1] = 1.0;
    ends[0] = sin(10.25);
    ends[1] = 1.5 * exp(-10.0) + 0.5 * (sin(10.0) - cos(10.0));
    static const double one_start[] = {1.0};
    static const double prothero_start[] = {0.24740395925452294};
    const unsigned      autonomous = MODEL_AUTONOMOUS;

    const Problem list[COUNT] = {
        {"vdp1", "van der Pol, mu = 1", model(2, &vdp, autonomous, &mu1, NULL), 0, 20, 0,
         vdp_start, NULL, TRUTH_COMPUTED, 1e-2, 1, 0, false},
        {"vdp1e3", "van der Pol, mu = 1000", model(2, &vdp, autonomous, &mu3, NULL), 0,
         2000, 0, vdp_start, vdp_end, TRUTH_PUBLISHED, 1e-4, 1e-2, 0, true},
        {"vdp1e6", "van der Pol, mu = 1e6, scaled",
         model(2, &scaled, autonomous, NULL, NULL), 0, 2, 0, vdp_start, NULL,
         TRUTH_COMPUTED, 1e-2, 1e-2, 0, true},
        {"robertson", "Robertson to 1e11", model(3, &robertson, autonomous, NULL, NULL),
         0, 1e11, 0, robertson_start, robertson_end, TRUTH_PUBLISHED, 1e-16, 1e-8, 0,
         true},
        {"hires", "HIRES", model(8, &hires, autonomous, NULL, NULL), 0, 321.8122, 0,
         hires_start, hires_end, TRUTH_PUBLISHED, 1e-6, 1e-4, 0, true},
        {"orego", "Oregonator", model(3, &orego, autonomous, NULL, NULL), 0, 360, 0,
         orego_start, orego_end, TRUTH_PUBLISHED, 1e-2, 1e-3, 0, true},
        {"e5", "E5 to 1e5", model(4, &e5, autonomous, NULL, NULL), 0, 1e5, 0, e5_start,
         NULL, TRUTH_COMPUTED, 1e-13, 1e-13, 0, true},
        {"pollution", "Pollution", model(20, &pollu, autonomous, NULL, NULL), 0, 60, 0,
         pollution_start, pollution_end, TRUTH_PUBLISHED, 1e-7, 1e-6, 0, true},
        {"ring", "ring modulator", model(15, &ring, 0, NULL, NULL), 0, 1e-3, 0, zeros,
         ring_end, TRUTH_PUBLISHED, 1e-4, 1e-3, 0, true},
        {"medakzo", "Medical Akzo Nobel, n = 400", model(400, &akzo, 0, ga, pa), 0, 20, 5,
         sa, NULL, TRUTH_COMPUTED, 1e-3, 1e-2, 0, true},
        {"bruss1d", "Brusselator, 1-D, n = 1000",
         model(2 * B1, &bruss1, autonomous, g1, p1), 0, 10, 0, s1, NULL, TRUTH_COMPUTED,
         1e-3, 1, 0, true},
        {"bruss2d", "Brusselator, 2-D, n = 1152",
         model(2 * B2 * B2, &bruss2, autonomous, g2, p2), 0, 11.5, 0, s2, NULL,
         TRUTH_COMPUTED, 1e-3, 1, 0, true},
        {"pleiades", "Pleiades", model(28, &pleiades, autonomous, NULL, pp), 0, 3, 0,
         pleiades_start, pleiades_end, TRUTH_PUBLISHED, 1e-2, 1, 0, false},
        {"beam", "beam", model(80, &beam, 0, NULL, pb), 0, 5, 0, zeros, beam_end,
         TRUTH_PUBLISHED, 1e-3, 1, 0, true},
        {"prothero", "Prothero-Robinson, -1e6",
         model(1, &prothero, MODEL_LINEAR, NULL, NULL), 0, 10, 0, prothero_start,
         &ends[0], TRUTH_EXACT, 1e-2, 1, 0, true},
        {"linear", "x' = -x + sin t", model(1, &linear, MODEL_LINEAR, NULL, NULL), 0, 10,
         0, one_start, &ends[1], TRUTH_EXACT, 1e-2, 1, 0, false},
    };
    memcpy(all, list, sizeof list);
    *count = COUNT;
    return all;
}

void problems_free(Problem *all, int count) {
    for (int i = 0; i < count; i++) {
        Problem *p = &all[i];
        if (p->truth == TRUTH_EXACT && i == count - 2) free((void *)p->reference);
        if (p->model.nx >= 400) {
            free((void *)p->x0);
            free(p->model.instance);
        }
        if (p->model.pattern && p->model.nx != 80) {
            free((void *)p->model.pattern->start);
            free((void *)p->model.pattern->row);
        }
        free((void *)p->model.pattern);
    }
    free(all);
}
