/* SPDX-License-Identifier: Apache-2.0 */
/* code.c -- the code of a part: entry points, derivatives, and better code while it runs.
 *
 * Most models that an explicit method integrates never need derivatives, so those are a second
 * text, compiled when something first asks for it. A run that lasts longer than the compiler of
 * the machine might take starts it in the background; what it makes is published as a new image,
 * and every simulation takes that between two of its steps. Old images stay loaded until the end,
 * because somebody may be running them. Code that is in the cache is taken at once.
 *
 * One lock guards making and publishing. Reading the best image is one atomic load. */
#define _POSIX_C_SOURCE 200809L
#include "code/code.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct Version {   /* one text and the images made of it */
    const char      *text; /* NULL: there is none */
    _Atomic(Image *) best;
    bool             tried; /* tier 1 */
} Version;

struct Binary {
    CodeOptions     options;
    Text            cache, compiler; /* copies of the options */
    Version         model, tangent, sense;
    bool            made[2]; /* the derivatives were compiled, or could not be ... */
    bool            lacking; /* ... because there was no memory */
    pthread_mutex_t lock;
    Native          job;    /* the compiler at work on ... */
    Version        *target; /* ... this text, NULL if none */
};

static const struct {
    const char *name;
    size_t      at; /* of a pointer to a function in Image */
} entries[] = {
#define ENTRY(field)                                                                     \
    { "rb_" #field, offsetof(Image, field) }
    ENTRY(rates),        ENTRY(eval),         ENTRY(events),     ENTRY(crossings),
    ENTRY(actions),      ENTRY(next),         ENTRY(checks),     ENTRY(rows),
    ENTRY(residual),     ENTRY(remember),     ENTRY(invariants), ENTRY(crossing),
    ENTRY(action),       ENTRY(tangent_rows), ENTRY(tangent),    ENTRY(loop_tangent),
    ENTRY(loop_entries), ENTRY(layout),       ENTRY(ahead),      ENTRY(piece),
    ENTRY(piece_of),     ENTRY(inside),       ENTRY(turns),
#undef ENTRY
};

const char *image_entry(int number) {
    return number < LENGTH(entries) ? entries[number].name : NULL;
}

bool image_has(const Image *image, int number) {
    void *at;
    memcpy(&at, (const char *)image + entries[number].at, sizeof at);
    return at != NULL;
}

bool image_find(Image *image, void *(*find)(void *handle, const char *name),
                void  *handle) {
    for (int i = 0; i < LENGTH(entries); i++) {
        void *at = find(handle, entries[i].name);
        memcpy((char *)image + entries[i].at, &at, sizeof at);
    }
    if (!image->layout || image->layout() != rb_layout_sizes()) return false;
    return (image->eval && image->events && image->residual) ||
           (image->tangent && image->loop_tangent);
}

void image_close(Image *image) {
    bool shared = image->tier == 1 || image->shared;
    if (image->handle && shared) dlclose(image->handle);
    else tcc_release(image->handle);
    image->handle = NULL;
}

/* ---- versions ---- */

static bool publish(Version *v, const Image *made) {
    Image *image = mem_take(1, sizeof *image);
    if (!image) return false;
    *image = *made;
    image->before = atomic_load(&v->best);
    atomic_store(&v->best, image);
    return true;
}

static bool compile(Version *v, const CodeOptions *options, Text *why) {
    Image image;
    bool  native = options->tier == 1 && options->cache;
    bool  made = options->built ? image_built(&image, v->text, options->built, why)
                 : native       ? image_native(&image, v->text, options, why)
                                : image_tcc(&image, v->text, options->cache, why);
    if (!made) return false;
    v->tried = native;
    if (publish(v, &image)) return true;
    image_close(&image);
    text_add(why, no_memory);
    return false;
}

static void version_free(Version *v) {
    for (Image *image = atomic_load(&v->best), *before; image; image = before) {
        before = image->before;
        image_close(image);
        mem_free(image);
    }
}

/* ---- better code ---- */

static void take(Binary *b) {
    Image better;
    Text  why = {0};
    if (native_load(&b->job, &better, &why) && !publish(b->target, &better))
        image_close(&better);
    text_free(&why);
}

/* Takes the text from the cache, or starts the compiler on it. */
static void work_on(Binary *b, Version *v, bool start) {
    Text why = {0};
    v->tried = start;
    b->target = v;
    if (native_cached(&b->job, v->text, &b->options)) {
        take(b);
        v->tried = true;
    } else if (start) {
        native_end(&b->job);
        if (native_begin(&b->job, v->text, &b->options, &why)) {
            text_free(&why);
            return;
        }
    }
    native_end(&b->job);
    b->target = NULL;
    text_free(&why);
}

void binary_improve(Binary *b, double seconds) {
    static const double patience = 1; /* a run that is shorter is not worth it */
    if (b->options.tier >= 0 || !b->options.cache) return;
    if (pthread_mutex_trylock(&b->lock) != 0) return; /* somebody else does it */
    if (b->target) {
        if (native_poll(&b->job, false) != NATIVE_RUNNING) {
            if (b->job.state == NATIVE_READY) take(b);
            native_end(&b->job);
            b->target = NULL;
        }
    } else if (seconds > patience && !b->model.tried) {
        work_on(b, &b->model, true);
    } else if (seconds > patience && !b->tangent.tried && atomic_load(&b->tangent.best)) {
        work_on(b, &b->tangent, true);
    }
    pthread_mutex_unlock(&b->lock);
}

/* ---- the whole ---- */

bool code_options_copy(CodeOptions *to, const CodeOptions *from, Text *cache,
                       Text *compiler) {
    *to = *from;
    if (from->cache) text_add(cache, from->cache);
    if (from->compiler) text_add(compiler, from->compiler);
    to->cache = from->cache ? text_get(cache) : NULL;
    to->compiler = from->compiler ? text_get(compiler) : NULL;
    return !cache->failed && !compiler->failed;
}

Binary *binary_new(const Part *part, const CodeOptions *options, Text *why) {
    Binary *b = mem_take(1, sizeof *b);
    if (!b) {
        text_add(why, no_memory);
        return NULL;
    }
    const bool fine = code_options_copy(&b->options, options, &b->cache, &b->compiler);
    b->model.text = part->text;
    b->tangent.text = part->tangent_bytes ? part->tangent : NULL;
    b->sense.text = part->sense_bytes ? part->sense : NULL;
    pthread_mutex_init(&b->lock, NULL);
    if (!fine) text_add(why, no_memory);
    if (!fine || !compile(&b->model, &b->options, why)) {
        binary_free(b);
        return NULL;
    }
    if (b->options.tier < 0 && b->options.cache)
        work_on(b, &b->model, false); /* it may have been compiled before */
    return b;
}

void binary_free(Binary *b) {
    if (!b) return;
    native_end(&b->job);
    version_free(&b->model);
    version_free(&b->tangent);
    version_free(&b->sense);
    pthread_mutex_destroy(&b->lock);
    TEXT_FREE(&b->cache, &b->compiler);
    mem_free(b);
}

const Image *binary_image(const Binary *b) {
    return atomic_load_explicit(&((Binary *)b)->model.best, memory_order_acquire);
}

bool binary_lacking(const Binary *b) {
    return b->lacking;
}

/* A text that is compiled when something first asks for it. */
static const Image *late(Binary *b, Version *v, bool *made) {
    Image *best = atomic_load_explicit(&v->best, memory_order_acquire);
    if (best || !v->text) return best;
    pthread_mutex_lock(&b->lock);
    if (!*made) {
        Text        why = {0};
        CodeOptions quick = b->options;
        bool        fine = compile(v, &b->options, &why);
        quick.tier = 0;
        if (!fine && b->options.tier == 1) compile(v, &quick, &why);
        *made = true;
        b->lacking |= why.failed || strcmp(text_get(&why), no_memory) == 0;
        text_free(&why);
    }
    pthread_mutex_unlock(&b->lock);
    return atomic_load(&v->best);
}

const Image *binary_tangents(Binary *b) {
    return late(b, &b->tangent, &b->made[0]);
}

const Image *binary_senses(Binary *b) {
    return late(b, &b->sense, &b->made[1]);
}
