/* SPDX-License-Identifier: Apache-2.0 */
/* record.h -- results on disk that can be read while they are written.
 *
 *   recorder.c  one recorder for all formats: buffering, closing, errors
 *   mat.c       MAT level 4, in the layout of Dymola and OpenModelica
 *   csv.c       comma-separated values
 *   result.c    reads both formats
 *   matrix.c    single matrices in MAT level 4 files
 *   compare.c   tests whether a result lies inside the tube around another
 *
 * A variable is a column of the varying or of the constant data, or the negative of one, so
 * that aliases share a column. Files can be read at any time, also after the program was
 * killed: they contain everything up to the last flush. */
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
    bool        whole;       /* an Integer and its like: 0 has no sign               */
} RecordVariable;

typedef struct RecordLayout { /* what a file will hold; time is added in front         */
    const RecordVariable *variable;
    int                   variables;
    int                   columns;   /* of the varying data, time not counted          */
    int                   constants; /* of the constant data                           */
    const double         *constant;  /* constants values                               */
    double                start, stop;
    bool
        constants_once; /* CSV: in the first line only; an empty field repeats the last value */
} RecordLayout;

typedef struct Recorder Recorder;

/* ---- recorder.c ---- */

/* Does the ending of the path tell a format? "-" and what is no file, as /dev/null, need none. */
bool record_known(const char *path);
/* By the ending of the path; "-" is CSV on standard output. */
RecordFormat record_format(const char *path);
/* NULL and errno if the file cannot be made. The layout is used only during the call,
 * except for variable[], which a CSV recorder keeps reading. */
Recorder *record_open(const char *path, RecordFormat format, const RecordLayout *layout);
/* One point: columns values. False after a write error, which every later call repeats. */
bool record_point(Recorder *recorder, double time, const double *value);
/* From now on points are written by another thread, which flushes them, too; false: it cannot be
 * started. record_flush ends that. */
bool    record_behind(Recorder *recorder);
bool    record_flush(Recorder *recorder); /* what was recorded is on disk and readable */
bool    record_close(Recorder *recorder); /* false if anything could not be written    */
int64_t record_points(const Recorder *recorder);
int64_t record_bytes(const Recorder *recorder); /* of the points */
/* errno of the first write error, 0: there was none. The file then ends with its last whole point,
 * and record_points counts those that it holds. */
int record_error(const Recorder *recorder);

/* ---- result.c ---- */

typedef struct Result { /* a result in memory */
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
bool result_read(Result *result, const char *path, const char **why);
/* The same of measurements: an empty field is NaN, not the number above it. */
bool result_measured(Result *result, const char *path, const char **why);
/* A CSV file whose lines are not moments: every column is a variable, time is NULL. */
bool   result_table(Result *result, const char *path, const char **why);
void   result_free(Result *result);
int    result_find(const Result *result, const char *name); /* -1 if absent */
double result_value(const Result *result, int variable, int point);

/* ---- matrix.c: false if it cannot be written ---- */

typedef struct MatrixEntry {
    int    row, column; /* from 0 */
    double value;
} MatrixEntry;

/* Column by column: a head, then rows * columns numbers in one or several calls; or all at once. */
bool matrix_head(FILE *file, const char *name, size_t rows, size_t columns);
bool matrix_numbers(FILE *file, const double *value, size_t n);
bool matrix_full(FILE *file, const char *name, size_t rows, size_t columns,
                 const double *value);
bool matrix_sparse(FILE *file, const char *name, int rows, int columns,
                   const MatrixEntry *entry, size_t entries);
bool matrix_texts(FILE *file, const char *name, const char *const *text, int count);

/* ---- compare.c ---- */

typedef enum {
    COMPARE_INSIDE,
    COMPARE_OUTSIDE,    /* some points lie outside the tube            */
    COMPARE_NOT_FINITE, /* some value is infinite or not a number      */
    COMPARE_SHORT       /* the result does not cover the time           */
} CompareOutcome;

typedef struct Comparison { /* of one variable                                        */
    CompareOutcome outcome;
    int            bad;       /* points outside                                       */
    double         time;      /* of the worst one                                     */
    double         value;     /* of the result there                                  */
    double         low, high; /* the tube there                                       */
    double         width, height; /* half width in time, half height in value         */
} Comparison;

/* Is every point of variable v of result inside the tube around variable r of reference?
 * The tube is what a rectangle covers whose centre runs along the reference; its half width
 * is tolerance times the time range (or the start time, if that is larger), its half height
 * tolerance times the range of values, the size of the smallest, or 0.001. */
Comparison compare_variable(const Result *result, int v, const Result *reference, int r,
                            double tolerance);

#endif
