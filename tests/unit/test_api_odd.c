/* SPDX-License-Identifier: Apache-2.0 */
/* The library in the hands of somebody who makes mistakes: each is refused, and what comes after goes on. */
#include "api_models.h"

#include <math.h>
#include <string.h>

static const char good[] =
    "model Good Real x(start = 1, fixed = true); equation der(x) = -x; "
    "end Good;";

static RbProgram *translated(RbCompiler *c, const char *text, RbError *error) {
    const RbRequest request = {.target = "typed", .text = text};
    return rb_translate(c, &request, error);
}

/* A compiler goes on after a model that is wrong, and after a library that is not there. */
static void wrong_then_right(void **unused) {
    (void)unused;
    RbError     error;
    RbCompiler *c = rb_compiler_new(NULL, &error);
    assert_non_null(c);
    assert_int_equal(rb_add_library(c, "/nowhere", &error), RB_FILE);
    assert_int_equal(rb_add_library(c, NULL, &error), RB_ARGUMENT);
    assert_null(translated(c, "model M Real x; equation x = ; end M;", &error));
    assert_int_equal(error.status, RB_MODEL);
    assert_int_equal(error.line, 1);
    assert_null(translated(c, "model M Real x; equation x = y; end M;", &error));
    assert_non_null(strstr(error.text, "'y'"));
    const int before = rb_message_count(c);
    assert_true(before >= 3);
    RbProgram *p = translated(c, good, &error);
    assert_non_null(p);
    assert_int_equal(rb_message_count(c), before);
    assert_string_equal(rb_message(c, before).text, "");
    assert_string_equal(rb_message(c, -1).code, "");
    rb_compiler_free(c);
    rb_program_free(p);
}

static void no_such_thing(void **unused) {
    (void)unused;
    RbError     error;
    RbCompiler *c = rb_compiler_new(NULL, &error);
    RbProgram  *p = translated(c, good, &error);
    assert_non_null(p);
    rb_compiler_free(c);
    char      name[3] = "?";
    const int far[] = {-1, rb_info(p).variables, 1000000};
    for (int k = 0; k < 3; k++) {
        const RbVariable none = rb_variable(p, far[k], name, sizeof name);
        assert_string_equal(none.name, "");
        assert_string_equal(name, "");
        assert_int_equal(none.kind, RB_HIDDEN);
        assert_int_equal(none.equal, -1);
    }
    assert_string_equal(rb_variable(p, rb_find(p, "der(x)"), name, sizeof name).name,
                        "de");
    assert_int_equal(rb_find(p, NULL), -1);
    RbSimulation *s = rb_simulation_new(p, NULL, &error);
    assert_non_null(s);
    assert_true(isnan(rb_get(s, NULL)));
    assert_null(rb_get_text(s, NULL));
    assert_int_equal(rb_set(s, NULL, 1, &error), RB_ARGUMENT);
    assert_int_equal(rb_record(s, NULL, NULL, &error), RB_ARGUMENT);
    assert_int_equal(rb_step(s, NAN, &error), RB_ARGUMENT);
    assert_true(rb_time(s) == 0);
    assert_int_equal(rb_step(s, 0.5, &error), RB_OK);
    assert_true(fabs(rb_get(s, "x") - exp(-0.5)) < 1e-5);
    assert_int_equal(rb_step(s, NAN, &error), RB_ARGUMENT);
    assert_true(rb_time(s) == 0.5);
    rb_simulation_free(s);
    rb_program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_then_right),
                                       cmocka_unit_test(no_such_thing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
