/* SPDX-License-Identifier: Apache-2.0 */
/* reference.c -- subscripts and references: which variable of the system an element is.
 *
 * A subscript is affine in the loop counters of the row wherever that is possible; the variable
 * is then a base and a stride for each loop. In functions, and where a subscript is computed,
 * it is a term. */
#include "flat/lower.h"

#include <string.h>

enum { MOST_ROWS = 64 }; /* for which a loop is given up */

static Idx combine(const Idx *a, const Idx *b, int sign) {
    Idx r = {.base = a->base + sign * b->base};
    for (int k = 0; k < ROW_DIMS; k++) r.step[k] = a->step[k] + sign * b->step[k];
    return r;
}

static Idx scale(const Idx *a, int factor) {
    Idx r = {.base = a->base * factor};
    for (int k = 0; k < ROW_DIMS; k++) r.step[k] = a->step[k] * factor;
    return r;
}

/* The value of a parameter expression, NULL if there is none yet. Where it differs between the
 * elements of the arrays around the equation, these are taken one by one. */
Value *value_now(Lower *l, const Tx *tx) {
    l->eval.why = NULL;
    l->eval.steps = EVAL_STEPS;
    l->eval.differs = false;
    Value *v = eval_tx(&l->eval, tx);
    if (!v && l->eval.differs) lower_again(l);
    return v;
}

/* As value_now, for a value that decides which variables a row names: the parameters in it can only
 * be changed by translating again. */
Value *value_for_good(Lower *l, const Tx *tx) {
    bool peek = l->eval.peek;
    l->eval.peek = false;
    if (tx->pos) l->front->reason.need = tx->pos;
    Value *v = value_now(l, tx);
    l->eval.peek = peek;
    return v;
}

bool idx_affine(Lower *l, const Tx *tx, Idx *out) {
    Idx a, b;
    switch (tx->kind) {
    case TX_INTEGER:
    case TX_ENUM: *out = idx_of((int)tx->i); return true;
    case TX_BOOLEAN: *out = idx_of((int)tx->i + 1); return true;
    case TX_ITER:
        for (int k = l->iters - 1; k >= 0; k--)
            if (l->iter[k].var == tx->iter) {
                *out = l->iter[k].value;
                return !l->iter[k].value.term;
            }
        break; /* perhaps bound to one value */
    case TX_NEG:
        if (!idx_affine(l, tx->arg[0], &a)) return false;
        *out = scale(&a, -1);
        return true;
    case TX_ADD:
    case TX_SUB:
        if (tx->type.ndim || !idx_affine(l, tx->arg[0], &a) ||
            !idx_affine(l, tx->arg[1], &b))
            break;
        *out = combine(&a, &b, tx->kind == TX_ADD ? 1 : -1);
        return true;
    case TX_MUL:
        if (tx->type.ndim || !idx_affine(l, tx->arg[0], &a) ||
            !idx_affine(l, tx->arg[1], &b))
            break;
        if (idx_fixed(&a)) *out = scale(&b, a.base);
        else if (idx_fixed(&b)) *out = scale(&a, b.base);
        else return false;
        return true;
    case TX_BUILTIN:
        if (idx_extreme(l, tx, out)) return true;
        break;
    default: break;
    }
    if (tx->vary > VARY_PARAMETER || tx->type.ndim) return false;
    Value *v = value_for_good(l, tx);
    if (l->unroll) {
        *out = idx_of(1);
        return true;
    }
    if (!v || v->ndim || v->basic == BASIC_REAL || v->basic == BASIC_STRING) return false;
    *out = idx_of((int)v->integer[0] + (v->basic == BASIC_BOOLEAN));
    return true;
}

Idx lower_index(Lower *l, const Tx *tx) {
    Idx idx;
    if (idx_affine(l, tx, &idx)) return idx;
    bool before = l->subscript;
    l->subscript = true;
    idx = (Idx){.term = lower_scalar(l, tx, NULL)};
    l->subscript = before;
    if (tx->type.basic == BASIC_ENUM)
        idx.term = expr_1(l->shapes, TERM_ORDINAL, idx.term);
    if (tx->type.basic == BASIC_BOOLEAN) {
        Term args[3] = {idx.term, expr_integer(l->shapes, 2), expr_integer(l->shapes, 1)};
        idx.term = expr_make(l->shapes, TERM_IF, args, 3);
    }
    return idx;
}

/* Element idx of a vector of subscripts. */
Idx index_at(Lower *l, const Tx *tx, const Idx *idx) {
    if (tx->kind == TX_RANGE && !idx->term) {
        Idx start, step = idx_of(1);
        if (idx_affine(l, tx->arg[0], &start) &&
            (tx->n < 3 || (idx_affine(l, tx->arg[1], &step) && idx_fixed(&step)))) {
            Idx one = idx_of(1), back = combine(idx, &one, -1);
            back = scale(&back, step.base);
            return combine(&start, &back, 1);
        }
    }
    if (tx->kind == TX_ARRAY && idx_fixed(idx) && idx->base >= 1 && idx->base <= tx->n)
        return lower_index(l, tx->arg[idx->base - 1]);
    if (tx->vary <= VARY_PARAMETER && idx_fixed(idx)) {
        Value *v = value_for_good(l, tx);
        if (v && v->ndim == 1 && idx->base <= v->count && v->basic != BASIC_REAL)
            return idx_of((int)v->integer[idx->base - 1]);
    }
    return (Idx){.term = lower_scalar(l, tx, idx)};
}

/* Indices of all dimensions on the way to the instance, outermost first. */
int full_index(Lower *l, const Tx *ref, const Inst *inst, const Idx *idx, int *next,
               Idx *out) {
    if (!inst) return 0;
    int n = full_index(l, ref, inst->parent, idx, next, out);
    if (inst->ndim == 0) return n;
    bool above = inst == ref->base || inst_is_under(ref->base, inst);
    int  sub = above ? 0 : inst_depth_dims(inst->parent, ref->base);
    for (int k = 0; k < inst->ndim && n < NEST; k++, n++) {
        if (above) {
            out[n] = l->around[n];
            continue;
        }
        const Tx *s = ref->arg[sub + k];
        if (!s || s->kind == TX_COLON) out[n] = idx[(*next)++];
        else if (s->type.ndim) out[n] = index_at(l, s, &idx[(*next)++]);
        else if (!(inst->vary > VARY_PARAMETER && !idx_affine(l, s, &out[n]) &&
                   idx_progression(l, s, &out[n])))
            out[n] = lower_index(l, s);
    }
    return n;
}

/* Whether an index stays in its dimension in all rows; if not so because of a loop, rows inside
 * and outside are made apart, because a condition may exclude the wrong ones. */
static bool in_range(Lower *l, const Idx *at, int size, const Tx *ref) {
    int low = at->base, high = low;
    for (int d = 0; d < ROW_DIMS && d < l->row.dims; d++) {
        int span = at->step[d] * (l->row.extent[d] - 1);
        if (span > 0) high += span;
        else low += span;
    }
    if (low >= 1 && high <= size) return true;
    if (l->unroll) return false; /* what is not yet known stands for 1: see idx_affine */
    if (!idx_fixed(at)) idx_cut_at_bounds(l, at, size);
    else if (!l->failed) {
        diag_report(l->front->diag, ref->pos, CODE_T121,
                    "subscript %d of '%s' is outside 1..%d", low,
                    text_of(l->front, ref->inst->name), size);
        l->failed = true;
        l->good = false;
    }
    return false;
}

bool lower_variable(Lower *l, const Tx *ref, const Idx *idx, int *var, int *stride) {
    Idx at[NEST];
    int dim[NEST], next = 0;
    int n = full_index(l, ref, ref->inst, idx, &next, at);
    lower_around(ref->inst, dim);
    int base = 0;
    memset(stride, 0, sizeof(int) * ROW_DIMS);
    *var = ref->inst->first;
    for (int k = 0; k < n; k++) {
        if (at[k].term) return false;
        if (!in_range(l, &at[k], dim[k], ref)) return true;
        base = base * dim[k] + at[k].base - 1;
        for (int d = 0; d < ROW_DIMS; d++) stride[d] = stride[d] * dim[k] + at[k].step[d];
    }
    *var = ref->inst->first + base;
    return true;
}

/* A subscript that is a term: an element of an array slot. */
static Term element_of_run(Lower *l, const Tx *ref, const Idx *idx) {
    Idx at[NEST];
    int dim[NEST], next = 0, size[ROW_DIMS], step[ROW_DIMS], base = 0, rank = 0;
    int stride[ROW_DIMS] = {0};
    int n = full_index(l, ref, ref->inst, idx, &next, at);
    lower_around(ref->inst, dim);
    Term args[ROW_DIMS + 1];
    for (int k = 0; k < n; k++) {
        int below = 1;
        for (int j = k + 1; j < n; j++) below *= dim[j];
        if (at[k].term) {
            if (rank == ROW_DIMS)
                return lower_fail(l, ref->pos, "an array of so many dimensions");
            size[rank] = dim[k];
            step[rank] = below;
            args[++rank] = at[k].term;
            continue;
        }
        base += (at[k].base - 1) * below;
        for (int d = 0; d < ROW_DIMS; d++) stride[d] += at[k].step[d] * below;
    }
    args[0] = row_array(&l->row, ref->inst->first + base, stride, rank, size, step);
    return expr_make(l->shapes, TERM_ELEMENT, args, rank + 1);
}

const Value *constant_value(Lower *l, const Tx *tx) {
    Inst *root = tx->inst;
    while (root->parent) root = root->parent;
    if (root == l->model->root) return NULL;
    l->eval.why = NULL;
    l->eval.steps = EVAL_STEPS;
    return inst_value(&l->eval, tx->inst);
}

bool lower_in_body(const Lower *l, const Inst *inst) {
    if (!l->body) return false;
    if (!l->body->func) { /* an algorithm section: variables of the model */
        while (inst->parent) inst = inst->parent;
        return inst == l->model->root;
    }
    return inst_is_under(inst, l->body->func->inst);
}

/* Whether a value can no longer be changed after translation. */
static bool frozen_below(Lower *l, const Tx *tx, int depth) {
    if (!tx) return true;
    if (tx->vary > VARY_PARAMETER || depth > 20) return false;
    if (tx->kind == TX_REF && tx->inst->vary == VARY_PARAMETER) {
        Inst *inst = tx->inst;
        if (inst->prefix.theta) return false;
        if (!inst->evaluate && !(inst->structural && inst->evaluation.known)) {
            if (!inst->prefix.final && !inst->prefix.protected_) return false;
            const Tx *bound = inst_bind(l->front, inst);
            if (!bound) bound = inst_bind_record(l->front, inst);
            if (!bound || !frozen_below(l, bound, depth + 1)) return false;
        }
    }
    if (tx->kind == TX_BUILTIN && !tx->builtin->eval) return false;
    for (int k = 0; k < tx->n; k++)
        if (!frozen_below(l, tx->arg[k], depth)) return false;
    return true;
}

bool lower_frozen(Lower *l, const Tx *tx) {
    return frozen_below(l, tx, 0);
}

/* Can a parameter no longer change, so that its value may stand in the rows? */
static bool is_frozen(Lower *l, const Tx *tx) {
    const Inst *inst = tx->inst;
    return inst->vary <= VARY_PARAMETER && inst->basic <= BASIC_BOOLEAN &&
           (inst->vary == VARY_CONSTANT || inst->prefix.final ||
            inst->prefix.protected_ || inst->structural || inst->evaluate) &&
           frozen_below(l, tx, 0);
}

static bool is_neutral(double x) {
    return x == 0 || x == 1 || x == -1;
}

/* Number k of a frozen value as a term, 0 if a variable serves as well. */
static Term number_of(Lower *l, const Value *v, int k, bool all) {
    switch (v->basic) {
    case BASIC_REAL:
        return all || is_neutral(v->real[k]) ? expr_real(l->shapes, v->real[k]) : 0;
    case BASIC_INTEGER: return all ? expr_integer(l->shapes, v->integer[k]) : 0;
    case BASIC_BOOLEAN: return all ? expr_boolean(l->shapes, v->integer[k] != 0) : 0;
    default: return 0;
    }
}

/* Is it worth a row for each element that some of the numbers are known? Only in short loops. */
static bool is_worth_rows(const Lower *l, const Value *v) {
    bool any = false;
    int  rows = 1;
    for (int d = 0; d < l->row.dims && rows <= MOST_ROWS; d++) rows *= l->row.extent[d];
    for (int k = 0; k < v->count && v->basic == BASIC_REAL; k++)
        any |= is_neutral(v->real[k]);
    return any && rows <= MOST_ROWS;
}

/* An element of a frozen array of numbers, as an axis of a joint. */
static Term frozen_element(Lower *l, const Tx *tx, const Idx *idx, const Value *v,
                           bool all) {
    Idx at[NEST];
    int next = 0, place = 0, n = full_index(l, tx, tx->inst, idx, &next, at);
    if (n != v->ndim || v->count > MOST_ROWS || l->failed || l->unroll) return 0;
    for (int k = 0; k < n; k++) {
        if (at[k].term) return 0;
        if (!idx_fixed(&at[k])) return is_worth_rows(l, v) ? lower_again(l) : 0;
        if (at[k].base < 1 || at[k].base > v->dim[k]) return 0;
        place = place * v->dim[k] + at[k].base - 1;
    }
    return number_of(l, v, place, all);
}

/* A parameter that can no longer change as a number, 0 if it stays a variable. Zero and one always
 * become numbers: what a capacitance that was switched off multiplies is not there, and states that
 * would only follow from it are none; a rotation about an axis of coordinates has few terms. Other
 * values do so in calls that are carried out, whose branches and terms depend on them. */
static Term frozen_number(Lower *l, const Tx *tx, const Idx *idx) {
    Inst *inst = tx->inst;
    bool  all = l->split || inst->vary == VARY_CONSTANT;
    bool  array = inst->ndim > 0;
    if (!(all || inst->basic == BASIC_REAL) || (array && l->body)) return 0;
    for (const Inst *p = inst->parent; p; p = p->parent)
        if (p->ndim) return 0;
    if (!is_frozen(l, tx)) return 0;
    bool peek = l->eval.peek;
    l->eval.why = NULL;
    l->eval.steps = EVAL_STEPS;
    const Value *v = inst_value(&l->eval, inst);
    if (!v || v->basic != inst->basic || v->ndim != inst->ndim) return 0;
    Term number = array ? frozen_element(l, tx, idx, v, all) : number_of(l, v, 0, all);
    if (number && !inst->prefix.final && inst->vary == VARY_PARAMETER) {
        l->eval.peek = false; /* a protected one changes with a new translation only */
        inst_value(&l->eval, inst);
        l->eval.peek = peek;
    }
    return number;
}

static Term misused_theta(Lower *l, const Tx *tx, Code code, Pos pos, const char *how) {
    if (!l->failed)
        diag_report(l->front->diag, pos, code, "'%s' %s",
                    str_text(l->front->strings, tx->inst->name), how);
    l->good = false;
    l->failed = true;
    return l->shapes->zero;
}

/* All that stands for THETA is one variable of the system, with the value 1. */
static Term theta_ref(Lower *l, const Tx *tx) {
    int none[ROW_DIMS] = {0};
    if (l->body)
        return misused_theta(
            l, tx, CODE_H102, tx->pos,
            "in statements that are computed as a function: it is of the "
            "order THETA^1, but must be finite");
    if (tx->inst->ndim)
        return misused_theta(
            l, tx, CODE_H106, tx->inst->pos,
            "stands for an infinitely fast process: it must be a scalar");
    if (l->theta < 0) {
        l->theta =
            system_run(l->sys, VAR_PARAMETER, TYPE_REAL, 1, tx->inst->id, tx->inst->pos);
        l->sys->run[l->theta].flags |= VAR_HIDDEN | VAR_PROTECTED | VAR_FINAL;
        system_value(l->sys, l->theta, ATTR_BINDING, 1);
        l->sys->theta.var = l->sys->run[l->theta].first;
    }
    return row_var(&l->row, l->sys->theta.var, none);
}

Term lower_ref(Lower *l, const Tx *tx, const Idx *idx) {
    if (tx->inst->prefix.theta) return theta_ref(l, tx);
    if (lower_in_body(l, tx->inst)) return body_ref(l, tx, idx);
    if (tx->inst->first < 0) {
        const Value *v = constant_value(l, tx);
        if (!v) return lower_fail(l, tx->pos, "this reference");
        Idx at[NEST];
        int next = 0, n = full_index(l, tx, tx->inst, idx, &next, at);
        int skip = n - v->ndim;
        return pick_literal(l, v, at + (skip > 0 ? skip : 0), tx->pos);
    }
    Term number = frozen_number(l, tx, idx);
    if (number) return number;
    int var, stride[ROW_DIMS];
    if (lower_variable(l, tx, idx, &var, stride)) return row_var(&l->row, var, stride);
    if (l->failed || l->unroll) return l->shapes->zero;
    return element_of_run(l, tx, idx);
}
