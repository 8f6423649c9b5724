/* SPDX-License-Identifier: Apache-2.0 */
/* refine.c -- the judgement of an attempt, and the fast set that follows from it.
 *
 * Called by the integrator of a group for every attempt. (1) States whose error is above
 * the tolerance are added to the fast set. (2) The slow ones must meet the tolerance
 * in the root mean square and each on its own; otherwise the step is repeated smaller.
 * (3) The fast set is integrated over the same interval, cluster by cluster (cluster.c).
 * (4) Slow rows that read very many states are corrected (watch.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/group.h"

/* ---- errors ------------------------------------------------------------------------- */

static double plain(Group *g, const Ode *o, bool sizes) {
    double sum = 0.0;
    for (int i = 0; i < o->n; i++) {
        const double size = fmax(fabs(o->y[i]), fabs(o->ynew[i]));
        const double e = o->err[i] / (o->scale_now * o->atol[i] + o->rtol_now * size);
        sum += e * e;
        if (sizes) g->size[i] = (float)(e * e);
    }
    return o->n > 0 ? sqrt(sum / o->n) : 0.0;
}

/* ---- the review of an attempt ------------------------------------------------------------ */

static void sizes_to_logarithms(Group *g) { /* from squares, see plain */
    for (int i = 0; i < g->n; i++) g->size[i] = 0.5f * log2f(fmaxf(g->size[i], 1e-24f));
}

/* Slopes at the end of the step, where refined values changed them. */
static bool renew_slopes(Group *g, double t, const int *done, int dones) {
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
    return g->model.fn->eval(g, t, g->ode->ynew, &rows, g->ode->fnew, &g->view.fault) ==
           STATUS_OK;
}

static int ascending(const void *a, const void *b) {
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

/* (1), (2): the norm of the slow states; the fast ones go to list. Above 1: repeat. */
static double survey(Group *g, const Ode *o, int *list, int *count) {
    double     sum = 0.0, outside = 0.0;
    int        n = 0, slow = 0, fresh = 0;
    const bool fixed = o->options.h_fixed > 0.0;
    for (int i = 0; i < g->n; i++) {
        if (g->fast[i]) {
            list[n++] = g->state[i];
            continue;
        }
        const double size = fmax(fabs(o->y[i]), fabs(o->ynew[i]));
        const double e = o->err[i] / (o->scale_now * o->atol[i] + o->rtol_now * size);
        g->size[i] = (float)fmin(e * e, 1e30);
        if (e * e <= 1.0 || fixed) {
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
    if (slow == 0 || (free && n > g->n / 2 && g->n > 8) || fresh > 0.1 * g->n + 8)
        return fmax(norm, sqrt((sum + outside) / (slow + fresh)) + 1.0);
    return norm;
}

double refine_review(void *owner, Ode *o, double h) {
    Group        *g = owner;
    Rate         *r = g->rate;
    Workspace    *w = g->space;
    const Method *m = o->method;
    const double  horizon = g->parent ? g->end - g->parent->ode->t : 0.0;
    int          *list = w->keep, n = 0, dones = 0;
    bool          look = true;
    double        norm;
    if (g->refining) {
        norm = survey(g, o, list, &n);
    } else {
        look = g->level > 0 || (r->levels > 1 && g->until_review <= 0);
        norm = o->options.h_fixed > 0.0 ? 0.0 : plain(g, o, look);
    }
    if (!(norm <= 1.0)) return norm;
    if (look) {
        sizes_to_logarithms(g);
        partition_note(g, h, horizon);
    }
    if (r->cones && partition_allowed(g)) {
        const int before = n;
        n = event_ahead(g, o->t + h, list, n);
        n = event_close(r, list, n, w->place);
        qsort(list, (size_t)n, sizeof(int), ascending);
        if (n > before && n > g->n / 2 && g->n > 8) return exp2(m->estimate + 1);
    }
    if (n == 0) {
        if (r->cones && partition_allowed(g)) event_settle(g, o->t + h, list, 0);
        return norm;
    }
    /* (3) to (5) */
    if (m->dense_stages > m->stages && !o->fnew_valid) {
        if (core_eval(o, o->t + h, o->ynew, o->fnew) != STATUS_OK) return 16.0;
        o->fnew_valid = true;
    }
    const Status status = clusters_run(g, h, list, n, &dones);
    if (status != STATUS_OK) {
        g->worker->stats.redone++;
        g->failed = status;
        return exp2(m->estimate + 1);
    }
    const double heavy = watch_heavy(g, h, w->done, dones);
    if (heavy > 1.0) {
        g->worker->stats.redone++;
        clusters_take_back(g);
        return heavy;
    }
    for (int k = 0; k < dones; k++) {
        const int q = group_packed(g, w->done[k]);
        for (int j = 0; j < m->stages; j++) o->k[(size_t)j * g->n + q] = 0.0;
        if (!g->refining) g->fast[q] = 0, g->fasts = 0;
    }
    if (r->cones) event_settle(g, o->t + h, w->done, dones);
    if (o->fnew_valid) o->fnew_valid = renew_slopes(g, o->t + h, w->done, dones);
    return norm;
}
