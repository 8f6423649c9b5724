/* SPDX-License-Identifier: Apache-2.0 */
/* running.h -- a flat model, its program, its code and an instance: what tests of generated code
 * share. The passes are those of translate/driver.c from structure on. */
#ifndef RUBATO_TEST_RUNNING_H
#define RUBATO_TEST_RUNNING_H

#include "flat.h"
#include "live/live.h"
#include "translate/translate.h"

#include <stdlib.h>

static Flat        m;
static Session     session; /* without sources */
static Translation made;
static Program    *program;
static Common     *common;
static Instance    instance;

static Structure *st;
static Plan      *plan;

static inline int begin(void **state) {
    (void)state;
    flat_begin(&m);
    made = (Translation){.session = &session, .target = "M"};
    translate_open_parts(&made, 0);
    st = &made.part[PART_RUN].structure;
    plan = &made.part[PART_RUN].plan;
    return 0;
}

static inline int end(void **state) {
    (void)state;
    instance_free(&instance);
    common_free(common);
    program_free(program);
    translate_close(&made);
    flat_end(&m);
    common = NULL;
    program = NULL;
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

/* The three parts in order. */
static inline void make_plan(bool selective) {
    Structure *bindings = &made.part[PART_BINDINGS].structure;
    must(structure_analyse(st, &m.sys, &m.diag) &&
         structure_bindings(bindings, &m.sys, NULL, 0, &m.diag) &&
         structure_initial(&made.part[PART_START].structure, st, bindings, &m.diag));
    made.selective = selective;
    made.keep = true; /* tests look at the structure beside the program */
    must(translate_run(&made, "schedule", "fuse"));
}

/* The program of the plans; tangents: with code of derivatives. */
static inline void make_program(bool tangents) {
    must(translate_run(&made, "relations", "emit"));
    for (int k = 0; k < PARTS && !tangents; k++) text_free(&made.part[k].tangent);
    must(translate_run(&made, "tables", "freeze"));
    program = made.program;
    assert_non_null(program);
}

/* An instance that runs the program. The runner of the tests sets TMPDIR to a folder of this
 * program alone. */
static inline void make_instance(int tier) {
    Text        why = {0};
    const char *cache = getenv("TMPDIR");
    common = common_new(
        program, &(CodeOptions){.tier = tier, .cache = cache ? cache : "/tmp/rubato"},
        &why);
    if (!common) print_message("%s\n%s", text_get(&why), program->part[PART_RUN].text);
    text_free(&why);
    assert_non_null(common);
    assert_true(instance_open(&instance, common));
}

static inline int states(void) {
    return program->states.count;
}

#endif
