/* SPDX-License-Identifier: Apache-2.0 */
/* search.c -- every place of a name, in files that are open or not.
 *
 * It is looked for in the package of its declaration, in the package it was asked about, in the
 * folders of the workspace and in the open texts. A file without its letters is not parsed. Each
 * candidate is looked up, and is a place of the name if it leads to the same declaration. What
 * redeclares an element has its name, whoever asks, and so is another place of it. */
#include "lsp/server.h"

#include <string.h>

typedef struct Search {
    Server     *s;
    Pos         pos; /* of the first declaration */
    Str         name;
    bool        declaration; /* is it one of its places? */
    Kept       *kept;        /* the file that is looked through */
    Map         seen;        /* Str of paths */
    PlaceVisit *visit;
    void       *context;
} Search;

static bool declares(const NameUse *use) {
    return use->role == DECLARES_CLASS || use->role == DECLARES_COMPONENT ||
           use->role == DECLARES_LITERAL || use->role == DECLARES_ITERATOR;
}

static bool consider(void *context, const NameUse *use) {
    Search *search = context;
    if (use->name != search->name) return false;
    bool own = use->pos == search->pos;
    if (!own) {
        Front  *front = world_front(search->s);
        Meaning m = resolve_use(front, search->kept->file, use);
        if (!m.pos || meaning_origin(front, &m) != search->pos) return false;
    }
    if (search->declaration || !(own && declares(use)))
        search->visit(search->context, use->pos);
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
    Str     file = str_of(&s->session.strings, path);
    if (map_has(&search->seen, file)) return;
    map_put(&search->seen, file, 1);
    if (!may_contain(s, path, name_of(&s->session, search->name))) return;
    search->kept = kept_get(s, path);
    if (search->kept) visit_file(search->kept->file, consider, search);
    world_spare(s, search->pos);
}

/* The outermost package around a file; empty if it is in none. */
static void package_around(Text *out, const Kept *k) {
    const char *last = strrchr(k->path, '/');
    if (k->file->within || (last && strcmp(last, "/package.mo") == 0))
        package_folder(out, k->path);
}

void search_files(Server *s, const Spot *spot, bool declaration, PlaceVisit *visit,
                  void *context) {
    Search      search = {.s = s,
                          .pos = meaning_origin(world_front(s), &spot->meaning),
                          .name = spot->meaning.name,
                          .declaration = declaration,
                          .visit = visit,
                          .context = context};
    const Kept *at = kept_of(s, search.pos);
    Text there = {0}, here = {0}; /* trees may be forgotten while files are visited */
    if (!at) return;
    package_around(&there, at);
    package_around(&here, spot->kept);
    search_file(&search, at->path);
    if (spot->meaning.kind != MEANS_ITERATOR) {
        if (there.length) files_each(s, text_get(&there), search_file, &search);
        if (here.length) files_each(s, text_get(&here), search_file, &search);
        for (int i = 0; i < s->folders; i++)
            files_each(s, s->folder[i], search_file, &search);
        for (Document *d = s->document; d; d = d->next) search_file(&search, d->path);
    }
    TEXT_FREE(&there, &here);
    map_free(&search.seen);
}

void search_text(Server *s, const Spot *spot, PlaceVisit *visit, void *context) {
    Search search = {.s = s,
                     .pos = meaning_origin(world_front(s), &spot->meaning),
                     .name = spot->meaning.name,
                     .declaration = true,
                     .kept = spot->kept,
                     .visit = visit,
                     .context = context};
    visit_file(spot->kept->file, consider, &search);
}
