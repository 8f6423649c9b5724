/* SPDX-License-Identifier: Apache-2.0 */
/* steps.c -- steps of fixed length of a network of parts, by an explicit method.
 *
 * The stages of a step need the whole network, so nothing can be fused by chunks as in batch.c. What is
 * kept is one vector a stage and one for the point of the next stage; of methods whose stages form a
 * chain three. */
#include "lied/lied.h"

#include <math.h>

/* to = x + h sum a[j] k_j */
static void combine(long n, int stages, const double *a, double h, const double *k,
                    const double *x, double *to) {
    for (long i = 0; i < n; i++) to[i] = 0;
    for (int j = 0; j < stages; j++) {
        const double  aj = a[j];
        const double *kj = k + j * n;
        for (long i = 0; aj != 0 && i < n; i++) to[i] += aj * kj[i];
    }
    for (long i = 0; i < n; i++) to[i] = x[i] + h * to[i];
}

/* Every stage reads the one before it alone, as in the classical methods: three vectors are enough. */
static bool is_chain(const Method *m) {
    for (int i = 2; i < batch_stages(m); i++)
        for (int j = 0; j < i - 1; j++)
            if (m->a[i * m->stages + j] != 0) return false;
    return true;
}

/* The sum of the stages is made while they come, in the same order. */
static bool chain_step(Net *net, const Method *m, double t, double h, double *x,
                       double *work) {
    const int  stages = batch_stages(m);
    const long n = net->states;
    double    *point = work, *k = work + n, *sum = work + 2 * n;
    for (int i = 0; i < stages; i++) {
        const double a = i ? m->a[i * m->stages + i - 1] : 0, b = m->b[i];
        for (long j = 0; i && j < n; j++) point[j] = x[j] + h * (a * k[j]);
        if (!net_rates(net, t + m->c[i] * h, i ? point : x, k)) return false;
        for (long j = 0; !i && j < n; j++) sum[j] = 0;
        for (long j = 0; b != 0 && j < n; j++) sum[j] += b * k[j];
    }
    for (long j = 0; j < n; j++) x[j] += h * sum[j];
    return true;
}

static bool step(Net *net, const Method *m, double t, double h, double *x, double *work) {
    const int  stages = batch_stages(m);
    const long n = net->states;
    double    *k = work + n;
    if (is_chain(m)) return chain_step(net, m, t, h, x, work);
    if (!net_rates(net, t, x, k)) return false;
    for (int i = 1; i < stages; i++) {
        combine(n, i, m->a + (size_t)i * (size_t)m->stages, h, k, x, work);
        if (!net_rates(net, t + m->c[i] * h, work, k + i * n)) return false;
    }
    combine(n, stages, m->b, h, k, x, work);
    for (long i = 0; i < n; i++) x[i] = work[i];
    return true;
}

size_t net_room(const Net *net, const Method *m) {
    return (size_t)net->states * (is_chain(m) ? 3 : (size_t)batch_stages(m) + 1) + 1;
}

Status net_advance(Net *net, const Method *m, double t, double h, long steps, double *x,
                   double *work) {
    double sum = 0;
    for (long k = 0; k < steps; k++)
        if (!step(net, m, t + (double)k * h, h, x, work)) return STATUS_SINGULAR;
    for (long i = 0; i < net->states; i++) sum += x[i] - x[i];
    return sum == 0 ? STATUS_OK : STATUS_NOT_FINITE;
}
