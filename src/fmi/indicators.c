/* SPDX-License-Identifier: Apache-2.0 */
/* indicators.c -- event indicators for integrators of others.
 *
 * A relation of the model is true where its crossing z is positive. Another tool locates the zero of an
 * indicator up to rounding, on either side of it; where it ends before the zero of z, the relation has
 * not changed yet and the event would be lost. So the indicator is moved away from zero by a little on
 * the side on which it has been since the last event,
 *     z + d  if z was positive,   z - d  else,     d = 1e-10 times the largest |z| so far, at least 1e-16,
 * and where it vanishes the relation has changed. The largest value is taken over between steps, so that
 * an indicator is a function of time and states while a step is taken. */
#include "fmi/slave.h"

#include <math.h>
#include <string.h>

#define SHARE 1e-10
#define LEAST 1e-6 /* size: an indicator that is zero at the start has a side, too */

static double shifted(const Indicators *i, int k) {
    return i->z[k] + i->side[k] * SHARE * fmax(i->size[k], LEAST);
}

static bool open_indicators(Slave *s) {
    Indicators  *i = &s->indicators;
    const size_t n = (size_t)s->program->part[PART_RUN].relations,
                 all = (size_t)s->instance.model.nz;
    if (i->z) return true;
    i->n = (int)n;
    i->z = mem_take(all > n ? all : n, sizeof *i->z);
    i->size = mem_take(n, sizeof *i->size);
    i->side = mem_take(n, sizeof *i->side);
    if (i->z && i->size && i->side) return true;
    indicators_close(s);
    slave_complain(s, 3, "there is no memory");
    return false;
}

void indicators_close(Slave *s) {
    MEM_FREE(s->indicators.z, s->indicators.size, s->indicators.side);
    s->indicators = (Indicators){0};
}

/* Crossings of the model at the present point. */
static bool evaluate(Slave *s) {
    Fault        fault = fault_none();
    Selection    all = {0};
    const Model *model = &s->instance.model;
    if (!slave_ready(s) || !open_indicators(s)) return false;
    if (!s->indicators.n || !s->begun) return true;
    double *z = s->indicators.z;
    Status  status = model->fn->crossings(model->instance, s->t, s->x, &all, z, &fault);
    if (status == STATUS_OK && model->fn->ahead)
        status = model->fn->ahead(model->instance, s->t, s->x, &all, z, &fault);
    for (int k = 0; k < s->indicators.n;
         k++) /* next_event tells when: it says nothing here */
        if (isinf(z[k])) z[k] = -1;
    return status == STATUS_OK ? true : slave_refused(s, status, &fault);
}

void indicators_grow(Slave *s) {
    Indicators *i = &s->indicators;
    for (int k = 0; i->z && k < i->n; k++) i->size[k] = fmax(i->size[k], fabs(i->z[k]));
}

bool indicators_settle(Slave *s) {
    Indicators *i = &s->indicators;
    if (!evaluate(s)) return false;
    for (int k = 0; k < i->n; k++) i->side[k] = i->z[k] > 0 ? 1 : -1;
    indicators_grow(s);
    return true;
}

bool slave_indicators(Slave *s, double *z) {
    Indicators *i = &s->indicators;
    if (!evaluate(s)) return false;
    for (int k = 0; k < i->n; k++) z[k] = shifted(i, k);
    return true;
}

bool slave_indicator(Slave *s, int number, double *value) {
    Indicators *i = &s->indicators;
    if (!evaluate(s)) return false;
    *value = shifted(i, number);
    return true;
}
