/* SPDX-License-Identifier: Apache-2.0 */
/* host.c -- parts of a network without kernels: their ordinary code answers.
 *
 * The program holds one instance of every part, and its code evaluates all of them at once. So parts
 * without kernels that lie on one level of the network share an evaluation: what their neighbours give
 * is put among the known values, the code runs, and what they pass on is read. A law is affine in the
 * efforts (gen/batch_host.c has proven it): its coefficients are the differences that unit efforts make.
 *
 * Cost: an evaluation for each level of signals, and one more than there are pairs for each of laws. */
#include "lied/lied.h"

#include <math.h>
#include <stdlib.h>

void net_known(const Net *n) {
    for (int f = 0; f < n->all->count; f++) {
        const NetPart   *p = &n->part[f];
        const BatchInfo *info = &n->all->batch[f];
        for (int k = 0; p->count && k < p->knowns; k++)
            n->v[n->all->known[info->known + k]] = p->q[k * p->count];
    }
}

/* The variables of some results of a part join those that are wanted. */
static void want(const Net *n, const NetPart *p, int first, int count, int *wants) {
    for (int k = first; k < first + count; k++)
        if (p->host[k]) n->want[(*wants)++] = abs(p->host[k]) - 1;
}

static bool evaluate(const Net *n, double t, const double *x, int wants) {
    int kept = 0;
    net_known(n);
    if (wants) qsort(n->want, (size_t)wants, sizeof(int), int_ascending);
    for (int k = 0; k < wants; k++)
        if (!k || n->want[k] != n->want[k - 1]) n->want[kept++] = n->want[k];
    return n->evaluate(n->owner, t, x, n->want, kept, NULL) == 0;
}

static double value(const Net *n, const NetPart *p, int result) {
    int at = p->host[result];
    return at == 0 ? 0 : at > 0 ? n->v[at - 1] : -n->v[-at - 1];
}

static const NetPart *part_of(const Net *n, bool sections, const Sweep *s) {
    return &n->part[sections ? n->net->section[s->kernel].family
                             : n->net->group[s->kernel].family];
}

/* The next sweep without kernels on the level of sweep b, from `from` on in steps of +1 or -1; -1:
 * none. */
static int next_on_level(const Net *n, bool sections, int b, int from) {
    const Sweeps *all = sections ? &n->deep : &n->down;
    int           step = sections ? -1 : 1;
    for (int k = from; k >= 0 && k < all->count; k += step)
        if (all->item[k].level == all->item[b].level &&
            part_of(n, sections, &all->item[k])->host)
            return k;
    return -1;
}

bool host_go(Net *n, int b, double t, const double *x) {
    const Network *net = n->net;
    int            wants = 0;
    for (int k = b; k >= 0; k = next_on_level(n, false, b, k + 1)) {
        const Sweep *s = &n->down.item[k];
        for (int j = n->feed_at[s->kernel]; j < n->feed_at[s->kernel + 1]; j++)
            net_pull(n, n->feed[j], false, s);
        for (int j = 0; j < net->ports; j++)
            if (net->port[j].out && net->port[j].group == s->kernel)
                want(n, part_of(n, false, s), net->port[j].given, net->port[j].travels,
                     &wants);
    }
    if (!evaluate(n, t, x, wants)) return false;
    for (int k = b; k >= 0; k = next_on_level(n, false, b, k + 1)) {
        int            group = n->down.item[k].kernel;
        const NetPart *p = part_of(n, false, &n->down.item[k]);
        for (int j = 0; j < net->ports; j++) {
            const NetPort *port = &net->port[j];
            if (!port->out || port->group != group) continue;
            for (int i = 0; i < port->travels; i++)
                p->o[port->given + i] = value(n, p, port->given + i);
        }
    }
    return true;
}

/* A unit of effort is a power of 2 of the size of the last efforts there, so that rounding of all the
 * rest stays small beside the difference that it makes. */
static void choose_unit(Net *n, int section) {
    const NetSection *s = &n->net->section[section];
    double            size = 1;
    for (int i = 0; s->port >= 0 && i < n->net->port[s->port].pairs; i++)
        size = fmax(size, fabs(n->part[s->family].q[n->net->port[s->port].effort + i]));
    n->unit[section] = isfinite(size) ? exp2(floor(log2(size))) : 1;
}

/* The efforts at the triplet of a section are 0, but for one of them. */
static void put_effort(const Net *n, int section, int one) {
    const NetSection *s = &n->net->section[section];
    if (s->port < 0) return;
    const NetPort *port = &n->net->port[s->port];
    for (int i = 0; i < port->pairs; i++)
        n->part[s->family].q[port->effort + i] = i == one ? n->unit[section] : 0;
}

/* Column `one` of all that is affine in the efforts; -1: the value without them. */
static void keep_column(const Net *n, int section, int one) {
    const NetSection *s = &n->net->section[section];
    const NetPart    *p = &n->part[s->family];
    const NetPort    *port = s->port < 0 ? NULL : &n->net->port[s->port];
    int               pairs = port ? port->pairs : 0;
    double            over = 1 / n->unit[section];
    if (one >= pairs) return;
    for (int d = 0; d < s->downs; d++) {
        double *a = p->o + s->affine + d * (1 + pairs);
        double  v = value(n, p, s->value + d);
        a[1 + one] = one < 0 ? v : (v - a[0]) * over;
    }
    for (int i = 0; i < pairs; i++) {
        double v = value(n, p, port->law + i), *a = p->o + port->law;
        if (one < 0) a[i] = v;
        else a[pairs + i * pairs + one] = (v - a[i]) * over;
    }
}

/* All that the law kernel of a section gives. */
static void want_section(const Net *n, int section, int *wants) {
    const NetSection *s = &n->net->section[section];
    const NetPart    *p = &n->part[s->family];
    want(n, p, s->value, s->downs, wants);
    if (s->port >= 0)
        want(n, p, n->net->port[s->port].law, n->net->port[s->port].pairs, wants);
    for (int j = 0; j < n->net->ports; j++)
        if (n->net->port[j].section == section && n->net->port[j].flow >= 0)
            want(n, p, n->net->port[j].flow, n->net->port[j].pairs, wants);
}

static void keep_flows(const Net *n, int section) {
    for (int j = 0; j < n->net->ports; j++) {
        const NetPort *port = &n->net->port[j];
        const NetPart *p = &n->part[port->family];
        for (int i = 0; port->section == section && port->flow >= 0 && i < port->pairs;
             i++)
            p->o[port->flow + i] = value(n, p, port->flow + i);
    }
}

bool host_law(Net *n, int b, double t, const double *x) {
    const Network *net = n->net;
    int            most = 0;
    for (int k = b; !n->sloped && k >= 0; k = next_on_level(n, true, b, k - 1)) {
        int port = net->section[n->deep.item[k].kernel].port;
        if (port >= 0 && net->port[port].pairs > most) most = net->port[port].pairs;
        choose_unit(n, n->deep.item[k].kernel);
    }
    for (int one = -1; one < most; one++) {
        int wants = 0;
        for (int k = b; k >= 0; k = next_on_level(n, true, b, k - 1)) {
            put_effort(n, n->deep.item[k].kernel, one);
            want_section(n, n->deep.item[k].kernel, &wants);
        }
        if (!evaluate(n, t, x, wants)) return false;
        for (int k = b; k >= 0; k = next_on_level(n, true, b, k - 1)) {
            keep_column(n, n->deep.item[k].kernel, one);
            if (one < 0) keep_flows(n, n->deep.item[k].kernel);
        }
    }
    for (int k = b; k >= 0; k = next_on_level(n, true, b, k - 1)) {
        int port = net->section[n->deep.item[k].kernel].port;
        if (port >= 0) net_push(n, port, &n->deep.item[k]);
    }
    return true;
}

bool host_missing(Net *n, const NetTie *tie, double t, const double *x) {
    const NetPart *p = &n->part[tie->family];
    int            wants = 0;
    want(n, p, tie->miss, tie->count, &wants);
    if (!evaluate(n, t, x, wants)) return false;
    for (int i = 0; i < tie->count; i++) p->o[tie->miss + i] = value(n, p, tie->miss + i);
    return true;
}

bool host_rates(Net *n, double t, const double *x, double *dx) {
    net_known(n);
    return n->evaluate(n->owner, t, x, NULL, 0, dx) == 0;
}
