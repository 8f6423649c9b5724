/* SPDX-License-Identifier: Apache-2.0 */
/* call.c -- calls: functions, conversions, built-in functions, reductions.
 *
 * Arguments are brought into the order of the inputs; missing ones take the default with
 * the other arguments put in. An argument with more dimensions than its input makes the
 * call element by element (Modelica 3.6, 12.4.6). Sizes of results are worked out from the
 * declaration of the output with the arguments put in. */
#include "inst/call.h"

#include <string.h>

static Args take_args(Ctx *ctx, const Call *call) {
    Front *front = ctx->front;
    Args   a = {.positional = call->args ? (int)call->args->count : 0};
    a.n = a.positional + (int)call->named_count;
    a.tx = NEW(&front->arena, Tx *, a.n + 1);
    a.name = NEW(&front->arena, Str, a.n + 1);
    a.pos = NEW(&front->arena, Pos, a.n + 1);
    for (int k = 0; k < a.n; k++) {
        bool            named = k >= a.positional;
        const NamedArg *arg = named ? &call->named[k - a.positional] : NULL;
        Expr            expr = named ? arg->value : call->args->item[k];
        a.tx[k] = type_expr(ctx, expr);
        a.name[k] = named ? arg->name : 0;
        a.pos[k] = named ? arg->pos : expr.pos;
        if (ty_bad(a.tx[k]->type)) a.bad = true;
    }
    return a;
}

bool args_match(Ctx *ctx, const Args *a, Inst **in, int nin, const char *what, Tx **arg) {
    Front *front = ctx->front;
    if (a->positional > nin) {
        diag_report(front->diag, a->pos[nin], CODE_T160,
                    "'%s' takes %d argument%s, not %d", what, nin, nin == 1 ? "" : "s",
                    a->positional);
        return false;
    }
    for (int k = 0; k < a->n; k++) {
        int to = k;
        if (a->name[k])
            for (to = 0; to < nin && in[to]->name != a->name[k];) to++;
        if (to == nin) {
            Suggest suggest = suggest_start(text_of(front, a->name[k]));
            for (int j = 0; j < nin; j++)
                suggest_candidate(&suggest, text_of(front, in[j]->name));
            diag_report(
                front->diag, a->pos[k], CODE_T161, "'%s' has no argument '%s'%s%s%s",
                what, text_of(front, a->name[k]), suggest.best ? "; did you mean '" : "",
                suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
            return false;
        }
        if (arg[to]) {
            diag_report(front->diag, a->pos[k], CODE_T162, "argument '%s' is given twice",
                        text_of(front, in[to]->name));
            return false;
        }
        arg[to] = a->tx[k];
    }
    return true;
}

/* ---- functions ------------------------------------------------------------------------- */

static int find_input(const Func *func, const Inst *inst) {
    for (int k = 0; k < func->nin; k++)
        if (func->in[k] == inst) return k;
    return -1;
}

/* A function as argument: its open inputs are those of the type wanted. */
static int open_inputs(const Tx *arg) {
    int n = 0;
    for (int k = 0; arg->kind == TX_PARTIAL && arg->func && k < arg->func->nin; k++)
        n += k >= arg->n || !arg->arg[k];
    return n;
}

/* Whether what `from` holds can be given to `to`. */
static bool same_variable(Ctx *ctx, Inst *from, Inst *to) {
    Ty a = inst_type(ctx->front, from), b = inst_type(ctx->front, to);
    if (ty_bad(a) || ty_bad(b) || a.basic == BASIC_FUNCTION) return true;
    return a.ndim == b.ndim && ty_fits(ctx->front, a, b, true);
}

static bool function_fits(Ctx *ctx, const Tx *arg, Inst *in) {
    Func *wanted = func_of(ctx->front, in->cls, 0);
    if (arg->kind != TX_PARTIAL || !arg->func || !wanted) return true;
    arg->func->called = true;
    int least = 0, next = 0;
    for (int k = 0; k < arg->func->nin; k++) {
        if (k < arg->n && arg->arg[k]) continue;
        least += !arg->func->in[k]->binding.text;
        if (next < wanted->nin &&
            !same_variable(ctx, wanted->in[next++], arg->func->in[k]))
            return false;
    }
    for (int k = 0; k < wanted->nout && k < arg->func->nout; k++)
        if (!same_variable(ctx, arg->func->out[k], wanted->out[k])) return false;
    return least <= wanted->nin && open_inputs(arg) >= wanted->nin &&
           arg->func->nout >= wanted->nout;
}

int call_extra_dims(Ctx *ctx, Tx *arg, Inst *in) {
    Ty wanted = inst_type(ctx->front, in), given = arg->type;
    if (ty_bad(given) || ty_bad(wanted)) return 0;
    int extra = given.ndim - wanted.ndim;
    if (extra < 0) return -1;
    if (wanted.basic == BASIC_FUNCTION)
        return given.basic == BASIC_FUNCTION && function_fits(ctx, arg, in) ? 0 : -1;
    return ty_fits(ctx->front, ty_element(given, extra), wanted, true) ? extra : -1;
}

static Ty result_type(Ctx *ctx, Func *func, Tx **arg, int output) {
    Front *front = ctx->front;
    Inst  *out = func->out[output];
    Ty     type = inst_type(front, out);
    if (type.ndim == 0) return type;
    int *dim = NEW(&front->arena, int, type.ndim);
    for (int k = 0; k < type.ndim; k++) {
        dim[k] = type.dim[k];
        int64_t size;
        if (dim[k] >= 0 || !out->dimx || !out->dimx[k]) continue;
        Tx *tx = tx_replace(front, out->dimx[k], func->in, arg, func->nin);
        if (eval_integer(front, tx, &size) && size >= 0 && size < ARRAY_MOST)
            dim[k] = (int)size;
    }
    type.dim = dim;
    return type;
}

static bool has_open_size(Ty type) {
    for (int k = 0; k < type.ndim; k++)
        if (type.dim[k] < 0) return true;
    return false;
}

static Tx *report_arg(Ctx *ctx, Func *func, int k, const Tx *arg) {
    Func *wanted = func->in[k]->basic == BASIC_FUNCTION
                       ? func_of(ctx->front, func->in[k]->cls, 0)
                       : NULL;
    if (wanted && arg->kind == TX_PARTIAL && arg->func) {
        diag_report(
            ctx->front->diag, arg->pos, CODE_T163,
            open_inputs(arg) == wanted->nin
                ? "argument '%s' of '%s' is a function '%s', but '%s' has inputs or "
                  "results of other types"
                : "argument '%s' of '%s' is a function '%s', but '%s' has %d inputs "
                  "instead of %d",
            text_of(ctx->front, func->in[k]->name), text_of(ctx->front, func->name),
            text_of(ctx->front, wanted->name), text_of(ctx->front, arg->func->name),
            open_inputs(arg), wanted->nin);
        return tx_bad(ctx->front, arg->pos);
    }
    diag_report(ctx->front->diag, arg->pos, CODE_T163,
                "argument '%s' of '%s' is %s, but this is %s",
                text_of(ctx->front, func->in[k]->name), text_of(ctx->front, func->name),
                ty_text(ctx->front, inst_type(ctx->front, func->in[k])),
                ty_text(ctx->front, arg->type));
    return tx_bad(ctx->front, arg->pos);
}

/* The default of input k, after the defaults it is made of. */
static void take_default(Ctx *ctx, Func *func, Tx **arg, int k, int depth) {
    Front *front = ctx->front;
    Tx    *tx = arg[k] ? NULL : inst_bind(front, func->in[k]);
    if (!tx) return;
    if (depth > func->nin) {
        diag_report(front->diag, tx->pos, CODE_F125,
                    "the default of argument '%s' depends on itself",
                    text_of(front, func->in[k]->name));
        arg[k] = tx_bad(front, tx->pos);
        return;
    }
    for (int j = 0; j < func->nin; j++)
        if (!arg[j] && tx_uses(tx, func->in[j]))
            take_default(ctx, func, arg, j, depth + 1);
    if (!arg[k]) arg[k] = tx_replace(front, tx, func->in, arg, func->nin);
}

/* arg: by input, NULL for defaults; through: the function variable called, or NULL */
static Tx *make_call(Ctx *ctx, Pos pos, Func *func, Tx **arg, Tx *through) {
    Front *front = ctx->front;
    int    extra = 0;
    Tx    *model = NULL; /* the argument whose leading sizes count */
    func->called = true;
    for (int k = 0; k < func->nin; k++) {
        if (!arg[k]) continue;
        int more = call_extra_dims(ctx, arg[k], func->in[k]);
        if (more < 0) return report_arg(ctx, func, k, arg[k]);
        if (more > extra) {
            extra = more;
            model = arg[k];
        }
    }
    for (int k = 0; k < func->nin; k++) {
        if (!arg[k] || !model || arg[k] == model || ty_bad(arg[k]->type)) continue;
        int more = call_extra_dims(ctx, arg[k], func->in[k]);
        if (more == 0) continue;
        bool same = more == extra;
        for (int d = 0; same && d < more; d++)
            same = arg[k]->type.dim[d] == model->type.dim[d] || arg[k]->type.dim[d] < 0 ||
                   model->type.dim[d] < 0;
        if (!same) return report_arg(ctx, func, k, arg[k]);
    }
    for (int k = 0; k < func->nin; k++) {
        if (!arg[k] && !inst_bind(front, func->in[k]) && !through) {
            diag_report(front->diag, pos, CODE_T164, "argument '%s' of '%s' is missing",
                        text_of(front, func->in[k]->name), text_of(front, func->name));
            return tx_bad(front, pos);
        }
        take_default(ctx, func, arg, k, 0);
        if (arg[k] && ty_bad(arg[k]->type)) return arg[k];
    }
    if (func->builtin && !through) {
        if (func->nin < func->builtin->least) return tx_bad(front, pos);
        return func->builtin->type(ctx, func->builtin, pos, arg, func->nin);
    }
    Ty  type = func->nout ? result_type(ctx, func, arg, 0) : ty_scalar(BASIC_NONE);
    Tx *tx =
        tx_new(front, TX_CALL, pos, type, VARY_CONSTANT, func->nin + (through ? 1 : 0));
    tx->func = func;
    for (int k = 0; k < func->nin; k++) {
        tx->arg[k] = arg[k];
        if (arg[k]) tx->vary = (uint8_t)vary_most((Vary)tx->vary, (Vary)arg[k]->vary);
    }
    if (through) {
        tx->arg[func->nin] = through;
        tx->vary = VARY_CONTINUOUS;
    }
    if (func->impure && tx->vary < VARY_DISCRETE) tx->vary = VARY_DISCRETE;
    if (extra) tx->type = ty_array(front, type, extra, model->type.dim);
    if (!ctx->func && has_open_size(tx->type) && tx->vary <= VARY_PARAMETER) {
        Value *value = eval_now(front, tx);
        if (value && value->ndim == tx->type.ndim)
            tx->type.dim =
                arena_copy(&front->arena, value->dim, sizeof(int) * (size_t)value->ndim);
    }
    return tx;
}

Tx *type_call_func(Ctx *ctx, Pos pos, Func *func, Tx **args, int n) {
    Tx **arg = NEW(&ctx->front->arena, Tx *, func->nin + 1);
    for (int k = 0; k < n && k < func->nin; k++) arg[k] = args[k];
    return make_call(ctx, pos, func, arg, NULL);
}

/* All outputs have a value without any statement. */
static bool has_results(Ctx *ctx, const Func *func) {
    for (int k = 0; k < func->nout; k++)
        if (!func->out[k]->binding.text && !inst_bind(ctx->front, func->out[k]))
            return false; /* a text is enough: a recursive function is asked while it is typed */
    return true;
}

static bool may_be_impure(Ctx *ctx, const Func *func, Pos pos) {
    const char *name = text_of(ctx->front, func->name);
    if (ctx->func && ctx->func->cls->def->pure) {
        diag_report(ctx->front->diag, pos, CODE_T155,
                    "'%s' is impure and cannot be called in a pure function", name);
        return false;
    }
    if (ctx->func || ctx->when || ctx->initial || ctx->algorithm || !ctx->equation)
        return true;
    diag_report(ctx->front->diag, pos, CODE_T155,
                "'%s' is impure: call it in a when-clause or an initial section", name);
    return false;
}

Tx *call_of_args(Ctx *ctx, Pos pos, Func *func, const Args *a, Tx *through) {
    Tx **arg = NEW(&ctx->front->arena, Tx *, func->nin + 1);
    if (a->bad) return tx_bad(ctx->front, pos);
    if (func->cls->def->partial && !through) {
        diag_report(ctx->front->diag, pos, CODE_F109, "function '%s' is partial",
                    text_of(ctx->front, func->name));
        return tx_bad(ctx->front, pos);
    }
    if (!through && !func->external && !func->partial_of && !func_has_body(func->cls) &&
        !has_results(ctx, func)) {
        diag_report(ctx->front->diag, pos, CODE_F116,
                    "function '%s' has neither an algorithm nor an external call",
                    text_of(ctx->front, func->name));
        return tx_bad(ctx->front, pos);
    }
    if (func->impure && !may_be_impure(ctx, func, pos)) return tx_bad(ctx->front, pos);
    if (!args_match(ctx, a, func->in, func->nin, text_of(ctx->front, func->name), arg))
        return tx_bad(ctx->front, pos);
    return make_call(ctx, pos, func, arg, through);
}

/* ---- built-in ------------------------------------------------------------------------------- */

static int arg_number(const Builtin *b, const char *name) {
    int         k = 0;
    size_t      length = strlen(name);
    const char *p = b->args;
    while (*p) {
        const char *end = strchr(p, ' ');
        size_t      n = end ? (size_t)(end - p) : strlen(p);
        if (n == length && memcmp(p, name, n) == 0) return k;
        k++;
        if (!end) break;
        p = end + 1;
    }
    return -1;
}

/* String(x, significantDigits, minimumLength, leftJustified) and String(x, format) have
 * arguments of their own names; they are kept by position, missing ones NULL. */
static int string_arg(const char *name, bool *format) {
    *format = strcmp(name, "format") == 0;
    if (strcmp(name, "significantDigits") == 0 || *format) return 1;
    if (strcmp(name, "minimumLength") == 0) return 2;
    if (strcmp(name, "leftJustified") == 0) return 3;
    return -1;
}

static void suggest_argument(const Builtin *b, Suggest *suggest) {
    if (b->id != BUILTIN_String) return;
    suggest_candidate(suggest, "significantDigits");
    suggest_candidate(suggest, "minimumLength");
    suggest_candidate(suggest, "leftJustified");
    suggest_candidate(suggest, "format");
    if (!suggest->best && strstr(suggest->wanted, "igits"))
        suggest->best = "significantDigits";
}

static Tx *call_builtin(Ctx *ctx, Pos pos, const Builtin *b, const Args *a) {
    Front *front = ctx->front;
    Tx   **arg = NEW(&front->arena, Tx *, a->n + 8);
    int    n = a->positional;
    if (a->bad) return tx_bad(front, pos);
    front->uses.clocked |= b->id == BUILTIN_Clock;
    for (int k = 0; k < a->positional; k++) arg[k] = a->tx[k];
    if (b->id == BUILTIN_String && a->positional >= 2) { /* Integer, Boolean: no digits */
        bool digits = a->tx[0]->type.basic == BASIC_REAL;
        if (!digits && a->tx[1]->type.basic != BASIC_STRING) {
            for (int k = a->positional; k > 1; k--) arg[k] = arg[k - 1];
            arg[1] = NULL;
            n++;
        }
    }
    for (int k = a->positional; k < a->n; k++) {
        bool format;
        int to = b->id == BUILTIN_String ? string_arg(text_of(front, a->name[k]), &format)
                                         : arg_number(b, text_of(front, a->name[k]));
        if (b->id == BUILTIN_Clock && to < 0) {
            const char *name = text_of(front, a->name[k]);
            to = strcmp(name, "intervalCounter") == 0 || strcmp(name, "condition") == 0 ||
                         strcmp(name, "c") == 0
                     ? 0
                 : strcmp(name, "startInterval") == 0 || strcmp(name, "solverMethod") == 0
                     ? 1
                     : -1;
        }
        if (b->id == BUILTIN_sample && to < 0)
            to = strcmp(text_of(front, a->name[k]), "u") == 0 ? 0
                 : strcmp(text_of(front, a->name[k]), "c") == 0 ||
                         strcmp(text_of(front, a->name[k]), "clock") == 0
                     ? 1
                     : -1;
        if (to < 0 || to >= 8) {
            Suggest suggest = suggest_start(text_of(front, a->name[k]));
            suggest_argument(b, &suggest);
            diag_report(front->diag, a->pos[k], CODE_T161,
                        "'%s' has no argument '%s'%s%s%s", b->name,
                        text_of(front, a->name[k]),
                        suggest.best ? "; did you mean '" : "",
                        suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
            return tx_bad(front, pos);
        }
        arg[to] = a->tx[k];
        if (to >= n) n = to + 1;
    }
    if (n < b->least || (b->most >= 0 && n > b->most)) {
        diag_report(front->diag, pos, CODE_T160, "'%s' takes %s%d argument%s, not %d",
                    b->name, b->most != b->least ? "at least " : "", b->least,
                    b->least == 1 ? "" : "s", n);
        return tx_bad(front, pos);
    }
    for (int k = 0; k < n; k++)
        if (!arg[k] && b->id != BUILTIN_String &&
            !(b->id == BUILTIN_transition && k > 2)) {
            diag_report(front->diag, pos, CODE_T160, "'%s' lacks an argument", b->name);
            return tx_bad(front, pos);
        }
    return b->type(ctx, b, pos, arg, n);
}

/* ---- which function ---------------------------------------------------------------------------- */

static Cls *callee(Ctx *ctx, const Name *name, Tx **variable, bool *reported) {
    Front *front = ctx->front;
    Found  found = {0};
    *reported = false;
    if (name->global) found.elem = cls_find(front, front->root, name->part[0].name);
    else found = lookup_simple(front, ctx->scope, name->part[0].name);
    if (found.bad) *reported = true;
    if (!found.elem) return NULL;
    Cls  *cls = NULL;
    Inst *inst = NULL;
    int   k = 1;
    if (found.elem->is_class) cls = elem_class(front, found.elem, found.inst);
    else {
        Inst *owner = found.inst ? found.inst : inst_package(front, found.cls);
        inst =
            inst_real(inst_outside(front, inst_child(front, owner, name->part[0].name)));
        if (!inst || inst->state == INST_BAD) {
            *reported = true;
            return NULL;
        }
        for (; k < name->count; k++) {
            Inst *child = inst_child(front, inst, name->part[k].name);
            if (!child) break;
            inst = inst_real(child);
        }
        if (k == name->count) { /* a function given as argument */
            if (inst->basic != BASIC_FUNCTION) {
                diag_report(front->diag, name->part[0].pos, CODE_F112,
                            "'%s' is a component, not a function",
                            text_of(front, name->part[name->count - 1].name));
                *reported = true;
                return NULL;
            }
            *variable = tx_ref(front, name->part[0].pos, inst, inst->parent);
            return inst->cls;
        }
        Elem *elem = cls_find(front, inst->cls, name->part[k].name);
        if (!elem || !elem->is_class) return NULL;
        cls = elem_class(front, elem, inst);
        k++;
    }
    for (; cls && k < name->count; k++) {
        Elem *elem = cls_find(front, cls, name->part[k].name);
        if (!elem || !elem->is_class) return NULL;
        cls = elem_class(front, elem, NULL);
    }
    if (!cls) *reported = true;
    return cls;
}

/* The class in which the last part of a name was searched; NULL if that is not the fault. */
static Cls *searched_in(Ctx *ctx, const Name *name) {
    size_t size = sizeof(Name) + sizeof(NamePart) * (size_t)name->count;
    Name  *front = arena_copy(&ctx->front->arena, name, size);
    front->count--;
    return front->count ? lookup_class(ctx->front, ctx->scope, front, true) : NULL;
}

static Tx *no_function(Ctx *ctx, const Name *name, Pos pos) {
    const NamePart *part = &name->part[name->count - 1];
    Suggest         suggest = suggest_start(text_of(ctx->front, part->name));
    Cls            *in = searched_in(ctx, name);
    if (in || name->part[0].name == WORD(ctx->front, Connections)) {
        if (in) cls_suggest(ctx->front, in, &suggest);
        for (int k = 0; !in && k < BUILTIN_COUNT; k++)
            if (strncmp(builtin_at(k)->name, "Connections.", 12) == 0)
                suggest_candidate(&suggest, builtin_at(k)->name + 12);
        diag_report(ctx->front->diag, part->pos, CODE_F111,
                    "there is no function '%s' in '%s'%s%s%s",
                    text_of(ctx->front, part->name),
                    in ? cls_text(ctx->front, in) : "Connections",
                    suggest.best ? "; did you mean '" : "",
                    suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
        return tx_bad(ctx->front, pos);
    }
    if (name->count == 1) {
        lookup_suggest(ctx->front, ctx->scope, &suggest);
        for (int k = 0; k < BUILTIN_COUNT; k++)
            suggest_candidate(&suggest, builtin_at(k)->name);
        suggest_candidate(&suggest, "connect"); /* no function, but written as one */
    }
    Text text = {0};
    for (int k = 0; k < name->count; k++) {
        if (k) text_char(&text, '.');
        text_add(&text, text_of(ctx->front, name->part[k].name));
    }
    diag_report(ctx->front->diag, pos, CODE_F111, "there is no function '%s'%s%s%s",
                text_get(&text), suggest.best ? "; did you mean '" : "",
                suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
    text_free(&text);
    return tx_bad(ctx->front, pos);
}

static Tx *call_class(Ctx *ctx, Expr expr, Cls *cls, Tx *variable) {
    Front *front = ctx->front;
    if (!cls_bases(front, cls)) return tx_bad(front, expr.pos);
    Args a = take_args(ctx, expr.call);
    if (a.bad) return tx_bad(front, expr.pos);
    switch (cls->basic) {
    case BASIC_FUNCTION: {
        Func *func = func_of(front, cls, expr.pos);
        if (!func || func->bad) return tx_bad(front, expr.pos);
        return call_of_args(ctx, expr.pos, func, &a, variable);
    }
    case BASIC_RECORD: {
        Tx *tx = construct_overloaded(ctx, expr.pos, cls, &a);
        return tx ? tx : construct_record(ctx, expr.pos, cls, &a);
    }
    case BASIC_OBJECT: {
        Elem *elem = cls_find(front, cls, WORD(front, constructor));
        Cls  *maker = elem && elem->is_class ? elem_class(front, elem, NULL) : NULL;
        Func *func = maker ? func_of(front, maker, expr.pos) : NULL;
        if (!func || func->bad) return tx_bad(front, expr.pos);
        Tx *tx = call_of_args(ctx, expr.pos, func, &a, NULL);
        if (!ty_bad(tx->type)) tx->type = (Ty){.basic = BASIC_OBJECT, .cls = cls};
        return tx;
    }
    case BASIC_ENUM: {
        int64_t value;
        if (a.n != 1 || a.tx[0]->type.basic != BASIC_INTEGER) {
            diag_report(front->diag, a.n ? a.tx[0]->pos : expr.pos, CODE_T150,
                        "'%s' needs the number of a literal, this is %s",
                        cls_text(front, cls),
                        a.n ? ty_text(front, a.tx[0]->type) : "nothing");
            return tx_bad(front, expr.pos);
        }
        if (a.tx[0]->kind == TX_INTEGER &&
            (value = a.tx[0]->i, value < 1 || value > cls->literals)) {
            diag_report(front->diag, a.tx[0]->pos, CODE_T197,
                        "'%s' has the literals 1 to %d, not %lld", cls_text(front, cls),
                        cls->literals, (long long)value);
            return tx_bad(front, expr.pos);
        }
        Ty type = ty_array(front, (Ty){.basic = BASIC_ENUM, .cls = cls},
                           a.tx[0]->type.ndim, a.tx[0]->type.dim);
        return builtin_make(front, BUILTIN_FromOrdinal, expr.pos, type,
                            (Vary)a.tx[0]->vary, a.tx, 1);
    }
    case BASIC_REAL:
        if (a.n == 1 && ty_numeric(a.tx[0]->type)) return a.tx[0];
        break;
    case BASIC_INTEGER:
        return call_builtin(ctx, expr.pos, builtin_at(BUILTIN_Integer), &a);
    case BASIC_STRING: return call_builtin(ctx, expr.pos, builtin_at(BUILTIN_String), &a);
    case BASIC_CLOCK: return call_builtin(ctx, expr.pos, builtin_at(BUILTIN_Clock), &a);
    default: break;
    }
    diag_report(front->diag, expr.pos, CODE_F112,
                "'%s' cannot be called: it is not a function", cls_text(front, cls));
    return tx_bad(front, expr.pos);
}

static int reduction_of(int id) {
    switch (id) {
    case BUILTIN_sum: return REDUCE_SUM;
    case BUILTIN_product: return REDUCE_PRODUCT;
    case BUILTIN_min: return REDUCE_MIN;
    case BUILTIN_max: return REDUCE_MAX;
    case BUILTIN_array: return REDUCE_ARRAY;
    default: return -1;
    }
}

static const Builtin *builtin_of_name(Ctx *ctx, const Name *name) {
    Front *front = ctx->front;
    if (name->count == 2 && name->part[0].name == WORD(front, Connections)) {
        Text text = {0};
        text_printf(&text, "Connections.%s", text_of(front, name->part[1].name));
        const Builtin *b = builtin_find(front, str_of(front->strings, text_get(&text)));
        text_free(&text);
        return b;
    }
    if (name->count != 1) return NULL;
    const Builtin *b = builtin_find(front, name->part[0].name);
    if (!b) return NULL;
    if (name->global) return cls_find(front, front->root, name->part[0].name) ? NULL : b;
    Found found = lookup_simple(front, ctx->scope, name->part[0].name);
    if (found.elem && found.elem->is_class && found.cls != front->builtin &&
        found.cls != front->root)
        return NULL;
    return b;
}

/* f(e for i in r) is f({e for i in r}), whatever f is (Modelica 3.6, 10.4.1). */
static Expr call_of_array(Front *front, Expr expr) {
    Call     *inner = arena_copy(&front->arena, expr.call, sizeof *inner);
    Call     *outer = arena_copy(&front->arena, expr.call, sizeof *outer);
    ExprList *args = arena_take(&front->arena, 1, sizeof *args + sizeof(Expr));
    args->count = 1;
    args->item[0] = (Expr){.pos = expr.pos, .kind = EXPR_ARRAY_FOR, .call = inner};
    outer->iterators = NULL;
    outer->args = args;
    expr.call = outer;
    return expr;
}

Tx *type_call(Ctx *ctx, Expr expr) {
    const Name    *name = expr.call->function;
    const Builtin *b = builtin_of_name(ctx, name);
    if (b && expr.call->iterators) {
        int reduce = reduction_of(b->id);
        if (reduce >= 0) return type_reduction(ctx, expr.pos, expr.call, reduce);
    }
    if (expr.call->iterators) expr = call_of_array(ctx->front, expr);
    if (b) {
        Ctx inner = *ctx;
        if (b->id == BUILTIN_cardinality || b->id == BUILTIN_root ||
            b->id == BUILTIN_branch || b->id == BUILTIN_potentialRoot ||
            b->id == BUILTIN_isRoot || b->id == BUILTIN_rooted ||
            b->id == BUILTIN_rooted1)
            inner.connect = true;
        Args a = take_args(&inner, expr.call);
        return call_builtin(ctx, expr.pos, b, &a);
    }
    Tx  *variable = NULL;
    bool reported;
    Cls *cls = callee(ctx, name, &variable, &reported);
    if (!cls)
        return reported ? tx_bad(ctx->front, expr.pos) : no_function(ctx, name, expr.pos);
    return call_class(ctx, expr, cls, variable);
}

Tx *type_partial(Ctx *ctx, Expr expr) {
    Tx  *variable = NULL;
    bool reported;
    Cls *cls = callee(ctx, expr.call->function, &variable, &reported);
    if (!cls)
        return reported ? tx_bad(ctx->front, expr.pos)
                        : no_function(ctx, expr.call->function, expr.pos);
    Func *func = func_of(ctx->front, cls, expr.pos);
    if (!func) return tx_bad(ctx->front, expr.pos);
    Args a = take_args(ctx, expr.call);
    if (a.bad) return tx_bad(ctx->front, expr.pos);
    Ty  type = {.basic = BASIC_FUNCTION, .cls = cls};
    Tx *tx = tx_new(ctx->front, TX_PARTIAL, expr.pos, type, VARY_CONSTANT, func->nin);
    tx->func = func;
    if (!args_match(ctx, &a, func->in, func->nin, text_of(ctx->front, func->name),
                    tx->arg))
        return tx_bad(ctx->front, expr.pos);
    for (int k = 0; k < tx->n; k++) {
        if (!tx->arg[k]) continue;
        if (call_extra_dims(ctx, tx->arg[k], func->in[k]) != 0)
            return report_arg(ctx, func, k, tx->arg[k]);
        tx->vary = (uint8_t)vary_most((Vary)tx->vary, (Vary)tx->arg[k]->vary);
    }
    func->called = true;
    (void)find_input;
    return tx;
}

/* ---- reductions ------------------------------------------------------------------------------- */

Tx *type_reduction(Ctx *ctx, Pos pos, const Call *call, int reduce) {
    Front    *front = ctx->front;
    int       n = (int)call->iterators->count;
    IterVar  *var[16];
    IterScope scope[16];
    Ctx       inner = *ctx;
    if (n > 16 || !call->args || call->args->count != 1) {
        diag_report(front->diag, pos, CODE_T165,
                    "a reduction has one body and its iterators");
        return tx_bad(front, pos);
    }
    for (int k = 0; k < n; k++) {
        const Iterator *it = &call->iterators->item[k];
        var[k] = iter_new(ctx, it, deduce_range(front, it, call->args, NULL));
        if (!var[k]) return tx_bad(front, pos);
        scope[k] = (IterScope){var[k], inner.iters};
        inner.iters = &scope[k];
    }
    Tx *body = type_expr(&inner, call->args->item[0]);
    if (ty_bad(body->type)) return body;
    Tx *tx = tx_new(front, TX_REDUCE, pos, body->type, (Vary)body->vary, n + 1);
    tx->arg[0] = body;
    tx->reduce = reduce;
    tx->iters = NEW(&front->arena, IterVar *, n);
    int dim[16];
    for (int k = 0; k < n; k++) {
        tx->arg[k + 1] = var[k]->range;
        tx->iters[k] = var[k];
        /* the last iterator runs slowest: it is the first dimension */
        dim[n - 1 - k] = var[k]->range->type.ndim ? var[k]->range->type.dim[0] : -1;
        tx->vary = (uint8_t)vary_most((Vary)tx->vary, (Vary)var[k]->range->vary);
    }
    if (reduce == REDUCE_ARRAY) tx->type = ty_array(front, body->type, n, dim);
    else if (body->type.basic == BASIC_RECORD && reduce == REDUCE_SUM) {
        /* with the record's own '+', over the array of values */
        Tx *all = tx_new(front, TX_REDUCE, pos, ty_array(front, body->type, n, dim),
                         (Vary)tx->vary, n + 1);
        memcpy(all->arg, tx->arg, sizeof(Tx *) * (size_t)(n + 1));
        all->iters = tx->iters;
        all->reduce = REDUCE_ARRAY;
        const Builtin *sum = builtin_at(BUILTIN_sum);
        Tx           **one = NEW(&front->arena, Tx *, 1);
        one[0] = all;
        return sum->type(ctx, sum, pos, one, 1);
    } else if (!ty_numeric(body->type) && reduce != REDUCE_MIN && reduce != REDUCE_MAX) {
        diag_report(front->diag, body->pos, CODE_T165,
                    "a reduction of numbers, but the body is %s",
                    ty_text(front, body->type));
        return tx_bad(front, pos);
    }
    return tx;
}
