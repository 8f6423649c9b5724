/* SPDX-License-Identifier: Apache-2.0 */
/* content.h -- private to fmi: an archive of ours as it grows. */
#ifndef RUBATO_FMI_CONTENT_H
#define RUBATO_FMI_CONTENT_H

#include "fmi/fmi.h"

typedef struct Content {
    Arena         arena; /* of names, and of what was read from files */
    ArchiveEntry *entry;
    int           entries, room;
    Text         *why;
} Content;

/* ---- export.c: false, and why is filled ---- */
/* The bytes stay where they are. */
bool content_add(Content *c, const char *name, const void *bytes, size_t count);
bool content_add_text(Content *c, const char *name, const Text *text); /* a copy */
bool content_add_file(Content *c, const char *name, const char *path);

/* ---- sources.c ---- */
/* Everything below sources/; the names of what is to be compiled are added to `compiled`, each with
 * the end of a line. */
bool sources_add(Content *c, const Program *p, const FmuOptions *options, Text *compiled);

#endif
