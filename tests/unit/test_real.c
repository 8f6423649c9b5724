/* SPDX-License-Identifier: Apache-2.0 */
/* test_real.c -- numbers as the shortest text that is read back: known cases, borders of powers of
 * two and ten, random bits. C's own printing with rising precision is the oracle. */
#include "base/base.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void is_text(double x, const char *expected) {
    char out[REAL_TEXT + 1];
    out[real_text(x, out)] = 0;
    assert_string_equal(out, expected);
}

static int digits_of(const char *text) { /* without zeros at the ends */
    int n = 0, last = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && !n)) continue;
        n++;
        if (*text != '0') last = n;
    }
    return last;
}

/* Read back as it was, with the fewest digits, and of those texts the nearest one. */
static void is_shortest(double x) {
    char out[REAL_TEXT + 1], c[64];
    out[real_text(x, out)] = 0;
    assert_true(strtod(out, NULL) == x);
    int least = 1;
    for (; least < 17; least++) {
        snprintf(c, sizeof c, "%.*e", least - 1, x);
        if (strtod(c, NULL) == x) break;
    }
    snprintf(c, sizeof c, "%.*e", least - 1, x);
    if (digits_of(out) > digits_of(c)) fail_msg("%s is longer than %s", out, c);
    const long double off = fabsl(strtold(out, NULL) - (long double)x),
                      best = fabsl(strtold(c, NULL) - (long double)x);
    if (digits_of(out) == digits_of(c) && off > best * (1 + 1e-6L))
        fail_msg("%s is nearer than %s", c, out);
}

static void known_texts(void **state) {
    (void)state;
    is_text(0.0, "0");
    is_text(-0.0, "-0");
    is_text(1.0, "1");
    is_text(-12.5, "-12.5");
    is_text(0.1, "0.1");
    is_text(0.3 - 0.1, "0.19999999999999998");
    is_text(1e22, "1e+22");
    is_text(1e23, "1e+23");
    is_text(123456789012345680.0, "1.2345678901234568e+17");
    is_text(12345678901234568.0, "12345678901234568");
    is_text(0.001, "0.001");
    is_text(0.00012, "0.00012");
    is_text(0.000012, "1.2e-05");
    is_text(5e-324, "5e-324");
    is_text(DBL_MAX, "1.7976931348623157e+308");
    is_text(DBL_MIN, "2.2250738585072014e-308");
    is_text(9007199254740993.0, "9007199254740992");
    is_text(2e-100 / 3, "6.666666666666667e-101");
    is_text(INFINITY, "inf");
    is_text(-INFINITY, "-inf");
    is_text(NAN, "nan");
}

static void borders(void **state) {
    (void)state;
    for (int e = -1074; e < 1024; e++) {
        const double x = ldexp(1, e);
        is_shortest(x);
        is_shortest(nextafter(x, INFINITY) < DBL_MAX ? nextafter(x, INFINITY) : x);
        if (e > -1074) is_shortest(nextafter(x, 0));
    }
    for (int e = -323; e < 309; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        const double x = strtod(text, NULL);
        is_shortest(x);
        if (x < DBL_MAX) is_shortest(nextafter(x, INFINITY));
        is_shortest(nextafter(x, 0) > 0 ? nextafter(x, 0) : x);
    }
}

static void random_bits(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < 30000; k++) {
        double   x;
        uint64_t bits = seed = hash_mix(seed + 0x9e3779b97f4a7c15u);
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x) && x != 0) is_shortest(x);
        is_shortest((double)(bits >> 40) / 1000); /* measured values: few digits */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts),
        cmocka_unit_test(borders),
        cmocka_unit_test(random_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
