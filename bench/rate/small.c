/* SPDX-License-Identifier: Apache-2.0 */
/* small.c -- small systems with known answers, and one in which everything is coupled.
 *
 * KPR: the two-rate problem of Kvaerno, Prothero and Robinson and its nested three-rate
 * form, with exact solutions sqrt(a + cos(w t)) (SUNDIALS examples; Sandu 2019). Savcenco:
 * the linear 2 x 2 system used for the stability of multirate methods (Savcenco 2008;
 * Hundsdorfer, Savcenco 2009). Power: generators on a ring, swing equations. */
#include <math.h>
#include <stdlib.h>

#include "rate/models.h"

static bool full_pattern(Case *c) {
    Link      links[16];
    int       count = 0;
    const int n = c->model.nx;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) links[count++] = (Link){i, j};
    return case_pattern(c, links, count);
}

/* ---- KPR: rows are A ((x_k^2 - a_k - cos(w_k t)) / (2 x_k)) - w_k sin(w_k t) / (2 x_k) --- */

static double kpr_shift(int k) {
    return k == 0 ? 3.0 : 2.0;
}
static double kpr_matrix(const Case *c, int i, int j) {
    return c->p[4 + 3 * i + j];
}
static double kpr_row(const Case *c, double t, const double *x, int i) {
    double sum = -c->p[i] * sin(c->p[i] * t) / (2.0 * x[i]);
    for (int j = 0; j < c->model.nx; j++)
        sum += kpr_matrix(c, i, j) * (x[j] * x[j] - kpr_shift(j) - cos(c->p[j] * t)) /
               (2.0 * x[j]);
    return sum;
}
static double kpr_entry(const Case *c, double t, const double *x, int i, int j) {
    const double v = x[j];
    double       d =
        kpr_matrix(c, i, j) * (0.5 + (kpr_shift(j) + cos(c->p[j] * t)) / (2.0 * v * v));
    if (i == j) d += c->p[i] * sin(c->p[i] * t) / (2.0 * v * v);
    return d;
}
CASE_EVAL(kpr_eval, kpr_row)
CASE_JACOBIAN(kpr_jacobian, kpr_entry)

static void kpr_exact(const Case *c, double t, double *x) {
    for (int k = 0; k < c->model.nx; k++) x[k] = sqrt(kpr_shift(k) + cos(c->p[k] * t));
}

static bool kpr(Case *c, int n, const double *w, const double *matrix) {
    static const ModelFunctions fn = {.eval = kpr_eval, .jacobian = kpr_jacobian};
    c->model.fn = &fn;
    c->t1 = 5.0;
    c->exact = kpr_exact;
    for (int i = 0; i < n; i++) c->p[i] = w[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) c->p[4 + 3 * i + j] = matrix[i * n + j];
    if (!case_states(c, n)) return false;
    kpr_exact(c, 0.0, c->x0);
    return full_pattern(c);
}
bool kpr2_build(Case *c) { /* slow, fast; G = -10, e = 0.1, w = 50 */
    return kpr(c, 2, (double[]){1.0, 50.0}, (double[]){-10.0, 0.1, 0.1, -1.0});
}
bool kpr3_build(Case *c) { /* slow, middle, fast */
    return kpr(c, 3, (double[]){1.0, 20.0, 400.0},
               (double[]){-10.0, 0.1, 0.1, 0.1, -5.0, 0.1, 0.1, 0.1, -1.0});
}

/* ---- Savcenco: w' = [-1, e; k, -L] w -------------------------------------------------------- */

static double savcenco_row(const Case *c, double t, const double *x, int i) {
    (void)t;
    return c->p[2 * i] * x[0] + c->p[2 * i + 1] * x[1];
}
static double savcenco_entry(const Case *c, double t, const double *x, int i, int j) {
    (void)t, (void)x;
    return c->p[2 * i + j];
}
CASE_EVAL(savcenco_eval, savcenco_row)
CASE_JACOBIAN(savcenco_jacobian, savcenco_entry)

bool savcenco_build(Case *c) {
    static const ModelFunctions fn = {.eval = savcenco_eval,
                                      .jacobian = savcenco_jacobian};
    c->model.fn = &fn;
    c->model.flags = MODEL_LINEAR | MODEL_AUTONOMOUS;
    c->t1 = 5.0;
    c->p[0] = -1.0, c->p[1] = 0.9, c->p[2] = 100.0, c->p[3] = -100.0;
    if (!case_states(c, 2)) return false;
    c->x0[0] = 1.0, c->x0[1] = -1.0;
    return full_pattern(c);
}

/* ---- power system: angles and speeds of N generators on a ring --------------------------- */

static double power_row(const Case *c, double t, const double *x, int i) {
    const int n = c->size, k = i % n;
    if (i < n) return x[n + k];
    const double step = k == 0 && t > 0.0 ? 0.3 * (1.0 + 0.2 * sin(t)) : 0.0;
    const double a = x[k], l = x[(k + n - 1) % n], r = x[(k + 1) % n];
    return step - 0.2 * x[i] - 4.0 * (sin(a - l) + sin(a - r)) - 1.0 * sin(a);
}
static double power_entry(const Case *c, double t, const double *x, int i, int j) {
    const int n = c->size, k = i % n;
    (void)t;
    if (i < n) return 1.0;
    if (j >= n) return -0.2;
    const double a = x[k], l = x[(k + n - 1) % n], r = x[(k + 1) % n];
    if (j == k) return -4.0 * (cos(a - l) + cos(a - r)) - cos(a);
    return 4.0 * cos(a - x[j]);
}
CASE_EVAL(power_eval, power_row)
CASE_JACOBIAN(power_jacobian, power_entry)

bool power_build(Case *c) {
    static const ModelFunctions fn = {.eval = power_eval, .jacobian = power_jacobian};
    const int                   n = c->size;
    Link                       *links = malloc(sizeof(Link) * (size_t)(5 * n));
    int                         count = 0;
    c->model.fn = &fn;
    c->t1 = 40.0;
    bool ok = links && case_states(c, 2 * n);
    for (int k = 0; ok && k < n; k++) {
        links[count++] = (Link){k, n + k};
        links[count++] = (Link){n + k, k};
        links[count++] = (Link){n + k, n + k};
        links[count++] = (Link){n + k, (k + n - 1) % n};
        links[count++] = (Link){n + k, (k + 1) % n};
        c->x0[k] = 0.3 * sin(0.7 * k);
    }
    ok = ok && case_pattern(c, links, count);
    free(links);
    return ok;
}
