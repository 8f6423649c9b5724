/* SPDX-License-Identifier: Apache-2.0 */
/* models.h -- models whose states move at different tempos, written through the waist.
 *
 *   fronts.c   inverter chain, advection-diffusion-reaction, Burgers, delay line
 *   thermal.c  heating system (closed and with exogenous inputs), chip with hot cells,
 *              cells that switch
 *   small.c    KPR with two and three rates, the linear system of Savcenco, power system
 *   models.c   construction, sparsity and the evaluation by selection they share */
#ifndef BENCH_RATE_MODELS_H
#define BENCH_RATE_MODELS_H

#include "model/model.h"

typedef struct Case Case;

/* One row of the right-hand side, and one entry of the Jacobian. */
typedef double RowFunction(const Case *c, double t, const double *x, int row);
typedef double EntryFunction(const Case *c, double t, const double *x, int row,
                             int column);

struct Case {
    const char *name;
    Model       model;
    int         size;   /* N of the model's text                    */
    double      t0, t1; /* interval of the benchmark                */
    double     *x0;     /* nx start values                          */
    double      atol;   /* absolute tolerance as a factor of rtol   */
    double      p[16];  /* parameters                               */
    double     *data;   /* per-cell parameters, NULL if none        */
    double     *mode;   /* discrete variables, NULL if none         */
    Journal     journal;
    Pattern     pattern;
    Pattern     reads, changes; /* of crossings, if any                     */
    double     *nominal;
    void (*exact)(const Case *c, double t, double *x); /* NULL: none */
};

/* NULL: no such model or no memory. size 0: the benchmark's own. */
Case *case_new(const char *name, int size);
void  case_free(Case *c);
/* Names in a fixed order; NULL ends. */
const char *case_name(int index);

/* For the builders: arrays of nx states and a pattern from dependency lists by row. */
typedef struct Link {
    int row, column;
} Link;
bool case_states(Case *c, int nx);
bool case_pattern(Case *c, const Link *links, int count);

/* The three loops over a selection, with the row function inlined into each. */
#define CASE_EVAL(name, row_of)                                                          \
    static Status name(void *instance, double t, const double *x, const Selection *rows, \
                       double *dx, Fault *fault) {                                       \
        const Case *c = instance;                                                        \
        (void)fault;                                                                     \
        if (rows->kind == SELECT_LIST)                                                   \
            for (int i = 0; i < rows->count; i++)                                        \
                dx[rows->row[i]] = row_of(c, t, x, rows->row[i]);                        \
        else                                                                             \
            for (int i = 0, n = selection_count(rows, c->model.nx); i < n; i++)          \
                dx[rows->first + i] = row_of(c, t, x, rows->first + i);                  \
        return STATUS_OK;                                                                \
    }
#define CASE_JACOBIAN(name, entry_of)                                                    \
    static Status name(void *instance, double t, const double *x,                        \
                       const Selection *columns, double *value, Fault *fault) {          \
        const Case    *c = instance;                                                     \
        const Pattern *p = &c->pattern;                                                  \
        (void)fault;                                                                     \
        for (int k = 0, n = selection_count(columns, c->model.nx); k < n; k++) {         \
            const int j = selection_row(columns, k);                                     \
            for (int e = p->start[j]; e < p->start[j + 1]; e++)                          \
                value[e] = entry_of(c, t, x, p->row[e], j);                              \
        }                                                                                \
        return STATUS_OK;                                                                \
    }

bool inverter_build(Case *c);
bool adr_build(Case *c);
bool burgers_build(Case *c);
bool delay_build(Case *c);
bool heating_build(Case *c);
bool exogenous_build(Case *c);
bool chip_build(Case *c);
bool cells_build(Case *c);
bool scattered_build(Case *c);
bool kpr2_build(Case *c);
bool kpr3_build(Case *c);
bool savcenco_build(Case *c);
bool power_build(Case *c);

#endif
