/* SPDX-License-Identifier: Apache-2.0 */
/* bench_results.c -- large results: how fast they are written, read and shown.
 *
 *   bench_results [VARIABLES POINTS [FILE]]     default 1000 100000 bench_results.mat
 *
 * The same bytes go to the same disk twice: plain, one megabyte at a time, and through the recorder as
 * a MAT file; both end when the disk has them (fsync), and the faster of two rounds counts. The ratio of
 * the two rates is what the format costs. Then the file is read back, and its HTML report is made and
 * written. Expected: a ratio of at least 0.5, a report in at most 3 s. */
#define _DEFAULT_SOURCE
#include "plot/plot.h"
#include "record/record.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void settle(const char *path) { /* the disk has the file */
    int file = open(path, O_RDONLY);
    if (file >= 0) fsync(file), close(file);
}

/* Seconds; 0: it failed. */
static double write_plain(const char *path, double bytes) {
    enum { BLOCK = 1 << 20 };
    char  *block = malloc(BLOCK);
    int    file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    double begin = now();
    bool   fine = block && file >= 0;
    for (int i = 0; fine && i < BLOCK; i++) block[i] = (char)(i * 37);
    for (double done = 0; fine && done < bytes; done += BLOCK)
        fine = write(file, block, BLOCK) == BLOCK;
    if (file >= 0) fsync(file), close(file);
    free(block);
    return fine ? now() - begin : 0;
}

static double write_mat(const char *path, int variables, int points) {
    RecordVariable *variable = calloc((size_t)variables, sizeof *variable);
    double         *value = calloc((size_t)variables, sizeof *value);
    char           *name = calloc((size_t)variables, 24);
    bool            fine = variable && value && name;
    for (int v = 0; v < variables && fine; v++) {
        snprintf(name + 24 * v, 24, "part[%d].x", v + 1);
        variable[v] = (RecordVariable){
            .name = name + 24 * v, .description = "", .unit = "", .column = v};
    }
    RecordLayout layout = {
        .variable = variable, .variables = variables, .columns = variables, .stop = 1};
    double    begin = now();
    Recorder *recorder = fine ? record_open(path, RECORD_MAT, &layout) : NULL;
    for (int p = 0; p < points && fine; p++) {
        double t = (double)p / points;
        value[p % variables] = 1e3 * t; /* cheap, and no two curves are equal */
        for (int v = 0; v < variables; v += 16) value[v] = t * (v + 1);
        fine = recorder && record_point(recorder, t, value);
    }
    fine = recorder && record_close(recorder) && fine;
    settle(path);
    double taken = now() - begin;
    free(variable), free(value), free(name);
    return fine ? taken : 0;
}

static double least(double a, double b) {
    return a > 0 && a < b ? a : b;
}

static bool show(const char *path) {
    Result      result;
    const char *why = "";
    Text        page = {0};
    double      begin = now();
    if (!result_read(&result, path, &why)) return fprintf(stderr, "%s\n", why), false;
    double read = now();
    report_html(&page, &(ReportInput){.name = "results", .result = &result});
    double made = now();
    FILE  *file = fopen("bench_results.html", "wb");
    bool   fine = file && fwrite(text_get(&page), 1, page.length, file) == page.length;
    if (file && fclose(file) != 0) fine = false;
    double written = now();
    printf("read back  %6.2f s\npage made  %6.2f s, %.1f MB\npage written %4.2f s\n"
           "report     %6.2f s in all\n",
           read - begin, made - read, (double)page.length / 1e6, written - made,
           written - begin);
    remove("bench_results.html");
    text_free(&page);
    result_free(&result);
    return fine;
}

int main(int arguments, char **argument) {
    int         variables = arguments > 2 ? atoi(argument[1]) : 1000;
    int         points = arguments > 2 ? atoi(argument[2]) : 100000;
    const char *path = arguments > 3 ? argument[3] : "bench_results.mat";
    double      bytes = 8.0 * (variables + 1) * points, plain = 1e9, mat = 1e9;
    if (variables < 1 || points < 1) return 2;
    for (int round = 0; round < 2; round++) {
        plain = least(write_plain(path, bytes), plain);
        mat = least(write_mat(path, variables, points), mat);
    }
    if (plain >= 1e9 || mat >= 1e9) return perror(path), 1;
    printf("%d variables, %d points, %.0f MB\n", variables, points, bytes / 1e6);
    printf("disk       %6.0f MB/s\nMAT file   %6.0f MB/s, ratio %.2f\n",
           bytes / 1e6 / plain, bytes / 1e6 / mat, plain / mat);
    bool fine = show(path);
    remove(path);
    return fine ? 0 : 1;
}
