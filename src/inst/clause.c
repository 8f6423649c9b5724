/* SPDX-License-Identifier: Apache-2.0 */
/* clause.c -- equations and statements -> typed ones.
 *
 * An if-equation whose condition is known when translating leaves only its branch: the
 * others may use components that do not exist. */
#include "inst/front.h"

void equ_add(Front *front, EquList *list, Equ *equ) {
    if (!equ) return;
    if (list->count == list->room)
        list->item = arena_grow(&front->arena, list->item, sizeof(Equ *), &list->room,
                                list->count + 1);
    list->item[list->count++] = equ;
}

static Equ *equ_new(Front *front, EquKind kind, Pos pos) {
    Equ *equ = NEW(&front->arena, Equ, 1);
    equ->kind = (uint8_t)kind;
    equ->pos = pos;
    return equ;
}

/* ---- iterators --------------------------------------------------------------------------- */

/* A type as range: all values of Boolean or of an enumeration. */
static Tx *range_of_type(Ctx *ctx, Cls *cls, Pos pos) {
    int  n = cls->basic == BASIC_ENUM ? cls->literals : 2;
    Tx **items = NEW(&ctx->front->arena, Tx *, n + 1);
    for (int k = 0; k < n; k++) {
        if (cls->basic == BASIC_BOOLEAN) {
            items[k] = tx_boolean(ctx->front, pos, k == 1);
            continue;
        }
        Ty type = {.basic = BASIC_ENUM, .cls = cls};
        items[k] = tx_new(ctx->front, TX_ENUM, pos, type, VARY_CONSTANT, 0);
        items[k]->i = k + 1;
    }
    return type_array_of(ctx, pos, items, n);
}

/* The Boolean or enumeration that a range made by deduce_range, 1:size(x, k), runs over; NULL:
 * Integers. */
static Cls *deduced_type(Ctx *ctx, Expr range) {
    const ExprList *args = range.list->item[1].call->args;
    const Tx       *array = type_expr(ctx, args->item[0]);
    if (array->kind != TX_REF) return NULL;
    const Inst *inst = array->inst;
    int64_t     own = args->item[1].integer - 1 - (array->type.ndim - inst->ndim);
    return inst->dim_type && own >= 0 && own < inst->ndim ? inst->dim_type[own] : NULL;
}

IterVar *iter_new(Ctx *ctx, const Iterator *it, Expr given) {
    IterVar *var = NEW(&ctx->front->arena, IterVar, 1);
    var->name = it->name;
    var->pos = it->pos;
    var->id = ctx->front->iters++;
    if (given.kind == EXPR_BAD) return NULL;
    Ctx in = *ctx;
    in.types = true;
    Tx *range = type_expr(&in, given);
    if (ty_bad(range->type)) return NULL;
    if (range->kind == TX_PARTIAL && range->type.basic == BASIC_NONE && range->type.cls &&
        (range->type.cls->basic == BASIC_ENUM || range->type.cls->basic == BASIC_BOOLEAN))
        range = range_of_type(ctx, range->type.cls, range->pos);
    Cls *deduced = it->range.kind == EXPR_NONE ? deduced_type(ctx, given) : NULL;
    if (deduced) range = range_of_type(ctx, deduced, range->pos);
    if (range->type.ndim != 1) {
        Text hint = {0};
        if (range->kind == TX_INTEGER)
            text_printf(&hint, "; did you mean 1:%lld?", (long long)range->i);
        diag_report(ctx->front->diag, range->pos, CODE_T170,
                    "the range of an iterator must be a vector, this is %s%s",
                    ty_text(ctx->front, range->type), text_get(&hint));
        text_free(&hint);
        return NULL;
    }
    var->range = range;
    var->type = ty_element(range->type, 1);
    return var;
}

/* ---- equations ------------------------------------------------------------------------------- */

static Tx *condition(Ctx *ctx, Expr expr, bool when) {
    Tx *tx = type_expr(ctx, expr);
    if (ty_bad(tx->type)) return tx;
    bool vector = when && tx->type.ndim == 1;
    bool clock = when && tx->type.basic == BASIC_CLOCK;
    if ((tx->type.basic != BASIC_BOOLEAN && !clock) ||
        (tx->type.ndim && (!vector || clock))) {
        diag_report(ctx->front->diag, tx->pos, CODE_T112,
                    "a condition must be Boolean, this is %s",
                    ty_text(ctx->front, tx->type));
        return tx_bad(ctx->front, tx->pos);
    }
    if (when && tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_noEvent) {
        diag_report(ctx->front->diag, tx->pos, CODE_T112,
                    "'when' needs a condition with events, noEvent makes none");
        return tx_bad(ctx->front, tx->pos);
    }
    return tx;
}

/* Results of a call into a tuple at left. */
static bool check_tuple(Ctx *ctx, Tx *left, Tx *right) {
    Front *front = ctx->front;
    if (right->kind == TX_BUILTIN && right->builtin->id == BUILTIN_spatialDistribution)
        return true;
    if (right->kind != TX_CALL) {
        diag_report(front->diag, right->pos, CODE_T171,
                    "several variables at left need a function call at right");
        return false;
    }
    for (int k = 0; k < left->n; k++)
        if (left->arg[k] && left->arg[k]->kind != TX_REF) {
            diag_report(front->diag, left->arg[k]->pos, CODE_T174,
                        "a result of a call needs a variable at the left");
            return false;
        }
    Func *func = right->func;
    if (left->n > func->nout) {
        diag_report(front->diag, left->pos, CODE_T172,
                    "%d variables for the %d result%s of '%s'", left->n, func->nout,
                    func->nout == 1 ? "" : "s", text_of(front, func->name));
        return false;
    }
    for (int k = 0; k < left->n; k++) {
        if (!left->arg[k]) continue;
        Ty given = inst_type(front, func->out[k]);
        if (!ty_fits(front, given, left->arg[k]->type, true) && right->type.ndim == 0) {
            diag_report(front->diag, left->arg[k]->pos, CODE_T101,
                        "result '%s' is %s, but the variable is %s",
                        text_of(front, func->out[k]->name), ty_text(front, given),
                        ty_text(front, left->arg[k]->type));
            return false;
        }
    }
    right->output = -1;
    return true;
}

static bool not_fixed(Front *front, Inst *inst) {
    bool fixed = true;
    Tx  *tx = inst_attribute(front, inst, WORD(front, fixed), NULL);
    if (!tx) return false;
    if (tx->type.ndim) return true;
    return !eval_boolean(front, tx, &fixed) || !fixed;
}

static bool may_assign(Ctx *ctx, const Tx *left) {
    Front      *front = ctx->front;
    Inst       *inst = left->inst;
    const char *name = text_of(front, inst->name);
    Inst       *top = inst;
    while (ctx->func && top->parent && top->parent->parent) top = top->parent;
    if (ctx->func && top->way == WAY_INPUT) {
        diag_report(front->diag, left->pos, CODE_T175, "input '%s' cannot be assigned",
                    text_of(front, top->name));
        return false;
    }
    if (ctx->when) inst->sampled = true;
    if (inst->vary > VARY_PARAMETER) return true;
    if (ctx->initial && inst->vary == VARY_PARAMETER) {
        if (inst->basic >= BASIC_RECORD || not_fixed(front, inst)) return true;
        diag_report(front->diag, left->pos, CODE_T176,
                    "parameter '%s' cannot be assigned here unless it has fixed = false",
                    name);
        return false;
    }
    if (ctx->func && inst->vary == VARY_PARAMETER) return true;
    diag_report(front->diag, left->pos, CODE_T176, "%s '%s' cannot be assigned",
                inst->vary == VARY_CONSTANT ? "constant" : "parameter", name);
    return false;
}

static bool is_left_side(const Tx *tx) {
    if (tx->kind != TX_TUPLE) return tx->kind == TX_REF;
    for (int k = 0; k < tx->n; k++)
        if (tx->arg[k] && tx->arg[k]->kind != TX_REF) return false;
    return true;
}

/* What a when-clause sets changes at events only. */
static void mark_sampled(const Tx *left) {
    if (left->kind == TX_REF) left->inst->sampled = true;
    for (int k = 0; left->kind == TX_TUPLE && k < left->n; k++)
        if (left->arg[k]) mark_sampled(left->arg[k]);
}

/* A discrete Real does not follow what moves between events, in equations nor statements. */
static bool stays_discrete(Ctx *ctx, const Clause *clause, const Tx *left,
                           const Tx *right) {
    if (ctx->when || ctx->initial || ctx->func || left->kind != TX_REF ||
        left->inst->vary != VARY_DISCRETE || left->inst->basic != BASIC_REAL ||
        right->vary != VARY_CONTINUOUS)
        return true;
    diag_report(ctx->front->diag, clause->pos, CODE_T105,
                "'%s' is discrete: set it in a when-clause",
                text_of(ctx->front, left->inst->name));
    return false;
}

/* Rules about the left side of an equation and about what it determines. */
static bool check_equation(Ctx *ctx, const Clause *clause, Tx *left, Tx *right) {
    Front *front = ctx->front;
    if (ctx->when && !ctx->clocked) mark_sampled(left);
    if (ctx->when && !ctx->clocked && !is_left_side(left)) {
        diag_report(front->diag, left->pos, CODE_T191,
                    "in a when-equation a variable must stand alone at the left");
        return false;
    }
    if (ctx->initial) return true;
    bool known = left->kind != TX_TUPLE && left->vary <= VARY_PARAMETER &&
                 right->vary <= VARY_PARAMETER &&
                 (left->kind == TX_REF || right->kind == TX_REF);
    const Tx *ref = left->kind == TX_REF ? left : right;
    if (known && ref->inst->basic < BASIC_RECORD && !ctx->when && !ctx->iters) {
        diag_report(
            front->diag, clause->pos, CODE_F175,
            "this equation has no unknown: %s '%s' has its value from its declaration",
            ref->inst->vary == VARY_CONSTANT ? "constant" : "parameter",
            text_of(front, ref->inst->name));
        return false;
    }
    return stays_discrete(ctx, clause, left, right);
}

static Equ *same(Ctx *ctx, const Clause *clause, bool statement) {
    Front *front = ctx->front;
    Ctx    left_ctx = *ctx;
    left_ctx.assign = statement;
    Tx *left = type_expr(&left_ctx, clause->side[0]);
    Tx *right = type_expr(ctx, clause->side[1]);
    if (ty_bad(left->type) || ty_bad(right->type)) return NULL;
    Equ *equ = equ_new(front, EQU_SAME, clause->pos);
    equ->left = left;
    equ->right = right;
    if (!statement && left->kind != TX_TUPLE && right->kind == TX_TUPLE) {
        equ->left = right;
        equ->right = left;
        left = equ->left;
        right = equ->right;
    }
    if (left->kind == TX_TUPLE) {
        if (left->n == 1 && left->arg[0] && right->kind != TX_CALL) {
            equ->left = left->arg[0];
            return equ;
        }
        return check_tuple(ctx, left, right) ? equ : NULL;
    }
    if (right->type.basic == BASIC_NONE) {
        diag_report(front->diag, right->pos, CODE_T173, "this call has no result");
        return NULL;
    }
    if (statement && left->kind != TX_REF) {
        diag_report(front->diag, left->pos, CODE_T174, "only a variable can be assigned");
        return NULL;
    }
    if (statement &&
        (!may_assign(ctx, left) || !stays_discrete(ctx, clause, left, right)))
        return NULL;
    if (!statement && !check_equation(ctx, clause, left, right)) return NULL;
    bool fits = ty_fits(front, right->type, left->type, true) ||
                (!statement && ty_fits(front, left->type, right->type, true));
    /* Real x; x := integer vector of unknown size and the like pass; others do not */
    if (!fits) {
        diag_report(front->diag, clause->pos, CODE_T103, "%s %s %s: types do not fit",
                    ty_text(front, left->type), statement ? ":=" : "=",
                    ty_text(front, right->type));
        return NULL;
    }
    return equ;
}

static Equ *call(Ctx *ctx, const Clause *clause) {
    Tx *tx = type_expr(ctx, clause->side[0]);
    if (ty_bad(tx->type)) return NULL;
    Equ *equ = equ_new(ctx->front, EQU_CALL, clause->pos);
    equ->left = tx;
    if (tx->kind == TX_CALL) tx->output = -1;
    return equ;
}

struct Pending { /* a connect whose members do not exist or grow */
    struct Pending *next;
    Ctx             ctx;
    const Clause   *clause;
    Equ            *equ; /* gets its sides later */
};

static IterScope *keep_iters(Front *front, const IterScope *iters) {
    if (!iters) return NULL;
    IterScope *copy = NEW(&front->arena, IterScope, 1);
    *copy = (IterScope){iters->var, keep_iters(front, iters->up)};
    return copy;
}

/* Whether connect may name this: c, a.c and c.d, but not a.b.c (Modelica 3.6, 9.1). */
static bool near_enough(Ctx *ctx, const Tx *side, Expr expr) {
    if (expr.kind != EXPR_NAME || side->kind != TX_REF || expr.name->count < 3)
        return true;
    const Inst *inst = side->inst, *deep = NULL;
    for (const Inst *p = inst->parent; p && p != ctx->scope.inst; p = p->parent)
        if (!p->connector && !p->in_connector && p->basic == BASIC_COMPONENT) {
            if (deep) break;
            deep = p;
            if (p->parent == ctx->scope.inst) return true;
            if (!inst_is_under(p, ctx->scope.inst)) return true; /* an inner component */
        }
    if (!deep) return true;
    Text text = {0};
    inst_name(&text, ctx->front, inst);
    const NamePart *part = &expr.name->part[expr.name->count - 1];
    diag_report(ctx->front->diag, part->pos, CODE_T186,
                "'%s' lies too deep: connect joins connectors of this class and of its "
                "components",
                text_get(&text));
    text_free(&text);
    return false;
}

/* Looked at again when all others have been seen. */
static void connect_later(Ctx *ctx, Equ *equ, const Clause *clause) {
    Front          *front = ctx->front;
    struct Pending *p = NEW(&front->arena, struct Pending, 1);
    *p = (struct Pending){front->connects.pending, *ctx, clause, equ};
    p->ctx.iters = keep_iters(front, ctx->iters);
    p->ctx.cut = NULL; /* it lives as long as the class is read */
    front->connects.pending = p;
}

/* A member whose sizes connects tell takes those of the other side. */
static void grow_whole(Front *front, const Ctx *in, Tx *const *side) {
    for (int k = 0; k < 2; k++)
        if (in[k].grows && in[k].grows == side[k]->inst &&
            side[k]->type.ndim == side[1 - k]->type.ndim &&
            side[k]->type.ndim == in[k].grows->ndim)
            expand_to(front, in[k].grows, side[1 - k]->type.dim);
}

/* Gives a connect its sides; false: it is no equation. */
static bool connection(Ctx *ctx, Equ *equ, const Clause *clause, bool last) {
    Front *front = ctx->front;
    if (ctx->when || ctx->varies) {
        diag_report(front->diag, clause->pos, CODE_T184, "%s",
                    ctx->when
                        ? "connect cannot stand in a when-clause"
                        : "the condition around connect must be known when translating");
        return false;
    }
    if (cut_leaves_out(ctx->cut, clause)) return false;
    Tx *side[2];
    Ctx in[2];
    for (int k = 0; k < 2; k++) {
        in[k] = *ctx;
        in[k].connect = true;
        side[k] = type_expr(&in[k], clause->side[k]);
        if (ty_bad(side[k]->type)) return false;
        if (side[k]->kind != TX_REF) {
            diag_report(front->diag, side[k]->pos, CODE_T180, "connect needs connectors");
            return false;
        }
        if (!near_enough(ctx, side[k], clause->side[k])) return false;
    }
    bool grows = (in[0].grows || in[1].grows) && !in[0].lacks && !in[1].lacks;
    if (grows) grow_whole(front, in, side);
    if ((grows || (in[0].lacks && in[1].lacks)) && !last) {
        connect_later(ctx, equ, clause);
        return true;
    }
    for (int k = 0; k < 2; k++) {
        if (!in[k].lacks) continue;
        Inst *made = in[1 - k].lacks || in[k].after
                         ? NULL
                         : expand_member(&in[k], in[k].bus, in[k].lacks, side[1 - k]);
        if (!made) {
            diag_report(front->diag, in[k].lacks->pos, CODE_F181,
                        "nothing tells the type of '%s' in this expandable connector",
                        text_of(front, in[k].lacks->name));
            return false;
        }
        in[k].lacks = NULL;
        side[k] = type_expr(&in[k], clause->side[k]);
        if (ty_bad(side[k]->type)) return false;
    }
    equ->left = side[0];
    equ->right = side[1];
    return true;
}

void pending_connects(Front *front) {
    for (int round = 0; front->connects.pending && round < 20; round++) {
        struct Pending *list = front->connects.pending;
        front->connects.pending = NULL;
        for (; list; list = list->next)
            connection(&list->ctx, list->equ, list->clause, round == 19);
    }
}

static void body(Ctx *ctx, EquList *out, const ClauseList *list, bool statement) {
    if (list) type_clauses(ctx, out, list->item, (int)list->count, statement);
}

static void loop(Ctx *ctx, EquList *out, const Clause *clause, bool statement) {
    const Iterators *its = clause->loop->iterators;
    Ctx              inner = *ctx;
    IterScope        scope[16];
    EquList         *into = out;
    if (its->count > 16) return;
    for (uint32_t k = 0; k < its->count; k++) {
        Expr range = deduce_range(ctx->front, &its->item[k], NULL, clause->loop->body);
        IterVar *var = iter_new(&inner, &its->item[k], range);
        if (!var) return;
        scope[k] = (IterScope){var, inner.iters};
        inner.iters = &scope[k];
        Equ *equ = equ_new(ctx->front, EQU_FOR, clause->pos);
        equ->iter = var;
        if (!statement && var->range->vary > VARY_PARAMETER) {
            diag_report(
                ctx->front->diag, var->range->pos, CODE_F154,
                "the range of a for-equation cannot be determined when translating");
            return;
        }
        equ_add(ctx->front, into, equ);
        into = &equ->body;
    }
    inner.loop = true;
    body(&inner, into, clause->loop->body, statement);
}

static bool check_when(Ctx *ctx, const Clause *clause) {
    Diag *diag = ctx->front->diag;
    if (ctx->func || ctx->initial) {
        diag_report(diag, clause->pos, CODE_T193, "%s cannot contain 'when'; use 'if'",
                    ctx->func ? "a function" : "an initial section");
        return false;
    }
    if (ctx->when) {
        diag_report(diag, clause->pos, CODE_T190,
                    "a when-clause cannot stand in another one; use 'elsewhen'");
        return false;
    }
    if (ctx->varies && !ctx->algorithm) {
        diag_report(diag, clause->pos, CODE_T190,
                    "a when-clause cannot stand in an 'if' whose condition varies");
        return false;
    }
    if (ctx->algorithm && (ctx->varies || ctx->loop)) {
        diag_report(
            diag, clause->pos, CODE_T190,
            "a when-clause cannot stand in 'while', 'for' or 'if' of an algorithm");
        return false;
    }
    return true;
}

/* Whether list determines inst. */
static bool sets(const EquList *list, const Inst *inst) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME && tx_uses(equ->left, inst)) return true;
        if (equ->kind == EQU_SAME && equ->left->kind == TX_REF &&
            inst_is_under(inst, equ->left->inst))
            return true;
        if (sets(&equ->body, inst)) return true;
        for (int j = 0; j < equ->count; j++)
            if (sets(&equ->branch[j], inst)) return true;
    }
    return false;
}

static bool check_sets(Ctx *ctx, Pos pos, const EquList *from, const EquList *in) {
    for (int k = 0; k < from->count; k++) {
        const Equ *equ = from->item[k];
        if (equ->kind != EQU_SAME) continue;
        int n = equ->left->kind == TX_TUPLE ? equ->left->n : 1;
        for (int j = 0; j < n; j++) {
            const Tx *tx = equ->left->kind == TX_TUPLE ? equ->left->arg[j] : equ->left;
            if (!tx || tx->kind != TX_REF || sets(in, tx->inst)) continue;
            diag_report(
                ctx->front->diag, pos, CODE_T192,
                "the branches of 'when' determine different variables: only one has "
                "'%s'",
                text_of(ctx->front, tx->inst->name));
            return false;
        }
    }
    return true;
}

static void check_when_branches(Ctx *ctx, const Clause *clause, const Equ *equ) {
    const Branches *list = clause->branches;
    for (int k = 1; k < equ->count && k < (int)list->count; k++)
        if (!check_sets(ctx, list->item[k].pos, &equ->branch[0], &equ->branch[k]) ||
            !check_sets(ctx, list->item[k].pos, &equ->branch[k], &equ->branch[0]))
            return;
}

static void branches(Ctx *ctx, EquList *out, const Clause *clause, bool statement) {
    const Branches *list = clause->branches;
    bool            when = clause->kind == CLAUSE_WHEN;
    Ctx             inner = *ctx;
    if (when && !check_when(ctx, clause)) return;
    if (when) inner.when = true;
    if (when) inner.when_pos = clause->pos;
    if (clause->kind == CLAUSE_WHILE) inner.loop = true;
    if (!when) inner.guarded = true;
    Equ *equ = equ_new(ctx->front,
                       when                           ? EQU_WHEN
                       : clause->kind == CLAUSE_WHILE ? EQU_WHILE
                                                      : EQU_IF,
                       clause->pos);
    equ->cond = NEW(&ctx->front->arena, Tx *, list->count);
    equ->branch = NEW(&ctx->front->arena, EquList, list->count);
    for (uint32_t k = 0; k < list->count; k++) {
        const Branch *branch = &list->item[k];
        Tx           *cond = NULL;
        bool          holds;
        if (branch->condition.kind != EXPR_NONE) {
            cond = condition(ctx, branch->condition, when);
            if (ty_bad(cond->type)) continue;
            if (!when && !statement && cond->vary <= VARY_PARAMETER &&
                eval_boolean(ctx->front, cond, &holds)) {
                if (!holds) continue;
                if (equ->count == 0) {
                    body(ctx, out, branch->body, statement);
                    return;
                }
                cond = NULL; /* the rest can never be reached */
            }
        } else if (equ->count == 0 && !when) {
            body(ctx, out, branch->body, statement);
            return;
        }
        if (when && statement && cond && cond->type.basic == BASIC_CLOCK) {
            diag_report(
                ctx->front->diag, clause->pos, CODE_T195,
                "a clocked when-clause cannot stand in an algorithm; write it in an "
                "equation section");
            return;
        }
        if (when && cond && cond->type.basic == BASIC_CLOCK && list->count > 1) {
            diag_report(ctx->front->diag, list->item[1].pos, CODE_T194,
                        "a clocked when-clause has no elsewhen");
            return;
        }
        if (!when && cond && (cond->vary > VARY_PARAMETER || statement))
            inner.varies = true;
        equ->cond[equ->count] = cond;
        inner.clocked = when && cond && cond->type.basic == BASIC_CLOCK;
        body(&inner, &equ->branch[equ->count], branch->body, statement);
        equ->count++;
        if (!cond) break;
    }
    if (when && !statement) check_when_branches(ctx, clause, equ);
    if (equ->count) equ_add(ctx->front, out, equ);
}

static void leave(Ctx *ctx, EquList *out, const Clause *clause) {
    bool is_break = clause->kind == CLAUSE_BREAK;
    if (is_break ? !ctx->loop : !ctx->func)
        diag_report(ctx->front->diag, clause->pos, is_break ? CODE_T178 : CODE_T179,
                    is_break ? "'break' is allowed in for and while loops only"
                             : "'return' is allowed in functions only");
    equ_add(ctx->front, out,
            equ_new(ctx->front, is_break ? EQU_BREAK : EQU_RETURN, clause->pos));
}

static void one(Ctx *ctx, EquList *out, const Clause *clause, bool statement) {
    switch (clause->kind) {
    case CLAUSE_EQUATION:
    case CLAUSE_ASSIGN: equ_add(ctx->front, out, same(ctx, clause, statement)); break;
    case CLAUSE_CALL: equ_add(ctx->front, out, call(ctx, clause)); break;
    case CLAUSE_CONNECT: {
        Equ *equ = equ_new(ctx->front, EQU_CONNECT, clause->pos);
        if (connection(ctx, equ, clause, false)) equ_add(ctx->front, out, equ);
        break;
    }
    case CLAUSE_FOR: loop(ctx, out, clause, statement); break;
    case CLAUSE_BREAK:
    case CLAUSE_RETURN: leave(ctx, out, clause); break;
    default: branches(ctx, out, clause, statement); break;
    }
}

void type_clauses(Ctx *ctx, EquList *out, const Clause *const *clause, int n,
                  bool statement) {
    for (int k = 0; k < n; k++) one(ctx, out, clause[k], statement);
}
