/* SPDX-License-Identifier: Apache-2.0 */
/* export.c -- an archive out of a program: the description, the program itself, and its code in one of two
 * forms or both. Instant: our runtime under the name of the model; nothing is compiled, so it takes as long as
 * writing the bytes. Sources: see sources.c. */
#define _GNU_SOURCE
#include "fmi/content.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

bool content_add(Content *c, const char *name, const void *bytes, size_t count) {
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

bool content_add_text(Content *c, const char *name, const Text *text) {
    void *copy = arena_copy(&c->arena, text_get(text), text->length);
    if (!copy) text_add(c->why, "there is no memory");
    return copy && content_add(c, name, copy, text->length);
}

bool content_add_file(Content *c, const char *name, const char *path) {
    Text  bytes = {0};
    bool  fine = read_whole(path, &bytes, c->why);
    void *copy = fine ? arena_copy(&c->arena, text_get(&bytes), bytes.length) : NULL;
    fine = copy && content_add(c, name, copy, bytes.length);
    text_free(&bytes);
    return fine;
}

/* External code goes along, compiled. */
static void on_object(void *owner, uint64_t key, const char *path) {
    Content *c = owner;
    Text     name = {0};
    text_printf(&name, "resources/code/%016llx.so", (unsigned long long)key);
    if (!c->why->length) content_add_file(c, text_get(&name), path);
    text_free(&name);
}

/* What the runtime shall know beside the program, a word and its value a line. */
static void settings_text(const FmuOptions *o, Text *out) {
    if (o->method) text_printf(out, "method %s\n", o->method);
    if (o->rates) text_printf(out, "rates %d\n", o->rates);
    if (o->code->trust) text_add(out, "trust 1\n");
}

/* Our runtime under the name of the model, and what it loads. */
static bool add_binary(Content *c, const Program *p, const FmuOptions *o) {
    Text id = {0}, binary = {0};
    fmu_identifier(p, &id);
    text_printf(&binary, "binaries/%s/%s.so",
                o->version == 2 ? "linux64" : "x86_64-linux", text_get(&id));
    bool fine = !binary.failed && !id.failed;
    if (!fine) text_add(c->why, "there is no memory");
    fine = fine && content_add_file(c, text_get(&binary), o->runtime) &&
           extern_objects(p, o->code, on_object, c, c->why) && !c->why->length;
    TEXT_FREE(&id, &binary);
    return fine;
}

static bool fill(Content *c, const Program *p, const FmuOptions *o) {
    Text description = {0}, terminals = {0}, settings = {0}, compiled = {0};
    settings_text(o, &settings);
    bool fine = (!o->sources || sources_add(c, p, o, &compiled)) &&
                (!o->instant || add_binary(c, p, o)) &&
                content_add(c, "resources/model.rbp", p->block, p->bytes);
    if (fine && !(fmu_describe(p, o, text_get(&compiled), &description) &&
                  fmu_terminals(p, o, &terminals) && !settings.failed)) {
        text_add(c->why, "there is no memory");
        fine = false;
    }
    fine = fine && content_add_text(c, "modelDescription.xml", &description) &&
           (!terminals.length ||
            content_add_text(c, "terminalsAndIcons/terminalsAndIcons.xml", &terminals)) &&
           (!settings.length || content_add_text(c, "resources/settings", &settings));
    TEXT_FREE(&description, &terminals, &settings, &compiled);
    return fine;
}

/* Each partition is activated once at a tick, so there must be an order for them. */
static void refuse_tangled(const Program *p, Text *why) {
    FmuInterface f;
    if (!fmu_interface_open(&f, p, 3, true)) {
        text_add(why, "there is no memory");
        return;
    }
    int var = 0;
    while (f.tangled && f.sub_of[var] != f.tangled) var++;
    if (f.tangled) {
        text_add(
            why,
            "scheduled execution needs an order of the partitions at a tick: that of '");
        program_name(p, var, why);
        text_add(why, "' and others use values of each other");
    }
    fmu_interface_close(&f);
}

/* Nothing may happen between ticks, which come from outside. */
static void refuse_scheduled(const Program *p, const FmuOptions *o, Text *why) {
    const ClockTable *c = &p->clocks;
    bool              periodic = c->subs > 0;
    for (int b = 0; b < c->bases; b++) periodic &= clock_is_periodic(&c->base[b]);
    if (o->model_exchange || o->co_simulation || o->version == 2)
        text_add(why, "se is a kind by itself, and of FMI 3.0");
    else if (p->states.count)
        text_printf(why, "a model with continuous states (%d) has no scheduled execution",
                    p->states.count);
    else if (!periodic || c->staggered)
        text_add(why,
                 "scheduled execution is for models whose clocks all have a constant "
                 "interval");
    else refuse_tangled(p, why);
}

bool fmu_write(const Program *p, const FmuOptions *options, const char *path, Text *why) {
    Content c = {.why = why};
    if (p->batches.count)
        text_add(why, "a model translated with --components cannot be exported");
    else if (options->scheduled) refuse_scheduled(p, options, why);
    if (why->length) return false;
    bool fine = fill(&c, p, options) && archive_write(path, c.entry, c.entries, why);
    arena_free(&c.arena);
    return fine;
}
