/* SPDX-License-Identifier: Apache-2.0 */
/* native.c -- tier 1: the C compiler of the machine, and a cache of what it made.
 *
 * The name of a cached file is the hash of text, flags, compiler and machine, so a model that was
 * compiled before is loaded at once. A file is written under a name of its own and then renamed,
 * which is atomic: runs at the same time do not see half a file. The compiler is a child process,
 * started directly, without a shell; the caller may wait for it or go on and ask later. */
#define _POSIX_C_SOURCE 200809L
#include "code/code.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* No contraction to fused operations: both tiers give the same numbers. */
static const char *const flags[] = {
    "-std=c11",        "-O3",   "-march=native", "-ffp-contract=off",
    "-fno-math-errno", "-fPIC", "-shared",       "-w"};

static const char *compiler(const CodeOptions *options) {
    return options->compiler && *options->compiler ? options->compiler : "cc";
}

static uint64_t key_of(const char *text, const CodeOptions *options) {
    char     host[256] = ""; /* a folder may be shared, code for one machine not */
    uint64_t key = hash_bytes(text, strlen(text));
    gethostname(host, sizeof host - 1);
    key = hash_mix(key ^ hash_bytes(host, strlen(host)));
    key = hash_mix(key ^ hash_bytes(compiler(options), strlen(compiler(options))));
    for (int i = 0; i < LENGTH(flags); i++)
        key = hash_mix(key ^ hash_bytes(flags[i], strlen(flags[i])));
    return key;
}

/* A new file with a name that nobody else has; its name replaces `path`. */
static bool own_file(Text *path, const char *folder, const char *content, Text *why) {
    text_printf(path, "%s/newXXXXXX", folder);
    int    file = mkstemp(path->data);
    size_t length = strlen(content);
    bool   fine = file >= 0;
    while (fine && length) {
        ssize_t n = write(file, content, length);
        fine = n > 0 || (n < 0 && errno == EINTR);
        if (n <= 0) continue;
        content += n;
        length -= (size_t)n;
    }
    if (file >= 0) fine = close(file) == 0 && fine;
    else text_clear(path);
    if (!fine) text_printf(why, "cannot write in '%s': %s\n", folder, strerror(errno));
    return fine;
}

static bool spawn(Native *n, const CodeOptions *options, Text *why) {
    char *argv[LENGTH(flags) + 10];
    int   k = 0;
    pid_t child;
    argv[k++] = (char *)(uintptr_t)compiler(options);
    for (int i = 0; i < LENGTH(flags); i++) argv[k++] = (char *)(uintptr_t)flags[i];
    argv[k++] = "-o";
    argv[k++] = (char *)(uintptr_t)text_get(&n->partial);
    argv[k++] = "-x";
    argv[k++] = "c";
    argv[k++] = (char *)(uintptr_t)text_get(&n->source);
    argv[k++] = "-lm";
    argv[k] = NULL;
    int error = compiler_spawn(argv, "/dev/null", true, &child);
    if (error) {
        text_printf(why, "cannot start '%s': %s\n", argv[0], strerror(error));
        return false;
    }
    n->child = child;
    n->state = NATIVE_RUNNING;
    return true;
}

bool native_cached(Native *n, const char *text, const CodeOptions *options) {
    *n = (Native){.state = NATIVE_FAILED};
    text_printf(&n->object, "%s/%016llx.so", options->cache,
                (unsigned long long)key_of(text, options));
    if (seal_holds(text_get(&n->object))) n->state = NATIVE_READY;
    return n->state == NATIVE_READY;
}

bool native_begin(Native *n, const char *text, const CodeOptions *options, Text *why) {
    const char *cache = options->cache;
    mkdir(cache, 0700);
    if (native_cached(n, text, options)) return true;
    return !n->object.failed && own_file(&n->source, cache, text, why) &&
           own_file(&n->partial, cache, "", why) && spawn(n, options, why);
}

static void remove_files(Native *n) {
    if (n->source.length) unlink(text_get(&n->source));
    if (n->partial.length) unlink(text_get(&n->partial));
    text_free(&n->source);
    text_free(&n->partial);
}

/* The compiler has ended: what it made gets its name. */
static void finish(Native *n, int status) {
    n->child = 0;
    bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
                seal_add(text_get(&n->partial)) &&
                rename(text_get(&n->partial), text_get(&n->object)) == 0;
    n->state = fine ? NATIVE_READY : NATIVE_FAILED;
    remove_files(n);
}

NativeState native_poll(Native *n, bool wait) {
    int status = 0;
    while (n->state == NATIVE_RUNNING) {
        pid_t child = waitpid((pid_t)n->child, &status, wait ? 0 : WNOHANG);
        if (child == 0) break;
        if (child > 0) finish(n, status);
        else if (errno != EINTR) n->state = NATIVE_FAILED;
    }
    return n->state;
}

bool native_load(const Native *n, Image *image, Text *why) {
    void *handle = dlopen(text_get(&n->object), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        text_printf(why, "%s\n", dlerror());
        return false;
    }
    *image = (Image){.tier = 1, .handle = handle};
    if (image_find(image, dlsym, handle)) return true;
    image_close(image);
    text_printf(why, "'%s' is no model\n", text_get(&n->object));
    return false;
}

void native_end(Native *n) {
    if (n->child > 0 && n->state == NATIVE_RUNNING) {
        kill(-(pid_t)n->child, SIGTERM);
        native_poll(n, true);
    }
    remove_files(n);
    text_free(&n->object);
    *n = (Native){0};
}

bool image_native(Image *image, const char *text, const CodeOptions *options, Text *why) {
    Native n = {0};
    bool   fine = native_begin(&n, text, options, why);
    if (fine && native_poll(&n, true) != NATIVE_READY) {
        text_printf(why, "'%s' rejects the text\n", compiler(options));
        fine = false;
    }
    fine = fine && native_load(&n, image, why);
    native_end(&n);
    return fine;
}
