/* SPDX-License-Identifier: Apache-2.0 */
/* sample.c -- numbers between 0 and 1 in many dimensions.
 *
 * Monte Carlo: number (sample, dimension) is a function of the seed and of both, not of what was drawn
 * before (SplitMix64: Steele, Lea, Flood, OOPSLA 2014), so that a longer study begins with a shorter one.
 *
 * Latin hypercube (McKay, Beckman, Conover, Technometrics 21, 1979): each dimension is cut into as many
 * strata as there are samples, each of them holds one, in random order and at a random place.
 *
 * Sobol (USSR Comput. Math. 7, 1967), in the order of Gray codes (Antonov, Saleev 1979): a point is the
 * exclusive or of direction numbers v_1, v_2, ... chosen by the bits of its Gray code. With a primitive
 * polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1 over GF(2) and odd m_1 .. m_s, m_k < 2^k, Bratley
 * and Fox (ACM TOMS 14, 1988) give the recurrence
 *
 *     m_k = 2 a_1 m_(k-1) ^ 4 a_2 m_(k-2) ^ ... ^ 2^s m_(k-s) ^ m_(k-s),    v_k = m_k / 2^k.
 *
 * Polynomials and first m are those that Joe and Kuo (SIAM J. Sci. Comput. 30, 2008) found best for pairs
 * of dimensions. A digital shift by the seed keeps points away from 0 and keeps the property that the
 * first 2^k of them have one in each of 2^k equal parts of each axis. */
#include "study/study.h"

#include <math.h>

static uint64_t scrambled(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t random_bits(uint64_t seed, uint64_t stream, uint64_t number) {
    return scrambled(scrambled(scrambled(seed) ^ stream) ^ number);
}

/* In the middle of one of 2^53 parts: never 0 or 1. */
static double unit(uint64_t bits) {
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

static void fill_random(uint64_t seed, long n, int dimensions, double *value) {
    for (long i = 0; i < n; i++)
        for (int d = 0; d < dimensions; d++)
            value[i * dimensions + d] = unit(random_bits(seed, (uint64_t)d, (uint64_t)i));
}

/* The order of strata by Fisher and Yates, in place: value holds the numbers of strata at first. */
static void fill_latin(uint64_t seed, long n, int dimensions, double *value) {
    for (int d = 0; d < dimensions; d++) {
        const uint64_t order = 2 * (uint64_t)d, place = order + 1;
        double        *v = value + d;
        for (long i = 0; i < n; i++) v[i * dimensions] = (double)i;
        for (long i = n - 1; i > 0; i--) {
            long other =
                (long)(random_bits(seed, order, (uint64_t)i) % (uint64_t)(i + 1));
            double swap = v[i * dimensions];
            v[i * dimensions] = v[other * dimensions];
            v[other * dimensions] = swap;
        }
        for (long i = 0; i < n; i++)
            v[i * dimensions] =
                (v[i * dimensions] + unit(random_bits(seed, place, (uint64_t)i))) /
                (double)n;
    }
}

/* ---- Sobol ---- */

enum { BITS = 32 };

typedef struct Direction {  /* of a dimension after the first */
    int degree, polynomial; /* inner coefficients a_1 .. a_(s-1), the first one highest */
    int m[7];
} Direction;

static const Direction direction[SOBOL_MOST - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/* v_1 .. v_32 as fractions of 2^32. The first dimension is van der Corput's: m_k = 1. */
static void directions(int dimension, uint32_t *v) {
    uint32_t m[BITS];
    for (int k = 0; k < BITS; k++) {
        const Direction *d = dimension ? &direction[dimension - 1] : NULL;
        if (!d || k < d->degree) m[k] = d ? (uint32_t)d->m[k] : 1;
        else {
            m[k] = m[k - d->degree] ^ (m[k - d->degree] << d->degree);
            for (int j = 1; j < d->degree; j++)
                if (d->polynomial >> (d->degree - 1 - j) & 1) m[k] ^= m[k - j] << j;
        }
        v[k] = m[k] << (BITS - 1 - k);
    }
}

static void fill_sobol(uint64_t seed, long n, int dimensions, double *value) {
    for (int d = 0; d < dimensions; d++) {
        uint32_t v[BITS];
        uint64_t x = random_bits(seed, (uint64_t)d, 0);
        directions(d, v);
        for (long i = 0; i < n; i++) {
            value[i * dimensions + d] = unit(x);
            int zero =
                0; /* the lowest bit of i that is not set: it changes in the Gray code */
            while ((uint64_t)i >> zero & 1) zero++;
            if (zero < BITS) x ^= (uint64_t)v[zero] << 32;
        }
    }
}

void sample_fill(SampleKind kind, uint64_t seed, long samples, int dimensions,
                 double *value) {
    switch (kind) {
    case SAMPLE_RANDOM: fill_random(seed, samples, dimensions, value); break;
    case SAMPLE_LATIN: fill_latin(seed, samples, dimensions, value); break;
    case SAMPLE_SOBOL: fill_sobol(seed, samples, dimensions, value); break;
    }
}

/* Newton's method on the distribution function in the tail that p is in, where erfc is accurate, from
 * the leading term of the asymptotic expansion: it converges from below, quadratically. */
double normal_quantile(double p) {
    const double tail = p < 0.5 ? p : 1 - p, root = 2.506628274631000502;
    double       x = sqrt(-2 * log(2 * tail));
    if (tail == 0.5) return 0;
    for (int k = 0; k < 50; k++) {
        double above = 0.5 * erfc(x * 0.7071067811865475244);
        double step = (above - tail) / above * (above / (exp(-x * x / 2) / root));
        x += step;
        if (fabs(step) < 1e-15 * (1 + x)) break;
    }
    return p < 0.5 ? -x : x;
}
