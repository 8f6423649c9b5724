/* SPDX-License-Identifier: Apache-2.0 */
/* test_record.c -- what is recorded is read back, also from a file that was cut off. */
#define _POSIX_C_SOURCE 200809L
#include "record/record.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const RecordVariable variables[] = {
    {.name = "a.x[1]", .description = "a state", .unit = "m", .column = 0},
    {.name = "der(a.x[1])", .description = "", .unit = "m/s", .column = 1},
    {.name = "b \"q\"", .description = "alias", .unit = "", .column = 0, .negated = true},
    {.name = "p", .description = "parameter", .unit = "", .column = 0, .constant = true},
    {.name = "q",
     .description = "",
     .unit = "",
     .column = 1,
     .constant = true,
     .negated = true},
};
static const double constants[] = {42.5, -7};

static RecordLayout layout(void) {
    return (RecordLayout){.variable = variables,
                          .variables = LENGTH(variables),
                          .columns = 2,
                          .constants = 2,
                          .constant = constants,
                          .start = 0,
                          .stop = 1};
}

static char *temporary(const char *ending) {
    char pattern[] = "/tmp/rubato_XXXXXX";
    int  fd = mkstemp(pattern);
    assert_true(fd >= 0);
    close(fd);
    unlink(pattern);
    char *path = malloc(64);
    snprintf(path, 64, "%s%s", pattern, ending);
    return path;
}

static void record(Recorder *recorder, int from, int to) {
    for (int i = from; i < to; i++) {
        double t = i * 0.1, value[2] = {sin(t), cos(t)};
        assert_true(record_point(recorder, t, value));
    }
}

static void check(const char *path, int points) {
    Result      result;
    const char *why = "";
    if (!result_read(&result, path, &why)) fail_msg("%s", why);
    assert_int_equal(result.points, points);
    assert_int_equal(result.variables, LENGTH(variables));
    for (int i = 0; i < points; i++) {
        double t = i * 0.1;
        assert_true(result.time[i] == t); /* to the last bit */
        assert_true(result_value(&result, result_find(&result, "a.x[1]"), i) == sin(t));
        assert_true(result_value(&result, result_find(&result, "der(a.x[1])"), i) ==
                    cos(t));
        assert_true(result_value(&result, result_find(&result, "b \"q\""), i) == -sin(t));
        assert_true(result_value(&result, result_find(&result, "p"), i) == 42.5);
        assert_true(result_value(&result, result_find(&result, "q"), i) == 7);
    }
    assert_int_equal(result_find(&result, "absent"), -1);
    result_free(&result);
}

static void written_and_read(const char *ending) {
    char        *path = temporary(ending);
    RecordLayout l = layout();
    Recorder    *recorder = record_open(path, record_format(path), &l);
    assert_non_null(recorder);
    record(recorder, 0, 1000);
    assert_int_equal(record_points(recorder), 1000);
    assert_true(record_close(recorder));
    check(path, 1000);
    unlink(path);
    free(path);
}

static void mat_is_read_back(void **state) {
    (void)state;
    written_and_read(".mat");
}

static void csv_is_read_back(void **state) {
    (void)state;
    written_and_read(".csv");
}

static void readable_while_it_grows(const char *ending) {
    char        *path = temporary(ending);
    RecordLayout l = layout();
    Recorder    *recorder = record_open(path, record_format(path), &l);
    check(path, 0);
    record(recorder, 0, 10);
    assert_true(record_flush(recorder));
    check(path, 10); /* another process would see the same, also after a kill */
    record(recorder, 10, 30);
    assert_true(record_flush(recorder));
    check(path, 30);
    assert_true(record_close(recorder));
    unlink(path);
    free(path);
}

static void files_are_readable_while_they_grow(void **state) {
    (void)state;
    readable_while_it_grows(".mat");
    readable_while_it_grows(".csv");
}

static void mat_layout_is_the_known_one(void **state) {
    (void)state;
    char        *path = temporary(".mat");
    RecordLayout l = layout();
    Recorder    *recorder = record_open(path, RECORD_MAT, &l);
    record(recorder, 0, 3);
    record_close(recorder);
    unsigned char byte[4096];
    FILE         *file = fopen(path, "rb");
    size_t        size = fread(byte, 1, sizeof byte, file);
    fclose(file);
    static const unsigned char head[] = {51,  0,   0,   0,   4,   0,   0, 0,   11, 0,
                                         0,   0,   0,   0,   0,   0,   7, 0,   0,  0,
                                         'A', 'c', 'l', 'a', 's', 's', 0, 'A', '1'};
    assert_memory_equal(byte, head, sizeof head);
    /* data_2: 3 rows (time and two columns), 3 points, doubles, at the end of the file */
    size_t data = size - 9 * sizeof(double);
    assert_string_equal((char *)byte + data - 7, "data_2");
    assert_int_equal(byte[data - 7 - 16], 3);
    assert_int_equal(byte[data - 7 - 12], 3);
    unlink(path);
    free(path);
}

static void a_cut_file_keeps_whole_points(void **state) {
    (void)state;
    char        *path = temporary(".mat");
    RecordLayout l = layout();
    Recorder    *recorder = record_open(path, RECORD_MAT, &l);
    record(recorder, 0, 20);
    record_close(recorder);
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    assert_int_equal(truncate(path, size - 3 * 24 - 5), 0);
    check(path, 16);
    unlink(path);
    free(path);
}

static void other_separators_and_words_are_read(void **state) {
    (void)state;
    char *path = temporary(".csv");
    FILE *file = fopen(path, "w");
    fputs("Time;\"a;b\";c\r\n0;1.5;true\r\n\r\n1;-2e3;false\r\n", file);
    fclose(file);
    Result      result;
    const char *why;
    assert_true(result_read(&result, path, &why));
    assert_int_equal(result.points, 2);
    assert_true(result_value(&result, result_find(&result, "a;b"), 1) == -2000);
    assert_true(result_value(&result, result_find(&result, "c"), 0) == 1);
    assert_true(result_value(&result, result_find(&result, "c"), 1) == 0);
    result_free(&result);
    unlink(path);
    free(path);
}

static void wrong_files_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"", "a,b\n1,2\n", "\"unclosed"};
    Result                   result;
    const char              *why = NULL;
    assert_false(result_read(&result, "/nonexistent/file.mat", &why));
    assert_string_equal(why, "No such file or directory");
    for (int i = 0; i < LENGTH(texts); i++) {
        char *path = temporary(".csv");
        FILE *file = fopen(path, "w");
        fputs(texts[i], file);
        fclose(file);
        assert_false(result_read(&result, path, &why));
        assert_string_equal(why, "no column named time");
        unlink(path);
        free(path);
    }
}

static void a_full_disk_is_noticed(void **state) {
    (void)state;
    RecordLayout l = layout();
    Recorder    *recorder = record_open("/dev/full", RECORD_CSV, &l);
    assert_null(recorder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mat_is_read_back),
        cmocka_unit_test(csv_is_read_back),
        cmocka_unit_test(files_are_readable_while_they_grow),
        cmocka_unit_test(mat_layout_is_the_known_one),
        cmocka_unit_test(a_cut_file_keeps_whole_points),
        cmocka_unit_test(other_separators_and_words_are_read),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(a_full_disk_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
