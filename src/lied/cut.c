/* SPDX-License-Identifier: Apache-2.0 */
/* cut.c -- loops in a network of parts, and parts that hold others together.
 *
 * A section with several triplets towards the root, such as a junction of streams, answers at the first
 * by a law; the others are cut. Effort e and answer w at a cut are unknowns: the section takes the effort
 * as given, the neighbour the law w + e, as if a unit of inertia hung there besides (a joint may move nothing
 * but what is beyond the cut), and what both find must agree. All is affine, so the residual at
 * zero and at each unit vector gives a linear system, which is solved densely. Networks that are not
 * connected have systems of their own, which share the sweeps: unit vector j of all of them is one.
 *
 * Cost: 1 + (unknowns of the largest system) sweeps, then n^3/3 for each system of n unknowns. */
#include "lied/lied.h"

#include <string.h>

/* ---- which cuts belong together ---- */

typedef struct Joined {
    const Net *net;
    long      *first; /* by section: number of its first instance among all */
    int       *set;   /* union-find over instances of sections */
} Joined;

static int node_at(const Joined *j, int section, long instance) {
    return (int)(j->first[section] + instance);
}

static void join_ports(Joined *j) {
    const Network *net = j->net->net;
    for (int k = 0; k < net->ports; k++) {
        const NetPort  *port = &net->port[k];
        const PortEnds *e = &j->net->ends[k];
        for (long i = 0; !port->out && i < j->net->part[port->family].count; i++) {
            int a = node_at(j, port->section, i);
            int b = node_at(j, net->port[e->port[i]].section, e->instance[i]);
            set_join(j->set, set_find(j->set, a), set_find(j->set, b));
        }
    }
}

/* All sections of a part that is a tie act on each other. */
static void join_ties(Joined *j) {
    const Network *net = j->net->net;
    for (int k = 0; k < net->ties; k++) {
        const int family = net->tie[k].family;
        int       first = 0;
        while (net->section[first].family != family) first++;
        for (int s = first + 1; s < net->sections && net->section[s].family == family;
             s++)
            for (long i = 0; i < j->net->part[family].count; i++)
                set_join(j->set, set_find(j->set, node_at(j, first, i)),
                         set_find(j->set, node_at(j, s, i)));
    }
}

/* The section by which the system of a cut is found. */
static int section_of(const Network *net, const Cut *cut) {
    int s = 0;
    if (cut->port >= 0) return net->port[cut->port].section;
    while (net->section[s].family != net->tie[cut->tie].family) s++;
    return s;
}

static int unknowns_of(const Network *net, const Cut *cut) {
    return cut->port >= 0 ? 2 * net->port[cut->port].pairs : net->tie[cut->tie].count;
}

/* Cuts by system: a number for each set, in the order of the cuts. */
static bool number_systems(Net *n, const Joined *j, int nodes) {
    Cuts *c = &n->cuts;
    int  *system = mem_take((size_t)nodes + 1, sizeof *system);
    c->first = mem_take((size_t)c->count + 2, sizeof *c->first);
    if (!system || !c->first) return mem_free(system), false;
    for (int k = 0; k < c->count; k++) {
        int node = node_at(j, section_of(n->net, &c->item[k]), c->item[k].instance);
        int set = set_find(j->set, node);
        if (!system[set]) system[set] = ++c->systems;
        c->item[k].system = system[set] - 1;
        c->item[k].place = c->first[system[set]]; /* counts now */
        c->first[system[set]] += unknowns_of(n->net, &c->item[k]);
        if (c->first[system[set]] > c->most) c->most = c->first[system[set]];
    }
    for (int s = 0; s < c->systems; s++) c->first[s + 1] += c->first[s];
    c->all = c->first[c->systems];
    mem_free(system);
    return true;
}

static bool find_systems(Net *n) {
    Joined j = {.net = n};
    bool   fine = false;
    j.first = mem_take((size_t)n->net->sections + 1, sizeof *j.first);
    for (int k = 0; j.first && k < n->net->sections; k++)
        j.first[k + 1] = j.first[k] + n->part[n->net->section[k].family].count;
    size_t nodes = j.first ? (size_t)j.first[n->net->sections] : 0;
    j.set = mem_take(nodes + 1, sizeof *j.set);
    if (j.first && j.set) {
        for (size_t k = 0; k < nodes; k++) j.set[k] = (int)k;
        join_ports(&j);
        join_ties(&j);
        fine = number_systems(n, &j, (int)nodes);
    }
    MEM_FREE(j.first, j.set);
    return fine;
}

bool cuts_open(Net *n) {
    Cuts *c = &n->cuts;
    for (int pass = 0; pass < 2; pass++) {
        if (pass && !c->count) return true;
        if (pass) c->item = mem_take((size_t)c->count, sizeof *c->item);
        if (pass && !c->item) return false;
        int at = 0;
        for (int k = 0; k < n->net->ports; k++) {
            const NetPort *port = &n->net->port[k];
            for (long i = 0; port->cut && i < n->part[port->family].count; i++, at++)
                if (pass) c->item[at] = (Cut){.port = k, .instance = i};
        }
        for (int k = 0; k < n->net->ties; k++)
            for (long i = 0; i < n->part[n->net->tie[k].family].count; i++, at++)
                if (pass) c->item[at] = (Cut){.port = -1, .tie = k, .instance = i};
        c->count = at;
    }
    if (!find_systems(n)) return false;
    size_t squares = 0;
    for (int s = 0; s < c->systems; s++) {
        size_t m = (size_t)(c->first[s + 1] - c->first[s]);
        squares += m * m;
    }
    c->u = mem_take((size_t)c->all + 1, sizeof(double));
    c->base = mem_take((size_t)c->all + 1, sizeof(double));
    c->missing = mem_take((size_t)c->all + 1, sizeof(double));
    c->matrix = mem_take(squares + 1, sizeof(double));
    c->pivot = mem_take((size_t)c->all + 1, sizeof(int));
    return c->u && c->base && c->missing && c->matrix && c->pivot;
}

void cuts_close(Cuts *c) {
    MEM_FREE(c->item, c->first, c->u, c->base, c->missing, c->matrix, c->pivot);
    *c = (Cuts){0};
}

/* ---- solution ---- */

/* Unknowns of a cut are put in its place; later what is missing there is read. */
static void cut_port(const Net *n, const Cut *cut, const double *u, double *r) {
    const NetPort  *port = &n->net->port[cut->port];
    const PortEnds *e = &n->ends[cut->port];
    const NetPort  *other = &n->net->port[e->port[cut->instance]];
    const NetPart  *p = &n->part[port->family], *o = &n->part[other->family];
    const int       m = port->pairs;
    const long      i = cut->instance, j = e->instance[i];
    for (int q = 0; q < m; q++) {
        double *given = &p->q[(port->effort + q) * p->count + i];
        double *law = &o->q[(other->law + q) * o->count + j];
        double *slope = &o->q[(other->law + m + q * m + q) * o->count + j];
        double  effort = o->o[(other->effort + q) * o->count + j];
        double  answer = p->o[(port->law + q) * p->count + i];
        if (!r) *given = u[q], *law -= u[m + q], *slope -= 1;
        else {
            r[q] = effort - u[q];
            r[m + q] = answer - (u[m + q] + effort);
        }
    }
}

static void cut_tie(const Net *n, const Cut *cut, const double *u, double *r) {
    const NetTie  *tie = &n->net->tie[cut->tie];
    const NetPart *p = &n->part[tie->family];
    for (int q = 0; q < tie->count; q++)
        if (!r) p->q[(tie->given + q) * p->count + cut->instance] = u[q];
        else r[q] = p->o[(tie->miss + q) * p->count + cut->instance];
}

static void all_cuts(const Net *n, const double *u, double *r) {
    const Cuts *c = &n->cuts;
    for (int k = 0; k < c->count; k++) {
        const Cut *cut = &c->item[k];
        int        at = c->first[cut->system] + cut->place;
        if (cut->port >= 0) cut_port(n, cut, u + at, r ? r + at : NULL);
        else cut_tie(n, cut, u + at, r ? r + at : NULL);
    }
}

/* All sweeps with these unknowns; then by unknown what is missing: of a port efforts first, then answers. False:
 * ordinary code has failed. */
static bool residual(Net *n, double t, const double *x, const double *u, double *r) {
    net_clear(n);
    all_cuts(n, u, NULL);
    if (!net_implicit(n, t, x) || !net_missing(n, t, x)) return false;
    all_cuts(n, u, r);
    return true;
}

/* Column `column` of the matrix of each system that has one; r holds residuals. */
static void keep_column(Cuts *c, int column, const double *r) {
    double *a = c->matrix;
    for (int s = 0; s < c->systems; s++) {
        int first = c->first[s], m = c->first[s + 1] - first;
        for (int i = 0; column < m && i < m; i++)
            a[column * m + i] = r[first + i] - c->base[first + i];
        a += m * m;
    }
}

/* u -= A^-1 r */
static void correct(Cuts *c, double *r) {
    const double *a = c->matrix;
    for (int s = 0; s < c->systems; s++) {
        int first = c->first[s], m = c->first[s + 1] - first;
        dense_solve(m, a, c->pivot + first, r + first);
        for (int i = 0; i < m; i++) c->u[first + i] -= r[first + i];
        a += m * m;
    }
}

bool cuts_solve(Net *n, double t, const double *x) {
    Cuts   *c = &n->cuts;
    double *r = c->missing, *a = c->matrix;
    bool    fine = true;
    memset(c->u, 0, sizeof(double) * (size_t)c->all);
    n->sloped = false;
    if (!residual(n, t, x, c->u, c->base)) return false;
    n->sloped = true; /* what follows changes efforts only */
    for (int j = 0; j < c->most; j++) {
        for (int s = 0; s < c->systems; s++)
            if (j < c->first[s + 1] - c->first[s]) c->u[c->first[s] + j] = 1;
        if (!residual(n, t, x, c->u, r)) return false;
        for (int s = 0; s < c->systems; s++)
            if (j < c->first[s + 1] - c->first[s]) c->u[c->first[s] + j] = 0;
        keep_column(c, j, r);
    }
    for (int s = 0; fine && s < c->systems; s++) {
        int first = c->first[s], m = c->first[s + 1] - first;
        fine = dense_factor(m, a, c->pivot + first) == 0;
        a += m * m;
    }
    /* The columns carry the rounding of unit vectors: where ordinary code answers, the solution is corrected once. */
    memcpy(r, c->base, sizeof(double) * (size_t)c->all);
    for (int k = 0; fine && k < (n->hosts ? 2 : 1); k++) {
        correct(c, r);
        fine = residual(n, t, x, c->u, r);
    }
    n->sloped = false;
    return fine;
}
