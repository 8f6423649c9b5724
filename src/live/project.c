/* SPDX-License-Identifier: Apache-2.0 */
/* project.c -- states brought back to the invariants of the model.
 *
 * Where no choice of states is good for ever (dae/choice.c) all candidates are states and the
 * constraints g(x) = 0 between them are kept by their derivatives, up to the errors of the
 * integration. At the end of a step the nearest point with g = 0 is sought, in the norm of the
 * nominal values: Gauss-Newton steps
 *     x <- x - d,   d = W J' (J W J')^+ g,   J = dg/dx, W = diag(nominal^2)
 * (Eich, SIAM J. Numer. Anal. 30, 1993), if d matters beside the tolerance. Redundant invariants,
 * and places where J loses rank, are no obstacle: the pseudo-inverse leaves alone what they do
 * not determine.
 *
 * J comes from differences, one state of every part that shares no invariant with the others
 * at a time, and is kept while it serves: a step costs one evaluation where nothing has to be
 * done, and two where something is. */
#include "live/live.h"
#include "lin/lin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Share {     /* invariants and states that share nothing with others    */
    int     first, count;  /* invariants                                              */
    int     begin, states; /* states: projection.state[begin ...)                     */
    double *jacobian;      /* count x states by rows                                  */
} Share;

struct Projection {
    int        invariants, states, parts;
    Share     *part;
    const int *state; /* numbers of the states, part by part                       */
    int        most;  /* states of the largest part                                   */
    bool       known; /* there is a Jacobian                                          */
    double *g, *moved, *held; /* invariants                                             */
    double *right;      /* right-hand sides and multipliers of one part                 */
    double *normal;     /* J W J' of one part                                           */
    double *work;       /* of its least squares ...                                     */
    int    *order;      /* ... likewise                                                 */
    double *jacobian;   /* of all parts                                                 */
    double *change;     /* d of each state                                              */
    double *old, *back; /* values of the states                                         */
};

/* False: no memory. */
static bool make_parts(Projection *p, const Invariants *all) {
    size_t room = 0, largest = 0;
    p->part = mem_take((size_t)all->parts, sizeof *p->part);
    if (!p->part) return false;
    p->parts = all->parts;
    for (int i = 0; i < all->rows; i++) p->part[all->part[i]].count++;
    for (int i = 0; i < all->states; i++) p->part[all->state_part[i]].states++;
    for (int k = 0, first = 0, begin = 0; k < p->parts; k++) {
        Share *part = &p->part[k];
        part->first = first;
        part->begin = begin;
        first += part->count;
        begin += part->states;
        room += (size_t)part->count * (size_t)part->states;
        if ((size_t)part->count > largest) largest = (size_t)part->count;
        if (part->states > p->most) p->most = part->states;
    }
    p->jacobian = mem_take(room, sizeof(double));
    p->normal = mem_take(largest * largest, sizeof(double));
    p->right = mem_take(largest, sizeof(double));
    p->work = mem_take(dense_least_room((int)largest), sizeof(double));
    p->order = mem_take(largest, sizeof(int));
    if (!p->jacobian || !p->normal || !p->right || !p->work || !p->order) return false;
    double *next = p->jacobian;
    for (int k = 0; k < p->parts; k++) {
        p->part[k].jacobian = next;
        next += (size_t)p->part[k].count * (size_t)p->part[k].states;
    }
    return true;
}

bool project_open(Instance *instance) {
    const Invariants *all = &instance->program->invariants;
    if (!all->rows) return true;
    Projection *p = instance->projection = mem_take(1, sizeof *p);
    size_t      k = (size_t)all->rows, n = (size_t)all->states;
    if (!p) return false;
    p->invariants = all->rows;
    p->states = all->states;
    p->state = all->state;
    p->g = mem_take(k, sizeof(double));
    p->moved = mem_take(k, sizeof(double));
    p->held = mem_take(k, sizeof(double));
    p->change = mem_take(n, sizeof(double));
    p->old = mem_take(n, sizeof(double));
    p->back = mem_take(n, sizeof(double));
    return p->g && p->moved && p->held && p->change && p->old && p->back &&
           make_parts(p, all);
}

void project_close(Instance *instance) {
    Projection *p = instance->projection;
    if (!p) return;
    void *block[] = {p->part,   p->g,        p->moved,  p->held, p->right,
                     p->normal, p->jacobian, p->change, p->old,  p->back,
                     p->work,   p->order,    p};
    for (int i = 0; i < LENGTH(block); i++) mem_free(block[i]);
    instance->projection = NULL;
}

static bool evaluate(Instance *instance, const double *x, double *g) {
    instance->counts.rows += instance->common->all_rows;
    instance->counts.rates++;
    Running *r = &instance->run;
    if (instance_evaluate(instance, r->rb.time, x)) {
        r->rb.failed = 0;
        return false;
    }
    r->image->invariants(&r->rb, g);
    for (int i = 0; i < instance->projection->invariants; i++)
        if (!isfinite(g[i])) return false;
    return true;
}

/* Columns j of all parts at once; g is that of x. */
static bool make_columns(Instance *instance, double *x, int j) {
    Projection *p = instance->projection;
    for (int k = 0; k < p->parts; k++) {
        if (j >= p->part[k].states) continue;
        int i = p->state[p->part[k].begin + j];
        p->old[p->part[k].begin + j] = x[i];
        x[i] += 1e-7 * fmax(fabs(x[i]), instance->common->nominal[i]);
    }
    bool fine = evaluate(instance, x, p->moved);
    for (int k = 0; k < p->parts; k++) {
        const Share *part = &p->part[k];
        if (j >= part->states) continue;
        int    i = p->state[part->begin + j];
        double h = x[i] - p->old[part->begin + j];
        x[i] = p->old[part->begin + j];
        for (int a = 0; a < part->count; a++)
            part->jacobian[a * part->states + j] =
                (p->moved[part->first + a] - p->g[part->first + a]) / h;
    }
    return fine;
}

static bool make_jacobian(Instance *instance, double *x) {
    Projection *p = instance->projection;
    p->known = false;
    for (int j = 0; j < p->most; j++)
        if (!make_columns(instance, x, j)) return false;
    p->known = true;
    return true;
}

/* The change of one part, and its size beside the states. */
static double find_part(const Instance *instance, const Share *part, const double *x) {
    Projection *p = instance->projection;
    int         n = part->states, m = part->count;
    double      size = 0;
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                double w = instance->common->nominal[p->state[part->begin + j]];
                sum += part->jacobian[a * n + j] * w * w * part->jacobian[b * n + j];
            }
            p->normal[b * m + a] = sum;
        }
    memcpy(p->right, p->g + part->first, sizeof(double) * (size_t)m);
    if (!isfinite(
            dense_least_squares_in(m, p->normal, p->right, 1e-12, p->work, p->order)))
        return INFINITY;
    for (int j = 0; j < n; j++) {
        int    i = p->state[part->begin + j];
        double w = instance->common->nominal[i], sum = 0;
        for (int a = 0; a < m; a++) sum += part->jacobian[a * n + j] * p->right[a];
        p->change[part->begin + j] = w * w * sum;
        size = fmax(size, fabs(w * w * sum) / fmax(fabs(x[i]), w));
    }
    return size;
}

static double find_change(const Instance *instance, const double *x) {
    const Projection *p = instance->projection;
    double            size = 0;
    for (int k = 0; k < p->parts; k++)
        size = fmax(size, find_part(instance, &p->part[k], x));
    return size;
}

static void keep_point(const Projection *p, const double *x) {
    for (int j = 0; j < p->states; j++) p->back[j] = x[p->state[j]];
    memcpy(p->held, p->g, sizeof(double) * (size_t)p->invariants);
}

static void back_to_point(const Projection *p, double *x) {
    for (int j = 0; j < p->states; j++) x[p->state[j]] = p->back[j];
    memcpy(p->g, p->held, sizeof(double) * (size_t)p->invariants);
}

/* Steps until they no longer matter. A Jacobian that does not bring x much nearer is renewed.
 * Returns what is left to go; x never ends farther away than it was. */
static double approach(Instance *instance, double *x, double left, double tolerance) {
    enum { STEPS = 12 };
    Projection *p = instance->projection;
    bool        fresh = false;
    for (int step = 0; step < STEPS && left > tolerance; step++) {
        keep_point(p, x);
        for (int j = 0; j < p->states; j++) x[p->state[j]] -= p->change[j];
        double next = evaluate(instance, x, p->g) ? find_change(instance, x) : INFINITY;
        if (next < (fresh ? 0.9 : 0.2) * left) {
            fresh = false;
            left = next;
            continue;
        }
        back_to_point(p, x);
        if (fresh || !make_jacobian(instance, x)) break; /* rounding, or no solution */
        fresh = true;
        left = find_change(instance, x);
    }
    return left;
}

/* Far from the invariants a result would be wrong without a word. */
Status project_states(void *self, double t, double *x, double tolerance, bool *moved,
                      Fault *fault) {
    static const double far = 100;
    Instance           *instance = self;
    Projection         *p = instance->projection;
    instance->run.rb.time = t;
    instance->fault = fault;
    *moved = false;
    if (!evaluate(instance, x, p->g)) return STATUS_RETRY;
    if (!p->known && !make_jacobian(instance, x)) return STATUS_RETRY;
    double size = find_change(instance, x);
    if (size <= tolerance) return STATUS_OK;
    double left = approach(instance, x, size, 1e-3 * tolerance);
    *moved = true;
    if (left <= far * tolerance) return STATUS_OK;
    fault->what = "the states cannot be brought back to the constraints between them";
    return STATUS_RETRY;
}
