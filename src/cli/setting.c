/* SPDX-License-Identifier: Apache-2.0 */
/* setting.c -- --set name=value: parameters and start values from the command line.
 *
 * Names are compared as they are printed, with one pass over all variables for all settings. A
 * parameter that shaped the model, a constant and a final parameter cannot be set: what was
 * made of their values would not follow. */
#include "cli/setting.h"
#include "flat/flat.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(const char *setting, const char *why) {
    fprintf(stderr, "rubato: --set %s: %s\n", setting, why);
    return false;
}

static bool read_value(const char *setting, const char *text, double *value) {
    char *end;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *value = *text == 't';
        return true;
    }
    *value = strtod(text, &end);
    return (*text && !*end) || refuse(setting, "the value is no number");
}

static bool may_set(const System *sys, int var, const char *setting) {
    const VarRun *run = &sys->run[system_run_of(sys, var)];
    if (run->flags & VAR_EVALUATED)
        return refuse(setting, "this parameter shaped the model; change it in the text");
    if (run->kind == VAR_CONSTANT)
        return refuse(setting, "this is a constant, or its value shaped the model");
    if (run->flags & VAR_FINAL) return refuse(setting, "this is final");
    if (run->type == TYPE_STRING || run->type == TYPE_OBJECT || run->type == TYPE_CLOCK)
        return refuse(setting, "only numbers and truth values can be set");
    return true;
}

/* The settings whose names are those of variables; var is -1 where none is. */
static void find_variables(Job *job) {
    const System *sys = &job->rows->sys;
    const Words  *set = &job->options.set;
    Text          name = {0};
    for (int v = 0; v < sys->vars; v++) {
        const VarRun *run = &sys->run[system_run_of(sys, v)];
        if (run->flags & VAR_HIDDEN || run->of >= 0) continue;
        text_clear(&name);
        system_name(sys, v, &name);
        for (int i = 0; i < set->count; i++) {
            const char *sign = strchr(set->item[i], '=');
            size_t      length = sign ? (size_t)(sign - set->item[i]) : 0;
            if (length == name.length &&
                memcmp(text_get(&name), set->item[i], length) == 0)
                job->setting[i].var = v;
        }
    }
    text_free(&name);
}

bool settings_read(Job *job) {
    const Words *set = &job->options.set;
    bool         good = true;
    if (!set->count) return true;
    job->setting = NEW(&job->arena, Setting, set->count);
    job->settings = set->count;
    for (int i = 0; i < set->count; i++) job->setting[i].var = -1;
    find_variables(job);
    for (int i = 0; i < set->count; i++) {
        const char *sign = strchr(set->item[i], '=');
        Setting    *setting = &job->setting[i];
        if (!sign || sign == set->item[i])
            good = refuse(set->item[i], "this is not name=value");
        else if (setting->var < 0)
            good = refuse(set->item[i], "the model has no such variable");
        else
            good &= read_value(set->item[i], sign + 1, &setting->value) &&
                    may_set(&job->rows->sys, setting->var, set->item[i]);
    }
    return good;
}
