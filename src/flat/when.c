/* SPDX-License-Identifier: Apache-2.0 */
/* when.c -- when-clauses: hidden condition variables, and one row for each variable they set. */
#include "flat/job.h"

#include <string.h>

bool when_is_initial(const Tx *tx) {
    return tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_initial;
}

/* Hidden variables of a when-clause: `per` for each element of the arrays and loops around it.
 * Number of the first one in the first row of the job, and strides. */
static int nest_place(const LowerJob *job, int per, int *stride) {
    int flat = 0, row_dim = 0, extent[NEST];
    int loops = lower_around(job->at, extent);
    for (const Chain *c = job->chain; c; c = c->up) loops++;
    memset(stride, 0, sizeof(int) * ROW_DIMS);
    for (int d = 0; d < loops; d++) {
        flat *= job->extent[d];
        for (int r = 0; r < ROW_DIMS; r++) stride[r] *= job->extent[d];
        flat += job_first(job, d);
        if (d >= job->fixed) stride[row_dim++] += 1;
    }
    for (int r = 0; r < ROW_DIMS; r++) stride[r] *= per;
    return flat * per;
}

/* Condition of branch k as a term: edges of the hidden variables. */
static Term when_condition(LowerJob *job, int k) {
    Lower     *l = job->l;
    const Equ *when = job->when;
    int        hidden = job->hidden;
    Term       result = 0;
    int        stride[ROW_DIMS], total = 0;
    for (int b = 0; b < when->count; b++) total += when_count(when->cond[b]);
    int at = hidden + nest_place(job, total, stride);
    for (int b = 0; b < k; b++) at += when_count(when->cond[b]);
    const Tx *cond = when->cond[k];
    int       n = when_count(cond);
    for (int j = 0; j < n; j++) {
        const Tx *part = when_part(l, cond, j);
        Term      edge;
        if (when_is_initial(part)) edge = expr_make(l->shapes, TERM_INITIAL, NULL, 0);
        else {
            int var = at + j;
            edge = expr_2(l->shapes, TERM_EDGE, row_var(&l->row, var, stride),
                          row_var(&l->row, system_pre(l->sys, var), stride));
        }
        result = result ? expr_2(l->shapes, TERM_OR, result, edge) : edge;
    }
    return result;
}

int job_clock(const LowerJob *job, int *stride) {
    return job->clock - 1 + nest_place(job, 1, stride);
}

static void build_condition(LowerJob *job, const Idx *idx) {
    Lower *l = job->l;
    (void)idx;
    int stride[ROW_DIMS], total = 0;
    for (int b = 0; b < job->when->count; b++) total += when_count(job->when->cond[b]);
    int  flat = nest_place(job, total, stride);
    Term right = lower_scalar(l, job->right, NULL);
    if (l->failed || l->unroll) return;
    lower_end(l, ROWS_EQUATION,
              expr_2(l->shapes, TERM_EQUATION,
                     row_var(&l->row, job->hidden + flat, stride), right),
              FAMILY_WHEN, job->at ? job->at->id : -1, job->equ->pos);
}

static void build_when(LowerJob *job, const Idx *idx) {
    Lower    *l = job->l;
    const Tx *left = job->left;
    Term     *arg = NEW(&l->scratch, Term, 2 * job->when->count + 1);
    int       n = 0, var, stride[ROW_DIMS];
    if (left->kind != TX_REF || !lower_variable(l, left, idx, &var, stride)) {
        if (left->kind != TX_REF)
            lower_fail(l, left->pos, "this left side in a when-clause");
        else l->unroll = true;
        return;
    }
    Term before = row_var(&l->row, system_pre(l->sys, var), stride);
    for (int k = 0; k < job->when->count; k++) {
        const Tx *v = job->value[k];
        arg[n++] = when_condition(job, k);
        arg[n++] = v ? lower_real(l, lower_scalar(l, v, v->type.ndim ? idx : NULL), v,
                                  left->type.basic)
                     : before;
    }
    arg[n++] = before;
    if (l->failed || l->unroll) return;
    Term root = expr_2(l->shapes, TERM_EQUATION, row_var(&l->row, var, stride),
                       expr_make(l->shapes, TERM_WHEN, arg, n));
    lower_end(l, job->set, root, FAMILY_WHEN, job->at ? job->at->id : -1, job->equ->pos);
}

/* assert, terminate, reinit and calls; in a when-clause under its condition */
void job_build_action(LowerJob *job, const Idx *idx) {
    Lower    *l = job->l;
    const Tx *tx = job->left;
    Term      action;
    if (tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_reinit) {
        Term x = lower_scalar(l, tx->arg[0], idx);
        Term v =
            lower_real(l, lower_scalar(l, tx->arg[1], tx->arg[1]->type.ndim ? idx : NULL),
                       tx->arg[1], BASIC_REAL);
        action = expr_2(l->shapes, TERM_REINIT, x, v);
    } else if (tx->kind == TX_CALL) {
        enum { MOST = 256 };
        Term *arg = NEW(&l->scratch, Term, MOST);
        int   n, number = lower_call_args(l, tx, arg, MOST, &n);
        action = expr_call(l->shapes, number, -1, TYPE_NONE, 0, arg, n);
    } else action = lower_scalar(l, tx, NULL);
    if (l->failed || l->unroll) return;
    if (job->when) {
        Term args[2] = {when_condition(job, job->flags >> 8), action};
        if (l->failed || l->unroll) return;
        action = expr_make(l->shapes, TERM_WHEN, args, 2);
    }
    if (job->guard) { /* a variable: relations in it are events */
        Term args[2] = {
            lower_as_variable(l, lower_scalar(l, job->guard, NULL), true, job->equ->pos),
            action};
        if (l->failed || l->unroll) return;
        action = expr_make(l->shapes, TERM_WHEN, args, 2);
    }
    if (job->set == ROWS_INITIAL && !job->when) { /* checked at the start only */
        Term args[2] = {expr_make(l->shapes, TERM_INITIAL, NULL, 0), action};
        action = expr_make(l->shapes, TERM_WHEN, args, 2);
    }
    lower_end(l, ROWS_ACTION, action, job->flags & 0xff, job->at ? job->at->id : -1,
              job->equ->pos);
}

/* Which value branch `list` of a when gives to the variable of `left`: NULL if none. */
bool same_place(const Tx *a, const Tx *b) {
    if (a == b) return true;
    if (!a || !b || a->kind != b->kind || a->n != b->n) return false;
    switch (a->kind) {
    case TX_REF:
        if (a->inst != b->inst) return false;
        break;
    case TX_INTEGER:
    case TX_BOOLEAN:
    case TX_ENUM: return a->i == b->i;
    case TX_ITER: return a->iter == b->iter || a->iter->name == b->iter->name;
    case TX_REAL: return a->r == b->r;
    case TX_CALL:
    case TX_BUILTIN: return false;
    default: break;
    }
    for (int k = 0; k < a->n; k++)
        if (!same_place(a->arg[k], b->arg[k])) return false;
    return true;
}

static Tx *value_in(Lower *l, const EquList *list, const Tx *left) {
    for (int k = 0; k < list->count; k++) {
        Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME && same_place(equ->left, left)) return equ->right;
        if (equ->kind == EQU_SAME && equ->left->kind == TX_TUPLE &&
            equ->right->kind == TX_CALL)
            for (int j = 0; j < equ->left->n; j++)
                if (equ->left->arg[j] && same_place(equ->left->arg[j], left)) {
                    Tx *one = NEW(&l->front->arena, Tx, 1);
                    *one = *equ->right;
                    one->output = j;
                    one->type = left->type;
                    return one;
                }
        if (equ->kind != EQU_IF) continue;
        Tx  *choice = tx_new(l->front, TX_IF, equ->pos, left->type, VARY_DISCRETE,
                             2 * equ->count + 1);
        int  n = 0;
        bool any = false, closed = false;
        Tx  *self = (Tx *)left;
        Tx  *keep = builtin_make(l->front, BUILTIN_pre, equ->pos, left->type,
                                 VARY_DISCRETE, &self, 1);
        for (int j = 0; j < equ->count; j++) {
            Tx *v = value_in(l, &equ->branch[j], left);
            any |= v != NULL;
            if (equ->cond[j]) choice->arg[n++] = equ->cond[j];
            choice->arg[n++] = v ? v : keep;
            if (!equ->cond[j]) closed = true;
        }
        if (!closed) choice->arg[n++] = keep;
        choice->n = (uint16_t)n;
        if (any) return choice;
    }
    return NULL;
}

enum { TARGETS = 4096 }; /* variables that one when-clause sets */

static void when_target(Lower *l, LowerJob job, const Tx *left, int *done_n,
                        const Tx **done) {
    if (!left) return;
    if (*done_n == TARGETS) {
        lower_fail(l, left->pos, "so many variables in one when-clause");
        return;
    }
    if (left->type.basic == BASIC_RECORD) {
        lower_fail(l, left->pos, "a record in a when-clause");
        return;
    }
    for (int k = 0; k < *done_n; k++)
        if (same_place(done[k], left)) return;
    done[(*done_n)++] = left;
    job.left = left;
    job.type = left;
    job.value = NEW(&l->scratch, Tx *, job.when->count);
    for (int k = 0; k < job.when->count; k++)
        job.value[k] = value_in(l, &job.when->branch[k], left);
    job.build = build_when;
    job_run(&job);
}

static void when_targets(Lower *l, LowerJob job, const EquList *list, int branch,
                         int *done_n, const Tx **done) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        job.equ = equ;
        switch (equ->kind) {
        case EQU_SAME:
            if (equ->left->kind == TX_TUPLE)
                for (int j = 0; j < equ->left->n; j++)
                    when_target(l, job, equ->left->arg[j], done_n, done);
            else when_target(l, job, equ->left, done_n, done);
            break;
        case EQU_IF:
            for (int j = 0; j < equ->count; j++)
                when_targets(l, job, &equ->branch[j], branch, done_n, done);
            break;
        case EQU_CALL: {
            LowerJob action = job;
            action.left = equ->left;
            action.type =
                equ->left->kind == TX_BUILTIN && equ->left->builtin->id == BUILTIN_reinit
                    ? equ->left->arg[0]
                    : NULL;
            action.flags = FAMILY_WHEN | branch << 8;
            action.build = job_build_action;
            job_run(&action);
            break;
        }
        default: break;
        }
    }
}

/* A hidden clock for each element of the arrays and loops around, then the equations. */
static void clocked_when(Lower *l, LowerJob job, const Equ *equ, int loops) {
    const Tx *cond = equ->cond[0];
    LowerJob  c = job;
    c.when = equ;
    c.right = cond;
    c.build = build_condition;
    c.type = NULL;
    c.hidden =
        lower_hidden(l, VAR_CLOCK, TYPE_CLOCK, inst_count(job.at) * loops, equ->pos);
    job.clock = c.hidden + 1;
    job_run(&c);
    for (int k = 0; k < equ->branch[0].count && !l->failed; k++)
        lower_equ(l, job, equ->branch[0].item[k]);
}

/* Loops whose ranges depend on one another: a round of the outermost one after the other. */
static void when_rounds(Lower *l, LowerJob job, const Equ *equ) {
    for (const Chain *c = job.chain; c; c = c->up) {
        Equ *loop = NEW(&l->front->arena, Equ, 1);
        *loop = (Equ){.kind = EQU_FOR, .pos = equ->pos, .iter = c->var};
        equ_add(l->front, &loop->body, (Equ *)equ);
        equ = loop;
    }
    l->eval.why = NULL;
    const Value *v = eval_tx(&l->eval, equ->iter->range);
    if (!v) lower_fail(l, equ->pos, "a when-clause in loops of this range");
    job.chain = NULL;
    for (int j = 0; v && j < v->count; j++) {
        EquList round = loop_round(l->front, equ, v, j);
        for (int k = 0; k < round.count; k++) lower_equ(l, job, round.item[k]);
    }
}

void lower_when(Lower *l, LowerJob job, const Equ *equ) {
    int total = 0, at = 0, done_n = 0;
    for (int b = 0; b < equ->count; b++) total += when_count(equ->cond[b]);
    int loops = loop_count(l, job.chain);
    if (loops < 0) {
        when_rounds(l, job, equ);
        return;
    }
    if (loops == 0) return;
    equ = without_loops(l, equ);
    if (l->failed) return;
    if (equ->cond[0]->type.basic == BASIC_CLOCK) {
        clocked_when(l, job, equ, loops);
        return;
    }
    job.when = equ;
    job.hidden = lower_hidden(l, VAR_DISCRETE, TYPE_BOOLEAN,
                              total * inst_count(job.at) * loops, equ->pos);
    for (int b = 0; b < equ->count; b++) {
        const Tx *cond = equ->cond[b];
        int       n = when_count(cond);
        for (int j = 0; j < n; j++, at++) {
            LowerJob c = job;
            c.right = when_part(l, cond, j);
            c.hidden = job.hidden + at;
            c.build = build_condition;
            c.type = NULL;
            if (when_is_initial(c.right)) {
                Tx *no = tx_boolean(l->front, c.right->pos, false);
                c.right = no; /* the variable exists but is not used */
            }
            job_run(&c);
        }
    }
    const Tx **done = NEW(&l->scratch, const Tx *, TARGETS);
    for (int b = 0; b < equ->count; b++)
        when_targets(l, job, &equ->branch[b], b, &done_n, done);
}
