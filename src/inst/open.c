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
 * Of a choice the equations of the branches are paired, each to one that is as large and of the same kind:
 *     if c then x + y = 3 else x - y = 1   becomes   (if c then x + y else x - y) = (if c then 3 else 1)
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

bool mx_same_place(Machines *m, const Tx *a, const Tx *b) {
    if (a->kind != TX_REF || b->kind != TX_REF || a->inst != b->inst || a->n != b->n)
        return false;
    for (int k = 0; k < a->n; k++) {
        int64_t x, y;
        if (!a->arg[k] != !b->arg[k]) return false;
        if (a->arg[k] && (!eval_integer(m->front, a->arg[k], &x) ||
                          !eval_integer(m->front, b->arg[k], &y) || x != y))
            return false;
    }
    return true;
}

/* The value of `ref`, if `from` has this value; NULL: it cannot be turned so. */
static Tx *turned(const Guard *g, const Tx *from, Tx *value, const Tx *ref) {
    Tx *found = NULL;
    switch (from->kind) {
    case TX_REF: return mx_same_place(g->m, from, ref) ? value : NULL;
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

static Tx *solved_for(const Guard *g, Tx *left, Tx *right, const Tx *ref) {
    if (left->kind == TX_IF && right->kind == TX_IF && left->arg[0] == right->arg[0]) {
        Tx *yes = solved_for(g, left->arg[1], right->arg[1], ref);
        Tx *no = solved_for(g, left->arg[2], right->arg[2], ref);
        return yes && no ? mx_if(g->m, left->arg[0], yes, no) : NULL;
    }
    Tx *value = turned(g, left, right, ref);
    return value ? value : turned(g, right, left, ref);
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
    if (is_real(equ) ? ref->type.basic != BASIC_REAL
                     : !solved_for(g, equ->left, equ->right, ref))
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
    for (int k = 0; k < tx->n; k++) {
        bool condition = tx->kind == TX_IF && k % 2 == 0 && k + 1 < tx->n;
        if (!condition && take_reference(s, equation, tx->arg[k])) return true;
    }
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
                      mx_if(g->m, guard_active(g),
                            solved_for(g, equ->left, equ->right, own), kept));
    }
}

/* ---- choices ---- */

/* The equations of a branch, loops and choices in it by themselves; calls go to `calls`. False: refused. */
static bool plain(const Guard *g, const EquList *list, EquList *out, EquList *calls);

/* Arrays by elements, as branches may be written differently. False: it is not known how many there are. */
static bool add_elements(const Guard *g, EquList *out, Equ *equ) {
    Front *front = g->m->front;
    int    count = ty_count(equ->left->type), n = equ->left->type.ndim;
    for (int e = 0; n && e < count; e++) {
        Tx *sub[32];
        for (int d = n - 1, rest = e; d >= 0; rest /= equ->left->type.dim[d], d--)
            sub[d] = tx_integer(front, equ->pos, rest % equ->left->type.dim[d] + 1);
        guard_add(g, out, equ, tx_index(front, equ->left, sub, n),
                  tx_index(front, equ->right, sub, n));
    }
    if (!n) equ_add(front, out, equ);
    return count >= 0 && n <= 32;
}

static bool is_like(const Equ *a, const Equ *b) {
    return (a->left->type.basic == BASIC_REAL) == (b->left->type.basic == BASIC_REAL) &&
           (a->left->type.basic == BASIC_BOOLEAN) ==
               (b->left->type.basic == BASIC_BOOLEAN) &&
           same_size(a->left->type, b->left->type);
}

/* To equation k of a branch one of another branch, which takes its place there. */
static Equ *partner(EquList *branch, int k, const Equ *of) {
    for (int j = k; j < branch->count; j++) {
        Equ *found = branch->item[j];
        if (!is_like(found, of)) continue;
        branch->item[j] = branch->item[k];
        return branch->item[k] = found;
    }
    return NULL;
}

static bool pair(const Guard *g, const Equ *choice, EquList *branch, EquList *out) {
    int n = choice->count;
    for (int b = 0; b < n; b++)
        if (choice->cond[n - 1] || branch[b].count != branch[0].count) return false;
    for (int k = 0; k < branch[0].count; k++) {
        Equ *last = partner(&branch[n - 1], k, branch[0].item[k]);
        if (!last) return false;
        Tx *left = last->left, *right = last->right;
        for (int b = n - 2; b >= 0; b--) {
            Equ *here = partner(&branch[b], k, branch[0].item[k]);
            if (!here) return false;
            left = mx_if(g->m, choice->cond[b], here->left, left);
            right = mx_if(g->m, choice->cond[b], here->right, right);
        }
        guard_add(g, out, last, left, right);
    }
    return true;
}

static bool pair_branches(const Guard *g, Equ *equ, EquList *out, EquList *calls) {
    Arena   *arena = &g->m->front->arena;
    EquList *branch = NEW(arena, EquList, equ->count);
    Equ     *rest = arena_copy(arena, equ, sizeof *rest);
    bool     called = false, fine = true;
    rest->branch = NEW(arena, EquList, equ->count);
    for (int b = 0; b < equ->count && fine; b++) {
        fine = plain(g, &equ->branch[b], &branch[b], &rest->branch[b]);
        called |= rest->branch[b].count > 0;
    }
    if (called) equ_add(g->m->front, calls, rest);
    return fine && pair(g, equ, branch, out);
}

static bool plain(const Guard *g, const EquList *list, EquList *out, EquList *calls) {
    Front *front = g->m->front;
    bool   fine = true;
    for (int k = 0; k < list->count && fine; k++) {
        Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME && equ->left->type.basic < BASIC_RECORD)
            fine = add_elements(g, out, equ);
        else if (equ->kind == EQU_CALL) equ_add(front, calls, equ);
        else if (equ->kind == EQU_IF) fine = pair_branches(g, equ, out, calls);
        else if (equ->kind == EQU_FOR) {
            Value *v = eval_now(front, equ->iter->range);
            fine = v != NULL;
            for (int j = 0; v && j < v->count; j++) {
                EquList body = loop_round(front, equ, v, j);
                fine &= plain(g, &body, out, calls);
            }
        } else fine = false;
    }
    return fine;
}

void guard_open_choice(const Guard *g, EquList *out, Equ *equ) {
    EquList open = {0}, calls = {0};
    Guard   inside = *g;
    if (!pair_branches(g, equ, &open, &calls)) {
        guard_refuse_open(g, equ);
        return;
    }
    inside.open = NULL;
    guard_list(&inside, &calls);
    for (int k = 0; k < calls.count; k++) equ_add(g->m->front, out, calls.item[k]);
    for (int k = 0; k < open.count; k++) equ_add(g->m->front, g->open, open.item[k]);
}
