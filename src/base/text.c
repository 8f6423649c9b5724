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

bool text_is(const char *text, const char *word, size_t n) {
    return strlen(text) == n && memcmp(text, word, n) == 0;
}

void text_char(Text *text, char c) {
    if (!reserve(text, 1)) return;
    text->data[text->length++] = c;
    text->data[text->length] = '\0';
}

void text_add(Text *text, const char *string) {
    text_bytes(text, string, strlen(string));
}

/* ---- formats ---- */

/* Only %d, %u, %s, %c, %*s and %%? Most of all text is of this kind, and the general way costs ten
 * times as much. */
static bool is_simple(const char *format) {
    for (const char *p = strchr(format, '%'); p; p = strchr(p + 1, '%')) {
        p++;
        if (*p == '*') p++;
        if (!*p || !strchr(p[-1] == '*' ? "s" : "dusc%", *p)) return false;
    }
    return true;
}

static void add_number(Text *text, unsigned value, bool minus) {
    char  digits[12];
    char *p = digits + sizeof digits, *const end = p;
    do *--p = (char)('0' + value % 10);
    while (value /= 10);
    if (minus) *--p = '-';
    text_bytes(text, p, (size_t)(end - p));
}

static void add_blanks(Text *text, int n) {
    static const char blanks[] = "                                ";
    for (; n > 0; n -= (int)sizeof blanks - 1)
        text_bytes(text, blanks, n < (int)sizeof blanks ? (size_t)n : sizeof blanks - 1);
}

static void simple_printf(Text *text, const char *format, va_list args) {
    for (const char *p; (p = strchr(format, '%')); format = p + 1) {
        text_bytes(text, format, (size_t)(p++ - format));
        int         width = 0, number;
        const char *string;
        if (*p == '*') {
            width = va_arg(args, int);
            p++;
        }
        switch (*p) {
        case 'd':
            number = va_arg(args, int);
            add_number(text, number < 0 ? 0u - (unsigned)number : (unsigned)number,
                       number < 0);
            break;
        case 'u': add_number(text, va_arg(args, unsigned), false); break;
        case 'c': text_char(text, (char)va_arg(args, int)); break;
        case 's':
            string = va_arg(args, const char *);
            if (width) add_blanks(text, width - (int)strlen(string));
            text_add(text, string);
            break;
        default: text_char(text, '%');
        }
    }
    text_add(text, format);
}

/* Into the room that is left; if that is too small there is more for the second time. */
void text_vprintf(Text *text, const char *format, va_list args) {
    if (is_simple(format)) {
        simple_printf(text, format, args);
        return;
    }
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

void text_cut(Text *text, size_t length) {
    if (text->length <= length) return;
    while (length > 0 && ((unsigned char)text->data[length] & 0xC0) == 0x80) length--;
    text->length = length; /* no character is cut in two */
    text->data[length] = '\0';
    text_add(text, " ...");
}

void text_clear(Text *text) {
    text->length = 0;
    if (text->data) text->data[0] = '\0';
}

void text_free(Text *text) {
    mem_free(text->data);
    *text = (Text){0};
}

void text_free_list(Text *const *text, int n) {
    for (int k = 0; k < n; k++) text_free(text[k]);
}
