/* SPDX-License-Identifier: Apache-2.0 */
/* result.c -- reading results back: MAT level 4 (both orientations, all number types) and
 * CSV with ',', ';' or tabs. Everything about a file is checked before it is used: sizes
 * against the bytes that are there, columns against the matrices. */
#define _POSIX_C_SOURCE 200809L
#include "record/record.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void result_free(Result *result) {
    arena_free(&result->arena);
    *result = (Result){0};
}

int result_find(const Result *result, const char *name) {
    for (int i = 0; i < result->variables; i++)
        if (strcmp(result->name[i], name) == 0) return i;
    return -1;
}

double result_value(const Result *result, int variable, int point) {
    return result->sign[variable] *
           result->data[variable][(size_t)point * (size_t)result->step[variable]];
}

static bool make_room(Result *result, int variables) {
    result->variables = variables;
    result->name = NEW(&result->arena, const char *, variables + 1);
    result->description = NEW(&result->arena, const char *, variables + 1);
    result->data = NEW(&result->arena, const double *, variables + 1);
    result->step = NEW(&result->arena, int, variables + 1);
    result->sign = NEW(&result->arena, double, variables + 1);
    return result->name && result->description && result->data && result->step &&
           result->sign;
}

/* ---- MAT ---- */

typedef struct Matrix {
    const unsigned char *data;
    int     type; /* P digit: 0 double, 1 single, 2 int32, 3 int16, 4 uint16, 5 uint8 */
    int64_t rows, columns;
} Matrix;

static int32_t get_int(const unsigned char *b) {
    return (int32_t)((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                     (uint32_t)b[3] << 24);
}

static const int size_of[6] = {8, 4, 4, 2, 2, 1};

static double element(const Matrix *m, int64_t row, int64_t column) {
    const unsigned char *b = m->data + (row + column * m->rows) * size_of[m->type];
    uint32_t             low = 0;
    switch (m->type) {
    case 0: {
        uint64_t bits = (uint32_t)get_int(b) | (uint64_t)(uint32_t)get_int(b + 4) << 32;
        double   value;
        memcpy(&value, &bits, 8);
        return value;
    }
    case 1: {
        float value;
        low = (uint32_t)get_int(b);
        memcpy(&value, &low, 4);
        return value;
    }
    case 2: return get_int(b);
    case 3: return (int16_t)(b[0] | b[1] << 8);
    case 4: return b[0] | b[1] << 8;
    default: return b[0];
    }
}

/* The matrix at *at; moves *at after it. A last matrix that was cut off by a kill keeps
 * the columns that are whole. */
static bool next_matrix(const unsigned char *file, size_t size, size_t *at, Matrix *m,
                        char name[32]) {
    if (size - *at < 20) return false;
    int32_t type = get_int(file + *at), rows = get_int(file + *at + 4);
    int32_t columns = get_int(file + *at + 8), length = get_int(file + *at + 16);
    if (type < 0 || type >= 100 || type / 10 > 5 || rows < 0 || columns < 0 ||
        length < 1 || length > 31 || (size_t)length > size - *at - 20)
        return false;
    memcpy(name, file + *at + 20, (size_t)length);
    name[length] = '\0';
    *at += 20 + (size_t)length;
    *m =
        (Matrix){.data = file + *at, .type = type / 10, .rows = rows, .columns = columns};
    size_t column = (size_t)rows * (size_t)size_of[m->type];
    if (column && (uint64_t)columns > (size - *at) / column)
        m->columns = (int64_t)((size - *at) / column);
    *at += column * (size_t)m->columns;
    return true;
}

typedef struct Mat {
    Matrix class_, name, description, info, data[3];
    bool   transposed; /* binTrans */
} Mat;

static bool find_matrices(Mat *mat, const unsigned char *file, size_t size) {
    size_t at = 0;
    Matrix m;
    char   name[32];
    *mat = (Mat){0};
    while (next_matrix(file, size, &at, &m, name)) {
        if (strcmp(name, "Aclass") == 0) mat->class_ = m;
        else if (strcmp(name, "name") == 0) mat->name = m;
        else if (strcmp(name, "description") == 0) mat->description = m;
        else if (strcmp(name, "dataInfo") == 0) mat->info = m;
        else if (strcmp(name, "data_1") == 0) mat->data[1] = m;
        else if (strcmp(name, "data_2") == 0) mat->data[2] = m;
    }
    if (!mat->class_.data || !mat->name.data || !mat->info.data || !mat->data[2].data)
        return false;
    mat->transposed = true;
    if (mat->class_.rows >= 4 && mat->class_.columns >= 9)
        mat->transposed = (int)element(&mat->class_, 3, 3) != 'N'; /* binNormal */
    return true;
}

static double oriented(const Mat *mat, const Matrix *m, int64_t item, int64_t field) {
    return mat->transposed ? element(m, field, item) : element(m, item, field);
}

static int64_t items(const Mat *mat, const Matrix *m) {
    return mat->transposed ? m->columns : m->rows;
}

static int64_t fields(const Mat *mat, const Matrix *m) {
    return mat->transposed ? m->rows : m->columns;
}

static const char *text_of(Result *result, const Mat *mat, const Matrix *m,
                           int64_t item) {
    int64_t n = item < items(mat, m) ? fields(mat, m) : 0;
    char   *text = NEW(&result->arena, char, n + 1);
    for (int64_t i = 0; text && i < n; i++) text[i] = (char)oriented(mat, m, item, i);
    for (int64_t i = n; text && i > 0 && (text[i - 1] == ' ' || !text[i - 1]); i--)
        text[i - 1] = '\0';
    return text ? text : "";
}

/* The numbers of a block of doubles that is stored point by point, variable by variable: in tiles, so
 * that what is read and what is written stays in the cache. Only where both have the same bytes. */
enum { TILE = 32 };

static bool little_endian(void) {
    const uint16_t one = 1;
    unsigned char  first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static void transpose(const unsigned char *from, int64_t n, int64_t points, double *to) {
    for (int64_t p0 = 0; p0 < points; p0 += TILE)
        for (int64_t v0 = 0; v0 < n; v0 += TILE) {
            const int64_t p1 = p0 + TILE < points ? p0 + TILE : points;
            const int64_t v1 = v0 + TILE < n ? v0 + TILE : n;
            for (int64_t v = v0; v < v1; v++)
                for (int64_t p = p0; p < p1; p++)
                    memcpy(to + v * points + p, from + 8 * (p * n + v), 8);
        }
}

/* A data block as one array of doubles, variable by variable. */
static double *unpack(Result *result, const Mat *mat, const Matrix *m) {
    int64_t n = fields(mat, m), points = items(mat, m);
    double *all = NEW(&result->arena, double, (size_t)n *(size_t)points + 1);
    if (all && mat->transposed && m->type == 0 && little_endian()) {
        transpose(m->data, n, points, all);
        return all;
    }
    for (int64_t v = 0; all && v < n; v++)
        for (int64_t p = 0; p < points; p++) all[v * points + p] = oriented(mat, m, p, v);
    return all;
}

static bool read_mat(Result *result, const unsigned char *file, size_t size,
                     const char **why) {
    Mat mat;
    *why = "not a trajectory file of MAT level 4";
    if (!find_matrices(&mat, file, size)) return false;
    int64_t n = items(&mat, &mat.info), points = items(&mat, &mat.data[2]);
    if (n < 1 || n > INT32_MAX || points > INT32_MAX || fields(&mat, &mat.info) < 2 ||
        items(&mat, &mat.name) < n)
        return false;
    double *block[3] = {NULL,
                        mat.data[1].data ? unpack(result, &mat, &mat.data[1]) : NULL,
                        unpack(result, &mat, &mat.data[2])};
    if (!make_room(result, (int)n - 1) || !block[2]) return false;
    *why = "dataInfo points outside the data";
    result->points = (int)points;
    result->time = block[2];
    for (int i = 1; i < n; i++) {
        int     which = (int)oriented(&mat, &mat.info, i, 0);
        int64_t column = (int64_t)oriented(&mat, &mat.info, i, 1);
        int64_t index = (column < 0 ? -column : column) - 1;
        if (which == 0) which = 2;
        if (which < 1 || which > 2 || !block[which] || index < 0 ||
            index >= fields(&mat, &mat.data[which]))
            return false;
        int64_t length = items(&mat, &mat.data[which]);
        if (length < 1 && points > 0) return false;
        result->name[i - 1] = text_of(result, &mat, &mat.name, i);
        result->description[i - 1] =
            mat.description.data ? text_of(result, &mat, &mat.description, i) : "";
        result->data[i - 1] = block[which] + index * length;
        result->step[i - 1] = which == 2;
        result->sign[i - 1] = column < 0 ? -1 : 1;
    }
    return true;
}

/* ---- CSV ---- */

/* One field from *at; moves *at to the separator or line end after it. */
static const char *csv_field(Arena *arena, const char **at, char separator) {
    Text        text = {0};
    const char *c = *at;
    while (*c == ' ') c++;
    if (*c == '"') {
        for (c++; *c && !(*c == '"' && c[1] != '"'); c++) {
            if (*c == '"') c++;
            text_char(&text, *c);
        }
        if (*c == '"') c++;
        while (*c && *c != separator && *c != '\n') c++;
    } else {
        while (*c && *c != separator && *c != '\n' && *c != '\r') text_char(&text, *c++);
        while (*c == '\r') c++;
    }
    *at = c;
    char *copy = arena_string(arena, text_get(&text), text.length);
    text_free(&text);
    return copy ? copy : "";
}

static char find_separator(const char *header) {
    bool quoted = false;
    for (const char *c = header; *c && *c != '\n'; c++) {
        if (*c == '"') quoted = !quoted;
        if (!quoted && (*c == ',' || *c == ';' || *c == '\t')) return *c;
    }
    return ',';
}

/* An empty field repeats the value of the line before, `last`. */
static double csv_number(const char **at, char separator, double last) {
    char  *end;
    double value = last;
    if (**at == separator || **at == '\n' || **at == '\r' || !**at) return last;
    value = strtod(*at, &end);
    if (end == *at) { /* words: true and false */
        value = strncmp(*at, "true", 4) == 0    ? 1
                : strncmp(*at, "false", 5) == 0 ? 0
                                                : NAN;
    }
    while (*end && *end != separator && *end != '\n') end++;
    *at = end;
    return value;
}

static bool is_time(const char *name) {
    return (name[0] == 't' || name[0] == 'T') &&
           (!name[1] || strcmp(name + 1, "ime") == 0);
}

static int count_lines(const char *c) {
    int n = 0;
    for (; *c; c++) n += *c == '\n';
    return n + 1;
}

/* An empty field of a result repeats the line before; of others it is no number. */
typedef enum { CSV_RESULT, CSV_MEASURED, CSV_TABLE } CsvKind;

static bool read_csv(Result *result, const char *text, CsvKind kind, const char **why) {
    const bool   timed = kind != CSV_TABLE; /* one column is the time */
    char         separator = find_separator(text);
    const char **header = NULL;
    int          columns = 0, capacity = 0, time = -1;
    const char  *at = text;
    *why = "no column named time";
    for (;; at++) {
        header =
            arena_grow(&result->arena, header, sizeof(char *), &capacity, columns + 1);
        if (!header) return false;
        header[columns] = csv_field(&result->arena, &at, separator);
        if (timed && time < 0 && is_time(header[columns])) time = columns;
        columns++;
        if (*at != separator) break;
    }
    if (timed && time < 0) return false;
    if (!make_room(result, timed ? columns - 1 : columns)) return false;
    int     most = count_lines(at);
    double *all = NEW(&result->arena, double, (size_t)columns *(size_t)most);
    if (!all) return false;
    Numbers plain = numbers_begin();
    while (*at) {
        while (*at && isspace((unsigned char)*at) && *at != separator) at++;
        if (!*at) break;
        for (int i = 0; i < columns; i++) {
            double *x = &all[(size_t)i * (size_t)most + (size_t)result->points];
            bool    repeats = kind == CSV_RESULT && result->points;
            *x = csv_number(&at, separator, repeats ? x[-1] : NAN);
            if (*at == separator) at++;
        }
        while (*at && *at != '\n') at++;
        result->points++;
    }
    numbers_end(plain);
    result->time = timed ? all + (size_t)time * (size_t)most : NULL;
    for (int i = 0, v = 0; i < columns; i++) {
        if (i == time) continue;
        result->name[v] = header[i];
        result->description[v] = "";
        result->data[v] = all + (size_t)i * (size_t)most;
        result->step[v] = 1;
        result->sign[v++] = 1;
    }
    return true;
}

/* ---- files ---- */

static bool is_mat(const unsigned char *bytes, size_t size) {
    return size > 26 && memcmp(bytes + 20, "Aclass", 6) == 0;
}

/* A MAT file is read where it lies, whatever its size. False and *why NULL: it is none. */
static bool read_mapped(Result *result, const char *path, const char **why) {
    struct stat info;
    bool        good = false;
    int         file = open(path, O_RDONLY | O_CLOEXEC);
    *why = NULL;
    if (file < 0) return false;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 26) {
        const size_t size = (size_t)info.st_size;
        void        *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED) {
            if (is_mat(bytes, size)) good = read_mat(result, bytes, size, why);
            munmap(bytes, size);
        }
    }
    close(file);
    return good;
}

/* Everything else as one text. */
static bool read_text(Result *result, const char *path, CsvKind kind, const char **why) {
    Sources       sources;
    const Source *source;
    bool          good = false;
    sources_init(&sources);
    SourceStatus status = source_load(&sources, path, &source);
    if (status == SOURCE_OK) good = read_csv(result, source->text, kind, why);
    else *why = status == SOURCE_DIRECTORY ? "it is a folder" : strerror(errno);
    if (status == SOURCE_TOO_LARGE) *why = "a text of 4 GB or more";
    sources_free(&sources);
    return good;
}

static bool read_as(Result *result, const char *path, CsvKind kind, const char **why) {
    *result = (Result){0};
    *why = NULL;
    bool good = kind != CSV_TABLE && read_mapped(result, path, why);
    if (!good && !*why) good = read_text(result, path, kind, why);
    if (!good) arena_free(&result->arena);
    return good;
}

bool result_read(Result *result, const char *path, const char **why) {
    return read_as(result, path, CSV_RESULT, why);
}

bool result_measured(Result *result, const char *path, const char **why) {
    return read_as(result, path, CSV_MEASURED, why);
}

bool result_table(Result *result, const char *path, const char **why) {
    return read_as(result, path, CSV_TABLE, why);
}
