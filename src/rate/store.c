/* SPDX-License-Identifier: Apache-2.0 */
/* store.c -- the small steps of the last large one, for output between steps.
 *
 * Every accepted small step leaves its polynomial, so the state is known everywhere inside
 * the large step with the accuracy of the level that made it. Memory grows to the largest
 * large step seen and is used again. A deeper level overrides the one it refines.
 *
 * Watched states are on the polynomial of the large step that their cluster saw, plus their
 * deviation (watch.c) as a cubic over each small step. The large step's own dense output would not do:
 * its extra stages may have been evaluated with a useless idea of fast neighbours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/group.h"

bool store_room(void **data, size_t *have, size_t need, size_t size) {
    if (need <= *have) return true;
    const size_t more = need + need / 2 + 64;
    void        *p = realloc(*data, more * size);
    if (!p) return false;
    *data = p;
    *have = more;
    return true;
}

/* A new piece of n states; its coefficients are to be filled in. Small steps of the same group
 * share the lists of their states. NULL: no memory. */
static double *add(Store *s, Piece piece, const int *state) {
    const size_t n = (size_t)piece.n, count = n * (size_t)(piece.powers + 1);
    if (!store_room((void **)&s->piece, &s->piece_room, s->pieces + 1, sizeof(Piece)) ||
        !store_room((void **)&s->value, &s->value_room, s->values + count,
                    sizeof(double)) ||
        !store_room((void **)&s->id, &s->id_room, s->ids + n, sizeof(int)))
        return NULL;
    piece.state = s->ids;
    piece.coefficient = s->values;
    for (size_t back = 1; back <= 2 && back <= s->pieces; back++) {
        const Piece *b = &s->piece[s->pieces - back];
        if (b->n == piece.n && memcmp(s->id + b->state, state, sizeof(int) * n) == 0)
            piece.state = b->state;
    }
    if (piece.state == s->ids) {
        memcpy(s->id + s->ids, state, sizeof(int) * n);
        s->ids += n;
    }
    s->piece[s->pieces++] = piece;
    s->values += count;
    return s->value + piece.coefficient;
}

int group_worst(const RateGroup *g) {
    const double *error = ode_error(g->ode), *weight = ode_tolerance(g->ode).weight;
    double        most = 0.0;
    int           worst = -1;
    if (ode_fixed_step(g->ode) > 0.0) return -1;
    for (int i = 0; i < g->n; i++) {
        const double e = fabs(error[i]) * weight[i];
        if (!(e > most) || (g->part.refining && g->part.fast[i])) continue;
        most = e;
        worst = g->state[i];
    }
    return worst;
}

bool store_step(Store *s, const RateGroup *g, bool event) {
    const Ode    *o = g->ode;
    const int     powers = ode_curve_degree(g->ode);
    const bool    line = powers < 0; /* the model refuses the extra stages */
    const double *first = ode_state_last(o), *last = ode_state(o);
    const double  begin = ode_time_last(o), end = ode_time(o);
    /* a step that ends at an event may go a little beyond its polynomial */
    const Piece piece = {.kind = PIECE_STEP,
                         .t = begin,
                         .till = end,
                         .scale = line ? end - begin : ode_length(o),
                         .level = g->level,
                         .event = event,
                         .n = g->n,
                         .powers = line ? 1 : powers,
                         .order = ode_running(o)->order,
                         .worst = g->rate->options.trace ? group_worst(g) : -1};
    double     *c = add(s, piece, g->state);
    if (!c) return false;
    for (int i = 0; i < g->n; i++, c += piece.powers + 1) {
        if (line) c[0] = first[i], c[1] = last[i] - first[i];
        else ode_curve(o, i, c);
    }
    return true;
}

bool store_curves(Store *s, const RateGroup *g) {
    int powers = 0;
    for (int k = 0; k < g->watch.count; k++)
        if (g->bound.powers[g->watch.bound[k]] > powers)
            powers = g->bound.powers[g->watch.bound[k]];
    if (g->watch.count == 0) return true;
    const Piece piece = {.kind = PIECE_CURVE,
                         .t = ode_time(g->parent->ode),
                         .till = g->end,
                         .scale = g->span,
                         .level = g->level,
                         .n = g->watch.count,
                         .powers = powers};
    double     *c = add(s, piece, g->watch.state);
    for (int k = 0; c && k < g->watch.count; k++, c += powers + 1) {
        const int     b = g->watch.bound[k];
        const double *from = g->bound.coefficient + (size_t)b * COEFFICIENT;
        for (int q = 0; q <= powers; q++) c[q] = q <= g->bound.powers[b] ? from[q] : 0.0;
    }
    return c != NULL;
}

bool store_drift(Store *s, const RateGroup *g, double begin, double end) {
    const Piece piece = {.kind = PIECE_DRIFT,
                         .t = begin,
                         .till = end,
                         .scale = end - begin,
                         .level = g->level,
                         .n = g->watch.count,
                         .powers = 3};
    if (g->watch.count == 0) return true;
    double *c = add(s, piece, g->watch.state);
    if (!c) return false;
    for (int k = 0; k < g->watch.count; k++, c += 4) {
        const double d = g->watch.drift[k] - g->watch.part_before[k];
        const double a = piece.scale * g->watch.rise_before[k];
        const double b =
            piece.scale * (g->watch.defect[k] - g->watch.damping[k] * g->watch.drift[k]);
        c[0] = g->watch.part_before[k];
        c[1] = a, c[2] = 3.0 * d - 2.0 * a - b, c[3] = a + b - 2.0 * d;
        if (!isfinite(c[0] + c[1] + c[2] + c[3])) c[0] = c[1] = c[2] = c[3] = 0.0;
    }
    return true;
}

void store_amend(Store *s, size_t from, size_t to, int level, int state, double begin,
                 double slope) {
    for (size_t q = from; q < to; q++) {
        const Piece *p = &s->piece[q];
        if (p->kind != PIECE_DRIFT || p->level != level) continue;
        const int k = group_find(s->id + p->state, p->n, state);
        if (k < 0) continue;
        double *c = s->value + p->coefficient + 4 * (size_t)k;
        c[0] -= slope * (p->t - begin);
        c[1] -= slope * (p->till - p->t);
    }
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

/* Where two small steps meet, a state has the value of the second, a deviation that of the first:
 * deviations are added and must not count twice. */
static bool holds(const Piece *p, double t) {
    return (p->kind == PIECE_STEP ? t >= p->t : t > p->t) && t <= p->till;
}

void store_value(const Store *s, size_t piece, const RateGroup *g, double t, double *y) {
    const Piece *p = &s->piece[piece];
    if (!holds(p, t)) return;
    for (int i = 0; i < p->n; i++) {
        double *at = &y[group_packed(g, s->id[p->state + (size_t)i])];
        *at = piece_value(s, p, i, t) + (p->kind == PIECE_DRIFT ? *at : 0.0);
    }
}

double store_event(const Store *s, Mark from, Mark to, double begin, double end) {
    double first = end;
    for (size_t q = from.pieces; q < to.pieces; q++) {
        const Piece *p = &s->piece[q];
        if (p->event && p->level >= 0 && p->till > begin) first = fmin(first, p->till);
    }
    return first;
}

void store_free(Store *s) {
    free(s->piece), free(s->value), free(s->id);
    *s = (Store){0};
}
