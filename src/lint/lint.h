/* SPDX-License-Identifier: Apache-2.0 */
/* lint.h -- what is right and yet may be a mistake: codes W.
 *
 *   lint.c   the table of rules, their switches; the classes of a file
 *   names.c  names: unused, shadowed
 *   words.c  declarations: description, unit, Evaluate
 *   sense.c  equations: if without else, comparisons of Reals, events that can be avoided
 *
 * Rules look at one file. Types come from the front end (resolve.h), whose lookup reads other files
 * as it needs them. */
#ifndef RUBATO_LINT_H
#define RUBATO_LINT_H

#include "inst/resolve.h"

typedef enum {
#define RULE(id, code, name) LINT_##id,
#include "lint/rules.def"
#undef RULE
    LINT_COUNT
} LintRule;

typedef struct LintRules {
    bool off[LINT_COUNT];
} LintRules;

const char *lint_name(int rule); /* "unused-variable" */
Code        lint_code(int rule);
/* "-missing-unit,-W103": off; "unused-variable,W105": these alone. False: *wrong is no rule. */
bool lint_choose(LintRules *rules, const char *text, Text *wrong);
/* Messages go to the session of the front end. */
void lint_file(Front *front, const StoredFile *file, const LintRules *rules);

#endif
