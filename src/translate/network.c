/* SPDX-License-Identifier: Apache-2.0 */
/* network.c -- parts of a network: the rest of the network as equations at their triplets.
 *
 * A part is analysed as if it were alone (inst/network.c). At a triplet with input signals the root of
 * the network is imagined: signals and potentials are given as c0 + c1*(time - clock), where all three
 * are known values that differ from instance to instance, so that value and derivative can be what the
 * neighbour says. At a triplet with output signals the leaves are imagined, which answer by an affine
 * law: flow = p + P*der(potential), or der(flow) = p + P*potential, whichever of both is differentiated
 * in the domain. p and P are given in the same way, so that nobody takes them for constant. With these
 * equations a part is a system of its own: every pass sees one instance of it, and the same program
 * shows its variables once the given values are put in.
 *
 * Cost: linear in the triplets of one instance of each part, and in wires. */
#include "translate/network.h"

#include <stdlib.h>
#include <string.h>

typedef struct Member { /* a variable of a connector */
    const char *path;
    int         run, role;
} Member;

enum { MEMBER_SIGNAL, MEMBER_POTENTIAL, MEMBER_FLOW };

/* ---- triplets ---- */

static int role_of(const Inst *inst, const Inst *port, bool *out) {
    int role = MEMBER_POTENTIAL;
    for (const Inst *p = inst; p != port->parent; p = p->parent) {
        if (p->conn == CONN_FLOW) return MEMBER_FLOW;
        if (p->way != WAY_NONE) role = MEMBER_SIGNAL;
        if (p->way == WAY_OUTPUT) *out = true;
    }
    return role;
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const Member *)a)->path, ((const Member *)b)->path);
}

/* Members in the order of their names, so that those of both ends of a wire correspond. */
static Member *members(const Closing *c, const Inst *inst, int *n, bool *out) {
    const FlatModel *model = c->t->flat;
    Member          *list = NULL;
    int              room = 0;
    Text             name = {0}, base = {0};
    *n = 0;
    *out = false;
    inst_name(&base, model->front, inst);
    for (int k = 0; k < model->vars; k++) {
        const Inst *v = model->var[k];
        if (!inst_is_under(v, inst) || v->vary <= VARY_PARAMETER) continue;
        text_clear(&name);
        inst_name(&name, model->front, v);
        list = arena_grow(&c->t->arena, list, sizeof *list, &room, *n + 1);
        list[*n].path = arena_string(&c->t->arena, text_get(&name) + base.length,
                                     name.length - base.length);
        list[*n].role = role_of(v, inst, out);
        list[(*n)++].run = k;
    }
    if (*n) qsort(list, (size_t)*n, sizeof *list, by_path);
    text_free(&name);
    text_free(&base);
    return list;
}

static const int *scalars(const Closing *c, const Member *list, int n, int role,
                          int element, int elements, int *count) {
    int *to = NULL, room = 0;
    *count = 0;
    for (int k = 0; k < n; k++) {
        const VarRun *run = &c->sys->run[list[k].run];
        int           each = run->count / elements;
        for (int i = 0; list[k].role == role && i < each; i++) {
            to = arena_grow(&c->t->arena, to, sizeof *to, &room, *count + 1);
            to[(*count)++] = run->first + element * each + i;
        }
    }
    return to;
}

static bool add_port(Closing *c, int fold, const Inst *inst, int element, int elements) {
    NetBuild *net = c->net;
    Arena    *arena = &c->t->arena;
    int       n, flows, at = net->ports;
    bool      out;
    Member   *list = members(c, inst, &n, &out);
    LawPort   p = {.given = -1, .law = -1};
    p.out = out;
    p.signal = scalars(c, list, n, MEMBER_SIGNAL, element, elements, &p.signals);
    p.potential = scalars(c, list, n, MEMBER_POTENTIAL, element, elements, &p.pairs);
    p.flow = scalars(c, list, n, MEMBER_FLOW, element, elements, &flows);
    net->port = arena_grow(arena, net->port, sizeof p, &net->port_room, at + 1);
    net->inst = arena_grow(arena, net->inst, sizeof inst, &net->inst_room, at + 1);
    net->element =
        arena_grow(arena, net->element, sizeof(int), &net->element_room, at + 1);
    net->fold = arena_grow(arena, net->fold, sizeof(int), &net->fold_room, at + 1);
    net->inst[at] = inst;
    net->element[at] = element;
    net->fold[at] = fold;
    net->port[net->ports++] = p;
    return flows == p.pairs;
}

/* Does a wire end at this element of a connector? */
static bool is_wired(const FlatModel *model, const Inst *connector, int element) {
    const int elements = inst_count(connector);
    for (int k = 0; k < model->wires; k++) {
        const Wire *w = &model->wire[k];
        for (int i = 0; i < w->count; i++)
            if ((w->a == connector && (w->ia + i * w->sa) % elements == element) ||
                (w->b == connector && (w->ib + i * w->sb) % elements == element))
                return true;
    }
    return false;
}

static bool ports_of(Closing *c, int fold, const Inst *part) {
    const FlatModel *model = c->t->flat;
    for (int k = 0; k < part->nchild; k++) {
        const Inst *child = part->child[k];
        if (!child || child->absent || child->link || !child->connector ||
            child->prefix.protected_ || !rules_is_triplet(child))
            continue;
        int elements = inst_count(child);
        for (int e = 0; e < elements; e++) {
            if (fold >= model->folds && !is_wired(model, child, e)) continue;
            if (!add_port(c, fold, child, e, elements)) {
                diag_report(&c->t->session->diag, child->pos, CODE_C104,
                            "class '%s' is not LIED: a connector has not as many "
                            "potentials as flows",
                            str_text(c->t->front->strings, part->name));
                return false;
            }
        }
    }
    return true;
}

/* Those of a part follow each other. The rest of the model is the last part. */
static bool find_ports(Closing *c) {
    const FlatModel *model = c->t->flat;
    bool             fine = true;
    for (int f = 0; fine && f < model->folds; f++)
        if (model->fold[f].part) fine = ports_of(c, f, model->fold[f].inst);
    for (int k = 0; fine && k < model->rests; k++)
        fine = ports_of(c, model->folds, model->rest[k]);
    return fine;
}

/* Instances of the part that a port belongs to. */
static int count_of(const Translation *t, int port) {
    int fold = t->net->fold[port];
    return fold < t->flat->folds ? (int)t->flat->fold[fold].count : 1;
}

int net_port_of(const NetBuild *net, const Inst *inst, int element) {
    for (int k = 0; k < net->ports; k++)
        if (net->inst[k] == inst && net->element[k] == element) return k;
    return -1;
}

/* ---- wires ---- */

typedef struct Ends { /* of a wire, pair by pair */
    int a, b, ia, ib; /* ports and instances */
} Ends;

static Ends ends_of(const NetBuild *net, const Wire *w, int k) {
    int ea = inst_count(w->a), eb = inst_count(w->b);
    int ia = w->ia + k * w->sa, ib = w->ib + k * w->sb;
    return (Ends){net_port_of(net, w->a, ia % ea), net_port_of(net, w->b, ib % eb),
                  ia / ea, ib / eb};
}

/* ---- domains ---- */

/* By variable that others equal: one of them is differentiated. */
static uint8_t *find_derived(const Closing *c) {
    Structure st = {0};
    uint8_t  *derived = NEW(&c->t->arena, uint8_t, c->sys->vars + 1);
    structure_aliases(&st, c->sys, 0, NULL);
    for (int r = 0; r < c->sys->runs; r++)
        for (int i = 0; c->sys->run[r].der >= 0 && i < c->sys->run[r].count; i++)
            derived[st.alias[c->sys->run[r].first + i]] = 1;
    for (int v = 0; v < c->sys->vars; v++) derived[v] = derived[st.alias[v]];
    structure_free(&st);
    return derived;
}

/* Wires, and being of one kind in one part, make a domain. In it the flows are differentiated if some
 * flow is and no potential; otherwise the potentials are, unless a signal has no derivative. */
static void find_domains(Closing *c) {
    const FlatModel *model = c->t->flat;
    NetBuild        *net = c->net;
    const uint8_t   *derived = find_derived(c);
    uint8_t         *flow = NEW(&c->t->arena, uint8_t, net->ports + 1);
    uint8_t         *potential = NEW(&c->t->arena, uint8_t, net->ports + 1);
    uint8_t         *discrete = NEW(&c->t->arena, uint8_t, net->ports + 1);
    net->set = NEW(&c->t->arena, int, net->ports + 1);
    for (int k = 0; k < net->ports; k++) net->set[k] = k;
    for (int k = 0; k < model->wires; k++) {
        const Wire *w = &model->wire[k];
        int         a = net_port_of(net, w->a, w->ia % inst_count(w->a));
        int         b = net_port_of(net, w->b, w->ib % inst_count(w->b));
        if (a >= 0 && b >= 0)
            set_join(net->set, set_find(net->set, a), set_find(net->set, b));
    }
    for (int k = 1; k < net->ports; k++)
        if (net->fold[k] == net->fold[k - 1] && net->fold[k] < model->folds &&
            net->port[k].pairs == net->port[k - 1].pairs &&
            net->port[k].signals == net->port[k - 1].signals)
            set_join(net->set, set_find(net->set, k), set_find(net->set, k - 1));
    for (int k = 0; k < net->ports; k++) {
        const LawPort *p = &net->port[k];
        int            s = set_find(net->set, k);
        for (int i = 0; i < p->pairs; i++) {
            flow[s] |= derived[p->flow[i]];
            potential[s] |= derived[p->potential[i]];
        }
        for (int i = 0; i < p->signals; i++)
            discrete[s] |=
                c->sys->run[system_run_of(c->sys, p->signal[i])].type != TYPE_REAL;
    }
    for (int k = 0; k < net->ports; k++) {
        int s = set_find(net->set, k);
        net->port[k].rates = potential[s] || (!flow[s] && !discrete[s]);
    }
}

/* ---- the rest of the network ---- */

int network_run(Closing *c, VarKind kind, int count, int fold) {
    NetBuild *net = c->net;
    int       run = system_run(c->sys, kind, TYPE_REAL, count, -1, 0);
    c->sys->run[run].flags |= VAR_HIDDEN | VAR_PROTECTED | VAR_FINAL;
    net->of = arena_grow(&c->t->arena, net->of, sizeof(int), &net->of_room,
                         run - net->runs + 1);
    net->of[run - net->runs] = fold;
    return run;
}

/* The port with output signals that a wire joins to the first instance of port k; -1: none does directly. */
static int source_of(const Closing *c, int k) {
    const FlatModel *model = c->t->flat;
    for (int w = 0; w < model->wires; w++) {
        Ends e = ends_of(c->net, &model->wire[w], 0);
        if (e.a == k && e.b >= 0 && c->net->port[e.b].out) return e.b;
        if (e.b == k && e.a >= 0 && c->net->port[e.a].out) return e.a;
    }
    return -1;
}

/* Where an instance alone is looked at: what the neighbour gives if that is a parameter, so that the initial system has
 * a solution; else as it starts, or a usual value. */
static double usual(const Closing *c, const Structure *st, int var, int neighbour) {
    const System *sys = c->sys;
    int           run = system_run_of(sys, var);
    double        value = 0;
    if (neighbour >= 0) {
        int given = st->alias[neighbour], of = system_run_of(sys, given);
        if (sys->run[of].kind == VAR_PARAMETER &&
            system_known(sys, of, ATTR_BINDING, given - sys->run[of].first, &value))
            return st->sign[neighbour] * value;
    }
    if (system_known(sys, run, ATTR_START, var - sys->run[run].first, &value) &&
        value != 0)
        return value;
    return system_nominal(sys, var);
}

void network_given(Closing *c, int var, int c0, int c1) {
    Shapes *s = c->sys->shapes;
    row_begin(&c->row, c->sys, 0, NULL);
    Term v = row_var(&c->row, var, NULL), a = row_var(&c->row, c0, NULL);
    if (c->sys->run[system_run_of(c->sys, var)].type != TYPE_REAL) {
        row_end(&c->row, ROWS_EQUATION, expr_2(s, TERM_EQUATION, v, a), 0, -1, 0);
        return;
    }
    Term b = row_var(&c->row, c1, NULL), clock = row_var(&c->row, c->net->clock, NULL);
    Term since = expr_2(s, TERM_ADD, expr_time(s), expr_1(s, TERM_NEG, clock));
    Term right = expr_2(s, TERM_ADD, a, expr_2(s, TERM_MUL, b, since));
    row_end(&c->row, ROWS_EQUATION, expr_2(s, TERM_EQUATION, v, right), 0, -1, 0);
}

/* Variables for the derivatives of these. */
static const int *add_slopes(Closing *c, int n, const int *var, int fold) {
    Shapes *s = c->sys->shapes;
    int    *slope = NEW(&c->t->arena, int, n + 1);
    int     run = network_run(c, VAR_CONTINUOUS, n, fold);
    for (int i = 0; i < n; i++) {
        slope[i] = c->sys->run[run].first + i;
        int rate = system_der(c->sys, var[i]);
        row_begin(&c->row, c->sys, 0, NULL);
        Term a = row_var(&c->row, slope[i], NULL), b = row_var(&c->row, rate, NULL);
        row_end(&c->row, ROWS_EQUATION, expr_2(s, TERM_EQUATION, a, b), 0, -1, 0);
    }
    return slope;
}

/* Where the derivative travels, each value has its own slope; elsewhere none has. */
static void close_in(Closing *c, const Structure *st, int k) {
    LawPort *p = &c->net->port[k];
    int      source = source_of(c, k);
    int      s = p->signals, n = p->rates ? 2 * s + 2 * p->pairs : s + p->pairs;
    double  *value = NEW(&c->t->arena, double, n + 1);
    for (int i = 0; i < s; i++)
        value[i] =
            usual(c, st, p->signal[i], source < 0 ? -1 : c->net->port[source].signal[i]);
    int run = network_run(c, VAR_PARAMETER, n, c->net->fold[k]);
    system_list(c->sys, run, ATTR_BINDING, value, n);
    p->given = c->sys->run[run].first;
    p->givens = n;
    for (int i = 0; i < s; i++)
        network_given(c, p->signal[i], p->given + i,
                      p->rates ? p->given + s + i : c->net->still);
    for (int i = 0; i < p->pairs; i++)
        network_given(c, p->potential[i],
                      p->given + n - (p->rates ? 2 : 1) * p->pairs + i,
                      p->rates ? p->given + n - p->pairs + i : c->net->still);
    if (!p->rates) p->slope = add_slopes(c, p->pairs, p->flow, c->net->fold[k]);
}

/* f_i = p_i + sum P_ij e_j */
static void add_law(Closing *c, const LawPort *p, int i) {
    Shapes    *s = c->sys->shapes;
    const int *effort = p->potential;
    int        f = p->rates ? p->flow[i] : system_der(c->sys, p->flow[i]);
    int       *e = NEW(&c->t->arena, int, p->pairs + 1);
    for (int j = 0; j < p->pairs; j++)
        e[j] = p->rates ? system_der(c->sys, effort[j]) : effort[j];
    row_begin(&c->row, c->sys, 0, NULL);
    Term sum = row_var(&c->row, p->coefficient + i, NULL);
    for (int j = 0; j < p->pairs; j++)
        sum =
            expr_2(s, TERM_ADD, sum,
                   expr_2(s, TERM_MUL,
                          row_var(&c->row, p->coefficient + p->pairs * (1 + i) + j, NULL),
                          row_var(&c->row, e[j], NULL)));
    Term left = row_var(&c->row, f, NULL);
    row_end(&c->row, ROWS_EQUATION, expr_2(s, TERM_EQUATION, left, sum), 0, -1, 0);
}

static void close_out(Closing *c, int k) {
    LawPort *p = &c->net->port[k];
    int      n = p->pairs + p->pairs * p->pairs;
    double  *value = NEW(&c->t->arena, double, n + 1);
    for (int i = 0; i < p->pairs; i++) value[p->pairs + i * p->pairs + i] = -1;
    int run = network_run(c, VAR_PARAMETER, n, c->net->fold[k]);
    system_list(c->sys, run, ATTR_BINDING, value, n);
    p->law = c->sys->run[run].first;
    run = network_run(c, VAR_CONTINUOUS, n, c->net->fold[k]);
    p->coefficient = c->sys->run[run].first;
    for (int i = 0; i < n; i++)
        network_given(c, p->coefficient + i, p->law + i, c->net->still);
    for (int i = 0; i < p->pairs; i++) add_law(c, p, i);
    if (p->rates) p->slope = add_slopes(c, p->signals, p->signal, c->net->fold[k]);
}

/* Flows of connectors that nothing is connected to are zero: not here. */
static void drop_zero_flows(Closing *c) {
    System  *sys = c->sys;
    uint8_t *is_flow = NEW(&c->t->arena, uint8_t, sys->vars + 1);
    RowWalk  walk = {.sys = sys, .set = ROWS_EQUATION};
    for (int k = 0; k < c->net->ports; k++)
        for (int i = 0; i < c->net->port[k].pairs; i++)
            is_flow[c->net->port[k].flow[i]] = 1;
    while (row_walk(&walk)) {
        if (!(walk.family.flags & FAMILY_CONNECT) || walk.family.pos) continue;
        if (!is_flow[walk.slot[0]]) continue;
        GROW(sys->replaced, sys->replaced_room, sys->replaceds + 1);
        sys->replaced[sys->replaceds++] = walk.row;
    }
}

/* Which part a variable belongs to, -1: the rest. */
const Fold *net_fold_of(const Closing *c, int var) {
    const FlatModel *model = c->t->flat;
    int              run = system_run_of(c->sys, var);
    while (c->sys->run[run].of >= 0) run = c->sys->run[run].of;
    int owner = c->sys->run[run].owner;
    for (int k = 0; owner >= 0 && k < model->folds; k++)
        if (inst_is_under(model->front->inst[owner], model->fold[k].inst))
            return &model->fold[k];
    return NULL;
}

/* By variable: it equals a flow or potential of a triplet. */
static uint8_t *find_pairs(const Closing *c) {
    Structure st = {0};
    uint8_t  *pair = NEW(&c->t->arena, uint8_t, c->sys->vars + 1);
    structure_aliases(&st, c->sys, 0, NULL);
    for (int k = 0; k < c->net->ports; k++)
        for (int i = 0; i < c->net->port[k].pairs; i++) {
            pair[st.alias[c->net->port[k].flow[i]]] = 1;
            pair[st.alias[c->net->port[k].potential[i]]] = 1;
        }
    for (int v = 0; v < c->sys->vars; v++) pair[v] = pair[st.alias[v]];
    structure_free(&st);
    return pair;
}

/* May an initial equation ask for a variable? Of parts with one instance start values are found again
 * when neighbours have answered (api/fleet_host.c), but rates of flows and potentials come from all of
 * the network. */
static bool may_ask(const Closing *c, int var, const uint8_t *derived,
                    const uint8_t *pair) {
    int           r = system_run_of(c->sys, var);
    const VarRun *run = &c->sys->run[r];
    const Fold   *fold = net_fold_of(c, var);
    if (run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT || derived[var])
        return true;
    bool rate = run->of >= 0 && c->sys->run[run->of].der == r;
    c->net->asks = true;
    if (rate && pair[c->sys->run[run->of].first + var - run->first]) return false;
    return !fold || fold->count == 1;
}

/* Start values are found instance by instance, before there are neighbours. */
static bool check_initial(const Closing *c) {
    const System  *sys = c->sys;
    RowWalk        walk = {.sys = sys, .set = ROWS_INITIAL};
    const uint8_t *derived = find_derived(c), *pair = find_pairs(c);
    bool           fine = true;
    while (row_walk(&walk)) {
        bool own = true;
        int  slots = sys->shapes->shape[walk.family.shape].slots;
        for (int k = 0; k < slots; k++) {
            Term leaf = shape_leaf(sys->shapes, walk.family.shape, k);
            if (expr_op(sys->shapes, leaf) != TERM_NUMBER)
                own &= may_ask(c, walk.slot[k], derived, pair);
        }
        if (!own && fine)
            diag_report(
                &c->t->session->diag, walk.family.pos, CODE_C107,
                "an initial equation of a part of a network asks for what depends "
                "on its neighbours");
        fine &= own;
    }
    return fine;
}

/* Some parts belong to the rest of the model now. */
static bool find_ports_again(Closing *c) {
    *c->net = (NetBuild){0};
    return find_ports(c);
}

bool network_close(Translation *t) {
    if (!t->flat->wires) return true;
    Closing   c = {.t = t, .sys = &t->rows->sys};
    Structure st = {0};
    c.net = t->net = NEW(&t->arena, NetBuild, 1);
    if (!find_ports(&c)) return false;
    if (merge_open(&c) && !find_ports_again(&c)) return false;
    for (int k = 0; k < c.net->ports; k++) /* it may have no kernels: rows of it alone */
        t->selective |= count_of(t, k) == 1;
    drop_zero_flows(&c);
    find_domains(&c);
    while (merge_parts(&c)) {
        if (!find_ports_again(&c)) return false;
        find_domains(&c);
    }
    if (t->session->diag.errors) return false;
    if (!t->flat->folds) {
        t->net = NULL;
        translate_as_whole(t);
        return true;
    }
    if (!check_initial(&c)) return false;
    c.net->runs = c.sys->runs;
    int clock = network_run(&c, VAR_PARAMETER, 1, t->flat->folds);
    system_value(c.sys, clock, ATTR_BINDING, 0);
    c.net->clock = c.sys->run[clock].first;
    int still = network_run(&c, VAR_PARAMETER, 1, t->flat->folds);
    system_value(c.sys, still, ATTR_BINDING, 0);
    c.net->still = c.sys->run[still].first;
    structure_aliases(&st, c.sys, 0, NULL);
    for (int k = 0; k < c.net->ports; k++) {
        if (c.net->port[k].out) close_out(&c, k);
        else close_in(&c, &st, k);
    }
    structure_free(&st);
    for (int k = 0; k < c.net->ties; k++) tie_close(&c, &c.net->tie[k]);
    row_free(&c.row);
    return true;
}

/* ---- for those who make code of it ---- */

LawPort *network_ports(const Translation *t, int family, int *count) {
    const NetBuild *net = t->net;
    LawPort        *first = NULL;
    *count = 0;
    for (int k = 0; net && k < net->ports; k++) {
        if (net->fold[k] != family) continue;
        if (!first) first = &net->port[k];
        ++*count;
    }
    return first;
}

LawTie *network_tie(const Translation *t, int family) {
    for (int k = 0; t->net && k < t->net->ties; k++)
        if (t->net->tie[k].fold == family) return &t->net->tie[k].law;
    return NULL;
}

void network_families(const Translation *t, int *of_run) {
    const NetBuild *net = t->net;
    const System   *sys = &t->rows->sys;
    for (int r = net ? net->runs : sys->runs; r < sys->runs; r++)
        if (sys->run[r].owner < 0 && sys->run[r].of < 0 && r - net->runs < net->of_room)
            of_run[r] = net->of[r - net->runs];
}

int network_keep(Translation *t, int family, const BatchFamily *f) {
    NetBuild *net = t->net;
    int       first = 0, sections = net->sections, groups = net->groups;
    while (first < net->ports && net->fold[first] != family) first++;
    NetSection *section = NEW(&t->arena, NetSection, sections + f->sections + 1);
    NetGroup   *group = NEW(&t->arena, NetGroup, groups + f->groups + 1);
    for (int k = 0; k < sections; k++) section[k] = net->section[k];
    for (int k = 0; k < groups; k++) group[k] = net->group[k];
    for (int k = 0; k < f->sections; k++) {
        section[sections + k] = f->section[k];
        section[sections + k].family = family;
        section[sections + k].uniform = net->uniforms + f->uniform_at[f->groups + k];
        if (f->section[k].port >= 0) section[sections + k].port += first;
    }
    for (int k = 0; k < f->groups; k++)
        group[groups + k] =
            (NetGroup){family, k, net->uniforms + f->uniform_at[k], f->group_reads[k]};
    for (int k = 0; k < f->ports; k++) {
        NetPort *p = &f->port[k].net;
        p->family = family;
        p->section += sections;
        if (p->group >= 0) p->group += groups;
    }
    int rates = net->uniforms + f->uniform_at[f->groups + f->sections];
    if (f->tie) {
        f->tie->net.family = family;
        f->tie->net.count = f->tie->count;
        f->tie->net.uniform = net->uniforms + f->uniform_at[f->groups + f->sections + 1];
    }
    net->uniform = arena_grow(&t->arena, net->uniform, sizeof(int), &net->uniform_room,
                              net->uniforms + f->uniforms + 1);
    for (int k = 0; k < f->uniforms; k++) net->uniform[net->uniforms++] = f->uniform[k];
    net->section = section;
    net->group = group;
    net->sections += f->sections;
    net->groups += f->groups;
    return rates;
}

void network_report(const Translation *t, Text *out) {
    const NetBuild *net = t->net;
    int64_t         pairs = 0;
    if (!net) return;
    for (int k = 0; k < t->flat->wires; k++) pairs += t->flat->wire[k].count;
    text_printf(out, "network: %d classes of parts, %lld connections in %d wires\n",
                net->codes, (long long)pairs, t->flat->wires);
}

void network_report_part(const Translation *t, int family, Text *out) {
    const NetBuild *net = t->net;
    const char     *separator = "";
    for (int k = 0; net && k < net->sections; k++) {
        const NetSection *s = &net->section[k];
        if (s->family != family) continue;
        text_printf(out, "%s  section %d:", separator, s->number + 1);
        for (int p = 0; p < net->ports; p++)
            if (net->port[p].net.section == k && net->fold[p] == family)
                text_printf(out, " %s%s", str_text(t->front->strings, net->inst[p]->name),
                            net->port[p].net.cut ? " (cut)" : "");
        text_printf(out, ", torn by %d", s->torn);
        separator = "\n";
    }
    const LawTie *tie = network_tie(t, family);
    if (tie) text_printf(out, "%s  tied by %d", separator, tie->count);
    if (*separator || tie) text_char(out, '\n');
}

int network_code(Translation *t, const char *text, Text *out) {
    NetBuild *net = t->net;
    for (int k = 0; k < net->codes; k++)
        if (strcmp(net->code[k], text) == 0) return k;
    net->code =
        arena_grow(&t->arena, net->code, sizeof text, &net->code_room, net->codes + 1);
    net->code[net->codes] = arena_string(&t->arena, text, strlen(text));
    for (const char *c = text; *c; c++)
        if (*c == '@') text_printf(out, "%d", net->codes);
        else text_char(out, *c);
    return net->codes++;
}

/* A pair joins the wire before it if both go on with its steps. */
static void add_pair(NetWire *list, int *n, int a, int in, int b, int out) {
    NetWire *w = *n ? &list[*n - 1] : NULL;
    if (w && w->port_in == a && w->port_out == b &&
        (w->count == 1 || (in == w->in + w->count * w->step_in &&
                           out == w->out + w->count * w->step_out))) {
        if (w->count == 1) w->step_in = in - w->in, w->step_out = out - w->out;
        w->count++;
        return;
    }
    list[(*n)++] = (NetWire){a, b, in, out, 0, 0, 1};
}

/* Every connect has one end with output signals. */
static bool are_direct(const Translation *t) {
    for (int k = 0; k < t->flat->wires; k++) {
        Ends e = ends_of(t->net, &t->flat->wire[k], 0);
        if (t->net->port[e.a].out == t->net->port[e.b].out) return false;
    }
    return true;
}

static void add_direct(const Translation *t, NetWire *list, int *n) {
    const NetBuild *net = t->net;
    for (int k = 0; k < t->flat->wires; k++)
        for (int i = 0; i < t->flat->wire[k].count; i++) {
            Ends e = ends_of(net, &t->flat->wire[k], i);
            if (net->port[e.a].out) add_pair(list, n, e.b, e.ib, e.a, e.ia);
            else add_pair(list, n, e.a, e.ia, e.b, e.ib);
        }
}

/* Connects between two inputs: the output of the whole set is the other end of each. */
static void add_sets(const Translation *t, NetWire *list, int *n, Arena *arena) {
    const NetBuild *net = t->net;
    int            *first = NEW(arena, int, net->ports + 1);
    for (int k = 0; k < net->ports; k++) first[k + 1] = first[k] + count_of(t, k);
    int *set = NEW(arena, int, first[net->ports] + 1);
    int *port = NEW(arena, int, first[net->ports] + 1);
    int *out = NEW(arena, int, first[net->ports] + 1);
    for (int k = 0; k < first[net->ports]; k++) set[k] = k;
    for (int k = 0; k < t->flat->wires; k++)
        for (int i = 0; i < t->flat->wire[k].count; i++) {
            Ends e = ends_of(net, &t->flat->wire[k], i);
            set_join(set, set_find(set, first[e.a] + e.ia),
                     set_find(set, first[e.b] + e.ib));
        }
    for (int k = 0; k < net->ports; k++)
        for (int i = first[k]; net->port[k].out && i < first[k + 1]; i++) {
            port[set_find(set, i)] = k;
            out[set_find(set, i)] = i - first[k];
        }
    for (int k = 0; k < net->ports; k++)
        for (int i = first[k]; !net->port[k].out && i < first[k + 1]; i++) {
            int s = set_find(set, i);
            add_pair(list, n, k, i - first[k], port[s], out[s]);
        }
}

void freeze_network(Draft *d) {
    const Translation *t = d->from;
    const NetBuild    *net = t->net;
    Network           *to = &d->program.batches.network;
    int                pairs = 0, n = 0;
    if (!net) return;
    NetPort *port = NEW(&d->arena, NetPort, net->ports + 1);
    NetTie  *tie = NEW(&d->arena, NetTie, net->ties + 1);
    for (int k = 0; k < net->ties; k++) tie[k] = net->tie[k].law.net;
    for (int k = 0; k < net->ports; k++) port[k] = net->port[k].net;
    for (int k = 0; k < net->ports; k++) pairs += net->port[k].out ? 0 : count_of(t, k);
    NetWire *wire = NEW(&d->arena, NetWire, pairs + 1);
    if (are_direct(t)) add_direct(t, wire, &n);
    else add_sets(t, wire, &n, &d->arena);
    *to = (Network){.ports = net->ports,
                    .sections = net->sections,
                    .groups = net->groups,
                    .wires = n,
                    .ties = net->ties,
                    .tie = tie,
                    .clock = net->clock,
                    .asks = net->asks,
                    .port = port,
                    .section = net->section,
                    .group = net->group,
                    .wire = wire,
                    .uniforms = net->uniforms,
                    .uniform = net->uniform};
}
