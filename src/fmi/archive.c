/* SPDX-License-Identifier: Apache-2.0 */
/* archive.c -- zip archives by minizip: written so that equal content gives equal bytes (no times, no
 * rights), read with suspicion.
 *
 * What is read comes from anywhere. A name must stay below the folder it is unpacked to: no absolute
 * path, no '..', no backslash. The sizes that the archive tells, and those that come out of it, are
 * limited, and so is the number of its files. */
#define _GNU_SOURCE
#include "fmi/archive.h"
#include "fmi/fmi.h"

#ifdef HAVE_MINIZIP

#include <errno.h>
#include <fcntl.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool archives_present(void) {
    return true;
}

/* ---- writing ---- */

static bool write_entry(zipFile zip, const ArchiveEntry *e) {
    enum { LEVEL = 1, PIECE = 1 << 30 }; /* 1: a tenth larger, five times as fast */
    zip_fileinfo info = {.dosDate = (1 << 5 | 1) << 16}; /* 1 January 1980 */
    const char  *at = e->bytes;
    bool         fine =
        zipOpenNewFileInZip64(zip, e->name, &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED,
                              LEVEL, e->count > 0xffffffffu) == ZIP_OK;
    for (size_t left = fine ? e->count : 0; left && fine;) {
        size_t n = left < PIECE ? left : PIECE;
        fine = zipWriteInFileInZip(zip, at, (unsigned)n) == ZIP_OK;
        at += n;
        left -= n;
    }
    return fine && zipCloseFileInZip(zip) == ZIP_OK;
}

/* Under another name at first: nobody sees half of it. */
bool archive_write(const char *path, const ArchiveEntry *entry, int entries, Text *why) {
    Text partial = {0};
    text_printf(&partial, "%s.%ld.part", path, (long)getpid());
    zipFile zip =
        partial.failed ? NULL : zipOpen64(text_get(&partial), APPEND_STATUS_CREATE);
    bool fine = zip != NULL;
    errno = zip ? 0 : errno;
    for (int k = 0; fine && k < entries; k++) fine = write_entry(zip, &entry[k]);
    if (zip && zipClose(zip, NULL) != ZIP_OK) fine = false;
    fine = fine && rename(text_get(&partial), path) == 0;
    if (!fine) {
        text_printf(why, "cannot write '%s': %s", path,
                    errno ? strerror(errno) : "not all of it could be written");
        if (!partial.failed) unlink(text_get(&partial));
    }
    text_free(&partial);
    return fine;
}

/* ---- reading ---- */

static bool is_safe(const char *name) {
    if (!*name || *name == '/' || strchr(name, '\\') || strchr(name, ':')) return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        if (*part == '/') part++;
        size_t n = strcspn(part, "/");
        if (n == 2 && part[0] == '.' && part[1] == '.') return false;
        if (!*part) break;
    }
    return true;
}

/* The folders that lead to a file, below an existing one. */
static bool make_folders(int root, const char *name) {
    char path[ARCHIVE_NAME];
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(path, sizeof path, "%.*s", (int)(slash - name), name);
        if (mkdirat(root, path, 0700) != 0 && errno != EEXIST) return false;
    }
    return true;
}

static bool copy_out(unzFile zip, int file, double *budget, Text *why) {
    char buffer[1 << 16];
    int  n;
    while ((n = unzReadCurrentFile(zip, buffer, sizeof buffer)) > 0) {
        *budget -= n;
        if (*budget < 0) {
            text_add(why, "it unpacks to more than is allowed");
            return false;
        }
        for (int done = 0; done < n;) {
            ssize_t k = write(file, buffer + done, (size_t)(n - done));
            if (k < 0 && errno == EINTR) continue;
            if (k < 0) {
                text_printf(why, "it cannot be unpacked: %s", strerror(errno));
                return false;
            }
            done += (int)k;
        }
    }
    if (n < 0) text_add(why, "it is damaged");
    return n == 0;
}

static bool unpack_entry(unzFile zip, int root, double *budget, Text *why) {
    char            name[ARCHIVE_NAME];
    unz_file_info64 info;
    if (unzGetCurrentFileInfo64(zip, &info, name, sizeof name, NULL, 0, NULL, 0) !=
        UNZ_OK) {
        text_add(why, "it is damaged");
        return false;
    }
    if (info.size_filename >= sizeof name || strlen(name) != info.size_filename ||
        !is_safe(name)) {
        text_printf(why, "the name '%.60s' in it leads out of it", name);
        return false;
    }
    if ((double)info.uncompressed_size > *budget) {
        text_add(why, "it unpacks to more than is allowed");
        return false;
    }
    if (!make_folders(root, name)) {
        text_printf(why, "it cannot be unpacked: %s", strerror(errno));
        return false;
    }
    if (name[info.size_filename - 1] == '/') return true;
    unlinkat(root, name, 0); /* some archives hold a file twice */
    int file =
        openat(root, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700);
    if (file < 0) {
        text_printf(why, "'%.60s' in it cannot be unpacked: %s", name, strerror(errno));
        return false;
    }
    bool fine = unzOpenCurrentFile(zip) == UNZ_OK;
    if (!fine) text_add(why, "it is damaged");
    fine = fine && copy_out(zip, file, budget, why);
    if (unzCloseCurrentFile(zip) != UNZ_OK && fine) {
        text_add(why, "it is damaged");
        fine = false;
    }
    return close(file) == 0 && fine;
}

bool archive_unpack(const char *path, const char *folder, Text *why) {
    enum { FILES = 20000 };
    double  budget = ARCHIVE_BYTES;
    unzFile zip = unzOpen64(path);
    int     root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), files = 0;
    bool    fine = zip && root >= 0;
    if (!fine)
        text_add(why, access(path, R_OK) != 0 ? strerror(errno) : "it is no zip archive");
    int more = fine ? unzGoToFirstFile(zip) : UNZ_OK;
    for (; fine && more == UNZ_OK; more = unzGoToNextFile(zip)) {
        if (++files > FILES) text_add(why, "it holds too many files");
        fine = files <= FILES && unpack_entry(zip, root, &budget, why);
    }
    if (fine && more != UNZ_END_OF_LIST_OF_FILE) {
        text_add(why, "it is damaged");
        fine = false;
    }
    if (zip) unzClose(zip);
    if (root >= 0) close(root);
    return fine;
}

#else

bool archives_present(void) {
    return false;
}

static const char absent[] = "this build has no minizip, which reads and writes FMUs";

bool archive_write(const char *path, const ArchiveEntry *entry, int entries, Text *why) {
    (void)path, (void)entry, (void)entries;
    text_add(why, absent);
    return false;
}

bool archive_unpack(const char *path, const char *folder, Text *why) {
    (void)path, (void)folder;
    text_add(why, absent);
    return false;
}

#endif
