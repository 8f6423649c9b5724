/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_completion.c -- rubato completion: scripts that complete commands and options in a shell.
 *
 * They are made from the tables of commands and options, so they never lag behind. What is neither
 * a command nor an option is completed as a file. */
#include "cli/cli.h"

#include <string.h>

static void print_options(const char *command) {
    for (int k = 0; option_name(k, command); k++)
        if (*option_name(k, command)) printf("%s ", option_name(k, command));
}

static void print_bash(void) {
    printf("_rubato() {\n    local word=${COMP_WORDS[COMP_CWORD]} options\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    for (int i = 0; command_info(i); i++) printf("%s ", command_info(i)->name);
    printf("\" -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; command_info(i); i++) {
        printf("    %s) options=\"", command_info(i)->name);
        print_options(command_info(i)->name);
        printf("\" ;;\n");
    }
    printf("    esac\n    case $word in\n"
           "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
           "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
           "complete -o filenames -F _rubato rubato\n");
}

static void print_zsh(void) {
    printf("#compdef rubato\nlocal -a commands options\ncommands=(\n");
    for (int i = 0; command_info(i); i++)
        printf("  '%s:%s'\n", command_info(i)->name, command_info(i)->help);
    printf(")\nif (( CURRENT == 2 )); then _describe command commands; return; fi\n"
           "case $words[2] in\n");
    for (int i = 0; command_info(i); i++) {
        printf("  %s) options=(", command_info(i)->name);
        print_options(command_info(i)->name);
        printf(") ;;\n");
    }
    printf("esac\n[[ $PREFIX == -* ]] && compadd -a options || _files\n");
}

static void print_fish(void) {
    for (int i = 0; command_info(i); i++) {
        const char *name = command_info(i)->name;
        printf("complete -c rubato -n __fish_use_subcommand -a %s -d \"%s\"\n", name,
               command_info(i)->help);
        for (int k = 0; option_name(k, name); k++)
            if (*option_name(k, name))
                printf("complete -c rubato -n \"__fish_seen_subcommand_from %s\" -l %s\n",
                       name, option_name(k, name) + 2);
    }
}

int command_completion(Job *job) {
    const Words *words = &job->options.arguments;
    const char  *shell = words->count == 1 ? words->item[0] : "";
    if (strcmp(shell, "bash") == 0) print_bash();
    else if (strcmp(shell, "zsh") == 0) print_zsh();
    else if (strcmp(shell, "fish") == 0) print_fish();
    else {
        fprintf(stderr, "rubato: completion is for bash, zsh or fish\n");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}
