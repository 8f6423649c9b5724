/* SPDX-License-Identifier: Apache-2.0 */
/* action.c -- repairs for messages that know them, and commands above models.
 *
 * A repair is read from the message itself: what it proposes in quotes is what people read. */
#include "lsp/server.h"

#include <math.h>
#include <string.h>

/* The text between `before` and `behind` in a message; false if it is not there. */
static bool between(Text *out, const char *message, const char *before,
                    const char *behind) {
    const char *from = strstr(message, before);
    if (!from) return false;
    from += strlen(before);
    const char *to = strstr(from, behind);
    if (!to || to == from) return false;
    text_clear(out);
    text_bytes(out, from, (size_t)(to - from));
    return true;
}

typedef struct Fixer {
    Server   *s;
    Document *document;
    Kept     *kept;
    cJSON    *out;
} Fixer;

static void propose(Fixer *f, const cJSON *diagnostic, const char *title, cJSON *range,
                    const char *text) {
    cJSON *action = cJSON_CreateObject(), *edit = cJSON_CreateObject();
    cJSON_AddStringToObject(action, "title", title);
    cJSON_AddStringToObject(action, "kind", "quickfix");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(action, "diagnostics"),
                         cJSON_Duplicate(diagnostic, true));
    cJSON *changes =
        cJSON_AddObjectToObject(cJSON_AddObjectToObject(action, "edit"), "changes");
    cJSON_AddItemToObject(edit, "range", range);
    cJSON_AddStringToObject(edit, "newText", text);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(changes, f->document->uri), edit);
    cJSON_AddTrueToObject(action, "isPreferred");
    cJSON_AddItemToArray(f->out, action);
}

static Pos start_of(const Fixer *f, const cJSON *diagnostic) {
    uint32_t at = point_offset(&f->document->lines, text_get(&f->document->text),
                               point_read(json_at(diagnostic, "range.start")));
    return f->kept->file->source->base + at;
}

static void did_you_mean(Fixer *f, const cJSON *diagnostic, const char *message) {
    Text word = {0}, title = {0};
    if (between(&word, message, "did you mean '", "'?") &&
        !strchr(text_get(&word), ' ')) {
        text_printf(&title, "Replace by '%s'", text_get(&word));
        propose(f, diagnostic, text_get(&title),
                kept_range(f->s, f->kept, start_of(f, diagnostic)), text_get(&word));
    }
    TEXT_FREE(&word, &title);
}

/* "write 'each k' ..." at the value: the name stands before it. */
static void missing_each(Fixer *f, const cJSON *diagnostic, const char *message) {
    Text word = {0};
    if (between(&word, message, "write 'each ", "'")) {
        const Spans *spans = kept_spans(f->s, f->kept);
        Str name = str_find(&f->s->session.strings, text_get(&word), word.length);
        int k = spans_find(spans, start_of(f, diagnostic));
        while (k >= 0 && spans->item[k].kind != SPAN_SEMICOLON &&
               spans->item[k].name != name)
            k--;
        if (name && k >= 0 && spans->item[k].name == name)
            propose(f, diagnostic, "Add 'each'",
                    kept_between(f->kept, spans->item[k].pos, spans->item[k].pos),
                    "each ");
    }
    text_free(&word);
}

static void missing_within(Fixer *f, const cJSON *diagnostic, const char *message) {
    Text              word = {0}, line = {0};
    const StoredFile *file = f->kept->file;
    if (between(&word, message, "it must start with 'within ", ";'")) {
        Pos from = file->source->base, to = from;
        if (file->has_within) {
            from = to = file->within_pos;
            const char *text = file->source->text + (from - file->source->base);
            to += (Pos)strcspn(text, ";") + 1;
        }
        text_printf(&line, "within %s;%s", text_get(&word), file->has_within ? "" : "\n");
        propose(f, diagnostic, "Write the right 'within'",
                kept_between(f->kept, from, to), text_get(&line));
    }
    TEXT_FREE(&word, &line);
}

static void missing_semicolon(Fixer *f, const cJSON *diagnostic, const char *message) {
    if (strncmp(message, "missing ';'", 11) != 0) return;
    Pos at = start_of(f, diagnostic);
    propose(f, diagnostic, "Add ';'", kept_between(f->kept, at, at), ";");
}

/* A value with another unit of the same dimension, if it is one name or number. */
static void convert_unit(Fixer *f, const cJSON *diagnostic, const char *message) {
    Text        to = {0}, from = {0}, title = {0}, text = {0};
    double      factor = 0;
    const char *units = strstr(message, "different units: ");
    const char *second = units ? strstr(units, "\" and \"") : NULL;
    if (strstr(message, "its value") && second && between(&to, units, "\"", "\"") &&
        between(&from, second, "and \"", "\"") &&
        unit_convert(text_get(&from), text_get(&to), &factor)) {
        Pos          at = start_of(f, diagnostic);
        const Spans *spans = kept_spans(f->s, f->kept);
        int          k = spans_find(spans, at), last = k;
        while (last >= 0 && last + 2 < spans->count &&
               spans->item[last + 1].kind == SPAN_DOT)
            last += 2;
        bool alone =
            last >= 0 && last + 1 < spans->count && spans->item[k].pos == at &&
            (spans->item[k].kind == SPAN_NAME || spans->item[k].kind == SPAN_NUMBER) &&
            (spans->item[last + 1].kind == SPAN_SEMICOLON ||
             spans->item[last + 1].kind == SPAN_COMMA ||
             spans->item[last + 1].kind == SPAN_CLOSE ||
             spans->item[last + 1].kind == SPAN_STRING);
        if (alone) {
            text_printf(&title, "Convert from \"%s\" to \"%s\"", text_get(&from),
                        text_get(&to));
            text_printf(&text, "%.15g*", factor);
            propose(f, diagnostic, text_get(&title), kept_between(f->kept, at, at),
                    text_get(&text));
        }
    }
    TEXT_FREE(&to, &from, &title, &text);
}

cJSON *request_actions(Server *s, const cJSON *params) {
    Document    *d = document_of(s, params);
    const cJSON *diagnostic;
    Fixer        f = {.s = s,
                      .document = d,
                      .kept = d ? world_enter(s, d) : NULL,
                      .out = cJSON_CreateArray()};
    if (!f.kept) return f.out;
    cJSON_ArrayForEach(diagnostic, json_at(params, "context.diagnostics")) {
        const char *message = json_text(diagnostic, "message");
        if (!message) continue;
        did_you_mean(&f, diagnostic, message);
        missing_each(&f, diagnostic, message);
        missing_within(&f, diagnostic, message);
        missing_semicolon(&f, diagnostic, message);
        convert_unit(&f, diagnostic, message);
    }
    return f.out;
}

/* ---- code lens ---- */

static void add_lens(Fixer *f, const Class *class_, const char *title,
                     const char *command, const char *name) {
    cJSON *lens = cJSON_CreateObject(), *call = cJSON_CreateObject();
    cJSON_AddItemToObject(lens, "range", kept_range(f->s, f->kept, class_->pos));
    cJSON_AddStringToObject(call, "title", title);
    cJSON_AddStringToObject(call, "command", command);
    cJSON *arguments = cJSON_AddArrayToObject(call, "arguments");
    cJSON_AddItemToArray(arguments, cJSON_CreateString(f->document->uri));
    cJSON_AddItemToArray(arguments, cJSON_CreateString(name));
    cJSON_AddItemToObject(lens, "command", call);
    cJSON_AddItemToArray(f->out, lens);
}

static void lenses(Fixer *f, const Class *class_, const char *around) {
    Text        text = {0};
    const char *own = name_of(&f->s->session, class_->name);
    text_printf(&text, "%s%s%s", around, *around ? "." : "", own);
    bool model = (class_->kind == CLASS_MODEL || class_->kind == CLASS_BLOCK) &&
                 !class_->partial && class_->form == FORM_LONG;
    if (model) {
        add_lens(f, class_, "simulate", "rubato.simulate", text_get(&text));
        add_lens(f, class_, "check", "rubato.check", text_get(&text));
    }
    bool package = class_->form == FORM_LONG && class_->kind == CLASS_PACKAGE;
    for (uint32_t i = 0; package && i < class_->count; i++) {
        const Section *section = &class_->section[i];
        for (uint32_t e = 0; section->kind <= SECTION_PROTECTED && e < section->count;
             e++)
            if (section->element[e]->kind == ELEMENT_CLASS)
                lenses(f, section->element[e]->class_, text_get(&text));
    }
    text_free(&text);
}

cJSON *request_lens(Server *s, const cJSON *params) {
    Document *d = document_of(s, params);
    Fixer     f = {.s = s,
                   .document = d,
                   .kept = d ? world_enter(s, d) : NULL,
                   .out = cJSON_CreateArray()};
    Text      around = {0};
    if (!f.kept) return f.out;
    const StoredFile *file = f.kept->file;
    for (int i = 0; file->within && i < file->within->count; i++)
        text_printf(&around, "%s%s", i ? "." : "",
                    name_of(&s->session, file->within->part[i].name));
    for (uint32_t i = 0; i < file->count; i++)
        lenses(&f, file->stored[i].class_, text_get(&around));
    text_free(&around);
    return f.out;
}
