/* SPDX-License-Identifier: Apache-2.0 */
/* node.c -- typed expressions: made out of numbers and values, searched, copied with other instances. */
#include "inst/front.h"

/* ---- making nodes ---------------------------------------------------------------------- */

Tx *tx_new(Front *front, TxKind kind, Pos pos, Ty type, Vary vary, int n) {
    Tx *tx = NEW(&front->arena, Tx, 1);
    tx->kind = (uint8_t)kind;
    tx->pos = pos;
    tx->type = type;
    tx->vary = (uint8_t)vary;
    tx->n = (uint16_t)n;
    if (n > 0) tx->arg = NEW(&front->arena, Tx *, n);
    return tx;
}

Tx *tx_bad(Front *front, Pos pos) {
    return tx_new(front, TX_BAD, pos, ty_scalar(BASIC_BAD), VARY_CONSTANT, 0);
}

Tx *tx_integer(Front *front, Pos pos, int64_t value) {
    Tx *tx = tx_new(front, TX_INTEGER, pos, ty_scalar(BASIC_INTEGER), VARY_CONSTANT, 0);
    tx->i = value;
    return tx;
}

Tx *tx_real(Front *front, Pos pos, double value) {
    Tx *tx = tx_new(front, TX_REAL, pos, ty_scalar(BASIC_REAL), VARY_CONSTANT, 0);
    tx->r = value;
    return tx;
}

Tx *tx_boolean(Front *front, Pos pos, bool value) {
    Tx *tx = tx_new(front, TX_BOOLEAN, pos, ty_scalar(BASIC_BOOLEAN), VARY_CONSTANT, 0);
    tx->i = value;
    return tx;
}

Tx *tx_string(Front *front, Pos pos, const char *value) {
    Tx *tx = tx_new(front, TX_STRING, pos, ty_scalar(BASIC_STRING), VARY_CONSTANT, 0);
    tx->s = value;
    return tx;
}

Vary vary_most(Vary a, Vary b) {
    return a > b ? a : b;
}

static Tx *element_of_value(Front *front, Pos pos, const Value *value, int k) {
    switch (value->basic) {
    case BASIC_REAL: return tx_real(front, pos, value->real[k]);
    case BASIC_INTEGER: return tx_integer(front, pos, value->integer[k]);
    case BASIC_BOOLEAN: return tx_boolean(front, pos, value->integer[k] != 0);
    case BASIC_STRING: return tx_string(front, pos, value->string[k]);
    case BASIC_ENUM: {
        Ty  type = {.basic = BASIC_ENUM, .cls = value->cls};
        Tx *tx = tx_new(front, TX_ENUM, pos, type, VARY_CONSTANT, 0);
        tx->i = value->integer[k];
        return tx;
    }
    case BASIC_RECORD: {
        Ty  type = {.basic = BASIC_RECORD, .cls = value->cls, .rec = value->rec};
        Tx *tx = tx_new(front, TX_RECORD, pos, type, VARY_CONSTANT, value->nfield);
        for (int f = 0; f < value->nfield; f++)
            tx->arg[f] = tx_of_value(front, pos, value->item[k * value->nfield + f]);
        return tx;
    }
    default: return tx_bad(front, pos);
    }
}

Tx *tx_of_value(Front *front, Pos pos, const Value *value) {
    if (value->ndim == 0) return element_of_value(front, pos, value, 0);
    Ty type = {.basic = value->basic, .cls = value->cls, .rec = value->rec};
    type = ty_array(front, type, value->ndim, value->dim);
    Tx *tx = tx_new(front, TX_ARRAY, pos, type, VARY_CONSTANT, value->dim[0]);
    for (int k = 0; k < value->dim[0]; k++)
        tx->arg[k] = value->ndim == 1
                         ? element_of_value(front, pos, value, k)
                         : tx_of_value(front, pos, value_row(&front->arena, value, k));
    return tx;
}

/* ---- walks ------------------------------------------------------------------------------------------ */

Tx *tx_replace(Front *front, Tx *tx, Inst **from, Tx **to, int n) {
    if (!tx) return NULL;
    if (tx->kind == TX_REF) {
        for (int k = 0; k < n; k++) {
            if (!to[k] || !inst_is_under(tx->inst, from[k])) continue;
            /* the argument, then fields down to the instance, then the subscripts */
            Inst *chain[32];
            int   length = 0;
            for (Inst *p = tx->inst; p != from[k] && length < 32; p = p->parent)
                chain[length++] = p;
            Tx *value = to[k];
            for (int c = length - 1; c >= 0; c--) {
                Inst *field = value->type.rec
                                  ? inst_child(front, value->type.rec, chain[c]->name)
                                  : NULL;
                if (!field) return tx;
                value = tx_field_of(front, value, field, tx->pos);
            }
            if (tx->n) {
                Tx **subs = NEW(&front->arena, Tx *, tx->n);
                bool any = false;
                for (int s = 0; s < tx->n; s++) {
                    subs[s] = tx_replace(front, tx->arg[s], from, to, n);
                    any |= subs[s] && subs[s]->kind != TX_COLON;
                }
                if (any) value = tx_index(front, value, subs, tx->n);
            }
            return value;
        }
    }
    bool changed = false;
    Tx **arg = tx->n ? NEW(&front->arena, Tx *, tx->n) : NULL;
    for (int k = 0; k < tx->n; k++) {
        arg[k] = tx_replace(front, tx->arg[k], from, to, n);
        changed |= arg[k] != tx->arg[k];
    }
    if (!changed) return tx;
    Tx *copy = NEW(&front->arena, Tx, 1);
    *copy = *tx;
    copy->arg = arg;
    copy->vary = VARY_CONSTANT;
    bool size = tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_size;
    for (int k = size ? 1 : 0; k < tx->n; k++) /* the size of what varies does not */
        if (arg[k]) copy->vary = (uint8_t)vary_most((Vary)copy->vary, (Vary)arg[k]->vary);
    return copy;
}

bool tx_uses(const Tx *tx, const Inst *inst) {
    if (!tx) return false;
    if (tx->kind == TX_REF && inst_is_under(tx->inst, inst)) return true;
    for (int k = 0; k < tx->n; k++)
        if (tx_uses(tx->arg[k], inst)) return true;
    return false;
}
