/* SPDX-License-Identifier: Apache-2.0 */
/* automatic.c -- choice of the method while running.
 *
 * Five candidates are ready: an explicit pair, an entry method for stiff phases at loose
 * tolerances (Rosenbrock where a Jacobian per step is cheap, ESDIRK otherwise) and Radau
 * IIA with 3, 5 and 7 stages. The tolerance decides where each side starts, since high
 * order pays only for many digits; measurements decide the rest:
 *
 *   explicit -> implicit   h times the dominant eigenvalue, measured by the last stages,
 *                          stays near the stability limit, or attempts meet points at
 *                          which the model has no values: STIFF_SIGNS signs
 *   implicit -> explicit   h times a norm of the Jacobian stays well inside the stability
 *                          interval for SMOOTH_SIGNS steps
 *   order down             Newton needs many iterations or fails repeatedly
 *   order up again         Newton is quick for UP_AFTER steps, to the tolerance's order
 *   to the entry method    Newton fails again and again with Jacobians of the point itself, as beside kinks
 *                          that two stages see from two sides, and the entry method does not iterate
 *
 * Every change of side doubles the signs needed for the next one, so that a problem at
 * the border does not make the choice oscillate. Linear models with a known Jacobian
 * start implicit: their stages cost one evaluation each. Literature: Shampine 1977;
 * Petzold 1983; Hairer, Wanner II, IV.2, IV.8 and the order selection of their Radau
 * code (1999). */
#include <math.h>
#include <string.h>

#include "ode/core.h"

enum { EXPLICIT, ENTRY, RADAU5, RADAU9, RADAU13 };
enum { STIFF_SIGNS = 8, SMOOTH_SIGNS = 12, UP_AFTER = 12, DOWN_AFTER = 3, REMEMBER = 8 };
enum {
    KINK_SIGNS = 32,
    KINK_FAILED = 4,
    KINK_PASSED = 3
}; /* 3 failures in 4 steps are borne */
enum { MANY_EVENTS = 8, STEPS_APART = 8 };

bool automatic_candidates(Ode *o, const char **names, int *count) {
    const View     *v = o->view;
    const double    rtol = o->tol.rtol;
    const bool      known = v->model->fn->jacobian || v->model->fn->tangent;
    const Pattern  *whole = v->model->seam ? v->model->seam->whole : v->pattern;
    const ShiftKind kind =
        o->options.linear == SHIFT_AUTO ? shift_choose(whole) : o->options.linear;
    const bool cheap = !(v->model->flags & MODEL_PARTIAL) &&
                       (known || v->colouring.colours <= 8) &&
                       (kind == SHIFT_BAND || (kind == SHIFT_DENSE && o->all <= 100));
    names[EXPLICIT] = rtol >= 3e-6 ? "tsit5" : rtol >= 3e-9 ? "verner7" : "verner8";
    names[ENTRY] = cheap ? "rodas5p" : "esdirk4";
    names[RADAU5] = "radauIIA3";
    names[RADAU9] = "radauIIA5";
    names[RADAU13] = "radauIIA7";
    *count = 5;
    /* The implicit method this tolerance starts with, and the highest it may reach. With sparse matrices ESDIRK,
     * which has one real factorisation, holds its own down to 3e-6; at 1e-6 three stages of Radau IIA took
     * 0.3 to 0.75 of its time (lines, heat exchangers) and at most 1.4 of it, 0.8 in the mean. */
    const double entry = kind == SHIFT_SPARSE ? 2e-6 : 3e-5;
    o->choice.target = rtol >= entry                                  ? ENTRY
                       : rtol >= (kind == SHIFT_SPARSE ? 5e-7 : 2e-6) ? RADAU5
                       : rtol >= 1e-9                                 ? RADAU9
                                                                      : RADAU13;
    if ((v->model->flags & MODEL_LINEAR) && known && o->choice.target == ENTRY)
        o->choice.target = RADAU5;
    o->choice.start_with =
        (v->model->flags & MODEL_LINEAR) && known && kind != SHIFT_SPARSE
            ? o->choice.target
            : EXPLICIT;
    o->choice.signs = STIFF_SIGNS;
    return true;
}

/* Column sums of |J| of states that couple processes have parts on several, and rows on others have their weights:
 * room gets the weights, then the sums of such columns. */
static double seam_sums(const Ode *o, double *room) {
    const Seam *b = o->view->model->seam;
    double     *weight = room, *sum = room + b->count, most = 0.0;
    memset(room, 0, sizeof *room * 2 * (size_t)b->count);
    for (int i = 0; i < o->n; i++)
        if (b->number[i] >= 0) weight[b->number[i]] = o->tol.weight[i];
    core_total(o, weight, b->count);
    for (int e = 0; e < b->entries; e++) {
        const int    i = b->row[e], j = b->column[e];
        const double part =
            fabs(b->value[e]) * (i < 0 ? weight[-1 - i] : o->tol.weight[i]);
        if (j < 0) sum[-1 - j] += part;
        else if (b->number[j] >= 0) sum[b->number[j]] += part;
        else o->work.start[j] += part;
    }
    for (int j = 0; j < o->n; j++) {
        if (b->number[j] >= 0) sum[b->number[j]] += o->work.start[j];
        else most = fmax(most, o->work.start[j] / o->tol.weight[j]);
    }
    core_total(o, sum, b->count);
    for (int k = 0; k < b->count; k++) most = fmax(most, sum[k] / weight[k]);
    return core_most(o, most);
}

/* Largest column sum of |J| in the integrator's own units. */
static double jacobian_norm(Ode *o) {
    const Pattern *p = o->view->pattern;
    double         most = 0.0, *sum = o->work.start;
    for (int j = 0; j < o->n; j++) {
        sum[j] = 0.0;
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            sum[j] += fabs(o->lin.jac[e]) * o->tol.weight[p->row[e]];
        most = fmax(most, sum[j] / o->tol.weight[j]);
    }
    return o->lin.seam ? seam_sums(o, o->lin.seam) : most;
}

static void change(Ode *o, int to, double h) {
    const int from = o->choice.current;
    if (to == from) return;
    core_select(o, to);
    o->h = h;
    o->choice.stiff = o->choice.smooth = o->choice.slow = o->choice.kinks = 0;
    o->stats.method_changes++;
    if ((from == EXPLICIT) != (to == EXPLICIT)) {
        o->choice.sides++;
        if (o->choice.sides > 1 && o->choice.signs < 200) o->choice.signs *= 2;
    }
}

/* Real stability intervals of the explicit candidates. */
static double interval(const Ode *o) {
    const int order = o->choice.candidate[EXPLICIT]->order;
    return order == 5 ? 3.3 : order == 7 ? 4.6 : 5.9;
}

static void review_explicit(Ode *o) {
    /* with tight tolerances the estimate holds the step well below the limit */
    if (o->choice.stiffness > 1.6)
        o->choice.stiff += o->choice.stiffness > 0.6 * interval(o) ? 2 : 1;
    else if (o->choice.refused > 0) o->choice.refused--;
    else if (o->choice.stiff > 0) o->choice.stiff--;
    if (o->choice.stiff >= o->choice.signs) change(o, o->choice.target, o->h);
}

static void review_implicit(Ode *o) {
    const Method *m = o->method;
    const bool    renewed =
        m->kind == METHOD_ROSENBROCK /* in each step: every other one will do */
               ? o->stats.steps_accepted % 2 == 0
               : o->lin.jac_age <= 1;
    if (!o->lin.constant && o->lin.jac_valid && renewed) {
        /* the norm belongs to the Jacobian of this step or the one before */
        const double limit = 0.5 * interval(o) / fmax(jacobian_norm(o), 1e-300);
        if (o->last.h < limit) o->choice.smooth++;
        else o->choice.smooth = 0;
        if (o->choice.smooth * 2 >= SMOOTH_SIGNS * (1 + o->choice.sides / 2)) {
            change(o, EXPLICIT, fmin(o->h, limit));
            return;
        }
    }
    if (m->kind == METHOD_DIRK || m->kind == METHOD_FIRK) {
        const double much = m->kind == METHOD_DIRK ? 4.5 * m->stages : 4.0 + m->stages;
        if (o->newton.iterations > much) o->choice.slow++;
        else if (o->choice.slow > 0) o->choice.slow--;
        if (o->choice.slow >= DOWN_AFTER && o->choice.current > RADAU5) {
            change(o, o->choice.current - 1, o->h);
            return;
        }
        const bool quick = o->newton.smooth < 3.0 + 0.5 * m->stages;
        if (o->choice.current < o->choice.target && o->choice.since_change >= UP_AFTER &&
            quick && o->choice.slow == 0)
            change(o, o->choice.current + 1, o->h);
    }
}

void automatic_review(Ode *o) {
    o->choice.kinks = o->choice.kinks > KINK_PASSED ? o->choice.kinks - KINK_PASSED : 0;
    if (o->choice.current == EXPLICIT) review_explicit(o);
    else review_implicit(o);
}

/* The model has no values in an attempt. Where that happens in every few steps, not the error but the border of
 * a root or a logarithm limits them, at which slopes are infinitely steep: levels that have become equal
 * creep along it with explicit steps of the size of rounding errors. It counts like signs of stiffness. */
void automatic_refused(Ode *o) {
    const bool again = o->choice.refused == REMEMBER; /* in the same step */
    if (o->choice.current != EXPLICIT || again) return;
    o->choice.stiff++;
    o->choice.refused = REMEMBER;
    if (o->choice.stiff >= o->choice.signs) change(o, o->choice.target, o->h);
}

/* Newton's iteration did not end although its Jacobian was taken at the beginning of the step. Fewer stages are
 * nearer to it; circuits whose parts have kinks without events cost 3 attempts a step with any (confirm.c). */
void automatic_diverged(Ode *o) {
    MethodChoice *c = &o->choice;
    if (c->current == EXPLICIT || o->method->kind == METHOD_ROSENBROCK) return;
    c->slow += 2;
    if (c->left || c->candidate[ENTRY]->kind != METHOD_ROSENBROCK) return;
    c->kinks += KINK_FAILED;
    if (c->kinks < KINK_SIGNS) return;
    c->kinked = true;
    c->restarts = 0;
    change(o, ENTRY, o->h);
}

/* An event. Ideal switches make iterations fail as well, but after them more stages are better: a thyristor that
 * carries nothing is switched by rounding errors, which the Rosenbrock method meets every few steps. Then it is
 * left for good. */
void automatic_restarted(Ode *o) {
    MethodChoice *c = &o->choice;
    c->kinks = 0;
    if (!o->choice.automatic || c->left || !c->kinked || c->current != ENTRY) return;
    c->restarts++;
    if (c->restarts < MANY_EVENTS || c->since_change > STEPS_APART * c->restarts) return;
    c->left = true;
    change(o, c->target, o->h);
}

/* An attempt failed several times in a row: the sturdiest method takes over. */
void automatic_trouble(Ode *o) {
    if (o->choice.current == EXPLICIT || o->choice.current == ENTRY ||
        o->choice.current > RADAU5)
        change(o, RADAU5, o->h);
}
