/* SPDX-License-Identifier: Apache-2.0 */
/* status.c -- what a status means, in words. */
#include "model/model.h"

const char *status_text(Status status) {
    static const char *const text[] = {
        [STATUS_OK] = "ok",
        [STATUS_RETRY] = "the model cannot be evaluated here",
        [STATUS_FATAL] = "the model cannot go on",
        [STATUS_END] = "the model ended the simulation",
        [STATUS_SINGULAR] = "a matrix is singular",
        [STATUS_DIVERGED] = "an iteration does not converge",
        [STATUS_NOT_FINITE] = "a value is not finite",
        [STATUS_STEP_SMALL] = "the step became too small for the resolution of time",
        [STATUS_TOO_MANY] = "the limit on the number of steps is reached",
        [STATUS_CHATTERING] = "events follow each other without end",
        [STATUS_TOLERANCE] = "the tolerance is below rounding errors",
        [STATUS_NO_MEMORY] = "out of memory",
        [STATUS_ARGUMENT] = "wrong argument",
        [STATUS_ABSENT] = "not available",
    };
    return status >= 0 && status < LENGTH(text) ? text[status] : "unknown status";
}
