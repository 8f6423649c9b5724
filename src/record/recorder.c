/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.c -- one recorder for all formats: opening, buffering, errors, closing.
 *
 * When a disk is full, what it holds already is kept: the format cuts the file after its last whole
 * point. What is left in the stream's buffer must not reach the file afterwards, so the stream is
 * turned to nowhere. */
#define _POSIX_C_SOURCE 200809L
#include "record/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

RecordFormat record_format(const char *path) {
    size_t n = strlen(path);
    return n >= 4 && strcmp(path + n - 4, ".mat") == 0 ? RECORD_MAT : RECORD_CSV;
}

static bool ends_with(const char *path, const char *ending) {
    size_t n = strlen(path), own = strlen(ending);
    return n > own && strcmp(path + n - own, ending) == 0;
}

bool record_known(const char *path) {
    struct stat info;
    return ends_with(path, ".mat") || ends_with(path, ".csv") || strcmp(path, "-") == 0 ||
           (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

static void release(Recorder *recorder) {
    free(recorder->buffer);
    free(recorder->point);
    free(recorder->constant);
    free(recorder->whole);
    free(recorder->row);
    free(recorder->cell);
    free(recorder->line);
    free(recorder);
}

/* Columns whose zeros are written without a sign; false: no memory. */
static bool find_wholes(Recorder *recorder, const RecordLayout *layout) {
    for (int i = 0; i < layout->variables; i++)
        recorder->wholes += layout->variable[i].whole && !layout->variable[i].constant;
    if (!recorder->wholes) return true;
    recorder->whole = malloc(sizeof(int) * (size_t)recorder->wholes);
    recorder->row = malloc(sizeof(double) * ((size_t)layout->columns + 1));
    if (!recorder->whole || !recorder->row) return false;
    for (int i = 0, n = 0; i < layout->variables; i++)
        if (layout->variable[i].whole && !layout->variable[i].constant)
            recorder->whole[n++] = layout->variable[i].column;
    return true;
}

/* A call of the format has ended; false: it failed, now or before. */
static bool went_well(Recorder *recorder, bool fine) {
    struct stat info;
    if (fine || recorder->failed) return fine && !recorder->failed;
    recorder->failed = true;
    recorder->why = errno ? errno : EIO;
    if (!recorder->own_file || fstat(fileno(recorder->file), &info) != 0 ||
        !S_ISREG(info.st_mode))
        return false;
    recorder->format->rescue(recorder);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, fileno(recorder->file)), close(nowhere);
    return false;
}

Recorder *record_open(const char *path, RecordFormat format, const RecordLayout *layout) {
    Recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder) return NULL;
    recorder->format = format == RECORD_MAT ? &record_mat : &record_csv;
    recorder->columns = layout->columns;
    recorder->own_file = strcmp(path, "-") != 0;
    recorder->file = recorder->own_file ? fopen(path, "w+b") : stdout;
    if (!recorder->file) {
        int why = errno;
        release(recorder);
        errno = why;
        return NULL;
    }
    if (recorder->own_file) recorder->buffer = malloc(RECORD_BUFFER);
    if (recorder->buffer)
        setvbuf(recorder->file, recorder->buffer, _IOFBF, RECORD_BUFFER);
    if (!find_wholes(recorder, layout) || !recorder->format->begin(recorder, layout) ||
        !record_flush(recorder)) {
        int why = errno;
        record_close(recorder);
        errno = why;
        return NULL;
    }
    return recorder;
}

bool recorder_write(Recorder *recorder, double time, const double *value) {
    if (recorder->failed) return false;
    if (recorder->wholes) {
        memcpy(recorder->row, value, sizeof(double) * (size_t)recorder->columns);
        for (int k = 0; k < recorder->wholes; k++)
            recorder->row[recorder->whole[k]] += 0.0;
        value = recorder->row;
    }
    bool fine = recorder->format->point(recorder, time, value);
    recorder->points++;
    return went_well(recorder, fine);
}

bool record_point(Recorder *recorder, double time, const double *value) {
    return recorder->behind ? behind_point(recorder->behind, time, value)
                            : recorder_write(recorder, time, value);
}

bool recorder_flush(Recorder *recorder) {
    if (recorder->failed) return false;
    return went_well(recorder, recorder->format->flush(recorder));
}

bool record_flush(Recorder *recorder) {
    behind_end(recorder);
    return recorder_flush(recorder);
}

int record_error(const Recorder *recorder) {
    return recorder->why;
}

bool record_close(Recorder *recorder) {
    bool good = record_flush(recorder);
    if (recorder->own_file && fclose(recorder->file) != 0) good = false;
    release(recorder);
    return good;
}

int64_t record_bytes(const Recorder *recorder) {
    return recorder->behind ? behind_bytes(recorder->behind) : recorder->bytes;
}

int64_t record_points(const Recorder *recorder) {
    return recorder->behind ? behind_points(recorder->behind) : recorder->points;
}
