/* SPDX-License-Identifier: Apache-2.0 */
/* writer.h -- what the formats share; private to this folder. */
#ifndef RUBATO_WRITER_H
#define RUBATO_WRITER_H

#include "record/record.h"

enum { RECORD_BUFFER = 1 << 18 }; /* bytes of the stream's buffer */

struct Recorder {
    const struct RecordFormatFunctions *format;
    FILE                               *file;
    char   *buffer;   /* of the stream; the library would take its own size       */
    bool    own_file; /* to be closed                                             */
    bool    failed;   /* a write error happened                                   */
    int     why;      /* errno of it                                              */
    int64_t points;   /* recorded                                                 */
    int64_t bytes;    /* of the points                                            */
    int     columns;  /* varying values a point, time not counted                 */
    int    *whole;    /* columns whose zeros have no sign: wholes numbers ...      */
    int     wholes;   /* ... 0: none                                              */
    double *row;      /* a point with such zeros; NULL without them               */
    long    count_at; /* MAT: where the number of points of data_2 stands         */
    double *point;    /* MAT: one row, time first                                 */
    const RecordVariable *variable; /* CSV                                          */
    int     variables; /* CSV                                                      */
    double *constant;  /* CSV: copy                                                */
    struct RecordCell *cell; /* CSV: by variable                                     */
    bool    constants_once;  /* CSV                                                 */
    char   *line;    /* CSV: room for one point                                  */
    size_t  pending; /* CSV: bytes in the stream's buffer                        */
    long    safe;    /* CSV: bytes of the file that hold safe_points whole lines */
    int64_t safe_points;
    struct Behind *behind; /* the thread that writes points, NULL: this one does */
};

/* ---- matrix.c: what MAT level 4 files consist of ---- */
enum {
    MATRIX_DOUBLE = 0,
    MATRIX_SPARSE = 2,
    MATRIX_INT32 = 20,
    MATRIX_TEXT = 51
}; /* MOPT */
bool matrix_header(FILE *file, uint32_t type, size_t rows, size_t columns,
                   const char *name);
bool matrix_int(FILE *file, uint32_t value);
bool matrix_double(FILE *file, double value);
/* ---- recorder.c: what is done on the thread that writes ---- */
bool recorder_write(Recorder *recorder, double time, const double *value);
bool recorder_flush(Recorder *recorder);
/* ---- after.c ---- */
bool    behind_point(struct Behind *behind, double time, const double *value);
int64_t behind_points(const struct Behind *behind);
int64_t behind_bytes(const struct Behind *behind);
void    behind_end(
       Recorder *recorder); /* everything is written, by this thread from now on */

typedef struct RecordFormatFunctions {
    bool (*begin)(Recorder *recorder, const RecordLayout *layout);
    bool (*point)(Recorder *recorder, double time, const double *value);
    bool (*flush)(Recorder *recorder);
    /* After a write error: the file is cut after its last whole point, and points are counted
     * anew. */
    void (*rescue)(Recorder *recorder);
} RecordFormatFunctions;

extern const RecordFormatFunctions record_mat, record_csv;

#endif
