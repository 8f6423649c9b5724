/* SPDX-License-Identifier: Apache-2.0 */
/* spread_seam.c -- what couples the parts of a model over several processes, for implicit methods.
 *
 * Of every two states on different processes of which one reads the other, one is a coupling state: that with more such
 * neighbours, so that a hub alone couples all of its spokes. Without the coupling states the parts fall apart, and
 * lin/schur.c can factor each by itself. Every process finds the same ones out of the pattern of df/dx.
 *
 * A process evaluates the rows of its states. An entry in the row of a coupling state and the column of a state inside
 * another part is needed there, and is sent with each Jacobian; all others are used where they are evaluated.
 *
 * The Schur complement has an entry for each two coupling states next to the same part, and for each entry between them.
 *
 * Cost: linear in the entries of the pattern, and the squares of the numbers of coupling states next to the parts. */
#include "api/spread.h"

#include <stdlib.h>
#include <string.h>

static const double MOST = 3e7; /* entries of the Schur complement that are made */

/* ---- coupling states ---- */

/* numbers: by state of all processes, -1: none. False: no memory. */
static bool choose_states(const Shares *c, const Pattern *p, int *number, int *count) {
    int *cuts = mem_take((size_t)c->states + 1, sizeof *cuts);
    if (!cuts) return false;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < p->columns; j++)
            for (int e = p->start[j]; e < p->start[j + 1]; e++) {
                const int i = p->row[e];
                if (c->owner[i] == c->owner[j]) continue;
                if (!pass) cuts[i]++, cuts[j]++;
                if (!pass || number[i] >= 0 || number[j] >= 0) continue;
                const bool first =
                    cuts[i] != cuts[j] ? cuts[i] > cuts[j] : c->owner[i] < c->owner[j];
                number[first ? i : j] = 0;
            }
    *count = 0;
    for (int k = 0; k < c->states; k++)
        if (number[k] >= 0) number[k] = (*count)++;
    mem_free(cuts);
    return true;
}

/* ---- the Schur complement ---- */

typedef struct Near { /* a coupling state next to the inside of a part */
    int part, state;
} Near;

/* Pairs in order, each once; the entries between coupling states are counted. NULL: no memory. */
static Near *find_near(const Shares *c, const Pattern *p, const int *number,
                       size_t *pairs) {
    Near  *near = NULL;
    size_t n = 0, kept = 0;
    for (int pass = 0; pass < 2; pass++) {
        n = 0;
        for (int j = 0; j < p->columns; j++)
            for (int e = p->start[j]; e < p->start[j + 1]; e++) {
                const int i = p->row[e];
                if ((number[i] < 0) == (number[j] < 0)) continue;
                if (near)
                    near[n] = number[i] < 0 ? (Near){c->owner[i], number[j]}
                                            : (Near){c->owner[j], number[i]};
                n++;
            }
        if (!near && !(near = mem_take(n + 1, sizeof *near))) return NULL;
    }
    qsort(near, n, sizeof *near, pair_ascending);
    for (size_t k = 0; k < n; k++)
        if (!kept || pair_ascending(&near[kept - 1], &near[k]) != 0)
            near[kept++] = near[k];
    *pairs = kept;
    return near;
}

/* Calls for both directions of every entry, some of them more than once: row[start[column] ...], NULL: they are
 * counted into start[column + 2]. */
static void add_entry(int *start, int *row, int i, int j) {
    if (row) row[start[j + 1]++] = i;
    else start[j + 2]++;
}

static void add_entries(const Pattern *p, const int *number, const Near *near,
                        size_t pairs, int count, int *start, int *row) {
    for (int k = 0; k < count; k++) add_entry(start, row, k, k);
    for (int j = 0; j < p->columns; j++)
        for (int e = p->start[j]; number[j] >= 0 && e < p->start[j + 1]; e++)
            if (number[p->row[e]] >= 0)
                add_entry(start, row, number[p->row[e]], number[j]);
    for (size_t k = 0, end; k < pairs; k = end) {
        for (end = k; end < pairs && near[end].part == near[k].part;) end++;
        for (size_t a = k; a < end; a++)
            for (size_t b = k; b < end; b++)
                if (a != b) add_entry(start, row, near[b].state, near[a].state);
    }
}

/* In order, each once. */
static void sort_columns(int *start, int *row, int count) {
    int kept = 0, from = 0;
    for (int j = 0; j < count; j++) {
        const int end = start[j + 1], begin = kept;
        qsort(row + from, (size_t)(end - from), sizeof *row, int_ascending);
        for (int e = from; e < end; e++)
            if (kept == begin || row[kept - 1] != row[e]) row[kept++] = row[e];
        from = end;
        start[j] = begin;
    }
    start[count] = kept;
}

static bool make_schur(Coupling *b, const Shares *c, const Pattern *p,
                       const int *number) {
    const int count = b->seam.count;
    size_t    pairs = 0, from = 0;
    Near     *near = find_near(c, p, number, &pairs);
    double    most = 0;
    for (size_t k = 0; near && k < pairs; k++) {
        if (near[k].part != near[from].part) from = k;
        most += 2.0 * (double)(k - from) + 1.0;
    }
    b->wide = most > MOST;
    b->schur_start = mem_take((size_t)count + 3, sizeof(int));
    bool fine = near && b->schur_start && !b->wide;
    if (fine) {
        int *start = b->schur_start;
        add_entries(p, number, near, pairs, count, start, NULL);
        for (int k = 0; k < count; k++) start[k + 2] += start[k + 1];
        b->schur_row = mem_take((size_t)start[count + 1] + 1, sizeof(int));
        fine = b->schur_row != NULL;
        if (fine) add_entries(p, number, near, pairs, count, start, b->schur_row);
        if (fine) sort_columns(start, b->schur_row, count);
    }
    mem_free(near);
    b->schur = (Pattern){count, count, b->schur_start, b->schur_row};
    return fine;
}

/* ---- entries between parts ---- */

typedef enum { ENTRY_KEPT, ENTRY_SENT, ENTRY_GOT } EntryKind;

/* What process c->own has to do with an entry between two processes, and which one is the other. */
static bool entry_kind(const Shares *c, const int *number, int i, int j, EntryKind *kind,
                       int *peer) {
    const int  row = c->owner[i], column = c->owner[j];
    const bool sent = number[i] >= 0 && number[j] < 0;
    *kind = !sent ? ENTRY_KEPT : row == c->own ? ENTRY_SENT : ENTRY_GOT;
    *peer = row == c->own ? column : row;
    return row != column && (row == c->own || (sent && column == c->own));
}

static bool take_entries(Coupling *b, int parts) {
    const size_t n = (size_t)b->seam.entries + 1, outs = (size_t)b->outs + 1;
    b->row = mem_take(n, sizeof(int));
    b->column = mem_take(n, sizeof(int));
    b->from = mem_take(n, sizeof(int));
    b->value = mem_take(n, sizeof(double));
    b->out = mem_take(outs, sizeof(int));
    b->in = mem_take((size_t)b->ins + 1, sizeof(int));
    b->out_value = mem_take(outs, sizeof(double));
    b->in_value = mem_take((size_t)b->ins + 1, sizeof(double));
    b->swap = mem_take((size_t)parts, sizeof *b->swap);
    return b->row && b->column && b->from && b->value && b->out && b->in &&
           b->out_value && b->in_value && b->swap;
}

/* place: by state of all processes, its place among those of this one. first: by process and direction. */
static void add_between(Coupling *b, const Shares *c, const Pattern *p, const int *number,
                        const int *place, int *out_first, int *in_first) {
    EntryKind kind;
    int       peer;
    for (int j = 0; j < p->columns; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            const int i = p->row[e];
            if (!entry_kind(c, number, i, j, &kind, &peer)) continue;
            if (kind == ENTRY_SENT) {
                b->out[out_first[peer]++] = e;
                continue;
            }
            const int at = b->seam.entries++;
            b->row[at] = kind == ENTRY_KEPT ? place[i] : -1 - number[i];
            b->column[at] = kind == ENTRY_KEPT ? -1 - number[j] : place[j];
            b->from[at] = kind == ENTRY_KEPT ? e : -1;
            if (kind == ENTRY_GOT) b->in[in_first[peer]++] = at;
        }
}

static bool make_between(Coupling *b, const Shares *c, const Pattern *p,
                         const int *number, const int *place) {
    int      *out = mem_take(2 * (size_t)c->parts + 2, sizeof *out), *in = NULL;
    EntryKind kind;
    int       peer;
    if (!out) return false;
    in = out + c->parts + 1;
    for (int j = 0; j < p->columns; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            if (!entry_kind(c, number, p->row[e], j, &kind, &peer)) continue;
            if (kind == ENTRY_SENT) out[peer + 1]++, b->outs++;
            else b->seam.entries++;
            if (kind == ENTRY_GOT) in[peer + 1]++, b->ins++;
        }
    for (int k = 0; k < c->parts; k++) out[k + 1] += out[k], in[k + 1] += in[k];
    const bool fine = take_entries(b, c->parts);
    for (int k = 0; k < c->parts && fine; k++) {
        const RbSwap with = {.peer = k,
                             .out = b->out_value + out[k],
                             .in = b->in_value + in[k],
                             .outs = (size_t)(out[k + 1] - out[k]),
                             .ins = (size_t)(in[k + 1] - in[k])};
        if (with.outs || with.ins) b->swap[b->swaps++] = with;
    }
    b->seam.entries = 0;
    if (fine) add_between(b, c, p, number, place, out, in);
    mem_free(out);
    return fine;
}

/* States that rows at the border read. */
static bool make_columns(Coupling *b, const Shares *c, const Pattern *p) {
    uint8_t *at = mem_take((size_t)c->states + 1, 1);
    if (!at) return false;
    for (int k = 0; k < c->borders; k++) at[c->border[k]] = 1;
    for (int pass = 0; pass < 2; pass++) {
        b->columns = 0;
        for (int j = 0; j < p->columns; j++) {
            int e = p->start[j];
            while (e < p->start[j + 1] && !at[p->row[e]]) e++;
            if (e == p->start[j + 1]) continue;
            if (pass) b->read[b->columns] = j;
            b->columns++;
        }
        if (!pass && !(b->read = mem_take((size_t)b->columns + 1, sizeof(int)))) break;
    }
    mem_free(at);
    return b->read != NULL;
}

bool coupling_make(Coupling *b, const Shares *c, const Pattern *whole) {
    const int       own = c->first[c->own + 1] - c->first[c->own];
    const int      *state = c->order + c->first[c->own];
    const Selection rows = {SELECT_LIST, 0, own, state};
    int *number = mem_take((size_t)c->states + 1, sizeof *number), *place = NULL;
    *b = (Coupling){.seam = {.whole = whole}};
    b->number = mem_take((size_t)own + 1, sizeof *b->number);
    place = mem_take((size_t)c->states + 1, sizeof *place);
    bool fine = number && place && b->number;
    for (int k = 0; k < c->states && fine; k++) number[k] = -1;
    fine = fine && choose_states(c, whole, number, &b->seam.count);
    for (int k = 0; k < own && fine; k++) {
        place[state[k]] = k;
        b->number[k] = number[state[k]];
    }
    fine = fine && (b->pattern = pattern_principal(whole, &rows, &b->entry)) != NULL &&
           make_schur(b, c, whole, number) && make_between(b, c, whole, number, place) &&
           make_columns(b, c, whole);
    if (fine) b->all = mem_take((size_t)pattern_entries(whole) + 1, sizeof *b->all);
    b->seam.number = b->number;
    b->seam.row = b->row;
    b->seam.column = b->column;
    b->seam.value = b->value;
    b->seam.schur = &b->schur;
    MEM_FREE(number, place);
    return fine && b->all;
}

void coupling_free(Coupling *b) {
    pattern_free(b->pattern);
    free(b->entry);
    MEM_FREE(b->number, b->row, b->column, b->from, b->value, b->out, b->in, b->out_value,
             b->in_value, b->swap, b->schur_start, b->schur_row, b->read, b->all);
    *b = (Coupling){0};
}

/* ---- a Jacobian ---- */

Status coupling_jacobian(Coupling *b, const Shares *c, RbLink *link, Instance *instance,
                         double t, const double *x, double *value, Fault *fault) {
    const Selection own = {SELECT_LIST, 0, c->first[c->own + 1] - c->first[c->own],
                           c->order + c->first[c->own]};
    const Selection inside = {SELECT_LIST, 0, c->insides, c->inside};
    const Selection border = {SELECT_LIST, 0, c->borders, c->border};
    const Selection read = {SELECT_LIST, 0, b->columns, b->read};
    Status          status = STATUS_OK;
    if (c->insides) status = jacobian_part(instance, t, x, &inside, &own, b->all, fault);
    if (status == STATUS_OK && c->borders)
        status = jacobian_part(instance, t, x, &border, &read, b->all, fault);
    for (int e = 0; e < pattern_entries(b->pattern); e++) value[e] = b->all[b->entry[e]];
    for (int k = 0; k < b->outs; k++) b->out_value[k] = b->all[b->out[k]];
    const bool heard = link->swap(link, b->swap, b->swaps) && link->swapped(link);
    for (int k = 0; k < b->seam.entries; k++)
        if (b->from[k] >= 0) b->value[k] = b->all[b->from[k]];
    for (int k = 0; k < b->ins; k++) b->value[b->in[k]] = b->in_value[k];
    int64_t worst = heard ? -(int64_t)status : -(int64_t)STATUS_FATAL;
    return link->least(link, &worst) ? (Status)-worst : STATUS_FATAL;
}
