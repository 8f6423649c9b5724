/* SPDX-License-Identifier: Apache-2.0 */
/* setting.c -- values from outside: parameters and start values by their names.
 *
 * Names are compared as they are printed, with one pass over all runs of variables. Numbers of
 * parameters that are still variable are for the simulation to take. What shaped the model, arrays,
 * texts and values that are expressions are modifiers of the model instead, and the model is
 * translated again with them: it obeys the same rules as any modifier in its text. */
#include "translate/translate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void system_base(const void *owner, const VarRun *run, int element, Text *out) {
    system_name(owner, run->first + element, out);
}

NamedVariables system_named(const System *sys) {
    return (NamedVariables){
        .all = system_variables(sys), .name = system_base, .owner = sys};
}

static void program_base(const void *owner, const VarRun *run, int element, Text *out) {
    program_name(owner, run->first + element, out);
}

NamedVariables program_named(const Program *p) {
    return (NamedVariables){
        .all = p->variables, .name = program_base, .owner = p, .set = p->reduced.set};
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

static SetKind kind_of(const NamedVariables *among, int var) {
    const VarRun *run = &among->all.run[variables_run(&among->all, var)];
    return among->set ? (SetKind)among->set[var] : run_set_kind(run);
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

static void sort_one(Setting *s, const NamedVariables *among) {
    if (s->var < 0 && s->inside < 0) {
        if (!s->modifier) s->refused = "the model has no such variable";
        return;
    }
    int     var = s->var >= 0 ? s->var : s->inside;
    SetKind kind = kind_of(among, var);
    s->refused = why_not(s, among, kind);
    if (s->modifier || s->refused) return;
    if (s->var < 0) kind = SET_TRANSLATE;
    bool number = read_number(s->value, &s->number);
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
