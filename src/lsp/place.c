/* SPDX-License-Identifier: Apache-2.0 */
/* place.c -- positions: the protocol counts lines and UTF-16 units, we count bytes of UTF-8.
 *
 * A line ends with \n, \r\n or \r. A character beyond U+FFFF is four bytes of UTF-8 and two units
 * of UTF-16; all others are one unit. Positions after the end of a line mean its end. */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

Lines lines_of(const char *text, size_t size) {
    Lines    lines = {0};
    uint32_t n = 1;
    for (size_t i = 0; i < size; i++)
        n += text[i] == '\n' ||
             (text[i] == '\r' && (i + 1 == size || text[i + 1] != '\n'));
    lines.start = mem_take(n, sizeof *lines.start); /* one more than asked for */
    lines.start[lines.count++] = 0;
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n' ||
            (text[i] == '\r' && (i + 1 == size || text[i + 1] != '\n')))
            lines.start[lines.count++] = (uint32_t)i + 1;
    lines.start[lines.count] = (uint32_t)size;
    return lines;
}

void lines_free(Lines *lines) {
    mem_free(lines->start);
    *lines = (Lines){0};
}

static int bytes_of(unsigned char c) { /* of the UTF-8 character that begins so */
    return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static int units_of(unsigned char c) {
    return c >= 0xf0 ? 2 : 1;
}

uint32_t point_offset(const Lines *lines, const char *text, Point point) {
    if (point.line < 0) return 0;
    if (point.line >= lines->count) return lines->start[lines->count];
    uint32_t at = lines->start[point.line], end = lines->start[point.line + 1];
    bool     last = point.line + 1 == lines->count;
    while (!last && end > at && (text[end - 1] == '\n' || text[end - 1] == '\r')) end--;
    for (int units = 0; at < end && units < point.character;) {
        unsigned char c = (unsigned char)text[at];
        units += units_of(c);
        if (units > point.character) break; /* in the middle of a character */
        at += (uint32_t)bytes_of(c);
    }
    return at < end ? at : end;
}

Point offset_point(const Lines *lines, const char *text, uint32_t offset) {
    int low = 0, high = lines->count; /* the last line that begins at or before it */
    if (offset > lines->start[lines->count]) offset = lines->start[lines->count];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (lines->start[middle] <= offset) low = middle + 1;
        else high = middle;
    }
    Point point = {.line = low - 1};
    for (uint32_t at = lines->start[low - 1]; at < offset;) {
        unsigned char c = (unsigned char)text[at];
        point.character += units_of(c);
        at += (uint32_t)bytes_of(c);
    }
    return point;
}

Point point_read(const cJSON *position) {
    return (Point){.line = (int)json_whole(position, "line", 0),
                   .character = (int)json_whole(position, "character", 0)};
}

cJSON *json_point(Point point) {
    cJSON *out = cJSON_CreateObject();
    cJSON_AddNumberToObject(out, "line", point.line);
    cJSON_AddNumberToObject(out, "character", point.character);
    return out;
}

cJSON *json_range(Point from, Point to) {
    cJSON *out = cJSON_CreateObject();
    cJSON_AddItemToObject(out, "start", json_point(from));
    cJSON_AddItemToObject(out, "end", json_point(to));
    return out;
}

/* ---- names of files ---- */

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool uri_path(Text *out, const char *uri) {
    if (strncmp(uri, "file://", 7) != 0) return false;
    const char *c = strchr(uri + 7, '/'); /* after the name of a host */
    for (; c && *c; c++) {
        int high = *c == '%' ? hex(c[1]) : -1, low = high >= 0 ? hex(c[2]) : -1;
        if (low >= 0) {
            if (!high && !low) return false;
            text_char(out, (char)(16 * high + low));
            c += 2;
        } else text_char(out, *c);
    }
    return out->length > 0;
}

void path_uri(Text *out, const char *path) {
    text_add(out, "file://");
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        bool          plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     (c >= '0' && c <= '9') || strchr("/-_.~", c);
        if (plain) text_char(out, (char)c);
        else text_printf(out, "%%%02X", c);
    }
}

/* ---- JSON ---- */

cJSON *json_at(const cJSON *object, const char *path) {
    char name[64];
    while (object && *path) {
        size_t n = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)n, path);
        object = cJSON_GetObjectItemCaseSensitive(object, name);
        path += n + (path[n] == '.');
    }
    return (cJSON *)object;
}

const char *json_text(const cJSON *object, const char *name) {
    return cJSON_GetStringValue(json_at(object, name));
}

int64_t json_whole(const cJSON *object, const char *name, int64_t otherwise) {
    const double value = json_number(object, name, (double)otherwise);
    return value > INT32_MAX ? INT32_MAX : value > INT32_MIN ? (int64_t)value : INT32_MIN;
}

double json_number(const cJSON *object, const char *name, double otherwise) {
    const cJSON *item = json_at(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}
