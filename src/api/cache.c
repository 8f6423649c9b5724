/* SPDX-License-Identifier: Apache-2.0 */
/* cache.c -- translated models kept on disk by what went into them.
 *
 * The name of an entry is the hash of the request: target, class, modifiers, libraries, version of
 * this library. The entry lists every file and folder that the translation looked at with its size
 * and time of change; if one of them differs the entry does not count. So a second run of the same
 * model starts without translating, and a changed library file is noticed. Folders are listed
 * because a new file in them may be found before an old one. */
#define _GNU_SOURCE
#include "api/api.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

void *file_read(const char *path, size_t *bytes) {
    struct stat info;
    int         file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    bool   fine = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    char  *block = fine ? mem_take((size_t)info.st_size, 1) : NULL;
    size_t done = 0;
    for (*bytes = fine ? (size_t)info.st_size : 0; block && done < *bytes;) {
        ssize_t n = read(file, block + done, *bytes - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        done += (size_t)n;
    }
    int why = fine ? errno : EINVAL;
    close(file);
    if (block && done == *bytes) return block;
    mem_free(block);
    errno = why ? why : EIO;
    return NULL;
}

static bool write_all(int file, const char *data, size_t bytes) {
    while (bytes) {
        ssize_t n = write(file, data, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        data += n;
        bytes -= (size_t)n;
    }
    return true;
}

bool file_write(const char *path, const void *const *block, const size_t *bytes, int n) {
    Text name = {0};
    text_printf(&name, "%s.XXXXXX", path);
    int  file = name.failed ? -1 : mkostemp(name.data, O_CLOEXEC);
    bool fine = file >= 0;
    for (int k = 0; k < n && fine; k++) fine = write_all(file, block[k], bytes[k]);
    if (file >= 0 && close(file) != 0) fine = false;
    fine = fine && chmod(name.data, 0644) == 0 && rename(name.data, path) == 0;
    int why = errno;
    if (!fine && file >= 0) unlink(name.data);
    text_free(&name);
    errno = why;
    return fine;
}

/* ---- what went in ---- */

/* "size time path" of a file or folder; of one that does not exist "-". */
static void add_stamp(Text *out, const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) {
        text_printf(out, "- %s\n", path);
        return;
    }
    bool folder = S_ISDIR(info.st_mode);
    text_printf(out, "%lld.%lld.%ld.%llu %s\n", folder ? 0LL : (long long)info.st_size,
                (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                (unsigned long long)info.st_ino, path);
}

/* The folder of a file, and those around it as long as they are packages. */
static void add_folders(Text *out, Map *seen, const char *path) {
    Text folder = {0};
    text_add(&folder, path);
    for (int depth = 0; depth < 64; depth++) {
        char *slash = folder.length ? strrchr(folder.data, '/') : NULL;
        if (!slash) break;
        folder.length = (size_t)(slash - folder.data);
        *slash = 0;
        uint64_t key = hash_bytes(folder.data, folder.length);
        if (map_has(seen, key)) break;
        map_put(seen, key, 1);
        add_stamp(out, folder.length ? folder.data : "/");
        Text package = {0};
        text_printf(&package, "%s/package.mo", folder.data);
        bool inside = access(text_get(&package), F_OK) == 0;
        text_free(&package);
        if (!inside) break;
    }
    text_free(&folder);
}

static void list_inputs(const Inside *c, Text *out) {
    const Sources *sources = &c->session.sources;
    Map            seen = {0};
    for (int k = 0; k < sources->count; k++) {
        if (!sources->source[k]->file) continue;
        add_stamp(out, sources->source[k]->path);
        add_folders(out, &seen, sources->source[k]->path);
    }
    for (int k = 0; k < c->library.roots; k++) add_stamp(out, c->library.root[k]);
    for (int k = 0; k < c->foreign.files; k++) add_stamp(out, c->foreign.file[k]);
    map_free(&seen);
}

/* Is every line of the list as it was? */
static bool unchanged(const char *list, size_t bytes) {
    Text now = {0}, path = {0};
    bool same = true;
    for (const char *line = list, *end = list + bytes; line < end && same;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const char *name = stop ? memchr(line, ' ', (size_t)(stop - line)) : NULL;
        if (!name) same = false;
        else {
            text_clear(&path);
            text_clear(&now);
            text_bytes(&path, name + 1, (size_t)(stop - name - 1));
            add_stamp(&now, text_get(&path));
            same = now.length == (size_t)(stop + 1 - line) &&
                   memcmp(text_get(&now), line, now.length) == 0;
            line = stop + 1;
        }
    }
    text_free(&now);
    text_free(&path);
    return same;
}

/* ---- entries ---- */

CacheKey cache_key(const Inside *c, const RbRequest *r, const char *modifiers) {
    Text     text = {0};
    CacheKey key;
    char     here[4096];
    if (!getcwd(here, sizeof here)) *here = 0; /* paths may be relative */
    text_printf(&text, "%s\n%s\n%s\n%s\n%d\n%d\n%s\n%s", rb_version(), here, r->target,
                r->model ? r->model : "", r->rates, c->trust, modifiers,
                text_get(&c->key));
    snprintf(key.text, sizeof key.text, "%016llx%016llx.rbp",
             (unsigned long long)hash_bytes(text_get(&text), text.length),
             (unsigned long long)hash_mix(hash_bytes(text_get(&text), text.length / 2)));
    text_free(&text);
    return key;
}

static void path_of(const Inside *c, const CacheKey *key, Text *out) {
    text_printf(out, "%s/%s", c->options.cache, key->text);
}

Program *cache_load(const Inside *c, const CacheKey *key) {
    Text        path = {0};
    size_t      bytes;
    uint64_t    length = 0;
    const char *why;
    path_of(c, key, &path);
    char *file = file_read(text_get(&path), &bytes);
    text_free(&path);
    if (!file) return NULL;
    /* length of the list, the list, the block */
    bool fits = bytes > sizeof length;
    if (fits) memcpy(&length, file, sizeof length);
    fits = fits && length < bytes - sizeof length &&
           unchanged(file + sizeof length, (size_t)length);
    Program *program = NULL;
    if (fits) {
        size_t head = sizeof length + (size_t)length, rest = bytes - head;
        void  *block = mem_take(rest, 1);
        memcpy(block, file + head, rest);
        program = program_adopt(block, rest, &why);
        if (!program) mem_free(block);
    }
    mem_free(file);
    return program;
}

void cache_store(const Inside *c, const CacheKey *key, const Program *program) {
    Text path = {0}, list = {0};
    if (!c->options.cache) return;
    list_inputs(c, &list);
    while ((sizeof(uint64_t) + list.length) % 8) text_char(&list, '\n');
    path_of(c, key, &path);
    uint64_t    length = list.length;
    const void *block[] = {&length, text_get(&list), program->block};
    size_t      bytes[] = {sizeof length, list.length, program->bytes};
    mkdir(c->options.cache, 0700);
    file_write(text_get(&path), block, bytes, LENGTH(block)); /* else the next run translates */
    text_free(&path);
    text_free(&list);
}
