/* SPDX-License-Identifier: Apache-2.0 */
/* extern.c -- external functions: where their code is, guarded calls, objects.
 *
 * The C sources that a Modelica library ships (Resources/C-Sources) are one shared object; code
 * given by annotations is one for all functions with the same annotations.
 *
 * An object lives from its constructor to the end of the instance, however that ends; one that a
 * function made for itself to the end of that call. Its value is its number in the list. */
#define _GNU_SOURCE
#include "code/ccode.h"
#include "live/live.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where the code is ------------------------------------------------------------------------ */

static const int *list_of(const Program *p, int list) {
    return p->texts.list + list;
}

static bool same_list(const Program *p, int a, int b) {
    const int *x = list_of(p, a), *y = list_of(p, b);
    while (*x && *y && strcmp(program_text(p, *x), program_text(p, *y)) == 0) x++, y++;
    return *x == *y;
}

static bool same_code(const Program *p, const FunctionInfo *a, const FunctionInfo *b) {
    return same_list(p, a->include, b->include) &&
           same_list(p, a->include_in, b->include_in) &&
           same_list(p, a->library, b->library) &&
           same_list(p, a->library_in, b->library_in);
}

/* The next function from k on whose annotations are those of f. */
static int next_same(const Program *p, const FunctionInfo *f, int k) {
    for (; k < p->functions; k++)
        if (p->function[k].symbol && same_code(p, &p->function[k], f)) break;
    return k;
}

/* Functions may be static in the texts that are included, so the object tells their addresses. */
static void annotated_text(const Program *p, const FunctionInfo *f, Text *out) {
    Text list = {0};
    host_begin(out);
    for (const int *s = list_of(p, f->include); *s; s++)
        text_printf(out, "%s\n", program_text(p, *s));
    for (int k = 0; (k = next_same(p, f, k)) < p->functions; k++) {
        const char *symbol = program_text(p, p->function[k].symbol);
        if (!f->include) text_printf(out, "void %s(void);\n", symbol);
        text_printf(&list, "    case %d: return (void *)%s;\n", k, symbol);
    }
    out->failed |= list.failed;
    text_printf(out,
                "void *rb_entry(int k) {\n    switch (k) {\n%s    }\n    return 0;\n}\n",
                text_get(&list));
    text_free(&list);
}

static void *annotated_code(const Externals *x, const Program *p, const FunctionInfo *f,
                            Text *why) {
    CCode code = {0};
    Text  text = {0};
    annotated_text(p, f, &text);
    code.failed = text.failed;
    for (const int *s = list_of(p, f->include_in); *s; s++)
        ccode_include_in(&code, program_text(p, *s));
    for (const int *s = list_of(p, f->directory); *s; s++)
        ccode_include_in(&code, program_text(p, *s));
    for (const int *s = list_of(p, f->library_in); *s; s++)
        ccode_library_in(&code, program_text(p, *s));
    for (const int *s = list_of(p, f->library); *s; s++)
        ccode_library(&code, program_text(p, *s));
    void *handle = ccode_load(&code, text_get(&text), x->options, why);
    ccode_free(&code);
    text_free(&text);
    return handle;
}

/* The shared object kept under this key, NULL if there is no memory; fresh: to be loaded. */
static Shared *find_shared(Externals *x, uint64_t key, bool *fresh) {
    int k = 0;
    while (k < x->libraries && x->library[k].key != key) k++;
    *fresh = k == x->libraries;
    if (*fresh) {
        Shared *more = mem_resize(x->library, (size_t)(k + 1) * sizeof *more);
        if (!more) return NULL;
        x->library = more;
        x->library[x->libraries++] = (Shared){.key = key};
    }
    return &x->library[k];
}

/* Of a program that brings its external code along: KEY.so in a folder. */
static void *load_object(Externals *x, uint64_t key) {
    Text path = {0};
    text_printf(&path, "%s/%016llx.so", x->options->objects, (unsigned long long)key);
    void *handle = path.failed ? NULL : host_open(text_get(&path), &x->why);
    text_free(&path);
    return handle;
}

static bool use(Externals *x, int function, const Shared *from, void *entry) {
    x->entry[function] = entry;
    x->set_host[function] = host_of(from->handle);
    return entry != NULL;
}

/* The shared object of a function's annotations, and of all others that have the same. */
static Shared *annotated(Externals *x, const Program *p, int function) {
    const FunctionInfo *f = &p->function[function];
    bool                fresh;
    if (!f->include && !f->library && !(x->options && x->options->trust)) return NULL;
    Shared *shared = find_shared(x, (uint64_t)next_same(p, f, 0) + 1, &fresh);
    if (!shared) return NULL;
    if (fresh) {
        text_clear(&x->why);
        shared->handle = x->options->objects ? load_object(x, shared->key)
                                             : annotated_code(x, p, f, &x->why);
    }
    return shared->handle ? shared : NULL;
}

typedef struct
    Definers { /* code of a model that may define what a library only declares */
    Externals     *x;
    const Program *program;
    void *asks; /* the library's object: functions that are in it define nothing else */
} Definers;

static HostFound find_definition(void *owner, const char *name) {
    const Definers *d = owner;
    Text            why = {0};
    HostFound       found = {0};
    for (int k = 0; !found.entry && k < d->program->functions; k++) {
        const FunctionInfo *f = &d->program->function[k];
        if (!f->symbol || !(f->include || f->library)) continue;
        if (dlsym(d->asks, program_text(d->program, f->symbol))) continue;
        const Shared *shared = annotated(d->x, d->program, k);
        if (!shared) continue;
        found.library = shared->handle;
        found.entry = host_symbol(shared->handle, name, d->x->options->trust, &why);
    }
    text_free(&why);
    return found;
}

static bool from_sources(Externals *x, const Program *p, int function) {
    const FunctionInfo *f = &p->function[function];
    bool                fresh;
    if (!f->directory) return false;
    const char *folder = program_text(p, *list_of(p, f->directory));
    uint64_t    key = hash_bytes(folder, strlen(folder));
    Shared     *shared = find_shared(x, key, &fresh);
    if (!shared) return false;
    if (fresh) {
        void    *own = x->options->objects ? load_object(x, key)
                                           : host_library(folder, x->options, &x->why);
        Definers definers = {x, p, own};
        void    *handle =
            own ? host_complete(own, find_definition, &definers, &x->why) : NULL;
        shared = find_shared(x, key, &fresh); /* others may have come before it */
        shared->file = own;
        shared->handle = handle;
    }
    return shared->handle && use(x, function, shared,
                                 host_symbol(shared->handle, program_text(p, f->symbol),
                                             x->options && x->options->trust, &x->why));
}

static bool from_annotations(Externals *x, const Program *p, int function) {
    const Shared *shared = annotated(x, p, function);
    if (!shared) return false;
    void *(*entry)(int) = NULL;
    void *at = dlsym(shared->handle, "rb_entry");
    memcpy(&entry, &at, sizeof at);
    return entry && use(x, function, shared, entry(function));
}

/* A function of this program that runs an FMU. */
static bool is_own(const Externals *x, const Program *p, int function, Text *why) {
    const char *symbol = program_text(p, p->function[function].symbol);
    void       *entry = x->options && x->options->own ? x->options->own(symbol) : NULL;
    if (!entry) return false;
    if (x->options->trust) x->entry[function] = entry;
    else text_add(why, "an FMU is code of others (--trust runs it)");
    return true;
}

static bool resolve(Externals *x, const Program *p, int function) {
    const FunctionInfo *f = &p->function[function];
    if (!strncmp(program_text(p, f->language), "FORTRAN", 7))
        x->entry[function] = host_fortran(program_text(p, f->symbol));
    text_clear(&x->why);
    if (is_own(x, p, function, &x->why)) return x->entry[function];
    if (x->entry[function] || from_sources(x, p, function)) return true;
    Text first = x->why; /* tells more, if the annotations do not help either */
    x->why = (Text){0};
    bool found = from_annotations(x, p, function);
    if (found || !first.length) {
        text_free(&first);
        return found;
    }
    text_free(&x->why);
    x->why = first;
    return false;
}

/* True if the code of the function is there; else a fault that says why not. */
static bool find_entry(Rb *c, unsigned pos, int function) {
    const Program *p = instance_of(c)->program;
    Externals     *x = &instance_of(c)->externals;
    if (x->entry[function] || resolve(x, p, function)) return true;
    Text text = {0};
    text_printf(&text, "the external function '%s' is not available: ",
                program_text(p, p->function[function].symbol));
    text_add(&text, x->why.length ? text_get(&x->why)
                                  : "it is not part of an installed library "
                                    "(--trust runs it)");
    c->api->fault(c, pos, text_get(&text));
    if (!x->lacking.length) {
        text_add(&x->lacking, text_get(&text));
        x->lacking_pos = pos;
    }
    text_free(&text);
    return false;
}

bool extern_lacks(Rb *c) {
    Externals *x = &instance_of(c)->externals;
    if (x->lacking.length == 0) return false;
    c->failed = 0;
    c->api->fault(c, x->lacking_pos, text_get(&x->lacking));
    return true;
}

/* ---- objects ---------------------------------------------------------------------------------- */

void *extern_object(Rb *c, double object) {
    const Externals *x = &instance_of(c)->externals;
    int              k = object >= 1 && object <= x->objects ? (int)object : 0;
    return k ? x->object[k - 1].at : NULL;
}

double extern_own(Rb *c, int function, void *object) {
    Externals *x = &instance_of(c)->externals;
    if (!object) return 0;
    if (x->objects == x->room) {
        int     room = 2 * x->room + 8;
        Object *more = mem_resize(x->object, (size_t)room * sizeof *more);
        if (!more) {
            c->api->fault(c, 0, "there is no memory for an external object");
            return 0;
        }
        x->object = more;
        x->room = room;
    }
    x->object[x->objects++] =
        (Object){object, instance_of(c)->program->function[function].destructor};
    return x->objects;
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

static void on_message(void *owner, const char *text) {
    Instance *instance = owner;
    if (instance->say)
        instance->say(instance->say_owner, 0, instance->run.rb.time, false, text);
}

/* Files below the folders of the model and of the libraries it was made of. */
static bool may_read(void *owner, const char *path) {
    const Instance *instance = owner;
    const Program  *p = instance->program;
    for (int k = 0; k < p->sources.count; k++)
        if (guard_below(program_text(p, p->sources.source[k].path), path)) return true;
    return false;
}

static HostCall host_call(Instance *instance, int function, Arena *arena) {
    const Externals *x = &instance->externals;
    return (HostCall){.set = x->set_host[function],
                      .message = on_message,
                      .trust = x->options && x->options->trust,
                      .may_read = may_read,
                      .owner = instance,
                      .arena = arena};
}

int extern_mark(Rb *c) {
    return instance_of(c)->externals.objects;
}

void extern_release(Rb *c, int mark) {
    Instance  *instance = instance_of(c);
    Externals *x = &instance->externals;
    Arena      arena = {0};
    while (x->objects > mark) {
        Object one = x->object[--x->objects];
        if (one.destructor < 0 || !find_entry(c, 0, one.destructor)) continue;
        HostCall host = host_call(instance, one.destructor, &arena);
        End      end = {x->entry[one.destructor], one.at};
        if (!host_run(&host, end_object, &end)) on_message(instance, host.why);
    }
    arena_free(&arena);
}

/* ---- of an instance --------------------------------------------------------------------------- */

bool extern_open(Externals *x, int functions) {
    size_t n = (size_t)functions;
    *x = (Externals){.options = x->options,
                     .entry = mem_take(n, sizeof *x->entry),
                     .set_host = mem_take(n, sizeof *x->set_host)};
    return x->entry && x->set_host;
}

static void close_objects(Externals *x) {
    for (int k = 0; k < x->libraries; k++) {
        const Shared *s = &x->library[k];
        if (s->handle) dlclose(s->handle);
        if (s->file && s->file != s->handle) dlclose(s->file);
    }
}

void extern_close(Instance *instance) {
    Externals *x = &instance->externals;
    if (x->objects) extern_release(&instance->run.rb, 0);
    close_objects(x);
    text_free(&x->why);
    text_free(&x->lacking);
    mem_free(x->library);
    mem_free(x->object);
    mem_free(x->entry);
    mem_free(x->set_host);
    *x = (Externals){0};
}

/* ---- brought along ---------------------------------------------------------------------------- */

bool extern_objects(const Program *p, const CodeOptions *options, FoundObject *found,
                    void *owner, Text *why) {
    Externals x = {.options = options};
    bool      fine = extern_open(&x, p->functions);
    for (int k = 0; fine && k < p->functions; k++) {
        if (!p->function[k].symbol) continue;
        const bool inside = is_own(&x, p, k, &x.why);
        if (inside) text_add(why, "a model with an FMU inside cannot be exported");
        fine = !inside && resolve(&x, p, k);
        if (!fine && !inside)
            text_printf(why, "the external function '%s' is not available: %s",
                        program_text(p, p->function[k].symbol),
                        x.why.length ? text_get(&x.why)
                                     : "it is not part of an installed library");
    }
    for (int k = 0; fine && k < x.libraries; k++) {
        Dl_info info;
        void   *file = x.library[k].file ? x.library[k].file : x.library[k].handle;
        void   *mark = file ? dlsym(file, "rb_set_host") : NULL;
        if (mark && dladdr(mark, &info)) found(owner, x.library[k].key, info.dli_fname);
    }
    close_objects(&x);
    text_free(&x.why);
    MEM_FREE(x.library, x.entry, x.set_host);
    return fine;
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
    Instance *instance = instance_of(c);
    Arena     arena = {0};
    Generated generated = {c, call, frame};
    if (!find_entry(c, pos, function)) return 1;
    HostCall host = host_call(instance, function, &arena);
    bool     fine = host_run(&host, run_generated, &generated);
    if (!fine) c->api->fault(c, pos, host.why);
    if (!fine) c->fault_at = c->at; /* external code has no depth */
    arena_free(&arena);
    return !fine;
}
