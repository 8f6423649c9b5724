/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c -- comma-separated values: quoted names, time first, the shortest numbers that are read back
 * as they were. The text of a value that has not changed since the last line is used again. Lines
 * reach the file whole: a program that is killed leaves no half of one behind. */
#define _POSIX_C_SOURCE 200809L
#include "record/writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool put_name(Recorder *recorder, const char *name) { /* a quote is doubled */
    if (fputs(",\"", recorder->file) < 0) return false;
    for (; *name; name++) {
        if (*name == '"' && fputc('"', recorder->file) == EOF) return false;
        if (fputc(*name, recorder->file) == EOF) return false;
    }
    return fputc('"', recorder->file) != EOF;
}

struct RecordCell { /* the text of a variable in the last line */
    double  value;
    uint8_t length; /* 0: none */
    char    text[REAL_TEXT - 1];
};

static bool begin(Recorder *recorder, const RecordLayout *layout) {
    const size_t n = (size_t)layout->variables;
    size_t bytes = sizeof(double) * (size_t)(layout->constants ? layout->constants : 1);
    recorder->variable = layout->variable;
    recorder->variables = layout->variables;
    recorder->constants_once = layout->constants_once;
    recorder->constant = malloc(bytes);
    recorder->cell = calloc(n + 1, sizeof *recorder->cell);
    recorder->line = malloc((n + 1) * (REAL_TEXT + 1) + 1);
    if (!recorder->constant || !recorder->cell || !recorder->line) return false;
    if (layout->constants) memcpy(recorder->constant, layout->constant, bytes);
    if (fputs("\"time\"", recorder->file) < 0) return false;
    for (int i = 0; i < layout->variables; i++)
        if (!put_name(recorder, layout->variable[i].name)) return false;
    return fputc('\n', recorder->file) != EOF;
}

static bool flush(Recorder *recorder) {
    recorder->pending = 0;
    if (fflush(recorder->file) != 0) return false;
    if (recorder->own_file) recorder->safe = ftell(recorder->file);
    recorder->safe_points = recorder->points;
    return true;
}

/* After the last flush some whole lines may have reached the file, and a part of one. */
static void rescue(Recorder *recorder) {
    const int file = fileno(recorder->file);
    off_t     end = recorder->safe;
    int64_t   lines = 0;
    char      part[4096];
    if (end < 0) return;
    for (off_t at = end;;) {
        const ssize_t n = pread(file, part, sizeof part, at);
        if (n <= 0) break;
        for (ssize_t i = 0; i < n; i++)
            if (part[i] == '\n') end = at + i + 1, lines++;
        at += n;
    }
    recorder->points = recorder->safe_points + lines;
    if (ftruncate(file, end) != 0) recorder->points = recorder->safe_points;
}

static double value_of(const Recorder *recorder, const RecordVariable *v,
                       const double *value) {
    double x = v->constant ? recorder->constant[v->column] : value[v->column];
    if (v->negated) x = v->whole ? 0.0 - x : -x;
    return x;
}

static char *put_value(char *at, struct RecordCell *cell, double x) {
    if (!cell->length || memcmp(&x, &cell->value, sizeof x) != 0) {
        char text[REAL_TEXT];
        cell->value = x;
        cell->length = (uint8_t)real_text(x, text);
        memcpy(cell->text, text, sizeof cell->text);
    }
    memcpy(at, cell->text, sizeof cell->text); /* of a fixed size: faster */
    return at + cell->length;
}

static bool point(Recorder *recorder, double time, const double *value) {
    const bool bare = recorder->constants_once && recorder->points > 0;
    char      *at = recorder->line;
    at += real_text(time, at);
    for (int i = 0; i < recorder->variables; i++) {
        const RecordVariable *v = &recorder->variable[i];
        *at++ = ',';
        if (bare && v->constant) continue;
        at = put_value(at, &recorder->cell[i], value_of(recorder, v, value));
    }
    *at++ = '\n';
    const size_t length = (size_t)(at - recorder->line);
    if (recorder->pending + length > RECORD_BUFFER && !flush(recorder)) return false;
    recorder->pending += length;
    recorder->bytes += (int64_t)length;
    return fwrite(recorder->line, 1, length, recorder->file) == length;
}

const RecordFormatFunctions record_csv = {begin, point, flush, rescue};
