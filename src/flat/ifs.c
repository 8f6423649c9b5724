/* SPDX-License-Identifier: Apache-2.0 */
/* ifs.c -- if-equations: equations of all branches paired, each pair one row with a choice. */
#include "flat/job.h"

enum { PAIRS = 1024 };

static int pair_up(Lower *l, const Equ *equ, const Equ **out, int n);

/* Array equations as scalar ones, so that branches written differently can be paired. */
static int split_arrays(Lower *l, const Equ **list, int n, const Equ **out) {
    int m = 0;
    for (int k = 0; k < n; k++) {
        const Tx *left = list[k]->left, *right = list[k]->right;
        int       count = left->kind == TX_TUPLE ? 1 : ty_count(left->type);
        if (left->type.ndim == 0 || left->kind == TX_TUPLE || count < 0) {
            if (m < PAIRS) out[m++] = list[k];
            continue;
        }
        for (int e = 0; e < count && m < PAIRS; e++) {
            Tx *sub[NEST];
            int rest = e;
            for (int d = left->type.ndim - 1; d >= 0; d--) {
                sub[d] = tx_integer(l->front, left->pos, rest % left->type.dim[d] + 1);
                rest /= left->type.dim[d];
            }
            Equ *one = NEW(&l->front->arena, Equ, 1);
            *one = *list[k];
            one->left = tx_index(l->front, (Tx *)left, sub, left->type.ndim);
            one->right = tx_index(l->front, (Tx *)right, sub, right->type.ndim);
            out[m++] = one;
        }
    }
    return m;
}

/* An equation, or those of the results of a call and of the fields of a record. */
static int single_equations(Lower *l, const Equ *equ, const Equ **out, int n) {
    EquList parts = {0};
    if (equ->left->kind == TX_TUPLE && equ->right->kind == TX_CALL) {
        for (int k = 0; k < equ->left->n; k++) {
            if (!equ->left->arg[k]) continue;
            Equ one = *equ;
            Tx  result = *equ->right;
            result.output = k;
            result.type = equ->left->arg[k]->type;
            one.left = equ->left->arg[k];
            one.right = arena_copy(&l->front->arena, &result, sizeof result);
            split_record(l, &parts, arena_copy(&l->front->arena, &one, sizeof one));
        }
    } else split_record(l, &parts, equ);
    for (int k = 0; k < parts.count && n < PAIRS; k++) out[n++] = parts.item[k];
    return n;
}

/* Equations of a list with loops unrolled and inner ifs turned into if-expressions. */
static int plain_equations(Lower *l, const EquList *list, const Equ **out, int n) {
    for (int k = 0; k < list->count && !l->failed; k++) {
        const Equ *equ = list->item[k];
        if (n >= PAIRS) {
            lower_fail(l, equ->pos, "so many equations in an if-equation");
            break;
        }
        if (equ->kind == EQU_SAME) n = single_equations(l, equ, out, n);
        else if (equ->kind == EQU_IF) n = pair_up(l, equ, out, n);
        else if (equ->kind == EQU_FOR) {
            l->eval.why = NULL;
            Value *v = eval_tx(&l->eval, equ->iter->range);
            if (!v) {
                lower_fail(l, equ->pos, "this loop");
                break;
            }
            for (int j = 0; j < v->count; j++) {
                EquList inner = loop_round(l->front, equ, v, j);
                n = plain_equations(l, &inner, out, n);
            }
        } else if (equ->kind == EQU_WHEN)
            lower_fail(l, equ->pos, "a when-clause inside an if-equation");
    }
    return n;
}

typedef enum Side { SIDE_LEFT, SIDE_RIGHT, SIDE_RESIDUAL } Side;

/* if c then side1 else side2, of equation k of each branch. */
static Tx *choice_of(Lower *l, const Equ *equ, const Equ **const *branch, int k,
                     Side side) {
    Ty  type = branch[0][k]->left->type;
    Tx *choice =
        tx_new(l->front, TX_IF, equ->pos, type, VARY_CONTINUOUS, 2 * equ->count + 1);
    int m = 0;
    for (int b = 0; b < equ->count; b++) {
        const Equ *e = branch[b][k];
        Tx        *v = side == SIDE_LEFT ? e->left : e->right;
        if (side == SIDE_RESIDUAL) {
            v = tx_new(l->front, TX_SUB, e->pos, e->left->type, VARY_CONTINUOUS, 2);
            v->arg[0] = e->left;
            v->arg[1] = e->right;
            v->type.basic = BASIC_REAL;
        }
        if (side != SIDE_RIGHT &&
            (e->left->type.basic == BASIC_RECORD || e->left->kind == TX_TUPLE))
            lower_fail(l, e->pos, "records in this if-equation");
        if (equ->cond[b]) choice->arg[m++] = equ->cond[b];
        choice->arg[m++] = v;
    }
    choice->n = (uint16_t)m;
    choice->type = choice->arg[m - 1]->type;
    return choice;
}

static Basic kind_of(const Equ *equ) {
    return (Basic)(equ->right->type.basic == BASIC_REAL ? BASIC_REAL
                                                        : equ->left->type.basic);
}

static bool any_real(const Equ *equ, const Equ **const *branch, int k) {
    bool any = false;
    for (int b = 0; b < equ->count; b++) any |= kind_of(branch[b][k]) == BASIC_REAL;
    return any;
}

/* Brings an equation of the branch that determines the same variable to place k, or else one of the
 * same kind. False: there is none with this variable. */
static bool find_partner(const Equ **branch, int count, int k, const Equ *of) {
    int at = -1;
    for (int j = k; j < count && at < 0; j++)
        if (same_place(branch[j]->left, of->left)) at = j;
    bool found = at >= 0;
    for (int j = k; j < count && at < 0; j++)
        if (kind_of(branch[j]) == kind_of(of)) at = j;
    if (at >= 0) {
        const Equ *t = branch[k];
        branch[k] = branch[at];
        branch[at] = t;
    }
    return found;
}

/* The branches side by side: left = if c then right1 else right2; where the left sides differ,
 * 0 = if c then left1 - right1 else ... of Reals, if c then left1 else left2 = if c then right1
 * else right2 of all others. */
static int pair_up(Lower *l, const Equ *equ, const Equ **out, int n) {
    const Equ **branch[32];
    int         count[32] = {0};
    if (equ->count > 32) {
        lower_fail(l, equ->pos, "so many branches");
        return n;
    }
    for (int b = 0; b < equ->count; b++) {
        if (equ->cond[b] && equ->cond[b]->vary <= VARY_PARAMETER && b == 0) {
            l->eval.why = NULL; /* known now that the loops are gone */
            Value *c = eval_tx(&l->eval, equ->cond[b]);
            if (c && c->integer[0]) return plain_equations(l, &equ->branch[b], out, n);
        }
        branch[b] = NEW(&l->scratch, const Equ *, PAIRS);
        count[b] = plain_equations(l, &equ->branch[b], branch[b], 0);
    }
    bool uneven = false;
    for (int b = 1; b < equ->count; b++) uneven |= count[b] != count[0];
    for (int b = 0; b < equ->count && uneven; b++) {
        const Equ **split = NEW(&l->scratch, const Equ *, PAIRS);
        count[b] = split_arrays(l, branch[b], count[b], split);
        branch[b] = split;
    }
    for (int k = 0; k < count[0] && !l->failed && n < PAIRS; k++) {
        Tx  *left = branch[0][k]->left;
        bool alike = left->kind != TX_TUPLE;
        for (int b = 1; b < equ->count; b++) {
            alike &= find_partner(branch[b], count[b], k, branch[0][k]);
            if (k >= count[b]) {
                lower_fail(l, equ->pos, "an if-equation with unequal branches");
                return n;
            }
        }
        Equ *made = NEW(&l->front->arena, Equ, 1);
        made->kind = EQU_SAME;
        made->pos = branch[0][k]->pos;
        made->left = left;
        if (alike) made->right = choice_of(l, equ, branch, k, SIDE_RIGHT);
        else if (any_real(equ, branch, k)) {
            made->left = tx_real(l->front, equ->pos, 0);
            made->right = choice_of(l, equ, branch, k, SIDE_RESIDUAL);
        } else {
            made->left = choice_of(l, equ, branch, k, SIDE_LEFT);
            made->right = choice_of(l, equ, branch, k, SIDE_RIGHT);
        }
        out[n++] = made;
    }
    return n;
}

/* ---- assertions and other calls inside ---- */

static Tx *truth(Lower *l, TxKind kind, Tx *a, Tx *b) {
    Tx *tx = tx_new(l->front, kind, a->pos, a->type, VARY_DISCRETE, b ? 2 : 1);
    tx->arg[0] = a;
    if (b) tx->arg[1] = b;
    return tx;
}

/* An assertion is not asked where the condition does not hold, other calls happen only there. */
static void guarded_call(Lower *l, LowerJob job, const Equ *equ, Tx *guard) {
    job.equ = equ;
    job.left = equ->left;
    job.type = NULL;
    job.flags = 0;
    job.build = job_build_action;
    if (equ->left->kind == TX_BUILTIN && equ->left->builtin->id == BUILTIN_assert) {
        Tx *call = arena_copy(&l->front->arena, equ->left, sizeof *call);
        call->arg = arena_copy(&l->front->arena, call->arg, sizeof(Tx *) * call->n);
        call->arg[0] = truth(l, TX_OR, truth(l, TX_NOT, guard, NULL), call->arg[0]);
        job.left = call;
    } else job.guard = guard;
    job_run(&job);
}

static void guarded_calls(Lower *l, LowerJob job, const EquList *list, Tx *guard);

static void guarded_branches(Lower *l, LowerJob job, const Equ *equ, Tx *guard) {
    Tx *rest = guard; /* no branch before holds */
    for (int b = 0; b < equ->count; b++) {
        Tx *cond = equ->cond[b], *here = rest;
        if (cond) here = rest ? truth(l, TX_AND, rest, cond) : cond;
        if (here) guarded_calls(l, job, &equ->branch[b], here);
        if (!cond) return;
        Tx *no = truth(l, TX_NOT, cond, NULL);
        rest = rest ? truth(l, TX_AND, rest, no) : no;
    }
}

static void guarded_calls(Lower *l, LowerJob job, const EquList *list, Tx *guard) {
    for (int k = 0; k < list->count && !l->failed; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_CALL && !is_of_graph(equ)) guarded_call(l, job, equ, guard);
        else if (equ->kind == EQU_IF) guarded_branches(l, job, equ, guard);
        else if (equ->kind == EQU_FOR) {
            Value *v = eval_tx(&l->eval, equ->iter->range);
            for (int j = 0; v && j < v->count; j++) {
                EquList inner = loop_round(l->front, equ, v, j);
                guarded_calls(l, job, &inner, guard);
            }
        }
    }
}

void lower_if_equation(Lower *l, LowerJob job, const Equ *equ) {
    const Equ **list = NEW(&l->scratch, const Equ *, PAIRS);
    int         n = pair_up(l, equ, list, 0);
    for (int k = 0; k < n && !l->failed; k++) {
        job.equ = list[k];
        job_same(job, list[k]->left, list[k]->right);
    }
    guarded_branches(l, job, equ, NULL);
}

/* ---- conditions of parameters and loop counters ---- */

enum { UNDECIDED = -2, NONE_TAKEN = -1, LONG_LOOP = 4096 };

/* The branch that holds in all rows of the job. */
static int branch_taken(Lower *l, const Equ *equ) {
    for (int b = 0; b < equ->count; b++) {
        if (!equ->cond[b]) return b;
        Value *c = value_for_good(l, equ->cond[b]);
        Known  known = !c ? KNOWN_NOT : c->integer[0] ? KNOWN_TRUE : KNOWN_FALSE;
        if (!c && !l->unroll) known = condition_known(l, equ->cond[b]);
        if (l->unroll || known == KNOWN_NOT) return UNDECIDED;
        if (known == KNOWN_TRUE) return b;
    }
    return NONE_TAKEN;
}

/* The equations of the branch that holds, for the loops as far as they are fixed and cut now. */
static void build_branch(LowerJob *job, const Idx *idx) {
    Lower     *l = job->l;
    const Equ *equ = job->equ;
    int        taken = branch_taken(l, equ), binds = l->eval.binds;
    (void)idx;
    if (taken == UNDECIDED && job->fixed < job->n) {
        lower_again(l);
        return;
    }
    LowerJob inner = *job;
    inner.build = NULL;
    l->unroll = false;
    if (taken == UNDECIDED) lower_if_equation(l, inner, equ);
    for (int k = 0; taken >= 0 && k < equ->branch[taken].count && !l->failed; k++)
        lower_equ(l, inner, equ->branch[taken].item[k]);
    l->eval.binds = binds;
    l->unroll = false;
}

/* Whether all branches give values to the same variables in the same order. */
static bool same_lefts(const Equ *equ) {
    if (equ->cond[equ->count - 1]) return false;
    for (int b = 0; b < equ->count; b++) {
        if (equ->branch[b].count != equ->branch[0].count) return false;
        for (int k = 0; k < equ->branch[b].count; k++)
            if (equ->branch[b].item[k]->kind != EQU_SAME ||
                !same_place(equ->branch[b].item[k]->left, equ->branch[0].item[k]->left))
                return false;
    }
    return true;
}

/* Where a condition changes the loops are cut. A long loop whose branches are alike stays one family
 * of rows with a choice in it, unless that choice can be made where subscripts are. */
void lower_loop_if(Lower *l, LowerJob job, const Equ *equ) {
    if (same_lefts(equ) && loop_count(l, job.chain) > LONG_LOOP) {
        lower_if_equation(l, job, equ);
        return;
    }
    job.equ = equ;
    job.type = NULL;
    job.build = build_branch;
    job_run(&job);
}
