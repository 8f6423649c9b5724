/* SPDX-License-Identifier: Apache-2.0 */
/* results.c -- which variables of a model go into the result, and where.
 *
 * A variable that equals another, or its negative, shares the column of the one that is
 * computed; parameters and what equals them are constants of the result. Names are made here
 * once; nothing later looks at them. */
#define _POSIX_C_SOURCE 200809L
#include "cli/results.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

typedef struct Chooser {
    Results         *results;
    const Structure *st;
    const System    *sys;
    const Strings   *strings;
    const regex_t   *wanted; /* NULL: all                                       */
    Map              place;  /* kept variable -> column, constants from below 0 */
    int              room, column_room, constant_room;
} Chooser;

static const char *text_attribute(const Chooser *c, int run, AttributeName name) {
    const Attribute *a = system_attribute(c->sys, run, name);
    return a && a->kind == VALUE_ONE ? str_text(c->strings, (Str)a->value) : "";
}

static bool is_constant(const Chooser *c, int kept) {
    int kind = c->sys->run[system_run_of(c->sys, kept)].kind;
    return kind == VAR_PARAMETER || kind == VAR_CONSTANT;
}

/* The column of a kept variable, made when first asked for. */
static int place_of(Chooser *c, int kept, bool constant) {
    Results *r = c->results;
    if (map_has(&c->place, (uint64_t)kept))
        return (int)map_get(&c->place, (uint64_t)kept, 0);
    int  *count = constant ? &r->constants : &r->columns;
    int **list = constant ? &r->constant : &r->column;
    int  *room = constant ? &c->constant_room : &c->column_room;
    *list = arena_grow(&r->arena, *list, sizeof(int), room, *count + 1);
    (*list)[*count] = kept;
    map_put(&c->place, (uint64_t)kept, *count);
    return (*count)++;
}

static bool is_wanted(const Chooser *c, const VarRun *run, const char *name) {
    if (run->flags & VAR_HIDDEN || run->kind == VAR_PRE || run->kind == VAR_PREVIOUS ||
        run->type == TYPE_STRING || run->type == TYPE_OBJECT || run->type == TYPE_CLOCK)
        return false;
    return !c->wanted || regexec(c->wanted, name, 0, NULL, 0) == 0;
}

static void add_variable(Chooser *c, int r, int element, Text *name) {
    const VarRun *run = &c->sys->run[r];
    Results      *results = c->results;
    int           v = run->first + element, kept = c->st->alias[v];
    if (c->st->role[v] == ROLE_ABSENT) return;
    text_clear(name);
    system_name(c->sys, v, name);
    if (!is_wanted(c, run, text_get(name))) return;
    bool constant = is_constant(c, kept);
    results->variable =
        arena_grow(&results->arena, results->variable, sizeof(RecordVariable), &c->room,
                   results->variables + 1);
    results->variable[results->variables++] = (RecordVariable){
        .name = arena_string(&results->arena, text_get(name), name->length),
        .description = text_attribute(c, r, ATTR_COMMENT),
        .unit = text_attribute(c, r, ATTR_UNIT),
        .column = place_of(c, kept, constant),
        .constant = constant,
        .negated = c->st->sign[v] < 0};
}

bool results_choose(Results *results, const Structure *st, const Strings *strings,
                    const char *pattern) {
    regex_t wanted;
    Text    name = {0};
    Chooser c = {.results = results, .st = st, .sys = st->sys, .strings = strings};
    *results = (Results){0};
    if (pattern) {
        int error = regcomp(&wanted, pattern, REG_EXTENDED | REG_NOSUB);
        if (error) {
            char why[120];
            regerror(error, &wanted, why, sizeof why);
            fprintf(stderr, "rubato: --variables '%s': %s\n", pattern, why);
            return false;
        }
        c.wanted = &wanted;
    }
    for (int r = 0; r < st->sys->runs; r++)
        for (int i = 0; i < st->sys->run[r].count; i++) add_variable(&c, r, i, &name);
    results->value = NEW(&results->arena, double, results->columns + 1);
    if (pattern) regfree(&wanted);
    map_free(&c.place);
    text_free(&name);
    return true;
}

void results_free(Results *results) {
    arena_free(&results->arena);
    *results = (Results){0};
}
