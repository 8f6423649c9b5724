/* SPDX-License-Identifier: Apache-2.0 */
/* world.c -- libraries and classes as they are now.
 *
 * A library (where classes are) and a front end (what they mean) are thrown away at every change
 * and made again when something is asked: both are lazy and work on kept trees, so that this costs
 * some calls of stat, not the reading of files. */
#define _XOPEN_SOURCE 700
#include "lsp/server.h"

#include <string.h>
#include <sys/stat.h>

static const size_t FRONT_MOST = 64u << 20; /* bytes of what was found out by questions */
static const uint32_t POSITIONS_MOST = 3u << 30; /* then all texts are read again */

void world_change(Server *s) {
    s->stale = true;
}

static void close_library(Server *s) {
    front_free(s->front);
    s->front = NULL;
    if (s->open) library_free(&s->library);
    s->open = false;
}

void world_free(Server *s) {
    close_library(s);
    kept_free(s);
    foreign_close(&s->foreign);
    session_free(&s->session);
}

static const StoredFile *reader(void *context, const char *path) {
    Server *s = context;
    Kept   *k = kept_get(s, path);
    if (k) k->wanted = s->generation;
    return k ? k->file : NULL;
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void add_places(Server *s) {
    const LspSettings *set = s->settings;
    for (int i = 0; i < set->libraries; i++) library_add(&s->library, set->library[i]);
    for (int i = 0; i < s->folders; i++)
        if (is_folder(s->folder[i])) library_add(&s->library, s->folder[i]);
    library_add_defaults(&s->library, set->modelicapath, set->home);
    if (set->own) library_add(&s->library, set->own);
}

/* Every open text is found by its classes' names. */
static void add_documents(Server *s) {
    for (const Document *d = s->document; d; d = d->next)
        library_open(&s->library, d->path, NULL);
}

static void forget_messages(Server *s) {
    diag_free(&s->session.diag);
    diag_init(&s->session.diag, &s->session.sources);
}

/* Numbers of positions come to an end. */
static void start_over(Server *s) {
    if (s->session.sources.next <= POSITIONS_MOST) return;
    close_library(s);
    kept_free(s);
    session_free(&s->session);
    session_init(&s->session);
}

static void open_library(Server *s) {
    close_library(s);
    kept_trim(s);
    s->generation++;
    library_init(&s->library, &s->session);
    s->library.trust = s->settings->trust;
    s->library.reader = (LibraryReader){.read = reader, .context = s};
    s->open = true;
    s->stale = false;
    add_places(s);
    add_documents(s);
    forget_messages(s);
}

void world_spare(Server *s, Pos pos) {
    bool full = kept_full(s) || (s->front && s->front->arena.reserved > FRONT_MOST);
    if (!full) return;
    Kept *at = kept_of(s, pos);
    if (at) at->wanted = s->generation;
    open_library(s);
}

Kept *world_enter(Server *s, const Document *d) {
    if (s->stale || !s->open) {
        start_over(s);
        open_library(s);
    }
    Kept *k = kept_get(s, d->path);
    forget_messages(s);
    return k;
}

void world_within(Text *out, const char *path) {
    struct stat info;
    Text        folder = {0}, file = {0}, name = {0};
    text_add(&folder, path);
    bool package =
        strlen(path) > 11 && strcmp(path + strlen(path) - 11, "/package.mo") == 0;
    for (int up = 0;; up++) {
        char *slash = folder.length ? strrchr(folder.data, '/') : NULL;
        if (!slash) break;
        const char *last = slash + 1;
        if (up > 0 + package) { /* the folder is a package: its name, without a version */
            text_clear(&name);
            text_bytes(&name, last, strcspn(last, " "));
            text_printf(&name, "%s%s", out->length ? "." : "", text_get(out));
            text_clear(out);
            text_add(out, text_get(&name));
        }
        folder.length = (size_t)(slash - folder.data);
        *slash = '\0';
        text_clear(&file);
        text_printf(&file, "%s/package.mo", text_get(&folder));
        if (stat(text_get(&file), &info) != 0) break;
    }
    TEXT_FREE(&folder, &file, &name);
}

Front *world_front(Server *s) {
    if (!s->front) s->front = front_new(&s->session, &s->library);
    return s->front;
}
