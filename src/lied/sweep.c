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
 * efforts that are not known (cut.c). Instances of a sweep are shared out to threads, but for chains. Source: Featherstone, The calculation of robot dynamics using
 * articulated-body inertias, 1983; Zimmer, see gen/batch_part.c. */
#include "lied/lied.h"

#include <math.h>
#include <string.h>

static long instance_at(const Net *n, const Sweep *s, long k) {
    return s->list >= 0 ? n->list[s->list + k] : s->first + k * s->step;
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

/* ---- shares of a sweep ---- */

/* Instances k .. k + count - 1 of a sweep, in shares for threads. */
typedef struct Stretch {
    const Net        *n;
    const Sweep      *s;
    long              k, count;
    const PartKernel *code; /* a kernel; NULL: efforts and all that is affine in them */
    const NetPart    *part;
    const int        *feed; /* ports whose signals come first */
    int               feeds;
    bool              exact; /* for all angles */
    double            t;
    const double     *x;
    double           *dx;
} Stretch;

/* Shares begin at multiples of GRAIN: the same instances are computed side by side for any number of
 * threads, so that all values are the same. */
enum { GRAIN = 64, LEAST = 512 };

static long share_end(long count, int share, int shares) {
    return share == shares ? count : count / GRAIN * share / shares * GRAIN;
}

static int run_kernel(const Stretch *r, long k, long count) {
    const Sweep *s = r->s;
    const int   *at = s->list >= 0 ? r->n->list + s->list + k : NULL;
    const long   x0 = r->part->x0;
    PartCode    *code = r->exact ? r->code->exact : r->code->fast;
    for (int j = 0; j < r->feeds; j++) pull(r->n, r->feed[j], false, s, k, count);
    return code(count, s->first + k * s->step, s->step, at, r->code->u, r->part->count,
                r->t, r->n->v, r->part->q, r->x + x0, r->part->o,
                r->dx ? r->dx + x0 : NULL);
}

static void run_effort(const Stretch *r, long k, long count);

static int run_share(void *context, int share, int shares) {
    const Stretch *r = context;
    const long     from = share_end(r->count, share, shares);
    const long     n = share_end(r->count, share + 1, shares) - from;
    if (n <= 0) return 0;
    if (r->code) return run_kernel(r, r->k + from, n);
    run_effort(r, r->k + from, n);
    return 0;
}

static int run_range(Stretch *r) {
    return r->n->team && r->count >= LEAST ? team_run(r->n->team, run_share, r)
                                           : run_share(r, 0, 1);
}

/* A kernel, once more if an angle is too wide for its fast form. */
static void call(Stretch *r) {
    if (!run_range(r)) return;
    r->exact = true;
    run_range(r);
}

/* ---- explicit values ---- */

static void go(const Net *n, const Sweep *s, long k, long count, double t,
               const double *x) {
    const int at = n->feed_at[s->kernel];
    Stretch   r = {.n = n,
                   .s = s,
                   .k = k,
                   .count = count,
                   .code = &n->go[s->kernel],
                   .part = &n->part[n->net->group[s->kernel].family],
                   .feed = n->feed + at,
                   .feeds = n->feed_at[s->kernel + 1] - at,
                   .t = t,
                   .x = x};
    call(&r);
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

/* Laws of several instances may add up in one neighbour: they are pushed in order. */
static void law(const Net *n, const Sweep *s, long k, long count, double t,
                const double *x) {
    const NetSection *section = &n->net->section[s->kernel];
    Stretch           r = {.n = n,
                           .s = s,
                           .k = k,
                           .count = count,
                           .code = &n->law[s->kernel],
                           .part = &n->part[section->family],
                           .t = t,
                           .x = x};
    call(&r);
    if (section->port >= 0) push(n, section->port, s, k, count);
}

static void run_effort(const Stretch *r, long k, long count) {
    const Net        *n = r->n;
    const Sweep      *s = r->s;
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

static void effort(const Net *n, const Sweep *s, long k, long count) {
    Stretch r = {.n = n, .s = s, .k = k, .count = count};
    run_range(&r);
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

bool net_missing(Net *n, double t, const double *x) {
    for (int k = 0; k < n->net->ties; k++) {
        const NetTie  *tie = &n->net->tie[k];
        const NetPart *p = &n->part[tie->family];
        Sweep          every = {.list = -1, .step = 1, .count = p->count};
        Stretch        r = {.n = n,
                            .s = &every,
                            .count = p->count,
                            .code = &n->miss[k],
                            .part = p,
                            .t = t,
                            .x = x};
        if (p->host && !host_missing(n, tie, t, x)) return false;
        if (!p->host) call(&r);
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
        Stretch        r = {.n = n,
                            .s = &every,
                            .count = p->count,
                            .code = &p->rate,
                            .part = p,
                            .t = t,
                            .x = x,
                            .dx = dx};
        if (p->count && p->states && !p->host) call(&r);
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
