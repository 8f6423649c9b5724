/* SPDX-License-Identifier: Apache-2.0 */
/* term.c -- one element of a typed expression as a term over slots.
 *
 * lower_scalar takes the element of an array expression at given indices, so arrays vanish
 * on the way down: (A*x)[i] is a sum, {a, b}[i] is a choice. Indices are affine in the loop
 * counters of the row or, in functions, terms. Where an affine index is needed and not there,
 * l->unroll asks the caller to fix a loop. */
#include "flat/lower.h"

#include <string.h>

Idx idx_of(int value) {
    return (Idx){.base = value};
}

bool idx_fixed(const Idx *idx) {
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

Term lower_again(Lower *l) {
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

Term element_literal(Lower *l, const Value *v, int k, Pos pos) {
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
Term pick_literal(Lower *l, const Value *v, const Idx *idx, Pos pos) {
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

/* ---- operators ------------------------------------------------------------------------------------ */

Term lower_real(Lower *l, Term term, const Tx *tx, int wanted) {
    if (wanted != BASIC_REAL || tx->type.basic != BASIC_INTEGER) return term;
    double value;
    if (expr_literal(l->shapes, term, &value)) return expr_real(l->shapes, value);
    return expr_1(l->shapes, TERM_TO_REAL, term);
}

/* Element of an argument of an element-wise operator: scalars stand for every element. */
Term lower_spread(Lower *l, const Tx *arg, const Tx *of, const Idx *idx) {
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
            item[k] =
                lower_product(l, a, lower_scalar(l, a, ja), b, lower_scalar(l, b, jb));
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
        return lower_product(l, a, lower_spread(l, a, tx, idx), b,
                             lower_spread(l, b, tx, idx));
    Idx ia[NEST] = {0}, ib[NEST] = {0};
    int next = 0, n = a->type.dim[a->type.ndim - 1];
    if (a->type.ndim == 2) ia[0] = idx[next++];
    if (b->type.ndim == 2) ib[1] = idx[next++];
    if (n < 0) n = b->type.dim[0];
    if (n < 0) n = lower_size_now(l, a, a->type.ndim - 1);
    if (l->failed || l->unroll) return l->shapes->zero;
    return sum_products(l, a, ia, a->type.ndim - 1, b, ib, 0, n, a, a->type.ndim - 1);
}

static Term lower_binary(Lower *l, const Tx *tx, const Idx *idx) {
    static const uint8_t op[] = {
        [TX_ADD] = TERM_ADD,       [TX_ADD_EACH] = TERM_ADD, [TX_DIV] = TERM_DIV,
        [TX_DIV_EACH] = TERM_DIV,  [TX_POW] = TERM_POW,      [TX_POW_EACH] = TERM_POW,
        [TX_AND] = TERM_AND,       [TX_OR] = TERM_OR,        [TX_LT] = TERM_LESS,
        [TX_LE] = TERM_LESS_EQUAL, [TX_GT] = TERM_GREATER,   [TX_GE] = TERM_GREATER_EQUAL,
        [TX_EQ] = TERM_EQUAL,      [TX_NE] = TERM_NOT_EQUAL};
    if (tx->kind == TX_POW && tx->type.ndim) return lower_power(l, tx, idx);
    Term a = lower_spread(l, tx->arg[0], tx, idx),
         b = lower_spread(l, tx->arg[1], tx, idx);
    if (tx->kind == TX_SUB || tx->kind == TX_SUB_EACH) return expr_sub(l->shapes, a, b);
    if (tx->type.basic == BASIC_STRING) return expr_2(l->shapes, TERM_CONCAT, a, b);
    if (tx->kind == TX_MUL_EACH) return lower_product(l, tx->arg[0], a, tx->arg[1], b);
    return expr_2(l->shapes, (TermOp)op[tx->kind], a, b);
}

/* Loops that may be unrolled for the sake of a condition: rows without the branches that never
 * hold are easier to solve, but long loops stay loops; in a subscript the innermost, because a row
 * with a subscript that is not known reads the whole array. */
static bool few_rows(const Lower *l) {
    enum { FEW = 256 };
    int rows = 1;
    for (int d = 0; d < l->row.dims && rows <= FEW; d++) rows *= l->row.extent[d];
    return l->row.dims > 0 && rows <= FEW;
}

static Term lower_if(Lower *l, const Tx *tx, const Idx *idx) {
    for (int k = 0; k + 1 < tx->n && !l->body; k += 2) { /* a branch chosen for good */
        if (!lower_frozen(l, tx->arg[k])) break;
        Value *c = value_now(l, tx->arg[k]);
        Known  all = c ? KNOWN_NOT : condition_known(l, tx->arg[k]);
        if (l->unroll) return l->shapes->zero;
        if (all != KNOWN_NOT) c = value_boolean(&l->scratch, all == KNOWN_TRUE);
        if (!c && (few_rows(l) || (l->subscript && l->row.dims > 1)))
            return lower_again(l); /* known in each of them */
        if (!c || c->basic != BASIC_BOOLEAN) break;
        const Tx *chosen = c->integer[0]    ? tx->arg[k + 1]
                           : k + 3 >= tx->n ? tx->arg[tx->n - 1]
                                            : NULL;
        if (chosen)
            return lower_real(l, lower_scalar(l, chosen, idx), chosen, tx->type.basic);
    }
    if (tx->type.basic == BASIC_CLOCK) return lower_clock_choice(l, tx);
    Term *arg = NEW(&l->scratch, Term, tx->n);
    for (int k = 0; k < tx->n; k++) {
        bool cond = k % 2 == 0 && k + 1 < tx->n;
        arg[k] = lower_scalar(l, tx->arg[k], cond ? NULL : idx);
        if (!cond) arg[k] = lower_real(l, arg[k], tx->arg[k], tx->type.basic);
    }
    return expr_make(l->shapes, TERM_IF, arg, tx->n);
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
                    if (!idx_fixed(value)) return lower_again(l);
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
        return tx->reduce == REDUCE_ARRAY ? lower_comprehension(l, tx, idx)
                                          : lower_reduction(l, tx, tx->n - 1, idx);
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

int when_count(const Tx *cond) {
    if (cond->type.ndim == 0) return 1;
    return cond->type.dim[0] < 0 ? 0 : cond->type.dim[0];
}

const Tx *when_part(Lower *l, const Tx *cond, int k) {
    if (cond->type.ndim == 0) return cond;
    Tx *index = tx_integer(l->front, cond->pos, k + 1);
    return tx_index(l->front, (Tx *)cond, &index, 1);
}
