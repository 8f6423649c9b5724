/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c -- functions of a text that is no model: loops over many instances.
 *
 * Such a loop is worth the compiler of the machine at once, because only that makes vector code; what
 * it made is in the cache the next time. Without one libtcc compiles the same text. */
#include "code/code.h"

#include <dlfcn.h>

static bool open_native(Kernels *k, const char *text, const CodeOptions *options) {
    Native n = {0};
    Text   why = {0};
    bool   fine =
        native_begin(&n, text, options, &why) && native_poll(&n, true) == NATIVE_READY;
    if (fine) k->handle = dlopen(text_get(&n.object), RTLD_NOW | RTLD_LOCAL);
    k->tier = 1;
    native_end(&n);
    text_free(&why);
    return k->handle != NULL;
}

bool kernels_open(Kernels *k, const char *text, const CodeOptions *options, Text *why) {
    *k = (Kernels){0};
    if (options->tier != 0 && options->cache && open_native(k, text, options))
        return true;
    k->tier = 0;
    tcc_function(text, "batch_fast_0", &k->handle, why);
    return k->handle != NULL;
}

void *kernels_find(const Kernels *k, const char *name) {
    return k->tier ? dlsym(k->handle, name) : tcc_find(k->handle, name);
}

void kernels_close(Kernels *k) {
    if (k->handle && k->tier) dlclose(k->handle);
    else if (k->handle) tcc_release(k->handle);
    *k = (Kernels){0};
}
