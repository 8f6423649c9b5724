/* SPDX-License-Identifier: Apache-2.0 */
/* real.c -- the shortest decimal text that is read back as the same number.
 *
 * A double v = c 2^q is the only one in an interval whose ends lie half-way to its neighbours. Among
 * the decimals d 10^k, with k the largest for which two neighbouring ones cannot both miss the
 * interval, one or two candidates are enough: the ones below and above v; with k + 1 there is at
 * most one in the interval, which is then shorter. All comparisons are made on v 10^-k times 4,
 * rounded to odd, which is exact enough with 128 bits of 10^-k: Giulietti, "The Schubfach way to
 * render doubles" (2021), whose names are used here. */
#include "base/base.h"

#include <math.h>
#include <string.h>

typedef struct Power { /* 128 bits */
    uint64_t high, low;
} Power;

enum { POWER_LEAST = -292 };

static const Power powers[] = {
#include "base/powers.def"
};

typedef struct Decimal {
    uint64_t digits;
    int      exponent; /* digits 10^exponent */
} Decimal;

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0;
    const uint64_t middle = p10 + (p00 >> 32) + (uint32_t)p01;
    *low = middle << 32 | (uint32_t)p00;
    return a1 * b1 + (middle >> 32) + (p01 >> 32);
}

/* The integer part of g c 2^-128; its last bit is set where something is cut off. */
static uint64_t round_to_odd(const Power *g, uint64_t c) {
    uint64_t       unused, low;
    const uint64_t carry = multiply(g->low, c, &unused);
    uint64_t       high = multiply(g->high, c, &low);
    low += carry;
    high += low < carry;
    return high | (low > 1);
}

static int floor_log10_of_power2(int e) {
    return (e * 1262611) >> 22;
}

static int floor_log10_of_three_quarters(int e) { /* of 3/4 2^e */
    return (e * 1262611 - 524031) >> 22;
}

static int floor_log2_of_power10(int e) {
    return (e * 1741647) >> 19;
}

/* Of c 2^q; `closer`: the next smaller number is half as far away as the next larger one. */
static Decimal shortest(uint64_t c, int q, bool closer) {
    const int    even = c % 2 == 0; /* then the ends of the interval belong to it */
    const int    k = closer ? floor_log10_of_three_quarters(q) : floor_log10_of_power2(q);
    const int    h = q + floor_log2_of_power10(-k) + 1;
    const Power *g = &powers[-k - POWER_LEAST];
    const uint64_t lower =
        round_to_odd(g, (4 * c - 2 + (closer ? 1 : 0)) << h) + (even ? 0 : 1);
    const uint64_t value = round_to_odd(g, (4 * c) << h);
    const uint64_t upper = round_to_odd(g, (4 * c + 2) << h) - (even ? 0 : 1);
    const uint64_t s = value / 4;
    if (s >= 10) { /* one digit less */
        const uint64_t t = s / 10;
        const bool     below = lower <= 40 * t, above = 40 * t + 40 <= upper;
        if (below != above) return (Decimal){t + above, k + 1};
    }
    const bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below != above) return (Decimal){s + above, k};
    const uint64_t middle = 4 * s + 2;
    return (Decimal){s + (value > middle || (value == middle && s % 2)), k};
}

static Decimal decimal_of(uint64_t bits) {
    const uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    const int      biased = (int)(bits >> 52 & 0x7ff);
    if (!biased) return shortest(fraction, -1074, false);
    return shortest(fraction | (uint64_t)1 << 52, biased - 1075, !fraction && biased > 1);
}

/* Digits of n to the left of `end`; the first of them. */
static char *put_digits(char *end, uint64_t n) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    for (; n >= 100; n /= 100) memcpy(end -= 2, pairs + 2 * (n % 100), 2);
    if (n >= 10) memcpy(end -= 2, pairs + 2 * n, 2);
    else *--end = (char)('0' + n);
    return end;
}

static int put_exponent(char *out, int e) {
    char  room[8], *end = room + sizeof room;
    char *first = put_digits(end, (uint64_t)(e < 0 ? -e : e));
    out[0] = 'e';
    out[1] = e < 0 ? '-' : '+';
    if (end - first < 2) *--first = '0'; /* as C writes it */
    memcpy(out + 2, first, (size_t)(end - first));
    return 2 + (int)(end - first);
}

/* Digits with their point after the first `point` of them, which may lie outside. */
static int put_fixed(char *out, const char *digit, int n, int point) {
    if (point <= 0) {
        memcpy(out, "0.0000", 6);
        memcpy(out + 2 - point, digit, (size_t)n);
        return 2 - point + n;
    }
    if (point >= n) {
        memcpy(out, digit, (size_t)n);
        memset(out + n, '0', (size_t)(point - n));
        return point;
    }
    memcpy(out, digit, (size_t)point);
    out[point] = '.';
    memcpy(out + point + 1, digit + point, (size_t)(n - point));
    return n + 1;
}

int real_text(double x, char out[REAL_TEXT]) {
    uint64_t bits;
    char     room[24], *end = room + sizeof room, *at = out;
    memcpy(&bits, &x, sizeof bits);
    if (bits >> 63) *at++ = '-';
    bits &= ~((uint64_t)1 << 63);
    if (!isfinite(x)) {
        memcpy(at, isnan(x) ? "nan" : "inf", 3);
        return (int)(at + 3 - out);
    }
    const double size = fabs(x);
    if (size < 1e15 && size == (double)(uint64_t)size) { /* whole numbers are frequent */
        const char *first = put_digits(end, (uint64_t)size);
        memcpy(at, first, (size_t)(end - first));
        return (int)(at + (end - first) - out);
    }
    Decimal d = decimal_of(bits);
    for (; d.digits % 10 == 0; d.digits /= 10) d.exponent++;
    const char *first = put_digits(end, d.digits);
    const int   n = (int)(end - first), point = n + d.exponent;
    if (point > -4 && point <= 17)
        return (int)(at - out) + put_fixed(at, first, n, point);
    *at++ = *first;
    if (n > 1) {
        *at++ = '.';
        memcpy(at, first + 1, (size_t)(n - 1));
        at += n - 1;
    }
    return (int)(at - out) + put_exponent(at, point - 1);
}
