/* SPDX-License-Identifier: Apache-2.0 */
/* cache.c -- translated models kept on disk by what went into them.
 *
 * The name of an entry is the hash of the request: target, class, modifiers, libraries, and the
 * sources of this library, of which a version has many while it is worked on. The entry lists every
 * file that the translation looked at with its size and time of change, and every folder of a library
 * with the classes in it, because a new file may be found before an old one; if one of them differs
 * the entry does not count. So a second run of the same model starts without translating, and a
 * changed library file is noticed. Warnings are kept, too.
 * The folder has a limit: when a program is stored, what was used longest ago is removed. */
#define _GNU_SOURCE
#include "api/api.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE_BYTES 1e9 /* unless settings say otherwise */

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

/* ---- what went in ---- */

/* The names in a folder that a class may be found in; results that are written there do not
 * matter. */
static uint64_t folder_hash(const char *path) {
    DIR     *dir = opendir(path);
    uint64_t sum = 0;
    if (!dir) return 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t n = strlen(entry->d_name);
        bool   file = n > 3 && strcmp(entry->d_name + n - 3, ".mo") == 0;
        if (entry->d_name[0] == '.' || (entry->d_type == DT_REG && !file)) continue;
        sum += hash_bytes(entry->d_name, n);
    }
    closedir(dir);
    return sum;
}

/* "what path" of a file or folder; of one that does not exist "-". */
static void add_stamp(Text *out, const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) text_add(out, "-");
    else if (S_ISDIR(info.st_mode))
        text_printf(out, "%llu", (unsigned long long)folder_hash(path));
    else
        text_printf(out, "%lld.%lld.%ld.%llu", (long long)info.st_size,
                    (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
                    (unsigned long long)info.st_ino);
    text_printf(out, " %s\n", path);
}

/* The folder of a file and those around it, as long as they are packages. */
static void add_folders(Text *out, Map *seen, const char *path) {
    Text folder = {0}, file = {0};
    text_add(&folder, path);
    for (int depth = 0; depth < 64; depth++) {
        char *slash = folder.length ? strrchr(folder.data, '/') : NULL;
        if (!slash) break;
        folder.length = (size_t)(slash - folder.data);
        *slash = 0;
        uint64_t key = hash_bytes(folder.data, folder.length);
        if (map_has(seen, key)) break;
        map_put(seen, key, 1);
        text_clear(&file);
        text_printf(&file, "%s/package.mo", folder.data);
        if (access(text_get(&file), F_OK) != 0) break;
        add_stamp(out, folder.data);
        text_clear(&file);
        text_printf(&file, "%s/package.order", folder.data);
        add_stamp(out, text_get(&file));
    }
    text_free(&folder);
    text_free(&file);
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
        if (stop == line) { /* the list is filled up with these */
            line++;
            continue;
        }
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

/* ---- messages: warnings of a translation are those of its program, too ---- */

/* "code position bytes text" each; the code of a note is "-". */
static void list_messages(const Diag *diag, int first, Text *out) {
    for (int k = first; k < diag->count; k++) {
        const Message *m = &diag->message[k];
        text_printf(out, "%s %u %zu %s\n", m->code ? code_info(m->code)->id : "-", m->pos,
                    strlen(m->text), m->text);
    }
}

/* The position in a session that belongs to one in a program; 0 if the text is another one. */
static Pos position_of(Sources *sources, const Program *p, Pos pos) {
    const SourceInfo *info = NULL;
    const Source     *found = NULL;
    for (int k = 0; pos && k < p->sources.count; k++)
        if (p->sources.source[k].base <= pos) info = &p->sources.source[k];
    if (!info) return 0;
    const char *path = program_text(p, info->path);
    for (int k = 0; k < sources->count && !found; k++)
        if (strcmp(sources->source[k]->path, path) == 0) found = sources->source[k];
    SourceStatus status =
        found ? SOURCE_OK
        : info->text
            ? source_add(sources, path, program_text(p, info->text), info->size, &found)
            : source_load(sources, path, &found);
    return status == SOURCE_OK && found->size == info->size
               ? found->base + (pos - info->base)
               : 0;
}

void cache_messages(Inside *c, const Program *program, const Text *messages) {
    const char *at = text_get(messages), *end = at + messages->length;
    while (at < end) {
        char  code[16] = "";
        char *next;
        int   n = 0;
        while (at < end && *at != ' ' && n < (int)sizeof code - 1) code[n++] = *at++;
        Pos    pos = (Pos)strtoul(at, &next, 10);
        size_t length = strtoul(next, &next, 10);
        if (next >= end || length >= (size_t)(end - next)) return; /* damaged */
        pos = position_of(&c->session.sources, program, pos);
        if (code_find(code))
            diag_report(&c->session.diag, pos, code_find(code), "%.*s", (int)length,
                        next + 1);
        else diag_note(&c->session.diag, pos, "%.*s", (int)length, next + 1);
        at = next + 1 + length + 1;
    }
}

/* ---- size ---- */

typedef struct Kept { /* a file in the cache */
    char           *name;
    off_t           bytes;
    struct timespec used;
} Kept;

static int by_age(const void *a, const void *b) {
    const struct timespec *x = &((const Kept *)a)->used, *y = &((const Kept *)b)->used;
    if (x->tv_sec != y->tv_sec) return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Down to three quarters of the limit once it is exceeded, what was used longest ago first. */
static void prune(const char *folder, double most) {
    DIR   *dir = opendir(folder);
    Arena  arena = {0};
    Kept  *kept = NULL;
    int    n = 0, room = 0;
    double sum = 0;
    if (!dir) return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        struct stat info;
        if (entry->d_name[0] == '.' ||
            fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        Kept *more = arena_grow(&arena, kept, sizeof *kept, &room, n + 1);
        char *name = arena_string(&arena, entry->d_name, strlen(entry->d_name));
        if (more) kept = more;
        if (!more || !name) break; /* no memory: what was found is enough to begin with */
        kept[n++] = (Kept){name, info.st_size, info.st_mtim};
        sum += (double)info.st_size;
    }
    if (sum > most) qsort(kept, (size_t)n, sizeof *kept, by_age);
    for (int k = 0, over = sum > most; over && k < n; k++) {
        double left = sum - (double)kept[k].bytes;
        if (unlinkat(dirfd(dir), kept[k].name, 0) == 0) sum = left;
        if (sum <= 0.75 * most) break;
    }
    closedir(dir);
    arena_free(&arena);
}

/* ---- entries ---- */

CacheKey cache_key(const Inside *c, const RbRequest *r, const char *modifiers) {
    Text     text = {0};
    CacheKey key;
    char     here[4096];
    if (!getcwd(here, sizeof here)) *here = 0; /* paths may be relative */
    text_printf(&text, "%s\n%s\n%s\n%s\n%s\n%d\n%d\n%d\n%d\n%d\n%d\n%d\n%s\n%s",
                build_key(), here, r->target, r->model ? r->model : "",
                r->theta ? r->theta : "", r->rates, r->rates_if_worth, r->components,
                r->components_if_worth, r->staggered, r->sensitivities, c->trust,
                modifiers, text_get(&c->key));
    for (int k = 0; k < r->besides; k++) text_printf(&text, "\n%s", r->beside[k]);
    if (r->text) text_printf(&text, "\n\n%s", r->text);
    snprintf(key.text, sizeof key.text, "%016llx%016llx.rbp",
             (unsigned long long)hash_bytes(text_get(&text), text.length),
             (unsigned long long)hash_mix(hash_bytes(text_get(&text), text.length / 2)));
    text_free(&text);
    return key;
}

static void path_of(const Inside *c, const CacheKey *key, Text *out) {
    text_printf(out, "%s/%s", c->options.cache, key->text);
}

/* A file: lengths of the list and of the messages, both, padding to 8 bytes, the block. */
typedef struct Entry {
    uint64_t list, messages;
} Entry;

static uint64_t padding(uint64_t n) {
    return (8 - n % 8) % 8;
}

Program *cache_load(const Inside *c, const CacheKey *key, Text *messages) {
    Text        path = {0};
    size_t      bytes;
    Entry       entry = {0};
    const char *why;
    path_of(c, key, &path);
    char *file = file_read(text_get(&path), &bytes);
    text_free(&path);
    if (!file) return NULL;
    size_t at = sizeof entry;
    bool   fits = bytes > at;
    if (fits) memcpy(&entry, file, sizeof entry);
    fits = fits && entry.list < bytes && entry.messages < bytes &&
           entry.list + entry.messages + 8 < bytes - at &&
           unchanged(file + at, (size_t)entry.list);
    Program *program = NULL;
    if (fits) {
        size_t head =
            at + entry.list + entry.messages + padding(entry.list + entry.messages);
        text_clear(messages);
        text_bytes(messages, file + at + entry.list, (size_t)entry.messages);
        memmove(file, file + head, bytes - head); /* the block is the program's then */
        program = program_adopt(file, bytes - head, &why);
    }
    if (!program) mem_free(file);
    return program;
}

Keep cache_entry(const Inside *c, const CacheKey *key, int first) {
    static const char none[8];
    Text              path = {0}, list = {0}, messages = {0}, head = {0};
    if (!c->options.cache) return (Keep){0};
    list_inputs(c, &list);
    list_messages(&c->session.diag, first, &messages);
    path_of(c, key, &path);
    Entry entry = {list.length, messages.length};
    text_bytes(&head, (const char *)&entry, sizeof entry);
    text_bytes(&head, text_get(&list), list.length);
    text_bytes(&head, text_get(&messages), messages.length);
    text_bytes(&head, none, (size_t)padding(entry.list + entry.messages));
    text_free(&list);
    text_free(&messages);
    mem_give(path.data);
    mem_give(head.data);
    return (Keep){path, head, c->cache_bytes > 0 ? c->cache_bytes : CACHE_BYTES};
}

void cache_store(Keep *keep, const char *folder, const Program *program) {
    const void *block[] = {keep->head.data, program->block};
    size_t      bytes[] = {keep->head.length, program->bytes};
    if (keep->path.data && folder) {
        mkdir(folder, 0700);
        file_replace(keep->path.data, block, bytes,
                     LENGTH(block)); /* else the next run translates */
        prune(folder, keep->most);
    }
    TEXT_FREE(&keep->path, &keep->head);
}
