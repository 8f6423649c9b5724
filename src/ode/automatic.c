/* SPDX-License-Identifier: Apache-2.0 */
/* automatic.c -- choice of the method while running. */
#include <math.h>

#include "ode/core.h"

bool automatic_candidates(Ode *o, const char **names, int *count) {
    (void)o;
    names[0] = "tsit5";
    names[1] = "radauIIA3";
    *count   = 2;
    return true;
}

void automatic_review(Ode *o) {
    (void)o;
}

bool automatic_trouble(Ode *o) {
    (void)o;
    return false;
}
