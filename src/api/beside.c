/* SPDX-License-Identifier: Apache-2.0 */
/* beside.c -- the Modelica libraries that come with the program, found from where its code lies:
 * lib beside the build folder or the one around it, or share/rubato/lib of an installed tree. */
#define _GNU_SOURCE
#include "api/api.h"

#include <sys/auxv.h>
#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of a file, without its last part; empty if it has none. */
static void folder_of(const char *file, Text *out) {
    const char *last = strrchr(file, '/');
    if (last) text_bytes(out, file, (size_t)(last - file));
}

static bool is_there(const char *folder, const char *place, Text *out) {
    struct stat info;
    Text        package = {0};
    text_clear(out);
    text_printf(out, "%s/%s", folder, place);
    text_printf(&package, "%s/Rubato/package.mo", text_get(out));
    bool found = stat(text_get(&package), &info) == 0;
    text_free(&package);
    return found;
}

static bool beside(const char *folder, Text *out) {
    return *folder &&
           (is_there(folder, "../lib", out) || is_there(folder, "../../lib", out) ||
            is_there(folder, "../share/rubato/lib", out));
}

bool libraries_beside(Text *out) {
    Dl_info info;
    char    path[4096];
    Text    folder = {0};
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n > 0) path[n] = 0;
    /* where /proc is not there: the path with which the program was started */
    const char *own = n > 0 ? path : (const char *)getauxval(AT_EXECFN);
    if (own) folder_of(own, &folder);
    bool found = beside(text_get(&folder), out);
    text_clear(&folder);
    if (!found && dladdr((void *)(uintptr_t)libraries_beside, &info) && info.dli_fname) {
        folder_of(info.dli_fname, &folder); /* of the shared object that holds this */
        found = beside(text_get(&folder), out);
    }
    text_free(&folder);
    return found;
}
