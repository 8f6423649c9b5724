/* SPDX-License-Identifier: Apache-2.0 */
/* overload.c -- operators and constructors of operator records (Modelica 3.6, chapter 14). */
#include "inst/call.h"

typedef struct Candidates {
    Func *func[16];
    int   n;
} Candidates;

static void add_candidates(Ctx *ctx, Cls *record, Str name, Candidates *c) {
    Front *front = ctx->front;
    Elem  *elem = cls_find(front, record, name);
    if (!elem || !elem->is_class) return;
    Cls *cls = elem_class(front, elem, NULL);
    if (!cls || !cls_bases(front, cls)) return;
    if (cls->basic == BASIC_FUNCTION) {
        Func *func = func_of(front, cls, 0);
        if (func && c->n < 16) c->func[c->n++] = func;
        return;
    }
    cls_own(front, cls);
    for (int k = 0; k < cls->owns; k++) {
        if (!cls->own_list[k]->is_class) continue;
        Cls *inner = elem_class(front, cls->own_list[k], NULL);
        if (!inner || !cls_bases(front, inner) || inner->basic != BASIC_FUNCTION)
            continue;
        Func *func = func_of(front, inner, 0);
        if (func && c->n < 16) c->func[c->n++] = func;
    }
}

/* One number as a record, by the record's constructor. */
static Tx *converted(Ctx *ctx, Pos pos, Cls *record, Tx *arg) {
    Candidates c = {0};
    add_candidates(ctx, record, str_of(ctx->front->strings, "'constructor'"), &c);
    for (int k = 0; k < c.n; k++) {
        Func *func = c.func[k];
        if (func->nin < 1 || call_extra_dims(ctx, arg, func->in[0]) < 0) continue;
        bool enough = true;
        for (int j = 1; j < func->nin; j++)
            enough &= inst_bind(ctx->front, func->in[j]) != NULL;
        if (enough) return type_call_func(ctx, pos, func, &arg, 1);
    }
    return NULL;
}

static bool fits(Ctx *ctx, Func *func, Tx **args, int n, bool spread, bool convert,
                 Tx **out) {
    if (func->nin < n) return false;
    int extra = 0;
    for (int k = 0; k < n; k++) {
        out[k] = args[k];
        int more = call_extra_dims(ctx, args[k], func->in[k]);
        if (more < 0 && convert && func->in[k]->basic == BASIC_RECORD &&
            args[k]->type.basic != BASIC_RECORD) {
            Tx *tx = converted(ctx, args[k]->pos, func->in[k]->cls, args[k]);
            if (!tx) return false;
            out[k] = tx;
            more = call_extra_dims(ctx, tx, func->in[k]);
        }
        if (more < 0 || (more > 0 && !spread)) return false;
        if (more && extra && more != extra) return false;
        if (more) extra = more;
    }
    for (int k = n; k < func->nin; k++)
        if (!inst_bind(ctx->front, func->in[k])) return false;
    return true;
}

static bool of_scalars(const Func *func, int n) {
    for (int k = 0; k < n && k < func->nin; k++)
        if (func->in[k]->ndim) return false;
    return true;
}

/* At most one function of an operator may fit (Modelica 3.6, 14.4). */
static void report_ambiguous(Ctx *ctx, Pos pos, const Func *one, const Func *two) {
    diag_report(ctx->front->diag, pos, CODE_T140,
                "'%s' and '%s' both fit the arguments of this operator",
                text_of(ctx->front, one->name), text_of(ctx->front, two->name));
}

Tx *type_overload(Ctx *ctx, Pos pos, Str name, Tx **args, int n, bool each) {
    Candidates c = {0};
    for (int k = 0; k < n; k++) {
        if (args[k]->type.basic != BASIC_RECORD || !args[k]->type.cls) continue;
        if (k && args[0]->type.cls == args[k]->type.cls) continue;
        add_candidates(ctx, args[k]->type.cls, name, &c);
    }
    Tx *out[8];
    if (n > 8) return NULL;
    for (int way = 0; way < 4; way++) {
        Func *found = NULL;
        for (int k = 0; k < c.n; k++)
            if ((!each || of_scalars(c.func[k], n)) &&
                (!found || c.func[k]->cls->def != found->cls->def) &&
                fits(ctx, c.func[k], args, n, way & 1, way & 2, out)) {
                if (found && way == 0) report_ambiguous(ctx, pos, found, c.func[k]);
                if (!found) found = c.func[k];
            }
        if (!found) continue;
        fits(ctx, found, args, n, way & 1, way & 2, out);
        if (found->nout != 1)
            diag_report(ctx->front->diag, found->cls->def->pos, CODE_F115,
                        "the function of an operator has one result, '%s' has %d",
                        text_of(ctx->front, found->name), found->nout);
        return type_call_func(ctx, pos, found, out, n);
    }
    return NULL;
}

Tx *construct_overloaded(Ctx *ctx, Pos pos, Cls *cls, const Args *a) {
    Candidates c = {0};
    Tx        *out[8];
    add_candidates(ctx, cls, str_of(ctx->front->strings, "'constructor'"), &c);
    for (int k = 0; k < c.n; k++) {
        bool named = true;
        for (int j = a->positional; j < a->n && named; j++) {
            named = false;
            for (int i = 0; i < c.func[k]->nin; i++)
                named |= c.func[k]->in[i]->name == a->name[j];
        }
        if (!named || a->positional > 8) continue;
        if (a->n == a->positional) {
            if (!fits(ctx, c.func[k], a->tx, a->n, true, false, out)) continue;
        } else if (c.func[k]->nin < a->n) continue;
        return call_of_args(ctx, pos, c.func[k], a, NULL);
    }
    return NULL;
}
