/* SPDX-License-Identifier: Apache-2.0 */
/* Families of components through the library: values of any instance, what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rubato.h"

static const char text[] = "model Fleet\n"
                           "  Rubato.Planar.Examples.CraneCrab crab[300](\n"
                           "    revolute(phi(start = {k/100 for k in 1:300})));\n"
                           "  Real x(start = 1, fixed = true);\n"
                           "equation\n"
                           "  der(x) = -x;\n"
                           "end Fleet;\n";

static RbProgram *fleet(RbCompiler *c, const char *path) {
    RbError   error;
    RbRequest wish = {.target = path, .components = true, .fresh = true};
    FILE     *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    RbProgram *p = rb_translate(c, &wish, &error);
    if (!p) print_message("%s\n", error.text);
    return p;
}

static void instances_have_their_values(void **state) {
    RbError     error;
    RbCompiler *c = rb_compiler_new(NULL, &error);
    char        path[300];
    (void)state;
    snprintf(path, sizeof path, "%s/fleet.mo",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_int_equal(rb_add_library(c, "../lib/Rubato", &error), RB_OK); /* from tests */
    RbProgram *p = fleet(c, path);
    assert_non_null(p);
    RbOptions o = {.fixed_step = 1e-3, .interval = 0.25, .given_stop = true, .stop = 0.5};
    RbSimulation *s = rb_simulation_new(p, &o, &error);
    assert_non_null(s);
    assert_int_equal(rb_show(s, 1, &error), RB_ARGUMENT); /* before the start */
    assert_int_equal(rb_set(s, "crab[1].body2.m", 2, &error),
                     RB_TRANSLATE); /* of one of 300 */
    assert_int_equal(rb_step(s, 0.25, &error), RB_OK);
    assert_int_equal(rb_step(s, 0.5, &error), RB_OK);
    assert_true(fabs(rb_get(s, "x") - exp(-0.5)) < 1e-12);
    double first = rb_get(s, "crab[1].revolute.phi"), momentum[3];
    int    shown[3] = {1, 129, 300};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(rb_show(s, shown[k], &error), RB_OK);
        momentum[k] =
            rb_get(s, "crab[1].prismatic.v") + 0.5 * rb_get(s, "crab[1].body2.to.v[1]");
        assert_true(fabs(momentum[k]) < 1e-12); /* conserved in each of them */
        assert_true((k == 0) == (rb_get(s, "crab[1].revolute.phi") == first));
    }
    assert_int_equal(rb_show(s, 301, &error), RB_ARGUMENT);
    RbSimulation *copy = rb_copy(s, &error); /* all instances go along */
    assert_non_null(copy);
    assert_int_equal(rb_show(copy, 300, &error), RB_OK);
    assert_int_equal(rb_show(s, 300, &error), RB_OK);
    assert_true(rb_get(copy, "crab[1].revolute.phi") ==
                rb_get(s, "crab[1].revolute.phi"));
    rb_simulation_free(copy);
    rb_simulation_free(s);
    rb_program_free(p);
    rb_compiler_free(c);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(instances_have_their_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
