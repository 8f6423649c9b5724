/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.c -- small services around compressed-column sparsity. All O(entries). */
#include <stdlib.h>

#include "lin/lin.h"

/* One block: the Pattern, then start, then row. */
static Pattern *allocate(int n, size_t entries, int **start, int **row) {
    const size_t head = sizeof(Pattern);
    char *block = malloc(head + ((size_t)n + 1 + (entries ? entries : 1)) * sizeof(int));
    if (!block) return NULL;
    Pattern *p = (Pattern *)block;
    *start = (int *)(block + head);
    *row = *start + n + 1;
    p->rows = p->columns = n;
    p->start = *start;
    p->row = *row;
    return p;
}

void pattern_free(Pattern *pattern) {
    free(pattern);
}

int pattern_entries(const Pattern *pattern) {
    return pattern->start[pattern->columns];
}

Pattern *pattern_full(int n) {
    int     *start, *row;
    Pattern *p = allocate(n, (size_t)n * n, &start, &row);
    if (!p) return NULL;
    for (int j = 0; j <= n; j++) start[j] = j * n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) row[j * n + i] = i;
    return p;
}

Pattern *pattern_with_diagonal(const Pattern *pattern, int *map, int *diagonal) {
    const int n = pattern->columns;
    int      *start, *row;
    Pattern  *p = allocate(n, (size_t)pattern_entries(pattern) + n, &start, &row);
    if (!p) return NULL;
    int q = 0;
    for (int j = 0; j < n; j++) {
        bool seen = false;
        start[j] = q;
        for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            const int i = pattern->row[e];
            if (!seen && i >= j) {
                seen = true;
                if (diagonal) diagonal[j] = q;
                if (i > j) row[q++] = j;
            }
            if (map) map[e] = q;
            row[q++] = i;
        }
        if (!seen) {
            if (diagonal) diagonal[j] = q;
            row[q++] = j;
        }
    }
    start[n] = q;
    return p;
}

Pattern *pattern_principal(const Pattern *pattern, const Selection *rows, int **entry) {
    const int n = selection_count(rows, pattern->columns);
    int      *place = malloc(sizeof(int) * (size_t)(pattern->rows + 1));
    if (!place) return NULL;
    for (int i = 0; i < pattern->rows; i++) place[i] = -1;
    size_t entries = 0;
    for (int i = 0; i < n; i++) {
        const int r = selection_row(rows, i);
        place[r] = i;
        entries += (size_t)(pattern->start[r + 1] - pattern->start[r]);
    }
    int     *start = NULL, *row = NULL;
    Pattern *p = allocate(n, entries, &start, &row);
    *entry = malloc(sizeof(int) * (entries ? entries : 1));
    if (!p || !*entry) {
        free(p), free(*entry), free(place);
        *entry = NULL;
        return NULL;
    }
    int q = 0;
    for (int j = 0; j < n; j++) {
        const int c = selection_row(rows, j);
        start[j] = q;
        for (int e = pattern->start[c]; e < pattern->start[c + 1]; e++)
            if (place[pattern->row[e]] >= 0) {
                (*entry)[q] = e;
                row[q++] = place[pattern->row[e]];
            }
    }
    start[n] = q;
    free(place);
    return p;
}

bool pattern_is_full(const Pattern *pattern) {
    return (size_t)pattern_entries(pattern) ==
           (size_t)pattern->rows * (size_t)pattern->columns;
}

void pattern_bandwidth(const Pattern *pattern, int *below, int *above) {
    *below = *above = 0;
    for (int j = 0; j < pattern->columns; j++)
        for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            const int d = pattern->row[e] - j;
            if (d > *below) *below = d;
            if (-d > *above) *above = -d;
        }
}
