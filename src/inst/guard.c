/* SPDX-License-Identifier: Apache-2.0 */
/* guard.c -- the equations of a state hold while it is active (Modelica 3.6, 17.3.2 and 17.3.3).
 *
 *     x = e         becomes   x = if active then e else previous(x)
 *     f = e         becomes   if active then f else x = if active then e else previous(x)
 *                             with an x of the state that occurs in it (open.c)
 *     der(x) = e    becomes   der(x) = if active then e else 0
 *     algorithm     becomes   if active then its statements else x := previous(x) for what it sets
 *     assert(c)     becomes   assert(not active or c)
 *     previous(x)   becomes   if x's state starts anew then x.start else previous(x)
 *     when c        becomes   choices of its equations (whens.c)
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
    bool              statements; /* of an algorithm, not equations */
    bool              when;       /* inside of a when-clause of equations */
} Rewrite;

static Tx *since(const Rewrite *r, const Tx *tx) {
    Machines *m = r->m;
    bool      ticks = tx->builtin->id == BUILTIN_ticksInState;
    int       block = machine_block_around(m, r->at);
    if (block >= 0)
        diag_report(
            m->front->diag, tx->pos, CODE_F214,
            "'%s' is meant for conditions of transitions between states that lie in "
            "no other state: other tools may refuse it here",
            tx->builtin->name);
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

/* In a when-clause of a state the left limit of one of its variables is what it was at the tick before. One that has a
 * derivative has another value by then (live/round.c). */
static bool is_left_limit(const Rewrite *r, const Tx *ref) {
    int block = machine_block_around(r->m, r->at);
    return block >= 0 && r->when && !ref->inst->derived &&
           inst_is_under(machine_local(r->m, r->at, ref->inst), r->m->block[block].inst);
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
    bool before = tx->kind == TX_BUILTIN && tx->n > 0 && tx->arg[0] &&
                  tx->arg[0]->kind == TX_REF &&
                  (tx->builtin->id == BUILTIN_previous ||
                   (tx->builtin->id == BUILTIN_pre && is_left_limit(r, tx->arg[0])));
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
        if (local->basic == BASIC_RECORD) copy->type.rec = inst_type(front, local).rec;
    }
    return copy;
}

Tx *machine_rewrite(Machines *m, Inst *at, const Transition *of, Tx *tx) {
    Rewrite r = {.m = m, .at = at, .of = of};
    return rewrite(&r, tx);
}

/* A when-clause, but not one of a clock. */
static bool has_condition(const Equ *equ) {
    return equ->kind == EQU_WHEN && equ->cond[0] &&
           equ->cond[0]->type.basic != BASIC_CLOCK;
}

static void rewrite_list(const Rewrite *r, EquList *list) {
    for (int k = 0; k < list->count; k++) {
        Equ *equ = list->item[k];
        if (equ->kind == EQU_CONNECT) continue;
        equ->left = rewrite(r, equ->left);
        equ->right = rewrite(r, equ->right);
        rewrite_list(r, &equ->body);
        Rewrite inside = *r;
        if (has_condition(equ) && !r->statements) inside.when = true;
        for (int j = 0; j < equ->count; j++) {
            equ->cond[j] = rewrite(&inside, equ->cond[j]);
            rewrite_list(&inside, &equ->branch[j]);
        }
    }
}

/* ---- equations ---- */

Tx *guard_active(const Guard *g) {
    return mx_variable(g->m, g->block->active, g->at);
}

bool guard_owns(const Guard *g, const Tx *tx) {
    return tx->kind == TX_REF && tx->inst->vary > VARY_PARAMETER &&
           inst_is_under(tx->inst, g->block->inst);
}

void guard_add(const Guard *g, EquList *out, const Equ *like, Tx *left, Tx *right) {
    Equ *equ = NEW(&g->m->front->arena, Equ, 1);
    *equ = (Equ){.kind = EQU_SAME, .pos = like->pos, .left = left, .right = right};
    equ_add(g->m->front, out, equ);
}

static void parts_of_record(const Guard *g, EquList *out, const Equ *equ, Tx *left,
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
            guard_parts(g, out, equ, tx_field_of(front, left, field, left->pos),
                        tx_field_of(front, right, from, right->pos));
    }
}

static void parts_of_results(const Guard *g, EquList *out, const Equ *equ, Tx *left,
                             Tx *call) {
    for (int k = 0; k < left->n; k++) {
        if (!left->arg[k]) continue;
        Tx *one = arena_copy(&g->m->front->arena, call, sizeof *call);
        one->output = k;
        one->type = left->arg[k]->type;
        guard_parts(g, out, equ, left->arg[k], one);
    }
}

void guard_parts(const Guard *g, EquList *out, const Equ *equ, Tx *left, Tx *right) {
    if (left->kind == TX_TUPLE && right->kind == TX_CALL)
        parts_of_results(g, out, equ, left, right);
    else if (left->type.basic == BASIC_RECORD && left->type.rec && right->type.rec)
        parts_of_record(g, out, equ, left, right);
    else guard_add(g, out, equ, left, right);
}

void guard_refuse_open(const Guard *g, const Equ *equ) {
    diag_report(g->m->front->diag, equ->pos, CODE_F210,
                "this equation of a state determines none of its variables");
}

bool guard_is_derivative(const Tx *tx) {
    return tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_der;
}

bool guard_may_give(const Guard *g, const Tx *tx) {
    if (guard_is_derivative(tx)) return true;
    return guard_owns(g, tx) && !tx->inst->binding.tx &&
           (tx->inst->way != WAY_INPUT || machine_holder(tx->inst) != g->at);
}

Tx *guard_kept(const Guard *g, Tx *own) {
    Front *front = g->m->front;
    if (!guard_is_derivative(own)) return mx_previous(g->m, own);
    Tx *zero = tx_real(front, own->pos, 0);
    if (!own->type.ndim) return zero;
    Tx *all = tx_new(front, TX_MUL_EACH, own->pos, own->type, VARY_CONSTANT, 2);
    all->arg[0] = zero;
    all->arg[1] = own->arg[0];
    return all;
}

void guard_solved(const Guard *g, EquList *out, const Equ *like, Tx *own, Tx *value) {
    guard_add(g, out, like, own, mx_if(g->m, guard_active(g), value, guard_kept(g, own)));
}

/* Which side of an equation, which is one variable, it determines; NULL: none. */
Tx *guard_side(const Guard *g, const Tx *left, const Tx *right) {
    const Tx *side[2] = {left, right};
    for (int k = 0; k < 2; k++)
        if (guard_may_give(g, side[k])) return (Tx *)side[k];
    for (int k = 0; k < 2; k++)
        if (guard_owns(g, side[k])) return (Tx *)side[k];
    return NULL;
}

static void guard_one(const Guard *g, EquList *out, const Equ *equ) {
    Tx *left = equ->left, *right = equ->right;
    if (left->type.basic == BASIC_CLOCK) guard_add(g, out, equ, left, right);
    else if (g->open) guard_add(g, g->open, equ, left, right);
    else {
        Tx *own = guard_side(g, left, right);
        if (own) guard_solved(g, out, equ, own, own == left ? right : left);
        else guard_refuse_open(g, equ);
    }
}

static void guard_same(const Guard *g, EquList *out, const Equ *equ) {
    EquList parts = {0};
    guard_parts(g, &parts, equ, equ->left, equ->right);
    for (int k = 0; k < parts.count; k++) guard_one(g, out, parts.item[k]);
}

Equ *guard_branch(const Guard *g, EquKind kind, Tx *condition, Equ *equ) {
    Front *front = g->m->front;
    Equ   *one = NEW(&front->arena, Equ, 1);
    *one = (Equ){.kind = kind, .pos = equ->pos, .count = 1};
    one->cond = NEW(&front->arena, Tx *, 1);
    one->branch = NEW(&front->arena, EquList, 1);
    one->cond[0] = condition;
    equ_add(front, &one->branch[0], equ);
    return one;
}

void guard_refuse(const Guard *g, const Equ *equ, const char *what) {
    diag_report(g->m->front->diag, equ->pos, CODE_F213, "a state cannot contain %s",
                what);
}

/* Assertions hold, and calls happen, while the state is active. */
static void guard_call(const Guard *g, EquList *out, Equ *equ) {
    Machines *m = g->m;
    Tx       *call = equ->left;
    if (call->kind == TX_BUILTIN && call->builtin->id == BUILTIN_assert) {
        Tx *rests = tx_new(m->front, TX_NOT, call->pos, ty_scalar(BASIC_BOOLEAN),
                           VARY_DISCRETE, 1);
        rests->arg[0] = guard_active(g);
        call->arg[0] = mx_2(m, TX_OR, rests, call->arg[0]);
        equ_add(m->front, out, equ);
    } else equ_add(m->front, out, guard_branch(g, EQU_IF, guard_active(g), equ));
}

/* Do these contain an equation that is solved for no variable? */
static bool has_open(const Guard *g, const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_FOR && has_open(g, &equ->body)) return true;
        for (int j = 0; equ->kind == EQU_IF && j < equ->count; j++)
            if (has_open(g, &equ->branch[j])) return true;
        if (equ->kind == EQU_SAME && equ->left->kind != TX_TUPLE &&
            equ->left->type.basic < BASIC_CLOCK && !guard_may_give(g, equ->left) &&
            !guard_may_give(g, equ->right))
            return true;
    }
    return false;
}

/* Each value of the loop by itself: its equations find variables one by one. */
static void guard_loop(const Guard *g, EquList *out, const Equ *equ) {
    Front *front = g->m->front;
    Value *v = eval_now(front, equ->iter->range);
    if (!v) guard_refuse_open(g, equ);
    for (int j = 0; v && j < v->count; j++) {
        EquList body = loop_round(front, equ, v, j);
        guard_list(g, &body);
        for (int i = 0; i < body.count; i++) equ_add(front, out, body.item[i]);
    }
}

void guard_list(const Guard *g, EquList *list) {
    EquList out = {0};
    Guard   inside = *g; /* of a loop or a choice */
    inside.open = NULL;
    for (int k = 0; k < list->count; k++) {
        Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME) guard_same(g, &out, equ);
        else if (equ->kind == EQU_CALL) guard_call(g, &out, equ);
        else if (has_condition(equ)) guard_when(g, &out, equ);
        else if (equ->kind == EQU_FOR && g->open && has_open(g, &equ->body))
            guard_loop(g, &out, equ);
        else if (equ->kind == EQU_IF && g->open &&
                 has_open(g, &(EquList){.item = &equ, .count = 1}))
            guard_open_choice(g, &out, equ);
        else {
            guard_list(&inside, &equ->body);
            for (int j = 0; j < equ->count; j++) guard_list(&inside, &equ->branch[j]);
            equ_add(g->m->front, &out, equ);
        }
    }
    *list = out;
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
    guard_add(g, keep, &like, whole, mx_previous(g->m, whole));
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
    choice->cond[0] = guard_active(g);
    choice->branch[0] = *list;
    keep_list(g, &choice->branch[1], list);
    *list = (EquList){0};
    equ_add(front, list, choice);
}

/* ---- bindings ---- */

/* {if on[1] then value[1] else kept[1], ...}: of the elements of an array of states. */
static Tx *guard_elements(Machines *m, Tx *on, Tx *value, Tx *self, Tx **sub, int depth) {
    Front *front = m->front;
    if (depth == on->type.ndim) {
        bool each = value->type.ndim < self->type.ndim;
        if (!depth) return mx_if(m, on, value, mx_previous(m, self));
        return mx_if(m, tx_index(front, on, sub, depth),
                     each ? value : tx_index(front, value, sub, depth),
                     mx_previous(m, tx_index(front, self, sub, depth)));
    }
    int n = on->type.dim[depth];
    Tx *all = tx_new(front, TX_ARRAY, value->pos, self->type, VARY_CONTINUOUS, n);
    all->type.ndim = self->type.ndim - depth;
    all->type.dim = self->type.dim + depth;
    for (int k = 0; k < n; k++) {
        sub[depth] = tx_integer(front, value->pos, k + 1);
        all->arg[k] = guard_elements(m, on, value, self, sub, depth + 1);
    }
    return all;
}

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
        tx = guard_elements(m, on, tx, self,
                            NEW(&m->front->arena, Tx *, on->type.ndim + 1), 0);
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
        Rewrite   r = {.m = m, .at = part->inst};
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
            r.statements = true;
            rewrite_list(&r, &part->algorithm[a]);
            if (g.block) guard_algorithm(&g, &part->algorithm[a]);
        }
    }
    guard_bindings(m, model->root);
    guard_derived(m, model->root);
}
