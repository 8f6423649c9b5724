/* SPDX-License-Identifier: Apache-2.0 */
/* xml.c -- texts and numbers as XML has them. */
#include "fmi/xml.h"

#include <string.h>

void xml_escaped(Text *out, const char *text) {
    for (const char *c = text; *c; c++) switch (*c) {
        case '<': text_add(out, "&lt;"); break;
        case '>': text_add(out, "&gt;"); break;
        case '&': text_add(out, "&amp;"); break;
        case '"': text_add(out, "&quot;"); break;
        case '\n': text_add(out, "&#10;"); break;
        case '\t': text_add(out, "&#9;"); break;
        case '\r': text_add(out, "&#13;"); break;
        default:
            if ((unsigned char)*c >= ' ')
                text_char(out, *c); /* others XML does not know */
        }
}

void xml_attribute(Text *out, const char *name, const char *value) {
    text_printf(out, " %s=\"", name);
    xml_escaped(out, value);
    text_char(out, '"');
}

/* The shortest text that reads back as the same number. */
void xml_number(Text *out, double value) {
    char text[40] = "0";
    for (int digits = 15; digits <= 17; digits++) {
        Text t = {0};
        text_printf(&t, "%.*g", digits, value);
        snprintf(text, sizeof text, "%s", text_get(&t));
        text_free(&t);
        if (number_read(text, NULL) == value) break;
    }
    text_add(out, text);
}

void xml_number_attribute(Text *out, const char *name, double value) {
    text_printf(out, " %s=\"", name);
    xml_number(out, value);
    text_char(out, '"');
}
