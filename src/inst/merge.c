/* SPDX-License-Identifier: Apache-2.0 */
/* merge.c -- variables that several states determine (Modelica 3.6, 17.3.5).
 *
 * `outer output v` in a state becomes a variable of that state, for which its equations are solved.
 * The inner v has one equation for all of them:
 *     v = if activeState(a) then a.v elseif activeState(b) then b.v else previous(v)
 * A v that is inner and outer in a state between merges what lies below and is merged further out;
 * previous(v) means the outermost one everywhere. Of a record each field is merged. (share.c merges outputs of states that are connected
 * to one input in the same way.) No two of the states may be active at once: somewhere around both there are
 * different states of one machine. */
#include "inst/machine.h"

#include <string.h>

typedef struct Merge {
    Inst *into;  /* the inner variable */
    Inst *local; /* the variable of the state */
    int   block; /* the state */
} Merge;

/* ---- outer output ---- */

Inst *machine_holder(const Inst *inst) {
    Inst *at = inst->parent;
    while (at && at->basic == BASIC_RECORD) at = at->parent;
    return at;
}

Inst *machine_local(const Machines *m, const Inst *at, Inst *inst) {
    for (int k = 0; k < m->merges; k++)
        if (m->merge[k].into == inst && machine_holder(m->merge[k].local) == at)
            return m->merge[k].local;
    return inst;
}

Inst *machine_outermost(const Machines *m, Inst *inst) {
    for (int k = 0; k < m->merges; k++)
        if (m->merge[k].local == inst) return machine_outermost(m, m->merge[k].into);
    return inst;
}

static void add_merge(Machines *m, Inst *into, Inst *local, int block) {
    Front *front = m->front;
    if (local->basic == BASIC_RECORD) {
        inst_all(front, local);
        for (int k = 0; k < into->nchild; k++) {
            Inst *field = into->child[k];
            if (field && !field->absent && field->vary > VARY_PARAMETER)
                add_merge(m, field, inst_child(front, local, field->name), block);
        }
    } else if (local->basic >= BASIC_CLOCK) {
        diag_report(m->front->diag, local->pos, CODE_F213,
                    "'%s' is an outer output of a state, but no number, Boolean, String, "
                    "enumeration or record of them",
                    text_of(m->front, local->name));
        return;
    }
    if (m->merges == m->merge_room)
        m->merge = arena_grow(&m->front->arena, m->merge, sizeof *m->merge,
                              &m->merge_room, m->merges + 1);
    m->merge[m->merges++] = (Merge){into, local, block};
}

/* An outer output of a state is a variable from now on. */
static void find_in(Machines *m, Inst *inst) {
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->state != INST_DONE) continue;
        int block = machine_block_around(m, inst);
        if (block >= 0 && child->prefix.outer && child->way == WAY_OUTPUT) {
            Inst *into = child->link ? child->link : inst_outside(m->front, child)->link;
            if (child->link) inst_unlink(m->front, child);
            if (into) add_merge(m, inst_real(into), child, block);
        } else if (!child->link && child->nchild) find_in(m, child);
    }
}

void machine_merge_find(Machines *m) {
    find_in(m, m->model->root);
}

/* ---- states that exclude each other ---- */

/* The state around a state, -1: none, or one of an array. */
static int state_around(const Machines *m, int state) {
    int block = m->machine[m->state[state].machine].up, found = -1;
    for (int s = 0; block >= 0 && s < m->states; s++) {
        if (m->state[s].block != block) continue;
        if (found >= 0) return -1;
        found = s;
    }
    return found;
}

bool machine_exclusive(const Machines *m, int a, int b) {
    for (int x = a; x >= 0; x = state_around(m, x))
        for (int y = b; y >= 0; y = state_around(m, y))
            if (m->state[x].machine == m->state[y].machine) return x != y;
    return false;
}

static void report_parallel(Machines *m, Pos pos, const Inst *inst, int a, int b) {
    Text text = {0};
    inst_pair(&text, m->front, m->block[m->state[a].block].inst,
              m->block[m->state[b].block].inst);
    diag_report(m->front->diag, pos, CODE_F209,
                "'%s' is determined in %s, which can be active at the same tick",
                text_of(m->front, inst->name), text_get(&text));
    text_free(&text);
}

/* ---- equations ---- */

static Inst *start_parameter(Machines *m, Inst *inst, Tx *tx, Inst *base) {
    Text name = {0};
    text_printf(&name, "%s.$start", text_of(m->front, inst->name));
    Inst *start =
        inst_child(m->front, inst->parent, str_of(m->front->strings, text_get(&name)));
    if (!start) {
        start = machine_variable(m, inst->parent, text_get(&name), (Basic)inst->basic, 0,
                                 false);
        start->cls = inst->cls;
        start->vary = VARY_PARAMETER;
        start->ndim = inst->ndim;
        start->dim = inst->dim;
        start->binding.tx = tx;
        start->binding.base = base ? base : inst->parent;
    }
    text_free(&name);
    return start;
}

static Tx *start_attribute(Machines *m, Inst *inst, Pos pos, Inst **base) {
    Front *front = m->front;
    Tx    *tx = inst_attribute(front, inst, WORD(front, start), base);
    if (tx) return tx;
    if (inst->basic != BASIC_ENUM)
        return inst->basic == BASIC_REAL      ? tx_real(front, pos, 0)
               : inst->basic == BASIC_INTEGER ? tx_integer(front, pos, 0)
               : inst->basic == BASIC_STRING  ? tx_string(front, pos, "")
                                              : tx_boolean(front, pos, false);
    tx = tx_new(front, TX_ENUM, pos, inst_type(front, inst), VARY_CONSTANT, 0);
    tx->i = 1;
    tx->type.ndim = 0;
    return tx;
}

Inst *machine_start(Machines *m, Inst *inst) {
    Inst *base = NULL;
    Tx   *tx = start_attribute(m, inst, inst->pos, &base);
    return start_parameter(m, inst, tx, base);
}

/* The start value of a variable: a number, or a parameter if it depends on some. */
static Tx *start_value(Machines *m, Inst *inst, const Tx *ref) {
    Inst *base = NULL;
    Tx   *tx = start_attribute(m, inst, ref->pos, &base);
    if (tx->vary == VARY_CONSTANT && tx->type.ndim == 0 && ref->type.ndim == 0) return tx;
    Tx *value = arena_copy(&m->front->arena, ref, sizeof *ref);
    value->inst = start_parameter(m, inst, tx, base);
    value->vary = VARY_PARAMETER;
    return value;
}

/* Variables of connectors are not held while a state is not active: what they were when it was. */
static Inst *held(Machines *m, Inst *inst, const MachineBlock *block) {
    Text name = {0};
    text_printf(&name, "%s.$last", text_of(m->front, inst->name));
    Str   word = str_of(m->front->strings, text_get(&name));
    Inst *last = inst_child(m->front, inst->parent, word);
    if (!last) {
        Inst *at = inst->parent;
        last = machine_variable(m, at, text_get(&name), (Basic)inst->basic, 0, false);
        last->cls = inst->cls;
        last->vary = inst->vary;
        last->ndim = inst->ndim;
        last->dim = inst->dim;
        mx_equate(m, at, mx_variable(m, last, at),
                  mx_if(m, mx_variable(m, block->active, at), mx_variable(m, inst, at),
                        mx_previous(m, mx_variable(m, last, at))),
                  inst->pos);
    }
    text_free(&name);
    return last;
}

Tx *machine_before(Machines *m, Inst *at, Tx *ref) {
    Inst *inst = machine_outermost(m, machine_local(m, at, ref->inst));
    if (inst != ref->inst) {
        Tx *outer = mx_variable(m, inst, at);
        if (ref->n == outer->n && ref->n)
            outer = tx_index(m->front, outer, ref->arg, ref->n);
        ref = outer;
    }
    int around = machine_block_around(m, inst->parent);
    if (around < 0 || !inst_is_under(at, m->block[around].inst))
        return mx_previous(m, ref);
    const MachineBlock *block = &m->block[around];
    Tx                 *start = start_value(m, inst, ref);
    Tx                 *kept = ref;
    if (inst->in_connector || inst->way == WAY_INPUT) {
        kept = arena_copy(&m->front->arena, ref, sizeof *ref);
        kept->inst = held(m, inst, block);
    }
    Tx *before = mx_previous(m, kept);
    Tx *choice = mx_if(m, mx_variable(m, block->reset, at), start, before);
    choice->type = before->type;
    return choice;
}

/* Is `inst` determined in the initial states of the machines that run at the first tick? */
static bool set_at_first(const Machines *m, const Inst *inst) {
    for (int k = 0; k < m->merges; k++) {
        if (m->merge[k].into != inst) continue;
        const Merge *e = &m->merge[k];
        for (int s = 0; s < m->states; s++)
            if (m->state[s].block == e->block && m->state[s].number == 1) return true;
    }
    return false;
}

static Tx *states_of(Machines *m, const Merge *e, Inst *at, Tx *value) {
    for (int s = m->states - 1; s >= 0; s--) {
        const MachineState *state = &m->state[s];
        if (state->block != e->block) continue;
        Tx       *active = mx_of_state(m, state, m->block[e->block].active, at), *local;
        const Tx *ref = state->ref;
        if (active && inst_is_under(ref->inst, at)) {
            local = mx_variable(m, e->local, at);
            if (ref->n) local = tx_index(m->front, local, ref->arg, ref->n);
        } else local = NULL;
        if (!local || local->type.ndim != mx_variable(m, e->into, at)->type.ndim) {
            report_parallel(m, e->local->pos, e->into, s, s);
            return value;
        }
        value = mx_if(m, active, local, value);
    }
    return value;
}

static void merge_equation(Machines *m, Inst *into) {
    Inst *at = machine_holder(into);
    Inst *outermost = machine_outermost(m, into);
    Tx   *self = mx_variable(m, into, at);
    Tx   *value = machine_before(m, at, self);
    for (int k = m->merges - 1; k >= 0; k--)
        if (m->merge[k].into == into) value = states_of(m, &m->merge[k], at, value);
    int block = outermost == into ? -1 : machine_block_around(m, at);
    if (block >= 0)
        value = mx_if(m, mx_variable(m, m->block[block].active, at), value,
                      mx_previous(m, self));
    mx_equate(m, at, self, value, into->pos);
    if (outermost == into &&
        !inst_attribute(m->front, into, WORD(m->front, start), NULL) &&
        !set_at_first(m, into))
        diag_report(m->front->diag, into->pos, CODE_F212,
                    "'%s' needs a start value: the initial state does not determine it",
                    text_of(m->front, into->name));
}

/* Every two states that determine one variable. */
static void check_parallel(Machines *m, int e) {
    for (int k = 0; k < e; k++) {
        const Merge *a = &m->merge[k], *b = &m->merge[e];
        if (a->into != b->into) continue;
        for (int x = 0; x < m->states; x++)
            for (int y = 0; y < m->states; y++)
                if (m->state[x].block == a->block && m->state[y].block == b->block &&
                    !machine_exclusive(m, x, y)) {
                    report_parallel(m, b->local->pos, a->into, x, y);
                    return;
                }
    }
}

void machine_merge_equations(Machines *m) {
    for (int k = 0; k < m->merges; k++) {
        bool first = true;
        if (m->merge[k].into->basic == BASIC_RECORD) continue;
        check_parallel(m, k);
        for (int j = 0; j < k; j++) first &= m->merge[j].into != m->merge[k].into;
        if (first) merge_equation(m, m->merge[k].into);
    }
}
