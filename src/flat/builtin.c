/* SPDX-License-Identifier: Apache-2.0 */
/* builtin.c -- built-in functions and operators. */
#include "flat/lower.h"

#include <string.h>

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
    if (lower_in_body(l, x->inst)) {
        Tx  copy = *x;
        int kind = id == BUILTIN_der        ? READ_DER
                   : id == BUILTIN_previous ? READ_PREVIOUS
                                            : READ_PRE;
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
    if (!lower_variable(l, x, idx, &var, stride)) {
        if (id != BUILTIN_der) return lower_again(l);
        return expr_1(l->shapes, TERM_DER, lower_scalar(l, x, idx));
    }
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
        Term a = lower_spread(l, tx->arg[0], tx, idx),
             b = lower_spread(l, tx->arg[1], tx, idx);
        return expr_2(l->shapes, most ? TERM_MAX : TERM_MIN,
                      lower_real(l, a, tx->arg[0], tx->type.basic),
                      lower_real(l, b, tx->arg[1], tx->type.basic));
    }
    return 0;
}

/* The name of an enumeration literal. */
static Term lower_literal_name(Lower *l, const Tx *tx) {
    const Cls *cls = tx->type.cls;
    Term      *name = NEW(&l->scratch, Term, cls->literals + 1), args[2];
    for (int k = 0; k < cls->literals; k++)
        name[k] = expr_string(l->shapes, cls->literal[k]);
    args[0] = expr_make(l->shapes, TERM_ARRAY, name, cls->literals);
    args[1] = expr_1(l->shapes, TERM_ORDINAL, lower_scalar(l, tx, NULL));
    return expr_make(l->shapes, TERM_ELEMENT, args, 2);
}

/* The typed call has a place for each of value, digits or format, length, left justified. */
static Term lower_string(Lower *l, const Tx *tx) {
    const Tx *x = tx->arg[0];
    Term      args[4];
    int       n = 0;
    args[n++] = x->type.basic == BASIC_ENUM && x->type.cls ? lower_literal_name(l, x)
                                                           : lower_scalar(l, x, NULL);
    if (tx->n > 1 && tx->arg[1] && tx->arg[1]->type.basic == BASIC_STRING) {
        args[n++] = lower_scalar(l, tx->arg[1], NULL);
        return expr_make(l->shapes, TERM_TO_STRING, args, n);
    }
    if (x->type.basic == BASIC_REAL)
        args[n++] = tx->n > 1 && tx->arg[1] ? lower_scalar(l, tx->arg[1], NULL)
                                            : expr_integer(l->shapes, 6);
    else if (tx->n < 3 && x->type.basic > BASIC_BOOLEAN) return args[0];
    args[n++] = tx->n > 2 && tx->arg[2] ? lower_scalar(l, tx->arg[2], NULL)
                                        : expr_integer(l->shapes, 0);
    args[n++] = tx->n > 3 && tx->arg[3] ? lower_scalar(l, tx->arg[3], NULL)
                                        : expr_boolean(l->shapes, true);
    return expr_make(l->shapes, TERM_TO_STRING, args, n);
}

static Term lower_linspace(Lower *l, const Tx *tx, const Idx *idx) {
    Term a = lower_scalar(l, tx->arg[0], NULL), b = lower_scalar(l, tx->arg[1], NULL);
    Term n = lower_scalar(l, tx->arg[2], NULL), one = expr_integer(l->shapes, 1);
    Term part = expr_2(l->shapes, TERM_DIV, expr_sub(l->shapes, idx_term(l, idx), one),
                       expr_sub(l->shapes, n, one));
    return expr_2(l->shapes, TERM_ADD, a,
                  expr_2(l->shapes, TERM_MUL, expr_sub(l->shapes, b, a), part));
}

/* scalar, vector, matrix, promote: the same elements with other dimensions */
static Term lower_reshaped(Lower *l, const Tx *tx, const Idx *idx) {
    Idx       at[NEST];
    const Tx *a = tx->arg[0];
    if (tx->builtin->id == BUILTIN_vector && a->type.ndim > 1) {
        for (int k = 0; k < a->type.ndim; k++)
            at[k] = along_long_dimension(l, a, k, &idx[0]);
        return lower_scalar(l, a, at);
    }
    for (int k = 0; k < a->type.ndim; k++) at[k] = k < tx->type.ndim ? idx[k] : idx_of(1);
    return lower_scalar(l, a, at);
}

/* Functions that arrange elements; 0: it is none of them. */
static Term lower_arrangement(Lower *l, const Tx *tx, const Idx *idx) {
    switch (tx->builtin->id) {
    case BUILTIN_zeros: return expr_integer(l->shapes, 0);
    case BUILTIN_ones: return expr_integer(l->shapes, 1);
    case BUILTIN_fill: return lower_scalar(l, tx->arg[0], idx + (tx->n - 1));
    case BUILTIN_identity:
        return lower_choose(l, equal_index(l, &idx[0], &idx[1]),
                            expr_integer(l->shapes, 1), expr_integer(l->shapes, 0));
    case BUILTIN_diagonal: {
        Term same = equal_index(l, &idx[0], &idx[1]);
        return lower_choose(l, same, lower_scalar(l, tx->arg[0], idx), l->shapes->zero);
    }
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
        bool fixed = idx_fixed(&idx[0]) && idx_fixed(&idx[1]);
        bool up = fixed && idx[0].base <= idx[1].base;
        Idx  s[2] = {up ? idx[0] : idx[1], up ? idx[1] : idx[0]};
        if (!fixed && !idx[0].term && !idx[1].term && !l->body) return lower_again(l);
        for (int k = 0; k < 2 && !fixed; k++)
            s[k].term = expr_2(l->shapes, k ? TERM_MAX : TERM_MIN, idx_term(l, &idx[0]),
                               idx_term(l, &idx[1]));
        return lower_scalar(l, tx->arg[0], s);
    }
    case BUILTIN_cross: return lower_cross(l, tx, idx);
    case BUILTIN_skew: return lower_skew(l, tx, idx);
    case BUILTIN_linspace: return lower_linspace(l, tx, idx);
    case BUILTIN_scalar:
    case BUILTIN_matrix:
    case BUILTIN_promote:
    case BUILTIN_vector: return lower_reshaped(l, tx, idx);
    case BUILTIN_cat: return lower_cat(l, tx, idx);
    default: return 0;
    }
}

/* Functions that are operators of shapes. */
static Term lower_operator(Lower *l, const Tx *tx, const Idx *idx, int op) {
    int  id = tx->builtin->id;
    Term args[8];
    if (!op) {
        Text what = {0};
        text_printf(&what, "'%s' here", tx->builtin->name);
        Term t = lower_fail(l, tx->pos,
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
        args[k] = lower_spread(l, tx->arg[k], tx, idx);
        if (id == BUILTIN_assert && k == 2)
            args[k] = expr_1(l->shapes, TERM_ORDINAL, args[k]);
    }
    return expr_make(l->shapes, (TermOp)op, args, tx->n);
}

Term lower_builtin(Lower *l, const Tx *tx, const Idx *idx) {
    int  id = tx->builtin->id, op = simple[id].op;
    Term t = lower_arrangement(l, tx, idx);
    if (t) return t;
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
    case BUILTIN_delay: return lower_delay(l, tx, idx);
    case BUILTIN_spatialDistribution: return lower_spatial(l, tx);
    case BUILTIN_Clock: return lower_clock(l, tx);
    case BUILTIN_String: return lower_string(l, tx);
    case BUILTIN_FromOrdinal:
        t = lower_scalar(l, tx->arg[0], idx);
        return expr_indexed(l->shapes, TERM_FROM_ORDINAL, lower_enum(l, tx->type.cls), &t,
                            1);
    case BUILTIN_sample:
        if (tx->n == 1 || tx->arg[1]->type.basic == BASIC_CLOCK)
            return lower_converted(l, tx, idx, TERM_SAMPLE_CLOCKED);
        op = TERM_SAMPLE;
        break;
    case BUILTIN_hold:
    case BUILTIN_subSample:
    case BUILTIN_superSample:
    case BUILTIN_shiftSample:
    case BUILTIN_backSample:
    case BUILTIN_noClock: return lower_converted(l, tx, idx, (TermOp)op);
    case BUILTIN_smooth: {
        bool outer = l->smooth;
        l->smooth = true;
        t = lower_operator(l, tx, idx, op);
        l->smooth = outer;
        return t;
    }
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
        return v ? element_literal(l, v, 0, tx->pos) : lower_again(l);
    }
    case BUILTIN_inStream:
    case BUILTIN_actualStream: return lower_stream(l, tx, idx);
    default: break;
    }
    return lower_operator(l, tx, idx, op);
}
