/* SPDX-License-Identifier: Apache-2.0 */
/* path.c -- the way that an algorithm section takes through its relations is kept between events.
 *
 * Relations and step functions of a section may stand in loops and between local variables, so that
 * their number is not known from the text. At an event the section is run as it is, and the results of
 * its relations are noted one after the other; each knows its place in the text. Between events they
 * are looked up there in the same order: the section takes the same way, and its results stay smooth.
 * What each relation is away from its border is seen on the way; the least of them, above 0 as long as
 * all are what they were, is the crossing of the section. An event is found where it changes its sign.
 *
 * Cost: a comparison for each relation evaluated; the crossing runs the section once more. */
#include "live/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builtin.h"

struct Path {
    double *value; /* results in the order of evaluation */
    int    *place; /* of their relations in the text */
    int     count, room;
};

static const double on_border = 1e-300; /* above 0, on the border itself */

static bool path_grow(Path *p) {
    if (p->count < p->room) return true;
    int     room = 2 * p->room + 16;
    double *value = mem_resize(p->value, (size_t)room * sizeof *value);
    if (value) p->value = value;
    int *place = value ? mem_resize(p->place, (size_t)room * sizeof *place) : NULL;
    if (place) p->place = place;
    if (!place) return false;
    p->room = room;
    return true;
}

void paths_free(Running *r) {
    for (int k = 0; r->paths && k < r->part->relations; k++)
        MEM_FREE(r->paths[k].value, r->paths[k].place);
    mem_free(r->paths);
    r->paths = NULL;
}

/* ---- one relation ------------------------------------------------------------------------------ */

/* What is held of an operator: the truth of a relation, the quotient of mod and rem. */
static double result(TermOp op, double a, double b) {
    switch (op) {
    case TERM_LESS: return a < b;
    case TERM_LESS_EQUAL: return a <= b;
    case TERM_GREATER: return a > b;
    case TERM_GREATER_EQUAL: return a >= b;
    case TERM_SIGN: return rb_sign(a);
    case TERM_CEIL: return ceil(a);
    case TERM_QUOTIENT:
    case TERM_REM: return trunc(a / b);
    case TERM_MOD: return floor(a / b);
    default: return floor(a);
    }
}

static double value_of(TermOp op, double held, double a, double b) {
    return op == TERM_MOD || op == TERM_REM ? a - held * b : held;
}

/* Above 0 as long as a relation is what is held. */
static double relation_margin(double held, double distance, bool strict) {
    bool   holds = held != 0;
    double z = holds ? distance : -distance;
    return distance == 0 && holds != strict ? on_border : z;
}

static double margin_of(TermOp op, double held, double a, double b) {
    switch (op) {
    case TERM_LESS: return relation_margin(held, b - a, true);
    case TERM_LESS_EQUAL: return relation_margin(held, b - a, false);
    case TERM_GREATER: return relation_margin(held, a - b, true);
    case TERM_GREATER_EQUAL: return relation_margin(held, a - b, false);
    case TERM_SIGN: return rb_in_sign(a, held);
    case TERM_CEIL: return rb_in_ceil(a, held);
    case TERM_MOD: return rb_in_floor(a / b, held);
    case TERM_QUOTIENT:
    case TERM_REM: return rb_in_trunc(a / b, held);
    default: return rb_in_floor(a, held);
    }
}

/* ---- what generated code asks for --------------------------------------------------------------- */

/* A different number for a different way; not that of a relation. */
static double signature(const Path *p) {
    uint64_t h = 1;
    for (int k = 0; k < p->count; k++) {
        uint64_t bits;
        memcpy(&bits, &p->value[k], sizeof bits);
        h = hash_mix(h * 31 ^ bits ^ (uint64_t)p->place[k] << 1);
    }
    return 2 + (double)(h >> 12);
}

void path_begin(Rb *c, int site, int places) {
    Running *r = running_of(c);
    Follow  *f = &r->follow;
    if (!r->paths) r->paths = mem_take((size_t)r->part->relations, sizeof *r->paths);
    if (r->paths && f->room < places) {
        int *cursor = mem_resize(f->cursor, (size_t)places * sizeof *cursor);
        if (cursor) f->cursor = cursor;
        if (cursor) f->room = places;
    }
    f->site = -1;
    if (!r->paths || f->room < places) {
        r->instance->lacking = true;
        return;
    }
    f->site = site;
    f->margin = 1;
    if (places) memset(f->cursor, 0, (size_t)places * sizeof *f->cursor);
    if (c->live) r->paths[site].count = 0;
}

double path_end(Rb *c) {
    Running *r = running_of(c);
    Follow  *f = &r->follow;
    if (c->live && f->site >= 0) c->mode[f->site] = signature(&r->paths[f->site]);
    f->site = -1;
    return f->margin;
}

double path_follow(Rb *c, int op, int place, double a, double b) {
    Running *r = running_of(c);
    Follow  *f = &r->follow;
    Path    *p = f->site >= 0 ? &r->paths[f->site] : NULL;
    double   now = result((TermOp)op, a, b);
    if (!p) return value_of((TermOp)op, now, a, b);
    if (c->live) {
        if (path_grow(p)) {
            p->value[p->count] = now;
            p->place[p->count++] = place;
        } else {
            r->instance->lacking = true;
        }
        return value_of((TermOp)op, now, a, b);
    }
    int k = f->cursor[place];
    while (k < p->count && p->place[k] != place) k++;
    f->cursor[place] = k + 1;
    if (k >= p->count) return value_of((TermOp)op, now, a, b);
    f->margin = fmin(f->margin, margin_of((TermOp)op, p->value[k], a, b));
    return value_of((TermOp)op, p->value[k], a, b);
}

/* ---- to be kept --------------------------------------------------------------------------------- */

void paths_save(const Running *r, Bytes *to) {
    for (int k = 0; k < r->part->relations; k++) {
        Path p = r->paths ? r->paths[k] : (Path){0};
        bytes_put(to, &p.count, sizeof p.count);
        bytes_put(to, p.value, (size_t)p.count * sizeof *p.value);
        bytes_put(to, p.place, (size_t)p.count * sizeof *p.place);
    }
}

void paths_restore(Running *r, Bytes *from) {
    if (!r->paths && r->part->relations)
        r->paths = mem_take((size_t)r->part->relations, sizeof *r->paths);
    for (int k = 0; k < r->part->relations && r->paths && !from->failed; k++) {
        Path *p = &r->paths[k];
        int   count;
        bytes_get(from, &count, sizeof count);
        if (from->failed || count < 0 || (size_t)count > from->room - from->count) {
            from->failed = true;
            return;
        }
        for (p->count = 0; p->count < count && path_grow(p);) p->count++;
        from->failed |= p->count < count;
        bytes_get(from, p->value, (size_t)p->count * sizeof *p->value);
        bytes_get(from, p->place, (size_t)p->count * sizeof *p->place);
    }
    r->instance->lacking |= r->part->relations && !r->paths;
}
