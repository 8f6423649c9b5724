/* SPDX-License-Identifier: Apache-2.0 */
/* eval.c -- values of typed expressions when translating.
 *
 * Evaluation works on whole arrays and stops at the first thing that is not known: a
 * variable, a parameter without value, an external function. Failing is normal and silent;
 * the caller decides whether a value is needed. A parameter whose value was used is marked
 * structural: changing it needs a new translation. */
#include "base/builtin.h"
#include "expr/expr.h"
#include "inst/front.h"

#include <math.h>
#include <string.h>

Value *eval_fail(Eval *eval, Pos pos, const char *why) {
    if (!eval->why) {
        eval->why = why;
        eval->why_pos = pos;
    }
    return NULL;
}

static Value *fail_inst(Eval *eval, const Inst *inst, const char *why) {
    if (eval->why) return NULL;
    Text text = {0};
    text_printf(&text, "%s'%s' %s",
                inst->vary == VARY_CONSTANT    ? "constant "
                : inst->vary == VARY_PARAMETER ? "parameter "
                                               : "",
                text_of(eval->front, inst->name), why);
    eval_fail(eval, inst->pos,
              arena_string(&eval->front->arena, text_get(&text), text.length));
    text_free(&text);
    return NULL;
}

/* ---- selecting ------------------------------------------------------------------------- */

/* Index list of one subscript (from 0); NULL: out of bounds. */
static int *positions(Eval *eval, const Value *sub, int size, int *n) {
    int *at = NEW(eval->arena, int, sub->count + 1);
    for (int k = 0; k < sub->count; k++) {
        int64_t i = sub->basic == BASIC_REAL ? (int64_t)sub->real[k] : sub->integer[k];
        if (sub->basic == BASIC_BOOLEAN) i++;
        if (i < 1 || i > size) return NULL;
        at[k] = (int)(i - 1);
    }
    *n = sub->count;
    return at;
}

Value *value_select(Eval *eval, Value *value, Tx **subs, int n) {
    int  dim[16], m = 0, count[16];
    int *at[16];
    bool any = false;
    if (value->ndim > 16) return NULL;
    for (int k = 0; k < value->ndim; k++) {
        at[k] = NULL;
        count[k] = value->dim[k];
        Tx *sub = k < n ? subs[k] : NULL;
        if (!sub || sub->kind == TX_COLON) {
            dim[m++] = count[k];
            continue;
        }
        Value *index = eval_tx(eval, sub);
        if (!index) return NULL;
        at[k] = positions(eval, index, value->dim[k], &count[k]);
        if (!at[k]) return eval_fail(eval, sub->pos, "a subscript is out of bounds");
        any = true;
        if (index->ndim) dim[m++] = count[k];
    }
    if (!any) return value;
    Value *out = value_new(eval->arena, (Basic)value->basic, m, dim);
    out->cls = value->cls;
    out->rec = value->rec;
    out->nfield = value->nfield;
    if (value->basic == BASIC_RECORD)
        out->item = NEW(eval->arena, Value *, out->count * out->nfield + 1);
    int step[16] = {0};
    for (int k = 0; k < out->count; k++) {
        int from = 0;
        for (int d = 0; d < value->ndim; d++)
            from = from * value->dim[d] + (at[d] ? at[d][step[d]] : step[d]);
        value_set(out, k, value, from);
        for (int d = value->ndim - 1; d >= 0; d--) {
            if (++step[d] < count[d]) break;
            step[d] = 0;
        }
    }
    return out;
}

static Value *field_value(Eval *eval, const Value *record, const Inst *field, Pos pos) {
    int index = -1;
    for (int k = 0; record->rec && k < record->rec->nchild; k++)
        if (record->rec->child[k] && record->rec->child[k]->name == field->name)
            index = k;
    if (record->basic != BASIC_RECORD || index < 0 || index >= record->nfield)
        return eval_fail(eval, pos, "a field is missing");
    if (record->ndim == 0) return record->item[index];
    Value **items = NEW(eval->arena, Value *, record->count + 1);
    for (int k = 0; k < record->count; k++) {
        items[k] = record->item[k * record->nfield + index];
        if (!items[k]) return eval_fail(eval, pos, "a field has no value");
    }
    Value *flat = value_stack(eval->arena, items, record->count);
    if (!flat) return eval_fail(eval, pos, "fields of different sizes");
    int dim[16], n = 0;
    for (int k = 0; k < record->ndim && n < 16; k++) dim[n++] = record->dim[k];
    for (int k = 1; k < flat->ndim && n < 16; k++) dim[n++] = flat->dim[k];
    flat->ndim = n;
    flat->dim = arena_copy(eval->arena, dim, sizeof(int) * (size_t)n);
    return flat;
}

/* ---- variables --------------------------------------------------------------------------- */

static bool all_rows_equal(const Value *v) {
    int   n = v->dim[0], size = n ? v->count / n : 0;
    Arena scratch = {0};
    bool  same = n > 0;
    (void)size;
    Value *first = n ? value_row(&scratch, v, 0) : NULL;
    for (int k = 1; same && k < n; k++) {
        Value *row = value_row(&scratch, v, k);
        same = value_equal(first, row);
    }
    arena_free(&scratch);
    return same;
}

/* A record from the values of its fields. */
static Value *record_value(Eval *eval, Inst *inst) {
    Front *front = eval->front;
    if (inst->ndim > 1)
        return eval_fail(eval, inst->pos, "an array of records without value");
    inst_all(front, inst);
    int    n = inst->nchild, count = inst->ndim ? inst->dim[0] : 1;
    Value *v = value_new(&front->arena, BASIC_RECORD, inst->ndim, inst->dim);
    v->cls = inst->cls;
    v->rec = inst;
    v->nfield = n;
    v->item = NEW(&front->arena, Value *, n * count + 1);
    for (int k = 0; k < n; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent)
            return eval_fail(eval, inst->pos, "a field is missing");
        Value *f = inst_value(eval, child);
        if (!f) return NULL;
        for (int e = 0; e < count; e++)
            v->item[e * n + k] =
                inst->ndim && f->ndim > child->ndim ? value_row(&front->arena, f, e) : f;
    }
    return v;
}

static bool is_fixed(Front *front, Inst *inst) {
    Tx  *fixed = inst_attribute(front, inst, WORD(front, fixed), NULL);
    bool value;
    return !fixed || !eval_boolean(front, fixed, &value) || value;
}

static Value *compute_value(Eval *eval, Inst *inst) {
    Front *front = eval->front;
    Tx    *tx = inst_bind(front, inst);
    if (!tx && inst->basic == BASIC_RECORD) return record_value(eval, inst);
    if (inst->vary == VARY_PARAMETER && inst->basic < BASIC_RECORD &&
        !is_fixed(front, inst))
        return fail_inst(eval, inst, "is computed at initialization (fixed = false)");
    if (!tx && inst->basic < BASIC_RECORD)
        tx = inst_attribute(front, inst, WORD(front, start), NULL);
    if (!tx || ty_bad(tx->type)) return fail_inst(eval, inst, "has no value");
    Eval inner = {.front = front, .arena = eval->arena, .steps = eval->steps};
    inner.depth = eval->depth;
    inner.peek = eval->peek;
    Value *v = eval_tx(&inner, tx);
    eval->steps = inner.steps;
    if (!v) {
        eval_fail(eval, inner.why_pos, inner.why);
        return NULL;
    }
    v = value_convert(eval->arena, v, (Basic)inst->basic);
    while (v->ndim > inst->ndim && all_rows_equal(v)) v = value_row(eval->arena, v, 0);
    if (v->ndim < inst->ndim) {
        for (int k = 0; k < inst->ndim; k++)
            if (inst->dim[k] < 0)
                return eval_fail(eval, inst->pos, "its size is not known");
        v = value_spread(eval->arena, v, inst->ndim - v->ndim, inst->dim);
    }
    return value_copy(&front->arena, v);
}

static void mark_structural(Front *front, Inst *inst) {
    if (inst->prefix.theta && !inst->structural)
        diag_report(front->diag, front->reason.need ? front->reason.need : inst->pos,
                    CODE_H107, "the value of '%s' is needed here, but it has none",
                    text_of(front, inst->name));
    if (!inst->structural) inst->why = front->reason.need;
    inst->structural = true;
}

Value *inst_value(Eval *eval, Inst *inst) {
    Front *front = eval->front;
    inst = inst_real(inst);
    if (inst->vary > VARY_PARAMETER) return fail_inst(eval, inst, "varies in time");
    if (inst->evaluation.state == STEP_BUSY) {
        diag_report(front->diag, inst->pos, CODE_F125,
                    "the value of '%s' depends on itself", text_of(front, inst->name));
        inst->evaluation.state = STEP_DONE;
        return NULL;
    }
    if (inst->evaluation.state == STEP_DONE) {
        if (inst->evaluation.known && inst->vary == VARY_PARAMETER && !inst->structural &&
            !eval->peek && !front->peek) {
            mark_structural(front, inst);
            compute_value(eval, inst); /* so are the parameters it is computed from */
        }
        return inst->evaluation.known ? inst->evaluation.known
                                      : fail_inst(eval, inst, "has no value");
    }
    if (!front_enter(front, inst->pos)) return NULL;
    inst->evaluation.state = STEP_BUSY;
    Value *value = compute_value(eval, inst);
    front_leave(front);
    inst->evaluation.known = value;
    inst->evaluation.state = value ? STEP_DONE : STEP_NEW;
    if (value && inst->vary == VARY_PARAMETER && !eval->peek && !front->peek)
        mark_structural(front, inst);
    return value;
}

static Inst *top_of(Inst *inst) {
    while (inst->parent && inst->parent->parent) inst = inst->parent;
    return inst;
}

/* A variable of the running function: down through fields and subscripts. */
static Value *frame_value(Eval *eval, const Tx *tx) {
    Inst *chain[32];
    int   length = 0, used = 0;
    for (Inst *p = tx->inst; p && p != eval->func->inst && length < 32; p = p->parent)
        chain[length++] = p;
    if (length == 0) return eval_fail(eval, tx->pos, "it is no variable");
    Value *v = eval_variable(eval, chain[length - 1]);
    for (int c = length - 1; v && c >= 0; c--) {
        if (c < length - 1) v = field_value(eval, v, chain[c], tx->pos);
        if (!v) break;
        /* subscripts of this level; those of a level above that kept dimensions stay in front */
        if (chain[c]->ndim) {
            if (v->ndim == chain[c]->ndim)
                v = value_select(eval, v, tx->arg + used, chain[c]->ndim);
            else {
                Tx *subs[32] = {0};
                int lead = v->ndim - chain[c]->ndim;
                for (int k = 0; k < chain[c]->ndim && lead + k < 32 && lead >= 0; k++)
                    subs[lead + k] = tx->arg[used + k];
                v = value_select(eval, v, subs, v->ndim);
            }
            used += chain[c]->ndim;
        }
    }
    return v ? v : eval_fail(eval, tx->pos, "a variable has no value yet");
}

static bool rows_equal(Eval *eval, const Value *v) {
    for (int k = 1; k < v->dim[0]; k++)
        if (!value_equal(value_row(eval->arena, v, 0), value_row(eval->arena, v, k)))
            return false;
    return v->dim[0] > 0;
}

static Value *eval_ref(Eval *eval, const Tx *tx) {
    Inst *inst = tx->inst;
    if (inst->in_function) {
        Inst *root = inst;
        while (root->parent) root = root->parent;
        if (eval->func && root == eval->func->inst && eval->frame)
            return frame_value(eval, tx);
        if (root->basic == BASIC_FUNCTION)
            return inst->vary <= VARY_PARAMETER && inst->way == WAY_NONE &&
                           inst->binding.text
                       ? inst_value(eval, inst)
                       : eval_fail(eval, tx->pos, "it is a variable of a function");
    }
    Value *v = inst_value(eval, inst);
    if (!v) return eval_fail(eval, tx->pos, "it is not known");
    int want = inst_depth_dims(inst, tx->base);
    if (v->ndim > want) {
        if (!eval->index)
            return eval_fail(eval, tx->pos, "it differs between array elements");
        for (int k = v->ndim - want, d = 0; k > 0; k--, d++) {
            if (eval->index[d] < 0 && !rows_equal(eval, v)) {
                eval->differs = true;
                return eval_fail(eval, tx->pos, "it differs between array elements");
            }
            v = value_row(eval->arena, v, eval->index[d] < 0 ? 0 : eval->index[d]);
        }
    }
    if (v->ndim < want) { /* equal for all elements of the arrays around it */
        bool whole = false;
        for (int k = 0; k < want - v->ndim; k++)
            whole |= !tx->arg[k] || tx->arg[k]->kind == TX_COLON || tx->arg[k]->type.ndim;
        if (whole) {
            int   dim[32], n = 0;
            Inst *chain[32];
            int   length = 0;
            for (Inst *p = inst; p && p != tx->base && length < 32; p = p->parent)
                chain[length++] = p;
            for (int c = length - 1; c >= 0; c--)
                for (int k = 0; k < chain[c]->ndim && n < want - v->ndim; k++)
                    dim[n++] = chain[c]->dim[k];
            v = value_spread(eval->arena, v, n, dim);
        } else return value_select(eval, v, tx->arg + (want - v->ndim), v->ndim);
    }
    return value_select(eval, v, tx->arg, want);
    (void)top_of;
}

/* ---- operators ------------------------------------------------------------------------------ */

static double real_op(int kind, double a, double b) {
    switch (kind) {
    case TX_ADD:
    case TX_ADD_EACH: return a + b;
    case TX_SUB:
    case TX_SUB_EACH: return a - b;
    case TX_MUL:
    case TX_MUL_EACH: return a * b;
    case TX_DIV:
    case TX_DIV_EACH: return a / b;
    default: return pow(a, b);
    }
}

static int64_t integer_op(int kind, int64_t a, int64_t b) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (kind) {
    case TX_ADD:
    case TX_ADD_EACH: return (int64_t)(x + y);
    case TX_SUB:
    case TX_SUB_EACH: return (int64_t)(x - y);
    default: return (int64_t)(x * y);
    }
}

static Value *each(Eval *eval, const Tx *tx, Value *a, Value *b) {
    const Value *shape = a->ndim ? a : b;
    if (a->ndim && b->ndim && a->count != b->count)
        return eval_fail(eval, tx->pos, "array sizes differ");
    bool   real = tx->type.basic == BASIC_REAL;
    Value *v = value_new(eval->arena, real ? BASIC_REAL : BASIC_INTEGER, shape->ndim,
                         shape->dim);
    for (int k = 0; k < v->count; k++) {
        int i = a->ndim ? k : 0, j = b->ndim ? k : 0;
        if (real) v->real[k] = real_op(tx->kind, value_number(a, i), value_number(b, j));
        else v->integer[k] = integer_op(tx->kind, a->integer[i], b->integer[j]);
    }
    return v;
}

static Value *matrix_product(Eval *eval, const Tx *tx, const Value *a, const Value *b) {
    int rows = a->ndim == 2 ? a->dim[0] : 1, inner = a->dim[a->ndim - 1];
    int cols = b->ndim == 2 ? b->dim[1] : 1, dim[2], n = 0;
    if (b->dim[0] != inner) return eval_fail(eval, tx->pos, "array sizes differ");
    if (a->ndim == 2) dim[n++] = rows;
    if (b->ndim == 2) dim[n++] = cols;
    bool   real = tx->type.basic == BASIC_REAL;
    Value *v = value_new(eval->arena, real ? BASIC_REAL : BASIC_INTEGER, n, dim);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            double  sum = 0;
            int64_t isum = 0;
            for (int k = 0; k < inner; k++) {
                if (real)
                    sum += value_number(a, r * inner + k) * value_number(b, k * cols + c);
                else isum += a->integer[r * inner + k] * b->integer[k * cols + c];
            }
            if (real) v->real[r * cols + c] = sum;
            else v->integer[r * cols + c] = isum;
        }
    return v;
}

static Value *arithmetic(Eval *eval, const Tx *tx, Value *a, Value *b) {
    if (a->basic == BASIC_STRING) {
        Text text = {0};
        text_add(&text, a->string[0]);
        text_add(&text, b->string[0]);
        Value *v = value_string(eval->arena,
                                arena_string(eval->arena, text_get(&text), text.length));
        text_free(&text);
        return v;
    }
    if (tx->kind == TX_MUL && a->ndim && b->ndim) return matrix_product(eval, tx, a, b);
    if (tx->kind == TX_POW && a->ndim == 2) {
        int64_t n = b->integer[0];
        Value  *v = value_convert(eval->arena, a, BASIC_REAL);
        Value  *p = value_new(eval->arena, BASIC_REAL, 2, v->dim);
        if (n < 0 || n > 1000)
            return eval_fail(eval, tx->pos, "the exponent of a matrix is out of range");
        for (int k = 0; k < v->dim[0]; k++) p->real[k * v->dim[0] + k] = 1;
        for (; n > 0; n--) p = matrix_product(eval, tx, p, v);
        return p;
    }
    if ((tx->kind == TX_DIV || tx->kind == TX_DIV_EACH) && tx->type.ndim == 0 &&
        value_number(b, 0) == 0)
        return eval_fail(eval, tx->pos, "division by zero");
    return each(eval, tx, a, b);
}

static Value *relation(Eval *eval, const Tx *tx, const Value *a, const Value *b) {
    int order;
    if (a->basic == BASIC_STRING) order = strcmp(a->string[0], b->string[0]);
    else if (a->basic == BASIC_REAL || b->basic == BASIC_REAL) {
        double x = value_number(a, 0), y = value_number(b, 0);
        order = (x > y) - (x < y);
    } else order = (a->integer[0] > b->integer[0]) - (a->integer[0] < b->integer[0]);
    bool holds = false;
    switch (tx->kind) {
    case TX_LT: holds = order < 0; break;
    case TX_LE: holds = order <= 0; break;
    case TX_GT: holds = order > 0; break;
    case TX_GE: holds = order >= 0; break;
    case TX_EQ: holds = order == 0; break;
    default: holds = order != 0; break;
    }
    return value_boolean(eval->arena, holds);
}

static Value *logic(Eval *eval, const Tx *tx) {
    Value *a = eval_tx(eval, tx->arg[0]);
    if (a && a->ndim == 0) { /* the second operand may be unknown */
        if (tx->kind == TX_AND && !a->integer[0]) return a;
        if (tx->kind == TX_OR && a->integer[0]) return a;
        return eval_tx(eval, tx->arg[1]);
    }
    Value *b = eval_tx(eval, tx->arg[1]);
    if (!a && b && b->ndim == 0) {
        if (tx->kind == TX_AND && !b->integer[0]) return b;
        if (tx->kind == TX_OR && b->integer[0]) return b;
    }
    if (!a || !b) return NULL;
    Value *v = value_new(eval->arena, BASIC_BOOLEAN, a->ndim, a->dim);
    for (int k = 0; k < v->count && k < b->count; k++)
        v->integer[k] = tx->kind == TX_AND ? a->integer[k] && b->integer[k]
                                           : a->integer[k] || b->integer[k];
    return v;
}

static Value *unary(Eval *eval, const Tx *tx) {
    Value *a = eval_tx(eval, tx->arg[0]);
    if (!a) return NULL;
    Value *v = value_new(eval->arena, (Basic)a->basic, a->ndim, a->dim);
    for (int k = 0; k < v->count; k++) {
        if (tx->kind == TX_NOT) v->integer[k] = !a->integer[k];
        else if (a->basic == BASIC_REAL) v->real[k] = -a->real[k];
        else v->integer[k] = -a->integer[k];
    }
    return v;
}

/* ---- the rest ---------------------------------------------------------------------------------- */

static Value *range(Eval *eval, const Tx *tx) {
    Value *p[3];
    for (int k = 0; k < tx->n; k++) {
        p[k] = eval_tx(eval, tx->arg[k]);
        if (!p[k]) return NULL;
    }
    Value *start = p[0], *stop = p[tx->n - 1];
    if (tx->type.basic != BASIC_REAL) {
        int64_t a = start->integer[0], b = stop->integer[0];
        int64_t s = tx->n == 3 ? p[1]->integer[0] : 1;
        if (s == 0) return eval_fail(eval, tx->pos, "the step of a range is zero");
        int64_t n = (b - a) / s + 1;
        if ((s > 0 && b < a) || (s < 0 && b > a)) n = 0;
        if (n > ARRAY_MOST) return eval_fail(eval, tx->pos, "the range is too long");
        int    dim = (int)n;
        Value *v = value_new(eval->arena, (Basic)tx->type.basic, 1, &dim);
        v->cls = tx->type.cls;
        for (int k = 0; k < dim; k++) v->integer[k] = a + k * s;
        return v;
    }
    double a = value_number(start, 0), b = value_number(stop, 0);
    double s = tx->n == 3 ? value_number(p[1], 0) : 1;
    if (s == 0) return eval_fail(eval, tx->pos, "the step of a range is zero");
    double n = floor((b - a) / s * (1 + RANGE_RELATIVE) + RANGE_ABSOLUTE) + 1;
    if (n > ARRAY_MOST) return eval_fail(eval, tx->pos, "the range is too long");
    int    dim = n > 0 ? (int)n : 0;
    Value *v = value_new(eval->arena, BASIC_REAL, 1, &dim);
    for (int k = 0; k < dim; k++) v->real[k] = a + k * s;
    return v;
}

static Value *fold(Eval *eval, const Tx *tx, int k, Value *so_far) {
    /* iterators k-1 .. 0 still to run; the last one is outermost */
    if (k == 0) {
        if (--eval->steps < 0)
            return eval_fail(eval, tx->pos, "the evaluation does not end");
        Value *v = eval_tx(eval, tx->arg[0]);
        if (!v || tx->reduce == REDUCE_ARRAY) return v;
        if (!so_far) return value_copy(eval->arena, v);
        for (int j = 0; j < v->count && j < so_far->count; j++) {
            double a = value_number(so_far, j), b = value_number(v, j), r = 0;
            switch (tx->reduce) {
            case REDUCE_SUM: r = a + b; break;
            case REDUCE_PRODUCT: r = a * b; break;
            case REDUCE_MIN: r = a < b ? a : b; break;
            default: r = a > b ? a : b; break;
            }
            if (so_far->basic == BASIC_REAL) so_far->real[j] = r;
            else so_far->integer[j] = (int64_t)r;
        }
        return so_far;
    }
    Value *values = eval_tx(eval, tx->arg[k]);
    if (!values || eval->binds >= LENGTH(eval->bind)) return NULL;
    int     n = values->count, at = eval->binds++;
    Value **items = tx->reduce == REDUCE_ARRAY ? NEW(eval->arena, Value *, n + 1) : NULL;
    for (int j = 0; j < n; j++) {
        eval->bind[at].var = tx->iters[k - 1];
        eval->bind[at].value = value_element(eval->arena, values, j);
        Value *v = fold(eval, tx, k - 1, so_far);
        if (!v) {
            eval->binds = at;
            return NULL;
        }
        if (items) items[j] = v;
        else so_far = v;
    }
    eval->binds = at;
    if (!items) return so_far;
    Value *v = value_stack(eval->arena, items, n);
    if (v && n == 0) {
        int dim[16] = {0};
        v = value_new(eval->arena, (Basic)tx->type.basic, k, dim);
    }
    return v ? v : eval_fail(eval, tx->pos, "array sizes differ");
}

static Value *reduce(Eval *eval, const Tx *tx) {
    Value *v = fold(eval, tx, tx->n - 1, NULL);
    if (v || eval->why || tx->reduce == REDUCE_ARRAY) return v;
    static const TermOp op[] = {[REDUCE_SUM] = TERM_SUM_OF,
                                [REDUCE_PRODUCT] = TERM_PRODUCT_OF,
                                [REDUCE_MIN] = TERM_MIN_OF,
                                [REDUCE_MAX] = TERM_MAX_OF};
    Type                type = tx->type.basic == BASIC_REAL ? TYPE_REAL : TYPE_INTEGER;
    double              empty = reduction_empty(op[tx->reduce], type);
    return tx->type.basic == BASIC_REAL ? value_real(eval->arena, empty)
                                        : value_integer(eval->arena, (int64_t)empty);
}

static Value *array(Eval *eval, const Tx *tx) {
    if (tx->n == 0) {
        int    dim[16] = {0};
        Value *v = value_new(eval->arena, (Basic)tx->type.basic,
                             tx->type.ndim ? tx->type.ndim : 1, dim);
        v->cls = tx->type.cls;
        return v;
    }
    Value **items = NEW(eval->arena, Value *, tx->n);
    for (int k = 0; k < tx->n; k++) {
        items[k] = eval_tx(eval, tx->arg[k]);
        if (!items[k]) return NULL;
    }
    Value *v = value_stack(eval->arena, items, tx->n);
    return v ? v : eval_fail(eval, tx->pos, "elements of different sizes");
}

static Value *record(Eval *eval, const Tx *tx) {
    Value *v = value_new(eval->arena, BASIC_RECORD, 0, NULL);
    v->cls = tx->type.cls;
    v->rec = tx->type.rec;
    v->nfield = tx->n;
    v->item = NEW(eval->arena, Value *, tx->n + 1);
    for (int k = 0; k < tx->n; k++) {
        v->item[k] = eval_tx(eval, tx->arg[k]);
        if (!v->item[k]) return NULL;
        if (tx->type.rec && k < tx->type.rec->nchild && tx->type.rec->child[k])
            v->item[k] = value_convert(eval->arena, v->item[k],
                                       (Basic)tx->type.rec->child[k]->basic);
    }
    return v;
}

/* A call for every element of the leading dimensions. */
static Value *spread_call(Eval *eval, const Tx *tx, Value **arg, int extra, int output) {
    Func *func = tx->func;
    int   count = 1;
    int   dim[16], n = 0;
    for (int k = 0; k < func->nin; k++)
        if (arg[k] && arg[k]->ndim > func->in[k]->ndim) {
            for (n = 0; n < extra; n++) dim[n] = arg[k]->dim[n];
            break;
        }
    for (int k = 0; k < n; k++) count *= dim[k];
    Value **items = NEW(eval->arena, Value *, count + 1);
    Value **one = NEW(eval->arena, Value *, func->nin + 1);
    for (int e = 0; e < count; e++) {
        for (int k = 0; k < func->nin; k++) {
            one[k] = arg[k];
            if (!arg[k] || arg[k]->ndim <= func->in[k]->ndim) continue;
            Value *flat = NEW(eval->arena, Value, 1);
            *flat = *arg[k];
            int inner = arg[k]->ndim - extra, fdim[16] = {count};
            for (int j = 0; j < inner; j++) fdim[j + 1] = arg[k]->dim[extra + j];
            flat->ndim = inner + 1;
            flat->dim = arena_copy(eval->arena, fdim, sizeof(int) * (size_t)(inner + 1));
            one[k] = value_row(eval->arena, flat, e);
        }
        Value *all = eval_call(eval, func, one, tx->pos);
        if (!all) return NULL;
        items[e] = all->item[output];
    }
    Value *v = value_stack(eval->arena, items, count);
    if (!v) return eval_fail(eval, tx->pos, "results of different sizes");
    int fdim[16], m = 0;
    for (int k = 0; k < n; k++) fdim[m++] = dim[k];
    for (int k = 1; k < v->ndim; k++) fdim[m++] = v->dim[k];
    v->ndim = m;
    v->dim = arena_copy(eval->arena, fdim, sizeof(int) * (size_t)m);
    return v;
}

static Value *call(Eval *eval, const Tx *tx) {
    Func   *func = tx->func;
    Value **arg = NEW(eval->arena, Value *, tx->n + 1);
    for (int k = 0; k < tx->n; k++) {
        if (!tx->arg[k]) continue;
        arg[k] = eval_tx(eval, tx->arg[k]);
        if (!arg[k]) return NULL;
    }
    if (tx->n > func->nin) { /* through a function value */
        Value *f = arg[func->nin];
        if (f->basic != BASIC_FUNCTION || !f->func)
            return eval_fail(eval, tx->pos, "no function");
        Value **all = NEW(eval->arena, Value *, f->func->nin + 1);
        int     next = 0;
        for (int k = 0; k < f->func->nin; k++)
            all[k] = f->item[k] ? f->item[k] : next < func->nin ? arg[next++] : NULL;
        Value *out = eval_call(eval, f->func, all, tx->pos);
        return out ? (tx->output < 0 ? out : out->item[tx->output]) : NULL;
    }
    int output = tx->output < 0 ? 0 : (int)tx->output;
    if (func->nout == 0) return eval_call(eval, func, arg, tx->pos);
    int extra = tx->output < 0 ? 0 : tx->type.ndim - func->out[output]->ndim;
    if (extra > 0) return spread_call(eval, tx, arg, extra, output);
    Value *all = eval_call(eval, func, arg, tx->pos);
    if (!all || tx->output < 0) return all;
    return all->item[output] ? all->item[output]
                             : eval_fail(eval, tx->pos, "a result is missing");
}

static Value *function_value(Eval *eval, const Tx *tx) {
    Value *v = value_new(eval->arena, BASIC_FUNCTION, 0, NULL);
    v->func = tx->func;
    v->nfield = tx->n;
    v->item = NEW(eval->arena, Value *, tx->n + 1);
    for (int k = 0; k < tx->n; k++) {
        if (!tx->arg[k]) continue;
        v->item[k] = eval_tx(eval, tx->arg[k]);
        if (!v->item[k]) return NULL;
    }
    return v;
}

static Value *builtin(Eval *eval, const Tx *tx) {
    Value *arg[64];
    if (tx->builtin->id == BUILTIN_FromOrdinal) {
        Value *i = eval_tx(eval, tx->arg[0]);
        if (!i) return NULL;
        Value *v = value_new(eval->arena, BASIC_ENUM, i->ndim, i->dim);
        v->cls = tx->type.cls;
        for (int k = 0; k < v->count; k++) v->integer[k] = i->integer[k];
        return v;
    }
    if (tx->n > 64) return eval_fail(eval, tx->pos, "too many arguments");
    if (tx->builtin->id == BUILTIN_isRoot || tx->builtin->id == BUILTIN_rooted ||
        tx->builtin->id == BUILTIN_rooted1 || tx->builtin->id == BUILTIN_cardinality)
        return graph_value(eval, tx);
    if (tx->builtin->id == BUILTIN_size && tx->n == 2 && tx->arg[0]->type.ndim) {
        Value *k = eval_tx(eval, tx->arg[1]); /* sizes do not need the elements */
        if (!k) return NULL;
        int64_t d = k->integer[0];
        if (d >= 1 && d <= tx->arg[0]->type.ndim && tx->arg[0]->type.dim[d - 1] >= 0)
            return value_integer(eval->arena, tx->arg[0]->type.dim[d - 1]);
    }
    for (int k = 0; k < tx->n; k++) {
        arg[k] = NULL;
        if (!tx->arg[k]) continue;
        if (tx->builtin->id == BUILTIN_homotopy && k == 1) continue;
        arg[k] = eval_tx(eval, tx->arg[k]);
        if (!arg[k]) return NULL;
    }
    return tx->builtin->eval(eval, tx, arg);
}

static Value *conditional(Eval *eval, const Tx *tx) {
    for (int k = 0; k + 1 < tx->n; k += 2) {
        Value *c = eval_tx(eval, tx->arg[k]);
        if (!c) return NULL;
        if (c->integer[0]) return eval_tx(eval, tx->arg[k + 1]);
    }
    return eval_tx(eval, tx->arg[tx->n - 1]);
}

Value *eval_tx(Eval *eval, const Tx *tx) {
    if (--eval->steps < 0) return eval_fail(eval, tx->pos, "the evaluation does not end");
    switch (tx->kind) {
    case TX_INTEGER: return value_integer(eval->arena, tx->i);
    case TX_REAL: return value_real(eval->arena, tx->r);
    case TX_BOOLEAN: return value_boolean(eval->arena, tx->i != 0);
    case TX_STRING: return value_string(eval->arena, tx->s);
    case TX_ENUM: {
        Value *v = value_new(eval->arena, BASIC_ENUM, 0, NULL);
        v->cls = tx->type.cls;
        v->integer[0] = tx->i;
        return v;
    }
    case TX_REF: return eval_ref(eval, tx);
    case TX_ITER:
        for (int k = eval->binds - 1; k >= 0; k--)
            if (eval->bind[k].var == tx->iter) return eval->bind[k].value;
        return eval_fail(eval, tx->pos, "it is an iterator");
    case TX_NEG:
    case TX_NOT: return unary(eval, tx);
    case TX_AND:
    case TX_OR: return logic(eval, tx);
    case TX_IF: return conditional(eval, tx);
    case TX_ARRAY: return array(eval, tx);
    case TX_RANGE: return range(eval, tx);
    case TX_RECORD: return record(eval, tx);
    case TX_FIELD: {
        Value *of = eval_tx(eval, tx->arg[0]);
        return of ? field_value(eval, of, tx->inst, tx->pos) : NULL;
    }
    case TX_SUBSCRIPT: {
        Value *of = eval_tx(eval, tx->arg[0]);
        return of ? value_select(eval, of, tx->arg + 1, tx->n - 1) : NULL;
    }
    case TX_CALL: return call(eval, tx);
    case TX_BUILTIN: return builtin(eval, tx);
    case TX_REDUCE: return reduce(eval, tx);
    case TX_PARTIAL: return tx->func ? function_value(eval, tx) : NULL;
    case TX_BAD:
    case TX_TIME:
    case TX_COLON:
    case TX_TUPLE: return eval_fail(eval, tx->pos, "it has no value when translating");
    default: break;
    }
    Value *a = eval_tx(eval, tx->arg[0]), *b = a ? eval_tx(eval, tx->arg[1]) : NULL;
    if (!a || !b) return NULL;
    if (tx->kind >= TX_LT && tx->kind <= TX_NE) return relation(eval, tx, a, b);
    return arithmetic(eval, tx, a, b);
}
