/* SPDX-License-Identifier: Apache-2.0 */
/* seal.c -- compiled code that is kept is verified before it is loaded.
 *
 * A shared object in the cache ends with a mark of its own and the hash of everything before it;
 * the loader of the system does not mind. A file that another user owns or can write, that was cut
 * off or changed, does not count, and the code is compiled again. The seal is added before the file
 * gets its name, so that a name never belongs to half a file. Cost: one reading of the file. */
#define _GNU_SOURCE
#include "code/code.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct Seal {
    char     mark[8];
    uint64_t hash;
} Seal;

static const char mark[8] = "rbsealed";

static char *read_all(int file, size_t bytes) {
    char  *data = mem_take(bytes + 1, 1);
    size_t done = 0;
    while (data && done < bytes) {
        ssize_t n = read(file, data + done, bytes - done);
        if (n <= 0) break;
        done += (size_t)n;
    }
    if (data && done == bytes) return data;
    mem_free(data);
    return NULL;
}

bool seal_add(const char *path) {
    struct stat info;
    Seal        seal;
    int         file = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    bool        fine = file >= 0 && fstat(file, &info) == 0;
    char       *data = fine ? read_all(file, (size_t)info.st_size) : NULL;
    memcpy(seal.mark, mark, sizeof mark);
    if (data) seal.hash = hash_bytes(data, (size_t)info.st_size);
    fine = data && write(file, &seal, sizeof seal) == (ssize_t)sizeof seal;
    mem_free(data);
    if (file >= 0 && close(file) != 0) fine = false;
    return fine;
}

bool seal_holds(const char *path) {
    struct stat info;
    Seal        seal;
    int         file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool        own = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
               info.st_uid == geteuid() && !(info.st_mode & (S_IWGRP | S_IWOTH)) &&
               info.st_size > (off_t)sizeof seal;
    char *data = own ? read_all(file, (size_t)info.st_size) : NULL;
    if (file >= 0) close(file);
    if (!data) return false;
    size_t body = (size_t)info.st_size - sizeof seal;
    memcpy(&seal, data + body, sizeof seal);
    if (time(NULL) - info.st_mtime > 3600) utimensat(AT_FDCWD, path, NULL, 0); /* used */
    bool holds =
        memcmp(seal.mark, mark, sizeof mark) == 0 && seal.hash == hash_bytes(data, body);
    mem_free(data);
    return holds;
}
