/* SPDX-License-Identifier: Apache-2.0 */
/* whens.c -- when-clauses with a condition in states of state machines.
 *
 * Nothing happens between ticks, so that a condition becomes true at one. With a Boolean b of the state for
 * each condition c,
 *     b = if active then c else previous(b)
 *     x = if active then (if c and not previous(b) and not reset then e else pre(x)) else previous(x)
 * further branches follow as elseif, choices and loops inside are gone by then, records and several results of a
 * call are set one by one. Calls and reinit happen when Booleans of their own become true, one for each
 * element of the condition, which say that their branch fires; so does what an impure function gives, which
 * is then the e above. A condition that holds when the state starts anew has not become true, as
 * at the start of a simulation. pre(x) is previous(x) in a state, but for variables with derivatives (guard.c).
 *
 * As everywhere, such a clause needs a partition with a solver method (dae/discrete.c). */
#include "inst/machine.h"

typedef struct Firing { /* of a branch: its condition becomes true */
    Tx  *any;
    Tx **element; /* each element of the condition */
    int  n;
} Firing;

typedef struct Occasion { /* a when-clause */
    const Guard *g;
    const Equ   *equ;
    Firing      *fires; /* by branch */
} Occasion;

static Tx *negated(Machines *m, Tx *a) {
    Tx *tx = tx_new(m->front, TX_NOT, a->pos, ty_scalar(BASIC_BOOLEAN), VARY_DISCRETE, 1);
    tx->arg[0] = a;
    return tx;
}

static Inst *hidden_of(const Guard *g, const char *what, Basic basic, Pos pos) {
    MachineUse *use = &g->m->model->machines;
    Text        name = {0};
    text_printf(&name, "$%s%d", what, use->whens + 1);
    Inst *made = machine_variable(g->m, g->at, text_get(&name), basic, 0, false);
    text_free(&name);
    made->pos = pos;
    if (use->whens == use->when_room)
        use->when = arena_grow(&g->m->front->arena, use->when, sizeof *use->when,
                               &use->when_room, use->whens + 1);
    use->when[use->whens++] = made;
    return made;
}

static Inst *hidden(const Guard *g, const char *what, Pos pos) {
    return hidden_of(g, what, BASIC_BOOLEAN, pos);
}

/* Does a condition, which is no array, become true at this tick? */
static Tx *becomes_true(const Guard *g, Tx *condition) {
    Machines *m = g->m;
    Tx       *ref = mx_variable(m, hidden(g, "when", condition->pos), g->at);
    Tx       *before = mx_previous(m, ref);
    mx_equate(m, g->at, ref, mx_if(m, guard_active(g), condition, before),
              condition->pos);
    Tx *reset = mx_variable(m, g->block->reset, g->at);
    return mx_2(m, TX_AND, condition,
                mx_2(m, TX_AND, negated(m, before), negated(m, reset)));
}

/* Of an array, any of its elements. */
static Firing firing_of(const Guard *g, Tx *condition) {
    bool   array = condition->type.ndim > 0;
    Firing f = {.n = array ? condition->type.dim[0] : 1};
    f.element = NEW(&g->m->front->arena, Tx *, f.n + 1);
    for (int k = 0; k < f.n; k++) {
        Tx *at = array ? tx_integer(g->m->front, condition->pos, k + 1) : NULL;
        Tx *one = array ? tx_index(g->m->front, condition, &at, 1) : condition;
        f.element[k] = becomes_true(g, one);
        f.any = f.any ? mx_2(g->m, TX_OR, f.any, f.element[k]) : f.element[k];
    }
    if (!f.any) f.any = tx_boolean(g->m->front, condition->pos, false);
    return f;
}

/* ---- equations ---- */

/* The value that a list of equations gives to what a reference names, `kept` where a choice in it gives none;
 * NULL: it gives none at all. */
static Tx *value_in(const Guard *g, const EquList *list, const Tx *ref, Tx *kept) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME && mx_same_place(g->m, equ->left, ref))
            return equ->right;
        if (equ->kind != EQU_IF) continue;
        Tx  *value = kept;
        bool any = false;
        for (int b = equ->count - 1; b >= 0; b--) {
            Tx *here = value_in(g, &equ->branch[b], ref, kept);
            any |= here != NULL;
            if (!here) here = kept;
            value = equ->cond[b] ? mx_if(g->m, equ->cond[b], here, value) : here;
        }
        if (any) return value;
    }
    return NULL;
}

/* What a variable keeps while nothing fires: what it was in the round of event iteration before, as a reinit may
 * have made the condition false again. */
static Tx *left_limit(Machines *m, Tx *before) {
    if (before->kind == TX_IF)
        return mx_if(m, before->arg[0], before->arg[1], left_limit(m, before->arg[2]));
    return builtin_make(m->front, BUILTIN_pre, before->pos, before->type, VARY_DISCRETE,
                        before->arg, 1);
}

static void add_choice(const Occasion *c, EquList *out, const Equ *equ) {
    Machines *m = c->g->m;
    Tx       *left = equ->left, *kept = left_limit(m, machine_before(m, c->g->at, left));
    Tx       *value = kept;
    for (int k = 0; k < out->count; k++)
        if (out->item[k]->kind == EQU_SAME && mx_same_place(m, out->item[k]->left, left))
            return; /* another branch came first */
    for (int j = c->equ->count - 1; j >= 0; j--) {
        Tx *here = value_in(c->g, &c->equ->branch[j], left, kept);
        value = mx_if(m, c->fires[j].any, here ? here : kept, value);
    }
    value->type = left->type;
    guard_add(c->g, out, equ, left,
              mx_if(m, guard_active(c->g), value, mx_previous(m, left)));
}

/* ---- calls ---- */

/* Something to be done when this branch fires and `rest` holds. Two elements of a condition may become true at
 * one tick after the other, so each has a Boolean. */
static void add_action(const Occasion *c, EquList *out, Equ *equ, int branch, Tx *rest) {
    const Guard  *g = c->g;
    const Firing *f = &c->fires[branch];
    Tx           *now = tx_new(g->m->front, TX_ARRAY, equ->pos, ty_scalar(BASIC_BOOLEAN),
                               VARY_DISCRETE, f->n);
    now->type.ndim = 1;
    now->type.dim = arena_copy(&g->m->front->arena, &f->n, sizeof f->n);
    for (int k = 0; k < f->n; k++) {
        now->arg[k] = mx_variable(g->m, hidden(g, "now", equ->pos), g->at);
        mx_equate(g->m, g->at, now->arg[k], mx_2(g->m, TX_AND, rest, f->element[k]),
                  equ->pos);
    }
    if (f->n)
        equ_add(g->m->front, out,
                guard_branch(g, EQU_WHEN, f->n == 1 ? now->arg[0] : now, equ));
}

/* ---- branches ---- */

static void add_list(const Occasion *c, EquList *out, const EquList *list, int branch,
                     Tx *rest);

static void add_equation(const Occasion *c, EquList *out, Equ *equ, int branch,
                         Tx *rest) {
    const Guard *g = c->g;
    if (equ->kind == EQU_SAME && equ->left->kind == TX_REF &&
        equ->left->inst->prefix.made)
        add_action(c, out, equ, branch, rest);
    else if (equ->kind == EQU_SAME && guard_owns(g, equ->left) &&
             equ->left->type.basic < BASIC_CLOCK)
        add_choice(c, out, equ);
    else if (equ->kind == EQU_IF) {
        for (int b = 0; b < equ->count; b++) {
            Tx *cond = equ->cond[b];
            add_list(c, out, &equ->branch[b], branch,
                     cond ? mx_2(g->m, TX_AND, rest, cond) : rest);
            if (cond) rest = mx_2(g->m, TX_AND, rest, negated(g->m, cond));
        }
    } else if (equ->kind == EQU_CALL) add_action(c, out, equ, branch, rest);
    else
        guard_refuse(g, equ,
                     "a when-clause with anything but equations of its variables");
}

static void add_list(const Occasion *c, EquList *out, const EquList *list, int branch,
                     Tx *rest) {
    for (int k = 0; k < list->count; k++)
        add_equation(c, out, list->item[k], branch, rest);
}

/* An equation, or those of the fields of a record and of the results of a call. What an impure function gives is
 * kept in a variable, which is set when the branch fires. */
static void add_parts(const Guard *g, EquList *out, Equ *equ) {
    Machines *m = g->m;
    EquList   parts = {0};
    if (equ->kind != EQU_SAME) equ_add(m->front, out, equ);
    else guard_parts(g, &parts, equ, equ->left, equ->right);
    for (int k = 0; k < parts.count; k++) {
        Equ *part = parts.item[k];
        if (tx_calls_impure(part->right)) {
            const Ty *type = &part->left->type;
            Inst     *made = hidden_of(g, "got", (Basic)type->basic, part->pos);
            made->ndim = type->ndim;
            made->dim = arena_copy(&m->front->arena, type->dim,
                                   (size_t)type->ndim * sizeof *type->dim);
            made->cls = part->left->inst->cls;
            Tx *got = mx_variable(m, made, g->at);
            guard_add(g, out, part, got, part->right);
            part->right = got;
        }
        equ_add(m->front, out, part);
    }
}

/* Equations of a branch with those of loops one by one, also in choices. */
static EquList without_loops_in(const Guard *g, const EquList *list) {
    Front  *front = g->m->front;
    EquList out = {0};
    for (int k = 0; k < list->count; k++) {
        Equ *equ = list->item[k];
        if (equ->kind == EQU_FOR) {
            Value *v = eval_now(front, equ->iter->range);
            for (int j = 0; v && j < v->count; j++) {
                EquList round = loop_round(front, equ, v, j);
                EquList inner = without_loops_in(g, &round);
                for (int i = 0; i < inner.count; i++) equ_add(front, &out, inner.item[i]);
            }
            continue;
        }
        if (equ->kind == EQU_IF) {
            equ = arena_copy(&front->arena, equ, sizeof *equ);
            equ->branch = arena_copy(&front->arena, equ->branch,
                                     sizeof(EquList) * (size_t)equ->count);
            for (int b = 0; b < equ->count; b++)
                equ->branch[b] = without_loops_in(g, &equ->branch[b]);
        }
        add_parts(g, &out, equ);
    }
    return out;
}

void guard_when(const Guard *g, EquList *out, const Equ *equ) {
    Arena   *arena = &g->m->front->arena;
    Equ     *plain = arena_copy(arena, equ, sizeof *plain);
    Occasion c = {g, plain, NEW(arena, Firing, equ->count + 1)};
    EquList  made = {0};
    plain->branch = NEW(arena, EquList, equ->count);
    for (int j = 0; j < equ->count; j++) {
        plain->branch[j] = without_loops_in(g, &equ->branch[j]);
        c.fires[j] = firing_of(g, equ->cond[j]);
    }
    for (int j = 0; j < equ->count; j++) {
        Tx *rest = guard_active(g);
        for (int i = 0; i < j; i++)
            rest = mx_2(g->m, TX_AND, rest, negated(g->m, c.fires[i].any));
        add_list(&c, &made, &plain->branch[j], j, rest);
    }
    for (int k = 0; k < made.count; k++) equ_add(g->m->front, out, made.item[k]);
}
