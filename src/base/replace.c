/* SPDX-License-Identifier: Apache-2.0 */
/* replace.c -- a whole file is written, or none.
 *
 * Into a new file beside the old one, then renamed: a full disk or a kill destroys nothing, and who
 * reads meanwhile sees the old file or the new one. The file that a link leads to is replaced, not the
 * link; devices and pipes are written as they are. */
#define _XOPEN_SOURCE 700
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_blocks(int file, const void *const *block, const size_t *bytes, int n) {
    for (int k = 0; k < n; k++)
        for (size_t done = 0; done < bytes[k];) {
            ssize_t written = write(file, (const char *)block[k] + done, bytes[k] - done);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return false;
            done += (size_t)written;
        }
    return true;
}

static bool write_directly(const char *path, const void *const *block,
                           const size_t *bytes, int n) {
    int  file = open(path, O_WRONLY | O_CLOEXEC);
    bool fine = file >= 0 && write_blocks(file, block, bytes, n);
    int  why = errno;
    if (file >= 0 && close(file) != 0) fine = false;
    else errno = why;
    return fine;
}

/* A file of a new name beside it; -1 and errno if there can be none. */
static int open_beside(const char *path, Text *name) {
    int file = -1;
    for (int k = 0; file < 0 && k < 1000; k++) {
        text_clear(name);
        text_printf(name, "%s.%ld-%d", path, (long)getpid(), k);
        file = name->failed
                   ? -1
                   : open(text_get(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) break;
    }
    return file;
}

bool file_replace(const char *path, const void *const *block, const size_t *bytes,
                  int n) {
    struct stat info;
    char        buffer[PATH_MAX];
    const bool  old = stat(path, &info) == 0;
    const char *real = old ? realpath(path, buffer) : NULL;
    Text        name = {0};
    if (old && S_ISDIR(info.st_mode)) return errno = EISDIR, false;
    if (old && !S_ISREG(info.st_mode)) return write_directly(path, block, bytes, n);
    if (real) path = real;
    int  file = open_beside(path, &name);
    bool fine = file >= 0 && write_blocks(file, block, bytes, n) &&
                (!old || fchmod(file, info.st_mode & 07777) == 0);
    int why = errno;
    if (file >= 0 && close(file) != 0 && fine) fine = false, why = errno;
    if (fine && rename(text_get(&name), path) != 0) fine = false, why = errno;
    if (!fine && file >= 0) unlink(text_get(&name));
    text_free(&name);
    errno = why;
    return fine;
}
