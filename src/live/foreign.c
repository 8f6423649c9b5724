/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.c -- external functions called while translating.
 *
 * The types of the arguments are known only now, so the call is a few lines of C, compiled by
 * libtcc: f(*(double *)a[0], a[1], ...). Its cost, about a millisecond, is paid once for every
 * constant that needs it. */
#define _GNU_SOURCE
#include "inst/inst.h"
#include "live/live.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void *library_of(Foreign *foreign, const char *folder, Text *why) {
    int k = 0;
    while (k < foreign->libraries && strcmp(foreign->library[k].folder, folder)) k++;
    if (k < foreign->libraries) return foreign->library[k].handle;
    if (k == LENGTH(foreign->library)) return NULL;
    foreign->library[k].folder = strdup(folder);
    foreign->library[k].handle = extern_library(folder, why);
    foreign->libraries++;
    return foreign->library[k].handle;
}

void foreign_close(Foreign *foreign) {
    for (int k = 0; k < foreign->libraries; k++) {
        if (foreign->library[k].handle) dlclose(foreign->library[k].handle);
        free(foreign->library[k].folder);
    }
    arena_free(&foreign->arena);
    *foreign = (Foreign){0};
}

static const char *type_of(const ForeignArg *arg) {
    if (arg->size) return "unsigned long";
    switch (arg->basic) {
    case BASIC_NONE: return "void";
    case BASIC_REAL: return "double";
    case BASIC_STRING: return "const char *";
    default: return "int";
    }
}

/* void call(void **a): a[0] the entry, a[1] the result, then the arguments. */
static void write_call(const ForeignCall *call, Text *out) {
    Text        types = {0}, args = {0};
    const char *result = type_of(&call->result);
    bool        gives = call->result.basic != BASIC_NONE;
    for (int k = 0; k < call->args; k++) {
        const ForeignArg *arg = &call->arg[k];
        const char       *star = arg->address ? " *" : "", *type = type_of(arg);
        text_printf(&types, "%s%s%s", k ? ", " : "", type, star);
        if (arg->address) text_printf(&args, "%sa[%d]", k ? ", " : "", k + 2);
        else text_printf(&args, "%s*(%s *)a[%d]", k ? ", " : "", type, k + 2);
    }
    text_add(out, "void call(void **a) { ");
    if (gives) text_printf(out, "*(%s *)a[1] = ", result);
    text_printf(out, "((%s (*)(%s))a[0])(%s); }\n", result,
                call->args ? text_get(&types) : "void", text_get(&args));
    text_free(&types);
    text_free(&args);
}

typedef struct Run { /* what extern_try is given */
    void (*call)(void **a);
    void **a;
} Run;

static void run(void *frame) {
    Run *r = frame;
    r->call(r->a);
}

bool foreign_call(void *context, ForeignCall *call) {
    Foreign *foreign = context;
    Text     text = {0}, why = {0};
    void    *library = call->folder ? library_of(foreign, call->folder, &why) : NULL;
    void    *entry = call->fortran ? extern_fortran(call->symbol) : NULL;
    void    *state = NULL;
    bool     fine = false;
    if (!entry && library) entry = dlsym(library, call->symbol);
    if (!entry) {
        if (!call->folder)
            text_add(&why, "its library has no C sources, or is not installed");
        snprintf(call->why, sizeof call->why,
                 "external function '%.60s' is not available%s%.100s", call->symbol,
                 why.length ? ": " : "", text_get(&why));
        text_free(&why);
        return false;
    }
    write_call(call, &text);
    Run r = {.a = calloc((size_t)call->args + 2, sizeof(void *))};
    if (!r.a) abort();
    r.a[0] = entry;
    r.a[1] = call->result.data;
    for (int k = 0; k < call->args; k++) r.a[k + 2] = call->arg[k].data;
    r.call =
        (void (*)(void **))(uintptr_t)tcc_function(text_get(&text), "call", &state, &why);
    if (r.call) fine = extern_try(library, &foreign->arena, run, &r, call->why);
    else
        snprintf(call->why, sizeof call->why, "the call cannot be compiled: %.150s",
                 text_get(&why));
    tcc_release(state);
    free(r.a);
    text_free(&text);
    text_free(&why);
    return fine;
}
