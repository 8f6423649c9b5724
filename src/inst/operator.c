/* SPDX-License-Identifier: Apache-2.0 */
/* operator.c -- operators of numbers, arrays and operator records (Modelica 3.6, 10.6, 14). */
#include "inst/front.h"

#include <string.h>

static const char *const op_names[] = {
    [TX_NEG] = "-",       [TX_NOT] = "not",     [TX_ADD] = "+",
    [TX_SUB] = "-",       [TX_MUL] = "*",       [TX_DIV] = "/",
    [TX_POW] = "^",       [TX_MUL_EACH] = ".*", [TX_DIV_EACH] = "./",
    [TX_POW_EACH] = ".^", [TX_ADD_EACH] = ".+", [TX_SUB_EACH] = ".-",
    [TX_AND] = "and",     [TX_OR] = "or",       [TX_LT] = "<",
    [TX_LE] = "<=",       [TX_GT] = ">",        [TX_GE] = ">=",
    [TX_EQ] = "==",       [TX_NE] = "<>"};

/* '+' of an operator record, also for .+ */
static Str overload_name(Front *front, TxKind kind) {
    char        name[8];
    const char *op = op_names[kind];
    snprintf(name, sizeof name, "'%s'", op + (*op == '.'));
    return str_of(front->strings, name);
}

bool ty_common(Front *front, Ty a, Ty b, Ty *result) {
    *result = a;
    if (ty_bad(a) || ty_bad(b)) {
        *result = ty_bad(a) ? b : a;
        return true;
    }
    if (a.basic == BASIC_RECORD && b.basic == BASIC_RECORD && ty_fits(front, b, a, true))
        return true;
    if (ty_fits(front, b, a, true)) return true;
    if (ty_fits(front, a, b, true)) {
        *result = b;
        return true;
    }
    return false;
}

static Tx *mismatch(Ctx *ctx, Pos pos, TxKind kind, const Tx *a, const Tx *b) {
    Text              hint = {0};
    const Tx         *record = a->type.basic == BASIC_RECORD        ? a
                               : b && b->type.basic == BASIC_RECORD ? b
                                                                    : NULL;
    static const char each[] = "+-*/^";
    if (record && record->type.cls &&
        !cls_find(ctx->front, record->type.cls, overload_name(ctx->front, kind)))
        text_printf(&hint, ": '%s' has no operator '%s'",
                    cls_text(ctx->front, record->type.cls), op_names[kind]);
    else if (b && ty_numeric(a->type) && ty_numeric(b->type) &&
             strchr(each, *op_names[kind]) &&
             (a->type.ndim == 0 || b->type.ndim == 0 || ty_same_dims(a->type, b->type)))
        text_printf(&hint, "; element by element it is '.%s'", op_names[kind]);
    if (b)
        diag_report(ctx->front->diag, pos, CODE_T140,
                    "operator '%s' cannot join %s and %s%s", op_names[kind],
                    ty_text(ctx->front, a->type), ty_text(ctx->front, b->type),
                    text_get(&hint));
    else
        diag_report(ctx->front->diag, pos, CODE_T141,
                    "operator '%s' does not apply to %s%s", op_names[kind],
                    ty_text(ctx->front, a->type), text_get(&hint));
    text_free(&hint);
    return tx_bad(ctx->front, pos);
}

Tx *type_unary(Ctx *ctx, Pos pos, TxKind kind, Tx *a) {
    if (ty_bad(a->type)) return a;
    if (a->type.basic == BASIC_RECORD) {
        Tx *tx = type_overload(ctx, pos, overload_name(ctx->front, kind), &a, 1, false);
        return tx ? tx : mismatch(ctx, pos, kind, a, NULL);
    }
    bool fits = kind == TX_NOT ? a->type.basic == BASIC_BOOLEAN : ty_numeric(a->type);
    if (!fits) return mismatch(ctx, pos, kind, a, NULL);
    if (kind == TX_NEG && a->kind == TX_INTEGER)
        return tx_integer(ctx->front, pos, -a->i);
    if (kind == TX_NEG && a->kind == TX_REAL) return tx_real(ctx->front, pos, -a->r);
    Tx *tx = tx_new(ctx->front, kind, pos, a->type, (Vary)a->vary, 1);
    tx->arg[0] = a;
    return tx;
}

static bool sizes_meet(int a, int b) {
    return a == b || a < 0 || b < 0;
}

/* Dimensions of a*b; false if they do not fit. */
static bool product_dims(Ctx *ctx, Ty a, Ty b, Ty *type) {
    int dim[2];
    if (a.ndim == 0 || b.ndim == 0) {
        Ty big = a.ndim ? a : b;
        *type = ty_array(ctx->front, *type, big.ndim, big.dim);
        return true;
    }
    if (a.ndim > 2 || b.ndim > 2) return false;
    if (!sizes_meet(a.dim[a.ndim - 1], b.dim[0])) return false;
    int n = 0;
    if (a.ndim == 2) dim[n++] = a.dim[0];
    if (b.ndim == 2) dim[n++] = b.dim[1];
    *type = ty_array(ctx->front, *type, n, dim);
    return true;
}

static bool arithmetic_dims(Ctx *ctx, TxKind kind, Ty a, Ty b, Ty *type) {
    switch (kind) {
    case TX_ADD:
    case TX_SUB:
        if (!ty_same_dims(a, b)) return false;
        *type = ty_array(ctx->front, *type, a.ndim, a.dim);
        for (int k = 0; k < a.ndim; k++)
            if (a.dim[k] < 0)
                *type = ty_array(ctx->front, ty_element(*type, a.ndim), b.ndim, b.dim);
        return true;
    case TX_MUL: return product_dims(ctx, a, b, type);
    case TX_DIV:
        if (b.ndim) return false;
        *type = ty_array(ctx->front, *type, a.ndim, a.dim);
        return true;
    case TX_POW:
        if (b.ndim || (a.ndim != 0 && a.ndim != 2)) return false;
        if (a.ndim == 2 && (b.basic != BASIC_INTEGER || !sizes_meet(a.dim[0], a.dim[1])))
            return false;
        *type = ty_array(ctx->front, *type, a.ndim, a.dim);
        return true;
    default: /* element by element */
        if (a.ndim && b.ndim && !ty_same_dims(a, b)) return false;
        *type = a.ndim ? ty_array(ctx->front, *type, a.ndim, a.dim)
                       : ty_array(ctx->front, *type, b.ndim, b.dim);
        return true;
    }
}

static Tx *make_binary(Ctx *ctx, Pos pos, TxKind kind, Ty type, Tx *a, Tx *b) {
    Tx *tx =
        tx_new(ctx->front, kind, pos, type, vary_most((Vary)a->vary, (Vary)b->vary), 2);
    tx->arg[0] = a;
    tx->arg[1] = b;
    return tx;
}

static Tx *type_relation(Ctx *ctx, Pos pos, TxKind kind, Tx *a, Tx *b) {
    Ty common;
    if (a->type.ndim || b->type.ndim ||
        !ty_common(ctx->front, a->type, b->type, &common) || common.basic > BASIC_ENUM)
        return mismatch(ctx, pos, kind, a, b);
    Tx  *tx = make_binary(ctx, pos, kind, ty_scalar(BASIC_BOOLEAN), a, b);
    bool function = ctx->func || (ctx->scope.inst && ctx->scope.inst->in_function);
    if ((kind == TX_EQ || kind == TX_NE) && common.basic == BASIC_REAL && !function &&
        tx->vary == VARY_CONTINUOUS)
        diag_report(ctx->front->diag, pos, CODE_T142,
                    "an event hits equal Real values by chance only; use '<' or '>'");
    if (tx->vary == VARY_CONTINUOUS) tx->vary = VARY_DISCRETE;
    return tx;
}

Tx *type_binary(Ctx *ctx, Pos pos, TxKind kind, Tx *a, Tx *b) {
    if (ty_bad(a->type)) return a;
    if (ty_bad(b->type)) return b;
    if (a->type.basic == BASIC_RECORD || b->type.basic == BASIC_RECORD) {
        Tx  *args[2] = {a, b};
        bool each = kind >= TX_MUL_EACH && kind <= TX_SUB_EACH;
        Tx  *tx = type_overload(ctx, pos, overload_name(ctx->front, kind), args, 2, each);
        return tx ? tx : mismatch(ctx, pos, kind, a, b);
    }
    if (kind >= TX_LT && kind <= TX_NE) return type_relation(ctx, pos, kind, a, b);
    if (kind == TX_AND || kind == TX_OR) {
        if (a->type.basic != BASIC_BOOLEAN || b->type.basic != BASIC_BOOLEAN ||
            !ty_same_dims(a->type, b->type))
            return mismatch(ctx, pos, kind, a, b);
        return make_binary(ctx, pos, kind, a->type, a, b);
    }
    if ((kind == TX_ADD || kind == TX_ADD_EACH) && a->type.basic == BASIC_STRING &&
        b->type.basic == BASIC_STRING) {
        Ty text = ty_scalar(BASIC_STRING);
        return arithmetic_dims(ctx, kind, a->type, b->type, &text)
                   ? make_binary(ctx, pos, kind, text, a, b)
                   : mismatch(ctx, pos, kind, a, b);
    }
    if (!ty_numeric(a->type) || !ty_numeric(b->type))
        return mismatch(ctx, pos, kind, a, b);
    bool integer = a->type.basic == BASIC_INTEGER && b->type.basic == BASIC_INTEGER &&
                   kind != TX_DIV && kind != TX_POW && kind != TX_DIV_EACH &&
                   kind != TX_POW_EACH;
    Ty type = ty_scalar(integer ? BASIC_INTEGER : BASIC_REAL);
    if (!arithmetic_dims(ctx, kind, a->type, b->type, &type))
        return mismatch(ctx, pos, kind, a, b);
    return make_binary(ctx, pos, kind, type, a, b);
}

Tx *type_array_of(Ctx *ctx, Pos pos, Tx **items, int n) {
    Front *front = ctx->front;
    if (n > 65535) {
        diag_report(front->diag, pos, CODE_T132, "an array constructor with %d elements",
                    n);
        return tx_bad(front, pos);
    }
    Tx *tx = tx_new(front, TX_ARRAY, pos, ty_scalar(BASIC_REAL), VARY_CONSTANT, n);
    Ty  type = n ? items[0]->type : ty_scalar(BASIC_REAL);
    for (int k = 0; k < n; k++) {
        Ty common;
        if (ty_bad(items[k]->type)) return items[k];
        if (!ty_common(front, type, items[k]->type, &common)) {
            diag_report(front->diag, items[k]->pos, CODE_T133,
                        "elements of an array have types %s and %s", ty_text(front, type),
                        ty_text(front, items[k]->type));
            return tx_bad(front, pos);
        }
        type = common;
        tx->arg[k] = items[k];
        tx->vary = (uint8_t)vary_most((Vary)tx->vary, (Vary)items[k]->vary);
    }
    tx->type = ty_array(front, type, 1, &n);
    return tx;
}

/* [a, b; c, d]: elements become matrices, rows are joined side by side, then stacked. */
static Tx *promote(Ctx *ctx, Tx *tx, int ndim) {
    if (tx->type.ndim >= ndim) return tx;
    int dim[8], n = tx->type.ndim;
    for (int k = 0; k < ndim && k < 8; k++) dim[k] = k < n ? tx->type.dim[k] : 1;
    Ty  type = ty_array(ctx->front, ty_element(tx->type, n), ndim, dim);
    Tx *args[2] = {tx, tx_integer(ctx->front, tx->pos, ndim)};
    return builtin_make(ctx->front, BUILTIN_promote, tx->pos, type, (Vary)tx->vary, args,
                        2);
}

Tx *type_matrix(Ctx *ctx, Expr expr) {
    Front *front = ctx->front;
    int    rows = (int)expr.list->count, most = 2;
    bool   scalars = true;
    Tx  ***item = NEW(&front->arena, Tx **, rows);
    for (int r = 0; r < rows; r++) {
        const ExprList *row = expr.list->item[r].list;
        item[r] = NEW(&front->arena, Tx *, row->count + 1);
        for (uint32_t c = 0; c < row->count; c++) {
            item[r][c] = type_expr(ctx, row->item[c]);
            if (ty_bad(item[r][c]->type)) return item[r][c];
            if (item[r][c]->type.ndim) scalars = false;
            if (item[r][c]->type.ndim > most) most = item[r][c]->type.ndim;
        }
    }
    Tx **line = NEW(&front->arena, Tx *, rows + 1);
    for (int r = 0; r < rows; r++) {
        int n = (int)expr.list->item[r].list->count;
        if (scalars) {
            line[r] = type_array_of(ctx, expr.list->item[r].pos, item[r], n);
            continue;
        }
        Tx **args = NEW(&front->arena, Tx *, n + 1);
        args[0] = tx_integer(front, expr.pos, 2);
        for (int c = 0; c < n; c++) args[c + 1] = promote(ctx, item[r][c], most);
        const Builtin *cat = builtin_at(BUILTIN_cat);
        line[r] =
            n == 1 ? args[1] : cat->type(ctx, cat, expr.list->item[r].pos, args, n + 1);
        if (ty_bad(line[r]->type)) return line[r];
    }
    if (scalars) return type_array_of(ctx, expr.pos, line, rows);
    if (rows == 1) return line[0];
    Tx **args = NEW(&front->arena, Tx *, rows + 1);
    args[0] = tx_integer(front, expr.pos, 1);
    for (int r = 0; r < rows; r++) args[r + 1] = line[r];
    const Builtin *cat = builtin_at(BUILTIN_cat);
    return cat->type(ctx, cat, expr.pos, args, rows + 1);
}
