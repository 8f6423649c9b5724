/* SPDX-License-Identifier: Apache-2.0 */
/* tier.c -- code that gets better while it runs.
 *
 * A model starts with code from libtcc. If it runs longer than the compiler of the machine might
 * take, that is started beside it; when it is done the entry points of the image are exchanged,
 * between two steps. Then the derivatives follow, if the run uses them. Code that is in the cache
 * is taken at once. The old code stays in memory: texts of the model may be in it. */
#include "gen/gen.h"

#include <stdlib.h>

struct Tier {
    Image      *image;
    const char *cache;   /* folder */
    Native      job;     /* the compiler at work on ... */
    Image      *target;  /* ... this image, NULL if none */
    bool        model;   /* the model's code was tried */
    bool        tangent; /* the derivatives' code was tried */
};

/* Entry points of `from` in place of those of `image`. */
static void exchange(Image *image, const Image *from) {
    Image *old = malloc(sizeof *old);
    if (!old) return;
    *old = *image;
    old->tangents = NULL;
    old->text = (Text){0};
    Tangents *tangents = image->tangents;
    Text      text = image->text;
    *image = *from;
    image->tangents = tangents;
    image->text = text;
    image->before = old;
}

static bool take(Tier *tier) {
    Image better;
    Text  why = {0};
    bool  fine = native_load(&tier->job, &better, &why);
    if (fine) exchange(tier->target, &better);
    text_free(&why);
    return fine;
}

/* Starts on an image, or takes it from the cache. True if its code changed. */
static bool work_on(Tier *tier, Image *image, bool compile) {
    Text why = {0};
    bool changed = false;
    tier->target = image;
    if (native_cached(&tier->job, text_get(&image->text), tier->cache)) {
        changed = take(tier);
    } else if (compile) {
        native_end(&tier->job);
        if (native_begin(&tier->job, text_get(&image->text), tier->cache, &why)) {
            text_free(&why);
            return false;
        }
    }
    native_end(&tier->job);
    tier->target = NULL;
    text_free(&why);
    return changed;
}

Tier *tier_new(Image *image, const char *cache) {
    Tier *tier = calloc(1, sizeof *tier);
    if (!tier) return NULL;
    *tier = (Tier){.image = image, .cache = cache};
    tier->model = work_on(tier, image, false);
    return tier;
}

bool tier_step(Tier *tier) {
    bool changed = false;
    if (tier->target) {
        if (native_poll(&tier->job, false) == NATIVE_RUNNING) return false;
        if (tier->job.state == NATIVE_READY) changed = take(tier);
        native_end(&tier->job);
        tier->target = NULL;
        return changed;
    }
    if (!tier->model) {
        tier->model = true;
        return work_on(tier, tier->image, true);
    }
    Image *tangents = tier->tangent ? NULL : image_made_tangents(tier->image);
    if (!tangents) return false;
    tier->tangent = true;
    return work_on(tier, tangents, true);
}

void tier_free(Tier *tier) {
    if (!tier) return;
    native_end(&tier->job);
    free(tier);
}
