/* SPDX-License-Identifier: Apache-2.0 */
/* document.c -- the texts an editor has open, and its changes to them. */
#include "lsp/server.h"

#include <string.h>

Document *document_find(Server *s, const char *uri) {
    for (Document *d = s->document; d && uri; d = d->next)
        if (strcmp(d->uri, uri) == 0) return d;
    return NULL;
}

Document *document_at(Server *s, const char *path) {
    for (Document *d = s->document; d; d = d->next)
        if (strcmp(d->path, path) == 0) return d;
    return NULL;
}

Document *document_of(Server *s, const cJSON *params) {
    Document *d = document_find(s, json_text(params, "textDocument.uri"));
    if (d && json_at(params, "position"))
        d->cursor = point_offset(&d->lines, text_get(&d->text),
                                 point_read(json_at(params, "position")));
    return d;
}

/* What was parsed of any version before is no longer valid. */
static void changed(Server *s, Document *d) {
    lines_free(&d->lines);
    d->lines = lines_of(text_get(&d->text), d->text.length);
    d->number = ++s->changes;
    world_change(s);
    for (Document *other = s->document; other; other = other->next) {
        other->due = true;
        if (other == d) other->since = clock_now();
    }
    check_syntax(s, d);
}

static void drop(Document *d) {
    text_free(&d->text);
    lines_free(&d->lines);
    MEM_FREE(d->uri, d->path, d->told, d);
}

void document_open(Server *s, const cJSON *params) {
    const char *uri = json_text(params, "textDocument.uri");
    const char *text = json_text(params, "textDocument.text");
    Text        path = {0};
    if (!uri || !text) return;
    Document *d = document_find(s, uri);
    if (!d) {
        if (!uri_path(&path, uri)) { /* a text that was never saved */
            text_clear(&path);
            text_add(&path, uri);
        }
        d = mem_take(1, sizeof *d);
        d->uri = mem_string(uri);
        d->path = mem_string(text_get(&path));
        d->next = s->document;
        s->document = d;
        text_free(&path);
    }
    text_clear(&d->text);
    text_add(&d->text, text);
    d->version = json_whole(params, "textDocument.version", 0);
    d->cursor = 0;
    changed(s, d);
}

/* One change: of a range, or of everything. */
static void apply(Document *d, const cJSON *change) {
    const char  *text = json_text(change, "text");
    const cJSON *range = json_at(change, "range");
    if (!text) return;
    size_t length = strlen(text);
    if (!range) {
        text_clear(&d->text);
        text_bytes(&d->text, text, length);
        return;
    }
    uint32_t from =
        point_offset(&d->lines, text_get(&d->text), point_read(json_at(range, "start")));
    uint32_t to =
        point_offset(&d->lines, text_get(&d->text), point_read(json_at(range, "end")));
    if (to < from) to = from;
    Text out = {0};
    text_bytes(&out, text_get(&d->text), from);
    text_bytes(&out, text, length);
    text_bytes(&out, text_get(&d->text) + to, d->text.length - to);
    text_free(&d->text);
    d->text = out;
    d->cursor = from + (uint32_t)length;
}

void document_change(Server *s, const cJSON *params) {
    Document    *d = document_find(s, json_text(params, "textDocument.uri"));
    const cJSON *change;
    if (!d) return;
    cJSON_ArrayForEach(change, json_at(params, "contentChanges")) {
        apply(d, change);
        lines_free(&d->lines); /* the next change counts in the new text */
        d->lines = lines_of(text_get(&d->text), d->text.length);
    }
    d->version = json_whole(params, "textDocument.version", d->version);
    changed(s, d);
}

void document_close(Server *s, const cJSON *params) {
    Document  **at = &s->document;
    const char *uri = json_text(params, "textDocument.uri");
    while (uri && *at && strcmp((*at)->uri, uri) != 0) at = &(*at)->next;
    if (!uri || !*at) return;
    Document *d = *at;
    *at = d->next;
    cJSON *message = cJSON_CreateObject(), *inner = cJSON_CreateObject();
    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    cJSON_AddStringToObject(message, "method", "textDocument/publishDiagnostics");
    cJSON_AddStringToObject(inner, "uri", d->uri);
    cJSON_AddItemToObject(inner, "diagnostics", cJSON_CreateArray());
    cJSON_AddItemToObject(message, "params", inner);
    wire_send(&s->wire, message);
    drop(d);
    world_change(s);
    for (Document *other = s->document; other; other = other->next) other->due = true;
}

void document_save(Server *s, const cJSON *params) {
    (void)params;
    world_change(s);
    for (Document *d = s->document; d; d = d->next) d->due = true;
}

void documents_free(Server *s) {
    while (s->document) {
        Document *d = s->document;
        s->document = d->next;
        drop(d);
    }
}
