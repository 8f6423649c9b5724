/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c -- formatting: the whole text, some lines, or the line just typed.
 *
 * The formatter works on whole files and keeps the order of the text and all its words, so a part
 * of the result is found by its words: between words that are the same before and after it. A text
 * with a wrong syntax is left alone. */
#include "lsp/server.h"

#include <string.h>

static cJSON *edit_of(Point from, Point to, const char *text, size_t length) {
    cJSON *edit = cJSON_CreateObject();
    Text   copy = {0};
    text_bytes(&copy, text, length);
    cJSON_AddItemToObject(edit, "range", json_range(from, to));
    cJSON_AddStringToObject(edit, "newText", text_get(&copy));
    text_free(&copy);
    return edit;
}

/* The formatted text; false: the text is wrong, or would mean something else. */
static bool formatted(Server *s, Kept *k, Text *out) {
    Session       again;
    const Source *source;
    Text          before = {0}, after = {0};
    bool          same = false;
    if (!k || !k->file->good) return false;
    format_file(out, &s->session, k->file);
    session_init(&again);
    if (source_add(&again.sources, k->path, text_get(out), out->length, &source) ==
        SOURCE_OK) {
        const StoredFile *file = parse_source(&again, source);
        dump_file(&before, &s->session, k->file, true);
        dump_file(&after, &again, file, true);
        same = file->good && strcmp(text_get(&before), text_get(&after)) == 0;
    }
    session_free(&again);
    text_free(&before);
    text_free(&after);
    return same;
}

typedef struct LineText {
    const char *at;
    size_t      length;
} LineText;

static LineText line_at(const Lines *lines, const char *text, int k) {
    uint32_t from = lines->start[k], to = lines->start[k + 1];
    while (to > from && (text[to - 1] == '\n' || text[to - 1] == '\r')) to--;
    return (LineText){text + from, to - from};
}

static bool same_line(LineText a, LineText b) {
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* Equal lines at the beginning and at the end are left out of the edit. */
static cJSON *edits_between(const Lines *old, const char *old_text, const Lines *new_,
                            const char *new_text) {
    cJSON *out = cJSON_CreateArray();
    int    n = old->count, m = new_->count, first = 0, last = 0;
    while (first < n && first < m &&
           same_line(line_at(old, old_text, first), line_at(new_, new_text, first)))
        first++;
    while (last < n - first && last < m - first &&
           same_line(line_at(old, old_text, n - 1 - last),
                     line_at(new_, new_text, m - 1 - last)))
        last++;
    if (first == n && first == m) return out;
    uint32_t from = new_->start[first], to = new_->start[m - last];
    Point    a = {.line = first}, b = {.line = n - last};
    if (last == 0) b = offset_point(old, old_text, old->start[n]);
    if (first == n) a = b;
    cJSON_AddItemToArray(out, edit_of(a, b, new_text + from, to - from));
    return out;
}

cJSON *request_format(Server *s, const cJSON *params) {
    Document *d = document_of(s, params);
    Kept     *k = d ? world_enter(s, d) : NULL;
    Text      text = {0};
    cJSON    *out = NULL;
    if (formatted(s, k, &text)) {
        Lines lines = lines_of(text_get(&text), text.length);
        out = edits_between(&d->lines, text_get(&d->text), &lines, text_get(&text));
        lines_free(&lines);
    }
    text_free(&text);
    return out;
}

/* ---- some lines ---- */

/* Spaces and tabs at the beginning of line `line` become those that the formatter gives to the
 * first word of it, if a line begins with this word there, too. */
typedef struct Indenter {
    Kept        *k;
    const Spans *old;
    Spans        fresh;
    const char  *text; /* formatted */
    Pos          base; /* of its positions */
    cJSON       *out;
} Indenter;

static int first_word(const Spans *spans, Pos from, Pos to) { /* -1: there is none */
    int k = spans_find(spans, from);
    if (k < 0 || spans->item[k].pos < from) k++;
    return k < spans->count && spans->item[k].pos < to ? k : -1;
}

static size_t blanks_before(const char *text,
                            const char *word) { /* -1: not only blanks */
    const char *c = word;
    while (c > text && (c[-1] == ' ' || c[-1] == '\t')) c--;
    return c == text || c[-1] == '\n' ? (size_t)(word - c) : (size_t)-1;
}

static void indent_line(Indenter *in, int line) {
    const Source *source = in->k->file->source;
    const Lines  *lines = kept_lines(in->k);
    Pos           from = source->base + lines->start[line];
    int           k = first_word(in->old, from, source->base + lines->start[line + 1]);
    if (k < 0) return;
    const Span *fresh = &in->fresh.item[k];
    const char *word = in->text + (fresh->pos - in->base);
    size_t      wanted = blanks_before(in->text, word);
    size_t      has = in->old->item[k].pos - from;
    const char *own = source->text + lines->start[line];
    if (wanted == (size_t)-1) return;
    if (has == wanted && memcmp(own, word - wanted, has) == 0) return;
    const Point begin = {.line = line}, end = {.line = line, .character = (int)has};
    cJSON_AddItemToArray(in->out, edit_of(begin, end, word - wanted, wanted));
}

static cJSON *indent_lines(Server *s, Document *d, int first, int last) {
    Kept         *k = world_enter(s, d);
    Text          text = {0};
    Session       again;
    Arena         arena = {0};
    Indenter      in = {.k = k, .out = cJSON_CreateArray()};
    const Source *source;
    if (!formatted(s, k, &text)) {
        text_free(&text);
        return in.out;
    }
    session_init(&again);
    if (source_add(&again.sources, "(formatted)", text_get(&text), text.length,
                   &source) == SOURCE_OK) {
        in.old = kept_spans(s, k);
        in.fresh = spans_of(&again, source, &arena);
        in.text = source->text;
        in.base = source->base;
        if (in.fresh.count == in.old->count)
            for (int line = first < 0 ? 0 : first;
                 line <= last && line < kept_lines(k)->count; line++)
                indent_line(&in, line);
    }
    session_free(&again);
    arena_free(&arena);
    text_free(&text);
    return in.out;
}

cJSON *request_format_range(Server *s, const cJSON *params) {
    Document *d = document_of(s, params);
    if (!d) return NULL;
    return indent_lines(s, d, point_read(json_at(params, "range.start")).line,
                        point_read(json_at(params, "range.end")).line);
}

cJSON *request_format_typed(Server *s, const cJSON *params) {
    Document *d = document_of(s, params);
    int       line = point_read(json_at(params, "position")).line;
    return d ? indent_lines(s, d, line, line) : NULL;
}
