/* SPDX-License-Identifier: Apache-2.0 */
/* known_flags.c -- the flags that people know from OpenModelica's simulations.
 *
 * -stopTime=5, -override=a=1,b=2 and so on mean options of ours; a table says which. A value stands
 * after the sign or is the next word. Flags that only concern logs are taken and ignored; a flag
 * whose effect would be missed is refused with a word. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

typedef struct KnownFlag {
    const char *flag, *option; /* option: NULL for those with a rule of their own */
} KnownFlag;

static const KnownFlag flags[] = {
    {"-startTime", "--start"},
    {"-stopTime", "--stop"},
    {"-stepSize", "--interval"},
    {"-tolerance", "--tolerance"},
    {"-r", "--output"},
    {"-override", NULL},
    {"-overrideFile", NULL},
    {"-s", NULL},
    {"-outputFormat", NULL},
    {"-variableFilter", NULL},
    {"-lv", NULL},
    {"-maxStepSize", "--max-step"},
};

static const struct {
    const char *theirs, *option, *value;
} solvers[] = {
    {"dassl", "--solver", "ida"},           {"ida", "--solver", "ida"},
    {"cvode", "--solver", "cvode"},         {"gbode", "--method", "auto"},
    {"euler", "--method", "euler"},         {"impeuler", "--method", "impl_euler"},
    {"heun", "--method", "heun"},           {"rungekutta", "--method", "rk4"},
    {"trapezoid", "--method", "trapezoid"}, {"rungekuttaSsc", "--method", "dopri5"},
};

static const KnownFlag *find_flag(const char *word, size_t length) {
    for (int k = 0; k < LENGTH(flags); k++)
        if (text_is(flags[k].flag, word, length)) return &flags[k];
    return NULL;
}

/* a=1,b={1,2},c="x,y" at the commas outside of brackets and texts. */
static void take_override(Job *job, const char *text) {
    int    depth = 0;
    bool   quoted = false;
    size_t begin = 0;
    for (size_t k = 0;; k++) {
        const char c = text[k];
        if (c == '"') quoted = !quoted;
        if (!quoted && (c == '{' || c == '(' || c == '[')) depth++;
        if (!quoted && (c == '}' || c == ')' || c == ']')) depth--;
        if (c && !(c == ',' && !quoted && depth == 0)) continue;
        if (k > begin)
            words_add(&job->arena, &job->options.set,
                      arena_string(&job->arena, text + begin, k - begin));
        begin = k + 1;
        if (!c) return;
    }
}

bool override_file(Job *job, const char *path) {
    char  line[4096];
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "rubato: cannot read '%s'\n", path);
        return false;
    }
    while (fgets(line, sizeof line, file)) {
        size_t      n = strcspn(line, "\r\n");
        const char *begin = line + strspn(line, " \t");
        line[n] = 0;
        if (!*begin || *begin == '#' || strncmp(begin, "//", 2) == 0) continue;
        words_add(&job->arena, &job->options.set,
                  arena_string(&job->arena, begin, strlen(begin)));
    }
    fclose(file);
    return true;
}

static bool take_solver(Job *job, const char *name) {
    for (int k = 0; k < LENGTH(solvers); k++)
        if (strcmp(solvers[k].theirs, name) == 0)
            return option_set(job, solvers[k].option, solvers[k].value);
    fprintf(stderr, "rubato: -s=%s: there is no such solver here; known are", name);
    for (int k = 0; k < LENGTH(solvers); k++) fprintf(stderr, " %s", solvers[k].theirs);
    fprintf(stderr, "\n");
    return false;
}

static bool take_format(Job *job, const char *format) {
    job->options.simulate.format = format;
    if (!strcmp(format, "mat") || !strcmp(format, "csv") || !strcmp(format, "empty"))
        return true;
    fprintf(stderr, "rubato: -outputFormat is mat, csv or empty, not '%s'\n", format);
    return false;
}

bool known_flag(Job *job, const char *word, const char *next, int *used) {
    const char      *sign = strchr(word, '=');
    size_t           length = sign ? (size_t)(sign - word) : strlen(word);
    const KnownFlag *flag = find_flag(word, length);
    const char      *value = sign ? sign + 1 : next;
    *used = 0;
    if (!flag) return true;
    *used = sign ? 1 : 2;
    if (!value) {
        fprintf(stderr, "rubato: a value is missing after '%s'\n", word);
        return false;
    }
    if (flag->option) return option_set(job, flag->option, value);
    switch (flag->flag[1]) {
    case 's': return take_solver(job, value);
    case 'l': return strstr(value, "LOG_STATS") ? option_set(job, "--stats", "-") : true;
    case 'v':
        return option_set(job, "--variables", arena_printf(&job->arena, "^(%s)$", value));
    case 'o':
        if (strcmp(flag->flag, "-outputFormat") == 0) return take_format(job, value);
        if (strcmp(flag->flag, "-overrideFile") == 0) return override_file(job, value);
        take_override(job, value);
        return true;
    default: return true;
    }
}
