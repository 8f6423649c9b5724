/* SPDX-License-Identifier: Apache-2.0 */
/* extern.c -- external functions. */
#include "gen/gen.h"

void extern_text(Shapes *shapes, const Function *f, int number, Diag *diag, Text *out,
                 bool *failed) {
    (void)out;
    (void)number;
    if (diag)
        diag_report(diag, f->pos, CODE_G101,
                    "the function '%s' has external code, for which there is no code yet",
                    str_text(shapes->strings, f->name));
    *failed = true;
}

int extern_guard(Rb *c, unsigned pos, int function, void (*call)(Rb *c, void *frame),
                 void *frame) {
    (void)pos;
    (void)function;
    call(c, frame);
    return 0;
}
