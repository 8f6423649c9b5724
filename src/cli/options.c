/* SPDX-License-Identifier: Apache-2.0 */
/* options.c -- one table of options gives parsing, messages and help. */
#include "cli/cli.h"

#include <string.h>

/* OPTIONAL: a value only after '=', else it is "" */
typedef enum { KIND_FLAG, KIND_VALUE, KIND_OPTIONAL, KIND_WORDS } Kind;

typedef struct Option {
    const char *name;  /* "--library"                                         */
    const char *value; /* how the value is called in the help; NULL for flags */
    Kind        kind;
    size_t      field;    /* in Options                                          */
    const char *commands; /* " parse format ", or "" for all                     */
    const char *help;
} Option;

static const Option table[] = {
#define OPTION(name, value, kind, field, commands, help)                                 \
    {name, value, KIND_##kind, offsetof(Options, field), commands, help},
#include "cli/options.def"
#undef OPTION
};

/* Does a command have the option? */
static bool belongs(const Option *option, const char *command) {
    char wanted[40];
    snprintf(wanted, sizeof wanted, " %s ", command);
    return !*option->commands || strstr(option->commands, wanted);
}

const char *option_name(int index, const char *command) {
    if (index >= LENGTH(table)) return NULL;
    return belongs(&table[index], command) ? table[index].name : "";
}

static void print_option(FILE *out, const Option *option) {
    char left[40];
    bool optional = option->kind == KIND_OPTIONAL;
    snprintf(left, sizeof left, "%s%s%s%s", option->name,
             optional        ? "[="
             : option->value ? " "
                             : "",
             option->value ? option->value : "", optional ? "]" : "");
    fprintf(out, "  %-23s %s\n", left, option->help);
}

static void help_all(FILE *out) {
    fprintf(out, "Rubato, a Modelica compiler and simulator.\n\n"
                 "  rubato COMMAND [options] ...\n\n");
    for (int i = 0; command_info(i); i++)
        fprintf(out, "  %-10s %-22s %s\n", command_info(i)->name,
                command_info(i)->arguments, command_info(i)->help);
    fprintf(
        out,
        "\nTARGET is FILE.mo (its last model, or the one that --model names), the full\n"
        "name of a class in a library, - for standard input, a file that\n"
        "'rubato build' wrote, or of simulate an FMU. Further .mo files may stand before "
        "it.\n"
        "RESULT is a .mat or .csv file. 'rubato help COMMAND' lists options and "
        "examples.\n\n");
}

void options_help(FILE *out, const char *command) {
    const CommandInfo *info = command ? command_find(command) : NULL;
    if (!info) help_all(out);
    else {
        fprintf(out, "rubato %s [options] %s\n", info->name, info->arguments);
        fprintf(out, "%s\n\nExamples:\n", info->help);
        for (const char *line = info->examples; *line;) {
            size_t n = strcspn(line, "\n");
            fprintf(out, "  %.*s\n", (int)n, line);
            line += n + (line[n] == '\n');
        }
        fprintf(out, "\n");
    }
    fprintf(out, info ? "Options:\n" : "Options of all commands:\n");
    for (int i = 0; i < LENGTH(table); i++)
        if (info ? belongs(&table[i], info->name) : !*table[i].commands)
            print_option(out, &table[i]);
    fprintf(out, "  %-23s %s\n", "--diagnostics=json",
            "messages as JSON, one object a line");
    fprintf(out, "\nExit status: 0 done, 1 wrong model or input, 2 wrong command line, "
                 "3 failed simulation, 4 defect of ours.\n");
}

void words_add(Arena *arena, Words *words, const char *word) {
    words->item = arena_grow(arena, words->item, sizeof(char *), &words->capacity,
                             words->count + 1);
    words->item[words->count++] = word;
}

static bool usage(const char *text, const char *word, const char *best) {
    fprintf(stderr, "rubato: %s '%s'", text, word);
    if (best) fprintf(stderr, "; did you mean '%s'?", best);
    fprintf(stderr, "\nTry 'rubato help'.\n");
    return false;
}

static const Option *find(const char *name, size_t length) {
    for (int i = 0; i < LENGTH(table); i++)
        if (text_is(table[i].name, name, length)) return &table[i];
    return NULL;
}

static bool unknown_option(const char *word, size_t length) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    Suggest suggest = suggest_start(name);
    for (int i = 0; i < LENGTH(table); i++) suggest_candidate(&suggest, table[i].name);
    suggest_candidate(&suggest, "--diagnostics");
    return usage("unknown option", name, suggest.best);
}

static bool set_diagnostics(Options *options, const char *value) {
    if (strcmp(value, "json") == 0) options->json = true;
    else if (strcmp(value, "text") == 0) options->json = false;
    else return usage("--diagnostics is text or json, not", value, NULL);
    return true;
}

static void set_value(Job *job, const Option *option, const char *value) {
    char *field = (char *)&job->options + option->field;
    switch (option->kind) {
    case KIND_FLAG: *(bool *)field = true; break;
    case KIND_OPTIONAL:
    case KIND_VALUE: *(const char **)field = value; break;
    case KIND_WORDS: words_add(&job->arena, (Words *)field, value); break;
    }
}

bool option_set(Job *job, const char *name, const char *value) {
    const Option *option = find(name, strlen(name));
    if (option) set_value(job, option, value);
    return option != NULL;
}

static bool take_option(Job *job, int argc, char **argv, int *i) {
    const char   *word = strcmp(argv[*i], "-o") == 0   ? "--output"
                         : strcmp(argv[*i], "-h") == 0 ? "--help"
                                                       : argv[*i];
    const char   *sign = strchr(word, '=');
    size_t        length = sign ? (size_t)(sign - word) : strlen(word);
    const char   *value = sign ? sign + 1 : NULL;
    bool          diagnostics = length == 13 && strncmp(word, "--diagnostics", 13) == 0;
    const Option *option = find(word, length);
    if (!option && !diagnostics) return unknown_option(word, length);
    bool wants = diagnostics || option->kind != KIND_FLAG;
    if (!wants && value) return usage("this option takes no value:", word, NULL);
    if (wants && !value && option && option->kind == KIND_OPTIONAL) value = "";
    if (wants && !value) {
        if (*i + 1 >= argc) return usage("a value is missing after", word, NULL);
        value = argv[++*i];
    }
    if (diagnostics) return set_diagnostics(&job->options, value);
    set_value(job, option, value);
    return true;
}

/* An option of another command is a mistake worth telling. */
static bool check_commands(const Job *job, int argc, char **argv) {
    if (!job->options.command) return true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) break;
        if (strncmp(argv[i], "--", 2) != 0) continue;
        const Option *option = find(argv[i], strcspn(argv[i], "="));
        if (!option || belongs(option, job->options.command)) continue;
        fprintf(stderr, "rubato: '%s' has no option %s\n", job->options.command,
                option->name);
        return false;
    }
    return true;
}

bool options_parse(Job *job, int argc, char **argv) {
    bool only_arguments = false;
    for (int i = 1; i < argc; i++) {
        if (!only_arguments && strcmp(argv[i], "--") == 0) {
            only_arguments = true;
        } else if (!only_arguments && argv[i][0] == '-' && argv[i][1]) {
            int used = 0;
            if (argv[i][1] != '-' &&
                !known_flag(job, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used))
                return false;
            if (used) i += used - 1;
            else if (!take_option(job, argc, argv, &i)) return false;
        } else if (!job->options.command) {
            job->options.command = argv[i];
        } else {
            words_add(&job->arena, &job->options.arguments, argv[i]);
        }
    }
    if (job->options.override && !override_file(job, job->options.override)) return false;
    return check_commands(job, argc, argv);
}
