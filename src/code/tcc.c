/* SPDX-License-Identifier: Apache-2.0 */
/* tcc.c -- tier 0: libtcc turns the text into code in memory, in milliseconds.
 *
 * The text includes nothing and links nothing: its few mathematical functions are handed over
 * by address, so neither headers nor libraries need to be on the machine. libtcc keeps state
 * for the whole process and guards it with a lock of its own: threads may compile, one after
 * the other. */
#include "code/code.h"

#include <libtcc.h>
#include <math.h>
#include <string.h>

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

static void *find(void *tcc, const char *name) {
    return tcc_get_symbol(tcc, name);
}

/* The code of a text in memory; NULL if it is wrong. */
static TCCState *compile(const char *text, Text *why) {
    TCCState *tcc = tcc_new();
    if (!tcc) {
        text_add(why, "libtcc does not start\n");
        return NULL;
    }
    tcc_set_error_func(tcc, why, collect);
    tcc_set_options(tcc, "-nostdlib -nostdinc");
    tcc_set_output_type(tcc, TCC_OUTPUT_MEMORY);
    add_functions(tcc);
    Numbers plain = numbers_begin();
    bool    fine =
        tcc_compile_string(tcc, text) == 0 && tcc_relocate(tcc, TCC_RELOCATE_AUTO) == 0;
    numbers_end(plain);
    if (fine) return tcc;
    tcc_delete(tcc);
    return NULL;
}

void *tcc_function(const char *text, const char *name, void **state, Text *why) {
    TCCState *tcc = *state = compile(text, why);
    return tcc ? tcc_get_symbol(tcc, name) : NULL;
}

void tcc_release(void *state) {
    if (state) tcc_delete(state);
}

bool image_tcc(Image *image, const char *text, Text *why) {
    *image = (Image){.tier = 0};
    TCCState *tcc = compile(text, why);
    if (!tcc || !image_find(image, find, tcc)) {
        if (tcc) tcc_delete(tcc);
        *image = (Image){0};
        return false;
    }
    image->handle = tcc;
    return true;
}
