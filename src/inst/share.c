/* SPDX-License-Identifier: Apache-2.0 */
/* share.c -- outputs of states that are connected to one input (Modelica 3.6, 17.3.6).
 *
 * A connection set falls into the members inside each state that gives it a value, and all others. Each
 * of these groups is a set of its own, and
 *     u = if activeState(a) then a.y elseif activeState(b) then b.y else previous(u)
 * joins them. The outermost machine comes first; a group may hold outputs of machines further in. */
#include "inst/machine.h"

#include <string.h>

/* Is `inst` an output of this block itself? */
static bool is_output_of(const Inst *inst, const Inst *block) {
    if (inst->way != WAY_OUTPUT || !inst->in_connector) return false;
    const Inst *top = inst;
    while (top->parent && top->parent->in_connector) top = top->parent;
    return top->parent == block;
}

/* The state that holds element e of an instance below block b, -1: none. */
static int state_with(const Machines *m, int b, const Inst *inst, int e) {
    const Inst *block = m->block[b].inst;
    for (const Inst *p = inst; p != block; p = p->parent)
        for (int d = 0; d < p->ndim; d++) e /= p->dim[d];
    for (int s = 0; s < m->states; s++)
        if (m->state[s].block == b && m->state[s].element == e &&
            inst_depth_dims(block, NULL) == m->state[s].ref->n)
            return s;
    return -1;
}

bool machine_may_share(const Front *front, const Inst *a, const Inst *b) {
    const Machines *m = front->uses.machines;
    if (!m) return false;
    int x = machine_block_around(m, a), y = machine_block_around(m, b);
    if (x < 0 || y < 0 || !is_output_of(a, m->block[x].inst) ||
        !is_output_of(b, m->block[y].inst))
        return false;
    for (int s = 0; s < m->states; s++)
        for (int t = 0; t < m->states; t++)
            if (m->state[s].block == x && m->state[t].block == y && (x != y || s != t) &&
                !machine_exclusive(m, s, t))
                return false;
    return true;
}

bool machine_shares(const Front *front, const Inst *inst) {
    const Machines *m = front->uses.machines;
    for (int k = 0; m && k < m->machines; k++)
        if (m->machine[k].at == inst && m->machine[k].shares) return true;
    return false;
}

/* The state of machine k in which a scalar lies, -1: in none. */
static int state_in(const Machines *m, int k, int scalar) {
    const Inst *inst = flat_var_of(m->model, scalar);
    for (const Inst *p = inst; p; p = p->parent) {
        int b = machine_block_of(m, p);
        int s = b < 0 ? -1 : state_with(m, b, inst, scalar - inst->first);
        if (s >= 0 && m->state[s].machine == k) return s;
    }
    return -1;
}

/* The states of machine k that give the set a value, in `gives`; returns their number. */
static int sources(const Machines *m, int k, const int *var, int n, bool *gives) {
    int count = 0;
    memset(gives, 0, sizeof *gives * (size_t)m->states);
    for (int i = 0; i < n; i++) {
        const Inst *inst = flat_var_of(m->model, var[i]);
        int         s = state_in(m, k, var[i]);
        if (s < 0 || gives[s] || !is_output_of(inst, m->block[m->state[s].block].inst))
            continue;
        gives[s] = true;
        count++;
    }
    return count;
}

static Tx *scalar_ref(Machines *m, int scalar) {
    Inst *inst = flat_var_of(m->model, scalar);
    Tx   *ref = tx_ref(m->front, inst->pos, inst, m->model->root);
    int   e = scalar - inst->first, n = ref->n;
    Tx  **sub = NEW(&m->front->arena, Tx *, n + 1);
    for (Inst *p = inst; p; p = p->parent)
        for (int d = p->ndim - 1; d >= 0; d--) {
            sub[--n] = tx_integer(m->front, inst->pos, e % p->dim[d] + 1);
            e /= p->dim[d];
        }
    return ref->n ? tx_index(m->front, ref, sub, ref->n) : ref;
}

static void join_group(FlatModel *model, Pos pos, const int *var, int n) {
    if (n > 1 && !machine_connected(model, pos, var, n))
        connect_add(model, CONNEQ_SAME, pos, var, n);
}

/* Splits a set by the states of machine k; what is outside gets the value of the active one. */
static void split(Machines *m, int k, Pos pos, const int *var, int n, const bool *gives) {
    FlatModel *model = m->model;
    int       *group = NEW(&m->front->arena, int, n), size = 0;
    for (int i = 0; i < n; i++) {
        int s = state_in(m, k, var[i]);
        if (s < 0 || !gives[s]) group[size++] = var[i];
    }
    join_group(model, pos, group, size);
    m->machine[k].shares = true;
    Tx *to = size ? scalar_ref(m, group[0]) : NULL,
       *value = to ? mx_previous(m, to) : NULL;
    for (int s = m->states - 1; s >= 0; s--) {
        int count = 0, *inside = NEW(&m->front->arena, int, n);
        for (int i = 0; gives[s] && i < n; i++)
            if (state_in(m, k, var[i]) == s) inside[count++] = var[i];
        join_group(model, pos, inside, count);
        if (!count || !to) continue;
        Tx *active =
            mx_of_state(m, &m->state[s], m->block[m->state[s].block].active, model->root);
        value = mx_if(m, active, scalar_ref(m, inside[0]), value);
    }
    if (!to) return;
    Equ *equ = NEW(&m->front->arena, Equ, 1);
    *equ = (Equ){.kind = EQU_SAME, .pos = pos, .left = to, .right = value};
    equ_add(m->front, &model->extra, equ);
}

bool machine_connected(FlatModel *model, Pos pos, const int *var, int n) {
    Machines *m = model->front->uses.machines;
    if (!m) return false;
    int   found = -1;
    bool *gives = NEW(&m->front->arena, bool, m->states + 1);
    for (int k = 0; k < m->machines; k++)
        if (sources(m, k, var, n, gives) > 1 &&
            (found < 0 || inst_is_under(m->machine[found].at, m->machine[k].at)))
            found = k;
    if (found < 0) return false;
    sources(m, found, var, n, gives);
    split(m, found, pos, var, n, gives);
    return true;
}
