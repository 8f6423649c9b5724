/* SPDX-License-Identifier: Apache-2.0 */
/* script.h -- private to cli: scripts of `rubato run`.
 *
 *   script.c          the text of a script as statements
 *   script_value.c    statements and expressions are executed
 *   script_results.c  functions that read results and files
 *   cmd_run.c         functions that translate and simulate; the table of all functions */
#ifndef RUBATO_CLI_SCRIPT_H
#define RUBATO_CLI_SCRIPT_H

#include "cli/cli.h"

typedef struct ScriptValue { /* text NULL: none, nothing is printed */
    const char *text;        /* of a String its content, else as it is printed */
    bool        string;
} ScriptValue;

typedef struct ScriptArgument {
    const char *name; /* of name = value, NULL: by place */
    ScriptValue value;
} ScriptArgument;

typedef struct ScriptCall { /* function(arguments) */
    const char     *function;
    ScriptArgument *argument;
    int             arguments;
} ScriptCall;

typedef struct ScriptVariable { /* name := value */
    const char *name;
    ScriptValue value;
} ScriptVariable;

typedef struct Run { /* of a script */
    Job            *job;
    Arena          *arena;
    Words           files;  /* loaded, the last one last */
    Words           made;   /* files of loadString, removed at the end */
    const char     *result; /* file of the last simulation, NULL: none */
    Text            errors; /* of getErrorString */
    ScriptVariable *variable;
    int             variables, room;
    int             depth;  /* of loops and branches: values are printed at depth 0 */
    bool            silent; /* echo(false) */
    bool            ended;  /* quit() */
    bool            wrong;  /* a mistake in the script, told */
    int             status;
} Run;

/* The statements of a script; NULL: a message was printed or reported. */
const Section *script_read(Run *run, const char *path);
/* Executes them until quit() or a mistake. */
void script_execute(Run *run, const Clause *const *clause, uint32_t count);

/* ---- values ---- */
ScriptValue script_text(Run *run, const char *text);   /* a String */
ScriptValue script_symbol(Run *run, const char *text); /* true, 3.5, {1, 2}, a name */
ScriptValue script_truth(bool fine);
ScriptValue script_nothing(void);
/* As it is printed: a String in quotes. */
const char *script_shown(Run *run, ScriptValue value);
/* The argument of that name, else the one at a place (from 0, -1: none), else otherwise. */
const char *script_argument(const ScriptCall *call, const char *name, int place,
                            const char *otherwise);
/* {a, b[1,2]} or a: its elements are appended, Strings without quotes. */
void script_list(Arena *arena, const char *text, Words *words);

/* ---- functions ---- */
typedef ScriptValue ScriptFunction(Run *run, const ScriptCall *call);
typedef struct ScriptEntry {
    const char     *name;
    ScriptFunction *run;
} ScriptEntry;
/* NULL: there is no function of that name; *like is then one that looks like it, or NULL. */
const ScriptEntry *script_function(const char *name, const char **like);

/* script_results.c */
ScriptFunction script_val, script_read_result, script_result_size, script_result_vars;
ScriptFunction script_file_exists, script_write_file, script_read_file,
    script_delete_file;
ScriptFunction script_make_folder, script_change_folder;

#endif
