/* SPDX-License-Identifier: Apache-2.0 */
/* local.c -- balance of each class by itself (Modelica 3.6, 4.8).
 *
 * Unknowns of a model or block: its variables, those in its connectors, and for each component
 * the inputs and flows of its public connectors. Equations: its own, those of its connects, one
 * for each flow of its connectors and for each public input, which the class around gives, and
 * zero for each flow of its components that it leaves unconnected.
 * What depends on the whole model is not judged: overconstrained connectors, expandable ones,
 * and classes that use outer components.
 *
 * Cost: linear in instances and connected scalars. */
#include "inst/connect.h"

#include <string.h>

enum { SHOWN = 8 };   /* classes, names in a list         */
enum { OUTSIDE = 4 }; /* a connector of the class itself */

typedef struct Local {
    FlatModel *model;
    Front     *front;
    Arena      arena;
    int *link; /* union-find over nodes of connectors, -1 not connected in this class */
    int *seen, count;
    uint8_t
        *conn;   /* by node: ConnKind, and OUTSIDE                                      */
    bool global; /* depends on more than this class                                   */
    /* of one class instance */
    Inst   *at;
    int64_t variables, in_connectors, in_components; /* unknowns               */
    int64_t written, declared, connected, from_outside,
        no_flow; /* equations              */
} Local;

/* ---- connections of one class instance --------------------------------------------------- */

static void enter(Local *l, int x, uint8_t conn, bool outside) {
    if (l->link[x] >= 0) return;
    l->link[x] = x;
    l->conn[x] = (uint8_t)(conn | (outside ? OUTSIDE : 0));
    l->seen[l->count++] = x;
}

static void join(void *context, const Joint *joint, Inst *a, Inst *b, Pairs p) {
    Local *l = context;
    if (a->first < 0 || b->first < 0 || !has_nodes(a) || !has_nodes(b)) return;
    for (int k = 0; k < p.count; k++) {
        int x = node_of(a, p.ia + k * p.sa, joint->oa);
        int y = node_of(b, p.ib + k * p.sb, joint->ob);
        enter(l, x, a->conn, joint->oa);
        enter(l, y, b->conn, joint->ob);
        x = set_find(l->link, x);
        y = set_find(l->link, y);
        if (x == y) continue;
        l->link[y] = x;
        l->connected += a->conn == CONN_NONE; /* n - 1 of a set of n */
    }
}

static void connections(Local *l, const Joints *joints, int *next, const Inst *inst) {
    for (; *next < joints->count && joints->item[*next].at == inst; ++*next) {
        const Joint *joint = &joints->item[*next];
        if (!inst_is_under(joint->a, inst) || !inst_is_under(joint->b, inst))
            l->global = true; /* an outer component */
        joint_leaves(l->front, joint, join, l);
    }
    for (int k = 0; k < l->count; k++) {
        int x = l->seen[k], conn = l->conn[x] & ~OUTSIDE;
        if (conn == CONN_FLOW) l->connected += set_find(l->link, x) == x; /* one sum */
        if (conn == CONN_STREAM) l->connected += l->conn[x] != conn; /* what leaves */
    }
}

static void forget(Local *l) {
    for (int k = 0; k < l->count; k++) l->link[l->seen[k]] = -1;
    l->count = 0;
}

/* ---- components ---------------------------------------------------------------------------- */

/* Whether a variable has a value from its declaration or a modifier, written in `base`. */
static bool bound(Front *front, Inst *inst, Inst **base) {
    for (Inst *p = inst; p; p = p->parent)
        if ((p == inst || p->basic == BASIC_RECORD) && inst_bind(front, p)) {
            *base = p->binding.base;
            return true;
        }
    return false;
}

static int64_t elements(const Inst *inst) {
    int64_t n = 1;
    for (int d = 0; d < inst->ndim; d++) n *= inst->dim[d];
    return n;
}

static bool exists(const Inst *inst) {
    return inst && !inst->absent && !inst->link && inst->state == INST_DONE;
}

/* Variables of the class itself or of one of its connectors; times: elements around. */
static void own(Local *l, Inst *inst, int64_t times, bool connector, bool public) {
    if (!exists(inst) || inst->prefix.made || inst->vary <= VARY_PARAMETER ||
        inst->basic == BASIC_OBJECT)
        return;
    int64_t n = times * elements(inst);
    if (inst->expandable ||
        (inst->cls->def &&
         cls_find(l->front, inst->cls, WORD(l->front, equalityConstraint))))
        l->global = true;
    if (inst->basic >= BASIC_RECORD) {
        for (int k = 0; k < inst->nchild; k++)
            own(l, inst->child[k], n, connector || inst->connector, public);
        return;
    }
    *(connector || inst->connector ? &l->in_connectors : &l->variables) += n;
    Inst *base;
    bool  input = inst->way == WAY_INPUT && public;
    if (inst->conn == CONN_FLOW || input) l->from_outside += n;
    if (!bound(l->front, inst, &base)) return;
    if (!input || (l->at == base && (connector || inst->connector))) l->declared += n;
}

/* Inputs and flows of a connector of a component; flows that are not connected are zero. */
static void used(Local *l, Inst *inst, int64_t times) {
    if (!exists(inst) || inst->vary <= VARY_PARAMETER || inst->basic == BASIC_OBJECT)
        return;
    int64_t n = times * elements(inst);
    Inst   *base;
    if (inst->expandable ||
        (inst->cls->def &&
         cls_find(l->front, inst->cls, WORD(l->front, equalityConstraint))))
        l->global = true;
    if (inst->basic >= BASIC_RECORD) {
        for (int k = 0; k < inst->nchild; k++) used(l, inst->child[k], n);
        return;
    }
    if (inst->conn != CONN_FLOW && inst->way != WAY_INPUT) return;
    l->in_components += n;
    if (inst->conn == CONN_FLOW) {
        int free = 0;
        for (int e = 0; e < inst_count(inst); e++)
            free += l->link[node_of(inst, e, false)] < 0;
        l->no_flow += free;
    } else if (bound(l->front, inst, &base) && (!base || inst_is_under(l->at, base)))
        l->declared += n;
}

/* Whether element k of the class of inst is declared public. */
static bool is_public(const Inst *inst, int k) {
    return k >= inst->cls->members || !inst->cls->member[k]->protected_;
}

static void component(Local *l, Inst *inst) {
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (exists(child) && child->connector && is_public(inst, k))
            used(l, child, elements(inst));
    }
}

static void members(Local *l, Inst *inst) {
    if (machine_shares(l->front, inst)) l->global = true;
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (child && child->prefix.outer && !child->absent) l->global = true;
        if (!exists(child)) continue;
        if (child->basic == BASIC_COMPONENT && !child->connector) component(l, child);
        else own(l, child, 1, false, is_public(inst, k));
    }
}

/* ---- messages ------------------------------------------------------------------------------ */

static void list_names(const Local *l, Text *out, const Inst *inst, bool connectors) {
    int n = 0;
    for (int k = 0; k < inst->nchild; k++) {
        const Inst *child = inst->child[k];
        if (!exists(child) || child->connector != connectors ||
            child->basic != BASIC_COMPONENT)
            continue;
        if (n++ < SHOWN)
            text_printf(out, "%s'%s'", n == 1 ? " (" : ", ",
                        str_text(l->front->strings, child->name));
    }
    text_add(out, n > SHOWN ? ", ...)" : n ? ")" : "");
}

static void say(const Local *l, const Inst *inst, int64_t equations, int64_t unknowns,
                bool notes) {
    Diag *diag = l->front->diag;
    Pos   pos = inst->cls->def->pos;
    Text  name = {0}, text = {0};
    inst_name(&name, l->front, inst);
    text_printf(&text, "'%s' has %lld equation%s for %lld unknown%s",
                cls_text(l->front, inst->cls), (long long)equations,
                equations == 1 ? "" : "s", (long long)unknowns, unknowns == 1 ? "" : "s");
    if (name.length) text_printf(&text, " (component '%s')", text_get(&name));
    if (notes) diag_note(diag, pos, "%s", text_get(&text));
    else diag_report(diag, pos, CODE_F174, "%s", text_get(&text));
    text_clear(&text);
    text_printf(&text, "unknowns: %lld variable%s, %lld in connectors",
                (long long)l->variables, l->variables == 1 ? "" : "s",
                (long long)l->in_connectors);
    list_names(l, &text, inst, true);
    text_printf(&text, ", %lld inputs and flows of components",
                (long long)l->in_components);
    list_names(l, &text, inst, false);
    diag_note(diag, pos, "%s", text_get(&text));
    diag_note(diag, pos,
              "equations: %lld written, %lld in declarations, %lld of connections, %lld "
              "flows not connected, %lld inputs and flows given from outside",
              (long long)l->written, (long long)l->declared, (long long)l->connected,
              (long long)l->no_flow, (long long)l->from_outside);
    text_free(&name);
    text_free(&text);
}

/* Connections were counted for all elements of an array of components. */
static bool share(const Inst *inst, int64_t *count) {
    int64_t times = inst_count(inst);
    if (times == 0 || *count % times) return false;
    *count /= times;
    return true;
}

static void begin(Local *l, FlatModel *model) {
    int nodes = 0;
    for (int v = 0; v < model->vars; v++)
        if (has_nodes(model->var[v])) nodes += nodes_of(model->var[v]);
    l->link = NEW(&l->arena, int, nodes + 1);
    l->seen = NEW(&l->arena, int, nodes + 1);
    l->conn = NEW(&l->arena, uint8_t, nodes + 1);
    memset(l->link, -1, sizeof(int) * (size_t)(nodes + 1));
}

void balance_classes(FlatModel *model, const int64_t *own_equations, const Joints *joints,
                     bool notes) {
    Local l = {.model = model, .front = model->front};
    Map   said = {0};
    int   next = 0, shown = 0;
    bool  left_out = false; /* a component was not judged: neither is the whole */
    begin(&l, model);
    for (int k = 0; k < model->parts && shown < SHOWN; k++) {
        Inst *inst = model->part[k].inst;
        l.global = false;
        l.at = inst;
        l.variables = l.in_connectors = l.in_components = 0;
        l.declared = l.connected = l.from_outside = l.no_flow = 0;
        l.written = own_equations[k];
        connections(&l, joints, &next, inst);
        if (inst->in_connector || !inst->cls->def || (notes && inst == model->root)) {
            forget(&l);
            continue;
        }
        members(&l, inst);
        bool judged = share(inst, &l.connected) && share(inst, &l.no_flow) && !l.global;
        if (inst == model->root && left_out) judged = false;
        left_out |= !judged;
        int64_t unknowns = l.variables + l.in_connectors + l.in_components;
        int64_t equations =
            l.written + l.declared + l.connected + l.no_flow + l.from_outside;
        if (judged && unknowns != equations &&
            !map_has(&said, (uintptr_t)inst->cls->def)) {
            map_put(&said, (uintptr_t)inst->cls->def, 1);
            say(&l, inst, equations, unknowns, notes);
            shown++;
        }
        forget(&l);
    }
    map_free(&said);
    arena_free(&l.arena);
}
