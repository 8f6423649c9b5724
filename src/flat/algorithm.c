/* SPDX-License-Identifier: Apache-2.0 */
/* algorithm.c -- an algorithm section: a function whose outputs are the variables it assigns and
 * whose inputs are their values before it runs, then everything it reads. */
#include "flat/body.h"

#include <string.h>

typedef struct Uses {
    Inst **inst;
    int   *kind;
    int    n, room, room2;
    Map    seen;
} Uses;

static void add_use(Lower *l, Uses *uses, Inst *inst, int kind) {
    if (inst->basic == BASIC_RECORD) {
        int    n;
        Inst **leaf = body_leaves_of(l, inst, &n);
        for (int k = 0; k < n; k++) add_use(l, uses, leaf[k], kind);
        return;
    }
    if (inst->first < 0 || map_has(&uses->seen, body_key(inst, kind))) return;
    map_put(&uses->seen, body_key(inst, kind), 1);
    if (uses->n == uses->room) {
        uses->inst =
            arena_grow(&l->scratch, uses->inst, sizeof(Inst *), &uses->room, uses->n + 1);
        uses->kind =
            arena_grow(&l->scratch, uses->kind, sizeof(int), &uses->room2, uses->n + 1);
    }
    uses->inst[uses->n] = inst;
    uses->kind[uses->n++] = kind;
}

static void reads(Lower *l, Uses *uses, const Tx *tx) {
    if (!tx) return;
    if (tx->kind == TX_REF) add_use(l, uses, tx->inst, READ_VALUE);
    if (tx->kind == TX_BUILTIN && tx->n && tx->arg[0] && tx->arg[0]->kind == TX_REF) {
        int id = tx->builtin->id;
        if (id == BUILTIN_pre || id == BUILTIN_edge || id == BUILTIN_change)
            add_use(l, uses, tx->arg[0]->inst, READ_PRE);
        if (id == BUILTIN_previous) add_use(l, uses, tx->arg[0]->inst, READ_PREVIOUS);
        if (id == BUILTIN_der) add_use(l, uses, tx->arg[0]->inst, READ_DER);
    }
    for (int k = 0; k < tx->n; k++) reads(l, uses, tx->arg[k]);
}

typedef struct Survey { /* what a section reads and assigns */
    Lower *l;
    Uses   in, out;
    Uses   awake; /* assigned also outside of when-clauses that rest at the start */
    int    whens; /* conditions */
} Survey;

static void assigns(Survey *s, const Tx *to, bool rests) {
    if (!to || to->kind != TX_REF) return;
    add_use(s->l, &s->out, to->inst, READ_VALUE);
    if (!rests) add_use(s->l, &s->awake, to->inst, READ_VALUE);
}

/* Does a when-clause with this condition rest at the start? */
static bool is_at_rest(Lower *l, const Tx *condition) {
    for (int k = 0, n = when_count(condition); k < n; k++)
        if (when_is_initial(when_part(l, condition, k))) return false;
    return true;
}

static void walk_list(Survey *s, const EquList *list, bool rests) {
    Lower *l = s->l;
    Uses  *in = &s->in;
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME) {
            const Tx *left = equ->left;
            assigns(s, left, rests);
            for (int j = 0; left->kind == TX_TUPLE && j < left->n; j++)
                assigns(s, left->arg[j], rests);
            for (int j = 0; j < left->n; j++) {
                if (left->kind == TX_REF) reads(l, in, left->arg[j]);
                if (left->kind == TX_TUPLE && left->arg[j])
                    for (int i = 0; i < left->arg[j]->n; i++)
                        reads(l, in, left->arg[j]->arg[i]);
            }
            reads(l, in, equ->right);
        }
        if (equ->kind == EQU_CALL) reads(l, in, equ->left);
        if (equ->kind == EQU_FOR) reads(l, in, equ->iter->range);
        for (int j = 0; j < equ->count; j++) {
            if (equ->cond[j]) reads(l, in, equ->cond[j]);
            bool when = equ->kind == EQU_WHEN;
            if (when) s->whens += when_count(equ->cond[j]);
            walk_list(s, &equ->branch[j], rests || (when && is_at_rest(l, equ->cond[j])));
        }
        walk_list(s, &equ->body, rests);
    }
}

static void declare_whens(Lower *l, const EquList *list, int kind) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        for (int j = 0; j < equ->count; j++) {
            int n = equ->kind == EQU_WHEN ? when_count(equ->cond[j]) : 0;
            for (int i = 0; i < n; i++) {
                int slot = body_add_hidden(l, kind ? "before" : "when", TYPE_BOOLEAN, 0);
                map_put(&l->body->slot, when_key(equ, j, i, kind), slot);
            }
            declare_whens(l, &equ->branch[j], kind);
        }
        declare_whens(l, &equ->body, kind);
    }
}

static int declare_use(Lower *l, Inst *inst, int kind, Inst *at) {
    int rank = inst_depth_dims(inst, at);
    int enumeration = inst->basic == BASIC_ENUM ? lower_enum(l, inst->cls) : -1;
    int slot =
        body_add_var(l, leaf_name(l, inst, at), lower_type(inst), rank, enumeration);
    const Inst *chain[32];
    int         length = 0, d = 0;
    for (const Inst *p = inst; p && p != at && length < 32; p = p->parent)
        chain[length++] = p;
    for (int c = length - 1; c >= 0; c--)
        for (int i = 0; i < chain[c]->ndim; i++, d++)
            l->body->var[slot].size[d] = expr_integer(l->shapes, chain[c]->dim[i]);
    (void)kind;
    return slot;
}

/* Values with which a variable begins where an algorithm does not keep the old ones, as a variable of
 * the same form: what its start names, or a hidden parameter with the numbers. *by: the step from
 * element to element. */
static int start_variable(Lower *l, int var, int *by, Pos pos) {
    System          *sys = l->sys;
    int              run = system_run_of(sys, var), place = var - sys->run[run].first;
    const Attribute *a = system_attribute(sys, run, ATTR_START);
    *by = 1;
    if (a && a->kind == VALUE_VARIABLE) {
        *by = a->stride;
        return a->index + a->stride * place;
    }
    int     count = sys->run[run].count;
    double *list = NEW(&l->scratch, double, count + 1);
    bool    many = a && a->kind == VALUE_LIST;
    if (many) memcpy(list, sys->value + a->index, (size_t)count * sizeof *list);
    double one = a && !many ? a->value : 0;
    int    hidden = lower_hidden(l, VAR_PARAMETER, (Type)sys->run[run].type, count, pos);
    int    made = system_run_of(sys, hidden);
    if (many) system_list(sys, made, ATTR_BINDING, list, count);
    else system_value(sys, made, ATTR_BINDING, one);
    return hidden + place;
}

/* The number that a single variable starts with, if it is one. */
static bool start_number(const Lower *l, int var, double *value) {
    int              run = system_run_of(l->sys, var);
    const Attribute *a = system_attribute(l->sys, run, ATTR_START);
    *value = a && a->kind == VALUE_ONE ? a->value : 0;
    return !a || a->kind == VALUE_ONE;
}

static Term number_term(Lower *l, const Inst *inst, double value) {
    switch (inst->basic) {
    case BASIC_REAL: return expr_real(l->shapes, value);
    case BASIC_INTEGER: return expr_integer(l->shapes, (int64_t)value);
    case BASIC_BOOLEAN: return expr_boolean(l->shapes, value != 0);
    default: return 0;
    }
}

/* The variable, or its start, pre, previous or der, as argument of the row. */
static Term use_term(Lower *l, Inst *inst, int kind, Inst *at) {
    Tx *tx =
        tx_ref(l->front, inst->pos, inst, inst_is_under(inst, at) ? at : l->model->root);
    int var, by = 1, stride[ROW_DIMS], size[ROW_DIMS], step[ROW_DIMS],
             rank = tx->type.ndim;
    Idx idx[NEST];
    for (int k = 0; k < rank && k < NEST; k++) idx[k] = idx_of(1);
    if (ty_count(tx->type) == 0) return lower_nothing(l, tx);
    if (!lower_variable(l, tx, idx, &var, stride) || rank > ROW_DIMS)
        return lower_fail(l, inst->pos, "this variable in an algorithm");
    if (kind == READ_START) {
        double value;
        Term   number =
            !rank && start_number(l, var, &value) ? number_term(l, inst, value) : 0;
        if (number) return number;
        var = start_variable(l, var, &by, inst->pos);
    }
    if (kind == READ_PRE) var = system_pre(l->sys, var);
    if (kind == READ_PREVIOUS) var = system_previous(l->sys, var);
    if (kind == READ_DER) var = system_der(l->sys, var);
    for (int k = 0; k < ROW_DIMS; k++) stride[k] *= by;
    if (rank == 0) return row_var(&l->row, var, stride);
    int below = by;
    for (int k = rank - 1; k >= 0; k--) {
        size[k] = tx->type.dim[k];
        step[k] = below;
        below *= size[k];
    }
    return row_array(&l->row, var, stride, rank, size, step);
}

static bool is_empty(const Inst *inst) {
    for (int k = 0; k < inst->ndim; k++)
        if (inst->dim[k] == 0) return true;
    return false;
}

/* Arrays without elements are no results: they come last and are variables of the section alone. How many
 * results there are. */
static int put_results_first(Uses *out) {
    int results = 0;
    for (int k = 0; k < out->n; k++) {
        if (is_empty(out->inst[k])) continue;
        Inst *other = out->inst[results];
        out->inst[results++] = out->inst[k];
        out->inst[k] = other;
    }
    return results;
}

/* Sizes of the `dims` dimensions around an instance, its own last. */
static void extents_around(const Inst *at, int dims, int *extent) {
    for (const Inst *p = at; p; p = p->parent)
        for (int k = p->ndim - 1; k >= 0; k--) extent[--dims] = p->dim[k];
}

void lower_algorithm(Lower *l, Inst *at, const EquList *list, RowSet set, Pos pos) {
    Survey survey = {.l = l};
    int    extent[NEST], dims = 0;
    walk_list(&survey, list, false);
    Uses in = survey.in, out = survey.out;
    int  outs = put_results_first(&out), whens = survey.whens;
    for (const Inst *p = at; p; p = p->parent) dims += p->ndim;
    if (dims > ROW_DIMS) {
        lower_fail(l, pos, "an algorithm in so many nested arrays");
        return;
    }
    int hidden =
        whens ? lower_hidden(l, VAR_DISCRETE, TYPE_BOOLEAN, whens * inst_count(at), pos)
              : 0;
    extents_around(at, dims, extent);
    for (int k = 0; k < dims; k++) {
        l->around[k] = idx_of(1);
        l->around[k].step[k] = 1;
    }
    lower_begin(l, dims, extent);
    l->at = at;
    Body *body = NEW(&l->front->arena, Body, 1);
    body->at = at;
    l->body = body;
    Function f = {.pos = pos, .first = -1, .flags = FUNCTION_ALGORITHM};
    Text     name = {0};
    inst_name(&name, l->front, at);
    f.name = str_of(l->front->strings, text_get(&name));
    text_free(&name);
    for (int k = 0; k < outs; k++) declare_use(l, out.inst[k], READ_START, at);
    declare_whens(l, list, 1);
    for (int k = 0; k < in.n; k++) {
        if (in.kind[k] == READ_VALUE &&
            map_has(&out.seen, body_key(in.inst[k], READ_VALUE)))
            continue;
        int slot = declare_use(l, in.inst[k], in.kind[k], at);
        map_put(&body->slot, body_key(in.inst[k], in.kind[k]), slot);
    }
    f.inputs = body->vars;
    for (int k = 0; k < outs; k++) {
        int slot = declare_use(l, out.inst[k], READ_VALUE, at);
        map_put(&body->slot, body_key(out.inst[k], READ_VALUE), slot);
        body->var[slot].rests =
            !map_has(&survey.awake.seen, body_key(out.inst[k], READ_VALUE));
    }
    declare_whens(l, list, 0);
    f.outputs = body->vars - f.inputs;
    for (int k = outs; k < out.n; k++)
        map_put(&body->slot, body_key(out.inst[k], READ_VALUE),
                declare_use(l, out.inst[k], READ_VALUE, at));
    StmtList stmts = lower_stmts(l, list);
    f.first = stmts.first;
    f.vars = body->vars;
    f.var = body->var;
    f.stmt = body->stmt;
    f.stmts = body->stmts;
    l->body = NULL;
    Term *arg = NEW(&l->scratch, Term, body->vars + 1),
         *left = NEW(&l->scratch, Term, body->vars + 1);
    int args = 0, lefts = 0, stride[ROW_DIMS] = {0};
    /* hidden variables: whens per element of the instance */
    for (int k = dims - 1, below = whens; k >= 0; k--) {
        stride[k] = below;
        below *= extent[k];
    }
    for (int k = 0; k < outs; k++)
        arg[args++] =
            use_term(l, out.inst[k],
                     out.inst[k]->vary == VARY_DISCRETE ? READ_PRE : READ_START, at);
    for (int k = 0; k < whens; k++)
        arg[args++] = row_var(&l->row, system_pre(l->sys, hidden + k), stride);
    for (int k = 0; k < in.n; k++) {
        if (in.kind[k] == READ_VALUE &&
            map_has(&out.seen, body_key(in.inst[k], READ_VALUE)))
            continue;
        arg[args++] = use_term(l, in.inst[k], in.kind[k], at);
    }
    for (int k = 0; k < outs; k++)
        left[lefts++] = use_term(l, out.inst[k], READ_VALUE, at);
    for (int k = 0; k < whens; k++) left[lefts++] = row_var(&l->row, hidden + k, stride);
    if (!l->failed && !l->unroll) {
        int  number = function_add(l->shapes, &f);
        Term call = expr_call(l->shapes, number, -1, TYPE_NONE, 0, arg, args);
        if (lefts)
            lower_end(l, set,
                      expr_2(l->shapes, TERM_EQUATION,
                             expr_make(l->shapes, TERM_TUPLE, left, lefts), call),
                      0, at->id, pos);
        else {
            if (set == ROWS_INITIAL)
                call = expr_2(l->shapes, TERM_WHEN,
                              expr_make(l->shapes, TERM_INITIAL, NULL, 0), call);
            lower_end(l, ROWS_ACTION, call, 0, at->id, pos);
        }
    } else if (l->unroll) lower_fail(l, pos, "this algorithm");
    map_free(&body->slot);
    map_free(&in.seen);
    map_free(&out.seen);
    map_free(&survey.awake.seen);
}
