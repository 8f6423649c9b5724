/* SPDX-License-Identifier: Apache-2.0 */
/* script.h -- private to cli: a script as a list of calls. */
#ifndef RUBATO_CLI_SCRIPT_H
#define RUBATO_CLI_SCRIPT_H

#include "cli/cli.h"

typedef struct ScriptArgument {
    const char *name;  /* of name = value, NULL: by place */
    const char *value; /* a text without its quotes, anything else as written */
} ScriptArgument;

typedef struct ScriptCall {   /* [name :=] function(arguments);  or a literal */
    const char     *assigned; /* NULL: not */
    const char     *function; /* NULL: a literal or the name of a variable */
    const char     *literal;
    ScriptArgument *argument;
    int             arguments, room;
    int             line; /* from 1 */
} ScriptCall;

typedef struct Script {
    Arena      *arena;
    const char *at;    /* the rest of the text */
    int         line;  /* from 1 */
    const char *wrong; /* why it cannot go on, NULL: it can */
} Script;

bool script_read(Script *script, const char *path); /* false and errno */
/* The next statement; false at the end, or if script->wrong says why. */
bool script_next(Script *script, ScriptCall *call);
/* The argument of that name, else the one at a place (from 0, -1: none), else otherwise. */
const char *script_argument(const ScriptCall *call, const char *name, int place,
                            const char *otherwise);
/* {a, b[1,2]} or a: its elements are appended. */
void script_list(Arena *arena, const char *text, Words *words);

#endif
