/* SPDX-License-Identifier: Apache-2.0 */
/* rate_models.h -- small models for the tests of multi-rate integration. */
#ifndef RUBATO_TEST_RATE_MODELS_H
#define RUBATO_TEST_RATE_MODELS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/rate.h"

/* ---- KPR with n rates: exact solution sqrt(a_k + cos(w_k t)) ------------------------- */

typedef struct Kpr {
    int     n;
    double  w[3], a[3], matrix[9];
    int     start[4], row[9];
    Pattern pattern;
    Model   model;
} Kpr;

static inline Status kpr_eval(void *instance, double t, const double *x,
                              const Selection *rows, double *dx, Fault *fault) {
    const Kpr *p = instance;
    (void)fault;
    for (int k = 0, n = selection_count(rows, p->n); k < n; k++) {
        const int i = selection_row(rows, k);
        double    s = -p->w[i] * sin(p->w[i] * t) / (2.0 * x[i]);
        for (int j = 0; j < p->n; j++)
            s += p->matrix[i * p->n + j] * (x[j] * x[j] - p->a[j] - cos(p->w[j] * t)) /
                 (2.0 * x[j]);
        dx[i] = s;
    }
    return STATUS_OK;
}
static inline void kpr_exact(const Kpr *p, double t, double *x) {
    for (int k = 0; k < p->n; k++) x[k] = sqrt(p->a[k] + cos(p->w[k] * t));
}
static inline double kpr_error(const Kpr *p, double t, const double *x) {
    double exact[3], e = 0.0;
    kpr_exact(p, t, exact);
    for (int k = 0; k < p->n; k++) e = fmax(e, fabs(x[k] - exact[k]));
    return e;
}
static inline void kpr_make(Kpr *p, int n) {
    static const ModelFunctions fn = {.eval = kpr_eval};
    static const double         two[] = {-10.0, 0.5, 0.5, -1.0};
    static const double three[] = {-10.0, 0.5, 0.5, 0.5, -5.0, 0.5, 0.5, 0.5, -1.0};
    *p = (Kpr){.n = n, .w = {1.0, n == 2 ? 8.0 : 5.0, 25.0}, .a = {3.0, 2.0, 2.0}};
    memcpy(p->matrix, n == 2 ? two : three, sizeof(double) * (size_t)(n * n));
    for (int j = 0; j <= n; j++) p->start[j] = n * j;
    for (int e = 0; e < n * n; e++) p->row[e] = e % n;
    p->pattern = (Pattern){n, n, p->start, p->row};
    p->model = (Model){.nx = n, .pattern = &p->pattern, .fn = &fn, .instance = p};
}

/* ---- inverter chain --------------------------------------------------------------------- */

enum { CHAIN = 60 };

typedef struct Chain {
    int           start[CHAIN + 1], row[2 * CHAIN];
    double        x0[CHAIN];
    Pattern       pattern;
    Model         model;
    long          rows; /* evaluated */
    long          rows_of_twins;
    struct Chain *original; /* NULL: it is */
} Chain;

static inline double chain_square(double v) {
    return v > 0.0 ? v * v : 0.0;
}
static inline double chain_input(double t) {
    if (t < 1.0 || t > 6.0) return 0.0;
    return t < 3.0 ? 2.5 * (t - 1.0) : t < 4.0 ? 5.0 : 2.5 * (6.0 - t);
}
static inline Status chain_eval(void *instance, double t, const double *x,
                                const Selection *rows, double *dx, Fault *fault) {
    Chain    *c = instance;
    const int n = selection_count(rows, CHAIN);
    (void)fault;
    for (int k = 0; k < n; k++) {
        const int    i = selection_row(rows, k);
        const double u = i > 0 ? x[i - 1] : chain_input(t), v = x[i];
        dx[i] = 5.0 - v - 100.0 * (chain_square(u - 1.0) - chain_square(u - v - 1.0));
    }
    c->rows += n;
    return STATUS_OK;
}
static inline void *chain_twin(void *instance, void *twin) {
    Chain *c = twin ? twin : malloc(sizeof *c);
    if (c) *c = (Chain){.original = instance};
    return c;
}
static inline void chain_twin_free(void *twin) {
    Chain *c = twin;
    c->original->rows_of_twins += c->rows;
    free(c);
}
static inline void chain_make(Chain *c) {
    static const ModelFunctions fn = {
        .eval = chain_eval, .twin = chain_twin, .twin_free = chain_twin_free};
    int q = 0;
    *c = (Chain){0};
    for (int j = 0; j < CHAIN; j++) {
        c->start[j] = q;
        c->row[q++] = j;
        if (j + 1 < CHAIN) c->row[q++] = j + 1;
        c->x0[j] = j % 2 == 0 ? 5.0 : 6.247069e-3;
    }
    c->start[CHAIN] = q;
    c->pattern = (Pattern){CHAIN, CHAIN, c->start, c->row};
    c->model = (Model){.nx = CHAIN, .pattern = &c->pattern, .fn = &fn, .instance = c};
}

#endif
