/* SPDX-License-Identifier: Apache-2.0 */
/* whens.c -- when-clauses with a condition in states of state machines.
 *
 * Nothing happens between ticks, so that a condition becomes true at one. With a Boolean b of the state for
 * each condition c,
 *     b = if active then c else previous(b)
 *     x = if active then (if c and not previous(b) and not reset then e else previous(x)) else previous(x)
 * further branches follow as elseif. A condition that holds when the state starts anew has not become true, as
 * at the start of a simulation. pre(x) is previous(x) in a state (guard.c).
 *
 * As everywhere, such a clause needs a partition with a solver method (dae/discrete.c). */
#include "inst/machine.h"

typedef struct Occasion { /* a when-clause */
    const Guard *g;
    const Equ   *equ;
    Tx         **fires; /* by branch */
} Occasion;

static Tx *negated(Machines *m, Tx *a) {
    Tx *tx = tx_new(m->front, TX_NOT, a->pos, ty_scalar(BASIC_BOOLEAN), VARY_DISCRETE, 1);
    tx->arg[0] = a;
    return tx;
}

/* Does a condition, which is no array, become true at this tick? */
static Tx *becomes_true(const Guard *g, Tx *condition) {
    Machines   *m = g->m;
    MachineUse *use = &m->model->machines;
    Text        name = {0};
    text_printf(&name, "$when%d", use->whens + 1);
    Inst *seen = machine_variable(m, g->at, text_get(&name), BASIC_BOOLEAN, 0, false);
    text_free(&name);
    seen->pos = condition->pos;
    if (use->whens == use->when_room)
        use->when = arena_grow(&m->front->arena, use->when, sizeof *use->when,
                               &use->when_room, use->whens + 1);
    use->when[use->whens++] = seen;
    Tx *ref = mx_variable(m, seen, g->at), *before = mx_previous(m, ref);
    mx_equate(m, g->at, ref, mx_if(m, guard_active(g), condition, before),
              condition->pos);
    Tx *reset = mx_variable(m, g->block->reset, g->at);
    return mx_2(m, TX_AND, condition,
                mx_2(m, TX_AND, negated(m, before), negated(m, reset)));
}

/* Of an array, any of its elements. */
static Tx *any_becomes_true(const Guard *g, Tx *condition) {
    Tx *any = NULL;
    if (!condition->type.ndim) return becomes_true(g, condition);
    for (int k = 0; k < condition->type.dim[0]; k++) {
        Tx *at = tx_integer(g->m->front, condition->pos, k + 1);
        Tx *one = becomes_true(g, tx_index(g->m->front, condition, &at, 1));
        any = any ? mx_2(g->m, TX_OR, any, one) : one;
    }
    return any ? any : tx_boolean(g->m->front, condition->pos, false);
}

/* The equation of a branch that determines what a reference names; NULL: none. */
static const Equ *equation_of(const EquList *branch, const Tx *ref) {
    for (int k = 0; k < branch->count; k++)
        if (branch->item[k]->kind == EQU_SAME && branch->item[k]->left->inst == ref->inst)
            return branch->item[k];
    return NULL;
}

static void add_choice(const Occasion *c, EquList *out, const Equ *equ) {
    Machines *m = c->g->m;
    Tx       *left = equ->left, *kept = machine_before(m, c->g->at, left), *value = kept;
    for (int j = c->equ->count - 1; j >= 0; j--) {
        const Equ *here = equation_of(&c->equ->branch[j], left);
        value = mx_if(m, c->fires[j], here ? here->right : kept, value);
    }
    value->type = left->type;
    guard_add(c->g, out, equ, left,
              mx_if(m, guard_active(c->g), value, mx_previous(m, left)));
}

/* An assertion is looked at when the condition becomes true. */
static void add_assertion(const Occasion *c, EquList *out, Equ *equ, int branch) {
    Machines *m = c->g->m;
    Tx       *call = equ->left;
    Tx       *now = mx_2(m, TX_AND, guard_active(c->g), c->fires[branch]);
    call->arg[0] = mx_2(m, TX_OR, negated(m, now), call->arg[0]);
    equ_add(m->front, out, equ);
}

static void add_equation(const Occasion *c, EquList *out, Equ *equ, int branch) {
    bool earlier = false;
    for (int j = 0; j < branch && equ->kind == EQU_SAME; j++)
        earlier |= equation_of(&c->equ->branch[j], equ->left) != NULL;
    if (equ->kind == EQU_SAME && guard_owns(c->g, equ->left) &&
        equ->left->type.basic < BASIC_CLOCK) {
        if (!earlier) add_choice(c, out, equ);
    } else if (equ->kind == EQU_CALL && equ->left->kind == TX_BUILTIN &&
               equ->left->builtin->id == BUILTIN_assert)
        add_assertion(c, out, equ, branch);
    else
        guard_refuse(c->g, equ,
                     equ->kind == EQU_CALL && equ->left->kind == TX_BUILTIN
                         ? equ->left->builtin->name
                         : "a when-clause with anything but equations of its variables");
}

void guard_when(const Guard *g, EquList *out, const Equ *equ) {
    Occasion c = {g, equ, NEW(&g->m->front->arena, Tx *, equ->count + 1)};
    for (int j = 0; j < equ->count; j++) c.fires[j] = any_becomes_true(g, equ->cond[j]);
    for (int j = 0; j < equ->count; j++)
        for (int k = 0; k < equ->branch[j].count; k++)
            add_equation(&c, out, equ->branch[j].item[k], j);
}
