/* SPDX-License-Identifier: Apache-2.0 */
/* equation.c -- lists of equations: plain ones here, the others where their kind is. */
#include "flat/job.h"

#include <string.h>

/* ---- plain equations -------------------------------------------------------------------------- */

static void build_same(LowerJob *job, const Idx *idx) {
    Lower    *l = job->l;
    const Tx *a = job->left, *b = job->right;
    int       basic =
        a->type.basic == BASIC_REAL || b->type.basic == BASIC_REAL ? BASIC_REAL : 0;
    Term left = lower_real(l, lower_scalar(l, a, a->type.ndim ? idx : NULL), a, basic);
    Term right = lower_real(l, lower_scalar(l, b, b->type.ndim ? idx : NULL), b, basic);
    if (l->failed || l->unroll) return;
    lower_end(l, job->set, expr_2(l->shapes, TERM_EQUATION, left, right), job->flags,
              job->at ? job->at->id : -1, job->equ->pos);
}

enum { RESULTS = 256 };

/* left = value, element by element */
static bool equate(Lower *l, Term left, Term value, Term *root, int *n) {
    Node a = *expr_node(l->shapes, left), b = *expr_node(l->shapes, value);
    if (a.op == TERM_ARRAY) {
        if (b.op != TERM_ARRAY || a.n != b.n) return false;
        for (uint32_t k = 0; k < a.n; k++)
            if (!equate(l, expr_arg(l->shapes, left, k), expr_arg(l->shapes, value, k),
                        root, n))
                return false;
        return true;
    }
    if (*n == RESULTS || a.rank || b.rank) return false;
    if (a.type == TYPE_REAL && b.type == TYPE_INTEGER)
        value = expr_1(l->shapes, TERM_TO_REAL, value);
    root[(*n)++] = expr_2(l->shapes, TERM_EQUATION, left, value);
    return true;
}

/* (a, b, ...) = f(...) with f inlined: a row per element. False: it stays a call. */
static bool inline_call(LowerJob *job) {
    Lower    *l = job->l;
    const Tx *tuple = job->left, *call = job->right;
    Func     *func = call->func;
    Term *left = NEW(&l->scratch, Term, RESULTS), *arg = NEW(&l->scratch, Term, RESULTS);
    Term *root = NEW(&l->scratch, Term, RESULTS);
    int   n = 0, args = 0, rows = 0, result = 0;
    int   number = lower_call_args(l, call, arg, RESULTS, &args);
    if (l->failed || l->unroll || !lower_inlines(l, number, call)) return false;
    const Function *f = l->shapes->function[number];
    for (int k = 0; k < func->nout; k++) {
        const Tx *to =
            tuple->kind == TX_TUPLE ? (k < tuple->n ? tuple->arg[k] : NULL) : tuple;
        int before = n;
        l->split = true;
        if (to) n = lower_args(l, to, func->out[k], left, n, RESULTS);
        l->split = false;
        if (l->failed || l->unroll) return false;
        if (!to) result += flat_results(l, func, k + 1) - flat_results(l, func, k);
        for (int j = before; j < n; j++, result++) {
            const FunctionVar *var = &f->var[f->inputs + result];
            Term               value =
                expr_inline(l->shapes, expr_call(l->shapes, number, result,
                                                 (Type)var->type, var->rank, arg, args));
            const Node *node = expr_node(l->shapes, value);
            bool        same = node->op == TERM_CALL && node->index == number;
            if (same || !equate(l, left[j], value, root, &rows)) return false;
        }
    }
    for (int k = 0; k < rows; k++)
        lower_end(l, job->set, root[k], job->flags, job->at ? job->at->id : -1,
                  job->equ->pos);
    return true;
}

/* (a, b, ...) = f(...): one row if all are plain, else one equation per result. */
static void build_call(LowerJob *job, const Idx *idx) {
    Lower    *l = job->l;
    const Tx *tuple = job->left, *call = job->right;
    Func     *func = call->func;
    enum { MOST = 256 };
    Term *left = NEW(&l->scratch, Term, MOST), *arg = NEW(&l->scratch, Term, MOST);
    int   n = 0, args = 0;
    (void)idx;
    if (inline_call(job) || l->failed || l->unroll) return;
    for (int k = 0; k < func->nout; k++) {
        const Tx *to =
            tuple->kind == TX_TUPLE ? (k < tuple->n ? tuple->arg[k] : NULL) : tuple;
        if (to && n < MOST) {
            int before = n;
            n = lower_args(l, to, func->out[k], left, n, MOST);
            for (int j = before; j < n; j++) {
                TermOp op = expr_op(l->shapes, left[j]);
                if (op != TERM_SLOT && op != TERM_ARRAY_SLOT) {
                    l->unroll = true; /* not plain: the caller goes another way */
                    return;
                }
            }
        }
    }
    int number = lower_call_args(l, call, arg, MOST, &args);
    if (l->failed || l->unroll) return;
    Term right = expr_call(l->shapes, number, -1, TYPE_NONE, 0, arg, args);
    lower_end(l, job->set,
              expr_2(l->shapes, TERM_EQUATION, expr_make(l->shapes, TERM_TUPLE, left, n),
                     right),
              job->flags, job->at ? job->at->id : -1, job->equ->pos);
}

static bool all_results(const Lower *l, const Tx *tuple, const Func *func) {
    (void)l;
    if (tuple->n < func->nout) return false;
    for (int k = 0; k < func->nout; k++) {
        const Tx *to = tuple->arg[k];
        if (!to || to->kind != TX_REF || to->inst->vary <= VARY_PARAMETER) return false;
        for (int j = 0; j < to->n; j++)
            if (to->arg[j] && to->arg[j]->kind != TX_COLON && to->arg[j]->type.ndim)
                return false;
    }
    return true;
}

/* (a, b) = spatialDistribution(...): an equation for each end. */
static void spatial_equation(LowerJob job, const Tx *left, const Tx *call) {
    Lower *l = job.l;
    for (int k = 0; k < left->n && k < 2; k++) {
        if (!left->arg[k]) continue;
        Tx *one = NEW(&l->front->arena, Tx, 1);
        *one = *call;
        one->extra = k;
        one->type = left->arg[k]->type;
        job_same(job, left->arg[k], one);
    }
}

static void tuple_equation(LowerJob job, const Tx *left, const Tx *call) {
    Lower *l = job.l;
    if (call->kind == TX_BUILTIN && call->builtin->id == BUILTIN_spatialDistribution) {
        spatial_equation(job, left, call);
        return;
    }
    if (call->kind != TX_CALL) {
        lower_fail(l, call->pos, "several results of this");
        return;
    }
    if (all_results(l, left, call->func) && call->func->nout > 1) {
        job.left = left;
        job.right = call;
        job.build = build_call;
        job_run(&job);
        return;
    }
    for (int k = 0; k < left->n; k++) {
        if (!left->arg[k]) continue;
        Tx *one = NEW(&l->front->arena, Tx, 1);
        *one = *call;
        one->output = k;
        one->type = inst_type(l->front, call->func->out[k]);
        if (one->type.ndim) {
            one->type.dim = left->arg[k]->type.dim;
            one->type.ndim = left->arg[k]->type.ndim;
        }
        job_same(job, left->arg[k], one);
    }
}

/* A parameter inside a record of variables: it has its value already. If all of the record is a
 * parameter, the equation is one for the other side. */
bool is_parameter_field(const Tx *left, const Inst *field) {
    return left->kind == TX_REF && left->inst->vary > VARY_PARAMETER &&
           field->vary <= VARY_PARAMETER;
}

static bool is_whole_call(const Tx *left, const Tx *right) {
    if (right->kind != TX_CALL || left->kind != TX_REF || right->func->nout != 1)
        return false;
    if (right->type.ndim != right->func->out[0]->ndim) return false;
    if (left->inst->vary <= VARY_PARAMETER) return false;
    for (int k = 0; k < left->n; k++)
        if (left->arg[k] && left->arg[k]->kind != TX_COLON && left->arg[k]->type.ndim)
            return false;
    return right->type.ndim > 0 || right->type.basic == BASIC_RECORD;
}

/* A declaration with the results of one call is one row as such an equation is; else every element would
 * call the function by itself. */
bool lower_whole_binding(Lower *l, Inst *inst, Tx *tx, Inst *base) {
    int extent[NEST];
    if (!inst->ndim || lower_around(inst->parent, extent) || lower_around(base, extent))
        return false;
    const Tx *left = tx_ref(l->front, tx->pos, inst, base);
    if (!is_whole_call(left, tx)) return false;
    Equ      place = {.pos = tx->pos};
    LowerJob job = {
        .l = l, .at = base, .equ = &place, .set = ROWS_EQUATION, .flags = FAMILY_BINDING};
    l->failed = false;
    job_same(job, left, tx);
    arena_free(&l->scratch);
    return true;
}

static bool has_no_elements(const Tx *tx) {
    for (int k = 0; k < tx->type.ndim; k++)
        if (tx->type.dim[k] == 0) return true;
    return false;
}

void job_same(LowerJob job, const Tx *left, const Tx *right) {
    Lower *l = job.l;
    if (is_whole_call(left, right)) {
        if (has_no_elements(left)) return;
        job.left = left;
        job.right = right;
        job.type = NULL;
        job.build = build_call;
        job_run(&job);
        return;
    }
    if (left->type.basic == BASIC_RECORD) {
        Inst *rec = left->type.rec;
        inst_all(l->front, rec);
        for (int k = 0; k < rec->nchild; k++) {
            Inst *field = rec->child[k];
            Inst *from = field && !field->absent && right->type.rec
                             ? inst_child(l->front, right->type.rec, field->name)
                             : NULL;
            if (!from) continue;
            if (job.set == ROWS_EQUATION && is_parameter_field(left, field)) continue;
            job_same(job, tx_field_of(l->front, (Tx *)left, field, left->pos),
                     tx_field_of(l->front, (Tx *)right, from, right->pos));
        }
        return;
    }
    job.left = left;
    job.right = right;
    job.type = left->type.ndim >= right->type.ndim ? left : right;
    for (int k = 0; k < job.type->type.ndim; k++)
        if (job.type->type.dim[k] < 0 && job.type == left) job.type = right;
    job.build = build_same;
    job_run(&job);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* The equation for each element of the arrays around it by itself. */
static bool each_element(Lower *l, const LowerJob *job, const Equ *equ) {
    int      extent[NEST], dims = lower_around(job->at, extent), d;
    LowerJob one = *job;
    l->eval.differs = false;
    if (job->fixed >= dims) return false;
    for (d = job->fixed; d < dims; d++) {
        one.at_value[d] = 0;
        if (extent[d] <= 0) return true;
    }
    one.fixed = dims;
    do {
        lower_equ(l, one, equ);
        for (d = dims - 1; d >= job->fixed; d--) {
            if (++one.at_value[d] < extent[d]) break;
            one.at_value[d] = 0;
        }
    } while (d >= job->fixed && !l->failed);
    return true;
}

/* An if whose condition is known, perhaps for each value of the loops around it. */
static bool known_branch(Lower *l, LowerJob *job, const Equ *equ) {
    if (job->chain || job->at == NULL) {
        bool all = true;
        for (int b = 0; b < equ->count; b++)
            if (equ->cond[b] && equ->cond[b]->vary > VARY_PARAMETER) all = false;
        if (!all) return false;
    }
    for (int b = 0; b < equ->count; b++) {
        if (!equ->cond[b]) {
            for (int k = 0; k < equ->branch[b].count; k++)
                lower_equ(l, *job, equ->branch[b].item[k]);
            return true;
        }
        if (equ->cond[b]->vary > VARY_PARAMETER) return false;
        l->eval.why = NULL;
        l->eval.steps = EVAL_STEPS;
        int index[NEST], extent[NEST];
        job_element(job, lower_around(job->at, extent), index);
        l->eval.index = index;
        l->eval.at = job->at;
        l->eval.differs = false;
        Value *c = eval_tx(&l->eval, equ->cond[b]);
        l->eval.index = NULL;
        if (!c && l->eval.differs) return each_element(l, job, equ);
        if (!c) return false;
        if (!c->integer[0]) continue;
        for (int k = 0; k < equ->branch[b].count; k++)
            lower_equ(l, *job, equ->branch[b].item[k]);
        return true;
    }
    return true;
}

/* A call that only says how connectors are joined. */
bool is_of_graph(const Equ *equ) {
    if (equ->left->kind != TX_BUILTIN) return false;
    int id = equ->left->builtin->id;
    return id == BUILTIN_root || id == BUILTIN_branch || id == BUILTIN_potentialRoot ||
           id == BUILTIN_uniqueRoot;
}

void lower_equ(Lower *l, LowerJob job, const Equ *equ) {
    l->failed = false;
    job.equ = equ;
    switch (equ->kind) {
    case EQU_SAME:
        if (equ->left->kind == TX_TUPLE) tuple_equation(job, equ->left, equ->right);
        else job_same(job, equ->left, equ->right);
        break;
    case EQU_FOR: {
        Chain chain = {equ->iter, job.chain};
        job.chain = &chain;
        for (int k = 0; k < equ->body.count; k++) lower_equ(l, job, equ->body.item[k]);
        break;
    }
    case EQU_IF:
        if (known_branch(l, &job, equ)) break;
        if (job.chain && equ->cond[0] && equ->cond[0]->vary <= VARY_PARAMETER)
            lower_loop_if(l, job, equ);
        else lower_if_equation(l, job, equ);
        break;
    case EQU_WHEN: lower_when(l, job, equ); break;
    case EQU_CALL:
        if (is_of_graph(equ)) break;
        job.left = equ->left;
        job.type = NULL;
        job.build = job_build_action;
        job_run(&job);
        break;
    default: break;
    }
}

void lower_list(Lower *l, Inst *at, const EquList *list, RowSet set) {
    for (int k = 0; k < list->count; k++) {
        LowerJob job = {.l = l, .at = at, .set = set};
        lower_equ(l, job, list->item[k]);
        arena_free(&l->scratch);
    }
}
