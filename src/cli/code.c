/* SPDX-License-Identifier: Apache-2.0 */
/* code.c -- the later passes: structural analysis, C text, code in memory.
 *
 * Both the running model and the system at its start go the same way. */
#include "cli/code.h"

#include <stdlib.h>

bool code_structure(Job *job) {
    Build *code = job->code = calloc(1, sizeof *code);
    if (!code) return false;
    return structure_analyse(&code->structure, &job->rows->sys, &job->session.diag) &&
           structure_initial(&code->start, &code->structure, &job->session.diag);
}

static bool build(Job *job, const Plan *plan, Image *image, Text *text) {
    Text why = {0};
    bool good = gen_text(plan, &job->session.diag, text);
    if (good && !image_tcc(image, text_get(text), &why)) {
        diag_report(&job->session.diag, 0, CODE_G102,
                    "the generated code was rejected: %s", text_get(&why));
        good = false;
    }
    text_free(&why);
    return good;
}

bool code_compile(Job *job) {
    Build *code = job->code;
    Text  start = {0};
    plan_make(&code->plan, &code->structure);
    code->has_plan = true;
    plan_make(&code->start_plan, &code->start);
    code->has_start_plan = true;
    code->has_image = build(job, &code->plan, &code->image, &code->text);
    if (code->has_image)
        code->has_start_image = build(job, &code->start_plan, &code->start_image, &start);
    text_free(&start);
    return code->has_start_image;
}

void code_free(Build *code) {
    if (!code) return;
    if (code->has_image) image_free(&code->image);
    if (code->has_start_image) image_free(&code->start_image);
    if (code->has_plan) plan_free(&code->plan);
    if (code->has_start_plan) plan_free(&code->start_plan);
    structure_free(&code->start);
    structure_free(&code->structure);
    text_free(&code->text);
    free(code);
}
