/* SPDX-License-Identifier: Apache-2.0 */
/* integrator.c -- the step: attempt, judge, accept or repeat.
 *
 * Rules. (1) A rejected step shrinks by what the error says, a failed Newton iteration by
 * what its rate says; a Jacobian that is not of this point is renewed before the step is
 * blamed. (2) A step cut to end at a limit does not change what the controller knows.
 * (3) High-order methods whose estimate has a lower order get a transformed tolerance, so
 * that the error made, not the estimate, is near the one asked for. (4) After an event the
 * step that suited the first one after the event before is tried; an event that changes
 * neither the state nor its slope leaves the step as it is. (5) Where a shorter step makes no
 * smaller error it has not yet come down to a transient, and the step shrinks by ten. (6) Failures end
 * with a status and a fault when the step falls below the resolution of time; every
 * repetition shrinks the step or renews the Jacobian, so there is no endless loop. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/core.h"

static Status attempt(Ode *o, double h) {
    o->next.f_exact = o->method->kind == METHOD_EXPLICIT;
    o->next.dense = false;
    switch (o->method->kind) {
    case METHOD_EXPLICIT: return step_explicit(o, h);
    case METHOD_DIRK: return step_dirk(o, h);
    case METHOD_ROSENBROCK: return step_rosenbrock(o, h);
    default: return step_firk(o, h);
    }
}

/* ---- set-up ------------------------------------------------------------------------ */

void core_select(Ode *o, int candidate) {
    const Method *m = o->choice.candidate[candidate];
    o->choice.current = candidate;
    o->method = m;
    double rtol = o->tol.rtol;
    if (m->kind == METHOD_FIRK && m->estimate < m->order && !o->options.exact_tolerance) {
        const double e = (m->estimate + 1.0) / (m->order + 1.0);
        rtol = fmax(o->tol.rtol, 0.1 * pow(o->tol.rtol, e));
    }
    o->tol.rtol_now = rtol;
    o->tol.looser = rtol / o->tol.rtol;
    const double least = 10.0 * DBL_EPSILON / rtol;
    const double kappa =
        m->kind == METHOD_FIRK ? fmin(0.03, 0.2 * o->tol.rtol / rtol) : 0.03;
    o->tol.kappa = fmax(least, o->options.kappa > 0.0 ? o->options.kappa : kappa);
    o->control.kind = o->options.control;
    if (o->control.kind == CONTROL_DEFAULT)
        o->control.kind = m->kind == METHOD_FIRK || m->kind == METHOD_ROSENBROCK
                              ? CONTROL_PREDICTIVE
                              : CONTROL_PI;
    o->control.order = m->estimate;
    o->newton = (Newton){.eta = 1.0, .shrink = 0.5};
    o->lin.lu_valid = false;
    o->choice.since_change = 0;
    memset(o->predictor.score, 0, sizeof o->predictor.score);
    control_reset(&o->control);
}

static bool make_methods(Ode *o) {
    const char *names[CANDIDATES];
    int         count = 1;
    if (o->options.shared) {
        o->choice.candidate[0] = o->options.shared;
        o->choice.candidates = 1;
        return true;
    }
    names[0] = o->options.method ? o->options.method : "auto";
    o->choice.automatic = strcmp(names[0], "auto") == 0;
    if (o->choice.automatic && !automatic_candidates(o, names, &count)) return false;
    for (int i = 0; i < count; i++) {
        o->choice.candidate[i] = methods_take(o->options.pool, names[i]);
        if (!o->choice.candidate[i]) return false;
        o->choice.candidates = i + 1;
    }
    return true;
}

static bool make_memory(Ode *o) {
    const size_t n = (size_t)o->n;
    size_t       stages = 1, core = 2;
    int          reals = 0, pairs = 0;
    bool         sweeps = false;
    for (int i = 0; i < o->choice.candidates; i++) {
        const Method *m = o->choice.candidate[i];
        if ((size_t)m->stages > stages) stages = (size_t)m->stages;
        if ((size_t)m->dense_stages > stages) stages = (size_t)m->dense_stages;
        if ((size_t)m->core > core) core = (size_t)m->core;
        if (m->kind != METHOD_EXPLICIT && reals == 0) reals = 1;
        if (m->reals > reals) reals = m->reals;
        if (m->pairs > pairs) pairs = m->pairs;
        sweeps = sweeps || m->kind == METHOD_FIRK;
    }
    const size_t rows = 11 + 2 * stages + 3 * core + 2 + (sweeps ? 16 : 1);
    o->memory = calloc(rows * n + 16, sizeof(double));
    if (!o->memory) return false;
    double  *p = o->memory;
    double **one[] = {&o->y,          &o->f,          &o->last.y,
                      &o->next.y,     &o->next.f,     &o->next.err,
                      &o->work.start, &o->tol.weight, &o->tol.atol};
    for (int i = 0; i < LENGTH(one); i++) *one[i] = p, p += n;
    o->next.k = p, p += stages * n;
    o->last.k = p, p += stages * n;
    o->work.z = p, p += core * n;
    o->work.w = p, p += core * n;
    o->work.g = p, p += core * n;
    o->work.tmp = p, p += 2 * n + 2;
    o->work.sweep = p;
    if (reals + pairs == 0) return true;
    o->lin.jac = malloc(sizeof(double) * ((size_t)pattern_entries(o->view->pattern) + 1));
    const Seam *seam = o->view->model->seam;
    o->lin.shift = seam ? shift_new_part(o->view->model, reals, pairs, o->options.linear)
                        : shift_new(o->view->pattern, reals, pairs, o->options.linear);
    if (seam) o->lin.seam = malloc(sizeof(double) * 2 * ((size_t)seam->count + 1));
    return o->lin.jac && o->lin.shift && (o->lin.seam || !seam);
}

Ode *ode_new(View *view, const OdeOptions *options, double t, const double *x,
             Status *status) {
    static const OdeOptions none = {0};
    Ode                    *o = calloc(1, sizeof *o);
    *status = STATUS_NO_MEMORY;
    if (!o) return NULL;
    o->view = view;
    o->options = options ? *options : none;
    o->n = view->n;
    o->all = view->model->fn->total ? view->model->all : view->n;
    o->t = o->last.t = t;
    o->fault = fault_none();
    o->tol.rtol = o->options.rtol > 0.0 ? o->options.rtol : 1e-6;
    if (o->tol.rtol < 4.0 * DBL_EPSILON) {
        *status = STATUS_TOLERANCE;
        free(o);
        return NULL;
    }
    if (!make_methods(o)) {
        const char *name = o->options.method;
        if (!o->choice.automatic && !method_known(name)) *status = STATUS_ARGUMENT;
        ode_free(o);
        return NULL;
    }
    if (!make_memory(o)) {
        ode_free(o);
        return NULL;
    }
    const Model *m = view->model;
    const double plain = o->options.atol > 0.0 ? o->options.atol : o->tol.rtol;
    for (int i = 0; i < o->n; i++) {
        const int    row = selection_row(&view->rows, i);
        const double nominal = m->nominal ? fabs(m->nominal[row]) : 1.0;
        o->tol.atol[i] = o->options.atols ? o->options.atols[i] : plain * nominal;
    }
    o->options.atols = NULL; /* belong to the caller */
    memcpy(o->y, x, sizeof(double) * (size_t)o->n);
    o->lin.constant = (m->flags & MODEL_LINEAR) && (m->fn->jacobian || m->fn->tangent);
    /* A sparse factorisation costs many solves: it pays to iterate a little longer. */
    const bool   costly = o->lin.shift && o->lin.shift->kind == SHIFT_SPARSE;
    const double spread = log1p(view->colouring.colours) / log1p(o->all);
    o->lin.theta_keep = costly         ? 0.1
                        : o->all <= 16 ? 1e-3
                                       : pow(10.0, -3.0 + 1.75 * spread);
    o->lin.keep_zone = costly ? 1.6 : 1.2;
    o->first_step = true;
    core_select(o, o->choice.start_with);
    *status = STATUS_OK;
    return o;
}

void ode_free(Ode *o) {
    if (!o) return;
    for (int i = 0; i < o->choice.candidates && !o->options.shared; i++)
        methods_give(o->options.pool, o->choice.candidate[i]);
    shift_free(o->lin.shift);
    free(o->lin.jac), free(o->lin.seam), free(o->memory), free(o);
}

/* ---- one step ---------------------------------------------------------------------- */

static Status give_up(Ode *o, Status status) {
    if (o->fault.what == NULL) o->fault.what = status_text(status);
    o->fault.time = o->t;
    return status;
}

/* The state that moves fastest: blamed when nothing better is known. */
static int steepest(const Ode *o) {
    int    at = 0;
    double most = -1.0;
    for (int i = 0; i < o->n; i++) {
        const double speed = fabs(o->f[i]) * o->tol.weight[i];
        if (speed > most) most = speed, at = i;
    }
    return at;
}

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

/* Smaller when Newton worked hard, so that the next step is likely to converge. */
static double safety(const Ode *o) {
    if (o->method->kind != METHOD_FIRK) return 0.9;
    const int most = 7 + 2 * (o->method->core > 3 ? o->method->core - 3 : 0);
    return 0.9 * (2.0 * most + 1.0) / (2.0 * most + o->newton.iterations);
}

static void next_step(Ode *o, double h, double err, bool cut) {
    if (o->options.h_fixed > 0.0) return;
    double factor = safety(o) * control_factor(&o->control, err, h);
    factor = fmin(fmax(factor, 0.2), o->first_step ? 10.0 : 8.0);
    if (o->control.rejected) factor = fmin(factor, 1.0);
    const bool implicit = o->method->kind == METHOD_FIRK;
    if (implicit && o->lin.jac_valid && factor >= 1.0 && factor <= o->lin.keep_zone)
        factor = 1.0;
    if (cut) { /* says little about the step that would have been taken */
        if (h * factor > o->h) o->h = h * factor;
        return;
    }
    o->h = h * factor;
    control_accept(&o->control, err, h);
    if (o->options.h_max > 0.0) o->h = fmin(o->h, o->options.h_max);
}

static void accept(Ode *o, double h, double end, double err, bool cut) {
    const Method *m = o->method;
    const bool    inside = o->next.end == end; /* the polynomial goes on beyond its end */
    if (m->kind == METHOD_DIRK) dirk_accepted(o);
    if (m->kind == METHOD_DIRK || m->kind == METHOD_FIRK) {
        if (!o->lin.constant &&
            (o->newton.theta > o->lin.theta_keep || ++o->lin.jac_age >= 20))
            o->lin.jac_valid = false;
        o->newton.smooth = o->newton.smooth == 0.0
                               ? o->newton.iterations
                               : 0.8 * o->newton.smooth + 0.2 * o->newton.iterations;
    }
    next_step(o, h, err, cut);
    if (o->first_step) o->h_after = cut ? fmax(o->h_after, h) : o->h;
    double *old = o->last.y;
    o->last.y = o->y;
    o->y = o->next.y;
    o->next.y = old;
    swap(&o->next.k, &o->last.k);
    o->last.t = o->t;
    o->t = end;
    o->last.h = h;
    o->last.share = inside ? (end - o->last.t) / h : 1.0;
    o->last.stages = m->stages;
    o->last.method = o->method;
    o->last.continued = true;
    o->last.swept = o->next.swept && !o->review;
    o->last.ready =
        o->last.swept || inside || (o->next.dense && m->sweeps == 0 && !o->review);
    o->f_valid = o->next.f_valid;
    o->f_exact = o->next.f_exact;
    if (o->next.f_valid) swap(&o->f, &o->next.f);
    o->lin.jac_current = o->lin.constant && o->lin.jac_valid;
    o->first_step = false;
    o->choice.since_change++;
    o->stats.steps_accepted++;
    o->stats.state_steps += o->n;
}

/* What to do after an attempt that did not end in a judgement. */
static Status recover(Ode *o, double h, Status status) {
    if (status == STATUS_FATAL || status == STATUS_NO_MEMORY) return status;
    o->stats.newton_failures += status == STATUS_DIVERGED || status == STATUS_SINGULAR;
    o->stats.steps_rejected++;
    o->control.rejected = true;
    if (status == STATUS_DIVERGED && !o->lin.jac_current && !o->lin.constant) {
        core_refresh(o);
        if (o->newton.theta < 2.0) return STATUS_OK;
    } else if (status == STATUS_DIVERGED && o->choice.automatic) {
        automatic_diverged(o);
    }
    if (status == STATUS_SINGULAR || status == STATUS_NOT_FINITE)
        o->lin.jac_valid = false;
    const double shrink = status == STATUS_DIVERGED ? fmax(0.1, o->newton.shrink) : 0.25;
    o->h = h * shrink;
    o->last.continued = o->last.continued && status == STATUS_DIVERGED;
    o->lin.lu_valid = false;
    if (o->choice.automatic) automatic_refused(o);
    return STATUS_OK;
}

/* After a jump an implicit method may step over a fast transient. The end of such a step is right,
 * but its interpolant begins at the old value and returns only slowly: what it gives at output
 * points is wrong by the height of the transient. It shows where a state moved far less than its
 * derivative promised, though not by a negligible amount. The time it took, 0 if there is none. */
static double transient_time(const Ode *o, double h) {
    double least = 0;
    for (int i = 0; i < o->n; i++) {
        double change = fabs(o->next.y[i] - o->y[i]), promised = h * fabs(o->f[i]);
        if (change * o->tol.weight[i] <= 0.05 || promised <= 10 * change) continue;
        double time = h * change / promised;
        if (least == 0 || time < least) least = time;
    }
    const double first = -core_most(o, least > 0 ? -least : -HUGE_VAL);
    return first < HUGE_VAL ? first : 0;
}

/* Then the step is to be repeated. A review must not be asked before: what it accepts has happened. */
static bool steps_over(Ode *o, double h) {
    if (!o->jumped || o->method->kind == METHOD_EXPLICIT || o->options.h_fixed > 0.0)
        return false;
    const double fast = transient_time(o, h);
    o->jumped = false;
    if (!(fast > 0.0)) return false;
    o->h = 3.0 * fast;
    o->lin.lu_valid = false;
    o->stats.steps_rejected++;
    return true;
}

static Status begin(Ode *o) {
    if (!o->f_valid) {
        const Status status = core_eval(o, o->t, o->y, o->f);
        if (status != STATUS_OK) return status;
        o->f_valid = o->f_exact = true;
    }
    core_weights(o);
    if (o->h == 0.0) {
        if (o->options.h_fixed > 0.0) {
            o->h = o->options.h_fixed;
        } else if (o->options.h_first > 0.0) {
            o->h = o->options.h_first;
        } else {
            const Status status = core_start_step(o);
            if (status != STATUS_OK) return status;
        }
        if (o->options.h_max > 0.0) o->h = fmin(o->h, o->options.h_max);
    }
    return STATUS_OK;
}

/* Whoever knows more of the states may take those out of the step that do not converge. */
static bool rescued(Ode *o, double h, Status status) {
    if (status != STATUS_DIVERGED || !o->rescue || !o->rescue(o->owner, o, h))
        return false;
    o->stats.newton_failures++;
    o->stats.steps_rejected++;
    return begin(o) == STATUS_OK;
}

/* There is no last step yet: its state is that of now. */
static void rest(Ode *o) {
    if (o->last.method) return;
    memcpy(o->last.y, o->y, sizeof(double) * (size_t)o->n);
    o->last.t = o->t;
}

Status ode_step(Ode *o, double limit) {
    if (!(limit > o->t)) return STATUS_ARGUMENT;
    int    worst = 0;
    double before = 0.0; /* error of the rejected attempt before this one */
    Status status = STATUS_OK;
    for (int tries = 0;; tries++) { /* the model may fail now and then even here */
        status = begin(o);
        if (status == STATUS_OK) break;
        if (status == STATUS_FATAL || tries >= 3) return give_up(o, status);
    }
    o->fault = fault_none();
    if (!isfinite(o->h)) return give_up(o, core_not_finite(o, o->t, o->f));
    for (int tries = 0;; tries++) {
        const double remain = limit - o->t;
        const bool   last = o->h >= remain * (1.0 - 1e-10);
        const double h = last ? remain : o->h;
        if (h < 8.0 * DBL_EPSILON * fabs(o->t) || h < DBL_MIN * 1e4 || tries > 1000) {
            if (last && tries == 0) { /* already there as far as time can tell */
                rest(o);
                o->t = limit;
                return STATUS_OK;
            }
            if (o->fault.variable < 0)
                o->fault.variable = selection_row(&o->view->rows, steepest(o));
            return give_up(o, STATUS_STEP_SMALL);
        }
        status = attempt(o, h);
        if (status != STATUS_OK) {
            if (rescued(o, h, status)) continue;
            status = recover(o, h, status);
            if (status != STATUS_OK) return give_up(o, status);
            if (o->choice.automatic && tries > 4) automatic_trouble(o);
            continue;
        }
        o->next.end = NAN;
        if (defect_add(o, h) == STATUS_FATAL) return give_up(o, STATUS_FATAL);
        if (o->review && steps_over(o, h)) continue;
        double err = o->review ? o->review(o->owner, o, h) : core_judge(o, &worst);
        if (o->refused != STATUS_OK) {
            status = o->refused;
            o->refused = STATUS_OK;
            return give_up(o, status);
        }
        if (!o->review && o->options.h_fixed > 0.0 && isfinite(err)) err = 0.0;
        if (!isfinite(err)) {
            core_not_finite(o, o->t + h, o->next.y);
            status = recover(o, h, STATUS_NOT_FINITE);
            continue;
        }
        const bool   inside = !isnan(o->next.end);
        const double end = inside ? o->next.end : last ? limit : o->t + h;
        if (err <= 1.0 && !o->next.f_valid) { /* wanted next anyway; it must exist */
            status = core_eval(o, end, o->next.y, o->next.f);
            if (status != STATUS_OK) {
                status = recover(o, h, status);
                if (status != STATUS_OK) return give_up(o, status);
                continue;
            }
            o->next.f_valid = o->next.f_exact = true;
        }
        if (!o->review && err <= 1.0 && steps_over(o, h)) continue;
        if (err <= 1.0) {
            accept(o, h, end, err, inside || (last && h < 0.9 * o->h));
            if (o->choice.automatic) automatic_review(o);
            return STATUS_OK;
        }
        o->stats.steps_rejected++;
        if (inside) {
            o->h = end - o->t;
            continue;
        }
        const double factor = 0.9 * control_factor(&o->control, err, h);
        o->h = h * fmin(0.9, fmax(o->first_step ? 0.05 : 0.1, factor));
        if (before > 0.0 && err > before) o->h = fmin(o->h, 0.1 * h);
        before = err;
        o->control.rejected = true;
        o->fault = fault_none();
        o->fault.variable = selection_row(&o->view->rows, worst);
    }
}

Status ode_advance(Ode *o, double to, bool stop) {
    const long   most = o->options.max_steps > 0 ? o->options.max_steps : 10000000;
    const double far = stop ? to : HUGE_VAL;
    for (long i = 0; o->t < to; i++) {
        if (i >= most) return give_up(o, STATUS_TOO_MANY);
        const Status status = ode_step(o, far);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* Was f, the slope before, that of now as far as steps of this size can tell? The new one is in
 * o->f. */
static bool is_calm(const Ode *o, double h, const double *f) {
    double sum = 0.0;
    for (int i = 0; i < o->n; i++) {
        const double e = h * (o->f[i] - f[i]) * o->tol.weight[i];
        sum += e * e;
    }
    return core_mean(o, sum) <= 0.1;
}

Status ode_restart(Ode *o, double t, const double *x) {
    const double old = o->h;
    const size_t bytes = sizeof(double) * (size_t)o->n;
    const bool   same = t == o->t && (!x || memcmp(x, o->y, bytes) == 0);
    const bool   known = same && o->f_valid && old > 0.0;
    automatic_restarted(o);
    if (known) memcpy(o->next.f, o->f, bytes);
    if (x) memcpy(o->y, x, bytes);
    o->t = t;
    o->f_valid = o->last.continued = false;
    o->lin.jac_current = false;
    o->lin.jac_valid = o->lin.lu_valid =
        false; /* even a constant Jacobian may have jumped */
    o->newton.eta = 1.0;
    o->first_step = o->jumped = true;
    o->h = 0.0;
    control_reset(&o->control);
    const Status status = begin(o);
    if (status != STATUS_OK) return give_up(o, status);
    if (o->options.h_fixed > 0.0) return STATUS_OK;
    const double tried = o->h_after > 0.0 ? fmin(o->h_after, 0.1 * old) : 0.1 * old;
    o->h = known && is_calm(o, old, o->next.f) ? old : fmax(o->h, tried);
    return STATUS_OK;
}

void ode_correct(Ode *o, const double *x) {
    memcpy(o->y, x, sizeof(double) * (size_t)o->n);
    o->f_valid = false;
}

Status ode_retreat(Ode *o, double t, const double *x, double h) {
    const Status status = ode_restart(o, t, x);
    o->stats.steps_rejected++;
    if (o->options.h_fixed <= 0.0) o->h = fmin(o->h, h);
    return status;
}

/* ---- questions --------------------------------------------------------------------- */

Status ode_dense(Ode *o, double t, double *x) {
    return dense_value(o, t, x);
}
double ode_time(const Ode *o) {
    return o->t;
}
double ode_time_last(const Ode *o) {
    return o->last.t;
}
double ode_moment(Ode *o) {
    if (!o->f_valid) return 0.0;
    core_weights(o);
    const double speed = core_norm(o, o->f, o->tol.weight);
    const double by = fmax(1e-9 * o->h, 1e3 * DBL_EPSILON * fabs(o->t));
    return speed > 0.0 ? fmin(by, 0.1 / speed) : by;
}
const double *ode_slope(const Ode *o) {
    return o->f;
}
double ode_next_step(const Ode *o) {
    return o->h;
}
const double *ode_state(const Ode *o) {
    return o->y;
}
const double *ode_error(const Ode *o) {
    return o->next.err;
}
const char *ode_method(const Ode *o) {
    return o->method->name;
}
const Fault *ode_fault(const Ode *o) {
    return &o->fault;
}

OdeStatistics ode_statistics(const Ode *o) {
    OdeStatistics s = o->stats;
    s.rhs_calls = o->view->rhs_calls;
    s.rhs_rows = o->view->rhs_rows;
    s.jacobians = o->view->jacobians;
    if (o->lin.shift) {
        s.factorizations = o->lin.shift->counts.factorizations;
        s.refactorizations = o->lin.shift->counts.refactorizations;
        s.solves = o->lin.shift->counts.solves;
        s.fill = shift_fill(o->lin.shift);
    }
    return s;
}
