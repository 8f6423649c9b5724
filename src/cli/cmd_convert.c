/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_convert.c -- rubato convert: a result in another format, or fewer variables of it.
 *
 * Columns that are equal in the old file share one in the new file as far as the old one says so: a
 * variable refers to its column by address. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "record/record.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

typedef struct Conversion {
    Arena           arena;
    const Result   *from;
    RecordLayout    layout;
    RecordVariable *variable;
    int            *source;   /* by column: variable of the old result */
    double         *constant; /* values */
    Map             place;    /* address of data -> column */
} Conversion;

/* "text [unit]" into text and unit. */
static void split_description(Conversion *c, const char *text, RecordVariable *to) {
    const char *open = text ? strrchr(text, '[') : NULL;
    size_t      n = open ? strlen(open) : 0;
    to->description = text ? text : "";
    to->unit = "";
    if (n < 3 || open[n - 1] != ']') return;
    size_t before = (size_t)(open - text);
    while (before && text[before - 1] == ' ') before--;
    to->description = arena_string(&c->arena, text, before);
    to->unit = arena_string(&c->arena, open + 1, n - 2);
}

static void take_variable(Conversion *c, int v) {
    const Result   *r = c->from;
    RecordVariable *to = &c->variable[c->layout.variables++];
    uint64_t        key = (uint64_t)(uintptr_t)r->data[v];
    *to = (RecordVariable){
        .name = r->name[v], .constant = r->step[v] == 0, .negated = r->sign[v] < 0};
    split_description(c, r->description[v], to);
    int *count = to->constant ? &c->layout.constants : &c->layout.columns;
    if (!map_has(&c->place, key)) {
        map_put(&c->place, key, *count);
        if (to->constant) c->constant[*count] = r->data[v][0];
        else c->source[*count] = v;
        (*count)++;
    }
    to->column = (int)map_get(&c->place, key, 0);
}

static bool choose(Conversion *c, const char *pattern) {
    const Result *r = c->from;
    regex_t       wanted;
    int wrong = pattern ? regcomp(&wanted, pattern, REG_EXTENDED | REG_NOSUB) : 0;
    if (wrong) {
        fprintf(stderr, "rubato: --variables '%s' is no regular expression\n", pattern);
        return false;
    }
    c->variable = NEW(&c->arena, RecordVariable, r->variables + 1);
    c->source = NEW(&c->arena, int, r->variables + 1);
    c->constant = NEW(&c->arena, double, r->variables + 1);
    for (int v = 0; v < r->variables; v++)
        if (!pattern || regexec(&wanted, r->name[v], 0, NULL, 0) == 0)
            take_variable(c, v);
    if (pattern) regfree(&wanted);
    if (c->layout.variables || !pattern) return true;
    fprintf(stderr, "rubato: --variables '%s' matches no variable\n", pattern);
    return false;
}

static bool write_points(Conversion *c, const char *path) {
    const Result *r = c->from;
    double       *value = NEW(&c->arena, double, c->layout.columns + 1);
    c->layout.variable = c->variable;
    c->layout.constant = c->constant;
    c->layout.start = r->points ? r->time[0] : 0;
    c->layout.stop = r->points ? r->time[r->points - 1] : 0;
    Recorder *recorder = record_open(path, record_format(path), &c->layout);
    bool      good = recorder != NULL;
    for (int i = 0; i < r->points && good; i++) {
        for (int k = 0; k < c->layout.columns; k++) {
            const int v = c->source[k];
            value[k] = r->data[v][(size_t)i * (size_t)r->step[v]];
        }
        good = record_point(recorder, r->time[i], value);
    }
    int why = errno;
    if (recorder && !record_close(recorder)) good = false;
    if (!good) fprintf(stderr, "rubato: cannot write '%s': %s\n", path, strerror(why));
    return good;
}

int command_convert(Job *job) {
    const Words *words = &job->options.arguments;
    const char  *path = job->options.output;
    Result       result = {0};
    if (words->count != 1 || !path) {
        fprintf(stderr,
                "rubato: convert needs a result, and --output FILE.mat or .csv\n");
        return EXIT_USAGE;
    }
    if (!record_known(path)) {
        fprintf(stderr,
                "rubato: '%s': the ending of a result tells its format, .mat or .csv\n",
                path);
        return EXIT_USAGE;
    }
    if (!result_load(&result, words->item[0])) return EXIT_MODEL;
    Conversion c = {.from = &result};
    bool fine = choose(&c, job->options.simulate.variables) && write_points(&c, path);
    map_free(&c.place);
    arena_free(&c.arena);
    result_free(&result);
    return fine ? EXIT_DONE : EXIT_MODEL;
}
