/* SPDX-License-Identifier: Apache-2.0 */
/* api_models.h -- programs of tests/unit/api for tests of the library; run in the folder tests. */
#ifndef RUBATO_API_MODELS_H
#define RUBATO_API_MODELS_H

#include "unit.h"

#include "rubato.h"

#include <stdio.h>
#include <stdlib.h>

/* Compiled code of external functions goes to the folder of the test. */
static inline const char *model_cache(char *room, size_t bytes) {
    const char *folder = getenv("TMPDIR");
    snprintf(room, bytes, "%s/cache", folder ? folder : "/tmp");
    return room;
}

static inline RbProgram *model_translate(const char *name, RbError *error) {
    char        file[100], cache[300];
    RbSettings  settings = {.cache = model_cache(cache, sizeof cache), .trust = true};
    RbCompiler *compiler = rb_compiler_new(&settings, error);
    RbRequest   request = {.target = file, .rates = true, .fresh = true};
    snprintf(file, sizeof file, "unit/api/%s.mo", name);
    RbProgram *program = compiler ? rb_translate(compiler, &request, error) : NULL;
    rb_compiler_free(compiler);
    return program;
}

static inline RbProgram *model_program(const char *name) {
    RbError    error;
    RbProgram *program = model_translate(name, &error);
    if (!program) fail_msg("%s: %s:%d %s", name, error.file, error.line, error.text);
    return program;
}

static inline RbSimulation *model_simulation(RbProgram *program, const RbOptions *o) {
    RbError       error;
    RbSimulation *s = rb_simulation_new(program, o, &error);
    if (!s) fail_msg("%s", error.text);
    return s;
}

/* The call has an argument `why` for its error. */
#define FINE(call)                                                                       \
    do {                                                                                 \
        RbError why_, *why = &why_;                                                      \
        if ((call) != RB_OK) fail_msg("%s: %s", #call, why->text);                       \
    } while (0)

#endif
