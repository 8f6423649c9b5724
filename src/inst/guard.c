/* SPDX-License-Identifier: Apache-2.0 */
/* guard.c -- the equations of a state hold while it is active (Modelica 3.6, 17.3.2 and 17.3.3).
 *
 *     x = e         becomes   x = if active then e else previous(x)
 *     f = e         becomes   if active then f else x = if active then e else previous(x)
 *                             with an x of the state that occurs in it and that no other equation determines
 *     der(x) = e    becomes   der(x) = if active then e else 0
 *     algorithm     becomes   if active then its statements else x := previous(x) for what it sets
 *     assert(c)     becomes   assert(not active or c)
 *     previous(x)   becomes   if x's state starts anew then x.start else previous(x)
 * An equation of records or of several results is taken apart first. Components inside of a state
 * belong to it, except states of machines in it, which have a guard of their own. Connections need no
 * guard: they relate values that are kept. */
#include "inst/machine.h"

#include <string.h>

/* ---- operators ---- */

typedef struct Rewrite {
    Machines         *m;
    Inst             *at;
    const Transition *of;
} Rewrite;

static Tx *since(const Rewrite *r, const Tx *tx) {
    Machines *m = r->m;
    bool      ticks = tx->builtin->id == BUILTIN_ticksInState;
    int       block = machine_block_around(m, r->at);
    if (r->of) return machine_since_now(m, r->of, ticks, r->at);
    if (block < 0) {
        diag_report(m->front->diag, tx->pos, CODE_F208,
                    "'%s' stands neither in a state nor in the condition of a transition",
                    tx->builtin->name);
        return tx_bad(m->front, tx->pos);
    }
    return mx_variable(m, machine_since(m, block, ticks), r->at);
}

static Tx *active_state(const Rewrite *r, Tx *state) {
    Machines *m = r->m;
    int       block = machine_block_of(m, state->inst);
    if (block >= 0)
        return tx_field_of(m->front, state, m->block[block].active, state->pos);
    Text name = {0};
    inst_name(&name, m->front, state->inst);
    diag_report(m->front->diag, state->pos, CODE_F207,
                "'%s' is not a state: no transition or initialState names it",
                text_get(&name));
    text_free(&name);
    return tx_bad(m->front, state->pos);
}

static Tx *rewrite(const Rewrite *r, Tx *tx) {
    Front *front = r->m->front;
    if (!tx) return NULL;
    if (tx->kind == TX_BUILTIN) switch (tx->builtin->id) {
        case BUILTIN_ticksInState:
        case BUILTIN_timeInState: return since(r, tx);
        case BUILTIN_activeState: return active_state(r, tx->arg[0]);
        default: break;
        }
    bool before = tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_previous &&
                  tx->arg[0]->kind == TX_REF;
    Inst *local = tx->kind == TX_REF ? machine_local(r->m, r->at, tx->inst) : NULL;
    bool  changed = local && local != tx->inst;
    Tx  **arg = tx->n ? NEW(&front->arena, Tx *, tx->n) : NULL;
    for (int k = 0; k < tx->n; k++) {
        arg[k] = before ? tx->arg[k] : rewrite(r, tx->arg[k]);
        changed |= arg[k] != tx->arg[k];
    }
    if (before) return machine_before(r->m, r->at, tx->arg[0]);
    if (!changed) return tx;
    Tx *copy = arena_copy(&front->arena, tx, sizeof *tx);
    copy->arg = arg;
    if (local && local != tx->inst) {
        copy->inst = local;
        copy->base = r->at;
    }
    return copy;
}

Tx *machine_rewrite(Machines *m, Inst *at, const Transition *of, Tx *tx) {
    Rewrite r = {m, at, of};
    return rewrite(&r, tx);
}

static void rewrite_list(const Rewrite *r, EquList *list) {
    for (int k = 0; k < list->count; k++) {
        Equ *equ = list->item[k];
        if (equ->kind == EQU_CONNECT) continue;
        equ->left = rewrite(r, equ->left);
        equ->right = rewrite(r, equ->right);
        rewrite_list(r, &equ->body);
        for (int j = 0; j < equ->count; j++) {
            equ->cond[j] = rewrite(r, equ->cond[j]);
            rewrite_list(r, &equ->branch[j]);
        }
    }
}

/* ---- equations ---- */

typedef struct Guard {
    Machines           *m;
    const MachineBlock *block; /* the state */
    Inst               *at;    /* instance with the equations */
    EquList *open; /* equations that are solved for nothing, NULL: they are refused */
} Guard;

static Tx *active(const Guard *g) {
    return mx_variable(g->m, g->block->active, g->at);
}

/* A reference to a variable that lies in the state. */
static bool is_own(const Guard *g, const Tx *tx) {
    return tx->kind == TX_REF && tx->inst->vary > VARY_PARAMETER &&
           inst_is_under(tx->inst, g->block->inst);
}

static void add_same(const Guard *g, EquList *out, const Equ *like, Tx *left, Tx *right) {
    Equ *equ = NEW(&g->m->front->arena, Equ, 1);
    *equ = (Equ){.kind = EQU_SAME, .pos = like->pos, .left = left, .right = right};
    equ_add(g->m->front, out, equ);
}

static void guard_same(const Guard *g, EquList *out, const Equ *equ, Tx *left, Tx *right);

static void guard_record(const Guard *g, EquList *out, const Equ *equ, Tx *left,
                         Tx *right) {
    Front *front = g->m->front;
    Inst  *rec = left->type.rec;
    inst_all(front, rec);
    for (int k = 0; k < rec->nchild; k++) {
        Inst *field = rec->child[k];
        Inst *from = field && !field->absent && field->vary > VARY_PARAMETER
                         ? inst_child(front, right->type.rec, field->name)
                         : NULL;
        if (from)
            guard_same(g, out, equ, tx_field_of(front, left, field, left->pos),
                       tx_field_of(front, right, from, right->pos));
    }
}

static void guard_results(const Guard *g, EquList *out, const Equ *equ, Tx *left,
                          Tx *call) {
    for (int k = 0; k < left->n; k++) {
        if (!left->arg[k]) continue;
        Tx *one = arena_copy(&g->m->front->arena, call, sizeof *call);
        one->output = k;
        one->type = left->arg[k]->type;
        guard_same(g, out, equ, left->arg[k], one);
    }
}

static void refuse_open(const Guard *g, const Equ *equ) {
    diag_report(g->m->front->diag, equ->pos, CODE_F210,
                "this equation of a state does not tell which of its variables it "
                "determines");
}

static bool is_derivative(const Tx *tx) {
    return tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_der;
}

static void guard_same(const Guard *g, EquList *out, const Equ *equ, Tx *left,
                       Tx *right) {
    Machines *m = g->m;
    if (left->type.basic == BASIC_CLOCK) {
        add_same(g, out, equ, left, right);
        return;
    }
    if (left->kind == TX_TUPLE && right->kind == TX_CALL) {
        guard_results(g, out, equ, left, right);
        return;
    }
    if (left->type.basic == BASIC_RECORD && left->type.rec && right->type.rec) {
        guard_record(g, out, equ, left, right);
        return;
    }
    if (!is_own(g, left) && !is_derivative(left)) {
        Tx *t = left;
        left = right;
        right = t;
    }
    if (is_own(g, left))
        add_same(g, out, equ, left, mx_if(m, active(g), right, mx_previous(m, left)));
    else if (is_derivative(left)) {
        Tx *rest = tx_new(m->front, TX_MUL_EACH, left->pos, left->type, VARY_CONSTANT, 2);
        rest->arg[0] = tx_real(m->front, left->pos, 0);
        rest->arg[1] = left->arg[0];
        add_same(g, out, equ, left,
                 mx_if(m, active(g), right,
                       left->type.ndim ? rest : tx_real(m->front, left->pos, 0)));
    } else if (g->open && left->type.ndim == 0 &&
               (left->type.basic == BASIC_REAL || right->type.basic == BASIC_REAL))
        add_same(g, g->open, equ, left, right);
    else refuse_open(g, equ);
}

static void refuse(const Guard *g, const Equ *equ, const char *what) {
    diag_report(g->m->front->diag, equ->pos, CODE_F213, "a state cannot contain %s",
                what);
}

static void guard_call(const Guard *g, EquList *out, Equ *equ) {
    Machines *m = g->m;
    Tx       *call = equ->left;
    if (call->kind != TX_BUILTIN || call->builtin->id != BUILTIN_assert) {
        refuse(g, equ,
               call->kind == TX_BUILTIN ? call->builtin->name : "a call without results");
        return;
    }
    Tx *rests =
        tx_new(m->front, TX_NOT, call->pos, ty_scalar(BASIC_BOOLEAN), VARY_DISCRETE, 1);
    rests->arg[0] = active(g);
    call->arg[0] = mx_2(m, TX_OR, rests, call->arg[0]);
    equ_add(m->front, out, equ);
}

static void guard_list(const Guard *g, EquList *list) {
    EquList out = {0};
    Guard   inside = *g; /* of a loop or a choice */
    inside.open = NULL;
    for (int k = 0; k < list->count; k++) {
        Equ *equ = list->item[k];
        switch (equ->kind) {
        case EQU_SAME: guard_same(g, &out, equ, equ->left, equ->right); break;
        case EQU_CALL: guard_call(g, &out, equ); break;
        case EQU_WHEN:
            if (equ->cond[0] && equ->cond[0]->type.basic != BASIC_CLOCK) {
                refuse(g, equ, "a when-clause whose condition is not a clock");
                break;
            }
            /* fall through */
        default:
            guard_list(&inside, &equ->body);
            for (int j = 0; j < equ->count; j++) guard_list(&inside, &equ->branch[j]);
            equ_add(g->m->front, &out, equ);
        }
    }
    *list = out;
}

/* ---- equations that are solved for nothing ---- */

typedef struct Solved { /* which variable each of them determines */
    const Guard   *g;
    const EquList *open, *others;
    Tx           **of;      /* by equation: a reference to its variable, NULL not found */
    bool          *visited; /* by equation, in one search */
} Solved;

/* May an open equation determine what a reference in it names? */
static bool may_determine(const Solved *s, const Tx *ref) {
    if (!is_own(s->g, ref) || ref->n || ref->type.basic != BASIC_REAL || ref->type.ndim ||
        ref->inst->derived || ref->inst->binding.tx || ref->inst->way == WAY_INPUT ||
        ref->inst->in_connector)
        return false;
    for (int k = 0; k < s->others->count; k++) {
        const Equ *equ = s->others->item[k];
        if (equ->kind == EQU_SAME && equ->left->kind == TX_REF &&
            equ->left->inst == ref->inst)
            return false;
    }
    return true;
}

static bool find_variable(Solved *s, int equation);

/* The variable of a reference is free, or its equation finds another one. */
static bool take_reference(Solved *s, int equation, Tx *tx) {
    if (!tx) return false;
    if (tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_previous) return false;
    for (int k = 0; k < tx->n; k++)
        if (take_reference(s, equation, tx->arg[k])) return true;
    if (!may_determine(s, tx)) return false;
    for (int k = 0; k < s->open->count; k++)
        if (s->of[k] && s->of[k]->inst == tx->inst && !find_variable(s, k)) return false;
    s->of[equation] = tx;
    return true;
}

/* An augmenting path of the bipartite graph of equations and variables (Kuhn 1955). */
static bool find_variable(Solved *s, int equation) {
    const Equ *equ = s->open->item[equation];
    if (s->visited[equation]) return false;
    s->visited[equation] = true;
    return take_reference(s, equation, equ->left) ||
           take_reference(s, equation, equ->right);
}

static void guard_open(const Guard *g, const EquList *open, EquList *out) {
    Arena *arena = &g->m->front->arena;
    int    n = open->count;
    Solved s = {g, open, out, NEW(arena, Tx *, n + 1), NEW(arena, bool, n + 1)};
    for (int k = 0; k < n; k++) {
        memset(s.visited, 0, sizeof *s.visited * (size_t)n);
        if (find_variable(&s, k)) continue;
        refuse_open(g, open->item[k]);
        return;
    }
    for (int k = 0; k < n; k++) {
        const Equ *equ = open->item[k];
        Tx        *own = mx_variable(g->m, s.of[k]->inst, g->at);
        add_same(g, out, equ, mx_if(g->m, active(g), equ->left, own),
                 mx_if(g->m, active(g), equ->right, mx_previous(g->m, own)));
    }
}

/* ---- algorithms ---- */

static void keep_left(const Guard *g, EquList *keep, const Tx *left, Pos pos) {
    if (!left) return;
    for (int k = 0; left->kind == TX_TUPLE && k < left->n; k++)
        keep_left(g, keep, left->arg[k], pos);
    if (left->kind != TX_REF) return;
    for (int k = 0; k < keep->count; k++)
        if (keep->item[k]->left->inst == left->inst) return;
    Tx *whole = mx_variable(g->m, left->inst, g->at);
    Equ like = {.pos = pos};
    add_same(g, keep, &like, whole, mx_previous(g->m, whole));
}

static void keep_list(const Guard *g, EquList *keep, const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME) keep_left(g, keep, equ->left, equ->pos);
        keep_list(g, keep, &equ->body);
        for (int j = 0; j < equ->count; j++) keep_list(g, keep, &equ->branch[j]);
    }
}

static void guard_algorithm(const Guard *g, EquList *list) {
    Front *front = g->m->front;
    if (!list->count) return;
    Equ *choice = NEW(&front->arena, Equ, 1);
    *choice = (Equ){.kind = EQU_IF, .pos = list->item[0]->pos, .count = 2};
    choice->cond = NEW(&front->arena, Tx *, 2);
    choice->branch = NEW(&front->arena, EquList, 2);
    choice->cond[0] = active(g);
    choice->branch[0] = *list;
    keep_list(g, &choice->branch[1], list);
    *list = (EquList){0};
    equ_add(front, list, choice);
}

/* ---- bindings ---- */

static void guard_binding(Machines *m, Inst *inst) {
    Tx   *tx = inst->binding.tx;
    Inst *base = inst->binding.scope.inst ? inst->binding.scope.inst : inst->parent;
    if (!tx || ty_bad(tx->type) || inst->vary <= VARY_PARAMETER ||
        inst->basic >= BASIC_CLOCK)
        return;
    tx = machine_rewrite(m, base, NULL, tx);
    int block = machine_block_around(m, inst->parent);
    if (block >= 0) {
        Tx *on = mx_variable(m, m->block[block].active, base);
        Tx *self = mx_variable(m, inst, base);
        if (on->type.ndim)
            diag_report(m->front->diag, tx->pos, CODE_F213,
                        "a value for a variable in an array of states is given inside of "
                        "the block");
        tx = mx_if(m, on, tx, mx_previous(m, self));
    }
    inst->binding.tx = tx;
}

static void guard_bindings(Machines *m, Inst *inst) {
    int children = inst->nchild; /* there will be more: what previous needs */
    for (int k = 0; k < children; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->nchild) guard_bindings(m, child);
        else guard_binding(m, child);
    }
}

/* Variables with derivatives: their solver keeps and resets them (dae/discretise.c). */
static void guard_derived(Machines *m, Inst *inst) {
    MachineUse *use = &m->model->machines;
    int         children = inst->nchild;
    for (int k = 0; k < children; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->nchild) guard_derived(m, child);
        int block = child->derived ? machine_block_around(m, inst) : -1;
        if (block < 0 || child->basic != BASIC_REAL) continue;
        if (use->guardeds == use->guarded_room)
            use->guarded = arena_grow(&m->front->arena, use->guarded, sizeof(GuardedVar),
                                      &use->guarded_room, use->guardeds + 1);
        use->guarded[use->guardeds++] =
            (GuardedVar){child, m->block[block].active, m->block[block].reset,
                         machine_start(m, child)};
    }
}

void machine_guard(Machines *m) {
    FlatModel *model = m->model;
    for (int k = 0; k < model->parts; k++) {
        InstEqus *part = &model->part[k];
        Rewrite   r = {m, part->inst, NULL};
        int       block = machine_block_around(m, part->inst);
        EquList   open = {0};
        Guard     g = {m, block < 0 ? NULL : &m->block[block], part->inst, NULL};
        EquList   list = part->equation;
        part->equation = (EquList){0}; /* what previous needs comes in here */
        rewrite_list(&r, &list);
        if (g.block) {
            g.open = &open;
            guard_list(&g, &list);
            guard_open(&g, &open, &list);
        }
        for (int i = 0; i < list.count; i++)
            equ_add(m->front, &part->equation, list.item[i]);
        for (int a = 0; a < part->algorithms; a++) {
            rewrite_list(&r, &part->algorithm[a]);
            if (g.block) guard_algorithm(&g, &part->algorithm[a]);
        }
    }
    guard_bindings(m, model->root);
    guard_derived(m, model->root);
}
