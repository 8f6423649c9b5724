/* SPDX-License-Identifier: Apache-2.0 */
/* resource.c -- files of a library named by a URI (specification, section 13.5):
 *
 *     modelica://Package.Sub/Resources/Data/file.txt
 *     file:///folder/file.txt
 *
 * The path of the first is relative to the folder of the class, or of the nearest class around it that has a
 * folder of its own. */
#define _XOPEN_SOURCE 700
#include "syntax/syntax.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scheme[] = "modelica://";

static Str part_of(Library *library, const char *text, size_t n) {
    return str_intern(&library->session->strings, text, n);
}

/* ".." is refused: resources lie below the folder of their library. */
static bool leads_out(const char *path) {
    for (const char *at = path; (at = strstr(at, "/..")); at += 3)
        if (at[3] == '/' || !at[3]) return true;
    return false;
}

/* file:///path, or with the name of this machine: file://localhost/path. */
static bool plain_file(const char *uri, Text *path) {
    static const char word[] = "file://", here[] = "localhost";
    if (strncmp(uri, word, sizeof word - 1) != 0) return false;
    uri += sizeof word - 1;
    if (strncmp(uri, here, sizeof here - 1) == 0) uri += sizeof here - 1;
    if (*uri != '/' || leads_out(uri)) return false;
    text_clear(path);
    text_add(path, uri);
    return true;
}

bool library_resource(Library *library, const char *uri, Text *path) {
    if (plain_file(uri, path)) return true;
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0) return false;
    const char *name = uri + sizeof scheme - 1, *rest = strchr(name, '/');
    const char *folder = NULL;
    if (!rest || leads_out(rest)) return false;
    for (Package *package = NULL; name < rest;) {
        size_t   n = strcspn(name, "./");
        Str      part = part_of(library, name, n);
        Package *next = package ? library_member(library, package, part)
                                : library_top(library, part, NULL);
        if (!next) break;
        if (next->folder) folder = next->folder;
        package = next;
        name += n + (name[n] == '.');
        if (!next->folder) break;
    }
    if (!folder) return false;
    char buffer[PATH_MAX],
        *full = realpath(folder, buffer); /* the model may run elsewhere */
    text_clear(path);
    text_printf(path, "%s%s", full ? full : folder, rest);
    return true;
}
