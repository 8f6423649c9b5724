/* SPDX-License-Identifier: Apache-2.0 */
/* text.c -- a growing character buffer, for messages and for printed stages. */
#include "base/base.h"

#include <string.h>

static bool reserve(Text *text, size_t more) {
    if (text->failed) return false;
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity) return true;
    size_t larger = text->capacity ? text->capacity : 64;
    while (larger < needed) larger *= 2;
    char *data = mem_resize(text->data, larger);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = larger;
    return true;
}

void text_bytes(Text *text, const char *data, size_t length) {
    if (!length || !reserve(text, length)) return;
    memcpy(text->data + text->length, data, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_char(Text *text, char c) {
    if (!reserve(text, 1)) return;
    text->data[text->length++] = c;
    text->data[text->length] = '\0';
}

void text_add(Text *text, const char *string) {
    text_bytes(text, string, strlen(string));
}

/* Into the room that is left; if that is too small there is more for the second time. */
void text_vprintf(Text *text, const char *format, va_list args) {
    va_list again;
    Numbers plain = numbers_begin();
    va_copy(again, args);
    size_t room = text->failed ? 0 : text->capacity - text->length;
    int length = vsnprintf(room ? text->data + text->length : NULL, room, format, args);
    if (length > 0 && (size_t)length >= room) {
        if (room) text->data[text->length] = '\0';
        if (!reserve(text, (size_t)length)) length = 0;
        else vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    }
    if (length > 0) text->length += (size_t)length;
    va_end(again);
    numbers_end(plain);
}

void text_printf(Text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_vprintf(text, format, args);
    va_end(args);
}

/* Bytes that are no ASCII control characters pass as they are: our texts are UTF-8. */
void text_json(Text *text, const char *data, size_t length) {
    text_char(text, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)data[i];
        if (c == '"' || c == '\\') {
            text_char(text, '\\');
            text_char(text, (char)c);
        } else if (c == '\n') {
            text_add(text, "\\n");
        } else if (c < 0x20 || c == 0x7f) {
            text_printf(text, "\\u%04x", c);
        } else {
            text_char(text, (char)c);
        }
    }
    text_char(text, '"');
}

const char *text_get(const Text *text) {
    return text->data ? text->data : "";
}

void text_clear(Text *text) {
    text->length = 0;
    if (text->data) text->data[0] = '\0';
}

void text_free(Text *text) {
    mem_free(text->data);
    *text = (Text){0};
}
