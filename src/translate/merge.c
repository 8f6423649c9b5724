/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c -- which parts of a network have answers of their own?
 *
 * With the rest of the network imagined at its triplets every unknown of a part must have an equation of the
 * part. Where that is not so, the equation stands in a neighbour: a sink without inertance does not say how
 * its mass flow changes, or prescribes it. The part and those it is connected to towards the root join the rest
 * of the model, which is translated as a whole, and what joined them are equations again. The rest is looked
 * at in the same way.
 *
 * Found by a largest matching of the equations of all parts, a variable and its derivatives as one; of
 * mass flows that are differentiated only the derivative counts, unless its factor is a parameter that is 0.
 *
 * Cost: a matching for each round; rounds are as many as parts in the longest chain that joins the rest. */
#include "translate/network.h"

#include <string.h>

/* ---- sets of ports ---- */

/* By port: the first port of its connection set. */
static int *find_sets(const Closing *c) {
    const FlatModel *model = c->t->flat;
    int             *set = NEW(&c->t->arena, int, c->net->ports + 1);
    for (int k = 0; k < c->net->ports; k++) set[k] = k;
    for (int k = 0; k < model->wires; k++) {
        const Wire *w = &model->wire[k];
        int         a = net_port_of(c->net, w->a, w->ia % inst_count(w->a));
        int         b = net_port_of(c->net, w->b, w->ib % inst_count(w->b));
        if (a >= 0 && b >= 0) set_join(set, set_find(set, a), set_find(set, b));
    }
    for (int k = 0; k < c->net->ports; k++) set[k] = set_find(set, k);
    return set;
}

/* ---- the matching ---- */

typedef struct Matching {
    Closing  *c;
    Arena     arena;
    Structure st;
    int      *of;     /* by variable: its part; the number of parts: the rest */
    int      *base;   /* by variable: what it is a derivative of, or itself */
    bool     *open;   /* by variable: an unknown that needs an equation */
    bool     *flow;   /* by variable: a mass flow at a triplet */
    bool     *effort; /* by variable: an effort at a triplet */
    Graph     graph;
    int      *col_of, *row_of;
} Matching;

static int *parts_of_variables(const Closing *c, Arena *arena) {
    const FlatModel *model = c->t->flat;
    const System    *sys = c->sys;
    int             *of = NEW(arena, int, sys->vars + 1);
    Map              fold = {0};
    for (int k = 0; k < model->folds; k++)
        map_put(&fold, (uint64_t)model->fold[k].inst->id, k);
    for (int r = 0; r < sys->runs; r++) {
        int base = r, part = model->folds;
        while (sys->run[base].of >= 0) base = sys->run[base].of;
        const Inst *inst =
            sys->run[base].owner < 0 ? NULL : model->front->inst[sys->run[base].owner];
        for (; inst && part == model->folds; inst = inst->parent)
            part = (int)map_get(&fold, (uint64_t)inst->id, model->folds);
        for (int i = 0; i < sys->run[r].count; i++) of[sys->run[r].first + i] = part;
    }
    map_free(&fold);
    return of;
}

static void set_open(Matching *m, int n, const int *var, bool open) {
    for (int i = 0; i < n; i++) m->open[m->base[m->st.alias[var[i]]]] = open;
}

/* What the rest of the network gives at a triplet is known. */
static void close_ports(Matching *m) {
    for (int k = 0; k < m->c->net->ports; k++) {
        const LawPort *p = &m->c->net->port[k];
        for (int i = 0; !p->rates && i < p->pairs; i++)
            m->flow[m->st.alias[p->flow[i]]] = true;
        for (int i = 0; i < p->pairs; i++) {
            int v = m->st.alias[p->potential[i]];
            if (p->rates) v = m->st.next[v];
            if (v >= 0) m->effort[v] = true;
        }
        if (p->out) set_open(m, p->pairs, p->flow, false);
        else {
            set_open(m, p->signals, p->signal, false);
            set_open(m, p->pairs, p->potential, false);
        }
    }
}

/* Does a row ask for efforts? */
static bool asks_effort(const Matching *m, int row) {
    const Structure *st = &m->st;
    for (int k = st->first[row]; k < st->first[row + 1]; k++)
        if (expr_op(m->c->sys->shapes, shape_leaf(m->c->sys->shapes, st->shape[row],
                                                  k - st->first[row])) != TERM_NUMBER &&
            m->effort[st->slot[k]])
            return true;
    return false;
}

/* Does an equation determine a variable, or how it changes? */
static bool determines(const Matching *m, int eq, int var) {
    const Structure *st = &m->st;
    double           factor;
    if (m->flow[var] && st->next[var] >= 0) return false;
    if (st->prev[var] < 0 || !m->flow[st->prev[var]]) return true;
    return !structure_coefficient(st, st->eq_row[eq], var, &factor) || factor != 0;
}

static void make_graph(Matching *m) {
    const Graph *from = &m->st.graph;
    Graph       *g = &m->graph;
    int          n = 0;
    *g = (Graph){.rows = from->rows, .cols = from->cols};
    g->start = NEW(&m->arena, int, from->rows + 1);
    g->col = NEW(&m->arena, int, from->start[from->rows] + 1);
    g->kind = NEW(&m->arena, uint8_t, from->start[from->rows] + 1);
    for (int e = 0; e < from->rows; e++) {
        bool late = asks_effort(m, m->st.eq_row[e]);
        for (int k = from->start[e]; k < from->start[e + 1]; k++) {
            if (!determines(m, e, from->col[k])) continue;
            g->col[n] = m->base[from->col[k]];
            g->kind[n++] = late ? EDGE_IMPLICIT : EDGE_ALWAYS;
        }
        g->start[e + 1] = n;
    }
}

/* Equations that ask for efforts come last, so that they are left over rather than others. */
static void match(Matching *m) {
    for (int e = 0; e < m->graph.rows; e++) m->col_of[e] = -1;
    for (int v = 0; v < m->st.vars; v++) m->row_of[v] = -1;
    match_largest(&m->graph, EDGE_ALWAYS, m->open, m->col_of, m->row_of);
    match_largest(&m->graph, EDGE_IMPLICIT, m->open, m->col_of, m->row_of);
}

static void matching_open(Matching *m, Closing *c) {
    *m = (Matching){.c = c};
    structure_aliases(&m->st, c->sys, 0, NULL);
    const Structure *st = &m->st;
    m->of = parts_of_variables(c, &m->arena);
    m->base = NEW(&m->arena, int, st->vars + 1);
    m->open = NEW(&m->arena, bool, st->vars + 1);
    m->flow = NEW(&m->arena, bool, st->vars + 1);
    m->effort = NEW(&m->arena, bool, st->vars + 1);
    m->col_of = NEW(&m->arena, int, st->graph.rows + 1);
    m->row_of = NEW(&m->arena, int, st->vars + 1);
    for (int v = 0; v < st->vars; v++) {
        int first = v;
        while (st->prev[first] >= 0) first = st->prev[first];
        m->base[v] = first;
        m->open[v] = st->prev[v] < 0 && st->alias[v] == v &&
                     st->constancy[v] != IS_ZERO &&
                     (st->role[v] == ROLE_UNKNOWN || st->role[v] == ROLE_STATE);
    }
    close_ports(m);
    make_graph(m);
    match(m);
}

static void matching_close(Matching *m) {
    structure_free(&m->st);
    arena_free(&m->arena);
}

typedef enum { LACK_NONE, LACK_JUMP, LACK_EQUATION } Lack;

/* By part: an unknown of it has no equation, or it prescribes a mass flow: that may jump, and the
 * neighbour would have it as a state. */
static uint8_t *find_lacking(const Matching *m) {
    const NetBuild *net = m->c->net;
    uint8_t        *lacks = NEW(&m->c->t->arena, uint8_t, m->c->t->flat->folds + 1);
    for (int k = 0; k < net->ports; k++)
        for (int i = 0; !net->port[k].out && i < net->port[k].pairs; i++) {
            int flow = m->st.alias[net->port[k].flow[i]];
            if (!net->port[k].rates && m->open[flow] && m->st.next[flow] < 0)
                lacks[net->fold[k]] = LACK_JUMP;
        }
    for (int v = 0; v < m->st.vars; v++)
        if (m->open[v] && m->row_of[v] < 0) lacks[m->of[v]] = LACK_EQUATION;
    return lacks;
}

/* ---- joining the rest ---- */

static bool is_single(const FlatModel *model, int part) {
    return part >= model->folds ||
           (model->fold[part].count == 1 && !model->fold[part].member->dims);
}

/* The connection set is inside of the rest: equations instead of wires. */
static void connect_set(Closing *c, const int *set, int root) {
    Shapes  *s = c->sys->shapes;
    LawPort *out = NULL;
    int      members = 0;
    for (int k = 0; k < c->net->ports; k++) {
        members += set[k] == root;
        if (set[k] == root && c->net->port[k].out) out = &c->net->port[k];
    }
    if (!out || members < 2) return; /* of an open end the flow is 0 already */
    for (int k = 0; k < c->net->ports; k++) {
        const LawPort *in = &c->net->port[k];
        for (int i = 0; set[k] == root && !in->out && i < in->signals + in->pairs; i++) {
            bool signal = i < in->signals;
            int  j = signal ? i : i - in->signals;
            row_begin(&c->row, c->sys, 0, NULL);
            Term a = row_var(&c->row, signal ? in->signal[j] : in->potential[j], NULL);
            Term b = row_var(&c->row, signal ? out->signal[j] : out->potential[j], NULL);
            row_end(&c->row, ROWS_EQUATION, expr_2(s, TERM_EQUATION, a, b), 0, -1, 0);
        }
    }
    for (int i = 0; i < out->pairs; i++) {
        row_begin(&c->row, c->sys, 0, NULL);
        Term sum = s->zero;
        for (int k = 0; k < c->net->ports; k++)
            if (set[k] == root)
                sum = expr_2(s, TERM_ADD, sum,
                             row_var(&c->row, c->net->port[k].flow[i], NULL));
        row_end(&c->row, ROWS_EQUATION, expr_2(s, TERM_EQUATION, sum, s->zero), 0, -1, 0);
    }
}

/* Parts that go leave the list of families. */
static void leave(FlatModel *model, const bool *go) {
    int kept = 0;
    for (int k = 0; k < model->folds; k++)
        if (go[k]) model->rest[model->rests++] = model->fold[k].inst;
        else model->fold[kept++] = model->fold[k];
    model->folds = kept;
}

static void join_rest(Closing *c, const bool *go) {
    FlatModel *model = c->t->flat;
    int       *set = find_sets(c), wires = 0;
    bool      *outside = NEW(&c->t->arena, bool, c->net->ports + 1);
    for (int k = 0; k < c->net->ports; k++)
        outside[set[k]] |= c->net->fold[k] < model->folds && !go[c->net->fold[k]];
    for (int k = 0; k < c->net->ports; k++)
        if (set[k] == k && !outside[k]) connect_set(c, set, k);
    for (int k = 0; k < model->wires; k++) {
        const Wire *w = &model->wire[k];
        int         a = net_port_of(c->net, w->a, w->ia % inst_count(w->a));
        if (a < 0 || outside[set[a]]) model->wire[wires++] = *w;
    }
    model->wires = wires;
    leave(model, go);
}

/* Those that a part is connected to towards the root go with it. One of them that cannot; -1: none. */
static int take_neighbours(const Closing *c, const int *set, int part, bool *go) {
    const FlatModel *model = c->t->flat;
    int              array = is_single(model, part) ? -1 : part;
    for (int k = 0; k < c->net->ports; k++)
        for (int j = 0;
             c->net->fold[k] == part && !c->net->port[k].out && j < c->net->ports; j++)
            if (set[j] == set[k] && !is_single(model, c->net->fold[j]))
                array = c->net->fold[j];
    for (int k = 0; k < c->net->ports; k++)
        for (int j = 0; array < 0 && c->net->fold[k] == part && !c->net->port[k].out &&
                        j < c->net->ports;
             j++)
            if (set[j] == set[k] && c->net->fold[j] < model->folds)
                go[c->net->fold[j]] = true;
    if (array < 0 && part < model->folds) go[part] = true;
    return array;
}

static void say_array(const Closing *c, int part, int array) {
    const FlatModel *model = c->t->flat;
    const Inst      *inst = model->fold[array].inst;
    Text             name = {0}, other = {0};
    inst_name(&other, model->front, inst);
    if (part < model->folds) inst_name(&name, model->front, model->fold[part].inst);
    else text_add(&name, "the rest of the model");
    if (part == array)
        diag_report(&c->t->session->diag, inst->pos, CODE_C117,
                    "'%s' has no answer of its own, and an array cannot join the rest of "
                    "the model",
                    text_get(&other));
    else
        diag_report(&c->t->session->diag, inst->pos, CODE_C117,
                    "'%s' has no answer of its own, and '%s', which would have to join "
                    "the rest of "
                    "the model with it, is an array",
                    text_get(&name), text_get(&other));
    TEXT_FREE(&name, &other);
}

/* The part that a row belongs to; -1: several, or it only says what is 0. */
static int part_of_row(const Matching *m, int row) {
    const Structure *st = &m->st;
    int              part = -1;
    bool             zero = true;
    for (int k = st->first[row]; k < st->first[row + 1]; k++) {
        Term leaf = shape_leaf(m->c->sys->shapes, st->shape[row], k - st->first[row]);
        if (expr_op(m->c->sys->shapes, leaf) == TERM_NUMBER) continue;
        if (part >= 0 && part != m->of[st->slot[k]]) return -1;
        part = m->of[st->slot[k]];
        zero &= st->constancy[st->slot[k]] == IS_ZERO;
    }
    return zero ? -1 : part;
}

/* The unknowns of a part that have no equation become forces that the network finds. False: it cannot be. */
static bool tie(Matching *m, int part) {
    const Structure *st = &m->st;
    int             *force = NEW(&m->arena, int, st->vars + 1), forces = 0;
    int             *row = NEW(&m->arena, int, st->graph.rows + 1), rows = 0;
    for (int v = 0; v < st->vars; v++) {
        if (!m->open[v] || m->row_of[v] >= 0 || m->of[v] != part) continue;
        int last = v;
        while (st->next[last] >= 0) last = st->next[last];
        force[forces++] = last;
    }
    for (int e = 0; e < st->graph.rows; e++)
        if (m->col_of[e] < 0 && part_of_row(m, st->eq_row[e]) == part)
            row[rows++] = st->eq_row[e];
    return tie_part(m->c, st, part, forces, force, rows, row);
}

bool merge_parts(Closing *c) {
    const FlatModel *model = c->t->flat;
    Matching         m;
    bool             some = false;
    matching_open(&m, c);
    uint8_t *lacks = find_lacking(&m);
    bool    *go = NEW(&c->t->arena, bool, model->folds + 1);
    int     *set = find_sets(c), *array = NEW(&c->t->arena, int, model->folds + 1);
    for (int k = 0; k <= model->folds; k++)
        array[k] = lacks[k] ? take_neighbours(c, set, k, go) : -1;
    for (int k = 0; k < model->folds; k++) some |= go[k];
    for (int k = 0; k <= model->folds && !some; k++)
        if (lacks[k] == LACK_EQUATION && array[k] >= 0 && !tie(&m, k)) {
            say_array(c, k, array[k]);
            break;
        }
    matching_close(&m);
    if (some) join_rest(c, go);
    return some;
}

bool merge_open(Closing *c) {
    const FlatModel *model = c->t->flat;
    bool            *go = NEW(&c->t->arena, bool, model->folds + 1), some = false;
    bool            *wired = NEW(&c->t->arena, bool, c->net->ports + 1);
    int             *set = find_sets(c);
    for (int k = 0; k < c->net->ports; k++)
        if (set[k] != k) wired[k] = wired[set[k]] = true;
    for (int k = 0; k < c->net->ports; k++) {
        int part = c->net->fold[k];
        if (wired[k] || part >= model->folds || !is_single(model, part)) continue;
        go[part] = some = true;
    }
    if (some) join_rest(c, go);
    return some;
}
