/* SPDX-License-Identifier: Apache-2.0 */
/* body.c -- the variables of a function or algorithm as slots.
 *
 * Records become their fields: the variables of a function are its inputs, outputs and locals, each
 * field a slot of its own. */
#include "flat/body.h"

uint64_t body_key(const Inst *inst, int kind) {
    return (uint64_t)(unsigned)inst->id * READ_KINDS + (unsigned)kind;
}

int body_add_var(Lower *l, Str name, Type type, int rank, int enumeration) {
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

Term body_slot_term(Lower *l, int slot) {
    const FunctionVar *v = &l->body->var[slot];
    return v->rank ? expr_array_slot(l->shapes, slot, (Type)v->type, v->rank)
                   : expr_slot(l->shapes, slot, (Type)v->type);
}

/* Leaves of a variable in the order of their slots. */
int body_leaves(Lower *l, Inst *inst, Inst **out, int n, int most) {
    if (inst->basic != BASIC_RECORD) {
        if (n < most) out[n] = inst;
        return n + 1;
    }
    inst_all(l->front, inst);
    for (int k = 0; k < inst->nchild; k++)
        if (inst->child[k] && !inst->child[k]->absent)
            n = body_leaves(l, inst->child[k], out, n, most);
    return n;
}

Inst **body_leaves_of(Lower *l, Inst *inst, int *n) {
    Inst **list = NEW(&l->scratch, Inst *, LEAVES);
    *n = body_leaves(l, inst, list, 0, LEAVES);
    if (*n > LEAVES) {
        lower_fail(l, inst->pos, "a record with so many fields");
        *n = LEAVES;
    }
    return list;
}

int flat_results(Lower *l, Func *func, int output) {
    int n = 0;
    for (int k = 0; k < output; k++) n = body_leaves(l, func->out[k], NULL, n, 0);
    return n;
}

Str leaf_name(Lower *l, const Inst *leaf, const Inst *top) {
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

void body_declare(Lower *l, Inst *var, const Inst *top) {
    int    n;
    Inst **leaf = body_leaves_of(l, var, &n);
    for (int k = 0; k < n; k++) {
        int rank = inst_depth_dims(leaf[k], top);
        int enumeration = leaf[k]->basic == BASIC_ENUM ? lower_enum(l, leaf[k]->cls) : -1;
        int slot = body_add_var(l, leaf_name(l, leaf[k], top), lower_type(leaf[k]), rank,
                                enumeration);
        map_put(&l->body->slot, body_key(leaf[k], READ_VALUE), slot);
    }
}

/* When all are declared: a size may use a variable that follows. */
void body_declare_sizes(Lower *l, Inst *var, const Inst *top) {
    int    n;
    Inst **leaf = body_leaves_of(l, var, &n);
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
    int64_t slot = map_get(&l->body->slot, body_key(inst, kind), -1);
    if (slot >= 0) return (int)slot;
    lower_fail(l, inst->pos, "this variable in an algorithm");
    return 0;
}

int body_dims(const Lower *l, const Inst *inst) {
    return inst_depth_dims(inst, l->body->func ? l->body->func->inst : l->body->at);
}

/* subscripts of all dimensions below the function or the instance of the algorithm */
static int subscripts(Lower *l, const Tx *tx, const Idx *idx, Idx *out) {
    const Inst *inst = tx->inst;
    int         rank = body_dims(l, inst), next = 0;
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
    int  slot = body_slot(l, tx->inst, READ_VALUE), rank = body_dims(l, tx->inst);
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
    int rank = body_dims(l, tx->inst);
    if (rank != tx->type.ndim) return 0;
    for (int k = 0; k < tx->n; k++)
        if (tx->arg[k] && tx->arg[k]->kind != TX_COLON) return 0;
    return expr_array_slot(l->shapes, body_slot(l, tx->inst, READ_VALUE),
                           lower_type(tx->inst), rank);
}
