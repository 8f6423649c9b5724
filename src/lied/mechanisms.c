/* SPDX-License-Identifier: Apache-2.0 */
/* mechanisms.c -- which states of a network of parts can act on each other.
 *
 * Parts that triplets join are one mechanism, directly or by others between them. Nothing else joins parts: what signals,
 * heat ports or shafts join is one part, the rest of the model. So the Jacobian of a network has one dense block
 * for each mechanism.
 *
 * Cost: linear in the instances and states. */
#include "lied/lied.h"

static void join_ends(const Net *n, const int *first, int *set) {
    for (int k = 0; k < n->net->ports; k++) {
        const NetPort  *port = &n->net->port[k];
        const PortEnds *e = &n->ends[k];
        for (long i = 0; !port->out && i < n->part[port->family].count; i++) {
            int other = first[n->net->port[e->port[i]].family] + (int)e->instance[i];
            set_join(set, set_find(set, first[port->family] + (int)i),
                     set_find(set, other));
        }
    }
}

bool net_mechanisms(const Net *n, Mechanisms *m) {
    const int families = n->all->count;
    int      *first = mem_take((size_t)families + 1, sizeof *first);
    for (int f = 0; first && f < families; f++)
        first[f + 1] = first[f] + (int)n->part[f].count;
    size_t instances = first ? (size_t)first[families] : 0;
    int   *set = mem_take(instances + 1, sizeof *set);
    int   *last = mem_take(instances + 1, sizeof *last); /* by set: 1 + a state */
    *m = (Mechanisms){.first = mem_take((size_t)n->states + 1, sizeof(int)),
                      .next = mem_take((size_t)n->states + 1, sizeof(int)),
                      .size = mem_take((size_t)n->states + 1, sizeof(int))};
    bool fine = first && set && last && m->first && m->next && m->size;
    for (size_t k = 0; fine && k < instances; k++) set[k] = (int)k;
    if (fine) join_ends(n, first, set);
    for (int f = 0; fine && f < families; f++)
        for (long j = 0; j < n->part[f].count * n->part[f].states; j++) {
            int at = (int)(n->part[f].x0 + j);
            int own = set_find(set, first[f] + (int)(j % n->part[f].count));
            int before = last[own] - 1;
            m->first[at] = before < 0 ? at : m->first[before];
            m->next[at] = -1;
            if (before >= 0) m->next[before] = at;
            m->size[m->first[at]]++;
            last[own] = at + 1;
        }
    MEM_FREE(first, set, last);
    return fine;
}

void mechanisms_free(Mechanisms *m) {
    MEM_FREE(m->first, m->next, m->size);
}
