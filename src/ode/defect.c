/* SPDX-License-Identifier: Apache-2.0 */
/* defect.c -- the error of the dense output inside the attempted step, added to that of its end.
 *
 * A stiff component that follows an input is right at the stages of an implicit method, however long
 * the step is; between them the polynomial u of the step may be anything. Therefore the model is
 * evaluated once more, between the two stages that are farthest apart. The error e of u there obeys
 * e' - J e = u' - f(t, u), and (lambda/h - J)^-1 (u' - f) is an estimate of it: of stiff components
 * -J^-1 (u' - f), of the others a share of h (u' - f). The factors are those of the step. An error of
 * INSIDE tolerances counts as one of one tolerance at the end, state by state: the review of a step
 * and the choice of rates see it as well. Where the polynomial is to be lifted by sweeps (dense.c) and
 * is not good enough without, they are made at once and judged by their last corrections.
 *
 * Explicit methods are looked at where the step is long against what the right-hand side does: where
 * slopes change by more than FAST times what moves the state, as where an input pulses or a kink has been
 * passed. Then the estimate, a small share of the slopes, says little. Without factors h (u' - f) counts.
 *
 * Steps that are long against the whole simulation are looked at in several places, for pulses of inputs.
 *
 * Cost: an evaluation and a solve a step of implicit methods, an evaluation in few steps of explicit
 * ones. Literature: Enright 1989 on control of the defect; Hairer,
 * Wanner 1996, IV.8 on the filter. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/core.h"

static const double INSIDE = 4.0;  /* tolerances inside that are as one at the end */
static const double PULSE = 100.0; /* tolerances that only a pulse leaves inside */
static const double SHARE =
    0.47; /* of the gap between two stages: where it is looked at */
static const double FAST = 10.0; /* beyond what stability allows */

/* The next stage after a place of the step, or its end. */
static double next_stage(const Method *m, double after) {
    double to = 1.0;
    for (int j = 0; j < m->stages; j++)
        if (m->c[j] > after + 1e-9 && m->c[j] < to) to = m->c[j];
    return to;
}

/* Between the two stages, ends of the step among them, that are farthest apart. */
static double widest_gap(const Method *m) {
    double at = 0.5, widest = 0.0;
    for (int i = -1; i < m->stages; i++) {
        const double from = i < 0 ? 0.0 : m->c[i], to = next_stage(m, from);
        if (from < 0.0 || from >= 1.0 || to - from <= widest) continue;
        widest = to - from;
        at = from + SHARE * widest;
    }
    return at;
}

static void weigh(const Method *m, double theta, DenseWeights *at) {
    at->theta = theta;
    for (int j = 0; j < m->dense_stages; j++) {
        const double *row = m->dense + (size_t)j * m->powers;
        long double   value = 0, change = 0;
        for (int q = m->powers - 1; q >= 0; q--) {
            value = (value + row[q]) * theta;
            change = change * theta + (q + 1) * row[q];
        }
        at->value[j] = (double)value;
        at->slope[j] = (double)change;
    }
}

void defect_prepare(Method *m) {
    weigh(m, widest_gap(m), &m->look);
}

/* Value and slope of the polynomial of the attempt. */
static void attempt_at(const Ode *o, double h, const DenseWeights *at, double *u,
                       double *slope) {
    const Method *m = o->method;
    const bool    increments = m->kind == METHOD_ROSENBROCK;
    core_combine(o->n, m->dense_stages, at->value, increments ? 1.0 : h, o->next.k, o->y,
                 u);
    core_combine(o->n, m->dense_stages, at->slope, increments ? 1.0 / h : 1.0, o->next.k,
                 NULL, slope);
}

/* v := (lambda/h - J)^-1 v with the factors of the step. */
static void solve(Ode *o, double *v) {
    const Method *m = o->method;
    if (m->kind != METHOD_FIRK || m->reals > 0) {
        shift_solve(o->lin.shift, 0, v);
        return;
    }
    for (int i = 0; i < o->n; i++)
        o->work.tmp[2 * i] = v[i], o->work.tmp[2 * i + 1] = 0.0;
    shift_solve_complex(o->lin.shift, 0, o->work.tmp);
    for (int i = 0; i < o->n; i++) v[i] = o->work.tmp[2 * i];
}

/* How far the slopes of the stages are from the first one, squared; the first one's own size. */
static double slope_changes(const Ode *o, double *changed) {
    const Method *m = o->method;
    double        first = 0.0;
    for (int v = 0; v < o->n; v++) {
        const double w = o->tol.weight[v], k0 = o->next.k[v] * w;
        first += k0 * k0;
    }
    for (int i = 1; i < m->stages; i++) {
        const double *k = o->next.k + (size_t)i * o->n;
        double        sum = 0.0;
        for (int v = 0; v < o->n; v++) {
            const double by = (k[v] - o->next.k[v]) * o->tol.weight[v];
            sum += by * by;
        }
        changed[i] = sum;
    }
    changed[0] = first;
    core_total(o, changed, m->stages);
    return sqrt(changed[0]);
}

/* What moves the state to stage i, squared. */
static double movement(const Ode *o, int i) {
    const Method *m = o->method;
    double        sum = 0.0;
    for (int v = 0; v < o->n; v++) {
        double by = 0.0;
        for (int j = 0; j < i; j++)
            by += m->a[i * m->stages + j] * o->next.k[(size_t)j * o->n + v];
        by *= o->tol.weight[v];
        sum += by * by;
    }
    core_total(o, &sum, 1);
    return sum;
}

/* Of an explicit step: does f change from the beginning to a stage by more than FAST / h times what
 * moves the state to it? A kink may be seen by one stage alone. The movement is at least
 * |c_i| |k_1| - sum |a_ij| |k_j - k_1|, which mostly is enough to know. */
static bool long_step(const Ode *o, double h) {
    const Method *m = o->method;
    double        changed[METHOD_STAGES] = {0};
    const double  first = slope_changes(o, changed);
    for (int i = 1; i < m->stages; i++) {
        if (h * h * changed[i] <= o->all) continue;
        double least = fabs(m->c[i]) * first;
        for (int j = 1; j < i; j++)
            least -= fabs(m->a[i * m->stages + j]) * sqrt(changed[j]);
        if (least > 0.0 && changed[i] <= FAST * FAST * least * least) continue;
        if (changed[i] > FAST * FAST * movement(o, i)) return true;
    }
    return false;
}

/* Is the attempt within the tolerance, as far as is known? If not it is rejected anyway. */
static bool is_good(const Ode *o) {
    int worst;
    return core_judge(o, &worst) <= 1.0;
}

static bool looks_inside(const Ode *o, double h) {
    const Method *m = o->method;
    if (!m->adaptive || o->options.h_fixed > 0.0 || o->n == 0) return false;
    if (o->options.end_only) return false;
    if (m->kind != METHOD_EXPLICIT) return o->lin.lu_valid;
    if ((!o->review || o->first_step) && !is_good(o)) return false;
    const bool stabilised = m->stages > 3 * m->order; /* made for fast components */
    return m->stages > 1 && !stabilised && long_step(o, h);
}

/* The error of the polynomial at a point, as above; `by`: the part of the step that an explicit one is
 * blamed for. Not finite: nothing is known. */
static Status error_at(Ode *o, double h, const DenseWeights *at, double by, double *e,
                       double *size) {
    double *u = o->work.start, *f = o->work.g;
    attempt_at(o, h, at, u, e);
    const Status status = core_eval(o, o->t + at->theta * h, u, f);
    if (status != STATUS_OK) return status;
    for (int i = 0; i < o->n; i++) e[i] -= f[i];
    if (o->method->kind != METHOD_EXPLICIT) solve(o, e);
    else
        for (int i = 0; i < o->n; i++) e[i] *= by;
    *size = core_norm(o, e, o->tol.weight);
    return STATUS_OK;
}

Status defect_at(Ode *o, double h, double theta, double *e) {
    DenseWeights at;
    double       size;
    weigh(o->method, theta, &at);
    return error_at(o, h, &at, h, e, &size);
}

static void blame(Ode *o, const double *e, double part) {
    for (int i = 0; i < o->n; i++) {
        const double own = part * fabs(e[i]) * o->tol.looser / INSIDE;
        if (own > fabs(o->next.err[i])) o->next.err[i] = own;
    }
}

/* What comes and goes inside a long step, as a pulse of an input while nothing else moves, is seen by
 * no stage. Stages and points beside them are nowhere farther apart than the options say, by irrational shares. */
static Status pulses_add(Ode *o, double h) {
    const Method *m = o->method;
    double       *e = o->work.sweep, size;
    for (double from = 0.0, to; from < 1.0; from = to) {
        to = next_stage(m, from);
        const int looks = (int)fmin((to - from) * h / o->options.h_look, 1000.0);
        for (int k = 0; k < looks; k++) {
            DenseWeights at;
            weigh(m, from + (to - from) * (k + 0.382) / looks, &at);
            const Status status = error_at(o, h, &at, (to - from) * h / looks, e, &size);
            if (status != STATUS_OK) return status;
            if (!(size > PULSE)) continue;
            blame(o, e, 1.0);
            o->next.swept = false;
            return STATUS_OK;
        }
    }
    return STATUS_OK;
}

static bool may_hide_pulses(const Ode *o, double h) {
    const Method *m = o->method;
    return o->options.h_look > 0.0 && h > o->options.h_look && m->adaptive &&
           !(o->options.h_fixed > 0.0) && o->n > 0 && m->stages <= 3 * m->order &&
           (m->kind == METHOD_EXPLICIT || o->lin.lu_valid) && is_good(o);
}

/* The defect at a place of the step and beside it: if a stage of the dense output is at the place, the polynomial
 * is right there and wrong beside it. */
static Status move_add(Ode *o, double h, const InputMove *move) {
    double *e = o->work.sweep, size;
    Status  status = STATUS_OK;
    for (int k = -1; k <= 1 && status == STATUS_OK; k++) {
        const double theta = (move->at + k * move->length - o->t) / h;
        DenseWeights at;
        if (!(theta >= 0.0 && theta <= 1.0)) continue;
        weigh(o->method, theta, &at);
        status = error_at(o, h, &at, move->length, e, &size);
        if (status == STATUS_OK) blame(o, e, 1.0);
    }
    return status;
}

/* What drives the states comes and goes between the stages: the model knows where. There the defect lasts as
 * long as that. Every input is looked at: which of them a state feels is not known here. */
static Status moves_add(Ode *o, double h, bool *moved) {
    const Model *m = o->view->model;
    const Range  step = {o->t, o->t + h};
    InputSearch  search = {0};
    InputMove    move;
    Status       status = STATUS_OK;
    while (status == STATUS_OK && m->fn->moves(m->instance, step, &search, &move)) {
        if (!*moved) status = dense_attempt(o, h);
        *moved = true;
        if (status == STATUS_OK) status = move_add(o, h, &move);
        if (!o->review && !is_good(o)) break;
    }
    return status;
}

static bool may_hide_moves(const Ode *o) {
    const Method *m = o->method;
    return o->view->model->fn->moves && m->adaptive && !(o->options.h_fixed > 0.0) &&
           o->n > 0 && (m->kind == METHOD_EXPLICIT || o->lin.lu_valid) &&
           ((o->review && !o->first_step) || is_good(o));
}

Status defect_add(Ode *o, double h) {
    const Method *m = o->method;
    const int     n = o->n;
    double       *e = o->work.sweep, size = 0.0, part = 1.0;
    const bool    once = looks_inside(o, h);
    o->next.swept = o->next.calm = false;
    if (may_hide_moves(o)) {
        bool         moved = false;
        const Status moves = moves_add(o, h, &moved);
        o->next.calm = !moved;
        if (moves != STATUS_OK || moved) return moves;
    }
    if (!once && !may_hide_pulses(o, h)) return STATUS_OK;
    Status status = dense_attempt(o, h);
    if (status == STATUS_OK && once) status = error_at(o, h, &m->look, h, e, &size);
    if (status != STATUS_OK || !isfinite(size)) return status;
    if (once && m->sweeps > 0 &&
        size > INSIDE) { /* f is overwritten, e lives on among the errors */
        double left = HUGE_VAL;
        for (int i = 0; i < n; i++) o->next.f[i] = e[i];
        e = o->next.f;
        o->next.f_valid = false;
        o->next.swept = dense_sweep_attempt(o, h, &left);
        if (o->next.swept) part = fmin(left / size, 1.0);
    }
    if (once) blame(o, e, part);
    return !o->next.swept && may_hide_pulses(o, h) ? pulses_add(o, h) : STATUS_OK;
}
