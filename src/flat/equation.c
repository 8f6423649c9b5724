/* SPDX-License-Identifier: Apache-2.0 */
/* equation.c -- equations as families of rows.
 *
 * One typed equation lies in a nest of loops: the arrays of components around it, its
 * for-loops, its own array dimensions. It is lowered once with all loops as dimensions of the
 * row; when some index is not affine the outermost loop is fixed and the attempt repeated for
 * each of its values. */
#include "flat/lower.h"

#include <string.h>

typedef struct Chain { /* for-loops around an equation, innermost first */
    IterVar            *var;
    const struct Chain *up;
} Chain;

typedef struct Job {
    Lower       *l;
    Inst        *at; /* instance of the equation                              */
    const Chain *chain;
    const Equ   *equ;
    const Tx    *left, *right; /* what to equate; equ gives the place               */
    const Tx    *type; /* expression whose dimensions are looped over; NULL: none */
    RowSet       set;
    int          flags;
    /* when: conditions and the values of the branches; NULL otherwise */
    const Equ *when;
    Tx       **value; /* by branch, NULL: keeps its value                      */
    int        n;     /* loops                                                 */
    int        extent[NEST];
    int        fixed; /* loops with a value so far                             */
    int        at_value[NEST];
    int        hidden; /* when: first hidden condition variable                 */
    void (*build)(struct Job *job, const Idx *idx); /* makes the root and ends the row */
} Job;

void lower_begin(Lower *l, int dims, const int *extent) {
    l->pendings = 0;
    row_begin(&l->row, l->sys, dims, extent);
}

int lower_end(Lower *l, RowSet set, Term root, int flags, int owner, Pos pos) {
    for (int k = 0; k < l->pendings; k++)
        row_end(&l->row, ROWS_EQUATION,
                expr_2(l->shapes, TERM_EQUATION, lower_hidden_slot(l, l->pending[k].var),
                       l->pending[k].value),
                0, owner, l->pending[k].pos);
    l->pendings = 0;
    return row_end(&l->row, set, root, flags, owner, pos);
}

int lower_around(const Inst *inst, int *extent) {
    if (!inst) return 0;
    int n = lower_around(inst->parent, extent);
    for (int k = 0; k < inst->ndim && n < NEST; k++) extent[n++] = inst->dim[k];
    return n;
}

/* Values of an iterator as start, step, count; false: no arithmetic progression or unknown. */
static Value *iterator_values(Lower *l, const IterVar *var, int64_t *start,
                              int64_t *step) {
    l->eval.why = NULL;
    l->eval.steps = EVAL_STEPS;
    Value *v = eval_tx(&l->eval, var->range);
    if (!v) return NULL;
    *step = 0;
    if (v->basic == BASIC_REAL || v->basic == BASIC_STRING || v->basic == BASIC_RECORD)
        return v;
    *start = v->count ? v->integer[0] + (v->basic == BASIC_BOOLEAN) : 1;
    *step = v->count > 1 ? v->integer[1] - v->integer[0] : 1;
    for (int k = 1; k < v->count; k++)
        if (v->integer[k] - v->integer[k - 1] != *step) *step = 0;
    return v;
}

/* Binds the iterators of the chain, outermost first. False: fix one more loop. */
static bool bind_chain(Job *job, const Chain *chain, int *k, int *row_dim) {
    Lower *l = job->l;
    if (!chain) return true;
    if (!bind_chain(job, chain->up, k, row_dim)) return false;
    int64_t start, step;
    Value  *v = iterator_values(l, chain->var, &start, &step);
    if (!v || l->iters >= LENGTH(l->iter) || l->eval.binds >= LENGTH(l->eval.bind))
        return false;
    int it = l->iters++, loop = (*k)++;
    job->extent[loop] = v->count;
    l->iter[it].var = chain->var;
    if (loop < job->fixed) {
        int j = job->at_value[loop];
        if (j >= v->count) return false;
        l->eval.bind[l->eval.binds].var = chain->var;
        l->eval.bind[l->eval.binds++].value = value_element(&l->scratch, v, j);
        if (v->basic == BASIC_REAL)
            l->iter[it].value = (Idx){.term = expr_real(l->shapes, v->real[j])};
        else l->iter[it].value = idx_of((int)v->integer[j] + (v->basic == BASIC_BOOLEAN));
        return true;
    }
    if (step == 0 && v->count > 1) return false;
    if (v->basic == BASIC_REAL) return false;
    Idx idx = {.base = (int)start};
    idx.step[*row_dim] = (int)(step ? step : 1);
    (*row_dim)++;
    l->iter[it].value = idx;
    return true;
}

static Idx loop_index(Job *job, int loop, int *row_dim) {
    if (loop < job->fixed) return idx_of(job->at_value[loop] + 1);
    Idx idx = {.base = 1};
    idx.step[(*row_dim)++] = 1;
    return idx;
}

/* Which element of the arrays around the equation values are asked for: -1 any. */
static void element_index(const Job *job, int dims, int *index) {
    for (int j = 0; j < dims; j++) index[j] = j < job->fixed ? job->at_value[j] : -1;
}

/* One attempt with `fixed` loops fixed; false: fix one more. */
static bool attempt(Job *job) {
    Lower *l = job->l;
    Idx    idx[NEST];
    int n = lower_around(job->at, job->extent), k = n, row_dim = 0, binds = l->eval.binds;
    l->unroll = false;
    l->iters = 0;
    l->at = job->at;
    int all = n;
    for (const Chain *c = job->chain; c; c = c->up) all++;
    all += job->type ? job->type->type.ndim : 0;
    job->n = all;
    if (all > NEST) {
        lower_fail(l, job->equ ? job->equ->pos : 0, "so many nested loops");
        return true;
    }
    if (all - job->fixed > ROW_DIMS) return false;
    for (int j = 0; j < n; j++) l->around[j] = loop_index(job, j, &row_dim);
    int index[NEST];
    element_index(job, n, index);
    l->eval.index = index;
    l->eval.at = job->at;
    bool good = bind_chain(job, job->chain, &k, &row_dim);
    if (good) {
        for (int j = 0; job->type && j < job->type->type.ndim; j++, k++) {
            job->extent[k] = job->type->type.dim[j];
            idx[j] = loop_index(job, k, &row_dim);
        }
        int  extent[ROW_DIMS];
        bool empty = false;
        for (int j = job->fixed; j < all; j++) {
            extent[j - job->fixed] = job->extent[j];
            empty |= job->extent[j] <= 0;
        }
        for (int j = 0; j < job->fixed; j++) empty |= job->extent[j] <= 0;
        if (!empty) {
            lower_begin(l, row_dim, extent);
            job->build(job, idx);
            good = !l->unroll || l->failed;
        }
    }
    l->eval.binds = binds;
    l->eval.index = NULL;
    l->iters = 0;
    return good;
}

static void run_job(Job *job) {
    Lower *l = job->l;
    if (l->failed) return;
    if (attempt(job)) return;
    if (job->fixed >= job->n) {
        lower_fail(l, job->equ ? job->equ->pos : 0, "this equation");
        return;
    }
    int loop = job->fixed++;
    /* the number of values of this loop may depend on those outside */
    int count = job->extent[loop];
    int dims = lower_around(job->at, job->extent), chains = 0;
    for (const Chain *c = job->chain; c; c = c->up) chains++;
    if (loop < dims) count = job->extent[loop];
    else if (loop < dims + chains) {
        const Chain *c = job->chain;
        for (int k = dims + chains - 1; k > loop; k--) c = c->up;
        /* bind the outer ones */
        int     k = dims, row_dim = 0, binds = l->eval.binds;
        int64_t start, step;
        int     index[NEST];
        element_index(job, dims, index);
        l->eval.index = index;
        l->eval.at = job->at;
        l->iters = 0;
        bool   good = bind_chain(job, c->up, &k, &row_dim);
        Value *v = good ? iterator_values(l, c->var, &start, &step) : NULL;
        count = v ? v->count : -1;
        l->eval.binds = binds;
        l->eval.index = NULL;
    } else if (job->type) count = job->type->type.dim[loop - dims - chains];
    if (count < 0) {
        lower_fail(l, job->equ ? job->equ->pos : 0, "this loop");
        job->fixed--;
        return;
    }
    for (int v = 0; v < count && !l->failed; v++) {
        job->at_value[loop] = v;
        run_job(job);
    }
    job->fixed--;
}

/* ---- plain equations -------------------------------------------------------------------------- */

static void build_same(Job *job, const Idx *idx) {
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

static void same(Job job, const Tx *left, const Tx *right);

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
static bool inline_call(Job *job) {
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
            if (expr_op(l->shapes, value) == TERM_CALL ||
                !equate(l, left[j], value, root, &rows))
                return false;
        }
    }
    for (int k = 0; k < rows; k++)
        lower_end(l, job->set, root[k], job->flags, job->at ? job->at->id : -1,
                  job->equ->pos);
    return true;
}

/* (a, b, ...) = f(...): one row if all are plain, else one equation per result. */
static void build_call(Job *job, const Idx *idx) {
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
static void spatial_equation(Job job, const Tx *left, const Tx *call) {
    Lower *l = job.l;
    for (int k = 0; k < left->n && k < 2; k++) {
        if (!left->arg[k]) continue;
        Tx *one = NEW(&l->front->arena, Tx, 1);
        *one = *call;
        one->extra = k;
        one->type = left->arg[k]->type;
        same(job, left->arg[k], one);
    }
}

static void tuple_equation(Job job, const Tx *left, const Tx *call) {
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
        run_job(&job);
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
        same(job, left->arg[k], one);
    }
}

/* A parameter inside a record of variables: it has its value already. If all of the record is a
 * parameter, the equation is one for the other side. */
static bool is_parameter_field(const Tx *left, const Inst *field) {
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

static void same(Job job, const Tx *left, const Tx *right) {
    Lower *l = job.l;
    if (is_whole_call(left, right)) {
        job.left = left;
        job.right = right;
        job.type = NULL;
        job.build = build_call;
        run_job(&job);
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
            same(job, tx_field_of(l->front, (Tx *)left, field, left->pos),
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
    run_job(&job);
}

/* ---- when --------------------------------------------------------------------------------------- */

static bool is_initial(const Tx *tx) {
    return tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_initial;
}

/* Hidden variables of a when-clause: `per` for each element of the arrays and loops around it.
 * Number of the first one in the first row of the job, and strides. */
static int nest_place(const Job *job, int per, int *stride) {
    int flat = 0, row_dim = 0, extent[NEST];
    int loops = lower_around(job->at, extent);
    for (const Chain *c = job->chain; c; c = c->up) loops++;
    memset(stride, 0, sizeof(int) * ROW_DIMS);
    for (int d = 0; d < loops; d++) {
        flat *= job->extent[d];
        for (int r = 0; r < ROW_DIMS; r++) stride[r] *= job->extent[d];
        if (d < job->fixed) flat += job->at_value[d];
        else stride[row_dim++] += 1;
    }
    for (int r = 0; r < ROW_DIMS; r++) stride[r] *= per;
    return flat * per;
}

/* Condition of branch k as a term: edges of the hidden variables. */
static Term when_condition(Job *job, int k) {
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
    if (cond->type.basic == BASIC_CLOCK) return lower_scalar(l, cond, NULL);
    for (int j = 0; j < n; j++) {
        const Tx *part = when_part(l, cond, j);
        Term      edge;
        if (is_initial(part)) edge = expr_make(l->shapes, TERM_INITIAL, NULL, 0);
        else {
            int var = at + j;
            edge = expr_2(l->shapes, TERM_EDGE, row_var(&l->row, var, stride),
                          row_var(&l->row, system_pre(l->sys, var), stride));
        }
        result = result ? expr_2(l->shapes, TERM_OR, result, edge) : edge;
    }
    return result;
}

static void build_condition(Job *job, const Idx *idx) {
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

static void build_when(Job *job, const Idx *idx) {
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
static void build_action(Job *job, const Idx *idx) {
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
    if (job->set == ROWS_INITIAL && !job->when) { /* checked at the start only */
        Term args[2] = {expr_make(l->shapes, TERM_INITIAL, NULL, 0), action};
        action = expr_make(l->shapes, TERM_WHEN, args, 2);
    }
    lower_end(l, ROWS_ACTION, action, job->flags & 0xff, job->at ? job->at->id : -1,
              job->equ->pos);
}

/* Which value branch `list` of a when gives to the variable of `left`: NULL if none. */
static bool same_place(const Tx *a, const Tx *b) {
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

static void when_target(Lower *l, Job job, const Tx *left, int *done_n, const Tx **done) {
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
    run_job(&job);
}

static void when_targets(Lower *l, Job job, const EquList *list, int branch, int *done_n,
                         const Tx **done) {
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
            Job action = job;
            action.left = equ->left;
            action.type =
                equ->left->kind == TX_BUILTIN && equ->left->builtin->id == BUILTIN_reinit
                    ? equ->left->arg[0]
                    : NULL;
            action.flags = FAMILY_WHEN | branch << 8;
            action.build = build_action;
            run_job(&action);
            break;
        }
        default: break;
        }
    }
}

/* ---- if ------------------------------------------------------------------------------------------- */

enum { PAIRS = 1024 };

static Tx *put_iterator(Lower *l, Tx *tx, const IterVar *var, Tx *value) {
    if (!tx) return NULL;
    if (tx->kind == TX_ITER && tx->iter == var) return value;
    bool changed = false;
    Tx **arg = tx->n ? NEW(&l->front->arena, Tx *, tx->n) : NULL;
    for (int k = 0; k < tx->n; k++) {
        arg[k] = put_iterator(l, tx->arg[k], var, value);
        changed |= arg[k] != tx->arg[k];
    }
    if (!changed) return tx;
    Tx *copy = NEW(&l->front->arena, Tx, 1);
    *copy = *tx;
    copy->arg = arg;
    return copy;
}

static Equ *put_iterator_equ(Lower *l, const Equ *equ, const IterVar *var, Tx *value) {
    Equ *copy = NEW(&l->front->arena, Equ, 1);
    *copy = *equ;
    copy->left = put_iterator(l, equ->left, var, value);
    copy->right = put_iterator(l, equ->right, var, value);
    if (equ->kind == EQU_FOR) {
        copy->iter = NEW(&l->front->arena, IterVar, 1);
        *copy->iter = *equ->iter;
        copy->iter->range = put_iterator(l, equ->iter->range, var, value);
        copy->body = (EquList){0};
        for (int k = 0; k < equ->body.count; k++) {
            Equ *inner = put_iterator_equ(l, equ->body.item[k], var, value);
            Tx  *self =
                tx_new(l->front, TX_ITER, equ->pos, equ->iter->type, VARY_CONSTANT, 0);
            self->iter = copy->iter;
            equ_add(l->front, &copy->body, put_iterator_equ(l, inner, equ->iter, self));
        }
    }
    copy->cond = NEW(&l->front->arena, Tx *, equ->count + 1);
    copy->branch = NEW(&l->front->arena, EquList, equ->count + 1);
    for (int b = 0; b < equ->count; b++) {
        copy->cond[b] = put_iterator(l, equ->cond[b], var, value);
        for (int k = 0; k < equ->branch[b].count; k++)
            equ_add(l->front, &copy->branch[b],
                    put_iterator_equ(l, equ->branch[b].item[k], var, value));
    }
    return copy;
}

/* ---- when-clauses as a whole --------------------------------------------------------------- */

static const Equ *without_loops(Lower *l, const Equ *equ);

/* How often the loops of a chain run; -1: it cannot be told. */
static int loop_count(Lower *l, const Chain *chain) {
    int n = 1;
    for (; chain && n >= 0; chain = chain->up) {
        l->eval.why = NULL;
        const Value *v = eval_tx(&l->eval, chain->var->range);
        n = v ? n * v->count : -1;
    }
    return n;
}

/* An equation of records as equations of their fields, of any other kind as it is. */
static void split_record(Lower *l, EquList *out, const Equ *equ) {
    const Tx *left = equ->left, *right = equ->right;
    if (equ->kind != EQU_SAME || left->kind == TX_TUPLE ||
        left->type.basic != BASIC_RECORD || !right->type.rec) {
        equ_add(l->front, out, (Equ *)equ);
        return;
    }
    Inst *rec = left->type.rec;
    inst_all(l->front, rec);
    for (int k = 0; k < rec->nchild; k++) {
        Inst *field = rec->child[k];
        Inst *from = field && !field->absent && !is_parameter_field(left, field)
                         ? inst_child(l->front, right->type.rec, field->name)
                         : NULL;
        if (!from) continue;
        Equ one = *equ;
        one.left = tx_field_of(l->front, (Tx *)left, field, left->pos);
        one.right = tx_field_of(l->front, (Tx *)right, from, right->pos);
        split_record(l, out, arena_copy(&l->front->arena, &one, sizeof one));
    }
}

/* A copy of a list whose loops are unrolled and records taken apart. */
static EquList unrolled(Lower *l, const EquList *list) {
    EquList out = {0};
    for (int k = 0; k < list->count && !l->failed; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_IF) equ = without_loops(l, equ);
        if (equ->kind != EQU_FOR) {
            split_record(l, &out, equ);
            continue;
        }
        l->eval.why = NULL;
        Value *v = eval_tx(&l->eval, equ->iter->range);
        if (!v) lower_fail(l, equ->pos, "this loop");
        for (int j = 0; v && j < v->count; j++) {
            Tx *value = tx_of_value(l->front, equ->pos, value_element(&l->scratch, v, j));
            EquList body = {0};
            for (int i = 0; i < equ->body.count; i++)
                equ_add(l->front, &body,
                        put_iterator_equ(l, equ->body.item[i], equ->iter, value));
            body = unrolled(l, &body);
            for (int i = 0; i < body.count; i++) equ_add(l->front, &out, body.item[i]);
        }
    }
    return out;
}

static const Equ *without_loops(Lower *l, const Equ *equ) {
    Equ *copy = NEW(&l->front->arena, Equ, 1);
    *copy = *equ;
    copy->branch = NEW(&l->front->arena, EquList, equ->count + 1);
    for (int b = 0; b < equ->count; b++) copy->branch[b] = unrolled(l, &equ->branch[b]);
    return copy;
}

static void lower_when(Lower *l, Job job, const Equ *equ) {
    int total = 0, at = 0, done_n = 0;
    for (int b = 0; b < equ->count; b++) total += when_count(equ->cond[b]);
    int loops = loop_count(l, job.chain);
    if (loops < 0) {
        lower_fail(l, equ->pos, "a when-clause in loops that depend on one another");
        return;
    }
    if (loops == 0) return;
    equ = without_loops(l, equ);
    if (l->failed) return;
    job.when = equ;
    job.hidden = lower_hidden(l, VAR_DISCRETE, TYPE_BOOLEAN,
                              total * inst_count(job.at) * loops, equ->pos);
    for (int b = 0; b < equ->count; b++) {
        const Tx *cond = equ->cond[b];
        int       n = when_count(cond);
        for (int j = 0; j < n; j++, at++) {
            Job c = job;
            c.right = when_part(l, cond, j);
            c.hidden = job.hidden + at;
            c.build = build_condition;
            c.type = NULL;
            if (c.right->type.basic == BASIC_CLOCK || is_initial(c.right)) {
                Tx *no = tx_boolean(l->front, c.right->pos, false);
                c.right = no; /* the variable exists but is not used */
            }
            run_job(&c);
        }
    }
    const Tx **done = NEW(&l->scratch, const Tx *, TARGETS);
    for (int b = 0; b < equ->count; b++)
        when_targets(l, job, &equ->branch[b], b, &done_n, done);
}

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

/* Equations of a list with loops unrolled and inner ifs turned into if-expressions. */
static int plain_equations(Lower *l, const EquList *list, const Equ **out, int n) {
    for (int k = 0; k < list->count && !l->failed; k++) {
        const Equ *equ = list->item[k];
        if (n >= PAIRS) {
            lower_fail(l, equ->pos, "so many equations in an if-equation");
            break;
        }
        if (equ->kind == EQU_SAME) out[n++] = equ;
        else if (equ->kind == EQU_IF) n = pair_up(l, equ, out, n);
        else if (equ->kind == EQU_FOR) {
            l->eval.why = NULL;
            Value *v = eval_tx(&l->eval, equ->iter->range);
            if (!v) {
                lower_fail(l, equ->pos, "this loop");
                break;
            }
            for (int j = 0; j < v->count; j++) {
                Tx *value =
                    tx_of_value(l->front, equ->pos, value_element(&l->scratch, v, j));
                EquList inner = {0};
                for (int i = 0; i < equ->body.count; i++)
                    equ_add(l->front, &inner,
                            put_iterator_equ(l, equ->body.item[i], equ->iter, value));
                n = plain_equations(l, &inner, out, n);
            }
        } else if (equ->kind == EQU_WHEN)
            lower_fail(l, equ->pos, "a when-clause inside an if-equation");
    }
    return n;
}

/* The branches side by side: left = if c then right1 else right2, or
 * 0 = if c then left1 - right1 else ... where the left sides differ. */
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
            bool found = false;
            for (int j = k; j < count[b] && !found; j++)
                if (same_place(branch[b][j]->left, left)) {
                    const Equ *t = branch[b][k];
                    branch[b][k] = branch[b][j];
                    branch[b][j] = t;
                    found = true;
                }
            alike &= found;
            if (k >= count[b]) {
                lower_fail(l, equ->pos, "an if-equation with unequal branches");
                return n;
            }
        }
        Tx *choice = tx_new(l->front, TX_IF, equ->pos, left->type, VARY_CONTINUOUS,
                            2 * equ->count + 1);
        int m = 0;
        for (int b = 0; b < equ->count; b++) {
            const Equ *e = branch[b][k];
            Tx        *v = e->right;
            if (!alike) {
                v = tx_new(l->front, TX_SUB, e->pos, e->left->type, VARY_CONTINUOUS, 2);
                v->arg[0] = e->left;
                v->arg[1] = e->right;
                v->type.basic = BASIC_REAL;
                if (e->left->type.basic == BASIC_RECORD || e->left->kind == TX_TUPLE)
                    lower_fail(l, e->pos, "records in this if-equation");
            }
            if (equ->cond[b]) choice->arg[m++] = equ->cond[b];
            choice->arg[m++] = v;
        }
        choice->n = (uint16_t)m;
        if (!alike) choice->type = choice->arg[m - 1]->type;
        Equ *made = NEW(&l->front->arena, Equ, 1);
        made->kind = EQU_SAME;
        made->pos = branch[0][k]->pos;
        made->left = alike ? left : tx_real(l->front, equ->pos, 0);
        made->right = choice;
        out[n++] = made;
    }
    return n;
}

static void lower_if(Lower *l, Job job, const Equ *equ) {
    const Equ **list = NEW(&l->scratch, const Equ *, PAIRS);
    int         n = pair_up(l, equ, list, 0);
    for (int k = 0; k < n && !l->failed; k++) {
        job.equ = list[k];
        same(job, list[k]->left, list[k]->right);
    }
    /* assertions inside: only under their condition */
    for (int b = 0; b < equ->count; b++)
        for (int k = 0; k < equ->branch[b].count; k++) {
            const Equ *e = equ->branch[b].item[k];
            if (e->kind != EQU_CALL || e->left->kind != TX_BUILTIN ||
                e->left->builtin->id != BUILTIN_assert)
                continue;
            Tx *guard = tx_boolean(l->front, e->pos, true);
            for (int c = 0; c <= b; c++) {
                if (!equ->cond[c]) continue;
                Tx *holds = equ->cond[c];
                if (c < b) {
                    Tx *no = tx_new(l->front, TX_NOT, e->pos, holds->type,
                                    (Vary)holds->vary, 1);
                    no->arg[0] = holds;
                    holds = no;
                }
                Tx *both =
                    tx_new(l->front, TX_AND, e->pos, holds->type, VARY_DISCRETE, 2);
                both->arg[0] = guard;
                both->arg[1] = holds;
                guard = both;
            }
            Tx *no = tx_new(l->front, TX_NOT, e->pos, guard->type, VARY_DISCRETE, 1);
            no->arg[0] = guard;
            Tx *or_ = tx_new(l->front, TX_OR, e->pos, guard->type, VARY_DISCRETE, 2);
            or_->arg[0] = no;
            or_->arg[1] = e->left->arg[0];
            Tx *call = tx_new(l->front, TX_BUILTIN, e->pos, e->left->type, VARY_DISCRETE,
                              e->left->n);
            call->builtin = e->left->builtin;
            for (int a = 0; a < e->left->n; a++) call->arg[a] = a ? e->left->arg[a] : or_;
            Job action = job;
            action.equ = e;
            action.left = call;
            action.type = NULL;
            action.flags = 0;
            action.build = build_action;
            run_job(&action);
        }
}

/* ---- lists -------------------------------------------------------------------------------------------- */

static void lower_equ(Lower *l, Job job, const Equ *equ);

/* The equation for each element of the arrays around it by itself. */
static bool each_element(Lower *l, const Job *job, const Equ *equ) {
    int extent[NEST], dims = lower_around(job->at, extent), d;
    Job one = *job;
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
static bool known_branch(Lower *l, Job *job, const Equ *equ) {
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
        element_index(job, lower_around(job->at, extent), index);
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

/* Loops around an if whose condition depends on them are unrolled here. */
static void unroll_if(Lower *l, Job job, const Equ *equ, const Chain *chain) {
    const Chain *outer = chain;
    int          n = 0;
    const Chain *list[16];
    for (; outer && n < 16; outer = outer->up) list[n++] = outer;
    /* bind all iterators by recursion over the list, outermost last in `list` */
    int    index[16] = {0}, level = n - 1;
    Value *values[16] = {0};
    int    binds = l->eval.binds;
    while (level < n) {
        if (level < 0) {
            Job inner = job;
            inner.chain = NULL;
            if (!known_branch(l, &inner, equ))
                lower_fail(l, equ->pos, "this if-equation in a loop");
            if (l->failed) break;
            level = 0;
            l->eval.binds--;
            index[0]++;
        }
        if (!values[level]) {
            l->eval.why = NULL;
            values[level] = eval_tx(&l->eval, list[level]->var->range);
            index[level] = 0;
            if (!values[level]) {
                lower_fail(l, equ->pos, "this loop");
                break;
            }
        }
        if (index[level] >= values[level]->count) {
            values[level] = NULL;
            level++;
            if (level < n) {
                index[level]++;
                l->eval.binds--;
            }
            continue;
        }
        if (l->eval.binds >= LENGTH(l->eval.bind)) break;
        l->eval.bind[l->eval.binds].var = list[level]->var;
        l->eval.bind[l->eval.binds++].value =
            value_element(&l->scratch, values[level], index[level]);
        level--;
    }
    l->eval.binds = binds;
}

static void lower_equ(Lower *l, Job job, const Equ *equ) {
    l->failed = false;
    job.equ = equ;
    switch (equ->kind) {
    case EQU_SAME:
        if (equ->left->kind == TX_TUPLE) tuple_equation(job, equ->left, equ->right);
        else same(job, equ->left, equ->right);
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
            unroll_if(l, job, equ, job.chain);
        else lower_if(l, job, equ);
        break;
    case EQU_WHEN: lower_when(l, job, equ); break;
    case EQU_CALL: {
        const Tx *tx = equ->left;
        if (tx->kind == TX_BUILTIN &&
            (tx->builtin->id == BUILTIN_root || tx->builtin->id == BUILTIN_branch ||
             tx->builtin->id == BUILTIN_potentialRoot ||
             tx->builtin->id == BUILTIN_uniqueRoot))
            break;
        job.left = tx;
        job.type = NULL;
        job.build = build_action;
        run_job(&job);
        break;
    }
    default: break;
    }
}

void lower_list(Lower *l, Inst *at, const EquList *list, RowSet set) {
    for (int k = 0; k < list->count; k++) {
        Job job = {.l = l, .at = at, .set = set};
        lower_equ(l, job, list->item[k]);
        arena_free(&l->scratch);
    }
}

/* ---- bindings --------------------------------------------------------------------------------------------- */

typedef struct Binding {
    Inst     *inst;
    const Tx *tx;
    Inst     *base;
    int       first; /* variable: inst->first or a hidden one */
} Binding;

static bool binding_row(Lower *l, const Binding *b, RowSet set, int fixed,
                        const int *at_value) {
    int extent[NEST], n = lower_around(b->inst, extent), row_dim = 0;
    Idx idx[NEST];
    if (n - fixed > ROW_DIMS) return false;
    l->unroll = false;
    l->iters = 0;
    int stride[ROW_DIMS] = {0}, var = 0;
    for (int k = 0; k < n; k++) {
        idx[k] = idx_of(k < fixed ? at_value[k] + 1 : 1);
        if (k >= fixed) idx[k].step[row_dim++] = 1;
        var = var * extent[k] + idx[k].base - 1;
        for (int d = 0; d < ROW_DIMS; d++)
            stride[d] = stride[d] * extent[k] + idx[k].step[d];
        if (extent[k] <= 0) return true;
    }
    int above = 0;
    if (b->base && inst_is_under(b->inst, b->base)) {
        int dummy[NEST];
        above = lower_around(b->base, dummy);
    } else if (b->base && !b->base->is_package) {
        int   dummy[NEST]; /* an instance beside it: common arrays around both */
        Inst *common = b->base;
        while (common && !inst_is_under(b->inst, common)) common = common->parent;
        above = lower_around(common, dummy);
    }
    int index[NEST];
    for (int k = 0; k < above; k++) {
        l->around[k] = idx[k];
        index[k] = k < fixed ? at_value[k] : -1;
    }
    l->at = b->base;
    l->eval.at = b->base;
    l->eval.index = index;
    int real_extent[ROW_DIMS];
    for (int k = fixed; k < n; k++) real_extent[k - fixed] = extent[k];
    lower_begin(l, row_dim, real_extent);
    int  r = b->tx->type.ndim;
    Term left = row_var(&l->row, b->first + var, stride);
    Term right = lower_real(l, lower_scalar(l, b->tx, r ? idx + (n - r) : NULL), b->tx,
                            b->inst->basic);
    l->eval.index = NULL;
    if (l->failed) return true;
    if (l->unroll) return false;
    lower_end(l, set, expr_2(l->shapes, TERM_EQUATION, left, right), FAMILY_BINDING,
              b->inst->id, b->tx->pos);
    return true;
}

static void binding_rows(Lower *l, const Binding *b, RowSet set, int fixed,
                         int *at_value) {
    int extent[NEST], n = lower_around(b->inst, extent);
    if (l->failed || binding_row(l, b, set, fixed, at_value)) return;
    if (fixed == n) {
        lower_fail(l, b->tx->pos, "this value");
        return;
    }
    for (int v = 0; v < extent[fixed]; v++) {
        at_value[fixed] = v;
        binding_rows(l, b, set, fixed + 1, at_value);
    }
}

void lower_binding_to(Lower *l, Inst *inst, int first, const Tx *tx, Inst *base,
                      RowSet set) {
    int     at_value[NEST] = {0};
    Binding b = {inst, tx, base, first};
    l->failed = false;
    l->calls = set == ROWS_BINDING;
    binding_rows(l, &b, set, 0, at_value);
    l->calls = false;
    arena_free(&l->scratch);
}

void lower_binding(Lower *l, Inst *inst, const Tx *tx, Inst *base, RowSet set) {
    lower_binding_to(l, inst, inst->first, tx, base, set);
}

/* ---- connections -------------------------------------------------------------------------------------------- */

static void stream_rows(Lower *l) {
    const FlatModel *model = l->model;
    for (int k = 0; k < model->streams; k++)
        for (int j = 0; j < model->stream[k].count; j++) {
            int node = model->stream[k].node[j];
            if (!(node & 1)) continue;
            l->failed = l->unroll = false;
            lower_begin(l, 0, NULL);
            Term left = row_var(&l->row, node / 2, NULL),
                 right = lower_mixture(l, node, 0);
            if (!l->failed)
                lower_end(l, ROWS_EQUATION, expr_2(l->shapes, TERM_EQUATION, left, right),
                          FAMILY_CONNECT, -1, 0);
            arena_free(&l->scratch);
        }
}

static int scalar_type(const FlatModel *model, int scalar) {
    return lower_type(flat_var_of(model, scalar < 0 ? ~scalar : scalar));
}

/* Connection equations of one kind, from one connect: rows of one family. */
static bool alike(const FlatModel *model, const ConnEq *a, const ConnEq *b) {
    if (a->repeat > 1 || b->repeat > 1) return false;
    if (a->kind != b->kind || a->pos != b->pos || a->count != b->count) return false;
    if (a->kind == CONNEQ_SAME)
        return scalar_type(model, a->var[0]) == scalar_type(model, b->var[0]);
    for (int k = 0; k < a->count; k++)
        if ((a->var[k] < 0) != (b->var[k] < 0)) return false;
    return true;
}

static void connection_rows(Lower *l, const ConnEq *eq, int n) {
    bool       sum = eq->kind == CONNEQ_SUM;
    int        slots = sum ? eq->count : 2, per = sum ? 1 : eq->count - 1;
    Type       type = (Type)scalar_type(l->model, eq->var[0]);
    Term      *item = NEW(&l->scratch, Term, slots), root;
    const int *order;
    for (int k = 0; k < slots; k++) {
        item[k] = expr_slot(l->shapes, k, type);
        if (sum && eq->var[k] < 0) item[k] = expr_1(l->shapes, TERM_NEG, item[k]);
    }
    if (sum)
        root = expr_2(l->shapes, TERM_EQUATION,
                      slots == 1 ? item[0] : expr_make(l->shapes, TERM_ADD, item, slots),
                      l->shapes->zero);
    else root = expr_2(l->shapes, TERM_EQUATION, item[0], item[1]);
    int  shape = shape_of(l->shapes, root, &order);
    int *place = NEW(&l->scratch, int, slots),
        *table = NEW(&l->scratch, int, n *per *slots);
    for (int k = 0; k < slots; k++) place[k] = order ? order[k] : k;
    int at = 0;
    for (int e = 0; e < n; e++)
        for (int j = 0; j < per; j++)
            for (int k = 0; k < slots; k++) {
                int var = sum ? eq[e].var[place[k]] : eq[e].var[place[k] ? j + 1 : 0];
                table[at++] = var < 0 ? ~var : var;
            }
    if (per > 0)
        system_table(l->sys, ROWS_EQUATION, shape, n * per, table, NULL, FAMILY_CONNECT,
                     -1, eq->pos);
}

/* Equations that repeat with constant steps: affine families. */
static void repeated_rows(Lower *l, const ConnEq *eq) {
    Term *item = NEW(&l->scratch, Term, eq->count), root;
    bool  sum = eq->kind == CONNEQ_SUM;
    for (int j = sum ? 0 : 1; j < (sum ? 1 : eq->count); j++) {
        row_begin(&l->row, l->sys, 1, &eq->repeat);
        for (int k = 0; k < eq->count; k++) {
            bool minus = eq->var[k] < 0;
            if (!sum && k && k != j) continue;
            item[k] = row_var(&l->row, minus ? ~eq->var[k] : eq->var[k], &eq->step[k]);
            if (minus) item[k] = expr_1(l->shapes, TERM_NEG, item[k]);
        }
        Term left = !sum || eq->count == 1
                        ? item[0]
                        : expr_make(l->shapes, TERM_ADD, item, eq->count);
        root = expr_2(l->shapes, TERM_EQUATION, left, sum ? l->shapes->zero : item[j]);
        row_end(&l->row, ROWS_EQUATION, root, FAMILY_CONNECT, -1, eq->pos);
    }
}

void lower_connections(Lower *l) {
    const FlatModel *model = l->model;
    stream_rows(l);
    for (int k = 0; k < model->conns;) {
        int n = 1;
        while (k + n < model->conns && alike(model, &model->conn[k], &model->conn[k + n]))
            n++;
        if (model->conn[k].repeat > 1) repeated_rows(l, &model->conn[k]);
        else connection_rows(l, &model->conn[k], n);
        arena_free(&l->scratch);
        k += n;
    }
}
