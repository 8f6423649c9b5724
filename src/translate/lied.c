/* SPDX-License-Identifier: Apache-2.0 */
/* lied.c -- is a class one of linear implicit equilibrium dynamics?
 *
 * A connector is a triplet if it has signals (input or output), potentials and flows. The class is looked
 * at alone: at connectors with input signals the root of the network is imagined, which gives signals
 * and potentials; at those with output signals a leaf, which answers with a law that is affine in
 * the implicit pair: flow = p - P*der(potential), or potential = p + P*der(flow), whichever of both is
 * differentiated in the domain. With these equations the ordinary analysis (index, states, matching,
 * order, tearing) is done on the rows of the class. The class is LIED if
 *
 *   1. every unknown has an equation: as many residuals are left as unknowns that tear,
 *   2. what depends on accelerations and forces (or on inertial pressures and the derivatives of mass
 *      flows) depends on them linearly, in every equation.
 *
 * Nonlinear loops that do not touch these are solved inside of the class. Cost: that of analysing one
 * instance of the class, whatever the model. Source: Zimmer, Testing Large Scale System Simulation using
 * Linear Implicit Equilibrium Dynamics. */
#include "translate/freeze.h"

#include "inst/typed.h"

#include <string.h>

typedef struct Port {
    const Inst *inst;
    bool        in, out; /* has input, output signals */
    int         signals, potentials, flows;
} Port;

typedef struct Recognition {
    Translation *t;
    System      *sys;
    Port         port[32];
    int          ports;
    uint8_t     *role;   /* by run: PORT_ */
    uint8_t     *number; /* by run: port + 1 */
    bool         flow_differentiated;
    Row          row;
    double       next; /* numbers of the imagined equations, all different */
    Structure    st;
    uint8_t     *implicit; /* by variable: depends on the implicit pair */
} Recognition;

enum { PORT_NONE, PORT_SIGNAL, PORT_POTENTIAL, PORT_FLOW };

/* ---- connectors ---- */

/* What a variable of a connector is: prefixes of records around it count. */
static int role_of(const Inst *inst, const Inst *port, bool *in, bool *out) {
    int role = PORT_POTENTIAL;
    for (const Inst *p = inst; p != port->parent; p = p->parent) {
        if (p->conn == CONN_FLOW) return PORT_FLOW;
        if (p->way == WAY_INPUT) *in = true, role = PORT_SIGNAL;
        if (p->way == WAY_OUTPUT) *out = true, role = PORT_SIGNAL;
    }
    return role;
}

static void add_port(Recognition *r, const Inst *inst) {
    const FlatModel *model = r->t->flat;
    Port             port = {.inst = inst};
    if (r->ports == LENGTH(r->port)) return;
    for (int k = 0; k < model->vars; k++) {
        const Inst *v = model->var[k];
        if (!inst_is_under(v, inst) || v->vary <= VARY_PARAMETER) continue;
        r->role[k] = (uint8_t)role_of(v, inst, &port.in, &port.out);
        r->number[k] = (uint8_t)(r->ports + 1);
        port.signals += r->role[k] == PORT_SIGNAL;
        port.potentials += r->role[k] == PORT_POTENTIAL;
        port.flows += r->role[k] == PORT_FLOW;
    }
    r->port[r->ports++] = port;
}

static bool is_triplet(const Port *p) {
    return p->signals && p->potentials && p->flows;
}

static int triplets(const Recognition *r) {
    int n = 0;
    for (int k = 0; k < r->ports; k++) n += is_triplet(&r->port[k]);
    return n;
}

static void find_ports(Recognition *r) {
    const Inst *root = r->t->flat->root;
    r->sys = &r->t->rows->sys;
    r->role = NEW(&r->t->arena, uint8_t, r->sys->runs + 1);
    r->number = NEW(&r->t->arena, uint8_t, r->sys->runs + 1);
    for (int k = 0; k < root->nchild; k++) {
        const Inst *child = root->child[k];
        if (!child || child->absent || child->link || !child->connector) continue;
        if (!child->prefix.protected_)
            add_port(r, child); /* nobody connects the others */
    }
}

/* ---- the imagined network ---- */

static Term number(Recognition *r) {
    r->next = r->next * 1.0137 + 0.0731;
    return expr_real(r->sys->shapes, r->next);
}

static void add_row(Recognition *r, Term left, Term right) {
    Term root = expr_2(r->sys->shapes, TERM_EQUATION, left, right);
    row_end(&r->row, ROWS_EQUATION, root, 0, -1, 0);
}

/* A function of time that can be differentiated. */
static void add_known(Recognition *r, int var) {
    Shapes *s = r->sys->shapes;
    row_begin(&r->row, r->sys, 0, NULL);
    Term v = row_var(&r->row, var, NULL);
    Term t = expr_2(s, TERM_MUL, number(r), expr_time(s));
    add_row(r, v, expr_2(s, TERM_ADD, number(r), expr_1(s, TERM_SIN, t)));
}

/* a + P*der(b) = p */
static void add_law(Recognition *r, int a, int b, bool minus) {
    Shapes *s = r->sys->shapes;
    int     rate = system_der(r->sys, b);
    row_begin(&r->row, r->sys, 0, NULL);
    Term va = row_var(&r->row, a, NULL), vb = row_var(&r->row, rate, NULL);
    Term law = expr_2(s, TERM_MUL, number(r), vb);
    if (minus) law = expr_1(s, TERM_NEG, law);
    add_row(r, expr_2(s, TERM_ADD, va, law), number(r));
}

/* The scalars of a port with this role. */
static int scalars(const Recognition *r, int port, int role, int *list, int most) {
    int n = 0;
    for (int k = 0; k < r->t->flat->vars; k++) {
        const VarRun *run = &r->sys->run[k];
        if (r->number[k] != port + 1 || r->role[k] != role || run->type != TYPE_REAL)
            continue;
        for (int i = 0; i < run->count && n < most; i++) list[n++] = run->first + i;
    }
    return n;
}

static void close_port(Recognition *r, int k) {
    enum { MOST = 256 };
    int         a[MOST], b[MOST];
    const Port *p = &r->port[k];
    int         n = scalars(r, k, PORT_SIGNAL, a, MOST);
    for (int i = 0; p->in && i < n; i++) {
        r->sys->run[system_run_of(r->sys, a[i])].kind = VAR_CONTINUOUS;
        add_known(r, a[i]);
    }
    n = scalars(r, k, PORT_POTENTIAL, a, MOST);
    int m = scalars(r, k, PORT_FLOW, b, MOST);
    for (int i = 0; i < n; i++) {
        if (!p->out || i >= m) add_known(r, a[i]);
        else if (r->flow_differentiated) add_law(r, a[i], b[i], true);
        else add_law(r, b[i], a[i], false);
    }
}

static bool is_protected(const Inst *inst) {
    for (; inst; inst = inst->parent)
        if (inst->prefix.protected_) return true;
    return false;
}

/* Inputs outside of connectors are known, unless the class gives them a value. */
static void close_inputs(Recognition *r) {
    const FlatModel *model = r->t->flat;
    for (int k = 0; k < model->vars; k++) {
        VarRun *run = &r->sys->run[k];
        if (run->kind != VAR_INPUT || r->number[k] || run->type != TYPE_REAL) continue;
        run->kind = VAR_CONTINUOUS;
        int  first = run->first, count = run->count;
        bool inside = is_protected(model->var[k]) || model->var[k]->binding.tx;
        for (int i = 0; !inside && i < count; i++) add_known(r, first + i);
    }
}

/* Flows of connectors that nothing is connected to are zero: not here. */
static void drop_zero_flows(Recognition *r) {
    System *sys = r->sys;
    RowWalk walk = {.sys = sys, .set = ROWS_EQUATION};
    while (row_walk(&walk)) {
        if (!(walk.family.flags & FAMILY_CONNECT) || walk.family.pos) continue;
        int run = system_run_of(sys, walk.slot[0]);
        if (run >= r->t->flat->vars || r->role[run] != PORT_FLOW) continue;
        GROW(sys->replaced, sys->replaced_room, sys->replaceds + 1);
        sys->replaced[sys->replaceds++] = walk.row;
    }
}

/* ---- linearity ---- */

static int kept(const Recognition *r, int var) {
    return var >= 0 && var < r->st.vars ? r->st.alias[var] : -1;
}

/* The implicit pair of all triplets: what is differentiated, and the other. */
static void mark_pair(Recognition *r) {
    const Structure *st = &r->st;
    for (int k = 0; k < r->t->flat->vars; k++) {
        const VarRun *run = &r->sys->run[k];
        int           role = r->role[k];
        bool rate = role == (r->flow_differentiated ? PORT_FLOW : PORT_POTENTIAL);
        if (!r->number[k] || !is_triplet(&r->port[r->number[k] - 1])) continue;
        if (role != PORT_FLOW && role != PORT_POTENTIAL) continue;
        for (int i = 0; i < run->count; i++) {
            int v = kept(r, run->first + i), d = rate ? st->next[v] : v;
            if (d >= 0 && !(st->role[d] == ROLE_STATE || st->role[d] == ROLE_KNOWN))
                r->implicit[d] = 1;
        }
    }
}

static bool touches(const Recognition *r, int row, bool *set) {
    const Structure *st = &r->st;
    int              slots = st->sys->shapes->shape[st->shape[row]].slots;
    bool             any = false;
    for (int k = 0; k < slots; k++) {
        Term leaf = shape_leaf(st->sys->shapes, st->shape[row], k);
        int  var = st->slot[st->first[row] + k];
        set[k] = expr_op(st->sys->shapes, leaf) == TERM_SLOT && r->implicit[var];
        any |= set[k];
    }
    return any;
}

/* Marks what follows from the pair, block by block; the first row that is not linear, -1. */
static int follow(Recognition *r) {
    const Structure *st = &r->st;
    bool             set[4096];
    for (int b = 0; b < st->blocks; b++) {
        const Block *block = &st->block[b];
        bool         any = false;
        for (int i = 0; i < block->count; i++) {
            int eq = st->order[block->first + i];
            if (st->sys->shapes->shape[st->shape[st->eq_row[eq]]].slots > LENGTH(set))
                return st->eq_row[eq];
            any |= touches(r, st->eq_row[eq], set);
            any |= r->implicit[st->var_of[eq]];
        }
        for (int i = 0; any && i < block->count; i++)
            r->implicit[st->var_of[st->order[block->first + i]]] = 1;
        for (int i = 0; any && i < block->count; i++) {
            int row = st->eq_row[st->order[block->first + i]];
            touches(r, row, set);
            int shape = st->shape[row];
            if (expr_degree_held(st->sys->shapes, st->sys->shapes->shape[shape].root, set,
                                 st->sys->shapes->shape[shape].slots) == DEGREE_NONLINEAR)
                return row;
        }
    }
    return -1;
}

/* ---- the answer ---- */

static void list_ports(const Recognition *r, Text *out) {
    const char *side[] = {" from", " to"};
    for (int s = 0; s < 2; s++) {
        bool first = true;
        for (int k = 0; k < r->ports; k++) {
            const Port *p = &r->port[k];
            if (!is_triplet(p) || (s ? p->out : p->in) == false) continue;
            text_printf(out, "%s %s", first ? side[s] : ",",
                        str_text(r->t->front->strings, p->inst->name));
            first = false;
        }
    }
}

/* Derivatives of states that linear blocks give: they tear. */
static int list_tearing(const Recognition *r, Text *out) {
    const Structure *st = &r->st;
    int              n = 0;
    for (int b = 0; b < st->blocks; b++)
        for (int i = 0; i < st->block[b].count; i++) {
            int var = st->var_of[st->order[st->block[b].first + i]];
            int of = st->prev[var];
            if (of < 0 || st->role[of] != ROLE_STATE || !r->implicit[var]) continue;
            text_add(out, n++ ? ", " : "");
            system_name(r->sys, var, out);
        }
    return n;
}

static void say_fine(Recognition *r, LiedClass *to) {
    Text tearing = {0};
    to->tears = list_tearing(r, &tearing);
    to->lied = true;
    text_printf(&to->text, "%s is differentiated;",
                r->flow_differentiated ? "the flow" : "the potential");
    list_ports(r, &to->text);
    text_printf(&to->text, "; %d states", r->st.states);
    if (to->tears)
        text_printf(&to->text, ", torn by %s with as many residuals", text_get(&tearing));
    text_free(&tearing);
}

static void say_nonlinear(Recognition *r, int row, LiedClass *to) {
    Text text = {0};
    structure_print_row(&r->st, row, &text);
    to->pos = structure_pos(&r->st, row);
    text_printf(&to->text, "it is not linear in what is implicit: '%.200s'",
                text_get(&text));
    text_free(&text);
}

/* One trial: the flow is differentiated, or the potential. */
static void attempt(Recognition *r, LiedClass *to) {
    Diag silent;
    diag_init(&silent, &r->t->session->sources);
    drop_zero_flows(r);
    for (int k = 0; k < r->ports; k++) close_port(r, k);
    close_inputs(r);
    bool fine = structure_analyse(&r->st, r->sys, &silent);
    to->matched = fine;
    if (fine) {
        r->implicit = NEW(&r->t->arena, uint8_t, r->st.vars + 1);
        mark_pair(r);
        int row = follow(r);
        if (row < 0) say_fine(r, to);
        else say_nonlinear(r, row, to);
    } else if (silent.count) {
        to->pos = r->t->flat->root->pos;
        text_printf(&to->text, "unknowns and residuals do not match: %s",
                    silent.message[0].text);
    }
    structure_free(&r->st);
    row_free(&r->row);
    diag_free(&silent);
}

/* Is a variable of triplets with this role differentiated, or one that equals it? */
static bool has_derivative(Recognition *r, int role) {
    Structure st = {0};
    bool      found = false;
    structure_aliases(&st, r->sys, 0, NULL);
    for (int k = 0; k < r->t->flat->vars && !found; k++) {
        const VarRun *run = &r->sys->run[k];
        if (r->role[k] != role || !is_triplet(&r->port[r->number[k] - 1])) continue;
        for (int v = 0; v < st.vars && !found; v++) {
            const VarRun *other = &r->sys->run[system_run_of(r->sys, v)];
            found = st.alias[v] == st.alias[run->first] && other->der >= 0;
        }
    }
    structure_free(&st);
    return found;
}

bool lied_is_open(const Translation *t) {
    Recognition r = {.t = (Translation *)t};
    find_ports(&r);
    return triplets(&r) > 0;
}

/* Classes that differentiate neither themselves are tried as part of a domain that differentiates
 * potentials; as part of the other one only if unknowns and equations do not match.
 * Needs: rows of a class alone. Gives: what it is. Breaks: the rows, which are made anew. */
void lied_recognise(Translation *t, LiedClass *to) {
    for (int trial = 0; trial < 2; trial++) {
        Recognition r = {.t = t, .flow_differentiated = trial, .next = 1};
        find_ports(&r);
        if (!triplets(&r)) {
            text_add(&to->text, "it has no connector of signals, potentials and flows");
            to->pos = t->flat->root->pos;
            return;
        }
        if (has_derivative(&r, trial ? PORT_POTENTIAL : PORT_FLOW)) continue; /* other */
        text_clear(&to->text);
        attempt(&r, to);
        rows_free(t->rows);
        t->rows = rows_of_model(t->flat);
        if (to->lied || to->matched || !t->rows || !t->rows->good) return;
    }
}
