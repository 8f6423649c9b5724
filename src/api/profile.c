/* SPDX-License-Identifier: Apache-2.0 */
/* profile.c -- who limits the steps, and which equations cost most.
 *
 * While the simulation runs, every accepted step is counted for the state with the largest share of
 * its error. After it, the time of each group of equations (live/profile.c) is given to the source
 * lines of its rows and to the components of what they compute, with all that these are parts of.
 * Components are read off names: they serve for reading only.
 *
 * Cost: that of a trace while it runs; then linear in the rows, with one name a row. */
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

enum { LISTED = 20 };

typedef struct Share { /* of a line or a component */
    double seconds, rows;
    int    item; /* of a line its first equation, of a component its name, a Str */
} Share;

typedef struct Shares {
    Share *share;
    int    count, room;
    Map    number; /* of what a share belongs to */
} Shares;

typedef struct Costs {
    Arena   arena;
    Shares  line, component;
    Strings names;    /* of components */
    double  seconds;  /* of all */
    double  unknown;  /* rows whose time is not known */
    bool    measured; /* there is code of single groups */
} Costs;

/* ---- while it runs ---- */

bool profile_begin(RbSimulation *s) {
    const size_t n = (size_t)s->program->program->states.count;
    mem_free(s->limits);
    s->limits = mem_take(n + 1, sizeof *s->limits);
    return s->limits && instance_begin_profile(&s->instance);
}

void profile_step(void *owner, const RateTrace *step) {
    RbSimulation *s = owner;
    if (s->limits && step->worst >= 0) s->limits[step->worst]++;
    if (s->listener.trace) trace_step(owner, step);
}

/* ---- costs ---- */

static bool add_share(Costs *c, Shares *to, uint64_t key, double seconds, double rows,
                      int item) {
    int64_t k = map_get(&to->number, key, -1);
    if (k < 0) {
        Share *more =
            arena_grow(&c->arena, to->share, sizeof *more, &to->room, to->count + 1);
        if (!more || !map_put(&to->number, key, to->count)) return false;
        to->share = more;
        k = to->count++;
        to->share[k] = (Share){.item = item};
    }
    to->share[k].seconds += seconds;
    to->share[k].rows += rows;
    return true;
}

/* A row costs its component and all that this is a part of: "a", "a.b[2]" of "a.b[2].c". */
static bool add_components(Costs *c, const char *name, double seconds, double rows) {
    int  depth = 0;
    bool fine = true, inside = false;
    while (strncmp(name, "der(", 4) == 0) name += 4;
    for (size_t i = 0; name[i] && fine; i++) {
        depth += (name[i] == '[') - (name[i] == ']');
        if (name[i] != '.' || depth) continue;
        Str of = str_intern(&c->names, name, i);
        inside = true;
        fine = add_share(c, &c->component, of, seconds, rows, (int)of);
    }
    return fine && (inside || add_share(c, &c->component, 0, seconds, rows, 0));
}

static bool add_row(Costs *c, const Program *p, const Part *part, int item,
                    double seconds, double rows) {
    Text name = {0};
    program_name(p, part->unknown[item], &name);
    bool fine = !name.failed && add_components(c, text_get(&name), seconds, rows) &&
                add_share(c, &c->line, part->pos[item], seconds, rows, item);
    text_free(&name);
    c->seconds += seconds;
    return fine;
}

/* The seconds of a row belong to its kernels by the number of their operands; in a chain each kernel
 * is a row. times: by row of the group. */
static bool add_group(Costs *c, const Program *p, const Part *part, int g,
                      const double *times, double seconds) {
    const Group *group = &part->group[g];
    const bool   chain = group->kind == GROUP_CHAIN;
    const int    size = group->size;
    double       slots = 0;
    bool         fine = true;
    for (int k = 0; k < size; k++)
        slots += 1 + part->formula[part->body[group->body + k]].slots;
    for (int i = 0; i < group->count && fine; i++)
        for (int k = 0; k < size && fine; k++) {
            const double own = 1 + part->formula[part->body[group->body + k]].slots;
            const double often = times[chain ? i * size + k : i];
            const double all = seconds * often * (chain ? size : 1);
            if (seconds < 0) c->unknown += often;
            else
                fine = add_row(c, p, part, group->item + i * size + k, all * own / slots,
                               often);
        }
    return fine;
}

static bool find_costs(RbSimulation *s, Costs *c) {
    const Program *p = s->program->program;
    const Part    *part = &p->part[PART_RUN];
    const size_t   n = (size_t)part->items + 1;
    double        *times = mem_take(n + (size_t)part->groups, sizeof *times);
    double        *seconds = times + n;
    bool           fine = times != NULL;
    strings_init(&c->names);
    if (fine && !p->batches.count)
        c->measured =
            instance_profile(&s->instance, s->now, s->x, wall_time, times, seconds);
    for (int g = 0; g < part->groups && fine && c->measured; g++)
        fine = add_group(c, p, part, g, times + part->group[g].item, seconds[g]);
    mem_free(times);
    return fine;
}

static void costs_free(Costs *c) {
    map_free(&c->line.number);
    map_free(&c->component.number);
    strings_free(&c->names);
    arena_free(&c->arena);
}

/* ---- as JSON, and in words ---- */

typedef struct Told {
    const RbSimulation *simulation;
    Text               *json, *words;
} Told;

static int dearest_first(const void *a, const void *b) {
    const Share *p = a, *q = b;
    return p->seconds < q->seconds ? 1 : p->seconds > q->seconds ? -1 : p->item - q->item;
}

static void put_place(const Told *to, Pos pos) {
    const Place place = source_place(&to->simulation->sources, pos);
    if (!place.source || !place.line) return;
    const char *slash = strrchr(place.source->path, '/');
    text_add(to->json, ",\"file\":");
    text_json(to->json, place.source->path, strlen(place.source->path));
    text_printf(to->json, ",\"line\":%d", place.line);
    text_printf(to->words, "  %s:%d", slash ? slash + 1 : place.source->path, place.line);
}

/* An object begins: its member `what`, and the share before it in words. */
static void put_first(const Told *to, bool first, double share, const char *what,
                      const char *text, size_t length) {
    text_printf(to->json, "%s{\"%s\":", first ? "" : ",", what);
    text_json(to->json, text, length);
    text_printf(to->words, "  %5.1f %%  %.*s", 100 * share, (int)length, text);
}

static void put_share(const Told *to, const Share *share, double all) {
    text_printf(to->json, ",\"evaluated\":%.0f,\"seconds\":%.4g,\"share\":%.4g}",
                share->rows, share->seconds, all > 0 ? share->seconds / all : 0);
    text_char(to->words, '\n');
}

static void put_lines(const Told *to, const Costs *c) {
    const Program *p = to->simulation->program->program;
    const Part    *part = &p->part[PART_RUN];
    Text           equation = {0};
    if (c->line.count)
        qsort(c->line.share, (size_t)c->line.count, sizeof(Share), dearest_first);
    text_add(to->json, ",\"lines\":[");
    text_add(to->words, "by equation:\n");
    for (int k = 0; k < c->line.count && k < LISTED; k++) {
        const Share *share = &c->line.share[k];
        Equation     e = program_equation(p, part, share->item);
        text_clear(&equation);
        equation_print(&e, 0, &equation);
        put_first(to, !k, share->seconds / c->seconds, "equation", text_get(&equation),
                  equation.length);
        put_place(to, part->pos[share->item]);
        put_share(to, share, c->seconds);
    }
    text_add(to->json, "]");
    text_free(&equation);
}

static void put_components(const Told *to, const Costs *c) {
    if (c->component.count)
        qsort(c->component.share, (size_t)c->component.count, sizeof(Share),
              dearest_first);
    text_add(to->json, ",\"components\":[");
    text_add(to->words, "by component, with its parts:\n");
    for (int k = 0; k < c->component.count && k < LISTED; k++) {
        const Share *share = &c->component.share[k];
        const char  *name = str_text(&c->names, (Str)share->item);
        put_first(to, !k, share->seconds / c->seconds, "component", name, strlen(name));
        if (!*name) text_add(to->words, "(the model itself)");
        put_share(to, share, c->seconds);
    }
    text_add(to->json, "]");
}

/* The state that limits most steps of those that limit fewer than `last`, or as many and come after
 * `after`; -1: there is none. */
static int next_limit(const RbSimulation *s, long last, int after) {
    int next = -1;
    for (int i = 0; i < s->program->program->states.count; i++) {
        const long own = s->limits[i];
        if (!own || own > last || (own == last && i <= after)) continue;
        if (next < 0 || own > s->limits[next]) next = i;
    }
    return next;
}

static void put_limits(const Told *to) {
    const RbSimulation *s = to->simulation;
    const Program      *p = s->program->program;
    Text                name = {0};
    double              all = 0;
    for (int i = 0; i < p->states.count; i++) all += (double)s->limits[i];
    text_add(to->json, "\"limits\":[");
    text_printf(to->words, "Who limits the steps, of %.0f accepted:\n", all);
    for (int k = 0, at = next_limit(s, INT64_MAX, -1); k < LISTED && at >= 0; k++) {
        text_clear(&name);
        program_name(p, p->states.var[at], &name);
        put_first(to, !k, (double)s->limits[at] / all, "state", text_get(&name),
                  name.length);
        text_printf(to->json, ",\"steps\":%ld", s->limits[at]);
        put_place(to, program_declared(p, p->states.var[at]));
        text_add(to->json, "}");
        text_char(to->words, '\n');
        at = next_limit(s, s->limits[at], at);
    }
    text_add(to->json, "]");
    text_free(&name);
}

void profile_take(RbSimulation *s) {
    const Told to = {s, &s->profile, &s->profile_words};
    Costs      costs = {0};
    text_add(to.json, ",\"profile\":{");
    put_limits(&to);
    if (find_costs(s, &costs) && costs.measured && costs.seconds > 0) {
        text_printf(to.json, ",\"seconds\":%.4g,\"unknown\":%.0f", costs.seconds,
                    costs.unknown);
        text_printf(to.words, "What equations cost, %.3g s of %.3g s:\n", costs.seconds,
                    s->wall_ended - s->wall_begun);
        put_components(&to, &costs);
        put_lines(&to, &costs);
    }
    text_add(to.json, "}");
    costs_free(&costs);
}

const char *rb_profile(RbSimulation *s) {
    if (s->limits && s->ended && !s->profile.length) profile_take(s);
    return text_get(&s->profile_words);
}
