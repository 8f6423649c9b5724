/* SPDX-License-Identifier: Apache-2.0 */
/* write.c -- the result of a study: one line a case as CSV, or one MAT file with all of it. Cases stand
 * in their order, whatever order they were computed in; those that are not done are left out.
 *
 * The MAT file begins with a trajectory over the number of the case, so that everything that reads
 * results reads it; failed cases have no numbers there. After it stand `case` and `status`, by line,
 * `reasons`, a text for each line, and, if they are kept, `trajectories`: points as columns with the
 * number of the case, time and the variables that `trajectory_names` lists. */
#define _POSIX_C_SOURCE 200809L
#include "study/study.h"

#include "record/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const status_name[] = {
    [RB_OK] = "ok",          [RB_END] = "ended",        [RB_MODEL] = "model",
    [RB_ARGUMENT] = "value", [RB_TRANSLATE] = "shape",  [RB_FAILED] = "failed",
    [RB_FILE] = "file",      [RB_NO_MEMORY] = "memory", [RB_STOPPED] = "open",
    [RB_DEFECT] = "defect"};

static void put_text(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text == '\n' ? ' ' : *text, file);
    }
    fputc('"', file);
}

static void put_number(FILE *file, Text *room, double x) {
    text_clear(room);
    if (isfinite(x)) text_printf(room, ",%.17g", x);
    else text_char(room, ',');
    fputs(text_get(room), file);
}

static bool write_csv(RbStudy *study, FILE *file) {
    Text room = {0};
    fputs("\"case\"", file);
    for (int c = 0; c < rb_study_columns(study); c++)
        fputc(',', file), put_text(file, rb_study_column(study, c));
    fputs(",\"status\",\"reason\"\n", file);
    for (long i = 0; i < rb_study_cases(study); i++) {
        RbStatus status = rb_study_status(study, i);
        if (status == RB_STOPPED) continue;
        fprintf(file, "%ld", i + 1);
        for (int c = 0; c < rb_study_columns(study); c++)
            put_number(file, &room, rb_study_value(study, i, c));
        fprintf(file, ",%s,", status_name[status]);
        if (status != RB_OK) put_text(file, rb_study_reason(study, i));
        fputc('\n', file);
    }
    text_free(&room);
    return !ferror(file);
}

/* Trajectories as CSV: case, time, variables. */
static bool write_courses_csv(RbStudy *study, FILE *file) {
    const int n = rb_study_courses(study) + 1;
    Text      room = {0};
    fputs("\"case\",\"time\"", file);
    for (int c = 0; c < n - 1; c++)
        fputc(',', file), put_text(file, rb_study_course(study, c));
    fputc('\n', file);
    for (long i = 0; i < rb_study_cases(study); i++) {
        const double *point;
        const long    points = rb_study_points(study, i, &point);
        for (long k = 0; k < points; k++) {
            fprintf(file, "%ld", i + 1);
            for (int c = 0; c < n; c++) put_number(file, &room, point[k * n + c]);
            fputc('\n', file);
        }
    }
    text_free(&room);
    return !ferror(file);
}

/* ---- MAT ---- */

static bool write_cases(RbStudy *study, const char *path) {
    const int       n = rb_study_columns(study);
    RecordVariable *variable = mem_take((size_t)n, sizeof *variable);
    double         *value = mem_take((size_t)n, sizeof *value);
    RecordLayout    layout = {.variable = variable,
                              .variables = n,
                              .columns = n,
                              .stop = (double)rb_study_cases(study)};
    for (int c = 0; variable && c < n; c++)
        variable[c] = (RecordVariable){.name = rb_study_column(study, c),
                                       .description = "",
                                       .unit = "",
                                       .column = c};
    Recorder *to = variable && value ? record_open(path, RECORD_MAT, &layout) : NULL;
    bool      good = to != NULL;
    for (long i = 0; good && i < rb_study_cases(study); i++) {
        if (rb_study_status(study, i) == RB_STOPPED) continue;
        for (int c = 0; c < n; c++) value[c] = rb_study_value(study, i, c);
        good = record_point(to, (double)(i + 1), value);
    }
    if (to && !record_close(to)) good = false;
    MEM_FREE(variable, value);
    return good;
}

static bool write_states(RbStudy *study, FILE *file) {
    const long   cases = rb_study_cases(study);
    double      *column = mem_take((size_t)cases, sizeof *column);
    const char **words = mem_take((size_t)cases, sizeof *words);
    long         n = 0, failed = 0;
    Arena        texts = {0};
    bool         good = column && words;
    for (long i = 0; good && i < cases; i++)
        if (rb_study_status(study, i) != RB_STOPPED) column[n++] = (double)(i + 1);
    good = good && matrix_full(file, "case", (size_t)n, 1, column);
    n = 0;
    for (long i = 0; good && i < cases; i++) {
        RbStatus status = rb_study_status(study, i);
        if (status == RB_STOPPED) continue;
        column[n] = status;
        const char *why = status == RB_OK ? "" : rb_study_reason(study, i);
        words[n++] = *why ? arena_string(&texts, why, strlen(why)) : "";
        failed += status != RB_OK;
        good = words[n - 1] != NULL;
    }
    good = good && matrix_full(file, "status", (size_t)n, 1, column);
    if (good && failed) good = matrix_texts(file, "reasons", words, (int)n);
    arena_free(&texts);
    MEM_FREE(column, words);
    return good;
}

static bool write_courses(RbStudy *study, FILE *file) {
    const int     n = rb_study_courses(study) + 1;
    const double *point;
    size_t        all = 0;
    for (long i = 0; i < rb_study_cases(study); i++)
        all += (size_t)rb_study_points(study, i, &point);
    bool good = matrix_texts(file, "trajectory_names", study->courses.name, n - 1) &&
                matrix_head(file, "trajectories", (size_t)n + 1, all);
    for (long i = 0; good && i < rb_study_cases(study); i++) {
        const double number = (double)(i + 1);
        const long   points = rb_study_points(study, i, &point);
        for (long k = 0; good && k < points; k++)
            good = matrix_numbers(file, &number, 1) &&
                   matrix_numbers(file, point + k * n, (size_t)n);
    }
    return good;
}

static bool write_mat(RbStudy *study, const char *path) {
    if (!write_cases(study, path)) return false;
    FILE *file = fopen(path, "ab");
    bool  good = file && write_states(study, file);
    if (good && rb_study_courses(study)) good = write_courses(study, file);
    if (file && fclose(file) != 0) good = false;
    return good;
}

static bool ends_with(const char *path, const char *ending) {
    size_t n = strlen(path), own = strlen(ending);
    return n > own && strcmp(path + n - own, ending) == 0;
}

static bool write_file(RbStudy *study, const char *path, bool courses) {
    FILE *file = fopen(path, "wb");
    bool  good =
        file && (courses ? write_courses_csv(study, file) : write_csv(study, file));
    if (file && fclose(file) != 0) good = false;
    return good;
}

/* Made beside the file and then put in its place: it is whole or what it was before. */
static bool replaced(RbStudy *study, const char *path, bool courses) {
    Text beside = {0};
    text_printf(&beside, "%s.new", path);
    bool good = !beside.failed &&
                (ends_with(path, ".mat") ? write_mat(study, text_get(&beside))
                                         : write_file(study, text_get(&beside), courses));
    good = good && rename(text_get(&beside), path) == 0;
    int why = errno;
    if (!good) unlink(text_get(&beside));
    text_free(&beside);
    errno = why;
    return good;
}

RbStatus rb_study_write(RbStudy *study, const char *file, RbError *error) {
    if (error) *error = (RbError){.status = RB_OK};
    if (!ends_with(file, ".csv") && !ends_with(file, ".mat"))
        return error_set(error, RB_ARGUMENT, "'%s': a study is written to .csv or .mat",
                         file);
    bool good = replaced(study, file, false);
    if (good && rb_study_courses(study) && ends_with(file, ".csv")) {
        Text more = {0};
        text_printf(&more, "%.*s_trajectories.csv", (int)strlen(file) - 4, file);
        good = !more.failed && replaced(study, text_get(&more), true);
        text_free(&more);
    }
    if (good) return RB_OK;
    return error_set(error, RB_FILE, "cannot write '%s': %s", file, strerror(errno));
}
