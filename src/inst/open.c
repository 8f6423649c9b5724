/* SPDX-License-Identifier: Apache-2.0 */
/* open.c -- equations of a state that are solved for no variable, as x + y = 3.
 *
 * Each gets one of the variables of the state that occur in it and that nothing else determines, by
 * augmenting paths of the bipartite graph of equations and variables (Kuhn 1955), and keeps that while the
 * state is not active:
 *     if active then f else x = if active then e else previous(x)
 * Arrays are determined as a whole or by elements. Integers and Booleans are not solved for by numbers:
 * their equation is turned into x = ..., through sums, differences and signs.
 *
 * Cost: equations times references in them, times the length of a path. */
#include "inst/machine.h"

#include <string.h>

typedef struct Solved { /* which variable each of them determines */
    const Guard   *g;
    const EquList *open, *others;
    Tx           **of;      /* by equation: a reference to its variable, NULL not found */
    bool          *visited; /* by equation, in one search */
} Solved;

/* ---- references ---- */

/* Do two references name a common element? No subscript: all of a dimension. */
static bool overlaps(const Guard *g, const Tx *a, const Tx *b) {
    if (a->inst != b->inst) return false;
    for (int k = 0; k < a->n && k < b->n; k++) {
        int64_t x, y;
        if (a->arg[k] && b->arg[k] && eval_integer(g->m->front, a->arg[k], &x) &&
            eval_integer(g->m->front, b->arg[k], &y) && x != y)
            return false;
    }
    return true;
}

static bool same_size(Ty a, Ty b) {
    if (a.ndim != b.ndim) return false;
    for (int d = 0; d < a.ndim; d++)
        if (a.dim[d] != b.dim[d] || a.dim[d] < 0) return false;
    return true;
}

/* ---- Integers and Booleans ---- */

static Tx *make(const Guard *g, TxKind kind, Tx *a, Tx *b) {
    Tx *tx = tx_new(g->m->front, kind, a->pos, a->type, VARY_DISCRETE, b ? 2 : 1);
    tx->arg[0] = a;
    if (b) tx->arg[1] = b;
    return tx;
}

/* The value of `ref`, if `from` has this value; NULL: it cannot be turned so. */
static Tx *turned(const Guard *g, const Tx *from, Tx *value, const Tx *ref) {
    Tx *found = NULL;
    switch (from->kind) {
    case TX_REF: return from == ref ? value : NULL;
    case TX_NEG: return turned(g, from->arg[0], make(g, TX_NEG, value, NULL), ref);
    case TX_NOT: return turned(g, from->arg[0], make(g, TX_NOT, value, NULL), ref);
    case TX_ADD:
        found = turned(g, from->arg[0], make(g, TX_SUB, value, from->arg[1]), ref);
        return found ? found
                     : turned(g, from->arg[1], make(g, TX_SUB, value, from->arg[0]), ref);
    case TX_SUB:
        found = turned(g, from->arg[0], make(g, TX_ADD, value, from->arg[1]), ref);
        return found ? found
                     : turned(g, from->arg[1], make(g, TX_SUB, from->arg[0], value), ref);
    default: return NULL;
    }
}

static Tx *solved_for(const Guard *g, const Equ *equ, const Tx *ref) {
    Tx *value = turned(g, equ->left, equ->right, ref);
    return value ? value : turned(g, equ->right, equ->left, ref);
}

static bool is_real(const Equ *equ) {
    return equ->left->type.basic == BASIC_REAL || equ->right->type.basic == BASIC_REAL;
}

/* ---- who determines what ---- */

/* May an open equation determine what a reference in it names? */
static bool may_determine(const Solved *s, const Equ *equ, const Tx *ref) {
    const Guard *g = s->g;
    if (!guard_owns(g, ref) || ref->inst->derived || ref->inst->binding.tx ||
        ref->inst->way == WAY_INPUT || ref->inst->in_connector ||
        !same_size(ref->type, equ->left->type))
        return false;
    if (is_real(equ) ? ref->type.basic != BASIC_REAL : !solved_for(g, equ, ref))
        return false;
    for (int k = 0; k < ref->n; k++) {
        int64_t at;
        if (ref->arg[k] && !eval_integer(g->m->front, ref->arg[k], &at)) return false;
    }
    for (int k = 0; k < s->others->count; k++) {
        const Equ *other = s->others->item[k];
        if (other->kind == EQU_SAME && other->left->kind == TX_REF &&
            overlaps(g, other->left, ref))
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
    if (!may_determine(s, s->open->item[equation], tx)) return false;
    for (int k = 0; k < s->open->count; k++)
        if (s->of[k] && overlaps(s->g, s->of[k], tx) && !find_variable(s, k))
            return false;
    s->of[equation] = tx;
    return true;
}

static bool find_variable(Solved *s, int equation) {
    const Equ *equ = s->open->item[equation];
    if (s->visited[equation]) return false;
    s->visited[equation] = true;
    return take_reference(s, equation, equ->left) ||
           take_reference(s, equation, equ->right);
}

void guard_open(const Guard *g, const EquList *open, EquList *out) {
    Arena *arena = &g->m->front->arena;
    int    n = open->count;
    Solved s = {g, open, out, NEW(arena, Tx *, n + 1), NEW(arena, bool, n + 1)};
    for (int k = 0; k < n; k++) {
        memset(s.visited, 0, sizeof *s.visited * (size_t)n);
        if (find_variable(&s, k)) continue;
        guard_refuse_open(g, open->item[k]);
        return;
    }
    for (int k = 0; k < n; k++) {
        const Equ *equ = open->item[k];
        Tx        *own = s.of[k], *kept = mx_previous(g->m, own);
        if (is_real(equ))
            guard_add(g, out, equ, mx_if(g->m, guard_active(g), equ->left, own),
                      mx_if(g->m, guard_active(g), equ->right, kept));
        else
            guard_add(g, out, equ, own,
                      mx_if(g->m, guard_active(g), solved_for(g, equ, own), kept));
    }
}
