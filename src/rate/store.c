/* SPDX-License-Identifier: Apache-2.0 */
/* store.c -- the small steps of the last large one, for output between steps.
 *
 * Every accepted small step leaves its polynomial, so the state is known everywhere inside
 * the large step with the accuracy of the level that made it. Memory grows to the largest
 * large step seen and is used again. A deeper level overrides the one it refines. */
#include <stdlib.h>
#include <string.h>

#include "rate/group.h"

static bool room(void **data, size_t *have, size_t need, size_t size) {
    if (need <= *have) return true;
    const size_t more = need + need / 2 + 64;
    void        *p = realloc(*data, more * size);
    if (!p) return false;
    *data = p;
    *have = more;
    return true;
}

bool store_piece(Store *s, const Group *g) {
    const Ode    *o = g->ode;
    const Method *m = o->dense_method;
    const int     n = g->n;
    const bool    hermite = m->dense_stages > m->stages;
    const int     powers = hermite ? 1 : m->powers;
    const size_t  count = (size_t)n * (size_t)(powers + 1);
    if (!room((void **)&s->piece, &s->piece_room, s->pieces + 1, sizeof(Piece)) ||
        !room((void **)&s->value, &s->value_room, s->values + count, sizeof(double)) ||
        !room((void **)&s->id, &s->id_room, s->ids + (size_t)n, sizeof(int)))
        return false;
    Piece *p = &s->piece[s->pieces];
    /* a step that ends at an event may go a little beyond its polynomial */
    const double h = o->t - o->t_last, scale = hermite ? h : o->h_last;
    *p = (Piece){o->t_last, h, scale, g->level, n, powers, s->ids, s->values};
    if (s->pieces > 0) { /* the same states as the step before share their list */
        const Piece *b = p - 1;
        if (b->n == n && b->level == g->level &&
            memcmp(s->id + b->state, g->state, sizeof(int) * (size_t)n) == 0)
            p->state = b->state;
    }
    if (p->state == s->ids) {
        memcpy(s->id + s->ids, g->state, sizeof(int) * (size_t)n);
        s->ids += (size_t)n;
    }
    double      *c = s->value + s->values;
    const double size = m->kind == METHOD_ROSENBROCK ? 1.0 : o->h_last;
    for (int i = 0; i < n; i++, c += powers + 1) {
        c[0] = o->y_last[i];
        if (hermite) {
            c[1] = o->y[i] - o->y_last[i];
            continue;
        }
        for (int k = 0; k < powers; k++) {
            double sum = 0.0;
            for (int j = 0; j < m->dense_stages; j++)
                sum += m->dense[j * powers + k] * o->k_last[(size_t)j * n + i];
            c[k + 1] = size * sum;
        }
    }
    s->values += count;
    s->pieces++;
    return true;
}

void store_rewind(Store *s, Mark mark) {
    s->pieces = mark.pieces, s->values = mark.values, s->ids = mark.ids;
}

void store_kill(Store *s, size_t from, size_t to) {
    for (size_t q = from; q < to; q++) s->piece[q].level = -1;
}

static double piece_value(const Store *s, const Piece *p, int i, double t) {
    const double  theta = (t - p->t) / p->scale;
    const double *c = s->value + p->coefficient + (size_t)i * (size_t)(p->powers + 1);
    double        v = 0.0;
    for (int k = p->powers; k > 0; k--) v = (v + c[k]) * theta;
    return v + c[0];
}

static bool holds(const Piece *p, int level, double t) {
    return p->level == level && t >= p->t && t <= p->t + p->h;
}

void store_values(const Store *s, double t, double *x) {
    for (int level = 1; level < RATE_LEVELS && s->pieces > 0; level++)
        for (size_t q = 0; q < s->pieces; q++) {
            const Piece *p = &s->piece[q];
            for (int i = 0; holds(p, level, t) && i < p->n; i++)
                x[s->id[p->state + (size_t)i]] = piece_value(s, p, i, t);
        }
}

void store_packed(const Store *s, Mark mark, const Group *g, double t, double *y) {
    for (int level = g->level + 1; level < RATE_LEVELS && s->pieces > mark.pieces;
         level++)
        for (size_t q = mark.pieces; q < s->pieces; q++) {
            const Piece *p = &s->piece[q];
            for (int i = 0; holds(p, level, t) && i < p->n; i++)
                y[group_find(g->state, g->n, s->id[p->state + (size_t)i])] =
                    piece_value(s, p, i, t);
        }
}

void store_free(Store *s) {
    free(s->piece), free(s->value), free(s->id);
    *s = (Store){0};
}
