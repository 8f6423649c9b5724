/* SPDX-License-Identifier: Apache-2.0 */
/* thermal.c -- slow temperatures, fast controllers.
 *
 * HeatingSystem: Casella 2015 (ScalableTestSuite), in the form with smooth saturation and
 * hysteresis as functions: one supply unit Td, N rooms with temperature Tu[i] and controller
 * state x[i]. In the exogenous variant the supply temperature is a function of time, so
 * that the rooms are independent of one another. Chip: a square of cells with a few pulsed
 * sources. Cells: a thermal rod whose first fifth has two-point controllers (events). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/models.h"

static const double PI = 3.141592653589793;

/* ---- heating system: x = Td, then per room Tu, x ----------------------------------------- */

enum { KP, TD0, QMAX, CD, GH, GU, GAIN, SLOPE, WIDTH, SET };

static double smooth_saturation(double v, double low, double high) {
    const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
    return middle + half * tanh((v - middle) / half);
}
static double smooth_slope(double v, double low, double high) {
    const double half = 0.5 * (high - low), y = tanh((v - 0.5 * (low + high)) / half);
    return 1.0 - y * y;
}
/* Bistable: rests near +-1/2, is driven over by an error beyond the width. */
static double hysteresis(double x, double e, double width) {
    return x * (1.0 - 4.0 * x * x) + 0.3849001794597505 * e / width;
}
static double outside(double t) {
    return 278.15 + 8.0 * sin(2.0 * PI * t / 86400.0);
}
static double opening(const Case *c, double x) {
    return smooth_saturation(c->p[SLOPE] * x, -0.5, 0.5) + 0.5;
}
static double supply(const Case *c, double t, const double *x) {
    return c->model.nx == 2 * c->size ? 343.15 + 2.0 * sin(2.0 * PI * t / 43200.0) : x[0];
}
static double heating_row(const Case *c, double t, const double *x, int i) {
    const double *p = c->p;
    const int     first = c->model.nx - 2 * c->size; /* 1, or 0 with exogenous supply */
    if (i < first) {
        double sum = 0.0;
        for (int k = 0; k < c->size; k++)
            sum += (x[0] - x[1 + 2 * k]) * opening(c, x[2 + 2 * k]);
        const double flow = smooth_saturation(p[KP] * (p[TD0] - x[0]), 0.0, p[QMAX]);
        return (flow - p[GH] * sum) / p[CD];
    }
    const int    k = (i - first) / 2;
    const double tu = x[first + 2 * k], u = x[first + 2 * k + 1];
    if ((i - first) % 2 == 0)
        return (p[GH] * (supply(c, t, x) - tu) * opening(c, u) -
                p[GU] * (tu - outside(t))) /
               c->data[k];
    return p[GAIN] * hysteresis(u, p[SET] - tu, p[WIDTH]);
}
static double heating_entry(const Case *c, double t, const double *x, int i, int j) {
    const double *p = c->p;
    const int     first = c->model.nx - 2 * c->size;
    if (i < first) {
        if (j > 0) {
            const int    k = (j - 1) / 2;
            const double u = x[2 + 2 * k];
            if ((j - 1) % 2 == 0) return p[GH] * opening(c, u) / p[CD];
            return -p[GH] * (x[0] - x[1 + 2 * k]) * p[SLOPE] *
                   smooth_slope(p[SLOPE] * u, -0.5, 0.5) / p[CD];
        }
        double sum = 0.0;
        for (int k = 0; k < c->size; k++) sum += opening(c, x[2 + 2 * k]);
        return (-p[KP] * smooth_slope(p[KP] * (p[TD0] - x[0]), 0.0, p[QMAX]) -
                p[GH] * sum) /
               p[CD];
    }
    const int    k = (i - first) / 2;
    const double u = x[first + 2 * k + 1], tu = x[first + 2 * k];
    if ((i - first) % 2 == 0) {
        if (j < first) return p[GH] * opening(c, u) / c->data[k];
        if (j == i) return -(p[GH] * opening(c, u) + p[GU]) / c->data[k];
        return p[GH] * (supply(c, t, x) - tu) * p[SLOPE] *
               smooth_slope(p[SLOPE] * u, -0.5, 0.5) / c->data[k];
    }
    if (j == i) return p[GAIN] * (1.0 - 12.0 * u * u);
    return -p[GAIN] * 0.3849001794597505 / p[WIDTH];
}
CASE_EVAL(heating_eval, heating_row)
CASE_JACOBIAN(heating_jacobian, heating_entry)

static bool rooms(Case *c, int first) {
    static const ModelFunctions fn = {.eval = heating_eval, .jacobian = heating_jacobian};
    const int                   n = c->size;
    Link *links = malloc(sizeof(Link) * (size_t)(first + (4 + 3 * first) * n));
    int   count = 0;
    c->model.fn = &fn;
    c->data = malloc(sizeof(double) * (size_t)n);
    c->t1 = 20000.0;
    double *p = c->p;
    p[KP] = 2e4 * n, p[TD0] = 343.15, p[QMAX] = 4000.0 * n, p[CD] = 2e6 * n;
    p[GH] = 200.0, p[GU] = 150.0, p[GAIN] = 50.0, p[SLOPE] = 15.0, p[WIDTH] = 0.5;
    p[SET] = 293.15;
    bool ok = links && c->data && case_states(c, 2 * n + first);
    c->nominal = malloc(sizeof(double) * (size_t)(2 * n + first));
    ok = ok && c->nominal;
    if (ok && first) {
        c->x0[0] = 343.15, c->nominal[0] = 300.0;
        links[count++] = (Link){0, 0};
    }
    for (int k = 0; ok && k < n; k++) {
        const int tu = first + 2 * k, u = tu + 1;
        /* 1e6 J/K, spread by the golden ratio so that rooms do not switch together */
        const double spread = fmod(0.6180339887498949 * (k + 1), 1.0);
        c->data[k] = 1e6 * (1.0 + 0.3 * spread);
        c->x0[tu] = 293.15 + 0.6 * (fmod(0.7548776662466927 * (k + 1), 1.0) - 0.5);
        c->x0[u] = k % 2 ? 0.45 : -0.45;
        c->nominal[tu] = 300.0, c->nominal[u] = 0.5;
        links[count++] = (Link){tu, tu}, links[count++] = (Link){tu, u};
        links[count++] = (Link){u, tu}, links[count++] = (Link){u, u};
        if (!first) continue;
        links[count++] = (Link){0, tu}, links[count++] = (Link){0, u};
        links[count++] = (Link){tu, 0};
    }
    ok = ok && case_pattern(c, links, count);
    c->model.nominal = c->nominal;
    free(links);
    return ok;
}
bool heating_build(Case *c) {
    return rooms(c, 1);
}
bool exogenous_build(Case *c) {
    return rooms(c, 0);
}

/* ---- chip: N x N cells, four of them heated by pulses ------------------------------------ */

static double pulse(const Case *c, double t, int i) {
    if (c->data[i] == 0.0) return 0.0;
    const double phase = t * c->data[i]; /* data: pulses per second, 0 for most cells */
    return 2e3 * exp(20.0 * (sin(2.0 * PI * phase) - 1.0));
}
static double chip_row(const Case *c, double t, const double *x, int i) {
    const int n = c->size, col = i % n, line = i / n;
    double    sum = -c->p[1] * x[i];
    if (col > 0) sum += c->p[0] * (x[i - 1] - x[i]);
    if (col < n - 1) sum += c->p[0] * (x[i + 1] - x[i]);
    if (line > 0) sum += c->p[0] * (x[i - n] - x[i]);
    if (line < n - 1) sum += c->p[0] * (x[i + n] - x[i]);
    return sum + pulse(c, t, i);
}
static double chip_entry(const Case *c, double t, const double *x, int i, int j) {
    const int n = c->size, col = i % n, line = i / n;
    (void)t, (void)x;
    if (i != j) return c->p[0];
    return -c->p[1] - c->p[0] * ((col > 0) + (col < n - 1) + (line > 0) + (line < n - 1));
}
CASE_EVAL(chip_eval, chip_row)
CASE_JACOBIAN(chip_jacobian, chip_entry)

bool chip_build(Case *c) {
    static const ModelFunctions fn = {.eval = chip_eval, .jacobian = chip_jacobian};
    const int                   n = c->size, cells = n * n;
    Link                       *links = malloc(sizeof(Link) * (size_t)(5 * cells));
    int                         count = 0;
    c->model.fn = &fn;
    c->model.flags = MODEL_LINEAR;
    c->t1 = 2.0;
    c->p[0] = 20.0, c->p[1] = 0.5;
    c->data = calloc((size_t)cells, sizeof(double));
    bool ok = links && c->data && case_states(c, cells);
    for (int i = 0; ok && i < cells; i++) {
        const int col = i % n, line = i / n;
        links[count++] = (Link){i, i};
        if (col > 0) links[count++] = (Link){i, i - 1};
        if (col < n - 1) links[count++] = (Link){i, i + 1};
        if (line > 0) links[count++] = (Link){i, i - n};
        if (line < n - 1) links[count++] = (Link){i, i + n};
    }
    if (ok)
        for (int k = 0; k < 4; k++)
            c->data[(n / 4 + k % 2 * (n / 2)) * n + n / 4 + k / 2 * (n / 2)] =
                7.0 + 3.0 * k;
    ok = ok && case_pattern(c, links, count);
    free(links);
    return ok;
}

/* ---- switching cells: a rod, a fifth with on/off heaters, the first ones or scattered -------- */

enum { COUPLE, LOSS, POWER, LOWER, UPPER, STRIDE };

static int heated(const Case *c, int crossing) { /* its cell */
    return crossing * (int)c->p[STRIDE];
}

static double cells_row(const Case *c, double t, const double *x, int i) {
    const int n = c->size;
    double    sum = c->p[LOSS] * (290.0 + 5.0 * sin(t / 50.0) - x[i]);
    if (i > 0) sum += c->p[COUPLE] * (x[i - 1] - x[i]);
    if (i < n - 1) sum += c->p[COUPLE] * (x[i + 1] - x[i]);
    return sum + c->mode[i] * c->p[POWER] * (1.0 + 0.1 * (i % 7));
}
static double cells_entry(const Case *c, double t, const double *x, int i, int j) {
    (void)t, (void)x;
    if (i != j) return c->p[COUPLE];
    return -c->p[LOSS] - c->p[COUPLE] * ((i > 0) + (i < c->size - 1));
}
CASE_EVAL(cells_eval, cells_row)
CASE_JACOBIAN(cells_jacobian, cells_entry)

static Status cells_crossings(void *instance, double t, const double *x,
                              const Selection *which, double *z, Fault *fault) {
    const Case *c = instance;
    (void)t, (void)fault;
    for (int k = 0, n = selection_count(which, c->model.nz); k < n; k++) {
        const int q = selection_row(which, k), i = heated(c, q);
        z[q] = c->mode[i] > 0.5 ? x[i] - c->p[UPPER] : c->p[LOWER] - x[i];
    }
    return STATUS_OK;
}
static Status cells_event(void *instance, double t, double *x, EventKind kind,
                          const Selection *which, bool *again, Fault *fault) {
    Case *c = instance;
    (void)kind, (void)x, (void)fault;
    for (int k = 0, n = selection_count(which, c->model.nz); k < n; k++) {
        double *mode = &c->mode[heated(c, selection_row(which, k))];
        if (!journal_set(&c->journal, mode, *mode > 0.5 ? 0.0 : 1.0, t))
            return STATUS_NO_MEMORY;
    }
    *again = false;
    return STATUS_OK;
}

static Journal *cells_journal(void *instance) {
    Case *c = instance;
    return &c->journal;
}

/* Its own switches; all else is shared. */
static void *cells_twin(void *instance, void *twin) {
    const Case *c = instance;
    Case       *t = twin ? twin : malloc(sizeof *t);
    if (!t) return NULL;
    if (!twin) {
        *t = *c;
        t->mode = calloc((size_t)c->size, sizeof(double));
        t->journal = (Journal){.value = t->mode};
    }
    if (!t->mode) {
        free(t);
        return NULL;
    }
    memcpy(t->mode, c->mode, sizeof(double) * (size_t)c->size);
    return t;
}
static void cells_twin_free(void *twin) {
    Case *t = twin;
    journal_free(&t->journal);
    free(t->mode);
    free(t);
}

/* A crossing reads its cell, its event changes that row. */
static bool cells_cones(Case *c) {
    const int n = c->size, nz = c->model.nz;
    int      *p = malloc(sizeof(int) * (size_t)(n + 3 * nz + 2));
    if (!p) return false;
    int *start = p, *more = p + n + 1, *which = more + nz + 1, *row = which + nz;
    for (int j = 0, k = 0; j <= n; j++) {
        start[j] = k;
        if (k < nz && heated(c, k) == j) k++;
    }
    for (int k = 0; k <= nz; k++) more[k] = k;
    for (int k = 0; k < nz; k++) which[k] = k, row[k] = heated(c, k);
    c->reads = (Pattern){nz, n, start, which};
    c->changes = (Pattern){n, nz, more, row};
    c->model.reads = &c->reads;
    c->model.changes = &c->changes;
    return true;
}

static bool build_cells(Case *c, int stride) {
    static const ModelFunctions fn = {.eval = cells_eval,
                                      .jacobian = cells_jacobian,
                                      .crossings = cells_crossings,
                                      .event = cells_event,
                                      .journal = cells_journal,
                                      .twin = cells_twin,
                                      .twin_free = cells_twin_free};
    const int                   n = c->size;
    Link                       *links = malloc(sizeof(Link) * (size_t)(3 * n));
    int                         count = 0;
    c->model.fn = &fn;
    c->model.nz = n / 5;
    c->t1 = 100.0;
    c->p[COUPLE] = 0.02, c->p[LOSS] = 0.12, c->p[POWER] = 3.6;
    c->p[LOWER] = 299.0, c->p[UPPER] = 301.0, c->p[STRIDE] = stride;
    c->mode = calloc((size_t)n, sizeof(double));
    c->journal.value = c->mode;
    c->nominal = malloc(sizeof(double) * (size_t)n);
    bool ok = links && c->mode && c->nominal && case_states(c, n);
    for (int i = 0; ok && i < n; i++) {
        const int  k = i / stride;
        const bool heats = k < n / 5 && heated(c, k) == i;
        c->x0[i] = heats ? 299.2 + 1.6 * fmod(0.6180339887 * (k + 1), 1.0) : 292.0;
        c->nominal[i] = 300.0;
        c->mode[i] = heats ? k % 2 : 0.0;
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < n) links[count++] = (Link){i, j};
    }
    ok = ok && case_pattern(c, links, count) && cells_cones(c);
    c->model.nominal = c->nominal;
    free(links);
    return ok;
}
bool cells_build(Case *c) {
    return build_cells(c, 1);
}
bool scattered_build(Case *c) {
    return build_cells(c, 5);
}
