/* SPDX-License-Identifier: Apache-2.0 */
/* export.c -- an archive out of a program: the description, our runtime under the name of the model, and
 * the program itself. Nothing is compiled, so it takes as long as writing the bytes. */
#define _GNU_SOURCE
#include "fmi/fmi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Content { /* of an archive, as it grows */
    Arena         arena; /* of names, and of what was read from files */
    ArchiveEntry *entry;
    int           entries, room;
    Text         *why;
} Content;

static bool read_whole(const char *path, Text *bytes, Text *why) {
    FILE  *file = fopen(path, "rb");
    char   piece[1 << 16];
    size_t n;
    while (file && (n = fread(piece, 1, sizeof piece, file)) > 0)
        text_bytes(bytes, piece, n);
    bool fine = file && !ferror(file) && !bytes->failed;
    if (!fine)
        text_printf(why, "cannot read '%s': %s", path,
                    bytes->failed ? "there is no memory" : strerror(errno));
    if (file) fclose(file);
    return fine;
}

static bool add(Content *c, const char *name, const void *bytes, size_t count) {
    ArchiveEntry *more =
        arena_grow(&c->arena, c->entry, sizeof *more, &c->room, c->entries + 1);
    char *copy = arena_string(&c->arena, name, strlen(name));
    if (!more || !copy) {
        text_add(c->why, "there is no memory");
        return false;
    }
    c->entry = more;
    c->entry[c->entries++] = (ArchiveEntry){copy, bytes, count};
    return true;
}

static bool add_file(Content *c, const char *name, const char *path) {
    Text  bytes = {0};
    bool  fine = read_whole(path, &bytes, c->why);
    void *copy = fine ? arena_copy(&c->arena, text_get(&bytes), bytes.length) : NULL;
    fine = copy && add(c, name, copy, bytes.length);
    text_free(&bytes);
    return fine;
}

/* External code goes along, compiled. */
static void on_object(void *owner, uint64_t key, const char *path) {
    Content *c = owner;
    Text     name = {0};
    text_printf(&name, "resources/code/%016llx.so", (unsigned long long)key);
    if (!c->why->length) add_file(c, text_get(&name), path);
    text_free(&name);
}

/* What the runtime shall know beside the program, a word and its value a line. */
static void settings_text(const FmuOptions *o, Text *out) {
    if (o->method) text_printf(out, "method %s\n", o->method);
    if (o->rates) text_printf(out, "rates %d\n", o->rates);
    if (o->code->trust) text_add(out, "trust 1\n");
}

static bool fill(Content *c, const Program *p, const FmuOptions *o, Text *description,
                 Text *settings) {
    Text id = {0}, binary = {0};
    fmu_identifier(p, &id);
    text_printf(&binary, "binaries/%s/%s.so",
                o->version == 2 ? "linux64" : "x86_64-linux", text_get(&id));
    settings_text(o, settings);
    bool fine = fmu_describe(p, o, description) && !binary.failed && !settings->failed;
    if (!fine) text_add(c->why, "there is no memory");
    fine = fine &&
           add(c, "modelDescription.xml", text_get(description), description->length) &&
           add_file(c, text_get(&binary), o->runtime) &&
           add(c, "resources/model.rbp", p->block, p->bytes);
    if (fine && settings->length)
        fine = add(c, "resources/settings", text_get(settings), settings->length);
    fine = fine && extern_objects(p, o->code, on_object, c, c->why) && !c->why->length;
    TEXT_FREE(&id, &binary);
    return fine;
}

bool fmu_write(const Program *p, const FmuOptions *options, const char *path, Text *why) {
    Content c = {.why = why};
    Text    description = {0}, settings = {0};
    if (p->batches.count) {
        text_add(why, "a model translated with --components cannot be exported");
        return false;
    }
    bool fine = fill(&c, p, options, &description, &settings) &&
                archive_write(path, c.entry, c.entries, why);
    TEXT_FREE(&description, &settings);
    arena_free(&c.arena);
    return fine;
}
