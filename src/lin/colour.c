/* SPDX-License-Identifier: Apache-2.0 */
/* colour.c -- group the columns of a sparse Jacobian so that one difference per group
 * gives all entries.
 *
 * Two columns may share a colour when no row has entries in both. Columns are taken in
 * order of falling entry count and get the smallest colour free among the neighbours met
 * through their rows. Time O(sum over rows of entries^2), memory O(entries). A row with entries in
 * all columns says at once that every column has a colour of its own: O(entries).
 * Literature: Curtis, Powell, Reid 1974; Coleman, More 1983. */
#include <stdlib.h>
#include <string.h>

#include "lin/lin.h"

void colouring_free(Colouring *c) {
    free(c->start);
    free(c->column);
    c->start = c->column = NULL;
    c->colours = 0;
}

/* Rows of the pattern: columns of row i at column[start[i] ..]. */
static void transpose(const Pattern *p, int *start, int *column) {
    memset(start, 0, sizeof(int) * ((size_t)p->rows + 2));
    for (int e = 0; e < pattern_entries(p); e++) start[p->row[e] + 2]++;
    for (int i = 0; i < p->rows; i++) start[i + 2] += start[i + 1];
    for (int j = 0; j < p->columns; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            column[start[p->row[e] + 1]++] = j;
}

/* Columns by falling number of entries, stable, by counting. */
static void by_degree(const Pattern *p, int *count, int *order) {
    const int n = p->columns, m = p->rows;
    memset(count, 0, sizeof(int) * ((size_t)m + 2));
    for (int j = 0; j < n; j++) count[m - (p->start[j + 1] - p->start[j]) + 1]++;
    for (int i = 0; i <= m; i++) count[i + 1] += count[i];
    for (int j = 0; j < n; j++) order[count[m - (p->start[j + 1] - p->start[j])]++] = j;
}

static bool has_full_row(const Pattern *p, const int *rstart) {
    for (int i = 0; i < p->rows; i++)
        if (rstart[i + 1] - rstart[i] == p->columns) return true;
    return false;
}

bool colour_columns(const Pattern *p, Colouring *out) {
    const int n = p->columns, m = p->rows;
    int      *rstart = malloc(sizeof(int) * ((size_t)m + 2));
    int      *rcol = malloc(sizeof(int) * ((size_t)pattern_entries(p) + 1));
    int      *order = malloc(sizeof(int) * ((size_t)n + 1));
    int      *colour = malloc(sizeof(int) * ((size_t)n + 1));
    int      *mark = malloc(sizeof(int) * ((size_t)(n > m ? n : m) + 2));
    out->start = malloc(sizeof(int) * ((size_t)n + 2));
    out->column = malloc(sizeof(int) * ((size_t)n + 1));
    const bool ok =
        rstart && rcol && order && colour && mark && out->start && out->column;
    out->colours = 0;
    if (ok) {
        transpose(p, rstart, rcol);
        by_degree(p, mark, order);
        for (int j = 0; j < n; j++) colour[j] = -1, mark[j] = -1;
        const bool full = has_full_row(p, rstart);
        for (int k = 0; full && k < n; k++) colour[order[k]] = k;
        if (full) out->colours = n;
        for (int k = 0; k < n && !full; k++) {
            const int j = order[k];
            for (int e = p->start[j]; e < p->start[j + 1]; e++)
                for (int q = rstart[p->row[e]]; q < rstart[p->row[e] + 1]; q++)
                    if (colour[rcol[q]] >= 0) mark[colour[rcol[q]]] = j;
            int c = 0;
            while (mark[c] == j) c++;
            colour[j] = c;
            if (c >= out->colours) out->colours = c + 1;
        }
        memset(out->start, 0, sizeof(int) * ((size_t)out->colours + 1));
        for (int j = 0; j < n; j++) out->start[colour[j] + 1]++;
        for (int c = 0; c < out->colours; c++) out->start[c + 1] += out->start[c];
        for (int c = 0; c < out->colours; c++) mark[c] = out->start[c];
        for (int j = 0; j < n; j++) out->column[mark[colour[j]]++] = j;
    } else {
        colouring_free(out);
    }
    free(rstart), free(rcol), free(order), free(colour), free(mark);
    return ok;
}
