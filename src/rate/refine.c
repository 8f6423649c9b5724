/* SPDX-License-Identifier: Apache-2.0 */
/* refine.c -- the judgement of an attempt, and the fast set that follows from it.
 *
 * Called by the integrator of a group for every attempt. (1) States whose error is above
 * the tolerance are added to the fast set. (2) The slow ones must meet the tolerance
 * in the root mean square and each on its own; otherwise the step is repeated smaller.
 * (3) What is coupled to the fast set too strongly becomes fast as well. (4) The fast set is
 * integrated over the same interval, cluster by cluster (cluster.c). (5) Slow rows that read very many states are corrected (watch.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "rate/group.h"

/* In single rate the steps of the fast states leave the slow ones with errors far below the
 * tolerance. Large steps that used all of it would make the result worse than that: slow states
 * must meet this much less. */
#define SLOW 2.0

/* Where events are found by cone, single rate would stop at every one of them, and the states that do not
 * jump would be followed with errors that are smaller still. The large steps concern them only, and are
 * few: being strict costs little. An error of a state that crossings read moves an event, and what
 * the event changes keeps the difference. */
#define CALM     50.0
#define CRITICAL 130.0

/* Where tempos differ, no state may exceed the tolerance by more, however small the mean is: the
 * one that moves among many that rest would be left far behind. */
#define ALONE 2.0

enum { ASIDE = 3 }; /* fast in this attempt only, because of an event */

#define ROUNDING 1e-14 /* of an error estimate, relative to the state */

#define REFUSED 16.0 /* an error: the model cannot be evaluated there */

/* A slow state that takes over this much of the weighted error of a fast one is fast. */
#define COUPLED 0.3

/* ---- errors ------------------------------------------------------------------------- */

static double calm_factor(const RateGroup *g, int i) {
    const Pattern *reads = g->rate->model->reads;
    if (g->parent || g->events.flat || !(g->rate->event_rate > 0.0)) return 1.0;
    return reads->start[i + 1] > reads->start[i] ? CRITICAL : CALM;
}

float refine_stricter(const RateGroup *g, int i) {
    return (float)(log2(calm_factor(g, i)) / (ode_running(g->ode)->estimate + 1));
}

typedef struct Estimates {             /* of an attempt under review */
    const double *begin, *end, *error; /* n: states, estimates of the error */
    OdeTolerance  asked;
} Estimates;

static Estimates estimates_of(Ode *o) {
    return (Estimates){ode_state(o), ode_attempt(o), ode_error(o), ode_tolerance(o)};
}

static double largest(const Estimates *e, int i) {
    return fmax(fabs(e->begin[i]), fabs(e->end[i]));
}

/* The estimate of a state in units of what is asked for. */
static double weighted(const RateGroup *g, const Estimates *e, int i) {
    const OdeTolerance *asked = &e->asked;
    return calm_factor(g, i) * e->error[i] /
           (asked->looser * asked->absolute[i] + asked->relative_now * largest(e, i));
}

/* An estimate within rounding tells nothing of the step a state would choose: it counts as none. */
static float known_size(const Estimates *e, int i, double size) {
    return fabs(e->error[i]) > ROUNDING * largest(e, i) ? (float)fmin(size * size, 1e30)
                                                        : 0.0f;
}

/* Is a state judged by the attempt? aside: states set aside, which with the fast ones may be most. */
static bool judged(const RateGroup *g, int i, int aside) {
    return !g->part.fast[i] ||
           (g->part.fast[i] == ASIDE && 2 * (g->part.fasts + aside) > g->n);
}

static double plain(RateGroup *g, const Estimates *all, bool sizes, int aside) {
    const bool mixed = g->level > 0 || g->part.mixed > 0 || g->events.flat;
    double     sum = 0.0, most = 0.0;
    int        count = 0;
    for (int i = 0; i < g->n; i++) {
        if (!judged(g, i, aside)) continue;
        count++;
        const double e = weighted(g, all, i);
        sum += e * e;
        if (mixed) most = fmax(most, e * e);
        if (sizes) g->part.size[i] = known_size(all, i, e);
    }
    if (count == 0 || !isfinite(sum)) return sqrt(sum);
    return sqrt(fmax(sum / count, most / (ALONE * ALONE)));
}

/* ---- the review of an attempt ------------------------------------------------------------ */

static void sizes_to_logarithms(RateGroup *g) { /* from squares, see plain */
    for (int i = 0; i < g->n; i++)
        g->part.size[i] = 0.5f * log2f(fmaxf(g->part.size[i], 1e-24f));
}

/* Slopes at the end of the step, where refined values changed them. */
static bool renew_slopes(RateGroup *g, double t, const int *done, int dones) {
    const Pattern *p = g->rate->pattern;
    int           *seen = g->space->place, *list = g->space->list, count = 0;
    if (g->parent) return false; /* small: evaluated as a whole when needed */
    for (int k = 0; k < dones; k++)
        for (int e = p->start[done[k]] - 1; e < p->start[done[k] + 1]; e++) {
            const int i = e < p->start[done[k]] ? done[k] : p->row[e];
            if (seen[i] != -1) continue;
            seen[i] = -2;
            list[count++] = i;
        }
    for (int k = 0; k < count; k++) seen[list[k]] = -1;
    const Selection rows = {SELECT_LIST, 0, count, list};
    g->view.rhs_rows += count;
    return g->model.fn->eval(g, t, ode_attempt(g->ode), &rows, ode_attempt_slopes(g->ode),
                             &g->view.fault) == STATUS_OK;
}

/* States of crossings that change sign over the attempt are integrated again: they are fast for this
 * attempt, and what it made of them does not count, unless all fast states are most of the group. */
static int set_aside(RateGroup *g, double t, int *list) {
    const Rate *r = g->rate;
    int         fasts = 0, n;
    if (!r->cones || !partition_allowed(g)) return 0;
    for (int i = 0; i < g->n; i++)
        if (g->part.fast[i]) list[fasts++] = g->state[i];
    n = event_ahead(g, t, list, fasts);
    n = event_close(r, list, n, g->space->place);
    for (int k = fasts; k < n; k++) g->part.fast[group_packed(g, list[k])] = ASIDE;
    return n - fasts;
}
static void put_back(RateGroup *g) {
    for (int i = 0; i < g->n; i++)
        if (g->part.fast[i] == ASIDE) g->part.fast[i] = 0;
}

/* (1), (2): the norm of the slow states; the fast ones go to list. Above 1: repeat. */
static double survey(RateGroup *g, const Estimates *all, int aside, int *list,
                     int *count) {
    double     sum = 0.0, outside = 0.0;
    int        n = 0, slow = 0, fresh = 0;
    const bool fixed = ode_fixed_step(g->ode) > 0.0;
    for (int i = 0; i < g->n; i++) {
        if (g->part.fast[i]) list[n++] = g->state[i];
        if (!judged(g, i, aside)) continue;
        const double e = SLOW * weighted(g, all, i);
        g->part.size[i] = known_size(all, i, e);
        if (e * e <= 1.0 || fixed || g->part.fast[i]) {
            sum += e * e;
            slow++;
        } else {
            if (!isfinite(e)) return HUGE_VAL;
            outside += e * e;
            fresh++;
            list[n++] = g->state[i];
        }
    }
    *count = n;
    if (slow + fresh == 0) return HUGE_VAL;
    const double norm = slow > 0 && !fixed ? sqrt(sum / slow) : 0.0;
    const bool   free = !g->rate->options.partition; /* a test may ask for anything */
    if (slow == 0 || (free && n - aside > g->n / 2 && g->n > 8) || fresh > 0.1 * g->n + 8)
        return fmax(norm, sqrt((sum + outside) / (slow + fresh)) + 1.0);
    return norm;
}

/* (3): an error of fast state i moves a slow state j that reads it, over the step, by the share
 *   |h J_ji| / (1 + h |J_jj|)   in units of their tolerances. A share above COUPLED would make j
 * join as soon as its defect is measured (watch.c); where the method has a Jacobian this is known
 * before. Readers of readers are left to measurement: along a line that carries signals
 * undamped, but late, the shares would take all of it. */
static int close_coupling(RateGroup *g, double h, int *list, int n) {
    const Pattern *p = g->view.pattern;
    int           *place = g->space->place;
    const int      before = n;
    if (!ode_jacobian(g->ode) || ode_fixed_step(g->ode) > 0.0) return n;
    for (int k = 0; k < n; k++) place[list[k]] = -2;
    for (int k = 0; k < before; k++) {
        const int i = group_packed(g, list[k]);
        for (int e = p->start[i]; e < p->start[i + 1] && 2 * n < g->n; e++) {
            const int s = g->state[p->row[e]];
            if (place[s] == -2 || group_share(g, h, e, i) < COUPLED) continue;
            place[s] = -2;
            list[n++] = s;
        }
    }
    for (int k = 0; k < n; k++) place[list[k]] = -1;
    g->worker->stats.coupled += n - before;
    return n;
}

/* (4), (5): integrates the states of list. A slow crossing that the corrections make change
 * sign makes its states fast, and everything is integrated once more. Above 1: repeat. */
static double integrate(RateGroup *g, double h, double *end, int *list, int n,
                        int *dones) {
    Rate        *r = g->rate;
    Workspace   *w = g->space;
    Ode         *o = g->ode;
    const Mark   mark = store_mark(&g->worker->store);
    const size_t bytes = sizeof(double) * (size_t)g->n;
    const double smaller = exp2(ode_running(o)->estimate + 1);
    const double before = g->effort.below;
    for (int tries = 0; tries < 8; tries++) {
        const Status status = clusters_run(g, h, end, list, n, dones);
        if (status != STATUS_OK) {
            g->worker->stats.redone++;
            if (status == STATUS_NO_MEMORY) ode_refuse(o, status);
            return smaller;
        }
        const double heavy = watch_heavy(g, h, *end, w->done, *dones);
        const int more = r->cones ? event_settle(g, *end, w->done, *dones, list, n) : n;
        if (more == n && heavy <= 1.0) return heavy;
        g->worker->stats.redone++;
        clusters_take_back(g, mark);
        if (heavy > 1.0) {
            watch_refused(r, g->effort.below - before);
            return heavy;
        }
        memcpy(ode_attempt(o), w->attempt, bytes);
        n = event_close(r, list, more, w->place);
        qsort(list, (size_t)n, sizeof(int), int_ascending);
    }
    return smaller;
}

/* The attempt's slopes of states that were fast all the time mean nothing. Those that joined
 * were slow before: there the attempt's polynomial is their path. */
static void forget_slopes(RateGroup *g) {
    const Workspace *w = g->space;
    for (int c = 0; c < w->clusters; c++)
        for (int i = 0; i < w->cluster[c].n; i++)
            ode_attempt_flat(g->ode, group_packed(g, w->cluster[c].state[i]));
}

/* The slow rows beside the fast states of list, ascending. */
static int beside(const RateGroup *g, const int *list, int n, int *rows) {
    const Pattern *p = g->rate->pattern;
    int           *place = g->space->place, count = 0;
    for (int k = 0; k < n; k++) place[list[k]] = -2;
    for (int k = 0; k < n; k++)
        for (int e = p->start[list[k]]; e < p->start[list[k] + 1]; e++)
            if (place[p->row[e]] == -1) place[p->row[e]] = -3, rows[count++] = p->row[e];
    for (int k = 0; k < n; k++) place[list[k]] = -1;
    for (int k = 0; k < count; k++) place[rows[k]] = -1;
    qsort(rows, (size_t)count, sizeof(int), int_ascending);
    return count;
}

/* How good the polynomials of the slow states beside fast ones are, by their defect where it is
 * largest, in units of what makes a state join. Above 1 one would join for the step's own fault; its
 * neighbour would then be watched and be the next, and so on through the model. */
static double curve_error(RateGroup *g, double h, const int *list, int n) {
    const double    theta = 0.25;
    const Rate     *r = g->rate;
    const double    t = ode_time(g->ode) + theta * h;
    Workspace      *w = g->space;
    const int       count = beside(g, list, n, w->list);
    const Selection rows = {SELECT_LIST, 0, count, w->list};
    double          worst = 0.0, slope;
    for (int k = 0; k < count; k++)
        for (int e = r->row_start[w->list[k]]; e < r->row_start[w->list[k] + 1]; e++)
            w->x[r->row_column[e]] =
                group_curve_at(g, r->row_column[e], h, theta, &slope);
    g->view.rhs_rows += count;
    if (r->model->fn->eval(r->model->instance, t, w->x, &rows, w->dx, &g->view.fault) !=
        STATUS_OK)
        return 0.0;
    for (int k = 0; k < count; k++) {
        group_curve_at(g, w->list[k], h, theta, &slope);
        worst =
            fmax(worst, fabs(w->dx[w->list[k]] - slope) * group_weight(g, w->list[k]));
    }
    return worst * h / (4.0 * JOIN);
}

/* The slopes at the end are wanted next anyway. They must exist before events count as handled:
 * the step cannot be refused afterwards. */
static bool slopes_exist(Ode *o, double t) {
    return ode_attempt_find_slopes(o, t) == STATUS_OK;
}

/* A step that ends inside its attempt has the error of the polynomial there, which is larger than that
 * at its own end. May the slow states have it? */
static bool good_at(RateGroup *g, double h, double end, const int *done, int dones) {
    const Estimates all = estimates_of(g->ode);
    double         *e = g->space->seed, sum = 0.0;
    int            *place = g->space->place, slow = 0;
    if (ode_attempt_error(g->ode, h, (end - ode_time(g->ode)) / h, e) != STATUS_OK)
        return false;
    for (int k = 0; k < dones; k++) place[done[k]] = -2;
    for (int i = 0; i < g->n; i++) {
        if (place[g->state[i]] == -2) continue;
        const double part =
            SLOW * e[i] / (all.asked.absolute[i] + all.asked.relative * largest(&all, i));
        sum += part * part;
        slow++;
    }
    for (int k = 0; k < dones; k++) place[done[k]] = -1;
    return slow == 0 || sum <= slow;
}

double refine_review(void *owner, Ode *o, double h) {
    RateGroup      *g = owner;
    Rate           *r = g->rate;
    Workspace      *w = g->space;
    const double    horizon = g->parent ? g->end - ode_time(g->parent->ode) : 0.0;
    int            *list = w->keep, n = 0, dones = 0;
    bool            look = true;
    double          norm;
    const Mark      mark = store_mark(&g->worker->store);
    double          end = ode_time(o) + h;
    const bool      fixed = ode_fixed_step(o) > 0.0;
    const Estimates all = estimates_of(o);
    const int       aside = set_aside(g, end, list);
    if (g->part.refining) {
        norm = survey(g, &all, aside, list, &n);
    } else {
        look = g->level > 0 || (r->levels > 1 && g->part.until_review <= 0);
        norm = fixed ? 0.0 : plain(g, &all, look, aside);
        for (int i = 0; i < g->n && aside > 0; i++)
            if (g->part.fast[i]) list[n++] = g->state[i];
    }
    if (norm <= 1.0 && look) {
        sizes_to_logarithms(g);
        partition_note(g, h, horizon);
    }
    if (aside > 0) put_back(g);
    if (!(norm <= 1.0)) return norm;
    if (n > 0 && partition_allowed(g)) {
        n = close_coupling(g, h, list, n);
        if (r->cones) n = event_close(r, list, n, w->place);
        qsort(list, (size_t)n, sizeof(int), int_ascending);
    }
    if (n == 0) {
        if (!r->cones || !partition_allowed(g)) return norm;
        if (!slopes_exist(o, end)) return REFUSED;
        event_settle(g, end, list, 0, list, 0);
        return norm;
    }
    if (ode_attempt_dense(o, h) != STATUS_OK) return REFUSED;
    const bool   free = !fixed && !r->options.partition;
    const double curve = free && !g->parent ? curve_error(g, h, list, n) : 0.0;
    if (curve > 1.0) return curve;
    const double heavy = integrate(g, h, &end, list, n, &dones);
    if (heavy > 1.0) return heavy;
    if (end < ode_time(o) + h) {
        ode_attempt_end(o, end);
        if (!good_at(g, h, end, w->done, dones)) {
            clusters_take_back(g, mark);
            return REFUSED;
        }
        ode_attempt_forget_slopes(o);
    }
    forget_slopes(g);
    if (ode_attempt_slopes(o) && !renew_slopes(g, end, w->done, dones))
        ode_attempt_forget_slopes(o);
    if (!slopes_exist(o, end)) {
        clusters_take_back(g, mark);
        return REFUSED;
    }
    for (int k = 0; k < dones && g->part.refining; k++) { /* some have joined */
        unsigned char *fast = &g->part.fast[group_packed(g, w->done[k])];
        if (!*fast) *fast = 1, g->part.fasts++;
    }
    return norm;
}

/* The large step needs its fast states only as a first idea of them. If its equations cannot be solved,
 * they had better rest, and so had those that do not converge: such a state runs into a fold, say, which
 * small steps find without trouble. */
bool refine_rescue(void *owner, Ode *o, double h) {
    const double  share = 1e-3;
    RateGroup    *g = owner;
    const Rate   *r = g->rate;
    const double *correction = ode_error(o), *weight = ode_tolerance(o).weight;
    double        most = 0.0;
    int           more = 0;
    if (!partition_allowed(g) || r->events || r->options.partition) return false;
    if (!g->part.refining || ode_fixed_step(o) > 0.0) return false;
    for (int i = 0; i < g->n; i++)
        if (g->part.fast[i] != 2) most = fmax(most, fabs(correction[i]) * weight[i]);
    for (int i = 0; i < g->n; i++)
        more += !g->part.fast[i] && fabs(correction[i]) * weight[i] >= share * most;
    if (!isfinite(most) || g->part.fasts + more > g->n / 2) return false;
    if (more == 0 && g->part.rests == g->part.fasts) return false;
    for (int i = 0; i < g->n; i++) {
        if (!g->part.fast[i] && fabs(correction[i]) * weight[i] < share * most) continue;
        if (!g->part.fast[i])
            g->part.natural[i] = fminf(g->part.natural[i], (float)log2(h) - 4.0f);
        g->part.fast[i] = 2;
    }
    g->part.fasts += more;
    group_rest(g);
    return true;
}
