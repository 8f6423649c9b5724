/* SPDX-License-Identifier: Apache-2.0 */
/* target.c -- what is to be translated: a class of a file, or the name of a class in a library. */
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

const char *target_find(Translation *t) {
    if (!t->file) return t->class_;
    const StoredFile *file = library_open(t->library, t->file);
    if (!file || !file->good) return NULL;
    return t->class_ ? t->class_ : class_of_file(t, file);
}
