/* SPDX-License-Identifier: Apache-2.0 */
/* lookup.c -- what a name means (Modelica 3.6, chapter 5).
 *
 * A simple name is searched in the class (own and inherited elements), in its imports, then
 * in the enclosing classes up to an encapsulated one, last among the predefined names. Each
 * step is a hash lookup; a file is opened only where a directory package has one with the
 * name searched for. */
#include "inst/front.h"

static bool import_missing(Front *front, Cls *cls, const NamePart *part, Found *found) {
    Suggest suggest = suggest_start(text_of(front, part->name));
    cls_suggest(front, cls, &suggest);
    diag_report(front->diag, part->pos, CODE_F103, "import: there is no '%s'%s%s%s%s%s",
                text_of(front, part->name), cls == front->root ? "" : " in ",
                cls == front->root ? "" : cls_text(front, cls),
                suggest.best ? "; did you mean '" : "", suggest.best ? suggest.best : "",
                suggest.best ? "'?" : "");
    if (cls == front->root)
        library_searched(front->library, text_of(front, part->name),
                         version_wanted(front, part->name));
    found->bad = true;
    return false;
}

/* Only packages can be imported from (Modelica 3.6, 13.2.1); classes of a model may be named by what
 * lies inside it, as models in one file do. */
static bool check_import_from(Front *front, const Cls *cls, Pos pos) {
    if (!cls->def || cls_is_kind(cls, CLASS_PACKAGE) || cls_is_kind(cls, CLASS_CLASS) ||
        cls_is_kind(cls, CLASS_OPERATOR))
        return true;
    diag_report(front->diag, pos, CODE_F103, "import: '%s' is a %s, not a package",
                cls_text(front, cls), class_kind_names[cls->def->kind]);
    return false;
}

/* The element a qualified import names. False with found->bad: reported. */
static bool import_target(Front *front, const Name *path, Found *found) {
    Cls *cls = front->root;
    for (int k = 0; k < path->count; k++) {
        Elem *elem = cls_find(front, cls, path->part[k].name);
        if (!elem) return import_missing(front, cls, &path->part[k], found);
        if (cls != front->root) {
            check_protected(front, elem, cls, path->part[k].pos);
            if (!elem->is_class && k + 1 == path->count &&
                !check_import_from(front, cls, path->part[k].pos))
                break;
        }
        if (k + 1 == path->count) {
            *found = (Found){.elem = elem, .cls = cls};
            return true;
        }
        if (!elem->is_class) {
            diag_report(front->diag, path->part[k + 1].pos, CODE_F103,
                        "import: '%s' is a component, not a class, and has no '%s'",
                        text_of(front, elem->name),
                        text_of(front, path->part[k + 1].name));
            found->bad = true;
            return false;
        }
        cls = elem_class(front, elem, NULL);
        if (!cls) break;
    }
    found->bad = true;
    return false;
}

static Cls *import_class(Front *front, ImportUse *use) {
    Found found = {0};
    if (use->tried) return use->cls;
    use->tried = true;
    const Name *path = use->import->path;
    if (import_target(front, path, &found) && found.elem->is_class)
        use->cls = elem_class(front, found.elem, NULL);
    if (use->cls && !check_import_from(front, use->cls, path->part[path->count - 1].pos))
        use->cls = NULL;
    return use->cls;
}

static const NamePart *in_list(const Import *import, Str name) {
    for (uint32_t k = 0; k < import->count; k++)
        if (import->list[k].name == name) return &import->list[k];
    return NULL;
}

static bool find_import(Front *front, Cls *cls, Str name, Found *found) {
    for (int k = 0; k < cls->imports; k++) {
        const Import *import = cls->import[k].import;
        Str           last = import->path->part[import->path->count - 1].name;
        if ((import->kind == IMPORT_NAME && last == name) ||
            (import->kind == IMPORT_RENAMED && import->alias == name))
            return import_target(front, import->path, found);
        if (import->kind == IMPORT_LIST && in_list(import, name)) {
            Cls  *from = import_class(front, &cls->import[k]);
            Elem *elem = from ? cls_find(front, from, name) : NULL;
            if (!from) found->bad = true;
            if (from && !elem) import_missing(front, from, in_list(import, name), found);
            if (!elem) return false;
            *found = (Found){.elem = elem, .cls = from};
            return true;
        }
    }
    bool any = false;
    for (int k = 0; k < cls->imports; k++) {
        if (cls->import[k].import->kind != IMPORT_ALL) continue;
        Cls  *from = import_class(front, &cls->import[k]);
        Elem *elem = from ? cls_find(front, from, name) : NULL;
        if (!elem) continue;
        if (any && elem != found->elem) {
            const Name *path = cls->import[k].import->path;
            diag_report(front->diag, path->part[path->count - 1].pos, CODE_F129,
                        "'%s' is found by two imports: in %s and in %s",
                        text_of(front, name), cls_text(front, found->cls),
                        cls_text(front, from));
        }
        if (!any) *found = (Found){.elem = elem, .cls = from};
        any = true;
    }
    return any;
}

static bool find_predefined(Front *front, Str name, Found *found) {
    Elem *elem = (Elem *)(intptr_t)map_get(&front->builtin->own, name, 0);
    if (elem) *found = (Found){.elem = elem, .cls = front->builtin};
    return elem != NULL;
}

Found lookup_simple(Front *front, Scope scope, Str name) {
    Found found = {0};
    if ((name == WORD(front, Real) || name == WORD(front, Integer) ||
         name == WORD(front, Boolean) || name == WORD(front, String)) &&
        find_predefined(front, name, &found))
        return found;
    Cls  *cls = scope.cls;
    Inst *inst = scope.inst;
    while (cls && cls != front->root && cls != front->builtin) {
        Elem *elem = cls_find(front, cls, name);
        if (elem)
            return (Found){
                .elem = elem, .cls = cls, .inst = inst, .enclosing = cls != scope.cls};
        if (find_import(front, cls, name, &found) || found.bad) return found;
        if (cls->def && cls->def->encapsulated) {
            find_predefined(front, name, &found);
            return found;
        }
        inst = cls->scope_inst;
        cls = cls->scope;
    }
    if (find_predefined(front, name, &found)) return found;
    Elem *elem = cls_find(front, front->root, name);
    if (elem) return (Found){.elem = elem, .cls = front->root};
    return found;
}

/* ---- "did you mean" ----------------------------------------------------------------- */

typedef struct Offer {
    Front   *front;
    Suggest *suggest;
} Offer;

static void offer_member(void *context, Str name) {
    Offer *offer = context;
    suggest_candidate(offer->suggest, text_of(offer->front, name));
}

void cls_suggest(Front *front, Cls *cls, Suggest *suggest) {
    cls_own(front, cls);
    for (int k = 0; k < cls->owns; k++)
        suggest_candidate(suggest, text_of(front, cls->own_list[k]->name));
    for (int k = 0; k < cls->literals; k++)
        suggest_candidate(suggest, text_of(front, cls->literal[k]));
    if (cls->package && cls->package->folder) {
        Offer offer = {front, suggest};
        library_each_member(front->library, cls->package, offer_member, &offer);
    }
    for (int k = 0; k < cls->bases; k++) cls_suggest(front, cls->base[k], suggest);
}

static void imports_suggest(Front *front, Cls *cls, Suggest *suggest) {
    for (int k = 0; k < cls->imports; k++) {
        const Import *import = cls->import[k].import;
        if (import->kind == IMPORT_RENAMED)
            suggest_candidate(suggest, text_of(front, import->alias));
        if (import->kind == IMPORT_NAME)
            suggest_candidate(
                suggest,
                text_of(front, import->path->part[import->path->count - 1].name));
        for (uint32_t i = 0; import->kind == IMPORT_LIST && i < import->count; i++)
            suggest_candidate(suggest, text_of(front, import->list[i].name));
        Cls *all =
            import->kind == IMPORT_ALL ? import_class(front, &cls->import[k]) : NULL;
        if (all) cls_suggest(front, all, suggest);
    }
}

void lookup_suggest(Front *front, Scope scope, Suggest *suggest) {
    for (Cls *cls = scope.cls; cls; cls = cls->scope) {
        cls_suggest(front, cls, suggest);
        imports_suggest(front, cls, suggest);
    }
}

static void report_missing(Front *front, Scope scope, Cls *within, const NamePart *part) {
    Suggest suggest = suggest_start(text_of(front, part->name));
    if (within) cls_suggest(front, within, &suggest);
    else lookup_suggest(front, scope, &suggest);
    const char *in = within && within != front->root ? cls_text(front, within)
                     : scope.cls                     ? cls_text(front, scope.cls)
                                                     : "";
    diag_report(front->diag, part->pos, CODE_F101, "there is no class '%s' in '%s'%s%s%s",
                text_of(front, part->name), in, suggest.best ? "; did you mean '" : "",
                suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
}

void check_protected(Front *front, const Elem *elem, const Cls *cls, Pos pos) {
    if (!elem->protected_) return;
    diag_report(front->diag, pos, CODE_F135, "'%s' of '%s' is protected",
                text_of(front, elem->name), cls_text(front, cls));
    diag_note(front->diag, elem->pos, "declared here");
}

static void report_not_class(Front *front, const NamePart *part, const Elem *elem) {
    diag_report(front->diag, part->pos, CODE_F102, "'%s' is a component, not a class",
                text_of(front, part->name));
    diag_note(front->diag, elem->pos, "declared here");
}

Cls *lookup_class(Front *front, Scope scope, const Name *name, bool quiet) {
    Found found = {0};
    if (name->global) {
        found.elem = cls_find(front, front->root, name->part[0].name);
        if (!found.elem) find_predefined(front, name->part[0].name, &found);
    } else found = lookup_simple(front, scope, name->part[0].name);
    if (found.bad) return NULL;
    if (!found.elem) {
        if (!quiet) {
            report_missing(front, scope, name->global ? front->root : NULL,
                           &name->part[0]);
            if (name->count > 1)
                library_searched(front->library, text_of(front, name->part[0].name),
                                 version_wanted(front, name->part[0].name));
        }
        return NULL;
    }
    if (!found.elem->is_class) {
        if (!quiet) report_not_class(front, &name->part[0], found.elem);
        return NULL;
    }
    Cls *cls = elem_class(front, found.elem, found.inst);
    for (int k = 1; cls && k < name->count; k++) {
        Elem *elem = cls_find(front, cls, name->part[k].name);
        if (!elem || !elem->is_class) {
            if (!quiet && elem) report_not_class(front, &name->part[k], elem);
            if (!quiet && !elem) report_missing(front, scope, cls, &name->part[k]);
            return NULL;
        }
        if (!quiet) check_protected(front, elem, cls, name->part[k].pos);
        cls = elem_class(front, elem, NULL);
    }
    return cls;
}
