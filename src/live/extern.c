/* SPDX-License-Identifier: Apache-2.0 */
/* extern.c -- external functions: where their code is, guarded calls, objects.
 *
 * The C sources that a Modelica library ships (Resources/C-Sources) are one shared object; code
 * given by annotations is one for all functions with the same annotations. With each goes a small
 * file of ours that gives the functions of ModelicaUtilities and passes them on to the calling
 * instance. A reported error must not return to the external code: it jumps to the one setjmp
 * around the call and becomes a fault.
 *
 * An object lives from its constructor to the end of the instance, however that ends; one that a
 * function made for itself to the end of that call. */
#define _GNU_SOURCE
#include "live/ccode.h"
#include "live/live.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the functions of ModelicaUtilities --------------------------------------------------------- */

typedef struct Host { /* as declared in the text below */
    void (*error)(struct Host *host, const char *text);
    void (*message)(struct Host *host, const char *text);
    void *(*take)(struct Host *host, size_t bytes); /* zeroed, until the call ends */
    Arena  *arena;                                  /* of take */
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
    "    return host ? host->take(host, n + 1) : calloc(n + 1, 1);\n}\n"
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

/* ---- where the code is ------------------------------------------------------------------------ */

void *extern_library(const char *folder, Text *why) {
    CCode code = {0};
    ccode_sources(&code, folder);
    void *handle = ccode_load(&code, utilities, why);
    ccode_free(&code);
    return handle;
}

static bool same_list(const Str *a, const Str *b) {
    if (!a || !b) return a == b;
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static bool same_code(const ExternalCall *a, const ExternalCall *b) {
    return same_list(a->include, b->include) && same_list(a->include_in, b->include_in) &&
           same_list(a->library, b->library) && same_list(a->library_in, b->library_in);
}

/* The next function from k on whose annotations are those of call. */
static int next_same(const Shapes *shapes, const ExternalCall *call, int k) {
    for (; k < shapes->functions; k++) {
        const Function *f = shapes->function[k];
        if (f && f->external && same_code(f->external, call)) break;
    }
    return k;
}

/* Functions may be static in the texts that are included, so the object tells their addresses. */
static void annotated_text(const ExternalCall *call, const Shapes *shapes, Text *out) {
    text_add(out, utilities);
    for (const Str *s = call->include; s && *s; s++)
        text_printf(out, "%s\n", str_text(shapes->strings, *s));
    Text list = {0};
    for (int k = 0; (k = next_same(shapes, call, k)) < shapes->functions; k++) {
        const char *symbol =
            str_text(shapes->strings, shapes->function[k]->external->symbol);
        if (!call->include) text_printf(out, "void %s(void);\n", symbol);
        text_printf(&list, "    case %d: return (void *)%s;\n", k, symbol);
    }
    text_printf(out,
                "void *rb_entry(int k) {\n    switch (k) {\n%s    }\n    return 0;\n}\n",
                text_get(&list));
    text_free(&list);
}

static void *annotated_code(const ExternalCall *call, const Shapes *shapes, Text *why) {
    CCode code = {0};
    Text  text = {0};
    annotated_text(call, shapes, &text);
    for (const Str *s = call->include_in; s && *s; s++)
        ccode_include_in(&code, str_text(shapes->strings, *s));
    for (const Str *s = call->directory; s && *s; s++)
        ccode_include_in(&code, str_text(shapes->strings, *s));
    for (const Str *s = call->library_in; s && *s; s++)
        ccode_library_in(&code, str_text(shapes->strings, *s));
    for (const Str *s = call->library; s && *s; s++)
        ccode_library(&code, str_text(shapes->strings, *s));
    void *handle = ccode_load(&code, text_get(&text), why);
    ccode_free(&code);
    text_free(&text);
    return handle;
}

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

/* The shared object kept under this key; fresh: it is still to be loaded. */
static Shared *find_shared(Externals *x, Str key, bool *fresh) {
    int k = 0;
    while (k < x->libraries && x->library[k].key != key) k++;
    *fresh = k == x->libraries;
    if (*fresh) {
        Shared *more = realloc(x->library, (size_t)(k + 1) * sizeof *more);
        if (!more) abort();
        x->library = more;
        x->library[x->libraries++] = (Shared){.key = key};
    }
    return &x->library[k];
}

static bool use(Externals *x, int function, const Shared *from, void *entry) {
    x->entry[function] = entry;
    x->set_host[function] = (SetHost *)(uintptr_t)dlsym(from->handle, "rb_set_host");
    return entry != NULL;
}

static bool from_sources(Externals *x, const Shapes *shapes, int function) {
    const ExternalCall *call = shapes->function[function]->external;
    bool                fresh;
    if (!call->directory || !*call->directory) return false;
    Shared *shared = find_shared(x, *call->directory, &fresh);
    if (fresh)
        shared->handle =
            extern_library(str_text(shapes->strings, *call->directory), &x->why);
    return shared->handle &&
           use(x, function, shared,
               dlsym(shared->handle, str_text(shapes->strings, call->symbol)));
}

static bool from_annotations(Externals *x, const Shapes *shapes, int function) {
    const ExternalCall *call = shapes->function[function]->external;
    bool                fresh;
    if (!call->include && !call->library) return false;
    /* numbers of names are small: the upper half counts functions */
    uint32_t first = (uint32_t)next_same(shapes, call, 0);
    Shared  *shared = find_shared(x, (Str)(UINT32_MAX - first), &fresh);
    if (fresh) {
        text_clear(&x->why);
        shared->handle = annotated_code(call, shapes, &x->why);
    }
    if (!shared->handle) return false;
    void *(*entry)(int) = NULL;
    void *at = dlsym(shared->handle, "rb_entry");
    memcpy(&entry, &at, sizeof at);
    return entry && use(x, function, shared, entry(function));
}

static bool resolve(Externals *x, const Shapes *shapes, int function) {
    const ExternalCall *call = shapes->function[function]->external;
    const char         *symbol = str_text(shapes->strings, call->symbol);
    if (!strncmp(str_text(shapes->strings, call->language), "FORTRAN", 7))
        x->entry[function] = extern_fortran(symbol);
    return x->entry[function] || from_sources(x, shapes, function) ||
           from_annotations(x, shapes, function);
}

/* True if the code of the function is there; else a fault that says why not. */
static bool find_entry(Rb *c, unsigned pos, int function) {
    Instance     *instance = c->host;
    const Shapes *shapes = instance->plan->st->sys->shapes;
    Externals    *x = &instance->externals;
    if (x->entry[function] || resolve(x, shapes, function)) return true;
    Text text = {0};
    text_printf(&text, "the external function '%s' is not available: ",
                str_text(shapes->strings, shapes->function[function]->external->symbol));
    text_add(&text, x->why.length ? text_get(&x->why)
                                  : "it is not part of an installed library "
                                    "(--trust runs it)");
    c->api->fault(c, pos, text_get(&text));
    text_free(&text);
    return false;
}

/* ---- calls ------------------------------------------------------------------------------------ */

/* Texts that the code allocates belong to host->arena. */
static bool guarded(SetHost *set, Host *host, void (*call)(void *frame), void *frame) {
    host->error = host_error;
    host->message = host_message;
    host->take = host_take;
    if (set) set(host);
    int failed = setjmp(host->back);
    if (!failed) call(frame);
    if (set) set(NULL);
    return !failed;
}

bool extern_try(void *library, Arena *arena, void (*call)(void *frame), void *frame,
                char *why) {
    Host     host = {.arena = arena};
    SetHost *set = library ? (SetHost *)(uintptr_t)dlsym(library, "rb_set_host") : NULL;
    bool     fine = guarded(set, &host, call, frame);
    if (!fine) snprintf(why, 200, "%.190s", host.text);
    return fine;
}

/* ---- objects ---------------------------------------------------------------------------------- */

/* Remembers the object that a constructor gave. */
static void own_object(Externals *x, const Function *f, void *frame) {
    double object = *(double *)((void **)frame)[f->inputs];
    if (object == 0) return;
    if (x->objects == x->room) {
        x->room = 2 * x->room + 8;
        Object *more = realloc(x->object, (size_t)x->room * sizeof *more);
        if (!more) abort();
        x->object = more;
    }
    x->object[x->objects++] = (Object){object, f->external->destructor};
}

typedef struct End { /* of an object */
    void *entry, *object;
} End;

static void end_object(void *frame) {
    End *end = frame;
    void (*destructor)(void *object) = NULL;
    memcpy(&destructor, &end->entry, sizeof destructor);
    destructor(end->object);
}

int extern_mark(Rb *c) {
    return ((Instance *)c->host)->externals.objects;
}

void extern_release(Rb *c, int mark) {
    Externals *x = &((Instance *)c->host)->externals;
    Arena      arena = {0};
    while (x->objects > mark) {
        Object one = x->object[--x->objects];
        if (!find_entry(c, 0, one.destructor)) continue;
        Host host = {.arena = &arena};
        End  end = {x->entry[one.destructor], (void *)(uintptr_t)(uint64_t)one.value};
        if (!guarded(x->set_host[one.destructor], &host, end_object, &end))
            fprintf(stderr, "warning: %s\n", host.text);
    }
    arena_free(&arena);
}

/* ---- of an instance --------------------------------------------------------------------------- */

void extern_open(Externals *x, int functions) {
    size_t n = (size_t)functions + 1;
    *x = (Externals){.entry = calloc(n, sizeof *x->entry),
                     .set_host = calloc(n, sizeof *x->set_host)};
    if (!x->entry || !x->set_host) abort();
}

void extern_close(Rb *c) {
    Externals *x = &((Instance *)c->host)->externals;
    extern_release(c, 0);
    for (int k = 0; k < x->libraries; k++)
        if (x->library[k].handle) dlclose(x->library[k].handle);
    text_free(&x->why);
    free(x->library);
    free(x->object);
    free(x->entry);
    free(x->set_host);
    *x = (Externals){0};
}

typedef struct Generated { /* a call that generated code makes */
    Rb *c;
    void (*call)(Rb *c, void *frame);
    void *frame;
} Generated;

static void run_generated(void *frame) {
    Generated *g = frame;
    g->call(g->c, g->frame);
}

int extern_guard(Rb *c, unsigned pos, int function, void (*call)(Rb *c, void *frame),
                 void *frame) {
    Instance       *instance = c->host;
    const Function *f = instance->plan->st->sys->shapes->function[function];
    Externals      *x = &instance->externals;
    Arena           arena = {0};
    Host            host = {.arena = &arena};
    Generated       generated = {c, call, frame};
    if (!find_entry(c, pos, function)) return 1;
    bool fine = guarded(x->set_host[function], &host, run_generated, &generated);
    if (!fine) c->api->fault(c, pos, host.text);
    else if (f->external->destructor >= 0) own_object(x, f, frame);
    arena_free(&arena);
    return !fine;
}
