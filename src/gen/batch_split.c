/* SPDX-License-Identifier: Apache-2.0 */
/* batch_split.c -- what of a part of a network is implicit, and which of its triplets depend on each
 * other.
 *
 * What depends on efforts that come in, or on laws of the leaves, is implicit; the rest follows from
 * states, parameters and given signals. A section is compressed to the implicit blocks that lie on a way
 * from efforts and laws to what the network asks for: answers, efforts that go out, rates of states. Those that
 * share something form one section, and triplets whose signals depend on each other a group.
 *
 * Cost: linear in the rows of one instance. */
#include "gen/batch.h"

#include <string.h>

/* ---- variables of ports ---- */

Value part_value(const Structure *st, int var) {
    int kept = st->alias[var];
    if (st->constancy[kept] == IS_ZERO) return (Value){-1, 1};
    return (Value){kept, st->sign[var]};
}

Value part_rate(PartText *p, int var) {
    const Structure *st = p->b.st;
    Value            v = part_value(st, var);
    if (v.var < 0 || st->role[v.var] == ROLE_KNOWN || st->constancy[v.var] != VARIES)
        return (Value){-1, 1};
    int next = st->next[v.var];
    if (next < 0) {
        batch_refuse(&p->b, -1, "a variable of a connector has no derivative");
        return (Value){-1, 1};
    }
    Value d = part_value(st, next);
    d.sign *= v.sign * st->next_sign[v.var];
    return d;
}

Value part_effort(PartText *p, const LawPort *port, int i) {
    return port->rates ? part_rate(p, port->potential[i])
                       : part_value(p->b.st, port->potential[i]);
}

Value part_answer(PartText *p, const LawPort *port, int i) {
    return port->rates ? part_value(p->b.st, port->flow[i])
                       : part_value(p->b.st, port->slope[i]);
}

/* Efforts that come in may have no variable: nothing in the part reads them. */
Value part_effort_in(PartText *p, const LawPort *port, int i) {
    const Structure *st = p->b.st;
    Value            v = part_value(st, port->potential[i]);
    if (!port->rates || v.var < 0) return v;
    return st->next[v.var] < 0 ? (Value){-1, 1} : part_rate(p, port->potential[i]);
}

/* ---- what is implicit ---- */

int part_node(const PartText *p, int var) {
    return p->f->ports + var;
}

static void unite(PartText *p, int a, int b) {
    set_join(p->node, set_find(p->node, a), set_find(p->node, b));
}

static void mark_sources(PartText *p) {
    for (int k = 0; k < p->f->ports; k++) {
        const LawPort *port = &p->f->port[k];
        int            n = port->pairs + port->pairs * port->pairs;
        for (int i = 0; port->out && i < n; i++) p->law_of[port->coefficient + i] = k + 1;
        for (int i = 0; !port->out && i < port->pairs; i++) {
            Value e = part_effort_in(p, port, i);
            if (e.var < 0) continue;
            p->implicit[e.var] = IMPLICIT_EFFORT;
            unite(p, k, part_node(p, e.var));
        }
    }
}

int part_eq(const PartText *p, const Block *block, int i) {
    return p->b.st->order[block->first + i];
}

/* How many implicit variables and laws a row reads. */
static int look_at_row(PartText *p, int row, uint64_t *reads) {
    BatchText *b = &p->b;
    int        found = 0;
    for (int k = 0; k < batch_slots(b, row); k++) {
        Term leaf = shape_leaf(b->shapes, b->st->shape[row], k);
        int  var = batch_var(b, row, k);
        if (expr_op(b->shapes, leaf) == TERM_NUMBER) continue;
        *reads |= p->reads[var];
        found += p->law_of[var] || p->implicit[var];
    }
    return found;
}

static void mark_block(PartText *p, const Block *block) {
    uint64_t reads = 0;
    int      found = 0;
    for (int i = 0; i < block->count; i++) {
        int eq = part_eq(p, block, i), var = p->b.st->var_of[eq];
        if (var >= 0 && (p->law_of[var] || p->implicit[var])) return; /* it is given */
        found += look_at_row(p, p->b.st->eq_row[eq], &reads);
    }
    for (int i = 0; i < block->count; i++) {
        int var = p->b.st->var_of[part_eq(p, block, i)];
        if (var < 0) continue;
        p->reads[var] = reads;
        if (found) p->implicit[var] = IMPLICIT_FOLLOWS;
    }
}

/* ---- what the network asks for ---- */

static void ask(PartText *p, Value v) {
    if (v.var >= 0) p->asked[v.var] = 1;
}

/* What a row reads is asked for; what is implicit of it belongs to the section of `with`. */
static void ask_row(PartText *p, int row, int with) {
    BatchText *b = &p->b;
    for (int k = 0; k < batch_slots(b, row); k++) {
        Term leaf = shape_leaf(b->shapes, b->st->shape[row], k);
        int  var = batch_var(b, row, k);
        if (expr_op(b->shapes, leaf) == TERM_NUMBER) continue;
        p->asked[var] = 1;
        if (p->law_of[var]) unite(p, with, p->law_of[var] - 1);
        else if (p->implicit[var]) unite(p, with, part_node(p, var));
    }
}

bool part_asked(const PartText *p, const Block *block) {
    for (int i = 0; i < block->count; i++) {
        int var = p->b.st->var_of[part_eq(p, block, i)];
        if (var >= 0 && p->asked[var]) return true;
    }
    return false;
}

/* Answers, efforts that go out and rates of states ask for implicit blocks, and these for others. Blocks that
 * nobody asks for, such as reactions and powers, are no part of a section. */
static void mark_asked(PartText *p) {
    const Structure *st = p->b.st;
    for (int k = 0; k < p->f->ports; k++) {
        const LawPort *port = &p->f->port[k];
        for (int i = 0; i < port->pairs; i++)
            ask(p, port->out ? part_effort(p, port, i) : part_answer(p, port, i));
    }
    for (int v = 0; v < st->vars; v++)
        if (p->b.state[v] >= 0 && st->next[v] >= 0) p->asked[st->next[v]] = 1;
    for (int k = st->blocks - 1; k >= 0; k--) {
        const Block *block = &st->block[k];
        if (!part_implicit(p, block)) continue;
        p->f->aside += block->count;
        if (!part_asked(p, block)) continue;
        p->f->aside -= block->count;
        int with = part_node(p, st->var_of[part_eq(p, block, 0)]);
        for (int i = 0; i < block->count; i++) {
            int eq = part_eq(p, block, i);
            unite(p, with, part_node(p, st->var_of[eq]));
            ask_row(p, st->eq_row[eq], with);
        }
    }
}

/* Ports meet in a section by what they answer and pass on. */
static void mark_ports(PartText *p) {
    for (int k = 0; k < p->f->ports; k++) {
        const LawPort *port = &p->f->port[k];
        for (int i = 0; i < port->pairs; i++) {
            Value v = port->out ? part_effort(p, port, i) : part_answer(p, port, i);
            if (v.var >= 0 && p->implicit[v.var]) unite(p, k, part_node(p, v.var));
        }
    }
}

/* Signals of an output port, and what goes with them: entry i of `travels`. */
Value part_passed(const PartText *p, const LawPort *port, int i) {
    const Structure *st = p->b.st;
    int              s = port->signals;
    if (i < s) return part_value(st, port->signal[i]);
    if (i < 2 * s) return part_value(st, port->slope[i - s]);
    return part_value(st, port->potential[i - 2 * s]);
}

int part_travels(const LawPort *port) {
    return port->rates ? 2 * port->signals + port->pairs : port->signals;
}

static void mark_groups(PartText *p) {
    for (int k = 0; k < p->f->ports; k++) {
        const LawPort *port = &p->f->port[k];
        for (int i = 0; port->out && i < part_travels(port); i++) {
            Value v = part_passed(p, port, i);
            if (v.var < 0) continue;
            if (p->implicit[v.var])
                batch_refuse(&p->b, -1, "a signal depends on what is implicit");
            for (int j = 0; j < p->f->ports; j++)
                if (p->reads[v.var] >> j & 1)
                    set_join(p->group, set_find(p->group, k), set_find(p->group, j));
        }
    }
}

static void part_analyse(PartText *p) {
    const Structure *st = p->b.st;
    int              ports = p->f->ports;
    for (int k = 0; k < ports; k++) {
        const LawPort *port = &p->f->port[k];
        p->group[k] = k;
        for (int i = 0; !port->out && i < port->givens; i++)
            p->reads[port->given + i] |= (uint64_t)1 << k;
    }
    for (int k = 0; k < ports + st->vars; k++) p->node[k] = k;
    mark_sources(p);
    for (int k = 0; k < st->blocks; k++) mark_block(p, &st->block[k]);
    mark_asked(p);
    mark_ports(p);
    mark_groups(p);
}

bool part_implicit(const PartText *p, const Block *block) {
    for (int i = 0; i < block->count; i++) {
        int var = p->b.st->var_of[part_eq(p, block, i)];
        if (var >= 0 && p->implicit[var] == IMPLICIT_FOLLOWS) return true;
    }
    return false;
}

/* Places of what the neighbours put in. */
static void part_place(PartText *p) {
    if (p->f->tie) p->f->tie->net.given = p->f->differs[p->f->tie->given] - 1;
    for (int k = 0; k < p->f->ports; k++) {
        LawPort *port = &p->f->port[k];
        port->net.out = port->out;
        port->net.pairs = port->pairs;
        port->net.travels = part_travels(port);
        port->net.var = port->flow[0];
        if (port->out) port->net.law = p->f->differs[port->law] - 1;
        else {
            port->net.given = p->f->differs[port->given] - 1;
            port->net.effort = port->net.given + port->givens - port->pairs;
        }
    }
}

void part_open(PartText *p, const Structure *st, BatchFamily *f) {
    size_t n = (size_t)st->vars + (size_t)f->ports + 1;
    p->f = f;
    p->b.st = st;
    p->b.shapes = st->sys->shapes;
    p->b.wanted = NEW(&p->b.arena, uint8_t, n);
    p->b.known = NEW(&p->b.arena, uint8_t, n);
    p->b.place = NEW(&p->b.arena, int, n);
    p->implicit = NEW(&p->b.arena, uint8_t, n);
    p->reads = NEW(&p->b.arena, uint64_t, n);
    p->asked = NEW(&p->b.arena, uint8_t, n);
    p->law_of = NEW(&p->b.arena, int, n);
    p->node = NEW(&p->b.arena, int, n);
    p->group = NEW(&p->b.arena, int, n);
    p->result = NEW(&p->b.arena, int, n);
    f->results = f->groups = f->sections = f->uniforms = f->aside = 0;
    memset(f->group_reads, 0, sizeof f->group_reads);
    batch_states(&p->b, f);
    part_place(p);
    if (f->ports > 64) batch_refuse(&p->b, -1, "a part has more than 64 connectors");
    else part_analyse(p);
}

bool part_close(PartText *p) {
    BatchFamily *f = p->f;
    f->torn = p->b.torn;
    f->pos = p->b.pos;
    f->refused = p->b.refuse.length > 0;
    text_clear(&f->why);
    if (f->refused) text_add(&f->why, text_get(&p->b.refuse));
    text_free(&p->b.refuse);
    arena_free(&p->b.arena);
    return !f->refused;
}
