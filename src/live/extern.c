/* SPDX-License-Identifier: Apache-2.0 */
/* extern.c -- external functions: libraries compiled at first use and loaded; guarded calls.
 *
 * The C sources that a Modelica library ships (Resources/C-Sources) are compiled by the C compiler
 * of the machine into one shared object, kept in the cache under a hash of names, sizes and times
 * and moved there atomically. With them goes a small file of ours that gives the functions of
 * ModelicaUtilities and passes them on to the calling instance. A reported error must not return
 * to the external code: it jumps to the one setjmp around the call and becomes a fault. */
#define _GNU_SOURCE
#include "live/live.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- the functions of ModelicaUtilities --------------------------------------------------------- */

typedef struct Host { /* as declared in the text below */
    void (*error)(struct Host *host, const char *text);
    void (*message)(struct Host *host, const char *text);
    void *(*take)(struct Host *host, size_t bytes); /* zeroed memory; NULL: calloc */
    Arena  *arena;                                  /* of take                     */
    jmp_buf back;
    char    text[400];
} Host;

static const char utilities[] =
    "#include <stdarg.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "typedef struct Host Host;\n"
    "struct Host {\n    void (*error)(Host *, const char *);\n"
    "    void (*message)(Host *, const char *);\n"
    "    void *(*take)(Host *, size_t);\n};\n"
    "static _Thread_local Host *host;\n"
    "void rb_set_host(void *h) { host = h; }\n"
    "void ModelicaError(const char *s) { if (host) host->error(host, s); abort(); }\n"
    "void ModelicaMessage(const char *s) { if (host) host->message(host, s); }\n"
    "void ModelicaWarning(const char *s) { ModelicaMessage(s); }\n"
    "void ModelicaVFormatError(const char *f, va_list a) {\n"
    "    char s[400]; vsnprintf(s, sizeof s, f, a); ModelicaError(s);\n}\n"
    "void ModelicaVFormatMessage(const char *f, va_list a) {\n"
    "    char s[400]; vsnprintf(s, sizeof s, f, a); ModelicaMessage(s);\n}\n"
    "void ModelicaVFormatWarning(const char *f, va_list a) { ModelicaVFormatMessage(f, "
    "a); }\n"
    "#define PASS(name) void Modelica##name(const char *f, ...) {\\\n"
    "    va_list a; va_start(a, f); ModelicaV##name(f, a); va_end(a); }\n"
    "PASS(FormatError)\nPASS(FormatMessage)\nPASS(FormatWarning)\n"
    "char *ModelicaAllocateStringWithErrorReturn(size_t n) {\n"
    "    return host && host->take ? host->take(host, n + 1) : calloc(n + 1, 1);\n}\n"
    "char *ModelicaAllocateString(size_t n) {\n"
    "    char *s = ModelicaAllocateStringWithErrorReturn(n);\n"
    "    if (!s) ModelicaError(\"no memory\");\n    return s;\n}\n"
    "char *ModelicaDuplicateStringWithErrorReturn(const char *t) {\n"
    "    char *s = ModelicaAllocateStringWithErrorReturn(strlen(t));\n"
    "    return s ? strcpy(s, t) : s;\n}\n"
    "char *ModelicaDuplicateString(const char *t) {\n"
    "    return strcpy(ModelicaAllocateString(strlen(t)), t);\n}\n";

static void host_error(Host *host, const char *text) {
    size_t n = strlen(text);
    snprintf(host->text, sizeof host->text, "%s", text);
    if (n && n < sizeof host->text && host->text[n - 1] == '\n') host->text[n - 1] = 0;
    longjmp(host->back, 1);
}

static void *host_take(Host *host, size_t bytes) {
    return arena_take(host->arena, 1, bytes);
}

static void host_message(Host *host, const char *text) {
    (void)host;
    fputs(text, stderr);
}

/* ---- libraries ----------------------------------------------------------------------------------- */

typedef struct Names {
    char *item[400]; /* C sources                              */
    int   count;
    char *folder[16]; /* folders below, as -I options           */
    int   folders;
} Names;

static void add_sources(Names *names, const char *folder, uint64_t *key, bool below);

static void add_folder(Names *names, const char *path, uint64_t *key) {
    Text option = {0};
    if (names->folders == (int)LENGTH(names->folder)) return;
    text_printf(&option, "-I%s", path);
    names->folder[names->folders++] = strdup(text_get(&option));
    text_free(&option);
    add_sources(names, path, key, false);
}

/* The sources of a folder and of the folders directly below it. */
static void add_sources(Names *names, const char *folder, uint64_t *key, bool below) {
    struct dirent **list;
    int             n = scandir(folder, &list, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        size_t length = strlen(list[i]->d_name);
        Text   path = {0};
        text_printf(&path, "%s/%s", folder, list[i]->d_name);
        struct stat info;
        bool        known = stat(text_get(&path), &info) == 0 && S_ISREG(info.st_mode);
        if (below && !known && list[i]->d_name[0] != '.' && S_ISDIR(info.st_mode))
            add_folder(names, text_get(&path), key);
        if (known) {
            const char *t = text_get(&path);
            *key = hash_mix(*key ^ hash_bytes(t, strlen(t)));
            *key = hash_mix(*key ^ (uint64_t)info.st_size);
            *key = hash_mix(*key ^ (uint64_t)info.st_mtime);
        }
        if (known && length > 2 && !strcmp(list[i]->d_name + length - 2, ".c") &&
            names->count < (int)LENGTH(names->item))
            names->item[names->count++] = strdup(text_get(&path));
        text_free(&path);
        free(list[i]);
    }
    if (n >= 0) free(list);
}

static bool run_compiler(const Names *names, const char *folder, const char *extra,
                         const char *object) {
    Text  here = {0};
    char *argv[LENGTH(names->item) + LENGTH(names->folder) + 20];
    int   n = 0, status = 0;
    pid_t child;
    char *fixed[] = {
        "cc", "-O2", "-fPIC", "-shared", "-w", "-D_GNU_SOURCE", "-DHAVE_UNISTD_H=1"};
    text_printf(&here, "-I%s", folder);
    for (int i = 0; i < (int)LENGTH(fixed); i++) argv[n++] = fixed[i];
    argv[n++] = (char *)(uintptr_t)text_get(&here);
    for (int i = 0; i < names->folders; i++) argv[n++] = names->folder[i];
    argv[n++] = "-o";
    argv[n++] = (char *)(uintptr_t)object;
    argv[n++] = (char *)(uintptr_t)extra;
    for (int i = 0; i < names->count; i++) argv[n++] = names->item[i];
    argv[n++] = "-lm";
    argv[n] = NULL;
    posix_spawn_file_actions_t quiet; /* warnings about a library help nobody here */
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool fine = posix_spawnp(&child, argv[0], &quiet, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&quiet);
    if (fine) {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    text_free(&here);
    return fine;
}

static void cache_folder(Text *out) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache) text_printf(out, "%s", cache);
    else text_printf(out, "%s/.cache", home ? home : "/tmp");
    mkdir(text_get(out), 0700);
    text_add(out, "/rubato");
    mkdir(text_get(out), 0700);
}

/* The shared object of a folder of C sources, compiled if it is not in the cache. */
/* The shared object of `source` and of what names lists, made if the cache has none. */
static void *build(const Names *names, const char *folder, const char *source,
                   uint64_t key) {
    Text object = {0}, partial = {0}, extra = {0};
    key = hash_mix(key ^ hash_bytes(source, strlen(source)));
    cache_folder(&object);
    text_printf(&partial, "%s/%016llx.%ld", text_get(&object), (unsigned long long)key,
                (long)getpid());
    text_printf(&extra, "%s.c", text_get(&partial));
    text_printf(&object, "/%016llx.so", (unsigned long long)key);
    if (access(text_get(&object), R_OK) != 0) {
        FILE *file = fopen(text_get(&extra), "w");
        bool  fine = file && fputs(source, file) >= 0;
        if (file) fine = fclose(file) == 0 && fine;
        if (fine && run_compiler(names, folder, text_get(&extra), text_get(&partial)))
            rename(text_get(&partial), text_get(&object));
        unlink(text_get(&extra));
        unlink(text_get(&partial));
    }
    void *handle = dlopen(text_get(&object), RTLD_LAZY | RTLD_LOCAL);
    text_free(&object);
    text_free(&partial);
    text_free(&extra);
    return handle;
}

static void names_free(Names *names) {
    for (int i = 0; i < names->count; i++) free(names->item[i]);
    for (int i = 0; i < names->folders; i++) free(names->folder[i]);
}

void *extern_library(const char *folder) {
    Names    names = {.count = 0};
    uint64_t key = 0;
    add_sources(&names, folder, &key, true);
    void *handle = build(&names, folder, utilities, key);
    names_free(&names);
    return handle;
}

static void add_option(Names *names, const char *option, const char *value,
                       uint64_t *key) {
    Text text = {0};
    if (names->count == (int)LENGTH(names->item)) return;
    text_printf(&text, "%s%s", option, value);
    *key = hash_mix(*key ^ hash_bytes(text.data, text.length));
    names->item[names->count++] = strdup(text_get(&text));
    text_free(&text);
}

/* Code that the annotations of a function give: texts to include and libraries to link. The function
 * may be static there, so that the object offers its address. */
static void *annotated_code(const ExternalCall *call, const Shapes *shapes) {
    Names       names = {.count = 0};
    uint64_t    key = 1;
    Text        source = {0};
    const char *symbol = str_text(shapes->strings, call->symbol);
    text_add(&source, utilities);
    for (const Str *s = call->include; s && *s; s++)
        text_printf(&source, "%s\n", str_text(shapes->strings, *s));
    if (!call->include) text_printf(&source, "void %s(void);\n", symbol);
    text_printf(&source, "void *rb_entry(void) { return (void *)%s; }\n", symbol);
    for (const Str *s = call->include_in; s && *s; s++)
        add_option(&names, "-I", str_text(shapes->strings, *s), &key);
    for (const Str *s = call->library_in; s && *s; s++)
        add_option(&names, "-L", str_text(shapes->strings, *s), &key);
    for (const Str *s = call->library; s && *s; s++)
        add_option(&names, "-l", str_text(shapes->strings, *s), &key);
    const char *here = call->directory && *call->directory
                           ? str_text(shapes->strings, *call->directory)
                           : ".";
    void       *handle = build(&names, here, text_get(&source), key);
    names_free(&names);
    text_free(&source);
    return handle;
}

/* ---- calls ------------------------------------------------------------------------------------------ */

/* LAPACK reports a wrong argument here and in its result info. Its own version of this ends the
 * process; ours leaves the matter to whoever reads info. */
void xerbla_(const char *name, const int *argument, size_t length);
void xerbla_(const char *name, const int *argument, size_t length) {
    (void)name;
    (void)argument;
    (void)length;
}

/* LAPACK is linked to this program. */
void *extern_fortran(const char *symbol) {
    char  name[64];
    void *found = NULL;
    if (snprintf(name, sizeof name, "%s_", symbol) < (int)sizeof name)
        found = dlsym(RTLD_DEFAULT, name);
    return found;
}

/* The shared object kept under this key, NULL if there is none yet. */
static void **find_handle(Externals *x, Str key, bool *fresh) {
    int k = 0;
    while (k < x->libraries && x->folder[k] != key) k++;
    *fresh = k == x->libraries;
    if (k == (int)LENGTH(x->folder)) return NULL;
    if (*fresh) x->folder[x->libraries++] = key;
    return &x->handle[k];
}

static bool from_sources(Externals *x, const Shapes *shapes, int function) {
    const ExternalCall *call = shapes->function[function]->external;
    bool                fresh;
    if (!call->directory || !*call->directory) return false;
    void **handle = find_handle(x, *call->directory, &fresh);
    if (handle && fresh)
        *handle = extern_library(str_text(shapes->strings, *call->directory));
    if (!handle || !*handle) return false;
    x->entry[function] = dlsym(*handle, str_text(shapes->strings, call->symbol));
    x->set_host[function] = (SetHost *)(uintptr_t)dlsym(*handle, "rb_set_host");
    return x->entry[function] != NULL;
}

static bool from_annotations(Externals *x, const Shapes *shapes, int function) {
    const ExternalCall *call = shapes->function[function]->external;
    bool                fresh;
    if (!call->include && !call->library) return false;
    /* numbers of names are small: the upper half counts functions */
    void **handle = find_handle(x, (Str)(UINT32_MAX - (uint32_t)function), &fresh);
    if (handle && fresh) *handle = annotated_code(call, shapes);
    if (!handle || !*handle) return false;
    void *(*entry)(void) = NULL;
    void *at = dlsym(*handle, "rb_entry");
    memcpy(&entry, &at, sizeof at);
    x->entry[function] = entry ? entry() : NULL;
    x->set_host[function] = (SetHost *)(uintptr_t)dlsym(*handle, "rb_set_host");
    return x->entry[function] != NULL;
}

static bool resolve(Externals *x, const Shapes *shapes, int function) {
    const ExternalCall *call = shapes->function[function]->external;
    const char         *symbol = str_text(shapes->strings, call->symbol);
    if (!strncmp(str_text(shapes->strings, call->language), "FORTRAN", 7))
        x->entry[function] = extern_fortran(symbol);
    return x->entry[function] || from_sources(x, shapes, function) ||
           from_annotations(x, shapes, function);
}

void extern_open(Externals *x, int functions) {
    size_t n = (size_t)functions + 1;
    *x = (Externals){.entry = calloc(n, sizeof *x->entry),
                     .set_host = calloc(n, sizeof *x->set_host)};
    if (!x->entry || !x->set_host) abort();
}

void extern_close(Externals *x) {
    for (int k = 0; k < x->libraries; k++)
        if (x->handle[k]) dlclose(x->handle[k]);
    free(x->entry);
    free(x->set_host);
    *x = (Externals){0};
}

int extern_guard(Rb *c, unsigned pos, int function, void (*call)(Rb *c, void *frame),
                 void *frame) {
    Instance     *instance = c->host;
    const Shapes *shapes = instance->plan->st->sys->shapes;
    Externals    *x = &instance->externals;
    Host          host = {.error = host_error, .message = host_message};
    if (!x->entry[function] && !resolve(x, shapes, function)) {
        Text text = {0};
        text_printf(
            &text,
            "the external function '%s' is not available: it is not part of an installed "
            "library "
            "(--trust runs it), or its code does not compile",
            str_text(shapes->strings, shapes->function[function]->external->symbol));
        c->api->fault(c, pos, text_get(&text));
        text_free(&text);
        return 1;
    }
    if (x->set_host[function]) x->set_host[function](&host);
    int failed = setjmp(host.back);
    if (!failed) call(c, frame);
    if (x->set_host[function]) x->set_host[function](NULL);
    if (failed) c->api->fault(c, pos, host.text);
    return failed;
}

bool extern_try(void *library, Arena *arena, void (*call)(void *frame), void *frame,
                char *why) {
    Host host = {
        .error = host_error, .message = host_message, .take = host_take, .arena = arena};
    SetHost *set = library ? (SetHost *)(uintptr_t)dlsym(library, "rb_set_host") : NULL;
    if (set) set(&host);
    int failed = setjmp(host.back);
    if (!failed) call(frame);
    if (set) set(NULL);
    if (failed) snprintf(why, 200, "%.190s", host.text);
    return !failed;
}
