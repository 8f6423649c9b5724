/* SPDX-License-Identifier: Apache-2.0 */
/* fmu.c -- programs as Functional Mock-up Units. */
#include "api/api.h"

#include <string.h>

/* "me,cs" */
static RbStatus read_kinds(const char *text, FmuOptions *out, RbError *error) {
    if (!text) text = "me,cs";
    while (*text) {
        size_t n = strcspn(text, ",");
        if (text_is("me", text, n)) out->model_exchange = true;
        else if (text_is("cs", text, n)) out->co_simulation = true;
        else if (text_is("se", text, n)) out->scheduled = true;
        else
            return error_set(error, RB_ARGUMENT,
                             "a kind of FMU is me, cs or se, not '%.*s'", (int)n, text);
        text += n + (text[n] == ',');
    }
    return out->model_exchange || out->co_simulation || out->scheduled
               ? RB_OK
               : error_set(error, RB_ARGUMENT, "an FMU is of some kind: me, cs, or se");
}

/* "instant,sources" */
static RbStatus read_forms(const char *text, FmuOptions *out, RbError *error) {
    if (!text) text = "instant";
    while (*text) {
        size_t n = strcspn(text, ",");
        if (text_is("instant", text, n)) out->instant = true;
        else if (text_is("sources", text, n)) out->sources = true;
        else
            return error_set(error, RB_ARGUMENT,
                             "a form of an FMU is instant or sources, not '%.*s'", (int)n,
                             text);
        text += n + (text[n] == ',');
    }
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
