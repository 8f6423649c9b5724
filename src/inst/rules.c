/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c -- rules of connection in networks of triplets, looked at before any equation.
 *
 * A triplet is a connector with signals, potentials and flows (linear implicit equilibrium dynamics).
 * In a connection set one triplet has output signals: that of the component nearer to the root, or
 * upstream. If these rules hold the network has a solution; if one does not, the message names
 * components, not equations:
 *
 *   every triplet with input signals has exactly one source of them;
 *   where flows are differentiated (streams), an outlet serves one inlet, and all are connected;
 *   where potentials are differentiated (mechanics), what a joint moves has inertia.
 *
 * Cost: linear in connectors and connections; each element of an array counts. */
#include "inst/connect.h"

#include <string.h>

typedef struct Triplet { /* one connector of a component */
    const Inst *inst;
    int         element;
    bool        in, out; /* input, output signals */
    bool        outside; /* of a class that contains its parts: it only passes on */
    bool        flow, potential; /* which is differentiated in this component */
    int         set;             /* union-find: another triplet */
    Pos         pos;             /* of a connect, 0 if there is none */
} Triplet;

typedef struct Rules {
    FlatModel *model;
    Arena      arena;
    Triplet   *item;
    int        count, room;
    Map of; /* connector -> its first triplet, -1: it is none; elements follow each other */
} Rules;

/* ---- connectors ---- */

static void look_below(const Inst *inst, Triplet *t, int way, int *flows) {
    if (inst->way != WAY_NONE) way = inst->way;
    for (int k = 0; k < inst->nchild; k++)
        if (inst->child[k]) look_below(inst->child[k], t, way, flows);
    if (inst->nchild || inst->vary <= VARY_PARAMETER) return;
    if (inst->conn == CONN_FLOW) {
        ++*flows;
        t->flow |= inst->derived;
    } else {
        t->in |= way == WAY_INPUT;
        t->out |= way == WAY_OUTPUT;
        t->potential |= way == WAY_NONE && inst->derived;
    }
}

bool rules_is_triplet(const Inst *connector) {
    Triplet t = {.inst = connector};
    int     flows = 0;
    look_below(connector, &t, WAY_NONE, &flows);
    return flows && t.in != t.out;
}

/* The triplet of a connector, -1 if it is none. All elements of an array are made at once. */
static int triplet(Rules *r, const Inst *inst, int element) {
    int64_t found = map_get(&r->of, (uint64_t)inst->id, -2);
    if (found == -1) return -1;
    if (found >= 0) return (int)found + element;
    Triplet t = {.inst = inst};
    int     flows = 0, n = inst_count(inst), first = r->count;
    look_below(inst, &t, WAY_NONE, &flows);
    bool is = flows && t.in != t.out;
    map_put(&r->of, (uint64_t)inst->id, is ? first : -1);
    if (!is) return -1;
    GROW(r->item, r->room, r->count + n);
    for (t.element = 0; t.element < n; t.element++) {
        t.set = r->count;
        r->item[r->count++] = t;
    }
    return first + element;
}

static int set_of(Rules *r, int k) {
    while (r->item[k].set != k) k = r->item[k].set = r->item[r->item[k].set].set;
    return k;
}

static void all_connectors(Rules *r, const Inst *inst, bool parts) {
    for (int k = 0; k < inst->nchild; k++) {
        const Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->connector) {
            if (inst->parent && !child->prefix.protected_ && inst_count(child))
                triplet(r, child, 0);
        } else if (child->basic == BASIC_COMPONENT && !(parts && inst->parent))
            all_connectors(r, child, parts);
    }
}

static void join(Rules *r, const Joint *j) {
    for (int k = 0; k < j->count; k++) {
        int a = triplet(r, j->a, j->ia + k * j->sa),
            b = triplet(r, j->b, j->ib + k * j->sb);
        if (a < 0 || b < 0) continue;
        r->item[a].outside |= j->oa;
        r->item[b].outside |= j->ob;
        r->item[a].pos = r->item[b].pos = j->pos;
        r->item[set_of(r, b)].set = set_of(r, a);
    }
}

static void name(const Rules *r, int k, Text *out) {
    inst_name(out, r->model->front, r->item[k].inst);
}

/* ---- sets ---- */

typedef enum { /* what its triplets differentiate: nothing, flows, potentials */
               DOMAIN_OPEN,
               DOMAIN_STREAM,
               DOMAIN_MECHANICS
} Domain;

typedef struct SetCount { /* of one connection set: its triplets of components */
    int in, out, first_in, first_out, second_out;
    int taps; /* inputs that take nothing */
} SetCount;

/* Does a component have flows besides those of one connector? */
static bool has_flows(const Inst *part, const Inst *but) {
    for (int k = 0; k < part->nchild; k++) {
        const Inst *child = part->child[k];
        Triplet     other = {0};
        int         flows = 0;
        if (!child || child->absent || child->link || child == but) continue;
        if (child->connector) look_below(child, &other, WAY_NONE, &flows);
        else if (child->basic == BASIC_COMPONENT && has_flows(child, NULL)) return true;
        if (flows) return true;
    }
    return false;
}

/* A component that only looks at a stream: no way out of it, and its flow is not differentiated. */
static bool is_tap(const Triplet *t) {
    return t->in && !t->flow && !has_flows(t->inst->parent, t->inst);
}

static SetCount *count_sets(Rules *r) {
    SetCount *set = NEW(&r->arena, SetCount, r->count + 1);
    for (int k = 0; k < r->count; k++) {
        SetCount *s = &set[set_of(r, k)];
        if (r->item[k].outside) continue;
        if (r->item[k].in && s->in++ == 0) s->first_in = k;
        s->taps += is_tap(&r->item[k]);
        if (r->item[k].out && s->out == 0) s->first_out = k;
        if (r->item[k].out && s->out++ == 1) s->second_out = k;
    }
    return set;
}

/* What connectors of a class differentiate, anywhere in the model: parts may do it inside. */
static void derived_below(const Inst *inst, const Cls *cls, Triplet *to) {
    int flows = 0;
    for (int k = 0; k < inst->nchild; k++) {
        const Inst *child = inst->child[k];
        if (!child || child->absent || child->link) continue;
        if (child->connector && child->cls == cls)
            look_below(child, to, WAY_NONE, &flows);
        else if (child->basic == BASIC_COMPONENT) derived_below(child, cls, to);
    }
}

/* By triplet: where it lies in a network of triplets that connects and components join. */
static int *find_domains(Rules *r) {
    int *domain = NEW(&r->arena, int, r->count + 1);
    Map  first = {0}; /* component -> one of its triplets */
    for (int k = 0; k < r->count; k++) domain[k] = k;
    for (int k = 0; k < r->count; k++) {
        uint64_t part = (uint64_t)r->item[k].inst->parent->id;
        set_join(domain, set_find(domain, k), set_find(domain, set_of(r, k)));
        if (map_has(&first, part))
            set_join(domain, set_find(domain, k),
                     set_find(domain, (int)map_get(&first, part, 0)));
        else map_put(&first, part, k);
    }
    map_free(&first);
    return domain;
}

/* By triplet: what is differentiated in its domain? For flows one connector tells so, and none says
 * otherwise. */
static Domain *find_kinds(Rules *r) {
    Domain *found = NEW(&r->arena, Domain, r->count + 1);
    bool   *flow = NEW(&r->arena, bool, r->count + 1);
    bool   *other = NEW(&r->arena, bool, r->count + 1);
    int    *domain = find_domains(r);
    Map     seen = {0}; /* class -> 1 flow, 2 potential */
    for (int k = 0; k < r->count; k++) {
        const Cls *cls = r->item[k].inst->cls;
        int64_t    kind = map_get(&seen, (uint64_t)(uintptr_t)cls, -1);
        if (kind < 0) {
            Triplet t = {0};
            derived_below(r->model->root, cls, &t);
            kind = t.flow | t.potential << 1;
            map_put(&seen, (uint64_t)(uintptr_t)cls, kind);
        }
        flow[set_find(domain, k)] |= kind & 1;
        other[set_find(domain, k)] |= kind >> 1 & 1;
    }
    for (int k = 0; k < r->count; k++) {
        int d = set_find(domain, k);
        found[k] = other[d] ? DOMAIN_MECHANICS : flow[d] ? DOMAIN_STREAM : DOMAIN_OPEN;
    }
    map_free(&seen);
    return found;
}

static void say(Rules *r, Code code, int at, const char *format, int a, int b, int c) {
    Text one = {0}, two = {0}, three = {0};
    Pos  pos = r->item[at].pos ? r->item[at].pos : r->item[at].inst->parent->pos;
    if (a >= 0) name(r, a, &one);
    if (b >= 0) name(r, b, &two);
    if (c >= 0) name(r, c, &three);
    diag_report(r->model->front->diag, pos, code, format, text_get(&one), text_get(&two),
                text_get(&three));
    TEXT_FREE(&one, &two, &three);
}

static void say_fork(Rules *r, const SetCount *s) {
    Text outlet = {0};
    name(r, s->first_out, &outlet);
    diag_report(r->model->front->diag, r->item[s->first_out].pos, CODE_C112,
                "outlet '%s' is connected to %d inlets: use a splitter",
                text_get(&outlet), s->in - s->taps);
    text_free(&outlet);
}

static void check_sets(Rules *r, const Domain *domain, bool parts) {
    const SetCount *set = count_sets(r);
    for (int k = 0; k < r->count; k++) {
        const SetCount *s = &set[k];
        bool            stream = domain[k] == DOMAIN_STREAM;
        if (r->item[k].set != k || s->in + s->out == 0) continue;
        if (s->out > 1 && s->in)
            say(r, CODE_C110, s->second_out, "'%s' has two parents '%s', '%s'",
                s->first_in, s->first_out, s->second_out);
        else if (s->in && !s->out)
            say(r, CODE_C111, s->first_in,
                stream ? "'%s' is not connected: a stream must start at a source"
                       : "'%s' is not connected: a mechanism must begin at a root",
                s->first_in, -1, -1);
        else if (stream && s->out == 1 && !s->in && !parts)
            say(r, CODE_C111, s->first_out,
                "'%s' is not connected: a stream must end at a sink", s->first_out, -1,
                -1);
        else if (stream && s->in - s->taps > 1) say_fork(r, s);
    }
}

/* ---- components ---- */

/* Does a component have variables of its own that are differentiated? */
static bool has_states(const Inst *inst) {
    for (int k = 0; k < inst->nchild; k++) {
        const Inst *child = inst->child[k];
        if (child && !child->absent && !child->connector && child->derived) return true;
    }
    return false;
}

typedef struct
    Network { /* the network as a graph: from outputs to the outputs they reach */
    int     *at_set, *next_in_set; /* triplets of a set, -1 ends */
    int     *next_of_part;         /* triplets of the same component, -1 ends */
    Map      part;                 /* component -> where its instances begin in `first` */
    int     *first;                /* by instance of a component: its first triplet, -1 */
    int      parts;
    uint8_t *mark;       /* SEEN_ of outputs */
    int     *stack, *at; /* outputs on the way; the next input of each */
} Network;

enum { SEEN_NOT, SEEN_OPEN, SEEN_DONE };

/* The first triplet of the component instance that one belongs to. There are at most as many instances
 * as triplets. */
static int *part_of(Network *f, const Triplet *t) {
    const Inst *part = t->inst->parent;
    int         own = 1;
    for (int d = 0; d < t->inst->ndim; d++) own *= t->inst->dim[d];
    int64_t base = map_get(&f->part, (uint64_t)part->id, -1);
    if (base < 0) {
        base = f->parts;
        f->parts += inst_count(part);
        map_put(&f->part, (uint64_t)part->id, base);
    }
    return &f->first[base + t->element / own];
}

static void make_network(Rules *r, Network *f) {
    size_t n = (size_t)r->count + 1;
    f->at_set = NEW(&r->arena, int, n);
    f->next_in_set = NEW(&r->arena, int, n);
    f->next_of_part = NEW(&r->arena, int, n);
    f->mark = NEW(&r->arena, uint8_t, n);
    f->stack = NEW(&r->arena, int, n);
    f->at = NEW(&r->arena, int, n);
    f->first = NEW(&r->arena, int, n);
    for (int k = 0; k < r->count; k++) f->at_set[k] = f->first[k] = -1;
    for (int k = 0; k < r->count; k++) {
        const Triplet *t = &r->item[k];
        int            s = set_of(r, k), *first = part_of(f, t);
        f->next_in_set[k] = f->at_set[s];
        f->at_set[s] = k;
        f->next_of_part[k] = t->outside ? -1 : *first;
        if (!t->outside) *first = k;
    }
}

/* The components from stack[first] on are a circle. */
static void keep_circle(Rules *r, const Network *f, int first, int top) {
    Text text = {0};
    for (int k = first; k <= top + 1; k++) {
        const Triplet *t = &r->item[f->stack[k <= top ? k : first]];
        if (k > first) text_add(&text, " -> ");
        inst_name(&text, r->model->front, t->inst->parent);
    }
    r->model->circle =
        arena_string(&r->model->front->arena, text_get(&text), text.length);
    r->model->circle_pos = r->item[f->stack[first]].pos;
    text_free(&text);
}

/* The next output that the one on top reaches, -1 if there are no more. */
static int next_output(Rules *r, Network *f, int top) {
    while (f->at[top] >= 0) {
        int            k = f->at[top], p = -1;
        const Triplet *t = &r->item[k];
        if (t->in && !t->outside) p = *part_of(f, t);
        for (; p >= 0; p = f->next_of_part[p])
            if (r->item[p].out && f->mark[p] == SEEN_NOT) return p;
            else if (r->item[p].out && f->mark[p] == SEEN_OPEN && !r->model->circle)
                return p;
        f->at[top] = f->next_in_set[k];
    }
    return -1;
}

/* Depth first from one output; true: it reaches a component that differentiates its potential. */
static bool search(Rules *r, Network *f, int from) {
    int  top = 0;
    bool inertia = false;
    f->stack[0] = from;
    f->mark[from] = SEEN_OPEN;
    f->at[0] = f->at_set[set_of(r, from)];
    for (int k = f->at_set[set_of(r, from)]; k >= 0; k = f->next_in_set[k])
        inertia |= r->item[k].in && r->item[k].potential;
    while (top >= 0) {
        int p = next_output(r, f, top);
        if (p < 0) {
            f->mark[f->stack[top--]] = SEEN_DONE;
            continue;
        }
        if (f->mark[p] == SEEN_OPEN) {
            int first = top;
            while (first > 0 && f->stack[first] != p) first--;
            if (!r->model->circle) keep_circle(r, f, first, top);
            continue;
        }
        f->mark[p] = SEEN_OPEN;
        f->stack[++top] = p;
        f->at[top] = f->at_set[set_of(r, p)];
        for (int k = f->at_set[set_of(r, p)]; k >= 0; k = f->next_in_set[k])
            inertia |= r->item[k].in && r->item[k].potential;
    }
    return inertia;
}

/* Circles are kept for a message if the equations turn out to be singular: a volume in them may make
 * them right. */
static void find_circle(Rules *r, Network *f) {
    for (int k = 0; k < r->count && !r->model->circle; k++)
        if (r->item[k].out && !r->item[k].outside && f->mark[k] == SEEN_NOT)
            search(r, f, k);
}

/* For each joint a search of its own: small networks only. */
static void check_inertia(Rules *r, Network *f, const Domain *domain, bool parts) {
    enum { MOST = 2000 };
    for (int k = 0; r->count <= MOST && k < r->count; k++) {
        const Triplet *t = &r->item[k];
        if (!t->out || t->outside || domain[k] == DOMAIN_STREAM ||
            (parts && domain[k] == DOMAIN_OPEN) || !has_states(t->inst->parent))
            continue;
        memset(f->mark, SEEN_NOT, (size_t)r->count);
        if (search(r, f, k)) continue;
        Text joint = {0};
        inst_name(&joint, r->model->front, t->inst->parent);
        diag_report(r->model->front->diag, t->inst->parent->pos, CODE_C114,
                    "joint '%s' moves no inertia: attach a body", text_get(&joint));
        text_free(&joint);
    }
}

void rules_check(FlatModel *model, const Joints *joints, bool parts) {
    Rules r = {.model = model};
    all_connectors(&r, model->root, parts);
    for (int k = 0; k < joints->count; k++) join(&r, &joints->item[k]);
    Domain *domain = find_kinds(&r);
    if (r.count) check_sets(&r, domain, parts);
    if (r.count && !model->front->diag->errors) {
        Network f = {0};
        make_network(&r, &f);
        find_circle(&r, &f);
        if (!model->circle) check_inertia(&r, &f, domain, parts);
        map_free(&f.part);
    }
    map_free(&r.of);
    mem_free(r.item);
    arena_free(&r.arena);
}
