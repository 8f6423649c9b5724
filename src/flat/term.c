/* SPDX-License-Identifier: Apache-2.0 */
/* term.c -- one element of a typed expression as a term over slots.
 *
 * lower_scalar takes the element of an array expression at given indices, so arrays vanish
 * on the way down: (A*x)[i] is a sum, {a, b}[i] is a choice. Indices are affine in the loop
 * counters of the row or, in functions, terms. Where an affine index is needed and not there,
 * l->unroll asks the caller to fix a loop. */
#include "flat/lower.h"

#include <string.h>

enum {
    EXPAND_MOST = 24, /* longer sums become SUM_OF                                   */
    SPLIT_MOST = 64   /* longer arrays stay slots in calls that might be inlined     */
};

Idx idx_of(int value) {
    return (Idx){.base = value};
}

static bool idx_fixed(const Idx *idx) {
    if (idx->term) return false;
    for (int k = 0; k < ROW_DIMS; k++)
        if (idx->step[k]) return false;
    return true;
}

Term idx_term(Lower *l, const Idx *idx) {
    if (idx->term) return idx->term;
    if (idx_fixed(idx)) return expr_integer(l->shapes, idx->base);
    return row_number(&l->row, idx->base, idx->step);
}

Term lower_fail(Lower *l, Pos pos, const char *what) {
    if (!l->failed) {
        diag_report(l->front->diag, pos, CODE_F910, "%s is not supported yet", what);
        l->good = false;
    }
    l->failed = true;
    return l->shapes->zero;
}

static Term again(Lower *l) {
    l->unroll = true;
    return l->shapes->zero;
}

Type type_of_basic(int basic) {
    switch (basic) {
    case BASIC_REAL: return TYPE_REAL;
    case BASIC_INTEGER: return TYPE_INTEGER;
    case BASIC_BOOLEAN: return TYPE_BOOLEAN;
    case BASIC_STRING: return TYPE_STRING;
    case BASIC_ENUM: return TYPE_ENUM;
    case BASIC_CLOCK: return TYPE_CLOCK;
    case BASIC_OBJECT: return TYPE_OBJECT;
    default: return TYPE_NONE;
    }
}

Type lower_type(const Inst *inst) {
    return type_of_basic(inst->basic);
}

int lower_enum(Lower *l, Cls *cls) {
    cls = cls->plain;
    int64_t k = map_get(&l->enums, (uintptr_t)cls->literal, -1);
    if (k >= 0) return (int)k;
    Str name = str_of(l->front->strings, cls_text(l->front, cls));
    int number = system_enumeration(l->sys, name, cls->literal, cls->literals);
    map_put(&l->enums, (uintptr_t)cls->literal, number);
    return number;
}

/* ---- literals --------------------------------------------------------------------------- */

static Term element_literal(Lower *l, const Value *v, int k, Pos pos) {
    switch (v->basic) {
    case BASIC_REAL: return expr_real(l->shapes, v->real[k]);
    case BASIC_INTEGER: return expr_integer(l->shapes, v->integer[k]);
    case BASIC_BOOLEAN: return expr_boolean(l->shapes, v->integer[k] != 0);
    case BASIC_STRING:
        return expr_string(l->shapes, str_of(l->front->strings, v->string[k]));
    case BASIC_ENUM:
        return expr_enum(l->shapes, lower_enum(l, v->cls), (int)v->integer[k]);
    default: return lower_fail(l, pos, "a value of this type");
    }
}

static Term array_literal(Lower *l, const Value *v, Pos pos) {
    if (v->ndim == 0) return element_literal(l, v, 0, pos);
    int n = v->dim[0];
    if (n == 0) return lower_fail(l, pos, "an empty array in an expression");
    Term *item = NEW(&l->scratch, Term, n);
    for (int k = 0; k < n; k++)
        item[k] = array_literal(l, value_row(&l->scratch, v, k), pos);
    return expr_make(l->shapes, TERM_ARRAY, item, n);
}

/* An element of a known value. */
static Term pick_literal(Lower *l, const Value *v, const Idx *idx, Pos pos) {
    int  flat = 0;
    bool fixed = true;
    for (int k = 0; k < v->ndim; k++) {
        fixed &= idx_fixed(&idx[k]);
        int i = idx[k].base - 1;
        if (fixed && (i < 0 || i >= v->dim[k]))
            return lower_fail(l, pos, "a subscript out of range");
        flat = flat * v->dim[k] + i;
    }
    if (fixed) return element_literal(l, v, flat, pos);
    Term args[16];
    args[0] = array_literal(l, v, pos);
    for (int k = 0; k < v->ndim && k < 15; k++) args[k + 1] = idx_term(l, &idx[k]);
    return expr_make(l->shapes, TERM_ELEMENT, args, v->ndim + 1);
}

/* ---- indices ------------------------------------------------------------------------------- */

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
static Value *value_now(Lower *l, const Tx *tx) {
    l->eval.why = NULL;
    l->eval.steps = EVAL_STEPS;
    l->eval.differs = false;
    Value *v = eval_tx(&l->eval, tx);
    if (!v && l->eval.differs) again(l);
    return v;
}

static bool affine(Lower *l, const Tx *tx, Idx *out) {
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
        if (!affine(l, tx->arg[0], &a)) return false;
        *out = scale(&a, -1);
        return true;
    case TX_ADD:
    case TX_SUB:
        if (tx->type.ndim || !affine(l, tx->arg[0], &a) || !affine(l, tx->arg[1], &b))
            break;
        *out = combine(&a, &b, tx->kind == TX_ADD ? 1 : -1);
        return true;
    case TX_MUL:
        if (tx->type.ndim || !affine(l, tx->arg[0], &a) || !affine(l, tx->arg[1], &b))
            break;
        if (idx_fixed(&a)) *out = scale(&b, a.base);
        else if (idx_fixed(&b)) *out = scale(&a, b.base);
        else return false;
        return true;
    default: break;
    }
    if (tx->vary > VARY_PARAMETER || tx->type.ndim) return false;
    Value *v = value_now(l, tx);
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
    if (affine(l, tx, &idx)) return idx;
    idx = (Idx){.term = lower_scalar(l, tx, NULL)};
    if (tx->type.basic == BASIC_ENUM)
        idx.term = expr_1(l->shapes, TERM_ORDINAL, idx.term);
    if (tx->type.basic == BASIC_BOOLEAN) {
        Term args[3] = {idx.term, expr_integer(l->shapes, 2), expr_integer(l->shapes, 1)};
        idx.term = expr_make(l->shapes, TERM_IF, args, 3);
    }
    return idx;
}

/* Element idx of a vector of subscripts. */
static Idx index_at(Lower *l, const Tx *tx, const Idx *idx) {
    if (tx->kind == TX_RANGE && !idx->term) {
        Idx start, step = idx_of(1);
        if (affine(l, tx->arg[0], &start) &&
            (tx->n < 3 || (affine(l, tx->arg[1], &step) && idx_fixed(&step)))) {
            Idx one = idx_of(1), back = combine(idx, &one, -1);
            back = scale(&back, step.base);
            return combine(&start, &back, 1);
        }
    }
    if (tx->kind == TX_ARRAY && idx_fixed(idx) && idx->base >= 1 && idx->base <= tx->n)
        return lower_index(l, tx->arg[idx->base - 1]);
    if (tx->vary <= VARY_PARAMETER && idx_fixed(idx)) {
        Value *v = value_now(l, tx);
        if (v && v->ndim == 1 && idx->base <= v->count && v->basic != BASIC_REAL)
            return idx_of((int)v->integer[idx->base - 1]);
    }
    return (Idx){.term = lower_scalar(l, tx, idx)};
}

/* ---- references -------------------------------------------------------------------------------- */

/* Indices of all dimensions on the way to the instance, outermost first. */
static int full_index(Lower *l, const Tx *ref, const Inst *inst, const Idx *idx,
                      int *next, Idx *out) {
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
        else out[n] = lower_index(l, s);
    }
    return n;
}

static int full_dims(const Inst *inst, int *dim) {
    if (!inst) return 0;
    int n = full_dims(inst->parent, dim);
    for (int k = 0; k < inst->ndim && n < NEST; k++) dim[n++] = inst->dim[k];
    return n;
}

/* Whether an index stays in its dimension in all rows; if not so because of a loop, each
 * row is made by itself, because a condition may exclude the wrong ones. */
static bool in_range(Lower *l, const Idx *at, int size, const Tx *ref) {
    int low = at->base, high = low;
    for (int d = 0; d < ROW_DIMS && d < l->row.dims; d++) {
        int span = at->step[d] * (l->row.extent[d] - 1);
        if (span > 0) high += span;
        else low += span;
    }
    if (low >= 1 && high <= size) return true;
    if (!idx_fixed(at)) again(l);
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
    full_dims(ref->inst, dim);
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
    full_dims(ref->inst, dim);
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

static const Value *constant_value(Lower *l, const Tx *tx) {
    Inst *root = tx->inst;
    while (root->parent) root = root->parent;
    if (root == l->model->root) return NULL;
    l->eval.why = NULL;
    l->eval.steps = EVAL_STEPS;
    return inst_value(&l->eval, tx->inst);
}

static bool in_body(const Lower *l, const Inst *inst) {
    if (!l->body) return false;
    if (!l->body->func) { /* an algorithm section: variables of the model */
        while (inst->parent) inst = inst->parent;
        return inst == l->model->root;
    }
    return inst_is_under(inst, l->body->func->inst);
}

/* Whether a value can no longer be changed after translation. */
static bool frozen(Lower *l, const Tx *tx, int depth) {
    if (!tx) return true;
    if (tx->vary > VARY_PARAMETER || depth > 20) return false;
    if (tx->kind == TX_REF && tx->inst->vary == VARY_PARAMETER) {
        Inst *inst = tx->inst;
        if (!inst->evaluate && !(inst->structural && inst->known)) {
            if (!inst->final) return false;
            const Tx *bound = inst_bind(l->front, inst);
            if (!bound) bound = inst_bind_record(l->front, inst);
            if (!bound || !frozen(l, bound, depth + 1)) return false;
        }
    }
    if (tx->kind == TX_BUILTIN && !tx->builtin->eval) return false;
    for (int k = 0; k < tx->n; k++)
        if (!frozen(l, tx->arg[k], depth)) return false;
    return true;
}

bool lower_frozen(Lower *l, const Tx *tx) {
    return frozen(l, tx, 0);
}

/* A parameter that can no longer change as a number, 0 if it stays a variable. Zero always becomes
 * one: what a capacitance that was switched off multiplies is not there, and states that would only
 * follow from it are none. Other values do so in calls that are carried out, whose branches and
 * terms depend on them. */
static Term frozen_number(Lower *l, const Tx *tx) {
    Inst *inst = tx->inst;
    bool  constant = inst->vary == VARY_CONSTANT, all = l->split || constant;
    if (inst->vary > VARY_PARAMETER || inst->basic > BASIC_BOOLEAN ||
        !(all || inst->basic == BASIC_REAL) ||
        !(constant || inst->final || inst->structural || inst->evaluate) ||
        !frozen(l, tx, 0))
        return 0;
    for (const Inst *p = inst; p; p = p->parent)
        if (p->ndim) return 0;
    l->eval.why = NULL;
    l->eval.steps = EVAL_STEPS;
    const Value *v = eval_tx(&l->eval, tx);
    if (!v || v->ndim || v->basic != inst->basic) return 0;
    switch (v->basic) {
    case BASIC_REAL: return all || v->real[0] == 0 ? expr_real(l->shapes, v->real[0]) : 0;
    case BASIC_INTEGER: return expr_integer(l->shapes, v->integer[0]);
    case BASIC_BOOLEAN: return expr_boolean(l->shapes, v->integer[0] != 0);
    default: return 0;
    }
}

static Term lower_ref(Lower *l, const Tx *tx, const Idx *idx) {
    if (in_body(l, tx->inst)) return body_ref(l, tx, idx);
    if (tx->inst->first < 0) {
        const Value *v = constant_value(l, tx);
        if (!v) return lower_fail(l, tx->pos, "this reference");
        Idx at[NEST];
        int next = 0, n = full_index(l, tx, tx->inst, idx, &next, at);
        int skip = n - v->ndim;
        return pick_literal(l, v, at + (skip > 0 ? skip : 0), tx->pos);
    }
    Term number = frozen_number(l, tx);
    if (number) return number;
    int var, stride[ROW_DIMS];
    if (lower_variable(l, tx, idx, &var, stride)) return row_var(&l->row, var, stride);
    return element_of_run(l, tx, idx);
}

/* ---- operators ------------------------------------------------------------------------------------ */

Term lower_real(Lower *l, Term term, const Tx *tx, int wanted) {
    if (wanted != BASIC_REAL || tx->type.basic != BASIC_INTEGER) return term;
    double value;
    if (expr_literal(l->shapes, term, &value)) return expr_real(l->shapes, value);
    return expr_1(l->shapes, TERM_TO_REAL, term);
}

/* Element of an argument of an element-wise operator: scalars stand for every element. */
static Term spread(Lower *l, const Tx *arg, const Tx *of, const Idx *idx) {
    int skip = of->type.ndim - arg->type.ndim;
    return lower_scalar(l, arg, arg->type.ndim ? idx + (skip > 0 ? skip : 0) : NULL);
}

/* body(k) for k = 1..n added up; large or unknown n as SUM_OF. */
static Term sum_products(Lower *l, const Tx *a, const Idx *ia, int ka, const Tx *b,
                         const Idx *ib, int kb, int n, const Tx *size_of, int dim) {
    Idx ja[NEST], jb[NEST];
    memcpy(ja, ia, sizeof(Idx) * (size_t)a->type.ndim);
    memcpy(jb, ib, sizeof(Idx) * (size_t)b->type.ndim);
    if (n >= 0 && n <= EXPAND_MOST) {
        Term item[EXPAND_MOST];
        if (n == 0) return l->shapes->zero;
        for (int k = 0; k < n; k++) {
            ja[ka] = jb[kb] = idx_of(k + 1);
            item[k] = expr_2(l->shapes, TERM_MUL, lower_scalar(l, a, ja),
                             lower_scalar(l, b, jb));
        }
        return n == 1 ? item[0] : expr_make(l->shapes, TERM_ADD, item, n);
    }
    int it = l->bound++;
    ja[ka] = jb[kb] = (Idx){.term = expr_iterator(l->shapes, it)};
    Term args[2] = {
        lower_size(l, size_of, dim),
        expr_2(l->shapes, TERM_MUL, lower_scalar(l, a, ja), lower_scalar(l, b, jb))};
    return expr_indexed(l->shapes, TERM_SUM_OF, it, args, 2);
}

static Term lower_mul(Lower *l, const Tx *tx, const Idx *idx) {
    const Tx *a = tx->arg[0], *b = tx->arg[1];
    if (a->type.ndim == 0 || b->type.ndim == 0)
        return expr_2(l->shapes, TERM_MUL, spread(l, a, tx, idx), spread(l, b, tx, idx));
    Idx ia[NEST] = {0}, ib[NEST] = {0};
    int next = 0, n = a->type.dim[a->type.ndim - 1];
    if (a->type.ndim == 2) ia[0] = idx[next++];
    if (b->type.ndim == 2) ib[1] = idx[next++];
    if (n < 0) n = b->type.dim[0];
    return sum_products(l, a, ia, a->type.ndim - 1, b, ib, 0, n, a, a->type.ndim - 1);
}

static Term lower_binary(Lower *l, const Tx *tx, const Idx *idx) {
    static const uint8_t op[] = {[TX_ADD] = TERM_ADD,
                                 [TX_ADD_EACH] = TERM_ADD,
                                 [TX_MUL_EACH] = TERM_MUL,
                                 [TX_DIV] = TERM_DIV,
                                 [TX_DIV_EACH] = TERM_DIV,
                                 [TX_POW] = TERM_POW,
                                 [TX_POW_EACH] = TERM_POW,
                                 [TX_AND] = TERM_AND,
                                 [TX_OR] = TERM_OR,
                                 [TX_LT] = TERM_LESS,
                                 [TX_LE] = TERM_LESS_EQUAL,
                                 [TX_GT] = TERM_GREATER,
                                 [TX_GE] = TERM_GREATER_EQUAL,
                                 [TX_EQ] = TERM_EQUAL,
                                 [TX_NE] = TERM_NOT_EQUAL};
    if (tx->kind == TX_POW && tx->type.ndim)
        return lower_fail(l, tx->pos, "a power of a matrix");
    Term a = spread(l, tx->arg[0], tx, idx), b = spread(l, tx->arg[1], tx, idx);
    if (tx->kind == TX_SUB || tx->kind == TX_SUB_EACH) return expr_sub(l->shapes, a, b);
    if (tx->type.basic == BASIC_STRING) return expr_2(l->shapes, TERM_CONCAT, a, b);
    return expr_2(l->shapes, (TermOp)op[tx->kind], a, b);
}

/* Loops that may be unrolled for the sake of a condition: rows without the branches that never
 * hold are easier to solve, but long loops stay loops. */
static bool few_rows(const Lower *l) {
    enum { FEW = 256 };
    int rows = 1;
    for (int d = 0; d < l->row.dims && rows <= FEW; d++) rows *= l->row.extent[d];
    return l->row.dims > 0 && rows <= FEW;
}

static Term lower_if(Lower *l, const Tx *tx, const Idx *idx) {
    for (int k = 0; k + 1 < tx->n && !l->body; k += 2) { /* a branch chosen for good */
        if (!frozen(l, tx->arg[k], 0)) break;
        Value *c = value_now(l, tx->arg[k]);
        if (!c && few_rows(l)) return again(l); /* known in each of them */
        if (!c || c->basic != BASIC_BOOLEAN) break;
        const Tx *chosen = c->integer[0]    ? tx->arg[k + 1]
                           : k + 3 >= tx->n ? tx->arg[tx->n - 1]
                                            : NULL;
        if (chosen)
            return lower_real(l, lower_scalar(l, chosen, idx), chosen, tx->type.basic);
    }
    Term *arg = NEW(&l->scratch, Term, tx->n);
    for (int k = 0; k < tx->n; k++) {
        bool cond = k % 2 == 0 && k + 1 < tx->n;
        arg[k] = lower_scalar(l, tx->arg[k], cond ? NULL : idx);
        if (!cond) arg[k] = lower_real(l, arg[k], tx->arg[k], tx->type.basic);
    }
    return expr_make(l->shapes, TERM_IF, arg, tx->n);
}

/* ---- arrays --------------------------------------------------------------------------------------------- */

static Term lower_constructor(Lower *l, const Tx *tx, const Idx *idx) {
    if (idx_fixed(&idx[0])) {
        int k = idx[0].base;
        if (k < 1 || k > tx->n) return lower_fail(l, tx->pos, "a subscript out of range");
        return lower_real(l, lower_scalar(l, tx->arg[k - 1], idx + 1), tx->arg[k - 1],
                          tx->type.basic);
    }
    if (!idx[0].term && !l->body) return again(l);
    if (tx->n == 0) return lower_fail(l, tx->pos, "an empty array in an expression");
    Term *item = NEW(&l->scratch, Term, tx->n), args[2];
    for (int k = 0; k < tx->n; k++)
        item[k] = lower_real(l, lower_scalar(l, tx->arg[k], idx + 1), tx->arg[k],
                             tx->type.basic);
    args[0] = expr_make(l->shapes, TERM_ARRAY, item, tx->n);
    args[1] = idx_term(l, &idx[0]);
    return expr_make(l->shapes, TERM_ELEMENT, args, 2);
}

static Term lower_range(Lower *l, const Tx *tx, const Idx *idx) {
    Term start = lower_scalar(l, tx->arg[0], NULL);
    Term back = expr_sub(l->shapes, idx_term(l, idx), expr_integer(l->shapes, 1));
    if (tx->n == 3)
        back = expr_2(l->shapes, TERM_MUL, back, lower_scalar(l, tx->arg[1], NULL));
    return expr_2(l->shapes, TERM_ADD, start, back);
}

static const int reduce_op[] = {[REDUCE_SUM] = TERM_SUM_OF,
                                [REDUCE_PRODUCT] = TERM_PRODUCT_OF,
                                [REDUCE_MIN] = TERM_MIN_OF,
                                [REDUCE_MAX] = TERM_MAX_OF};

static Term empty_reduction(Lower *l, int reduce, Basic basic) {
    Type   type = type_of_basic(basic);
    double value = reduction_empty((TermOp)reduce_op[reduce], type);
    return type == TYPE_REAL ? expr_real(l->shapes, value)
                             : expr_integer(l->shapes, (int64_t)value);
}

/* Iterator k-1 and those before it, innermost first. */
static Term reduce_level(Lower *l, const Tx *tx, int k, const Idx *idx) {
    if (k == 0) return lower_scalar(l, tx->arg[0], idx);
    const Tx *range = tx->arg[k];
    int       n = range->type.dim[0];
    if (l->iters >= LENGTH(l->iter)) return lower_fail(l, tx->pos, "so many iterators");
    int slot = l->iters++;
    l->iter[slot].var = tx->iters[k - 1];
    Term   result;
    Value *values = NULL;
    if (range->vary <= VARY_PARAMETER) values = value_now(l, range);
    if (l->unroll) return l->shapes->zero;
    if (values) n = values->count;
    if (values && n <= EXPAND_MOST * 8 && l->eval.binds < LENGTH(l->eval.bind)) {
        Term *item = NEW(&l->scratch, Term, n + 1);
        int   b = l->eval.binds++;
        for (int j = 0; j < n; j++) {
            l->eval.bind[b].var = tx->iters[k - 1];
            l->eval.bind[b].value = value_element(&l->scratch, values, j);
            bool counts = values->basic != BASIC_REAL && values->basic != BASIC_STRING;
            l->iter[slot].value = idx_of(0);
            if (counts)
                l->iter[slot].value.base =
                    (int)values->integer[j] + (values->basic == BASIC_BOOLEAN);
            else l->iter[slot].value.term = element_literal(l, values, j, tx->pos);
            item[j] = reduce_level(l, tx, k - 1, idx);
        }
        l->eval.binds = b;
        static const int join[] = {[REDUCE_SUM] = TERM_ADD,
                                   [REDUCE_PRODUCT] = TERM_MUL,
                                   [REDUCE_MIN] = TERM_MIN,
                                   [REDUCE_MAX] = TERM_MAX};
        if (n == 0) result = empty_reduction(l, tx->reduce, tx->type.basic);
        else {
            result = item[0];
            if (tx->reduce <= REDUCE_PRODUCT && n > 1)
                result = expr_make(l->shapes, (TermOp)join[tx->reduce], item, n);
            else
                for (int j = 1; j < n; j++)
                    result = expr_2(l->shapes, (TermOp)join[tx->reduce], result, item[j]);
        }
    } else {
        int  it = l->bound++;
        Term iterator = expr_iterator(l->shapes, it);
        Idx  at = {.term = iterator};
        l->iter[slot].value = (Idx){.term = lower_scalar(l, range, &at)};
        Term args[2] = {lower_size(l, range, 0), reduce_level(l, tx, k - 1, idx)};
        result = expr_indexed(l->shapes, (TermOp)reduce_op[tx->reduce], it, args, 2);
    }
    l->iters = slot;
    return result;
}

/* Element of {e for i in r, j in s}: iterators take the values at the indices. */
static Term comprehension(Lower *l, const Tx *tx, const Idx *idx) {
    int n = tx->n - 1, before = l->iters, binds = l->eval.binds;
    for (int k = 0; k < n; k++) {
        const Idx *at = &idx[n - 1 - k];
        if (l->iters >= LENGTH(l->iter) || l->eval.binds >= LENGTH(l->eval.bind))
            return lower_fail(l, tx->pos, "so many iterators");
        int slot = l->iters++;
        l->iter[slot].var = tx->iters[k];
        if (tx->iters[k]->type.basic == BASIC_REAL)
            l->iter[slot].value = (Idx){.term = lower_scalar(l, tx->arg[k + 1], at)};
        else l->iter[slot].value = index_at(l, tx->arg[k + 1], at);
        if (idx_fixed(&l->iter[slot].value) &&
            tx->iters[k]->type.basic == BASIC_INTEGER) {
            l->eval.bind[l->eval.binds].var = tx->iters[k];
            l->eval.bind[l->eval.binds++].value =
                value_integer(&l->scratch, l->iter[slot].value.base);
        }
    }
    Term result = lower_scalar(l, tx->arg[0], idx + n);
    l->iters = before;
    l->eval.binds = binds;
    return result;
}

Term lower_size(Lower *l, const Tx *tx, int dim) {
    if (dim < tx->type.ndim && tx->type.dim[dim] >= 0)
        return expr_integer(l->shapes, tx->type.dim[dim]);
    switch (tx->kind) {
    case TX_RANGE: {
        Term span = expr_sub(l->shapes, lower_scalar(l, tx->arg[tx->n - 1], NULL),
                             lower_scalar(l, tx->arg[0], NULL));
        if (tx->n == 3)
            span =
                expr_2(l->shapes, TERM_QUOTIENT, span, lower_scalar(l, tx->arg[1], NULL));
        Term n = expr_2(l->shapes, TERM_ADD, span, expr_integer(l->shapes, 1));
        return expr_2(l->shapes, TERM_MAX, n, expr_integer(l->shapes, 0));
    }
    case TX_REDUCE: {
        int n = tx->n - 1;
        if (tx->reduce != REDUCE_ARRAY) n = 0; /* a sum of arrays */
        return dim < n ? lower_size(l, tx->arg[n - dim], 0)
                       : lower_size(l, tx->arg[0], dim - n);
    }
    case TX_NEG:
    case TX_NOT:
    case TX_ADD:
    case TX_SUB:
    case TX_ADD_EACH:
    case TX_SUB_EACH:
    case TX_MUL_EACH:
    case TX_DIV_EACH:
    case TX_POW_EACH:
    case TX_DIV:
        return lower_size(l, tx->arg[0]->type.ndim ? tx->arg[0] : tx->arg[1], dim);
    case TX_MUL:
        if (!tx->arg[0]->type.ndim) return lower_size(l, tx->arg[1], dim);
        if (!tx->arg[1]->type.ndim) return lower_size(l, tx->arg[0], dim);
        if (dim == 0 && tx->arg[0]->type.ndim == 2) return lower_size(l, tx->arg[0], 0);
        return lower_size(l, tx->arg[1], 1);
    case TX_IF: return lower_size(l, tx->arg[1], dim);
    case TX_ARRAY:
        if (dim == 0) return expr_integer(l->shapes, tx->n);
        return lower_size(l, tx->arg[0], dim - 1);
    case TX_BUILTIN:
        switch (tx->builtin->id) {
        case BUILTIN_zeros:
        case BUILTIN_ones: return lower_scalar(l, tx->arg[dim], NULL);
        case BUILTIN_fill:
            if (dim + 1 < tx->n) return lower_scalar(l, tx->arg[dim + 1], NULL);
            break;
        case BUILTIN_identity: return lower_scalar(l, tx->arg[0], NULL);
        case BUILTIN_linspace: return lower_scalar(l, tx->arg[2], NULL);
        case BUILTIN_transpose: return lower_size(l, tx->arg[0], 1 - dim);
        case BUILTIN_diagonal: return lower_size(l, tx->arg[0], 0);
        case BUILTIN_cat: {
            int64_t along;
            if (!eval_integer(l->front, tx->arg[0], &along)) break;
            if (dim != along - 1) return lower_size(l, tx->arg[1], dim);
            Term sum = lower_size(l, tx->arg[1], dim);
            for (int k = 2; k < tx->n; k++)
                sum = expr_2(l->shapes, TERM_ADD, sum, lower_size(l, tx->arg[k], dim));
            return sum;
        }
        case BUILTIN_vector: {
            Term all = expr_integer(l->shapes, 1);
            for (int k = 0; k < tx->arg[0]->type.ndim; k++)
                all = expr_2(l->shapes, TERM_MUL, all, lower_size(l, tx->arg[0], k));
            return all;
        }
        case BUILTIN_matrix:
        case BUILTIN_promote:
            if (dim < tx->arg[0]->type.ndim) return lower_size(l, tx->arg[0], dim);
            return expr_integer(l->shapes, 1);
        default:
            for (int k = 0; k < tx->n; k++)
                if (tx->arg[k] && tx->arg[k]->type.ndim == tx->type.ndim)
                    return lower_size(l, tx->arg[k], dim);
            break;
        }
        break;
    default: break;
    }
    if (tx->kind == TX_REF && in_body(l, tx->inst)) {
        int seen = 0;
        for (int k = 0; k < tx->n; k++) {
            const Tx *s = tx->arg[k];
            if (s && s->kind != TX_COLON && !s->type.ndim) continue;
            if (seen++ != dim) continue;
            if (s && s->kind != TX_COLON) return lower_size(l, s, 0);
            if (!l->body->func) break;
            Inst *leaf = tx->inst;
            while (leaf->basic == BASIC_RECORD && inst_member(l->front, leaf, 0))
                leaf = inst_member(l->front, leaf, 0);
            Term array = expr_array_slot(l->shapes, body_slot(l, leaf, READ_VALUE),
                                         lower_type(leaf),
                                         inst_depth_dims(leaf, l->body->func->inst));
            return expr_2(l->shapes, TERM_SIZE, array, expr_integer(l->shapes, k + 1));
        }
    }
    if (tx->kind == TX_SUBSCRIPT) {
        int seen = 0;
        for (int k = 0; k < tx->arg[0]->type.ndim; k++) {
            const Tx *s = k + 1 < tx->n ? tx->arg[k + 1] : NULL;
            bool      whole = !s || s->kind == TX_COLON;
            if (!whole && !s->type.ndim) continue;
            if (seen++ == dim)
                return whole ? lower_size(l, tx->arg[0], k) : lower_size(l, s, 0);
        }
    }
    if (tx->kind == TX_FIELD && dim < tx->arg[0]->type.ndim)
        return lower_size(l, tx->arg[0], dim);
    if (tx->kind == TX_CALL) {
        Func *func = tx->func;
        Inst *out = func->out[tx->output < 0 ? 0 : tx->output];
        int   extra = tx->type.ndim - out->ndim;
        if (dim < extra)
            for (int k = 0; k < func->nin; k++)
                if (tx->arg[k] && tx->arg[k]->type.ndim > func->in[k]->ndim)
                    return lower_size(l, tx->arg[k], dim);
        if (extra == 0)
            return expr_2(l->shapes, TERM_SIZE, lower_array(l, tx),
                          expr_integer(l->shapes, dim + 1));
    }
    if (tx->kind == TX_REF && !in_body(l, tx->inst)) {
        const Value *v = constant_value(l, tx);
        int          skip = v ? v->ndim - tx->type.ndim : -1;
        if (v && skip == 0 && dim < v->ndim) return expr_integer(l->shapes, v->dim[dim]);
    }
    return lower_fail(l, tx->pos, "this size, known at run time only,");
}

/* ---- calls ------------------------------------------------------------------------------------------------ */

int lower_args(Lower *l, const Tx *arg, Inst *in, Term *out, int n, int most) {
    if (n >= most) {
        lower_fail(l, arg->pos, "a call with so many arguments");
        return n;
    }
    if (arg->type.basic == BASIC_RECORD && arg->type.rec) {
        inst_all(l->front, in);
        for (int k = 0; k < in->nchild; k++) {
            Inst *field = in->child[k];
            Inst *from = inst_child(l->front, arg->type.rec, field->name);
            if (!from) {
                lower_fail(l, arg->pos, "a record without this field");
                return n;
            }
            n = lower_args(l, tx_field_of(l->front, (Tx *)arg, from, arg->pos), field,
                           out, n, most);
        }
        return n;
    }
    if (arg->type.basic == BASIC_FUNCTION) {
        lower_fail(l, arg->pos, "a function as argument");
        return n;
    }
    out[n] = arg->type.ndim ? lower_array(l, arg)
                            : lower_real(l, lower_scalar(l, arg, NULL), arg, in->basic);
    return n + 1;
}

/* The call with given leading indices of vectorised arguments. */
static Term call_at(Lower *l, const Tx *tx, const Idx *lead, int extra, int result,
                    Type type, int rank) {
    Func *func = tx->func;
    enum { MOST = 400 };
    Term *arg = NEW(&l->scratch, Term, MOST);
    int   n = 0;
    if (extra == 0) {
        int number = lower_call_args(l, tx, arg, MOST, &n);
        if (l->failed || l->unroll) return l->shapes->zero;
        return expr_call(l->shapes, number, result, type, rank, arg, n);
    }
    for (int k = 0; k < func->nin; k++) {
        const Tx *a = tx->arg[k];
        if (!a) return lower_fail(l, tx->pos, "a missing argument");
        if (extra && a->type.ndim > func->in[k]->ndim) {
            Tx  *subs[NEST];
            bool constant = true;
            for (int d = 0; d < extra; d++) {
                constant &= idx_fixed(&lead[d]);
                subs[d] = tx_integer(l->front, a->pos, lead[d].base);
            }
            if (!constant) {
                if (a->type.ndim == extra && a->type.basic != BASIC_RECORD) {
                    arg[n++] =
                        lower_real(l, lower_scalar(l, a, lead), a, func->in[k]->basic);
                    continue;
                }
                return again(l);
            }
            a = tx_index(l->front, (Tx *)a, subs, extra);
        }
        n = lower_args(l, a, func->in[k], arg, n, MOST);
    }
    return expr_call(l->shapes, lower_function(l, func), result, type, rank, arg, n);
}

/* Element of an array result. An inlined call has its elements one by one, so a loop over them
 * is unrolled. */
static Term element_of_call(Lower *l, Term call, const Idx *idx, int rank) {
    Term args[NEST];
    if (rank == 0 || l->failed || l->unroll) return call;
    for (int k = 0; k < rank; k++)
        if (!idx_fixed(&idx[k]) && !idx[k].term &&
            lower_inlines(l, expr_node(l->shapes, call)->index, NULL))
            return again(l);
    args[0] = call;
    for (int k = 0; k < rank; k++) args[k + 1] = idx_term(l, &idx[k]);
    return expr_make(l->shapes, TERM_ELEMENT, args, rank + 1);
}

static Term lower_call(Lower *l, const Tx *tx, const Idx *idx) {
    Func *func = tx->func;
    int   output = tx->output < 0 ? 0 : (int)tx->output;
    Inst *out = func->out[output];
    int   extra = tx->type.ndim - out->ndim, result = flat_results(l, func, output);
    Term  call =
        call_at(l, tx, idx, extra, result, type_of_basic(tx->type.basic), out->ndim);
    return element_of_call(l, call, idx + extra, out->ndim);
}

/* Number of built-in fields before `field` in a record, in flattened order; adds up. */
static int fields_before(Lower *l, Inst *record, const Inst *field, bool *found) {
    int n = 0;
    inst_all(l->front, record);
    for (int k = 0; k < record->nchild && !*found; k++) {
        Inst *child = record->child[k];
        if (child == field) {
            *found = true;
            break;
        }
        if (child->basic == BASIC_RECORD) n += fields_before(l, child, field, found);
        else n++;
    }
    return n;
}

/* A field (of a field ...) of an expression. */
static Term lower_field(Lower *l, const Tx *tx, const Idx *idx) {
    const Tx   *of = tx->arg[0];
    const Inst *field = tx->inst;
    const Tx   *path = tx;
    Front      *front = l->front;
    while (path->kind == TX_FIELD) path = path->arg[0];
    if (path->kind == TX_CALL) {
        Func *func = path->func;
        int   output = path->output < 0 ? 0 : (int)path->output;
        Inst *out = func->out[output];
        bool  found = false;
        int result = flat_results(l, func, output) + fields_before(l, out, field, &found);
        int extra = path->type.ndim - out->ndim, rank = 0;
        if (!found) return lower_fail(l, tx->pos, "a field of this call");
        rank = tx->type.ndim - extra;
        Term call =
            call_at(l, path, idx, extra, result, type_of_basic(tx->type.basic), rank);
        return element_of_call(l, call, idx + extra, rank);
    }
    int lead = of->type.ndim;
    /* push the field into the branches of the expression */
    if (of->kind == TX_IF) {
        Tx *copy = tx_new(front, TX_IF, of->pos, tx->type, (Vary)of->vary, of->n);
        for (int k = 0; k < of->n; k++) {
            bool  cond = k % 2 == 0 && k + 1 < of->n;
            Inst *f = cond ? NULL : inst_child(front, of->arg[k]->type.rec, field->name);
            copy->arg[k] = cond ? of->arg[k] : tx_field_of(front, of->arg[k], f, tx->pos);
        }
        return lower_scalar(l, copy, idx);
    }
    if (of->kind == TX_ARRAY || of->kind == TX_SUBSCRIPT || of->kind == TX_RECORD ||
        of->kind == TX_REDUCE || of->kind == TX_BUILTIN) {
        Tx *inner = (Tx *)of;
        if (of->kind == TX_RECORD) {
            Inst *f = inst_child(front, of->type.rec, field->name);
            return lower_scalar(l, tx_field_of(front, inner, f, tx->pos), idx);
        }
        if (of->kind == TX_REDUCE || of->kind == TX_SUBSCRIPT || of->kind == TX_ARRAY) {
            Tx *copy =
                tx_new(front, (TxKind)of->kind, of->pos, tx->type, (Vary)of->vary, of->n);
            Tx **arg = copy->arg;
            *copy = *of;
            copy->type = tx->type;
            copy->arg = arg;
            for (int k = 0; k < of->n; k++) {
                bool part = of->kind == TX_ARRAY || k == 0;
                arg[k] = of->arg[k];
                if (!part) continue;
                Inst *f = inst_child(front, of->arg[k]->type.rec, field->name);
                if (!f) return lower_fail(l, tx->pos, "this field");
                arg[k] = tx_field_of(front, of->arg[k], f, tx->pos);
            }
            return lower_scalar(l, copy, idx);
        }
        if (of->kind == TX_BUILTIN && of->builtin->id == BUILTIN_fill) {
            Inst *f = inst_child(front, of->arg[0]->type.rec, field->name);
            Tx   *part = f ? tx_field_of(front, of->arg[0], f, tx->pos) : NULL;
            if (part) return lower_scalar(l, part, idx + (of->n - 1));
        }
    }
    (void)lead;
    if (of->kind == TX_REF) { /* a field of a constant or of another view of the record */
        Inst *f = inst_child(front, of->inst, field->name);
        if (f) return lower_scalar(l, tx_field_of(front, (Tx *)of, f, tx->pos), idx);
    }
    return lower_fail(l, tx->pos, "a field of this expression");
}

/* ---- subscripts of values -------------------------------------------------------------------------------- */

static Term lower_subscript(Lower *l, const Tx *tx, const Idx *idx) {
    const Tx *of = tx->arg[0];
    Idx       at[NEST];
    int       next = 0;
    for (int k = 0; k < of->type.ndim; k++) {
        const Tx *s = k + 1 < tx->n ? tx->arg[k + 1] : NULL;
        if (!s || s->kind == TX_COLON) at[k] = idx[next++];
        else if (s->type.ndim) at[k] = index_at(l, s, &idx[next++]);
        else at[k] = lower_index(l, s);
    }
    return lower_scalar(l, of, at);
}

/* ---- built-in functions -------------------------------------------------------------------------------------- */

static const struct {
    int op; /* TERM_, 0: treated apart */
} simple[BUILTIN_COUNT] = {[BUILTIN_sin] = {TERM_SIN},
                           [BUILTIN_cos] = {TERM_COS},
                           [BUILTIN_tan] = {TERM_TAN},
                           [BUILTIN_asin] = {TERM_ASIN},
                           [BUILTIN_acos] = {TERM_ACOS},
                           [BUILTIN_atan] = {TERM_ATAN},
                           [BUILTIN_atan2] = {TERM_ATAN2},
                           [BUILTIN_sinh] = {TERM_SINH},
                           [BUILTIN_cosh] = {TERM_COSH},
                           [BUILTIN_tanh] = {TERM_TANH},
                           [BUILTIN_exp] = {TERM_EXP},
                           [BUILTIN_log] = {TERM_LOG},
                           [BUILTIN_log10] = {TERM_LOG10},
                           [BUILTIN_sqrt] = {TERM_SQRT},
                           [BUILTIN_abs] = {TERM_ABS},
                           [BUILTIN_sign] = {TERM_SIGN},
                           [BUILTIN_floor] = {TERM_FLOOR},
                           [BUILTIN_ceil] = {TERM_CEIL},
                           [BUILTIN_integer] = {TERM_TO_INTEGER},
                           [BUILTIN_div] = {TERM_QUOTIENT},
                           [BUILTIN_mod] = {TERM_MOD},
                           [BUILTIN_rem] = {TERM_REM},
                           [BUILTIN_noEvent] = {TERM_NO_EVENT},
                           [BUILTIN_semiLinear] = {TERM_SEMI_LINEAR},
                           [BUILTIN_initial] = {TERM_INITIAL},
                           [BUILTIN_terminal] = {TERM_TERMINAL},
                           [BUILTIN_hold] = {TERM_HOLD},
                           [BUILTIN_subSample] = {TERM_SUB_SAMPLE},
                           [BUILTIN_superSample] = {TERM_SUPER_SAMPLE},
                           [BUILTIN_shiftSample] = {TERM_SHIFT_SAMPLE},
                           [BUILTIN_backSample] = {TERM_BACK_SAMPLE},
                           [BUILTIN_noClock] = {TERM_NO_CLOCK},
                           [BUILTIN_interval] = {TERM_INTERVAL},
                           [BUILTIN_firstTick] = {TERM_FIRST_TICK},
                           [BUILTIN_homotopy] = {TERM_HOMOTOPY},
                           [BUILTIN_Integer] = {TERM_ORDINAL},
                           [BUILTIN_terminate] = {TERM_TERMINATE},
                           [BUILTIN_assert] = {TERM_ASSERT},
                           [BUILTIN_smooth] = {TERM_SMOOTH}};

/* der, pre, previous of a variable are variables */
static Term lower_related(Lower *l, const Tx *tx, const Idx *idx) {
    const Tx *x = tx->arg[0];
    int       id = tx->builtin->id, var, stride[ROW_DIMS];
    if (x->kind != TX_REF) {
        if (id == BUILTIN_der)
            return expr_1(l->shapes, TERM_DER, lower_scalar(l, x, idx));
        return lower_scalar(l, x, idx);
    }
    if (x->inst->first < 0 || x->inst->vary <= VARY_PARAMETER)
        return id == BUILTIN_der ? l->shapes->zero : lower_scalar(l, x, idx);
    if (in_body(l, x->inst)) {
        Tx  copy = *x;
        int kind = id == BUILTIN_der ? READ_DER : READ_PRE;
        int n = inst_depth_dims(x->inst, l->body->at);
        int slot = body_slot(l, x->inst, kind);
        if (n == 0) return expr_slot(l->shapes, slot, lower_type(x->inst));
        Idx  at[NEST];
        int  next = 0, all = full_index(l, &copy, x->inst, idx, &next, at);
        Term args[NEST];
        args[0] = expr_array_slot(l->shapes, slot, lower_type(x->inst), n);
        for (int k = 0; k < n; k++) args[k + 1] = idx_term(l, &at[all - n + k]);
        return expr_make(l->shapes, TERM_ELEMENT, args, n + 1);
    }
    if (!lower_variable(l, x, idx, &var, stride)) return again(l);
    int to = id == BUILTIN_der   ? system_der(l->sys, var)
             : id == BUILTIN_pre ? system_pre(l->sys, var)
                                 : system_previous(l->sys, var);
    return row_var(&l->row, to, stride);
}

static Term lower_edge(Lower *l, const Tx *tx, const Idx *idx) {
    const Tx *x = tx->arg[0];
    if (x->kind != TX_REF || x->vary <= VARY_PARAMETER)
        return expr_boolean(l->shapes, false);
    Tx before = *tx;
    before.builtin = builtin_at(BUILTIN_pre);
    Term a = lower_scalar(l, x, idx), b = lower_related(l, &before, idx);
    return expr_2(l->shapes, tx->builtin->id == BUILTIN_edge ? TERM_EDGE : TERM_CHANGE, a,
                  b);
}

static Term lower_extreme(Lower *l, const Tx *tx, const Idx *idx) {
    bool most = tx->builtin->id == BUILTIN_max;
    if (tx->n == 2) {
        Term a = spread(l, tx->arg[0], tx, idx), b = spread(l, tx->arg[1], tx, idx);
        return expr_2(l->shapes, most ? TERM_MAX : TERM_MIN,
                      lower_real(l, a, tx->arg[0], tx->type.basic),
                      lower_real(l, b, tx->arg[1], tx->type.basic));
    }
    return 0;
}

/* sum, product, min, max over all elements of an array */
static Term lower_total(Lower *l, const Tx *tx, int reduce) {
    const Tx        *a = tx->arg[0];
    int              count = ty_count(a->type);
    static const int join[] = {[REDUCE_SUM] = TERM_ADD,
                               [REDUCE_PRODUCT] = TERM_MUL,
                               [REDUCE_MIN] = TERM_MIN,
                               [REDUCE_MAX] = TERM_MAX};
    if (count == 0) return empty_reduction(l, reduce, a->type.basic);
    if (a->type.ndim == 0) return lower_scalar(l, a, NULL);
    if (count > 0 && (count <= EXPAND_MOST || reduce > REDUCE_PRODUCT)) {
        Term result = 0;
        Idx  at[NEST];
        for (int e = 0; e < count; e++) {
            int rest = e;
            for (int k = a->type.ndim - 1; k >= 0; k--) {
                at[k] = idx_of(rest % a->type.dim[k] + 1);
                rest /= a->type.dim[k];
            }
            Term item = lower_scalar(l, a, at);
            result = e ? expr_2(l->shapes, (TermOp)join[reduce], result, item) : item;
        }
        return result;
    }
    Idx at[NEST];
    int it[NEST];
    for (int k = 0; k < a->type.ndim; k++) {
        it[k] = l->bound++;
        at[k] = (Idx){.term = expr_iterator(l->shapes, it[k])};
    }
    Term body = lower_scalar(l, a, at);
    for (int k = a->type.ndim - 1; k >= 0; k--) {
        Term args[2] = {lower_size(l, a, k), body};
        body = expr_indexed(l->shapes, (TermOp)reduce_op[reduce], it[k], args, 2);
    }
    return body;
}

static Term equal_index(Lower *l, const Idx *a, const Idx *b) {
    if (idx_fixed(a) && idx_fixed(b)) return expr_boolean(l->shapes, a->base == b->base);
    if (!l->body && !a->term && !b->term) again(l);
    return expr_2(l->shapes, TERM_EQUAL, idx_term(l, a), idx_term(l, b));
}

static Term choose(Lower *l, Term cond, Term yes, Term no) {
    Term args[3] = {cond, yes, no};
    return expr_make(l->shapes, TERM_IF, args, 3);
}

static Term lower_cat(Lower *l, const Tx *tx, const Idx *idx) {
    int64_t along;
    if (!eval_integer(l->front, tx->arg[0], &along))
        return lower_fail(l, tx->pos, "this cat");
    int k = (int)along - 1;
    if (idx_fixed(&idx[k])) {
        int at = idx[k].base;
        for (int a = 1; a < tx->n; a++) {
            int size = tx->arg[a]->type.dim[k];
            if (size < 0) break;
            if (at <= size) {
                Idx inner[NEST];
                memcpy(inner, idx, sizeof(Idx) * (size_t)tx->type.ndim);
                inner[k] = idx_of(at);
                return lower_real(l, lower_scalar(l, tx->arg[a], inner), tx->arg[a],
                                  tx->type.basic);
            }
            at -= size;
        }
    }
    if (!l->body) return again(l);
    Term start = expr_integer(l->shapes, 0), result = 0, *cond, *value;
    cond = NEW(&l->scratch, Term, tx->n);
    value = NEW(&l->scratch, Term, tx->n);
    for (int a = 1; a < tx->n; a++) {
        Idx inner[NEST];
        memcpy(inner, idx, sizeof(Idx) * (size_t)tx->type.ndim);
        Term at = idx_term(l, &idx[k]);
        inner[k] = (Idx){.term = expr_sub(l->shapes, at, start)};
        value[a] =
            lower_real(l, lower_scalar(l, tx->arg[a], inner), tx->arg[a], tx->type.basic);
        start = expr_2(l->shapes, TERM_ADD, start, lower_size(l, tx->arg[a], k));
        cond[a] = expr_2(l->shapes, TERM_LESS_EQUAL, at, start);
    }
    result = value[tx->n - 1];
    for (int a = tx->n - 2; a >= 1; a--) result = choose(l, cond[a], value[a], result);
    return result;
}

static Term lower_cross(Lower *l, const Tx *tx, const Idx *idx) {
    if (!idx_fixed(idx)) {
        if (!l->body) return again(l);
        Term item[3], args[2];
        for (int k = 0; k < 3; k++) {
            Idx at = idx_of(k + 1);
            item[k] = lower_cross(l, tx, &at);
        }
        args[0] = expr_make(l->shapes, TERM_ARRAY, item, 3);
        args[1] = idx_term(l, idx);
        return expr_make(l->shapes, TERM_ELEMENT, args, 2);
    }
    Idx       p = idx_of(idx->base % 3 + 1), q = idx_of((idx->base + 1) % 3 + 1);
    const Tx *x = tx->arg[0], *y = tx->arg[1];
    Term a = expr_2(l->shapes, TERM_MUL, lower_scalar(l, x, &p), lower_scalar(l, y, &q));
    Term b = expr_2(l->shapes, TERM_MUL, lower_scalar(l, x, &q), lower_scalar(l, y, &p));
    return expr_sub(l->shapes, a, b);
}

static Term lower_skew(Lower *l, const Tx *tx, const Idx *idx) {
    if (!idx_fixed(&idx[0]) || !idx_fixed(&idx[1])) {
        if (!l->body) return again(l);
        Term row[3], item[3], args[3];
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                Idx at[2] = {idx_of(r + 1), idx_of(c + 1)};
                item[c] = lower_skew(l, tx, at);
            }
            row[r] = expr_make(l->shapes, TERM_ARRAY, item, 3);
        }
        args[0] = expr_make(l->shapes, TERM_ARRAY, row, 3);
        args[1] = idx_term(l, &idx[0]);
        args[2] = idx_term(l, &idx[1]);
        return expr_make(l->shapes, TERM_ELEMENT, args, 3);
    }
    int i = idx[0].base, j = idx[1].base;
    if (i == j) return l->shapes->zero;
    Idx  k = idx_of(6 - i - j);
    Term x = lower_scalar(l, tx->arg[0], &k);
    return (j - i + 3) % 3 == 1 ? expr_1(l->shapes, TERM_NEG, x) : x;
}

static Term lower_clock(Lower *l, const Tx *tx) {
    Term args[2];
    int  kind = CLOCK_INFERRED;
    for (int k = 0; k < tx->n && k < 2; k++) args[k] = lower_scalar(l, tx->arg[k], NULL);
    if (tx->n >= 1) {
        int basic = tx->arg[0]->type.basic;
        kind = basic == BASIC_BOOLEAN                 ? CLOCK_CONDITION
               : basic == BASIC_CLOCK                 ? CLOCK_SOLVER
               : tx->n == 2 && basic == BASIC_INTEGER ? CLOCK_RATIONAL
                                                      : CLOCK_PERIOD;
    }
    return expr_indexed(l->shapes, TERM_CLOCK, kind, args, tx->n > 2 ? 2 : tx->n);
}

static Term lower_string(Lower *l, const Tx *tx) {
    Term args[4];
    int  n = 0;
    for (int k = 0; k < tx->n && k < 4; k++) {
        if (tx->arg[k]) args[n++] = lower_scalar(l, tx->arg[k], NULL);
        else args[n++] = expr_integer(l->shapes, k == 1 ? 6 : 0);
    }
    return expr_make(l->shapes, TERM_TO_STRING, args, n);
}

/* ---- streams ---------------------------------------------------------------------------- */

static Term number_var(Lower *l, int var) {
    return row_var(&l->row, var, NULL);
}

/* What a node takes out of its set: inside nodes give what flows out of their component,
 * outside ones what flows in from beyond. skip is left out. (Modelica 3.6, 15.2) */
Term lower_mixture(Lower *l, int skip, int depth) {
    FlatModel *model = l->model;
    int        set = model->stream_of ? model->stream_of[skip] : -1;
    if (depth > 60) return lower_fail(l, 0, "so deep a nest of stream connectors");
    if (set < 0) return number_var(l, skip / 2);
    const StreamSet *s = &model->stream[set];
    if (s->count == 1) return number_var(l, skip / 2);
    Term *weight = NEW(&l->scratch, Term, s->count),
         *value = NEW(&l->scratch, Term, s->count);
    int n = 0;
    for (int k = 0; k < s->count; k++) {
        int node = s->node[k];
        if (node == skip) continue;
        bool within = node & 1;
        value[n] =
            within ? lower_mixture(l, node - 1, depth + 1) : number_var(l, node / 2);
        int flow = stream_flow(model, node / 2);
        if (flow < 0) return lower_fail(l, 0, "a stream variable without flow");
        Term m = number_var(l, flow);
        Term out = within ? m : expr_1(l->shapes, TERM_NEG, m);
        weight[n++] =
            expr_1(l->shapes, TERM_NO_EVENT,
                   expr_2(l->shapes, TERM_MAX, out, expr_real(l->shapes, 1e-10)));
    }
    if (n == 1) return value[0];
    Term *part = NEW(&l->scratch, Term, n);
    for (int k = 0; k < n; k++)
        part[k] = expr_2(l->shapes, TERM_MUL, weight[k], value[k]);
    return expr_2(l->shapes, TERM_DIV, expr_make(l->shapes, TERM_ADD, part, n),
                  expr_make(l->shapes, TERM_ADD, weight, n));
}

static Term lower_stream(Lower *l, const Tx *tx, const Idx *idx) {
    int var, stride[ROW_DIMS];
    if (!lower_variable(l, tx->arg[0], idx, &var, stride)) return again(l);
    for (int k = 0; k < ROW_DIMS; k++)
        if (stride[k]) return again(l);
    Term in = lower_mixture(l, 2 * var, 0);
    if (tx->builtin->id == BUILTIN_inStream) return in;
    int flow = stream_flow(l->model, var);
    if (flow < 0) return lower_fail(l, tx->pos, "a stream variable without flow");
    Term args[3] = {expr_2(l->shapes, TERM_GREATER, number_var(l, flow), l->shapes->zero),
                    in, number_var(l, var)};
    return expr_make(l->shapes, TERM_IF, args, 3);
}

/* ---- the past --------------------------------------------------------------------------- */

Term lower_hidden_slot(Lower *l, int first) {
    int stride[ROW_DIMS] = {0};
    for (int d = l->row.dims - 1, below = 1; d >= 0; d--) {
        stride[d] = below;
        below *= l->row.extent[d];
    }
    return row_var(&l->row, first, stride);
}

/* A variable that has the value of a term; one of its own unless the term is a variable. */
static Term as_variable(Lower *l, Term value, Pos pos) {
    int rows = 1;
    if (l->failed || l->unroll) return value;
    if (expr_op(l->shapes, value) == TERM_SLOT || expr_is_literal(l->shapes, value))
        return value;
    if (l->pendings == LENGTH(l->pending))
        return lower_fail(l, pos, "so many delays in an equation");
    for (int d = 0; d < l->row.dims; d++) rows *= l->row.extent[d];
    int var = lower_hidden(l, VAR_CONTINUOUS, TYPE_REAL, rows, pos);
    l->pending[l->pendings].var = var;
    l->pending[l->pendings].value = value;
    l->pending[l->pendings++].pos = pos;
    return lower_hidden_slot(l, var);
}

static Term lower_delay(Lower *l, const Tx *tx, const Idx *idx) {
    Term args[3];
    if (l->body) return lower_fail(l, tx->pos, "delay in an algorithm");
    for (int k = 0; k < tx->n && k < 3; k++)
        args[k] = lower_real(l, spread(l, tx->arg[k], tx, idx), tx->arg[k], BASIC_REAL);
    args[0] = as_variable(l, args[0], tx->pos);
    return l->failed || l->unroll ? l->shapes->zero
                                  : expr_make(l->shapes, TERM_DELAY, args, tx->n);
}

/* End tx->extra of a distribution that is moved by x (Modelica 3.6, 3.7.4.2). */
static Term lower_spatial(Lower *l, const Tx *tx) {
    Term args[7];
    if (l->body || l->row.dims || (l->at && inst_count(l->at) > 1))
        return lower_fail(l, tx->pos, "spatialDistribution in an array or algorithm");
    for (int k = 0; k < 3; k++) {
        args[k] =
            lower_real(l, lower_scalar(l, tx->arg[k], NULL), tx->arg[k], BASIC_REAL);
        args[k] = as_variable(l, args[k], tx->pos);
    }
    args[3] = lower_scalar(l, tx->arg[3], NULL);
    for (int k = 4; k < 6; k++) {
        bool given = k < tx->n && tx->arg[k];
        Term ends[2] = {l->shapes->zero, k == 4 ? l->shapes->one : l->shapes->zero};
        args[k] = given ? lower_array(l, tx->arg[k])
                        : expr_make(l->shapes, TERM_ARRAY, ends, 2);
    }
    if (l->failed || l->unroll) return l->shapes->zero;
    int64_t number = map_get(&l->spatial, (uintptr_t)tx->arg, -1);
    if (number < 0) {
        number = (int64_t)l->spatial.count;
        map_put(&l->spatial, (uintptr_t)tx->arg, number);
    }
    args[6] = expr_integer(l->shapes, number);
    return expr_indexed(l->shapes, TERM_SPATIAL, (int)tx->extra, args, 7);
}

/* Subscript k for element idx of an array with one dimension longer than 1, perhaps known at run
 * time only. */
static Idx along_long_dimension(Lower *l, const Tx *a, int k, const Idx *idx) {
    if (a->type.dim[k] == 1) return idx_of(1);
    if (a->type.dim[k] > 1) return *idx;
    return (Idx){.term =
                     expr_2(l->shapes, TERM_MIN, idx_term(l, idx), lower_size(l, a, k))};
}

static Term lower_builtin(Lower *l, const Tx *tx, const Idx *idx) {
    int  id = tx->builtin->id, op = simple[id].op;
    Term args[8], t;
    switch (id) {
    case BUILTIN_der:
    case BUILTIN_pre:
    case BUILTIN_previous: return lower_related(l, tx, idx);
    case BUILTIN_edge:
    case BUILTIN_change: return lower_edge(l, tx, idx);
    case BUILTIN_min:
    case BUILTIN_max:
        t = lower_extreme(l, tx, idx);
        return t ? t : lower_total(l, tx, id == BUILTIN_min ? REDUCE_MIN : REDUCE_MAX);
    case BUILTIN_sum: return lower_total(l, tx, REDUCE_SUM);
    case BUILTIN_product: return lower_total(l, tx, REDUCE_PRODUCT);
    case BUILTIN_size: {
        int64_t d;
        if (tx->n == 2 && eval_integer(l->front, tx->arg[1], &d))
            return lower_size(l, tx->arg[0], (int)d - 1);
        return lower_fail(l, tx->pos, "this use of size");
    }
    case BUILTIN_zeros: return expr_integer(l->shapes, 0);
    case BUILTIN_ones: return expr_integer(l->shapes, 1);
    case BUILTIN_fill: return lower_scalar(l, tx->arg[0], idx + (tx->n - 1));
    case BUILTIN_identity:
        return choose(l, equal_index(l, &idx[0], &idx[1]), expr_integer(l->shapes, 1),
                      expr_integer(l->shapes, 0));
    case BUILTIN_diagonal:
        t = equal_index(l, &idx[0], &idx[1]);
        return choose(l, t, lower_scalar(l, tx->arg[0], idx), l->shapes->zero);
    case BUILTIN_transpose: {
        Idx turned[NEST];
        memcpy(turned, idx, sizeof(Idx) * (size_t)tx->type.ndim);
        turned[0] = idx[1];
        turned[1] = idx[0];
        return lower_scalar(l, tx->arg[0], turned);
    }
    case BUILTIN_outerProduct:
        return expr_2(l->shapes, TERM_MUL, lower_scalar(l, tx->arg[0], &idx[0]),
                      lower_scalar(l, tx->arg[1], &idx[1]));
    case BUILTIN_symmetric: {
        if (!idx_fixed(&idx[0]) || !idx_fixed(&idx[1])) return again(l);
        Idx s[2] = {idx[0].base <= idx[1].base ? idx[0] : idx[1],
                    idx[0].base <= idx[1].base ? idx[1] : idx[0]};
        return lower_scalar(l, tx->arg[0], s);
    }
    case BUILTIN_cross: return lower_cross(l, tx, idx);
    case BUILTIN_skew: return lower_skew(l, tx, idx);
    case BUILTIN_linspace: {
        Term a = lower_scalar(l, tx->arg[0], NULL), b = lower_scalar(l, tx->arg[1], NULL);
        Term n = lower_scalar(l, tx->arg[2], NULL), one = expr_integer(l->shapes, 1);
        Term part =
            expr_2(l->shapes, TERM_DIV, expr_sub(l->shapes, idx_term(l, idx), one),
                   expr_sub(l->shapes, n, one));
        return expr_2(l->shapes, TERM_ADD, a,
                      expr_2(l->shapes, TERM_MUL, expr_sub(l->shapes, b, a), part));
    }
    case BUILTIN_scalar:
    case BUILTIN_matrix:
    case BUILTIN_promote:
    case BUILTIN_vector: {
        Idx       at[NEST];
        const Tx *a = tx->arg[0];
        if (id == BUILTIN_vector && a->type.ndim > 1) {
            for (int k = 0; k < a->type.ndim; k++)
                at[k] = along_long_dimension(l, a, k, &idx[0]);
            return lower_scalar(l, a, at);
        }
        for (int k = 0; k < a->type.ndim; k++)
            at[k] = k < tx->type.ndim ? idx[k] : idx_of(1);
        return lower_scalar(l, a, at);
    }
    case BUILTIN_cat: return lower_cat(l, tx, idx);
    case BUILTIN_delay: return lower_delay(l, tx, idx);
    case BUILTIN_spatialDistribution: return lower_spatial(l, tx);
    case BUILTIN_Clock: return lower_clock(l, tx);
    case BUILTIN_String: return lower_string(l, tx);
    case BUILTIN_FromOrdinal:
        t = lower_scalar(l, tx->arg[0], idx);
        return expr_indexed(l->shapes, TERM_FROM_ORDINAL, lower_enum(l, tx->type.cls), &t,
                            1);
    case BUILTIN_sample:
        op = tx->type.basic == BASIC_BOOLEAN && tx->n == 2 &&
                     tx->arg[1]->type.basic != BASIC_CLOCK
                 ? TERM_SAMPLE
                 : TERM_SAMPLE_CLOCKED;
        break;
    case BUILTIN_smooth:
    case BUILTIN_assert:
    case BUILTIN_terminate: break;
    case BUILTIN_pure: return lower_scalar(l, tx->arg[0], idx);
    case BUILTIN_Integer:
        if (tx->arg[0]->type.basic == BASIC_INTEGER)
            return lower_scalar(l, tx->arg[0], idx);
        break;
    case BUILTIN_isRoot:
    case BUILTIN_rooted:
    case BUILTIN_rooted1:
    case BUILTIN_cardinality: {
        l->eval.why = NULL;
        Value *v = eval_tx(&l->eval, tx);
        return v ? element_literal(l, v, 0, tx->pos) : again(l);
    }
    case BUILTIN_inStream:
    case BUILTIN_actualStream: return lower_stream(l, tx, idx);
    default: break;
    }
    if (!op) {
        Text what = {0};
        text_printf(&what, "'%s' here", tx->builtin->name);
        t = lower_fail(l, tx->pos,
                       arena_string(&l->front->arena, text_get(&what), what.length));
        text_free(&what);
        return t;
    }
    if (id == BUILTIN_assert && tx->n == 2) {
        args[0] = lower_scalar(l, tx->arg[0], NULL);
        args[1] = lower_scalar(l, tx->arg[1], NULL);
        args[2] = expr_integer(l->shapes, 2);
        return expr_make(l->shapes, TERM_ASSERT, args, 3);
    }
    for (int k = 0; k < tx->n && k < 8; k++) {
        args[k] = spread(l, tx->arg[k], tx, idx);
        if (id == BUILTIN_assert && k == 2)
            args[k] = expr_1(l->shapes, TERM_ORDINAL, args[k]);
    }
    return expr_make(l->shapes, (TermOp)op, args, tx->n);
}

/* ---- any expression ----------------------------------------------------------------------------------------- */

Term lower_scalar(Lower *l, const Tx *tx, const Idx *idx) {
    if (l->failed || l->unroll) return l->shapes->zero;
    if (tx->type.ndim && !idx) return lower_fail(l, tx->pos, "an array here");
    switch (tx->kind) {
    case TX_INTEGER: return expr_integer(l->shapes, tx->i);
    case TX_REAL: return expr_real(l->shapes, tx->r);
    case TX_BOOLEAN: return expr_boolean(l->shapes, tx->i != 0);
    case TX_STRING: return expr_string(l->shapes, str_of(l->front->strings, tx->s));
    case TX_ENUM: return expr_enum(l->shapes, lower_enum(l, tx->type.cls), (int)tx->i);
    case TX_TIME: return expr_time(l->shapes);
    case TX_REF: return lower_ref(l, tx, idx);
    case TX_ITER:
        for (int k = l->iters - 1; k >= 0; k--)
            if (l->iter[k].var == tx->iter) {
                const Idx *value = &l->iter[k].value;
                if (tx->type.basic == BASIC_ENUM || tx->type.basic == BASIC_BOOLEAN) {
                    if (value->term) return value->term;
                    if (!idx_fixed(value)) return again(l);
                    return tx->type.basic == BASIC_ENUM
                               ? expr_enum(l->shapes, lower_enum(l, tx->type.cls),
                                           value->base)
                               : expr_boolean(l->shapes, value->base == 2);
                }
                return idx_term(l, value);
            }
        for (int k = l->eval.binds - 1; k >= 0; k--)
            if (l->eval.bind[k].var == tx->iter)
                return element_literal(l, l->eval.bind[k].value, 0, tx->pos);
        return lower_fail(l, tx->pos, "this iterator");
    case TX_NEG: return expr_1(l->shapes, TERM_NEG, lower_scalar(l, tx->arg[0], idx));
    case TX_NOT: return expr_1(l->shapes, TERM_NOT, lower_scalar(l, tx->arg[0], idx));
    case TX_MUL: return lower_mul(l, tx, idx);
    case TX_IF: return lower_if(l, tx, idx);
    case TX_ARRAY: return lower_constructor(l, tx, idx);
    case TX_RANGE: return lower_range(l, tx, idx);
    case TX_FIELD: return lower_field(l, tx, idx);
    case TX_SUBSCRIPT: return lower_subscript(l, tx, idx);
    case TX_CALL: return lower_call(l, tx, idx);
    case TX_BUILTIN: return lower_builtin(l, tx, idx);
    case TX_REDUCE:
        return tx->reduce == REDUCE_ARRAY ? comprehension(l, tx, idx)
                                          : reduce_level(l, tx, tx->n - 1, idx);
    case TX_ADD:
    case TX_SUB:
    case TX_DIV:
    case TX_POW:
    case TX_MUL_EACH:
    case TX_DIV_EACH:
    case TX_POW_EACH:
    case TX_ADD_EACH:
    case TX_SUB_EACH:
    case TX_AND:
    case TX_OR:
    case TX_LT:
    case TX_LE:
    case TX_GT:
    case TX_GE:
    case TX_EQ:
    case TX_NE: return lower_binary(l, tx, idx);
    default: return lower_fail(l, tx->pos, "this expression");
    }
}

/* ---- whole arrays --------------------------------------------------------------------------------------------- */

/* A reference to consecutive or evenly spaced variables. */
static Term array_of_run(Lower *l, const Tx *tx) {
    Idx at[NEST], open[NEST];
    int dim[NEST], next = 0, size[ROW_DIMS], step[ROW_DIMS], stride[ROW_DIMS] = {0};
    int rank = tx->type.ndim, base = 0;
    if (rank > ROW_DIMS || tx->inst->first < 0) return 0;
    for (int k = 0; k < rank; k++) open[k] = (Idx){.base = -1000 - k}; /* marks */
    for (int k = 0; k < tx->n; k++)
        if (tx->arg[k] && tx->arg[k]->kind != TX_COLON && tx->arg[k]->type.ndim) return 0;
    int n = full_index(l, tx, tx->inst, open, &next, at);
    full_dims(tx->inst, dim);
    for (int k = 0; k < n; k++) {
        int below = 1;
        for (int j = k + 1; j < n; j++) below *= dim[j];
        if (at[k].term) return 0;
        if (at[k].base <= -1000) {
            int r = -1000 - at[k].base;
            size[r] = dim[k];
            step[r] = below;
            continue;
        }
        base += (at[k].base - 1) * below;
        for (int d = 0; d < ROW_DIMS; d++) stride[d] += at[k].step[d] * below;
    }
    return row_array(&l->row, tx->inst->first + base, stride, rank, size, step);
}

static Term each_element(Lower *l, const Tx *tx, Idx *at, int k) {
    if (k == tx->type.ndim) return lower_scalar(l, tx, at);
    int it = l->bound++;
    at[k] = (Idx){.term = expr_iterator(l->shapes, it)};
    Term args[2] = {lower_size(l, tx, k), each_element(l, tx, at, k + 1)};
    return expr_indexed(l->shapes, TERM_EACH, it, args, 2);
}

static Term all_elements(Lower *l, const Tx *tx, Idx *at, int k) {
    if (k == tx->type.ndim) return lower_scalar(l, tx, at);
    int   n = tx->type.dim[k];
    Term *item = NEW(&l->scratch, Term, n);
    for (int j = 0; j < n; j++) {
        at[k] = idx_of(j + 1);
        item[j] = all_elements(l, tx, at, k + 1);
    }
    return expr_make(l->shapes, TERM_ARRAY, item, n);
}

Term lower_nothing(Lower *l, const Tx *tx) {
    Term e = l->shapes->zero;
    for (int d = tx->type.ndim - 1; d >= 0; d--) {
        Term args[2] = {expr_integer(l->shapes, tx->type.dim[d]), e};
        e = expr_indexed(l->shapes, TERM_EACH, l->bound++, args, 2);
    }
    return e;
}

Term lower_array(Lower *l, const Tx *tx) {
    Idx at[NEST];
    if (l->failed || l->unroll) return l->shapes->zero;
    if (tx->type.ndim == 0) return lower_scalar(l, tx, NULL);
    int count = ty_count(tx->type);
    if (tx->kind == TX_REF && !(l->split && count >= 0 && count <= SPLIT_MOST)) {
        Term t = in_body(l, tx->inst) ? body_array(l, tx) : array_of_run(l, tx);
        if (t) return t;
    }
    if (tx->kind == TX_CALL &&
        tx->type.ndim == tx->func->out[tx->output < 0 ? 0 : tx->output]->ndim)
        return call_at(l, tx, NULL, 0,
                       flat_results(l, tx->func, tx->output < 0 ? 0 : (int)tx->output),
                       type_of_basic(tx->type.basic), tx->type.ndim);
    if (count == 0) return lower_nothing(l, tx);
    if (count > 0 && count <= 256) return all_elements(l, tx, at, 0);
    return each_element(l, tx, at, 0);
}

int when_count(const Tx *cond) {
    if (cond->type.ndim == 0) return 1;
    return cond->type.dim[0] < 0 ? 0 : cond->type.dim[0];
}

const Tx *when_part(Lower *l, const Tx *cond, int k) {
    if (cond->type.ndim == 0) return cond;
    Tx *index = tx_integer(l->front, cond->pos, k + 1);
    return tx_index(l->front, (Tx *)cond, &index, 1);
}
