/* SPDX-License-Identifier: Apache-2.0 */
/* commands.c -- one table of commands: what they do, how they are called, examples. */
#include "cli/cli.h"

#include <string.h>

static const CommandInfo table[] = {
#define COMMAND(name, run, arguments, does, examples)                                    \
    {name, command_##run, arguments, does, examples},
#include "cli/commands.def"
#undef COMMAND
};

const CommandInfo *command_info(int index) {
    return index < LENGTH(table) ? &table[index] : NULL;
}

const CommandInfo *command_find(const char *name) {
    for (int i = 0; i < LENGTH(table); i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

int unknown_command(const char *name) {
    Suggest suggest = suggest_start(name);
    for (int i = 0; i < LENGTH(table); i++) suggest_candidate(&suggest, table[i].name);
    size_t n = strlen(name);
    fprintf(stderr, "rubato: unknown command '%s'", name);
    if (suggest.best) fprintf(stderr, "; did you mean '%s'?", suggest.best);
    else if (n > 3 && strcmp(name + n - 3, ".mo") == 0)
        fprintf(stderr, "; did you mean 'rubato simulate %s'?", name);
    fprintf(stderr, "\nTry 'rubato help'.\n");
    return EXIT_USAGE;
}

int command_help(Job *job) {
    const Words *words = &job->options.arguments;
    if (words->count && !command_find(words->item[0]))
        return unknown_command(words->item[0]);
    options_help(stdout, words->count ? words->item[0] : NULL);
    return EXIT_DONE;
}
