/* SPDX-License-Identifier: Apache-2.0 */
/* running.h -- a flat model, its plan, its code and an instance: what tests of generated code share. */
#ifndef RUBATO_TEST_RUNNING_H
#define RUBATO_TEST_RUNNING_H

#include "live/live.h"
#include "flat.h"

#include <stdlib.h>

static Flat      m;
static Structure st;
static Plan      plan;
static Text      text;
static Image     image;
static Instance  instance;

static inline int begin(void **state) {
    (void)state;
    flat_begin(&m);
    return 0;
}

static inline int end(void **state) {
    (void)state;
    instance_free(&instance);
    image_free(&image);
    text_free(&text);
    plan_free(&plan);
    structure_free(&st);
    flat_end(&m);
    return 0;
}

/* Fails with the messages of the model. */
static inline void must(bool fine) {
    if (fine) return;
    Text words = {0};
    diag_print(&words, &m.diag, 0, false);
    print_message("%s", text_get(&words));
    text_free(&words);
    fail();
}

static inline void make_plan(bool selective) {
    must(structure_analyse(&st, &m.sys, &m.diag));
    plan_make(&plan, &st);
    plan.selective = selective;
    if (!selective) plan_fuse(&plan);
}

/* Code of the plan, and an instance that runs it. The runner of the tests sets TMPDIR to a folder
 * of this program alone. */
static inline void make_instance(int tier) {
    Text        why = {0};
    const char *cache = getenv("TMPDIR");
    must(gen_text(&plan, &m.diag, &text));
    bool fine =
        tier ? image_native(&image, text_get(&text), cache ? cache : "/tmp/rubato", &why)
             : image_tcc(&image, text_get(&text), &why);
    if (!fine) print_message("%s\n%s", text_get(&why), text_get(&text));
    text_free(&why);
    assert_true(fine);
    assert_true(instance_open(&instance, &plan, &image));
}

#endif
