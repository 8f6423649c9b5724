/* SPDX-License-Identifier: Apache-2.0 */
/* project.c -- states brought back to the invariants of the model.
 *
 * Where no choice of states is good for ever (see dae/states.c) all candidates are states and the
 * constraints g(x) = 0 between them are kept by their derivatives, up to the errors of the
 * integration. At the end of a step the nearest point with g = 0 is sought, in the norm of the
 * nominal values: Gauss-Newton steps
 *     x <- x - W J' (J W J')^+ g,   J = dg/dx, W = diag(nominal^2)
 * (Eich, SIAM J. Numer. Anal. 30, 1993). J comes from differences over the states that share the
 * invariants. The cost is one evaluation where nothing has to be done. */
#include "live/live.h"
#include "lin/lin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Projection {
    int     invariants, states; /* k, n                                              */
    int    *state;              /* numbers of the states                             */
    double *g, *moved;          /* k                                                 */
    double *jacobian;           /* k x n by rows                                     */
    double *normal;             /* k x k by columns                                  */
};

static void *take(size_t n, size_t size) {
    void *block = calloc(n + 1, size);
    if (!block) abort();
    return block;
}

void project_open(Instance *instance) {
    const Structure *st = instance->plan->st;
    if (!st->invariants) return;
    Projection *p = instance->projection = take(1, sizeof *p);
    size_t      k = (size_t)st->invariants, n = (size_t)st->looses;
    p->invariants = st->invariants;
    p->state = take(n, sizeof *p->state);
    p->g = take(k, sizeof(double));
    p->moved = take(k, sizeof(double));
    p->jacobian = take(k * n, sizeof(double));
    p->normal = take(k * k, sizeof(double));
    for (int i = 0; i < instance->states; i++)
        for (int j = 0; j < st->looses; j++)
            if (instance->state[i] == st->loose[j]) p->state[p->states++] = i;
}

void project_close(Instance *instance) {
    Projection *p = instance->projection;
    if (!p) return;
    free(p->state);
    free(p->g);
    free(p->moved);
    free(p->jacobian);
    free(p->normal);
    free(p);
    instance->projection = NULL;
}

static bool evaluate(Instance *instance, const double *x, double *g) {
    if (instance_evaluate(instance, instance->rb.time, x)) {
        instance->rb.failed = 0;
        return false;
    }
    instance->image->invariants(&instance->rb, g);
    return true;
}

static double largest(const double *g, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(g[i]));
    return most;
}

static bool make_jacobian(Instance *instance, double *x) {
    Projection *p = instance->projection;
    for (int j = 0; j < p->states; j++) {
        int    i = p->state[j];
        double old = x[i], h = 1e-7 * fmax(fabs(old), instance->nominal[i]);
        x[i] = old + h;
        h = x[i] - old;
        bool fine = evaluate(instance, x, p->moved);
        x[i] = old;
        if (!fine) return false;
        for (int k = 0; k < p->invariants; k++)
            p->jacobian[k * p->states + j] = (p->moved[k] - p->g[k]) / h;
    }
    return true;
}

/* One Gauss-Newton step from x with g there. */
static bool correct(Instance *instance, double *x) {
    Projection *p = instance->projection;
    int         n = p->states, k = p->invariants;
    if (!make_jacobian(instance, x)) return false;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                double w = instance->nominal[p->state[j]];
                sum += p->jacobian[a * n + j] * w * w * p->jacobian[b * n + j];
            }
            p->normal[b * k + a] = sum;
        }
    if (!isfinite(dense_least_squares(k, p->normal, p->g, 1e-12))) return false;
    for (int j = 0; j < n; j++) {
        double w = instance->nominal[p->state[j]], sum = 0;
        for (int a = 0; a < k; a++) sum += p->jacobian[a * n + j] * p->g[a];
        x[p->state[j]] -= w * w * sum;
    }
    return true;
}

Status project_states(void *self, double t, double *x, double tolerance, bool *moved,
                      Fault *fault) {
    enum { STEPS = 8 };
    Instance   *instance = self;
    Projection *p = instance->projection;
    instance->rb.time = t;
    instance->fault = fault;
    *moved = false;
    for (int step = 0; step < STEPS; step++) {
        if (!evaluate(instance, x, p->g)) return STATUS_RETRY;
        /* at the first look the tolerance decides, then it is done well */
        if (largest(p->g, p->invariants) <= (step ? 1e-3 : 1) * tolerance)
            return STATUS_OK;
        if (!correct(instance, x)) return STATUS_RETRY;
        *moved = true;
    }
    return STATUS_OK; /* as near as it gets */
}
