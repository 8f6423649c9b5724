/* SPDX-License-Identifier: Apache-2.0 */
/* code.h -- from rows to something that runs: the results of the later passes. */
#ifndef RUBATO_CODE_H
#define RUBATO_CODE_H

#include "cli/cli.h"
#include "flat/flat.h"
#include "live/live.h"

typedef struct Part { /* equations on their way to code                              */
    Structure structure;
    Plan      plan;
    Image     image; /* with its text                                               */
    bool      planned, built; /* plan and image are to be freed                       */
} Part;

typedef struct Build {
    Part run;      /* the running model                                              */
    Part start;    /* the system at its start                                        */
    Part bindings; /* parameters computed from others                                */
} Build;

bool code_structure(Job *job); /* the passes */
bool code_compile(Job *job);
void code_free(Build *build);

#endif
