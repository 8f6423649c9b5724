/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_variables.c -- rubato variables: names, values, units and descriptions.
 *
 * Of a result: a constant with its value, another one with its least and largest. Of a model: values at
 * the start, after initialisation. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "record/record.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

typedef struct Line { /* of the list */
    const char *name, *kind;
    char        value[48];
    const char *description;
} Line;

typedef struct List {
    Job    *job;
    regex_t wanted;
    bool    filtered;
    Line   *line;
    int     count, room;
} List;

static bool is_wanted(const List *list, const char *name) {
    return !list->filtered || regexec(&list->wanted, name, 0, NULL, 0) == 0;
}

static Line *add_line(List *list, const char *name, const char *kind) {
    list->line = arena_grow(&list->job->arena, list->line, sizeof(Line), &list->room,
                            list->count + 1);
    Line *line = &list->line[list->count++];
    *line = (Line){.name = arena_string(&list->job->arena, name, strlen(name)),
                   .kind = kind,
                   .description = ""};
    return line;
}

static void print_list(const List *list) {
    size_t wide = 4, value = 5;
    for (int k = 0; k < list->count; k++) {
        const size_t n = strlen(list->line[k].name), v = strlen(list->line[k].value);
        if (n > wide && n < 60) wide = n;
        if (v > value) value = v;
    }
    for (int k = 0; k < list->count; k++) {
        const Line *line = &list->line[k];
        printf("%-*s  %*s  %-10s", (int)wide, line->name, (int)value, line->value,
               line->kind);
        printf(*line->description ? "  %s\n" : "\n", line->description);
    }
}

/* ---- of a result ---- */

static void list_result(List *list, const Result *result) {
    for (int v = 0; v < result->variables; v++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        if (!is_wanted(list, result->name[v])) continue;
        for (int i = 0; i < (result->step[v] ? result->points : 1); i++) {
            const double y = result_value(result, v, i);
            low = fmin(low, y);
            high = fmax(high, y);
        }
        Line *line = add_line(list, result->name[v], result->step[v] ? "" : "constant");
        if (low == high) snprintf(line->value, sizeof line->value, "%.6g", low);
        else
            snprintf(line->value, sizeof line->value, "%.6g ... %.6g", low + 0.0,
                     high + 0.0);
        line->description = result->description[v] ? result->description[v] : "";
    }
}

static int variables_of_result(List *list, const char *path) {
    Result result = {0};
    if (!result_load(&result, path)) return EXIT_MODEL;
    list_result(list, &result);
    print_list(list);
    result_free(&result);
    return EXIT_DONE;
}

/* ---- of a model ---- */

static const char *kind_name(const RbVariable *v) {
    if (v->state) return "state";
    switch (v->kind) {
    case RB_DISCRETE: return "discrete";
    case RB_PARAMETER: return "parameter";
    case RB_CONSTANT: return "constant";
    case RB_INPUT: return "input";
    case RB_DERIVATIVE: return "derivative";
    default: return "";
    }
}

static void list_model(List *list, const RbProgram *program,
                       const RbSimulation *simulation) {
    char name[1024];
    for (int k = 0; k < rb_info(program).variables; k++) {
        RbVariable v = rb_variable(program, k, name, sizeof name);
        if (v.kind == RB_HIDDEN || !is_wanted(list, v.name)) continue;
        Line *line = add_line(list, v.name, kind_name(&v));
        snprintf(line->value, sizeof line->value, "%.6g",
                 rb_get_number(simulation, k) + 0.0); /* -0 is 0 */
        line->description =
            *v.unit ? arena_printf(&list->job->arena, "%s%s[%s]", v.description,
                                   *v.description ? " " : "", v.unit)
                    : arena_printf(&list->job->arena, "%s", v.description);
    }
}

static int variables_of_model(List *list) {
    Job       *job = list->job;
    RbError    error;
    int        status;
    RbProgram *program = job_translate(job, (RbRequest){0}, &status);
    if (!program) return status;
    RbSimulation *simulation = rb_simulation_new(program, NULL, &error);
    RbStatus      fine = simulation ? rb_initialise(simulation, &error) : error.status;
    if (fine == RB_OK) {
        list_model(list, program, simulation);
        print_list(list);
    } else if (simulation) {
        fputs(rb_simulation_messages(simulation, 0, job_style(job)), stderr);
    } else fprintf(stderr, "rubato: %s\n", error.text);
    rb_simulation_free(simulation);
    rb_program_free(program);
    return fine == RB_OK ? EXIT_DONE : EXIT_RUN;
}

bool is_result_file(const char *path) {
    size_t n = strlen(path);
    return n > 4 && (strcmp(path + n - 4, ".mat") == 0 || !strcmp(path + n - 4, ".csv"));
}

/* Modelica text: a file, or standard input. */
static bool names_text(const char *word) {
    size_t n = strlen(word);
    return strcmp(word, "-") == 0 || (n > 3 && strcmp(word + n - 3, ".mo") == 0);
}

int command_variables(Job *job) {
    Words *words = &job->options.arguments;
    List   list = {.job = job};
    if (words->count < 1) {
        fprintf(stderr, "rubato: variables needs a model or a result, then perhaps a "
                        "regular expression\n");
        return EXIT_USAGE;
    }
    const char *last = words->item[words->count - 1];
    if (words->count > 1 && !names_text(last)) {
        int wrong = regcomp(&list.wanted, last, REG_EXTENDED | REG_NOSUB);
        if (wrong) {
            char why[120];
            regerror(wrong, &list.wanted, why, sizeof why);
            fprintf(stderr, "rubato: '%s': %s\n", last, why);
            return EXIT_USAGE;
        }
        list.filtered = true;
        words->count--;
    }
    int status = is_result_file(words->item[0])
                     ? variables_of_result(&list, words->item[0])
                     : variables_of_model(&list);
    if (list.filtered && !list.count && status == EXIT_DONE) {
        fprintf(stderr, "rubato: '%s' matches no variable\n", last);
        status = EXIT_MODEL;
    }
    if (list.filtered) regfree(&list.wanted);
    return status;
}
