/* SPDX-License-Identifier: Apache-2.0 */
/* results.h -- which variables of a model go into the result, and where. */
#ifndef RUBATO_RESULTS_H
#define RUBATO_RESULTS_H

#include "cli/cli.h"
#include "live/live.h"
#include "record/record.h"

typedef struct Results {
    Arena           arena;
    RecordVariable *variable;
    int             variables;
    int            *column; /* by column: the variable whose value it is  */
    int             columns;
    int            *constant; /* by constant column: the variable           */
    int             constants;
    double         *value; /* one point                                  */
} Results;

/* All variables whose names the extended regular expression matches; NULL: all. Aliases share a column. False after a message: a wrong expression. */
bool results_choose(Results *results, const Structure *st, const Strings *strings,
                    const char *pattern);
void results_free(Results *results);

#endif
