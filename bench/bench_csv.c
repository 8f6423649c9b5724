/* SPDX-License-Identifier: Apache-2.0 */
/* bench_csv.c -- how fast results are written: bench_csv [VARIABLES POINTS]
 *
 * Random numbers with all their digits, which is the worst case, and numbers of which nine in ten stay what they
 * were, through the recorder as CSV and MAT into a file; beside it the same numbers through snprintf, and a
 * plain copy of the bytes. What is read back is compared. */
#define _POSIX_C_SOURCE 200809L
#include "record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double number(uint64_t k) {
    return (double)(int64_t)hash_mix(k) * 1.1e-19;
}

static double value_at(int point, int column, int change) {
    const int since = point - (point + column) % change;
    return number((uint64_t)since * 1000003u + (uint64_t)column);
}

static double write_all(const char *path, RecordFormat format, int n, int points,
                        int change, double *bytes) {
    RecordVariable *variable = calloc((size_t)n, sizeof *variable);
    double         *x = calloc((size_t)n * (size_t)points, sizeof *x);
    char(*name)[16] = calloc((size_t)n, sizeof *name);
    if (!variable || !x || !name) exit(1);
    for (int i = 0; i < n; i++) {
        snprintf(name[i], sizeof name[i], "x[%d]", i + 1);
        variable[i] =
            (RecordVariable){.name = name[i], .description = "", .unit = "", .column = i};
    }
    for (int p = 0; p < points; p++)
        for (int i = 0; i < n; i++) x[p * n + i] = value_at(p, i, change);
    RecordLayout layout = {
        .variable = variable, .variables = n, .columns = n, .stop = points};
    double    begin = now();
    Recorder *recorder = record_open(path, format, &layout);
    for (int p = 0; recorder && p < points; p++)
        record_point(recorder, p, x + (size_t)p * (size_t)n);
    *bytes = recorder ? (double)record_bytes(recorder) : 0;
    if (format == RECORD_MAT) *bytes = 8.0 * (n + 1) * points;
    if (!recorder || !record_close(recorder)) exit(1);
    const double seconds = now() - begin;
    free(variable);
    free(name);
    free(x);
    return seconds;
}

/* Numbers that are not read back as they were. */
static long differences(const char *path, int n, int points, int change) {
    const char *why;
    Result      result;
    long        wrong = 0;
    if (!result_read(&result, path, &why)) return (long)n * points;
    if (result.points != points) wrong = (long)n * points;
    for (int i = 0; i < n && !wrong; i++)
        for (int p = 0; p < points; p++)
            wrong += result_value(&result, i, p) != value_at(p, i, change);
    result_free(&result);
    return wrong;
}

static double by_snprintf(const char *path, int n, int points, double *bytes) {
    FILE  *file = fopen(path, "wb");
    char   text[32];
    double begin = now();
    if (!file) exit(1);
    for (int p = 0; p < points; p++)
        for (int i = 0; i < n; i++)
            *bytes += fwrite(
                text, 1, (size_t)snprintf(text, sizeof text, ",%.17g", value_at(p, i, 1)),
                file);
    fclose(file);
    return now() - begin;
}

static double by_copy(const char *path, double bytes) {
    static char block[1 << 18];
    FILE       *file = fopen(path, "wb");
    double      begin = now();
    if (!file) exit(1);
    for (double left = bytes; left > 0; left -= sizeof block)
        if (!fwrite(block, 1, sizeof block, file)) exit(1);
    fclose(file);
    return now() - begin;
}

static void line(const char *what, double seconds, double bytes, double numbers,
                 long wrong) {
    printf("%-34s %8.2f s %8.0f MB/s %8.1f ns a number", what, seconds,
           bytes / seconds / 1e6, seconds / numbers * 1e9);
    if (wrong >= 0) printf("  %ld wrong", wrong);
    putchar('\n');
}

int main(int argc, char **argv) {
    const int    n = argc > 1 ? atoi(argv[1]) : 100;
    const int    points = argc > 2 ? atoi(argv[2]) : 50000;
    const double numbers = (double)n * points;
    const struct {
        const char  *what, *path;
        RecordFormat format;
        int          change;
    } run[] = {{"CSV, all digits", "bench_csv.csv", RECORD_CSV, 1},
               {"CSV, nine of ten unchanged", "bench_csv.csv", RECORD_CSV, 10},
               {"MAT", "bench_csv.mat", RECORD_MAT, 1}};
    double bytes = 0;
    printf("%d variables, %d points\n", n, points);
    for (int k = 0; k < 3; k++) {
        double seconds =
            write_all(run[k].path, run[k].format, n, points, run[k].change, &bytes);
        line(run[k].what, seconds, bytes, numbers,
             differences(run[k].path, n, points, run[k].change));
    }
    line("the bytes of MAT copied", by_copy("bench_csv.mat", bytes), bytes, numbers, -1);
    bytes = 0;
    double seconds = by_snprintf("bench_csv.csv", n, points, &bytes);
    line("snprintf with 17 digits", seconds, bytes, numbers, -1);
    remove("bench_csv.csv");
    remove("bench_csv.mat");
    return 0;
}
