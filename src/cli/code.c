/* SPDX-License-Identifier: Apache-2.0 */
/* code.c -- the later passes: structural analysis, C text, code in memory.
 *
 * The running model, the system at its start and the parameters that depend on others all go
 * the same way. */
#include "cli/code.h"
#include "cli/setting.h"

#include <stdlib.h>
#include <string.h>

bool code_structure(Job *job) {
    Build  *build = job->code = calloc(1, sizeof *build);
    System *sys = &job->rows->sys;
    Diag   *diag = &job->session.diag;
    int    *given = NEW(&job->arena, int, job->settings + 1);
    int     n = 0;
    if (!build) return false;
    for (int i = 0; i < job->settings; i++)
        if (job->setting[i].var >= 0) given[n++] = job->setting[i].var;
    return structure_analyse(&build->run.structure, sys, diag) &&
           structure_bindings(&build->bindings.structure, sys, given, n, diag) &&
           structure_initial(&build->start.structure, &build->run.structure,
                             &build->bindings.structure, diag);
}

/* cache: the folder of tier 1; NULL for tier 0. selective: parts of it are to be evaluated. */
static bool make_code(Job *job, Part *part, const char *cache, bool selective) {
    Text why = {0}, text = {0};
    plan_make(&part->plan, &part->structure);
    part->planned = true;
    part->plan.selective = selective;
    if (!selective) plan_fuse(&part->plan);
    bool good = gen_text(&part->plan, &job->session.diag, &text);
    bool made = good && (cache ? image_native(&part->image, text_get(&text), cache, &why)
                               : image_tcc(&part->image, text_get(&text), &why));
    if (good && !made)
        diag_report(&job->session.diag, 0, CODE_G102,
                    "the generated code was rejected: %s", text_get(&why));
    part->built = made;
    if (made) {
        part->image.text = text;
        image_with_tangents(&part->image, &part->plan, cache);
    } else {
        text_free(&text);
    }
    text_free(&why);
    return made;
}

/* What runs once is not worth the time of an optimising compiler. */
bool code_compile(Job *job) {
    Build      *build = job->code;
    bool        parts = job->options.rates && strcmp(job->options.rates, "1") != 0;
    const char *cache = job->options.tier && strcmp(job->options.tier, "1") == 0
                            ? files_cache(job)
                            : NULL;
    return make_code(job, &build->run, cache, parts) &&
           make_code(job, &build->start, NULL, false) &&
           make_code(job, &build->bindings, NULL, false);
}

static void free_part(Part *part) {
    if (part->built) image_free(&part->image);
    if (part->planned) plan_free(&part->plan);
    structure_free(&part->structure);
}

void code_free(Build *build) {
    if (!build) return;
    free_part(&build->run);
    free_part(&build->start);
    free_part(&build->bindings);
    free(build);
}
