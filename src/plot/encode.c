/* SPDX-License-Identifier: Apache-2.0 */
/* encode.c -- texts and numbers as parts of an HTML page. */
#include "plot/page.h"

#include <string.h>

void page_base64(Text *out, const void *data, size_t bytes) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = data;
    char                 group[4];
    for (size_t i = 0; i < bytes; i += 3) {
        const unsigned rest = bytes - i < 3 ? (unsigned)(bytes - i) : 3;
        const unsigned word = (unsigned)b[i] << 16 |
                              (rest > 1 ? (unsigned)b[i + 1] << 8 : 0) |
                              (rest > 2 ? b[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            group[k] = k <= rest ? letters[word >> (18 - 6 * k) & 63] : '=';
        text_bytes(out, group, 4);
    }
}

void page_string(Text *out, const char *text) {
    Text json = {0};
    text_json(&json, text, strlen(text));
    for (const char *c = text_get(&json); *c; c++)
        if (c[0] == '<') text_add(out, "\\u003c");
        else text_char(out, *c);
    out->failed |= json.failed;
    text_free(&json);
}

void page_html(Text *out, const char *text) {
    for (; *text; text++)
        if (*text == '<') text_add(out, "&lt;");
        else if (*text == '&') text_add(out, "&amp;");
        else text_char(out, *text);
}

void page_json(Text *out, const char *text) {
    for (; *text; text++)
        if (*text == '<') text_add(out, "\\u003c");
        else if (*text != '\n') text_char(out, *text);
}
