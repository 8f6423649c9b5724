/* SPDX-License-Identifier: Apache-2.0 */
/* number.c -- numbers as text, whatever locale the surrounding program has set.
 *
 * A program that called setlocale may write 0,5 and read 0.5 as 0. POSIX lets a thread have a
 * locale of its own; the C locale is one constant object in the usual C libraries, so that to
 * enter and leave it costs far less than to print a number. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <locale.h>
#include <stdlib.h>

Numbers numbers_begin(void) {
    Numbers plain = {newlocale(LC_ALL_MASK, "C", (locale_t)0), NULL};
    if (plain.own) plain.before = uselocale(plain.own);
    return plain;
}

void numbers_end(Numbers plain) {
    if (!plain.own) return;
    uselocale(plain.before);
    freelocale(plain.own);
}

double number_read(const char *text, char **end) {
    Numbers plain = numbers_begin();
    double  value = strtod(text, end);
    numbers_end(plain);
    return value;
}
