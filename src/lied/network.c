/* SPDX-License-Identifier: Apache-2.0 */
/* network.c -- parts that triplets join: who is connected with whom, and in which order.
 *
 * A connection is a number: for each instance of a port with input signals the neighbour towards the
 * root. The order is found on levels, not on equations: explicit values of an instance come after those
 * of the neighbours that give it signals; a section lies one level below the section that gives it
 * efforts. All instances of a kernel on a level are one sweep. A sweep is first + k*step if it can be,
 * else a list; one instance on each level, one after the other, is a chain and one sweep as well.
 *
 * Cost: linear in instances, 6 bytes for each of a port with input signals; time of a level does not
 * matter. */
#include "lied/lied.h"

#include <stdio.h>
#include <string.h>

/* ---- memory ---- */

static bool open_parts(Net *n) {
    n->part = mem_take((size_t)n->all->count + 1, sizeof *n->part);
    n->states = 0;
    for (int f = 0; n->part && f < n->all->count; f++) {
        const BatchInfo *info = &n->all->batch[f];
        NetPart         *p = &n->part[f];
        if (!info->part) continue;
        *p = (NetPart){.count = (long)info->count,
                       .host = info->host < 0 ? NULL : n->net->host + info->host,
                       .states = info->states,
                       .knowns = info->knowns,
                       .results = info->results,
                       .x0 = n->states};
        size_t count = (size_t)p->count;
        p->q = mem_take(count * (size_t)p->knowns + 1, sizeof(double));
        p->o = mem_take(count * (size_t)p->results + 1, sizeof(double));
        n->states += p->count * p->states;
        n->hosts |= p->host != NULL;
        if (!p->q || !p->o) return false;
    }
    return n->part != NULL;
}

static bool open_ends(Net *n) {
    n->ends = mem_take((size_t)n->net->ports + 1, sizeof *n->ends);
    for (int k = 0; n->ends && k < n->net->ports; k++) {
        const NetPort *port = &n->net->port[k];
        size_t         count = (size_t)n->part[port->family].count;
        if (port->out) continue;
        n->ends[k].instance = mem_take(count + 1, sizeof(uint32_t));
        n->ends[k].port = mem_take(count + 1, sizeof(uint16_t));
        if (!n->ends[k].instance || !n->ends[k].port) return false;
    }
    for (int k = 0; n->ends && k < n->net->wires; k++) {
        const NetWire *w = &n->net->wire[k];
        PortEnds      *e = &n->ends[w->port_in];
        for (int i = 0; i < w->count; i++) {
            e->instance[w->in + i * w->step_in] = (uint32_t)(w->out + i * w->step_out);
            e->port[w->in + i * w->step_in] = (uint16_t)w->port_out;
        }
    }
    return n->ends != NULL;
}

static bool list_feeds(Net *n) {
    const Network *net = n->net;
    int            at = 0;
    size_t         most = (size_t)net->ports * ((size_t)net->groups + 1) + 1;
    n->feed = mem_take(most, sizeof *n->feed);
    n->feed_at = mem_take((size_t)net->groups + 2, sizeof *n->feed_at);
    if (!n->feed || !n->feed_at) return false;
    for (int g = 0; g < net->groups; g++) {
        int family = net->group[g].family, own = 0;
        for (int k = 0; k < net->ports; k++) {
            if (net->port[k].family != family) continue;
            if (!net->port[k].out && net->group[g].reads >> own & 1) n->feed[at++] = k;
            own++;
        }
        n->feed_at[g + 1] = at;
    }
    return true;
}

size_t net_bytes(const Net *n) {
    size_t bytes = sizeof(Sweep) * (size_t)(n->down.count + n->deep.count) +
                   sizeof(int) * (size_t)n->lists;
    for (int f = 0; n->part && f < n->all->count; f++)
        bytes += (size_t)n->part[f].count * sizeof(double) *
                 (size_t)(n->part[f].knowns + n->part[f].results + n->part[f].states);
    for (int k = 0; n->ends && k < n->net->ports; k++)
        if (n->ends[k].port) bytes += 6 * (size_t)n->part[n->net->port[k].family].count;
    return bytes;
}

void net_close(Net *n) {
    for (int f = 0; n->part && f < n->all->count; f++)
        MEM_FREE(n->part[f].q, n->part[f].o);
    for (int k = 0; n->ends && k < n->net->ports; k++)
        MEM_FREE(n->ends[k].instance, n->ends[k].port);
    MEM_FREE(n->part, n->ends, n->go, n->law, n->miss, n->feed, n->feed_at, n->down.item,
             n->deep.item, n->list, n->unit, n->want);
    cuts_close(&n->cuts);
    team_close(n->team);
    *n = (Net){0};
}

/* ---- order ---- */

typedef struct Order { /* nodes: instances of kernels, kernel by kernel */
    Net  *net;
    bool  sections; /* of sections, or of explicit groups */
    int   kernels;
    long *first; /* by kernel: its first node; kernels + 1 */
    int  *level; /* by node: -1 not known, -2 on the way */
    int  *open;  /* by kernel: its last sweep, -1 none */
    int   circle;
} Order;

static int family_of(const Order *o, int kernel) {
    return o->sections ? o->net->net->section[kernel].family
                       : o->net->net->group[kernel].family;
}

static int kernel_of(const Order *o, const NetPort *port) {
    return o->sections ? port->section : port->group;
}

/* Does a kernel read a port with input signals? */
static bool reads(const Order *o, int kernel, int port) {
    const Net *n = o->net;
    if (o->sections)
        return n->net->port[port].section == kernel && !n->net->port[port].cut;
    for (int j = n->feed_at[kernel]; j < n->feed_at[kernel + 1]; j++)
        if (n->feed[j] == port) return true;
    return false;
}

static int kernel_at(const Order *o, long node) {
    int low = 0, high = o->kernels - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (o->first[middle] <= node) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* A node that must come before; -1: there is no further one that is not known. *level: of the known. */
static long before(const Order *o, long node, int *level) {
    const Network *net = o->net->net;
    int            kernel = kernel_at(o, node), family = family_of(o, kernel);
    long           i = node - o->first[kernel];
    *level = -1;
    for (int k = 0; k < net->ports; k++) {
        const NetPort *port = &net->port[k];
        if (port->out || port->family != family || !reads(o, kernel, k)) continue;
        const PortEnds *e = &o->net->ends[k];
        const NetPort  *from = &net->port[e->port[i]];
        long            other = o->first[kernel_of(o, from)] + e->instance[i];
        if (o->level[other] < 0) return other;
        if (o->level[other] > *level) *level = o->level[other];
    }
    return -1;
}

static bool find_levels(Order *o, long *stack) {
    for (long start = 0; start < o->first[o->kernels]; start++) {
        long top = 0;
        if (o->level[start] >= 0) continue;
        stack[0] = start;
        o->level[start] = -2;
        while (top >= 0) {
            int  level;
            long other = before(o, stack[top], &level);
            if (other < 0) {
                o->level[stack[top--]] = level + 1;
                continue;
            }
            if (o->level[other] == -2) {
                o->circle = family_of(o, kernel_at(o, other));
                return false;
            }
            o->level[other] = -2;
            stack[++top] = other;
        }
    }
    return true;
}

/* ---- sweeps ---- */

static bool is_affine(const int *at, long n) {
    for (long k = 2; k < n; k++)
        if (at[k] - at[k - 1] != at[1] - at[0]) return false;
    return true;
}

/* Does instance i of a kernel need nothing but instance `last` of the same kernel? */
static bool follows(const Order *o, int kernel, long i, long last) {
    const Network *net = o->net->net;
    int            family = family_of(o, kernel);
    bool           some = false;
    for (int k = 0; k < net->ports; k++) {
        const NetPort *port = &net->port[k];
        if (port->out || port->family != family || !reads(o, kernel, k)) continue;
        const PortEnds *e = &o->net->ends[k];
        if (kernel_of(o, &net->port[e->port[i]]) != kernel || e->instance[i] != last)
            return false;
        some = true;
    }
    return some;
}

/* A single instance that continues a chain joins it, whatever was computed since the chain began. */
static bool join_chain(const Order *o, Sweep *s, long i) {
    long last = s->first + (s->count - 1) * s->step;
    if (s->list >= 0 || (s->count > 1 && (!s->chain || i != last + s->step)) ||
        !follows(o, s->kernel, i, last))
        return false;
    s->chain = true;
    if (s->count++ == 1) s->step = i - last;
    return true;
}

static bool add_sweep(Order *o, Sweeps *to, int kernel, int level, const int *at,
                      long count) {
    Net *n = o->net;
    int  open = o->open[kernel];
    if (count == 1 && open >= 0 && join_chain(o, &to->item[open], at[0])) return true;
    Sweep s = {.kernel = kernel,
               .level = level,
               .list = -1,
               .first = at[0],
               .step = 1,
               .count = count};
    if (count > 1) s.step = at[1] - at[0];
    if (!is_affine(at, count)) {
        int *more = mem_room(n->list, sizeof *n->list, (uint32_t *)&n->list_room,
                             (uint64_t)(n->lists + count));
        if (!more) return false;
        n->list = more;
        s.list = n->lists;
        memcpy(n->list + n->lists, at, (size_t)count * sizeof *at);
        n->lists += (int)count;
    }
    Sweep *more =
        mem_room(to->item, sizeof s, (uint32_t *)&to->room, (uint64_t)to->count + 1);
    if (!more) return false;
    to->item = more;
    o->open[kernel] = to->count;
    to->item[to->count++] = s;
    return true;
}

/* Nodes by level, in a level by kernel, then by instance: a sort by counting. */
static bool make_sweeps(Order *o, Sweeps *to) {
    long all = o->first[o->kernels];
    int  levels = 0;
    bool fine = true;
    for (long k = 0; k < all; k++)
        if (o->level[k] >= levels) levels = o->level[k] + 1;
    long *at = mem_take((size_t)levels + 2, sizeof *at);
    int  *kernel = mem_take((size_t)all + 1, sizeof *kernel);
    int  *instance = mem_take((size_t)all + 1, sizeof *instance);
    fine = at && kernel && instance;
    for (long k = 0; fine && k < all; k++) at[o->level[k] + 1]++;
    for (int l = 0; fine && l < levels; l++) at[l + 1] += at[l];
    for (int c = 0; fine && c < o->kernels; c++)
        for (long k = o->first[c]; k < o->first[c + 1]; k++) {
            long place = at[o->level[k]]++;
            kernel[place] = c;
            instance[place] = (int)(k - o->first[c]);
        }
    long level_end = 0; /* at[l] is the end of level l now */
    for (int l = 0; fine && l < levels; l++)
        for (long k = level_end; fine && k < at[l]; k = level_end) {
            while (level_end < at[l] && kernel[level_end] == kernel[k]) level_end++;
            fine = add_sweep(o, to, kernel[k], l, instance + k, level_end - k);
        }
    to->levels = levels;
    MEM_FREE(at, kernel, instance);
    return fine;
}

static NetStatus order(Net *n, bool sections, Sweeps *to, int *circle) {
    Order     o = {.net = n,
                   .sections = sections,
                   .kernels = sections ? n->net->sections : n->net->groups,
                   .circle = -1};
    NetStatus status = NET_NO_MEMORY;
    o.first = mem_take((size_t)o.kernels + 1, sizeof *o.first);
    for (int k = 0; o.first && k < o.kernels; k++)
        o.first[k + 1] = o.first[k] + n->part[family_of(&o, k)].count;
    size_t all = o.first ? (size_t)o.first[o.kernels] : 0;
    long  *stack = mem_take(all + 1, sizeof *stack);
    o.level = mem_take(all + 1, sizeof *o.level);
    for (size_t k = 0; o.level && k < all; k++) o.level[k] = -1;
    o.open = mem_take((size_t)o.kernels + 1, sizeof *o.open);
    for (int k = 0; o.open && k < o.kernels; k++) o.open[k] = -1;
    if (o.first && stack && o.level && o.open) {
        if (!find_levels(&o, stack)) status = NET_CIRCLE;
        else if (make_sweeps(&o, to)) status = NET_OK;
    }
    *circle = o.circle;
    MEM_FREE(o.first, stack, o.level, o.open);
    return status;
}

/* ---- code ---- */

typedef void *FindCode(const void *owner, const char *name);

static PartKernel kernel(const Net *n, FindCode *find, const void *owner,
                         const char *kind, int family, int number, int uniform) {
    PartKernel k = {.u = n->net->uniform + uniform};
    char       name[64];
    snprintf(name, sizeof name, "part_%s_fast_%d_%d", kind, n->all->batch[family].code,
             number);
    void *at = find(owner, name);
    memcpy(&k.fast, &at, sizeof at);
    snprintf(name, sizeof name, "part_%s_exact_%d_%d", kind, n->all->batch[family].code,
             number);
    at = find(owner, name);
    memcpy(&k.exact, &at, sizeof at);
    return k;
}

static bool find_kernels(Net *n, FindCode *find, const void *owner) {
    n->go = mem_take((size_t)n->net->groups + 1, sizeof *n->go);
    n->law = mem_take((size_t)n->net->sections + 1, sizeof *n->law);
    n->miss = mem_take((size_t)n->net->ties + 1, sizeof *n->miss);
    n->unit = mem_take((size_t)n->net->sections + 1, sizeof *n->unit);
    n->want = mem_take((size_t)n->net->hosts + 1, sizeof *n->want);
    if (!n->go || !n->law || !n->miss || !n->unit || !n->want) return false;
    for (int k = 0; k < n->net->groups; k++)
        if (!n->part[n->net->group[k].family].host)
            n->go[k] = kernel(n, find, owner, "go", n->net->group[k].family,
                              n->net->group[k].number, n->net->group[k].uniform);
    for (int k = 0; k < n->net->sections; k++)
        if (!n->part[n->net->section[k].family].host)
            n->law[k] = kernel(n, find, owner, "law", n->net->section[k].family,
                               n->net->section[k].number, n->net->section[k].uniform);
    for (int k = 0; k < n->net->ties; k++)
        if (!n->part[n->net->tie[k].family].host)
            n->miss[k] = kernel(n, find, owner, "miss", n->net->tie[k].family, 0,
                                n->net->tie[k].uniform);
    for (int f = 0; f < n->all->count; f++)
        if (n->part[f].count && !n->part[f].host)
            n->part[f].rate =
                kernel(n, find, owner, "rate", f, 0, n->all->batch[f].uniform);
    return true;
}

NetStatus net_open(Net *n, const Batches *all, double *v, int threads, FindCode *find,
                   const void *owner, int *circle) {
    *n = (Net){.all = all, .net = &all->network, .v = v};
    *circle = -1;
    NetStatus status = NET_NO_MEMORY;
    if (open_parts(n) && open_ends(n) && list_feeds(n) && find_kernels(n, find, owner))
        status = order(n, false, &n->down, circle);
    if (status == NET_OK) status = order(n, true, &n->deep, circle);
    if (status == NET_OK && !cuts_open(n)) status = NET_NO_MEMORY;
    if (status == NET_OK) n->team = team_open(threads);
    else net_close(n);
    return status;
}

/* ---- values of an instance ---- */

void net_put(Net *n, int family, long i, double *all, const double *x, const double *q) {
    NetPart *p = &n->part[family];
    for (int k = 0; x && k < p->states; k++) all[p->x0 + k * p->count + i] = x[k];
    for (int k = 0; q && k < p->knowns; k++) p->q[k * p->count + i] = q[k];
}

void net_get(const Net *n, int family, long i, const double *all, double *x, double *q) {
    const NetPart *p = &n->part[family];
    for (int k = 0; k < p->states; k++) x[k] = all[p->x0 + k * p->count + i];
    for (int k = 0; q && k < p->knowns; k++) q[k] = p->q[k * p->count + i];
}
