/* SPDX-License-Identifier: Apache-2.0 */
/* construct.c -- record constructors (Modelica 3.6, 12.6).
 *
 * Fields that may be given are the inputs; the others take their defaults, which may name fields. */
#include "inst/call.h"

/* The value of field k, where defaults name other fields: those come first. */
static Tx *field_default(Ctx *ctx, Inst *proto, Tx **arg, int k, int depth) {
    Front *front = ctx->front;
    int    n = proto->nchild;
    if (depth > n) {
        diag_report(front->diag, arg[k]->pos, CODE_F125,
                    "the default of '%s' depends on itself",
                    text_of(front, proto->child[k]->name));
        return arg[k] = tx_bad(front, arg[k]->pos);
    }
    for (int j = 0; j < n; j++)
        if (tx_uses(arg[k], proto->child[j]))
            field_default(ctx, proto, arg, j, depth + 1);
    return arg[k] = tx_replace(front, arg[k], proto->child, arg, n);
}

/* The value of a field without binding: a record of the defaults of its own fields. NULL: one of
 * them has none. */
static Tx *record_default(Ctx *ctx, Inst *field, Pos pos) {
    Front *front = ctx->front;
    Tx    *bind = inst_bind(front, field);
    if (bind || field->basic != BASIC_RECORD || field->ndim) return bind;
    inst_all(front, field);
    int  n = field->nchild;
    Tx **arg = NEW(&front->arena, Tx *, n + 1);
    for (int k = 0; k < n; k++) {
        arg[k] = field->child[k] ? record_default(ctx, field->child[k], pos) : NULL;
        if (!arg[k]) return NULL;
    }
    Tx *tx = tx_new(front, TX_RECORD, pos, inst_type(front, field), VARY_CONSTANT, n);
    for (int k = 0; k < n; k++) {
        tx->arg[k] = field_default(ctx, field, arg, k, 0);
        tx->vary = (uint8_t)vary_most((Vary)tx->vary, (Vary)tx->arg[k]->vary);
    }
    return tx;
}

Tx *construct_record(Ctx *ctx, Pos pos, Cls *cls, const Args *a) {
    Front *front = ctx->front;
    Inst  *proto = inst_prototype(front, cls);
    inst_all(front, proto);
    int    n = proto->nchild, nin = 0;
    Inst **in = NEW(&front->arena, Inst *, n + 1);
    Tx **given = NEW(&front->arena, Tx *, n + 1), **arg = NEW(&front->arena, Tx *, n + 1);
    for (int k = 0; k < n; k++) {
        Inst *field = proto->child[k];
        if (!field || field->state == INST_BAD) return tx_bad(front, pos);
        if (field->vary == VARY_CONSTANT && field->binding.text) continue;
        if (field->prefix.final && field->binding.text) continue;
        in[nin++] = field;
    }
    if (!args_match(ctx, a, in, nin, cls_text(front, cls), given))
        return tx_bad(front, pos);
    for (int k = 0, j = 0; k < n; k++)
        if (j < nin && in[j] == proto->child[k]) arg[k] = given[j++];
    Ty  type = {.basic = BASIC_RECORD, .cls = cls, .rec = proto};
    Tx *tx = tx_new(front, TX_RECORD, pos, type, VARY_CONSTANT, n);
    for (int k = 0; k < n; k++) {
        Inst *field = proto->child[k];
        if (arg[k]) {
            Ty wanted = inst_type(front, field);
            if (!ty_fits(front, arg[k]->type, wanted, true)) {
                diag_report(front->diag, arg[k]->pos, CODE_T163,
                            "argument '%s' of '%s' is %s, but this is %s",
                            text_of(front, field->name), cls_text(front, cls),
                            ty_text(front, wanted), ty_text(front, arg[k]->type));
                return tx_bad(front, pos);
            }
        } else {
            Tx *value = record_default(ctx, field, pos);
            if (!value) {
                diag_report(front->diag, pos, CODE_T164,
                            "argument '%s' of '%s' is missing",
                            text_of(front, field->name), cls_text(front, cls));
                return tx_bad(front, pos);
            }
            arg[k] = value;
        }
    }
    for (int k = 0; k < n; k++) {
        tx->arg[k] = field_default(ctx, proto, arg, k, 0);
        tx->vary = (uint8_t)vary_most((Vary)tx->vary, (Vary)tx->arg[k]->vary);
    }
    return tx;
}
