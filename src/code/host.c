/* SPDX-License-Identifier: Apache-2.0 */
/* host.c -- calls of external code: what it reports becomes a value.
 *
 * With every shared object of external code goes a small text of ours that gives the functions of
 * ModelicaUtilities and passes them on to whoever calls on this thread. A reported error must not
 * return to the external code: it jumps to the one setjmp around the call. */
#define _GNU_SOURCE
#include "code/ccode.h"
#include "code/code.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct Host { /* as declared in the text below */
    void (*error)(struct Host *host, const char *text);
    void (*message)(struct Host *host, const char *text);
    void *(*take)(struct Host *host, size_t bytes); /* zeroed, until the call ends */
    int (*may)(struct Host *host, const char *name, int read); /* see guard.c */
    HostCall *call;
    jmp_buf   back;
} Host;

static const char host_text[] =
    "#include <stdarg.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "typedef struct Host Host;\n"
    "struct Host {\n    void (*error)(Host *, const char *);\n"
    "    void (*message)(Host *, const char *);\n"
    "    void *(*take)(Host *, size_t);\n"
    "    int (*may)(Host *, const char *, int);\n};\n"
    "static _Thread_local Host *host;\n"
    "void (*rb_also[4])(void *); /* of objects that complete this one */\n"
    "void rb_set_host(void *h) {\n    host = h;\n"
    "    for (int k = 0; k < 4 && rb_also[k]; k++) rb_also[k](h);\n}\n"
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

const char host_utilities[] =
    "/* ModelicaUtilities.h -- functions that a Modelica tool gives to external C code. "
    "*/\n"
    "#ifndef MODELICA_UTILITIES_H\n#define MODELICA_UTILITIES_H\n"
    "#include <stdarg.h>\n#include <stddef.h>\n"
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
    "#if defined(__GNUC__)\n#define MODELICA_NORETURNATTR __attribute__((noreturn))\n"
    "#else\n#define MODELICA_NORETURNATTR\n#endif\n#define MODELICA_NORETURN\n"
    "#define MODELICA_FORMATATTR_PRINTF\n#define MODELICA_FORMATATTR_VPRINTF\n"
    "void ModelicaMessage(const char *string);\n"
    "void ModelicaFormatMessage(const char *format, ...);\n"
    "void ModelicaVFormatMessage(const char *format, va_list args);\n"
    "void ModelicaWarning(const char *string);\n"
    "void ModelicaFormatWarning(const char *format, ...);\n"
    "void ModelicaVFormatWarning(const char *format, va_list args);\n"
    "void ModelicaError(const char *string) MODELICA_NORETURNATTR;\n"
    "void ModelicaFormatError(const char *format, ...) MODELICA_NORETURNATTR;\n"
    "void ModelicaVFormatError(const char *format, va_list args) MODELICA_NORETURNATTR;\n"
    "char *ModelicaAllocateString(size_t length);\n"
    "char *ModelicaAllocateStringWithErrorReturn(size_t length);\n"
    "char *ModelicaDuplicateString(const char *string);\n"
    "char *ModelicaDuplicateStringWithErrorReturn(const char *string);\n"
    "#ifdef __cplusplus\n}\n#endif\n#endif\n";

void host_begin(Text *text) {
    text_add(text, host_text);
    text_add(text, guard_text);
    text_add(text, lacking_text);
}

void *host_symbol(void *library, const char *name, bool trust, Text *why) {
    Dl_info own, found;
    void   *at = dlsym(library, name), *mark = dlsym(library, "rb_set_host");
    bool    inside = at && mark && dladdr(at, &found) && dladdr(mark, &own) &&
                  found.dli_fbase == own.dli_fbase;
    if (at && !inside && !trust)
        text_printf(why, "'%s' is a function of the system (--trust allows it)", name);
    return inside || trust ? at : NULL;
}

static void on_error(Host *host, const char *text) {
    char  *why = host->call->why;
    size_t n = strlen(text);
    snprintf(why, sizeof host->call->why, "%s", text);
    if (n && n < sizeof host->call->why && why[n - 1] == '\n') why[n - 1] = 0;
    longjmp(host->back, 1);
}

static void on_message(Host *host, const char *text) {
    if (host->call->message) host->call->message(host->call->owner, text);
}

static void *on_take(Host *host, size_t bytes) {
    return arena_take(host->call->arena, 1, bytes);
}

static int on_may(Host *host, const char *name, int read) {
    const HostCall *call = host->call;
    return call->trust || (read && call->may_read && call->may_read(call->owner, name));
}

bool host_run(HostCall *call, void (*run)(void *frame), void *frame) {
    Host host = {.error = on_error,
                 .message = on_message,
                 .take = on_take,
                 .may = on_may,
                 .call = call};
    if (call->set) call->set(&host);
    int failed = setjmp(host.back);
    if (!failed) run(frame);
    if (call->set) call->set(NULL);
    return !failed;
}

SetHost *host_of(void *library) {
    return library ? (SetHost *)(uintptr_t)dlsym(library, "rb_set_host") : NULL;
}

/* LAPACK is linked to this program. */
void *host_fortran(const char *symbol) {
    char  name[64];
    void *found = NULL;
    if (snprintf(name, sizeof name, "%s_", symbol) < (int)sizeof name)
        found = dlsym(RTLD_DEFAULT, name);
    return found;
}

void *host_library(const char *folder, const CodeOptions *options, Text *why) {
    CCode code = {0};
    ccode_sources(&code, folder);
    Text text = {0};
    host_begin(&text);
    code.failed |= text.failed;
    void *handle = ccode_load(&code, text_get(&text), options, why);
    ccode_free(&code);
    text_free(&text);
    return handle;
}
