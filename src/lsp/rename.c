/* SPDX-License-Identifier: Apache-2.0 */
/* rename.c -- another name for what stands at the cursor, everywhere.
 *
 * A class that has a file of its own takes the file along, and its line in package.order; editors
 * that cannot rename files are told so instead of getting half of it. */
#define _XOPEN_SOURCE 700
#include "lsp/server.h"

#include <ctype.h>
#include <string.h>

typedef struct Renaming {
    Server     *s;
    Spot        spot;
    Pos         pos;   /* of the first declaration */
    const char *name;  /* the new one */
    cJSON      *edits; /* by uri */
    Text from, to; /* files or folders of the class, empty if it has none of its own */
} Renaming;

static bool inside(const char *path, const char *folder) {
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && path[n] == '/';
}

static bool in_workspace(const Server *s, const char *path) {
    for (int i = 0; i < s->folders; i++)
        if (inside(path, s->folder[i])) return true;
    return false;
}

/* Can it get another name? It must be declared in a text that may be changed: not in a library
 * that only was looked up. */
static bool can_rename(Renaming *r) {
    const Meaning *m = &r->spot.meaning;
    if (!m->pos || (m->kind != MEANS_CLASS && m->kind != MEANS_COMPONENT &&
                    m->kind != MEANS_LITERAL && m->kind != MEANS_ITERATOR))
        return false;
    if (r->spot.use.name != m->name) return false; /* imported under another name */
    r->pos = meaning_origin(world_front(r->s), m);
    const Kept *at = kept_of(r->s, r->pos);
    if (!at) return false;
    if (in_workspace(r->s, at->path)) return true;
    Text here = {0}, there = {0};
    package_folder(&here, r->spot.kept->path);
    package_folder(&there, at->path);
    bool same = strcmp(text_get(&here), text_get(&there)) == 0;
    TEXT_FREE(&here, &there);
    return same;
}

cJSON *request_prepare_rename(Server *s, const cJSON *params) {
    Arena    arena = {0};
    cJSON   *out = NULL;
    Renaming r = {.s = s, .spot = spot_at_cursor(s, params, &arena)};
    if (r.spot.found && can_rename(&r)) {
        out = cJSON_CreateObject();
        cJSON_AddItemToObject(out, "range", kept_range(s, r.spot.kept, r.spot.span.pos));
        cJSON_AddStringToObject(out, "placeholder",
                                name_of(&s->session, r.spot.use.name));
    }
    arena_free(&arena);
    return out;
}

static bool is_name(const Server *s, const char *text) {
    size_t n = strlen(text);
    if (*text == '\'') return n > 2 && strchr(text + 1, '\'') == text + n - 1;
    if (!isalpha((unsigned char)*text) && *text != '_') return false;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    return !session_is_keyword(&s->session, text);
}

/* Is something else called so in the same class? */
static bool is_taken(Renaming *r) {
    const Elem *elem = r->spot.meaning.elem;
    Meaning     around = {.kind = MEANS_CLASS, .cls = elem ? elem->owner : NULL};
    if (!elem || !elem->owner || elem->original) return false;
    Str     name = str_of(&r->s->session.strings, r->name);
    Meaning other = resolve_next(world_front(r->s), &around, name);
    return other.kind && other.pos != r->spot.meaning.pos;
}

static cJSON *edits_of(Renaming *r, const char *uri) {
    cJSON *list = cJSON_GetObjectItemCaseSensitive(r->edits, uri);
    return list ? list : cJSON_AddArrayToObject(r->edits, uri);
}

static void add_edit(Renaming *r, const char *uri, cJSON *range) {
    cJSON *edit = cJSON_CreateObject();
    cJSON_AddItemToObject(edit, "range", range);
    cJSON_AddStringToObject(edit, "newText", r->name);
    cJSON_AddItemToArray(edits_of(r, uri), edit);
}

static void replace(void *context, Pos pos) {
    Renaming *r = context;
    cJSON    *place = kept_location(r->s, pos);
    if (!place) return;
    add_edit(r, json_text(place, "uri"), cJSON_DetachItemFromObject(place, "range"));
    cJSON_Delete(place);
}

/* ---- files ---- */

/* The folder or file that has the name of the class: a/b/Name.mo, a/b/Name/package.mo. */
static void find_file(Renaming *r) {
    const Kept *at = kept_of(r->s, r->pos);
    const char *name = name_of(&r->s->session, r->spot.meaning.name);
    bool        whole = at->file->count == 1 && at->file->stored[0].class_->pos == r->pos;
    if (!whole) return;
    const char *last = strrchr(at->path, '/');
    bool        folder = last && strcmp(last, "/package.mo") == 0;
    size_t      n = strlen(name), end = last ? (size_t)(last - at->path) : 0;
    text_bytes(&r->from, at->path, folder ? end : strlen(at->path));
    size_t tail = folder ? n : n + 3;
    if (r->from.length <= tail ||
        strncmp(r->from.data + r->from.length - tail, name, n) != 0 ||
        r->from.data[r->from.length - tail - 1] != '/') {
        text_clear(&r->from); /* any name will do: it is no part of a library */
        return;
    }
    text_bytes(&r->to, r->from.data, r->from.length - tail);
    text_printf(&r->to, "%s%s", r->name, folder ? "" : ".mo");
}

/* The line of the class in package.order beside it. */
static void edit_order(Renaming *r) {
    Text          path = {0}, uri = {0};
    Sources       own;
    const Source *source;
    const char   *name = name_of(&r->s->session, r->spot.meaning.name);
    size_t        n = strlen(name), slash = r->from.length;
    while (slash && r->from.data[slash - 1] != '/') slash--;
    text_bytes(&path, r->from.data, slash);
    text_add(&path, "package.order");
    sources_init(&own);
    if (source_load(&own, text_get(&path), &source) == SOURCE_OK) {
        Lines lines = lines_of(source->text, source->size);
        path_uri(&uri, text_get(&path));
        for (int k = 0; k < lines.count; k++) {
            const char *line = source->text + lines.start[k];
            if (strncmp(line, name, n) == 0 && strchr("\r\n", line[n]))
                add_edit(r, text_get(&uri),
                         json_range((Point){.line = k}, (Point){k, (int)n}));
        }
        lines_free(&lines);
    }
    sources_free(&own);
    TEXT_FREE(&path, &uri);
}

/* Texts first, then files: the texts have their old names then. */
static cJSON *in_order(Renaming *r) {
    cJSON *out = cJSON_CreateArray(), *list;
    Text   uri = {0};
    while ((list = r->edits->child)) {
        cJSON *change = cJSON_CreateObject(), *which = cJSON_CreateObject();
        cJSON_AddStringToObject(which, "uri", list->string);
        cJSON_AddNullToObject(which, "version");
        cJSON_AddItemToObject(change, "textDocument", which);
        cJSON_AddItemToObject(change, "edits",
                              cJSON_DetachItemViaPointer(r->edits, list));
        cJSON_AddItemToArray(out, change);
    }
    cJSON *move = cJSON_CreateObject();
    cJSON_AddStringToObject(move, "kind", "rename");
    path_uri(&uri, text_get(&r->from));
    cJSON_AddStringToObject(move, "oldUri", text_get(&uri));
    text_clear(&uri);
    path_uri(&uri, text_get(&r->to));
    cJSON_AddStringToObject(move, "newUri", text_get(&uri));
    cJSON_AddItemToArray(out, move);
    text_free(&uri);
    return out;
}

/* Why not; NULL: nothing is against it. */
static const char *objection(Renaming *r) {
    if (!is_name(r->s, r->name)) return "this is no name of Modelica";
    if (is_taken(r)) return "this name is taken in the same class";
    find_file(r);
    if (r->from.length && !r->s->moves)
        return "the class has a file of its own, and this editor cannot rename files";
    return NULL;
}

cJSON *request_rename(Server *s, const cJSON *params) {
    Arena    arena = {0};
    cJSON   *out = NULL;
    Renaming r = {.s = s,
                  .spot = spot_at_cursor(s, params, &arena),
                  .name = json_text(params, "newName"),
                  .edits = cJSON_CreateObject()};
    if (r.spot.found && r.name && can_rename(&r) && !(s->refusal = objection(&r))) {
        out = cJSON_CreateObject();
        if (r.from.length) edit_order(&r);
        search_files(s, &r.spot, true, replace, &r);
        if (r.from.length) cJSON_AddItemToObject(out, "documentChanges", in_order(&r));
        else cJSON_AddItemToObject(out, "changes", cJSON_Duplicate(r.edits, true));
    }
    cJSON_Delete(r.edits);
    TEXT_FREE(&r.from, &r.to);
    arena_free(&arena);
    return out;
}
