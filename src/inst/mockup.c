/* SPDX-License-Identifier: Apache-2.0 */
/* mockup.c -- components that stand for Functional Mock-up Units.
 *
 * A class with annotation(__Rubato_FMU = true) is no class of its own: wherever it is used, as the type of
 * a component or as a base class, a class made from the unit that its modifier `file` names takes its place.
 * Whoever can read units (front->external.unit) gives the text of that class; modifiers then reach
 * its elements as those of any class. */
#define _XOPEN_SOURCE 700
#include "inst/front.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The name that the modifier gives; NULL: there is none, or it is not known, which is reported. */
static const char *given_file(Front *front, Md *mods, Pos *pos) {
    Md *md = md_find(mods, WORD(front, file));
    if (!md || !md->value) return NULL;
    Ctx    ctx = {.front = front, .scope = md->scope};
    Tx    *tx = type_expr(&ctx, *md->value);
    Value *value = eval_now(front, tx);
    *pos = md->value->pos;
    if (value && value->basic == BASIC_STRING && !value->ndim) return value->string[0];
    if (!ty_bad(tx->type))
        diag_report(front->diag, *pos, CODE_F164,
                    "'file' of an FMU must be a String that is known when translating");
    return NULL;
}

/* The file that is meant: of a library by its URI, else from the folder of the text that names it. The
 * whole path, because the model may run elsewhere. */
static void find_file(Front *front, const char *name, Pos pos, Text *path) {
    const Source *source = source_at(&front->session->sources, pos);
    const char   *slash = source && source->path ? strrchr(source->path, '/') : NULL;
    if (strstr(name, "://") && library_resource(front->library, name, path)) return;
    if (*name != '/' && slash)
        text_printf(path, "%.*s", (int)(slash + 1 - source->path), source->path);
    text_add(path, name);
    char buffer[PATH_MAX], *full = realpath(text_get(path), buffer);
    if (!full) return;
    text_clear(path);
    text_add(path, full);
}

static Elem *make_class(Front *front, const char *path, Pos pos) {
    Text         text = {0}, why = {0};
    const Class *def = NULL;
    if (!front->external.unit) text_add(&why, "nothing here reads FMUs");
    else if (front->external.unit(front->external.context, path, &text, &why)) {
        const StoredFile *file = parse_text(front->session, path, text_get(&text));
        if (file && file->count == 1) def = file->stored[0].class_;
    }
    if (why.length)
        diag_report(front->diag, pos, CODE_F164, "the FMU cannot be used: %s",
                    text_get(&why));
    TEXT_FREE(&text, &why);
    if (!def) return NULL;
    Elem *elem = NEW(&front->arena, Elem, 1);
    *elem = (Elem){.name = def->name,
                   .pos = def->pos,
                   .is_class = true,
                   .def = def,
                   .owner = front->root};
    return elem;
}

Cls *mockup_class(Front *front, Cls *cls, Md *mods, Pos pos) {
    if (!cls->def || !annotation_true(cls->def->annotation, WORD(front, __Rubato_FMU)))
        return cls;
    Pos         at = pos;
    int         errors = front->diag->errors;
    const char *name = given_file(front, mods, &at);
    if (!name && front->diag->errors == errors)
        diag_report(front->diag, pos, CODE_F164,
                    "an FMU needs a file: %s name(file = \"name.fmu\")",
                    cls_text(front, cls));
    if (!name) return NULL;
    Text path = {0};
    find_file(front, name, at, &path);
    Str   known = str_of(front->strings, text_get(&path));
    Elem *elem = (Elem *)(intptr_t)map_get(&front->mockups, known, 0);
    if (!elem) elem = make_class(front, text_get(&path), at);
    if (elem) map_put(&front->mockups, known, (int64_t)(intptr_t)elem);
    text_free(&path);
    return elem ? elem_class(front, elem, NULL) : NULL;
}
