/* SPDX-License-Identifier: Apache-2.0 */
/* fronts.c -- activity that travels: at any time most states rest.
 *
 * Inverter chain: Kvaerno, Rentrop 1999; Savcenco, Hundsdorfer, Verwer 2007. Reaction front
 * and Burgers: first-order upwind and central differences on a fixed grid. Delay line: a
 * chain of first-order lags, in which everything moves all the time. */
#include <math.h>
#include <stdlib.h>

#include "rate/models.h"

/* A chain whose row i reads i - left .. i + right. */
static bool chain_pattern(Case *c, int left, int right) {
    const int n = c->model.nx;
    Link     *links = malloc(sizeof(Link) * (size_t)(n * (left + right + 1)));
    int       count = 0;
    if (!links) return false;
    for (int i = 0; i < n; i++)
        for (int j = i - left; j <= i + right; j++)
            if (j >= 0 && j < n) links[count++] = (Link){i, j};
    const bool ok = case_pattern(c, links, count);
    free(links);
    return ok;
}

/* ---- inverter chain -------------------------------------------------------------------- */

enum { STRENGTH = 100, LEVEL = 5 };

static double square(double v) {
    return v > 0.0 ? v * v : 0.0;
}
static double input(double t) {
    if (t < 5.0 || t > 17.0) return 0.0;
    return t < 10.0 ? t - 5.0 : t < 15.0 ? 5.0 : 2.5 * (17.0 - t);
}
static double inverter_row(const Case *c, double t, const double *x, int i) {
    (void)c;
    const double u = i > 0 ? x[i - 1] : input(t), v = x[i];
    return LEVEL - v - STRENGTH * (square(u - 1.0) - square(u - v - 1.0));
}
static double inverter_entry(const Case *c, double t, const double *x, int i, int j) {
    (void)c;
    const double u = i > 0 ? x[i - 1] : input(t), v = x[i];
    const double b = fmax(u - v - 1.0, 0.0);
    if (i == j) return -1.0 - 2.0 * STRENGTH * b;
    return -2.0 * STRENGTH * (fmax(u - 1.0, 0.0) - b);
}
CASE_EVAL(inverter_eval, inverter_row)
CASE_JACOBIAN(inverter_jacobian, inverter_entry)

bool inverter_build(Case *c) {
    static const ModelFunctions fn = {.eval = inverter_eval,
                                      .jacobian = inverter_jacobian};
    c->model.fn = &fn;
    c->t1 = 0.26 * c->size; /* the pulse crosses the whole chain */
    if (!case_states(c, c->size)) return false;
    for (int i = 0; i < c->size; i++) c->x0[i] = i % 2 == 0 ? 5.0 : 6.246e-3;
    return chain_pattern(c, 1, 0);
}

/* ---- advection, diffusion, reaction: u_t = -a u_x + d u_xx + r u^2 (1 - u) -------------- */

static double adr_row(const Case *c, double t, const double *x, int i) {
    (void)t;
    const double a = c->p[0], d = c->p[1], r = c->p[2];
    const double u = x[i], w = i > 0 ? x[i - 1] : 1.0,
                 e = i + 1 < c->model.nx ? x[i + 1] : u;
    return a * (w - u) + d * (w - 2.0 * u + e) + r * u * u * (1.0 - u);
}
static double adr_entry(const Case *c, double t, const double *x, int i, int j) {
    (void)t;
    const double a = c->p[0], d = c->p[1], r = c->p[2], u = x[i];
    if (j < i) return a + d;
    if (j > i) return d;
    return -a - 2.0 * d + (i + 1 < c->model.nx ? 0.0 : d) + r * (2.0 * u - 3.0 * u * u);
}
CASE_EVAL(adr_eval, adr_row)
CASE_JACOBIAN(adr_jacobian, adr_entry)

bool adr_build(Case *c) {
    static const ModelFunctions fn = {.eval = adr_eval, .jacobian = adr_jacobian};
    const double                dx = 10.0 / c->size;
    c->model.fn = &fn;
    c->model.flags = MODEL_AUTONOMOUS;
    c->t1 = 3.0;
    c->p[0] = 1.0 / dx, c->p[1] = 1e-3 / (dx * dx), c->p[2] = 1000.0;
    if (!case_states(c, c->size)) return false;
    for (int i = 0; i < c->size / 3; i++) c->x0[i] = 1.0;
    return chain_pattern(c, 1, 1);
}

/* ---- Burgers: u_t = -u u_x + nu u_xx, a ramp that steepens into a moving front ---------- */

static double burgers_row(const Case *c, double t, const double *x, int i) {
    (void)t;
    const double u = x[i], w = i > 0 ? x[i - 1] : 1.0,
                 e = i + 1 < c->model.nx ? x[i + 1] : 0.0;
    return 0.5 * c->p[0] * (w * w - u * u) + c->p[1] * (w - 2.0 * u + e);
}
static double burgers_entry(const Case *c, double t, const double *x, int i, int j) {
    (void)t;
    if (j < i) return c->p[0] * x[j] + c->p[1];
    if (j > i) return c->p[1];
    return -c->p[0] * x[i] - 2.0 * c->p[1];
}
CASE_EVAL(burgers_eval, burgers_row)
CASE_JACOBIAN(burgers_jacobian, burgers_entry)

bool burgers_build(Case *c) {
    static const ModelFunctions fn = {.eval = burgers_eval, .jacobian = burgers_jacobian};
    const double                dx = 10.0 / c->size;
    c->model.fn = &fn;
    c->model.flags = MODEL_AUTONOMOUS;
    c->t1 = 5.0;
    c->p[0] = 1.0 / dx, c->p[1] = 1e-3 / (dx * dx);
    if (!case_states(c, c->size)) return false;
    for (int i = 0; i < c->size; i++) c->x0[i] = fmin(1.0, fmax(0.0, 2.0 - (i + 1) * dx));
    return chain_pattern(c, 1, 1);
}

/* ---- delay line: der(x[i]) = (x[i-1] - x[i]) N / T, fed by a sine ----------------------- */

static double delay_row(const Case *c, double t, const double *x, int i) {
    return c->p[0] * ((i > 0 ? x[i - 1] : sin(6.283185307179586 * t)) - x[i]);
}
static double delay_entry(const Case *c, double t, const double *x, int i, int j) {
    (void)t, (void)x;
    return i == j ? -c->p[0] : c->p[0];
}
CASE_EVAL(delay_eval, delay_row)
CASE_JACOBIAN(delay_jacobian, delay_entry)

bool delay_build(Case *c) {
    static const ModelFunctions fn = {.eval = delay_eval, .jacobian = delay_jacobian};
    c->model.fn = &fn;
    c->model.flags = MODEL_LINEAR;
    c->t1 = 10.0;
    c->p[0] = c->size / 1.0;
    return case_states(c, c->size) && chain_pattern(c, 1, 0);
}
