/* SPDX-License-Identifier: Apache-2.0 */
/* define.c -- definition, type definition, references, rename.
 *
 * References are looked for in the files of the package around the text, or in its own file: a
 * name in a file that does not contain its letters is not parsed. Each candidate is looked up,
 * and refers to the thing if its declaration is the same place. */
#include "lsp/server.h"

#include <ctype.h>
#include <string.h>

cJSON *request_definition(Server *s, const cJSON *params) {
    Arena  arena = {0};
    Spot   spot = spot_at_cursor(s, params, &arena);
    cJSON *out = spot.meaning.pos ? kept_location(s, spot.meaning.pos) : NULL;
    arena_free(&arena);
    return out;
}

cJSON *request_type_definition(Server *s, const cJSON *params) {
    Arena      arena = {0};
    Spot       spot = spot_at_cursor(s, params, &arena);
    const Cls *cls = spot.meaning.kind ? spot.meaning.cls : NULL;
    cJSON     *out = cls && cls->def ? kept_location(s, cls->def->pos) : NULL;
    arena_free(&arena);
    return out;
}

/* ---- references ---- */

typedef struct Search {
    Server     *s;
    Pos         pos; /* of the declaration */
    Str         name;
    bool        declaration; /* is it one of its references? */
    Kept       *kept;        /* the file that is looked through */
    cJSON      *places;      /* locations, or */
    cJSON      *edits;       /* texts to replace: by uri */
    const char *text;        /* with this one */
} Search;

static bool declares(const NameUse *use) {
    return use->role == DECLARES_CLASS || use->role == DECLARES_COMPONENT ||
           use->role == DECLARES_LITERAL || use->role == DECLARES_ITERATOR;
}

static void found(Search *search, Pos pos) {
    cJSON *place = kept_location(search->s, pos);
    if (!place || search->places) {
        if (place) cJSON_AddItemToArray(search->places, place);
        return;
    }
    const char *uri = json_text(place, "uri");
    cJSON      *list = cJSON_GetObjectItemCaseSensitive(search->edits, uri);
    if (!list) list = cJSON_AddArrayToObject(search->edits, uri);
    cJSON *edit = cJSON_CreateObject();
    cJSON_AddItemToObject(edit, "range", cJSON_DetachItemFromObject(place, "range"));
    cJSON_AddStringToObject(edit, "newText", search->text);
    cJSON_AddItemToArray(list, edit);
    cJSON_Delete(place);
}

static bool consider(void *context, const NameUse *use) {
    Search *search = context;
    if (use->name != search->name) return false;
    bool own = use->pos == search->pos;
    if (!own) {
        Meaning m = resolve_use(world_front(search->s), search->kept->file, use);
        if (m.pos != search->pos) return false;
    }
    if (search->declaration || !(own && declares(use))) found(search, use->pos);
    return false;
}

static bool contains(const char *text, size_t size, const char *word) {
    size_t n = strlen(word);
    for (const char *at = text, *end = text + size;
         n && (at = memchr(at, word[0], (size_t)(end - at))) && at + n <= end; at++)
        if (memcmp(at, word, n) == 0) return true;
    return false;
}

/* A file that does not have the word is not parsed. */
static bool may_contain(Server *s, const char *path, const char *word) {
    const Document *d = document_at(s, path);
    if (d) return contains(text_get(&d->text), d->text.length, word);
    Sources       own;
    const Source *source;
    sources_init(&own);
    bool any = source_load(&own, path, &source) == SOURCE_OK &&
               contains(source->text, source->size, word);
    sources_free(&own);
    return any;
}

static void search_file(void *context, const char *path) {
    Search *search = context;
    Server *s = search->s;
    if (!may_contain(s, path, name_of(&s->session, search->name))) return;
    search->kept = kept_get(s, path);
    if (search->kept) visit_file(search->kept->file, consider, search);
}

/* Everything in the package around the declaration and in the open texts. An iterator is known
 * in its own file only. */
static void search_all(Search *search, const Spot *spot) {
    Server *s = search->s;
    Kept   *at = kept_of(s, search->pos);
    Text    folder = {0};
    if (!at) return;
    if (spot->meaning.kind == MEANS_ITERATOR) {
        search_file(search, at->path);
        return;
    }
    package_folder(&folder, at->path);
    bool package = at->file->within != NULL ||
                   (strlen(at->path) > 11 &&
                    strcmp(at->path + strlen(at->path) - 11, "/package.mo") == 0);
    if (package) files_each(s, text_get(&folder), search_file, search);
    else search_file(search, at->path);
    for (Document *d = s->document; d; d = d->next)
        if (strcmp(d->path, at->path) != 0 &&
            (!package || strncmp(d->path, text_get(&folder), folder.length) != 0))
            search_file(search, d->path);
    text_free(&folder);
}

cJSON *request_references(Server *s, const cJSON *params) {
    Arena  arena = {0};
    Spot   spot = spot_at_cursor(s, params, &arena);
    cJSON *out = cJSON_CreateArray();
    Search search = {.s = s,
                     .pos = spot.meaning.pos,
                     .name = spot.meaning.name,
                     .declaration =
                         cJSON_IsTrue(json_at(params, "context.includeDeclaration")),
                     .places = out};
    if (spot.meaning.pos) search_all(&search, &spot);
    arena_free(&arena);
    return out;
}

cJSON *request_highlight(Server *s, const cJSON *params) {
    Arena  arena = {0};
    Spot   spot = spot_at_cursor(s, params, &arena);
    cJSON *out = cJSON_CreateArray(), *item;
    Search search = {.s = s,
                     .pos = spot.meaning.pos,
                     .name = spot.meaning.name,
                     .declaration = true,
                     .kept = spot.kept,
                     .places = out};
    if (spot.meaning.pos) visit_file(spot.kept->file, consider, &search);
    cJSON_ArrayForEach(item, out) {
        cJSON_DeleteItemFromObject(item, "uri");
    }
    arena_free(&arena);
    return out;
}

/* ---- rename ---- */

/* Can it get another name? It must be declared in a text that may be changed: not in a library
 * that only was looked up. */
static bool can_rename(Server *s, const Spot *spot) {
    const Meaning *m = &spot->meaning;
    if (!m->pos || (m->kind != MEANS_CLASS && m->kind != MEANS_COMPONENT &&
                    m->kind != MEANS_LITERAL && m->kind != MEANS_ITERATOR))
        return false;
    if (spot->use.name != m->name) return false; /* imported under another name */
    const Kept *at = kept_of(s, m->pos);
    Text        here = {0}, there = {0};
    if (!at) return false;
    package_folder(&here, spot->kept->path);
    package_folder(&there, at->path);
    bool same = strcmp(text_get(&here), text_get(&there)) == 0;
    text_free(&here);
    text_free(&there);
    return same;
}

cJSON *request_prepare_rename(Server *s, const cJSON *params) {
    Arena  arena = {0};
    cJSON *out = NULL;
    Spot   spot = spot_at_cursor(s, params, &arena);
    if (spot.found && can_rename(s, &spot)) {
        out = cJSON_CreateObject();
        cJSON_AddItemToObject(out, "range", kept_range(s, spot.kept, spot.span.pos));
        cJSON_AddStringToObject(out, "placeholder", name_of(&s->session, spot.use.name));
    }
    arena_free(&arena);
    return out;
}

static bool is_name(const char *text) {
    if (!isalpha((unsigned char)*text) && *text != '_') return *text == '\'';
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_') return false;
    return true;
}

cJSON *request_rename(Server *s, const cJSON *params) {
    const char *name = json_text(params, "newName");
    Arena       arena = {0};
    cJSON      *out = NULL;
    Spot        spot = spot_at_cursor(s, params, &arena);
    if (spot.found && name && is_name(name) && can_rename(s, &spot)) {
        out = cJSON_CreateObject();
        Search search = {.s = s,
                         .pos = spot.meaning.pos,
                         .name = spot.meaning.name,
                         .declaration = true,
                         .edits = cJSON_AddObjectToObject(out, "changes"),
                         .text = name};
        search_all(&search, &spot);
    }
    arena_free(&arena);
    return out;
}
