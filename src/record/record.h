/* SPDX-License-Identifier: Apache-2.0 */
/* record.h -- results on disk, readable while they grow.
 *
 *   recorder.c  one recorder for all formats: buffering, closing, errors
 *   mat.c       MAT level 4, in the layout of Dymola and OpenModelica
 *   csv.c       comma-separated values
 *   result.c    reading either back
 *
 * A variable is a column of the varying data or of the constant data, perhaps negated, so
 * that aliases share a column. Files can be read at any moment, also after the program was
 * killed: they hold everything up to the last flush. */
#ifndef RUBATO_RECORD_H
#define RUBATO_RECORD_H

#include "base/base.h"

typedef enum { RECORD_MAT, RECORD_CSV } RecordFormat;

typedef struct RecordVariable {
    const char *name;        /* as in Modelica: a.b[2].c, der(x)                     */
    const char *description; /* "" if none                                           */
    const char *unit;        /* "" if none                                           */
    int         column;      /* from 0, in the constant or in the varying data       */
    bool        constant;    /* a parameter or constant: one value for the whole run */
    bool        negated;     /* the value is minus the column                        */
} RecordVariable;

typedef struct RecordLayout { /* what a file will hold; time is added in front         */
    const RecordVariable *variable;
    int                   variables;
    int                   columns;   /* of the varying data, time not counted          */
    int                   constants; /* of the constant data                           */
    const double         *constant;  /* constants values                               */
    double                start, stop;
} RecordLayout;

typedef struct Recorder Recorder;

/* ---- recorder.c ---- */

/* By the ending of the path; "-" is CSV on standard output. */
RecordFormat record_format(const char *path);
/* NULL and errno if the file cannot be made. The layout is used only during the call,
 * except for variable[], which a CSV recorder keeps reading. */
Recorder *record_open(const char *path, RecordFormat format, const RecordLayout *layout);
/* One point: columns values. False after a write error, which every later call repeats. */
bool    record_point(Recorder *recorder, double time, const double *value);
bool    record_flush(Recorder *recorder); /* what was recorded is on disk and readable */
bool    record_close(Recorder *recorder); /* false if anything could not be written    */
int64_t record_points(const Recorder *recorder);

/* ---- result.c ---- */

typedef struct Result {
    Arena        arena;
    int          variables; /* without time                                          */
    const char **name;      /* by variable                                           */
    const char **description;
    int          points;
    double      *time;
    /* variable v at point i is sign[v] * data[v][i * step[v]]; constants have step 0  */
    const double **data;
    int           *step;
    double        *sign;
} Result;

/* Reads MAT level 4 or CSV, whatever the file is. False and *why, a text in the arena. */
bool   result_read(Result *result, const char *path, const char **why);
void   result_free(Result *result);
int    result_find(const Result *result, const char *name); /* -1 if absent */
double result_value(const Result *result, int variable, int point);

#endif
