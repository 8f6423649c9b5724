/* SPDX-License-Identifier: Apache-2.0 */
/* image.c -- code in memory: entry points, release, and the derivatives that belong to it.
 *
 * Most models that an explicit method integrates never need derivatives, so they are a second
 * program, written and compiled when something first asks for it. */
#define _POSIX_C_SOURCE 200809L
#include "gen/gen.h"

#include <dlfcn.h>
#include <libtcc.h>
#include <stdlib.h>
#include <string.h>

struct Tangents {
    const Plan *plan;
    const char *cache; /* of tier 1, NULL: tier 0 */
    Image       image; /* without code until it is made */
    int         width; /* columns at a time */
    bool        tried;
};

bool image_find(Image *image, void *(*find)(void *handle, const char *name),
                void  *handle) {
    const struct {
        const char *name;
        void       *field; /* a pointer to a function */
    } entry[] = {
        {"rb_rates", &image->rates},           {"rb_eval", &image->eval},
        {"rb_events", &image->events},         {"rb_crossings", &image->crossings},
        {"rb_actions", &image->actions},       {"rb_next", &image->next},
        {"rb_relations", &image->relations},   {"rb_checks", &image->checks},
        {"rb_where", &image->where},           {"rb_rows", &image->rows},
        {"rb_residual", &image->residual},     {"rb_remember", &image->remember},
        {"rb_invariants", &image->invariants}, {"rb_crossing", &image->crossing},
        {"rb_action", &image->action},         {"rb_tangent_rows", &image->tangent_rows},
        {"rb_tangent", &image->tangent},       {"rb_loop_tangent", &image->loop_tangent},
    };
    for (int i = 0; i < LENGTH(entry); i++) {
        void *at = find(handle, entry[i].name);
        memcpy(entry[i].field, &at, sizeof at);
    }
    return (image->eval && image->events && image->residual) ||
           (image->tangent && image->loop_tangent);
}

void image_free(Image *image) {
    if (image->tangents) image_free(&image->tangents->image);
    free(image->tangents);
    if (image->before) image_free(image->before);
    free(image->before);
    if (image->handle && image->tier == 0) tcc_delete(image->handle);
    if (image->handle && image->tier == 1) dlclose(image->handle);
    text_free(&image->text);
    *image = (Image){0};
}

void image_with_tangents(Image *image, const Plan *plan, const char *cache) {
    image->tangents = calloc(1, sizeof *image->tangents);
    if (image->tangents) *image->tangents = (Tangents){.plan = plan, .cache = cache};
}

/* As many columns as states or iteration variables can use, within what memory allows. */
static int width_of(const Plan *plan) {
    enum { MOST = 8, LARGE = 200000 };
    int columns = plan->st->states, width = 1;
    for (int g = 0; g < plan->groups; g++)
        if (plan->group[g].torn > columns) columns = plan->group[g].torn;
    while (width < columns && width < (plan->st->vars > LARGE ? MOST / 2 : MOST))
        width *= 2;
    return width;
}

static void make(Tangents *t) {
    Text text = {0}, why = {0};
    t->tried = true;
    t->width = width_of(t->plan);
    if (gen_tangents(t->plan, t->width, NULL, &text)) {
        bool made = t->cache && image_native(&t->image, text_get(&text), t->cache, &why);
        if (!made) image_tcc(&t->image, text_get(&text), &why);
    }
    if (t->image.tangent) t->image.text = text;
    else text_free(&text);
    text_free(&why);
}

Image *image_made_tangents(Image *image) {
    Tangents *t = image->tangents;
    return t && t->image.tangent ? &t->image : NULL;
}

const Image *image_tangents(const Image *image, int *width) {
    Tangents *t = image->tangents;
    if (t && !t->tried) make(t);
    if (!t || !t->image.tangent) return NULL;
    *width = t->width;
    return &t->image;
}
