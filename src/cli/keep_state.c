/* SPDX-License-Identifier: Apache-2.0 */
/* keep_state.c -- rubato simulate --save-state and --from-state.
 *
 * A file holds the bytes of rb_state_save. They fit the same model translated from the same text:
 * the program is compared by its hash. */
#include "cli/simulate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool cannot(const char *what, const char *path, const char *why) {
    fprintf(stderr, "rubato: cannot %s the state '%s': %s\n", what, path, why);
    return false;
}

bool state_load(Show *show, const char *path) {
    RbError error;
    FILE   *file = fopen(path, "rb");
    Text    bytes = {0};
    char    part[1 << 16];
    if (!file) return cannot("read", path, strerror(errno));
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        text_bytes(&bytes, part, n);
    bool fine = !ferror(file);
    fclose(file);
    if (fine)
        fine = rb_state_restore(show->simulation, text_get(&bytes), bytes.length,
                                &error) == RB_OK;
    else snprintf(error.text, sizeof error.text, "%s", strerror(EIO));
    text_free(&bytes);
    return fine || cannot("continue from", path, error.text);
}

bool state_store(Show *show, const char *path) {
    RbError error;
    size_t  room = rb_state_bytes(show->simulation);
    char   *bytes = arena_take(&show->job->arena, 1, room);
    if (rb_state_save(show->simulation, bytes, room, &error) != RB_OK)
        return cannot("save", path, error.text);
    return files_write(path, bytes, room) || cannot("save", path, strerror(errno));
}
