/* SPDX-License-Identifier: Apache-2.0 */
/* ccode.c -- C code of Modelica libraries: compiled at first use, kept, loaded.
 *
 * Sources become a shared object through the C compiler of the machine, without a shell, each file on its
 * own so that all processors work. It is kept in the cache under a hash of the compiler's options and of
 * path, size and time of change (which no program can set) of every file and library named, and moved
 * there atomically, so that runs side by side do not disturb each other. What the text includes is known to the compiler alone: its list
 * of dependencies is kept beside the object with their stamps, and an object with another input is
 * made again. ModelicaUtilities.h is ours and lies in the cache. */
#define _GNU_SOURCE
#include "code/ccode.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Linked lazily, whatever the machine's compiler does by itself: see lacking.c. */
static char *const flags[] = {"-O2",         "-fPIC",         "-w",
                              "-Wl,-z,lazy", "-D_GNU_SOURCE", "-DHAVE_UNISTD_H=1"};

/* ---- what is compiled ------------------------------------------------------------------------- */

static void add(CCode *code, const char *option, const char *value) {
    Text text = {0};
    text_printf(&text, "%s%s", option, value);
    code->failed |= text.failed || code->count == (int)LENGTH(code->item);
    char *copy = code->failed ? NULL : mem_string(text_get(&text));
    code->failed |= !copy;
    if (copy) {
        code->key = hash_mix(code->key ^ hash_bytes(text.data, text.length));
        code->item[code->count++] = copy;
    }
    text_free(&text);
}

static uint64_t stamp_of(const char *path, const struct stat *info) {
    uint64_t change =
        (uint64_t)info->st_ctim.tv_sec * 1000000000u + (uint64_t)info->st_ctim.tv_nsec;
    uint64_t key = hash_mix(hash_bytes(path, strlen(path)));
    return hash_mix(hash_mix(key ^ (uint64_t)info->st_size) ^ change);
}

/* False: there is no such file. */
static bool add_stamp(CCode *code, const char *path) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    code->key = hash_mix(code->key ^ stamp_of(path, &info));
    return true;
}

/* ---- libraries -------------------------------------------------------------------------------- */

#if defined(__aarch64__)
static const char platform[] = "aarch64-linux";
#elif defined(__x86_64__)
static const char platform[] = "linux64";
#else
static const char platform[] = "linux32";
#endif

/* Searched when linking and when loading. */
static void search_in(CCode *code, const char *folder) {
    struct stat info;
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) return;
    add(code, "-L", folder);
    add(code, "-Wl,-rpath,", folder);
}

/* The folder of the platform before the folder itself (Modelica 3.6, 12.9.4). */
void ccode_library_in(CCode *code, const char *folder) {
    Text own = {0};
    text_printf(&own, "%s/%s", folder, platform);
    code->failed |= own.failed;
    if (!own.failed) search_in(code, text_get(&own));
    search_in(code, folder);
    text_free(&own);
}

/* A name, or the path of a file; what is linked counts with its stamp. */
void ccode_library(CCode *code, const char *name) {
    static const char *const ending[] = {"so", "a"};
    const char              *slash = strrchr(name, '/');
    if (slash) {
        Text folder = {0};
        text_bytes(&folder, name, (size_t)(slash - name));
        add_stamp(code, name);
        add(code, "", name);
        add(code, "-Wl,-rpath,", text_get(&folder));
        text_free(&folder);
        return;
    }
    for (int i = 0; i < code->count; i++)
        for (int k = 0; k < LENGTH(ending) && !strncmp(code->item[i], "-L", 2); k++) {
            Text path = {0};
            text_printf(&path, "%s/lib%s.%s", code->item[i] + 2, name, ending[k]);
            add_stamp(code, text_get(&path));
            text_free(&path);
        }
    add(code, "-l", name);
}

static void add_file(CCode *code, const char *path, const struct stat *info,
                     bool sources) {
    size_t n = strlen(path);
    code->key = hash_mix(code->key ^ stamp_of(path, info));
    bool source = sources && n > 2 && strcmp(path + n - 2, ".c") == 0;
    if (source) add(code, "", path);
    code->several |= source;
}

/* Sources of another project that are shipped in a folder of their own, such as zlib: what uses it asks for
 * HAVE_ZLIB, as its configuration would define it. */
static void announce(CCode *code, const char *folder) {
    Text        text = {0};
    const char *name = strrchr(folder, '/');
    text_add(&text, "HAVE_");
    for (name = name ? name + 1 : folder; *name; name++)
        text_char(&text, isalnum((unsigned char)*name) ? (char)toupper(*name) : '_');
    text_add(&text, "=1");
    code->failed |= text.failed;
    add(code, "-D", text_get(&text));
    text_free(&text);
}

/* Headers are found in the folder; sources are compiled if wanted, also of folders below. */
static void add_folder(CCode *code, const char *folder, bool sources, bool below) {
    struct dirent **list;
    int             n = scandir(folder, &list, NULL, alphasort);
    code->failed |= n < 0 && errno == ENOMEM;
    add(code, "-I", folder);
    for (int i = 0; i < n; i++) {
        Text        path = {0};
        struct stat info;
        text_printf(&path, "%s/%s", folder, list[i]->d_name);
        code->failed |= path.failed;
        bool there = !path.failed && stat(text_get(&path), &info) == 0;
        if (there && S_ISREG(info.st_mode))
            add_file(code, text_get(&path), &info, sources);
        if (there && S_ISDIR(info.st_mode) && below && list[i]->d_name[0] != '.') {
            announce(code, text_get(&path));
            add_folder(code, text_get(&path), sources, false);
        }
        text_free(&path);
        free(list[i]);
    }
    if (n >= 0) free(list);
}

void ccode_sources(CCode *code, const char *folder) {
    add_folder(code, folder, true, true);
}

void ccode_include_in(CCode *code, const char *folder) {
    add_folder(code, folder, false, false);
}

void ccode_free(CCode *code) {
    for (int i = 0; i < code->count; i++) mem_free(code->item[i]);
    *code = (CCode){0};
}

/* ---- the compiler ----------------------------------------------------------------------------- */

/* The first line that tells of an error, without the place where the text was kept meanwhile. */
static void first_error(const char *log, const char *source, Text *why) {
    FILE *file = fopen(log, "r");
    char  line[400];
    bool  told = false;
    while (file && !told && fgets(line, sizeof line, file)) {
        size_t n = strlen(source);
        char  *at = strncmp(line, source, n) == 0 ? strchr(line + n + 1, ' ') : line;
        told = strstr(line, "error") || strstr(line, "undefined") ||
               strstr(line, "cannot find");
        if (told && at) {
            at += strspn(at, " ");
            text_printf(why, "%.*s", (int)strcspn(at, "\n"), at);
        }
    }
    if (file) fclose(file);
    if (!told) text_add(why, "the C compiler 'cc' failed or is not installed");
}

static char *argument(const char *text) {
    return (char *)(uintptr_t)text;
}

static char *program_of(const CodeOptions *options) {
    return argument(options->compiler ? options->compiler : "cc");
}

static bool is_source(const char *item) {
    size_t n = strlen(item);
    return item[0] != '-' && n > 2 && strcmp(item + n - 2, ".c") == 0;
}

/* The folders with sources are compiled one file at a time, on all processors. */
typedef struct Unit {
    const char *source;
    off_t       bytes;
    Text        object, log;
    pid_t       child; /* 0: none */
    bool        failed;
} Unit;

static int larger_first(const void *a, const void *b) {
    const Unit *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return strcmp(x->source, y->source);
}

static bool start_unit(const CCode *code, const CodeOptions *options, Unit *unit) {
    /* The time of optimisers grows faster than the text: the largest file of the standard library, which
     * reads files, would take 8 of the 11 seconds of all. */
    enum { LARGE = 400000 }; /* bytes */
    char *argv[LENGTH(flags) + LENGTH(code->item) + 10];
    int   n = 0;
    argv[n++] = program_of(options);
    for (int i = 0; i < LENGTH(flags); i++) argv[n++] = flags[i];
    if (unit->bytes > LARGE) argv[n++] = "-Og";
    argv[n++] = "-c";
    argv[n++] = "-o";
    argv[n++] = argument(text_get(&unit->object));
    argv[n++] = argument(unit->source);
    argv[n++] = "-I";
    argv[n++] = argument(options->cache);
    for (int i = 0; i < code->count; i++)
        if (!strncmp(code->item[i], "-I", 2) || !strncmp(code->item[i], "-D", 2))
            argv[n++] = code->item[i];
    argv[n] = NULL;
    return compiler_spawn(argv, text_get(&unit->log), false, &unit->child) == 0;
}

/* The number of compilers that still run. */
static int poll_units(Unit *unit, int count) {
    int running = 0;
    for (int k = 0; k < count; k++) {
        int status = 0;
        if (!unit[k].child) continue;
        pid_t ended = waitpid(unit[k].child, &status, WNOHANG);
        if (ended == 0 || (ended < 0 && errno == EINTR)) {
            running++;
            continue;
        }
        unit[k].child = 0;
        unit[k].failed = ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    return running;
}

/* All of them, or up to the first that fails. */
static bool run_units(const CCode *code, const CodeOptions *options, Unit *unit,
                      int count) {
    const struct timespec nap = {.tv_nsec = 1000000};
    const long            most = sysconf(_SC_NPROCESSORS_ONLN);
    bool                  fine = true;
    for (int next = 0, running = 0; running || (fine && next < count);) {
        if (fine && next < count && running < (most > 1 ? most : 1)) {
            fine = !unit[next].object.failed && !unit[next].log.failed &&
                   start_unit(code, options, &unit[next]);
            next++;
        } else nanosleep(&nap, NULL);
        running = poll_units(unit, next);
        for (int k = 0; k < next; k++) fine &= !unit[k].failed;
    }
    return fine;
}

static int list_units(const CCode *code, const char *stem, Unit *unit) {
    int n = 0;
    for (int i = 0; i < code->count; i++) {
        struct stat info;
        if (!is_source(code->item[i])) continue;
        unit[n] = (Unit){.source = code->item[i]};
        if (stat(unit[n].source, &info) == 0) unit[n].bytes = info.st_size;
        text_printf(&unit[n].object, "%s.%d.o", stem, n);
        text_printf(&unit[n].log, "%s.%d.log", stem, n);
        n++;
    }
    qsort(unit, (size_t)n, sizeof *unit, larger_first);
    return n;
}

/* Links the one text with the objects of the others. */
static bool link_all(const CCode *code, const CodeOptions *options, const char *source,
                     const char *object, const char *log, const char *inputs,
                     const Unit *unit, int units) {
    enum { GUARDS = 80 };
    char *argv[LENGTH(flags) + 2 * LENGTH(code->item) + GUARDS + 12];
    int   n = 0, status = 0, guards = 0;
    pid_t child;
    argv[n++] = program_of(options);
    for (int i = 0; i < LENGTH(flags); i++) argv[n++] = flags[i];
    argv[n++] = "-shared";
    argv[n++] = "-o";
    argv[n++] = argument(object);
    argv[n++] = argument(source);
    argv[n++] = "-I";
    argv[n++] = argument(options->cache);
    if (!code->several) {
        argv[n++] = "-MD";
        argv[n++] = "-MF";
        argv[n++] = argument(inputs);
    }
    for (int k = 0; k < units; k++) argv[n++] = argument(text_get(&unit[k].object));
    for (int i = 0; i < code->count; i++)
        if (!is_source(code->item[i])) argv[n++] = code->item[i];
    for (; guards < GUARDS && guard_flags[guards]; guards++)
        argv[n++] = argument(guard_flags[guards]);
    assert(!guard_flags[guards]); /* every one of them is passed on */
    argv[n++] = "-lm";
    argv[n] = NULL;
    if (compiler_spawn(argv, log, false, &child) != 0) return false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool compile(const CCode *code, const CodeOptions *options, const char *source,
                    const char *object, const char *log, const char *inputs) {
    Unit *unit = mem_take(LENGTH(code->item), sizeof *unit);
    int   n = unit ? list_units(code, object, unit) : 0;
    bool  fine = unit && run_units(code, options, unit, n) &&
                link_all(code, options, source, object, log, inputs, unit, n);
    for (int k = 0; k < n; k++) {
        if (unit[k].failed) rename(text_get(&unit[k].log), log);
        unlink(text_get(&unit[k].object));
        unlink(text_get(&unit[k].log));
        TEXT_FREE(&unit[k].object, &unit[k].log);
    }
    mem_free(unit);
    return fine;
}

static bool write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    bool  fine = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && fine;
}

/* A name that no other thread or process uses: an empty file is there until it is removed. */
static bool own_name(Text *path, const char *object) {
    text_printf(path, "%s.XXXXXX", object);
    int file = path->failed ? -1 : mkostemp(path->data, O_CLOEXEC);
    return file >= 0 && close(file) == 0;
}

/* ---- what was included ------------------------------------------------------------------------ */

/* The next file of a list of dependencies in the syntax of make; false at the end. */
static bool next_input(const char **at, Text *path) {
    const char *c = *at + strspn(*at, " \t\n");
    text_clear(path);
    while (*c == '\\' && c[1] == '\n') c += 2, c += strspn(c, " \t\n");
    for (; *c && !strchr(" \t\n", *c); c++) {
        if (*c == '\\' && c[1] == '\n') break;
        if (*c == '\\' && (c[1] == ' ' || c[1] == '#')) c++;
        if (*c == '$' && c[1] == '$') c++;
        text_char(path, *c);
    }
    *at = c;
    return path->length > 0;
}

/* The stamps of all files in the list, but for the text itself, which is gone after compiling. */
static uint64_t inputs_stamp(const char *list, const char *object) {
    const char *at = strchr(list, ':');
    Text        path = {0};
    uint64_t    key = 1;
    for (at = at ? at + 1 : list; next_input(&at, &path);) {
        struct stat info;
        if (strncmp(text_get(&path), object, strlen(object)) == 0) continue;
        bool there = stat(text_get(&path), &info) == 0;
        key = hash_mix(key ^ (there ? stamp_of(text_get(&path), &info) : 0));
    }
    text_free(&path);
    return key;
}

static bool read_text(const char *path, Text *text) {
    FILE  *file = fopen(path, "r");
    char   part[4096];
    size_t n;
    while (file && (n = fread(part, 1, sizeof part, file)) > 0) text_bytes(text, part, n);
    if (file) fclose(file);
    return file && !text->failed;
}

/* OBJECT.d: the stamp of the inputs, then the list of the compiler. */
static bool inputs_hold(const CCode *code, const char *object) {
    Text  name = {0}, text = {0};
    char *end = NULL;
    if (code->several) return true; /* all of their folders is in the key */
    text_printf(&name, "%s.d", object);
    bool same = read_text(text_get(&name), &text) &&
                strtoull(text_get(&text), &end, 16) == inputs_stamp(end, object);
    TEXT_FREE(&name, &text);
    return same;
}

static void keep_inputs(const char *list, const char *object) {
    Text text = {0}, kept = {0}, name = {0};
    if (read_text(list, &text)) {
        text_printf(&kept, "%016llx ",
                    (unsigned long long)inputs_stamp(text_get(&text), object));
        text_bytes(&kept, text_get(&text), text.length);
        text_printf(&name, "%s.d", object);
        if (!kept.failed && !name.failed && write_text(list, text_get(&kept)))
            rename(list, text_get(&name));
    }
    TEXT_FREE(&text, &kept, &name);
}

/* ---- the object ------------------------------------------------------------------------------- */

/* Found by every text, after a copy that lies beside the file that includes it. */
static void write_utilities(const CodeOptions *options, const char *spare) {
    Text path = {0};
    text_printf(&path, "%s/ModelicaUtilities.h", options->cache);
    if (!path.failed && write_text(spare, host_utilities)) rename(spare, text_get(&path));
    text_free(&path);
}

/* Compiles beside the place where the object will be, then moves it there. */
static void make_object(const CCode *code, const CodeOptions *options, const char *text,
                        const char *object, Text *why) {
    Text partial = {0}, source = {0}, log = {0}, inputs = {0};
    mkdir(options->cache, 0700);
    bool own = own_name(&partial, object);
    text_printf(&source, "%s.c", text_get(&partial));
    text_printf(&log, "%s.log", text_get(&partial));
    text_printf(&inputs, "%s.d", text_get(&partial));
    if (own) write_utilities(options, text_get(&inputs));
    if (!own || !write_text(text_get(&source), text))
        text_printf(why, "'%s' cannot be written: %s", text_get(&source),
                    strerror(errno));
    else if (compile(code, options, text_get(&source), text_get(&partial), text_get(&log),
                     text_get(&inputs))) {
        if (!code->several) keep_inputs(text_get(&inputs), object);
        if (seal_add(text_get(&partial))) rename(text_get(&partial), object);
    } else first_error(text_get(&log), text_get(&source), why);
    unlink(text_get(&source));
    unlink(text_get(&log));
    unlink(text_get(&inputs));
    unlink(text_get(&partial));
    TEXT_FREE(&partial, &source, &log, &inputs);
}

/* Makes the object unless it is there already. Processes that start together would all compile the
 * same text: one of them does it, the others wait for its lock. */
static void want_object(const CCode *code, const CodeOptions *options, const char *text,
                        const char *object, Text *why) {
    Text path = {0};
    if (inputs_hold(code, object) && seal_holds(object)) return;
    text_printf(&path, "%s.lock", object);
    int lock =
        path.failed ? -1 : open(text_get(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock >= 0) flock(lock, LOCK_EX); /* without it there is only more work */
    if (!inputs_hold(code, object) || !seal_holds(object))
        make_object(code, options, text, object, why);
    if (lock >= 0) unlink(text_get(&path)), close(lock);
    text_free(&path);
}

void *ccode_load(const CCode *code, const char *text, const CodeOptions *options,
                 Text *why) {
    Text     object = {0};
    uint64_t key = hash_mix(code->key ^ hash_bytes(text, strlen(text)));
    for (int i = 0; i < LENGTH(flags); i++)
        key = hash_mix(key ^ hash_bytes(flags[i], strlen(flags[i])));
    if (!options->cache) {
        text_add(why, "there is no folder for compiled code");
        return NULL;
    }
    text_printf(&object, "%s/%016llx.so", options->cache, (unsigned long long)key);
    if (code->failed || object.failed) {
        text_add(why, "there is no memory for the names of its sources");
        text_free(&object);
        return NULL;
    }
    want_object(code, options, text, text_get(&object), why);
    void *handle = why->length ? NULL : host_open(text_get(&object), why);
    text_free(&object);
    return handle;
}
