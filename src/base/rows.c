/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c -- compressed rows: who is linked to whom, in two arrays; and orders for qsort.
 *
 * Counting sort by row: linear, and stable, so that the order within a row is the order of the
 * input. */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

int int_ascending(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int uint_ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int pair_ascending(const void *a, const void *b) {
    const int *x = a, *y = b;
    const int  k = x[0] == y[0];
    return (x[k] > y[k]) - (x[k] < y[k]);
}

int ranked_ascending(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

int text_ascending(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void links_add(LinkList *list, int row, int to) {
    GROW(list->pair, list->room, 2 * list->count + 2);
    list->pair[2 * list->count] = row;
    list->pair[2 * list->count++ + 1] = to;
}

void links_drop(LinkList *list) {
    mem_free(list->pair);
    *list = (LinkList){0};
}

static Links links_new(int rows, int entries, Arena *arena) {
    size_t n = (size_t)rows + 2, m = (size_t)entries;
    return (Links){.rows = rows,
                   .start = arena ? NEW(arena, int, n) : mem_take(n, sizeof(int)),
                   .to = arena ? NEW(arena, int, m + 1) : mem_take(m, sizeof(int))};
}

/* From counts at start[row + 2] to where each row begins, at start[row + 1]: entering them moves
 * these on to where it ends. */
static void add_up(Links *links) {
    for (int i = 2; i <= links->rows; i++) links->start[i] += links->start[i - 1];
}

Links links_of(const LinkList *list, int rows, bool turned, Arena *arena) {
    Links      links = links_new(rows, list->count, arena);
    const int *row = list->pair + turned, *to = list->pair + !turned;
    for (int k = 0; k < list->count; k++) links.start[row[2 * k] + 2]++;
    add_up(&links);
    for (int k = 0; k < list->count; k++)
        links.to[links.start[row[2 * k] + 1]++] = to[2 * k];
    return links;
}

Links links_turned(const Links *links, int rows, Arena *arena) {
    int   n = links->start[links->rows];
    Links turned = links_new(rows, n, arena);
    for (int e = 0; e < n; e++) turned.start[links->to[e] + 2]++;
    add_up(&turned);
    for (int i = 0; i < links->rows; i++)
        for (int e = links->start[i]; e < links->start[i + 1]; e++)
            turned.to[turned.start[links->to[e] + 1]++] = i;
    return turned;
}

void links_sort(Links *links) {
    int n = 0;
    for (int i = 0, e = 0; i < links->rows; i++) {
        int first = n, end = links->start[i + 1];
        if (end > e) qsort(links->to + e, (size_t)(end - e), sizeof(int), int_ascending);
        for (; e < end; e++)
            if (n == first || links->to[n - 1] != links->to[e])
                links->to[n++] = links->to[e];
        links->start[i + 1] = n;
    }
}

/* With one row of bits for each node (Aho, Garey, Ullman, SIAM J. Comput. 1, 1972). */
int links_reduce(Links *links, double limit) {
    const int n = links->rows, words = (n + 63) / 64;
    /* work, then memory: few links among many nodes have little of the first and much of the second */
    if ((double)n * links->start[n] > limit || (double)n * words > limit / 8) return 0;
    uint64_t *reach = mem_take((size_t)n * (size_t)words, sizeof(uint64_t));
    int       kept = 0, removed = 0;
    for (int i = 0; i < n && reach; i++) {
        uint64_t *own = reach + (size_t)i * (size_t)words;
        const int from = links->start[i], to = links->start[i + 1];
        links->start[i] = kept;
        /* nearest first: what they reach makes the others superfluous */
        for (int e = to - 1; e >= from; e--) {
            const int j = links->to[e];
            if (own[j / 64] >> (j % 64) & 1) {
                links->to[e] = -1;
                removed++;
                continue;
            }
            own[j / 64] |= (uint64_t)1 << (j % 64);
            for (int w = 0; w < words; w++)
                own[w] |= reach[(size_t)j * (size_t)words + (size_t)w];
        }
        for (int e = from; e < to; e++)
            if (links->to[e] >= 0) links->to[kept++] = links->to[e];
    }
    if (reach) links->start[n] = kept;
    mem_free(reach);
    return removed;
}

void links_free(Links *links) {
    MEM_FREE(links->start, links->to);
    *links = (Links){0};
}
