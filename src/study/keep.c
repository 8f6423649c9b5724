/* SPDX-License-Identifier: Apache-2.0 */
/* keep.c -- what is kept of a case.
 *
 *   EXPR          value at the end             EXPR@T[,T...]   at times
 *   min(EXPR), max(EXPR)                       over all output points and both sides of events
 *   first(RELATION)                             the first time at which it becomes true
 *   event(N), events()                         time of event N; how many there were */
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reading {
    Arena      *arena;
    Session    *session;
    Keeps      *keeps;
    double      start, stop;
    const char *word;
    RbError    *error;
} Reading;

static RbStatus wrong(const Reading *r, const char *why) {
    return error_set(r->error, RB_ARGUMENT, "%s: %s", r->word, why);
}

static Keep *add(Reading *r, const char *name, KeepKind kind) {
    Keeps *k = r->keeps;
    k->keep = arena_grow(r->arena, k->keep, sizeof *k->keep, &k->room, k->keeps + 1);
    Keep *keep = &k->keep[k->keeps++];
    *keep = (Keep){.name = name, .kind = kind};
    return keep;
}

/* The only argument of a call to `name`; EXPR_NONE: this is none. */
static Expr argument(const Reading *r, Expr e, const char *name) {
    const Call *call = e.kind == EXPR_CALL ? e.call : NULL;
    if (!call || !call->function || call->function->count != 1 || call->named_count ||
        call->iterators || !call->args || call->args->count != 1 ||
        strcmp(name_of(r->session, call->function->part[0].name), name) != 0)
        return (Expr){.kind = EXPR_NONE};
    return call->args->item[0];
}

static bool is_relation(Expr e) {
    return e.kind == EXPR_BINARY && e.op >= OP_LESS && e.op <= OP_GREATER_EQUAL;
}

/* a > b is true where a - b is positive; a truth value where it is above one half. */
static Expr positive_where(const Reading *r, Expr e) {
    Expr *side = NEW(r->arena, Expr, 2);
    bool  less = is_relation(e) && (e.op == OP_LESS || e.op == OP_LESS_EQUAL);
    side[0] = is_relation(e) ? e.arg[less] : e;
    side[1] = is_relation(e) ? e.arg[!less]
                             : (Expr){.kind = EXPR_REAL, .pos = e.pos, .real = 0.5};
    return (Expr){.kind = EXPR_BINARY, .op = OP_SUB, .pos = e.pos, .arg = side};
}

static RbStatus read_times(Reading *r, Expr e, const char *text, const char *list) {
    for (const char *at = list;; at++) {
        char  *end;
        double t = number_read(at, &end);
        while (*end == ' ') end++;
        if (end == at || (*end && *end != ','))
            return wrong(r, "behind @ are times, separated by commas");
        if (!(t >= r->start && t <= r->stop))
            return error_set(r->error, RB_ARGUMENT,
                             "%s: the simulation goes from %g to %g", r->word, r->start,
                             r->stop);
        while (*at == ' ') at++;
        Keep *keep =
            add(r, arena_printf(r->arena, "%s@%.*s", text, (int)(end - at), at), KEEP_AT);
        keep->time = t;
        keep->expr = e;
        if (!*end) return RB_OK;
        at = end;
    }
}

static RbStatus read_special(Reading *r, Expr e, bool *special) {
    static const struct {
        const char *name;
        KeepKind    kind;
    } known[] = {{"min", KEEP_LEAST},
                 {"max", KEEP_MOST},
                 {"first", KEEP_WHEN},
                 {"event", KEEP_EVENT}};
    *special = true;
    if (strcmp(r->word, "events()") == 0) {
        add(r, r->word, KEEP_EVENTS);
        r->keeps->events = true;
        return RB_OK;
    }
    for (int k = 0; k < LENGTH(known); k++) {
        Expr inner = argument(r, e, known[k].name);
        if (inner.kind == EXPR_NONE) continue;
        Keep *keep = add(r, r->word, known[k].kind);
        if (known[k].kind == KEEP_EVENT) {
            if (inner.kind != EXPR_INTEGER || inner.integer < 1)
                return wrong(r, "events are counted from 1");
            keep->number = (long)inner.integer;
            r->keeps->events = true;
        } else r->keeps->points = true;
        keep->expr = known[k].kind == KEEP_WHEN ? positive_where(r, inner) : inner;
        return RB_OK;
    }
    *special = false;
    return RB_OK;
}

static RbStatus read_word(Reading *r) {
    const char *at = strrchr(r->word, '@');
    const char *text =
        at ? arena_string(r->arena, r->word, (size_t)(at - r->word)) : r->word;
    bool special = false;
    int  before = r->session->diag.errors;
    Expr e = {.kind = EXPR_NONE};
    if (strcmp(text, "events()") != 0) {
        e = parse_expression_text(r->session, "keep", text);
        if (e.kind == EXPR_BAD || r->session->diag.errors > before)
            return wrong(r, "this is no expression");
    }
    if (at) return read_times(r, e, text, at + 1);
    RbStatus status = read_special(r, e, &special);
    if (status == RB_OK && !special) add(r, r->word, KEEP_END)->expr = e;
    return status;
}

/* Without words: what the model is about. */
static RbStatus keep_states(Reading *r, const RbProgram *program) {
    enum { MOST = 200 };
    const int n = rb_info(program).variables;
    for (int v = 0; v < n && r->keeps->keeps < MOST; v++) {
        char       name[1000];
        RbVariable info = rb_variable(program, v, name, sizeof name);
        if (!info.state || info.kind == RB_HIDDEN) continue;
        r->word = arena_string(r->arena, name, strlen(name));
        RbStatus status = read_word(r);
        if (status != RB_OK) return status;
    }
    if (r->keeps->keeps) return RB_OK;
    return error_set(r->error, RB_ARGUMENT,
                     "the model has no states: say what is to be kept");
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void collect_times(Reading *r) {
    Keeps *k = r->keeps;
    k->time = NEW(r->arena, double, k->keeps + 1);
    for (int i = 0; i < k->keeps; i++)
        if (k->keep[i].kind == KEEP_AT) k->time[k->times++] = k->keep[i].time;
    qsort(k->time, (size_t)k->times, sizeof(double), ascending);
    int n = 0;
    for (int i = 0; i < k->times; i++)
        if (!n || k->time[i] != k->time[n - 1]) k->time[n++] = k->time[i];
    k->times = n;
}

RbStatus keeps_make(Keeps *keeps, Arena *arena, Session *session,
                    const RbStudyPlan *given, const RbProgram *program, RbError *error) {
    RbInfo           info = rb_info(program);
    Reading          r = {arena, session, keeps, 0, 1, NULL, error};
    RbStatus         status = RB_OK;
    const RbOptions *o = given->options;
    r.start = o && o->given_start ? o->start : isnan(info.start) ? 0 : info.start;
    r.stop = o && o->given_stop ? o->stop : isnan(info.stop) ? r.start + 1 : info.stop;
    for (int k = 0; k < given->keeps && status == RB_OK; k++) {
        r.word = arena_string(arena, given->keep[k], strlen(given->keep[k]));
        status = read_word(&r);
    }
    if (status == RB_OK && !given->keeps && !given->trajectories)
        status = keep_states(&r, program);
    collect_times(&r);
    return status;
}
