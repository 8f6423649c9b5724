/* SPDX-License-Identifier: Apache-2.0 */
/* library.c -- packages on disk, read file by file as names are looked up.
 *
 * A class A lives in A.mo, or as a package folder in A/package.mo with its members beside it
 * (Modelica 3.6, section 13.4). Folders and files of top-level classes may carry a version:
 * "A 4.1.0". The first root that has the first name wins; there is no way back to later
 * roots. What was found or found missing is remembered, so each file is opened at most once
 * and nothing is read that no lookup asked for. */
#define _XOPEN_SOURCE 700
#include "syntax/syntax.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void library_init(Library *library, Session *session) {
    *library = (Library){.session = session};
}

void library_free(Library *library) {
    for (int i = 0; i < library->packages; i++) map_free(&library->package[i]->member);
    map_free(&library->top);
    arena_free(&library->arena);
}

/* ---- the file system ---- */

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool is_package_folder(Library *library, const char *path) {
    return is_folder(path) &&
           is_file(arena_printf(&library->arena, "%s/package.mo", path));
}

static bool ends_with_mo(const char *name) {
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, ".mo") == 0;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "Modelica 4.1.0" or "Modelica 4.1.0.mo" -> the name; *version is after the blank. */
static Str split_version(Library *library, const char *entry, const char **version) {
    size_t      length = strlen(entry) - (ends_with_mo(entry) ? 3 : 0);
    const char *blank = memchr(entry, ' ', length);
    *version = blank ? arena_string(&library->arena, blank + 1,
                                    (size_t)(entry + length - blank - 1))
                     : "";
    return str_intern(&library->session->strings, entry,
                      blank ? (size_t)(blank - entry) : length);
}

/* Numbers in versions compare as numbers: 4.10.0 is newer than 4.9.1. A pre-release
 * (4.0.0-beta) is older than its release, a build (4.0.0+x) newer. */
static int compare_versions(const char *a, const char *b) {
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *after_a, *after_b;
            long  x = strtol(a, &after_a, 10), y = strtol(b, &after_b, 10);
            if (x != y) return x < y ? -1 : 1;
            a = after_a;
            b = after_b;
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    if (*a == '-' || *b == '-') return (*b == '-') - (*a == '-');
    return (unsigned char)*a - (unsigned char)*b;
}

/* ---- packages ---- */

static int keep_package(Library *library, Package package) {
    library->package = arena_grow(&library->arena, library->package, sizeof(Package *),
                                  &library->package_capacity, library->packages + 1);
    Package *copy = NEW(&library->arena, Package, 1);
    *copy = package;
    library->package[library->packages] = copy;
    return library->packages++;
}

static Package *package_at(const Library *library, int64_t index) {
    return index < 0 ? NULL : library->package[index];
}

static void read_order(Library *library, Package *package) {
    const Source *source;
    if (library->reader.read) return; /* texts would be loaded again and again */
    Str        *order = NULL;
    int         capacity = 0, n = 0;
    const char *path = arena_printf(&library->arena, "%s/package.order", package->folder);
    if (!is_file(path) ||
        source_load(&library->session->sources, path, &source) != SOURCE_OK)
        return;
    for (const char *c = source->text; *c;) {
        size_t length = strcspn(c, "\r\n");
        if (length) {
            order = arena_grow(&library->arena, order, sizeof(Str), &capacity, n + 1);
            order[n++] = str_intern(&library->session->strings, c, length);
        }
        c += length + strspn(c + length, "\r\n");
    }
    package->order = order;
    package->order_count = n;
}

static void full_name(Text *out, const Session *session, const Package *package) {
    if (!package) return;
    if (package->parent) {
        full_name(out, session, package->parent);
        text_char(out, '.');
    }
    text_add(out, name_of(session, package->name));
}

static void name_text(Text *out, const Session *session, const Name *name) {
    for (int i = 0; name && i < name->count; i++)
        text_printf(out, "%s%s", i ? "." : "", name_of(session, name->part[i].name));
}

static void check_within(Library *library, const Package *package) {
    Text expected = {0}, found = {0};
    full_name(&expected, library->session, package->parent);
    name_text(&found, library->session, package->file->within);
    if (strcmp(text_get(&expected), text_get(&found)) != 0) {
        Pos pos = package->file->has_within ? package->file->within_pos
                                            : package->file->source->base;
        if (expected.length)
            diag_report(
                &library->session->diag, pos, CODE_S107,
                "this file belongs to the package '%s': it must start with 'within %s;'",
                text_get(&expected), text_get(&expected));
        else
            diag_report(&library->session->diag, pos, CODE_S107,
                        "this file holds a top-level class, so 'within %s;' is wrong",
                        text_get(&found));
    }
    text_free(&expected);
    text_free(&found);
}

static const Class *class_in_file(const StoredFile *file, Str name) {
    for (uint32_t i = 0; i < file->count; i++)
        if (file->stored[i].class_->name == name) return file->stored[i].class_;
    return NULL;
}

/* Reads the file of a package; index into library->package. */
static int load_package(Library *library, Str name, Package *parent, const char *path,
                        bool folder) {
    Package     package = {.name = name, .parent = parent};
    const char *file =
        folder ? arena_printf(&library->arena, "%s/package.mo", path) : path;
    package.file = library->reader.read
                       ? library->reader.read(library->reader.context, file)
                       : parse_file(library->session, file);
    library->files_read++;
    if (package.file) {
        package.class_ = class_in_file(package.file, name);
        if (!package.class_ && package.file->good)
            diag_report(&library->session->diag, package.file->source->base, CODE_S106,
                        "this file must define the class '%s'",
                        name_of(library->session, name));
        else if (package.class_) check_within(library, &package);
    }
    if (folder) package.folder = path;
    int index = keep_package(library, package);
    if (folder) read_order(library, library->package[index]);
    return index;
}

/* ---- where libraries are ---- */

static void add_place(Library *library, const char *path, bool folder, bool installed) {
    const char *version;
    library->place = arena_grow(&library->arena, library->place, sizeof(LibraryPlace),
                                &library->place_capacity, library->places + 1);
    library->place[library->places++] =
        (LibraryPlace){.name = split_version(library, last_part(path), &version),
                       .path = arena_string(&library->arena, path, strlen(path)),
                       .folder = folder,
                       .installed = installed};
}

static void add_root(Library *library, const char *path) {
    library->root = arena_grow(&library->arena, library->root, sizeof(char *),
                               &library->root_capacity, library->roots + 1);
    library->root[library->roots++] = arena_string(&library->arena, path, strlen(path));
}

static void close_dir(void *dir) {
    closedir(dir);
}

static DIR *folder_open(const char *path) { /* NULL: errno says why */
    DIR *dir = opendir(path);
    mem_own(dir, close_dir);
    return dir;
}

static void folder_close(DIR *dir) {
    mem_disown(dir);
    closedir(dir);
}

static bool holds_libraries(Library *library, const char *path) {
    DIR *dir = folder_open(path);
    bool found = false;
    if (!dir) return false;
    for (struct dirent *entry; !found && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        char *full = arena_printf(&library->arena, "%s/%s", path, entry->d_name);
        found = is_package_folder(library, full) ||
                (ends_with_mo(entry->d_name) && is_file(full));
    }
    folder_close(dir);
    return found;
}

static bool wrong_path(Library *library, const char *path, const char *why) {
    diag_report(&library->session->diag, 0, CODE_S104, "--library '%s': %s", path, why);
    return false;
}

bool library_add(Library *library, const char *path) {
    struct stat info;
    size_t      length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    path = arena_string(&library->arena, path, length);
    if (stat(path, &info) != 0) return wrong_path(library, path, strerror(errno));
    if (is_package_folder(library, path)) {
        add_place(library, path, true, true);
    } else if (S_ISDIR(info.st_mode)) {
        DIR *dir = opendir(path);
        if (!dir) return wrong_path(library, path, strerror(errno));
        closedir(dir);
        if (!holds_libraries(library, path))
            return wrong_path(library, path,
                              "the folder holds neither package.mo nor any library");
        add_root(library, path);
    } else if (ends_with_mo(path)) {
        FILE *file = fopen(path, "rb");
        if (!file) return wrong_path(library, path, strerror(errno));
        fclose(file);
        if (strcmp(last_part(path), "package.mo") == 0 && length > 11)
            return library_add(library, arena_string(&library->arena, path, length - 11));
        add_place(library, path, false, true);
    } else {
        return wrong_path(library, path, "neither a folder nor a .mo file");
    }
    return true;
}

void library_add_defaults(Library *library, const char *modelicapath, const char *home) {
    while (modelicapath && *modelicapath) {
        size_t length = strcspn(modelicapath, ":");
        char  *path = arena_string(&library->arena, modelicapath, length);
        if (length && is_folder(path)) add_root(library, path);
        modelicapath += length + (modelicapath[length] == ':');
    }
    if (!home || !*home) return;
    char *path = arena_printf(&library->arena, "%s/.openmodelica/libraries", home);
    if (is_folder(path)) add_root(library, path);
}

static bool lies_in(const char *path, const char *folder) {
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

bool library_installed(const Library *library, const char *path) {
    if (library->trust) return true;
    for (int i = 0; i < library->places; i++)
        if (library->place[i].installed && lies_in(path, library->place[i].path))
            return true;
    for (int i = 0; i < library->roots; i++)
        if (lies_in(path, library->root[i])) return true;
    return false;
}

/* ---- top-level classes ---- */

typedef struct Candidate {
    const char *path;    /* NULL: none yet                   */
    const char *version; /* "" if the entry has none         */
    bool        folder;
} Candidate;

/* Asked-for version first, then no version, then the newest. */
static bool better(const Candidate *old, const char *version, const char *wanted) {
    if (!old->path) return true;
    if (wanted && strcmp(old->version, wanted) == 0) return false;
    if (wanted && strcmp(version, wanted) == 0) return true;
    if (!*old->version) return false;
    return !*version || compare_versions(version, old->version) > 0;
}

static Candidate search_root(Library *library, const char *root, Str name,
                             const char *wanted) {
    Candidate best = {0};
    DIR      *dir = folder_open(root);
    size_t    length = str_length(&library->session->strings, name);
    if (!dir) return best;
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *version;
        if (strncmp(entry->d_name, name_of(library->session, name), length) != 0)
            continue;
        if (split_version(library, entry->d_name, &version) != name) continue;
        char *path = arena_printf(&library->arena, "%s/%s", root, entry->d_name);
        bool  folder = is_package_folder(library, path);
        if (!folder && !(ends_with_mo(entry->d_name) && is_file(path))) continue;
        if (better(&best, version, wanted))
            best = (Candidate){.path = path, .version = version, .folder = folder};
    }
    folder_close(dir);
    return best;
}

static int find_top(Library *library, Str name, const char *version) {
    for (int i = 0; i < library->places; i++)
        if (library->place[i].name == name)
            return load_package(library, name, NULL, library->place[i].path,
                                library->place[i].folder);
    for (int i = 0; i < library->roots; i++) {
        Candidate found = search_root(library, library->root[i], name, version);
        if (found.path)
            return load_package(library, name, NULL, found.path, found.folder);
    }
    return -1;
}

Package *library_top(Library *library, Str name, const char *version) {
    if (!map_has(&library->top, name))
        map_put(&library->top, name, find_top(library, name, version));
    return package_at(library, map_get(&library->top, name, -1));
}

void library_searched(const Library *library, const char *name, const char *version) {
    Text text = {0};
    for (int k = 0; k < library->places; k++)
        text_printf(&text, "%s%s", text.length ? ", " : "", library->place[k].path);
    for (int k = 0; k < library->roots; k++)
        text_printf(&text, "%s%s", text.length ? ", " : "", library->root[k]);
    diag_note(
        &library->session->diag, 0,
        "a library '%s'%s%s was searched in: %s. Other folders are named with --library "
        "or in MODELICAPATH",
        name, version ? " of version " : "", version ? version : "",
        text.length ? text_get(&text) : "no folder at all");
    text_free(&text);
}

/* ---- members of package folders ---- */

/* Quoted names may hold anything, also what must not get into a path. */
static bool can_be_file(const char *name) {
    return *name && *name != '.' && !strchr(name, '/');
}

static int find_member(Library *library, Package *outer, Str name) {
    const char *text = name_of(library->session, name);
    if (!outer->folder || !can_be_file(text) || strcmp(text, "package") == 0) return -1;
    char *path = arena_printf(&library->arena, "%s/%s.mo", outer->folder, text);
    if (is_file(path)) return load_package(library, name, outer, path, false);
    path = arena_printf(&library->arena, "%s/%s", outer->folder, text);
    if (is_package_folder(library, path))
        return load_package(library, name, outer, path, true);
    return -1;
}

Package *library_member(Library *library, Package *outer, Str name) {
    if (!map_has(&outer->member, name)) {
        int index = find_member(library, outer, name);
        map_put(&outer->member, name, index);
    }
    return package_at(library, map_get(&outer->member, name, -1));
}

void library_each_member(Library *library, Package *outer, LibraryVisit *visit,
                         void *context) {
    const char **name = NULL;
    int          capacity = 0, n = 0;
    DIR         *dir = outer->folder ? folder_open(outer->folder) : NULL;
    if (!dir) return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!can_be_file(entry->d_name) || strcmp(entry->d_name, "package.mo") == 0)
            continue;
        size_t length = strlen(entry->d_name);
        char *path = arena_printf(&library->arena, "%s/%s", outer->folder, entry->d_name);
        if (ends_with_mo(entry->d_name) && is_file(path)) length -= 3;
        else if (!is_package_folder(library, path)) continue;
        name = arena_grow(&library->arena, name, sizeof(char *), &capacity, n + 1);
        name[n++] = arena_string(&library->arena, entry->d_name, length);
    }
    folder_close(dir);
    if (n) qsort(name, (size_t)n, sizeof(char *), text_ascending);
    for (int i = 0; i < n; i++)
        visit(context, str_of(&library->session->strings, name[i]));
}

/* ---- files named by the user ---- */

/* The folder that holds the outermost package of `within`, if the file lies in one. */
static void add_surrounding_library(Library *library, const char *path,
                                    const Name *within) {
    char buffer[PATH_MAX], *folder = realpath(path, buffer);
    for (int i = 0; folder && i < within->count; i++) {
        char *slash = strrchr(folder, '/');
        if (slash) *slash = '\0';
        if (i == 0 && strcmp(last_part(path), "package.mo") == 0 &&
            (slash = strrchr(folder, '/')))
            *slash = '\0';
    }
    if (folder) {
        const char *version;
        Str         name = split_version(library, last_part(folder), &version);
        if (name == within->part[0].name && is_package_folder(library, folder))
            add_place(library, folder, true, false);
    }
}

static Package *find_within(Library *library, const Name *within) {
    Package *package = library_top(library, within->part[0].name, NULL);
    for (int i = 1; package && i < within->count; i++)
        package = library_member(library, package, within->part[i].name);
    return package;
}

/* Does a name lead to this class of the file anyway? Only if each file is parsed once. */
static bool found_anyway(Library *library, Package *outer, const StoredFile *file,
                         const Class *class_) {
    if (!library->reader.read) return false;
    const Package *known = outer ? library_member(library, outer, class_->name)
                                 : library_top(library, class_->name, NULL);
    return known && known->file == file && known->class_ == class_;
}

/* The folder of a package that lies in no other. */
static void add_own_folder(Library *library, const char *path) {
    size_t n = strlen(path);
    if (n > 11 && strcmp(path + n - 11, "/package.mo") == 0)
        add_place(library, arena_string(&library->arena, path, n - 11), true, false);
}

static const StoredFile *read_any(Library *library, const char *path, const char *text) {
    if (text) return parse_text(library->session, path, text);
    if (library->reader.read) return library->reader.read(library->reader.context, path);
    return parse_file(library->session, path);
}

const StoredFile *library_open(Library *library, const char *path, const char *text) {
    const StoredFile *file = read_any(library, path, text);
    Package          *outer = NULL;
    if (!file) return NULL;
    library->files_read++;
    if (file->within) {
        add_surrounding_library(library, path, file->within);
        outer = find_within(library, file->within);
        if (!outer) {
            Text name = {0};
            name_text(&name, library->session, file->within);
            diag_report(&library->session->diag, file->within_pos, CODE_S105,
                        "the package '%s' is not in the libraries", text_get(&name));
            text_free(&name);
            return NULL;
        }
    }
    if (!file->within && library->reader.read) add_own_folder(library, path);
    for (uint32_t i = 0; i < file->count; i++) {
        const Class *class_ = file->stored[i].class_;
        if (found_anyway(library, outer, file, class_)) continue;
        int index = keep_package(library, (Package){.name = class_->name,
                                                    .parent = outer,
                                                    .file = file,
                                                    .class_ = class_});
        map_put(outer ? &outer->member : &library->top, class_->name, index);
    }
    return file;
}

/* ---- classes by name ---- */

static const Class *nested_class(const Class *class_, Str name) {
    if (class_->form != FORM_LONG && class_->form != FORM_EXTENDS) return NULL;
    for (uint32_t s = 0; s < class_->count; s++) {
        const Section *section = &class_->section[s];
        for (uint32_t i = 0; section->kind <= SECTION_PROTECTED && i < section->count;
             i++) {
            const Element *element = section->element[i];
            if (element->kind == ELEMENT_CLASS && element->class_->name == name)
                return element->class_;
        }
    }
    return NULL;
}

typedef struct Nearest {
    Library *library;
    Suggest  suggest;
} Nearest;

static void consider(void *context, Str name) {
    Nearest *nearest = context;
    suggest_candidate(&nearest->suggest, name_of(nearest->library->session, name));
}

static void not_found(Library *library, const char *name, const char *part,
                      Package *package, const Class *class_) {
    Nearest nearest = {.library = library, .suggest = suggest_start(part)};
    if (package) library_each_member(library, package, consider, &nearest);
    for (uint32_t s = 0; class_ && class_->form == FORM_LONG && s < class_->count; s++) {
        const Section *section = &class_->section[s];
        for (uint32_t i = 0; section->kind <= SECTION_PROTECTED && i < section->count;
             i++)
            if (section->element[i]->kind == ELEMENT_CLASS)
                consider(&nearest, section->element[i]->class_->name);
    }
    if (!class_)
        diag_report(
            &library->session->diag, 0, CODE_S105,
            "no class '%s': no library has '%s'; name its folder with --library or "
            "MODELICAPATH",
            name, part);
    else if (nearest.suggest.best)
        diag_report(&library->session->diag, 0, CODE_S105,
                    "no class '%s': there is no '%s'; did you mean '%s'?", name, part,
                    nearest.suggest.best);
    else
        diag_report(&library->session->diag, 0, CODE_S105,
                    "no class '%s': there is no '%s'", name, part);
}

/* Length of the first identifier of a dotted name, quoted ones as a whole. */
static size_t identifier_length(const char *text) {
    if (*text != '\'') return strcspn(text, ".");
    size_t n = 1;
    while (text[n] && text[n] != '\'') n += text[n] == '\\' && text[n + 1] ? 2 : 1;
    return n + (text[n] == '\'');
}

const Class *library_class(Library *library, const char *name) {
    Package     *package = NULL;
    const Class *class_ = NULL;
    for (const char *c = name;;) {
        size_t       length = identifier_length(c);
        Str          part = str_intern(&library->session->strings, c, length);
        const Class *nested = class_ ? nested_class(class_, part) : NULL;
        Package     *member = nested ? NULL
                              : class_
                                  ? (package ? library_member(library, package, part) : NULL)
                                  : library_top(library, part, NULL);
        if (!nested && (!member || !member->class_)) {
            if (!member)
                not_found(library, name, name_of(library->session, part), package,
                          class_);
            return NULL;
        }
        package = member;
        class_ = nested ? nested : member->class_;
        c += length;
        if (*c != '.') break;
        c++;
    }
    return class_;
}
