/* SPDX-License-Identifier: Apache-2.0 */
/* steer.c -- an integrator as part of a larger one.
 *
 * Multi-rate integration runs one integrator per set of states. It places them, ends their steps
 * at events, repeats steps and judges attempts; everything it needs for that is here, so that
 * what an integrator keeps from step to step stays consistent. Nothing here evaluates the model
 * except to find slopes and what a polynomial needs besides its stages. */
#include <string.h>

#include "ode/core.h"

/* ---- where it is --------------------------------------------------------------------- */

double *ode_place(Ode *o, double t, double h) {
    o->t = o->last.t = t;
    o->h = h;
    o->last.h = 0.0;
    o->f_valid = o->last.continued = false;
    o->lin.jac_valid = o->lin.jac_current = o->lin.lu_valid = false;
    o->newton = (Newton){.eta = 1.0};
    memset(o->predictor.score, 0, sizeof o->predictor.score);
    o->lin.jac_age = o->choice.since_change = 0;
    o->first_step = false;
    control_reset(&o->control);
    if (o->lin.shift) shift_forget(o->lin.shift);
    return o->y;
}

void ode_jump(Ode *o, const double *x, double h) {
    memcpy(o->y, x, sizeof(double) * (size_t)o->n);
    o->f_valid = o->last.continued = o->lin.jac_valid = o->lin.jac_current =
        o->lin.lu_valid = false;
    o->newton.eta = 1.0;
    o->first_step = true;
    o->h = h;
    control_reset(&o->control);
}

void ode_renew(Ode *o) {
    o->f_valid = o->lin.jac_valid = o->lin.jac_current = o->lin.lu_valid = false;
}

void ode_propose(Ode *o, double h) {
    o->h = h;
}

/* ---- the last step --------------------------------------------------------------------- */

void ode_repeat(Ode *o, double end) {
    o->t = o->last.t;
    memcpy(o->y, o->last.y, sizeof(double) * (size_t)o->n);
    o->f_valid = o->last.continued = o->lin.jac_current = false;
    o->h = end - o->t;
}

void ode_cut(Ode *o, double t, const double *x) {
    memcpy(o->y, x, sizeof(double) * (size_t)o->n);
    o->t = t;
    o->f_valid = false;
}

Status ode_find_slope(Ode *o) {
    if (o->f_valid) return STATUS_OK;
    const Status status = core_eval(o, o->t, o->y, o->f);
    o->f_valid = o->f_exact = status == STATUS_OK;
    return status;
}

void ode_on_line(const Ode *o, double t, double *x) {
    const double by = t - o->t;
    for (int i = 0; i < o->n; i++) x[i] = o->y[i] + by * o->f[i];
}

void ode_slide(Ode *o, double t) {
    ode_on_line(o, t, o->y);
    o->t = t;
    o->f_valid = false;
}

void ode_creep(Ode *o, double t) {
    memcpy(o->last.y, o->y, sizeof(double) * (size_t)o->n);
    memset(o->last.k, 0, sizeof(double) * (size_t)o->n * (size_t)o->method->dense_stages);
    o->last.t = o->t;
    o->last.h = t - o->t;
    o->last.share = 1.0;
    o->last.method = o->method;
    o->last.ready = true;
    o->last.swept = false;
    ode_slide(o, t);
}

Status ode_plain_dense(Ode *o, double t, double *x) {
    const Method *m = o->last.method;
    if (m->dense_stages > m->stages) return dense_value(o, t, x);
    dense_polynomial(o, (t - o->last.t) / o->last.h, x);
    return STATUS_OK;
}

/* Coefficients of powers of theta from the slopes k of a step of length h that starts at x. */
static int curve(const Ode *o, const Method *m, double h, double x, const double *k,
                 double *c) {
    const double scale = m->kind == METHOD_ROSENBROCK ? 1.0 : h;
    c[0] = x;
    for (int q = 0; q < m->powers; q++) {
        double sum = 0.0;
        for (int j = 0; j < m->dense_stages; j++)
            sum += m->dense[j * m->powers + q] * k[(size_t)j * o->n];
        c[q + 1] = scale * sum;
    }
    return m->powers;
}

int ode_curve(const Ode *o, int i, double *c) {
    return curve(o, o->last.method, o->last.h, o->last.y[i], o->last.k + i, c);
}

int ode_curve_degree(Ode *o) {
    const Method *m = o->last.method;
    if (!m) return -1; /* time did not move */
    return m->dense_stages > m->stages && dense_prepare(o) != STATUS_OK ? -1 : m->powers;
}

bool ode_dense_known(Ode *o, const unsigned char *known) {
    o->last.known = known;
    return o->last.ready;
}

/* ---- the attempt under review ------------------------------------------------------------ */

void ode_review(Ode *o, OdeReview *review, void *owner) {
    o->review = review;
    o->owner = owner;
}

void ode_rescue(Ode *o, OdeRescue *rescue) {
    o->rescue = rescue;
}

void ode_refuse(Ode *o, Status status) {
    o->refused = status;
}

double *ode_attempt(Ode *o) {
    return o->next.y;
}

int ode_attempt_curve(const Ode *o, int i, double h, double *c) {
    return curve(o, o->method, h, o->y[i], o->next.k + i, c);
}

Status ode_attempt_dense(Ode *o, double h) {
    return dense_attempt(o, h);
}

bool ode_attempt_calm(const Ode *o) {
    return o->next.calm;
}

void ode_attempt_flat(Ode *o, int i) {
    for (int j = 0; j < o->method->stages; j++) o->next.k[(size_t)j * o->n + i] = 0.0;
}

double *ode_attempt_slopes(Ode *o) {
    return o->next.f_valid ? o->next.f : NULL;
}

void ode_attempt_forget_slopes(Ode *o) {
    o->next.f_valid = false;
}

Status ode_attempt_find_slopes(Ode *o, double t) {
    if (o->next.f_valid) return STATUS_OK;
    const Status status = core_eval(o, t, o->next.y, o->next.f);
    o->next.f_valid = status == STATUS_OK;
    o->next.f_exact = true;
    return status;
}

void ode_attempt_end(Ode *o, double t) {
    o->next.end = t;
}

Status ode_attempt_error(Ode *o, double h, double theta, double *error) {
    return defect_at(o, h, theta, error);
}

/* ---- questions --------------------------------------------------------------------------- */

OdeTolerance ode_tolerance(const Ode *o) {
    return (OdeTolerance){.weight = o->tol.weight,
                          .absolute = o->tol.atol,
                          .relative = o->tol.rtol,
                          .looser = o->tol.looser,
                          .relative_now = o->tol.rtol_now};
}
const double *ode_state_last(const Ode *o) {
    return o->last.y;
}
void ode_blame(Ode *o, const Fault *fault) {
    o->fault = *fault;
}
double ode_length(const Ode *o) {
    return o->last.h;
}
bool ode_slope_known(const Ode *o) {
    return o->f_valid;
}
double ode_fixed_step(const Ode *o) {
    return o->options.h_fixed;
}
const Method *ode_running(const Ode *o) {
    return o->method;
}
const double *ode_jacobian(const Ode *o) {
    return o->lin.jac_valid ? o->lin.jac : NULL;
}
const Shift *ode_shift(const Ode *o) {
    return o->lin.shift;
}
int ode_candidate(const Ode *o) {
    return o->choice.automatic ? o->choice.current : -1;
}
void ode_choose(Ode *o, int candidate) {
    core_select(o, candidate);
}
