/* SPDX-License-Identifier: Apache-2.0 */
/* call.c -- calls of functions of the model, and fields of their results. */
#include "flat/lower.h"

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

/* Subscripts that stand for indices known in the run: iterators in force until the caller takes them
 * away. False: there are too many. */
static bool index_iterators(Lower *l, const Idx *lead, int n, Pos pos, Tx **subs) {
    for (int d = 0; d < n; d++) {
        if (l->iters >= LENGTH(l->iter)) {
            lower_fail(l, pos, "so many iterators");
            return false;
        }
        IterVar *var = NEW(&l->front->arena, IterVar, 1);
        var->type = (Ty){.basic = BASIC_INTEGER};
        var->pos = pos;
        l->iter[l->iters].var = var;
        l->iter[l->iters++].value = lead[d];
        subs[d] = tx_new(l->front, TX_ITER, pos, var->type, VARY_DISCRETE, 0);
        subs[d]->iter = var;
    }
    return true;
}

/* The call with given leading indices of vectorised arguments. */
Term lower_call_at(Lower *l, const Tx *tx, const Idx *lead, int extra, int result,
                   Type type, int rank) {
    Func *func = tx->func;
    enum { MOST = 400 };
    Term *arg = NEW(&l->scratch, Term, MOST);
    int   n = 0, iters = l->iters;
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
                if (!l->body) return lower_again(l);
                if (!index_iterators(l, lead, extra, a->pos, subs)) break;
            }
            a = tx_index(l->front, (Tx *)a, subs, extra);
        }
        n = lower_args(l, a, func->in[k], arg, n, MOST);
        l->iters = iters;
    }
    return expr_call(l->shapes, lower_function(l, func), result, type, rank, arg, n);
}

/* Element of an array result. An inlined call has its elements one by one, so a loop over them
 * is unrolled. */
Term lower_call_element(Lower *l, Term call, const Idx *idx, int rank) {
    Term args[NEST];
    if (rank == 0 || l->failed || l->unroll) return call;
    for (int k = 0; k < rank; k++)
        if (!idx_fixed(&idx[k]) && !idx[k].term &&
            lower_inlines(l, expr_node(l->shapes, call)->index, NULL))
            return lower_again(l);
    args[0] = call;
    for (int k = 0; k < rank; k++) args[k + 1] = idx_term(l, &idx[k]);
    return expr_make(l->shapes, TERM_ELEMENT, args, rank + 1);
}

Term lower_call(Lower *l, const Tx *tx, const Idx *idx) {
    Func *func = tx->func;
    int   output = tx->output < 0 ? 0 : (int)tx->output;
    Inst *out = func->out[output];
    int   extra = tx->type.ndim - out->ndim, result = flat_results(l, func, output);
    Term  call = lower_call_at(l, tx, idx, extra, result, type_of_basic(tx->type.basic),
                               out->ndim);
    return lower_call_element(l, call, idx + extra, out->ndim);
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

/* A built-in function that does with a record what it does with each field of it. */
static bool takes_records(const Tx *tx) {
    static const int ID[] = {BUILTIN_fill,        BUILTIN_sample,     BUILTIN_hold,
                             BUILTIN_previous,    BUILTIN_subSample,  BUILTIN_superSample,
                             BUILTIN_shiftSample, BUILTIN_backSample, BUILTIN_noClock};
    for (size_t k = 0; tx->kind == TX_BUILTIN && k < LENGTH(ID); k++)
        if (tx->builtin->id == ID[k]) return true;
    return false;
}

/* The expression `of.field`, with the field taken of the parts of `of`; NULL if that cannot be
 * said. A field of a field is taken of what the first one gives. */
static Tx *field_inside(Front *front, Tx *of, const Inst *field, Ty type, Pos pos) {
    if (of->kind == TX_FIELD) {
        Tx *inner = field_inside(front, of->arg[0], of->inst, of->type, pos);
        return inner ? field_inside(front, inner, field, type, pos) : NULL;
    }
    if (of->kind == TX_REF ||
        of->kind == TX_RECORD) { /* perhaps another view of the record */
        Inst *f =
            inst_child(front, of->kind == TX_REF ? of->inst : of->type.rec, field->name);
        Tx *part = f ? tx_field_of(front, of, f, pos) : NULL;
        return part && part->kind != TX_FIELD ? part : NULL;
    }
    if (of->kind != TX_IF && of->kind != TX_ARRAY && of->kind != TX_SUBSCRIPT &&
        of->kind != TX_REDUCE && !takes_records(of))
        return NULL;
    Tx  *copy = tx_new(front, (TxKind)of->kind, of->pos, type, (Vary)of->vary, of->n);
    Tx **arg = copy->arg;
    *copy = *of;
    copy->type = type;
    copy->arg = arg;
    for (int k = 0; k < of->n; k++) {
        bool part = of->kind == TX_ARRAY ? true
                    : of->kind == TX_IF  ? k % 2 == 1 || k + 1 == of->n
                                         : k == 0;
        arg[k] = of->arg[k];
        if (!part) continue;
        Inst *f = inst_child(front, of->arg[k]->type.rec, field->name);
        if (!f) return NULL;
        arg[k] = tx_field_of(front, of->arg[k], f, pos);
    }
    return copy;
}

/* A field (of a field ...) of an expression. */
Term lower_field(Lower *l, const Tx *tx, const Idx *idx) {
    const Inst *field = tx->inst;
    const Tx   *path = tx;
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
        Term call = lower_call_at(l, path, idx, extra, result,
                                  type_of_basic(tx->type.basic), rank);
        return lower_call_element(l, call, idx + extra, rank);
    }
    Tx *inside = field_inside(l->front, tx->arg[0], field, tx->type, tx->pos);
    if (!inside) return lower_fail(l, tx->pos, "a field of this expression");
    return lower_scalar(l, inside, idx);
}
