/* SPDX-License-Identifier: Apache-2.0 */
/* structure.c -- the blocks of a model in the order of computation, as JSON for a picture.
 *
 * {"states":n,"blocks":n,"unknowns":n,"loops":[[block,size,torn,"linear"],...], ...}. Up to DETAILED
 * blocks each has its size, the name of its first unknown, the states it reads and the blocks it uses;
 * of more there is a picture of CELLS x CELLS cells: the numbers row * CELLS + column of those that are
 * not empty, where columns are states first, then unknowns, and rows are unknowns. Clocked partitions
 * and infinitely fast states follow.
 *
 * Cost: linear in the entries of the graph. */
#include "api/api.h"

#include <string.h>

enum { DETAILED = 1500, CELLS = 300, LOOPS = 500 };

typedef struct Order { /* of blocks */
    int *at;           /* by rank: the block */
    int *first;        /* by block: its first unknown in the order of computation */
    int  unknowns;
} Order;

static const char *kind_of(const Part *part, int group) {
    static const char *const name[] = {
        [BLOCK_EXPLICIT] = "explicit",   [BLOCK_LINEAR] = "linear",
        [BLOCK_NONLINEAR] = "nonlinear", [BLOCK_MIXED] = "mixed",
        [BLOCK_CALL] = "call",           [BLOCK_FAST] = "fast"};
    return name[part->group[group].block];
}

static bool order_open(Order *o, const BlockGraph *g) {
    o->at = mem_take((size_t)g->blocks + 1, sizeof(int));
    o->first = mem_take((size_t)g->blocks + 1, sizeof(int));
    if (!o->at || !o->first) return false;
    for (int b = 0; b < g->blocks; b++) o->at[g->rank[b]] = b;
    for (int k = 0; k < g->blocks; k++) {
        const int b = o->at[k];
        o->first[b] = o->unknowns;
        o->unknowns += g->first[b + 1] - g->first[b];
    }
    return true;
}

static void put_loops(Text *out, const BlockGraph *g, const Part *part, const Order *o) {
    int told = 0;
    text_add(out, ",\"loops\":[");
    for (int k = 0; k < g->blocks && told < LOOPS; k++) {
        const int    b = o->at[k];
        const Group *group = &part->group[g->group[b]];
        if (group->kind != GROUP_LOOP) continue;
        text_printf(out, "%s[%d,%d,%d,\"%s\"]", told++ ? "," : "", k,
                    g->first[b + 1] - g->first[b], group->torn,
                    kind_of(part, g->group[b]));
    }
    text_add(out, "]");
}

static void put_name(Text *out, const Program *p, int var) {
    Text name = {0};
    program_name(p, var, &name);
    text_json(out, text_get(&name), name.length);
    text_free(&name);
}

static void put_blocks(Text *out, const Program *p, const Order *o) {
    const BlockGraph *g = &p->graph;
    text_add(out, ",\"block\":[");
    for (int k = 0; k < g->blocks; k++) {
        const int b = o->at[k];
        text_printf(out, "%s{\"size\":%d,\"name\":", k ? "," : "",
                    g->first[b + 1] - g->first[b]);
        if (g->first[b + 1] > g->first[b]) put_name(out, p, g->unknown[g->first[b]]);
        else text_add(out, "\"\"");
        text_add(out, ",\"uses\":[");
        for (int e = g->uses.start[b]; e < g->uses.start[b + 1]; e++)
            text_printf(out, "%s%d", e > g->uses.start[b] ? "," : "",
                        g->rank[g->uses.to[e]]);
        text_add(out, "],\"reads\":[");
        for (int e = g->states.start[b]; e < g->states.start[b + 1]; e++)
            text_printf(out, "%s%d", e > g->states.start[b] ? "," : "", g->states.to[e]);
        text_add(out, "]}");
    }
    text_add(out, "]");
}

static void fill(unsigned char *cell, int rows, int columns, int row, int column) {
    const int64_t r = (int64_t)row * CELLS / rows, c = (int64_t)column * CELLS / columns;
    cell[r * CELLS + c] = 1;
}

static void put_cells(Text *out, const Program *p, const Order *o) {
    const BlockGraph *g = &p->graph;
    const int         nx = p->states.count, columns = nx + o->unknowns;
    unsigned char    *cell = mem_take((size_t)CELLS * CELLS, 1);
    int               told = 0;
    out->failed |= !cell;
    for (int b = 0; b < g->blocks && cell; b++)
        for (int u = 0; u < g->first[b + 1] - g->first[b]; u++) {
            const int row = o->first[b] + u;
            fill(cell, o->unknowns, columns, row, nx + row);
            for (int e = g->uses.start[b]; e < g->uses.start[b + 1]; e++)
                fill(cell, o->unknowns, columns, row, nx + o->first[g->uses.to[e]]);
            for (int e = g->states.start[b]; e < g->states.start[b + 1]; e++)
                fill(cell, o->unknowns, columns, row, g->states.to[e]);
        }
    text_printf(out, ",\"cells\":%d,\"cell\":[", CELLS);
    for (int k = 0; k < CELLS * CELLS && cell; k++)
        if (cell[k]) text_printf(out, "%s%d", told++ ? "," : "", k);
    text_add(out, "]");
    mem_free(cell);
}

/* Seconds between two ticks; 0: that is not known in advance. */
static double interval_of(const BaseClock *base) {
    const double ratio = (double)base->count / (double)base->resolution;
    return base->kind == BASE_RATIONAL ? ratio
           : base->kind == BASE_REAL   ? base->period * ratio
                                       : 0;
}

static void put_partitions(Text *out, const RbSimulation *s) {
    static const char *const kind[] = {"periodic", "periodic", "varies", "event"};
    const ClockTable        *clocks = &s->program->program->clocks;
    text_add(out, ",\"partitions\":[");
    for (int k = 0; k < clocks->subs; k++) {
        const SubClock  *sub = &clocks->sub[k];
        const BaseClock *base = &clocks->base[sub->base];
        const double     interval = interval_of(base);
        const Place      place = source_place(&s->sources, (Pos)sub->pos);
        int              states = 0;
        for (int i = 0; i < clocks->states; i++) states += clocks->state[i].sub == k;
        text_printf(out, "%s{\"base\":%d,\"kind\":\"%s\"", k ? "," : "", sub->base + 1,
                    kind[base->kind]);
        text_printf(out, ",\"interval\":%.9g,\"offset\":%.9g",
                    interval * (double)sub->every, interval * (double)sub->offset);
        text_printf(out, ",\"method\":\"%s\",\"states\":%d",
                    sub->discretised ? solver_method_name[sub->method] : "", states);
        if (place.source && place.line) {
            text_add(out, ",\"file\":");
            text_json(out, place.source->path, strlen(place.source->path));
            text_printf(out, ",\"line\":%d", place.line);
        }
        text_add(out, "}");
    }
    text_add(out, "]");
}

/* Infinitely fast states: [name, power of THETA]. */
static void put_fast(Text *out, const Program *p) {
    text_add(out, ",\"fast\":[");
    for (int k = 0; k < p->fast.count && k < LOOPS; k++) {
        text_add(out, k ? ",[" : "[");
        put_name(out, p, p->fast.state[k]);
        text_printf(out, ",%d]", p->fast.level[k]);
    }
    text_add(out, "]");
}

const char *rb_structure(RbSimulation *s) {
    const Program    *p = s->program->program;
    const BlockGraph *g = &p->graph;
    Order             o = {0};
    Text             *out = &s->words;
    text_clear(out);
    if (order_open(&o, g) && g->uses.rows >= 0 && g->states.rows >= 0) {
        text_printf(out, "{\"states\":%d,\"blocks\":%d,\"unknowns\":%d", p->states.count,
                    g->blocks, o.unknowns);
        put_loops(out, g, &p->part[PART_RUN], &o);
        if (g->blocks <= DETAILED) put_blocks(out, p, &o);
        else put_cells(out, p, &o);
        put_partitions(out, s);
        put_fast(out, p);
        text_add(out, "}\n");
    }
    mem_free(o.at);
    mem_free(o.first);
    return text_get(out);
}
