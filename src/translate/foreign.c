/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.c -- external functions called while translating.
 *
 * The types of the arguments are known only now, so the call is a few lines of C, compiled by
 * libtcc: f(*(double *)a[0], a[1], ...). Its cost, about a millisecond, is paid once for every
 * constant that needs it. */
#define _GNU_SOURCE
#include "inst/inst.h"
#include "translate/translate.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void *library_of(Foreign *foreign, const char *folder, Text *why) {
    int k = 0;
    while (k < foreign->libraries && strcmp(foreign->library[k].folder, folder)) k++;
    if (k < foreign->libraries) return foreign->library[k].handle;
    if (k == LENGTH(foreign->library)) return NULL;
    foreign->library[k].folder = arena_string(&foreign->arena, folder, strlen(folder));
    foreign->library[k].handle = host_library(folder, &foreign->options, why);
    foreign->libraries++;
    return foreign->library[k].handle;
}

static const char *type_of(const ForeignArg *arg) {
    if (arg->size) return "unsigned long";
    switch (arg->basic) {
    case BASIC_RECORD: return "Record"; /* of a result; arguments go by their address */
    case BASIC_OBJECT: return "void *";
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
        const char       *star = arg->address ? " *" : "";
        const char       *type = arg->layout ? "void" : type_of(arg);
        text_printf(&types, "%s%s%s", k ? ", " : "", type, star);
        if (arg->address) text_printf(&args, "%sa[%d]", k ? ", " : "", k + 2);
        else text_printf(&args, "%s*(%s *)a[%d]", k ? ", " : "", type, k + 2);
    }
    if (call->result.layout)
        text_printf(out, "typedef %s Record;\n", call->result.layout);
    text_add(out, "void call(void **a) { ");
    if (gives) text_printf(out, "*(%s *)a[1] = ", result);
    text_printf(out, "((%s (*)(%s))a[0])(%s); }\n", result,
                call->args ? text_get(&types) : "void", text_get(&args));
    text_free(&types);
    text_free(&args);
}

typedef struct Prepared { /* what host_run is given */
    void (*call)(void **a);
    void **a;
} Prepared;

static void run(void *frame) {
    Prepared *r = frame;
    r->call(r->a);
}

static void note_file(Foreign *foreign, const char *name) {
    foreign->file = arena_grow(&foreign->arena, foreign->file, sizeof(char *),
                               &foreign->file_room, foreign->files + 1);
    foreign->file[foreign->files++] = arena_string(&foreign->arena, name, strlen(name));
}

/* Files that are named to external code may be read by it: the result depends on them. */
static void note_files(Foreign *foreign, const ForeignCall *call) {
    for (int k = 0; k < call->args; k++) {
        const ForeignArg *arg = &call->arg[k];
        struct stat       info;
        if (arg->basic != BASIC_STRING || arg->address) continue;
        const char *name = *(const char *const *)arg->data;
        if (!name || stat(name, &info) != 0 || !S_ISREG(info.st_mode)) continue;
        note_file(foreign, name);
    }
}

/* Files below the folders of what has been loaded. */
static bool may_read(void *owner, const char *path) {
    const Foreign *foreign = owner;
    const Sources *sources = foreign->sources;
    for (int k = 0; sources && k < sources->count; k++)
        if (guard_below(sources->source[k]->path, path)) return true;
    return false;
}

/* An object lives until the next translation begins. */
static void note_object(Foreign *foreign, const ForeignCall *call) {
    foreign->object = arena_grow(&foreign->arena, foreign->object, sizeof(ForeignObject),
                                 &foreign->object_room, foreign->objects + 1);
    foreign->object[foreign->objects++] = (ForeignObject){
        .address = *(void **)call->result.data,
        .destructor =
            arena_string(&foreign->arena, call->destructor, strlen(call->destructor)),
        .folder = call->folder
                      ? arena_string(&foreign->arena, call->folder, strlen(call->folder))
                      : NULL};
}

void foreign_end_objects(Foreign *foreign) {
    while (foreign->objects > 0) {
        ForeignObject *o = &foreign->object[--foreign->objects];
        ForeignArg     arg = {.basic = BASIC_OBJECT, .data = &o->address};
        ForeignCall    call = {.symbol = o->destructor,
                               .folder = o->folder,
                               .arg = &arg,
                               .args = 1,
                               .result = {.basic = BASIC_NONE}};
        foreign_call(foreign, &call);
    }
}

bool foreign_call(void *context, ForeignCall *call) {
    Foreign *foreign = context;
    Text     text = {0}, why = {0};
    void    *library = call->folder ? library_of(foreign, call->folder, &why) : NULL;
    void    *entry = call->fortran ? host_fortran(call->symbol) : NULL;
    void    *state = NULL;
    bool     fine = false;
    if (!entry && library)
        entry = host_symbol(library, call->symbol, foreign->options.trust, &why);
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
    Prepared r = {.a = mem_take((size_t)call->args + 2, sizeof(void *))};
    note_files(foreign, call);
    r.a[0] = entry;
    r.a[1] = call->result.data;
    for (int k = 0; k < call->args; k++) r.a[k + 2] = call->arg[k].data;
    r.call =
        (void (*)(void **))(uintptr_t)tcc_function(text_get(&text), "call", &state, &why);
    HostCall host = {.set = host_of(library),
                     .arena = &foreign->arena,
                     .trust = foreign->options.trust,
                     .may_read = may_read,
                     .owner = foreign};
    if (r.call) {
        fine = host_run(&host, run, &r);
        if (!fine) snprintf(call->why, sizeof call->why, "%.190s", host.why);
        else if (call->destructor) note_object(foreign, call);
    } else
        snprintf(call->why, sizeof call->why, "the call cannot be compiled: %.150s",
                 text_get(&why));
    tcc_release(state);
    mem_free(r.a);
    text_free(&text);
    text_free(&why);
    return fine;
}

bool foreign_unit(void *context, const char *path, Text *text, Text *why) {
    Foreign *foreign = context;
    if (!foreign->unit) {
        text_add(why, "nothing here reads FMUs");
        return false;
    }
    note_file(foreign, path);
    return foreign->unit(foreign->owner, path, text, why);
}

void foreign_close(Foreign *foreign) {
    foreign_end_objects(foreign);
    for (int k = 0; k < foreign->libraries; k++)
        if (foreign->library[k].handle) dlclose(foreign->library[k].handle);
    arena_free(&foreign->arena);
    *foreign = (Foreign){.options = foreign->options,
                         .sources = foreign->sources,
                         .unit = foreign->unit,
                         .owner = foreign->owner};
}
