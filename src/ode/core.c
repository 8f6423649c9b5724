/* SPDX-License-Identifier: Apache-2.0 */
/* core.c -- what all steppers need: linear combinations, norms, Jacobian and factors kept
 * as long as they serve, the convergence test, the first step. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "ode/core.h"

void core_combine(int n, int m, const double *c, double scale, const double *k,
                  const double *base, double *out) {
    if (n < 8) { /* all terms of one entry at a time */
        for (int v = 0; v < n; v++) {
            double sum = base ? base[v] : 0.0;
            for (int j = 0; j < m; j++)
                if (c[j] != 0.0) sum += scale * c[j] * k[(size_t)j * n + v];
            out[v] = sum;
        }
        return;
    }
    double        use[METHOD_STAGES];
    const double *row[METHOD_STAGES];
    int           count = 0;
    for (int j = 0; j < m; j++)
        if (c[j] != 0.0) {
            use[count] = scale * c[j];
            row[count++] = k + (size_t)j * n;
        }
    if (count == 0 && !base) memset(out, 0, sizeof(double) * (size_t)n);
    if (count == 0 && base && base != out) memcpy(out, base, sizeof(double) * (size_t)n);
    for (int j = 0; j < count;) { /* several terms per pass over memory */
        const double *b = j == 0 ? base : out;
        const int     left = count - j;
        const double *p = row[j], c0 = use[j];
        if (left >= 4) {
            const double *q = row[j + 1], *r = row[j + 2], *s = row[j + 3];
            const double  c1 = use[j + 1], c2 = use[j + 2], c3 = use[j + 3];
            if (b)
                for (int v = 0; v < n; v++)
                    out[v] = b[v] + (c0 * p[v] + c1 * q[v]) + (c2 * r[v] + c3 * s[v]);
            else
                for (int v = 0; v < n; v++)
                    out[v] = (c0 * p[v] + c1 * q[v]) + (c2 * r[v] + c3 * s[v]);
            j += 4;
        } else if (left >= 2) {
            const double *q = row[j + 1], c1 = use[j + 1];
            if (b)
                for (int v = 0; v < n; v++) out[v] = b[v] + (c0 * p[v] + c1 * q[v]);
            else
                for (int v = 0; v < n; v++) out[v] = c0 * p[v] + c1 * q[v];
            j += 2;
        } else {
            if (b)
                for (int v = 0; v < n; v++) out[v] = b[v] + c0 * p[v];
            else
                for (int v = 0; v < n; v++) out[v] = c0 * p[v];
            j++;
        }
    }
}

double core_square(int n, const double *v, const double *weight) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double e = v[i] * weight[i];
        sum += e * e;
    }
    return sum;
}

void core_total(const Ode *o, double *sum, int n) {
    const Model *m = o->view->model;
    if (m->fn->total) m->fn->total(m->instance, TOTAL_SUM, sum, n);
}

double core_most(const Ode *o, double value) {
    const Model *m = o->view->model;
    if (m->fn->total) m->fn->total(m->instance, TOTAL_MOST, &value, 1);
    return value;
}

double core_mean(const Ode *o, double sum) {
    core_total(o, &sum, 1);
    return o->all > 0 ? sqrt(sum / o->all) : 0.0;
}

double core_norm(const Ode *o, const double *v, const double *weight) {
    return core_mean(o, core_square(o->n, v, weight));
}

double core_judge(const Ode *o, int *worst) {
    double sum = 0.0, most = -1.0;
    for (int i = 0; i < o->n; i++) {
        const double size = fmax(fabs(o->y[i]), fabs(o->next.y[i]));
        const double e =
            o->next.err[i] / (o->tol.looser * o->tol.atol[i] + o->tol.rtol_now * size);
        const double part = e * e;
        sum += part + 0.0 * o->next.y[i]; /* not finite if the state is not */
        if (!(part <= most)) most = part, *worst = i;
    }
    return core_mean(o, sum);
}

Status core_eval(Ode *o, double t, const double *x, double *dx) {
    const Status status = view_eval(o->view, t, x, dx);
    if (status != STATUS_OK) {
        o->fault = o->view->fault;
        if (!o->fault.what) o->fault.what = status_text(status);
    }
    return status;
}

Status core_not_finite(Ode *o, double t, const double *v) {
    o->fault = fault_none();
    o->fault.time = t;
    o->fault.what = status_text(STATUS_NOT_FINITE);
    for (int i = 0; i < o->n && o->fault.variable < 0; i++)
        if (!isfinite(v[i])) o->fault.variable = selection_row(&o->view->rows, i);
    return STATUS_NOT_FINITE;
}

void core_refresh(Ode *o) {
    if (o->lin.constant && o->lin.jac_valid) return;
    o->lin.jac_valid = false;
}

static Status factor(Ode *o, double h) {
    const Method *m = o->method;
    Status        status;
    o->lin.lu_valid = false;
    if (m->kind != METHOD_FIRK) {
        status = shift_factor(o->lin.shift, 0, o->lin.jac, 1.0 / (h * m->gamma));
        if (status != STATUS_OK) return status;
    } else {
        for (int r = 0; r < m->reals; r++) {
            status = shift_factor(o->lin.shift, r, o->lin.jac, m->lambda[r] / h);
            if (status != STATUS_OK) return status;
        }
        for (int p = 0; p < m->pairs; p++) {
            const double *l = m->lambda + m->reals + 2 * p;
            status =
                shift_factor_complex(o->lin.shift, p, o->lin.jac, l[0] / h, l[1] / h);
            if (status != STATUS_OK) return status;
        }
    }
    o->lin.lu_valid = true;
    o->lin.lu_h = h;
    o->lin.lu_method = o->method;
    return STATUS_OK;
}

/* After an event the state lies on a border of the model, and differences in single coordinates may
 * reach across it whichever way they go: the entry is then a jump divided by a rounding-sized
 * distance, and Newton's method believes in a stiffness that is not there. It is content with the
 * Jacobian a little further on. */
static bool jacobian_ahead(Ode *o, double h) {
    const ModelFunctions *fn = o->view->model->fn;
    const double          by = 1e-3 * h;
    const bool newton = o->method->kind == METHOD_FIRK || o->method->kind == METHOD_DIRK;
    if (!o->jumped || !o->f_valid || !newton || !(fn->jacobian || fn->tangent))
        return false;
    for (int i = 0; i < o->n; i++) o->work.start[i] = o->y[i] + by * o->f[i];
    return view_jacobian(o->view, o->t + by, o->work.start, o->f, o->tol.weight,
                         o->lin.jac) == STATUS_OK;
}

Status core_prepare(Ode *o, double h, double reuse) {
    if (!o->lin.jac_valid) {
        const ModelFunctions *fn = o->view->model->fn;
        if (!o->f_exact && !fn->jacobian &&
            !fn->tangent) { /* differences need f itself */
            const Status evaluated = core_eval(o, o->t, o->y, o->f);
            if (evaluated != STATUS_OK) return evaluated;
            o->f_exact = true;
        }
        Status status = STATUS_OK;
        if (!jacobian_ahead(o, h))
            status = view_jacobian(o->view, o->t, o->y, o->f, o->tol.weight, o->lin.jac);
        if (status != STATUS_OK) {
            o->fault = o->view->fault;
            return status;
        }
        o->lin.jac_valid = o->lin.jac_current = true;
        o->lin.jac_age = 0;
        o->lin.lu_valid = false;
    }
    if (o->lin.lu_valid && o->lin.lu_method == o->method &&
        fabs(h / o->lin.lu_h - 1.0) <= reuse)
        return STATUS_OK;
    const Status status = factor(o, h);
    if (status != STATUS_OK) {
        o->fault = fault_none();
        o->fault.time = o->t;
        o->fault.what = status_text(status);
        if (o->lin.shift->singular >= 0)
            o->fault.variable = selection_row(&o->view->rows, o->lin.shift->singular);
    }
    return status;
}

/* Hairer and Wanner II, IV.8, with a bound on what is believed: a first correction that is large in
 * some components hides that others do not converge at all, as after a jump of the Jacobian. */
NewtonVerdict core_newton(Ode *o, int round, int most, double delta, double *before) {
    Newton *w = &o->newton;
    if (delta == 0.0) {
        if (round > 0) w->eta = 0.0;
        return NEWTON_DONE;
    }
    if (round == 0) {
        *before = delta;
        w->rate = 0.0;
        w->eta = pow(fmax(w->eta, 3e-3), 0.8); /* trust fades unless renewed */
        return w->eta * delta <= o->tol.kappa ? NEWTON_DONE : NEWTON_GO_ON;
    }
    double theta = delta / *before;
    if (w->rate > 0.0) theta = sqrt(theta * w->rate);
    w->rate = delta / *before;
    w->theta = fmax(w->theta, theta);
    *before = delta;
    if (theta >= 0.99) {
        w->shrink = 0.5;
        return NEWTON_FAILED;
    }
    w->eta = fmax(theta / (1.0 - theta), 1e-3);
    if (w->eta * delta <= o->tol.kappa) return NEWTON_DONE;
    const int    left = most - 1 - round;
    const double expected = delta * pow(theta, left) / (1.0 - theta) / o->tol.kappa;
    if (left <= 0 || expected >= 1.0) {
        w->shrink = 0.8 * pow(fmin(20.0, fmax(1.0, expected)), -1.0 / (4 + left));
        return NEWTON_FAILED;
    }
    return NEWTON_GO_ON;
}

void core_weights(Ode *o) {
    const double scale = o->tol.looser, r = o->tol.rtol_now;
    for (int i = 0; i < o->n; i++)
        o->tol.weight[i] = 1.0 / (scale * o->tol.atol[i] + r * fabs(o->y[i]));
}

/* Step from the sizes of the state, its slope and the change of the slope, for the order
 * of the estimate (Hairer, Norsett, Wanner I, II.4). Costs one evaluation. */
Status core_start_step(Ode *o) {
    const int    n = o->n;
    const double d0 = core_norm(o, o->y, o->tol.weight),
                 d1 = core_norm(o, o->f, o->tol.weight);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    if (!isfinite(d0) || !isfinite(d1))
        return core_not_finite(o, o->t, isfinite(d0) ? o->f : o->y);
    if (o->options.h_max > 0.0) h0 = fmin(h0, o->options.h_max);
    for (int i = 0; i < n; i++) o->work.start[i] = o->y[i] + h0 * o->f[i];
    const Status status = core_eval(o, o->t + h0, o->work.start, o->work.tmp);
    if (status == STATUS_FATAL) return status;
    double d2 = HUGE_VAL;
    if (status == STATUS_OK) {
        for (int i = 0; i < n; i++) o->work.tmp[i] -= o->f[i];
        d2 = core_norm(o, o->work.tmp, o->tol.weight) / h0;
    }
    if (!isfinite(d2)) {
        o->h = 0.01 * h0;
        return STATUS_OK;
    }
    const double most = fmax(d1, d2);
    const double h1 = most <= 1e-15 ? fmax(1e-6, h0 * 1e-3)
                                    : pow(0.01 / most, 1.0 / (o->method->estimate + 1));
    o->h = fmin(100.0 * h0, h1);
    return STATUS_OK;
}
