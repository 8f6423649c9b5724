/* SPDX-License-Identifier: Apache-2.0 */
/* instance.c -- components.
 *
 * The children of an instance are made one by one, when first asked for: the size of an
 * array may need a parameter declared later. Making a child merges the modifiers from
 * outside with those of its declaration, finds its class, its sizes and its condition.
 * Bindings stay text until they are asked for (binding.c). */
#include "inst/front.h"

#include <string.h>

Inst *inst_new(Front *front, Inst *parent, Str name, Cls *cls, Pos pos) {
    Inst *inst = NEW(&front->arena, Inst, 1);
    inst->name = name;
    inst->pos = pos;
    inst->parent = parent;
    inst->cls = cls;
    inst->first = -1;
    inst->vary = VARY_CONTINUOUS;
    inst->id = front->insts;
    if (front->insts == front->inst_room)
        front->inst = arena_grow(&front->arena, front->inst, sizeof(Inst *),
                                 &front->inst_room, front->insts + 1);
    front->inst[front->insts++] = inst;
    return inst;
}

void inst_append(Front *front, Inst *parent, Inst *child) {
    Inst **list = NEW(&front->arena, Inst *, parent->nchild + 1);
    if (parent->nchild)
        memcpy(list, parent->child, sizeof(Inst *) * (size_t)parent->nchild);
    list[parent->nchild++] = child;
    parent->child = list;
}

static void open_members(Front *front, Inst *inst) {
    if (!cls_members(front, inst->cls)) inst->state = INST_BAD;
    check_class(front, inst->cls);
    inst->nchild = inst->cls->members;
    inst->child = NEW(&front->arena, Inst *, inst->nchild + 1);
}

Inst *inst_root(Front *front, Cls *cls) {
    Inst *inst = inst_new(front, NULL, 0, cls, cls->def ? cls->def->pos : 0);
    inst->state = INST_DONE;
    open_members(front, inst);
    inst->basic = cls->basic;
    return inst;
}

Inst *inst_package(Front *front, Cls *cls) {
    Inst *inst =
        (Inst *)(intptr_t)map_get(&front->instance_of.package, (uintptr_t)cls, 0);
    if (inst) return inst;
    inst = inst_root(front, cls);
    inst->is_package = true;
    map_put(&front->instance_of.package, (uintptr_t)cls, (int64_t)(intptr_t)inst);
    return inst;
}

Inst *inst_prototype(Front *front, Cls *cls) {
    Inst *inst =
        (Inst *)(intptr_t)map_get(&front->instance_of.prototype, (uintptr_t)cls, 0);
    if (inst) return inst;
    inst = inst_new(front, NULL, cls->name, cls, cls->def ? cls->def->pos : 0);
    inst->state = INST_DONE;
    inst->in_function = true;
    map_put(&front->instance_of.prototype, (uintptr_t)cls, (int64_t)(intptr_t)inst);
    open_members(front, inst);
    inst->basic = cls->basic;
    return inst;
}

Inst *inst_real(Inst *inst) {
    for (int k = 0; inst && inst->link && k < INST_DEPTH; k++) inst = inst->link;
    return inst;
}

bool inst_is_under(const Inst *inst, const Inst *ancestor) {
    for (; inst; inst = inst->parent)
        if (inst == ancestor) return true;
    return false;
}

int inst_depth_dims(const Inst *inst, const Inst *base) {
    int n = 0;
    for (; inst && inst != base; inst = inst->parent) n += inst->ndim;
    return n;
}

Ty inst_type(Front *front, Inst *inst) {
    (void)front;
    inst = inst_real(inst);
    Ty type = {.basic = inst->basic, .ndim = (uint8_t)inst->ndim, .dim = inst->dim};
    if (inst->state == INST_BAD) type.basic = BASIC_BAD;
    if (type.basic == BASIC_RECORD || type.basic == BASIC_COMPONENT) type.rec = inst;
    if (type.basic >= BASIC_ENUM) type.cls = inst->cls;
    return type;
}

/* ---- prefixes ------------------------------------------------------------------------- */

static Vary vary_of(const Components *group) {
    switch (group->varies) {
    case VARIES_CONSTANT: return VARY_CONSTANT;
    case VARIES_PARAMETER: return VARY_PARAMETER;
    case VARIES_DISCRETE: return VARY_DISCRETE;
    default: return VARY_CONTINUOUS;
    }
}

static bool is_one(const Expr *value) {
    return (value->kind == EXPR_INTEGER && value->integer == 1) ||
           (value->kind == EXPR_REAL && value->real == 1);
}

/* Is the value of the declaration written as 1, or is there no value at all? */
static bool may_be_theta(const Inst *inst) {
    const Expr *own = &inst->elem->comp->value;
    bool        none = own->kind == EXPR_NONE && !inst->binding.text && !inst->md &&
                (!inst->parent || inst->parent->basic != BASIC_RECORD);
    return none || is_one(own);
}

/* THETA by its name with the value 1 or none, or by its annotation: a scalar Real parameter or constant
 * whose value nobody may ask for. As a parameter it is never folded. A damping or an angle may have that
 * name, too: it means something only for a plain predefined type. */
static void find_theta(Front *front, Inst *inst) {
    const Comment *comment = inst->elem->comp->comment;
    bool           asked =
        comment && annotation_true(comment->annotation, WORD(front, __Rubato_theta));
    bool named = inst->name == WORD(front, THETA) && may_be_theta(inst);
    if (inst->in_function || (!named && !asked)) return;
    if ((inst->vary > VARY_PARAMETER || inst->cls->def) && !asked) return;
    if (inst->basic != BASIC_REAL || inst->vary > VARY_PARAMETER) {
        diag_report(front->diag, inst->pos, CODE_H106,
                    "'%s' stands for an infinitely fast process: it must be a Real "
                    "parameter or constant",
                    text_of(front, inst->name));
        return;
    }
    inst->prefix.theta = true;
    inst->vary = VARY_PARAMETER;
    inst->prefix.final = true;
    inst->evaluate = false;
}

/* Prefixes of the declaration, of what it redeclares, of the class, of the surroundings. */
static void take_prefixes(Front *front, Inst *inst, const Elem *elem, const Elem *first) {
    const Inst *parent = inst->parent;
    Vary        vary = vary_of(elem->group), old = vary_of(first->group);
    if (vary == VARY_CONTINUOUS) vary = old;
    inst->way = elem->group->causality ? elem->group->causality : first->group->causality;
    inst->conn = elem->group->flow ? elem->group->flow : first->group->flow;
    if (!inst->way) inst->way = inst->cls->way;
    inst->prefix.protected_ = first->protected_;
    if (parent && !parent->is_package) {
        if (parent->vary < vary && !parent->in_function) vary = parent->vary;
        if (!inst->way && parent->in_connector) inst->way = parent->way;
        if (!inst->way && parent->basic == BASIC_RECORD) inst->way = parent->way;
        if (!inst->conn) inst->conn = parent->conn;
        inst->in_connector = parent->in_connector;
        inst->in_function = parent->in_function;
        if (parent->prefix.protected_) inst->prefix.protected_ = true;
    }
    if (vary == VARY_CONTINUOUS && inst->basic > BASIC_REAL && inst->basic < BASIC_RECORD)
        vary = VARY_DISCRETE;
    inst->vary = (uint8_t)vary;
    const Class *def = inst->cls->def;
    inst->connector = def && def->kind == CLASS_CONNECTOR;
    inst->expandable = def && def->expandable;
    if (inst->connector) inst->in_connector = true;
    if (elem->ast) {
        inst->prefix.inner = elem->ast->inner || (first->ast && first->ast->inner);
        inst->prefix.outer = elem->ast->outer || (first->ast && first->ast->outer);
        inst->prefix.final |= elem->ast->final;
    }
    const Comment *comment = elem->comp->comment;
    if (comment && annotation_true(comment->annotation, WORD(front, Evaluate)))
        inst->evaluate = true;
    if (inst->parent &&
        inst->parent->basic == BASIC_RECORD) { /* said of the whole record */
        inst->evaluate |= inst->parent->evaluate;
        inst->prefix.final |= inst->parent->prefix.final;
    }
}

/* ---- sizes ------------------------------------------------------------------------------- */

/* A type name as dimension: Boolean or an enumeration. */
static int type_as_size(Front *front, Scope scope, Expr expr, Cls **type) {
    if (expr.kind != EXPR_NAME) return -1;
    const Name *name = expr.name;
    Found       found = lookup_simple(front, scope, name->part[0].name);
    if (!found.elem || !found.elem->is_class) return -1;
    Cls *cls = lookup_class(front, scope, name, true);
    if (!cls || !cls_bases(front, cls)) return -1;
    *type = cls;
    if (cls->basic == BASIC_BOOLEAN) return 2;
    return cls->basic == BASIC_ENUM ? cls->literals : -1;
}

/* Whether an expression needs inst itself, not just its size. */
static bool needs_value(const Tx *tx, const Inst *inst) {
    if (!tx || (tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_size)) return false;
    if (tx->kind == TX_REF && inst_is_under(tx->inst, inst)) return true;
    for (int k = 0; k < tx->n; k++)
        if (needs_value(tx->arg[k], inst)) return true;
    return false;
}

static void report_unknown(Front *front, const Tx *tx, Code code, const char *what,
                           const Inst *inst) {
    const char *reason = front->reason.text;
    diag_report(front->diag, tx->pos, code,
                "the %s of '%s' cannot be determined when translating%s%s", what,
                text_of(front, inst->name), reason ? ": " : "", reason ? reason : "");
    if (reason && front->reason.pos) diag_note(front->diag, front->reason.pos, "here");
}

static void one_size(Front *front, Inst *inst, int k, Expr expr, Scope scope) {
    inst->dim[k] = -1;
    if (expr.kind == EXPR_COLON) return;
    Cls *type = NULL;
    int  by_type = type_as_size(front, scope, expr, &type);
    if (by_type >= 0) {
        if (!inst->dim_type) inst->dim_type = NEW(&front->arena, Cls *, inst->ndim);
        inst->dim_type[k] = type;
        inst->dim[k] = by_type;
        return;
    }
    Ctx ctx = {.front = front, .scope = scope};
    Tx *tx = type_expr(&ctx, expr);
    if (ty_bad(tx->type)) {
        inst->state = INST_BAD;
        return;
    }
    if (tx->type.basic != BASIC_INTEGER || tx->type.ndim) {
        diag_report(front->diag, expr.pos, CODE_T110,
                    "a size must be an Integer, this is %s", ty_text(front, tx->type));
        inst->state = INST_BAD;
        return;
    }
    if (needs_value(tx, inst) && !inst->in_function) {
        diag_report(front->diag, inst->pos, CODE_F124,
                    "the declaration of '%s' depends on itself",
                    text_of(front, inst->name));
        inst->state = INST_BAD;
        return;
    }
    if (inst->dimx) inst->dimx[k] = tx;
    int64_t size = 0;
    int     errors = front->diag->errors;
    if (eval_integer(front, tx, &size)) {
        if (size < 0 || size > ARRAY_MOST) {
            diag_report(front->diag, expr.pos, CODE_T111, "size %lld of '%s' is %s",
                        (long long)size, text_of(front, inst->name),
                        size < 0 ? "negative" : "too large");
            size = 0;
            inst->state = INST_BAD;
        }
        inst->dim[k] = (int)size;
    } else if (tx_uses(tx, inst)) { /* A[:, size(A, 1)]: its value tells */
    } else if (!inst->in_function && front->diag->errors != errors) {
        inst->state = INST_BAD;
    } else if (!inst->in_function) {
        report_unknown(front, tx, CODE_F150, "size", inst);
        inst->state = INST_BAD;
    }
}

static void take_sizes(Front *front, Inst *inst, const Elem *elem, Scope scope) {
    const ExprList *own = elem->comp->subscripts, *group = elem->group->subscripts;
    int             a = own ? (int)own->count : 0, b = group ? (int)group->count : 0;
    inst->ndim = a + b + inst->cls->ndim;
    if (inst->ndim == 0) return;
    inst->dim = NEW(&front->arena, int, inst->ndim);
    for (int k = 0; k < inst->ndim; k++) inst->dim[k] = -1;
    if (inst->in_function) inst->dimx = NEW(&front->arena, Tx *, inst->ndim);
    for (int k = 0; k < a; k++) one_size(front, inst, k, own->item[k], scope);
    for (int k = 0; k < b; k++) one_size(front, inst, a + k, group->item[k], scope);
    for (int k = 0; k < inst->cls->ndim; k++)
        one_size(front, inst, a + b + k, inst->cls->dim[k], inst->cls->dim_scope[k]);
}

/* Sizes given as ":" follow from the binding. */
static void sizes_from_binding(Front *front, Inst *inst) {
    bool open = false;
    for (int k = 0; k < inst->ndim; k++) open |= inst->dim[k] < 0;
    if (!open || inst->in_function || inst->state == INST_BAD) return;
    inst->state = INST_DONE;
    Tx *bind = inst_bind(front, inst);
    if (!bind && inst->parent && inst->parent->expandable) {
        inst->prefix.grows = true;
        for (int k = 0; k < inst->ndim; k++)
            if (inst->dim[k] < 0) inst->dim[k] = 0;
        return;
    }
    if (!bind) {
        diag_report(front->diag, inst->pos, CODE_F151,
                    "'%s' needs a value that tells its size", text_of(front, inst->name));
        inst->state = INST_BAD;
        return;
    }
    if (ty_bad(bind->type)) {
        inst->state = INST_BAD;
        return;
    }
    int lead = bind->type.ndim - inst->ndim;
    for (int k = 0; k < inst->ndim; k++)
        if (inst->dim[k] < 0 && lead + k >= 0) inst->dim[k] = bind->type.dim[lead + k];
    for (int k = 0; k < inst->ndim; k++) {
        if (inst->dim[k] >= 0) continue;
        Value *value = eval_now(front, bind);
        int    back = inst->ndim - k;
        if (value && value->ndim >= back) inst->dim[k] = value->dim[value->ndim - back];
        else {
            diag_report(front->diag, inst->pos, CODE_F150,
                        "the size of '%s' cannot be determined when translating%s%s",
                        text_of(front, inst->name), front->reason.text ? ": " : "",
                        front->reason.text ? front->reason.text : "");
            inst->state = INST_BAD;
            inst->dim[k] = 0;
        }
    }
}

/* ---- inner and outer ------------------------------------------------------------------------ */

static Inst *find_inner(Front *front, Inst *from, Str name) {
    for (Inst *p = from; p; p = p->parent) {
        int64_t k = map_get(&p->cls->index, name, -1);
        if (k < 0) continue;
        Elem *first = p->cls->member[k];
        if (elem_is_inner(first) || elem_is_inner(elem_final(first)))
            return inst_member(front, p, (int)k);
    }
    return NULL;
}

/* An inner made at the top because none was declared (Modelica 3.6, 5.4). */
static Inst *implicit_inner(Front *front, Inst *inst) {
    Inst *root = front->model;
    if (!root || root == inst->parent || inst->basic < BASIC_RECORD) return NULL;
    for (int k = root->cls->members; k < root->nchild; k++)
        if (root->child[k]->name == inst->name) return root->child[k];
    if (inst->cls->def && inst->cls->def->partial) return NULL;
    Inst *inner = inst_new(front, root, inst->name, inst->cls, inst->pos);
    inner->elem = inst->elem;
    inner->basic = inst->basic;
    inner->vary = inst->vary;
    inner->prefix.inner = inner->prefix.hidden = true;
    inner->state = INST_DONE;
    Inst **child = NEW(&front->arena, Inst *, root->nchild + 2);
    memcpy(child, root->child, sizeof(Inst *) * (size_t)root->nchild);
    child[root->nchild++] = inner;
    root->child = child;
    open_members(front, inner);
    diag_report(front->diag, inst->pos, CODE_F161,
                "there is no inner '%s': one is added at the top of the model",
                text_of(front, inst->name));
    return inner;
}

static void missing_inner(Front *front, Inst *inst) {
    const Class *def = inst->cls->def;
    const Mod   *hint =
        def ? annotation_find(def->annotation, WORD(front, missingInnerMessage)) : NULL;
    Text text = {0};
    if (hint && hint->value.kind == EXPR_STRING) {
        text_add(&text, ": ");
        string_decode(&text, front->session, hint->value);
    }
    diag_report(front->diag, inst->pos, CODE_F160,
                "no inner '%s' is declared around this outer component%s",
                text_of(front, inst->name), text_get(&text));
    text_free(&text);
    Inst *p = inst->parent ? inst->parent->parent : NULL;
    for (; p; p = p->parent) {
        int64_t k = map_get(&p->cls->index, inst->name, -1);
        if (k < 0) continue;
        diag_note(front->diag, p->cls->member[k]->pos,
                  "'%s' of '%s' is not declared inner", text_of(front, inst->name),
                  cls_text(front, p->cls));
        break;
    }
}

static void link_outer(Front *front, Inst *inst) {
    Inst *inner =
        find_inner(front, inst->parent ? inst->parent->parent : NULL, inst->name);
    if (!inner) inner = implicit_inner(front, inst);
    if (!inner) {
        missing_inner(front, inst);
        inst->state = INST_BAD;
        return;
    }
    if (inner->state == INST_BAD || !check_inner(front, inst, inner)) {
        inst->state = INST_BAD;
        return;
    }
    inst->link = inner;
    inst->ndim = 0;
    inst->dim = NULL;
}

Inst *inst_outside(Front *front, Inst *inst) {
    if (!inst || !inst->prefix.inner || !inst->prefix.outer || inst->state != INST_DONE)
        return inst;
    int64_t known = map_get(&front->outside_of, (uintptr_t)inst, 0);
    if (known) return (Inst *)(intptr_t)known;
    Inst *outside = inst_new(front, inst->parent, inst->name, inst->cls, inst->pos);
    outside->elem = inst->elem;
    outside->basic = inst->basic;
    outside->vary = inst->vary;
    outside->prefix.outer = true;
    outside->state = INST_DONE;
    map_put(&front->outside_of, (uintptr_t)inst, (int64_t)(intptr_t)outside);
    link_outer(front, outside);
    return outside;
}

/* ---- making one -------------------------------------------------------------------------------- */

/* The part of the modifiers that concerns classes inside cls: it makes a view. */
static Md *class_part(Front *front, Cls *cls, Md *md) {
    Md *part = NULL;
    for (int k = 0; md && k < md->count; k++) {
        Md *sub = md->sub[k];
        if (sub->broken) continue;
        bool is_class = sub->redeclare && sub->redeclare->is_class;
        if (!is_class && sub->count) {
            Elem *elem = cls_find(front, cls, sub->name);
            is_class = elem && elem->is_class;
        }
        if (!is_class) continue;
        Md *one = NEW(&front->arena, Md, 1);
        one->sub = NEW(&front->arena, Md *, 1);
        one->sub[0] = sub;
        one->count = 1;
        part = md_merge(front, one, part);
    }
    return part;
}

static void check_names(Front *front, Inst *inst, Md *md) {
    if (inst->basic < BASIC_RECORD) {
        check_attribute_names(front, inst, md);
        return;
    }
    for (int k = 0; md && k < md->count; k++) {
        Md *sub = md->sub[k];
        if (sub->used) continue;
        sub->used = true;
        const char *name = text_of(front, sub->name);
        Suggest     suggest = suggest_start(name);
        Elem       *elem = cls_find(front, inst->cls, sub->name);
        if (elem && sub->redeclare && sub->redeclare->is_class != elem->is_class)
            diag_report(front->diag, sub->redeclare->pos, CODE_F141,
                        "'%s' is a %s and cannot become a %s", name,
                        elem->is_class ? "class" : "component",
                        elem->is_class ? "component" : "class");
        else if (elem && elem->is_class && sub->value)
            diag_report(front->diag, sub->pos, CODE_F137,
                        "'%s' is a class and has no value; did you mean 'redeclare'?",
                        name);
        if (elem) continue;
        cls_suggest(front, inst->cls, &suggest);
        diag_report(front->diag, sub->pos, CODE_F130, "'%s' has no element '%s'%s%s%s",
                    cls_text(front, inst->cls), name,
                    suggest.best ? "; did you mean '" : "",
                    suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
    }
}

static bool condition_holds(Front *front, Inst *inst, const Elem *elem, Scope scope) {
    if (elem->comp->condition.kind == EXPR_NONE) return true;
    Ctx  ctx = {.front = front, .scope = scope};
    Tx  *tx = type_expr(&ctx, elem->comp->condition);
    bool holds = true;
    if (ty_bad(tx->type)) return true;
    if (tx->type.basic != BASIC_BOOLEAN || tx->type.ndim)
        diag_report(front->diag, tx->pos, CODE_T112,
                    "a condition must be Boolean, this is %s", ty_text(front, tx->type));
    else if (!eval_boolean(front, tx, &holds)) {
        report_unknown(front, tx, CODE_F152, "condition", inst);
        holds = true;
    }
    return holds;
}

/* Modifiers that a replaced declaration leaves behind: those of its constraining clause, or its own if
 * it has none. */
static Md *left_mods(Front *front, const Elem *elem, Inst *parent) {
    Scope at = {elem->owner, elem->inst ? elem->inst : parent};
    if (elem->ast && elem->ast->constraint) return elem_constraint(front, elem, parent);
    return md_of_component(front, elem->comp, at);
}

static Md *all_mods(Front *front, Inst *parent, Elem *first, Elem *elem, Md *outer,
                    Scope scope) {
    Md *mods = md_merge(front, outer, md_bind(front, first->mod, parent));
    Md *own = md_merge(front, md_of_component(front, elem->comp, scope),
                       elem_constraint(front, elem, parent));
    Md *left = NULL;
    for (const Elem *e = first; e && e != elem; e = e->replaced)
        left = md_merge(front, left_mods(front, e, parent), left);
    return md_merge_left(front, md_merge(front, mods, own), left);
}

/* The element `first` of a class is modified by `outer`, as part of a component. */
static void check_modified(Front *front, Inst *parent, Elem *first, Elem *elem,
                           Md *outer) {
    Md *inner = first->mod;
    if (first->ast && first->ast->final) {
        check_final(front, NULL, outer);
        check_final(front, NULL, inner);
    }
    if (first->protected_ && outer &&
        (outer->value || outer->count || outer->redeclare)) {
        const Md *at = outer;
        while (!at->value && !at->redeclare && at->count) at = at->sub[0];
        diag_report(front->diag, outer->pos, CODE_F134,
                    "'%s' is protected and cannot be modified here",
                    text_of(front, first->name));
        diag_note(front->diag, first->pos, "declared here");
    }
    if (outer && outer->each && outer->scope.inst &&
        inst_is_under(parent, outer->scope.inst) &&
        inst_depth_dims(parent, outer->scope.inst) == 0)
        diag_report(
            front->diag, outer->pos, CODE_F132,
            "'each' has no meaning here: neither '%s' nor a component around it is an "
            "array",
            text_of(front, parent->name));
    int was = (first->comp->subscripts ? (int)first->comp->subscripts->count : 0) +
              (first->group->subscripts ? (int)first->group->subscripts->count : 0);
    int now = (elem->comp->subscripts ? (int)elem->comp->subscripts->count : 0) +
              (elem->group->subscripts ? (int)elem->group->subscripts->count : 0);
    if (elem != first && now && now != was)
        diag_report(front->diag, elem->pos, CODE_F143,
                    "'%s' has %d dimensions and cannot be redeclared with %d",
                    text_of(front, first->name), was, now);
    if (elem != first && elem->ast && elem->ast->redeclare &&
        elem->owner != first->owner && elem->protected_ && !first->protected_)
        diag_report(front->diag, elem->pos, CODE_F143,
                    "'%s' is public and cannot be redeclared as protected",
                    text_of(front, first->name));
    if (elem != first && first->group->varies == VARIES_CONSTANT)
        diag_report(front->diag, elem->pos, CODE_F144,
                    "'%s' is a constant and cannot be redeclared",
                    text_of(front, first->name));
    else if (elem != first && elem->group->varies != VARIES_CONTINUOUS &&
             vary_of(elem->group) > vary_of(first->group))
        diag_report(
            front->diag, elem->pos, CODE_F144,
            "'%s' is a parameter and cannot be redeclared as something that varies "
            "more",
            text_of(front, first->name));
}

/* A component of a class around it without end. Deep trees that end are fine. */
static bool contains_itself(Front *front, const Inst *parent, const Cls *cls,
                            const Elem *elem) {
    if (!cls->def || cls->basic < BASIC_RECORD) return false;
    int  depth = 0;
    bool again = false;
    for (const Inst *p = parent; p; p = p->parent, depth++)
        again |= p->cls->def == cls->def;
    if (!again || (depth <= INST_DEPTH && !front->endless)) return false;
    if (!front->endless)
        diag_report(
            front->diag, elem->pos, CODE_F123,
            "'%s' contains itself: its class '%s' has a component of this class inside",
            text_of(front, elem->name), cls_text(front, cls));
    front->endless = true;
    return true;
}

/* The element that declares the component in the end. */
static Elem *declared(Front *front, Elem *first, const Md *outer) {
    if (!outer || !outer->redeclare || outer->redeclare->is_class)
        return elem_final(first);
    Elem *elem = outer->redeclare;
    if (!first->ast || !first->ast->replaceable) {
        diag_report(front->diag, elem->pos, CODE_F142,
                    "'%s' cannot be redeclared: it is not replaceable",
                    text_of(front, elem->name));
        diag_note(front->diag, first->pos, "declared here");
    }
    return elem;
}

/* What replaces an element must be a subtype of what its declaration asks for. */
static void check_replaced(Front *front, Elem *first, Elem *elem, Cls *cls, Inst *owner,
                           Scope scope) {
    if (!first->ast || !first->ast->replaceable) return;
    const Based *constraint = first->ast->constraint;
    if (elem != first) {
        Scope       at = {first->owner, first->inst ? first->inst : owner};
        const Name *wanted = constraint ? constraint->base : first->group->type;
        check_later(front, cls, lookup_class(front, at, wanted, true), elem->pos);
    } else if (constraint) {
        check_later(front, cls, lookup_class(front, scope, constraint->base, true),
                    elem->pos);
    }
}

/* Its class with the modifiers of classes inside. */
static void take_class(Front *front, Inst *inst, Cls *cls, Md *mods) {
    Md *part = cls->def ? class_part(front, cls, mods) : NULL;
    if (part) cls = cls_view(front, cls, part);
    cls_bases(front, cls);
    if (cls->def && cls->basic < BASIC_RECORD) {
        cls_members(front, cls);
        check_class(front, cls);
    }
    inst->cls = cls;
    inst->basic = cls->basic;
    if (cls->basic != BASIC_FUNCTION && !cls_is_kind(cls, CLASS_PACKAGE)) return;
    if (cls->basic == BASIC_FUNCTION && inst->parent->in_function) return;
    diag_report(front->diag, inst->elem->pos, CODE_F104,
                "'%s' is a %s and cannot be the type of a component",
                cls_text(front, cls),
                cls->basic == BASIC_FUNCTION ? "function" : "package");
    inst->state = INST_BAD;
}

static void take_value(Front *front, Inst *inst, const Md *mods) {
    const Cls *cls = inst->cls;
    if (!mods || !mods->value) return;
    inst->binding.text = mods->value;
    inst->binding.scope = mods->scope;
    inst->binding.each = mods->each;
    inst->why = mods->value_pos;
    if (inst->basic != BASIC_COMPONENT || !cls->def) return;
    diag_report(front->diag, mods->value->pos, CODE_T108,
                "'%s' is a %s and has no value; modify its elements instead",
                text_of(front, inst->name),
                cls_is_kind(cls, CLASS_CONNECTOR) ? "connector"
                : cls_is_kind(cls, CLASS_BLOCK)   ? "block"
                                                  : "model");
    inst->binding.text = NULL;
}

static void finish_outer(Front *front, Inst *inst, const Md *outside) {
    const Component *comp = inst->elem->comp;
    if (outside && !inst->prefix.inner && (outside->value || outside->count))
        diag_report(front->diag, outside->pos, CODE_F136,
                    "outer '%s' cannot be modified; modify the inner one",
                    text_of(front, inst->name));
    if (comp->value.kind != EXPR_NONE || (comp->mods && comp->mods->count))
        diag_report(front->diag,
                    comp->value.kind != EXPR_NONE ? comp->value.pos
                                                  : comp->mods->item[0].pos,
                    CODE_F136, "outer '%s' cannot be modified; modify the inner one",
                    text_of(front, inst->name));
    inst->state = INST_DONE;
    link_outer(front, inst);
}

static Inst *make(Front *front, Inst *parent, int k) {
    Elem *first = parent->cls->member[k];
    Md   *outer = md_find(parent->md, first->name);
    Elem *elem = declared(front, first, outer);
    check_modified(front, parent, first, elem, outer);
    Inst *owner = elem->inst ? elem->inst : parent;
    if (owner->is_package) owner = NULL;
    Scope scope = {elem->owner, owner};
    Inst *inst = inst_new(front, parent, first->name, front->real, elem->pos);
    inst->elem = elem;
    inst->state = INST_BUSY;
    parent->child[k] = inst;
    /* a redeclaration keeps the condition and the dimensions it does not give itself */
    Scope first_scope = {first->owner, first->inst ? first->inst : owner ? parent : NULL};
    bool  old = elem != first && elem->comp->condition.kind == EXPR_NONE;
    if (!condition_holds(front, inst, old ? first : elem, old ? first_scope : scope))
        inst->absent = true;
    Cls *cls = lookup_class(front, scope, elem->group->type, false);
    if (!cls || !cls_bases(front, cls) || contains_itself(front, parent, cls, elem)) {
        inst->state = INST_BAD;
        return inst;
    }
    check_replaced(front, first, elem, cls, owner, scope);
    Md *mods = all_mods(front, parent, first, elem, outer, scope);
    cls = mockup_class(front, cls, mods, elem->pos);
    if (!cls) {
        inst->state = INST_BAD;
        return inst;
    }
    if (mods && mods->final) inst->prefix.final = true;
    take_class(front, inst, cls, mods);
    take_prefixes(front, inst, elem, first);
    inst->md = md_merge(front, mods, inst->cls->attr);
    take_value(front, inst, mods);
    find_theta(front, inst);
    check_component(front, inst, first);
    if (inst->state == INST_BAD) return inst;
    if (inst->prefix.outer && !inst->prefix.inner && !parent->in_function &&
        !parent->is_package) {
        take_sizes(front, inst, elem, scope);
        finish_outer(front, inst, outer);
        return inst;
    }
    if (!inst->absent) check_names(front, inst, mods);
    if (inst->basic >= BASIC_RECORD && inst->state != INST_BAD && inst->cls->def) {
        open_members(front, inst);
        if (inst->state == INST_BAD) return inst;
    }
    old = elem != first && !elem->comp->subscripts && !elem->group->subscripts;
    take_sizes(front, inst, old ? first : elem, old ? first_scope : scope);
    sizes_from_binding(front, inst);
    if (inst->state == INST_BUSY) inst->state = INST_DONE;
    if (inst->cls->def && inst->cls->def->partial && !parent->in_function &&
        !inst->absent && inst->basic == BASIC_COMPONENT && !parent->is_package)
        diag_report(front->diag, elem->pos, CODE_F105,
                    "class '%s' of component '%s' is partial", cls_text(front, inst->cls),
                    text_of(front, inst->name));
    return inst;
}

void inst_unlink(Front *front, Inst *inst) {
    inst->ndim = inst->link->ndim;
    inst->dim = inst->link->dim;
    inst->link = NULL;
    inst->prefix.outer = false;
    if (inst->basic == BASIC_RECORD && !inst->nchild) open_members(front, inst);
}

Inst *inst_member(Front *front, Inst *inst, int k) {
    if (k >= inst->cls->members || inst->child[k]) {
        Inst *child = inst->child[k];
        if (child && child->state == INST_BUSY && child->dim)
            return child; /* Real A[:, size(A, 1)] */
        if (child && child->state == INST_BUSY) {
            diag_report(front->diag, child->pos, CODE_F124,
                        "the declaration of '%s' depends on itself",
                        text_of(front, child->name));
            child->state = INST_BAD;
        }
        return child;
    }
    if (!front_enter(front, inst->pos)) return NULL;
    Inst *child = make(front, inst, k);
    front_leave(front);
    return child;
}

Inst *inst_child(Front *front, Inst *inst, Str name) {
    inst = inst_real(inst);
    int64_t k = map_get(&inst->cls->index, name, -1);
    if (k >= 0 && k < inst->nchild) return inst_member(front, inst, (int)k);
    for (int j = inst->cls->members; j < inst->nchild; j++)
        if (inst->child[j]->name == name) return inst->child[j];
    return NULL;
}

void inst_all(Front *front, Inst *inst) {
    if (inst->state == INST_BAD) return;
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst_member(front, inst, k);
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->nchild) inst_all(front, child);
    }
}
