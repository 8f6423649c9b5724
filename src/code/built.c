/* SPDX-License-Identifier: Apache-2.0 */
/* built.c -- code that was compiled together with the runtime: a table of texts by their hash, each with
 * the addresses of its functions. fmi/sources.c writes such a table. */
#include "code/code.h"

#include <string.h>

static void *find(void *handle, const char *name) {
    void *at = NULL;
    for (const BuiltEntry *e = handle; e->name; e++)
        if (strcmp(e->name, name) == 0) memcpy(&at, &e->at, sizeof at);
    return at;
}

bool image_built(Image *image, const char *text, const BuiltText *built, Text *why) {
    const uint64_t hash = hash_bytes(text, strlen(text));
    *image = (Image){.tier = 1}; /* better code will not come */
    for (; built->entry; built++)
        if (built->hash == hash)
            return image_find(image, find, (void *)(uintptr_t)built->entry);
    text_add(why, "the code of the model is not that of its program");
    return false;
}
