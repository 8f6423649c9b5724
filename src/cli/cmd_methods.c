/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_methods.c -- rubato methods: every integration method there is. */
#include "cli/cli.h"
#include "ode/ode.h"

int command_methods(Job *job) {
    Text out = {0};
    (void)job;
    methods_print(&out);
    fwrite(text_get(&out), 1, out.length, stdout);
    text_free(&out);
    return EXIT_DONE;
}
