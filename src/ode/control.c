/* SPDX-License-Identifier: Apache-2.0 */
/* control.c -- step-size controllers as data.
 *
 * The next step is h times
 *   err^-b1 err1^-b2 err2^-b3 (h / h1)^-a1 (h1 / h2)^-a2,   exponents over order + 1,
 * where err1, err2 and h1, h2 belong to the accepted steps before. The predictive
 * controller adds Gustafsson's extrapolation of the error coefficient and takes the
 * smaller proposal. A rejected attempt uses the elementary controller, from the error
 * measured. Steps cut by an output, event or stop time are not shown to the controller.
 * Literature: Gustafsson 1994; Soderlind 2003; Hairer, Wanner II, IV.8. */
#include <math.h>

#include "ode/ode.h"

typedef struct Filter {
    const char *name;
    double      b1, b2, b3; /* times 1 / (order + 1) */
    double      a1, a2;
} Filter;

static const Filter filters[] = {
    [CONTROL_DEFAULT] = {"default", 1, 0, 0, 0, 0},
    [CONTROL_I] = {"i", 1, 0, 0, 0, 0},
    [CONTROL_PI] = {"pi", 0.7, -0.4, 0, 0, 0},
    [CONTROL_PID] = {"pid", 0.58, -0.21, 0.1, 0, 0},
    [CONTROL_H211] = {"h211", 0.25, 0.25, 0, 0.25, 0},
    [CONTROL_H312] = {"h312", 1. / 8, 2. / 8, 1. / 8, 3. / 8, 1. / 8},
    [CONTROL_PREDICTIVE] = {"predictive", 1, 0, 0, 0, 0},
};

const char *control_name(ControlKind kind) {
    return kind >= 0 && kind < CONTROL_COUNT ? filters[kind].name : NULL;
}

void control_reset(Control *c) {
    c->err1 = c->err2 = 1.0;
    c->h1 = c->h2 = 0.0;
    c->rejected = false;
}

double control_factor(const Control *c, double err, double h) {
    const double  k = 1.0 / (c->order + 1), tiny = 1e-10;
    const Filter *f = &filters[c->kind];
    err = fmax(err, tiny);
    if (err > 1.0 || c->h1 == 0.0) return pow(err, -k);
    if (c->kind == CONTROL_PREDICTIVE) {
        const double plain = pow(err, -k);
        const double extrapolated = h / c->h1 * pow(fmax(c->err1, 1e-2) / (err * err), k);
        return fmin(plain, extrapolated);
    }
    double factor = pow(err, -f->b1 * k);
    if (f->b2 != 0.0) factor *= pow(fmax(c->err1, tiny), -f->b2 * k);
    if (f->b3 != 0.0) factor *= pow(fmax(c->err2, tiny), -f->b3 * k);
    if (f->a1 != 0.0) factor *= pow(h / c->h1, -f->a1);
    if (f->a2 != 0.0 && c->h2 > 0.0) factor *= pow(c->h1 / c->h2, -f->a2);
    return factor;
}

void control_accept(Control *c, double err, double h) {
    c->err2 = c->err1;
    c->h2 = c->h1;
    c->err1 = err;
    c->h1 = h;
    c->rejected = false;
}
