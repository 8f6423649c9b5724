/* SPDX-License-Identifier: Apache-2.0 */
/* job.c -- one equation in its nest of loops as families of rows.
 *
 * One typed equation lies in a nest of loops: the arrays of components around it, its for-loops, its
 * own array dimensions. It is lowered once with all loops as dimensions of the row; where some index
 * is affine only in a part of a loop, the loop is cut there and the attempt repeated for both parts;
 * otherwise the outermost loop is fixed and the attempt repeated for each of its values. */
#include "flat/job.h"

void lower_begin(Lower *l, int dims, const int *extent) {
    l->pendings = 0;
    row_begin(&l->row, l->sys, dims, extent);
}

int lower_end(Lower *l, RowSet set, Term root, int flags, int owner, Pos pos) {
    RowSlot *tied = NULL;
    int      n = set == ROWS_BINDING ? 0 : lower_tied(l, root, &tied);
    for (int k = 0; k < l->pendings; k++)
        row_end(&l->row, ROWS_EQUATION,
                expr_2(l->shapes, TERM_EQUATION, lower_hidden_slot(l, l->pending[k].var),
                       l->pending[k].value),
                0, owner, l->pending[k].pos);
    l->pendings = 0;
    int made = row_end(&l->row, set, root, flags, owner, pos);
    lower_link_clock(l, tied, n, owner, pos);
    return made;
}

int lower_around(const Inst *inst, int *extent) {
    if (!inst) return 0;
    int n = lower_around(inst->parent, extent);
    for (int k = 0; k < inst->ndim && n < NEST; k++) extent[n++] = inst->dim[k];
    return n;
}

typedef struct Values { /* of an iterator */
    int     count;
    int64_t start, step; /* step 0: no arithmetic progression              */
    Value  *list;        /* NULL: Integers from start on                   */
} Values;

static bool integer_now(Lower *l, const Tx *tx, int64_t *out) {
    Value *v = eval_tx(&l->eval, tx);
    if (!v || v->ndim || v->basic != BASIC_INTEGER) return false;
    *out = v->integer[0];
    return true;
}

/* A range of Integers, without its values: parts of a loop would make them again and again. */
static bool integer_range(Lower *l, const Tx *range, Values *out) {
    int64_t stop, step = 1;
    if (range->kind != TX_RANGE || range->type.basic != BASIC_INTEGER ||
        !integer_now(l, range->arg[0], &out->start) ||
        !integer_now(l, range->arg[range->n - 1], &stop) ||
        (range->n == 3 && !integer_now(l, range->arg[1], &step)) || step == 0)
        return false;
    int64_t span = (stop - out->start) / step;
    bool    empty = step > 0 ? stop < out->start : stop > out->start;
    if (span >= ARRAY_MOST) return false;
    out->count = empty ? 0 : (int)span + 1;
    out->step = step;
    return true;
}

/* False: unknown. */
static bool iterator_values(Lower *l, const IterVar *var, Values *out) {
    *out = (Values){0};
    l->eval.why = NULL;
    l->eval.steps = EVAL_STEPS;
    if (integer_range(l, var->range, out)) return true;
    Value *v = eval_tx(&l->eval, var->range);
    if (!v) return false;
    *out = (Values){.count = v->count, .list = v};
    if (v->basic == BASIC_REAL || v->basic == BASIC_STRING || v->basic == BASIC_RECORD)
        return true;
    out->start = v->count ? v->integer[0] + (v->basic == BASIC_BOOLEAN) : 1;
    out->step = v->count > 1 ? v->integer[1] - v->integer[0] : 1;
    for (int k = 1; k < v->count; k++)
        if (v->integer[k] - v->integer[k - 1] != out->step) out->step = 0;
    return true;
}

static Value *iterator_value(Lower *l, const Values *v, int k) {
    return v->list ? value_element(&l->scratch, v->list, k)
                   : value_integer(&l->scratch, v->start + k * v->step);
}

int job_first(const LowerJob *job, int loop) {
    if (loop < job->fixed) return job->at_value[loop];
    return job->window[loop].count ? job->window[loop].first : 0;
}

/* Values of a loop that is not fixed in the rows made now. */
static int job_count(const LowerJob *job, int loop) {
    return job->window[loop].count ? job->window[loop].count : job->extent[loop];
}

/* Binds the iterators of the chain, outermost first. False: fix one more loop. */
static bool bind_chain(LowerJob *job, const Chain *chain, int *k, int *row_dim) {
    Lower *l = job->l;
    if (!chain) return true;
    if (!bind_chain(job, chain->up, k, row_dim)) return false;
    Values v;
    if (!iterator_values(l, chain->var, &v) || l->iters >= LENGTH(l->iter) ||
        l->eval.binds >= LENGTH(l->eval.bind))
        return false;
    int it = l->iters++, loop = (*k)++;
    job->extent[loop] = v.count;
    l->iter[it].var = chain->var;
    if (loop < job->fixed) {
        if (job->at_value[loop] >= v.count) return false;
        Value *one = iterator_value(l, &v, job->at_value[loop]);
        l->eval.bind[l->eval.binds].var = chain->var;
        l->eval.bind[l->eval.binds++].value = one;
        if (one->basic == BASIC_REAL)
            l->iter[it].value = (Idx){.term = expr_real(l->shapes, one->real[0])};
        else
            l->iter[it].value =
                idx_of((int)one->integer[0] + (one->basic == BASIC_BOOLEAN));
        return true;
    }
    if (v.step == 0 && v.count > 1) return false;
    if (v.list && v.list->basic == BASIC_REAL) return false;
    if (!v.step) v.step = 1;
    Idx idx = {.base = (int)(v.start + v.step * job_first(job, loop))};
    idx.step[*row_dim] = (int)v.step;
    (*row_dim)++;
    l->iter[it].value = idx;
    return true;
}

static Idx loop_index(LowerJob *job, int loop, int *row_dim) {
    Idx idx = idx_of(job_first(job, loop) + 1);
    if (loop < job->fixed) return idx;
    idx.step[(*row_dim)++] = 1;
    return idx;
}

/* Which element of the arrays around the equation values are asked for: -1 any. */
void job_element(const LowerJob *job, int dims, int *index) {
    for (int j = 0; j < dims; j++) index[j] = j < job->fixed ? job->at_value[j] : -1;
}

/* One attempt with `fixed` loops fixed; false: fix one more. */
bool job_attempt(LowerJob *job) {
    Lower *l = job->l;
    Idx    idx[NEST];
    int n = lower_around(job->at, job->extent), k = n, row_dim = 0, binds = l->eval.binds;
    l->unroll = false;
    l->cut_at = 0;
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
    job_element(job, n, index);
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
            extent[j - job->fixed] = job_count(job, j);
            empty |= job->extent[j] <= 0;
        }
        for (int j = 0; j < job->fixed; j++) empty |= job->extent[j] <= 0;
        if (!empty) {
            lower_begin(l, row_dim, extent);
            l->clock.var = job->clock ? job_clock(job, l->clock.stride) : -1;
            job->build(job, idx);
            l->clock.var = -1;
            good = !l->unroll || l->failed;
            if (!good) lower_forget_pending(l);
        }
    }
    l->eval.binds = binds;
    l->eval.index = NULL;
    l->iters = 0;
    return good;
}

/* Number of values of the outermost loop that is fixed; it may depend on those outside. */
static int fixed_count(LowerJob *job, int loop) {
    Lower *l = job->l;
    int    dims = lower_around(job->at, job->extent), chains = 0;
    for (const Chain *c = job->chain; c; c = c->up) chains++;
    if (loop < dims) return job->extent[loop];
    if (loop >= dims + chains)
        return job->type ? job->type->type.dim[loop - dims - chains] : -1;
    const Chain *c = job->chain;
    for (int k = dims + chains - 1; k > loop; k--) c = c->up;
    int    k = dims, row_dim = 0, binds = l->eval.binds, index[NEST];
    Values v = {.count = -1};
    job_element(job, dims, index);
    l->eval.index = index;
    l->eval.at = job->at;
    l->iters = 0;
    bool good = bind_chain(job, c->up, &k, &row_dim) && iterator_values(l, c->var, &v);
    l->eval.binds = binds;
    l->eval.index = NULL;
    return good ? v.count : -1;
}

/* Each value of the outermost loop that is not fixed yet by itself. */
static void job_fix(LowerJob *job) {
    Lower *l = job->l;
    if (job->fixed >= job->n) {
        lower_fail(l, job->equ ? job->equ->pos : 0, "this equation");
        return;
    }
    int loop = job->fixed++, count = fixed_count(job, loop);
    if (count < 0) lower_fail(l, job->equ ? job->equ->pos : 0, "this loop");
    int first = job->window[loop].first, end = count;
    if (job->window[loop].count) end = first + job->window[loop].count;
    else first = 0;
    for (int v = first; v < end && !l->failed; v++) {
        job->at_value[loop] = v;
        job_run(job);
    }
    job->fixed--;
}

void job_run(LowerJob *job) {
    Lower *l = job->l;
    int    first[NEST], count[NEST];
    for (int k = 0; k < NEST; k++)
        first[k] = job->window[k].first, count[k] = job->window[k].count;
    while (!l->failed && !job_attempt(job)) {
        if (!l->cut_at) {
            job_fix(job);
            break;
        }
        int loop = job->fixed + l->cut_dim, at = l->cut_at;
        int begin = job_first(job, loop), rest = job_count(job, loop) - at;
        job->window[loop].first = begin, job->window[loop].count = at;
        job_run(job);
        job->window[loop].first = begin + at, job->window[loop].count = rest;
    }
    for (int k = 0; k < NEST; k++)
        job->window[k].first = first[k], job->window[k].count = count[k];
}
