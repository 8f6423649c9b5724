/* SPDX-License-Identifier: Apache-2.0 */
/* recall.c -- results of costly functions, by the arguments they were called with.
 *
 * A table with one entry per hash; a new entry takes the place of what is there. An entry is
 * found only if function and all arguments are the same bit by bit, so results are those of the
 * call itself. The memory is taken when the first results are kept. */
#include "live/live.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 1024, NUMBERS = 62 }; /* an entry: function, inputs, results */

struct RecallEntry {
    int    function, inputs, results; /* function + 1, 0 if the entry is empty */
    double number[NUMBERS];
};

/* One multiplication for a number: a look into the table must cost little beside the call. */
static RecallEntry *entry_of(const Recall *r, int function, const double *in, int n) {
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    uint64_t       h = (uint64_t)function + 1, bits;
    for (int k = 0; k < n; k++) {
        memcpy(&bits, &in[k], sizeof bits);
        h = (h ^ bits) * golden;
        h ^= h >> 32;
    }
    return &r->entry[(h * golden >> 32) % ENTRIES];
}

/* Bit by bit. */
static bool same_numbers(const double *a, const double *b, int n) {
    uint64_t x, y, other = 0;
    for (int k = 0; k < n; k++) {
        memcpy(&x, &a[k], sizeof x);
        memcpy(&y, &b[k], sizeof y);
        other |= x ^ y;
    }
    return other == 0;
}

const double *recall_find(const Recall *r, int function, const double *in, int n) {
    if (!r->entry) return NULL;
    const RecallEntry *e = entry_of(r, function, in, n);
    bool               same =
        e->function == function + 1 && e->inputs == n && same_numbers(e->number, in, n);
    return same ? e->number + n : NULL;
}

void recall_keep(Recall *r, int function, const double *in, int n, const double *out,
                 int results) {
    if (n + results > NUMBERS) return;
    if (!r->entry) r->entry = mem_take(ENTRIES, sizeof *r->entry);
    if (!r->entry) return;
    RecallEntry *e = entry_of(r, function, in, n);
    e->function = function + 1;
    e->inputs = n;
    e->results = results;
    memcpy(e->number, in, (size_t)n * sizeof *in);
    memcpy(e->number + n, out, (size_t)results * sizeof *out);
}

void recall_free(Recall *r) {
    mem_free(r->entry);
    r->entry = NULL;
}
