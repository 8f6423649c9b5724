/* SPDX-License-Identifier: Apache-2.0 */
/* motion.c -- which states move fast: modes of the linearised model and the part of the states in them.
 *
 * Near a point, dx' = J dx is a sum of modes v exp(lambda t) with the eigenvalues of J. How much state
 * s and mode i have to do with each other is the participation |w_si v_si|, with v the right and w
 * the left eigenvector; it does not depend on the units of the states. A state belongs to the fast
 * modes if most of its participation is in them.
 *
 * Cost: n^3, so that it is refused above MOTION_STATES states. Perez-Arriaga, Verghese, Schweppe, Selective modal
 * analysis, IEEE Trans. Power App. Syst. 101, 1982. */
#include "live/live.h"

#include <math.h>
#include <string.h>

void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr,
            const int *ldvr, double *work, const int *lwork, int *info, size_t length_l,
            size_t length_r);

typedef struct Modes {
    int     n;
    double *room;         /* memory of: */
    double *a;            /* n x n by columns: df/dx */
    double *left, *right; /* n x n: eigenvectors */
    double *real, *imaginary;
    double *part, *total;  /* n: of one mode, of all modes */
    double *work, *values; /* 8 n; entries of the pattern */
} Modes;

static bool open(Modes *m, const Instance *instance) {
    const Pattern *pattern = instance->model.pattern;
    size_t         n = (size_t)instance->model.nx;
    size_t         entries = pattern ? (size_t)pattern_entries(pattern) : n * n;
    m->n = (int)n;
    m->room = mem_take(3 * n * n + 12 * n + entries + 1, sizeof *m->room);
    if (!m->room) return false;
    m->a = m->room;
    m->left = m->a + n * n;
    m->right = m->left + n * n;
    m->real = m->right + n * n;
    m->imaginary = m->real + n;
    m->part = m->imaginary + n;
    m->total = m->part + n;
    m->work = m->total + n;
    m->values = m->work + 8 * n;
    return true;
}

static Status fill(Modes *m, Instance *instance, double t, const double *x,
                   Fault *fault) {
    const Pattern  *p = instance->model.pattern;
    const Selection all = {0};
    size_t          n = (size_t)m->n;
    Status status = instance->model.fn->jacobian(instance, t, x, &all, m->values, fault);
    if (status != STATUS_OK) return status;
    if (!p) memcpy(m->a, m->values, n * n * sizeof *m->a);
    for (size_t j = 0; p && j < n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            m->a[j * n + (size_t)p->row[e]] = m->values[e];
    for (size_t k = 0; k < n * n; k++)
        if (!isfinite(m->a[k])) return STATUS_NOT_FINITE;
    return STATUS_OK;
}

/* Participation of all states in mode i; of a pair of complex ones the first holds real parts and the
 * second imaginary parts of the vectors. */
static void participate(Modes *m, int i) {
    size_t n = (size_t)m->n, own = (size_t)i;
    bool   second = m->imaginary[i] < 0;
    double sum = 0;
    if (second) own--;
    for (size_t s = 0; s < n; s++) {
        double l = m->left[own * n + s], r = m->right[own * n + s], li = 0, ri = 0;
        if (m->imaginary[i] != 0)
            li = m->left[(own + 1) * n + s], ri = m->right[(own + 1) * n + s];
        sum += m->part[s] = hypot(l, li) * hypot(r, ri);
    }
    for (size_t s = 0; s < n && sum > 0; s++) m->part[s] /= sum;
}

static void add_mode(Modes *m, int i, double rate, FastPart *state) {
    const double damping = 0.2, worth = 0.05; /* Re/|lambda|; participation that counts */
    double       size = hypot(m->real[i], m->imaginary[i]);
    participate(m, i);
    for (int s = 0; s < m->n; s++) {
        m->total[s] += m->part[s];
        if (size <= rate) continue;
        state[s].share += m->part[s];
        if (m->part[s] <= worth) continue;
        state[s].slowest = fmin(state[s].slowest, size);
        state[s].damped &= m->real[i] < -damping * size;
    }
}

Status motion_find(Instance *instance, double t, const double *x, double rate,
                   FastPart *state, Fault *fault) {
    Modes m = {0};
    int   n = instance->model.nx, lwork = 8 * n, info = 0;
    if (n > MOTION_STATES || !instance->model.fn->jacobian) return STATUS_ABSENT;
    if (!open(&m, instance)) return STATUS_NO_MEMORY;
    Status status = fill(&m, instance, t, x, fault);
    if (status == STATUS_OK && n)
        dgeev_("V", "V", &n, m.a, &n, m.real, m.imaginary, m.left, &n, m.right, &n,
               m.work, &lwork, &info, 1, 1);
    if (status == STATUS_OK && info) status = STATUS_DIVERGED;
    for (int s = 0; s < n; s++)
        state[s] = (FastPart){.slowest = HUGE_VAL, .damped = true};
    for (int i = 0; i < n && status == STATUS_OK; i++) add_mode(&m, i, rate, state);
    for (int s = 0; s < n; s++)
        if (m.total[s] > 0) state[s].share /= m.total[s];
    mem_free(m.room);
    return status;
}
