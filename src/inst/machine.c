/* SPDX-License-Identifier: Apache-2.0 */
/* machine.c -- state machines (Modelica 3.6, chapter 17) become ordinary clocked equations.
 *
 * transition and initialState are collected from all instances, blocks that transitions join are one
 * machine, and every rule about them is checked here. Then
 *   activity.c   adds the equations of 17.3, which tell the active state of each machine,
 *   guard.c      lets the equations of a state hold only while it is active: otherwise its variables
 *                keep their values, and previous(x) is the start value of x where the state starts anew,
 *   merge.c      makes one equation of what several states determine.
 * Everything happens on typed equations, before variables are numbered, so that clocks, ordering and
 * code know nothing of state machines.
 *
 * Cost: linear in the equations, and for each machine in states and transitions. */
#include "inst/machine.h"

#include <stdlib.h>
#include <string.h>

/* ---- places ---- */

int machine_block_of(const Machines *m, const Inst *inst) {
    return (int)map_get(&m->block_of, (uintptr_t)inst, 0) - 1;
}

int machine_block_around(const Machines *m, const Inst *inst) {
    for (; inst; inst = inst->parent) {
        int block = machine_block_of(m, inst);
        if (block >= 0) return block;
    }
    return -1;
}

Inst *machine_variable(Machines *m, Inst *parent, const char *name, Basic basic,
                       int count, bool shown) {
    Front *front = m->front;
    Cls   *cls = basic == BASIC_BOOLEAN   ? front->boolean
                 : basic == BASIC_INTEGER ? front->integer
                                          : front->real;
    Inst  *inst = inst_new(front, parent, str_of(front->strings, name), cls, parent->pos);
    inst->basic = (uint8_t)basic;
    inst->state = INST_DONE;
    inst->binding.state = STEP_DONE;
    inst->vary = basic == BASIC_REAL ? VARY_CONTINUOUS : VARY_DISCRETE;
    inst->prefix.protected_ = !shown;
    inst->prefix.made = true;
    if (count) {
        inst->ndim = 1;
        inst->dim = arena_copy(&front->arena, &count, sizeof count);
    }
    inst_append(front, parent, inst);
    return inst;
}

/* ---- what the equations say ---- */

typedef struct Joined { /* states that an initialState or transition names */
    int   a, b;         /* b is -1 for initialState */
    Inst *at;
    Pos   pos;
} Joined;

typedef struct Collector {
    Machines *m;
    Inst     *at;
    Joined   *joined;
    int       count, room;
} Collector;

static int block_number(Machines *m, Inst *inst) {
    int block = machine_block_of(m, inst);
    if (block >= 0) return block;
    if (m->blocks == m->block_room)
        m->block = arena_grow(&m->front->arena, m->block, sizeof *m->block,
                              &m->block_room, m->blocks + 1);
    m->block[m->blocks] = (MachineBlock){.inst = inst};
    map_put(&m->block_of, (uintptr_t)inst, m->blocks + 1);
    return m->blocks++;
}

/* Number of the element that a reference selects, and its subscripts as numbers; -1: unknown. */
static int element_of(Machines *m, Tx *ref) {
    int         element = 0, n = 0;
    const Inst *chain[64];
    int         length = 0;
    for (const Inst *p = ref->inst; p && p != ref->base && length < 64; p = p->parent)
        chain[length++] = p;
    for (int c = length - 1; c >= 0; c--)
        for (int d = 0; d < chain[c]->ndim; d++, n++) {
            int64_t at;
            if (!eval_integer(m->front, ref->arg[n], &at) || at < 1 ||
                at > chain[c]->dim[d])
                return -1;
            ref->arg[n] = tx_integer(m->front, ref->pos, at);
            element = element * chain[c]->dim[d] + (int)at - 1;
        }
    return element;
}

static int state_number(Collector *c, Tx *ref, Pos pos) {
    Machines *m = c->m;
    Tx       *own = arena_copy(&m->front->arena, ref, sizeof *ref);
    if (ref->n) own->arg = arena_copy(&m->front->arena, ref->arg, sizeof(Tx *) * ref->n);
    int element = element_of(m, own), block = block_number(m, ref->inst);
    for (int s = 0; s < m->states; s++)
        if (m->state[s].block == block && m->state[s].element == element) return s;
    if (m->states == m->state_room)
        m->state = arena_grow(&m->front->arena, m->state, sizeof *m->state,
                              &m->state_room, m->states + 1);
    m->state[m->states] = (MachineState){
        .block = block, .ref = own, .element = element, .machine = -1, .pos = pos};
    return m->states++;
}

static void add_joined(Collector *c, int a, int b, Pos pos) {
    if (c->count == c->room)
        c->joined = arena_grow(&c->m->front->arena, c->joined, sizeof *c->joined,
                               &c->room, c->count + 1);
    c->joined[c->count++] = (Joined){a, b, c->at, pos};
}

static bool option(Machines *m, const Tx *tx, int k, bool otherwise) {
    bool value = otherwise;
    if (k < tx->n && tx->arg[k] && !eval_boolean(m->front, tx->arg[k], &value))
        diag_report(m->front->diag, tx->arg[k]->pos, CODE_F202,
                    "the value of this option is not known when translating");
    return value;
}

static void add_transition(Collector *c, const Tx *tx, Pos pos) {
    Machines  *m = c->m;
    Transition t = {.condition = tx->arg[2],
                    .immediate = option(m, tx, 3, true),
                    .reset = option(m, tx, 4, true),
                    .synchronize = option(m, tx, 5, false),
                    .priority = 1,
                    .pos = pos};
    t.from = state_number(c, tx->arg[0], pos);
    t.to = state_number(c, tx->arg[1], pos);
    if (tx->n > 6 && tx->arg[6] && !eval_integer(m->front, tx->arg[6], &t.priority))
        diag_report(m->front->diag, tx->arg[6]->pos, CODE_F202,
                    "the priority of this transition is not known when translating");
    if (t.priority < 1)
        diag_report(m->front->diag, tx->arg[6]->pos, CODE_F203,
                    "the priority of a transition is at least 1, this is %lld",
                    (long long)t.priority);
    if (m->transitions == m->transition_room)
        m->transition = arena_grow(&m->front->arena, m->transition, sizeof t,
                                   &m->transition_room, m->transitions + 1);
    m->transition[m->transitions++] = t;
    add_joined(c, t.from, t.to, pos);
}

static bool is_call_of(const Equ *equ, int id) {
    return equ->kind == EQU_CALL && equ->left->kind == TX_BUILTIN &&
           equ->left->builtin->id == id;
}

static bool has_machine(const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (is_call_of(equ, BUILTIN_transition) || is_call_of(equ, BUILTIN_initialState))
            return true;
        if (has_machine(&equ->body)) return true;
        for (int j = 0; j < equ->count; j++)
            if (has_machine(&equ->branch[j])) return true;
    }
    return false;
}

static void collect(Collector *c, EquList *list);

/* Each value of the loop by itself; its other equations go to `rest`. */
static void collect_loop(Collector *c, const Equ *equ, EquList *rest) {
    Front *front = c->m->front;
    Value *v = eval_now(front, equ->iter->range);
    for (int j = 0; v && j < v->count; j++) {
        EquList body = loop_round(front, equ, v, j);
        collect(c, &body);
        for (int i = 0; i < body.count; i++) equ_add(front, rest, body.item[i]);
    }
}

/* The branch whose condition holds; conditions are known (clause.c sees to it). */
static void collect_branch(Collector *c, const Equ *equ, EquList *rest) {
    for (int b = 0; b < equ->count; b++) {
        bool holds = true;
        if (equ->cond[b] && !eval_boolean(c->m->front, equ->cond[b], &holds))
            holds = false;
        if (!holds) continue;
        collect(c, &equ->branch[b]);
        for (int i = 0; i < equ->branch[b].count; i++)
            equ_add(c->m->front, rest, equ->branch[b].item[i]);
        return;
    }
}

/* Takes what defines state machines out of a list of equations. */
static void collect(Collector *c, EquList *list) {
    EquList rest = {0};
    if (!has_machine(list)) return;
    for (int k = 0; k < list->count; k++) {
        Equ    *equ = list->item[k];
        EquList one = {.item = &equ, .count = 1};
        if (is_call_of(equ, BUILTIN_transition)) add_transition(c, equ->left, equ->pos);
        else if (is_call_of(equ, BUILTIN_initialState))
            add_joined(c, state_number(c, equ->left->arg[0], equ->pos), -1, equ->pos);
        else if (equ->kind == EQU_FOR && has_machine(&one)) collect_loop(c, equ, &rest);
        else if (equ->kind == EQU_IF && has_machine(&one)) collect_branch(c, equ, &rest);
        else equ_add(c->m->front, &rest, equ);
    }
    *list = rest;
}

/* ---- machines ---- */

static const char *state_name(Machines *m, int state) {
    Text text = {0};
    inst_name(&text, m->front, m->block[m->state[state].block].inst);
    if (m->block[m->state[state].block].inst->ndim)
        text_printf(&text, "[%d]", m->state[state].element + 1);
    const char *name = arena_string(&m->front->arena, text_get(&text), text.length);
    text_free(&text);
    return name;
}

static void set_initial(Machines *m, Machine *machine, int state, Pos pos) {
    if (machine->initial < 0) {
        machine->initial = state;
        machine->pos = pos;
        return;
    }
    if (machine->initial == state) return;
    diag_report(m->front->diag, pos, CODE_F206,
                "'%s' and '%s' are both initial states of one state machine",
                state_name(m, machine->initial), state_name(m, state));
    diag_note(m->front->diag, machine->pos, "the other one is named here");
}

/* Components of states that transitions join, in the order of their first states. */
static void make_machines(Machines *m, const Collector *c) {
    int *up = NEW(&m->front->arena, int, m->states + 1);
    m->machine = NEW(&m->front->arena, Machine, m->states + 1);
    for (int s = 0; s < m->states; s++) up[s] = s;
    for (int k = 0; k < c->count; k++)
        if (c->joined[k].b >= 0) set_join(up, c->joined[k].a, c->joined[k].b);
    for (int s = 0; s < m->states; s++) {
        int      root = set_find(up, s);
        Machine *machine;
        if (m->state[root].machine < 0) {
            m->state[root].machine = m->machines;
            machine = &m->machine[m->machines++];
            *machine = (Machine){.initial = -1, .pos = m->state[s].pos, .up = -1};
            machine->state = NEW(&m->front->arena, int, m->states);
            machine->transition = NEW(&m->front->arena, int, m->transitions + 1);
        }
        m->state[s].machine = m->state[root].machine;
        m->state[s].final = true;
    }
    for (int k = 0; k < c->count; k++) {
        Machine *machine = &m->machine[m->state[c->joined[k].a].machine];
        if (!machine->at) machine->at = c->joined[k].at;
        if (c->joined[k].b < 0) {
            machine->at = c->joined[k].at;
            set_initial(m, machine, c->joined[k].a, c->joined[k].pos);
        }
    }
}

/* States with the initial one first, transitions with the smallest priority last. */
static void order_machines(Machines *m) {
    for (int s = 0; s < m->states; s++) {
        Machine *machine = &m->machine[m->state[s].machine];
        bool     first = machine->initial == s;
        if (first)
            memmove(machine->state + 1, machine->state,
                    sizeof(int) * (size_t)machine->states);
        machine->state[first ? 0 : machine->states] = s;
        machine->states++;
    }
    for (int k = 0; k < m->machines; k++)
        for (int j = 0; j < m->machine[k].states; j++)
            m->state[m->machine[k].state[j]].number = j + 1;
    for (int t = 0; t < m->transitions; t++) {
        Machine *machine = &m->machine[m->state[m->transition[t].from].machine];
        int      at = machine->transitions++;
        m->state[m->transition[t].from].final = false;
        for (; at > 0 && m->transition[machine->transition[at - 1]].priority <
                             m->transition[t].priority;
             at--)
            machine->transition[at] = machine->transition[at - 1];
        machine->transition[at] = t;
    }
}

/* ---- rules ---- */

static void check_priorities(Machines *m) {
    for (int t = 1; t < m->transitions; t++)
        for (int u = 0; u < t; u++) {
            const Transition *a = &m->transition[u], *b = &m->transition[t];
            if (a->from != b->from || a->priority != b->priority) continue;
            diag_report(m->front->diag, b->pos, CODE_F204,
                        "two transitions from '%s' have the priority %lld",
                        state_name(m, b->from), (long long)b->priority);
            diag_note(m->front->diag, a->pos, "the other one is here");
            break;
        }
}

/* All states of a machine lie in one state, or in none. */
static void check_level(Machines *m, Machine *machine) {
    for (int j = 0; j < machine->states; j++) {
        const MachineState *state = &m->state[machine->state[j]];
        const Inst         *inst = m->block[state->block].inst;
        int                 up = machine_block_around(m, inst->parent);
        if (j == 0) machine->up = up;
        if (up == machine->up) continue;
        diag_report(
            m->front->diag, state->pos, CODE_F211,
            "'%s' and '%s' are states of one machine, but lie in different states",
            state_name(m, machine->state[0]), state_name(m, machine->state[j]));
        return;
    }
}

/* Of an array of blocks all elements are states, or none. */
static void check_elements(Machines *m, int block) {
    int all = 1, states = 0, last = -1;
    for (int s = 0; s < m->states; s++)
        if (m->state[s].block == block) states++, last = s;
    const Inst *inst = m->block[block].inst;
    for (const Inst *p = inst; p && p != m->state[last].ref->base; p = p->parent)
        for (int d = 0; d < p->ndim; d++) all *= p->dim[d];
    if (states != all)
        diag_report(m->front->diag, m->state[last].pos, CODE_F201,
                    "%d of the %d elements of '%s' are states: all must be, or none",
                    states, all, text_of(m->front, inst->name));
}

static void check_machines(Machines *m) {
    for (int k = 0; k < m->machines; k++) {
        Machine *machine = &m->machine[k];
        if (machine->initial < 0)
            diag_report(m->front->diag, machine->pos, CODE_F205,
                        "no initialState is given for the state machine of '%s'",
                        state_name(m, machine->state[0]));
        check_level(m, machine);
    }
    for (int s = 0; s < m->states; s++)
        if (m->state[s].element < 0)
            diag_report(
                m->front->diag, m->state[s].pos, CODE_F201,
                "which element of '%s' is the state is not known when translating",
                text_of(m->front, m->block[m->state[s].block].inst->name));
    for (int b = 0; b < m->blocks; b++) check_elements(m, b);
    check_priorities(m);
}

/* ---- entry ---- */

void machines_expand(FlatModel *model) {
    Front    *front = model->front;
    Machines *m = front->uses.machines = NEW(&front->arena, Machines, 1);
    Collector c = {.m = m};
    m->front = front;
    m->model = model;
    for (int k = 0; k < model->parts; k++) {
        map_put(&m->part_of, (uintptr_t)model->part[k].inst, k + 1);
        c.at = model->part[k].inst;
        collect(&c, &model->part[k].equation);
    }
    make_machines(m, &c);
    order_machines(m);
    check_machines(m);
    if (front->diag->errors) return;
    machine_flags(m);
    machine_merge_find(m);
    if (front->diag->errors) return;
    machine_guard(m);
    for (int k = 0; k < m->machines; k++) machine_activity(m, &m->machine[k]);
    machine_merge_equations(m);
}

void machines_free(Machines *m) {
    if (!m) return;
    map_free(&m->block_of);
    map_free(&m->part_of);
}
