/* SPDX-License-Identifier: Apache-2.0 */
/* test_study.c -- numbers for samples have the properties that their names promise. */
#include "study/study.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 1024 };

static void every_stratum_has_one_sample(void **state) {
    (void)state;
    static double value[SAMPLES * SOBOL_MOST];
    for (int kind = SAMPLE_LATIN; kind <= SAMPLE_SOBOL; kind++) {
        sample_fill((SampleKind)kind, 3, SAMPLES, SOBOL_MOST, value);
        for (int d = 0; d < SOBOL_MOST; d++) {
            bool there[SAMPLES] = {false};
            for (int i = 0; i < SAMPLES; i++) {
                double x = value[i * SOBOL_MOST + d];
                assert_true(x > 0 && x < 1);
                int stratum = (int)(x * SAMPLES);
                assert_false(there[stratum]);
                there[stratum] = true;
            }
        }
    }
}

/* The first pair of Sobol's dimensions is a (0, 10, 2)-net: each of the 1024 rectangles 2^-a by
 * 2^-(10 - a) has exactly one point. */
static void sobol_fills_rectangles(void **state) {
    (void)state;
    static double value[SAMPLES * 2];
    sample_fill(SAMPLE_SOBOL, 11, SAMPLES, 2, value);
    for (int a = 0; a <= 10; a++) {
        bool there[SAMPLES] = {false};
        for (int i = 0; i < SAMPLES; i++) {
            int column = (int)(value[2 * i] * (1 << a));
            int row = (int)(value[2 * i + 1] * (1 << (10 - a)));
            int cell = column << (10 - a) | row;
            assert_false(there[cell]);
            there[cell] = true;
        }
    }
}

/* x^2 summed over dimensions: the mean of the samples is within the error that each kind promises. */
static void means_are_those_of_the_distribution(void **state) {
    (void)state;
    enum { D = 5 };
    static const double within[] = {
        [SAMPLE_RANDOM] = 0.1, [SAMPLE_LATIN] = 2e-3, [SAMPLE_SOBOL] = 1e-2};
    static double value[SAMPLES * D];
    for (int kind = SAMPLE_RANDOM; kind <= SAMPLE_SOBOL; kind++) {
        double sum = 0, product = 0;
        sample_fill((SampleKind)kind, 17, SAMPLES, D, value);
        for (int i = 0; i < SAMPLES; i++) {
            for (int d = 0; d < D; d++) sum += value[i * D + d] * value[i * D + d];
            product += value[i * D] *
                       value[i * D + 4]; /* dimensions do not depend on each other */
        }
        assert_true(fabs(sum / SAMPLES - D / 3.0) < within[kind]);
        assert_true(fabs(product / SAMPLES - 0.25) < 0.02);
    }
}

static void a_longer_study_begins_with_a_shorter_one(void **state) {
    (void)state;
    double few[3 * 10], many[3 * 20];
    for (int kind = 0; kind < 2; kind++) {
        SampleKind k = kind ? SAMPLE_SOBOL : SAMPLE_RANDOM;
        sample_fill(k, 5, 10, 3, few);
        sample_fill(k, 5, 20, 3, many);
        for (int i = 0; i < 30; i++) assert_true(few[i] == many[i]);
        sample_fill(k, 6, 10, 3, many);
        assert_true(few[0] != many[0]);
    }
}

static void quantiles_are_those_of_tables(void **state) {
    (void)state;
    static const double known[][2] = {{0.5, 0},
                                      {0.975, 1.959963984540054},
                                      {0.025, -1.959963984540054},
                                      {0.9999, 3.719016485455709},
                                      {1e-10, -6.361340902404056},
                                      {0.51, 0.02506890825871106}};
    for (int k = 0; k < LENGTH(known); k++)
        assert_true(fabs(normal_quantile(known[k][0]) - known[k][1]) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stratum_has_one_sample),
        cmocka_unit_test(sobol_fills_rectangles),
        cmocka_unit_test(means_are_those_of_the_distribution),
        cmocka_unit_test(a_longer_study_begins_with_a_shorter_one),
        cmocka_unit_test(quantiles_are_those_of_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
