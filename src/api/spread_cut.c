/* SPDX-License-Identifier: Apache-2.0 */
/* spread_cut.c -- which process has which state of a model.
 *
 * The graph has a node for each state and an edge where a derivative reads a state. Two cuts of it are made, and
 * the one that sends fewer values for an evaluation is taken: by the place of a state in its array, so
 * that elements of equal place in several arrays are together (best for chains and rods: two neighbours at most), and
 * by a partitioner of graphs, if the link has one (best for grids and networks). Rank 0 decides and tells the
 * others.
 *
 * Cost: linear in the entries of the pattern, once. */
#include "api/spread.h"

#include <stdlib.h>
#include <string.h>

/* State k of an array of n goes to part k*parts/n. */
static void by_places(const Program *p, int parts, int *owner) {
    const States *s = &p->states;
    for (int from = 0; from < s->count;) {
        const int run = variables_run(&p->variables, s->var[from]);
        int       to = from;
        while (to < s->count && variables_run(&p->variables, s->var[to]) == run) to++;
        for (int k = from; k < to; k++)
            owner[k] = (int)((int64_t)(k - from) * parts / (to - from));
        from = to;
    }
}

/* Calls `visit` for every state and each other process that reads it. */
typedef void Reader(void *context, int state, int part);

static void visit_readers(const Lists *pattern, const int *owner, int parts, int *seen,
                          Reader *visit, void *context) {
    for (int k = 0; k < parts; k++) seen[k] = -1;
    for (int j = 0; j < pattern->rows; j++)
        for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            const int part = owner[pattern->to[e]];
            if (part == owner[j] || seen[part] == j) continue;
            seen[part] = j;
            visit(context, j, part);
        }
}

static void count_reader(void *context, int state, int part) {
    (void)state, (void)part;
    ++*(double *)context;
}

static double volume_of(const Lists *pattern, const int *owner, int parts, int *seen) {
    double volume = 0;
    visit_readers(pattern, owner, parts, seen, count_reader, &volume);
    return volume;
}

/* ---- the graph without directions ---- */

/* Entries of both directions, then each row in order and without doubles. False: no memory. */
static bool make_graph(const Lists *pattern, int **start, int **to) {
    const int n = pattern->rows;
    *start = mem_take((size_t)n + 2, sizeof **start);
    *to = mem_take(2 * (size_t)pattern->entries + 1, sizeof **to);
    if (!*start || !*to) return false;
    int *at =
        *start +
        1; /* where the next entry of a row goes, in the end where the next row begins */
    for (int j = 0; j < n; j++)
        for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++)
            if (pattern->to[e] != j) at[j + 1]++, at[pattern->to[e] + 1]++;
    for (int j = 0; j < n; j++) at[j + 1] += at[j];
    for (int j = 0; j < n; j++)
        for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            const int i = pattern->to[e];
            if (i == j) continue;
            (*to)[at[j]++] = i;
            (*to)[at[i]++] = j;
        }
    int kept = 0, from = 0;
    for (int j = 0; j < n; j++) {
        const int end = (*start)[j + 1];
        qsort(*to + from, (size_t)(end - from), sizeof **to, int_ascending);
        const int begin = kept;
        for (int e = from; e < end; e++)
            if (kept == begin || (*to)[kept - 1] != (*to)[e]) (*to)[kept++] = (*to)[e];
        from = end;
        (*start)[j] = begin;
    }
    (*start)[n] = kept;
    return true;
}

/* The better one of the two cuts into owner. */
static bool choose(Shares *c, const Program *p, RbLink *link, int *seen) {
    const Lists *pattern = &p->states.pattern;
    int         *start = NULL, *to = NULL;
    int         *other = mem_take((size_t)c->states + 1, sizeof *other);
    bool         fine = other && make_graph(pattern, &start, &to);
    by_places(p, c->parts, c->owner);
    c->volume = volume_of(pattern, c->owner, c->parts, seen);
    if (fine && link->cut(link, c->states, start, to, other)) {
        const double volume = volume_of(pattern, other, c->parts, seen);
        c->by_graph = volume < c->volume;
        if (c->by_graph) {
            memcpy(c->owner, other, (size_t)c->states * sizeof *other);
            c->volume = volume;
        }
    }
    MEM_FREE(start, to, other);
    return fine;
}

/* ---- what each process needs of the others ---- */

static bool make_order(Shares *c) {
    c->order = mem_take((size_t)c->states + 1, sizeof *c->order);
    c->first = mem_take((size_t)c->parts + 2, sizeof *c->first);
    if (!c->order || !c->first) return false;
    for (int k = 0; k < c->states; k++) c->first[c->owner[k] + 2]++;
    for (int k = 0; k < c->parts; k++) c->first[k + 2] += c->first[k + 1];
    for (int k = 0; k < c->states; k++) c->order[c->first[c->owner[k] + 1]++] = k;
    return true;
}

static void count_halo(void *context, int state, int part) {
    Shares *c = context;
    if (c->owner[state] == c->own) c->out_first[part + 2]++;
    if (part == c->own) c->in_first[c->owner[state] + 2]++;
}

static void add_halo(void *context, int state, int part) {
    Shares *c = context;
    if (c->owner[state] == c->own) c->out[c->out_first[part + 1]++] = state;
    if (part == c->own) c->in[c->in_first[c->owner[state] + 1]++] = state;
}

static bool make_halo(Shares *c, const Lists *pattern, int *seen) {
    const size_t parts = (size_t)c->parts + 2;
    c->out_first = mem_take(parts, sizeof *c->out_first);
    c->in_first = mem_take(parts, sizeof *c->in_first);
    if (!c->out_first || !c->in_first) return false;
    visit_readers(pattern, c->owner, c->parts, seen, count_halo, c);
    for (int k = 0; k < c->parts; k++) {
        c->out_first[k + 2] += c->out_first[k + 1];
        c->in_first[k + 2] += c->in_first[k + 1];
    }
    c->out = mem_take((size_t)c->out_first[c->parts + 1] + 1, sizeof *c->out);
    c->in = mem_take((size_t)c->in_first[c->parts + 1] + 1, sizeof *c->in);
    if (!c->out || !c->in) return false;
    visit_readers(pattern, c->owner, c->parts, seen, add_halo, c);
    return true;
}

/* Own states apart: those that read a state of others are at the border. */
static bool make_sides(Shares *c, const Lists *pattern) {
    const int begin = c->first[c->own], end = c->first[c->own + 1];
    uint8_t  *reads = mem_take((size_t)c->states + 1, 1);
    c->inside = mem_take((size_t)(end - begin) + 1, sizeof *c->inside);
    c->border = mem_take((size_t)(end - begin) + 1, sizeof *c->border);
    if (reads && c->inside && c->border) {
        for (int j = 0; j < pattern->rows; j++)
            for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++)
                reads[pattern->to[e]] |= c->owner[j] != c->own;
        for (int k = begin; k < end; k++)
            if (reads[c->order[k]]) c->border[c->borders++] = c->order[k];
            else c->inside[c->insides++] = c->order[k];
    }
    const bool fine = reads && c->inside && c->border;
    mem_free(reads);
    return fine;
}

bool shares_make(Shares *c, const Program *p, RbLink *link) {
    *c = (Shares){.states = p->states.count, .parts = link->size, .own = link->rank};
    int *seen = mem_take((size_t)c->parts + 1, sizeof *seen);
    c->owner = mem_take((size_t)c->states + 1, sizeof *c->owner);
    int64_t fine = seen && c->owner && (link->rank || choose(c, p, link, seen));
    if (!link->least(link, &fine)) fine = 0;
    fine = fine &&
           link->broadcast(link, 0, c->owner, (size_t)c->states * sizeof *c->owner) &&
           link->broadcast(link, 0, &c->volume, sizeof c->volume) &&
           link->broadcast(link, 0, &c->by_graph, sizeof c->by_graph);
    int64_t made = fine && make_order(c) && make_halo(c, &p->states.pattern, seen) &&
                   make_sides(c, &p->states.pattern);
    mem_free(seen);
    return link->least(link, &made) && made;
}

void shares_free(Shares *c) {
    MEM_FREE(c->owner, c->order, c->first, c->inside, c->border, c->out, c->in,
             c->out_first, c->in_first);
    *c = (Shares){0};
}
