/* SPDX-License-Identifier: Apache-2.0 */
/* version.c -- versions of libraries: which one a `uses` annotation asks for, and whether the one
 * that was found is that one (Modelica 3.6, 18.8).
 *
 * Every top-level class that was looked up is in a list. Among several versions in a folder, the one
 * that a class of the list uses is taken. When the model is complete, each class that uses another one
 * of the list is compared with its version; an older version from which the library needs no
 * conversion (noneFromVersion) is as good. Cost: the annotations of the top-level classes. */
#include "inst/front.h"
#include "syntax/syntax.h"

#include <string.h>

struct Top { /* a top-level class that was looked up */
    struct Top    *next;
    const Package *package;
};

/* The text of name = "..."; NULL: there is none. */
static const char *text_value(Front *front, const Mods *mods, const char *name) {
    const Mod *mod = mods_find(front->session, mods, name);
    Text       text = {0};
    if (!mod || mod->value.kind != EXPR_STRING) return NULL;
    string_decode(&text, front->session, mod->value);
    const char *copy = arena_string(&front->arena, text_get(&text), (size_t)text.length);
    text_free(&text);
    return copy;
}

/* What a top-level class says about the version of a library; *at: where. */
static const char *used_version(Front *front, const Package *by, Str library, Pos *at) {
    const Mod *uses = mods_find(front->session, by->class_->annotation, "uses");
    const Mod *mod =
        uses ? mods_find(front->session, uses->args, text_of(front, library)) : NULL;
    if (mod) *at = mod->pos;
    return mod ? text_value(front, mod->args, "version") : NULL;
}

const char *version_wanted(Front *front, Str library) {
    Pos at;
    for (const struct Top *t = front->rules.tops; t; t = t->next) {
        const char *version = used_version(front, t->package, library, &at);
        if (version) return version;
    }
    return NULL;
}

void version_note(Front *front, const Package *package) {
    struct Top **end = &front->rules.tops;
    while (*end) end = &(*end)->next;
    *end = NEW(&front->arena, struct Top, 1);
    **end = (struct Top){.package = package};
}

static bool says(Front *front, Expr string, const char *wanted) {
    Text text = {0};
    if (string.kind != EXPR_STRING) return false;
    string_decode(&text, front->session, string);
    const bool same = strcmp(text_get(&text), wanted) == 0;
    text_free(&text);
    return same;
}

/* Does the library work unchanged for what was written for this version? */
static bool needs_no_conversion(Front *front, const Package *library, const char *from) {
    const Mod *conversion =
        mods_find(front->session, library->class_->annotation, "conversion");
    const Mods *list = conversion ? conversion->args : NULL;
    for (uint32_t i = 0; list && i < list->count; i++) {
        const Mod *mod = &list->item[i];
        if (strcmp(text_of(front, mod->name), "noneFromVersion") == 0 &&
            says(front, mod->value, from))
            return true;
    }
    return false;
}

static void check_pair(Front *front, const Package *by, const Package *library) {
    Pos         at = 0;
    const char *wanted = used_version(front, by, library->name, &at);
    const char *found = text_value(front, library->class_->annotation, "version");
    if (!wanted || (found && strcmp(found, wanted) == 0)) return;
    if (needs_no_conversion(front, library, wanted)) return;
    diag_report(front->diag, at, CODE_F163,
                "'%s' uses version %s of '%s', but version %s was found",
                text_of(front, by->name), wanted, text_of(front, library->name),
                found ? found : "without number");
    diag_note(front->diag, library->class_->pos,
              "it is here; another one is named with "
              "--library or in MODELICAPATH");
}

void version_check(Front *front) {
    for (const struct Top *by = front->rules.tops; by; by = by->next)
        for (const struct Top *t = front->rules.tops; t; t = t->next)
            if (t != by) check_pair(front, by->package, t->package);
}
