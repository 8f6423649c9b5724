/* SPDX-License-Identifier: Apache-2.0 */
/* activity.c -- which state of a machine is active (Modelica 3.6, 17.3.1 to 17.3.4).
 *
 * The semantics of the specification as equations, with the same names: a machine starts from
 * selectedState, the next state of the tick before; the transition `fired` is an immediate one whose
 * condition holds now, or the delayed one found at the tick before; its target becomes activeState.
 * Transitions have numbers from 1, the highest priority last, so that the largest number fires.
 * A machine inside a state runs while that state is active and is reset with it.
 *
 * A synchronizing transition waits until all machines of its from-state are in final states. An
 * immediate one looks at the states of the tick before: those of this tick depend on whether it fires.
 *
 * ticksInState() is previous(ticksInState()) + 1 unless the machine, or one around it, has entered a
 * state at this tick. In the condition of an immediate transition it is what it will be if the state
 * stays active. timeInState() is the sum of intervals; as many equal intervals their product, so that
 * rounding errors do not add up. */
#include "inst/machine.h"

/* ---- typed expressions ---- */

Tx *mx_variable(Machines *m, Inst *inst, Inst *at) {
    return tx_ref(m->front, inst->pos, inst, at);
}

Tx *mx_element(Machines *m, Inst *inst, int k, Inst *at) {
    Tx *sub = tx_integer(m->front, inst->pos, k + 1);
    return tx_index(m->front, mx_variable(m, inst, at), &sub, 1);
}

/* A variable of a state as seen from `at`; NULL: it lies in an array of other components. */
Tx *mx_of_state(Machines *m, const MachineState *state, Inst *field, Inst *at) {
    Tx *ref = arena_copy(&m->front->arena, state->ref, sizeof *ref);
    if (inst_is_under(at, ref->inst)) return mx_variable(m, field, at);
    if (inst_is_under(ref->inst, at)) {
        if (inst_depth_dims(ref->inst, at) != ref->n) return NULL;
        ref->base = at;
    }
    return tx_field_of(m->front, ref, field, state->pos);
}

Tx *mx_previous(Machines *m, Tx *ref) {
    return builtin_make(m->front, BUILTIN_previous, ref->pos, ref->type, VARY_DISCRETE,
                        &ref, 1);
}

Tx *mx_if(Machines *m, Tx *cond, Tx *yes, Tx *no) {
    Vary vary = vary_most(VARY_DISCRETE, vary_most((Vary)yes->vary, (Vary)no->vary));
    Tx  *tx = tx_new(m->front, TX_IF, yes->pos, yes->type, vary, 3);
    if (yes->type.basic == BASIC_INTEGER && no->type.basic == BASIC_REAL)
        tx->type.basic = BASIC_REAL;
    tx->arg[0] = cond;
    tx->arg[1] = yes;
    tx->arg[2] = no;
    return tx;
}

Tx *mx_2(Machines *m, TxKind kind, Tx *a, Tx *b) {
    Tx *tx = tx_new(m->front, kind, a->pos, ty_scalar(BASIC_BOOLEAN), VARY_DISCRETE, 2);
    tx->arg[0] = a;
    tx->arg[1] = b;
    return tx;
}

static Tx *not_(Machines *m, Tx *a) {
    Tx *tx = tx_new(m->front, TX_NOT, a->pos, a->type, VARY_DISCRETE, 1);
    tx->arg[0] = a;
    return tx;
}

static Tx *and_(Machines *m, Tx *a, Tx *b) {
    return mx_2(m, TX_AND, a, b);
}

static Tx *or_(Machines *m, Tx *a, Tx *b) {
    return mx_2(m, TX_OR, a, b);
}

static Tx *number(Machines *m, int64_t value) {
    return tx_integer(m->front, 0, value);
}

static Tx *truth(Machines *m, bool value) {
    return tx_boolean(m->front, 0, value);
}

static Tx *sum(Machines *m, Tx *a, Tx *b) {
    Tx *tx = tx_new(m->front, TX_ADD, a->pos, a->type, VARY_DISCRETE, 2);
    tx->arg[0] = a;
    tx->arg[1] = b;
    return tx;
}

static Tx *builtin0(Machines *m, int id, Basic basic) {
    return builtin_make(m->front, id, 0, ty_scalar(basic), VARY_DISCRETE, NULL, 0);
}

void mx_equate(Machines *m, Inst *at, Tx *left, Tx *right, Pos pos) {
    Equ *equ = NEW(&m->front->arena, Equ, 1);
    equ->kind = EQU_SAME;
    equ->pos = pos;
    equ->left = left;
    equ->right = right;
    int       k = (int)map_get(&m->part_of, (uintptr_t)at, 0) - 1;
    InstEqus *part = k < 0 ? NULL : &m->model->part[k];
    bool      made = left->kind == TX_REF && left->inst->prefix.made;
    equ_add(m->front,
            !part  ? &m->model->extra
            : made ? &part->made
                   : &part->equation,
            equ);
}

/* ---- variables ---- */

static Inst *of_machine(Machines *m, const Machine *machine, const char *name,
                        Basic basic, int count) {
    Text        text = {0};
    const Inst *first = m->block[m->state[machine->initial].block].inst;
    text_printf(&text, "stateMachineOf_%s", text_of(m->front, first->name));
    if (first->ndim) text_printf(&text, "%d", m->state[machine->initial].element + 1);
    text_printf(&text, ".%s", name);
    Inst *inst = machine_variable(m, machine->at, text_get(&text), basic, count,
                                  name[0] == 'a' && basic == BASIC_INTEGER);
    text_free(&text);
    return inst;
}

static void make_variables(Machines *m, Machine *k) {
    k->reset = of_machine(m, k, "reset", BASIC_BOOLEAN, 0);
    k->selected = of_machine(m, k, "selectedState", BASIC_INTEGER, 0);
    k->selected_reset = of_machine(m, k, "selectedReset", BASIC_BOOLEAN, 0);
    k->immediate = of_machine(m, k, "immediate", BASIC_INTEGER, 0);
    k->delayed = of_machine(m, k, "delayed", BASIC_INTEGER, 0);
    k->fired = of_machine(m, k, "fired", BASIC_INTEGER, 0);
    k->active_state = of_machine(m, k, "activeState", BASIC_INTEGER, 0);
    k->active_reset = of_machine(m, k, "activeReset", BASIC_BOOLEAN, 0);
    k->next_state = of_machine(m, k, "nextState", BASIC_INTEGER, 0);
    k->next_reset = of_machine(m, k, "nextReset", BASIC_BOOLEAN, 0);
    k->entered = of_machine(m, k, "entered", BASIC_BOOLEAN, 0);
    k->due = of_machine(m, k, "activeResetStates", BASIC_BOOLEAN, k->states);
    k->next_due = of_machine(m, k, "nextResetStates", BASIC_BOOLEAN, k->states);
    if (!k->transitions) return;
    k->condition = of_machine(m, k, "c", BASIC_BOOLEAN, k->transitions);
    MachineUse *use = &m->model->machines;
    if (use->conditions == use->condition_room)
        use->condition = arena_grow(&m->front->arena, use->condition, sizeof(Inst *),
                                    &use->condition_room, use->conditions + 1);
    use->condition[use->conditions++] = k->condition;
}

void machine_flags(Machines *m) {
    for (int b = 0; b < m->blocks; b++) {
        Inst *inst = m->block[b].inst;
        m->block[b].active = machine_variable(m, inst, "$active", BASIC_BOOLEAN, 0, true);
        m->block[b].reset = machine_variable(m, inst, "$reset", BASIC_BOOLEAN, 0, false);
    }
    for (int k = 0; k < m->machines; k++) make_variables(m, &m->machine[k]);
}

/* ---- time since the activation ---- */

Inst *machine_since(Machines *m, int block, bool ticks) {
    MachineBlock *b = &m->block[block];
    if (!b->ticks)
        b->ticks = machine_variable(m, b->inst, "$ticksInState", BASIC_INTEGER, 0, true);
    if (!ticks && !b->time)
        b->time = machine_variable(m, b->inst, "$timeInState", BASIC_REAL, 0, true);
    return ticks ? b->ticks : b->time;
}

/* previous(time) + interval, or the product if that is the same but for rounding. */
static Tx *longer(Machines *m, Tx *time, Tx *ticks_before) {
    Front *front = m->front;
    Tx    *interval = builtin0(m, BUILTIN_interval, BASIC_REAL);
    Tx    *total = sum(m, mx_previous(m, time), interval);
    Tx    *product = tx_new(front, TX_MUL, 0, ty_scalar(BASIC_REAL), VARY_DISCRETE, 2);
    product->arg[0] = ticks_before;
    product->arg[1] = interval;
    Tx *difference = tx_new(front, TX_SUB, 0, ty_scalar(BASIC_REAL), VARY_DISCRETE, 2);
    difference->arg[0] = total;
    difference->arg[1] = product;
    Tx *size = builtin_make(front, BUILTIN_abs, 0, difference->type, VARY_DISCRETE,
                            &difference, 1);
    Tx *small = tx_new(front, TX_MUL, 0, ty_scalar(BASIC_REAL), VARY_DISCRETE, 2);
    small->arg[0] = tx_real(front, 0, 1e-14);
    small->arg[1] = product;
    return mx_if(m, mx_2(m, TX_LE, size, small), product, total);
}

/* ticksInState or timeInState of a state that is not entered at this tick. */
static Tx *one_more(Machines *m, const MachineState *s, bool ticks, Inst *at) {
    const MachineBlock *b = &m->block[s->block];
    Tx                 *before = mx_previous(m, mx_of_state(m, s, b->ticks, at));
    return ticks ? sum(m, before, number(m, 1))
                 : longer(m, mx_of_state(m, s, b->time, at), before);
}

static void since_equations(Machines *m, const Machine *k, const MachineState *s) {
    const MachineBlock *b = &m->block[s->block];
    Tx                 *active = mx_of_state(m, s, b->active, k->at);
    Tx                 *entered = mx_variable(m, k->entered, k->at);
    if (b->ticks) {
        Tx *ticks = mx_if(m, entered, number(m, 1), one_more(m, s, true, k->at));
        mx_equate(m, k->at, mx_of_state(m, s, b->ticks, k->at),
                  mx_if(m, active, ticks, number(m, 0)), s->pos);
    }
    if (b->time)
        mx_equate(m, k->at, mx_of_state(m, s, b->time, k->at),
                  mx_if(m, and_(m, active, not_(m, entered)),
                        one_more(m, s, false, k->at), tx_real(m->front, 0, 0)),
                  s->pos);
}

/* ---- transitions ---- */

static Machine *machine_around(Machines *m, const Machine *k) {
    for (int s = 0; k->up >= 0 && s < m->states; s++)
        if (m->state[s].block == k->up) return &m->machine[m->state[s].machine];
    return NULL;
}

/* activeState is, or was at the tick before, one of the final states of a machine. */
static Tx *in_final_state(Machines *m, const Machine *k, bool before, Inst *at) {
    Tx *any = truth(m, false);
    for (int j = 0; j < k->states; j++) {
        if (!m->state[k->state[j]].final) continue;
        Tx *now = before ? mx_previous(m, mx_variable(m, k->next_state, at))
                         : mx_variable(m, k->active_state, at);
        any = or_(m, any, mx_2(m, TX_EQ, now, number(m, j + 1)));
    }
    return any;
}

static Tx *condition_of(Machines *m, Machine *k, const Transition *t) {
    Tx *c = machine_rewrite(m, k->at, t, t->condition);
    for (int j = 0; j < m->machines && t->synchronize; j++)
        if (m->machine[j].up == m->state[t->from].block)
            c = and_(m, c, in_final_state(m, &m->machine[j], t->immediate, k->at));
    return c;
}

/* The largest number of a transition of one kind from the state in `now` whose condition holds. */
static Tx *largest(Machines *m, Machine *k, bool immediate, Inst *now) {
    Tx *found = number(m, 0);
    for (int i = 0; i < k->transitions; i++) {
        const Transition *t = &m->transition[k->transition[i]];
        if (t->immediate != immediate) continue;
        Tx *here = mx_2(m, TX_EQ, mx_variable(m, now, k->at),
                        number(m, m->state[t->from].number));
        Tx *holds = and_(m, here, mx_element(m, k->condition, i, k->at));
        found = mx_if(m, holds, number(m, i + 1), found);
    }
    return found;
}

/* What the fired transition says: its target, or whether it resets. */
static Tx *of_fired(Machines *m, Machine *k, bool target, Tx *otherwise) {
    for (int i = 0; i < k->transitions; i++) {
        const Transition *t = &m->transition[k->transition[i]];
        Tx *is = mx_2(m, TX_EQ, mx_variable(m, k->fired, k->at), number(m, i + 1));
        otherwise =
            mx_if(m, is, target ? number(m, m->state[t->to].number) : truth(m, t->reset),
                  otherwise);
    }
    return otherwise;
}

static void transition_equations(Machines *m, Machine *k) {
    Inst *at = k->at;
    for (int i = 0; i < k->transitions; i++) {
        const Transition *t = &m->transition[k->transition[i]];
        mx_equate(m, at, mx_element(m, k->condition, i, at), condition_of(m, k, t),
                  t->pos);
    }
    mx_equate(m, at, mx_variable(m, k->immediate, at), largest(m, k, true, k->selected),
              k->pos);
    mx_equate(m, at, mx_variable(m, k->delayed, at), largest(m, k, false, k->next_state),
              k->pos);
    Tx *both[2] = {mx_previous(m, mx_variable(m, k->delayed, at)),
                   mx_variable(m, k->immediate, at)};
    mx_equate(m, at, mx_variable(m, k->fired, at),
              builtin_make(m->front, BUILTIN_max, k->pos, ty_scalar(BASIC_INTEGER),
                           VARY_DISCRETE, both, 2),
              k->pos);
}

/* ---- states ---- */

static Tx *is_active(Machines *m, const Machine *k) {
    return k->up < 0 ? truth(m, true) : mx_variable(m, m->block[k->up].active, k->at);
}

/* Whether a state of this machine, or one around it, is entered at this tick. */
static void entered_equation(Machines *m, Machine *k) {
    Inst    *at = k->at;
    Machine *around = machine_around(m, k);
    Tx      *entered = or_(m, mx_variable(m, k->reset, at),
                           mx_2(m, TX_GT, mx_variable(m, k->fired, at), number(m, 0)));
    if (around) entered = or_(m, entered, mx_variable(m, around->entered, at));
    mx_equate(m, at, mx_variable(m, k->entered, at), entered, k->pos);
}

static void machine_equation(Machines *m, Machine *k, Inst *left, Tx *right) {
    mx_equate(m, k->at, mx_variable(m, left, k->at), right, k->pos);
}

static void kept_equations(Machines *m, Machine *k) {
    Inst *at = k->at;
    for (int j = 0; j < k->states; j++) {
        Tx *due = mx_element(m, k->due, j, at), *next = mx_element(m, k->next_due, j, at);
        Tx *other = mx_2(m, TX_NE, mx_variable(m, k->active_state, at), number(m, j + 1));
        mx_equate(m, at, due, or_(m, mx_variable(m, k->reset, at), mx_previous(m, next)),
                  k->pos);
        mx_equate(m, at, next,
                  mx_if(m, is_active(m, k), and_(m, other, due), mx_previous(m, next)),
                  k->pos);
    }
    Tx *next = mx_variable(m, k->next_state, at),
       *next_reset = mx_variable(m, k->next_reset, at);
    mx_equate(m, at, next,
              mx_if(m, is_active(m, k), mx_variable(m, k->active_state, at),
                    mx_previous(m, next)),
              k->pos);
    mx_equate(m, at, next_reset,
              and_(m, not_(m, is_active(m, k)), mx_previous(m, next_reset)), k->pos);
}

static void state_equations(Machines *m, Machine *k, const MachineState *s) {
    Inst               *at = k->at;
    const MachineBlock *b = &m->block[s->block];
    Tx                 *number_is =
        mx_2(m, TX_EQ, mx_variable(m, k->active_state, at), number(m, s->number));
    Tx *active = mx_of_state(m, s, b->active, at);
    Tx *anew = or_(m, mx_variable(m, k->active_reset, at),
                   mx_element(m, k->due, s->number - 1, at));
    mx_equate(m, at, active, and_(m, is_active(m, k), number_is), s->pos);
    mx_equate(m, at, mx_of_state(m, s, b->reset, at), and_(m, active, anew), s->pos);
    since_equations(m, k, s);
}

void machine_activity(Machines *m, Machine *k) {
    Inst *at = k->at;
    Tx *reset = mx_variable(m, k->reset, at), *selected = mx_variable(m, k->selected, at);
    machine_equation(m, k, k->reset,
                     k->up < 0 ? builtin0(m, BUILTIN_firstTick, BASIC_BOOLEAN)
                               : mx_variable(m, m->block[k->up].reset, at));
    machine_equation(
        m, k, k->selected,
        mx_if(m, reset, number(m, 1), mx_previous(m, mx_variable(m, k->next_state, at))));
    machine_equation(m, k, k->selected_reset,
                     or_(m, reset, mx_previous(m, mx_variable(m, k->next_reset, at))));
    transition_equations(m, k);
    machine_equation(m, k, k->active_state,
                     mx_if(m, reset, number(m, 1), of_fired(m, k, true, selected)));
    machine_equation(
        m, k, k->active_reset,
        or_(m, reset, of_fired(m, k, false, mx_variable(m, k->selected_reset, at))));
    entered_equation(m, k);
    kept_equations(m, k);
    for (int j = 0; j < k->states; j++) state_equations(m, k, &m->state[k->state[j]]);
}

/* ---- operators ---- */

Tx *machine_since_now(Machines *m, const Transition *of, bool ticks, Inst *at) {
    const MachineState *s = &m->state[of->from];
    Inst               *since = machine_since(m, s->block, ticks);
    if (!of->immediate) return mx_of_state(m, s, since, at);
    Machine *k = &m->machine[s->machine], *around = machine_around(m, k);
    Tx      *anew = mx_variable(m, k->reset, at);
    if (around) anew = or_(m, anew, mx_variable(m, around->entered, at));
    return mx_if(m, anew, ticks ? number(m, 1) : tx_real(m->front, 0, 0),
                 one_more(m, s, ticks, at));
}
