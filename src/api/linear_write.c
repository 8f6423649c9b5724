/* SPDX-License-Identifier: Apache-2.0 */
/* linear_write.c -- a linear model as MAT matrices or as Modelica text, each with its sparsity. */
#include "api/api.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char matrix_name[4] = "ABCD";

static void sizes(const RbLinear *l, int matrix, int *rows, int *columns) {
    *rows = matrix < 2 ? l->states : l->outputs;
    *columns = matrix % 2 ? l->inputs : l->states;
}

static bool put_names(FILE *file, const char *name, const RbProgram *program,
                      const int *variable, int n) {
    Arena        arena = {0};
    const char **text = mem_take((size_t)n, sizeof *text);
    char         room[1000];
    bool         good = text != NULL;
    for (int k = 0; k < n && good; k++) {
        rb_variable(program, variable[k], room, sizeof room);
        good = (text[k] = arena_string(&arena, room, strlen(room))) != NULL;
    }
    good = good && matrix_texts(file, name, text, n);
    arena_free(&arena);
    mem_free(text);
    return good;
}

static bool write_mat(const RbLinear *l, const RbProgram *program, FILE *file) {
    bool good = true;
    for (int m = 0; m < 4 && good; m++) {
        int  rows, columns;
        char name[2] = {matrix_name[m], 0};
        sizes(l, m, &rows, &columns);
        good = matrix_sparse(file, name, rows, columns, (const MatrixEntry *)l->entry[m],
                             (size_t)l->entries[m]);
    }
    return good && matrix_full(file, "x0", (size_t)l->states, 1, l->x) &&
           matrix_full(file, "f0", (size_t)l->states, 1, l->f) &&
           matrix_full(file, "u0", (size_t)l->inputs, 1, l->u) &&
           matrix_full(file, "y0", (size_t)l->outputs, 1, l->y) &&
           matrix_full(file, "time", 1, 1, &l->time) &&
           put_names(file, "states", program, l->state, l->states) &&
           put_names(file, "inputs", program, l->input, l->inputs) &&
           put_names(file, "outputs", program, l->output, l->outputs);
}

static void vector(Text *out, const char *words, const double *value, int n,
                   const RbProgram *program, const int *variable) {
    char name[1000];
    text_printf(out, "  %s = {", words);
    for (int k = 0; k < n; k++) text_printf(out, "%s%.17g", k ? ", " : "", value[k]);
    text_add(out, "};\n");
    for (int k = 0; k < n; k++) {
        rb_variable(program, variable[k], name, sizeof name);
        text_printf(out, "  // %d: %s\n", k + 1, name);
    }
}

/* Entries of a matrix, sorted by rows: those of one row as terms of a sum. */
typedef struct Sorted {
    RbEntry *entry;
    int      count, at;
} Sorted;

static bool sort_rows(Sorted *rows, const RbLinear *l, int matrix) {
    rows->count = l->entries[matrix];
    rows->entry = mem_take((size_t)rows->count, sizeof *rows->entry);
    if (!rows->entry) return false;
    if (rows->count)
        memcpy(rows->entry, l->entry[matrix], sizeof(RbEntry) * (size_t)rows->count);
    qsort(rows->entry, (size_t)rows->count, sizeof(RbEntry), pair_ascending);
    return true;
}

static void terms(Text *out, Sorted *rows, int row, const char *variable) {
    for (; rows->at < rows->count && rows->entry[rows->at].row == row; rows->at++) {
        const RbEntry *e = &rows->entry[rows->at];
        text_printf(out, " %c %.17g*%s[%d]", e->value < 0 ? '-' : '+',
                    e->value < 0 ? -e->value : e->value, variable, e->column + 1);
    }
}

static void write_equations(Text *out, const RbLinear *l, Sorted *m) {
    for (int i = 0; i < l->states; i++) {
        text_printf(out, "  der(dx[%d]) = f0[%d]", i + 1, i + 1);
        terms(out, &m[0], i, "dx");
        terms(out, &m[1], i, "du");
        text_add(out, ";\n");
    }
    for (int i = 0; i < l->outputs; i++) {
        text_printf(out, "  y[%d] = y0[%d]", i + 1, i + 1);
        terms(out, &m[2], i, "dx");
        terms(out, &m[3], i, "du");
        text_add(out, ";\n");
    }
}

static void write_model(Text *out, const RbLinear *l, const RbProgram *program) {
    Sorted      m[4] = {{0}};
    const char *model = rb_info(program).model, *dot = strrchr(model, '.');
    bool        fine = true;
    for (int k = 0; k < 4; k++) fine &= sort_rows(&m[k], l, k);
    text_printf(out, "model %s_linear \"%s near its point at time %.9g\"\n",
                dot ? dot + 1 : model, model, l->time);
    if (l->states) {
        vector(out, "parameter Real x0[:]", l->x, l->states, program, l->state);
        vector(out, "parameter Real f0[:]", l->f, l->states, program, l->state);
        text_printf(
            out,
            "  Real dx[%d](each start = 0, each fixed = true) \"from the point\";\n"
            "  Real x[%d] = x0 + dx;\n",
            l->states, l->states);
    }
    if (l->inputs) {
        vector(out, "parameter Real u0[:]", l->u, l->inputs, program, l->input);
        text_printf(out, "  input Real u[%d](start = u0);\n  Real du[%d] = u - u0;\n",
                    l->inputs, l->inputs);
    }
    if (l->outputs) {
        vector(out, "parameter Real y0[:]", l->y, l->outputs, program, l->output);
        text_printf(out, "  output Real y[%d];\n", l->outputs);
    }
    text_add(out, "equation\n");
    if (fine) write_equations(out, l, m);
    text_printf(out, "end %s_linear;\n", dot ? dot + 1 : model);
    out->failed |= !fine;
    for (int k = 0; k < 4; k++) mem_free(m[k].entry);
}

static bool ends_with(const char *path, const char *ending) {
    size_t n = strlen(path), own = strlen(ending);
    return n > own && strcmp(path + n - own, ending) == 0;
}

RbStatus rb_linear_write(const RbLinear *l, const RbProgram *program, const char *path,
                         RbError *error) {
    bool good, mat = ends_with(path, ".mat");
    error_none(error);
    if (!mat && !ends_with(path, ".mo"))
        return error_set(error, RB_ARGUMENT,
                         "'%s': a linear model is written to .mat or .mo", path);
    if (mat) {
        FILE *file = fopen(path, "wb");
        good = file && write_mat(l, program, file);
        if (file && fclose(file) != 0) good = false;
    } else {
        Text out = {0};
        write_model(&out, l, program);
        const void *block[] = {text_get(&out)};
        good = !out.failed && file_replace(path, block, &out.length, 1);
        text_free(&out);
    }
    return good ? RB_OK
                : error_set(error, RB_FILE, "cannot write '%s': %s", path,
                            strerror(errno));
}
