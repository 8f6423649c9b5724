/* SPDX-License-Identifier: Apache-2.0 */
/* tcc.c -- tier 0: libtcc turns the text into code in memory, in milliseconds.
 *
 * The text includes nothing and links nothing: its few mathematical functions are handed over
 * by address, so neither headers nor libraries need to be on the machine. libtcc keeps state
 * for the whole process and guards it with a lock of its own: threads may compile, one after
 * the other. */
#define _POSIX_C_SOURCE 200809L
#include "code/code.h"

#ifdef HAVE_TCC

#include <dlfcn.h>
#include <libtcc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void collect(void *context, const char *message) {
    text_add(context, message);
    text_char(context, '\n');
}

static void add_functions(TCCState *tcc) {
#define GIVE(name) tcc_add_symbol(tcc, #name, (const void *)(uintptr_t)name)
    GIVE(fabs);
    GIVE(sqrt);
    GIVE(sin);
    GIVE(cos);
    GIVE(tan);
    GIVE(asin);
    GIVE(acos);
    GIVE(atan);
    GIVE(atan2);
    GIVE(sinh);
    GIVE(cosh);
    GIVE(tanh);
    GIVE(exp);
    GIVE(log);
    GIVE(log10);
    GIVE(pow);
    GIVE(floor);
    GIVE(ceil);
    GIVE(trunc);
    GIVE(memset);
    GIVE(memcpy);
    GIVE(memmove);
#undef GIVE
}

/* libtcc ends the process when it finds no memory. So memory in proportion to the text is asked for
 * and given back before it is called; if there is none the call fails here. */
static bool has_memory(const char *text) {
    void *probe = mem_resize(NULL, (1 << 20) + 32 * strlen(text));
    mem_free(probe);
    return probe != NULL;
}

/* The code of a text, in memory or as a file of this path; NULL if it is wrong. */
static TCCState *compile(const char *text, const char *path, Text *why) {
    if (!has_memory(text)) {
        text_add(why, no_memory);
        return NULL;
    }
    TCCState *tcc = tcc_new();
    if (!tcc) {
        text_add(why, "libtcc does not start\n");
        return NULL;
    }
    tcc_set_error_func(tcc, why, collect);
    tcc_set_options(tcc, "-nostdlib -nostdinc");
    tcc_set_output_type(tcc, path ? TCC_OUTPUT_DLL : TCC_OUTPUT_MEMORY);
    if (!path) add_functions(tcc);
    Numbers plain = numbers_begin();
    bool    fine = tcc_compile_string(tcc, text) == 0 &&
                (path ? tcc_output_file(tcc, path) == 0
                      : tcc_relocate(tcc, TCC_RELOCATE_AUTO) == 0);
    numbers_end(plain);
    if (fine) return tcc;
    tcc_delete(tcc);
    return NULL;
}

void *tcc_function(const char *text, const char *name, void **state, Text *why) {
    TCCState *tcc = *state = compile(text, NULL, why);
    return tcc ? tcc_get_symbol(tcc, name) : NULL;
}

void *tcc_find(void *state, const char *name) {
    return tcc_get_symbol(state, name);
}

void tcc_release(void *state) {
    if (state) tcc_delete(state);
}

/* ---- kept code ---- */

/* Where the code of a text is kept: its name is the hash of text and layout. */
static void kept_path(const char *text, const char *cache, Text *out) {
    size_t length = strlen(text);
    text_printf(out, "%s/%016llx%08llx.tcc.so", cache,
                (unsigned long long)hash_bytes(text, length),
                (unsigned long long)(hash_mix(length ^ rb_layout_key()) & 0xffffffff));
}

static bool load_kept(Image *image, const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    *image = (Image){.tier = 0, .shared = true, .handle = handle};
    if (handle && image_find(image, dlsym, handle)) return true;
    image_close(image);
    return false;
}

/* Long texts are worth a file, which costs less than compiling them again. It is made under a name
 * of its own and then moved, so that nobody sees half of it. */
static bool image_kept(Image *image, const char *text, const char *cache) {
    Text path = {0}, partial = {0}, why = {0};
    kept_path(text, cache, &path);
    bool fine = !path.failed && seal_holds(text_get(&path));
    if (!fine && !path.failed) {
        text_printf(&partial, "%s.%ld.%lx", text_get(&path), (long)getpid(),
                    (unsigned long)(uintptr_t)&path);
        TCCState *tcc = compile(text, text_get(&partial), &why);
        if (tcc) tcc_delete(tcc);
        fine = tcc && seal_add(text_get(&partial)) &&
               rename(text_get(&partial), text_get(&path)) == 0;
        if (!fine) unlink(text_get(&partial));
    }
    fine = fine && load_kept(image, text_get(&path));
    text_free(&path);
    text_free(&partial);
    text_free(&why);
    return fine;
}

bool image_tcc(Image *image, const char *text, const char *cache, Text *why) {
    enum { LONG = 40000 }; /* bytes: below it libtcc takes about a millisecond */
    if (cache && strlen(text) > LONG && image_kept(image, text, cache)) return true;
    *image = (Image){.tier = 0};
    TCCState *tcc = compile(text, NULL, why);
    if (!tcc || !image_find(image, tcc_find, tcc)) {
        if (tcc) tcc_delete(tcc);
        *image = (Image){0};
        return false;
    }
    image->handle = tcc;
    return true;
}

#else

static const char absent[] = "this build has no libtcc, which compiles models";

bool image_tcc(Image *image, const char *text, const char *cache, Text *why) {
    (void)image, (void)text, (void)cache;
    text_add(why, absent);
    return false;
}

void *tcc_function(const char *text, const char *name, void **state, Text *why) {
    (void)text, (void)name;
    *state = NULL;
    text_add(why, absent);
    return NULL;
}

void *tcc_find(void *state, const char *name) {
    (void)state, (void)name;
    return NULL;
}

void tcc_release(void *state) {
    (void)state;
}

#endif
