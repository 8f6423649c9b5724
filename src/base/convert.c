/* SPDX-License-Identifier: Apache-2.0 */
/* convert.c -- the built-in function String of Modelica (3.6, 3.7.1.1): values as texts.
 *
 * The translator evaluates String with these functions and the running model calls them, so that
 * a text that is known when translating and one that is made in the run are the same. */
#include "base/base.h"

#include <stdio.h>
#include <string.h>

enum { DIGITS = 6, MOST_DIGITS = 60, MOST_WIDTH = 9999 };

void string_padded(Text *out, const char *value, double width, bool left) {
    int length = (int)strlen(value);
    int blanks = width > length && width <= MOST_WIDTH ? (int)width - length : 0;
    for (int k = 0; !left && k < blanks; k++) text_char(out, ' ');
    text_add(out, value);
    for (int k = 0; left && k < blanks; k++) text_char(out, ' ');
}

void string_of_real(Text *out, double x, double digits) {
    text_printf(out, "%.*g", digits >= 1 && digits <= MOST_DIGITS ? (int)digits : DIGITS,
                x);
}

void string_of_integer(Text *out, double x) {
    text_printf(out, "%.0f", x == 0 ? 0.0 : x); /* zero has no sign */
}

/* Flags, width, precision and one of the letters of the specification. */
bool string_of_format(Text *out, double x, const char *format) {
    char whole[40];
    if (*format == '%') format++;
    size_t flags = strspn(format, "-+ #0");
    size_t width = strspn(format + flags, "0123456789"), n = flags + width;
    if (format[n] == '.') n += 1 + strspn(format + n + 1, "0123456789");
    char kind = format[n];
    if (n > 20 || !kind || format[n + 1] || width > 3 || !strchr("fFeEgGdiouxX", kind))
        return false;
    bool integer = strchr("diouxX", kind) != NULL;
    snprintf(whole, sizeof whole, "%%%.*s%s%c", (int)n, format, integer ? "ll" : "",
             kind);
    if (integer) text_printf(out, whole, (long long)x);
    else text_printf(out, whole, x);
    return true;
}
