/* SPDX-License-Identifier: Apache-2.0 */
/* cone.c -- parts of a model: which rows of the code some derivatives need, as cached lists.
 *
 * Nodes are the blocks of the structure in the order of the plan; what a node needs stands before
 * it, in compressed rows without duplicates and, where that is affordable, without edges that a
 * longer path implies. The cone of a set of derivatives is found by a search that visits nothing
 * else (Hannebohm, Bachmann 2025, Algorithm 1, without the sweep over the whole model) and kept
 * as lists of rows by group, in a cache by content with least recent use.
 *
 * A cone is evaluated in two parts. What depends on none of the states that belong to the wanted
 * derivatives (slow neighbours, time, parameters) is evaluated only if one of these inputs has
 * changed since the last evaluation of the same cone: an implicit stage iterates over the rest
 * alone. Cost of an evaluation: its rows and O(states that the cone reads). */
#include "live/live.h"
#include "rate/rate.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST = 64,  /* cones kept, however large; more as long as ...      */
    MOST = 4096, /* ... they are not as many ...                        */
    LISTS = 32,  /* ... and their lists not as long, in nodes of the model */
    SLOTS = 2048
};
#define REDUCE_LIMIT 1e8 /* nodes times edges up to which implied edges are removed */

typedef struct Run { /* rows of one group */
    int group, first, count;
} Run;

typedef struct Cone Cone;
struct Cone {
    uint64_t  hash;
    Cone     *next;          /* in the same slot */
    Cone     *newer, *older; /* by last use */
    int       nodes;
    int      *want; /* states whose derivatives are wanted, or states + crossing */
    int       wants;
    int      *input;       /* states that are read: those among want, then the others */
    int       own, inputs; /* own <= inputs */
    int      *item;        /* rows, run by run */
    Run      *run;         /* what none of the own states moves, then the rest */
    int       still, runs; /* still <= runs */
    long      still_rows, rows; /* scalar equations */
    int      *given, givens;    /* unknowns of the moving rows; NULL until wanted */
    Colouring colouring;        /* for directions, see jacobian.c */
};

struct Cones {
    int       nodes;
    int       states;
    int      *node_of;             /* by block, -1 if it is evaluated at events only */
    int      *want;                /* work: numbers of crossings */
    int      *group, *item, *rows; /* by node; rows: scalar equations */
    RateGraph needs;
    int      *read_start, *read; /* by node: states it reads */
    int      *node;              /* by state: node of its derivative, -1 if it has none */
    int      *number;            /* by variable: its state + 1, 0 if it is none */
    int      *mark, *state_mark; /* stamps; of a state in its own cone negative */
    int      *list, *moves;      /* work */
    int       stamp;
    Cone     *slot[SLOTS]; /* by hash */
    Cone     *newest, *oldest;
    int       cones;
    long      listed; /* nodes of all of them */
    Cone     *last;   /* evaluated last, NULL if something else was */
    double    last_time;
};

static int ascending(const void *a, const void *b) {
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

/* ---- nodes ---- */

/* Numbers the nodes; node_of: by block, -1 if it is evaluated at events only. */
static void number_nodes(Cones *c, const Plan *plan, int *node_of) {
    const Structure *st = plan->st;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        bool         loop = group->kind == GROUP_LOOP;
        int          count = group->count * (loop ? 1 : group->size);
        for (int k = 0; k < count && !group->discrete; k++) {
            int eq = plan->item[group->item + (loop ? k * group->size : k)];
            node_of[st->block_of[eq]] = c->nodes;
            c->group[c->nodes] = g;
            c->item[c->nodes] = k;
            c->rows[c->nodes++] = loop ? group->size : 1;
        }
    }
}

static void make_needs(Cones *c, const Plan *plan, const int *node_of) {
    const Structure *st = plan->st;
    int *start = mem_take((size_t)c->nodes + 1, sizeof(int)), *block_of, *entry,
        edges = 0;
    entry = mem_take((size_t)plan->uses.start[st->blocks], sizeof(int));
    block_of = mem_take((size_t)c->nodes, sizeof(int));
    for (int b = 0; b < st->blocks; b++)
        if (node_of[b] >= 0) block_of[node_of[b]] = b;
    for (int n = 0; n < c->nodes; n++) {
        int b = block_of[n];
        start[n] = edges;
        for (int k = plan->uses.start[b]; k < plan->uses.start[b + 1]; k++)
            if (node_of[plan->uses.col[k]] >= 0)
                entry[edges++] = node_of[plan->uses.col[k]];
    }
    start[c->nodes] = edges;
    if (!rate_graph_build(&c->needs, c->nodes, start, entry)) abort();
    graph_reduce(&c->needs, REDUCE_LIMIT);
    free(start);
    free(entry);
    free(block_of);
}

static void make_reads(Cones *c, const Plan *plan, const int *node_of) {
    const Structure *st = plan->st;
    const Graph     *g = &st->graph;
    c->read_start = mem_take((size_t)c->nodes + 1, sizeof(int));
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < st->blocks; b++) {
            int node = node_of[b];
            for (int j = 0; j < st->block[b].count && node >= 0; j++) {
                int e = st->order[st->block[b].first + j];
                for (int k = g->start[e]; k < g->start[e + 1]; k++) {
                    int state = c->number[g->col[k]] - 1;
                    if (state < 0) continue;
                    if (pass) c->read[c->read_start[node]] = state;
                    c->read_start[node]++;
                }
            }
        }
        for (int n = c->nodes; n > 0; n--) c->read_start[n] = c->read_start[n - 1];
        c->read_start[0] = 0;
        if (pass) break;
        for (int n = 0; n < c->nodes; n++) c->read_start[n + 1] += c->read_start[n];
        c->read = mem_take((size_t)c->read_start[c->nodes], sizeof(int));
    }
}

Cones *cones_new(const Instance *instance) {
    const Plan      *plan = instance->plan;
    const Structure *st = plan->st;
    size_t           blocks = (size_t)st->blocks, states = (size_t)instance->states;
    if (!plan->selective || !instance->image->rows) return NULL;
    Cones *c = mem_take(1, sizeof *c);
    int   *node_of = c->node_of = mem_take(blocks, sizeof(int));
    c->states = instance->states;
    c->want = mem_take((size_t)instance->relations, sizeof(int));
    c->number = mem_take((size_t)st->vars, sizeof(int));
    c->group = mem_take(blocks, sizeof(int));
    c->item = mem_take(blocks, sizeof(int));
    c->rows = mem_take(blocks, sizeof(int));
    for (int b = 0; b < st->blocks; b++) node_of[b] = -1;
    for (int i = 0; i < instance->states; i++) c->number[instance->state[i]] = i + 1;
    number_nodes(c, plan, node_of);
    make_needs(c, plan, node_of);
    make_reads(c, plan, node_of);
    c->node = mem_take(states, sizeof(int));
    for (int i = 0; i < instance->states; i++) {
        int rate = instance->rate[i];
        c->node[i] = st->role[rate] == ROLE_UNKNOWN && st->eq_of[rate] >= 0
                         ? node_of[st->block_of[st->eq_of[rate]]]
                         : -1;
    }
    c->mark = mem_take((size_t)c->nodes, sizeof(int));
    c->moves = mem_take((size_t)c->nodes, sizeof(int));
    c->list = mem_take((size_t)c->nodes + states, sizeof(int));
    c->state_mark = mem_take(states, sizeof(int));
    return c;
}

static void cone_free(Cone *cone) {
    if (!cone) return;
    free(cone->want);
    free(cone->input);
    free(cone->item);
    free(cone->run);
    free(cone->given);
    colouring_free(&cone->colouring);
    free(cone);
}

void cones_free(Cones *c) {
    if (!c) return;
    for (Cone *cone = c->oldest, *newer; cone; cone = newer)
        newer = cone->newer, cone_free(cone);
    rate_graph_free(&c->needs);
    free(c->group), free(c->item), free(c->rows), free(c->read_start), free(c->read);
    free(c->node), free(c->mark), free(c->moves), free(c->list), free(c->state_mark);
    free(c->number), free(c->node_of), free(c->want);
    free(c);
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

/* What a crossing reads: states become inputs, nodes that give the rest are visited. */
static void crossing_reads(Cones *c, const Instance *instance, int crossing,
                           void (*state)(Cones *c, Cone *cone, int state, bool own),
                           Cone *cone, int *count) {
    const Structure *st = instance->plan->st;
    const Relations *r = locals_relations(instance->locals);
    for (int e = r->start[crossing]; e < r->start[crossing + 1]; e++) {
        int var = r->var[e];
        if (state && c->number[var]) state(c, cone, c->number[var] - 1, false);
        if (count && st->role[var] == ROLE_UNKNOWN && st->eq_of[var] >= 0)
            visit(c, c->node_of[st->block_of[st->eq_of[var]]], count);
    }
}

/* Nodes that are needed for what is wanted, ascending, into c->list. */
static int collect(Cones *c, const Instance *instance, const int *want, int wants) {
    int count = 0;
    c->stamp++;
    for (int i = 0; i < wants; i++)
        if (want[i] < c->states) visit(c, c->node[want[i]], &count);
        else crossing_reads(c, instance, want[i] - c->states, NULL, NULL, &count);
    for (int k = 0; k < count; k++) /* grows while it runs */
        for (int e = c->needs.start[c->list[k]]; e < c->needs.start[c->list[k] + 1]; e++)
            visit(c, c->needs.entry[e], &count);
    qsort(c->list, (size_t)count, sizeof(int), ascending);
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
        Run *run = cone->runs ? &cone->run[cone->runs - 1] : NULL;
        if (cone->runs == (moved ? cone->still : 0) || run->group != c->group[node]) {
            run = &cone->run[cone->runs++];
            *run = (Run){c->group[node], *items, 0};
        }
        run->count++;
        cone->item[(*items)++] = c->item[node];
        cone->rows += c->rows[node];
    }
}

static Cone *make(Cones *c, const Instance *instance, const int *want, int wants) {
    const Relations *r = instance->locals ? locals_relations(instance->locals) : NULL;
    Cone            *cone = mem_take(1, sizeof *cone);
    int              count = collect(c, instance, want, wants), items = 0;
    size_t           reads = 2 * (size_t)wants;
    cone->want = mem_take((size_t)wants, sizeof(int));
    memcpy(cone->want, want, (size_t)wants * sizeof(int));
    cone->wants = wants;
    for (int k = 0; k < count; k++)
        reads += (size_t)(c->read_start[c->list[k] + 1] - c->read_start[c->list[k]]);
    for (int i = 0; i < wants; i++)
        if (want[i] >= c->states)
            reads += (size_t)(r->start[want[i] - c->states + 1] -
                              r->start[want[i] - c->states]);
    cone->input = mem_take(reads, sizeof(int));
    for (int i = 0; i < wants; i++)
        if (want[i] < c->states) add_input(c, cone, want[i], true);
    for (int k = 0; k < count; k++) {
        int node = c->list[k], moved = 0;
        for (int e = c->read_start[node]; e < c->read_start[node + 1]; e++) {
            add_input(c, cone, c->read[e], false);
            moved |= c->state_mark[c->read[e]] == -c->stamp;
        }
        for (int e = c->needs.start[node]; e < c->needs.start[node + 1]; e++)
            moved |= c->moves[c->needs.entry[e]];
        c->moves[node] = moved;
    }
    for (int i = 0; i < wants; i++) {
        if (want[i] >= c->states) {
            crossing_reads(c, instance, want[i] - c->states, add_input, cone, NULL);
            continue;
        }
        int state = c->number[instance->rate[want[i]]] - 1;
        if (state >= 0) /* a derivative that is itself a state */
            add_input(c, cone, state, false);
    }
    cone->nodes = count;
    cone->item = mem_take((size_t)count, sizeof(int));
    cone->run = mem_take((size_t)count, sizeof *cone->run);
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
    while (c->cones >= LEAST && (c->cones >= MOST || c->listed > LISTS * (long)c->nodes))
        drop_oldest(c);
    cone = make(c, instance, want, wants);
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
    double *v = instance->rb.v;
    Cone   *cone = c->last && is_for(c->last, want, wants) ? c->last
                                                           : find(c, instance, want, wants);
    bool    same = c->last == cone && t >= c->last_time && t <= c->last_time;
    for (int i = 0; i < cone->own; i++)
        v[instance->state[cone->input[i]]] = x[cone->input[i]];
    for (int i = cone->own; i < cone->inputs; i++) {
        double *to = &v[instance->state[cone->input[i]]], now = x[cone->input[i]];
        same = same && *to >= now && *to <= now;
        *to = now;
    }
    c->last = NULL;
    instance->complete = false;
    instance->rb.time = t;
    instance->rb.x = x;
    instance->rb.dx = instance->dx;
    for (int k = same ? cone->still : 0; k < cone->runs; k++) {
        const Run *part = &cone->run[k];
        if (instance->image->rows(part->group)(&instance->rb, cone->item + part->first,
                                               part->count))
            return 1;
    }
    instance->rows += cone->rows - (same ? cone->still_rows : 0);
    c->last = cone;
    c->last_time = t;
    return 0;
}

static int run(Instance *instance, double t, const double *x, const int *want,
               int wants) {
    instance->part = true;
    int failed = bring(instance, t, x, want, wants);
    instance->part = false;
    return failed;
}

int cones_eval(Instance *instance, double t, const double *x, const int *rate, int rates,
               double *dx) {
    if (run(instance, t, x, rate, rates)) return 1;
    for (int i = 0; i < rates; i++) dx[rate[i]] = instance_rate(instance, rate[i], x);
    return 0;
}

int cones_crossings(Instance *instance, double t, const double *x, const Selection *which,
                    double *z) {
    Cones           *c = instance->cones;
    const Relations *r = locals_relations(instance->locals);
    int              n = selection_count(which, instance->relations);
    for (int k = 0; k < n; k++) c->want[k] = c->states + selection_row(which, k);
    if (run(instance, t, x, c->want, n)) return 1;
    for (int k = 0; k < n; k++) {
        int crossing = selection_row(which, k);
        instance->image->crossing(r->place[crossing])(&instance->rb, crossing, z);
    }
    return instance->rb.failed;
}

/* ---- directions ---- */

static void find_given(Cone *cone, const Plan *plan) {
    const Structure *st = plan->st;
    for (int pass = 0; pass < 2; pass++) {
        cone->givens = 0;
        for (int k = cone->still; k < cone->runs; k++) {
            const Group *group = &plan->group[cone->run[k].group];
            const int   *item = cone->item + cone->run[k].first;
            int          size = group->kind == GROUP_LOOP ? group->size : 1;
            for (int i = 0; i < cone->run[k].count; i++) {
                int b = st->block_of[plan->item[group->item + item[i] * size]];
                for (int j = 0; j < st->block[b].count; j++, cone->givens++)
                    if (pass)
                        cone->given[cone->givens] =
                            st->var_of[st->order[st->block[b].first + j]];
            }
        }
        if (!pass) cone->given = mem_take((size_t)cone->givens, sizeof(int));
    }
}

Colouring *cones_colouring(const Instance *instance) {
    return &instance->cones->last->colouring;
}

int cones_directions(Instance *instance, const Image *code) {
    const Cone *cone = instance->cones->last;
    int         failed = 0;
    instance->part = true;
    for (int k = cone->still; k < cone->runs && !failed; k++) {
        const Run *part = &cone->run[k];
        if (code->tangent_rows(part->group))
            failed = code->tangent_rows(part->group)(
                &instance->rb, cone->item + part->first, part->count);
    }
    instance->part = false;
    return failed || instance->rb.failed;
}

void cones_rest(Instance *instance, int width) {
    Cone   *cone = instance->cones->last;
    double *d = instance->rb.d;
    if (!cone->given) find_given(cone, instance->plan);
    for (int k = 0; k < cone->givens; k++)
        memset(d + (size_t)cone->given[k] * (size_t)width, 0, (size_t)width * sizeof *d);
}
