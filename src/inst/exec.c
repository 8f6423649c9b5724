/* SPDX-License-Identifier: Apache-2.0 */
/* exec.c -- running functions when translating: statements on a frame of values. */
#include "inst/front.h"

#include <string.h>

enum { CALL_DEPTH = 120 };

/* ---- assignment -------------------------------------------------------------------------- */

/* Positions a subscript selects in a dimension; NULL: failed. */
static int *selected(Eval *eval, const Tx *sub, int size, int *n) {
    int *at;
    if (!sub || sub->kind == TX_COLON) {
        at = NEW(eval->arena, int, size + 1);
        for (int k = 0; k < size; k++) at[k] = k;
        *n = size;
        return at;
    }
    Value *v = eval_tx(eval, sub);
    if (!v || v->basic == BASIC_REAL || v->basic == BASIC_STRING) return NULL;
    at = NEW(eval->arena, int, v->count + 1);
    for (int k = 0; k < v->count; k++) {
        int64_t i = v->integer[k] + (v->basic == BASIC_BOOLEAN);
        if (i < 1 || i > size) {
            eval_fail(eval, sub->pos, "a subscript is out of bounds");
            return NULL;
        }
        at[k] = (int)(i - 1);
    }
    *n = v->count;
    return at;
}

static bool assign_elements(Eval *eval, Value *array, Tx **subs, const Value *value) {
    int *at[16], n[16], step[16] = {0}, count = 1;
    if (array->ndim > 16) return false;
    for (int k = 0; k < array->ndim; k++) {
        at[k] = selected(eval, subs[k], array->dim[k], &n[k]);
        if (!at[k]) return false;
        count *= n[k];
    }
    if (value->count != count) {
        eval_fail(eval, 0, "array sizes differ");
        return false;
    }
    for (int k = 0; k < count; k++) {
        int to = 0;
        for (int d = 0; d < array->ndim; d++) to = to * array->dim[d] + at[d][step[d]];
        value_set(array, to, value, k);
        for (int d = array->ndim - 1; d >= 0; d--) {
            if (++step[d] < n[d]) break;
            step[d] = 0;
        }
    }
    return true;
}

static bool has_subscripts(Tx **subs, int n) {
    for (int k = 0; k < n; k++)
        if (subs[k] && subs[k]->kind != TX_COLON) return true;
    return false;
}

static int field_number(const Value *record, Str name) {
    for (int k = 0; record->rec && k < record->rec->nchild && k < record->nfield; k++)
        if (record->rec->child[k] && record->rec->child[k]->name == name) return k;
    return -1;
}

Flow run_assign(Eval *eval, const Tx *left, Value *value) {
    Inst *chain[32];
    int   length = 0, used = 0;
    if (left->kind != TX_REF) return RUN_FAIL;
    for (Inst *p = left->inst; p && p != eval->func->inst && length < 32; p = p->parent)
        chain[length++] = p;
    if (length == 0) return RUN_FAIL;
    Value **place = &eval->frame[chain[length - 1]->slot];
    for (int c = length - 1; c >= 0; c--) {
        Inst *inst = chain[c];
        Tx  **subs = left->arg + used;
        bool  some = has_subscripts(subs, inst->ndim);
        if (c == 0) {
            value = value_convert(eval->arena, value, (Basic)inst->basic);
            if (!some) {
                *place = value_copy(eval->arena, value);
                return RUN_ON;
            }
            if (!*place) return RUN_FAIL;
            Value *copy = value_copy(eval->arena, value);
            return assign_elements(eval, *place, subs, copy) ? RUN_ON : RUN_FAIL;
        }
        if (!*place || (*place)->basic != BASIC_RECORD) return RUN_FAIL;
        int element = 0;
        if (inst->ndim) {
            for (int k = 0; k < inst->ndim; k++) {
                int  n;
                int *at = selected(eval, subs[k], (*place)->dim[k], &n);
                if (!at || n != 1) return RUN_FAIL;
                element = element * (*place)->dim[k] + at[0];
            }
        }
        int field = field_number(*place, chain[c - 1]->name);
        if (field < 0) return RUN_FAIL;
        place = &(*place)->item[element * (*place)->nfield + field];
        used += inst->ndim;
    }
    return RUN_FAIL;
}

/* ---- statements ----------------------------------------------------------------------------- */

static Flow run_loop(Eval *eval, const Equ *equ) {
    Value *values = eval_tx(eval, equ->iter->range);
    if (!values || eval->binds >= LENGTH(eval->bind)) return RUN_FAIL;
    int  at = eval->binds++;
    Flow run = RUN_ON;
    for (int k = 0; k < values->count; k++) {
        eval->bind[at].var = equ->iter;
        eval->bind[at].value = value_element(eval->arena, values, k);
        run = eval_body(eval, &equ->body);
        if (run == RUN_BREAK) {
            run = RUN_ON;
            break;
        }
        if (run != RUN_ON) break;
    }
    eval->binds = at;
    return run;
}

static Flow run_while(Eval *eval, const Equ *equ) {
    for (;;) {
        Value *c = eval_tx(eval, equ->cond[0]);
        if (!c) return RUN_FAIL;
        if (!c->integer[0]) return RUN_ON;
        Flow run = eval_body(eval, &equ->branch[0]);
        if (run == RUN_BREAK) return RUN_ON;
        if (run != RUN_ON) return run;
    }
}

static Flow run_call(Eval *eval, const Equ *equ) {
    const Tx *tx = equ->left;
    if (tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_assert) {
        Value *c = eval_tx(eval, tx->arg[0]);
        if (!c) return RUN_FAIL;
        if (c->integer[0]) return RUN_ON;
        if (tx->n > 2) {
            Value *level = eval_tx(eval, tx->arg[2]);
            if (level && level->integer[0] == 1) return RUN_ON; /* a warning */
        }
        Value *text = eval_tx(eval, tx->arg[1]);
        Text   why = {0};
        text_printf(&why, "an assertion failed%s%s", text ? ": " : "",
                    text ? text->string[0] : "");
        eval_fail(eval, tx->pos,
                  arena_string(&eval->front->arena, text_get(&why), why.length));
        text_free(&why);
        return RUN_FAIL;
    }
    return eval_tx(eval, tx) ? RUN_ON : RUN_FAIL;
}

static Flow run_same(Eval *eval, const Equ *equ) {
    Value *value = eval_tx(eval, equ->right);
    if (!value) return RUN_FAIL;
    if (equ->left->kind != TX_TUPLE) return run_assign(eval, equ->left, value);
    for (int k = 0; k < equ->left->n; k++) {
        if (!equ->left->arg[k]) continue;
        if (!value->item[k] ||
            run_assign(eval, equ->left->arg[k], value->item[k]) != RUN_ON)
            return RUN_FAIL;
    }
    return RUN_ON;
}

static Flow run_one(Eval *eval, const Equ *equ) {
    if (--eval->steps < 0) {
        eval_fail(eval, equ->pos, "the evaluation does not end");
        return RUN_FAIL;
    }
    switch (equ->kind) {
    case EQU_SAME: return run_same(eval, equ);
    case EQU_FOR: return run_loop(eval, equ);
    case EQU_IF:
        for (int k = 0; k < equ->count; k++) {
            Value *c = equ->cond[k] ? eval_tx(eval, equ->cond[k]) : NULL;
            if (equ->cond[k] && !c) return RUN_FAIL;
            if (!equ->cond[k] || c->integer[0]) return eval_body(eval, &equ->branch[k]);
        }
        return RUN_ON;
    case EQU_WHILE: return run_while(eval, equ);
    case EQU_CALL: return run_call(eval, equ);
    case EQU_BREAK: return RUN_BREAK;
    case EQU_RETURN: return RUN_RETURN;
    default: return RUN_FAIL;
    }
}

Flow eval_body(Eval *eval, const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        Flow run = run_one(eval, list->item[k]);
        if (run != RUN_ON) return run;
    }
    return RUN_ON;
}

/* ---- calls --------------------------------------------------------------------------------------- */

static bool field_default(Eval *eval, Inst *inst, Value *v, int k, int f, int depth);

/* The value of a variable before it is assigned; a record stands in place while it is made. */
static Value *default_in(Eval *eval, Inst *inst, Value **place) {
    int dim[16];
    if (inst->ndim > 16) return NULL;
    for (int k = 0; k < inst->ndim; k++) {
        dim[k] = inst->dim[k];
        if (dim[k] >= 0) continue;
        dim[k] = 0;
        if (!inst->dimx || !inst->dimx[k]) continue;
        Value *size = eval_tx(eval, inst->dimx[k]);
        if (!size) return NULL;
        if (size->integer[0] < 0 || size->integer[0] > ARRAY_MOST)
            return eval_fail(eval, inst->pos, "a size is wrong");
        dim[k] = (int)size->integer[0];
    }
    Value *v = value_new(eval->arena, (Basic)inst->basic, inst->ndim, dim);
    if (inst->basic == BASIC_ENUM) {
        v->cls = inst->cls;
        for (int k = 0; k < v->count; k++) v->integer[k] = 1;
    }
    if (inst->basic != BASIC_RECORD) return v;
    inst_all(eval->front, inst);
    v->cls = inst->cls;
    v->rec = inst;
    v->nfield = inst->nchild;
    v->item = NEW(eval->arena, Value *, v->count * v->nfield + 1);
    *place = v; /* defaults of fields name other fields */
    for (int k = 0; k < v->count; k++)
        for (int f = 0; f < v->nfield; f++)
            if (!field_default(eval, inst, v, k, f, 0)) return NULL;
    return v;
}

/* Field f of element k, after those that its default names. */
static bool field_default(Eval *eval, Inst *inst, Value *v, int k, int f, int depth) {
    Value **item = &v->item[k * v->nfield + f];
    Inst   *child = inst->child[f];
    if (*item) return true;
    if (!child || child->state == INST_BAD || depth > v->nfield) return false;
    Tx  *bind = inst_bind(eval->front, child);
    bool has =
        bind && !ty_bad(bind->type) && (eval->func || bind->vary <= VARY_PARAMETER);
    bool names =
        has && (bind->n > 0 || bind->kind == TX_REF); /* a number names nothing */
    for (int j = 0; names && j < v->nfield; j++)
        if (inst->child[j] && tx_uses(bind, inst->child[j]) &&
            !field_default(eval, inst, v, k, j, depth + 1))
            return false;
    Value *value = has ? eval_tx(eval, bind) : NULL;
    if (value) {
        value = value_convert(eval->arena, value, (Basic)child->basic);
        *item = value_copy(eval->arena, value);
    } else *item = default_in(eval, child, item);
    return *item != NULL;
}

static Value *start_value(Eval *eval, Inst *inst) {
    Tx *bind = inst_bind(eval->front, inst);
    if (!bind) return default_in(eval, inst, &eval->frame[inst->slot]);
    Value *v = ty_bad(bind->type) ? NULL : eval_tx(eval, bind);
    if (!v) return NULL;
    v = value_convert(eval->arena, v, (Basic)inst->basic);
    return value_copy(eval->arena, v);
}

Value *eval_variable(Eval *eval, Inst *inst) {
    Value **place = &eval->frame[inst->slot];
    if (*place || inst->way == WAY_INPUT || eval->starting > eval->func->slots)
        return *place;
    eval->starting++;
    Value *v = start_value(eval, inst);
    eval->starting--;
    if (!*place || !v) *place = v;
    return *place;
}

Value *eval_call(Eval *outer, Func *func, Value **arg, Pos pos) {
    Front *front = outer->front;
    if (func->external && !func->builtin && !front->external.call)
        return eval_fail(outer, pos, "it calls an external function");
    if (func->builtin) {
        Tx tx = {.kind = TX_BUILTIN, .n = (uint16_t)func->nin, .pos = pos};
        tx.type = inst_type(front, func->out[0]);
        tx.builtin = func->builtin;
        Value *v = func->builtin->eval(outer, &tx, arg);
        if (!v) return NULL;
        Value *all = value_new(outer->arena, BASIC_NONE, 0, NULL);
        all->item = NEW(outer->arena, Value *, 1);
        all->item[0] = v;
        return all;
    }
    if (func->partial_of)
        return eval_fail(outer, pos, "it calls a function defined by der(f, x)");
    if (func->impure && (!func->external || outer->peek || front->peek))
        return eval_fail(outer, pos, "it calls an impure function");
    if (outer->depth > CALL_DEPTH)
        return eval_fail(outer, pos, "calls are nested too deep");
    func_body(front, func);
    if (func->bad || front->diag->errors > 1000)
        return eval_fail(outer, pos, "it is wrong");
    if (func->cls->def->partial) return eval_fail(outer, pos, "the function is partial");
    Eval eval = {.front = front,
                 .arena = outer->arena,
                 .steps = outer->steps,
                 .func = func,
                 .depth = outer->depth + 1,
                 .peek = outer->peek};
    eval.frame = NEW(eval.arena, Value *, func->slots + 1);
    Flow run = RUN_ON;
    for (int k = 0; k < func->nin && run == RUN_ON; k++) {
        Value *v = arg[k] ? value_convert(eval.arena, arg[k], (Basic)func->in[k]->basic)
                          : start_value(&eval, func->in[k]);
        eval.frame[func->in[k]->slot] = v;
        if (!v) run = RUN_FAIL;
    }
    for (int k = 0; k < func->inst->nchild && run == RUN_ON; k++) {
        Inst *inst = func->inst->child[k];
        if (!inst || inst->way == WAY_INPUT) continue;
        if (!eval_variable(&eval, inst)) run = RUN_FAIL;
    }
    if (run == RUN_ON)
        run = func->external ? foreign_run(&eval, func, pos)
                             : eval_body(&eval, &func->body);
    outer->steps = eval.steps;
    if (run == RUN_FAIL || run == RUN_BREAK) {
        eval_fail(outer, eval.why_pos ? eval.why_pos : pos,
                  eval.why ? eval.why : "it failed");
        return NULL;
    }
    Value *all = value_new(eval.arena, BASIC_NONE, 0, NULL);
    all->item = NEW(eval.arena, Value *, func->nout + 1);
    all->nfield = func->nout;
    for (int k = 0; k < func->nout; k++) all->item[k] = eval.frame[func->out[k]->slot];
    return all;
}
