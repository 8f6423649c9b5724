/* SPDX-License-Identifier: Apache-2.0 */
/* numbers.c -- options that are numbers. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

bool option_number(const char *name, const char *text, double *value, bool *given) {
    char *end;
    *given = text != NULL;
    if (!text) return true;
    *value = number_read(text, &end);
    if (*text && !*end && isfinite(*value)) return true;
    fprintf(stderr, "rubato: %s needs a number, not '%s'\n", name, text);
    return false;
}

int option_count(const char *option, const char *text, int most, int fallback) {
    char *end;
    if (!text) return fallback;
    long n = strtol(text, &end, 10);
    if (end != text && !*end && n >= 1 && n <= most) return (int)n;
    fprintf(stderr, "rubato: %s is a number from 1 to %d, not '%s'\n", option, most,
            text);
    return 0;
}
