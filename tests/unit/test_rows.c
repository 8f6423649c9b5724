/* SPDX-License-Identifier: Apache-2.0 */
/* test_rows.c -- compressed rows: duplicates, reduction of a dependency graph. */
#include "base/base.h"
#include "unit.h"

/* The example of Hannebohm and Bachmann, equation (7), nodes from 0, with duplicates. */
static const int pairs[][2] = {{2, 1}, {2, 0}, {2, 1}, {3, 2},
                               {3, 1}, {3, 2}, {4, 3}, {4, 2}};

static Links example(void) {
    LinkList list = {0};
    for (int k = 0; k < LENGTH(pairs); k++) links_add(&list, pairs[k][0], pairs[k][1]);
    Links links = links_of(&list, 5, false, NULL);
    links_drop(&list);
    links_sort(&links);
    return links;
}

static void duplicates_go(void **state) {
    (void)state;
    Links links = example();
    assert_int_equal(links.start[5], 6);
    const int expected[] = {0, 1, 1, 2, 2, 3};
    assert_memory_equal(links.to, expected, sizeof expected);
    links_free(&links);
}

static void reduction_removes_two_of_six(void **state) {
    (void)state;
    Links links = example();
    assert_int_equal(links_reduce(&links, 10.0), 0); /* too costly */
    assert_int_equal(links_reduce(&links, 1e6), 2);
    const int expected[] = {0, 1, 2, 3};
    assert_int_equal(links.start[5], 4);
    assert_memory_equal(links.to, expected, sizeof expected);
    links_free(&links);
}

/* Few links among many nodes: little work, but a table of bits for all pairs would be 125 GB. */
static void reduce_sparse(void *context) {
    LinkList list = {0};
    for (int k = 0; k < LENGTH(pairs); k++) links_add(&list, pairs[k][0], pairs[k][1]);
    Links links = links_of(&list, 1000000, false, NULL);
    links_drop(&list);
    links_sort(&links);
    *(int *)context = links_reduce(&links, 1e8);
    links_free(&links);
}

static void reduction_needs_memory_for_few_nodes_only(void **state) {
    Memory *memory = memory_new();
    int     removed = -1;
    (void)state;
    assert_true(memory_call(memory, reduce_sparse, &removed));
    assert_int_equal(removed, 0);
    memory_free(memory);
}

static void turned(void **state) {
    (void)state;
    Links     links = example(), back = links_turned(&links, 5, NULL);
    const int start[] = {0, 1, 3, 5, 6, 6}, to[] = {2, 2, 3, 3, 4, 4};
    assert_memory_equal(back.start, start, sizeof start);
    assert_memory_equal(back.to, to, sizeof to);
    links_free(&links);
    links_free(&back);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(duplicates_go),
        cmocka_unit_test(reduction_removes_two_of_six),
        cmocka_unit_test(reduction_needs_memory_for_few_nodes_only),
        cmocka_unit_test(turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
