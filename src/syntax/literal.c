/* SPDX-License-Identifier: Apache-2.0 */
/* literal.c -- values of numbers and strings.
 *
 * A decimal number of at most 15 digits times a power of ten up to 10^22 is one exact
 * operation on doubles (Clinger 1990); nearly all numbers in models are. The rest go to
 * the C library. */
#include "syntax/syntax.h"

#include <math.h>
#include <string.h>

static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool decode_exactly(const char *text, uint32_t length, double *value) {
    uint64_t mantissa = 0;
    int      digits = 0, exponent = 0, written = 0, sign = 1;
    uint32_t i = 0;
    bool     fraction = false;
    for (; i < length && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] == '.') {
            fraction = true;
            continue;
        }
        if (digits || text[i] != '0') digits++;
        if (digits > 15) return false;
        mantissa = 10 * mantissa + (uint64_t)(text[i] - '0');
        exponent -= fraction;
    }
    if (i < length) i++;
    if (i < length && (text[i] == '+' || text[i] == '-'))
        sign = text[i++] == '-' ? -1 : 1;
    for (; i < length; i++) {
        written = 10 * written + (text[i] - '0');
        if (written > 1000) return false;
    }
    exponent += sign * written;
    if (exponent < -22 || exponent > 22) return false;
    *value = exponent < 0 ? (double)mantissa / power_of_ten[-exponent]
                          : (double)mantissa * power_of_ten[exponent];
    return true;
}

static double decode_any(const char *text, uint32_t length) {
    Text copy = {0};
    text_bytes(&copy, text, length);
    double value = number_read(text_get(&copy), NULL);
    text_free(&copy);
    return value;
}

bool number_decode(const char *text, uint32_t length, double *value) {
    if (!decode_exactly(text, length, value)) *value = decode_any(text, length);
    if (isfinite(*value)) return true;
    *value = 0;
    return false;
}

static char escaped(char c) { /* 0 if c does not follow a backslash */
    static const char from[] = "'\"?\\abfnrtv", to[] = "'\"?\\\a\b\f\n\r\t\v";
    const char       *found = c ? strchr(from, c) : NULL;
    return found ? to[found - from] : 0;
}

void string_decode(Text *out, const Session *session, Expr string) {
    const Source *source = source_at(&session->sources, string.pos);
    const char   *c = source->text + (string.pos - source->base) + 1;
    const char   *end = c + string.length - 2;
    while (c < end) {
        const char *plain = memchr(c, '\\', (size_t)(end - c));
        if (!plain) plain = end;
        text_bytes(out, c, (size_t)(plain - c));
        c = plain;
        if (c >= end) break;
        char e = escaped(c[1]);
        if (e) text_char(out, e);
        else text_bytes(out, c, 2);
        c += 2;
    }
}

void comment_decode(Text *out, const Session *session, const Comment *comment) {
    if (!comment || !comment->strings) return;
    for (uint32_t i = 0; i < comment->strings->count; i++)
        string_decode(out, session, comment->strings->item[i]);
}
