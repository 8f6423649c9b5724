/* SPDX-License-Identifier: Apache-2.0 */
/* mod.c -- modifiers.
 *
 * The modifications of one element form a tree of names. Trees from different places are
 * merged outer-first: what an outer place says wins name by name (Modelica 3.6, 7.2.4).
 * Every value keeps the scope of the text it stands in. A modifier written in a class (not
 * under a component) does not know its instance yet: scope.inst is NULL and md_bind fills
 * it when the class is instantiated. Trees are never changed after they are made. */
#include "inst/front.h"

static Md *md_new(Front *front, Str name, Pos pos) {
    Md *md = NEW(&front->arena, Md, 1);
    md->name = name;
    md->pos = pos;
    return md;
}

static Elem *redeclared(Front *front, const Element *element, Scope scope) {
    Elem *elem = NEW(&front->arena, Elem, 1);
    *elem = (Elem){.ast = element, .owner = scope.cls, .inst = scope.inst};
    if (element->kind == ELEMENT_CLASS) {
        elem->is_class = true;
        elem->def = element->class_;
        elem->name = element->class_->name;
        elem->pos = element->class_->pos;
    } else if (element->kind == ELEMENT_COMPONENTS && element->components->count > 0) {
        elem->group = element->components;
        elem->comp = &element->components->item[0];
        elem->name = elem->comp->name;
        elem->pos = elem->comp->pos;
    } else return NULL;
    return elem;
}

static void mark_spread(Md *md) {
    for (int k = 0; k < md->count; k++) {
        md->sub[k]->spread = true;
        mark_spread(md->sub[k]);
    }
}

static Md *of_mod(Front *front, const Mod *mod, Scope scope) {
    Md *md = md_new(front, mod->name, mod->pos);
    md->each = mod->each;
    md->final = mod->final;
    md->scope = scope;
    if (mod->kind == MOD_ELEMENT) {
        md->redeclare = redeclared(front, mod->element, scope);
        if (!md->redeclare) return NULL;
        md->name = md->redeclare->name;
        md->pos = md->redeclare->pos;
        return md;
    }
    if (mod->kind == MOD_BREAK) {
        md->broken = true;
        return md;
    }
    if (mod->kind != MOD_VALUE) return NULL;
    if (mod->value.kind == EXPR_BREAK) md->value = NULL;
    else if (mod->value.kind != EXPR_NONE) md->value = &mod->value;
    md->value_pos = mod->pos;
    Md *subs = md_of_mods(front, mod->args, scope);
    if (subs) {
        md->sub = subs->sub;
        md->count = subs->count;
    }
    if (md->each) mark_spread(md);
    return md;
}

static void report_twice(Front *front, const Md *old, const Md *sub) {
    if ((old->value && sub->value) || (old->redeclare && sub->redeclare)) {
        diag_report(front->diag, sub->pos, CODE_F131, "'%s' is modified twice",
                    text_of(front, sub->name));
        diag_note(front->diag, old->pos, "first here");
    }
    for (int k = 0; k < sub->count; k++) {
        Md *first = md_find(old, sub->sub[k]->name);
        if (first) report_twice(front, first, sub->sub[k]);
    }
}

static void add_sub(Front *front, Md *md, Md *sub, int room) {
    for (int k = 0; k < md->count; k++) {
        if (md->sub[k]->name != sub->name) continue;
        Md *old = md->sub[k];
        report_twice(front, old, sub);
        md->sub[k] = md_merge(front, sub, old);
        return;
    }
    (void)room;
    md->sub[md->count++] = sub;
}

Md *md_of_mods(Front *front, const Mods *mods, Scope scope) {
    if (!mods || mods->count == 0) return NULL;
    Md *md = md_new(front, 0, mods->pos);
    md->sub = NEW(&front->arena, Md *, mods->count);
    for (uint32_t k = 0; k < mods->count; k++) {
        Md *sub = of_mod(front, &mods->item[k], scope);
        if (sub) add_sub(front, md, sub, (int)mods->count);
    }
    return md;
}

Md *md_of_class(Front *front, const Mods *mods, Scope scope) {
    Md *md = md_of_mods(front, mods, scope);
    if (md) mark_spread(md);
    return md;
}

Md *md_of_component(Front *front, const Component *comp, Scope scope) {
    Md *md = md_of_mods(front, comp->mods, scope);
    if (comp->value.kind == EXPR_NONE) return md;
    Md *whole = md_new(front, comp->name, comp->pos);
    if (md) {
        whole->sub = md->sub;
        whole->count = md->count;
    }
    whole->value = &comp->value;
    whole->value_pos = comp->pos;
    whole->scope = scope;
    return whole;
}

Md *md_find(const Md *md, Str name) {
    if (!md) return NULL;
    for (int k = 0; k < md->count; k++)
        if (md->sub[k]->name == name) return md->sub[k];
    return NULL;
}

void check_final(Front *front, const Md *by, const Md *md) {
    if (!md || (!md->value && !md->redeclare && !md->count)) return;
    const Md *at = md;
    while (!at->value && !at->redeclare && at->count) at = at->sub[0];
    diag_report(front->diag, at->pos, CODE_F133, "'%s' is final and cannot be modified",
                text_of(front, md->name));
    if (by) diag_note(front->diag, by->pos, "made final here");
}

/* What a redeclaration puts in place of an element is replaceable only if it says so. */
static void check_again(Front *front, const Md *outer, const Md *inner) {
    const Elem *by = outer->redeclare, *old = inner->redeclare;
    if (!by || !old || by->ast == old->ast || !old->ast || old->ast->replaceable ||
        outer->scope.cls == inner->scope.cls || outer->spread || inner->spread)
        return; /* of one class: modified twice, or a list with what it merges */
    diag_report(front->diag, by->pos, CODE_F147,
                "'%s' has been redeclared already, without 'replaceable'",
                text_of(front, by->name));
    diag_note(front->diag, old->pos, "there");
}

/* twice: may both redeclare one element without a word? */
static Md *merge(Front *front, Md *outer, Md *inner, bool twice) {
    if (!outer) return inner;
    if (!inner) return outer;
    if (inner->final && outer->pos != inner->pos) check_final(front, inner, outer);
    Md *md = md_new(front, outer->name ? outer->name : inner->name, outer->pos);
    Md *from = outer->value ? outer : inner;
    md->value = from->value;
    md->scope = from->scope;
    md->value_pos = from->value_pos;
    md->each = from->each;
    md->spread = from->spread;
    md->final = outer->final || inner->final;
    md->broken = outer->broken || inner->broken;
    if (!twice) check_again(front, outer, inner);
    md->redeclare = outer->redeclare ? outer->redeclare : inner->redeclare;
    md->sub = NEW(&front->arena, Md *, outer->count + inner->count + 1);
    for (int k = 0; k < outer->count; k++) {
        Md *below = md_find(inner, outer->sub[k]->name);
        md->sub[md->count++] = merge(front, outer->sub[k], below, twice);
    }
    for (int k = 0; k < inner->count; k++)
        if (!md_find(outer, inner->sub[k]->name)) md->sub[md->count++] = inner->sub[k];
    return md;
}

Md *md_merge(Front *front, Md *outer, Md *inner) {
    return merge(front, outer, inner, false);
}

Md *md_merge_left(Front *front, Md *outer, Md *left) {
    return merge(front, outer, left, true);
}

static bool needs_bind(const Md *md) {
    if (!md->scope.inst && md->scope.cls && !md->scope.cls->is_package &&
        (md->value || md->redeclare))
        return true;
    if (md->redeclare && !md->redeclare->inst && !md->redeclare->owner->is_package)
        return true;
    for (int k = 0; k < md->count; k++)
        if (needs_bind(md->sub[k])) return true;
    return false;
}

Md *md_bind(Front *front, Md *md, Inst *inst) {
    if (!md || !inst || !needs_bind(md)) return md;
    Md *copy = md_new(front, md->name, md->pos);
    *copy = *md;
    if (!copy->scope.inst && copy->scope.cls && !copy->scope.cls->is_package)
        copy->scope.inst = inst;
    if (md->redeclare && !md->redeclare->inst && !md->redeclare->owner->is_package) {
        Elem *elem = NEW(&front->arena, Elem, 1);
        *elem = *md->redeclare;
        elem->inst = inst;
        elem->cls = NULL;
        copy->redeclare = elem;
    }
    copy->sub = NEW(&front->arena, Md *, md->count + 1);
    for (int k = 0; k < md->count; k++) copy->sub[k] = md_bind(front, md->sub[k], inst);
    return copy;
}

Md *md_add_redeclare(Front *front, Md *md, Elem *elem) {
    Md *sub = md_new(front, elem->name, elem->pos);
    sub->redeclare = elem;
    sub->scope = (Scope){elem->owner, elem->inst};
    Md *list = md_new(front, 0, elem->pos);
    list->sub = NEW(&front->arena, Md *, 1);
    list->sub[0] = sub;
    list->count = 1;
    return md_merge(front, md, list);
}

Md *md_subs(Front *front, Md *md) {
    if (!md || md->count == 0) return NULL;
    if (!md->value && !md->redeclare) return md;
    Md *copy = md_new(front, md->name, md->pos);
    copy->sub = md->sub;
    copy->count = md->count;
    return copy;
}
