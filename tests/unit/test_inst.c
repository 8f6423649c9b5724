/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
/* Front end: laziness, sharing of arrays, structural parameters, rows. */
#include "unit.h"
#include "flat/flat.h"
#include "inst/front.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct World {
    Session    session;
    Library    library;
    Front     *front;
    FlatModel *model;
    Rows      *rows;
    char       path[64];
} World;

static void open_model(World *w, const char *text, const char *name) {
    memset(w, 0, sizeof *w);
    session_init(&w->session);
    library_init(&w->library, &w->session);
    strcpy(w->path, "/tmp/rubato-test-XXXXXX");
    int file = mkstemp(w->path);
    assert_true(file >= 0);
    close(file);
    remove(w->path);
    strcat(w->path, ".mo");
    FILE *out = fopen(w->path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    library_open(&w->library, w->path, NULL);
    w->front = front_new(&w->session, &w->library);
    w->model = flat_model(w->front, name);
    assert_non_null(w->model);
    if (w->model->ok) w->rows = rows_of_model(w->model);
}

static void close_model(World *w) {
    rows_free(w->rows);
    front_free(w->front);
    library_free(&w->library);
    session_free(&w->session);
    remove(w->path);
}

static Inst *component(World *w, const char *name) {
    return inst_child(w->front, w->model->root, str_of(&w->session.strings, name));
}

static void test_array_instantiated_once(void **state) {
    (void)state;
    World       small, large;
    const char *text =
        "model M\n  model A\n    Real x(start = 1);\n  equation\n    der(x) = -x;\n"
        "  end A;\n  A a[%d];\nend M;\n";
    char buffer[300];
    snprintf(buffer, sizeof buffer, text, 10);
    open_model(&small, buffer, "M");
    snprintf(buffer, sizeof buffer, text, 100000);
    open_model(&large, buffer, "M");
    assert_true(small.model->ok && large.model->ok);
    assert_int_equal(small.front->insts, large.front->insts);
    assert_int_equal(small.rows->shapes.count, large.rows->shapes.count);
    assert_int_equal(large.rows->sys.set[ROWS_EQUATION].rows, 100000);
    assert_int_equal(large.rows->sys.set[ROWS_EQUATION].count, 1);
    close_model(&small);
    close_model(&large);
}

static void test_structural_parameters(void **state) {
    (void)state;
    World w;
    open_model(&w,
               "model M\n  parameter Integer n = m + 1;\n  parameter Integer m = 2;\n"
               "  parameter Real k = 3;\n  Real x[n] = k*ones(n);\nend M;\n",
               "M");
    assert_true(w.model->ok);
    assert_true(component(&w, "n")->structural);
    assert_true(component(&w, "m")->structural);
    assert_false(component(&w, "k")->structural);
    close_model(&w);
}

static void test_parameters_are_slots(void **state) {
    (void)state;
    World w;
    open_model(
        &w,
        "model M\n  model R\n    parameter Real R;\n    Real v;\n    Real i = time;\n"
        "  equation\n    v = R*i;\n  end R;\n  R a(R = 100);\n  R b(R = 220);\nend M;\n",
        "M");
    assert_true(w.model->ok);
    assert_int_equal(w.rows->sys.set[ROWS_EQUATION].rows, 4);
    assert_int_equal(w.rows->shapes.count, 2); /* v = R*i and i = time */
    close_model(&w);
}

static void test_poison_gives_one_message(void **state) {
    (void)state;
    World w;
    open_model(
        &w,
        "model M\n  Missing a;\n  Real x = a.b.c + a.d;\n  Real y = x + a.q;\nend M;\n",
        "M");
    assert_false(w.model->ok);
    assert_int_equal(w.session.diag.errors, 1);
    close_model(&w);
}

static void test_evaluation_limit(void **state) {
    (void)state;
    World w;
    open_model(&w,
               "model M\n  function f\n    output Integer y;\n  algorithm\n    y := 0;\n"
               "    while true loop\n      y := y + 1;\n    end while;\n  end f;\n"
               "  function g\n    input Integer n;\n    output Integer y;\n  algorithm\n"
               "    y := g(n + 1);\n  end g;\n  Real x[g(1)];\nend M;\n",
               "M");
    assert_false(w.model->ok); /* endless recursion ends with a message */
    assert_true(w.session.diag.errors >= 1);
    close_model(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_array_instantiated_once),
        cmocka_unit_test(test_structural_parameters),
        cmocka_unit_test(test_parameters_are_slots),
        cmocka_unit_test(test_poison_gives_one_message),
        cmocka_unit_test(test_evaluation_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
