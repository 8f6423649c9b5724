/* SPDX-License-Identifier: Apache-2.0 */
/* define.c -- definition, type definition, references, highlights. */
#include "lsp/server.h"

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

typedef struct Places {
    Server *s;
    cJSON  *list;
} Places;

static void add_place(void *context, Pos pos) {
    Places *places = context;
    cJSON  *place = kept_location(places->s, pos);
    if (place) cJSON_AddItemToArray(places->list, place);
}

cJSON *request_references(Server *s, const cJSON *params) {
    Arena  arena = {0};
    Spot   spot = spot_at_cursor(s, params, &arena);
    Places places = {s, cJSON_CreateArray()};
    bool   all = cJSON_IsTrue(json_at(params, "context.includeDeclaration"));
    if (spot.meaning.pos) search_files(s, &spot, all, add_place, &places);
    arena_free(&arena);
    return places.list;
}

cJSON *request_highlight(Server *s, const cJSON *params) {
    Arena  arena = {0};
    Spot   spot = spot_at_cursor(s, params, &arena);
    Places places = {s, cJSON_CreateArray()};
    cJSON *item;
    if (spot.meaning.pos) search_text(s, &spot, add_place, &places);
    cJSON_ArrayForEach(item, places.list) {
        cJSON_DeleteItemFromObject(item, "uri");
    }
    arena_free(&arena);
    return places.list;
}
