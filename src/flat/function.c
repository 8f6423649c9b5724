/* SPDX-License-Identifier: Apache-2.0 */
/* function.c -- functions of the model as statements, and calls of them with their arguments. */
#include "flat/body.h"

/* ---- functions as arguments -------------------------------------------------------------- */

static const FnArg *find_fn(const Lower *l, const Inst *input) {
    for (int k = 0; l->body && k < l->body->fns; k++)
        if (l->body->fn[k].input == input) return &l->body->fn[k];
    return NULL;
}

static int build_function(Lower *l, Func *func, const FnArg *fn, int fns, uint64_t key);

/* Function values of a call: what each function input stands for. */
static int fn_args(Lower *l, const Tx *call, FnArg *fn, int most) {
    int n = 0;
    for (int k = 0; k < call->func->nin && n < most; k++) {
        if (call->func->in[k]->basic != BASIC_FUNCTION) continue;
        const Tx *a = call->arg[k];
        fn[n] = (FnArg){.input = call->func->in[k]};
        if (a && a->kind == TX_PARTIAL && a->func) {
            fn[n].target = a->func;
            fn[n].slot = NEW(&l->shapes->arena, int, a->func->nin + 1);
            for (int j = 0; j < a->func->nin; j++) fn[n].slot[j] = a->arg[j] ? 0 : -1;
        } else if (a && a->kind == TX_REF) {
            const FnArg *own = find_fn(l, a->inst);
            if (!own) {
                lower_fail(l, call->pos, "this function as argument");
                return -1;
            }
            fn[n].target = own->target;
            fn[n].slot = NEW(&l->shapes->arena, int, own->target->nin + 1);
            for (int j = 0; j < own->target->nin; j++)
                fn[n].slot[j] = own->slot[j] >= 0 ? 0 : -1;
        } else {
            lower_fail(l, call->pos, "this function as argument");
            return -1;
        }
        n++;
    }
    return n;
}

/* Values bound to the function arguments, after the other arguments. */
static int bound_args(Lower *l, const Tx *call, Term *arg, int n, int most) {
    for (int k = 0; k < call->func->nin; k++) {
        if (call->func->in[k]->basic != BASIC_FUNCTION) continue;
        const Tx *a = call->arg[k];
        if (a->kind == TX_PARTIAL) {
            for (int j = 0; j < a->func->nin; j++)
                if (a->arg[j]) n = lower_args(l, a->arg[j], a->func->in[j], arg, n, most);
            continue;
        }
        const FnArg *own = find_fn(l, a->inst);
        for (int j = 0; own && j < own->target->nin; j++) {
            if (own->slot[j] < 0) continue;
            int m = body_leaves(l, own->target->in[j], NULL, 0, 0);
            for (int i = 0; i < m && n < most; i++)
                arg[n++] = body_slot_term(l, own->slot[j] + i);
        }
    }
    return n;
}

static bool takes_functions(const Func *func) {
    for (int k = 0; k < func->nin; k++)
        if (func->in[k]->basic == BASIC_FUNCTION) return true;
    return false;
}

/* A call through a function input that stands for a function with functions as inputs. */
static int call_directly(Lower *l, const Tx *call, const FnArg *fn, Term *arg, int most,
                         int *n) {
    Func *target = fn->target;
    Tx   *direct =
        tx_new(l->front, TX_CALL, call->pos, call->type, (Vary)call->vary, target->nin);
    direct->func = target;
    direct->output = call->output;
    for (int j = 0; j < target->nin; j++) {
        if (fn->slot[j] >= 0)
            return lower_fail(l, call->pos,
                              "a bound argument beside a function as argument"),
                   0;
        direct->arg[j] = j < call->func->nin && call->arg[j]
                             ? call->arg[j]
                             : inst_bind(l->front, target->in[j]);
        if (!direct->arg[j]) return lower_fail(l, call->pos, "a missing argument"), 0;
    }
    return lower_call_args(l, direct, arg, most, n);
}

int lower_call_args(Lower *l, const Tx *call, Term *arg, int most, int *n) {
    Func *func = call->func;
    *n = 0;
    if (call->n > func->nin) { /* through a function input */
        const Tx    *through = call->arg[func->nin];
        const FnArg *fn =
            through && through->kind == TX_REF ? find_fn(l, through->inst) : NULL;
        if (!fn) {
            lower_fail(l, call->pos, "a call of this function argument");
            return 0;
        }
        if (takes_functions(fn->target)) return call_directly(l, call, fn, arg, most, n);
        int next = 0;
        for (int j = 0; j < fn->target->nin; j++) {
            if (fn->slot[j] >= 0) {
                int m = body_leaves(l, fn->target->in[j], NULL, 0, 0);
                for (int i = 0; i < m && *n < most; i++)
                    arg[(*n)++] = body_slot_term(l, fn->slot[j] + i);
            } else if (next < func->nin && call->arg[next]) {
                *n = lower_args(l, call->arg[next++], fn->target->in[j], arg, *n, most);
            } else {
                Tx *dflt = inst_bind(l->front, fn->target->in[j]);
                if (!dflt) {
                    lower_fail(l, call->pos, "a missing argument");
                    return 0;
                }
                *n = lower_args(l, dflt, fn->target->in[j], arg, *n, most);
            }
        }
        return lower_function(l, fn->target);
    }
    FnArg fn[8];
    int   fns = fn_args(l, call, fn, 8), number;
    if (fns < 0) return 0;
    if (fns == 0) number = lower_function(l, func);
    else {
        uint64_t key = hash_mix((uintptr_t)func);
        for (int k = 0; k < fns; k++) {
            key = hash_mix(key ^ (uintptr_t)fn[k].target);
            for (int j = 0; j < fn[k].target->nin; j++)
                key = hash_mix(key + (fn[k].slot[j] >= 0 ? 1 : 2));
        }
        number = build_function(l, func, fn, fns, key);
    }
    bool split = l->split;
    l->split = lower_inlines(l, number, call);
    for (int k = 0; k < func->nin; k++)
        if (call->arg[k] && func->in[k]->basic != BASIC_FUNCTION)
            *n = lower_args(l, call->arg[k], func->in[k], arg, *n, most);
    *n = bound_args(l, call, arg, *n, most);
    l->split = split;
    return number;
}

/* Scalars that an argument brings, and how many of them are frozen. */
static void count_frozen(Lower *l, const Tx *arg, Inst *in, int *all, int *frozen) {
    int n = body_leaves(l, in, NULL, 0, 0);
    *all += n;
    if (arg && lower_frozen(l, arg)) *frozen += n;
}

bool lower_inlines(Lower *l, int function, const Tx *call) {
    int inlines = l->shapes->function[function]->inlines, all = 0, frozen = 0;
    if (l->body || l->calls || inlines <= INLINE_LATE) return false;
    if (inlines != INLINE_KNOWN) return true;
    for (int k = 0; call && k < call->func->nin; k++)
        if (call->func->in[k]->basic != BASIC_FUNCTION)
            count_frozen(l, call->arg[k], call->func->in[k], &all, &frozen);
    return 2 * frozen > all;
}

int lower_function(Lower *l, Func *func) {
    return build_function(l, func, NULL, 0, (uintptr_t)func);
}

static bool has_fields(const Inst *inst) {
    return inst->basic == BASIC_RECORD && !inst->absent;
}

/* Whether the declaration of inst, or of one of its fields, uses another variable. */
static bool declaration_uses(Lower *l, Inst *inst, const Inst *other) {
    Tx *bind = inst_bind(l->front, inst);
    if (bind && tx_uses(bind, other)) return true;
    for (int d = 0; d < inst->ndim && inst->dimx; d++)
        if (inst->dimx[d] && tx_uses(inst->dimx[d], other)) return true;
    if (bind || !has_fields(inst)) return false;
    inst_all(l->front, inst);
    for (int k = 0; k < inst->nchild; k++)
        if (inst->child[k] && declaration_uses(l, inst->child[k], other)) return true;
    return false;
}

static void bind_local(Lower *l, StmtList *list, Inst *inst);

/* The declaration of child k of a function or record as an assignment, after those that it uses:
 * their order in the text does not count (Modelica 3.6, 12.4.4). */
static void bind_child(Lower *l, StmtList *list, Inst *of, int k, bool *bound) {
    Inst *inst = of->child[k];
    if (!inst || inst->absent || inst->way == WAY_INPUT || bound[k]) return;
    bound[k] = true;
    for (int j = 0; j < of->nchild; j++)
        if (of->child[j] && declaration_uses(l, inst, of->child[j]))
            bind_child(l, list, of, j, bound);
    bind_local(l, list, inst);
}

/* The declared value of an output or local variable, of a record also field by field. */
static void bind_local(Lower *l, StmtList *list, Inst *inst) {
    Tx *bind = inst_bind(l->front, inst);
    if (bind && !ty_bad(bind->type)) {
        assign_tx(l, list, tx_ref(l->front, inst->pos, inst, l->body->func->inst), bind,
                  inst->pos);
        return;
    }
    if (!has_fields(inst)) return;
    inst_all(l->front, inst);
    bool *bound = NEW(&l->scratch, bool, inst->nchild + 1);
    for (int k = 0; k < inst->nchild; k++) bind_child(l, list, inst, k, bound);
}

/* Results of g = der(f, x): the partial derivatives of those of f. */
static void partial_results(Lower *l, Func *func, StmtList *list, int inputs) {
    int         f = lower_function(l, func->partial_of), outputs = func->nout;
    Term       *arg = NEW(&l->shapes->arena, Term, inputs + 1);
    const char *reason = NULL;
    for (int k = 0; k < inputs; k++) arg[k] = body_slot_term(l, k);
    for (int k = 0; k < outputs; k++) {
        Term value = expr_call(l->shapes, f, k, TYPE_REAL, l->body->var[inputs + k].rank,
                               arg, inputs);
        for (int i = 0; i < func->partials && value; i++)
            value = expr_partial(l->shapes, value,
                                 body_slot(l, func->partial_by[i], READ_VALUE), &reason);
        if (!value) {
            lower_fail(l, func->cls->def->pos, "the derivative of this function");
            return;
        }
        int s = body_add_stmt(l, list, STMT_ASSIGN, func->cls->def->pos);
        l->body->stmt[s].a = body_slot_term(l, inputs + k);
        l->body->stmt[s].b = value;
    }
}

static int build_function(Lower *l, Func *func, const FnArg *fn, int fns, uint64_t key) {
    int64_t known = map_get(&l->func, key, -1);
    if (known >= 0) return (int)known;
    Function empty = {.name = func->name, .pos = func->cls->def->pos, .first = -1};
    int      number = function_add(l->shapes, &empty);
    map_put(&l->func, key, number);
    func_body(l->front, func);
    Body  body = {.func = func, .outer = l->body};
    Inst *at = l->at;
    int   iters = l->iters;
    bool  unroll = l->unroll;
    l->body = &body;
    l->at = NULL;
    l->unroll = false;
    Function f = empty;
    for (int k = 0; k < func->nin; k++)
        if (func->in[k]->basic != BASIC_FUNCTION)
            body_declare(l, func->in[k], func->inst);
    body.fns = fns;
    body.fn = NEW(&l->shapes->arena, FnArg, fns + 1);
    for (int k = 0; k < fns; k++) {
        body.fn[k] = fn[k];
        for (int j = 0; j < fn[k].target->nin; j++) {
            if (fn[k].slot[j] < 0) continue;
            body.fn[k].slot[j] = body.vars;
            body_declare(l, fn[k].target->in[j], fn[k].target->inst);
        }
    }
    f.inputs = body.vars;
    for (int k = 0; k < func->nout; k++) body_declare(l, func->out[k], func->inst);
    f.outputs = body.vars - f.inputs;
    for (int k = 0; k < func->nlocal && !func->partial_of; k++)
        body_declare(l, func->local[k], func->inst);
    for (int k = 0; k < func->nin; k++)
        if (func->in[k]->basic != BASIC_FUNCTION)
            body_declare_sizes(l, func->in[k], func->inst);
    for (int k = 0; k < func->nout; k++) body_declare_sizes(l, func->out[k], func->inst);
    for (int k = 0; k < func->nlocal && !func->partial_of; k++)
        body_declare_sizes(l, func->local[k], func->inst);
    StmtList list = {-1, -1};
    bool    *bound = NEW(&l->shapes->arena, bool, func->inst->nchild + 1);
    for (int k = 0; k < func->inst->nchild && !func->partial_of; k++)
        bind_child(l, &list, func->inst, k, bound);
    if (func->partial_of) partial_results(l, func, &list, f.inputs);
    else if (!func->external) {
        StmtList rest = lower_stmts(l, &func->body);
        if (list.last >= 0) body.stmt[list.last].next = rest.first;
        else list.first = rest.first;
    }
    if (l->unroll) lower_fail(l, func->cls->def->pos, "an expression of this function");
    f.first = list.first;
    if (func->external) take_external(l, func, &f);
    f.flags = (func->impure ? FUNCTION_IMPURE : 0) |
              (func->external ? FUNCTION_EXTERNAL : 0) |
              (func->note.inline_ ? FUNCTION_INLINE : 0) |
              (func->note.late_inline ? FUNCTION_LATE : 0) |
              (func->note.generate_events ? FUNCTION_EVENTS : 0);
    f.vars = body.vars;
    f.var = body.var;
    f.stmt = body.stmt;
    f.stmts = body.stmts;
    f.smooth = func->note.smooth;
    f.generated = l->shapes->function[number]->generated;
    f.differenced = l->shapes->function[number]->differenced;
    f.wanted = NEW(&l->shapes->arena, bool, f.inputs + 1);
    if (!l->failed) function_constants(l->shapes, &f);
    take_derivatives(l, func, &f);
    take_inverses(l, func, &f);
    bool asked = func->note.inline_ || func->note.late_inline;
    /* an inverse is worth more than what inlining shows, also where it is asked for */
    if (!func->note.no_inline && !l->failed && !f.inverses)
        f.inlines = (uint8_t)function_inlines(l->shapes, &f, asked);
    *l->shapes->function[number] = f;
    map_free(&body.slot);
    l->body = body.outer;
    l->at = at;
    l->iters = iters;
    l->unroll = unroll;
    return number;
}
