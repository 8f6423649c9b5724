/* SPDX-License-Identifier: Apache-2.0 */
/* mat.c -- MAT level 4 trajectory files, as Dymola and OpenModelica tools read them.
 *
 * A level 4 file is a list of matrices. Each has a header of five 32-bit integers (type,
 * rows, columns, imaginary flag, length of the name), its name and its elements, column by
 * column. The layout "binTrans" stores everything transposed, so that a point is a column
 * and can be appended:
 *
 *   Aclass       the four texts Atrajectory, 1.1, (empty), binTrans
 *   name         one name a column, padded with zeros
 *   description  one a column: text [unit]
 *   dataInfo     one column a variable: block (0 time, 1 constants, 2 varying), signed
 *                column in it from 1, interpolation 0, extrapolation -1
 *   data_1       constants, time first: at start and at stop
 *   data_2       varying, time first: one column a point
 *
 * The number of columns of data_2 is corrected at each flush, so that the file is whole at
 * any moment. Offsets are computed in 64 bits; only the two sizes in a header are 32-bit. */
#define _POSIX_C_SOURCE 200809L
#include "record/writer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool put(Recorder *recorder, const void *data, size_t bytes) {
    return fwrite(data, 1, bytes, recorder->file) == bytes;
}

static bool put_int(Recorder *recorder, uint32_t value) {
    return matrix_int(recorder->file, value);
}

static bool header(Recorder *recorder, uint32_t type, uint32_t rows, uint32_t columns,
                   const char *name) {
    return matrix_header(recorder->file, type, rows, columns, name);
}

/* Texts of a matrix whose rows are texts: stored letter by letter. */
static bool put_class(Recorder *recorder) {
    static const char *const text[4] = {"Atrajectory", "1.1", "", "binTrans"};
    enum { WIDTH = 11 };
    if (!header(recorder, MATRIX_TEXT, 4, WIDTH, "Aclass")) return false;
    for (int c = 0; c < WIDTH; c++)
        for (int r = 0; r < 4; r++) {
            char letter = (size_t)c < strlen(text[r]) ? text[r][c] : '\0';
            if (!put(recorder, &letter, 1)) return false;
        }
    return true;
}

/* One text a column; text i of `variables + 1`, time first. */
static bool put_texts(Recorder *recorder, const RecordLayout *layout, const char *name,
                      void (*text_of)(const RecordVariable *variable, Text *out)) {
    static const RecordVariable time = {
        .name = "time", .description = "Time", .unit = "s"};
    Text   text = {0};
    size_t width = 1;
    bool   good = true;
    for (int i = -1; i < layout->variables; i++) {
        text_clear(&text);
        text_of(i < 0 ? &time : &layout->variable[i], &text);
        if (text.length > width) width = text.length;
    }
    char *column = malloc(width);
    good = column && header(recorder, MATRIX_TEXT, (uint32_t)width,
                            (uint32_t)layout->variables + 1, name);
    for (int i = -1; good && i < layout->variables; i++) {
        text_clear(&text);
        text_of(i < 0 ? &time : &layout->variable[i], &text);
        memset(column, 0, width);
        memcpy(column, text_get(&text), text.length);
        good = put(recorder, column, width);
    }
    free(column);
    text_free(&text);
    return good;
}

static void name_text(const RecordVariable *variable, Text *out) {
    text_add(out, variable->name);
}

static void description_text(const RecordVariable *variable, Text *out) {
    text_add(out, variable->description);
    if (*variable->unit)
        text_printf(out, "%s[%s]", *variable->description ? " " : "", variable->unit);
}

static bool put_info(Recorder *recorder, const RecordLayout *layout) {
    if (!header(recorder, MATRIX_INT32, 4, (uint32_t)layout->variables + 1, "dataInfo"))
        return false;
    for (int i = -1; i < layout->variables; i++) {
        const RecordVariable *v = i < 0 ? NULL : &layout->variable[i];
        int32_t               column = v ? v->column + 2 : 1; /* after time, from 1 */
        if (v && v->negated) column = -column;
        if (!put_int(recorder, !v            ? 0
                               : v->constant ? 1
                                             : 2) ||
            !put_int(recorder, (uint32_t)column) || !put_int(recorder, 0) ||
            !put_int(recorder, (uint32_t)-1))
            return false;
    }
    return true;
}

static bool put_constants(Recorder *recorder, const RecordLayout *layout) {
    if (!header(recorder, MATRIX_DOUBLE, (uint32_t)layout->constants + 1, 2, "data_1"))
        return false;
    for (int end = 0; end < 2; end++) {
        if (!matrix_double(recorder->file, end ? layout->stop : layout->start))
            return false;
        for (int i = 0; i < layout->constants; i++)
            if (!matrix_double(recorder->file, layout->constant[i])) return false;
    }
    return true;
}

static bool begin(Recorder *recorder, const RecordLayout *layout) {
    if (!put_class(recorder) || !put_texts(recorder, layout, "name", name_text) ||
        !put_texts(recorder, layout, "description", description_text) ||
        !put_info(recorder, layout) || !put_constants(recorder, layout))
        return false;
    long at = ftell(recorder->file);
    recorder->count_at = at < 0 ? -1 : at + 8; /* a pipe has no place to come back to */
    recorder->point = malloc(sizeof(double) * ((size_t)layout->columns + 1));
    return recorder->point && recorder->count_at >= 0 &&
           header(recorder, MATRIX_DOUBLE, (uint32_t)layout->columns + 1, 0, "data_2");
}

static bool little_endian(void) {
    const uint16_t one = 1;
    unsigned char  first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static bool point(Recorder *recorder, double time, const double *value) {
    size_t n = (size_t)recorder->columns + 1;
    recorder->point[0] = time;
    memcpy(recorder->point + 1, value, sizeof(double) * (n - 1));
    recorder->bytes += (int64_t)(sizeof(double) * n);
    if (little_endian()) return put(recorder, recorder->point, sizeof(double) * n);
    for (size_t i = 0; i < n; i++)
        if (!matrix_double(recorder->file, recorder->point[i])) return false;
    return true;
}

static bool flush(Recorder *recorder) {
    if (fflush(recorder->file) != 0) return false; /* data before the count */
    return fseek(recorder->file, recorder->count_at, SEEK_SET) == 0 &&
           put_int(recorder, (uint32_t)recorder->points) &&
           fseek(recorder->file, 0, SEEK_END) == 0 && fflush(recorder->file) == 0;
}

static void rescue(Recorder *recorder) {
    const int     file = fileno(recorder->file);
    const int64_t column = (int64_t)sizeof(double) * (recorder->columns + 1);
    const int64_t first = recorder->count_at + 12 + (int64_t)sizeof "data_2";
    struct stat   info;
    if (recorder->count_at < 0 || fstat(file, &info) != 0 || info.st_size < first) return;
    int64_t whole = (info.st_size - first) / column;
    if (whole < recorder->points) recorder->points = whole;
    whole = recorder->points;
    unsigned char count[4] = {(unsigned char)whole, (unsigned char)(whole >> 8),
                              (unsigned char)(whole >> 16), (unsigned char)(whole >> 24)};
    if (pwrite(file, count, 4, recorder->count_at) != 4 ||
        ftruncate(file, (off_t)(first + whole * column)) != 0)
        recorder->points = 0; /* it stays as the last flush left it */
}

const RecordFormatFunctions record_mat = {begin, point, flush, rescue};
