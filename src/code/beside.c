/* SPDX-License-Identifier: Apache-2.0 */
/* beside.c -- what comes with the program, found from where its code lies: the Modelica libraries in
 * lib beside the build folder or the one around it, or in share/rubato/lib of an installed tree; the
 * runtime of exported models beside the program or in lib, its sources beside the program or in
 * share/rubato. */
#define _GNU_SOURCE
#include "code/code.h"

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

typedef struct Wanted { /* a file, and the places where it may be, seen from the code */
    const char *mark;
    const char *place[4]; /* NULL: no more */
} Wanted;

static bool is_there(const char *folder, const char *place, const char *mark, Text *out) {
    struct stat info;
    Text        file = {0};
    text_clear(out);
    text_printf(out, "%s/%s", folder, place);
    text_printf(&file, "%s/%s", text_get(out), mark);
    bool found = stat(text_get(&file), &info) == 0;
    text_free(&file);
    return found;
}

static bool beside(const char *folder, const Wanted *wanted, Text *out) {
    for (int k = 0; *folder && k < LENGTH(wanted->place) && wanted->place[k]; k++)
        if (is_there(folder, wanted->place[k], wanted->mark, out)) return true;
    return false;
}

/* The folder of the file, of the places that this code may have come from. */
static bool find_beside(const Wanted *wanted, Text *out) {
    Dl_info info;
    char    path[4096];
    Text    folder = {0};
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n > 0) path[n] = 0;
    /* where /proc is not there: the path with which the program was started */
    const char *own = n > 0 ? path : (const char *)getauxval(AT_EXECFN);
    if (own) folder_of(own, &folder);
    bool found = beside(text_get(&folder), wanted, out);
    text_clear(&folder);
    if (!found && dladdr((void *)(uintptr_t)libraries_beside, &info) && info.dli_fname) {
        folder_of(info.dli_fname, &folder); /* of the shared object that holds this */
        found = beside(text_get(&folder), wanted, out);
    }
    text_free(&folder);
    return found;
}

bool libraries_beside(Text *out) {
    static const Wanted wanted = {"Rubato/package.mo",
                                  {"../lib", "../../lib", "../share/rubato/lib"}};
    return find_beside(&wanted, out);
}

bool runtime_beside(Text *out) {
    static const Wanted wanted = {"librubato_fmu.so",
                                  {".", "..", "../lib", "../lib/rubato"}};
    if (!find_beside(&wanted, out)) return false;
    text_printf(out, "/%s", wanted.mark);
    return !out->failed;
}

bool sources_beside(Text *out) {
    static const Wanted wanted = {"fmu-sources/list",
                                  {".", "..", "../share/rubato", "../lib"}};
    if (!find_beside(&wanted, out)) return false;
    text_add(out, "/fmu-sources");
    return !out->failed;
}
