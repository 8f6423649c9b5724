/* SPDX-License-Identifier: Apache-2.0 */
/* source.c -- loaded files, and the one number that names a place in them.
 *
 * Texts get consecutive ranges of positions with a gap of one, so that the position
 * just after a text still belongs to it. Lines are found only when a place is shown. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

void sources_init(Sources *sources) {
    *sources = (Sources){.next = 1};
}

void sources_free(Sources *sources) {
    for (int i = 0; i < sources->count; i++) {
        mem_free((void *)sources->source[i]->text);
        mem_free(sources->source[i]->line);
    }
    arena_free(&sources->arena);
    *sources = (Sources){0};
}

/* Takes ownership of text, which has SOURCE_PADDING NULs after size bytes. */
static SourceStatus adopt(Sources *sources, const char *path, char *text, size_t size,
                          const Source **result) {
    if (size >= UINT32_MAX - sources->next) {
        mem_free(text);
        return SOURCE_TOO_LARGE;
    }
    sources->source = arena_grow(&sources->arena, sources->source, sizeof(Source *),
                                 &sources->capacity, sources->count + 1);
    Source *source = sources->spare ? sources->spare : NEW(&sources->arena, Source, 1);
    if (!sources->source || !source) {
        mem_free(text);
        return SOURCE_NO_MEMORY;
    }
    sources->spare = source->spare;
    const char *known =
        source->path && strcmp(source->path, path) == 0 ? source->path : NULL;
    *source = (Source){.path = known ? known
                                     : arena_string(&sources->arena, path, strlen(path))};
    source->text = text;
    source->size = (uint32_t)size;
    source->base = sources->next;
    sources->next += (Pos)size + 1;
    sources->source[sources->count++] = source;
    *result = source;
    return SOURCE_OK;
}

SourceStatus source_add(Sources *sources, const char *path, const char *text, size_t size,
                        const Source **result) {
    char *copy = mem_take(size + SOURCE_PADDING, 1);
    if (!copy) return SOURCE_NO_MEMORY;
    if (size) memcpy(copy, text, size);
    return adopt(sources, path, copy, size, result);
}

/* Pipes and devices have no size, so read until the end and grow on the way. */
static SourceStatus read_all(FILE *file, size_t expected, char **text, size_t *size) {
    size_t capacity = expected + SOURCE_PADDING + 1, used = 0;
    char  *data = mem_resize(NULL, capacity);
    while (data) {
        used += fread(data + used, 1, capacity - SOURCE_PADDING - used, file);
        if (used < capacity - SOURCE_PADDING) break;
        if (capacity > UINT32_MAX) {
            mem_free(data);
            return SOURCE_TOO_LARGE;
        }
        char *larger = mem_resize(data, 2 * capacity);
        if (!larger) mem_free(data);
        data = larger;
        capacity *= 2;
    }
    if (!data) return SOURCE_NO_MEMORY;
    if (ferror(file)) {
        mem_free(data);
        return SOURCE_UNREADABLE;
    }
    memset(data + used, 0, SOURCE_PADDING);
    *text = data;
    *size = used;
    return SOURCE_OK;
}

static void close_file(void *file) {
    fclose(file);
}

SourceStatus source_load(Sources *sources, const char *path, const Source **result) {
    struct stat info;
    if (stat(path, &info) != 0) return SOURCE_UNREADABLE;
    if (S_ISDIR(info.st_mode)) return SOURCE_DIRECTORY;
    if ((uintmax_t)info.st_size >= UINT32_MAX) return SOURCE_TOO_LARGE;
    FILE *file = fopen(path, "rb");
    if (!file) return SOURCE_UNREADABLE;
    mem_own(file, close_file);
    char        *text;
    size_t       size;
    SourceStatus status = read_all(file, (size_t)info.st_size, &text, &size);
    int          why = errno;
    mem_disown(file);
    fclose(file);
    errno = why;
    if (status == SOURCE_OK) status = adopt(sources, path, text, size, result);
    if (status == SOURCE_OK) sources->source[sources->count - 1]->file = true;
    return status;
}

void source_forget(Sources *sources, const Source *source) {
    int at = 0;
    while (at < sources->count && sources->source[at] != source) at++;
    if (at == sources->count) return;
    Source *gone = sources->source[at];
    memmove(&sources->source[at], &sources->source[at + 1],
            sizeof(Source *) * (size_t)(sources->count - at - 1));
    if (--sources->count == at) sources->next = gone->base; /* it was the last one */
    mem_free((void *)gone->text);
    mem_free(gone->line);
    *gone = (Source){.path = gone->path, .spare = sources->spare};
    sources->spare = gone;
}

const Source *source_at(const Sources *sources, Pos pos) {
    int low = 0, high = sources->count; /* the last source with base <= pos */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sources->source[middle]->base <= pos) low = middle + 1;
        else high = middle;
    }
    return pos && low ? sources->source[low - 1] : NULL;
}

bool source_declare(Sources *sources, const SourceStub *stub) {
    Source **more = arena_grow(&sources->arena, sources->source, sizeof(Source *),
                               &sources->capacity, sources->count + 1);
    Source  *source = NEW(&sources->arena, Source, 1);
    if (more) sources->source = more;
    if (!more || !source) return false;
    *source =
        (Source){.path = arena_string(&sources->arena, stub->path, strlen(stub->path)),
                 .size = stub->size,
                 .base = stub->base,
                 .length = stub->length,
                 .lengths = stub->lengths,
                 .hash = stub->hash};
    if (!source->path) return false;
    sources->source[sources->count++] = source;
    sources->next = stub->base + stub->size + 1;
    if (!stub->text) return true;
    char *copy = mem_take(stub->size + SOURCE_PADDING, 1);
    if (copy) memcpy(copy, stub->text, stub->size);
    source->text = copy;
    return copy != NULL;
}

void source_lengths(const Source *source, Text *out) {
    uint32_t from = 0;
    while (from <= source->size) {
        const char *end = from < source->size
                              ? memchr(source->text + from, '\n', source->size - from)
                              : NULL;
        uint32_t    n =
            end ? (uint32_t)(end - source->text) + 1 - from : source->size - from;
        for (from += n; n >= 255; n -= 255) text_char(out, (char)255);
        text_char(out, (char)n);
        if (!end) break;
    }
}

/* The text of a file that was only declared, if the file still has it. */
static void find_text(Source *source) {
    Sources       own;
    const Source *found;
    sources_init(&own);
    if (source_load(&own, source->path, &found) == SOURCE_OK &&
        found->size == source->size &&
        hash_bytes(found->text, found->size) == source->hash) {
        source->text = found->text;
        own.count = 0; /* its text has another owner now */
    }
    sources_free(&own);
}

static void lines_from_lengths(Source *source) {
    int      lines = 0;
    uint32_t from = 0;
    source->line = mem_take((size_t)source->lengths, sizeof *source->line);
    if (!source->line) return;
    source->line[lines++] = 0;
    for (int i = 0; i < source->lengths; i++) {
        from += source->length[i];
        if (source->length[i] < 255 && i + 1 < source->lengths)
            source->line[lines++] = from;
    }
    source->lines = lines;
}

static void find_lines(Source *source) {
    int lines = 1;
    if (!source->text) find_text(source);
    if (!source->text) {
        lines_from_lengths(source);
        return;
    }
    for (uint32_t i = 0; i < source->size; i++) lines += source->text[i] == '\n';
    source->line = mem_take((size_t)lines, sizeof *source->line);
    if (!source->line) return;
    source->lines = 0;
    source->line[source->lines++] = 0;
    for (uint32_t i = 0; i < source->size; i++)
        if (source->text[i] == '\n') source->line[source->lines++] = i + 1;
}

static int line_of(const Source *source, uint32_t offset) { /* from 0 */
    int low = 0, high = source->lines;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (source->line[middle] <= offset) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}

static int characters(const char *text, int bytes) { /* UTF-8: count the first bytes */
    int n = 0;
    for (int i = 0; i < bytes; i++) n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

int source_line(const Sources *sources, Pos pos, const Source **source) {
    Source *found = (Source *)source_at(sources, pos);
    *source = found;
    if (found && !found->line) find_lines(found);
    return found && found->line ? line_of(found, pos - found->base) + 1 : 0;
}

Place source_place(const Sources *sources, Pos pos) {
    Source *source = (Source *)source_at(sources, pos);
    Place   place = {.source = source};
    if (!source) return place;
    if (!source->line) find_lines(source);
    if (!source->line) return place;
    uint32_t offset = pos - source->base;
    int      line = line_of(source, offset);
    uint32_t start = source->line[line];
    uint32_t end = start;
    place.line = line + 1;
    place.column = 1 + (int)(offset - start);
    if (!source->text) return place;
    while (end < source->size && source->text[end] != '\n' && source->text[end] != '\r')
        end++;
    place.text = source->text + start;
    place.length = (int)(end - start);
    place.offset = (int)(offset - start);
    if (line == 0 && source->size >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0 &&
        place.offset >= 3) { /* a byte order mark takes no column */
        place.text += 3;
        place.length -= 3;
        place.offset -= 3;
    }
    place.column = 1 + characters(place.text, place.offset);
    return place;
}
