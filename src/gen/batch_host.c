/* SPDX-License-Identifier: Apache-2.0 */
/* batch_host.c -- a part of a network that has no kernels: it is computed by the ordinary code.
 *
 * Events, calls, nonlinear loops and the past have no place in a loop over instances. If a part of
 * which there is one instance needs them, its equations are evaluated as those of any model, with what
 * its neighbours give among the known values; a law comes from two evaluations for each effort
 * (lied/host.c). Groups and sections are those of batch_part.c, but each triplet with output signals is
 * a group of its own: that costs nothing, because all is evaluated at once.
 *
 * Cost: linear in the rows of one instance. */
#include "gen/batch.h"

#include <string.h>

static void put(PartText *p, Value v) {
    BatchFamily *f = p->f;
    f->host[f->results++] = v.var < 0 ? 0 : v.sign * (v.var + 1);
}

static void go_places(PartText *p) {
    BatchFamily *f = p->f;
    for (int k = 0; k < f->ports; k++) f->port[k].net.group = -1;
    for (int k = 0; k < f->ports; k++) {
        LawPort *port = &f->port[k];
        if (!port->out) continue;
        port->net.group = f->groups;
        port->net.given = f->results;
        for (int i = 0; i < part_travels(port); i++) {
            Value v = part_passed(p, port, i);
            if (v.var >= 0) f->group_reads[f->groups] |= p->reads[v.var];
            put(p, v);
        }
        for (int j = 0; j < f->ports; j++)
            if (f->group_reads[f->groups] >> j & 1) f->port[j].net.group = f->groups;
        f->groups++;
    }
}

/* Its own triplet is the first with input signals; others of it are cut. What it passes on and what cuts
 * answer is affine in the efforts there. */
static void section_places(PartText *p, int root, int number) {
    BatchFamily *f = p->f;
    NetSection  *s = &f->section[number];
    *s = (NetSection){.number = number, .port = -1, .value = f->results};
    for (int k = 0; k < f->ports; k++) {
        LawPort *port = &f->port[k];
        if (set_find(p->node, k) != root) continue;
        port->net.section = number;
        port->net.cut = !port->out && s->port >= 0;
        if (!port->out && s->port < 0) {
            s->port = k;
            continue;
        }
        *(port->out ? &port->net.effort : &port->net.law) = f->results;
        for (int i = 0; i < port->pairs; i++, s->downs++)
            put(p, port->out ? part_effort(p, port, i) : part_answer(p, port, i));
    }
    int pairs = s->port < 0 ? 0 : f->port[s->port].pairs;
    s->affine = f->results;
    f->results += s->downs * (1 + pairs);
    if (s->port >= 0) {
        f->port[s->port].net.law = f->results;
        for (int i = 0; i < pairs; i++) put(p, part_answer(p, &f->port[s->port], i));
        f->results += pairs * pairs;
    }
    for (int k = 0; k < f->ports; k++) {
        LawPort *port = &f->port[k];
        if (set_find(p->node, k) != root) continue;
        port->net.flow = port->rates ? -1 : f->results;
        for (int i = 0; !port->rates && i < port->pairs; i++)
            put(p, part_value(p->b.st, port->flow[i]));
    }
}

bool gen_host(const Structure *st, BatchFamily *f, Arena *arena) {
    PartText p = {.keep = arena};
    int      most = 0;
    if (f->tie) most += f->tie->count;
    for (int k = 0; k < f->ports; k++) {
        int n = f->port[k].pairs;
        most += part_travels(&f->port[k]) + n * (4 + n);
        for (int j = 0; j < f->ports; j++) most += n * (1 + f->port[j].pairs);
    }
    part_open(&p, st, f);
    f->host = NEW(arena, int, most + 1);
    if (!f->ports) put(&p, (Value){.var = -1}); /* nobody reads it */
    if (!p.b.refuse.length) affine_check(&p);
    if (!p.b.refuse.length) go_places(&p);
    for (int k = 0; k < f->ports; k++) f->port[k].net.section = -1;
    for (int k = 0; k < f->ports && !p.b.refuse.length; k++)
        if (f->port[k].net.section < 0)
            section_places(&p, set_find(p.node, k), f->sections++);
    if (f->tie) f->tie->net.miss = f->results;
    for (int i = 0; f->tie && i < f->tie->count; i++)
        put(&p, part_value(st, f->tie->missing[i]));
    return part_close(&p);
}
