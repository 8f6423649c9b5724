/* SPDX-License-Identifier: Apache-2.0 */
/* statement.c -- statements over the slots of a body. `when` is an `if` on the rising edge of a
 * hidden variable. */
#include "flat/body.h"

int body_add_stmt(Lower *l, StmtList *list, StmtKind kind, Pos pos) {
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
    int k = body_add_stmt(l, list, STMT_ASSIGN, pos);
    l->body->stmt[k].a = left;
    l->body->stmt[k].b = right;
}

int body_add_hidden(Lower *l, const char *name, Type type, int rank) {
    return body_add_var(l, str_of(l->front->strings, name), type, rank, -1);
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
    int      slot = body_add_hidden(l, "i", TYPE_INTEGER, 0);
    int      loop = body_add_stmt(l, list, STMT_FOR, pos);
    StmtList inner = {-1, -1};
    at[k] = (Idx){.term = expr_slot(l->shapes, slot, TYPE_INTEGER)};
    Term n = lower_size(l, right->type.ndim ? right : left, k);
    assign_slice(l, &inner, left, right, at, k + 1, pos);
    l->body->stmt[loop].a = at[k].term;
    l->body->stmt[loop].b = expr_integer(l->shapes, 1);
    l->body->stmt[loop].c = n;
    l->body->stmt[loop].body = inner.first;
}

/* left[..] := the array in a slot, by loops over the open dimensions. */
static void assign_from(Lower *l, StmtList *list, const Tx *left, int slot, Idx *at,
                        int k, Pos pos) {
    Term from = body_slot_term(l, slot);
    if (k == left->type.ndim) {
        Term arg[NEST + 1] = {from};
        for (int d = 0; d < k; d++) arg[d + 1] = at[d].term;
        assign(l, list, body_ref(l, left, at),
               expr_make(l->shapes, TERM_ELEMENT, arg, k + 1), pos);
        return;
    }
    int      i = body_add_hidden(l, "i", TYPE_INTEGER, 0);
    int      loop = body_add_stmt(l, list, STMT_FOR, pos);
    StmtList inner = {-1, -1};
    at[k] = (Idx){.term = expr_slot(l->shapes, i, TYPE_INTEGER)};
    assign_from(l, &inner, left, slot, at, k + 1, pos);
    l->body->stmt[loop].a = at[k].term;
    l->body->stmt[loop].b = expr_integer(l->shapes, 1);
    l->body->stmt[loop].c =
        expr_2(l->shapes, TERM_SIZE, from, expr_integer(l->shapes, k + 1));
    l->body->stmt[loop].body = inner.first;
}

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
        Inst    **leaf = body_leaves_of(l, func->out[k], &m);
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
                whole = part->type.ndim                 ? body_array(l, part)
                        : body_dims(l, part->inst) == 0 ? body_ref(l, part, NULL)
                                                        : 0;
            if (!whole) {
                int slot = body_add_hidden(l, "result", lower_type(leaf[j]), rank);
                whole = body_slot_term(l, slot);
                if (part) late[lates++] = (struct Late){part, slot};
            }
            item[n] = whole;
        }
    }
    int  number = lower_call_args(l, call, arg, LEAVES, &args);
    Term right = expr_call(l->shapes, number, -1, TYPE_NONE, 0, arg, args);
    assign(l, list, expr_make(l->shapes, TERM_TUPLE, item, n), right, pos);
    for (int k = 0; k < lates; k++) {
        Term from = body_slot_term(l, late[k].slot);
        if (late[k].left->type.ndim == 0)
            assign(l, list, body_ref(l, late[k].left, NULL), from, pos);
        else {
            Idx at[NEST];
            assign_from(l, list, late[k].left, late[k].slot, at, 0, pos);
        }
    }
}

void assign_tx(Lower *l, StmtList *list, const Tx *left, const Tx *right, Pos pos) {
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
        int slot = body_add_hidden(l, "copy", type_of_basic(right->type.basic),
                                   right->type.ndim);
        assign(l, list, body_slot_term(l, slot), lower_array(l, right), pos);
        assign_from(l, list, left, slot, at, 0, pos);
        return;
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
    int  slot = body_add_hidden(l, text_of(l->front, equ->iter->name), TYPE_INTEGER, 0);
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
    int      loop = body_add_stmt(l, list, STMT_FOR, equ->pos);
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
    int k = body_add_stmt(l, list, STMT_CALL, equ->pos);
    l->body->stmt[k].a = term;
}

uint64_t when_key(const Equ *equ, int branch, int element, int kind) {
    return hash_mix((uint64_t)(uintptr_t)equ) ^
           hash_mix(((uint64_t)(unsigned)branch << 32 | (unsigned)element << 1) +
                    (unsigned)kind);
}

static int when_slot(Lower *l, const Equ *equ, int branch, int element, int kind) {
    return (int)map_get(&l->body->slot, when_key(equ, branch, element, kind), 0);
}

/* when a then ... : hidden := a; if edge(hidden), seen from the value before, then ... */
static void lower_when(Lower *l, StmtList *list, const Equ *equ) {
    Term *fire = NEW(&l->scratch, Term, equ->count);
    for (int k = 0; k < equ->count; k++) {
        int n = when_count(equ->cond[k]);
        for (int j = 0; j < n; j++) {
            Term      edge;
            const Tx *part = when_part(l, equ->cond[k], j);
            if (when_is_initial(part)) edge = expr_make(l->shapes, TERM_INITIAL, NULL, 0);
            else {
                Term now = expr_slot(l->shapes, when_slot(l, equ, k, j, 0), TYPE_BOOLEAN);
                Term before =
                    expr_slot(l->shapes, when_slot(l, equ, k, j, 1), TYPE_BOOLEAN);
                assign(l, list, now, lower_scalar(l, part, NULL), equ->pos);
                edge = expr_2(l->shapes, TERM_EDGE, now, before); /* not at the start */
            }
            fire[k] = j ? expr_2(l->shapes, TERM_OR, fire[k], edge) : edge;
        }
    }
    StmtList *at = list, rest[8];
    for (int k = 0; k < equ->count && k < 8; k++) {
        int      s = body_add_stmt(l, at, STMT_IF, equ->pos);
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
    int      s = body_add_stmt(l, list, STMT_IF, equ->pos);
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
        int      s = body_add_stmt(l, list, STMT_WHILE, equ->pos);
        Term     cond = lower_scalar(l, equ->cond[0], NULL);
        StmtList body = lower_stmts(l, &equ->branch[0]);
        l->body->stmt[s].a = cond;
        l->body->stmt[s].body = body.first;
        break;
    }
    case EQU_CALL: lower_call_stmt(l, list, equ); break;
    case EQU_BREAK: body_add_stmt(l, list, STMT_BREAK, equ->pos); break;
    case EQU_RETURN: body_add_stmt(l, list, STMT_RETURN, equ->pos); break;
    default: break;
    }
}

StmtList lower_stmts(Lower *l, const EquList *equs) {
    StmtList list = {-1, -1};
    for (int k = 0; k < equs->count && !l->failed; k++)
        lower_stmt(l, &list, equs->item[k]);
    return list;
}
