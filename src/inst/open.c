/* SPDX-License-Identifier: Apache-2.0 */
/* open.c -- equations of a state that are solved for no variable, as x + y = 3.
 *
 * Each gets one of the variables of the state that occur in it and that nothing else determines, by
 * augmenting paths of the bipartite graph of equations and variables (Kuhn 1955), and keeps that while the
 * state is not active:
 *     if active then f else x = if active then e else previous(x)
 * Arrays are determined as a whole or by elements. Integers and Booleans are not solved for by numbers
 * (expr/exact.c): variables that an equation gives without a remainder come first.
 *
 * Of a choice the equations of the branches are paired, each to one that is as large and of the same kind:
 *     if c then x + y = 3 else x - y = 1   becomes   (if c then x + y else x - y) = (if c then 3 else 1)
 *
 * Cost: equations times references in them, times the length of a path. */
#include "inst/machine.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 30 }; /* multiples stay exact */

typedef struct Solved { /* which variable each of them determines */
    const Guard   *g;
    const EquList *open, *others;
    Tx           **of;      /* by equation: a reference to its variable, NULL not found */
    bool          *visited; /* by equation, in one search */
    bool surely; /* only variables that the equation gives for sure, see gives() */
} Solved;

/* ---- references ---- */

/* Do two references, or two derivatives, name a common element? No subscript: all of a dimension. */
static bool overlaps(const Guard *g, const Tx *a, const Tx *b) {
    if (guard_is_derivative(a) && guard_is_derivative(b))
        return overlaps(g, a->arg[0], b->arg[0]);
    if (a->kind != TX_REF || b->kind != TX_REF || a->inst != b->inst) return false;
    for (int k = 0; k < a->n && k < b->n; k++) {
        int64_t x, y;
        if (a->arg[k] && b->arg[k] && eval_integer(g->m->front, a->arg[k], &x) &&
            eval_integer(g->m->front, b->arg[k], &y) && x != y)
            return false;
    }
    return true;
}

/* Do these equations, or those of loops and choices among them, determine a part of it? */
static bool is_taken(const Guard *g, const EquList *list, const Tx *tx) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME && overlaps(g, equ->left, tx)) return true;
        if (is_taken(g, &equ->body, tx)) return true;
        for (int j = 0; j < equ->count; j++)
            if (is_taken(g, &equ->branch[j], tx)) return true;
    }
    return false;
}

static bool same_size(Ty a, Ty b) {
    if (a.ndim != b.ndim) return false;
    for (int d = 0; d < a.ndim; d++)
        if (a.dim[d] != b.dim[d] || a.dim[d] < 0) return false;
    return true;
}

/* ---- Integers and Booleans ---- */

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

static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return llabs(a);
}

/* left - right as a sum of multiples of Integers, or what stands below `not`. */
typedef struct Sum {
    int64_t of;    /* multiple of the variable */
    int64_t other; /* greatest common divisor of the multiples of everything else */
    bool    odd;   /* the variable stands elsewhere as well */
} Sum;

static bool mentions(const Guard *g, const Tx *tx, const Tx *ref) {
    bool found = mx_same_place(g->m, tx, ref);
    for (int k = 0; k < tx->n && !found; k++)
        found = tx->arg[k] && mentions(g, tx->arg[k], ref);
    return found;
}

static void add_sum(const Guard *g, Sum *sum, const Tx *tx, const Tx *ref, int64_t by);

/* Of a choice both branches have the same multiple. */
static void add_branches(const Guard *g, Sum *sum, const Tx *tx, const Tx *ref,
                         int64_t by) {
    Sum first = {.odd = mentions(g, tx->arg[0], ref)};
    add_sum(g, &first, tx->arg[1], ref, by);
    for (int k = 2; k < tx->n; k++) {
        bool condition = k % 2 == 0 && k + 1 < tx->n;
        Sum  next = {0};
        if (condition) next.odd = mentions(g, tx->arg[k], ref);
        else add_sum(g, &next, tx->arg[k], ref, by);
        first.odd |= next.odd || (!condition && next.of != first.of);
        first.other = gcd(first.other, next.other);
    }
    sum->of += first.of;
    sum->other = gcd(sum->other, first.other);
    sum->odd |= first.odd;
}

static void add_sum(const Guard *g, Sum *sum, const Tx *tx, const Tx *ref, int64_t by) {
    const Tx *const *arg = (const Tx *const *)tx->arg;
    if (mx_same_place(g->m, tx, ref)) {
        sum->of += by;
        return;
    }
    switch (tx->kind) {
    case TX_INTEGER: sum->other = gcd(sum->other, by * tx->i); return;
    case TX_NEG: add_sum(g, sum, arg[0], ref, -by); return;
    case TX_NOT: add_sum(g, sum, arg[0], ref, by); return;
    case TX_ADD:
    case TX_SUB:
        add_sum(g, sum, arg[0], ref, by);
        add_sum(g, sum, arg[1], ref, tx->kind == TX_ADD ? by : -by);
        return;
    case TX_MUL:
        for (int k = 0; k < 2; k++)
            if (arg[k]->kind == TX_INTEGER && llabs(arg[k]->i) < LARGEST &&
                llabs(by) < LARGEST) {
                add_sum(g, sum, arg[1 - k], ref, by * arg[k]->i);
                return;
            }
        break;
    case TX_IF: add_branches(g, sum, tx, ref, by); return;
    default: break;
    }
    sum->odd |= mentions(g, tx, ref);
    sum->other = gcd(sum->other, by);
}

/* Does the equation surely give the variable, which is no Real, without a remainder? */
static bool gives(const Guard *g, const Equ *equ, const Tx *ref) {
    Sum sum = {0};
    add_sum(g, &sum, equ->left, ref, 1);
    add_sum(g, &sum, equ->right, ref, -1);
    return !sum.odd && sum.of && sum.other % sum.of == 0;
}

static bool is_real(const Equ *equ) {
    return equ->left->type.basic == BASIC_REAL || equ->right->type.basic == BASIC_REAL;
}

/* ---- equations that stay ---- */

static bool is_acausal(const Tx *tx) {
    bool found = tx->kind == TX_REF && tx->inst->in_connector &&
                 tx->inst->way == WAY_NONE && tx->inst->vary > VARY_PARAMETER;
    for (int k = 0; k < tx->n && !found; k++)
        found = tx->arg[k] && is_acausal(tx->arg[k]);
    return found;
}

/* Does an expression follow from parameters, and from variables of the state at this tick? */
static bool is_closed(const Guard *g, const Tx *tx) {
    bool closed = true;
    switch (tx->kind) {
    case TX_TIME: return false;
    case TX_REF: closed = tx->inst->vary <= VARY_PARAMETER || guard_owns(g, tx); break;
    case TX_BUILTIN: closed = guard_is_derivative(tx) || tx->builtin->eval; break;
    case TX_CALL: closed = !tx->func->impure; break;
    default: break;
    }
    for (int k = 0; k < tx->n && closed; k++)
        closed = !tx->arg[k] || is_closed(g, tx->arg[k]);
    return closed;
}

/* Who determines a variable of a physical connector is known only with all that is connected. Equations of such
 * components relate values that are kept, as connections do, and hold in any case. */
static EquList without_acausal(const Guard *g, const EquList *open, EquList *out) {
    EquList rest = {0};
    bool    acausal = false;
    for (int k = 0; k < open->count && !acausal; k++)
        acausal = is_acausal(open->item[k]->left) || is_acausal(open->item[k]->right);
    for (int k = 0; k < open->count; k++) {
        Equ *equ = open->item[k];
        bool stays = acausal && is_real(equ) && is_closed(g, equ->left) &&
                     is_closed(g, equ->right);
        equ_add(g->m->front, stays ? out : &rest, equ);
    }
    return rest;
}

/* ---- who determines what ---- */

/* A variable that the equations of this instance determine, not those of one inside of it. */
static bool is_own(const Guard *g, const Inst *inst) {
    bool inside = machine_holder(inst) != g->at;
    if (!inst->in_connector) return !inside || inst->way == WAY_INPUT;
    return inst->way == (inside ? WAY_INPUT : WAY_OUTPUT);
}

/* May an equation determine what a reference in it names? */
static bool may_determine(const Solved *s, const Equ *equ, const Tx *tx) {
    const Guard *g = s->g;
    const Tx    *ref = guard_is_derivative(tx) ? tx->arg[0] : tx;
    if (!guard_owns(g, ref) || !guard_may_give(g, tx) ||
        !same_size(tx->type, equ->left->type) || (ref == tx && ref->inst->derived) ||
        ref->type.basic != (is_real(equ) ? BASIC_REAL : equ->left->type.basic))
        return false;
    if (ref->inst->in_connector && ref->inst->way == WAY_NONE) return false;
    if (s->surely && ref == tx &&
        (!is_own(g, ref->inst) || (!is_real(equ) && !gives(g, equ, ref))))
        return false;
    for (int k = 0; k < ref->n; k++) {
        int64_t at;
        if (ref->arg[k] && !eval_integer(g->m->front, ref->arg[k], &at)) return false;
    }
    return !is_taken(g, s->others, tx);
}

static bool find_variable(Solved *s, int equation);

/* The variable of a reference is free, or its equation finds another one. */
static bool take_reference(Solved *s, int equation, Tx *tx) {
    bool derivative = tx && guard_is_derivative(tx);
    if (!tx || (tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_previous))
        return false;
    for (int k = 0; k < tx->n && !derivative; k++) {
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

/* An equation with one variable alone on a side determines that, if no other one does. */
static void take_sides(Solved *s) {
    for (int k = 0; k < s->open->count; k++) {
        const Equ *equ = s->open->item[k];
        Tx        *side = guard_side(s->g, equ->left, equ->right);
        if (!side || !guard_may_give(s->g, side) || is_taken(s->g, s->others, side))
            continue;
        bool free = true;
        for (int j = 0; j < k && free; j++)
            free = !s->of[j] || !overlaps(s->g, s->of[j], side);
        if (free) s->of[k] = side;
    }
}

static bool look_for_variable(Solved *s, int equation) {
    if (s->of[equation]) return true;
    for (int look = 0; look < 2; look++) {
        s->surely = look == 0;
        memset(s->visited, 0, sizeof *s->visited * (size_t)s->open->count);
        if (find_variable(s, equation)) return true;
    }
    /* what is determined twice is told when all equations are put in order */
    const Equ *equ = s->open->item[equation];
    return (s->of[equation] = guard_side(s->g, equ->left, equ->right));
}

void guard_open(const Guard *g, const EquList *all, EquList *out) {
    Arena        *arena = &g->m->front->arena;
    const EquList rest = without_acausal(g, all, out), *open = &rest;
    int           n = open->count;
    Solved s = {g, open, out, NEW(arena, Tx *, n + 1), NEW(arena, bool, n + 1), false};
    take_sides(&s);
    for (int k = 0; k < n; k++)
        if (!look_for_variable(&s, k)) {
            guard_refuse_open(g, open->item[k]);
            return;
        }
    for (int k = 0; k < n; k++) {
        const Equ *equ = open->item[k];
        Tx        *own = s.of[k];
        if (own == equ->left) guard_solved(g, out, equ, own, equ->right);
        else if (own == equ->right) guard_solved(g, out, equ, own, equ->left);
        else
            guard_add(g, out, equ, mx_if(g->m, guard_active(g), equ->left, own),
                      mx_if(g->m, guard_active(g), equ->right, guard_kept(g, own)));
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
