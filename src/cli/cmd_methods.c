/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_methods.c -- rubato methods: every integration method there is. */
#include "cli/cli.h"
#include "ode/ode.h"

int command_methods(Job *job) {
    Text out = {0};
    (void)job;
    methods_print(&out);
    if (sundials_present())
        text_add(&out,
                 "\nLibraries, chosen with --solver instead of a method:\n"
                 "cvode    BDF of order 1 to 5 (SUNDIALS), steps and order of its own\n"
                 "ida      BDF of order 1 to 5 on the implicit form (SUNDIALS)\n"
                 "arkode   diagonally implicit Runge-Kutta of order 4 (SUNDIALS)\n");
    fwrite(text_get(&out), 1, out.length, stdout);
    text_free(&out);
    return EXIT_DONE;
}
