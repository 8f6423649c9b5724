/* SPDX-License-Identifier: Apache-2.0 */
/* code.h -- from rows to something that runs: the results of the later passes. */
#ifndef RUBATO_CODE_H
#define RUBATO_CODE_H

#include "cli/cli.h"
#include "flat/flat.h"
#include "gen/gen.h"

typedef struct Build {
    Structure structure; /* pass structure: of the running model            */
    Structure start;     /* of the system at the start                      */
    Plan      plan, start_plan;
    Text      text; /* pass compile: C text                            */
    Image     image, start_image;
    bool      has_plan, has_start_plan, has_image, has_start_image;
} Build;

bool code_structure(Job *job); /* the passes */
bool code_compile(Job *job);
void code_free(Build *code);

#endif
