/* SPDX-License-Identifier: Apache-2.0 */
/* target.c -- what is to be translated: a class of a file or text, or the name of a class in a
 * library or in files beside it. */
#include "translate/translate.h"

#include <string.h>

static bool can_be_simulated(const Class *c) {
    return (c->kind == CLASS_MODEL || c->kind == CLASS_BLOCK || c->kind == CLASS_CLASS) &&
           !c->partial;
}

/* Appends ".name" of the last class inside that can be simulated; false if there is none. */
static bool last_inside(const Session *session, const Class *outer, Text *name) {
    if (can_be_simulated(outer)) return true;
    if (outer->kind != CLASS_PACKAGE || outer->form != FORM_LONG) return false;
    for (uint32_t s = outer->count; s-- > 0;) {
        const Section *section = &outer->section[s];
        for (uint32_t i = section->kind <= SECTION_PROTECTED ? section->count : 0;
             i-- > 0;) {
            if (section->element[i]->kind != ELEMENT_CLASS) continue;
            const Class *inner = section->element[i]->class_;
            size_t       length = name->length;
            text_printf(name, ".%s", name_of(session, inner->name));
            if (last_inside(session, inner, name)) return true;
            name->length = length;
        }
    }
    return false;
}

/* Full name of the last class of a file that can be simulated. */
static const char *class_of_file(Translation *t, const StoredFile *file) {
    Text   name = {0};
    size_t length;
    for (int i = 0; file->within && i < file->within->count; i++)
        text_printf(&name, "%s.", name_of(t->session, file->within->part[i].name));
    length = name.length;
    bool found = false;
    for (uint32_t k = file->count; k-- > 0 && !found;) {
        name.length = length;
        text_add(&name, name_of(t->session, file->stored[k].class_->name));
        found = last_inside(t->session, file->stored[k].class_, &name);
    }
    if (!found && file->count) { /* the message will name what it is */
        name.length = length;
        text_add(&name, name_of(t->session, file->stored[file->count - 1].class_->name));
    }
    const char *copy =
        file->count ? arena_string(&t->arena, text_get(&name), name.length) : NULL;
    text_free(&name);
    return copy;
}

/* ---- a class by the end of its name ---- */

typedef struct Ending { /* classes of a file whose names end with a text */
    const Session *session;
    const char    *wanted;
    Text           name;  /* of the class that is looked at */
    Text           found; /* names, separated by ", " */
    Suggest        like;  /* a name that looks like it */
    int            count;
    bool           exact; /* one is called exactly so */
} Ending;

static void look_at(Ending *e, const Class *class_) {
    size_t      before = e->name.length, n = strlen(e->wanted);
    const char *dot = before ? "." : "";
    text_printf(&e->name, "%s%s", dot, name_of(e->session, class_->name));
    suggest_candidate(&e->like, name_of(e->session, class_->name));
    const char *own = text_get(&e->name);
    size_t      length = e->name.length;
    e->exact |= strcmp(own, e->wanted) == 0;
    if (length > n && own[length - n - 1] == '.' && !strcmp(own + length - n, e->wanted))
        text_printf(&e->found, "%s%s", e->count++ ? ", " : "", own);
    for (uint32_t s = 0; class_->form == FORM_LONG && s < class_->count; s++) {
        const Section *section = &class_->section[s];
        for (uint32_t i = 0; section->kind <= SECTION_PROTECTED && i < section->count;
             i++)
            if (section->element[i]->kind == ELEMENT_CLASS)
                look_at(e, section->element[i]->class_);
    }
    e->name.length = before;
    if (e->name.data) e->name.data[before] = 0;
}

static void look_into(Ending *e, const StoredFile *file) {
    for (int i = 0; file->within && i < file->within->count; i++)
        text_printf(&e->name, "%s%s", i ? "." : "",
                    name_of(e->session, file->within->part[i].name));
    for (uint32_t k = 0; k < file->count; k++) look_at(e, file->stored[k].class_);
    text_clear(&e->name);
}

/* The class that --model names: its full name, or the end of one that only one class has. */
static const char *class_called(Translation *t, const StoredFile *const *file,
                                int files) {
    Ending e = {
        .session = t->session, .wanted = t->class_, .like = suggest_start(t->class_)};
    for (int k = 0; k < files; k++) look_into(&e, file[k]);
    const char *name = t->class_;
    if (!e.exact && e.count == 1)
        name = arena_string(&t->arena, text_get(&e.found), e.found.length);
    if (!e.exact && !e.count && e.like.best && !strchr(t->class_, '.')) {
        diag_report(&t->session->diag, 0, CODE_F101,
                    "there is no class '%s'; did you mean '%s'?", t->class_, e.like.best);
        name = NULL;
    } else if (!e.exact && e.count > 1) {
        diag_report(&t->session->diag, 0, CODE_F101,
                    "several classes are called '%s': %s", t->class_, text_get(&e.found));
        name = NULL;
    }
    text_free(&e.name);
    text_free(&e.found);
    return name;
}

/* Files beside the target are read before it, so that it may lie in a package of theirs. */
const char *target_find(Translation *t) {
    const StoredFile **file = NEW(&t->arena, const StoredFile *, t->besides + 1);
    int                files = t->besides + (t->file != NULL);
    bool               good = true;
    for (int k = 0; k < files; k++) {
        bool own = k == t->besides;
        file[k] =
            library_open(t->library, own ? t->file : t->beside[k], own ? t->text : NULL);
        good = good && file[k] && file[k]->good;
    }
    if (!good) return NULL;
    if (!t->file) return t->class_;
    return t->class_ ? class_called(t, file, files) : class_of_file(t, file[files - 1]);
}
