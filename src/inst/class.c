/* SPDX-License-Identifier: Apache-2.0 */
/* class.c -- classes in their context.
 *
 * A Cls is worked out in three steps, each when first needed: own elements (the text
 * alone), base classes (lookup of names after extends), members (components in order,
 * inherited ones in place). While the base classes of a class are being looked up its
 * inherited elements are invisible: this is the rule of the specification (5.6.1) and
 * breaks the cycle. A base class under modifications becomes a view: a Cls with the same
 * definition and scope whose elements carry the modifications, so that text inside the base
 * class sees what was redeclared. */
#include "inst/front.h"

#include <string.h>

Cls *cls_new(Front *front, const Class *def, Cls *scope, Inst *scope_inst) {
    Cls *cls = NEW(&front->arena, Cls, 1);
    cls->def = def;
    cls->name = def ? def->name : 0;
    cls->scope = scope;
    cls->scope_inst = scope_inst;
    cls->plain = cls;
    cls->older = front->newest;
    front->newest = cls;
    cls->is_package = def && (def->kind == CLASS_PACKAGE || def->kind == CLASS_OPERATOR);
    return cls;
}

Cls *cls_view(Front *front, Cls *cls, Md *md) {
    if (!md || (md->count == 0 && !md->value)) return cls;
    Cls *view = cls_new(front, cls->def, cls->scope, cls->scope_inst);
    view->name = cls->name;
    view->elem = cls->elem;
    view->package = cls->package;
    view->plain = cls->plain;
    view->mods = md_merge(front, md_subs(front, md), cls->mods);
    view->under = cls->under;
    if (!cls->def) { /* a built-in type */
        view->basic = cls->basic;
        view->own_done = true;
        view->base_state = view->member_state = STEP_DONE;
        view->attr = view->mods;
    }
    return view;
}

Elem *elem_final(Elem *elem) {
    for (int k = 0; elem && elem->replaced && k < 50; k++) elem = elem->replaced;
    return elem;
}

/* Modifiers of the constraining clause: they hold for the declaration and for all that replace it,
 * and those of a declaration count more (Modelica 3.6, 7.3.2). */
Md *elem_constraint(Front *front, const Elem *elem, Inst *inst) {
    Scope scope = {elem->owner, elem->inst ? elem->inst : inst};
    if (!elem->ast || !elem->ast->constraint) return NULL;
    const Mods *mods = elem->ast->constraint->mods;
    return elem->is_class ? md_of_class(front, mods, scope)
                          : md_of_mods(front, mods, scope);
}

/* Modifiers that a redeclaration of a class keeps: those of the constraining clause, or of the
 * declaration itself if there is none; and what that one kept of others before. */
static Md *kept_mods(Front *front, const Elem *elem) {
    Scope scope = {elem->owner, elem->inst};
    Md   *own = NULL;
    if (elem->ast && elem->ast->constraint) own = elem_constraint(front, elem, NULL);
    else if (elem->is_class && elem->def && elem->def->form == FORM_SHORT)
        own = md_of_class(front, elem->def->mods, scope);
    return md_merge(front, own, elem->inherit);
}

static bool is_replaceable(const Elem *elem) {
    return elem->ast && elem->ast->replaceable;
}

/* Lets the modifications of the class reach one of its own elements. */
static void modify_elem(Front *front, Cls *cls, Elem *elem) {
    Md *md = md_find(cls->mods, elem->name);
    if (!md) return;
    elem->mod = md;
    if (!md->redeclare || md->redeclare == elem) return;
    Elem *by = md->redeclare;
    if (by->is_class != elem->is_class) {
        diag_report(front->diag, by->pos, CODE_F141,
                    "'%s' is a %s and cannot become a %s", text_of(front, elem->name),
                    elem->is_class ? "class" : "component",
                    by->is_class ? "class" : "component");
        return;
    }
    if (!is_replaceable(elem)) {
        diag_report(front->diag, by->pos, CODE_F142,
                    "'%s' cannot be redeclared: it is not replaceable",
                    text_of(front, elem->name));
        diag_note(front->diag, elem->pos, "declared here");
    }
    elem->replaced = by;
    if (!by->original) {
        by->original = elem;
        by->inherit = kept_mods(front, elem);
    }
}

/* Nothing may be declared with the name of a predefined type (Modelica 3.6, 4.9). */
static void check_reserved(Front *front, const Cls *cls, const Elem *elem) {
    if (cls == front->builtin ||
        (elem->name != WORD(front, Real) && elem->name != WORD(front, Integer) &&
         elem->name != WORD(front, Boolean) && elem->name != WORD(front, String)))
        return;
    diag_report(front->diag, elem->pos, CODE_F115,
                "'%s' is the name of a predefined type and cannot be declared",
                text_of(front, elem->name));
}

static void add_own(Front *front, Cls *cls, Elem *elem) {
    check_reserved(front, cls, elem);
    if (map_has(&cls->own, elem->name)) {
        Elem *first = (Elem *)(intptr_t)map_get(&cls->own, elem->name, 0);
        diag_report(front->diag, elem->pos, CODE_F110, "'%s' is declared twice in '%s'",
                    text_of(front, elem->name), cls_text(front, cls));
        diag_note(front->diag, first->pos, "first here");
        return;
    }
    if (cls->owns == cls->own_room)
        cls->own_list = arena_grow(&front->arena, cls->own_list, sizeof(Elem *),
                                   &cls->own_room, cls->owns + 1);
    cls->own_list[cls->owns++] = elem;
    map_put(&cls->own, elem->name, (int64_t)(intptr_t)elem);
    modify_elem(front, cls, elem);
}

static Str import_name(const Import *import) {
    if (import->kind == IMPORT_RENAMED) return import->alias;
    return import->kind == IMPORT_NAME ? import->path->part[import->path->count - 1].name
                                       : 0;
}

/* The last import of cls has another name than those before. */
static void check_import(Front *front, const Cls *cls, const Import *import) {
    Str name = import_name(import);
    for (int k = 0; name && k + 1 < cls->imports; k++)
        if (import_name(cls->import[k].import) == name)
            diag_report(front->diag, import->path->part[import->path->count - 1].pos,
                        CODE_F129, "'%s' is imported twice", text_of(front, name));
}

static void own_element(Front *front, Cls *cls, const Element *ast, bool protected_) {
    Elem elem = {.ast = ast, .protected_ = protected_, .owner = cls};
    if (ast->kind == ELEMENT_CLASS) {
        elem.is_class = true;
        elem.def = ast->class_;
        elem.name = ast->class_->name;
        elem.pos = ast->class_->pos;
        add_own(front, cls, arena_copy(&front->arena, &elem, sizeof elem));
    } else if (ast->kind == ELEMENT_COMPONENTS) {
        for (uint32_t k = 0; k < ast->components->count; k++) {
            elem.group = ast->components;
            elem.comp = &ast->components->item[k];
            elem.name = elem.comp->name;
            elem.pos = elem.comp->pos;
            add_own(front, cls, arena_copy(&front->arena, &elem, sizeof elem));
        }
    } else if (ast->kind == ELEMENT_IMPORT) {
        if (cls->imports == cls->import_room)
            cls->import = arena_grow(&front->arena, cls->import, sizeof(ImportUse),
                                     &cls->import_room, cls->imports + 1);
        cls->import[cls->imports++] = (ImportUse){.import = ast->import};
        check_import(front, cls, ast->import);
    }
}

static bool has_sections(const Class *def) {
    return def && (def->form == FORM_LONG || def->form == FORM_EXTENDS);
}

void cls_own(Front *front, Cls *cls) {
    if (cls->own_done) return;
    cls->own_done = true;
    if (!has_sections(cls->def)) return;
    for (uint32_t s = 0; s < cls->def->count; s++) {
        const Section *section = &cls->def->section[s];
        if (section->kind > SECTION_PROTECTED) continue;
        for (uint32_t k = 0; k < section->count; k++)
            own_element(front, cls, section->element[k],
                        section->kind == SECTION_PROTECTED);
    }
}

/* A class in a file of its own below a directory package, or at top level. */
static Elem *file_elem(Front *front, Cls *cls, Str name) {
    Package *package = NULL;
    if (cls == front->root)
        package = library_top(front->library, name, version_wanted(front, name));
    else if (cls->package) package = library_member(front->library, cls->package, name);
    if (!package || !package->class_) return NULL;
    if (cls == front->root) version_note(front, package);
    Elem *elem = NEW(&front->arena, Elem, 1);
    *elem = (Elem){.name = name,
                   .pos = package->class_->pos,
                   .is_class = true,
                   .def = package->class_,
                   .package = package,
                   .owner = cls};
    map_put(&cls->own, name, (int64_t)(intptr_t)elem);
    modify_elem(front, cls, elem);
    return elem;
}

/* The element as written in this class, not replaced; own ones only. */
static Elem *own_find(Front *front, Cls *cls, Str name) {
    cls_own(front, cls);
    Elem *elem = (Elem *)(intptr_t)map_get(&cls->own, name, 0);
    return elem ? elem : file_elem(front, cls, name);
}

Elem *cls_find(Front *front, Cls *cls, Str name) {
    Elem *elem = own_find(front, cls, name);
    if (elem) return elem_final(elem);
    if (cls->base_state == STEP_BUSY || !cls->def) return NULL;
    cls_bases(front, cls);
    for (int k = 0; k < cls->bases; k++) {
        elem = cls_find(front, cls->base[k], name);
        if (elem) return elem;
    }
    return NULL;
}

/* What `redeclare class extends X` in `owner` extends: the inherited X. */
static Elem *original_of(Front *front, Cls *owner, const Elem *by) {
    cls_bases(front, owner);
    for (int k = 0; k < owner->bases; k++) {
        Elem *elem = own_find(front, owner->base[k], by->name);
        if (elem && elem != by) return elem;
        elem = original_of(front, owner->base[k], by);
        if (elem) return elem;
    }
    return NULL;
}

Elem *elem_origin(Front *front, Elem *elem) {
    for (int depth = 0; depth < FRONT_DEPTH; depth++) {
        bool redeclares = (elem->ast && elem->ast->redeclare) ||
                          (elem->def && elem->def->form == FORM_EXTENDS);
        Elem *before = elem->original;
        if (!before && redeclares && elem->owner)
            before = original_of(front, elem->owner, elem);
        if (!before || before == elem) break;
        elem = before;
    }
    return elem;
}

static void add_base(Front *front, Cls *cls, Cls *base, const Based *ast) {
    if (cls->bases == cls->base_room) {
        int room = cls->base_room;
        cls->base = arena_grow(&front->arena, cls->base, sizeof(Cls *), &cls->base_room,
                               cls->bases + 1);
        cls->base_ast = arena_grow(&front->arena, cls->base_ast, sizeof(Based *), &room,
                                   cls->bases + 1);
    }
    cls->base_ast[cls->bases] = ast;
    cls->base[cls->bases++] = base;
}

/* Models and blocks that are arrays are no base classes; types may be (Modelica 3.6, 7.1.3). */
static bool is_array_base(Front *front, Cls *cls, const Cls *base) {
    if (cls->def->form == FORM_SHORT || base->basic != BASIC_COMPONENT ||
        cls_is_kind(base, CLASS_CONNECTOR))
        return false;
    Pos pos = cls->def->pos;
    for (int k = 0; k < cls->bases; k++)
        if (cls->base[k] == base && cls->base_ast[k])
            pos = cls->base_ast[k]->base->part[cls->base_ast[k]->base->count - 1].pos;
    diag_report(front->diag, pos, CODE_F139, "'%s' is an array: it cannot be extended",
                cls_text(front, base));
    cls->bad = true;
    return true;
}

/* Built-in type, dimensions and causality that a class takes from a base class. */
static void take_basic(Front *front, Cls *cls, Cls *base) {
    if (!cls_bases(front, base)) {
        cls->bad = true;
        return;
    }
    bool short_ = cls->def->form == FORM_SHORT;
    if (base->basic < BASIC_RECORD || base->basic == BASIC_OBJECT ||
        (short_ && base->basic != BASIC_COMPONENT)) {
        cls->basic = base->basic;
        cls->attr = base->attr;
        cls->literals = base->literals;
        cls->literal = base->literal;
        if (base->any_enum) cls->any_enum = true;
    }
    if (short_ && cls->way == WAY_NONE) cls->way = base->way;
    int own = cls->ndim, all = own + base->ndim;
    if (base->ndim == 0 || is_array_base(front, cls, base)) return;
    Expr  *dim = NEW(&front->arena, Expr, all);
    Scope *scope = NEW(&front->arena, Scope, all);
    for (int k = 0; k < all; k++) {
        dim[k] = k < own ? cls->dim[k] : base->dim[k - own];
        scope[k] = k < own ? cls->dim_scope[k] : base->dim_scope[k - own];
    }
    cls->dim = dim;
    cls->dim_scope = scope;
    cls->ndim = all;
}

static void short_base(Front *front, Cls *cls) {
    const Class *def = cls->def;
    Scope        scope = {cls->scope, cls->scope_inst};
    cls->way = def->causality;
    Cls *base = lookup_class(front, scope, def->base, false);
    if (!base ||
        !check_base_kind(front, def, base, def->base->part[def->base->count - 1].pos)) {
        cls->bad = true;
        return;
    }
    if (def->subscripts) {
        cls->ndim = (int)def->subscripts->count;
        cls->dim = NEW(&front->arena, Expr, cls->ndim);
        cls->dim_scope = NEW(&front->arena, Scope, cls->ndim);
        for (int k = 0; k < cls->ndim; k++) {
            cls->dim[k] = def->subscripts->item[k];
            cls->dim_scope[k] = scope;
        }
    }
    Md *md = md_merge(front, md_of_class(front, def->mods, scope), cls->under);
    md = md_merge(front, cls->mods, md);
    base = mockup_class(front, base, md, def->base->part[def->base->count - 1].pos);
    if (!base) {
        cls->bad = true;
        return;
    }
    base = cls_view(front, base, md);
    add_base(front, cls, base, NULL);
    take_basic(front, cls, base);
}

static void enumeration(Front *front, Cls *cls) {
    const Class *def = cls->def;
    cls->basic = BASIC_ENUM;
    cls->attr = cls->mods;
    cls->any_enum = def->any_literals;
    cls->literals = (int)def->count;
    Str *literal = NEW(&front->arena, Str, def->count + 1);
    for (uint32_t k = 0; k < def->count; k++) {
        literal[k] = def->literal[k].name;
        if (literal[k] == WORD(front, quantity) || literal[k] == WORD(front, min) ||
            literal[k] == WORD(front, max) || literal[k] == WORD(front, start) ||
            literal[k] == WORD(front, fixed))
            diag_report(
                front->diag, def->literal[k].pos, CODE_F115,
                "'%s' is an attribute of every enumeration and cannot be a literal",
                text_of(front, literal[k]));
        for (uint32_t j = 0; j < k; j++)
            if (literal[j] == literal[k])
                diag_report(front->diag, def->literal[k].pos, CODE_F110,
                            "'%s' is declared twice in '%s'", text_of(front, literal[k]),
                            cls_text(front, cls));
    }
    cls->literal = literal;
}

/* Own elements with `redeclare` act on the inherited ones like modifiers of extends. */
static Md *own_redeclares(Front *front, Cls *cls) {
    Md *md = NULL;
    cls_own(front, cls);
    for (int k = 0; k < cls->owns; k++) {
        Elem *elem = cls->own_list[k];
        if (elem->ast && elem->ast->redeclare) md = md_add_redeclare(front, md, elem);
    }
    return md;
}

/* Whether following the base classes of `from` found so far leads to the class `to`. */
static bool reaches(const Cls *from, const Cls *to, int depth) {
    if (from->def && from->def == to->def && from->mods == to->mods) return true;
    for (int k = 0; depth < FRONT_DEPTH && k < from->bases; k++)
        if (reaches(from->base[k], to, depth + 1)) return true;
    return false;
}

static void extend(Front *front, Cls *cls, const Based *ast, Md *redeclares) {
    Scope scope = {cls, NULL};
    Cls  *base = lookup_class(front, scope, ast->base, false);
    if (!base) {
        cls->bad = true;
        return;
    }
    Pos  at = ast->base->part[ast->base->count - 1].pos;
    bool circle = reaches(base, cls, 0);
    for (Cls *c = cls; c; c = c->scope)
        circle |=
            c->base_state == STEP_BUSY && c->def == base->def && c->mods == base->mods;
    if (circle) {
        diag_report(front->diag, at, CODE_F120, "'%s' extends itself",
                    cls_text(front, base));
        cls->bad = true;
        return;
    }
    if (!check_base_kind(front, cls->def, base, at) ||
        !check_base_operator(front, cls->def, base, at)) {
        cls->bad = true;
        return;
    }
    Md *md = md_merge(front, redeclares, md_of_mods(front, ast->mods, scope));
    md = md_merge(front, cls->mods, md);
    base = mockup_class(front, base, md, at);
    if (!base) {
        cls->bad = true;
        return;
    }
    base = cls_view(front, base, md);
    if (base->base_state == STEP_BUSY) {
        diag_report(front->diag, at, CODE_F120, "'%s' extends itself",
                    cls_text(front, base));
        cls->bad = true;
        return;
    }
    add_base(front, cls, base, ast);
}

static void long_bases(Front *front, Cls *cls) {
    Md *redeclares = own_redeclares(front, cls);
    if (cls->def->form == FORM_EXTENDS && cls->elem) {
        Elem *original = original_of(front, cls->elem->owner, cls->elem);
        if (!original || !original->is_class) {
            diag_report(front->diag, cls->def->pos, CODE_F121,
                        "there is no inherited class '%s' to extend",
                        text_of(front, cls->name));
            cls->bad = true;
        } else {
            Cls  *base = elem_class(front, original, cls->scope_inst);
            Scope scope = {cls, NULL};
            Md   *md =
                md_merge(front, redeclares, md_of_mods(front, cls->def->mods, scope));
            if (base)
                add_base(front, cls,
                         cls_view(front, base, md_merge(front, cls->mods, md)), NULL);
            else cls->bad = true;
        }
    }
    for (uint32_t s = 0; s < cls->def->count; s++) {
        const Section *section = &cls->def->section[s];
        if (section->kind > SECTION_PROTECTED) continue;
        for (uint32_t k = 0; k < section->count; k++)
            if (section->element[k]->kind == ELEMENT_EXTENDS)
                extend(front, cls, section->element[k]->extends, redeclares);
    }
}

bool cls_bases(Front *front, Cls *cls) {
    if (cls->base_state == STEP_DONE) return !cls->bad;
    if (cls->base_state == STEP_BUSY) return true;
    Pos pos = cls->def ? cls->def->pos : 0;
    if (!front_enter(front, pos)) return false;
    cls->base_state = STEP_BUSY;
    cls->basic = cls->def->kind == CLASS_RECORD     ? BASIC_RECORD
                 : cls->def->kind == CLASS_FUNCTION ? BASIC_FUNCTION
                                                    : BASIC_COMPONENT;
    switch (cls->def->form) {
    case FORM_SHORT: short_base(front, cls); break;
    case FORM_ENUMERATION: enumeration(front, cls); break;
    case FORM_DERIVATIVE: break;
    default: long_bases(front, cls); break;
    }
    for (int k = 0; k < cls->bases; k++) /* while busy, so that a cycle is met */
        if (!cls_bases(front, cls->base[k])) cls->bad = true;
    cls->base_state = STEP_DONE;
    if (cls->def->form == FORM_LONG || cls->def->form == FORM_EXTENDS)
        for (int k = 0; k < cls->bases; k++) take_basic(front, cls, cls->base[k]);
    front_leave(front);
    return !cls->bad;
}

static bool class_alias(const Elem *elem, const Class *def, const Md *mods) {
    return def->form == FORM_SHORT && !mods && !def->mods && !def->subscripts &&
           def->causality == CAUSAL_NONE && elem->ast != NULL;
}

static bool same_kind(const Class *def, const Cls *base) {
    return !base->def || def->kind == base->def->kind || def->kind == CLASS_TYPE ||
           def->kind == CLASS_CLASS || def->kind == CLASS_PACKAGE ||
           (def->kind == CLASS_MODEL && base->def->kind == CLASS_BLOCK);
}

/* A redeclaration keeps the prefix (Modelica 3.6, 7.3). */
bool elem_is_inner(const Elem *elem) {
    for (; elem; elem = elem->original)
        if (elem->ast && elem->ast->inner) return true;
    return false;
}

/* The inner class that the outer class `cls` of an instance stands for: the next one in the
 * instances around it (Modelica 3.6, 5.4). */
static Cls *inner_class(Front *front, const Elem *elem, const Inst *inst, Cls *cls) {
    for (Inst *p = inst->parent; p; p = p->parent) {
        Elem *inner = cls_find(front, p->cls, elem->name);
        if (!inner || !inner->is_class || !elem_is_inner(inner)) continue;
        Cls *found = elem_class(front, inner, p);
        check_later(front, found, cls, inner->pos);
        return found ? found : cls;
    }
    bool partial = cls->def && cls->def->partial;
    diag_report(front->diag, elem->pos, partial ? CODE_F160 : CODE_F161,
                partial ? "no inner '%s' is declared around this outer class"
                        : "there is no inner '%s': the outer class itself is taken",
                text_of(front, elem->name));
    return cls;
}

Cls *elem_class(Front *front, Elem *elem, Inst *inst) {
    Inst *met = inst; /* of the class whose declaration it replaces */
    if (elem->inst) inst = elem->inst;
    bool local = inst && !elem->owner->is_package && !inst->is_package;
    bool depends = elem->inherit && met && !met->is_package;
    Map *known = depends ? &met->local : local ? &inst->local : NULL;
    Cls *cls = known ? (Cls *)(intptr_t)map_get(known, (uintptr_t)elem, 0) : elem->cls;
    if (cls) return cls;
    const Class *def = elem->def;
    if (elem->busy) {
        bool named = def && def->base;
        diag_report(front->diag, named ? def->base->part[0].pos : elem->pos, CODE_F122,
                    "class '%s' is defined by itself", text_of(front, elem->name));
        return NULL;
    }
    if (!front_enter(front, elem->pos)) return NULL;
    elem->busy = true;
    Md *mods = md_subs(front, md_bind(front, elem->mod, inst));
    Md *under = md_merge(front, elem_constraint(front, elem, inst),
                         md_subs(front, md_bind(front, elem->inherit, met)));
    if (def->form != FORM_SHORT) {
        mods = md_merge(front, mods, under);
        under = NULL;
    }
    if (class_alias(elem, def, mods) && !under) {
        Scope scope = {elem->owner, local ? inst : NULL};
        cls = lookup_class(front, scope, def->base, false);
        if (cls && !check_base_kind(front, def, cls,
                                    def->base->part[def->base->count - 1].pos)) {
            elem->busy = false;
            front_leave(front);
            return NULL;
        }
        if (cls && def->kind == CLASS_CONNECTOR && cls->def == NULL) cls = NULL;
        if (cls && !same_kind(def, cls)) cls = NULL;
        else if (!cls && !(def->kind == CLASS_CONNECTOR)) {
            elem->busy = false;
            front_leave(front);
            return NULL;
        }
    }
    if (!cls) {
        cls = cls_new(front, def, elem->owner, local ? inst : NULL);
        cls->elem = elem;
        cls->package = elem->package;
        cls->mods = mods;
        cls->under = under;
    }
    elem->busy = false;
    front_leave(front);
    if (local && elem->ast && elem->ast->outer) cls = inner_class(front, elem, inst, cls);
    if (known) map_put(known, (uintptr_t)elem, (int64_t)(intptr_t)cls);
    else elem->cls = cls;
    if ((elem->original && is_replaceable(elem->original)) ||
        (!elem->original && elem->ast && elem->ast->constraint)) {
        const Elem *by = elem->original ? elem->original : elem;
        Scope       scope = {by->owner, by->inst};
        Cls        *wanted = by->ast && by->ast->constraint
                                 ? lookup_class(front, scope, by->ast->constraint->base, true)
                                 : elem_class(front, (Elem *)by, NULL);
        check_later(front, cls, wanted, elem->pos);
    }
    return cls;
}

/* ---- members ------------------------------------------------------------------------- */

/* pos: of the extends an inherited element comes from, else of the element */
static void add_member(Front *front, Cls *cls, Elem *elem, Pos pos) {
    int64_t at = map_get(&cls->index, elem->name, -1);
    if (at >= 0) {
        check_twice(front, cls->member[at], elem, pos);
        return;
    }
    Md *md = md_find(cls->mods, elem->name);
    if (md && md->broken) return;
    if (cls->members == cls->member_room)
        cls->member = arena_grow(&front->arena, cls->member, sizeof(Elem *),
                                 &cls->member_room, cls->members + 1);
    map_put(&cls->index, elem->name, cls->members);
    cls->member[cls->members++] = elem;
}

static void add_inherited(Front *front, Cls *cls, Cls *base, Pos pos) {
    cls_members(front, base);
    for (int k = 0; k < base->members; k++) add_member(front, cls, base->member[k], pos);
}

bool cls_members(Front *front, Cls *cls) {
    if (cls->member_state != STEP_NEW) return !cls->bad;
    bool good = cls_bases(front, cls);
    cls->member_state = STEP_BUSY;
    cls_own(front, cls);
    if (!has_sections(cls->def)) {
        for (int k = 0; k < cls->bases; k++) add_inherited(front, cls, cls->base[k], 0);
        cls->member_state = STEP_DONE;
        check_inherited(front, cls);
        return good;
    }
    int base = 0;
    if (cls->def->form == FORM_EXTENDS && cls->bases > 0 && !cls->base_ast[0])
        add_inherited(front, cls, cls->base[base++], cls->def->pos);
    for (uint32_t s = 0; s < cls->def->count; s++) {
        const Section *section = &cls->def->section[s];
        if (section->kind > SECTION_PROTECTED) continue;
        for (uint32_t k = 0; k < section->count; k++) {
            const Element *ast = section->element[k];
            if (ast->kind == ELEMENT_EXTENDS && base < cls->bases &&
                cls->base_ast[base] == ast->extends)
                add_inherited(
                    front, cls, cls->base[base++],
                    ast->extends->base->part[ast->extends->base->count - 1].pos);
            if (ast->kind != ELEMENT_COMPONENTS) continue;
            for (uint32_t c = 0; c < ast->components->count; c++) {
                Elem *elem = (Elem *)(intptr_t)map_get(&cls->own,
                                                       ast->components->item[c].name, 0);
                if (elem && elem->comp == &ast->components->item[c])
                    add_member(front, cls, elem, elem->pos);
            }
        }
    }
    cls->member_state = STEP_DONE;
    check_inherited(front, cls);
    return good;
}

/* ---- questions ------------------------------------------------------------------------- */

bool cls_is_kind(const Cls *cls, ClassKind kind) {
    return cls && cls->def && cls->def->kind == (uint8_t)kind;
}

void cls_name(Text *out, const Front *front, const Cls *cls) {
    if (cls->scope && cls->scope != front->root && cls->scope != front->builtin) {
        cls_name(out, front, cls->scope);
        text_char(out, '.');
    }
    text_add(out, text_of(front, cls->name));
}

const char *cls_text(Front *front, const Cls *cls) {
    Text text = {0};
    cls_name(&text, front, cls);
    const char *copy = arena_string(&front->arena, text_get(&text), text.length);
    text_free(&text);
    return copy;
}

bool cls_extends(Front *front, Cls *cls, Cls *base) {
    if (cls == base || (cls->def && cls->def == base->def)) return true;
    if (!cls->def && !base->def) return cls->basic == base->basic;
    if (!cls->def || cls->base_state == STEP_BUSY) return false;
    cls_bases(front, cls);
    for (int k = 0; k < cls->bases; k++)
        if (cls_extends(front, cls->base[k], base)) return true;
    return false;
}
