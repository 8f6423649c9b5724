/* SPDX-License-Identifier: Apache-2.0 */
/* test_live_recall.c -- results are found again for the same arguments and for no others. */
#include "unit.h"

#include "live/live.h"

static void test_found_again(void **state) {
    Recall       r = {0};
    const double in[] = {1.5, -2}, out[] = {3, 4, 5};
    (void)state;
    assert_null(recall_find(&r, 7, in, 2));
    recall_keep(&r, 7, in, 2, out, 3);
    const double *known = recall_find(&r, 7, in, 2);
    assert_non_null(known);
    for (int k = 0; k < 3; k++) assert_true(known[k] == out[k]);
    assert_null(recall_find(&r, 8, in, 2));
    assert_null(recall_find(&r, 7, in, 1));
    assert_null(recall_find(&r, 7, (double[]){1.5, -2.0000000000000004}, 2));
    recall_free(&r);
}

/* More calls than entries: what is found is always right. */
static void test_never_wrong(void **state) {
    enum { N = 5000 };
    Recall r = {0};
    int    found = 0;
    (void)state;
    for (int k = 0; k < N; k++)
        recall_keep(&r, k % 3, &(double){k}, 1, &(double){2.0 * k}, 1);
    for (int k = 0; k < N; k++) {
        const double *known = recall_find(&r, k % 3, &(double){k}, 1);
        if (known) assert_true(*known == 2.0 * k);
        found += known != NULL;
    }
    assert_in_range(found, 500, 1024);
    recall_free(&r);
}

static void test_too_wide(void **state) {
    Recall r = {0};
    double many[70] = {0};
    (void)state;
    recall_keep(&r, 0, many, 40, many, 40);
    assert_null(recall_find(&r, 0, many, 40));
    recall_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found_again),
        cmocka_unit_test(test_never_wrong),
        cmocka_unit_test(test_too_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
