/* SPDX-License-Identifier: Apache-2.0 */
/* fleet_flows.c -- mass flows that neighbours in a network have in common start alike.
 *
 * In streams every part has a mass flow of its own as a state, but one initial condition determines
 * those of a whole stream. A flow is loose if nothing but its start attribute says how it starts; it
 * takes the value of a neighbour that is not loose, and passes it on. A flow that is no state but follows
 * from those of its part, such as what leaves a junction, is passed on once they are known and the network
 * has been evaluated. Loose flows whose neighbours are all loose stay as they are.
 *
 * While the model runs, flows that are equal have equal derivatives, but the iterations of implicit
 * methods end with errors of the size of the tolerance, which would stay for ever: after a step the flows
 * are made equal again in the same way.
 *
 * Cost: linear in the instances for each pass; a chain needs one or two. */
#include "api/api.h"

#include <math.h>

typedef struct Flows {
    RbSimulation  *s;
    const Program *p;
    uint8_t *known; /* by state of the network: it is not loose, or has taken a value */
    double  *x;     /* states of the network */
    double   tolerance; /* relative, of flows below 1 absolute: less stays as it is */
    bool     start;     /* it is about start values */
    bool     moved;     /* a state has changed */
    bool     settled;   /* flows are those of the states of the last time */
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
    if (fabs(f->x[state] - value) <= f->tolerance * fmax(fabs(value), 1)) return true;
    f->x[state] = value;
    f->moved = true;
    if (!f->start || fleet->net.part[net->family].count > 1) return true;
    return instance_set(&f->s->instance, f->p->reduced.alias[net->var], value);
}

/* Is a flow at a port known that is no state? Then its value. */
static bool follows(const Flows *f, int port, long instance, double *value) {
    const Net     *net = &f->s->fleet->net;
    const NetPort *own = &net->net->port[port];
    const NetPart *part = &net->part[own->family];
    double         sign;
    if (!f->settled || own->flow < 0) return false;
    for (int k = 0; k < net->net->ports; k++) {
        bool together = net->net->port[k].section == own->section;
        long state = together ? state_of(f, k, instance, &sign) : -1;
        if (state >= 0 && !f->known[state]) return false;
    }
    *value = part->o[own->flow * part->count + instance];
    return true;
}

/* What one end of a wire knows, the other takes. *more: something changed. */
static bool pass_on(Flows *f, int in, long i, bool *more) {
    const Net      *net = &f->s->fleet->net;
    const PortEnds *ends = &net->ends[in];
    int             out = ends->port[i];
    double          sa, sb, flow, *x = f->x;
    long            a = state_of(f, in, i, &sa);
    long            b = state_of(f, out, ends->instance[i], &sb);
    bool            open_a = a >= 0 && !f->known[a], open_b = b >= 0 && !f->known[b];
    if (open_a == open_b) return true;
    if (b < 0 && !follows(f, out, ends->instance[i], &flow)) return true;
    if (a < 0 && (!follows(f, in, i, &flow) || flow == 0))
        return true; /* it only looks */
    *more = true;
    if (b < 0) return take(f, in, a, -sa * flow);
    if (a < 0) return take(f, out, b, -sb * flow);
    if (f->known[a]) return take(f, out, b, -sb * sa * x[a]);
    return take(f, in, a, -sa * sb * x[b]);
}

static bool pass_all(Flows *f) {
    const Net *net = &f->s->fleet->net;
    bool       fine = true, more = true;
    while (more && fine) {
        more = false;
        for (int k = 0; k < net->net->ports && fine; k++) {
            const NetPort *port = &net->net->port[k];
            long           n = net->part[port->family].count;
            if (port->out || port->flow < 0 || port->pairs != 1) continue;
            for (long i = 0; i < n && fine; i++) fine = pass_on(f, k, i, &more);
            for (long i = n - 1; i >= 0 && fine; i--) fine = pass_on(f, k, i, &more);
        }
    }
    return fine;
}

/* Of streams whose flows are all loose the first is taken for known. */
static void choose_known(Flows *f) {
    const Net *net = &f->s->fleet->net;
    double     sign;
    for (int k = 0; k < net->net->ports; k++) {
        const NetPort *port = &net->net->port[k];
        long           n = net->part[port->family].count;
        for (long i = 0; port->flow >= 0 && port->pairs == 1 && i < n; i++) {
            long state = state_of(f, k, i, &sign);
            if (state < 0 || f->known[state]) continue;
            f->known[state] = 1;
            pass_all(f);
        }
    }
}

static bool run(Flows *f, bool *moved) {
    bool fine = false;
    f->p = f->s->program->program;
    f->known = mem_take((size_t)f->s->fleet->net.states + 1, 1);
    if (f->known) {
        open_known(f);
        fine = pass_all(f);
        if (!f->start) choose_known(f);
    }
    *moved = f->moved;
    mem_free(f->known);
    return fine;
}

bool fleet_flows(RbSimulation *s, bool settled, bool *moved) {
    Flows f = {.s = s, .x = s->fleet->all, .start = true, .settled = settled};
    return run(&f, moved);
}

bool fleet_keep_flows(RbSimulation *s, double *x, double tolerance, bool *moved) {
    Flows f = {.s = s, .x = x, .tolerance = tolerance, .settled = true};
    return run(&f, moved);
}
