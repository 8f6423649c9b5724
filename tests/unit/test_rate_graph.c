/* SPDX-License-Identifier: Apache-2.0 */
/* test_rate_graph.c -- cones and reduction of the dependency graph. */
#include <string.h>

#include "rate/rate.h"
#include "unit.h"

/* The example of Hannebohm and Bachmann, equation (7), nodes from 0, with duplicates. */
static const int starts[] = {0, 0, 0, 3, 6, 8};
static const int entries[] = {1, 0, 1, 2, 1, 2, 3, 2};

static void duplicates_go(void **state) {
    (void)state;
    RateGraph g;
    assert_true(rate_graph_build(&g, 5, starts, entries));
    assert_int_equal(g.start[5], 6);
    const int expected[] = {0, 1, 1, 2, 2, 3};
    assert_memory_equal(g.entry, expected, sizeof expected);
    rate_graph_free(&g);
}

static void reduction_removes_two_of_six(void **state) {
    (void)state;
    RateGraph g;
    assert_true(rate_graph_build(&g, 5, starts, entries));
    assert_int_equal(graph_reduce(&g, 10.0), 0); /* too dear */
    assert_int_equal(graph_reduce(&g, 1e6), 2);
    const int expected[] = {0, 1, 2, 3};
    assert_int_equal(g.start[5], 4);
    assert_memory_equal(g.entry, expected, sizeof expected);
    rate_graph_free(&g);
}

static void cones(void **state) {
    (void)state;
    for (int reduced = 0; reduced < 2; reduced++) {
        RateGraph g;
        assert_true(rate_graph_build(&g, 5, starts, entries));
        if (reduced) graph_reduce(&g, 1e6);
        unsigned char mark[5] = {0, 0, 1, 0, 0};
        assert_int_equal(graph_backward(&g, mark), 3);
        assert_memory_equal(mark, ((unsigned char[]){1, 1, 1, 0, 0}), 5);
        memset(mark, 0, sizeof mark);
        mark[2] = 1;
        assert_int_equal(graph_forward(&g, mark), 3);
        assert_memory_equal(mark, ((unsigned char[]){0, 0, 1, 1, 1}), 5);
        rate_graph_free(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(duplicates_go),
        cmocka_unit_test(reduction_removes_two_of_six),
        cmocka_unit_test(cones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
