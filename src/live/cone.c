/* SPDX-License-Identifier: Apache-2.0 */
/* cone.c -- parts of a model: which rows of the code some derivatives need, as cached lists.
 *
 * Nodes are the continuous blocks in the order of computation; what a node needs stands before it.
 * The cone of a set of derivatives is found by a search that visits nothing
 * else (Hannebohm, Bachmann 2025, Algorithm 1, without the sweep over the whole model) and kept
 * as lists of rows by group, in a cache by content with least recent use.
 *
 * A cone is evaluated in two parts. What depends on none of the states that belong to the wanted
 * derivatives (slow neighbours, time, parameters) is evaluated only if one of these inputs has
 * changed since the last evaluation of the same cone: an implicit stage iterates over the rest
 * alone. Cost of an evaluation: its rows and O(states that the cone reads). */
#include "live/live.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST = 64,  /* cones kept, however large; more as long as ...      */
    MOST = 4096, /* ... they are not as many ...                        */
    LISTS = 32,  /* ... and their lists not as long, in nodes of the model */
    SLOTS = 2048
};

typedef struct Cone Cone;
struct Cone {
    uint64_t hash;
    Cone    *next;          /* in the same slot */
    Cone    *newer, *older; /* by last use */
    int      nodes;
    int *want; /* states whose derivatives are wanted, states + crossing, or states + all
                       crossings + variable */
    int  wants;
    int *input;            /* states that are read: those among want, then the others */
    int  own, inputs;      /* own <= inputs */
    int *item;             /* rows, run by run */
    RowRun   *run;         /* what none of the own states moves, then the rest */
    int       still, runs; /* still <= runs */
    long      still_rows, rows; /* scalar equations */
    int      *given, givens;    /* unknowns of the moving rows; NULL until wanted */
    Colouring colouring;        /* for directions, see jacobian.c */
};

struct Cones {
    const ConeGraph *g;
    int              states;
    int             *want;              /* work: numbers of crossings */
    int             *mark, *state_mark; /* stamps; of a state in its own cone negative */
    int             *list, *moves;      /* work */
    int              stamp;
    Cone            *slot[SLOTS]; /* by hash */
    Cone            *newest, *oldest;
    int              cones;
    long             listed; /* nodes of all of them */
    double          *tally;  /* see cones_tally; NULL: nobody asked */
    Cone            *last;   /* evaluated last, NULL if something else was */
    double           last_time;
};

/* ---- nodes ---- */

/* Numbers the nodes; node_of: by block, -1 if it is evaluated at events only. */
static void number_nodes(ConeGraph *g, const Program *p) {
    const BlockGraph *b = &p->graph;
    int              *by_rank = g->need; /* work: room for all blocks */
    for (int k = 0; k < b->blocks; k++) by_rank[b->rank[k]] = k;
    for (int k = 0; k < b->blocks; k++) {
        int block = by_rank[k];
        g->node_of[block] = b->discrete[block] ? -1 : g->nodes;
        if (b->discrete[block]) continue;
        g->group[g->nodes] = b->group[block];
        g->item[g->nodes] = b->row[block];
        g->rows[g->nodes++] = b->first[block + 1] - b->first[block];
    }
}

/* By node the entries of a table by block; nodes: entries are blocks, too. */
static void take_rows(const ConeGraph *g, const Program *p, const Lists *from, bool nodes,
                      int *start, int *to) {
    int n = 0;
    for (int k = 0; k <= g->nodes; k++) start[k] = 0;
    for (int b = 0; b < p->graph.blocks; b++)
        if (g->node_of[b] >= 0) start[g->node_of[b]] = b;
    for (int k = 0; k < g->nodes; k++) {
        int b = start[k];
        start[k] = n;
        for (int e = from->start[b]; e < from->start[b + 1]; e++) {
            int entry = nodes ? g->node_of[from->to[e]] : from->to[e];
            if (entry >= 0) to[n++] = entry;
        }
    }
    start[g->nodes] = n;
}

ConeGraph *cone_graph_new(const Program *p) {
    const BlockGraph *b = &p->graph;
    size_t            blocks = (size_t)b->blocks;
    size_t            uses = (size_t)b->needs.entries, reads = (size_t)b->states.entries;
    ConeGraph        *g = mem_take(1, sizeof *g);
    if (!g) return NULL;
    g->node_of = mem_take(blocks, sizeof(int));
    g->group = mem_take(blocks, sizeof(int));
    g->item = mem_take(blocks, sizeof(int));
    g->rows = mem_take(blocks, sizeof(int));
    g->need_start = mem_take(blocks, sizeof(int));
    g->need = mem_take(uses > blocks ? uses : blocks, sizeof(int));
    g->read_start = mem_take(blocks, sizeof(int));
    g->read = mem_take(reads, sizeof(int));
    g->rate = mem_take((size_t)p->states.count, sizeof(int));
    bool fine = g->node_of && g->group && g->item && g->rows && g->need_start &&
                g->need && g->read_start && g->read && g->rate;
    if (!fine) {
        cone_graph_free(g);
        return NULL;
    }
    number_nodes(g, p);
    take_rows(g, p, &b->needs, true, g->need_start, g->need);
    take_rows(g, p, &b->states, false, g->read_start, g->read);
    for (int i = 0; i < p->states.count; i++) {
        int giver = b->giver[p->states.rate[i]];
        g->rate[i] = giver >= 0 ? g->node_of[giver] : -1;
    }
    return g;
}

void cone_graph_free(ConeGraph *g) {
    if (!g) return;
    mem_free(g->node_of), mem_free(g->group), mem_free(g->item), mem_free(g->rows);
    mem_free(g->need_start), mem_free(g->need), mem_free(g->read_start);
    mem_free(g->read), mem_free(g->rate);
    mem_free(g);
}

Cones *cones_new(const Instance *instance) {
    const Program *p = instance->program;
    size_t         states = (size_t)p->states.count;
    Cones         *c = mem_take(1, sizeof *c);
    if (!c) return NULL;
    c->g = instance->common->cones;
    c->states = p->states.count;
    c->want = mem_take((size_t)p->part[PART_RUN].relations, sizeof(int));
    c->mark = mem_take((size_t)c->g->nodes, sizeof(int));
    c->moves = mem_take((size_t)c->g->nodes, sizeof(int));
    c->list = mem_take((size_t)c->g->nodes + states, sizeof(int));
    c->state_mark = mem_take(states, sizeof(int));
    if (c->want && c->mark && c->moves && c->list && c->state_mark) return c;
    cones_free(c);
    return NULL;
}

static void cone_free(Cone *cone) {
    if (!cone) return;
    colouring_free(&cone->colouring);
    MEM_FREE(cone->want, cone->input, cone->item, cone->run, cone->given, cone);
}

void cones_free(Cones *c) {
    if (!c) return;
    for (Cone *cone = c->oldest, *newer; cone; cone = newer)
        newer = cone->newer, cone_free(cone);
    mem_free(c->mark), mem_free(c->moves), mem_free(c->list), mem_free(c->state_mark);
    mem_free(c->want), mem_free(c->tally);
    mem_free(c);
}

bool cones_begin_tally(Cones *c, const Part *part) {
    mem_free(c->tally);
    c->tally = mem_take((size_t)part->items + 1, sizeof(double));
    return c->tally != NULL;
}

double *cones_tally(Cones *c) {
    return c ? c->tally : NULL;
}

static void count_rows(Cones *c, const Part *part, const Cone *cone, const RowRun *run) {
    double *of = c->tally + part->group[run->group].item;
    for (int i = 0; i < run->count; i++) of[cone->item[run->first + i]]++;
}

void cones_forget(Cones *c) {
    if (c) c->last = NULL;
}

/* ---- making a cone ---- */

static void visit(Cones *c, int node, int *count) {
    if (node < 0 || c->mark[node] == c->stamp) return;
    c->mark[node] = c->stamp;
    c->list[(*count)++] = node;
}

/* The variables that a crossing reads, or the one that is wanted: *n of them. */
static const int *wanted_vars(const Cones *c, const Program *p, int want, int *var,
                              int *n) {
    const Lists *r = &p->graph.crossing;
    int          crossing = want - c->states, all = p->part[PART_RUN].relations;
    *var = crossing - all;
    *n = crossing < all ? r->start[crossing + 1] - r->start[crossing] : 1;
    return crossing < all ? r->to + r->start[crossing] : var;
}

/* What of it are states becomes inputs, nodes that give the rest are visited. */
static void wanted_reads(Cones *c, const Program *p, int want,
                         void (*state)(Cones *c, Cone *cone, int state, bool own),
                         Cone *cone, int *count) {
    const BlockGraph *g = &p->graph;
    int               own, n;
    const int        *var = wanted_vars(c, p, want, &own, &n);
    for (int e = 0; e < n; e++) {
        int number = program_state(p, var[e]), giver = g->giver[var[e]];
        if (state && number >= 0) state(c, cone, number, false);
        if (count && giver >= 0) visit(c, c->g->node_of[giver], count);
    }
}

/* Nodes that are needed for what is wanted, ascending, into c->list. */
static int collect(Cones *c, const Program *p, const int *want, int wants) {
    int count = 0;
    c->stamp++;
    for (int i = 0; i < wants; i++)
        if (want[i] < c->states) visit(c, c->g->rate[want[i]], &count);
        else wanted_reads(c, p, want[i], NULL, NULL, &count);
    for (int k = 0; k < count; k++) /* grows while it runs */
        for (int e = c->g->need_start[c->list[k]]; e < c->g->need_start[c->list[k] + 1];
             e++)
            visit(c, c->g->need[e], &count);
    qsort(c->list, (size_t)count, sizeof(int), int_ascending);
    return count;
}

static void add_input(Cones *c, Cone *cone, int state, bool own) {
    if (abs(c->state_mark[state]) == c->stamp) return;
    c->state_mark[state] = own ? -c->stamp : c->stamp;
    cone->input[cone->inputs++] = state;
    cone->own += own;
}

/* The nodes of the list that are moved, or those that are not, as runs. */
static void add_runs(const Cones *c, Cone *cone, int count, int moved, int *items) {
    for (int k = 0; k < count; k++) {
        int node = c->list[k];
        if (c->moves[node] != moved) continue;
        RowRun *run = cone->runs ? &cone->run[cone->runs - 1] : NULL;
        if (cone->runs == (moved ? cone->still : 0) || run->group != c->g->group[node]) {
            run = &cone->run[cone->runs++];
            *run = (RowRun){c->g->group[node], *items, 0};
        }
        run->count++;
        cone->item[(*items)++] = c->g->item[node];
        cone->rows += c->g->rows[node];
    }
}

/* Its lists; false: no memory. */
static bool take_lists(const Cones *c, const Program *p, Cone *cone, const int *want,
                       int wants, int count) {
    size_t reads = 2 * (size_t)wants;
    int    own, n;
    for (int k = 0; k < count; k++)
        reads +=
            (size_t)(c->g->read_start[c->list[k] + 1] - c->g->read_start[c->list[k]]);
    for (int i = 0; i < wants; i++)
        if (want[i] >= c->states) {
            wanted_vars(c, p, want[i], &own, &n);
            reads += (size_t)n;
        }
    cone->want = mem_take((size_t)wants, sizeof(int));
    cone->input = mem_take(reads, sizeof(int));
    cone->item = mem_take((size_t)count, sizeof(int));
    cone->run = mem_take((size_t)count, sizeof *cone->run);
    return cone->want && cone->input && cone->item && cone->run;
}

/* NULL: no memory. */
static Cone *make(Cones *c, const Instance *instance, const int *want, int wants) {
    const Program *p = instance->program;
    Cone          *cone = mem_take(1, sizeof *cone);
    int            count = collect(c, p, want, wants), items = 0;
    if (!cone || !take_lists(c, p, cone, want, wants, count)) {
        cone_free(cone);
        return NULL;
    }
    memcpy(cone->want, want, (size_t)wants * sizeof(int));
    cone->wants = wants;
    for (int i = 0; i < wants; i++)
        if (want[i] < c->states) add_input(c, cone, want[i], true);
    for (int k = 0; k < count; k++) {
        int node = c->list[k], moved = 0;
        for (int e = c->g->read_start[node]; e < c->g->read_start[node + 1]; e++) {
            add_input(c, cone, c->g->read[e], false);
            moved |= c->state_mark[c->g->read[e]] == -c->stamp;
        }
        for (int e = c->g->need_start[node]; e < c->g->need_start[node + 1]; e++)
            moved |= c->moves[c->g->need[e]];
        c->moves[node] = moved;
    }
    for (int i = 0; i < wants; i++) {
        if (want[i] >= c->states) {
            wanted_reads(c, p, want[i], add_input, cone, NULL);
            continue;
        }
        int state = program_state(p, p->states.rate[want[i]]);
        if (state >= 0) /* a derivative that is itself a state */
            add_input(c, cone, state, false);
    }
    cone->nodes = count;
    add_runs(c, cone, count, 0, &items);
    cone->still = cone->runs;
    cone->still_rows = cone->rows;
    add_runs(c, cone, count, 1, &items);
    return cone;
}

static bool is_for(const Cone *cone, const int *want, int wants) {
    return cone->wants == wants &&
           memcmp(cone->want, want, (size_t)wants * sizeof(int)) == 0;
}

static void unlink_use(Cones *c, Cone *cone) {
    *(cone->newer ? &cone->newer->older : &c->newest) = cone->older;
    *(cone->older ? &cone->older->newer : &c->oldest) = cone->newer;
}
static void link_use(Cones *c, Cone *cone) {
    cone->older = c->newest;
    cone->newer = NULL;
    *(c->newest ? &c->newest->newer : &c->oldest) = cone;
    c->newest = cone;
}

static void drop_oldest(Cones *c) {
    Cone  *cone = c->oldest;
    Cone **at = &c->slot[cone->hash % SLOTS];
    while (*at != cone) at = &(*at)->next;
    *at = cone->next;
    unlink_use(c, cone);
    c->cones--;
    c->listed -= cone->nodes;
    if (c->last == cone) c->last = NULL;
    cone_free(cone);
}

static Cone *find(Cones *c, const Instance *instance, const int *want, int wants) {
    uint64_t hash = hash_bytes(want, (size_t)wants * sizeof(int));
    Cone   **slot = &c->slot[hash % SLOTS], *cone = *slot;
    while (cone && !(cone->hash == hash && is_for(cone, want, wants))) cone = cone->next;
    if (cone) {
        unlink_use(c, cone);
        link_use(c, cone);
        return cone;
    }
    while (c->cones >= LEAST &&
           (c->cones >= MOST || c->listed > LISTS * (long)c->g->nodes))
        drop_oldest(c);
    cone = make(c, instance, want, wants);
    if (!cone) return NULL;
    cone->hash = hash;
    cone->next = *slot;
    *slot = cone;
    link_use(c, cone);
    c->cones++;
    c->listed += cone->nodes;
    return cone;
}

/* ---- evaluation ---- */

/* Brings the cone of what is wanted up to date; not 0: failed. */
static int bring(Instance *instance, double t, const double *x, const int *want,
                 int wants) {
    Cones  *c = instance->cones;
    double *v = instance->v;
    Cone   *cone = c->last && is_for(c->last, want, wants) ? c->last
                                                           : find(c, instance, want, wants);
    if (!cone) {
        instance->lacking = true;
        return 1;
    }
    const int *var = instance->program->states.var;
    bool       same = c->last == cone && t >= c->last_time && t <= c->last_time;
    for (int i = 0; i < cone->own; i++) v[var[cone->input[i]]] = x[cone->input[i]];
    for (int i = cone->own; i < cone->inputs; i++) {
        double *to = &v[var[cone->input[i]]], now = x[cone->input[i]];
        same = same && *to >= now && *to <= now;
        *to = now;
    }
    c->last = NULL;
    instance->complete = false;
    Running *r = &instance->run;
    Moment   at = moment_at(t);
    at.piece = true;
    running_at(r, at);
    r->rb.x = x;
    r->rb.dx = instance->dx;
    for (int k = same ? cone->still : 0; k < cone->runs; k++) {
        const RowRun *part = &cone->run[k];
        if (c->tally) count_rows(c, r->part, cone, part);
        if (r->image->rows(part->group)(&r->rb, cone->item + part->first, part->count))
            return 1;
    }
    instance->counts.rows += cone->rows - (same ? cone->still_rows : 0);
    c->last = cone;
    c->last_time = t;
    return 0;
}

int cones_eval(Instance *instance, double t, const double *x, const int *rate, int rates,
               double *dx) {
    if (bring(instance, t, x, rate, rates)) return 1;
    for (int i = 0; i < rates; i++) dx[rate[i]] = instance_rate(instance, rate[i], x);
    return 0;
}

int cones_crossings(Instance *instance, double t, const double *x, const Selection *which,
                    double *z) {
    Cones   *c = instance->cones;
    Running *r = &instance->run;
    int      n = selection_count(which, r->part->relations);
    for (int k = 0; k < n; k++) c->want[k] = c->states + selection_row(which, k);
    if (bring(instance, t, x, c->want, n)) return 1;
    for (int k = 0; k < n; k++) {
        int crossing = selection_row(which, k);
        r->image->crossing(instance->program->graph.place[crossing])(&r->rb, crossing, z);
    }
    return r->rb.failed;
}

int cones_values(Instance *instance, double t, const double *x, int *var, int n) {
    const Common *common = instance->common;
    const States *states = &instance->program->states;
    int           first = instance->cones->states + instance->run.part->relations;
    cones_forget(instance->cones);
    for (int k = 0; k < n; k++) var[k] += first;
    int failed = bring(instance, t, x, var, n);
    for (int k = 0; k < n; k++) {
        var[k] -= first;
        for (int i = 0; i < states->count; i++)
            if (states->rate[i] == var[k] && common->rate_home[i] == HOME_RATES)
                instance->v[var[k]] = instance->dx[common->rate_at[i]];
    }
    cones_forget(instance->cones);
    return failed;
}

/* ---- directions ---- */

/* False: no memory. */
static bool find_given(Cone *cone, const Program *p, int first) {
    const BlockGraph *g = &p->graph;
    const Part       *run = &p->part[PART_RUN];
    for (int pass = 0; pass < 2; pass++) {
        cone->givens = 0;
        for (int k = first; k < cone->runs; k++) {
            const Group *group = &run->group[cone->run[k].group];
            const int   *item = cone->item + cone->run[k].first;
            int          size = group->kind == GROUP_LOOP ? group->size : 1;
            for (int i = 0; i < cone->run[k].count; i++) {
                int b = run->block[group->item + item[i] * size];
                for (int j = g->first[b]; j < g->first[b + 1]; j++, cone->givens++)
                    if (pass) cone->given[cone->givens] = g->unknown[j];
            }
        }
        if (!pass) cone->given = mem_take((size_t)cone->givens, sizeof(int));
        if (!cone->given) return false;
    }
    return true;
}

Colouring *cones_colouring(const Instance *instance) {
    return &instance->cones->last->colouring;
}

int cones_directions(Instance *instance, const Image *code, bool own) {
    const Cone *cone = instance->cones->last;
    Running    *r = &instance->run;
    int         failed = 0;
    r->piece = true;
    for (int k = own ? cone->still : 0; k < cone->runs && !failed; k++) {
        const RowRun *part = &cone->run[k];
        /* cppcheck-suppress AssignmentIntegerToAddress */
        ListCode *const rows = code->tangent_rows(part->group);
        if (rows) failed = rows(&r->rb, cone->item + part->first, part->count);
    }
    return failed || r->rb.failed;
}

void cones_rest(Instance *instance, int width, bool own) {
    Cone   *cone = instance->cones->last;
    double *d = instance->run.rb.d;
    if (!cone->given && !find_given(cone, instance->program, own ? cone->still : 0)) {
        instance->lacking = true; /* the directions are of no use any more */
        return;
    }
    for (int k = 0; k < cone->givens; k++)
        memset(d + (size_t)cone->given[k] * (size_t)width, 0, (size_t)width * sizeof *d);
}
