/* SPDX-License-Identifier: Apache-2.0 */
/* test_locale.c -- in a program that writes 0,5 everything is as it is elsewhere. */
#define _POSIX_C_SOURCE 200809L
#include "code/code.h"
#include "record/record.h"
#include "unit.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/rubato_locale_XXXXXX";

/* A locale with a decimal comma: of the system, or made in a folder of its own. */
static int begin(void **state) {
    char command[200];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && system(command) == 0) {
        setenv("LOCPATH", folder, 1);
        setlocale(LC_NUMERIC, "de_DE.UTF-8");
    }
    return 0;
}

static int end(void **state) {
    char command[200];
    (void)state;
    setlocale(LC_NUMERIC, "C");
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void needs_comma(void) {
    char text[8];
    snprintf(text, sizeof text, "%.1f", 0.5);
    if (strcmp(text, "0,5") != 0) skip();
}

static void numbers_as_text(void **state) {
    (void)state;
    needs_comma();
    Text text = {0};
    text_printf(&text, "%g %.3f %s", 0.5, 1e6, "x");
    assert_string_equal(text_get(&text), "0.5 1000000.000 x");
    text_free(&text);
    char *rest;
    assert_true(number_read("1.25e-3;", &rest) == 1.25e-3);
    assert_string_equal(rest, ";");
    needs_comma(); /* the program keeps its locale */
}

static void results(void **state) {
    (void)state;
    needs_comma();
    RecordVariable variable = {.name = "x", .description = "", .unit = ""};
    RecordLayout   layout = {
          .variable = &variable, .variables = 1, .columns = 1, .stop = 1};
    char        path[100];
    const char *why = "";
    Result      result;
    double      value = 0.1;
    snprintf(path, sizeof path, "%s/x.csv", folder);
    Recorder *recorder = record_open(path, RECORD_CSV, &layout);
    assert_true(record_point(recorder, 0.25, &value));
    assert_true(record_close(recorder));
    if (!result_read(&result, path, &why)) fail_msg("%s", why);
    assert_int_equal(result.points, 1);
    assert_true(result.time[0] == 0.25);
    assert_true(result_value(&result, 0, 0) == 0.1);
    result_free(&result);
}

static void code(void **state) {
    (void)state;
    needs_comma();
    Text  text = {0}, why = {0};
    void *tcc;
    text_add(&text, "double f(double x) { return ");
    text_number(&text, 0.7);
    text_add(&text, "*x; }\n");
    assert_string_equal(text_get(&text), "double f(double x) { return 0.7*x; }\n");
    double (*f)(double);
    *(void **)&f = tcc_function(text_get(&text), "f", &tcc, &why);
    assert_non_null(f);
    assert_true(f(10) == 7);
    tcc_release(tcc);
    text_free(&text);
    text_free(&why);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_as_text),
        cmocka_unit_test(results),
        cmocka_unit_test(code),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
