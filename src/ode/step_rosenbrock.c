/* SPDX-License-Identifier: Apache-2.0 */
/* step_rosenbrock.c -- one step of any Rosenbrock method: one Jacobian, one
 * factorisation, one solve per stage, no iteration.
 *
 *   (I / (h gamma) - J) u_i = f(t + c_i h, y + sum a_ij u_j) + sum c_ij u_j / h
 *                             + h d_i df/dt
 *   y_new = y + sum m_i u_i,   error = sum e_i u_i.
 * The Jacobian must be that of the current point: these methods lose order without it.
 * Literature: Hairer, Wanner II, IV.7. */
#include <string.h>

#include "ode/core.h"

Status step_rosenbrock(Ode *o, double h) {
    const Method *m = o->method;
    const int     n = o->n, s = m->stages;
    double       *dt = o->work.g;
    if (!o->lin.jac_current) core_refresh(o);
    Status status = core_prepare(o, h, 0.0);
    if (status != STATUS_OK) return status;
    status = view_time_derivative(o->view, o->t, o->y, o->f, h, dt);
    if (status != STATUS_OK) return status;
    const bool autonomous =
        o->view->model->flags & MODEL_AUTONOMOUS && !o->view->boundary;
    for (int i = 0; i < s; i++) {
        double *u = o->next.k + (size_t)i * n;
        if (i == 0) {
            memcpy(u, o->f, sizeof(double) * (size_t)n);
        } else {
            core_combine(n, i, m->ua + (size_t)i * s, 1.0, o->next.k, o->y,
                         o->work.start);
            status = core_eval(o, o->t + m->c[i] * h, o->work.start, u);
            if (status != STATUS_OK) return status;
            core_combine(n, i, m->uc + (size_t)i * s, 1.0 / h, o->next.k, u, u);
        }
        if (!autonomous && m->ud[i] != 0.0) {
            const double scale = h * m->ud[i];
            for (int v = 0; v < n; v++) u[v] += scale * dt[v];
        }
        shift_solve(o->lin.shift, 0, u);
    }
    o->stats.stages_implicit += s;
    core_combine(n, s, m->um, 1.0, o->next.k, o->y, o->next.y);
    core_combine(n, s, m->ue, 1.0, o->next.k, NULL, o->next.err);
    o->next.f_valid = false;
    return STATUS_OK;
}
