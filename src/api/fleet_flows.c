/* SPDX-License-Identifier: Apache-2.0 */
/* fleet_flows.c -- mass flows that neighbours in a network have in common start alike.
 *
 * In streams every part has a mass flow of its own as a state, but one initial condition determines
 * those of a whole stream. A flow is loose if nothing but its start attribute says how it starts; it
 * takes the value of a neighbour that is not loose, and passes it on. Loose flows whose neighbours are
 * all loose stay as they are.
 *
 * Cost: linear in the instances for each pass; a chain needs one or two. */
#include "api/api.h"

#include <math.h>

typedef struct Flows {
    RbSimulation  *s;
    const Program *p;
    uint8_t *known; /* by state of the network: it is not loose, or has taken a value */
    bool     moved; /* a part of one instance: its start is to be found again */
} Flows;

/* Is a state of the program loose at the start? */
static bool is_loose(const Program *p, int var) {
    int    from = p->reduced.start_from[var], run = variables_run(&p->variables, from);
    double fixed = 0;
    variables_known(&p->variables, run, ATTR_FIXED, from - p->variables.run[run].first,
                    &fixed);
    return fixed == 0 && part_item_of(&p->part[PART_START], var) < 0;
}

/* The state that a flow is, among those of the network, -1: it is none. *sign: flow = sign*state. */
static long state_of(const Flows *f, int port, long instance, double *sign) {
    const NetPort   *net = &f->p->batches.network.port[port];
    const BatchInfo *info = &f->p->batches.batch[net->family];
    const NetPart   *part = &f->s->fleet->net.part[net->family];
    int              state = program_state(f->p, f->p->reduced.alias[net->var]);
    *sign = f->p->reduced.sign[net->var];
    for (int k = 0; state >= 0 && k < info->states; k++)
        if (f->p->batches.state[info->state + k] == state)
            return part->x0 + k * part->count + instance;
    return -1;
}

static void open_known(const Flows *f) {
    const Batches *all = &f->p->batches;
    for (int b = 0; b < all->count; b++) {
        const NetPart *part = &f->s->fleet->net.part[b];
        for (int k = 0; part->count && k < part->states; k++) {
            int  var = f->p->states.var[all->state[all->batch[b].state + k]];
            bool known = !is_loose(f->p, var);
            for (long i = 0; i < part->count; i++)
                f->known[part->x0 + k * part->count + i] = known;
        }
    }
}

/* A loose state takes a value. */
static bool take(Flows *f, int port, long state, double value) {
    Fleet         *fleet = f->s->fleet;
    const NetPort *net = &f->p->batches.network.port[port];
    f->known[state] = 1;
    if (fleet->all[state] == value) return true;
    fleet->all[state] = value;
    if (fleet->net.part[net->family].count > 1) return true;
    f->moved = true;
    return instance_set(&f->s->instance, f->p->reduced.alias[net->var], value);
}

/* What one end of a wire knows, the other takes. *more: something changed. */
static bool pass_on(Flows *f, int in, long i, bool *more) {
    const Net      *net = &f->s->fleet->net;
    const PortEnds *ends = &net->ends[in];
    int             out = ends->port[i];
    double          sa, sb, *x = f->s->fleet->all;
    long            a = state_of(f, in, i, &sa);
    long            b = state_of(f, out, ends->instance[i], &sb);
    if (a < 0 || b < 0 || f->known[a] == f->known[b]) return true;
    *more = true;
    if (f->known[a]) return take(f, out, b, -sb * sa * x[a]);
    return take(f, in, a, -sa * sb * x[b]);
}

bool fleet_flows(RbSimulation *s, bool *moved) {
    const Net *net = &s->fleet->net;
    Flows      f = {.s = s, .p = s->program->program};
    bool       fine = true, more = true;
    *moved = false;
    f.known = mem_take((size_t)net->states + 1, 1);
    if (!f.known) return false;
    open_known(&f);
    while (more && fine) {
        more = false;
        for (int k = 0; k < net->net->ports && fine; k++) {
            const NetPort *port = &net->net->port[k];
            long           n = net->part[port->family].count;
            if (port->out || port->flow < 0 || port->pairs != 1) continue;
            for (long i = 0; i < n && fine; i++) fine = pass_on(&f, k, i, &more);
            for (long i = n - 1; i >= 0 && fine; i--) fine = pass_on(&f, k, i, &more);
        }
    }
    *moved = f.moved;
    mem_free(f.known);
    return fine;
}
