/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c -- comma-separated values: quoted names, time first, 17 significant digits, so that
 * every number is read back as it was. Lines reach the file whole: a program that is killed
 * leaves no half of one behind. */
#include "record/writer.h"

#include <stdlib.h>
#include <string.h>

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
    return fflush(recorder->file) == 0;
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

const RecordFormatFunctions record_csv = {begin, point, flush};
