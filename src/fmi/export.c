/* SPDX-License-Identifier: Apache-2.0 */
/* export.c -- an archive out of a program: the description, our runtime under the name of the model, and
 * the program itself. Nothing is compiled, so it takes as long as writing the bytes. */
#define _GNU_SOURCE
#include "fmi/fmi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 8 };

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

/* What Co-Simulation shall know beside the program, a word and its value a line. */
static void settings_text(const FmuOptions *o, Text *out) {
    if (o->method) text_printf(out, "method %s\n", o->method);
    if (o->rates) text_printf(out, "rates %d\n", o->rates);
    if (o->trust) text_add(out, "trust 1\n");
}

bool fmu_write(const Program *p, const FmuOptions *options, const char *path, Text *why) {
    Text         description = {0}, runtime = {0}, binary = {0}, settings = {0}, id = {0};
    ArchiveEntry entry[ENTRIES];
    int          n = 0;
    if (p->batches.count) {
        text_add(why, "a model translated with --components cannot be exported");
        return false;
    }
    fmu_identifier(p, &id);
    text_printf(&binary, "binaries/%s/%s.so",
                options->version == 2 ? "linux64" : "x86_64-linux", text_get(&id));
    settings_text(options, &settings);
    bool fine = read_whole(options->runtime, &runtime, why);
    if (fine && (!fmu_describe(p, options, &description) || binary.failed || id.failed ||
                 settings.failed)) {
        text_add(why, "there is no memory");
        fine = false;
    }
    entry[n++] = (ArchiveEntry){"modelDescription.xml", text_get(&description),
                                description.length};
    entry[n++] = (ArchiveEntry){text_get(&binary), text_get(&runtime), runtime.length};
    entry[n++] = (ArchiveEntry){"resources/model.rbp", p->block, p->bytes};
    if (settings.length)
        entry[n++] =
            (ArchiveEntry){"resources/settings", text_get(&settings), settings.length};
    fine = fine && archive_write(path, entry, n, why);
    TEXT_FREE(&description, &runtime, &binary, &settings, &id);
    return fine;
}
