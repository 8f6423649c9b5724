/* SPDX-License-Identifier: Apache-2.0 */
/* function.c -- functions and algorithm sections as statements over local slots.
 *
 * Records become their fields: the variables of a function are its inputs, outputs and
 * locals, each field a slot of its own. An algorithm section is a function whose outputs are
 * the variables it assigns and whose inputs are their values before it runs, then everything
 * it reads. `when` in an algorithm is an `if` on the rising edge of a hidden variable. */
#include "flat/lower.h"

#include <string.h>
#include <sys/stat.h>

/* ---- slots ----------------------------------------------------------------------------- */

static uint64_t slot_key(const Inst *inst, int kind) {
    return (uint64_t)(unsigned)inst->id * READ_KINDS + (unsigned)kind;
}

static int add_var(Lower *l, Str name, Type type, int rank, int enumeration) {
    Body *b = l->body;
    if (b->vars == b->var_room)
        b->var = arena_grow(&l->shapes->arena, b->var, sizeof(FunctionVar), &b->var_room,
                            b->vars + 1);
    b->var[b->vars] = (FunctionVar){.name = name,
                                    .type = (uint8_t)type,
                                    .rank = (uint8_t)rank,
                                    .enumeration = enumeration};
    if (rank) b->var[b->vars].size = NEW(&l->shapes->arena, Term, rank);
    return b->vars++;
}

static Term slot_term(Lower *l, int slot) {
    const FunctionVar *v = &l->body->var[slot];
    return v->rank ? expr_array_slot(l->shapes, slot, (Type)v->type, v->rank)
                   : expr_slot(l->shapes, slot, (Type)v->type);
}

/* Leaves of a variable in the order of their slots. */
static int leaves(Lower *l, Inst *inst, Inst **out, int n, int most) {
    if (inst->basic != BASIC_RECORD) {
        if (n < most) out[n] = inst;
        return n + 1;
    }
    inst_all(l->front, inst);
    for (int k = 0; k < inst->nchild; k++)
        if (inst->child[k] && !inst->child[k]->absent)
            n = leaves(l, inst->child[k], out, n, most);
    return n;
}

enum { LEAVES = 400 };

static Inst **leaves_of(Lower *l, Inst *inst, int *n) {
    Inst **list = NEW(&l->scratch, Inst *, LEAVES);
    *n = leaves(l, inst, list, 0, LEAVES);
    if (*n > LEAVES) {
        lower_fail(l, inst->pos, "a record with so many fields");
        *n = LEAVES;
    }
    return list;
}

int flat_results(Lower *l, Func *func, int output) {
    int n = 0;
    for (int k = 0; k < output; k++) n = leaves(l, func->out[k], NULL, n, 0);
    return n;
}

static Str leaf_name(Lower *l, const Inst *leaf, const Inst *top) {
    Text        text = {0};
    const Inst *chain[32];
    int         n = 0;
    for (const Inst *p = leaf; p && p != top && n < 32; p = p->parent) chain[n++] = p;
    for (int k = n - 1; k >= 0; k--)
        text_printf(&text, "%s%s", k == n - 1 ? "" : ".",
                    text_of(l->front, chain[k]->name));
    Str name = str_of(l->front->strings, text_get(&text));
    text_free(&text);
    return name;
}

static void declare(Lower *l, Inst *var, const Inst *top) {
    int    n;
    Inst **leaf = leaves_of(l, var, &n);
    for (int k = 0; k < n; k++) {
        int rank = inst_depth_dims(leaf[k], top);
        int enumeration = leaf[k]->basic == BASIC_ENUM ? lower_enum(l, leaf[k]->cls) : -1;
        int slot = add_var(l, leaf_name(l, leaf[k], top), lower_type(leaf[k]), rank,
                           enumeration);
        map_put(&l->body->slot, slot_key(leaf[k], READ_VALUE), slot);
    }
}

/* When all are declared: a size may use a variable that follows. */
static void declare_sizes(Lower *l, Inst *var, const Inst *top) {
    int    n;
    Inst **leaf = leaves_of(l, var, &n);
    for (int k = 0; k < n; k++) {
        int         slot = body_slot(l, leaf[k], READ_VALUE);
        const Inst *chain[32];
        int         length = 0, d = 0;
        for (const Inst *p = leaf[k]; p && p != top && length < 32; p = p->parent)
            chain[length++] = p;
        for (int c = length - 1; c >= 0; c--)
            for (int i = 0; i < chain[c]->ndim; i++, d++) {
                Term size = 0;
                if (chain[c]->dim[i] >= 0)
                    size = expr_integer(l->shapes, chain[c]->dim[i]);
                else if (chain[c]->dimx && chain[c]->dimx[i])
                    size = lower_scalar(l, chain[c]->dimx[i], NULL);
                l->body->var[slot].size[d] = size;
            }
    }
}

int body_slot(Lower *l, Inst *inst, int kind) {
    int64_t slot = map_get(&l->body->slot, slot_key(inst, kind), -1);
    if (slot >= 0) return (int)slot;
    lower_fail(l, inst->pos, "this variable in an algorithm");
    return 0;
}

static int own_dims(const Lower *l, const Inst *inst) {
    return inst_depth_dims(inst, l->body->func ? l->body->func->inst : l->body->at);
}

/* subscripts of all dimensions below the function or the instance of the algorithm */
static int subscripts(Lower *l, const Tx *tx, const Idx *idx, Idx *out) {
    const Inst *inst = tx->inst;
    int         rank = own_dims(l, inst), next = 0;
    if (rank == tx->n) {
        for (int k = 0; k < rank; k++) {
            const Tx *s = tx->arg[k];
            if (!s || s->kind == TX_COLON) out[k] = idx[next++];
            else if (s->type.ndim)
                out[k] = (Idx){.term = lower_scalar(l, s, &idx[next++])};
            else out[k] = lower_index(l, s);
        }
        return rank;
    }
    lower_fail(l, tx->pos, "a reference out of an array in an algorithm");
    for (int k = 0; k < rank; k++) out[k] = idx_of(1);
    return rank;
}

Term body_ref(Lower *l, const Tx *tx, const Idx *idx) {
    int  slot = body_slot(l, tx->inst, READ_VALUE), rank = own_dims(l, tx->inst);
    Type type = lower_type(tx->inst);
    if (rank == 0) return expr_slot(l->shapes, slot, type);
    Idx  at[NEST];
    Term args[NEST + 1];
    subscripts(l, tx, idx, at);
    args[0] = expr_array_slot(l->shapes, slot, type, rank);
    for (int k = 0; k < rank; k++) args[k + 1] = idx_term(l, &at[k]);
    return expr_make(l->shapes, TERM_ELEMENT, args, rank + 1);
}

Term body_array(Lower *l, const Tx *tx) {
    int rank = own_dims(l, tx->inst);
    if (rank != tx->type.ndim) return 0;
    for (int k = 0; k < tx->n; k++)
        if (tx->arg[k] && tx->arg[k]->kind != TX_COLON) return 0;
    return expr_array_slot(l->shapes, body_slot(l, tx->inst, READ_VALUE),
                           lower_type(tx->inst), rank);
}

/* ---- statements ---------------------------------------------------------------------------- */

typedef struct StmtList {
    int first, last;
} StmtList;

static int add_stmt(Lower *l, StmtList *list, StmtKind kind, Pos pos) {
    Body *b = l->body;
    if (b->stmts == b->stmt_room)
        b->stmt = arena_grow(&l->shapes->arena, b->stmt, sizeof(Stmt), &b->stmt_room,
                             b->stmts + 1);
    int k = b->stmts++;
    b->stmt[k] = (Stmt){.kind = kind, .body = -1, .other = -1, .next = -1, .pos = pos};
    if (list->last >= 0) b->stmt[list->last].next = k;
    else list->first = k;
    list->last = k;
    return k;
}

static void assign(Lower *l, StmtList *list, Term left, Term right, Pos pos) {
    int k = add_stmt(l, list, STMT_ASSIGN, pos);
    l->body->stmt[k].a = left;
    l->body->stmt[k].b = right;
}

static StmtList lower_stmts(Lower *l, const EquList *equs);

static int hidden_var(Lower *l, const char *name, Type type, int rank) {
    return add_var(l, str_of(l->front->strings, name), type, rank, -1);
}

/* left[..] := right for slices: loops over the open dimensions. */
static void assign_slice(Lower *l, StmtList *list, const Tx *left, const Tx *right,
                         Idx *at, int k, Pos pos) {
    if (k == left->type.ndim) {
        Term value = lower_real(l, lower_scalar(l, right, right->type.ndim ? at : NULL),
                                right, left->type.basic);
        assign(l, list, body_ref(l, left, at), value, pos);
        return;
    }
    if (left->type.dim[k] >= 0 && left->type.dim[k] <= 16) {
        for (int j = 1; j <= left->type.dim[k]; j++) {
            at[k] = idx_of(j);
            assign_slice(l, list, left, right, at, k + 1, pos);
        }
        return;
    }
    int      slot = hidden_var(l, "i", TYPE_INTEGER, 0);
    int      loop = add_stmt(l, list, STMT_FOR, pos);
    StmtList inner = {-1, -1};
    at[k] = (Idx){.term = expr_slot(l->shapes, slot, TYPE_INTEGER)};
    Term n = lower_size(l, right->type.ndim ? right : left, k);
    assign_slice(l, &inner, left, right, at, k + 1, pos);
    l->body->stmt[loop].a = at[k].term;
    l->body->stmt[loop].b = expr_integer(l->shapes, 1);
    l->body->stmt[loop].c = n;
    l->body->stmt[loop].body = inner.first;
}

static void assign_tx(Lower *l, StmtList *list, const Tx *left, const Tx *right, Pos pos);

/* All results of a call into slots: temporaries where the left side is no whole variable. */
static void assign_call(Lower *l, StmtList *list, Tx *const *left, int lefts,
                        const Tx *call, Pos pos) {
    Func *func = call->func;
    Term *item = NEW(&l->scratch, Term, LEAVES), *arg = NEW(&l->scratch, Term, LEAVES);
    struct Late {
        const Tx *left;
        int       slot;
    } *late = NEW(&l->scratch, struct Late, LEAVES);
    int n = 0, lates = 0, args = 0;
    for (int k = 0; k < func->nout; k++) {
        int       m;
        Inst    **leaf = leaves_of(l, func->out[k], &m);
        const Tx *to = left && k < lefts ? left[k] : NULL;
        for (int j = 0; j < m && n < LEAVES; j++, n++) {
            const Tx *part = to;
            if (to && leaf[j] != func->out[k]) {
                const Inst *chain[32];
                int         length = 0;
                for (const Inst *p = leaf[j]; p != func->out[k] && length < 32;
                     p = p->parent)
                    chain[length++] = p;
                for (int c = length - 1; c >= 0 && part; c--) {
                    Inst *f = part->type.rec
                                  ? inst_child(l->front, part->type.rec, chain[c]->name)
                                  : NULL;
                    part = f ? tx_field_of(l->front, (Tx *)part, f, pos) : NULL;
                }
            }
            int  rank = inst_depth_dims(leaf[j], func->inst);
            Term whole = 0;
            if (part && part->kind == TX_REF)
                whole = part->type.ndim                ? body_array(l, part)
                        : own_dims(l, part->inst) == 0 ? body_ref(l, part, NULL)
                                                       : 0;
            if (!whole) {
                int slot = hidden_var(l, "result", lower_type(leaf[j]), rank);
                whole = slot_term(l, slot);
                if (part) late[lates++] = (struct Late){part, slot};
            }
            item[n] = whole;
        }
    }
    int  number = lower_call_args(l, call, arg, LEAVES, &args);
    Term right = expr_call(l->shapes, number, -1, TYPE_NONE, 0, arg, args);
    assign(l, list, expr_make(l->shapes, TERM_TUPLE, item, n), right, pos);
    for (int k = 0; k < lates; k++) {
        Term from = slot_term(l, late[k].slot);
        if (late[k].left->type.ndim == 0)
            assign(l, list, body_ref(l, late[k].left, NULL), from, pos);
        else lower_fail(l, pos, "a slice among several results");
    }
}

static void assign_tx(Lower *l, StmtList *list, const Tx *left, const Tx *right,
                      Pos pos) {
    if (left->type.basic == BASIC_RECORD) {
        if (right->kind == TX_CALL && right->type.ndim == 0 && left->type.ndim == 0 &&
            right->func->nout == 1) {
            Tx *one = (Tx *)left;
            assign_call(l, list, &one, 1, right, pos);
            return;
        }
        for (int k = 0; left->type.rec && k < left->type.rec->nchild; k++) {
            Inst *field = left->type.rec->child[k];
            Inst *from = field && right->type.rec
                             ? inst_child(l->front, right->type.rec, field->name)
                             : NULL;
            if (!from) continue;
            assign_tx(l, list, tx_field_of(l->front, (Tx *)left, field, pos),
                      tx_field_of(l->front, (Tx *)right, from, pos), pos);
        }
        return;
    }
    if (left->type.ndim == 0) {
        Term value = lower_real(l, lower_scalar(l, right, NULL), right, left->type.basic);
        assign(l, list, body_ref(l, left, NULL), value, pos);
        return;
    }
    Term whole = body_array(l, left);
    if (whole) {
        assign(l, list, whole, lower_array(l, right), pos);
        return;
    }
    Idx at[NEST];
    if (tx_uses(right, left->inst)) { /* the right side first, whole */
        int slot =
            hidden_var(l, "copy", type_of_basic(right->type.basic), right->type.ndim);
        assign(l, list, slot_term(l, slot), lower_array(l, right), pos);
        if (left->type.ndim == 1) {
            int      i = hidden_var(l, "i", TYPE_INTEGER, 0);
            int      loop = add_stmt(l, list, STMT_FOR, pos);
            StmtList inner = {-1, -1};
            Term     counter = expr_slot(l->shapes, i, TYPE_INTEGER);
            at[0] = (Idx){.term = counter};
            assign(l, &inner, body_ref(l, left, at),
                   expr_2(l->shapes, TERM_ELEMENT, slot_term(l, slot), counter), pos);
            l->body->stmt[loop].a = counter;
            l->body->stmt[loop].b = expr_integer(l->shapes, 1);
            l->body->stmt[loop].c = expr_2(l->shapes, TERM_SIZE, slot_term(l, slot),
                                           expr_integer(l->shapes, 1));
            l->body->stmt[loop].body = inner.first;
            return;
        }
    }
    assign_slice(l, list, left, right, at, 0, pos);
}

static void lower_loop(Lower *l, StmtList *list, const Equ *equ) {
    const Tx *range = equ->iter->range;
    if (l->iters >= LENGTH(l->iter)) {
        lower_fail(l, equ->pos, "so many nested loops");
        return;
    }
    bool plain = range->kind == TX_RANGE && range->type.basic == BASIC_INTEGER;
    int  slot = hidden_var(l, text_of(l->front, equ->iter->name), TYPE_INTEGER, 0);
    Term counter = expr_slot(l->shapes, slot, TYPE_INTEGER);
    Term from = expr_integer(l->shapes, 1), to, step = 0;
    int  it = l->iters;
    l->iter[it].var = equ->iter;
    if (plain) {
        from = lower_scalar(l, range->arg[0], NULL);
        to = lower_scalar(l, range->arg[range->n - 1], NULL);
        if (range->n == 3) step = lower_scalar(l, range->arg[1], NULL);
        l->iter[it].value = (Idx){.term = counter};
    } else {
        Idx at = {.term = counter};
        to = lower_size(l, range, 0);
        l->iter[it].value = (Idx){.term = lower_scalar(l, range, &at)};
    }
    l->iters++;
    int      loop = add_stmt(l, list, STMT_FOR, equ->pos);
    StmtList inner = lower_stmts(l, &equ->body);
    l->iters = it;
    Stmt *s = &l->body->stmt[loop];
    s->a = counter;
    s->b = from;
    s->c = to;
    s->step = step;
    s->body = inner.first;
}

static void lower_call_stmt(Lower *l, StmtList *list, const Equ *equ) {
    const Tx *tx = equ->left;
    Term      term;
    if (tx->kind == TX_CALL) {
        if (tx->func->nout) {
            assign_call(l, list, NULL, 0, tx, equ->pos);
            return;
        }
        Term *arg = NEW(&l->scratch, Term, LEAVES);
        int   n, number = lower_call_args(l, tx, arg, LEAVES, &n);
        term = expr_call(l->shapes, number, -1, TYPE_NONE, 0, arg, n);
    } else term = lower_scalar(l, tx, NULL);
    int k = add_stmt(l, list, STMT_CALL, equ->pos);
    l->body->stmt[k].a = term;
}

static uint64_t when_key(const Equ *equ, int branch, int element, int kind) {
    return hash_mix((uint64_t)(uintptr_t)equ) ^
           hash_mix(((uint64_t)(unsigned)branch << 32 | (unsigned)element << 1) +
                    (unsigned)kind);
}

static int when_slot(Lower *l, const Equ *equ, int branch, int element, int kind) {
    return (int)map_get(&l->body->slot, when_key(equ, branch, element, kind), 0);
}

static bool is_initial(const Tx *tx) {
    return tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_initial;
}

/* when a then ... : hidden := a; if hidden and not before then ... */
static void lower_when(Lower *l, StmtList *list, const Equ *equ) {
    Term *fire = NEW(&l->scratch, Term, equ->count);
    for (int k = 0; k < equ->count; k++) {
        int n = when_count(equ->cond[k]);
        for (int j = 0; j < n; j++) {
            Term      edge;
            const Tx *part = when_part(l, equ->cond[k], j);
            if (is_initial(part)) edge = expr_make(l->shapes, TERM_INITIAL, NULL, 0);
            else {
                Term now = expr_slot(l->shapes, when_slot(l, equ, k, j, 0), TYPE_BOOLEAN);
                Term before =
                    expr_slot(l->shapes, when_slot(l, equ, k, j, 1), TYPE_BOOLEAN);
                assign(l, list, now, lower_scalar(l, part, NULL), equ->pos);
                edge =
                    expr_2(l->shapes, TERM_AND, now, expr_1(l->shapes, TERM_NOT, before));
            }
            fire[k] = j ? expr_2(l->shapes, TERM_OR, fire[k], edge) : edge;
        }
    }
    StmtList *at = list, rest[8];
    for (int k = 0; k < equ->count && k < 8; k++) {
        int      s = add_stmt(l, at, STMT_IF, equ->pos);
        StmtList body = lower_stmts(l, &equ->branch[k]);
        l->body->stmt[s].a = fire[k];
        l->body->stmt[s].body = body.first;
        if (k + 1 == equ->count) break;
        /* the next branch in the else part */
        rest[k] = (StmtList){-1, -1};
        int before = l->body->stmts;
        at = &rest[k];
        l->body->stmt[s].other = before;
    }
}

static void lower_choice(Lower *l, StmtList *list, const Equ *equ, int k) {
    if (k == equ->count) return;
    if (!equ->cond[k]) {
        StmtList body = lower_stmts(l, &equ->branch[k]);
        if (body.first < 0) return;
        if (list->last >= 0) l->body->stmt[list->last].next = body.first;
        else list->first = body.first;
        list->last = body.last;
        return;
    }
    int      s = add_stmt(l, list, STMT_IF, equ->pos);
    Term     cond = lower_scalar(l, equ->cond[k], NULL);
    StmtList body = lower_stmts(l, &equ->branch[k]), other = {-1, -1};
    lower_choice(l, &other, equ, k + 1);
    l->body->stmt[s].a = cond;
    l->body->stmt[s].body = body.first;
    l->body->stmt[s].other = other.first;
}

static void lower_stmt(Lower *l, StmtList *list, const Equ *equ) {
    switch (equ->kind) {
    case EQU_SAME:
        if (equ->left->kind == TX_TUPLE)
            assign_call(l, list, equ->left->arg, equ->left->n, equ->right, equ->pos);
        else assign_tx(l, list, equ->left, equ->right, equ->pos);
        break;
    case EQU_FOR: lower_loop(l, list, equ); break;
    case EQU_IF: lower_choice(l, list, equ, 0); break;
    case EQU_WHEN: lower_when(l, list, equ); break;
    case EQU_WHILE: {
        int      s = add_stmt(l, list, STMT_WHILE, equ->pos);
        Term     cond = lower_scalar(l, equ->cond[0], NULL);
        StmtList body = lower_stmts(l, &equ->branch[0]);
        l->body->stmt[s].a = cond;
        l->body->stmt[s].body = body.first;
        break;
    }
    case EQU_CALL: lower_call_stmt(l, list, equ); break;
    case EQU_BREAK: add_stmt(l, list, STMT_BREAK, equ->pos); break;
    case EQU_RETURN: add_stmt(l, list, STMT_RETURN, equ->pos); break;
    default: break;
    }
}

static StmtList lower_stmts(Lower *l, const EquList *equs) {
    StmtList list = {-1, -1};
    for (int k = 0; k < equs->count && !l->failed; k++)
        lower_stmt(l, &list, equs->item[k]);
    return list;
}

/* ---- functions --------------------------------------------------------------------------------- */

/* A folder below Resources of the library that holds the class, 0-terminated; NULL if none. */
static const Str *resource_folder(Lower *l, Pos pos, const char *name) {
    Str folder = foreign_folder(l->front, pos, name);
    if (!folder) return NULL;
    Str *list = NEW(&l->shapes->arena, Str, 2);
    list[0] = folder;
    return list;
}

/* Texts that an annotation of the external clause gives, one or a list, 0-terminated; NULL if there
 * are none or code of this file may not run. */
static const Str *annotated_texts(Lower *l, const External *ext, Pos pos,
                                  const char *name) {
    const Mod    *mod = annotation_find(ext->annotation, str_of(l->front->strings, name));
    const Source *source = source_at(&l->front->session->sources, pos);
    if (!mod || !source || !source->path ||
        !library_installed(l->front->library, source->path))
        return NULL;
    bool        many = mod->value.kind == EXPR_ARRAY;
    uint32_t    count = many ? mod->value.list->count : 1;
    const Expr *item = many ? mod->value.list->item : &mod->value;
    Str        *list = NEW(&l->shapes->arena, Str, count + 1);
    int         n = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (item[k].kind != EXPR_STRING) continue;
        Text text = {0}, file = {0};
        string_decode(&text, l->front->session, item[k]);
        bool found = library_resource(l->front->library, text_get(&text), &file);
        list[n++] = str_of(l->shapes->strings, text_get(found ? &file : &text));
        text_free(&text);
        text_free(&file);
    }
    return n ? list : NULL;
}

/* A destructor is called with the object alone. */
static bool plain_destructor(const Shapes *shapes, const Function *f) {
    const ExternalCall *call = f->external;
    return call && call->args == 1 && shapes->node[call->arg[0]].op == TERM_SLOT &&
           shapes->node[call->arg[0]].index == 0 && f->inputs == 1;
}

/* What ends the object that this constructor makes; -1 if func is none. */
static int destructor_of(Lower *l, const Func *func) {
    Front *front = l->front;
    if (func->cls->name != WORD(front, constructor) || func->nout != 1 ||
        func->out[0]->basic != BASIC_OBJECT)
        return -1;
    Elem *elem = cls_find(front, func->out[0]->cls, WORD(front, destructor));
    Cls  *cls = elem && elem->is_class ? elem_class(front, elem, NULL) : NULL;
    Func *ends = cls ? func_of(front, cls, func->cls->def->pos) : NULL;
    if (!ends || ends->bad) return -1;
    int number = lower_function(l, ends);
    if (number >= 0 && !plain_destructor(l->shapes, l->shapes->function[number])) {
        lower_fail(l, ends->cls->def->pos, "a destructor with other arguments");
        return -1;
    }
    return number;
}

static void take_external(Lower *l, Func *func, Function *to) {
    const External *ext = func_external(l->front, func);
    if (!ext) return;
    ExternalCall *call = NEW(&l->shapes->arena, ExternalCall, 1);
    Ctx  ctx = {.front = l->front, .scope = {func->cls, func->inst}, .func = func};
    Text text = {0};
    if (ext->language.kind == EXPR_STRING)
        string_decode(&text, l->front->session, ext->language);
    else text_add(&text, "C");
    call->language = str_of(l->front->strings, text_get(&text));
    text_free(&text);
    call->symbol = ext->function ? ext->function : func->cls->name;
    if (ext->result.kind != EXPR_NONE) {
        Tx *tx = type_expr(&ctx, ext->result);
        if (!ty_bad(tx->type)) call->result = lower_scalar(l, tx, NULL);
    } else if (!ext->function && func->nout == 1 && func->out[0]->ndim == 0)
        call->result = expr_slot(l->shapes, body_slot(l, func->out[0], READ_VALUE),
                                 lower_type(func->out[0]));
    Term *arg = NEW(&l->shapes->arena, Term, LEAVES);
    int   n = 0;
    if (ext->function && ext->args) {
        for (uint32_t k = 0; k < ext->args->count && n < LEAVES; k++) {
            Tx *tx = type_expr(&ctx, ext->args->item[k]);
            if (ty_bad(tx->type)) continue;
            arg[n++] = tx->type.ndim ? lower_array(l, tx) : lower_scalar(l, tx, NULL);
        }
    } else if (!ext->function) {
        for (int k = 0; k < func->nin; k++) {
            int s = body_slot(l, func->in[k], READ_VALUE);
            arg[n++] = slot_term(l, s);
        }
    }
    call->arg = arg;
    call->args = n;
    Pos pos = func->cls->def->pos;
    call->directory = resource_folder(l, pos, "C-Sources");
    call->include = annotated_texts(l, ext, pos, "Include");
    call->include_in = annotated_texts(l, ext, pos, "IncludeDirectory");
    if (!call->include_in) call->include_in = resource_folder(l, pos, "Include");
    call->library = annotated_texts(l, ext, pos, "Library");
    call->library_in = annotated_texts(l, ext, pos, "LibraryDirectory");
    if (!call->library_in) call->library_in = resource_folder(l, pos, "Library/linux64");
    call->destructor = destructor_of(l, func);
    to->external = call;
}

/* annotation(derivative(order = n, noDerivative = x, zeroDerivative = y) = f) */
static void take_derivative(Lower *l, Func *func, const Mod *mod, Function *f) {
    if (mod->value.kind != EXPR_NAME || f->derivatives >= 8) return;
    Scope scope = {func->cls, func->inst};
    Cls  *cls = lookup_class(l->front, scope, mod->value.name, true);
    Func *der = cls ? func_of(l->front, cls, mod->pos) : NULL;
    if (!der || der->bad) return;
    Derivative *d = &f->derivative[f->derivatives++];
    uint8_t    *input = NEW(&l->shapes->arena, uint8_t, f->inputs + 1);
    d->order = 1;
    for (uint32_t k = 0; mod->args && k < mod->args->count; k++) {
        const Mod  *arg = &mod->args->item[k];
        const char *name = text_of(l->front, arg->name);
        if (strcmp(name, "order") == 0 && arg->value.kind == EXPR_INTEGER)
            d->order = (int)arg->value.integer;
        bool no = strcmp(name, "noDerivative") == 0,
             zero = strcmp(name, "zeroDerivative") == 0;
        if ((!no && !zero) || arg->value.kind != EXPR_NAME) continue;
        int slot = 0;
        for (int i = 0; i < func->nin; i++) {
            int n = leaves(l, func->in[i], NULL, 0, 0);
            if (func->in[i]->name == arg->value.name->part[0].name)
                for (int j = 0; j < n; j++)
                    input[slot + j] = no ? DERIVATIVE_NOT : DERIVATIVE_ZERO;
            slot += n;
        }
    }
    d->input = input;
    d->function = lower_function(l, der);
}

/* First slot of an input; -1 if inst is none. */
static int input_slot(Lower *l, const Func *func, const Inst *inst) {
    int slot = 0;
    for (int i = 0; i < func->nin; i++) {
        if (func->in[i] == inst) return slot;
        if (func->in[i]->basic != BASIC_FUNCTION)
            slot += leaves(l, func->in[i], NULL, 0, 0);
    }
    return -1;
}

/* annotation(inverse(x = g(y, u))): arguments of g are inputs and the result of func. */
static void take_inverse(Lower *l, Func *func, const Mod *mod, Function *f) {
    Ctx   ctx = {.front = l->front, .scope = {func->cls, func->inst}, .func = func};
    Inst *input = NULL;
    int   args = 0;
    for (int i = 0; i < func->nin; i++)
        if (func->in[i]->name == mod->name) input = func->in[i];
    if (!input || input->basic != BASIC_REAL || input->ndim) return;
    const Tx *call = type_expr(&ctx, mod->value);
    if (call->kind != TX_CALL || call->n > LEAVES || call->func->bad || !call->n) return;
    int *arg = NEW(&l->shapes->arena, int, LEAVES);
    for (int k = 0; k < call->n; k++) {
        const Tx *tx = call->arg[k];
        int       n = leaves(l, call->func->in[k], NULL, 0, 0);
        if (!tx || tx->kind != TX_REF || args + n > LEAVES) return;
        int slot = input_slot(l, func, tx->inst);
        if (slot < 0 && tx->inst != func->out[0]) return;
        for (int j = 0; j < n; j++) arg[args++] = slot < 0 ? INVERSE_RESULT : slot + j;
    }
    f->inverse[f->inverses++] = (Inverse){.input = input_slot(l, func, input),
                                          .function = lower_function(l, call->func),
                                          .args = args,
                                          .arg = arg};
}

static void take_inverses(Lower *l, Func *func, Function *f) {
    const Class *def = func->cls->def;
    Str          inverse = str_of(l->front->strings, "inverse");
    const Mods  *lists[] = {def->annotation,
                           def->comment ? def->comment->annotation : NULL};
    if (func->nout != 1 || f->outputs != 1) return;
    for (int k = 0; k < LENGTH(lists); k++) {
        const Mod *mod = annotation_find(lists[k], inverse);
        if (!mod || !mod->args || f->inverse) continue;
        f->inverse = NEW(&l->shapes->arena, Inverse, mod->args->count + 1);
        for (uint32_t i = 0; i < mod->args->count; i++)
            if (mod->args->item[i].kind == MOD_VALUE &&
                mod->args->item[i].value.kind == EXPR_CALL)
                take_inverse(l, func, &mod->args->item[i], f);
    }
}

static void derivative_mods(Lower *l, Func *func, const Mods *mods, Function *f) {
    Str derivative = str_of(l->front->strings, "derivative");
    for (uint32_t k = 0; mods && k < mods->count; k++)
        if (mods->item[k].kind == MOD_VALUE && mods->item[k].name == derivative)
            take_derivative(l, func, &mods->item[k], f);
}

static void take_derivatives(Lower *l, Func *func, Function *f) {
    const Class *def = func->cls->def;
    f->derivative = NEW(&l->shapes->arena, Derivative, 8);
    derivative_mods(l, func, def->annotation, f);
    if (def->comment) derivative_mods(l, func, def->comment->annotation, f);
    const External *ext = func_external(l->front, func);
    if (ext && ext->annotation != def->annotation)
        derivative_mods(l, func, ext->annotation, f);
}

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

/* Values bound to the function arguments, behind the other arguments. */
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
            int m = leaves(l, own->target->in[j], NULL, 0, 0);
            for (int i = 0; i < m && n < most; i++)
                arg[n++] = slot_term(l, own->slot[j] + i);
        }
    }
    return n;
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
        int next = 0;
        for (int j = 0; j < fn->target->nin; j++) {
            if (fn->slot[j] >= 0) {
                int m = leaves(l, fn->target->in[j], NULL, 0, 0);
                for (int i = 0; i < m && *n < most; i++)
                    arg[(*n)++] = slot_term(l, fn->slot[j] + i);
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
    int n = leaves(l, in, NULL, 0, 0);
    *all += n;
    if (arg && lower_frozen(l, arg)) *frozen += n;
}

bool lower_inlines(Lower *l, int function, const Tx *call) {
    int inlines = l->shapes->function[function]->inlines, all = 0, frozen = 0;
    if (l->body || l->calls || inlines == INLINE_NEVER) return false;
    if (inlines != INLINE_KNOWN) return true;
    for (int k = 0; call && k < call->func->nin; k++)
        if (call->func->in[k]->basic != BASIC_FUNCTION)
            count_frozen(l, call->arg[k], call->func->in[k], &all, &frozen);
    return 2 * frozen > all;
}

int lower_function(Lower *l, Func *func) {
    return build_function(l, func, NULL, 0, (uintptr_t)func);
}

/* The declared value of an output or local variable, of a record also field by field. */
static void bind_local(Lower *l, StmtList *list, Inst *inst) {
    Tx *bind = inst_bind(l->front, inst);
    if (bind && !ty_bad(bind->type)) {
        assign_tx(l, list, tx_ref(l->front, inst->pos, inst, l->body->func->inst), bind,
                  inst->pos);
        return;
    }
    if (inst->basic != BASIC_RECORD) return;
    inst_all(l->front, inst);
    for (int k = 0; k < inst->nchild; k++)
        if (inst->child[k] && !inst->child[k]->absent)
            bind_local(l, list, inst->child[k]);
}

/* The declaration of variable k as an assignment, after those of the variables it uses. */
static void bind_variable(Lower *l, Func *func, StmtList *list, int k, bool *bound) {
    Inst *inst = func->inst->child[k];
    if (!inst || inst->way == WAY_INPUT || bound[k]) return;
    bound[k] = true;
    Tx *bind = inst_bind(l->front, inst);
    for (int j = 0; j < func->inst->nchild; j++) {
        const Inst *other = func->inst->child[j];
        bool        uses = other && bind && tx_uses(bind, other);
        for (int d = 0; other && d < inst->ndim && inst->dimx; d++)
            uses |= inst->dimx[d] && tx_uses(inst->dimx[d], other);
        if (uses) bind_variable(l, func, list, j, bound);
    }
    bind_local(l, list, inst);
}

/* Results of g = der(f, x): the partial derivatives of those of f. */
static void partial_results(Lower *l, Func *func, StmtList *list, int inputs) {
    int         f = lower_function(l, func->partial_of), outputs = func->nout;
    Term       *arg = NEW(&l->shapes->arena, Term, inputs + 1);
    const char *reason = NULL;
    for (int k = 0; k < inputs; k++) arg[k] = slot_term(l, k);
    for (int k = 0; k < outputs; k++) {
        Term value = expr_call(l->shapes, f, k, TYPE_REAL, 0, arg, inputs);
        for (int i = 0; i < func->partials && value; i++)
            value = expr_partial(l->shapes, value,
                                 body_slot(l, func->partial_by[i], READ_VALUE), &reason);
        if (!value) {
            lower_fail(l, func->cls->def->pos, "the derivative of this function");
            return;
        }
        int s = add_stmt(l, list, STMT_ASSIGN, func->cls->def->pos);
        l->body->stmt[s].a = slot_term(l, inputs + k);
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
        if (func->in[k]->basic != BASIC_FUNCTION) declare(l, func->in[k], func->inst);
    body.fns = fns;
    body.fn = NEW(&l->shapes->arena, FnArg, fns + 1);
    for (int k = 0; k < fns; k++) {
        body.fn[k] = fn[k];
        for (int j = 0; j < fn[k].target->nin; j++) {
            if (fn[k].slot[j] < 0) continue;
            body.fn[k].slot[j] = body.vars;
            declare(l, fn[k].target->in[j], fn[k].target->inst);
        }
    }
    f.inputs = body.vars;
    for (int k = 0; k < func->nout; k++) declare(l, func->out[k], func->inst);
    f.outputs = body.vars - f.inputs;
    for (int k = 0; k < func->nlocal && !func->partial_of; k++)
        declare(l, func->local[k], func->inst);
    for (int k = 0; k < func->nin; k++)
        if (func->in[k]->basic != BASIC_FUNCTION)
            declare_sizes(l, func->in[k], func->inst);
    for (int k = 0; k < fns; k++)
        for (int j = 0; j < fn[k].target->nin; j++)
            if (fn[k].slot[j] >= 0)
                declare_sizes(l, fn[k].target->in[j], fn[k].target->inst);
    for (int k = 0; k < func->nout; k++) declare_sizes(l, func->out[k], func->inst);
    for (int k = 0; k < func->nlocal && !func->partial_of; k++)
        declare_sizes(l, func->local[k], func->inst);
    StmtList list = {-1, -1};
    bool    *bound = NEW(&l->shapes->arena, bool, func->inst->nchild + 1);
    for (int k = 0; k < func->inst->nchild && !func->partial_of; k++)
        bind_variable(l, func, &list, k, bound);
    if (func->partial_of) partial_results(l, func, &list, f.inputs);
    else if (!func->external) {
        StmtList rest = lower_stmts(l, &func->body);
        if (list.last >= 0) body.stmt[list.last].next = rest.first;
        else list.first = rest.first;
    }
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
    f.wanted = NEW(&l->shapes->arena, bool, f.inputs + 1);
    take_derivatives(l, func, &f);
    take_inverses(l, func, &f);
    bool asked = func->note.inline_ || func->note.late_inline;
    /* an inverse is worth more than what inlining shows */
    if (!func->note.no_inline && !l->failed && (asked || !f.inverses))
        f.inlines = (uint8_t)function_inlines(&f, asked);
    *l->shapes->function[number] = f;
    map_free(&body.slot);
    l->body = body.outer;
    l->at = at;
    l->iters = iters;
    l->unroll = unroll;
    return number;
}

/* ---- algorithm sections ----------------------------------------------------------------------------- */

typedef struct Uses {
    Inst **inst;
    int   *kind;
    int    n, room, room2;
    Map    seen;
} Uses;

static void add_use(Lower *l, Uses *uses, Inst *inst, int kind) {
    if (inst->basic == BASIC_RECORD) {
        int    n;
        Inst **leaf = leaves_of(l, inst, &n);
        for (int k = 0; k < n; k++) add_use(l, uses, leaf[k], kind);
        return;
    }
    if (inst->first < 0 || map_has(&uses->seen, slot_key(inst, kind))) return;
    map_put(&uses->seen, slot_key(inst, kind), 1);
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
        if (id == BUILTIN_der) add_use(l, uses, tx->arg[0]->inst, READ_DER);
    }
    for (int k = 0; k < tx->n; k++) reads(l, uses, tx->arg[k]);
}

static void walk_list(Lower *l, const EquList *list, Uses *in, Uses *out, int *whens) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME) {
            const Tx *left = equ->left;
            if (left->kind == TX_REF) add_use(l, out, left->inst, READ_VALUE);
            for (int j = 0; left->kind == TX_TUPLE && j < left->n; j++)
                if (left->arg[j] && left->arg[j]->kind == TX_REF)
                    add_use(l, out, left->arg[j]->inst, READ_VALUE);
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
            if (equ->kind == EQU_WHEN) *whens += when_count(equ->cond[j]);
            walk_list(l, &equ->branch[j], in, out, whens);
        }
        walk_list(l, &equ->body, in, out, whens);
    }
}

static void declare_whens(Lower *l, const EquList *list, int kind) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        for (int j = 0; j < equ->count; j++) {
            int n = equ->kind == EQU_WHEN ? when_count(equ->cond[j]) : 0;
            for (int i = 0; i < n; i++) {
                int slot = hidden_var(l, kind ? "before" : "when", TYPE_BOOLEAN, 0);
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
    int slot = add_var(l, leaf_name(l, inst, at), lower_type(inst), rank, enumeration);
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

/* The variable, or its pre or der, as argument of the row. */
static Term use_term(Lower *l, Inst *inst, int kind, Inst *at) {
    Tx *tx =
        tx_ref(l->front, inst->pos, inst, inst_is_under(inst, at) ? at : l->model->root);
    if (kind == READ_START) {
        Tx    *start = inst_attribute(l->front, inst, WORD(l->front, start), NULL);
        Value *v =
            start && start->vary == VARY_CONSTANT ? eval_now(l->front, start) : NULL;
        if (inst_depth_dims(inst, at) == 0) {
            double r =
                v && v->ndim == 0 && v->basic <= BASIC_BOOLEAN ? value_number(v, 0) : 0;
            if (inst->basic == BASIC_REAL) return expr_real(l->shapes, r);
            if (inst->basic == BASIC_INTEGER) return expr_integer(l->shapes, (int64_t)r);
            if (inst->basic == BASIC_BOOLEAN) return expr_boolean(l->shapes, r != 0);
        }
        kind = READ_PRE;
    }
    int var, stride[ROW_DIMS], size[ROW_DIMS], step[ROW_DIMS], rank = tx->type.ndim;
    Idx idx[NEST];
    for (int k = 0; k < rank && k < NEST; k++) idx[k] = idx_of(1);
    if (ty_count(tx->type) == 0) return lower_nothing(l, tx);
    if (!lower_variable(l, tx, idx, &var, stride) || rank > ROW_DIMS)
        return lower_fail(l, inst->pos, "this variable in an algorithm");
    if (kind == READ_PRE) var = system_pre(l->sys, var);
    if (kind == READ_DER) var = system_der(l->sys, var);
    if (rank == 0) return row_var(&l->row, var, stride);
    int below = 1;
    for (int k = rank - 1; k >= 0; k--) {
        size[k] = tx->type.dim[k];
        step[k] = below;
        below *= size[k];
    }
    return row_array(&l->row, var, stride, rank, size, step);
}

void lower_algorithm(Lower *l, Inst *at, const EquList *list, RowSet set, Pos pos) {
    Uses in = {0}, out = {0};
    int  whens = 0, extent[NEST], dims = 0;
    walk_list(l, list, &in, &out, &whens);
    int outs = out.n;
    for (const Inst *p = at; p; p = p->parent) dims += p->ndim;
    if (dims > ROW_DIMS) {
        lower_fail(l, pos, "an algorithm in so many nested arrays");
        return;
    }
    int hidden =
        whens ? lower_hidden(l, VAR_DISCRETE, TYPE_BOOLEAN, whens * inst_count(at), pos)
              : 0;
    const Inst *chain[64];
    int         length = 0, d = 0;
    for (const Inst *p = at; p && length < 64; p = p->parent) chain[length++] = p;
    for (int c = length - 1; c >= 0; c--)
        for (int k = 0; k < chain[c]->ndim; k++) extent[d++] = chain[c]->dim[k];
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
            map_has(&out.seen, slot_key(in.inst[k], READ_VALUE)))
            continue;
        int slot = declare_use(l, in.inst[k], in.kind[k], at);
        map_put(&body->slot, slot_key(in.inst[k], in.kind[k]), slot);
    }
    f.inputs = body->vars;
    for (int k = 0; k < outs; k++)
        map_put(&body->slot, slot_key(out.inst[k], READ_VALUE),
                declare_use(l, out.inst[k], READ_VALUE, at));
    declare_whens(l, list, 0);
    f.outputs = body->vars - f.inputs;
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
            map_has(&out.seen, slot_key(in.inst[k], READ_VALUE)))
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
}
