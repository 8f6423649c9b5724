/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c -- which rows need which: a DAG in compressed rows, its reduction and its cones.
 *
 * Nodes are rows (scalar equations) in an order in which each needs only earlier ones, so a
 * cone is one sweep over marks without a stack: backward from the last node to the first,
 * forward from the first to the last. O(nodes + edges) a sweep.
 *
 * Transitive reduction removes an edge i -> j when j is reachable from i through another
 * edge; fewer edges make later sweeps cheaper. With one row of bits per node it costs
 * O(edges nodes / 64) and is skipped when that exceeds a limit.
 * Literature: Hannebohm, Bachmann 2025 (Algorithm 1); Aho, Garey, Ullman 1972. */
#include <stdlib.h>
#include <string.h>

#include "rate/rate.h"

static int ascending(const void *a, const void *b) {
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

bool rate_graph_build(RateGraph *g, int nodes, const int *start, const int *entry) {
    g->nodes = nodes;
    g->start = malloc(sizeof(int) * ((size_t)nodes + 1));
    g->entry = malloc(sizeof(int) * ((size_t)start[nodes] + 1));
    if (!g->start || !g->entry) {
        rate_graph_free(g);
        return false;
    }
    int q = 0;
    for (int i = 0; i < nodes; i++) {
        const int first = q;
        g->start[i] = q;
        for (int e = start[i]; e < start[i + 1]; e++) g->entry[q++] = entry[e];
        qsort(g->entry + first, (size_t)(q - first), sizeof(int), ascending);
        int kept = first;
        for (int e = first; e < q; e++)
            if (e == first || g->entry[e] != g->entry[e - 1])
                g->entry[kept++] = g->entry[e];
        q = kept;
    }
    g->start[nodes] = q;
    return true;
}

void rate_graph_free(RateGraph *g) {
    free(g->start), free(g->entry);
    *g = (RateGraph){0};
}

int graph_reduce(RateGraph *g, double limit) {
    const int n = g->nodes, words = (n + 63) / 64;
    if ((double)n * g->start[n] > limit) return 0;
    uint64_t *reach = calloc((size_t)n * (size_t)words + 1, sizeof(uint64_t));
    if (!reach) return 0;
    int q = 0, removed = 0;
    for (int i = 0; i < n; i++) {
        uint64_t *own = reach + (size_t)i * words;
        const int from = g->start[i], to = g->start[i + 1];
        g->start[i] = q;
        /* nearest first: what they reach makes the others superfluous */
        for (int e = to - 1; e >= from; e--) {
            const int j = g->entry[e];
            if (own[j / 64] >> (j % 64) & 1) {
                g->entry[e] = -1;
                removed++;
                continue;
            }
            own[j / 64] |= (uint64_t)1 << (j % 64);
            for (int w = 0; w < words; w++) own[w] |= reach[(size_t)j * words + w];
        }
        for (int e = from; e < to; e++)
            if (g->entry[e] >= 0) g->entry[q++] = g->entry[e];
    }
    g->start[n] = q;
    free(reach);
    return removed;
}

int graph_backward(const RateGraph *g, unsigned char *mark) {
    int count = 0;
    for (int k = g->nodes - 1; k >= 0; k--) {
        if (!mark[k]) continue;
        count++;
        for (int e = g->start[k]; e < g->start[k + 1]; e++) mark[g->entry[e]] = 1;
    }
    return count;
}

int graph_forward(const RateGraph *g, unsigned char *mark) {
    int count = 0;
    for (int k = 0; k < g->nodes; k++) {
        for (int e = g->start[k]; e < g->start[k + 1] && !mark[k]; e++)
            mark[k] = mark[g->entry[e]];
        count += mark[k] != 0;
    }
    return count;
}
