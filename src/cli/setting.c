/* SPDX-License-Identifier: Apache-2.0 */
/* setting.c -- --set name=value: parameters and start values from the command line.
 *
 * Names are compared as they are printed, with one pass over all variables for all settings. Numbers
 * of parameters that are still variable are handed to the translated model. What shaped the model,
 * arrays, texts and values that are expressions are modifiers of the model instead, and the model
 * is translated again with them: it obeys the same rules as any modifier in its text. */
#include "cli/setting.h"
#include "flat/flat.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(const char *setting, const char *why) {
    fprintf(stderr, "rubato: --set %s: %s\n", setting, why);
    return false;
}

static bool read_value(const char *text, double *value) {
    char *end;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *value = *text == 't';
        return true;
    }
    *value = number_read(text, &end);
    return *text && !*end;
}

/* Can the translated model take another value? */
static bool is_open(const System *sys, int var) {
    const VarRun *run = &sys->run[system_run_of(sys, var)];
    bool          number = run->type == TYPE_REAL || run->type == TYPE_INTEGER ||
                  run->type == TYPE_BOOLEAN || run->type == TYPE_ENUM;
    return number && run->kind != VAR_CONSTANT && !(run->flags & VAR_EVALUATED);
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
            if (length > name.length || memcmp(text_get(&name), set->item[i], length))
                continue;
            char next = length ? text_get(&name)[length] : 0;
            if (length == name.length) job->setting[i].var = v;
            else if ((next == '[' || next == '.') && job->setting[i].inside < 0)
                job->setting[i].inside = v;
        }
    }
    text_free(&name);
}

/* What cannot be said in a modifier of the model is refused. Of a variable it is the start. */
static bool add_modifier(const System *sys, const Setting *s, const char *item,
                         const char *sign, Text *out) {
    int     length = (int)(sign - item);
    VarKind kind = sys->run[system_run_of(sys, s->var >= 0 ? s->var : s->inside)].kind;
    if (memchr(item, '[', (size_t)length))
        return refuse(item, "this shapes the model, and one element alone cannot be set");
    text_add(out, out->length ? ", " : "(");
    if (kind == VAR_PARAMETER || kind == VAR_CONSTANT) text_add(out, item);
    else text_printf(out, "%.*s(start%s)", length, item, sign);
    return true;
}

static bool read_setting(Job *job, int i, Text *modifiers) {
    const System *sys = &job->rows->sys;
    const char   *item = job->options.set.item[i], *sign = strchr(item, '=');
    Setting      *s = &job->setting[i];
    if (s->modifier) {
        s->var = -1;
        return true;
    }
    if (!sign || sign == item) return refuse(item, "this is not name=value");
    if (s->var < 0 && s->inside < 0)
        return refuse(item, "the model has no such variable");
    if (s->var >= 0 && sys->run[system_run_of(sys, s->var)].flags & VAR_FINAL)
        return refuse(item, "this is final");
    if (s->var >= 0 && is_open(sys, s->var) && read_value(sign + 1, &s->value))
        return true;
    s->modifier = true;
    return add_modifier(sys, s, item, sign, modifiers);
}

bool settings_read(Job *job) {
    int  n = job->options.set.count;
    bool good = true;
    Text modifiers = {0};
    if (!n) return true;
    if (!job->setting) job->setting = NEW(&job->arena, Setting, n);
    job->settings = n;
    for (int i = 0; i < n; i++) job->setting[i].var = job->setting[i].inside = -1;
    find_variables(job);
    for (int i = 0; i < n; i++) good &= read_setting(job, i, &modifiers);
    if (good && modifiers.length) {
        text_char(&modifiers, ')');
        job->given = parse_modifiers_text(&job->session, "--set", text_get(&modifiers));
        good = job->given != NULL;
    }
    text_free(&modifiers);
    return good;
}
