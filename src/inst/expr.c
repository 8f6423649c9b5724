/* SPDX-License-Identifier: Apache-2.0 */
/* expr.c -- expressions -> typed expressions: literals, names, subscripts, if, arrays.
 *
 * A name becomes a reference to an instance. Its subscripts cover the dimensions below the
 * instance in which the search ended (Tx.base); dimensions of arrays around that one are
 * those of the equation itself. Wrong expressions are TX_BAD of type BASIC_BAD. */
#include "inst/front.h"

#include <string.h>

/* ---- references -------------------------------------------------------------------------- */

/* Type of a reference from its subscripts: kept and replaced dimensions. */
static void ref_type(Front *front, Tx *tx) {
    int   full[64], n = 0;
    Inst *chain[64];
    int   length = 0;
    for (Inst *p = tx->inst; p && p != tx->base && length < 64; p = p->parent)
        chain[length++] = p;
    for (int c = length - 1; c >= 0; c--)
        for (int k = 0; k < chain[c]->ndim && n < 64; k++) full[n++] = chain[c]->dim[k];
    Ty  type = inst_type(front, tx->inst);
    int kept[64], m = 0;
    for (int k = 0; k < n; k++) {
        Tx *sub = k < tx->n ? tx->arg[k] : NULL;
        if (!sub || sub->kind == TX_COLON) kept[m++] = full[k];
        else if (sub->type.ndim) kept[m++] = sub->type.dim[0];
    }
    type.ndim = (uint8_t)m;
    type.dim = m ? arena_copy(&front->arena, kept, sizeof(int) * (size_t)m) : NULL;
    tx->type = type;
}

Tx *tx_ref(Front *front, Pos pos, Inst *inst, Inst *base) {
    inst = inst_real(inst);
    if (!inst_is_under(inst, base)) base = inst->parent;
    int n = inst_depth_dims(inst, base);
    Tx *tx = tx_new(front, TX_REF, pos, ty_scalar(BASIC_BAD), (Vary)inst->vary, n);
    tx->inst = inst;
    tx->base = base;
    ref_type(front, tx);
    return tx;
}

typedef struct Path { /* a reference under construction */
    Inst *inst, *base;
    Tx   *sub[64];
    int   subs;
    Vary  vary;
    bool  bad;
} Path;

static Tx *type_subscript(Ctx *ctx, Expr expr, Tx *array, int dim) {
    if (expr.kind == EXPR_COLON)
        return tx_new(ctx->front, TX_COLON, expr.pos, ty_scalar(BASIC_NONE),
                      VARY_CONSTANT, 0);
    Ctx inner = *ctx;
    inner.end_of = array;
    inner.end_dim = dim;
    inner.assign = false;
    Tx *tx = type_expr(&inner, expr);
    if (ty_bad(tx->type)) return tx;
    Basic basic = (Basic)tx->type.basic;
    if ((basic != BASIC_INTEGER && basic != BASIC_BOOLEAN && basic != BASIC_ENUM) ||
        tx->type.ndim > 1) {
        diag_report(ctx->front->diag, tx->pos, CODE_T120,
                    "a subscript must be an Integer, this is %s",
                    ty_text(ctx->front, tx->type));
        return tx_bad(ctx->front, tx->pos);
    }
    return tx;
}

Tx *type_sub(Ctx *ctx, Expr expr) {
    return type_subscript(ctx, expr, NULL, 0);
}

/* Subscripts that are known without a loop; those in a branch may never be used. */
static void check_bounds(Ctx *ctx, const Tx *sub, int size, const char *what) {
    if (size < 0 || sub->kind == TX_COLON || sub->vary > VARY_PARAMETER || ctx->func)
        return;
    if (size == 0 && ctx->guarded) return; /* if size(x, 1) > 0 then x[1] else ... */
    if (sub->type.basic != BASIC_INTEGER || (sub->kind != TX_INTEGER && ctx->guarded))
        return;
    if (sub->kind != TX_INTEGER && sub->type.ndim && sub->kind != TX_RANGE) return;
    ctx->front->peek++;
    Value *v = eval_now(ctx->front, sub);
    ctx->front->peek--;
    for (int k = 0; v && k < v->count; k++) {
        if (v->integer[k] >= 1 && v->integer[k] <= size) continue;
        if (ctx->beyond) {
            *ctx->beyond = true;
            return;
        }
        diag_report(ctx->front->diag, sub->pos, CODE_T121,
                    "subscript %lld of %s is outside 1..%d", (long long)v->integer[k],
                    what, size);
        return;
    }
}

static bool check_dim_type(Ctx *ctx, const Inst *inst, int k, const Tx *sub) {
    Cls *type = inst->dim_type ? inst->dim_type[k] : NULL;
    if (sub->kind == TX_COLON || ty_bad(sub->type)) return true;
    if (!type && (sub->type.basic == BASIC_INTEGER || inst->in_function)) return true;
    if (!type) {
        diag_report(ctx->front->diag, sub->pos, CODE_T124,
                    "dimension of '%s' is Integer, but the subscript is %s",
                    text_of(ctx->front, inst->name), ty_text(ctx->front, sub->type));
        return false;
    }
    if (ty_fits(ctx->front, ty_element(sub->type, sub->type.ndim),
                ty_of_class(ctx->front, type), false))
        return true;
    diag_report(ctx->front->diag, sub->pos, CODE_T124,
                "dimension of '%s' is %s '%s', but the subscript is %s",
                text_of(ctx->front, inst->name),
                type->basic == BASIC_ENUM ? "the enumeration" : "the type",
                cls_text(ctx->front, type), ty_text(ctx->front, sub->type));
    return false;
}

static void step_subscripts(Ctx *ctx, Path *path, Inst *inst, const NamePart *part) {
    const ExprList *list = part->subscripts;
    int             given = list ? (int)list->count : 0;
    if (given > inst->ndim && inst->state != INST_BAD) {
        diag_report(ctx->front->diag, part->pos, CODE_T122,
                    "'%s' has %d dimension%s but %d subscript%s",
                    text_of(ctx->front, part->name), inst->ndim,
                    inst->ndim == 1 ? "" : "s", given, given == 1 ? "" : "s");
        path->bad = true;
        given = inst->ndim;
    }
    Tx *array = given ? tx_ref(ctx->front, part->pos, inst, inst->parent) : NULL;
    if (array) {
        /* sizes of the array itself, with the subscripts of the path so far */
        array->base = path->base;
        array->n = (uint16_t)(path->subs + inst->ndim);
        array->arg = NEW(&ctx->front->arena, Tx *, array->n + 1);
        memcpy(array->arg, path->sub, sizeof(Tx *) * (size_t)path->subs);
    }
    for (int k = 0; k < inst->ndim && path->subs < 64; k++) {
        Tx *sub = NULL;
        if (k < given) {
            sub = type_subscript(ctx, list->item[k], array, k);
            if (ty_bad(sub->type) || !check_dim_type(ctx, inst, k, sub)) path->bad = true;
            else if (inst->ndim <= 32) {
                Text what = {0};
                text_printf(&what, "'%s'", text_of(ctx->front, part->name));
                check_bounds(ctx, sub, inst->dim[k], text_get(&what));
                text_free(&what);
            }
            if (sub->kind != TX_COLON)
                path->vary = vary_most(path->vary, (Vary)sub->vary);
        }
        path->sub[path->subs++] = sub;
    }
}

static bool step(Ctx *ctx, Path *path, Inst *child, const NamePart *part) {
    if (child->link) {
        child = inst_real(child);
        path->base = child->parent;
        path->subs = 0;
    }
    if (child->state == INST_BAD || path->bad) {
        path->bad = true;
        path->inst = child;
        return false;
    }
    if (child->absent && !ctx->connect) {
        diag_report(ctx->front->diag, part->pos, CODE_F153,
                    "'%s' is used, but its condition is false",
                    text_of(ctx->front, part->name));
        path->bad = true;
    }
    path->inst = child;
    if (child->prefix.grows && ctx->connect) expand_subscripts(ctx, child, part);
    child->prefix.sized |= child->prefix.grows && !ctx->connect;
    step_subscripts(ctx, path, child, part);
    return !path->bad;
}

static void report_no_member(Ctx *ctx, const Inst *inst, const NamePart *part) {
    Suggest suggest = suggest_start(text_of(ctx->front, part->name));
    for (int k = 0; k < inst->cls->members; k++)
        suggest_candidate(&suggest, text_of(ctx->front, inst->cls->member[k]->name));
    diag_report(ctx->front->diag, part->pos, CODE_F106, "'%s' has no element '%s'%s%s%s",
                text_of(ctx->front, inst->name), text_of(ctx->front, part->name),
                suggest.best ? "; did you mean '" : "", suggest.best ? suggest.best : "",
                suggest.best ? "'?" : "");
}

static Tx *enum_literal(Ctx *ctx, Cls *cls, const NamePart *part) {
    for (int k = 0; k < cls->literals; k++) {
        if (cls->literal[k] != part->name) continue;
        Ty  type = {.basic = BASIC_ENUM, .cls = cls};
        Tx *tx = tx_new(ctx->front, TX_ENUM, part->pos, type, VARY_CONSTANT, 0);
        tx->i = k + 1;
        return tx;
    }
    Suggest suggest = suggest_start(text_of(ctx->front, part->name));
    cls_suggest(ctx->front, cls, &suggest);
    diag_report(ctx->front->diag, part->pos, CODE_F107,
                "enumeration '%s' has no literal '%s'%s%s%s", cls_text(ctx->front, cls),
                text_of(ctx->front, part->name), suggest.best ? "; did you mean '" : "",
                suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
    return tx_bad(ctx->front, part->pos);
}

/* A constant of a package that is used has a value. */
static void check_value(Front *front, const Inst *inst) {
    if (inst->state != INST_DONE || inst->vary != VARY_CONSTANT || inst->binding.text ||
        inst->basic >= BASIC_RECORD || inst->in_function)
        return;
    diag_report(front->diag, inst->pos, CODE_F126, "constant '%s' has no value",
                text_of(front, inst->name));
}

/* The rest of a name from part `k`, inside a class. */
static Tx *name_in_class(Ctx *ctx, const Name *name, int k, Cls *cls, Path *path) {
    for (; k < name->count; k++) {
        const NamePart *part = &name->part[k];
        if (!cls_bases(ctx->front, cls)) return tx_bad(ctx->front, part->pos);
        if (cls->basic == BASIC_ENUM) return enum_literal(ctx, cls, part);
        Elem *elem = cls_find(ctx->front, cls, part->name);
        if (!elem) {
            Suggest suggest = suggest_start(text_of(ctx->front, part->name));
            cls_suggest(ctx->front, cls, &suggest);
            diag_report(ctx->front->diag, part->pos, CODE_F100,
                        "there is no '%s' in '%s'%s%s%s", text_of(ctx->front, part->name),
                        cls_text(ctx->front, cls), suggest.best ? "; did you mean '" : "",
                        suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
            return tx_bad(ctx->front, part->pos);
        }
        check_protected(ctx->front, elem, cls, part->pos);
        if (!elem->is_class) {
            path->base = inst_package(ctx->front, cls);
            path->inst = inst_child(ctx->front, path->base, part->name);
            if (!path->inst || !step(ctx, path, path->inst, part))
                return tx_bad(ctx->front, part->pos);
            if (path->inst->vary > VARY_CONSTANT && !path->inst->prefix.theta)
                diag_report(ctx->front->diag, part->pos, CODE_F108,
                            "'%s' in class '%s' is not a constant",
                            text_of(ctx->front, part->name), cls_text(ctx->front, cls));
            check_value(ctx->front, path->inst);
            for (k++; k < name->count; k++) {
                Inst *child = inst_child(ctx->front, path->inst, name->part[k].name);
                if (!child) {
                    report_no_member(ctx, path->inst, &name->part[k]);
                    return tx_bad(ctx->front, part->pos);
                }
                if (!step(ctx, path, child, &name->part[k]))
                    return tx_bad(ctx->front, part->pos);
            }
            return NULL;
        }
        cls = elem_class(ctx->front, elem, NULL);
        if (!cls) return tx_bad(ctx->front, part->pos);
    }
    /* a class where a value is needed: functions as arguments, types as ranges */
    if (!cls_bases(ctx->front, cls)) return tx_bad(ctx->front, name->part[0].pos);
    Ty  type = {.basic = BASIC_FUNCTION, .cls = cls};
    Tx *tx = tx_new(ctx->front, TX_PARTIAL, name->part[0].pos, type, VARY_CONSTANT, 0);
    if (cls->basic == BASIC_FUNCTION) {
        tx->func = func_of(ctx->front, cls, tx->pos);
        if (!tx->func) return tx_bad(ctx->front, tx->pos);
        tx->n = (uint16_t)tx->func->nin;
        tx->arg = NEW(&ctx->front->arena, Tx *, tx->n + 1);
        return tx;
    }
    tx->type.basic = BASIC_NONE; /* a type name: only as a range */
    return tx;
}

static IterVar *find_iterator(const Ctx *ctx, Str name) {
    for (IterScope *s = ctx->iters; s; s = s->up)
        if (s->var->name == name) return s->var;
    return NULL;
}

/* An enumeration in scope that has the literal; NULL if none. */
static const Class *enumeration_of(const Ctx *ctx, Str literal) {
    for (const Cls *cls = ctx->scope.cls; cls; cls = cls->scope)
        for (int k = 0; k < cls->owns; k++) {
            const Class *def = cls->own_list[k]->def;
            if (!def || def->form != FORM_ENUMERATION) continue;
            for (uint32_t j = 0; j < def->count; j++)
                if (def->literal[j].name == literal) return def;
        }
    return NULL;
}

static Tx *missing_name(Ctx *ctx, const NamePart *part) {
    Suggest      suggest = suggest_start(text_of(ctx->front, part->name));
    const Class *type = enumeration_of(ctx, part->name);
    if (type) {
        const char *name = text_of(ctx->front, part->name);
        diag_report(ctx->front->diag, part->pos, CODE_F100,
                    "there is no '%s' in '%s'; did you mean '%s.%s'?", name,
                    cls_text(ctx->front, ctx->scope.cls), text_of(ctx->front, type->name),
                    name);
        return tx_bad(ctx->front, part->pos);
    }
    lookup_suggest(ctx->front, ctx->scope, &suggest);
    diag_report(ctx->front->diag, part->pos, CODE_F100, "there is no '%s' in '%s'%s%s%s",
                text_of(ctx->front, part->name), cls_text(ctx->front, ctx->scope.cls),
                suggest.best ? "; did you mean '" : "", suggest.best ? suggest.best : "",
                suggest.best ? "'?" : "");
    const char *version = version_wanted(ctx->front, part->name);
    if (version)
        library_searched(ctx->front->library, text_of(ctx->front, part->name), version);
    return tx_bad(ctx->front, part->pos);
}

static Tx *finish_ref(Ctx *ctx, Path *path, Pos pos) {
    if (!path->inst || path->bad) return tx_bad(ctx->front, pos);
    Vary vary = vary_most((Vary)path->inst->vary, path->vary);
    Tx  *tx = tx_new(ctx->front, TX_REF, pos, ty_scalar(BASIC_BAD), vary, path->subs);
    tx->inst = path->inst;
    tx->base = path->base;
    if (path->subs) memcpy(tx->arg, path->sub, sizeof(Tx *) * (size_t)path->subs);
    ref_type(ctx->front, tx);
    return tx;
}

static void member_protected(Ctx *ctx, const Inst *inst, const Elem *elem,
                             const NamePart *part) {
    if (!elem->protected_) return;
    diag_report(ctx->front->diag, part->pos, CODE_F135, "'%s' of '%s' is protected",
                text_of(ctx->front, part->name), text_of(ctx->front, inst->name));
    diag_note(ctx->front->diag, elem->pos, "declared here");
}

static Tx *class_as_value(Ctx *ctx, Cls *cls, Pos pos) {
    diag_report(ctx->front->diag, pos, CODE_F112, "'%s' is a %s, not a value",
                cls_text(ctx->front, cls),
                cls->basic == BASIC_COMPONENT ? "class" : "type");
    return tx_bad(ctx->front, pos);
}

Tx *type_name(Ctx *ctx, Expr expr) {
    const Name     *name = expr.name;
    const NamePart *part = &name->part[0];
    Front          *front = ctx->front;
    Path            path = {0};
    if (!name->global) {
        IterVar *iter = find_iterator(ctx, part->name);
        if (iter) {
            Tx *tx = tx_new(front, TX_ITER, part->pos, iter->type,
                            iter->range ? (Vary)iter->range->vary : VARY_CONSTANT, 0);
            tx->iter = iter;
            if (part->subscripts) tx = type_subscripts(ctx, tx, part->subscripts);
            for (int k = 1; k < name->count; k++) {
                tx = type_field(ctx, tx, name->part[k].name, name->part[k].pos);
                if (name->part[k].subscripts)
                    tx = type_subscripts(ctx, tx, name->part[k].subscripts);
            }
            return tx;
        }
    }
    Found found = {0};
    if (name->global) {
        found.cls = front->root;
        found.elem = cls_find(front, front->root, part->name);
    } else found = lookup_simple(front, ctx->scope, part->name);
    if (found.bad) return tx_bad(front, part->pos);
    if (!found.elem) {
        if (ctx->func && part->name == WORD(front, time)) {
            diag_report(front->diag, part->pos, CODE_T152,
                        "'time' is not known in a function; pass it as an argument");
            return tx_bad(front, part->pos);
        }
        if (name->count == 1 && part->name == WORD(front, time))
            return tx_new(front, TX_TIME, part->pos, ty_scalar(BASIC_REAL),
                          ctx->func ? VARY_PARAMETER : VARY_CONTINUOUS, 0);
        return missing_name(ctx, part);
    }
    if (found.elem->is_class) {
        Cls *cls = elem_class(front, found.elem, found.inst);
        if (!cls) return tx_bad(front, part->pos);
        if (name->count == 1 && part->subscripts)
            return class_as_value(ctx, cls, part->pos);
        Tx *tx = name_in_class(ctx, name, 1, cls, &path);
        return tx ? tx : finish_ref(ctx, &path, expr.pos);
    }
    Inst *owner = found.inst ? found.inst : inst_package(front, found.cls);
    Inst *child = inst_outside(
        front, inst_child(front, owner, found.elem->name)); /* may be renamed */
    if (!child) return missing_name(ctx, part);
    if (found.enclosing && child->state == INST_DONE && !child->link &&
        !child->prefix.outer && child->vary > VARY_CONSTANT) {
        diag_report(front->diag, part->pos, CODE_F128,
                    "'%s' of the enclosing class '%s' is not a constant",
                    text_of(front, part->name), cls_text(front, found.cls));
        return tx_bad(front, part->pos);
    }
    if (owner->is_package) check_value(front, child);
    path.base = owner;
    if (!step(ctx, &path, child, part)) return tx_bad(front, part->pos);
    for (int k = 1; k < name->count; k++) {
        part = &name->part[k];
        child = inst_child(front, path.inst, part->name);
        if (!child && path.inst->expandable && ctx->connect && !ctx->lacks) {
            ctx->bus = path.inst;
            ctx->lacks = part;
            ctx->after = name->count - 1 - k;
            break;
        }
        if (!child) {
            Elem *elem = cls_find(front, path.inst->cls, part->name);
            if (elem && elem->is_class) {
                Cls *cls = elem_class(front, elem, path.inst);
                if (!cls) return tx_bad(front, part->pos);
                Path rest = {0};
                Tx  *tx = name_in_class(ctx, name, k + 1, cls, &rest);
                return tx ? tx : finish_ref(ctx, &rest, expr.pos);
            }
            report_no_member(ctx, path.inst, part);
            return tx_bad(front, part->pos);
        }
        int64_t index = map_get(&path.inst->cls->index, part->name, -1);
        if (index >= 0 && !ctx->front->peek)
            member_protected(ctx, path.inst, path.inst->cls->member[index], part);
        if (!step(ctx, &path, child, part)) return tx_bad(front, part->pos);
    }
    return finish_ref(ctx, &path, expr.pos);
}

/* ---- fields and subscripts of values --------------------------------------------------------- */

Tx *tx_field_of(Front *front, Tx *record, Inst *field, Pos pos) {
    field = inst_real(field);
    if (record->kind == TX_REF && inst_is_under(field, record->inst)) {
        Tx *tx =
            tx_new(front, TX_REF, pos, ty_scalar(BASIC_BAD),
                   vary_most((Vary)record->vary == VARY_CONTINUOUS ? VARY_CONSTANT
                                                                   : (Vary)record->vary,
                             (Vary)field->vary),
                   record->n + field->ndim);
        tx->inst = field;
        tx->base = record->base;
        if (record->n) memcpy(tx->arg, record->arg, sizeof(Tx *) * record->n);
        ref_type(front, tx);
        return tx;
    }
    if (record->kind == TX_RECORD && record->type.ndim == 0 && record->type.rec) {
        for (int k = 0; k < record->n && k < record->type.rec->nchild; k++)
            if (record->type.rec->child[k] == field && record->arg[k])
                return record->arg[k];
    }
    Ty type =
        ty_array(front, inst_type(front, field), record->type.ndim, record->type.dim);
    Tx *tx = tx_new(front, TX_FIELD, pos, type, (Vary)record->vary, 1);
    tx->arg[0] = record;
    tx->inst = field;
    return tx;
}

Tx *type_field(Ctx *ctx, Tx *of, Str name, Pos pos) {
    if (ty_bad(of->type)) return of;
    Inst *field = of->type.rec ? inst_child(ctx->front, of->type.rec, name) : NULL;
    if (!field) {
        diag_report(ctx->front->diag, pos, CODE_F106,
                    "a value of type %s has no element '%s'",
                    ty_text(ctx->front, of->type), text_of(ctx->front, name));
        return tx_bad(ctx->front, pos);
    }
    return tx_field_of(ctx->front, of, field, pos);
}

Tx *tx_index(Front *front, Tx *array, Tx **subs, int n) {
    if (array->kind == TX_REF) { /* into the free dimensions of the reference */
        bool plain = true;
        for (int k = 0; k < array->n; k++)
            if (array->arg[k] && array->arg[k]->kind != TX_COLON &&
                array->arg[k]->type.ndim)
                plain = false;
        if (plain) {
            Tx *tx = tx_new(front, TX_REF, array->pos, array->type, (Vary)array->vary,
                            array->n);
            tx->inst = array->inst;
            tx->base = array->base;
            int next = 0;
            for (int k = 0; k < array->n; k++) {
                Tx *sub = array->arg[k];
                if ((!sub || sub->kind == TX_COLON) && next < n) {
                    sub = subs[next++];
                    if (sub && sub->kind != TX_COLON)
                        tx->vary = (uint8_t)vary_most((Vary)tx->vary, (Vary)sub->vary);
                }
                tx->arg[k] = sub;
            }
            ref_type(front, tx);
            return tx;
        }
    }
    if (array->kind == TX_ARRAY && n >= 1 && subs[0] && subs[0]->kind == TX_INTEGER &&
        subs[0]->i >= 1 && subs[0]->i <= array->n) {
        Tx *item = array->arg[subs[0]->i - 1];
        return n == 1 ? item : tx_index(front, item, subs + 1, n - 1);
    }
    int  dim[64], m = 0;
    Vary vary = (Vary)array->vary;
    for (int k = 0; k < array->type.ndim; k++) {
        Tx *sub = k < n ? subs[k] : NULL;
        if (!sub || sub->kind == TX_COLON) dim[m++] = array->type.dim[k];
        else {
            vary = vary_most(vary, (Vary)sub->vary);
            if (sub->type.ndim) dim[m++] = sub->type.dim[0];
        }
    }
    Ty type = array->type;
    type.ndim = 0;
    type.dim = NULL;
    Tx *tx = tx_new(front, TX_SUBSCRIPT, array->pos, ty_array(front, type, m, dim), vary,
                    n + 1);
    tx->arg[0] = array;
    for (int k = 0; k < n; k++) tx->arg[k + 1] = subs[k];
    return tx;
}

Tx *type_subscripts(Ctx *ctx, Tx *of, const ExprList *list) {
    Tx *subs[64];
    int n = (int)list->count;
    if (ty_bad(of->type)) return of;
    if (n > of->type.ndim || n > 64) {
        diag_report(ctx->front->diag, list->item[0].pos, CODE_T122,
                    "%d subscript%s for a value of type %s", n, n == 1 ? "" : "s",
                    ty_text(ctx->front, of->type));
        return tx_bad(ctx->front, of->pos);
    }
    for (int k = 0; k < n; k++) {
        subs[k] = type_subscript(ctx, list->item[k], of, k);
        if (ty_bad(subs[k]->type)) return subs[k];
        check_bounds(ctx, subs[k], of->type.dim[k], "this value");
    }
    return tx_index(ctx->front, of, subs, n);
}

static Tx *type_end(Ctx *ctx, Expr expr) {
    if (!ctx->end_of) {
        diag_report(ctx->front->diag, expr.pos, CODE_T123,
                    "'end' is allowed in subscripts only");
        return tx_bad(ctx->front, expr.pos);
    }
    Tx *array = ctx->end_of;
    int dim = ctx->end_dim, size = -1;
    if (array->kind == TX_REF) {
        if (dim < array->inst->ndim) size = array->inst->dim[dim];
    } else if (dim < array->type.ndim) size = array->type.dim[dim];
    if (size >= 0) return tx_integer(ctx->front, expr.pos, size);
    Tx *args[2] = {array, tx_integer(ctx->front, expr.pos, dim + 1)};
    return builtin_make(ctx->front, BUILTIN_size, expr.pos, ty_scalar(BASIC_INTEGER),
                        VARY_PARAMETER, args, 2);
}

/* ---- the rest ------------------------------------------------------------------------------------ */

static Tx *type_string(Ctx *ctx, Expr expr) {
    Text text = {0};
    string_decode(&text, ctx->front->session, expr);
    Text file = {0}; /* nothing but a file is meant by the name of a resource */
    if (library_resource(ctx->front->library, text_get(&text), &file)) {
        text_free(&text);
        text = file;
    }
    Tx *tx = tx_string(ctx->front, expr.pos,
                       arena_string(&ctx->front->arena, text_get(&text), text.length));
    text_free(&text);
    return tx;
}

/* The branch that is taken, where conditions are known now; -1. */
static int branch_taken(Ctx *ctx, const Tx *tx) {
    for (int k = 0; k + 1 < tx->n; k += 2) {
        bool holds;
        if (ctx->func && tx->arg[k]->vary != VARY_CONSTANT) break;
        if (!eval_boolean(ctx->front, tx->arg[k], &holds)) break;
        if (holds) return k + 1;
        if (k + 3 >= tx->n) return tx->n - 1;
    }
    return -1;
}

static Tx *type_if(Ctx *ctx, Expr expr) {
    int  n = (int)expr.list->count;
    Tx  *tx = tx_new(ctx->front, TX_IF, expr.pos, ty_scalar(BASIC_BAD), VARY_CONSTANT, n);
    Ty   type = {0};
    bool bad = false;
    Tx  *unlike = NULL; /* a branch of another type */
    bool beyond = false;
    Ctx  inner = *ctx;
    inner.guarded = true;
    for (int k = 0; k < n; k++) {
        bool value = k % 2 == 1 || k + 1 == n;
        if (value && k % 2 && tx->arg[k - 1]->vary <= VARY_PARAMETER)
            inner.beyond = &beyond;
        Tx *arg = tx->arg[k] = type_expr(k ? &inner : ctx, expr.list->item[k]);
        tx->vary = (uint8_t)vary_most((Vary)tx->vary, (Vary)arg->vary);
        if (!value) {
            if (!ty_bad(arg->type) &&
                (arg->type.basic != BASIC_BOOLEAN || arg->type.ndim)) {
                diag_report(ctx->front->diag, arg->pos, CODE_T112,
                            "a condition must be Boolean, this is %s",
                            ty_text(ctx->front, arg->type));
                bad = true;
            }
            if (arg->vary > VARY_PARAMETER) continue;
        } else if (k == 1) type = arg->type;
        else {
            Ty common;
            if (ty_common(ctx->front, type, arg->type, &common)) type = common;
            else if (type.ndim != arg->type.ndim || tx->arg[0]->vary > VARY_PARAMETER ||
                     !ty_fits(ctx->front, type, arg->type, false))
                unlike = arg;
        }
    }
    tx->type = type;
    if (bad) return tx_bad(ctx->front, expr.pos);
    /* sizes or types that differ, subscripts that are wrong: the branch is chosen now */
    bool differ = unlike != NULL;
    for (int k = 1; k < n; k += k + 2 < n ? 2 : 1)
        differ |= !ty_same_dims(tx->arg[k]->type, type);
    differ |= !ty_same_dims(tx->arg[n - 1]->type, type);
    int taken = differ || beyond ? branch_taken(ctx, tx) : -1;
    inner.beyond =
        ctx->beyond; /* what was not reported is it now, unless the branch is not taken */
    for (int k = 1; beyond && k < n; k += k + 2 < n ? 2 : 1)
        if (taken < 0 || k == taken) tx->arg[k] = type_expr(&inner, expr.list->item[k]);
    if (taken >= 0) return tx->arg[taken];
    if (!unlike) return tx;
    diag_report(ctx->front->diag, unlike->pos, CODE_T130,
                "the branches of 'if' have types %s and %s", ty_text(ctx->front, type),
                ty_text(ctx->front, unlike->type));
    return tx_bad(ctx->front, expr.pos);
}

static Tx *type_range(Ctx *ctx, Expr expr) {
    int  n = (int)expr.list->count;
    Tx  *tx = tx_new(ctx->front, TX_RANGE, expr.pos, ty_scalar(BASIC_INTEGER),
                     VARY_CONSTANT, n);
    bool real = false;
    for (int k = 0; k < n; k++) {
        Tx *arg = tx->arg[k] = type_expr(ctx, expr.list->item[k]);
        if (ty_bad(arg->type)) return arg;
        tx->vary = (uint8_t)vary_most((Vary)tx->vary, (Vary)arg->vary);
        real |= arg->type.basic == BASIC_REAL;
        if (arg->type.ndim || arg->type.basic > BASIC_ENUM ||
            arg->type.basic == BASIC_STRING) {
            diag_report(ctx->front->diag, arg->pos, CODE_T131,
                        "a range needs numbers, this is %s",
                        ty_text(ctx->front, arg->type));
            return tx_bad(ctx->front, expr.pos);
        }
    }
    const Tx *step = n == 3 ? tx->arg[1] : NULL;
    if (step && ((step->kind == TX_INTEGER && step->i == 0) ||
                 (step->kind == TX_REAL && step->r == 0))) {
        diag_report(ctx->front->diag, step->pos, CODE_T131,
                    "the step of a range is zero");
        return tx_bad(ctx->front, expr.pos);
    }
    Ty  element = real ? ty_scalar(BASIC_REAL) : tx->arg[0]->type;
    int size = -1;
    tx->type = ty_array(ctx->front, element, 1, &size);
    if (tx->vary <= VARY_PARAMETER) {
        Value *value = eval_now(ctx->front, tx);
        if (value) size = value->dim[0];
    }
    tx->type = ty_array(ctx->front, element, 1, &size);
    return tx;
}

static Tx *type_tuple(Ctx *ctx, Expr expr) {
    int n = (int)expr.list->count;
    Tx *tx =
        tx_new(ctx->front, TX_TUPLE, expr.pos, ty_scalar(BASIC_TUPLE), VARY_CONSTANT, n);
    for (int k = 0; k < n; k++) {
        if (expr.list->item[k].kind == EXPR_NONE) continue;
        tx->arg[k] = type_expr(ctx, expr.list->item[k]);
        tx->vary = (uint8_t)vary_most((Vary)tx->vary, (Vary)tx->arg[k]->vary);
        if (ty_bad(tx->arg[k]->type)) return tx->arg[k];
    }
    return tx;
}

static Tx *type_array(Ctx *ctx, Expr expr) {
    int  n = (int)expr.list->count;
    Tx **items = NEW(&ctx->front->arena, Tx *, n + 1);
    for (int k = 0; k < n; k++) items[k] = type_expr(ctx, expr.list->item[k]);
    return type_array_of(ctx, expr.pos, items, n);
}

static const uint8_t kind_of_op[] = {[OP_OR] = TX_OR,
                                     [OP_AND] = TX_AND,
                                     [OP_LESS] = TX_LT,
                                     [OP_LESS_EQUAL] = TX_LE,
                                     [OP_GREATER] = TX_GT,
                                     [OP_GREATER_EQUAL] = TX_GE,
                                     [OP_EQUAL] = TX_EQ,
                                     [OP_NOT_EQUAL] = TX_NE,
                                     [OP_ADD] = TX_ADD,
                                     [OP_SUB] = TX_SUB,
                                     [OP_ADD_EACH] = TX_ADD_EACH,
                                     [OP_SUB_EACH] = TX_SUB_EACH,
                                     [OP_MUL] = TX_MUL,
                                     [OP_DIV] = TX_DIV,
                                     [OP_MUL_EACH] = TX_MUL_EACH,
                                     [OP_DIV_EACH] = TX_DIV_EACH,
                                     [OP_POWER] = TX_POW,
                                     [OP_POWER_EACH] = TX_POW_EACH};

static Tx *type_one(Ctx *ctx, Expr expr) {
    Front *front = ctx->front;
    switch (expr.kind) {
    case EXPR_INTEGER: return tx_integer(front, expr.pos, expr.integer);
    case EXPR_REAL: return tx_real(front, expr.pos, expr.real);
    case EXPR_STRING: return type_string(ctx, expr);
    case EXPR_FALSE: return tx_boolean(front, expr.pos, false);
    case EXPR_TRUE: return tx_boolean(front, expr.pos, true);
    case EXPR_END: return type_end(ctx, expr);
    case EXPR_COLON:
        return tx_new(front, TX_COLON, expr.pos, ty_scalar(BASIC_NONE), VARY_CONSTANT, 0);
    case EXPR_NAME: {
        Tx *tx = type_name(ctx, expr);
        if (tx->kind == TX_PARTIAL && tx->type.basic == BASIC_NONE && !ctx->types)
            return class_as_value(ctx, tx->type.cls, expr.pos);
        return tx;
    }
    case EXPR_CALL: return type_call(ctx, expr);
    case EXPR_PARTIAL: return type_partial(ctx, expr);
    case EXPR_UNARY: {
        Tx *a = type_expr(ctx, expr.arg[0]);
        if (expr.op == OP_NOT) return type_unary(ctx, expr.pos, TX_NOT, a);
        if (expr.op == OP_ADD || expr.op == OP_ADD_EACH) return a;
        return type_unary(ctx, expr.pos, TX_NEG, a);
    }
    case EXPR_BINARY: {
        Tx *a = type_expr(ctx, expr.arg[0]), *b = type_expr(ctx, expr.arg[1]);
        return type_binary(ctx, expr.pos, (TxKind)kind_of_op[expr.op], a, b);
    }
    case EXPR_RANGE: return type_range(ctx, expr);
    case EXPR_IF: return type_if(ctx, expr);
    case EXPR_ARRAY: return type_array(ctx, expr);
    case EXPR_ARRAY_FOR: return type_reduction(ctx, expr.pos, expr.call, REDUCE_ARRAY);
    case EXPR_MATRIX: return type_matrix(ctx, expr);
    case EXPR_TUPLE: return type_tuple(ctx, expr);
    case EXPR_SUBSCRIPT: {
        Tx       *of = type_expr(ctx, expr.list->item[0]);
        int       n = (int)expr.list->count - 1;
        ExprList *rest =
            arena_take(&front->arena, sizeof(ExprList) + sizeof(Expr) * (size_t)n, 1);
        rest->count = (uint32_t)n;
        memcpy(rest->item, expr.list->item + 1, sizeof(Expr) * (size_t)n);
        return type_subscripts(ctx, of, rest);
    }
    case EXPR_FIELD: {
        Tx *of = type_expr(ctx, expr.field->expr);
        return type_field(ctx, of, expr.field->name, expr.field->pos);
    }
    default: return tx_bad(front, expr.pos);
    }
}

Tx *type_expr(Ctx *ctx, Expr expr) {
    return type_one(ctx, expr);
}
