/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.c -- derivatives of a network of parts.
 *
 *   1. signals, and in mechanics velocities, travel from the root to the leaves;
 *   2. laws travel from the leaves to the root: an answer p + P*effort of each section, where those of
 *      the components of a node add up;
 *   3. efforts travel from the root to the leaves, and with them all that is affine in them;
 *   4. derivatives of the states.
 *
 * For trees this is the articulated-body algorithm, and the work is linear in the instances. Loops leave
 * efforts that are not known (cut.c). Source: Featherstone, The calculation of robot dynamics using
 * articulated-body inertias, 1983; Zimmer, see gen/batch_part.c. */
#include "lied/lied.h"

#include <math.h>
#include <string.h>

static long instance_at(const Net *n, const Sweep *s, long k) {
    return s->list >= 0 ? n->list[s->list + k] : s->first + k * s->step;
}

static void call(const Net *n, const PartKernel *code, const NetPart *p, const Sweep *s,
                 long k, long count, double t, const double *x, double *dx) {
    const int *at = s->list >= 0 ? n->list + s->list + k : NULL;
    long       first = s->first + k * s->step;
    x += p->x0;
    if (dx) dx += p->x0;
    if (code->fast(count, first, s->step, at, code->u, p->count, t, n->v, p->q, x, p->o,
                   dx))
        code->exact(count, first, s->step, at, code->u, p->count, t, n->v, p->q, x, p->o,
                    dx);
}

/* Values of the neighbour towards the root become known: signals or efforts. */
static void pull(const Net *n, int number, bool efforts, const Sweep *s, long k,
                 long count) {
    const NetPort  *port = &n->net->port[number];
    const PortEnds *ends = &n->ends[number];
    const NetPart  *p = &n->part[port->family];
    int             values = efforts ? port->pairs : port->travels;
    int             place = efforts ? port->effort : port->given;
    for (; count > 0; count--, k++) {
        long           i = instance_at(n, s, k);
        const NetPort *other = &n->net->port[ends->port[i]];
        const NetPart *from = &n->part[other->family];
        const double  *o = from->o +
                          (efforts ? other->effort : other->given) * from->count +
                          ends->instance[i];
        double *q = p->q + place * p->count + i;
        for (int m = 0; m < values; m++) q[m * p->count] = o[m * from->count];
    }
}

/* The law of a section is subtracted from that of the node: what a component takes, the other gives. */
static void push(const Net *n, int number, const Sweep *s, long k, long count) {
    const NetPort  *port = &n->net->port[number];
    const PortEnds *ends = &n->ends[number];
    const NetPart  *p = &n->part[port->family];
    int             values = port->pairs * (1 + port->pairs);
    for (; count > 0; count--, k++) {
        long           i = instance_at(n, s, k);
        const NetPort *other = &n->net->port[ends->port[i]];
        const NetPart *to = &n->part[other->family];
        const double  *o = p->o + port->law * p->count + i;
        double        *q = to->q + other->law * to->count + ends->instance[i];
        for (int m = 0; m < values; m++) q[m * to->count] -= o[m * p->count];
    }
}

/* ---- explicit values ---- */

static void go(const Net *n, const Sweep *s, long k, long count, double t,
               const double *x) {
    const Network *net = n->net;
    for (int j = n->feed_at[s->kernel]; j < n->feed_at[s->kernel + 1]; j++)
        pull(n, n->feed[j], false, s, k, count);
    call(n, &n->go[s->kernel], &n->part[net->group[s->kernel].family], s, k, count, t, x,
         NULL);
}

static bool explicit_values(Net *n, double t, const double *x) {
    int level = -1; /* of ordinary code that has run */
    for (int b = 0; b < n->down.count; b++) {
        const Sweep *s = &n->down.item[b];
        if (n->part[n->net->group[s->kernel].family].host) {
            if (s->level != level && !host_go(n, b, t, x)) return false;
            level = s->level;
            continue;
        }
        for (long k = 0; s->chain && k < s->count; k++) go(n, s, k, 1, t, x);
        if (!s->chain) go(n, s, 0, s->count, t, x);
    }
    for (int j = 0; j < n->net->ports; j++) { /* signals that end here */
        const NetPort *port = &n->net->port[j];
        Sweep every = {.list = -1, .step = 1, .count = n->part[port->family].count};
        if (!port->out && port->group < 0) pull(n, j, false, &every, 0, every.count);
    }
    return true;
}

void net_pull(const Net *n, int port, bool efforts, const Sweep *s) {
    pull(n, port, efforts, s, 0, s->count);
}

void net_push(const Net *n, int port, const Sweep *s) {
    push(n, port, s, 0, s->count);
}

/* ---- implicit values ---- */

static void law(const Net *n, const Sweep *s, long k, long count, double t,
                const double *x) {
    const NetSection *section = &n->net->section[s->kernel];
    call(n, &n->law[s->kernel], &n->part[section->family], s, k, count, t, x, NULL);
    if (section->port >= 0) push(n, section->port, s, k, count);
}

static void effort(const Net *n, const Sweep *s, long k, long count) {
    const NetSection *section = &n->net->section[s->kernel];
    const NetPart    *p = &n->part[section->family];
    const NetPort    *port = section->port < 0 ? NULL : &n->net->port[section->port];
    const int         pairs = port ? port->pairs : 0;
    const long        S = p->count;
    if (port) pull(n, section->port, true, s, k, count);
    for (; count > 0; count--, k++) {
        long          i = instance_at(n, s, k);
        const double *e = port ? p->q + port->effort * S + i : NULL;
        const double *a = p->o + section->affine * S + i;
        double       *to = p->o + section->value * S + i;
        for (int d = 0; d < section->downs; d++, a += (1 + pairs) * S) {
            double sum = a[0];
            for (int j = 0; j < pairs; j++) sum += a[(1 + j) * S] * e[j * S];
            to[d * S] = sum;
        }
    }
}

bool net_implicit(Net *n, double t, const double *x) {
    int level = -1;
    for (int b = n->deep.count - 1; b >= 0; b--) {
        const Sweep *s = &n->deep.item[b];
        if (n->part[n->net->section[s->kernel].family].host) {
            if (s->level != level && !host_law(n, b, t, x)) return false;
            level = s->level;
            continue;
        }
        for (long k = s->count - 1; s->chain && k >= 0; k--) law(n, s, k, 1, t, x);
        if (!s->chain) law(n, s, 0, s->count, t, x);
    }
    for (int b = 0; b < n->deep.count; b++) {
        const Sweep *s = &n->deep.item[b];
        for (long k = 0; s->chain && k < s->count; k++) effort(n, s, k, 1);
        if (!s->chain) effort(n, s, 0, s->count);
    }
    return true;
}

void net_clear(const Net *n) {
    for (int k = 0; k < n->net->ports; k++) {
        const NetPort *port = &n->net->port[k];
        const NetPart *p = &n->part[port->family];
        if (port->out)
            memset(p->q + port->law * p->count, 0,
                   sizeof(double) * (size_t)p->count *
                       (size_t)(port->pairs * (1 + port->pairs)));
    }
}

bool net_rates(Net *n, double t, const double *x, double *dx) {
    n->v[n->net->clock] = t;
    if (!explicit_values(n, t, x)) return false;
    if (n->cuts.count) {
        if (!cuts_solve(n, t, x)) return false;
    } else {
        net_clear(n);
        if (!net_implicit(n, t, x)) return false;
    }
    for (int f = 0; f < n->all->count; f++) {
        const NetPart *p = &n->part[f];
        Sweep          every = {.list = -1, .step = 1, .count = p->count};
        if (p->count && p->states && !p->host)
            call(n, &p->rate, p, &every, 0, p->count, t, x, dx);
    }
    return !n->hosts || host_rates(n, t, x, dx);
}

/* Flows into the components at an output port, by instance of it. *port: the last that takes some. */
static void sum_flows(const Net *n, int out, double *sum, int *port, long *instance) {
    for (int k = 0; k < n->net->ports; k++) {
        const NetPort *a = &n->net->port[k];
        const NetPart *p = &n->part[a->family];
        for (long i = 0; !a->out && a->flow >= 0 && i < p->count; i++) {
            if (n->ends[k].port[i] != out) continue;
            for (int m = 0; m < a->pairs; m++)
                sum[(long)n->ends[k].instance[i] * a->pairs + m] +=
                    p->o[(a->flow + m) * p->count + i];
            if (p->o[a->flow * p->count + i] != 0) *port = k, *instance = i;
        }
    }
}

bool net_flows_agree(const Net *n, FlowMismatch *found) {
    bool agree = true;
    for (int k = 0; agree && k < n->net->ports; k++) {
        const NetPort *b = &n->net->port[k];
        const NetPart *q = &n->part[b->family];
        if (!b->out || b->flow < 0) continue;
        double *sum = mem_take((size_t)q->count * (size_t)b->pairs + 1, sizeof *sum);
        *found = (FlowMismatch){.in = -1, .out = k};
        if (!sum) return false;
        sum_flows(n, k, sum, &found->in, &found->in_at);
        for (long i = 0; agree && i < q->count * b->pairs; i++) {
            found->out_at = i / b->pairs;
            found->taken = sum[i];
            found->given =
                0.0 - q->o[(b->flow + i % b->pairs) * q->count + found->out_at];
            agree =
                fabs(sum[i] - found->given) <= 1e-9 * (fabs(sum[i]) + fabs(found->given));
        }
        mem_free(sum);
    }
    return agree;
}
