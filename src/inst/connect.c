/* SPDX-License-Identifier: Apache-2.0 */
/* connect.c -- connection sets (Modelica 3.6, chapter 9).
 *
 * Sets are union-find over nodes: a variable of a connector has one node per scalar, a flow or
 * stream variable two, as seen from outside its component (inside the class that uses it) and
 * from within. Equal variables of a set give n - 1 equations, flows give one sum. Sets that
 * repeat with constant steps, as those of an array of components do, are kept as one with a
 * count. Linear in connected scalars; what stays is linear in the number of patterns. */
#include "inst/connect.h"

#include <string.h>

int inst_count(const Inst *inst) {
    int64_t n = 1;
    for (; inst; inst = inst->parent)
        for (int k = 0; k < inst->ndim; k++) n *= inst->dim[k] > 0 ? inst->dim[k] : 0;
    return n > ARRAY_MOST ? ARRAY_MOST : (int)n;
}

/* ---- sets ------------------------------------------------------------------------------------- */

static void join(Sets *sets, int a, int b, Pos pos) {
    if (sets->link[a] < 0) sets->link[a] = a;
    if (sets->link[b] < 0) sets->link[b] = b;
    a = set_find(sets->link, a);
    if (!sets->pos[a]) sets->pos[a] = pos;
    a = set_join(sets->link, a, b);
    if (!sets->pos[a]) sets->pos[a] = pos;
}

static void mismatch(Sets *sets, const Joint *joint, const char *why) {
    Text both = {0};
    inst_pair(&both, sets->front, joint->a, joint->b);
    diag_report(sets->front->diag, joint->pos, CODE_T182, "%s cannot be connected: %s",
                text_get(&both), why);
    text_free(&both);
}

/* "'v' is flow in 'a' but not in 'b'" and the like; names as seen from the connect. */
static void mismatch_member(Sets *sets, const Joint *joint, const Inst *member,
                            const char *in_a, const char *in_b) {
    Text why = {0};
    if (member != joint->a && member != joint->b)
        text_printf(&why, "'%s' is ", text_of(sets->front, member->name));
    else text_add(&why, "one is ");
    text_printf(&why, "%s in '", in_a);
    inst_name(&why, sets->front, joint->a);
    text_printf(&why, "' %s '", in_b);
    inst_name(&why, sets->front, joint->b);
    text_char(&why, '\'');
    mismatch(sets, joint, text_get(&why));
    text_free(&why);
}

static void report_prefix(Sets *sets, const Joint *joint, const Inst *a, const Inst *b) {
    static const char *const names[] = {"", "flow", "stream"};
    Text                     why = {0};
    const Inst              *has = a->conn ? a : b;
    text_printf(&why, "'%s' is %s in '", text_of(sets->front, a->name), names[has->conn]);
    inst_name(&why, sets->front, has == a ? joint->a : joint->b);
    text_add(&why, "' but not in '");
    inst_name(&why, sets->front, has == a ? joint->b : joint->a);
    text_char(&why, '\'');
    mismatch(sets, joint, text_get(&why));
    text_free(&why);
}

static void report_types(Sets *sets, const Joint *joint, Inst *a, Inst *b) {
    Front *front = sets->front;
    Text   in_b = {0};
    text_printf(&in_b, "and %s in",
                ty_text(front, ty_element(inst_type(front, b), b->ndim)));
    mismatch_member(sets, joint, a,
                    ty_text(front, ty_element(inst_type(front, a), a->ndim)),
                    text_get(&in_b));
    text_free(&in_b);
}

/* Parameters of connected connectors must be equal where both are known. */
static void compare_parameters(Sets *sets, const Joint *joint, Inst *a, Inst *b) {
    Front *front = sets->front;
    if ((a->vary <= VARY_PARAMETER) != (b->vary <= VARY_PARAMETER)) {
        mismatch_member(
            sets, joint, a, a->vary <= VARY_PARAMETER ? "a parameter" : "a variable",
            a->vary <= VARY_PARAMETER ? "but a variable in" : "but a parameter in");
        return;
    }
    Arena scratch = {0};
    Eval  eval = {.front = front, .arena = &scratch, .steps = EVAL_STEPS};
    front->peek++;
    Value *va = inst_value(&eval, a), *vb = va ? inst_value(&eval, b) : NULL;
    front->peek--;
    if (va && vb && va->count == vb->count && !value_equal(va, vb)) {
        Text text = {0};
        text_printf(&text, "'%s' is ", text_of(front, a->name));
        value_print(&text, front, va);
        text_add(&text, " in '");
        inst_name(&text, front, joint->a);
        text_add(&text, "' and ");
        value_print(&text, front, vb);
        text_add(&text, " in '");
        inst_name(&text, front, joint->b);
        text_char(&text, '\'');
        diag_report(front->diag, joint->pos, CODE_T189,
                    "connected connectors have different parameters: %s",
                    text_get(&text));
        text_free(&text);
    }
    arena_free(&scratch);
}

int node_of(const Inst *inst, int element, bool outside) {
    return inst->conn == CONN_NONE ? inst->node + element
                                   : inst->node + 2 * element + outside;
}

static void join_leaf(Sets *sets, const Joint *joint, Inst *a, Inst *b, Pairs p) {
    if (a->first < 0 || b->first < 0) return;
    a->connected = b->connected = true;
    if (a->conn != b->conn) {
        report_prefix(sets, joint, a, b);
        return;
    }
    if (a->basic != b->basic ||
        !ty_fits(sets->front, ty_element(inst_type(sets->front, a), a->ndim),
                 ty_element(inst_type(sets->front, b), b->ndim), true)) {
        report_types(sets, joint, a, b);
        return;
    }
    if (a->vary <= VARY_PARAMETER || b->vary <= VARY_PARAMETER) {
        compare_parameters(sets, joint, a, b);
        return;
    }
    check_connected_units(sets->front, a, b, joint->pos);
    for (int k = 0; k < p.count; k++)
        join(sets, node_of(a, p.ia + k * p.sa, joint->oa),
             node_of(b, p.ib + k * p.sb, joint->ob), joint->pos);
}

static void only_one_has(Sets *sets, const Joint *joint, const Inst *has,
                         const Inst *member) {
    Text why = {0};
    text_add(&why, "only '");
    inst_name(&why, sets->front, has);
    text_printf(&why, "' has '%s'", text_of(sets->front, member->name));
    mismatch(sets, joint, text_get(&why));
    text_free(&why);
}

static void join_connectors(Sets *sets, const Joint *joint, Inst *a, Inst *b, Pairs p);

/* The `own` elements of members a and b of the pairs p of their connectors. */
static void join_elements(Sets *sets, const Joint *joint, Inst *a, Inst *b, Pairs p,
                          int own) {
    for (int e = 0; e < own; e++)
        join_connectors(
            sets, joint, a, b,
            (Pairs){p.ia * own + e, p.ib * own + e, p.sa * own, p.sb * own, p.count});
}

/* Whether a pair is broken in the overconstrained graph; all others are joined. own: elements that
 * are one node of the graph, 0: p are single elements. */
static bool split_broken(Sets *sets, const Joint *joint, Inst *a, Inst *b, Pairs p,
                         int own) {
    const RootGraph *graph = sets->front->roots.graph;
    bool             any = false;
    if (own && !graph_whole(sets->front, a)) return false;
    for (int k = 0; k < p.count && !any; k++)
        any = graph_broken(graph, joint->number + k, a, p.ia + k * p.sa);
    if (!any) return false;
    for (int k = 0; k < p.count; k++) {
        int   ia = p.ia + k * p.sa, ib = p.ib + k * p.sb;
        Pairs pair = {ia, ib, 0, 0, 1};
        Joint one = *joint;
        one.number += k;
        one.count = 1;
        if (graph_broken(graph, one.number, a, ia))
            graph_residue(sets->model, joint, a, b, ia, ib);
        else if (own) join_elements(sets, &one, a, b, pair, own);
        else join_connectors(sets, &one, a, b, pair);
    }
    return true;
}

static void join_connectors(Sets *sets, const Joint *joint, Inst *a, Inst *b, Pairs p) {
    Front *front = sets->front;
    if (a->absent || b->absent) return;
    if (!graph_whole(front, a) && split_broken(sets, joint, a, b, p, 0)) return;
    if (a->basic < BASIC_RECORD || a->basic == BASIC_OBJECT) {
        if (b->basic >= BASIC_RECORD)
            mismatch(sets, joint, "one is a single variable, the other has several");
        else join_leaf(sets, joint, a, b, p);
        return;
    }
    if (b->basic < BASIC_RECORD) {
        mismatch(sets, joint, "one is a single variable, the other has several");
        return;
    }
    if (a->expandable != b->expandable && a == joint->a && b == joint->b) {
        mismatch(sets, joint, "only one of them is expandable");
        return;
    }
    for (int k = 0; k < a->nchild; k++) {
        Inst *ca = inst_member(front, a, k);
        if (!ca || ca->absent) continue;
        Inst *cb = inst_child(front, b, ca->name);
        if (!cb) {
            if (!a->expandable && !b->expandable) only_one_has(sets, joint, joint->a, ca);
            continue;
        }
        int na = 1, nb = 1;
        for (int d = 0; d < ca->ndim; d++) na *= ca->dim[d];
        for (int d = 0; d < cb->ndim; d++) nb *= cb->dim[d];
        if (na != nb) {
            Text why = {0};
            text_printf(&why, "'%s' has size ", text_of(front, ca->name));
            print_size(&why, inst_type(front, ca));
            text_add(&why, " in '");
            inst_name(&why, front, joint->a);
            text_add(&why, "' and ");
            print_size(&why, inst_type(front, cb));
            text_add(&why, " in '");
            inst_name(&why, front, joint->b);
            text_char(&why, '\'');
            mismatch(sets, joint, text_get(&why));
            text_free(&why);
            continue;
        }
        if (na == 0 || !split_broken(sets, joint, ca, cb, p, na))
            join_elements(sets, joint, ca, cb, p, na);
    }
    for (int k = 0; k < b->nchild; k++) {
        Inst *cb = inst_member(front, b, k);
        if (!cb || cb->absent || a->expandable || inst_child(front, a, cb->name))
            continue;
        only_one_has(sets, joint, joint->b, cb);
    }
}

/* ---- equations --------------------------------------------------------------------------------- */

static bool same_variables(const FlatModel *model, const ConnEq *eq, const int *var) {
    for (int k = 0; k < eq->count; k++)
        if ((eq->var[k] < 0) != (var[k] < 0) ||
            flat_var_of(model, eq->var[k] < 0 ? ~eq->var[k] : eq->var[k]) !=
                flat_var_of(model, var[k] < 0 ? ~var[k] : var[k]))
            return false;
    return true;
}

/* Whether an equation over var repeats eq once more; steps of a single one are set. */
static bool repeats(FlatModel *model, ConnEq *eq, ConnEqKind kind, Pos pos,
                    const int *var, int n) {
    if (eq->kind != (uint8_t)kind || eq->pos != pos || eq->count != n ||
        !same_variables(model, eq, var))
        return false;
    if (eq->repeat == 1 && !eq->step) eq->step = NEW(&model->front->arena, int, n);
    for (int k = 0; k < n; k++) {
        bool minus = var[k] < 0;
        int  from = minus ? ~eq->var[k] : eq->var[k], to = minus ? ~var[k] : var[k];
        if (eq->repeat == 1) eq->step[k] = to - from;
        else if (to != from + eq->repeat * eq->step[k]) return false;
    }
    return true;
}

void connect_add(FlatModel *model, ConnEqKind kind, Pos pos, const int *var, int n) {
    if (model->conns &&
        repeats(model, &model->conn[model->conns - 1], kind, pos, var, n)) {
        model->conn[model->conns - 1].repeat++;
        return;
    }
    if (model->conns == model->conn_room)
        model->conn = arena_grow(&model->front->arena, model->conn, sizeof(ConnEq),
                                 &model->conn_room, model->conns + 1);
    ConnEq *eq = &model->conn[model->conns++];
    *eq = (ConnEq){.kind = (uint8_t)kind, .pos = pos, .count = n, .repeat = 1};
    eq->var = arena_copy(&model->front->arena, var, sizeof(int) * (size_t)n);
}

bool inst_in_bus(const Inst *inst) {
    for (const Inst *p = inst->parent; p && p->in_connector; p = p->parent)
        if (p->expandable) return true;
    return false;
}

/* Whether a variable has nodes. */
bool has_nodes(const Inst *inst) {
    return inst->in_connector && inst->vary > VARY_PARAMETER;
}

int nodes_of(const Inst *inst) {
    return inst_count(inst) * (inst->conn == CONN_NONE ? 1 : 2);
}

static bool is_real(const Sets *sets, const bool *real, int node) {
    return sets->link[node] >= 0 && real[set_find(sets->link, node)];
}

/* A flow of an expandable connector leads from one side of it to the other: true if that made a set real. */
static bool pass_through(Sets *sets, bool *real, const Inst *inst) {
    bool changed = false;
    for (int x = inst->node; x < inst->node + nodes_of(inst); x++) {
        int other = inst->node + ((x - inst->node) ^ 1);
        if (sets->link[other] < 0 || !is_real(sets, real, x) ||
            is_real(sets, real, other))
            continue;
        real[set_find(sets->link, other)] = changed = true;
    }
    return changed;
}

/* Sets of members of expandable connectors alone have no source: they do not exist, unless a flow goes
 * on in a set that does. */
static bool *real_sets(Sets *sets) {
    FlatModel *model = sets->model;
    bool      *real = NEW(&sets->arena, bool, sets->nodes + 1);
    for (int v = 0; v < model->vars; v++) {
        const Inst *inst = model->var[v];
        if (!has_nodes(inst) || inst_in_bus(inst)) continue;
        for (int x = inst->node; x < inst->node + nodes_of(inst); x++)
            if (sets->link[x] >= 0) real[set_find(sets->link, x)] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int v = 0; v < model->vars; v++) {
            const Inst *inst = model->var[v];
            if (inst->conn == CONN_FLOW && has_nodes(inst) && inst_in_bus(inst))
                changed |= pass_through(sets, real, inst);
        }
    }
    for (int v = 0; v < model->vars; v++) {
        Inst *inst = model->var[v];
        if (!has_nodes(inst) || !inst_in_bus(inst)) continue;
        bool any = false;
        for (int x = inst->node; x < inst->node + nodes_of(inst) && !any; x++)
            any = is_real(sets, real, x);
        inst->connected = any;
    }
    return real;
}

/* A flow that nothing is connected to from outside, or within the component of an expandable
 * connector, is zero. */
static bool is_open_end(const Sets *sets, const Inst *inst, int k) {
    if (inst->conn != CONN_FLOW || sets->link[inst->node + k] >= 0) return false;
    return k % 2 == 0 || (inst->connected && inst_in_bus(inst));
}

/* Members of the sets, one after another: those of the set of root x end before next[x]. The
 * scalar of a flow seen from within is complemented. */
static int *list_members(Sets *sets, int *next) {
    FlatModel *model = sets->model;
    int        total = 0;
    for (int x = 0; x < sets->nodes; x++)
        if (sets->link[x] >= 0) next[set_find(sets->link, x)]++;
    for (int x = 0; x < sets->nodes; x++) {
        int size = next[x];
        next[x] = total;
        total += size;
    }
    int *member = NEW(&sets->arena, int, total + 1);
    for (int v = 0; v < model->vars; v++) {
        const Inst *inst = model->var[v];
        if (!has_nodes(inst)) continue;
        int per = inst->conn == CONN_NONE ? 1 : 2;
        for (int k = 0; k < nodes_of(inst); k++) {
            int x = inst->node + k, scalar = inst->first + k / per;
            if (sets->link[x] < 0) continue;
            bool minus = inst->conn == CONN_FLOW && k % 2;
            member[next[set_find(sets->link, x)]++] = minus ? ~scalar : scalar;
        }
    }
    return member;
}

/* Sets in the order of their first members. */
static void emit(Sets *sets) {
    FlatModel *model = sets->model;
    int       *next = NEW(&sets->arena, int, sets->nodes + 1);
    int       *member = list_members(sets, next);
    bool      *real = real_sets(sets);
    int        done = 0; /* members of the sets before */
    for (int v = 0; v < model->vars; v++) {
        const Inst *inst = model->var[v];
        if (!has_nodes(inst)) continue;
        bool flow = inst->conn == CONN_FLOW;
        for (int k = 0; k < nodes_of(inst); k++) {
            int x = inst->node + k, scalar = inst->first + k / 2;
            if (is_open_end(sets, inst, k)) connect_add(model, CONNEQ_SUM, 0, &scalar, 1);
            if (sets->link[x] != x) continue; /* no set, or not its first member */
            int n = next[x] - done;
            if (inst->conn != CONN_STREAM && real[x] && (flow || n > 1) &&
                (flow || !machine_connected(model, sets->pos[x], &member[done], n)))
                connect_add(model, flow ? CONNEQ_SUM : CONNEQ_SAME, sets->pos[x],
                            &member[done], n);
            done = next[x];
        }
    }
}

static void number_nodes(Sets *sets) {
    FlatModel *model = sets->model;
    for (int v = 0; v < model->vars; v++) {
        if (!has_nodes(model->var[v])) continue;
        model->var[v]->node = sets->nodes;
        sets->nodes += nodes_of(model->var[v]);
    }
    sets->link = NEW(&sets->arena, int, sets->nodes + 1);
    sets->pos = NEW(&sets->arena, Pos, sets->nodes + 1);
    memset(sets->link, -1, sizeof(int) * (size_t)(sets->nodes + 1));
}

void connect_sets(FlatModel *model, const Joints *joints) {
    Sets sets = {.model = model, .front = model->front};
    number_nodes(&sets);
    for (int k = 0; k < joints->count; k++) {
        const Joint *j = &joints->item[k];
        join_connectors(&sets, j, j->a, j->b,
                        (Pairs){j->ia, j->ib, j->sa, j->sb, j->count});
    }
    if (model->front->diag->errors == 0) check_causality(&sets, joints);
    emit(&sets);
    stream_sets(&sets);
    arena_free(&sets.arena);
}
