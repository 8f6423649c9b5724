/* SPDX-License-Identifier: Apache-2.0 */
/* linter.h -- private to this folder: what its files share. */
#ifndef RUBATO_LINTER_H
#define RUBATO_LINTER_H

#include "lint/lint.h"

typedef struct Linter {
    Front            *front;
    const StoredFile *file;
    const LintRules  *rules;
} Linter;

/* Reports unless the rule is off; the code comes from the rule. */
void lint_say(const Linter *l, LintRule rule, Pos pos, const char *format, ...)
    PRINTF_LIKE(4, 5);
bool lint_is_on(const Linter *l, LintRule rule);
/* One class with the classes around it; nested classes come by themselves. */
void lint_names(const Linter *l, const Class *class_, const ClassScope *in);
void lint_words(const Linter *l, const Class *class_, const ClassScope *in);
void lint_sense(const Linter *l, const Class *class_, const ClassScope *in);
/* The built-in type of a declaration, BASIC_BAD if it is not known. */
Basic lint_basic(const Linter *l, const NameUse *use);

#endif
