/* SPDX-License-Identifier: Apache-2.0 */
/* tcc.c -- tier 0: libtcc turns the text into code in memory, in milliseconds.
 *
 * The text includes nothing and links nothing: its few mathematical functions are handed over
 * by address, so neither headers nor libraries need to be on the machine. libtcc keeps state
 * for the whole process and guards it with a lock of its own: threads may compile, one after
 * the other. */
#include "gen/gen.h"

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

bool image_tcc(Image *image, const char *text, Text *why) {
    *image = (Image){.tier = 0};
    TCCState *tcc = tcc_new();
    if (!tcc) {
        text_add(why, "libtcc does not start\n");
        return false;
    }
    tcc_set_error_func(tcc, why, collect);
    tcc_set_options(tcc, "-nostdlib -nostdinc");
    tcc_set_output_type(tcc, TCC_OUTPUT_MEMORY);
    add_functions(tcc);
    bool fine =
        tcc_compile_string(tcc, text) == 0 && tcc_relocate(tcc, TCC_RELOCATE_AUTO) == 0;
    if (fine) {
        image->eval = (int (*)(Rb *))(uintptr_t)tcc_get_symbol(tcc, "rb_eval");
        image->events = (int (*)(Rb *))(uintptr_t)tcc_get_symbol(tcc, "rb_events");
        image->crossings =
            (void (*)(Rb *, double *))(uintptr_t)tcc_get_symbol(tcc, "rb_crossings");
        image->actions = (void (*)(Rb *))(uintptr_t)tcc_get_symbol(tcc, "rb_actions");
        image->remember = (void (*)(Rb *))(uintptr_t)tcc_get_symbol(tcc, "rb_remember");
        image->invariants =
            (void (*)(Rb *, double *))(uintptr_t)tcc_get_symbol(tcc, "rb_invariants");
        image->next = (double (*)(Rb *))(uintptr_t)tcc_get_symbol(tcc, "rb_next");
        image->relations = (int (*)(void))(uintptr_t)tcc_get_symbol(tcc, "rb_relations");
        image->residual =
            (Residual * (*)(int))(uintptr_t)tcc_get_symbol(tcc, "rb_residual");
    }
    if (!fine || !image->eval || !image->events || !image->residual) {
        tcc_delete(tcc);
        *image = (Image){0};
        return false;
    }
    image->handle = tcc;
    return true;
}
