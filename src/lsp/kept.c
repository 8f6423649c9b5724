/* SPDX-License-Identifier: Apache-2.0 */
/* kept.c -- parsed files, each read once until it changes.
 *
 * A file that is open in the editor has the text of the editor, any other that of the disk: it is
 * valid while its size and time of change are the same, which is looked at once in each generation
 * of the world. Each tree lives in an arena of its own, so that it goes with its text. */
#define _POSIX_C_SOURCE 200809L
#include "lsp/server.h"

#include <string.h>
#include <sys/stat.h>

enum {
    TREES_MOST = 64 << 20
}; /* bytes of trees that are kept; what is in use may be more */

static void release(Server *s, Kept *k) {
    if (k->file) source_forget(&s->session.sources, k->file->source);
    arena_free(&k->tree);
    lines_free(&k->lines);
    k->file = NULL;
    k->message = NULL;
    k->messages = 0;
    k->spans = (Spans){0};
}

/* Messages of the parser stay with the file. */
static void keep_messages(Kept *k, const Diag *diag) {
    k->messages = diag->count;
    k->message =
        arena_copy(&k->tree, diag->message, sizeof(Message) * (size_t)diag->count);
    for (int i = 0; i < k->messages; i++)
        k->message[i].text =
            arena_string(&k->tree, k->message[i].text, strlen(k->message[i].text));
}

static void parse(Server *s, Kept *k, const Document *d) {
    Session      *session = &s->session;
    const Source *source;
    Diag          diag = session->diag;
    Arena         ast = session->ast;
    diag_init(&session->diag, &session->sources);
    session->ast = k->tree;
    if (!d) k->file = parse_file(session, k->path);
    else if (source_add(&session->sources, k->path, text_get(&d->text), d->text.length,
                        &source) == SOURCE_OK)
        k->file = parse_source(session, source);
    k->tree = session->ast;
    session->ast = ast;
    keep_messages(k, &session->diag);
    diag_free(&session->diag);
    session->diag = diag;
}

static int64_t time_of(const struct stat *info) {
    return (int64_t)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec;
}

static bool still_valid(Kept *k, const Document *d, struct stat *info) {
    bool there = stat(k->path, info) == 0;
    if (d) return k->file && k->version == d->number;
    return there && k->file && k->version < 0 && info->st_size == k->size &&
           time_of(info) == k->changed;
}

static Kept *kept_named(Server *s, const char *path) {
    Str     name = str_of(&s->session.strings, path);
    int64_t known = map_get(&s->kept_by_path, name, 0);
    if (known) return (Kept *)(intptr_t)known;
    Kept *k = mem_take(1, sizeof *k);
    k->path = mem_string(path);
    k->next = s->kept;
    s->kept = k;
    map_put(&s->kept_by_path, name, (int64_t)(intptr_t)k);
    return k;
}

Kept *kept_get(Server *s, const char *path) {
    Kept       *k = kept_named(s, path);
    struct stat info = {0};
    if (k->seen != s->generation) {
        Document *d = document_at(s, path);
        if (!still_valid(k, d, &info)) {
            release(s, k);
            parse(s, k, d);
            k->version = d ? d->number : -1;
            k->size = info.st_size;
            k->changed = time_of(&info);
        }
        k->seen = s->generation;
    }
    for (int i = 0; i < k->messages; i++) { /* as if it had been parsed now */
        const Message *m = &k->message[i];
        if (m->severity == SEVERITY_NOTE)
            diag_note(&s->session.diag, m->pos, "%s", m->text);
        else diag_report(&s->session.diag, m->pos, m->code, "%s", m->text);
    }
    return k->file ? k : NULL;
}

Kept *kept_of(Server *s, Pos pos) {
    const Source *source = source_at(&s->session.sources, pos);
    if (!source) return NULL;
    Str     name = str_find(&s->session.strings, source->path, strlen(source->path));
    int64_t known = name ? map_get(&s->kept_by_path, name, 0) : 0;
    Kept   *k = (Kept *)(intptr_t)known;
    return k && k->file && k->file->source == source ? k : NULL;
}

const Spans *kept_spans(Server *s, Kept *k) {
    if (!k->spans.count) k->spans = spans_of(&s->session, k->file->source, &k->tree);
    return &k->spans;
}

const Lines *kept_lines(Kept *k) {
    if (!k->lines.start)
        k->lines = lines_of(k->file->source->text, k->file->source->size);
    return &k->lines;
}

bool kept_full(const Server *s) {
    size_t bytes = 0;
    for (const Kept *k = s->kept; k; k = k->next) bytes += k->tree.reserved;
    return bytes >= TREES_MOST;
}

void kept_trim(Server *s) {
    if (!kept_full(s)) return;
    for (Kept *k = s->kept; k; k = k->next)
        if (k->file && k->wanted != s->generation) release(s, k);
}

void kept_free(Server *s) {
    while (s->kept) {
        Kept *k = s->kept;
        s->kept = k->next;
        release(s, k);
        MEM_FREE(k->path, k);
    }
    map_free(&s->kept_by_path);
}

/* ---- places ---- */

cJSON *kept_between(Kept *k, Pos from, Pos to) {
    const Source *source = k->file->source;
    const Lines  *lines = kept_lines(k);
    return json_range(offset_point(lines, source->text, from - source->base),
                      offset_point(lines, source->text, to - source->base));
}

cJSON *kept_range(Server *s, Kept *k, Pos pos) {
    const Spans *spans = kept_spans(s, k);
    int          at = spans_find(spans, pos);
    Pos          end = pos;
    if (at >= 0 && pos < spans->item[at].pos + spans->item[at].length &&
        spans->item[at].kind != SPAN_REMARK)
        end = spans->item[at].pos + spans->item[at].length;
    return kept_between(k, pos, end);
}

cJSON *kept_location(Server *s, Pos pos) {
    Kept *k = pos ? kept_of(s, pos) : NULL;
    if (!k) return NULL;
    const Document *d = document_at(s, k->path);
    Text            uri = {0};
    cJSON          *out = cJSON_CreateObject();
    if (d) text_add(&uri, d->uri);
    else path_uri(&uri, k->path);
    cJSON_AddStringToObject(out, "uri", text_get(&uri));
    cJSON_AddItemToObject(out, "range", kept_range(s, k, pos));
    text_free(&uri);
    return out;
}
