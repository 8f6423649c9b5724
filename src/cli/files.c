/* SPDX-License-Identifier: Apache-2.0 */
/* files.c -- walking library trees, and writing files whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_modelica(const char *name) {
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, ".mo") == 0;
}

/* Resources of a library hold no classes, and names that start with a dot are hidden. */
static bool skipped(const char *name) {
    return name[0] == '.' || strcmp(name, "Resources") == 0;
}

static bool collect_directory(Job *job, const char *path, Words *files, int depth) {
    Words names = {0};
    DIR  *dir = opendir(path);
    if (!dir) {
        diag_report(&job->session.diag, 0, CODE_S101, "cannot read '%s': %s", path,
                    strerror(errno));
        return false;
    }
    for (struct dirent *entry; (entry = readdir(dir));)
        if (!skipped(entry->d_name))
            words_add(&job->arena, &names,
                      arena_string(&job->arena, entry->d_name, strlen(entry->d_name)));
    closedir(dir);
    if (names.count)
        qsort(names.item, (size_t)names.count, sizeof(char *), text_ascending);
    bool good = true;
    for (int i = 0; i < names.count; i++) {
        struct stat info;
        char       *full = arena_printf(&job->arena, "%s/%s", path, names.item[i]);
        if (stat(full, &info) != 0) continue;
        if (S_ISDIR(info.st_mode) && depth < 64)
            good &= collect_directory(job, full, files, depth + 1);
        else if (S_ISREG(info.st_mode) && is_modelica(names.item[i]))
            words_add(&job->arena, files, full);
    }
    return good;
}

bool files_collect(Job *job, const char *path, Words *files) {
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        int before = files->count;
        if (!collect_directory(job, path, files, 0)) return false;
        if (files->count == before)
            diag_report(&job->session.diag, 0, CODE_S101, "no .mo file below '%s'", path);
        return files->count > before;
    }
    words_add(&job->arena, files, path);
    return true;
}

bool files_write(const char *path, const char *text, size_t length) {
    return file_replace(path, (const void *[]){text}, &length, 1);
}

/* A folder that somebody else owns is not used: what lies there would be loaded as code. */
const char *files_cache(Job *job) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat info;
    if (!(cache && *cache) && !(home && *home)) return NULL;
    const char *base =
        cache && *cache ? cache : arena_printf(&job->arena, "%s/.cache", home);
    const char *path = arena_printf(&job->arena, "%s/rubato", base);
    mkdir(base, 0700);
    mkdir(path, 0700);
    if (lstat(path, &info) != 0) return NULL; /* it cannot be made: there is none */
    bool own = S_ISDIR(info.st_mode) && info.st_uid == geteuid();
    if (own && info.st_mode & 077) own = chmod(path, 0700) == 0;
    if (own) return path;
    if (!job->cache_told)
        fprintf(stderr, "rubato: '%s' is no folder of yours, so nothing is kept there\n",
                path);
    job->cache_told = true;
    return NULL;
}
