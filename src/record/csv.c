/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c -- comma-separated values: quoted names, time first, 17 significant digits, so that
 * every number is read back as it was. Lines reach the file whole: a program that is killed
 * leaves no half of one behind. */
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

static bool begin(Recorder *recorder, const RecordLayout *layout) {
    size_t bytes = sizeof(double) * (size_t)(layout->constants ? layout->constants : 1);
    recorder->variable = layout->variable;
    recorder->variables = layout->variables;
    recorder->constant = malloc(bytes);
    if (!recorder->constant) return false;
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

static bool point(Recorder *recorder, double time, const double *value) {
    Text *line = &recorder->line;
    text_clear(line);
    text_printf(line, "%.17g", time);
    for (int i = 0; i < recorder->variables; i++) {
        const RecordVariable *v = &recorder->variable[i];
        double x = v->constant ? recorder->constant[v->column] : value[v->column];
        if (v->negated) x = v->whole ? 0.0 - x : -x;
        text_printf(line, ",%.17g", x);
    }
    text_char(line, '\n');
    if (recorder->pending + line->length > RECORD_BUFFER && !flush(recorder))
        return false;
    recorder->pending += line->length;
    recorder->bytes += (int64_t)line->length;
    return fwrite(text_get(line), 1, line->length, recorder->file) == line->length;
}

const RecordFormatFunctions record_csv = {begin, point, flush, rescue};
