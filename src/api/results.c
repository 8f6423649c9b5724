/* SPDX-License-Identifier: Apache-2.0 */
/* results.c -- which variables of a model go into the result, and where.
 *
 * A variable that equals another, or its negative, shares the column of the one that is
 * computed; parameters and what equals them are constants of the result. Names are made here
 * once; nothing later looks at them. */
#define _POSIX_C_SOURCE 200809L
#include "api/api.h"

#include <errno.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

typedef struct Chooser {
    Results       *results;
    const Program *program;
    const regex_t *wanted; /* NULL: all                                       */
    Map            place;  /* kept variable -> column                         */
    int            room, column_room, constant_room;
    int            family;      /* whose variables are chosen, -1: all */
    int64_t        at;          /* ... and its instance */
    bool           lacking;     /* there is no memory */
    bool           derivatives; /* of states, too */
    bool           varying;     /* only what changes */
    bool           all;         /* of each family all instances */
} Chooser;

#define MOST_SHOWN 16777216.0 /* variables of all instances of families */

static const char *text_attribute(const Chooser *c, int run, AttributeName name) {
    const Attribute *a = variables_attribute(&c->program->variables, run, name);
    return a && a->kind == VALUE_ONE ? program_text(c->program, (int)a->value) : "";
}

/* What neighbours in a network give is known to a part, but changes. */
static bool is_constant(const Chooser *c, int kept) {
    const Variables *all = &c->program->variables;
    const VarRun    *run = &all->run[variables_run(all, kept)];
    if (run->flags & VAR_HIDDEN && c->program->batches.network.ports) return false;
    return run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT;
}

/* The column of a kept variable, made when first asked for. */
static int place_of(Chooser *c, int kept, bool constant) {
    Results *r = c->results;
    if (map_has(&c->place, (uint64_t)kept))
        return (int)map_get(&c->place, (uint64_t)kept, 0);
    int  *count = constant ? &r->constants : &r->columns;
    int **list = constant ? &r->constant : &r->column;
    int  *room = constant ? &c->constant_room : &c->column_room;
    int  *more = arena_grow(&r->arena, *list, sizeof(int), room, *count + 1);
    c->lacking |= !more || !map_put(&c->place, (uint64_t)kept, *count);
    if (c->lacking) return 0;
    *list = more;
    (*list)[*count] = kept;
    return (*count)++;
}

static bool is_wanted(const Chooser *c, const VarRun *run, const char *name) {
    bool derivative = run->kind == VAR_DER && c->derivatives && c->family < 0;
    if ((run->flags & VAR_HIDDEN && !derivative) || run->kind == VAR_PRE ||
        run->kind == VAR_PREVIOUS || run->type == TYPE_STRING ||
        run->type == TYPE_OBJECT || run->type == TYPE_CLOCK)
        return false;
    return !c->wanted || regexec(c->wanted, name, 0, NULL, 0) == 0;
}

static void add_variable(Chooser *c, int r, int element, Text *name) {
    const Reduced *reduced = &c->program->reduced;
    const VarRun  *run = &c->program->variables.run[r];
    Results       *results = c->results;
    int            v = run->first + element, kept = reduced->alias[v];
    if (reduced->role[v] == ROLE_ABSENT) return;
    if (c->family >= 0 && c->program->batches.of_run[r] != c->family) return;
    text_clear(name);
    if (c->family >= 0) program_instance_name(c->program, v, c->at, name);
    else program_name(c->program, v, name);
    if (!is_wanted(c, run, text_get(name))) return;
    bool constant = is_constant(c, kept);
    if (constant && c->varying) return;
    RecordVariable *more =
        arena_grow(&results->arena, results->variable, sizeof(RecordVariable), &c->room,
                   results->variables + 1);
    char *copy = arena_string(&results->arena, text_get(name), name->length);
    c->lacking |= !more || !copy || name->failed;
    if (c->lacking) return;
    results->variable = more;
    results->variable[results->variables++] =
        (RecordVariable){.name = copy,
                         .description = text_attribute(c, r, ATTR_COMMENT),
                         .unit = text_attribute(c, r, ATTR_UNIT),
                         .column = place_of(c, kept, constant),
                         .constant = constant,
                         .negated = reduced->sign[v] < 0,
                         .whole = run->type != TYPE_REAL};
}

static void choose_all(Chooser *c) {
    const Variables *all = &c->program->variables;
    Text             name = {0};
    for (int r = 0; r < all->runs && !c->lacking; r++)
        for (int i = 0; i < all->run[r].count && !c->lacking; i++)
            add_variable(c, r, i, &name);
    map_free(&c->place);
    text_free(&name);
}

/* The variables of one instance of a family; their columns follow each other. */
static void choose_instance(Chooser *c, int family, int64_t at) {
    Results *r = c->results;
    Shown   *more =
        arena_grow(&r->arena, r->view, sizeof(Shown), &r->view_room, r->views + 1);
    c->lacking |= !more;
    if (c->lacking) return;
    r->view = more;
    c->family = family;
    c->at = at;
    choose_all(c);
    r->view[r->views++] = (Shown){family, at, r->columns, r->constants};
}

/* Numbers from 1 to that of the largest array, separated by commas. */
static bool are_instances(const Batches *families, const char *text) {
    int64_t most = 0;
    for (int m = 0; m < families->members; m++)
        if (families->member[m].count > most) most = families->member[m].count;
    for (const char *p = text; most;) {
        char   *end;
        int64_t at = strtoll(p, &end, 10);
        if (end == p || at < 1 || at > most) return false;
        if (!*end) return true;
        if (*end != ',') return false;
        p = end + 1;
    }
    return false;
}

/* Families that nobody asked for are recorded as any model is, as long as names and values have room. */
static bool all_are_shown(const Program *p) {
    const Batches *families = &p->batches;
    double         variables = 0;
    for (int r = 0; families->chosen && r < p->variables.runs; r++) {
        int family = families->of_run[r];
        if (family >= 0)
            variables +=
                (double)families->batch[family].count * p->variables.run[r].count;
    }
    return families->chosen && variables <= MOST_SHOWN;
}

/* Of a declaration the first and the last instance, or those asked for, counted from 1. */
static void choose_member(Chooser *c, int family, int64_t first, int64_t count,
                          const char *instances) {
    if (!instances && c->all) {
        for (int64_t at = first; at < first + count && !c->lacking; at++)
            choose_instance(c, family, at);
        return;
    }
    if (!instances || count == 1) {
        choose_instance(c, family, first);
        if (count > 1) choose_instance(c, family, first + count - 1);
    }
    for (const char *p = instances; count > 1 && p && *p;) {
        char   *end;
        int64_t at = strtoll(p, &end, 10);
        if (end == p) break;
        if (at >= 1 && at <= count) choose_instance(c, family, first + at - 1);
        p = *end == ',' ? end + 1 : end;
    }
}

static bool choose(Chooser *c, const char *instances) {
    const Batches *families = &c->program->batches;
    c->family = -1;
    c->all = all_are_shown(c->program);
    if (!families->count) choose_all(c);
    for (int f = 0; f < families->count; f++) {
        const BatchInfo *info = &families->batch[f];
        if (!info->members) choose_member(c, f, 0, 1, instances);
        for (int k = 0; k < info->members; k++) {
            const BatchMember *m = &families->member[info->member + k];
            choose_member(c, f, m->first, m->count, instances);
        }
    }
    return !c->lacking;
}

RbStatus results_open(RbSimulation *s, const char *path, const char *pattern,
                      RbError *error) {
    regex_t        wanted;
    const Batches *families = &s->program->program->batches;
    const char    *instances = s->options.instances;
    if (instances && !are_instances(families, instances))
        return error_set(error, RB_ARGUMENT,
                         families->count ? "--instances '%s': these are no numbers of "
                                           "instances, separated by commas"
                                         : "--instances '%s' needs --components",
                         instances);
    Results *results = mem_take(1, sizeof *results);
    Chooser  c = {.results = results,
                  .program = s->program->program,
                  .derivatives = s->options.derivatives,
                  .varying = s->options.parameters == RB_PARAMETERS_NONE};
    if (!results) return error_set(error, RB_NO_MEMORY, "there is no memory");
    if (!record_known(path)) {
        mem_free(results);
        return error_set(error, RB_ARGUMENT,
                         "'%s': the ending of a result tells its format, .mat or .csv",
                         path);
    }
    if (pattern) {
        int wrong = regcomp(&wanted, pattern, REG_EXTENDED | REG_NOSUB);
        if (wrong) {
            char why[120];
            regerror(wrong, &wanted, why, sizeof why);
            mem_free(results);
            return error_set(error, RB_ARGUMENT, "--variables '%s': %s", pattern, why);
        }
        c.wanted = &wanted;
    }
    bool fine = choose(&c, instances);
    /* '^$' asks for nothing, and gets it */
    bool nothing = pattern && regexec(&wanted, "", 0, NULL, 0) == 0;
    if (pattern) regfree(&wanted);
    if (fine && pattern && !nothing && !results->variables) {
        results_close(results);
        return error_set(error, RB_ARGUMENT,
                         "--variables '%s' matches no variable of the model", pattern);
    }
    text_add(&results->path, path);
    results->value =
        arena_take(&results->arena, sizeof(double), (size_t)results->columns + 1);
    if (fine && results->value && !results->path.failed) {
        s->results = results;
        return RB_OK;
    }
    results_close(results);
    return error_set(error, RB_NO_MEMORY, "there is no memory");
}

bool results_begin(RbSimulation *s, RbError *error) {
    Results *r = s->results;
    double  *constant = arena_take(&r->arena, sizeof(double), (size_t)r->constants + 1);
    if (!constant) return error_set(error, RB_NO_MEMORY, "there is no memory"), false;
    for (int k = 0, i = 0; k < (r->views ? r->views : 1); k++) {
        if (r->views) fleet_show(s, r->view[k].family, r->view[k].at);
        for (; i < (r->views ? r->view[k].constants : r->constants); i++)
            constant[i] = instance_shown(&s->instance, r->constant[i]);
    }
    RecordLayout layout = {.variable = r->variable,
                           .variables = r->variables,
                           .columns = r->columns,
                           .constants = r->constants,
                           .constant = constant,
                           .start = s->start,
                           .stop = s->stop,
                           .constants_once = s->options.parameters == RB_PARAMETERS_ONCE};
    const char  *path = text_get(&r->path);
    r->recorder = record_open(path, record_format(path), &layout);
    if (!r->recorder)
        error_set(error, RB_FILE, "cannot write '%s': %s", path, strerror(errno));
    bool fine = r->recorder != NULL;
    if (fine && s->options.realtime > 0 && !record_behind(r->recorder)) {
        error_set(error, RB_NO_MEMORY, "there is no memory");
        fine = false;
    }
    return fine;
}

bool results_close(Results *r) {
    if (!r) return true;
    bool written = !r->recorder || record_close(r->recorder);
    arena_free(&r->arena);
    text_free(&r->path);
    mem_free(r);
    return written;
}
