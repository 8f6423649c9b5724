/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c -- overconstrained connections (Modelica 3.6, 9.4).
 *
 * Nodes are elements of records (or types) with a function equalityConstraint inside
 * connectors. Connections.branch gives edges that must stay, connect gives edges that may be
 * broken. Greedy union-find makes a spanning forest in which every tree has one root:
 * definite roots first, then potential ones by priority. A broken connect yields
 * 0 = equalityConstraint(a, b) instead of a = b. Linear in edges.
 *
 * Where the inputs of equalityConstraint are arrays (`ReferenceAngle theta1[:]`), an array of that type
 * is one node: `whole`. */
#include "inst/connect.h"

#include <string.h>

enum { NO_ROOT = -1 };

typedef struct Vertex {
    Inst   *inst;
    int     element;
    int     set_root; /* at the representative: root vertex of the set        */
    bool    definite, potential, is_root;
    int64_t priority;
    int     depth; /* from its root, -1 not reached                        */
    int     first; /* first edge, -1 none                                  */
} Vertex;

typedef struct Edge {
    int   a, b;
    int   joint; /* number of the connect, -1 for a branch               */
    bool  kept;
    int   next_a, next_b; /* edges at the two ends                             */
    Pos   pos;
    Inst *inst; /* the record at the side a of the joint                */
} Edge;

struct RootGraph {
    Front  *front;
    Map     of; /* (inst, element) -> vertex */
    Vertex *vertex;
    int     vertices, vertex_room;
    int    *link; /* by vertex: see set_find */
    int     link_room;
    Edge   *edge;
    int     edges, edge_room;
    Map     broken; /* (joint, inst, element) */
    Map     degree; /* (inst, element) of connectors: number of connects */
};

static uint64_t key(const Inst *inst, int element) {
    return hash_mix((uint64_t)(unsigned)inst->id << 32 | (unsigned)element);
}

/* The function equalityConstraint of a class, NULL if it has none. */
static Cls *constraint_of(Front *front, Inst *inst) {
    if (!inst->cls->def) return NULL;
    Elem *elem = cls_find(front, inst->cls, WORD(front, equalityConstraint));
    return elem && elem->is_class ? elem_class(front, elem, inst) : NULL;
}

static uint64_t broken_key(const Inst *inst, int element, int joint) {
    return hash_mix(key(inst, element) + (unsigned)joint);
}

static int own_elements(const Inst *inst) {
    int n = 1;
    for (int d = 0; d < inst->ndim; d++) n *= inst->dim[d];
    return n;
}

bool graph_whole(Front *front, Inst *inst) {
    Cls *cls = inst->ndim ? constraint_of(front, inst) : NULL;
    if (!cls) return false;
    Func *func = func_of(front, cls, inst->pos);
    return func && func->nin > 0 && func->in[0]->ndim == inst->ndim;
}

static int vertex_of(RootGraph *graph, Inst *inst, int element) {
    int64_t k = map_get(&graph->of, key(inst, element), -1);
    if (k >= 0) return (int)k;
    if (graph->vertices == graph->vertex_room)
        graph->vertex = arena_grow(&graph->front->arena, graph->vertex, sizeof(Vertex),
                                   &graph->vertex_room, graph->vertices + 1);
    graph->link = arena_grow(&graph->front->arena, graph->link, sizeof(int),
                             &graph->link_room, graph->vertices + 1);
    int v = graph->vertices++;
    graph->link[v] = v;
    graph->vertex[v] = (Vertex){
        .inst = inst, .element = element, .set_root = NO_ROOT, .depth = -1, .first = -1};
    map_put(&graph->of, key(inst, element), v);
    return v;
}

/* The vertices of elements of inst, in place; returns their number. */
static int vertices_of(RootGraph *graph, Inst *inst, int *element, int n) {
    int own = graph_whole(graph->front, inst) ? own_elements(inst) : 1;
    if (own == 0) return 0;
    for (int k = 0; k * own < n; k++)
        element[k] = vertex_of(graph, inst, element[k * own] / own);
    return n / own;
}

static void add_edge(RootGraph *graph, int a, int b, int joint, Inst *inst, Pos pos) {
    if (graph->edges == graph->edge_room)
        graph->edge = arena_grow(&graph->front->arena, graph->edge, sizeof(Edge),
                                 &graph->edge_room, graph->edges + 1);
    graph->edge[graph->edges++] = (Edge){.a = a,
                                         .b = b,
                                         .joint = joint,
                                         .inst = inst,
                                         .pos = pos,
                                         .next_a = -1,
                                         .next_b = -1};
}

/* ---- collecting --------------------------------------------------------------------------- */

static void edges_of_joint(RootGraph *graph, const Joint *joint, int number, Inst *a,
                           Inst *b, int ia, int ib) {
    Front *front = graph->front;
    if (a->basic < BASIC_RECORD && !constraint_of(front, a)) return;
    if (a->absent || b->absent) return;
    if (constraint_of(front, a)) {
        add_edge(graph, vertex_of(graph, a, ia), vertex_of(graph, b, ib), number, a,
                 joint->pos);
        return;
    }
    for (int k = 0; k < a->nchild; k++) {
        Inst *ca = inst_member(front, a, k);
        if (!ca || ca->absent) continue;
        Inst *cb = inst_child(front, b, ca->name);
        if (!cb || (ca->basic < BASIC_RECORD && !ca->cls->def)) continue;
        int n = own_elements(ca);
        if (n != own_elements(cb)) continue;
        if (n > 0 && graph_whole(front, ca)) {
            edges_of_joint(graph, joint, number, ca, cb, ia, ib);
            continue;
        }
        for (int e = 0; e < n; e++)
            edges_of_joint(graph, joint, number, ca, cb, ia * n + e, ib * n + e);
    }
}

/* Whether a connector is or holds something with equalityConstraint. */
static bool has_constraint(Front *front, Inst *inst, int depth) {
    if (constraint_of(front, inst)) return true;
    for (int k = 0; k < inst->nchild && depth < INST_DEPTH; k++) {
        Inst *child = inst_member(front, inst, k);
        if (child && !child->absent && has_constraint(front, child, depth + 1))
            return true;
    }
    return false;
}

/* root, potentialRoot, branch, uniqueRoot */
static bool is_operator(const Equ *equ) {
    if (equ->kind != EQU_CALL || equ->left->kind != TX_BUILTIN) return false;
    int id = equ->left->builtin->id;
    return id == BUILTIN_root || id == BUILTIN_potentialRoot || id == BUILTIN_branch ||
           id == BUILTIN_uniqueRoot;
}

static bool has_operators(const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (is_operator(equ)) return true;
        if (equ->kind == EQU_FOR && has_operators(&equ->body)) return true;
        for (int j = 0; equ->kind == EQU_IF && j < equ->count; j++)
            if (has_operators(&equ->branch[j])) return true;
    }
    return false;
}

static void operators_in(RootGraph *graph, Eval *eval, Inst *inst, const int *index,
                         const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_IF) {
            for (int j = 0; j < equ->count; j++) {
                Value *c = equ->cond[j] ? eval_tx(eval, equ->cond[j]) : NULL;
                if (equ->cond[j] && (!c || !c->integer[0])) continue;
                operators_in(graph, eval, inst, index, &equ->branch[j]);
                break;
            }
        }
        if (equ->kind == EQU_FOR && has_operators(&equ->body)) {
            Value *values = eval_tx(eval, equ->iter->range);
            if (!values || eval->binds >= LENGTH(eval->bind)) continue;
            int at = eval->binds++;
            for (int j = 0; j < values->count; j++) {
                eval->bind[at].var = equ->iter;
                eval->bind[at].value = value_element(eval->arena, values, j);
                operators_in(graph, eval, inst, index, &equ->body);
            }
            eval->binds = at;
        }
        if (!is_operator(equ)) continue;
        const Tx *tx = equ->left;
        int       id = tx->builtin->id, n, m;
        int      *a = ref_elements(eval, tx->arg[0], inst, index, &n);
        if (!a) continue;
        n = vertices_of(graph, tx->arg[0]->inst, a, n);
        for (int e = 0; e < n; e++) {
            int v = a[e];
            if (id == BUILTIN_root) graph->vertex[v].definite = true;
            if (id == BUILTIN_potentialRoot) {
                Value *p = tx->n > 1 ? eval_tx(eval, tx->arg[1]) : NULL;
                graph->vertex[v].potential = true;
                graph->vertex[v].priority = p ? p->integer[0] : 0;
            }
            if (id == BUILTIN_branch) {
                int *b = ref_elements(eval, tx->arg[1], inst, index, &m);
                if (!b || vertices_of(graph, tx->arg[1]->inst, b, m) != n) continue;
                add_edge(graph, v, b[e], -1, NULL, tx->pos);
            }
        }
    }
}

static void operators_of(RootGraph *graph, Inst *inst, const EquList *list) {
    int         dim[32], n = 0, index[32] = {0}, total = inst_count(inst), length = 0;
    const Inst *chain[64];
    if (!has_operators(list)) return;
    for (const Inst *p = inst; p && length < 64; p = p->parent) chain[length++] = p;
    for (int c = length - 1; c >= 0; c--)
        for (int k = 0; k < chain[c]->ndim && n < 32; k++) dim[n++] = chain[c]->dim[k];
    for (int e = 0; e < total; e++) {
        Arena scratch = {0};
        Eval  eval = {.front = graph->front,
                      .arena = &scratch,
                      .steps = EVAL_STEPS,
                      .index = index,
                      .at = inst};
        operators_in(graph, &eval, inst, index, list);
        arena_free(&scratch);
        for (int k = n - 1; k >= 0; k--) {
            if (++index[k] < dim[k]) break;
            index[k] = 0;
        }
    }
}

/* ---- the forest ------------------------------------------------------------------------------ */

static void unite(RootGraph *graph, int a, int b) {
    int root = graph->vertex[a].set_root != NO_ROOT ? graph->vertex[a].set_root
                                                    : graph->vertex[b].set_root;
    graph->link[b] = a;
    graph->vertex[a].set_root = root;
}

static void two_roots(RootGraph *graph, const Edge *edge, int a, int b) {
    Text one = {0}, two = {0};
    inst_name(&one, graph->front, graph->vertex[a].inst);
    inst_name(&two, graph->front, graph->vertex[b].inst);
    diag_report(graph->front->diag, edge->pos, CODE_F180,
                "Connections.branch joins the roots '%s' and '%s'", text_get(&one),
                text_get(&two));
    text_free(&one);
    text_free(&two);
}

/* A tree of a branch or connect needs a root. */
static void check_roots(RootGraph *graph) {
    for (int e = 0; e < graph->edges; e++) {
        int v = set_find(graph->link, graph->edge[e].a);
        if (graph->vertex[v].set_root != NO_ROOT) continue;
        Text text = {0};
        inst_name(&text, graph->front, graph->vertex[v].inst);
        diag_report(graph->front->diag, graph->edge[e].pos, CODE_F183,
                    "'%s' and what is connected with it have no root: one needs "
                    "Connections.root or Connections.potentialRoot",
                    text_get(&text));
        text_free(&text);
        graph->vertex[v].set_root = v;
    }
}

static void span(RootGraph *graph) {
    for (int v = 0; v < graph->vertices; v++)
        if (graph->vertex[v].definite) graph->vertex[v].set_root = v;
    for (int e = 0; e < graph->edges; e++) {
        Edge *edge = &graph->edge[e];
        if (edge->joint >= 0) continue;
        int a = set_find(graph->link, edge->a), b = set_find(graph->link, edge->b);
        edge->kept = true;
        if (a == b) continue;
        if (graph->vertex[a].set_root != NO_ROOT && graph->vertex[b].set_root != NO_ROOT)
            two_roots(graph, edge, graph->vertex[a].set_root, graph->vertex[b].set_root);
        unite(graph, a, b);
    }
    for (int e = 0; e < graph->edges; e++) {
        Edge *edge = &graph->edge[e];
        if (edge->joint < 0) continue;
        int  a = set_find(graph->link, edge->a), b = set_find(graph->link, edge->b);
        bool both =
            graph->vertex[a].set_root != NO_ROOT && graph->vertex[b].set_root != NO_ROOT;
        edge->kept = a != b && !both;
        if (edge->kept) unite(graph, a, b);
        else
            map_put(&graph->broken,
                    broken_key(edge->inst, graph->vertex[edge->a].element, edge->joint),
                    1);
    }
}

static void choose_roots(RootGraph *graph) {
    for (int v = 0; v < graph->vertices; v++) {
        if (!graph->vertex[v].potential) continue;
        Vertex *set = &graph->vertex[set_find(graph->link, v)];
        int     now = set->set_root;
        if (now == NO_ROOT || (!graph->vertex[now].definite &&
                               graph->vertex[v].priority < graph->vertex[now].priority))
            set->set_root = v;
    }
    check_roots(graph);
    for (int v = 0; v < graph->vertices; v++) {
        Vertex *set = &graph->vertex[set_find(graph->link, v)];
        if (set->set_root == NO_ROOT)
            set->set_root = v; /* a tree without any root: its first */
        graph->vertex[set->set_root].is_root = true;
    }
}

/* Distance from the roots over kept edges, breadth first. */
static void measure(RootGraph *graph) {
    for (int e = 0; e < graph->edges; e++) {
        Edge *edge = &graph->edge[e];
        if (!edge->kept) continue;
        edge->next_a = graph->vertex[edge->a].first;
        graph->vertex[edge->a].first = 2 * e;
        edge->next_b = graph->vertex[edge->b].first;
        graph->vertex[edge->b].first = 2 * e + 1;
    }
    int *queue = NEW(&graph->front->arena, int, graph->vertices + 1), head = 0, tail = 0;
    for (int v = 0; v < graph->vertices; v++)
        if (graph->vertex[v].is_root) {
            graph->vertex[v].depth = 0;
            queue[tail++] = v;
        }
    while (head < tail) {
        int v = queue[head++];
        for (int h = graph->vertex[v].first; h >= 0;) {
            Edge *edge = &graph->edge[h / 2];
            int   to = h % 2 ? edge->a : edge->b;
            if (graph->vertex[to].depth < 0) {
                graph->vertex[to].depth = graph->vertex[v].depth + 1;
                queue[tail++] = to;
            }
            h = h % 2 ? edge->next_b : edge->next_a;
        }
    }
}

void graph_build(FlatModel *model, const Joints *joints) {
    Front     *front = model->front;
    RootGraph *graph = NEW(&front->arena, RootGraph, 1);
    graph->front = front;
    for (int k = 0; k < joints->count; k++) {
        const Joint *j = &joints->item[k];
        bool         edges = has_constraint(front, j->a, 0);
        for (int i = 0; i < j->count && (edges || front->uses.counted); i++) {
            int      ia = j->ia + i * j->sa, ib = j->ib + i * j->sb;
            uint64_t ka = key(j->a, ia), kb = key(j->b, ib);
            if (edges) edges_of_joint(graph, j, j->number + i, j->a, j->b, ia, ib);
            if (!front->uses.counted) continue;
            map_put(&graph->degree, ka, map_get(&graph->degree, ka, 0) + 1);
            map_put(&graph->degree, kb, map_get(&graph->degree, kb, 0) + 1);
        }
    }
    model->front->roots.graph = graph; /* cardinality is known from here */
    for (int k = 0; k < model->parts; k++)
        operators_of(graph, model->part[k].inst, &model->part[k].equation);
    span(graph);
    choose_roots(graph);
    measure(graph);
    graph->vertices = graph->vertices ? graph->vertices : 0;
    model->front->roots.done = true;
}

void graph_free(RootGraph *graph) {
    if (!graph) return;
    map_free(&graph->of);
    map_free(&graph->broken);
    map_free(&graph->degree);
}

/* ---- questions ---------------------------------------------------------------------------------- */

bool graph_broken(const RootGraph *graph, int joint, const Inst *inst, int element) {
    return graph && map_has(&graph->broken, broken_key(inst, element, joint));
}

/* The value for one element of the arrays around, given by `index`. */
static Value *value_at(Eval *eval, const Tx *tx, const int *index) {
    const RootGraph *graph = eval->front->roots.graph;
    int              n, *element = ref_elements(eval, tx->arg[0], eval->at, index, &n);
    Inst            *inst = tx->arg[0]->inst;
    int own = element && n > 1 && graph_whole(eval->front, inst) ? own_elements(inst) : 1;
    if (!element || n != own) return eval_fail(eval, tx->pos, "one connector is needed");
    element[0] /= own;
    if (tx->builtin->id == BUILTIN_cardinality)
        return value_integer(eval->arena,
                             map_get(&graph->degree, key(inst, element[0]), 0));
    if (!eval->front->roots.done)
        return eval_fail(eval, tx->pos, "roots are not known yet");
    int64_t v = map_get(&graph->of, key(inst, element[0]), -1);
    if (tx->builtin->id == BUILTIN_isRoot)
        return value_boolean(eval->arena, v >= 0 && graph->vertex[v].is_root);
    /* rooted(a): a is nearer to the root than the other end of its branch */
    bool nearer = false;
    for (int e = 0; v >= 0 && e < graph->edges; e++) {
        const Edge *edge = &graph->edge[e];
        if (edge->joint >= 0 || (edge->a != v && edge->b != v)) continue;
        int other = edge->a == v ? edge->b : edge->a;
        nearer = graph->vertex[v].depth < graph->vertex[other].depth;
    }
    return value_boolean(eval->arena, nearer);
}

static int dims_around(const Inst *inst, int *dim, int most) {
    if (!inst) return 0;
    int n = dims_around(inst->parent, dim, most);
    for (int k = 0; k < inst->ndim && n < most; k++) dim[n++] = inst->dim[k];
    return n;
}

/* isRoot, rooted, cardinality. Where any element of an array around is meant, all have to agree. */
Value *graph_value(Eval *eval, const Tx *tx) {
    int dim[32], index[32] = {0}, first[32], n = dims_around(eval->at, dim, 32), d;
    if (!eval->front->roots.graph)
        return eval_fail(eval, tx->pos, "connections are not known yet");
    for (int k = 0; eval->index && k < n; k++) index[k] = eval->index[k];
    for (int k = 0; k < n; k++) first[k] = index[k];
    for (int k = 0; k < n; k++)
        if (index[k] < 0) index[k] = 0;
    Value *value = value_at(eval, tx, index);
    do {
        for (d = n - 1; d >= 0; d--) {
            if (first[d] >= 0) continue;
            if (++index[d] < dim[d]) break;
            index[d] = 0;
        }
        Value *other = value && d >= 0 ? value_at(eval, tx, index) : NULL;
        if (d < 0 || !other || other->integer[0] == value->integer[0]) continue;
        eval->differs = true;
        return eval_fail(eval, tx->pos, "it differs between array elements");
    } while (value && d >= 0);
    return value;
}

/* A reference to one element of an instance of the model, or to all of its own. */
static Tx *element_ref(Front *front, Inst *root, Inst *inst, int element, bool whole,
                       Pos pos) {
    Tx *tx = tx_ref(front, pos, inst, root);
    int rest = element;
    int k = tx->n - (whole ? inst->ndim : 0);
    for (const Inst *p = whole ? inst->parent : inst; p && p != root; p = p->parent)
        for (int d = p->ndim - 1; d >= 0; d--) {
            int size = p->dim[d] > 0 ? p->dim[d] : 1;
            tx->arg[--k] = tx_integer(front, pos, rest % size + 1);
            rest /= size;
        }
    tx->type.ndim = whole ? (uint8_t)inst->ndim : 0;
    tx->type.dim = whole ? inst->dim : NULL;
    return tx;
}

void graph_residue(FlatModel *model, const Joint *joint, Inst *a, Inst *b, int ia,
                   int ib) {
    Front *front = model->front;
    Cls   *cls = constraint_of(front, a);
    Func  *func = cls ? func_of(front, cls, joint->pos) : NULL;
    if (!func || func->nin != 2 || func->nout != 1) return;
    Ctx  ctx = {.front = front, .scope = {model->root->cls, model->root}};
    bool whole = graph_whole(front, a);
    Tx  *args[2] = {element_ref(front, model->root, a, ia, whole, joint->pos),
                    element_ref(front, model->root, b, ib, whole, joint->pos)};
    Tx  *call = type_call_func(&ctx, joint->pos, func, args, 2);
    if (ty_bad(call->type) || ty_scalars(front, call->type) == 0) return;
    Equ *equ = NEW(&front->arena, Equ, 1);
    equ->kind = EQU_SAME;
    equ->pos = joint->pos;
    equ->right = call;
    Tx *size[4];
    for (int k = 0; k < call->type.ndim && k < 4; k++)
        size[k] = tx_integer(front, joint->pos, call->type.dim[k]);
    Ty zero = call->type;
    equ->left = call->type.ndim ? builtin_make(front, BUILTIN_zeros, joint->pos, zero,
                                               VARY_CONSTANT, size, call->type.ndim)
                                : tx_real(front, joint->pos, 0);
    equ_add(front, &model->extra, equ);
}
