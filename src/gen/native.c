/* SPDX-License-Identifier: Apache-2.0 */
/* native.c -- tier 1: the C compiler of the machine, and a cache of what it made.
 *
 * The name of a cached file is the hash of text and flags, so a model that was compiled before
 * is loaded at once. A file is written under a name of its own and then renamed, which is
 * atomic: runs at the same time do not see half a file. The compiler is started directly,
 * without a shell. */
#define _POSIX_C_SOURCE 200809L
#include "gen/gen.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libtcc.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const flags[] = {
    "-std=c11", "-O3", "-march=native", "-fPIC", "-fno-math-errno", "-shared", "-w"};

static bool load(Image *image, const char *path, Text *why) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        text_printf(why, "%s\n", dlerror());
        return false;
    }
    *image = (Image){.tier = 1, .handle = handle};
    image->eval = (int (*)(Rb *))(uintptr_t)dlsym(handle, "rb_eval");
    image->events = (int (*)(Rb *))(uintptr_t)dlsym(handle, "rb_events");
    image->crossings = (void (*)(Rb *, double *))(uintptr_t)dlsym(handle, "rb_crossings");
    image->actions = (void (*)(Rb *))(uintptr_t)dlsym(handle, "rb_actions");
    image->remember = (void (*)(Rb *))(uintptr_t)dlsym(handle, "rb_remember");
    image->invariants =
        (void (*)(Rb *, double *))(uintptr_t)dlsym(handle, "rb_invariants");
    image->next = (double (*)(Rb *))(uintptr_t)dlsym(handle, "rb_next");
    image->relations = (int (*)(void))(uintptr_t)dlsym(handle, "rb_relations");
    image->residual = (Residual * (*)(int))(uintptr_t)dlsym(handle, "rb_residual");
    image->path = malloc(strlen(path) + 1);
    if (image->path) strcpy(image->path, path);
    return image->eval && image->events && image->residual;
}

static bool write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    bool fine = fputs(text, file) >= 0;
    return fclose(file) == 0 && fine;
}

static bool compile(const char *source, const char *object, Text *why) {
    const char *compiler = getenv("CC");
    char       *argv[LENGTH(flags) + 8];
    int         n = 0, status = 0;
    pid_t       child;
    argv[n++] = (char *)(uintptr_t)(compiler && *compiler ? compiler : "cc");
    for (int i = 0; i < LENGTH(flags); i++) argv[n++] = (char *)(uintptr_t)flags[i];
    argv[n++] = "-o";
    argv[n++] = (char *)(uintptr_t)object;
    argv[n++] = (char *)(uintptr_t)source;
    argv[n++] = "-lm";
    argv[n] = NULL;
    int error = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
    if (error) {
        text_printf(why, "cannot start '%s': %s\n", argv[0], strerror(error));
        return false;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    text_printf(why, "'%s' rejects %s\n", argv[0], source);
    return false;
}

bool image_native(Image *image, const char *text, const char *cache, Text *why) {
    uint64_t key = hash_bytes(text, strlen(text));
    Text     object = {0}, source = {0}, partial = {0};
    for (int i = 0; i < LENGTH(flags); i++)
        key = hash_mix(key ^ hash_bytes(flags[i], strlen(flags[i])));
    mkdir(cache, 0700);
    text_printf(&object, "%s/%016llx.so", cache, (unsigned long long)key);
    text_printf(&source, "%s/%016llx.%ld.c", cache, (unsigned long long)key,
                (long)getpid());
    text_printf(&partial, "%s/%016llx.%ld.so", cache, (unsigned long long)key,
                (long)getpid());
    bool fine = access(text_get(&object), R_OK) == 0;
    if (!fine) {
        if (!write_file(text_get(&source), text))
            text_printf(why, "cannot write %s: %s\n", text_get(&source), strerror(errno));
        else
            fine = compile(text_get(&source), text_get(&partial), why) &&
                   rename(text_get(&partial), text_get(&object)) == 0;
        unlink(text_get(&source));
    }
    fine = fine && load(image, text_get(&object), why);
    text_free(&object);
    text_free(&source);
    text_free(&partial);
    return fine;
}

void image_free(Image *image) {
    if (image->handle && image->tier == 0) tcc_delete(image->handle);
    if (image->handle && image->tier == 1) dlclose(image->handle);
    free(image->path);
    *image = (Image){0};
}
