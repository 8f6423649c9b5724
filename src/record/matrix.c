/* SPDX-License-Identifier: Apache-2.0 */
/* matrix.c -- matrices in MAT level 4 files, as Octave, Python and the tools for Modelica read them.
 *
 * A matrix is a header of five 32-bit integers (type, rows, columns, imaginary flag, length of the
 * name), its name and its elements, column by column. A sparse one is stored as the matrix of its
 * entries: row, column and value, each a column, and the sizes in the last row. */
#include "record/writer.h"

#include <string.h>

bool matrix_int(FILE *file, uint32_t value) {
    unsigned char byte[4] = {(unsigned char)value, (unsigned char)(value >> 8),
                             (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
    return fwrite(byte, 1, 4, file) == 4;
}

bool matrix_double(FILE *file, double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return matrix_int(file, (uint32_t)bits) && matrix_int(file, (uint32_t)(bits >> 32));
}

bool matrix_header(FILE *file, uint32_t type, size_t rows, size_t columns,
                   const char *name) {
    uint32_t length = (uint32_t)strlen(name) + 1;
    return matrix_int(file, type) && matrix_int(file, (uint32_t)rows) &&
           matrix_int(file, (uint32_t)columns) && matrix_int(file, 0) &&
           matrix_int(file, length) && fwrite(name, 1, length, file) == length;
}

bool matrix_head(FILE *file, const char *name, size_t rows, size_t columns) {
    return matrix_header(file, MATRIX_DOUBLE, rows, columns, name);
}

bool matrix_numbers(FILE *file, const double *value, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!matrix_double(file, value[i])) return false;
    return true;
}

bool matrix_full(FILE *file, const char *name, size_t rows, size_t columns,
                 const double *value) {
    return matrix_head(file, name, rows, columns) &&
           matrix_numbers(file, value, rows * columns);
}

bool matrix_sparse(FILE *file, const char *name, int rows, int columns,
                   const MatrixEntry *entry, size_t entries) {
    bool good = matrix_header(file, MATRIX_SPARSE, entries + 1, 3, name);
    for (size_t k = 0; k < entries && good; k++)
        good = matrix_double(file, entry[k].row + 1);
    good = good && matrix_double(file, rows);
    for (size_t k = 0; k < entries && good; k++)
        good = matrix_double(file, entry[k].column + 1);
    good = good && matrix_double(file, columns);
    for (size_t k = 0; k < entries && good; k++)
        good = matrix_double(file, entry[k].value);
    return good && matrix_double(file, 0);
}

bool matrix_texts(FILE *file, const char *name, const char *const *text, int count) {
    size_t width = 1;
    for (int k = 0; k < count; k++)
        if (strlen(text[k]) > width) width = strlen(text[k]);
    /* rows are texts, so the letters of a place follow each other */
    bool good = matrix_header(file, MATRIX_TEXT, (size_t)count, width, name);
    for (size_t i = 0; i < width; i++)
        for (int k = 0; k < count && good; k++) {
            char letter = i < strlen(text[k]) ? text[k][i] : ' ';
            good = fwrite(&letter, 1, 1, file) == 1;
        }
    return good;
}
