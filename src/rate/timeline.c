/* SPDX-License-Identifier: Apache-2.0 */
/* timeline.c -- what the small steps of a large one say of a time.
 *
 * A large step may hold thousands of small ones, and output asks for hundreds of times in it. The pieces
 * are therefore sorted by their beginning, once; those open at a time are a list that follows the
 * questions forwards. A question costs what is open then, not what there is.
 *
 * A deeper level overrides the one it refines; deviations are added in the order of the clusters,
 * whichever thread ran them: open pieces are kept in that order. */
#include <stdlib.h>

#include "rate/group.h"

static int by_begin(const void *a, const void *b) {
    const PieceMoment *p = a, *q = b;
    if (p->t != q->t) return p->t < q->t ? -1 : 1;
    return (p->rank > q->rank) - (p->rank < q->rank);
}

static bool collect(Timeline *line, const Cluster *one, int level, PieceKind kind) {
    const Store *s = &one->worker->store;
    for (size_t q = one->pieces; q < one->pieces_end; q++) {
        const Piece *p = &s->piece[q];
        if (p->level != level || p->kind != kind) continue;
        if (!store_room((void **)&line->moment, &line->room, line->moments + 1,
                        sizeof(PieceMoment)))
            return false;
        line->moment[line->moments] = (PieceMoment){p->t, p->till, s, q, line->moments};
        line->moments++;
    }
    return true;
}

bool timeline_make(RateGroup *root) {
    const Workspace *w = root->space;
    Timeline        *line = &root->rate->timeline;
    timeline_clear(line);
    for (int level = 1; level < root->rate->levels; level++)
        for (int kind = 0; kind < PIECE_KINDS; kind++)
            for (int c = 0; c < w->clusters; c++)
                if (!collect(line, &w->cluster[c], level, (PieceKind)kind)) return false;
    qsort(line->moment, line->moments, sizeof(PieceMoment), by_begin);
    return store_room((void **)&line->open, &line->open_room, line->moments,
                      sizeof(PieceMoment));
}

static int by_rank(const void *a, const void *b) {
    const PieceMoment *p = a, *q = b;
    return (p->rank > q->rank) - (p->rank < q->rank);
}

static void go_to(Timeline *line, double t) {
    size_t kept = 0;
    if (t < line->now) line->next = line->opens = 0;
    line->now = t;
    for (size_t k = 0; k < line->opens; k++)
        if (line->open[k].till >= t) line->open[kept++] = line->open[k];
    line->opens = kept;
    for (; line->next < line->moments && line->moment[line->next].t <= t; line->next++)
        if (line->moment[line->next].till >= t)
            line->open[line->opens++] = line->moment[line->next];
    if (line->opens > kept) qsort(line->open, line->opens, sizeof(PieceMoment), by_rank);
}

void timeline_values(const RateGroup *root, double t, double *x) {
    Timeline *line = &root->rate->timeline;
    go_to(line, t);
    for (size_t k = 0; k < line->opens; k++)
        store_value(line->open[k].store, line->open[k].piece, root, t, x);
}

void timeline_clear(Timeline *line) {
    line->moments = line->opens = line->next = 0;
    line->now = 0.0;
}

void timeline_free(Timeline *line) {
    free(line->moment), free(line->open);
}
