/* SPDX-License-Identifier: Apache-2.0 */
/* program.c -- RbProgram: a translated model, shared by simulations, stored, looked at. */
#include "api/api.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

RbProgram *program_wrap(Program *program, const CodeOptions *options) {
    RbProgram *p = mem_take(1, sizeof *p);
    if (!p) {
        program_free(program);
        return NULL;
    }
    p->program = program;
    p->users = 1;
    const bool fine = code_options_copy(&p->options, options, &p->cache, &p->c_compiler);
    p->options.tier = -1;
    pthread_mutex_init(&p->lock, NULL);
    p->methods = methods_new(); /* NULL: each simulation makes its own */
    if (fine) return p;
    rb_program_free(p);
    return NULL;
}

void rb_program_retain(RbProgram *p) {
    pthread_mutex_lock(&p->lock);
    p->users++;
    pthread_mutex_unlock(&p->lock);
}

void rb_program_free(RbProgram *p) {
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    bool last = --p->users == 0;
    pthread_mutex_unlock(&p->lock);
    if (!last) return;
    for (int k = 0; k < LENGTH(p->common); k++) common_free(p->common[k]);
    methods_free(p->methods);
    cache_store(&p->keep, p->options.cache, p->program);
    program_free(p->program);
    text_free(&p->cache);
    text_free(&p->c_compiler);
    pthread_mutex_destroy(&p->lock);
    mem_free(p);
}

/* Code differs by tier: 0 stays what it is, -1 gets better, 1 is compiled at once. */
const Common *program_common(RbProgram *p, int tier, RbError *error) {
    Text        why = {0};
    CodeOptions options = p->options;
    options.tier = tier;
    pthread_mutex_lock(&p->lock);
    Common **common = &p->common[tier + 1];
    if (!*common) *common = common_new(p->program, &options, &why);
    const Common *made = *common;
    pthread_mutex_unlock(&p->lock);
    if (!made)
        error_set(error, RB_DEFECT, "the generated code was rejected: %s",
                  text_get(&why));
    text_free(&why);
    return made;
}

/* ---- files ---- */

/* Takes the block. */
static RbProgram *adopt(void *block, size_t bytes, const RbSettings *settings,
                        const char *name, RbError *error) {
    CodeOptions options = {.tier = -1};
    const char *why = "";
    if (settings) {
        options.cache = settings->cache;
        options.compiler = settings->c_compiler;
        options.trust = settings->trust;
    }
    Program *program = program_adopt(block, bytes, &why);
    if (!program) {
        mem_free(block);
        error_set(error, RB_FILE, "'%s' is not usable: %s", name, why);
        return NULL;
    }
    RbProgram *p = program_wrap(program, &options);
    if (!p) error_set(error, RB_NO_MEMORY, "there is no memory");
    return p;
}

RbProgram *rb_program_open(const char *file, const RbSettings *settings, RbError *error) {
    size_t bytes;
    error_none(error);
    void *block = file_read(file, &bytes);
    if (block) return adopt(block, bytes, settings, file, error);
    error_set(error, RB_FILE, "cannot read '%s': %s", file, strerror(errno));
    return NULL;
}

RbProgram *rb_program_of(const void *data, size_t bytes, const RbSettings *settings,
                         RbError *error) {
    error_none(error);
    void *block = mem_take(bytes, 1);
    if (!block) {
        error_set(error, RB_NO_MEMORY, "there is no memory");
        return NULL;
    }
    memcpy(block, data, bytes);
    return adopt(block, bytes, settings, "these bytes", error);
}

const void *rb_program_data(const RbProgram *p, size_t *bytes) {
    *bytes = p->program->bytes;
    return p->program->block;
}

RbStatus rb_program_save(const RbProgram *p, const char *file, RbError *error) {
    const void *block[] = {p->program->block};
    size_t      bytes[] = {p->program->bytes};
    error_none(error);
    if (file_replace(file, block, bytes, 1)) return RB_OK;
    return error_set(error, RB_FILE, "cannot write '%s': %s", file, strerror(errno));
}

/* ---- what it holds ---- */

RbInfo rb_info(const RbProgram *p) {
    const Program     *own = p->program;
    const ProgramInfo *i = &own->info;
    const double      *e = i->experiment;
    const bool        *said = i->annotated;
    return (RbInfo){.model = program_text(own, i->model),
                    .equations = i->equations,
                    .rows = i->rows,
                    .shapes = i->shapes,
                    .parameters = i->parameters,
                    .states = own->states.count,
                    .variables = own->variables.vars,
                    .bytes = own->bytes,
                    .from_cache = p->from_cache,
                    .components = p->program->batches.count > 0,
                    .start = said[0] ? e[0] : NAN,
                    .stop = said[1] ? e[1] : NAN,
                    .interval = said[2] ? e[2] : NAN,
                    .tolerance = said[3] ? e[3] : NAN};
}

static const char *text_attribute(const Program *p, int run, AttributeName name) {
    const Attribute *a = variables_attribute(&p->variables, run, name);
    return a && a->kind == VALUE_ONE ? program_text(p, (int)a->value) : "";
}

RbVariable rb_variable(const RbProgram *program, int var, char *buffer, size_t room) {
    static const RbKind kind[] = {
        [VAR_CONTINUOUS] = RB_CONTINUOUS, [VAR_DISCRETE] = RB_DISCRETE,
        [VAR_PARAMETER] = RB_PARAMETER,   [VAR_CONSTANT] = RB_CONSTANT,
        [VAR_INPUT] = RB_INPUT,           [VAR_CLOCK] = RB_HIDDEN,
        [VAR_DER] = RB_DERIVATIVE,        [VAR_PRE] = RB_HIDDEN,
        [VAR_PREVIOUS] = RB_HIDDEN,       [VAR_RATE] = RB_HIDDEN};
    const Program *p = program->program;
    if (room) *buffer = 0;
    if (var < 0 || var >= p->variables.vars)
        return (RbVariable){
            .name = "", .unit = "", .description = "", .kind = RB_HIDDEN, .equal = -1};
    int           r = variables_run(&p->variables, var);
    const VarRun *run = &p->variables.run[r];
    Text          name = {0};
    program_name(p, var, &name);
    if (room) snprintf(buffer, room, "%s", text_get(&name));
    text_free(&name);
    bool hidden = (run->flags & VAR_HIDDEN && run->kind != VAR_DER) ||
                  run->type == TYPE_STRING || run->type == TYPE_OBJECT ||
                  p->reduced.role[var] == ROLE_ABSENT;
    return (RbVariable){.name = buffer,
                        .unit = text_attribute(p, r, ATTR_UNIT),
                        .description = text_attribute(p, r, ATTR_COMMENT),
                        .kind = hidden ? RB_HIDDEN : kind[run->kind],
                        .state = p->reduced.role[var] == ROLE_STATE,
                        .settable = p->reduced.set[var] == SET_RUN,
                        .differentiated = r < p->fast.runs && p->fast.differentiated[r],
                        .equal = p->reduced.alias[var]};
}

int rb_find(const RbProgram *p, const char *name) {
    return name ? program_find(p->program, name) : -1;
}
