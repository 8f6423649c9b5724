/* SPDX-License-Identifier: Apache-2.0 */
/* code.c -- the later passes: structural analysis, C text, code in memory.
 *
 * The running model, the system at its start and the parameters that depend on others all go
 * the same way. */
#include "cli/code.h"

#include <stdlib.h>
#include <string.h>

bool code_structure(Job *job) {
    Build  *build = job->code = calloc(1, sizeof *build);
    System *sys = &job->rows->sys;
    Diag   *diag = &job->session.diag;
    if (!build) return false;
    return structure_analyse(&build->run.structure, sys, diag) &&
           structure_initial(&build->start.structure, &build->run.structure, diag) &&
           structure_bindings(&build->bindings.structure, sys, diag);
}

static bool make_code(Job *job, Part *part, bool selective) {
    Text why = {0};
    plan_make(&part->plan, &part->structure);
    part->planned = true;
    part->plan.selective = selective;
    bool good = gen_text(&part->plan, &job->session.diag, &part->text);
    if (good && !image_tcc(&part->image, text_get(&part->text), &why)) {
        diag_report(&job->session.diag, 0, CODE_G102,
                    "the generated code was rejected: %s", text_get(&why));
        good = false;
    }
    part->built = good;
    text_free(&why);
    return good;
}

bool code_compile(Job *job) {
    Build *build = job->code;
    bool   parts = job->options.rates && strcmp(job->options.rates, "1") != 0;
    return make_code(job, &build->run, parts) && make_code(job, &build->start, false) &&
           make_code(job, &build->bindings, false);
}

static void free_part(Part *part) {
    if (part->built) image_free(&part->image);
    if (part->planned) plan_free(&part->plan);
    structure_free(&part->structure);
    text_free(&part->text);
}

void code_free(Build *build) {
    if (!build) return;
    free_part(&build->run);
    free_part(&build->start);
    free_part(&build->bindings);
    free(build);
}
