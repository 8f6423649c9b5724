/* SPDX-License-Identifier: Apache-2.0 */
/* check.c -- rules of Modelica that need no translation of equations: what each kind of
 * class may hold (4.6; restrict.c), what may extend what (7.1.3), names in modifiers of extends (7.2),
 * elements inherited twice (7.1), redeclarations and their constraints (7.3), balanced
 * connectors (9.3.1), types of attributes (4.9).
 *
 * Rules about the text of a class are checked once per definition, when the class is first
 * instantiated; rules about types when the whole model is known, so that checking never
 * opens a file that translating would not. */
#include "inst/connect.h"

#include <math.h>
#include <string.h>

/* ---- kinds of classes ------------------------------------------------------------------ */

const char *const class_kind_names[] = {
    [CLASS_CLASS] = "class",         [CLASS_MODEL] = "model",
    [CLASS_RECORD] = "record",       [CLASS_BLOCK] = "block",
    [CLASS_CONNECTOR] = "connector", [CLASS_TYPE] = "type",
    [CLASS_PACKAGE] = "package",     [CLASS_FUNCTION] = "function",
    [CLASS_OPERATOR] = "operator"};

static const char *kind_name(const Cls *cls) {
    return cls->def ? class_kind_names[cls->def->kind] : "predefined type";
}

#define BIT(kind) (1u << CLASS_##kind)

/* Kinds that a class of each kind may extend; `class` may be extended by all. */
static const unsigned may_extend[] = {
    [CLASS_CLASS] = ~0u,
    [CLASS_MODEL] = BIT(MODEL) | BIT(BLOCK) | BIT(RECORD),
    [CLASS_RECORD] = BIT(RECORD),
    [CLASS_BLOCK] = BIT(BLOCK) | BIT(RECORD),
    [CLASS_CONNECTOR] = BIT(CONNECTOR) | BIT(RECORD) | BIT(TYPE),
    [CLASS_TYPE] = BIT(TYPE),
    [CLASS_PACKAGE] = BIT(PACKAGE),
    [CLASS_FUNCTION] = BIT(FUNCTION) | BIT(OPERATOR),
    [CLASS_OPERATOR] = BIT(OPERATOR)};

bool check_base_kind(Front *front, const Class *def, const Cls *base, Pos pos) {
    bool fits = base->def ? base->def->kind == CLASS_CLASS ||
                                may_extend[def->kind] >> base->def->kind & 1
                          : def->kind == CLASS_TYPE || def->kind == CLASS_CONNECTOR ||
                                def->kind == CLASS_CLASS;
    if (fits) return true;
    diag_report(front->diag, pos, CODE_F139, "'%s' is a %s: a %s cannot be made of it",
                cls_text(front, base), kind_name(base), class_kind_names[def->kind]);
    return false;
}

/* The operators of an operator record are for its own type: it is no base class, but a short class may modify
 * it (Modelica 3.6, 14). */
bool check_base_operator(Front *front, const Class *def, const Cls *base, Pos pos) {
    if (def->form == FORM_SHORT || !base->def || base->def->kind != CLASS_RECORD ||
        !base->def->operator_)
        return true;
    diag_report(front->diag, pos, CODE_F139,
                "'%s' is an operator record: it cannot be extended",
                cls_text(front, base));
    return false;
}

/* ---- components ------------------------------------------------------------------------- */

static bool all_causal(Front *front, Inst *inst) {
    if (inst->way || inst->vary <= VARY_PARAMETER) return true;
    if (inst->basic != BASIC_COMPONENT && inst->basic != BASIC_RECORD) return false;
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst_member(front, inst, k);
        if (child && child->state == INST_DONE && !all_causal(front, child)) return false;
    }
    return true;
}

void check_component(Front *front, Inst *inst, const Elem *first) {
    const Inst  *parent = inst->parent;
    const Class *def = inst->cls->def, *around = parent ? parent->cls->def : NULL;
    bool model = def && inst->basic == BASIC_COMPONENT && def->kind != CLASS_CONNECTOR &&
                 def->kind != CLASS_TYPE && def->kind != CLASS_CLASS;
    if (model && around &&
        (around->kind == CLASS_RECORD || around->kind == CLASS_CONNECTOR ||
         around->kind == CLASS_FUNCTION)) {
        Text text = {0};
        text_printf(&text, "a %s cannot hold a component of %s '%s'",
                    class_kind_names[around->kind], kind_name(inst->cls),
                    cls_text(front, inst->cls));
        diag_report(front->diag, inst->pos, CODE_F115, "%s", text_get(&text));
        text_free(&text);
        inst->state = INST_BAD;
    }
    const Components *group = inst->elem->group;
    if (model && (group->causality || group->flow || group->varies != VARIES_CONTINUOUS))
        diag_report(front->diag, inst->pos, CODE_F115,
                    "'%s' is of %s '%s': prefixes like 'parameter', 'input' and 'flow' "
                    "are for types, records and connectors",
                    text_of(front, inst->name), kind_name(inst->cls),
                    cls_text(front, inst->cls));
    bool varied = inst->vary <= VARY_PARAMETER || first->group->varies == VARIES_DISCRETE;
    if (inst->basic == BASIC_CLOCK && (varied || inst->in_function)) {
        static const char *const prefix[] = {"a constant", "a parameter", "discrete"};
        diag_report(front->diag, inst->pos, CODE_T196, "clock '%s' cannot be %s",
                    text_of(front, inst->name),
                    inst->in_function ? "a variable of a function" : prefix[inst->vary]);
        inst->state = INST_BAD;
    }
    if (first->group->flow && inst->basic != BASIC_REAL && inst->basic < BASIC_RECORD &&
        inst->basic != BASIC_BAD)
        diag_report(front->diag, inst->pos, CODE_T185,
                    "a %s variable is Real, '%s' is %s",
                    first->group->flow == FLOW_FLOW ? "flow" : "stream",
                    text_of(front, inst->name), ty_text(front, inst_type(front, inst)));
}

static void count_connector(Front *front, Inst *inst, int64_t times, int64_t *count) {
    for (int k = 0; k < inst->ndim; k++) times *= inst->dim[k] > 0 ? inst->dim[k] : 0;
    if (inst->absent || inst->vary <= VARY_PARAMETER) return;
    if (inst->cls->def && inst->conn == CONN_NONE) {
        Elem *elem = cls_find(front, inst->cls, WORD(front, equalityConstraint));
        Cls  *cls = elem && elem->is_class ? elem_class(front, elem, NULL) : NULL;
        Func *func = cls ? func_of(front, cls, 0) : NULL;
        if (func && func->nout == 1) {
            int64_t n = ty_scalars(front, inst_type(front, func->out[0]));
            count[CONN_NONE] += n > 0 ? n * times : 0;
            return;
        }
    }
    if (inst->basic < BASIC_RECORD) {
        if (inst->way == WAY_NONE) count[inst->conn] += times;
        return;
    }
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (child && child->state == INST_DONE)
            count_connector(front, child, times, count);
    }
}

/* A connector after all its members are made. */
static void check_connector(Front *front, Inst *inst) {
    const Class *def = inst->cls->def;
    int64_t      count[3] = {0};
    if (!def || def->partial || inst->basic != BASIC_COMPONENT) return;
    if (map_has(&front->rules.checked, (uintptr_t)inst->cls)) return;
    map_put(&front->rules.checked, (uintptr_t)inst->cls, 1);
    for (int k = 0; k < inst->nchild; k++)
        if (inst->child[k] && inst->child[k]->state == INST_DONE)
            count_connector(front, inst->child[k], 1, count);
    const char *name = cls_text(front, inst->cls);
    long long   flows = count[CONN_FLOW], potentials = count[CONN_NONE];
    if (inst->expandable) { /* flows may lie in connectors inside */
        for (int k = 0; k < inst->nchild; k++) {
            const Inst *child = inst->child[k];
            if (child && child->conn == CONN_FLOW && !child->alias_of)
                diag_report(front->diag, child->pos, CODE_F118,
                            "expandable connector '%s' cannot have flow variables", name);
        }
        return;
    }
    if (count[CONN_STREAM] && flows != 1)
        diag_report(
            front->diag, def->pos, CODE_F118,
            "stream variables need exactly one flow variable, connector '%s' has %lld",
            name, flows);
    else if (flows != potentials)
        diag_report(front->diag, def->pos, CODE_F118,
                    "connector '%s' has %lld flow variable%s for %lld potential%s", name,
                    flows, flows == 1 ? "" : "s", potentials, potentials == 1 ? "" : "s");
}

void check_instances(Front *front, Inst *inst) {
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->connector && !inst->in_connector) {
            check_connector(front, child);
            if (cls_is_kind(inst->cls, CLASS_BLOCK) && !child->prefix.protected_ &&
                !child->expandable && !all_causal(front, child))
                diag_report(front->diag, child->pos, CODE_F115,
                            "public connectors of a block are inputs or outputs");
        }
        if (child->basic < BASIC_RECORD) check_attributes(front, child);
        if (child->nchild) check_instances(front, child);
    }
}

/* ---- attributes --------------------------------------------------------------------------- */

static const struct Attribute {
    const char *name;
    uint8_t     basic; /* BASIC_BAD: that of the variable                          */
    uint8_t     of;    /* bits: 1 Real, 2 Integer, 4 Boolean, 8 String, 16 enum    */
} attributes[] = {{"start", BASIC_BAD, 31},         {"fixed", BASIC_BOOLEAN, 31},
                  {"min", BASIC_BAD, 19},           {"max", BASIC_BAD, 19},
                  {"unit", BASIC_STRING, 1},        {"nominal", BASIC_BAD, 1},
                  {"displayUnit", BASIC_STRING, 1}, {"quantity", BASIC_STRING, 31},
                  {"stateSelect", BASIC_ENUM, 1},   {"unbounded", BASIC_BOOLEAN, 1}};

static unsigned attribute_bit(const Inst *inst) {
    switch (inst->basic) {
    case BASIC_REAL: return 1;
    case BASIC_INTEGER: return 2;
    case BASIC_BOOLEAN: return 4;
    case BASIC_STRING: return 8;
    case BASIC_ENUM: return 16;
    default: return 0;
    }
}

static const struct Attribute *find_attribute(const char *name) {
    for (int k = 0; k < LENGTH(attributes); k++)
        if (strcmp(attributes[k].name, name) == 0) return &attributes[k];
    return NULL;
}

static void no_attribute(Front *front, const char *type, unsigned bit, const char *name,
                         Pos pos) {
    Suggest suggest = suggest_start(name);
    for (int k = 0; k < LENGTH(attributes); k++)
        if (attributes[k].of & bit) suggest_candidate(&suggest, attributes[k].name);
    diag_report(front->diag, pos, CODE_F130, "'%s' has no attribute '%s'%s%s%s", type,
                name, suggest.best ? "; did you mean '" : "",
                suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
}

void check_attribute_names(Front *front, Inst *inst, Md *md) {
    for (int k = 0; md && k < md->count; k++) {
        Md *sub = md->sub[k];
        if (sub->used) continue;
        sub->used = true;
        const char             *name = text_of(front, sub->name);
        const struct Attribute *a = find_attribute(name);
        const char             *type = cls_text(front, inst->cls);
        if (!a || !(a->of & attribute_bit(inst)))
            no_attribute(front, type, attribute_bit(inst), name, sub->pos);
        else if (sub->count)
            diag_report(front->diag, sub->sub[0]->pos, CODE_F130,
                        "attribute '%s' has no element '%s'", name,
                        text_of(front, sub->sub[0]->name));
    }
}

static bool attribute_fits(Front *front, Ty given, Ty wanted) {
    if (wanted.basic == BASIC_ENUM && given.basic == BASIC_ENUM)
        return ty_fits(front, given, wanted, false);
    return given.basic == wanted.basic ||
           (given.basic == BASIC_INTEGER && wanted.basic == BASIC_REAL);
}

static void check_attribute(Front *front, Inst *inst, Md *md) {
    const char             *name = text_of(front, md->name);
    const struct Attribute *a = find_attribute(name);
    if (!a || !(a->of & attribute_bit(inst)) || !front_enter(front, inst->pos)) return;
    Ctx ctx = {.front = front, .scope = md->scope};
    Tx *tx = type_expr(&ctx, *md->value);
    front_leave(front);
    if (ty_bad(tx->type)) return;
    Ty wanted = a->basic == BASIC_ENUM  ? ty_of_class(front, front->state_select)
                : a->basic == BASIC_BAD ? ty_element(inst_type(front, inst), inst->ndim)
                                        : ty_scalar((Basic)a->basic);
    if (!attribute_fits(front, tx->type, wanted)) {
        diag_report(front->diag, tx->pos, CODE_T101, "'%s' is %s, but its value is %s",
                    name, ty_text(front, wanted),
                    ty_text(front, ty_element(tx->type, tx->type.ndim)));
        return;
    }
    if (tx->vary > VARY_PARAMETER) {
        diag_report(front->diag, tx->pos, CODE_T104, "'%s' must not vary, this does",
                    name);
        return;
    }
    const Md *type = md_find(inst->cls->attr, md->name);
    if (type && type->value == md->value)
        return; /* of its type: holds for each element */
    check_sizes(front, inst, tx, md, wanted);
}

void check_attributes(Front *front, Inst *inst) {
    for (int k = 0; inst->md && k < inst->md->count; k++) {
        Md *md = inst->md->sub[k];
        if (!md->value || md->checked) continue;
        md->checked = true;
        check_attribute(front, inst, md);
    }
}

/* ---- names in extends, elements inherited twice ----------------------------------------------- */

void check_mod_names(Front *front, Cls *base, const Mods *mods) {
    if (!mods || base->bad || !cls_bases(front, base)) return;
    for (uint32_t k = 0; k < mods->count; k++) {
        const Mod *mod = &mods->item[k];
        Pos        pos = mod->pos;
        Str        name = mod->name;
        if (mod->kind == MOD_BREAK_CONNECT) continue;
        if (mod->kind == MOD_ELEMENT && mod->element->kind == ELEMENT_CLASS) {
            name = mod->element->class_->name;
            pos = mod->element->class_->pos;
        } else if (mod->kind == MOD_ELEMENT) {
            if (mod->element->kind != ELEMENT_COMPONENTS ||
                !mod->element->components->count)
                continue;
            name = mod->element->components->item[0].name;
            pos = mod->element->components->item[0].pos;
        }
        if (base->basic < BASIC_RECORD || base->basic == BASIC_CLOCK) {
            Inst                    like = {.basic = base->basic};
            const struct Attribute *a = find_attribute(text_of(front, name));
            if (!a || !(a->of & attribute_bit(&like)))
                no_attribute(front, cls_text(front, base), attribute_bit(&like),
                             text_of(front, name), pos);
            continue;
        }
        if (cls_find(front, base, name)) continue;
        Suggest suggest = suggest_start(text_of(front, name));
        cls_suggest(front, base, &suggest);
        diag_report(front->diag, pos, CODE_F130, "'%s' has no element '%s'%s%s%s",
                    cls_text(front, base), text_of(front, name),
                    suggest.best ? "; did you mean '" : "",
                    suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
    }
}

static bool same_component(Front *front, const Elem *a, const Elem *b) {
    if (a->comp == b->comp || !a->group || !b->group) return true;
    if (a->group->varies != b->group->varies || a->group->flow != b->group->flow ||
        a->group->causality != b->group->causality)
        return false;
    Scope sa = {a->owner, a->inst}, sb = {b->owner, b->inst};
    Cls  *ca = lookup_class(front, sa, a->group->type, true);
    Cls  *cb = lookup_class(front, sb, b->group->type, true);
    if (!ca || !cb || ca->plain == cb->plain || (ca->def && ca->def == cb->def))
        return true;
    return cls_extends(front, ca, cb) || cls_extends(front, cb, ca);
}

void check_twice(Front *front, Elem *first, Elem *second, Pos pos) {
    if (first->mod && first->mod->redeclare) return;
    if (first->ast && first->ast->redeclare) return;
    if (second->ast && second->ast->redeclare) return;
    if (first->replaced || second->replaced ||
        (first->protected_ == second->protected_ && same_component(front, first, second)))
        return;
    diag_report(front->diag, pos, CODE_F114, "'%s' is inherited with another declaration",
                text_of(front, first->name));
    diag_note(front->diag, first->pos, "one is here");
    diag_note(front->diag, second->pos, "the other is here");
}

/* Classes of the same name in two base classes. */
static void check_base_classes(Front *front, Cls *cls) {
    for (int b = 1; b < cls->bases; b++) {
        Cls *base = cls->base[b];
        if (!cls->base_ast[b] || !base->def) continue;
        cls_own(front, base);
        for (int k = 0; k < base->owns; k++) {
            Elem *elem = base->own_list[k];
            if (!elem->is_class || map_has(&cls->own, elem->name) || elem->replaced)
                continue;
            for (int a = 0; a < b; a++) {
                if (!cls->base[a]->def) continue;
                Elem *first =
                    (Elem *)(intptr_t)map_get(&cls->base[a]->own, elem->name, 0);
                if (!first || !first->is_class || first->def == elem->def ||
                    first->replaced || first->def->form == FORM_SHORT ||
                    elem->def->form == FORM_SHORT)
                    continue;
                const Name *name = cls->base_ast[b]->base;
                diag_report(front->diag, name->part[name->count - 1].pos, CODE_F114,
                            "class '%s' is inherited with another definition",
                            text_of(front, elem->name));
                diag_note(front->diag, first->pos, "one is here");
                diag_note(front->diag, elem->pos, "the other is here");
            }
        }
    }
}

void check_inherited(Front *front, Cls *cls) {
    const Class *def = cls->def;
    if (!def || cls->bad) return;
    if (def->form == FORM_SHORT && cls->bases == 1)
        check_mod_names(front, cls->base[0], def->mods);
    for (int k = 0; k < cls->bases; k++)
        if (cls->base_ast[k])
            check_mod_names(front, cls->base[k], cls->base_ast[k]->mods);
    for (int k = 0; k < cls->owns; k++) {
        Elem *elem = cls->own_list[k];
        if (!elem->ast || !elem->ast->redeclare) continue;
        Elem *found = NULL;
        for (int b = 0; b < cls->bases && !found; b++)
            found = cls_find(front, cls->base[b], elem->name);
        if (found) continue;
        bool extends = elem->is_class && elem->def->form == FORM_EXTENDS;
        if (extends)
            diag_report(front->diag, elem->pos, CODE_F121,
                        "there is no inherited class '%s' to extend",
                        text_of(front, elem->name));
        else
            diag_report(front->diag, elem->pos, CODE_F145,
                        "there is no inherited element '%s' that could be redeclared",
                        text_of(front, elem->name));
    }
    check_base_classes(front, cls);
}

/* ---- redeclarations ------------------------------------------------------------------------------ */

struct Redeclared { /* to be compared when the model is complete */
    struct Redeclared *next;
    Cls               *cls, *constraint;
    Pos                pos;
};

void check_later(Front *front, Cls *cls, Cls *constraint, Pos pos) {
    if (!cls || !constraint || cls == constraint) return;
    struct Redeclared *r = NEW(&front->arena, struct Redeclared, 1);
    *r = (struct Redeclared){front->rules.redeclared, cls, constraint, pos};
    front->rules.redeclared = r;
}

/* Why cls cannot stand for wanted: written to `why`; true if it can. */
static bool can_stand_for(Front *front, Cls *cls, Cls *wanted, Text *why) {
    if (!cls_members(front, cls) || !cls_members(front, wanted)) return true;
    if (cls_extends(front, cls, wanted) || cls->plain == wanted->plain) return true;
    if (cls->basic != wanted->basic || cls->is_package != wanted->is_package) {
        text_printf(why, "it is %s%s", cls->basic < BASIC_RECORD ? "" : "a ",
                    cls->basic < BASIC_RECORD ? ty_text(front, ty_of_class(front, cls))
                                              : kind_name(cls));
        return false;
    }
    if (wanted->basic == BASIC_ENUM)
        return ty_fits(front, ty_of_class(front, cls), ty_of_class(front, wanted), false);
    for (int k = 0; k < wanted->members; k++) {
        Elem *w = wanted->member[k];
        if (w->protected_) continue;
        int64_t at = map_get(&cls->index, w->name, -1);
        if (at < 0) {
            text_printf(why, "it has no element '%s'", text_of(front, w->name));
            return false;
        }
        Elem *g = elem_final(cls->member[at]);
        w = elem_final(w);
        Cls *gc = lookup_class(front, (Scope){g->owner, NULL}, g->group->type, true);
        Cls *wc = lookup_class(front, (Scope){w->owner, NULL}, w->group->type, true);
        if (!gc || !wc || !cls_bases(front, gc) || !cls_bases(front, wc)) continue;
        if (gc->basic == wc->basic) continue;
        text_printf(why, "'%s' is %s instead of %s", text_of(front, w->name),
                    ty_text(front, ty_of_class(front, gc)),
                    ty_text(front, ty_of_class(front, wc)));
        return false;
    }
    for (int k = 0; k < wanted->owns; k++) {
        Elem *w = wanted->own_list[k];
        if (!w->is_class || w->protected_ || cls_find(front, cls, w->name)) continue;
        text_printf(why, "it has no element '%s'", text_of(front, w->name));
        return false;
    }
    return true;
}

void check_redeclared(Front *front) {
    for (struct Redeclared *r = front->rules.redeclared; r; r = r->next) {
        Text why = {0};
        if (!can_stand_for(front, r->cls, r->constraint, &why))
            diag_report(front->diag, r->pos, CODE_F143, "'%s' cannot stand for '%s': %s",
                        cls_text(front, r->cls), cls_text(front, r->constraint),
                        text_get(&why));
        text_free(&why);
    }
    front->rules.redeclared = NULL;
}

/* ---- pre, edge, change, reinit --------------------------------------------------------------- */

struct Later {
    struct Later  *next;
    const Builtin *builtin;
    const Tx      *arg;
    Pos            pos, when; /* when: of the when-clause around it, 0 none */
};

void check_use_later(Ctx *ctx, const Builtin *b, const Tx *arg, Pos pos) {
    if (arg->kind != TX_REF || arg->inst->in_function) return;
    if (b->id != BUILTIN_reinit && (arg->vary != VARY_CONTINUOUS || ctx->when)) return;
    struct Later *later = NEW(&ctx->front->arena, struct Later, 1);
    *later = (struct Later){ctx->front->rules.later, b, arg, pos, ctx->when_pos};
    ctx->front->rules.later = later;
}

static bool is_sampled(const Inst *inst) {
    for (; inst; inst = inst->parent)
        if (inst->sampled) return true;
    return false;
}

static bool is_derived(const Inst *inst) {
    for (const Inst *p = inst; p; p = p->parent)
        if (p->derived) return true;
    for (int k = 0; k < inst->nchild; k++)
        if (inst->child[k] && inst->child[k]->derived) return true;
    return false;
}

static void check_reinit(Front *front, struct Later *later) {
    const Inst *inst = later->arg->inst;
    const char *name = text_of(front, inst->name);
    if (!is_derived(inst)) {
        diag_report(front->diag, later->pos, CODE_T158,
                    "'%s' is no state: der(%s) does not appear", name, name);
        return;
    }
    if (inst_depth_dims(inst, NULL)) return;
    for (struct Later *other = later->next; other; other = other->next)
        if (other->builtin == later->builtin && other->arg->inst == inst &&
            other->when != later->when) {
            diag_report(front->diag, later->pos, CODE_T157,
                        "'%s' is reinitialised in two when-clauses", name);
            diag_note(front->diag, other->pos, "the other is here");
            return;
        }
}

void check_uses(Front *front) {
    for (struct Later *l = front->rules.later; l; l = l->next) {
        if (l->builtin->id == BUILTIN_reinit) check_reinit(front, l);
        else if (!is_sampled(l->arg->inst))
            diag_report(front->diag, l->arg->pos, CODE_T150,
                        "'%s' needs a discrete variable, '%s' is set in no when-clause",
                        l->builtin->name, text_of(front, l->arg->inst->name));
    }
    front->rules.later = NULL;
}

/* ---- values of constants and parameters ------------------------------------------------------- */

enum { CIRCLE = 16 }; /* names shown */

typedef struct Chain { /* parameters on the way of a search */
    struct Chain *up;
    Inst         *inst;
} Chain;

static void follow(Front *front, Inst *inst, Chain *up, int depth);

static void follow_tx(Front *front, const Tx *tx, Chain *up, int depth) {
    if (!tx) return;
    if (tx->kind == TX_REF && tx->inst->vary <= VARY_PARAMETER)
        follow(front, tx->inst, up, depth);
    if (tx->kind == TX_BUILTIN && tx->builtin->id == BUILTIN_size) return;
    if (tx->kind == TX_IF) { /* only what is chosen */
        bool holds = false, known = true;
        for (int k = 0; k + 1 < tx->n && known; k += 2) {
            front->peek++;
            known = eval_boolean(front, tx->arg[k], &holds);
            front->peek--;
            follow_tx(front, tx->arg[k], up, depth);
            if (known && holds) follow_tx(front, tx->arg[k + 1], up, depth);
            if (known && holds) return;
        }
        if (known) follow_tx(front, tx->arg[tx->n - 1], up, depth);
        return;
    }
    for (int k = 0; k < tx->n; k++) follow_tx(front, tx->arg[k], up, depth);
}

static void report_circle(Front *front, const Inst *inst, const Chain *up) {
    const char *name[CIRCLE];
    int         n = 0;
    for (const Chain *c = up; c && n < CIRCLE; c = c->up) {
        name[n++] = text_of(front, c->inst->name);
        if (c->inst == inst) break;
    }
    Text text = {0};
    for (int k = n - 1; k >= 0; k--) text_printf(&text, "%s%s", name[k], k ? ", " : "");
    diag_report(front->diag, inst->pos, CODE_F125,
                "the value of '%s' depends on itself (%s)", text_of(front, inst->name),
                text_get(&text));
    text_free(&text);
}

/* Depth first through the bindings of scalars; elements of arrays may use one another. */
static void follow(Front *front, Inst *inst, Chain *up, int depth) {
    if (inst->evaluation.circle == STEP_DONE || inst->in_function || depth > 2000) return;
    if (inst->evaluation.circle == STEP_BUSY) {
        report_circle(front, inst, up);
        return;
    }
    if (inst->basic >= BASIC_RECORD || inst_depth_dims(inst, NULL)) return;
    Chain chain = {up, inst};
    inst->evaluation.circle = STEP_BUSY;
    Tx *bind = inst_bind(front, inst);
    if (bind && !ty_bad(bind->type)) follow_tx(front, bind, &chain, depth + 1);
    inst->evaluation.circle = STEP_DONE;
}

static bool has_value(Front *front, Inst *inst) {
    for (Inst *p = inst; p; p = p->parent)
        if ((p == inst || p->basic == BASIC_RECORD) &&
            (p->binding.text || inst_bind(front, p)))
            return true;
    return false;
}

/* A modification may name another THETA, or write 1 as the declaration does: a value would be lost. */
static void check_theta(Front *front, Inst *inst) {
    const Expr *own = &inst->elem->comp->value, *text = inst->binding.text;
    double      value = !text                        ? 1
                        : text->kind == EXPR_INTEGER ? (double)text->integer
                        : text->kind == EXPR_REAL    ? text->real
                                                     : NAN;
    if (value == 1 || (text && text->pos == own->pos)) return;
    Tx *bind = inst_bind(front, inst);
    if (!bind || ty_bad(bind->type)) return;
    if (bind->kind == TX_REF && bind->inst->prefix.theta) return;
    diag_report(
        front->diag, bind->pos, CODE_H106,
        "'%s' stands for an infinitely fast process: it has no value and cannot be "
        "given one",
        text_of(front, inst->name));
}

static void check_one_value(Front *front, Inst *inst) {
    follow(front, inst, NULL, 0);
    if (inst->prefix.theta) {
        check_theta(front, inst);
        return;
    }
    if (inst->vary > VARY_PARAMETER || has_value(front, inst)) return;
    if (inst->vary == VARY_CONSTANT) {
        diag_report(front->diag, inst->pos, CODE_F126, "constant '%s' has no value",
                    text_of(front, inst->name));
        return;
    }
    if (front->diag->errors || inst_count(inst) == 0) return;
    if (inst->conn != CONN_NONE || inst->way || md_find(inst->md, WORD(front, start)))
        return;
    Md *fixed = md_find(inst->md, WORD(front, fixed));
    if (fixed && fixed->value && fixed->value->kind != EXPR_TRUE) return;
    Text text = {0};
    inst_name(&text, front, inst);
    diag_report(front->diag, inst->pos, CODE_F127, "parameter '%s' has no value",
                text_get(&text));
    text_free(&text);
}

void check_values(FlatModel *model, Inst *inst) {
    Front *front = model->front;
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->basic < BASIC_RECORD) check_one_value(front, child);
        else if (child->nchild) check_values(model, child);
    }
}

/* An inner component that stands for an outer one; false: reported. */
bool check_inner(Front *front, Inst *outer, Inst *inner) {
    Text why = {0};
    bool fits = can_stand_for(front, inner->cls, outer->cls, &why);
    if (!fits) {
        diag_report(front->diag, outer->pos, CODE_F162,
                    "the inner '%s' is %s, but this outer one is %s: %s",
                    text_of(front, outer->name), cls_text(front, inner->cls),
                    cls_text(front, outer->cls), text_get(&why));
        diag_note(front->diag, inner->pos, "the inner one is declared here");
    }
    text_free(&why);
    if (fits && outer->vary <= VARY_PARAMETER && inner->vary > outer->vary) {
        diag_report(front->diag, outer->pos, CODE_F162,
                    "the inner '%s' varies, but this outer one is a %s",
                    text_of(front, outer->name),
                    outer->vary == VARY_CONSTANT ? "constant" : "parameter");
        diag_note(front->diag, inner->pos, "the inner one is declared here");
        return false;
    }
    if (!fits || !outer->dim) return fits;
    bool same = outer->ndim == inner->ndim;
    for (int k = 0; same && k < outer->ndim; k++)
        same = outer->dim[k] < 0 || inner->dim[k] < 0 || outer->dim[k] == inner->dim[k];
    if (same) return true;
    Text sizes[2] = {{0}, {0}};
    Ty   type = {.ndim = (uint8_t)outer->ndim, .dim = outer->dim};
    print_size(&sizes[0], inst_type(front, inner));
    print_size(&sizes[1], type);
    diag_report(front->diag, outer->pos, CODE_F162,
                "the inner '%s' has size %s, but this outer one %s",
                text_of(front, outer->name), text_get(&sizes[0]), text_get(&sizes[1]));
    diag_note(front->diag, inner->pos, "the inner one is declared here");
    text_free(&sizes[0]);
    text_free(&sizes[1]);
    return false;
}
