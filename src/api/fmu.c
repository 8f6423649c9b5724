/* SPDX-License-Identifier: Apache-2.0 */
/* fmu.c -- programs as Functional Mock-up Units. */
#include "api/api.h"

#include <string.h>

typedef struct Word { /* of a list such as "me,cs" */
    const char *text;
    bool       *said;
} Word;

/* The first word of the list that is none of them, NULL if there is none. */
static const char *read_words(const char *list, const Word *word, int words) {
    while (*list) {
        size_t n = strcspn(list, ",");
        int    k = 0;
        while (k < words && !text_is(word[k].text, list, n)) k++;
        if (k == words) return list;
        *word[k].said = true;
        list += n + (list[n] == ',');
    }
    return NULL;
}

static RbStatus read_kinds(const char *text, FmuOptions *out, RbError *error) {
    const Word  word[] = {{"me", &out->model_exchange},
                          {"cs", &out->co_simulation},
                          {"se", &out->scheduled}};
    const char *wrong = read_words(text ? text : "me,cs", word, 3);
    if (wrong)
        return error_set(error, RB_ARGUMENT, "a kind of FMU is me, cs or se, not '%.*s'",
                         (int)strcspn(wrong, ","), wrong);
    return out->model_exchange || out->co_simulation || out->scheduled
               ? RB_OK
               : error_set(error, RB_ARGUMENT, "an FMU is of some kind: me, cs, or se");
}

static RbStatus read_forms(const char *text, FmuOptions *out, RbError *error) {
    const Word  word[] = {{"instant", &out->instant}, {"sources", &out->sources}};
    const char *wrong = read_words(text ? text : "instant", word, 2);
    if (wrong)
        return error_set(error, RB_ARGUMENT,
                         "a form of an FMU is instant or sources, not '%.*s'",
                         (int)strcspn(wrong, ","), wrong);
    return out->instant || out->sources
               ? RB_OK
               : error_set(error, RB_ARGUMENT, "an FMU has some form");
}

static RbStatus read_fmu_options(const RbProgram *p, const RbFmuOptions *o,
                                 FmuOptions *out, RbError *error) {
    const Program *program = p->program;
    out->version = o && o->version ? o->version : 3;
    out->method = o ? o->method : NULL;
    out->rates = o ? o->rates : 0;
    out->code = &p->options;
    if (out->version != 2 && out->version != 3)
        return error_set(error, RB_ARGUMENT, "FMI has the versions 2 and 3, not %d",
                         out->version);
    if (out->rates > 1 && !program->part[PART_RUN].selective)
        return error_set(error, RB_ARGUMENT,
                         "this program was translated for one rate, not for %d",
                         out->rates);
    RbStatus status = read_forms(o ? o->forms : NULL, out, error);
    return status == RB_OK ? read_kinds(o ? o->kinds : NULL, out, error) : status;
}

RbStatus rb_fmu_write(const RbProgram *p, const char *file, const RbFmuOptions *options,
                      RbError *error) {
    FmuOptions own = {0};
    Text       runtime = {0}, tool = {0}, why = {0};
    error_none(error);
    RbStatus status = read_fmu_options(p, options, &own, error);
    if (status != RB_OK) return status;
    text_printf(&tool, "Rubato %s", rb_version());
    own.tool = text_get(&tool);
    if (own.instant && !runtime_beside(&runtime))
        status =
            error_set(error, RB_FILE,
                      "librubato_fmu.so, the runtime of FMUs, is not beside the program");
    own.runtime = text_get(&runtime);
    if (status == RB_OK && !fmu_write(p->program, &own, file, &why))
        status = error_set(error, RB_FILE, "%s", text_get(&why));
    TEXT_FREE(&runtime, &tool, &why);
    return status;
}
