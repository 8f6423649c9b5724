/* SPDX-License-Identifier: Apache-2.0 */
/* program.c -- the functions of the program around the groups: evaluation in pieces, crossings,
 * times of events, the past, single relations. */
#include "gen/emitter.h"

#include <string.h>

enum {
    PIECE = 200, /* rows of straight-line code in a function */
    SHORT = 30   /* rows that take no longer than telling another thread of a value */
};

typedef enum { PIECE_RATES, PIECE_SHOWN, PIECE_EVENTS } PieceKind;

static PieceKind piece_kind(const Group *group) {
    return group->discrete ? PIECE_EVENTS : group->shown ? PIECE_SHOWN : PIECE_RATES;
}

typedef struct Piece {
    PieceKind kind;
    int       phase; /* of a clocked partition, -1 outside */
} Piece;

typedef struct Pieces {
    Piece *piece;
    int    count;
    int   *of;    /* by group */
    bool  *gives; /* by group: see find_givers */
} Pieces;

/* Groups whose values another sub-clock partition uses at the same tick. */
static bool *find_givers(const Plan *plan) {
    const Structure *st = plan->st;
    bool            *gives = mem_take((size_t)plan->groups, sizeof *gives);
    int             *group_of = mem_take((size_t)st->eqs, sizeof *group_of);
    for (int g = 0; g < plan->groups; g++)
        for (int i = 0; i < plan->group[g].count * plan->group[g].size; i++)
            group_of[plan->item[plan->group[g].item + i]] = g;
    for (int e = 0; e < st->eqs && st->base > 0; e++)
        for (int k = st->graph.start[e]; k < st->graph.start[e + 1]; k++) {
            int var = st->graph.col[k];
            if (st->role[var] != ROLE_UNKNOWN) continue;
            int giver = group_of[st->eq_of[var]], taker = group_of[e];
            if (plan->group[giver].phase / 2 != plan->group[taker].phase / 2)
                gives[giver] = true;
        }
    mem_free(group_of);
    return gives;
}

/* Is the piece to end before group g, as others wait for what it has given and g begins something long? */
static bool is_cut(const Plan *plan, const Pieces *all, int last, int g, int to) {
    const Group *group = plan->group;
    long         rows = 0;
    if (!all->gives[last] || all->gives[g]) return false;
    for (int k = g; k < to && rows < SHORT && group[k].phase == group[g].phase; k++)
        if (piece_kind(&group[k]) == piece_kind(&group[g]))
            rows += (long)group[k].count * group[k].size;
    return rows >= SHORT;
}

/* Groups [from, to) of one kind, as functions of at most PIECE each; returns how many
 * functions there are now. */
static int kind_text(Emitter *e, int from, int to, PieceKind kind, Pieces *all) {
    Piece *of = all->piece;
    int    n = 0, phase = -1, last = -1, pieces = all->count;
    for (int g = from; g < to; g++) {
        const Group *group = &e->plan->group[g];
        if (piece_kind(group) != kind) continue;
        /* one piece runs at the ticks of one clock */
        bool other = n && (group->phase != phase || is_cut(e->plan, all, last, g, to));
        last = g;
        if (n++ % PIECE == 0 || other) {
            if (n > 1) text_add(e->out, "    return 0;\n}\n\n");
            text_printf(e->out, "static int p%d(Rb *c) {\n%s", pieces, gen_head);
            of[pieces++] = (Piece){kind, phase = group->phase};
        }
        all->of[g] = pieces - 1;
        if (group->kind == GROUP_ROWS) emitter_rows(e, group);
        else if (group->kind == GROUP_CHAIN) emitter_chain(e, group);
        else emitter_loops(e, g);
    }
    if (n) text_add(e->out, "    return 0;\n}\n\n");
    return pieces;
}

/* Functions of the groups between two that belong to events: derivatives need nothing of what is
 * only shown, so that comes last. */
static void pieces_text(Emitter *e, Pieces *all) {
    const Plan *plan = e->plan;
    for (int g = 0, end; g < plan->groups; g = end) {
        bool discrete = plan->group[g].discrete;
        for (end = g; end < plan->groups && plan->group[end].discrete == discrete;) end++;
        for (PieceKind kind = PIECE_RATES; kind <= PIECE_EVENTS; kind++)
            all->count = kind_text(e, g, end, kind, all);
    }
}

static void call_text(Text *out, int piece, int phase) {
    if (phase < 0) {
        text_printf(out, "    if (p%d(c)) return 1;\n", piece);
        return;
    }
    text_printf(out,
                "    if (c->ticks[%d]) {\n        c->interval = c->intervals[%d];\n"
                "        c->first_tick = c->ticks[%d] > 1;\n"
                "        if (p%d(c)) return 1;\n    }\n",
                phase, phase, phase, piece);
}

/* rb_piece and rb_piece_of: the pieces of a clocked part one by one, and the piece of a group, so
 * that a host can run them on several threads. */
static void single_pieces(const Plan *plan, Text *out, const Pieces *all) {
    const Piece *piece = all->piece;
    const int    pieces = all->count;
    bool         clocked = plan->st->base > 0;
    text_add(out,
             "int rb_piece(Rb *c, int piece) {\n    (void)c;\n    switch (piece) {\n");
    for (int p = 0; clocked && p < pieces; p++) {
        text_printf(out, "    case %d:\n", p);
        call_text(out, p, piece[p].phase);
        text_add(out, "        return c->failed;\n");
    }
    text_add(out, "    default: return 1;\n    }\n}\n\n"
                  "int rb_piece_of(int group) {\n");
    if (clocked && plan->groups) text_add(out, "    static const int of[] = {");
    for (int g = 0; clocked && g < plan->groups; g++)
        text_printf(out, "%s%d", !g ? "" : g % 16 ? ", " : ",\n        ", all->of[g]);
    text_add(out, clocked && plan->groups ? "};\n    return of[group];\n}\n\n"
                                          : "    (void)group;\n    return -1;\n}\n\n");
}

/* rb_inside: the pieces of one phase alone, for solvers that look inside a step. */
static void repeated_pieces(const Plan *plan, Text *out, const Pieces *all) {
    const Piece *piece = all->piece;
    const int    pieces = all->count;
    int          last = -1;
    text_add(out,
             "int rb_inside(Rb *c, int phase) {\n    (void)c;\n    switch (phase) {\n");
    for (int p = 0; p < pieces; p++)
        if (piece[p].phase > last) last = piece[p].phase;
    for (int phase = 1; plan->st->base > 0 && phase <= last; phase += 2) {
        const Clocks *c = plan->st->sys->clocks;
        if (!clock_stages(&c->sub[c->base[plan->st->base - 1].first + phase / 2]))
            continue;
        text_printf(out, "    case %d:\n", phase);
        for (int p = 0; p < pieces; p++)
            if (piece[p].phase == phase) call_text(out, p, phase);
        text_add(out, "        return c->failed;\n");
    }
    text_add(out, "    default: return 1;\n    }\n}\n\n");
}

VarKind emitter_kind(const Emitter *e, const Node *slot) {
    const Structure *st = e->plan->st;
    int              var = st->slot[st->first[e->row] + slot->index];
    return (VarKind)st->sys->run[system_run_of(st->sys, var)].kind;
}

bool emitter_parametric(Emitter *e, Term node) {
    int n = expr_walk(e->shapes, node);
    for (int i = 0; i < n; i++) {
        const Node *x = expr_node(e->shapes, e->shapes->walk[i]);
        if (x->op == TERM_CALL) return false;
        if (!emitter_is_slot(x)) continue;
        VarKind kind = emitter_kind(e, x);
        if (kind != VAR_PARAMETER && kind != VAR_CONSTANT && kind != VAR_DISCRETE &&
            kind != VAR_PRE)
            return false;
    }
    return true;
}

bool emitter_event_times(Emitter *e, Term node, EventTimes *out) {
    bool known = ctext_event_times(e->shapes, node, out);
    for (int k = 0; known && k < out->n; k++)
        known = emitter_parametric(e, out->first[k]);
    if (out->size && !emitter_parametric(e, out->size)) out->size = 0;
    return known && (!out->spacing || emitter_parametric(e, out->spacing));
}

bool emitter_ahead(Emitter *e, const Held *held, int r) {
    const Term node = held->node[r];
    EventTimes times;
    return r < held->own && (e->shapes->node[node].flags & NODE_TIME) &&
           expr_op(e->shapes, node) != TERM_SAMPLE && emitter_parametric(e, node) &&
           !emitter_event_times(e, node, &times);
}

static void statement(Emitter *e, const char *before, Term value, const char *after) {
    Text  text = {0};
    CText c = emitter_ctext(e, 12);
    ctext_value(&c, value, &text);
    emitter_check(e, &c);
    text_printf(e->out, "            %s%s%s\n", before, text_get(&text), after);
    text_free(&text);
}

/* if (guard of a relation) {: what follows is evaluated only where it can be needed. */
static void guard_text(Emitter *e, const Held *held, int r) {
    Text text = {0};
    emitter_text(e, held->guard[r], 12, false, &text);
    text_printf(e->out, "            if (%s) {\n", text_get(&text));
    text_free(&text);
}

/* z of an operator whose held value is known: is that still right? False: another operator. */
static bool inside_text(Emitter *e, const Held *held, int r, const char *where) {
    Text        before = {0}, after = {0};
    Term        argument;
    const char *inside =
        r < held->own ? ctext_inside(e->shapes, held->node[r], &argument) : NULL;
    if (!inside) return false;
    text_printf(&before, "%s%s(", where, inside);
    text_add(&after, ", c->mode[");
    emitter_mode(e, held, r, &after);
    text_add(&after, "]);");
    statement(e, text_get(&before), argument, text_get(&after));
    text_free(&before);
    text_free(&after);
    return true;
}

/* z of an algorithm section, which is run once more for it. */
static void path_text(Emitter *e, Term call, const char *where, const char *site) {
    const Node      node = e->shapes->node[call];
    const Function *f = e->shapes->function[node.index];
    Text            args = {0};
    CText           c = emitter_ctext(e, 12);
    text_add(e->out, "            c->top = 0;\n");
    ctext_arguments(&c, call, &args);
    emitter_check(e, &c);
    for (int k = 0; k < f->outputs; k++) text_add(&args, ", 0");
    text_printf(e->out,
                "            c->api->path(c, %s, f%d_places);\n            f%d(c%s);\n"
                "            %sc->api->passed(c);\n",
                site, node.index, node.index, text_get(&args), where);
    text_free(&args);
}

/* z[...] = the crossing, or -1 where its guard does not hold or where it is `known` otherwise. */
static void plain_crossing(Emitter *e, const Held *held, int r, bool known) {
    Text where = {0};
    text_add(&where, "z[");
    emitter_mode(e, held, r, &where);
    text_add(&where, "] = ");
    if (known || held->guard[r])
        text_printf(e->out, "            %s-1;\n", text_get(&where));
    if (held->guard[r]) guard_text(e, held, r);
    if (!known && !inside_text(e, held, r, text_get(&where)))
        statement(e, text_get(&where), ctext_crossing(e->shapes, held->node[r]), ";");
    if (held->guard[r]) text_add(e->out, "            }\n");
    text_free(&where);
}

static void crossing_text(Emitter *e, const Held *held, int r) {
    Term       node = held->node[r];
    EventTimes times;
    if (expr_op(e->shapes, node) != TERM_CALL) {
        plain_crossing(e, held, r,
                       emitter_event_times(e, node, &times) || emitter_ahead(e, held, r));
        return;
    }
    Text where = {0}, site = {0};
    emitter_mode(e, held, r, &site);
    text_printf(&where, "z[%s] = ", text_get(&site));
    path_text(e, node, text_get(&where), text_get(&site));
    text_free(&site);
    text_free(&where);
}

/* The crossings of time alone that have no form whose times are known; the others of time are
 * infinite, because nobody needs to look for them. */
static void ahead_text(Emitter *e, const Held *held, int r) {
    EventTimes   times;
    const TermOp op = expr_op(e->shapes, held->node[r]);
    const bool   known =
        op == TERM_CALL
              ? held->settled
              : op == TERM_SAMPLE || emitter_event_times(e, held->node[r], &times);
    if (emitter_ahead(e, held, r)) {
        plain_crossing(e, held, r, false);
    } else if (known) {
        text_add(e->out, "            z[");
        emitter_mode(e, held, r, e->out);
        text_add(e->out, "] = 1e308*10;\n");
    }
}

/* Is the relation or operator still as it was when w comes? A value that differs then. Its code is
 * that of the event itself, so that it changes at the event, too. */
static void value_text(Emitter *e, const Held *held, int r) {
    if (inside_text(e, held, r, "const double z = ")) {
        text_add(e->out, "            const double value = z > 0;\n");
        return;
    }
    statement(e, "const double value = ", held->node[r], ";");
}

/* A number of the times as a variable, 0 without a term. What its statements need is seen by it alone. */
static void time_text(Emitter *e, const char *name, Term value) {
    Text set = {0};
    text_printf(e->out, "            double %s = 0;\n            {\n", name);
    text_printf(&set, "%s = ", name);
    if (value) statement(e, text_get(&set), value, ";");
    text_add(e->out, "            }\n");
    text_free(&set);
}

/* The first of the times that changes the relation. Between two ends of rounding errors it is the
 * first number at which the relation, as it is evaluated, is another one. */
static void times_text(Emitter *e, const Held *held, int r, const EventTimes *times,
                       int which) {
    const Term  first = times->first[which], spacing = times->spacing;
    Term        argument;
    const bool  own = r < held->own;
    const char *inside = own ? ctext_inside(e->shapes, held->node[r], &argument) : NULL;
    text_add(e->out, "            {\n");
    time_text(e, "first", first);
    time_text(e, "spacing", spacing);
    time_text(e, "size", times->size);
    text_add(e->out, "            double held = ");
    if (own && !inside) {
        text_add(e->out, "c->mode[");
        emitter_mode(e, held, r, e->out);
        text_add(e->out, "]");
    } else text_add(e->out, "1");
    text_printf(
        e->out,
        ";\n            for (int k = %d; k < RB_TIMES; k++) {\n"
        "            const double at = rb_time(now, first, fabs(spacing), size, k);\n"
        "            if (k >= 0 && !(at > now && at <= rb_later(when))) continue;\n"
        "            c->time = at;\n            c->top = 0;\n",
        own ? 0 : -1);
    value_text(e, held, r);
    text_add(
        e->out,
        "            if (k < 0) held = value;\n"
        "            else if (value != held) { when = rb_sooner(when, at); break; }\n"
        "            }\n            c->time = now;\n            }\n");
}

static void next_text(Emitter *e, const Held *held, int r) {
    Term       node = held->node[r];
    EventTimes times = {0};
    const bool tick = expr_op(e->shapes, node) == TERM_SAMPLE;
    if (!tick && !emitter_event_times(e, node, &times)) return;
    if (held->guard[r]) guard_text(e, held, r);
    if (tick) {
        statement(e, "const double from = ", expr_arg(e->shapes, node, 0), ";");
        statement(e, "const double every = ", expr_arg(e->shapes, node, 1), ";");
        text_add(e->out, "            const double w = rb_tick(now, from, every);\n"
                         "            if (w > now) when = rb_sooner(when, w);\n");
    }
    for (int k = 0; k < times.n; k++) times_text(e, held, r, &times, k);
    if (held->guard[r]) text_add(e->out, "            }\n");
}

static void transport_text(Emitter *e, Term node) {
    Text  value[7] = {{0}};
    CText c = emitter_ctext(e, 12);
    text_add(e->out, "            c->top = 0;\n");
    for (uint32_t k = 0; k < 7; k++)
        ctext_value(&c, expr_arg(e->shapes, node, k), &value[k]);
    emitter_check(e, &c);
    text_printf(e->out, "            c->api->transport(c, %s", text_get(&value[6]));
    for (int k = 0; k < 4; k++) text_printf(e->out, ", %s", text_get(&value[k]));
    text_printf(e->out, ", %s->n[0], %s->d, %s->d);\n", text_get(&value[4]),
                text_get(&value[4]), text_get(&value[5]));
    for (int k = 0; k < 7; k++) text_free(&value[k]);
}

static void remember_text(Emitter *e, const Held *held, int r) {
    Term node = held->node[r];
    Text place = {0}, number = {0};
    if (expr_op(e->shapes, node) == TERM_SPATIAL) {
        transport_text(e, node);
        return;
    }
    emitter_slot(e, e->shapes->node[expr_arg(e->shapes, node, 0)].index, &place);
    statement(e, "const double time = ", expr_arg(e->shapes, node, 1), ";");
    statement(e, "const double most = ",
              expr_arg(e->shapes, node, e->shapes->node[node].n - 1), ";");
    if (r < held->own) emitter_mode(e, held, r, &number);
    else text_add(&number, "-1");
    text_printf(e->out, "            c->api->remember(c, %s, &%s - v, time, most);\n",
                text_get(&number), text_get(&place));
    text_free(&place);
    text_free(&number);
}

/* For every relation or delay of a list something to be done. */
static void relations_text(Emitter *e, const Held *list, int n, const char *head,
                           const char *tail,
                           void (*each)(Emitter *e, const Held *held, int r)) {
    text_printf(e->out, "%s%s", head, gen_head);
    for (int h = 0; h < n; h++) {
        const Held  *held = &list[h];
        const Group *group = &e->plan->group[held->group];
        if (!held->nodes) continue;
        emitter_enter(e, group, held->position, held->access);
        if (group->count > 1) emitter_loop_head(e, group, 4);
        else text_add(e->out, "    {\n");
        for (int r = 0; r < held->nodes; r++) {
            bool ticks = each == remember_text && e->plan->st->base;
            if (ticks) text_printf(e->out, "        if (c->ticks[%d]) {\n", group->phase);
            else text_add(e->out, "        {\n");
            each(e, held, r);
            text_add(e->out, "        }\n");
        }
        text_add(e->out, "    }\n");
    }
    text_add(e->out, tail);
}

/* rb_crossing: single crossings of a kernel. */
static void single_text(Emitter *e) {
    const int   n = e->plan->selective ? (int)e->plan->bodies : 0;
    Text *const out = e->out;
    text_add(out, "typedef void CrossingCode(Rb *c, int k, double *z);\n");
    for (int h = 0; h < n; h++) {
        const Held  *held = &e->holds->held[h];
        const Group *group = &e->plan->group[held->group];
        if (!held->nodes) continue;
        emitter_enter(e, group, held->position, held->access);
        text_printf(out,
                    "static void z%d(Rb *c, int k, double *z) {\n"
                    "%s    const int i = (k - %d)%%%d;\n    (void)i;\n"
                    "    switch ((k - %d)/%d) {\n",
                    h, gen_head, held->base, group->count, held->base, group->count);
        for (int r = 0; r < held->nodes; r++) {
            text_printf(out, "    case %d: {\n", r);
            crossing_text(e, held, r);
            text_add(out, "            break;\n        }\n");
        }
        text_add(out, "    }\n}\n\n");
    }
    text_add(out, "CrossingCode *rb_crossing(int place) {\n    switch (place) {\n");
    for (int h = 0; h < n; h++)
        if (e->holds->held[h].nodes) text_printf(out, "    case %d: return z%d;\n", h, h);
    text_add(out, "    default: return 0;\n    }\n}\n\n");
}

static void crossings_text(Emitter *e) {
    single_text(e);
    relations_text(e, e->holds->held, (int)e->plan->bodies,
                   "void rb_crossings(Rb *c, double *z) {\n    (void)z;\n", "}\n\n",
                   crossing_text);
    relations_text(e, e->holds->held, (int)e->plan->bodies,
                   "void rb_ahead(Rb *c, double *z) {\n    (void)z;\n", "}\n\n",
                   ahead_text);
    relations_text(e, e->holds->past, e->holds->pasts, "void rb_remember(Rb *c) {\n",
                   "}\n\n", remember_text);
    relations_text(e, e->holds->held, (int)e->plan->bodies,
                   "double rb_next(Rb *c) {\n    double when = 1e300;\n"
                   "    const double now = c->time;\n    (void)now;\n",
                   "    return when;\n}\n\n", next_text);
}

void emitter_begin(Emitter *e, const Plan *plan, Diag *diag, Text *out) {
    *e = (Emitter){.plan = plan,
                   .shapes = plan->st->sys->shapes,
                   .diag = diag,
                   .out = out,
                   .target = -1};
}

/* An event that is not looked for would be a wrong result. */
static void refuse_crowded(Emitter *e) {
    if (e->holds->crowded < 0) return;
    if (e->diag)
        diag_report(e->diag, structure_pos(e->plan->st, e->holds->crowded), CODE_G101,
                    "more than %d relations that cause events in one equation",
                    MOST_EVENTS);
    e->failed = true;
}

void emitter_open(Emitter *e, const Plan *plan, Diag *diag, Text *out) {
    emitter_begin(e, plan, diag, out);
    e->holds = plan->holds ? plan->holds : holds_make(plan, &e->arena);
    refuse_crowded(e);
}

void emitter_close(Emitter *e) {
    arena_free(&e->arena);
    mem_free(e->runs);
}

bool gen_text(const Plan *plan, Diag *diag, Text *out) {
    Emitter e;
    Text body = {0}, *const to = &body;
    Pieces all = {.piece = mem_take((size_t)plan->groups, sizeof *all.piece),
                  .of = mem_take((size_t)plan->groups, sizeof *all.of),
                  .gives = find_givers(plan)};
    emitter_open(&e, plan, diag, to);
    if (!gen_functions(e.shapes, plan, diag, to)) e.failed = true;
    for (int g = 0; g < plan->groups; g++)
        if (plan->group[g].kind == GROUP_LOOP) emitter_residual(&e, g);
    pieces_text(&e, &all);
    for (int most = PIECE_RATES; most <= PIECE_EVENTS; most++) {
        static const char *const name[] = {"rb_rates", "rb_eval", "rb_events"};
        text_printf(to, "int %s(Rb *c) {\n", name[most]);
        for (int p = 0; p < all.count; p++)
            if ((int)all.piece[p].kind <= most) call_text(to, p, all.piece[p].phase);
        text_add(to, "    return c->failed;\n}\n\n");
    }
    single_pieces(plan, to, &all);
    repeated_pieces(plan, to, &all);
    emitter_lists(&e);
    crossings_text(&e);
    if (!gen_actions(plan, diag, to)) e.failed = true;
    if (!gen_invariants(plan, diag, to)) e.failed = true;
    text_add(to, "typedef void Residual(Rb *c, int row, const double *z, double *r);\n"
                 "Residual *rb_residual(int group) {\n    switch (group) {\n");
    for (int g = 0; g < plan->groups; g++)
        if (plan->group[g].kind == GROUP_LOOP)
            text_printf(to, "    case %d: return r%d;\n", g, g);
    text_add(to, "    default: return 0;\n    }\n}\n");
    gen_begin(&(Text){0}, &body, out);
    text_bytes(out, body.data, body.length);
    text_free(&body);
    MEM_FREE(all.piece, all.of, all.gives);
    emitter_close(&e);
    return !e.failed;
}
