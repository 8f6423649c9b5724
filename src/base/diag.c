/* SPDX-License-Identifier: Apache-2.0 */
/* diag.c -- messages to the user: collected in order, printed as text or as JSON.
 *
 *   Plant.mo:12:3: error F102: no class 'Valv' in 'Plant'
 *      12 |   Valv v1(k = 2);
 *         |   ^~~~
 *   Plant.mo:3:1: note: did you mean 'Valve'?
 *
 * The width of the underline is that of the word at the position: found from the text
 * when the message is shown, so that a position is all a message has to carry. */
#include "base/base.h"

#include <ctype.h>
#include <string.h>

enum { SHOWN_LINE = 160 }; /* longer source lines are cut around the position */

static const CodeInfo infos[] = {
    {"", SEVERITY_NOTE, "", "", ""},
#define CODE(id, severity, title, explanation, example)                                  \
    {#id, SEVERITY_##severity, title, explanation, example},
#include "base/codes.def"
#undef CODE
};

const CodeInfo *code_info(Code code) {
    return &infos[code];
}

Code code_find(const char *id) {
    for (int i = 1; i < CODE_COUNT; i++)
        if (strcmp(infos[i].id, id) == 0) return (Code)i;
    return CODE_NONE;
}

void diag_init(Diag *diag, const Sources *sources) {
    *diag = (Diag){.sources = sources};
}

void diag_free(Diag *diag) {
    arena_free(&diag->arena);
    *diag = (Diag){0};
}

bool diag_full(const Diag *diag) {
    return diag->limit && diag->errors >= diag->limit;
}

void diag_back(Diag *diag, const Diag *copy) {
    diag->count = copy->count;
    diag->errors = copy->errors;
    diag->warnings = copy->warnings;
    diag->muted = copy->muted;
}

static void store(Diag *diag, Message message, const char *format, va_list args) {
    Text text = {0};
    text_vprintf(&text, format, args);
    message.text = arena_string(&diag->arena, text_get(&text), text.length);
    text_free(&text);
    diag->message = arena_grow(&diag->arena, diag->message, sizeof(Message),
                               &diag->capacity, diag->count + 1);
    if (!diag->message || !message.text) return;
    diag->message[diag->count++] = message;
    diag->errors += message.severity == SEVERITY_ERROR;
    diag->warnings += message.severity == SEVERITY_WARNING;
}

static bool repeated(const Diag *diag, Pos pos, Code code) {
    for (int i = diag->count - 1; pos && i >= 0; i--)
        if (diag->message[i].pos == pos && diag->message[i].code == code) return true;
    return false;
}

void diag_report(Diag *diag, Pos pos, Code code, const char *format, ...) {
    va_list args;
    diag->muted = repeated(diag, pos, code);
    if (diag->muted) return;
    va_start(args, format);
    store(diag, (Message){.code = code, .severity = infos[code].severity, .pos = pos},
          format, args);
    va_end(args);
}

void diag_add(Diag *diag, Pos pos, Code code, const char *format, ...) {
    va_list args;
    diag->muted = false;
    va_start(args, format);
    store(diag, (Message){.code = code, .severity = infos[code].severity, .pos = pos},
          format, args);
    va_end(args);
}

void diag_note(Diag *diag, Pos pos, const char *format, ...) {
    va_list args;
    if (diag->muted) return;
    va_start(args, format);
    store(diag, (Message){.severity = SEVERITY_NOTE, .pos = pos}, format, args);
    va_end(args);
}

/* ---- text ---- */

static const char *const severity_name[] = {"error", "warning", "note"};
static const char *const severity_colour[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};

static int word_width(const char *text, int length) { /* bytes of the word at text */
    int n = 0;
    while (n < length && (isalnum((unsigned char)text[n]) || text[n] == '_')) n++;
    return n ? n : 1;
}

/* The line with a caret below. Tabs are repeated below so that the caret lines up. */
static void show_line(Text *out, Place place) {
    int from = 0, to = place.length;
    if (place.length > SHOWN_LINE) {
        from = place.offset > SHOWN_LINE / 2 ? place.offset - SHOWN_LINE / 2 : 0;
        to = from + SHOWN_LINE < place.length ? from + SHOWN_LINE : place.length;
        while (from > 0 && ((unsigned char)place.text[from] & 0xc0) == 0x80) from--;
        while (to < place.length && ((unsigned char)place.text[to] & 0xc0) == 0x80) to++;
    }
    text_printf(out, "%5d | %s", place.line, from ? "…" : "");
    for (int i = from; i < to; i++) {
        unsigned char c = (unsigned char)place.text[i];
        text_char(out, (c < 0x20 && c != '\t') || c == 0x7f ? '?' : (char)c);
    }
    text_printf(out, "%s\n      | %s", to < place.length ? "…" : "", from ? " " : "");
    for (int i = from; i < place.offset && i < to; i++) {
        if (place.text[i] == '\t') text_char(out, '\t');
        else if (((unsigned char)place.text[i] & 0xc0) != 0x80) text_char(out, ' ');
    }
    int width =
        place.offset < to ? word_width(place.text + place.offset, to - place.offset) : 1;
    text_char(out, '^');
    for (int i = 1; i < width; i++) text_char(out, '~');
    text_char(out, '\n');
}

void diag_print(Text *out, const Diag *diag, int first, bool colour) {
    for (int i = first; i < diag->count; i++) {
        const Message *message = &diag->message[i];
        Place          place = source_place(diag->sources, message->pos);
        if (place.source)
            text_printf(out, "%s:%d:%d: ", place.source->path, place.line, place.column);
        else if (message->severity != SEVERITY_NOTE) text_add(out, "rubato: ");
        text_printf(out, "%s%s%s%s%s: %s\n",
                    colour ? severity_colour[message->severity] : "",
                    severity_name[message->severity], message->code ? " " : "",
                    infos[message->code].id, colour ? "\033[0m" : "", message->text);
        if (place.source && place.text) show_line(out, place);
    }
}

/* ---- JSON ---- */

static void json_place(Text *out, const Diag *diag, const Message *message) {
    Place place = source_place(diag->sources, message->pos);
    if (place.source) {
        text_add(out, "\"file\":");
        text_json(out, place.source->path, strlen(place.source->path));
        text_printf(out, ",\"line\":%d,\"column\":%d,", place.line, place.column);
    }
    text_add(out, "\"message\":");
    text_json(out, message->text, strlen(message->text));
}

void diag_print_json(Text *out, const Diag *diag, int first) {
    for (int i = first; i < diag->count;) {
        const Message *message = &diag->message[i++];
        text_printf(out, "{\"severity\":\"%s\",\"code\":\"%s\",",
                    severity_name[message->severity], infos[message->code].id);
        json_place(out, diag, message);
        text_add(out, ",\"notes\":[");
        for (int n = 0; i < diag->count && diag->message[i].severity == SEVERITY_NOTE;
             i++) {
            text_add(out, n++ ? ",{" : "{");
            json_place(out, diag, &diag->message[i]);
            text_char(out, '}');
        }
        text_add(out, "]}\n");
    }
}
