/* SPDX-License-Identifier: Apache-2.0 */
/* setting.c -- values from outside: parameters and start values by their names.
 *
 * Names are compared as they are printed, with one pass over all runs of variables. Numbers of
 * parameters that are still variable are for the simulation to take. What shaped the model, arrays,
 * texts and values that are expressions are modifiers of the model instead, and the model is
 * translated again with them: it obeys the same rules as any modifier in its text. So are values of
 * components that are one of a family (inst/fold.c). */
#include "translate/translate.h"

#include "inst/typed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void system_base(const void *owner, const VarRun *run, int element, Text *out) {
    system_name(owner, run->first + element, out);
}

/* As program_shown_name, before there is a program. */
static bool system_shown(const void *owner, const char *name, Text *out) {
    const System    *sys = owner;
    const FlatModel *model = sys->names;
    Text             pattern = {0};
    size_t           within = 0;
    int              size[NAME_DIMS];
    for (int f = 0; f < model->folds && !within; f++)
        for (int m = 1; m < model->fold[f].members && !within; m++) {
            text_clear(&pattern);
            sys->name_pattern(model, model->fold[f].member[m].inst->id, &pattern, size);
            within = name_within(text_get(&pattern), name);
            if (!within) continue;
            text_clear(&pattern);
            int dims = sys->name_pattern(model, model->fold[f].inst->id, &pattern, size);
            name_write(text_get(&pattern), size, dims, 0, out);
            text_add(out, name + within);
        }
    text_free(&pattern);
    return within > 0;
}

static bool system_in_many(const void *owner, int run) {
    const System    *sys = owner;
    const FlatModel *model = sys->names;
    int              at = sys->run[run].owner;
    for (int f = 0; at >= 0 && f < model->folds; f++)
        if (model->fold[f].count > 1 &&
            inst_is_under(model->front->inst[at], model->fold[f].inst))
            return true;
    return false;
}

NamedVariables system_named(const System *sys) {
    return (NamedVariables){.all = system_variables(sys),
                            .name = system_base,
                            .shown = system_shown,
                            .in_many = system_in_many,
                            .owner = sys};
}

static void program_base(const void *owner, const VarRun *run, int element, Text *out) {
    program_name(owner, run->first + element, out);
}

static bool program_shown(const void *owner, const char *name, Text *out) {
    return program_shown_name(owner, name, out);
}

static bool program_in_several(const void *owner, int run) {
    return program_in_many(owner, run);
}

NamedVariables program_named(const Program *p) {
    return (NamedVariables){.all = p->variables,
                            .name = program_base,
                            .shown = program_shown,
                            .in_many = program_in_several,
                            .owner = p,
                            .set = p->reduced.set};
}

static bool read_number(const char *text, double *value) {
    char *end;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *value = *text == 't';
        return true;
    }
    *value = number_read(text, &end);
    return *text && !*end;
}

/* The settings whose names are those of variables. */
static void find_variables(Setting *setting, int n, const NamedVariables *among) {
    Text name = {0};
    for (int v = 0; v < among->all.vars; v++) {
        const VarRun *run = &among->all.run[variables_run(&among->all, v)];
        if (run->flags & VAR_HIDDEN || run->of >= 0) continue;
        text_clear(&name);
        among->name(among->owner, run, v - run->first, &name);
        for (int i = 0; i < n; i++) {
            size_t length = setting[i].length;
            if (strcmp(text_get(&name), setting[i].name) == 0) { /* one called start */
                setting[i].start = setting[i].nominal = false;
                setting[i].length = length = name.length;
            }
            if (length > name.length || memcmp(text_get(&name), setting[i].name, length))
                continue;
            char next = text_get(&name)[length];
            if (length == name.length) setting[i].var = v;
            else if ((next == '[' || next == '.') && setting[i].inside < 0)
                setting[i].inside = v;
        }
    }
    text_free(&name);
}

/* The same of a component that another one of its family stands for. */
static void find_shown(Setting *setting, int n, const NamedVariables *among) {
    for (int i = 0; i < n; i++) {
        Setting *s = &setting[i], other = *s;
        Text     name = {0};
        if (s->var < 0 && s->inside < 0 && among->shown(among->owner, s->name, &name)) {
            other.length += name.length - strlen(s->name);
            other.name = text_get(&name);
            find_variables(&other, 1, among);
            s->var = other.var;
            s->inside = other.inside;
        }
        text_free(&name);
    }
}

/* A value for all instances of a family would be one for those that are not named, too. */
static SetKind kind_of(const NamedVariables *among, int var) {
    int           r = variables_run(&among->all, var);
    const VarRun *run = &among->all.run[r];
    SetKind       kind = among->set ? (SetKind)among->set[var] : run_set_kind(run);
    bool          many = among->in_many(among->owner, r);
    return many && (kind == SET_RUN || kind == SET_START) ? SET_TRANSLATE : kind;
}

/* Why no value of the kind can be set; NULL: it can. */
static const char *why_not(const Setting *s, const NamedVariables *among, SetKind kind) {
    int           var = s->var >= 0 ? s->var : s->inside;
    const VarRun *run = &among->all.run[variables_run(&among->all, var)];
    bool          own = run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT;
    if (own && s->start) return "this is a parameter, which has no start value";
    if (s->nominal) return NULL;
    return set_refusal(kind, s->start);
}

static bool has_families(const NamedVariables *among) {
    for (int r = 0; r < among->all.runs; r++)
        if (among->in_many(among->owner, r)) return true;
    return false;
}

static void sort_one(Setting *s, const NamedVariables *among) {
    if (s->var < 0 && s->inside < 0) {
        if (!s->modifier)
            s->refused =
                has_families(among) && strchr(s->name, '[')
                    ? "the model has no such variable, or it is one of a family, of "
                      "which --components sets no single element"
                    : "the model has no such variable";
        return;
    }
    int     var = s->var >= 0 ? s->var : s->inside;
    SetKind kind = kind_of(among, var);
    s->refused = why_not(s, among, kind);
    if (s->modifier || s->refused) return;
    if (s->var < 0) kind = SET_TRANSLATE;
    bool number = read_number(s->value, &s->number);
    if (s->nominal && number && !(isfinite(s->number) && s->number != 0)) {
        s->refused = "a nominal value is a finite number other than 0";
        return;
    }
    if ((kind == SET_RUN || kind == SET_START) && number && !s->nominal)
        s->refused =
            isfinite(s->number)
                ? run_refuses(&among->all.run[variables_run(&among->all, var)], s->number)
                : "this is not a finite number";
    else if (strchr(s->name, '['))
        s->refused = "this shapes the model, and one element alone cannot be set";
    else s->modifier = true;
}

bool settings_sort(Setting *setting, int n, const NamedVariables *among) {
    bool more = false;
    for (int i = 0; i < n; i++) {
        setting[i].var = setting[i].inside = -1;
        setting[i].refused = NULL;
        setting[i].length = strlen(setting[i].name);
        setting[i].start = setting[i].length > 6 &&
                           !strcmp(setting[i].name + setting[i].length - 6, ".start");
        setting[i].nominal = setting[i].length > 8 &&
                             !strcmp(setting[i].name + setting[i].length - 8, ".nominal");
        if (setting[i].start) setting[i].length -= 6;
        if (setting[i].nominal) setting[i].length -= 8;
    }
    find_variables(setting, n, among);
    find_shown(setting, n, among);
    for (int i = 0; i < n; i++) {
        bool before = setting[i].modifier;
        sort_one(&setting[i], among);
        more |= setting[i].modifier && !before;
    }
    return more;
}

/* Of a variable it is the start. */
void settings_modifiers(const Setting *setting, int n, const NamedVariables *among,
                        Text *out) {
    for (int i = 0; i < n; i++) {
        const Setting *s = &setting[i];
        if (!s->modifier) continue;
        int     var = s->var >= 0 ? s->var : s->inside;
        VarKind kind = (VarKind)among->all.run[variables_run(&among->all, var)].kind;
        bool    parameter = kind == VAR_PARAMETER || kind == VAR_CONSTANT;
        text_add(out, out->length ? ", " : "(");
        text_bytes(out, s->name, s->length);
        text_printf(out,
                    s->nominal  ? "(nominal=%s)"
                    : parameter ? "=%s"
                                : "(start=%s)",
                    s->value);
    }
    if (out->length) text_char(out, ')');
}
